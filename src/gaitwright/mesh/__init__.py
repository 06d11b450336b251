"""Meshes for finite elements: nodes, cells of one kind, and named regions.

import gaitwright as gw

ball = gw.mesh.ball(radius=0.02, size=0.002, towards=(0, 0, -0.02), finest=2e-4, order=2)
ball = ball.with_region("held", gw.mesh.HalfSpaceSelector((0, 0, 0.01), (0, 0, 1)))

cell_kinds.py        T3, T6, TET4, TET10: nodes, edges and sides of each kind of cell
topology.py          edges, sides, neighbours, connected pieces; cell_measures.py: lengths, areas, volumes; validation.py:
                     checks of nodes and cells
cleanup.py           tidied: a valid mesh from unchecked nodes and cells
mesh.py              Mesh, based on cell_complex.py: quantities derived from nodes and cells
regions.py           region selectors; region_reader.py: their form in a model file
refinement.py        quadratic and smaller cells; smooth_surfaces.py: smooth surfaces for new boundary nodes
distance.py          exact distance from a surface; nearest_triangle.py: its compiled part
approximate_distance.py  depth inside a mesh by the screened Poisson equation; bucket_grid.py: its compiled part
files.py             read and save; meshio_files.py by meshio, trimesh_files.py by trimesh; length_units.py: units of length
surface_repair.py    repair of scans: welding, orientation, closing of holes, cutting; filling.py: filling with
                     tetrahedra
contact_points.py    contact points on the surface of a solid
quality.py           shape measures of cells
shape_construction.py    parametric shapes: planar_shapes.py, solid_shapes.py, based on lattices.py
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
