"""The same question answered one design after another, by the analyses that every model has: slower by two orders, for
machines without a compiler, and to check printed programs against."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from gaitwright.analyse.forward import TOLERANCE
from gaitwright.design.many.equations import POWER
from gaitwright.design.many.forward import March
from gaitwright.design.variants import Prepared
from gaitwright.errors import AnalysisError, AssemblyError, GaitwrightError, SingularPose

FINE, OPEN, DEAD_POINT, SINGULAR_POSE, LOST, INSIDE = range(6)
"""Codes, as in close.h."""
NO_MODEL = -1
"""Of a design that is no model, for its own reason."""


def _supply(run: Any) -> np.ndarray:
    """What drives and loads give less what is dissipated, W."""
    given = run.values("energy.work") - run.values("energy.dissipated")
    return np.gradient(given, run.time) if run.time.size > 1 else np.zeros(run.time.size)


ENERGIES: dict[str, Callable[[Any], np.ndarray]] = {
    "evidence.energy": lambda run: run.values("energy.kinetic") + run.values("energy.potential"),
    "evidence.kinetic": lambda run: run.values("energy.kinetic"),
    "evidence.supply": _supply,
}
"""By the names of evidence_terms.py."""


class Task(NamedTuple):
    """What is done with every design."""

    model: Prepared
    analysis: str
    outputs: tuple[str, ...]
    samples: int
    march: March | None = None


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
        if task.march is not None:
            run = _marched(model, task.march, until, until / task.samples)
        else:
            run = model.inverse(times=times) if task.analysis == "inverse" else model.kinematics(times=times)
    except AssemblyError as error:
        return Done(None, OPEN, str(error))
    except SingularPose as error:
        return Done(None, DEAD_POINT if task.march is None else SINGULAR_POSE, str(error))
    except AnalysisError as error:
        return Done(None, DEAD_POINT if task.march is None else LOST, str(error))
    except GaitwrightError as error:
        return Done(None, NO_MODEL, str(error))
    return Done(np.stack([series_of(run, name) for name in task.outputs], axis=1), FINE, "")


def _marched(model: Prepared, march: March, until: float, step: float) -> Any:
    """Forward dynamics as a printed program does it."""
    stabilised: dict[str, Any] = {"stabilisation": "projection" if march.project else "none"}
    if march.damp or march.stiff:
        stabilised = {"stabilisation": "baumgarte", "alpha": 0.5 * march.damp, "beta": march.stiff**0.5}
    implicit: dict[str, Any] = (
        {"spectral_radius": march.spectral_radius} if march.method == "generalized-alpha" else stabilised
    )
    given: dict[str, Any] = {} if march.tolerance == TOLERANCE else {"tolerance": march.tolerance}
    return model.simulate(until, step=step, method=march.method, **implicit, **given)


def series_of(run: Any, name: str) -> np.ndarray:
    """An output of a Result over time, the power of a drive, or energies as printed programs tell them."""
    if name in ENERGIES:
        return ENERGIES[name](run)
    powers: Mapping[str, np.ndarray] = run.balance.drive_power if name.endswith(POWER) else {}
    drive = name.removesuffix(POWER)
    return powers[drive] if drive in powers else run.values(name)
