"""A scene says what is wrong with its arrays, and knows how large it is and which frames to show."""

import numpy as np
import pytest

from gaitwright.report.scene import ENDS, KINDS, Scene, Shape

TIME = np.linspace(0, 1, 5)
BAR = np.tile([[0.0, 0.0], [1.0, 0.0]], (5, 1, 1))
FLOOR = Shape("floor", "ground", [[[-100, -0.1], [100, -0.1]]])


def scene(**changes):
    return Scene(**({"title": "bar", "time": TIME, "shapes": [Shape("bar", "link", BAR), FLOOR]} | changes))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_made(kind):
    points = np.concatenate([BAR, BAR[:, :1] + BAR[:, 1:]], axis=1) if kind == "actuator" else BAR
    assert Shape("x", kind, points).at(4).shape == points.shape[1:]
    if kind in ENDS:
        with pytest.raises(ValueError, match=ENDS[kind][1]):
            Shape("x", kind, np.concatenate([points, BAR], axis=1))


def test_a_still_ground_is_the_same_in_every_frame():
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
        Shape(*arguments)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"time": []}, "at least one instant"),
        ({"time": TIME[::-1]}, "runs backwards"),
        ({"time": TIME[:4]}, "'bar' has 5 frame"),
        ({"shapes": []}, "empty"),
        ({"shapes": [Shape("bar", "link", BAR[:1])]}, "'bar' has 1 frame"),
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


def test_bounds_hold_the_mechanism_and_are_not_stretched_by_a_long_floor():
    left, right, bottom, top = scene().bounds()
    assert -0.5 < left < 0 and 1 < right < 1.5
    assert bottom < -0.1 and top > 0


@pytest.mark.parametrize(("depth", "seen"), [(4.0, True), (40.0, False)])
def test_the_ground_below_is_shown_if_it_is_not_too_far(depth, seen):
    floor = Shape("floor", "ground", [[[-100, -depth], [100, -depth]]])
    _, _, bottom, top = scene(shapes=[Shape("bar", "link", BAR), floor]).bounds()
    assert (bottom < -depth) is seen and top < 1.0


def test_the_picture_of_a_single_pose_shows_the_terrain_around():
    steps = Shape("steps", "ground", [[[-3, 0], [0, 0], [0, -0.5], [4, -0.5], [4, 0], [50, 0]]])
    pose = Scene("bar", [0.0], [Shape("bar", "link", BAR[:1]), steps]).bounds()
    assert pose[0] < -3 and 4 < pose[1] < 6
    run = scene(shapes=[Shape("bar", "link", BAR), steps]).bounds()
    assert run[0] > -0.5 and run[1] < 1.5, "what moves is not shrunk by it"


def test_bounds_hold_traces():
    assert scene(traces={"P": [[0, 0], [7, 0]]}).bounds()[1] > 7


def test_a_round_part_reaches_as_far_as_its_rim():
    wheel = Shape("wheel", "round", np.tile([[3.0, 1.0], [3.0, 1.5]], (5, 1, 1)))
    alone = scene(shapes=[wheel])
    np.testing.assert_allclose(alone.moving_points().min(axis=(0, 1)), [2.5, 0.5])
    assert alone.size() == pytest.approx(1.0), "whichever way the spoke points"
    edge, closed = wheel.edge(0)
    assert closed
    np.testing.assert_allclose(np.hypot(*(edge - (3.0, 1.0)).T), 0.5)


def test_what_falls_straight_down_gets_a_picture_and_not_a_slit():
    fall = BAR * (0.1, 0.1) - np.linspace(0, 10, 5)[:, None, None] * (0, 1)
    left, right, bottom, top = scene(shapes=[Shape("bar", "link", fall)]).bounds()
    assert right - left == pytest.approx(0.6 * (top - bottom))


def test_arrows_are_scaled_by_the_usual_force_and_not_by_the_hardest_impact():
    vectors = np.array([[np.nan, np.nan], [0, 10], [0, 10], [0, 1e4], [0, 0]])
    pressed = scene(forces={"toe": (np.zeros((5, 2)), vectors)})
    assert pressed.force_scale() * 10 == pytest.approx(0.25 * pressed.size())
    assert scene(forces={"toe": (np.zeros((5, 2)), vectors * np.nan)}).force_scale() == 0.0


def test_size_is_that_of_the_mechanism_not_of_its_journey():
    journey = BAR + np.linspace(0, 50, 5)[:, None, None]
    assert scene(shapes=[Shape("bar", "link", journey)]).size() == pytest.approx(1.0)


def test_a_lone_resting_point_still_has_a_box():
    left, right, bottom, top = Scene("point", [0.0], joints={"P": [[2, 3]]}).bounds()
    assert left < 2 < right and bottom < 3 < top


def test_picked_frames_are_even_in_time_although_the_steps_are_not():
    time = np.linspace(0, 1, 1001) ** 3
    uneven = Scene("point", time, joints={"P": np.zeros((1001, 2))})
    picked = uneven.pick_frames(11)
    assert picked[0] == 0 and picked[-1] == 1000
    np.testing.assert_allclose(time[picked], np.linspace(0, 1, 11), atol=2e-3)


@pytest.mark.parametrize("count", [2, 3, 5, 99])
def test_an_instant_stored_twice_is_picked_once(count):
    doubled = Scene("impact", [0, 0.5, 0.5, 1.0, 1.0], joints={"P": np.zeros((5, 2))})
    assert (np.diff(doubled.time[doubled.pick_frames(count)]) > 0).all()


def test_all_frames_are_kept_when_there_is_room():
    np.testing.assert_array_equal(scene().pick_frames(5), np.arange(5))
