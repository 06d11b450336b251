"""Exact derivatives of forward dynamics in the parameters, as text: directions that go along with the motion (tangents.h).

    K (a, lambda) = R(q, v, a, lambda, mem, c)  ->  K (da, dlambda) = R_q dq + R_v dv + R_mem dmem + R_c dc

with the factors of K that the step has anyway, so that a parameter costs a solution and no factorisation. c is what depends on
the design alone, where it enters the motion; dc in the parameters is `enter`, once for each design.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gaitwright.checks import At
from gaitwright.derive.c_printing import Prepared, Result, function
from gaitwright.derive.terms import DESIGN, MOVING, NUMBER, Term
from gaitwright.design.many.equations import Equations
from gaitwright.design.many.forward import METHODS, STATE, Forward, March, listed
from gaitwright.design.many.replay import Factors, Replay

MOST_CONTACTS = 32
"""Bits of a number in which tangents.h finds those that began or ended."""
DIRECTION = "const real *dq, const real *dv, const real *de"


def require_gradient(equations: Equations, march: March) -> None:
    """ModelError where derivatives through forward dynamics cannot be printed yet."""
    at = At("designs", "gradient")
    if march.method != METHODS[0]:
        at.fail("cannot be printed yet for this method", march.method, f"method: {METHODS[0]}")
    contacts = equations.contacts
    if contacts.count > MOST_CONTACTS:
        at.fail(f"with {contacts.count} contacts cannot be printed yet", expected=f"at most {MOST_CONTACTS}")
    for names in contacts.mechanism.contact_names:
        if len(names.pieces) > 1:
            at.fail(f"of contact '{names.name}', whose surface has several pieces, cannot be printed yet")
        if any(contacts.bristled[k] for k in names.pieces):
            at.fail(f"of contact '{names.name}', whose friction has bristles, cannot be printed yet")
        if any(contacts.begins_steeply(k) for k in names.pieces):
            at.fail(
                f"of contact '{names.name}', whose law '{names.law}' begins with a slope that has no bound, cannot be had",
                expected="another law, such as hunt-crossley",
            )


class Tangents:
    """Prints the derivatives of what Forward prints."""

    def __init__(self, forward: Forward, prepared: Prepared, parameters: int):
        self.forward, self.prepared, self.parameters = forward, prepared, parameters
        self.equations, self.graph, self.zero = forward.equations, forward.graph, forward.zero
        self.n, self.m, self.q, self.v = forward.n, forward.m, forward.q, forward.v
        self.place: dict[Term, int] = {}
        contacts = self.equations.contacts
        self.dq, self.dv, self.da = (self._inputs(name, self.n) for name in ("dq", "dv", "da"))
        self.dl = self._inputs("dl", self.m)
        self.dmem = {
            contacts.remembered(k, what): self.graph.input(f"dmem[{contacts.memory * k + what}]", MOVING)
            for k in range(contacts.count)
            for what in range(1, contacts.memory)
        }
        _, _, jac = self.equations.motion(self.q, [self.zero] * self.n)
        self.factors = Replay(self.equations.mechanism.system, self.graph).factors(self.equations.mass, jac)
        self.kept = [term for term in dict.fromkeys(self.factors.K) if term.level > NUMBER]
        place = {term: self.graph.input(f"lin[{k}]", MOVING) for k, term in enumerate(self.kept)}
        self.with_kept = Factors(self.factors.program, [place.get(term, term) for term in self.factors.K])

    def _inputs(self, name: str, count: int) -> list[Term]:
        return [self.graph.input(f"{name}[{i}]", MOVING) for i in range(count)]

    def entering(self, term: Term) -> Term:
        """The derivative of what depends on the design alone."""
        assert term.level == DESIGN
        return self.graph.input(f"de[{self.place.setdefault(term, len(self.place))}]", MOVING)

    def along(self, terms: Sequence[Term], dots: Mapping[Term, Term]) -> list[Term]:
        return self.graph.along(terms, dots, self.entering)

    def by_state(self) -> dict[Term, Term]:
        return dict(zip([*self.q, *self.v], [*self.dq, *self.dv], strict=True)) | self.dmem

    def by_time(self) -> dict[Term, Term]:
        """dt: how far the instant moves."""
        return {self.forward.t: self.graph.input("dt", MOVING)}

    def parts(self) -> list[list[str]]:
        made = [self._factorise(), self._stage(), self._move(), self._put_back(), self._begin(), self._outputs()]
        if self.equations.contacts.count:
            made.append(self._look())
        return [*made, self._enter()]

    def head(self) -> list[str]:
        return [f"#define NL {max(len(self.kept), 1)}", f"#define NE {max(len(self.place), 1)}", "#define TANGENTS 1"]

    def _factorise(self) -> list[str]:
        results: list[Result] = [(f"lin[{k}]", term) for k, term in enumerate(self.kept)]
        return function("void factorise(const real *c, real t, const real *q, real *lin)", results, self.prepared)

    def _stage(self) -> list[str]:
        """a and lambda inside a step."""
        _, a, lam, _, _ = self.forward.solved(self.v, False)
        results = listed("a", a) + listed("lam", lam)
        return function(f"void stage({STATE}, real *a, real *lam)", results, self.prepared)

    def _move(self) -> list[str]:
        """da and dlambda for dq, dv and dmem."""
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
        da, dl = self.with_kept.solve(slopes[: self.n], slopes[self.n :])
        given = f"{STATE}, const real *a, const real *lam, const real *lin, real dt, {DIRECTION}, const real *dmem"
        head = f"void move({given}, real *da, real *dl)"
        return function(head, listed("da", da) + listed("dl", dl), self.prepared)

    def _put_back(self) -> list[str]:
        """dq and dv of a state that is put back onto its joints."""
        equations = self.equations
        by_design = self.along(equations.position(self.q).phi, self.by_time())
        mass = equations.mass
        dq, _ = self.with_kept.solve([m * d for m, d in zip(mass, self.dq, strict=True)], [-term for term in by_design])
        phi_t, _, jac = equations.motion(self.q, self.v)
        rate = list(phi_t)
        for (row, column), entry in jac.items():
            rate[row] = rate[row] + entry * self.v[column]
        slopes = self.along(rate, dict(zip(self.q, dq, strict=True)) | self.by_time())
        dv, _ = self.with_kept.solve([m * d for m, d in zip(mass, self.dv, strict=True)], [-term for term in slopes])
        given = "const real *c, real t, const real *q, const real *v, const real *lin, real dt, const real *de"
        head = f"void put_back({given}, real *dq, real *dv)"
        return function(head, listed("dq", dq) + listed("dv", dv), self.prepared)

    def _begin(self) -> list[str]:
        dv = self.along(self.forward.start_velocity(), dict(zip(self.q, self.dq, strict=True)))
        head = "void begin_along(const real *c, real t, const real *q, const real *dq, const real *de, real *dv)"
        return function(head, listed("dv", dv), self.prepared)

    def _outputs(self) -> list[str]:
        forward = self.forward
        dots = self.by_state() | dict(zip([*forward.a, *forward.lam], [*self.da, *self.dl], strict=True))
        slopes = self.along(forward.output_terms(), dots)
        head = (
            f"void outputs_along({STATE}, const real *a, const real *lam, {DIRECTION}, const real *da, const real *dl, "
            "const real *dmem, real *dout)"
        )
        return function(head, listed("dout", slopes), self.prepared)

    def _look(self) -> list[str]:
        """What is seen of contacts."""
        forward = self.forward
        dots = self.by_state() | self.by_time()
        slopes = self.along(self.equations.contacts.seen(self.q, self.v, forward.t), dots)
        head = f"void look_along({STATE}, real dt, {DIRECTION}, const real *dmem, real *dseen)"
        return function(head, listed("dseen", slopes), self.prepared)

    def _enter(self) -> list[str]:
        results: list[Result] = []
        count = max(len(self.place), 1)
        for j in range(self.parameters):
            by = self.graph.input(f"p[{j}]", DESIGN)
            results += [(f"de[{j * count + k}]", self.graph.slope(term, by)) for term, k in self.place.items()]
        return function("void enter(const real *c, real *de)", results, self.prepared)
