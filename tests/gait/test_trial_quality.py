"""Defects added to a good walk are found, each with its size; a good walk has none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gait.synthetic import WEIGHT, Y_UP, Walk, walk
from gaitwright._core.errors import ModelError
from gaitwright.gait.trial_quality import GaitFinding

WALK = walk()


def faults(made: Walk, folder: Path, axes: np.ndarray = Y_UP, mass: float | None = None) -> list[GaitFinding]:
    found = gw.gait.findings(gw.gait.load(*made.save(folder, axes)), mass)
    return [one for one in found if one.how_bad != "good to know"]


@pytest.mark.parametrize("noise", [0.0, 0.001])
def test_good_walk_has_no_faults(noise: float, tmp_path: Path) -> None:
    shaken = {k: v + noise * np.random.default_rng(6).normal(size=v.shape) for k, v in WALK.markers.items()}
    assert faults(replace(WALK, markers=shaken), tmp_path, mass=WEIGHT / 9.81) == []


AHEAD, ASIDE = np.eye(3)[:2]
LATER = (np.arange(450) >= 300)[:, None] * 1.0
"""The last third of the frames."""


def less_and_less(force: np.ndarray) -> np.ndarray:
    """A factor that falls to 0.7 in the second half of a contact."""
    part = np.cumsum(force[:, 2]) / force[:, 2].sum()
    return np.interp(part, [0.5, 0.6], [1.0, 0.7])[:, None]


def on_plate(change: Callable) -> Callable[[Walk], Walk]:
    """A change of the second complete contact, plate 5."""
    return lambda w: replace(w, forces=[change(*one) if k == 4 else one for k, one in enumerate(w.forces)])


def relabelled(*pairs: tuple[str, str]) -> Callable[[Walk], Walk]:
    names = {a: b for one, other in pairs for a, b in ((one, other), (other, one))}
    return lambda w: replace(w, markers={label: w.markers[names.get(label, label)] for label in w.markers})


SIDES = [(f"R.{n}", f"L.{n}") for n in ("ASIS", "PSIS", "Knee", "Ankle", "Heel", "MT1", "MT5")]
FAULTS = {
    "moved back": (on_plate(lambda f, p, m: (f, p - AHEAD * 0.15, m)), "registration", "behind the heel", 0.12),
    "moved aside": (on_plate(lambda f, p, m: (f, p + ASIDE * 0.06, m)), "registration", "beside the line", 0.06),
    "a little back": (on_plate(lambda f, p, m: (f, p - AHEAD * 0.05, m)), "registration", "behind the ball", 0.03),
    "far ahead": (on_plate(lambda f, p, m: (f, p + AHEAD * 0.12, m)), "registration", "before the ball", 0.15),
    "free moment": (on_plate(lambda f, p, m: (f, p, m + 16.0 * (f[:, 2] > 0))), "free moment", "no foot makes", 19.0),
    "toes over the edge": (
        on_plate(lambda f, p, m: (f * less_and_less(f), p, m)), "partial strike", "of the weight", None
    ),
    "swapped sides": (relabelled(*SIDES), "sides", "to the left of those named left", 0.2),
    "mirrored": (
        lambda w: replace(w, markers={k: v * [1, -1, 1] for k, v in w.markers.items()}),
        "sides", "or the frame is mirrored", 0.2,
    ),
    "exchanged metatarsals": (relabelled(("R.MT1", "R.MT5")), "labels", "of the right foot are exchanged", None),
    "a knocked marker": (
        lambda w: replace(w, markers=w.markers | {"L.Knee": w.markers["L.Knee"] + LATER * [0, 0, 0.04]}),
        "lengths", "knee to ankle of the left leg changes", None,
    ),
    "a marker that sits elsewhere": (
        lambda w: replace(w, markers=w.markers | {"R.Knee": w.markers["R.Knee"] + [0, 0, 0.06]}),
        "lengths", "right and left", None,
    ),
    "one marker under two names": (
        lambda w: replace(w, markers=w.markers | {"copy": w.markers["R.Knee"]}), "labels", "R.Knee and copy are one", None
    ),
    "a lost marker": (
        lambda w: replace(w, markers=w.markers | {"R.Heel": np.where(LATER > 0, np.nan, w.markers["R.Heel"])}),
        "gaps", "marker R.Heel was lost", 1 / 3,
    ),
    "an offset": (
        lambda w: replace(w, forces=[(f - [0, 0, 18.0], p, m) for f, p, m in w.forces]),
        "file", "-18.0 N with nobody on it", None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_added_defect_is_found(name: str, tmp_path: Path) -> None:
    change, about, says, size = FAULTS[name]
    found = faults(change(WALK), tmp_path, mass=WEIGHT / 9.81)
    hits = [one for one in found if one.about == about and says in str(one)]
    assert hits, [str(one) for one in found]
    if size is not None:
        assert abs(hits[0].value) == pytest.approx(size, rel=0.35)
    for one in found:  # one sentence with evidence and advice
        assert str(one).endswith(".") and "; " in str(one) and one.evidence and one.advice


@pytest.mark.parametrize("mass", [WEIGHT / 9.81 * 1.1, WEIGHT / 9.81 * 0.9])
def test_wrong_weight_on_the_plates_is_found(mass: float, tmp_path: Path) -> None:
    assert "weight" in {one.about for one in faults(WALK, tmp_path, mass=mass)}


def test_weight_is_estimated(tmp_path: Path) -> None:
    found = [one for one in gw.gait.findings(gw.gait.load(*WALK.save(tmp_path))) if one.about == "weight"]
    assert found[0].value == pytest.approx(WEIGHT, rel=2e-3) and found[0].how_bad == "good to know"


@pytest.mark.parametrize("mend", [gw.gait.mirror_trial, gw.gait.swap_sides])
def test_sides_are_corrected(mend: Callable, tmp_path: Path) -> None:
    wrong = gw.gait.load(*relabelled(*SIDES)(WALK).save(tmp_path))
    assert not [one for one in gw.gait.findings(mend(wrong)) if one.how_bad != "good to know"]
    assert {c.side for c in gw.gait.contacts(mend(wrong))} == {"left", "right"}


def test_feet_over_the_edges_of_plates(tmp_path: Path) -> None:
    trial = gw.gait.load(*WALK.save(tmp_path))
    middle = np.nanmean(trial.plates[0].centre_of_pressure(), axis=0)
    for half, partial in ((0.3, False), (0.1, True)):
        corners = middle + half * np.array([[1, 1, 0], [1, -1, 0], [-1, -1, 0], [-1, 1, 0.0]])
        plates = [replace(trial.plates[0], corners=corners), *trial.plates[1:]]
        found = {one.about for one in gw.gait.findings(replace(trial, plates=plates))}
        assert ("partial strike" in found) == partial


@pytest.mark.parametrize("mass", [0.0, -3.0, 7600.0, float("nan")])
def test_implausible_mass_is_refused(mass: float, tmp_path: Path) -> None:
    trial = gw.gait.load(*WALK.save(tmp_path))
    with pytest.raises(ModelError, match="subject field 'mass'"):
        gw.gait.findings(trial, mass)
