"""Contacts of spatial models: files and Python API, tables, and invalid input."""

from typing import Any, cast

import numpy as np
import pytest
import yaml

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.contact.height_field import evaluate_heights, height_table, offset_heights
from gaitwright.contact.material import hertz_stiffness
from gaitwright.mechanism.tables import GROUND

LAW = {"type": "hertz", "stiffness": 1e6}
FOOT = {
    "gaitwright": 1, "dimension": 3, "name": "foot", "parameters": {"k": 1e6, "r": 0.02},
    "ground": {"points": {"O": [0, 0, 0]}},
    "bodies": [
        {"name": "foot", "mass": 1.0, "inertia": [0.01, 0.01, 0.01], "at": [0, 0, 0.1],
         "points": {"heel": [-0.1, 0, 0], "toe": [0.1, 0.05, 0]}},
        {"name": "ball", "mass": 1.0, "inertia": [0.01, 0.01, 0.01], "at": [0, 0, 0.5]},
    ],
    "contacts": [
        {"name": "sole", "points": ["foot.heel", "foot.toe"], "surface": {"plane": [0, 0, 2, -0.1]},
         "law": {**LAW, "stiffness": "k"}, "friction": {"type": "coulomb", "coefficient": 0.4}},
    ],
}  # fmt: skip


def with_contact(**changes):
    contact = {"name": "c", "point": "foot.heel", "surface": {"plane": [0, 0, 1, 0]}, "law": LAW} | changes
    return {**FOOT, "contacts": [{key: value for key, value in contact.items() if value is not None}]}


def test_file_and_python_api_agree():
    model = gw.Model.from_dict(FOOT)
    names = model.mechanism().contact_names
    assert [n.name for n in names] == ["sole:1", "sole:2"] and {n.whole for n in names} == {"sole"}
    assert {n.bodies for n in names} == {("ground", "foot")}
    point, normal = names[0].outline
    assert point == pytest.approx([0, 0, 0.05]) and normal == pytest.approx([0, 0, 1])
    own = gw.Model.from_dict({**FOOT, "contacts": []})
    own.contact(
        ["foot.heel", "foot.toe"],
        gw.surfaces.Plane(0, 0, 2, -0.1),
        name="sole",
        law=gw.laws.Hertz("k"),
        friction=gw.friction.Coulomb(0.4),
    )
    assert own.to_dict()["contacts"] == model.to_dict()["contacts"]
    assert gw.Model.from_dict(model.to_dict()).to_dict() == model.to_dict()


SURFACES = {
    "level": (gw.surfaces.PlaneGround(level=0.05), {"plane": [0.0, 0.0, 1.0, -0.05]}),
    "expression": (gw.surfaces.PlaneGround(level="r"), {"plane": [0.0, 0.0, 1.0, "-(r)"]}),
    "of a body": (gw.surfaces.PlaneOfBody("ball", (0, 0, 1)), {"plane": {"point": "ball", "normal": [0.0, 0.0, 1.0]}}),
    "belt": (
        gw.surfaces.Plane(0, 0, 1, 0, velocity=(1, 0, 0)),
        {"plane": [0.0, 0.0, 1.0, 0.0], "velocity": [1.0, 0.0, 0.0]},
    ),
    "sphere": (gw.surfaces.Sphere("ball", "r"), {"sphere": {"body": "ball", "radius": "r"}}),
    "heights": (
        gw.surfaces.HeightField([[0, 1], [2, 3], [4, 5]], (0.5, 1.0)),
        {"heights": {"origin": [0.0, 0.0], "spacing": [0.5, 1.0], "z": [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]}},
    ),
}


@pytest.mark.parametrize("which", SURFACES)
def test_surfaces(which):
    surface, said = SURFACES[which]
    model = gw.Model.from_dict({**FOOT, "contacts": []}).contact("foot.heel", surface, name="c", law=gw.laws.Hertz(1e6))
    entry = model.to_dict()["contacts"][0]["surface"]
    assert {key: value for key, value in entry.items() if value is not None} == said
    mechanism = model.mechanism()
    assert len(mechanism.contacts) == 1 and mechanism.system.contacts.dimension == 3


