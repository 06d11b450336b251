"""Places of a solid: points that move with several others, without axes.

    r = r_0 + sum_j w_j q_j        q_j: one coordinate per axis

q_j is the displacement of a node, and w_j its shape function at the place. If nodes are tied to a spatial body, q_j also
includes its reference point and its axes, because its points are linear in its coordinates, too (spatial.py).
"""

from __future__ import annotations

import functools
from typing import Any

from gaitwright.physics.attachments import FacePoint, Place
from gaitwright.physics.bodies.marker import Marker
from gaitwright.physics.bodies.spatial import SpatialMarker
from gaitwright.physics.body_family import Family, LinearExpression, MarkerKind


class InterpolatedPoint(Family, listed=False):
    """A place that is the weighted sum of `count` points. Its local parameters are the weights, then r_0."""

    alone = False
    count: int

    @classmethod
    def components(cls, *local: Any) -> dict[tuple[Any, ...], LinearExpression]:
        weights, start = local[: cls.count], local[cls.count :]
        return {
            ("position", k): LinearExpression(
                start[k], tuple((cls.dimension * j + k, w) for j, w in enumerate(weights))
            )
            for k in range(cls.dimension)
        }


def _build_marker(dimension: int, count: int, *given: Any) -> Any:
    coordinates, weights, start = given[: dimension * count], given[dimension * count : -dimension], given[-dimension:]
    position = tuple(
        start[k] + sum(w * coordinates[dimension * j + k] for j, w in enumerate(weights)) for k in range(dimension)
    )
    return Marker(position, (), None, False) if dimension == 2 else SpatialMarker(position, ())


@functools.cache
def interpolated_point_family(dimension: int, count: int) -> type[InterpolatedPoint]:
    """The family of places that are sums of `count` points."""
    names = tuple(f"{axis}{j}" for j in range(count) for axis in "xyz"[:dimension])
    local = (*(f"w{j}" for j in range(count)), *(f"start_{axis}" for axis in "xyz"[:dimension]))
    build = functools.partial(_build_marker, dimension, count)
    place = MarkerKind(tuple(range(len(names))), local, build)
    kinds = (Place, FacePoint) if count == dimension else (Place,)
    members = {
        "name": f"weighted_{dimension}d_{count}", "dimension": dimension, "count": count, "coordinates": names,
        "units": ("m",) * len(names), "markers": dict.fromkeys(kinds, place),
        "__module__": __name__,
    }  # fmt: skip
    return type(f"Weighted{dimension}D{count}", (InterpolatedPoint,), members, listed=count in (1, dimension))


NODE_FAMILIES = {dimension: interpolated_point_family(dimension, 1) for dimension in (2, 3)}
"""Families of places on one node, by dimension. For these and those of faces, kernels on markers are generated."""
FACE_FAMILIES = {dimension: interpolated_point_family(dimension, dimension) for dimension in (2, 3)}
"""Families of places on a face of the surface of a solid, with one node per axis, by dimension."""
