"""Expressions of a model file in the variables of an element, such as the force of a spring of its length: as declarations.

An element with a Formula is derived like any other, from a declaration that is made here for the expression: the parameters
of the model that it names become numbers of the element, so that other values of them need no other kernel. SymPy is
imported only when that is derived.
"""

from __future__ import annotations

import functools
import hashlib
from typing import Any

from gaitwright.checks import At
from gaitwright.model.grammar import Lookup, clip
from gaitwright.physics.declare import Declaration, Formula, Number
from gaitwright.system.signals import Op, arity

PREFIX = "p_"
"""Of the names of a model's parameters among those of an element."""


def with_formulas(
    declaration: type[Declaration], fields: dict[str, Any], parse: Any
) -> tuple[type[Declaration], dict[str, Any]]:
    """The declaration for the formulas in the fields, and its own fields. parse: from text and more names to Expression."""
    formulas = {name: p for name, p in declaration.parameters.items() if isinstance(p, Formula)}
    known = {name: _parsed(name, formula, fields[name], parse) for name, formula in formulas.items()}
    made = _declared(declaration, tuple((name, expression.items) for name, expression in known.items()))
    names = {name for field, e in known.items() for name in e.names if name not in formulas[field].variables}
    kept = {name: value for name, value in fields.items() if name not in formulas}
    return made, kept | {PREFIX + name: name for name in sorted(names)}


def _parsed(field: str, formula: Formula, given: Any, parse: Any) -> Any:
    """The expression of a formula; ModelError for what cannot be derived."""
    expression = parse(given, formula.variables)
    at, text, variables = At(field=field), clip(expression.text), " and ".join(formula.variables)
    for name in (item for item in expression.items if isinstance(item, Lookup)):
        at.fail(f"the series '{name.name}' is a function of time", text, f"an expression of {variables} without it")
    if "t" in expression.names:
        at.fail("depends on time", text, f"an expression of {variables} alone")
    if Op.MODULO in expression.items:
        at.fail("jumps, by its %", text, "an expression without %")
    return expression


@functools.cache
def _declared(base: type[Declaration], formulas: tuple[tuple[str, tuple[Any, ...]], ...]) -> type[Declaration]:
    """A declaration like `base`, whose formulas are known: (field, items in postfix order) of each."""
    variables = {field: base.parameters[field].variables for field, _ in formulas}  # type: ignore[union-attr]
    used = {
        item for field, items in formulas for item in items if isinstance(item, str) and item not in variables[field]
    }
    names = sorted(used)
    numbers = {PREFIX + name: Number("1", f"parameter {name} of the model") for name in names}
    others = {name: parameter for name, parameter in base.parameters.items() if name not in variables}

    def bound(function: str) -> Any:
        def call(**symbols: Any) -> Any:
            values = {name: symbols.pop(PREFIX + name) for name in names}
            functions = {field: Function(items, variables[field], values) for field, items in formulas}
            return getattr(base, function)(**symbols, **functions)

        return staticmethod(call)

    items = formulas[0][1] if len(formulas) == 1 else formulas
    digest = hashlib.sha256(repr(items).encode()).hexdigest()[:12]
    members = {
        "name": f"{base.name}-{digest}",
        "__module__": __name__,
        "__doc__": base.__doc__,
        "parameters": {**others, **numbers},
        "stands_for_others": False,
        "formula": (base.__module__, base.__name__, items),
        "registries": classmethod(lambda cls: []),  # nobody asks for it by its name
        **{
            function: bound(function)
            for function in ("effect", "observe", "energy", "residual")
            if hasattr(base, function)
        },
    }
    return type(base.__name__, (base,), members)


class Function:
    """A formula as SymPy sees it: call it with expressions for its variables."""

    def __init__(self, items: tuple[Any, ...], variables: tuple[str, ...], values: dict[str, Any]):
        import sympy

        self.symbols = [sympy.Symbol(name, real=True) for name in variables]
        self.expression = _symbolic(items, {**values, **dict(zip(variables, self.symbols, strict=True))})

    def __call__(self, *values: Any) -> Any:
        return self.expression.subs(list(zip(self.symbols, values, strict=True)), simultaneous=True)

    def derivative(self, value: Any) -> Any:
        """Of the formula in its first variable, with the others zero."""
        x, *others = self.symbols
        return self.expression.subs(dict.fromkeys(others, 0)).diff(x).subs(x, value)

    def integral(self, deflection: Any) -> Any:
        """Of the formula over its first variable, with the others zero; None where that is not known."""
        x, *others = self.symbols
        found = _integral(self.expression.subs(dict.fromkeys(others, 0)), x)
        return None if found is None else found.subs(x, deflection)


