"""Analyse designs one after another by the classic analyses: slower by two orders of magnitude. Used on machines without a
compiler, and as the reference for generated programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright._core.errors import AnalysisError, AssemblyError, GaitwrightError, SingularPose
from gaitwright.analysis.forward import DEFAULT_TOLERANCE
from gaitwright.codegen.measures import POWER_SUFFIX
from gaitwright.model.model import Model, make_variant

if TYPE_CHECKING:
    from gaitwright.codegen.forward_dynamics import IntegrationSettings

CODE_OK, CODE_NOT_CLOSED, CODE_DEAD_POINT, CODE_SINGULAR_POSE, CODE_MOTION_LOST, CODE_STARTS_INSIDE = range(6)
"""Failure codes, as in close.h."""
CODE_NO_MODEL = -1
"""Failure code of a design with an invalid model; the reason is part of the result."""


def _supplied_power(run: Any) -> np.ndarray:
    """Power of drives and loads minus dissipated power, W, (n_samples,)."""
    energy = run.array("energy.work") - run.array("energy.dissipated")
    return np.gradient(energy, run.time) if run.time.size > 1 else np.zeros(run.time.size)


ENERGY_SERIES: dict[str, Callable[[Any], np.ndarray]] = {
    "evidence.energy": lambda run: run.array("energy.kinetic") + run.array("energy.potential"),
    "evidence.kinetic": lambda run: run.array("energy.kinetic"),
    "evidence.supply": _supplied_power,
}
"""Energy series of a Result, by the names in codegen/accuracy_terms.py."""


class FallbackTask(NamedTuple):
    """Task shared by all designs."""

    model: Model
    analysis: str
    outputs: tuple[str, ...]
    samples: int
    march: IntegrationSettings | None = None


class FallbackResult(NamedTuple):
    """Result of one design. track: outputs over time, (samples + 1, n_outputs), or None on failure. reason: empty on
    success."""

    track: np.ndarray | None
    code: int
    reason: str


def analyse_design(task: FallbackTask, job: tuple[Mapping[str, float], float]) -> FallbackResult:
    """Analyse one design. job: its parameters, and the end time, s."""
    values, until = job
    times = np.linspace(0.0, until, task.samples + 1)
    try:
        model = make_variant(task.model, values)
        if task.march is not None:
            run = _simulate_design(model, task.march, until, until / task.samples)
        else:
            run = model.inverse(times=times) if task.analysis == "inverse" else model.kinematics(times=times)
    except AssemblyError as error:
        return FallbackResult(None, CODE_NOT_CLOSED, str(error))
    except SingularPose as error:
        return FallbackResult(None, CODE_DEAD_POINT if task.march is None else CODE_SINGULAR_POSE, str(error))
    except AnalysisError as error:
        return FallbackResult(None, CODE_DEAD_POINT if task.march is None else CODE_MOTION_LOST, str(error))
    except GaitwrightError as error:
        return FallbackResult(None, CODE_NO_MODEL, str(error))
    return FallbackResult(np.stack([output_series(run, name) for name in task.outputs], axis=1), CODE_OK, "")


def _simulate_design(model: Model, march: IntegrationSettings, until: float, step: float) -> Any:
    """Forward dynamics with the settings of a generated program."""
    stabilised: dict[str, Any] = {"stabilisation": "projection" if march.project else "none"}
    if march.damp or march.stiff:
        stabilised = {"stabilisation": "baumgarte", "alpha": 0.5 * march.damp, "beta": march.stiff**0.5}
    implicit: dict[str, Any] = (
        {"spectral_radius": march.spectral_radius} if march.method == "generalized-alpha" else stabilised
    )
    accuracy: dict[str, Any] = {} if march.tolerance == DEFAULT_TOLERANCE else {"tolerance": march.tolerance}
    return model.simulate(until, step=step, method=march.method, **implicit, **accuracy)


def output_series(run: Any, name: str) -> np.ndarray:
    """Output of a Result over time, the power of a drive, or energies as generated programs compute them; (n_samples,)."""
    if name in ENERGY_SERIES:
        return ENERGY_SERIES[name](run)
    powers: Mapping[str, np.ndarray] = run.balance.drive_power if name.endswith(POWER_SUFFIX) else {}
    drive = name.removesuffix(POWER_SUFFIX)
    return powers[drive] if drive in powers else run.array(name)
