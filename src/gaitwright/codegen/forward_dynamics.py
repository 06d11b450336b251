"""Generated code for the forward dynamics of a mechanism: functions that march.h calls at every step.

begin       start velocities that satisfy joints and drives and are closest to the requested ones
accelerate  a at a state, index-1, including closed contacts
finish      the same at the end of a step, with velocities projected onto the joints, multipliers and pivots
outputs     outputs of a sample
newton      of generalized-alpha: one iteration, with its tangent
look, press, bend, advance, torn     of contacts: see contacts.py and march.h
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.analysis.forward import DEFAULT_TOLERANCE, NEWTON_RTOL, check_option_values
from gaitwright.analysis.options import BAUMGARTE_RATE_PER_S
from gaitwright.codegen.elimination import TermFactors, UnsymmetricTermFactors
from gaitwright.codegen.equations import MechanismEquations
from gaitwright.codegen.kinematic_solver import KinematicSolver
from gaitwright.contact.events import LANDING_ZONE_GRAINS
from gaitwright.derive.c_printer import PreparedTerms, TermAssignment, print_function
from gaitwright.derive.term_graph import DESIGN_LEVEL, MOTION_LEVEL, NUMBER_LEVEL, Term
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.model.compiled_model import CompiledModel
from gaitwright.model.spec.document import AnalysisSpec

CODEGEN_METHODS = ("rk4", "generalized-alpha")
METHOD_ORDERS = {"rk4": 4, "generalized-alpha": 2}
STATE_ARGUMENTS = "const real *c, real t, const real *q, const real *v, const real *mem"
FORWARD_AGREEMENT_RTOL = 1e-4
"""Relative tolerance for comparing numbers of the generated program with those of the analysis: contacts subdivide steps by an
estimate, so a rounding difference may shift a subdivision, and stick-slip propagates it."""
VELOCITY_ITERATIONS = 4
"""Proximal iterations for the requested start velocities, as in mechanism/pose_assembly.py."""
KINETIC_ENERGY_WEIGHT = 1e-6
"""Weight of kinetic energy in these iterations, as in mechanism/pose_assembly.py."""


def header_files(march: IntegrationSettings, gradient: bool) -> list[str]:
    """Header files with the code that does not depend on the mechanism, in order."""
    step = {"rk4": "rk4.h", "generalized-alpha": "alpha.h"}[march.method]
    return ["march.h", step, "touch.h", *(["tangents.h"] if gradient else []), "marching.h"]


class IntegrationSettings(NamedTuple):
    """Settings of time integration. project: project states onto the joints. damp, stiff: Baumgarte coefficients, 1/s and
    1/s^2. tolerance: of the motion. newton: of Newton's method."""

    method: str
    project: bool
    damp: float
    stiff: float
    tolerance: float
    newton: float
    spectral_radius: float


