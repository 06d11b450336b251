"""Evaluation of one variant of a model: its analysis, and outputs and scalar results of the analysis by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import GaitwrightError
from gaitwright.design.scalar_results import explain_missing_scalar, find_motion, read_scalars, scalar_unit
from gaitwright.model.model import Model
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
    return Model.from_dict({**model.to_dict(), "analysis": section})


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


def output_over_time(result: Any, name: str) -> tuple[np.ndarray, str]:
    """Output over time (n_samples,) with its unit; for modes and other scalar results an array with one number. Raises
    GaitwrightError for an unknown name."""
    numbers = read_scalars(result)
    run: Result | None = find_motion(result)
    if numbers is not None and name in numbers:
        return np.array([numbers[name]]), scalar_unit(result, name)
    if numbers is not None and (run is None or name not in run.catalogue):
        why = explain_missing_scalar(result, name)
        others = [] if run is None else list(run.catalogue)
        raise GaitwrightError(f"there is no {name}: {why}") if why else unknown_output_error(name, [*numbers, *others])
    source = run or result
    if not hasattr(source, "array"):
        raise unknown_output_error(name, [])
    return source.array(name), source.catalogue[name].unit
