"""Spatio-temporal table of a fully known walk, on the ground, on a belt, and along an oblique line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gait.synthetic import HIPS, LENGTH, STANCE, STRIDE, Y_UP, Walk, walk
from gaitwright.gait.normative_data import asymmetry_limit, normative_ranges

TRUTH = {
    "speed": LENGTH / STRIDE, "cadence": 120 / STRIDE, "stride_length": LENGTH, "step_length": LENGTH / 2, "step_width": HIPS,
    "stride_time": STRIDE, "step_time": STRIDE / 2, "toe_out": 0.0,
}  # fmt: skip
SHARES = {
    "stance": STANCE,
    "swing": STRIDE - STANCE,
    "single_support": STRIDE - STANCE,
    "double_support": 2 * STANCE - STRIDE,
}


def table_of(made: Walk, folder: Path, axes: np.ndarray = Y_UP) -> dict[str, gw.gait.SpatiotemporalMeasure]:
    trc, forces = made.save(folder, axes)
    trial = gw.gait.load(trc, forces if axes is Y_UP else None)
    return gw.gait.spatio_temporal(trial, gw.gait.find_events(trial))


@pytest.mark.parametrize("belt", [False, True])
def test_known_walk(tmp_path: Path, belt: bool) -> None:
    found = table_of(walk(4.0, belt=belt), tmp_path)
    for name, value in TRUTH.items():
        for side in ("right", "left"):
            assert getattr(found[name], side).mean == pytest.approx(value, rel=2e-3, abs=2e-3), name
    for name, time in SHARES.items():  # forces exceed 20 N for a slightly shorter time than the stance
        assert found[f"{name}_time"].both.mean == pytest.approx(time, abs=0.003)
        assert found[name].both.mean == pytest.approx(100 * time / STRIDE, abs=0.3)
    assert found["loading_response"].both.mean + found["pre_swing"].both.mean == pytest.approx(
        found["double_support"].both.mean
    )
    assert abs(found["step_length"].asymmetry) < 0.5 and np.isnan(found["step_width"].asymmetry)


def test_lengths_are_along_the_walking_direction(tmp_path: Path) -> None:
    """Ten degrees oblique: the frame keeps the axis of the laboratory, the table must not."""
    c, s = np.cos(np.radians(10)), np.sin(np.radians(10))
    found = table_of(walk(4.0), tmp_path, Y_UP @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]))
    for name in ("step_length", "step_width", "stride_length", "toe_out"):
        for side in ("right", "left"):
            assert getattr(found[name], side).mean == pytest.approx(TRUTH[name], abs=0.015), name


def test_limp_appears_as_asymmetry(tmp_path: Path) -> None:
    """The left foot lands 0.1 m short every time: its step is shorter, that of the right one longer."""
    made = walk(4.0)
    for label, places in made.markers.items():
        if label.startswith("L.") and any(part in label for part in ("Heel", "MT", "Ankle")):
            places[:, 0] -= 0.1
    trc, _ = made.save(tmp_path)
    trial = gw.gait.load(trc)
    found = gw.gait.spatio_temporal(trial, gw.gait.find_events(trial))["step_length"]
    assert found.left.mean == pytest.approx(LENGTH / 2 - 0.1, abs=0.01)
    assert found.right.mean == pytest.approx(LENGTH / 2 + 0.1, abs=0.01)
    assert found.asymmetry == pytest.approx(100 * 0.2 / (LENGTH / 2), abs=4) and not asymmetry_limit().holds(
        found.asymmetry
    )


def test_invisible_steps_are_left_out(tmp_path: Path) -> None:
    found = table_of(walk(1.2), tmp_path)
    assert "speed" not in found and "stance" not in found and found["step_length"].left.count <= 1


@pytest.mark.parametrize(
    ("sex", "age", "row", "inside", "outside"),
    [
        ("male", None, "speed", 1.2, 1.0),
        ("female", None, "speed", 1.0, 1.8),
        ("male", 70, "speed", 1.0, 1.7),
        (None, None, "speed", 1.0, 0.9),
        ("female", 30, "cadence", 130, 95),
        (None, None, "stance", 60, 70),
        ("male", 30, "step_length", 0.7, 0.5),
        (None, None, "stride_time", 1.1, 1.5),
    ],
)
def test_usual_ranges(sex: str | None, age: float | None, row: str, inside: float, outside: float) -> None:
    limits = normative_ranges(sex, age)[row]
    assert limits.holds(inside) and not limits.holds(outside) and limits.source


def test_children_have_no_table() -> None:
    assert normative_ranges("female", 8) == {}
