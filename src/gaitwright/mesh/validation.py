"""Validators for nodes and cells of a mesh; each error states the problem and a remedy."""

from __future__ import annotations

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.mesh.cell_kinds import KIND_BY_NODE_COUNT, Array, CellKind
from gaitwright.mesh.cell_measures import jacobians, longest_edges

FLAT_CELL_RTOL = 1e-9
"""A cell has no volume if its det dx/dxi is below this fraction of its longest edge to the power of its dimension."""
MAX_COORDINATE_M = 1e50
"""Larger coordinates are no lengths, and their volumes would be infinite."""
CELL_SHAPES_TEXT = "T3 (m, 3), T6 (m, 6), TET4 (m, 4) or TET10 (m, 10)"
TIDY_HINT = "gw.mesh.tidied(nodes, cells), which removes or reorients invalid cells and notes it"
MAX_LISTED_NUMBERS = 3


SINGULAR_VERBS = {"are": "is", "have": "has", "belong": "belongs", "name": "names"}


def describe_members(numbers: Array, noun: str, say: str = "") -> str:
    """Number, first members and predicate as text: '2 nodes (7, 9) are alone', '1 node (7) is alone'."""
    first = ", ".join(str(int(k)) for k in numbers[:MAX_LISTED_NUMBERS])
    ellipsis = ", ..." if len(numbers) > MAX_LISTED_NUMBERS else ""
    verb, _, rest = say.partition(" ")
    predicate = f" {SINGULAR_VERBS[verb] if len(numbers) == 1 else verb} {rest}" if say else ""
    return f"{len(numbers)} {noun}{'' if len(numbers) == 1 else 's'} ({first}{ellipsis}){predicate}"


def check_arrays(nodes: object, cells: object, at: ErrorContext) -> tuple[Array, Array, CellKind]:
    """Convert nodes and cells to arrays of the right kind. Raises ModelError for shapes and numbers out of range."""
    try:
        x, raw = np.asarray(nodes, dtype=float), np.asarray(cells)
    except (TypeError, ValueError):
        at.fail("is not made of arrays of numbers", expected=f"nodes (n, 2) or (n, 3) in m, cells {CELL_SHAPES_TEXT}")
    if x.ndim != 2 or x.shape[1] not in (2, 3):
        at["nodes"].fail(f"has the shape {x.shape}", expected="(n, 2) or (n, 3), m")
    if raw.ndim != 2 or raw.shape[1] not in KIND_BY_NODE_COUNT:
        at["cells"].fail(f"has the shape {raw.shape}", expected=f"one kind of cells: {CELL_SHAPES_TEXT}")
    kind = KIND_BY_NODE_COUNT[raw.shape[1]]
    if kind.dimension > x.shape[1]:
        at["cells"].fail(f"{kind.name} does not fit into the plane", expected="nodes (n, 3), m")
    if not len(raw):
        at["cells"].fail("there are none", expected="at least one")
    integer_cells = raw.astype(np.int64) if raw.dtype.kind in "iuf" and np.isfinite(raw).all() else None
    if integer_cells is None or (raw.dtype.kind == "f" and (integer_cells != raw).any()):
        at["cells"].fail("are not whole numbers", expected="numbers of nodes, from 0")
    with np.errstate(invalid="ignore"):
        invalid = np.flatnonzero(~(np.abs(x) < MAX_COORDINATE_M).all(axis=1))
    if len(invalid):
        at["nodes"].fail(
            describe_members(invalid, "node", "are not finite or not lengths"),
            expected="coordinates in m; check their source",
        )
    out = np.flatnonzero(((integer_cells < 0) | (integer_cells >= len(x))).any(axis=1))
    if len(out):
        hint = "; do they count from 1?" if integer_cells.min() == 1 and integer_cells.max() == len(x) else ""
        at["cells"].fail(
            describe_members(out, "cell", f"name nodes that are not there{hint}"), expected=f"from 0 to {len(x) - 1}"
        )
    return x, integer_cells, kind


def check_cells(nodes: Array, cells: Array, kind: CellKind, at: ErrorContext) -> None:
    """Check that all nodes are used, and that no cell is inverted, folded or flat. Raises ModelError."""
    unused = np.flatnonzero(np.bincount(cells.reshape(-1), minlength=len(nodes)) == 0)
    if len(unused):
        at["nodes"].fail(describe_members(unused, "node", "belong to no cell"), expected=TIDY_HINT)
    if kind.dimension < nodes.shape[1]:
        return  # a surface in space has no required orientation; surface_repair.py handles its defects
    determinants = jacobians(nodes, cells, kind)
    limit = FLAT_CELL_RTOL * longest_edges(nodes, cells, kind)[:, None] ** kind.dimension
    wrong, flat = (determinants < -limit).any(axis=1), (determinants <= limit).any(axis=1)
    folded = np.flatnonzero(wrong & (determinants > limit).any(axis=1))
    if len(folded):
        at["cells"].fail(
            describe_members(folded, "curved cell", "are folded"),
            expected="less curved ones, mesh.linear(), or smaller ones",
        )
    if wrong.any():
        at["cells"].fail(
            describe_members(np.flatnonzero(wrong), "cell", "are inside out"), expected=f"positive volumes; {TIDY_HINT}"
        )
    if flat.any():
        at["cells"].fail(
            describe_members(np.flatnonzero(flat), "cell", "have no volume"), expected=f"positive volumes; {TIDY_HINT}"
        )
