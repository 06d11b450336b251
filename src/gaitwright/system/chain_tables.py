"""Elements on markers in the tables: what their variables are in terms of coordinates, and where their matrices go.

The variables x of all elements form one list, in three parts:

    linear     x = c + N q          N constant
    curved     x = x(q)             by a kernel of the family (planar bodies, whose markers turn with an angle)
    products   x = c + sum f x_i x_j, or f x_i, of variables before it

Whatever it is, x' = N v with one sparse matrix N, stored by rows: its pattern is fixed, the numbers of the curved and the
products change with the state. All that an element adds to Phi_q, Q and the tangents goes through N; chain.py does that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.derive.library import Markers, basis_of, kernel_module
from gaitwright.system.chain_templates import CURVED, Component, linear_in, offered_by, template
from gaitwright.system.sparsity import entries
from gaitwright.system.tables import (
    ARGUMENTS,
    FIRST_KERNEL,
    GROUND,
    TANGENTS,
    Array,
    Batches,
    Chain,
    Element,
    compiled_kernel,
    join,
)


def on_markers(element: Element) -> bool:
    """Whether an element goes through markers, instead of having a kernel for the families that it connects."""
    return isinstance(basis_of(element.declaration, element.families), Markers)


def at_rest(element: Element) -> tuple[bool, ...]:
    """Which of its attachments are on the ground."""
    return tuple(bool(index[0] == GROUND) for index in element.coordinates)


class Group:
    """Elements of one template, as arrays with a row per element."""

    def __init__(self, members: Sequence[int], elements: Sequence[Element], n: int, observed: bool = False):
        self.members = list(members)
        first = elements[self.members[0]]
        self.families, self.count = first.families, len(self.members)
        self.still = at_rest(first)
        self.template = template(first.declaration, first.families, self.still, observed)
        self.markers = [
            family.markers[type(kind)]
            for kind, family in zip(first.declaration.attachments.values(), first.families, strict=True)
        ]
        numbers = np.array([elements[i].parameters for i in self.members], dtype=float).reshape(self.count, -1)
        ends = np.cumsum([len(marker.parameters) for marker in self.markers])
        *self.local, self.par = np.split(numbers, ends, axis=1)
        self.coordinates = []
        for k, (marker, family) in enumerate(zip(self.markers, self.families, strict=True)):
            given = np.array([elements[i].coordinates[k] for i in self.members], dtype=np.int64)
            full = np.full((self.count, len(family.coordinates)), n)
            full[:, list(marker.coordinates)] = np.where(given == GROUND, n, given)
            self.coordinates.append(full)
        t = self.template
        self.column = np.stack([self.coordinates[a][:, c] for row in t.rows for a, c in row], axis=1)
        self.constant = np.zeros((self.count, len(t.rows)))
        self.weight = np.zeros(self.column.shape)
        offered = [
            offered_by(family, local.T, rests)
            for family, local, rests in zip(self.families, self.local, self.still, strict=True)
        ]
        for k, components in enumerate(t.linear):
            constant, weights = linear_in(components, offered, self.par)
            self.constant[:, k] = constant
            for at, entry in enumerate(t.rows[k], int(t.first_entry[k])):
                self.weight[:, at] = weights[entry]
        for k, (constant, _) in enumerate(t.products, len(t.rows) - len(t.products)):
            self.constant[:, k] = constant
        factors = [factor for _, terms in t.products for factor, *_ in terms]
        self.factor = np.stack(
            [np.broadcast_to(f.size(self.par) if isinstance(f, Component) else f, self.count) for f in factors], axis=1
        ) if factors else np.zeros((self.count, 0))  # fmt: skip
        # Entries that can differ from zero: not those of the ground, nor what is multiplied by a parameter that is zero.
        self.there = (self.weight != 0.0) & (self.column != n)
        bent = t.first_entry[len(t.linear)]
        curved = t.first_entry[len(t.rows) - len(t.products)]
        self.there[:, bent:curved] = self.column[:, bent:curved] != n
        for slot, source, _, term in t.grow:
            self.there[:, slot] |= self.there[:, source] & (self.factor[:, term] != 0.0)
        self.kept = self.there.copy()
        self.kept[:, bent:curved] = True  # as the kernel of the marking writes them
        self.variable = np.zeros(self.constant.shape, dtype=np.int64)  # numbers in the list of all variables
        self.entry = np.zeros(self.column.shape, dtype=np.int64)

    def couples(self, pairs: Array, kept: Array) -> Array:
        """Whether pairs of entries are those of two bodies."""
        owner = np.array([attachment for row in self.template.rows for attachment, _ in row], dtype=np.int64)
        return np.broadcast_to(owner[pairs[:, 1]] != owner[pairs[:, 2]], kept.shape)[kept]


class Chained(NamedTuple):
    """Elements on markers with slots still to be numbered: entries of Phi_q and of the tangents."""

    jac: tuple[Array, Array]
    tangent: tuple[Array, Array]
    couples: Array  # for each entry of the tangents: whether it is the curvature of a joint, between two bodies
    symmetric: bool
    damped: bool
    fields: dict[str, Any]
    groups: list[Group]

    def chain(self, jac_slot: Array, k_slot: Array) -> Chain:
        fields, curved = dict(self.fields), self.fields["curved_pairs"]
        del fields["curved_pairs"]
        markers = fields.pop("markers").replaced(slot2=k_slot[k_slot.size - curved :].astype(np.int32))
        markers.modules = self.fields["markers"].modules
        return Chain(**fields, markers=markers, jac_slot=jac_slot, k_slot=k_slot[: k_slot.size - curved])


def chained(constraints: Sequence[Element], forces: Sequence[Element], rows: Any, n: int, first_energy: int) -> Chained:
    """Tables of elements on markers. rows: of Phi, for each of the constraints."""
    of_constraints = [Group(members, constraints, n) for members in alike(constraints)]
    of_forces = [Group(members, forces, n) for members in alike(forces)]
    groups = [*of_constraints, *of_forces]
    count, n_linear, n_curved = _number(groups)
    length = np.zeros(count, dtype=np.int64)
    before = [np.cumsum(np.pad(g.kept, ((0, 0), (1, 0))), axis=1) for g in groups]  # entries that are kept
    for g, kept in zip(groups, before, strict=True):
        length[g.variable] = np.diff(kept[:, g.template.first_entry], axis=1)
    start = np.concatenate([[0], np.cumsum(length)])
    constant, column, weight = np.zeros(count + 1), np.zeros(start[-1], np.int32), np.zeros(start[-1])
    constant[count] = 1.0
    for g, kept in zip(groups, before, strict=True):
        t = g.template
        within = kept[:, :-1] - kept[:, t.first_entry[t.variable]]
        g.entry = np.where(g.kept, start[g.variable[:, t.variable]] + within, -1)
        constant[g.variable] = g.constant
        column[g.entry[g.kept]], weight[g.entry[g.kept]] = g.column[g.kept], g.weight[g.kept]
    terms, grow = _products(groups, count)
    batches, matrices = _element_batches(of_constraints, of_forces, constraints, forces, rows, count)
    tangents = matrices["tangent"]
    n_tangent = int(matrices["n_tangent"])
    bends = _bends(groups, n_tangent)
    markers, curved = _markers(groups, n)
    k = {name: join([tangents[name], bends[name]], np.int64) for name in ("entry", "first", "second")}
    modules = [module for b in batches for module in b.modules]
    bent = count > n_linear
    damped = any(module.KIND == "force" and module.DAMPED for module in modules)
    fields = {
        "count": count, "n_linear": n_linear, "n_curved": n_curved, "bent": bent,
        "constant": constant, "start": start, "column": column, "weight": weight, "markers": markers, **terms, **grow,
        "constraints": batches[0], "forces": batches[1],
        "driven": np.flatnonzero([module.N_SIG > 0 for module in batches[0].modules]),
        "powered": np.flatnonzero([module.DISSIPATES or module.LOADS for module in batches[1].modules]),
        "first_energy": first_energy, "n_tangent": n_tangent, "damped": damped,
        "own_row": matrices["own_row"], "own_variable": matrices["own_variable"],
        "jac_weight": matrices["jac"]["weight"], "jac_entry": matrices["jac"]["entry"],
        "k_first": k["first"], "k_second": k["second"], "k_entry": k["entry"],
        "calls": np.array(_calls(bool(of_forces)) if groups else [0], dtype=np.int64), "curved_pairs": curved[0].size,
    }  # fmt: skip
    return Chained(
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
        fields=fields,
        groups=groups,
    )


def alike(elements: Sequence[Element]) -> list[list[int]]:
    """Elements on markers by kernel, and by families within."""
    modules: dict[Any, dict[Any, list[int]]] = {}
    for index, element in enumerate(elements):
        if on_markers(element):
            module = kernel_module(element.declaration, element.families)
            modules.setdefault(module, {}).setdefault((element.families, at_rest(element)), []).append(index)
    return [members for families in modules.values() for members in families.values()]


def _number(groups: Sequence[Group]) -> tuple[int, int, int]:
    """Give numbers to all variables: linear ones first, then curved ones, then products."""
    count, sizes = 0, []
    for part in range(3):
        before = count
        for g in groups:
            t = g.template
            bounds = [0, len(t.linear), len(t.rows) - len(t.products), len(t.rows)]
            here = slice(bounds[part], bounds[part + 1])
            size = bounds[part + 1] - bounds[part]
            g.variable[:, here] = count + np.arange(g.count * size).reshape(g.count, size)
            count += g.count * size
        sizes.append(count - before)
    return count, sizes[0], sizes[1]


def _products(groups: Sequence[Group], count: int) -> tuple[dict[str, Array], dict[str, Array]]:
    """Terms of products, and how their rows of N grow: in an order in which what is needed is there."""
    term_of, factor, first, second = [], [], [], []
    slot, source, by, by_factor = [], [], [], []
    for g in groups:
        t = g.template
        number = np.hstack([g.variable, np.full((g.count, 1), count)])  # ALONE, the last, is the variable that is 1
        owner = [k for k, (_, terms) in enumerate(t.products, len(t.rows) - len(t.products)) for _ in terms]
        pairs = np.array([pair for _, terms in t.products for _, *pair in terms], dtype=np.int64).reshape(-1, 2)
        term_of.append(g.variable[:, owner].ravel())
        factor.append(g.factor.ravel())
        first.append(number[:, pairs[:, 0]].ravel())
        second.append(number[:, pairs[:, 1]].ravel())
        kept = g.there[:, t.grow[:, 1]] & (g.factor[:, t.grow[:, 3]] != 0.0)
        slot.append(g.entry[:, t.grow[:, 0]][kept])
        source.append(g.entry[:, t.grow[:, 1]][kept])
        by.append(number[:, t.grow[:, 2]][kept])
        by_factor.append(g.factor[:, t.grow[:, 3]][kept])
    terms = {
        "term_of": join(term_of, np.int64),
        "term_first": join(first, np.int64),
        "term_second": join(second, np.int64),
    }
    grow = {"grow_slot": join(slot, np.int64), "grow_source": join(source, np.int64), "grow_by": join(by, np.int64)}
    return {**terms, "term_factor": join(factor, float)}, {**grow, "grow_factor": join(by_factor, float)}


def _element_batches(
    of_constraints: Sequence[Group], of_forces: Sequence[Group], constraints: Sequence[Element],
    forces: Sequence[Element], rows: Any, count: int,
) -> tuple[list[Batches], dict[str, Any]]:  # fmt: skip
    """Batches whose coordinates are variables and whose matrices are their own, and where these go."""
    jac: dict[str, list[Array]] = {name: [] for name in ("row", "weight", "entry")}
    tangent: dict[str, list[Array]] = {name: [] for name in ("first", "second", "entry", "couples")}
    own_row, own_variable = [], []
    batches, n_jac, n_tangent = [], 0, 0
    for groups, elements in ((of_constraints, constraints), (of_forces, forces)):
        modules = list(dict.fromkeys(g.template.module for g in groups))
        table, dofs, pars, sigs, row_list, slots, slots2 = [], [], [], [], [], [], []
        sizes = np.zeros(6, dtype=np.int64)
        for module in modules:
            members = [g for g in groups if g.template.module is module]
            size = sum(g.count for g in members)
            dof = np.full((size, module.N_DOF), count)
            dof[:, : module.ACTING] = np.concatenate([g.variable[:, g.template.dof] for g in members])
            par = np.concatenate([g.par for g in members])
            order = [i for g in members for i in g.members]
            sig = np.array([elements[i].signals for i in order], dtype=np.int64).reshape(size, module.N_SIG)
            constraint = module.KIND == "constraint"
            row = np.array([rows[i] for i in order], dtype=np.int64) if constraint else np.zeros((size, 0), np.int64)
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
                t, here = g.template, slice(at, at + g.count)
                at += g.count
                if constraint:
                    kept = g.there[:, t.jac[:, 1]] & entries(module, "position", ("jac",), g.par, own)[:, t.jac[:, 0]]
                    jac["row"].append(row[here][:, k][:, t.jac[:, 0]][kept])
                    jac["weight"].append(g.entry[:, t.jac[:, 1]][kept])
                    jac["entry"].append(first[here][:, t.jac[:, 0]][kept])
                kept = g.there[:, t.tangent[:, 1]] & g.there[:, t.tangent[:, 2]]
                kernel, filled = ("hessian", ("kq",)) if constraint else ("tangent", ("kq", "kv"))
                kept &= entries(module, kernel, filled, g.par, len(pairs))[:, t.tangent[:, 0]]
                tangent["first"].append(g.entry[:, t.tangent[:, 1]][kept])
                tangent["second"].append(g.entry[:, t.tangent[:, 2]][kept])
                tangent["entry"].append(second[here][:, t.tangent[:, 0]][kept])
                tangent["couples"].append(g.couples(t.tangent, kept) & constraint)
            kernels = [
                0 if name in TANGENTS or not hasattr(module, name) else compiled_kernel(module, name).address
                for name in ARGUMENTS[module.KIND]
            ]
            table.append([size, *sizes, *kernels])
            slot, slot2 = (first, second) if constraint else (second, second[:, :0])
            for parts, part in zip(
                (dofs, pars, sigs, row_list, slots, slots2), (dof, par, sig, row, slot, slot2), strict=True
            ):
                parts.append(part.ravel())
            sizes += [dof.size, par.size, sig.size, row.size, slot.size, slot2.size]
        width = FIRST_KERNEL + max(len(kernels) for kernels in ARGUMENTS.values())
        full = np.zeros((len(table), width), dtype=np.int64)
        for k, line in enumerate(table):
            full[k, : len(line)] = line
        found = Batches(
            table=full, dof=join(dofs, np.int32), par=join(pars, float), sig=join(sigs, np.int32),
            row=join(row_list, np.int32), slot=join(slots, np.int32), slot2=join(slots2, np.int32),
        )  # fmt: skip
        found.modules = tuple(modules)
        batches.append(found)
    joined = {
        "jac": {name: join(parts, np.int64) for name, parts in jac.items()},
        "tangent": {name: join(parts, np.int64) for name, parts in tangent.items()},
    }
    own = {"own_row": join(own_row, np.int64), "own_variable": join(own_variable, np.int64)}
    return batches, {**joined, **own, "n_tangent": n_tangent}


def _bends(groups: Sequence[Group], first: int) -> dict[str, Array]:
    """What products add to the tangents: an entry for each term, behind those of the elements."""
    found: dict[str, list[Array]] = {name: [] for name in ("first", "second", "entry", "couples")}
    for g in groups:
        t = g.template
        number = first + np.arange(g.factor.size).reshape(g.factor.shape)
        first += g.factor.size
        kept = g.there[:, t.bend[:, 1]] & g.there[:, t.bend[:, 2]]
        found["first"].append(g.entry[:, t.bend[:, 1]][kept])
        found["second"].append(g.entry[:, t.bend[:, 2]][kept])
        found["entry"].append(number[:, t.bend[:, 0]][kept])
        found["couples"].append(g.couples(t.bend, kept) & (t.module.KIND == "constraint"))
    return {name: join(parts, np.int64) for name, parts in found.items()}


def _markers(groups: Sequence[Group], n: int) -> tuple[Batches, tuple[Array, Array]]:
    """Batches of curved variables, and the entries of the tangents that they fill."""
    marked: dict[Any, list[tuple[Array, ...]]] = {}
    for g in groups:
        t = g.template
        first = len(t.linear)
        for attachment in t.curved:
            family, local = g.families[attachment], g.local[attachment]
            assert family.marking is not None
            module = kernel_module(family.marking, (family,))
            par = local if local.shape[1] == module.N_PAR else np.zeros((g.count, module.N_PAR))
            variables = slice(first, first + len(CURVED))
            entries_ = slice(int(t.first_entry[first]), int(t.first_entry[first + len(CURVED)]))
            marked.setdefault(module, []).append(
                (g.coordinates[attachment], par, g.variable[:, variables], g.entry[:, entries_])
            )
            first += len(CURVED)
    table, parts, rows, cols = [], [], [], []
    sizes = np.zeros(6, dtype=np.int64)
    for module, members in marked.items():
        dof, par, row, slot = (np.concatenate(part) for part in zip(*members, strict=True))
        i, j = np.array(module.HESSIAN, dtype=np.int64).reshape(-1, 2).T
        rows.append(dof[:, i].ravel())
        cols.append(dof[:, j].ravel())
        kernels = [0 if name in TANGENTS else compiled_kernel(module, name).address for name in ARGUMENTS[module.KIND]]
        table.append([len(dof), *sizes, *kernels])
        parts.append([x.ravel() for x in (dof, par, row, slot)])
        sizes += [dof.size, par.size, 0, row.size, slot.size, rows[-1].size]
    dof, par, row, slot = (join([p[k] for p in parts], float if k == 1 else np.int32) for k in range(4))
    empty = np.zeros(0, np.int32)
    width = FIRST_KERNEL + max(len(kernels) for kernels in ARGUMENTS.values())
    full = np.zeros((len(table), width), dtype=np.int64)
    for k, line in enumerate(table):
        full[k, : len(line)] = line
    found = Batches(table=full, dof=dof, par=par, sig=empty, row=row, slot=slot, slot2=empty)
    found.modules = tuple(marked)
    return found, (join(rows, np.int64), join(cols, np.int64))


def _calls(forces: bool) -> list[int]:
    from gaitwright.system.chain import addresses

    return addresses(forces)
