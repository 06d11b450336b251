"""Processes that work through jobs and may die: one by one is known which job it was, and nothing else is lost.

Every process has a pipe of its own, over which it says what came of each job. So when one dies, it is known on which job:
that one is tried once more, then given up, with the reason; the jobs behind it go to others, and a new process takes the
place. (A pool of `concurrent.futures` breaks as a whole, and takes everything that was handed out with it.)

Processes end with the one that made them, however that ends: they watch a pipe that only it holds open. That takes the
interpreter's lock, which compiled code keeps for as long as it runs; so Linux is asked to end them, too.
"""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.reduction import ForkingPickler
from typing import Any, NamedTuple

CHUNK_SECONDS = 0.2
"""How long a process works on what it is handed at once: long against the handing over, short against a person's patience."""
LARGEST_CHUNK = 64
"""Jobs handed over at once: all of them fit into a pipe, or two could wait for each other."""
PATIENCE = 0.2
"""Seconds between two looks at whether a person wants to stop."""
TRIES = 2
"""How often a job may take its process down before it is given up."""
DEATH_OF_PARENT = 1
"""PR_SET_PDEATHSIG of Linux."""


UNGUARDED = (
    "is the call below \"if __name__ == '__main__':\"? Processes begin by importing the script that asks for them"
)
"""What is wrong where a process that was started anew dies at once."""


def start_method() -> str:
    """How processes are made here. Forked where that is safe: not on macOS, whose libraries crash in forked processes, and
    not on Windows, which cannot."""
    possible = sys.platform != "darwin" and "fork" in multiprocessing.get_all_start_methods()
    return "fork" if possible else "spawn"


class Died(NamedTuple):
    """Instead of what comes of a job: it took its process down, each time it was tried."""

    reason: str


class Worker:
    """A process, the pipe to it, and the jobs that it has been given, in the order in which it does them."""

    def __init__(self, process: Any, pipe: Connection):
        self.process, self.pipe, self.ready = process, pipe, False
        self.given: deque[int] = deque()

    def death(self) -> str:
        """How it ended."""
        self.process.join()
        code = self.process.exitcode
        if code is None or code >= 0:
            return f"exit code {code}"
        name = signal.Signals(-code).name
        return f"{name}, as when memory runs out" if name == "SIGKILL" else name


