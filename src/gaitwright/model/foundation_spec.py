"""A soft layer on a rigid body as what touches: the fields of a contact that say it."""

from __future__ import annotations

import functools
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, PlainSerializer

from gaitwright.model.fields import Angle, Expression, Length, Name, Reference, Strict, number
from gaitwright.model.mesh_surface_spec import written_out


@functools.cache
def each(unit: str) -> Any:
    """The check of a number for all facets, or of a list with one for each."""

    def check(value: Any) -> Any:
        if value is None:
            return None
        if not isinstance(value, list):
            return number(value, unit)
        return [x if type(x) is float else number(x, unit) for x in value]

    return BeforeValidator(check)


class Foundation(Strict):
    """See foundations.py."""

    body: Reference = Field(description="who carries the layer: a rigid body, or a point of it where the mesh begins")
    mesh: Annotated[Any, PlainSerializer(written_out)] = Field(
        None, description="the name of a file, or a shape such as {box: {...}}"
    )
    region: Name | None = Field(None, description="of the surface of the mesh; all of it unless given")
    points: list[list[Length]] | None = Field(None, description="middles of facets in the frame of the body, m")
    areas: Annotated[Any, each("m^2")] = Field(None, description="of these facets, m^2")
    unit: str | None = None
    at: list[Expression] | None = None
    angle: Angle | None = None
    axis: list[Expression] | None = None
    width: Length | None = Field(None, description="of a foundation in the plane, across it; 1 m unless given")
    thickness: Annotated[Any, each("m")] = Field(None, description="of the layer: a number of m, or one for each facet")
    modulus: Annotated[Any, each("Pa")] = Field(None, description="Young's modulus in Pa, or one for each facet")
    poisson: Annotated[Any, each("1")] = Field(0.0, description="Poisson's ratio, below 1/2, or one for each facet")
