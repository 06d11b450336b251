"""A foot that rolls over the ground: from heel strike to toe-off at rest in every frame, its ankle led along a motion.

Friction remembers from frame to frame. Where the ankle is not led it is where the force of the ground is the load. Inertia of
the foot, 1 kg, is left out: its weight is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At, is_number
from gaitwright.errors import AnalysisError
from gaitwright.foot.attaching import Placing
from gaitwright.foot.motion import AXES, Motion, step, step_load
from gaitwright.foot.standing import in_reach, pressed_flat, rough
from gaitwright.mesh.kinds import Array
from gaitwright.model.model import Model

if TYPE_CHECKING:
    from gaitwright.foot.foot import Foot
    from gaitwright.foot.pressure import FootPressure
    from gaitwright.result.result import Result

FRAMES = 100
WEIGHT = 700.0
"""Of a body, N."""
GRAVITY = 9.81
DEEP = 1e-3
"""How deep an ankle that is not led is drawn in the ground, m: what is drawn touches."""
MARKS = ("pitch", "roll", "yaw", *AXES)
STIFF = "rosenbrock23"
"""Method of forward dynamics."""


@dataclass(frozen=True)
class Rolling:
    """What the ground and the leg do to a foot that rolls. time: s, (n,). force: of the ground on the foot, N, (n, 3), forward,
    left and up. centre_of_pressure: m, (n, 2), on the ground. moment: of the leg on the foot at the ankle, N m, (n, 3), in axes
    of the ground. ankle: its place, m, (n, 3). angles: rad, of the hinges, positive where the toes bend down. area: m^2,
    that touches."""

    time: Array
    force: Array
    centre_of_pressure: Array
    moment: Array
    ankle: Array
    angles: dict[str, Array]
    area: Array
    foot: Foot
    motion: Motion
    placing: Placing
    run: Result
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of the model: ground, speed, friction, law."""

    @cached_property
    def pressure(self) -> FootPressure:
        """Pressure per cell in the frame of the foot, see foot/pressure.py; others by gw.foot.pressure_of."""
        from gaitwright.foot.pressure import pressure_of

        return pressure_of(self.run, self.placing, self.foot.shape)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What is to be known before it is trusted."""
        return (*self.foot.notes, *pressed_flat(self.run, self.placing))

    @property
    def led(self) -> Motion:
        """The same motion along the way that the ankle went."""
        given = {name: np.interp(self.time, self.motion.time, getattr(self.motion, name)) for name in MARKS[:3]}
        x, y, z = self.ankle.T
        return Motion(self.time, x=x, y=y, z=z, **given)

    def forward(
        self, until: float | None = None, *, method: str = STIFF, tolerance: float = 1e-3, **options: Any
    ) -> Rolling:
        """The same step as forward dynamics: the ankle is led along the way that it went, what hangs on hinges swings, and all
        has its inertia. until: s; the end of the step unless given. The rest as in Model.simulate; light toes on tissue are
        stiff, and explicit methods take ten times the steps."""
        motion = self.led
        until = float(np.ptp(self.time)) if until is None else At("forward", "until").positive(until, "s")
        model, placing = rolling_model(self.foot, motion, None, **self.options)
        options = {"output_step": until / max(len(self.time) - 1, 1), **options}
        run = model.simulate(until, method=method, tolerance=tolerance, **options)
        return seen(self.foot, motion, placing, run, self.options)

    @property
    def part(self) -> Array:
        """Of the stance, 0 to 1."""
        return (self.time - self.time[0]) / (self.time[-1] - self.time[0])


def rolling_model(
    foot: Foot, motion: Motion, load: Any, *, friction: Any, ground: Any = None, **options: Any
) -> tuple[Model, Placing]:
    """The model of Foot.roll, ready for its static path."""
    at = At("roll")
    given = _load(motion, load, at)
    ground = in_reach(ground, at)
    if not rough(friction) and set("xy") & set(motion.free):
        at["friction"].fail(
            "is none, and nothing holds an ankle that is not led", expected="a coefficient, or x and y of the motion"
        )
    model = Model("rolling foot", dimension=3)
    turn = _rotation(*(float(angle[0]) for angle in motion.angles))
    start = _start(foot, motion, turn)
    angle, axis = _angle_axis(turn)
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
    for name in MARKS:
        if getattr(motion, name) is not None:
            model.series(f"ankle_{name}", motion.time, getattr(motion, name))
    led = {axis: f"ankle_{axis}(t)" for axis in AXES if axis not in motion.free}
    if led:
        model.drive_position(f"{body}.{placing.name}_ankle", **led, name="ankle")
    model.drive_orientation(body, ["ankle_yaw(t)", "-ankle_pitch(t)", "ankle_roll(t)"], sequence="zyx", name="leg")
    if given is not None:
        own, forces = GRAVITY * foot.mass, []
        for k, axis in enumerate(AXES):
            if axis in motion.free:
                model.series(f"load_{axis}", motion.time, given[:, k])
            weight = f"{own} - " if axis == "z" else "-"
            forces.append(f"{weight}load_{axis}(t)" if axis in motion.free else 0.0)
        model.apply_force(f"{body}.{placing.name}_ankle", forces, name="load")
    return model, placing


def roll(foot: Foot, motion: Motion | None, frames: int, load: Any, progress: Any = None, **options: Any) -> Rolling:
    """See Foot.roll."""
    at = At("roll")
    motion = step() if motion is None else motion
    if not isinstance(motion, Motion):
        at["motion"].fail("is no motion", motion, "a gw.foot.Motion, or None for a schematic step")
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
    return seen(foot, motion, placing, run, options)


def seen(foot: Foot, motion: Motion, placing: Placing, run: Result, options: Mapping[str, Any]) -> Rolling:
    """What a run shows."""

    def total(what: str) -> Array:
        return np.array([run.values(f"{name}.{what}") for name in placing.contacts]).sum(axis=0)

    area = "contact_area" if placing.contacts[0] in run.mechanism.parts else "area"  # of a solid, or of a contact
    force = np.stack([total(f"f{axis}") for axis in AXES], axis=1)
    parts = np.array([run.values(f"{name}.normal_force") for name in placing.contacts])
    centres = [np.array([run.values(f"{name}.{axis}") for name in placing.contacts]) for axis in "xy"]
    normal = parts.sum(axis=0)
    centre = [np.where(parts > 0.0, parts * np.nan_to_num(x), 0.0).sum(axis=0) for x in centres]
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = np.stack(centre, axis=1) / normal[:, None]
    body = placing.bodies["rearfoot"]
    ankle = np.stack([run.values(f"{body}.{placing.name}_ankle.{axis}") for axis in AXES], axis=1)
    moment = np.stack([run.values(f"leg.torque_{axis}") for axis in AXES], axis=1)
    hinges = zip(foot.anatomy.hinges, placing.hinges, strict=True)
    angles = {hinge.name: np.asarray(run.values(f"{joint}.angle")) for hinge, joint in hinges}
    what = (np.asarray(run.time), force, centre, moment, ankle, angles, total(area))
    return Rolling(*what, foot, motion, placing, run, options)


def _load(motion: Motion, load: Any, at: At) -> Array | None:
    """Force of the ground at the times of a motion, (n, 3), N; None where nothing is left to it."""
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


def _start(foot: Foot, motion: Motion, turn: Array) -> Array:
    """Where the ankle is drawn, m: where it is led, or over the rearmost point of a heel at the origin, just in the ground."""
    mesh = foot.anatomy.mesh
    sole = (mesh.nodes[mesh.region("sole").nodes] - foot.ankle) @ turn.T
    free = np.array([foot.ankle[0], foot.ankle[1], -sole[:, 2].min() - DEEP])
    led = [getattr(motion, axis) for axis in AXES]
    return np.array([free[k] if values is None else values[0] for k, values in enumerate(led)])


def _rotation(yaw: float, about_y: float, roll: float) -> Array:
    """Turned about z, then about y and x of the foot."""
    (a, b, c), (s, u, v) = np.cos([yaw, about_y, roll]), np.sin([yaw, about_y, roll])
    z = np.array([[a, -s, 0.0], [s, a, 0.0], [0.0, 0.0, 1.0]])
    y = np.array([[b, 0.0, u], [0.0, 1.0, 0.0], [-u, 0.0, b]])
    return z @ y @ np.array([[1.0, 0.0, 0.0], [0.0, c, -v], [0.0, v, c]])


def _angle_axis(turn: Array) -> tuple[float, Array]:
    """Of a rotation, below half a turn."""
    twice = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    size = float(np.linalg.norm(twice))
    if size < 1e-12:
        return 0.0, np.array([0.0, 0.0, 1.0])
    return float(np.arctan2(size, np.trace(turn) - 1.0)), twice / size
