"""Whether nodes and cells can be a mesh: every way in which they cannot, in one sentence with the way out."""

from __future__ import annotations

import numpy as np

from gaitwright.checks import At
from gaitwright.mesh.kinds import BY_NODES, Array, Kind
from gaitwright.mesh.measure import jacobians, longest_edges

FLAT = 1e-9
"""A cell whose det dx/dxi is smaller than so much of its longest edge to the power of its dimension has no volume."""
FARTHEST = 1e50
"""Coordinates beyond this are no lengths, and their volumes would be infinite."""
SHAPES = "T3 (m, 3), T6 (m, 6), TET4 (m, 4) or TET10 (m, 10)"
TIDY = "gw.mesh.tidied(nodes, cells), which drops and turns what it must and says so"
SHOWN = 3


OF_ONE = {"are": "is", "have": "has", "belong": "belongs", "name": "names"}


def some(numbers: Array, what: str, say: str = "") -> str:
    """How many, the first of them and what is said of them: '2 nodes (7, 9) are alone', '1 node (7) is alone'."""
    first = ", ".join(str(int(k)) for k in numbers[:SHOWN])
    more = ", ..." if len(numbers) > SHOWN else ""
    verb, _, rest = say.partition(" ")
    said = f" {OF_ONE[verb] if len(numbers) == 1 else verb} {rest}" if say else ""
    return f"{len(numbers)} {what}{'' if len(numbers) == 1 else 's'} ({first}{more}){said}"


def checked_arrays(nodes: object, cells: object, at: At) -> tuple[Array, Array, Kind]:
    """Nodes and cells as arrays of the right kind, with every number in its range."""
    try:
        x, raw = np.asarray(nodes, dtype=float), np.asarray(cells)
    except (TypeError, ValueError):
        at.fail("is not made of arrays of numbers", expected=f"nodes (n, 2) or (n, 3) in m, cells {SHAPES}")
    if x.ndim != 2 or x.shape[1] not in (2, 3):
        at["nodes"].fail(f"has the shape {x.shape}", expected="(n, 2) or (n, 3), m")
    if raw.ndim != 2 or raw.shape[1] not in BY_NODES:
        at["cells"].fail(f"has the shape {raw.shape}", expected=f"one kind of cells: {SHAPES}")
    kind = BY_NODES[raw.shape[1]]
    if kind.dimension > x.shape[1]:
        at["cells"].fail(f"{kind.name} does not fit into the plane", expected="nodes (n, 3), m")
    if not len(raw):
        at["cells"].fail("there are none", expected="at least one")
    whole = raw.astype(np.int64) if raw.dtype.kind in "iuf" and np.isfinite(raw).all() else None
    if whole is None or (raw.dtype.kind == "f" and (whole != raw).any()):
        at["cells"].fail("are not whole numbers", expected="numbers of nodes, from 0")
    with np.errstate(invalid="ignore"):
        bad = np.flatnonzero(~(np.abs(x) < FARTHEST).all(axis=1))
    if len(bad):
        at["nodes"].fail(
            some(bad, "node", "are not finite or not lengths"), expected="coordinates in m; see what wrote them"
        )
    out = np.flatnonzero(((whole < 0) | (whole >= len(x))).any(axis=1))
    if len(out):
        hint = "; do they count from 1?" if whole.min() == 1 and whole.max() == len(x) else ""
        at["cells"].fail(some(out, "cell", f"name nodes that are not there{hint}"), expected=f"from 0 to {len(x) - 1}")
    return x, whole, kind


def check_cells(nodes: Array, cells: Array, kind: Kind, at: At) -> None:
    """All nodes used, and all cells the right way round and not flat."""
    unused = np.flatnonzero(np.bincount(cells.reshape(-1), minlength=len(nodes)) == 0)
    if len(unused):
        at["nodes"].fail(some(unused, "node", "belong to no cell"), expected=TIDY)
    if kind.dimension < nodes.shape[1]:
        return  # a surface in space has no right way round, and what is wrong with it is repaired elsewhere
    found = jacobians(nodes, cells, kind)
    limit = FLAT * longest_edges(nodes, cells, kind)[:, None] ** kind.dimension
    wrong, flat = (found < -limit).any(axis=1), (found <= limit).any(axis=1)
    folded = np.flatnonzero(wrong & (found > limit).any(axis=1))
    if len(folded):
        at["cells"].fail(
            some(folded, "curved cell", "are folded"), expected="less curved ones, mesh.linear(), or smaller ones"
        )
    if wrong.any():
        at["cells"].fail(some(np.flatnonzero(wrong), "cell", "are inside out"), expected=f"positive volumes; {TIDY}")
    if flat.any():
        at["cells"].fail(some(np.flatnonzero(flat), "cell", "have no volume"), expected=f"positive volumes; {TIDY}")
