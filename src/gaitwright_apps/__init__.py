"""Applications of Gaitwright: published experiments, benchmarks, demonstrations and galleries. The library does not
import them."""
