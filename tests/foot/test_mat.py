"""Soft mat below a foot: springs in series, and the weight."""

import pytest

import gaitwright as gw
from foot_blocks import AREA, HEIGHT, LENGTH, MODULUS, WIDTH, block, in_series, in_series_finite
from gaitwright._core.errors import ModelError

SHAPE = gw.foot.from_measures()
FOOT = gw.foot.Foot(SHAPE, SHAPE.fill(0.016))
THICK, SOFT, DEPTH, LOAD = 0.02, 5e5, 1e-3, 300.0
UNDER = gw.foot.Mat(THICK, SOFT, 0.0, sides=(LENGTH, WIDTH), size=0.05)


@pytest.mark.parametrize(("speed", "exact"), [("foundation", 1e-9), ("full", 5e-4)])
def test_a_block_pressed_into_a_mat(speed, exact):
    """Finite elements match up to the error of a stiff penalty."""
    pressed = block().press(DEPTH, ground=UNDER, speed=speed, law=gw.laws.Penalty(1e11) if speed == "full" else None)
    expected = (in_series_finite if speed == "full" else in_series)(DEPTH, THICK, SOFT)
    assert pressed.force == pytest.approx(expected, rel=exact)
    assert pressed.area == pytest.approx(AREA)


@pytest.mark.parametrize(("speed", "exact"), [("foundation", 1e-6), ("full", 0.02)])
def test_a_block_that_stands_on_a_mat(speed, exact):
    law = gw.laws.Penalty(1e11) if speed == "full" else None
    standing = block().stand(LOAD, ground=UNDER, speed=speed, ankle="held", friction=None, law=law)
    assert standing.force == pytest.approx(LOAD, rel=1e-6)
    assert standing.sinking == pytest.approx(LOAD / AREA * (HEIGHT / MODULUS + THICK / SOFT), rel=exact)


def test_a_mat_gives_the_same_results_as_an_insole():
    """With the foundation speed on a level ground both are the same layer, except for the mass of the insole and its
    distance below the hinges."""
    properties = {"thickness": 0.01, "youngs_modulus": 2e5, "density": 1.0}
    mat = FOOT.stand(LOAD, ground=gw.foot.Mat(**properties), speed="foundation")
    worn = FOOT.wearing(gw.foot.Insole(**properties)).stand(LOAD, speed="foundation")
    assert mat.force == pytest.approx(LOAD, rel=1e-6)
    assert mat.quarters == pytest.approx(worn.quarters, abs=0.015)
    assert mat.peak_pressure == pytest.approx(worn.peak_pressure, rel=0.02)
    assert mat.sinking == pytest.approx(worn.sinking, rel=0.02)


@pytest.mark.slow
@pytest.mark.parametrize(("thick", "modulus"), [(0.02, 1e6), (0.01, 1e5)])
def test_a_foot_stands_on_a_mat_of_finite_elements(thick, modulus):
    """Free ankle, with friction: the load matches, and results are close to the foundation speed, which is 10 % off
    where a mat spreads the pressure."""
    mat, foot = gw.foot.Mat(thick, modulus), gw.foot.Foot(SHAPE, SHAPE.fill(0.02))
    found, fast = (foot.stand(LOAD, ground=mat, speed=speed) for speed in ("full", "foundation"))
    assert found.force == pytest.approx(LOAD, rel=1e-6)
    assert found.quarters == pytest.approx(fast.quarters, abs=0.05)
    assert found.sinking == pytest.approx(fast.sinking, rel=0.25)


def test_a_mat_seen_from_the_side():
    """In plane models, foot and mat are springs in series as well."""
    depth = {}
    for name, ground in (("hard", None), ("soft", gw.foot.Mat(THICK, SOFT, 0.0))):
        model = gw.Model("side")
        model.body("shank", mass=LOAD / 9.81, inertia=0.1, at=(0.1, 0.3))
        model.ground_point("guide", 0.1, 0.3)
        model.joint.prismatic("ground.guide", "shank.centre", axis=[0, 1], name="guide")
        block().attach(model, "shank", at=(0.0, 0.0), speed="foundation", ground=ground, friction=None)
        depth[name] = 0.3 - model.static().array("shank.y")[-1]
    assert depth["soft"] / depth["hard"] == pytest.approx(1.0 + THICK / SOFT * MODULUS / HEIGHT, rel=1e-6)


def test_a_free_foot_tips_over_on_a_too_soft_mat():
    """The load acts on the ankle, 78 mm above: 27 N m per radian, more than such a soft mat provides across the
    foot."""
    soft = {"ground": gw.foot.Mat(0.02, 6e4), "speed": "foundation"}
    with pytest.raises(
        ModelError, match=r"stand field 'ankle': is free, and the foot tips over.*stiffer.*ankle='held'"
    ):
        FOOT.stand(350.0, **soft)
    assert FOOT.stand(350.0, ankle="held", **soft).force == pytest.approx(350.0, rel=1e-6)


def test_condensed_tissue_rejects_a_mat():
    with pytest.raises(ModelError, match=r"ground.*is a mat, and condensed tissue touches what is hard.*wearing"):
        FOOT.stand(LOAD, ground=UNDER, speed="condensed")
