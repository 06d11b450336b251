"""The section `analysis` of a document, turned into the call it stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaitwright.analyse.forward import choose_method
from gaitwright.checks import At
from gaitwright.model.scope import Scope
from gaitwright.model.spec import Analysis

if TYPE_CHECKING:
    from gaitwright.model.model import Model

CHOICES = ("method", "stabilisation", "complementarity", "joint_velocities", "formulation", "control", "store")
MOTIONS = ("kinematic", "inverse", "forward")
"""Types that have many times, of which some outputs may be kept."""
BUDGET = ("max_steps", "max_seconds")
NUMBERS = ("until", "step", "alpha", "beta", "tolerance", "output_step", "spectral_radius", "steps", *BUDGET)
PATH = ("until", "steps", "control", *BUDGET)
"""What concerns static paths."""
UNTIL = 1.0
"""End of a run that is not given, s."""


def run_analysis(model: Model, progress: Any = None) -> Any:
    """A Result, or Modes. Without a section: forward dynamics over 1 s."""
    asked = model.document.analysis or Analysis()
    scope = Scope(model.document)
    given = {name: getattr(asked, name) for name in NUMBERS if getattr(asked, name) is not None}
    options: dict[str, Any] = {name: scope.number(value, "analysis", name) for name, value in given.items()}
    options |= {name: getattr(asked, name) for name in CHOICES if getattr(asked, name) is not None}
    if asked.type != "static":
        options = {name: value for name, value in options.items() if name not in ("steps", "control")}
    if asked.store is not None and asked.type not in MOTIONS:
        At("analysis", "store").fail(
            f"is of no use: an analysis of type {asked.type} keeps everything", asked.store,
            f"one of the types {', '.join(MOTIONS)}, or no store",
        )  # fmt: skip
    return _RUN[asked.type](model, options, progress)


def _kinematic(model: Model, options: dict[str, Any], progress: Any) -> Any:
    until = options.get("until", UNTIL)
    store, step = options.get("store"), options.get("step", until / 1000.0)
    return model.kinematics(until, step=step, store=store, progress=progress, **_budget(options))


def _inverse(model: Model, options: dict[str, Any], progress: Any) -> Any:
    until = options.pop("until", UNTIL)
    return model.inverse(until, step=options.pop("step", until / 1000.0), progress=progress, **options)


def _forward(model: Model, options: dict[str, Any], progress: Any) -> Any:
    method = choose_method(options.get("method"), options.get("step"))
    if method.adaptive and "step" in options:
        # what a step can mean to a method that chooses its own
        options.setdefault("output_step", options.pop("step"))
    elif not method.adaptive:
        options.setdefault("step", method.default_step)
    return model.simulate(options.pop("until", UNTIL), progress=progress, **{**options, "method": method.name})


def _static(model: Model, options: dict[str, Any], progress: Any) -> Any:
    """A path if it has an end, otherwise the equilibrium at t = 0."""
    if "until" not in options:
        return model.static(**_budget(options))
    return model.static_path(progress=progress, **{name: options[name] for name in options if name in PATH})


def _budget(options: dict[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in BUDGET if name in options}


_RUN = {
    "kinematic": _kinematic,
    "inverse": _inverse,
    "forward": _forward,
    "static": _static,
    "modes": lambda model, options, progress: model.modes(**_budget(options)),
}
