"""Beams of space against closed forms, exact shooting (rod_solutions.py), published values and beams of the plane."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from verification import beam_solutions as plane
from verification.rod_solutions import Rod, loaded

L, EA, GJ, EI2, EI3 = 0.5, 3e6, 2.0, 60.0, 1.5
"""A blade: m, N, N m^2; EI2 bends it edgewise."""
BLADE = {"axial_stiffness": EA, "torsional_stiffness": GJ, "bending_stiffness": [EI2, EI3], "mass_per_length": 0.1}
C = np.diag([EA, GJ, EI2, EI3])


def cantilever(
    elements: int = 8, force=(0, 0, 0), torque=(0, 0, 0), normal=(0, 0, 1), end=(L, 0, 0), **section
) -> gw.Model:
    """A beam from the origin, clamped there, with a dead force and a torque at its end. Weightless."""
    model = gw.Model("cantilever", dimension=3, gravity=(0, 0, 0)).ground_point("A", 0, 0, 0).point("B", *end)
    model.beam("blade", "A", "B", elements=elements, normal=list(normal), **(BLADE | section))
    model.joint("fixed", "clamp", a="ground.A", b="blade.start")
    if np.any(np.array(force) != 0):
        model.force("force", at="blade.end", value=list(force))
    if np.any(np.array(torque) != 0):
        model.force("torque", body="blade.end", value=list(torque))
    return model


def beam_of(result, name: str = "blade") -> Any:
    return result.mechanism.parts[name]


def tip(result) -> np.ndarray:
    return np.array([result.array(f"blade.end.{axis}")[-1] for axis in "xyz"])


def axes(result) -> np.ndarray:
    """Of the section at the tip, rows."""
    part = beam_of(result)
    return result.motion.q[-1][part.nodes[-1, 3:12]].reshape(3, 3) + np.eye(3)


def test_the_shooting_solution_is_the_elastica_in_any_plane():
    exact, (up, across) = plane.elastica(2.0), (math.cos(0.7), math.sin(0.7))
    found, _, moment = loaded(Rod(1.0, np.diag([1e12, 1.0, 1.0, 1.0])), 2.0 * np.array([0.0, up, across]))
    np.testing.assert_allclose(found, [exact.x, exact.y * up, exact.y * across], atol=1e-8)
    assert np.linalg.norm(moment) == pytest.approx(2.0 * exact.x, rel=1e-7)


def test_a_square_section_bends_in_an_oblique_plane_like_the_elastica():
    """Both principal axes are far from the plane of bending; the order is 4, as in the plane: no twist is made up."""
    load, up, across = 5.0 * EI3 / L**2, math.cos(0.6), math.sin(0.6)
    exact = plane.elastica(5.0)
    errors = []
    for elements in (4, 8):
        run = cantilever(elements, (0, load * across, load * up), bending_stiffness=EI3, axial_stiffness=1e9).static()
        found = tip(run) / L - [exact.x, exact.y * across, exact.y * up]
        errors.append(np.abs(found).max())
        assert run.array("blade.max_torque")[-1] < 1e-9 * load * L
    assert errors[1] < 3e-5 and math.log2(errors[0] / errors[1]) > 3.5


def test_a_torque_twists_it_by_torque_times_length_by_stiffness():
    """90 degrees; and the same with one element per 15 and per 30 degrees: order 4 in the twist of an element."""
    torque = GJ * (math.pi / 2) / L
    errors = []
    for elements in (3, 6):
        run = cantilever(elements, torque=(torque, 0, 0)).static()
        turned = axes(run)
        np.testing.assert_allclose(tip(run), [L, 0, 0], atol=1e-9)
        errors.append(abs(math.atan2(turned[1] @ [0, -1, 0], turned[1] @ [0, 0, 1]) - math.pi / 2))
        np.testing.assert_allclose(run.beam("blade").torque.values, torque, rtol=1e-9)
    assert errors[1] < 2e-4 and math.log2(errors[0] / errors[1]) > 3.5


def test_an_end_moment_rolls_it_up():
    """To a full circle, about an axis oblique to both principal ones of a square section."""
    about = np.array([0.0, math.sin(0.4), math.cos(0.4)])
    run = cantilever(12, torque=tuple(2 * math.pi * EI3 / L * about), bending_stiffness=EI3).static()
    assert np.linalg.norm(tip(run)) < 2e-3 * L
    np.testing.assert_allclose(axes(run)[0], [1, 0, 0], atol=2e-2)
    np.testing.assert_allclose(run.beam("blade").bending_moment.values, 2 * math.pi * EI3 / L, rtol=1e-9)


BEND = {
    "axial_stiffness": 1e7, "torsional_stiffness": 1e7 / 12, "bending_stiffness": 1e7 / 12, "mass_per_length": 1.0,
}  # fmt: skip


def bend(elements: int, **section) -> gw.Model:
    """K.-J. Bathe, S. Bolourchi, Int. J. Numer. Methods Eng. 14 (1979) 961-986: an eighth of a circle of radius 100 and a unit
    square section in the plane of x and y, loaded by 600 along z."""
    half, end = math.pi / 8, math.pi / 4
    place = {angle: [100 * (1 - math.cos(angle)), 100 * math.sin(angle), 0] for angle in (half, end)}
    model = cantilever(elements, (0, 0, 600), end=place[end], through=[place[half]], **(BEND | section))
    return model


def test_the_45_degree_bend():
    """Against the shooting solution, with order 2 (twist is linear between nodes); and the published ones: Bathe and Bolourchi
    print displacements (-23.5, -13.4, 53.4); 12-noded spectral elements with shear (GA = 4.1667e6) converge to (-23.64597,
    -13.72080, 53.57765), from the documentation of Kynema, "Static bending of a curved beam". They differ by that much."""
    clamp = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    rod = Rod(
        100 * math.pi / 4, np.diag([1e7, 1e7 / 12, 1e7 / 12, 1e7 / 12]), lambda s: np.array([0.0, -0.01, 0.0]), clamp
    )
    # Turning from y towards x is about -z = -d2.
    exact = loaded(rod, (0, 0, 600))[0]
    found = {n: tip(bend(n).static()) for n in (8, 16)}
    errors = {n: np.abs(at - exact).max() for n, at in found.items()}
    assert errors[8] < 3e-2 and errors[8] / errors[16] > 3.5
    published = np.array(
        [100 - 100 * math.cos(math.pi / 4) - 13.72080, 100 * math.sin(math.pi / 4) - 23.64597, 53.57765]
    )
    np.testing.assert_allclose(exact, published, atol=0.15)
    np.testing.assert_allclose(found[8], [29.29 - 13.4, 70.71 - 23.5, 53.4], atol=0.25)


PRINCETON = {
    15: (1.061328706e-2, 4.208232124e-2), 45: (8.837226265e-3, 0.108987937), 75: (3.538889001e-3, 0.142194370),
}  # fmt: skip
"""By the angle of the load, degrees: edgewise and flatwise displacement of the tip, m."""


@pytest.mark.parametrize("angle", PRINCETON)
def test_the_princeton_beam(angle):
    """The blade of E. H. Dowell and J. J. Traybar (Princeton University, 1975) under 8.896 N at its tip, across its axes. The
    measured points were not at hand; the numbers are those of a converged beam model in ANSYS, L. Obrezkov et al., Nonlinear
    Dynamics 109 (2022), as Exudyn's test model ANCFBeamTest.py quotes them, with the sizes used here."""
    turned = math.radians(angle)
    solid = {**dict.fromkeys(BLADE), "youngs_modulus": 71.7e9, "poissons_ratio": 0.31, "density": 2810.0}
    section = {"width": 3.2024e-3, "height": 12.3777e-3, "end": (0.508, 0, 0), "normal": (0, 1, 0)}
    force = (0, -8.896 * math.cos(turned), 8.896 * math.sin(turned))
    _, edgewise, flatwise = tip(cantilever(12, force, **section, **solid).static())
    assert flatwise == pytest.approx(PRINCETON[angle][1], rel=1e-3)
    assert -edgewise == pytest.approx(PRINCETON[angle][0], rel=1e-2)


