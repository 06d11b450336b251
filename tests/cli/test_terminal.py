"""Shared by all commands: signals that keep partial results, and ASCII terminals."""

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
from at_work import SCRIPT, begin, restore_signals
from calling import call
from documents import EXAMPLES
from gaitwright._core.environment import PROGRESS_FILE_VARIABLE
from gaitwright._core.json_types import to_json
from gaitwright.cli import terminal
from gaitwright.cli.main import app

PENDULUM = str(EXAMPLES / "pendulum.yaml")
LONG = "analysis={type: forward, until: 1e4, step: 1e-3, method: gauss2}"
SIGNALS = {"SIGINT": 130, "SIGTERM": 143, "SIGHUP": 129}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("name", SIGNALS)
def test_signal_keeps_the_partial_result(name: str, tmp_path: Path):
    running = begin("run", PENDULUM, "--set", LONG, "--json", "--out", tmp_path / "out")
    running.send_signal(getattr(signal, name))
    out, err = running.communicate(timeout=120)
    assert running.returncode == SIGNALS[name], err
    stopping, sentence = err.splitlines()
    assert stopping.startswith("stopping; what was computed is kept")
    assert re.fullmatch(r"error: interrupted at t = \S+ s; what was computed until then is in \S+partial\.nc", sentence)
    found = json.loads(out)
    assert found["interrupted"] is True
    assert gw.load_result(found["partial"]).time[-1] == found["time"] > 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_closed_terminal_loses_no_result(tmp_path: Path):
    """Processes of a closed terminal get the signal from the shell and from the system, and can no longer print."""
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", SCRIPT, "run", PENDULUM, "--set", LONG, "--out", str(tmp_path / "out")]
    running = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True, preexec_fn=restore_signals
    )
    os.close(theirs)
    said = b""
    while b"at work" not in said:
        said += os.read(ours, 1024)
    running.send_signal(signal.SIGHUP)
    running.send_signal(signal.SIGHUP)
    os.close(ours)
    assert running.wait(timeout=120) == 129
    assert gw.load_result(tmp_path / "out" / "partial.nc").time[-1] > 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_signals_ignored_by_nohup_remain_ignored(tmp_path: Path):
    running = begin(
        "run", PENDULUM, "--set", LONG, "--json", "--out", tmp_path / "out",
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )  # fmt: skip
    running.send_signal(signal.SIGHUP)
    running.send_signal(signal.SIGTERM)
    _, err = running.communicate(timeout=120)
    assert running.returncode == 143, err


@pytest.mark.parametrize("name", SIGNALS)
def test_monitor_stops_at_a_progress_report(name: str, capsys: pytest.CaptureFixture[str]):
    number = getattr(signal, name, None)
    if number is None:
        pytest.skip("a signal of POSIX")
    before = {each: signal.signal(each, signal.SIG_DFL) for each in terminal.STOP_SIGNALS}
    terminal._received_signals.clear()
    try:
        with terminal.ProgressMonitor("working") as watch:
            watch(0.1)
            signal.raise_signal(number)
            assert watch.interrupted and terminal.stop_exit_code() == SIGNALS[name]
            with pytest.raises(KeyboardInterrupt):
                watch(0.2)
            if name != "SIGINT":
                signal.raise_signal(number)  # a second signal has no further effect
        assert {signal.getsignal(each) for each in terminal.STOP_SIGNALS} == {signal.SIG_DFL}
    finally:
        terminal._received_signals.clear()
        for each, handler in before.items():
            signal.signal(each, handler)
    assert capsys.readouterr().err.count("stopping") == 1


def test_progress_is_written_for_another_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "progress.jsonl"
    with terminal.ProgressMonitor("working") as watch:
        watch(0.1)  # no progress file is set
        monkeypatch.setenv(PROGRESS_FILE_VARIABLE, str(path))
        monkeypatch.setattr(terminal, "PROGRESS_FILE_SECONDS", -1.0)
        watch(0.25)
        watch.found({"L": 0.5}, {"energy": float("nan")})
    assert [json.loads(line) for line in path.read_text().splitlines()] == [
        {"stage": "working", "progress": 0.25},
        {"best": {"values": {"L": 0.5}, "numbers": {"energy": None}}},
    ]
    monkeypatch.setenv(PROGRESS_FILE_VARIABLE, str(tmp_path))  # an unwritable path must not cause a failure
    terminal.append_progress({})


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_command_stopped_while_writing_lists_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from gaitwright.result.result import Result

    monkeypatch.setattr(Result, "animate", lambda *_, **__: signal.raise_signal(signal.SIGTERM))
    done = CliRunner().invoke(app, ["run", PENDULUM, "--animate", "--out", str(tmp_path)])
    assert done.exit_code == 143, done.output
    assert f"error: interrupted; written before: {tmp_path}/result.nc, {tmp_path}/summary.json\n" in done.stderr