def read_integration_settings(
    section: AnalysisSpec, model: CompiledModel, varied: Sequence[str] = ()
) -> IntegrationSettings | None:
    """Read the settings of a section `analysis` of type forward; None for other types. varied: parameters on which the
    numbers of the section must not depend. Raises ModelError for settings that generated programs do not support."""
    if section.type != "forward":
        return None
    context, numbers_of_model = ErrorContext("analysis"), model.builder.numbers

    def number(name: str, default: float) -> float:
        value_entry = getattr(section, name)
        if value_entry is None:
            return default
        value = float(numbers_of_model.number(value_entry, "analysis", name))
        if numbers_of_model.parameters_of(value_entry) & set(varied):
            context[name].fail(
                "depends on a parameter that is varied, which cannot be printed yet", value_entry, "a number"
            )
        return value

    method = section.method or CODEGEN_METHODS[1]
    if method not in CODEGEN_METHODS:
        context["method"].fail("cannot be printed yet", method, f"{' or '.join(CODEGEN_METHODS)}, or gw.sweep")
    if section.step is None:
        context["step"].fail(
            "is missing: many designs are integrated with a fixed step", expected="a step, such as 1e-3"
        )
    for name in ("output_step", "store", "max_steps", "max_seconds"):
        if getattr(section, name) is not None:
            context[name].fail("is not for many designs", getattr(section, name), "a section without it, or gw.sweep")
    numbers = {name: number(name, 0.0) or None for name in ("tolerance", "alpha", "beta")}
    if number("tolerance", 1.0) == 0.0:
        context["tolerance"].positive(0.0)
    check_option_values(
        1.0, None, numbers["tolerance"], 1, None, number("spectral_radius", 0.8), numbers["alpha"], numbers["beta"]
    )
    implicit = method == CODEGEN_METHODS[1]
    stabilisation = section.stabilisation or ("none" if implicit else "projection")
    baumgarte = stabilisation == "baumgarte" and not implicit
    alpha = number("alpha", BAUMGARTE_RATE_PER_S)
    return IntegrationSettings(
        method=method,
        project=stabilisation == "projection" and not implicit,
        damp=2.0 * alpha if baumgarte else 0.0,
        stiff=number("beta", alpha) ** 2 if baumgarte else 0.0,
        tolerance=number("tolerance", DEFAULT_TOLERANCE),
        newton=number("tolerance", NEWTON_RTOL),
        spectral_radius=number("spectral_radius", 0.8),
    )


