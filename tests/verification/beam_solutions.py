"""Exact answers for planar beams, independent of gaitwright.

Nothing here imports the package. A beam is a rod without shear: a strain e = |r'| - 1 and a curvature k = theta', both per
unstressed arc length s, with the energy EA e^2/2 + EI (k - k0)^2/2 and so N = EA e, M = EI (k - k0). That is the theory of
elastica if EA is large, and the one that continuum beam elements approximate for any EA. Closed forms where there are any,
otherwise shooting with DOP853 at 1e-13. SI units, radians, points of the plane as complex numbers x + i y.
`test_beam_statics.py` and `test_beam_modes.py` check these forms against each other and REFERENCE D before they use them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq
from scipy.special import ellipe, ellipeinc, ellipk, ellipkinc, jn_zeros

Array = NDArray[np.floating]
Along = float | Callable[[float], float]
"""A number, or a function of the arc length."""
TIGHT = {"method": "DOP853", "rtol": 3e-14, "atol": 1e-14}


# 1. Large deflections in closed form -----------------------------------------------------------------------------------


class Tip(NamedTuple):
    """Free end of a beam that starts at the origin: x, y (m), angle of the tangent (rad)."""

    x: float
    y: float
    angle: float


#: REFERENCE D: cantilever of length 1 and EI 1 under a dead tip load across it: load -> tip, ten digits.
ELASTICA = {
    1: Tip(0.9435667637, 0.3017207738, 0.4613519497),
    2: Tip(0.8393582792, 0.4934574804, 0.7817498316),
    5: Tip(0.6123716393, 0.7137915236, 1.215368118),
    10: Tip(0.4450044022, 0.8106090249, 1.430285539),
}


def elastica(load: float) -> Tip:
    """Inextensible cantilever, L = EI = 1, dead load P along y at the tip, by elliptic integrals (Bisshopp & Drucker 1945).

    With the tip angle a, m = (1 + sin a)/2 and sin(phi) = 1/sqrt(2 m): sqrt(P) = K(m) - F(phi, m), which gives a;
    y = 1 - 2 (E(m) - E(phi, m))/sqrt(P), x = sqrt(2 sin(a)/P). Absolute error about 1e-14 for loads from 0.1 to 100."""

    def parts(angle: float) -> tuple[float, float]:
        m = (1 + math.sin(angle)) / 2
        return m, math.asin(1 / math.sqrt(2 * m))

    def miss(angle: float) -> float:
        m, phi = parts(angle)
        return float(ellipk(m) - ellipkinc(phi, m)) - math.sqrt(load)

    angle = brentq(miss, 1e-9, math.pi / 2 - 1e-12, xtol=1e-16, rtol=1e-15)
    m, phi = parts(angle)
    y = 1 - 2 * float(ellipe(m) - ellipeinc(phi, m)) / math.sqrt(load)
    return Tip(math.sqrt(2 * math.sin(angle) / load), y, angle)


def arc(phi: float) -> Tip:
    """Cantilever of length 1 under an end moment M = phi EI/L: a circular arc that turns by phi, whatever EA is. Exact."""
    return Tip(math.sin(phi) / phi, (1 - math.cos(phi)) / phi, phi)


class Catenary(NamedTuple):
    """Elastic cable hung between points of the same height: sag of its middle (m), horizontal force (N), weight of one
    half (N), and angle at the left end (rad)."""

    sag: float
    horizontal: float
    vertical: float
    angle: float


def catenary(span: float, length: float, weight: float, axial: float) -> Catenary:
    """Elastic catenary (Irvine, Cable Structures, 1981, ch. 1.4): `weight` per unstressed length (N/m), no bending.

    span/2 = H l/EA + (H/w) asinh(w l/H), l = length/2; sag = w l^2/(2 EA) + (H/w) (sqrt(1 + (w l/H)^2) - 1). Exact."""
    half = length / 2

    def reach(h: float) -> float:
        return h * half / axial + h / weight * math.asinh(weight * half / h)

    h = brentq(lambda h: reach(h) - span / 2, 1e-6 * weight * length, 1e6 * weight * length, rtol=1e-15)
    v = weight * half
    return Catenary(v * half / (2 * axial) + h / weight * (math.hypot(1, v / h) - 1), h, v, -math.atan(v / h))


# 2. Small deflections ---------------------------------------------------------------------------------------------------


def tapered_deflection(load: float, length: float, stiffness: float, taper: float) -> float:
    """Tip deflection of a cantilever with EI = stiffness (1 - taper s/L), a width that falls linearly, under a tip load.

    P L^3/EI int (1 - x)^2/(1 - c x) dx = P L^3/EI (1/2 - 2 a + 3 a^2/2 - a^2 ln a)/c^3, a = 1 - c. Exact to first order;
    taper 1 is the leaf spring of uniform strength, P L^3/(2 EI)."""
    c, a = taper, 1 - taper
    logarithm = a * a * math.log(a) if a > 0 else 0.0
    return load * length**3 / stiffness * (0.5 - 2 * a + 1.5 * a * a - logarithm) / c**3


def quarter_circle(radius: float, axial: float, bending: float, force: complex) -> complex:
    """Displacement of the free end of a quarter circle, clamped at the origin along x, centre at i R, by a small force there.

    Castigliano: with M = F x r and N = F . t along the arc, the flexibilities are
    xx: R^3/EI (3 pi/4 - 2) + pi R/4EA, yy: pi R^3/4EI + pi R/4EA, xy: R^3/2EI - R/2EA in absolute value. Computed here
    from the integrals themselves with the signs of the shape."""
    fx, fy = force.real, force.imag

    def integral(f: Callable[[float], float]) -> float:
        return quad(f, 0, math.pi / 2, epsabs=0, epsrel=1e-13)[0]

    # The end is at R + i R; from the point at angle p the arm to it is R (1 - sin p) + i R cos p.
    def arm(p: float) -> tuple[float, float]:
        return radius * (1 - math.sin(p)), radius * math.cos(p)

    def moments(p: float) -> tuple[float, float, float]:
        ax, ay = arm(p)
        return ax * fy - ay * fx, -ay, ax  # of the force, of a unit force along x, along y

    def forces(p: float) -> tuple[float, float, float]:
        c, s = math.cos(p), math.sin(p)
        return fx * c + fy * s, c, s

    x, y = (
        radius * integral(lambda p: moments(p)[0] * moments(p)[k] / bending + forces(p)[0] * forces(p)[k] / axial)
        for k in (1, 2)
    )
    return complex(x, y)


def ring(radius: float, axial: float, bending: float, force: float) -> tuple[float, float]:
    """Thin ring under two opposite small forces that pull: growth of the diameter along them, and shrinking across.

    F R^3/EI (pi/4 - 2/pi) + pi F R/4EA and F R^3/EI (2/pi - 1/2) - F R/2EA (Timoshenko, Strength of Materials II, 1930,
    art. 80; the terms of EA by Castigliano from N = F sin(p)/2, with the unit pair of forces across: N = cos(p)/2)."""
    along = force * radius**3 / bending * (math.pi / 4 - 2 / math.pi) + math.pi * force * radius / (4 * axial)
    across = force * radius**3 / bending * (2 / math.pi - 0.5) - force * radius / (2 * axial)
    return along, across


def beam_column(load: float, thrust: float, length: float, bending: float) -> float:
    """Tip deflection of a cantilever under a small load across and a dead thrust along it: P (tan kL - kL)/(k T), k^2 =
    T/EI (Timoshenko & Gere, Theory of Elastic Stability, 1961, art. 1.11). Inextensible. A tension is a negative thrust."""
    k = math.sqrt(abs(thrust) / bending)
    tangent = math.tan if thrust > 0 else math.tanh
    return load * (tangent(k * length) - k * length) / (k * thrust)


def euler_load(axial: float, bending: float, length: float, factor: float = math.pi) -> float:
    """Thrust at which a straight extensible column buckles: P (1 - P/EA) = (factor/L)^2 EI; pi pinned, pi/2 clamped-free."""
    simple = (factor / length) ** 2 * bending
    return 2 * simple / (1 + math.sqrt(1 - 4 * simple / axial))


# 3. Any cantilever, by shooting ------------------------------------------------------------------------------------------


class Rod(NamedTuple):
    """A beam: length (m), EA (N), EI (N m^2), and the curvature of its unstressed shape (1/m), along s."""

    length: float = 1.0
    axial: Along = math.inf
    bending: Along = 1.0
    curvature: Along = 0.0


class Loaded(NamedTuple):
    """A beam clamped at the origin: its tip, and force (N) and moment (N m) of the clamp on the beam."""

    tip: Tip
    force: complex
    moment: float


def _value(along: Along, s: float) -> float:
    return along(s) if callable(along) else along


def from_tip(
    rod: Rod, angle: float, force: complex, moment: float, line: complex = 0j, *, length: float | None = None
) -> Array:
    """Start of a beam whose end is at the origin with the tangent at `angle`: x, y, angle there, and the moment M there.

    Integrated from the end to s = L - length. n = force + line (L - s), M' = -r' x n, theta' = M/EI + k0,
    r' = (1 + n.t/EA) t. line: a dead load per unstressed length, N/m."""
    total = rod.length

    def slope(way: float, y: Array) -> list[float]:
        s = total - way
        n = force + line * way
        c, d = math.cos(y[2]), math.sin(y[2])
        stretch = 1 + (n.real * c + n.imag * d) / _value(rod.axial, s)
        turning = y[3] / _value(rod.bending, s) + _value(rod.curvature, s)
        return [-stretch * c, -stretch * d, -turning, stretch * (c * n.imag - d * n.real)]

    end = total if length is None else length
    return solve_ivp(slope, (0.0, end), [0.0, 0.0, angle, moment], **TIGHT).y[:, -1]


