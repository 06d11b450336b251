"""Exact answers for planar mechanisms, independent of gaitwright.

Nothing here imports the package: every function is a closed form, or (rod chains only) a tight integration of the
equations in minimal coordinates. SI units, radians. Angles are counter-clockwise from the x axis unless stated otherwise;
gravity is a positive number acting along -y. `test_analytical.py` checks these forms against each other
and against quadrature, so that the reference itself is tested. Published benchmark data are in `benchmarks.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import mpmath
import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import quad, solve_ivp
from scipy.linalg import eigh
from scipy.special import ellipj, ellipkinc, ellipkm1

Array = NDArray[np.floating]
#: Position, velocity and acceleration of a point as x + i y: complex, shape (3, ...), m, m/s, m/s^2.
Motion = NDArray[np.complex128]

G = 9.81


# 1. Pendulum: angle measured from the hanging position ---------------------------------------------------------------


def compound_pendulum_frequency(mass: float, inertia: float, arm: float, gravity: float = G) -> float:
    """Small-oscillation angular frequency w0, rad/s, of a body hung on a pin.

    w0^2 = m g a / (J + m a^2), with J about the centre of mass and a the distance from the pin to it. Exact.
    """
    return float(np.sqrt(mass * gravity * arm / (inertia + mass * arm**2)))


def rod_pendulum_frequency(length: float, gravity: float = G) -> float:
    """w0 = sqrt(3 g / (2 L)) of a uniform rod hung at its end, rad/s. Exact."""
    return float(np.sqrt(1.5 * gravity / length))


def pendulum_period(amplitude: float, w0: float) -> float:
    """Period of a swing with any amplitude in (0, pi), s: T = 4 K(k) / w0 with k = sin(amplitude / 2).

    K is the complete elliptic integral of the first kind (Abramowitz & Stegun 17.3.1), taken from its complementary
    parameter so that amplitudes close to pi keep full accuracy. Relative error about 1e-15.
    """
    return float(4.0 * ellipkm1(np.cos(amplitude / 2.0) ** 2) / w0)


def pendulum_revolution_time(rate_at_top: float, w0: float) -> float:
    """Time of one full turn of a pendulum that passes the top with `rate_at_top`, s.

    T = 2 K(k) / a, a^2 = w0^2 + rate_at_top^2 / 4, k = w0 / a. Relative error about 1e-15.
    """
    a = np.hypot(w0, rate_at_top / 2.0)
    return float(2.0 * ellipkm1((rate_at_top / (2.0 * a)) ** 2) / a)


def pendulum_motion(t: ArrayLike, angle0: float, rate0: float, w0: float) -> tuple[Array, Array, Array]:
    """Angle (unwrapped), rate and acceleration of theta'' = -w0^2 sin(theta) from any start, swinging or rotating.

    With m = sin^2(angle0 / 2) + (rate0 / (2 w0))^2 (Jacobi elliptic functions, Abramowitz & Stegun ch. 16):
    swing, m < 1:     sin(theta/2) = sqrt(m) sn(w0 t + u0 | m),  theta' = 2 w0 sqrt(m) cn
    rotation, m >= 1: theta/2 = +- am(w0 sqrt(m) t + u0 | 1/m),  theta' = +- 2 w0 sqrt(m) dn   (m = 1: separatrix)
    Angle from the hanging position. Absolute error about 1e-14 times (1 + w0 t), away from m = 1.
    """
    t = np.asarray(t, dtype=float)
    turns = 2.0 * np.pi * np.round(angle0 / (2.0 * np.pi))
    half = (angle0 - turns) / 2.0
    m = np.sin(half) ** 2 + (rate0 / (2.0 * w0)) ** 2
    if m < 1.0:
        k = np.sqrt(m)
        start = ellipkinc(np.arctan2(np.sin(half), rate0 / (2.0 * w0)), m)
        sn, cn, dn, _ = ellipj(w0 * t + start, m)
        angle, rate = 2.0 * np.arctan2(k * sn, dn), 2.0 * w0 * k * cn
    else:
        k, way = np.sqrt(m), np.sign(rate0)
        start = ellipkinc(way * half, 1.0 / m)
        _, _, dn, am = ellipj(w0 * k * t + start, 1.0 / m)
        angle, rate = 2.0 * way * am, 2.0 * way * w0 * k * dn
    return angle + turns, rate, -(w0**2) * np.sin(angle)


def pendulum_pin_force(
    angle: ArrayLike, rate: ArrayLike, mass: float, inertia: float, arm: float, gravity: float = G
) -> Motion:
    """Force of the pin on a free compound pendulum as Fx + i Fy, N: m (a_centre + i g).

    `angle` from the hanging position; a_centre follows from theta'' = -w0^2 sin(theta). Exact.
    """
    angle, rate = np.asarray(angle, float), np.asarray(rate, float)
    acceleration = -(compound_pendulum_frequency(mass, inertia, arm, gravity) ** 2) * np.sin(angle)
    to_centre = -1j * arm * np.exp(1j * angle)
    return mass * ((1j * acceleration - rate**2) * to_centre + 1j * gravity)


# 2. Linkage kinematics -----------------------------------------------------------------------------------------------


def dot(u: ArrayLike, v: ArrayLike) -> Array:
    """Scalar product of plane vectors written as complex numbers."""
    return np.real(np.conj(u) * v)


def cross(u: ArrayLike, v: ArrayLike) -> Array:
    """z component of the vector product of plane vectors written as complex numbers."""
    return np.imag(np.conj(u) * v)


def fixed_point(z: complex, like: ArrayLike = 0.0) -> Motion:
    """Motion of a point at rest at `z`, broadcast to the shape of `like`."""
    zero = np.zeros(np.shape(like), dtype=complex)
    return np.array([zero + z, zero, zero], dtype=complex)


def crank_point(radius: float, angle: ArrayLike, rate: ArrayLike = 1.0, acceleration: ArrayLike = 0.0) -> Motion:
    """Motion of the tip of a crank that turns about the origin: z = r e^{i theta}."""
    z = radius * np.exp(1j * np.asarray(angle, float))
    rate, acceleration = np.asarray(rate, float), np.asarray(acceleration, float)
    return np.array([z, 1j * rate * z, (1j * acceleration - rate**2) * z], dtype=complex)


def dyad(p: Motion, q: Motion, to_p: float, to_q: float, side: int) -> Motion:
    """Motion of the point R with |R - P| = to_p and |R - Q| = to_q: intersection of two circles, exact derivatives.

    `side` = +1: R lies to the left of the directed line P -> Q, -1: to the right. Derivatives solve the 2x2 systems
    (R-P).(R'-P') = 0, (R-Q).(R'-Q') = 0 and (R-P).(R''-P'') = -|R'-P'|^2, likewise for Q. Fails (NaN) where the
    circles do not meet, singular where P, Q, R are in line. Error: rounding times the condition of the triangle.
    """
    line = q[0] - p[0]
    span = np.abs(line)
    along = (span**2 + to_p**2 - to_q**2) / (2.0 * span)
    r = p[0] + (along + 1j * side * np.sqrt(to_p**2 - along**2)) * line / span
    u, v = r - p[0], r - q[0]

    def solve(at_u: Array, at_v: Array) -> NDArray[np.complex128]:
        return 1j * (at_v * u - at_u * v) / cross(u, v)

    velocity = solve(dot(u, p[1]), dot(v, q[1]))
    acceleration = solve(dot(u, p[2]) - np.abs(velocity - p[1]) ** 2, dot(v, q[2]) - np.abs(velocity - q[1]) ** 2)
    return np.array([r, velocity, acceleration])


class BarMotion(NamedTuple):
    """Motion of the middle of a bar, its angle (principal value, rad), spin and angular acceleration."""

    centre: Motion
    angle: Array
    spin: Array
    angular_acceleration: Array


def bar_motion(start: Motion, end: Motion) -> BarMotion:
    """Rigid motion of a straight bar from the motions of its two ends."""
    d = end - start
    square = np.abs(d[0]) ** 2
    return BarMotion((start + end) / 2.0, np.angle(d[0]), cross(d[0], d[1]) / square, cross(d[0], d[2]) / square)


class FourBar(NamedTuple):
    """Angles, rates and accelerations of coupler (crank tip to B) and rocker (O4 to B)."""

    coupler_angle: Array
    rocker_angle: Array
    coupler_rate: Array
    rocker_rate: Array
    coupler_acceleration: Array
    rocker_acceleration: Array


def four_bar(
    crank: float,
    coupler: float,
    rocker: float,
    ground: float,
    angle: ArrayLike,
    rate: ArrayLike = 0.0,
    acceleration: ArrayLike = 0.0,
    branch: int = 1,
) -> FourBar:
    """Four-bar linkage O2=(0,0), A=a e^{i theta}, B, O4=(ground,0) in closed form.

    Loop a e^{i theta} + b e^{i phi} = d + c e^{i psi}. `branch` = +1: B to the left of A -> O4, -1: to the right.
    Positions by the law of cosines on triangle A B O4; rates and accelerations by projecting the differentiated loop
    on the normals of coupler and rocker (e.g. Norton, Design of Machinery, Eqs. 6.18 and 7.12). Singular where coupler
    and rocker are in line. Not: a test of Grashof's condition (unreachable angles give NaN).
    """
    a, b, c = crank, coupler, rocker
    theta, w, dw = (np.asarray(x, float) for x in (angle, rate, acceleration))
    z = ground - a * np.exp(1j * theta)
    s = np.abs(z)
    phi = np.angle(z) + branch * np.arccos((s**2 + b**2 - c**2) / (2.0 * b * s))
    psi = np.angle(z) + np.pi - branch * np.arccos((s**2 + c**2 - b**2) / (2.0 * c * s))
    sin_pc = np.sin(phi - psi)
    w_b = a * w * np.sin(psi - theta) / (b * sin_pc)
    w_c = a * w * np.sin(phi - theta) / (c * sin_pc)
    normal = a * dw * np.sin(theta - psi) + a * w**2 * np.cos(theta - psi)
    dw_b = (c * w_c**2 - normal - b * w_b**2 * np.cos(phi - psi)) / (b * sin_pc)
    normal = a * dw * np.sin(theta - phi) + a * w**2 * np.cos(theta - phi)
    dw_c = (c * w_c**2 * np.cos(phi - psi) - normal - b * w_b**2) / (c * sin_pc)
    return FourBar(phi, psi, w_b, w_c, dw_b, dw_c)


def bars_energy(bars: Sequence[tuple[Motion, Motion, float]], gravity: float = G) -> Array:
    """Kinetic + gravity energy of uniform bars (start, end, mass), J; inertia m L^2 / 12, zero height at y = 0."""
    total = 0.0
    for start, end, mass in bars:
        bar = bar_motion(start, end)
        inertia = mass * np.abs(end[0] - start[0]) ** 2 / 12.0
        total = total + 0.5 * mass * np.abs(bar.centre[1]) ** 2 + 0.5 * inertia * bar.spin**2
        total = total + mass * gravity * bar.centre[0].imag
    return np.asarray(total)


def bars_drive_torque(bars: Sequence[tuple[Motion, Motion, float]], rate: ArrayLike, gravity: float = G) -> Array:
    """Torque on the driven crank of a linkage of uniform bars, Nm, positive counter-clockwise.

    tau = q'^T (M q'' - h) / rate: power balance, thesis 003 Eq 2.19 (Nikravesh). Needs rate != 0. Exact.
    """
    power = 0.0
    for start, end, mass in bars:
        bar = bar_motion(start, end)
        inertia = mass * np.abs(end[0] - start[0]) ** 2 / 12.0
        power = power + mass * dot(bar.centre[1], bar.centre[2]) + inertia * bar.spin * bar.angular_acceleration
        power = power + mass * gravity * bar.centre[1].imag
    return np.asarray(power / np.asarray(rate, float))


# 3. Slider-crank -----------------------------------------------------------------------------------------------------


class SliderCrank(NamedTuple):
    """Crank about the origin, rod, slider on the line y = offset; centres of mass in the middle of crank and rod.

    Lengths m, masses kg, inertias kg m^2 about the centres of mass. Use `uniform_slider_crank` for slender bars.
    """

    crank: float
    rod: float
    offset: float
    crank_mass: float
    rod_mass: float
    slider_mass: float
    crank_inertia: float
    rod_inertia: float


def uniform_slider_crank(
    crank: float, rod: float, crank_mass: float, rod_mass: float, slider_mass: float, offset: float = 0.0
) -> SliderCrank:
    """Slider-crank of uniform bars, inertia m L^2 / 12."""
    j1, j2 = crank_mass * crank**2 / 12.0, rod_mass * rod**2 / 12.0
    return SliderCrank(crank, rod, offset, crank_mass, rod_mass, slider_mass, j1, j2)


class SliderCrankMotion(NamedTuple):
    """Slider x, velocity, acceleration; rod angle (crank pin to slider), rate, acceleration; rod centre motion."""

    position: Array
    velocity: Array
    acceleration: Array
    rod_angle: Array
    rod_rate: Array
    rod_acceleration: Array
    rod_centre: Motion


def slider_crank(
    s: SliderCrank, angle: ArrayLike, rate: ArrayLike = 0.0, acceleration: ArrayLike = 0.0
) -> SliderCrankMotion:
    """Closed-form kinematics; slider on the +x side (cos(rod angle) > 0).

    sin(beta) = (e - r sin(theta)) / l, x = r cos(theta) + l cos(beta), and two differentiations. Needs l > r + |e|.
    """
    r, length = s.crank, s.rod
    theta, w, dw = (np.asarray(x, float) for x in (angle, rate, acceleration))
    sin_t, cos_t = np.sin(theta), np.cos(theta)
    sin_b = (s.offset - r * sin_t) / length
    cos_b = np.sqrt(1.0 - sin_b**2)
    wb = -r * w * cos_t / (length * cos_b)
    dwb = (r * (w**2 * sin_t - dw * cos_t) + length * wb**2 * sin_b) / (length * cos_b)
    x = r * cos_t + length * cos_b
    v = -r * w * sin_t - length * wb * sin_b
    a = -r * (dw * sin_t + w**2 * cos_t) - length * (dwb * sin_b + wb**2 * cos_b)
    slider = np.array([x + 1j * s.offset, v + 0j, a + 0j])
    return SliderCrankMotion(x, v, a, np.arcsin(sin_b), wb, dwb, (crank_point(r, theta, w, dw) + slider) / 2.0)


def slider_crank_reduced(s: SliderCrank, angle: ArrayLike, gravity: float = G) -> tuple[Array, Array, Array, Array]:
    """Reduced one-coordinate model: inertia J(theta), dJ/dtheta, gravity moment dV/dtheta and dx_slider/dtheta.

    T = J theta'^2 / 2 (Eksergian's equation J theta'' + J' theta'^2 / 2 + V' = Q). Exact.
    """
    k = slider_crank(s, angle, 1.0, 0.0)
    crank_j = s.crank_inertia + s.crank_mass * s.crank**2 / 4.0
    c = k.rod_centre
    inertia = crank_j + s.rod_mass * np.abs(c[1]) ** 2 + s.rod_inertia * k.rod_rate**2 + s.slider_mass * k.velocity**2
    slope = 2.0 * (
        s.rod_mass * dot(c[1], c[2])
        + s.rod_inertia * k.rod_rate * k.rod_acceleration
        + s.slider_mass * k.velocity * k.acceleration
    )
    weight = gravity * (s.crank_mass * s.crank / 2.0 * np.cos(angle) + s.rod_mass * c[1].imag)
    return inertia, slope, weight, k.velocity


def slider_crank_torque(
    s: SliderCrank,
    angle: ArrayLike,
    rate: ArrayLike,
    acceleration: ArrayLike = 0.0,
    gravity: float = G,
    slider_force: ArrayLike = 0.0,
) -> Array:
    """Crank torque that produces the motion, Nm: tau = J theta'' + J' theta'^2 / 2 + V' - F_x dx/dtheta.

    Virtual work, identical to thesis 003 Eq 2.19 but also valid at rate = 0. `slider_force` acts on the slider in +x.
    """
    inertia, slope, weight, travel = slider_crank_reduced(s, angle, gravity)
    rate, acceleration = np.asarray(rate, float), np.asarray(acceleration, float)
    return inertia * acceleration + 0.5 * slope * rate**2 + weight - np.asarray(slider_force) * travel


class SliderCrankReactions(NamedTuple):
    """Pin forces as Fx + i Fy, N: ground on crank at O, crank on rod at A, rod on slider at B; guide force on the
    slider in +y, N; torque on the crank, Nm."""

    at_o: NDArray[np.complex128]
    at_a: NDArray[np.complex128]
    at_b: NDArray[np.complex128]
    guide: Array
    torque: Array


def slider_crank_reactions(
    s: SliderCrank, angle: ArrayLike, rate: ArrayLike, acceleration: ArrayLike = 0.0, gravity: float = G
) -> SliderCrankReactions:
    """Newton-Euler from the slider inwards: every joint reaction and the drive torque. Exact; no slider force."""
    k = slider_crank(s, angle, rate, acceleration)
    pin = crank_point(s.crank, angle, rate, acceleration)
    rod = np.exp(1j * k.rod_angle) * s.rod
    up = 1j * gravity
    load = s.rod_mass * (k.rod_centre[2] + up)
    moment = cross(rod / 2.0, load) + s.rod_inertia * k.rod_acceleration  # = rod x (-F_B), about A
    fx = s.slider_mass * k.acceleration
    at_b = fx + 1j * (rod.imag * fx - moment) / rod.real
    guide = s.slider_mass * gravity - at_b.imag
    at_a = load + at_b
    crank_load = s.crank_mass * (pin[2] / 2.0 + up)
    torque = cross(pin[0] / 2.0, crank_load) + s.crank_inertia * np.asarray(acceleration) + cross(pin[0], at_a)
    return SliderCrankReactions(crank_load + at_a, at_a, at_b, guide, torque)


def free_slider_crank_rate(s: SliderCrank, angle: ArrayLike, angle0: float, rate0: float) -> Array:
    """Crank rate of the free-running mechanism (no torque, no gravity): theta' = rate0 sqrt(J(angle0)/J(theta))."""
    return rate0 * np.sqrt(slider_crank_reduced(s, angle0)[0] / slider_crank_reduced(s, angle)[0])


