"""Run jobs on the workers of a Dask cluster; counterpart of process_pool.py, which uses processes of this machine.

Dask distributes tasks, monitors workers and repeats the tasks of lost workers. This module groups jobs into tasks that are long
enough to be worth sending, rejects workers with other versions, and splits a task that crashed several workers, so that only
the job that causes the crash is given up.

dask.distributed is imported only if a cluster is used (`pip install gaitwright[cluster]`)."""

from __future__ import annotations

import importlib
import threading
import time
import uuid
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import GaitwrightError
from gaitwright.design.executors.process_pool import POLL_SECONDS, JobCrashed

INSTALL_COMMAND = "pip install 'gaitwright[cluster]'"
TASK_SECONDS = 0.5
"""Duration of a task: long compared with Dask's overhead of a millisecond, and the most work that is repeated when a worker
is lost."""
TASK_SECONDS_PER_WORKER = 0.005
"""Minimum duration of a task per worker, s: 200 tasks per second in total, of the thousand that the scheduler can handle."""
MAX_TASKS_PER_WORKER = 3
"""Tasks per worker that are running or queued."""
MAX_TASK_JOBS = 4096
"""Maximum number of jobs per task."""
WORKER_POLL_SECONDS = 2.0
"""Seconds between two queries for the list of workers."""
CONNECT_TIMEOUT_SECONDS = 10.0
"""Seconds to wait for the scheduler's answer."""
VERSIONED_PACKAGES = ("gaitwright", "numba", "numpy")
"""Packages that affect the numbers: workers must have the same versions of them."""


class SchedulerLost(GaitwrightError):
    """Raised if the scheduler is unreachable or has lost the tasks."""


class TaskReply(NamedTuple):
    """Reply to a task. seconds: duration. refused: reason if the worker cannot run any task, else empty."""

    seconds: float
    results: list[Any]
    refused: str = ""


def connect_client(address: str) -> Any:
    """Connect to the scheduler at an address such as tcp://10.0.0.1:8786. Raises ModelError if there is no answer."""
    at = ErrorContext(field="scheduler")
    distributed = _import_distributed()
    try:
        return distributed.Client(address, timeout=CONNECT_TIMEOUT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError):
        at.fail(
            f"does not answer within {CONNECT_TIMEOUT_SECONDS:g} s",
            address,
            "the address that 'dask scheduler' prints when it starts",
        )
    except ValueError:
        at.fail("is no address", address, "for example tcp://10.0.0.1:8786")


def _import_distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise GaitwrightError(f"a cluster needs the package distributed: {INSTALL_COMMAND}") from None


