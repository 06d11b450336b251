"""Partial results of running analyses: all kinds of analyses, intervals, full disks, killed processes."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import gaitwright as gw
from at_work import SCRIPT
from documents import EXAMPLES
from gaitwright._core.errors import NotSaved
from gaitwright.cli.main import app
from gaitwright.jit.call_pacing import CallPacer
from gaitwright.result.files import result_file, snapshots
from gaitwright.result.files.snapshots import (
    PARTIAL_FILE,
    PARTIAL_SUMMARY_FILE,
    SNAPSHOT_INTERVAL_VARIABLE,
    store_snapshots,
)
from gaitwright.result.outputs import StateHistory

PENDULUM = str(EXAMPLES / "pendulum.yaml")


def pendulum() -> gw.Model:
    model = gw.Model("pendulum").ground_point("O", 0, 0).point("A", 0.5, 0)
    return model.link("bar", "O", "A", mass=1.0)


def tapping() -> gw.Model:
    """A driven crank with an end that dips into the ground once per turn."""
    model = gw.Model("tapping").ground_point("O", 0, 0).point("F", 0.1, 0).link("crank", "O", "F", length=0.1, mass=0.1)
    model.drive.rotation("crank", "2*pi*t")
    ground = gw.surfaces.LineGround(level=-0.09)
    model.contact(
        "F", ground, law=gw.laws.KelvinVoigt(1e4, damping=10.0), friction=gw.friction.Coulomb(0.4), name="toe"
    )
    return model


def falling() -> gw.Model:
    """A pendulum with an end that falls onto the ground."""
    return pendulum().contact(
        "A", gw.surfaces.LineGround(level=-0.3), law=gw.laws.KelvinVoigt(1e5, damping=50.0), name="toe"
    )


def truss() -> gw.Model:
    """Two springs that meet in a slider above the line of their supports, pushed down to half of the limit load."""
    model = gw.Model("truss", gravity=(0, 0)).ground_point("L", -1, 0).ground_point("R", 1, 0)
    model.ground_point("O", 0, 0).body("apex", mass=1, inertia=1, at=(0, 0.3))
    model.joint.prismatic("ground.O", "apex", axis=(0, 1), name="guide")
    for support in ("L", "R"):
        model.force.spring_damper(f"ground.{support}", "apex", stiffness=1000.0, rest_length=float(np.hypot(1, 0.3)))
    return model.force.at_point("apex", [0, "-4*t"], name="push")


def pressed() -> gw.Model:
    """A block on the ground, pushed by an increasing force from above."""
    mesh = gw.mesh.rectangle((0.1, 0.03), (2, 1))
    model = gw.Model("block", gravity=(0, 0))
    model.solid("block", mesh, material=gw.materials.NeoHookean(youngs_modulus=1e5, poissons_ratio=0.4), density=1000.0)
    ground = gw.surfaces.LineGround(mesh.bounds[0, 1])
    model.contact(
        gw.surfaces.Skin("block", "bottom"),
        ground,
        law=gw.laws.Penalty(),
        friction=gw.friction.Bristle(0.2, 1e8),
        name="sole",
    )
    return model.force("force", at="block.top", value=(0.0, "-20 - 20*t"))


RUNS: dict[str, tuple[Callable[[], gw.Model], str, dict[str, Any]]] = {
    "forward, all states": (pendulum, "simulate", {"until": 1.0, "method": "gauss2", "step": 1e-3}),
    "forward, chosen outputs": (pendulum, "simulate", {"until": 1.0, "step": 1e-3, "store": ["A.y"]}),
    "forward, adaptive": (pendulum, "simulate", {"until": 1.0, "output_step": 0.01}),
    "forward, embedding": (pendulum, "simulate", {"until": 1.0, "step": 1e-2, "formulation": "embedding"}),
    "forward, contacts": (falling, "simulate", {"until": 1.0, "step": 1e-3}),
    "inverse, contacts": (tapping, "inverse", {"until": 1.0, "step": 1e-2}),
    "static path, time": (truss, "static_path", {"until": 1.0, "steps": 10}),
    "static path, arc-length": (truss, "static_path", {"until": 1.0, "steps": 10, "control": "arc-length"}),
    "static path, surfaces of solids": (pressed, "static_path", {"until": 1.0, "steps": 4}),
}


class ShortPace(CallPacer):
    def begin(self) -> int:
        return 7


@pytest.fixture
def in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops that return to Python every few steps."""
    from gaitwright.analysis import embedding, integration, kinematics, prescribed_contacts

    for module in (kinematics, prescribed_contacts):
        monkeypatch.setattr(module, "CallPacer", ShortPace)
    monkeypatch.setattr(integration, "initial_step_count", lambda unknowns: 7)
    monkeypatch.setattr(embedding, "STEPS_PER_CHUNK", 7)
    monkeypatch.setattr(snapshots, "MAX_WRITE_TIME_RATIO", np.inf)