BAD = {
    "no normal": ({"surface": {"plane": [0, 0, 0, 1]}}, "the normal is zero"),
    "plane of three": ({"surface": {"plane": [0, 0, 1]}}, "is not a plane.*expected \\[a, b, c, d\\]"),
    "line": ({"surface": {"line": [0, 1, 0]}}, "no such field.*plane, sphere, heights"),
    "two surfaces": ({"surface": {"plane": [0, 0, 1, 0], "sphere": {"body": "ball", "radius": 1}}}, "plane and as sphere"),
    "no surface": ({"surface": {}}, "one of plane, sphere, heights"),
    "circle": ({"point": None, "circle": {"body": "ball", "radius": 1}}, "circle"),
    "nothing touches": ({"point": None}, "one of point, points, sphere, spheres"),
    "no point": ({"points": [], "point": None}, "points.*too few"),
    "negative radius": ({"point": None, "sphere": {"body": "ball", "radius": -1}}, "is negative"),
    "own body": ({"surface": {"sphere": {"body": "foot.toe", "radius": 1}}}, "'foot' cannot touch itself"),
    "ground on ground": ({"point": "ground.O"}, "ground cannot touch itself"),
    "two points": ({"surface": {"sphere": {"body": "ball", "radius": 0}}}, "two points cannot touch"),
    "unknown point": ({"point": "foot.nose"}, "has no point 'nose'"),
    "moving body": (
        {"surface": {"plane": {"point": "ball", "normal": [0, 0, 1]}, "velocity": [1, 0, 0]}}, "moves with its body",
    ),
    "velocity of two": ({"surface": {"plane": [0, 0, 1, 0], "velocity": [1, 0]}}, "velocity.*three numbers"),
    "ragged heights": ({"surface": {"heights": {"spacing": [1, 1], "z": [[0, 1], [0]]}}}, "is not a grid of heights"),
    "flat spacing": ({"surface": {"heights": {"spacing": [1, 0], "z": [[0, 1], [0, 1]]}}}, "greater than zero"),
    "no law": ({"law": None}, "law.*missing"),
    "no radius": ({"law": {"type": "hertz"}, "material": {"youngs_modulus": 1e9, "poissons_ratio": 0.3}}, "no radius"),
}  # fmt: skip


@pytest.mark.parametrize("which", BAD)
def test_invalid_input_has_a_message(which):
    changes, message = BAD[which]
    with pytest.raises(ModelError, match=f"(?s)contact.*{message}"):
        gw.Model.from_dict(with_contact(**changes)).mechanism()


def test_stiffness_follows_from_the_material():
    material = {"youngs_modulus": [2e9, 1e9], "poissons_ratio": 0.3}
    contact = with_contact(
        point=None, sphere={"body": "ball", "radius": 0.1}, surface={"sphere": {"body": "foot", "radius": 0.3}},
        law={"type": "hertz"}, material=material,
    )  # fmt: skip
    law = gw.Model.from_dict(contact).mechanism().contacts[0].law
    assert law is not None and law[1][0] == pytest.approx(hertz_stiffness(0.3, 0.1, 2e9, 1e9, 0.3, 0.3))


def test_check_lists_contacts():
    lines = "\n".join(gw.Model.from_dict(FOOT).check().lines())
    assert "contact sole: 2 points of foot on a plane of the ground; hertz, coulomb; 50 mm apart at the start" in lines
    changed = with_contact(point=None, sphere={"body": "ball", "radius": 0.1})
    assert "a sphere of radius 100 mm about ball on a plane" in "\n".join(gw.Model.from_dict(changed).check().lines())