class Workers:
    """count processes, made when they are needed, that do function(task, job). Use as a context: it ends them.

    Forked processes inherit compiled code, the declarations of the user's script and functions written in place. Where they
    are started anew, a function that cannot be sent to them is done here, one job after the other."""

    count: int
    function: Callable[[Any, Any], Any]
    task: Any
    forked: bool
    context: BaseContext
    watched: Connection
    held: Connection

    def __init__(self, count: int, function: Callable[[Any, Any], Any], task: Any):
        self.count, self.function, self.task = count, function, task
        method = start_method()
        self.forked, self.context = method == "fork", multiprocessing.get_context(method)
        self.watched, self.held = self.context.Pipe(duplex=False)
        self.members: list[Worker] = []

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.members:
            worker.process.kill()
        for worker in self.members:
            self._bury(worker)
        self.members = []
        self.watched.close()
        self.held.close()

    def results(self, jobs: Sequence[Any], tick: Callable[[], None] | None = None) -> Iterator[tuple[int, Any]]:
        """Number and result of every job, or Died, as they come. tick: called now and then while nothing does."""
        if not self.forked and not self._can_be_sent():
            for k, job in enumerate(jobs):
                yield k, self.function(self.task, job)
                if tick is not None:
                    tick()
            return
        waiting, tries, left, size = deque(range(len(jobs))), Counter[int](), len(jobs), 1
        while left:
            self._hand_out(jobs, waiting, size)
            heard = wait([worker.pipe for worker in self.members], PATIENCE)
            if not heard and tick is not None:
                tick()
            for worker in [worker for worker in self.members if worker.pipe in heard]:
                try:
                    found = worker.pipe.recv()
                except (EOFError, OSError, pickle.UnpicklingError):
                    for k, died in self._after_death(worker, waiting, tries):
                        left -= 1
                        yield k, died
                    continue
                if found is None:
                    worker.ready = True
                    continue
                seconds, result = found
                size = int(min(max(CHUNK_SECONDS / max(seconds, 1e-6), 1), LARGEST_CHUNK))
                left -= 1
                yield worker.given.popleft(), result

    def _hand_out(self, jobs: Sequence[Any], waiting: deque[int], size: int) -> None:
        """Give jobs to who has none, or of quick ones only the last left. At the end in small portions, so that all end
        together."""
        while waiting and len(self.members) < min(self.count, len(jobs)):
            self._start()
        for worker in self.members:
            if waiting and len(worker.given) <= (size > 1):
                fair = max(1, len(waiting) // (2 * self.count))
                chunk = [waiting.popleft() for _ in range(min(size, fair, len(waiting)))]
                worker.given.extend(chunk)
                with suppress(OSError):  # it has died, which is noticed where it is listened to
                    worker.pipe.send([jobs[k] for k in chunk])

    def _after_death(self, worker: Worker, waiting: deque[int], tries: Counter[int]) -> Iterator[tuple[int, Died]]:
        """Put back what a dead process had been given; what it was at is given up after some tries. One that died before it
        began would be followed by others: then all is given up."""
        self.members.remove(worker)
        how = worker.death()
        self._bury(worker)
        back = list(worker.given)
        if not worker.ready:
            back += waiting
            waiting.clear()
            why = f"process died before it began: {how}" + ("" if self.forked else f"; {UNGUARDED}")
            yield from ((k, Died(why)) for k in back)
            return
        if back:
            tries[back[0]] += 1
            if tries[back[0]] >= TRIES:
                yield back.pop(0), Died(f"process died, and again when it was tried once more: {how}")
        waiting.extendleft(reversed(back))

    def _can_be_sent(self) -> bool:
        """Whether a process that knows nothing can be told what to do."""
        if not self.members:
            try:
                ForkingPickler.dumps((self.function, self.task))
            except RuntimeError:  # of what may only be sent while a process is being made, such as a queue
                return True
            except Exception as error:  # whatever a user's object does
                text = f"what is to be done cannot be sent to other processes ({error}), so this one does it all"
                warnings.warn(f"{text}; functions at the top of a module can be sent", stacklevel=2)
                return False
        return True

    def _start(self) -> None:
        ours, theirs = self.context.Pipe()
        # what a forked process inherits of this one's pipes it must close, or they stay open without this one
        inherited = [self.held, ours, *(worker.pipe for worker in self.members)] if self.forked else []
        arguments = (theirs, self.watched, inherited, os.getpid(), self.function, self.task)
        process = self.context.Process(target=_work, args=arguments)  # pyright: ignore
        process.start()
        theirs.close()
        self.members.append(Worker(process, ours))

    def _bury(self, worker: Worker) -> None:
        worker.process.join()
        worker.process.close()
        worker.pipe.close()


def _work(
    pipe: Connection, watched: Connection, inherited: list[Connection], parent: int, function: Any, task: Any
) -> None:
    """The life of a process. Whether to stop is for its parent to decide, which then ends it; what it inherited is no garbage
    to look for."""
    for name, handler in {"SIGINT": signal.SIG_IGN, "SIGHUP": signal.SIG_IGN, "SIGTERM": signal.SIG_DFL}.items():
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), handler)
    for end in inherited:
        end.close()
    end_with(parent, watched.recv_bytes)
    gc.freeze()
    pipe.send(None)
    while True:
        try:
            chunk = pipe.recv()
        except EOFError:
            return
        for job in chunk:
            began = time.perf_counter()
            result = function(task, job)
            pipe.send((time.perf_counter() - began, result))


def end_with(parent: int, wait_for_end: Callable[[], object]) -> None:
    """End this process when its parent does. wait_for_end: reads from a pipe whose other end only the parent holds open."""

    def watch() -> None:
        with suppress(EOFError, OSError):
            wait_for_end()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(DEATH_OF_PARENT, signal.SIGKILL)
        if os.getppid() != parent:  # it ended before Linux knew
            os._exit(1)
