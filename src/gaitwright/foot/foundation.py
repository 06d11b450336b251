"""The fastest speed: facets of the sole that press by themselves, each as a layer of tissue below the core that is nearest.

Its thickness is what lies between facet and core, straight up; its modulus that of a layer that cannot escape sideways. So it
is stiffer than finite elements of the same tissue where a pad is not wide against its thickness, as below the heel."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial import KDTree

from gaitwright.foot.anatomy import Anatomy, thickness_over
from gaitwright.foot.attaching import Placing, pose_of
from gaitwright.foot.tissue import REGIONS
from gaitwright.mesh.kinds import Array
from gaitwright.mesh.mesh import Mesh
from gaitwright.model.model import Model
from gaitwright.model.surfaces import Foundation


def put(model: Model, foot: Any, placing: Placing, ground: Any, law: Any, friction: Any) -> tuple[str, ...]:
    """A contact per core, whose names it gives."""
    found = foot.anatomy
    sides = found.mesh.boundary[found.mesh.sides_in("sole")]
    middles = found.mesh.nodes[sides].mean(axis=1)
    owner, thickness = layers(found, middles)
    zone = foot.tissue.zone(middles[:, 0] / foot.shape.measures.length)
    modulus, poisson = (
        np.array([getattr(foot.tissue[name], what) for name in REGIONS])[zone]
        for what in ("youngs_modulus", "poissons_ratio")
    )
    names = []
    for k, core in enumerate(found.cores):
        own = owner == k
        if not own.any():
            continue
        origin, rotation = pose_of(model, placing.bodies[core.name])
        used, flat = np.unique(sides[own], return_inverse=True)
        facets = Mesh((placing.to_ground(found.mesh.nodes[used]) - origin) @ rotation, flat.reshape(-1, 3))
        layer = Foundation(
            placing.bodies[core.name], facets, thickness=thickness[own], modulus=modulus[own], poisson=poisson[own]
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
