"""Several minimisers at once, each in a thread of its own, whose questions are answered together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Any

import numpy as np

Work = Callable[[Callable[[np.ndarray], Any]], None]


class Stopped(Exception):
    """There are no more answers."""


def lockstep(works: Sequence[Work], answer: Callable[[list[np.ndarray]], list[Any]]) -> None:
    """Run all works until they end. Each is given a function to ask with; when all that still run have asked, `answer`, in
    the thread of the caller, answers all of them, in their order: so the same works ask the same, whoever is faster. What
    `answer` raises ends all and is raised here; so is what a work raises, and KeyboardInterrupt."""
    inbox: SimpleQueue[tuple[int, Any]] = SimpleQueue()
    replies: list[SimpleQueue[Any]] = [SimpleQueue() for _ in works]

    def run(k: int) -> None:
        last: list[Any] = [None, None]

        def ask(point: np.ndarray) -> Any:
            if last[0] is None or not np.array_equal(last[0], point):  # minimisers ask for values and slopes apart
                inbox.put((k, point.copy()))
                found = replies[k].get()
                if found is None:
                    raise Stopped
                last[:] = point.copy(), found
            return last[1]

        try:
            works[k](ask)
            inbox.put((k, None))
        except Stopped:
            pass
        except BaseException as error:  # told in the thread of the caller
            inbox.put((k, error))

    threads = [Thread(target=run, args=(k,), daemon=True) for k in range(len(works))]
    for thread in threads:
        thread.start()
    running = len(threads)
    try:
        while running:
            asked: dict[int, np.ndarray] = {}
            while len(asked) < running:
                k, point = inbox.get()
                if isinstance(point, BaseException):
                    raise point
                if point is None:
                    running -= 1
                else:
                    asked[k] = point
            order = sorted(asked)
            for k, found in zip(order, answer([asked[k] for k in order]) if order else [], strict=True):
                replies[k].put(found)
    finally:
        for reply in replies:
            reply.put(None)
        for thread in threads:
            thread.join()
