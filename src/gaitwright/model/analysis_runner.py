"""Execution of the section `analysis` of a document."""

from __future__ import annotations

from typing import Any

from gaitwright._core.error_context import ErrorContext
from gaitwright.analysis.forward import choose_method
from gaitwright.model.model import Model, compile_model
from gaitwright.model.spec.document import AnalysisSpec

NON_NUMERIC_OPTIONS = (
    "method",
    "stabilisation",
    "complementarity",
    "joint_velocities",
    "formulation",
    "control",
    "store",
)
MOTION_ANALYSIS_TYPES = ("kinematic", "inverse", "forward")
"""Analysis types with many output times, for which `store` can select outputs."""
BUDGET_OPTIONS = ("max_steps", "max_seconds")
NUMERIC_OPTIONS = (
    "until",
    "step",
    "alpha",
    "beta",
    "tolerance",
    "output_step",
    "spectral_radius",
    "steps",
    *BUDGET_OPTIONS,
)
STATIC_PATH_OPTIONS = ("until", "steps", "control", *BUDGET_OPTIONS)
"""Options of static paths."""
DEFAULT_END_TIME_S = 1.0
"""Default end time of a run, s."""


def run_analysis(model: Model, progress: Any = None) -> Any:
    """Run the analysis of the document. Returns a Result, or Modes. Default without a section: forward dynamics over 1 s."""
    spec = model.document.analysis or AnalysisSpec()
    compiled = compile_model(model)
    given = {name: getattr(spec, name) for name in NUMERIC_OPTIONS if getattr(spec, name) is not None}
    options: dict[str, Any] = {name: compiled.number(value, "analysis", name) for name, value in given.items()}
    options |= {name: getattr(spec, name) for name in NON_NUMERIC_OPTIONS if getattr(spec, name) is not None}
    if spec.type != "static":
        options = {name: value for name, value in options.items() if name not in ("steps", "control")}
    if spec.store is not None and spec.type not in MOTION_ANALYSIS_TYPES:
        ErrorContext("analysis", "store").fail(
            f"has no effect: an analysis of type {spec.type} stores everything", spec.store,
            f"one of the types {', '.join(MOTION_ANALYSIS_TYPES)}, or no store",
        )  # fmt: skip
    return _ANALYSIS_RUNNERS[spec.type](model, options, progress)


def _run_kinematic(model: Model, options: dict[str, Any], progress: Any) -> Any:
    until = options.get("until", DEFAULT_END_TIME_S)
    store, step = options.get("store"), options.get("step", until / 1000.0)
    return model.kinematics(until, step=step, store=store, progress=progress, **_budget_options(options))


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
    if "until" not in options:
        return model.static(**_budget_options(options))
    return model.static_path(
        progress=progress, **{name: options[name] for name in options if name in STATIC_PATH_OPTIONS}
    )


def _budget_options(options: dict[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in BUDGET_OPTIONS if name in options}


_ANALYSIS_RUNNERS = {
    "kinematic": _run_kinematic,
    "inverse": _run_inverse,
    "forward": _run_forward,
    "static": _run_static,
    "modes": lambda model, options, progress: model.modes(**_budget_options(options)),
}
