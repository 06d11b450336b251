"""Pool of worker processes that may crash: only the job that crashes its worker is lost, and it is identified.

Every worker process has its own pipe, over which it returns the result of each job. When a worker crashes, its current job is
therefore known: it is tried once more, then given up with the reason. The queued jobs go to other workers, and a new process
replaces the crashed one. (A pool of `concurrent.futures` breaks as a whole and loses all submitted jobs.)

Workers end with their parent process, however it ends: they watch a pipe that only the parent holds open. The watching thread
needs the interpreter's lock, which compiled code holds while it runs; on Linux the kernel is therefore set to kill them, too.
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
"""Duration of a chunk of jobs: long compared with the transfer over the pipe, short for a waiting user."""
MAX_CHUNK_JOBS = 64
"""Maximum number of jobs per chunk: a chunk must fit into the pipe's buffer, otherwise both ends could block each other."""
POLL_SECONDS = 0.2
"""Seconds between two checks for an interruption by the user."""
MAX_TRIES = 2
"""Number of crashes after which a job is given up."""
PR_SET_PDEATHSIG = 1
"""Option of Linux' prctl: signal to send to this process when its parent ends."""


UNGUARDED_MAIN_HINT = (
    "is the call below \"if __name__ == '__main__':\"? Processes begin by importing the script that asks for them"
)
"""Usual cause if a spawned process dies at once."""


def choose_start_method() -> str:
    """Start method of multiprocessing: "fork" where it is safe, else "spawn" (on macOS, where libraries crash in forked
    processes, and on Windows, which cannot fork)."""
    possible = sys.platform != "darwin" and "fork" in multiprocessing.get_all_start_methods()
    return "fork" if possible else "spawn"


class JobCrashed(NamedTuple):
    """Returned instead of a result when the job crashed its worker process on every attempt."""

    reason: str


class WorkerProcess:
    """A worker process, the pipe to it, and the indices of its jobs in the order of execution."""

    def __init__(self, process: Any, pipe: Connection):
        self.process, self.pipe, self.ready = process, pipe, False
        self.given: deque[int] = deque()

    def death(self) -> str:
        """Describe the exit code or the signal that ended the process."""
        self.process.join()
        code = self.process.exitcode
        if code is None or code >= 0:
            return f"exit code {code}"
        name = signal.Signals(-code).name
        return f"{name}, as when memory runs out" if name == "SIGKILL" else name