@pytest.mark.slow
def test_results_are_read_back(tmp_path):
    """Contact state in space and all outputs survive a file."""
    run = gw.Model.from_dict(FOOT).simulate(until=0.15, output_step=0.01)
    assert len(run.episodes) >= 1 and {e.contact for e in run.episodes} <= {"sole:1", "sole:2"}
    again = gw.load_result(run.save(tmp_path / "foot.nc"))
    for name in (
        "sole.fz",
        "sole:2.normal_force",
        "ground_reaction.z",
        "ground_reaction.mz",
        "sole.slip",
        "sole.dissipated",
    ):
        assert again.array(name) == pytest.approx(run.array(name), nan_ok=True), name
    assert run.array("sole.fz") == pytest.approx(run.array("sole:1.fz") + run.array("sole:2.fz"))


# Heights ------------------------------------------------------------------------------------------------------------


def test_height_field_interpolates_smoothly():
    rng = np.random.default_rng(0)
    z = rng.normal(size=(6, 5))
    table = height_table((-1.0, 2.0), (0.5, 0.25), z)
    x, y = np.meshgrid(-1.0 + 0.5 * np.arange(6), 2.0 + 0.25 * np.arange(5), indexing="ij")
    assert evaluate_heights(table, x, y)[0] == pytest.approx(z)
    for k in (1, 2):  # across cell borders
        at = np.array([-1.0 + 0.5 * k]), np.array([2.1])
        before, after = (evaluate_heights(table, at[0] + d, at[1]) for d in (-1e-9, 1e-9))
        for a, b in zip(before, after, strict=True):
            assert a == pytest.approx(b, abs=1e-6)
    x, y, d = np.array([-0.3]), np.array([2.4]), 1e-6
    slope = (evaluate_heights(table, x + d, y)[0] - evaluate_heights(table, x - d, y)[0]) / (2 * d)
    bend = (evaluate_heights(table, x, y + d)[1] - evaluate_heights(table, x, y - d)[1]) / (2 * d)
    assert evaluate_heights(table, x, y)[1][0, 0] == pytest.approx(slope[0], abs=1e-7)
    assert evaluate_heights(table, x, y)[2][0, :, 1] == pytest.approx(bend[0], abs=1e-6)


def test_centre_of_a_sphere_on_a_sphere():
    """Over a dome of radius a, a ball of radius R has its centre on the sphere of radius a + R; in a hollow, of a - R."""
    x = 0.05 * np.arange(-10, 11)
    X, Y = np.meshgrid(x, x, indexing="ij")
    inner, R = (slice(6, 15),) * 2, 0.2
    for sign in (1.0, -1.0):
        z = sign * np.sqrt(1.0 - X**2 - Y**2)
        moved = offset_heights(height_table((x[0], x[0]), (0.05, 0.05), z), R)
        found = evaluate_heights(moved, X, Y)[0][inner]
        expected = sign * np.sqrt((1.0 + sign * R) ** 2 - X**2 - Y**2)[inner]
        assert found == pytest.approx(expected, abs=2e-5)


def test_ball_larger_than_a_groove_rides_on_its_rims():
    x = 0.05 * np.arange(-20, 21)
    z = np.where(np.abs(x) < 0.12, -0.3, 0.0)[:, None] * np.ones(21)
    table = height_table((x[0], x[0]), (0.05, 0.05), z)
    moved = offset_heights(table, 0.5)
    rims = np.sqrt(0.5**2 - 0.15**2)
    assert rims - 0.01 < evaluate_heights(moved, np.array([0.0]), np.array([-0.5]))[0][0] < 0.5 + 0.02


# Meshes -------------------------------------------------------------------------------------------------------------

CUBE = {"box": {"sides": [0.1, 0.1, 0.1], "divisions": [1, 1, 1]}}


