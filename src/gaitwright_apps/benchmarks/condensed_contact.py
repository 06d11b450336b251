"""Contact step of a soft sole on a rigid core, condensed to compliances, compared with the full linear model and the thesis.

The sole rolls and sinks onto a plane. All three formulations give the same contact nodes and the same forces:

    condensed   compliances between the possible contact nodes, an active set (fem/compliant_solid.py)
    full        the stiffness of all nodes: normal displacements of active nodes are prescribed, one factorisation
    dense       K* between the possible contact nodes, dense, with the same active set: the condensed Newton of paper 004

The last two start with the correct active set, so that only one factorisation is timed. Times are of one thread.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from gaitwright.fem.compliant_solid import CompliantSolid, PressedSolidState
from gaitwright.linalg.matrix_factors import factorise_sparse
from gaitwright.mesh.solid_shapes import box
from gaitwright.physics.materials.linear_elastic import LinearElastic
from gaitwright_apps.benchmarks.timing import time_alternately, time_call

SOLE_SIDES_M = (0.25, 0.1, 0.06)
GROUND_NORMAL = np.array([0.0, 0.0, 1.0])
MESH_CELL_COUNTS = ((13, 6, 4), (19, 9, 6), (39, 19, 9))
"""Number of cells along the sides; the last mesh has 2,400 surface unknowns."""
TURN_PER_STEP_RAD, SINK_PER_STEP_M, TIMED_STEPS = 2e-4, 2e-6, 50
"""Rotation, rad, and sinking, m, per step; number of timed steps."""


def measure_condensed(quick: bool) -> dict[str, Any]:
    """Results by mesh; condensed_ms: time of a step with rotation, at 2,400 unknowns (quick: fewer)."""
    rows = [_measure_mesh(cells, 1 if quick else 3) for cells in (MESH_CELL_COUNTS[:1] if quick else MESH_CELL_COUNTS)]
    return {"rows": rows, "condensed_ms": rows[-1]["condensed_ms"], "condensed_pays_after": rows[-1]["pays_after"]}


def _measure_mesh(cells: tuple[int, int, int], repeats: int) -> dict[str, Any]:
    mesh = box(SOLE_SIDES_M, cells)
    CompliantSolid.of_mesh(box(SOLE_SIDES_M, (3, 2, 2)), _rubber_material(), "top", "bottom").press(
        *_sole_pose(0), GROUND_NORMAL
    )  # compiles
    began = time.perf_counter()
    sole = CompliantSolid.of_mesh(mesh, _rubber_material(), "top", "bottom")
    before = time.perf_counter() - began
    state = sole.press(*_sole_pose(0), GROUND_NORMAL)

    def steps() -> float:
        sole.press(*_sole_pose(0), GROUND_NORMAL)
        durations = []
        for k in range(1, TIMED_STEPS + 1):
            pose = _sole_pose(k)
            begin = time.perf_counter()
            sole.press(*pose, GROUND_NORMAL)
            durations.append(time.perf_counter() - begin)
        return float(np.median(durations))

    full, dense = FullContactModel(sole, state), DenseContactModel(sole, state)
    best = time_alternately({"condensed": steps, "full": time_call(full.step), "dense": time_call(dense.step)}, repeats)
    gained = best["full"] - best["condensed"]
    return {
        "nodes": len(mesh.nodes), "unknowns": int(sole.places.size), "touching": int(state.touching.sum()),
        "condensed_ms": 1e3 * best["condensed"], "full_ms": 1e3 * best["full"], "dense_ms": 1e3 * best["dense"],
        "condensation_s": before, "pays_after": before / gained if gained > 0.0 else float("inf"),
        "difference": max(float(np.abs(model.step() - state.normal_forces).max()) for model in (full, dense))
        / float(state.normal_forces.max()),
    }  # fmt: skip


def _rubber_material() -> LinearElastic:
    return LinearElastic(youngs_modulus=1e6, poissons_ratio=0.3)


def _sole_pose(step: int) -> tuple[np.ndarray, np.ndarray]:
    """Position and rotation: tilted, so that a quarter of the sole is in contact, then rolling on."""
    angle = 0.03 + TURN_PER_STEP_RAD * step
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    lowest = -0.5 * (SOLE_SIDES_M[0] * s + SOLE_SIDES_M[2] * c)
    return np.array([0.0, 0.0, -lowest - 2e-3 - SINK_PER_STEP_M * step]), R


class DenseContactModel:
    """Model with given contact nodes: prescribed normal displacements there, no force elsewhere, by a dense
    factorisation of K*."""

    def __init__(self, sole: CompliantSolid, pressed: PressedSolidState):
        assert sole.condensation is not None
        r, R = _sole_pose(0)
        self.sole, self.normal, self.K = sole, R.T @ GROUND_NORMAL, sole.condensation.stiffness
        self.touching = np.flatnonzero(pressed.touching)
        contact_coordinates = sole.condensation.number[np.isin(sole.condensation.nodes, sole.nodes)]
        self.rows, self.gaps = (
            contact_coordinates[self.touching],
            (r + sole.places[self.touching] @ R.T) @ GROUND_NORMAL,
        )

    def step(self) -> np.ndarray:
        """Normal forces of all nodes: K* u = sum f_i n at the contact nodes, n . u_i = -gap_i, by multipliers."""
        from scipy.linalg import cho_factor, cho_solve

        count, size = len(self.touching), len(self.K)
        push = np.zeros((size, count))
        push[self.rows, np.arange(count)[:, None]] = self.normal
        displacement = cho_solve(cho_factor(self.K), push)
        forces = np.zeros(len(self.sole.places))
        forces[self.touching] = np.linalg.solve(push.T @ displacement, -self.gaps)
        return forces


class FullContactModel:
    """The same with all nodes, by one sparse factorisation with a multiplier for each contact node."""

    def __init__(self, sole: CompliantSolid, pressed: PressedSolidState):
        from scipy.sparse import bmat, csr_matrix

        assert sole.condensation is not None
        r, R = _sole_pose(0)
        self.count, self.touching = len(sole.places), np.flatnonzero(pressed.touching)
        columns = sole.condensation.coordinates[sole.nodes[self.touching]]
        rows = np.repeat(np.arange(len(columns)), 3)
        values = np.tile(R.T @ GROUND_NORMAL, len(columns))
        K = sole.condensation.matrix
        N = csr_matrix((values, (rows, columns.ravel())), shape=(len(columns), K.shape[0]))
        self.matrix: Any = bmat([[K, -N.T], [-N, None]]).tocsc()
        gaps = (r + sole.places[self.touching] @ R.T) @ GROUND_NORMAL
        self.right = np.r_[np.zeros(K.shape[0]), gaps]

    def step(self) -> np.ndarray:
        forces = np.zeros(self.count)
        solution = factorise_sparse(self.matrix, True, len(self.touching)).solve(self.right)
        forces[self.touching] = solution[-len(self.touching) :]
        return forces
