"""The loop and the links of a dead point.

    Phi_q^T y = 0        y: reactions that a singular pose leaves undetermined; their joints and drives form the loop
    Phi_q z = 0          z: displacements that remain possible with the drives held; their bodies are the links that move

y and z are the singular vectors of Phi_q (in scaled coordinates) to its smallest singular value, so the pose need only be near
a dead point.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitwright.mechanism.evaluation import evaluate_position, new_workspace, update_signals
from gaitwright.mechanism.mechanism import ConstraintNames, Mechanism
from gaitwright.mechanism.pose_assembly import MAX_DENSE_JACOBIAN_ENTRIES
from gaitwright.mechanism.tables import Array

MIN_COMPONENT_RATIO = 0.05
"""Component of a singular vector over its largest one from which it counts."""
MAX_LISTED_NAMES = 8
"""Names listed in a message; the number of further ones is stated."""


class DeadPoint(NamedTuple):
    """Names that belong to a singular pose. drives: drives that lose their hold. joints: joints of the loop. moving: bodies
    that can still move with the drives held. sigma: smallest singular value of Phi_q in scaled coordinates."""

    drives: list[str]
    joints: list[str]
    moving: list[str]
    sigma: float

    def sentence(self) -> str:
        """Sentence such as: in the loop of joints O - A - B - C, coupler and rocker can still move although drive 'crank' is
        held."""
        loop = f"in the loop of joints {_join_names(self.joints, ' - ', ' - ')}, " if len(self.joints) > 1 else ""
        condition = f" although drives {_join_names(self.drives)} are held" if self.drives else ""
        if len(self.drives) == 1:
            condition = f" although drive '{self.drives[0]}' is held"
        return f"{loop}{_join_names(self.moving)} can still move{condition}"


def find_dead_point(mechanism: Mechanism, q: Array, t: float) -> DeadPoint | None:
    """The loop and links to which the smallest singular value of Phi_q belongs in a pose. None if Phi_q is too large for a
    dense decomposition or not finite, or if the mechanism has no constraints."""
    s, scale = mechanism.system, mechanism.scale
    if not 0 < s.m * s.n <= MAX_DENSE_JACOBIAN_ENTRIES:
        return None
    w = new_workspace(s)
    update_signals(s, w, t)
    evaluate_position(s, w, q)
    jacobian = np.zeros((s.m_all, s.n))
    np.add.at(jacobian, (s.jac_row, s.jac_col), w.jac[:-1] * scale[s.jac_col])
    if not np.all(np.isfinite(jacobian)):
        return None
    left, sigma, right = np.linalg.svd(jacobian[: s.m], full_matrices=False)
    y, z = np.abs(left[:, -1]), np.abs(right[-1])
    rows = np.flatnonzero(y >= MIN_COMPONENT_RATIO * y.max())
    loop = [mechanism.constraint_of_row(int(row)) for row in rows]
    drives = dict.fromkeys(names.name for names in loop if names.kind == "drive")
    joints = dict.fromkeys(
        names.name for names in _sort_joints_along_loop([names for names in loop if names.kind == "joint"])
    )
    moves = {part.name: np.max(z[part.index], initial=0.0) for part in mechanism.parts.values()}
    moving = [name for name, size in moves.items() if size >= MIN_COMPONENT_RATIO * z.max()]
    return DeadPoint(list(drives), list(joints), moving, float(sigma[-1]))


def _sort_joints_along_loop(joints: list[ConstraintNames]) -> list[ConstraintNames]:
    """Joints in the order of a walk from body to body, from a joint of the ground where there is one."""
    rest = list({names.name: names for names in joints}.values())
    rest.sort(key=lambda names: "ground" not in names.bodies)
    order, bodies = [], set()
    while rest:
        joint = next((names for names in rest if bodies & set(names.bodies)), rest[0])
        rest.remove(joint)
        order.append(joint)
        bodies = set(joint.bodies) - {"ground"}
    return order


def _join_names(names: list[str], between: str = ", ", last: str = " and ") -> str:
    listed = names[:MAX_LISTED_NAMES]
    if len(names) > MAX_LISTED_NAMES:
        return f"{between.join(listed)} and {len(names) - MAX_LISTED_NAMES} more"
    return last.join(filter(None, (between.join(listed[:-1]), *listed[-1:])))