class ForwardPrinter:
    """Generator of the forward-dynamics functions of one mechanism. outputs: names."""

    def __init__(
        self, equations: MechanismEquations, prepared: PreparedTerms, march: IntegrationSettings, outputs: Sequence[str]
    ):
        self.equations, self.prepared, self.march, self.names = equations, prepared, march, outputs
        self.graph, self.zero, self.n, self.m = equations.graph, equations.zero, equations.n, equations.m
        self.q, self.v, self.a = (equations.state(name) for name in "qva")
        self.lam = [self.graph.input(f"lam[{k}]", MOTION_LEVEL) for k in range(self.m)]
        self.t = equations.traced.time

    @property
    def driven(self) -> bool:
        """True if joints and drives determine positions and velocities at every step."""
        return self.march.project and self.n == self.m

    def head(self) -> list[str]:
        """Definitions of the sizes and numbers that march.h uses."""
        contacts, march = self.equations.contacts, self.march
        rho = march.spectral_radius
        alpha_m, alpha_f = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
        free = self.n - self.m
        numbers = {
            "ORDER": METHOD_ORDERS[march.method], "PROJECT": int(march.project), "FREE": free, "DRAWS": 1, "NK": contacts.count,
            "MEMORY": contacts.memory, "BRISTLES": int(any(contacts.bristled)), "LANDING": LANDING_ZONE_GRAINS * contacts.grain,
            "TOLERANCE": march.tolerance, "CONVERGED": march.newton, "ALPHA_M": alpha_m, "ALPHA_F": alpha_f,
            "DRIVEN": int(self.driven),
            "PIECES": int(any(k != next_index for k, next_index in enumerate(contacts.next_piece()))),
        }  # fmt: skip
        lines = [f"#define {name} {value!r}" for name, value in numbers.items()]
        if contacts.count:
            tables = {
                "NEXT": contacts.next_piece(),
                "CARRIES": [1 if contact.weight > 0.0 else -1 for contact in contacts.contacts],  # pyright: ignore
                "BRISTLED": [int(is_bristled) for is_bristled in contacts.bristled],
            }
            for names in contacts.mechanism.contact_names:
                approach_entry = contacts.mechanism.contact_of(names).approach
                if approach_entry is not None and self.graph.term(approach_entry).level > NUMBER_LEVEL:
                    ErrorContext(f"contact '{names.name}'", "approach_speed").fail(
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
        """Generate all functions. plain: the model's mechanism without tracing. drawn: its drawn pose, (n,)."""
        functions = [
            self._draw(plain, drawn),
            self._heaviest(),
            self._begin(),
            self._accelerate(),
            self._finish(),
            self._outputs(),
        ]
        if self.equations.contacts.count:
            functions += [self._look(), self._press(), self._advance()]
            if self.n > self.m:
                functions.append(self._bend())
        if self.march.method == CODEGEN_METHODS[1]:
            functions += [self._straighten(), self._pull(), self._newton()]
        return functions

    def _draw(self, plain: Mechanism, drawn: np.ndarray) -> list[str]:
        """Generate `draw`: the pose from which joints are closed. For free mechanisms it depends on the design, since it
        affects the start; otherwise it only selects the branch, which is that of the model for all designs."""
        start = [self.graph.number(float(x)) for x in drawn]
        for name, pose in self.equations.traced.drawn.items() if self.n > self.m else ():
            part = plain.parts[name]
            for coordinate, value, drawn_value in zip(part.index, pose, part.drawn, strict=True):
                turns = float(drawn[int(coordinate)]) - float(drawn_value)  # full turns of a drive
                start[int(coordinate)] = self.graph.term(value) + turns
        return print_function("void draw(const real *c, real *q)", array_assignments("q", start), self.prepared)

    def _heaviest(self) -> list[str]:
        """Generate `heaviest`: the sum of masses and inertias, the magnitude of the joints' inverse pivots in a regular
        pose."""
        total = sum(self.equations.mass, self.zero)
        return print_function("void heaviest(const real *c, real *mass)", [("mass[0]", total)], self.prepared)

    # the start ------------------------------------------------------------------------------------------------------------

    def _begin(self) -> list[str]:
        results = array_assignments("v", self.start_velocity())
        return print_function("void begin(const real *c, real t, const real *q, real *v)", results, self.prepared)

    def start_velocity(self) -> list[Term]:
        """Start velocities as in analysis/start_state.py: least kinetic energy, closest to the requested velocities."""
        equations, graph = self.equations, self.graph
        zero_velocities: list[Term] = [self.zero] * self.n
        phi_t, _, jac = equations.motion(self.q, zero_velocities)
        conditions, targets = equations.requested_velocities(self.q)
        if not targets:
            v = self._on_joints(self._factors(jac), phi_t, jac, zero_velocities, 2)
        else:
            size = self.n + self.m + len(targets)
            entries = {(i, i): KINETIC_ENERGY_WEIGHT * mass for i, mass in enumerate(equations.mass)}
            for (row, column), term in jac.items():
                entries[self.n + row, column] = entries[column, self.n + row] = term
            soft = sum(equations.mass, self.zero) / float(self.n)
            for (row, column), term in conditions.items():
                entries[self.n + self.m + row, column] = entries[column, self.n + self.m + row] = term
            for row in range(len(targets)):
                entries[self.n + self.m + row, self.n + self.m + row] = -1.0 / soft
            factors = UnsymmetricTermFactors(graph, size, entries, [0] * self.n + [1] * (size - self.n))
            v = zero_velocities
            for _ in range(VELOCITY_ITERATIONS):
                momenta = [KINETIC_ENERGY_WEIGHT * mass * x for mass, x in zip(equations.mass, v, strict=True)]
                v = factors.solve([*momenta, *(-term for term in phi_t), *targets])[: self.n]
            v = self._on_joints(self._factors(jac), phi_t, jac, v, 1)
        return v

    def _factors(self, jac: dict[tuple[int, int], Term]) -> KinematicSolver | TermFactors:
        return self.equations.factors(jac)

    def _on_joints(
        self,
        factors: KinematicSolver | TermFactors,
        phi_t: Sequence[Term],
        jac: dict[tuple[int, int], Term],
        v: Sequence[Term],
        times: int,
    ) -> list[Term]:
        """Project velocities onto Phi_q v + Phi_t = 0 by the smallest change. times: number of projections; a second one
        reduces rounding."""
        if factors.determines:
            return factors.solve(None, [-term for term in phi_t])[0]
        v = list(v)
        for _ in range(times):
            residual = [-term for term in phi_t]
            for (row, column), entry in jac.items():
                residual[row] = residual[row] - entry * v[column]
            v = [a + b for a, b in zip(v, factors.solve(None, residual)[0], strict=True)]
        return v

    # accelerations --------------------------------------------------------------------------------------------------------

    def solve_accelerations(
        self, v: Sequence[Term], project: bool
    ) -> tuple[list[Term], list[Term], list[Term], KinematicSolver | TermFactors, list[Term]]:
        """Projected v (if project), a, lambda, factors and Phi_t."""
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
        _, a, _, _, _ = self.solve_accelerations(self.v, False)
        return print_function(f"void accelerate({STATE_ARGUMENTS}, real *a)", array_assignments("a", a), self.prepared)

    def _finish(self) -> list[str]:
        v, a, lam, factors, _ = self.solve_accelerations(self.v, self.march.project)
        results = array_assignments("v", v) if self.march.project else []
        pivots = [*factors.inverse_pivots, *([self.equations.side(factors)] if self.driven else [])]
        results += [*array_assignments("a", a), *array_assignments("lam", lam), *array_assignments("pivot", pivots)]
        head = "void finish(const real *c, real t, const real *q, real *v, const real *mem, real *a, real *lam, real *pivot)"
        return print_function(head, results, self.prepared)

    def output_terms(self) -> list[Term]:
        phi_t = self.equations.motion(self.q, self.v).phi_t
        return self.equations.outputs(self.names, self.q, self.v, self.a, self.lam, phi_t)

    def _outputs(self) -> list[str]:
        head = f"void outputs({STATE_ARGUMENTS}, const real *a, const real *lam, real *out)"
        return print_function(head, array_assignments("out", self.output_terms()), self.prepared)

    # contacts -------------------------------------------------------------------------------------------------------------

    def _look(self) -> list[str]:
        terms = self.equations.contacts.observed(self.q, self.v, self.t)
        return print_function(
            f"void look({STATE_ARGUMENTS}, real *seen)", array_assignments("seen", terms), self.prepared
        )

    def _press(self) -> list[str]:
        """Generate `press`: generalized forces of contacts alone."""
        forces = self.equations.contacts.forces(self.q, self.v, self.t)
        terms = [forces.get(i, self.zero) for i in range(self.n)]
        return print_function(
            f"void press({STATE_ARGUMENTS}, real *force)", array_assignments("force", terms), self.prepared
        )

    def _bend(self) -> list[str]:
        """Generate `bend`: accelerations due to given generalized forces."""
        _, _, jac = self.equations.motion(self.q, [self.zero] * self.n)
        force_inputs = [self.graph.input(f"force[{i}]", MOTION_LEVEL) for i in range(self.n)]
        x, _ = self._factors(jac).solve(force_inputs, [self.zero] * self.m)
        head = "void bend(const real *c, real t, const real *q, const real *force, real *x)"
        return print_function(head, array_assignments("x", x), self.prepared)

    def _advance(self) -> list[str]:
        """Generate `advance`: bristle state at the end of a step, and stretch beyond the limit, m."""
        contacts = self.equations.contacts
        results: list[TermAssignment] = []
        for k in range(contacts.count):
            if contacts.bristled[k]:
                touch = contacts.touch(k, self.q, self.v, self.t)
                fresh = contacts.advanced(k, touch, self.t)
                results += [(f"fresh[{contacts.memory * k + 2 + i}]", term) for i, term in enumerate(fresh)]
        results += array_assignments("torn", contacts.limits(self.q, self.v, self.t))
        return print_function(f"void advance({STATE_ARGUMENTS}, real *fresh, real *torn)", results, self.prepared)

    # generalized-alpha ----------------------------------------------------------------------------------------------------

    def _straighten(self) -> list[str]:
        phi_t, _, jac = self.equations.motion(self.q, self.v)
        v = self._on_joints(self._factors(jac), phi_t, jac, self.v, 1)
        return print_function(
            "void straighten(const real *c, real t, const real *q, real *v)", array_assignments("v", v), self.prepared
        )

    def _pull(self) -> list[str]:
        """Generate `pull`: the smallest change of velocities dv with Phi_q dv = Phi_q r."""
        _, _, jac = self.equations.motion(self.q, [self.zero] * self.n)
        r = [self.graph.input(f"r[{i}]", MOTION_LEVEL) for i in range(self.n)]
        bottom = [self.zero] * self.m
        for (row, column), entry in jac.items():
            bottom[row] = bottom[row] + entry * r[column]
        dv, _ = self._factors(jac).solve(None, bottom)
        head = "void pull(const real *c, real t, const real *q, const real *r, real *dv)"
        return print_function(head, array_assignments("dv", dv), self.prepared)

    def _newton(self) -> list[str]:
        """Generate `newton`: changes of a and lambda in one Newton iteration. by_v, by_q: gamma h and beta h^2, the derivatives
        of v and q with respect to a."""
        equations, graph, n = self.equations, self.graph, self.n
        by_v, by_q = (graph.input(name, MOTION_LEVEL) for name in ("by_v", "by_q"))
        phi, jac = equations.position(self.q)
        residual = [
            f - mass * a for f, mass, a in zip(equations.forces(self.q, self.v), equations.mass, self.a, strict=True)
        ]
        for (row, column), entry in jac.items():
            residual[column] = residual[column] - entry * self.lam[row]
        entries: dict[tuple[int, int], Term] = {}  # terms added to the mass matrix
        weight = {term: by_q for term in self.q} | {term: by_v for term in self.v}
        column_of = {term: i for states in (self.q, self.v) for i, term in enumerate(states)}
        for i, term in enumerate(residual):
            for variable, slope in graph.adjoint({term: graph.number(1.0)}, DESIGN_LEVEL).items():
                if variable in weight:
                    key = i, column_of[variable]
                    entries[key] = entries.get(key, self.zero) - weight[variable] * slope
        position_residual = [-(term / by_q) for term in phi]
        factors = self._factors(jac)
        if isinstance(factors, KinematicSolver):
            da, dl = factors.solve(residual, position_residual, entries)
            pivots = factors.inverse_pivots
        else:
            for i, mass in enumerate(equations.mass):
                entries[i, i] = entries.get((i, i), self.zero) + mass
            for (row, column), term in jac.items():
                entries[n + row, column] = entries[column, n + row] = term
            unsymmetric_factors = UnsymmetricTermFactors(graph, n + self.m, entries, [0] * n + [1] * self.m)
            change = unsymmetric_factors.solve([*residual, *position_residual])
            da, dl = change[:n], change[n:]
            pivots = [unsymmetric_factors.inverse_pivot(n + k) for k in range(self.m)]
        results = [*array_assignments("da", da), *array_assignments("dl", dl), *array_assignments("pivot", pivots)]
        head = (
            f"void newton({STATE_ARGUMENTS}, const real *a, const real *lam, real by_v, real by_q, real *da, "
            f"real *dl, real *pivot)"
        )
        return print_function(head, results, self.prepared)


def array_assignments(name: str, terms: Sequence[Term]) -> list[TermAssignment]:
    return [(f"{name}[{k}]", term) for k, term in enumerate(terms)]


def require_whole_steps(count: np.ndarray, section: AnalysisSpec) -> None:
    """Raise ModelError unless all runs have a whole number of steps. count: steps of each run, (n_designs,)."""
    if np.any(np.abs(count - np.round(count)) > 1e-6 * np.maximum(1.0, count)):
        worst = float(count[np.argmax(np.abs(count - np.round(count)))])
        ErrorContext("analysis", "step").fail(
            f"does not fit into the run a whole number of times ({worst:.6g} steps)", section.step,
            "a step that is a part of `until`",
        )  # fmt: skip
