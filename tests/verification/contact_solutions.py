"""Exact answers for contacts, independent of gaitwright.

Nothing here imports the package: closed forms, quadratures, and tight integrations of one equation of motion. SI units.
d is the penetration, d' its rate (positive while the bodies approach), v0 the approach speed, K the stiffness (N/m^n).
`test_contact_solutions.py` checks these forms against each other and against the table of the recomputation of 004.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import mpmath
import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, fsolve, minimize_scalar

Array = NDArray[np.floating]
Real = Any  # mpmath's number
G = 9.81
TIGHT = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-15}


class Impact(NamedTuple):
    """depth: largest penetration, m. duration: s. force: largest, N. separation: m/s. restitution: separation over approach.
    loss: J."""

    depth: float
    duration: float
    force: float
    separation: float
    restitution: float
    loss: float


# 1. Normal impact: F = K d^n (1 + k d'/v0) ------------------------------------------------------------------------------

#: k(e) as the sources print chi v0 / K: the reviews of Machado et al. (2012), Table 1, and Skrinjar et al. (2018); the last
#: from Carvalho and Martins (2019). Written from there, not from the code under test.
FACTORS: dict[str, Callable[[float], float]] = {
    "hunt-crossley": lambda e: 1.5 * (1 - e),
    "herbert-mcwhannell": lambda e: 6 * (1 - e) / ((2 * e - 1) ** 2 + 3),
    "lee-wang": lambda e: 0.75 * (1 - e),
    "lankarani-nikravesh": lambda e: 0.75 * (1 - e**2),
    "gonthier": lambda e: (1 - e**2) / e,
    "zhiying-qishao": lambda e: 0.75 * (1 - e**2) * math.exp(2 * (1 - e)),
    "flores": lambda e: 1.6 * (1 - e) / e,
    "gharib-hurmuzlu": lambda e: 1 / e,
    "hu-guo": lambda e: 1.5 * (1 - e) / e,
    "carvalho-martins": lambda e: 1.5 * (1 - e) * (11 - e) / (1 + 9 * e),
}

#: The recomputation of 004 as printed: ball of 1 kg from 1 m, K = 1.4e8, n = 1.5, weight acting during the impact.
#: law, e: depth (um), duration (us), force (N), separation (m/s), e_eff, e without gravity, loss (J)
TABLE_C: dict[tuple[str, float], tuple[float, ...]] = {
    ("flores", 1.0): (1984.89191, 1318.3634, 12380.3616, 4.4294469, 1.0000000, 1.0000000, 0.000000),
    ("flores", 0.8): (1809.84936, 1357.2400, 11324.6410, 3.4906880, 0.7880641, 0.7885391, 3.717549),
    ("flores", 0.6): (1616.60835, 1432.3427, 11280.0393, 2.5530887, 0.5763899, 0.5772760, 6.550869),
    ("flores", 0.4): (1386.91405, 1603.2896, 12294.1965, 1.6016975, 0.3616022, 0.3628723, 8.527283),
    ("flores", 0.2): (1072.39255, 2170.4268, 15441.1823, 0.6815008, 0.1538569, 0.1555400, 9.577778),
    ("lankarani-nikravesh", 1.0): (1984.89191, 1318.3634, 12380.3616, 4.4294469, 1.0000000, 1.0000000, 0.000000),
    ("lankarani-nikravesh", 0.8): (1859.84071, 1343.9276, 11512.3053, 3.7506402, 0.8467514, 0.8471023, 2.776349),
    ("lankarani-nikravesh", 0.6): (1781.62182, 1365.6927, 11254.5302, 3.3469216, 0.7556071, 0.7561487, 4.209058),
    ("lankarani-nikravesh", 0.4): (1733.08436, 1382.0088, 11189.1558, 3.1049731, 0.7009844, 0.7016347, 4.989571),
    ("lankarani-nikravesh", 0.2): (1706.34693, 1392.0615, 11180.7281, 2.9746173, 0.6715550, 0.6722625, 5.385826),
    ("lankarani-nikravesh", 0.0): (1697.78881, 1395.4527, 11181.9213, 2.9333430, 0.6622368, 0.6629622, 5.507750),
    ("hunt-crossley", 1.0): (1984.89191, 1318.3634, 12380.3616, 4.4294469, 1.0000000, 1.0000000, 0.000000),
    ("hunt-crossley", 0.8): (1847.80901, 1346.9497, 11459.3833, 3.6874624, 0.8324882, 0.8328698, 3.011311),
    ("hunt-crossley", 0.6): (1742.37381, 1378.7001, 11196.5365, 3.1507547, 0.7113201, 0.7119502, 4.846372),
    ("hunt-crossley", 0.4): (1657.38801, 1412.6892, 11211.7297, 2.7415140, 0.6189292, 0.6197365, 6.052051),
    ("hunt-crossley", 0.2): (1586.64198, 1448.4073, 11353.2158, 2.4180900, 0.5459124, 0.5468541, 6.886420),
    ("hunt-crossley", 0.0): (1526.34368, 1485.5318, 11556.0934, 2.1557818, 0.4866932, 0.4877413, 7.486302),
}
C_MASS, C_STIFFNESS, C_HEIGHT = 1.0, 1.4e8, 1.0
C_APPROACH = math.sqrt(2 * G * C_HEIGHT)


def rebound(k: float) -> float:
    """e of a free impact: the root in (0, 1] of k (1 + e) = ln((1 + k) / (1 - k e)), to 16 digits for any k."""
    with mpmath.workdps(90):
        return float(_rebound(k))


def _rebound(k: float) -> Real:
    """As a number of the working precision: 1 - k e = -W(-(1 + k) exp(-1 - k)) with Lambert's function, which loses half of
    the digits near k = 0."""
    z = mpmath.mpf(k)
    return (1 + mpmath.lambertw(-(1 + z) * mpmath.exp(-1 - z)).real) / z if k else mpmath.mpf(1)


def exact_factor(e: float) -> float:
    """k for which a free impact rebounds with e: the inverse of `rebound`."""
    return float(brentq(lambda k: rebound(k) - e, 1.4 * (1 - e), 1.1 / e, xtol=1e-15, rtol=1e-14))  # type: ignore


def free_impact(k: float, *, stiffness: float, exponent: float, mass: float, approach: float) -> Impact:
    """The impact of F = K d^n (1 + k d'/v0) without gravity, from its first integral. With u = d'/v0,

        K d^(n+1) / (n+1) = m v0^2 S(u),     S(u) = (1 - u)/k - ln((1 + k)/(1 + k u)) / k^2     (1 - u^2)/2 for k = 0

    depth at u = 0; force as the maximum over u; duration as the integral of m v0 / F(u) from -e to 1. 15 digits."""
    e, p, top = rebound(k), mpmath.mpf(exponent + 1), mass * approach**2

    def depth(u: Real) -> Real:
        s = (1 - u) / kk - mpmath.log((1 + kk) / (1 + kk * u)) / kk**2 if k else (1 - u * u) / 2
        return (p * top * s / stiffness) ** (1 / p)

    def force(u: Real) -> Real:
        return stiffness * depth(u) ** exponent * (1 + kk * u)

    # 90 digits, because S cancels near both ends, where tanh-sinh quadrature looks closely; u = 1 - x^(n+1) and e + u =
    # x^(n+1) there, in which F falls like x^n and the integrand is finite
    with mpmath.workdps(90):
        kk = mpmath.mpf(k)
        low = -_rebound(k)

        def times(place: Callable[[Real], Real], end: Real) -> Real:
            def integrand(x: Real) -> Real:
                with mpmath.workdps(90):
                    return top / approach * p * x**exponent / force(place(x))

            with mpmath.workdps(18):
                return mpmath.quad(integrand, [0, end])

        into, out = times(lambda x: 1 - x**p, mpmath.mpf(1)), times(lambda x: low + x**p, (-low) ** (1 / p))
        deepest = float(depth(mpmath.mpf(0)))
    with mpmath.workdps(20):
        found = minimize_scalar(
            lambda u: -float(force(mpmath.mpf(u))),
            bounds=(-e / 2, 1 - 1e-6),
            method="bounded",
            options={"xatol": 1e-10},
        )
    return Impact(
        depth=deepest,
        duration=float(into + out),
        force=-float(found.fun),  # type: ignore
        separation=e * approach,
        restitution=e,
        loss=mass * approach**2 * (1 - e**2) / 2,
    )


def hertz_impact(*, stiffness: float, exponent: float, mass: float, approach: float) -> Impact:
    """k = 0 in closed form: depth = ((n+1) m v0^2 / (2 K))^(1/(n+1)), duration = depth/v0 2 sqrt(pi) G(1 + 1/(n+1)) /
    G(1/2 + 1/(n+1)) with the gamma function (n = 3/2: 2.9432 depth/v0)."""
    p = exponent + 1
    depth = (p * mass * approach**2 / (2 * stiffness)) ** (1 / p)
    length = 2 * math.sqrt(math.pi) * math.gamma(1 + 1 / p) / math.gamma(0.5 + 1 / p)
    return Impact(depth, length * depth / approach, stiffness * depth**exponent, approach, 1.0, 0.0)


def pressed_impact(
    force: Callable[[float, float], float], *, mass: float, approach: float, gravity: float = G, pulls: bool = False
) -> Impact:
    """The impact of any F(d, d') with a weight that presses on: m d'' = m g - F, integrated (DOP853, 1e-13).

    pulls: the law would pull before d = 0 and is cut off there; then gravity must be 0, and the body leaves freely."""

    def motion(_: float, y: Array) -> list[float]:
        return [y[1], gravity - force(y[0], y[1]) / mass]

    def leaves(_: float, y: Array) -> float:
        if y[1] > 0:
            return 1.0
        return min(y[0], force(y[0], y[1])) if pulls else y[0]

    leaves.terminal, leaves.direction = True, -1  # type: ignore
    # a first step of one grain: at d = 0 laws with d^(n-1) have no derivative
    path = solve_ivp(motion, (0.0, 10.0), [0.0, approach], events=leaves, dense_output=True, first_step=1e-12,
                     method="DOP853", rtol=1e-13, atol=[1e-17, 1e-14])  # fmt: skip
    end, (left, out) = float(path.t_events[0][0]), path.y_events[0][0]

    def largest(of: Callable[[Array], float]) -> float:
        k = int(np.argmax([of(y) for y in path.y.T]))
        between = path.t[max(k - 1, 0)], path.t[min(k + 1, path.t.size - 1)]
        found = minimize_scalar(lambda t: -of(path.sol(t)), bounds=between, method="bounded", options={"xatol": 1e-14})
        return max(-float(found.fun), of(path.y[:, k]))  # type: ignore

    return Impact(
        depth=largest(lambda y: float(y[0])),
        duration=end + (float(left) / -float(out) if pulls else 0.0),
        force=largest(lambda y: force(y[0], y[1])),
        separation=-float(out),
        restitution=-float(out) / approach,
        loss=mass * (approach**2 - float(out) ** 2) / 2,
    )


def hysteresis(k: float, stiffness: float, exponent: float, approach: float) -> Callable[[float, float], float]:
    """F(d, d') of the family, for `pressed_impact`."""
    return lambda d, rate: stiffness * max(d, 0.0) ** exponent * (1 + k * rate / approach)


def dashpot_rebound(stiffness: float, damping: float, mass: float) -> float:
    """e of F = K d + c d', cut off where it would pull: exp(-2 z acos(z) / sqrt(1 - z^2)), z = c / (2 sqrt(K m)) < 1.

    T. Schwager, T. Poeschel, Granular Matter 9 (2007) 465-469, Eq 21: the force vanishes at w_d t = 2 acos(z)."""
    z = damping / (2 * math.sqrt(stiffness * mass))
    return math.exp(-2 * z * math.acos(z) / math.sqrt(1 - z**2))


# 2. Bouncing with Newton's restitution ----------------------------------------------------------------------------------


def bounce_times(height: float, e: float, count: int, gravity: float = G) -> Array:
    """Instants of the first impacts of a point dropped from `height`, s: t_n = t0 (1 + 2 (e + ... + e^(n-1)))."""
    t0 = math.sqrt(2 * height / gravity)
    return t0 * (1 + 2 * np.concatenate([[0.0], np.cumsum(e ** np.arange(1, count))]))


def rest_time(height: float, e: float, gravity: float = G) -> float:
    """When infinitely many impacts are over, s: t0 (1 + e) / (1 - e), t0 = sqrt(2 H / g)."""
    return math.sqrt(2 * height / gravity) * (1 + e) / (1 - e)


def bouncing(t: ArrayLike, height: float, e: float, gravity: float = G) -> Array:
    """Height of a point dropped from `height` at times t, m; 0 after `rest_time`."""
    t = np.asarray(t, float)
    t0 = math.sqrt(2 * height / gravity)
    count = max(2, math.ceil(math.log(1e-18) / math.log(e))) if e > 0 else 2
    starts = bounce_times(height, e, count, gravity)
    k = np.searchsorted(starts, t, side="right") - 1
    since, speed = t - starts[np.maximum(k, 0)], gravity * t0 * e ** (k + 1.0)
    y = np.where(k < 0, height - gravity * t**2 / 2, speed * since - gravity * since**2 / 2)
    return np.where(t >= rest_time(height, e, gravity), 0.0, y)


class Jump(NamedTuple):
    """Impulses (N s) and velocities after (m/s), each normal and tangential; how: stick, slide+, slide-."""

    impulse: tuple[float, float]
    after: tuple[float, float]
    how: str


def newton_impact(delassus: ArrayLike, before: tuple[float, float], e: float, mu: float) -> Jump:
    """Impact of one contact with Newton's restitution and Coulomb's friction on the impulses, in closed form.

    delassus: G of gamma' = gamma + G L, 2x2, normal and tangential; before: gamma, the normal one negative. Sticking,
    gamma_T' = 0, if then |L_T| <= mu L_N; otherwise L_T = -+mu L_N with gamma_T' of the opposite sign. Unique for small mu.
    Source: R. I. Leine, H. Nijmeijer (2004), ch. 5; C. Glocker, Set-Valued Force Laws, Springer 2001, ch. 9."""
    g, gamma = np.asarray(delassus, float), np.asarray(before, float)
    wanted = np.array([-e * gamma[0], 0.0])
    stick = np.linalg.solve(g, wanted - gamma)
    if abs(stick[1]) <= mu * stick[0]:
        return Jump((float(stick[0]), float(stick[1])), (float(wanted[0]), 0.0), "stick")
    for sign in (1.0, -1.0):
        normal = (-(1 + e) * gamma[0]) / (g[0, 0] - sign * mu * g[0, 1])
        impulse = np.array([normal, -sign * mu * normal])
        after = gamma + g @ impulse
        if normal > 0 and sign * after[1] >= 0:
            return Jump((float(impulse[0]), float(impulse[1])), (float(after[0]), float(after[1])), f"slide{sign:+.0f}")
    raise ArithmeticError("no consistent impact")


def point_delassus(mass: float, inertia: float, arm: tuple[float, float]) -> Array:
    """G of a free body that touches with a point at `arm` from its centre of mass, in axes (normal, tangent) where the
    tangent is the normal turned by -90 degrees: arm = (along the tangent, along the normal)."""
    a, b = arm
    # velocity of the point: normal = v_n + spin * a, tangential = v_t - spin * b (spin positive from tangent to normal)
    w = np.array([[1.0, 0.0, a], [0.0, 1.0, -b]])
    return w @ np.diag([1 / mass, 1 / mass, 1 / inertia]) @ w.T


# 3. Sliding and rolling with constant normal force ----------------------------------------------------------------------


class Slide(NamedTuple):
    """Slip velocity (m/s), slipped path (its integral, m), and impulse of the unit friction c(s) (s): arrays over time."""

    slip: Array
    path: Array
    grip: Array


def coulomb_slip(t: ArrayLike, slip: float, drive: float, most: float, v0: float, v1: float) -> Slide:
    """s' = drive - most c(s), with c = sign(s) times 0 up to |s| = v0, rising linearly to 1 at v1: closed, piece by piece.

    drive: m/s^2 without friction. most: mu N (1/m + R^2/J) of full friction. In the ramp s runs exponentially towards
    v0 + drive/rate with rate = most/(v1 - v0); elsewhere s is linear."""
    t = np.asarray(t, float)
    edges = [-math.inf, -v1, -v0, v0, v1, math.inf]
    out_s, out_x = np.full(t.shape, np.nan), np.full(t.shape, np.nan)
    now, s, x = 0.0, slip, 0.0
    rising = drive > 0
    for _ in range(12):
        # the piece into which s moves
        zone = next(k for k in range(5) if edges[k] <= s <= edges[k + 1])
        way = drive - most * _ramp(s, v0, v1)
        if s in edges:
            zone = edges.index(s) if way > 0 or (way == 0 and rising) else edges.index(s) - 1
        low, high = edges[zone], edges[zone + 1]
        if zone in (1, 3):
            rate, middle = most / (v1 - v0), math.copysign(v0, zone - 2) + drive * (v1 - v0) / most
            end = next(
                (e for e in (low, high) if (e - middle) * (s - middle) > 0 and abs(e - middle) < abs(s - middle)), None
            )
            last = math.log((s - middle) / (end - middle)) / rate if end is not None else math.inf
            inside = (t >= now) & (t <= now + last)
            fall = np.exp(-rate * (t[inside] - now))
            out_s[inside] = middle + (s - middle) * fall
            out_x[inside] = x + middle * (t[inside] - now) + (s - middle) * (1 - fall) / rate
            if end is None:
                break
            x += middle * last + (s - end) / rate
        else:
            end = high if way > 0 else low
            last = (end - s) / way if way else math.inf
            inside = (t >= now) & (t <= now + last)
            out_s[inside] = s + way * (t[inside] - now)
            out_x[inside] = x + s * (t[inside] - now) + way * (t[inside] - now) ** 2 / 2
            if math.isinf(last):
                break
            x += (s + end) / 2 * last
        now, s = now + last, end
    return Slide(out_s, out_x, (drive * t - (out_s - slip)) / most)


def _ramp(s: float, v0: float, v1: float) -> float:
    return math.copysign(min(max((abs(s) - v0) / (v1 - v0), 0.0), 1.0), s)


def smooth_slip(t: ArrayLike, slip: float, most: float, transition: float) -> Array:
    """s' = -most tanh(s / v_s): sinh(s/v_s) = sinh(s0/v_s) exp(-most t / v_s), in logarithms against overflow."""
    x = abs(slip) / transition
    log_sinh = x + np.log1p(-np.exp(-2 * x)) - math.log(2) - most * np.asarray(t, float) / transition
    small = np.arcsinh(np.exp(np.minimum(log_sinh, 300.0)))
    return math.copysign(transition, slip) * np.where(log_sinh > 300.0, log_sinh + math.log(2), small)


def slip_motion(t: ArrayLike, slip: float, drive: float, friction: Callable[[float], float]) -> Array:
    """s' = drive - friction(s) for any law without memory (DOP853, 1e-13)."""
    t = np.asarray(t, float)
    path = solve_ivp(lambda _, s: [drive - friction(s[0])], (0.0, t[-1]), [slip], t_eval=t, **TIGHT)
    return path.y[0]


def rolling_speed(speed: float, spin: float, mass: float, inertia: float, radius: float, slip: float = 0.0) -> float:
    """Speed of a disc on level ground when its slip v + R w has become `slip`, whatever the friction did: m v - (J/R) w,
    the moment of momentum about the ground divided by R, is kept. 2/3 of the speed for J = m R^2/2, no spin, slip 0."""
    kept = mass * speed - inertia / radius * spin
    return (kept + inertia / radius**2 * slip) / (mass + inertia / radius**2)


class Grip(NamedTuple):
    """Bristles at the end of an impact: slip velocity (m/s), impulse of friction (N s), its duration (s)."""

    slip: float
    impulse: float
    duration: float


def bristle_impact(
    slip: float, *, mass: float, tangential_mass: float, stiffness: float, approach: float, mu: float, k: float, c: float,
    factor: float = 0.0,
) -> Grip:  # fmt: skip
    """An impact of F = K d^1.5 (1 + factor d'/v0) without gravity, with bristles: T = -(k z + c s), at most mu F either way.

    The stretch z follows the slip s, but never exceeds L = mu F / k (a sweeping process): inside, z' = s; at +-L it stays
    there while s pushes it outwards or L shrinks onto it. tangential_mass: 1 / (1/m + R^2/J). Integrated from mode to mode
    (DOP853, 1e-12), mode 0 inside, +-1 at +-L."""
    normal = hysteresis(factor, stiffness, 1.5, approach)

    def limit(y: Array) -> float:
        return mu * normal(y[0], y[1]) / k

    def shrinks(y: Array) -> float:
        d, rate = max(y[0], 0.0), y[1]
        by_depth = 1.5 * stiffness * math.sqrt(d) * (1 + factor * rate / approach)
        by_rate = stiffness * d**1.5 * factor / approach
        return mu * (by_depth * rate - by_rate * normal(d, rate) / mass) / k

    def motion(_: float, y: Array, mode: int) -> list[float]:
        d, rate, s, z, _ = y
        push = normal(d, rate)
        z = mode * limit(y) if mode else z
        friction = -min(max(k * z + c * s, -mu * push), mu * push)
        return [rate, -push / mass, friction / tangential_mass, 0.0 if mode else s, friction]

    def over(_: float, y: Array, mode: int) -> float:
        return y[0] if y[1] < 0 else 1.0

    def up(_: float, y: Array, mode: int) -> float:
        return y[3] - limit(y) if not mode else -1.0

    def down(_: float, y: Array, mode: int) -> float:
        return -y[3] - limit(y) if not mode else -1.0

    def back(_: float, y: Array, mode: int) -> float:
        return shrinks(y) - mode * y[2] if mode else -1.0

    for event in (over, up, down, back):
        event.terminal, event.direction = True, -1 if event is over else 1  # type: ignore
    y, now, mode = np.array([0.0, approach, slip, 0.0, 0.0]), 0.0, int(math.copysign(1, slip))
    for _ in range(100):
        path = solve_ivp(motion, (now, now + 1.0), y, args=(mode,), events=(over, up, down, back), method="DOP853",
                         rtol=1e-12, atol=[1e-16, 1e-13, 1e-13, 1e-16, 1e-13], first_step=1e-9)  # fmt: skip
        y, now = path.y[:, -1].copy(), float(path.t[-1])
        if path.t_events[0].size:
            return Grip(float(y[2]), float(y[4]), now)
        if mode:
            y[3], mode = mode * limit(y), 0
        else:
            mode = 1 if path.t_events[1].size else -1
    raise ArithmeticError("the bristles do not come to an end")


class Stand(NamedTuple):
    """Pose of a block on a plane: height of its centre above the plane (m), tilt (rad); forces of its two feet (N)."""

    height: float
    tilt: float
    forces: tuple[float, float]


def sliding_block(
    stiffness: float, exponent: float, weight: float, half: float, below: float, friction: float
) -> Stand:
    """Steady sliding of a block on two points (at +-half along the plane and `below` under its centre) with K d^n each.

    weight: normal load m g cos(slope). friction: mu sign(slip); the force -friction N acts along the plane at each foot.
    The feet carry (N1 + N2) = weight, and no moment about the centre is left. Then nothing but the position along the
    plane changes: the block slides with the constant acceleration of the sum of forces."""

    def feet(y: float, tilt: float) -> list[tuple[float, float, float]]:
        c, s = math.cos(tilt), math.sin(tilt)
        places = [(c * x + s * below, s * x - c * below) for x in (-half, half)]
        return [(px, py, stiffness * max(-(y + py), 0.0) ** exponent) for px, py in places]

    def miss(z: Array) -> list[float]:
        found = feet(below - z[0] * below, z[1] / 1e3)
        normal = sum(n for *_, n in found)
        moment = sum(px * n + py * friction * n for px, py, n in found)  # r x (-friction N, N)
        return [normal / weight - 1, moment / (weight * half)]

    sunk = (weight / (2 * stiffness)) ** (1 / exponent) / below
    z, _, _, text = fsolve(miss, [sunk, 0.0], xtol=1e-15, full_output=True)
    if np.max(np.abs(miss(z))) > 1e-11:
        raise ArithmeticError(text)
    y, tilt = below - float(z[0]) * below, float(z[1]) / 1e3
    (_, _, n1), (_, _, n2) = feet(y, tilt)
    return Stand(y, tilt, (n1, n2))


# 4. Geometry ------------------------------------------------------------------------------------------------------------


def leaving_angle(ratio: float) -> float:
    """Angle from the top, rad, at which a body leaves a round hill: cos = 2 / (3 + J/(m R^2)); ratio 0 without friction.

    From energy, m v^2 (1 + ratio)/2 = m g L (1 - cos), and no force, m v^2/L = m g cos. A sphere (2/5): 10/17."""
    return math.acos(2 / (3 + ratio))


def static_depth(force: float, stiffness: float, exponent: float) -> float:
    """d with K d^n = force."""
    return (force / stiffness) ** (1 / exponent)
