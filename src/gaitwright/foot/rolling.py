"""Roll-over of a foot: equilibrium in every frame from heel strike to toe-off, with a prescribed ankle motion.

Friction history is carried from frame to frame. Along free axes, the ground force is the load that determines the ankle
position. Inertia of the foot, 1 kg, is neglected; its weight is included.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, is_number
from gaitwright._core.errors import AnalysisError
from gaitwright.foot.ankle_motion import AXES, AnkleMotion, step, step_load
from gaitwright.foot.placement import FootPlacement
from gaitwright.foot.standing import has_friction, overcompression_warnings, require_ground_in_reach
from gaitwright.mesh.cell_kinds import Array
from gaitwright.model.model import Model

if TYPE_CHECKING:
    from gaitwright.foot.foot import Foot
    from gaitwright.foot.pressure import FootPressure
    from gaitwright.result.result import Result

DEFAULT_FRAMES = 100
BODY_WEIGHT_N = 700.0
"""Default body weight, N."""
GRAVITY_M_S2 = 9.81
INITIAL_PENETRATION_M = 1e-3
"""Initial penetration of a foot whose ankle height is free, m, so that the start pose is in contact."""
MOTION_COORDINATES = ("pitch", "roll", "yaw", *AXES)
FORWARD_METHOD = "rosenbrock23"
"""Method of forward dynamics."""


@dataclass(frozen=True)
class RollingResult:
    """Ground and ankle loads of a rolling foot. time: s, (n,). force: of the ground on the foot, N, (n, 3), forward, left and
    up. centre_of_pressure: m, (n, 2), on the ground. moment: of the leg on the foot at the ankle, N m, (n, 3), in ground
    axes. ankle: its position, m, (n, 3). angles: rad, of the hinges, positive when the toes bend down. area: contact area,
    m^2."""

    time: Array
    force: Array
    centre_of_pressure: Array
    moment: Array
    ankle: Array
    angles: dict[str, Array]
    area: Array
    foot: Foot
    motion: AnkleMotion
    placing: FootPlacement
    run: Result
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of the model: ground, speed, friction, law."""

    @cached_property
    def pressure(self) -> FootPressure:
        """Pressure per cell in the frame of the foot, see foot/pressure.py; use gw.foot.pressure_of for other
        options."""
        from gaitwright.foot.pressure import pressure_of

        return pressure_of(self.run, self.placing, self.foot.shape)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Warnings to read before the result is used."""
        return (*self.foot.notes, *overcompression_warnings(self.run, self.placing))

    @property
    def led(self) -> AnkleMotion:
        """The same motion with the computed ankle path prescribed."""
        given = {
            name: np.interp(self.time, self.motion.time, getattr(self.motion, name)) for name in MOTION_COORDINATES[:3]
        }
        x, y, z = self.ankle.T
        return AnkleMotion(self.time, x=x, y=y, z=z, **given)

    def forward(
        self, until: float | None = None, *, method: str = FORWARD_METHOD, tolerance: float = 1e-3, **options: Any
    ) -> RollingResult:
        """Compute the same step as forward dynamics: the computed ankle path is prescribed, parts on hinges move freely,
        and all parts have inertia. until: s; default: the end of the step. Others as in Model.simulate. Light toes on
        tissue are stiff, so explicit methods need ten times the steps."""
        motion = self.led
        until = float(np.ptp(self.time)) if until is None else ErrorContext("forward", "until").positive(until, "s")
        model, placing = rolling_model(self.foot, motion, None, **self.options)
        options = {"output_step": until / max(len(self.time) - 1, 1), **options}
        run = model.simulate(until, method=method, tolerance=tolerance, **options)
        return make_rolling_result(self.foot, motion, placing, run, self.options)

    @property
    def part(self) -> Array:
        """Fraction of stance, 0 to 1."""
        return (self.time - self.time[0]) / (self.time[-1] - self.time[0])


def rolling_model(
    foot: Foot, motion: AnkleMotion, load: Any, *, friction: Any, ground: Any = None, **options: Any
) -> tuple[Model, FootPlacement]:
    """Model of Foot.roll, ready for its static path."""
    at = ErrorContext("roll")
    given = _ground_force(motion, load, at)
    ground = require_ground_in_reach(ground, at)
    if not has_friction(friction) and set("xy") & set(motion.free):
        at["friction"].fail(
            "is none, and nothing holds an ankle that is not led", expected="a coefficient, or x and y of the motion"
        )
    model = Model("rolling foot", dimension=3)
    turn = _rotation_matrix(*(float(angle[0]) for angle in motion.angles))
    start = _ankle_start(foot, motion, turn)
    angle, axis = _to_angle_axis(turn)
    placing = foot.attach(
        model,
        at=(start - turn @ foot.ankle).tolist(),
        angle=angle,
        axis=axis.tolist(),
        ground=ground,
        friction=friction,
        **options,
    )
    body = placing.bodies["rearfoot"]
    for name in MOTION_COORDINATES:
        if getattr(motion, name) is not None:
            model.series(f"ankle_{name}", motion.time, getattr(motion, name))
    led = {axis: f"ankle_{axis}(t)" for axis in AXES if axis not in motion.free}
    if led:
        model.drive.position(f"{body}.{placing.name}_ankle", **led, name="ankle")
    model.drive.orientation(body, ["ankle_yaw(t)", "-ankle_pitch(t)", "ankle_roll(t)"], sequence="zyx", name="leg")
    if given is not None:
        own, forces = GRAVITY_M_S2 * foot.mass, []
        for k, axis in enumerate(AXES):
            if axis in motion.free:
                model.series(f"load_{axis}", motion.time, given[:, k])
            weight = f"{own} - " if axis == "z" else "-"
            forces.append(f"{weight}load_{axis}(t)" if axis in motion.free else 0.0)
        model.force.at_point(f"{body}.{placing.name}_ankle", forces, name="load")
    return model, placing


def roll(
    foot: Foot, motion: AnkleMotion | None, frames: int, load: Any, progress: Any = None, **options: Any
) -> RollingResult:
    """Compute a roll-over; see Foot.roll."""
    at = ErrorContext("roll")
    motion = step() if motion is None else motion
    if not isinstance(motion, AnkleMotion):
        at["motion"].fail("is no motion", motion, "a gw.foot.AnkleMotion, or None for a schematic step")
    frames = int(at["frames"].positive(frames, "a number of frames"))
    model, placing = rolling_model(foot, motion, load, **options)
    times = np.linspace(motion.time[0], motion.time[-1], max(frames, 2))
    try:
        run = model.static_path(start=float(times[0]), times=times, progress=progress)
    except AnalysisError as error:
        return at["load"].fail(
            f"no equilibrium was found ({str(error).splitlines()[0][:120]})", expected="a load that the foot can carry,"
            " an ankle that stays over the ground, or more frames",
        )  # fmt: skip
    return make_rolling_result(foot, motion, placing, run, options)


def make_rolling_result(
    foot: Foot, motion: AnkleMotion, placing: FootPlacement, run: Result, options: Mapping[str, Any]
) -> RollingResult:
    """Collect the result from a run."""

    def total(what: str) -> Array:
        return np.array([run.array(f"{name}.{what}") for name in placing.contacts]).sum(axis=0)

    area = "contact_area" if placing.contacts[0] in run.mechanism.parts else "area"  # of a solid, or of a contact
    force = np.stack([total(f"f{axis}") for axis in AXES], axis=1)
    parts = np.array([run.array(f"{name}.normal_force") for name in placing.contacts])
    centres = [np.array([run.array(f"{name}.{axis}") for name in placing.contacts]) for axis in "xy"]
    normal = parts.sum(axis=0)
    centre = [np.where(parts > 0.0, parts * np.nan_to_num(x), 0.0).sum(axis=0) for x in centres]
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = np.stack(centre, axis=1) / normal[:, None]
    body = placing.bodies["rearfoot"]
    ankle = np.stack([run.array(f"{body}.{placing.name}_ankle.{axis}") for axis in AXES], axis=1)
    moment = np.stack([run.array(f"leg.torque_{axis}") for axis in AXES], axis=1)
    hinges = zip(foot.anatomy.hinges, placing.hinges, strict=True)
    angles = {hinge.name: np.asarray(run.array(f"{joint}.angle")) for hinge, joint in hinges}
    values = (np.asarray(run.time), force, centre, moment, ankle, angles, total(area))
    return RollingResult(*values, foot, motion, placing, run, options)


def _ground_force(motion: AnkleMotion, load: Any, at: ErrorContext) -> Array | None:
    """Force of the ground at the times of a motion, (n, 3), N; None if all axes are prescribed."""
    here = at["load"]
    if not motion.free:
        return None
    if is_number(load):
        return step_load(float(load), (motion.time - motion.time[0]) / np.ptp(motion.time))
    values = np.array(here.numbers(load, "the weight of a body, N, or a force per time"), dtype=float)
    if values.ndim == 1 and motion.free == "z":
        values = np.stack([np.zeros(values.shape), np.zeros(values.shape), values], axis=1)
    if values.shape != (motion.time.size, 3):
        here.fail(
            f"has the shape {values.shape}", expected=f"({motion.time.size}, 3): forward, left and up for each time"
        )
    if not np.all(values[:, 2] > 0.0):
        here.fail("is not always upward, and the ground does not pull", float(values[:, 2].min()), "more than 0 N")
    return values


def _ankle_start(foot: Foot, motion: AnkleMotion, turn: Array) -> Array:
    """Initial ankle position, m: the prescribed one; along free axes, over the rearmost point of a heel at the
    origin, slightly in the ground."""
    mesh = foot.anatomy.mesh
    sole = (mesh.nodes[mesh.region("sole").nodes] - foot.ankle) @ turn.T
    free = np.array([foot.ankle[0], foot.ankle[1], -sole[:, 2].min() - INITIAL_PENETRATION_M])
    led = [getattr(motion, axis) for axis in AXES]
    return np.array([free[k] if values is None else values[0] for k, values in enumerate(led)])


def _rotation_matrix(yaw: float, about_y: float, roll: float) -> Array:
    """Rotation matrix: about z, then about y and x of the foot."""
    (a, b, c), (s, u, v) = np.cos([yaw, about_y, roll]), np.sin([yaw, about_y, roll])
    z = np.array([[a, -s, 0.0], [s, a, 0.0], [0.0, 0.0, 1.0]])
    y = np.array([[b, 0.0, u], [0.0, 1.0, 0.0], [-u, 0.0, b]])
    return z @ y @ np.array([[1.0, 0.0, 0.0], [0.0, c, -v], [0.0, v, c]])


def _to_angle_axis(turn: Array) -> tuple[float, Array]:
    """Angle, below half a turn, and axis of a rotation."""
    twice = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    size = float(np.linalg.norm(twice))
    if size < 1e-12:
        return 0.0, np.array([0.0, 0.0, 1.0])
    return float(np.arctan2(size, np.trace(turn) - 1.0)), twice / size
