"""A mesh as the surface of a contact: the fields that the plane and space share."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, PlainSerializer

from gaitwright.model.fields import Angle, Expression, Reference, Strict

OF_MESH = ("body", "unit", "at", "angle", "axis", "distance")
"""Fields that belong to a mesh alone."""


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
