"""Schema of a soft layer on a rigid body as the touching side of a contact."""

from __future__ import annotations

import functools
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, PlainSerializer

from gaitwright.model.spec.field_types import (
    Angle,
    ExpressionField,
    Length,
    Name,
    Reference,
    StrictSpec,
    validate_number,
)
from gaitwright.model.spec.mesh_surface import serialise_mesh


@functools.cache
def per_facet_validator(unit: str) -> Any:
    """Validator of a number for all facets, or of a list with one for each."""

    def check(value: Any) -> Any:
        if value is None:
            return None
        if not isinstance(value, list):
            return validate_number(value, unit)
        return [x if type(x) is float else validate_number(x, unit) for x in value]

    return BeforeValidator(check)


class FoundationSpec(StrictSpec):
    """Soft layer; see reader/foundations.py."""

    body: Reference = Field(
        description="carrier of the layer: a rigid body, or a point of it for the origin of the mesh"
    )
    mesh: Annotated[Any, PlainSerializer(serialise_mesh)] = Field(
        None, description="the name of a file, or a shape such as {box: {...}}"
    )
    region: Name | None = Field(None, description="of the surface of the mesh; all of it unless given")
    points: list[list[Length]] | None = Field(None, description="middles of facets in the frame of the body, m")
    areas: Annotated[Any, per_facet_validator("m^2")] = Field(None, description="of these facets, m^2")
    unit: str | None = None
    at: list[ExpressionField] | None = None
    angle: Angle | None = None
    axis: list[ExpressionField] | None = None
    width: Length | None = Field(None, description="of a foundation in the plane, across it; 1 m unless given")
    thickness: Annotated[Any, per_facet_validator("m")] = Field(
        None, description="of the layer: a number of m, or one for each facet"
    )
    modulus: Annotated[Any, per_facet_validator("Pa")] = Field(
        None, description="Young's modulus in Pa, or one for each facet"
    )
    poisson: Annotated[Any, per_facet_validator("1")] = Field(
        0.0, description="Poisson's ratio, below 1/2, or one for each facet"
    )
