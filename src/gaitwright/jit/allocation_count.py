"""Number of arrays allocated by compiled code, from the counter of Numba's run-time library."""

from __future__ import annotations

from numba.core.runtime.nrt import rtsys


def count_allocations() -> int:
    """Number of arrays allocated by compiled code so far; -1 unless NUMBA_NRT_STATS=1 is in the environment."""
    try:
        return int(rtsys.get_allocation_stats().mi_alloc)
    except RuntimeError:
        return -1
