"""The wall time of an analysis is that of its work: compiling is not part of it."""

import time

from gaitwright.compiled import Stopwatch, cache, compiled


def test_compiling_is_not_counted(tmp_path, monkeypatch):
    monkeypatch.setenv("GAITWRIGHT_CACHE", str(tmp_path))

    @compiled
    def inner(x):
        return x + 1.0

    @compiled
    def outer(x):
        return 2.0 * inner(x)

    before, began, watch = cache.SPENT, time.perf_counter(), Stopwatch()
    assert outer(1.0) == 4.0
    elapsed, spent = time.perf_counter() - began, cache.SPENT - before
    assert 0.0 < spent < elapsed, "counted once, not again for what the function calls"
    assert watch.seconds() <= time.perf_counter() - began - spent
