"""Sampling of designs within bounds."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.design.sampling import sample_designs
from gaitwright.mechanisms import jansen_leg

BOUNDS = {"L3": (0.26, 0.30), "L6": (0.39, 0.43)}


@pytest.fixture(scope="module")
def leg():
    return jansen_leg()


@pytest.mark.parametrize("sampling", ["sobol", "grid", "random"])
def test_designs_lie_within_the_bounds(leg, sampling):
    found = sample_designs(leg, BOUNDS, 100, sampling=sampling)
    assert list(found) == list(BOUNDS)
    for name, (low, high) in BOUNDS.items():
        assert found[name].shape == (100,)
        assert low <= found[name].min() and found[name].max() <= high
        assert np.ptp(found[name]) > 0.9 * (high - low)


def test_a_grid_is_all_combinations(leg):
    found = sample_designs(leg, BOUNDS, 30, sampling="grid")  # 5 x 5 of at most 30
    assert {(a, b) for a, b in zip(found["L3"], found["L6"], strict=True)} == {
        (a, b) for a in np.linspace(0.26, 0.30, 5) for b in np.linspace(0.39, 0.43, 5)
    }


def test_the_same_seed_gives_the_same_designs(leg):
    one, other, another = (sample_designs(leg, BOUNDS, 10, seed=seed)["L3"] for seed in (1, 1, 2))
    assert np.array_equal(one, other) and not np.array_equal(one, another)


@pytest.mark.parametrize(
    ("bounds", "options", "message"),
    [
        ({"L33": (0, 1)}, {}, "'L33'.*not a parameter.*did you mean 'L3'"),
        ({"L3": (0.28, 0.30)}, {}, "excludes its value in the model, 0.277"),
        ({"L3": (0.30, 0.26)}, {}, "the lower one first"),
        ({"L3": 0.3}, {}, "two finite numbers"),
        ({}, {}, "is empty"),
        (BOUNDS, {"count": 0}, "number of designs"),
        (BOUNDS, {"sampling": "best"}, "one of sobol, grid, random"),
    ],
)
def test_invalid_bounds_are_reported(leg, bounds, options, message):
    with pytest.raises(ModelError, match=message):
        sample_designs(leg, bounds, **{"count": 10, **options})


def test_a_grid_of_one_design_is_refused():
    leg = gw.mechanisms.jansen_leg()
    bounds = {"L3": (0.26, 0.30), "L6": (0.39, 0.43)}
    with pytest.raises(gw.ModelError, match=r"'count'.*too small for a grid of 2 parameters.*3.*at least 4"):
        sample_designs(leg, bounds, 3, sampling="grid")
    assert sample_designs(leg, bounds, 8, sampling="grid")["L3"].size == 4