@pytest.mark.parametrize("case", ["twisted", "coupled", "blade"])
def test_a_blade_that_bends_and_twists_at_once(case):
    """Loaded across both axes: pre-twisted by 80 degrees; with a laminate's coupling of bending and twist, and of stretch and
    twist; and plain. Order 2 against the shooting solution."""
    stiffness, section, rest = C.copy(), {}, np.zeros(3)
    if case == "twisted":
        rest, section = np.array([1.4 / L, 0.0, 0.0]), {"twist": 1.4 / L}
    if case == "coupled":
        stiffness[1, 3] = stiffness[3, 1] = 0.6
        stiffness[0, 1] = stiffness[1, 0] = 900.0
        plain = dict.fromkeys(("axial_stiffness", "torsional_stiffness", "bending_stiffness"))
        section = {"stiffness": stiffness.tolist(), **plain}
    force = np.array([-2.0, 6.0, 9.0])
    exact, turned, _ = loaded(Rod(L, stiffness, lambda s: rest, np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])), force)
    errors = []
    for elements in (6, 12):
        run = cantilever(elements, tuple(force), **section).static()
        errors.append(np.abs(tip(run) - exact).max() / L)
        assert np.abs(axes(run) - turned).max() < 2e-2 / elements**2 * 36
    assert errors[1] < 4e-4 and errors[0] / errors[1] > 3.3


