"""Segments of the lower body: masses, lengths, centres of mass and radii of gyration as shares of body mass and height.

P. de Leva, Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters, Journal of Biomechanics 29 (1996) 1223, Table 4,
men (mean height 1.741 m, mass 73.0 kg). Lengths from joint centre to joint centre, that of the foot from heel to toe; the
pelvis is his lower part of the trunk, from the navel to the middle between the hips.

Axes are those of the ISB (G. Wu and P. R. Cavanagh, Journal of Biomechanics 28 (1995) 1257): x forwards, y up, z to the
right.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from gaitwright.model.model import Model, Number


class Segment(NamedTuple):
    """mass: share of body mass. length: share of body height. centre: of mass, from its upper end (of the foot: from the
    heel), in lengths. gyration: radii about the forward, the upward and the sideways axis through it, in lengths."""

    mass: float
    length: float
    centre: float
    gyration: tuple[float, float, float]


MALE_HEIGHT = 1.741
SEGMENTS = {
    "pelvis": Segment(0.1117, 0.1457 / MALE_HEIGHT, 0.6115, (0.615, 0.587, 0.551)),
    "thigh": Segment(0.1416, 0.4222 / MALE_HEIGHT, 0.4095, (0.329, 0.149, 0.329)),
    "shank": Segment(0.0433, 0.4403 / MALE_HEIGHT, 0.4395, (0.251, 0.102, 0.246)),
    "foot": Segment(0.0137, 0.2581 / MALE_HEIGHT, 0.4415, (0.124, 0.257, 0.245)),
}
"""De Leva's radii are sagittal, transverse, longitudinal: about the forward, the sideways and the long axis."""
ANKLE_HEIGHT = 0.039
"""Of body height (Drillis and Contini, in Winter)."""
ANKLE_AHEAD = 0.25
"""Of the foot's length, from the heel; the centre of mass of the foot lies halfway between ankle and sole. OUR choice, both."""
BALL_AHEAD = 0.72
"""Where the toes begin, likewise."""


def lengths() -> dict[str, Number]:
    """Parameters of a model that has the parameter `height`, m."""
    found: dict[str, Number] = {f"{name}_length": f"{s.length:.6f}*height" for name, s in SEGMENTS.items()}
    return found | {"ankle_height": f"{ANKLE_HEIGHT}*height"}


def add_segment(model: Model, name: str, kind: str, at: list[Number], points: dict[str, Any], **more: Any) -> None:
    """A segment whose frame has its origin in its upper joint (of the pelvis: between the hips), drawn upright."""
    segment, length = SEGMENTS[kind], f"{kind}_length"
    mass = f"{segment.mass}*body_mass"
    centre: dict[str, list[Number]] = {
        "pelvis": [0, f"{1 - segment.centre:.4f}*{length}", 0],
        "foot": [f"{segment.centre - ANKLE_AHEAD:.4f}*{length}", "-ankle_height/2", 0],
    }
    model.body(
        name, mass=mass, inertia=[f"{mass}*({radius}*{length})^2" for radius in segment.gyration], at=at, points=points,
        centre=centre.get(kind, [0, f"-{segment.centre}*{length}", 0]), **more,
    )  # fmt: skip


def foot_points() -> dict[str, Any]:
    """Ankle, heel, ball and toe in the frame of the foot."""
    ahead = 1 - ANKLE_AHEAD
    return {
        "ankle": [0, 0, 0],
        "heel": [f"-{ANKLE_AHEAD}*foot_length", "-ankle_height", 0],
        "ball": [f"{BALL_AHEAD - ANKLE_AHEAD:g}*foot_length", "-ankle_height", 0],
        "toe": [f"{ahead}*foot_length", "-ankle_height", 0],
    }


UPRIGHT = {"angles": [90, 0, 0]}
"""Turns a shape from z to y."""


def limb(length: str, thick: float) -> list[dict[str, Any]]:
    """The shape of a thigh or shank. thick: radius in lengths."""
    straight = f"{1 - 2 * thick:g}*{length}"
    return [{"capsule": [f"{thick}*{length}", straight], "at": [0, f"-{length}/2", 0], "orientation": UPRIGHT}]


def sole() -> list[dict[str, Any]]:
    """The shape of a foot: a flat block and the ankle on it."""
    forward = f"{0.5 - ANKLE_AHEAD}*foot_length"
    return [
        {"box": ["foot_length", "0.5*ankle_height", "0.36*foot_length"], "at": [forward, "-0.75*ankle_height", 0]},
        {"capsule": ["0.45*ankle_height", "0.5*foot_length"], "at": [forward, "-0.5*ankle_height", 0],
         "orientation": {"angles": [0, 90, 0]}},
    ]  # fmt: skip