def follower(rod: Rod, force: complex, moment: float = 0.0, *, clamp: float = 0.0) -> Loaded:
    """Cantilever under a force in the frame of the tangent at its tip: no unknowns, one integration and a rotation."""
    x, y, angle, at_clamp = from_tip(rod, 0.0, force, moment)
    turn = clamp - angle
    z = -complex(x, y) * np.exp(1j * turn)
    return Loaded(Tip(z.real, z.imag, turn), complex(-force * np.exp(1j * turn)), -at_clamp)


def cantilever(
    rod: Rod, force: complex = 0j, moment: float = 0.0, line: complex = 0j, *, clamp: float = 0.0, steps: int = 8
) -> Loaded:
    """Cantilever under dead loads: the angle of the tip is found by secants while the loads grow in `steps`."""
    curved = quad(lambda s: _value(rod.curvature, s), 0, rod.length, epsabs=0, epsrel=1e-12)[0]
    angle, before = clamp + curved, 0.0
    found = np.zeros(4)
    for part in np.arange(1, steps + 1) / steps:

        def miss(a: float, part: float = part) -> float:
            nonlocal found
            found = from_tip(rod, a, part * force, part * moment, part * line)
            return float(found[2]) - clamp

        a, b = angle, angle + max(abs(before), 1e-4)
        angle_was, f, g = angle, miss(a), miss(b)
        for _ in range(50):
            if g == f or abs(b - a) < 1e-15:
                break
            a, b, f = b, b - g * (b - a) / (g - f), g
            g = miss(b)
            if abs(g) < 1e-14:
                break
        angle, before = b, b - angle_was
    return Loaded(Tip(-found[0], -found[1], angle), -(force + line * rod.length), -float(found[3]))


