"""Local equilibrium of few points: the same equilibria with fewer global steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.analysis.statics import friction_equilibrium
from gaitwright.foot.ankle_motion import step_load
from gaitwright.foot.rolling import rolling_model

SHAPE = gw.foot.from_measures()
FOOT = gw.foot.Foot(SHAPE, SHAPE.fill(0.025))


def heel_strike(frames: int = 4) -> Any:
    """The first of 100 frames of a foot that rolls: points come down, stick and slide."""
    motion = gw.foot.step()
    load = step_load(700.0, motion.time / motion.time[-1])
    model, _ = rolling_model(FOOT, motion, load, friction=0.6)
    return model.static_path(start=0.0, times=np.linspace(0.0, motion.time[-1], 100)[: frames + 1])


@pytest.mark.slow
def test_the_same_equilibria_in_fewer_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    run = heel_strike()
    monkeypatch.setattr(friction_equilibrium, "MIN_LOCAL_BALANCE_IMBALANCE", np.inf)
    plain = heel_strike()
    force, before = (np.stack([r.array(f"foot_sole.f{axis}") for axis in "xyz"]) for r in (run, plain))
    assert force == pytest.approx(before, abs=1e-8 * np.abs(force).max())
    assert run.motion.q == pytest.approx(plain.motion.q, abs=1e-9)
    assert run.evidence.newton_iterations < plain.evidence.newton_iterations
    assert np.diff(run.array("foot_sole.friction_loss")).min() >= 0.0
