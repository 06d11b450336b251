"""Soft layers below a foot: several layers combine to one, and invalid layers are rejected."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.foot.soft_layers import combine_in_series


def moduli(youngs, nu):
    return youngs * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu)), youngs / (2.0 * (1.0 + nu))


@pytest.mark.parametrize("nu", [0.0, 0.3, 0.45])
def test_layers_on_each_other_are_springs_in_series(nu):
    """In compression and shear, t/K and t/G are additive."""
    thick, youngs = np.array([0.018, 0.012]), np.array([1.75e5, 1.5e5])
    below = (gw.foot.Insole(6e-3, 3e5, nu), gw.foot.Insole(0.012, 2e6, 0.1))
    t, e, poisson = combine_in_series(thick, youngs, np.full(2, 0.45), below)
    for which in (0, 1):
        parts = [(thick, youngs, 0.45), *((one.thickness, one.youngs_modulus, one.poissons_ratio) for one in below)]
        assert t / moduli(e, poisson)[which] == pytest.approx(sum(h / moduli(y, p)[which] for h, y, p in parts))
    assert t == pytest.approx(thick + 0.018) and ((poisson >= 0.0) & (poisson < 0.5)).all()


def test_nothing_below_changes_nothing():
    given = np.array([0.01]), np.array([1e5]), np.array([0.4])
    assert np.allclose(combine_in_series(*given, ()), given, rtol=1e-12)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: gw.foot.Insole(6.0, 3e5), r"insole field 'thickness'.*more than a layer.*reads like mm: 0.006 m"),
        (lambda: gw.foot.Insole(0.0, 3e5), "insole field 'thickness'.*not positive"),
        (lambda: gw.foot.Insole(6e-3, 0.3), "insole field 'youngs_modulus'.*less than any foam has"),
        (lambda: gw.foot.Insole(6e-3, 3e5, 0.5), "insole field 'poissons_ratio'.*not that of a layer"),
        (lambda: gw.foot.Insole(6e-3, 3e5, damping=-1.0), "insole field 'damping'"),
        (lambda: gw.foot.Mat(6e-3, 3e5, sides=(0.3, -0.1)), "mat field 'sides'.*not positive"),
        (lambda: gw.foot.Mat(6e-3, 3e5, size=0.0), "mat field 'size'.*not positive"),
    ],
)  # fmt: skip
def test_invalid_layers_are_rejected(wrong, said):
    with pytest.raises(ModelError, match=said):
        wrong()
