"""Times in files: rounded, duplicated, with missing rows; and their effect on filtering."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.mechanism.signals import SignalOperation, SignalProgram, evaluate_program
from gaitwright.model.sampling import fit_even_grid
from gaitwright.model.series import read_series

REAL = Path(__file__).parents[3] / "shared" / "data" / "gait_bmclab" / "BiomecII2018_gait_d.txt"
SWAY, LIFT = 2 * math.pi * 0.9, 2 * math.pi * 1.8


def pelvis(t: np.ndarray) -> np.ndarray:
    """Position of a walking pelvis, m, with its speed and acceleration, (3, n): forwards at 1.3 m/s, and some harmonics."""
    return np.array(
        [
            1.3 * t + 0.03 * np.sin(SWAY * t) + 0.02 * np.cos(LIFT * t),
            1.3 + 0.03 * SWAY * np.cos(SWAY * t) - 0.02 * LIFT * np.sin(LIFT * t),
            -0.03 * SWAY**2 * np.sin(SWAY * t) - 0.02 * LIFT**2 * np.cos(LIFT * t),
        ]
    )


def curve(series: Any, t: Any) -> np.ndarray:
    return np.array(
        evaluate_program(
            SignalProgram(
                np.array([SignalOperation.TIME, SignalOperation.SERIES], np.int32), np.zeros(0), (series._spline,)
            ),
            t,
        )
    )


def rounded(rate: float, decimals: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Uniform times, and the same as a file prints them."""
    t = np.arange(count) / rate
    return t, np.array([float(f"{x:.{decimals}f}") for x in t])


@pytest.mark.parametrize("decimals", [2, 3, 4])
@pytest.mark.parametrize("rate", [60, 120, 150])
@pytest.mark.parametrize("cutoff", [None, 12.0])
def test_rounded_times_give_the_true_acceleration(rate: int, decimals: int, cutoff: float | None):
    """Limited by the spline: its second derivative has an error of h^2/12 of the fourth derivative, and half as much again at
    its ends; the filter removes 0.41 (1.8 Hz/12 Hz)^4 = 2e-4 of 3.5 m/s^2. Taken literally, times with three decimals gave
    14 m/s^2 at 60 Hz and 76 m/s^2 at 150 Hz."""
    t, printed = rounded(rate, decimals, 2 * rate)
    series = read_series("f", {"times": printed.tolist(), "values": pelvis(t)[0].tolist(), "cutoff": cutoff})
    inner = (t > 0.3) & (t < t[-1] - 0.3)
    found = curve(series, t[inner])[2]
    off = np.abs(found - pelvis(t[inner])[2]).max()
    fourth = 0.03 * SWAY**4 + 0.02 * LIFT**4
    assert off < 1.5 * fourth / (12 * rate**2) + (0.0 if cutoff is None else 1e-3)
    assert any(f"those of {rate} samples per second, rounded to {10**-decimals:g} s" in note for note in series.notes)


def test_two_decimals_at_150_hz_give_duplicate_times():
    t, printed = rounded(150, 2, 200)
    assert np.any(np.diff(printed) == 0.0)
    grid = fit_even_grid(printed)
    assert grid is not None and grid.whole and grid.step == 1 / 150
    np.testing.assert_allclose(grid.times(0.0), t, atol=1e-12)


@pytest.mark.parametrize("rate", [59.94, 29.97, 127.3])
@pytest.mark.parametrize("shift", [0.0, 0.0021, 3.4567])
def test_any_rate_and_start(rate: float, shift: float):
    """Truncated instead of rounded, and not starting at zero: the grid is found up to a shift of the last digit."""
    t = shift + np.arange(400) / rate
    for printed in (np.floor(t * 1000) / 1000, np.round(t, 3)):
        grid = fit_even_grid(printed)
        assert grid is not None and grid.rounding == 0.001
        np.testing.assert_allclose(np.diff(grid.times(printed[0])), 1 / rate, atol=0.002 / 400)
        assert np.abs(grid.times(printed[0]) - t).max() < 0.0021


def test_missing_rows_of_rounded_times_are_detected():
    _, printed = rounded(150, 3, 300)
    keep = np.ones(300, bool)
    keep[[50, 51, 140, 220]] = False
    grid = fit_even_grid(printed[keep])
    assert grid is not None and not grid.whole
    np.testing.assert_array_equal(grid.index, np.flatnonzero(keep))


def test_one_missing_row_is_not_another_rate():
    """100 Hz with a missing row could be 99.7 Hz, rounded; but 99.7 Hz is no usual rate."""
    times = np.delete(np.arange(300) / 100, 150)
    grid = fit_even_grid(times)
    assert grid is not None and grid.step == pytest.approx(0.01, rel=1e-12) and grid.rounding == 0.0


