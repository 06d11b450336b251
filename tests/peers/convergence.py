"""Assertion of peer tests: the results of another program, with refined steps, converge to our value with the method's
order."""

from __future__ import annotations

import numpy as np


def assert_converges(values: dict[float, float], ours: float, *, order: int, within: float) -> None:
    """`values`: the peer's result by step, each step half of the one before. Its errors against `ours` must shrink, in
    the end with its `order` (0.3 allowed for higher terms), and its extrapolation to step 0 must agree `within` (in the
    unit of the value)."""
    steps = sorted(values, reverse=True)
    errors = np.array([abs(values[h] - ours) for h in steps])
    rates = np.log2(errors[:-1] / errors[1:])
    assert np.all(rates > 1) and rates[-1] > order - 0.3, f"errors {errors} shrink with order {rates}, not {order}"
    coarse, fine = values[steps[-2]], values[steps[-1]]
    limit = fine + (fine - coarse) / (2**order - 1)
    assert abs(limit - ours) < within, f"the peer runs towards {limit!r}, ours is {ours!r}"
