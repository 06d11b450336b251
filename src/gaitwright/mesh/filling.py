"""Filling of a closed surface with tetrahedra by fTetWild (Y. Hu et al., ACM Trans. Graph. 39 (2020) 117), through pytetwild.

fTetWild keeps the surface within an envelope and makes well-shaped cells for arbitrary triangles. A second run gives another
mesh: save its result as a file, with its origin.

About one run in fifty of the same surface fails without an error: for a foot in cells of 40 mm, usually with 3,000 to 5,000
cells, it made 151,742 with a median edge of 0.35 mm, and an analysis on such a mesh takes hours. So if the median edge is
much shorter than requested, the mesher is run again, and the mesh with the fewest cells is taken.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.cleanup import tidied
from gaitwright.mesh.distance import SurfaceTree
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.optional_packages import import_package
from gaitwright.mesh.surface_repair import surface_report

SURFACE_SHIFT_RTOL, MAX_CELL_ENERGY = 1e-3, 10.0
"""Largest shift of the surface, in diagonals of its bounding box; and energy that the worst cell has to reach (3 is
perfect)."""
MESHER_SCRIPT = """
import json, sys
import numpy, pytetwild
with numpy.load("surface.npz") as given:
    nodes, cells = pytetwild.tetrahedralize(given["nodes"], given["faces"], **json.loads(sys.argv[1]))
