"""Closed kinematics of the printed legs: constant lengths, correct derivatives, and agreement with the recomputation
of 003."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gaitwright_apps.reproductions.walking_legs_closed_form import (
    CRANK_SPEED_RAD_S,
    FOOT_POINTS,
    hip_height,
    joint_positions,
    sample_turn,
    sampled_measures,
)
from gaitwright_apps.reproductions.walking_legs_data import LEG_NAMES, PRINTED_LEGS, PRINTED_NUMBERS
from verification import benchmarks as bm

CLOSED = {"chebyshev": bm.CHEBYSHEV, "jansen": bm.JANSEN}


def table_masses(name: str) -> dict[str, float]:
    return {link: PRINTED_NUMBERS[f"4.2-mass-{link}-{name}"] for link in PRINTED_LEGS[name].links}


ANGLES = np.linspace(0.0, -2 * math.pi, 97)


@pytest.mark.parametrize("name", LEG_NAMES)
def test_bars_keep_their_lengths(name: str) -> None:
    at = joint_positions(name, ANGLES)
    for a, b, length, _ in PRINTED_LEGS[name].links.values():
        np.testing.assert_allclose(np.abs(at[a] - at[b]), length, rtol=1e-12)
    assert abs(at["O2"][0]) == pytest.approx(PRINTED_LEGS[name].base, rel=1e-14)


@pytest.mark.parametrize("name", LEG_NAMES)
def test_motion_and_torque_are_those_of_another_closed_form(name: str) -> None:
    """With Table 4.2. The benchmarks differentiate by hand and sum up forces; here series and energies are
    differentiated."""
    turn = sample_turn(name, PRINTED_LEGS[name].table, samples=1024, masses=table_masses(name))
    angle = -CRANK_SPEED_RAD_S * np.arange(1024) / 1024
    z, v, a = CLOSED[name].points(angle)[FOOT_POINTS[name]]
    np.testing.assert_allclose(turn.x + 1j * turn.y, z, atol=1e-12)
    np.testing.assert_allclose(turn.vx + 1j * turn.vy, v, atol=1e-9)
    np.testing.assert_allclose(turn.acceleration, np.abs(a), atol=1e-7)
    np.testing.assert_allclose(turn.torque, bm.leg_torque(CLOSED[name], angle), atol=1e-7)


def test_a_leg_that_cannot_be_assembled() -> None:
    with np.errstate(invalid="ignore"):
        assert np.isnan(joint_positions("jansen", ANGLES, {"L11": 2.0})["F"]).any()


@pytest.mark.parametrize("name", LEG_NAMES)
def test_numbers_are_those_of_the_reference(name: str) -> None:
    """The recomputation of 003; lengths of stance come from samples here."""
    turn = sample_turn(name, PRINTED_LEGS[name].table, masses=table_masses(name))
    ours, known = sampled_measures(turn, hip_height(name), PRINTED_LEGS[name].depth), bm.LEG_REFERENCE[name]
    for mine, theirs in {
        "step_length": "step_length", "step_height": "step_height", "curve_length": "x_range",
        "acceleration_mean": "acceleration_mean", "acceleration_swing_max": "acceleration_max_swing",
        "acceleration_stance_min": "acceleration_min_stance", "torque_swing_max": "torque_max",
        "torque_swing_min": "torque_min", "energy_swing": "energy_swing",
    }.items():  # fmt: skip
        assert ours[mine] == pytest.approx(known[theirs], rel=1e-4), mine


def test_chebyshev_lengths_are_exact() -> None:
    """The simulated leg has (3 + sqrt 7)/20 and (4 + sqrt 7)/30 m, which Table 4.2 prints as 0.282 and 0.222; its
    foot path is symmetric, as in Chebyshev's design."""
    leg = PRINTED_LEGS["chebyshev"]
    for link in ("L2", "L3", "L4"):
        assert leg.links[link][2] == pytest.approx((3 + math.sqrt(7)) / 20, rel=1e-14) and leg.table[link] == 0.282
    assert leg.base == pytest.approx((4 + math.sqrt(7)) / 30, rel=1e-14) and leg.table["base"] == 0.222
    turn = sample_turn("chebyshev", samples=256)
    np.testing.assert_allclose(turn.y[1:], turn.y[:0:-1], atol=1e-12)
    assert PRINTED_LEGS["jansen"].table == {name: link[2] for name, link in PRINTED_LEGS["jansen"].links.items()} | {
        "base": 0.257
    }
