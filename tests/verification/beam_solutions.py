"""Exact answers for planar beams, independent of gaitwright.

Nothing here imports the package. A beam is a rod without shear: a strain e = |r'| - 1 and a curvature k = theta', both per
unstressed arc length s, with the energy EA e^2/2 + EI (k - k0)^2/2 and so N = EA e, M = EI (k - k0). That is the theory of
elastica if EA is large, and the one that continuum beam elements approximate for any EA. Closed forms where there are any,
otherwise shooting with DOP853 at 1e-13. SI units, radians, points of the plane as complex numbers x + i y.
`test_beam_statics.py` and `test_beam_modes.py` check these forms against each other and the recomputation of 002 before
they use them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq, minimize_scalar
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


#: The recomputation of 002: cantilever of length 1 and EI 1 under a dead tip load across it: load -> tip, ten digits.
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

    Castigliano: at the angle p of the arc N = F_x cos p + F_y sin p and M = F_y R (1 - sin p) - F_x R cos p, from which
    the flexibilities xx: pi R^3/4EI + pi R/4EA, yy: (3 pi/4 - 2) R^3/EI + pi R/4EA, xy: -R^3/2EI + R/2EA. Exact."""
    b, a, pi = radius**3 / bending, radius / axial, math.pi
    xx, yy, xy = pi / 4 * (b + a), (3 * pi / 4 - 2) * b + pi / 4 * a, (a - b) / 2
    return complex(xx * force.real + xy * force.imag, xy * force.real + yy * force.imag)


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
    """Start of a beam with its end at the origin and the tangent at `angle` there: x, y, angle and moment M at the start.

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


#: Simo & Vu-Quoc 1986: cantilever of L = 100, EI = 3.5e7, EA = 4.2e8 under a follower force across its tip: displacement of
#: the tip back along the beam, and up, against the force in kN, as digitised in AeroBeams.jl (test/referenceData/
#: tipFollowerForceCantilever).
FOLLOWER_BACK = (
    (9.6742, 4.2559), (26.301, 7.5374), (51.812, 11.539), (85.846, 18.124), (106.71, 26.792), (110.05, 34.743),
    (97.628, 50.135), (79.055, 64.701), (59.478, 80.049), (49.263, 97.276), (57.346, 113.99), (73.996, 128.76),
)  # fmt: skip
FOLLOWER_UP = (
    (21.572, 2.0822), (41.307, 4.4450), (61.913, 7.7228), (78.139, 13.593), (71.346, 22.867), (55.052, 34.446),
    (42.309, 53.685), (31.621, 71.658), (14.872, 84.805), (-7.9717, 98.542), (-32.031, 113.09), (-48.170, 129.88),
)  # fmt: skip


#: Gerstmayr & Irschik, J. Sound Vib. 318 (2008) 461-487, with the digits of Exudyn's example ANCFcantileverTest: cantilever of
#: 2 m, 0.1 x 0.1 m, E = 2.07e11 Pa under a tip load of 3 EI/L^2, full quadrature: elements -> displacement of the tip, m.
GERSTMAYR_IRSCHIK = {
    1: -0.362244729891 - 0.994144758725j,
    2: -0.488926308341 - 1.175222865055j,
    4: -0.507428715119 - 1.205533702234j,
    8: -0.508509236497 - 1.207197756020j,
    64: -0.508537302970 - 1.207239853336j,
}
GERSTMAYR_IRSCHIK_LIMIT = -0.508537304326 - 1.207239854550j


# 4. Vibrations ----------------------------------------------------------------------------------------------------------

#: Functions that vanish at beta L, each divided by cosh(beta L), which grows without bound.
_ENDS: dict[str, Callable[[float], float]] = {
    "clamped-free": lambda b: math.cos(b) + 1 / math.cosh(b),
    "free-free": lambda b: math.cos(b) - 1 / math.cosh(b),
    "clamped-clamped": lambda b: math.cos(b) - 1 / math.cosh(b),
    "clamped-pinned": lambda b: math.sin(b) - math.tanh(b) * math.cos(b),
    "pinned-pinned": math.sin,
}
_NEAR = {"clamped-free": -0.5, "free-free": 0.5, "clamped-clamped": 0.5, "clamped-pinned": 0.25, "pinned-pinned": 0.0}
#: The recomputation of 002.
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


def beck_determinant(load: float, w: float) -> float:
    """Vanishes at the frequencies (L = EI = rho A = 1) of Beck's column, a cantilever under a follower thrust P along its
    tangent: 2 w^2 + P^2 + P w sin(a) sinh(b) + 2 w^2 cos(a) cosh(b), a^2, b^2 = sqrt(P^2/4 + w^2) +- P/2 (Bolotin,
    Nonconservative Problems of the Theory of Elastic Stability, 1963, art. 2.3)."""
    root = math.sqrt(load**2 / 4 + w * w)
    a, b = math.sqrt(root + load / 2), math.sqrt(root - load / 2)
    sines, cosines = math.sin(a) * math.sinh(b), math.cos(a) * math.cosh(b)
    return 2 * w * w * (1 + cosines) + load**2 + load * w * sines


def beck_frequencies(load: float) -> tuple[float, float]:
    """The two lowest angular frequencies below the flutter load."""
    lowest = minimize_scalar(lambda w: beck_determinant(load, w), bounds=(5.0, 18.0), method="bounded")
    between: Any = lowest
    return (
        brentq(lambda w: beck_determinant(load, w), 0.5, between.x, xtol=1e-14),
        brentq(lambda w: beck_determinant(load, w), between.x, 25.0, xtol=1e-14),
    )


def beck_load() -> float:
    """P at which the two lowest frequencies meet and flutter begins: 20.05 (Beck, ZAMP 3, 1952)."""

    def least(load: float) -> float:
        options = {"xatol": 1e-10}
        found: Any = minimize_scalar(
            lambda w: beck_determinant(load, w), bounds=(8.0, 14.0), method="bounded", options=options
        )
        return float(found.fun)

    return brentq(least, 19.0, 21.0, xtol=1e-12)


# 5. Frames and arches with limit points under load ----------------------------------------------------------------------


class Part(NamedTuple):
    """A piece of a frame: its length; the dead force at its end, and the angle by which the next piece starts turned."""

    length: float
    force: complex = 0j
    kink: float = 0.0


class Frame(NamedTuple):
    """A frame or arch with EI, EA and one curvature, from `start` to `end`, both held; the supports determine the known
    values. angle, end_angle: of the tangent as drawn; None at a hinge. marked: the part with the load at its end."""

    parts: tuple[Part, ...]
    axial: float
    bending: float
    curvature: float
    start: complex
    end: complex
    start_angle: float | None
    end_angle: float | None
    marked: int


class Limit(NamedTuple):
    """A limit point of a frame: the load there (N), the displacement of the loaded point (m), and what shooting starts
    with: internal force (N) and, at a hinge, the angle (rad) or, at a clamp, the moment (N m)."""

    load: float
    moved: complex
    force: complex
    other: float


def shoot(frame: Frame, load: float, force: complex, other: float) -> tuple[Array, Array]:
    """State x, y, angle, M at the end of the marked part and at the end of the frame.

    Internal force n (of the rest on the part before), M' = -r' x n; n decreases by every load that is passed."""
    hinged = frame.start_angle is None
    y = np.array([frame.start.real, frame.start.imag, other if hinged else frame.start_angle, 0.0 if hinged else other])
    n, marked = force, y
    for k, part in enumerate(frame.parts):

        def slope(_: float, y: Array, n: complex = n) -> list[float]:
            c, s = math.cos(y[2]), math.sin(y[2])
            stretch = 1 + (n.real * c + n.imag * s) / frame.axial
            turning = y[3] / frame.bending + frame.curvature
            return [stretch * c, stretch * s, turning, -stretch * (c * n.imag - s * n.real)]

        y = solve_ivp(slope, (0.0, part.length), y, **TIGHT).y[:, -1]
        if k == frame.marked:
            marked = y.copy()
        y[2] += part.kink
        n = n - load * part.force
    return marked, y


def misses(frame: Frame, load: float, force: complex, other: float) -> Array:
    """Residuals at the end of the frame: position (m), then moment at a hinge (N m) or angle at a clamp (rad)."""
    end = shoot(frame, load, force, other)[1]
    last = end[3] if frame.end_angle is None else end[2] - frame.end_angle
    return np.array([end[0] - frame.end.real, end[1] - frame.end.imag, last])


def is_limit(frame: Frame, limit: Limit, step: float = 3e-6) -> tuple[float, float]:
    """How well a point is known: the largest miss, and d(load)/d(arc length) of the curve of equilibria in the space of
    what shooting starts with and the load, each in its own size: 0 at a limit point."""
    at = np.array([limit.force.real, limit.force.imag, limit.other, limit.load])
    size = np.maximum(np.abs(at), 1e-3 * np.abs(at).max())

    def miss(x: Array) -> Array:
        return misses(frame, float(x[3]), complex(x[0], x[1]), float(x[2]))

    columns = [(miss(at + step * size * e) - miss(at - step * size * e)) / (2 * step) for e in np.eye(4)]
    along = np.linalg.svd(np.array(columns).T)[2][-1]
    return float(np.abs(miss(at)).max()), float(along[3])


#: Clamped-hinged circular arch of 215 degrees under a dead load on its crown, R = EI = 1: hinge on the left. DaDeppo &
#: Schmidt, J. Appl. Mech. 42 (1975) 894-896: it buckles at 8.97 EI/R^2 if inextensible.
ARCH_HALF = math.radians(107.5)


def deep_arch(axial: float) -> Frame:
    ends = [complex(math.sin(side * ARCH_HALF), math.cos(ARCH_HALF)) for side in (-1, 1)]
    parts = (Part(ARCH_HALF, -1j), Part(ARCH_HALF))
    return Frame(parts, axial, 1.0, -1.0, ends[0], ends[1], None, -ARCH_HALF, 0)


#: By EA: 2.29e4 is the arch of Kadapa, Engineering Structures 234 (2021) 111755. Found by continuation, to all digits.
ARCH_LIMITS = {
    2.29e4: Limit(8.96696708, -0.61150919 - 1.13677586j, 2.66674720354 - 5.878424099279j, 4.141662205995),
    1e6: Limit(8.97294947, -0.61141458 - 1.13730153j, 2.670881350172 - 5.881597405966j, 4.142627503502),
    1e9: Limit(8.97308982, -0.61141236 - 1.13731385j, 2.670978260852 - 5.881671852678j, 4.14265011749),
}
DADEPPO_SCHMIDT_LOAD = 8.97
#: Points of their diagram as digitised in AeroBeams.jl (test/referenceData/pinnedClampedArch): load R^2/EI against the
#: displacement of the crown to the left, and downwards, in R.
ARCH_LEFT = ((0.032158, 1.2209), (0.087618, 2.3803), (0.19212, 3.7604), (0.29394, 4.6917), (0.40767, 5.7056),
             (0.51356, 6.9711), (0.57194, 8.1411), (0.60157, 8.8840), (0.61110, 8.9491))  # fmt: skip
ARCH_DOWN = ((0.033863, 0.86642), (0.087578, 1.9998), (0.18462, 3.3585), (0.30702, 4.3612), (0.45991, 5.2960),
             (0.61419, 6.1219), (0.78591, 7.0299), (0.94121, 7.9448), (1.0695, 8.7244), (1.1354, 8.9629))  # fmt: skip

#: Lee's frame in units of its leg L and EI: two legs, hinged at both feet, a dead load on the second at L/5. Lee, Manuel &
#: Rossow, J. Eng. Mech. Div. ASCE 94 (1968) 521-547; L = 120, A = 6, I = 2, so EA = 43200 EI/L^2.
LEE_FRAME = Frame(
    (Part(1.0, kink=-math.pi / 2), Part(0.2, -1j), Part(0.8)), 43200.0, 1.0, 0.0, 0j, 1 + 1j, None, None, 1
)
LEE_LIMITS = (
    Limit(18.55672754, 0.22400478 - 0.40612614j, -3.51315061635 - 14.201736953281j, 2.226470310106),
    Limit(-9.41443156, 0.75163061 - 0.48514013j, -5.291064001163 - 4.835693716126j, 0.212080720433),
)
#: Points of the diagram of Simo & Vu-Quoc, Comp. Meth. Appl. Mech. Eng. 58 (1986) 79-116, as digitised in AeroBeams.jl
#: (test/referenceData/LeeFrameDeadLoad): displacement of the loaded point (in, of L = 120) to the right and downwards
#: against the load in kip, which is EI/L^2 for E = 7.2e6 psi.
LEE_RIGHT = ((2.1847, 10.247), (6.6264, 14.528), (14.906, 17.710), (27.294, 18.671), (40.352, 17.607), (52.024, 15.021),
             (62.682, 11.803), (72.411, 7.3088), (78.373, 1.9779), (83.290, -6.7323), (89.353, -9.2252), (93.951, -5.8347),
             (89.974, 1.0046), (86.599, 9.4561), (85.864, 19.274), (86.129, 30.162))  # fmt: skip
LEE_DOWN = ((5.3074, 6.3286), (11.325, 10.487), (21.085, 14.075), (34.384, 17.026), (47.624, 18.761), (56.547, 17.291),
            (61.263, 11.737), (59.054, 6.9786), (54.621, 1.8557), (50.853, -2.9547), (52.067, -7.3275), (57.573, -9.4659),
            (66.678, -8.0929), (77.886, -4.7047), (86.750, 2.1557), (91.817, 12.200), (93.747, 27.176))  # fmt: skip

#: The toggle of Williams, Q. J. Mech. Appl. Math. 17 (1964) 451-469 (in, lb): two bars, welded together and clamped, rise
#: 0.386 over half the span of 12.943, EA = 1.855e6, EI = 9.27e3. He measured that it snaps at about 34 lb.
TOGGLE_SPAN, TOGGLE_RISE = 12.943, 0.386
TOGGLE_BAR, TOGGLE_ANGLE = math.hypot(TOGGLE_SPAN, TOGGLE_RISE), math.atan(TOGGLE_RISE / TOGGLE_SPAN)
TOGGLE = Frame(
    (Part(TOGGLE_BAR, -1j, -2 * TOGGLE_ANGLE), Part(TOGGLE_BAR)), 1.855e6, 9.27e3, 0.0, 0j, complex(2 * TOGGLE_SPAN),
    TOGGLE_ANGLE, -TOGGLE_ANGLE, 0,
)  # fmt: skip
TOGGLE_LIMITS = (
    Limit(33.71428249, -0.23482213j, -624.693696238264 - 16.857141246217j, -61.871058329604),
    Limit(31.40550319, -0.38909842j, -623.758138725161 - 15.702751593749j, -102.586688343682),
)


# 6. Spinning up ---------------------------------------------------------------------------------------------------------

#: Simo & Vu-Quoc, Comp. Meth. Appl. Mech. Eng. 66 (1988) 125-161, after Kane, Ryan & Banerjee 1987; also ANSYS VM258: a beam
#: (L, EA, EI, mass per length) that is clamped to a turning axis, up to 6 rad/s within 15 s.
SPIN_LENGTH, SPIN_AXIAL, SPIN_BENDING, SPIN_MASS, SPIN_SPEED, SPIN_TIME = 10.0, 2.8e7, 1.4e4, 1.2, 6.0, 15.0
#: Steady extension of the tip that they give, m.
SPIN_EXTENSION = 5.14e-4
#: Their angle as an expression, rad.
SPIN_ANGLE = "if(t < 15, 6/15*(t^2/2 + (15/(2*pi))^2*(cos(2*pi*t/15) - 1)), 6*t - 45)"


def spin(t: float) -> tuple[float, float, float]:
    """Angle, speed and acceleration of the axis."""
    if t >= SPIN_TIME:
        return SPIN_SPEED * t - SPIN_SPEED * SPIN_TIME / 2, SPIN_SPEED, 0.0
    w = 2 * math.pi / SPIN_TIME
    rate = SPIN_SPEED / SPIN_TIME
    return (
        rate * (t * t / 2 + (math.cos(w * t) - 1) / w**2),
        rate * (t - math.sin(w * t) / w),
        rate * (1 - math.cos(w * t)),
    )


def spinning_extension(length: float, axial: float, mass: float, speed: float) -> float:
    """Extension of a beam that turns steadily about its end: (tan(kL) - kL)/k, k^2 = rho A w^2/EA. Exact."""
    k = speed * math.sqrt(mass / axial)
    return (math.tan(k * length) - k * length) / k


def spin_up_lag(times: Array, modes: int = 5) -> Array:
    """Small deflection of the tip across the turning axis, m: Euler-Bernoulli with the centrifugal force N in the beam,

        rho A (w'' + x psi'' - psi'^2 w) + EI w'''' - (N w')' = 0,   N = rho A psi'^2 (L^2 - x^2)/2

    by Ritz with the modes of the cantilever (DOP853, 1e-10). Inextensible and linear: known to about (w/L)^2 = 0.3 %."""
    L, b = SPIN_LENGTH, np.array([beta("clamped-free", k) for k in range(1, modes + 1)])
    x, weight = np.polynomial.legendre.leggauss(60)
    z, weight = (x + 1) / 2, weight / 2 * L
    shape_rate = [_cantilever_mode(k, z) for k in b]
    shapes, slopes = np.array([s for s, _ in shape_rate]), np.array([d for _, d in shape_rate]) / L
    inertia = SPIN_MASS * np.einsum("ig,jg,g->ij", shapes, shapes, weight)
    stiffness = np.diag(SPIN_BENDING * (b / L) ** 4) @ (inertia / SPIN_MASS)
    pull = SPIN_MASS * np.einsum("ig,jg,g->ij", slopes, slopes, weight * L**2 * (1 - z**2) / 2)
    push = SPIN_MASS * shapes @ (weight * z * L)

    def motion(t: float, y: Array) -> Array:
        _, speed, rise = spin(t)
        force = -(stiffness + speed**2 * (pull - inertia)) @ y[:modes] - rise * push
        return np.concatenate([y[modes:], np.linalg.solve(inertia, force)])

    run = solve_ivp(
        motion, (0.0, float(times[-1])), np.zeros(2 * modes), t_eval=times, method="DOP853", rtol=1e-9, atol=1e-10
    )
    tips = np.array([_cantilever_mode(k, np.array([1.0]))[0][0] for k in b])
    return tips @ run.y[:modes]


def _cantilever_mode(b: float, z: Array) -> tuple[Array, Array]:
    """Mode of a cantilever of length 1 and its derivative."""
    ratio = (math.cos(b) + math.cosh(b)) / (math.sin(b) + math.sinh(b))
    value = np.cosh(b * z) - np.cos(b * z) - ratio * (np.sinh(b * z) - np.sin(b * z))
    slope = b * (np.sinh(b * z) + np.sin(b * z) - ratio * (np.cosh(b * z) - np.cos(b * z)))
    return value, slope
