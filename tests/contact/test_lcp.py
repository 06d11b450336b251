"""The complementarity solvers against enumeration of all complementary bases, exact arithmetic and linear programs."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog, nnls
from scipy.spatial.transform import Rotation

from gaitwright._core.errors import ModelError
from gaitwright.contact.lcp import (
    STATUS_INACCURATE,
    STATUS_LIMIT,
    STATUS_NO_DIAGONAL,
    STATUS_RAY,
    STATUS_SOLVED,
    equilibrate,
    lemke,
    lemke_workspace,
    projected_gauss_seidel,
    solve_lcp,
)

SEEDS = range(60)
INF = np.inf


# ---------------------------------------------------------------------------------------------------------------- oracles


def complementary_solutions(A, b):
    """Every basic solution, one per choice of "z_i may be positive" or "w_i may be": all 2^n are tried. Least
    squares instead of a linear solve: with A singular, b can be in a cone with a singular matrix."""
    found = []
    for positive in itertools.product([False, True], repeat=b.size):
        x, missed = nnls(np.where(positive, -A, np.eye(b.size)), b)  # w - A z = b
        if missed < 1e-10 * max(1, np.abs(b).max()):
            found.append(np.where(positive, x, 0.0))
    return found


def assert_solution(A, b, result, within=1e-12):
    """Within: relative to the largest terms that w is made of."""
    size = max(1, np.abs(b).max(), np.abs(A).max() * np.abs(result.z).max())
    assert result.status == "solved" and result.certificate is None and result.ray is None
    assert np.array_equal(result.w, A @ result.z + b)
    assert np.all(result.z >= 0) and np.all(result.w >= -within * size)
    assert np.abs(np.minimum(result.z, result.w)).max() == result.residual <= within * size


def assert_certificate(A, b, result):
    y = result.certificate
    assert result.status == "ray" and "no z >= 0" in result.message
    assert np.all(y >= 0) and np.any(y > 0)
    assert np.all(A.T @ y <= 1e-10 * np.abs(b @ y))
    assert b @ y < 0


# ------------------------------------------------------------------------------------------------------- random problems


def p_matrix(rng, n):
    """Positive definite and unsymmetric: all principal minors are positive, one solution for every b."""
    G = rng.normal(size=(n, n))
    return G @ G.T + 0.1 * np.eye(n) + 3 * (G - G.T)


def semidefinite(rng, n):
    H = rng.normal(size=(n, rng.integers(0, n + 1)))
    return H @ H.T


def problem(make_A, seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 7))
    return make_A(rng, n), rng.normal(size=n)


@pytest.mark.parametrize("seed", SEEDS)
def test_p_matrices_have_one_solution_and_lemke_finds_it(seed):
    A, b = problem(p_matrix, seed)
    result = solve_lcp(A, b)
    assert_solution(A, b, result)
    solutions = complementary_solutions(A, b)
    assert solutions
    for z in solutions:
        np.testing.assert_allclose(result.z, z, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_semidefinite_problems_are_solved_or_proven_infeasible(seed):
    A, b = problem(semidefinite, seed)
    result = solve_lcp(A, b)
    if complementary_solutions(A, b):
        assert_solution(A, b, result)
    else:
        assert_certificate(A, b, result)


def test_semidefinite_problems_of_both_kinds_were_tried():
    statuses = [solve_lcp(*problem(semidefinite, seed)).status for seed in SEEDS]
    assert statuses.count("solved") > 15 and statuses.count("ray") > 15


@pytest.mark.parametrize("seed", SEEDS)
def test_lemke_status_is_correct_for_any_matrix(seed):
    A, b = problem(lambda rng, n: rng.normal(size=(n, n)), seed)
    result = solve_lcp(A, b)
    if result.status == "solved":
        assert_solution(A, b, result)
        assert complementary_solutions(A, b)
    elif result.certificate is not None:
        assert_certificate(A, b, result)
        assert not complementary_solutions(A, b)
    else:
        assert result.status == "ray" and "proves nothing" in result.message
        assert result.ray is not None and np.all(result.ray >= 0) and result.ray.max() == 1


def test_a_ray_of_a_matrix_that_is_not_copositive_plus_proves_nothing():
    A, b = np.array([[-2.0, -1.0], [2.0, -2.0]]), np.array([2.0, -1.0])
    result = solve_lcp(A, b)
    assert result.status == "ray" and result.certificate is None and "proves nothing" in result.message
    assert any(np.allclose(z, [1, 0]) for z in complementary_solutions(A, b))  # it had a solution all along


integers = st.integers(-2, 2)


@st.composite
def integer_problem(draw):
    """Small integers: ties, zeros in b and singular matrices all the time. A = H H^T + S - S^T is positive semidefinite."""
    n = draw(st.integers(1, 4))
    rank = draw(st.integers(0, n))
    H = np.array(draw(st.lists(integers, min_size=n * rank, max_size=n * rank)), float).reshape(n, rank)
    S = np.array(draw(st.lists(integers, min_size=n * n, max_size=n * n)), float).reshape(n, n)
    b = np.array(draw(st.lists(integers, min_size=n, max_size=n)), float)
    return H @ H.T + S - S.T, S, b


@settings(deadline=None, max_examples=200)
@given(integer_problem())
def test_degenerate_problems(data):
    A, S, b = data
    result = solve_lcp(A, b)
    if complementary_solutions(A, b):
        assert_solution(A, b, result)
    else:
        assert_certificate(A, b, result)
    anything = solve_lcp(S, b)
    assert anything.status in ("solved", "ray")  # never a cycle
    if anything.status == "solved":
        assert_solution(S, b, anything)


@pytest.mark.parametrize("seed", range(20))
def test_redundant_contacts(seed):
    """More contacts than degrees of freedom, b from velocities of the bodies: singular, on the border of solvability."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 40))
    H = rng.normal(size=(n, 3))
    A, b = H @ H.T, H @ rng.normal(size=3)
    assert_solution(A, b, solve_lcp(A, b), within=1e-11)