def free_slider_crank_time(s: SliderCrank, angle: float, angle0: float, rate0: float) -> float:
    """Time at which the free-running crank reaches `angle`, s: integral of 1 / theta', adaptive Gauss, about 1e-13."""
    edges = np.linspace(angle0, angle, 2 + int(abs(angle - angle0)))
    parts = [
        quad(lambda x: 1.0 / float(free_slider_crank_rate(s, x, angle0, rate0)), lo, hi, epsabs=0, epsrel=1e-13)[0]
        for lo, hi in pairwise(edges)
    ]
    return float(sum(parts))


# 4. Damped oscillator ------------------------------------------------------------------------------------------------


def damped_free(t: ArrayLike, m: float, c: float, k: float, x0: float, v0: float) -> tuple[Array, Array]:
    """Displacement and velocity of m x'' + c x' + k x = 0: under-, critically or over-damped.

    With s = c/2m and D = s^2 - k/m: x = e^{-st} (x0 C + (v0 + s x0) S), where C, S = cos, sin(wt)/w for D < 0,
    1, t for D = 0, cosh, sinh(wt)/w for D > 0. The torsional oscillator is the same with inertia for m. Exact.
    """
    t = np.asarray(t, float)
    s, disc = c / (2.0 * m), (c / (2.0 * m)) ** 2 - k / m
    w = np.sqrt(abs(disc))
    if abs(disc) <= 1e-14 * k / m:
        big, small, dbig = np.ones_like(t), t, np.zeros_like(t)
    elif disc < 0:
        big, small, dbig = np.cos(w * t), np.sin(w * t) / w, -w * np.sin(w * t)
    else:
        big, small, dbig = np.cosh(w * t), np.sinh(w * t) / w, w * np.sinh(w * t)
    decay, b = np.exp(-s * t), v0 + s * x0
    x = decay * (x0 * big + b * small)
    return x, -s * x + decay * (x0 * dbig + b * big)


