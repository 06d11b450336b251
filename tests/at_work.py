"""Commands that tests send signals to: started, and known to be at work, without a sleep."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

SCRIPT = """
from gaitwright import cli, terminal
def say(watch, what, fraction, shown=terminal.Watch.say):
    if fraction > 0 and not hasattr(watch, "told"):
        watch.told = True
        print("at work", file=cli.sys.stderr, flush=True)
    shown(watch, what, fraction)
terminal.Watch.say = say
cli.main()
"""
"""The command line, which says when its analysis has begun to make progress."""


def begin(*arguments: Any, **options: Any) -> subprocess.Popen[str]:
    """Start a command; back when it is at work."""
    command = [sys.executable, "-c", SCRIPT, *map(str, arguments)]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    assert running.stderr is not None
    said = []
    for line in running.stderr:
        if line == "at work\n":
            return running
        said.append(line)
    running.kill()
    raise AssertionError(f"it ended before it was at work: {said}")
