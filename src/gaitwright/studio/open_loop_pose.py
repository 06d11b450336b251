"""Pose of a mechanism that cannot close, open at one joint: all others closed, and this gap as small as they allow.

    minimise |Phi_j(q)|^2      subject to  Phi(q) = 0 of all others

The least-squares pose would distribute the gap over the whole loop, so that no joint would show the missing millimetres.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gaitwright.analysis.joint_closure import find_open_joints
from gaitwright.mechanism.evaluation import evaluate_position, new_workspace, update_signals
from gaitwright.mechanism.mechanism import ConstraintNames, Mechanism

MAX_ITERATIONS = 60
OPEN_JOINT_WEIGHTS = (0.1, 1e-2, 1e-3, 1e-4)
"""Weights of the opened joint relative to the others; each solution is the start of the next."""
MAX_COORDINATE_STEP = 0.3
"""Maximum change of a coordinate in a step, relative to its scale."""
CLOSED_CONSTRAINT_TOL = 1e-5
"""Maximum |Phi| of the other joints, m or rad, relative to the mechanism size: a hundredth of a pixel."""
MAX_DENSE_COORDINATES = 600
"""Maximum number of coordinates for dense matrices."""
MAX_CANDIDATE_JOINTS = 4
"""Maximum number of joints tried for opening a loop."""


def open_at_one_joint(
    mechanism: Mechanism, q: np.ndarray, phi: np.ndarray, t: float, suspects: Sequence[str] = ()
) -> tuple[np.ndarray, np.ndarray] | None:
    """Pose with one open joint, and its Phi; None if more than one joint must open. q, phi: of the least-squares
    pose. suspects: parts and points changed last; joints of these are opened first."""
    if mechanism.n > MAX_DENSE_COORDINATES or mechanism.flexible:
        return None
    opened = find_open_joints(mechanism, phi)
    joints = [names for names in mechanism.constraint_names if names.kind == "joint" and names.name in opened]

    def doubted(names: ConstraintNames) -> tuple[int, float]:
        words = {*names.bodies, names.name.partition(":")[0]}
        moving = "ground" not in names.bodies  # an open pin looks less odd than a detached support
        return len(words & set(suspects)) * 2 + moving, opened[names.name]

    for names in sorted(joints, key=doubted, reverse=True)[:MAX_CANDIDATE_JOINTS]:
        result = _minimise_gap(mechanism, q, t, names)
        if result is not None:
            return result
    return None


def _minimise_gap(
    mechanism: Mechanism, q: np.ndarray, t: float, joint: ConstraintNames
) -> tuple[np.ndarray, np.ndarray] | None:
    """Minimise the gap of a joint by Levenberg-Marquardt with decreasing weights of its rows."""
    s, w, n = mechanism.system, new_workspace(mechanism.system), mechanism.n
    weight = np.ones(s.m_all)
    mine = mechanism.row_position[joint.rows]
    q, scale = q.copy(), mechanism.scale
    update_signals(s, w, t)
    for lighter in OPEN_JOINT_WEIGHTS:
        weight[mine] = lighter
        q = _solve_weighted_pose(s, w, q, scale, weight, n)
    evaluate_position(s, w, q)
    others = np.delete(np.abs(w.phi), mine)
    if not np.all(np.isfinite(q)) or np.max(others, initial=0.0) > CLOSED_CONSTRAINT_TOL * max(mechanism.size, 1.0):
        return None
    return q, w.phi.copy()


def _solve_weighted_pose(s: Any, w: Any, q: np.ndarray, scale: np.ndarray, weight: np.ndarray, n: int) -> np.ndarray:
    """Pose near q with the least weighted sum of |Phi|^2."""
    mu = 1e-3
    evaluate_position(s, w, q)
    norm = float(np.linalg.norm(weight * w.phi))
    for _ in range(MAX_ITERATIONS):
        jacobian = np.zeros((s.m_all, n))
        np.add.at(jacobian, (s.jac_row, s.jac_col), w.jac[:-1])
        jacobian *= weight[:, None] * scale
        gradient = jacobian.T @ (weight * w.phi)
        normal = jacobian.T @ jacobian
        size = float(np.trace(normal)) / n
        while True:
            step = np.linalg.solve(normal + mu * size * np.eye(n), -gradient)
            trial = q.copy()
            trial[:n] += scale * step * min(1.0, MAX_COORDINATE_STEP / max(float(np.max(np.abs(step))), 1e-300))
            evaluate_position(s, w, trial)
            trial_norm = float(np.linalg.norm(weight * w.phi))
            if trial_norm < norm or mu > 1e8:
                break
            mu *= 4.0
        if not trial_norm < norm:
            evaluate_position(s, w, q)
            break
        gained, q, norm = norm - trial_norm, trial, trial_norm
        mu = max(0.1 * mu, 1e-14)
        if gained < 1e-10 * norm:
            break
    return q
