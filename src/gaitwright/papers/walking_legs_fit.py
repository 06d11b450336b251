"""One leg for all rows of paper 003 chapter 4 that hold one by one: how near a leg comes to them whose lengths print as in
Table 4.2.

A verdict of within-rounding says that some leg among those that print alike has this number. Whether one leg has all of them is
a stronger question. `search` looks for it: least squares of the relative differences, over all lengths off by up to 0.5 mm,
with closed kinematics and J = m L^2 / 12, from several starts. It is a local search: that nothing nearer exists is not
proved."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gaitwright.papers.sheet import half_digit
from gaitwright.papers.walking_legs_closed import hip_height, one_turn, sampled_measures
from gaitwright.papers.walking_legs_data import DATA, LEGS, TEXTS

STARTS, STEPS = 5, 20
MILLIMETRE = 1e-3
ROWS: dict[str, list[str]] = {leg: DATA[leg]["hold"] for leg in LEGS}
FOUND: dict[str, dict[str, float]] = {leg: DATA[leg]["nearest"] for leg in LEGS}
"""mm, what `search` adds to the lengths of Table 4.2."""


def printed_rows(leg: str) -> dict[str, str]:
    """What is printed for ROWS, by our name."""
    return {number: TEXTS[leg][number] for number in ROWS[leg]}


def nominal(leg: str) -> dict[str, float]:
    """Lengths of Table 4.2, m."""
    return {name: LEGS[leg].table[name] for name in (*LEGS[leg].links, "base")}


def values(leg: str, added: Mapping[str, float]) -> dict[str, float]:
    """The numbers of ROWS for a leg with lengths that are off, mm."""
    lengths = {name: length + MILLIMETRE * added.get(name, 0.0) for name, length in nominal(leg).items()}
    found = sampled_measures(one_turn(leg, lengths), hip_height(leg), LEGS[leg].depth)
    return {name: found[name] for name in printed_rows(leg)}


def search(leg: str, starts: int = STARTS, seed: int = 0) -> dict[str, float]:
    """What to add to the lengths, mm: the best of several starts. 10 s for the Jansen leg."""
    from scipy.optimize import least_squares

    names, rows = list(nominal(leg)), {name: float(text) for name, text in printed_rows(leg).items()}

    def apart(added: np.ndarray) -> np.ndarray:
        now = values(leg, dict(zip(names, added, strict=True)))
        return np.array([100 * (now[name] / rows[name] - 1) for name in rows])

    random = np.random.default_rng(seed)
    # Stance ends at a sample, so that differences over less than some 0.01 mm are noise.
    tried = [
        least_squares(apart, random.uniform(-0.45, 0.45, len(names)), bounds=(-0.5, 0.5), diff_step=0.1, max_nfev=STEPS)
        for _ in range(starts)
    ]
    best = min(tried, key=lambda each: each.cost)
    return {name: round(float(value), 3) for name, value in zip(names, best.x, strict=True)}


def joint_rows(leg: str) -> list[tuple[str, str, float, float]]:
    """Our name, as printed, of the leg that comes nearest to all rows at once, and how far that is apart, %."""
    now, rows = values(leg, FOUND[leg]), printed_rows(leg)
    return [(name, text, now[name], 100 * (now[name] / float(text) - 1)) for name, text in rows.items()]


def met(leg: str) -> int:
    """How many rows that leg has with all printed digits."""
    return sum(abs(value - float(text)) <= half_digit(text) for _, text, value, _ in joint_rows(leg))


def said() -> str:
    """In a sentence."""
    parts = [
        f"{max(abs(apart) for *_, apart in joint_rows(leg)):.1f} % ({LEGS[leg].name}, {met(leg)} of {len(ROWS[leg])} rows to "
        "the printed digits)"
        for leg in ROWS
    ]
    return (
        "rows are judged one by one, each with the leg that suits it among those that print alike. One leg that meets all rows "
        f"was searched for and not found: the nearest is within {' and '.join(parts)}"
    )