def test_python_sessions_keep_their_handlers():
    before = [signal.getsignal(number) for number in terminal.STOP_SIGNALS]
    seen = []
    gw.load(PENDULUM).simulate(
        0.1, progress=lambda _: seen.append([signal.getsignal(n) for n in terminal.STOP_SIGNALS])
    )
    assert all(handlers == before for handlers in seen)


# ASCII terminals -------------------------------------------------------------------------------------------------------

ASCII = {
    "everything": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "dumb": {"TERM": "dumb", "PYTHONIOENCODING": "ascii"},
}


def spoken(environment: dict[str, str], *arguments: Any, code: int = 0) -> tuple[str, str]:
    """Output of a command in that environment, which must be ASCII."""
    command = [sys.executable, "-c", "from gaitwright.cli.main import main; main()", *map(str, arguments)]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, timeout=120)
    assert done.returncode == code, done.stderr
    return done.stdout.decode("ascii"), done.stderr.decode("ascii")


@pytest.fixture
def umlauts(tmp_path: Path) -> Path:
    """Model file with a non-ASCII file name and non-ASCII names."""
    document = yaml.safe_load((EXAMPLES / "pendulum.yaml").read_text())
    text = yaml.safe_dump({**document, "name": "Prüfstand", "analysis": {"type": "forward", "until": 0.01}})
    path = tmp_path / "prüfstand.yaml"
    path.write_text(text.replace("rod", "Stänge"), encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("kind", ASCII)
def test_ascii_terminals(kind: str, umlauts: Path, tmp_path: Path):
    out, _ = spoken(ASCII[kind], "run", umlauts, "--out", tmp_path)
    assert r"Pr\xfcfstand: forward analysis" in out and r"St\xe4nge.angle" in out
    answer, _ = spoken(ASCII[kind], "run", umlauts, "--out", tmp_path, "--json")
    assert "Stänge.angle" in json.loads(answer)["final"]
    assert "Stänge.angle" in json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))["final"]
    assert "Stänge.angle" in gw.load_result(tmp_path / "result.nc").summary()["final"]


@pytest.mark.slow
def test_errors_on_ascii_terminals(umlauts: Path, tmp_path: Path):
    text = umlauts.read_text(encoding="utf-8")
    umlauts.write_text(text.replace("mass:", "maß:"), encoding="utf-8")
    _, err = spoken(ASCII["everything"], "run", umlauts, "--out", tmp_path, code=2)
    assert r"St\xe4nge" in err and len(err.splitlines()) == 1


@pytest.mark.slow
def test_files_are_utf8_on_ascii_terminals(umlauts: Path, tmp_path: Path):
    code = (
        "import sys, gaitwright as gw; model = gw.load(sys.argv[1]); model.save(sys.argv[2]); "
        "from gaitwright.mechanisms.catalogue import find_entry; find_entry('jansen-leg').write(sys.argv[3])"
    )
    where = [str(tmp_path / name) for name in ("again.yaml", "jansen.yaml")]
    env = {**os.environ, **ASCII["everything"]}
    done = subprocess.run([sys.executable, "-c", code, str(umlauts), *where], env=env, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    again = Path(where[0]).read_text(encoding="utf-8")
    assert "name: Prüfstand" in again and "Stänge.angle" in again  # as in the source file
    assert gw.load(where[0]).to_dict() == gw.load(umlauts).to_dict()


def test_json_is_escaped_only_where_necessary():
    assert to_json({"ä": float("nan")}) == '{\n  "ä": null\n}'
    assert to_json({"ä": float("inf")}, "ascii") == '{\n  "\\u00e4": null\n}'
    assert json.loads(to_json("\udcfc")) == "\udcfc"  # from a file name that is not UTF-8


def test_every_command_has_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results of a command on a model are neither mixed with those of another command nor overwritten by them."""
    from gaitwright.mechanisms import pendulum

    monkeypatch.chdir(tmp_path)
    pendulum().save(tmp_path / "swing.yaml")
    call("run", "swing.yaml", "--set", "analysis.until=0.01")
    call("check", "swing.yaml")
    made = {path.relative_to(tmp_path).as_posix() for path in tmp_path.glob("gaitwright-output/*/*")}
    assert made >= {"gaitwright-output/swing/run"} and not list(tmp_path.glob("gaitwright-output/*.*"))
    call("run", "swing.yaml", "--set", "analysis.until=0.01", "--out", "here")
    assert (tmp_path / "here" / "summary.json").exists()
    call("example", "jansen-leg")
    assert (tmp_path / "gaitwright-output" / "jansen-leg.yaml").exists()
