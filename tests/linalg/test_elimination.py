"""The elimination program against dense linear algebra, and its documented rules."""

import numpy as np
import pytest

from gaitwright.jit import deferred_compilation
from gaitwright.linalg.elimination import (
    analyse_pattern,
    factor_general,
    factor_symmetric,
    find_entry_slots,
    solve_general,
    solve_symmetric,
    storage_size,
    write_pivots,
)

SEEDS = range(8)
LAYOUTS = {False: (factor_symmetric, solve_symmetric), True: (factor_general, solve_general)}


def random_kkt(seed):
    """Sparse symmetric KKT matrix with A positive definite and J of full rank, and its multipliers."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 40))
    m = int(rng.integers(1, n))
    coupling = np.triu(rng.normal(size=(n, n)) * (rng.random((n, n)) < 2 / n), 1)
    A = coupling + coupling.T
    A += np.diag(1 + np.abs(A).sum(axis=1))
    J = 0.3 * rng.normal(size=(m, n)) * (rng.random((m, n)) < 2 / n)
    J[np.arange(m), rng.permutation(n)[:m]] = 2
    return np.block([[A, J.T], [J, np.zeros((m, m))]]), np.arange(n + m) >= n


def pinned_chain(links):
    """Bars (x, y, angle) pinned end to end between two ground points (links = 3: a four-bar): entries, multipliers."""
    rng = np.random.default_rng(links)
    angle = rng.uniform(-1, 1, links)
    n = 3 * links
    body = np.arange(links)
    rows, cols, values = [np.arange(n)], [np.arange(n)], [np.tile([1, 1, 1 / 12], links)]
    for end, sign in ((0, -1), (1, 1)):  # the start of bar i is at pin i, its end at pin i + 1
        for axis, lever in ((0, -np.sin(angle) / 2), (1, np.cos(angle) / 2)):
            constraint = n + 2 * (body + end) + axis
            rows += [constraint, constraint]
            cols += [3 * body + axis, 3 * body + 2]
            values += [np.full(links, float(sign)), lever]
    rows, cols, values = np.concatenate(rows), np.concatenate(cols), np.concatenate(values)
    below = rows > cols
    size = n + 2 * (links + 1)
    both = [np.concatenate((a, b[below])) for a, b in ((rows, cols), (cols, rows), (values, values))]
    return size, *both, np.arange(size) >= n


def value_array(e, rows, cols, values, general):
    K = np.zeros(storage_size(e)[general], dtype=values.dtype)
    np.add.at(K, find_entry_slots(e, rows, cols, general), values)
    K[-1] = np.nan  # the trash slot must never be read
    return K


def solve(matrix, late, right, general):
    """Solution by elimination, and the pivots by unknown."""
    rows, cols = np.nonzero(matrix)
    e = analyse_pattern(len(matrix), rows, cols, late)
    K = value_array(e, rows, cols, matrix[rows, cols], general)
    factor, substitute = LAYOUTS[general]
    assert factor(e, K) == -1
    x, d = right.astype(matrix.dtype), np.empty_like(K[: len(matrix)])
    substitute(e, K, x, np.empty_like(x))
    write_pivots(e, K, d)
    return x, d


def assert_close(x, expected, tolerance=1e-12):
    assert np.abs(x - expected).max() <= tolerance * np.abs(expected).max()


@pytest.mark.parametrize("general", LAYOUTS)
@pytest.mark.parametrize("seed", SEEDS)
def test_symmetric_matrix_is_solved_in_both_layouts(seed, general):
    matrix, late = random_kkt(seed)
    right = np.random.default_rng(seed).normal(size=len(matrix))
    x, d = solve(matrix, late, right, general)
    assert_close(x, np.linalg.solve(matrix, right))
    assert (d[~late] > 0).all() and (d[late] < 0).all()
    assert np.sum(np.log(np.abs(d))) == pytest.approx(np.linalg.slogdet(matrix).logabsdet, rel=1e-12)


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
@pytest.mark.parametrize("seed", SEEDS)
def test_unsymmetric_values(seed, dtype):
    matrix, late = random_kkt(seed)
    rng = np.random.default_rng(seed)
    matrix = matrix * (1 + 0.1 * rng.random(matrix.shape))
    if dtype is np.complex128:
        matrix = matrix * np.exp(0.1j * rng.random(matrix.shape))
    right = rng.normal(size=len(matrix))
    x, _ = solve(matrix, late, right, general=True)
    assert_close(x, np.linalg.solve(matrix, right))


@pytest.mark.parametrize("general", LAYOUTS)
def test_stage_coupled_pattern(general):
    """The s-stage Gauss methods couple every stage with every other: kron(ones(s, s), pattern)."""
    matrix, late = random_kkt(3)
    # Positive definite weights with full coupling keep A positive definite and J of full rank.
    stages = np.kron(np.full((3, 3), 0.2) + np.eye(3), matrix)
    right = np.random.default_rng(0).normal(size=len(stages))
    x, _ = solve(stages, np.tile(late, 3), right, general)
    assert_close(x, np.linalg.solve(stages, right))


@pytest.mark.parametrize("seed", SEEDS)
def test_multiplier_follows_all_its_coordinates(seed):
    matrix, late = random_kkt(seed)
    e = analyse_pattern(len(matrix), *np.nonzero(matrix), late)
    assert sorted(e.order) == list(range(len(matrix)))
    assert (e.order[e.position] == np.arange(len(matrix))).all()
    for multiplier in np.flatnonzero(late):
        touched = np.flatnonzero(matrix[multiplier])
        assert e.position[multiplier] > e.position[touched].max()


def test_rows_ascend_below_the_diagonal():
    matrix, late = random_kkt(5)
    e = analyse_pattern(len(matrix), *np.nonzero(matrix), late)
    for k in range(len(matrix)):
        rows = e.row[e.column[k] : e.column[k + 1]].astype(int)
        assert (np.diff(rows, prepend=k) > 0).all()


@pytest.mark.parametrize("hub", [False, True])
def test_no_fill_in_a_tree(hub):
    """Minimum degree eliminates leaves first, so a path and a star keep exactly their own entries."""
    others = np.arange(1, 50)
    e = analyse_pattern(50, others, np.zeros(49, int) if hub else others - 1, np.zeros(50, bool))
    assert e.row.size == e.target.size == 49


def test_same_pattern_same_program():
    """Order of the entries, triangle, duplicates and the explicit diagonal do not matter."""
    size, rows, cols, _, late = pinned_chain(6)
    reference = analyse_pattern(size, rows, cols, late)
    shuffle = np.random.default_rng(0).permutation(rows.size)
    below = rows > cols
    variants = [(rows[shuffle], cols[shuffle]), (rows[below], cols[below]), (cols[below], rows[below])]
    variants += [(np.tile(rows, 2), np.tile(cols, 2)), (np.append(rows, -1), np.append(cols, 2))]
    for variant in variants:
        program = analyse_pattern(size, *variant, late)
        for array, expected in ((getattr(program, f), getattr(reference, f)) for f in program.packed_type.fields):
            assert array.dtype == expected.dtype
            assert np.array_equal(array, expected)


def test_slots_follow_the_documented_layout():
    matrix, late = random_kkt(1)
    size = len(matrix)
    rows, cols = np.nonzero(matrix)
    e = analyse_pattern(size, rows, cols, late)
    n_symmetric, n_general = storage_size(e)
    assert (n_symmetric, n_general) == (size + e.row.size + 1, size + 2 * e.row.size + 1)
    assert np.array_equal(find_entry_slots(e, np.arange(size), np.arange(size), False), e.position)

    lower = e.position[rows] > e.position[cols]
    upper = e.position[rows] < e.position[cols]
    symmetric, general = find_entry_slots(e, rows, cols, False), find_entry_slots(e, rows, cols, True)
    assert (symmetric[upper] == n_symmetric - 1).all()
    assert np.array_equal(symmetric[~upper], general[~upper])
    assert np.array_equal(find_entry_slots(e, cols[lower], rows[lower], True), general[lower] + e.row.size)
    assert np.unique(general).size == general.size
    assert (general < n_general - 1).all()


def test_slots_of_ground_go_to_trash_and_shapes_broadcast():
    e = analyse_pattern(3, [1, 2], [0, 1], [False] * 3)
    assert np.array_equal(find_entry_slots(e, [-1, 0, -1], [0, -1, -1], False), [storage_size(e)[0] - 1] * 3)
    assert np.array_equal(find_entry_slots(e, [-1], [0], True), [storage_size(e)[1] - 1])
    assert find_entry_slots(e, [[0], [1]], [[0, 1]], True).shape == (2, 2)
    assert find_entry_slots(e, [], [], True).shape == (0,)


def test_invalid_input_raises_value_error():
    e = analyse_pattern(4, [1, 2], [0, 1], [False] * 4)
    with pytest.raises(ValueError, match=r"entry \(0, 3\) is not in the pattern"):
        find_entry_slots(e, [1, 0], [0, 3], False)
    with pytest.raises(ValueError, match=r"index outside of -1 \.\.\. 3"):
        find_entry_slots(e, [4], [0], False)
    with pytest.raises(ValueError, match=r"index outside of -1 \.\.\. 3"):
        analyse_pattern(4, [0], [-2], [False] * 4)
    with pytest.raises(ValueError, match="late has the shape"):
        analyse_pattern(4, [0], [1], [False] * 3)


@pytest.mark.parametrize("general", LAYOUTS)
def test_redundant_constraint_is_found(general):
    """Two equal rows of J: the second one of them to be eliminated has a pivot of exactly zero."""
    J = np.array([[1.0, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]])
    matrix = np.block([[np.eye(4), J.T], [J, np.zeros((3, 3))]])
    rows, cols = np.nonzero(matrix)
    e = analyse_pattern(7, rows, cols, np.arange(7) >= 4)
    K = value_array(e, rows, cols, matrix[rows, cols], general)
    bad = LAYOUTS[general][0](e, K)
    assert e.order[bad] in (5, 6)


@pytest.mark.parametrize("value", [np.nan, np.inf, 0.0])
@pytest.mark.parametrize("general", LAYOUTS)
def test_bad_pivot_stops_the_factorisation(general, value):
    e = analyse_pattern(3, [1, 2], [0, 1], [False] * 3)
    K = np.zeros(storage_size(e)[general])
    K[:3] = 1, value, 1
    assert LAYOUTS[general][0](e, K) == 1


@pytest.mark.parametrize("size", [0, 1, 3])
@pytest.mark.parametrize("general", LAYOUTS)
def test_diagonal_only(size, general):
    e = analyse_pattern(size, [], [], [False] * size)
    K = np.append(np.full(size, 4.0), np.nan)
    b = np.ones(size)
    factor, substitute = LAYOUTS[general]
    assert factor(e, K) == -1
    substitute(e, K, b, np.empty(size))
    assert (b == 0.25).all()


def test_cost_of_a_long_chain_is_linear():
    """20,000 unknowns: as many entries and updates per unknown as in a chain of a tenth of the length."""
    short, long = (
        analyse_pattern(size, rows, cols, late) for size, rows, cols, _, late in map(pinned_chain, (400, 4000))
    )
    assert long.order.size > 20_000
    assert long.row.size < 1.02 * 10 * short.row.size < 5 * long.order.size
    assert long.target.size < 1.02 * 10 * short.target.size < 12 * long.order.size


@pytest.mark.parametrize("general", LAYOUTS)
def test_long_chain_is_solved(general):
    size, rows, cols, values, late = pinned_chain(4000)
    e = analyse_pattern(size, rows, cols, late)
    K = value_array(e, rows, cols, values, general)
    expected = np.random.default_rng(0).normal(size=size)
    x = np.bincount(rows, values * expected[cols], minlength=size)
    factor, substitute = LAYOUTS[general]
    assert factor(e, K) == -1
    substitute(e, K, x, np.empty(size))
    # The condition number of a chain grows with the square of its length, here to about 1e7.
    assert_close(x, expected, 1e-8)


@pytest.mark.parametrize("seed", SEEDS)
def test_small_patterns_are_analysed_in_python_with_the_same_outcome(seed, monkeypatch):
    matrix, late = random_kkt(seed)
    rows, cols = np.nonzero(matrix)
    found = []
    for limit in (10**9, -1):  # Python, machine code
        monkeypatch.setattr(deferred_compilation, "MAX_PYTHON_ARRAY_SIZE", limit)
        monkeypatch.setattr(deferred_compilation, "MAX_PYTHON_SECONDS", np.inf)
        e = analyse_pattern(late.size, rows, cols, late)
        found.append(
            [
                e.order,
                e.position,
                e.column,
                e.row,
                e.target,
                *(find_entry_slots(e, rows, cols, g) for g in (False, True)),
            ]
        )
    for python, machine in zip(*found, strict=True):
        np.testing.assert_array_equal(python, machine)
