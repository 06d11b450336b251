"""Published planar benchmarks with their parameters and reference answers, independent of gaitwright.

Walking legs of thesis 003, Andrews' squeezing mechanism, the IFToMM pendulum (A01) and N-four-bar (A02), and the
rigid limit of Simeon's high-speed slider-crank. SI units, radians. Each constant names its source; numbers "computed
here" come from the closed forms of `analytical.py` or from a one-coordinate equation of motion, and are recomputed by
`test_analytical.py`. Points move as `Motion` = complex (3, ...): position, velocity, acceleration.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, minimize_scalar
from scipy.special import ellipkinc

from verification.analytical import (
    Array,
    BarMotion,
    G,
    Motion,
    SliderCrank,
    bar_motion,
    bars_drive_torque,
    bars_energy,
    crank_point,
    cross,
    dot,
    dyad,
    fixed_point,
    pendulum_motion,
    pendulum_revolution_time,
)

# 1. Walking legs of thesis 003 (Table 4.2) ---------------------------------------------------------------------------


class Link(NamedTuple):
    """Uniform bar between two named points: side as in Table 4.2, length m, mass kg (Table 4.2, rounded to 1 g)."""

    name: str
    start: str
    end: str
    length: float
    mass: float


def _links(table: str) -> tuple[Link, ...]:
    rows = [row.split() for row in table.strip().splitlines()]
    return tuple(Link(f"l{i}", a, b, float(length), float(m)) for i, (a, b, length, m) in enumerate(rows, 1))


CHEBYSHEV_LINKS = _links("""
    O1 A 0.100 0.025
    A  B 0.282 0.071
    O2 B 0.282 0.071
    B  C 0.282 0.071
    C  D 0.793 0.198
    D  E 0.050 0.013""")

JANSEN_LINKS = _links("""
    O1 A 0.100 0.025
    A  B 0.333 0.083
    O2 B 0.277 0.069
    B  C 0.372 0.093
    O2 C 0.267 0.067
    A  D 0.413 0.103
    O2 D 0.262 0.066
    C  E 0.263 0.066
    D  E 0.245 0.061
    D  F 0.327 0.082
    E  F 0.438 0.110""")

CHEBYSHEV_O2 = -0.222 + 0j
#: a = |O1 O2| = 0.257 with a_y = -7.8 * 0.1 / 15 (the recomputation of 003); x = -0.2516843...
JANSEN_O2 = complex(-np.sqrt(0.257**2 - 0.052**2), -0.052)
LEG_RATE = -2.0 * np.pi  # theta1 = -omega t, clockwise, omega = 2 pi rad/s, from theta1 = 0

Points = dict[str, Motion]


def chebyshev_points(angle: ArrayLike, rate: ArrayLike = LEG_RATE, acceleration: ArrayLike = 0.0) -> Points:
    """Motion of every joint of the Chebyshev leg for the crank angle (thesis 003 Eq 4.3 with full lengths).

    B above the line O1 O2; A, B, C collinear (l4 welded to l2); l5 upright below C; l6 horizontal towards +x; E = foot.
    """
    a = crank_point(0.100, angle, rate, acceleration)
    o2 = fixed_point(CHEBYSHEV_O2, angle)
    b = dyad(a, o2, 0.282, 0.282, -1)
    c = 2.0 * b - a
    d = c - fixed_point(0.793j, angle)
    e = d + fixed_point(0.050, angle)
    return {"O1": fixed_point(0j, angle), "O2": o2, "A": a, "B": b, "C": c, "D": d, "E": e}


def jansen_points(angle: ArrayLike, rate: ArrayLike = LEG_RATE, acceleration: ArrayLike = 0.0) -> Points:
    """Motion of every joint of the Theo Jansen leg for the crank angle (thesis 003 Eq 4.10 with full lengths).

    B above and D below O2; C left of B (rigid triangle O2 B C); E closes C D; F = foot (rigid triangle D E F).
    """
    a = crank_point(0.100, angle, rate, acceleration)
    o2 = fixed_point(JANSEN_O2, angle)
    b = dyad(a, o2, 0.333, 0.277, -1)
    c = dyad(b, o2, 0.372, 0.267, -1)
    d = dyad(a, o2, 0.413, 0.262, 1)
    e = dyad(c, d, 0.263, 0.245, -1)
    f = dyad(e, d, 0.438, 0.327, -1)
    return {"O1": fixed_point(0j, angle), "O2": o2, "A": a, "B": b, "C": c, "D": d, "E": e, "F": f}


class Leg(NamedTuple):
    """A leg: links, joint motions as function of crank angle, name of the foot point, penetration for stance (m)."""

    links: tuple[Link, ...]
    points: Callable[..., Points]
    foot: str
    stance_depth: float


CHEBYSHEV = Leg(CHEBYSHEV_LINKS, chebyshev_points, "E", 0.002)
JANSEN = Leg(JANSEN_LINKS, jansen_points, "F", 0.008)


def leg_link_motions(
    leg: Leg, angle: ArrayLike, rate: ArrayLike = LEG_RATE, acceleration: ArrayLike = 0.0
) -> dict[str, BarMotion]:
    """Centre motion, angle (start -> end), spin and angular acceleration of every link."""
    p = leg.points(angle, rate, acceleration)
    return {link.name: bar_motion(p[link.start], p[link.end]) for link in leg.links}


def _bars(leg: Leg, angle: ArrayLike, rate: ArrayLike, acceleration: ArrayLike, mass_per_length: float | None):
    p = leg.points(angle, rate, acceleration)
    return [
        (p[k.start], p[k.end], k.mass if mass_per_length is None else mass_per_length * k.length) for k in leg.links
    ]


def leg_torque(
    leg: Leg,
    angle: ArrayLike,
    rate: ArrayLike = LEG_RATE,
    acceleration: ArrayLike = 0.0,
    gravity: float = G,
    mass_per_length: float | None = None,
) -> Array:
    """Crank torque without ground contact, Nm, counter-clockwise positive: thesis 003 Eq 2.19, J = m L^2 / 12.

    Masses are those of Table 4.2 unless `mass_per_length` is given (0.25 kg/m gives the rounded values of the table).
    """
    return bars_drive_torque(_bars(leg, angle, rate, acceleration, mass_per_length), rate, gravity)


def leg_energy(
    leg: Leg, angle: ArrayLike, rate: float = LEG_RATE, gravity: float = G, mass_per_length: float | None = None
) -> Array:
    """Kinetic + gravity energy of the leg, J."""
    return bars_energy(_bars(leg, angle, rate, 0.0, mass_per_length), gravity)


def _crossings(function: Callable[[Array], Array], n: int = 4000) -> Array:
    """Roots of a 2 pi-periodic function in [0, 2 pi), ascending."""
    grid = np.linspace(0.0, 2.0 * np.pi, n + 1)
    positive = function(grid) > 0.0
    change = np.flatnonzero(positive[:-1] != positive[1:])
    return np.array([brentq(lambda x: float(function(x)), grid[i], grid[i + 1], xtol=1e-14) for i in change])


def work_of_both_signs(
    leg: Leg,
    start: float = 0.0,
    end: float = 2.0 * np.pi,
    rate: float = LEG_RATE,
    gravity: float = G,
    mass_per_length: float | None = None,
) -> float:
    """Energy integral of |tau omega| dt (thesis 003 Eq 2.20) at constant rate while the crank turns start..end, J.

    Between zeros of tau the work equals the change of mechanical energy, so the integral is the total variation of
    T + V over the arc: no quadrature, error about 1e-13 J.
    """

    def torque(x: ArrayLike) -> Array:
        return leg_torque(leg, x, rate, 0.0, gravity, mass_per_length)

    turns = 2.0 * np.pi * np.arange(np.floor(start / (2 * np.pi)), np.ceil(end / (2 * np.pi)) + 1)
    zeros = np.sort(np.add.outer(turns, _crossings(torque)).ravel())
    stops = np.concatenate([[start], zeros[(zeros > start) & (zeros < end)], [end]])
    return float(np.abs(np.diff(leg_energy(leg, stops, rate, gravity, mass_per_length))).sum())


def _extremum(function: Callable[[Array], Array], sign: int, start: float = 0.0, end: float = 2.0 * np.pi) -> float:
    """Largest (sign = 1) or smallest (-1) value on [start, end], refined from a grid of 4001 points."""
    grid = np.linspace(start, end, 4001)
    i = int(np.argmax(sign * function(grid)))
    lo, hi = grid[max(i - 1, 0)], grid[min(i + 1, 4000)]
    best = minimize_scalar(
        lambda x: -sign * float(function(x)), bounds=(lo, hi), method="bounded", options={"xatol": 1e-10}
    )
    return float(max(sign * function(grid[i]), -best.fun) * sign)


def leg_statistics(leg: Leg, rate: float = LEG_RATE) -> dict[str, float]:
    """Foot curve, foot speed and acceleration, duty, touchdown speeds, torque extremes and energies of one leg.

    Keys as in `LEG_REFERENCE`. Stance: foot lower than y_min + stance_depth. Extremes are refined to about 1e-10,
    means are trapezoidal sums over 20000 points (smooth and periodic: exact to rounding for both legs).
    """

    def foot(part: str, order: int = 0) -> Callable[[ArrayLike], Array]:
        return lambda x: getattr(np, part)(leg.points(x, rate)[leg.foot][order])

    low = _extremum(foot("imag"), -1)
    ground = low + leg.stance_depth
    first, second = _crossings(lambda x: foot("imag")(x) - ground)
    if foot("imag")((first + second) / 2.0) > ground:
        first, second = second, first + 2.0 * np.pi
    stance, swing = (first, second), (second, first + 2.0 * np.pi)
    x_range = _extremum(foot("real"), 1) - _extremum(foot("real"), -1)
    step_length = _extremum(foot("real"), 1, *stance) - _extremum(foot("real"), -1, *stance)
    cycle = leg.points(np.arange(20000) * (2.0 * np.pi / 20000), rate)[leg.foot]
    down = [abs(float(foot("imag", 1)(x))) for x in (second, first)]  # clockwise enters stance at the larger angle

    def torque(x: ArrayLike) -> Array:
        return leg_torque(leg, x, rate)

    return {
        "lowest_y": low,
        "step_height": _extremum(foot("imag"), 1) - low,
        "x_range": x_range,
        "step_length": step_length,
        "duty": (second - first) / (2.0 * np.pi),
        "speed_max": _extremum(foot("abs", 1), 1),
        "speed_min": _extremum(foot("abs", 1), -1),
        "speed_mean": float(np.abs(cycle[1]).mean()),
        "acceleration_mean": float(np.abs(cycle[2]).mean()),
        "acceleration_max_swing": _extremum(foot("abs", 2), 1, *swing),
        "acceleration_min_swing": _extremum(foot("abs", 2), -1, *swing),
        "acceleration_max_stance": _extremum(foot("abs", 2), 1, *stance),
        "acceleration_min_stance": _extremum(foot("abs", 2), -1, *stance),
        "touchdown_speed_clockwise": down[0],
        "touchdown_speed_counter_clockwise": down[1],
        "torque_max": _extremum(torque, 1),
        "torque_min": _extremum(torque, -1),
        "energy_per_cycle": work_of_both_signs(leg, rate=rate),
        "energy_swing": work_of_both_signs(leg, *swing, rate=rate),
    }


#: Computed here with Table 4.2 masses, J = m L^2 / 12, g = 9.81, omega = 2 pi; keys as `leg_statistics`.
#: They agree with the recomputation of 003 within 0.6 of the last printed digit, except where that sampled the cycle:
#: stance-edge rows (20000 samples) print step_length 0.445795 / 0.388385, duty 0.55145 / 0.43390, acceleration at the
#: edge 6.0740, 6.0776 / 4.9304, 4.7605, touchdown 0.06802 / 0.14827, 0.12028; energies (4000-point sums across the
#: kinks of |tau|) print 2.926879 / 1.953200 and swing 2.6161 / 1.7549. With 0.25 kg/m instead of the rounded masses the
#: energies would be 2.918820 / 1.948999, so the table's rounded masses are the convention.
LEG_REFERENCE: dict[str, dict[str, float]] = {
    "chebyshev": {
        "lowest_y": -0.3299535660,
        "step_height": 0.0876004583,
        "x_range": 0.4768116310,
        "step_length": 0.4458091903,
        "duty": 0.5514301056,
        "speed_max": 2.8359151337,
        "speed_min": 0.2350772388,
        "speed_mean": 1.0007975817,
        "acceleration_mean": 8.3086796657,
        "acceleration_max_swing": 23.9627154038,
        "acceleration_min_swing": 6.0750975965,
        "acceleration_max_stance": 6.0750975965,
        "acceleration_min_stance": 0.1170330664,
        "touchdown_speed_clockwise": 0.0680502705,
        "touchdown_speed_counter_clockwise": 0.0680502705,
        "torque_max": 2.1403887400,
        "torque_min": -2.2762766470,
        "energy_per_cycle": 2.9268816546,
        "energy_swing": 2.6164843779,
    },
    "jansen": {
        "lowest_y": -0.6135499327,
        "step_height": 0.1704841438,
        "x_range": 0.4557456261,
        "step_length": 0.3884315000,
        "duty": 0.4339185603,
        "speed_max": 2.5228125541,
        "speed_min": 0.1667887374,
        "speed_mean": 1.0209818730,
        "acceleration_mean": 10.7707262566,
        "acceleration_max_swing": 90.8125780014,
        "acceleration_min_swing": 4.7595241823,
        "acceleration_max_stance": 4.9324005330,
        "acceleration_min_stance": 0.4604176692,
        "touchdown_speed_clockwise": 0.1203072054,
        "touchdown_speed_counter_clockwise": 0.1483267758,
        "torque_max": 1.7547161599,
        "torque_min": -1.1750336135,
        "energy_per_cycle": 1.9531923311,
        "energy_swing": 1.7535448648,
    },
}


# 2. Andrews' squeezing mechanism -------------------------------------------------------------------------------------
#
# Schiehlen (ed.), Multibody Systems Handbook, 1990; Hairer & Wanner, Solving ODEs II, VII.7; Test Set for IVP Solvers
# (Mazzia & Magherini, Univ. Bari), problem "Andrews' squeezing mechanism"; IFToMM benchmark A03. No gravity.
# The OpenSim page on A03 prints x_B = +0.03635 and m3 = 0.02372: misprints, the published angles close only with
# x_B = -0.03635, and both the Test Set and the OpenSim model's code use m3 = 0.02373.

ANDREWS_TORQUE = 0.033  # Nm, constant, on K1, counter-clockwise
ANDREWS_SPRING_STIFFNESS = 4530.0  # N/m, between K3.D and ground C
ANDREWS_SPRING_LENGTH = 0.07785  # m, relaxed
ANDREWS_END = 0.03  # s
ANDREWS_GROUND: dict[str, tuple[float, float]] = {
    "O": (0.0, 0.0),
    "A": (-0.06934, -0.00227),
    "B": (-0.03635, 0.03273),
    "C": (0.014, 0.072),
}
# Test Set's names: rr = |OF|, d = |FE|, ss = |BE|, e = |GE|, zt = |AG|, zf = |HE|, u = |AH|; ra, da, ea, fa, sa, sb,
# ta, tb, ua, ub place the centres of mass; sc, sd place D.
_RR, _RA, _D, _DA, _SS, _SA, _SB, _SC, _SD = 0.007, 0.00092, 0.028, 0.0115, 0.035, 0.01874, 0.01043, 0.018, 0.02
_E, _EA, _ZT, _TA, _TB, _ZF, _FA, _U, _UA, _UB = (
    0.02,
    0.01421,
    0.04,
    0.02308,
    0.00916,
    0.02,
    0.01421,
    0.04,
    0.01228,
    0.00449,
)


class Body(NamedTuple):
    """Rigid body: mass kg, inertia kg m^2 about the centre of mass, points in the body frame (origin there), m."""

    mass: float
    inertia: float
    points: dict[str, tuple[float, float]]


#: Body angles: K1 beta, K2 beta + Theta, K3 gamma, K4 Phi + delta, K5 delta, K6 Omega + epsilon, K7 epsilon.
#: The Test Set fixes only the distance of the centres of K3, K5 and K7 from their ground pins; the direction is that of
#: the Handbook / IFToMM and matters only for the reactions at B and A.
ANDREWS_BODIES: dict[str, Body] = {
    "K1": Body(0.04325, 2.194e-6, {"O": (-_RA, 0.0), "F": (_RR - _RA, 0.0)}),
    "K2": Body(0.00365, 4.410e-7, {"F": (_DA, 0.0), "E": (_DA - _D, 0.0)}),
    "K3": Body(0.02373, 5.255e-6, {"B": (-_SB, _SA), "E": (-_SB, _SA - _SS), "D": (_SD - _SB, _SA - _SC)}),
    "K4": Body(0.00706, 5.667e-7, {"E": (0.0, -_EA), "G": (0.0, _E - _EA)}),
    "K5": Body(0.07050, 1.169e-5, {"A": (-_TA, -_TB), "G": (_ZT - _TA, -_TB)}),
    "K6": Body(0.00706, 5.667e-7, {"E": (_FA, 0.0), "H": (_FA - _ZF, 0.0)}),
    "K7": Body(0.05498, 1.912e-5, {"A": (_UB, _UA), "H": (_UB, _UA - _U)}),
}
#: Ten revolute joints: 21 coordinates, 20 constraints, 1 degree of freedom.
ANDREWS_JOINTS: tuple[tuple[str, str], ...] = (
    ("ground.O", "K1.O"),
    ("K1.F", "K2.F"),
    ("K2.E", "K3.E"),
    ("K2.E", "K4.E"),
    ("K2.E", "K6.E"),
    ("ground.B", "K3.B"),
    ("K4.G", "K5.G"),
    ("ground.A", "K5.A"),
    ("K6.H", "K7.H"),
    ("ground.A", "K7.A"),
)


def _vector(text: str) -> Array:
    return np.array(text.split(), float)


ANDREWS_ANGLE_NAMES = ("beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon")
#: Start (Test Set): angles, all rates zero; accelerations of beta and Theta, the rest zero; multipliers 1, 2, rest 0.
ANDREWS_ANGLES_0 = _vector("""
    -0.0617138900142764496 0.0 0.455279819163070380 0.222668390165885885 0.487364979543842550
    -0.222668390165885885 1.23054744454982119""")
ANDREWS_ACCELERATIONS_0 = _vector("""
    14222.4439199541139 -10666.8329399655854 0.0 0.0 0.0 0.0 0.0""")
ANDREWS_MULTIPLIERS_0 = _vector("""
    98.5668703962410896 -6.12268834425566266 0.0 0.0 0.0 0.0""")
#: Reference at t = 0.03 s (Test Set: PSIDE, Cray C90, tolerance 1e-14): angles, rates, accelerations, multipliers.
ANDREWS_ANGLES_END = _vector("""
    15.81077119629904 -15.75637105984298 0.04082224013073101 -0.5347301163226948 0.5244099658805304
    0.5347301163226948 1.048080741042263""")
ANDREWS_RATES_END = _vector("""
    1139.920302151208 -1424.379294994111 11.03291221937134 19.29337464421385 0.5735699284790808
    -19.29337464421385 0.3231791658026955""")
ANDREWS_ACCELERATIONS_END = _vector("""
    -24631.76316945196 51850.37701610329 324102.5686413781 566749.3645176213 16743.62929479361
    -566749.3645176222 9826.520791458422""")
#: Multipliers are forces at E, N: (x, y) of the pin on K3, on K4 and on K6 (their negative sum acts on K2).
ANDREWS_MULTIPLIERS_END = _vector("""
    199.1753333731910 -29.75531228015052 23.06654119098399 31.45271365475927 22.64249232082739
    11.61740700019673""")
#: beta and beta' computed here at t = 0.03 s and at IFToMM's 0.05 s: the one-coordinate equation in 80-bit arithmetic,
#: fixed steps of an 8th-order Runge-Kutta method, 3000 and 6000 steps equal in all digits given. In double precision
#: DOP853 and Radau give them within 5e-12 rad, so does the seven-angle index-1 form. The published angles are 1.15e-9
#: rad off in beta (1.4e-9 in Theta, below 2e-11 in the others), rates 5e-8, accelerations and multipliers 1.4e-6
#: (relative): an index-3 run resolves those components less well. Compare angles to 2e-9 with the published ones, to
#: 1e-11 with these.
ANDREWS_BETA_AT_003 = (15.8107711951537, 1139.92030225911)
ANDREWS_BETA_AT_005 = (33.8258677669545, 1144.53550265385)


def andrews_poses(angles: ArrayLike) -> dict[str, tuple[float, float, float]]:
    """Cartesian pose (x, y of the centre of mass, body angle) of K1..K7 from the seven published angles.

    Each chain starts at a ground pin: O-K1-K2, B-K3, A-K5-K4, A-K7-K6. Loops (E met four times) close only for
    consistent angles. Velocities and accelerations: `andrews_motion`.
    """
    beta, theta, gamma, phi, delta, omega, epsilon = np.asarray(angles, float)
    turn = {
        "K1": beta,
        "K2": beta + theta,
        "K3": gamma,
        "K4": phi + delta,
        "K5": delta,
        "K6": omega + epsilon,
        "K7": epsilon,
    }
    where = {name: complex(*xy) for name, xy in ANDREWS_GROUND.items()}
    poses: dict[str, tuple[float, float, float]] = {}
    for body, pin, tip in (
        ("K1", "O", "F"),
        ("K2", "F", None),
        ("K3", "B", None),
        ("K5", "A", "G"),
        ("K4", "G", None),
        ("K7", "A", "H"),
        ("K6", "H", None),
    ):
        points, direction = ANDREWS_BODIES[body].points, np.exp(1j * turn[body])
        centre = where[pin] - direction * complex(*points[pin])
        poses[body] = (float(centre.real), float(centre.imag), float(turn[body]))
        if tip:
            where[tip] = centre + direction * complex(*points[tip])
    return poses


class BodyMotion(NamedTuple):
    """Motion of a centre of mass, body angle (unwrapped where it matters), spin, angular acceleration."""

    centre: Motion
    angle: Array
    spin: Array
    angular_acceleration: Array


def andrews_motion(
    beta: ArrayLike, rate: ArrayLike = 1.0, acceleration: ArrayLike = 0.0
) -> tuple[dict[str, BodyMotion], dict[str, Motion]]:
    """Bodies and joints (F, E, D, G, H) of the mechanism as functions of its one coordinate beta, by three dyads.

    E from F and B, then G and H from A and E; this replaces the Test Set's 7 angles + 6 constraints altogether.
    """
    ground = {name: fixed_point(complex(*xy), beta) for name, xy in ANDREWS_GROUND.items()}
    at = {"F": crank_point(_RR, beta, rate, acceleration)}
    at["E"] = dyad(at["F"], ground["B"], _D, _SS, 1)
    at["G"] = dyad(ground["A"], at["E"], _ZT, _E, 1)
    at["H"] = dyad(ground["A"], at["E"], _U, _ZF, -1)
    ends = {**ground, **at}
    bodies = {}
    for name, base, tip in (
        ("K1", "O", "F"),
        ("K2", "F", "E"),
        ("K3", "B", "E"),
        ("K4", "E", "G"),
        ("K5", "A", "G"),
        ("K6", "E", "H"),
        ("K7", "A", "H"),
    ):
        points = ANDREWS_BODIES[name].points
        p, q = complex(*points[base]), complex(*points[tip])
        turn = (ends[tip] - ends[base]) / (q - p)  # e^{i angle} and its derivatives: a similarity fixed by two points
        spin, swing = dot(1j * turn[0], turn[1]), dot(1j * turn[0], turn[2])
        bodies[name] = BodyMotion(ends[base] - p * turn, np.angle(turn[0]), spin, swing)
        if name == "K3":
            at["D"] = bodies[name].centre + complex(*points["D"]) * turn
    bodies["K1"] = bodies["K1"]._replace(angle=np.asarray(beta, float))
    return bodies, at


def andrews_acceleration(beta: ArrayLike, rate: ArrayLike) -> Array:
    """beta'' of the one-coordinate equation J(beta) beta'' + J'(beta) beta'^2 / 2 = torque + spring. rad/s^2."""
    bodies, at = andrews_motion(beta)
    inertia, half_slope = 0.0, 0.0
    for name, motion in bodies.items():
        mass, j, _ = ANDREWS_BODIES[name]
        inertia = inertia + mass * np.abs(motion.centre[1]) ** 2 + j * motion.spin**2
        half_slope = half_slope + mass * dot(motion.centre[1], motion.centre[2])
        half_slope = half_slope + j * motion.spin * motion.angular_acceleration
    arm = at["D"][0] - complex(*ANDREWS_GROUND["C"])
    pull = -ANDREWS_SPRING_STIFFNESS * (1.0 - ANDREWS_SPRING_LENGTH / np.abs(arm)) * arm
    return (ANDREWS_TORQUE + dot(pull, at["D"][1]) - half_slope * np.asarray(rate, float) ** 2) / inertia


def andrews_solution(times: ArrayLike, method: str = "DOP853", tolerance: float = 1e-13) -> tuple[Array, Array]:
    """beta and beta' at `times` from the published start, one-coordinate equation, SciPy at tight tolerance."""
    times = np.atleast_1d(np.asarray(times, float))
    run = solve_ivp(
        lambda _t, y: [y[1], float(andrews_acceleration(y[0], y[1]))],
        (0.0, times[-1]),
        [ANDREWS_ANGLES_0[0], 0.0],
        method=method,
        t_eval=times,
        rtol=tolerance,
        atol=[tolerance, 1e3 * tolerance],
    )
    if not run.success:
        raise RuntimeError(run.message)
    return run.y[0], run.y[1]


