"""Common functions of parametric shapes: checks of sizes, cuts for symmetry, and local refinement.

All shapes are centred at the origin; use `moved` to place them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.refinement import Projection
from gaitwright.mesh.regions import RegionSelector

MAX_CELLS = 5_000_000
"""Upper bound: a request for more is a mistake; it would need ten gigabytes."""
AXIS_NAMES = {2: "xy", 3: "xyz"}
DEFAULT_ARGUMENTS: dict[str, tuple[Any, ...]] = {"order": (1,), "cut": ((), ""), "rounding": (0.0,)}
"""Values of arguments that are left out of `format_call`."""
EDGE_GROWTH_RATE = 0.5
"""Growth of the edge length per distance from the point with the finest cells."""


def read_lengths(value: Any, count: int, at: ErrorContext, expected: str) -> tuple[float, ...]:
    """Return `count` positive lengths, m. Raises ModelError for other values."""
    try:
        lengths = tuple(float(x) for x in value)
    except (TypeError, ValueError):
        lengths = ()
    if len(lengths) != count or not all(math.isfinite(x) and x > 0 for x in lengths):
        at.fail(f"is not {count} positive lengths", value, expected)
    return lengths


def count_cells_along(length: float, size: float | None, at: ErrorContext, minimum: int = 1) -> int:
    """Number of cells of a size, m, along a length."""
    step = at.positive(size, "m")
    return max(minimum, math.ceil(length / step - 1e-9))


def count_divisions(
    sides: Sequence[float], divisions: int | Sequence[int] | None, size: float | None, at: ErrorContext
) -> tuple[int, ...]:
    """Cells along each side, from `divisions` or from a size. Raises ModelError unless exactly one of them is given."""
    if (divisions is None) == (size is None):
        at["size"].fail(
            "cells have no size, or two", expected="either divisions, a number of cells per side, or size, m"
        )
    if divisions is None:
        return tuple(count_cells_along(side, size, at["size"]) for side in sides)
    counts = np.atleast_1d(np.asarray(divisions, dtype=object)).tolist()
    counts = counts * len(sides) if len(counts) == 1 else counts
    if len(counts) != len(sides):
        at["divisions"].fail("has the wrong length", divisions, f"one number, or {len(sides)}")
    return tuple(at["divisions"].whole(n, "is not a number of cells", "whole numbers from 1") for n in counts)


def check_cell_count(cells: float, at: ErrorContext) -> None:
    if cells > MAX_CELLS:
        at.fail(f"would have {cells:.2g} cells", expected=f"at most {MAX_CELLS:.0e}: larger cells")


def read_order(order: Any, at: ErrorContext) -> int:
    """Return the order of cells: 1, straight; 2, quadratic, curved on curved shapes. Raises ModelError for other values."""
    return at["order"].one_of(order, (1, 2), "is not an order of cells")


def read_cut_sides(cut: str | Iterable[str], dimension: int, at: ErrorContext) -> dict[str, int]:
    """Axes that are cut at the centre, and the side that remains: {'x': 1, 'z': -1} for ('x', '-z')."""
    signs: dict[str, int] = {}
    for word in [cut] if isinstance(cut, str) and cut else list(cut):
        axis = str(word).removeprefix("-")
        if axis not in AXIS_NAMES[dimension] or len(axis) != 1 or axis in signs:
            at["cut"].fail(
                "is no choice of cut axes", cut, "some of x, y, z, of which the positive half stays, or -x, -y, -z"
            )
        signs[axis] = -1 if str(word).startswith("-") else 1
    return signs


def remaining_octants(sides: dict[str, int]) -> list[tuple[int, int, int]]:
    """Signs of the octants that remain."""
    signs = [(sides[axis],) if axis in sides else (1, -1) for axis in "xyz"]
    return [(a, b, c) for a in signs[0] for b in signs[1] for c in signs[2]]


def finish_shape(
    mesh: Mesh, regions: dict[str, RegionSelector], origin: str, *, order: int = 1, onto: Sequence[Projection] = (),
    towards: Sequence[float] | None = None, finest: float | None = None, at: ErrorContext | None = None,
) -> Mesh:  # fmt: skip
    """Finish a shape: refine it near a point, make it quadratic for order 2, and add its regions and origin."""
    place = at or ErrorContext("mesh")
    if (towards is None) != (finest is None):
        place["finest"].fail("goes with 'towards'", finest, "both, a place and the size of cells there, or none")
    if towards is not None:
        centre = np.asarray(towards, dtype=float)
        if centre.shape != (mesh.dimension,) or not np.isfinite(centre).all():
            place["towards"].fail("is not a point", towards, f"{mesh.dimension} numbers, m")
        smallest = place["finest"].positive(finest, "m")
        mesh = mesh.refined(size=lambda x: _graded_size(x, centre, smallest), onto=onto)
    if order == 2:
        mesh = mesh.quadratic(onto)
    for name, where in regions.items():  # faces: they have no cells
        mesh = mesh.with_region(name, nodes=where.nodes(mesh), cells=[])
    return replace(mesh, origin=origin)


def _graded_size(points: Array, centre: Array, finest: float) -> Array:
    """Cell size: the finest one up to four cells from the centre, then growing with distance."""
    away = np.linalg.norm(points - centre, axis=1)
    return np.maximum(finest, finest + EDGE_GROWTH_RATE * (away - 4.0 * finest))


def format_call(name: str, **arguments: Any) -> str:
    """Text of the call that creates a shape: its origin."""
    stated = {
        key: value
        for key, value in arguments.items()
        if value is not None and value not in DEFAULT_ARGUMENTS.get(key, ())
    }
    return f"gaitwright.mesh.{name}({', '.join(f'{key}={value!r}' for key, value in stated.items())})"
