"""Families of bodies: coordinates, and markers as functions of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

if TYPE_CHECKING:
    from gaitwright.physics.declarations import Constraint


class LinearExpression(NamedTuple):
    """Linear expression: constant + sum of weight times coordinate, over pairs (coordinate, weight)."""

    constant: Any
    terms: tuple[tuple[int, Any], ...]


class Family:
    """A body family: its coordinates, and its points, orientations and centres as functions of them.

    `markers` maps the kind of attachment to a function (coordinates, local parameters) -> marker, with the indices of
    the coordinates and the names of the local parameters that it uses.
    """

    name: ClassVar[str]
    dimension: ClassVar[int] = 2
    coordinates: ClassVar[tuple[str, ...]]
    units: ClassVar[tuple[str, ...]]
    markers: ClassVar[dict[type, MarkerKind]]
    registry: ClassVar[dict[str, type[Family]]] = {}
    fused: ClassVar[bool] = False
    """True if elements between bodies of such families are derived in their coordinates: faster, but with more kernels."""

    alone: ClassVar[bool] = True
    """True if elements on one such body have a kernel in its coordinates; otherwise they use marker variables, too."""

    marking: ClassVar[type[Constraint] | None] = None
    """For a family with markers that are not linear in its coordinates: the declaration with these markers as residual."""

    def __init_subclass__(cls, listed: bool = True, **options: Any) -> None:
        """listed: True if kernels of the library are generated for it."""
        super().__init_subclass__(**options)
        if listed:
            cls.registry[cls.name] = cls

    @staticmethod
    def still(*local: Any) -> dict[tuple[Any, ...], LinearExpression]:
        """Components of a marker of the ground, for a family with `marking`."""
        raise NotImplementedError

    @staticmethod
    def components(*local: Any) -> dict[tuple[Any, ...], LinearExpression]:
        """Components of a marker (derive/marker_symbols.py) for a family with markers that are linear in its coordinates, as
        functions of the local parameters of its place."""
        raise NotImplementedError


class MarkerKind(NamedTuple):
    coordinates: tuple[int, ...]
    parameters: tuple[str, ...]
    build: Any
