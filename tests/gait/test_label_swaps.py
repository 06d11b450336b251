"""Swapped labels in a trial are found and corrected, and other markers stay unchanged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gait.person import walking

TRUTH = walking()
LABELS = list(TRUTH.markers)


def loaded(points: np.ndarray, folder: Path) -> gw.gait.GaitTrial:
    return gw.gait.load(TRUTH.save(folder / "walk.trc", points))


@pytest.mark.parametrize(
    ("a", "b", "part"),
    [
        ("L.MT1", "L.MT2", slice(100, 140)),
        ("L.MT1", "L.MT2", slice(30, None)),  # most of the time: decided by the other foot
        ("R.Knee", "R.Knee.Medial", slice(50, 60)),
        ("R.HF", "R.TT", slice(0, 70)),
        ("C7", "Clavicle", slice(10, 60)),  # no other side for comparison: decided by the majority
    ],
)
@pytest.mark.parametrize("noise", [0.0, 2e-3])
def test_swapped_labels_are_corrected(a: str, b: str, part: slice, noise: float, tmp_path: Path) -> None:
    i, j = LABELS.index(a), LABELS.index(b)
    good = TRUTH.points + np.random.default_rng(2).normal(scale=noise, size=TRUTH.points.shape)
    points = good.copy()
    points[part, i], points[part, j] = good[part, j], good[part, i]
    trial = loaded(points, tmp_path)
    assert trial.markers.to_numpy() == pytest.approx(good, abs=1e-8)
    assert [note for note in trial.faults if a in note and b in note and "each other's label" in note]
    assert [one for one in gw.gait.findings(trial) if "each other's label" in str(one)]


def test_correct_labels_stay_unchanged(tmp_path: Path) -> None:
    points = TRUTH.points + np.random.default_rng(2).normal(scale=4e-3, size=TRUTH.points.shape)
    points[40:60, LABELS.index("L.MT1")] = np.nan
    assert not [note for note in loaded(points, tmp_path).notes if "each other's label" in note]