# 4. Vibrations ----------------------------------------------------------------------------------------------------------

#: What vanishes at beta L, each divided by cosh(beta L), which grows without bound.
_ENDS: dict[str, Callable[[float], float]] = {
    "clamped-free": lambda b: math.cos(b) + 1 / math.cosh(b),
    "free-free": lambda b: math.cos(b) - 1 / math.cosh(b),
    "clamped-clamped": lambda b: math.cos(b) - 1 / math.cosh(b),
    "clamped-pinned": lambda b: math.sin(b) - math.tanh(b) * math.cos(b),
    "pinned-pinned": math.sin,
}
_NEAR = {"clamped-free": -0.5, "free-free": 0.5, "clamped-clamped": 0.5, "clamped-pinned": 0.25, "pinned-pinned": 0.0}
#: REFERENCE D.
BETA = {
    "clamped-free": (1.87510406871, 4.69409113297, 7.85475743824),
    "free-free": (4.73004074486, 7.8532046241),
    "clamped-pinned": (3.92660231205, 7.06858274563),
}


def beta(ends: str, mode: int) -> float:
    """beta L of the bending mode 1, 2, ... of a uniform beam; w = beta^2 sqrt(EI/rho A). Error about 1e-15 relative."""
    middle = (mode + _NEAR[ends]) * math.pi
    return brentq(_ENDS[ends], middle - 0.45, middle + 0.45, xtol=1e-15, rtol=1e-15)


