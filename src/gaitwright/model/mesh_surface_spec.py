"""A mesh or another solid as the surface of a contact: the fields that the plane and space share."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, PlainSerializer

from gaitwright.model.fields import Angle, Expression, Name, Reference, Strict

BELONGS_TO = {
    **dict.fromkeys(("body", "unit", "at", "angle", "axis", "distance"), "mesh"),
    **dict.fromkeys(("region", "both_ways"), "solid"),
}
"""Fields that belong to a mesh or to a solid alone."""


def written_out(mesh: Any) -> Any:
    """A mesh as numbers, for files; what names one stays as it is."""
    return mesh.to_dict() if hasattr(mesh, "to_dict") else mesh


class MeshSurface(Strict):
    mesh: Annotated[Any, PlainSerializer(written_out)] = Field(
        None, description="the name of a file, or a shape such as {box: {...}}"
    )
    body: Reference | None = Field(None, description="who carries the mesh; the ground unless given")
    unit: str | None = None
    at: list[Expression] | None = None
    angle: Angle | None = None
    axis: list[Expression] | None = None
    distance: Literal["exact", "approximate"] | None = None
    solid: Name | None = Field(None, description="a solid, which deforms")
    region: Name | None = Field(None, description="of its surface")
    both_ways: bool | None = None
