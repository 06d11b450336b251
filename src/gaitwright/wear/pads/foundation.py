"""A rigid pad on an elastic foundation: six displacements of the pad such that pressure, shear and strap balance its wrench.

In every cell, with the pad's translation and rotation u = (d, w) on the limb, N = (n, r x n) and T = (t, r x t):

    p = k <d0 - g - N u>              pressure, never tensile; d0 from the strap's tension, g a gap
    s = k_t T u, |s| <= mu p          shear: sticks, or slides by Coulomb's law
    T_s = <T_0 + k_s B u>             strap tension, B = sum A N / (R w): pad displacement to strap elongation
    sum A (-p N + s T) + T_s B = W    force and moment on the limb

A creep stiffness of a ten-thousandth of k_t, without a friction limit, acts in parallel with the shear: its force is the
load that friction cannot hold, and is reported. Newton's method solves all instants together; pressure and shear are
piecewise linear, so it converges exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaitwright.mesh.cell_kinds import Array
from gaitwright.wear.pads.cells import PadCells
from gaitwright.wear.pads.pad import CuffPad

CREEP_STIFFNESS_RATIO = 1.0e-4
"""Creep stiffness, without a friction limit, over the tangential stiffness."""
BALANCE_RTOL = 1.0e-11
"""Convergence tolerance of Newton's method, relative to the wrench and the strap tension."""
MAX_NEWTON_ITERATIONS = 80
MAX_SHIFT_THICKNESSES = 10.0
"""Displacement along the normal, in thicknesses of the soft layers; beyond it only creep holds the pad."""
LOAD_STEP_COUNT = 12
"""Number of load steps if Newton's method fails with the full load."""


@dataclass(frozen=True)
class PadEquilibrium:
    """Equilibrium of a pad at every instant. displacement: (n, 6), m and rad; pressure: (n, c), Pa; shear: (n, c, 2), Pa,
    within friction; tension: (n,), N; beyond: (n, 6), N and N m, load that friction did not hold; residual: (n,), relative
    imbalance; sliding: (n, c); lost: (n,), True if neither pressure, friction nor strap holds the pad."""

    displacement: Array
    pressure: Array
    shear: Array
    tension: Array
    beyond: Array
    residual: Array
    sliding: Array
    lost: Array


