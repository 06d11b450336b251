"""Schur complement of a matrix, against dense algebra."""

import numpy as np
import pytest
import scipy.sparse as sparse

from gaitwright.linalg.backends import SingularMatrix
from gaitwright.linalg.schur_complement import SchurComplement
from matrices import mesh

SOLID = mesh(6, 7, 5)
CASES = {
    "one": (mesh(3, per_node=1), [1]),
    "end of a chain": (mesh(40, per_node=2), [78, 79]),
    "a face": (SOLID, np.arange(3 * 35)),
    "scattered, in any order": (SOLID, np.random.default_rng(0).permutation(630)[:77]),
    "all": (mesh(4, per_node=2), np.arange(8)),
    "long rows": (mesh(8, 8, 8), np.arange(3 * 64)),
    "two pieces": (sparse.block_diag([mesh(4, 4, 4), mesh(9, 8, per_node=1)]).tocsc(), [3, 4, 5, 200, 100]),
}


@pytest.mark.parametrize("case", CASES)
def test_against_dense_algebra(case):
    matrix, kept = CASES[case]
    K, b = matrix.toarray(), np.asarray(kept)
    i = np.setdiff1d(np.arange(len(K)), b)
    found = SchurComplement(matrix, b)
    f = np.random.default_rng(1).standard_normal(len(K))
    scale = np.abs(K).max()
    np.testing.assert_allclose(
        found.stiffness, K[np.ix_(b, b)] - K[np.ix_(b, i)] @ np.linalg.solve(K[np.ix_(i, i)], K[np.ix_(i, b)]),
        atol=1e-13 * scale,
    )  # fmt: skip
    loads, loaded = found.condensed(f)
    np.testing.assert_allclose(found.all_of(np.linalg.solve(found.stiffness, loads), loaded), np.linalg.solve(K, f))
    u = np.random.default_rng(2).standard_normal(b.size)
    np.testing.assert_allclose((K @ found.all_of(u))[i], 0.0, atol=1e-12 * scale)
    np.testing.assert_allclose(found.modes() @ u, found.all_of(u), atol=1e-12 * np.abs(u).max())
    assert found.negative == 0


def test_unconstrained_interior_raises_singular_matrix():
    spring = np.array([[1.0, -1.0], [-1.0, 1.0]])
    loose = sparse.block_diag([spring, spring]).tocsc()
    with pytest.raises(SingularMatrix):
        SchurComplement(loose, np.array([0]))
