"""A contact step of a soft sole on a rigid core, condensed to compliances, against the full linear model and the thesis' way.

The sole rolls and sinks onto a plane. All three ways find the same nodes in contact and the same forces:

    condensed   compliances between the nodes that may touch, an active set (contact/compliance.py)
    full        the stiffness of all nodes: displacements of active nodes along the normal are given, one factorisation
    dense       K* between the nodes that may touch, dense, with the same active set: the condensed Newton of paper 004

The last two begin with the set that is right, so that one factorisation is all that they are charged with. Times are of one
thread.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from gaitwright.bench.clock import alternate, seconds
from gaitwright.contact.compliance import CompliantSolid, Pressed
from gaitwright.mesh.solid_shapes import box
from gaitwright.physics.materials.linear_elastic import LinearElastic
from gaitwright.system.factors import factorised

SIDES = (0.25, 0.1, 0.06)
NORMAL = np.array([0.0, 0.0, 1.0])
SIZES = ((13, 6, 4), (19, 9, 6), (39, 19, 9))
"""Cells along the sides; the last has 2,400 unknowns at its surface."""
TURN, SINK, STEPS = 2e-4, 2e-6, 50
"""Between steps, rad and m; steps that are timed."""


def measure_condensed(quick: bool) -> dict[str, Any]:
    """Rows by mesh; condensed_ms: of a step in which the sole turns, at 2,400 unknowns (quick: at fewer)."""
    rows = [_row(cells, 1 if quick else 3) for cells in (SIZES[:1] if quick else SIZES)]
    return {"rows": rows, "condensed_ms": rows[-1]["condensed_ms"], "condensed_pays_after": rows[-1]["pays_after"]}


def _row(cells: tuple[int, int, int], repeats: int) -> dict[str, Any]:
    mesh = box(SIDES, cells)
    CompliantSolid.of_mesh(box(SIDES, (3, 2, 2)), _rubber(), "top", "bottom").press(*_pose(0), NORMAL)  # compiles
    began = time.perf_counter()
    sole = CompliantSolid.of_mesh(mesh, _rubber(), "top", "bottom")
    before = time.perf_counter() - began
    found = sole.press(*_pose(0), NORMAL)

    def steps() -> float:
        sole.press(*_pose(0), NORMAL)
        taken = []
        for k in range(1, STEPS + 1):
            pose = _pose(k)
            begin = time.perf_counter()
            sole.press(*pose, NORMAL)
            taken.append(time.perf_counter() - begin)
        return float(np.median(taken))

    whole, dense = FullModel(sole, found), DenseModel(sole, found)
    best = alternate({"condensed": steps, "full": seconds(whole.step), "dense": seconds(dense.step)}, repeats)
    gained = best["full"] - best["condensed"]
    return {
        "nodes": len(mesh.nodes), "unknowns": int(sole.places.size), "touching": int(found.touching.sum()),
        "condensed_ms": 1e3 * best["condensed"], "full_ms": 1e3 * best["full"], "dense_ms": 1e3 * best["dense"],
        "condensation_s": before, "pays_after": before / gained if gained > 0.0 else float("inf"),
        "difference": max(float(np.abs(model.step() - found.normal_forces).max()) for model in (whole, dense))
        / float(found.normal_forces.max()),
    }  # fmt: skip


def _rubber() -> LinearElastic:
    return LinearElastic(youngs_modulus=1e6, poissons_ratio=0.3)


def _pose(step: int) -> tuple[np.ndarray, np.ndarray]:
    """Position and rotation: tilted, so that a quarter of the sole touches, then rolling on."""
    angle = 0.03 + TURN * step
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    lowest = -0.5 * (SIDES[0] * s + SIDES[2] * c)
    return np.array([0.0, 0.0, -lowest - 2e-3 - SINK * step]), R


class DenseModel:
    """Given the nodes that touch: displacements along the normal there, no force elsewhere, by a dense factorisation of K*."""

    def __init__(self, sole: CompliantSolid, found: Pressed):
        assert sole.condensation is not None
        r, R = _pose(0)
        self.sole, self.normal, self.K = sole, R.T @ NORMAL, sole.condensation.stiffness
        self.touching = np.flatnonzero(found.touching)
        own = sole.condensation.number[np.isin(sole.condensation.nodes, sole.nodes)]
        self.rows, self.gaps = own[self.touching], (r + sole.places[self.touching] @ R.T) @ NORMAL

    def step(self) -> np.ndarray:
        """Forces of all nodes: K* u = sum f_i n at the nodes that touch, n . u_i = -gap_i, by multipliers."""
        from scipy.linalg import cho_factor, cho_solve

        count, size = len(self.touching), len(self.K)
        push = np.zeros((size, count))
        push[self.rows, np.arange(count)[:, None]] = self.normal
        moved = cho_solve(cho_factor(self.K), push)
        found = np.zeros(len(self.sole.places))
        found[self.touching] = np.linalg.solve(push.T @ moved, -self.gaps)
        return found


class FullModel:
    """The same with all nodes, by one sparse factorisation with a multiplier for each node that touches."""

    def __init__(self, sole: CompliantSolid, found: Pressed):
        from scipy.sparse import bmat, csr_matrix

        assert sole.condensation is not None
        r, R = _pose(0)
        self.count, self.touching = len(sole.places), np.flatnonzero(found.touching)
        columns = sole.condensation.coordinates[sole.nodes[self.touching]]
        rows = np.repeat(np.arange(len(columns)), 3)
        values = np.tile(R.T @ NORMAL, len(columns))
        K = sole.condensation.matrix
        N = csr_matrix((values, (rows, columns.ravel())), shape=(len(columns), K.shape[0]))
        self.matrix: Any = bmat([[K, -N.T], [-N, None]]).tocsc()
        gaps = (r + sole.places[self.touching] @ R.T) @ NORMAL
        self.right = np.r_[np.zeros(K.shape[0]), gaps]

    def step(self) -> np.ndarray:
        found = np.zeros(self.count)
        solution = factorised(self.matrix, True, len(self.touching)).solve(self.right)
        found[self.touching] = solution[-len(self.touching) :]
        return found
