"""Forms and help are generated from the validators of a model."""

from __future__ import annotations

import json

import pytest

from gaitwright._core.errors import ModelError
from gaitwright.model.spec.document import ELEMENT_REGISTRIES, LinkSpec
from gaitwright.studio.element_fields import element_forms, field_help


@pytest.mark.parametrize("dimension", [2, 3])
def test_forms_have_every_field_of_every_element(dimension):
    data = json.loads(json.dumps(element_forms(dimension)))
    assert {name for name, kind in data.items() if isinstance(kind, dict)} == {
        "joints",
        "drives",
        "forces",
        "law",
        "friction",
    }
    for section in ("joints", "drives", "forces"):
        assert set(data[section]) == set(ELEMENT_REGISTRIES[section][dimension])
    fields = [
        field
        for kind in data.values()
        for given in (kind.values() if isinstance(kind, dict) else [kind])
        for field in given
    ]
    assert all(field["title"] for field in fields)
    if dimension == 2:
        assert len(data["links"]) == len(LinkSpec.model_fields)


def test_help_for_a_field():
    assert field_help("links.length")["unit"] == "m"
    assert field_help("links.0.mass")["needed"]
    assert field_help("forces.spring-damper.stiffness")["unit"] == "N/m"
    assert field_help("analysis.type")["choices"] == ["kinematic", "forward", "inverse", "static", "modes"]
    assert "slot" in field_help("joints")["choices"]
    with pytest.raises(ModelError, match="there is none"):
        field_help("links.colour")
