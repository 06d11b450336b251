"""Command of the command line in a separate process group: its progress, and its reliable termination."""

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

from gaitwright._core.environment import PROGRESS_FILE_VARIABLE
from gaitwright._core.errors import GaitwrightError
from gaitwright._core.input_files import parse_json_line, read_end, read_json

GRACE_SECONDS = 2.0
"""Time, s, between a stop request, in which a command saves its results, and its kill."""
MAX_LOG_BYTES = 100_000
"""Maximum size, bytes, of the log that is read: its end."""
MAX_ANSWER_BYTES = 20_000_000
"""Maximum size, bytes, of the JSON output of a command."""
COMMAND_ARGUMENTS = ["-m", "gaitwright"]
IS_POSIX = os.name == "posix"


class CommandProcess:
    """Running command. folder: of its output and log."""

    def __init__(self, words: Sequence[str], folder: Path, here: Path):
        self.folder, self.asked, self.cancelled = folder, 0.0, False
        self.began = time.monotonic()
        # Use the same Gaitwright installation as this process.
        home = os.pathsep.join([str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])])
        variables = {
            PROGRESS_FILE_VARIABLE: str(folder.resolve() / "progress.jsonl"),
            "PYTHONUNBUFFERED": "1",
            "PYTHONPATH": home,
        }
        environment = {**os.environ, **variables}
        how: dict[str, Any] = {"start_new_session": True} if IS_POSIX else {"creationflags": 0x200}  # a new group
        with (folder / "answer.json").open("wb") as answer, (folder / "log.txt").open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, *COMMAND_ARGUMENTS, *words], stdin=subprocess.DEVNULL, stdout=answer, stderr=log,
                cwd=here, env=environment, **how,
            )  # fmt: skip

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    def poll(self) -> int | None:
        """Exit code of a command that has ended, else None. Kills a command that does not end after a stop request."""
        code = self.process.poll()
        if code is None and self.asked and time.monotonic() - self.asked > GRACE_SECONDS:
            self.kill()
            code = self.process.poll()
        if code is not None:
            self._end_group()  # remaining worker processes
        return code

    def ask_to_stop(self) -> None:
        """Interrupt the command like Ctrl-C: its results so far are kept. `poll` kills it if it does not end."""
        self.cancelled = True
        if self.asked or self.process.poll() is not None:
            return
        self.asked = time.monotonic()
        with suppress(OSError):
            if IS_POSIX:
                os.killpg(self.process.pid, signal.SIGINT)
            else:
                self.process.send_signal(signal.CTRL_BREAK_EVENT)  # type: ignore[attr-defined]

    def kill(self) -> None:
        """Kill the command and all processes that it has started."""
        if IS_POSIX:
            self._end_group()
        else:
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(self.process.pid)], capture_output=True, check=False)
        with suppress(OSError):
            self.process.kill()
        self.process.wait()

    def _end_group(self) -> None:
        if IS_POSIX:
            with suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)


def is_running(number: int) -> bool:
    """True if a process runs, as far as can be determined."""
    if number <= 0 or not IS_POSIX:  # on Windows, os.kill would end it
        return False
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def kill_orphan(number: int, folder: Path) -> None:
    """Kill the process group of a command whose server has ended, if the process with this id is still that command,
    which writes to the folder."""
    with suppress(OSError):
        if IS_POSIX and str(folder.resolve()).encode() in Path(f"/proc/{number}/cmdline").read_bytes():
            os.killpg(number, signal.SIGKILL)


def read_progress(folder: Path) -> dict[str, Any]:
    """Progress of a command: fraction (0 to 1), stage name and best result so far."""
    progress: dict[str, Any] = {"progress": None, "stage": None, "best": None}
    for line in read_tail(folder / "progress.jsonl").splitlines():
        entry = parse_json_line(line)
        if isinstance(entry, dict):
            progress |= {key: value for key, value in entry.items() if key in progress}
    return progress


def read_tail(path: Path, most: int = MAX_LOG_BYTES) -> str:
    """End of a text file; empty if the file does not exist."""
    return read_end(path, most).decode("utf-8", "replace")


def read_answer(folder: Path) -> dict[str, Any] | None:
    """JSON output of a command."""
    path = folder / "answer.json"
    with suppress(GaitwrightError):
        answer = read_json(path, largest=MAX_ANSWER_BYTES)
        return answer if isinstance(answer, dict) else None
    return None
