"""Plates of types 1 to 7: the same force at the same point for any channels; against ezc3d; offsets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gaitwright._core.errors import ModelError
from gaitwright._core.isolation import run_isolated
from gaitwright.formats.c3d_file import C3dPlate, C3dTrial, import_ezc3d, read_c3d, write_c3d
from gaitwright.gait.force_plates import ForcePlate, plate_from_c3d, plate_from_point, remove_offset

CORNERS = np.array([[0.4, 0.6, 0], [0.4, 0, 0], [0, 0, 0], [0, 0.6, 0.0]]) + np.array([2.0, 1.0, 0.0])
AXES = np.array([[0, 1.0, 0], [1, 0, 0], [0, 0, -1]])
"""Rows: axes of that plate; z points down."""
MIDDLE = CORNERS.mean(axis=0)
FORCE = np.array([[30.0, -20.0, 800.0], [-90.0, 10.0, 300.0]])
POINT = np.array([[2.13, 1.2, 0.0], [2.3, 1.5, 0.0]])
FREE = np.array([4.0, -7.0])
TRUTH = plate_from_point("plate", FORCE, POINT, FREE, np.array([0, 0, 1.0]), 100.0)
DEEP = np.array([0.001, -0.002, -0.04])


def channels(kind: int) -> tuple[np.ndarray, list[str], np.ndarray, np.ndarray | None]:
    """Channels of a plate type for TRUTH, by the definitions of the C3D manual; moments in N m."""
    force = FORCE @ AXES.T
    moment = (TRUTH.moment - np.cross(MIDDLE, FORCE)) @ AXES.T
    units = ["N"] * 3 + ["Nm"] * 3
    if kind == 1:
        point = (POINT - MIDDLE) @ AXES.T
        return np.column_stack([force, point[:, :2], -FREE]), units, np.zeros(3), None
    random = np.random.default_rng(4)
    if kind == 5:
        matrix = random.normal(size=(6, 8))
        sensors = np.hstack([force, moment - np.cross(force, DEEP)])
        return sensors @ np.linalg.pinv(matrix).T, [*units, "", ""], DEEP, matrix
    if kind == 6:
        a, b, depth = 0.12, 0.2, 0.05
        sensors = np.hstack([force, moment - np.cross(force, [0, 0, -depth])])
        places = [(a, b, 0.0), (-a, b, 0.0), (-a, -b, 0.0), (a, -b, 0.0)]
        whole = np.array([[*axis, *np.cross(place, axis)] for axis in np.eye(3) for place in places]).T
        matrix = np.eye(12) * 3.0 + 0.1 * random.normal(size=(12, 12))
        values = np.linalg.solve(matrix, np.linalg.pinv(whole) @ sensors.T).T
        return values, ["N"] * 12, np.array([a, b, -depth]), matrix
    if kind == 7:
        values, units, origin, _ = channels(3)
        matrix = np.eye(8) * 2.0 + 0.05 * random.normal(size=(8, 8))
        return np.linalg.solve(matrix, values.T).T, units, origin, matrix
    if kind == 3:
        a, b, depth = 0.12, 0.2, 0.05
        mx, my, mz = (moment - np.cross(force, [0, 0, -depth])).T
        fx, fy, fz = force.T
        z1, z2 = (fz + mx / b - my / a) / 4, (fz + mx / b + my / a) / 4
        z3, z4 = (fz - mx / b + my / a) / 4, (fz - mx / b - my / a) / 4
        x12, x34 = fx / 2 - mz / 4 / b, fx / 2 + mz / 4 / b
        y14, y23 = fy / 2 + mz / 4 / a, fy / 2 - mz / 4 / a
        return np.column_stack([x12, x34, y14, y23, z1, z2, z3, z4]), ["N"] * 8, np.array([a, b, -depth]), None
    sensors = np.hstack([force, moment - np.cross(force, DEEP)])
    if kind == 4:
        matrix = np.eye(6) * 2.5 + 0.01 * np.arange(36).reshape(6, 6)
        return np.linalg.solve(matrix, sensors.T).T, units, DEEP, matrix
    return sensors, units, DEEP, None


@pytest.mark.parametrize("unit", [1.0, 1e-3], ids=["m", "mm"])
@pytest.mark.parametrize("kind", [1, 2, 3, 4, 5, 6, 7])
def test_every_type_gives_the_same_force(kind: int, unit: float) -> None:
    values, units, origin, matrix = channels(kind)
    values = values.copy()
    if unit != 1.0 and kind == 1:
        values[:, 3:5] /= unit
    if unit != 1.0 and matrix is None and kind != 3:
        units = [*units[:3], *["Nmm"] * 3]
        values[:, 5 if kind == 1 else slice(3, 6)] *= 1e3
    found = plate_from_c3d(C3dPlate(kind, values, units, CORNERS / unit, origin / unit, matrix), "plate", unit, 100.0)
    assert found.force == pytest.approx(FORCE)
    assert found.centre_of_pressure() == pytest.approx(POINT, abs=1e-9)
    assert found.free_moment() == pytest.approx(FREE, abs=1e-9)


@pytest.mark.parametrize("kind", [2, 3, 4])
def test_ezc3d_agrees(kind: int, tmp_path) -> None:
    pytest.importorskip("ezc3d")
    values, units, origin, matrix = channels(kind)
    plate = C3dPlate(kind, np.repeat(values, 5, axis=0), units, CORNERS, origin, matrix)
    path = write_c3d(tmp_path / "x.c3d", C3dTrial(["A"], np.ones((10, 1, 3)), "m", 100.0, 0.0, 100.0, [plate]))
    theirs = run_isolated(_platform, str(path), source="the file")
    ours = plate_from_c3d(read_c3d(path).plates[0], "plate", 1.0, 100.0)
    assert ours.force == pytest.approx(theirs["force"].T, abs=1e-3)
    assert ours.centre_of_pressure() == pytest.approx(theirs["center_of_pressure"].T, abs=1e-6)


def _platform(path: str) -> dict[str, np.ndarray]:
    """The first plate by ezc3d, in the helper process, because ezc3d and OpenSim cannot share one."""
    platform = import_ezc3d().c3d(path, extract_forceplat_data=True)["data"]["platform"][0]
    return {name: np.array(platform[name]) for name in ("force", "center_of_pressure")}


def test_raised_surface() -> None:
    """On a plate 0.2 m high the force acts at that height, not on the floor."""
    point = POINT + np.array([0, 0, 0.2])
    plate = replace(plate_from_point("plate", FORCE, point, FREE, np.array([0, 0, 1.0]), 100.0), height=0.2)
    assert plate.centre_of_pressure() == pytest.approx(point)
    assert plate.free_moment() == pytest.approx(FREE)


def test_offsets_are_removed_and_noted() -> None:
    force, moment = np.zeros((1000, 3)), np.zeros((1000, 3))
    force[400:700, 2] = 700.0
    shown = ForcePlate("plate 2", force + np.array([1.0, 3, -17]), moment + np.array([2.0, 0, 1]), 1000.0)
    mended, note = remove_offset(shown)
    assert "plate 2 shows -17.0 N with nobody on it" in note
    assert mended.force == pytest.approx(force) and mended.moment == pytest.approx(moment)
    assert remove_offset(ForcePlate("plate 2", force, moment, 1000.0))[1] == ""


def test_plate_that_is_never_unloaded_keeps_its_signal() -> None:
    always = ForcePlate("belt", np.full((500, 3), 400.0), np.zeros((500, 3)), 1000.0)
    assert remove_offset(always)[0].force == pytest.approx(400.0)


@pytest.mark.parametrize(("change", "says"), [({"type": 9}, "1 to 7"), ({"corners": np.zeros((4, 3))}, "in one line")])
def test_invalid_plate_is_refused(change: dict, says: str) -> None:
    values, units, origin, _ = channels(2)
    with pytest.raises(ModelError, match=says):
        plate_from_c3d(replace(C3dPlate(2, values, units, CORNERS, origin), **change), "plate 1", 1.0, 100.0)
