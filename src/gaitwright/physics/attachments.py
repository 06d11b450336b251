"""Attachments of elements: to a position, to axes, to a whole beam element. In model files each is the name of a point, a
body, a beam or a joint; in an expression it is an object with the quantities named here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """Attachment to a position: offers `.position`. Every part with coordinates has such places, including parts without axes:
    a particle, a node of a mesh."""

    doc: str = ""


@dataclass(frozen=True)
class Point(Place):
    """Attachment to a position with axes, of a body or beam: offers `.position` and `.direction(vector)`, the latter for a
    vector in the frame of the body, or of tangent and normal of the beam; in the plane also `.axis` and `.angle`."""


@dataclass(frozen=True)
class FacePoint(Place):
    """Attachment to a place on a face with moving nodes: offers `.position`, the weighted sum of the nodes."""


@dataclass(frozen=True)
class BodyFrame:
    """Attachment to a point of a rigid body, which has its own axes: offers the quantities of a Point."""

    doc: str = ""


@dataclass(frozen=True)
class Orientation:
    """Attachment to the orientation of a body, or of a beam at a point, alone: offers `.direction(vector)`; in the plane
    `.axis` and `.angle`, from which physics.symbolic.turn forms relative angles (that of a beam is only known up to full
    turns); in space the three axes, `.axes`."""

    doc: str = ""
    default: str | None = None


@dataclass(frozen=True)
class CountedAngle:
    """Attachment to the orientation of a rigid body with an angle that counts full turns: offers `.angle`."""

    doc: str = ""
    default: str | None = None


@dataclass(frozen=True)
class JointTravel:
    """Attachment to the travel of a joint in space, counted over any number of turns: offers `.travel`. unit: rad for
    hinges, m for sliders, empty for either."""

    doc: str = ""
    unit: str = ""


@dataclass(frozen=True)
class Centre:
    """Attachment to the centre of mass of a body or beam element: offers `.position`."""

    doc: str = ""


@dataclass(frozen=True)
class ElementSpan:
    """Attachment to a whole element. Of a beam it offers `.start`, `.end` and `.r(xi, length)`, `.r_x`, `.r_xx` along it."""

    doc: str = ""


@dataclass(frozen=True)
class SolidRegion:
    """Attachment to the sides of a solid in one of its regions. Elements that act there have special kernels (fem/)."""

    doc: str = ""


Attachment = (
    Place
    | Point
    | FacePoint
    | BodyFrame
    | Orientation
    | CountedAngle
    | JointTravel
    | Centre
    | ElementSpan
    | SolidRegion
)
