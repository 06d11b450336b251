"""Pulling at a point: lengths are locked, drives let go, and the mechanism follows the hand.

    minimise |r(q) - hand|^2      subject to  Phi(q) = 0 of the joints

by steps of Levenberg and Marquardt from the present pose, each a linear system

    [ J^T J + mu W   Phi_q^T ] [ dq ]   [ J^T (hand - r) ]
    [ Phi_q          -MU     ] [ nu ] = [ -Phi           ]        J = dr/dq,  W = 1 / scale^2

and short ones, so that it stays on its branch. After each the joints are closed exactly, and it counts only if the point came
nearer: so a hand that the mechanism cannot reach pulls it as near as it gets. MU keeps redundant joints solvable.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gaitwright.checks import At
from gaitwright.messages import VECTORS
from gaitwright.system.assemble import close
from gaitwright.system.evaluate import position, signals_at, workspace
from gaitwright.system.kkt import kkt
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.parts.base import Part
from gaitwright.system.signals import evaluate_program
from gaitwright.system.tables import System

STEPS, FEW_STEPS, MANY = 40, 12, 100
"""Of one pull, and of one of a mechanism with many coordinates; the next pull goes on from there."""
SMALL, LARGE, MU = 1e-6, 1e9, 1e-12
"""Weight of changes beside the distance to the hand, at first and at most; damping of dependent rows."""
TURN = 0.3
"""Largest change of a coordinate in one step, in its scale."""
NEAR = 1e-9
"""Part of the size of the mechanism below which a step changes nothing."""
OPEN = 1e-8
"""Largest |Phi| of a pose that counts as closed, m or rad, in sizes of the mechanism."""
STIFF = 100.0
"""How much more a strain of a beam counts than the distance to the hand."""
INSTANTS = 720
"""Of a turn, at which a drive is looked at."""
MOST = 600
"""Coordinates of a mechanism that is pulled by dense matrices: a step of 200 takes 2 ms."""


class Puller:
    """A mechanism in the hand. q: its pose."""

    def __init__(self, mechanism: Mechanism, q: np.ndarray, t: float = 0.0):
        if mechanism.n > MOST:
            At(f"model '{mechanism.name}'").fail(
                f"has {mechanism.n} coordinates", expected=f"at most {MOST} for a mechanism that is pulled by hand"
            )
        self.mechanism, self.q, self.t = mechanism, q.copy(), t
        self.joints: System = mechanism.joints_only()
        self.work, self.system = workspace(self.joints), kkt(self.joints)
        signals_at(self.joints, self.work, t)

    def pull(self, point: str, hand: tuple[float, ...]) -> float:
        """Move the mechanism so that a point comes as near to the hand as its joints allow; the distance that is left, m."""
        if len(hand) != self.mechanism.dimension or not np.all(np.isfinite(hand)):
            At("the hand").fail("is at no place", list(hand), VECTORS[self.mechanism.dimension])
        part, local = owner_of(self.mechanism, point)
        target, mu = np.asarray(hand, dtype=float), SMALL
        miss = self._miss(self.q, part, local, target)
        for _ in range(STEPS if self.mechanism.n <= MANY else FEW_STEPS):
            step = self._step(part, local, target, mu)
            if step is None:
                break
            largest = float(np.max(np.abs(step) / self.mechanism.scale))
            trial = self.q.copy()
            trial[: step.size] += step * min(1.0, TURN / largest if largest > 0 else 1.0)
            found = self._closed(trial)
            nearer = -math.inf if found is None else miss - self._miss(found, part, local, target)
            if found is None or not nearer > 0.0:
                mu *= 8.0
                if mu > LARGE:
                    break
                continue
            self.q, miss, mu = found, miss - nearer, max(0.2 * mu, SMALL)
            if nearer < NEAR * self.mechanism.size:
                break
        return miss

    def _step(self, part: Part, local: Any, target: np.ndarray, mu: float) -> np.ndarray | None:
        """The change of the pose that brings the point nearer and keeps the joints closed, to first order."""
        s, w, n = self.joints, self.work, self.joints.n
        position(s, w, self.q)
        jacobian = np.zeros((s.m_all, n))
        np.add.at(jacobian, (s.jac_row, s.jac_col), w.jac[:-1])
        slope = _slope(part, local, self.q, n)
        matrix = np.zeros((n + s.m_all, n + s.m_all))
        matrix[:n, :n] = slope.T @ slope + np.diag(mu * self.mechanism.size**2 / self.mechanism.scale**2)
        if self.mechanism.flexible:  # beams are carried, not bent
            row, col, form = self.mechanism.strain_form(self.q, [STIFF] * len(self.mechanism.flexible))
            np.add.at(matrix, (row, col), form)
        matrix[:n, n:], matrix[n:, :n] = jacobian.T, jacobian
        matrix[n:, n:] -= MU * np.eye(s.m_all)
        away = target - part.position(self.q[None, :], local)[0]
        try:
            step = np.linalg.solve(matrix, np.concatenate([slope.T @ away, -w.phi]))[:n]
        except np.linalg.LinAlgError:
            return None
        return step if np.all(np.isfinite(step)) else None

    def _closed(self, q: np.ndarray) -> np.ndarray | None:
        """The pose near q with its joints closed; None if there is none."""
        s, w = self.joints, self.work
        if self.mechanism.flexible:
            for _ in range(3):
                q = q + self._correction(q)
        else:
            q = close(s, workspace(s), self.system, q, self.mechanism.scale, self.t).q
        position(s, w, q)
        largest = np.max(np.abs(w.phi), initial=0.0)
        return q if np.all(np.isfinite(q)) and largest <= OPEN * max(self.mechanism.size, 1.0) else None

    def _correction(self, q: np.ndarray) -> np.ndarray:
        """The smallest change of a pose with beams that closes its joints, to first order."""
        s, w, n = self.joints, self.work, self.joints.n
        position(s, w, q)
        jacobian = np.zeros((s.m_all, n))
        np.add.at(jacobian, (s.jac_row, s.jac_col), w.jac[:-1])
        scaled = jacobian * self.mechanism.scale
        change = np.zeros(n + 1)
        change[:n] = -self.mechanism.scale * (np.linalg.pinv(scaled, rcond=1e-10) @ w.phi)
        return change

    def _miss(self, q: np.ndarray, part: Part, local: Any, target: np.ndarray) -> float:
        return float(np.linalg.norm(part.position(q[None, :], local)[0] - target))

    def time_of(self, period: float | None) -> float | None:
        """The time of the turn at which the one drive that turns something has it where it was pulled to, s."""
        pairs = zip(self.mechanism.constraint_names, self.mechanism.constraints, strict=True)
        drives = [(names, element) for names, element in pairs if names.kind == "drive"]
        if not period or len(drives) != 1 or drives[0][0].declaration.turns is None:
            return None
        names, element = drives[0]
        turns: Any = names.declaration.turns
        reference, body = turns
        angle = self.q[self.mechanism.turn_of(names.bodies[body])]
        angle -= 0.0 if reference is None else self.q[self.mechanism.turn_of(names.bodies[reference])]
        times = np.linspace(0.0, period, INSTANTS + 1)
        driven = evaluate_program(self.mechanism.signals[element.signals[0]], times)[0]
        off = np.abs(np.remainder(driven - angle + math.pi, 2 * math.pi) - math.pi)
        k = int(np.argmin(off))
        if not off[k] <= np.max(np.abs(np.diff(driven))):
            return None  # it never gets there
        rate = evaluate_program(self.mechanism.signals[element.signals[0]], times[k])[1]
        miss = math.remainder(float(angle - driven[k]), 2 * math.pi)
        return float(np.clip(times[k] + (miss / float(rate) if rate else 0.0), 0.0, period))


def owner_of(mechanism: Mechanism, point: str) -> tuple[Part, Any]:
    """The part that a point belongs to, A of the first link that has it or K1.F, and its place there."""
    owner, dot, name = point.rpartition(".")
    for part in mechanism.parts.values() if dot or name not in mechanism.ground_points else ():
        if (part.name == owner if dot else name in part.shared) and (place := part.place(name)) is not None:
            return part, place
    known = [name for part in mechanism.parts.values() for name in part.shared if name not in mechanism.ground_points]
    At(f"point '{point}'").fail(
        "is no moving point", expected=f"one of {', '.join(dict.fromkeys(known))}, or body.point"
    )


def _slope(part: Part, local: Any, q: np.ndarray, n: int) -> np.ndarray:
    """How a point moves with the coordinates: dr/dq."""
    index, rows = part.velocity_at(local)
    slope = np.zeros((len(part.position(q[None, :], local)[0]), n))
    slope[:, index] = rows(q[index])
    return slope
