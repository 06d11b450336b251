"""What holds a solid of a document: regions of its mesh that stay where they are, or go where a rigid body goes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.region_file import region_from
from gaitwright.mesh.regions import Where, said
from gaitwright.system.parts.solid import Pinned
from gaitwright.system.solids.ties import Tie, tie

if TYPE_CHECKING:
    from gaitwright.model.scope import Scope

Array = np.ndarray
AXES = "xyz"
GROUND = "ground"


class Supports(NamedTuple):
    """named: by the name of the region, or fixed1, fixed2, ...: (nodes, d), which displacements something holds. held: all that
    have no coordinates. tied, pinned: nodes that move with bodies, of space and of the plane."""

    named: dict[str, Array]
    held: Array
    tied: tuple[Tie, ...]
    pinned: tuple[Pinned, ...]


def read_supports(s: Scope, entry: Any, mesh: Mesh, at: At) -> Supports:
    named: dict[str, Array] = {}
    owner: dict[str, Array] = {}
    given = entry.fixed if isinstance(entry.fixed, list) else [] if entry.fixed is None else [entry.fixed]
    for k, one in enumerate(given):
        here = at["fixed" if len(given) == 1 else f"fixed[{k}]"]
        region, axes, to = one, AXES[: mesh.dimension], GROUND
        if isinstance(one, Mapping) and "region" in one:
            if unknown := [key for key in one if key not in ("region", "axes", "to")]:
                here.fail(f"has no field '{unknown[0]}'", expected="region, axes and to")
            region, to = one["region"], s.body(str(one.get("to", GROUND)), here.element, f"{here.field}.to")
            axes = _axes(one["axes"], to, here["axes"]) if "axes" in one else axes
        columns = [AXES.index(here["axes"].one_of(axis, list(AXES[: mesh.dimension]), "is no axis")) for axis in axes]
        name = region if isinstance(region, str) else f"fixed{k + 1 if len(given) > 1 else ''}"
        chosen = nodes_of(region, here, mesh)
        for holding in (named.setdefault(name, _none(mesh)), owner.setdefault(to, _none(mesh))):
            holding[:, columns] |= chosen[:, None]
        for other in [other for other in owner if other != to]:
            twice = np.flatnonzero((owner[other] & owner[to]).any(axis=1))
            if twice.size:
                here.fail(
                    f"{twice.size} of its nodes, such as node{twice[0] + 1}, follow both '{other}' and '{to}'",
                    expected="regions without common nodes",
                )
    fixed = owner.pop(GROUND, _none(mesh))
    following = [(s.part(name), np.flatnonzero(nodes[:, 0])) for name, nodes in owner.items()]
    if mesh.dimension == 2:
        return Supports(named, fixed, (), tuple(Pinned(body, nodes) for body, nodes in following))
    tied = tuple(tie(body, nodes, mesh.nodes) for body, nodes in following)
    return Supports(named, np.any([fixed, *owner.values()], axis=0), tied, ())


def _none(mesh: Mesh) -> Array:
    return np.zeros(mesh.nodes.shape, dtype=bool)


def _axes(given: Any, to: str, at: At) -> Any:
    if not isinstance(given, (str, list, tuple)) or not given:
        at.fail("is no axis", given, "some of the letters xyz, such as xy")
    if to != GROUND:
        at.fail(f"belong to what the ground holds, but these nodes follow '{to}' as a whole", given, "no axes")
    return given


def place_on(spec: Any, at: At, mesh: Mesh) -> Where:
    return spec if isinstance(spec, Where) else region_from(spec, at, mesh.dimension)


def nodes_of(spec: Any, at: At, mesh: Mesh) -> Array:
    """Which nodes, true or false; ModelError if there are none."""
    where = place_on(spec, at, mesh)
    chosen = where.nodes(mesh)
    if not chosen.any():
        reach = f"from {said(mesh.bounds[0])} to {said(mesh.bounds[1])} m"
        at.fail(f"{where} holds no node of the mesh", expected=f"a place on it: it reaches {reach}{where.missed(mesh)}")
    return chosen
