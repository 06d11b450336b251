"""Time measurement and fits of growth in the benchmarks."""

from __future__ import annotations

import math

from gaitwright_apps.benchmarks import timing


def test_alternate_takes_the_smallest() -> None:
    times, order = iter([3.0, 1.0, 2.0]), []

    def timed() -> float:
        order.append("a")
        return next(times)

    def other() -> float:
        order.append("b")
        return 5.0

    assert timing.time_alternately({"a": timed, "b": other}, 3) == {"a": 1.0, "b": 5.0}
    assert order == ["a", "b"] * 3


def test_exponent() -> None:
    assert math.isclose(timing.cost_exponent([1, 10, 100], [2.0, 2.0 * 10**1.5, 2.0 * 10**3]), 1.5)
