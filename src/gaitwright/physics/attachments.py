"""Where an element attaches: to a position, to axes, to a whole beam element. In model files each is the name of a point, a
body, a beam or a joint; in an expression it is what offers the quantities named here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """Attachment to a position: offers `.position`. Whatever has coordinates has places, also what has no axes there: a
    particle, a node of a mesh."""

    doc: str = ""


@dataclass(frozen=True)
class Point(Place):
    """Attachment to a position with axes, of a body or beam: offers `.position` and `.direction(vector)`, the latter for a
    vector in the frame of the body, or of tangent and normal of the beam; in the plane also `.axis` and `.angle`."""


@dataclass(frozen=True)
class Facet(Place):
    """Attachment to a place of a face whose nodes move: offers `.position`, the sum of the nodes with weights."""


@dataclass(frozen=True)
class Frame:
    """Attachment to a point of a rigid body, which carries axes of its own: offers what a Point does."""

    doc: str = ""


@dataclass(frozen=True)
class Orientation:
    """Attachment to the orientation of a body, or of a beam at a point, alone: offers `.direction(vector)`; in the plane
    `.axis` and `.angle`, of which physics.symbolic.turn forms relative angles: that of a beam is only known up to full
    turns; in space the three axes, `.axes`."""

    doc: str = ""
    default: str | None = None


@dataclass(frozen=True)
class Turns:
    """Attachment to the orientation of a rigid body, whose angle counts its turns: offers `.angle`."""

    doc: str = ""
    default: str | None = None


@dataclass(frozen=True)
class Travel:
    """Attachment to how far a joint in space has moved, counted over any number of turns: offers `.travel`. unit: rad for
    hinges, m for sliders, empty for either."""

    doc: str = ""
    unit: str = ""


@dataclass(frozen=True)
class Centre:
    """Attachment to the centre of mass of a body or beam element: offers `.position`."""

    doc: str = ""


@dataclass(frozen=True)
class Span:
    """Attachment to a whole element. Of a beam it offers `.start`, `.end` and `.r(xi, length)`, `.r_x`, `.r_xx` along it."""

    doc: str = ""


@dataclass(frozen=True)
class Area:
    """Attachment to the sides of a solid in one of its regions. What acts there has kernels of its own (system/solids/)."""

    doc: str = ""


Attachment = Place | Point | Facet | Frame | Orientation | Turns | Travel | Centre | Span | Area
