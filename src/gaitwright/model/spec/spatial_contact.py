"""Schema of a spatial contact: spheres instead of circles; planes, spheres and terrains as surfaces."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, create_model

from gaitwright.model.spec.field_types import Reference, StrictSpec
from gaitwright.model.surfaces import SphereSpec, surface_fields

_SurfaceFields: Any = create_model("_SurfaceFields", __base__=StrictSpec, **surface_fields(3))


class SpatialSurfaceSpec(_SurfaceFields):
    """Surface of a spatial contact, with the fields of model/surfaces.py."""


def _reject_along(value: Any) -> None:
    if value is not None:
        raise ValueError(
            "is for beams of the plane; expected points of the beam, such as points: [blade.node3, blade.end]"
        )


def make_spatial_contact_spec(base: Any) -> Any:
    """Class of a spatial contact, derived from the planar one."""

    class SpatialContact(base):
        circle: None = Field(None, exclude=True)
        along: Annotated[None, BeforeValidator(_reject_along)] = Field(None, exclude=True)
        points: Annotated[list[Reference], Field(min_length=1)] | None = None
        sphere: SphereSpec | None = None
        spheres: Annotated[list[SphereSpec], Field(min_length=1)] | None = None
        surface: SpatialSurfaceSpec = Field(description="what it touches, such as {plane: [0, 0, 1, 0]}")

    return SpatialContact
