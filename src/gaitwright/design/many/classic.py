"""The same question answered one design after another, by the analyses that every model has: slower by two orders, for
machines without a compiler, and to check printed programs against."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from gaitwright.design.many.equations import POWER
from gaitwright.design.variants import Prepared
from gaitwright.errors import AnalysisError, AssemblyError, GaitwrightError

FINE, OPEN, DEAD_POINT = range(3)
"""Codes, as in turns.h."""
NO_MODEL = -1
"""Of a design that is no model, for its own reason."""


class Task(NamedTuple):
    """What is done with every design."""

    model: Prepared
    analysis: str
    outputs: tuple[str, ...]
    samples: int


class Done(NamedTuple):
    """track: (samples + 1, outputs), or None. reason: empty where all is well."""

    track: np.ndarray | None
    code: int
    reason: str


def one(task: Task, job: tuple[Mapping[str, float], float]) -> Done:
    """One design: its parameters, and until when, s."""
    values, until = job
    times = np.linspace(0.0, until, task.samples + 1)
    try:
        model = task.model.variant(values)
        run = model.inverse(times=times) if task.analysis == "inverse" else model.kinematics(times=times)
    except AssemblyError as error:
        return Done(None, OPEN, str(error))
    except AnalysisError as error:
        return Done(None, DEAD_POINT, str(error))
    except GaitwrightError as error:
        return Done(None, NO_MODEL, str(error))
    return Done(np.stack([series_of(run, name) for name in task.outputs], axis=1), FINE, "")


def series_of(run: Any, name: str) -> np.ndarray:
    """An output of a Result over time, or the power of a drive."""
    powers: Mapping[str, np.ndarray] = run.balance.drive_power if name.endswith(POWER) else {}
    drive = name.removesuffix(POWER)
    return powers[drive] if drive in powers else run.values(name)
