"""Terms to the text of C functions that a compiler of the machine and one for GPUs take alike.

The text knows `real`, which may be a number or a vector with a design in each lane, and macros (design/many/portable.h) for
what is not arithmetic. A term that depends on the design alone is computed once, by `prepare`, and is c[k] everywhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gaitwright.derive.terms import DESIGN, FUNCTIONS, NUMBER, Term

INFIX = {"add": "+", "sub": "-", "mul": "*"}
MACROS = {name: name.upper() for name in FUNCTIONS} | {
    "abs": "FABS", "max": "FMAX", "min": "FMIN", "atan2": "ATAN2", "pow": "POW", "fmod": "FMOD", "select": "SELECT_POSITIVE",
    "inverse": "INVERSE",
}  # fmt: skip
Result = tuple[str, Term]
"""Where a value goes ("dq[3]"), and its term."""


class Prepared:
    """What is computed once for each design: terms and their places in c."""

    def __init__(self) -> None:
        self.place: dict[Term, int] = {}

    def text(self, term: Term) -> str:
        return f"c[{self.place.setdefault(term, len(self.place))}]"

    def lines(self) -> list[str]:
        """The body of `prepare`."""
        return statements([(f"c[{place}]", term) for term, place in self.place.items()], None)


def function(head: str, results: Sequence[Result], prepared: Prepared, end: Iterable[str] = ()) -> list[str]:
    """A function that computes results. end: its last lines."""
    return [f"PRINTED {head} {{", *(f"    {line}" for line in (*statements(results, prepared), *end)), "}"]


def statements(results: Sequence[Result], prepared: Prepared | None) -> list[str]:
    """Assignments that end with the results. prepared: takes what needs no more than the design; None: it is computed here."""
    wanted: set[Term] = set()
    waiting = [term for _, term in results]
    while waiting:
        term = waiting.pop()
        if term in wanted or term.level == NUMBER or (prepared is not None and term.level == DESIGN):
            continue
        wanted.add(term)
        waiting += term.args
    name: dict[Term, str] = {}

    def text(term: Term) -> str:
        if term.level == NUMBER:
            return repr(term.value)
        if term in name:
            return name[term]
        if prepared is not None and term.level == DESIGN:
            return prepared.text(term)
        return term.name

    def real(term: Term) -> str:
        return f"REAL({text(term)})" if term.level == NUMBER else text(term)

    lines = []
    for k, term in enumerate(sorted(wanted, key=lambda term: term.order)):
        if term.op == "input" or term in name:
            continue
        if term.op in ("sin", "cos"):  # they come in pairs
            graph, (arg,) = term.graph, term.args
            pair = {op: f"{op[0]}{k}" for op in ("sin", "cos")}
            lines.append(f"real {pair['sin']}, {pair['cos']}; SINCOS({text(arg)}, {pair['sin']}, {pair['cos']});")
            name.update({found: pair[op] for op in pair if (found := graph.known(op, arg)) is not None})
            continue
        if term.op in INFIX:
            value = f"{text(term.args[0])} {INFIX[term.op]} {text(term.args[1])}"
        elif term.op == "neg":
            value = f"-{text(term.args[0])}"
        else:
            value = f"{MACROS[term.op]}({', '.join(real(arg) for arg in term.args)})"
        name[term] = f"t{k}"
        lines.append(f"const real t{k} = {value};")
    return [*lines, *(f"{target} = {real(term)};" for target, term in results)]