def test_mesh_surface_moves_with_its_body_and_is_saved(tmp_path):
    model = gw.Model.from_dict({**FOOT, "contacts": []})
    mesh = gw.mesh.box((0.1, 0.1, 0.1), (1, 1, 1)).surface()
    model.contact(
        gw.surfaces.Sphere("ball", 0.05),
        gw.surfaces.MeshSurface(mesh, body="foot.heel", at=(0, 0, "r")),
        name="c",
        law=gw.laws.Hertz(1e6),
    )
    again = gw.Model.from_dict(model.to_dict())
    assert again.to_dict() == model.to_dict()
    for one in (model, again):
        (contact,), (names,) = one.mechanism().contacts, one.mechanism().contact_names
        assert names.bodies == ("foot", "ball") and names.outline.shape == (36, 3)
        assert names.outline.min(axis=0) == pytest.approx([-0.15, -0.05, -0.03])
        assert contact.field is not None and contact.field.look_up == "faces"
        assert list(contact.geometry.parameters)[:3] == [-0.1, 0.0, 0.0]
    path = tmp_path / "cube.stl"
    mesh.scaled(1000.0).save(path)
    surface = {"mesh": "cube.stl", "unit": "mm", "body": "ball"}
    (tmp_path / "model.yaml").write_text(yaml.safe_dump(with_contact(surface=surface)))
    (names,) = gw.load(tmp_path / "model.yaml").mechanism().contact_names
    assert names.outline.max() == pytest.approx(0.05)


def test_points_share_the_lookup_table_of_a_mesh():
    mechanism = gw.Model.from_dict(
        with_contact(point=None, points=["foot.heel", "foot.toe"], surface={"mesh": CUBE, "body": "ball"})
    ).mechanism()
    one, other = mechanism.contacts
    assert one.field is other.field
    assert len(set(mechanism.system.contacts.field_start)) == 1


BAD_MESHES = {
    "open": ({"mesh": {"nodes": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "cells": [[0, 1, 2]]}}, "is open.*gw.mesh.repaired"),
    "flat": ({"mesh": {"disc": {"radius": 0.1, "size": 0.05}}}, "has 2 dimensions, the model 3"),
    "no shape": ({"mesh": {"bowl": {}}}, "is not a shape"),
    "no file": ({"mesh": "nowhere.stl"}, "nowhere.stl"),
    "nobody": ({"mesh": CUBE, "body": "leg"}, "surface.body.*leg"),
    "own body": ({"mesh": CUBE, "body": "foot"}, "'foot' cannot touch itself"),
    "of a plane": ({"plane": [0, 0, 1, 0], "body": "ball"}, "surface.body.*belongs to a mesh"),
    "moving": ({"mesh": CUBE, "velocity": [1, 0, 0]}, "a mesh moves with its body"),
    "distance": ({"mesh": CUBE, "distance": "rough"}, "distance"),
    "without cells": (
        {"mesh": gw.mesh.box((0.1, 0.1, 0.1), (1, 1, 1)).surface().to_dict(), "distance": "approximate"},
        "is a surface; the approximate distance",
    ),
}  # fmt: skip


@pytest.mark.parametrize("which", BAD_MESHES)
def test_invalid_meshes_have_a_message(which):
    surface, says = BAD_MESHES[which]
    with pytest.raises(ModelError, match=says):
        gw.Model.from_dict(with_contact(surface=surface)).mechanism()


def test_approximate_distance_is_for_points_only():
    sphere = {"body": "foot.heel", "radius": 0.01}
    surface = {"mesh": CUBE, "body": "ball", "distance": "approximate"}
    with pytest.raises(ModelError, match="is approximate, which only points can be"):
        gw.Model.from_dict(with_contact(point=None, sphere=sphere, surface=surface)).mechanism()


def test_contact_from_inside_of_a_mesh():
    """Reported at the start, in one sentence."""
    surface = {"mesh": CUBE, "at": [-0.1, 0, 0.08]}
    law = {"type": "hunt-crossley", "stiffness": 1e6, "restitution": 0.5}
    model = gw.Model.from_dict(with_contact(surface=surface, law=law))
    with pytest.raises(ModelError, match=r"contact 'c' field 'approach_speed'.*starts 30 mm inside the surface"):
        model.simulate(until=0.01)


