"""Joints that one body of MJCF has one after the other, as the one joint that leaves the same freedom."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitwright.formats.assembly import Array, Tie
from gaitwright.formats.mjcf_file import MjcfJoint

NEARLY = 1e-9
"""Cosines and parts of a metre that are rounding."""


SUFFIXES = ("1", "2", "slide", "turn", "ball")


class Moved(NamedTuple):
    """A joint in the drawn pose. at, axis: ground frame. travel: its position, rad or m."""

    joint: MjcfJoint
    at: Array
    axis: Array
    travel: float


def combined(moved: list[Moved], above: str, below: str) -> list[Tie] | None:
    """Ties from `above` to `below`; nothing for a free body, None where there is no such joint."""
    kinds = [one.joint.kind for one in moved]
    if "free" in kinds:
        return []
    slides = [one for one in moved if one.joint.kind == "slide"]
    turns = [one for one in moved if one.joint.kind == "hinge"]
    balls = kinds.count("ball")
    first = [one.joint.kind for one in moved[: len(slides)]]
    slides_first = first == ["slide"] * len(slides)
    name = _common([one.joint.name for one in moved])
    if len(slides) > 1 and _rank([one.axis for one in slides]) < len(slides):
        return None
    if balls or len(turns) == 3:
        together = (balls == 1 and not turns) or (not balls and _meet(turns) and _rank([t.axis for t in turns]) == 3)
        slides_last = [one.joint.kind for one in moved[len(moved) - len(slides) :]] == ["slide"] * len(slides)
        if not together or not (slides_first or slides_last):
            return None
        pivot = next(one for one in moved if one.joint.kind != "slide")
        ends = (above, below) if slides_first else (below, above)
        return _sliding_ball(name, slides, pivot, *ends)
    if not turns:
        return [_single(moved[0], name, above, below)] if len(slides) == 1 else None
    if not slides:
        return _hinges(turns, name, above, below)
    if len(turns) == 1:
        return _slides_and_hinge(moved, slides, turns[0], name, above, below)
    return None


def _common(names: list[str]) -> str:
    """The name of one joint for several: what stands before -1, -2, -slide, -turn and -ball if all have it, as where a joint of
    ours was written, otherwise all names."""
    stems = {name.rpartition("-")[0] for name in names if name.rpartition("-")[2] in SUFFIXES}
    if len(names) > 1 and len(stems) == 1 and all(name.rpartition("-")[2] in SUFFIXES for name in names):
        return stems.pop() or names[0]
    return "_".join(names)


def _single(one: Moved, name: str, above: str, below: str) -> Tie:
    kind = {"hinge": "revolute", "slide": "prismatic"}[one.joint.kind]
    joint = one.joint
    return Tie(
        name, kind, above, below, one.at, axis=one.axis, travel=one.travel, stiffness=joint.stiffness,
        damping=joint.damping, rest=joint.rest, limits=joint.limits,
    )  # fmt: skip


def _hinges(turns: list[Moved], name: str, above: str, below: str) -> list[Tie] | None:
    if len(turns) == 1:
        return [_single(turns[0], name, above, below)]
    # The second axis is fixed in the child, and its angle to the first never changes.
    if len(turns) == 2 and _meet(turns) and abs(turns[0].axis @ turns[1].axis) < NEARLY:
        return [Tie(name, "universal", above, below, turns[0].at, axis=turns[0].axis, axis_b=turns[1].axis)]
    return None


def _sliding_ball(name: str, slides: list[Moved], pivot: Moved, above: str, below: str) -> list[Tie] | None:
    at = pivot.at
    if not slides:
        return [Tie(name, "spherical", above, below, at)]
    if len(slides) == 1:
        return [Tie(name, "point-on-line", above, below, at, axis=slides[0].axis)]
    if len(slides) == 2:
        normal = np.cross(slides[0].axis, slides[1].axis)
        return [Tie(name, "point-on-plane", above, below, at, axis=normal / np.linalg.norm(normal))]
    return []


def _slides_and_hinge(
    moved: list[Moved], slides: list[Moved], turn: Moved, name: str, above: str, below: str
) -> list[Tie] | None:
    axis = turn.axis
    across = all(abs(one.axis @ axis) < NEARLY for one in slides)
    if len(slides) == 1 and abs(abs(slides[0].axis @ axis) - 1.0) < NEARLY:
        return [Tie(name, "cylindrical", above, below, turn.at, axis=axis, travel=turn.travel)]
    if not across:
        return None
    plane = Tie(name, "planar", above, below, turn.at, axis=axis)
    if len(slides) == 2:
        return [plane]
    # A plane and, in it, a line: fixed in the parent if the slide comes first, in the child otherwise.
    normal = np.cross(axis, slides[0].axis)
    ends = (above, below) if moved[0].joint.kind == "slide" else (below, above)
    return [plane, Tie(f"{name}-line", "point-on-plane", *ends, turn.at, axis=normal)]


def _meet(turns: list[Moved]) -> bool:
    """Whether all axes go through the anchor of the first."""
    size = max(1.0, *(float(np.abs(one.at).max()) for one in turns))
    return all(float(np.abs(one.at - turns[0].at).max()) < NEARLY * size for one in turns)


def _rank(axes: list[Array]) -> int:
    return int(np.linalg.matrix_rank(np.array(axes), tol=1e-6))
