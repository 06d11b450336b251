"""A knee brace with a plain hinge on a knee whose axis moves: by how much the two angles differ, how far the cuff slides along
the shank, and what becomes of the moment of its spring.

In the plane, with the brace's flexion b, the knee's f, the length c from hinge to cuff, and d, by how far the hinge is ahead of
the line of the shank on which the cuff slides,

    sin(b - f) = d / c,

so that a hinge beside the axis costs an angle of d / c, and the cuff slides (pistons) by about d as it bends. The knee is that
of `knee_exoskeleton`, whose pins are our choice; what the hinge does wrong is of its kind, not that of a person.
"""

from __future__ import annotations

from typing import Any

from gaitwright.checks import At
from gaitwright.mechanisms.knee_exoskeleton import centre_up, knee_exoskeleton
from gaitwright.model.model import Model

SHARE = 0.45
"""Of the brace's length, from its hinge to its centre of mass."""


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
    """A brace beside the knee of `knee_exoskeleton`: its upper part belongs to the thigh, its lower one, `brace`, turns about a
    hinge and holds the shank by a cuff that can slide along it and turn.

    hinge_forward, hinge_up: where the hinge is, m from the middle of the straight knee. cuff: m below the hinge.
    brace_stiffness: N m/rad, of a spring in the hinge (`brace_spring`), at rest at `brace_rest` (degrees of flexion of the
    brace). brace_mass: kg. flexion, knee: as of `knee_exoskeleton`. All are parameters of the model.

    Outputs: `brace.flexion` and `brace.error`, by how much it is more than that of the knee (deg); `cuff.pistoning`, how far
    the cuff has slid up the shank (mm); `cuff.push`, on the shank, forwards (N); with a spring `brace.assist`, what the brace
    does about the axis of the knee, positive where it extends, which is its spring's moment only where the hinge is in it."""
    At("knee brace", "cuff").positive(cuff, "m")
    raw = knee_exoskeleton(flexion, **knee).to_dict()
    own = {"hinge_forward": hinge_forward, "hinge_up": hinge_up, "cuff": cuff, "brace_mass": brace_mass}
    if brace_stiffness is not None:
        own |= {"brace_stiffness": brace_stiffness, "brace_rest": brace_rest}
    raw |= {"name": "knee brace", "parameters": {**raw["parameters"], **own}}
    for body, point, up in ((0, "H", "hinge_up"), (1, "W", "hinge_up - cuff")):
        segment = raw["bodies"][body]
        segment["points"][point] = ["hinge_forward", f"{up} - ({centre_up(segment['name'])})"]
    of_knee = raw.pop("charts")
    model = Model.from_dict(raw)
    _add_brace(model, sprung=brace_stiffness is not None)
    return Model.from_dict({**model.to_dict(), "charts": [*model.to_dict()["charts"], *of_knee]})


def _add_brace(model: Model, sprung: bool) -> None:
    """Drawn along the thigh, from which it turns."""
    x, y = "hinge_forward", f"hinge_up - thigh_length - {SHARE}*cuff"
    at = (f"({x})*cos(thigh_angle) - ({y})*sin(thigh_angle)", f"({x})*sin(thigh_angle) + ({y})*cos(thigh_angle)")
    model.body(
        "brace", mass="brace_mass", inertia="brace_mass*cuff^2/12", at=at, angle="shank_angle",
        points={"hinge": (0, f"{SHARE}*cuff"), "cuff": (0, f"({SHARE} - 1)*cuff")},
    )  # fmt: skip
    model.revolute("thigh.H", "brace.hinge", name="brace_hinge")
    model.slot("shank.W", "brace.cuff", axis=(0, 1), name="cuff_slot")
    if sprung:
        rest = "-brace_rest*pi/180"
        model.torsion_spring("thigh", "brace", stiffness="brace_stiffness", rest_angle=rest, name="brace_spring")
    model.quantity("brace.flexion", "thigh.angle - brace.angle", unit="deg", description="of the brace")
    about = "flexion of the brace, less that of the knee"
    model.quantity("brace.error", "brace.flexion - knee.flexion", unit="deg", description=about)
    slid = "(brace.cuff.y - shank.W.y)*cos(shank.angle) - (brace.cuff.x - shank.W.x)*sin(shank.angle)"
    model.quantity(
        "cuff.pistoning", slid, unit="mm", description="of the cuff, up the shank from where it is in the straight leg"
    )
    model.quantity("cuff.push", "cuff_slot.normal", description="of the cuff on the shank, forwards")
    model.chart("knee.flexion", "brace.error", title="Error of the angle over flexion")
    model.chart("knee.flexion", "cuff.pistoning", title="Pistoning of the cuff over flexion")
    if sprung:
        lever = "(brace.cuff.x - axis.x)*sin(shank.angle) - (brace.cuff.y - axis.y)*cos(shank.angle)"
        about = "of the brace about the axis of the knee, positive where it extends it"
        model.quantity("brace.assist", f"cuff_slot.normal*({lever})", unit="N m", description=about)
        model.chart("knee.flexion", "brace.assist", title="Assist moment over flexion")
