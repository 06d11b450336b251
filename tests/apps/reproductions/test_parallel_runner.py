"""Experiments in separate processes: the same numbers in the same order, errors are passed on, and Ctrl-C leaves no
process behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gaitwright._core.errors import DidNotConverge, ModelError
from gaitwright_apps.reproductions import EXPERIMENTS
from gaitwright_apps.reproductions.experiments import ExperimentFindings
from gaitwright_apps.reproductions.parallel_runner import reraise_error, run_experiment, run_in_parallel


def numbers(found: ExperimentFindings) -> dict[str, float]:
    """Return the computed numbers that do not depend on the load of the machine."""
    return {check.id: check.computed for check in found.checks if "time" not in check.quantity}


@pytest.mark.slow
def test_same_as_in_one_process(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """falling-ball starts first, but integrators comes first in the results. The processes end without output."""
    names = ("integrators", "falling-ball")
    reports: list[tuple[str, float]] = []
    experiments = run_in_parallel(
        {name: EXPERIMENTS[name] for name in names}, tmp_path, lambda *progress: reports.append(progress), 2
    )
    assert list(experiments) == list(names)
    assert "Fatal" not in capfd.readouterr().err
    for name in names:
        alone = run_experiment(name, EXPERIMENTS[name], None, lambda what, fraction: None)
        # not bit by bit: inlining of functions depends on the process that compiled them first, and the remaining
        # energy of a ball at rest, 1e-7 J, is a rounding error
        assert numbers(experiments[name]) == pytest.approx(numbers(alone), rel=1e-6, abs=1e-6, nan_ok=True)
        assert (tmp_path / f"{name}.json").exists() and experiments[name].files["numbers"] == tmp_path / f"{name}.json"
    fractions = [fraction for _, fraction in reports]
    assert fractions == sorted(fractions) and fractions[-1] == 1.0
    assert any("falling-ball: " in text and "integrators: " in text for text, _ in reports)


def broken(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> dict[str, str]:
    """Create an experiment with the given body."""
    (folder / "broken_experiment.py").write_text(f"def run(progress):\n    {body}\n")
    monkeypatch.syspath_prepend(str(folder))
    return {"broken": "broken_experiment", "falling-ball": EXPERIMENTS["falling-ball"]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        (
            "from gaitwright._core.errors import ModelError; raise ModelError('no such leg')",
            ModelError,
            "broken: no such leg",
        ),
        ("raise ZeroDivisionError('by hand')", RuntimeError, "broken: ZeroDivisionError: by hand"),
        ("import os; os._exit(3)", RuntimeError, "broken: .*process died.*exit code 3"),
        ("print('in the way'); raise ValueError('after it')", RuntimeError, "broken: ValueError: after it"),
    ],
)
def test_errors_are_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, kind: type[Exception], text: str
) -> None:
    with pytest.raises(kind, match=text):
        run_in_parallel(broken(tmp_path, monkeypatch, body), None, None, 2)


def test_errors_of_analyses_keep_their_class() -> None:
    with pytest.raises(DidNotConverge, match="a-leg: at t = 1 s: too fast"):
        reraise_error("a-leg", "DidNotConverge", "at t = 1 s: too fast")


def children(of: int) -> list[int]:
    """Processes that a process has started, on Linux."""
    pids = Path(f"/proc/{of}/task/{of}/children").read_text().split()
    return [int(pid) for pid in pids]


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the processes are looked up in /proc")
def test_ctrl_c_ends_all_processes(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "gaitwright.cli.main",
        "reproduce",
        "all",
        "--workers",
        "2",
        "--out",
        str(tmp_path),
    ]
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
