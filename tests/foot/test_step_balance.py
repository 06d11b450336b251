"""Balance of a step: a known pose is recovered from its force, limits at the ends of the foot, the mirror, kinematic poses."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.foot.sole_springs import make_sole_springs
from gaitwright.foot.step_balance import (
    CORRECTION_NAMES,
    FootTrack,
    StepLoad,
    balance_step,
    coordinates_of,
    correct_pose,
    corrections_of,
    tilt_towards_target,
)
from gaitwright.geometry.rotation import matrix_from_vector

SHAPE = gw.foot.from_measures()
FOOT = gw.foot.Foot(SHAPE, SHAPE.fill(0.016))
SPRINGS = make_sole_springs(FOOT, 0.6, FOOT.ankle)
FRAMES = 25


def true_track() -> FootTrack:
    """A foot that rolls from flat to a raised heel, about its ball."""
    part = np.linspace(0.0, 1.0, FRAMES)
    pitch = np.radians(0.5 - 16.0 * part**2)
    ball = np.array([0.7 * SHAPE.measures.length, 0.0, 0.0])
    rotation = np.array([matrix_from_vector(np.array([0.0, -angle, 0.0])) for angle in pitch])
    ankle = ball - [0.0, 0.0, 0.005] + (FOOT.ankle - ball) @ np.swapaxes(rotation, 1, 2)
    return FootTrack(0.4 * part, ankle, rotation)


@pytest.fixture(scope="module")
def truth():
    return balance_step(SPRINGS, true_track(), None)


def test_marker_errors_are_found_from_the_force(truth) -> None:
    """The markers have a constant error; the balance removes it from the pose that the force depends on."""
    error = np.array([4e-3, np.radians(2.0), np.radians(-1.5), 0.0, 0.0])
    true = true_track()
    poses = [correct_pose(a, r, coordinates_of(-error)) for a, r in zip(true.ankle, true.rotation, strict=True)]
    moved = FootTrack(true.time, np.array([a for a, _ in poses]), np.array([r for _, r in poses]))
    wrong = balance_step(SPRINGS, moved, None)
    balance = balance_step(SPRINGS, moved, truth.load)
    off = np.abs(wrong.load.force[:, 2] - truth.load.force[:, 2]).max()
    assert off > 400.0, "a few millimetres are hundreds of newtons"
    assert balance.load.force[:, 2] == pytest.approx(truth.load.force[:, 2], abs=2.0)
    # at light loads, a tradeoff with the uncertainty of the markers
    assert np.linalg.norm(balance.load.centre - truth.load.centre, axis=1).max() < 2.5e-3
    names, flat = list(CORRECTION_NAMES), truth.load.force[:, 2] > 200.0
    assert flat.sum() > 8
    # height and pitch are well determined by a flat sole; roll and a shift sideways replace each other
    for name, near, far in (
        ("height", 4e-4, 1.5e-3),
        ("pitch", np.radians(0.2), np.radians(1.0)),
        ("roll", 0.02, 0.02),
    ):
        k = names.index(name)
        assert balance.corrections[flat, k] == pytest.approx(np.full(flat.sum(), error[k]), abs=near)
        assert balance.corrections[~flat, k] == pytest.approx(np.full((~flat).sum(), error[k]), abs=far)
    assert not balance.flagged.any()


def test_exact_markers_need_no_correction(truth) -> None:
    balance = balance_step(SPRINGS, true_track(), truth.load)
    assert np.abs(balance.corrections).max() < 1e-3, "m and rad; frames stop when the cost hardly decreases"
    assert balance.angles == pytest.approx(truth.angles, abs=2e-3)
    assert balance.load.force == pytest.approx(truth.load.force, abs=1.0)


def test_conditioning_is_the_derivative_of_the_force(truth) -> None:
    true, step = true_track(), 1e-5
    k = FRAMES // 2
    raised = FootTrack(true.time[:1], true.ankle[k : k + 1] + np.array([0.0, 0.0, step]), true.rotation[k : k + 1])
    here = FootTrack(true.time[:1], true.ankle[k : k + 1], true.rotation[k : k + 1])
    one, other = (balance_step(SPRINGS, track, None) for track in (here, raised))
    slope = (one.load.force[0, 2] - other.load.force[0, 2]) / step
    assert one.stiffness[0, 0] == pytest.approx(slope, rel=0.01)
    assert 1e5 < truth.stiffness[0, 0] < 1e6, "a flat foot: hundreds of newtons per millimetre"


def test_unreachable_point_is_flagged(truth) -> None:
    """No pose presses 40 mm behind the heel: the corrections remain bounded and the frames are flagged."""
    load = StepLoad(truth.load.force, truth.load.centre - [0.25, 0.0], truth.load.free_moment)
    balance = balance_step(SPRINGS, true_track(), load)
    assert balance.flagged[1:].all()
    assert np.isfinite(balance.load.force).all()
    assert np.abs(balance.corrections[:, 1]).max() < np.radians(60.0)


def test_opposite_foot_is_mirrored(truth) -> None:
    other = make_sole_springs(gw.foot.Foot(SHAPE.mirrored(), _mirrored_mesh()), 0.6, FOOT.ankle * [1.0, -1.0, 1.0])
    load = StepLoad(truth.load.force, truth.load.centre + np.array([3e-3, 2e-3]), truth.load.free_moment)
    a = balance_step(SPRINGS, true_track(), load)
    b = balance_step(other, true_track().mirrored(), load.mirrored())
    signs = np.array([1.0, 1.0, -1.0, 1.0, -1.0])
    assert b.corrections == pytest.approx(a.corrections * signs, abs=1e-6)
    assert b.load.force == pytest.approx(a.load.force * [1.0, -1.0, 1.0], abs=1e-2)


def test_coordinates_and_corrections_are_inverse() -> None:
    corrections = np.arange(1.0, 6.0)
    assert corrections_of(coordinates_of(corrections)) == pytest.approx(corrections)


def test_tilt_of_another_model_follows_its_point_of_application(truth) -> None:
    """A pass that starts from untilted poses with the springs themselves as the other model moves their centre towards the
    target."""
    shifted = StepLoad(truth.load.force, truth.load.centre + np.array([4e-3, 0.0]), truth.load.free_moment)
    untilted = balance_step(SPRINGS, true_track(), truth.load)
    start = type(untilted)(
        untilted.track, untilted.corrections, untilted.angles, untilted.load, shifted, untilted.stiffness,
        untilted.tilting_stiffness,
    )  # fmt: skip
    tilted = tilt_towards_target(start, untilted.load, untilted.corrections[:, 0])
    middle = slice(3, FRAMES - 5)
    # a point of application further forward needs a pitch with the toes down
    assert (tilted.corrections[middle, 1] < untilted.corrections[middle, 1]).all()


def _mirrored_mesh():
    import dataclasses

    mesh = FOOT.mesh
    return dataclasses.replace(mesh, nodes=mesh.nodes * np.array([1.0, -1.0, 1.0]), cells=mesh.cells[:, [1, 0, 2, 3]])
