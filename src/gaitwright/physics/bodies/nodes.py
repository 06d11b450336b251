"""Places of a solid: points that move with several others, without axes.

    r = r_0 + sum_j w_j q_j        q_j: one coordinate per axis

q_j is the displacement of a node, and w_j its shape function at the place. Where nodes are tied to a spatial body, whose
points are linear in its coordinates, too (spatial.py), q_j are also its reference point and its axes.
"""

from __future__ import annotations

import functools
from typing import Any

from gaitwright.physics.attachments import Facet, Place
from gaitwright.physics.bodies.marker import Marker
from gaitwright.physics.bodies.spatial import SpatialMarker
from gaitwright.physics.family import Family, Linear, MarkerKind


class Weighted(Family, listed=False):
    """A place that is the sum of `count` points with weights. Its local parameters are the weights, then r_0."""

    alone = False
    count: int

    @classmethod
    def components(cls, *local: Any) -> dict[tuple[Any, ...], Linear]:
        weights, start = local[: cls.count], local[cls.count :]
        return {
            ("position", k): Linear(start[k], tuple((cls.dimension * j + k, w) for j, w in enumerate(weights)))
            for k in range(cls.dimension)
        }


def _build(dimension: int, count: int, *given: Any) -> Any:
    coordinates, weights, start = given[: dimension * count], given[dimension * count : -dimension], given[-dimension:]
    position = tuple(
        start[k] + sum(w * coordinates[dimension * j + k] for j, w in enumerate(weights)) for k in range(dimension)
    )
    return Marker(position, (), None, False) if dimension == 2 else SpatialMarker(position, ())


@functools.cache
def weighted(dimension: int, count: int) -> type[Weighted]:
    """The family of places that are sums of `count` points."""
    names = tuple(f"{axis}{j}" for j in range(count) for axis in "xyz"[:dimension])
    local = (*(f"w{j}" for j in range(count)), *(f"start_{axis}" for axis in "xyz"[:dimension]))
    build = functools.partial(_build, dimension, count)
    place = MarkerKind(tuple(range(len(names))), local, build)
    kinds = (Place, Facet) if count == dimension else (Place,)
    members = {
        "name": f"weighted_{dimension}d_{count}", "dimension": dimension, "count": count, "coordinates": names,
        "units": ("m",) * len(names), "markers": dict.fromkeys(kinds, place),
        "__module__": __name__,
    }  # fmt: skip
    return type(f"Weighted{dimension}D{count}", (Weighted,), members, listed=count in (1, dimension))


NODE = {dimension: weighted(dimension, 1) for dimension in (2, 3)}
"""By dimension: a place on one node. For these and those of faces, kernels on markers are printed."""
FACE = {dimension: weighted(dimension, dimension) for dimension in (2, 3)}
"""By dimension: a place on a face of the surface of a solid, with one node per axis."""
