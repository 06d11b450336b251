"""What is rigid inside a foot: one clamped region, as in paper 004, or cores of bone that are joined by hinges with springs.

Nodes of a core go where its body goes. Cells between such nodes alone are never strained, or would be a joint made of
flesh: they are taken away, and their mass is that of the core. What is left is the tissue.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from gaitwright.checks import At
from gaitwright.foot.anatomy import Anatomy, Hinge, depth_in_core, divided
from gaitwright.foot.fitting import fitted
from gaitwright.foot.shape import FootShape
from gaitwright.foot.tissue import Tissue
from gaitwright.mesh.kinds import Array
from gaitwright.mesh.mesh import Mesh


@dataclass(frozen=True)
class Clamp:
    """All nodes above a height are one rigid piece, or those of the flat top alone: the foot of paper 004.

    above: m, over the lowest point of the sole; None for the region `cut`. A decision that the results hang on: the higher it
    is, the more of the foot gives way."""

    above: float | None = None

    def anatomy(self, shape: FootShape, mesh: Mesh, tissue: Tissue) -> Anatomy:
        at = At("clamp", "above")
        if self.above is None:
            owned = np.isin(np.arange(len(mesh.nodes)), mesh.region("cut").nodes)
            where = "the cut"
        else:
            height = at.positive(self.above, "m")
            owned, where = mesh.nodes[:, 2] >= height, f"{1e3 * height:.0f} mm"
            if not owned.any():
                at.fail("clamps nothing", height, f"between 0 and {mesh.bounds[1, 2]:.3g} m")
        return divided(shape, mesh, tissue, np.where(owned, 0, -1), ("rearfoot",), (), f"clamped above {where}")


@dataclass(frozen=True)
class Joint:
    """How two cores are joined. lateral, medial: ends of the axis at the two borders of the foot, in lengths of the foot from
    its heel. stiffness: N m/rad; damping: N m s/rad. rest: rad, where nothing turns it, positive with the toes bent down.
    source: who found it."""

    lateral: float
    medial: float
    stiffness: float
    damping: float
    source: str = ""
    rest: float = 0.0


JOINTS = {
    "midtarsal": Joint(0.36, 0.40, 250.0, 1.0,
        "order of magnitude: an arch that sinks by some mm in standing; in walking, muscles included, two and a half times"
        " the ankle's (A. M. Kern, N. Papachatzis, J. M. Patterson, D. A. Bruening, K. Z. Takahashi, PeerJ 7 (2019) e7487)"),
    "tarsometatarsal": Joint(0.50, 0.56, 600.0, 1.0, "order of magnitude: hardly moves"),
    "toe": Joint(0.64, 0.73, 25.0, 0.5,
        "axis: that of the ball in our drawing (outline.py); stiffness with the"
        " plantar fascia (A. Falisse, M. Afschrift, F. De Groote, PLoS ONE 17 (2022) e0256311); the first toe alone, loose,"
        " 1 (H. S. Man, A. K. L. Leung, J. T. M. Cheung, T. Sterzing, J. Foot Ankle Res. 9 (2016) 41);"
        " rest: bent down by 4 degrees, as flexors and the plantar fascia do (J. H. Hicks, J. Anat. 88 (1954) 25), so that"
        " toes carry the 4 % of standing people (P. R. Cavanagh, M. M. Rodgers, A. Iiboshi, Foot Ankle 7 (1987) 262)", 0.07),
}  # fmt: skip
"""Of our foot, from heel to toe."""
CORES = ("rearfoot", "midfoot", "forefoot", "toes")


@dataclass(frozen=True)
class Cores:
    """Rearfoot, midfoot, forefoot and toes as rigid pieces in soft tissue, each joined to the next by a hinge with a spring:
    the arch gives way, and the toes bend.

    bones: a closed surface in the frame of the foot, inside which all is rigid; without it cores are what lies deeper in the
    skin than tissue is thick (Tissue.thickness from below, half of it from other sides). joints: by name, in place of those of
    JOINTS."""

    bones: Mesh | None = None
    joints: Mapping[str, Joint] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.joints:
            At("cores", "joints").one_of(name, JOINTS, "is no joint of a foot")
        object.__setattr__(self, "joints", MappingProxyType({**JOINTS, **self.joints}))

    def stiffer(self, joint: str, stiffness: float) -> Cores:
        """With another stiffness of a joint, N m/rad."""
        At("cores", "joint").one_of(joint, JOINTS, "is no joint of a foot")
        At("cores", joint).positive(stiffness, "N m/rad")
        return replace(self, joints={**self.joints, joint: replace(self.joints[joint], stiffness=float(stiffness))})

    def anatomy(self, shape: FootShape, mesh: Mesh, tissue: Tissue) -> Anatomy:
        if self.bones is None:
            level, how = depth_in_core(shape, mesh, tissue), "cores from an inward offset of the skin"
        else:
            out = float(shape.surface.distance(self.bones.nodes).max())
            if out > 0.0:
                At("cores", "bones").fail(
                    f"stick out of the skin by {1e3 * out:.2g} mm",
                    expected="a surface that lies inside: is it in the frame of the foot?",
                )
            level, how = -self.bones.distance(mesh.nodes), "cores from a surface of bones"
        mesh, rigid = fitted(mesh, level)
        hinges = []
        owner = np.zeros(len(mesh.nodes), dtype=int)
        for k, (name, joint) in enumerate(self.joints.items()):
            lateral, axis = _axis(joint, shape)
            ahead = np.cross(axis, mesh.nodes - lateral)[:, 2] < 0.0
            owner[ahead] = k + 1
            middle = lateral + axis * (-lateral[1] / axis[1])
            column = rigid & (np.abs(np.cross(axis, mesh.nodes - lateral)[:, 2]) < 0.04 * shape.measures.length)
            height = mesh.nodes[column, 2].mean() if column.any() else 0.5 * shape.measures.height
            at = np.array([*middle[:2], height])
            hinges.append(Hinge(name, CORES[k], CORES[k + 1], at, axis, joint.stiffness, joint.damping, joint.rest))
        return divided(shape, mesh, tissue, np.where(rigid, owner, -1), CORES, tuple(hinges), how)


def _axis(joint: Joint, shape: FootShape) -> tuple[Array, Array]:
    """A point of an axis on the lateral border, at height zero, and its direction, to the left of the foot: level."""
    found = shape.measures
    half = 0.5 * found.ball_width * shape.medial
    lateral = np.array([joint.lateral * found.length, -half, 0.0])
    axis = np.array([joint.medial * found.length, half, 0.0]) - lateral
    axis *= np.sign(axis[1])
    return lateral, axis / np.linalg.norm(axis)
