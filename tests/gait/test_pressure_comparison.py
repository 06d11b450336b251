"""Measured and computed pressure of a step: files written from the computed one, sides, time, and validation."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from foot.prints import on_a_platform, step
from gait.synthetic import WEIGHT, walk
from gaitwright.foot.areas import AREA_GROUPS, AREAS
from gaitwright.foot.pressure_files import to_platform_picture
from gaitwright.formats.apd_file import write_apd
from gaitwright.gait.pressure_comparison import compare_pressure
from gaitwright.report.blocks import Table
from gaitwright.report.views.pages.gait_page import _pressure_comparison

DATA = Path(os.environ.get("GAITWRIGHT_GAIT_DATA", Path(__file__).parents[3] / "shared" / "data" / "gait_bmclab"))
BOTH = {"right": step(), "left": step()}
"""The left foot steps as the mirrored right one, so it has the same maps."""


SUBJECT = gw.gait.Subject(WEIGHT / 9.81, 1.75)


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> gw.gait.GaitTrial:
    return gw.gait.load(*walk(1.5).save(tmp_path_factory.mktemp("walk")))


def written(folder: Path, mirrored: bool = False) -> Path:
    peak = step().peak
    return write_apd(to_platform_picture(peak.copy(data=peak.values[::-1]) if mirrored else peak), folder / "step.apd")


@pytest.mark.parametrize("side", ["right", "left"])
def test_written_step_has_no_difference(side: str, tmp_path: Path) -> None:
    """To a thousandth of N/cm^2, which is 10 Pa; the side is detected."""
    found = compare_pressure(BOTH, written(tmp_path, side == "left"))
    assert found.side == side and found.shares_of == "peak map"
    assert list(found.areas.index) == list(AREAS) and list(found.quarters.index) == list(AREA_GROUPS)
    for table in (found.areas, found.quarters):
        assert np.abs(table.difference).max() < 1e-3
        assert table.measured_peak.to_numpy() == pytest.approx(table.computed_peak.to_numpy(), abs=6.0)
        assert table.measured_share.sum() == pytest.approx(1.0)
    assert f"of the {side} foot, by its shape" in found.notes[0]


def test_maps_over_time_are_compared_by_impulse() -> None:
    """The heel is loaded longer than the map of peak pressures shows; shares are those of the regions."""
    maps = step().maps.assign_coords(x=step().maps.x + 0.4)
    found = compare_pressure(BOTH, maps)
    assert found.shares_of == "impulse" and np.abs(found.areas.difference).max() < 1e-9
    assert found.areas.computed_share.to_numpy() == pytest.approx(step().regions.share[list(AREAS)].to_numpy())


def test_larger_heel_load_is_reported_in_percentage_points() -> None:
    picture = on_a_platform(15.0)
    heel = picture.x < float(picture.x[0]) + 0.02 + 0.08
    found = compare_pressure(BOTH, picture.where(~heel, 1.5 * picture))
    plain = compare_pressure(BOTH, picture)
    assert np.abs(plain.quarters.difference).max() < 3.0  # sensors of 8.5 mm instead of 5 mm
    share = plain.quarters.measured_share["heel"]
    grown = 100 * (1.5 * share / (1 + 0.5 * share) - share)
    assert plain.quarters.difference["heel"] - found.quarters.difference["heel"] == pytest.approx(grown, abs=0.5)
    assert found.quarters.measured_peak["heel"] == pytest.approx(1.5 * plain.quarters.measured_peak["heel"], rel=0.02)


def test_given_side_is_used_and_noted(tmp_path: Path) -> None:
    found = compare_pressure(BOTH, written(tmp_path), "left")
    assert found.side == "left" and "though it looks like a right one" in found.notes[0]
    assert np.abs(found.areas.difference).max() < 1e-3  # the hallux stays the hallux
    assert "as given" in compare_pressure(BOTH, written(tmp_path), "right").notes[0]


SYMMETRIC = step().peak + step().peak.values[::-1]
BAD: dict[str, tuple[dict[str, Any], Any, str | None, str]] = {
    "side": (BOTH, step().peak, "middle", "is not a side of the body"),
    "no step": ({}, step().peak, None, "has no computed step for comparison"),
    "the other step": (
        {"right": step()},
        step().peak.copy(data=step().peak.values[::-1]),
        None,
        "has no computed step",
    ),
    "either side": (BOTH, SYMMETRIC, None, "--pressure-side right or left"),
    "another file": (BOTH, "walk.trc", None, "is no file of a pressure platform"),
    "no file": (BOTH, "none.apd", None, "none.apd"),
    "no map": (BOTH, [1.0, 2.0], None, "is no map of pressure"),
    "nothing": (BOTH, 0.0 * step().peak, None, "nothing presses"),
    "no foot": (BOTH, step().peak * 0.0 + 5e4, None, "does not"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_refused(name: str) -> None:
    steps, measured, side, said = BAD[name]
    with pytest.raises(gw.ModelError, match=said):
        compare_pressure(steps, measured, side)


def test_analyse_refuses_invalid_pressure_before_computing(trial: gw.gait.GaitTrial, tmp_path: Path) -> None:
    foot: Any = object()
    for options, said in (
        ({"pressure": written(tmp_path)}, "--foot"),
        ({"pressure_side": "left"}, "needs a measured pressure"),
        ({"foot": foot, "pressure": "walk.c3d"}, "is no file of a pressure platform"),
        ({"foot": foot, "pressure": written(tmp_path), "pressure_side": "both"}, "is not a side of the body"),
    ):
        with pytest.raises(gw.ModelError, match=said):
            gw.gait.analyse(trial, SUBJECT, **options)


def test_summary_has_the_comparison(trial: gw.gait.GaitTrial, tmp_path: Path) -> None:
    steps: Any = {side: SimpleNamespace(pressure=one, to_dict=dict) for side, one in BOTH.items()}
    found = replace(gw.gait.analyse(trial), steps=steps, plate=compare_pressure(BOTH, written(tmp_path)))
    said = found.summary()["pressure"]["measured"]
    assert said["file"] == "step.apd" and said["side"] == "right"
    assert said["areas"]["heel"]["measured_share"] == pytest.approx(
        said["quarters"]["heel"]["computed_share"], abs=1e-5
    )


@pytest.mark.slow
def test_page_has_the_comparison(tmp_path: Path) -> None:
    blocks = _pressure_comparison(compare_pressure(BOTH, written(tmp_path)), tmp_path / "beside.png", "")
    table = next(block for block in blocks if isinstance(block, Table) and "Measured" in block.title)
    assert [row[0] for row in table.rows][-4:] == ["heel, all", "midfoot, all", "forefoot, all", "toes, all"]
    assert all(row[-1] in ("+0.0", "−0.0") for row in table.rows)
    assert (tmp_path / "beside.png").stat().st_size > 1e4


@pytest.mark.skipif(not DATA.is_dir(), reason="the measured pictures are not here")
def test_sides_of_measured_steps_are_detected() -> None:
    """Five steps of one walk; those on one side of the platform are left ones."""
    sides = {"": "left", "_1": "left", "_2": "right", "_3": "right", "_4": "right"}
    for name, side in sides.items():
        found = compare_pressure(BOTH, DATA / f"MDwalk2{name}.apd")
        assert found.side == side and found.laid.match > 0.75
        assert 0.25 < found.quarters.measured_share["heel"] < 0.45
        assert found.areas.measured_peak["hallux"] > found.areas.measured_peak["toes"]
