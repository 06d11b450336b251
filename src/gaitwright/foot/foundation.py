"""The fastest speed: facets of the sole that press by themselves, each as a layer of tissue below the core that is nearest.

Its thickness is what lies between facet and core, straight up; its modulus that of a layer that cannot escape sideways. So it
is stiffer than finite elements of the same tissue where a pad is not wide against its thickness, as below the heel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial import KDTree

from gaitwright.foot.anatomy import Anatomy, thickness_over
from gaitwright.foot.attaching import Placing, pose_of
from gaitwright.foot.layer import Layer, in_series
from gaitwright.foot.mat import Mat
from gaitwright.foot.tissue import REGIONS
from gaitwright.mesh.kinds import Array
from gaitwright.mesh.mesh import Mesh
from gaitwright.model.model import Model
from gaitwright.model.surfaces import Foundation, PlaneGround


class Facets(NamedTuple):
    """Of the sole, below one core. nodes: (k, 3), m, in the frame of the foot; sides: corners of facets (n, 3); middles (n, 3),
    m; areas (n,), m^2; and of the layer: thickness, m, Young's modulus, Pa, and Poisson's ratio."""

    nodes: Array
    sides: Array
    middles: Array
    areas: Array
    thickness: Array
    modulus: Array
    poisson: Array


def facets_of_sole(foot: Any, k: int, below: Sequence[Layer] = ()) -> Facets:
    """Those of the core k: tissue with what is worn, and with what lies below on the ground."""
    mesh = foot.bare.mesh
    which = mesh.sides_in("sole")
    middles = mesh.nodes[mesh.boundary[which]].mean(axis=1)
    owner, thickness = layers(foot.bare, middles)
    own = owner == k
    zone = foot.tissue.zone(middles[own, 0] / foot.shape.measures.length)
    modulus, poisson = (
        np.array([getattr(foot.tissue[name], what) for name in REGIONS])[zone]
        for what in ("youngs_modulus", "poissons_ratio")
    )
    used, flat = np.unique(mesh.boundary[which][own], return_inverse=True)
    down = np.array([0.0, 0.0, foot.lift])
    whole = in_series(thickness[own], modulus, poisson, (*foot.worn, *below))
    return Facets(
        mesh.nodes[used] - down, flat.reshape(-1, 3), middles[own] - down, mesh.side_areas[which][own], *whole
    )


def put(model: Model, foot: Any, placing: Placing, ground: Any, law: Any, friction: Any) -> tuple[str, ...]:
    """A contact per core, whose names it gives."""
    names = []
    ground, below = (PlaneGround(ground.level), (ground,)) if isinstance(ground, Mat) else (ground, ())
    for k, core in enumerate(foot.anatomy.cores):
        facets = facets_of_sole(foot, k, below)
        if not len(facets.sides):
            continue
        origin, rotation = pose_of(model, placing.bodies[core.name])
        surface = Mesh((placing.to_ground(facets.nodes) - origin) @ rotation, facets.sides)
        layer = Foundation(
            placing.bodies[core.name],
            surface,
            thickness=facets.thickness,
            modulus=facets.modulus,
            poisson=facets.poisson,
        )
        names.append(f"{placing.name}_sole_{core.name}")
        model.contact(layer, ground, law=law, friction=friction, name=names[-1])
    return tuple(names)


def layers(found: Anatomy, points: Array) -> tuple[Array, Array]:
    """Of points (p, 3) of the sole: the core that is nearest, and how thick tissue is between the two, m: straight up,
    or, where nothing rigid is above, to what is nearest."""
    nodes = np.concatenate([core.nodes for core in found.cores])
    cores = np.repeat(np.arange(len(found.cores)), [len(core.nodes) for core in found.cores])
    rigid = np.zeros(len(found.mesh.nodes), dtype=bool)
    rigid[nodes] = True
    away, nearest = KDTree(found.mesh.nodes[nodes]).query(points)
    up = thickness_over(found.mesh, rigid, points)
    return cores[nearest], np.where(np.isfinite(up), up, away)
