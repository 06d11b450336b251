"""Generated code for exact derivatives of motions that drives determine: functions that backwards.h calls for stored samples.

    L = sum of seeds times outputs, with Phi(q, c, t) = 0 for q:   dL/dc = L_c - w Phi_c   with   Phi_q^T w = L_q

L_q and L_c are computed in reverse mode through all computations of an instant, so that the cost of a sample does not depend on
the number of parameters. c are the intermediate values that depend on the design alone, at the points where they enter the
motion. A contact also stores its approach speed: the only dependence of a sample on an earlier instant. For that speed,
v0 = -gap'(t*) with gap(t*) = 0,

    dv0/dc = -(gap'_c - gap''/gap' gap_c)

adjoint         dL/dc, dL/dt, and dL/dv0 of every contact
land            dv0/dc, weighted
to_parameters   from dL/dc to the parameters
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gaitwright.codegen.contacts import MEMORY_APPROACH
from gaitwright.codegen.elimination import TermFactors
from gaitwright.codegen.equations import MechanismEquations
from gaitwright.codegen.kinematic_solver import KinematicSolver
from gaitwright.derive.c_printer import PreparedTerms, TermAssignment, print_function
from gaitwright.derive.term_graph import DESIGN_LEVEL, MOTION_LEVEL, Term


class AdjointPrinter:
    """Generator of the functions `adjoint`, `land` and `to_parameters`. outputs: names. parameters: number of parameters."""

    def __init__(self, equations: MechanismEquations, prepared: PreparedTerms, outputs: Sequence[str], parameters: int):
        self.equations, self.prepared, self.outputs, self.parameters = equations, prepared, outputs, parameters
        self.graph, self.zero, self.q = equations.graph, equations.zero, equations.state("q")
        self.phi_t, _, jac = equations.motion(self.q, [self.zero] * equations.n)
        self.factors: KinematicSolver | TermFactors = equations.factors(jac)
        self.v, _ = self.factors.solve(None, [-term for term in self.phi_t])
        gamma = equations.motion(self.q, self.v).gamma
        self.a, self.lam = self.factors.solve(equations.forces(self.q, self.v), gamma)
        self.of_sample = self._backwards(self._seeds())
        self.of_landing = self._backwards(self._landing()) if equations.contacts.count else {}
        derivatives = {**self.of_sample, **self.of_landing}
        self.entering = [term for term in derivatives if term.level == DESIGN_LEVEL]
        """Terms that depend on the design alone and enter the motion, see c above."""

    def parts(self) -> list[list[str]]:
        functions = [self._adjoint(), self._to_parameters()]
        return [*functions, self._land()] if self.equations.contacts.count else functions

    @property
    def coordinates(self) -> list[int]:
        """Indices of the coordinates that are stored for every sample: those that the adjoint reads; with contacts all, since
        these depend on other instants."""
        needed_terms = set(self.graph.needed([term for _, term in self._listed(self.of_sample)]))
        return [i for i, term in enumerate(self.q) if term in needed_terms or self.equations.contacts.count]

    @property
    def kept(self) -> int:
        """Number of stored values per sample: coordinates, and for each contact its memory and the time of its touchdown."""
        contacts = self.equations.contacts
        return max(len(self.coordinates) + contacts.count * (contacts.memory + 1), 1)

    def head(self) -> list[str]:
        stored = self.coordinates
        table = f"TABLE int KEPT[{max(len(stored), 1)}] = {{{', '.join(map(str, stored or [0]))}}};"
        return [f"#define NF {len(self.entering)}", f"#define COORDINATES {len(stored)}", table]

    def _seeds(self) -> dict[Term, Term]:
        outputs = self.equations.outputs(self.outputs, self.q, self.v, self.a, self.lam, self.phi_t)
        seeds: dict[Term, Term] = {}
        for k, term in enumerate(outputs):
            seeds[term] = seeds.get(term, self.zero) + self.graph.input(f"seed[{k}]", MOTION_LEVEL)
        return seeds

    def _landing(self) -> dict[Term, Term]:
        """Seeds of the approach speeds, times weights. `shift` is the factor of the change of the touchdown time, and is 0
        for a run that starts in contact."""
        graph, t = self.graph, self.equations.traced.time
        contacts = self.equations.contacts
        seeds: dict[Term, Term] = {}
        rates = dict(zip(self.q, self.v, strict=True)) | {t: graph.number(1.0)}
        for k in range(contacts.count):
            touch = contacts.touch(k, self.q, self.v, t)
            (acceleration,) = graph.along(
                [touch.rate], rates, lambda _: self.zero
            )  # d(rate)/dt, v being a function of q and t
            weight, shift = (graph.input(f"{name}[{k}]", MOTION_LEVEL) for name in ("weight", "shift"))
            for term, share in ((touch.rate, -weight), (touch.gap, shift * weight * acceleration / touch.rate)):
                seeds[term] = seeds.get(term, self.zero) + share
        return seeds

    def _backwards(self, seeds: Mapping[Term, Term]) -> dict[Term, Term]:
        """Derivatives with respect to all inputs and to the terms of the design, with q as a function of these."""
        graph, zero, q = self.graph, self.zero, self.q
        direct = graph.adjoint(seeds, DESIGN_LEVEL)
        _, w = self.factors.solve([direct.get(term, zero) for term in q], [zero] * self.equations.m)
        phi = self.equations.position(q).phi
        through = graph.adjoint({term: -x for term, x in zip(phi, w, strict=True)}, DESIGN_LEVEL)
        return {term: direct.get(term, zero) + through.get(term, zero) for term in {**direct, **through}}

    def _listed(self, derivatives: Mapping[Term, Term]) -> list[TermAssignment]:
        """Assignments of the derivatives with respect to the entering terms and, last, to time."""
        terms = [*self.entering, self.equations.traced.time]
        return [(f"by[{k}]", derivatives.get(term, self.zero)) for k, term in enumerate(terms)]

    def _adjoint(self) -> list[str]:
        contacts, results = self.equations.contacts, self._listed(self.of_sample)
        for k in range(contacts.count):
            remembered = self.of_sample.get(contacts.remembered(k, MEMORY_APPROACH), self.zero)
            results.append((f"by[{len(self.entering) + 1 + k}]", remembered))
        head = "void adjoint(const real *c, real t, const real *q, const real *mem, const real *seed, real *by)"
        return print_function(head, results, self.prepared)

    def _land(self) -> list[str]:
        head = "void land(const real *c, real t, const real *q, const real *weight, const real *shift, real *by)"
        return print_function(head, self._listed(self.of_landing), self.prepared)

    def _to_parameters(self) -> list[str]:
        """Map derivatives with respect to the entering terms to the parameters. The last number, of time, is copied."""
        graph, count = self.graph, len(self.entering)
        slopes = graph.adjoint({term: graph.input(f"by[{k}]", MOTION_LEVEL) for k, term in enumerate(self.entering)})
        inputs = [graph.input(f"p[{j}]", DESIGN_LEVEL) for j in range(self.parameters)]
        results = [(f"found[{j}]", slopes.get(term, self.zero)) for j, term in enumerate(inputs)]
        results.append((f"found[{self.parameters}]", graph.input(f"by[{count}]", MOTION_LEVEL)))
        head = "void to_parameters(const real *c, const real *by, real *found)"
        return print_function(head, results, self.prepared)