# Solids that touch each other -------------------------------------------------------------------------------------------


def two_cubes(**changes):
    """Two cubes, one on the other, as a document."""
    material = {"type": "linear-elastic", "youngs_modulus": 1e6, "poissons_ratio": 0.3, "density": 1000.0}
    mesh = gw.mesh.box((0.1, 0.1, 0.1), (1, 1, 1))
    for name, level in (("top", 0.05), ("bottom", -0.05)):
        mesh = mesh.with_region(name, nodes=np.flatnonzero(np.abs(mesh.nodes[:, 2] - level) < 1e-9))
    solids = [
        {"name": name, "mesh": mesh.to_dict(), "material": material, "at": [0, 0, z], "fixed": fixed}
        for name, z, fixed in (("lower", 0.0, "bottom"), ("upper", 0.1, None))
    ]
    contact = {"name": "c", "solid": "upper", "region": "bottom", "surface": {"solid": "lower", "region": "top"}}
    contact |= {"law": {"type": "penalty"}} | changes
    return {"gaitwright": 1, "dimension": 3, "name": "cubes", "solids": solids, "contacts": [contact]}


def test_solid_touches_another_solid():
    mechanism = gw.Model.from_dict(two_cubes()).mechanism()
    (contact,), (names,) = mechanism.contacts, mechanism.contact_names
    assert names.bodies == ("lower", "upper") and contact.count == 4 and contact.faces is not None
    assert contact.faces.nodes.shape == (2, 3) and contact.faces.rims.sum() == 4
    both = {"surface": {"solid": "lower", "region": "top", "both_ways": True}}
    mechanism = gw.Model.from_dict(two_cubes(**both)).mechanism()
    assert [names.bodies for names in mechanism.contact_names] == [("lower", "upper"), ("upper", "lower")]
    assert [float(np.sum(c.weight)) for c in mechanism.contacts] == pytest.approx([0.005, 0.005])
    own = gw.Model.from_dict(two_cubes() | {"contacts": []})
    own.contact(
        gw.surfaces.Skin("upper", "bottom"), gw.surfaces.SolidSurface("lower", "top"), name="c", law=gw.laws.Penalty()
    )
    assert own.to_dict()["contacts"] == gw.Model.from_dict(two_cubes()).to_dict()["contacts"]


def test_condensed_nodes_have_no_contact():
    """They have no coordinates, and would act as if fixed to the ground."""
    document = two_cubes(surface={"solid": "lower"})
    document["solids"][0] |= {"fixed": None, "condensed": {"onto": ["top"]}}
    mechanism = gw.Model.from_dict(document).mechanism()
    (contact,), part = mechanism.contacts, cast(Any, mechanism.part("lower"))
    assert contact.faces is not None
    assert set(contact.faces.coordinates.ravel().tolist()) == set(part.at_nodes[part.kept].ravel().tolist())


def test_nodes_tied_to_a_body_have_no_contact():
    """They have no coordinates of their own; a note reports the missing contact."""
    document = two_cubes(surface={"solid": "lower"})
    document["bodies"] = [{"name": "bone", "mass": 1.0, "inertia": [1.0, 1.0, 1.0]}]
    document["solids"][0]["fixed"] = {"region": "bottom", "to": "bone"}
    mechanism = gw.Model.from_dict(document).mechanism()
    (contact,) = mechanism.contacts
    assert contact.faces is not None and (contact.faces.coordinates != GROUND).all()
    assert [note for note in mechanism.warnings if "of the 12 sides of 'lower'" in note and "10 have nodes" in note]
    document["contacts"][0]["surface"] = {"solid": "lower", "region": "bottom"}
    with pytest.raises(ModelError, match="moves with a body everywhere"):
        gw.Model.from_dict(document).mechanism()