def _symbolic(items: tuple[Any, ...], values: dict[str, Any]) -> Any:
    """From postfix order to SymPy."""
    import sympy

    stack: list[Any] = []
    for item in items:
        if isinstance(item, Op):
            arguments = stack[-arity(item) :]
            del stack[-arity(item) :]
            stack.append(_OPERATIONS[item](sympy, *arguments))
        elif isinstance(item, str):
            stack.append(values[item])
        else:
            stack.append(sympy.Integer(int(item)) if float(item).is_integer() else sympy.Float(item))
    return _number(sympy, stack[0])


def _is_truth(sympy: Any, value: Any) -> bool:
    """Whether it is true or false; to SymPy, a symbol is either."""
    return isinstance(value, sympy.logic.boolalg.Boolean) and not isinstance(value, sympy.Expr)


def _number(sympy: Any, value: Any) -> Any:
    """Of a truth: 1 or 0."""
    return sympy.Piecewise((1, value), (0, True)) if _is_truth(sympy, value) else value


def _truth(sympy: Any, value: Any) -> Any:
    return value if _is_truth(sympy, value) else sympy.Ne(value, 0)


def _of_numbers(function: Any) -> Any:
    return lambda sympy, *arguments: function(sympy, *(_number(sympy, a) for a in arguments))


def _of_truths(name: str) -> Any:
    return lambda sympy, *arguments: getattr(sympy, name)(*(_truth(sympy, a) for a in arguments))


_FUNCTIONS = ("sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "atan2")
_RELATIONS = {
    "LESS": "Lt",
    "LESS_EQUAL": "Le",
    "GREATER": "Gt",
    "GREATER_EQUAL": "Ge",
    "EQUAL": "Eq",
    "NOT_EQUAL": "Ne",
}
_OPERATIONS: dict[Any, Any] = {
    Op.NEGATE: _of_numbers(lambda sympy, x: -x),
    Op.ADD: _of_numbers(lambda sympy, x, y: x + y),
    Op.SUBTRACT: _of_numbers(lambda sympy, x, y: x - y),
    Op.MULTIPLY: _of_numbers(lambda sympy, x, y: x * y),
    Op.DIVIDE: _of_numbers(lambda sympy, x, y: x / y),
    Op.POWER: _of_numbers(lambda sympy, x, y: x**y),
    # max(x, 0) is what can be differentiated, printed and integrated
    Op.ABS: _of_numbers(lambda sympy, x: sympy.Max(x, 0) + sympy.Max(-x, 0)),
    Op.MAX: _of_numbers(lambda sympy, x, y: y + sympy.Max(x - y, 0)),
    Op.MIN: _of_numbers(lambda sympy, x, y: x - sympy.Max(x - y, 0)),
    Op.IF: lambda sympy, c, x, y: sympy.Piecewise((_number(sympy, x), _truth(sympy, c)), (_number(sympy, y), True)),
    Op.NOT: _of_truths("Not"),
    Op.AND: _of_truths("And"),
    Op.OR: _of_truths("Or"),
    **{Op[name.upper()]: _of_numbers(lambda sympy, *x, name=name: getattr(sympy, name)(*x)) for name in _FUNCTIONS},
    **{
        Op[op]: _of_numbers(lambda sympy, x, y, name=name: getattr(sympy, name)(x, y))
        for op, name in _RELATIONS.items()
    },
}


def _integral(expression: Any, x: Any) -> Any:
    """Of a sum of factors times u^n, max(u, 0)^n, exp(u), sin(u) or cos(u), with u linear in x; None for anything else.
    (SymPy's own integration may take minutes over what a user can write in a line.)"""
    import sympy

    # as it is written if possible: the energy of a spring is then zero where its force is
    for terms in (expression, sympy.expand(expression, power_base=False, power_exp=False)):
        parts = []
        for term in sympy.Add.make_args(terms):
            factor, of_x = term.as_independent(x, as_Add=False)
            part = _integral_of(of_x, x)
            parts.append(None if part is None else factor * part)
        if None not in parts:
            return sympy.Add(*parts)
    return None


def _integral_of(term: Any, x: Any) -> Any:
    import sympy

    if not term.has(x):
        return term * x
    base, power = term.as_base_exp() if not isinstance(term, sympy.exp) else (term, sympy.Integer(1))
    inner: Any = base.args[-1] if isinstance(base, (sympy.exp, sympy.sin, sympy.cos)) else base
    if isinstance(base, sympy.Max):
        inner = next((a for a in base.args if a.has(x)), base)
        if set(base.args) != {sympy.Integer(0), inner}:
            return None
    slope = inner.diff(x)
    if power.has(x) or slope.has(x) or slope == 0:
        return None
    if isinstance(base, (sympy.exp, sympy.sin, sympy.cos)):
        whole = {sympy.exp: sympy.exp, sympy.sin: lambda u: -sympy.cos(u), sympy.cos: sympy.sin}[type(base)]
        return whole(inner) / slope if power == 1 else None
    if not power.is_number or power == -1 or (isinstance(base, sympy.Max) and not power > 0):
        return None
    return base ** (power + 1) / (slope * (power + 1))
