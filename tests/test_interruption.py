"""Ctrl-C stops any work: after saving a partial result if there is one, otherwise at once."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import gaitwright as gw
from gaitwright.cli import terminal
from gaitwright.mechanisms import jansen_leg


@pytest.fixture(autouse=True)
def own_signals(monkeypatch: pytest.MonkeyPatch):
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started us without
    monkeypatch.setattr(terminal, "STOP_GRACE_SECONDS", 0.05)


def test_silent_work_is_stopped_after_the_grace_period():
    """The work never reports its progress; without the grace period it would continue for a minute."""
    until = time.monotonic() + 60.0
    with pytest.raises(KeyboardInterrupt), terminal.ProgressMonitor("working"):
        signal.raise_signal(signal.SIGINT)
        while time.monotonic() < until:
            pass
        pytest.fail("nothing stopped it")


def test_saving_after_an_interruption_is_not_interrupted():
    """Partial results are saved after the interruption, and saving must not be interrupted in turn."""
    with terminal.ProgressMonitor("working") as watch:
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            watch(0.5)
        time.sleep(3 * terminal.STOP_GRACE_SECONDS)


def test_nothing_is_stopped_after_the_work():
    with terminal.ProgressMonitor("working") as watch:
        signal.raise_signal(signal.SIGINT)
    begin = time.monotonic()
    time.sleep(3 * terminal.STOP_GRACE_SECONDS)
    assert watch.interrupted and time.monotonic() - begin >= 3 * terminal.STOP_GRACE_SECONDS


@pytest.mark.slow
def test_a_flexible_leg_can_be_interrupted(tmp_path: Path):
    """It once ran for ten minutes without output and continued after Ctrl-C. The beam is so fine that the turns take
    minutes."""
    raw = jansen_leg().to_dict()
    link = raw["links"].pop()
    beam = {key: link[key] for key in ("name", "from", "to", "length")}
    beam |= {"youngs_modulus": 70e9, "density": 2700, "width": 0.02, "height": 0.005, "elements": 400}
    path = gw.Model.from_dict({**raw, "beams": [beam]}).save(tmp_path / "leg.yaml")
    command = [sys.executable, "-m", "gaitwright.cli.main", "leg", str(path), "--out", str(tmp_path / "out")]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(600):  # until it has read the model and starts
        if (tmp_path / "out").exists() or running.poll() is not None:
            break
        time.sleep(0.1)
    time.sleep(2.0)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130, said
    assert "stopping; what was computed is kept" in said
    assert "error: interrupted" in said
