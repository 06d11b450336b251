"""Every marker set gives the analysis of the whole body: joint angles of a synthetic person with its markers equal the true
ones, within the limits that follow from the missing markers of the set."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import gaitwright as gw
from gait.person import standing, walking
from gait.preset_person import HEIGHT, with_preset
from gaitwright.gait.marker_sets import marker_sets

SUBJECT = gw.gait.Subject(73.0, HEIGHT, "male")
EXACT = 0.05
"""deg: markers that define all axes."""


class PresetCase(NamedTuple):
    """Markers of a preset that the walk, or the static trial, lack. limits: largest errors of the sagittal and of all other
    joint angles, deg; a third one for the hips. stands: with a static trial."""

    preset: str
    walk_lacks: tuple[str, ...] = ()
    static_lacks: tuple[str, ...] = ()
    limits: tuple[float, ...] = (EXACT, EXACT)
    stands: bool = True


DEVICES = ("device_axis", "device_first", "device_second")
MEDIAL = ("knee_medial", "ankle_medial")
LOWER_BODY = (*DEVICES, *MEDIAL, "mt1", "mt5", "trochanter", "sacrum", "c7", "t10", "clavicle", "sternum", "shoulder")
JOINTS = ("knee", "knee_medial", "ankle", "ankle_medial")
CASES = {
    "plug-in": PresetCase("plug-in", (*DEVICES, *MEDIAL), (*DEVICES, *MEDIAL)),
    # the set of most laboratories: two markers on a foot
    "plug-in, lower body": PresetCase("plug-in", LOWER_BODY, LOWER_BODY),
    # the device replaces the marker of the knee, and the inner ankle markers are there in standing only
    "plug-in, knee alignment devices": PresetCase("plug-in", (*DEVICES, *MEDIAL), ("knee", "knee_medial")),
    "plug-in, inner markers in standing": PresetCase("plug-in", (*DEVICES, *MEDIAL), DEVICES),
    "cgm2": PresetCase("cgm2", MEDIAL),
    "cortex": PresetCase("cortex"),
    "helen-hayes": PresetCase("helen-hayes", MEDIAL, MEDIAL),
    "ior": PresetCase("ior"),
    "cleveland": PresetCase("cleveland", JOINTS),
    "rajagopal": PresetCase("rajagopal"),
    "opensim": PresetCase("opensim", JOINTS),
    "opencap": PresetCase("opencap"),
    "qualisys": PresetCase("qualisys"),
    "qualisys-sports": PresetCase("qualisys-sports", MEDIAL),
    # key points: the pelvis counts as upright (its tilt is 5 to 9 degrees), the knee as a hinge
    "halpe": PresetCase("halpe", limits=(5.0, 5.0, 10.0)),
    "blazepose": PresetCase("blazepose", limits=(5.0, 5.0, 10.0)),
    # without a static trial the walk has the sizes; its feet never stand, so the zero of the ankles is unknown
    "plug-in, no static trial": PresetCase("plug-in", (*DEVICES, *MEDIAL), stands=False),
}  # fmt: skip


def angle_errors(case: PresetCase, folder: Path) -> dict[str, float]:
    """Largest error by joint angle, deg."""
    preset, truth = marker_sets()[case.preset], walking()
    trial = gw.gait.load(with_preset(truth, preset, case.walk_lacks).save(folder / "walk.trc"))
    assert trial.marker_set == case.preset
    static = with_preset(standing(), preset, case.static_lacks).save(folder / "static.trc") if case.stands else None
    skeleton = gw.gait.skeleton_of(trial, SUBJECT, static and gw.gait.load(static))
    assert not skeleton.missing
    angles = gw.gait.joint_angles(gw.gait.follow(trial, skeleton, cutoff=None))
    names = [
        name for name in truth.angles if name.startswith(("right", "left")) and (case.stands or "ankle" not in name)
    ]
    names = [name for name in names if not name.endswith(skeleton.unmeasured or "-")]
    return {name: float(np.degrees(np.abs(angles[name].to_numpy() - truth.angles[name]).max())) for name in names}


def test_every_preset_is_tested() -> None:
    assert {case.preset for case in CASES.values()} == set(marker_sets())


@pytest.mark.parametrize("name", CASES)
def test_joint_angles_equal_the_true_ones(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    for angle, error in angle_errors(case, tmp_path).items():
        sagittal = "flexion" in angle  # also dorsiflexion
        limit = case.limits[-1] if "hip" in angle else case.limits[0 if sagittal else 1]
        assert error <= limit, (angle, error)
