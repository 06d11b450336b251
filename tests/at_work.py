"""Start commands that tests send signals to, and wait without a sleep until they compute."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import Any

SCRIPT = """
from gaitwright.cli import main, terminal
def say(watch, what, fraction, shown=terminal.ProgressMonitor.say):
    if fraction > 0 and not hasattr(watch, "told"):
        watch.told = True
        print("at work", file=main.sys.stderr, flush=True)
    shown(watch, what, fraction)
terminal.ProgressMonitor.say = say
main.main()
"""
"""The command line, which prints a line once its analysis makes progress."""


def restore_signals() -> None:
    """Undo `nohup` in a child process: the tests themselves may run under it, and children inherit ignored signals."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def begin(*arguments: Any, **options: Any) -> subprocess.Popen[str]:
    """Start a command and return as soon as its analysis makes progress."""
    if sys.platform != "win32":
        options = {"preexec_fn": restore_signals} | options
    command = [sys.executable, "-c", SCRIPT, *map(str, arguments)]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    assert running.stderr is not None
    error_lines = []
    for line in running.stderr:
        if line == "at work\n":
            return running
        error_lines.append(line)
    running.kill()
    raise AssertionError(f"it ended before it was at work: {error_lines}")
