"""Forward dynamics of a mechanism as text: what march.h calls at every step.

begin       velocities at the start that satisfy joints and drives and come closest to those that are wanted
accelerate  a at a state, index-1, contacts that touch included
finish      the same at the end of a step, with velocities put back onto the joints, multipliers and pivots
outputs     what is kept
newton      of generalized-alpha: one iteration, with its tangent
look, press, bend, advance, torn     of contacts: see contacts.py and march.h
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gaitwright.analyse.forward import BAUMGARTE, CONVERGED, TOLERANCE, check_numbers
from gaitwright.checks import At
from gaitwright.contact.events import LAND
from gaitwright.derive.c_printing import Prepared, Result, function
from gaitwright.derive.terms import DESIGN, MOVING, NUMBER, Term
from gaitwright.design.many.direct import Direct
from gaitwright.design.many.equations import Equations
from gaitwright.design.many.replay import Factors, Unsymmetric
from gaitwright.model.scope import Scope
from gaitwright.model.spec import Analysis, Document
from gaitwright.system.mechanism import Mechanism

METHODS = ("rk4", "generalized-alpha")
ORDER = {"rk4": 4, "generalized-alpha": 2}
STATE = "const real *c, real t, const real *q, const real *v, const real *mem"
AGREE = 1e-4
"""How far numbers of a printed run and of the analysis may differ, relative to their size: where contacts cut steps by an
estimate, a last bit may cut them elsewhere, and stick and slip carry that on."""
ROUNDS = 4
"""Proximal iterations for the wanted velocities, and the weight of kinetic energy in them: those of system/assemble.py."""
LEAST = 1e-6


def headers(march: March, gradient: bool) -> list[str]:
    """Files of what does not depend on the mechanism, in their order."""
    step = {"rk4": "rk4.h", "generalized-alpha": "alpha.h"}[march.method]
    return ["march.h", step, "touch.h", *(["tangents.h"] if gradient else []), "marching.h"]


class March(NamedTuple):
    """How a run is integrated. damp, stiff: of Baumgarte, 1/s and 1/s^2."""

    method: str
    project: bool
    damp: float
    stiff: float
    tolerance: float
    newton: float
    spectral_radius: float


def march_of(section: Analysis, document: Document, varied: Sequence[str] = ()) -> March | None:
    """What a section `analysis` of type forward asks for; None for other types. ModelError names what cannot be printed.
    varied: parameters on which numbers of the section may not depend."""
    if section.type != "forward":
        return None
    at, scope = At("analysis"), Scope(document)
    moved = Scope(document, {name: 1.01 * float(scope.values[name]) + 0.01 for name in varied})

    def number(name: str, usual: float) -> float:
        given = getattr(section, name)
        if given is None:
            return usual
        found = float(scope.number(given, "analysis", name))
        if found != float(moved.number(given, "analysis", name)):
            at[name].fail("depends on a parameter that is varied, which cannot be printed yet", given, "a number")
        return found

    method = section.method or METHODS[1]
    if method not in METHODS:
        at["method"].fail("cannot be printed yet", method, f"{' or '.join(METHODS)}, or gw.sweep")
    if section.step is None:
        at["step"].fail("is missing: many designs are integrated with a fixed step", expected="a step, such as 1e-3")
    for name in ("output_step", "store", "max_steps", "max_seconds"):
        if getattr(section, name) is not None:
            at[name].fail("is not for many designs", getattr(section, name), "a section without it, or gw.sweep")
    numbers = {name: number(name, 0.0) or None for name in ("tolerance", "alpha", "beta")}
    if number("tolerance", 1.0) == 0.0:
        at["tolerance"].positive(0.0)
    check_numbers(
        1.0, None, numbers["tolerance"], 1, None, number("spectral_radius", 0.8), numbers["alpha"], numbers["beta"]
    )
    implicit = method == METHODS[1]
    stabilisation = section.stabilisation or ("none" if implicit else "projection")
    baumgarte = stabilisation == "baumgarte" and not implicit
    alpha = number("alpha", BAUMGARTE)
    return March(
        method=method,
        project=stabilisation == "projection" and not implicit,
        damp=2.0 * alpha if baumgarte else 0.0,
        stiff=number("beta", alpha) ** 2 if baumgarte else 0.0,
        tolerance=number("tolerance", TOLERANCE),
        newton=number("tolerance", CONVERGED),
        spectral_radius=number("spectral_radius", 0.8),
    )


class Forward:
    """Prints all functions of one mechanism."""

    def __init__(self, equations: Equations, prepared: Prepared, march: March, outputs: Sequence[str]):
        self.equations, self.prepared, self.march, self.names = equations, prepared, march, outputs
        self.graph, self.zero, self.n, self.m = equations.graph, equations.zero, equations.n, equations.m
        self.q, self.v, self.a = (equations.state(name) for name in "qva")
        self.lam = [self.graph.input(f"lam[{k}]", MOVING) for k in range(self.m)]
        self.t = equations.lowering.time

    @property
    def driven(self) -> bool:
        """Whether positions and velocities follow from joints and drives at every step."""
        return self.march.project and self.n == self.m

    def head(self) -> list[str]:
        """Sizes and numbers that march.h needs."""
        contacts, march = self.equations.contacts, self.march
        rho = march.spectral_radius
        alpha_m, alpha_f = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
        free = self.n - self.m
        numbers = {
            "ORDER": ORDER[march.method], "PROJECT": int(march.project), "FREE": free, "DRAWS": 1, "NK": contacts.count,
            "MEMORY": contacts.memory, "BRISTLES": int(any(contacts.bristled)), "LANDING": LAND * contacts.grain,
            "TOLERANCE": march.tolerance, "CONVERGED": march.newton, "ALPHA_M": alpha_m, "ALPHA_F": alpha_f,
            "DRIVEN": int(self.driven),
            "PIECES": int(any(k != other for k, other in enumerate(contacts.next_piece()))),
        }  # fmt: skip
        lines = [f"#define {name} {value!r}" for name, value in numbers.items()]
        if contacts.count:
            tables = {
                "NEXT": contacts.next_piece(),
                "CARRIES": [1 if contact.weight > 0.0 else -1 for contact in contacts.contacts],  # pyright: ignore
                "BRISTLED": [int(one) for one in contacts.bristled],
            }
            for names in contacts.mechanism.contact_names:
                given = contacts.mechanism.contact_of(names).approach
                if given is not None and self.graph.term(given).level > NUMBER:
                    At(f"contact '{names.name}'", "approach_speed").fail(
                        "depends on a parameter that is varied, which cannot be printed yet",
                        expected="a number, or gw.sweep",
                    )
            approach = [-1.0 if contact.approach is None else float(contact.approach) for contact in contacts.contacts]
            remembers = [int(contact.law is not None and contact.law[0].remembers) for contact in contacts.contacts]
            lines += [f"TABLE int {name}[NK] = {{{', '.join(map(str, row))}}};" for name, row in tables.items()]
            lines.append(f"TABLE int REMEMBERS[NK] = {{{', '.join(map(str, remembers))}}};")
            lines.append(f"TABLE double GIVEN_APPROACH[NK] = {{{', '.join(map(repr, approach))}}};")
        return lines

    def parts(self, plain: Mechanism, drawn: np.ndarray) -> list[list[str]]:
        """plain: the model's own mechanism, whose bodies begin in the pose `drawn`."""
        made = [
            self._draw(plain, drawn),
            self._heaviest(),
            self._begin(),
            self._accelerate(),
            self._finish(),
            self._outputs(),
        ]
        if self.equations.contacts.count:
            made += [self._look(), self._press(), self._advance()]
            if self.n > self.m:
                made.append(self._bend())
        if self.march.method == METHODS[1]:
            made += [self._straighten(), self._pull(), self._newton()]
        return made

    def _draw(self, plain: Mechanism, drawn: np.ndarray) -> list[str]:
        """The pose from which joints are closed. It counts where something is free to move; elsewhere it picks a branch, which
        is that of the model for all designs."""
        start = [self.graph.number(float(x)) for x in drawn]
        for name, pose in self.equations.lowering.drawn.items() if self.n > self.m else ():
            part = plain.parts[name]
            for place, value, own in zip(part.index, pose, part.drawn, strict=True):
                turns = float(drawn[int(place)]) - float(own)  # full turns that a drive has made
                start[int(place)] = self.graph.term(value) + turns
        return function("void draw(const real *c, real *q)", listed("q", start), self.prepared)

    def _heaviest(self) -> list[str]:
        """All masses and inertias together: inverse pivots of joints are of this size in a regular pose."""
        total = sum(self.equations.mass, self.zero)
        return function("void heaviest(const real *c, real *mass)", [("mass[0]", total)], self.prepared)

    # the start ------------------------------------------------------------------------------------------------------------

    def _begin(self) -> list[str]:
        results = listed("v", self.start_velocity())
        return function("void begin(const real *c, real t, const real *q, real *v)", results, self.prepared)

    def start_velocity(self) -> list[Term]:
        """As analyse/start.py: least kinetic energy, wishes as nearly as they can be met."""
        equations, graph = self.equations, self.graph
        still: list[Term] = [self.zero] * self.n
        phi_t, _, jac = equations.motion(self.q, still)
        wishes, wanted = equations.wanted(self.q)
        if not wanted:
            v = self._on_joints(self._factors(jac), phi_t, jac, still, 2)
        else:
            size = self.n + self.m + len(wanted)
            entries = {(i, i): LEAST * mass for i, mass in enumerate(equations.mass)}
            for (row, column), term in jac.items():
                entries[self.n + row, column] = entries[column, self.n + row] = term
            soft = sum(equations.mass, self.zero) / float(self.n)
            for (row, column), term in wishes.items():
                entries[self.n + self.m + row, column] = entries[column, self.n + self.m + row] = term
            for row in range(len(wanted)):
                entries[self.n + self.m + row, self.n + self.m + row] = -1.0 / soft
            factors = Unsymmetric(graph, size, entries, [0] * self.n + [1] * (size - self.n))
            v = still
            for _ in range(ROUNDS):
                given = [LEAST * mass * x for mass, x in zip(equations.mass, v, strict=True)]
                v = factors.solve([*given, *(-term for term in phi_t), *wanted])[: self.n]
            v = self._on_joints(self._factors(jac), phi_t, jac, v, 1)
        return v

    def _factors(self, jac: dict[tuple[int, int], Term]) -> Direct | Factors:
        return self.equations.factors(jac)

    def _on_joints(
        self,
        factors: Direct | Factors,
        phi_t: Sequence[Term],
        jac: dict[tuple[int, int], Term],
        v: Sequence[Term],
        times: int,
    ) -> list[Term]:
        """Velocities with Phi_q v + Phi_t = 0, by the smallest change; the second time refines the first."""
        if factors.determines:
            return factors.solve(None, [-term for term in phi_t])[0]
        v = list(v)
        for _ in range(times):
            missed = [-term for term in phi_t]
            for (row, column), entry in jac.items():
                missed[row] = missed[row] - entry * v[column]
            v = [a + b for a, b in zip(v, factors.solve(None, missed)[0], strict=True)]
        return v

    # accelerations --------------------------------------------------------------------------------------------------------

    def solved(
        self, v: Sequence[Term], project: bool
    ) -> tuple[list[Term], list[Term], list[Term], Direct | Factors, list[Term]]:
        """v on the joints, a, lambda, the factors, and Phi_t."""
        equations = self.equations
        phi_t, gamma, jac = equations.motion(self.q, v)
        factors = self._factors(jac)
        v = list(v)
        if project:
            v = self._on_joints(factors, phi_t, jac, v, 1)
            gamma = equations.motion(self.q, v).gamma
        bottom = list(gamma)
        if self.march.damp or self.march.stiff:
            rate = list(phi_t)
            for (row, column), entry in jac.items():
                rate[row] = rate[row] + entry * v[column]
            phi = equations.position(self.q).phi
            bottom = [g - self.march.damp * d - self.march.stiff * p for g, d, p in zip(gamma, rate, phi, strict=True)]
        a, lam = factors.solve(equations.forces(self.q, v), bottom)
        return v, a, lam, factors, phi_t

    def _accelerate(self) -> list[str]:
        _, a, _, _, _ = self.solved(self.v, False)
        return function(f"void accelerate({STATE}, real *a)", listed("a", a), self.prepared)

    def _finish(self) -> list[str]:
        v, a, lam, factors, _ = self.solved(self.v, self.march.project)
        results = listed("v", v) if self.march.project else []
        pivots = [*factors.inverse_pivots, *([self.equations.side(factors)] if self.driven else [])]
        results += [*listed("a", a), *listed("lam", lam), *listed("pivot", pivots)]
        head = "void finish(const real *c, real t, const real *q, real *v, const real *mem, real *a, real *lam, real *pivot)"
        return function(head, results, self.prepared)

    def output_terms(self) -> list[Term]:
        phi_t = self.equations.motion(self.q, self.v).phi_t
        return self.equations.outputs(self.names, self.q, self.v, self.a, self.lam, phi_t)

    def _outputs(self) -> list[str]:
        head = f"void outputs({STATE}, const real *a, const real *lam, real *out)"
        return function(head, listed("out", self.output_terms()), self.prepared)

    # contacts -------------------------------------------------------------------------------------------------------------

    def _look(self) -> list[str]:
        found = self.equations.contacts.seen(self.q, self.v, self.t)
        return function(f"void look({STATE}, real *seen)", listed("seen", found), self.prepared)

    def _press(self) -> list[str]:
        """What contacts alone do to the coordinates."""
        forces = self.equations.contacts.forces(self.q, self.v, self.t)
        found = [forces.get(i, self.zero) for i in range(self.n)]
        return function(f"void press({STATE}, real *force)", listed("force", found), self.prepared)

    def _bend(self) -> list[str]:
        """What forces do to the accelerations."""
        _, _, jac = self.equations.motion(self.q, [self.zero] * self.n)
        given = [self.graph.input(f"force[{i}]", MOVING) for i in range(self.n)]
        x, _ = self._factors(jac).solve(given, [self.zero] * self.m)
        head = "void bend(const real *c, real t, const real *q, const real *force, real *x)"
        return function(head, listed("x", x), self.prepared)

    def _advance(self) -> list[str]:
        """What bristles remember at the end of a step, and by how much they are torn, m."""
        contacts = self.equations.contacts
        results: list[Result] = []
        for k in range(contacts.count):
            if contacts.bristled[k]:
                touch = contacts.touch(k, self.q, self.v, self.t)
                fresh = contacts.advanced(k, touch, self.t)
                results += [(f"fresh[{contacts.memory * k + 2 + i}]", term) for i, term in enumerate(fresh)]
        results += listed("torn", contacts.limits(self.q, self.v, self.t))
        return function(f"void advance({STATE}, real *fresh, real *torn)", results, self.prepared)

    # generalized-alpha ----------------------------------------------------------------------------------------------------

    def _straighten(self) -> list[str]:
        phi_t, _, jac = self.equations.motion(self.q, self.v)
        v = self._on_joints(self._factors(jac), phi_t, jac, self.v, 1)
        return function("void straighten(const real *c, real t, const real *q, real *v)", listed("v", v), self.prepared)

    def _pull(self) -> list[str]:
        """The smallest change of velocities that has the rate Phi_q r in the joints."""
        _, _, jac = self.equations.motion(self.q, [self.zero] * self.n)
        r = [self.graph.input(f"r[{i}]", MOVING) for i in range(self.n)]
        bottom = [self.zero] * self.m
        for (row, column), entry in jac.items():
            bottom[row] = bottom[row] + entry * r[column]
        dv, _ = self._factors(jac).solve(None, bottom)
        head = "void pull(const real *c, real t, const real *q, const real *r, real *dv)"
        return function(head, listed("dv", dv), self.prepared)

    def _newton(self) -> list[str]:
        """Changes of a and lambda in one iteration. by_v, by_q: gamma h and beta h^2, how v and q follow a."""
        equations, graph, n = self.equations, self.graph, self.n
        by_v, by_q = (graph.input(name, MOVING) for name in ("by_v", "by_q"))
        phi, jac = equations.position(self.q)
        left = [
            f - mass * a for f, mass, a in zip(equations.forces(self.q, self.v), equations.mass, self.a, strict=True)
        ]
        for (row, column), entry in jac.items():
            left[column] = left[column] - entry * self.lam[row]
        entries: dict[tuple[int, int], Term] = {}  # what is added to the masses
        weight = {term: by_q for term in self.q} | {term: by_v for term in self.v}
        column_of = {term: i for states in (self.q, self.v) for i, term in enumerate(states)}
        for i, term in enumerate(left):
            for by, slope in graph.adjoint({term: graph.number(1.0)}, DESIGN).items():
                if by in weight:
                    key = i, column_of[by]
                    entries[key] = entries.get(key, self.zero) - weight[by] * slope
        missed = [-(term / by_q) for term in phi]
        factors = self._factors(jac)
        if isinstance(factors, Direct):
            da, dl = factors.solve(left, missed, entries)
            pivots = factors.inverse_pivots
        else:
            for i, mass in enumerate(equations.mass):
                entries[i, i] = entries.get((i, i), self.zero) + mass
            for (row, column), term in jac.items():
                entries[n + row, column] = entries[column, n + row] = term
            general = Unsymmetric(graph, n + self.m, entries, [0] * n + [1] * self.m)
            change = general.solve([*left, *missed])
            da, dl = change[:n], change[n:]
            pivots = [general.inverse_pivot(n + k) for k in range(self.m)]
        results = [*listed("da", da), *listed("dl", dl), *listed("pivot", pivots)]
        head = f"void newton({STATE}, const real *a, const real *lam, real by_v, real by_q, real *da, real *dl, real *pivot)"
        return function(head, results, self.prepared)


def listed(name: str, terms: Sequence[Term]) -> list[Result]:
    return [(f"{name}[{k}]", term) for k, term in enumerate(terms)]


def require_whole_steps(count: np.ndarray, section: Analysis) -> None:
    """ModelError unless runs are whole numbers of steps."""
    if np.any(np.abs(count - np.round(count)) > 1e-6 * np.maximum(1.0, count)):
        worst = float(count[np.argmax(np.abs(count - np.round(count)))])
        At("analysis", "step").fail(
            f"does not fit into the run a whole number of times ({worst:.6g} steps)", section.step,
            "a step that is a part of `until`",
        )  # fmt: skip