def test_section_forces_are_those_of_the_clamp():
    """At rest, on a coarse mesh, with weight: reactions of the clamp, and equilibrium of the whole beam."""
    force = np.array([0.5, 2.0, 3.0])
    model = cantilever(3, tuple(force), twist=1.0)
    model.document.gravity = [0.0, 0.0, -9.81]
    run = model.static()
    data, part = run.beam("blade", points=1), beam_of(run)
    shape = np.stack([data[axis].values[-1] for axis in "xyz"], axis=1)
    weight = np.array([0.0, 0.0, -9.81 * 0.1 * L])
    xi, w = np.polynomial.legendre.leggauss(6)
    centre = np.einsum("epk,p,e->k", part.along(run.motion.q[-1], (xi + 1) / 2), w / 2, part.lengths) / L
    moment = np.cross(shape[-1], force) + np.cross(centre, weight)
    # The clamp has t along x, axis 2 along z and axis 3 along -y.
    seen = lambda v: np.array([v[0], v[2], -v[1]])  # noqa: E731
    names = (("axial_force", "shear_force_2", "shear_force_3"), ("torque", "bending_moment_2", "bending_moment_3"))
    for quantities, wanted in zip(names, (force + weight, moment), strict=True):
        np.testing.assert_allclose([data[q].values[-1, 0] for q in quantities], seen(wanted), rtol=0, atol=1e-8)
    reaction = [run.array(f"clamp.{name}")[-1] for name in ("fx", "fy", "fz")]
    np.testing.assert_allclose(np.abs(reaction), np.abs(force + weight), atol=1e-8)


def test_stress_of_a_rectangle_and_of_a_shaft():
    """M h / (2 I), and the torsion of a square and a circle: T = 0.208 a^3 tau (Timoshenko and Goodier, table of section 109)
    and pi d^3 / 16 tau."""
    solid = {**dict.fromkeys(BLADE), "youngs_modulus": 70e9, "poissons_ratio": 0.3, "density": 2700.0}
    run = cantilever(2, torque=(3.0, 0, 0), width=0.01, height=0.01, **solid).static()
    assert run.array("blade.max_shear_stress")[-1] == pytest.approx(3.0 / (0.208 * 1e-6), rel=2e-3)
    run = cantilever(2, torque=(3.0, 0, 0), diameter=0.01, **solid).static()
    assert run.array("blade.max_shear_stress")[-1] == pytest.approx(16 * 3.0 / (math.pi * 1e-6), rel=1e-9)
    run = cantilever(2, torque=(0, -2.0, 0), width=0.02, height=0.004, **solid).static()
    assert run.array("blade.max_stress")[-1] == pytest.approx(6 * 2.0 / (0.02 * 0.004**2), rel=1e-6)


