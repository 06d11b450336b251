"""Knee brace with a plain hinge on a knee with a moving axis: difference of the two angles, sliding of the cuff along
the shank, and effective moment of its spring.

In the plane, with the brace's flexion b, the knee's f, the length c from hinge to cuff, and the distance d of the hinge
in front of the shank line on which the cuff slides,

    sin(b - f) = d / c,

so that a misaligned hinge causes an angle error of d / c, and the cuff slides (pistons) by about d during flexion. The knee is
that of `knee_exoskeleton`, with pins of our choice; the errors are those of this knee, not of a person.
"""

from __future__ import annotations

from typing import Any

from gaitwright._core.error_context import ErrorContext
from gaitwright.mechanisms.knee_exoskeleton import centre_of_mass_height, knee_exoskeleton
from gaitwright.model.model import Model

CENTRE_OF_MASS_RATIO = 0.45
"""Distance from the hinge to the centre of mass, relative to the brace length."""


def knee_brace(
    hinge_forward: float = 0.0,
    hinge_up: float = 0.0,
    *,
    cuff: float = 0.20,
    brace_stiffness: float | None = None,
    brace_rest: float = 0.0,
    brace_mass: float = 0.3,
    flexion: float = 100.0,
    **knee: Any,
) -> Model:
    """A brace beside the knee of `knee_exoskeleton`: its upper part is fixed to the thigh; its lower part, `brace`, rotates
    about a hinge and holds the shank by a cuff that can slide along it and rotate.

    hinge_forward, hinge_up: position of the hinge, m from the middle of the straight knee. cuff: m below the hinge.
    brace_stiffness: N m/rad, of a spring in the hinge (`brace_spring`), at rest at `brace_rest` (degrees of flexion of the
    brace). brace_mass: kg. flexion, knee: as for `knee_exoskeleton`. All are parameters of the model.

    Outputs: `brace.flexion` and `brace.error`, the excess over the knee flexion (deg); `cuff.pistoning`, upward sliding of
    the cuff on the shank (mm); `cuff.push`, force on the shank, forwards (N); with a spring `brace.assist`, moment of the
    brace about the knee axis, positive when it extends the knee. It equals the spring moment only if the hinge is on that
    axis. Raises an error if cuff is not positive."""
    ErrorContext("knee brace", "cuff").positive(cuff, "m")
    raw = knee_exoskeleton(flexion, **knee).to_dict()
    brace_parameters = {"hinge_forward": hinge_forward, "hinge_up": hinge_up, "cuff": cuff, "brace_mass": brace_mass}
    if brace_stiffness is not None:
        brace_parameters |= {"brace_stiffness": brace_stiffness, "brace_rest": brace_rest}
    raw |= {"name": "knee brace", "parameters": {**raw["parameters"], **brace_parameters}}
    for body, point, up in ((0, "H", "hinge_up"), (1, "W", "hinge_up - cuff")):
        segment = raw["bodies"][body]
        segment["points"][point] = ["hinge_forward", f"{up} - ({centre_of_mass_height(segment['name'])})"]
    knee_charts = raw.pop("charts")
    model = Model.from_dict(raw)
    _add_brace(model, sprung=brace_stiffness is not None)
    return Model.from_dict({**model.to_dict(), "charts": [*model.to_dict()["charts"], *knee_charts]})


def _add_brace(model: Model, sprung: bool) -> None:
    """Add the brace, drawn at the pose of the shank."""
    x, y = "hinge_forward", f"hinge_up - thigh_length - {CENTRE_OF_MASS_RATIO}*cuff"
    at = (f"({x})*cos(thigh_angle) - ({y})*sin(thigh_angle)", f"({x})*sin(thigh_angle) + ({y})*cos(thigh_angle)")
    model.body(
        "brace", mass="brace_mass", inertia="brace_mass*cuff^2/12", at=at, angle="shank_angle",
        points={"hinge": (0, f"{CENTRE_OF_MASS_RATIO}*cuff"), "cuff": (0, f"({CENTRE_OF_MASS_RATIO} - 1)*cuff")},
    )  # fmt: skip
    model.joint.revolute("thigh.H", "brace.hinge", name="brace_hinge")
    model.joint.slot("shank.W", "brace.cuff", axis=(0, 1), name="cuff_slot")
    if sprung:
        rest = "-brace_rest*pi/180"
        model.force.torsion_spring("thigh", "brace", stiffness="brace_stiffness", rest_angle=rest, name="brace_spring")
    model.quantity("brace.flexion", "thigh.angle - brace.angle", unit="deg", description="of the brace")
    description = "flexion of the brace, less that of the knee"
    model.quantity("brace.error", "brace.flexion - knee.flexion", unit="deg", description=description)
    sliding = "(brace.cuff.y - shank.W.y)*cos(shank.angle) - (brace.cuff.x - shank.W.x)*sin(shank.angle)"
    model.quantity(
        "cuff.pistoning",
        sliding,
        unit="mm",
        description="of the cuff, up the shank from where it is in the straight leg",
    )
    model.quantity("cuff.push", "cuff_slot.normal", description="of the cuff on the shank, forwards")
    model.chart("knee.flexion", "brace.error", title="Error of the angle over flexion")
    model.chart("knee.flexion", "cuff.pistoning", title="Pistoning of the cuff over flexion")
    if sprung:
        lever = "(brace.cuff.x - axis.x)*sin(shank.angle) - (brace.cuff.y - axis.y)*cos(shank.angle)"
        description = "of the brace about the axis of the knee, positive where it extends it"
        model.quantity("brace.assist", f"cuff_slot.normal*({lever})", unit="N m", description=description)
        model.chart("knee.flexion", "brace.assist", title="Assist moment over flexion")
