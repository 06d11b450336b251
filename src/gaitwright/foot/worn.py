"""What a foot wears below its sole: layers of cells that share its nodes, straight down from it.

Straight down and not along its normals: where the sole is round, at its border, such a layer becomes thinner and never folds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.spatial import KDTree

from gaitwright.foot.anatomy import Anatomy, heavier
from gaitwright.foot.layer import Layer
from gaitwright.mesh.lattices import prism_cells
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.regions import Region

LEAST = 2
"""Cells on each other in a layer: one would not bend."""
STEEP = 0.2
"""Sides of the sole whose outward normal has less than this part downward wear nothing: cells below them would be slivers."""


def region_of(k: int) -> str:
    """Of the cells of what is worn, from the skin on."""
    return f"worn_{k + 1}"


def with_worn(found: Anatomy, worn: Sequence[Layer]) -> Anatomy:
    """What a foot is made of, with layers below its sole, from the skin to the ground; the region sole is the lowest."""
    mesh, masses, middles = found.mesh, [], []
    for k, layer in enumerate(worn):
        mesh = _below(mesh, layer, region_of(k))
        cells = mesh.region(region_of(k)).cells
        masses.append(layer.density * mesh.volumes[cells])
        middles.append(mesh.centroids[cells])
    mass, middle = np.concatenate(masses), np.concatenate(middles)
    nodes = np.concatenate([core.nodes for core in found.cores])
    owner = np.repeat(np.arange(len(found.cores)), [len(core.nodes) for core in found.cores])
    owner = owner[KDTree(found.mesh.nodes[nodes]).query(middle)[1]]
    whole = tuple(heavier(core, mass[owner == k], middle[owner == k]) for k, core in enumerate(found.whole))
    told = [f"{1e3 * layer.thickness:.3g} mm of {1e-3 * layer.youngs_modulus:.3g} kPa" for layer in worn]
    return found._replace(mesh=mesh, whole=whole, notes=(*found.notes, f"wears {' and '.join(told)} below its sole"))


def _below(mesh: Mesh, layer: Layer, name: str) -> Mesh:
    """A mesh with cells below its sole, a region of them, and the region sole below these."""
    which = mesh.sides_in("sole")
    which = which[mesh.side_normals[which, 2] < -STEEP]
    sides, size = mesh.boundary[which][:, :3], float(np.sqrt(2.0 * mesh.side_areas[which].mean()))
    used, flat = np.unique(sides, return_inverse=True)
    layers = max(LEAST, round(layer.thickness / size))
    steps = layer.thickness * np.arange(1, layers + 1) / layers
    down = mesh.nodes[used][None] - steps[:, None, None] * np.array([0.0, 0.0, 1.0])
    # Sides look down: seen from the last layer they run counter-clockwise.
    lattice = prism_cells(flat.reshape(-1, 3), layers, len(used))
    number = np.concatenate([used, len(mesh.nodes) + np.arange(layers * len(used))])
    cells = np.concatenate([mesh.cells, number[lattice]])
    nodes = np.concatenate([mesh.nodes, down.reshape(-1, 3)])
    own = np.arange(len(mesh.cells), len(cells))
    lowest = number[layers * len(used) :]
    regions = {
        **mesh.regions,
        "sole": Region(lowest, np.zeros(0, dtype=int)),
        name: Region(np.unique(number[lattice]), own),
    }
    return replace(mesh, nodes=nodes, cells=cells, regions=regions)
