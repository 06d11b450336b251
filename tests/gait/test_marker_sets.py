"""Landmarks from labels, by presets and by a user's map."""

from __future__ import annotations

import pytest

from gaitwright._core.errors import ModelError
from gaitwright.gait.marker_sets import marker_presets, match_landmarks


@pytest.mark.parametrize("name", marker_presets())
@pytest.mark.parametrize("dress", [str, str.lower, lambda s: f"Subject 1:{s}"], ids=["plain", "lower", "subject"])
def test_preset_matches_its_own_names(name: str, dress) -> None:
    first = {
        f"{side}_{mark}": names[0].format(side=side[0].upper())
        for side in ("right", "left")
        for mark, names in marker_presets()[name].items()
    }
    assert match_landmarks([dress(label) for label in first.values()]) == {
        mark: dress(label) for mark, label in first.items()
    }


def test_own_labels_are_used() -> None:
    assert match_landmarks(["RHEE", "foo"], {"left_heel": "foo"}) == {"right_heel": "RHEE", "left_heel": "foo"}
    with pytest.raises(ModelError, match="did you mean 'foo'"):
        match_landmarks(["RHEE", "foo"], {"left_heel": "fo"})


def test_every_preset_has_the_landmarks_for_events_and_quality() -> None:
    for preset in marker_presets().values():
        assert {"asis", "psis", "knee", "ankle", "heel", "mt1", "mt5"} <= set(preset)
