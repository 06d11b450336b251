"""Torque and energy of a turning crank, in the air and on the ground, in closed form and by energy balance."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.legs.leg import LegAnalysis, analyse_leg
from gaitwright.legs.phases import STANCE, SWING, TURN
from legs.turning import HIP, MASS, RADIUS, RATE, Circle, G, crank

CIRCLE = Circle(0.05)
K, MU = 3e4, 0.3
MOMENT = 0.5 * MASS * G * RADIUS
"""N m, of the crank's weight when it is level."""


@pytest.fixture(scope="module", params=["rate*t", "-rate*t-pi/2"])
def leg(request) -> LegAnalysis:
    law, friction = gw.laws.LankaraniNikravesh(K, restitution=0.5), gw.friction.SmoothCoulomb(MU)
    return analyse_leg(
        crank(request.param, penetration=CIRCLE.depth, law=law, friction=friction),
        restitutions=(1.0, 0.0),
        samples=2000,
    )


def test_in_the_air_the_drive_carries_the_weight(leg: LegAnalysis) -> None:
    air = leg.turn.air
    assert (air.torque[TURN].least, air.torque[TURN].greatest) == pytest.approx((-MOMENT, MOMENT), rel=1e-7)
    assert air.torque[TURN].mean == pytest.approx(0.0, abs=1e-9)
    for phase, work in (
        (TURN, 2 * MOMENT),
        (STANCE, CIRCLE.stance_work),
        (SWING, 2 * MOMENT - CIRCLE.stance_work),
    ):
        energy = air.energy[phase]
        assert energy.positive == pytest.approx(work, rel=1e-6), phase
        assert energy.negative == pytest.approx(-work, rel=1e-6), phase
        assert energy.absolute == pytest.approx(2 * work, rel=1e-6), phase
    assert air.dissipated == pytest.approx(0.0, abs=1e-15)
    assert air.normal[TURN] == (0.0, 0.0, 0.0)


def test_cost_of_transport(leg: LegAnalysis) -> None:
    walked = CIRCLE.body_speed * CIRCLE.period
    assert leg.turn.air.cost_of_transport == pytest.approx(4 * MOMENT / (MASS * G * walked), rel=1e-6)


def depth_over_the_stance(samples: int = 200_001) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Time, penetration and its rate over a stance, from the circle."""
    angle = np.linspace(-CIRCLE.half, CIRCLE.half, samples)
    return (
        angle / RATE,
        np.maximum(RADIUS * (np.cos(angle) - math.cos(CIRCLE.half)), 0.0),
        -RADIUS * RATE * np.sin(angle),
    )


def test_normal_force_is_that_of_the_law(leg: LegAnalysis) -> None:
    t, d, rate = depth_over_the_stance()
    for restitution, loads in leg.turn.ground.items():
        factor = 0.75 * (1 - restitution**2) / CIRCLE.touchdown_speed
        force = np.maximum(K * d**1.5 * (1 + factor * rate), 0.0)
        assert loads.normal[TURN].greatest == pytest.approx(float(force.max()), rel=1e-4)
        assert loads.normal[STANCE].mean == pytest.approx(float(np.trapezoid(force, t) / (t[-1] - t[0])), rel=1e-4)
        assert loads.normal[TURN].mean == pytest.approx(loads.normal[STANCE].mean * CIRCLE.duty, rel=1e-4)
        # linear interpolation between the samples around lift-off
        assert loads.normal[SWING].largest < 1e-3 * loads.normal[TURN].greatest
        assert loads.tangential[TURN].largest <= MU * loads.normal[TURN].greatest


def test_mean_force_does_not_depend_on_restitution(leg: LegAnalysis) -> None:
    """The integral of d^1.5 d' over a stance is zero, and the force of the law stays positive for these restitutions."""
    elastic, inelastic = leg.turn.ground[1.0], leg.turn.ground[0.0]
    assert inelastic.normal[TURN].mean == pytest.approx(elastic.normal[TURN].mean, rel=1e-5)
    assert inelastic.normal[TURN].greatest > 1.01 * elastic.normal[TURN].greatest


def test_losses_equal_the_work_of_drive_and_ground(leg: LegAnalysis) -> None:
    """Over a periodic turn: work of the drive and of the moving ground = losses. Elastic law: losses by friction only."""
    t, d, _ = depth_over_the_stance()
    angle = RATE * t
    for restitution, loads in leg.turn.ground.items():
        run, phases = loads.run, loads.phases
        ends = [float(np.interp(at, run.time, run.array("energy.work"))) for at in (phases.begin, phases.end)]
        assert ends[1] - ends[0] == pytest.approx(loads.dissipated, rel=2e-3), restitution
        assert loads.energy[TURN].positive + loads.energy[TURN].negative == pytest.approx(
            2 * math.pi * abs(loads.torque[TURN].mean), rel=1e-3
        )
        assert loads.energy[TURN].absolute == pytest.approx(
            loads.energy[STANCE].absolute + loads.energy[SWING].absolute, rel=1e-6
        )
    slip = RADIUS * RATE * np.cos(angle) - CIRCLE.body_speed
    sliding = float(np.trapezoid(MU * K * d**1.5 * np.abs(slip), t))
    assert leg.turn.ground[1.0].dissipated == pytest.approx(sliding, rel=0.02)  # smoothed near zero slip


def test_swing_does_not_depend_on_the_ground(leg: LegAnalysis) -> None:
    air = leg.turn.air
    for loads in leg.turn.ground.values():
        assert loads.energy[SWING].absolute == pytest.approx(air.energy[SWING].absolute, rel=1e-4)
        assert loads.torque[SWING] == pytest.approx(air.torque[SWING], abs=2e-3 * MOMENT)


def test_ground_is_at_the_requested_level(leg: LegAnalysis) -> None:
    assert leg.foot.level == pytest.approx(HIP - RADIUS + CIRCLE.depth, rel=1e-9)
    depth = max(float(loads.run.array("foot.penetration").max()) for loads in leg.turn.ground.values())
    assert depth == pytest.approx(CIRCLE.depth, rel=1e-5)