numpy.savez("cells.npz", nodes=nodes, cells=cells)
"""
MIN_EDGE_SIZE_RATIO = 0.02
"""Median edge over the requested size, below which the mesher is run again: a foot in coarse cells has 0.14 to 0.3."""
MAX_MESHER_RUNS = 3
TETRAHEDRON_EDGES = np.array([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])
MAX_CELLS_PER_SIDE = 1000
"""Upper bound of the cells along the longest side: a billion cells in total."""


def fill(
    surface: Mesh, size: float, *, inner: Mapping[str, Mesh] | None = None, epsilon: float = SURFACE_SHIFT_RTOL,
    stop_energy: float = MAX_CELL_ENERGY, threads: int = 0,
) -> Mesh:  # fmt: skip
    """Fill a closed surface with tetrahedra with edges of about a size, m. Regions of its triangles become regions of nodes.

    inner: closed surfaces inside it, by name, such as bones in a foot: no cell crosses them, and each becomes a region of
    cells.
    epsilon: largest shift of surfaces, in diagonals of the bounding box; a larger one allows larger cells. stop_energy: of
    the worst cell; a smaller one takes longer. threads: 0 for all available cores. Takes seconds to minutes, in proportion
    to the number of cells. Raises ModelError if a surface cannot be filled."""
    at = ErrorContext("fill")
    size, cores = at["size"].positive(size, "m"), dict(inner or {})
    notes = [*surface.notes, *_check_fillable(surface, at)]
    for name, core in cores.items():
        _check_fillable(core, ErrorContext(f"fill: inner '{name}'"))
    if size > surface.size:
        at["size"].fail(
            "is longer than the surface itself", size, f"less than {surface.size:.3g} m; is the unit right?"
        )
    if surface.size > MAX_CELLS_PER_SIDE * size:
        at["size"].fail("makes a billion cells", size, f"some hundredths of {surface.size:.3g} m; is the unit right?")
    for name, core in cores.items():
        overhang = float(surface.distance(core.nodes).max())
        if overhang > 0.0:
            ErrorContext(f"fill: inner '{name}'").fail(
                f"sticks out of the surface by {overhang:.3g} m", expected="one that lies inside it; cut it, too"
            )
    nodes, cells = _find_coarsest_mesh([surface, *cores.values()], size, epsilon, stop_energy, threads, at, notes)
    how = (
        f"filled by pytetwild {version('pytetwild')}, size {size:g} m, epsilon {epsilon:g}, stop_energy {stop_energy:g}"
    )
    about = [f"around {name}: {core.origin or 'a surface'}" for name, core in cores.items()]
    mesh = tidied(
        nodes, cells, origin="; ".join([*([surface.origin] if surface.origin else []), *about, how]), notes=notes
    )
    outer = mesh.surface_nodes
    deviation = np.abs(surface.distance(mesh.nodes[outer])).max()
    mesh = replace(mesh, notes=(*mesh.notes, f"its nodes are off the surface by at most {deviation:.2g} m"))
    reach = epsilon * float(np.linalg.norm(np.ptp(surface.nodes, axis=0)))
    for name, region in surface.regions.items():
        if len(region.cells):
            tree = SurfaceTree(surface.nodes, surface.cells[region.cells])
            nearby_nodes = outer[np.abs(tree.query(mesh.nodes[outer]).distance) <= reach]
            mesh = mesh.with_region(name, nodes=nearby_nodes, cells=[]) if len(nearby_nodes) else mesh
    for name, core in cores.items():
        mesh = mesh.with_region(name, cells=np.flatnonzero(core.distance(mesh.centroids) < 0.0))
    return mesh


def _check_fillable(surface: Mesh, at: ErrorContext) -> list[str]:
    """Check that a surface can be filled, and return notes about it."""
    if not surface.is_surface:
        at.fail("is not a surface", surface, "a closed surface of triangles, or mesh.surface()")
    report = surface_report(surface)
    if not report.closed:
        at.fail(
            ", ".join(report.sentences()),
            expected="a closed one: gaitwright mesh --close-holes LENGTH, or gw.mesh.repaired(surface, holes=...), closes it",
        )
    return [f"before it was filled, {text}" for text in report.sentences()[1:]]


def _find_coarsest_mesh(
    surfaces: list[Mesh],
    size: float,
    epsilon: float,
    stop_energy: float,
    threads: int,
    at: ErrorContext,
    notes: list[str],
) -> tuple[Array, Array]:
    """The first mesh with edges of about the requested length, or the one with the fewest cells of MAX_MESHER_RUNS."""
    best = nodes, cells = _run_mesher(surfaces, size, epsilon, stop_energy, threads, at)
    for run in range(2, MAX_MESHER_RUNS + 1):
        ends = nodes[cells[:, TETRAHEDRON_EDGES]]
        edge = float(np.median(np.linalg.norm(ends[:, :, 1] - ends[:, :, 0], axis=2))) if len(cells) else size
        if edge >= MIN_EDGE_SIZE_RATIO * size:
            break
        notes.append(f"run {run - 1} of the mesher made {len(cells)} cells with a median edge of {edge:.2g} m")
        nodes, cells = _run_mesher(surfaces, size, epsilon, stop_energy, threads, at)
        if len(cells) < len(best[1]):
            best = nodes, cells
    return best


def _run_mesher(
    surfaces: list[Mesh], size: float, epsilon: float, stop_energy: float, threads: int, at: ErrorContext
) -> tuple[Array, Array]:
    """Mesh all surfaces together: cells inside an inner surface also lie inside the outer one, and are kept.

    The mesher runs in a separate process and folder: the library writes a file to the working directory and cannot be
    interrupted."""
    import_package("pytetwild", "filling a surface with tetrahedra")
    starts = np.cumsum([0, *(len(surface.nodes) for surface in surfaces)])
    nodes = np.concatenate([surface.nodes for surface in surfaces])
    faces = np.concatenate([surface.cells + start for surface, start in zip(surfaces, starts, strict=False)])
    options = {
        "edge_length_abs": size, "epsilon": epsilon, "stop_energy": stop_energy,
        "num_threads": threads or os.cpu_count() or 1, "quiet": True, "vtk_ordering": True,
    }  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="gaitwright-fill-", ignore_cleanup_errors=True) as folder:
        np.savez(Path(folder) / "surface.npz", nodes=nodes, faces=faces.astype(np.int32))
        where = os.pathsep.join(path for path in sys.path if path)
        ran = subprocess.run(
            [sys.executable, "-c", MESHER_SCRIPT, json.dumps(options)], cwd=folder, env={**os.environ, "PYTHONPATH": where},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
        cells_file = Path(folder) / "cells.npz"
        if ran.returncode or not cells_file.exists():
            error_lines = ran.stderr.decode(errors="replace").strip().splitlines()
            why = error_lines[-1][:150] if error_lines else f"it ended with {ran.returncode}"
            at.fail(f"failed ({why})", expected="surfaces without crossings, or another size")
        with np.load(cells_file) as arrays:
            return arrays["nodes"], arrays["cells"]
