"""Base classes and fields of user declarations: joints, drives, forces, contact laws, friction laws, parts
(docs/how-to/extend.md)."""

from gaitwright.mechanism.blocks import ElementBlock
from gaitwright.mechanism.parts.base import Part
from gaitwright.model.part_types import PartType
from gaitwright.physics import load_all
from gaitwright.physics.attachments import Centre, Orientation, Place, Point
from gaitwright.physics.bodies.marker import Marker
from gaitwright.physics.declarations import (
    ContactLaw,
    Drive,
    Effect,
    Family,
    Force,
    Friction,
    Joint,
    LinearExpression,
    MarkerKind,
    Number,
)
from gaitwright.physics.parameters import DRAWN, Choice, Components, ComputedVector, Direction, Signal

__all__ = [
    "DRAWN",
    "Centre",
    "Choice",
    "Components",
    "ComputedVector",
    "ContactLaw",
    "Direction",
    "Drive",
    "Effect",
    "ElementBlock",
    "Family",
    "Force",
    "Friction",
    "Joint",
    "LinearExpression",
    "Marker",
    "MarkerKind",
    "Number",
    "Orientation",
    "Part",
    "PartType",
    "Place",
    "Point",
    "Signal",
]

load_all()  # a declaration of a user must find the names of the library registered
