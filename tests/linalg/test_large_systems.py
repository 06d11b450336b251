"""Large systems: direct solvers give the same results as the elimination program."""

import _thread
import gc
import signal
import weakref

import numpy as np
import pytest
import scipy.sparse as sparse

from gaitwright._core.errors import ModelError, OutOfBudget
from gaitwright.linalg import dependent_rows, elimination, large_systems
from gaitwright.mechanism.kkt import build_kkt
from gaitwright.mechanisms import jansen_leg
from gaitwright_apps.benchmarks.net import mass_spring_net


@pytest.fixture(autouse=True)
def clean():
    large_systems.PENDING_EXCEPTIONS.clear()
    yield
    assert not large_systems.PENDING_EXCEPTIONS


fast = pytest.mark.skipif(large_systems.fastest_backend() != "pardiso", reason="needs the extra `fast`")


@pytest.fixture(params=["fronts", "superlu", pytest.param("pardiso", marks=fast)])
def backend(request, monkeypatch):
    """Each installed backend, for programs of any length."""

    def backend_of_test(symmetric=True):
        return request.param if symmetric or request.param != "fronts" else "lu_fronts"

    for module in (elimination, large_systems):
        monkeypatch.setattr(module, "fastest_backend", backend_of_test)
    for name in elimination.MAX_PROGRAM_MULTIPLICATIONS:
        monkeypatch.setitem(elimination.MAX_PROGRAM_MULTIPLICATIONS, name, 0)


def saddle(n, m, seed=0):
    """A dense matrix with the pattern of a mechanism, positive definite on coordinates, and its late unknowns."""
    rng = np.random.default_rng(seed)
    A = np.diag(rng.uniform(1.0, 2.0, n)) + 0.1 * sparse.random(n, n, 0.05, random_state=seed).toarray()
    J = sparse.random(m, n, 0.1, random_state=seed + 1).toarray() + np.eye(m, n)
    matrix = np.block([[A + A.T, J.T], [J, np.zeros((m, m))]])
    return matrix, np.repeat((0, 1), (n, m))


def filled(matrix, late, general):
    """Program and value array of a dense matrix."""
    rows, cols = np.nonzero((matrix != 0.0) | (matrix.T != 0.0))
    program = elimination.analyse_pattern(len(matrix), rows, cols, late)
    K = np.zeros(elimination.storage_size(program)[int(general)])
    K[elimination.find_entry_slots(program, rows, cols, general)] = matrix[rows, cols]
    return program, K


@pytest.mark.parametrize("general", [False, True])
def test_compiled_code_calls_the_backend(backend, general):
    matrix, late = saddle(40, 15)
    if general:
        matrix = matrix * np.random.default_rng(3).uniform(0.5, 1.5, matrix.shape)
    program, K = filled(matrix, late, general)
    assert program.direct is not None and program.target.size == 0
    factor = elimination.factor_general if general else elimination.factor_symmetric
    solve = elimination.solve_general if general else elimination.solve_symmetric
    for scale in (1.0, 3.0):  # the second time with the elimination order of the first
        program, K = filled(scale * matrix, late, general)
        assert factor(program, K) == -1
        b = np.random.default_rng(1).standard_normal(len(matrix))
        x = b.copy()
        solve(program, K, x, np.zeros_like(x))
        np.testing.assert_allclose(scale * matrix @ x, b, atol=1e-13)


@pytest.mark.parametrize("general", [False, True])
def test_pivoting_backend_is_used_if_necessary(backend, general):
    """The diagonal contains only rounding errors."""
    matrix = np.kron(np.eye(20), [[1e-18, 1.0], [1.5 if general else 1.0, 1e-18]])
    program, K = filled(matrix, np.zeros(40), general)
    assert program.direct is not None and program.direct.prepare(K, general) == -1
    b = np.random.default_rng(1).standard_normal(40)
    np.testing.assert_allclose(matrix @ program.direct.solve(b), b, atol=1e-13)


def test_changed_matrix_keeps_its_order(backend):
    matrix, late = saddle(40, 15)
    program, K = filled(matrix, late, False)
    for scale in (1.0, 2.0, 5.0):
        values = scale * K
        assert elimination.factor_symmetric(program, values) == -1
        x = np.ones(len(matrix))
        elimination.solve_symmetric(program, values, x, np.zeros_like(x))
        np.testing.assert_allclose(scale * matrix @ x, 1.0, atol=1e-13)


@pytest.mark.parametrize("copies", [1, 2])
def test_undetermined_multiplier_is_reported(backend, copies):
    """Two equal rows of J: one of them is reported, whether or not a pivot is exactly zero."""
    matrix, late = saddle(40, 15)
    matrix[50, :40], matrix[:40, 50] = copies * matrix[47, :40], copies * matrix[:40, 47]
    program, K = filled(matrix, late, False)
    found = elimination.factor_symmetric(program, K)
    regular, before = filled(saddle(40, 15)[0], late, False)
    assert elimination.factor_symmetric(regular, before) == -1
    if found < 0:  # a rounding error instead of zero: the probe on the diagonal shows it
        grown = K[40:55] / before[40:55]
        assert np.argmax(grown) + 40 in (47, 50) and grown.max() > 1e12
    else:
        assert found in (47, 50)


def test_undetermined_coordinate_is_reported(backend):
    matrix, late = saddle(40, 15)
    matrix[7, :], matrix[:, 7] = 0.0, 0.0
    program, K = filled(matrix, late, False)
    assert elimination.factor_symmetric(program, K) == 7


def test_nan_is_reported(backend):
    program, K = filled(*saddle(40, 15), False)
    K[program.position[13]] = np.nan
    assert elimination.factor_symmetric(program, K) == 13


