"""Section `quantities` of a document: outputs defined in the model by expressions of others, such as the flexion of a joint
from the angles of two bodies."""

from __future__ import annotations

from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.output_expression import OutputExpression
from gaitwright.mechanism.signals import SignalOperation
from gaitwright.model.dimension_checks import KnownDimension, infer_dimension
from gaitwright.model.grammar import Expression, SeriesLookup, clip_text, parse
from gaitwright.model.reader.number_reader import NumberReader
from gaitwright.model.spec.document import ModelDocument
from gaitwright.model.units import QUANTITY_NAMES, dimension_name, dimension_of, is_compatible, read_unit
from gaitwright.result.catalogue import RUN_OUTPUT_NAMES, OutputCatalogue


def read_user_outputs(
    document: ModelDocument, mechanism: Mechanism, numbers: NumberReader
) -> tuple[OutputExpression, ...]:
    """All user-defined outputs of a document, in an order in which each depends only on earlier ones. numbers: parameters and
    series of the model."""
    series, values = numbers.series, numbers.values
    catalogue = OutputCatalogue(mechanism)
    parsed: dict[str, Expression] = {}
    for name, spec in document.quantities.items():
        at = ErrorContext(f"quantity '{name}'")
        if name in values or name in series or name in ("t", "time"):
            at.fail(
                "has the name of a parameter, a series or the time", name, "a name of its own, such as knee.flexion"
            )
        if name in catalogue.outputs or name in RUN_OUTPUT_NAMES:
            at.fail("has the name of an output that results have anyway", name, "a name of its own")
        try:
            parsed[name] = parse(spec.value, None, series, outputs=True)
        except ModelError as error:
            at["value"].fail(str(error))
    needs = {name: expression.names & set(parsed) for name, expression in parsed.items()}
    try:
        order = list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        ErrorContext("quantities").fail(
            f"these depend on each other in a circle: {' -> '.join(reversed(error.args[1]))}"
        )
    units: dict[str, str] = {"t": "s"}
    outputs: list[OutputExpression] = []
    for name in order:
        at, expression = ErrorContext(f"quantity '{name}'"), parsed[name]
        for used in sorted(expression.names - set(values) - set(units)):
            units[used] = _infer_unit(catalogue, used, parsed, mechanism, at)
        spec = document.quantities[name]
        unit, factor = _display_unit(expression, {n: dimension_of(unit) for n, unit in units.items()}, spec.unit, at)
        units[name] = unit
        items = tuple(_resolve_item(item, values, series) for item in expression.items)
        outputs.append(OutputExpression(name, unit, spec.description or clip_text(expression.text), items, factor))
    return tuple(outputs)


def _infer_unit(catalogue: OutputCatalogue, name: str, others: Any, mechanism: Mechanism, at: ErrorContext) -> str:
    if name in catalogue.outputs:
        return catalogue.outputs[name].unit
    powers = [f"{c.name}.power" for c in mechanism.constraint_names if c.kind == "drive"]
    if name in powers or name in RUN_OUTPUT_NAMES:
        return "W" if name in powers else "J" if name.startswith("energy.") else "1"
    return at["value"].fail(str(catalogue.complaint(name, [*others, *RUN_OUTPUT_NAMES, *powers])))


def _display_unit(
    expression: Expression, named: Mapping[str, KnownDimension], unit: str | None, at: ErrorContext
) -> tuple[str, float]:
    """Unit of a quantity, and the factor from its SI value. In expressions of other quantities it is always in SI, so its
    dimension is that of its unit in either case."""
    try:
        dimension = infer_dimension(expression, named)
    except ModelError as error:
        at["value"].fail(str(error))
    if unit is None:
        names = [name for name in ("1", *QUANTITY_NAMES) if dimension_of(name) == dimension]
        return (names[0] if names else "1"), 1.0
    requested = read_unit(unit)
    assert requested is not None  # the document was checked
    if dimension is not None and not (
        is_compatible(dimension, requested.dimension) or is_compatible(requested.dimension, dimension)
    ):
        at["unit"].fail(f"the value is {dimension_name(dimension)}", unit, "a unit of that, or none")
    return unit, requested.under / requested.over


def _resolve_item(item: Any, values: Mapping[str, float], series: Mapping[str, Any]) -> Any:
    if isinstance(item, SeriesLookup):
        return series[item.name]
    if item == "t" and isinstance(item, str):
        return SignalOperation.TIME
    return values.get(item, item) if isinstance(item, str) else item
