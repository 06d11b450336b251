"""Command `sweep`: outputs, messages, and continuation after a signal; also continuation of `optimise` and `choose`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import xarray as xr

import gaitwright as gw
from at_work import restore_signals
from calling import call

SCRIPT = """
import os, signal
from gaitwright.cli import main, terminal
def say(watch, what, fraction, shown=terminal.ProgressMonitor.say):
    if fraction >= {part}:
        os.kill(os.getpid(), signal.{name})
    shown(watch, what, fraction)
terminal.ProgressMonitor.say = say
main.main()
"""
"""Command line that sends a signal to itself after a part of the work."""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    model = gw.Model("four-bar", parameters={"crank": 0.1, "speed": 6.0})
    model.ground_point("O", 0, 0).ground_point("C", 0.3, 0).point("A", "crank", 0).point("B", 0.3, 0.25)
    model.link("crank", "O", "A", length="crank", mass=0.1)
    model.link("coupler", "A", "B", length=0.3, mass=0.1)
    model.link("rocker", "C", "B", length=0.25, mass=0.1)
    model.drive.rotation("crank", "speed*t").output("crank.torque")
    raw = {**model.to_dict(), "analysis": {"type": "inverse", "until": 0.1, "step": 0.01}}
    return gw.Model.from_dict(raw).save(tmp_path / "four-bar.yaml")


def stopped(part: float, name: str, *arguments: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", SCRIPT.format(part=part, name=name), *map(str, arguments)]
    start = None if sys.platform == "win32" else restore_signals
    return subprocess.run(command, capture_output=True, text=True, timeout=300, preexec_fn=start)


GRID = ("--parameter", "crank=0.08:0.1:4", "--parameter", "speed=3,6,9", "--measure", "crank.torque.max_abs")


@pytest.mark.slow
def test_command_writes_a_table_and_a_map(model: Path, tmp_path: Path):
    out = tmp_path / "out"
    done = call("sweep", model, *GRID, "--out", out, "--workers", 1)
    assert "crank.torque" in done.stdout and "crank = 0.1, speed = 9" in done.stdout
    data = xr.load_dataset(out / "sweep.nc")
    assert data["crank.torque.max_abs"].dims == ("crank", "speed") and data["crank.torque.max_abs"].shape == (4, 3)
    run = gw.load(model, crank=0.08, speed=9.0).inverse(0.1, step=0.01)
    assert float(data["crank.torque.max_abs"].sel(crank=0.08, speed=9.0)) == abs(run.array("crank.torque")).max()
    assert len((out / "sweep.csv").read_text().splitlines()) == 13
    assert (out / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in out.iterdir()) == [
        "plot.png", "sweep-files", "sweep.csv", "sweep.html", "sweep.nc",
    ]  # fmt: skip
    found = json.loads(call("sweep", model, *GRID, "--out", out, "--json").stdout)
    assert (found["variants"], found["failed"], found["interrupted"]) == (12, 0, False)
    assert found["numbers"]["crank.torque.max_abs"]["greatest"]["value"] == float(data["crank.torque.max_abs"].max())


def test_failed_variants_are_counted(model: Path, tmp_path: Path):
    done = call("sweep", model, "--parameter", "crank=0.1,5,6", "--out", tmp_path / "out", "--workers", 1)
    assert "2 of 3 variants have no numbers:" in done.stdout and "2 x: " in done.stdout
    done = call("sweep", model, "--parameter", "crank=5", "--out", tmp_path / "other", "--workers", 1)
    assert "warning: none of 1 variants can be analysed" in done.stderr


def test_leg_is_measured(tmp_path: Path):
    from gaitwright.mechanisms import jansen_leg

    leg = jansen_leg().save(tmp_path / "leg.yaml")
    done = call("sweep", leg, "--parameter", "L6=0.41,0.42", "--measure", "energy", "--out", tmp_path, "--workers", 1)
    (row,) = [line for line in done.stdout.splitlines() if line.split()[:1] == ["energy"]]
    assert float(row.split()[1]) > 0
    sentence = call(
        "sweep", leg, "--parameter", "L6=0.41", "--measure", "enrgy", "--out", tmp_path / "b", code=2
    ).stderr
    assert "there is no output and no number of a leg 'enrgy'; did you mean 'energy'?" in sentence


def test_sweep_in_millimetres_names_the_unit(tmp_path: Path):
    from gaitwright.mechanisms import jansen_leg

    leg = jansen_leg().save(tmp_path / "leg.yaml")
    done = call(
        "sweep", leg, "--parameter", "L6=390:430:2", "--measure", "energy", "--out", tmp_path / "a", "--workers", 1
    )
    assert (
        "link 'L6' is 390 m long (lengths are in m, or have a unit, as in 240 mm): looks like millimetres"
        in done.stderr
    )
    assert "greatest" not in done.stdout and "2 of 2 variants have no numbers" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--parameter", "crank"], "--parameter takes NAME=LOW:HIGH, NAME=LOW:HIGH:COUNT or NAME=A,B,C (got 'crank')"),
        (["--parameter", "crank=1:2:x"], "--parameter takes NAME=LOW:HIGH, NAME=LOW:HIGH:COUNT"),
        (["--parameter", "crank=1,nan"], "--parameter takes NAME=LOW:HIGH, NAME=LOW:HIGH:COUNT"),
    ],
)
def test_wrong_input_is_one_sentence(arguments: list[str], message: str, model: Path, tmp_path: Path):
    done = call("sweep", model, *arguments, "--out", tmp_path / "out", code=2)
    assert message in done.stderr and not (tmp_path / "out").exists()


def test_folder_with_another_sweep_is_refused(model: Path, tmp_path: Path):
    arguments = ("sweep", model, "--out", tmp_path, "--workers", 1)
    call(*arguments, "--parameter", "crank=0.09,0.1")
    done = call(*arguments, "--parameter", "crank=0.08,0.1", code=2)
    assert "belongs to another sweep; what differs: parameters; expected another --out, or --restart" in done.stderr
    call(*arguments, "--parameter", "crank=0.08,0.1", "--restart")
    assert xr.load_dataset(tmp_path / "sweep.nc")["crank"].values.tolist() == [0.08, 0.1]


@pytest.mark.slow
def test_outputs_leg_numbers_and_expressions_are_combined(tmp_path: Path):
    leg = gw.mechanisms.jansen_leg().save(tmp_path / "leg.yaml")
    asked = ("energy", "crank.torque.max", "ratio=energy/step_length", "F.x.range")
    store = tmp_path / "kept.nc"
    arguments = ("sweep", leg, "--parameter", "L6=410 mm,414 mm", *(x for name in asked for x in ("--measure", name)))
    answer = json.loads(call(*arguments, "--out", tmp_path, "--store", store, "--workers", 1, "--json").stdout)
    assert list(answer["numbers"]) == ["energy", "crank.torque.max", "ratio", "F.x.range"]
    data = xr.load_dataset(store)
    assert data["energy"].attrs["units"] == "J" and data["L6"].values.tolist() == [0.41, 0.414]
    assert data["ratio"].values == pytest.approx((data["energy"] / data["step_length"]).values)
    run = gw.load(leg, L6=0.41)
    turn = gw.Model.from_dict({**run.to_dict(), "analysis": gw.one_turn(model=run)}).analyse()
    assert float(data["crank.torque.max"][0]) == pytest.approx(turn.array("crank.torque").max(), rel=1e-3)
    page = (tmp_path / "sweep.html").read_text()
    assert page.count('class="player"') == 2 and "least energy: L6 = 0.41" in page


def test_expression_of_outputs(model: Path, tmp_path: Path):
    options = ("--parameter", "speed=3,6", "--measure", "swing=rocker.angle.max - rocker.angle.min", "--workers", 1)
    answer = json.loads(call("sweep", model, *options, "--out", tmp_path, "--json").stdout)
    assert answer["numbers"]["swing"]["greatest"]["at"] == {"speed": 6.0}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGHUP", 129), ("SIGKILL", -9)])
def test_stopped_sweep_continues(name: str, code: int, model: Path, tmp_path: Path):
    out = tmp_path / "out"
    arguments = ("sweep", model, *GRID, "--out", out, "--workers", 2)
    done = stopped(0.4, name, *arguments)
    assert done.returncode == code, done.stderr
    if name != "SIGKILL":
        assert "variants are missing; the results so far are kept: the same command continues" in done.stdout
        assert (xr.load_dataset(out / "sweep.nc")["failure"] == "").sum() >= 4
    assert (out / "sweep.nc.log").read_bytes().count(b"\n") >= 5
    assert json.loads(call(*arguments, "--json").stdout)["failed"] == 0 and not (out / "sweep.nc.log").exists()
    alone = tmp_path / "alone"
    call("sweep", model, *GRID, "--out", alone, "--workers", 1)
    xr.testing.assert_equal(xr.load_dataset(out / "sweep.nc"), xr.load_dataset(alone / "sweep.nc"))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGKILL", -signal.SIGKILL.value)])
def test_stopped_search_continues(name: str, code: int, model: Path, tmp_path: Path):
    out = tmp_path / "out"
    arguments = ("optimise", model, "--parameter", "crank=0.05:0.12", "--parameter", "speed=3:9", "--minimise",
                 "crank.torque.max_abs", "--method", "cobyqa", "--budget", 20, "--json")  # fmt: skip
    done = stopped(0.5, name, *arguments, "--out", out)
    assert done.returncode == code, done.stderr
    if name == "SIGTERM":
        found = json.loads(done.stdout)
        assert found["interrupted"] and 10 <= found["trials"] <= 12 and (out / "improved.yaml").exists()
    (store,) = out.glob("search-*.jsonl")
    assert store.read_bytes().count(b"\n") >= 10
    again = json.loads(call(*arguments, "--out", out).stdout)
    assert not store.exists()
    alone = json.loads(call(*arguments, "--out", tmp_path / "alone").stdout)
    assert again["history"] == alone["history"] and again["values"] == alone["values"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_stopped_choice_continues(model: Path, tmp_path: Path):
    out = tmp_path / "out"
    arguments = ("choose", model, "--parameter", "speed=3:30", "--target", "crank.torque.max_abs=0.1", "--json")
    done = stopped(0.3, "SIGTERM", *arguments, "--out", out)
    assert done.returncode == 143, done.stderr
    assert "interrupted; the results so far are kept: the same command continues" in done.stderr
    (store,) = out.glob("choice-*.jsonl")
    assert store.read_bytes().count(b"\n") >= 3
    again = json.loads(call(*arguments, "--out", out).stdout)
    assert not store.exists()
    alone = json.loads(call(*arguments, "--out", tmp_path / "alone").stdout)
    assert {**again, "files": 0} == {**alone, "files": 0}
