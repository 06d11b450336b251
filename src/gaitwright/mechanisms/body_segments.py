"""Segments of the lower body: masses, lengths, centres of mass and radii of gyration relative to body mass and height.

P. de Leva, Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters, Journal of Biomechanics 29 (1996) 1223, Table 4,
men (mean height 1.741 m, mass 73.0 kg). Lengths are between joint centres, that of the foot from heel to toe. The pelvis is
the lower part of the trunk, from the navel to the midpoint of the hips.

Axes are those of the ISB (G. Wu and P. R. Cavanagh, Journal of Biomechanics 28 (1995) 1257): x forwards, y up, z to the
right.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from gaitwright.model.model import Model, NumberLike


class BodySegment(NamedTuple):
    """Body segment. mass: fraction of body mass. length: fraction of body height. centre: centre of mass, from the
    upper end (of the foot: from the heel), in lengths. gyration: radii about the forward, upward and sideways axes
    through it, in lengths."""

    mass: float
    length: float
    centre: float
    gyration: tuple[float, float, float]


MALE_HEIGHT_M = 1.741
BODY_SEGMENTS = {
    "pelvis": BodySegment(0.1117, 0.1457 / MALE_HEIGHT_M, 0.6115, (0.615, 0.587, 0.551)),
    "thigh": BodySegment(0.1416, 0.4222 / MALE_HEIGHT_M, 0.4095, (0.329, 0.149, 0.329)),
    "shank": BodySegment(0.0433, 0.4403 / MALE_HEIGHT_M, 0.4395, (0.251, 0.102, 0.246)),
    "foot": BodySegment(0.0137, 0.2581 / MALE_HEIGHT_M, 0.4415, (0.124, 0.257, 0.245)),
}
"""De Leva's radii are sagittal, transverse, longitudinal: about the forward, sideways and long axes."""
ANKLE_HEIGHT_RATIO = 0.039
"""Height of the ankle, relative to body height (Drillis and Contini, in Winter)."""
ANKLE_FORWARD_RATIO = 0.25
"""Position of the ankle from the heel, relative to foot length; the centre of mass of the foot lies halfway between
ankle and sole. Both are OUR choice."""
BALL_FORWARD_RATIO = 0.72
"""Position of the ball of the foot from the heel, relative to foot length."""


def segment_length_parameters() -> dict[str, NumberLike]:
    """Length parameters of a model that has the parameter `height`, m."""
    parameters: dict[str, NumberLike] = {
        f"{name}_length": f"{s.length:.6f}*height" for name, s in BODY_SEGMENTS.items()
    }
    return parameters | {"ankle_height": f"{ANKLE_HEIGHT_RATIO}*height"}


def add_segment(
    model: Model, name: str, kind: str, at: list[NumberLike], points: dict[str, Any], **fields: Any
) -> None:
    """Add a segment with its frame origin in its upper joint (of the pelvis: between the hips), drawn upright."""
    segment, length = BODY_SEGMENTS[kind], f"{kind}_length"
    mass = f"{segment.mass}*body_mass"
    centre: dict[str, list[NumberLike]] = {
        "pelvis": [0, f"{1 - segment.centre:.4f}*{length}", 0],
        "foot": [f"{segment.centre - ANKLE_FORWARD_RATIO:.4f}*{length}", "-ankle_height/2", 0],
    }
    model.body(
        name, mass=mass, inertia=[f"{mass}*({radius}*{length})^2" for radius in segment.gyration], at=at, points=points,
        centre=centre.get(kind, [0, f"-{segment.centre}*{length}", 0]), **fields,
    )  # fmt: skip


def foot_points() -> dict[str, Any]:
    """Ankle, heel, ball and toe in the frame of the foot."""
    toe_forward_ratio = 1 - ANKLE_FORWARD_RATIO
    return {
        "ankle": [0, 0, 0],
        "heel": [f"-{ANKLE_FORWARD_RATIO}*foot_length", "-ankle_height", 0],
        "ball": [f"{BALL_FORWARD_RATIO - ANKLE_FORWARD_RATIO:g}*foot_length", "-ankle_height", 0],
        "toe": [f"{toe_forward_ratio}*foot_length", "-ankle_height", 0],
    }


UPRIGHT_ROTATION = {"angles": [90, 0, 0]}
"""Rotation of a shape from z to y."""


def limb_shapes(length: str, thick: float) -> list[dict[str, Any]]:
    """Shape of a thigh or shank. thick: radius in lengths."""
    straight = f"{1 - 2 * thick:g}*{length}"
    return [{"capsule": [f"{thick}*{length}", straight], "at": [0, f"-{length}/2", 0], "orientation": UPRIGHT_ROTATION}]


def foot_shapes() -> list[dict[str, Any]]:
    """Shape of a foot: a flat block with the ankle on it."""
    forward = f"{0.5 - ANKLE_FORWARD_RATIO}*foot_length"
    return [
        {"box": ["foot_length", "0.5*ankle_height", "0.36*foot_length"], "at": [forward, "-0.75*ankle_height", 0]},
        {"capsule": ["0.45*ankle_height", "0.5*foot_length"], "at": [forward, "-0.5*ankle_height", 0],
         "orientation": {"angles": [0, 90, 0]}},
    ]  # fmt: skip