@pytest.mark.parametrize("seed", [180, 533, 1647, 3955])
def test_border_of_solvability(seed):
    """z0 reaches zero but is stuck in the basis: four of 6000 problems of this kind ended on a ray before we looked."""
    rng = np.random.default_rng(seed)
    H = rng.normal(size=(6, rng.integers(1, 6)))
    A, b = H @ H.T, H @ rng.normal(size=H.shape[1]) + rng.choice([0.0, 1.0], size=6) * rng.random(6)
    assert_solution(A, b, solve_lcp(A, b))


@pytest.mark.parametrize("seed", range(20))
def test_units_of_the_rows_do_not_matter(seed):
    """Row and column i in another unit: z in that unit, and the same proof."""
    A, b = problem(semidefinite, seed)
    unit = 2.0 ** np.random.default_rng(seed).integers(-30, 31, size=b.size)
    plain, scaled = solve_lcp(A, b), solve_lcp(unit[:, None] * A * unit, unit * b)
    assert (plain.status, plain.certificate is None) == (scaled.status, scaled.certificate is None)
    if plain.status == "solved":
        np.testing.assert_allclose(unit * scaled.z, plain.z, rtol=1e-9, atol=1e-9)


def test_equilibrate():
    scale = np.zeros(3)
    A = np.array([[1e12, 3.0, 0.0], [-5.0, 1e-8, 0.0], [0.0, 0.0, 0.0]])
    equilibrate(A, scale, np.zeros(3))
    size = np.abs(scale[:, None] * A * scale)
    assert np.all((size.max(axis=0)[:2] >= 0.5) & (size.max(axis=0)[:2] <= 2))
    assert scale[2] == 1 and np.all(np.frexp(scale)[0] == 0.5)  # powers of two


# ------------------------------------------------------------------------------------------------------------ linear programs


@pytest.mark.parametrize("seed", range(30))
def test_linear_programs(seed):
    """min c.x with M x >= q, x >= 0 and its dual are one complementarity problem with a skew matrix. HiGHS determines which of
    them have a solution."""
    rng = np.random.default_rng(seed)
    m, n = rng.integers(1, 9, size=2)
    M, c, q = rng.integers(-2, 3, size=(m, n)), rng.integers(-1, 4, size=n), rng.integers(-3, 3, size=m)
    A = np.block([[np.zeros((n, n)), -M.T], [M, np.zeros((m, m))]]).astype(float)
    b = np.concatenate([c, -q]).astype(float)
    program, result = linprog(c, A_ub=-M, b_ub=-q), solve_lcp(A, b)
    if program.status == 0:
        assert_solution(A, b, result)
        assert c @ result.z[:n] == pytest.approx(program.fun, abs=1e-9)
    else:  # infeasible or unbounded
        assert_certificate(A, b, result)


