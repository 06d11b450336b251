"""Evaluation of one variant of a model: its analysis, and outputs and scalar results of the analysis by name.

Scalar results are those of modes, or of any object with `measures()`, such as a device on a person
(`gw.wear.device_analysis`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import GaitwrightError
from gaitwright.analysis.modes import Modes
from gaitwright.model.model import Model, compile_model, model_of_compiled
from gaitwright.model.spec.validation import validate_document
from gaitwright.result.catalogue import unknown_output_error
from gaitwright.result.result import Result

AnalysisInput = str | Mapping[str, Any] | Callable[[Model], Any]
"""Name of an analysis, a section as in a model file, or a function that runs a model and returns its Result."""


def apply_analysis(model: Model, analysis: AnalysisInput | None, default: str | None = None) -> Model:
    """Model with this analysis in its section; the model itself if the analysis is a function or None. default: analysis of a
    model without a section."""
    if analysis is None and model.document.analysis is None:
        analysis = default
    if analysis is None or callable(analysis):
        return model
    if not isinstance(analysis, (str, Mapping)):
        ErrorContext(field="analysis").fail(
            "is not known", analysis, "a name, a section such as {'until': 1}, or a function"
        )
    section = {"type": analysis} if isinstance(analysis, str) else dict(analysis)
    checked = validate_document({"gaitwright": 1, "dimension": model.dimension, "analysis": section}).analysis
    return model_of_compiled(compile_model(model).variant(analysis=checked))


def run_variant(
    analyse: Callable[[Model], Any] | None, variant: Model, progress: Callable[[float], None] | None = None
) -> Any:
    """Result of an analysis of a variant. analyse: function of the variant; None for the section of the model. Raises
    KeyboardInterrupt if the analysis was interrupted."""
    result = variant.analyse(progress) if analyse is None else analyse(variant)
    if getattr(getattr(result, "evidence", None), "interrupted", False):
        raise KeyboardInterrupt
    return result


def failure_reason(error: Exception) -> str:
    """Reason of a failed analysis; exceptions of user-defined functions include their type."""
    return str(error) if isinstance(error, GaitwrightError) else f"{type(error).__name__}: {error}"


def read_scalars(result: Any) -> dict[str, float] | None:
    """Scalar results by name; None for a run, which has outputs instead."""
    if isinstance(result, Modes):
        return mode_scalars(result)
    if not callable(getattr(result, "measures", None)):
        return None
    return {str(name): float(value) for name, value in result.measures().items()}


def scalar_unit(result: Any, name: str) -> str:
    """Unit of a scalar result; "1" if it is not specified."""
    if isinstance(result, Modes):
        return "Hz" if name.startswith("frequency") else "1"
    unit = getattr(result, "unit_of", None)
    return str(unit(name)) if callable(unit) else "1"


def mode_scalars(modes: Modes) -> dict[str, float]:
    """Frequencies (Hz) and damping ratios, numbered from 1."""
    numbers = {f"frequency_{k}": float(f) for k, f in enumerate(modes.frequencies, start=1)}
    return numbers | {f"damping_ratio_{k}": float(d) for k, d in enumerate(modes.damping_ratios, start=1)}


def find_motion(result: Any) -> Result | None:
    """Result contained in the return value of an analysis: the value itself, or the run of a leg's turn or of a walk."""
    for candidate in (result, getattr(result, "run", None), getattr(getattr(result, "turn", None), "run", None)):
        if isinstance(candidate, Result):
            return candidate
    return None


def output_over_time(result: Any, name: str) -> tuple[np.ndarray, str]:
    """Output over time (n_samples,) with its unit; for modes and other scalar results an array with one number. Raises
    GaitwrightError for an unknown name."""
    numbers = read_scalars(result)
    run: Result | None = find_motion(result)
    if numbers is not None and name in numbers:
        return np.array([numbers[name]]), scalar_unit(result, name)
    if numbers is not None and (run is None or name not in run.catalogue):
        explain = getattr(result, "why_not", None)
        why = str(explain(name)) if callable(explain) else ""
        others = [] if run is None else list(run.catalogue)
        raise GaitwrightError(f"there is no {name}: {why}") if why else unknown_output_error(name, [*numbers, *others])
    source = run or result
    if not hasattr(source, "array"):
        raise unknown_output_error(name, [])
    return source.array(name), source.catalogue[name].unit
