"""Intermediate form between derivation and code generation: a kernel as inputs, shared subexpressions and outputs.

A printer converts a form to the text of a function (numba_printer.py: for Numba) and is independent of mechanics; a form is
independent of the language. A form still contains expressions, so it can be differentiated once more: in the parameters of an
element, for exact gradients of designs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import sympy

from gaitwright.derive.kernel_interface import KERNEL_ARGUMENTS, OBSERVE_ARGUMENTS, REALS
from gaitwright.derive.symbols import NamedExpression, QuantitySymbol

KernelOutput = tuple[str, str, Any]
"""Target of a value ("phi[row[2 * e]]"), operator ("=" or "+="), and the expression."""


class KernelForm(NamedTuple):
    """Kernel in intermediate form. name: of the function. arguments: their names and kinds (kernel_interface.py). inputs:
    loaded values and named expressions, in the order of computation. shared: subexpressions that several outputs use. whole:
    the outputs before sharing."""

    name: str
    arguments: tuple[tuple[str, str], ...]
    inputs: tuple[QuantitySymbol, ...]
    shared: tuple[tuple[Any, Any], ...]
    outputs: tuple[KernelOutput, ...]
    whole: tuple[KernelOutput, ...]

    def by(self, parameters: Sequence[QuantitySymbol], quantities: Sequence[QuantitySymbol]) -> KernelForm:
        """Return the derivatives of all outputs in parameters: `out` has a row of outputs per element, and in it a number per
        parameter. quantities: all quantities that expressions may use, in loading order."""
        slopes = [_parameter_derivative(value, parameter) for *_, value in self.whole for parameter in parameters]
        outputs: list[KernelOutput] = [(f"out[{len(slopes)} * e + {k}]", "=", value) for k, value in enumerate(slopes)]
        written = {target.partition("[")[0] for target, *_ in self.whole}
        inputs = tuple(argument for argument in self.arguments if argument[0] not in written)
        return make_form(f"{self.name}_by_parameters", (*inputs, ("out", REALS)), outputs, quantities)


def _parameter_derivative(expression: Any, parameter: Any) -> Any:
    """Return the derivative in a parameter, including that through named expressions."""
    inner = sorted((s for s in expression.free_symbols if isinstance(s, NamedExpression)), key=lambda s: s.name)
    through = (expression.diff(name) * _parameter_derivative(sympy.sympify(name.value), parameter) for name in inner)
    return sum(through, expression.diff(parameter))


def make_interface_form(
    kind: str, kernel: str, outputs: Sequence[KernelOutput], quantities: Sequence[QuantitySymbol]
) -> KernelForm:
    """Return the form of a kernel of the interface."""
    return make_form(
        kernel, OBSERVE_ARGUMENTS if kernel == "observe" else KERNEL_ARGUMENTS[kind][kernel], outputs, quantities
    )


def make_form(
    name: str,
    arguments: Sequence[tuple[str, str]],
    outputs: Sequence[KernelOutput],
    quantities: Sequence[QuantitySymbol],
) -> KernelForm:
    whole = [(target, how, sympy.sympify(value)) for target, how, value in outputs if how == "=" or value != 0]
    shared, results = share_subexpressions([value for *_, value in whole], sympy.numbered_symbols("c"))
    used: set[Any] = set().union(*(e.free_symbols for e in [*results, *(e for _, e in shared)]))
    for symbol in reversed(quantities):  # the symbols of a named expression are loaded before it
        if symbol in used and isinstance(symbol, NamedExpression):
            used |= symbol.value.free_symbols
    return KernelForm(
        name=name,
        arguments=tuple(arguments),
        inputs=tuple(symbol for symbol in quantities if symbol in used),
        shared=tuple(shared),
        outputs=tuple((target, how, value) for (target, how, _), value in zip(whole, results, strict=True)),
        whole=tuple(whole),
    )


def share_subexpressions(expressions: Sequence[Any], names: Iterator[Any]) -> tuple[list[tuple[Any, Any]], list[Any]]:
    """Return the subexpressions that occur more than once, by name, and the expressions in terms of them. Subexpressions that
    differ only by their sign get no name: a sign costs nothing, and squares lose it. Subexpressions that then occur once get
    none, either."""
    shared, results = sympy.cse(expressions, symbols=names)
    shared, results = _inline_names(shared, results, lambda name, value: (-value).is_Symbol)
    uses = Counter(atom for value in (*results, *(value for _, value in shared)) for atom in _iterate_symbols(value))
    return _inline_names(shared, results, lambda name, value: uses[name] == 1)


def _inline_names(shared: Any, results: Any, chosen: Any) -> tuple[list[tuple[Any, Any]], list[Any]]:
    """Insert the chosen subexpressions in place of their names."""
    remaining, inserted = [], {}
    for name, value in shared:
        value = value.xreplace(inserted)
        if chosen(name, value):
            inserted[name] = value
        else:
            remaining.append((name, value))
    return remaining, [value.xreplace(inserted) for value in results]


def _iterate_symbols(expression: Any) -> Iterator[Any]:
    return (node for node in sympy.preorder_traversal(expression) if node.is_Symbol)


class DerivedKernels(NamedTuple):
    """All kernels of a declaration. head: constants of the module, as lines. parameters: quantities that designs may change;
    quantities: all quantities that the forms may load."""

    head: list[str]
    forms: list[KernelForm]
    parameters: tuple[QuantitySymbol, ...] = ()
    quantities: tuple[QuantitySymbol, ...] = ()

    def by_parameters(self) -> list[KernelForm]:
        """Return the derivatives of all kernels in the parameters."""
        return [form.by(self.parameters, self.quantities) for form in self.forms] if self.parameters else []
