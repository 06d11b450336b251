"""A closed surface, filled with tetrahedra by fTetWild (Y. Hu et al., ACM Trans. Graph. 39 (2020) 117), through pytetwild.

It keeps the surface within an envelope and makes good cells whatever the triangles are like. A second run gives another mesh:
keep what it makes as a file, with its origin.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import numpy as np

from gaitwright.checks import At
from gaitwright.errors import GaitwrightError
from gaitwright.mesh.distance import SurfaceTree
from gaitwright.mesh.extras import needed
from gaitwright.mesh.files import quietly
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.surfaces import surface_report
from gaitwright.mesh.tidy import tidied

EPSILON, STOP_ENERGY = 1e-3, 10.0
"""How far the surface may move, in diagonals of its box; and how well shaped the worst cell has to be (3 is perfect)."""


def fill(
    surface: Mesh, size: float, *, epsilon: float = EPSILON, stop_energy: float = STOP_ENERGY, threads: int = 0
) -> Mesh:
    """Tetrahedra with edges of about a size, m, within a closed surface. Regions of its triangles become regions of nodes.

    epsilon: how far the surface may move, in diagonals of its box. stop_energy: of the worst cell; less takes longer.
    threads: 0 for as many as there are. Takes seconds to minutes: the time goes with the number of cells."""
    at = At("fill")
    if not surface.is_surface:
        at.fail("is not a surface", surface, "a closed surface of triangles, or mesh.surface()")
    size = at["size"].positive(size, "m")
    if size > surface.size:
        at["size"].fail(
            "is longer than the surface itself", size, f"less than {surface.size:.3g} m; is the unit right?"
        )
    if surface.size / size > 1000:
        at["size"].fail(
            "would make a billion cells", size, f"some hundredths of {surface.size:.3g} m; is the unit right?"
        )
    report = surface_report(surface)
    if not report.closed:
        at.fail(
            ", ".join(report.sentences()), expected="a closed one: gw.mesh.repaired(surface, holes=...) closes holes"
        )
    pytetwild: Any = needed("pytetwild", "filling a surface with tetrahedra")
    try:
        with quietly():
            nodes, cells = pytetwild.tetrahedralize(
                np.array(surface.nodes), surface.cells.astype(np.int32), edge_length_abs=size, epsilon=epsilon,
                stop_energy=stop_energy, num_threads=threads or os.cpu_count() or 1, quiet=True, vtk_ordering=True,
            )  # fmt: skip
    except GaitwrightError:
        raise
    except Exception as error:
        at.fail(f"failed ({str(error).splitlines()[0][:100] if str(error) else type(error).__name__})",
                expected="a surface without crossings, or another size")  # fmt: skip
    from importlib.metadata import version

    how = (
        f"filled by pytetwild {version('pytetwild')}, size {size:g} m, epsilon {epsilon:g}, stop_energy {stop_energy:g}"
    )
    notes = [*surface.notes, *(f"before it was filled, {text}" for text in report.sentences()[1:])]
    mesh = tidied(nodes, cells, origin=f"{surface.origin}; {how}".removeprefix("; "), notes=notes)
    reach = epsilon * float(np.linalg.norm(np.ptp(surface.nodes, axis=0)))
    outer = mesh.surface_nodes
    off = np.abs(surface.tree.query(mesh.nodes[outer]).distance).max()
    mesh = replace(mesh, notes=(*mesh.notes, f"its nodes are off the surface by at most {off:.2g} m"))
    for name, region in surface.regions.items():
        if len(region.cells):
            own = np.abs(SurfaceTree(surface.nodes, surface.cells[region.cells]).query(mesh.nodes[outer]).distance)
            near = outer[own <= reach]
            if len(near):
                mesh = mesh.with_region(name, nodes=near, cells=[])
    return mesh
