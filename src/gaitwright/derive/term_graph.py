"""Expressions as operations in single assignment, for printers of whole programs.

A form describes one element. A program that evaluates a whole mechanism without loops and tables combines many forms, an
elimination and the values of the parameters, with constant folding. Here an operation is a `Term`; equal operations are the
same Term, so that subexpressions shared by several forms are computed once, and terms that are zero, one, or depend on
parameters of the design alone are detected (`level`).

Terms behave as numbers in Python and NumPy: formulas written for arrays (outputs of results) can be evaluated with terms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

NUMBER_LEVEL, DESIGN_LEVEL, MOTION_LEVEL = range(3)
"""Levels: known when the program is printed; computed once for each design; computed at every instant."""
UNARY_FUNCTIONS = {
    "sqrt": math.sqrt, "sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos,
    "atan": math.atan, "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh, "exp": math.exp, "log": math.log,
    "expm1": math.expm1, "log1p": math.log1p, "floor": math.floor,
}  # fmt: skip
"""Functions of one argument, by the names that C and Python share."""
ARRAY_FUNCTIONS: dict[str, Any] = {name: getattr(np, name) for name in UNARY_FUNCTIONS if hasattr(np, name)} | {
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "neg": np.negative, "abs": np.abs, "inverse": np.reciprocal,
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "pow": np.power, "atan2": np.arctan2, "fmod": np.mod,
    "max": np.maximum, "min": np.minimum, "select": lambda x, a, b: np.where(x > 0.0, a, b),
}  # fmt: skip


class Term:
    """One operation. order: larger than that of its operands."""

    __slots__ = ("args", "graph", "level", "name", "op", "order", "value")

    def __init__(
        self, graph: TermGraph, op: str, args: tuple[Term, ...], level: int, value: float = math.nan, name: str = ""
    ):
        self.graph, self.op, self.args, self.level, self.value, self.name = graph, op, args, level, value, name
        self.order = graph.count
        graph.count += 1

    def __add__(self, other: Any) -> Any:
        return _apply_operation(self, other, self.graph.add)

    def __radd__(self, other: Any) -> Any:
        return _apply_operation(self, other, lambda a, b: self.graph.add(b, a))

    def __sub__(self, other: Any) -> Any:
        return _apply_operation(self, other, self.graph.sub)

    def __rsub__(self, other: Any) -> Any:
        return _apply_operation(self, other, lambda a, b: self.graph.sub(b, a))

    def __mul__(self, other: Any) -> Any:
        return _apply_operation(self, other, self.graph.mul)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return _apply_operation(self, other, lambda a, b: self.graph.mul(a, self.graph.inverse(b)))

    def __rtruediv__(self, other: Any) -> Any:
        return _apply_operation(self, other, lambda a, b: self.graph.mul(b, self.graph.inverse(a)))

    def __pow__(self, other: Any) -> Any:
        return _apply_operation(self, other, self.graph.power)

    def __rpow__(self, other: Any) -> Any:
        return _apply_operation(self, other, lambda a, b: self.graph.power(b, a))

    def __neg__(self) -> Term:
        return self.graph.neg(self)

    def __abs__(self) -> Term:
        return self.graph.call("abs", self)

    # methods that NumPy calls for the entries of an object array
    def sqrt(self) -> Term:
        return self.graph.call("sqrt", self)

    def sin(self) -> Term:
        return self.graph.call("sin", self)

    def cos(self) -> Term:
        return self.graph.call("cos", self)

    def hypot(self, other: Any) -> Term:
        return (self * self + other * other).sqrt()

    def __repr__(self) -> str:
        if self.op == "number":
            return repr(self.value)
        return self.name or f"{self.op}({', '.join(map(repr, self.args))})"


class TermGraph:
    """All terms of a program."""

    def __init__(self) -> None:
        self.count = 0
        self._known: dict[Any, Term] = {}
        self._slopes: dict[tuple[Term, Term], Term] = {}

    def number(self, value: float) -> Term:
        value = float(value) + 0.0  # merges 0.0 and -0.0
        key = "number", value
        if key not in self._known:
            self._known[key] = Term(self, "number", (), NUMBER_LEVEL, value)
        return self._known[key]

    def input(self, name: str, level: int) -> Term:
        """Return an input of the program, given by its source text."""
        key = "input", name
        if key not in self._known:
            self._known[key] = Term(self, "input", (), level, name=name)
        return self._known[key]

    def term(self, value: Any) -> Term:
        """Convert a value to a term: a term, an object with a `term` attribute, or a number."""
        if isinstance(value, Term):
            return value
        remembered = getattr(value, "term", None)
        return remembered if isinstance(remembered, Term) else self.number(value)

    def known(self, op: str, *args: Term) -> Term | None:
        """Return an existing operation, or None."""
        return self._known.get((op, *(arg.order for arg in args)))

    def _made(self, op: str, *args: Term) -> Term:
        key = op, *(arg.order for arg in args)
        if key not in self._known:
            self._known[key] = Term(self, op, args, max(arg.level for arg in args))
        return self._known[key]

    # arithmetic, with signs outermost and numbers folded -----------------------------------------------------------

    def neg(self, a: Term) -> Term:
        if a.op == "number":
            return self.number(-a.value)
        if a.op == "neg":
            return a.args[0]
        return self.sub(a.args[1], a.args[0]) if a.op == "sub" else self._made("neg", a)

    def add(self, a: Term, b: Term) -> Term:
        if a.op == b.op == "number":
            return self.number(a.value + b.value)
        if _is_number(a, 0.0) or _is_number(b, 0.0):
            return b if _is_number(a, 0.0) else a
        if b.op == "neg":
            return self.sub(a, b.args[0])
        if a.op == "neg":
            return self.sub(b, a.args[0])
        return self._made("add", *sorted((a, b), key=_term_order))

    def sub(self, a: Term, b: Term) -> Term:
        if a.op == b.op == "number":
            return self.number(a.value - b.value)
        if a is b:
            return self.number(0.0)
        if _is_number(b, 0.0):
            return a
        if _is_number(a, 0.0):
            return self.neg(b)
        if b.op == "neg":
            return self.add(a, b.args[0])
        if a.op == "neg":
            return self.neg(self.add(a.args[0], b))
        return self._made("sub", a, b)

    def mul(self, a: Term, b: Term) -> Term:
        if b.op == "number":
            a, b = b, a
        if a.op == "number":
            if b.op == "number":
                return self.number(a.value * b.value)
            if a.value == 0.0:
                return a
            if abs(a.value) == 1.0:
                return b if a.value == 1.0 else self.neg(b)
        if a.op == "neg" or b.op == "neg":
            sign = (a.op == "neg") != (b.op == "neg")
            product = self.mul(*(x.args[0] if x.op == "neg" else x for x in (a, b)))
            return self.neg(product) if sign else product
        if a.op == "number" and a.value < 0.0:
            return self.neg(self.mul(self.number(-a.value), b))
        return self._made("mul", *sorted((a, b), key=_term_order))

    def inverse(self, a: Term) -> Term:
        if a.op == "number":
            return self.number(1.0 / a.value if a.value else math.inf)
        if a.op == "neg":
            return self.neg(self.inverse(a.args[0]))
        return a.args[0] if a.op == "inverse" else self._made("inverse", a)

    def power(self, a: Term, b: Term) -> Term:
        if b.op != "number":
            return self._made("pow", a, b)
        if a.op == "number":
            return self.number(a.value**b.value)
        if b.value < 0.0:
            return self.inverse(self.power(a, self.number(-b.value)))
        integer, rest = divmod(b.value, 1.0)
        if integer > 4 or rest not in (0.0, 0.5):
            return self._made("pow", a, b)
        result = self.call("sqrt", a) if rest else self.number(1.0)
        for _ in range(int(integer)):
            result = self.mul(result, a)
        return result

    def call(self, op: str, *args: Term) -> Term:
        """Return a function of UNARY_FUNCTIONS, abs, atan2, fmod (with the sign of the divisor), max, min, or select(x, a,
        b): a if x > 0, else b."""
        if all(arg.op == "number" for arg in args):
            values = [arg.value for arg in args]
            with np.errstate(all="ignore"):
                return self.number(
                    UNARY_FUNCTIONS[op](*values) if op in UNARY_FUNCTIONS else ARRAY_FUNCTIONS[op](*values)
                )
        if op == "select" and args[0].op == "number":
            return args[1] if args[0].value > 0.0 else args[2]
        return self._made(op, *args)

    # derivatives -----------------------------------------------------------------------------------------------------

    def slope(self, term_of: Term, by: Term) -> Term:
        """Return the derivative of a term with respect to an input; at a kink the one-sided derivative."""
        for term in self.needed([term_of]):
            if (term, by) not in self._slopes:
                self._slopes[term, by] = self._slope(term, by)
        return self._slopes[term_of, by]

    def _slope(self, term: Term, by: Term) -> Term:
        if term is by:
            return self.number(1.0)
        slopes = [self._slopes[arg, by] for arg in term.args]
        if all(_is_number(slope, 0.0) for slope in slopes):
            return self.number(0.0)
        if term.op not in DERIVATIVE_RULES:
            raise NotPrintable(f"the derivative of {term.op}")
        return DERIVATIVE_RULES[term.op](term, *term.args, *slopes)

    def along(self, terms: Iterable[Term], dots: Mapping[Term, Term], of_design: Callable[[Term], Term]) -> list[Term]:
        """Return the derivatives of terms along a direction. dots: those of inputs, zero by default. of_design: callback for
        those of terms that depend on the design alone."""
        terms = list(terms)
        zero = self.number(0.0)
        derivatives: dict[Term, Term] = dict(dots)

        def dot(term: Term) -> Term:
            if term.level == DESIGN_LEVEL and term not in derivatives:
                derivatives[term] = of_design(term)
            return derivatives.get(term, zero)

        for term in self.needed(terms):
            if term.level < MOTION_LEVEL or term.op == "input" or term in derivatives:
                continue
            slopes = [dot(arg) for arg in term.args]
            if all(_is_number(slope, 0.0) for slope in slopes):
                continue
            if term.op not in DERIVATIVE_RULES:
                raise NotPrintable(f"the derivative of {term.op}")
            derivatives[term] = DERIVATIVE_RULES[term.op](term, *term.args, *slopes)
        return [dot(term) for term in terms]

    def adjoint(self, seeds: Mapping[Term, Term], until: int = NUMBER_LEVEL) -> dict[Term, Term]:
        """Return the derivatives of a weighted sum of terms, in reverse mode: the factor of every input and of every term at
        the level `until`, where the propagation ends. seeds: the weights."""
        factors: dict[Term, Term] = dict(seeds)
        leaf_factors: dict[Term, Term] = {}
        one, zero = self.number(1.0), self.number(0.0)
        for term in reversed(self.needed(seeds)):
            factor = factors.get(term, zero)
            if _is_number(factor, 0.0) or term.op == "number":
                continue
            if term.op == "input" or term.level <= until:
                leaf_factors[term] = factor
                continue
            if term.op not in DERIVATIVE_RULES:
                raise NotPrintable(f"the derivative of {term.op}")
            for k, arg in enumerate(term.args):
                if arg.op != "number":
                    slopes = [one if j == k else zero for j in range(len(term.args))]
                    share = DERIVATIVE_RULES[term.op](term, *term.args, *slopes)
                    factors[arg] = factors.get(arg, zero) + factor * share
        return leaf_factors

    # values ----------------------------------------------------------------------------------------------------------

    @staticmethod
    def needed(terms: Iterable[Term]) -> list[Term]:
        """Return the given terms and all their operands, in an order in which they can be computed."""
        visited: set[Term] = set()
        waiting = list(terms)
        while waiting:
            term = waiting.pop()
            if term not in visited:
                visited.add(term)
                waiting += term.args
        return sorted(visited, key=_term_order)

    def values(self, terms: Iterable[Term], inputs: Mapping[str, Any]) -> list[Any]:
        """Evaluate terms as numbers or arrays. inputs: by name."""
        terms, value_of = list(terms), {}
        with np.errstate(all="ignore"):
            for term in self.needed(terms):
                if term.op == "number":
                    value_of[term] = term.value
                elif term.op == "input":
                    value_of[term] = inputs[term.name]
                else:
                    args = [np.asarray(value_of[arg], dtype=float) for arg in term.args]
                    value_of[term] = ARRAY_FUNCTIONS[term.op](*args)
        return [value_of[term] for term in terms]


class NotPrintable(Exception):
    """Raised for a function that printed programs do not support; the argument names it."""


DERIVATIVE_RULES: dict[str, Any] = {
    "neg": lambda f, a, da: -da,
    "add": lambda f, a, b, da, db: da + db,
    "sub": lambda f, a, b, da, db: da - db,
    "mul": lambda f, a, b, da, db: da * b + a * db,
    "inverse": lambda f, a, da: -(da * f * f),
    "pow": lambda f, a, b, da, db: f * (b * da / a + (db * a.graph.call("log", a) if not _is_number(db, 0.0) else db)),
    "sqrt": lambda f, a, da: 0.5 * da / f,
    "sin": lambda f, a, da: a.graph.call("cos", a) * da,
    "cos": lambda f, a, da: -(a.graph.call("sin", a) * da),
    "tan": lambda f, a, da: (1.0 + f * f) * da,
    "asin": lambda f, a, da: da / (1.0 - a * a).sqrt(),
    "acos": lambda f, a, da: -(da / (1.0 - a * a).sqrt()),
    "atan": lambda f, a, da: da / (1.0 + a * a),
    "atan2": lambda f, y, x, dy, dx: (x * dy - y * dx) / (x * x + y * y),
    "sinh": lambda f, a, da: a.graph.call("cosh", a) * da,
    "cosh": lambda f, a, da: a.graph.call("sinh", a) * da,
    "tanh": lambda f, a, da: (1.0 - f * f) * da,
    "exp": lambda f, a, da: f * da,
    "expm1": lambda f, a, da: (f + 1.0) * da,
    "log": lambda f, a, da: da / a,
    "log1p": lambda f, a, da: da / (1.0 + a),
    "floor": lambda f, a, da: a.graph.number(0.0),
    "abs": lambda f, a, da: a.graph.call("select", a, da, -da),
    "max": lambda f, a, b, da, db: a.graph.call("select", a - b, da, db),
    "min": lambda f, a, b, da, db: a.graph.call("select", b - a, da, db),
    "select": lambda f, x, a, b, dx, da, db: x.graph.call("select", x, da, db),
    "fmod": lambda f, a, b, da, db: da - a.graph.call("floor", a / b) * db,
}
"""Derivative rules by operation: the derivative from the term, its arguments and their derivatives."""


def _apply_operation(term: Term, other: Any, operation: Any) -> Any:
    """Apply an operation with a term or a number; an array applies it to its entries."""
    return NotImplemented if isinstance(other, np.ndarray) else operation(term, term.graph.term(other))


def _is_number(term: Term, value: float) -> bool:
    return term.op == "number" and term.value == value


def _term_order(term: Term) -> int:
    return term.order
