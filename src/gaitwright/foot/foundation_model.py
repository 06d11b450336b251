"""Foundation speed, the fastest: independent facets of the sole, each a layer of tissue below the nearest core.

The thickness of the layer is the vertical distance between facet and core; its modulus is that of a laterally confined layer.
It is therefore stiffer than finite elements of the same tissue where a pad is not wide compared with its thickness, as below
the heel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial import KDTree

from gaitwright.foot.anatomy import FootAnatomy, tissue_thickness_over_sole
from gaitwright.foot.mat import Mat
from gaitwright.foot.placement import FootPlacement, drawn_pose
from gaitwright.foot.soft_layers import SoftLayer, combine_in_series
from gaitwright.foot.tissue import TISSUE_REGIONS
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.mesh import Mesh
from gaitwright.model.model import Model
from gaitwright.model.surfaces import Foundation, PlaneGround


class SoleFacets(NamedTuple):
    """Facets of the sole below one core. nodes: (k, 3), m, in the frame of the foot; sides: corners of facets (n,
    3); middles (n, 3), m; areas (n,), m^2; and of the layer: thickness, m, Young's modulus, Pa, and Poisson's ratio."""

    nodes: Array
    sides: Array
    middles: Array
    areas: Array
    thickness: Array
    modulus: Array
    poisson: Array


def make_sole_facets(foot: Any, k: int, below: Sequence[SoftLayer] = ()) -> SoleFacets:
    """Facets of core k: tissue in series with worn layers and with layers on the ground."""
    mesh = foot.bare.mesh
    which = mesh.sides_in("sole")
    middles = mesh.nodes[mesh.boundary[which]].mean(axis=1)
    owner, thickness = nearest_core_and_thickness(foot.bare, middles)
    own = owner == k
    zone = foot.tissue.zone(middles[own, 0] / foot.shape.measures.length)
    modulus, poisson = (
        np.array([getattr(foot.tissue[name], what) for name in TISSUE_REGIONS])[zone]
        for what in ("youngs_modulus", "poissons_ratio")
    )
    used, flat = np.unique(mesh.boundary[which][own], return_inverse=True)
    down = np.array([0.0, 0.0, foot.lift])
    whole = combine_in_series(thickness[own], modulus, poisson, (*foot.worn, *below))
    return SoleFacets(
        mesh.nodes[used] - down, flat.reshape(-1, 3), middles[own] - down, mesh.side_areas[which][own], *whole
    )


def add_tissue(
    model: Model, foot: Any, placing: FootPlacement, ground: Any, law: Any, friction: Any
) -> tuple[str, ...]:
    """Add one contact per core. Return their names."""
    names = []
    ground, below = (PlaneGround(ground.level), (ground,)) if isinstance(ground, Mat) else (ground, ())
    for k, core in enumerate(foot.anatomy.cores):
        facets = make_sole_facets(foot, k, below)
        if not len(facets.sides):
            continue
        origin, rotation = drawn_pose(model, placing.bodies[core.name])
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


def nearest_core_and_thickness(found: FootAnatomy, points: Array) -> tuple[Array, Array]:
    """Nearest core of each point (p, 3) of the sole, and the thickness of tissue between them, m: vertical, or,
    where no rigid part lies above, the distance to the nearest one."""
    nodes = np.concatenate([core.nodes for core in found.cores])
    cores = np.repeat(np.arange(len(found.cores)), [len(core.nodes) for core in found.cores])
    rigid = np.zeros(len(found.mesh.nodes), dtype=bool)
    rigid[nodes] = True
    away, nearest = KDTree(found.mesh.nodes[nodes]).query(points)
    up = tissue_thickness_over_sole(found.mesh, rigid, points)
    return cores[nearest], np.where(np.isfinite(up), up, away)
