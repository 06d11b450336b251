"""Exact derivatives where drives determine the motion, as text: what backwards.h calls for samples that were kept.

    L = sum of seeds times outputs, with Phi(q, c, t) = 0 for q:   dL/dc = L_c - w Phi_c   with   Phi_q^T w = L_q

L_q and L_c go backwards through all that an instant computes, so that a sample costs the same for one parameter as for twenty.
c is what depends on the design alone, where it enters the motion. A contact also remembers how fast it came: the only way on
which a sample depends on an earlier instant. For that speed, v0 = -gap'(t*) with gap(t*) = 0,

    dv0/dc = -(gap'_c - gap''/gap' gap_c)

adjoint         dL/dc, dL/dt, and dL/dv0 of every contact
land            dv0/dc, weighted
to_parameters   from dL/dc to the parameters
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gaitwright.derive.c_printing import Prepared, Result, function
from gaitwright.derive.terms import DESIGN, MOVING, Term
from gaitwright.design.many.contacts import APPROACH
from gaitwright.design.many.direct import Direct
from gaitwright.design.many.equations import Equations
from gaitwright.design.many.replay import Factors


class Adjoint:
    """Prints them. outputs: names. parameters: how many there are."""

    def __init__(self, equations: Equations, prepared: Prepared, outputs: Sequence[str], parameters: int):
        self.equations, self.prepared, self.outputs, self.parameters = equations, prepared, outputs, parameters
        self.graph, self.zero, self.q = equations.graph, equations.zero, equations.state("q")
        self.phi_t, _, jac = equations.motion(self.q, [self.zero] * equations.n)
        self.factors: Direct | Factors = equations.factors(jac)
        self.v, _ = self.factors.solve(None, [-term for term in self.phi_t])
        gamma = equations.motion(self.q, self.v).gamma
        self.a, self.lam = self.factors.solve(equations.forces(self.q, self.v), gamma)
        self.of_sample = self._backwards(self._seeds())
        self.of_landing = self._backwards(self._landing()) if equations.contacts.count else {}
        both = {**self.of_sample, **self.of_landing}
        self.entering = [term for term in both if term.level == DESIGN]
        """Functions of the design through which it enters the motion."""

    def parts(self) -> list[list[str]]:
        made = [self._adjoint(), self._to_parameters()]
        return [*made, self._land()] if self.equations.contacts.count else made

    @property
    def coordinates(self) -> list[int]:
        """Those that are kept of every sample: what the adjoint reads; with contacts all, since they lead to other instants."""
        read = set(self.graph.needed([term for _, term in self._listed(self.of_sample)]))
        return [i for i, term in enumerate(self.q) if term in read or self.equations.contacts.count]

    @property
    def kept(self) -> int:
        """Numbers of every sample: q, and of each contact its memory and the instant at which it touched down."""
        contacts = self.equations.contacts
        return max(len(self.coordinates) + contacts.count * (contacts.memory + 1), 1)

    def head(self) -> list[str]:
        kept = self.coordinates
        table = f"TABLE int KEPT[{max(len(kept), 1)}] = {{{', '.join(map(str, kept or [0]))}}};"
        return [f"#define NF {len(self.entering)}", f"#define COORDINATES {len(kept)}", table]

    def _seeds(self) -> dict[Term, Term]:
        found = self.equations.outputs(self.outputs, self.q, self.v, self.a, self.lam, self.phi_t)
        seeds: dict[Term, Term] = {}
        for k, term in enumerate(found):
            seeds[term] = seeds.get(term, self.zero) + self.graph.input(f"seed[{k}]", MOVING)
        return seeds

    def _landing(self) -> dict[Term, Term]:
        """Approach speeds, times weights: `shift` counts how far the instant moves, and is 0 for a run that begins with it."""
        graph, t = self.graph, self.equations.lowering.time
        seen = self.equations.contacts
        seeds: dict[Term, Term] = {}
        later = dict(zip(self.q, self.v, strict=True)) | {t: graph.number(1.0)}
        for k in range(seen.count):
            touch = seen.touch(k, self.q, self.v, t)
            (faster,) = graph.along([touch.rate], later, lambda _: self.zero)  # v is a function of q and t
            weight, shift = (graph.input(f"{name}[{k}]", MOVING) for name in ("weight", "shift"))
            for term, share in ((touch.rate, -weight), (touch.gap, shift * weight * faster / touch.rate)):
                seeds[term] = seeds.get(term, self.zero) + share
        return seeds

    def _backwards(self, seeds: Mapping[Term, Term]) -> dict[Term, Term]:
        """Derivatives in all inputs, and in what depends on the design alone, q being a function of these."""
        graph, zero, q = self.graph, self.zero, self.q
        direct = graph.adjoint(seeds, DESIGN)
        _, w = self.factors.solve([direct.get(term, zero) for term in q], [zero] * self.equations.m)
        phi = self.equations.position(q).phi
        through = graph.adjoint({term: -x for term, x in zip(phi, w, strict=True)}, DESIGN)
        return {term: direct.get(term, zero) + through.get(term, zero) for term in {**direct, **through}}

    def _listed(self, found: Mapping[Term, Term]) -> list[Result]:
        """In what the design enters by and, last, in time."""
        terms = [*self.entering, self.equations.lowering.time]
        return [(f"by[{k}]", found.get(term, self.zero)) for k, term in enumerate(terms)]

    def _adjoint(self) -> list[str]:
        contacts, results = self.equations.contacts, self._listed(self.of_sample)
        for k in range(contacts.count):
            remembered = self.of_sample.get(contacts.remembered(k, APPROACH), self.zero)
            results.append((f"by[{len(self.entering) + 1 + k}]", remembered))
        head = "void adjoint(const real *c, real t, const real *q, const real *mem, const real *seed, real *by)"
        return function(head, results, self.prepared)

    def _land(self) -> list[str]:
        head = "void land(const real *c, real t, const real *q, const real *weight, const real *shift, real *by)"
        return function(head, self._listed(self.of_landing), self.prepared)

    def _to_parameters(self) -> list[str]:
        """The time is the last number, and stays it."""
        graph, count = self.graph, len(self.entering)
        found = graph.adjoint({term: graph.input(f"by[{k}]", MOVING) for k, term in enumerate(self.entering)})
        inputs = [graph.input(f"p[{j}]", DESIGN) for j in range(self.parameters)]
        results = [(f"found[{j}]", found.get(term, self.zero)) for j, term in enumerate(inputs)]
        results.append((f"found[{self.parameters}]", graph.input(f"by[{count}]", MOVING)))
        head = "void to_parameters(const real *c, const real *by, real *found)"
        return function(head, results, self.prepared)