def forced_steady_state(m: float, c: float, k: float, force: float, frequency: float) -> tuple[float, float]:
    """Amplitude and phase lag of x = X cos(W t - lag) under force F cos(W t).

    X = F / |k - m W^2 + i c W|, lag = arg(k - m W^2 + i c W), in [0, pi]. Exact.
    """
    dynamic_stiffness = complex(k - m * frequency**2, c * frequency)
    return force / abs(dynamic_stiffness), float(np.angle(dynamic_stiffness))


def damped_eigenvalues(m: float, c: float, k: float) -> tuple[complex, complex]:
    """Roots of m s^2 + c s + k = 0, 1/s, larger imaginary (then real) part first."""
    root = np.sqrt(complex(c**2 - 4.0 * m * k))
    return (-c + root) / (2.0 * m), (-c - root) / (2.0 * m)


# 5. Rod chains in minimal coordinates --------------------------------------------------------------------------------


def rod_chain_matrices(n: int, length: float = 1.0, mass: float = 1.0) -> tuple[Array, Array]:
    """Constant coefficients of n equal uniform rods hung in a chain, absolute angles: A (n, n) and b (n,).

    T = 1/2 sum A_ij cos(th_i - th_j) th_i' th_j', V = g sum b_i sin(th_i), angles from the x axis.
    A_ii = m L^2 (n - i + 1/3), A_ij = m L^2 (n - max(i, j) + 1/2), b_i = m L (n - i + 1/2), i = 1..n.
    """
    i = np.arange(1, n + 1)
    a = n - np.maximum.outer(i, i) + 0.5 - np.diag(np.full(n, 1.0 / 6.0))
    return mass * length**2 * a, mass * length * (n - i + 0.5)


