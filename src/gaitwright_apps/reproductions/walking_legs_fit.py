"""Fit of one leg to all rows of paper 003 chapter 4 that hold individually, among legs with lengths that round to Table 4.2.

The verdict within-rounding means that some leg within the rounding has this number. A stronger question is whether one leg has
all of them. `search_lengths` searches it: least squares of the relative differences, over changes of all lengths by up to
0.5 mm, with closed-form kinematics and J = m L^2 / 12, from several starts. The search is local: it does not prove that no
closer leg exists."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gaitwright_apps.reproductions.sheets import half_digit
from gaitwright_apps.reproductions.walking_legs_closed_form import hip_height, sample_turn, sampled_measures
from gaitwright_apps.reproductions.walking_legs_data import PRINTED_LEGS, PRINTED_TEXTS, SHEET_DATA

SEARCH_STARTS, MAX_EVALUATIONS = 5, 20
METRES_PER_MILLIMETRE = 1e-3
FITTED_ROWS: dict[str, list[str]] = {leg: SHEET_DATA[leg]["hold"] for leg in PRINTED_LEGS}
FITTED_LENGTH_CHANGES_MM: dict[str, dict[str, float]] = {leg: SHEET_DATA[leg]["nearest"] for leg in PRINTED_LEGS}
"""Result of `search_lengths`, mm: changes of the lengths of Table 4.2."""


def printed_rows(leg: str) -> dict[str, str]:
    """Printed texts of FITTED_ROWS, by our name."""
    return {number: PRINTED_TEXTS[leg][number] for number in FITTED_ROWS[leg]}


def nominal_lengths(leg: str) -> dict[str, float]:
    """Lengths of Table 4.2, m."""
    return {name: PRINTED_LEGS[leg].table[name] for name in (*PRINTED_LEGS[leg].links, "base")}


def row_values(leg: str, added: Mapping[str, float]) -> dict[str, float]:
    """Numbers of FITTED_ROWS for a leg with changed lengths, mm."""
    lengths = {
        name: length + METRES_PER_MILLIMETRE * added.get(name, 0.0) for name, length in nominal_lengths(leg).items()
    }
    measures = sampled_measures(sample_turn(leg, lengths), hip_height(leg), PRINTED_LEGS[leg].depth)
    return {name: measures[name] for name in printed_rows(leg)}


def search_lengths(leg: str, starts: int = SEARCH_STARTS, seed: int = 0) -> dict[str, float]:
    """Changes of the lengths, mm: the best of several starts. Takes 10 s for the Jansen leg."""
    from scipy.optimize import least_squares

    names, rows = list(nominal_lengths(leg)), {name: float(text) for name, text in printed_rows(leg).items()}

    def apart(added: np.ndarray) -> np.ndarray:
        row_numbers = row_values(leg, dict(zip(names, added, strict=True)))
        return np.array([100 * (row_numbers[name] / rows[name] - 1) for name in rows])

    random = np.random.default_rng(seed)
    # Stance ends at a sample, so that differences over less than about 0.01 mm are noise.
    fits = [
        least_squares(
            apart, random.uniform(-0.45, 0.45, len(names)), bounds=(-0.5, 0.5), diff_step=0.1, max_nfev=MAX_EVALUATIONS
        )
        for _ in range(starts)
    ]
    best = min(fits, key=lambda each: each.cost)
    return {name: round(float(value), 3) for name, value in zip(names, best.x, strict=True)}


def fitted_leg_rows(leg: str) -> list[tuple[str, str, float, float]]:
    """Our name, printed text, value of the leg closest to all rows at once, and its deviation, %."""
    now, rows = row_values(leg, FITTED_LENGTH_CHANGES_MM[leg]), printed_rows(leg)
    return [(name, text, now[name], 100 * (now[name] / float(text) - 1)) for name, text in rows.items()]


def count_met_rows(leg: str) -> int:
    """Number of rows that this leg meets with all printed digits."""
    return sum(abs(value - float(text)) <= half_digit(text) for _, text, value, _ in fitted_leg_rows(leg))


def describe_fit() -> str:
    """Result of the fit, as a sentence."""
    parts = [
        f"{max(abs(apart) for *_, apart in fitted_leg_rows(leg)):.1f} % ({PRINTED_LEGS[leg].name}, "
        f"{count_met_rows(leg)} of {len(FITTED_ROWS[leg])} rows to "
        "the printed digits)"
        for leg in FITTED_ROWS
    ]
    return (
        "rows are judged one by one, each with the leg that suits it among those that print alike. One leg that meets all rows "
        f"was searched for and not found: the nearest is within {' and '.join(parts)}"
    )
