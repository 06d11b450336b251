"""Printed by gaitwright.derive, never edited by hand. `make kernels` reprints them."""