def andrews_angles(bodies: dict[str, BodyMotion]) -> tuple[Array, Array, Array]:
    """The seven published angles, rates and accelerations, (7, ...), from body motions."""

    def seven(k: dict[str, Array]) -> Array:
        return np.array([k["K1"], k["K2"] - k["K1"], k["K3"], k["K4"] - k["K5"], k["K5"], k["K6"] - k["K7"], k["K7"]])

    return (
        seven({n: b.angle for n, b in bodies.items()}),
        seven({n: b.spin for n, b in bodies.items()}),
        seven({n: b.angular_acceleration for n, b in bodies.items()}),
    )


def andrews_forces_at_e(beta: float, rate: float) -> Array:
    """Pin forces at E on K3, K4 and K6 as (x, y, x, y, x, y), N, by moment balances; the published multipliers.

    K4 about G and K4 + K5 about A give the force on K4, likewise K6, K7; K3 about B and K2 about F give that on K3.
    """
    bodies, at = andrews_motion(beta, rate, andrews_acceleration(beta, rate))
    ground = {name: complex(*xy) for name, xy in ANDREWS_GROUND.items()}

    def rate_of_moment(about: complex, *names: str) -> float:
        total = 0.0
        for name in names:
            mass, j, _ = ANDREWS_BODIES[name]
            total += mass * cross(bodies[name].centre[0] - about, bodies[name].centre[2])
            total += j * bodies[name].angular_acceleration
        return float(total)

    def force(arm1: complex, moment1: float, arm2: complex, moment2: float) -> complex:
        rows = np.array([[-arm1.imag, arm1.real], [-arm2.imag, arm2.real]])
        return complex(*np.linalg.solve(rows, [moment1, moment2]))

    e, f, g, h, d = (complex(at[name][0]) for name in "EFGHD")
    a, b, c = ground["A"], ground["B"], ground["C"]
    on_k4 = force(e - g, rate_of_moment(g, "K4"), e - a, rate_of_moment(a, "K4", "K5"))
    on_k6 = force(e - h, rate_of_moment(h, "K6"), e - a, rate_of_moment(a, "K6", "K7"))
    pull = -ANDREWS_SPRING_STIFFNESS * (1.0 - ANDREWS_SPRING_LENGTH / abs(d - c)) * (d - c)
    on_k2 = rate_of_moment(f, "K2") + float(cross(e - f, on_k4 + on_k6))
    on_k3 = force(e - b, rate_of_moment(b, "K3") - float(cross(d - b, pull)), e - f, -on_k2)
    return np.array([on_k3.real, on_k3.imag, on_k4.real, on_k4.imag, on_k6.real, on_k6.imag])


