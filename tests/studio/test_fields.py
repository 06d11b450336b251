"""Forms and help come from what checks a model."""

from __future__ import annotations

import json

import pytest

from gaitwright.errors import ModelError
from gaitwright.model.spec import REGISTRIES, Link
from gaitwright.studio.fields import forms, help_on


@pytest.mark.parametrize("dimension", [2, 3])
def test_forms_have_every_field_of_every_element(dimension):
    found = json.loads(json.dumps(forms(dimension)))
    assert {name for name, kind in found.items() if isinstance(kind, dict)} == {
        "joints",
        "drives",
        "forces",
        "law",
        "friction",
    }
    for section in ("joints", "drives", "forces"):
        assert set(found[section]) == set(REGISTRIES[section][dimension])
    fields = [
        field
        for kind in found.values()
        for given in (kind.values() if isinstance(kind, dict) else [kind])
        for field in given
    ]
    assert all(field["title"] for field in fields)
    if dimension == 2:
        assert len(found["links"]) == len(Link.model_fields)


def test_help_on_a_field():
    assert help_on("links.length")["unit"] == "m"
    assert help_on("links.0.mass")["needed"]
    assert help_on("forces.spring-damper.stiffness")["unit"] == "N/m"
    assert help_on("analysis.type")["choices"] == ["kinematic", "forward", "inverse", "static", "modes"]
    assert "slot" in help_on("joints")["choices"]
    with pytest.raises(ModelError, match="there is none"):
        help_on("links.colour")
