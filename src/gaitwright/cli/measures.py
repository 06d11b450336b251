"""Measures of design commands by name: outputs of a model, numbers of a leg or of a walk, and expressions of these.

crank.torque                    an output: its value at the end
crank.torque.max                an output with its reduction over time
energy, restitution_0_dissipated    number of a leg, as printed by `gaitwright leg`
walk_slip                       number of the machine on pairs of a leg, as printed by `gaitwright walk`
slip, cost_of_transport         number of a walking machine, as printed by `gaitwright walk`
ratio=energy/step_length        an expression with a name
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.design.measure_plan import find_number_names, find_provider, plan_numbers, split_expression
from gaitwright.result.reductions import get_reduction, read_reduction, split_reduction

if TYPE_CHECKING:
    from gaitwright.model.model import Model


class MeasurePlan(NamedTuple):
    """Analysis and measure that provide requested numbers. analysis: a section, a function whose result provides numbers by
    name, or None for the model's own analysis. measure: function of a result that returns the numbers by name."""

    analysis: Any
    measure: ResultMeasure


def plan_measures(
    model: Model, wanted: Sequence[str], measure: str, *, told: bool = False, more: Sequence[str] = ()
) -> MeasurePlan:
    """Plan the analysis and the measure of requested numbers. told: True to use an analysis that provides numbers by name,
    also where code could be generated. more: further names that are requested, but not measured here."""
    asked = find_number_names([*wanted, *more], model)
    if find_provider(model) is None or (not asked and (wanted or model.document.gait is None)):
        return MeasurePlan(None, ResultMeasure(model, wanted, measure, set()))
    plan = plan_numbers(model, asked, measured=not told)
    of_leg = plan.measure is not None
    return MeasurePlan(plan.analysis, ResultMeasure(model, wanted, measure, asked, plan.known, of_leg))


def is_expression(text: str) -> bool:
    return "=" in text or bool(split_reduction(text)[1])


def make_output_function(text: str) -> Any:
    """A plain name unchanged; for `ratio=energy/step_length`, a function of a result."""
    if not is_expression(text):
        return text
    from gaitwright.design.measure_expressions import MeasureExpressions

    name, expression = split_expression(text)
    of = MeasureExpressions({name: expression})
    return lambda result: of(result)[name]


def choose_default_numbers(model: Model) -> list[str]:
    """Numbers shown by default: outputs named by the model, or numbers of a leg or a walk."""
    from gaitwright.legs.machine_walks import is_machine
    from gaitwright.legs.walk_numbers import WALK_NUMBERS

    if model.document.gait is not None:
        return default_leg_numbers()
    if model.document.outputs and not is_machine(model):
        return list(model.document.outputs)
    return WALK_NUMBERS.default_columns if is_machine(model) else []


def default_leg_numbers() -> list[str]:
    """Numbers of a leg that are shown by default."""
    from gaitwright.legs.turn_numbers import LEG_MEASURES

    return LEG_MEASURES.default_columns


class ResultMeasure:
    """Function of a result that returns numbers by name: one number of each output, numbers of a leg or of a walk, and
    expressions. Empty for modes, whose numbers are always measured. measures, make_source, rules: the same measures for
    generated code and searches."""

    def __init__(
        self, model: Model, wanted: Sequence[str], measure: str, told: set[str],
        known: Mapping[str, tuple[str, str]] | None = None, leg: bool = False,
    ):  # fmt: skip
        """told: names of numbers of a leg or of a walk among those wanted. leg: True if they are numbers of `measure_leg`;
        then all of these are returned."""
        from gaitwright.legs.turn_measures import measure_leg

        self.leg, self.measure = leg, read_reduction(measure, ErrorContext(field="measure")).name
        self.expressions = dict(split_expression(name) for name in wanted if is_expression(name))
        plain = [name for name in wanted if not is_expression(name)]
        self.told = [name for name in plain if name in told]
        self.names = [name for name in plain if name not in told]
        self.make_source = measure_leg.make_source if leg else None
        self.rules = measure_leg.rules if leg else {}
        self.measures = {name: f"{name}.{measure}" for name in self.names} | self.expressions
        self.units = {name: unit for name, (unit, _) in (known or {}).items() if name in self.told}
        self.units |= {**(measure_leg.units if leg else {}), **_output_units(model, self.names)}

    def __call__(self, result: Any) -> dict[str, float]:
        from gaitwright.analysis.modes import Modes
        from gaitwright.design.evaluation import output_over_time
        from gaitwright.design.measure_expressions import MeasureExpressions
        from gaitwright.legs.turn_measures import measure_leg

        if isinstance(result, Modes):
            return {}
        of_leg = measure_leg(result) if self.leg else {}
        numbers = dict(of_leg)
        for name in [name for name in self.told if name not in numbers] + self.names:
            numbers[name] = get_reduction(self.measure).of_series(output_over_time(result, name)[0])
        return {**numbers, **(MeasureExpressions(self.expressions)(result, of_leg) if self.expressions else {})}

    def require_something(self, model: Model) -> None:
        """Raise ModelError if nothing is measured."""
        section = model.document.analysis
        if not (self.leg or self.told or self.names or self.expressions) and (
            section is None or section.type != "modes"
        ):
            raise ModelError("nothing is measured", expected="--measure NAME, or outputs in the model")


def _output_units(model: Model, names: Sequence[str]) -> dict[str, str]:
    """Units of outputs that are in the catalogue of the model."""
    from gaitwright.result.catalogue import OutputCatalogue

    if not names:
        return {}
    outputs = OutputCatalogue(model.mechanism()).outputs
    known = {name: outputs[name].unit for name in names if name in outputs}
    return {name: "J" for name in names if name.startswith("energy.")} | known