def andrews_energy_residual(beta: ArrayLike, rate: ArrayLike) -> Array:
    """T + V - V(0) - torque (beta - beta(0)), J: zero on the exact motion (criterion of IFToMM A03)."""

    def potential(at: dict[str, Motion]) -> Array:
        stretch = np.abs(at["D"][0] - complex(*ANDREWS_GROUND["C"])) - ANDREWS_SPRING_LENGTH
        return 0.5 * ANDREWS_SPRING_STIFFNESS * stretch**2

    bodies, at = andrews_motion(beta, rate)
    kinetic = 0.0
    for name, motion in bodies.items():
        mass, j, _ = ANDREWS_BODIES[name]
        kinetic = kinetic + 0.5 * mass * np.abs(motion.centre[1]) ** 2 + 0.5 * j * motion.spin**2
    start = potential(andrews_motion(ANDREWS_ANGLES_0[0])[1])
    work = ANDREWS_TORQUE * (np.asarray(beta, float) - ANDREWS_ANGLES_0[0])
    return kinetic + potential(at) - start - work


# 3. IFToMM / Gonzalez library: A01 simple pendulum, A02 N-four-bar ---------------------------------------------------
#
# Gonzalez, Dopico, Lugris, Cuadrado, Multibody Syst. Dyn. 16 (2006) 179-190; lim.ii.udc.es/mbsbenchmark; IFToMM
# library. Both are integrable, so the closed forms below replace the library's tabulated solutions at any time.


