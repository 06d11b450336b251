"""Tops: free symmetric and asymmetric ones, the flip about the middle axis, Lagrange's heavy top, and the heavy top that
Lie-group integrators are compared on. Truth: `top_solutions.py`."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.result.result import Result
from verification import top_solutions as tops

TIGHT = {"method": "dopri5", "tolerance": 1e-12}


def vector(run: Result, name: str, *parts: str) -> np.ndarray:
    """Three outputs as (n_times, 3)."""
    return np.stack([run.array(f"{name}.{part}") for part in parts], axis=1)


def matrices(run: Result, body: str) -> np.ndarray:
    """Rotation matrices, (n_times, 3, 3)."""
    return np.stack([[run.array(f"{body}.r{i}{j}") for j in (1, 2, 3)] for i in (1, 2, 3)]).transpose(2, 0, 1)


def spin(run: Result, body: str) -> np.ndarray:
    return vector(run, body, "wx", "wy", "wz")


def momentum(run: Result, body: str, moments) -> np.ndarray:
    """Angular momentum about the centre of mass, ground frame."""
    return np.einsum(
        "tij,tj->ti", matrices(run, body), np.array(moments) * vector(run, body, "wx_body", "wy_body", "wz_body")
    )


def free_body(moments, spin, *, gravity=(0, 0, 0), centre=(0, 0, 0), **more) -> gw.Model:
    model = gw.Model("free body", dimension=3, gravity=gravity)
    return model.body("body", mass=2.0, inertia=list(moments), spin=list(spin), centre=list(centre), **more)


# Free tops -----------------------------------------------------------------------------------------------------------

SHAPES = [(0.2, 0.3), (0.2, 0.05)]


@pytest.mark.slow
@pytest.mark.parametrize(("transverse", "axial"), SHAPES, ids=["oblate", "prolate"])
def test_free_symmetric_top_over_a_hundred_revolutions(transverse: float, axial: float) -> None:
    """The axis goes round L at |L| / I1, the body turns about it; the centre, away from the origin of the frame, falls."""
    start = tops.turned(np.array([0.3, -0.5, 0.8]))
    w = start @ np.array([2.0, 0.0, 7.0])
    rate = np.linalg.norm([transverse * 2.0, axial * 7.0]) / transverse
    end = 100 * 2 * np.pi / rate
    model = free_body([transverse, transverse, axial], w, gravity=(0, 0, -9.81), centre=(0.1, -0.2, 0.3),
                      orientation={"axes": start.T.tolist()}, velocity=[1.0, 2.0, 3.0])  # fmt: skip
    run = model.simulate(end, **TIGHT, output_step=end / 50)
    exact = [tops.free_symmetric_top(t, transverse, axial, start, w) for t in run.time]
    # Some 30 steps per turn with local errors of 1e-12 each make a phase error that grows with time.
    np.testing.assert_allclose(matrices(run, "body"), [matrix for matrix, _ in exact], rtol=0, atol=1e-7)
    np.testing.assert_allclose(spin(run, "body"), [omega for _, omega in exact], rtol=0, atol=1e-6)
    own = vector(run, "body", "wx_body", "wy_body", "wz_body")
    np.testing.assert_allclose(own[:, 2], 7.0, rtol=1e-10)
    phase = (axial - transverse) / transverse * 7.0 * run.time
    np.testing.assert_allclose(own[:, 0] + 1j * own[:, 1], 2.0 * np.exp(1j * phase), rtol=0, atol=2e-7)
    fallen = start @ [0.1, -0.2, 0.3] + np.outer(run.time, [1.0, 2.0, 3.0])
    fallen[:, 2] -= 9.81 * run.time**2 / 2
    np.testing.assert_allclose(vector(run, "body", "x", "y", "z"), fallen, rtol=1e-11, atol=1e-10)


MOMENTS = np.array([0.2, 0.3, 0.4])


def euler_start(w) -> tuple[tops.EulerTop, gw.Model]:
    """A free top with w2 = 0 in the body frame, turned so that L is along z of the ground."""
    exact = tops.EulerTop(MOMENTS, np.array(w))
    matrix = exact.matrix(0.0)
    return exact, free_body(MOMENTS, matrix @ w, orientation={"axes": matrix.T.tolist()})


@pytest.mark.parametrize("w", [(1.0, 0.0, 4.0), (-5.0, 0.0, 3.7)], ids=["steady", "wobbling"])
def test_euler_top_is_that_of_the_jacobi_functions(w) -> None:
    exact, model = euler_start(w)
    run = model.simulate(5 * exact.period, **TIGHT, output_step=exact.period / 8)
    own = vector(run, "body", "wx_body", "wy_body", "wz_body")
    np.testing.assert_allclose(own, exact.spin(run.time), rtol=0, atol=1e-9)
    np.testing.assert_allclose(matrices(run, "body"), [exact.matrix(t) for t in run.time], rtol=0, atol=2e-9)


def test_flip_about_the_middle_axis() -> None:
    """A spanner thrown into the air: turns about its middle axis, disturbed by 0.3 %, and flips again and again."""
    disturbed = np.array([0.02, 0.0, 0.015])
    i1, i2, i3 = MOMENTS
    # in the frame of EulerTop w2 passes through zero midway between two flips, so start from its own extremes
    energy = i2 * 6.0**2 + i1 * disturbed[0] ** 2 + i3 * disturbed[2] ** 2
    square = (i2 * 6.0) ** 2 + (i1 * disturbed[0]) ** 2 + (i3 * disturbed[2]) ** 2
    w3 = np.sqrt((square - energy * i1) / (i3 * (i3 - i1)))
    w1 = np.sqrt((energy * i3 - square) / (i1 * (i3 - i1)))
    exact = tops.EulerTop(MOMENTS, np.array([w1, 0.0, w3]))
    run = free_body(MOMENTS, [disturbed[0], 6.0, disturbed[2]]).simulate(2.2 * exact.period, **TIGHT)
    middle = run.crossings("body.wy_body", 0.0)
    assert middle.size == 4  # two flips per period
    assert np.ptp(run.array("body.r22")) > 1.99  # upside down
    # Errors of the energy, 1e-12 per step, act on the period as parts of the disturbance's energy, 1e-5 of the whole.
    np.testing.assert_allclose(np.diff(middle), exact.period / 2, rtol=2e-8)
    turning = momentum(run, "body", MOMENTS)
    np.testing.assert_allclose(
        turning, np.tile(MOMENTS * [disturbed[0], 6.0, disturbed[2]], (run.time.size, 1)), atol=1e-9
    )
    np.testing.assert_allclose(run.array("energy.kinetic"), energy / 2, rtol=1e-10)


# Lagrange's top ------------------------------------------------------------------------------------------------------

MASS, ARM, CENTRAL, AXIAL = 0.5, 0.1, 4e-3, 1.5e-3
TOP = tops.LagrangeTop(CENTRAL + MASS * ARM**2, AXIAL, MASS * tops.G * ARM)


def heavy_top(tilt: float, precession: float, spinning: float, **more) -> gw.Model:
    """A top on a ball joint at the origin, leaning towards x; the origin of its frame is the joint."""
    axis = np.array([np.sin(tilt), 0.0, np.cos(tilt)])
    own = spinning - precession * np.cos(tilt)
    omega = np.array([0.0, 0.0, precession]) + own * axis
    model = gw.Model("heavy top", dimension=3).ground_point("O", 0, 0, 0)
    model.body("top", mass=MASS, inertia=[CENTRAL, CENTRAL, AXIAL], centre=[0, 0, ARM], points={"tip": [0, 0, 0]},
               orientation={"angles": [0, np.degrees(tilt), 0]}, spin=omega.tolist(),
               velocity=np.cross(omega, ARM * axis).tolist())  # fmt: skip
    return model.joint.spherical("ground.O", "top.tip", name="ball")


@pytest.mark.parametrize("which", [0, 1], ids=["slow", "fast"])
@pytest.mark.parametrize("tilt", [0.5, 2.2], ids=["leaning", "hanging"])
def test_steady_precession_is_kept(tilt: float, which: int) -> None:
    spinning = 90.0
    rate = TOP.steady(tilt, spinning)[which]
    run = heavy_top(tilt, rate, spinning).simulate(2.0, **TIGHT, output_step=0.02)
    np.testing.assert_allclose(run.array("top.r33"), np.cos(tilt), rtol=0, atol=1e-9)
    axis = run.array("top.r13") + 1j * run.array("top.r23")
    np.testing.assert_allclose(axis, np.sin(tilt) * np.exp(1j * rate * run.time), rtol=0, atol=2e-9)
    np.testing.assert_allclose(run.array("top.wz_body"), spinning, rtol=1e-11)
    # the joint carries the weight and the centripetal force, and no moment
    inward = MASS * ARM * np.sin(tilt) * rate**2
    np.testing.assert_allclose(run.array("ball.fz"), MASS * tops.G, atol=1e-6)
    np.testing.assert_allclose(np.hypot(run.array("ball.fx"), run.array("ball.fy")), inward, atol=1e-6)
    np.testing.assert_allclose(vector(run, "ball", "mx", "my", "mz"), 0.0, atol=1e-12)


STARTS = [(0.6, 0.0, 90.0), (0.6, 4.0, 90.0), (0.6, -4.0, 60.0), (2.5, 3.0, 20.0)]


@pytest.mark.parametrize(("tilt", "precession", "spinning"), STARTS, ids=["cusps", "waves", "loops", "hanging"])
def test_nutation_is_that_of_the_elliptic_functions(tilt: float, precession: float, spinning: float) -> None:
    exact = TOP.nutation(tilt, precession, spinning)
    run = heavy_top(tilt, precession, spinning).simulate(5.5 * exact.period, **TIGHT)
    height = run.array("top.r33")
    np.testing.assert_allclose(height, exact.height(run.time), rtol=0, atol=1e-9)
    assert height.min() == pytest.approx(exact.low, abs=1e-4) and height.max() == pytest.approx(exact.high, abs=1e-4)
    passed = run.crossings("top.r33", (exact.low + exact.high) / 2, direction=1)
    np.testing.assert_allclose(np.diff(passed), exact.period, rtol=1e-8)
    for k in np.linspace(0, run.time.size - 1, 9).astype(int):
        phase = np.angle(run.array("top.r13")[k] + 1j * run.array("top.r23")[k])
        miss = phase - exact.precession(run.time[k])
        assert abs(np.exp(1j * miss) - 1) < 1e-8


CRITICAL = 2 * np.sqrt(TOP.moment * TOP.transverse) / TOP.axial


@pytest.mark.parametrize("share", [0.9, 0.99, 1.01, 1.1])
def test_a_sleeping_top_wakes_below_the_critical_spin(share: float) -> None:
    """(I3 w3)^2 > 4 m g l I1. From a lean of 1e-6 rad the small motion is that of the linear equation, growing or not."""
    spinning, lean, end = share * CRITICAL, 1e-6, 1.0
    run = heavy_top(lean, 0.0, spinning).simulate(end, **TIGHT, output_step=0.02)
    exact = TOP.sleeping(run.time, lean, spinning)
    found = run.array("top.r13") + 1j * run.array("top.r23")
    grown = np.abs(exact).max()
    np.testing.assert_allclose(
        found, exact, rtol=0, atol=1e-5 * grown
    )  # rounding of 1e-16 on the way to 1e-6, times 20
    growth = TOP.growth(spinning).real
    assert (growth > 1e-3) == (share < 1)
    assert (grown > 20 * lean) == (share == 0.9)


# The heavy top of Lie-group integrators ------------------------------------------------------------------------------


def benchmark_top() -> gw.Model:
    """O. Bruls, A. Cardona, M. Arnold, Mechanism and Machine Theory 48 (2012) 121: 15 kg at 1 m along y of the
    body, I = diag(0.234375, 0.46875, 0.234375) kg m^2, spin (0, 150, -4.61538) rad/s, upright frame."""
    omega = [0.0, 150.0, -4.61538]
    model = gw.Model("heavy top", dimension=3).ground_point("O", 0, 0, 0)
    model.body("top", mass=15.0, inertia=[0.234375, 0.46875, 0.234375], at=[0, 1, 0], points={"O": [0, -1, 0]}, spin=omega,
               velocity=np.cross(omega, [0, 1, 0]).tolist())  # fmt: skip
    return model.joint.spherical("ground.O", "top.O", name="ball")


BENCHMARK = tops.LagrangeTop(15.234375, 0.46875, 15 * tops.G).nutation(np.pi / 2, -4.61538, 150.0)


@functools.cache
def benchmark_end(end: float) -> np.ndarray:
    """Position of the centre of mass: it starts on y."""
    u, angle = float(BENCHMARK.height(end)), BENCHMARK.precession(end)
    return np.array([-np.sqrt(1 - u**2) * np.sin(angle), np.sqrt(1 - u**2) * np.cos(angle), u])


@pytest.mark.parametrize(
    ("method", "steps", "order"),
    [
        ("generalized-alpha", (1000, 2000), 2),
        ("gauss2", (200, 400), 4),
        ("gauss3", (100, 200), 6),
        ("rk4", (1000, 2000), 4),
    ],
)
def test_heavy_top_of_lie_group_integrators(method: str, steps: tuple[int, int], order: int) -> None:
    """The benchmark has no closed form in its papers, but its body is symmetric about the line to the joint: Lagrange's."""
    end = 0.5
    errors = []
    for count in steps:
        run = benchmark_top().simulate(end, method=method, step=end / count, every=count)
        errors.append(np.abs(vector(run, "top", "x", "y", "z")[-1] - benchmark_end(end)).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.6)
    assert errors[1] < 1e-2


@pytest.mark.slow
def test_heavy_top_of_lie_group_integrators_in_all_digits() -> None:
    run = benchmark_top().simulate(1.0, method="radau5", tolerance=1e-11)
    np.testing.assert_allclose(vector(run, "top", "x", "y", "z")[-1], benchmark_end(1.0), rtol=0, atol=1e-7)
    assert run.evidence.max_energy_residual < 1e-6  # of 5.4 kJ
