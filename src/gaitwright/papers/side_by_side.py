"""Experiments side by side, each in a process of its own.

The processes are started anew, not forked: the progress bar has a thread, and a script that calls `reproduce` need not
guard its main part. They talk over a pipe: what they are doing, that they compile, at last what they found or why they
failed. Ctrl-C reaches only the first process, which then ends the others; what they had written before is kept. If it is
killed, they end, too.
"""

from __future__ import annotations

import importlib
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from gaitwright import errors
from gaitwright.design.workers import end_with
from gaitwright.papers.check import Findings

Progress = Callable[[str, float], None]
"""Called with what is being done and the fraction that is."""
EARLY = ("slider-crank", "falling-ball")
"""Started first: together they need nearly all that the others need, but little in common, so that on a new machine hardly
anything is compiled twice."""
PATIENCE = 0.2
"""Seconds between two looks at whether a person wants to stop."""
SCRIPT = "import sys; from gaitwright.papers.side_by_side import speak; speak(sys.argv[1:])"


def findings(name: str, module: str, out: Path | None, said: Progress) -> Findings:
    """Run one experiment here; with `out`, write its numbers and pictures there."""
    experiment: Any = importlib.import_module(module)
    found = experiment.run(said)
    if out is not None:
        said("drawing", 0.9)
        found.write(Path(out))
    return found.findings()


def side_by_side(
    experiments: dict[str, str], out: Path | None, progress: Progress | None, workers: int
) -> dict[str, Findings]:
    """Run experiments, {name: module}, some at a time; found are they in the order given."""
    waiting = sorted(experiments, key=lambda name: name not in EARLY)
    parts, found = dict.fromkeys(experiments, 0.0), {}
    now: dict[str, str] = {}
    heard: queue.Queue[tuple[str, str, Any]] = queue.Queue()
    running: dict[str, subprocess.Popen[bytes]] = {}
    try:
        while len(found) < len(experiments):
            while waiting and len(running) < workers:
                name = waiting.pop(0)
                running[name] = _start(name, experiments[name], out, heard)
            with suppress(queue.Empty):
                name, kind, what = heard.get(timeout=PATIENCE)
                if kind == "found":
                    found[name], parts[name] = what, 1.0
                    running.pop(name).wait()
                    now.pop(name, None)
                else:
                    _hear(name, kind, what, now, parts)
            if progress is not None:
                progress(", ".join(f"{name}: {what}" for name, what in now.items()), sum(parts.values()) / len(parts))
    finally:
        for process in running.values():
            process.terminate()
        for process in running.values():
            process.wait()
    return {name: found[name] for name in experiments}


def _hear(name: str, kind: str, what: Any, now: dict[str, str], parts: dict[str, float]) -> None:
    if kind == "said":
        now[name], parts[name] = what
    elif kind == "compiling":
        from gaitwright.compiled import NOTICE

        NOTICE.expect(what)  # said once, whoever compiles
    else:
        raise_again(name, *what)


def raise_again(name: str, kind: str, text: str) -> None:
    """An error of another process, here: as what it was if it is one of ours."""
    known = getattr(errors, kind, None)
    if isinstance(known, type) and issubclass(known, errors.GaitwrightError):
        raise known(f"{name}: {text}")
    raise RuntimeError(f"{name}: {kind}: {text}")


def _start(name: str, module: str, out: Path | None, heard: queue.Queue[Any]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", SCRIPT, name, module, *([str(out)] if out is not None else [])]
    # A session of its own: Ctrl-C in the terminal is for the first process alone.
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_environment(), start_new_session=True
    )
    threading.Thread(target=_listen, args=(name, process.stdout, heard), daemon=True).start()
    return process


def _environment() -> dict[str, str]:
    """Where this process finds its modules, the other does, too."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def _listen(name: str, pipe: IO[bytes], heard: queue.Queue[Any]) -> None:
    """Pass on what a process says, until it has nothing more to say."""
    kind = ""
    while kind not in ("found", "failed"):
        try:
            kind, what = pickle.load(pipe)
        except (EOFError, pickle.UnpicklingError, OSError):
            kind, what = "failed", ("RuntimeError", "the process ended without a result")
        heard.put((name, kind, what))


def speak(arguments: Sequence[str]) -> None:
    """The other process: run one experiment and say over the pipe what it found. arguments: name, module, folder."""
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed by mistake must not get into the pipe

    def tell(kind: str, what: Any) -> None:
        pickle.dump((kind, what), pipe)
        pipe.flush()

    end_with(os.getppid(), lambda: os.read(0, 1))  # not through sys.stdin, whose lock a thread must not hold at the end
    name, module, *rest = arguments
    try:
        import warnings

        from gaitwright.compiled import NOTICE

        warnings.simplefilter("ignore")  # NumPy's, of explosions that the analyses report themselves
        NOTICE.say = lambda seconds: tell("compiling", seconds)  # instead of printing it
        folder = Path(rest[0]) if rest else None
        tell("found", findings(name, module, folder, lambda what, fraction: tell("said", (what, fraction))))
    except BrokenPipeError:  # nobody listens any more
        os._exit(1)
    except Exception as error:
        tell("failed", (type(error).__name__, str(error)))
