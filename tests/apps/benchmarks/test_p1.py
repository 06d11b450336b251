"""P1: our times without the peer, and the closed form used as reference."""

from __future__ import annotations

import numpy as np
import pytest

from gaitwright_apps import benchmarks
from gaitwright_apps.benchmarks import exudyn_peer, p1


def test_times_without_exudyn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(p1, "is_available", lambda: False)
    monkeypatch.setattr(exudyn_peer, "is_available", lambda: False)
    details = p1.measure(quick=True)
    assert details["ratios"] == {} and details["ours"]["integration_seconds"] > 0
    assert "pip install 'gaitwright[bench]'" in benchmarks.result_notes()[0]


def test_closed_form_of_the_leg() -> None:
    run = p1.p1_model().kinematics(1.0, step=0.01)
    assert np.abs(p1.exact_foot_curve(run.time) - p1.foot_positions(run.mechanism, run.motion.q)).max() < 1e-12
