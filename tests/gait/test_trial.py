"""Trials read from every format, in any axes and unit, with notes on defects of the files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gait.synthetic import LENGTH, STRIDE, Y_UP, Walk, walk
from gaitwright._core.errors import ModelError
from gaitwright.formats.c3d_file import C3dTrial, write_c3d

WALK = walk()
Z_UP = np.eye(3)


def close(found: np.ndarray, wanted: np.ndarray, within: float, gaps: bool = False) -> None:
    """Compare a hundred thousand numbers, for which pytest.approx takes seconds."""
    np.testing.assert_allclose(found, wanted, rtol=0.0, atol=within, equal_nan=gaps)


def turn(degrees: float) -> np.ndarray:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


AXES = {
    "y up": Y_UP, "z up": Z_UP, "along -x": turn(180), "along y": turn(90), "along -y": turn(-90), "oblique": turn(35),
    "y up, along z": Y_UP @ turn(-90), "x up": np.array([[0, 0, 1.0], [1, 0, 0], [0, 1, 0]]), "z down": np.diag([1.0, -1, -1]),
}  # fmt: skip


@pytest.mark.parametrize("name", AXES)
def test_axes_are_detected(name: str, tmp_path: Path) -> None:
    trc, _ = WALK.save(tmp_path, AXES[name])
    trial = gw.gait.load(trc)
    assert trial.lab.axes == pytest.approx(AXES[name].T, abs=2e-3 if name == "oblique" else 1e-12)
    assert np.linalg.det(trial.lab.axes) == pytest.approx(1)
    tolerance = 8e-3 if name == "oblique" else 1e-7  # sway makes the direction uncertain there
    assert trial.markers.to_numpy() == pytest.approx(WALK.points, abs=tolerance)
    assert trial.lab.back(trial.marker("R.Heel")) == pytest.approx(WALK.markers["R.Heel"] @ AXES[name].T, abs=1e-7)


def test_straight_walk_is_not_rotated_by_its_sway(tmp_path: Path) -> None:
    trc, _ = WALK.save(tmp_path, turn(8))
    assert gw.gait.load(trc).lab.axes == pytest.approx(np.eye(3))


@pytest.mark.parametrize("own", [True, False], ids=["known names", "unknown names"])
def test_vertical_is_detected_without_landmarks(own: bool, tmp_path: Path) -> None:
    plain = (
        WALK if own else Walk(150, 900, {f"m{k}": v for k, v in enumerate(WALK.markers.values())}, WALK.forces, [], [])
    )
    trc, forces = plain.save(tmp_path, Y_UP)
    assert gw.gait.load(trc, forces).lab.axes == pytest.approx(Y_UP.T)


def test_wrong_units_are_detected(tmp_path: Path) -> None:
    trc, _ = WALK.save(tmp_path)
    trc.write_text(trc.read_text().replace("\tmm\t", "\tm\t"))
    trial = gw.gait.load(trc)
    assert trial.lab.unit == 1e-3 and "states the unit m, but" in " ".join(trial.faults)
    close(trial.markers.to_numpy(), WALK.points, 1e-7)


@pytest.mark.parametrize("suffix", [".trc", ".c3d", ".csv"])
def test_saved_trial_is_loaded_unchanged(suffix: str, tmp_path: Path) -> None:
    if suffix == ".c3d":
        pytest.importorskip("ezc3d")
    trial = gw.gait.load(*WALK.save(tmp_path))
    again = gw.gait.load(trial.save(tmp_path / f"again{suffix}"))
    close(again.markers.to_numpy(), trial.markers.to_numpy(), 1e-6)
    assert (again.labels, again.rate) == (trial.labels, trial.rate)
    if suffix == ".c3d":
        for one, other in zip(again.plates, trial.plates, strict=True):
            close(one.force, other.force, 1e-3)
            close(one.centre_of_pressure(), other.centre_of_pressure(), 1e-5, gaps=True)
            close(one.free_moment(), other.free_moment(), 1e-3, gaps=True)


def test_forces_are_written_for_opensim_and_read_back(tmp_path: Path) -> None:
    trc, forces = WALK.save(tmp_path)
    trial = gw.gait.load(trc, forces)
    again = gw.gait.load(trc, trial.save(tmp_path / "grf.mot"))
    for one, other in zip(again.plates, trial.plates, strict=True):
        close(one.force, other.force, 1e-6)
        close(one.centre_of_pressure(), other.centre_of_pressure(), 1e-6, gaps=True)
        close(one.free_moment(), other.free_moment(), 1e-6, gaps=True)


def test_forces_equal_the_known_ones(tmp_path: Path) -> None:
    trial = gw.gait.load(*WALK.save(tmp_path))
    for plate, (force, point, free) in zip(trial.plates, WALK.forces, strict=True):
        close(plate.force, force, 1e-5)
        on = force[:, 2] > 50
        close(plate.centre_of_pressure()[on], point[on], 1e-6)
        close(plate.free_moment()[on], free[on], 1e-5)


@pytest.mark.parametrize("sign", [1, -1], ids=["on the person", "on the plate"])
def test_forces_point_up_for_any_sign_and_offset(sign: int, tmp_path: Path) -> None:
    """Eight seconds of an offset outweigh one step."""
    long = walk(8.0)
    shown = [(sign * (force - [0, 0, 60.0]), point, sign * free) for force, point, free in long.forces]
    trial = gw.gait.load(*replace(long, forces=shown).save(tmp_path))
    for plate, (force, *_) in zip(trial.plates, long.forces, strict=True):
        close(plate.force, force, 1e-5)


def test_netcdf(tmp_path: Path) -> None:
    import xarray as xr

    trial = gw.gait.load(WALK.save(tmp_path)[0])
    with xr.open_dataarray(trial.save(tmp_path / "x.nc"), engine="h5netcdf") as found:
        assert found.to_numpy() == pytest.approx(trial.markers.to_numpy())


def test_treadmill_is_detected(tmp_path: Path) -> None:
    trial = gw.gait.load(*walk(belt=True).save(tmp_path))
    assert trial.lab.belt == pytest.approx(LENGTH / STRIDE, abs=0.05)
    assert trial.lab.axes == pytest.approx(Y_UP.T)


def test_forces_longer_than_markers_are_noted(tmp_path: Path) -> None:
    _, forces = walk(4.0).save(tmp_path)
    trc, _ = WALK.save(tmp_path / "short")
    assert "the forces last until 4.000 s, the markers until 3.000 s" in " ".join(gw.gait.load(trc, forces).faults)


def test_unknown_label_gets_a_suggestion(tmp_path: Path) -> None:
    trc, _ = WALK.save(tmp_path)
    trial = gw.gait.load(trc)
    with pytest.raises(ModelError, match=r"did you mean 'R\.Heel'"):
        trial.marker("R.Hel")
    with pytest.raises(ModelError, match=r"marker set field 'right_heel': .* did you mean 'R.Heel'"):
        gw.gait.load(trc, markers={"right_heel": "R.Heal"})
    with pytest.raises(ModelError, match="no suffix of an output file"):
        trial.save(tmp_path / "x.xyz")


def test_plates_in_another_frame_are_rotated(tmp_path: Path) -> None:
    trc, _ = WALK.save(tmp_path, Z_UP)
    _, forces = WALK.save(tmp_path / "other", Y_UP)
    trial = gw.gait.load(trc, forces)
    assert any("the forces have other axes than the markers" in note for note in trial.faults)
    assert all(contact.near for contact in gw.gait.contacts(trial)) and len(gw.gait.contacts(trial)) >= 4


def test_plates_far_from_the_feet_in_another_frame_are_refused(tmp_path: Path) -> None:
    trc, _ = WALK.save(tmp_path, Z_UP)
    far = replace(
        WALK, forces=[(force, point + np.array([0.0, 30.0, 0.0]), free) for force, point, free in WALK.forces]
    )
    _, forces = far.save(tmp_path / "other", Y_UP)
    with pytest.raises(ModelError, match=r"in another frame than the markers: they push along \+y, but up is \+z"):
        gw.gait.load(trc, forces)


@pytest.mark.parametrize(("name", "says"), [("x.doc", "hold no markers"), ("x.trc", "there is no file")])
def test_invalid_trial_files_are_refused(name: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=says):
        gw.gait.load(tmp_path / name)
    with pytest.raises(ModelError, match="is a folder"):
        gw.gait.load(tmp_path)
    with pytest.raises(ModelError, match="hold no forces"):
        gw.gait.load(WALK.save(tmp_path)[0], tmp_path / "x.doc")


@pytest.mark.parametrize(
    ("suffix", "says"), [(".anc", "samples of an analog board"), (".kin", "no public description")]
)
def test_forces_without_calibration_are_refused_with_the_supported_formats(
    suffix: str, says: str, tmp_path: Path
) -> None:
    (tmp_path / f"x{suffix}").write_text("File_Type:\tAnalog R/C ASCII\tGeneration#:\t2\n")
    with pytest.raises(
        ModelError, match=rf"cannot be converted to N: the .*{says}.* \.forces, \.c3d, \.csv, .* supported"
    ):
        gw.gait.load(WALK.save(tmp_path)[0], tmp_path / f"x{suffix}")


def test_a_landmark_that_is_never_seen_is_none(tmp_path: Path) -> None:
    trial = gw.gait.load(WALK.save(tmp_path)[0])
    points = trial.markers.copy()
    points.loc[{"marker": "R.MT1"}] = np.nan
    half = np.isfinite(points.loc[{"marker": "R.MT5"}]).to_numpy() & (trial.times > 1.0)[:, None]
    points.loc[{"marker": "R.MT5"}] = points.loc[{"marker": "R.MT5"}].where(half)
    lost = replace(trial, markers=points)
    assert lost.place("right_mt1") is None
    assert np.array_equal(lost.place("right_mt1", "right_mt5"), lost.place("right_mt5"), equal_nan=True)  # type: ignore[arg-type]


def test_truncated_file_is_read_up_to_its_end(tmp_path: Path) -> None:
    trc, _ = WALK.save(tmp_path)
    text = trc.read_text()
    trc.write_text(text[: 2 * len(text) // 3])
    trial = gw.gait.load(trc)
    assert 200 < len(trial.times) < 400 and "is cut" in " ".join(trial.faults)
    assert [f for f in gw.gait.findings(trial) if f.about == "file"]


def test_file_without_markers_is_refused_in_one_sentence(tmp_path: Path) -> None:
    pytest.importorskip("ezc3d")
    path = write_c3d(tmp_path / "emg.c3d", C3dTrial([], np.zeros((10, 0, 3)), "mm", 100.0))
    with pytest.raises(ModelError, match=r"^emg has no markers; expected a trial with markers; .* --forces$"):
        gw.gait.load(path)
