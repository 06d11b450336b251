"""Command line: printed and written output, exit codes, one sentence for every error, Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

import gaitwright as gw
from at_work import begin
from documents import EXAMPLES, put, small
from gaitwright.cli import terminal
from gaitwright.cli.main import app, join_paragraph_lines

PENDULUM, FOUR_BAR, JANSEN, LEG, BALL, BLOCK, TERRAIN = (
    str(EXAMPLES / f"{name}.yaml")
    for name in (
        "pendulum", "four_bar", "jansen", "jansen_on_ground", "bouncing_ball", "block_on_slope", "rolling_terrain",
    )
)  # fmt: skip
SUMMARY = {
    "name",
    "analysis",
    "method",
    "steps",
    "wall_seconds",
    "final",
    "max_abs",
    "max_constraint_violation",
    "energy",
    "contacts",
}
ENERGY = {"kinetic", "potential", "dissipated", "work", "residual"}


def call(*arguments: Any, code: int = 0) -> Any:
    """Run a command in this process."""
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert done.exit_code == code, f"{done.exit_code}: {done.stdout} {done.stderr} {done.exception!r}"
    return done


def start(*arguments: Any, **environment: str) -> subprocess.Popen[str]:
    """Start a command as a user would."""
    command = [sys.executable, "-c", "from gaitwright.cli.main import main; main()", *map(str, arguments)]
    pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env={**os.environ, **environment}, **pipes)


def process(*arguments: Any, code: int = 0, **environment: str) -> tuple[str, list[str]]:
    """Run a command to its end; stdout, and stderr in lines without the notice of compilation."""
    running = start(*arguments, **environment)
    out, err = running.communicate(timeout=120)
    assert running.returncode == code, f"{running.returncode}: {out} {err}"
    return out, without_progress(err)


def without_progress(err: str) -> list[str]:
    """Lines of stderr without progress messages."""
    return [line for line in err.splitlines() if not re.match(r"compiling, |\w+ing: \d+ %", line)]


def model_file(folder: Path, document: Any) -> Path:
    path = folder / "model.yaml"
    path.write_text(yaml.safe_dump(document))
    return path


# run ----------------------------------------------------------------------------------------------------------------


def test_chart_over_another_output(tmp_path: Path) -> None:
    run = ("run", FOUR_BAR, "--out", tmp_path)
    done = call(*run, "--chart", "rocker.angle, coupler.angle over crank.angle", "--chart", "bearing.torque over time")
    assert "rocker.angle over crank.angle: greatest" in done.stdout
    assert (tmp_path / "chart-1.png").is_file() and (tmp_path / "chart-2.png").is_file()
    charts = json.loads((tmp_path / "summary.json").read_text())["charts"]
    assert [chart["y"] for chart in charts] == ["rocker.angle", "coupler.angle", "bearing.torque"]
    for wrong, said in (
        ("rocker.angle", "is not a chart"), (" over time", "is not a chart"), ("rocker.angel over time", "rocker.angle"),
    ):  # fmt: skip
        assert said in call(*run, "--chart", wrong, code=2).stderr.replace("\n", " ")


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.stem)
def test_run_every_example(path: Path, tmp_path: Path):
    done = call("run", path, "--out", tmp_path / "new" / "out", "--json")
    summary = json.loads(done.stdout)
    assert set(summary) >= SUMMARY
    assert set(summary["energy"]) >= ENERGY
    wanted = yaml.safe_load(path.read_text())["outputs"]
    assert list(summary["final"]) == list(summary["max_abs"]) == wanted
    assert all(isinstance(value, float) for value in summary["final"].values())
    written = json.loads((tmp_path / "new" / "out" / "summary.json").read_text())
    assert {**summary, "files": None} == {**written, "files": None}
    result = gw.load_result(summary["files"]["result"])
    assert result.summary()["final"] == summary["final"]
    assert summary["evidence"]["warnings"] == []


def test_run_prints_a_readable_summary(tmp_path: Path):
    done = call("run", FOUR_BAR, "--out", tmp_path)
    assert "crank.spin" in done.stdout and "rad/s" in done.stdout
    assert "joints closed to" in done.stdout and "result.nc" in done.stdout
    assert without_progress(done.stderr) == []


def test_run_without_outputs_shows_drives_and_energies(tmp_path: Path):
    document = {**small(), "outputs": []}
    done = call("run", model_file(tmp_path, document), "--out", tmp_path)
    for name in ("motor.torque", "spring.force", "energy.kinetic", "crank.angle"):
        assert name in done.stdout
    assert "outputs; name others" in done.stdout


def test_run_modes(tmp_path: Path):
    arguments = ("run", PENDULUM, "--set", "analysis.type=modes", "--out", tmp_path)
    summary = json.loads(call(*arguments, "--json").stdout)
    # a uniform rod about its end: omega^2 = 3 g / 2 L
    assert summary["frequencies_hz"] == pytest.approx([(3 * 9.81 / 2) ** 0.5 / 6.283185307179586])
    assert (tmp_path / "result.nc").exists()
    assert "Hz" in call(*arguments).stdout


@pytest.mark.slow
def test_run_plot_and_animate(tmp_path: Path):
    call("run", FOUR_BAR, "--plot", "--animate", "--out", tmp_path)
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert "<html" in (tmp_path / "animation.html").read_text()


@pytest.mark.slow
def test_run_writes_a_report(tmp_path: Path):
    done = call("run", FOUR_BAR, "--report", "--out", tmp_path, "--json")
    files = json.loads(done.stdout)["files"]
    assert files["report"] == str(tmp_path / "report.html") and "<html" in (tmp_path / "report.html").read_text()
    assert sorted(Path(files["pictures and tables"]).glob("*.png"))


@pytest.mark.slow
def test_run_shows_contacts(tmp_path: Path):
    done = call("run", LEG, "--out", tmp_path, "--plot", "--animate")
    header, row = (
        next(line for line in done.stdout.splitlines() if line.split()[:1] == [word] and len(line.split()) > 7)
        for word in ("contact", "toe")
    )
    assert "first (s)" in header and "hardest (N)" in header and "lost (J)" in header
    toe = json.loads((tmp_path / "summary.json").read_text())["contacts"]["toe"]
    assert row.split()[1] == str(toe["episodes"]) == "2"
    assert float(row.split()[5]) == pytest.approx(toe["max_normal_force"], rel=1e-4)
    assert "events of contacts" in done.stdout
    assert '"forces":[{' in (tmp_path / "animation.html").read_text(), "with arrows"


def test_run_without_outputs_shows_contacts_and_free_bodies(tmp_path: Path):
    done = call("run", BALL, "--set", "outputs=[]", "--set", "analysis.until=0.5", "--out", tmp_path)
    for name in ("floor.normal_force", "floor.tangential_force", "floor.penetration", "ball.x", "ball.y", "ball.angle"):
        assert f" {name} " in done.stdout
    assert "floor.slip_velocity" not in done.stdout


def test_run_of_an_equilibrium_shows_contact_forces(tmp_path: Path):
    done = call("run", BALL, "--set", "analysis={type: static}", "--out", tmp_path, "--animate", "--plot")
    row = next(line for line in done.stdout.splitlines() if line.split()[:1] == ["floor"])
    assert row.split() == ["floor", "0.4583", "9.81"]  # mm and N: (9.81 / 1e6)^(2/3)


def test_set(tmp_path: Path):
    arguments = ["run", PENDULUM, "--json", "--out", tmp_path]
    plain = json.loads(call(*arguments).stdout)
    changes = ["--set", "parameters.L=2", "--set", "analysis.until=1", "--set", "outputs=[rod.angle]"]
    changed = json.loads(call(*arguments, *changes).stdout)
    assert changed["time"] == 1.0 and plain["time"] == 5.0
    assert list(changed["final"]) == ["rod.angle"]
    # the same swing, slower by sqrt(2)
    same = json.loads(call(*arguments, "--set", f"analysis.until={2**-0.5}").stdout)
    assert changed["final"]["rod.angle"] == pytest.approx(same["final"]["rod.angle"], abs=1e-6)


# check --------------------------------------------------------------------------------------------------------------


def test_check(tmp_path: Path):
    done = call("check", JANSEN, "--out", tmp_path)
    assert "11 bodies, 33 coordinates, 33 constraint rows, 1 drive" in done.stdout
    assert "redundant: none" in done.stdout
    assert (tmp_path / "mechanism.png").read_bytes().startswith(b"\x89PNG")
    found = json.loads(call("check", JANSEN, "--out", tmp_path, "--json").stdout)
    assert (found["degrees_of_freedom"], found["mobility"], found["closed"]) == (0, 1, True)


@pytest.mark.parametrize(
    ("path", "changes", "lines"),
    [
        (LEG, [], ["contact toe: point F of L10 on a line of the ground; lankarani-nikravesh, coulomb, restitution 0.5; "
                   "127 mm apart at the start"]),
        (TERRAIN, [], ["contact terrain: a circle of radius 100 mm about ball on a terrain of the ground; hunt-crossley, "
                       "coulomb, restitution 0.4; touching at the start"]),
        (BALL, ["contacts.floor.friction=null", "bodies.ball.at=[0, 0.0997]"],
         ["contact floor: a circle of radius 100 mm about ball on a line of the ground; zhang-sharf, no friction, "
          "restitution 0.8; 0.3 mm inside at the start",
          "warning: contact 'floor' field 'approach_speed': starts 0.3 mm inside the surface; expected the approach speed "
          "at which it touched down, in m/s, or a start outside"]),
        (BALL, ["contacts.floor.law=null", "contacts.floor.restitution=0.5", "contacts.floor.circle=null",
                "contacts.floor.point=ball", "contacts.floor.surface={polyline: [[1, 0], [2, 0]]}"],
         ["contact floor: the centre of ball on a terrain of the ground; no law, coulomb, restitution 0.5; not opposite "
          "each other at the start"]),
    ],
    ids=["point", "terrain", "inside", "beside"],
)  # fmt: skip
def test_check_lists_contacts(path: str, changes: list[str], lines: list[str], tmp_path: Path):
    arguments = ["check", path, "--out", tmp_path, *(part for change in changes for part in ("--set", change))]
    said = call(*arguments).stdout.splitlines()
    assert [line for line in said if line.startswith(("contact", "warning"))] == lines
    (contact,) = json.loads(call(*arguments, "--json").stdout)["contacts"]
    assert set(contact) == {"name", "touching", "surface", "law", "friction", "restitution", "gap", "start"}


def test_check_names_surfaces_of_bodies(tmp_path: Path):
    document = yaml.safe_load(Path(BLOCK).read_text())
    document["bodies"].append({"name": "ball", "mass": 1, "inertia": 0.01, "at": [0, 0.5]})
    touched: list[Any] = [
        {"face": ["block.d", "block.c"]}, {"segment": ["block.d", "block.c"]}, {"circle": {"body": "block", "radius": 0.02}},
    ]  # fmt: skip
    for surface in touched:
        law = {"type": "hertz", "stiffness": 1e5}
        document["contacts"].append({"circle": {"body": "ball", "radius": 0.1}, "surface": surface, "law": law})
    found = json.loads(call("check", model_file(tmp_path, document), "--out", tmp_path, "--json").stdout)
    surfaces = [contact["surface"] for contact in found["contacts"]]
    assert surfaces[:2] == ["a line of the ground"] * 2
    assert surfaces[2:] == ["a face of block", "a bar of block", "a circle of block"]
    assert not found["warnings"], "a body that contacts hold is connected to something"


def test_check_names_redundant_joints(tmp_path: Path):
    document = small()
    document["joints"].append({"type": "revolute", "name": "again", "a": "coupler.B", "b": "rocker.B"})
    found = json.loads(call("check", model_file(tmp_path, document), "--out", tmp_path, "--json").stdout)
    assert any("again" in text or "'B'" in text for text in found["redundant"])


def test_check_of_a_linkage_that_cannot_close(tmp_path: Path):
    document = put(small(), ("links", 2, "length"), 0.05)
    floor = {"point": "B", "surface": {"line": [0, 1, 1]}, "law": {"type": "hertz", "stiffness": 1e5}}
    path = model_file(tmp_path, {**document, "contacts": [floor]})
    done = call("check", path, "--out", tmp_path, "--json", code=1)
    found = json.loads(done.stdout)
    assert found["contacts"][0]["start"] == "gap at the start not known"
    assert found["closed"] is False
    assert any("joint 'B' by" in text and "mm" in text for text in found["conflicts"])
    assert (tmp_path / "mechanism.png").exists()
    assert "error: the mechanism cannot be closed: " in done.stderr and "joint 'B'" in done.stderr


# demo, bench, help --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_demo_of_a_foot(tmp_path: Path):
    done = call("demo", "foot", "--out", tmp_path, "--json")
    found = json.loads(done.stdout)
    for name in ("report.html", "demo.json", "rollover.png", "pressure/regions.csv"):
        assert (tmp_path / name).stat().st_size > 500
    assert found["step"]["largest_force"] == pytest.approx(770.0, rel=1e-3)
    assert found["standing"]["force"] == pytest.approx(350.0, rel=1e-6)
    assert found["step"]["areas"]["heel"]["share"] == pytest.approx(0.39, abs=0.05)


def test_unknown_demo_is_refused(tmp_path: Path):
    assert "leg, foot" in call("demo", "arm", "--out", tmp_path, code=2).stderr


@pytest.mark.slow
def test_demo(tmp_path: Path):
    """The numbers are those of the independent recomputation of 003."""
    done = call("demo", "--out", tmp_path, "--json")
    found = json.loads(done.stdout)
    for name in ("report.html", "result.nc", "demo.json"):
        assert (tmp_path / name).stat().st_size > 500
        assert name in done.stderr
    assert len(list((tmp_path / "report-files").glob("*.png"))) >= 5
    rows = {row["quantity"]: row for row in found["table"]}
    for quantity, value in {
        "step height (SH)": 0.170484,
        "effective leg length": 0.56155,
        "average acceleration": 10.77073,
        "largest acceleration, swing": 90.8126,
        "largest torque, swing": 1.7547,
        "smallest torque, swing": -1.17503,
    }.items():
        assert rows[quantity]["ours"] == pytest.approx(value, rel=2e-5), quantity
    assert rows["step length (SL)"]["ours"] == pytest.approx(rows["step length (SL)"]["thesis"], abs=5e-4)
    assert found["leg"]["directions"]["as driven"]["air_energy_turn"] == pytest.approx(1.95319233, rel=1e-6)
    assert all(apart < 2e-3 for apart in found["torque_differences"].values())
    assert "drive torque by forward and by inverse dynamics" in done.stderr
    page = (tmp_path / "report.html").read_text()
    assert "Drive torque" in page and "Beside the thesis" in page


def test_bench_passes_names_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from gaitwright_apps import benchmarks

    def run(names: Any, out: Path, quick: bool, progress: Any, device: str, full: bool) -> dict[str, Any]:
        progress("one", 0.5)
        return {"ratios": {"P1": 12.0}, "given": [names, str(out), quick, device, full], "notes": []}

    monkeypatch.setattr(benchmarks, "run_benchmarks", run)
    found = json.loads(call("bench", "P1", "--quick", "--full", "--json", "--out", tmp_path).stdout)
    assert found["ratios"] == {"P1": 12.0} and found["given"] == [["P1"], str(tmp_path), True, "cpu", True]
    assert "12" in call("bench", "--out", tmp_path).stdout


@pytest.mark.slow
def test_help_and_version():
    out, err = process("--help")
    assert err == [] and all(name in out for name in ("demo", "run", "check", "bench"))
    assert process("--version")[0].strip() == gw.__version__
    assert process()[0] == out


# errors -------------------------------------------------------------------------------------------------------------


def test_bad_input_is_one_sentence(tmp_path: Path):
    path = model_file(tmp_path, put(small(), ("links", 0, "mass"), -1))
    for command in ("run", "check"):
        done = call(command, path, "--out", tmp_path / "out", code=2)
        assert done.stdout == ""
        (sentence,) = without_progress(done.stderr)
        assert sentence.startswith("error: link 'crank' field 'mass': must be greater than zero (got -1.0)")
        assert not (tmp_path / "out").exists(), "nothing is made for a model that cannot be read"
    done = call("run", path, "--json", "--out", tmp_path, code=2)
    (sentence,) = without_progress(done.stderr)
    assert json.loads(done.stdout) == {"error": sentence.removeprefix("error: "), "kind": "ModelError"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "nothing.yaml"], "error: there is no file 'nothing.yaml'"),
        (["run"], "error: Missing argument"),
        (["gallop"], "error: No such command 'gallop'"),
        (["run", PENDULUM, "--fast"], "error: No such option: --fast"),
        (["run", PENDULUM, "--set", "parameters.LL=2"], "error: --set parameters.LL: there is no 'LL' in 'parameters'"),
        (["run", PENDULUM, "--out", PENDULUM], f"error: --out '{PENDULUM}' is a file; expected a folder"),
    ],
)
def test_bad_command_is_one_sentence(arguments: list[str], message: str):
    out, err = process(*arguments, code=2)
    assert out == "" and len(err) == 1 and err[0].startswith(message)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("surface.line=[0, 0, 1]", "field 'surface.line': the normal [a, b] of the line is zero (got [0.0, 0.0, 1.0]); "),
        ("law.stiffness=-5", "field 'law.stiffness': is negative (got -5.0); expected "),
        ("law={type: flores, stiffness: 1e6, restitution: 0}",
         "field 'law.restitution': the damping of flores is infinite at restitution 0 (got 0.0); expected a small number "),
        ("law.restitution=1.2", "field 'law.restitution': bodies cannot part faster than they met, "),
        ("law.exponent=2/3", "field 'law.exponent': the contact would be infinitely stiff at touchdown "),
        ("friction={type: coulomb, coefficient: 0.3, v0: 0.1, v1: 0.01}",
         "field 'friction.v1': the ramp must end faster than it begins (got 0.01); expected a speed above v0 = 0.1 m/s, "),
        ("friction.type=colomb", "field 'friction.type': there is no such friction (got 'colomb'); expected one of "),
        ("circle.body=ball.F", "field 'circle.body': 'ball' has no point 'F' (got 'ball.F'); expected one of its points"),
        ("surface={}", "field 'surface': the surface is not given; expected one of line, polyline, "),
        ("law=null", "field 'law': is missing, and so is a restitution; expected a law such as "),
    ],
    ids=lambda value: value.partition("=")[0] if "=" in value else "",
)  # fmt: skip
def test_invalid_contact_is_one_sentence(change: str, sentence: str, tmp_path: Path):
    for command in ("run", "check"):
        done = call(command, BALL, "--set", f"contacts.floor.{change}", "--out", tmp_path / "out", code=2)
        (said,) = without_progress(done.stderr)
        assert said.startswith(f"error: contact 'floor' {sentence}") and "; expected" in said


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (["contacts.floor.law=null", "contacts.floor.restitution=0.5"],
         "field 'law': is missing; only the method moreau does without; expected a law such as "),
        (["contacts.floor.law={type: hertz, stiffness: 1e6}", "analysis={type: forward, method: moreau, step: 1e-3}"],
         "field 'restitution': has no restitution, which the method moreau needs; expected "),
        (["bodies.ball.at=[0, 0.09]"], "field 'approach_speed': starts 10 mm inside the surface; expected the approach "),
    ],
    ids=["law missing", "restitution missing", "starts inside"],
)  # fmt: skip
def test_contact_unsupported_by_a_method_is_one_sentence(changes: list[str], sentence: str, tmp_path: Path):
    arguments = [part for change in changes for part in ("--set", change)]
    (said,) = without_progress(call("run", BALL, *arguments, "--out", tmp_path, code=2).stderr)
    assert said.startswith(f"error: contact 'floor' {sentence}")


def test_driven_leg_blocked_by_rigid_ground_keeps_its_partial_result(tmp_path: Path):
    rigid = [
        "--set",
        "contacts.toe.restitution=0",
        "--set",
        "analysis={type: forward, until: 1, method: moreau, step: 1e-3}",
    ]
    done = call("run", LEG, *rigid, "--out", tmp_path, "--json", code=1)
    (sentence,) = without_progress(done.stderr)
    assert sentence.startswith("error: at t = 0.2") and "rigid contact" in sentence and "partial.nc" in sentence
    found = json.loads(done.stdout)
    assert found["kind"] == "DidNotConverge"
    # until the foot meets the ground
    assert gw.load_result(found["partial"]).time[-1] == pytest.approx(0.274, abs=2e-3)


@pytest.mark.slow
def test_failed_analysis_keeps_its_partial_result(tmp_path: Path):
    path = model_file(tmp_path, put(small(), ("drives", 0, "angle"), "sqrt(0.03 - t)"))
    out, err = process("run", path, "--json", "--out", tmp_path / "out", code=1)
    (sentence,) = err
    assert sentence.startswith("error: at t = 0.0") and "drive 'motor'" in sentence and "partial.nc" in sentence
    found = json.loads(out)
    assert found["kind"] == "DidNotConverge" and sentence == f"error: {found['error']}"
    partial = gw.load_result(found["partial"])
    assert partial.time[-1] == pytest.approx(found["time"])
    assert not (tmp_path / "out" / "result.nc").exists()


def test_failed_assembly(tmp_path: Path):
    path = model_file(tmp_path, put(small(), ("links", 2, "length"), 0.05))
    done = call("run", path, "--out", tmp_path, code=1)
    (sentence,) = without_progress(done.stderr)
    assert "mm" in sentence and "joint 'B'" in sentence
    assert not (tmp_path / "partial.nc").exists()


def test_doubtful_result_causes_a_warning(tmp_path: Path):
    coarse = ["--set", "analysis={type: forward, until: 20, step: 0.2, method: euler, stabilisation: none}"]
    done = call("run", PENDULUM, *coarse, "--out", tmp_path)
    assert "warning: the joints opened" in done.stdout


def test_unexpected_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from gaitwright.model.model import Model

    def broken(self: Any, progress: Any = None) -> None:
        raise RuntimeError("first line\nsecond line")

    monkeypatch.setattr(Model, "analyse", broken)
    done = call("run", PENDULUM, "--out", tmp_path, code=3)
    assert len(without_progress(done.stderr)) == 1
    assert "RuntimeError" in done.stderr and "first line;" in done.stderr and "GAITWRIGHT_DEBUG=1" in done.stderr
    monkeypatch.setenv("GAITWRIGHT_DEBUG", "1")
    assert isinstance(CliRunner().invoke(app, ["run", PENDULUM, "--out", str(tmp_path)]).exception, RuntimeError)


@pytest.mark.parametrize("error", [MemoryError("8 TiB"), PermissionError(13, "Permission denied", "x.nc")])
def test_memory_and_file_errors_are_reported(error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from gaitwright.model.model import Model

    def broken(self: Any, progress: Any = None) -> None:
        raise error

    monkeypatch.setattr(Model, "analyse", broken)
    done = call("run", PENDULUM, "--out", tmp_path, code=2)
    assert len(without_progress(done.stderr)) == 1
    assert "memory" in done.stderr or "permission denied 'x.nc'" in done.stderr


# Ctrl-C and progress ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(
    "arguments",
    [
        [PENDULUM, "--set", "analysis={type: forward, until: 1e4, step: 1e-3, method: gauss2}", "--set", "outputs=[]"],
        [JANSEN, "--set", "analysis.until=5e3"],
    ],
    ids=["forward", "inverse"],
)
def test_interrupt_keeps_the_partial_result(arguments: list[str], tmp_path: Path):
    short = [a.replace("1e4", "0.1").replace("5e3", "0.1") for a in arguments]
    process("run", *short, "--json", "--out", tmp_path)  # compile before the interrupted run
    running = begin("run", *arguments, "--json", "--out", tmp_path / "out")
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    stopping, sentence = without_progress(err)
    assert stopping.startswith("stopping; what was computed is kept")
    assert re.fullmatch(r"error: interrupted at t = \S+ s; what was computed until then is in \S+partial\.nc", sentence)
    found = json.loads(out)
    assert found["interrupted"] is True and set(found) >= SUMMARY
    partial = gw.load_result(found["partial"])
    assert 0 < partial.time[-1] == found["time"] < 5e3
    assert partial.time.size == found["steps"] + (found["analysis"] == "forward")
    assert any("interrupted" in text for text in partial.evidence.warnings)


def test_progress_report_raises_the_interrupt(capsys: pytest.CaptureFixture[str]):
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the shell may have disabled SIGINT for this process
    with terminal.ProgressMonitor("working") as watch:
        watch(0.1)
        signal.raise_signal(signal.SIGINT)
        assert watch.interrupted
        with pytest.raises(KeyboardInterrupt):
            watch(0.2)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert "Ctrl-C again to stop at once" in capsys.readouterr().err


def test_progress_of_long_work(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """No progress within the first second; then lines at intervals without a terminal, or a bar with a terminal."""
    now = [0.0]
    monkeypatch.setattr(terminal.time, "monotonic", lambda: now[0])
    with terminal.ProgressMonitor("working") as watch:
        for fraction in range(30):
            now[0] = fraction
            watch(fraction / 30)
    assert capsys.readouterr().err == "working: 37 %\nworking: 73 %\n"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    now[0] = 0.0
    with terminal.ProgressMonitor("working") as watch:
        for fraction in range(4):
            now[0] = fraction
            watch(fraction / 4)
        assert watch.bar is not None
        assert watch.bar.tasks[0].completed == 0.75


@pytest.mark.slow
def test_compilation_is_announced_once(tmp_path: Path):
    code = (
        "from gaitwright.model.expressions import parse, compile_program\n"
        "from gaitwright.mechanism.signals import evaluate_program\n"
        "print(evaluate_program(compile_program(parse('2*t'), {}), 3.0)[0])"
    )
    told = "compiling, first run only (3 s or more)\n"
    for expected in (told, ""):
        cold = {**os.environ, "GAITWRIGHT_CACHE": str(tmp_path)}
        done = subprocess.run([sys.executable, "-c", code], env=cold, capture_output=True, text=True, timeout=120)
        assert (done.stdout, done.stderr) == ("6.0\n", expected)


def test_paragraphs_of_help_wrap_at_the_terminal():
    text = join_paragraph_lines("""Analyse legs.

        All legs get the same
        analysis.
        """)
    assert text == "Analyse legs.\n\nAll legs get the same analysis."
