"""Ground force on each foot at the instants of the markers, independent of its source.

The stored quantity is the wrench, force and moment about the origin: both are linear in the plate signals, so they can be
filtered and added. The point of application and the free moment there are ratios of them and are computed last:

    x = (h F_x - M_y) / F_z      y = (M_x + h F_y) / F_z      T = M_z - (x F_y - y F_x)      h: height of the ground

Filtering the centre of pressure itself would mix positions with almost no load and positions with the full weight.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from gaitwright._core.error_context import ErrorContext
from gaitwright.formats.opensim_table import write_ground_reaction
from gaitwright.gait.events import MAX_STANCE_BALL_SPEED_M_PER_S, GaitEvent, find_events
from gaitwright.gait.filters import derivative, low_pass
from gaitwright.gait.force_plates import MIN_CENTRE_FORCE_N
from gaitwright.gait.inverse_kinematics import POSE_CUTOFF_HZ
from gaitwright.gait.marker_sets import FOREFOOT_LANDMARKS, SIDE_LETTERS
from gaitwright.gait.plate_contacts import CONTACT_THRESHOLD_N, MIN_CONTACT_SECONDS, PlateContact, contacts

if TYPE_CHECKING:
    from gaitwright.gait.trial import GaitTrial

FOOT_SIDES = tuple(SIDE_LETTERS)
"""right, left: order of the axis `side`."""


@dataclass(frozen=True)
class GroundForces:
    """Ground forces. time: (time,), s. force: (time, side, axis), N, on the foot. moment: (time, side, axis), N m, about
    the origin of the trial. side: right, left; axis: x forward, y left, z up. height: (time, side), m, of the ground.
    known: (time, side), False while a foot stands outside all plates. source: 'plates' or 'predicted'."""

    time: np.ndarray
    force: np.ndarray
    moment: np.ndarray
    height: np.ndarray
    known: np.ndarray
    source: str
    notes: list[str] = field(default_factory=list)

    def centre(self, least: float = MIN_CENTRE_FORCE_N) -> np.ndarray:
        """Centre of pressure (time, side, axis), m; NaN while the vertical force is below `least`, N."""
        (fx, fy, fz), (mx, my, _) = np.moveaxis(self.force, -1, 0), np.moveaxis(self.moment, -1, 0)
        carried = np.where(fz >= least, fz, np.nan)
        x, y = (self.height * fx - my) / carried, (mx + self.height * fy) / carried
        return np.stack([x, y, np.where(np.isnan(carried), np.nan, self.height)], axis=-1)

    def free_moment(self, least: float = MIN_CENTRE_FORCE_N) -> np.ndarray:
        """Moment about the vertical through the centre of pressure (time, side), N m; NaN like the centre."""
        x, y, _ = np.moveaxis(self.centre(least), -1, 0)
        return self.moment[..., 2] - (x * self.force[..., 1] - y * self.force[..., 0])

    def about(self, points: np.ndarray) -> np.ndarray:
        """Moment about other points, (time, side, axis), m, or any shape that broadcasts to it."""
        return self.moment - np.cross(points, self.force)

    def apart(self, other: GroundForces, weight: float) -> dict[str, dict[str, float]]:
        """RMS differences from `other`, by side, while `other` is loaded and both are known: forces in % of the weight, N;
        `centre_along` and `centre_across` the walk in m, `free_moment` in N m. NaN for a foot without such frames."""
        centre, free = self.centre() - other.centre(), self.free_moment() - other.free_moment()
        differences = {}
        for k, side in enumerate(FOOT_SIDES):
            both = (self.known & other.known)[:, k] & (other.force[:, k, 2] > CONTACT_THRESHOLD_N)
            force = 100 * (self.force - other.force)[both, k] / weight
            columns = [*force.T, *centre[both, k, :2].T, free[both, k]]
            names = ("fore_aft", "lateral", "vertical", "centre_along", "centre_across", "free_moment")
            squares = [column[np.isfinite(column)] ** 2 for column in columns]
            differences[side] = {
                name: float(np.sqrt(one.mean())) if len(one) else np.nan
                for name, one in zip(names, squares, strict=True)
            }
        return differences

    def dataset(self) -> xr.Dataset:
        """Force, centre of pressure, free moment and `known` as a dataset, with units."""
        vector, number = ("time", "side", "axis"), ("time", "side")
        variables = {
            "force": (vector, self.force, {"units": "N"}), "centre": (vector, self.centre(), {"units": "m"}),
            "free_moment": (number, self.free_moment(), {"units": "N m"}), "known": (number, self.known),
        }  # fmt: skip
        where = {"time": self.time, "side": list(FOOT_SIDES), "axis": ["x", "y", "z"]}
        return xr.Dataset(variables, where, {"source": self.source, "notes": "\n".join(self.notes)})

    def save(self, path: str | Path) -> Path:
        """Write a .mot or .sto file of external loads for OpenSim: y up, z to the right; right_force_vx and so on."""
        from gaitwright.gait.trial_writers import OPENSIM_AXES

        torque = np.nan_to_num(self.free_moment())[..., None] * np.array([0.0, 0.0, 1.0])
        parts = [values @ OPENSIM_AXES.T for values in (self.force, self.centre(), torque)]
        loads = {side: (parts[0][:, k], parts[1][:, k], parts[2][:, k]) for k, side in enumerate(FOOT_SIDES)}
        return write_ground_reaction(path, self.time, loads)


def ground_forces_at_points(
    time: np.ndarray, force: np.ndarray, centre: np.ndarray, free_moment: np.ndarray, source: str = "predicted",
    known: np.ndarray | None = None, notes: Collection[str] = (),
) -> GroundForces:  # fmt: skip
    """Build ground forces from forces (time, side, axis), N, points of application, m, and moments about the vertical
    there (time, side), N m."""
    seen = np.asarray(np.isfinite(centre).all(axis=-1))
    point = np.where(seen[..., None], centre, 0.0)
    force = np.where(seen[..., None], force, 0.0)
    moment = np.cross(point, force)
    moment[..., 2] += np.where(seen, np.nan_to_num(free_moment), 0.0)
    if known is None:
        known = np.ones(seen.shape, dtype=bool)
    return GroundForces(time, force, moment, point[..., 2], known, source, list(notes))


def ground_forces_from_plates(
    trial: GaitTrial,
    steps: Collection[PlateContact] | None = None,
    *,
    cutoff: float | None = POSE_CUTOFF_HZ,
    times: np.ndarray | None = None,
    leave_out: Collection[str] = (),
) -> GroundForces:
    """Convert plate signals to filtered forces on each foot, at the instants of the markers or at `times`, s.

    steps: contacts of the trial, if already known. cutoff: Hz; default: that of the poses; None for no filter. leave_out:
    names of plates to ignore. Outside contacts a plate counts as unloaded: its signal there is noise. Raises ModelError
    without plates or for an unknown name."""
    if not trial.plates:
        ErrorContext(f"trial '{trial.name}'").fail(
            "has no forces of plates", expected="a file of forces, or a prediction: gw.gait.predict_ground_forces"
        )
    for name in leave_out:
        ErrorContext("leave_out").one_of(name, [plate.name for plate in trial.plates], "there is no such plate")
    steps = contacts(trial) if steps is None else list(steps)
    used, notes = _select_contacts(steps, set(leave_out))
    times = trial.times if times is None else np.asarray(times, dtype=float)
    wrench, height = np.zeros((len(times), len(FOOT_SIDES), 6)), np.zeros((len(times), len(FOOT_SIDES)))
    for k, side in enumerate(FOOT_SIDES):
        own = [step for step in used if step.side == side]
        for number in {step.plate for step in own}:
            wrench[:, k] += _sample_wrench(trial, number, [step for step in own if step.plate == number], times, cutoff)
        height[:, k] = _ground_heights(trial, own, times)
    known = _known_force_mask(trial, used, [step for step in steps if not any(step is one for one in used)], times)
    return GroundForces(times, wrench[..., :3], wrench[..., 3:], height, known, "plates", notes)


def _select_contacts(steps: list[PlateContact], left_out: set[str]) -> tuple[list[PlateContact], list[str]]:
    used, notes = [], []
    for step in steps:
        when = f"from {step.start:.2f} to {step.end:.2f} s"
        if step.name in left_out:
            notes.append(f"{step.name} {when} is left out on request")
        elif step.carries_both_feet:
            notes.append(f"{step.name} {when} is left out: it carries both feet")
        elif not step.side or not step.near:
            notes.append(f"{step.name} {when} is left out: its force acts under no foot")
        else:
            used.append(step)
    return used, notes


def _sample_wrench(
    trial: GaitTrial, number: int, steps: list[PlateContact], times: np.ndarray, cutoff: float | None
) -> np.ndarray:
    """Force and moment of the contacts of one foot on a plate (times, 6)."""
    plate = trial.plates[number]
    own = float(trial.times[0]) + plate.times
    on = np.zeros(len(own), dtype=bool)
    for step in steps:
        on |= (own >= step.start - 1e-9) & (own <= step.end + 1e-9)
    wrench = np.where(on[:, None], np.hstack([plate.force, plate.moment]), 0.0)
    if cutoff is not None:
        wrench = low_pass(wrench, plate.rate, cutoff)
    return np.column_stack([np.interp(times, own, values, left=0.0, right=0.0) for values in wrench.T])


def _ground_heights(trial: GaitTrial, steps: list[PlateContact], times: np.ndarray) -> np.ndarray:
    """Height of the plate with the contact nearest in time: stairs have several heights."""
    if not steps:
        return np.zeros(len(times))
    middles = np.array([0.5 * (step.start + step.end) for step in steps])
    nearest = np.abs(times[:, None] - middles).argmin(axis=1)
    return np.array([trial.plates[step.plate].height for step in steps])[nearest]


def _known_force_mask(
    trial: GaitTrial, used: list[PlateContact], left_out: list[PlateContact], times: np.ndarray
) -> np.ndarray:
    """(times, side): True while a foot is on a plate, or in the air."""
    events = find_events(trial)
    known = np.zeros((len(times), len(FOOT_SIDES)), dtype=bool)
    for k, side in enumerate(FOOT_SIDES):
        own = [step for step in used if step.side == side]
        covered = np.zeros(len(times), dtype=bool)
        for step in own:
            # marker events differ from the force events by some hundredths of a second
            covered |= (times >= step.start - MIN_CONTACT_SECONDS) & (times <= step.end + MIN_CONTACT_SECONDS)
        stands = stance_mask([event for event in events if event.side == side], times) | _slow_ball_mask(
            trial, side, times
        )
        for step in left_out:  # a foot with an unknown force
            stands |= (not step.side or side in (step.side, *step.feet)) & (times >= step.start) & (times <= step.end)
        seen = trial.place(f"{side}_heel") is not None or bool(own)
        known[:, k] = seen & (covered | ~stands)
    return known


def stance_mask(events: list[GaitEvent], times: np.ndarray) -> np.ndarray:
    """(times,): True while a foot is on the ground, by its strikes and offs; if the first event is an off, also before it."""
    down = np.zeros(len(times), dtype=bool)
    for k, event in enumerate(events):
        if k == 0 and event.kind == "off":
            down[times <= event.time] = True
        if event.kind == "strike":
            end = next((later.time for later in events[k + 1 :] if later.kind == "off"), np.inf)
            down[(times >= event.time) & (times <= end)] = True
    return down


def _slow_ball_mask(trial: GaitTrial, side: str, times: np.ndarray) -> np.ndarray:
    """Frames in which the ball of a foot hardly moves over the ground: near the ends of a trial events cannot be detected."""
    ball = trial.place(*(f"{side}_{name}" for name in FOREFOOT_LANDMARKS))
    if ball is None:
        return np.zeros(len(times), dtype=bool)
    velocity = derivative(ball, trial.rate)
    velocity[:, 0] += trial.lab.belt
    speed = np.nan_to_num(np.linalg.norm(velocity, axis=1), nan=np.inf)
    return np.interp(times, trial.times, np.where(speed < 0.5 * MAX_STANCE_BALL_SPEED_M_PER_S, 1.0, 0.0)) > 0.5