class ProcessPool:
    """Pool of `count` processes, started on demand, that run function(task, job). Use as a context manager, which ends them.

    Forked processes inherit compiled code, the declarations of the user's script and local functions. With spawned processes,
    a function that cannot be pickled is called in this process, one job after the other."""

    count: int
    function: Callable[[Any, Any], Any]
    task: Any
    forked: bool
    context: BaseContext
    watched: Connection
    held: Connection

    def __init__(self, count: int, function: Callable[[Any, Any], Any], task: Any):
        self.count, self.function, self.task = count, function, task
        method = choose_start_method()
        self.forked, self.context = method == "fork", multiprocessing.get_context(method)
        self.watched, self.held = self.context.Pipe(duplex=False)
        self.members: list[WorkerProcess] = []

    def __enter__(self) -> ProcessPool:
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
        """Yield index and result of every job, or JobCrashed, as they end. tick: called periodically while no job ends."""
        if not self.forked and not self._can_be_sent():
            for k, job in enumerate(jobs):
                yield k, self.function(self.task, job)
                if tick is not None:
                    tick()
            return
        waiting, tries, left, size = deque(range(len(jobs))), Counter[int](), len(jobs), 1
        while left:
            self._hand_out(jobs, waiting, size)
            ready_pipes = wait([worker.pipe for worker in self.members], POLL_SECONDS)
            if not ready_pipes and tick is not None:
                tick()
            for worker in [worker for worker in self.members if worker.pipe in ready_pipes]:
                try:
                    message = worker.pipe.recv()
                except (EOFError, OSError, pickle.UnpicklingError):
                    for k, died in self._after_death(worker, waiting, tries):
                        left -= 1
                        yield k, died
                    continue
                if message is None:
                    worker.ready = True
                    continue
                seconds, result = message
                size = int(min(max(CHUNK_SECONDS / max(seconds, 1e-6), 1), MAX_CHUNK_JOBS))
                left -= 1
                yield worker.given.popleft(), result

    def _hand_out(self, jobs: Sequence[Any], waiting: deque[int], size: int) -> None:
        """Send jobs to idle workers; if jobs are short (size > 1), also to workers with one job left. The last chunks are
        small, so that all workers end together."""
        while waiting and len(self.members) < min(self.count, len(jobs)):
            self._start()
        for worker in self.members:
            if waiting and len(worker.given) <= (size > 1):
                fair = max(1, len(waiting) // (2 * self.count))
                chunk = [waiting.popleft() for _ in range(min(size, fair, len(waiting)))]
                worker.given.extend(chunk)
                with suppress(OSError):  # the worker has died; `results` detects it
                    worker.pipe.send([jobs[k] for k in chunk])

    def _after_death(
        self, worker: WorkerProcess, waiting: deque[int], tries: Counter[int]
    ) -> Iterator[tuple[int, JobCrashed]]:
        """Requeue the jobs of a dead process; its current job is given up after MAX_TRIES crashes. If the process died before
        it was ready, others would, too: then all jobs are given up."""
        self.members.remove(worker)
        cause = worker.death()
        self._bury(worker)
        back = list(worker.given)
        if not worker.ready:
            back += waiting
            waiting.clear()
            why = f"process died before it began: {cause}" + ("" if self.forked else f"; {UNGUARDED_MAIN_HINT}")
            yield from ((k, JobCrashed(why)) for k in back)
            return
        if back:
            tries[back[0]] += 1
            if tries[back[0]] >= MAX_TRIES:
                yield back.pop(0), JobCrashed(f"process died, and again when it was tried once more: {cause}")
        waiting.extendleft(reversed(back))

    def _can_be_sent(self) -> bool:
        """True if function and task can be pickled for a spawned process; otherwise warn."""
        if not self.members:
            try:
                ForkingPickler.dumps((self.function, self.task))
            except RuntimeError:  # objects that can only be pickled while a process is started, such as a queue
                return True
            except Exception as error:  # pickling a user's object may raise anything
                text = f"the function cannot be sent to other processes ({error}), so this process runs all jobs"
                warnings.warn(f"{text}; functions at the top of a module can be sent", stacklevel=2)
                return False
        return True

    def _start(self) -> None:
        ours, theirs = self.context.Pipe()
        # a forked process must close the inherited pipe ends, otherwise they stay open after this process has ended
        inherited = [self.held, ours, *(worker.pipe for worker in self.members)] if self.forked else []
        arguments = (theirs, self.watched, inherited, os.getpid(), self.function, self.task)
        process = self.context.Process(target=_run_worker, args=arguments)  # pyright: ignore
        process.start()
        theirs.close()
        self.members.append(WorkerProcess(process, ours))

    def _bury(self, worker: WorkerProcess) -> None:
        worker.process.join()
        worker.process.close()
        worker.pipe.close()


def _run_worker(
    pipe: Connection, watched: Connection, inherited: list[Connection], parent: int, function: Any, task: Any
) -> None:
    """Main loop of a worker process. It ignores interrupts, since its parent decides when to stop and then kills it. Inherited
    objects are excluded from garbage collection."""
    for name, handler in {"SIGINT": signal.SIG_IGN, "SIGHUP": signal.SIG_IGN, "SIGTERM": signal.SIG_DFL}.items():
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), handler)
    for end in inherited:
        end.close()
    exit_with_parent(parent, watched.recv_bytes)
    gc.freeze()
    pipe.send(None)
    while True:
        try:
            chunk = pipe.recv()
        except EOFError:
            return
        for job in chunk:
            start = time.perf_counter()
            result = function(task, job)
            pipe.send((time.perf_counter() - start, result))


def exit_with_parent(parent: int, wait_for_end: Callable[[], object]) -> None:
    """End this process when its parent ends. wait_for_end: blocking read of a pipe that only the parent holds open at its other
    end."""

    def watch() -> None:
        with suppress(EOFError, OSError):
            wait_for_end()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # the parent ended before prctl took effect
            os._exit(1)
