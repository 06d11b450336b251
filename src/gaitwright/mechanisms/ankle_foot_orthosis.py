"""An ankle-foot orthosis with a torsion spring at its hinge, worn on a right leg with an ankle that follows a gait curve.

The ankle is a hinge with an oblique axis. R. E. Isman and V. T. Inman (Anthropometric studies of the human foot and ankle,
Bulletin of Prosthetics Research 10-11 (1969) 97) measured it in 46 legs; on average it is 80 degrees from the long axis of
the shank and 84 from the midline of the foot: its outer end is lower and farther back. Many models of the leg use these two
(S. L. Delp et al., IEEE Transactions on Biomedical Engineering 37 (1990) 757). People differ by more than ten degrees.

The hinge of an orthosis is elsewhere: usually perpendicular to the leg. Calf shell and shank then move differently, and the
straps deform; the wearer feels their forces. Segments as in body_segments.py; the orthosis is OUR choice, of usual size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gaitwright._core.error_context import ErrorContext
from gaitwright.mechanisms.body_segments import (
    add_segment,
    foot_points,
    foot_shapes,
    limb_shapes,
    segment_length_parameters,
)
from gaitwright.mechanisms.gait_curves import add_gait_curves
from gaitwright.model.model import Model, NumberLike

ANKLE_AXIS = ["-cos(foot_obliquity*pi/180)", "-cos(shank_obliquity*pi/180)",
        "sqrt(1 - cos(foot_obliquity*pi/180)^2 - cos(shank_obliquity*pi/180)^2)"]  # fmt: skip
"""Direction of the ankle axis, from the inner to the outer side; positive rotation lifts the toes."""
HINGE_AXES = {"square": [0, 0, 1], "aligned": ANKLE_AXIS}
"""Hinge axis of the orthosis by mounting."""


def ankle_foot_orthosis(
    stiffness: float = 80.0,
    *,
    rest: float = 0.0,
    hinge: str = "square",
    hinge_ahead: float = 0.0,
    hinge_up: float = 0.0,
    strap_stiffness: float = 2e4,
    strap_torsion: float = 50.0,
    strap_damping: float = 100.0,
    stride: float = 1.1,
    shank_obliquity: float = 80.0,
    foot_obliquity: float = 84.0,
    height: float = 1.741,
    body_mass: float = 73.0,
    curve: Sequence[float] | None = None,
    gravity: float = 9.81,
) -> Model:
    """A fixed shank, a foot moved by the drive `ankle`, a foot plate fixed to it, and a calf shell on straps.

    stiffness: N m/rad, of the spring `spring` at the orthosis's hinge, at rest at `rest` degrees of dorsiflexion.
    hinge: square (perpendicular to the leg) or aligned (with the ankle axis); hinge_ahead, hinge_up: m, its position
    relative to the ankle. strap_stiffness, strap_torsion, strap_damping: N/m, N m/rad, N s/m, of the bushing `strap`
    between shank and shell. stride: s. shank_obliquity, foot_obliquity: degrees, of the ankle axis from the shank and from
    the foot's midline. curve: dorsiflexion in degrees, evenly over a stride from heel strike; default: a schematic one.

    x is forwards, y up, z to the right, the ankle is the origin. ankle.torque: torque required of the muscles in addition
    to the orthosis, positive when it lifts the toes; spring.torque: torque of the spring on the foot; strap.dx ..:
    displacement of the shell on the leg, m, with a restoring force of strap_stiffness times this; plate.fx ..: force of
    the foot on its plate. Raises an error for an unknown hinge."""
    if hinge not in HINGE_AXES:
        ErrorContext("ankle-foot orthosis", "hinge").fail("is no way to mount a hinge", hinge, " or ".join(HINGE_AXES))
    parameters: dict[str, NumberLike] = {
        "stiffness": stiffness, "rest": rest, "hinge_ahead": hinge_ahead, "hinge_up": hinge_up,
        "strap_stiffness": strap_stiffness, "strap_torsion": strap_torsion, "strap_damping": strap_damping,
        "stride": stride, "shank_obliquity": shank_obliquity, "foot_obliquity": foot_obliquity, "height": height,
        "body_mass": body_mass, **segment_length_parameters(), "cuff": "0.65*shank_length",
    }  # fmt: skip
    model = Model("ankle-foot orthosis", dimension=3, gravity=(0, -gravity, 0), parameters=parameters)
    curves: Mapping[str, Sequence[float]] | None = None if curve is None else {"ankle_dorsiflexion": curve}
    add_gait_curves(model, ["ankle_dorsiflexion"], curves)
    model.ground_point("knee", 0, "shank_length", 0)
    ankle_position: list[NumberLike] = [0, "-shank_length", 0]
    points = {"knee": [0, 0, 0], "ankle": ankle_position, "cuff": [0, "cuff - shank_length", 0]}
    add_segment(model, "shank", "shank", [0, "shank_length", 0], points, shapes=limb_shapes("shank_length", 0.085))
    add_segment(model, "foot", "foot", [0, 0, 0], foot_points(), shapes=foot_shapes())
    _add_shells(model)
    model.joint.fixed("ground.knee", "shank.knee", name="knee")
    model.joint.revolute("shank.ankle", "foot.ankle", axis=ANKLE_AXIS, name="ankle_joint")
    model.drive.rotation("ankle_joint", "ankle_dorsiflexion(t/stride)*pi/180", name="ankle")
    model.joint.fixed("foot.ankle", "foot_plate.ankle", name="plate")
    model.joint.revolute("calf_shell.hinge", "foot_plate.hinge", axis=HINGE_AXES[hinge], name="hinge")
    model.force.joint_spring("hinge", stiffness="stiffness", rest_angle="rest*pi/180", name="spring")
    model.force(
        "bushing", "strap", a="shank.cuff", b="calf_shell.cuff", stiffness=["strap_stiffness"] * 3,
        torsional_stiffness=["strap_torsion"] * 3, damping=["strap_damping"] * 3,
        torsional_damping=["strap_damping/400"] * 3,
    )  # fmt: skip
    return model


def _add_shells(model: Model) -> None:
    """Add calf shell and foot plate, drawn with the ankle as origin."""
    shell_x, sole_y = "-0.09*shank_length", "-1.05*ankle_height"
    hinge: list[NumberLike] = ["hinge_ahead", "hinge_up", 0]
    model.body(
        "calf_shell", mass=0.35, inertia=[4e-3, 1e-3, 4e-3], centre=["-0.04", "cuff - 0.08", 0],
        points={"cuff": [0, "cuff", 0], "hinge": hinge},
        shapes=[
            {"box": [0.012, "0.5*shank_length", 0.09], "at": [shell_x, "cuff - 0.1*shank_length", 0]},
            *({"box": [0.03, "cuff", 0.006], "at": ["-0.01", "cuff/2", z]} for z in (0.055, -0.055)),
            *({"box": [0.11, 0.03, 0.006], "at": [0, "cuff", z]} for z in (0.055, -0.055)),
            {"box": [0.006, 0.03, 0.11], "at": [0.055, "cuff", 0]},
        ],
    )  # fmt: skip
    model.body(
        "foot_plate", mass=0.25, inertia=[4e-4, 1.5e-3, 1.3e-3], centre=["0.2*foot_length", sole_y, 0],
        points={"ankle": [0, 0, 0], "hinge": hinge},
        shapes=[
            {"box": ["0.95*foot_length", 0.006, 0.115], "at": ["0.24*foot_length", sole_y, 0]},
            *({"box": [0.03, "1.1*ankle_height", 0.006], "at": [0, "-ankle_height/2", z]} for z in (0.06, -0.06)),
            *({"cylinder": [0.018, 0.012], "at": ["hinge_ahead", "hinge_up", z]} for z in (0.062, -0.062)),
        ],
    )  # fmt: skip
