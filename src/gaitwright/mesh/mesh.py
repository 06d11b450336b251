"""A mesh: nodes, cells of one kind, and named regions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright.mesh import cell_measures, refinement
from gaitwright.mesh.cell_complex import CellComplex
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.refinement import Projection, RefinedCells
from gaitwright.mesh.regions import MeshRegion, RegionSelector, format_point
from gaitwright.mesh.validation import check_arrays, check_cells, describe_members

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gaitwright.mesh.quality import Quality

MAX_REFINEMENT_ROUNDS = 60
"""Upper bound of bisection rounds: each makes cells about 0.8 times as long, so this is a factor of a million."""


@dataclass(frozen=True, eq=False)
class Mesh(CellComplex):
    """Cells of one kind between nodes.

    nodes: (n, 2) or (n, 3), m. cells: node numbers, from 0: TET4 (m, 4), TET10 (m, 10), T3 (m, 3) or T6 (m, 6), in the
    order of VTK and meshio, all with positive volume; triangles between nodes of space are a surface. regions: by name.
    origin: source of the mesh, stored with it in files. notes: remarks on its creation. A mesh is immutable: every method
    returns a new one. Raises ModelError for invalid arrays."""

    regions: Mapping[str, MeshRegion] = field(default_factory=dict)
    origin: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        at = ErrorContext("mesh")
        nodes, cells, kind = check_arrays(self.nodes, self.cells, at)
        check_cells(nodes, cells, kind, at)
        for name, value in (("nodes", nodes), ("cells", cells)):
            value = np.array(value)  # a copy: the caller may still modify the original
            value.flags.writeable = False
            object.__setattr__(self, name, value)
        for name, region in self.regions.items():
            if any(
                len(own) and own[[0, -1]].max() >= n
                for own, n in ((region.nodes, len(nodes)), (region.cells, len(cells)))
            ):
                ErrorContext(f"region '{name}'").fail(
                    "names nodes or cells that the mesh does not have", expected="numbers from 0"
                )
        object.__setattr__(self, "regions", MappingProxyType(dict(self.regions)))
        object.__setattr__(self, "notes", tuple(self.notes))

    def __repr__(self) -> str:
        names = f", regions {', '.join(self.regions)}" if self.regions else ""
        return f"Mesh({len(self.nodes)} nodes, {len(self.cells)} {self.kind.name}{names})"

    def __reduce__(self) -> Any:
        return Mesh, (self.nodes, self.cells, dict(self.regions), self.origin, self.notes)

    def surface(self) -> Mesh:
        """The boundary as a mesh of flat triangles. Its node k is node `surface_nodes[k]` of this mesh; regions keep their
        nodes, and contain the triangles between them."""
        used, flat = np.unique(self.triangles, return_inverse=True)
        surface = Mesh(self.nodes[used], flat.reshape(-1, 3), {}, f"surface of: {self.origin}" if self.origin else "")
        regions = {}
        for name, region in self.regions.items():
            chosen = np.flatnonzero(np.isin(used, region.nodes))
            if len(chosen):
                regions[name] = surface._region(chosen, None)
        return replace(surface, regions=regions)

    # Regions

    def region(self, name: str) -> MeshRegion:
        """Return a region by its name. Raises ModelError if there is none of that name."""
        if name not in self.regions:
            ErrorContext(f"region '{name}'").fail(
                "the mesh has no such region",
                expected=format_choices(name, list(self.regions), "none: it has no regions"),
            )
        return self.regions[name]

    def with_region(
        self, name: str, where: RegionSelector | Any = None, *, nodes: Any = None, cells: Any = None
    ) -> Mesh:
        """The same mesh with one more region (or a replaced one of that name), from a selector, or from numbers of nodes
        or cells.

        If only nodes are given, its cells are those between them; if only cells are given, its nodes are theirs. Raises
        ModelError for a region without members or invalid numbers."""
        at = ErrorContext(f"region '{name}'")
        if isinstance(where, RegionSelector):
            chosen = MeshRegion(np.flatnonzero(where.nodes(self)), np.flatnonzero(where.cells(self)))
            if not len(chosen.nodes) and not len(chosen.cells):
                reach = f"from {format_point(self.bounds[0])} to {format_point(self.bounds[1])} m"
                at.fail(
                    f"nothing of the mesh lies in {where}",
                    expected=f"a place on it: it reaches {reach}{where.missed(self)}",
                )
        else:
            nodes = where if nodes is None else nodes
            if nodes is None and cells is None:
                at.fail(
                    "has no members", expected="a selector such as gw.mesh.PlaneSelector, or numbers of nodes or cells"
                )
            lists = [self._numbers(value, count, at[field]) for value, count, field in (
                (nodes, len(self.nodes), "nodes"), (cells, len(self.cells), "cells"))]  # fmt: skip
            chosen = self._region(*lists)
        return replace(self, regions={**self.regions, name: chosen})

    def _numbers(self, value: Any, count: int, at: ErrorContext) -> Array | None:
        if value is None:
            return None
        numbers = np.asarray(value)
        if numbers.dtype == bool and numbers.shape == (count,):
            numbers = np.flatnonzero(numbers)
        if numbers.size == 0:
            numbers = np.zeros(0, dtype=np.int64)
        if (
            numbers.ndim != 1
            or numbers.dtype.kind not in "iu"
            or (numbers.size and not 0 <= numbers.min() <= numbers.max() < count)
        ):
            at.fail("is not a list of its numbers", value, f"whole numbers from 0 to {count - 1}")
        return numbers

    def _region(self, nodes: Array | None, cells: Array | None) -> MeshRegion:
        if nodes is None:
            nodes = np.unique(self.cells[cells])
        if cells is None:
            cells = np.flatnonzero(np.isin(self.cells, nodes).all(axis=1))
        return MeshRegion(nodes, cells)

    def sides_in(self, name: str) -> Array:
        """Indices (k,) of the boundary sides in a region: those with all nodes in it."""
        return np.flatnonzero(np.isin(self.boundary, self.region(name).nodes).all(axis=1))

    def partition(self, names: Sequence[str], rest: str | None = None) -> Array:
        """Index in `names` of the region of each cell (m,), for properties with one value per cell, such as a material.
        rest: name of the region for all other cells. Raises ModelError if a cell is in several regions or in none."""
        count = np.zeros(len(self.cells), dtype=np.int64)
        owner = np.full(len(self.cells), -1 if rest is None else list(names).index(rest))
        for k, name in enumerate(names):
            if name != rest:
                owner[self.region(name).cells] = k
                count[self.region(name).cells] += 1
        at = ErrorContext("mesh")
        if (count > 1).any():
            at.fail(describe_members(np.flatnonzero(count > 1), "cell", f"are in several of the regions {', '.join(names)}"),
                    expected="each in one, as with BoxSelector(...) - NamedRegionSelector('core')")  # fmt: skip
        if (owner < 0).any():
            at.fail(describe_members(np.flatnonzero(owner < 0), "cell", f"are in none of the regions {', '.join(names)}"),
                    expected="each in one, or a name for the rest")  # fmt: skip
        return owner

    # Conversion to lists

    def to_dict(self) -> dict[str, Any]:
        """Nodes, cells and regions as lists, for files that hold more than a mesh."""
        regions = {
            name: {"nodes": region.nodes.tolist(), "cells": region.cells.tolist()}
            for name, region in self.regions.items()
        }
        return {"nodes": self.nodes.tolist(), "cells": self.cells.tolist(), "regions": regions, "origin": self.origin}

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any]) -> Mesh:
        """The mesh of `to_dict`. Raises ModelError for invalid content."""
        at = ErrorContext("mesh")
        for name in raw:
            at.one_of(name, ("nodes", "cells", "regions", "origin"), "is no field of a mesh")
        points, cells_expected = "a list of points, m", "a list of numbers of nodes for each cell"
        nodes = at["nodes"].numbers(at["nodes"].given(raw.get("nodes"), points), points)
        cells = at["cells"].numbers(at["cells"].given(raw.get("cells"), cells_expected), cells_expected)
        regions = raw.get("regions", {})
        if not isinstance(regions, Mapping) or not all(isinstance(region, Mapping) for region in regions.values()):
            at["regions"].fail("have no names", regions, "a mapping such as {top: {nodes: [0, 1, 2]}}")

        def listed(name: str, region: Mapping[str, Any], kind: str) -> Array:
            return at[f"regions.{name}"].numbers(region.get(kind, ()), f"a list of {kind}").astype(int)

        regions = {
            name: MeshRegion(*(listed(name, region, x) for x in ("nodes", "cells"))) for name, region in regions.items()
        }
        if not np.array_equal(cells, np.rint(cells)):
            at["cells"].fail("are not whole numbers", expected=cells_expected)
        return cls(nodes, cells.astype(int), regions, str(raw.get("origin", "")))

    # Modified copies

    def scaled(self, factor: float) -> Mesh:
        """Scaled by a factor about the origin."""
        ErrorContext("mesh", "factor").positive(factor)
        return replace(self, nodes=self.nodes * factor)

    def moved(self, by: Sequence[float]) -> Mesh:
        """Shifted by (d,), m."""
        shift = np.asarray(by, dtype=float)
        if shift.shape != (self.dimension,):
            ErrorContext("mesh", "by").fail("is not a vector", by, f"{self.dimension} numbers, m")
        return replace(self, nodes=self.nodes + shift)

    def turned(
        self, angle: float, axis: Sequence[float] = (0.0, 0.0, 1.0), about: Sequence[float] | None = None
    ) -> Mesh:
        """Rotated by an angle, rad, about an axis (in the plane: a point) through `about`, m; default: the origin."""
        ErrorContext("mesh", "angle").radians(angle)
        centre = np.zeros(self.dimension) if about is None else np.asarray(about, dtype=float)
        x, y, z = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        turn = np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross
        d = self.dimension
        return replace(self, nodes=centre + (self.nodes - centre) @ turn[:d, :d].T)

    def quadratic(self, onto: Projection | Sequence[Projection] = ()) -> Mesh:
        """The same mesh with a midpoint node on every edge. onto: smooth surfaces (gw.mesh.SphereOrCylinder); midpoints of
        boundary edges with both ends on such a surface are projected onto it, the others stay straight."""
        return self if self.kind.order == 2 else self._finer(
            refinement.make_quadratic(self.nodes, self.cells, self.kind, _as_projections(onto)))  # fmt: skip

    def linear(self) -> Mesh:
        """The same mesh without the midpoint nodes of edges."""
        if self.kind.order == 1:
            return self
        corners = self.cells[:, : self.kind.corners]
        used, cells = np.unique(corners, return_inverse=True)
        number = np.full(len(self.nodes), -1)
        number[used] = np.arange(len(used))
        regions = {}
        for name, region in self.regions.items():
            corner_nodes = number[region.nodes]
            regions[name] = MeshRegion(corner_nodes[corner_nodes >= 0], region.cells)
        return replace(self, nodes=self.nodes[used], cells=cells.reshape(corners.shape), regions=regions)

    def refined(
        self, where: RegionSelector | None = None, *, size: float | Callable[[Array], Array] | None = None,
        onto: Projection | Sequence[Projection] = (),
    ) -> Mesh:  # fmt: skip
        """The same mesh with smaller cells. Without `where` and `size`, each triangle becomes four and each tetrahedron
        eight. where: the selected cells are bisected, and adjacent ones as far as needed for a conforming mesh. size:
        cells (selected by `where`, or all) are bisected until no edge is longer, m; a function returns the size at points
        (n, d)."""
        curves = _as_projections(onto)
        if where is None and size is None:
            return self._finer(refinement.split_all_cells(self.nodes, self.cells, self.kind, curves))
        if self.kind.order == 2:
            return self.linear().refined(where, size=size, onto=onto).quadratic(onto)
        mesh = self
        for _ in range(MAX_REFINEMENT_ROUNDS if size is not None else 1):
            chosen = np.ones(len(mesh.cells), dtype=bool) if where is None else where.cells(mesh)
            if size is not None:
                allowed: Any = (
                    size(mesh.centroids) if callable(size) else ErrorContext("mesh", "size").positive(size, "m")
                )
                chosen &= cell_measures.longest_edges(mesh.nodes, mesh.cells, mesh.kind) > allowed * (1.0 + 1e-9)
            if not chosen.any():
                break
            mesh = mesh._finer(refinement.bisect_cells(mesh.nodes, mesh.cells, mesh.kind, chosen, curves))
        return mesh

    def _finer(self, finer: RefinedCells) -> Mesh:
        """The refined mesh with its regions: a new node belongs to the regions of both its parents; for a region on the
        boundary, only on boundary edges."""
        old = len(self.nodes)
        outer = np.zeros(old, dtype=bool)
        outer[self.surface_nodes if self.dimension == 3 else self.boundary] = True
        regions = {}
        for name, region in self.regions.items():
            chosen = np.zeros(old, dtype=bool)
            chosen[region.nodes] = True
            member = np.zeros(len(finer.nodes), dtype=bool)
            member[:old] = chosen
            member[old:] = member[finer.parents].all(axis=1) & (finer.outside | (not outer[region.nodes].all()))
            cells = np.flatnonzero(np.isin(finer.source, region.cells))
            regions[name] = MeshRegion(np.flatnonzero(member), cells)
        return replace(self, nodes=finer.nodes, cells=finer.cells, regions=regions)

    # Output

    def quality(self) -> Quality:
        """Shape measures of the cells, as a table."""
        from gaitwright.mesh.quality import quality_of

        return quality_of(self)

    def save(self, path: str | Path) -> Path:
        """Write the mesh with its regions, origin and notes: .npz, .vtu, or another format of save_mesh. Nodes are in m."""
        from gaitwright.mesh.files import save_mesh

        return save_mesh(self, path)

    def plot(self, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot the surface with its regions, and the interior coloured by cell shape. See
        gaitwright.report.views.mesh_plots.plot_mesh."""
        from gaitwright.report.views.mesh_plots import plot_mesh

        return plot_mesh(self, path, **options)


def _as_projections(onto: Any) -> tuple[Projection, ...]:
    several: Any = (onto,) if callable(onto) else onto
    return tuple(several)