MEANT = {
    "by hand": [0, 0.1, 0.25, 0.4, 0.45, 0.6, 0.8, 0.9, 1.1, 1.2, 1.25, 1.4],
    "few": [0, 0.01, 0.03, 0.04, 0.06],
    "whole seconds": [0, 1, 3, 4, 6, 7, 9, 10, 12, 13, 15, 16],
    "clock that jitters": (np.arange(200) / 100 + 0.002 * np.sin(np.arange(200) ** 2)).round(4).tolist(),
}


@pytest.mark.parametrize("what", MEANT)
def test_nonuniform_times_are_taken_literally(what: str):
    times = MEANT[what]
    series = read_series("f", {"times": times, "values": np.sin(times).tolist()})
    np.testing.assert_allclose(curve(series, np.array(times))[0], np.sin(times), atol=1e-12)
    assert series.notes == []


def test_uniform_times_are_unchanged():
    times = np.linspace(0.3, 2.3, 301)
    series = read_series("f", {"times": times.tolist(), "values": pelvis(times)[0].tolist(), "cutoff": 6.0})
    assert series.notes == [] and series._spline.end == times[-1]


def test_rounded_end_time_of_the_file_can_be_reached():
    """101 samples at 150 Hz end at 0.66667 s; the file contains 0.667."""
    t, printed = rounded(150, 3, 101)
    series = read_series("f", {"times": printed.tolist(), "values": pelvis(t)[0].tolist()})
    assert curve(series, np.array([0.667]))[0, 0] == pytest.approx(pelvis(np.array([0.667]))[0, 0], abs=1e-6)


def test_jittering_times_are_resampled_before_filtering():
    times = np.array(MEANT["clock that jitters"])
    series = read_series("f", {"times": times.tolist(), "values": pelvis(times)[0].tolist(), "cutoff": 12.0})
    inner = times[30:-30]
    assert np.abs(curve(series, inner)[2] - pelvis(inner)[2]).max() < 1.0
    assert any("not evenly spaced" in note and "resampled every 0.01" in note for note in series.notes)


def write(folder: Path, rows: list[str], name: str = "f.csv", before: str = "") -> Path:
    path = folder / name
    path.write_text(before + "\n".join(["time,knee", *rows]) + "\n")
    return path


def test_short_gaps_are_bridged_and_reported(tmp_path: Path):
    """Six empty cells at 150 Hz are 47 ms: within 1/(4 cutoff) for 5 Hz, not for 6."""
    t = np.arange(301) / 150
    rows = [f"{x:.3f},{pelvis(np.array([x]))[0, 0]:.9f}" for x in t]
    for k, empty in zip(range(100, 106), ["", "nan", "NaN", "-", "NA", ""], strict=True):
        rows[k] = f"{t[k]:.3f},{empty}"
    path = write(tmp_path, rows)
    with pytest.raises(ModelError, match=r"line 102 .* no finite number .* or a cutoff, with which short gaps"):
        read_series("f", {"file": str(path)})
    with pytest.raises(ModelError, match=r"gap of 0\.04667 s after times\[99\] = 0\.66 is too long .* = 0\.04167 s"):
        read_series("f", {"file": str(path), "cutoff": 6})
    series = read_series("f", {"file": str(path), "cutoff": 5})
    assert any("6 rows of the file have no value, the first in line 102" in note for note in series.notes)
    assert any("longest gap is 0.04667 s" in note for note in series.notes)
    near = np.linspace(0.6, 0.8, 50)
    assert np.abs(curve(series, near)[0] - pelvis(near)[0]).max() < 2e-3
    again = read_series("f", {key: value for key, value in series.model_dump().items() if value is not None})
    np.testing.assert_array_equal(again._spline.pieces, series._spline.pieces)


def test_duplicate_time_without_rounding_is_rejected():
    with pytest.raises(ModelError, match=r"times\[2\]': is not later than the time 1"):
        read_series("f", {"times": [0, 1, 1, 3], "values": [0, 1, 2, 3]})


def test_check_and_result_report_corrections(tmp_path: Path):
    t, printed = rounded(150, 3, 200)
    m = gw.Model().ground_point("O", 0, 0).point("A", 0.5, 0).link("rod", "O", "A", mass=1)
    m.series("swing", printed, np.sin(6 * t)).drive.rotation("rod", "swing(t)")
    assert any("put back on the even grid" in text for text in m.check().warnings)
    run = m.inverse(1.0, step=0.1)
    assert any("put back on the even grid" in text for text in run.evidence.warnings)
    saved = gw.load(m.save(tmp_path / "m.yaml")).inverse(1.0, step=0.1)
    np.testing.assert_array_equal(saved.array("rod.angular_acceleration"), run.array("rod.angular_acceleration"))