def iftomm_a01(t: ArrayLike, side: int = 1) -> Motion:
    """A01: point mass 1 kg on a massless 1 m bar, g = 9.81, released at rest with the bar horizontal.

    `side` = +1: P1 starts at (+1, 0) (2005 specification, 2000 s, error limits 1e-1 and 1e-3); -1: at (-1, 0) (IFToMM
    library version, 10 s). Exact (Jacobi functions), error about 1e-14 (1 + w0 t) m; period A01_PERIOD.
    """
    angle, rate, acceleration = pendulum_motion(t, side * np.pi / 2.0, 0.0, np.sqrt(G))
    z = -1j * np.exp(1j * angle)
    return np.array([z, 1j * rate * z, (1j * acceleration - rate**2) * z])


A01_PERIOD = 2.367841947576237  # s, 4 K(1/sqrt 2) / sqrt(g)


def n_four_bar_frequency(windows: int, length: float = 1.0, gravity: float = G) -> float:
    """w0 of the single pendulum that moves like the N-four-bar: w0^2 = (3/2) (3N + 1) / (4N + 1) g / L. Exact.

    N + 1 rods turn about fixed pins (m L^2 / 3 each), N couplers only translate with the rod tips (m L^2 each):
    J = m L^2 (4N + 1) / 3 and the weight moment is m g L (3N + 1) / 2. N = 2: 7/6 g/L; N = 40: 363/322 g/L.
    """
    return float(np.sqrt(1.5 * (3 * windows + 1) / (4 * windows + 1) * gravity / length))


