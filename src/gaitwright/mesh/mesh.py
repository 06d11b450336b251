"""A mesh: nodes, cells of one kind, and named regions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At, offer
from gaitwright.mesh import measure, refine
from gaitwright.mesh.kinds import Array
from gaitwright.mesh.refine import Finer, Projection
from gaitwright.mesh.regions import Region, Where, said
from gaitwright.mesh.skeleton import Skeleton
from gaitwright.mesh.sound import check_cells, checked_arrays, some

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gaitwright.mesh.quality import Quality

MOST_ROUNDS = 60
"""Of cutting cells in two: each one makes cells 0.8 times as long, so this is a factor of a million."""


@dataclass(frozen=True, eq=False)
class Mesh(Skeleton):
    """Cells of one kind between nodes.

    nodes: (n, 2) or (n, 3), m. cells: numbers of nodes, from 0: TET4 (m, 4), TET10 (m, 10), T3 (m, 3) or T6 (m, 6), in the
    order of VTK and meshio, all with positive volume; triangles between nodes of space are a surface. regions: by name.
    origin: where it comes from, kept with it in files. notes: what was noticed on the way. Nothing of it can be changed:
    every method gives a new one."""

    regions: Mapping[str, Region] = field(default_factory=dict)
    origin: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        at = At("mesh")
        nodes, cells, kind = checked_arrays(self.nodes, self.cells, at)
        check_cells(nodes, cells, kind, at)
        for name, value in (("nodes", nodes), ("cells", cells)):
            value = np.array(value)  # its own: whoever gave it may go on writing
            value.flags.writeable = False
            object.__setattr__(self, name, value)
        for name, region in self.regions.items():
            if any(
                len(own) and own[[0, -1]].max() >= n
                for own, n in ((region.nodes, len(nodes)), (region.cells, len(cells)))
            ):
                At(f"region '{name}'").fail(
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
        """The boundary as a mesh of flat triangles. Its node k is node `surface_nodes[k]` of this one; regions keep their
        nodes, and have the triangles between them."""
        used, flat = np.unique(self.triangles, return_inverse=True)
        surface = Mesh(self.nodes[used], flat.reshape(-1, 3), {}, f"surface of: {self.origin}" if self.origin else "")
        regions = {}
        for name, region in self.regions.items():
            chosen = np.flatnonzero(np.isin(used, region.nodes))
            if len(chosen):
                regions[name] = surface._region(chosen, None)
        return replace(surface, regions=regions)

    # Regions

    def region(self, name: str) -> Region:
        """A region by its name."""
        if name not in self.regions:
            At(f"region '{name}'").fail(
                "the mesh has no such region", expected=offer(name, list(self.regions), "none: it has no regions")
            )
        return self.regions[name]

    def with_region(self, name: str, where: Where | Any = None, *, nodes: Any = None, cells: Any = None) -> Mesh:
        """The same mesh with one more region (or another one of that name): where a place is, or of numbers of nodes or
        cells.

        Of nodes alone, its cells are those between them; of cells alone, its nodes are theirs."""
        at = At(f"region '{name}'")
        if isinstance(where, Where):
            chosen = Region(np.flatnonzero(where.nodes(self)), np.flatnonzero(where.cells(self)))
            if not len(chosen.nodes) and not len(chosen.cells):
                reach = f"from {said(self.bounds[0])} to {said(self.bounds[1])} m"
                at.fail(
                    f"nothing of the mesh lies in {where}",
                    expected=f"a place on it: it reaches {reach}{where.missed(self)}",
                )
        else:
            nodes = where if nodes is None else nodes
            if nodes is None and cells is None:
                at.fail("is nowhere", expected="a place such as gw.mesh.Plane, or numbers of nodes or cells")
            lists = [self._numbers(value, count, at[field]) for value, count, field in (
                (nodes, len(self.nodes), "nodes"), (cells, len(self.cells), "cells"))]  # fmt: skip
            chosen = self._region(*lists)
        return replace(self, regions={**self.regions, name: chosen})

    def _numbers(self, value: Any, count: int, at: At) -> Array | None:
        if value is None:
            return None
        found = np.asarray(value)
        if found.dtype == bool and found.shape == (count,):
            found = np.flatnonzero(found)
        if found.size == 0:
            found = np.zeros(0, dtype=np.int64)
        if (
            found.ndim != 1
            or found.dtype.kind not in "iu"
            or (found.size and not 0 <= found.min() <= found.max() < count)
        ):
            at.fail("is not a list of its numbers", value, f"whole numbers from 0 to {count - 1}")
        return found

    def _region(self, nodes: Array | None, cells: Array | None) -> Region:
        if nodes is None:
            nodes = np.unique(self.cells[cells])
        if cells is None:
            cells = np.flatnonzero(np.isin(self.cells, nodes).all(axis=1))
        return Region(nodes, cells)

    def sides_in(self, name: str) -> Array:
        """Which sides of the boundary lie in a region (k,): those all of whose nodes do."""
        return np.flatnonzero(np.isin(self.boundary, self.region(name).nodes).all(axis=1))

    def partition(self, names: Sequence[str], rest: str | None = None) -> Array:
        """Which of the named regions each cell belongs to (m,), as a place in the list: for what has one value per cell, as a
        material. rest: the one that gets the cells of no other."""
        count = np.zeros(len(self.cells), dtype=np.int64)
        owner = np.full(len(self.cells), -1 if rest is None else list(names).index(rest))
        for k, name in enumerate(names):
            if name != rest:
                owner[self.region(name).cells] = k
                count[self.region(name).cells] += 1
        at = At("mesh")
        if (count > 1).any():
            at.fail(some(np.flatnonzero(count > 1), "cell", f"are in several of the regions {', '.join(names)}"),
                    expected="each in one: take one away from the other, as in Box(...) - Named('core')")  # fmt: skip
        if (owner < 0).any():
            at.fail(some(np.flatnonzero(owner < 0), "cell", f"are in none of the regions {', '.join(names)}"),
                    expected="each in one, or a name for the rest")  # fmt: skip
        return owner

    # As plain numbers

    def to_dict(self) -> dict[str, Any]:
        """Nodes, cells and regions as lists, for files in which there is more than a mesh."""
        regions = {
            name: {"nodes": region.nodes.tolist(), "cells": region.cells.tolist()}
            for name, region in self.regions.items()
        }
        return {"nodes": self.nodes.tolist(), "cells": self.cells.tolist(), "regions": regions, "origin": self.origin}

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any]) -> Mesh:
        """The mesh of `to_dict`."""
        at = At("mesh")
        for name in raw:
            at.one_of(name, ("nodes", "cells", "regions", "origin"), "is nothing that a mesh has")
        points, whole = "a list of points, m", "a list of numbers of nodes for each cell"
        nodes = at["nodes"].numbers(at["nodes"].given(raw.get("nodes"), points), points)
        cells = at["cells"].numbers(at["cells"].given(raw.get("cells"), whole), whole)
        given = raw.get("regions", {})
        if not isinstance(given, Mapping) or not all(isinstance(region, Mapping) for region in given.values()):
            at["regions"].fail("have no names", given, "a mapping such as {top: {nodes: [0, 1, 2]}}")

        def listed(name: str, region: Mapping[str, Any], what: str) -> Array:
            return at[f"regions.{name}"].numbers(region.get(what, ()), f"a list of {what}").astype(int)

        regions = {
            name: Region(*(listed(name, region, x) for x in ("nodes", "cells"))) for name, region in given.items()
        }
        if not np.array_equal(cells, np.rint(cells)):
            at["cells"].fail("are not whole numbers", expected=whole)
        return cls(nodes, cells.astype(int), regions, str(raw.get("origin", "")))

    # Changed ones

    def scaled(self, factor: float) -> Mesh:
        """So many times as large, about the origin."""
        At("mesh", "factor").positive(factor)
        return replace(self, nodes=self.nodes * factor)

    def moved(self, by: Sequence[float]) -> Mesh:
        """Shifted by (d,), m."""
        shift = np.asarray(by, dtype=float)
        if shift.shape != (self.dimension,):
            At("mesh", "by").fail("is not a vector", by, f"{self.dimension} numbers, m")
        return replace(self, nodes=self.nodes + shift)

    def turned(
        self, angle: float, axis: Sequence[float] = (0.0, 0.0, 1.0), about: Sequence[float] | None = None
    ) -> Mesh:
        """Turned by an angle, rad, about an axis (in the plane: a point) through `about`, m; the origin unless given."""
        At("mesh", "angle").radians(angle)
        centre = np.zeros(self.dimension) if about is None else np.asarray(about, dtype=float)
        x, y, z = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        turn = np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross
        d = self.dimension
        return replace(self, nodes=centre + (self.nodes - centre) @ turn[:d, :d].T)

    def quadratic(self, onto: Projection | Sequence[Projection] = ()) -> Mesh:
        """With a node in the middle of every edge. onto: smooth surfaces (gw.mesh.Round), onto which the middles of boundary
        edges are laid whose ends both lie there; straight otherwise."""
        return self if self.kind.order == 2 else self._finer(
            refine.made_quadratic(self.nodes, self.cells, self.kind, _several(onto)))  # fmt: skip

    def linear(self) -> Mesh:
        """Without the nodes in the middle of edges."""
        if self.kind.order == 1:
            return self
        corners = self.cells[:, : self.kind.corners]
        used, cells = np.unique(corners, return_inverse=True)
        number = np.full(len(self.nodes), -1)
        number[used] = np.arange(len(used))
        regions = {}
        for name, region in self.regions.items():
            kept = number[region.nodes]
            regions[name] = Region(kept[kept >= 0], region.cells)
        return replace(self, nodes=self.nodes[used], cells=cells.reshape(corners.shape), regions=regions)

    def refined(
        self, where: Where | None = None, *, size: float | Callable[[Array], Array] | None = None,
        onto: Projection | Sequence[Projection] = (),
    ) -> Mesh:  # fmt: skip
        """With smaller cells. Of all: a triangle becomes four, a tetrahedron eight. where: the cells there are cut in two,
        and those around them as far as all must fit together. size: cells (`where`, or all) are cut in two until no edge
        is longer, m; a function gives the size at points (n, d)."""
        curves = _several(onto)
        if where is None and size is None:
            return self._finer(refine.cut_all(self.nodes, self.cells, self.kind, curves))
        if self.kind.order == 2:
            return self.linear().refined(where, size=size, onto=onto).quadratic(onto)
        mesh = self
        for _ in range(MOST_ROUNDS if size is not None else 1):
            chosen = np.ones(len(mesh.cells), dtype=bool) if where is None else where.cells(mesh)
            if size is not None:
                wanted: Any = size(mesh.centroids) if callable(size) else At("mesh", "size").positive(size, "m")
                chosen &= measure.longest_edges(mesh.nodes, mesh.cells, mesh.kind) > wanted * (1.0 + 1e-9)
            if not chosen.any():
                break
            mesh = mesh._finer(refine.cut_some(mesh.nodes, mesh.cells, mesh.kind, chosen, curves))
        return mesh

    def _finer(self, finer: Finer) -> Mesh:
        """With the regions that follow: a new node lies in those of both its parents; if a region lies on the boundary,
        only on edges of the boundary."""
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
            regions[name] = Region(np.flatnonzero(member), cells)
        return replace(self, nodes=finer.nodes, cells=finer.cells, regions=regions)

    # Shown and kept

    def quality(self) -> Quality:
        """How well shaped its cells are, as a table."""
        from gaitwright.mesh.quality import quality_of

        return quality_of(self)

    def save(self, path: str | Path) -> Path:
        """Write it with its regions, origin and notes: .npz, .vtu, or what else meshio writes. Nodes are in m."""
        from gaitwright.mesh.files import save_mesh

        return save_mesh(self, path)

    def plot(self, path: str | Path | None = None, **options: Any) -> Figure:
        """A picture: its surface with regions, and what is inside by the shape of its cells. See
        gaitwright.report.views.meshes.plot_mesh."""
        from gaitwright.report.views.meshes import plot_mesh

        return plot_mesh(self, path, **options)


def _several(onto: Any) -> tuple[Projection, ...]:
    several: Any = (onto,) if callable(onto) else onto
    return tuple(several)
