"""Four-bar linkages in a mechanism: input and output angles, transmission angle, Grashof's class, linearity, parallelograms.

A loop is four points P0 P1 P2 P3 in order, on any bodies:

    frame d = P0 P3     input a = P0 P1     coupler b = P1 P2     output c = P3 P2

input angle  alpha         from d to a, from P0 P3 to P0 P1, rad
output angle beta          from the same direction to c, rad: equal to alpha in a parallelogram
transmission angle mu      between coupler and output at P2, 0 to pi: the transmission is best at pi/2 and fails at 0 and pi
linear transmission        beta = slope alpha + constant; error: largest deviation from the best-fit line

Angles are continuous over the run and start between -pi and pi. Sources: F. Grashof (1883) for the classes; M. Mueller, A novel
classification of planar four-bar linkages (1996), cited by paper 003 section 6.2.1, for the parallelogram.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.legs.phase_statistics import PhaseStatistics, compute_statistics, fit_spline

if TYPE_CHECKING:
    from gaitwright.result.result import Result

FOUR_BAR_SIDES = ("input", "coupler", "output", "frame")
GRASHOF_CLASSES = {
    "input": "crank-rocker",
    "coupler": "double-rocker with a turning coupler",
    "output": "rocker-crank",
    "frame": "double-crank",
}
"""Class by the shortest side, if the sum of the shortest and the longest side is below the sum of the other two."""
CHANGE_POINT, TRIPLE_ROCKER = "change point", "triple-rocker"
EQUAL_LENGTH_RTOL = 1e-9
"""Relative tolerance, to the longest side, for equal sums of lengths."""


class AngleLine(NamedTuple):
    """Line beta = slope alpha + constant, with the largest (error) and root-mean-square (rms) deviation from it, rad."""

    slope: float
    constant: float
    error: float
    rms: float


@dataclass(frozen=True)
class FourBar:
    """Four-bar loop over a run. time: (n,), s. lengths: of input, coupler, output and frame, (n, 4), m; a driven length varies.
    alpha, beta, mu: (n,), rad."""

    points: tuple[str, str, str, str]
    time: np.ndarray = field(repr=False)
    lengths: np.ndarray = field(repr=False)
    alpha: np.ndarray = field(repr=False)
    beta: np.ndarray = field(repr=False)
    mu: np.ndarray = field(repr=False)

    @property
    def mean_lengths(self) -> np.ndarray:
        """Mean lengths over time, (4,), m."""
        return self._shares @ self.lengths

    @property
    def worst_transmission(self) -> float:
        """Transmission angle that deviates most from a right angle, as an acute angle, rad: above 0.7 (40 degrees) is good."""
        statistics = self._over_time(self.mu)
        return min(statistics.least, np.pi - statistics.greatest)

    @property
    def amplitude(self) -> float:
        """Range of the output angle, rad."""
        statistics = self._over_time(self.beta)
        return statistics.greatest - statistics.least

    @property
    def classes(self) -> tuple[str, ...]:
        """Grashof's classes that occur during the run; one if all lengths are constant."""
        names = [grashof_class(lengths) for lengths in np.unique(np.round(self.lengths, 9), axis=0)]
        return tuple(dict.fromkeys(names))

    def transmission(self) -> AngleLine:
        """Best-fit line of beta over alpha, by least squares over time."""
        slope, constant = np.polyfit(self.alpha, self.beta, 1, w=np.sqrt(self._shares))
        deviations = self.beta - slope * self.alpha - constant
        rms = float(np.sqrt(self._shares @ deviations**2))
        return AngleLine(float(slope), float(constant), self._over_time(deviations).largest, rms)

    @property
    def _shares(self) -> np.ndarray:
        """Weights of the trapezoidal rule over time, (n,), with sum 1."""
        step = np.diff(self.time, prepend=self.time[0], append=self.time[-1])
        return 0.5 * (step[1:] + step[:-1]) / (self.time[-1] - self.time[0])

    def _over_time(self, values: np.ndarray) -> PhaseStatistics:
        return compute_statistics(fit_spline(self.time, values), [(float(self.time[0]), float(self.time[-1]))])

    def code(self, tolerance: float = 0.1) -> str:
        """Mueller's code of a parallelogram, see `parallelogram_code`; also empty if the loop crosses itself."""
        crossed = np.any(np.abs(self.alpha - self.beta - _whole_turns(self.alpha - self.beta)) > np.pi / 2)
        return "" if crossed else parallelogram_code(self.mean_lengths, tolerance)


