"""Tables of elements on markers: their variables in terms of coordinates, and the positions of their matrices.

The variables x of all elements form one list, in three parts:

    linear     x = c + N q          N constant
    curved     x = x(q)             by a kernel of the family (planar bodies: markers rotate by an angle)
    products   x = c + sum f x_i x_j, or f x_i, of variables before it

In all cases x' = N v with one sparse matrix N, stored by rows: its pattern is fixed, the values of curved variables and
products change with the state. All contributions of an element to Phi_q, Q and the tangents go through N; see
marker_chain.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.derive.kernel_library import kernel_module
from gaitwright.mechanism.batches import ElementBatch, batch_tables, concatenate_as, stacked_signals, uses_markers
from gaitwright.mechanism.blocks import ElementBlock, attachment_markers
from gaitwright.mechanism.marker_chain_templates import (
    MARKING_ROWS,
    MarkerComponent,
    combine_components,
    element_template,
    linear_marker_components,
)
from gaitwright.mechanism.structural_sparsity import find_nonzero_entries
from gaitwright.mechanism.tables import GROUND, Array, MarkerChainTables

ALL_ROWS = slice(None)


class BlockRows(NamedTuple):
    """Selected rows of a block."""

    block: int
    rows: Any


class TemplateGroup:
    """Elements of one template, as arrays with a row per element. members: the rows of blocks that they come from."""

    def __init__(self, members: Sequence[BlockRows], blocks: Sequence[ElementBlock], n: int, observed: bool = False):
        self.members = members
        own_blocks = [blocks[index] for index, _ in members]
        first = own_blocks[0]
        coordinates = np.concatenate(
            [block.coordinates[rows] for block, (_, rows) in zip(own_blocks, members, strict=True)]
        )
        numbers = np.concatenate([block.parameters[rows] for block, (_, rows) in zip(own_blocks, members, strict=True)])
        self.families, self.count = first.families, len(coordinates)
        self.still = tuple((coordinates[0, first.ends - 1] == GROUND).tolist())
        self.template = element_template(first.declaration, first.families, self.still, observed)
        self.markers = attachment_markers(first.declaration, first.families)
        ends = np.cumsum([len(marker.parameters) for marker in self.markers])
        *self.local, self.par = np.split(numbers, ends, axis=1)
        self.coordinates = []
        places = np.split(np.where(coordinates == GROUND, n, coordinates), first.ends[:-1], axis=1)
        for marker, family, own in zip(self.markers, self.families, places, strict=True):
            full = np.full((self.count, len(family.coordinates)), n)
            full[:, list(marker.coordinates)] = own
            self.coordinates.append(full)
        t = self.template
        self.column = np.stack([self.coordinates[a][:, c] for row in t.rows for a, c in row], axis=1)
        self.constant = np.zeros((self.count, len(t.rows)))
        self.weight = np.zeros(self.column.shape)
        offered = [
            linear_marker_components(family, local.T, rests)
            for family, local, rests in zip(self.families, self.local, self.still, strict=True)
        ]
        for k, components in enumerate(t.linear):
            constant, weights = combine_components(components, offered, self.par)
            self.constant[:, k] = constant
            for at, entry in enumerate(t.rows[k], int(t.first_entry[k])):
                self.weight[:, at] = weights[entry]
        for k, (constant, _) in enumerate(t.products, len(t.rows) - len(t.products)):
            self.constant[:, k] = constant
        factors = [factor for _, terms in t.products for factor, *_ in terms]
        self.factor = np.stack(
            [np.broadcast_to(f.size(self.par) if isinstance(f, MarkerComponent) else f, self.count) for f in factors], axis=1
        ) if factors else np.zeros((self.count, 0))  # fmt: skip
        # Entries that can be non-zero: not those of the ground, nor those multiplied by a zero parameter.
        self.there = (self.weight != 0.0) & (self.column != n)
        bent = t.first_entry[len(t.linear)]
        curved = t.first_entry[len(t.rows) - len(t.products)]
        self.there[:, bent:curved] = self.column[:, bent:curved] != n
        for slot, source, _, term in t.grow:
            self.there[:, slot] |= self.there[:, source] & (self.factor[:, term] != 0.0)
        self.kept = self.there.copy()
        self.kept[:, bent:curved] = True  # the kernel of the marking writes all of them
        self.variable = np.zeros(self.constant.shape, dtype=np.int64)  # indices in the list of all variables
        self.entry = np.zeros(self.column.shape, dtype=np.int64)

    def couples(self, pairs: Array, nonzero: Array) -> Array:
        """True for each kept pair of entries that belongs to two different bodies."""
        owner = np.array([attachment for row in self.template.rows for attachment, _ in row], dtype=np.int64)
        return np.broadcast_to(owner[pairs[:, 1]] != owner[pairs[:, 2]], nonzero.shape)[nonzero]


class ChainPattern(NamedTuple):
    """Elements on markers before their slots are numbered: entries of Phi_q and of the tangents."""

    jac: tuple[Array, Array]
    tangent: tuple[Array, Array]
    couples: Array  # for each entry of the tangents: true if it is the curvature of a joint, between two bodies
    symmetric: bool
    damped: bool
    acting: list[BlockRows]  # forces, in the order of the table of energies
    force_batches: list[ElementBatch]
    fields: dict[str, Any]
    curved: list[ElementBatch]  # slot2 is not numbered yet: these are the last entries of the tangents

    def chain(self, jac_slot: Array, k_slot: Array) -> MarkerChainTables:
        ends = k_slot.size - np.cumsum([batch.slot2.size for batch in self.curved[::-1]], dtype=np.int64)[::-1]
        own, *curved = np.split(k_slot, ends)
        markers = batch_tables([batch._replace(slot2=slot) for batch, slot in zip(self.curved, curved, strict=True)])
        return MarkerChainTables(**self.fields, markers=markers, jac_slot=jac_slot, k_slot=own)


def build_chain_tables(
    constraints: Sequence[ElementBlock],
    forces: Sequence[ElementBlock],
    rows: Sequence[Array],
    n: int,
    first_energy: int,
) -> ChainPattern:
    """Build the tables of elements on markers. rows: of Phi, for each of the constraints."""
    of_constraints = [TemplateGroup(members, constraints, n) for members in group_elements_on_markers(constraints)]
    of_forces = [TemplateGroup(members, forces, n) for members in group_elements_on_markers(forces)]
    groups = [*of_constraints, *of_forces]
    count, n_linear, n_curved = _number_variables(groups)
    length = np.zeros(count, dtype=np.int64)
    before = [np.cumsum(np.pad(g.kept, ((0, 0), (1, 0))), axis=1) for g in groups]  # entries that are kept
    for g, row_starts in zip(groups, before, strict=True):
        length[g.variable] = np.diff(row_starts[:, g.template.first_entry], axis=1)
    start = np.concatenate([[0], np.cumsum(length)])
    constant, column, weight = np.zeros(count + 1), np.zeros(start[-1], np.int32), np.zeros(start[-1])
    constant[count] = 1.0
    for g, row_starts in zip(groups, before, strict=True):
        t = g.template
        within = row_starts[:, :-1] - row_starts[:, t.first_entry[t.variable]]
        g.entry = np.where(g.kept, start[g.variable[:, t.variable]] + within, -1)
        constant[g.variable] = g.constant
        column[g.entry[g.kept]], weight[g.entry[g.kept]] = g.column[g.kept], g.weight[g.kept]
    terms, grow = _product_tables(groups, count)
    own, matrices = _element_batches(of_constraints, of_forces, constraints, forces, rows, count)
    tangents = matrices["tangent"]
    n_tangent = int(matrices["n_tangent"])
    bends = _product_tangent_entries(groups, n_tangent)
    marking, curved = _curved_variable_batches(groups)
    k = {name: concatenate_as([tangents[name], bends[name]], np.int64) for name in ("entry", "first", "second")}
    modules = [batch.module for batch in (*own[0], *own[1])]
    bent = count > n_linear
    damped = any(module.KIND == "force" and module.DAMPED for module in modules)
    fields = {
        "count": count, "n_linear": n_linear, "n_curved": n_curved, "bent": bent,
        "constant": constant, "start": start, "column": column, "weight": weight, **terms, **grow,
        "constraints": batch_tables(own[0]), "forces": batch_tables(own[1]),
        "driven": np.flatnonzero([batch.module.N_SIG > 0 for batch in own[0]]),
        "powered": np.flatnonzero([batch.module.DISSIPATES or batch.module.LOADS for batch in own[1]]),
        "first_energy": first_energy, "n_tangent": n_tangent, "damped": damped,
        "own_row": matrices["own_row"], "own_variable": matrices["own_variable"],
        "jac_weight": matrices["jac"]["weight"], "jac_entry": matrices["jac"]["entry"],
        "k_first": k["first"], "k_second": k["second"], "k_entry": k["entry"],
        "calls": np.array(_chain_function_addresses(bool(of_forces)) if groups else [0], dtype=np.int64),
    }  # fmt: skip
    return ChainPattern(
        jac=(matrices["jac"]["row"], column[matrices["jac"]["weight"]].astype(np.int64)),
        tangent=(
            np.concatenate([column[k["first"]], curved[0]]).astype(np.int64),
            np.concatenate([column[k["second"]], curved[1]]).astype(np.int64),
        ),
        couples=np.concatenate([tangents["couples"], bends["couples"], np.zeros(curved[0].size, dtype=bool)]).astype(
            bool
        ),
        # The product of N' with damping is not symmetric.
        symmetric=all(module.SYMMETRIC for module in modules) and not (damped and bent),
        damped=damped,
        acting=[member for group in of_forces for member in group.members],
        force_batches=own[1],
        fields=fields,
        curved=marking,
    )


def group_elements_on_markers(blocks: Sequence[ElementBlock]) -> list[list[BlockRows]]:
    """Group elements on markers by kernel and, within each kernel, by families and by which attachments are on the ground."""
    modules: dict[Any, dict[Any, list[BlockRows]]] = {}
    for index, block in enumerate(blocks):
        if block.count and uses_markers(block.declaration, block.families):
            module = kernel_module(block.declaration, block.families)
            local = sum(len(marker.parameters) for marker in attachment_markers(block.declaration, block.families))
            block.require(int(block.ends[-1]), local + module.N_PAR)
            members = modules.setdefault(module, {})
            for still, rows in _group_by_grounded_attachments(block):
                members.setdefault((block.families, still), []).append(BlockRows(index, rows))
    return [members for families in modules.values() for members in families.values()]


def _group_by_grounded_attachments(block: ElementBlock) -> Iterator[tuple[tuple[bool, ...], Any]]:
    """Yield each pattern of grounded attachments, and the rows of the elements that have it."""
    resting = block.coordinates[:, block.ends - 1] == GROUND
    if block.count == 1 or (resting == resting[:1]).all():
        yield tuple(resting[0].tolist()), ALL_ROWS
        return
    patterns, which = np.unique(resting, axis=0, return_inverse=True)
    for k, pattern in enumerate(patterns):
        yield tuple(pattern.tolist()), np.flatnonzero(which.ravel() == k)


def _number_variables(groups: Sequence[TemplateGroup]) -> tuple[int, int, int]:
    """Number all variables: linear ones first, then curved ones, then products."""
    count, sizes = 0, []
    for part in range(3):
        before = count
        for g in groups:
            t = g.template
            bounds = [0, len(t.linear), len(t.rows) - len(t.products), len(t.rows)]
            columns = slice(bounds[part], bounds[part + 1])
            size = bounds[part + 1] - bounds[part]
            g.variable[:, columns] = count + np.arange(g.count * size).reshape(g.count, size)
            count += g.count * size
        sizes.append(count - before)
    return count, sizes[0], sizes[1]


def _product_tables(groups: Sequence[TemplateGroup], count: int) -> tuple[dict[str, Array], dict[str, Array]]:
    """Build the terms of products and the recursion for their rows of N, ordered so that operands come first."""
    term_of, factor, first, second = [], [], [], []
    slot, source, by, by_factor = [], [], [], []
    for g in groups:
        t = g.template
        # index -1 (NO_SECOND_FACTOR) selects the last variable, which is 1
        number = np.hstack([g.variable, np.full((g.count, 1), count)])
        owner = [k for k, (_, terms) in enumerate(t.products, len(t.rows) - len(t.products)) for _ in terms]
        pairs = np.array([pair for _, terms in t.products for _, *pair in terms], dtype=np.int64).reshape(-1, 2)
        term_of.append(g.variable[:, owner].ravel())
        factor.append(g.factor.ravel())
        first.append(number[:, pairs[:, 0]].ravel())
        second.append(number[:, pairs[:, 1]].ravel())
        nonzero = g.there[:, t.grow[:, 1]] & (g.factor[:, t.grow[:, 3]] != 0.0)
        slot.append(g.entry[:, t.grow[:, 0]][nonzero])
        source.append(g.entry[:, t.grow[:, 1]][nonzero])
        by.append(number[:, t.grow[:, 2]][nonzero])
        by_factor.append(g.factor[:, t.grow[:, 3]][nonzero])
    terms = {
        "term_of": concatenate_as(term_of, np.int64),
        "term_first": concatenate_as(first, np.int64),
        "term_second": concatenate_as(second, np.int64),
    }
    grow = {
        "grow_slot": concatenate_as(slot, np.int64),
        "grow_source": concatenate_as(source, np.int64),
        "grow_by": concatenate_as(by, np.int64),
    }
    return {**terms, "term_factor": concatenate_as(factor, float)}, {
        **grow,
        "grow_factor": concatenate_as(by_factor, float),
    }


def _element_batches(
    of_constraints: Sequence[TemplateGroup], of_forces: Sequence[TemplateGroup], constraints: Sequence[ElementBlock],
    forces: Sequence[ElementBlock], rows: Sequence[Array], count: int,
) -> tuple[list[list[ElementBatch]], dict[str, Any]]:  # fmt: skip
    """Build batches with variables as coordinates and matrices in these variables, and the positions of these
    matrices."""
    jac: dict[str, list[Array]] = {name: [] for name in ("row", "weight", "entry")}
    tangent: dict[str, list[Array]] = {name: [] for name in ("first", "second", "entry", "couples")}
    own_row, own_variable = [], []
    batches, n_jac, n_tangent = [], 0, 0
    for groups, blocks in ((of_constraints, constraints), (of_forces, forces)):
        batches.append([])
        for module in dict.fromkeys(g.template.module for g in groups):
            members = [g for g in groups if g.template.module is module]
            size = sum(g.count for g in members)
            dof = np.full((size, module.N_DOF), count)
            dof[:, : module.ACTING] = np.concatenate([g.variable[:, g.template.dof] for g in members])
            par = np.concatenate([g.par for g in members])
            block_rows = [member for g in members for member in g.members]
            counts = [blocks[index].coordinates[chosen, 0].size for index, chosen in block_rows]
            sig = stacked_signals([blocks[index] for index, _ in block_rows], counts, module.N_SIG)
            constraint = module.KIND == "constraint"
            row = np.concatenate([rows[index][chosen] for index, chosen in block_rows]) if constraint else dof[:, :0]
            own = len(module.JACOBIAN) if constraint else 0
            pairs = module.HESSIAN if constraint else module.TANGENT
            first = n_jac + np.arange(size * own).reshape(size, own)
            second = n_tangent + np.arange(size * len(pairs)).reshape(size, len(pairs))
            n_jac, n_tangent = n_jac + first.size, n_tangent + second.size
            if constraint:
                k, i = np.array(module.JACOBIAN, dtype=np.int64).reshape(-1, 2).T
                own_row.append(row[:, k].ravel())
                own_variable.append(dof[:, i].ravel())
            at = 0
            for g in members:
                t, element_rows = g.template, slice(at, at + g.count)
                at += g.count
                if constraint:
                    nonzero = (
                        g.there[:, t.jac[:, 1]]
                        & find_nonzero_entries(module, "position", ("jac",), g.par, own)[:, t.jac[:, 0]]
                    )
                    jac["row"].append(row[element_rows][:, k][:, t.jac[:, 0]][nonzero])
                    jac["weight"].append(g.entry[:, t.jac[:, 1]][nonzero])
                    jac["entry"].append(first[element_rows][:, t.jac[:, 0]][nonzero])
                nonzero = g.there[:, t.tangent[:, 1]] & g.there[:, t.tangent[:, 2]]
                kernel, filled = ("hessian", ("kq",)) if constraint else ("tangent", ("kq", "kv"))
                nonzero &= find_nonzero_entries(module, kernel, filled, g.par, len(pairs))[:, t.tangent[:, 0]]
                tangent["first"].append(g.entry[:, t.tangent[:, 1]][nonzero])
                tangent["second"].append(g.entry[:, t.tangent[:, 2]][nonzero])
                tangent["entry"].append(second[element_rows][:, t.tangent[:, 0]][nonzero])
                tangent["couples"].append(g.couples(t.tangent, nonzero) & constraint)
            slots = (first, second) if constraint else (second, second[:, :0])
            batches[-1].append(ElementBatch(module, dof, par, sig, row, *slots))
    joined = {
        "jac": {name: concatenate_as(parts, np.int64) for name, parts in jac.items()},
        "tangent": {name: concatenate_as(parts, np.int64) for name, parts in tangent.items()},
    }
    own = {"own_row": concatenate_as(own_row, np.int64), "own_variable": concatenate_as(own_variable, np.int64)}
    return batches, {**joined, **own, "n_tangent": n_tangent}


def _product_tangent_entries(groups: Sequence[TemplateGroup], first: int) -> dict[str, Array]:
    """Entries that products add to the tangents: one for each term, after those of the elements."""
    entries: dict[str, list[Array]] = {name: [] for name in ("first", "second", "entry", "couples")}
    for g in groups:
        t = g.template
        number = first + np.arange(g.factor.size).reshape(g.factor.shape)
        first += g.factor.size
        nonzero = g.there[:, t.bend[:, 1]] & g.there[:, t.bend[:, 2]]
        entries["first"].append(g.entry[:, t.bend[:, 1]][nonzero])
        entries["second"].append(g.entry[:, t.bend[:, 2]][nonzero])
        entries["entry"].append(number[:, t.bend[:, 0]][nonzero])
        entries["couples"].append(g.couples(t.bend, nonzero) & (t.module.KIND == "constraint"))
    return {name: concatenate_as(parts, np.int64) for name, parts in entries.items()}


def _curved_variable_batches(groups: Sequence[TemplateGroup]) -> tuple[list[ElementBatch], tuple[Array, Array]]:
    """Build the batches of curved variables, and the entries of the tangents that they fill."""
    marked: dict[Any, list[tuple[Array, ...]]] = {}
    for g in groups:
        t = g.template
        first = len(t.linear)
        for attachment in t.curved:
            family, local = g.families[attachment], g.local[attachment]
            assert family.marking is not None
            module = kernel_module(family.marking, (family,))
            par = local if local.shape[1] == module.N_PAR else np.zeros((g.count, module.N_PAR))
            variables = slice(first, first + len(MARKING_ROWS))
            entries_ = slice(int(t.first_entry[first]), int(t.first_entry[first + len(MARKING_ROWS)]))
            marked.setdefault(module, []).append(
                (g.coordinates[attachment], par, g.variable[:, variables], g.entry[:, entries_])
            )
            first += len(MARKING_ROWS)
    batches, rows, cols = [], [], []
    for module, members in marked.items():
        dof, par, row, slot = (np.concatenate(part) for part in zip(*members, strict=True))
        i, j = np.array(module.HESSIAN, dtype=np.int64).reshape(-1, 2).T
        rows.append(dof[:, i])
        cols.append(dof[:, j])
        batches.append(ElementBatch(module, dof, par, dof[:, :0], row, slot, rows[-1]))
    return batches, (
        concatenate_as([r.ravel() for r in rows], np.int64),
        concatenate_as([c.ravel() for c in cols], np.int64),
    )


def _chain_function_addresses(forces: bool) -> list[int]:
    from gaitwright.mechanism.marker_chain import function_addresses

    return function_addresses(forces)
