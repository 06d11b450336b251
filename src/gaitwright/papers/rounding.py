"""What printed digits leave open: extremes of a number over all lengths and masses that Table 4.2 of paper 003 prints alike.

Each length and mass is known to half a unit of its last digit, so that the possible legs fill a box. BANDS, the least and the
greatest value of each number in this box, are kept in walking_legs_bands.yaml, which `table` writes; a test recomputes a part.
Units as in `measures`.

`extremes` evaluates all corners of the lengths, and starts a bounded quasi-Newton search with gradients (L-BFGS-B) from the
best corners and from the middle, over lengths and masses. It is deterministic. A number that is monotonic in each length has
its extremes at corners, and these are found for certain; an extreme inside the box is a local one, of several starts.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gaitwright.input_files import packaged_yaml
from gaitwright.papers.sheet import half_digit
from gaitwright.papers.walking_legs_closed import precise_measures
from gaitwright.papers.walking_legs_data import LEGS, ROWS, number_of, pinned_depth

Array = np.ndarray
Values = Callable[[Array], Mapping[str, Array]]
"""Numbers (n,) by name at points (n, size) of the box, whose coordinates go from -1 to 1."""
AT_ONCE = 128
"""Points that are evaluated together."""
STARTS = 2
"""Best corners from which a search starts, besides the middle."""
DIFFERENCE = 1e-4
"""Of coordinates from -1 to 1, for gradients by central differences."""
PRINTED, PINNED = "printed", "pinned"
"""Penetrations: as Table 4.3 prints it, and that at which the printed elastic peak is K d^1.5."""


class Band(NamedTuple):
    """Least and greatest value in the box."""

    least: float
    most: float

    def room(self, published: float, computed: float) -> float:
        """How far a published number may be from a computed one and still lie in the band: for `judge`. None, if the computed
        one is not in the band itself: a number of another leg gets no room from it."""
        if not self.least <= computed <= self.most:
            return 0.0
        return self.most - computed if published > computed else computed - self.least


def extremes(values: Values, size: int, names: Collection[str], corners: int | None = None) -> dict[str, Band]:
    """Bands over the box [-1, 1]^size. corners: the first coordinates, of which all corners are evaluated, the others in the
    middle; all unless given. Points without a value (NaN) count for nothing."""
    corners = size if corners is None else corners
    tried, found = [np.zeros((1, size))], [values(np.zeros((1, size)))]
    signs = itertools.product((-1.0, 1.0), repeat=corners)
    for some in iter(lambda: list(itertools.islice(signs, AT_ONCE)), []):
        points = np.zeros((len(some), size))
        points[:, :corners] = some
        tried.append(points)
        found.append(values(points))
    points = np.concatenate(tried)
    return {
        name: Band(
            *(_extreme(values, name, sign, points, np.concatenate([each[name] for each in found])) for sign in (-1, 1))
        )
        for name in names
    }


def _extreme(values: Values, name: str, sign: int, points: Array, known: Array) -> float:
    """The greatest (sign 1) or least (sign -1) value of a number."""
    from scipy.optimize import minimize

    size = points.shape[1]
    steps = DIFFERENCE * np.concatenate([np.eye(size), -np.eye(size)])

    def falls(point: Array) -> tuple[float, Array]:
        around = values(np.concatenate([point[None], point + steps]))[name] * -sign
        gradient = (around[1 : size + 1] - around[size + 1 :]) / (2 * DIFFERENCE)
        sound = np.isfinite(around[0]) and np.all(np.isfinite(gradient))
        return (float(around[0]), gradient) if sound else (math.inf, np.zeros(size))

    scores = np.where(np.isfinite(known), sign * known, -np.inf)
    best = float(scores.max())
    for start in (0, *np.argsort(-scores, kind="stable")[:STARTS]):
        done = minimize(falls, points[start], jac=True, method="L-BFGS-B", bounds=[(-1.0, 1.0)] * size)
        best = max(best, -float(done.fun)) if np.isfinite(done.fun) else best
    return sign * best


# the legs of paper 003 ------------------------------------------------------------------------------------------------


def leg_values(leg: str, depth: float, masses: bool = True) -> tuple[Values, int, int]:
    """Numbers of a leg in the box of Table 4.2 at a penetration (m); the size of the box, and how many of its coordinates are
    lengths. masses: whether they count, too."""
    table, links = LEGS[leg].table, [link for link in LEGS[leg].links if masses]
    ids = {link: f"4.2-crank-{leg}" if link == "crank" else f"4.2-length-{link}-{leg}" for link in table}
    half = {link: half_digit(ROWS[id].text) for link, id in ids.items()}
    mass = {link: ROWS[f"4.2-mass-{link}-{leg}"].text for link in links}

    def values(points: Array) -> Mapping[str, Array]:
        by_link = dict(zip((*table, *(f"mass of {link}" for link in links)), points.T, strict=True))
        lengths = {link: length + half[link] * by_link[link] for link, length in table.items()}
        heavy = {link: float(text) + half_digit(text) * by_link[f"mass of {link}"] for link, text in mass.items()}
        return precise_measures(leg, depth, lengths, heavy)

    return values, len(table) + len(links), len(table)


def rounding_bands(leg: str, at: str = PRINTED, names: Collection[str] | None = None) -> dict[str, Band]:
    """Bands of a leg at a penetration. names: of the numbers, all that rows of the sheet need unless given."""
    depth = LEGS[leg].depth if at == PRINTED else pinned_depth(leg)
    names = needed(leg, at) if names is None else list(names)
    found: dict[str, Band] = {}
    for masses in (False, True):
        some = [name for name in names if name.startswith(("torque", "energy")) == masses]
        if some:
            values, size, lengths = leg_values(leg, depth, masses)
            found |= extremes(values, size, some, lengths)
    return {name: found[name] for name in names}


def needed(leg: str, at: str = PRINTED) -> list[str]:
    """Numbers of which rows or sentences of the sheet need a band; at another penetration, those that depend on where stance
    ends."""
    if at != PRINTED:
        return ["step_length", "straightness", "acceleration_swing_min", "acceleration_stance_max", "normal_mean"]
    results = [row for row in ROWS.values() if row.of == leg and row.kind == "result"]
    spoken = ["relative_lowest", "relative_swing_range", "relative_stance_range"]
    return list(dict.fromkeys([*(number_of(row) for row in results if row.computed.startswith("legs/")), *spoken]))


def _stored() -> dict[str, dict[str, dict[str, Band]]]:
    raw: Any = packaged_yaml(Path(__file__).with_name("walking_legs_bands.yaml"))
    return {leg: {at: {n: Band(*v) for n, v in bands.items()} for at, bands in of.items()} for leg, of in raw.items()}


BANDS = _stored()
"""By leg, penetration and number."""


def table() -> str:
    """The file with the bands, computed again: some minutes."""
    lines = ["# least, most in the box of Table 4.2, by penetration; printed by rounding.table()"]
    for leg in LEGS:
        lines.append(f"{leg}:")
        for at in (PRINTED, PINNED):
            bands = rounding_bands(leg, at).items()
            lines += [f"  {at}:", *(f"    {name}: [{', '.join(f'{v:.6g}' for v in band)}]" for name, band in bands)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(table(), end="")
