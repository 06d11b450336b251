"""Generated code for exact derivatives of forward dynamics with respect to the parameters, in forward mode (tangents.h).

    K (a, lambda) = R(q, v, a, lambda, mem, c)  ->  K (da, dlambda) = R_q dq + R_v dv + R_mem dmem + R_c dc

with the factors of K that the step has computed, so that a parameter costs one solution and no factorisation. c are the
intermediate values that depend on the design alone, at the points where they enter the motion; `enter` computes their
derivatives dc with respect to the parameters, once per design.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gaitwright._core.error_context import ErrorContext
from gaitwright.codegen.elimination import TermElimination, TermFactors
from gaitwright.codegen.equations import MechanismEquations
from gaitwright.codegen.forward_dynamics import (
    CODEGEN_METHODS,
    STATE_ARGUMENTS,
    ForwardPrinter,
    IntegrationSettings,
    array_assignments,
)
from gaitwright.derive.c_printer import PreparedTerms, TermAssignment, print_function
from gaitwright.derive.term_graph import DESIGN_LEVEL, MOTION_LEVEL, NUMBER_LEVEL, Term

MAX_CONTACTS = 32
"""Maximum number of contacts: bits of the number in which tangents.h marks contacts that closed or opened."""
DIRECTION_ARGUMENTS = "const real *dq, const real *dv, const real *de"


def require_gradient(equations: MechanismEquations, march: IntegrationSettings) -> None:
    """Raise ModelError if derivatives of this forward-dynamics problem are not supported."""
    context = ErrorContext("designs", "gradient")
    if march.method != CODEGEN_METHODS[0]:
        context.fail("cannot be printed yet for this method", march.method, f"method: {CODEGEN_METHODS[0]}")
    contacts = equations.contacts
    if contacts.count > MAX_CONTACTS:
        context.fail(f"with {contacts.count} contacts cannot be printed yet", expected=f"at most {MAX_CONTACTS}")
    for names in contacts.mechanism.contact_names:
        if len(names.pieces) > 1:
            context.fail(f"of contact '{names.name}', whose surface has several pieces, cannot be printed yet")
        if any(contacts.bristled[k] for k in names.pieces):
            context.fail(f"of contact '{names.name}', whose friction has bristles, cannot be printed yet")
        if any(contacts.begins_steeply(k) for k in names.pieces):
            context.fail(
                f"of contact '{names.name}', whose law '{names.law}' begins with an unbounded slope, cannot be computed",
                expected="another law, such as hunt-crossley",
            )


class TangentPrinter:
    """Generator of the derivatives of the functions of ForwardPrinter. parameters: number of parameters."""

    def __init__(self, forward: ForwardPrinter, prepared: PreparedTerms, parameters: int):
        self.forward, self.prepared, self.parameters = forward, prepared, parameters
        self.equations, self.graph, self.zero = forward.equations, forward.graph, forward.zero
        self.n, self.m, self.q, self.v = forward.n, forward.m, forward.q, forward.v
        self.place: dict[Term, int] = {}
        contacts = self.equations.contacts
        self.dq, self.dv, self.da = (self._inputs(name, self.n) for name in ("dq", "dv", "da"))
        self.dl = self._inputs("dl", self.m)
        self.dmem = {
            contacts.remembered(k, entry): self.graph.input(f"dmem[{contacts.memory * k + entry}]", MOTION_LEVEL)
            for k in range(contacts.count)
            for entry in range(1, contacts.memory)
        }
        _, _, jac = self.equations.motion(self.q, [self.zero] * self.n)
        self.factors = TermElimination(self.equations.mechanism.system, self.graph).factors(self.equations.mass, jac)
        self.kept = [term for term in dict.fromkeys(self.factors.K) if term.level > NUMBER_LEVEL]
        input_by_term = {term: self.graph.input(f"lin[{k}]", MOTION_LEVEL) for k, term in enumerate(self.kept)}
        self.reused_factors = TermFactors(
            self.factors.program, [input_by_term.get(term, term) for term in self.factors.K]
        )

    def _inputs(self, name: str, count: int) -> list[Term]:
        return [self.graph.input(f"{name}[{i}]", MOTION_LEVEL) for i in range(count)]

    def entering(self, term: Term) -> Term:
        """Input term for the derivative of a term that depends on the design alone."""
        assert term.level == DESIGN_LEVEL
        return self.graph.input(f"de[{self.place.setdefault(term, len(self.place))}]", MOTION_LEVEL)

    def along(self, terms: Sequence[Term], dots: Mapping[Term, Term]) -> list[Term]:
        return self.graph.along(terms, dots, self.entering)

    def by_state(self) -> dict[Term, Term]:
        return dict(zip([*self.q, *self.v], [*self.dq, *self.dv], strict=True)) | self.dmem

    def by_time(self) -> dict[Term, Term]:
        """Direction of time: dt, the shift of the instant."""
        return {self.forward.t: self.graph.input("dt", MOTION_LEVEL)}

    def parts(self) -> list[list[str]]:
        functions = [self._factorise(), self._stage(), self._move(), self._put_back(), self._begin(), self._outputs()]
        if self.equations.contacts.count:
            functions.append(self._look())
        return [*functions, self._enter()]

    def head(self) -> list[str]:
        return [f"#define NL {max(len(self.kept), 1)}", f"#define NE {max(len(self.place), 1)}", "#define TANGENTS 1"]

    def _factorise(self) -> list[str]:
        results: list[TermAssignment] = [(f"lin[{k}]", term) for k, term in enumerate(self.kept)]
        return print_function("void factorise(const real *c, real t, const real *q, real *lin)", results, self.prepared)

    def _stage(self) -> list[str]:
        """Generate `stage`: a and lambda at a stage within a step."""
        _, a, lam, _, _ = self.forward.solve_accelerations(self.v, False)
        results = array_assignments("a", a) + array_assignments("lam", lam)
        return print_function(f"void stage({STATE_ARGUMENTS}, real *a, real *lam)", results, self.prepared)

    def _move(self) -> list[str]:
        """Generate `move`: da and dlambda for dq, dv and dmem."""
        equations, march = self.equations, self.forward.march
        a, lam = self.forward.a, self.forward.lam
        phi_t, gamma, jac = equations.motion(self.q, self.v)
        top = [f - mass * x for f, mass, x in zip(equations.forces(self.q, self.v), equations.mass, a, strict=True)]
        bottom = list(gamma)
        rate = list(phi_t)
        for (row, column), entry in jac.items():
            top[column] = top[column] - entry * lam[row]
            bottom[row] = bottom[row] - entry * a[column]
            rate[row] = rate[row] + entry * self.v[column]
        if march.damp or march.stiff:
            phi = equations.position(self.q).phi
            bottom = [b - march.damp * d - march.stiff * p for b, d, p in zip(bottom, rate, phi, strict=True)]
        slopes = self.along([*top, *bottom], self.by_state() | self.by_time())
        da, dl = self.reused_factors.solve(slopes[: self.n], slopes[self.n :])
        arguments = (
            f"{STATE_ARGUMENTS}, const real *a, const real *lam, const real *lin, real dt, "
            f"{DIRECTION_ARGUMENTS}, const real *dmem"
        )
        head = f"void move({arguments}, real *da, real *dl)"
        return print_function(head, array_assignments("da", da) + array_assignments("dl", dl), self.prepared)

    def _put_back(self) -> list[str]:
        """Generate `put_back`: dq and dv of a state that is projected onto the joints."""
        equations = self.equations
        by_design = self.along(equations.position(self.q).phi, self.by_time())
        mass = equations.mass
        dq, _ = self.reused_factors.solve(
            [m * d for m, d in zip(mass, self.dq, strict=True)], [-term for term in by_design]
        )
        phi_t, _, jac = equations.motion(self.q, self.v)
        rate = list(phi_t)
        for (row, column), entry in jac.items():
            rate[row] = rate[row] + entry * self.v[column]
        slopes = self.along(rate, dict(zip(self.q, dq, strict=True)) | self.by_time())
        dv, _ = self.reused_factors.solve(
            [m * d for m, d in zip(mass, self.dv, strict=True)], [-term for term in slopes]
        )
        arguments = "const real *c, real t, const real *q, const real *v, const real *lin, real dt, const real *de"
        head = f"void put_back({arguments}, real *dq, real *dv)"
        return print_function(head, array_assignments("dq", dq) + array_assignments("dv", dv), self.prepared)

    def _begin(self) -> list[str]:
        dv = self.along(self.forward.start_velocity(), dict(zip(self.q, self.dq, strict=True)))
        head = "void begin_along(const real *c, real t, const real *q, const real *dq, const real *de, real *dv)"
        return print_function(head, array_assignments("dv", dv), self.prepared)

    def _outputs(self) -> list[str]:
        forward = self.forward
        dots = self.by_state() | dict(zip([*forward.a, *forward.lam], [*self.da, *self.dl], strict=True))
        slopes = self.along(forward.output_terms(), dots)
        head = (
            f"void outputs_along({STATE_ARGUMENTS}, const real *a, const real *lam, {DIRECTION_ARGUMENTS}, const "
            f"real *da, const real *dl, "
            "const real *dmem, real *dout)"
        )
        return print_function(head, array_assignments("dout", slopes), self.prepared)

    def _look(self) -> list[str]:
        """Generate `look_along`: derivatives of the observed numbers of contacts."""
        forward = self.forward
        dots = self.by_state() | self.by_time()
        slopes = self.along(self.equations.contacts.observed(self.q, self.v, forward.t), dots)
        head = f"void look_along({STATE_ARGUMENTS}, real dt, {DIRECTION_ARGUMENTS}, const real *dmem, real *dseen)"
        return print_function(head, array_assignments("dseen", slopes), self.prepared)

    def _enter(self) -> list[str]:
        results: list[TermAssignment] = []
        count = max(len(self.place), 1)
        for j in range(self.parameters):
            parameter = self.graph.input(f"p[{j}]", DESIGN_LEVEL)
            results += [(f"de[{j * count + k}]", self.graph.slope(term, parameter)) for term, k in self.place.items()]
        return print_function("void enter(const real *c, real *de)", results, self.prepared)