def bending_frequency(ends: str, mode: int, length: float, bending: float, mass: float) -> float:
    """Angular frequency, rad/s; mass per length, kg/m. Without rotary inertia, which these elements do not have."""
    return (beta(ends, mode) / length) ** 2 * math.sqrt(bending / mass)


def axial_frequency(ends: str, mode: int, length: float, axial: float, mass: float) -> float:
    """Angular frequency along the beam: (mode - 1/2) pi c/L clamped-free, mode pi c/L if both ends are alike."""
    return (mode - (0.5 if ends == "clamped-free" else 0.0)) * math.pi / length * math.sqrt(axial / mass)


def tensioned_frequency(mode: int, length: float, axial: float, bending: float, mass: float, tension: float) -> float:
    """Pinned-pinned beam that is free to stretch under a dead axial force: rho A w^2 = EI b^4/g^2 + T b^2/g.

    b = mode pi/L (unstressed), g = 1 + T/EA: theta = w'/g, and the stretch beyond g is w'^2/2g. Exact for any T."""
    b, g = mode * math.pi / length, 1 + tension / axial
    return math.sqrt((bending * b**4 / g**2 + tension * b**2 / g) / mass)


def hanging_cable_frequency(mode: int, length: float, gravity: float = 9.81) -> float:
    """Heavy cable without bending stiffness hung at one end: w = j_0,mode/2 sqrt(g/L), zeros of the Bessel function J0
    (Bernoulli 1732). Inextensible."""
    return float(jn_zeros(0, mode)[-1]) / 2 * math.sqrt(gravity / length)


def beck_frequencies(load: float) -> tuple[float, float] | None:
    """The two lowest w (L = EI = rho A = 1) of Beck's column: a cantilever under a follower thrust along its tangent.

    2 w^2 + P^2 + P w sin(a) sinh(b) + 2 w^2 cos(a) cosh(b) = 0, a^2, b^2 = sqrt(P^2/4 + w^2) +- P/2 (Bolotin,
    Nonconservative Problems, 1963, art. 2.3). None where they have met and the column flutters."""

    def determinant(w: float) -> float:
        root = math.sqrt(load**2 / 4 + w * w)
        a, b = math.sqrt(root + load / 2), math.sqrt(root - load / 2)
        return (
            2 * w * w
            + load**2
            + load * w * math.sin(a) * math.sinh(b)
            + 2 * w * w * math.cos(a) * math.cosh(b)
        )

    grid = np.linspace(1.0, 25.0, 2401)
    values = [determinant(float(w)) for w in grid]
    found = [
        brentq(determinant, grid[k], grid[k + 1], xtol=1e-14)
        for k in range(grid.size - 1)
        if values[k] * values[k + 1] < 0
    ]
    return (found[0], found[1]) if len(found) >= 2 else None


#: P L^2/EI at which Beck's column begins to flutter (Beck, ZAMP 3, 1952: 20.05; more digits computed here).
BECK_LOAD = 20.0509
