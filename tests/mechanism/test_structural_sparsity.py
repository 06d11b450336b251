"""Entries that are left out because parameters are zero: never one that counts, and enough to reduce the cost."""

from __future__ import annotations

import numpy as np
import pytest

from gaitwright.derive.kernel_interface import COUNT, INTS, KERNEL_ARGUMENTS
from gaitwright.derive.kernel_library import kernel_module
from gaitwright.mechanism.blocks import MechanismElement
from gaitwright.mechanism.structural_sparsity import STRUCTURAL_NONZERO, StructuralNonzero, find_nonzero_entries
from gaitwright.mechanism.table_builder import build_tables
from gaitwright.physics import load_all
from gaitwright.physics.bodies.spatial import SpatialRigidBody
from gaitwright.physics.declarations import Joint

MATRICES = {"position": ("jac", "JACOBIAN"), "hessian": ("kq", "HESSIAN")}
load_all()
OWN = {name: joint for name, joint in Joint.registry[3].items() if joint.__module__.startswith("gaitwright.")}
JOINTS = sorted(name for name, joint in OWN.items() if not joint.stands_for_others)


def module_of(name: str):
    declaration = Joint.registry[3][name]
    return kernel_module(declaration, (SpatialRigidBody,) * len(declaration.attachments))


def written(module, kernel: str, matrix: str, par: np.ndarray, size: int, seed: int) -> np.ndarray:
    """The matrix of one element in a random pose."""
    random = np.random.default_rng(seed)
    out = np.zeros(size)
    usual = {COUNT: 1, INTS: np.arange(1000)}
    given = {matrix: out, "par": par.tolist()}  # Python numbers, which raise an exception when a kernel divides by zero
    getattr(module, kernel)(
        *(
            given.get(n, usual.get(what, random.uniform(0.5, 1.5, 1000)))
            for n, what in KERNEL_ARGUMENTS["constraint"][kernel]
        )
    )
    return out


@pytest.mark.parametrize("kernel", MATRICES)
@pytest.mark.parametrize("name", JOINTS)
def test_exactly_the_zero_entries_are_left_out(name: str, kernel: str) -> None:
    """Compared with the kernel itself, with random numbers and every third parameter zero, in each of three ways."""
    module, (matrix, pattern) = module_of(name), MATRICES[kernel]
    size = len(getattr(module, pattern))
    for way in range(3):
        par = np.random.default_rng(way).uniform(0.5, 1.5, (1, module.N_PAR))
        par[0, way::3] = 0.0
        there = find_nonzero_entries(module, kernel, (matrix,), par, size)[0]
        try:
            values = np.array([written(module, kernel, matrix, par[0], size, seed) for seed in range(2)])
        except ZeroDivisionError:  # the joint divides by this parameter, which its `check` requires to be non-zero
            assert there.all()
            continue
        assert np.array_equal(there, np.any(values != 0.0, axis=0))


@pytest.mark.parametrize(("arm", "count"), [((0.5, 0.0, 0.0), 12), ((0.5, 0.1, 0.2), 24)])
def test_a_point_on_an_axis_needs_one_vector_of_each_body(arm, count) -> None:
    """r + s v1: per row, two positions and one component of each v1."""
    bodies = np.arange(12), 12 + np.arange(12)
    joint = MechanismElement(
        Joint.registry[3]["spherical"], (SpatialRigidBody, SpatialRigidBody), bodies, [*arm, *arm], ()
    )
    system = build_tables(24, (np.arange(24), np.arange(24), np.ones(24)), [joint], [], [])
    assert system.jac_row.size == count


def test_nothing_is_left_out_where_the_kernel_branches() -> None:
    class Branching:
        KIND = "constraint"
        N_DOF, N_PAR, N_SIG, N_ROW = 1, 1, 0, 1

        @staticmethod
        def position(count, dof, par, sig, row, slot, q, u, phi, jac) -> None:
            jac[slot[0]] += par[0] if q[dof[0]] > 0.0 else 0.0

    assert find_nonzero_entries(Branching, "position", ("jac",), np.zeros((2, 1)), 1).tolist() == [[True], [True]]  # type: ignore[arg-type]


def test_arithmetic_of_structural_nonzero() -> None:
    assert isinstance(STRUCTURAL_NONZERO * 2.0 + 0.0 - STRUCTURAL_NONZERO, StructuralNonzero)
    assert STRUCTURAL_NONZERO * 0.0 == 0.0 * -STRUCTURAL_NONZERO == 0.0 / STRUCTURAL_NONZERO == 0.0
    with pytest.raises(TypeError, match="not known"):
        _ = STRUCTURAL_NONZERO == 0.0
