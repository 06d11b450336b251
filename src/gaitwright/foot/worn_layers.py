"""Worn layers below the sole: layers of cells that share its nodes, extruded straight down.

Extrusion is vertical and not along normals: at the round border of the sole, a layer becomes thinner and never folds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.spatial import KDTree

from gaitwright.foot.anatomy import FootAnatomy, add_point_masses
from gaitwright.foot.soft_layers import SoftLayer
from gaitwright.mesh.lattices import prism_cells
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import MeshRegion

MIN_LAYER_CELLS = 2
"""Minimum number of cells through a layer: one would not bend."""
MIN_DOWNWARD_NORMAL = 0.2
"""Minimum downward component of the outward normal of sole facets with a layer: cells below steeper ones would be
slivers."""


def layer_region_name(k: int) -> str:
    """Region name of the cells of worn layer k, counted from the skin."""
    return f"worn_{k + 1}"


def add_worn_layers(found: FootAnatomy, worn: Sequence[SoftLayer]) -> FootAnatomy:
    """Return the anatomy with layers below its sole, from the skin to the ground; the region sole is the lowest."""
    mesh, masses, middles = found.mesh, [], []
    for k, layer in enumerate(worn):
        mesh = _extrude_below_sole(mesh, layer, layer_region_name(k))
        cells = mesh.region(layer_region_name(k)).cells
        masses.append(layer.density * mesh.volumes[cells])
        middles.append(mesh.centroids[cells])
    mass, middle = np.concatenate(masses), np.concatenate(middles)
    nodes = np.concatenate([core.nodes for core in found.cores])
    owner = np.repeat(np.arange(len(found.cores)), [len(core.nodes) for core in found.cores])
    owner = owner[KDTree(found.mesh.nodes[nodes]).query(middle)[1]]
    whole = tuple(add_point_masses(core, mass[owner == k], middle[owner == k]) for k, core in enumerate(found.whole))
    descriptions = [f"{1e3 * layer.thickness:.3g} mm of {1e-3 * layer.youngs_modulus:.3g} kPa" for layer in worn]
    return found._replace(
        mesh=mesh, whole=whole, notes=(*found.notes, f"wears {' and '.join(descriptions)} below its sole")
    )


def _extrude_below_sole(mesh: Mesh, layer: SoftLayer, name: str) -> Mesh:
    """Return a mesh with a layer of cells below its sole, a region for them, and the region sole below these."""
    which = mesh.sides_in("sole")
    which = which[mesh.side_normals[which, 2] < -MIN_DOWNWARD_NORMAL]
    sides, size = mesh.boundary[which][:, :3], float(np.sqrt(2.0 * mesh.side_areas[which].mean()))
    used, flat = np.unique(sides, return_inverse=True)
    layers = max(MIN_LAYER_CELLS, round(layer.thickness / size))
    steps = layer.thickness * np.arange(1, layers + 1) / layers
    down = mesh.nodes[used][None] - steps[:, None, None] * np.array([0.0, 0.0, 1.0])
    # Facets face down: seen from the last layer, they run counter-clockwise.
    lattice = prism_cells(flat.reshape(-1, 3), layers, len(used))
    number = np.concatenate([used, len(mesh.nodes) + np.arange(layers * len(used))])
    cells = np.concatenate([mesh.cells, number[lattice]])
    nodes = np.concatenate([mesh.nodes, down.reshape(-1, 3)])
    own = np.arange(len(mesh.cells), len(cells))
    lowest = number[layers * len(used) :]
    regions = {
        **mesh.regions,
        "sole": MeshRegion(lowest, np.zeros(0, dtype=int)),
        name: MeshRegion(np.unique(number[lattice]), own),
    }
    return replace(mesh, nodes=nodes, cells=cells, regions=regions)
