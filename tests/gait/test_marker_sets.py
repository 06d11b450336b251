"""Landmarks from labels, by presets and by a map."""

from __future__ import annotations

import pytest

from gaitwright.errors import ModelError
from gaitwright.gait.marker_sets import landmarks, presets


@pytest.mark.parametrize("name", presets())
@pytest.mark.parametrize("dress", [str, str.lower, lambda s: f"Subject 1:{s}"], ids=["plain", "lower", "subject"])
def test_a_preset_knows_its_own_names(name: str, dress) -> None:
    first = {
        f"{side}_{mark}": names[0].format(side=side[0].upper())
        for side in ("right", "left")
        for mark, names in presets()[name].items()
    }
    assert landmarks([dress(label) for label in first.values()]) == {
        mark: dress(label) for mark, label in first.items()
    }


def test_a_map_of_ones_own() -> None:
    assert landmarks(["RHEE", "foo"], {"left_heel": "foo"}) == {"right_heel": "RHEE", "left_heel": "foo"}
    with pytest.raises(ModelError, match="did you mean 'foo'"):
        landmarks(["RHEE", "foo"], {"left_heel": "fo"})


def test_every_preset_has_what_events_and_quality_ask_for() -> None:
    for preset in presets().values():
        assert {"asis", "psis", "knee", "ankle", "heel", "mt1", "mt5"} <= set(preset)
