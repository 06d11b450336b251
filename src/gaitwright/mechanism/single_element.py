"""Evaluation of one element at many times, in NumPy, for results. Not for hot loops."""

from __future__ import annotations

import functools
import math
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from gaitwright.derive.kernel_library import kernel_module
from gaitwright.mechanism.batches import uses_markers
from gaitwright.mechanism.blocks import MechanismElement
from gaitwright.mechanism.marker_chain_tables import ALL_ROWS, BlockRows, TemplateGroup
from gaitwright.mechanism.marker_chain_templates import MARKING_ROWS
from gaitwright.mechanism.tables import Array


@functools.cache
def array_kernels(module: ModuleType) -> dict[str, Any]:
    """Return generated kernels that take arrays instead of numbers: called for one element, they compute many times at
    once."""
    namespace = vars(module)
    kernels = namespace | {
        name: getattr(np, name) for name in namespace if namespace[name] is getattr(math, name, None)
    }
    own = {name: value for name, value in namespace.items() if getattr(value, "__module__", "") == module.__name__}
    kernels |= {name: FunctionType(f.__code__, kernels) for name, f in own.items() if isinstance(f, FunctionType)}
    return kernels


class SingleElement:
    """Kernel arguments of one element at many times.

    dof: the coordinates that it takes, as columns of `states(q)`; par: its parameters."""

    def __init__(self, element: MechanismElement, n: int):
        self.element, self.n = element, n
        self.module = kernel_module(element.declaration, element.families)
        linked = uses_markers(element.declaration, element.families)
        self.group = TemplateGroup([BlockRows(0, ALL_ROWS)], [element.block()], n, observed=True) if linked else None
        self.par = element.parameters if self.group is None else self.group.par[0]
        self.dof = [n if k < 0 else int(k) for k in np.concatenate(element.coordinates)]
        if self.group is not None:
            self.dof = list(self.group.template.dof)

    def states(self, q: Array) -> tuple[Array, Array | None]:
        """Coordinates of the kernel at poses q, (n_times, n + 1): those coordinates, or variables of markers; with the rows
        of N of these, (n_times, entries)."""
        g = self.group
        if g is None:
            return q, None
        t, times = g.template, len(q)
        x, weight = np.zeros((times, len(t.rows) + 1)), np.zeros((times, g.column.shape[1]))
        x[:, :-1], x[:, -1] = g.constant[0], 1.0
        weight[:] = g.weight[0]
        linear = int(t.first_entry[len(t.linear)])
        np.add.at(x.T, t.variable[:linear], (g.weight[0, :linear] * q[:, g.column[0, :linear]]).T)
        first = len(t.linear)
        for attachment in t.curved:
            family, local = g.families[attachment], g.local[attachment][0]
            assert family.marking is not None
            module = kernel_module(family.marking, (family,))
            par = local if local.size == module.N_PAR else np.zeros(module.N_PAR)
            at = np.arange(int(t.first_entry[first]), int(t.first_entry[first + len(MARKING_ROWS)]))
            values, slopes = ([np.zeros(times) for _ in range(size)] for size in (len(MARKING_ROWS), at.size))
            array_kernels(module)["position"](
                1,
                g.coordinates[attachment][0],
                par,
                (),
                range(len(MARKING_ROWS)),
                range(at.size),
                q.T,
                (),
                values,
                slopes,
            )
            x[:, first : first + len(MARKING_ROWS)], weight[:, at] = np.stack(values, axis=1), np.stack(slopes, axis=1)
            first += len(MARKING_ROWS)
        factor, term = g.factor[0], 0
        for k, (_, terms) in enumerate(t.products, len(t.rows) - len(t.products)):
            for _, i, j in terms:
                x[:, k] += factor[term] * x[:, i] * x[:, j]
                term += 1
            for slot, source, by, number in t.grow[(t.variable[t.grow[:, 0]] == k)]:
                weight[:, slot] += factor[number] * x[:, by] * weight[:, source]
        return x, weight

    def rates(self, weight: Array | None, v: Array) -> Array:
        """Rates of the coordinates that `states` returns."""
        g = self.group
        if g is None or weight is None:
            return v
        rates = np.zeros((len(v), len(g.template.rows) + 1))
        np.add.at(rates.T, g.template.variable, (weight * v[:, g.column[0]]).T)
        return rates

    def slope(self, attachment: int, q: Array, u: Array) -> Array:
        """Return dPhi/dq of a joint in all coordinates of the body of one attachment, (n_times, rows, coordinates). u:
        signals with their derivatives, (n_times, 3 n_signals)."""
        module, element = self.module, self.element
        x, weight = self.states(q)
        rows, entries = range(module.N_ROW), range(len(module.JACOBIAN))
        own, phi = np.zeros((len(q), len(entries))), [0.0] * module.N_ROW
        for k in range(len(q)):
            module.position(1, self.dof, self.par, range(module.N_SIG), rows, entries, x[k], u[k], phi, own[k])
        kind = list(element.declaration.attachments.values())[attachment]
        family = element.families[attachment]
        gradient = np.zeros((len(q), module.N_ROW, len(family.coordinates)))
        if self.group is None or weight is None:
            places = family.markers[type(kind)].coordinates
            first = sum(index.size for index in element.coordinates[:attachment])
            for k, (row, i) in enumerate(module.JACOBIAN):
                if 0 <= i - first < len(places):
                    gradient[:, row, places[i - first]] += own[:, k]
            return gradient
        t = self.group.template
        flat = [entry for row in t.rows for entry in row]
        for k, at in t.jac:
            if flat[at][0] == attachment:
                gradient[:, module.JACOBIAN[k][0], flat[at][1]] += own[:, k] * weight[:, at]
        return gradient
