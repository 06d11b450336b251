"""Factors of large symmetric matrices, front by front, and the order in which they are made."""

import numpy as np
import pytest
import scipy.sparse as sparse

from gaitwright.system import dissection, front_tree, fronts
from gaitwright.system.factors import factorised
from gaitwright.system.solvers import BACKENDS, Pattern, Singular
from matrices import mesh


def with_joints(matrix, count, seed=1):
    """The same with rows of some multipliers behind it, each on a few coordinates."""
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
    return Pattern(size, np.searchsorted(cols, np.arange(size + 1)), rows, np.arange(size) >= size - late), values


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
    monkeypatch.setattr(dissection, "WORTH", -1.0 if cuts else np.inf)
    monkeypatch.setattr(dissection, "SMALL", 12)
    monkeypatch.setattr(dissection, "_by_degree", lambda graph: np.arange(graph.shape[0])) if cuts else None
    matrix, late = CASES[case]
    pattern, values = pattern_of(matrix, late)
    assert np.array_equal(np.sort(pattern.order), np.arange(matrix.shape[0]))
    by = BACKENDS["fronts"](pattern, True)
    for scale in (1.0, -3.0):
        assert by.negative(scale * values) == (late if scale > 0.0 else matrix.shape[0] - late)
        b = np.random.default_rng(2).standard_normal(matrix.shape[0])
        np.testing.assert_allclose(scale * (matrix @ by.solve(b)), b, atol=1e-10)


@pytest.mark.parametrize("case", [*CASES, "long rows"])
def test_factors_of_what_is_not_symmetric(case):
    """As where something slides: entries on both sides of the diagonal differ."""
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


def test_multipliers_wait_for_what_they_touch():
    matrix, late = CASES["solid on joints"]
    pattern, _ = pattern_of(matrix, late)
    position = np.argsort(pattern.order)
    for row in range(matrix.shape[0] - late, matrix.shape[0]):
        touched = pattern.index[pattern.start[row] : pattern.start[row + 1]]
        assert position[row] > position[touched[touched < row]].max()


def test_long_rows_go_to_blas(monkeypatch):
    """Fronts of all sizes, whatever takes them on."""
    pattern, values = pattern_of(mesh(9, 9, 9))
    b = np.random.default_rng(0).standard_normal(pattern.size)
    assert np.diff(pattern.tree.row_start).max() > 3 * fronts.LONG
    by = BACKENDS["fronts"](pattern, True)
    by.factor(values)
    exact = sparse.linalg.spsolve(mesh(9, 9, 9), b)
    np.testing.assert_allclose(by.solve(b), exact, atol=1e-13)


def test_nested_dissection_saves_a_third_of_the_work_in_a_solid(monkeypatch):
    """A box with three different edges: the axes of a cube are degenerate, so that rounding chooses the cuts (0.70 to 0.77)."""
    pattern, _ = pattern_of(mesh(13, 14, 15, per_node=1))
    monkeypatch.setattr(dissection, "WORTH", np.inf)
    by_degree = front_tree.tree(pattern.size, pattern.start, pattern.index, pattern.order).work
    monkeypatch.setattr(dissection, "WORTH", 0.0)
    other, _ = pattern_of(mesh(13, 14, 15, per_node=1))
    assert other.tree.work < 0.67 * by_degree


def test_a_pivot_that_vanishes_is_no_factor():
    matrix = mesh(5, 5, per_node=1).tolil()
    matrix[7, :], matrix[:, 7] = 0.0, 0.0
    pattern, values = pattern_of(matrix.tocsc())
    for name, symmetric in (("fronts", True), ("lu_fronts", False)):
        with pytest.raises(Singular):
            BACKENDS[name](pattern, symmetric).factor(values)


def test_where_pivots_must_be_searched_they_are():
    """[[0, 1], [1, 0]] over and over: no pivot on the diagonal."""
    swap = sparse.kron(sparse.identity(1500), np.array([[0.0, 1.0], [1.0, 0.0]])).tocsc()
    b = np.random.default_rng(0).standard_normal(3000)
    found = factorised(swap, symmetric=True)
    np.testing.assert_allclose(swap @ found.solve(b), b, atol=1e-13)
    assert found.sign == (-1) ** 1500
    with pytest.raises(RuntimeError):
        factorised(sparse.diags(np.r_[0.0, np.ones(2999)]).tocsc(), symmetric=True)
