"""Registries of the measures of a walk, used by terminal output, reports, files and searches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.legs.centre_of_mass import centre_of_mass, weight
from gaitwright.legs.phase_statistics import (
    PhaseStatistics,
    compute_statistics,
    cut_series,
    drop_repeated_times,
    fit_hermite,
)
from gaitwright.legs.sinkage import axle_heights, static_sinkage
from gaitwright.measures.measure import Measure, MeasureRegistry
from gaitwright.result.contact_episodes import ContactEpisode, closed_duration
from gaitwright.result.energy_balance import signed_work

if TYPE_CHECKING:
    from gaitwright.result.result import Result

MAX_WALKING_SLIP_RATIO = 0.5
"""Slip of the standing feet over the distance of the body above which a machine slides and does not walk."""
MAX_STANDING_DISTANCE_M = 1e-6
"""Distance per turn, m, up to which the body counts as standing."""
NO_FEET = "no foot touches the ground"
MIN_SAMPLES = 8
"""Outputs in the measured turns above which every second one is compared with all of them."""
MAX_GRAVITY_WORK_RATIO = 0.05
"""Work of gravity over the dissipated energy above which the cost of transport does not apply."""


@dataclass(frozen=True)
class MeasuredTurns:
    """The measured whole turns of a run. ends: s, ends of all whole turns of the run; the last `turns` of them are measured.
    torque: (n_times,), N m, of the shaft, positive in the direction of turning. Quantities that several numbers share are
    cached at first use."""

    run: Result
    body: str
    contacts: tuple[str, ...]
    drives: tuple[str, ...]
    ends: np.ndarray
    turns: int
    torque: np.ndarray = field(repr=False)

    @property
    def begin(self) -> float:
        return float(self.ends[-1 - self.turns])

    @property
    def end(self) -> float:
        return float(self.ends[-1])

    @cached_property
    def distances(self) -> np.ndarray:
        """Distance of the body along x in each whole turn of the run, m."""
        return np.diff(self.path("x", "vx")(self.ends))

    @cached_property
    def distance(self) -> float:
        """Mean distance of the body along x per measured turn, m."""
        return float(self.distances[-self.turns :].sum()) / self.turns

    def path(self, coordinate: str, rate: str) -> Any:
        """A coordinate of the body as a function of time."""
        run, body = self.run, self.body
        return fit_hermite(run.time, run.array(f"{body}.{coordinate}"), run.array(f"{body}.{rate}"))

    @cached_property
    def speed(self) -> PhaseStatistics:
        return compute_statistics(self.path("vx", "ax"), [(self.begin, self.end)])

    @cached_property
    def height(self) -> PhaseStatistics:
        return compute_statistics(self.path("y", "vy"), [(self.begin, self.end)])

    @cached_property
    def pitch(self) -> PhaseStatistics:
        return compute_statistics(self.path("angle", "spin"), [(self.begin, self.end)])

    @cached_property
    def feet(self) -> dict[str, dict[str, float]]:
        """FOOT_NUMBERS of each foot."""
        return {name: {key: number.of(self, name) for key, number in FOOT_NUMBERS.items()} for name in self.contacts}

    def of_feet(self, number: str) -> list[float]:
        """Values of one of FOOT_NUMBERS for all feet."""
        return [foot[number] for foot in self.feet.values()]

    @cached_property
    def feet_down_fewest(self) -> float:
        """Least number of feet on the ground at a time."""
        bars = [bar for name in self.contacts for bar in self.closed(name)]
        edges = np.unique([self.begin, self.end, *(t for bar in bars for t in bar)])
        middles = 0.5 * (edges[1:] + edges[:-1])
        down = sum(((middles > first) & (middles < last) for first, last in bars), np.zeros(middles.size))
        return float(down.min())

    def closed(self, contact: str) -> list[tuple[float, float]]:
        """Intervals in which a foot is on the ground, (from, to), s."""
        return contact_intervals(self.run, contact, self.begin, self.end)

    def whole_episodes(self, contact: str) -> list[ContactEpisode]:
        """Contact episodes that lie within the measured turns. Their peaks include all steps, also between the samples."""
        return [e for e in _contact_episodes(self.run, contact) if e.begin >= self.begin and e.end <= self.end]

    @cached_property
    def shaft_work(self) -> tuple[float, float, float]:
        """Positive and negative work of the shaft and the integral of |P|, per turn, J."""
        power = sum((self.run.balance.drive_power[name] for name in self.drives), np.zeros(self.run.time.size))
        positive, negative, absolute = signed_work(*drop_repeated_times(*self.cut(power)))
        return positive / self.turns, negative / self.turns, absolute / self.turns

    def torque_rms(self, every: int = 1, first: int = 0) -> float:
        """Root mean square of the torque, N m, of all outputs or of every second one."""
        t, torque = drop_repeated_times(*self.cut(self.torque))
        t, squares = t[first::every], torque[first::every] ** 2
        return float(np.sqrt(np.trapezoid(squares, t) / (t[-1] - t[0])))

    @cached_property
    def sampling_error(self) -> float:
        """Relative error of the torque and its work that comes from the spacing of the outputs. The larger of two estimates:
        the difference between the work of the sampled power and that of the integrator, over the integral of |P|; and the
        change of the root mean square of the torque with every second output."""
        positive, negative, absolute = self.shaft_work
        errors, output_names = [0.0], set(self.run.names)
        if absolute and all(f"{name}.work" in output_names for name in self.drives):
            work = sum(self.change(f"{name}.work") for name in self.drives)
            errors.append(abs(positive + negative - work) / absolute)
        rms = self.torque_rms()
        if rms and np.count_nonzero((self.run.time > self.begin) & (self.run.time < self.end)) > MIN_SAMPLES:
            errors += [abs(self.torque_rms(2, first) / rms - 1.0) for first in (0, 1)]
        return max(errors)

    def energy(self, *names: str) -> float:
        """Change per turn of terms of the energy balance, J."""
        return sum(self.change(f"energy.{name}") for name in names)

    @cached_property
    def weight(self) -> float:
        return weight(self.run.mechanism)

    @cached_property
    def rise(self) -> float:
        """Rise of the centre of mass against gravity per turn, m; 0 without gravity."""
        down = np.array(self.run.mechanism.gravity, dtype=float)
        size = float(np.hypot(*down))
        if not size:
            return 0.0
        height = -centre_of_mass(self.run)[0] @ down / size
        return float(np.diff(np.interp([self.begin, self.end], self.run.time, height))[0]) / self.turns

    @cached_property
    def axle_height(self) -> tuple[float, float]:
        """Height of the highest axle on the body above the lowest foot, m: at the start of the run, and its mean; NaN without
        an axle."""
        heights = axle_heights(self.run, self.body, self.contacts)
        return (np.nan, np.nan) if heights is None else (float(heights[0]), self.mean(heights))

    @cached_property
    def leg_length(self) -> float:
        """Mean height of the axle, m; that at the start if the machine has tipped over; NaN if both are below the feet."""
        start, mean = self.axle_height
        return next((height for height in (mean, start) if height > 0.0), np.nan)

    @cached_property
    def fallen(self) -> str:
        """Reason for which the machine lies on its back; empty if it stands."""
        start, mean = self.axle_height
        if not (start > 0.0 and mean <= 0.0):
            return ""
        return (
            f"the machine has tipped over: the axles of '{self.body}' are {-1e3 * mean:.3g} mm below the lowest foot on "
            f"average, and {1e3 * start:.3g} mm above it at the start"
        )

    def cut(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Times and values within the measured turns."""
        return cut_series(self.run.time, values, self.begin, self.end)

    def change(self, name: str) -> float:
        """Change of an output per turn."""
        ends = np.interp([self.begin, self.end], self.run.time, self.run.array(name))
        return float(np.diff(ends)[0]) / self.turns

    def mean(self, values: np.ndarray) -> float:
        """Mean over the measured turns."""
        t, y = self.cut(values)
        return float(np.trapezoid(y, t) / (self.end - self.begin))

    def per_distance(self, energy: float) -> float:
        """Energy per turn / (weight x distance per turn)."""
        return energy / (self.weight * abs(self.distance))

    @cached_property
    def sliding(self) -> str:
        """Reason for which the machine does not walk on its legs; empty if it does."""
        down, slip = sum(self.of_feet("duty")), sum(self.of_feet("slip"))
        if self.fallen:
            return self.fallen
        if not down:
            return NO_FEET
        if not abs(self.distance) > MAX_STANDING_DISTANCE_M:
            return "the body does not move along the ground"
        per_foot = slip / down
        if per_foot <= MAX_WALKING_SLIP_RATIO * abs(self.distance):
            return ""
        return (
            f"a foot that stands slides by {1e3 * per_foot:.3g} mm per turn on average while the body moves by "
            f"{1e3 * abs(self.distance):.3g} mm: the machine does not walk by its legs"
        )

    @cached_property
    def descending(self) -> str:
        """Reason for which the energy of the shaft is not the cost of the transport: gravity does work. Empty otherwise."""
        work, lost = -self.weight * self.rise, self.energy("dissipated")
        if not work > MAX_GRAVITY_WORK_RATIO * abs(lost):
            return ""
        return f"the machine goes downhill: gravity does {work:.3g} J of work per turn, and {lost:.3g} J are dissipated"


