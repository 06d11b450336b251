"""Force of the ground on either foot, at the instants of the markers, whatever it comes from.

What is kept is the wrench, force and moment about the origin: both are linear in what plates show, so they can be filtered and
added up. Where it acts, and the free moment there, are ratios of them and follow last:

    x = (h F_x - M_y) / F_z      y = (M_x + h F_y) / F_z      T = M_z - (x F_y - y F_x)      h: height of the ground

Filtering a centre of pressure itself would mix places where next to nothing acts with those where the weight does.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from gaitwright.checks import At
from gaitwright.formats.opensim_table import write_ground_reaction
from gaitwright.gait.events import SLOW, Event, find_events
from gaitwright.gait.filters import derivative, low_pass
from gaitwright.gait.marker_sets import FOREFOOT, PELVIS, SIDES
from gaitwright.gait.plates import LEAST
from gaitwright.gait.poses import CUTOFF
from gaitwright.gait.steps import SHORTEST, THRESHOLD, Contact, contacts

if TYPE_CHECKING:
    from gaitwright.gait.trial import Trial

FEET = tuple(SIDES)
"""right, left: order of the axis `side`."""


@dataclass(frozen=True)
class GroundForces:
    """force: (time, side, axis), N, on the foot. moment: (time, side, axis), N m, about the origin of the trial. side: right,
    left; axis: x forward, y left, z up. height: (time, side), m, of the ground. known: (time, side), False while a foot stands
    where no plate is. source: 'plates' or 'predicted'."""

    time: np.ndarray
    force: np.ndarray
    moment: np.ndarray
    height: np.ndarray
    known: np.ndarray
    source: str
    notes: list[str] = field(default_factory=list)

    def centre(self, least: float = LEAST) -> np.ndarray:
        """(time, side, axis), m: where it acts on the ground; NaN where it carries less than `least`, N."""
        (fx, fy, fz), (mx, my, _) = np.moveaxis(self.force, -1, 0), np.moveaxis(self.moment, -1, 0)
        carried = np.where(fz >= least, fz, np.nan)
        x, y = (self.height * fx - my) / carried, (mx + self.height * fy) / carried
        return np.stack([x, y, np.where(np.isnan(carried), np.nan, self.height)], axis=-1)

    def free_moment(self, least: float = LEAST) -> np.ndarray:
        """(time, side), N m, about the vertical through the centre; NaN like that."""
        x, y, _ = np.moveaxis(self.centre(least), -1, 0)
        return self.moment[..., 2] - (x * self.force[..., 1] - y * self.force[..., 0])

    def about(self, points: np.ndarray) -> np.ndarray:
        """Moment about other points, (time, side, axis), m, or any one of these."""
        return self.moment - np.cross(points, self.force)

    def apart(self, other: GroundForces, weight: float) -> dict[str, dict[str, float]]:
        """Root mean squares of what it is from another, by side, while that one carries and both are known: forces in % of the
        weight, N, `centre_along` and `centre_across` the walk in m, `free_moment` in N m. NaN of a foot that never does."""
        centre, free = self.centre() - other.centre(), self.free_moment() - other.free_moment()
        found = {}
        for k, side in enumerate(FEET):
            both = (self.known & other.known)[:, k] & (other.force[:, k, 2] > THRESHOLD)
            force = 100 * (self.force - other.force)[both, k] / weight
            columns = [*force.T, *centre[both, k, :2].T, free[both, k]]
            names = ("fore_aft", "lateral", "vertical", "centre_along", "centre_across", "free_moment")
            squares = [column[np.isfinite(column)] ** 2 for column in columns]
            found[side] = {
                name: float(np.sqrt(one.mean())) if len(one) else np.nan
                for name, one in zip(names, squares, strict=True)
            }
        return found

    def dataset(self) -> xr.Dataset:
        """All of it by name, with units."""
        vector, number = ("time", "side", "axis"), ("time", "side")
        found = {
            "force": (vector, self.force, {"units": "N"}), "centre": (vector, self.centre(), {"units": "m"}),
            "free_moment": (number, self.free_moment(), {"units": "N m"}), "known": (number, self.known),
        }  # fmt: skip
        where = {"time": self.time, "side": list(FEET), "axis": ["x", "y", "z"]}
        return xr.Dataset(found, where, {"source": self.source, "notes": "\n".join(self.notes)})

    def save(self, path: str | Path) -> Path:
        """A .mot or .sto file of external loads for OpenSim: y up, z to the right; right_force_vx and so on."""
        from gaitwright.gait.writing import OPENSIM

        torque = np.nan_to_num(self.free_moment())[..., None] * np.array([0.0, 0.0, 1.0])
        parts = [values @ OPENSIM.T for values in (self.force, self.centre(), torque)]
        loads = {side: (parts[0][:, k], parts[1][:, k], parts[2][:, k]) for k, side in enumerate(FEET)}
        return write_ground_reaction(path, self.time, loads)


def at_points(
    time: np.ndarray, force: np.ndarray, centre: np.ndarray, free_moment: np.ndarray, source: str = "predicted",
    known: np.ndarray | None = None, notes: Collection[str] = (),
) -> GroundForces:  # fmt: skip
    """Of forces (time, side, axis), N, where they act, m, and moments about the vertical there (time, side), N m."""
    seen = np.asarray(np.isfinite(centre).all(axis=-1))
    point = np.where(seen[..., None], centre, 0.0)
    force = np.where(seen[..., None], force, 0.0)
    moment = np.cross(point, force)
    moment[..., 2] += np.where(seen, np.nan_to_num(free_moment), 0.0)
    if known is None:
        known = np.ones(seen.shape, dtype=bool)
    return GroundForces(time, force, moment, point[..., 2], known, source, list(notes))


def measured(
    trial: Trial,
    steps: Collection[Contact] | None = None,
    *,
    cutoff: float | None = CUTOFF,
    times: np.ndarray | None = None,
    leave_out: Collection[str] = (),
) -> GroundForces:
    """Plates as forces on either foot, filtered, at the instants of the markers or at `times`, s.

    steps: of `contacts(trial)`, if they are not to be found again. cutoff: Hz, that of the poses unless told otherwise, None
    for no filter. leave_out: names of plates that are not to be trusted. Outside steps a plate counts as free: what it shows
    there is noise."""
    if not trial.plates:
        At(f"trial '{trial.name}'").fail(
            "has no forces of plates", expected="a file of forces, or a prediction: gw.gait.predicted"
        )
    for name in leave_out:
        At("leave_out").one_of(name, [plate.name for plate in trial.plates], "there is no such plate")
    steps = contacts(trial) if steps is None else list(steps)
    used, notes = _used(steps, set(leave_out))
    times = trial.times if times is None else np.asarray(times, dtype=float)
    wrench, height = np.zeros((len(times), len(FEET), 6)), np.zeros((len(times), len(FEET)))
    for k, side in enumerate(FEET):
        own = [step for step in used if step.side == side]
        for number in {step.plate for step in own}:
            wrench[:, k] += _sampled(trial, number, [step for step in own if step.plate == number], times, cutoff)
        height[:, k] = _heights(trial, own, times)
    known = _known(trial, used, [step for step in steps if not any(step is one for one in used)], times)
    return GroundForces(times, wrench[..., :3], wrench[..., 3:], height, known, "plates", notes)


def _used(steps: list[Contact], left_out: set[str]) -> tuple[list[Contact], list[str]]:
    used, notes = [], []
    for step in steps:
        when = f"from {step.start:.2f} to {step.end:.2f} s"
        if step.name in left_out:
            notes.append(f"{step.name} {when} is left out on request")
        elif not step.side or not step.near:
            notes.append(f"{step.name} {when} is left out: its force acts under no foot")
        else:
            used.append(step)
    return used, notes


def _sampled(trial: Trial, number: int, steps: list[Contact], times: np.ndarray, cutoff: float | None) -> np.ndarray:
    """(times, 6): force and moment of the steps of one foot on a plate."""
    plate = trial.plates[number]
    own = float(trial.times[0]) + plate.times
    on = np.zeros(len(own), dtype=bool)
    for step in steps:
        on |= (own >= step.start - 1e-9) & (own <= step.end + 1e-9)
    wrench = np.where(on[:, None], np.hstack([plate.force, plate.moment]), 0.0)
    if cutoff is not None:
        wrench = low_pass(wrench, plate.rate, cutoff)
    return np.column_stack([np.interp(times, own, values, left=0.0, right=0.0) for values in wrench.T])


def _heights(trial: Trial, steps: list[Contact], times: np.ndarray) -> np.ndarray:
    """Of the plate whose step is nearest in time: stairs have several."""
    if not steps:
        return np.zeros(len(times))
    middles = np.array([0.5 * (step.start + step.end) for step in steps])
    nearest = np.abs(times[:, None] - middles).argmin(axis=1)
    return np.array([trial.plates[step.plate].height for step in steps])[nearest]


def _known(trial: Trial, used: list[Contact], left_out: list[Contact], times: np.ndarray) -> np.ndarray:
    """(times, side): on a plate, or in the air."""
    pelvis = trial.place(*(f"{side}_{name}" for side in FEET for name in PELVIS))
    events = find_events(trial) if pelvis is not None else []
    known = np.zeros((len(times), len(FEET)), dtype=bool)
    for k, side in enumerate(FEET):
        own = [step for step in used if step.side == side]
        covered = np.zeros(len(times), dtype=bool)
        for step in own:
            # markers see a foot come and go some hundredths of a second before or after the force
            covered |= (times >= step.start - SHORTEST) & (times <= step.end + SHORTEST)
        stands = standing([event for event in events if event.side == side], times) | _slow(trial, side, times)
        for step in left_out:  # a foot, but nobody knows with which force
            stands |= (step.side in ("", side)) & (times >= step.start) & (times <= step.end)
        seen = trial.place(f"{side}_heel") is not None or bool(own)
        known[:, k] = seen & (covered | ~stands)
    return known


def standing(events: list[Event], times: np.ndarray) -> np.ndarray:
    """(times,): whether a foot is down, by its strikes and offs; before the first of them as that says, too."""
    down = np.zeros(len(times), dtype=bool)
    for k, event in enumerate(events):
        if k == 0 and event.kind == "off":
            down[times <= event.time] = True
        if event.kind == "strike":
            end = next((later.time for later in events[k + 1 :] if later.kind == "off"), np.inf)
            down[(times >= event.time) & (times <= end)] = True
    return down


def _slow(trial: Trial, side: str, times: np.ndarray) -> np.ndarray:
    """Where the ball of a foot hardly moves over the ground: near the ends of a trial events cannot be seen."""
    ball = trial.place(*(f"{side}_{name}" for name in FOREFOOT))
    if ball is None:
        return np.zeros(len(times), dtype=bool)
    velocity = derivative(ball, trial.rate)
    velocity[:, 0] += trial.lab.belt
    speed = np.nan_to_num(np.linalg.norm(velocity, axis=1), nan=np.inf)
    return np.interp(times, trial.times, np.where(speed < 0.5 * SLOW, 1.0, 0.0)) > 0.5
