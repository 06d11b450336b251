"""What all commands share: where they write and speak, progress, signals that keep what was computed, errors as one
sentence. Results go to stdout; with --json only JSON does, and everything for people to stderr."""

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

from gaitwright.errors import AnalysisError, GaitwrightError, NotSaved, one_sentence
from gaitwright.locking import FolderLock
from gaitwright.saving import noting, save_bytes

BAD_INPUT, FAILED, UNEXPECTED, INTERRUPTED = 2, 1, 3, 130
"""Exit codes besides 0. Of what was stopped: 128 and the number of the signal, see `stopped()`."""
PATIENCE = 1.0
"""Seconds before progress is shown."""
GRACE = 0.5
"""Seconds that an analysis has to come to a place where it can stop and keep what it has, before it is stopped anywhere."""
REMINDER = 10.0
"""Seconds between lines of progress where stderr is not a terminal."""
OFTEN = 0.1
"""Seconds between lines of progress for another program."""
PROGRESS = "GAITWRIGHT_PROGRESS"
"""Environment variable: a file to which commands add a line of JSON whenever they got further, for whoever started them."""
LEAST_ROOM = 65536
"""Bytes that must fit into the folder of a command before it begins."""
LISTED = 6
"""Files that a sentence names one by one."""


class Screen:
    """Where a command writes and speaks."""

    def __init__(self, out: Path, as_json: bool):
        from rich.console import Console

        self.out, self.as_json = out, as_json
        self.console = Console(stderr=as_json, highlight=False, soft_wrap=True)
        if not self.console.is_terminal:
            self.console.width = 160  # of a file or a pipe; lines are not cut there
        self.answer: dict[str, Any] = {}
        self.written: list[Path] = []
        self.made = False
        self.lock: FolderLock | None = None

    def make_folder(self, shared: bool = False) -> Path:
        """Make the output folder before the work, so that the result finds a place, and lock it until the command ends.

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
            with tempfile.TemporaryFile(dir=self.out) as probe:  # says more than the folder's permissions do
                probe.write(bytes(LEAST_ROOM))
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise GaitwrightError(f"nothing can be written into the folder '{self.out}': {why}") from None
        if not shared:
            self.lock = FolderLock(self.out)
        return self.out

    def release_folder(self) -> None:
        """Let other commands write into the output folder."""
        if self.lock is not None:
            self.lock.release()

    def say(self, *what: Any) -> None:
        """Something for people: text (without markup) or a rich table."""
        for part in what:
            self.console.print(part, markup=False)

    def table(self, *header: str, rows: Any, numbers: tuple[int, ...] = ()) -> None:
        """A table; `numbers`: columns to align at the right."""
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
        """The result for machines, if they asked."""
        from gaitwright.plain import plain, to_json

        self.answer = {**plain(answer), **self.answer}
        if self.as_json:
            sys.stdout.write(to_json(self.answer, sys.stdout.encoding or "utf-8") + "\n")


STOPPING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]
"""Signals that ask to stop: of a person, of whoever manages processes, of a terminal that was closed, of Ctrl-Break."""
_asked: list[int] = []
"""Those that came while the present command ran, in order."""


def stopped() -> int:
    """The exit code of a command that was asked to stop: 130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP."""
    return 128 + _asked[0] if _asked else INTERRUPTED


@contextmanager
def listening(handler: Any) -> Iterator[None]:
    """Have signals that ask to stop handled. What is ignored, as `nohup` does with SIGHUP, stays so; Ctrl-C is for the
    command in any case."""
    before = {}
    try:
        for number in STOPPING:
            if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, handler)
    except ValueError:  # not in the main thread
        pass
    try:
        yield
    finally:
        for number, handled in before.items():
            if handled is not None:  # one that Python did not set cannot be set again
                signal.signal(number, handled)


def _stop(number: int, *_: Any) -> None:
    """Where nobody watches: stop here, as at Ctrl-C. What is being written is not left half done. Only Ctrl-C counts a
    second time: a closed terminal sends its signal twice, and what is kept must not be lost by that."""
    first = not _asked
    _note(number)
    if first or number == signal.SIGINT:
        raise KeyboardInterrupt


def _note(number: int) -> None:
    _asked.append(number)
    if number == getattr(signal, "SIGHUP", None):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in _terminals:  # they are gone, and to write there would fail
            os.dup2(nowhere, stream)
        os.close(nowhere)


_terminals: list[int] = []
"""Of stdout and stderr, those that were terminals when the command began."""


_insisting: list[threading.Timer] = []
"""What stops a command that does not stop by itself."""


def insist() -> None:
    """Stop the main thread after a moment of grace, as a second Ctrl-C would."""
    timer = threading.Timer(GRACE, _thread.interrupt_main)
    timer.daemon = True
    _insisting.append(timer)
    timer.start()


def let_go() -> None:
    """The analysis has stopped: what it keeps must not be interrupted."""
    while _insisting:
        _insisting.pop().cancel()


class Watch:
    """Follows long work: a progress bar after a second, and the first Ctrl-C, SIGTERM or SIGHUP asks the analysis to stop
    and keep what it has; a second Ctrl-C stops at once.

    A signal may arrive anywhere, so the handler only takes a note, and the interruption happens where the analysis
    reports its progress; or where it is after a moment of grace, if it has nothing to report."""

    def __init__(self, what: str):
        self.what, self.interrupted = what, False
        self.began = self.reminded = time.monotonic()
        self.written_at = 0.0
        self.bar: Any = None

    def __enter__(self) -> Watch:
        self.listens = listening(self._asked)
        self.listens.__enter__()
        return self

    def __exit__(self, *_: Any) -> None:
        let_go()
        self.listens.__exit__(None, None, None)
        if self.bar is not None:
            self.bar.stop()
            self.bar = None

    def _asked(self, number: int, *_: Any) -> None:
        _note(number)
        if self.interrupted:
            if number == signal.SIGINT:
                raise KeyboardInterrupt
            return
        self.interrupted = True
        insist()
        print("stopping; what was computed is kept (Ctrl-C again to stop at once)", file=sys.stderr, flush=True)

    def __call__(self, fraction: float) -> None:
        self.say(self.what, fraction)

    def found(self, values: dict[str, float], numbers: dict[str, float]) -> None:
        """The best of a search so far, for whoever follows it in PROGRESS."""
        tell_progress({"best": {"values": values, "numbers": numbers}})

    def say(self, what: str, fraction: float) -> None:
        """Progress of a stage of the work: called by it now and then."""
        if self.interrupted:
            let_go()
            raise KeyboardInterrupt
        now = time.monotonic()
        if now - self.written_at > OFTEN:
            self.written_at = now
            tell_progress({"stage": what, "progress": fraction})
        if now - self.began < PATIENCE:
            return
        if sys.stderr.isatty():
            self._draw(what, fraction)
        elif now - self.reminded > REMINDER:
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
def showing_warnings() -> Iterator[None]:
    """Print the warnings of the package on stderr, each once."""
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always", UserWarning)
        try:
            yield
        finally:
            for text in dict.fromkeys(str(note.message) for note in notes if note.category is UserWarning):
                print(f"warning: {text}", file=sys.stderr)


def tell_progress(what: dict[str, Any]) -> None:
    """Add a line to the file that PROGRESS names, if it names one."""
    path = os.environ.get(PROGRESS)
    if path:
        from gaitwright.plain import to_json

        with suppress(OSError), Path(path).open("a", encoding="utf-8") as file:
            file.write(" ".join(to_json(what).split()) + "\n")


def fail(screen: Screen, message: str, code: int, **details: Any) -> typer.Exit:
    """Say one sentence on stderr (and, with --json, the same on stdout); the exit to raise."""
    text = " ".join(message.split())
    screen.release_folder()
    if screen.made:
        with suppress(OSError):  # leave no empty folder behind
            screen.out.rmdir()
    print(f"error: {text}", file=sys.stderr, flush=True)
    screen.finish({"error": text, **details})
    return typer.Exit(code)


def save_partial(partial: Any, out: Path) -> Path | None:
    """Keep what an analysis that stopped early had computed; where it is, or None if it had nothing."""
    let_go()
    if partial is None or not partial.time.size:
        return None
    from gaitwright.result.snapshots import PARTIAL, PARTIAL_SUMMARY

    try:
        saved = partial.save(out / PARTIAL)
        with suppress(OSError):  # of a snapshot, which this file replaces
            (out / PARTIAL_SUMMARY).unlink(missing_ok=True)
        return saved
    except NotSaved as error:
        print(f"warning: {error}", file=sys.stderr)
        return rescue(error)


def rescue(error: NotSaved) -> Path | None:
    """Put what could not be written where temporary files go, which often is another disk; None if that cannot be either."""
    with suppress(OSError):
        folder = Path(tempfile.mkdtemp(prefix="gaitwright-"))
        try:
            return save_bytes(folder / error.path.name, error.data)
        except NotSaved:
            folder.rmdir()
    return None


@contextmanager
def speaking(out: Path, as_json: bool) -> Iterator[Screen]:
    """The Screen of a command. Every error within becomes one sentence and an exit code; GAITWRIGHT_DEBUG=1 shows the
    traceback instead."""
    screen = Screen(out, as_json)
    debug = os.environ.get("GAITWRIGHT_DEBUG", "") not in ("", "0")
    _asked.clear()
    _terminals[:] = [stream for stream in (1, 2) if os.isatty(stream)]
    with noting() as screen.written, listening(_stop):
        try:
            with warnings.catch_warnings():
                if not debug:
                    warnings.simplefilter("ignore")  # NumPy's, of an explosion that the analysis reports itself
                yield screen
        except (typer.Exit, BrokenPipeError):
            raise
        except KeyboardInterrupt as error:
            written = list(screen.written)
            saved = save_partial(getattr(error, "partial", None), screen.out)
            kept = f"; the run that was under way is in {saved}" if saved else ""
            kept += _listed("; written before: ", written)
            raise fail(screen, f"interrupted{kept}", stopped()) from None
        except Exception as error:
            if debug:
                raise
            raise _explained(screen, error) from None
        finally:
            screen.release_folder()


def _explained(screen: Screen, error: Exception) -> typer.Exit:
    kind = type(error).__name__
    if isinstance(error, AnalysisError):
        saved = save_partial(error.partial, screen.out)
        kept = f"; what was computed until then is in {saved}" if saved else ""
        details = {"kind": kind, "time": error.time, "partial": str(saved) if saved else None}
        return fail(screen, f"{error}{kept}", FAILED, **details)
    if isinstance(error, NotSaved):
        written = list(screen.written)
        saved = rescue(error)
        kept = f"; what it would hold is in {saved}" if saved else ""
        kept += _listed("; written before: ", written)
        details = {"file": error.path, "rescued": saved, "written": written}
        return fail(screen, f"{error}{kept}", BAD_INPUT, kind=kind, **details)
    if isinstance(error, GaitwrightError):
        return fail(screen, str(error), BAD_INPUT, kind=kind)
    if isinstance(error, OSError) and error.strerror:
        where = f" '{error.filename}'" if error.filename else ""
        return fail(screen, f"{error.strerror.lower()}{where}", BAD_INPUT, kind=kind)
    if isinstance(error, MemoryError):
        return fail(screen, "there is not enough memory; ask for larger steps or fewer outputs", BAD_INPUT, kind=kind)
    first = one_sentence((str(error).strip().splitlines() or [""])[0])
    advice = "run again with GAITWRIGHT_DEBUG=1 to see where, and please report it"
    return fail(screen, f"unexpected {kind} in Gaitwright: {first}; {advice}", UNEXPECTED, kind=kind)


def _listed(words: str, paths: list[Path]) -> str:
    """Files, after these words; nothing if there are none."""
    names = [str(path) for path in dict.fromkeys(paths) if path.exists()]
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return f"{words}{', '.join(names[:LISTED])}{more}" if names else ""
