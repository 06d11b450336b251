"""Beams in the Python API and in files: meshes, sections, shapes, attachments of joints and loads, and invalid input."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
import sympy as sp

import gaitwright as gw
from gaitwright.physics.bodies.beam import shape_functions

STIFF = {"axial_stiffness": 1e5, "bending_stiffness": 2.0, "mass_per_length": 0.3}


def cantilever(**fields: Any) -> gw.Model:
    """A beam of 1 m along x, clamped at the origin, without gravity."""
    model = gw.Model("cantilever", gravity=(0, 0))
    model.ground_point("O", 0, 0).point("E", 1, 0)
    model.beam("rod", "O", "E", **({"elements": 4, **STIFF} | fields))
    return model.joint.fixed("ground.O", "rod.start", name="clamp")


def beam_of(model: gw.Model) -> Any:
    return model.mechanism().beams["rod"]


# Mesh and section ---------------------------------------------------------------------------------------------------


def test_nodes_are_uniform_and_include_named_points():
    beam = beam_of(cantilever(elements=10, points={"third": 1 / 3, "half": 0.5}))
    assert beam.stations.size == 11
    assert beam.stations[beam.points["third"]] == pytest.approx(1 / 3, abs=1e-15)
    assert beam.stations[beam.points["half"]] == pytest.approx(0.5, abs=1e-15)
    assert np.diff(beam.stations).max() < 2.1 * np.diff(beam.stations).min()
    assert beam.points["start"] == beam.points["O"] == 0 and beam.points["end"] == beam.points["E"] == 10


def test_more_points_than_elements_give_more_elements():
    assert beam_of(cantilever(elements=1, points={"a": 0.2, "b": 0.7})).stations.tolist() == pytest.approx(
        [0, 0.2, 0.7, 1]
    )


SECTIONS = {
    "width and height": ({"width": 0.02, "height": 0.003}, 6e-5, 0.02 * 0.003**3 / 12),
    "diameter": ({"diameter": 0.01}, math.pi * 1e-4 / 4, math.pi * 1e-8 / 64),
    "area and second moment": ({"area": 2e-5, "second_moment": 3e-11}, 2e-5, 3e-11),
    "with height for stress": ({"area": 2e-5, "second_moment": 3e-11, "height": 0.004}, 2e-5, 3e-11),
}


@pytest.mark.parametrize("what", SECTIONS)
def test_section(what: str):
    fields, area, second = SECTIONS[what]
    none = dict.fromkeys(STIFF)
    section = beam_of(cantilever(**none, youngs_modulus=2e9, density=1200, **fields)).section
    x = np.array([0.1, 0.9])
    assert section.axial(x) == pytest.approx(2e9 * area)
    assert section.bending(x) == pytest.approx(2e9 * second)
    assert section.mass(x) == pytest.approx(1200 * area)


def test_tapered_section_is_a_function_of_s():
    none = dict.fromkeys(STIFF)
    fields = {"youngs_modulus": 1e9, "density": 1000, "width": 0.02, "height": "0.01 - 0.005*s"}
    model = cantilever(**none, **fields)
    beam = beam_of(model)
    assert beam.section.bending(np.array([0.5])) == pytest.approx(1e9 * 0.02 * 0.0075**3 / 12)
    assert beam.mass == pytest.approx(1000 * 0.02 * 0.0075, rel=1e-12)
    mechanism = model.mechanism()
    rows, cols, mass = mechanism.mass
    along_x = np.zeros(mechanism.n)
    along_x[beam.nodes[:, 0]] = 1.0
    assert np.sum(mass * along_x[rows] * along_x[cols]) == pytest.approx(beam.mass, rel=1e-12)


def test_mass_matrix_equals_that_of_the_paper():
    """Paper 002 Eq 7."""
    l, m = 0.25, 0.3 * 0.25
    by_hand = m * np.array([
        [13 / 35, 11 * l / 210, 9 / 70, -13 * l / 420],
        [11 * l / 210, l**2 / 105, 13 * l / 420, -(l**2) / 140],
        [9 / 70, 13 * l / 420, 13 / 35, -11 * l / 210],
        [-13 * l / 420, -(l**2) / 140, -11 * l / 210, l**2 / 105],
    ])  # fmt: skip
    for block in beam_of(cantilever()).element_masses():
        assert block == pytest.approx(np.kron(by_hand, np.eye(2)), rel=1e-13, abs=1e-18)


def test_masses_of_a_tapered_element():
    """Against integrals by SymPy, for linearly varying width and height; the weight acts at the centre of mass."""
    none = dict.fromkeys(STIFF)
    fields = {"youngs_modulus": 1e9, "density": 1.0, "width": "2 - s", "height": "3 - s"}
    model = cantilever(**none, **fields, elements=1)
    xi = sp.Symbol("xi")
    rho_a, functions = (2 - xi) * (3 - xi), shape_functions(xi, 1)
    block = beam_of(model).element_masses()[0]
    for i, j in np.ndindex(4, 4):
        integral = float(sp.integrate(rho_a * functions[i] * functions[j], (xi, 0, 1)))
        assert block[2 * i, 2 * j] == block[2 * i + 1, 2 * j + 1] == pytest.approx(integral, rel=1e-13)
    heavy = (
        gw.Model(gravity=(0, -9.81))
        .ground_point("O", 0, 0)
        .point("E", 1, 0)
        .beam("rod", "O", "E", elements=1, **fields)
    )
    (weight,) = next(e for e in heavy.mechanism().forces if e.declaration.name == "gravity").parameters
    mass = float(sp.integrate(rho_a, (xi, 0, 1)))
    assert weight[:4] == pytest.approx([float(sp.integrate(rho_a * s, (xi, 0, 1))) / mass for s in functions])
    assert weight[4] == pytest.approx(mass)


# Shapes -------------------------------------------------------------------------------------------------------------


def test_unstressed_arc_is_exact_and_stress_free():
    model = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0).point("E", 1, 1)
    model.beam("rod", "O", "E", elements=6, length=math.pi / 2, curvature=1.0, **STIFF).joint.fixed(
        "ground.O", "rod.start"
    )
    beam, pose = beam_of(model), model.assemble().q
    angle = beam.stations
    at = np.column_stack([np.sin(angle), 1 - np.cos(angle)])
    assert pose[beam.nodes[:, :2]] == pytest.approx(at, abs=1e-14)
    assert model.static()["rod.end.x"].values == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(("bow", "side"), [("left", 1.0), ("right", -1.0)])
def test_beam_longer_than_the_distance_is_drawn_bent(bow: str, side: float):
    model = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0).ground_point("E", 0.9, 0)
    model.beam("rod", "O", "E", elements=8, length=1.0, bow=bow, **STIFF)
    beam, pose = beam_of(model), model.assemble().q
    assert side * pose[beam.nodes[4, 1]] > 0.1
    assert np.abs(beam.stretch(pose)).max() < 1e-3


def test_assembly_moves_a_beam_before_bending_it():
    """A slider-crank drawn with an error of 5 cm: the slider moves, the rod turns and keeps its length."""
    model = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0).point("A", 0, 0.1).point("B", 0.45, 0)
    model.link("crank", "O", "A", length=0.1, mass=0.1)
    model.beam("rod", "A", "B", elements=6, length=0.4, bow="left", **STIFF)
    model.body("slider", mass=0.1, inertia=1e-4, at=(0.45, 0)).joint("revolute", a="rod.end", b="slider")
    model.joint.prismatic("ground.O", "slider", axis=(1, 0)).drive.rotation("crank", "pi/2")
    start, beam = model.assemble(), beam_of(model)
    assert np.abs(beam.stretch(start.q)).max() < 2e-3


def test_beam_starts_without_strain_rate():
    """Crank and rod in line: the rod turns as a rigid bar, independent of its inertia."""
    r, length, omega = 0.15, 0.4, 2.0
    model = gw.Model().ground_point("O", 0, 0).point("A", r, 0).point("B", r + length, 0)
    model.link("crank", "O", "A", mass=0.1)
    model.beam("rod", "A", "B", elements=5, **STIFF)
    model.body("slider", mass=0.1, inertia=1e-4, at=(r + length, 0)).joint("revolute", a="rod.end", b="slider")
    model.joint.prismatic("ground.O", "slider", axis=(1, 0)).drive.rotation("crank", f"{omega}*t")
    start, beam = model.assemble(), beam_of(model)
    expected = omega * r * (1 - beam.stations / length)
    assert start.v[beam.nodes[:, 1]] == pytest.approx(expected, abs=2e-5)
    assert start.v[beam.nodes[:, 3]] == pytest.approx(-omega * r / length, rel=1e-4)


# Attachments --------------------------------------------------------------------------------------------------------


def test_shape_functions_partition_unity():
    xi = np.linspace(0, 1, 7)
    s = shape_functions(xi, 0.3)
    assert s[0] + s[2] == pytest.approx(1.0)
    assert 0.3 * s[2] + s[1] + s[3] == pytest.approx(0.3 * xi)  # a straight element


HOLDERS = {"ground": "ground.P", "body": "block.P", "beam": "other.P"}


@pytest.mark.parametrize("where", ["end", "node3"])
@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("joint", ["fixed", "revolute"])
def test_joints_transmit_loads_of_beams(joint: str, holder: str, where: str):
    """A beam clamped at its start carries a load at a point with another joint: forces and moments balance, and
    the joint stays closed with its angle."""
    model = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0).point("E", 1, 0)
    model.beam("rod", "O", "E", elements=4, **STIFF).joint.fixed("ground.O", "rod.start", name="clamp")
    x = 1.0 if where == "end" else 0.5
    if holder == "ground":
        model.ground_point("P", x, 0)
    elif holder == "body":
        model.ground_point("Q", x, -0.2)
        model.body("block", mass=1, inertia=0.1, at=(x - 0.1, -0.1), angle=0.3)
        c, s = math.cos(0.3), math.sin(0.3)
        model.document.bodies[0].points.update({"P": [0.1 * c + 0.1 * s, -0.1 * s + 0.1 * c]})
        model.force.spring_damper("ground.Q", "block.P", stiffness=100, rest_length=0.2)
        model.force.torsion_spring("ground", "block", stiffness=5, rest_angle=0.3)
    else:
        model.ground_point("Q", x, -1).point("P", x, 0)
        model.beam("other", "Q", "P", elements=4, **STIFF).joint.fixed("ground.Q", "other.start", name="root")
    model.joint(joint, "hold", a=HOLDERS[holder], b=f"rod.{where}")
    model.force.at_point("rod.node4", [0, -1.0], name="load")
    before = model.assemble().q
    run = model.static()
    mechanism = model.mechanism()
    beam = mechanism.beams["rod"]
    node = beam.nodes[beam.points.get(where, 2)]
    pose = run.motion.q[0]
    assert run.array("rod.node4.y")[0] < -1e-4
    fy = [run.array(f"{name}.fy")[0] for name in ("clamp", "hold")]
    assert sum(fy) == pytest.approx(1.0, abs=1e-9)
    moment = run.array("clamp.moment")[0] + fy[1] * pose[node[0]] - run.array("hold.fx")[0] * pose[node[1]]
    moment += run.array("hold.moment")[0] if joint == "fixed" else 0.0
    load = mechanism.beams["rod"].nodes[3]
    assert moment - 1.0 * pose[load[0]] == pytest.approx(0.0, abs=1e-9)
    if joint == "fixed" and holder == "ground":
        assert math.atan2(pose[node[3]], pose[node[2]]) == pytest.approx(0.0, abs=1e-12)
    assert np.isfinite(before).all()


def test_fixed_joint_replaces_the_pin():
    names = [names.name for names in cantilever().mechanism().constraint_names]
    assert names == ["clamp"]
    pinned = gw.Model().ground_point("O", 0, 0).point("E", 1, 0).beam("rod", "O", "E", **STIFF)
    assert [names.name for names in pinned.mechanism().constraint_names] == ["O"]


def test_beam_welded_to_itself_is_a_ring():
    model = gw.Model(gravity=(0, 0)).point("A", 0, 0).point("B", 1e-3, 0)
    model.beam("ring", "A", "B", elements=12, length=2 * math.pi, curvature=1.0, **STIFF)
    model.joint.fixed("ring.start", "ring.end", angle=0.0)
    q, ring = model.assemble().q, model.mechanism().beams["ring"]
    assert q[ring.nodes[0, :2]] == pytest.approx(q[ring.nodes[-1, :2]], abs=1e-12)
    centre = q[ring.nodes[:-1, :2]].mean(axis=0)
    assert np.hypot(*(q[ring.nodes[:, :2]] - centre).T) == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize(("frame", "stretched"), [("ground", False), ("body", True)])
def test_loads_of_a_stretched_beam(frame, stretched):
    """Per unstressed length in the ground frame, like a weight; per current length along tangent and normal, like a pressure.
    A drive stretches a straight beam by a twentieth, and the supports carry the whole load."""
    m = gw.Model("strip", gravity=(0, 0)).ground_point("L", 0, 0).point("R", 1, 0)
    m.beam("rod", "L", "R", length=1, elements=2, youngs_modulus=1e6, density=1.0, width=0.1, height=0.1)
    m.drive.position("rod.end", x="1.05", y="0", name="pull").joint.fixed("ground.L", "rod.start", name="clamp")
    run = m.force.along_beam("rod", [0, -1e-6], frame=frame, name="load").static()
    total = run.array("clamp.fy")[0] + run.array("pull.force_y")[0]
    assert total == pytest.approx(1.05e-6 if stretched else 1e-6, rel=1e-6)


def test_distributed_loads():
    """Dead load: the clamp carries f L and f L^2 / 2. Follower load: the same for small deflections."""
    for frame in ("ground", "body"):
        run = cantilever().force.along_beam("rod", [0, -1e-3], frame=frame, name="load").static()
        assert run.array("clamp.fy")[0] == pytest.approx(1e-3, rel=1e-6)
        assert run.array("clamp.moment")[0] == pytest.approx(0.5e-3, rel=1e-6)
        assert run.array("rod.end.y")[0] == pytest.approx(-1e-3 / (8 * 2.0), rel=1e-4)


def test_document_survives_a_file(tmp_path: Any):
    model = cantilever(points={"mid": "0.25 + 0.25"}, damping=1e-3, curvature="0.1*s")
    model.force.moment("rod.mid", "t")
    again = gw.load(model.save(tmp_path / "rod.yaml"))
    assert again.to_dict() == model.to_dict()
    assert beam_of(again).points == beam_of(model).points


# Invalid input ------------------------------------------------------------------------------------------------------

NO_SECTION = dict.fromkeys(STIFF)
MATERIAL = {"youngs_modulus": 2e9, "density": 1200, "width": 0.02, "height": 0.003}
WRONG: dict[str, tuple[dict[str, Any], list[str]]] = {
    "no elements": ({"elements": 0}, ["beam 'rod'", "'elements'", "0", "whole number from 1"]),
    "half an element": ({"elements": 2.5}, ["beam 'rod'", "'elements'", "2.5"]),
    "negative density": (NO_SECTION | MATERIAL | {"density": -1}, ["beam 'rod'", "'density'", "-1", "kg/m^3"]),
    "no height": (NO_SECTION | MATERIAL | {"height": None}, ["beam 'rod'", "'height'", "missing", "axial stiffness"]),
    "no modulus": (NO_SECTION | MATERIAL | {"youngs_modulus": None}, ["beam 'rod'", "'youngs_modulus'", "missing"]),
    "no mass": ({"mass_per_length": None}, ["beam 'rod'", "missing", "the mass is not known", "mass_per_length"]),
    "section twice": (NO_SECTION | MATERIAL | {"area": 1e-5}, ["beam 'rod'", "'area'", "width"]),
    "height that vanishes": (
        NO_SECTION | MATERIAL | {"height": "0.003 - 0.004*s"},
        ["'height'", "along the beam", "m"],
    ),
    "negative damping": ({"damping": -1e-3}, ["beam 'rod'", "'damping'", "negative", "s"]),
    "unknown formulation": ({"formulation": "timoshenko"}, ["'formulation'", "continuum", "takahashi"]),
    "curved takahashi": ({"formulation": "takahashi", "curvature": 0.5}, ["'formulation'", "straight", "continuum"]),
    "reduced takahashi": (
        {"formulation": "takahashi", "integration": "reduced"},
        ["'integration'", "nothing to reduce"],
    ),
    "point beyond the end": ({"points": {"P": 1.5}}, ["'points.P'", "not on the beam", "1.5", "0 and 1 m"]),
    "point named as an end": ({"points": {"E": 0.5}}, ["the point 'E' is an end"]),
    "unknown variable": (NO_SECTION | MATERIAL | {"height": "0.003*x"}, ["'height'", "'x'"]),
    "negative length": ({"length": -1}, ["beam 'rod'", "'length'", "greater than zero"]),
    "NaN stiffness": ({"bending_stiffness": math.nan}, ["beam 'rod'", "'bending_stiffness'", "not finite"]),
}


def assert_sentence(error: Exception, words: list[str]) -> None:
    text = str(error)
    assert "\n" not in text and not re.search(r"[.!?] +[A-Z]", text), text
    for word in words:
        assert word in text, f"{word!r} is not in: {text}"


@pytest.mark.parametrize("what", WRONG)
def test_invalid_beam_has_a_message(what: str):
    fields, words = WRONG[what]
    with pytest.raises(gw.ModelError) as caught:
        cantilever(**fields).mechanism()
    assert_sentence(caught.value, words)


ATTACHED: dict[str, tuple[Any, list[str]]] = {
    "unknown node": (lambda m: m.force.moment("rod.node9", 1), ["'rod' has no node 'node9'", "node1 to node5"]),
    "node zero": (lambda m: m.force.at_point("rod.node0", [1, 0]), ["'rod' has no node 'node0'"]),
    "moment on a whole beam": (lambda m: m.force.moment("rod", 1), ["is a beam", "rod.end"]),
    "force on a whole beam": (lambda m: m.force.at_point("rod", [1, 0]), ["is a whole beam", "rod.end"]),
    "load along a body": (lambda m: m.force.along_beam("link", [0, 1]), ["no beam 'link'", "rod"]),
    "gear on a beam": (lambda m: m.joint.gear("rod.start", "rod.end", 2), ["is a beam", "rigid body"]),
    "contact along nothing": (
        lambda m: m.contact(gw.surfaces.Along("bar"), gw.surfaces.LineGround(level=-1), law=gw.laws.Hertz(1e5)),
        ["no beam 'bar'", "rod"],
    ),
    "surface on a beam": (
        lambda m: m.body("ball", mass=1, inertia=1).contact(
            "ball", gw.surfaces.Segment("rod.start", "rod.end"), law=gw.laws.Hertz(1e5)
        ),
        ["'rod'", "beam"],
    ),
    "itself": (lambda m: m.joint.revolute("rod.end", "rod.E"), ["connects 'rod' with itself"]),
}


@pytest.mark.parametrize("what", ATTACHED)
def test_invalid_attachment_has_a_message(what: str):
    add, words = ATTACHED[what]
    with pytest.raises(gw.ModelError) as caught:
        add(cantilever()).mechanism()
    assert_sentence(caught.value, words)


def test_ends_too_far_apart():
    model = gw.Model().ground_point("O", 0, 0).ground_point("E", 1.3, 0)
    model.beam("rod", "O", "E", length=1.0, **STIFF)
    with pytest.raises(gw.AssemblyError) as caught:
        model.simulate(0.1)
    assert_sentence(caught.value, ["beam 'rod'", "stretched by 30 %", "1 m long", "1.3 m apart"])


@pytest.mark.slow
def test_load_past_the_limit_point_is_reported():
    """A strip bent into an arch snaps through: another equilibrium is found, with a warning. Unstressed arches are rejected,
    see tests/analysis/statics/test_quasi_static_path.py."""
    model = gw.Model(gravity=(0, 0)).ground_point("A", -0.5, 0).ground_point("B", 0.5, 0)
    model.beam("arch", "A", "B", length=1.02, elements=10, points={"top": 0.51}, **STIFF)
    assert not model.static().evidence.warnings
    run = model.force.at_point("arch.top", [0, -200.0]).static()
    assert run.array("arch.top.y")[0] < 0.0
    (said,) = run.evidence.warnings
    assert "limit point" in said and "'arch'" in said and "snap" in said


def test_ends_in_one_place():
    model = gw.Model().ground_point("O", 0, 0).ground_point("E", 0, 0)
    with pytest.raises(gw.ModelError) as caught:
        model.beam("rod", "O", "E", length=1.0, **STIFF).mechanism()
    assert_sentence(caught.value, ["beam 'rod'", "same place", "direction"])


def test_explicit_step_too_long_suggests_a_stable_one():
    """The estimate is not longer than a stable step, and not much shorter than an unstable one."""
    model = gw.Model().ground_point("O", 0, 0).point("E", 1, 0)
    model.beam("rod", "O", "E", elements=4, **STIFF).velocity("rod.node3", 0, 1)
    with pytest.raises(gw.DidNotConverge) as caught:
        model.simulate(1.0, method="rk4", step=2e-3)
    found = re.search(r"at most ([\d.e-]+) s with rk4", str(caught.value))
    assert found is not None
    step = float(found.group(1))
    assert 5e-5 < step < 2e-3
    run = model.simulate(0.2, method="rk4", step=0.9 * step)
    assert abs(run.array("energy.residual")).max() < 1e-3
    with pytest.raises(gw.DidNotConverge):
        model.simulate(1.0, method="rk4", step=1.6 * step)
