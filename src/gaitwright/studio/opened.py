"""A mechanism that cannot close, drawn open at one joint: all others closed, and that one as little open as they allow.

    minimise |Phi_j(q)|^2      subject to  Phi(q) = 0 of all others

The pose of least squares would spread the gap over the whole loop, so that no number in it is the millimetres that are missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gaitwright.analyse.closing import open_joints
from gaitwright.system.evaluate import position, signals_at, workspace
from gaitwright.system.mechanism import ConstraintNames, Mechanism

STEPS = 60
WEIGHTS = (0.1, 1e-2, 1e-3, 1e-4)
"""Of the joint that is opened, beside the others: each a start for the next."""
TURN = 0.3
"""Largest change of a coordinate in a step, in its scale."""
CLOSED = 1e-5
"""|Phi| of the other joints, m or rad, in sizes of the mechanism, at which they count as closed: a hundredth of a pixel."""
MOST = 600
"""Coordinates of a mechanism that is looked at by dense matrices."""
TRIED = 4
"""Joints at which a loop may be opened that are tried."""


def open_at_one(
    mechanism: Mechanism, q: np.ndarray, phi: np.ndarray, t: float, suspects: Sequence[str] = ()
) -> tuple[np.ndarray, np.ndarray] | None:
    """The pose with one joint open, and its Phi; None if more than one has to be. q, phi: of the pose of least squares.
    suspects: parts and points that were changed last, where it is opened rather than elsewhere."""
    if mechanism.n > MOST or mechanism.flexible:
        return None
    opened = open_joints(mechanism, phi)
    joints = [names for names in mechanism.constraint_names if names.kind == "joint" and names.name in opened]

    def doubted(names: ConstraintNames) -> tuple[int, float]:
        words = {*names.bodies, names.name.partition(":")[0]}
        moving = "ground" not in names.bodies  # a support that comes off looks odder than a pin that opens
        return len(words & set(suspects)) * 2 + moving, opened[names.name]

    for names in sorted(joints, key=doubted, reverse=True)[:TRIED]:
        found = _opened(mechanism, q, t, names)
        if found is not None:
            return found
    return None


def _opened(
    mechanism: Mechanism, q: np.ndarray, t: float, joint: ConstraintNames
) -> tuple[np.ndarray, np.ndarray] | None:
    """By Levenberg and Marquardt's method, with the rows of the joint weighing less and less."""
    s, w, n = mechanism.system, workspace(mechanism.system), mechanism.n
    weight = np.ones(s.m_all)
    mine = mechanism.row_position[joint.rows]
    q, scale = q.copy(), mechanism.scale
    signals_at(s, w, t)
    for lighter in WEIGHTS:
        weight[mine] = lighter
        q = _least(s, w, q, scale, weight, n)
    position(s, w, q)
    others = np.delete(np.abs(w.phi), mine)
    if not np.all(np.isfinite(q)) or np.max(others, initial=0.0) > CLOSED * max(mechanism.size, 1.0):
        return None
    return q, w.phi.copy()


def _least(s: Any, w: Any, q: np.ndarray, scale: np.ndarray, weight: np.ndarray, n: int) -> np.ndarray:
    """The pose near q in which the weighted sum of |Phi|^2 is least."""
    mu = 1e-3
    position(s, w, q)
    norm = float(np.linalg.norm(weight * w.phi))
    for _ in range(STEPS):
        jacobian = np.zeros((s.m_all, n))
        np.add.at(jacobian, (s.jac_row, s.jac_col), w.jac[:-1])
        jacobian *= weight[:, None] * scale
        gradient = jacobian.T @ (weight * w.phi)
        normal = jacobian.T @ jacobian
        size = float(np.trace(normal)) / n
        while True:
            step = np.linalg.solve(normal + mu * size * np.eye(n), -gradient)
            trial = q.copy()
            trial[:n] += scale * step * min(1.0, TURN / max(float(np.max(np.abs(step))), 1e-300))
            position(s, w, trial)
            found = float(np.linalg.norm(weight * w.phi))
            if found < norm or mu > 1e8:
                break
            mu *= 4.0
        if not found < norm:
            position(s, w, q)
            break
        gained, q, norm = norm - found, trial, found
        mu = max(0.1 * mu, 1e-14)
        if gained < 1e-10 * norm:
            break
    return q
