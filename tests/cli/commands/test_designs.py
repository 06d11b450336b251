"""Command `designs`: output files, messages and errors."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import gaitwright as gw
from calling import call
from gaitwright._core import output_files
from gaitwright.cli.commands.designs import save_best_models
from gaitwright.codegen.c_library import find_compiler
from gaitwright.design.batch.design_table import find_best_designs

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    model = gw.Model("four-bar", parameters={"crank": 0.1, "rocker": 0.25})
    model.ground_point("O", 0, 0).ground_point("C", 0.3, 0).point("A", 0.1, 0).point("B", 0.3, 0.25)
    model.link("crank", "O", "A", length="crank", mass=0.1)
    model.link("coupler", "A", "B", length=0.3, mass=0.1)
    model.link("rocker", "C", "B", length="rocker", mass=0.1)
    model.drive.rotation("crank", "2*pi*t").output("crank.torque")
    raw = {**model.to_dict(), "analysis": {"type": "inverse", "until": 1, "step": 0.02}}
    return gw.Model.from_dict(raw).save(tmp_path_factory.mktemp("designs") / "four-bar.yaml")


VARIED = ("--parameter", "crank=0.05:0.26", "--parameter", "rocker=0.2:0.3")


@pytest.mark.slow
@needs_compiler
def test_designs_are_written_and_shown(model: Path, tmp_path: Path) -> None:
    said = call(
        "designs", model, *VARIED, "--count", 200, "--measure", "crank.torque.max_abs", "--measure", "swing=rocker.angle.range",
        "--limit", "swing=0.3:", "--minimise", "crank.torque.max_abs", "--maximise", "swing", "--out", tmp_path, "--json",
    )  # fmt: skip
    summary = json.loads(said.stdout)
    data = xr.load_dataset(tmp_path / "designs.nc")
    assert summary["designs"] == data.sizes["design"] == 200
    assert data["feasible"].dtype == data["front"].dtype == bool
    assert summary["feasible"] == int(data["feasible"].sum()) > 0
    assert summary["failed"] == sum(summary["reasons"].values()) == int((data["failure"] != 0).sum()) > 0
    assert float(data["swing"].where(data["feasible"] == 1).min()) >= 0.3
    table = pd.read_csv(tmp_path / "designs.csv", index_col="design", keep_default_na=True)
    assert len(table) == 200 and table["failure"].notna().sum() == summary["failed"]
    best = summary["best"]["greatest swing"]
    assert best["swing"] == pytest.approx(float(data["swing"].where(data["feasible"] == 1).max()))
    page = (tmp_path / "designs.html").read_text()
    assert f"design {best['design']}" in page
    assert all(reason in page for reason in summary["reasons"])
    assert {"front.png", "coordinates.png", "map.png", "summary.json"} <= {path.name for path in tmp_path.iterdir()}


@needs_compiler
def test_table_is_written_without_goals_and_measures(model: Path, tmp_path: Path) -> None:
    said = call(
        "designs", model, "--parameter", "crank=0.08:0.12", "--count", 20, "--sampling", "grid", "--out", tmp_path
    )
    assert "crank.torque.max_abs" in said.stdout
    data = xr.load_dataset(tmp_path / "designs.nc")
    np.testing.assert_allclose(data["crank"], np.linspace(0.08, 0.12, 20))
    assert "front" not in data


@needs_compiler
def test_store_is_reused_for_other_goals(model: Path, tmp_path: Path) -> None:
    asked = (
        "designs",
        model,
        "--parameter",
        "crank=0.08:0.12",
        "--count",
        20,
        "--store",
        tmp_path / "designs.nc",
        "--json",
    )
    first = json.loads(call(*asked, "--out", tmp_path).stdout)
    again = json.loads(call(*asked, "--minimise", "crank.torque.max_abs", "--out", tmp_path).stdout)
    assert first["front"] is None and again["front"] == 1
    assert again["feasible"] == first["feasible"] == 20
    refused = call(*asked, "--seed", 1, "--out", tmp_path, code=2)
    assert "belongs to another set of designs; what differs: parameters" in refused.stderr


@needs_compiler
def test_stale_outputs_are_removed(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("designs", model, "--parameter", "crank=0.08:0.12", "--count", 6, "--out", tmp_path)
    call(
        *asked,
        "--parameter",
        "rocker=0.24:0.26",
        "--minimise",
        "crank.torque.max_abs",
        "--maximise",
        "crank.torque.max",
    )
    (tmp_path / "notes.txt").write_text("mine")
    assert {"designs.csv", "front.png", "map.png", "designs-files"} <= {path.name for path in tmp_path.iterdir()}
    monkeypatch.setattr("gaitwright.design.batch.table_result.MAX_CSV_ROWS", 5)
    call(*asked)
    assert not {"designs.csv", "front.png", "map.png"} & {path.name for path in tmp_path.iterdir()}
    assert {"designs.nc", "coordinates.png", "notes.txt"} <= {path.name for path in tmp_path.iterdir()}


@needs_compiler
def test_full_disk_is_one_sentence(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put = output_files._replace_file

    def full(path: Path, data: bytes) -> None:
        if path.name == "designs.nc":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        put(path, data)

    monkeypatch.setattr(output_files, "_replace_file", full)
    said = call("designs", model, "--parameter", "crank=0.08:0.12", "--count", 4, "--out", tmp_path, code=2)
    assert f"'{tmp_path / 'designs.nc'}' was not written: there is no space left on the disk" in said.stderr
    assert "unexpected" not in said.stderr and not (tmp_path / "designs.nc").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--parameter", "crank=0.08:0.2", "--parameter", "rocker=0.2,0.3"), "has ranges and lists of values"),
        ((*VARIED, "--parameter", "crank=0.08:0.2"), "is given twice by --parameter"),
        (("--parameter", "crnk=0.05:0.2"), "did you mean 'crank'"),
        (("--parameter", "crank=0.2:0.3"), "excludes its value in the model, 0.1"),
        ((*VARIED, "--measure", "crank.tork.max"), "crank.tork"),
        ((*VARIED, "--measure", "crank.torque.max/2"), "needs a name"),
        ((*VARIED, "--limit", "crank.torque.max"), "--limit takes NAME=LOW:HIGH"),
        ((*VARIED, "--sampling", "best"), "one of sobol, grid, random"),
        ((*VARIED, "--processor", "tpu"), "one of cpu, cuda"),
        (("--parameter", "crank=a:b"), "--parameter takes NAME=LOW:HIGH"),
        (("--parameter", "crank=0.08:"), "--parameter takes NAME=LOW:HIGH"),
        ((*VARIED, "--limit", "crank.torque.max=:"), "has no side"),
    ],
)
def test_bad_input_is_one_sentence(model: Path, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    said = call("designs", model, *arguments, "--count", 10, "--out", tmp_path, code=2)
    assert message in said.stderr and "Traceback" not in said.stderr


def test_best_designs_of_two_goals() -> None:
    data = xr.Dataset({"a": ("design", [0.0, 1.0, 2.0, 9.0]), "b": ("design", [1.0, 3.0, 3.5, 9.0])})
    data["front"] = ("design", [True, True, True, False], {"minimise": "a", "maximise": "b"})
    assert find_best_designs(data) == {"least a": 0, "greatest b": 2, "between": 1}


def test_design_that_is_best_in_many_goals_has_a_short_name(tmp_path: Path) -> None:
    """Its file name lists two goals: with 60 goals it would be too long for every file system."""
    goals = [f"goal_{k}" for k in range(60)]
    data = xr.Dataset({name: ("design", [float(k > 40), float(k <= 40)]) for k, name in enumerate(goals)})
    data["front"] = ("design", [True, True], {"minimise": ", ".join(goals), "maximise": ""})
    best = find_best_designs(data)
    assert best == {"least goal_0, least goal_1 and 39 more": 0, "least goal_41, least goal_42 and 17 more": 1}
    varied = gw.Model("one", parameters={"x": 1.0}).body("ball", mass="x", inertia=1)
    twins = {"least a/b": 0, "least a:b": 1, "n" * 300: 1}
    files = save_best_models(varied, {"x": np.array([1.0, 2.0])}, {**best, **twins}, tmp_path)
    assert len(set(files.values())) == 5 and max(len(path.name) for path in files.values()) < 120
    assert gw.load(files["model, least a:b"]).document.parameters["x"] == 2.0
