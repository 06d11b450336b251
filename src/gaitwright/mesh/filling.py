"""A closed surface, filled with tetrahedra by fTetWild (Y. Hu et al., ACM Trans. Graph. 39 (2020) 117), through pytetwild.

It keeps the surface within an envelope and makes good cells whatever the triangles are like. A second run gives another mesh:
keep what it makes as a file, with its origin.

About one run in fifty of the same surface goes wrong without a word: of a foot in cells of 40 mm, which has 3,000 to 5,000 of
them otherwise, it made 151,742 with a median edge of 0.35 mm, on which an analysis takes hours. Where edges are much shorter
than they were asked to be, it is therefore run again, and the mesh with the fewest cells is taken.
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

from gaitwright.checks import At
from gaitwright.mesh.distance import SurfaceTree
from gaitwright.mesh.extras import needed
from gaitwright.mesh.kinds import Array
from gaitwright.mesh.mesh import Mesh
from gaitwright.mesh.surfaces import surface_report
from gaitwright.mesh.tidy import tidied

EPSILON, STOP_ENERGY = 1e-3, 10.0
"""How far the surface may move, in diagonals of its box; and how well shaped the worst cell has to be (3 is perfect)."""
SCRIPT = """
import json, sys
import numpy, pytetwild
with numpy.load("surface.npz") as given:
    nodes, cells = pytetwild.tetrahedralize(given["nodes"], given["faces"], **json.loads(sys.argv[1]))