@dataclass(frozen=True)
class WalkMeasure(Measure):
    """Measure of MeasuredTurns. why_not: reason for which the number does not apply and is NaN; empty if it applies."""

    why_not: Callable[[MeasuredTurns], str] = field(default=lambda m: "", repr=False)
    scale: str | None = ""
    """Name of a measure that scales the change on a stiffer ground, if this one may be near zero; empty if its own size does.
    None: the measure is not compared, as it is a property of the ground, of the machine or of the computation."""


def _forward_slip(m: MeasuredTurns, name: str) -> float:
    """Slip per turn in the direction in which the body moves, m."""
    t, slip = m.cut(m.run.array(f"{name}.slip"))
    velocity = np.interp(t, m.run.time, m.run.array(f"{name}.slip_velocity")) * np.sign(m.distance)
    return float(np.diff(slip)[0.5 * (velocity[1:] + velocity[:-1]) > 0].sum()) / m.turns


def _greatest_of_contact(m: MeasuredTurns, name: str, output: str, peak: str) -> float:
    """Greatest output of a contact, at the samples and between them: the peaks of its episodes."""
    sampled = float(m.cut(m.run.array(f"{name}.{output}"))[1].max())
    return max([sampled, *(getattr(episode, peak) for episode in m.whole_episodes(name))])


