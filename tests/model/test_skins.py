"""Contacts of surfaces of solids that are refused, each in a sentence that names what is wrong and what would do."""

from typing import Any

import pytest

import gaitwright as gw
from gaitwright.errors import ModelError

WRONG: dict[str, tuple[Any, dict[str, Any], str]] = {
    "solid": (gw.Skin("blok"), {"law": gw.Penalty()}, r"'solid'.*there is no solid 'blok'.*block"),
    "region": (gw.Skin("block", "sole"), {"law": gw.Penalty()}, r"'region'.*is no region of 'block'"),
    "approach": (
        gw.Skin("block"),
        {"law": gw.HuntCrossley(1e6, 0.5)},
        r"'law'.*needs the speed of its touchdown.*penalty",
    ),
    "jump": (gw.Skin("block"), {"law": gw.KelvinVoigt(1e6, 10.0)}, r"'law'.*jumps at its touchdown"),
    "none": (gw.Skin("block"), {"restitution": 0.5}, r"'law'.*is missing"),
    "stiffness": (gw.Skin("block"), {"law": {"type": "hertz"}}, r"'law.stiffness'.*is missing"),
}


@pytest.mark.parametrize(("touching", "fields", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said(touching: Any, fields: dict[str, Any], said: str):
    model = gw.Model("block")
    material = gw.LinearElastic(youngs_modulus=1e6, poissons_ratio=0.3)
    model.solid("block", gw.mesh.rectangle((0.1, 0.1), (1, 1)), material=material, density=1000.0)
    model.contact(touching, gw.LineGround(-0.05), **fields)
    with pytest.raises(ModelError, match=said):
        model.mechanism()
