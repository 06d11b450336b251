"""The wall time of an analysis excludes compilation."""

import time

from gaitwright.jit import Stopwatch, cache, jit_compile


def test_compilation_time_is_not_counted(tmp_path, monkeypatch):
    monkeypatch.setenv("GAITWRIGHT_CACHE", str(tmp_path))

    @jit_compile
    def inner(x):
        return x + 1.0

    @jit_compile
    def outer(x):
        return 2.0 * inner(x)

    before, began, watch = cache.COMPILE_SECONDS, time.perf_counter(), Stopwatch()
    assert outer(1.0) == 4.0
    elapsed, spent = time.perf_counter() - began, cache.COMPILE_SECONDS - before
    assert 0.0 < spent < elapsed, "counted once, not again for what the function calls"
    assert watch.seconds() <= time.perf_counter() - began - spent
