"""What stands between derivative and print: a kernel as inputs, shared subexpressions and outputs.

A printer turns a form into the text of a function (printing.py: for Numba) and knows nothing of mechanics; a form knows nothing
of languages. Because a form still holds expressions, it can be differentiated once more: in the parameters of an element, for
exact gradients of designs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import sympy

from gaitwright.derive.interface import ARGUMENTS, OBSERVE, REALS
from gaitwright.derive.symbols import Named, Quantity

Output = tuple[str, str, Any]
"""Where a value goes ("phi[row[2 * e]]"), how ("=" or "+="), and the expression."""


class Form(NamedTuple):
    """name: of the function. arguments: their names and kinds (interface.py). inputs: what is loaded, or computed before all
    else because it has a name, in this order. shared: subexpressions that several outputs use. whole: the outputs before
    sharing."""

    name: str
    arguments: tuple[tuple[str, str], ...]
    inputs: tuple[Quantity, ...]
    shared: tuple[tuple[Any, Any], ...]
    outputs: tuple[Output, ...]
    whole: tuple[Output, ...]

    def by(self, parameters: Sequence[Quantity], quantities: Sequence[Quantity]) -> Form:
        """Derivatives of all outputs in parameters: `out` has a row of outputs per element, and in it a number per parameter.
        quantities: all that expressions may use, in the order in which it can be loaded."""
        slopes = [_slope(value, parameter) for *_, value in self.whole for parameter in parameters]
        outputs: list[Output] = [(f"out[{len(slopes)} * e + {k}]", "=", value) for k, value in enumerate(slopes)]
        written = {target.partition("[")[0] for target, *_ in self.whole}
        given = tuple(argument for argument in self.arguments if argument[0] not in written)
        return made(f"{self.name}_by_parameters", (*given, ("out", REALS)), outputs, quantities)


def _slope(expression: Any, parameter: Any) -> Any:
    """Derivative in a parameter, also through what has a name of its own."""
    inner = sorted((s for s in expression.free_symbols if isinstance(s, Named)), key=lambda s: s.name)
    through = (expression.diff(name) * _slope(sympy.sympify(name.value), parameter) for name in inner)
    return sum(through, expression.diff(parameter))


def form(kind: str, kernel: str, outputs: Sequence[Output], quantities: Sequence[Quantity]) -> Form:
    """The form of a kernel of the interface."""
    return made(kernel, OBSERVE if kernel == "observe" else ARGUMENTS[kind][kernel], outputs, quantities)


def made(
    name: str, arguments: Sequence[tuple[str, str]], outputs: Sequence[Output], quantities: Sequence[Quantity]
) -> Form:
    whole = [(target, how, sympy.sympify(value)) for target, how, value in outputs if how == "=" or value != 0]
    shared, results = shared_parts([value for *_, value in whole], sympy.numbered_symbols("c"))
    used: set[Any] = set().union(*(e.free_symbols for e in [*results, *(e for _, e in shared)]))
    for symbol in reversed(quantities):  # what a name stands for comes before it
        if symbol in used and isinstance(symbol, Named):
            used |= symbol.value.free_symbols
    return Form(
        name=name,
        arguments=tuple(arguments),
        inputs=tuple(symbol for symbol in quantities if symbol in used),
        shared=tuple(shared),
        outputs=tuple((target, how, value) for (target, how, _), value in zip(whole, results, strict=True)),
        whole=tuple(whole),
    )


def shared_parts(expressions: Sequence[Any], names: Iterator[Any]) -> tuple[list[tuple[Any, Any]], list[Any]]:
    """Subexpressions that occur more than once, by name, and the expressions in terms of them. What differs by its sign needs
    no name: a sign costs nothing, and squares lose it. What then occurs once needs none, either."""
    shared, results = sympy.cse(expressions, symbols=names)
    shared, results = _inserted(shared, results, lambda name, value: (-value).is_Symbol)
    uses = Counter(atom for value in (*results, *(value for _, value in shared)) for atom in _symbols(value))
    return _inserted(shared, results, lambda name, value: uses[name] == 1)


def _inserted(shared: Any, results: Any, chosen: Any) -> tuple[list[tuple[Any, Any]], list[Any]]:
    """Without the names of the chosen subexpressions."""
    kept, inserted = [], {}
    for name, value in shared:
        value = value.xreplace(inserted)
        if chosen(name, value):
            inserted[name] = value
        else:
            kept.append((name, value))
    return kept, [value.xreplace(inserted) for value in results]


def _symbols(expression: Any) -> Iterator[Any]:
    return (node for node in sympy.preorder_traversal(expression) if node.is_Symbol)


class Derived(NamedTuple):
    """All kernels of a declaration. head: constants of the module, as lines. parameters: what designs may change;
    quantities: all that the forms may load."""

    head: list[str]
    forms: list[Form]
    parameters: tuple[Quantity, ...] = ()
    quantities: tuple[Quantity, ...] = ()

    def by_parameters(self) -> list[Form]:
        """The derivatives of all kernels in the parameters."""
        return [form.by(self.parameters, self.quantities) for form in self.forms] if self.parameters else []