def rod_chain_motion(
    times: ArrayLike,
    angles: ArrayLike,
    rates: ArrayLike | None = None,
    length: float = 1.0,
    mass: float = 1.0,
    gravity: float = G,
    method: str = "DOP853",
    tolerance: float = 1e-13,
) -> tuple[Array, Array]:
    """Angles and rates (n, n_times) of a chain of n uniform rods from the given start, angles from the x axis.

    sum_j A_ij (cos(th_i - th_j) th_j'' + sin(th_i - th_j) th_j'^2) = -g b_i cos(th_i), integrated by SciPy. Error about
    1e-12 after a few seconds for one and two rods; long runs of two and more rods are chaotic.
    """
    angles = np.asarray(angles, float)
    n = angles.size
    start = np.concatenate([angles, np.zeros(n) if rates is None else np.asarray(rates, float)])
    a, b = rod_chain_matrices(n, length, mass)

    def rhs(_t: float, y: Array) -> Array:
        th, w = y[:n], y[n:]
        d = th[:, None] - th[None, :]
        return np.concatenate([w, np.linalg.solve(a * np.cos(d), -(a * np.sin(d)) @ w**2 - gravity * b * np.cos(th))])

    times = np.atleast_1d(np.asarray(times, float))
    run = solve_ivp(rhs, (0.0, times[-1]), start, method=method, t_eval=times, rtol=tolerance, atol=tolerance)
    if not run.success:
        raise RuntimeError(run.message)
    return run.y[:n], run.y[n:]


