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

        def product(first: str, second: str) -> Array:
            return np.einsum("c,ci,cj->cij", cells.area, sides[first], sides[second]).reshape(-1, 36)

        # Products of a cell's directions times its area, (c, 36): a tangent stiffness is a weighted sum of them.
        self.tables = {pair: product(*pair) for pair in ("nn", "aa", "bb", "an", "bn")}
        self.tables["ab"] = product("a", "b") + product("b", "a")
        self.creep = CREEP_STIFFNESS_RATIO * self.kt * (self.tables["aa"] + self.tables["bb"]).sum(axis=0).reshape(6, 6)

    def rest(self, wrench: Array) -> PadEquilibrium:
        """Solve for the equilibrium. wrench: (n, 6), N and N m, on the limb about the cuff's centre."""
        scaled_wrench = wrench * self.reach
        displacement = self._solve(scaled_wrench, self._glued(scaled_wrench))
        imbalance = self._size(self._state(displacement, scaled_wrench)[0], scaled_wrench)
        unconverged = np.flatnonzero((imbalance > BALANCE_RTOL) & ~self.lost(displacement))
        if len(unconverged):  # increase the load in steps
            u = self._glued(scaled_wrench[unconverged] / LOAD_STEP_COUNT)
            for load_fraction in np.arange(1, LOAD_STEP_COUNT + 1) / LOAD_STEP_COUNT:
                u = self._solve(scaled_wrench[unconverged] * load_fraction, u)
            displacement[unconverged] = u
        residual, _, pressure, shear, sliding, tension = self._state(displacement, scaled_wrench)
        return PadEquilibrium(
            displacement * self.reach,
            pressure,
            shear,
            tension,
            displacement @ self.creep / self.reach,
            self._size(residual, scaled_wrench),
            sliding,
            self.lost(displacement),
        )

    def lost(self, u: Array) -> Array:
        """(n,): True if only creep holds the pad: it moved by more than MAX_SHIFT_THICKNESSES along a normal."""
        pad = self.pad
        thickness = pad.soft.thickness + (pad.cushion.thickness if pad.cushion else 0.0)
        return np.abs(u @ self.normal.T).max(axis=1) > MAX_SHIFT_THICKNESSES * thickness

    def _glued(self, wrench: Array) -> Array:
        """Displacement without lift-off and sliding: the initial guess of Newton's method."""
        area = self.cells.area
        stiff = self.k * np.einsum("c,ci,cj->ij", area, self.normal, self.normal) + self.creep / CREEP_STIFFNESS_RATIO
        stiff = stiff + self.strap_k * np.outer(self.strap, self.strap)
        rest_wrench = -self.k * (area * self.before) @ self.normal + self.held * self.strap
        return np.linalg.solve(stiff, (wrench - rest_wrench).T).T

    def _size(self, residual: Array, wrench: Array) -> Array:
        scale = np.linalg.norm(wrench, axis=1) + self.held + 1e-9
        return np.linalg.norm(residual, axis=1) / scale

    def _state(self, u: Array, wrench: Array) -> tuple[Array, ...]:
        """Residual (n, 6), tangent stiffness (n, 6, 6), pressure, shear, sliding mask and strap tension."""
        area, mu = self.cells.area, self.pad.friction
        compression = self.before - u @ self.normal.T
        touching = compression > 0.0
        pressure = self.k * np.where(touching, compression, 0.0)
        sticking = [self.kt * (u @ tangents.T) for tangents in self.two]
        sticking_shear = np.hypot(*sticking)
        sliding = sticking_shear > mu * pressure
        nonzero_shear = np.maximum(sticking_shear, 1e-300)
        share = np.where(sliding, mu * pressure / nonzero_shear, 1.0)  # of the sticking shear
        shear = [share * part for part in sticking]
        tension = np.maximum(self.held + self.strap_k * (u @ self.strap), 0.0)
        residual = -(pressure * area) @ self.normal + u @ self.creep + tension[:, None] * self.strap - wrench
        residual += sum((part * area) @ tangents for part, tangents in zip(shear, self.two, strict=True))
        # Tangent of a sliding cell: mu k N e from the pressure, and the change of the slip direction e.
        slip_a, slip_b = ((part / nonzero_shear) * sliding for part in sticking)
        shear_stiffness, friction_stiffness = self.kt * share, mu * self.k * touching
        tables = self.tables
        tangent = (self.k * touching) @ tables["nn"] + (shear_stiffness * (1.0 - slip_a**2)) @ tables["aa"]
        tangent += (shear_stiffness * (1.0 - slip_b**2)) @ tables["bb"] - (shear_stiffness * slip_a * slip_b) @ tables[
            "ab"
        ]
        tangent -= (friction_stiffness * slip_a) @ tables["an"] + (friction_stiffness * slip_b) @ tables["bn"]
        tangent = tangent.reshape(-1, 6, 6)
        tangent += self.creep + self.strap_k * (tension > 0.0)[:, None, None] * np.outer(self.strap, self.strap)
        return residual, tangent, pressure, np.stack(shear, axis=2), sliding, tension

    def _solve(self, wrench: Array, start: Array) -> Array:
        """Newton's method; each step is halved until the residual decreases."""
        u = start.copy()
        residual, tangent, *_ = self._state(u, wrench)
        size = self._size(residual, wrench)
        for _ in range(MAX_NEWTON_ITERATIONS):
            unbalanced = np.flatnonzero(size > BALANCE_RTOL)
            if not len(unbalanced):
                break
            soft = 1e-12 * np.trace(self.creep) / CREEP_STIFFNESS_RATIO * np.eye(6)
            step = np.linalg.solve(tangent[unbalanced] + soft, -residual[unbalanced][..., None])[..., 0]
            step_fraction, best = np.ones(len(unbalanced)), u[unbalanced].copy()
            accepted = [residual[unbalanced], tangent[unbalanced], size[unbalanced]]
            pending = np.arange(len(unbalanced))
            for halving in range(12):
                trial = u[unbalanced[pending]] + step_fraction[pending, None] * step[pending]
                r, t, *_ = self._state(trial, wrench[unbalanced[pending]])
                s = self._size(r, wrench[unbalanced[pending]])
                has_decreased = (s < (1.0 - 0.1 * step_fraction[pending]) * size[unbalanced[pending]]) | (halving == 11)
                accepted_rows = pending[has_decreased]
                (
                    best[accepted_rows],
                    accepted[0][accepted_rows],
                    accepted[1][accepted_rows],
                    accepted[2][accepted_rows],
                ) = (
                    trial[has_decreased],
                    r[has_decreased],
                    t[has_decreased],
                    s[has_decreased],
                )
                pending = pending[~has_decreased]
                if not len(pending):
                    break
                step_fraction[pending] *= 0.5
            u[unbalanced], residual[unbalanced], tangent[unbalanced], size[unbalanced] = best, *accepted
        return u
