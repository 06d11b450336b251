"""One leg for all rows: the stored lengths print alike, are the nearest around, and the rows are those that hold one by one."""

from __future__ import annotations

import numpy as np
import pytest

from gaitwright.papers.rounding import BANDS, PRINTED
from gaitwright.papers.sheet import half_digit
from gaitwright.papers.walking_legs_data import NAMES
from gaitwright.papers.walking_legs_fit import FOUND, ROWS, joint_rows, met, nominal, printed_rows, said, search, values


def cost(leg: str, added: dict[str, float]) -> float:
    rows = printed_rows(leg)
    return sum((value / float(rows[name]) - 1) ** 2 for name, value in values(leg, added).items())


@pytest.mark.parametrize("leg", NAMES)
def test_rows_hold_one_by_one(leg: str) -> None:
    assert set(printed_rows(leg)) == set(ROWS[leg])
    for number, text in printed_rows(leg).items():
        band, half = BANDS[leg][PRINTED][number], half_digit(text)
        assert band.least - half <= float(text) <= band.most + half, number


@pytest.mark.parametrize(("leg", "most"), [("chebyshev", 0.5), ("jansen", 5.1)])
def test_nearest_leg(leg: str, most: float) -> None:
    """No leg drawn at random within rounding comes as near, and it does not meet all rows."""
    assert set(FOUND[leg]) == set(nominal(leg)) and max(abs(value) for value in FOUND[leg].values()) <= 0.5
    assert max(abs(apart) for *_, apart in joint_rows(leg)) == pytest.approx(most, abs=0.05)
    assert met(leg) < len(ROWS[leg]) and f"{most} %" in said()
    random, best = np.random.default_rng(2), cost(leg, FOUND[leg])
    for _ in range(40):
        assert cost(leg, {name: random.uniform(-0.5, 0.5) for name in FOUND[leg]}) > best


@pytest.mark.slow
def test_search_finds_it_again() -> None:
    """From two other starts, nearly as near: where the search ends hangs on the last bits, because stance ends at a sample and
    the cost has steps [1.0 to 1.3 times the cost]; legs drawn at random have 3.6 times the cost or more."""
    again = search("chebyshev", starts=2, seed=5)
    assert cost("chebyshev", again) < 2 * cost("chebyshev", FOUND["chebyshev"])
