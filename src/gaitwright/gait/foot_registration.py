"""Registration of a foot model to the markers of a person: scale along and across the foot, and its place in the foot
segment.

The frame of a foot model and that of the foot segment have the same axes when the sole lies flat: forward to the second
metatarsal head, up. Landmarks of the model are at the usual fractions of its length and ball width; markers are spheres
on the skin, so that their centres lie outside it. Unknown are the length, the ball width and the offset of the model
along and across the foot; the markers of heel and metatarsal heads determine them by least squares. The height of the
sole follows from the ground below the flat foot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.gait.segment_frames import SIDE_SIGNS

if TYPE_CHECKING:
    from gaitwright.foot.foot import Foot
    from gaitwright.gait.skeleton import HumanSkeleton

Array = np.ndarray
MARKER_RADIUS_M = 0.007
"""Distance of the centre of a marker from the skin, m: markers of 14 mm."""
LANDMARK_POSITION_RATIOS = {"heel": (0.0, 0.0), "mt1": (0.73, 0.32), "mt2": (0.745, 0.0), "mt5": (0.64, -0.44)}
"""Landmarks of a foot, in foot lengths forward and ball widths to the medial side of the heel-toe line. The heads of
the first and fifth metatarsal lie on the toe hinge (foot/rigid_parts.py), 0.12 ball widths inside the borders of the
foot, which are 0.44 and 0.56 ball widths from the heel-toe line (foot/orientation.py)."""
MARKER_DIRECTIONS = {"heel": (-1.0, 0.0), "mt1": (0.0, 0.0), "mt2": (0.0, 0.0), "mt5": (0.0, 0.0)}
"""Direction from the landmark to the centre of the marker, forward and medial: behind the heel, on top of the ball."""
MAX_SIZE_DIFFERENCE = 0.12
"""Relative difference of length between foot model and person above which the model is reported as one of another
size."""
MAX_PERSON_FOOT_LENGTH_M, MIN_PERSON_FOOT_LENGTH_M = 0.36, 0.12
MAX_MARKER_RESIDUAL_M = 0.015
"""Residual of a marker that is reported."""


@dataclass(frozen=True)
class FootRegistration:
    """Registration. side: of the person's foot. foot: the scaled model, possibly of the other side (mirrored). scale:
    length, width and height of the person's foot over those of the model. ankle: (3,), m, the ankle centre in the frame
    of the scaled model, for the height of the sole in the segment see `ankle`. residuals: by landmark, m: distance of
    the marker from its landmark, along and across the foot. transform: (4, 4), frame of the unscaled model to the frame
    of the foot segment (x forward, y up, z right)."""

    side: str
    foot: Foot
    scale: tuple[float, float, float]
    ankle: Array
    residuals: dict[str, float]
    transform: Array
    warnings: tuple[str, ...]

    @property
    def mirrored(self) -> bool:
        """True if the model is of the other side."""
        return self.foot.shape.side != self.side

    @property
    def notes(self) -> tuple[str, ...]:
        length, width, _ = self.scale
        worst = max(self.residuals, key=lambda name: self.residuals[name])
        fit = (
            f"{self.side} foot: the model is scaled by {length:.3f} in length and {width:.3f} in width to "
            f"{1e3 * self.foot.shape.measures.length:.0f} mm; markers are up to {1e3 * self.residuals[worst]:.0f} mm from "
            f"their landmarks ({worst})"
        )
        return (fit, *self.warnings)

    def to_dict(self) -> dict[str, object]:
        """Numbers for files, SI."""
        return {
            "side": self.side, "mirrored": self.mirrored, "scale": list(self.scale), "ankle": self.ankle.tolist(),
            "residuals": dict(self.residuals), "transform": self.transform.tolist(), "warnings": list(self.warnings),
            "length": self.foot.shape.measures.length, "ball_width": self.foot.shape.measures.ball_width,
        }  # fmt: skip


def register_foot(
    foot: Foot, skeleton: HumanSkeleton, side: str, sole_height: float, marker_radius: float = MARKER_RADIUS_M
) -> FootRegistration:
    """Register a foot model. sole_height: m, of the sole in the frame of the foot segment, negative: below the ankle.
    marker_radius: m. Raises ModelError if heel or metatarsal markers are missing, or belong to the other side."""
    at = ErrorContext("foot registration", side)
    marks = foot_markers(skeleton, side)
    if "heel" not in marks or not {"mt1", "mt2", "mt5"} & set(marks):
        at.fail("has no markers of heel and metatarsals", ", ".join(marks) or "none", "heel and mt1, mt2 or mt5")
    if {"mt1", "mt5"} <= set(marks) and marks["mt1"][1] <= marks["mt5"][1]:
        at.fail(
            "has its first metatarsal beside the fifth: these are markers of the other foot", expected="--sides swapped"
        )
    radius = at["marker_radius"].not_negative(marker_radius, "m")
    length, width, offset = _fit_size(marks, radius)
    if not MIN_PERSON_FOOT_LENGTH_M <= length <= MAX_PERSON_FOOT_LENGTH_M:
        at.fail(f"has markers of a foot {1e3 * length:.0f} mm long", expected="heel and metatarsal markers on the skin")
    measures = foot.shape.measures
    width = measures.ball_width * length / measures.length if np.isnan(width) else width
    scale = (length / measures.length, width / measures.ball_width, length / measures.length)
    scaled = foot.scaled(scale)
    medial = scaled.shape.medial
    ankle = np.array([-offset[0], -medial * offset[1], -sole_height])
    residuals = {}
    for name, place in marks.items():
        apart = _landmark(name, length, width, offset, radius) - place
        residuals[name] = float(np.hypot(*apart))
    warnings = [
        f"warning: the {side} {name} marker is {1e3 * apart:.0f} mm from its landmark"
        for name, apart in residuals.items() if apart > MAX_MARKER_RESIDUAL_M
    ]  # fmt: skip
    if abs(scale[0] - 1.0) > MAX_SIZE_DIFFERENCE:
        warnings.insert(
            0, f"warning: the foot model is of another size: it is {1e3 * measures.length:.0f} mm long, and the markers of the "
            f"{side} foot are those of one of {1e3 * length:.0f} mm; it was scaled, with its tissue"
        )  # fmt: skip
    return FootRegistration(
        side, scaled, scale, ankle, residuals, _transform(scale, ankle, side, foot.shape.side), tuple(warnings)
    )


def foot_markers(skeleton: HumanSkeleton, side: str) -> dict[str, Array]:
    """Positions (2,) of landmarks of a foot in its segment: forward of the ankle and to the medial side, m."""
    segment, outward = skeleton.segments[f"{side}_foot"], SIDE_SIGNS[side]
    places: Mapping[str, Array] = segment.markers
    labels = {name: skeleton.landmarks.get(f"{side}_{name}", "") for name in LANDMARK_POSITION_RATIOS}
    return {
        name: np.array([places[label][0], -outward * places[label][2]])
        for name, label in labels.items() if label in places
    }  # fmt: skip


def _fit_size(marks: Mapping[str, Array], radius: float) -> tuple[float, float, Array]:
    """Length, ball width (NaN if undetermined) and offset (2,) of the heel end from the ankle, m."""
    names = list(marks)
    ratios = np.array([LANDMARK_POSITION_RATIOS[name] for name in names])
    skin = np.array([marks[name] for name in names]) - radius * np.array([MARKER_DIRECTIONS[name] for name in names])
    ahead = np.linalg.lstsq(np.column_stack([ratios[:, 0], np.ones(len(names))]), skin[:, 0], rcond=None)[0]
    across = np.linalg.lstsq(np.column_stack([ratios[:, 1], np.ones(len(names))]), skin[:, 1], rcond=None)[0]
    wide = float(across[0]) if {"mt1", "mt5"} <= set(names) else np.nan
    return float(ahead[0]), wide, np.array([ahead[1], across[1]])


def _landmark(name: str, length: float, width: float, offset: Array, radius: float) -> Array:
    """Centre (2,) of the marker of a landmark, forward of the ankle and to the medial side, m."""
    along, medial = LANDMARK_POSITION_RATIOS[name]
    return offset + np.array([along * length, medial * width]) + radius * np.array(MARKER_DIRECTIONS[name])


def _transform(scale: tuple[float, float, float], ankle: Array, side: str, model_side: str) -> Array:
    """Matrix (4, 4): frame of the unscaled model (x forward, y left, z up) to that of the segment (x forward, y up, z
    right)."""
    mirror = 1.0 if side == model_side else -1.0
    axes = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -mirror, 0.0]])
    matrix = np.eye(4)
    matrix[:3, :3] = axes * np.array(scale)
    matrix[:3, 3] = -axes @ ankle
    return matrix
