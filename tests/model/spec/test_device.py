"""The section `worn`: read, saved, changed by --set, and messages for contradictions."""

from __future__ import annotations

from pathlib import Path

import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.model.io.files import apply_override

PAD = {"youngs_modulus": 1e5, "thickness": "10 mm", "height": 0.08, "radius": "50 mm"}


def splint() -> gw.Model:
    model = gw.Model("splint", dimension=3, parameters={"shank_length": 0.43})
    model.body("shell", mass=0.3, inertia=[1e-3] * 3, at=[0, 0, 0.3], points={"calf": [0, 0, 0.1]})
    return model.cuff("calf", "shell.calf", "shank", "pad", pad=PAD)


def test_device_is_saved_and_read_back(tmp_path: Path) -> None:
    model = splint().worn("both")
    again = gw.load(model.save(tmp_path / "splint.yaml"))
    assert again.to_dict() == model.to_dict()
    assert again.document.worn is not None and again.document.worn.side == "both"
    assert again.copy(shank_length=0.5).document.worn == model.document.worn


def test_device_is_changed_by_set() -> None:
    raw = splint().to_dict()
    apply_override(raw, "worn.side=left")
    worn = gw.Model.from_dict(raw).document.worn
    assert worn is not None and worn.side == "left"


def test_section_does_not_change_analyses_of_the_model() -> None:
    """Cuffs are only used when the device is worn."""
    assert splint().check().degrees_of_freedom == 6


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"segment": "shin"}, r"cuff 'c' field 'segment': is not known.*one of pelvis, trunk, thigh"),
        ({"type": "bushing"}, r"cuff 'c' field 'stiffness': is missing"),
        ({"type": "pad"}, r"cuff 'c' field 'pad': is missing"),
        ({"stiffness": [1, 1, 1]}, r"cuff 'c' field 'stiffness': belongs to a cuff of type bushing, and this is rigid"),
        ({"type": "pad", "pad": {**PAD, "face": "front"}}, r"cuff 'c' field 'pad.width': is missing"),
        ({"type": "pad", "pad": {**PAD, "width": 0.1}}, r"cuff 'c' field 'pad.width': is for a flat pad"),
        ({"type": "bushing", "stiffness": ["1 N m", 1, 1]}, r"cuff 'c' field 'stiffness\[0\]'.*N/m"),
        ({"name": "calf"}, r"the name 'calf' is used twice"),
    ],
)
def test_contradictions_have_a_message(fields: dict, said: str) -> None:
    with pytest.raises(ModelError, match=said):
        splint().cuff(**{"name": "c", "at": "shell.calf", "segment": "shank", **fields})


def test_device_for_one_leg_is_rejected_on_the_other() -> None:
    raw = splint().to_dict()
    raw["worn"] = {"side": "right", "cuffs": [{"name": "heel", "at": "shell.calf", "segment": "left_foot"}]}
    with pytest.raises(ModelError, match=r"cuff 'heel' field 'segment': is on the left leg, but the device is worn on"):
        gw.Model.from_dict(raw)
    with pytest.raises(
        ModelError, match=r"cuff 'heel' field 'segment': names a side, and other cuffs of the device do not"
    ):
        splint().cuff("heel", "shell.calf", "left_foot")


def test_missing_points_and_series_are_reported() -> None:
    with pytest.raises(ModelError, match=r"cuff 'c' field 'at'.*no point 'knee'"):
        splint().cuff("c", "shell.knee", "shank").mechanism()
    with pytest.raises(ModelError, match=r"worn field 'over_cycle': there is no such series"):
        splint().worn("right", over_cycle=["push"])
    with pytest.raises(ModelError, match=r"'worn': is for models in space"):
        gw.Model("flat").cuff("c", "a.b", "shank")
    with pytest.raises(ModelError, match=r"worn field 'cuffs': is missing"):
        gw.Model("bare", dimension=3).worn("right")
