"""Motions by name or file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.gait.motion_catalogue import SCHEMATIC_MOTIONS, motion_by_name

PERSON = gw.gait.Subject(73.0, 1.741, "male")


@pytest.mark.parametrize("name", [*SCHEMATIC_MOTIONS, "Sit to stand"])
def test_names_give_schematic_motions(name: str) -> None:
    found = motion_by_name(name, PERSON)
    assert isinstance(found, gw.gait.SchematicMotion)
    assert any("SCHEMATIC" in note for note in found.notes)


def test_load_is_passed_on() -> None:
    lifts = [
        gw.gait.spine_load(one.motion, one.loads).peak["moment"]
        for one in (
            motion_by_name("squat", PERSON, load=5.0),
            gw.gait.lift(PERSON, "squat", 5.0),
            motion_by_name("squat", PERSON, load=15.0),
        )
    ]
    assert lifts[0] == lifts[1] < lifts[2]


@pytest.mark.slow
def test_file_is_analysed(tmp_path: Path) -> None:
    walk = gw.gait.schematic_walk(PERSON, 3.3)
    path = walk.trial().save(tmp_path / "walk.c3d")
    found = motion_by_name(str(path), PERSON)
    assert found.motion is not None and len(found.motion.times) == len(walk.motion.times)
    assert np.isfinite(found.motion.position).all()


def test_unknown_name_is_refused() -> None:
    with pytest.raises(ModelError, match=r"neither a motion nor a file.*did you mean 'squat'"):
        motion_by_name("squats", PERSON)
