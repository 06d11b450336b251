"""Run several minimisers in parallel threads and evaluate their points in common batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Any

import numpy as np

LockstepWork = Callable[[Callable[[np.ndarray], Any]], None]


class LockstepStopped(Exception):
    """Raised in a work when the run has ended and no evaluations follow."""


def run_lockstep(works: Sequence[LockstepWork], answer: Callable[[list[np.ndarray]], list[Any]]) -> None:
    """Run all works until they end. Each work is called with an evaluation function of a point. When all running works wait for
    an evaluation, `answer` evaluates their points in the caller's thread, in the order of the works, so that the result does
    not depend on thread timing. Exceptions of `answer` or of a work, and KeyboardInterrupt, end all works and are raised
    here."""
    inbox: SimpleQueue[tuple[int, Any]] = SimpleQueue()
    replies: list[SimpleQueue[Any]] = [SimpleQueue() for _ in works]

    def run(k: int) -> None:
        last: list[Any] = [None, None]

        def ask(point: np.ndarray) -> Any:
            if last[0] is None or not np.array_equal(
                last[0], point
            ):  # minimisers evaluate values and slopes separately
                inbox.put((k, point.copy()))
                value = replies[k].get()
                if value is None:
                    raise LockstepStopped
                last[:] = point.copy(), value
            return last[1]

        try:
            works[k](ask)
            inbox.put((k, None))
        except LockstepStopped:
            pass
        except BaseException as error:  # raised in the caller's thread
            inbox.put((k, error))

    threads = [Thread(target=run, args=(k,), daemon=True) for k in range(len(works))]
    for thread in threads:
        thread.start()
    running = len(threads)
    try:
        while running:
            points: dict[int, np.ndarray] = {}
            while len(points) < running:
                k, point = inbox.get()
                if isinstance(point, BaseException):
                    raise point
                if point is None:
                    running -= 1
                else:
                    points[k] = point
            order = sorted(points)
            for k, evaluation in zip(order, answer([points[k] for k in order]) if order else [], strict=True):
                replies[k].put(evaluation)
    finally:
        for reply in replies:
            reply.put(None)
        for thread in threads:
            thread.join()
