"""Formulas: expressions of a model file in the variables of an element (such as a spring force of its length) as declarations.

An element with a Formula is derived like any other, from a declaration created here for the expression: parameters of the
model in it become parameters of the element, so that other values need no other kernel. SymPy is imported only when the
element is derived.
"""

from __future__ import annotations

import functools
import hashlib
from typing import Any

from gaitwright._core.error_context import ErrorContext
from gaitwright.mechanism.signals import SignalOperation, arity
from gaitwright.model.grammar import SeriesLookup, clip_text
from gaitwright.physics.declarations import Declaration, Number
from gaitwright.physics.parameters import Formula

PARAMETER_PREFIX = "p_"
"""Prefix of the names of model parameters among those of an element."""


def declare_formulas(
    declaration: type[Declaration], fields: dict[str, Any], parse: Any
) -> tuple[type[Declaration], dict[str, Any]]:
    """Declaration for the formulas in the fields, and its own fields. parse: (text, more names) -> Expression."""
    formulas = {name: p for name, p in declaration.parameters.items() if isinstance(p, Formula)}
    expressions = {name: _parse_formula(name, formula, fields[name], parse) for name, formula in formulas.items()}
    bound_declaration = _formula_declaration(
        declaration, tuple((name, expression.items) for name, expression in expressions.items())
    )
    names = {name for field, e in expressions.items() for name in e.names if name not in formulas[field].variables}
    other_fields = {name: value for name, value in fields.items() if name not in formulas}
    return bound_declaration, other_fields | {PARAMETER_PREFIX + name: name for name in sorted(names)}


def _parse_formula(field: str, formula: Formula, given: Any, parse: Any) -> Any:
    """Parse the expression of a formula; ModelError if it cannot be derived."""
    expression = parse(given, formula.variables)
    at, text, variables = ErrorContext(field=field), clip_text(expression.text), " and ".join(formula.variables)
    for name in (item for item in expression.items if isinstance(item, SeriesLookup)):
        at.fail(f"the series '{name.name}' is a function of time", text, f"an expression of {variables} without it")
    if "t" in expression.names:
        at.fail("depends on time", text, f"an expression of {variables} alone")
    if SignalOperation.MODULO in expression.items:
        at.fail("is discontinuous because of its %", text, "an expression without %")
    return expression


@functools.cache
def _formula_declaration(
    base: type[Declaration], formulas: tuple[tuple[str, tuple[Any, ...]], ...]
) -> type[Declaration]:
    """Subclass of `base` with known formulas: (field, items in postfix order) of each."""
    variables = {field: base.parameters[field].variables for field, _ in formulas}  # type: ignore[union-attr]
    used = {
        item for field, items in formulas for item in items if isinstance(item, str) and item not in variables[field]
    }
    names = sorted(used)
    numbers = {PARAMETER_PREFIX + name: Number("1", f"parameter {name} of the model") for name in names}
    others = {name: parameter for name, parameter in base.parameters.items() if name not in variables}

    def bound(function: str) -> Any:
        def call(**symbols: Any) -> Any:
            values = {name: symbols.pop(PARAMETER_PREFIX + name) for name in names}
            functions = {field: FormulaFunction(items, variables[field], values) for field, items in formulas}
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
        "registries": classmethod(lambda cls: []),  # no registry lists it
        **{
            function: bound(function)
            for function in ("effect", "observe", "energy", "residual")
            if hasattr(base, function)
        },
    }
    return type(base.__name__, (base,), members)


class FormulaFunction:
    """Formula as a SymPy function: call it with expressions for its variables."""

    def __init__(self, items: tuple[Any, ...], variables: tuple[str, ...], values: dict[str, Any]):
        import sympy

        self.symbols = [sympy.Symbol(name, real=True) for name in variables]
        self.expression = _to_sympy(items, {**values, **dict(zip(variables, self.symbols, strict=True))})

    def __call__(self, *values: Any) -> Any:
        return self.expression.subs(list(zip(self.symbols, values, strict=True)), simultaneous=True)

    def derivative(self, value: Any) -> Any:
        """Derivative of the formula in its first variable, with the others zero."""
        x, *others = self.symbols
        return self.expression.subs(dict.fromkeys(others, 0)).diff(x).subs(x, value)

    def integral(self, deflection: Any) -> Any:
        """Integral of the formula over its first variable, with the others zero; None if not available."""
        x, *others = self.symbols
        antiderivative = _antiderivative(self.expression.subs(dict.fromkeys(others, 0)), x)
        return None if antiderivative is None else antiderivative.subs(x, deflection)


