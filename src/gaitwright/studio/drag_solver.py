"""Drag solver: lengths are locked, drives are released, and the mechanism follows the hand.

    minimise |r(q) - hand|^2      subject to  Phi(q) = 0 of the joints

by Levenberg-Marquardt steps from the present pose, each a linear system

    [ J^T J + mu W   Phi_q^T ] [ dq ]   [ J^T (hand - r) ]
    [ Phi_q          -MU     ] [ nu ] = [ -Phi           ]        J = dr/dq,  W = 1 / scale^2

limited in length, so that the pose stays on its branch. After each step the joints are closed exactly; the step is accepted
only if the point is nearer to the hand. For an unreachable hand, the point stops as near as possible. MU keeps redundant
joints solvable.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.validation_messages import VECTOR_DESCRIPTIONS
from gaitwright.mechanism.evaluation import evaluate_position, new_workspace, update_signals
from gaitwright.mechanism.kkt import build_kkt
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.parts.base import Part
from gaitwright.mechanism.pose_assembly import assemble_pose
from gaitwright.mechanism.signals import evaluate_program
from gaitwright.mechanism.tables import MechanismTables

MAX_ITERATIONS, MAX_ITERATIONS_LARGE_SYSTEM, LARGE_SYSTEM_COORDINATES = 40, 12, 100
"""Maximum iterations of one pull, and for systems with many coordinates; the next pull continues from there."""
INITIAL_DAMPING, MAX_DAMPING, DEPENDENT_ROW_DAMPING = 1e-6, 1e9, 1e-12
"""Initial and maximum weight of coordinate changes relative to the distance to the hand; damping of dependent rows."""
MAX_COORDINATE_STEP = 0.3
"""Maximum change of a coordinate in one step, relative to its scale."""
STEP_RTOL = 1e-9
"""Relative decrease of the distance (to the mechanism size) below which the iteration stops."""
CLOSED_CONSTRAINT_TOL = 1e-8
"""Maximum |Phi| of a closed pose, m or rad, relative to the mechanism size."""
BEAM_STRAIN_WEIGHT = 100.0
"""Weight of beam strain relative to the distance to the hand."""
DRIVE_SAMPLES = 720
"""Number of samples per turn for locating the drive angle."""
MAX_DENSE_COORDINATES = 600
"""Maximum number of coordinates for dense matrices: a step with 200 takes 2 ms."""


class DragSolver:
    """Drag of a mechanism. q: its pose."""

    def __init__(self, mechanism: Mechanism, q: np.ndarray, t: float = 0.0):
        if mechanism.n > MAX_DENSE_COORDINATES:
            ErrorContext(f"model '{mechanism.name}'").fail(
                f"has {mechanism.n} coordinates",
                expected=f"at most {MAX_DENSE_COORDINATES} for a mechanism that is pulled by hand",
            )
        self.mechanism, self.q, self.t = mechanism, q.copy(), t
        self.joints: MechanismTables = mechanism.joint_system
        self.work, self.system = new_workspace(self.joints), build_kkt(self.joints)
        update_signals(self.joints, self.work, t)

    def pull(self, point: str, hand: tuple[float, ...]) -> float:
        """Move the mechanism so that a point comes as near to the hand as its joints allow. Return the remaining
        distance, m."""
        if len(hand) != self.mechanism.dimension or not np.all(np.isfinite(hand)):
            ErrorContext("the hand").fail("is at no place", list(hand), VECTOR_DESCRIPTIONS[self.mechanism.dimension])
        part, local = find_point_owner(self.mechanism, point)
        target, mu = np.asarray(hand, dtype=float), INITIAL_DAMPING
        miss = self._miss(self.q, part, local, target)
        for _ in range(MAX_ITERATIONS if self.mechanism.n <= LARGE_SYSTEM_COORDINATES else MAX_ITERATIONS_LARGE_SYSTEM):
            step = self._step(part, local, target, mu)
            if step is None:
                break
            largest = float(np.max(np.abs(step) / self.mechanism.scale))
            trial = self.q.copy()
            trial[: step.size] += step * min(1.0, MAX_COORDINATE_STEP / largest if largest > 0 else 1.0)
            closed = self._closed(trial)
            decrease = -math.inf if closed is None else miss - self._miss(closed, part, local, target)
            if closed is None or not decrease > 0.0:
                mu *= 8.0
                if mu > MAX_DAMPING:
                    break
                continue
            self.q, miss, mu = closed, miss - decrease, max(0.2 * mu, INITIAL_DAMPING)
            if decrease < STEP_RTOL * self.mechanism.size:
                break
        return miss

    def _step(self, part: Part, local: Any, target: np.ndarray, mu: float) -> np.ndarray | None:
        """Change of the pose that moves the point nearer and keeps the joints closed, to first order."""
        s, w, n = self.joints, self.work, self.joints.n
        evaluate_position(s, w, self.q)
        jacobian = np.zeros((s.m_all, n))
        np.add.at(jacobian, (s.jac_row, s.jac_col), w.jac[:-1])
        slope = _point_jacobian(part, local, self.q, n)
        matrix = np.zeros((n + s.m_all, n + s.m_all))
        matrix[:n, :n] = slope.T @ slope + np.diag(mu * self.mechanism.size**2 / self.mechanism.scale**2)
        if self.mechanism.flexible:  # beams move with little strain
            row, col, form = self.mechanism.strain_form(self.q, [BEAM_STRAIN_WEIGHT] * len(self.mechanism.flexible))
            np.add.at(matrix, (row, col), form)
        matrix[:n, n:], matrix[n:, :n] = jacobian.T, jacobian
        matrix[n:, n:] -= DEPENDENT_ROW_DAMPING * np.eye(s.m_all)
        distance_vector = target - part.position(self.q[None, :], local)[0]
        try:
            step = np.linalg.solve(matrix, np.concatenate([slope.T @ distance_vector, -w.phi]))[:n]
        except np.linalg.LinAlgError:
            return None
        return step if np.all(np.isfinite(step)) else None

    def _closed(self, q: np.ndarray) -> np.ndarray | None:
        """Pose near q with closed joints; None if there is none."""
        s, w = self.joints, self.work
        if self.mechanism.flexible:
            for _ in range(3):
                q = q + self._correction(q)
        else:
            q = assemble_pose(s, new_workspace(s), self.system, q, self.mechanism.scale, self.t).q
        evaluate_position(s, w, q)
        largest = np.max(np.abs(w.phi), initial=0.0)
        return (
            q if np.all(np.isfinite(q)) and largest <= CLOSED_CONSTRAINT_TOL * max(self.mechanism.size, 1.0) else None
        )

    def _correction(self, q: np.ndarray) -> np.ndarray:
        """Smallest change of a pose with beams that closes its joints, to first order."""
        s, w, n = self.joints, self.work, self.joints.n
        evaluate_position(s, w, q)
        jacobian = np.zeros((s.m_all, n))
        np.add.at(jacobian, (s.jac_row, s.jac_col), w.jac[:-1])
        scaled = jacobian * self.mechanism.scale
        change = np.zeros(n + 1)
        change[:n] = -self.mechanism.scale * (np.linalg.pinv(scaled, rcond=1e-10) @ w.phi)
        return change

    def _miss(self, q: np.ndarray, part: Part, local: Any, target: np.ndarray) -> float:
        return float(np.linalg.norm(part.position(q[None, :], local)[0] - target))

    def time_of(self, period: float | None) -> float | None:
        """Time in the turn at which the only rotating drive has the dragged angle, s; None if there is none."""
        pairs = zip(self.mechanism.constraint_names, self.mechanism.constraints, strict=True)
        drives = [(names, element) for names, element in pairs if names.kind == "drive"]
        if not period or len(drives) != 1 or drives[0][0].declaration.turns is None:
            return None
        names, element = drives[0]
        turns: Any = names.declaration.turns
        reference, body = turns
        angle = self.q[self.mechanism.turn_of(names.bodies[body])]
        angle -= 0.0 if reference is None else self.q[self.mechanism.turn_of(names.bodies[reference])]
        times = np.linspace(0.0, period, DRIVE_SAMPLES + 1)
        drive_angles = evaluate_program(self.mechanism.signals[element.signals[0]], times)[0]
        deviations = np.abs(np.remainder(drive_angles - angle + math.pi, 2 * math.pi) - math.pi)
        k = int(np.argmin(deviations))
        if not deviations[k] <= np.max(np.abs(np.diff(drive_angles))):
            return None  # the drive never has this angle
        rate = evaluate_program(self.mechanism.signals[element.signals[0]], times[k])[1]
        miss = math.remainder(float(angle - drive_angles[k]), 2 * math.pi)
        return float(np.clip(times[k] + (miss / float(rate) if rate else 0.0), 0.0, period))


def find_point_owner(mechanism: Mechanism, point: str) -> tuple[Part, Any]:
    """Part that owns a point, given as A (of the first link that has it) or K1.F, and the local position of the
    point."""
    owner, dot, name = point.rpartition(".")
    for part in mechanism.parts.values() if dot or name not in mechanism.ground_points else ():
        if (part.name == owner if dot else name in part.shared) and (local_position := part.place(name)) is not None:
            return part, local_position
    names = [name for part in mechanism.parts.values() for name in part.shared if name not in mechanism.ground_points]
    ErrorContext(f"point '{point}'").fail(
        "is no moving point", expected=f"one of {', '.join(dict.fromkeys(names))}, or body.point"
    )


def _point_jacobian(part: Part, local: Any, q: np.ndarray, n: int) -> np.ndarray:
    """Jacobian of a point position with respect to the coordinates: dr/dq."""
    index, rows = part.velocity_at(local)
    slope = np.zeros((len(part.position(q[None, :], local)[0]), n))
    slope[:, index] = rows(q[index])
    return slope