class DaskExecutor:
    """Run function(task, job) on the workers of a dask.distributed.Client. Use as a context manager. Each process runs one job
    at a time, whatever its number of threads: analyses share compiled code and tables."""

    client: Any
    token: str
    address: str
    looked: float
    body: Any

    def __init__(self, client: Any, function: Callable[[Any, Any], Any], task: Any):
        distributed = _import_distributed()
        if not isinstance(client, distributed.Client) or client.asynchronous:
            ErrorContext(field="client").fail(
                "is no client of a cluster", client, "dask.distributed.Client('tcp://...')"
            )
        self.client, self.token = client, uuid.uuid4().hex
        self.address = str(getattr(client.scheduler, "address", "") or "")
        self.known: set[str] = set()
        self.looked = -WORKER_POLL_SECONDS
        self._look()
        body = _pickle_task(function, task)
        # a task rather than scattered data: scattered data are lost with their workers, a task is repeated
        self.body = client.submit(bytes, body, key=f"gaitwright-model-{self.token}")

    def __enter__(self) -> DaskExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.body.release()

    def results(self, jobs: Sequence[Any], tick: Callable[[], None] | None = None) -> Iterator[tuple[int, Any]]:
        """Yield index and result of every job, or JobCrashed, as they end. tick: called periodically while no job ends."""
        waiting, suspects = deque(range(len(jobs))), deque[int]()
        tried: set[int] = set()
        running: dict[Any, list[int]] = {}
        ended: SimpleQueue[Any] = SimpleQueue()
        size = 1
        try:
            while waiting or suspects or running:
                self._look()
                for chunk in self._chunks(waiting, suspects, running, size):
                    future = self._submit([jobs[k] for k in chunk])
                    running[future] = chunk
                    future.add_done_callback(ended.put)
                try:
                    future = ended.get(timeout=POLL_SECONDS)
                except Empty:
                    if tick is not None:
                        tick()
                    continue
                chunk = running.pop(future)
                sent, why = self._outcome(future)
                if sent is not None:
                    size = self._size(sent.seconds / len(chunk))
                    yield from zip(chunk, sent.results, strict=True)
                    continue
                yield from ((k, JobCrashed(why)) for k in chunk if k in tried)
                suspects.extend(k for k in chunk if k not in tried)
                tried.update(chunk)
        finally:
            with suppress(Exception):  # the scheduler may be lost
                self.client.cancel(list(running))

    def _chunks(
        self, waiting: deque[int], suspects: deque[int], running: dict[Any, list[int]], size: int
    ) -> Iterator[list[int]]:
        """Yield the next tasks, as lists of job indices. The last tasks are small, so that all workers end together. Suspects
        are sent last and one by one: Dask attributes a crash to every task of the worker, so a crashing task must be alone."""
        count = max(len(self.known), 1)
        while waiting and len(running) < MAX_TASKS_PER_WORKER * count:
            fair = max(1, len(waiting) // (MAX_TASKS_PER_WORKER * count))
            yield [waiting.popleft() for _ in range(min(size, fair, len(waiting)))]
        if suspects and not running:
            yield [suspects.popleft()]

    def _size(self, seconds: float) -> int:
        """Number of jobs per task, from the seconds of one job."""
        task_seconds = max(TASK_SECONDS, TASK_SECONDS_PER_WORKER * len(self.known))
        return int(min(max(task_seconds / max(seconds, 1e-6), 1), MAX_TASK_JOBS))

    def _submit(self, jobs: list[Any]) -> Any:
        try:
            return self.client.submit(_run_task, self.body, self.token, jobs, key=f"gaitwright-{uuid.uuid4().hex}")
        except Exception:
            raise self._lost() from None

    def _outcome(self, future: Any) -> tuple[TaskReply | None, str]:
        """Reply of a task, or None and the reason of the crash. Raises SchedulerLost."""
        distributed = _import_distributed()
        try:
            sent = future.result()
        except distributed.KilledWorker as error:
            times = error.allowed_failures + 1
            return None, f"worker died, {times} times, and again when it was tried alone, as when memory runs out"
        except (CancelledError, OSError, TimeoutError):  # also raised by a lost connection
            raise self._lost() from None
        except Exception as error:
            if future.status in ("cancelled", "lost") or self.client.status != "running":
                raise self._lost() from None
            return None, f"{type(error).__name__}: {error}"
        if sent.refused:
            ErrorContext(field="client").fail(sent.refused)
        return sent, ""

    def _look(self) -> None:
        """Update the list of workers every WORKER_POLL_SECONDS; raise ModelError if a new worker has other versions than this
        process."""
        if time.monotonic() - self.looked < WORKER_POLL_SECONDS:
            return
        if self.client.status != "running":
            raise self._lost()
        try:
            there = set(self.client.nthreads())
            if there - self.known:
                require_same_versions(self.client.get_versions(packages=list(VERSIONED_PACKAGES)))
        except (CancelledError, OSError, TimeoutError):
            raise self._lost() from None
        if not there and self.looked < 0:
            warnings.warn(f"the cluster at {self.address} has no workers yet: waiting for the first", stacklevel=5)
        self.known, self.looked = there, time.monotonic()

    def _lost(self) -> SchedulerLost:
        return SchedulerLost(f"the scheduler at {self.address} was lost, or has lost its tasks")


def require_same_versions(found: dict[str, Any]) -> None:
    """Raise ModelError if a worker's versions differ from those of this process. found: result of Client.get_versions."""
    at, own = ErrorContext(field="client"), found["client"]
    for address, worker in found["workers"].items():
        packages, python = worker["packages"], _minor_python_version(worker)
        if packages.get("gaitwright") is None and own["packages"].get("gaitwright") is not None:
            at.fail(
                f"the worker at {address} has no package gaitwright", expected="it in the environment of all workers"
            )
        pairs = {"Python": (python, _minor_python_version(own))}
        pairs |= {name: (packages.get(name), own["packages"].get(name)) for name in VERSIONED_PACKAGES}
        for name, (there, here) in pairs.items():
            if there != here:
                at.fail(
                    f"the worker at {address} has {name} {there or '(none)'} where this process has {here or '(none)'}",
                    expected="the same versions on all workers, for example from one container",
                )


def _minor_python_version(machine: dict[str, Any]) -> str:
    return ".".join(machine["host"]["python"].split(".")[:2])


def _pickle_task(function: Any, task: Any) -> bytes:
    """Pickle function and task by cloudpickle, which sends functions of the user's script by their code."""
    try:
        return importlib.import_module("cloudpickle").dumps((function, task))
    except Exception as error:
        problem = f"the function of the jobs cannot be sent to workers ({type(error).__name__}: {error})"
        ErrorContext(field="client").fail(problem, expected="functions that hold nothing but data")


_WORK_LOCK = threading.Lock()
_TASKS_BY_TOKEN: dict[str, Any] = {}


def _run_task(body: bytes, token: str, jobs: list[Any]) -> TaskReply:
    """Run several jobs on a worker, in one thread at a time; the task is unpickled once."""
    with _WORK_LOCK:
        if token not in _TASKS_BY_TOKEN:
            _TASKS_BY_TOKEN.clear()
            try:
                _TASKS_BY_TOKEN[token] = importlib.import_module("cloudpickle").loads(body)
            except ImportError as error:
                hint = "client.upload_file('MODULE.py') sends your own module"
                return TaskReply(0.0, [], f"a worker cannot import the function of the jobs: {error}; {hint}")
        function, task = _TASKS_BY_TOKEN[token]
        start = time.perf_counter()
        results = [function(task, job) for job in jobs]
        return TaskReply(time.perf_counter() - start, results)
