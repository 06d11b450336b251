"""Feet on the plates of two measured walks (https://github.com/BMClab/BMC, CC BY 4.0), if available: a balanced foot model
agrees with valid plates within reported corrections, a predicted one within the accuracy of the predicted force."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.foot.step_balance import CORRECTION_NAMES

DATA = Path(os.environ.get("GAITWRIGHT_GAIT_DATA", Path(__file__).parents[3] / "shared" / "data" / "gait_bmclab"))
pytestmark = [pytest.mark.skipif(not DATA.is_dir(), reason="the trials are not here"), pytest.mark.slow]
MASSES = {"walk1": 76.5, "walk2": 72.2}
VALID_STEPS = {"walk1": ("left",), "walk2": ("right", "left")}
"""Sides with a whole stance on a plate without faults; the right plates of walk1 have faults."""
SHAPE = gw.foot.from_measures()
FOOT = gw.foot.Foot(SHAPE, SHAPE.fill(0.009))


def analysed(name: str, **options: object) -> gw.gait.GaitAnalysis:
    trial = gw.gait.load(DATA / f"{name}.trc", DATA / f"{name}.forces")
    return gw.gait.analyse(trial, gw.gait.Subject(MASSES[name], 1.75, "male"), foot=FOOT, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", VALID_STEPS)
def test_balanced_foot_agrees_with_valid_plates(name: str) -> None:
    found = analysed(name)
    for side in VALID_STEPS[name]:
        step = found.steps[side]
        assert step.mode == "balanced" and step.source == "plate"
        rms = dict(zip(CORRECTION_NAMES, step.balance.correction_rms, strict=True))
        assert rms["height"] < 5e-3
        assert max(rms["pitch"], rms["roll"]) < np.radians(4.0)
        assert step.differences["centre_rms"] < 3e-3
        assert step.differences["ankle_moment_relative"] < 0.03
        assert step.differences["up_rms"] < 0.01 * MASSES[name] * 9.81
        # peaks of platforms: MUN104 and zebris, 270 to 400 kPa
        assert 250e3 < step.pressure.regions.peak_pressure["total"] < 520e3
    if name == "walk1":
        assert found.steps["right"].mode == "predicted", "both of its plates have faults"
        assert any("does not use plate 4, plate 5" in note for note in found.notes)


@pytest.mark.parametrize("name", VALID_STEPS)
def test_predicted_foot_is_near_the_plates(name: str) -> None:
    found = analysed(name, loading="predicted")
    predicted = [side for side in VALID_STEPS[name] if side in found.steps]
    assert "left" in predicted, "the right step of walk2 begins before forces can be predicted"
    for side in predicted:
        step = found.steps[side]
        assert step.mode == "predicted" and step.source == "plate", "compared with plates that it does not use"
        assert step.differences["up_rms"] < 0.06 * MASSES[name] * 9.81
        assert step.differences["centre_rms"] < 15e-3


def test_pose_from_markers_alone_misses_the_force() -> None:
    """The reason for corrections: a sole is a hundred newtons per millimetre stiff."""
    step = analysed("walk2", loading="kinematic").steps["right"]
    assert step.mode == "kinematic" and not step.balance.corrections.any()
    assert step.differences["up_rms"] > 100.0
    assert np.median(step.balance.stiffness[:, 0]) > 5e4