def n_four_bar_rods(
    windows: int,
) -> tuple[dict[str, tuple[float, float]], dict[str, tuple[float, float]], list[tuple[str, str, str]]]:
    """A02 as drawn: ground points A0..AN, moving points B0..BN at the start, rods (name, start, end), all 1 m, 1 kg.

    2N + 1 rods and 3N + 1 revolute joints (N + 1 to ground, B1..B(N-1) join three rods, two joints each): 6N + 3
    coordinates, 6N + 2 constraints.
    """
    ground = {f"A{i}": (float(i), 0.0) for i in range(windows + 1)}
    moving = {f"B{i}": (float(i), 1.0) for i in range(windows + 1)}
    rods = [(f"rod{i}", f"A{i}", f"B{i}") for i in range(windows + 1)]
    return ground, moving, rods + [(f"coupler{i}", f"B{i}", f"B{i + 1}") for i in range(windows)]


def n_four_bar_tip(t: ArrayLike, windows: int, speed: float = 1.0, length: float = 1.0, gravity: float = G) -> Motion:
    """Motion of B0, the tip of the first rod: start upright at (0, L), moving with `speed` in +x (clockwise).

    A02: N windows, 2N + 1 uniform rods of 1 m and 1 kg, g = 9.81, speed 1 m/s; N = 2 for 10 s (IFToMM library) or
    N = 40 for 20 s (2005 specification). Ground pins at (0, 0), (L, 0), ..., (N L, 0). The mechanism passes the
    singular pose (all rods on the x axis, N + 1 momentary freedoms) twice a turn. Exact on the branch where all rods
    stay parallel.
    """
    w0 = n_four_bar_frequency(windows, length, gravity)
    angle, rate, acceleration = pendulum_motion(t, np.pi, speed / length, w0)  # from hanging, clockwise positive
    z = -1j * length * np.exp(-1j * np.asarray(angle))
    return np.array([z, -1j * rate * z, (-1j * acceleration - rate**2) * z])


