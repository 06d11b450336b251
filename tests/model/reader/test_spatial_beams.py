"""Beams in spatial models: shapes, sections, files, and invalid input."""

import math
from typing import Any

import numpy as np
import pytest

import gaitwright as gw

SECTION = {"youngs_modulus": 70e9, "poissons_ratio": 0.3, "density": 1600.0, "width": 0.02, "height": 0.004}


def model(**fields: Any) -> gw.Model:
    made: Any = gw.Model("blade", dimension=3).ground_point("A", 0, 0, 0).point("B", 0.3, 0, 0.4)
    return made.beam("blade", "A", "B", **({"elements": 4} | SECTION | fields))


def part(**fields: Any) -> Any:
    return model(**fields).mechanism().parts["blade"]


def nodes(beam) -> tuple[np.ndarray, np.ndarray]:
    """Positions (nodes, 3), and axes (nodes, 3, 3), rows."""
    drawn = beam.drawn.reshape(-1, 15)
    return drawn[:, :3], drawn[:, 3:12].reshape(-1, 3, 3) + np.eye(3)


def test_straight_beam_has_its_height_along_the_normal():
    places, axes = nodes(part(normal=[0, 1, 0]))
    np.testing.assert_allclose(places, np.linspace([0, 0, 0], [0.3, 0, 0.4], 5), atol=1e-15)
    np.testing.assert_allclose(axes, np.broadcast_to([[0.6, 0, 0.8], [0, 1, 0], [-0.8, 0, 0.6]], (5, 3, 3)), atol=1e-15)
    assert nodes(part())[1][0, 1] @ [0, 0, 1] == pytest.approx(0.6)  # as upright as it can


def test_curvature_gives_an_arc_and_twist_turns_sections():
    places, axes = nodes(part(curvature=2.0, normal=[0, 1, 0], length=0.5))
    chord = np.linalg.norm(places[-1] - places[0])
    assert chord == pytest.approx(2 / 2.0 * math.sin(0.5), rel=1e-12)  # 2 R sin(L / 2 R)
    assert np.arccos(axes[0, 0] @ axes[-1, 0]) == pytest.approx(1.0, rel=1e-12)
    _, axes = nodes(part(twist=3.0))
    assert np.arccos(axes[0, 1] @ axes[-1, 1]) == pytest.approx(1.5, rel=1e-12)
    np.testing.assert_allclose(axes[:, 0], np.broadcast_to([0.6, 0, 0.8], (5, 3)), atol=1e-14)


def test_radius_and_rise_of_a_helix():
    """R = k / (k^2 + t^2)."""
    k, t = 8.0, 6.0
    beam = part(curvature=[0.0, k], twist=t, length=math.pi / 5, elements=40)  # a turn: sqrt(k^2 + t^2) L = 2 pi
    places, _ = nodes(beam)
    assert np.linalg.norm(places[-1] - places[0]) == pytest.approx(2 * math.pi * t / 100.0, rel=1e-9)


def test_beam_through_points():
    """One point: an arc. Several: a spline, with sections that do not turn about it."""
    arc = part(through=[[0.25, 0, 0.0]], elements=6)
    places, axes = nodes(arc)
    a, b, c = np.zeros(3), np.array([0.25, 0.0, 0.0]), np.array([0.3, 0.0, 0.4])
    sides = [np.linalg.norm(x) for x in (b - a, c - b, c - a)]
    radius = math.prod(sides) / (2 * np.linalg.norm(np.cross(b - a, c - a)))
    gaps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    np.testing.assert_allclose(gaps, 2 * radius * math.sin(arc.length / 12 / radius), rtol=1e-12)
    spline = part(through=[[0.1, 0.05, 0.1], [0.2, 0.05, 0.25]], elements=30, normal=[0, 1, 0])
    places, axes = nodes(spline)
    for point in ([0.1, 0.05, 0.1], [0.2, 0.05, 0.25], [0.3, 0, 0.4]):
        assert np.linalg.norm(places - point, axis=1).min() < spline.length / 30
    assert np.abs(spline.strained(spline.unstressed, np.array([0.5]))[0][:, 0, 1]).max() < 0.05  # twist, rad/m
    np.testing.assert_allclose(
        np.einsum("nij,nkj->nik", axes, axes), np.broadcast_to(np.eye(3), axes.shape), atol=1e-12
    )


