"""A command of the command line in a process group of its own: how far it is, and an end that really ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from gaitwright.errors import GaitwrightError
from gaitwright.input_files import parse_json_line, read_end, read_json
from gaitwright.terminal import PROGRESS

GRACE = 2.0
"""Seconds that a command has after it was asked to stop, in which it keeps what it has, before it is killed."""
LOOKED_AT = 100_000
"""Bytes of what a command says that are kept: the last ones."""
LARGEST_ANSWER = 20_000_000
"""Bytes of the JSON that a command prints."""
COMMAND = ["-m", "gaitwright"]
POSIX = os.name == "posix"


class Process:
    """A running command. folder: where it writes; what it says goes there, too."""

    def __init__(self, words: Sequence[str], folder: Path, here: Path):
        self.folder, self.asked, self.cancelled = folder, 0.0, False
        self.began = time.monotonic()
        # The same Gaitwright, wherever this one was imported from.
        home = os.pathsep.join([str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])])
        told = {PROGRESS: str(folder.resolve() / "progress.jsonl"), "PYTHONUNBUFFERED": "1", "PYTHONPATH": home}
        environment = {**os.environ, **told}
        how: dict[str, Any] = {"start_new_session": True} if POSIX else {"creationflags": 0x200}  # a new group
        with (folder / "answer.json").open("wb") as answer, (folder / "log.txt").open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, *COMMAND, *words], stdin=subprocess.DEVNULL, stdout=answer, stderr=log,
                cwd=here, env=environment, **how,
            )  # fmt: skip

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    def poll(self) -> int | None:
        """The exit code of a command that has ended. One that was asked to stop and does not is killed."""
        code = self.process.poll()
        if code is None and self.asked and time.monotonic() - self.asked > GRACE:
            self.kill()
            code = self.process.poll()
        if code is not None:
            self._end_group()  # workers that it left behind
        return code

    def ask_to_stop(self) -> None:
        """As Ctrl-C would: what was computed is kept. `poll` sees to it that it ends."""
        self.cancelled = True
        if self.asked or self.process.poll() is not None:
            return
        self.asked = time.monotonic()
        with suppress(OSError):
            if POSIX:
                os.killpg(self.process.pid, signal.SIGINT)
            else:
                self.process.send_signal(signal.CTRL_BREAK_EVENT)  # type: ignore[attr-defined]

    def kill(self) -> None:
        """At once, with all that it has started."""
        if POSIX:
            self._end_group()
        else:
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(self.process.pid)], capture_output=True, check=False)
        with suppress(OSError):
            self.process.kill()
        self.process.wait()

    def _end_group(self) -> None:
        if POSIX:
            with suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)


def is_running(number: int) -> bool:
    """Whether a process runs, as far as that can be known."""
    if number <= 0 or not POSIX:  # elsewhere, asking would end it
        return False
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def end_left_behind(number: int, folder: Path) -> None:
    """Kill the group of a command whose server is no more, if the process of this number is still that command: one that
    writes into the folder."""
    with suppress(OSError):
        if POSIX and str(folder.resolve()).encode() in Path(f"/proc/{number}/cmdline").read_bytes():
            os.killpg(number, signal.SIGKILL)


def progress_of(folder: Path) -> dict[str, Any]:
    """How far a command is: progress from 0 to 1, stage, and the best that it has found."""
    found: dict[str, Any] = {"progress": None, "stage": None, "best": None}
    for line in tail(folder / "progress.jsonl").splitlines():
        entry = parse_json_line(line)
        if isinstance(entry, dict):
            found |= {key: value for key, value in entry.items() if key in found}
    return found


def tail(path: Path, most: int = LOOKED_AT) -> str:
    """The end of a text file; nothing if it is not there."""
    return read_end(path, most).decode("utf-8", "replace")


def answer_of(folder: Path) -> dict[str, Any] | None:
    """What a command printed for machines."""
    path = folder / "answer.json"
    with suppress(GaitwrightError):
        found = read_json(path, largest=LARGEST_ANSWER)
        return found if isinstance(found, dict) else None
    return None
