"""The numbers of a walk, with names, units and meanings; what they are: legs/walk.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.legs.centre_of_mass import centre_of_mass, weight
from gaitwright.legs.numbers import Quantity
from gaitwright.legs.statistics import cut, distinct, path, statistics
from gaitwright.result.energy import signed_work
from gaitwright.result.touches import Episode, time_closed

if TYPE_CHECKING:
    from gaitwright.result.result import Result


def closed_times(run: Result, contact: str, first: float, last: float) -> list[tuple[float, float]]:
    """When a contact was closed, within the times first to last, s."""
    bars = [(e.begin, e.end if np.isfinite(e.end) else last) for e in _episodes(run, contact)]
    return [(max(begin, first), min(end, last)) for begin, end in bars if end > first and begin < last]


def _episodes(run: Result, contact: str) -> list[Episode]:
    owners = {names.name for names in run.mechanism.contact_names if contact in (names.name, names.whole)}
    return [e for e in run.episodes if e.contact in owners]


def motion_numbers(run: Result, body: str, ends: np.ndarray, turns: int) -> dict[str, Quantity]:
    begin, end = float(ends[-1 - turns]), float(ends[-1])
    ways = np.diff(_path(run, body, "x", "vx")(ends))
    distance = float(ways[-turns:].sum())
    speed, height, pitch = (
        statistics(_path(run, body, what, rate), [(begin, end)])
        for what, rate in (("vx", "ax"), ("y", "vy"), ("angle", "spin"))
    )
    steadiness = float(abs(ways[-1] - ways[-2])) if ways.size > 1 else np.nan
    return {
        "speed": Quantity(distance / (end - begin), "m/s", "mean speed of the body along x"),
        "distance": Quantity(distance / turns, "m", "way of the body along x per turn"),
        "steadiness": Quantity(
            steadiness, "m", "difference of the distances of the last two turns; NaN if there is one only"
        ),
        "period": Quantity((end - begin) / turns, "s", "of a turn"),
        "speed_least": Quantity(speed.least, "m/s", "least speed of the body along x"),
        "speed_greatest": Quantity(speed.greatest, "m/s", "greatest speed of the body along x"),
        "bounce": Quantity(height.greatest - height.least, "m", "range of the body's height"),
        "height": Quantity(height.mean, "m", "mean height of the body"),
        "pitch": Quantity(pitch.greatest - pitch.least, "rad", "range of the body's angle"),
    }


def foot_numbers(run: Result, name: str, begin: float, end: float, turns: int) -> dict[str, float]:
    normal = run.values(f"{name}.normal_force")
    # of touches that are wholly measured the largest force of all steps is known, also between the samples
    peaks = [e.max_force for e in _episodes(run, name) if e.begin >= begin and e.end <= end]
    return {
        "duty": time_closed(closed_times(run, name, begin, end)) / (end - begin),
        "slip": _change(run, f"{name}.slip", begin, end) / turns,
        "normal_greatest": max([float(_cut(run, normal, begin, end)[1].max()), *peaks]),
        "normal_mean": _mean(run, normal, begin, end),
        "friction_loss": _change(run, f"{name}.friction_loss", begin, end) / turns,
    }


def ground_numbers(
    run: Result, feet: Sequence[str], per_foot: dict[str, dict[str, float]], begin: float, end: float
) -> dict[str, Quantity]:
    bars = [bar for name in feet for bar in closed_times(run, name, begin, end)]
    edges = np.unique([begin, end, *(t for bar in bars for t in bar)])
    middles = 0.5 * (edges[1:] + edges[:-1])
    fewest = sum(((middles > first) & (middles < last) for first, last in bars), np.zeros(middles.size)).min()
    slips, duties = [f["slip"] for f in per_foot.values()], [f["duty"] for f in per_foot.values()]
    force = sum(f["normal_mean"] for f in per_foot.values())
    return {
        "slip": Quantity(sum(slips), "m", "way that all feet together slid over the ground per turn"),
        "slip_greatest": Quantity(max(slips), "m", "way that the foot that slid most slid per turn"),
        "duty": Quantity(
            float(np.mean(duties)), "1", "part of the time that a foot is on the ground, mean of the feet"
        ),
        "feet_down": Quantity(float(np.sum(duties)), "1", "mean number of feet on the ground"),
        "feet_down_fewest": Quantity(float(fewest), "1", "least number of feet on the ground at a time"),
        "normal_force": Quantity(force, "N", "mean normal force on all feet together"),
        "normal_greatest": Quantity(
            max(f["normal_greatest"] for f in per_foot.values()), "N", "greatest normal force on a foot"
        ),
        "weight": Quantity(weight(run.mechanism), "N", "of the whole machine"),
    }


def energy_numbers(
    run: Result, body: str, drives: Sequence[str], torque: np.ndarray, begin: float, end: float, turns: int
) -> dict[str, Quantity]:
    """torque: of the shaft over time, (n_times,), N m."""
    inside = _cut(run, torque, begin, end)[1]
    power = sum((run.balance.drive_power[name] for name in drives), np.zeros(run.time.size))
    positive, negative, absolute = (w / turns for w in signed_work(*distinct(*_cut(run, power, begin, end))))
    work, lost, stored = (
        sum(_change(run, f"energy.{name}", begin, end) for name in names) / turns
        for names in (("work",), ("dissipated",), ("kinetic", "potential"))
    )
    friction = sum(_change(run, f"{name}.friction_loss", begin, end) for name in run.contact_names()) / turns
    distance = abs(float(np.diff(_path(run, body, "x", "vx")([begin, end]))[0])) / turns
    moved = weight(run.mechanism) * distance
    rise = _rise(run, begin, end) / turns
    cost = {name: value / moved if moved else np.inf for name, value in (("absolute", absolute), ("net", work))}
    return {
        "torque_greatest": Quantity(float(inside.max()), "N m", "greatest torque of the shaft"),
        "torque_least": Quantity(float(inside.min()), "N m", "least torque of the shaft; negative: it brakes"),
        "torque_mean": Quantity(_mean(run, torque, begin, end), "N m", "mean torque of the shaft"),
        "torque_rms": Quantity(
            float(np.sqrt(_mean(run, torque**2, begin, end))), "N m", "root mean square of the torque"
        ),
        "energy": Quantity(absolute, "J", "integral of |P| of the shaft per turn"),
        "positive_work": Quantity(positive, "J", "positive work of the shaft per turn"),
        "negative_work": Quantity(negative, "J", "negative work of the shaft per turn"),
        "work": Quantity(work, "J", "net work of drives and loads per turn"),
        "dissipated": Quantity(lost, "J", "lost per turn: in contacts, friction, dampers"),
        "friction_loss": Quantity(friction, "J", "lost by friction of the feet per turn"),
        "stored": Quantity(stored, "J", "change of kinetic and potential energy per turn"),
        "rise": Quantity(rise, "m", "of the centre of mass against gravity per turn; negative: downhill"),
        "climbing_work": Quantity(weight(run.mechanism) * rise, "J", "weight x rise, of what is stored"),
        "residual": Quantity(work - lost - stored, "J", "what the balance of energy misses per turn"),
        "cost_of_transport": Quantity(cost["absolute"], "1", "energy / (weight x distance)"),
        "net_cost_of_transport": Quantity(cost["net"], "1", "net work / (weight x distance)"),
    }


def _rise(run: Result, begin: float, end: float) -> float:
    """How far the centre of mass goes against gravity, m."""
    down = np.array(run.mechanism.gravity, dtype=float)
    size = float(np.hypot(*down))
    if not size:
        return 0.0
    height = -centre_of_mass(run)[0] @ down / size
    return float(np.diff(np.interp([begin, end], run.time, height))[0])


def _change(run: Result, name: str, begin: float, end: float) -> float:
    return float(np.diff(np.interp([begin, end], run.time, run.values(name)))[0])


def _cut(run: Result, values: np.ndarray, begin: float, end: float) -> tuple[np.ndarray, np.ndarray]:
    return cut(run.time, values, begin, end)


def _path(run: Result, body: str, what: str, rate: str) -> Any:
    return path(run.time, run.values(f"{body}.{what}"), run.values(f"{body}.{rate}"))


def _mean(run: Result, values: np.ndarray, begin: float, end: float) -> float:
    t, y = _cut(run, values, begin, end)
    return float(np.trapezoid(y, t) / (end - begin))
