"""Jobs done by whoever there is: this process, processes of this machine (workers.py), or a cluster (cluster.py)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gaitwright.design.cluster import Cluster
from gaitwright.design.workers import Workers


def results_of(
    function: Callable[[Any, Any], Any], task: Any, jobs: Sequence[Any], workers: int | None, client: Any,
    tick: Callable[[], None] | None = None,
) -> Iterator[tuple[int, Any]]:  # fmt: skip
    """Number and function(task, job) of every job, or Died, as they end. workers: processes; all cores unless given. The first
    job is done here: processes then inherit its compiled code and the declarations of the user's script."""
    if not jobs:
        return
    if client is not None:
        with Cluster(client, function, task) as cluster:
            yield from cluster.results(jobs, tick)
        return
    yield 0, function(task, jobs[0])
    workers = workers or os.cpu_count() or 1
    if workers == 1 or len(jobs) <= 2:
        yield from ((k, function(task, jobs[k])) for k in range(1, len(jobs)))
        return
    with Workers(workers, function, task) as pool:
        yield from ((1 + k, found) for k, found in pool.results(jobs[1:], tick))