# ------------------------------------------------------------------------------------------------------------------ by hand


@pytest.mark.parametrize(
    ("a", "b", "status", "z"),
    [
        (2, -6, "solved", 3),
        (2, 6, "solved", 0),
        (2, 0, "solved", 0),
        (0, 1, "solved", 0),
        (0, 0, "solved", 0),
        (0, -1, "ray", None),
        (-1, 1, "solved", 0),  # z = 1 is another one
        (-1, -1, "ray", None),
        (1e-9, -1e9, "solved", 1e18),
        (1e200, -1e-50, "solved", 1e-250),
    ],
)
def test_one_unknown(a, b, status, z):
    result = solve_lcp([[a]], [b])
    assert result.status == status
    if z is None:
        assert_certificate(np.array([[a]]), np.array([b]), result)
    else:
        assert result.z == pytest.approx([z], rel=1e-14)


BY_HAND = {
    "two contacts": ([[2, 1], [1, 2]], [-5, -6], [4 / 3, 7 / 3]),
    "one of two": ([[2, 1], [1, 2]], [-5, -1], [2.5, 0]),
    "zeros in b": ([[2, 1], [1, 2]], [0, 0], [0, 0]),
    "a zero and a load": ([[1, -1], [-1, 2]], [0, -1], [1, 1]),
    "ties": ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [-1, -1, -1], [1, 1, 1]),
    "duplicated contact": ([[1, 1], [1, 1]], [-2, -2], None),
    "not symmetric": ([[0, -1], [1, 0]], [3, -2], [2, 3]),
    "strictly copositive, indefinite": ([[1, 3], [3, 1]], [-2, -1], None),
    "nothing": (np.zeros((0, 0)), np.zeros(0), np.zeros(0)),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_by_hand(name):
    A, b, z = BY_HAND[name]
    result = solve_lcp(A, b)
    assert result.status == "solved" and result.residual < 1e-14
    if z is not None:
        np.testing.assert_allclose(result.z, z, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("method", ["lemke", "pgs"])
def test_nonnegative_b_gives_zero_solution(method):
    """b >= 0: z = 0 before the first pivot; also without any unknown, and whatever A is."""
    result = solve_lcp([[1, -9], [-9, 1]], [0, 2], method)
    assert result.status == "solved" and result.iterations == (0 if method == "lemke" else 1)
    assert np.array_equal(result.z, [0, 0]) and np.array_equal(result.w, [0, 2]) and result.residual == 0
    empty = solve_lcp(np.zeros((0, 0)), np.zeros(0), method)
    assert empty.status == "solved" and empty.z.shape == empty.w.shape == (0,) and empty.residual == 0


def test_wedged_between_two_walls_that_close():
    """One body, contacts on both sides, both approach: no impulse can help, and the certificate proves it (1 : 1)."""
    result = solve_lcp([[1, -1], [-1, 1]], [-1, -1])
    assert_certificate(np.array([[1, -1], [-1, 1]]), np.array([-1, -1]), result)
    np.testing.assert_array_equal(result.certificate, [1, 1])


# ------------------------------------------------------------------------------------------------------------------ cycling


def careless_lemke(A, b, pick):
    """Textbook tableau in exact fractions that takes any of the tied rows: "cycle" when a basis comes back."""
    n = len(b)
    rows = [[int(i == j) for j in range(n)] + [-a for a in A[i]] + [-1, b[i]] for i in range(n)]
    rows = [[Fraction(x) for x in row] for row in rows]
    basis, entering, seen = list(range(n)), 2 * n, set()
    r = pick([i for i in range(n) if b[i] == min(b)])
    while True:
        leaving, basis[r] = basis[r], entering
        rows[r] = [x / rows[r][entering] for x in rows[r]]
        for i in range(n):
            if i != r:
                rows[i] = [x - rows[i][entering] * y for x, y in zip(rows[i], rows[r], strict=True)]
        if leaving == 2 * n:
            return "solved"
        if (*basis, leaving) in seen:
            return "cycle"
        seen.add((*basis, leaving))
        entering = (leaving + n) % (2 * n)
        ratios = {i: rows[i][-1] / rows[i][entering] for i in range(n) if rows[i][entering] > 0}
        if not ratios:
            return "ray"
        tied = [i for i in ratios if ratios[i] == min(ratios.values())]
        r = next((i for i in tied if basis[i] == 2 * n), pick(tied))


FIRST, LAST = min, max
CYCLES = {
    "Kostreva, Mathematical Programming 16 (1979) 127": (FIRST, [[1, 2, 0], [0, 1, 2], [2, 0, 1]], [-1, -1, -1]),
    "found by search, 3": (FIRST, [[1, 2, 3], [3, 0, 1], [0, 2, -1]], [-1, -1, -1]),
    "found by search, 3 last": (LAST, [[1, -2, -2], [-2, 1, 1], [0, 1, 0]], [0, -1, -1]),
    "found by search, 4": (FIRST, [[0, 1, 2, -1], [3, 2, 1, 0], [-2, -1, 1, -2], [0, 2, 0, 0]], [-1, -1, -1, 1]),
    "found by search, 4 last": (LAST, [[-2, 1, 1, -2], [1, 1, -2, 3], [-1, 0, 2, 3], [1, 3, -2, 2]], [-1, -1, -1, -1]),
    "found by search, 5": (
        FIRST,
        [[3, -1, 0, 0, 2], [2, 0, -2, 1, -2], [1, 0, 0, 1, 0], [-2, 2, 0, 1, 0], [0, 3, 1, 1, 3]],
        [-1, -1, 1, -1, 0],
    ),
}


@pytest.mark.parametrize("name", CYCLES)
def test_ties_do_not_cycle(name):
    pick, A, b = CYCLES[name]
    assert careless_lemke(A, b, pick) == "cycle"  # or the example would show nothing
    result = solve_lcp(A, b)
    assert result.status in ("solved", "ray") and result.iterations <= 4 * len(b)
    if result.status == "solved":
        assert_solution(np.array(A), np.array(b), result)


def test_kostreva():
    _, A, b = CYCLES["Kostreva, Mathematical Programming 16 (1979) 127"]
    np.testing.assert_allclose(solve_lcp(A, b).z, [1 / 3, 1 / 3, 1 / 3], rtol=1e-14)


@pytest.mark.parametrize("n", [2, 5, 9])
def test_murty(n):
    """K. G. Murty, Linear Complementarity, Linear and Nonlinear Programming (1988), chapter 6: 2^n pivots with an even covering
    vector, hardly more than n with an uneven one; and a limit that stops them."""
    A, b = np.eye(n) + 2 * np.tril(np.ones((n, n)), -1), -np.ones(n)
    result = solve_lcp(A, b)
    assert result.iterations <= 2 * n
    np.testing.assert_array_equal(result.z, np.eye(n)[0])
    stopped = solve_lcp(A, b, max_iterations=1)
    assert stopped.status == "limit" and stopped.iterations == 1 and "max_iterations" in stopped.message
    assert stopped.residual > 0.1 and stopped.certificate is None


# ------------------------------------------------------------------------------------------------------------------ rounding


@pytest.mark.parametrize("condition", [1e2, 1e8, 1e14])
@pytest.mark.parametrize("n", [5, 40])
def test_ill_conditioned(n, condition):
    rng = np.random.default_rng(n)
    Q, _ = np.linalg.qr(rng.normal(size=(n, n)))
    A, b = (Q * np.geomspace(1, 1 / condition, n)) @ Q.T, rng.normal(size=n)
    assert_solution(A, b, solve_lcp(A, b))


@pytest.mark.parametrize("seed", [13, 24, 25, 27, 44, 50])
def test_nearly_singular(seed):
    """25 contacts of a body with 12 degrees of freedom, regularised by 1e-10: failed before columns were refined."""
    rng = np.random.default_rng(seed)
    H = rng.normal(size=(25, 12))
    A, b = H @ H.T + 1e-10 * np.eye(25), rng.normal(size=25)
    assert_solution(A, b, solve_lcp(A, b), within=1e-10)


def standing(rng, sides):
    """Impulses of two to five feet of a box that stands flat but for 1e-12 to 0.1 rad, in Stewart and Trinkle's form, with two
    sides of friction (plane) or eight (space): tangents of all feet are nearly parallel, and where the box does not turn
    their slips are tied."""
    size, n = rng.uniform(0.1, 1.0, 3), rng.integers(2, 6)
    mass, mu = 10 ** rng.uniform(-2, 2), rng.choice([0.1, 0.5, 1.0, 2.0])
    inertia = mass / 12 * (np.sum(size**2) - size**2)
    feet = np.column_stack([rng.uniform(-0.5, 0.5, (n, 2)), np.full(n, -0.5)]) * size
    feet[:, 1] *= sides > 2
    axis = np.array([0.0, 1.0, 0.0]) if sides == 2 else rng.normal(size=3)
    feet = feet @ Rotation.from_rotvec(axis * 10 ** rng.uniform(-12, -1)).as_matrix().T
    angles = 2 * np.pi * np.arange(sides) / sides
    directions = [[0, 0, 1], *np.column_stack([np.cos(angles), np.sin(angles), 0 * angles])]
    W = np.vstack([np.column_stack([np.tile(d, (n, 1)), np.cross(feet, d)]) for d in directions])
    slips = np.vstack([np.zeros((n, n)), *[np.eye(n)] * sides])  # the speed of slip of each foot, in rows of its sides
    bounds = np.hstack([mu * np.eye(n), *[-np.eye(n)] * sides])
    A = np.block([[W / [*[mass] * 3, *inertia] @ W.T, slips], [bounds, np.zeros((n, n))]])
    moves = [1, 0, 1, 0, 1, 0] if sides == 2 else np.ones(6)
    return A, np.concatenate([W @ (rng.normal(size=6) * moves) * 10 ** rng.uniform(-4, 0), np.zeros(n)])


@pytest.mark.parametrize(("sides", "seeds"), [(2, range(500)), (8, range(100))])
def test_feet_of_a_box_that_stands_nearly_flat(sides, seeds):
    """Three to seven in a hundred ended on a ray or in rounding, or were called solved with impulses of 1e11, as long as the
    covering vector was even."""
    for seed in seeds:
        A, b = standing(np.random.default_rng(seed), sides)
        z = solve_lcp(A, b).z
        assert np.abs(np.minimum(A[0, 0] * z, A @ z + b)).max() <= 1e-9 * np.abs(b).max(), seed
        assert A[0, 0] * z.max() < 1e3 * np.abs(b).max(), seed


def test_rounding_errors_give_limit_status():
    A = 1 / (1.0 + np.add.outer(np.arange(8), np.arange(8)))  # Hilbert's matrix
    result = solve_lcp(A, -A @ np.ones(8), tolerance=1e-25)
    assert result.status == "limit" and "rounding" in result.message


@pytest.mark.parametrize("method", ["lemke", "pgs"])
def test_overflow_gives_limit_status(method):
    result = solve_lcp([[1e-200]], [-1e200], method)
    assert result.status == "limit" and "too large" in result.message


# -------------------------------------------------------------------------------------------------------------- the two methods


@pytest.mark.parametrize("n", [1, 2, 5, 20, 200])
def test_gauss_seidel_agrees_with_lemke(n):
    rng = np.random.default_rng(n)
    G = rng.normal(size=(n, n))
    A, b = G @ G.T / n + 0.3 * np.eye(n), rng.normal(size=n)
    pivoted, swept = solve_lcp(A, b), solve_lcp(A, b, "pgs", tolerance=1e-12)
    assert_solution(A, b, pivoted)
    assert_solution(A, b, swept, within=1e-10)
    np.testing.assert_allclose(swept.z, pivoted.z, atol=1e-10)


def test_gauss_seidel_reports_missing_convergence():
    A, b = [[1.0, -0.999], [-0.999, 1.0]], [-1.0, -1.0]
    result = solve_lcp(A, b, "pgs", max_iterations=15)
    assert result.status == "limit" and result.iterations == 15 and result.residual > 1e-3
    assert "15 sweeps" in result.message and result.certificate is None
    helped = solve_lcp(A, b, "pgs")  # sweeps alone take 20,000
    assert helped.z == pytest.approx([1000, 1000]) and helped.iterations < 20


def test_gauss_seidel_diverges_where_lemke_proves_infeasibility():
    A, b = np.array([[1.0, -2.0], [-2.0, 1.0]]), np.array([-1.0, -1.0])
    swept = solve_lcp(A, b, "pgs")
    assert swept.status == "limit" and "diverge" in swept.message and np.all(np.isfinite(swept.z))
    assert_certificate(A, b, solve_lcp(A, b))


def test_gauss_seidel_checks_all_rows_before_acceptance():
    """The only step of the first sweep is below the tolerance, but it spoils the row above by a hundred times that."""
    A, b, z = np.array([[1.0, -100.0], [0.0, 1.0]]), np.array([0.0, -0.005]), np.zeros(2)
    code, sweeps = projected_gauss_seidel(A, b, np.zeros(2), np.full(2, INF), np.full(2, -1), z, 1e-2, 50)
    assert (code, sweeps) == (STATUS_SOLVED, 3)
    np.testing.assert_allclose(z, [0.5, 0.005], rtol=1e-12)


@pytest.mark.parametrize("diagonal", [0.0, -1.0])
def test_gauss_seidel_needs_a_diagonal(diagonal):
    A, b = np.array([[1.0, 0.0], [0.0, diagonal]]), np.array([-1.0, 1.0])
    with pytest.raises(ModelError, match=r"\[1, 1\] is .*lemke") as caught:
        solve_lcp(A, b, "pgs")
    assert caught.value.field == "A"
    z = np.full(2, 7.0)
    no = np.full(2, -1)
    assert projected_gauss_seidel(A, b, np.zeros(2), np.full(2, INF), no, z, 1e-10, 9) == (STATUS_NO_DIAGONAL, 1)
    assert np.array_equal(z, [7, 7])


# ---------------------------------------------------------------------------------------------------------- compiled interface


def test_lemke_can_be_called_again_with_the_same_workspace():
    """As a time-stepping method does: nothing of an earlier call may be left, and the data are not touched."""
    tableau, basis = lemke_workspace(3)
    tableau[:], basis[:] = np.nan, -99
    z = np.full(3, np.nan)
    walls = np.array([[1.0, -1, 0], [-1, 1, 0], [0, 0, 1]])
    for A, b, status, expected in [
        (np.eye(3), [-1.0, 2, -3], STATUS_SOLVED, [1, 0, 3]),
        (walls, [-1.0, -1, -1], STATUS_RAY, None),
        (np.eye(3), [1.0, 2, 3], STATUS_SOLVED, [0, 0, 0]),
        (np.eye(3), [1.0, -2, 0], STATUS_SOLVED, [0, 2, 0]),
    ]:
        kept = A.copy(), np.array(b)
        assert lemke(A, kept[1], z, tableau, basis, 100)[0] == status
        assert np.array_equal(A, kept[0]) and np.array_equal(kept[1], b)
        if expected is not None:
            np.testing.assert_allclose(z, expected, rtol=1e-15)
        else:
            assert tableau[3, 0] == tableau[3, 1] > 0 == tableau[3, 2]
    assert lemke(np.eye(3), -np.ones(3), z, tableau, basis, 2) == (STATUS_LIMIT, 2)
    assert len({STATUS_SOLVED, STATUS_RAY, STATUS_LIMIT, STATUS_INACCURATE, STATUS_NO_DIAGONAL}) == 5


@pytest.mark.parametrize("bad", [np.nan, -INF])
@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize("place", range(3))
def test_non_finite_data_never_give_solved_status(bad, sign, place):
    """The compiled functions are called with whatever a time step made."""
    A, b = np.eye(3) + 0.1, np.full(3, sign)
    bounds = np.zeros(3), np.full(3, INF), np.full(3, -1)
    b[place] = bad
    assert lemke(A, b, np.zeros(3), *lemke_workspace(3), 50)[0] != STATUS_SOLVED
    assert projected_gauss_seidel(A, b, *bounds, np.zeros(3), 1e-9, 50)[0] != STATUS_SOLVED
    b[place], A[place, 1] = -1, bad
    assert lemke(A, b, np.zeros(3), *lemke_workspace(3), 50)[0] != STATUS_SOLVED
    assert projected_gauss_seidel(A, b, *bounds, np.full(3, bad), 1e-9, 50)[0] != STATUS_SOLVED


BOXES = {  # a diagonal A, so that every row is solved by hand: z = -b / a, cut at the bounds
    "inside": (2.0, -1.0, -1.0, 1.0, 0.5),
    "upper": (2.0, -8.0, -1.0, 1.0, 1.0),
    "lower": (2.0, 8.0, -1.0, 1.0, -1.0),
    "joint": (2.0, 8.0, -INF, INF, -4.0),
    "contact open": (2.0, 8.0, 0.0, INF, 0.0),
    "no room": (2.0, 8.0, 0.0, 0.0, 0.0),
}


def test_boxes():
    a, b, low, high, expected = np.array(list(BOXES.values())).T
    z = np.zeros(a.size)
    code, _ = projected_gauss_seidel(np.diag(a), b, low, high, np.full(a.size, -1), z, 1e-14, 10)
    assert code == STATUS_SOLVED
    np.testing.assert_array_equal(z, expected)


MASS, MU = 2.0, 0.5


@pytest.mark.parametrize(
    ("approach", "slip", "normal", "friction"),
    [
        (3.0, 1.0, 6.0, -2.0),  # sticks: the impulse that stops the slip, m v, is less than mu p
        (3.0, 4.0, 6.0, -3.0),  # slides on, -mu p
        (3.0, -4.0, 6.0, 3.0),
        (3.0, 1.5, 6.0, -3.0),  # the border
        (-1.0, 4.0, 0.0, 0.0),  # separates: no friction either
        (0.0, 4.0, 0.0, 0.0),
    ],
)
@pytest.mark.parametrize("guess", [0.0, 10.0])
def test_coulomb_friction_of_a_point_mass(approach, slip, normal, friction, guess):
    """A point mass hits the ground with `approach` (m/s downwards) and `slip` along it; no bounce."""
    A, b = np.eye(2) / MASS, np.array([-approach, slip])
    z = np.full(2, guess)
    code, sweeps = projected_gauss_seidel(
        A, b, np.array([0.0, -MU]), np.array([INF, MU]), np.array([-1, 0]), z, 1e-13, 50
    )
    assert code == STATUS_SOLVED and sweeps <= 3
    np.testing.assert_allclose(z, [normal, friction], atol=1e-12)


def test_coulomb_friction_of_a_tilted_rod():
    """Normal and tangential impulse coupled by the rotation: checks Coulomb's law itself."""
    normal, tangent = np.array([0.0, 1.0, -0.3]), np.array([1.0, 0.0, 0.4])  # x, y, theta at the tip
    H, M = np.array([normal, tangent]), np.diag([1.0, 1.0, 0.08])
    A = H @ np.linalg.solve(M, H.T)
    for mu, b in itertools.product([0.0, 0.2, 1.0, INF], itertools.product([-1.0, 0.5], [-2.0, 0.1])):
        z = np.zeros(2)
        code, _ = projected_gauss_seidel(
            A, np.array(b), np.array([0.0, -mu]), np.array([INF, mu]), np.array([-1, 0]), z, 1e-12, 10_000
        )
        w = A @ z + b
        assert code == STATUS_SOLVED and z[0] >= 0 and w[0] > -1e-11 and abs(z[0] * w[0]) < 1e-11
        if z[0] > 0 and mu < INF:
            assert abs(z[1]) <= mu * z[0] + 1e-12
            assert abs(w[1]) < 1e-10 or z[1] == pytest.approx(-np.sign(w[1]) * mu * z[0])
        elif z[0] > 0:
            assert abs(w[1]) < 1e-10
        else:
            assert z[1] == 0


@pytest.mark.parametrize("seed", range(20))
def test_friction_as_a_complementarity_problem(seed):
    """D. E. Stewart and J. C. Trinkle, Int. J. Numer. Meth. Engng 39 (1996) 2673-2691: two opposite friction directions
    per planar contact and one slip speed. A is copositive and its problem always solvable: Lemke never ends on a ray."""
    rng = np.random.default_rng(seed)
    contacts, coordinates = int(rng.integers(1, 6)), int(rng.integers(2, 8))
    N, T = rng.normal(size=(2, contacts, coordinates))
    H = np.vstack([N, T, -T])
    mu, one, none = np.diag(rng.uniform(0, 1.5, contacts)), np.eye(contacts), np.zeros((contacts, contacts))
    slip = np.vstack([none, one, one])
    A = np.block([[H / rng.uniform(0.01, 10, coordinates) @ H.T, slip], [mu, -one, -one, none]])
    b = np.concatenate([H @ rng.normal(size=coordinates), np.zeros(contacts)])
    result = solve_lcp(A, b)
    assert_solution(A, b, result, within=1e-11)
    normal, forward, backward, _ = result.z.reshape(4, contacts)
    assert np.all(np.abs(forward - backward) <= mu @ normal + 1e-9 * max(1, normal.max()))


def test_a_good_guess_saves_sweeps():
    rng = np.random.default_rng(0)
    G = rng.normal(size=(30, 30))
    A, b = G @ G.T / 30 + 0.1 * np.eye(30), rng.normal(size=30)
    bounds = np.zeros(30), np.full(30, INF), np.full(30, -1)
    z = np.zeros(30)
    _, cold = projected_gauss_seidel(A, b, *bounds, z, 1e-10, 1000)
    _, warm = projected_gauss_seidel(A, b, *bounds, z, 1e-10, 1000)
    assert warm == 1 < cold


# ------------------------------------------------------------------------------------------------------------------ bad input

GOOD = {"A": np.eye(2), "b": -np.ones(2)}
BAD = {
    "not square": ({"A": np.ones((2, 3))}, "A", r"wrong shape \(got \(2, 3\)\); expected a square matrix"),
    "A is a vector": ({"A": [1.0, 2.0]}, "A", "square matrix"),
    "b too long": ({"b": [1, 2, 3]}, "b", r"got \(3,\).*expected shape \(2,\)"),
    "b is a matrix": ({"b": [[1], [2]]}, "b", "wrong shape"),
    "NaN in A": ({"A": [[1, 0], [np.nan, 1]]}, "A", r"entry \[1, 0\] is not finite \(got nan\)"),
    "infinity in b": ({"b": [1, -INF]}, "b", r"entry \[1\] is not finite \(got -inf\)"),
    "words": ({"A": [["a", "b"], ["c", "d"]]}, "A", "not an array of real numbers"),
    "ragged": ({"A": [[1, 2], [3]]}, "A", "not an array of real numbers"),
    "complex": ({"b": [1j, 2]}, "b", "not an array of real numbers"),
    "None": ({"b": None}, "b", "not an array of real numbers"),
    "method": ({"method": "simplex"}, "method", r"no such method \(got 'simplex'\); expected lemke or pgs"),
    "tolerance zero": ({"tolerance": 0}, "tolerance", "positive number"),
    "tolerance NaN": ({"tolerance": np.nan}, "tolerance", "positive number"),
    "tolerance word": ({"tolerance": "tight"}, "tolerance", "positive number"),
    "no iterations": ({"max_iterations": 0}, "max_iterations", "at least 1"),
    "half an iteration": ({"max_iterations": 1.5}, "max_iterations", "integer"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name):
    change, field, message = BAD[name]
    with pytest.raises(ModelError, match=message) as caught:
        solve_lcp(**(GOOD | change))
    assert caught.value.element == "solve_lcp" and caught.value.field == field and caught.value.expected
    assert "\n" not in str(caught.value)


def test_input_formats_are_accepted_and_unchanged():
    """Lists, integers, Fortran order; and it is not changed."""
    A, b = np.asfortranarray([[2, 1], [0, 2]]), np.array([-3, -4])
    assert solve_lcp(A, b).z == pytest.approx(solve_lcp(A.tolist(), b.tolist()).z)
    assert np.array_equal(A, [[2, 1], [0, 2]]) and np.array_equal(b, [-3, -4])