def rod_chain_energy(
    angles: ArrayLike, rates: ArrayLike, length: float = 1.0, mass: float = 1.0, gravity: float = G
) -> Array:
    """Kinetic + potential energy of the chain, J (zero height at the pin); arrays (n, ...)."""
    th, w = np.asarray(angles, float), np.asarray(rates, float)
    a, b = rod_chain_matrices(th.shape[0], length, mass)
    kinetic = 0.5 * np.einsum("ij,i...,j...,ij...->...", a, w, w, np.cos(th[:, None] - th[None, :]))
    return kinetic + gravity * np.tensordot(b, np.sin(th), axes=1)


#: Paper 001 and its recomputation: rod 1 m, 1 kg, horizontal start (angle 0) at rest, g = 9.81; angles from the x axis, rad.
#: Single: equals the Jacobi form to 1e-13. Double: DOP853 and Radau at 1e-13 agree to 2e-14.
SINGLE_ROD_ANGLE_AT_2S = -0.032697342573
DOUBLE_ROD_ANGLES_AT_1S = (-2.778512564986, -2.385187349886)


# 6. Linear modes -----------------------------------------------------------------------------------------------------


def double_rod_frequencies(length: float = 1.0, gravity: float = G) -> tuple[float, float]:
    """Both frequencies of two equal uniform rods hanging in a chain: w^2 = (g/L) (3 -+ 6/sqrt(7)), rad/s. Exact.

    From det([[3/2, 0], [0, 1/2]] g/L - w^2 [[4/3, 1/2], [1/2, 1/3]]) = 0, i.e. x^2 - 6 x + 27/7 = 0.
    """
    ratio = gravity / length
    return float(np.sqrt(ratio * (3.0 - 6.0 / np.sqrt(7.0)))), float(np.sqrt(ratio * (3.0 + 6.0 / np.sqrt(7.0))))


