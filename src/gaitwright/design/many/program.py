"""The program of a mechanism as text: `prepare`, `residual`, `damped`, `correct`, `instant`, in straight lines.

residual    Phi at a pose
damped      a step of Levenberg and Marquardt that closes the joints from afar (system/assemble.py)
correct     two corrections of Newton with one factorisation
instant     v, a, lambda and outputs in a closed pose, how near to singular it is and on which side (sense.py)

What calls them, the same for every mechanism, is close.h and follow.h; what integrates instead: forward.py and march.h.
Derivatives, on request: adjoint.py and backwards.h, or, where something is free to move, tangents.py and tangents.h.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gaitwright.analyse.closing import drawn_pose
from gaitwright.analyse.start import start
from gaitwright.checks import At
from gaitwright.derive.c_printing import Prepared, function
from gaitwright.derive.terms import MOVING, Graph, Term
from gaitwright.design.many.adjoint import Adjoint
from gaitwright.design.many.equations import Equations, require_printable
from gaitwright.design.many.forward import Forward, March, headers
from gaitwright.design.many.lowering import Limit, TracedLowering
from gaitwright.design.many.replay import Replay
from gaitwright.design.many.tangents import Tangents, require_gradient
from gaitwright.errors import GaitwrightError
from gaitwright.input_files import packaged_text
from gaitwright.model.lower import lower
from gaitwright.model.spec import Document
from gaitwright.system.assemble import middle
from gaitwright.system.mechanism import Mechanism

HERE = Path(__file__).parent


class Program(NamedTuple):
    """A printed program and what goes with it. varied: names of its parameters p. outputs: names of what it computes at every
    instant. drawn: (n,), the pose that joints are closed from. size: damping of closing counts in it, and
    closed: largest |Phi| of joints that are."""

    text: str
    varied: tuple[str, ...]
    outputs: tuple[str, ...]
    drawn: Any
    size: float
    closed: float
    graph: Graph
    lowering: TracedLowering
    mechanism: Mechanism
    limits: list[Limit]
    states: int
    """Numbers of every sample that are kept, if derivatives go backwards from them; 0: they do not."""
    march: March | None
    """How runs are integrated; None: drives determine them."""


def printed(
    document: Document,
    varied: Sequence[str],
    outputs: Sequence[str],
    gradient: bool = False,
    march: March | None = None,
) -> Program:
    """The program of a model. gradient: with derivatives. march: how it is integrated, or None: drives determine its motion.
    ModelError names what cannot be printed."""
    graph = Graph()
    lowering = TracedLowering(document, varied, graph)
    mechanism = lowering.read().touching(document.contacts).mechanism()
    plain = lower(document)
    require_independent(plain)
    require_printable(mechanism, march is not None)
    equations = Equations(lowering, mechanism, march is not None)
    prepared, drawn = Prepared(), drawn_pose(plain, 0.0)[: plain.n].copy()
    parts = [
        _residual(equations, prepared),
        _damped(equations, prepared, plain.scale),
        _correct(equations, prepared),
    ]
    head: list[str] = ["#define NK 0", "#define MEMORY 1"]
    files = ["close.h"]
    kept, driven = 0, True
    if march is None:
        parts.append(_instant(equations, prepared, outputs))
        files.append("follow.h")
    else:
        forward = Forward(equations, prepared, march, outputs)
        parts += forward.parts(plain, drawn)
        head, driven = forward.head(), forward.driven
        if gradient:
            require_gradient(equations, march)
        if carried := gradient and not driven:
            tangents = Tangents(forward, prepared, len(varied))
            parts += tangents.parts()
            head += tangents.head()
        files += headers(march, carried)
    if gradient and driven:
        adjoint = Adjoint(equations, prepared, outputs, len(varied))
        parts += adjoint.parts()
        head += adjoint.head()
        files.append("backwards.h")
        kept = adjoint.kept
    head.append(f"#define STATES {kept}")
    prepare = ["PRINTED void prepare(const real *p, real *c) {", *(f"    {line}" for line in prepared.lines()), "}"]
    sizes = {"NP": len(varied), "NC": len(prepared.place), "NQ": equations.n, "NM": equations.m, "NOUT": len(outputs)}
    pivots = len(equations.factors(equations.position(equations.state("q")).jac).inverse_pivots)
    sizes["NV"] = pivots + 1
    head = [*(f"#define {name} {max(value, 1)}" for name, value in sizes.items()), *head]
    head += [f"#define ROWS {equations.m}", f"#define PIVOTS {pivots}"]
    for name, values in (("SCALE", plain.scale), ("PER_SCALE", 1.0 / plain.scale)):
        head.append(f"TABLE double {name}[NQ] = {{{', '.join(repr(float(x)) for x in values)}}};")
    text = "\n".join([*head, "", *prepare, *(line for part in parts for line in ("", *part))]) + "\n"
    before, *after = (packaged_text(HERE / name) for name in ("portable.h", *files))
    once = [] if march is None else ["#define PRINTED_ONCE 1"]
    whole = "\n".join([*once, before, text, *after])
    return Program(
        text=whole, varied=tuple(varied), outputs=tuple(outputs), drawn=drawn,
        size=middle(plain.scale) ** 2, closed=1e-10 * min(plain.size, 1.0),
        graph=graph, lowering=lowering, mechanism=mechanism, limits=lowering.limits, states=kept,
        march=march,
    )  # fmt: skip


def require_independent(plain: Mechanism) -> None:
    """ModelError if a row of Phi follows from others in the pose of the model: other designs might break it, and reactions
    would have to be shared."""
    try:
        found = start(plain)
    except GaitwrightError:
        return  # its joints do not close; designs will tell
    if found.redundant:
        At(f"model '{plain.name}'").fail(
            f"{found.redundant[0]}: redundant joints cannot be printed yet",
            expected="a model without them, or gw.sweep",
        )


def _residual(equations: Equations, prepared: Prepared) -> list[str]:
    phi = equations.position(equations.state("q")).phi
    head = "void residual(const real *c, real t, const real *q, real *phi)"
    return function(head, [(f"phi[{k}]", term) for k, term in enumerate(phi)], prepared)


def _damped(equations: Equations, prepared: Prepared, scale: Any) -> list[str]:
    graph, q = equations.graph, equations.state("q")
    phi, jac = equations.position(q)
    weight = [graph.number(1.0 / float(x) ** 2) for x in scale]
    factors = Replay(equations.mechanism.system, graph).factors(weight, jac, graph.input("mu", MOVING))
    dq, _ = factors.solve(None, [-term for term in phi])
    head = "void damped(const real *c, real t, const real *q, real mu, real *dq)"
    return function(head, [(f"dq[{i}]", term) for i, term in enumerate(dq)], prepared)


def _correct(equations: Equations, prepared: Prepared) -> list[str]:
    q = equations.state("q")
    phi, jac = equations.position(q)
    factors = equations.factors(jac)
    dq, _ = factors.solve(None, [-term for term in phi])
    once = [a + b for a, b in zip(q, dq, strict=True)]
    left = equations.position(once).phi
    dq, _ = factors.solve(None, [-term for term in left])
    results = [(f"q[{i}]", a + b) for i, (a, b) in enumerate(zip(once, dq, strict=True))]
    results += [(f"phi[{k}]", term) for k, term in enumerate(left)]
    return function("void correct(const real *c, real t, real *q, real *phi)", results, prepared)


def _instant(equations: Equations, prepared: Prepared, outputs: Sequence[str]) -> list[str]:
    q = equations.state("q")
    still: list[Term] = [equations.zero] * equations.n
    phi_t, _, jac = equations.motion(q, still)
    factors = equations.factors(jac)
    v, _ = factors.solve(None, [-term for term in phi_t])
    if not factors.determines:
        missed = [-term for term in phi_t]
        for (row, column), entry in jac.items():
            missed[row] = missed[row] - entry * v[column]
        v = [a + b for a, b in zip(v, factors.solve(None, missed)[0], strict=True)]
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
    return function(head, results, prepared)
