"""What is measured of every variant, as the command line says it: outputs, numbers of a leg, expressions of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gaitwright.commands.designs import leg_options
from gaitwright.errors import ModelError

if TYPE_CHECKING:
    from gaitwright.model.model import Model

LEG = ("energy", "step_length", "step_height")
"""Numbers of a leg that are shown unless others are asked for."""


def question(model: Model, outputs: Sequence[str], measure: str) -> dict[str, Any]:
    """What is measured of every variant: numbers of a leg, one number of each output, and expressions of them."""
    wanted = list(outputs)
    plain = [name for name in wanted if not isnamed(name)]
    of_leg = [name for name in plain if "." not in name] if model.document.gait is not None else []
    whole = model.document.gait is not None and (bool(of_leg) or not wanted or uses_leg(wanted))
    section = model.document.analysis
    names = [name for name in plain if name not in of_leg] or ([] if wanted or whole else list(model.document.outputs))
    expressions = dict(named(name) for name in wanted if isnamed(name))
    if not (names or expressions or whole) and (section is None or section.type != "modes"):
        raise ModelError("nothing is measured", expected="--output NAME, or outputs in the model")
    analysis = {"analysis": leg_options(model, LEG[0])["analysis"]} if whole else {}
    return {
        **analysis,
        "measure": Measured(tuple(names), measure, expressions, whole, _units(model, names)),
        "outputs": [],
    }


REDUCED = (".max", ".min", ".max_abs", ".mean", ".final", ".range")
"""Endings that say what to take of an output over time."""


def isnamed(text: str) -> bool:
    return "=" in text or text.endswith(REDUCED)


def uses_leg(wanted: Sequence[str]) -> bool:
    """Whether an expression speaks of numbers of a leg."""
    from gaitwright.legs.measure import UNITS

    words = {word for text in wanted for word in re.findall(r"[\w.]+", text.partition("=")[2] or text)}
    return bool(words & set(UNITS))


def named(text: str) -> tuple[str, str]:
    """What a number is called, and the expression that it is: `ratio=energy/step_length`, or itself."""
    name, equals, expression = (part.strip() for part in text.partition("="))
    return (name, expression) if equals else (text, text)


def _units(model: Model, names: Sequence[str]) -> dict[str, str]:
    """Of outputs, where the model can say it."""
    from gaitwright.result.catalogue import Catalogue

    if not names:
        return {}
    outputs = Catalogue(model.mechanism()).outputs
    known = {name: outputs[name].unit for name in names if name in outputs}
    return {name: "J" for name in names if name.startswith("energy.")} | known


class Measured:
    """A function of a result: one number of each output, expressions, and those of a leg's turn. Of modes, whose numbers are
    measured anyway, none. measures, source: the same for printed programs."""

    def __init__(
        self, names: Sequence[str], measure: str, expressions: dict[str, str], leg: bool, units: dict[str, str]
    ):
        from gaitwright.legs.measure import UNITS, measure_leg

        self.source = measure_leg if leg else None
        self.measures = {name: f"{name}.{measure}" for name in names} | expressions
        self.names, self.measure, self.expressions, self.leg = tuple(names), measure, expressions, leg
        self.units = {**(UNITS if leg else {}), **units}

    def __call__(self, result: Any) -> dict[str, float]:
        from gaitwright.design.expressed import Expressed
        from gaitwright.design.question import MEASURES

        if not hasattr(result, "catalogue"):
            return {}
        found: dict[str, float] = {}
        if self.leg:
            from gaitwright.legs.measure import measure_leg

            found |= measure_leg(result)
        found |= {name: float(MEASURES[self.measure](result.values(name))) for name in self.names}
        later = {}
        for name, text in self.expressions.items():
            if set(re.findall(r"[\w.]+", text)) & set(found):  # of numbers that are known here
                found[name] = _worked_out(text, found, result)
            else:
                later[name] = text
        return {**found, **(Expressed(later)(result) if later else {})}


def _worked_out(text: str, numbers: dict[str, float], result: Any) -> float:
    """An expression of numbers of a leg and of parameters."""
    from gaitwright.model.expressions import evaluate, parse, resolve_parameters

    known = {**resolve_parameters((result.document or {}).get("parameters", {})), **numbers}
    known = {name: value for name, value in known.items() if "." not in name}
    return float(evaluate(parse(text, frozenset(known), None), known))
