"""Hertz's stiffness by hand, its symmetries and limits, and the speed limit of contact laws."""

import math

import pytest

from gaitwright._core.errors import ModelError
from gaitwright.contact.material import fastest_approach, hertz_stiffness

STEEL = {"youngs_modulus_a": 207e9, "youngs_modulus_b": 207e9, "poissons_ratio_a": 0.3, "poissons_ratio_b": 0.3}


def test_steel_ball_on_a_steel_plate():
    """s = 0.91 / 207e9 = 4.396135e-12 1/Pa; K = 4 / (3 * 8.792271e-12) * sqrt(0.01) = 1.516483e10 N/m^1.5."""
    assert hertz_stiffness(0.01, math.inf, **STEEL) == pytest.approx(1.516483e10, rel=1e-6)


def test_two_equal_spheres_and_a_rigid_plate():
    """R halves between equal spheres; on a rigid plate only one body gives way."""
    one = hertz_stiffness(0.01, math.inf, **STEEL)
    assert hertz_stiffness(0.01, 0.01, **STEEL) == pytest.approx(one / math.sqrt(2), rel=1e-14)
    assert hertz_stiffness(0.01, math.inf, **{**STEEL, "youngs_modulus_b": math.inf}) == pytest.approx(
        2 * one, rel=1e-14
    )


def test_bodies_can_be_exchanged():
    one = hertz_stiffness(0.02, -0.05, 2e9, 7e10, 0.4, 0.33)
    assert hertz_stiffness(-0.05, 0.02, 7e10, 2e9, 0.33, 0.4) == pytest.approx(one, rel=1e-14)


def test_formula_of_the_paper():
    """Paper 004 Eq 2.2 as printed, which needs finite radii."""
    a, b = (1 - 0.4**2) / 2e9, (1 - 0.33**2) / 7e10
    assert hertz_stiffness(0.02, 0.05, 2e9, 7e10, 0.4, 0.33) == pytest.approx(
        4 / (3 * (a + b)) * math.sqrt(0.02 * 0.05 / (0.02 + 0.05)), rel=1e-14
    )


def test_hollow_is_stiffer_and_a_huge_hollow_is_a_plate():
    plate = hertz_stiffness(0.01, math.inf, **STEEL)
    assert hertz_stiffness(0.01, -0.02, **STEEL) == pytest.approx(plate * math.sqrt(2), rel=1e-14)
    assert hertz_stiffness(0.01, -1e9, **STEEL) == pytest.approx(plate, rel=1e-9)


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"radius_a": 0.0}, "'radius_a': a sphere of no size.*math.inf for a plane"),
        ({"radius_b": math.nan}, "'radius_b'"),
        ({"radius_a": math.inf}, "'radius_b': two planes do not touch at a point.*exponent 1"),
        ({"radius_b": -0.005}, "'radius_b': the body does not fit into the hollow.*-0.005.*radius_a = 0.01"),
        ({"radius_b": -0.01}, "does not fit"),
        ({"youngs_modulus_a": 0.0}, "'youngs_modulus_a'.*207e9 for steel"),
        ({"youngs_modulus_b": -1.0}, "'youngs_modulus_b'"),
        ({"youngs_modulus_a": math.inf, "youngs_modulus_b": math.inf}, "'youngs_modulus_b': two rigid bodies"),
        ({"poissons_ratio_a": 0.51}, "'poissons_ratio_a'.*at most 0.5"),
        ({"poissons_ratio_b": -1.0}, "'poissons_ratio_b'"),
    ],
)
def test_invalid_values_raise(changes, message):
    with pytest.raises(ModelError, match=message):
        hertz_stiffness(**{"radius_a": 0.01, "radius_b": math.inf, **STEEL, **changes})


def test_fastest_approach():
    """sqrt(207e9 / 7800) = 5151.55 m/s."""
    assert fastest_approach(207e9, 7800.0) == pytest.approx(0.0515155, rel=1e-5)


@pytest.mark.parametrize(
    "changes, message", [((0.0, 7800.0), "'youngs_modulus'.*Pa"), ((207e9, -1.0), "'density'.*kg")]
)
def test_fastest_approach_needs_a_material(changes, message):
    with pytest.raises(ModelError, match=message):
        fastest_approach(*changes)
