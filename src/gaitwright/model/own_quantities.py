"""The section `quantities` of a document: outputs that a model defines by expressions of others, such as the flexion of a joint
from the angles of two bodies."""

from __future__ import annotations

from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any

from gaitwright.checks import At
from gaitwright.errors import ModelError
from gaitwright.model.expressions import resolve_parameters
from gaitwright.model.grammar import Expression, Lookup, clip, parse
from gaitwright.model.quantities import Known, dimension_in
from gaitwright.model.series import splines
from gaitwright.model.spec import Document
from gaitwright.model.units import NAMES, dimension_of, fits, name_of, read_unit
from gaitwright.result.catalogue import DERIVED, Catalogue
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.quantity import Quantity
from gaitwright.system.signals import Op


def read_quantities(document: Document, mechanism: Mechanism, parameters: Mapping[str, float]) -> list[Quantity]:
    """All of a document, in an order in which each needs only those before it."""
    series = splines(document.series)
    values = resolve_parameters({**document.parameters, **parameters}, series)
    catalogue = Catalogue(mechanism)
    parsed: dict[str, Expression] = {}
    for name, given in document.quantities.items():
        at = At(f"quantity '{name}'")
        if name in values or name in series or name in ("t", "time"):
            at.fail(
                "has the name of a parameter, a series or the time", name, "a name of its own, such as knee.flexion"
            )
        if name in catalogue.outputs or name in DERIVED:
            at.fail("has the name of an output that results have anyway", name, "a name of its own")
        try:
            parsed[name] = parse(given.value, None, series, outputs=True)
        except ModelError as error:
            at["value"].fail(str(error))
    needs = {name: expression.names & set(parsed) for name, expression in parsed.items()}
    try:
        order = list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        At("quantities").fail(f"these need each other in a circle: {' -> '.join(reversed(error.args[1]))}")
    units: dict[str, str] = {"t": "s"}
    found: list[Quantity] = []
    for name in order:
        at, expression = At(f"quantity '{name}'"), parsed[name]
        for used in sorted(expression.names - set(values) - set(units)):
            units[used] = _unit_of(catalogue, used, parsed, mechanism, at)
        given = document.quantities[name]
        unit, factor = _shown_in(expression, {n: dimension_of(unit) for n, unit in units.items()}, given.unit, at)
        units[name] = unit
        items = tuple(_item(item, values, series) for item in expression.items)
        found.append(Quantity(name, unit, given.description or clip(expression.text), items, factor))
    return found


def _unit_of(catalogue: Catalogue, name: str, others: Any, mechanism: Mechanism, at: At) -> str:
    if name in catalogue.outputs:
        return catalogue.outputs[name].unit
    powers = [f"{c.name}.power" for c in mechanism.constraint_names if c.kind == "drive"]
    if name in powers or name in DERIVED:
        return "W" if name in powers else "J" if name.startswith("energy.") else "1"
    return at["value"].fail(str(catalogue.complaint(name, [*others, *DERIVED, *powers])))


def _shown_in(expression: Expression, named: Mapping[str, Known], unit: str | None, at: At) -> tuple[str, float]:
    """The unit of a quantity, and what its value in SI is multiplied by. A quantity in another unit than SI is SI where others
    ask for it: so its own dimension is that of its unit either way."""
    try:
        dimension = dimension_in(expression, named)
    except ModelError as error:
        at["value"].fail(str(error))
    if unit is None:
        known = [name for name in ("1", *NAMES) if dimension_of(name) == dimension]
        return (known[0] if known else "1"), 1.0
    asked = read_unit(unit)
    assert asked is not None  # the document was checked
    if dimension is not None and not (fits(dimension, asked.dimension) or fits(asked.dimension, dimension)):
        at["unit"].fail(f"the value is {name_of(dimension)}", unit, "a unit of that, or none")
    return unit, asked.under / asked.over


def _item(item: Any, values: Mapping[str, float], series: Mapping[str, Any]) -> Any:
    if isinstance(item, Lookup):
        return series[item.name]
    if item == "t" and isinstance(item, str):
        return Op.TIME
    return values.get(item, item) if isinstance(item, str) else item