FOOT_NUMBERS = MeasureRegistry(
    "foot of a walking machine",
    [
        Measure(
            "duty", "1", "part of the time that the foot is on the ground",
            lambda m, name: closed_duration(m.closed(name)) / (m.end - m.begin),
        ),
        Measure(
            "slip", "m", "distance that the foot slides on the ground per turn",
            lambda m, name: m.change(f"{name}.slip"),
        ),
        Measure("slip_forward", "m", "part of slip in the direction in which the body moves", _forward_slip),
        Measure(
            "sinkage_largest", "m", "largest depth of the foot below the surface of the ground",
            lambda m, name: _greatest_of_contact(m, name, "penetration", "max_penetration"),
        ),
        Measure(
            "normal_greatest", "N", "greatest normal force",
            lambda m, name: _greatest_of_contact(m, name, "normal_force", "max_force"),
        ),
        Measure(
            "normal_mean", "N", "mean normal force over the turn",
            lambda m, name: m.mean(m.run.array(f"{name}.normal_force")),
        ),
        Measure(
            "friction_loss", "J", "energy lost by friction per turn", lambda m, name: m.change(f"{name}.friction_loss"),
        ),
    ],
)  # fmt: skip
"""Measures of each foot: functions of MeasuredTurns and the name of the contact."""