numpy.savez("cells.npz", nodes=nodes, cells=cells)
"""
TOO_FINE = 0.02
"""Median edge, in the size that was asked for, below which a mesh is made again: 0.14 to 0.3 of a foot in coarse cells."""
MAX_TRIES = 3
TETRAHEDRON_EDGES = np.array([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])
FINEST = 1000
"""Cells along the longest side, at most: a billion."""


def fill(
    surface: Mesh, size: float, *, inner: Mapping[str, Mesh] | None = None, epsilon: float = EPSILON,
    stop_energy: float = STOP_ENERGY, threads: int = 0,
) -> Mesh:  # fmt: skip
    """Tetrahedra with edges of about a size, m, within a closed surface. Regions of its triangles become regions of nodes.

    inner: closed surfaces that lie inside it, by name, as bones in a foot: no cell crosses them, and each becomes a region of
    cells. epsilon: how far surfaces may move, in diagonals of the box; a larger one allows larger cells. stop_energy: of the
    worst cell; less takes longer. threads: 0 for as many as there are. Takes seconds to minutes: the time goes with the
    number of cells."""
    at = At("fill")
    size, cores = at["size"].positive(size, "m"), dict(inner or {})
    notes = [*surface.notes, *_checked(surface, at)]
    for name, core in cores.items():
        _checked(core, At(f"fill: inner '{name}'"))
    if size > surface.size:
        at["size"].fail(
            "is longer than the surface itself", size, f"less than {surface.size:.3g} m; is the unit right?"
        )
    if surface.size > FINEST * size:
        at["size"].fail("makes a billion cells", size, f"some hundredths of {surface.size:.3g} m; is the unit right?")
    for name, core in cores.items():
        out = float(surface.distance(core.nodes).max())
        if out > 0.0:
            At(f"fill: inner '{name}'").fail(
                f"sticks out of the surface by {out:.3g} m", expected="one that lies inside it; cut it, too"
            )
    nodes, cells = _coarsest([surface, *cores.values()], size, epsilon, stop_energy, threads, at, notes)
    how = (
        f"filled by pytetwild {version('pytetwild')}, size {size:g} m, epsilon {epsilon:g}, stop_energy {stop_energy:g}"
    )
    about = [f"around {name}: {core.origin or 'a surface'}" for name, core in cores.items()]
    mesh = tidied(
        nodes, cells, origin="; ".join([*([surface.origin] if surface.origin else []), *about, how]), notes=notes
    )
    outer = mesh.surface_nodes
    off = np.abs(surface.distance(mesh.nodes[outer])).max()
    mesh = replace(mesh, notes=(*mesh.notes, f"its nodes are off the surface by at most {off:.2g} m"))
    reach = epsilon * float(np.linalg.norm(np.ptp(surface.nodes, axis=0)))
    for name, region in surface.regions.items():
        if len(region.cells):
            tree = SurfaceTree(surface.nodes, surface.cells[region.cells])
            near = outer[np.abs(tree.query(mesh.nodes[outer]).distance) <= reach]
            mesh = mesh.with_region(name, nodes=near, cells=[]) if len(near) else mesh
    for name, core in cores.items():
        mesh = mesh.with_region(name, cells=np.flatnonzero(core.distance(mesh.centroids) < 0.0))
    return mesh


def _checked(surface: Mesh, at: At) -> list[str]:
    """Whether it can be filled; and what is to be noted."""
    if not surface.is_surface:
        at.fail("is not a surface", surface, "a closed surface of triangles, or mesh.surface()")
    report = surface_report(surface)
    if not report.closed:
        at.fail(
            ", ".join(report.sentences()),
            expected="a closed one: gaitwright mesh --holes LENGTH, or gw.mesh.repaired(surface, holes=...), closes holes",
        )
    return [f"before it was filled, {text}" for text in report.sentences()[1:]]


def _coarsest(
    surfaces: list[Mesh], size: float, epsilon: float, stop_energy: float, threads: int, at: At, notes: list[str]
) -> tuple[Array, Array]:
    """The first mesh whose edges are about as long as they should be, or that with the fewest cells of several."""
    best = nodes, cells = _tetrahedra(surfaces, size, epsilon, stop_energy, threads, at)
    for run in range(2, MAX_TRIES + 1):
        ends = nodes[cells[:, TETRAHEDRON_EDGES]]
        edge = float(np.median(np.linalg.norm(ends[:, :, 1] - ends[:, :, 0], axis=2))) if len(cells) else size
        if edge >= TOO_FINE * size:
            break
        notes.append(f"run {run - 1} of the mesher made {len(cells)} cells with a median edge of {edge:.2g} m")
        nodes, cells = _tetrahedra(surfaces, size, epsilon, stop_energy, threads, at)
        if len(cells) < len(best[1]):
            best = nodes, cells
    return best


def _tetrahedra(
    surfaces: list[Mesh], size: float, epsilon: float, stop_energy: float, threads: int, at: At
) -> tuple[Array, Array]:
    """Of all surfaces together: what lies in an inner one lies in the outer one, and stays.

    In a process of its own, in a folder of its own: the library writes a file to where it runs, and cannot be interrupted."""
    needed("pytetwild", "filling a surface with tetrahedra")
    starts = np.cumsum([0, *(len(one.nodes) for one in surfaces)])
    nodes = np.concatenate([one.nodes for one in surfaces])
    faces = np.concatenate([one.cells + start for one, start in zip(surfaces, starts, strict=False)])
    options = {
        "edge_length_abs": size, "epsilon": epsilon, "stop_energy": stop_energy,
        "num_threads": threads or os.cpu_count() or 1, "quiet": True, "vtk_ordering": True,
    }  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="gaitwright-fill-", ignore_cleanup_errors=True) as folder:
        np.savez(Path(folder) / "surface.npz", nodes=nodes, faces=faces.astype(np.int32))
        where = os.pathsep.join(path for path in sys.path if path)
        ran = subprocess.run(
            [sys.executable, "-c", SCRIPT, json.dumps(options)], cwd=folder, env={**os.environ, "PYTHONPATH": where},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
        made = Path(folder) / "cells.npz"
        if ran.returncode or not made.exists():
            said = ran.stderr.decode(errors="replace").strip().splitlines()
            why = said[-1][:150] if said else f"it ended with {ran.returncode}"
            at.fail(f"failed ({why})", expected="surfaces without crossings, or another size")
        with np.load(made) as found:
            return found["nodes"], found["cells"]
