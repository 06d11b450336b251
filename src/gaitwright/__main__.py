"""The command `gaitwright`, also as `python -m gaitwright`.

Ctrl-C is taken care of before anything large is imported: whoever stops the command in its first second sees one line, no
traceback. Afterwards the commands do so themselves (terminal.py)."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

INTERRUPTED = 130


def main() -> None:
    before = signal.signal(signal.SIGINT, _leave)
    from gaitwright.cli import main as command

    signal.signal(signal.SIGINT, before)
    try:
        command()
    except KeyboardInterrupt:  # between two places that know what to do with it
        _leave()


def _leave(*_: Any) -> None:
    """At once: raised within an import, an exception may be caught there and turned into another one."""
    sys.stderr.write("error: interrupted\n")
    sys.stderr.flush()
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
