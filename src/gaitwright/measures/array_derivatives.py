"""Reverse-mode differentiation of functions of arrays, with NumPy or CuPy.

    x = TracedArray(samples)                             # (n_samples, n_designs)
    energy = sum_by(xp, i, abs(x[s, i]), n_designs)      # (n_designs,)
    (by_sample,) = differentiate(xp, energy, [x])        # (n_samples, n_designs)

A function of arrays also runs on traced arrays if it uses the operators + - * / ** abs and indexing, the method `sum`, and the
functions of this module. Each of these primitives has its derivative rule here, and nowhere else. The functions also accept
plain arrays, and then return plain arrays. Columns are designs that do not depend on each other, so that one reverse pass
yields the derivatives of a measure (n_designs,) of all designs.

Comparisons of traced arrays are not defined: a choice uses values, `plain(x) > 0`, and has no derivative. A value that an
equation defines, such as a zero of a curve, is an `implicit_point`; the search for it uses plain arrays.

A zero adjoint remains zero where a local derivative is infinite: a branch that `where` excludes does not contribute.

Source of the method: A. Griewank, A. Walther, Evaluating Derivatives, 2nd ed., SIAM 2008, section 3.2.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

Array = Any
"""Array of NumPy or CuPy, or a TracedArray."""
_creation_order = itertools.count()


class ScatteredAdjoint(NamedTuple):
    """Contribution to selected entries of an adjoint; an entry may occur several times in arrays of indices."""

    place: Any
    values: Array


Pullback = Callable[[Array], Any]
"""Function of the adjoint of a result that returns the contribution to the adjoint of an operand, an array of the shape of the
result or a ScatteredAdjoint."""


class TracedArray:
    """Array with the operands from which it was computed. parents: (operand, pullback)."""

    __slots__ = ("order", "parents", "value")
    __array_ufunc__ = None  # operators of NumPy and CuPy arrays leave the operation to this class

    def __init__(self, value: Array, parents: Sequence[tuple[TracedArray, Pullback]] = ()):
        self.value, self.parents, self.order = value, parents, next(_creation_order)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.value.shape

    @property
    def size(self) -> int:
        return self.value.size

    def __add__(self, other: Array) -> TracedArray:
        return record(self.value + plain(other), (self, _same), (other, _same))

    __radd__ = __add__

    def __sub__(self, other: Array) -> TracedArray:
        return record(self.value - plain(other), (self, _same), (other, _negative))

    def __rsub__(self, other: Array) -> TracedArray:
        return record(other - self.value, (self, _negative))

    def __neg__(self) -> TracedArray:
        return record(-self.value, (self, _negative))

    def __mul__(self, other: Array) -> TracedArray:
        a, b = self.value, plain(other)
        return record(a * b, (self, lambda g: g * b), (other, lambda g: g * a))

    __rmul__ = __mul__

    def __truediv__(self, other: Array) -> TracedArray:
        b = plain(other)
        ratio = self.value / b
        return record(ratio, (self, lambda g: _divide(g, b)), (other, lambda g: _divide(-g * ratio, b)))

    def __rtruediv__(self, other: Array) -> TracedArray:
        ratio = other / self.value
        return record(ratio, (self, lambda g: _divide(-g * ratio, self.value)))

    def __pow__(self, exponent: float) -> TracedArray:
        a = self.value
        return record(a**exponent, (self, lambda g: g * (exponent * a ** (exponent - 1))))

    def __abs__(self) -> TracedArray:
        a = self.value
        return record(abs(a), (self, lambda g: g * ((a > 0.0) * 1.0 - (a < 0.0))))

    def __getitem__(self, place: Any) -> TracedArray:
        return record(self.value[place], (self, lambda g: ScatteredAdjoint(place, g)))

    def sum(self, axis: Literal[0]) -> TracedArray:
        """Sum over the first axis."""
        return record(self.value.sum(axis=axis), (self, lambda g: ScatteredAdjoint(slice(None), g)))


def plain(x: Any) -> Any:
    """Value of a traced array; anything else unchanged."""
    return x.value if isinstance(x, TracedArray) else x


def record(value: Array, *operands: tuple[Any, Pullback]) -> Any:
    """Result of a primitive from its operands and their pullbacks: traced if one of the operands is, otherwise plain."""
    parents = [(operand, pull) for operand, pull in operands if isinstance(operand, TracedArray)]
    return TracedArray(value, parents) if parents else value


def differentiate(xp: Any, result: Any, variables: Sequence[TracedArray]) -> list[Array | None]:
    """Derivatives of a result (n_designs,) with respect to variables, each in the shape of the variable; None for a variable on
    which the result does not depend. Every design of the result depends on its own column of the variables only."""
    if not isinstance(result, TracedArray):
        return [None for _ in variables]
    adjoints = _Adjoints(xp)
    adjoints.add(result, xp.ones(result.shape))
    wanted = {id(variable) for variable in variables}
    with np.errstate(divide="ignore", invalid="ignore"):
        for node in _dependencies(result):
            adjoint = adjoints.of(node) if id(node) in wanted else adjoints.take(node)
            if adjoint is not None:
                for operand, pull in node.parents:
                    adjoints.add(operand, pull(adjoint))
    return [adjoints.of(variable) for variable in variables]


def _dependencies(result: TracedArray) -> list[TracedArray]:
    """All arrays on which a result depends, and itself, each before its operands."""
    nodes, stack = {id(result): result}, [result]
    while stack:
        for operand, _ in stack.pop().parents:
            if id(operand) not in nodes:
                nodes[id(operand)] = operand
                stack.append(operand)
    return sorted(nodes.values(), key=lambda node: -node.order)


class _Adjoints:
    """Adjoints of arrays during a reverse pass. An array from a pullback may be shared, and is copied before a change."""

    def __init__(self, xp: Any):
        self.xp = xp
        self.arrays: dict[int, tuple[Array, bool]] = {}

    def of(self, node: TracedArray) -> Array | None:
        adjoint, _ = self.arrays.get(id(node), (None, False))
        return adjoint

    def take(self, node: TracedArray) -> Array | None:
        adjoint, _ = self.arrays.pop(id(node), (None, False))
        return adjoint

    def add(self, node: TracedArray, contribution: Any) -> None:
        known, own = self.arrays.get(id(node), (None, False))
        if isinstance(contribution, ScatteredAdjoint):
            target = self.xp.zeros(node.value.shape) if known is None else known if own else known.copy()
            _add_at(self.xp, target, *contribution)
            self.arrays[id(node)] = target, True
            return
        if contribution.ndim > node.value.ndim:
            contribution = contribution.sum(axis=0)
        if known is None:
            self.arrays[id(node)] = contribution, False
        elif own:
            known += contribution
        else:
            self.arrays[id(node)] = known + contribution, True


def _add_at(xp: Any, target: Array, place: Any, values: Array) -> None:
    if isinstance(place, tuple) and target.flags.c_contiguous:  # one index array is faster than two
        s, i = place
        xp.add.at(target.reshape(-1), s * target.shape[1] + i, values)
    elif isinstance(place, slice | int):
        target[place] += values
    else:
        xp.add.at(target, place, values)


def _same(g: Array) -> Array:
    return g


def _negative(g: Array) -> Array:
    return -g


def _divide(g: Array, by: Array) -> Array:
    ratio = g / by
    ratio[g == 0.0] = 0.0
    return ratio


# primitives ----------------------------------------------------------------------------------------------------------


def sqrt(xp: Any, x: Array) -> Array:
    root = xp.sqrt(plain(x))
    return record(root, (x, lambda g: _divide(0.5 * g, root)))


def where(xp: Any, condition: Array, x: Array, y: Array) -> Array:
    """x where the condition, a plain array, is true, otherwise y."""
    return record(
        xp.where(condition, plain(x), plain(y)),
        (x, lambda g: xp.where(condition, g, 0.0)), (y, lambda g: xp.where(condition, 0.0, g)),
    )  # fmt: skip


def ratio(x: Array, y: Array) -> Array:
    """x / y of arrays or of numbers; NaN where y is 0."""
    divisor = plain(y)
    if np.ndim(divisor) == 0:
        return x / y if divisor else np.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        return replace_at(x / y, divisor == 0.0, np.nan)


def clip(xp: Any, x: Array, low: Array, high: Array) -> Array:
    """x limited to the interval from low to high."""
    value, least, greatest = plain(x), plain(low), plain(high)
    return record(
        xp.clip(value, least, greatest),
        (x, lambda g: xp.where((value >= least) & (value <= greatest), g, 0.0)),
        (low, lambda g: xp.where(value < least, g, 0.0)), (high, lambda g: xp.where(value > greatest, g, 0.0)),
    )  # fmt: skip


def concatenate(xp: Any, parts: Sequence[Array]) -> Array:
    """One-dimensional arrays, one after another."""
    ends = np.cumsum([0, *(part.size for part in parts)]).tolist()
    pullbacks = [lambda g, cut=slice(first, last): g[cut] for first, last in itertools.pairwise(ends)]
    return record(xp.concatenate([plain(part) for part in parts]), *zip(parts, pullbacks, strict=True))


def replace_at(x: Array, place: Any, values: Array) -> Array:
    """Copy of x with other values at some entries, each of which occurs once in `place`, an index or a mask."""
    changed = plain(x).copy()
    changed[place] = plain(values)

    def of_x(g: Array) -> Array:
        remaining = g.copy()
        remaining[place] = 0.0
        return remaining

    return record(changed, (x, of_x), (values, lambda g: g[place]))


def greatest_sample(x: Array) -> Array:
    """Greatest entries along the first axis. The derivative is that of the first of several equal ones."""
    values = plain(x)

    def pull(g: Array) -> ScatteredAdjoint:
        row = values.argmax(axis=0)
        return ScatteredAdjoint((row, (row * 0 + 1).cumsum() - 1), g)

    return record(values.max(axis=0), (x, pull))


def least_sample(x: Array) -> Array:
    """Least entries along the first axis, likewise."""
    if not isinstance(x, TracedArray):
        return x.min(axis=0)
    return -greatest_sample(-x)


def sum_by(xp: Any, i: Array, values: Array, size: int) -> Array:
    """Sums of the values of each index i, (size,)."""
    return record(xp.bincount(i, plain(values), minlength=size), (values, lambda g: g[i]))


def apply_linear(value: Array, x: Array, transpose: Pullback) -> Array:
    """Value of a linear function of x. transpose: the transposed function, of adjoints."""
    return record(value, (x, transpose))


def implicit_point(u: Array, residual: Array, slope: Array) -> Array:
    """Solution u of an equation F(u, x) = 0, with du = -F_x dx / F_u. u: plain value. residual: F at the plain u, traced in x.
    slope: F_u there."""
    return record(u, (residual, lambda g: _divide(-g, plain(slope))))
