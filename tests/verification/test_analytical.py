"""Tests of the reference solutions: closed forms against quadrature, ODE solves, differentiation and each other."""

from __future__ import annotations

from itertools import pairwise

import mpmath
import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.linalg import eigvalsh

from verification import analytical as an
from verification import benchmarks as bm

TIGHT = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-12}


def derivative(function, x: float, h: float) -> np.ndarray:
    """Five-point central difference, error h^4."""
    f = {k: np.asarray(function(x + k * h)) for k in (-2, -1, 1, 2)}
    return (8.0 * (f[1] - f[-1]) - (f[2] - f[-2])) / (12.0 * h)


# Pendulum -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("amplitude", [1e-3, 0.5, np.pi / 2, 3.0, 3.14])
def test_pendulum_period_equals_its_integral(amplitude: float) -> None:
    w0 = an.rod_pendulum_frequency(1.0)
    with mpmath.workdps(25):
        k, quarter = mpmath.sin(mpmath.mpf(amplitude) / 2), mpmath.pi / 2
        pieces = [0, 1, quarter - 0.1, quarter - 0.01, quarter - 0.001, quarter]  # peaked for amplitudes near pi
        integral = 4 * mpmath.quad(lambda x: 1 / mpmath.sqrt(1 - (k * mpmath.sin(x)) ** 2), pieces) / w0
    assert an.pendulum_period(amplitude, w0) == pytest.approx(float(integral), rel=1e-13)


