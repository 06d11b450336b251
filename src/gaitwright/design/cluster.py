"""Jobs done by the workers of a Dask cluster, as `workers.py` has them done by processes of this machine.

Dask moves tasks, watches workers and does again what a lost one was at. What is done here: jobs are put together to tasks
of a length that is worth sending; workers with another version are refused; and a task that took several workers down is
taken apart, so that only the job that does so is given up.

dask.distributed is imported when a cluster is asked for (`pip install gaitwright[cluster]`)."""

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

from gaitwright.checks import At
from gaitwright.design.workers import PATIENCE, Died
from gaitwright.errors import GaitwrightError

INSTALL = "pip install 'gaitwright[cluster]'"
TASK_SECONDS = 0.5
"""Length of a task: long against Dask's millisecond, and all that is done again after a worker is lost."""
PER_WORKER = 0.005
"""s; tasks get longer with the number of workers, so that the scheduler, which does a thousand in a second, has 200."""
AHEAD = 3
"""Tasks per worker that are under way or wait there."""
LARGEST = 4096
"""Jobs of a task."""
LOOK = 2.0
"""s between two looks at who works."""
ANSWER = 10.0
"""s in which a scheduler answers, if it is there."""
SAME = ("gaitwright", "numba", "numpy")
"""Packages on which numbers depend: workers have the same versions of them."""


class Lost(GaitwrightError):
    """The scheduler no longer knows what it was asked."""


class Sent(NamedTuple):
    """What comes back of a task. refused: why the worker cannot do any."""

    seconds: float
    results: list[Any]
    refused: str = ""


def connected(address: str) -> Any:
    """A client of the scheduler at an address such as tcp://10.0.0.1:8786."""
    at = At(field="scheduler")
    distributed = _distributed()
    try:
        return distributed.Client(address, timeout=ANSWER, set_as_default=False)
    except (OSError, TimeoutError):
        at.fail(
            f"does not answer within {ANSWER:g} s", address, "the address that 'dask scheduler' prints when it starts"
        )
    except ValueError:
        at.fail("is no address", address, "for example tcp://10.0.0.1:8786")


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise GaitwrightError(f"a cluster needs the package distributed: {INSTALL}") from None


