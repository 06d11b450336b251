"""Pads, pressures and comfort of a worn device."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.wear.comfort import comfort_of, pads_of, pressures_of

from ..people import SUBJECT, ankle_spring, two_halves

PAD = {"youngs_modulus": 1e5, "thickness": 0.01, "height": 0.1, "width": 0.12, "radius": 0.05, "face": "front"}


@pytest.fixture(scope="module")
def walk():
    return gw.gait.schematic_walk(SUBJECT)


@pytest.fixture(scope="module")
def worn(walk):
    return gw.wear.put_on(ankle_spring(stiffness=30.0), walk)


def test_cuffs_become_pads_and_assumptions_are_noted(worn):
    pads = pads_of(worn)
    assert list(pads) == ["right_calf"]
    assert pads["right_calf"].pad.region == "calf"
    comfort = comfort_of(worn)
    assert "a closed cuff 80 mm wide" in comfort.notes[0]
    assert any(note.startswith("right_sole: on the foot") for note in comfort.notes)
    assert comfort.share_pain is not None
    assert 0.0 < comfort.share_pain < 1.0


def test_pressures_carry_the_force_of_the_cuff(worn):
    found, _ = pressures_of(worn)
    one = found["right_calf"]
    force = worn.cuffs["force"].sel(cuff="right_calf").to_numpy()
    np.testing.assert_allclose(one.force, force[np.isfinite(force).all(axis=1)])
    pressed = -(one.values * one.cells.area) @ one.cells.normal[:, :3]
    across = np.hypot(one.force[:, 0], one.force[:, 2])
    worst = int(np.argmax(across))
    # friction carries a part of it, all around the limb
    assert np.hypot(*pressed[worst, [0, 2]]) == pytest.approx(across[worst], rel=0.4)


def test_own_pad_replaces_the_assumed_one(worn):
    wide = gw.wear.CuffPad("calf", 0.16, 360.0, strap=60.0)
    usual, own = comfort_of(worn), comfort_of(worn, pads={"right_calf": wide})
    assert own.worst.peak < usual.worst.peak
    assert not any("assumed" in note for note in own.notes if note.startswith("right_calf"))
    with pytest.raises(ModelError, match="did you mean 'right_calf'"):
        comfort_of(worn, pads={"rightcalf": wide})


@pytest.mark.slow
def test_the_other_leg_is_the_mirror_image(walk):
    both = gw.wear.put_on(ankle_spring(stiffness=30.0, side="both"), walk)
    comfort = comfort_of(both)
    right, left = (comfort.cuffs[f"{side}_calf"] for side in ("right", "left"))
    assert left.peak == pytest.approx(
        right.peak, rel=0.05
    )  # the legs of the walk are half a cycle apart, with other samples


def test_pad_of_the_device_file_is_used(walk):
    device = two_halves(stiffness=2.0, mass=0.3, type="pad", pad=PAD)
    placed = pads_of(gw.wear.put_on(device, walk))
    pad = placed["right_shank"].pad
    assert pad.region == "shin"
    assert pad.length == pytest.approx(0.12)
    assert pad.cushion is not None
    assert pad.cushion.youngs_modulus == 1e5
    assert placed["right_thigh"].pad.region == "thigh"


def test_a_dose_per_hour_counts_cycles_and_not_records(worn):
    """The dose per hour at the number of cycles of a walk without pauses equals the dose without `cycles_per_hour`,
    however many cycles the record has."""
    seconds = float(np.mean([cycle.duration for cycle in worn.cycles.all]))
    usual, counted = comfort_of(worn), comfort_of(worn, cycles_per_hour=3600.0 / seconds)
    assert counted.worst.dose_per_hour == pytest.approx(usual.worst.dose_per_hour)


def test_the_outer_side_of_the_left_leg_is_its_left(walk):
    device = two_halves(stiffness=2.0, mass=0.3, type="pad", pad={**PAD, "face": "outer"})
    pads = pads_of(gw.wear.put_on(device, walk, side="both"))
    facing = {name: placed.pad.facing for name, placed in pads.items()}
    assert facing == {"right_thigh": 90.0, "right_shank": 90.0, "left_thigh": 270.0, "left_shank": 270.0}


def test_moments_are_those_about_the_axis_of_the_limb(walk):
    """For a pad drawn on the skin: M' = M - c x F, with c one radius inwards."""
    device = two_halves(stiffness=2.0, mass=0.3, type="pad", pad=PAD).to_dict()
    for body in device["bodies"]:
        body["points"]["cuff"][0] = 0.06
    worn = gw.wear.put_on(gw.Model.from_dict(device), walk)
    placed, found = pads_of(worn)["right_shank"], pressures_of(worn, "uniform")[0]["right_shank"]
    assert placed.centre == pytest.approx(-placed.pad.mean_radius * placed.pad.outward)
    force, moment = (worn.cuffs[kind].sel(cuff="right_shank").to_numpy() for kind in ("force", "moment"))
    assert found.moment == pytest.approx(moment - np.cross(placed.centre, force), abs=1e-12)
    assert np.abs(found.moment - moment).max() > 0.01


def test_searches_use_the_thresholds_of_the_wearers_sex():
    man = gw.gait.schematic_walk(gw.gait.Subject(73.0, 1.74, "male"), 1.4)
    tried = gw.wear.device_analysis(man)(ankle_spring(stiffness=280.0))
    shares = {
        sex: tried.worn.comfort(method="foundation", sex=sex).share_pain for sex in ("men", "women")
    }  # women feel pain at lower pressures
    assert tried.numbers["comfort.pain"] == pytest.approx(shares["men"]) and shares["men"] < shares["women"]