def test_lateral_buckling_of_a_deep_cantilever():
    """A load edgewise at the tip of a thin blade: F = 4.0126 sqrt(EI GJ) / L^2 (S. Timoshenko, J. Gere, Theory of Elastic
    Stability, section 6.3, for EI3 << EI2): as Southwell's plot finds it."""
    critical, shares, moved = 4.0126 * math.sqrt(EI3 * GJ) / L**2, (0.95, 0.98), []
    for share in shares:  # a nudge moves it by something over (critical^2 - load^2)
        model = cantilever(16, (0, share * critical, 1e-6 * critical), bending_stiffness=[3e4, EI3])
        moved.append(model.static().array("blade.end.z")[-1])
    found = (moved[1] * shares[1] ** 2 - moved[0] * shares[0] ** 2) / (moved[1] - moved[0])  # both ways alike: squares
    assert math.sqrt(found) == pytest.approx(1.0, abs=0.005)


def test_a_propped_cantilever_stands_on_the_floor():
    """Clamped level with the floor, it leaves 3/8 of its weight to its end. A floor of Hertz's law is not quite rigid."""
    model = cantilever(6)
    model.document.gravity = [0.0, 0.0, -9.81]
    model.contact("blade.end", gw.surfaces.Plane(0, 0, 1, 0), name="floor", law=gw.laws.Hertz(stiffness=1e9))
    assert model.static().array("floor.normal_force")[-1] == pytest.approx(3 / 8 * 9.81 * 0.1 * L, rel=1e-3)


def test_modes_of_a_cantilever():
    """Bending in both planes, torsion sqrt(GJ / rho I_p) (2 k - 1) / 4 L; round, so that both planes are alike."""
    solid = {**dict.fromkeys(BLADE), "youngs_modulus": 70e9, "shear_modulus": 27e9, "density": 2700.0}
    b, h = 0.012, 0.006
    model = cantilever(10, width=b, height=h, **solid)
    found = model.modes().frequencies
    mass = 2700.0 * b * h
    for second in (b * h**3 / 12, h * b**3 / 12):
        for mode in (1, 2):
            wanted = plane.bending_frequency("clamped-free", mode, L, 70e9 * second, mass) / (2 * math.pi)
            assert np.abs(found / wanted - 1).min() < 2e-3, (mode, wanted)  # sections have inertia
    from gaitwright.geometry.inertia import torsion_of_rectangle

    polar = b * h * (b**2 + h**2) / 12
    wanted = math.sqrt(27e9 * float(torsion_of_rectangle(np.array(b), np.array(h))) / (2700.0 * polar)) / (4 * L)
    assert np.abs(found / wanted - 1).min() < 2e-3


@functools.cache
def whirled():
    model = cantilever(3, force=("2*sin(200*t)^2", "4*sin(300*t)^2", "3*sin(200*t)^3"), twist=2.0, axial_stiffness=2e3)
    return {step: model.simulate(0.02, step=step, method="generalized-alpha") for step in (4e-4, 2e-4, 1e-4)}


def test_motion_converges_with_order_two_and_keeps_its_energy():
    runs = whirled()
    coarse, middle, fine = (tip(run) for run in runs.values())
    assert 3.0 < np.linalg.norm(coarse - fine) / np.linalg.norm(middle - fine) < 7.0
    assert np.abs(runs[1e-4].array("energy.residual")).max() < 1e-3 * runs[1e-4].array("energy.kinetic").max()


