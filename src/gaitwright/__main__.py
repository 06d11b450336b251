"""The command `gaitwright`, also as `python -m gaitwright`.

Ctrl-C is handled before any large module is imported: an interrupt in the first second prints one line and no traceback.
Afterwards the commands install their own signal handlers (cli/terminal.py)."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

EXIT_INTERRUPTED = 130


def main() -> None:
    before = signal.signal(signal.SIGINT, _exit_interrupted)
    from gaitwright.cli.main import main as command

    signal.signal(signal.SIGINT, before)
    try:
        command()
    except KeyboardInterrupt:  # between two signal handlers
        _exit_interrupted()


def _exit_interrupted(*_: Any) -> None:
    """End the process immediately: an exception raised during an import may be caught there and converted to another one."""
    sys.stderr.write("error: interrupted\n")
    sys.stderr.flush()
    os._exit(EXIT_INTERRUPTED)


if __name__ == "__main__":
    main()
