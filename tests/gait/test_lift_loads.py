"""Schematic lifting: on still feet, in balance with any load, within published values; and recovered from markers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.gait.test_chair_rise import PEOPLE, on_still_feet, work_is_height

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.gait.inverse_dynamics import GRAVITY_M_PER_S2
from gaitwright.gait.lift_loads import Lift

STYLES = ("stoop", "squat")


@pytest.fixture(scope="module")
def lifts() -> dict[tuple[str, str], Lift]:
    return {(name, style): gw.gait.lift(PEOPLE[name], style, 15.0) for name in PEOPLE for style in STYLES}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", PEOPLE)
def test_feet_stay_and_forces_are_consistent_with_the_motion(
    lifts: dict[tuple[str, str], Lift], name: str, style: str
) -> None:
    made = lifts[name, style]
    on_still_feet(made)
    work_is_height(made, 2e-3)
    weight = (
        sum(one.mass for one in made.motion.skeleton.segments.values()) * GRAVITY_M_PER_S2
    )  # the tables are rounded
    assert made.forces.force[0, :, 2].sum() == pytest.approx(weight, rel=1e-6)
    assert made.forces.force[-1, :, 2].sum() == pytest.approx(weight + 15 * GRAVITY_M_PER_S2, rel=1e-6)


@pytest.mark.parametrize("style", STYLES)
def test_load_is_taken_while_the_hands_are_still(lifts: dict[tuple[str, str], Lift], style: str) -> None:
    made = lifts["man", style]
    start, end = made.phases["taking"]
    times = made.motion.times
    taking = (times >= start - 1e-9) & (times <= end + 1e-9)
    assert np.ptp(made.hands[taking], axis=0).max() < 1e-9
    pull, empty = made.loads["trunk"].force[:, 2], gw.gait.lift(PEOPLE["man"], style, 0.0).loads["trunk"].force[:, 2]
    assert pull[times < start] == pytest.approx(empty[times < start], abs=0.5), (
        "of arms, which balance a little otherwise"
    )
    assert pull[-1] - empty[-1] == pytest.approx(-15 * GRAVITY_M_PER_S2, abs=1e-6)
    arm = np.linalg.norm(made.hands - made.motion.place("trunk", np.array([0.0, 0.5155 - 0.1457, 0.0])), axis=1)
    assert arm.max() < 0.382 * 1.741, "of an arm with half a hand (Drillis and Contini: 0.186 + 0.146 + 0.054)"


def test_back_moments_are_within_published_values(lifts: dict[tuple[str, str], Lift]) -> None:
    """15 kg: 150 to 300 N m for a man, in either style (from memory of van Dieen et al. 1999, a review), with little
    difference (Hwang et al. 2009: not significant); stooping has the larger shear (von Arx et al. 2021, but for L5/S1)."""
    found = {style: gw.gait.spine_load(lifts["man", style].motion, lifts["man", style].loads).peak for style in STYLES}
    for peak in found.values():
        assert 150 < peak["moment"] < 300
        assert 1.0 < peak["of_limit"] < 1.8
    assert found["stoop"]["moment"] == pytest.approx(found["squat"]["moment"], rel=0.2)
    assert found["stoop"]["shear"] > found["squat"]["shear"]


def test_knee_moments_follow_the_style(lifts: dict[tuple[str, str], Lift]) -> None:
    """Squatting: knee extensors; stooping: knee flexors (Hwang et al. 2009)."""
    knee = {style: lifts["man", style].moments()["right_knee_moment"].to_numpy() for style in STYLES}
    assert knee["squat"].max() > 0.6 and knee["stoop"].max() < 0.05 and knee["stoop"].min() < -0.5
    bent = {
        style: np.degrees(gw.gait.joint_angles(lifts["man", style].motion)["right_ankle_dorsiflexion"])
        for style in STYLES
    }
    assert 15 < bent["squat"].max() < 35 and bent["stoop"].min() < 0


def test_synthetic_trial_recovers_the_motion(lifts: dict[tuple[str, str], Lift]) -> None:
    made = lifts["man", "squat"]
    trial = made.trial("box")
    assert any("SCHEMATIC" in note for note in trial.notes)
    standing = replace(trial, markers=trial.markers[:20], filled=trial.filled[:20], plates=[])
    motion = gw.gait.follow(trial, gw.gait.skeleton_of(trial, PEOPLE["man"], standing), cutoff=None)
    there, here = (gw.gait.joint_angles(one) for one in (made.motion, motion))
    for name in ("right_knee_flexion", "left_hip_flexion", "right_ankle_dorsiflexion", "trunk_flexion"):
        assert np.ptp(here[name].to_numpy() - there[name].to_numpy()) < 1e-3
    forces = gw.gait.ground_forces_from_plates(trial, cutoff=None)
    assert forces.force[..., 2] == pytest.approx(made.forces.force[..., 2], abs=1e-6)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"style": "stop"}, "no style of lifting.*did you mean 'stoop'"),
        ({"load": -1.0}, "load.*0 or more"),
        ({"load": "10 kg"}, "load.*kg"),
        ({"load": 300.0}, "300 kg.*outside the feet.*lighter"),
        ({"seconds": 0.0}, "seconds"),
    ],
)
def test_invalid_arguments_are_refused(options: dict, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        gw.gait.lift(PEOPLE["man"], **options)
