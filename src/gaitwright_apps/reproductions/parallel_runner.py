"""Parallel experiments, each in a separate process, see design/executors/process_pool.py.

Workers report progress and compilation through a queue, and return their findings or the reason of a failure. Ctrl-C
reaches the first process, which then ends the others; files written before are kept.
"""

from __future__ import annotations

import importlib
import multiprocessing
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gaitwright._core import errors
from gaitwright.design.executors.process_pool import JobCrashed, ProcessPool, choose_start_method
from gaitwright.jit import COMPILATION_NOTICE
from gaitwright_apps.reproductions.experiments import ExperimentFindings

Progress = Callable[[str, float], None]
"""Progress callback: description of the current work and completed fraction."""
FIRST_EXPERIMENTS = ("slider-crank", "falling-ball")
"""Experiments started first: together they need nearly all machine code of the others, but have little in common, so
that on a new machine hardly anything is compiled twice."""


def run_experiment(name: str, module: str, out: Path | None, progress: Progress, **options: Any) -> ExperimentFindings:
    """Run one experiment in this process, with its options; with `out`, write its numbers and pictures there."""
    experiment: Any = importlib.import_module(module)
    experiment_results = experiment.run(progress, **options)
    if out is not None:
        progress("drawing", 0.9)
        experiment_results.write(Path(out))
    return experiment_results.findings()


def run_in_parallel(
    experiments: Mapping[str, str], out: Path | None, progress: Progress | None, workers: int
) -> dict[str, ExperimentFindings]:
    """Run experiments, {name: module}, several at a time. Return the findings in the given order."""
    names = sorted(experiments, key=lambda name: name not in FIRST_EXPERIMENTS)
    fractions, current_work, findings = dict.fromkeys(names, 0.0), {}, {}
    messages: Any = multiprocessing.get_context(choose_start_method()).SimpleQueue()

    def report_progress() -> None:
        while not messages.empty():
            name, message, fraction = messages.get()
            if fraction is None:
                COMPILATION_NOTICE.expect(message)  # printed once, for any compiling process
            else:
                current_work[name], fractions[name] = message, fraction
        for name in findings:
            current_work.pop(name, None)
            fractions[name] = 1.0
        if progress is not None:
            progress(
                ", ".join(f"{name}: {message}" for name, message in current_work.items()),
                sum(fractions.values()) / len(fractions),
            )

    with ProcessPool(workers, _run_in_worker, (experiments, out, messages)) as pool:
        for k, result in pool.results(names, report_progress):
            if not isinstance(result, ExperimentFindings):
                reraise_error(
                    names[k], *(("RuntimeError", result.reason) if isinstance(result, JobCrashed) else result)
                )
            findings[names[k]] = result
            report_progress()
    return {name: findings[name] for name in experiments}


def _run_in_worker(task: tuple[Mapping[str, str], Path | None, Any], name: str) -> ExperimentFindings | tuple[str, str]:
    """Run one experiment in a worker process. Return its findings, or kind and text of its error."""
    experiments, out, messages = task
    warnings.simplefilter("ignore")  # from NumPy, about diverging runs that the analyses report
    COMPILATION_NOTICE.say = lambda seconds: messages.put((name, seconds, None))  # instead of printing it
    try:
        return run_experiment(
            name, experiments[name], out, lambda message, fraction: messages.put((name, message, fraction))
        )
    except Exception as error:
        return type(error).__name__, str(error)


def reraise_error(name: str, kind: str, text: str) -> None:
    """Raise the error of another process, with its type if it is one of ours."""
    error_type = getattr(errors, kind, None)
    if isinstance(error_type, type) and issubclass(error_type, errors.GaitwrightError):
        raise error_type(f"{name}: {text}")
    raise RuntimeError(f"{name}: {kind}: {text}")
