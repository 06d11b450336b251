"""Scenes validate their arrays, and determine their size and the frames to show."""

import numpy as np
import pytest

from gaitwright.report.scenes.planar_scene import SHAPE_KINDS, SHAPE_POINT_COUNTS, PlanarScene, SceneShape

TIME = np.linspace(0, 1, 5)
BAR = np.tile([[0.0, 0.0], [1.0, 0.0]], (5, 1, 1))
FLOOR = SceneShape("floor", "ground", [[[-100, -0.1], [100, -0.1]]])


def scene(**changes):
    return PlanarScene(**({"title": "bar", "time": TIME, "shapes": [SceneShape("bar", "link", BAR), FLOOR]} | changes))


@pytest.mark.parametrize("kind", SHAPE_KINDS)
def test_every_kind_can_be_created(kind):
    points = np.concatenate([BAR, BAR[:, :1] + BAR[:, 1:]], axis=1) if kind == "actuator" else BAR
    assert SceneShape("x", kind, points).at(4).shape == points.shape[1:]
    if kind in SHAPE_POINT_COUNTS:
        with pytest.raises(ValueError, match=SHAPE_POINT_COUNTS[kind][1]):
            SceneShape("x", kind, np.concatenate([points, BAR], axis=1))


def test_fixed_ground_is_the_same_in_every_frame():
    assert FLOOR.at(3) is not None
    np.testing.assert_array_equal(FLOOR.at(3), FLOOR.at(0))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("x", "rope", BAR), "kind 'rope'"),
        (("x", "link", BAR[0]), r"shape \(2, 2\)"),
        (("x", "link", np.zeros((5, 2, 3))), "n_frames, n_points, 2"),
        (("x", "link", np.zeros((0, 2, 2))), "n_frames, n_points, 2"),
        (("x", "link", BAR * np.nan), "NaN or infinity"),
        (("x", "link", BAR[:, :1]), "1 point"),
        (("x", "body", BAR, True), "closed outline 3"),
        (("x", "spring", np.zeros((5, 3, 2))), "two ends"),
        (("x", "round", np.zeros((5, 3, 2))), "its centre and a point of its rim"),
    ],
)
def test_bad_shapes_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        SceneShape(*arguments)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"time": []}, "at least one instant"),
        ({"time": TIME[::-1]}, "runs backwards"),
        ({"time": TIME[:4]}, "'bar' has 5 frame"),
        ({"shapes": []}, "empty"),
        ({"shapes": [SceneShape("bar", "link", BAR[:1])]}, "'bar' has 1 frame"),
        ({"joints": {"A": np.zeros((4, 2))}}, r"joint 'A' has shape \(4, 2\)"),
        ({"joints": {"A": np.full((5, 2), np.inf)}}, "joint 'A' contains NaN"),
        ({"ground_joints": {"O"}}, "ground joint 'O'"),
        ({"traces": {"foot": np.zeros(5)}}, "trace 'foot'"),
        ({"signals": {"torque": (TIME, np.zeros(4), "N m")}}, "signal 'torque'"),
        ({"signals": {"torque": (TIME, TIME + np.inf, "N m")}}, "signal 'torque' is infinite"),
        ({"forces": {"toe": (np.zeros((5, 2)), np.zeros((4, 2)))}}, r"vectors of force 'toe' have shape \(4, 2\)"),
        ({"table": [("a", "b"), ("c",)]}, "differ in length"),
    ],
)
def test_bad_scenes_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        scene(**changes)


def test_table_cells_become_text():
    assert scene(table=[("steps",), (3,)]).table == [("steps",), ("3",)]


def test_bounds_contain_the_mechanism_and_not_a_long_floor():
    left, right, bottom, top = scene().bounds()
    assert -0.5 < left < 0 and 1 < right < 1.5
    assert bottom < -0.1 and top > 0


