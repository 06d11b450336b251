"""Exact motions of tops, independent of gaitwright: free tops of Euler and Poinsot, the heavy top of Lagrange.

SI units. Vectors of the body frame belong to the principal axes; a rotation matrix has them as columns, seen from the ground.
Sources: Landau & Lifshitz, Mechanics (1976), sections 35 to 37; Goldstein, Classical Mechanics (1980), section 5-7.
"""

from __future__ import annotations

from typing import NamedTuple

import mpmath
import numpy as np
from scipy.integrate import quad
from scipy.linalg import expm
from scipy.special import ellipj, ellipk

Array = np.ndarray
G = 9.81


def skew(w: Array) -> Array:
    """The matrix of w x."""
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])


def turned(w: Array) -> Array:
    """Rotation matrix of the vector of rotation w, rad."""
    return expm(skew(w))


# Free tops -----------------------------------------------------------------------------------------------------------


def free_symmetric_top(t: float, transverse: float, axial: float, start: Array, spin: Array) -> tuple[Array, Array]:
    """Rotation matrix and angular velocity (ground frame) at t; axis 3 is the symmetry axis.

    A = exp(t L / I1) A0 exp(t (1 - I3/I1) w3 e3): the axis goes round L at the rate |L| / I1."""
    own = start.T @ spin
    momentum = start @ (np.array([transverse, transverse, axial]) * own)
    slip = np.array([0.0, 0.0, (1.0 - axial / transverse) * own[2]])
    matrix = turned(t * momentum / transverse) @ start @ turned(t * slip)
    return matrix, momentum / transverse + matrix @ slip


class EulerTop:
    """Asymmetric free top, I1 < I2 < I3, that turns mostly about axis 3 (2 T I2 < L^2) and has w2 = 0 at t = 0.

    w = (a cn, b sn, c dn)(rate t | m) in the body frame (Landau & Lifshitz Eq 37.10)."""

    def __init__(self, moments: Array, spin: Array):
        i1, i2, i3 = moments
        w1, w2, w3 = spin
        assert i1 < i2 < i3 and w2 == 0 and w1 != 0 and w3 != 0
        twice_energy, square = i1 * w1**2 + i3 * w3**2, i1**2 * w1**2 + i3**2 * w3**2
        assert square > twice_energy * i2
        self.moments, self.momentum = np.asarray(moments), np.sqrt(square)
        self.rate = np.sqrt((i3 - i2) * (square - twice_energy * i1) / (i1 * i2 * i3))
        self.m = (i2 - i1) * (twice_energy * i3 - square) / ((i3 - i2) * (square - twice_energy * i1))
        # I2 w2' = (I3 - I1) w3 w1 at the start gives the sign of w2
        size = np.sqrt((twice_energy * i3 - square) / (i2 * (i3 - i2)))
        self.amplitudes = np.array([w1, np.sign(w1 * w3) * size, w3])
        self.period = 4.0 * ellipk(self.m) / self.rate

    def spin(self, t: Array | float) -> Array:
        """(..., 3), rad/s, body frame."""
        sn, cn, dn, _ = ellipj(self.rate * np.asarray(t), self.m)
        return np.stack([cn, sn, dn], axis=-1) * self.amplitudes

    def precession(self, t: float) -> float:
        """Angle, rad, of the plane of axis 3 and L about L: its rate is L (I1 w1^2 + I2 w2^2) / (I1^2 w1^2 + I2^2 w2^2)."""
        i1, i2, _ = self.moments

        def rate(s: float) -> float:
            w1, w2, _ = self.spin(s)
            return self.momentum * (i1 * w1**2 + i2 * w2**2) / ((i1 * w1) ** 2 + (i2 * w2) ** 2)

        whole, rest = divmod(t, self.period / 2)  # w1 and w2 change sign after half a period: the rate does not
        once = quad(rate, 0.0, self.period / 2, epsabs=1e-13, epsrel=1e-13)[0] if whole else 0.0
        return whole * once + quad(rate, 0.0, rest, epsabs=1e-13, epsrel=1e-13)[0]

    def matrix(self, t: float) -> Array:
        """Rotation matrix with L along z of the ground. The third row is the direction of L in the body; the angle of
        precession turns the other two about it."""
        up = self.moments * self.spin(t) / self.momentum
        across = np.cross(up, [0.0, 0.0, 1.0])  # across L and axis 3
        across /= np.linalg.norm(across)
        level = np.stack([across, np.cross(up, across), up])
        angle = self.precession(t)
        c, s = np.cos(angle), np.sin(angle)
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ level


