"""The section `analysis` of a document, turned into the call it stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaitwright.analyse.forward import choose_method
from gaitwright.model.scope import Scope
from gaitwright.model.spec import Analysis

if TYPE_CHECKING:
    from gaitwright.model.model import Model

CHOICES = ("method", "stabilisation", "complementarity")
NUMBERS = ("until", "step", "alpha", "beta", "tolerance", "output_step", "spectral_radius")


def run_analysis(model: Model, progress: Any = None) -> Any:
    """A Result, or Modes. Without a section: forward dynamics over 1 s."""
    asked = model.document.analysis or Analysis()
    scope = Scope(model.document)
    given = {name: getattr(asked, name) for name in NUMBERS if getattr(asked, name) is not None}
    options: dict[str, Any] = {name: scope.number(value, "analysis", name) for name, value in given.items()}
    options |= {name: getattr(asked, name) for name in CHOICES if getattr(asked, name) is not None}
    return _RUN[asked.type](model, options, progress)


def _kinematic(model: Model, options: dict[str, Any], progress: Any) -> Any:
    until = options["until"]
    return model.kinematics(until, step=options.get("step", until / 1000.0), progress=progress)


def _inverse(model: Model, options: dict[str, Any], progress: Any) -> Any:
    until = options.pop("until")
    return model.inverse(until, step=options.pop("step", until / 1000.0), progress=progress, **options)


def _forward(model: Model, options: dict[str, Any], progress: Any) -> Any:
    method = choose_method(options.get("method"), options.get("step"))
    if method.adaptive and "step" in options:
        # what a step can mean to a method that chooses its own
        options.setdefault("output_step", options.pop("step"))
    elif not method.adaptive:
        options.setdefault("step", method.default_step)
    return model.simulate(options.pop("until"), progress=progress, **{**options, "method": method.name})


_RUN = {
    "kinematic": _kinematic,
    "inverse": _inverse,
    "forward": _forward,
    "static": lambda model, options, progress: model.static(),
    "modes": lambda model, options, progress: model.modes(),
}
