"""Invalid contacts of surfaces of solids: each has a message with the problem and a remedy."""

from typing import Any

import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.analysis.statics import saddle_point

WRONG: dict[str, tuple[Any, dict[str, Any], str]] = {
    "solid": (gw.surfaces.Skin("blok"), {"law": gw.laws.Penalty()}, r"'solid'.*there is no solid 'blok'.*block"),
    "region": (gw.surfaces.Skin("block", "sole"), {"law": gw.laws.Penalty()}, r"'region'.*is no region of 'block'"),
    "approach": (
        gw.surfaces.Skin("block"),
        {"law": gw.laws.HuntCrossley(1e6, 0.5)},
        r"'law'.*needs the speed of its touchdown.*penalty",
    ),
    "jump": (gw.surfaces.Skin("block"), {"law": gw.laws.KelvinVoigt(1e6, 10.0)}, r"'law'.*jumps at its touchdown"),
    "none": (gw.surfaces.Skin("block"), {"restitution": 0.5}, r"'law'.*is missing"),
    "stiffness": (gw.surfaces.Skin("block"), {"law": {"type": "hertz"}}, r"'law.stiffness'.*is missing"),
}


@pytest.mark.parametrize(("touching", "fields", "said"), WRONG.values(), ids=WRONG)
def test_invalid_contact_has_a_message(touching: Any, fields: dict[str, Any], said: str):
    model = gw.Model("block")
    material = gw.materials.LinearElastic(youngs_modulus=1e6, poissons_ratio=0.3)
    model.solid("block", gw.mesh.rectangle((0.1, 0.1), (1, 1)), material=material, density=1000.0)
    model.contact(touching, gw.surfaces.LineGround(-0.05), **fields)
    with pytest.raises(ModelError, match=said):
        model.mechanism()


def test_large_pad_rolls_from_an_unloaded_state(monkeypatch):
    """Drawn in first contact, all forces are rounding: that is equilibrium. Then reused factors give the same as new ones."""

    def pad():
        model = gw.Model("pad", dimension=3, gravity=(0, 0, 0))
        model.body("bone", mass=1.0, inertia=[0.01] * 3, at=[0, 0, 0.06])
        model.solid(
            "pad",
            gw.mesh.box((0.12, 0.06, 0.06), (8, 4, 4)),
            material=gw.materials.NeoHookean(youngs_modulus=1e6, poissons_ratio=0.4),
            density=1000.0,
            at=(0, 0, 0.03),
            fixed={"region": "top", "to": "bone"},
        )
        model.contact(
            gw.surfaces.Skin("pad", "bottom"), gw.surfaces.PlaneGround(0.0), law=gw.laws.Penalty(), name="floor"
        )
        model.drive("position", point="bone", x=0.0, y=0.0, z="0.06 - 0.002*t")
        model.drive("orientation", body="bone", angles=[0.0, "0.05*t", 0.0])
        return model.static_path(1.0, steps=5)

    small = pad()
    monkeypatch.setattr(saddle_point, "MIN_LARGE_MATRIX_UNKNOWNS", 10)
    monkeypatch.setattr(saddle_point, "MIN_FACTOR_TO_SOLVE_RATIO", 0.0)
    large = pad()
    assert small.array("floor.normal_force")[0] < 1e-9 < 100.0 < small.array("floor.normal_force")[-1]
    for name in ("floor.normal_force", "floor.area"):
        assert large.array(name) == pytest.approx(small.array(name), rel=1e-7, abs=1e-6)
