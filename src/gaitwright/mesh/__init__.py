"""Meshes for finite elements: nodes, cells of one kind, and named regions.

import gaitwright as gw

ball = gw.mesh.ball(radius=0.02, size=0.002, towards=(0, 0, -0.02), finest=2e-4, order=2)
ball = ball.with_region("held", gw.mesh.Above((0, 0, 0.01), (0, 0, 1)))

kinds.py        T3, T6, TET4, TET10: which nodes they have
topology.py     edges, sides, neighbours, pieces; measure.py lengths, areas, volumes; sound.py what cannot be a mesh
tidy.py         what others wrote, made into a mesh
mesh.py         Mesh, on skeleton.py: all that follows from nodes and cells
regions.py      places on a mesh; region_file.py as a model file writes them
refine.py       quadratic and smaller cells; curves.py smooth surfaces to lay them onto
distance.py     how far points are from a surface, exactly; nearest.py its compiled part
approximate.py  how deep they are inside by the screened Poisson equation; buckets.py its compiled part
files.py        read and save; foreign_files.py by meshio, surface_files.py by trimesh; units.py what a length may be
surfaces.py     scans made fit: joined, oriented, closed, cut; crossings.py its compiled part; filling.py filled with
tetrahedra quality.py      how well shaped cells are
shapes.py       shapes without a file: flat_shapes.py, solid_shapes.py on lattices.py
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitwright.on_demand import on_demand

if TYPE_CHECKING:
    from gaitwright.mesh.approximate import ApproximateDistance
    from gaitwright.mesh.curves import Round
    from gaitwright.mesh.distance import Nearest, OutlineTree, SurfaceTree
    from gaitwright.mesh.files import read
    from gaitwright.mesh.filling import fill
    from gaitwright.mesh.flat_shapes import disc, rectangle, ring
    from gaitwright.mesh.mesh import Mesh
    from gaitwright.mesh.quality import Quality
    from gaitwright.mesh.region_file import region_from
    from gaitwright.mesh.regions import Above, Boundary, Box, Named, Near, Plane, Region, Sphere, Where
    from gaitwright.mesh.solid_shapes import ball, box, cylinder, extruded, grid, hollow_ball, pad, pipe
    from gaitwright.mesh.surfaces import SurfaceReport, cut, oriented, repaired, surface_report
    from gaitwright.mesh.tidy import tidied

_WHERE = {
    "approximate": "ApproximateDistance",
    "curves": "Round",
    "distance": "Nearest OutlineTree SurfaceTree",
    "files": "read",
    "filling": "fill",
    "flat_shapes": "disc rectangle ring",
    "mesh": "Mesh",
    "quality": "Quality",
    "region_file": "region_from",
    "regions": "Above Boundary Box Named Near Plane Region Sphere Where",
    "solid_shapes": "ball box cylinder extruded grid hollow_ball pad pipe",
    "surfaces": "SurfaceReport cut oriented repaired surface_report",
    "tidy": "tidied",
}

__all__ = [
    "Above", "ApproximateDistance", "Boundary", "Box", "Mesh", "Named", "Near", "Nearest", "OutlineTree", "Plane", "Quality",
    "Region", "Round", "Sphere", "SurfaceReport", "SurfaceTree", "Where", "ball", "box", "cut", "cylinder", "disc",
    "extruded", "fill", "grid", "hollow_ball", "oriented", "pad", "pipe", "read", "rectangle", "region_from",
    "repaired", "ring", "surface_report", "tidied",
]  # fmt: skip

__getattr__, __dir__ = on_demand(__name__, _WHERE)
