"""P1: our times without the peer, and the closed form that errors are taken against."""

from __future__ import annotations

import numpy as np
import pytest

from gaitwright import bench
from gaitwright.bench import exudyn_peer, p1


def test_without_exudyn_our_times_remain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(p1, "available", lambda: False)
    monkeypatch.setattr(exudyn_peer, "available", lambda: False)
    details = p1.measure(quick=True)
    assert details["ratios"] == {} and details["ours"]["integration_seconds"] > 0
    assert "pip install 'gaitwright[bench]'" in bench.notes()[0]


def test_closed_form_of_the_leg() -> None:
    run = p1.model().kinematics(1.0, step=0.01)
    assert np.abs(p1.exact_foot(run.time) - p1.foot_of(run.mechanism, run.motion.q)).max() < 1e-12
