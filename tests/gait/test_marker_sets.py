"""Landmarks from labels, by presets and by a user's map."""

from __future__ import annotations

import pytest

from gaitwright._core.errors import ModelError
from gaitwright.gait.marker_sets import detect_marker_set, is_computed_point, marker_sets, match_landmarks


@pytest.mark.parametrize("name", marker_sets())
@pytest.mark.parametrize(
    "dress",
    [str, str.lower, lambda s: f"Subject 1:{s}", lambda s: f"P01_{s}"],
    ids=["plain", "lower", "subject", "prefix"],
)
def test_preset_matches_its_own_names(name: str, dress) -> None:
    labels = {landmark: names[0] for landmark, names in marker_sets()[name].names().items()}
    assert detect_marker_set(dress(label) for label in labels.values()) == (
        name,
        {landmark: dress(label) for landmark, label in labels.items()},
    )


def test_own_labels_are_used() -> None:
    assert match_landmarks(["RHEE", "foo"], {"left_heel": "foo"}) == {"right_heel": "RHEE", "left_heel": "foo"}
    with pytest.raises(ModelError, match="did you mean 'foo'"):
        match_landmarks(["RHEE", "foo"], {"left_heel": "fo"})


def test_every_preset_has_the_landmarks_for_events_and_joints() -> None:
    for name, preset in marker_sets().items():
        landmarks = set(preset.landmarks)
        assert {"heel"} <= landmarks and landmarks & {"mt1", "mt2", "hallux"}, name
        assert landmarks & {"asis", "hip_centre"} and landmarks & {"knee", "knee_centre"}, name
        assert set(preset.wands.values()) <= landmarks, name


@pytest.mark.parametrize("label", ["LKneeAngles", "Bob:RHipMoment", "RAnklePower", "LFEO", "RTIP", "LHJC", "PELA"])
def test_computed_points_are_recognised(label: str) -> None:
    assert is_computed_point(label)


def test_markers_are_no_computed_points() -> None:
    for preset in marker_sets().values():
        assert not [name for names in preset.names().values() for name in names if is_computed_point(name)]