def rod_chain_frequencies(n: int, length: float = 1.0, gravity: float = G) -> Array:
    """Frequencies of n equal uniform rods hanging in a chain, ascending, rad/s (n x n symmetric eigenproblem)."""
    a, b = rod_chain_matrices(n, length, 1.0)
    return np.sqrt(eigh(gravity * np.diag(b), a, eigvals_only=True))


def spring_chain_frequencies(n: int, mass: float, stiffness: float, ends: str = "fixed-fixed") -> Array:
    """Frequencies of n equal masses in line, joined by equal springs, ascending, rad/s. Exact.

    w_j = 2 sqrt(k/m) sin(phi_j): fixed-fixed (n + 1 springs) phi = j pi / (2n + 2), fixed-free (n springs)
    phi = (2j - 1) pi / (4n + 2), both j = 1..n; free-free (n - 1 springs) phi = j pi / (2n), j = 0..n-1.
    """
    j = np.arange(1, n + 1)
    phases = {
        "fixed-fixed": j * np.pi / (2 * n + 2),
        "fixed-free": (2 * j - 1) * np.pi / (4 * n + 2),
        "free-free": (j - 1) * np.pi / (2 * n),
    }
    return 2.0 * np.sqrt(stiffness / mass) * np.sin(phases[ends])


