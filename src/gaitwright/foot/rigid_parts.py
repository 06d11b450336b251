"""Rigid parts inside a foot: one clamped region, as in paper 004, or cores of bone joined by hinges with springs.

Nodes of a core move with its body. Cells with only such nodes would never be strained, or would connect two cores with
tissue. They are removed, and their mass is added to the core. The other cells are the tissue.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.foot.anatomy import FootAnatomy, FootHinge, depth_in_core, divide_foot
from gaitwright.foot.mesh_snapping import snap_to_level
from gaitwright.foot.shape import FootShape
from gaitwright.foot.tissue import Tissue
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.mesh import Mesh


@dataclass(frozen=True)
class Clamp:
    """Clamp: one rigid piece, either all nodes above a height or only those of the flat top; the foot of paper 004.

    above: m, over the lowest point of the sole; None for the region `cut`. Results depend on this value: the higher it is,
    the more of the foot deforms."""

    above: float | None = None

    def anatomy(self, shape: FootShape, mesh: Mesh, tissue: Tissue) -> FootAnatomy:
        at = ErrorContext("clamp", "above")
        if self.above is None:
            owned = np.isin(np.arange(len(mesh.nodes)), mesh.region("cut").nodes)
            where = "the cut"
        else:
            height = at.positive(self.above, "m")
            owned, where = mesh.nodes[:, 2] >= height, f"{1e3 * height:.0f} mm"
            if not owned.any():
                at.fail("clamps nothing", height, f"between 0 and {mesh.bounds[1, 2]:.3g} m")
        return divide_foot(shape, mesh, tissue, np.where(owned, 0, -1), ("rearfoot",), (), f"clamped above {where}")


@dataclass(frozen=True)
class FootJoint:
    """Joint between two cores. lateral, medial: ends of the axis at the two borders of the foot, in foot lengths
    from its heel. stiffness: N m/rad; damping: N m s/rad. rest: rad, angle without torque, positive with the toes
    bent down. source: reference."""

    lateral: float
    medial: float
    stiffness: float
    damping: float
    source: str = ""
    rest: float = 0.0


FOOT_JOINTS = {
    "midtarsal": FootJoint(0.36, 0.40, 250.0, 1.0,
        "order of magnitude: an arch that sinks by some mm in standing; in walking, muscles included, two and a half times"
        " the ankle's (A. M. Kern, N. Papachatzis, J. M. Patterson, D. A. Bruening, K. Z. Takahashi, PeerJ 7 (2019) e7487)"),
    "tarsometatarsal": FootJoint(0.50, 0.56, 600.0, 1.0, "order of magnitude: hardly moves"),
    "toe": FootJoint(0.64, 0.73, 25.0, 0.5,
        "axis: that of the ball in our drawing (outline.py); stiffness with the"
        " plantar fascia (A. Falisse, M. Afschrift, F. De Groote, PLoS ONE 17 (2022) e0256311); the first toe alone, loose,"
        " 1 (H. S. Man, A. K. L. Leung, J. T. M. Cheung, T. Sterzing, J. Foot Ankle Res. 9 (2016) 41);"
        " rest: bent down by 4 degrees, as flexors and the plantar fascia do (J. H. Hicks, J. Anat. 88 (1954) 25), so that"
        " toes carry the 4 % of standing people (P. R. Cavanagh, M. M. Rodgers, A. Iiboshi, Foot Ankle 7 (1987) 262)", 0.07),
}  # fmt: skip
"""Joints of the default foot, from heel to toe."""
CORE_NAMES = ("rearfoot", "midfoot", "forefoot", "toes")


@dataclass(frozen=True)
class Cores:
    """Rearfoot, midfoot, forefoot and toes as rigid pieces in soft tissue, each joined to the next by a hinge with a spring:
    the arch deforms, and the toes bend.

    bones: a closed surface in the frame of the foot, inside which all nodes are rigid; by default, nodes deeper below the
    skin than the tissue thickness are rigid (Tissue.thickness from below, half of it from other sides). joints: by name,
    replacing those of FOOT_JOINTS."""

    bones: Mesh | None = None
    joints: Mapping[str, FootJoint] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.joints:
            ErrorContext("cores", "joints").one_of(name, FOOT_JOINTS, "is no joint of a foot")
        object.__setattr__(self, "joints", MappingProxyType({**FOOT_JOINTS, **self.joints}))

    def stiffer(self, joint: str, stiffness: float) -> Cores:
        """Return cores with another stiffness of a joint, N m/rad."""
        ErrorContext("cores", "joint").one_of(joint, FOOT_JOINTS, "is no joint of a foot")
        ErrorContext("cores", joint).positive(stiffness, "N m/rad")
        return replace(self, joints={**self.joints, joint: replace(self.joints[joint], stiffness=float(stiffness))})

    def anatomy(self, shape: FootShape, mesh: Mesh, tissue: Tissue) -> FootAnatomy:
        if self.bones is None:
            level, how = depth_in_core(shape, mesh, tissue), "cores from an inward offset of the skin"
        else:
            out = float(shape.surface.distance(self.bones.nodes).max())
            if out > 0.0:
                ErrorContext("cores", "bones").fail(
                    f"stick out of the skin by {1e3 * out:.2g} mm",
                    expected="a surface that lies inside: is it in the frame of the foot?",
                )
            level, how = -self.bones.distance(mesh.nodes), "cores from a surface of bones"
        mesh, rigid = snap_to_level(mesh, level)
        hinges = []
        owner = np.zeros(len(mesh.nodes), dtype=int)
        for k, (name, joint) in enumerate(self.joints.items()):
            lateral, axis = _joint_axis(joint, shape)
            ahead = np.cross(axis, mesh.nodes - lateral)[:, 2] < 0.0
            owner[ahead] = k + 1
            middle = lateral + axis * (-lateral[1] / axis[1])
            column = rigid & (np.abs(np.cross(axis, mesh.nodes - lateral)[:, 2]) < 0.04 * shape.measures.length)
            height = mesh.nodes[column, 2].mean() if column.any() else 0.5 * shape.measures.height
            at = np.array([*middle[:2], height])
            hinges.append(
                FootHinge(name, CORE_NAMES[k], CORE_NAMES[k + 1], at, axis, joint.stiffness, joint.damping, joint.rest)
            )
        return divide_foot(shape, mesh, tissue, np.where(rigid, owner, -1), CORE_NAMES, tuple(hinges), how)


def _joint_axis(joint: FootJoint, shape: FootShape) -> tuple[Array, Array]:
    """Point of an axis on the lateral border, at height zero, and its horizontal direction, to the left of the foot."""
    measures = shape.measures
    half = 0.5 * measures.ball_width * shape.medial
    lateral = np.array([joint.lateral * measures.length, -half, 0.0])
    axis = np.array([joint.medial * measures.length, half, 0.0]) - lateral
    axis *= np.sign(axis[1])
    return lateral, axis / np.linalg.norm(axis)
