"""Combination of serial joints of one MJCF body into the single joint with the same degrees of freedom."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitwright.formats.imported_assembly import Array, ImportedJoint
from gaitwright.formats.mjcf_file import MjcfJoint

AXIS_ALIGNMENT_TOL = 1e-9
"""Tolerance for rounding of cosines and of distances (m)."""


JOINT_PART_SUFFIXES = ("1", "2", "slide", "turn", "ball")


class PosedMjcfJoint(NamedTuple):
    """Joint in the drawn pose. at, axis: ground frame. travel: its position, rad or m."""

    joint: MjcfJoint
    at: Array
    axis: Array
    travel: float


def combine_joints(moved: list[PosedMjcfJoint], above: str, below: str) -> list[ImportedJoint] | None:
    """Joints from `above` to `below`; empty for a free body, None if no equivalent joint exists."""
    kinds = [posed.joint.kind for posed in moved]
    if "free" in kinds:
        return []
    slides = [posed for posed in moved if posed.joint.kind == "slide"]
    turns = [posed for posed in moved if posed.joint.kind == "hinge"]
    balls = kinds.count("ball")
    first = [posed.joint.kind for posed in moved[: len(slides)]]
    slides_first = first == ["slide"] * len(slides)
    name = _common_name([posed.joint.name for posed in moved])
    if len(slides) > 1 and _axes_rank([posed.axis for posed in slides]) < len(slides):
        return None
    if balls or len(turns) == 3:
        together = (balls == 1 and not turns) or (
            not balls and _axes_meet(turns) and _axes_rank([t.axis for t in turns]) == 3
        )
        slides_last = [posed.joint.kind for posed in moved[len(moved) - len(slides) :]] == ["slide"] * len(slides)
        if not together or not (slides_first or slides_last):
            return None
        pivot = next(posed for posed in moved if posed.joint.kind != "slide")
        ends = (above, below) if slides_first else (below, above)
        return _combine_slides_and_ball(name, slides, pivot, *ends)
    if not turns:
        return [_convert_single_joint(moved[0], name, above, below)] if len(slides) == 1 else None
    if not slides:
        return _combine_hinges(turns, name, above, below)
    if len(turns) == 1:
        return _combine_slides_and_hinge(moved, slides, turns[0], name, above, below)
    return None


def _common_name(names: list[str]) -> str:
    """Name of one joint for several: the common stem before -1, -2, -slide, -turn and -ball if all have it, as in files that
    Gaitwright wrote, otherwise all names joined."""
    stems = {name.rpartition("-")[0] for name in names if name.rpartition("-")[2] in JOINT_PART_SUFFIXES}
    if len(names) > 1 and len(stems) == 1 and all(name.rpartition("-")[2] in JOINT_PART_SUFFIXES for name in names):
        return stems.pop() or names[0]
    return "_".join(names)


def _convert_single_joint(posed: PosedMjcfJoint, name: str, above: str, below: str) -> ImportedJoint:
    kind = {"hinge": "revolute", "slide": "prismatic"}[posed.joint.kind]
    joint = posed.joint
    return ImportedJoint(
        name, kind, above, below, posed.at, axis=posed.axis, travel=posed.travel, stiffness=joint.stiffness,
        damping=joint.damping, rest=joint.rest, limits=joint.limits,
    )  # fmt: skip


def _combine_hinges(turns: list[PosedMjcfJoint], name: str, above: str, below: str) -> list[ImportedJoint] | None:
    if len(turns) == 1:
        return [_convert_single_joint(turns[0], name, above, below)]
    # The second axis is fixed in the child, and its angle to the first is constant.
    if len(turns) == 2 and _axes_meet(turns) and abs(turns[0].axis @ turns[1].axis) < AXIS_ALIGNMENT_TOL:
        return [ImportedJoint(name, "universal", above, below, turns[0].at, axis=turns[0].axis, axis_b=turns[1].axis)]
    return None


def _combine_slides_and_ball(
    name: str, slides: list[PosedMjcfJoint], pivot: PosedMjcfJoint, above: str, below: str
) -> list[ImportedJoint] | None:
    at = pivot.at
    if not slides:
        return [ImportedJoint(name, "spherical", above, below, at)]
    if len(slides) == 1:
        return [ImportedJoint(name, "point-on-line", above, below, at, axis=slides[0].axis)]
    if len(slides) == 2:
        normal = np.cross(slides[0].axis, slides[1].axis)
        return [ImportedJoint(name, "point-on-plane", above, below, at, axis=normal / np.linalg.norm(normal))]
    return []


def _combine_slides_and_hinge(
    moved: list[PosedMjcfJoint], slides: list[PosedMjcfJoint], turn: PosedMjcfJoint, name: str, above: str, below: str
) -> list[ImportedJoint] | None:
    axis = turn.axis
    across = all(abs(posed.axis @ axis) < AXIS_ALIGNMENT_TOL for posed in slides)
    if len(slides) == 1 and abs(abs(slides[0].axis @ axis) - 1.0) < AXIS_ALIGNMENT_TOL:
        return [ImportedJoint(name, "cylindrical", above, below, turn.at, axis=axis, travel=turn.travel)]
    if not across:
        return None
    plane = ImportedJoint(name, "planar", above, below, turn.at, axis=axis)
    if len(slides) == 2:
        return [plane]
    # A plane and a line in it, fixed in the parent if the slide comes first, otherwise in the child.
    normal = np.cross(axis, slides[0].axis)
    ends = (above, below) if moved[0].joint.kind == "slide" else (below, above)
    return [plane, ImportedJoint(f"{name}-line", "point-on-plane", *ends, turn.at, axis=normal)]


def _axes_meet(turns: list[PosedMjcfJoint]) -> bool:
    """True if all axes pass through the anchor of the first."""
    size = max(1.0, *(float(np.abs(posed.at).max()) for posed in turns))
    return all(float(np.abs(posed.at - turns[0].at).max()) < AXIS_ALIGNMENT_TOL * size for posed in turns)


def _axes_rank(axes: list[Array]) -> int:
    return int(np.linalg.matrix_rank(np.array(axes), tol=1e-6))