def inverted_pendulum_eigenvalue(
    mass: float, inertia: float, arm: float, torsion_stiffness: float, gravity: float = G
) -> float:
    """w^2 of an upright body on a pin with a torsion spring, 1/s^2: (k - m g a) / (J + m a^2). Exact.

    Positive: vibrates with sqrt(w^2). Negative: falls as exp(sqrt(-w^2) t). Limit of stability at k = m g a.
    """
    return (torsion_stiffness - mass * gravity * arm) / (inertia + mass * arm**2)


# 7. Statics ----------------------------------------------------------------------------------------------------------


def _root(function, bracket: tuple[float, float]) -> float:
    with mpmath.workdps(30):
        return float(mpmath.findroot(function, bracket, solver="anderson", tol=1e-25))


def inverted_pendulum_tilt(weight_moment: float, torsion_stiffness: float) -> float:
    """Tilt from upright, in (0, pi), of the same pendulum past its limit: k theta = m g a sin(theta); rad.

    `weight_moment` = m g a. Zero when k >= m g a. Root found with 30 digits.
    """
    if torsion_stiffness >= weight_moment:
        return 0.0
    ratio = torsion_stiffness / weight_moment
    below = 0.999 * float(np.sqrt(6.0 * (1.0 - ratio)))  # sin x > x - x^3 / 6, so the root lies above
    return _root(lambda x: mpmath.sin(x) - ratio * x, (below, float(np.pi)))


