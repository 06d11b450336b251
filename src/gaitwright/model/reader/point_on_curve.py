"""Points on curves: a coordinate for the position on the curve, and two rows that couple it to curve and point."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright._core.validation_messages import with_location
from gaitwright.mechanism.parts.massless_coordinates import SurfaceParameterPart
from gaitwright.model.expressions import evaluate
from gaitwright.model.formulas import declare_formulas
from gaitwright.physics.joints.point_on_curve import CURVE_PARAMETERS, CurveContact, PointOnCurve

if TYPE_CHECKING:
    from gaitwright.model.reader.mechanism_builder import MechanismBuilder

MIN_CURVE_SLOPE_M = 1e-9
"""Slope in m per unit of s below which a curve has no tangent."""
SLOPE_DIFFERENCE_STEP = 1e-6
"""Step in s for measuring the slopes of a curve before and after the start."""
MAX_KINK_ANGLE_RAD = 1e-2
"""Angle between the tangents before and after the start above which the start is a kink, rad."""


def read_point_on_curve(builder: MechanismBuilder, fields: dict[str, Any], name: str, kind: str, label: str) -> None:
    """Add the surface parameter of a joint and its rows; the first is regularised, as the parameter has no mass."""
    given_start = fields["start"]
    start = builder.numbers.number(
        PointOnCurve.parameters["start"].default if given_start is None else given_start, label, "start"
    )
    places = [builder.names.point(fields[end], label, end) for end in "ab"]
    bodies = [owner for owner, _ in places]
    if bodies[0] == bodies[1]:
        ErrorContext(label, "b").fail(
            f"connects '{bodies[0]}' with itself", fields["b"], "another body than that of 'a'"
        )
    for end, place in zip("ab", places, strict=True):
        builder.elements.require_marker(CurveContact.attachments[end], place, label, end, fields[end])
    try:
        declaration, numbers = declare_formulas(
            CurveContact, {field: fields[field] for field in CURVE_PARAMETERS}, builder.numbers.formula
        )
    except ModelError as error:
        raise with_location(error, label, error.field or "") from None
    slope = _start_slope(builder, fields, start, label)
    parameter = f"{name}.parameter"
    builder.names.add(SurfaceParameterPart(name=parameter, drawn=np.array([start]), slope=slope))
    mass = max(builder.names.parts[owner].mass for owner in bodies if owner != "ground")
    builder.braced.append((builder.rows, mass or 1.0))
    markers = {end: builder.elements.drawn_marker(place) for end, place in zip("ab", places, strict=True)}
    element = builder.elements.table_entry(
        declaration,
        [*places, (parameter, ())],
        builder.elements.parameter_values(declaration, numbers, label, markers),
        [],
    )
    builder.add_rows(declaration, element, (*bodies, parameter), name, kind)


def _start_slope(builder: MechanismBuilder, fields: dict[str, Any], start: float, label: str) -> float:
    """Length of the curve per unit of s at the start, m; ModelError if the curve has no tangent there."""

    def curve_point(value: float) -> np.ndarray:
        return np.array([_curve_coordinate(builder, fields, field, value, label) for field in CURVE_PARAMETERS])

    start_point = curve_point(start)
    before, after = (
        (start_point - curve_point(start - SLOPE_DIFFERENCE_STEP)) / SLOPE_DIFFERENCE_STEP,
        (curve_point(start + SLOPE_DIFFERENCE_STEP) - start_point) / SLOPE_DIFFERENCE_STEP,
    )
    slopes = np.hypot(*before), np.hypot(*after)
    if not min(slopes) > MIN_CURVE_SLOPE_M:
        ErrorContext(label, "start").fail(
            "has no tangent of the curve", start, "a value of s at which x(s), y(s) moves on"
        )
    if np.hypot(*(after / slopes[1] - before / slopes[0])) > MAX_KINK_ANGLE_RAD:
        ErrorContext(label, "start").fail(
            "is a kink of the curve", start, "a value of s at which the curve has one tangent"
        )
    return float(sum(slopes) / 2)


def _curve_coordinate(builder: MechanismBuilder, fields: dict[str, Any], field: str, value: float, label: str) -> float:
    """Coordinate x or y (m) at a value of s."""
    try:
        return evaluate(
            builder.numbers.formula(fields[field], ("s",)),
            {**builder.numbers.values, "s": value},
            builder.numbers.series,
        )
    except ModelError as error:
        expected = "a start inside the curve, at which the expression has a value on both sides"
        ErrorContext(label, field).fail(f"has no value at s = {value:.7g}: {error}", expected=expected)