def test_section_of_a_rectangle_and_a_circle():
    """Torsion constants of a square, 0.1406 a^4, and of a circle, pi d^4 / 32."""
    C = part(width=0.01, height=0.01).section.stiffness(np.zeros(1))[0]
    G = 70e9 / 2.6
    np.testing.assert_allclose(np.diag(C), [70e9 * 1e-4, G * 0.1406e-8, 70e9 * 1e-8 / 12, 70e9 * 1e-8 / 12], rtol=3e-4)
    plain = {"width": None, "height": None}
    C = part(**plain, diameter=0.01).section.stiffness(np.zeros(1))[0]
    assert C[1, 1] == pytest.approx(G * math.pi * 1e-8 / 32)
    wide = part(width=0.02, height=0.004)
    assert wide.section.stiffness(np.zeros(1))[0][3, 3] == pytest.approx(70e9 * 0.02 * 0.004**3 / 12)
    np.testing.assert_allclose(
        wide.section.inertia(np.zeros(1))[0] * 12, [1600 * 0.02 * 0.004**3, 1600 * 0.004 * 0.02**3]
    )


def test_mass_equals_that_of_a_bar():
    beam = part(elements=3)
    masses = np.zeros((len(beam.drawn), len(beam.drawn)))
    np.add.at(masses, beam.mass_entries()[:2], beam.mass_entries()[2])
    drift = np.zeros(len(beam.drawn))
    drift[1::15] = 1.0
    assert drift @ masses @ drift == pytest.approx(beam.mass) == pytest.approx(1600 * 0.02 * 0.004 * 0.5)
    spin = np.zeros((4, 5, 3))  # about the x axis of the ground
    places, axes = nodes(beam)
    for k, arm in enumerate((places, axes[:, 0], axes[:, 1], axes[:, 2], axes[:, 0])):
        spin[:, k] = np.cross([1.0, 0.0, 0.0], arm)
    wanted = beam.mass * 0.4**2 / 3
    assert spin.ravel() @ masses @ spin.ravel() == pytest.approx(wanted, rel=2e-3)


def test_beam_in_a_file(tmp_path):
    given = model(points={"M": 0.2}, through=[[0.1, 0.0, 0.2]], bending_stiffness=[20.0, "2 + s"], damping="1 ms")
    given.save(tmp_path / "blade.yaml")
    read = gw.load(tmp_path / "blade.yaml")
    assert read.to_dict() == given.to_dict()
    np.testing.assert_array_equal(read.mechanism().drawn, given.mechanism().drawn)
    assert "GJ" in str(given.check())


WRONG = {
    "parallel normal": ({"normal": [3, 0, 4]}, "'normal': is the direction of the beam itself"),
    "no direction": ({"normal": [0, 0, 0]}, "'normal': has no direction"),
    "no torsion": ({"poissons_ratio": None}, "'poissons_ratio': is missing: the torsional stiffness is not known"),
    "no modulus": ({"youngs_modulus": None}, "'youngs_modulus': is missing: the axial stiffness is not known"),
    "no mass": ({"density": None}, "'density': is missing: the mass is not known"),
    "both masses": ({"mass_per_length": 1.0}, "'mass_per_length': is given besides 'density'"),
    "both moduli": ({"shear_modulus": 1e9}, "'poissons_ratio': is given besides 'shear_modulus'"),
    "ratio": ({"poissons_ratio": 0.7}, "'poissons_ratio': is no Poisson's ratio (got 0.7)"),
    "thin": ({"height": 0.0}, "'height': must be greater than zero"),
    "round rectangle": ({"diameter": 0.01}, "'diameter': is given besides 'width' or 'height'"),
    "three stiffnesses": ({"bending_stiffness": [1, 2, 3]}, "expected one for both axes"),
    "matrix": ({"stiffness": [[1, 2], [3, 4]]}, "'stiffness': is not a matrix of stiffness"),
    "asymmetric": (
        {"stiffness": [[1e6, 0, 0, 0], [0, 2, 0, 0.5], [0, 0, 9, 0], [0, 0, 0, 2]]}, "'stiffness': is not symmetric",
    ),
    "indefinite": (
        {"stiffness": [[1e6, 0, 0, 0], [0, 2, 0, 3], [0, 0, 9, 0], [0, 3, 0, 2]]}, "'stiffness': is not positive definite",
    ),
    "twice": (
        {"stiffness": np.diag([1e6, 2, 9, 2]).tolist(), "axial_stiffness": 1e6}, "is given besides 'axial_stiffness'",
    ),
    "spin": ({"inertia_per_length": 0.0}, "'inertia_per_length': must not be zero about both axes"),
    "closed": ({"curvature": 4 * math.pi, "length": 0.5}, "'curvature': brings its ends together"),
    "through and length": ({"through": [[0.1, 0, 0.2]], "length": 0.6}, "'length': is given besides 'through'"),
    "the same point": ({"through": [[0, 0, 0]]}, "'through': has the same point twice in a row"),
    "planar formulation": ({"formulation": "takahashi"}, "'formulation': there is no such field"),
    "bow": ({"bow": "left"}, "'bow'"),
    "unit": ({"twist": "3 m"}, "'twist'"),
    "point beyond": ({"points": {"M": 0.7}}, "'points.M': is not on the beam"),
}  # fmt: skip


