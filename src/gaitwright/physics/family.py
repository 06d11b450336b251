"""Families of bodies: coordinates, and what markers are in terms of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

if TYPE_CHECKING:
    from gaitwright.physics.declare import Constraint


class Linear(NamedTuple):
    """constant + sum of weight times coordinate, over pairs (coordinate, weight)."""

    constant: Any
    terms: tuple[tuple[int, Any], ...]


class Family:
    """A body family: its coordinates and what a point, an orientation or a centre of it is in terms of them.

    `markers` maps the kind of attachment to a function (coordinates, local parameters) -> marker, and says which of
    the coordinates and which local parameters it uses.
    """

    name: ClassVar[str]
    dimension: ClassVar[int] = 2
    coordinates: ClassVar[tuple[str, ...]]
    units: ClassVar[tuple[str, ...]]
    markers: ClassVar[dict[type, MarkerKind]]
    registry: ClassVar[dict[str, type[Family]]] = {}
    fused: ClassVar[bool] = False
    """Whether elements between bodies of such families are derived on their coordinates: faster, for more kernels."""

    alone: ClassVar[bool] = True
    """Whether elements on one such body have a kernel for its coordinates; otherwise they go through markers, too."""

    marking: ClassVar[type[Constraint] | None] = None
    """Of a family whose markers are not linear in its coordinates: the declaration whose residual they are."""

    def __init_subclass__(cls, listed: bool = True, **options: Any) -> None:
        """listed: whether kernels of the library are printed for it."""
        super().__init_subclass__(**options)
        if listed:
            cls.registry[cls.name] = cls

    @staticmethod
    def still(*local: Any) -> dict[tuple[Any, ...], Linear]:
        """Of a family with a marking: what a marker of the ground consists of."""
        raise NotImplementedError

    @staticmethod
    def components(*local: Any) -> dict[tuple[Any, ...], Linear]:
        """Of a family whose markers are linear in its coordinates: what a marker consists of (see derive/markers.py), by the
        local parameters of its place."""
        raise NotImplementedError


class MarkerKind(NamedTuple):
    coordinates: tuple[int, ...]
    parameters: tuple[str, ...]
    build: Any
