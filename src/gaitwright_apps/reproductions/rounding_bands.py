"""Rounding bands: extremes of a number over all lengths and masses that round to the printed digits of Table 4.2 of paper 003.

Each length and mass is known to half a unit of its last digit, so that the possible legs fill a box. ROUNDING_BANDS,
the smallest and the largest value of each number in this box, are stored in walking_legs_bands.yaml, which
`bands_file_text` writes; a test recomputes a part. Units as in `measures`.

`find_extremes` evaluates all corners of the lengths, and starts a bounded quasi-Newton search with gradients (L-BFGS-B)
from the best corners and from the middle, over lengths and masses. It is deterministic. A number that is monotonic in each
length has its extremes at corners, which are evaluated exactly; an extreme inside the box is a local one, of several starts.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.input_files import packaged_yaml
from gaitwright_apps.reproductions.sheets import half_digit
from gaitwright_apps.reproductions.walking_legs_closed_form import precise_measures
from gaitwright_apps.reproductions.walking_legs_data import PRINTED_LEGS, SHEET_ROWS, measure_name, pinned_depth

Array = np.ndarray
MeasureFunction = Callable[[Array], Mapping[str, Array]]
"""Numbers (n,) by name at points (n, size) of the box, with coordinates from -1 to 1."""
BATCH_SIZE = 128
"""Number of points evaluated together."""
SEARCH_STARTS = 2
"""Number of best corners from which a search starts, in addition to the middle."""
DIFFERENCE_STEP = 1e-4
"""Step of coordinates, which range from -1 to 1, for gradients by central differences."""
PRINTED_DEPTH, PINNED_DEPTH = "printed", "pinned"
"""Penetrations: as printed in Table 4.3, and that at which the printed elastic peak is K d^1.5."""


class RoundingBand(NamedTuple):
    """Smallest and largest value in the box."""

    least: float
    most: float

    def room(self, published: float, computed: float) -> float:
        """Maximum difference of a published number from a computed one within the band, for `judge_number`. Zero if
        the computed one is outside of the band: a number of another leg gets no tolerance from it."""
        if not self.least <= computed <= self.most:
            return 0.0
        return self.most - computed if published > computed else computed - self.least


def find_extremes(
    values: MeasureFunction, size: int, names: Collection[str], corners: int | None = None
) -> dict[str, RoundingBand]:
    """Bands over the box [-1, 1]^size. corners: number of first coordinates with all corners evaluated, with
    the others in the middle; default: all. Points without a value (NaN) are ignored."""
    corners = size if corners is None else corners
    samples, evaluations = [np.zeros((1, size))], [values(np.zeros((1, size)))]
    signs = itertools.product((-1.0, 1.0), repeat=corners)
    for batch in iter(lambda: list(itertools.islice(signs, BATCH_SIZE)), []):
        points = np.zeros((len(batch), size))
        points[:, :corners] = batch
        samples.append(points)
        evaluations.append(values(points))
    points = np.concatenate(samples)
    return {
        name: RoundingBand(
            *(
                _find_extreme(
                    values, name, sign, points, np.concatenate([evaluation[name] for evaluation in evaluations])
                )
                for sign in (-1, 1)
            )
        )
        for name in names
    }


def _find_extreme(values: MeasureFunction, name: str, sign: int, points: Array, values_at_points: Array) -> float:
    """Largest (sign 1) or smallest (sign -1) value of a number."""
    from scipy.optimize import minimize

    size = points.shape[1]
    steps = DIFFERENCE_STEP * np.concatenate([np.eye(size), -np.eye(size)])

    def negated_value(point: Array) -> tuple[float, Array]:
        neighbours = values(np.concatenate([point[None], point + steps]))[name] * -sign
        gradient = (neighbours[1 : size + 1] - neighbours[size + 1 :]) / (2 * DIFFERENCE_STEP)
        is_finite = np.isfinite(neighbours[0]) and np.all(np.isfinite(gradient))
        return (float(neighbours[0]), gradient) if is_finite else (math.inf, np.zeros(size))

    scores = np.where(np.isfinite(values_at_points), sign * values_at_points, -np.inf)
    best = float(scores.max())
    for start in (0, *np.argsort(-scores, kind="stable")[:SEARCH_STARTS]):
        search = minimize(negated_value, points[start], jac=True, method="L-BFGS-B", bounds=[(-1.0, 1.0)] * size)
        best = max(best, -float(search.fun)) if np.isfinite(search.fun) else best
    return sign * best


# the legs of paper 003 ------------------------------------------------------------------------------------------------


def leg_measure_function(leg: str, depth: float, masses: bool = True) -> tuple[MeasureFunction, int, int]:
    """Function for the numbers of a leg in the box of Table 4.2 at a penetration (m); the size of the box, and how
    many of its coordinates are lengths. masses: True to include masses in the box."""
    table, links = PRINTED_LEGS[leg].table, [link for link in PRINTED_LEGS[leg].links if masses]
    ids = {link: f"4.2-crank-{leg}" if link == "crank" else f"4.2-length-{link}-{leg}" for link in table}
    half_digits = {link: half_digit(SHEET_ROWS[id].text) for link, id in ids.items()}
    mass_texts = {link: SHEET_ROWS[f"4.2-mass-{link}-{leg}"].text for link in links}

    def values(points: Array) -> Mapping[str, Array]:
        by_link = dict(zip((*table, *(f"mass of {link}" for link in links)), points.T, strict=True))
        lengths = {link: length + half_digits[link] * by_link[link] for link, length in table.items()}
        link_masses = {
            link: float(text) + half_digit(text) * by_link[f"mass of {link}"] for link, text in mass_texts.items()
        }
        return precise_measures(leg, depth, lengths, link_masses)

    return values, len(table) + len(links), len(table)


def compute_rounding_bands(
    leg: str, penetration: str = PRINTED_DEPTH, names: Collection[str] | None = None
) -> dict[str, RoundingBand]:
    """Bands of a leg at a penetration. names: of the numbers; default: all that rows of the sheet need."""
    depth = PRINTED_LEGS[leg].depth if penetration == PRINTED_DEPTH else pinned_depth(leg)
    names = required_numbers(leg, penetration) if names is None else list(names)
    bands: dict[str, RoundingBand] = {}
    for masses in (False, True):
        selected = [name for name in names if name.startswith(("torque", "energy")) == masses]
        if selected:
            values, size, lengths = leg_measure_function(leg, depth, masses)
            bands |= find_extremes(values, size, selected, lengths)
    return {name: bands[name] for name in names}


def required_numbers(leg: str, penetration: str = PRINTED_DEPTH) -> list[str]:
    """Numbers for which rows or sentences of the sheet need a band; at another penetration, those that depend on the
    end of stance."""
    if penetration != PRINTED_DEPTH:
        return ["step_length", "straightness", "acceleration_swing_min", "acceleration_stance_max", "normal_mean"]
    results = [row for row in SHEET_ROWS.values() if row.of == leg and row.kind == "result"]
    numbers_in_sentences = ["relative_lowest", "relative_swing_range", "relative_stance_range"]
    return list(
        dict.fromkeys(
            [*(measure_name(row) for row in results if row.computed.startswith("legs/")), *numbers_in_sentences]
        )
    )


def _read_stored_bands() -> dict[str, dict[str, dict[str, RoundingBand]]]:
    raw: Any = packaged_yaml(Path(__file__).with_name("walking_legs_bands.yaml"))
    return {
        leg: {
            penetration: {n: RoundingBand(*v) for n, v in bands.items()}
            for penetration, bands in bands_by_penetration.items()
        }
        for leg, bands_by_penetration in raw.items()
    }


ROUNDING_BANDS = _read_stored_bands()
"""Bands by leg, penetration and number."""


def bands_file_text() -> str:
    """Recompute the text of the file with the bands; takes some minutes."""
    lines = ["# least, most in the box of Table 4.2, by penetration; printed by rounding.table()"]
    for leg in PRINTED_LEGS:
        lines.append(f"{leg}:")
        for penetration in (PRINTED_DEPTH, PINNED_DEPTH):
            bands = compute_rounding_bands(leg, penetration).items()
            lines += [
                f"  {penetration}:",
                *(f"    {name}: [{', '.join(f'{v:.6g}' for v in band)}]" for name, band in bands),
            ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(bands_file_text(), end="")