class PadFoundation:
    """Elastic foundation below a pad: normal and tangential springs of the cells, and the strap."""

    def __init__(self, pad: CuffPad, cells: PadCells):
        self.pad, self.cells = pad, cells
        self.k, self.kt = pad.stiffness
        reach = np.array([1.0, 1.0, 1.0, *[1.0 / pad.mean_radius] * 3])  # moments as forces at the skin
        self.reach = reach
        self.normal, self.tangents = cells.normal * reach, cells.tangents * reach
        self.strap = cells.area @ self.normal / (pad.mean_radius * pad.width)
        self.held = 0.0 if pad.strap is None else pad.strap
        self.strap_k = 0.0 if pad.strap is None else pad.strap_stiffness
        self.before = self.held / (pad.mean_radius * pad.width) / self.k - cells.gap
        self.two = self.tangents[:, 0], self.tangents[:, 1]
        sides = {"n": self.normal, "a": self.two[0], "b": self.two[1]}

        def product(one: str, other: str) -> Array:
            return np.einsum("c,ci,cj->cij", cells.area, sides[one], sides[other]).reshape(-1, 36)

        # Products of a cell's directions times its area, (c, 36): a tangent stiffness is a weighted sum of them.
        self.tables = {pair: product(*pair) for pair in ("nn", "aa", "bb", "an", "bn")}
        self.tables["ab"] = product("a", "b") + product("b", "a")
        self.creep = CREEP_STIFFNESS_RATIO * self.kt * (self.tables["aa"] + self.tables["bb"]).sum(axis=0).reshape(6, 6)

    def rest(self, wrench: Array) -> PadEquilibrium:
        """Solve for the equilibrium. wrench: (n, 6), N and N m, on the limb about the cuff's centre."""
        given = wrench * self.reach
        displacement = self._solve(given, self._glued(given))
        imbalance = self._size(self._state(displacement, given)[0], given)
        poor = np.flatnonzero((imbalance > BALANCE_RTOL) & ~self.lost(displacement))
        if len(poor):  # increase the load in steps
            u = self._glued(given[poor] / LOAD_STEP_COUNT)
            for share in np.arange(1, LOAD_STEP_COUNT + 1) / LOAD_STEP_COUNT:
                u = self._solve(given[poor] * share, u)
            displacement[poor] = u
        residual, _, pressure, shear, sliding, tension = self._state(displacement, given)
        return PadEquilibrium(
            displacement * self.reach,
            pressure,
            shear,
            tension,
            displacement @ self.creep / self.reach,
            self._size(residual, given),
            sliding,
            self.lost(displacement),
        )

    def lost(self, u: Array) -> Array:
        """(n,): True if only creep holds the pad: it moved by more than MAX_SHIFT_THICKNESSES along a normal."""
        pad = self.pad
        thickness = pad.soft.thickness + (pad.cushion.thickness if pad.cushion else 0.0)
        return np.abs(u @ self.normal.T).max(axis=1) > MAX_SHIFT_THICKNESSES * thickness

    def _glued(self, given: Array) -> Array:
        """Displacement without lift-off and sliding: the initial guess of Newton's method."""
        area = self.cells.area
        stiff = self.k * np.einsum("c,ci,cj->ij", area, self.normal, self.normal) + self.creep / CREEP_STIFFNESS_RATIO
        stiff = stiff + self.strap_k * np.outer(self.strap, self.strap)
        at_rest = -self.k * (area * self.before) @ self.normal + self.held * self.strap
        return np.linalg.solve(stiff, (given - at_rest).T).T

    def _size(self, residual: Array, given: Array) -> Array:
        scale = np.linalg.norm(given, axis=1) + self.held + 1e-9
        return np.linalg.norm(residual, axis=1) / scale

    def _state(self, u: Array, given: Array) -> tuple[Array, ...]:
        """Residual (n, 6), tangent stiffness (n, 6, 6), pressure, shear, sliding mask and strap tension."""
        area, mu = self.cells.area, self.pad.friction
        pressed = self.before - u @ self.normal.T
        touching = pressed > 0.0
        pressure = self.k * np.where(touching, pressed, 0.0)
        stuck = [self.kt * (u @ tangents.T) for tangents in self.two]
        most = np.hypot(*stuck)
        sliding = most > mu * pressure
        some = np.maximum(most, 1e-300)
        share = np.where(sliding, mu * pressure / some, 1.0)  # of the sticking shear
        shear = [share * part for part in stuck]
        tension = np.maximum(self.held + self.strap_k * (u @ self.strap), 0.0)
        residual = -(pressure * area) @ self.normal + u @ self.creep + tension[:, None] * self.strap - given
        residual += sum((part * area) @ tangents for part, tangents in zip(shear, self.two, strict=True))
        # Tangent of a sliding cell: mu k N e from the pressure, and the change of the slip direction e.
        one, other = ((part / some) * sliding for part in stuck)
        turning, pushing = self.kt * share, mu * self.k * touching
        tables = self.tables
        tangent = (self.k * touching) @ tables["nn"] + (turning * (1.0 - one**2)) @ tables["aa"]
        tangent += (turning * (1.0 - other**2)) @ tables["bb"] - (turning * one * other) @ tables["ab"]
        tangent -= (pushing * one) @ tables["an"] + (pushing * other) @ tables["bn"]
        tangent = tangent.reshape(-1, 6, 6)
        tangent += self.creep + self.strap_k * (tension > 0.0)[:, None, None] * np.outer(self.strap, self.strap)
        return residual, tangent, pressure, np.stack(shear, axis=2), sliding, tension

    def _solve(self, given: Array, start: Array) -> Array:
        """Newton's method; each step is halved until the residual decreases."""
        u = start.copy()
        residual, tangent, *_ = self._state(u, given)
        size = self._size(residual, given)
        for _ in range(MAX_NEWTON_ITERATIONS):
            open_ = np.flatnonzero(size > BALANCE_RTOL)
            if not len(open_):
                break
            soft = 1e-12 * np.trace(self.creep) / CREEP_STIFFNESS_RATIO * np.eye(6)
            step = np.linalg.solve(tangent[open_] + soft, -residual[open_][..., None])[..., 0]
            share, best = np.ones(len(open_)), u[open_].copy()
            accepted = [residual[open_], tangent[open_], size[open_]]
            waiting = np.arange(len(open_))
            for halving in range(12):
                trial = u[open_[waiting]] + share[waiting, None] * step[waiting]
                r, t, *_ = self._state(trial, given[open_[waiting]])
                s = self._size(r, given[open_[waiting]])
                good = (s < (1.0 - 0.1 * share[waiting]) * size[open_[waiting]]) | (halving == 11)
                done = waiting[good]
                best[done], accepted[0][done], accepted[1][done], accepted[2][done] = (
                    trial[good],
                    r[good],
                    t[good],
                    s[good],
                )
                waiting = waiting[~good]
                if not len(waiting):
                    break
                share[waiting] *= 0.5
            u[open_], residual[open_], tangent[open_], size[open_] = best, *accepted
        return u
