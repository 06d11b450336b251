"""Worn layers: springs in series, more area and less pressure for the same force, in all speeds and in files."""

import pytest

import gaitwright as gw
from foot_blocks import AREA, block, in_series, in_series_finite
from gaitwright._core.errors import ModelError

SHAPE = gw.foot.from_measures()
FOOT = gw.foot.Foot(SHAPE, SHAPE.fill(0.016))
INSOLE = gw.foot.Insole(6e-3, 3e5)
SHOE = gw.foot.Insole(0.012, 2e6)
LOAD, DEPTH = 350.0, 1e-3


@pytest.mark.parametrize("speed", ["foundation", "condensed", "full"])
def test_a_block_with_a_worn_layer(speed):
    law = gw.laws.AugmentedLagrange(tolerance=1e-9) if speed == "full" else None
    pressed = block().wearing(gw.foot.Insole(0.02, 5e5, 0.0)).press(DEPTH, speed=speed, law=law)
    expected = (in_series_finite if speed == "full" else in_series)(DEPTH, 0.02, 5e5)
    assert pressed.force == pytest.approx(expected, rel=1e-6)
    assert pressed.area == pytest.approx(AREA)


@pytest.mark.parametrize("speed", ["foundation", "condensed", "full"])
def test_mass_includes_foot_and_layers(speed):
    worn = FOOT.wearing(INSOLE, SHOE)
    parts = worn.model(friction=None, speed=speed).mechanism().parts
    assert sum(part.mass for part in parts.values()) == pytest.approx(worn.mass)
    sole = FOOT.mesh.side_areas[FOOT.mesh.sides_in("sole")].sum()
    assert worn.mass - FOOT.mass == pytest.approx(200.0 * 0.018 * sole, rel=0.2)
    assert "wears 6 mm of 300 kPa and 12 mm of 2e+03 kPa" in worn.notes[-1]


@pytest.mark.parametrize(("speed", "friction"), [("foundation", 0.6), ("condensed", None)])
def test_an_insole_lowers_the_peak_and_keeps_the_force(speed, friction):
    bare, worn = (foot.stand(LOAD, speed=speed, friction=friction) for foot in (FOOT, FOOT.wearing(INSOLE)))
    for found in (bare, worn):
        assert found.force == pytest.approx(LOAD, rel=1e-6)
        assert float(found.pressure.sum()) * 5e-3**2 == pytest.approx(LOAD, rel=1e-5)
    assert worn.peak_pressure < 0.97 * bare.peak_pressure and worn.area > 1.04 * bare.area
    assert worn.sinking > bare.sinking


@pytest.mark.slow
def test_a_finite_element_insole_lowers_the_peak():
    bare, worn = (foot.stand(LOAD, friction=None) for foot in (FOOT, FOOT.wearing(INSOLE)))
    assert worn.force == pytest.approx(LOAD, rel=1e-6)
    assert worn.peak_pressure < 0.95 * bare.peak_pressure and worn.area > 1.02 * bare.area


def test_a_foot_rolls_in_its_shoe():
    bare, worn = (foot.roll(frames=21, speed="foundation") for foot in (FOOT, FOOT.wearing(INSOLE, SHOE)))
    assert worn.force[:, 2] == pytest.approx(bare.force[:, 2], rel=1e-6)
    assert float(worn.pressure.peak.max()) < float(bare.pressure.peak.max())
    assert worn.ankle[10, 2] > bare.ankle[10, 2] + 0.01


def test_worn_layers_are_saved(tmp_path):
    FOOT.wearing(INSOLE, SHOE).save(tmp_path / "shod", LOAD, speed="foundation")
    assert gw.foot.load(tmp_path / "shod").worn == (INSOLE, SHOE)


def test_a_mat_cannot_be_worn():
    with pytest.raises(ModelError, match=r"nothing that is worn.*gw.foot.Insole"):
        FOOT.wearing(gw.foot.Mat(0.02, 2e5))