@pytest.mark.parametrize("which", WRONG)
def test_invalid_input_has_a_message(which):
    fields, text = WRONG[which]
    with pytest.raises(gw.ModelError) as caught:
        part(**fields)
    assert text in str(caught.value)
    assert str(caught.value).startswith("beam 'blade'")


def test_unknown_points_and_outputs_have_a_message():
    made = model()
    made.joint("fixed", a="ground.A", b="blade.start")
    run = made.static()
    with pytest.raises(gw.ModelError, match="no quantity 'curvature' along a beam of space"):
        run.beam("blade", "curvature")
    with pytest.raises(gw.ModelError, match="'along': is for beams of the plane"):
        model().contact(gw.surfaces.Along("blade"), gw.surfaces.Plane(0, 0, 1, 0), law=gw.laws.Hertz(stiffness=1e6))
    with pytest.raises(gw.ModelError, match="one of A, B, start, end, or node1 to node5"):
        model().joint("fixed", a="ground.A", b="blade.node9").mechanism()
    bare = model(width=None, height=None, youngs_modulus=None, poissons_ratio=None, density=None, mass_per_length=0.1,
                 axial_stiffness=1e6, bending_stiffness=5.0, torsional_stiffness=3.0)  # fmt: skip
    bare.joint("fixed", a="ground.A", b="blade.start")
    with pytest.raises(gw.ModelError, match="'height': is not known, so there is no max stress"):
        bare.static()["blade.max_stress"]


def test_joint_of_a_beam_accepts_drive_and_spring():
    """An element about a joint axis attaches to the section at the joint, not to the whole beam."""
    made = gw.Model("swing", dimension=3, gravity=(0, 0, 0)).ground_point("A", 0, 0, 0).point("B", 0.4, 0, 0)
    made.beam("blade", "A", "B", elements=2, **SECTION)  # pyright: ignore[reportArgumentType]
    made.joint("revolute", "hinge", a="ground.A", b="blade.start", axis=[0, 1, 0])
    made.drive("rotation", joint="hinge", angle="0.5*t^2")
    run = made.simulate(0.2, step=1e-3, method="generalized-alpha")
    assert run.array("blade.start.wy")[-1] == pytest.approx(0.2, abs=1e-6)
    assert run.array("blade.end.z")[-1] == pytest.approx(-0.4 * math.sin(0.02), abs=5e-5)  # with lag


def test_beam_too_short_to_close_has_a_message():
    """Reported for open joints, beside the constraints of many nodes; and for a beam that would have to stretch."""
    far = gw.Model("far", dimension=3).ground_point("A", 0, 0, 0).ground_point("C", 2, 0, 0).point("B", 0.4, 0, 0)
    far.beam("blade", "A", "B", elements=3, **SECTION)  # pyright: ignore[reportArgumentType]
    far.joint("fixed", a="ground.A", b="blade.start").joint("fixed", "end", a="ground.C", b="blade.end")
    with pytest.raises(gw.AnalysisError, match=r"beam 'blade' would have to be stretched by .* %"):
        far.static()


def test_in_space_rejects_the_takahashi_formulation():
    flat = gw.Model("flat").ground_point("A", 0, 0).point("B", 1, 0)
    flat.beam("rod", "A", "B", formulation="takahashi", youngs_modulus=1e9, density=1e3, width=0.02, height=0.01)
    with pytest.raises(gw.ModelError, match="'formulation': has no counterpart in space"):
        gw.in_space(flat)
