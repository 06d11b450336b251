"""Schema of a mesh or another solid as the surface of a contact: fields shared by plane and space."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, PlainSerializer

from gaitwright.model.spec.field_types import Angle, ExpressionField, Name, Reference, StrictSpec

SURFACE_KIND_BY_FIELD = {
    **dict.fromkeys(("body", "unit", "at", "angle", "axis", "distance"), "mesh"),
    **dict.fromkeys(("region", "both_ways"), "solid"),
}
"""Fields that belong only to a mesh or only to a solid."""


def serialise_mesh(mesh: Any) -> Any:
    """Mesh as numbers, for files; other values (file names, shapes) are unchanged."""
    return mesh.to_dict() if hasattr(mesh, "to_dict") else mesh


class MeshSurfaceSpec(StrictSpec):
    mesh: Annotated[Any, PlainSerializer(serialise_mesh)] = Field(
        None, description="the name of a file, or a shape such as {box: {...}}"
    )
    body: Reference | None = Field(None, description="carrier of the mesh; the ground unless given")
    unit: str | None = None
    at: list[ExpressionField] | None = None
    angle: Angle | None = None
    axis: list[ExpressionField] | None = None
    distance: Literal["exact", "approximate"] | None = None
    solid: Name | None = Field(None, description="a solid, which deforms")
    region: Name | None = Field(None, description="of its surface")
    both_ways: bool | None = None