def n_four_bar_energy(
    windows: int, speed: float = 1.0, length: float = 1.0, mass: float = 1.0, gravity: float = G
) -> float:
    """Conserved energy of A02, J (zero height at the pins): m v^2 (4N + 1) / 6 + m g L (3N + 1) / 2."""
    return mass * speed**2 * (4 * windows + 1) / 6.0 + mass * gravity * length * (3 * windows + 1) / 2.0


def n_four_bar_turn_time(windows: int, speed: float = 1.0, length: float = 1.0, gravity: float = G) -> float:
    """Time of one full turn, s."""
    return pendulum_revolution_time(speed / length, n_four_bar_frequency(windows, length, gravity))


def n_four_bar_singular_times(
    windows: int, until: float, speed: float = 1.0, length: float = 1.0, gravity: float = G
) -> Array:
    """Instants up to `until` at which all rods lie on the x axis, s: t1 and T - t1 of every turn. Exact.

    t1 = (K(m) - F(pi/4, m)) / a, a^2 = w0^2 + (v / 2L)^2, m = (w0 / a)^2.
    """
    w0 = n_four_bar_frequency(windows, length, gravity)
    a = np.hypot(w0, speed / (2.0 * length))
    turn = n_four_bar_turn_time(windows, speed, length, gravity)
    first = turn / 2.0 - float(ellipkinc(np.pi / 4.0, (w0 / a) ** 2)) / a
    starts = turn * np.arange(int(until / turn) + 1)
    times = np.sort(np.concatenate([starts + first, starts + turn - first]))
    return times[times <= until]


