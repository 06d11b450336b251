"""Pendulums of n rods, from one to a chain of many."""

import math

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.mechanisms import pendulum

FIRST_ZERO_OF_J0 = 2.404825557695773


def test_rods_start_at_one_angle_or_at_given_angles():
    assert pendulum(n=3).to_dict() == pendulum([0.0, 0.0, 0.0]).to_dict()
    assert pendulum(0.4, n=2).to_dict() == pendulum((0.4, 0.4)).to_dict() == pendulum((0.4, 0.4), n=2).to_dict()
    assert pendulum().to_dict() == pendulum(n=1).to_dict()
    assert [link.name for link in pendulum(n=3).document.links] == ["rod1", "rod2", "rod3"]


@pytest.mark.parametrize(("angles", "n"), [((0.1, 0.2), 3), ((), None), (0.0, 0)])
def test_mismatched_angles_are_refused(angles, n):
    with pytest.raises(gw.ModelError, match="as many rods as there are angles"):
        pendulum(angles, n=n)


def test_a_single_rod_swings_like_a_physical_pendulum():
    """Small swings of a uniform rod: omega^2 = 3 g / (2 L)."""
    frequency = pendulum(-math.pi / 2, length=0.7).modes().frequencies[0]
    assert 2 * math.pi * frequency == pytest.approx(math.sqrt(1.5 * 9.81 / 0.7), rel=1e-9)


def test_many_rods_swing_like_a_hanging_chain():
    """Daniel Bernoulli's chain: omega = j_0,1 / 2 sqrt(g / L); the error decreases with twice as many rods."""
    exact = FIRST_ZERO_OF_J0 / 2 * math.sqrt(9.81 / 1.0)
    values = [2 * math.pi * pendulum(-math.pi / 2, n=n, length=1 / n).modes().frequencies[0] for n in (10, 20)]
    off = np.abs(np.array(values) / exact - 1)
    assert off[1] < 0.01 and off[1] < 0.6 * off[0]