# Lagrange's top ------------------------------------------------------------------------------------------------------


class LagrangeTop(NamedTuple):
    """transverse: about the fixed point; axial: about the axis, kg m^2. moment: m g l, N m. All angles in rad."""

    transverse: float
    axial: float
    moment: float

    def steady(self, tilt: float, spin: float) -> tuple[float, float]:
        """Slow and fast rate of steady precession: I1 cos(theta) p^2 - I3 w3 p + m g l = 0."""
        a, b, c = self.transverse * np.cos(tilt), self.axial * spin, self.moment
        root = np.sqrt(b**2 - 4 * a * c)
        return (b - root) / (2 * a), (b + root) / (2 * a)

    def nutation(self, tilt: float, precession: float, spin: float) -> Nutation:
        """The motion from theta = tilt, theta' = 0, phi' = precession, w3 = spin."""
        with mpmath.workdps(50):  # a top that just misses the pole has a root close to 1 or -1
            u0, spin_ = mpmath.cos(tilt), mpmath.mpf(spin)
            a = self.axial * spin_ / self.transverse
            b = precession * (1 - u0**2) + a * u0
            beta = 2 * mpmath.mpf(self.moment) / self.transverse
            alpha = precession**2 * (1 - u0**2) + beta * u0
            # u'^2 = (1 - u^2)(alpha - beta u) - (b - a u)^2
            roots = mpmath.polyroots(
                [beta, -(alpha + a**2), 2 * a * b - beta, alpha - b**2], maxsteps=200, extraprec=200
            )
            low, high, beyond = sorted(mpmath.re(root) for root in roots)
            numbers = (a, b, beta, low, high, beyond, 1 + low, 1 - low, u0)
            return Nutation(*(float(number) for number in numbers))

    def growth(self, spin: float) -> complex:
        """Root s with the largest real part of the upright top: I1 s^2 - i I3 w3 s - m g l = 0."""
        return complex(max(self._roots(spin), key=lambda s: s.real))

    def sleeping(self, t: Array, lean: float, spin: float) -> Array:
        """Small lean theta e^(i phi) of the upright top, released at rest but for its spin about the axis."""
        one, two = self._roots(spin)
        return lean * (two * np.exp(one * t) - one * np.exp(two * t)) / (two - one)

    def _roots(self, spin: float) -> Array:
        return np.roots([self.transverse, -1j * self.axial * spin, -self.moment])


class Nutation(NamedTuple):
    """u = cos(theta) between two roots of the cubic u'^2 = beta (u - low)(u - high)(u - beyond)."""

    a: float
    b: float
    beta: float
    low: float
    high: float
    beyond: float
    above: float  # 1 + low
    below: float  # 1 - low
    start: float

    @property
    def m(self) -> float:
        return (self.high - self.low) / (self.beyond - self.low)

    @property
    def rate(self) -> float:
        return float(np.sqrt(self.beta * (self.beyond - self.low))) / 2

    @property
    def period(self) -> float:
        return float(2 * ellipk(self.m) / self.rate)

    def height(self, t: Array | float) -> Array:
        """cos(theta) = low + (high - low) sn^2."""
        sn = ellipj(self.rate * np.asarray(t) + self.begin, self.m)[0]
        return self.low + (self.high - self.low) * sn**2

    @property
    def begin(self) -> float:
        """Argument of sn at the start, which is at rest at the low or the high root."""
        return 0.0 if abs(self.start - self.low) < abs(self.start - self.high) else float(ellipk(self.m))

    def precession(self, t: float) -> float:
        """phi, rad: phi' = (b - a u) / (1 - u^2) in partial fractions, each an elliptic integral of the third kind."""
        spread = self.high - self.low
        total = 0.0
        for coefficient, size, n in (
            ((self.b + self.a) / 2, self.above, -spread / self.above),
            ((self.b - self.a) / 2, self.below, spread / self.below),
        ):
            ends = [float(ellipj(u, self.m)[3]) for u in (self.begin, self.begin + self.rate * t)]
            third = [float(mpmath.ellippi(n, end, self.m)) for end in ends]
            total += coefficient / size * (third[1] - third[0]) / self.rate
        return total