@pytest.mark.skipif(not REAL.is_file(), reason="the measured gait is not here")
def test_measured_hip_has_plausible_acceleration():
    """150 Hz, three decimals: at most 3.3 m/s^2 forwards, with a margin for the start of the filter; taken literally 134."""
    series = read_series("hip", {"file": str(REAL), "value": "FHx", "cutoff": 6, "unit": "mm"})
    assert any("those of 150 samples per second, rounded to 0.001 s" in note for note in series.notes)
    acceleration = curve(series, np.linspace(series._spline.start, series._spline.end, 2000))[2]
    assert np.abs(acceleration).max() < 5.0


# degrees -------------------------------------------------------------------------------------------------------------

HEADERS = {
    "OpenSim": ("Coordinates\nversion=1\nnRows=5\nnColumns=3\ninDegrees=yes\nendheader\n", True),
    "OpenSim 4": ("inDegrees=yes\nDataType=double\nversion=3\nOpenSimVersion=4.1\nendheader\n", True),
    "as SIMM reads it": ("Coordinates\nnRows=5\nnColumns=3\n\nAngles are in degrees.\n\nendheader\n", True),
    "radians": ("Coordinates\nversion=1\ninDegrees=no\nendheader\n", False),
    "in words": ("Coordinates\nAngles are in radians.\nendheader\n", False),
    "says nothing": ("name x\ndatacolumns 3\ndatarows 5\nrange 0 1\nendheader\n", False),
}
COLUMNS = {
    "knee_angle_r": True, "pelvis_tilt": True, "/jointset/hip_r/hip_flexion_r/value": True, "pelvis_tx": False,
    "/jointset/ground_pelvis/pelvis_ty/value": False, "ground_force_vy": False, "1_ground_force_px": False,
    "ground_torque_z": False, "knee_angle_r_moment": False, "soleus_r/activation": False,
}  # fmt: skip


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("ending", ["mot", "sto"])
def test_degrees_of_opensim_become_radians(header: str, ending: str, tmp_path: Path):
    text, converted = HEADERS[header]
    path = tmp_path / f"walk.{ending}"
    path.write_text(text + "time\tknee\tpelvis_tx\n" + "".join(f"{0.1 * k:.1f}\t{10 * k}\t{k}\n" for k in range(5)))
    knee = read_series("knee", {"file": str(path), "value": "knee"})
    np.testing.assert_allclose(knee.values, np.arange(5) * 10 * (math.pi / 180 if converted else 1), rtol=1e-15)
    assert any("degrees" in note and "unit: rad would keep it" in note for note in knee.notes) is converted
    assert read_series("x", {"file": str(path), "value": "pelvis_tx"}).values == [0, 1, 2, 3, 4]
    as_it_is = read_series("knee", {"file": str(path), "value": "knee", "unit": "rad"})
    assert as_it_is.values == [0, 10, 20, 30, 40] and as_it_is.notes == []
    by_name = read_series("knee", {"file": str(path), "value": "knee", "unit": "deg"})
    np.testing.assert_allclose(by_name.values, np.arange(5) * math.pi / 18, rtol=1e-15)


@pytest.mark.parametrize("column", COLUMNS)
def test_angle_columns_are_detected(column: str, tmp_path: Path):
    path = tmp_path / "walk.mot"
    path.write_text(f"inDegrees=yes\nendheader\ntime\t{column}\n" + "".join(f"{0.1 * k:.1f}\t180\n" for k in range(5)))
    assert read_series("f", {"file": str(path)}).values == [math.pi if COLUMNS[column] else 180.0] * 5


def test_notes_about_a_file_appear_for_its_variants(tmp_path: Path):
    path = tmp_path / "walk.mot"
    path.write_text("inDegrees=yes\nendheader\ntime\tknee\n" + "".join(f"{0.1 * k:.1f}\t{k}\n" for k in range(5)))
    m = gw.Model(parameters={"L": 1.0}).series("f", file=path)
    assert m.copy(L=2.0).document.series["f"].notes == m.document.series["f"].notes != []


def test_invalid_unit_is_rejected():
    with pytest.raises(ModelError, match=r"series 'f' field 'unit': is not a unit \(got 'MM'\).*did you mean 'mm'"):
        read_series("f", {"times": [0, 1, 2, 3], "values": [0, 1, 2, 3], "unit": "MM"})