def four_bar_loop(run: Result, points: Sequence[str]) -> FourBar:
    """Loop of four moving or ground points, such as ("O1", "A", "B", "O2"). Raises ModelError unless there are four points with
    sides of nonzero length."""
    if len(points) != 4:
        ErrorContext(field="points").fail("a four-bar has four points", list(points), "four names")
    p0, p1, p2, p3 = (_point_track(run, point) for point in points)
    sides = [p1 - p0, p2 - p1, p2 - p3, p3 - p0]
    a, b, c, d = (side[:, 0] + 1j * side[:, 1] for side in sides)
    lengths = np.abs(np.stack([a, b, c, d], axis=1))
    if not lengths.min(initial=np.inf) > 0:
        ErrorContext(field="points").fail("has a side without length", list(points), "four places")
    alpha, beta = (np.unwrap(np.angle(side / d)) for side in (a, c))
    first, second, third, last = points
    return FourBar((first, second, third, last), run.time, lengths, alpha, beta, np.abs(np.angle(b / c)))


def _point_track(run: Result, point: str) -> np.ndarray:
    """Position of a point over time, (n, 2), m."""
    ground = run.mechanism.ground_points
    name = point.removeprefix("ground.")
    if name in ground:
        return np.tile(np.asarray(ground[name], dtype=float), (run.time.size, 1))
    return np.stack([run.array(f"{point}.{axis}") for axis in "xy"], axis=1)


def grashof_class(lengths: Sequence[float] | np.ndarray) -> str:
    """Grashof class of a four-bar with the sides input, coupler, output, frame, m.

    If the sum of the shortest and the longest side is below that of the others, the shortest side can make full turns; if the
    sums are equal, all four sides can be collinear, where the linkage may change its branch; otherwise no side can make full
    turns. Raises ModelError unless there are four positive lengths."""
    sides = np.asarray(lengths, dtype=float)
    if sides.shape != (4,) or not np.all(sides > 0):
        ErrorContext(field="lengths").fail("are not four lengths", list(lengths), "four numbers above 0")
    short, first, second, long = np.sort(sides)
    spare = first + second - short - long
    if abs(spare) <= EQUAL_LENGTH_RTOL * long:
        return CHANGE_POINT
    return TRIPLE_ROCKER if spare < 0 else GRASHOF_CLASSES[FOUR_BAR_SIDES[int(np.argmin(sides))]]


def parallelogram_code(lengths: Sequence[float] | np.ndarray, tolerance: float = 0.1) -> str:
    """Mueller's code of a parallelogram with sides a, b, c, d: 2Plsls if a and c are the long sides, 2Pslsl if they are the
    short sides; empty if opposite sides differ by more than the tolerance, relative to the longer one.

    2: two motion variables, alpha and beta. P: opposite sides are equal, and the loop does not cross itself."""
    a, b, c, d = (float(length) for length in lengths)
    if abs(a - c) > tolerance * max(a, c) or abs(b - d) > tolerance * max(b, d):
        return ""
    return "2Plsls" if a + c >= b + d else "2Pslsl"


def _whole_turns(angle: np.ndarray) -> float:
    """Multiple of a full turn nearest to the mean of an angle, rad."""
    return float(2 * np.pi * np.round(angle.mean() / (2 * np.pi)))