def sprung_lever_angle(
    weight_moment: float, torsion_stiffness: float, rest_angle: float = 0.0, tip_moment: float = 0.0
) -> float:
    """Angle from the horizontal of a lever on a torsion spring under its weight, rad (unique if k > m g a).

    k (theta - theta_rest) + (m g a + F L) cos(theta) = 0; `weight_moment` = m g a, `tip_moment` = F L of a vertical
    downward load at the tip. Root found with 30 digits.
    """
    load = weight_moment + tip_moment
    reach = abs(load) / torsion_stiffness + 1e-3
    return _root(
        lambda x: torsion_stiffness * (x - rest_angle) + load * mpmath.cos(x), (rest_angle - reach, rest_angle + reach)
    )


def von_mises_truss_load(height: ArrayLike, half_span: float, rest_length: float, stiffness: float) -> Array:
    """Downward load that holds the apex of two springs at `height`, N: P = 2 k y (L0/L - 1), L^2 = a^2 + y^2.

    Springs of stiffness k, N/m, and rest length L0 from (-a, 0) and (a, 0) to the apex (0, y). Exact.
    """
    y = np.asarray(height, float)
    return 2.0 * stiffness * y * (rest_length / np.hypot(half_span, y) - 1.0)


def von_mises_truss_limit(half_span: float, rest_length: float, stiffness: float) -> tuple[float, float]:
    """Height and load of the snap-through limit point: dP/dy = 0 at L^3 = L0 a^2. Exact."""
    height = float(np.sqrt((rest_length * half_span**2) ** (2.0 / 3.0) - half_span**2))
    return height, float(von_mises_truss_load(height, half_span, rest_length, stiffness))


def toggle_load(angle: ArrayLike, rest_angle: float, length: float, stiffness: float) -> Array:
    """Downward load at the knee of a rigid toggle, N: P = 4 k L (cos(theta) - cos(theta0)) tan(theta).

    Two massless bars of length L: pin O to knee, knee to a slider on the x axis; a spring k between slider and ground,
    relaxed at theta0. theta is the angle of the first bar above the x axis. Virtual work, exact.
    """
    theta = np.asarray(angle, float)
    return 4.0 * stiffness * length * (np.cos(theta) - np.cos(rest_angle)) * np.tan(theta)


def toggle_limit(rest_angle: float, length: float, stiffness: float) -> tuple[float, float]:
    """Angle and load of the toggle's limit point: cos^3(theta) = cos(theta0), P = 4 k L sin^3(theta). Exact."""
    angle = float(np.arccos(np.cbrt(np.cos(rest_angle))))
    return angle, 4.0 * stiffness * length * float(np.sin(angle)) ** 3
