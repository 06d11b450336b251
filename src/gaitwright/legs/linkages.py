"""Four-bars inside a mechanism: angles of input and output, transmission angle, Grashof's class, linearity, parallelograms.

A loop is four points P0 P1 P2 P3 in order, wherever they are and whatever moves:

    frame d = P0 P3     input a = P0 P1     coupler b = P1 P2     output c = P3 P2

input angle  alpha         of a against d, from P0 P3 to P0 P1, rad
output angle beta          of c against the same direction, rad: equal to alpha in a parallelogram
transmission angle mu      between coupler and output at P2, 0 to pi: at pi/2 the coupler turns the output best, at 0 or pi not
linear transmission        beta = slope alpha + constant; error: largest departure from the best such line

Angles are counted on over the run and start between -pi and pi. Sources: F. Grashof (1883) for who turns round; M. Mueller,
A novel classification of planar four-bar linkages (1996), as paper 003 section 6.2.1 tells it, for the parallelogram.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.legs.statistics import Statistics, curve, statistics

if TYPE_CHECKING:
    from gaitwright.result.result import Result

SIDES = ("input", "coupler", "output", "frame")
CLASSES = {
    "input": "crank-rocker",
    "coupler": "double-rocker with a turning coupler",
    "output": "rocker-crank",
    "frame": "double-crank",
}
"""By the shortest side, where the shortest and the longest together are shorter than the other two."""
CHANGE_POINT, NO_TURNS = "change point", "triple-rocker"
SMALL = 1e-9
"""Lengths that differ by less, relative to the longest, are equal."""


class Line(NamedTuple):
    """beta = slope alpha + constant, with the largest and the root-mean-square departure from it, rad."""

    slope: float
    constant: float
    error: float
    rms: float


@dataclass(frozen=True)
class FourBar:
    """A loop over a run. lengths: (n, 4), m, of input, coupler, output and frame; a driven one changes. alpha, beta, mu:
    (n,), rad."""

    points: tuple[str, str, str, str]
    time: np.ndarray = field(repr=False)
    lengths: np.ndarray = field(repr=False)
    alpha: np.ndarray = field(repr=False)
    beta: np.ndarray = field(repr=False)
    mu: np.ndarray = field(repr=False)

    @property
    def mean_lengths(self) -> np.ndarray:
        """Over time, (4,), m."""
        return self._shares @ self.lengths

    @property
    def worst_transmission(self) -> float:
        """The transmission angle farthest from a right angle, as the acute angle, rad: above 0.7 (40 degrees) is good."""
        found = self._over_time(self.mu)
        return min(found.least, np.pi - found.greatest)

    @property
    def amplitude(self) -> float:
        """Range of the output angle, rad."""
        found = self._over_time(self.beta)
        return found.greatest - found.least

    @property
    def classes(self) -> tuple[str, ...]:
        """Grashof's classes that occur, in order of time; one if no length changes."""
        found = [grashof(lengths) for lengths in np.unique(np.round(self.lengths, 9), axis=0)]
        return tuple(dict.fromkeys(found))

    def transmission(self) -> Line:
        """The best line through beta over alpha: least squares over time."""
        slope, constant = np.polyfit(self.alpha, self.beta, 1, w=np.sqrt(self._shares))
        off = self.beta - slope * self.alpha - constant
        rms = float(np.sqrt(self._shares @ off**2))
        return Line(float(slope), float(constant), self._over_time(off).largest, rms)

    @property
    def _shares(self) -> np.ndarray:
        """Of the time, (n,): weights of the trapezoidal rule."""
        step = np.diff(self.time, prepend=self.time[0], append=self.time[-1])
        return 0.5 * (step[1:] + step[:-1]) / (self.time[-1] - self.time[0])

    def _over_time(self, values: np.ndarray) -> Statistics:
        return statistics(curve(self.time, values), [(float(self.time[0]), float(self.time[-1]))])

    def code(self, tolerance: float = 0.1) -> str:
        """Mueller's code of a parallelogram; see `parallelogram`. Empty as well if the loop crosses itself."""
        crossed = np.any(np.abs(self.alpha - self.beta - _turns(self.alpha - self.beta)) > np.pi / 2)
        return "" if crossed else parallelogram(self.mean_lengths, tolerance)


def four_bar_loop(run: Result, points: Sequence[str]) -> FourBar:
    """The loop of four points, moving ones or of the ground, such as ("O1", "A", "B", "O2")."""
    if len(points) != 4:
        At(field="points").fail("a four-bar has four points", list(points), "four names")
    p0, p1, p2, p3 = (_track(run, point) for point in points)
    sides = [p1 - p0, p2 - p1, p2 - p3, p3 - p0]
    a, b, c, d = (side[:, 0] + 1j * side[:, 1] for side in sides)
    lengths = np.abs(np.stack([a, b, c, d], axis=1))
    if not lengths.min(initial=np.inf) > 0:
        At(field="points").fail("has a side without length", list(points), "four places")
    alpha, beta = (np.unwrap(np.angle(side / d)) for side in (a, c))
    first, second, third, last = points
    return FourBar((first, second, third, last), run.time, lengths, alpha, beta, np.abs(np.angle(b / c)))


def _track(run: Result, point: str) -> np.ndarray:
    """A point over time, (n, 2), m."""
    ground = run.mechanism.ground_points
    name = point.removeprefix("ground.")
    if name in ground:
        return np.tile(np.asarray(ground[name], dtype=float), (run.time.size, 1))
    return np.stack([run.values(f"{point}.{axis}") for axis in "xy"], axis=1)


def grashof(lengths: Sequence[float] | np.ndarray) -> str:
    """The class of a four-bar by its sides: input, coupler, output, frame, m.

    With the sum of shortest and longest below that of the others, the shortest turns round; with equal sums all four can lie
    on a line, where the linkage may change its branch; above, nothing turns round."""
    sides = np.asarray(lengths, dtype=float)
    if sides.shape != (4,) or not np.all(sides > 0):
        At(field="lengths").fail("are not four lengths", list(lengths), "four numbers above 0")
    short, first, second, long = np.sort(sides)
    spare = first + second - short - long
    if abs(spare) <= SMALL * long:
        return CHANGE_POINT
    return NO_TURNS if spare < 0 else CLASSES[SIDES[int(np.argmin(sides))]]


def parallelogram(lengths: Sequence[float] | np.ndarray, tolerance: float = 0.1) -> str:
    """Mueller's code of a parallelogram with sides a, b, c, d: 2Plsls if a and c are the long ones, 2Pslsl if they are the
    short ones; empty if opposite sides differ by more than the tolerance, relative to the longer of them.

    2: two motion variables, alpha and beta. P: opposite sides are equal, and it does not cross itself."""
    a, b, c, d = (float(length) for length in lengths)
    if abs(a - c) > tolerance * max(a, c) or abs(b - d) > tolerance * max(b, d):
        return ""
    return "2Plsls" if a + c >= b + d else "2Pslsl"


def _turns(angle: np.ndarray) -> float:
    """The multiple of a whole turn that is nearest to the mean of an angle."""
    return float(2 * np.pi * np.round(angle.mean() / (2 * np.pi)))