@pytest.mark.parametrize("shift", [0.0, -2.3, -30.0])
def test_negative_eigenvalues_are_counted(backend, shift):
    matrix, late = saddle(40, 0)
    matrix[np.diag_indices(40)] += shift
    program, K = filled(matrix, late, False)
    assert program.direct is not None
    assert program.direct.negative(K) == np.sum(np.linalg.eigvalsh(matrix) < 0.0)


def test_matrices_with_one_pattern_have_separate_factors(backend):
    """One pattern, two matrices of one system: their factors are independent."""
    system = jansen_leg().mechanism().system
    one, other = build_kkt(system), build_kkt(system)
    size = one.elimination.order.size
    x = []
    for matrix, scale in ((one, 1.0), (other, 4.0)):
        matrix.K[:size] = scale
        assert elimination.factor_symmetric(matrix.elimination, matrix.K) == -1
    for matrix in (one, other):
        b = np.r_[np.ones(system.n), np.zeros(size - system.n)]
        elimination.solve_symmetric(matrix.elimination, matrix.K, b, np.zeros(size))
        x.append(b[0])
    assert x[0] == pytest.approx(4.0 * x[1])


def test_factors_are_freed_with_their_matrix(backend):
    system = jansen_leg().mechanism().system
    gc.collect()
    gc.disable()
    try:
        matrix = build_kkt(system)
        gone = weakref.ref(matrix.elimination.direct)
        assert gone() is not None
        del matrix
        assert gone() is None
    finally:
        gc.enable()


def test_interruption_is_raised_after_the_work(backend, monkeypatch, request):
    """An exception cannot pass through compiled code: the work is completed, and Python raises it afterwards."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background process may ignore the signal
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, handler))
    matrix, late = saddle(40, 15)
    program, K = filled(matrix, late, False)
    plain = program.direct.factor
    calls = []

    def interrupted(K, general):
        calls.append(general)
        if len(calls) == 1:
            _thread.interrupt_main()
            for _ in range(10_000_000):
                pass
        return plain(K, general)

    monkeypatch.setattr(program.direct, "factor", interrupted)
    assert elimination.factor_symmetric(program, K) == -1 and len(calls) == 2
    with pytest.raises(KeyboardInterrupt):
        large_systems.raise_pending_exception()
    large_systems.raise_pending_exception()  # only once


def test_insufficient_memory_has_a_message(backend, monkeypatch):
    program, K = filled(*saddle(40, 15), False)

    def full(values):
        raise MemoryError

    monkeypatch.setattr(program.direct._backend(False), "factor", full)
    assert elimination.factor_symmetric(program, K) >= 0  # no factors: the caller stops
    with pytest.raises(OutOfBudget, match="a matrix with 55 unknowns do not fit into the memory"):
        large_systems.raise_pending_exception()


def test_long_program_is_not_created():
    """A solid grid: 3 unknowns per node, all neighbours; the search for an elimination order ends early."""
    size = 14
    index = np.arange(size**3).reshape(size, size, size)
    rows, cols = [], []
    for off in np.ndindex(2, 2, 2):
        near = index[: size - off[0], : size - off[1], : size - off[2]].ravel()
        far = index[off[0] :, off[1] :, off[2] :].ravel()
        i, j = np.indices((3, 3)).reshape(2, -1)
        rows.append((3 * near[:, None] + i).ravel())
        cols.append((3 * far[:, None] + j).ravel())
    program = elimination.analyse_pattern(
        3 * size**3, np.concatenate(rows), np.concatenate(cols), np.zeros(3 * size**3)
    )
    assert program.direct is not None and program.target.size == 0
    own = elimination.analyse_pattern(3 * size, np.arange(3 * size - 1), np.arange(1, 3 * size), np.zeros(3 * size))
    assert own.direct is None and own.library.tolist() == [0, 0, 0]


def test_dependent_rows_of_a_large_matrix():
    rng = np.random.default_rng(0)
    J = sparse.random(300, 500, 0.02, random_state=1).toarray() + np.eye(300, 500)
    J[120] = 2.0 * J[17] - J[60]
    J[250] = J[3] + 0.5 * J[120]
    J /= np.linalg.norm(J, axis=1)[:, None]
    rows, cols = np.nonzero(J)
    found, weights = dependent_rows.find_dependent_rows(rows, cols, J[rows, cols], J.shape)
    assert len(found) == 2 and np.linalg.matrix_rank(np.delete(J, found, axis=0)) == 298
    assert np.abs(weights @ J).max() < 1e-10 and np.allclose(weights[[0, 1], found], -1.0)
    regular = np.eye(300, 500) + 0.01 * rng.standard_normal((300, 500)) * (rng.random((300, 500)) < 0.02)
    rows, cols = np.nonzero(regular)
    assert dependent_rows.find_dependent_rows(rows, cols, regular[rows, cols], regular.shape)[0] == []


def test_too_many_dependent_rows_have_a_message(monkeypatch):
    monkeypatch.setattr(dependent_rows, "MAX_EIGENVECTORS", 8)
    J = np.vstack([np.eye(40), np.eye(40)])
    rows, cols = np.nonzero(J)
    with pytest.raises(ModelError, match="more than 8 joint constraints are redundant"):
        dependent_rows.find_dependent_rows(rows, cols, J[rows, cols], J.shape)


def test_point_masses_do_not_couple_their_angles():
    """Springs that end in centres of mass: couplings with angles are not in the pattern."""
    s = mass_spring_net(3, 4).mechanism().system
    pairs = set(zip(s.k_row.tolist(), s.k_col.tolist(), strict=True))
    assert all(i == j for i, j in pairs if i % 3 == 2 or j % 3 == 2)
