"""Experiments in processes of their own: the same numbers in the same order, errors that arrive, Ctrl-C that leaves nothing
behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gaitwright.errors import DidNotConverge, ModelError
from gaitwright.papers import EXPERIMENTS
from gaitwright.papers.check import Findings
from gaitwright.papers.side_by_side import findings, raise_again, side_by_side


def numbers(found: Findings) -> dict[str, float]:
    """What does not depend on the machine's mood."""
    return {check.id: check.computed for check in found.checks if "time" not in check.quantity}


@pytest.mark.slow
def test_same_as_in_one_process(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """falling-ball is started first, but integrators is asked for first. The processes end without a word."""
    names = ("integrators", "falling-ball")
    heard: list[tuple[str, float]] = []
    found = side_by_side({name: EXPERIMENTS[name] for name in names}, tmp_path, lambda *said: heard.append(said), 2)
    assert list(found) == list(names)
    assert "Fatal" not in capfd.readouterr().err
    for name in names:
        alone = findings(name, EXPERIMENTS[name], None, lambda what, fraction: None)
        # not bit by bit: which functions are built into which depends on the process that compiled them first, and the rest
        # of a ball that comes to lie, 1e-7 J, is what rounding leaves
        assert numbers(found[name]) == pytest.approx(numbers(alone), rel=1e-6, abs=1e-6, nan_ok=True)
        assert (tmp_path / f"{name}.json").exists() and found[name].files["numbers"] == tmp_path / f"{name}.json"
    fractions = [fraction for _, fraction in heard]
    assert fractions == sorted(fractions) and fractions[-1] == 1.0
    assert any("falling-ball: " in what and "integrators: " in what for what, _ in heard)


def broken(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> dict[str, str]:
    """An experiment of our own that does something else."""
    (folder / "broken_experiment.py").write_text(f"def run(progress):\n    {body}\n")
    monkeypatch.syspath_prepend(str(folder))
    return {"broken": "broken_experiment", "falling-ball": EXPERIMENTS["falling-ball"]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        (
            "from gaitwright.errors import ModelError; raise ModelError('no such leg')",
            ModelError,
            "broken: no such leg",
        ),
        ("raise ZeroDivisionError('by hand')", RuntimeError, "broken: ZeroDivisionError: by hand"),
        ("import os; os._exit(3)", RuntimeError, "broken: .*process died.*exit code 3"),
        ("print('in the way'); raise ValueError('after it')", RuntimeError, "broken: ValueError: after it"),
    ],
)
def test_errors_arrive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, kind: type[Exception], text: str
) -> None:
    with pytest.raises(kind, match=text):
        side_by_side(broken(tmp_path, monkeypatch, body), None, None, 2)


def test_errors_of_analyses_stay_what_they_are() -> None:
    with pytest.raises(DidNotConverge, match="a-leg: at t = 1 s: too fast"):
        raise_again("a-leg", "DidNotConverge", "at t = 1 s: too fast")


def children(of: int) -> list[int]:
    """Processes that a process has started, on Linux."""
    found = Path(f"/proc/{of}/task/{of}/children").read_text().split()
    return [int(pid) for pid in found]


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the processes are looked up in /proc")
def test_ctrl_c_ends_all_processes(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gaitwright.cli", "reproduce", "all", "--workers", "2", "--out", str(tmp_path)]
    first = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 60
    started: list[int] = []
    while len(started) < 2 and time.monotonic() < until:
        time.sleep(0.05)
        started = children(first.pid)
    first.send_signal(signal.SIGINT)
    out, said = first.communicate(timeout=60)
    assert len(started) == 2 and not [pid for pid in started if alive(pid)]
    assert first.returncode == 130 and out == ""
    assert "error: interrupted" in said and "Traceback" not in said
