"""Coordinate partitioning: independent coordinates are unchanged, and partitioning is repeated if the first choice becomes
singular."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.mechanisms.pendulum import pendulum
from gaitwright.mechanisms.slider_crank import slider_crank


def one_step(stabilisation: str) -> gw.Result:
    return slider_crank(angle=0.7, spin=9.0).simulate(0.02, method="rk4", step=0.02, stabilisation=stabilisation)


def test_independent_coordinates_stay_as_they_were_integrated() -> None:
    """Three bodies on a level guide have one degree of freedom: eight of nine coordinates follow from the joints."""
    loose, held, projected = (one_step(how) for how in ("none", "partitioning", "projection"))
    moves = np.abs(loose.motion.v[-1]) > 1e-3
    assert np.any((held.motion.q[-1] == loose.motion.q[-1]) & moves), "no coordinate was left alone"
    assert not np.any((projected.motion.q[-1] == loose.motion.q[-1]) & moves), "projection moves all of them"
    assert loose.evidence.max_position_violation > 1e-7
    assert held.evidence.max_position_violation < 1e-15


def test_coordinates_are_partitioned_again_over_full_turns() -> None:
    """A mass on a rotating massless rod: x is not a function of y if the rod is level, nor y of x if it is upright."""
    model = gw.Model("whirl").ground_point("O", 0, 0)
    model.body("mass", mass=1.0, inertia=1e-3, at=(1.0, 0.0), velocity=(0.0, 8.0))
    model.joint("distance", "rod", a="ground.O", b="mass", length=1.0)
    run = model.simulate(5.0, method="rk4", step=1e-3, stabilisation="partitioning")
    x, y = run.array("mass.x"), run.array("mass.y")
    assert abs(np.unwrap(np.arctan2(y, x))[-1]) > 6 * math.pi
    assert run.evidence.max_position_violation < 1e-14 and run.evidence.max_velocity_violation < 1e-13
    assert run.evidence.max_energy_residual < 1e-6 * 32.0


@pytest.mark.parametrize("method", ["rk4", "gauss2", "dopri5"])
def test_partitioning_follows_the_same_motion_as_projection(method: str) -> None:
    how = {} if method == "dopri5" else {"step": 5e-4}
    ours, theirs = (
        pendulum((0.3, 0.1)).simulate(1.0, method=method, stabilisation=s, **how).array("rod2.angle")[-1]
        for s in ("partitioning", "projection")
    )
    assert ours == pytest.approx(theirs, abs=1e-6)
