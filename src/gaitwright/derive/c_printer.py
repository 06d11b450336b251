"""Terms to the text of C functions that both C compilers and GPU compilers accept.

The text uses the type `real`, which may be a number or a vector with a design in each lane, and macros (codegen/portable.h) for
functions that are not arithmetic. A term that depends on the design alone is computed once, by `prepare`, and is read as c[k]
everywhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gaitwright.derive.term_graph import DESIGN_LEVEL, NUMBER_LEVEL, UNARY_FUNCTIONS, Term

INFIX_OPERATORS = {"add": "+", "sub": "-", "mul": "*"}
OPERATION_MACROS = {name: name.upper() for name in UNARY_FUNCTIONS} | {
    "abs": "FABS", "max": "FMAX", "min": "FMIN", "atan2": "ATAN2", "pow": "POW", "fmod": "FMOD", "select": "SELECT_POSITIVE",
    "inverse": "INVERSE",
}  # fmt: skip
TermAssignment = tuple[str, Term]
"""Target of a value ("dq[3]"), and its term."""


class PreparedTerms:
    """Terms that are computed once for each design, and their indices in c."""

    def __init__(self) -> None:
        self.place: dict[Term, int] = {}

    def text(self, term: Term) -> str:
        return f"c[{self.place.setdefault(term, len(self.place))}]"

    def lines(self) -> list[str]:
        """Return the body of `prepare`."""
        return print_statements([(f"c[{place}]", term) for term, place in self.place.items()], None)


def print_function(
    head: str, results: Sequence[TermAssignment], prepared: PreparedTerms, end: Iterable[str] = ()
) -> list[str]:
    """Return a function that computes results. end: its last lines."""
    return [f"PRINTED {head} {{", *(f"    {line}" for line in (*print_statements(results, prepared), *end)), "}"]


def print_statements(results: Sequence[TermAssignment], prepared: PreparedTerms | None) -> list[str]:
    """Return assignments that end with the results. prepared: collects the terms that depend on the design alone; if None,
    they are computed here."""
    pending_terms: set[Term] = set()
    waiting = [term for _, term in results]
    while waiting:
        term = waiting.pop()
        if term in pending_terms or term.level == NUMBER_LEVEL or (prepared is not None and term.level == DESIGN_LEVEL):
            continue
        pending_terms.add(term)
        waiting += term.args
    name: dict[Term, str] = {}

    def text(term: Term) -> str:
        if term.level == NUMBER_LEVEL:
            return repr(term.value)
        if term in name:
            return name[term]
        if prepared is not None and term.level == DESIGN_LEVEL:
            return prepared.text(term)
        return term.name

    def real(term: Term) -> str:
        return f"REAL({text(term)})" if term.level == NUMBER_LEVEL else text(term)

    lines = []
    for k, term in enumerate(sorted(pending_terms, key=lambda term: term.order)):
        if term.op == "input" or term in name:
            continue
        if term.op in ("sin", "cos"):  # sine and cosine are computed together
            graph, (arg,) = term.graph, term.args
            pair = {op: f"{op[0]}{k}" for op in ("sin", "cos")}
            lines.append(f"real {pair['sin']}, {pair['cos']}; SINCOS({text(arg)}, {pair['sin']}, {pair['cos']});")
            name.update({known_term: pair[op] for op in pair if (known_term := graph.known(op, arg)) is not None})
            continue
        if term.op in INFIX_OPERATORS:
            value = f"{text(term.args[0])} {INFIX_OPERATORS[term.op]} {text(term.args[1])}"
        elif term.op == "neg":
            value = f"-{text(term.args[0])}"
        else:
            value = f"{OPERATION_MACROS[term.op]}({', '.join(real(arg) for arg in term.args)})"
        name[term] = f"t{k}"
        lines.append(f"const real t{k} = {value};")
    return [*lines, *(f"{target} = {real(term)};" for target, term in results)]
