"""What shapes without a file share: how their sizes are checked, what is cut off for symmetry, and small cells at a place.

All are centred at the origin: move them where they belong.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gaitwright.checks import At
from gaitwright.mesh.kinds import Array
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.refine import Projection
from gaitwright.mesh.regions import Where

MOST_CELLS = 5_000_000
"""A wish for more is a slip of the pen: ten gigabytes."""
AXES = {2: "xy", 3: "xyz"}
USUAL: dict[str, tuple[Any, ...]] = {"order": (1,), "cut": ((), ""), "rounding": (0.0,)}
"""What need not be said."""
GROWTH = 0.5
"""How much longer edges may be per length away from the place of the finest ones."""


def lengths(value: Any, count: int, at: At, expected: str) -> tuple[float, ...]:
    """So many positive lengths, m."""
    try:
        found = tuple(float(x) for x in value)
    except (TypeError, ValueError):
        found = ()
    if len(found) != count or not all(math.isfinite(x) and x > 0 for x in found):
        at.fail(f"is not {count} positive lengths", value, expected)
    return found


def parts_of(length: float, size: float | None, at: At, least: int = 1) -> int:
    """How many cells of a size, m, a length needs."""
    step = at.positive(size, "m")
    return max(least, math.ceil(length / step - 1e-9))


def divisions_of(
    sides: Sequence[float], divisions: int | Sequence[int] | None, size: float | None, at: At
) -> tuple[int, ...]:
    """Cells along each side: as told, or as a size asks."""
    if (divisions is None) == (size is None):
        at["size"].fail(
            "cells have no size, or two", expected="either divisions, a number of cells per side, or size, m"
        )
    if divisions is None:
        return tuple(parts_of(side, size, at["size"]) for side in sides)
    many = np.atleast_1d(np.asarray(divisions, dtype=object)).tolist()
    many = many * len(sides) if len(many) == 1 else many
    if len(many) != len(sides):
        at["divisions"].fail("has the wrong length", divisions, f"one number, or {len(sides)}")
    return tuple(at["divisions"].whole(n, "is not a number of cells", "whole numbers from 1") for n in many)


def affordable(cells: float, at: At) -> None:
    if cells > MOST_CELLS:
        at.fail(f"would have {cells:.2g} cells", expected=f"at most {MOST_CELLS:.0e}: larger cells")


def order_of(order: Any, at: At) -> int:
    """1: straight cells; 2: quadratic ones, curved where the shape is."""
    return at["order"].one_of(order, (1, 2), "is not an order of cells")


def cut_sides(cut: str | Iterable[str], dimension: int, at: At) -> dict[str, int]:
    """Which axes are cut at the centre, and which side stays: {'x': 1, 'z': -1} for ('x', '-z')."""
    found: dict[str, int] = {}
    for word in [cut] if isinstance(cut, str) and cut else list(cut):
        axis = str(word).removeprefix("-")
        if axis not in AXES[dimension] or len(axis) != 1 or axis in found:
            at["cut"].fail(
                "is not a way to cut", cut, "some of x, y, z, of which the positive half stays, or -x, -y, -z"
            )
        found[axis] = -1 if str(word).startswith("-") else 1
    return found


def octants(sides: dict[str, int]) -> list[tuple[int, int, int]]:
    """Signs of the octants that stay."""
    kept = [(sides[axis],) if axis in sides else (1, -1) for axis in "xyz"]
    return [(a, b, c) for a in kept[0] for b in kept[1] for c in kept[2]]


def finished(
    mesh: Mesh, regions: dict[str, Where], origin: str, *, order: int = 1, onto: Sequence[Projection] = (),
    towards: Sequence[float] | None = None, finest: float | None = None, at: At | None = None,
) -> Mesh:  # fmt: skip
    """A shape with its regions, with small cells near a place, and quadratic if asked."""
    place = at or At("mesh")
    if (towards is None) != (finest is None):
        place["finest"].fail("goes with 'towards'", finest, "both, a place and the size of cells there, or none")
    if towards is not None:
        centre = np.asarray(towards, dtype=float)
        if centre.shape != (mesh.dimension,) or not np.isfinite(centre).all():
            place["towards"].fail("is not a point", towards, f"{mesh.dimension} numbers, m")
        smallest = place["finest"].positive(finest, "m")
        mesh = mesh.refined(size=lambda x: _growing(x, centre, smallest), onto=onto)
    if order == 2:
        mesh = mesh.quadratic(onto)
    for name, where in regions.items():  # faces: they have no cells
        mesh = mesh.with_region(name, nodes=where.nodes(mesh), cells=[])
    return replace(mesh, origin=origin)


def _growing(points: Array, centre: Array, finest: float) -> Array:
    """Cells of the finest size up to four of them away, then ever larger."""
    away = np.linalg.norm(points - centre, axis=1)
    return np.maximum(finest, finest + GROWTH * (away - 4.0 * finest))


def said_call(name: str, **given: Any) -> str:
    """The origin of a shape: the call that makes it again."""
    told = {key: value for key, value in given.items() if value is not None and value not in USUAL.get(key, ())}
    return f"gaitwright.mesh.{name}({', '.join(f'{key}={value!r}' for key, value in told.items())})"
