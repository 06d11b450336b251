"""Soft layers on rigid bodies as the touching side: in files and in Python, and messages for invalid input."""

from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError

BOX = {"box": {"sides": [0.1, 0.08, 0.02], "divisions": [2, 2, 1]}}
SOFT: dict[str, Any] = {"body": "foot", "mesh": BOX, "region": "bottom", "thickness": 0.01, "modulus": 1e5}


def document(foundation: dict[str, Any] | None = None, **contact: Any) -> dict[str, Any]:
    body = {
        "name": "foot",
        "mass": 1.0,
        "inertia": [1e-3, 1e-3, 1e-3],
        "at": [0.0, 0.0, 0.01],
        "points": {"P": [0, 0, 0.1]},
    }
    entry = {"name": "sole", "foundation": SOFT | (foundation or {}), "surface": {"plane": [0, 0, 1, 0]}} | contact
    return {"gaitwright": 1, "dimension": 3, "bodies": [body], "contacts": [entry]}


def facets(raw: dict[str, Any]) -> Any:
    mechanism = gw.Model.from_dict(raw).mechanism()
    return mechanism.contacts[0], mechanism.contact_names[0]


def test_facets_have_their_area_modulus_and_thickness():
    """The oedometric modulus, and for bristles the shear stiffness of the layer."""
    thickness = np.linspace(0.01, 0.02, 8).tolist()
    contact, names = facets(
        document({"thickness": thickness, "poisson": 0.4}, friction={"type": "bristle", "coefficient": 0.6})
    )
    assert contact.count == 8 and contact.by_gap and names.law == "winkler" and names.bodies == ("ground", "foot")
    assert float(np.sum(contact.weight)) == pytest.approx(0.008)
    assert contact.law[1][:, 0] == pytest.approx(1e5 * 0.6 / (1.4 * 0.2)) and contact.law[1][:, 1].tolist() == thickness
    assert contact.friction[1][:, 1] == pytest.approx(1e5 / 2.8 / np.array(thickness))


def test_places_of_facets():
    """With the origin at a point of the body, rotated and moved; or as midpoints with areas."""
    _, plain = facets(document())
    _, moved = facets(document({"body": "foot.P", "at": [0.5, 0.0, 0.0], "angle": np.pi / 2}))
    points = plain.skin.places(plain.skin.carried)
    turned = np.stack([-points[:, 1] + 0.5, points[:, 0], points[:, 2] + 0.1], axis=1)
    assert moved.skin.places(moved.skin.carried) == pytest.approx(turned)
    given = {"mesh": None, "region": None, "points": points.tolist(), "areas": plain.skin.areas.tolist()}
    contact, loose = facets(document(given))
    assert loose.skin.places(loose.skin.carried) == pytest.approx(points) and contact.weight == pytest.approx(0.001)


@pytest.mark.parametrize("made", ["shape", "mesh", "region"])
def test_foundation_is_saved(made: str, tmp_path: Any):
    """A mesh is written to a file beside the model."""
    mesh: Any = {"shape": BOX, "mesh": gw.mesh.box((0.1, 0.08, 0.02), (2, 2, 1))}.get(made, BOX)
    region: Any = gw.mesh.PlaneSelector((0, 0, -0.01), (0, 0, 1)) if made == "region" else "bottom"
    model = gw.Model("foot", dimension=3).body("foot", mass=1.0, inertia=(1e-3,) * 3, at=(0, 0, 0.01))
    soft = gw.surfaces.Foundation("foot", mesh, region, thickness=np.full(8, 0.01), modulus=1e5, poisson=0.2)
    model.contact(soft, gw.surfaces.PlaneGround(), law=gw.laws.Winkler(damping=2.0), name="sole")
    again = gw.load(model.save(tmp_path / "foot.yaml"))
    for one in (model, again):
        contact: Any = one.mechanism().contacts[0]
        assert contact.count == 8 and contact.law[1][0] == pytest.approx([1e5 * 0.8 / (1.2 * 0.6), 0.01, 2.0, 1.0])


WRONG: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "body": ({"body": "fot"}, {}, r"'foundation.body'.*fot"),
    "region": ({"region": "sole"}, {}, r"'foundation.region'.*is no region of the mesh.*bottom"),
    "no mesh": ({"mesh": None}, {}, r"'foundation.mesh'.*is missing, and so are points"),
    "both": ({"points": [[0, 0, 0]]}, {}, r"'foundation.mesh'.*is given besides points"),
    "areas": ({"areas": 1.0}, {}, r"'foundation.areas'.*belong to points"),
    "no areas": ({"mesh": None, "region": None, "points": [[0, 0, 0]]}, {}, r"'foundation.areas'.*are missing"),
    "count": ({"thickness": [0.01, 0.02]}, {}, r"'foundation.thickness'.*has 2 numbers.*8 facets"),
    "negative": ({"modulus": -1.0}, {}, r"'foundation.modulus'.*greater than zero"),
    "poisson": ({"poisson": 0.5}, {}, r"'foundation.poisson'.*incompressible.*below 1/2"),
    "modulus": ({"modulus": None}, {}, r"'law.stiffness'.*is missing.*modulus of the foundation"),
    "thickness": ({"thickness": None}, {}, r"'law.thickness'.*is missing.*thickness of the foundation"),
    "width": ({"width": 1.0}, {}, r"'foundation.width'.*in the plane"),
    "law": ({}, {"law": {"type": "hertz"}}, r"'law.stiffness'.*is missing"),
    "approach": (
        {},
        {"law": {"type": "flores", "stiffness": 1e5, "restitution": 0.5}},
        r"'law'.*speed of its touchdown",
    ),
    "itself": ({}, {"surface": {"plane": {"point": "foot.P", "normal": [0, 0, 1]}}}, r"'foot' cannot touch itself"),
    "two": ({}, {"point": "foot.P"}, r"what touches is given as point and as foundation"),
    "field": ({"stiffness": 3.0}, {}, r"stiffness"),
    "moreau": ({}, {}, r"does not support"),
}


@pytest.mark.parametrize(("foundation", "contact", "said"), WRONG.values(), ids=WRONG)
def test_invalid_foundation_has_a_message(foundation: dict[str, Any], contact: dict[str, Any], said: str):
    with pytest.raises(ModelError, match=said):
        model = gw.Model.from_dict(document(foundation, **contact))
        model.simulate(0.1, method="moreau", step=0.01)


def test_planar_foundation_has_a_width():
    model = gw.Model("foot").body("foot", mass=1.0, inertia=1e-3, at=(0, 0.01))
    outline = gw.mesh.rectangle((0.1, 0.02), (4, 1))
    model.contact(
        gw.surfaces.Foundation("foot", outline, "bottom", thickness=0.01, modulus=1e5),
        gw.surfaces.LineGround(),
        name="sole",
    )
    assert float(np.sum(model.mechanism().contacts[0].weight)) == pytest.approx(0.1)