@pytest.mark.parametrize(("depth", "seen"), [(4.0, True), (40.0, False)])
def test_ground_below_is_shown_if_it_is_near(depth, seen):
    floor = SceneShape("floor", "ground", [[[-100, -depth], [100, -depth]]])
    _, _, bottom, top = scene(shapes=[SceneShape("bar", "link", BAR), floor]).bounds()
    assert (bottom < -depth) is seen and top < 1.0


def test_the_picture_of_a_single_pose_shows_the_terrain_around():
    steps = SceneShape("steps", "ground", [[[-3, 0], [0, 0], [0, -0.5], [4, -0.5], [4, 0], [50, 0]]])
    pose = PlanarScene("bar", [0.0], [SceneShape("bar", "link", BAR[:1]), steps]).bounds()
    assert pose[0] < -3 and 4 < pose[1] < 6
    run = scene(shapes=[SceneShape("bar", "link", BAR), steps]).bounds()
    assert run[0] > -0.5 and run[1] < 1.5, "what moves is not shrunk by it"


def test_bounds_contain_traces():
    assert scene(traces={"P": [[0, 0], [7, 0]]}).bounds()[1] > 7


def test_extent_of_a_round_part_includes_its_rim():
    wheel = SceneShape("wheel", "round", np.tile([[3.0, 1.0], [3.0, 1.5]], (5, 1, 1)))
    alone = scene(shapes=[wheel])
    np.testing.assert_allclose(alone.moving_points().min(axis=(0, 1)), [2.5, 0.5])
    assert alone.size() == pytest.approx(1.0), "whichever way the spoke points"
    edge, closed = wheel.edge(0)
    assert closed
    np.testing.assert_allclose(np.hypot(*(edge - (3.0, 1.0)).T), 0.5)


def test_bounds_have_a_minimum_aspect_ratio():
    fall = BAR * (0.1, 0.1) - np.linspace(0, 10, 5)[:, None, None] * (0, 1)
    left, right, bottom, top = scene(shapes=[SceneShape("bar", "link", fall)]).bounds()
    assert right - left == pytest.approx(0.6 * (top - bottom))


def test_arrows_are_scaled_by_the_median_force():
    vectors = np.array([[np.nan, np.nan], [0, 10], [0, 10], [0, 1e4], [0, 0]])
    pressed = scene(forces={"toe": (np.zeros((5, 2)), vectors)})
    assert pressed.force_scale() * 10 == pytest.approx(0.25 * pressed.size())
    assert scene(forces={"toe": (np.zeros((5, 2)), vectors * np.nan)}).force_scale() == 0.0


def test_size_excludes_the_travel_of_the_mechanism():
    journey = BAR + np.linspace(0, 50, 5)[:, None, None]
    assert scene(shapes=[SceneShape("bar", "link", journey)]).size() == pytest.approx(1.0)


def test_single_resting_point_has_bounds():
    left, right, bottom, top = PlanarScene("point", [0.0], joints={"P": [[2, 3]]}).bounds()
    assert left < 2 < right and bottom < 3 < top


def test_picked_frames_are_even_in_time_for_uneven_steps():
    time = np.linspace(0, 1, 1001) ** 3
    uneven = PlanarScene("point", time, joints={"P": np.zeros((1001, 2))})
    picked = uneven.pick_frames(11)
    assert picked[0] == 0 and picked[-1] == 1000
    np.testing.assert_allclose(time[picked], np.linspace(0, 1, 11), atol=2e-3)


@pytest.mark.parametrize("count", [2, 3, 5, 99])
def test_duplicate_time_is_picked_once(count):
    doubled = PlanarScene("impact", [0, 0.5, 0.5, 1.0, 1.0], joints={"P": np.zeros((5, 2))})
    assert (np.diff(doubled.time[doubled.pick_frames(count)]) > 0).all()


def test_all_frames_are_picked_if_they_are_few():
    np.testing.assert_array_equal(scene().pick_frames(5), np.arange(5))