@pytest.mark.parametrize(
    ("angle0", "rate0"),
    [(np.pi / 2, 0.0), (-2.5, 0.0), (0.3, -2.0), (3.0, 1.0), (np.pi, 1.0), (-7.0, -9.0), (9.0, 0.2)],
)
def test_pendulum_motion_solves_its_equation(angle0: float, rate0: float) -> None:
    w0, t = 3.1, np.linspace(0.0, 6.0, 25)
    angle, rate, acceleration = an.pendulum_motion(t, angle0, rate0, w0)
    run = solve_ivp(lambda _t, y: [y[1], -(w0**2) * np.sin(y[0])], (0, 6), [angle0, rate0], t_eval=t, **TIGHT)
    np.testing.assert_allclose(angle, run.y[0], atol=1e-9)  # the ODE solve is the weaker side
    np.testing.assert_allclose(rate, run.y[1], atol=1e-9)
    energy = rate**2 / 2 - w0**2 * np.cos(angle)
    np.testing.assert_allclose(energy, energy[0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(acceleration, -(w0**2) * np.sin(angle), atol=1e-13)


def test_pendulum_motion_against_30_digits() -> None:
    w0, t = an.rod_pendulum_frequency(1.0), 20.0
    with mpmath.workdps(30):
        m = mpmath.sin(mpmath.mpf(2.0) / 2) ** 2
        exact = 2 * mpmath.asin(mpmath.sqrt(m) * mpmath.ellipfun("sn", w0 * mpmath.mpf(t) + mpmath.ellipk(m), m=m))
    assert float(an.pendulum_motion(t, 2.0, 0.0, w0)[0]) == pytest.approx(float(exact), abs=5e-14)


def test_pendulum_returns_after_its_period() -> None:
    w0 = 2.7
    assert float(an.pendulum_motion(an.pendulum_period(2.2, w0), 2.2, 0.0, w0)[0]) == pytest.approx(2.2, abs=1e-12)
    turn = an.pendulum_revolution_time(1.3, w0)
    angle, rate, _ = an.pendulum_motion(turn, np.pi, 1.3, w0)
    assert (float(angle), float(rate)) == pytest.approx((3 * np.pi, 1.3), abs=1e-12)


def test_pin_force_carries_weight_and_centripetal_load() -> None:
    mass, inertia, arm = 2.0, 0.3, 0.4
    still = an.pendulum_pin_force(0.0, 0.0, mass, inertia, arm)
    assert complex(still) == pytest.approx(mass * 9.81j)
    # released from the horizontal, the pin carries m g J / (J + m a^2) vertically and nothing along the body
    released = an.pendulum_pin_force(np.pi / 2, 0.0, mass, inertia, arm)
    assert complex(released) == pytest.approx(1j * mass * 9.81 * inertia / (inertia + mass * arm**2), abs=1e-14)
    # at the bottom of that fall: w^2 = 2 m g a / (J + m a^2)
    w2 = 2 * mass * 9.81 * arm / (inertia + mass * arm**2)
    bottom = an.pendulum_pin_force(0.0, np.sqrt(w2), mass, inertia, arm)
    assert complex(bottom) == pytest.approx(1j * mass * (9.81 + w2 * arm))


# Linkages -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("branch", [1, -1])
def test_four_bar_equals_circle_intersection(branch: int) -> None:
    a, b, c, d = 0.1, 0.28, 0.25, 0.3
    theta, w, dw = np.linspace(0, 2 * np.pi, 40), 3.0, -5.0
    trig = an.four_bar(a, b, c, d, theta, w, dw, branch)
    tip, o4 = an.crank_point(a, theta, w, dw), an.fixed_point(d, theta)
    joint = an.dyad(tip, o4, b, c, branch)
    coupler, rocker = an.bar_motion(tip, joint), an.bar_motion(o4, joint)
    for got, bar in (("coupler", coupler), ("rocker", rocker)):
        np.testing.assert_allclose(np.exp(1j * getattr(trig, f"{got}_angle")), np.exp(1j * bar.angle), atol=1e-13)
        np.testing.assert_allclose(getattr(trig, f"{got}_rate"), bar.spin, atol=1e-12)
        np.testing.assert_allclose(getattr(trig, f"{got}_acceleration"), bar.angular_acceleration, atol=1e-10)
    assert np.all(np.sign(an.cross(o4[0] - tip[0], joint[0] - tip[0])) == branch)


def test_dyad_derivatives_against_differences() -> None:
    def joint(t: float) -> np.ndarray:
        angle, w, dw = 0.4 + 2.0 * t - 1.5 * t**2, 2.0 - 3.0 * t, -3.0
        return an.dyad(an.crank_point(0.1, angle, w, dw), an.fixed_point(-0.25 - 0.05j), 0.33, 0.27, -1)

    for order in (0, 1):
        np.testing.assert_allclose(
            derivative(lambda t, k=order: joint(t)[k], 0.3, 1e-3), joint(0.3)[order + 1], atol=1e-10
        )


SLIDER = an.uniform_slider_crank(0.1, 0.4, 0.5, 0.8, 1.2, offset=0.05)


def test_slider_crank_derivatives_against_differences() -> None:
    def at(t: float) -> an.SliderCrankMotion:
        return an.slider_crank(SLIDER, 0.7 + 3.0 * t + 2.0 * t**2, 3.0 + 4.0 * t, 4.0)

    for of, to in (
        ("position", "velocity"),
        ("velocity", "acceleration"),
        ("rod_angle", "rod_rate"),
        ("rod_rate", "rod_acceleration"),
    ):
        slope = derivative(lambda t, name=of: getattr(at(t), name), 0.2, 1e-3)
        assert float(slope) == pytest.approx(float(getattr(at(0.2), to)), abs=1e-9)
    loop = 0.1 * np.exp(0.7j) + 0.4 * np.exp(1j * at(0.0).rod_angle)
    assert complex(loop) == pytest.approx(complex(at(0.0).position, 0.05), abs=1e-15)


def test_slider_crank_torque_by_virtual_work_equals_newton_euler() -> None:
    theta = np.linspace(0.0, 2 * np.pi, 17)
    work = an.slider_crank_torque(SLIDER, theta, 12.0, -30.0)
    reaction = an.slider_crank_reactions(SLIDER, theta, 12.0, -30.0)
    np.testing.assert_allclose(work, reaction.torque, atol=1e-12)
    # momentum of the whole mechanism: the ground carries weight and all inertia forces
    motion, pin = an.slider_crank(SLIDER, theta, 12.0, -30.0), an.crank_point(0.1, theta, 12.0, -30.0)
    momentum_rate = 0.5 * pin[2] / 2 + 0.8 * motion.rod_centre[2] + 1.2 * motion.acceleration
    np.testing.assert_allclose(reaction.at_o + 1j * reaction.guide - 2.5j * 9.81, momentum_rate, atol=1e-12)


def test_slider_crank_torque_is_the_power_balance() -> None:
    def energy(t: float) -> float:
        motion, w = an.slider_crank(SLIDER, 0.3 + 7.0 * t, 7.0), 7.0
        centre = motion.rod_centre
        kinetic = (
            0.5 * 0.5 * 0.1**2 / 3 * w**2 + 0.4 * abs(centre[1]) ** 2 + 0.5 * SLIDER.rod_inertia * motion.rod_rate**2
        )
        height = 0.5 * 0.05 * np.sin(0.3 + 7.0 * t) + 0.8 * centre[0].imag
        return float(kinetic + 0.6 * motion.velocity**2 + 9.81 * height)

    power = float(derivative(energy, 0.1, 1e-3))
    assert 7.0 * float(an.slider_crank_torque(SLIDER, 1.0, 7.0)) == pytest.approx(power, rel=1e-8)


def test_free_slider_crank_energy_form_equals_ode() -> None:
    def rhs(_t: float, y: np.ndarray) -> list[float]:
        inertia, slope, _, _ = an.slider_crank_reduced(bm.SIMEON, y[0], 0.0)
        return [y[1], float(-0.5 * slope * y[1] ** 2 / inertia)]

    run = solve_ivp(rhs, (0.0, bm.SIMEON_FREE_TURN), [0.0, 150.0], **TIGHT)
    assert run.y[:, -1] == pytest.approx([2 * np.pi, 150.0], rel=1e-9)
    assert an.free_slider_crank_time(bm.SIMEON, 2 * np.pi, 0.0, 150.0) == pytest.approx(bm.SIMEON_FREE_TURN, rel=1e-13)
    rates = an.free_slider_crank_rate(bm.SIMEON, np.linspace(0, 2 * np.pi, 4001), 0.0, 150.0)
    assert rates.min() == pytest.approx(bm.SIMEON_FREE_LEAST_RATE, rel=1e-12)


def test_simeon_rigid_limit_is_near_the_published_flexible_answer() -> None:
    motion = an.slider_crank(bm.SIMEON, 15.0, 150.0)
    load = an.slider_crank_reactions(bm.SIMEON, 15.0, 150.0, gravity=0.0)
    rigid = [motion.rod_angle, motion.position, motion.rod_rate, motion.velocity, motion.acceleration]
    np.testing.assert_allclose(rigid, bm.SIMEON_FLEXIBLE_END[:5], rtol=5e-4)
    multipliers = [-load.guide, -load.at_b.real, -load.torque]  # the Test Set's M q'' + G^T lambda = f
    np.testing.assert_allclose(multipliers, bm.SIMEON_FLEXIBLE_END[5:], rtol=3e-2)


# Oscillators ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("damping", [0.0, 0.7, 12.0, 40.0])  # 12 is critical for m = 1.5, k = 24
def test_damped_free_solves_its_equation(damping: float) -> None:
    m, k, t = 1.5, 24.0, np.linspace(0.0, 3.0, 13)
    x, v = an.damped_free(t, m, damping, k, 0.2, -1.0)
    run = solve_ivp(lambda _t, y: [y[1], -(damping * y[1] + k * y[0]) / m], (0, 3), [0.2, -1.0], t_eval=t, **TIGHT)
    np.testing.assert_allclose([x, v], run.y, atol=1e-10)
    for root in an.damped_eigenvalues(m, damping, k):
        assert abs(m * root**2 + damping * root + k) < 1e-10 * k * (1 + abs(root))


def test_damped_free_is_continuous_at_critical_damping() -> None:
    at = [an.damped_free(0.4, 1.5, c, 24.0, 0.2, -1.0)[0] for c in (12.0 - 1e-6, 12.0, 12.0 + 1e-6)]
    np.testing.assert_allclose(at, at[1], rtol=1e-5)


def test_forced_steady_state_satisfies_the_equation() -> None:
    m, c, k, force, w, t = 2.0, 3.0, 50.0, 7.0, 6.0, np.linspace(0, 2, 9)
    amplitude, lag = an.forced_steady_state(m, c, k, force, w)
    x, v = amplitude * np.cos(w * t - lag), -amplitude * w * np.sin(w * t - lag)
    np.testing.assert_allclose(-m * w**2 * x + c * v + k * x, force * np.cos(w * t), atol=1e-12)


# Rod chains and modes -------------------------------------------------------------------------------------------------


def test_single_rod_by_ode_equals_jacobi_and_reference() -> None:
    angle, rate = an.rod_chain_motion([1.0, 2.0], [0.0])
    exact = an.pendulum_motion([1.0, 2.0], np.pi / 2, 0.0, an.rod_pendulum_frequency(1.0))
    np.testing.assert_allclose(angle[0], exact[0] - np.pi / 2, atol=1e-12)
    np.testing.assert_allclose(rate[0], exact[1], atol=1e-11)
    assert exact[0][1] - np.pi / 2 == pytest.approx(an.SINGLE_ROD_ANGLE_AT_2S, abs=6e-13)


def test_double_rod_two_solvers_and_reference() -> None:
    first, rates = an.rod_chain_motion([0.5, 1.0], [0.0, 0.0])
    second, _ = an.rod_chain_motion([1.0], [0.0, 0.0], method="Radau", tolerance=1e-11)
    np.testing.assert_allclose(first[:, -1], second[:, -1], atol=1e-9)
    np.testing.assert_allclose(first[:, -1], an.DOUBLE_ROD_ANGLES_AT_1S, atol=2e-12)
    np.testing.assert_allclose(an.rod_chain_energy(first, rates), 0.0, atol=1e-11)


def test_rod_chain_matrices_are_the_energy_of_bars() -> None:
    rng = np.random.default_rng(1)
    angle, rate = rng.normal(size=4), rng.normal(size=4)
    points = [an.fixed_point(0j)]
    for th, w in zip(angle, rate, strict=True):
        points.append(points[-1] + an.crank_point(0.7, th, w))
    bars = [(p, q, 1.3) for p, q in pairwise(points)]
    assert float(an.rod_chain_energy(angle, rate, 0.7, 1.3)) == pytest.approx(float(an.bars_energy(bars)), rel=1e-13)


def test_rod_chain_frequencies() -> None:
    assert an.rod_chain_frequencies(1, 0.8)[0] == pytest.approx(an.rod_pendulum_frequency(0.8), rel=1e-14)
    assert an.rod_pendulum_frequency(0.8) == pytest.approx(
        an.compound_pendulum_frequency(2, 2 * 0.64 / 12, 0.4), rel=1e-14
    )
    assert tuple(an.rod_chain_frequencies(2, 0.8)) == pytest.approx(an.double_rod_frequencies(0.8), rel=1e-13)
    # a long chain of rods is a hanging rope: w1 = j01 / 2 sqrt(g / l), first zero of J0
    assert an.rod_chain_frequencies(200, 1 / 200)[0] == pytest.approx(2.404825557695773 / 2 * np.sqrt(9.81), rel=1e-5)


@pytest.mark.parametrize(("ends", "first", "last"), [("fixed-fixed", 1, 1), ("fixed-free", 1, 0), ("free-free", 0, 0)])
def test_spring_chain_frequencies_against_eigenvalues(ends: str, first: int, last: int) -> None:
    n = 7
    stiffness = 2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    stiffness[0, 0], stiffness[-1, -1] = 1 + first, 1 + last
    squares = eigvalsh(300.0 * stiffness, 0.2 * np.eye(n))
    np.testing.assert_allclose(an.spring_chain_frequencies(n, 0.2, 300.0, ends) ** 2, squares, rtol=1e-12, atol=1e-9)


def test_inverted_pendulum_limit_and_tilt() -> None:
    mass, inertia, arm = 2.0, 0.05, 0.3
    moment = mass * 9.81 * arm
    assert an.inverted_pendulum_eigenvalue(mass, inertia, arm, moment) == pytest.approx(0.0, abs=1e-15)
    hanging = an.compound_pendulum_frequency(mass, inertia, arm)
    assert an.inverted_pendulum_eigenvalue(mass, inertia, arm, 2 * moment) == pytest.approx(hanging**2, rel=1e-13)
    for ratio in (0.05, 0.5, 0.9, 0.9999):
        tilt = an.inverted_pendulum_tilt(moment, ratio * moment)
        assert 0 < tilt < np.pi and np.sin(tilt) / tilt == pytest.approx(ratio, rel=1e-13)
    assert an.inverted_pendulum_tilt(moment, 1.01 * moment) == 0.0


# Statics --------------------------------------------------------------------------------------------------------------


def test_sprung_lever_is_a_minimum_of_energy() -> None:
    angle = an.sprung_lever_angle(1.2, 3.0, rest_angle=0.4, tip_moment=0.5)
    x = angle + np.linspace(-0.2, 0.2, 401)
    energy = 0.5 * 3.0 * (x - 0.4) ** 2 + 1.7 * np.sin(x)
    assert abs(x[np.argmin(energy)] - angle) < 1e-9
    assert 3.0 * (angle - 0.4) + 1.7 * np.cos(angle) == pytest.approx(0.0, abs=1e-14)
    assert an.sprung_lever_angle(0.0, 3.0, 0.4) == pytest.approx(0.4, abs=1e-15)


def test_truss_and_toggle_limit_points() -> None:
    a, rest, k = 1.0, np.hypot(1.0, 0.4), 2.0e3
    height, load = an.von_mises_truss_limit(a, rest, k)
    y = np.linspace(0.01, 0.4, 200001)
    loads = an.von_mises_truss_load(y, a, rest, k)
    assert (y[loads.argmax()], loads.max()) == pytest.approx((height, load), rel=1e-5)
    slope = derivative(lambda z: k * (np.hypot(a, z) - rest) ** 2, 0.3, 1e-3)  # two springs of energy k e^2 / 2
    assert float(an.von_mises_truss_load(0.3, a, rest, k)) == pytest.approx(-float(slope), rel=1e-9)
    angle, load = an.toggle_limit(0.5, 0.3, k)
    assert float(an.toggle_load(angle, 0.5, 0.3, k)) == pytest.approx(load, rel=1e-12)
    assert float(derivative(lambda z: an.toggle_load(z, 0.5, 0.3, k), angle, 1e-3)) == pytest.approx(0.0, abs=1e-6)
    spring = derivative(lambda z: 0.5 * k * (0.6 * (np.cos(z) - np.cos(0.5))) ** 2, 0.2, 1e-3)  # dU = -P dy, y = L sin
    assert float(an.toggle_load(0.2, 0.5, 0.3, k)) * 0.3 * np.cos(0.2) == pytest.approx(-float(spring), rel=1e-9)


# Walking legs ---------------------------------------------------------------------------------------------------------

LEGS = {"chebyshev": bm.CHEBYSHEV, "jansen": bm.JANSEN}
#: The recomputation of 003 as printed: quantities that do not depend on sampling the stance edge or the kinks of |tau|.
PRINTED = {
    "chebyshev": {
        "step_height": "0.087600",
        "x_range": "0.476812",
        "lowest_y": "-0.32995",
        "speed_max": "2.835915",
        "speed_min": "0.235077",
        "speed_mean": "1.000798",
        "acceleration_mean": "8.30868",
        "acceleration_max_swing": "23.96271",
        "acceleration_min_stance": "0.11703",
        "torque_max": "2.140",
        "torque_min": "-2.276",
    },
    "jansen": {
        "step_height": "0.170484",
        "x_range": "0.455746",
        "speed_max": "2.522813",
        "speed_min": "0.166789",
        "speed_mean": "1.020982",
        "acceleration_mean": "10.77073",
        "acceleration_max_swing": "90.8126",
        "acceleration_min_stance": "0.46042",
        "torque_max": "1.755",
        "torque_min": "-1.175",
    },
}


@pytest.mark.parametrize("name", LEGS)
def test_leg_statistics_reproduce_constants_and_printed_digits(name: str) -> None:
    found = bm.leg_statistics(LEGS[name])
    assert found.keys() == bm.LEG_REFERENCE[name].keys()
    for key, value in bm.LEG_REFERENCE[name].items():
        assert found[key] == pytest.approx(value, abs=2e-9 * max(1.0, abs(value))), key
    for key, text in PRINTED[name].items():
        last = 10.0 ** -len(text.split(".")[1])
        assert abs(found[key] - float(text)) <= 0.6 * last, key


@pytest.mark.parametrize("name", LEGS)
def test_leg_links_keep_their_lengths_and_motion_is_differentiated(name: str) -> None:
    leg = LEGS[name]
    points = leg.points(np.linspace(0, 2 * np.pi, 50))
    for link in leg.links:
        np.testing.assert_allclose(np.abs(points[link.end][0] - points[link.start][0]), link.length, rtol=1e-13)
        assert link.mass == pytest.approx(0.25 * link.length, abs=0.00051)  # Table 4.2 rounds 0.25 kg/m to 1 g
    for joint in points:
        for order in (0, 1):
            slope = derivative(lambda t, k=order, j=joint: leg.points(bm.LEG_RATE * t)[j][k], 0.37, 1e-4)
            assert complex(slope) == pytest.approx(complex(leg.points(bm.LEG_RATE * 0.37)[joint][order + 1]), abs=1e-7)


@pytest.mark.parametrize("name", LEGS)
def test_leg_energy_is_the_integral_of_power(name: str) -> None:
    leg = LEGS[name]
    edges = np.concatenate([[0.0], bm._crossings(lambda x: bm.leg_torque(leg, x)), [2 * np.pi]])
    integral = sum(
        abs(quad(lambda x: float(bm.leg_torque(leg, x)), lo, hi, epsrel=1e-11)[0]) for lo, hi in pairwise(edges)
    )
    assert bm.work_of_both_signs(leg) == pytest.approx(integral, rel=1e-10)
    clockwise, other = bm.leg_torque(leg, 1.0), bm.leg_torque(leg, 1.0, rate=-bm.LEG_RATE)
    assert float(clockwise) == pytest.approx(float(other), rel=1e-12)
    spin = bm.leg_link_motions(leg, 1.0)["l1"].spin
    assert float(spin) == pytest.approx(bm.LEG_RATE, rel=1e-13)


@pytest.mark.parametrize(
    ("name", "printed", "unrounded"), [("chebyshev", 2.926879, 2.918820), ("jansen", 1.953200, 1.948999)]
)
def test_reference_energy_is_a_4000_point_sum_with_table_masses(name: str, printed: float, unrounded: float) -> None:
    angle = -np.arange(4000) * (2 * np.pi / 4000)
    total = np.abs(bm.leg_torque(LEGS[name], angle)).sum() * (2 * np.pi / 4000)
    assert total == pytest.approx(printed, abs=6e-7)
    assert bm.work_of_both_signs(LEGS[name], mass_per_length=0.25) == pytest.approx(unrounded, abs=6e-7)


# Andrews' squeezing mechanism -----------------------------------------------------------------------------------------


def joint_gaps(poses: dict[str, tuple[float, float, float]]) -> list[float]:
    def place(name: str) -> complex:
        body, point = name.split(".")
        if body == "ground":
            return complex(*bm.ANDREWS_GROUND[point])
        x, y, angle = poses[body]
        return complex(x, y) + np.exp(1j * angle) * complex(*bm.ANDREWS_BODIES[body].points[point])

    return [abs(place(a) - place(b)) for a, b in bm.ANDREWS_JOINTS]


def test_andrews_published_angles_close_every_joint() -> None:
    assert max(joint_gaps(bm.andrews_poses(bm.ANDREWS_ANGLES_0))) < 1e-16
    assert max(joint_gaps(bm.andrews_poses(bm.ANDREWS_ANGLES_END))) < 1e-15
    for angles in (bm.ANDREWS_ANGLES_0, bm.ANDREWS_ANGLES_END):
        bodies, _ = bm.andrews_motion(angles[0])
        for name, (x, y, angle) in bm.andrews_poses(angles).items():
            assert complex(bodies[name].centre[0]) == pytest.approx(complex(x, y), abs=1e-15)
            assert float(bodies[name].angle) == pytest.approx(angle, abs=1e-13)


def test_andrews_start_accelerations_and_multipliers_as_published() -> None:
    start = bm.ANDREWS_ANGLES_0[0]
    acceleration = bm.andrews_acceleration(start, 0.0)
    bodies, _ = bm.andrews_motion(start, 0.0, acceleration)
    np.testing.assert_allclose(bm.andrews_angles(bodies)[2], bm.ANDREWS_ACCELERATIONS_0, atol=1e-9)
    np.testing.assert_allclose(bm.andrews_forces_at_e(start, 0.0), bm.ANDREWS_MULTIPLIERS_0, atol=1e-12)


@pytest.fixture(scope="module")
def andrews() -> tuple[np.ndarray, np.ndarray]:
    return bm.andrews_solution([0.01, bm.ANDREWS_END, 0.05])


@pytest.mark.slow
def test_andrews_one_coordinate_solution_hits_the_published_reference(andrews) -> None:
    beta, rate = (x[1] for x in andrews)
    bodies, _ = bm.andrews_motion(beta, rate, bm.andrews_acceleration(beta, rate))
    angles, rates, accelerations = bm.andrews_angles(bodies)
    np.testing.assert_allclose(angles, bm.ANDREWS_ANGLES_END, rtol=0, atol=2e-9)
    np.testing.assert_allclose(rates, bm.ANDREWS_RATES_END, rtol=1e-7)
    np.testing.assert_allclose(accelerations, bm.ANDREWS_ACCELERATIONS_END, rtol=2e-6)
    np.testing.assert_allclose(bm.andrews_forces_at_e(beta, rate), bm.ANDREWS_MULTIPLIERS_END, rtol=2e-6)
    assert (beta, rate) == pytest.approx(bm.ANDREWS_BETA_AT_003, rel=2e-12)
    assert (andrews[0][2], andrews[1][2]) == pytest.approx(bm.ANDREWS_BETA_AT_005, rel=2e-11)
    assert np.abs(bm.andrews_energy_residual(*andrews)).max() < 1e-11  # of 0.03 to 1.1 J put in


def andrews_seven_angles(until: float) -> np.ndarray:
    """The Test Set's own formulation, index 1: seven relative angles, six loop equations at E, Lagrange multipliers.

    Every centre of mass is a sum of c e^{i a} over absolute angles a = s q, so velocity and bias follow term by term.
    """
    to_absolute = np.eye(7)
    to_absolute[1, 0] = to_absolute[3, 4] = to_absolute[5, 6] = 1.0
    local = {name: {p: complex(*xy) for p, xy in body.points.items()} for name, body in bm.ANDREWS_BODIES.items()}

    def arm(body: str, start: str, end: str | None = None) -> complex:
        return (local[body][end] if end else 0j) - local[body][start]

    first, fourth, sixth = (0, arm("K1", "O", "F")), (4, arm("K5", "A", "G")), (6, arm("K7", "A", "H"))
    centres = [
        [(0, arm("K1", "O"))],
        [first, (1, arm("K2", "F"))],
        [(2, arm("K3", "B"))],
        [fourth, (3, arm("K4", "G"))],
        [(4, arm("K5", "A"))],
        [sixth, (5, arm("K6", "H"))],
        [(6, arm("K7", "A"))],
    ]
    ways_to_e = [
        [first, (1, arm("K2", "F", "E"))],
        [(2, arm("K3", "B", "E"))],
        [fourth, (3, arm("K4", "G", "E"))],
        [sixth, (5, arm("K6", "H", "E"))],
    ]
    lever = arm("K3", "B", "D")
    anchor = complex(*bm.ANDREWS_GROUND["B"]) - complex(*bm.ANDREWS_GROUND["C"])

    def follow(chain: list[tuple[int, complex]], turn: np.ndarray, spin: np.ndarray) -> tuple[np.ndarray, complex]:
        slope, bias = np.zeros(7, complex), 0j
        for k, c in chain:
            slope[k] += 1j * c * turn[k]
            bias -= c * turn[k] * spin[k] ** 2
        return slope, bias

    def rhs(_t: float, y: np.ndarray) -> np.ndarray:
        turn, spin = np.exp(1j * (to_absolute @ y[:7])), to_absolute @ y[7:]
        matrix, right = np.zeros((13, 13)), np.zeros(13)
        for k, (body, chain) in enumerate(zip(bm.ANDREWS_BODIES.values(), centres, strict=True)):
            slope, bias = follow(chain, turn, spin)
            matrix[:7, :7] += body.mass * an.dot(slope[:, None], slope[None, :])
            matrix[k, k] += body.inertia
            right[:7] -= body.mass * an.dot(slope, bias)
        stretched = anchor + lever * turn[2]
        pull = -bm.ANDREWS_SPRING_STIFFNESS * (1 - bm.ANDREWS_SPRING_LENGTH / abs(stretched)) * stretched
        right[2] += an.dot(1j * lever * turn[2], pull)
        right[0] += bm.ANDREWS_TORQUE
        slope0, bias0 = follow(ways_to_e[0], turn, spin)
        for row, chain in zip((7, 9, 11), ways_to_e[1:], strict=True):
            slope, bias = follow(chain, turn, spin)
            matrix[row, :7], matrix[row + 1, :7] = (slope0 - slope).real, (slope0 - slope).imag
            right[row], right[row + 1] = (bias - bias0).real, (bias - bias0).imag
        matrix[:7, 7:] = matrix[7:, :7].T
        return np.concatenate([y[7:], np.linalg.solve(to_absolute, np.linalg.solve(matrix, right)[:7])])

    start = np.concatenate([bm.ANDREWS_ANGLES_0, np.zeros(7)])
    return solve_ivp(rhs, (0.0, until), start, method="DOP853", rtol=1e-12, atol=1e-14).y[:, -1]


def test_andrews_seven_angle_form_equals_one_coordinate_form(andrews) -> None:
    state = andrews_seven_angles(0.01)
    bodies, _ = bm.andrews_motion(andrews[0][0], andrews[1][0])
    angles, rates, _ = bm.andrews_angles(bodies)
    np.testing.assert_allclose(state[:7], angles, rtol=0, atol=1e-11)
    np.testing.assert_allclose(state[7:], rates, rtol=1e-9, atol=1e-7)


# IFToMM A01, A02 ------------------------------------------------------------------------------------------------------


def test_a01_period_and_constraint() -> None:
    z = bm.iftomm_a01([0.0, bm.A01_PERIOD / 4, bm.A01_PERIOD / 2, bm.A01_PERIOD])
    np.testing.assert_allclose(z[0], [1.0, -1j, -1.0, 1.0], atol=1e-13)
    assert abs(z[1][1]) == pytest.approx(np.sqrt(2 * 9.81), rel=1e-13)
    assert complex(bm.iftomm_a01(0.0, side=-1)[0]) == pytest.approx(-1.0)


@pytest.mark.parametrize("windows", [1, 2, 5])
def test_n_four_bar_pendulum_has_the_energy_of_its_rods(windows: int) -> None:
    for t in (0.0, 0.7, 3.3):
        tip = bm.n_four_bar_tip(t, windows)
        ground, moving, rods = bm.n_four_bar_rods(windows)
        at = {name: an.fixed_point(complex(*xy)) for name, xy in ground.items()}
        at |= {name: an.fixed_point(x) + tip for name, (x, _) in moving.items()}
        bars = [(at[start], at[end], 1.0) for _, start, end in rods]
        assert len(bars) == 2 * windows + 1
        assert float(an.bars_energy(bars)) == pytest.approx(bm.n_four_bar_energy(windows), rel=1e-13)


def test_n_four_bar_reference_and_singular_times() -> None:
    tip = bm.n_four_bar_tip(10.0, 2)
    assert (tip[0].real, tip[0].imag, tip[1].real, tip[1].imag) == pytest.approx(bm.A02_TIP_AT_10S, abs=2e-12)
    assert complex(bm.n_four_bar_tip(0.0, 2)[0]) == pytest.approx(1j) and tip[0] != 1j
    assert complex(bm.n_four_bar_tip(0.0, 2)[1]) == pytest.approx(1.0)
    times = bm.n_four_bar_singular_times(2, 10.0)
    at = bm.n_four_bar_tip(times, 2)[0]
    assert len(times) == 10
    np.testing.assert_allclose(at.imag, 0.0, atol=1e-12)
    np.testing.assert_allclose(at.real, np.tile([1.0, -1.0], 5), atol=1e-12)
    for order in (0, 1):
        slope = derivative(lambda t, k=order: bm.n_four_bar_tip(t, 40)[k], 1.1, 1e-4)
        assert complex(slope) == pytest.approx(complex(bm.n_four_bar_tip(1.1, 40)[order + 1]), abs=1e-8)