class Cluster:
    """The workers that a dask.distributed.Client reaches do function(task, job). Use as a context. One job at a time in each
    process, however many threads it has: analyses keep compiled code busy, and share tables."""

    client: Any
    token: str
    address: str
    looked: float
    body: Any

    def __init__(self, client: Any, function: Callable[[Any, Any], Any], task: Any):
        distributed = _distributed()
        if not isinstance(client, distributed.Client) or client.asynchronous:
            At(field="client").fail("is no client of a cluster", client, "dask.distributed.Client('tcp://...')")
        self.client, self.token = client, uuid.uuid4().hex
        self.address = str(getattr(client.scheduler, "address", "") or "")
        self.known: set[str] = set()
        self.looked = -LOOK
        self._look()
        body = _packed(function, task)
        # a task rather than scattered data: these are gone with the workers that hold them, it is done again
        self.body = client.submit(bytes, body, key=f"gaitwright-model-{self.token}")

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.body.release()

    def results(self, jobs: Sequence[Any], tick: Callable[[], None] | None = None) -> Iterator[tuple[int, Any]]:
        """Number and result of every job, or Died, as they come. tick: called now and then while nothing does."""
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
                    future = ended.get(timeout=PATIENCE)
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
                yield from ((k, Died(why)) for k in chunk if k in tried)
                suspects.extend(k for k in chunk if k not in tried)
                tried.update(chunk)
        finally:
            with suppress(Exception):  # the scheduler may be the one that is gone
                self.client.cancel(list(running))

    def _chunks(
        self, waiting: deque[int], suspects: deque[int], running: dict[Any, list[int]], size: int
    ) -> Iterator[list[int]]:
        """What is sent now. At the end in small portions, so that all end together. Suspects come last and one by one: Dask
        counts a death against every task that the worker had, so that none but the one that kills may be there."""
        count = max(len(self.known), 1)
        while waiting and len(running) < AHEAD * count:
            fair = max(1, len(waiting) // (AHEAD * count))
            yield [waiting.popleft() for _ in range(min(size, fair, len(waiting)))]
        if suspects and not running:
            yield [suspects.popleft()]

    def _size(self, seconds: float) -> int:
        """Jobs of a task, by what one takes."""
        wanted = max(TASK_SECONDS, PER_WORKER * len(self.known))
        return int(min(max(wanted / max(seconds, 1e-6), 1), LARGEST))

    def _submit(self, jobs: list[Any]) -> Any:
        try:
            return self.client.submit(_work, self.body, self.token, jobs, key=f"gaitwright-{uuid.uuid4().hex}")
        except Exception:
            raise self._lost() from None

    def _outcome(self, future: Any) -> tuple[Sent | None, str]:
        """What came of a task, or why nothing."""
        distributed = _distributed()
        try:
            sent = future.result()
        except distributed.KilledWorker as error:
            times = error.allowed_failures + 1
            return None, f"worker died, {times} times, and again when it was tried alone, as when memory runs out"
        except (CancelledError, OSError, TimeoutError):  # of a lost connection, too
            raise self._lost() from None
        except Exception as error:
            if future.status in ("cancelled", "lost") or self.client.status != "running":
                raise self._lost() from None
            return None, f"{type(error).__name__}: {error}"
        if sent.refused:
            At(field="client").fail(sent.refused)
        return sent, ""

    def _look(self) -> None:
        """Who works, every now and then; those that are new have the same versions as this process, or are refused."""
        if time.monotonic() - self.looked < LOOK:
            return
        if self.client.status != "running":
            raise self._lost()
        try:
            there = set(self.client.nthreads())
            if there - self.known:
                require_same_versions(self.client.get_versions(packages=list(SAME)))
        except (CancelledError, OSError, TimeoutError):
            raise self._lost() from None
        if not there and self.looked < 0:
            warnings.warn(f"the cluster at {self.address} has no workers yet: waiting for the first", stacklevel=5)
        self.known, self.looked = there, time.monotonic()

    def _lost(self) -> Lost:
        return Lost(f"the scheduler at {self.address} was lost, or forgot what it was asked")


def require_same_versions(found: dict[str, Any]) -> None:
    """found: as Client.get_versions gives it."""
    at, own = At(field="client"), found["client"]
    for address, worker in found["workers"].items():
        packages, python = worker["packages"], _minor(worker)
        if packages.get("gaitwright") is None and own["packages"].get("gaitwright") is not None:
            at.fail(
                f"the worker at {address} has no package gaitwright", expected="it in the environment of all workers"
            )
        pairs = {"Python": (python, _minor(own))}
        pairs |= {name: (packages.get(name), own["packages"].get(name)) for name in SAME}
        for name, (there, here) in pairs.items():
            if there != here:
                at.fail(
                    f"the worker at {address} has {name} {there or '(none)'} where this process has {here or '(none)'}",
                    expected="the same versions on all workers, for example from one container",
                )


def _minor(machine: dict[str, Any]) -> str:
    return ".".join(machine["host"]["python"].split(".")[:2])


def _packed(function: Any, task: Any) -> bytes:
    """Both as bytes: a function of the user's script goes by its code."""
    try:
        return importlib.import_module("cloudpickle").dumps((function, task))
    except Exception as error:
        problem = f"what is done with every variant cannot be sent to workers ({type(error).__name__}: {error})"
        At(field="client").fail(problem, expected="functions that hold nothing but data")


_AT_WORK = threading.Lock()
_UNPACKED: dict[str, Any] = {}


def _work(body: bytes, token: str, jobs: list[Any]) -> Sent:
    """On a worker: what comes of some jobs."""
    with _AT_WORK:
        if token not in _UNPACKED:
            _UNPACKED.clear()
            try:
                _UNPACKED[token] = importlib.import_module("cloudpickle").loads(body)
            except ImportError as error:
                way = "client.upload_file('MODULE.py') sends a module of your own"
                return Sent(0.0, [], f"a worker cannot import what is done with every variant: {error}; {way}")
        function, task = _UNPACKED[token]
        began = time.perf_counter()
        results = [function(task, job) for job in jobs]
        return Sent(time.perf_counter() - began, results)
