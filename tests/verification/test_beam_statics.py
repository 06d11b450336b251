"""Static beams against exact solutions: elastica, arcs, follower loads, taper, curved shapes, cables, snapping frames.

The reference solutions are in `beam_solutions.py`, tested first. Measured errors are in brackets; the tolerances leave a factor
of about two.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad

import gaitwright as gw
from gaitwright.result.result import Result
from verification import beam_solutions as bs

FULL = {"formulation": "continuum", "integration": "full"}
REDUCED = {"formulation": "continuum", "integration": "reduced"}
TAKAHASHI = {"formulation": "takahashi"}
KINDS = [pytest.param(FULL, id="full"), pytest.param(REDUCED, id="reduced"), pytest.param(TAKAHASHI, id="takahashi")]


def cantilever(elements: int, axial: float = 1e4, *, gravity: Any = (0, 0), at: complex = 0j, turn: float = 0.0,
               clamped: bool = True, **beam: Any) -> gw.Model:  # fmt: skip
    """A beam of length 1 and EI 1 from `at`, rotated from the x axis; clamped at its start by default."""
    end = at + cmath.exp(1j * turn) * beam.pop("reach", 1.0)
    section = {"bending_stiffness": 1.0, "axial_stiffness": axial, "mass_per_length": 1.0} | beam
    model = gw.Model("cantilever", gravity=gravity)
    model.ground_point("O", at.real, at.imag).point("E", end.real, end.imag)
    model.beam("rod", "O", "E", elements=elements, **section)
    return model.joint.fixed("ground.O", "rod.start", name="clamp") if clamped else model


def place(run: Result, point: str = "rod.end") -> complex:
    """Final position of a point."""
    return complex(run.array(f"{point}.x")[-1], run.array(f"{point}.y")[-1])


def off(run: Result, tip: bs.Tip, point: str = "rod.end") -> float:
    """Distance of a point from where it should be, m."""
    return abs(place(run, point) - complex(tip.x, tip.y))


def assert_passes(run: Result, moved: np.ndarray, published: tuple, scale: float) -> None:
    """Published pairs (displacement, load), read from a diagram, lie within 1 % of its size from the path."""
    height = np.ptp(run.time)
    path = moved / scale + 1j * run.time / height
    along = np.diff(path)
    for at, load in published:
        away = complex(at / scale, load / height) - path[:-1]
        part = np.clip(np.real(away * along.conj()) / np.maximum(np.abs(along) ** 2, 1e-300), 0, 1)
        gap = np.abs(away - part * along).min()
        assert gap < 0.01, (at, load, gap)


def place_at(run: Result, point: str, k: int) -> complex:
    return complex(run.array(f"{point}.x")[k], run.array(f"{point}.y")[k])


# Reference solutions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("load", bs.ELASTICA)
def test_elliptic_integrals_shooting_and_reference_d_agree(load: int) -> None:
    exact = bs.elastica(load)
    np.testing.assert_allclose(exact, bs.ELASTICA[load], rtol=5e-10)  # half a unit of the tenth digit
    shot = bs.cantilever(bs.Rod(), 1j * load)
    np.testing.assert_allclose(shot.tip, exact, atol=1e-12)
    assert shot.moment == pytest.approx(-load * exact.x, abs=1e-12)
    assert bs.elastica(0.1).y == pytest.approx(0.1 / 3 * (1 - 4 * 0.1**2 / 35), rel=1e-5)  # the series in P


def test_shooting_equals_closed_forms() -> None:
    for phi in (1.0, 5.0):
        shot = bs.cantilever(bs.Rod(axial=50.0), moment=phi)
        np.testing.assert_allclose(shot.tip, bs.arc(phi), atol=1e-12)
    tapered = bs.Rod(bending=lambda s: 2.0 * (1 - 0.6 * s))
    assert bs.cantilever(tapered, 1e-4j).tip.y == pytest.approx(bs.tapered_deflection(1e-4, 1, 2, 0.6), rel=1e-8)
    assert bs.tapered_deflection(1, 1, 1, 1 - 1e-9) == pytest.approx(0.5, rel=1e-8)
    assert bs.tapered_deflection(1, 1, 1, 1e-3) == pytest.approx(1 / 3 * (1 + 1e-3 / 4), rel=1e-6)
    quarter, small = bs.Rod(math.pi, 1e3, 3.0, 0.5), 1e-5 * cmath.exp(0.4j)
    moved = complex(*bs.cantilever(quarter, small).tip[:2]) - (2 + 2j)
    assert abs(moved - bs.quarter_circle(2, 1e3, 3, small)) < 1e-4 * abs(moved)
    for thrust in (1.5, -1.5):
        bent = bs.cantilever(bs.Rod(), 1e-4j - thrust).tip.y
        assert bent == pytest.approx(bs.beam_column(1e-4, thrust, 1, 1), rel=1e-6)
    stretched = bs.cantilever(bs.Rod(axial=20.0), 3 + 0j, line=2 + 0j).tip.x
    assert stretched == pytest.approx(1 + 3 / 20 + 2 / 40, rel=1e-12)
    # a follower force is a dead force of the same direction in the end
    shot = bs.follower(bs.Rod(axial=1e3), 1j)
    dead = bs.cantilever(bs.Rod(axial=1e3), 1j * cmath.exp(1j * shot.tip.angle))
    np.testing.assert_allclose(dead.tip, shot.tip, atol=1e-12)
    # the elastic catenary carries half its weight at each end, and its length is correct
    hung = bs.catenary(1.0, 1.2, 3.0, 50.0)
    tension = lambda s: math.hypot(hung.horizontal, 3.0 * s)  # noqa: E731
    across = quad(lambda s: hung.horizontal * (1 / 50 + 1 / tension(s)), 0, 0.6, epsrel=1e-12)[0]
    down = quad(lambda s: 3.0 * s * (1 / 50 + 1 / tension(s)), 0, 0.6, epsrel=1e-12)[0]
    assert (across, down) == pytest.approx((0.5, hung.sag), rel=1e-12)


LIMITS = [
    *(pytest.param(bs.deep_arch(axial), limit, id=f"arch-{axial:g}") for axial, limit in bs.ARCH_LIMITS.items()),
    *(pytest.param(bs.LEE_FRAME, limit, id=f"lee-{limit.load:.0f}") for limit in bs.LEE_LIMITS),
    *(pytest.param(bs.TOGGLE, limit, id=f"toggle-{limit.load:.0f}") for limit in bs.TOGGLE_LIMITS),
]


@pytest.mark.parametrize(("frame", "limit"), LIMITS)
def test_limit_points_close_and_turn(frame: bs.Frame, limit: bs.Limit) -> None:
    """An equilibrium to 1e-8, at which the load does not change."""
    miss, slope = bs.is_limit(frame, limit)
    assert miss < 2e-8 and abs(slope) < 3e-5
    marked, _ = bs.shoot(frame, limit.load, limit.force, limit.other)
    drawn = {1: 0.2 + 1j, 0: 1j if frame.curvature else complex(bs.TOGGLE_SPAN, bs.TOGGLE_RISE)}[frame.marked]
    assert abs(complex(marked[0], marked[1]) - drawn - limit.moved) < 1e-7


def test_published_limit_loads() -> None:
    assert bs.ARCH_LIMITS[1e9].load == pytest.approx(bs.DADEPPO_SCHMIDT_LOAD, abs=0.005)


# Straight beams ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS[:2])
@pytest.mark.parametrize("load", bs.ELASTICA)
def test_elastica_of_continuum_beams_converges_with_order_4(load: int, kind: dict) -> None:
    """EA L^2/EI = 1e3, so that stretching counts. 16 elements: [1.3e-8, 1.0e-7, 7.6e-7, 2.2e-6] m for the loads 1, 2, 5,
    10; orders from 16 to 32 elements [4.8, 4.4, 4.2, 4.1] full, [4.00, 4.00, 4.00, 4.01] reduced."""
    exact = bs.cantilever(bs.Rod(axial=1e3), 1j * load).tip
    errors = []
    for n in (8, 16, 32):
        run = cantilever(n, 1e3, **kind).force.at_point("rod.end", [0, load]).static()
        errors.append(off(run, exact))
        assert run.array("rod.end.angle")[0] == pytest.approx(exact.angle, abs=20 * errors[-1] + 1e-9)
    assert errors[1] < 3e-6 and np.log2(errors[1] / errors[2]) > 3.9


@pytest.mark.parametrize("load", bs.ELASTICA)
def test_elastica_of_takahashi_beams_converges_with_order_2(load: int) -> None:
    """Nearly inextensible, as its curvature supposes. 16 elements: [0.9e-4, 3.4e-4, 9.7e-4, 1.5e-3] m; orders [1.98...2]."""
    exact = bs.elastica(load)
    models = (cantilever(n, 1e7, **TAKAHASHI).force.at_point("rod.end", [0, load]) for n in (8, 16, 32))
    errors = [off(model.static(), exact) for model in models]
    assert errors[1] < 2e-3 and np.log2(errors[1] / errors[2]) > 1.95


@pytest.mark.parametrize("elements", bs.GERSTMAYR_IRSCHIK)
def test_every_published_mesh_of_gerstmayr_and_irschik(elements: int) -> None:
    """The elements that continuum beams are, in another code: all 12 digits from one element on, 9 with 64."""
    young, side, length = 2.07e11, 0.1, 2.0
    bending = young * side**4 / 12
    exact = bs.cantilever(bs.Rod(length, young * side**2, bending), -3j * bending / length**2).tip
    assert complex(exact.x - length, exact.y) == pytest.approx(bs.GERSTMAYR_IRSCHIK_LIMIT, abs=1e-12)
    model = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0).point("E", length, 0)
    model.beam("rod", "O", "E", elements=elements, youngs_modulus=young, density=7800.0, width=side, height=side,
               **FULL)  # fmt: skip
    model.joint.fixed("ground.O", "rod.start").force.at_point("rod.end", [0, -3 * bending / length**2])
    moved = place(model.static()) - length
    assert abs(moved - bs.GERSTMAYR_IRSCHIK[elements]) < (1e-12 if elements < 64 else 5e-10)


#: How thin beams lock: elements, rule, error of the elastica tip under P L^2/EI = 2 at EA L^2/EI = 1e6, m of length 1.
THIN = [(8, FULL, 8.9e-4), (8, REDUCED, 3.3e-6), (16, FULL, 3.7e-5), (16, REDUCED, 2.1e-7), (32, FULL, 6.8e-7)]


@pytest.mark.parametrize(("elements", "kind", "error"), THIN)
def test_thin_beams_do_not_lock_with_the_reduced_rule(elements: int, kind: dict, error: float) -> None:
    exact = bs.cantilever(bs.Rod(axial=1e6), 2j).tip
    found = off(cantilever(elements, 1e6, **kind).force.at_point("rod.end", [0, 2]).static(), exact)
    assert error / 1.5 < found < 1.5 * error


def test_elastica_of_reference_d_with_32_elements() -> None:
    """Every printed elastica of the recomputation of 002, inextensible there: EA L^2/EI = 1e7 stretches by P/EA. [2e-8 ...
    9e-7]"""
    for load, tip in bs.ELASTICA.items():
        run = cantilever(32, 1e7, **REDUCED).force.at_point("rod.end", [0, load]).static()
        found = (place(run).real, place(run).imag, run.array("rod.end.angle")[0])
        np.testing.assert_allclose(found, tip, rtol=0, atol=2e-7 * load)


@pytest.mark.parametrize("kind", KINDS[:2])
def test_end_moment_bends_to_arcs_up_to_a_full_circle(kind: dict) -> None:
    """16 elements; the end comes back to the clamp within [1.2e-4, reduced 1.0e-4] m of the length 1, [7e-4] rad."""
    run = cantilever(16, 1e6, **kind).force.moment("rod.end", "2*pi*t").static_path(1.0, steps=4)
    for k, part in enumerate(run.time):
        exact = bs.arc(2 * math.pi * part) if part else bs.Tip(1.0, 0.0, 0.0)
        found = (run.array("rod.end.x")[k], run.array("rod.end.y")[k], run.array("rod.end.angle")[k])
        np.testing.assert_allclose(found, exact, rtol=0, atol=1e-3)
        assert abs(complex(*found[:2]) - complex(*exact[:2])) < 2e-4
        assert run.array("clamp.moment")[k] == pytest.approx(-2 * math.pi * part, abs=1e-7)


class SlopeClamp(gw.extend.Joint):
    """Clamps position and slope, so also the stretch at the end, as the recomputation of 002 did; a fixed joint leaves it
    free."""

    name = "slope-clamp"
    attachments = {"a": gw.extend.Point("point of the ground"), "b": gw.extend.Point("end of a beam along x")}
    rows = {"fx": ("N", "m"), "fy": ("N", "m"), "stretching": ("N m", "1"), "moment": ("N m", "1")}

    @staticmethod
    def residual(a, b):
        (ax, ay), (bx, by), (u, v) = a.position, b.position, b.axis
        return bx - ax, by - ay, u - 1, v


#: The recomputation of 002, Takahashi elements under phi = 1, EA large: elements -> tip. Below it the same with the
#: stretch at the clamp free, as a fixed joint leaves it: computed by a Newton iteration of our own on the same energy,
#: outside the package.
TAKAHASHI_TIPS = {5: (0.844867, 0.457891), 8: (0.842805, 0.458991), 16: (0.841805, 0.459522), 32: (0.841554, 0.459654)}
TAKAHASHI_FREE = {5: (0.844827, 0.457945), 8: (0.842795, 0.459007), 16: (0.841803, 0.459524), 32: (0.841554, 0.459654)}


@pytest.mark.parametrize("elements", TAKAHASHI_TIPS)
def test_takahashi_tips_of_reference_d_to_all_digits(elements: int) -> None:
    held = cantilever(elements, 1e8, clamped=False, **TAKAHASHI).joint(SlopeClamp, a="ground.O", b="rod.start")
    for model, table in ((held, TAKAHASHI_TIPS), (cantilever(elements, 1e8, **TAKAHASHI), TAKAHASHI_FREE)):
        run = model.force.moment("rod.end", 1.0).static()
        np.testing.assert_allclose((place(run).real, place(run).imag), table[elements], rtol=0, atol=5.1e-7)


@pytest.mark.parametrize("kind", KINDS)
def test_stretch_is_exact(kind: dict) -> None:
    """P L/EA to rounding, at every node, also where it is large; and that of a beam that hangs in its own weight."""
    for load in (1e-3, -0.5, 20.0):
        run = cantilever(4, 100.0, **kind).force.at_point("rod.end", [load, 0]).static()
        for k in range(5):
            assert place(run, f"rod.node{k + 1}") == pytest.approx(k / 4 * (1 + load / 100), abs=1e-12)
            assert run.array(f"rod.node{k + 1}.stretch")[0] == pytest.approx(load / 100, abs=1e-12)
    if kind != TAKAHASHI:  # r is a parabola, which a cubic element contains
        hung = cantilever(3, 50.0, gravity=(0, -9.81), turn=-math.pi / 2, **kind).static()
        assert place(hung) == pytest.approx(-1j * (1 + 9.81 / (2 * 50)), abs=1e-10)


@pytest.mark.parametrize("thrust", [-5.0, 1.0, 2.2])
def test_beam_column(thrust: float) -> None:
    """A thrust softens, a tension stiffens: small deflection with the closed form of Timoshenko and Gere."""
    run = cantilever(12, 1e7, **REDUCED).force.at_point("rod.end", [-thrust, 1e-5]).static()
    assert place(run).imag == pytest.approx(bs.beam_column(1e-5, thrust, 1, 1), rel=2e-6)  # [1e-6, 6e-8, 4e-7]


# Taper, curvature, rings, cables -----------------------------------------------------------------------------------------


def test_tapered_cantilever() -> None:
    """Width 30 mm falling to 12 mm: closed form for a small load [3e-6], shooting for a large one (y = 0.633 L) [2.4e-6,
    1.5e-7, 1.1e-8 with 8, 16, 32 elements, order 4]."""
    young, height, taper = 2e9, 2e-3, 0.6
    stiff = young * 0.03 * height**3 / 12
    section = {"youngs_modulus": young, "density": 1000.0, "width": "0.03*(1 - 0.6*s)", "height": height}

    def bent(elements: int, load: float) -> Result:
        model = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0).point("E", 1, 0)
        model.beam("rod", "O", "E", elements=elements, integration="reduced", **section)
        return model.joint.fixed("ground.O", "rod.start").force.at_point("rod.end", [0, load]).static()

    assert place(bent(8, 1e-6)).imag == pytest.approx(bs.tapered_deflection(1e-6, 1, stiff, taper), rel=6e-6)
    rod = bs.Rod(1.0, lambda s: young * 0.03 * height * (1 - taper * s), lambda s: stiff * (1 - taper * s))
    exact = bs.cantilever(rod, 0.12j).tip
    errors = [off(bent(n, 0.12), exact) for n in (8, 16)]
    assert errors[1] < 3e-7 and np.log2(errors[0] / errors[1]) > 3.8


def quarter(elements: int, load: complex, **kind: Any) -> Result:
    """A quarter circle of radius 2/pi and length 1, EA 1e4, EI 1, clamped along x."""
    radius = 2 / math.pi
    beam = {"length": 1.0, "curvature": 1 / radius, "reach": radius * math.sqrt(2), "turn": math.pi / 4}
    return cantilever(elements, **beam, **kind).force.at_point("rod.end", [load.real, load.imag]).static()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS[:2])
def test_quarter_circle(kind: dict) -> None:
    """Small loads by Castigliano [1.1e-4, reduced 1.3e-5], a large one by shooting: 16 elements [5e-7, reduced 2e-7] m."""
    radius = 2 / math.pi
    for force in (1e-5 + 0j, 1e-5j):
        moved = place(quarter(8, force, **kind)) - radius * (1 + 1j)
        exact = bs.quarter_circle(radius, 1e4, 1.0, force)
        assert abs(moved - exact) < (2e-4 if kind == FULL else 2e-5) * abs(exact)
    exact = bs.cantilever(bs.Rod(1.0, 1e4, 1.0, 1 / radius), 3 - 4j).tip
    errors = [off(quarter(n, 3 - 4j, **kind), exact) for n in (8, 16)]
    assert errors[1] < 1e-6 and np.log2(errors[0] / errors[1]) > 3.9


def test_circle_unrolls_to_a_straight_line() -> None:
    """Ibrahimbegovic, Comp. Meth. Appl. Mech. Eng. 122 (1995) 11-26: length 10, EI 100, an open circle, clamped; its end
    moment 10 pi makes it a semicircle (0, 6.366), 20 pi straight (10, 0). His ten elements give (-0.004, 6.364) and
    (9.998, 0.017), ours (-0.003, 6.363) and (9.998, 0.0001)."""
    almost = 2 * math.pi / 10 * (1 - 1e-6)  # the drawn ends must not coincide
    model = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0)
    end = (cmath.exp(1j * almost * 10) - 1) / (1j * almost)
    model.point("E", end.real, end.imag)
    model.beam("rod", "O", "E", elements=10, length=10, curvature=almost, axial_stiffness=1200.0, bending_stiffness=100.0,
               mass_per_length=1.0)  # fmt: skip
    run = model.joint.fixed("ground.O", "rod.start").force.moment("rod.end", "-10*pi*t").static_path(2.0, steps=2)
    found = [complex(x, y) for x, y in zip(run.array("rod.end.x"), run.array("rod.end.y"), strict=True)]
    assert found[1] == pytest.approx(20j / math.pi, abs=5e-3)
    assert found[2] == pytest.approx(10, abs=5e-3)


def test_ring_between_two_forces() -> None:
    """Two half circles welded together: both diameters change as Timoshenko has it. [3e-5 relative]"""
    radius, axial, bending, force = 0.5, 2e4, 3.0, 1e-4
    model = gw.Model(gravity=(0, 0)).ground_point("G", 0, -radius).point("A", 0, -radius).point("B", 0, radius)
    half = {"length": math.pi * radius, "curvature": 1 / radius, "axial_stiffness": axial, "bending_stiffness": bending,
            "mass_per_length": 1.0, "elements": 16, "integration": "reduced"}  # fmt: skip
    model.beam("right", "A", "B", **half).beam("left", "B", "A", **half)
    model.joint.fixed("right.end", "left.start", angle=0.0).joint.fixed("left.end", "right.start", angle=0.0)
    model.joint.fixed("ground.G", "right.start", angle=0.0)  # holds the ring; by symmetry without a moment
    run = model.force.at_point("right.end", [0, force]).static()
    along = (place(run, "right.end") - place(run, "right.start")).imag - 2 * radius
    across = 2 * radius - (place(run, "right.node9") - place(run, "left.node9")).real
    np.testing.assert_allclose((along, across), bs.ring(radius, axial, bending, force), rtol=1e-4)


def test_cable_hangs_in_an_elastic_catenary() -> None:
    """Span 1, length 1.2, weight 9.81 N/m, EA = 500 N, and 1e-5 N m^2 of bending stiffness, which rounds the ends only.
    Sag [1e-7 m of 0.303], pull [1.6e-5]."""
    model = gw.Model(gravity=(0, -9.81)).ground_point("A", 0, 0).ground_point("B", 1, 0)
    model.beam("cable", "A", "B", elements=24, length=1.2, axial_stiffness=500.0, bending_stiffness=1e-5,
               mass_per_length=1.0, bow="right")  # fmt: skip
    run, exact = model.static(), bs.catenary(1.0, 1.2, 9.81, 500.0)
    pulls = [run.array(f"{pin}.{axis}")[0] for pin in ("A", "B") for axis in ("fx", "fy")]
    assert place(run, "cable.node13") == pytest.approx(0.5 - 1j * exact.sag, abs=1e-6)
    np.testing.assert_allclose(np.abs(pulls), [exact.horizontal, exact.vertical] * 2, rtol=5e-5)


# Reactions, frames of reference, follower loads --------------------------------------------------------------------------

LOADS: dict[str, Callable[[gw.Model], gw.Model]] = {
    "force": lambda m: m.force.at_point("rod.end", [1.3, -2.0]),
    "follower": lambda m: m.force.at_point("rod.end", [0.4, 2.0], frame="body"),
    "moment": lambda m: m.force.moment("rod.end", 2.5),
    "inside": lambda m: m.force.at_point("rod.node4", [0.0, 3.0]).force.moment("rod.node6", -1.0),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("loads", LOADS)
def test_clamp_carries_the_loads(loads: str, kind: dict) -> None:
    """Force and moment of the clamp balance loads and weight on the bent beam; relative to loads of 2 N: 1e-10."""
    model = LOADS[loads](cantilever(8, 1e4, gravity=(0.3, -1.0), **kind))
    run = model.static()
    clamp = complex(run.array("clamp.fx")[0], run.array("clamp.fy")[0])
    turn = cmath.exp(1j * run.array("rod.end.angle")[0])
    force, moment, weight = 0j, 0.0, 0.3 - 1j
    for load in model.document.forces:
        if load["type"] == "moment":
            moment += float(load["value"])
        else:
            at = place(run, load["at"])
            f = complex(*(float(v) for v in load["value"])) * (turn if load.get("frame") == "body" else 1)
            force, moment = force + f, moment + (at.conjugate() * f).imag
    centre = centre_of_mass(run, 8)
    assert abs(clamp + force + weight) < 1e-10
    balance = run.array("clamp.moment")[0] + moment + (centre.conjugate() * weight).imag
    assert abs(balance) < 1e-10  # [1e-11]


def centre_of_mass(run: Result, elements: int) -> complex:
    """Of a uniform beam of length 1: cubic Hermite elements, int r dx = l (r0 + r1)/2 + l^2 (r0' - r1')/12."""
    l, q = 1 / elements, run.motion.q[-1]
    nodes = run.mechanism.beams["rod"].nodes
    r, slope = (q[nodes[:, k]] + 1j * q[nodes[:, k + 1]] for k in (0, 2))
    return complex(np.sum(l * (r[:-1] + r[1:]) / 2 + l**2 * (slope[:-1] - slope[1:]) / 12))


@pytest.mark.parametrize("kind", KINDS)
def test_results_turn_and_move_with_the_model(kind: dict) -> None:
    """The same beam, loads and gravity elsewhere and turned: positions turn, reactions turn, frequencies stay."""
    at, turn = 3 - 2j, 2.1

    def bent(at: complex, turn: float) -> gw.Model:
        z = cmath.exp(1j * turn)
        load, weight = (3 - 4j) * z, 0.5j * z
        model = cantilever(6, 1e4, gravity=(weight.real, weight.imag), at=at, turn=turn, **kind)
        return model.force.at_point("rod.end", [load.real, load.imag]).force.moment("rod.node3", 2.0)

    here, there = bent(0j, 0.0), bent(at, turn)
    a, b = here.static(), there.static()
    for k in range(1, 8):
        assert place(b, f"rod.node{k}") == pytest.approx(at + place(a, f"rod.node{k}") * cmath.exp(1j * turn), abs=1e-9)
    reactions = [complex(run.array("clamp.fx")[0], run.array("clamp.fy")[0]) for run in (a, b)]
    assert reactions[1] == pytest.approx(reactions[0] * cmath.exp(1j * turn), abs=1e-9)
    assert b.array("clamp.moment")[0] == pytest.approx(a.array("clamp.moment")[0], abs=1e-9)
    np.testing.assert_allclose(there.modes().frequencies, here.modes().frequencies, rtol=1e-8)


@pytest.mark.parametrize("load", [1.0, 3.0, 10.0])
def test_follower_force(load: float) -> None:
    """A force that stays across the tip: not the dead one, and exact by one integration from the tip."""
    exact = bs.follower(bs.Rod(axial=1e4), 1j * load)
    dead = bs.cantilever(bs.Rod(axial=1e4), 1j * load)
    model = cantilever(16, 1e4, **REDUCED).force.at_point("rod.end", [0, f"{load}*t"], frame="body")
    run = model.static_path(1.0, steps=4)
    assert off(run, exact.tip) < 1e-5 and off(run, dead.tip) > 0.02 * load  # [7e-8, 3e-7, 4e-6]
    assert complex(run.array("clamp.fx")[-1], run.array("clamp.fy")[-1]) == pytest.approx(exact.force, abs=1e-4 * load)
    assert run.array("clamp.moment")[-1] == pytest.approx(exact.moment, abs=1e-4 * load)


def test_follower_force_of_simo_and_vu_quoc() -> None:
    """To 130 kN, where the beam has curled up: exact within [1.2e-4] of the length, near the published diagrams all along."""
    model = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0).point("E", 100, 0)
    model.beam("rod", "O", "E", elements=20, axial_stiffness=4.2e8, bending_stiffness=3.5e7, mass_per_length=1.0,
               integration="reduced")  # fmt: skip
    model.joint.fixed("ground.O", "rod.start").force.at_point("rod.end", [0, "1000*t"], frame="body")
    run = model.static_path(130.0, steps=52)
    assert_passes(run, 100 - run.array("rod.end.x"), bs.FOLLOWER_BACK, 160)
    assert_passes(run, run.array("rod.end.y"), bs.FOLLOWER_UP, 160)
    exact = bs.follower(bs.Rod(100.0, 4.2e8, 3.5e7), 130e3j).tip
    assert off(run, exact) < 0.02 and run.array("rod.end.angle")[-1] == pytest.approx(exact.angle, abs=5e-4)


# Snapping ----------------------------------------------------------------------------------------------------------------


def limits(run: Result) -> list[int]:
    """Load values at which the load reverses along a path."""
    way = np.sign(np.diff(run.time))
    return [int(k) + 1 for k in np.flatnonzero(way[1:] * way[:-1] < 0)]


@pytest.mark.slow
def test_toggle_snaps_through() -> None:
    """Both limit loads, 33.714 and 31.406 lb: [6e-6, 3e-5]."""
    model = gw.Model("toggle of Williams", gravity=(0, 0))
    model.ground_point("A", 0, 0).ground_point("C", 2 * bs.TOGGLE_SPAN, 0).point("B", bs.TOGGLE_SPAN, bs.TOGGLE_RISE)
    bar = {"axial_stiffness": 1.855e6, "bending_stiffness": 9.27e3, "mass_per_length": 1.0, "elements": 8} | REDUCED
    model.beam("left", "A", "B", **bar).beam("right", "B", "C", **bar).joint.fixed("left.end", "right.start")
    model.joint.fixed("ground.A", "left.start").joint.fixed("ground.C", "right.end").force.at_point(
        "left.end", [0, "-t"]
    )
    run = model.static_path(60.0, control="arc-length", steps=40)
    found = [(run.time[k], run.array("left.end.y")[k] - bs.TOGGLE_RISE) for k in limits(run)]
    for (load, down), exact in zip(found, bs.TOGGLE_LIMITS, strict=True):
        assert load == pytest.approx(exact.load, rel=6e-5)
        assert down == pytest.approx(exact.moved.imag, abs=5e-5)


@pytest.mark.slow
def test_deep_arch_of_dadeppo_and_schmidt() -> None:
    """215 degrees, one end clamped, the other hinged: the load grows to 8.97 EI/R^2 [2.3e-4] while the crown sinks by 1.14 R.
    Limit loads of 12, 24, 48 reduced elements are [1.1e-2, 7.1e-4, 4.5e-5] above the exact one: order 4."""
    frame, exact = bs.deep_arch(2.29e4), bs.ARCH_LIMITS[2.29e4]
    model = gw.Model("deep arch", gravity=(0, 0))
    model.ground_point("H", frame.start.real, frame.start.imag).ground_point("K", frame.end.real, frame.end.imag)
    model.beam("arch", "H", "K", elements=32, length=2 * bs.ARCH_HALF, curvature=-1.0, points={"crown": bs.ARCH_HALF},
               axial_stiffness=2.29e4, bending_stiffness=1.0, mass_per_length=1.0, **REDUCED)  # fmt: skip
    model.joint.fixed("ground.K", "arch.end").force.at_point("arch.crown", [0, "-t"])
    run = model.static_path(12.0, control="arc-length", steps=40, stop={"arch.crown.y": -0.19})
    k = limits(run)[0]
    assert run.time[k] == pytest.approx(exact.load, rel=4e-4)
    assert run.time[k] == pytest.approx(bs.DADEPPO_SCHMIDT_LOAD, abs=0.005)
    assert place_at(run, "arch.crown", k) - 1j == pytest.approx(exact.moved, abs=2e-4)
    assert_passes(run, -run.array("arch.crown.x"), bs.ARCH_LEFT, 1.0)
    assert_passes(run, 1 - run.array("arch.crown.y"), bs.ARCH_DOWN, 1.0)


@pytest.mark.slow
def test_lee_frame() -> None:
    """Snap-through and snap-back: both limit loads [1.4e-5, 1.4e-4], and the diagrams of Simo and Vu-Quoc all along."""
    model = gw.Model("Lee frame", gravity=(0, 0))
    model.ground_point("A", 0, 0).ground_point("C", 1, 1).point("B", 0, 1)
    leg = {"axial_stiffness": 43200.0, "bending_stiffness": 1.0, "mass_per_length": 1.0, "elements": 10} | REDUCED
    model.beam("post", "A", "B", **leg).beam("bar", "B", "C", points={"load": 0.2}, **leg)
    model.joint.fixed("post.end", "bar.start", angle=-math.pi / 2).force.at_point("bar.load", [0, "-t"])
    run = model.static_path(40.0, control="arc-length", steps=40)
    for k, exact in zip(limits(run), bs.LEE_LIMITS, strict=True):
        assert run.time[k] == pytest.approx(exact.load, rel=3e-4)
        assert place_at(run, "bar.load", k) - (0.2 + 1j) == pytest.approx(exact.moved, abs=1e-4)
    assert_passes(run, 120 * (run.array("bar.load.x") - 0.2), bs.LEE_RIGHT, 120)
    assert_passes(run, 120 * (1 - run.array("bar.load.y")), bs.LEE_DOWN, 120)
