"""How a machine walks: speed, bounce, slip, footfalls, torque and cost over the last whole turns of its cranks.

speed                distance of the body along x / time
bounce, pitch        range of the body's height and angle
slip                 way that feet slid over the ground while they were on it
duty                 part of the time that a foot is on the ground
torque               of all drives together, positive in the direction of turning: they are one shaft
energy               integral of |P| of that shaft (paper 003 Eq 2.20), beside its positive and negative work
cost of transport    energy / (weight x distance)
balance              work = lost in contacts, joints and dampers + change of kinetic and potential energy + residual

A turn like the turn before is the steady walk; `steadiness` says by how much the distances of the last two differ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.analyse.contacts import time_closed
from gaitwright.analyse.energy import signed_work
from gaitwright.errors import ModelError
from gaitwright.gait.numbers import Quantity
from gaitwright.gait.statistics import cut, distinct

if TYPE_CHECKING:
    import pandas as pd

    from gaitwright.analyse.result import Result

TURN = 2.0 * np.pi


@dataclass(frozen=True)
class Walk:
    """What `measure_walk` found. begin, end: s, of the whole turns that were measured. numbers: by name, with unit and
    meaning. feet: by contact: duty (1), slip (m per turn), normal force (greatest and mean, N), friction loss (J per turn)."""

    body: str
    contacts: tuple[str, ...]
    drives: tuple[str, ...]
    begin: float
    end: float
    turns: int
    numbers: dict[str, Quantity]
    feet: dict[str, dict[str, float]]
    run: Result = field(repr=False)

    def __getitem__(self, name: str) -> float:
        if name not in self.numbers:
            raise ModelError(f"there is no number '{name}'", expected=f"one of {', '.join(self.numbers)}")
        return self.numbers[name].value

    def table(self) -> pd.DataFrame:
        """All numbers: value, unit, meaning."""
        import pandas as pd

        return pd.DataFrame.from_dict(self.numbers, orient="index", columns=["value", "unit", "meaning"])

    def feet_table(self) -> pd.DataFrame:
        """One row per foot."""
        import pandas as pd

        return pd.DataFrame.from_dict(self.feet, orient="index")

    def footfalls(self, *, measured: bool = False) -> dict[str, list[tuple[float, float]]]:
        """When each foot was on the ground, (from, to), s: over the run, or over the measured turns."""
        first, last = (self.begin, self.end) if measured else (float(self.run.time[0]), float(self.run.time[-1]))
        return {name: _closed(self.run, name, first, last) for name in self.contacts}

    def feet_down(self) -> np.ndarray:
        """Number of feet on the ground at the times of the run, (n_times,)."""
        t = self.run.time
        return sum(
            (((t >= begin) & (t < end)).astype(int) for bars in self.footfalls().values() for begin, end in bars),
            np.zeros(t.size, dtype=int),
        )

    def curves(self) -> dict[str, tuple[np.ndarray, str]]:
        """Speed, height and pitch of the body, torque of the shaft and feet on the ground over time: name to (values, unit)."""
        run, body = self.run, self.body
        return {
            "speed": (run.values(f"{body}.vx"), "m/s"),
            "height": (run.values(f"{body}.y"), "m"),
            "pitch": (np.degrees(run.values(f"{body}.angle")), "deg"),
            "torque": (shaft_torque(run, self.drives), "N m"),
            "feet down": (self.feet_down().astype(float), "1"),
        }

    def plot(self, path: str | Path | None = None) -> Any:
        """The paths of body and feet, the curves, and the footfalls as a Hildebrand diagram; a matplotlib Figure."""
        from gaitwright.analyse.outputs import point_motion
        from gaitwright.analyse.picture import touching_point
        from gaitwright.report.footfall import plot_walk

        run, mechanism, feet = self.run, self.run.mechanism, {}
        for names in mechanism.contact_names:
            if names.name in self.contacts and names.bodies[1] in mechanism.body_names:
                place = touching_point(mechanism, names)
                feet[names.name] = point_motion(run.motion, mechanism.body_names[names.bodies[1]], place)[0]
        way = np.stack([run.values(f"{self.body}.x"), run.values(f"{self.body}.y")], axis=1)
        window = (self.begin, self.end)
        return plot_walk(mechanism.name, run.time, way, feet, self.curves(), self.footfalls(), window, to=path)

    def __repr__(self) -> str:
        said = f"{self['speed']:.4g} m/s, {self['distance']:.4g} m per turn, cost {self['cost_of_transport']:.3g}"
        return f"<Walk of '{self.run.mechanism.name}': {said}, over {self.turns} turns>"


def measure_walk(
    run: Result,
    *,
    body: str = "body",
    contacts: Sequence[str] | None = None,
    drives: Sequence[str] | None = None,
    turns: int = 1,
) -> Walk:
    """Measure the last whole `turns` of the cranks.

    body: whose speed, height and pitch count. contacts: the feet; all contacts unless given. drives: of the cranks; all drives
    unless given. The first one tells what a turn is."""
    feet = tuple(run.contact_names() if contacts is None else contacts)
    shafts = tuple(run.balance.drive_power if drives is None else drives)
    _require_names(run, body, feet, shafts)
    ends = _turn_ends(run, shafts[0], turns)
    begin, end = float(ends[-1 - turns]), float(ends[-1])
    per_foot = {name: _foot(run, name, begin, end, turns) for name in feet}
    numbers = {
        **_motion(run, body, ends, turns),
        **_ground(run, feet, per_foot, begin, end),
        **_energy(run, body, shafts, begin, end, turns),
    }
    return Walk(body, feet, shafts, begin, end, turns, numbers, per_foot, run)


def total_mass(run: Result) -> float:
    """Of the whole mechanism, kg, beams included."""
    along, _ = _translations(run)
    rows, cols, values = run.mechanism.mass
    return float((along[rows] * values * along[cols]).sum())


def centre_of_mass(run: Result) -> tuple[np.ndarray, np.ndarray]:
    """Position (n_times, 2), m, and velocity (n_times, 2), m/s, of the centre of mass of the whole mechanism."""
    rows, cols, values = run.mechanism.mass
    mass, n = total_mass(run), run.mechanism.n

    def mean(states: np.ndarray) -> np.ndarray:
        parts = [(states[:, :n][:, cols] * (values * along[rows])).sum(axis=1) / mass for along in _translations(run)]
        return np.stack(parts, axis=1)

    return mean(run.motion.q), mean(run.motion.v)


def weight(run: Result) -> float:
    """Of the whole mechanism, N: mass times gravity, 0 without it."""
    pulls = [names.element.parameters for names in run.mechanism.force_names if names.type == "gravity"]
    return total_mass(run) * math.hypot(*pulls[0][-2:]) if pulls else 0.0


def shaft_torque(run: Result, drives: Sequence[str]) -> np.ndarray:
    """Torque of rotating drives together, (n_times,), N m, positive in the direction in which the first one turns."""
    angle = _turned(run, drives[0])
    torque = sum((run.values(f"{name}.torque") for name in drives), np.zeros(run.time.size))
    return torque * (np.sign(angle[-1] - angle[0]) or 1.0)


# Turns --------------------------------------------------------------------------------------------------------------


def _require_names(run: Result, body: str, contacts: Sequence[str], drives: Sequence[str]) -> None:
    known = {
        "body": list(run.mechanism.body_names),
        "contacts": run.contact_names(),
        "drives": list(run.balance.drive_power),
    }
    for kind, names in (("body", [body]), ("contacts", contacts), ("drives", drives)):
        expected = f"one of {', '.join(known[kind]) or '(none)'}"
        if not names:
            raise ModelError("a walk needs at least one", element="walk", field=kind, expected=expected)
        for name in names:
            if name not in known[kind]:
                raise ModelError("is not in the model", element="walk", field=kind, value=name, expected=expected)


def _turned(run: Result, drive: str) -> np.ndarray:
    """Angle of a rotating drive over time, rad."""
    names = next(c for c in run.mechanism.constraint_names if c.kind == "drive" and c.name == drive)
    if f"{drive}.torque" not in run.names:
        raise ModelError("does not rotate, so it has no turns", element="walk", field="drives", value=drive,
                         expected="a rotating drive")  # fmt: skip
    angles = [run.values(f"{owner}.angle") if owner != "ground" else np.zeros(run.time.size) for owner in names.bodies]
    return angles[-1] - (angles[0] if len(angles) > 1 else 0.0)


def _turn_ends(run: Result, drive: str, turns: int) -> np.ndarray:
    """The ends of whole turns, s, counted back from the end of the run; at least turns + 1 of them."""
    angle = _turned(run, drive)
    left = np.abs(angle[-1] - angle)
    if np.any(np.diff(left) > 0):
        last = int(np.flatnonzero(np.diff(left) > 0)[-1]) + 1
        left, t = left[last:], run.time[last:]  # from where on it turns one way only
    else:
        t = run.time
    whole = int(np.floor(left[0] / TURN + 1e-9))
    if not isinstance(turns, int) or not 1 <= turns <= whole:
        raise ModelError(f"the run has {whole} whole turns of '{drive}'", element="walk", field="turns", value=turns,
                         expected="a whole number from 1 on, and a run that is as long")  # fmt: skip
    return np.interp(-TURN * np.arange(whole, -1, -1.0), -left, t)


# Numbers ------------------------------------------------------------------------------------------------------------


def _motion(run: Result, body: str, ends: np.ndarray, turns: int) -> dict[str, Quantity]:
    begin, end = float(ends[-1 - turns]), float(ends[-1])
    ways = np.diff(np.interp(ends, run.time, run.values(f"{body}.x")))
    distance = float(ways[-turns:].sum())
    speeds, height, pitch = (_within(run, f"{body}.{what}", begin, end) for what in ("vx", "y", "angle"))
    steadiness = float(abs(ways[-1] - ways[-2])) if ways.size > 1 else np.nan
    return {
        "speed": Quantity(distance / (end - begin), "m/s", "mean speed of the body along x"),
        "distance": Quantity(distance / turns, "m", "way of the body along x per turn"),
        "steadiness": Quantity(
            steadiness, "m", "difference of the distances of the last two turns; NaN if there is one only"
        ),
        "period": Quantity((end - begin) / turns, "s", "of a turn"),
        "speed_least": Quantity(float(speeds.min()), "m/s", "least speed of the body along x"),
        "speed_greatest": Quantity(float(speeds.max()), "m/s", "greatest speed of the body along x"),
        "bounce": Quantity(float(np.ptp(height)), "m", "range of the body's height"),
        "height": Quantity(_mean(run, run.values(f"{body}.y"), begin, end), "m", "mean height of the body"),
        "pitch": Quantity(float(np.ptp(pitch)), "rad", "range of the body's angle"),
    }


def _foot(run: Result, name: str, begin: float, end: float, turns: int) -> dict[str, float]:
    normal = run.values(f"{name}.normal_force")
    return {
        "duty": time_closed(_closed(run, name, begin, end)) / (end - begin),
        "slip": _change(run, f"{name}.slip", begin, end) / turns,
        "normal_greatest": float(_cut(run, normal, begin, end)[1].max()),
        "normal_mean": _mean(run, normal, begin, end),
        "friction_loss": _change(run, f"{name}.friction_loss", begin, end) / turns,
    }


def _ground(
    run: Result, feet: Sequence[str], per_foot: dict[str, dict[str, float]], begin: float, end: float
) -> dict[str, Quantity]:
    edges = np.unique(np.clip([t for name in feet for bar in _closed(run, name, begin, end) for t in bar], begin, end))
    middles, lengths = 0.5 * (edges[1:] + edges[:-1]), np.diff(edges)
    down = np.zeros(middles.size, dtype=int)
    for name in feet:
        for first, last in _closed(run, name, begin, end):
            down += (middles > first) & (middles < last)
    covered = bool(edges.size) and edges[0] <= begin and edges[-1] >= end
    fewest = 0 if not covered else int(down[lengths > 0].min(initial=len(feet)))
    slips, duties = [f["slip"] for f in per_foot.values()], [f["duty"] for f in per_foot.values()]
    force = sum(f["normal_mean"] for f in per_foot.values())
    return {
        "slip": Quantity(sum(slips), "m", "way that all feet together slid over the ground per turn"),
        "slip_greatest": Quantity(max(slips), "m", "way that the foot that slid most slid per turn"),
        "duty": Quantity(
            float(np.mean(duties)), "1", "part of the time that a foot is on the ground, mean of the feet"
        ),
        "feet_down": Quantity(float(np.sum(duties)), "1", "mean number of feet on the ground"),
        "feet_down_fewest": Quantity(fewest, "1", "least number of feet on the ground at a time"),
        "normal_force": Quantity(force, "N", "mean normal force on all feet together"),
        "normal_greatest": Quantity(
            max(f["normal_greatest"] for f in per_foot.values()), "N", "greatest normal force on a foot"
        ),
        "weight": Quantity(weight(run), "N", "of the whole machine"),
    }


def _energy(run: Result, body: str, drives: Sequence[str], begin: float, end: float, turns: int) -> dict[str, Quantity]:
    torque = _cut(run, shaft_torque(run, drives), begin, end)[1]
    squares = shaft_torque(run, drives) ** 2
    power = sum((run.balance.drive_power[name] for name in drives), np.zeros(run.time.size))
    positive, negative, absolute = (w / turns for w in signed_work(*distinct(*_cut(run, power, begin, end))))
    work, lost, stored = (
        sum(_change(run, f"energy.{name}", begin, end) for name in names) / turns
        for names in (("work",), ("dissipated",), ("kinetic", "potential"))
    )
    friction = sum(_change(run, f"{name}.friction_loss", begin, end) for name in run.contact_names()) / turns
    distance = abs(_change(run, f"{body}.x", begin, end)) / turns
    moved = weight(run) * distance
    cost = {name: value / moved if moved else np.inf for name, value in (("absolute", absolute), ("net", work))}
    return {
        "torque_greatest": Quantity(float(torque.max()), "N m", "greatest torque of the shaft"),
        "torque_least": Quantity(float(torque.min()), "N m", "least torque of the shaft; negative: it brakes"),
        "torque_mean": Quantity(_mean(run, shaft_torque(run, drives), begin, end), "N m", "mean torque of the shaft"),
        "torque_rms": Quantity(
            float(np.sqrt(_mean(run, squares, begin, end))), "N m", "root mean square of the torque"
        ),
        "energy": Quantity(absolute, "J", "integral of |P| of the shaft per turn"),
        "positive_work": Quantity(positive, "J", "positive work of the shaft per turn"),
        "negative_work": Quantity(negative, "J", "negative work of the shaft per turn"),
        "work": Quantity(work, "J", "net work of drives and loads per turn"),
        "dissipated": Quantity(lost, "J", "lost per turn: in contacts, friction, dampers"),
        "friction_loss": Quantity(friction, "J", "lost by friction of the feet per turn"),
        "stored": Quantity(stored, "J", "change of kinetic and potential energy per turn"),
        "residual": Quantity(work - lost - stored, "J", "what the balance of energy misses per turn"),
        "cost_of_transport": Quantity(cost["absolute"], "1", "energy / (weight x distance)"),
        "net_cost_of_transport": Quantity(cost["net"], "1", "net work / (weight x distance)"),
    }


def _closed(run: Result, contact: str, first: float, last: float) -> list[tuple[float, float]]:
    """When a contact was closed, within the times first to last, s."""
    owners = {names.name for names in run.mechanism.contact_names if contact in (names.name, names.whole)}
    bars = [(e.begin, e.end if np.isfinite(e.end) else last) for e in run.episodes if e.contact in owners]
    return [(max(begin, first), min(end, last)) for begin, end in bars if end > first and begin < last]


def _change(run: Result, name: str, begin: float, end: float) -> float:
    return float(np.diff(np.interp([begin, end], run.time, run.values(name)))[0])


def _cut(run: Result, values: np.ndarray, begin: float, end: float) -> tuple[np.ndarray, np.ndarray]:
    return cut(run.time, values, begin, end)


def _within(run: Result, name: str, begin: float, end: float) -> np.ndarray:
    return _cut(run, run.values(name), begin, end)[1]


def _mean(run: Result, values: np.ndarray, begin: float, end: float) -> float:
    t, y = _cut(run, values, begin, end)
    return float(np.trapezoid(y, t) / (end - begin))


def _translations(run: Result) -> tuple[np.ndarray, np.ndarray]:
    """The velocities, over all coordinates, with which everything moves at 1 m/s along x, and along y."""
    mechanism = run.mechanism
    along = np.zeros((2, mechanism.n))
    for body in mechanism.body_names.values():
        along[[0, 1], body.index[:2]] = 1.0
    for beam in mechanism.beams.values():
        for k in (0, 1):
            along[k, beam.nodes[:, k]] = 1.0
    return along[0], along[1]
