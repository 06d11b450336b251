"""Multifrontal factors of large symmetric matrices, and their elimination order."""

import numpy as np
import pytest
import scipy.sparse as sparse

from gaitwright.linalg import elimination_order, front_tree, multifrontal
from gaitwright.linalg.backends import BACKENDS, SingularMatrix, SparsityPattern
from gaitwright.linalg.matrix_factors import factorise_sparse
from matrices import mesh


def with_joints(matrix, count, seed=1):
    """Append rows of some multipliers to a matrix, each on a few coordinates."""
    n, rng = matrix.shape[0], np.random.default_rng(seed)
    J = sparse.coo_matrix(
        (rng.uniform(0.5, 1.0, 3 * count), (np.repeat(np.arange(count), 3), rng.permutation(n)[: 3 * count])),
        (count, n),
    )
    return sparse.bmat([[matrix, J.T], [J, None]]).tocsc()


def pattern_of(matrix, late=0):
    size = matrix.shape[0]
    whole = (matrix + sparse.csc_matrix((np.zeros(size), (np.arange(size),) * 2), shape=matrix.shape)).tocoo()
    keys = np.unique(np.concatenate([whole.col * size + whole.row, np.arange(size) * (size + 1)]))
    cols, rows = keys // size, keys % size
    values = np.asarray(matrix.tocsr()[rows, cols]).ravel()
    return SparsityPattern(
        size, np.searchsorted(cols, np.arange(size + 1)), rows, np.arange(size) >= size - late
    ), values


CASES = {
    "one unknown": (mesh(1, per_node=1), 0),
    "chain": (mesh(40, per_node=2), 0),
    "net": (mesh(13, 17, per_node=2), 0),
    "solid": (mesh(6, 7, 5), 0),
    "solid on joints": (with_joints(mesh(5, 6, 5), 40), 40),
    "two pieces": (sparse.block_diag([mesh(4, 4, 4), mesh(9, 8, per_node=1)]).tocsc(), 0),
    "not connected at all": (sparse.diags(np.arange(1.0, 8.0)).tocsc(), 0),
}


@pytest.mark.parametrize("cuts", [False, True], ids=["minimum degree", "cuts"])
@pytest.mark.parametrize("case", CASES)
def test_factors_solve_and_count(case, cuts, monkeypatch):
    monkeypatch.setattr(elimination_order, "ORDER_SEARCH_MULTIPLICATIONS", -1.0 if cuts else np.inf)
    monkeypatch.setattr(elimination_order, "MAX_LEAF_NODES", 12)
    monkeypatch.setattr(
        elimination_order, "_minimum_degree_order", lambda graph: np.arange(graph.shape[0])
    ) if cuts else None
    matrix, late = CASES[case]
    pattern, values = pattern_of(matrix, late)
    assert np.array_equal(np.sort(pattern.order), np.arange(matrix.shape[0]))
    by = BACKENDS["fronts"](pattern, True)
    for scale in (1.0, -3.0):
        assert by.negative(scale * values) == (late if scale > 0.0 else matrix.shape[0] - late)
        b = np.random.default_rng(2).standard_normal(matrix.shape[0])
        np.testing.assert_allclose(scale * (matrix @ by.solve(b)), b, atol=1e-10)


@pytest.mark.parametrize("case", [*CASES, "long rows"])
def test_factors_of_an_unsymmetric_matrix(case):
    """As for sliding contacts: entries on both sides of the diagonal differ."""
    matrix, late = CASES[case] if case in CASES else (mesh(9, 9, 9), 0)
    pattern, values = pattern_of(matrix, late)
    values = values * np.random.default_rng(3).uniform(0.8, 1.2, values.size)
    skewed = sparse.csc_matrix((values, pattern.index, pattern.start), shape=matrix.shape)
    turned = sparse.csc_matrix((values[pattern.mirror], pattern.index, pattern.start), shape=matrix.shape)
    assert abs(turned - skewed.T).max() == 0.0
    by = BACKENDS["lu_fronts"](pattern, False)
    for scale in (1.0, -3.0):
        by.factor(scale * values)
        b = np.random.default_rng(2).standard_normal(matrix.shape[0])
        np.testing.assert_allclose(scale * (skewed @ by.solve(b)), b, atol=1e-10)


def test_multipliers_follow_their_coordinates():
    matrix, late = CASES["solid on joints"]
    pattern, _ = pattern_of(matrix, late)
    position = np.argsort(pattern.order)
    for row in range(matrix.shape[0] - late, matrix.shape[0]):
        touched = pattern.index[pattern.start[row] : pattern.start[row + 1]]
        assert position[row] > position[touched[touched < row]].max()


def test_long_rows_use_blas(monkeypatch):
    """Fronts of all sizes, by loops and by BLAS."""
    pattern, values = pattern_of(mesh(9, 9, 9))
    b = np.random.default_rng(0).standard_normal(pattern.size)
    assert np.diff(pattern.tree.row_start).max() > 3 * multifrontal.MIN_BLAS_ROW_LENGTH
    by = BACKENDS["fronts"](pattern, True)
    by.factor(values)
    exact = sparse.linalg.spsolve(mesh(9, 9, 9), b)
    np.testing.assert_allclose(by.solve(b), exact, atol=1e-13)


def test_nested_dissection_saves_a_third_of_the_work_in_a_solid(monkeypatch):
    """A box with three different edges: the axes of a cube are degenerate, so that rounding chooses the cuts (0.70 to 0.77)."""
    pattern, _ = pattern_of(mesh(13, 14, 15, per_node=1))
    monkeypatch.setattr(elimination_order, "ORDER_SEARCH_MULTIPLICATIONS", np.inf)
    by_degree = front_tree.build_front_tree(pattern.size, pattern.start, pattern.index, pattern.order).work
    monkeypatch.setattr(elimination_order, "ORDER_SEARCH_MULTIPLICATIONS", 0.0)
    other, _ = pattern_of(mesh(13, 14, 15, per_node=1))
    assert other.tree.work < 0.67 * by_degree


def test_vanishing_pivot_gives_no_factors():
    matrix = mesh(5, 5, per_node=1).tolil()
    matrix[7, :], matrix[:, 7] = 0.0, 0.0
    pattern, values = pattern_of(matrix.tocsc())
    for name, symmetric in (("fronts", True), ("lu_fronts", False)):
        with pytest.raises(SingularMatrix):
            BACKENDS[name](pattern, symmetric).factor(values)


def test_pivoting_is_used_if_the_diagonal_vanishes():
    """[[0, 1], [1, 0]] repeated: no pivot on the diagonal."""
    swap = sparse.kron(sparse.identity(1500), np.array([[0.0, 1.0], [1.0, 0.0]])).tocsc()
    b = np.random.default_rng(0).standard_normal(3000)
    found = factorise_sparse(swap, symmetric=True)
    np.testing.assert_allclose(swap @ found.solve(b), b, atol=1e-13)
    assert found.sign == (-1) ** 1500
    with pytest.raises(RuntimeError):
        factorise_sparse(sparse.diags(np.r_[0.0, np.ones(2999)]).tocsc(), symmetric=True)
