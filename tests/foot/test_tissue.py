"""Tissue of the literature, and user-defined tissue."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.foot.tissue import TISSUE_REGIONS


def test_every_value_has_its_source():
    for name, soft in gw.foot.Tissue().regions.items():
        assert soft.kind in ("measured", "magnitude") and soft.source, name
        assert all(any(digit.isdigit() for digit in source) for source in soft.source)
        assert 5e4 < soft.youngs_modulus < 5e5 and 0.4 <= soft.poissons_ratio < 0.5


def test_heel_pads_return_70_percent_of_energy():
    """One sinusoidal load cycle at 11 Hz, as in Bennett and Ker: loss (pi/2) tan d / (1 + (pi/4) tan d)."""
    tangent = 2.0 * np.pi * 11.0 * gw.foot.Tissue()["heel"].damping
    assert 0.5 * np.pi * tangent / (1.0 + 0.25 * np.pi * tangent) == pytest.approx(0.3, abs=0.02)


def test_heel_pads_stiffen_as_measured():
    """Compression to half height at constant volume, relative to a neo-Hookean pad of the same modulus: exp(b (I1 -
    3)), and Ogden's law (2/a (l^(a - 1) - l^(-a/2 - 1)) mu) with the exponents of two inverse analyses of heel pads."""
    half = 0.5
    measured = [2.0 / a * (half ** (a - 1.0) - half ** (-0.5 * a - 1.0)) / (half - half**-2) for a in (9.780, 12.07)]
    ours = np.exp(gw.foot.Tissue()["heel"].stiffening * (half**2 + 2.0 / half - 3.0))
    assert measured[0] < ours < 1.1 * measured[1]
    assert gw.foot.Tissue()["heel"].material()["type"] == "fung"
    assert gw.foot.Tissue.uniform(1e6, 0.3)["heel"].material()["type"] == "neo-hookean"


def test_thickness_is_interpolated_and_scales_with_the_foot():
    tissue = gw.foot.Tissue()
    along = np.linspace(0.0, 1.0, 101)
    thick = tissue.thickness(along, 0.26)
    assert thick[0] == 0.018 and thick[-1] == 0.008 and (np.diff(thick) <= 1e-15).all()
    assert np.allclose(tissue.thickness(along, 0.13), 0.5 * thick)
    assert [TISSUE_REGIONS[k] for k in tissue.zone(np.array([0.1, 0.45, 0.7, 0.95]))] == [
        "heel",
        "midfoot",
        "ball",
        "toes",
    ]


def test_a_confined_layer_is_stiffer():
    assert gw.foot.Tissue.uniform(1e6, 0.0)["heel"].confined_modulus == 1e6
    assert gw.foot.Tissue.uniform(1e6, 0.45)["toes"].confined_modulus == pytest.approx(3.793e6, rel=1e-3)


def test_values_are_set_for_a_region_or_all():
    tissue = gw.foot.Tissue().with_values("heel", youngs_modulus=9e4).scaled(2.0)
    assert tissue["heel"].youngs_modulus == 1.8e5 and tissue["heel"].kind == "told"
    assert gw.foot.Tissue.from_dict(tissue.to_dict()) == tissue


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: gw.foot.Tissue().with_values("knee", density=1.0), "knee.*is no region|is no region.*knee"),
        (lambda: gw.foot.Tissue().with_values(colour=1.0), "is nothing that tissue has"),
        (lambda: gw.foot.Tissue.uniform(-1.0, 0.3), "youngs_modulus.*not positive"),
        (lambda: gw.foot.Tissue().with_values(stiffening=-1.0), "stiffening"),
        (lambda: gw.foot.Tissue.uniform(1e6, 0.5), "poissons_ratio.*soft tissue"),
        (lambda: gw.foot.Tissue({}), "heel.*missing"),
        (lambda: gw.foot.Tissue.from_dict({"heel": {"density": 1.0}}), "not whole.*youngs_modulus"),
        (lambda: gw.foot.Tissue()["knee"], "is no region of tissue"),
        (lambda: gw.foot.Tissue().scaled(0.0), "factor.*not positive"),
    ],
)  # fmt: skip
def test_bad_input(wrong, said):
    with pytest.raises(ModelError, match=said):
        wrong()
