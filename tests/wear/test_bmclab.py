"""A spring at the ankle of a measured walk, against a trial: 5 N m per degree from foot-flat on took 42 to 53 % of the peak of
the moment, and more than 5 to 6 helped no further. As there, it is bound rigidly: soft cuffs take some of it away."""

from __future__ import annotations

import numpy as np
import pytest
from tests.gait.test_bmclab import DATA, MASSES, trial

import gaitwright as gw

pytestmark = [pytest.mark.skipif(not DATA.is_dir(), reason="the trials are not here"), pytest.mark.slow]


@pytest.fixture(scope="module")
def walk() -> gw.gait.GaitAnalysis:
    return gw.gait.analyse(trial("walk2"), gw.gait.Subject(MASSES["walk2"], 1.75, "male"), leave_out=("plate 4",))


def bound_rigidly(stiffness: float, neutral: float) -> gw.Model:
    """N m per degree; degrees."""
    model = gw.Model("spring", dimension=3, parameters={"ankle_height": 0.07, "hip_width": 0.17})
    for name, up in (("upper", 0.2), ("lower", -0.05)):
        at = [0, "-hip_width/2", "ankle_height"]
        model.body(name, mass=1e-6, inertia=[1e-8] * 3, at=at, points={"cuff": [0, 0, up]})
    stop = {"lower": -2.0, "upper": float(np.radians(neutral)), "stiffness": float(np.degrees(stiffness))}
    model.force("bumper", "spring", a="upper", b="lower", axis=[0, -1, 0], **stop)
    model.cuff("shank", "upper.cuff", "shank")
    return model.cuff("foot", "lower.cuff", "foot").worn("right")


def test_five_newton_metres_per_degree_take_half_of_the_peak_and_more_help_no_further(
    walk: gw.gait.GaitAnalysis,
) -> None:
    share = {
        k: gw.wear.put_on(bound_rigidly(k, -4.0), walk).assistance()["right_ankle"].share_of_peak
        for k in (2.5, 5.0, 7.0, 9.0)
    }
    assert 0.40 <= share[5.0] <= 0.55
    assert share[5.0] > 1.7 * share[2.5]
    assert share[7.0] - share[5.0] < 0.5 * (share[5.0] - share[2.5]) and share[9.0] < share[7.0]


def test_soft_cuffs_take_some_of_it_away(walk: gw.gait.GaitAnalysis) -> None:
    soft = gw.wear.put_on(gw.wear.devices.ankle_spring(5.0, -4.0), walk).assistance()["right_ankle"].share_of_peak
    stiff = gw.wear.put_on(bound_rigidly(5.0, -4.0), walk).assistance()["right_ankle"].share_of_peak
    assert 0.5 * stiff < soft < 0.9 * stiff
