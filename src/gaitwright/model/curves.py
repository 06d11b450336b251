"""Points on curves: a coordinate for the place on the curve, and the two rows that tie it to curve and point."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At
from gaitwright.errors import ModelError
from gaitwright.messages import relabel
from gaitwright.model.expressions import evaluate
from gaitwright.model.formulas import with_formulas
from gaitwright.physics.joints.point_on_curve import CURVE, CurveContact, PointOnCurve
from gaitwright.system.parts.surface_parameter import SurfaceParameterPart

if TYPE_CHECKING:
    from gaitwright.model.lower import Lowering

SMALLEST_SLOPE = 1e-9
"""m per unit of s, below which a curve has no tangent."""
NEAR = 1e-6
"""Difference of s over which the slopes of a curve before and after the start are measured."""
LARGEST_TURN = 1e-2
"""rad, between the tangents before and after the start: more is a kink."""


def read_point_on_curve(s: Lowering, fields: dict[str, Any], name: str, kind: str, label: str) -> None:
    """Add the surface parameter of a joint and its rows; the first is braced, as the parameter has no mass."""
    given = fields["start"]
    start = s.number(PointOnCurve.parameters["start"].default if given is None else given, label, "start")
    places = [s.point(fields[end], label, end) for end in "ab"]
    bodies = [owner for owner, _ in places]
    if bodies[0] == bodies[1]:
        At(label, "b").fail(f"connects '{bodies[0]}' with itself", fields["b"], "another body than that of 'a'")
    for end, place in zip("ab", places, strict=True):
        s.require_marker(CurveContact.attachments[end], place, label, end, fields[end])
    try:
        declaration, numbers = with_formulas(CurveContact, {field: fields[field] for field in CURVE}, s.formula)
    except ModelError as error:
        raise relabel(error, label, error.field or "") from None
    slope = _slope(s, fields, start, label)
    parameter = f"{name}.parameter"
    s.add(SurfaceParameterPart(name=parameter, drawn=np.array([start]), slope=slope))
    mass = max(s.parts[owner].mass for owner in bodies if owner != "ground")
    s.braced.append((s.rows, mass or 1.0))
    markers = {end: s.drawn_marker(place) for end, place in zip("ab", places, strict=True)}
    element = s.table_entry(
        declaration, [*places, (parameter, ())], s.numbers(declaration, numbers, label, markers), []
    )
    s.add_rows(declaration, element, (*bodies, parameter), name, kind)


def _slope(s: Lowering, fields: dict[str, Any], start: float, label: str) -> float:
    """Length of the curve per unit of s at the start, m; ModelError where the curve has no tangent there."""

    def place(value: float) -> np.ndarray:
        return np.array([_coordinate(s, fields, field, value, label) for field in CURVE])

    here = place(start)
    before, after = (here - place(start - NEAR)) / NEAR, (place(start + NEAR) - here) / NEAR
    sizes = np.hypot(*before), np.hypot(*after)
    if not min(sizes) > SMALLEST_SLOPE:
        At(label, "start").fail("has no tangent of the curve", start, "a value of s at which x(s), y(s) moves on")
    if np.hypot(*(after / sizes[1] - before / sizes[0])) > LARGEST_TURN:
        At(label, "start").fail("is a kink of the curve", start, "a value of s at which the curve has one tangent")
    return float(sum(sizes) / 2)


def _coordinate(s: Lowering, fields: dict[str, Any], field: str, value: float, label: str) -> float:
    """x or y at a value of s."""
    try:
        return evaluate(s.formula(fields[field], ("s",)), {**s.values, "s": value}, s.series)
    except ModelError as error:
        expected = "a start inside the curve, at which the expression has a value on both sides"
        At(label, field).fail(f"has no value at s = {value:.7g}: {error}", expected=expected)