#: B0 of A02 with N = 2 at t = 10 s (closed form): x, y, vx, vy. Exudyn's IFToMM example prints, for steps halved down
#: to 1.25e-4 s, values that extrapolate (order 2) to 0.32845810, 0.94451854, 1.42305143, -0.49486881: equal to 5e-8.
A02_TIP_AT_10S = (0.328458111541, 0.944518538179, 1.423051470207, -0.494868845487)


# 4. High-speed slider-crank: rigid limit of Simeon's flexible mechanism ----------------------------------------------
#
# Simeon, Math. Modelling of Systems 2 (1996) 1-18; Test Set for IVP Solvers, "slider crank". Crank driven at 150 rad/s,
# no gravity. The Test Set's J1 = 0.002727 is about the crank's pin O, J2 = 0.0045339259 about the rod's crank end.

SIMEON = SliderCrank(
    crank=0.15,
    rod=0.30,
    offset=0.0,
    crank_mass=0.36,
    rod_mass=0.151104,
    slider_mass=0.075552,
    crank_inertia=0.002727 - 0.36 * 0.15**2 / 4.0,
    rod_inertia=0.0045339259 - 0.151104 * 0.30**2 / 4.0,
)
SIMEON_RATE = 150.0  # rad/s, phi1 = 150 t
SIMEON_END = 0.1  # s
#: Published for the FLEXIBLE rod (steel, 8 x 8 mm) at t = 0.1 s: rod angle, slider x, rod rate, slider velocity, slider
#: acceleration, guide multiplier, slider multiplier, drive torque. The rigid rod differs by the elastic part only.
SIMEON_FLEXIBLE_END = (
    -0.3311734988,
    0.1697373328,
    60.25346755,
    -8.753116327,
    2167.938630,
    -62.32935833,
    -163.7920993,
    25.29857947,
)
#: Free-running variant (no drive, no gravity, start at angle 0 with 150 rad/s): time of a turn, s, from the energy
#: integral (`free_slider_crank_time`), and the least crank rate, rad/s. Ten turns take ten times as long.
SIMEON_FREE_TURN = 0.0514590531963751
SIMEON_FREE_LEAST_RATE = 100.38104436452691
