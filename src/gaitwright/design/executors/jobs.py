"""Run jobs in this process, in local worker processes (process_pool.py) or on a Dask cluster (dask_executor.py)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gaitwright.design.executors.dask_executor import DaskExecutor
from gaitwright.design.executors.process_pool import ProcessPool


def run_jobs(
    function: Callable[[Any, Any], Any], task: Any, jobs: Sequence[Any], workers: int | None, client: Any,
    tick: Callable[[], None] | None = None,
) -> Iterator[tuple[int, Any]]:  # fmt: skip
    """Yield index and function(task, job) of every job, or JobCrashed, as they end. workers: number of processes; default: all
    cores. tick: called periodically. Without a cluster the first job runs in this process: forked workers then inherit its
    compiled code and the declarations of the user's script."""
    if not jobs:
        return
    if client is not None:
        with DaskExecutor(client, function, task) as cluster:
            yield from cluster.results(jobs, tick)
        return
    yield 0, function(task, jobs[0])
    workers = workers or os.cpu_count() or 1
    if workers == 1 or len(jobs) <= 2:
        yield from ((k, function(task, jobs[k])) for k in range(1, len(jobs)))
        return
    with ProcessPool(workers, function, task) as pool:
        yield from ((1 + k, found) for k, found in pool.results(jobs[1:], tick))
