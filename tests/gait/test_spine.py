"""Load on L5/S1 of a flexed and still trunk, against a hand calculation."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.gait.inverse_dynamics import GRAVITY_M_PER_S2
from gaitwright.gait.motion import SkeletonMotion
from gaitwright.gait.schematic_motion import build_motion
from gaitwright.gait.segment_loads import Wrench
from gaitwright.gait.stationary_feet import SagittalAngles, StationaryFeetModel

SUBJECT = gw.gait.Subject(80.0, 1.8, "male")
TILT, BEND = np.radians(30.0), np.radians(25.0)
LEAN = TILT + BEND


@pytest.fixture(scope="module")
def bent() -> SkeletonMotion:
    """Legs upright, the pelvis 30 degrees forward, the trunk 25 more."""
    still = np.zeros(9)
    body = StationaryFeetModel(SUBJECT)
    return build_motion(
        body.skeleton, np.arange(9) / 100, 100.0, body.poses(SagittalAngles(still, still, still + TILT, still + BEND))
    )


def by_hand() -> tuple[float, float]:
    """Weight of the trunk, N, and its lever about L5/S1, m: along the pelvis from there to the navel, then along the
    trunk."""
    upper = SUBJECT.upper_body()
    navel, disc = SUBJECT.share("pelvis").length, 0.195 * SUBJECT.above_hips("shoulders")
    return upper.mass * GRAVITY_M_PER_S2, (navel - disc) * np.sin(TILT) + upper.centre[1] * np.sin(LEAN)


def test_flexed_and_still_trunk(bent: SkeletonMotion) -> None:
    weight, lever = by_hand()
    found = gw.gait.spine_load(bent)
    assert found.moment == pytest.approx(np.full(9, weight * lever), rel=1e-9)
    assert found.muscle == pytest.approx(found.moment / 0.05, rel=1e-12)
    assert found.compression == pytest.approx(np.full(9, weight * lever / 0.05 + weight * np.cos(LEAN)), rel=1e-9)
    assert found.shear == pytest.approx(np.full(9, weight * np.sin(LEAN)), rel=1e-9)
    assert found.peak["of_limit"] == pytest.approx(found.compression[0] / 3400)
    assert found.dataset()["compression"].attrs["units"] == "N"


def test_box_longer_lever_and_abdominal_pressure(bent: SkeletonMotion) -> None:
    """100 N, 0.4 m ahead of L5/S1; 6 cm; 5 kPa on 465 cm^2 with 11 cm."""
    weight, lever = by_hand()
    place = gw.gait.spine_load(bent).place + np.array([0.4, 0.0, -0.3])
    box = {"trunk": Wrench.at(place, [0.0, 0.0, -100.0])}
    found = gw.gait.spine_load(bent, box, lever=0.06, belly_pressure=5e3)
    moment, push = weight * lever + 40.0, 5e3 * 0.0465
    assert found.moment == pytest.approx(np.full(9, moment), rel=1e-9)
    expected = (moment - push * 0.11) / 0.06 + (weight + 100) * np.cos(LEAN) - push
    assert found.compression == pytest.approx(np.full(9, expected), rel=1e-9)


def test_device_that_holds_the_trunk_reduces_compression(bent: SkeletonMotion) -> None:
    """30 N m on the trunk against flexion, provided by the thighs: 600 N less at 5 cm; nothing else changes."""
    couple = Wrench(np.zeros((9, 3)), np.tile([0.0, -30.0, 0.0], (9, 1)))
    without, found = (gw.gait.spine_load(bent, loads) for loads in (None, {"trunk": couple}))
    assert without.compression - found.compression == pytest.approx(np.full(9, 600.0), rel=1e-9)
    assert found.shear == pytest.approx(without.shear)


def test_flexors_also_compress_the_disc(bent: SkeletonMotion) -> None:
    """With 300 N m too much support, flexors with 10 cm balance the rest."""
    weight, lever = by_hand()
    couple = Wrench(np.zeros((9, 3)), np.tile([0.0, -weight * lever - 300.0, 0.0], (9, 1)))
    found = gw.gait.spine_load(bent, {"trunk": couple})
    assert found.moment == pytest.approx(np.full(9, -300.0), rel=1e-9)
    assert found.compression == pytest.approx(np.full(9, 3000.0 + weight * np.cos(LEAN)), rel=1e-9)


def test_moment_equals_that_of_the_lumbar_joint_moved_to_the_disc(bent: SkeletonMotion) -> None:
    """Against inverse dynamics of the whole body: M at L5/S1 = M at the lumbar joint + weight times its distance ahead of
    L5/S1."""
    body = StationaryFeetModel(SUBJECT)
    from gaitwright.gait.schematic_motion import required_ground_wrench

    moments = gw.gait.joint_moments(bent, body.forces(bent, required_ground_wrench(bent, GRAVITY_M_PER_S2, {})))
    found = gw.gait.spine_load(bent)
    ahead = (bent.origin("trunk") - found.place)[:, 0]
    weight, _ = by_hand()
    assert found.moment == pytest.approx(SUBJECT.mass * moments["lumbar_moment"].to_numpy() + weight * ahead, rel=1e-9)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"lever": 5.0}, "lever.*0.05 to 0.07"), ({"lever": -0.05}, "lever"), ({"belly_pressure": -1.0}, "belly_pressure"),
        ({"loads": {"back": Wrench(np.zeros((9, 3)), np.zeros((9, 3)))}}, "no such segment"),
    ],
)  # fmt: skip
def test_invalid_arguments_are_refused(bent: SkeletonMotion, options: dict, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        gw.gait.spine_load(bent, **options)
