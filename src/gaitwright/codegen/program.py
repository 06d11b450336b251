"""Source text of the program of a mechanism: functions `prepare`, `residual`, `damped`, `correct`, `instant` without branches.

residual    Phi at a pose
damped      Levenberg-Marquardt step that closes the joints from a distant pose (mechanism/pose_assembly.py)
correct     two Newton corrections with one factorisation
instant     v, a, lambda and outputs in a closed pose, its nearness to a singular pose and the side of it (branch_sign.py)

close.h and follow.h, which are the same for every mechanism, call these functions. Forward dynamics: forward_dynamics.py and
march.h. Derivatives, on request: adjoint.py and backwards.h, or, for free mechanisms, forward_gradients.py and tangents.h.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import GaitwrightError
from gaitwright._core.input_files import packaged_text
from gaitwright.analysis.joint_closure import drawn_pose
from gaitwright.analysis.start_state import find_start
from gaitwright.codegen.adjoint import AdjointPrinter
from gaitwright.codegen.elimination import TermElimination
from gaitwright.codegen.equations import MechanismEquations, require_printable
from gaitwright.codegen.forward_dynamics import ForwardPrinter, IntegrationSettings, header_files
from gaitwright.codegen.forward_gradients import TangentPrinter, require_gradient
from gaitwright.codegen.tracing import TermLimit, TracedNumberReader
from gaitwright.derive.c_printer import PreparedTerms, print_function
from gaitwright.derive.term_graph import MOTION_LEVEL, Term, TermGraph
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.pose_assembly import compute_median
from gaitwright.model.compiled_model import CompiledModel
from gaitwright.model.reader.mechanism_builder import MechanismBuilder

HEADER_FOLDER = Path(__file__).parent


class GeneratedProgram(NamedTuple):
    """Generated program with its data. varied: names of its parameters p. outputs: names of the outputs at every instant.
    drawn: pose from which joints are closed, (n,). size: scale of the damping of joint closure. closed: largest |Phi| of
    closed joints. limits: admissible ranges of numbers."""

    text: str
    varied: tuple[str, ...]
    outputs: tuple[str, ...]
    drawn: Any
    size: float
    closed: float
    graph: TermGraph
    traced: TracedNumberReader
    mechanism: Mechanism
    limits: list[TermLimit]
    states: int
    """Number of stored values per sample for derivatives in reverse mode; 0 without these."""
    march: IntegrationSettings | None
    """Settings of time integration; None if drives determine the motion."""


def generate_program(
    model: CompiledModel,
    varied: Sequence[str],
    outputs: Sequence[str],
    gradient: bool = False,
    march: IntegrationSettings | None = None,
) -> GeneratedProgram:
    """Generate the program of a model. varied: names of parameters. outputs: names. gradient: with derivatives. march: settings
    of time integration, or None if drives determine the motion. Raises ModelError for unsupported models."""
    graph = TermGraph()
    traced = TracedNumberReader(model.document, varied, graph)
    mechanism = MechanismBuilder(model.document, traced).read().touching(model.document.contacts).mechanism()
    plain = model.mechanism()
    require_independent(plain)
    require_printable(mechanism, march is not None)
    equations = MechanismEquations(traced, mechanism, march is not None)
    prepared, start_pose = PreparedTerms(), drawn_pose(plain, 0.0)[: plain.n].copy()
    parts = [
        _print_residual(equations, prepared),
        _print_damped(equations, prepared, plain.scale),
        _print_correct(equations, prepared),
    ]
    head: list[str] = ["#define NK 0", "#define MEMORY 1"]
    files = ["close.h"]
    states, driven = 0, True
    if march is None:
        parts.append(_print_instant(equations, prepared, outputs))
        files.append("follow.h")
    else:
        forward = ForwardPrinter(equations, prepared, march, outputs)
        parts += forward.parts(plain, start_pose)
        head, driven = forward.head(), forward.driven
        if gradient:
            require_gradient(equations, march)
        if carried := gradient and not driven:
            tangents = TangentPrinter(forward, prepared, len(varied))
            parts += tangents.parts()
            head += tangents.head()
        files += header_files(march, carried)
    if gradient and driven:
        adjoint = AdjointPrinter(equations, prepared, outputs, len(varied))
        parts += adjoint.parts()
        head += adjoint.head()
        files.append("backwards.h")
        states = adjoint.kept
    head.append(f"#define STATES {states}")
    prepare = ["PRINTED void prepare(const real *p, real *c) {", *(f"    {line}" for line in prepared.lines()), "}"]
    sizes = {"NP": len(varied), "NC": len(prepared.place), "NQ": equations.n, "NM": equations.m, "NOUT": len(outputs)}
    pivots = len(equations.factors(equations.position(equations.state("q")).jac).inverse_pivots)
    sizes["NV"] = pivots + 1
    head = [*(f"#define {name} {max(value, 1)}" for name, value in sizes.items()), *head]
    head += [f"#define ROWS {equations.m}", f"#define PIVOTS {pivots}"]
    for name, values in (("SCALE", plain.scale), ("PER_SCALE", 1.0 / plain.scale)):
        head.append(f"TABLE double {name}[NQ] = {{{', '.join(repr(float(x)) for x in values)}}};")
    text = "\n".join([*head, "", *prepare, *(line for part in parts for line in ("", *part))]) + "\n"
    before, *after = (packaged_text(HEADER_FOLDER / name) for name in ("portable.h", *files))
    definitions = [] if march is None else ["#define PRINTED_ONCE 1"]
    program_text = "\n".join([*definitions, before, text, *after])
    return GeneratedProgram(
        text=program_text, varied=tuple(varied), outputs=tuple(outputs), drawn=start_pose,
        size=compute_median(plain.scale) ** 2, closed=1e-10 * min(plain.size, 1.0),
        graph=graph, traced=traced, mechanism=mechanism, limits=traced.limits, states=states,
        march=march,
    )  # fmt: skip


def require_independent(plain: Mechanism) -> None:
    """Raise ModelError if a row of Phi is redundant in the pose of the model: other designs might violate it, and reactions
    would not be unique."""
    try:
        start = find_start(plain)
    except GaitwrightError:
        return  # its joints do not close; the designs report it
    if start.redundant:
        ErrorContext(f"model '{plain.name}'").fail(
            f"{start.redundant[0]}: redundant joints cannot be printed yet",
            expected="a model without them, or gw.sweep",
        )


def _print_residual(equations: MechanismEquations, prepared: PreparedTerms) -> list[str]:
    phi = equations.position(equations.state("q")).phi
    head = "void residual(const real *c, real t, const real *q, real *phi)"
    return print_function(head, [(f"phi[{k}]", term) for k, term in enumerate(phi)], prepared)


def _print_damped(equations: MechanismEquations, prepared: PreparedTerms, scale: Any) -> list[str]:
    graph, q = equations.graph, equations.state("q")
    phi, jac = equations.position(q)
    weight = [graph.number(1.0 / float(x) ** 2) for x in scale]
    factors = TermElimination(equations.mechanism.system, graph).factors(weight, jac, graph.input("mu", MOTION_LEVEL))
    dq, _ = factors.solve(None, [-term for term in phi])
    head = "void damped(const real *c, real t, const real *q, real mu, real *dq)"
    return print_function(head, [(f"dq[{i}]", term) for i, term in enumerate(dq)], prepared)


def _print_correct(equations: MechanismEquations, prepared: PreparedTerms) -> list[str]:
    q = equations.state("q")
    phi, jac = equations.position(q)
    factors = equations.factors(jac)
    dq, _ = factors.solve(None, [-term for term in phi])
    corrected_once = [a + b for a, b in zip(q, dq, strict=True)]
    residual = equations.position(corrected_once).phi
    dq, _ = factors.solve(None, [-term for term in residual])
    results = [(f"q[{i}]", a + b) for i, (a, b) in enumerate(zip(corrected_once, dq, strict=True))]
    results += [(f"phi[{k}]", term) for k, term in enumerate(residual)]
    return print_function("void correct(const real *c, real t, real *q, real *phi)", results, prepared)


def _print_instant(equations: MechanismEquations, prepared: PreparedTerms, outputs: Sequence[str]) -> list[str]:
    q = equations.state("q")
    zero_velocities: list[Term] = [equations.zero] * equations.n
    phi_t, _, jac = equations.motion(q, zero_velocities)
    factors = equations.factors(jac)
    v, _ = factors.solve(None, [-term for term in phi_t])
    if not factors.determines:
        residual = [-term for term in phi_t]
        for (row, column), entry in jac.items():
            residual[row] = residual[row] - entry * v[column]
        v = [a + b for a, b in zip(v, factors.solve(None, residual)[0], strict=True)]
    gamma, force = equations.motion(q, v).gamma, equations.forces(q, v)
    a, lam = factors.solve(force, gamma)
    if not factors.determines:
        top = [f - m * x for f, m, x in zip(force, equations.mass, a, strict=True)]
        bottom = list(gamma)
        for (row, column), entry in jac.items():
            top[column] = top[column] - entry * lam[row]
            bottom[row] = bottom[row] - entry * a[column]
        more_a, more_lam = factors.solve(top, bottom)
        a = [x + y for x, y in zip(a, more_a, strict=True)]
        lam = [x + y for x, y in zip(lam, more_lam, strict=True)]
    results = [(f"{name}[{i}]", term) for name, values in (("v", v), ("a", a)) for i, term in enumerate(values)]
    results += [(f"pivot[{k}]", term) for k, term in enumerate(factors.inverse_pivots)]
    results.append(("side[0]", equations.side(factors)))
    results += [(f"out[{k}]", term) for k, term in enumerate(equations.outputs(outputs, q, v, a, lam, phi_t))]
    head = "void instant(const real *c, real t, const real *q, real *v, real *a, real *pivot, real *side, real *out)"
    return print_function(head, results, prepared)