def _to_sympy(items: tuple[Any, ...], values: dict[str, Any]) -> Any:
    """Convert postfix order to a SymPy expression."""
    import sympy

    stack: list[Any] = []
    for item in items:
        if isinstance(item, SignalOperation):
            arguments = stack[-arity(item) :]
            del stack[-arity(item) :]
            stack.append(_SYMPY_OPERATIONS[item](sympy, *arguments))
        elif isinstance(item, str):
            stack.append(values[item])
        else:
            stack.append(sympy.Integer(int(item)) if float(item).is_integer() else sympy.Float(item))
    return _boolean_to_number(sympy, stack[0])


def _is_boolean(sympy: Any, value: Any) -> bool:
    """True for a boolean expression; SymPy symbols are both booleans and expressions, and count as numbers."""
    return isinstance(value, sympy.logic.boolalg.Boolean) and not isinstance(value, sympy.Expr)


def _boolean_to_number(sympy: Any, value: Any) -> Any:
    """Convert a boolean expression to 1 or 0."""
    return sympy.Piecewise((1, value), (0, True)) if _is_boolean(sympy, value) else value


def _to_boolean(sympy: Any, value: Any) -> Any:
    return value if _is_boolean(sympy, value) else sympy.Ne(value, 0)


def _numeric_operation(function: Any) -> Any:
    return lambda sympy, *arguments: function(sympy, *(_boolean_to_number(sympy, a) for a in arguments))


def _boolean_operation(name: str) -> Any:
    return lambda sympy, *arguments: getattr(sympy, name)(*(_to_boolean(sympy, a) for a in arguments))


_SYMPY_FUNCTIONS = ("sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "atan2")
_SYMPY_RELATIONS = {
    "LESS": "Lt",
    "LESS_EQUAL": "Le",
    "GREATER": "Gt",
    "GREATER_EQUAL": "Ge",
    "EQUAL": "Eq",
    "NOT_EQUAL": "Ne",
}
_SYMPY_OPERATIONS: dict[Any, Any] = {
    SignalOperation.NEGATE: _numeric_operation(lambda sympy, x: -x),
    SignalOperation.ADD: _numeric_operation(lambda sympy, x, y: x + y),
    SignalOperation.SUBTRACT: _numeric_operation(lambda sympy, x, y: x - y),
    SignalOperation.MULTIPLY: _numeric_operation(lambda sympy, x, y: x * y),
    SignalOperation.DIVIDE: _numeric_operation(lambda sympy, x, y: x / y),
    SignalOperation.POWER: _numeric_operation(lambda sympy, x, y: x**y),
    # Max(x, 0) can be differentiated, printed and integrated
    SignalOperation.ABS: _numeric_operation(lambda sympy, x: sympy.Max(x, 0) + sympy.Max(-x, 0)),
    SignalOperation.MAX: _numeric_operation(lambda sympy, x, y: y + sympy.Max(x - y, 0)),
    SignalOperation.MIN: _numeric_operation(lambda sympy, x, y: x - sympy.Max(x - y, 0)),
    SignalOperation.IF: lambda sympy, c, x, y: sympy.Piecewise(
        (_boolean_to_number(sympy, x), _to_boolean(sympy, c)), (_boolean_to_number(sympy, y), True)
    ),
    SignalOperation.NOT: _boolean_operation("Not"),
    SignalOperation.AND: _boolean_operation("And"),
    SignalOperation.OR: _boolean_operation("Or"),
    **{
        SignalOperation[name.upper()]: _numeric_operation(lambda sympy, *x, name=name: getattr(sympy, name)(*x))
        for name in _SYMPY_FUNCTIONS
    },
    **{
        SignalOperation[op]: _numeric_operation(lambda sympy, x, y, name=name: getattr(sympy, name)(x, y))
        for op, name in _SYMPY_RELATIONS.items()
    },
}


def _antiderivative(expression: Any, x: Any) -> Any:
    """Antiderivative of a sum of factors times u^n, max(u, 0)^n, exp(u), sin(u) or cos(u), with u linear in x; None for other
    terms. (SymPy's own integration may take minutes for an expression of one line.)"""
    import sympy

    # unexpanded if possible: the energy of a spring is then zero where its force is
    for terms in (expression, sympy.expand(expression, power_base=False, power_exp=False)):
        parts = []
        for term in sympy.Add.make_args(terms):
            factor, dependent = term.as_independent(x, as_Add=False)
            part = _term_antiderivative(dependent, x)
            parts.append(None if part is None else factor * part)
        if None not in parts:
            return sympy.Add(*parts)
    return None


def _term_antiderivative(term: Any, x: Any) -> Any:
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
        antiderivative = {sympy.exp: sympy.exp, sympy.sin: lambda u: -sympy.cos(u), sympy.cos: sympy.sin}[type(base)]
        return antiderivative(inner) / slope if power == 1 else None
    if not power.is_number or power == -1 or (isinstance(base, sympy.Max) and not power > 0):
        return None
    return base ** (power + 1) / (slope * (power + 1))
