"""A rigid pad on a bed of springs: six displacements of the pad such that pressure, shear and strap balance its wrench.

In every cell, with the pad's translation and rotation u = (d, w) on the limb, N = (n, r x n) and T = (t, r x t):

    p = k <d0 - g - N u>              pressure: never a pull; d0 by the strap's tension, g a gap
    s = k_t T u, |s| <= mu p          shear: sticks, or slides by Coulomb's law
    T_s = <T_0 + k_s B u>             the strap, B = sum A N / (R w): what the pad's arc pulls it apart
    sum A (-p N + s T) + T_s B = W    force and moment on the limb

A spring of a ten-thousandth of k_t without bound goes along with the shear: what friction cannot hold is found in it, and is
told. Newton's method, for all instants at once; pressure and shear are piecewise linear, so that it ends exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaitwright.mesh.kinds import Array
from gaitwright.wear.pads.cells import Cells
from gaitwright.wear.pads.pad import Pad

CREEP = 1.0e-4
"""Share of the tangential stiffness that no friction bounds."""
BALANCED = 1.0e-11
"""Of the wrench and the strap's pull: where Newton's method ends."""
ITERATIONS = 80
AWAY = 10.0
"""Thicknesses of what is soft, along the normal: a pad that moves further is held by nothing but creep."""
STEPS = 12
"""Of the load, where Newton's method fails at once."""


@dataclass(frozen=True)
class Rested:
    """What a bed found for every instant. displacement: (n, 6), m and rad; pressure: (n, c), Pa; shear: (n, c, 2), Pa, within
    friction; tension: (n,), N; beyond: (n, 6), N and N m, that friction did not hold; residual: (n,), of the balance, as a
    share; sliding: (n, c); lost: (n,), whether neither pressure,
    friction nor strap holds it."""

    displacement: Array
    pressure: Array
    shear: Array
    tension: Array
    beyond: Array
    residual: Array
    sliding: Array
    lost: Array


class Bed:
    """The springs below a pad."""

    def __init__(self, pad: Pad, cells: Cells):
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

        # Products of a cell's directions, by its area, (c, 36): a tangent is a weighted sum of them.
        self.tables = {pair: product(*pair) for pair in ("nn", "aa", "bb", "an", "bn")}
        self.tables["ab"] = product("a", "b") + product("b", "a")
        self.creep = CREEP * self.kt * (self.tables["aa"] + self.tables["bb"]).sum(axis=0).reshape(6, 6)

    def rest(self, wrench: Array) -> Rested:
        """wrench: (n, 6), N and N m, on the limb at the cuff's centre."""
        given = wrench * self.reach
        found = self._solve(given, self._glued(given))
        poor = np.flatnonzero((self._size(self._state(found, given)[0], given) > BALANCED) & ~self.lost(found))
        if len(poor):  # from no load to the load, where all at once fails
            u = self._glued(given[poor] / STEPS)
            for share in np.arange(1, STEPS + 1) / STEPS:
                u = self._solve(given[poor] * share, u)
            found[poor] = u
        residual, _, pressure, shear, sliding, tension = self._state(found, given)
        return Rested(
            found * self.reach,
            pressure,
            shear,
            tension,
            found @ self.creep / self.reach,
            self._size(residual, given),
            sliding,
            self.lost(found),
        )

    def lost(self, u: Array) -> Array:
        """(n,): whether nothing but creep holds the pad: it has moved by more than AWAY thicknesses along a normal."""
        pad = self.pad
        thickness = pad.soft.thickness + (pad.cushion.thickness if pad.cushion else 0.0)
        return np.abs(u @ self.normal.T).max(axis=1) > AWAY * thickness

    def _glued(self, given: Array) -> Array:
        """As if nothing could lift off: where Newton's method begins."""
        area = self.cells.area
        stiff = self.k * np.einsum("c,ci,cj->ij", area, self.normal, self.normal) + self.creep / CREEP
        stiff = stiff + self.strap_k * np.outer(self.strap, self.strap)
        at_rest = -self.k * (area * self.before) @ self.normal + self.held * self.strap
        return np.linalg.solve(stiff, (given - at_rest).T).T

    def _size(self, residual: Array, given: Array) -> Array:
        scale = np.linalg.norm(given, axis=1) + self.held + 1e-9
        return np.linalg.norm(residual, axis=1) / scale

    def _state(self, u: Array, given: Array) -> tuple[Array, ...]:
        """Residual (n, 6), tangent (n, 6, 6), pressure, shear, what slides, tension."""
        area, mu = self.cells.area, self.pad.friction
        pressed = self.before - u @ self.normal.T
        touching = pressed > 0.0
        pressure = self.k * np.where(touching, pressed, 0.0)
        stuck = [self.kt * (u @ tangents.T) for tangents in self.two]
        most = np.hypot(*stuck)
        sliding = most > mu * pressure
        some = np.maximum(most, 1e-300)
        share = np.where(sliding, mu * pressure / some, 1.0)  # of what would stick
        shear = [share * part for part in stuck]
        tension = np.maximum(self.held + self.strap_k * (u @ self.strap), 0.0)
        residual = -(pressure * area) @ self.normal + u @ self.creep + tension[:, None] * self.strap - given
        residual += sum((part * area) @ tangents for part, tangents in zip(shear, self.two, strict=True))
        # Of a sliding cell: mu k N e for the pressure, and what turns the direction e of the slip.
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
        """Newton's method with steps that are halved until the residual falls."""
        u = start.copy()
        residual, tangent, *_ = self._state(u, given)
        size = self._size(residual, given)
        for _ in range(ITERATIONS):
            open_ = np.flatnonzero(size > BALANCED)
            if not len(open_):
                break
            soft = 1e-12 * np.trace(self.creep) / CREEP * np.eye(6)
            step = np.linalg.solve(tangent[open_] + soft, -residual[open_][..., None])[..., 0]
            share, best = np.ones(len(open_)), u[open_].copy()
            kept = [residual[open_], tangent[open_], size[open_]]
            waiting = np.arange(len(open_))
            for halving in range(12):
                trial = u[open_[waiting]] + share[waiting, None] * step[waiting]
                r, t, *_ = self._state(trial, given[open_[waiting]])
                s = self._size(r, given[open_[waiting]])
                good = (s < (1.0 - 0.1 * share[waiting]) * size[open_[waiting]]) | (halving == 11)
                done = waiting[good]
                best[done], kept[0][done], kept[1][done], kept[2][done] = trial[good], r[good], t[good], s[good]
                waiting = waiting[~good]
                if not len(waiting):
                    break
                share[waiting] *= 0.5
            u[open_], residual[open_], tangent[open_], size[open_] = best, *kept
        return u