@pytest.mark.parametrize("name", RUNS)
def test_snapshot_holds_the_samples_so_far_and_changes_nothing(name: str, tmp_path: Path, in_pieces: None):
    make, analysis, options = RUNS[name]
    whole = getattr(make(), analysis)(**options)
    copies: list[Path] = []

    def keep(fraction: float) -> None:
        if fraction < 0.9 and (tmp_path / PARTIAL_FILE).exists():
            copies.append(Path(shutil.copy(tmp_path / PARTIAL_FILE, tmp_path / f"{len(copies) % 2}.nc")))

    with store_snapshots(tmp_path, 0.0) as store:
        watched = getattr(make(), analysis)(**options, progress=keep)
    for field in StateHistory._fields:
        np.testing.assert_array_equal(getattr(watched.motion, field), getattr(whole.motion, field), err_msg=field)
    assert store.count >= 2 and copies
    part = gw.load_result(copies[-1])
    n = part.time.size
    assert 0 < n < whole.time.size
    assert not part.evidence.complete and "CUT SHORT" in repr(part)
    told = (
        f"incomplete until t = {part.time[-1]:.6g} s of {options['until']:.6g} s: stored while the analysis was running"
    )
    assert told in part.evidence.warnings
    np.testing.assert_array_equal(part.time, whole.time[:n])
    approximate = "inverse" in name  # its works are integrals of a spline through all samples so far
    for output in part.names:
        if output in whole.names and not output.endswith("unstable"):
            known, wanted = part.array(output), whole.array(output)[:n]
            np.testing.assert_allclose(known, wanted, rtol=1e-12, atol=1e-5 if approximate else 1e-12, err_msg=output)


def test_kinematic_snapshot_without_contacts(tmp_path: Path, in_pieces: None):
    model = gw.Model("crank").ground_point("O", 0, 0).point("A", 0.1, 0).link("crank", "O", "A", mass=0.1)
    model.drive.rotation("crank", "2*pi*t")
    with store_snapshots(tmp_path, 0.0):
        whole = model.kinematics(1.0, step=1e-2)
    part = gw.load_result(tmp_path / PARTIAL_FILE)
    np.testing.assert_array_equal(part.array("A.x"), whole.array("A.x")[: part.time.size])


def test_interval_grows_with_the_cost_of_a_snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    now = [0.0]
    monkeypatch.setattr(snapshots.clock, "monotonic", lambda: now[0])

    def write(snapshot: Any, path: Path) -> Path:
        now[0] += 3.0
        return path

    monkeypatch.setattr(result_file, "write_snapshot", write)
    made: list[float] = []
    run = pendulum().simulate(0.1, step=1e-2)

    def make() -> snapshots.Snapshot:
        made.append(now[0])
        return snapshots.Snapshot(run.mechanism, run.motion, run.evidence, run.document, 1.0)

    store = snapshots.SnapshotStore(tmp_path, 5.0)
    for _ in range(2000):
        store.offer(make)
        now[0] += 1.0
    assert made[0] == 5.0
    assert np.all(np.diff(made) >= 3.0 / snapshots.MAX_WRITE_TIME_RATIO)
    assert 3.0 * len(made) <= 0.02 * now[0]


