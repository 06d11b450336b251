"""The section `parts` of a model: messages contain name and field of the entry."""

import numpy as np
import pytest

import gaitwright as gw


class Bead(gw.extend.Family):
    name = "bead"
    coordinates = ("x", "y")
    units = ("m", "m")
    markers = {
        gw.extend.Place: gw.extend.MarkerKind((0, 1), (), lambda x, y: gw.extend.Marker((x, y), (), None, False))
    }

    @staticmethod
    def components(*local):
        return {("position", k): gw.extend.LinearExpression(0.0, ((k, 1.0),)) for k in range(2)}


class BeadType(gw.extend.PartType):
    name = "bead"
    parameters = {
        "mass": gw.extend.Number("kg", "mass", minimum=0.0),
        "at": gw.extend.Components("m", "where it is drawn", default=(0.0, 0.0)),
        "colour": gw.extend.Choice({"red": 0.0, "blue": 1.0}, "of no consequence", "red"),
    }

    @staticmethod
    def read(scope, name, label, mass, at, colour):
        if colour:
            raise gw.ModelError("is out of stock", element=label, field="colour", expected="red")
        return gw.extend.Part(name=name, kind="bead", family=Bead, drawn=np.array(at), mass=mass)


def document(**fields):
    return {
        "gaitwright": 1,
        "parameters": {"m": 0.1},
        "parts": [{"type": "bead", "name": "b", "mass": "2*m", **fields}],
    }


def test_fields_are_numbers_with_units_and_expressions():
    model = gw.Model.from_dict(document(at=["30 mm", "10*m"]))
    part = model.mechanism().parts["b"]
    assert part.mass == 0.2 and part.drawn.tolist() == [0.03, 1.0]
    assert model.copy(m=0.3).mechanism().parts["b"].mass == 0.6 and "1 parts" in repr(model)
    assert gw.Model.from_dict(model.to_dict()).to_dict() == model.to_dict()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"type": "beed"}, ("there is no such part", "did you mean 'bead'")),
        ({"name": None}, ("field 'name'", "is missing")),
        ({"mass": "1 m"}, ("part 'b'", "field 'mass'")),
        ({"mass": -1}, ("part 'b'", "is negative")),
        ({"size": 1}, ("part 'b'", "field 'size'")),
        ({"name": "energy"}, ("part 'energy'", "energies in every result")),
        ({"colour": "blue"}, ("part 'b'", "field 'colour'", "is out of stock")),
    ],
)
def test_invalid_part_has_a_message(fields, words):
    with pytest.raises(gw.ModelError) as caught:
        gw.Model.from_dict(document(**fields)).mechanism()
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_invalid_type_has_a_message(monkeypatch):
    with pytest.raises(gw.ModelError, match=r"there is no such part .*expected one of .*bead"):
        gw.Model().part(dict, "p", mass=1)  # type: ignore[arg-type]
    with pytest.raises(gw.ModelError, match="'type': is missing"):
        gw.Model().joint(None, a="A", b="B")  # type: ignore[arg-type]
    monkeypatch.setitem(gw.extend.PartType.registry, 3, {})
    with pytest.raises(gw.ModelError, match=r"class of gw\.extend\.PartType in the script that reads the model"):
        gw.Model(dimension=3).part("no-such-thing", "p", mass=1)


def test_negative_mass_is_rejected():
    class LeadType(gw.extend.PartType):
        name = "lead"
        parameters = {"mass": gw.extend.Number("kg", "mass")}

        @staticmethod
        def read(scope, name, label, mass):
            return gw.extend.Part(name=name, kind="bead", family=Bead, drawn=np.zeros(2), mass=mass)

    model = gw.Model().part(LeadType, "b", mass=-1)
    with pytest.raises(gw.ModelError, match=r"bead 'b' field 'mass': is negative \(got -1\.0\)"):
        model.mechanism()


def test_part_names_are_unique_and_unsupported_uses_are_rejected():
    model = gw.Model.from_dict(document())
    with pytest.raises(gw.ModelError, match="used twice, also for a body"):
        model.copy().body("b", mass=1, inertia=1).mechanism()
    with pytest.raises(gw.ModelError, match="'b' has no point 'P'"):
        model.copy().velocity("b.P", 1, 0).mechanism()
    with pytest.raises(gw.ModelError, match="has no axes"):
        model.copy().force.torsion_spring("ground", "b", stiffness=1.0).mechanism()
    with pytest.raises(gw.ModelError, match="cannot carry a surface"):
        ball = model.copy().body("ball", mass=1, inertia=1)
        ball.contact("ball", gw.surfaces.Circle("b", 0.1), law=gw.laws.Hertz(stiffness=1e5)).mechanism()
    with pytest.raises(gw.ModelError, match="no counterpart in space"):
        gw.in_space(model)