def _cost_reason(m: MeasuredTurns) -> str:
    """Reason for which the cost of transport does not apply; empty if it applies."""
    return m.sliding or m.descending or ("" if m.weight else "there is no gravity")


WALK_NUMBERS = MeasureRegistry(
    "walk of a machine",
    [
        WalkMeasure(
            "speed", "m/s", "mean speed of the body along x", lambda m: m.distance * m.turns / (m.end - m.begin),
            default_column=1,
        ),
        WalkMeasure("distance", "m", "distance of the body along x per turn", lambda m: m.distance),
        WalkMeasure(
            "steadiness", "m", "difference of the distances of the last two turns",
            lambda m: float(abs(m.distances[-1] - m.distances[-2])),
            lambda m: "" if m.distances.size > 1 else "the run has one whole turn only", scale=None,
        ),
        WalkMeasure("period", "s", "duration of a turn", lambda m: (m.end - m.begin) / m.turns, scale=None),
        WalkMeasure("speed_least", "m/s", "least speed of the body along x", lambda m: m.speed.least, scale="speed"),
        WalkMeasure(
            "speed_greatest", "m/s", "greatest speed of the body along x", lambda m: m.speed.greatest, scale="speed",
        ),
        WalkMeasure(
            "bounce", "m", "range of the body's height", lambda m: m.height.greatest - m.height.least,
            scale="leg_length",
        ),
        WalkMeasure("height", "m", "mean height of the body", lambda m: m.height.mean, scale="leg_length"),
        WalkMeasure("pitch", "rad", "range of the body's angle", lambda m: m.pitch.greatest - m.pitch.least),
        WalkMeasure(
            "leg_length", "m",
            "mean height of the highest axle on the body above the lowest foot; that at the start if it tips over",
            lambda m: m.leg_length, lambda m: "" if m.leg_length > 0 else f"no joint of '{m.body}' is above the feet",
            scale=None,
        ),
        WalkMeasure(
            "sinkage_static", "m", "depth of a standing foot in the ground at rest, under its mean normal force",
            lambda m: static_sinkage(m.run.mechanism, m.contacts, sum(m.of_feet("normal_mean")) / sum(m.of_feet("duty"))),
            lambda m: "" if sum(m.of_feet("duty")) else NO_FEET, scale=None,
        ),
        WalkMeasure(
            "sinkage_largest", "m", "largest depth of a foot below the surface of the ground",
            lambda m: max(m.of_feet("sinkage_largest")), scale=None,
        ),
        WalkMeasure(
            "slip", "m", "distance that all feet together slide on the ground per turn",
            lambda m: sum(m.of_feet("slip")), default_column=3,
        ),
        WalkMeasure("slip_greatest", "m", "greatest slip of a single foot per turn", lambda m: max(m.of_feet("slip"))),
        WalkMeasure(
            "scuffing", "1", "greatest distance that a foot slides forward on the ground / distance of the body",
            lambda m: max(m.of_feet("slip_forward")) / abs(m.distance), lambda m: m.sliding,
        ),
        WalkMeasure(
            "duty", "1", "part of the time that a foot is on the ground, mean of the feet",
            lambda m: float(np.mean(m.of_feet("duty"))),
        ),
        WalkMeasure("feet_down", "1", "mean number of feet on the ground", lambda m: float(np.sum(m.of_feet("duty")))),
        WalkMeasure(
            "feet_down_fewest", "1", "least number of feet on the ground at a time", lambda m: m.feet_down_fewest,
        ),
        WalkMeasure(
            "normal_force", "N", "mean normal force on all feet together", lambda m: sum(m.of_feet("normal_mean")),
        ),
        WalkMeasure(
            "normal_greatest", "N", "greatest normal force on a foot", lambda m: max(m.of_feet("normal_greatest")),
        ),
        WalkMeasure("weight", "N", "weight of the whole machine", lambda m: m.weight, scale=None),
        WalkMeasure(
            "torque_greatest", "N m", "greatest torque of the shaft", lambda m: float(m.cut(m.torque)[1].max()),
        ),
        WalkMeasure(
            "torque_least", "N m", "least torque of the shaft; negative: it brakes",
            lambda m: float(m.cut(m.torque)[1].min()), scale="torque_greatest",
        ),
        WalkMeasure("torque_mean", "N m", "mean torque of the shaft", lambda m: m.mean(m.torque), scale="torque_rms"),
        WalkMeasure("torque_rms", "N m", "root mean square of the torque", lambda m: m.torque_rms()),
        WalkMeasure("energy", "J", "integral of |P| of the shaft per turn", lambda m: m.shaft_work[2]),
        WalkMeasure(
            "positive_work", "J", "positive work of the shaft per turn", lambda m: m.shaft_work[0], scale="energy",
        ),
        WalkMeasure(
            "negative_work", "J", "negative work of the shaft per turn", lambda m: m.shaft_work[1], scale="energy",
        ),
        WalkMeasure("work", "J", "net work of drives and loads per turn", lambda m: m.energy("work"), scale="energy"),
        WalkMeasure(
            "dissipated", "J", "energy lost per turn in contacts, friction and dampers",
            lambda m: m.energy("dissipated"), scale="energy",
        ),
        WalkMeasure(
            "friction_loss", "J", "energy lost by friction of the feet per turn",
            lambda m: sum(m.change(f"{name}.friction_loss") for name in m.run.contact_names()), scale="energy",
        ),
        WalkMeasure(
            "stored", "J", "change of kinetic and potential energy per turn",
            lambda m: m.energy("kinetic", "potential"), scale=None,
        ),
        WalkMeasure(
            "rise", "m", "rise of the centre of mass against gravity per turn; negative: downhill", lambda m: m.rise,
            scale="distance",
        ),
        WalkMeasure(
            "climbing_work", "J", "weight x rise, a part of `stored`", lambda m: m.weight * m.rise, scale="energy",
        ),
        WalkMeasure(
            "residual", "J", "residual of the energy balance per turn",
            lambda m: m.energy("work") - m.energy("dissipated") - m.energy("kinetic", "potential"), scale=None,
        ),
        WalkMeasure(
            "sampling_error", "1", "relative error of the torque and its work from the spacing of the outputs",
            lambda m: m.sampling_error, scale=None,
        ),
        WalkMeasure(
            "cost_of_transport", "1", "energy / (weight x distance)", lambda m: m.per_distance(m.shaft_work[2]),
            _cost_reason, default_column=2,
        ),
        WalkMeasure(
            "net_cost_of_transport", "1", "net work / (weight x distance)", lambda m: m.per_distance(m.energy("work")),
            _cost_reason, scale="cost_of_transport",
        ),
    ],
)  # fmt: skip
"""Measures of a walk, in the order of tables."""


def inapplicable_reasons(measured: MeasuredTurns) -> dict[str, str]:
    """Reasons for which numbers do not apply to these turns, by name of the number."""
    reasons = {name: number.why_not(measured) for name, number in WALK_NUMBERS.items()}
    return {name: reason for name, reason in reasons.items() if reason}


def contact_intervals(run: Result, contact: str, first: float, last: float) -> list[tuple[float, float]]:
    """Intervals in which a contact was closed, (from, to), s, within the times first to last, s."""
    bars = [(e.begin, e.end if np.isfinite(e.end) else last) for e in _contact_episodes(run, contact)]
    return [(max(begin, first), min(end, last)) for begin, end in bars if end > first and begin < last]


def _contact_episodes(run: Result, contact: str) -> Iterator[ContactEpisode]:
    owners = {names.name for names in run.mechanism.contact_names if contact in (names.name, names.whole)}
    return (e for e in run.episodes if e.contact in owners)
