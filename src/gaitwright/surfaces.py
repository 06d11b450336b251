"""Surfaces of contacts, as values of `surface=`: `gw.surfaces.PlaneGround(0.0)`."""

from gaitwright.model.surfaces import (
    Along,
    Circle,
    Face,
    Foundation,
    HeightField,
    Line,
    LineGround,
    MeshSurface,
    Plane,
    PlaneGround,
    PlaneOfBody,
    Polyline,
    Segment,
    Skin,
    SolidSurface,
    Sphere,
)
from gaitwright.physics import load_all

__all__ = [
    "Along",
    "Circle",
    "Face",
    "Foundation",
    "HeightField",
    "Line",
    "LineGround",
    "MeshSurface",
    "Plane",
    "PlaneGround",
    "PlaneOfBody",
    "Polyline",
    "Segment",
    "Skin",
    "SolidSurface",
    "Sphere",
]

load_all()  # a declaration of a user must find the names of the library registered