ALONE = {"solid": None, "region": None, "surface": {"solid": "lower"}, "law": {"type": "hertz", "stiffness": 1e6}}
"""Touching side of a contact with a single point, in place of a solid."""
BAD_SOLIDS = {
    "itself": ({"surface": {"solid": "upper"}}, "'upper' cannot touch itself"),
    "no solid": ({"surface": {"solid": "lowest"}}, "surface.solid.*there is no solid 'lowest'"),
    "no region": ({"surface": {"solid": "lower", "region": "side"}}, "surface.region.*is no region of 'lower'"),
    "of a plane": ({"surface": {"plane": [0, 0, 1, 0], "both_ways": True}}, "surface.both_ways.*belongs to a solid"),
    "a sphere": (
        ALONE | {"sphere": {"body": "ground.origin", "radius": 0.01}},
        "sphere.body.*is round, and would touch 'lower' at many places.*the other way round: solid: lower",
    ),
    "its own point": (ALONE | {"point": "lower.top"}, "point.*'lower' cannot touch itself"),
    "both ways": (
        ALONE | {"point": "upper.bottom", "surface": {"solid": "lower", "both_ways": True}},
        "surface.both_ways.*needs two solids",
    ),
    "a law with memory": (
        ALONE | {"point": "upper.bottom", "law": {"type": "hunt-crossley", "stiffness": 1e6, "restitution": 0.5}},
        "law.*needs the speed of its touchdown, which a point on a surface that deforms has not.*hertz",
    ),
    "no stiffness": (ALONE | {"point": "upper.bottom", "law": {"type": "penalty"}}, "law.stiffness.*is missing"),
}  # fmt: skip


@pytest.mark.parametrize("which", BAD_SOLIDS)
def test_invalid_solid_contacts_have_a_message(which):
    changes, says = BAD_SOLIDS[which]
    document = two_cubes(**changes)
    document["contacts"][0] = {key: value for key, value in document["contacts"][0].items() if value is not None}
    with pytest.raises(ModelError, match=says):
        gw.Model.from_dict(document).mechanism()


def test_points_in_contact_with_a_solid():
    """Points of the ground, of a body and of another solid, each as a separate contact."""
    document = two_cubes(**ALONE, points=["ground.P", "upper.bottom", "pin.A"])
    document["ground"] = {"points": {"P": [0, 0, 0.06]}}
    document["bodies"] = [
        {"name": "pin", "mass": 1.0, "inertia": [1.0] * 3, "at": [0, 0, 0.2], "points": {"A": [0, 0, 0]}}
    ]
    document["contacts"][0] = {key: value for key, value in document["contacts"][0].items() if value is not None}
    mechanism = gw.Model.from_dict(document).mechanism()
    assert [(names.name, *names.bodies) for names in mechanism.contact_names] == [
        ("c:1", "lower", "ground"), ("c:2", "lower", "upper"), ("c:3", "lower", "pin"),
    ]  # fmt: skip
    assert all(contact.by_gap and contact.faces is not None and contact.count == 1 for contact in mechanism.contacts)
    own = gw.Model.from_dict(document | {"contacts": []})
    law = gw.laws.Hertz(1e6)
    own.contact(["ground.P", "upper.bottom", "pin.A"], gw.surfaces.SolidSurface("lower"), name="c", law=law)
    assert [names.name for names in own.mechanism().contact_names] == ["c:1", "c:2", "c:3"]


def test_too_many_pairs_are_rejected(monkeypatch):
    from gaitwright.model.reader import solid_contacts

    monkeypatch.setattr(solid_contacts, "MAX_NODE_PAIRS", 15)
    with pytest.raises(ModelError, match="4 nodes may touch 4 others, 16 pairs"):
        gw.Model.from_dict(two_cubes()).mechanism()
