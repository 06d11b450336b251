"""Shared by all commands: output folder and messages, progress, signals that keep partial results, errors as one sentence.
Results go to stdout; with --json only JSON does, and all other text goes to stderr."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import typer

from gaitwright._core.environment import PROGRESS_FILE_VARIABLE
from gaitwright._core.errors import AnalysisError, GaitwrightError, NotSaved, single_line
from gaitwright._core.locking import FolderLock
from gaitwright._core.output_files import record_written_files, save_bytes

EXIT_BAD_INPUT, EXIT_ANALYSIS_FAILED, EXIT_UNEXPECTED, EXIT_INTERRUPTED = 2, 1, 3, 130
"""Exit codes besides 0. After a signal: 128 plus the number of the signal, see `stop_exit_code()`."""
PROGRESS_DELAY_SECONDS = 1.0
"""Delay before progress is shown, s."""
STOP_GRACE_SECONDS = 0.5
"""Time in which an analysis can reach a point where it stops and keeps its results, s; then it is interrupted anywhere."""
PROGRESS_LINE_SECONDS = 10.0
"""Time between lines of progress if stderr is not a terminal, s."""
PROGRESS_FILE_SECONDS = 0.1
"""Time between lines of progress in the progress file, s."""
MIN_FREE_BYTES = 65536
"""Minimum free space in the output folder of a command before it starts, bytes."""
MAX_LISTED_FILES = 6
"""Maximum number of files listed in a message."""


class CommandOutput:
    """Output folder and console of a command."""

    def __init__(self, out: Path, as_json: bool):
        from rich.console import Console

        self.out, self.as_json = out, as_json
        self.console = Console(stderr=as_json, highlight=False, soft_wrap=True)
        if not self.console.is_terminal:
            self.console.width = 160  # for a file or a pipe; lines are not cut there
        self.answer: dict[str, Any] = {}
        self.written: list[Path] = []
        self.made = False
        self.lock: FolderLock | None = None

    def make_folder(self, shared: bool = False) -> Path:
        """Create the output folder before the work, so that the result can be saved, and lock it until the command ends.

        shared: the command writes single files that the user named into a folder with other files; then there is no lock.
        Raises FolderInUse while another command writes into the folder."""
        self.made = not self.out.exists()
        try:
            self.out.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise GaitwrightError(f"--out '{self.out}' is a file; expected a folder") from None
        except OSError as error:
            raise GaitwrightError(f"the folder '{self.out}' cannot be made: {error.strerror}") from None
        try:
            with tempfile.TemporaryFile(dir=self.out) as probe:  # a more reliable test than the folder's permissions
                probe.write(bytes(MIN_FREE_BYTES))
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise GaitwrightError(f"nothing can be written into the folder '{self.out}': {why}") from None
        if not shared:
            self.lock = FolderLock(self.out)
        return self.out

    def release_folder(self) -> None:
        """Release the output folder for other commands."""
        if self.lock is not None:
            self.lock.release()

    def say(self, *what: Any) -> None:
        """Print text (without markup) or rich tables."""
        for part in what:
            self.console.print(part, markup=False)

    def table(self, *header: str, rows: Any, numbers: tuple[int, ...] = ()) -> None:
        """Print a table. numbers: indices of columns to align at the right."""
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
        for k, title in enumerate(header):
            table.add_column(title, justify="right" if k in numbers else "left", no_wrap=k < len(header) - 1)
        for row in rows:
            table.add_row(*(Text(str(cell)) for cell in row))
        self.console.print(table, soft_wrap=False)

    def wrote(self, files: dict[str, Path]) -> None:
        self.answer["files"] = {what: str(path) for what, path in files.items()}
        self.say("written:", *(f"  {path}  ({what})" for what, path in files.items()))

    def finish(self, answer: Any) -> None:
        """Complete the answer and print it as JSON if --json is given."""
        from gaitwright._core.json_types import to_json, to_json_types

        self.answer = {**to_json_types(answer), **self.answer}
        if self.as_json:
            sys.stdout.write(to_json(self.answer, sys.stdout.encoding or "utf-8") + "\n")


STOP_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]
"""Signals that request a stop: from a user, a process manager, a closed terminal, or Ctrl-Break."""
_received_signals: list[int] = []
"""Signals received during the present command, in order."""


def stop_exit_code() -> int:
    """Exit code of a stopped command: 130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP."""
    return 128 + _received_signals[0] if _received_signals else EXIT_INTERRUPTED


@contextmanager
def handle_stop_signals(handler: Any) -> Iterator[None]:
    """Install a handler for the stop signals. Ignored signals, such as SIGHUP under `nohup`, remain ignored, except Ctrl-C."""
    before = {}
    try:
        for number in STOP_SIGNALS:
            if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, handler)
    except ValueError:  # not in the main thread
        pass
    try:
        yield
    finally:
        for number, handled in before.items():
            if handled is not None:  # None: a handler that was not set from Python cannot be restored
                signal.signal(number, handled)


def _interrupt_on_signal(number: int, *_: Any) -> None:
    """Default handler outside long computations: stop immediately, as for Ctrl-C, without leaving incomplete files. Only
    Ctrl-C acts a second time: a closed terminal sends its signal twice, and partial results must not be lost by that."""
    first = not _received_signals
    _record_signal(number)
    if first or number == signal.SIGINT:
        raise KeyboardInterrupt


def _record_signal(number: int) -> None:
    _received_signals.append(number)
    if number == getattr(signal, "SIGHUP", None):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in _terminal_streams:  # the terminal is closed, and writing to it would fail
            os.dup2(nowhere, stream)
        os.close(nowhere)


_terminal_streams: list[int] = []
"""Descriptors of stdout and stderr that were terminals when the command started."""


_interrupt_timers: list[threading.Timer] = []
"""Timers that interrupt a command that does not stop in time."""


def schedule_interrupt() -> None:
    """Interrupt the main thread after STOP_GRACE_SECONDS, as a second Ctrl-C would."""
    timer = threading.Timer(STOP_GRACE_SECONDS, _thread.interrupt_main)
    timer.daemon = True
    _interrupt_timers.append(timer)
    timer.start()


def cancel_interrupt() -> None:
    """Cancel the scheduled interrupt: the analysis has stopped, and its results must not be lost."""
    while _interrupt_timers:
        _interrupt_timers.pop().cancel()


class ProgressMonitor:
    """Monitor of long work: shows a progress bar after a second. The first Ctrl-C, SIGTERM or SIGHUP requests the analysis
    to stop and keep its results; a second Ctrl-C stops immediately.

    A signal may arrive anywhere. The handler therefore only sets a flag, and the interrupt is raised where the analysis
    reports its progress, or after STOP_GRACE_SECONDS if it reports none."""

    def __init__(self, what: str):
        self.what, self.interrupted = what, False
        self.began = self.reminded = time.monotonic()
        self.written_at = 0.0
        self.bar: Any = None

    def __enter__(self) -> ProgressMonitor:
        self.listens = handle_stop_signals(self._asked)
        self.listens.__enter__()
        return self

    def __exit__(self, *_: Any) -> None:
        cancel_interrupt()
        self.listens.__exit__(None, None, None)
        if self.bar is not None:
            self.bar.stop()
            self.bar = None

    def _asked(self, number: int, *_: Any) -> None:
        _record_signal(number)
        if self.interrupted:
            if number == signal.SIGINT:
                raise KeyboardInterrupt
            return
        self.interrupted = True
        schedule_interrupt()
        print("stopping; what was computed is kept (Ctrl-C again to stop at once)", file=sys.stderr, flush=True)

    def __call__(self, fraction: float) -> None:
        self.say(self.what, fraction)

    def found(self, values: dict[str, float], numbers: dict[str, float]) -> None:
        """Append the best design of a search so far to the progress file."""
        append_progress({"best": {"values": values, "numbers": numbers}})

    def say(self, what: str, fraction: float) -> None:
        """Report the progress of a stage of the work; called repeatedly."""
        if self.interrupted:
            cancel_interrupt()
            raise KeyboardInterrupt
        now = time.monotonic()
        if now - self.written_at > PROGRESS_FILE_SECONDS:
            self.written_at = now
            append_progress({"stage": what, "progress": fraction})
        if now - self.began < PROGRESS_DELAY_SECONDS:
            return
        if sys.stderr.isatty():
            self._draw(what, fraction)
        elif now - self.reminded > PROGRESS_LINE_SECONDS:
            self.reminded = now
            print(f"{what}: {100 * fraction:.0f} %", file=sys.stderr, flush=True)

    def _draw(self, what: str, fraction: float) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        if self.bar is None:
            columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
            self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self.bar.start()
            self.task = self.bar.add_task(what, total=1.0)
        self.bar.update(self.task, completed=fraction, description=what)


@contextmanager
def print_warnings() -> Iterator[None]:
    """Print the warnings of the package on stderr, without duplicates."""
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always", UserWarning)
        try:
            yield
        finally:
            for text in dict.fromkeys(str(note.message) for note in notes if note.category is UserWarning):
                print(f"warning: {text}", file=sys.stderr)


def append_progress(what: dict[str, Any]) -> None:
    """Append a line to the file named by PROGRESS_FILE_VARIABLE, if it is set."""
    path = os.environ.get(PROGRESS_FILE_VARIABLE)
    if path:
        from gaitwright._core.json_types import to_json

        with suppress(OSError), Path(path).open("a", encoding="utf-8") as file:
            file.write(" ".join(to_json(what).split()) + "\n")


def report_failure(screen: CommandOutput, message: str, code: int, **details: Any) -> typer.Exit:
    """Print one sentence on stderr (and, with --json, the same on stdout); return the exit to raise."""
    text = " ".join(message.split())
    screen.release_folder()
    if screen.made:
        with suppress(OSError):  # leave no empty folder behind
            screen.out.rmdir()
    print(f"error: {text}", file=sys.stderr, flush=True)
    screen.finish({"error": text, **details})
    return typer.Exit(code)


def save_partial(partial: Any, out: Path) -> Path | None:
    """Save the result of an analysis that stopped early; return its path, or None if there is no result."""
    cancel_interrupt()
    if partial is None or not partial.time.size:
        return None
    from gaitwright.result.files.snapshots import PARTIAL_FILE, PARTIAL_SUMMARY_FILE

    try:
        saved = partial.save(out / PARTIAL_FILE)
        with suppress(OSError):  # summary of a snapshot, which this file replaces
            (out / PARTIAL_SUMMARY_FILE).unlink(missing_ok=True)
        return saved
    except NotSaved as error:
        print(f"warning: {error}", file=sys.stderr)
        return save_to_temporary_folder(error)


def save_to_temporary_folder(error: NotSaved) -> Path | None:
    """Save a file that could not be written in the folder for temporary files, often on another disk; None if that fails,
    too."""
    with suppress(OSError):
        folder = Path(tempfile.mkdtemp(prefix="gaitwright-"))
        try:
            return save_bytes(folder / error.path.name, error.data)
        except NotSaved:
            folder.rmdir()
    return None


@contextmanager
def command_output(out: Path, as_json: bool) -> Iterator[CommandOutput]:
    """The output of a command. Every exception inside becomes one sentence and an exit code; GAITWRIGHT_DEBUG=1 shows the
    traceback instead."""
    screen = CommandOutput(out, as_json)
    debug = os.environ.get("GAITWRIGHT_DEBUG", "") not in ("", "0")
    _received_signals.clear()
    _terminal_streams[:] = [stream for stream in (1, 2) if os.isatty(stream)]
    with record_written_files() as screen.written, handle_stop_signals(_interrupt_on_signal):
        try:
            with warnings.catch_warnings():
                if not debug:
                    # warnings of NumPy about a diverging solution, which the analysis reports itself
                    warnings.simplefilter("ignore")
                yield screen
        except (typer.Exit, BrokenPipeError):
            raise
        except KeyboardInterrupt as error:
            written = list(screen.written)
            saved = save_partial(getattr(error, "partial", None), screen.out)
            details = f"; the run that was under way is in {saved}" if saved else ""
            details += _list_files("; written before: ", written)
            raise report_failure(screen, f"interrupted{details}", stop_exit_code()) from None
        except Exception as error:
            if debug:
                raise
            raise _report_exception(screen, error) from None
        finally:
            screen.release_folder()


def _report_exception(screen: CommandOutput, error: Exception) -> typer.Exit:
    kind = type(error).__name__
    if isinstance(error, AnalysisError):
        saved = save_partial(error.partial, screen.out)
        kept = f"; what was computed until then is in {saved}" if saved else ""
        details = {"kind": kind, "time": error.time, "partial": str(saved) if saved else None}
        return report_failure(screen, f"{error}{kept}", EXIT_ANALYSIS_FAILED, **details)
    if isinstance(error, NotSaved):
        written = list(screen.written)
        saved = save_to_temporary_folder(error)
        kept = f"; what it would hold is in {saved}" if saved else ""
        kept += _list_files("; written before: ", written)
        details = {"file": error.path, "rescued": saved, "written": written}
        return report_failure(screen, f"{error}{kept}", EXIT_BAD_INPUT, kind=kind, **details)
    if isinstance(error, GaitwrightError):
        return report_failure(screen, str(error), EXIT_BAD_INPUT, kind=kind)
    if isinstance(error, OSError) and error.strerror:
        where = f" '{error.filename}'" if error.filename else ""
        return report_failure(screen, f"{error.strerror.lower()}{where}", EXIT_BAD_INPUT, kind=kind)
    if isinstance(error, MemoryError):
        return report_failure(
            screen, "there is not enough memory; ask for larger steps or fewer outputs", EXIT_BAD_INPUT, kind=kind
        )
    first = single_line((str(error).strip().splitlines() or [""])[0])
    advice = "run again with GAITWRIGHT_DEBUG=1 to see where, and please report it"
    return report_failure(screen, f"unexpected {kind} in Gaitwright: {first}; {advice}", EXIT_UNEXPECTED, kind=kind)


def _list_files(words: str, paths: list[Path]) -> str:
    """List of files after these words; empty if there are none."""
    names = [str(path) for path in dict.fromkeys(paths) if path.exists()]
    more = f" and {len(names) - MAX_LISTED_FILES} more" if len(names) > MAX_LISTED_FILES else ""
    return f"{words}{', '.join(names[:MAX_LISTED_FILES])}{more}" if names else ""