def test_a_free_beam_keeps_its_momentum_and_is_not_damped_by_turning():
    """Thrown and spun without forces: its middle goes straight on, and damping takes what vibrates alone."""
    model = gw.Model("thrown", dimension=3, gravity=(0, 0, 0)).point("A", 0, 0, 0).point("B", L, 0, 0)
    model.beam("blade", "A", "B", elements=4, normal=[0, 0, 1], damping=1e-3, **BLADE)
    model.velocity("blade.start", 1.0, 0.0, 0.5)
    model.velocity("blade.end", 1.0, 0.6, 0.5)
    run = model.simulate(0.5, step=1e-3, method="generalized-alpha")
    part = beam_of(run)
    masses = part.element_masses
    for order, states in (("position", run.motion.q), ("velocity", run.motion.v)):
        moved = np.einsum("eij,tej->tei", masses, states[:, part.elements]).reshape(len(states), -1, 8, 3)
        middle = (moved[:, :, 0] + moved[:, :, 2]).sum(axis=1) / part.mass
        way = (
            middle[0] + run.time[:, None] * [1.0, 0.3, 0.5]
            if order == "position"
            else np.tile(middle[0], (len(states), 1))
        )
        np.testing.assert_allclose(middle, way, atol=1e-8)
    assert run.array("blade.dissipated")[-1] < 1e-3 * run.array("blade.kinetic_energy")[0]


PLANAR = {
    "cantilever": lambda: (
        gw.Model("cantilever", gravity=(0, -9.81)).ground_point("A", 0, 0).point("B", 0.3, 0.4)
        .beam("rod", "A", "B", elements=4, youngs_modulus=70e9, density=1600, width=0.02, height="0.002 + 0.001*s",
              curvature="0.4 + s", damping=1e-3, points={"M": 0.2})
        .joint.fixed("ground.A", "rod.start").force.at_point("rod.end", ("-4*sin(20*t)", "3*t"))
        .force.at_point("rod.M", ("2", "1"), "body").force("moment", at="rod.end", value="0.4*t")
    ),
    "slider-crank": lambda: gw.load("examples/flexible_slider_crank.yaml"),
    "back support": lambda: gw.load("examples/back_support.yaml"),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANAR)
def test_planar_beams_are_the_same_in_space(name, request):
    """The issue requires 1e-8; the agreement is 1e-11: positions, section forces, energies, at rest and in motion."""
    import os

    os.chdir(request.config.rootpath)
    flat = PLANAR[name]()
    space = gw.in_space(flat)
    beam = flat.document.beams[0].name
    runs = [model.simulate(0.03, step=1e-3, method="generalized-alpha") for model in (flat, space)]
    if name == "cantilever":
        runs += [model.static(0.5) for model in (flat, space)]
    for a, b in zip(runs[::2], runs[1::2], strict=True):
        here, there, stiff = a.beam(beam), b.beam(beam), float(beam_of(a, beam).section.axial(np.zeros(1))[0])
        pairs = {
            "x": "x",
            "y": "z",
            "strain": "strain",
            "curvature": "curvature_3",
            "axial_force": "axial_force",
            "shear_force": "shear_force_2",
            "bending_moment": "bending_moment_3",
            "strain_energy": "strain_energy",
        }
        for one, other in pairs.items():
            size = max(1.0, float(np.abs(here[one]).max()))
            rounding = 3e-14 * stiff if one.endswith("force") else 0.0
            np.testing.assert_allclose(
                there[other].values, here[one].values, rtol=0, atol=1e-8 * size + rounding, err_msg=one
            )
        assert np.abs(there.y.values).max() < 1e-12
        for energy in (f"{beam}.kinetic_energy", "energy.potential", "energy.dissipated"):
            wanted = a.array(energy)
            np.testing.assert_allclose(b.array(energy), wanted, rtol=0, atol=1e-8 * max(1.0, np.abs(wanted).max()))