@pytest.mark.parametrize("failure", [NotSaved(Path("x"), "there is no space left on the disk", 28, b""), MemoryError()])
def test_failed_snapshot_does_not_end_the_analysis(
    failure: Exception, tmp_path: Path, in_pieces: None, monkeypatch: pytest.MonkeyPatch, capsys: Any
):
    def refuse(*_: Any) -> None:
        raise failure

    monkeypatch.setattr(result_file, "write_snapshot", refuse)
    with store_snapshots(tmp_path, 0.0) as store:
        run = pendulum().simulate(1.0, step=1e-2)
    assert run.evidence.complete and run.time[-1] == 1.0 and store.count == 0
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1 and said[0].startswith("warning: no more partial results are stored: ")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "interval"), [("0.5", 0.5), ("inf", np.inf), ("", 5.0), ("-1", 5.0), ("soon", 5.0), ("nan", 5.0)]
)
def test_interval_of_the_environment(text: str, interval: float, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(SNAPSHOT_INTERVAL_VARIABLE, text)
    assert snapshots.snapshot_interval() == interval


def test_run_that_ends_leaves_no_partial_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(SNAPSHOT_INTERVAL_VARIABLE, "0")
    for name in (PARTIAL_FILE, PARTIAL_SUMMARY_FILE):
        (tmp_path / name).write_text("of an earlier run")
    done = CliRunner().invoke(app, ["run", PENDULUM, "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert {path.suffix: path.name for path in tmp_path.iterdir() if path.suffix} == {
        ".nc": "result.nc",
        ".json": "summary.json",
    }
    assert gw.load_result(tmp_path / "result.nc").attributes()["status"] == "complete"


def test_run_that_fails_replaces_the_snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(SNAPSHOT_INTERVAL_VARIABLE, "0")
    done = CliRunner().invoke(
        app, ["run", PENDULUM, "--max-steps", "100", "--set", "analysis.step=1e-3", "--out", str(tmp_path)]
    )
    assert done.exit_code == 1
    assert [path.name for path in tmp_path.iterdir() if path.suffix] == [PARTIAL_FILE]
    assert not any(
        "while the analysis was running" in text for text in gw.load_result(tmp_path / PARTIAL_FILE).evidence.warnings
    )


def test_export_of_a_partial_result_says_that_it_is_incomplete(tmp_path: Path, in_pieces: None):
    with store_snapshots(tmp_path, 0.0):
        pendulum().simulate(1.0, step=1e-2)
    done = CliRunner().invoke(app, ["export", str(tmp_path / PARTIAL_FILE), "--to", str(tmp_path / "table.csv")])
    assert done.exit_code == 0, done.output
    assert "note: the result is incomplete until t = " in done.output


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_killed_run_leaves_its_last_snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(SNAPSHOT_INTERVAL_VARIABLE, "0.2")
    long = "analysis={type: forward, until: 1000, step: 1e-3, method: gauss2}"
    command = [sys.executable, "-c", SCRIPT, "run", PENDULUM, "--set", long, "--out", str(tmp_path)]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not (tmp_path / PARTIAL_SUMMARY_FILE).exists():
            assert running.poll() is None
            time.sleep(0.02)
    finally:
        running.send_signal(signal.SIGKILL)
        running.wait(timeout=60)
    part, told = gw.load_result(tmp_path / PARTIAL_FILE), json.loads((tmp_path / PARTIAL_SUMMARY_FILE).read_text())
    assert not (tmp_path / "result.nc").exists()
    assert told["status"].startswith("incomplete until t = ") and told["until"] == 1000 and told["file"] == PARTIAL_FILE
    assert 0.0 < told["time"] <= part.time[-1] < 1000
    n = min(part.time.size, 2001)
    again = gw.load(PENDULUM).simulate(float(part.time[n - 1]), step=1e-3, method="gauss2")
    for name in gw.load(PENDULUM).document.outputs:
        np.testing.assert_allclose(part.array(name)[: n - 1], again.array(name)[: n - 1], rtol=1e-12, atol=1e-12)
    assert abs(part.balance.residual).max() < 1e-6
