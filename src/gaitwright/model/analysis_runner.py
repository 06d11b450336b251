"""Execution of the section `analysis` of a document."""

from __future__ import annotations

from typing import Any

from gaitwright._core.error_context import ErrorContext
from gaitwright.analysis.forward import choose_method
from gaitwright.analysis.options import DEFAULT_END_TIME_S, MOTION_ANALYSES, options_of
from gaitwright.model.model import Model, compile_model
from gaitwright.model.spec.document import AnalysisSpec

PATH_OPTIONS = ("steps", "control")
"""Options of a static path that a single equilibrium does not have."""


def run_analysis(model: Model, progress: Any = None) -> Any:
    """Run the analysis of the document. Returns a Result, or Modes. Default without a section: forward dynamics over 1 s."""
    spec = model.document.analysis or AnalysisSpec()
    compiled = compile_model(model)
    options: dict[str, Any] = {}
    for name, option in options_of(spec.type).items():
        value = getattr(spec, name, None)
        if value is not None:
            options[name] = value if option.unit is None else compiled.number(value, "analysis", name)
    if spec.store is not None and spec.type not in MOTION_ANALYSES:
        ErrorContext("analysis", "store").fail(
            f"has no effect: an analysis of type {spec.type} stores everything", spec.store,
            f"one of the types {', '.join(MOTION_ANALYSES)}, or no store",
        )  # fmt: skip
    return _ANALYSIS_RUNNERS[spec.type](model, options, progress)


def _run_kinematic(model: Model, options: dict[str, Any], progress: Any) -> Any:
    until = options.pop("until", DEFAULT_END_TIME_S)
    return model.kinematics(until, step=options.pop("step", until / 1000.0), progress=progress, **options)


def _run_inverse(model: Model, options: dict[str, Any], progress: Any) -> Any:
    until = options.pop("until", DEFAULT_END_TIME_S)
    return model.inverse(until, step=options.pop("step", until / 1000.0), progress=progress, **options)


def _run_forward(model: Model, options: dict[str, Any], progress: Any) -> Any:
    method = choose_method(options.get("method"), options.get("step"))
    if method.adaptive and "step" in options:
        # an adaptive method chooses its own step: `step` is the output step
        options.setdefault("output_step", options.pop("step"))
    elif not method.adaptive:
        options.setdefault("step", method.default_step)
    return model.simulate(
        options.pop("until", DEFAULT_END_TIME_S), progress=progress, **{**options, "method": method.name}
    )


def _run_static(model: Model, options: dict[str, Any], progress: Any) -> Any:
    """A quasi-static path if an end time is given, otherwise the equilibrium at t = 0."""
    if "until" in options:
        return model.static_path(progress=progress, **options)
    return model.static(**{name: value for name, value in options.items() if name not in PATH_OPTIONS})


_ANALYSIS_RUNNERS = {
    "kinematic": _run_kinematic,
    "inverse": _run_inverse,
    "forward": _run_forward,
    "static": _run_static,
    "modes": lambda model, options, progress: model.modes(**options),
}
