"""Quasi-static path: the equilibria that a mechanism passes while drives and loads, functions of t, change slowly.

    Phi_q^T lambda - Q(q, 0, t) = 0,   Phi(q, t) = 0        t is a pseudo-time: nothing has a speed

control "time" steps in t: load control, or displacement control if a drive prescribes the motion. It ends at a limit
point, beyond which there is no equilibrium nearby. control "arc-length" follows the curve of equilibria, through
limit points and back in t. See continuation.py.

The works of loads and drives are integrated along the path (cubic Hermite curve through the points, Simpson's rule), so
the work-energy residual shows if the points are close enough together.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, is_number
from gaitwright._core.errors import AnalysisError, DidNotConverge
from gaitwright.analysis.budget import Budget
from gaitwright.analysis.initial_contact_state import make_resting_memory
from gaitwright.analysis.reactions import minimise_reaction_norm
from gaitwright.analysis.statics.contact_equilibrium import has_deformable_contacts
from gaitwright.analysis.statics.contact_path import follow_contact_path
from gaitwright.analysis.statics.continuation import (
    EquilibriumCurve,
    EquilibriumPoint,
    TimeParameter,
    choose_parameter_span,
)
from gaitwright.analysis.statics.equilibrium import Equilibrium, find_equilibrium
from gaitwright.analysis.statics.path_following import MAX_ARC_STEPS, EquilibriumPath, LimitPointReached, PathFollower
from gaitwright.analysis.statics.resting_mechanism import RestingMechanism
from gaitwright.analysis.statics.softest_motions import find_softest_motions
from gaitwright.jit import Stopwatch
from gaitwright.mechanism.evaluation import evaluate_motion as motion_at
from gaitwright.mechanism.evaluation import evaluate_powers, power_count
from gaitwright.mechanism.history_parts import parts_with_history
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.tables import Array
from gaitwright.result.catalogue import OutputCatalogue
from gaitwright.result.evidence import RunEvidence
from gaitwright.result.files.snapshots import Snapshot, offer_snapshot
from gaitwright.result.outputs import ResultOutput, StateHistory
from gaitwright.result.result import Result

ANALYSIS_CONTEXT = ErrorContext("analysis")
METHOD_BY_CONTROL = {"time": "load stepping", "arc-length": "arc-length"}
QUASI_STATIC_SPEED = 1e-9
"""Speed along the path for the evaluation of powers: so small that forces that depend on speed have their value at rest."""
IMBALANCE_WARNING_RATIO = 1e-6
"""Unbalanced force, relative to the largest one, above which a warning is given."""

DEFAULT_STEP_COUNT = {"time": 20, "arc-length": 50}
"""Default number of equilibria on a path; along the arc more, so that no snap between two points is missed."""


def find_path(
    mechanism: Mechanism,
    until: float | None = None,
    *,
    steps: int | None = None,
    control: str = "time",
    start: float | Result = 0.0,
    stop: Mapping[str, float] | None = None,
    times: Any = None,
    max_steps: int | None = None,
    progress: Any = None,
    document: dict[str, Any] | None = None,
    budget: Budget | None = None,
) -> tuple[EquilibriumPath, Result]:
    """The path, also as a Result; see Model.static_path. Exceptions carry the path so far as a partial Result."""
    steps = DEFAULT_STEP_COUNT.get(control, 1) if steps is None else steps
    times, stop = _choose_times(until, steps, control, start, times), stop or {}
    most = MAX_ARC_STEPS if max_steps is None else max_steps
    ANALYSIS_CONTEXT["max_steps"].whole(most, "is no number of steps", "1, 2, 3, ...")
    for name in filter(_is_work, stop):
        ANALYSIS_CONTEXT["stop"].fail(
            f"cannot stop at '{name}': works are computed after the path is complete",
            expected="a position, angle, force or the like",
        )
    stopwatch, budget = Stopwatch(), budget or Budget()
    equilibrium, begin, mechanism = _find_begin(mechanism, start, float(times[0]), document, budget)
    q, t, way = begin.motion.q[-1], float(times[0]), float(times[-1] - times[0])
    rest = RestingMechanism(mechanism, t, begin.motion.memory[-1], budget) if equilibrium is None else equilibrium.rest
    lam = rest.forces(q).lam
    neutral = (
        find_softest_motions(rest, q, lam).neutral
        if equilibrium is None or equilibrium.stable is None
        else equilibrium.neutral
    )
    curve = EquilibriumCurve(rest, TimeParameter(rest, choose_parameter_span(way)), soft=neutral > 0)
    stable = equilibrium is not None and equilibrium.stable is True and neutral == 0
    first = curve.first(q, lam, t, np.sign(way), stable)
    if first is None:
        raise DidNotConverge(
            "the path cannot be continued from the first equilibrium: some motion has no stiffness there", time=t,
            suggestion="hold it by a spring, a joint or a drive, or draw it a little to one side", partial=begin,
        )  # fmt: skip
    path, outputs = EquilibriumPath(curve, [first]), OutputCatalogue(mechanism)
    output_names = [
        name for name in (document or {}).get("outputs") or [] if name in outputs.outputs and not _is_work(name)
    ]
    named = {name: _make_output_function(curve, outputs[name]) for name in [*stop, *output_names]}
    stops = [lambda point, name=name, value=value: named[name](point) - float(value) for name, value in stop.items()]

    def evidence(complete: bool, findings: list[str]) -> RunEvidence:
        return RunEvidence(
            analysis="static",
            method=METHOD_BY_CONTROL[control],
            stabilisation="exact",
            steps=curve.steps,
            rejected=curve.rejected,
            newton_iterations=curve.iterations + begin.evidence.newton_iterations,
            factorisations=rest.factorisations + (begin.evidence.factorisations if equilibrium is None else 0),
            evaluations=rest.evaluations + (begin.evidence.evaluations if equilibrium is None else 0),
            smallest_step=curve.shortest if curve.steps else 0.0,
            largest_step=curve.longest,
            wall_seconds=stopwatch.seconds(),
            redundant=list(begin.evidence.redundant),
            initial_strains=dict(begin.evidence.initial_strains),
            complete=complete,
            warnings=[*begin.evidence.warnings, *findings],
        )

    def snapshot() -> Snapshot:
        held = rest.t
        motion, counts = _make_shown_motion(path)
        rest.hold(held)  # the works were evaluated at other times
        return Snapshot(mechanism, motion, evidence(False, []), document, float(times[-1]), steps=counts)

    def tell(part: float) -> None:
        offer_snapshot(snapshot)
        if progress is not None:
            progress(part)

    walk = PathFollower(path, stops, tell)
    failure: AnalysisError | None = None
    try:
        if control == "time":
            walk.by_p(times)
        else:
            walk.by_arc(float(times[-1]), steps, int(most))
    except (AnalysisError, LimitPointReached) as error:
        failure = error if isinstance(error, AnalysisError) else _make_limit_error(path)
        path.shown = sorted({*path.shown, len(path.points) - 1})
    result = _make_result(path, evidence(not walk.cut, [*_find_warnings(path, named), *walk.remarks]), document)
    if failure is not None:
        failure.partial = result
        raise failure
    return path, result


def _find_contact_path(
    mechanism: Mechanism,
    until: float | None = None,
    *,
    steps: int | None = None,
    start: float | Result = 0.0,
    stop: Mapping[str, float] | None = None,
    times: Any = None,
    progress: Any = None,
    document: dict[str, Any] | None = None,
    budget: Budget | None = None,
    **_unused: Any,
) -> Result:
    """The path with surfaces of solids in contact, or history-dependent parts."""
    times = _choose_times(until, DEFAULT_STEP_COUNT["time"] if steps is None else steps, "time", start, times)
    budget = budget or Budget()
    begin = _find_begin(mechanism, start, float(times[0]), document, budget)[1]
    return follow_contact_path(begin, times, stop or {}, progress, document, budget)


def _make_limit_error(path: EquilibriumPath) -> DidNotConverge:
    return DidNotConverge(
        "limit point: on this branch there is no equilibrium beyond this time, the mechanism would snap to another one",
        time=path.p_of(path.points[-1]),
        suggestion='follow the branch with control="arc-length", prescribe the motion by a drive, or stop before',
    )


def _choose_times(until: float | None, steps: int, control: str, start: float | Result, times: Any) -> Array:
    """The checked times of the result; for a path along the arc only the ends count."""
    if control not in METHOD_BY_CONTROL:
        ANALYSIS_CONTEXT["control"].fail("is not known", control, " or ".join(METHOD_BY_CONTROL))
    if times is not None:
        given = ANALYSIS_CONTEXT["times"].numbers(times, "at least two times, in order, s")
        ways = np.diff(given)
        if control != "time" or given.ndim != 1 or given.size < 2 or not (np.all(ways > 0) or np.all(ways < 0)):
            ANALYSIS_CONTEXT["times"].fail(
                "cannot be followed", times, 'at least two times, in order, and control="time"'
            )
        return given
    first = (
        float(start.time[-1])
        if isinstance(start, Result)
        else float(ANALYSIS_CONTEXT["start"].finite(start, "a number of s"))
    )
    if not is_number(until) or until == first:
        ANALYSIS_CONTEXT["until"].fail(
            "is not a valid end time", until, f"a number of s, other than {first:g} where the path starts"
        )
    ANALYSIS_CONTEXT["steps"].whole(steps, "is no number of steps", "1, 2, 3, ...")
    return np.linspace(first, float(until), int(steps) + 1)


def _find_begin(
    mechanism: Mechanism, start: float | Result, t: float, document: dict[str, Any] | None, budget: Budget
) -> tuple[Equilibrium | None, Result, Mechanism]:
    """The equilibrium at which the path starts, if it was computed here, a Result with it as the last time, and the mechanism
    without redundant rows."""
    if not isinstance(start, Result):
        equilibrium, result = find_equilibrium(mechanism, t, document, budget)
        return equilibrium, result, result.mechanism
    mechanism = mechanism.without_rows(start.mechanism.redundant)
    sizes = (mechanism.n + 1, mechanism.system.m_all, power_count(mechanism.system))
    if sizes != (start.motion.q.shape[1], start.motion.lam.shape[1], start.motion.work.shape[1]):
        ANALYSIS_CONTEXT["start"].fail("is a result of another model", expected="one of this model")
    if start.evidence.analysis != "static":
        memory = make_resting_memory(mechanism, t, start.motion.q[-1])[None, :]
        start = Result(mechanism, start.motion._replace(memory=np.repeat(memory, start.time.size, 0)), start.evidence)
    return None, start, mechanism


def _make_output_function(curve: EquilibriumCurve, output: ResultOutput) -> Callable[[EquilibriumPoint], float]:
    """An output as a function of a point on the curve."""
    return lambda point: float(output.values(_make_motion(curve, [point]))[0])


def _is_work(name: str) -> bool:
    return name.rpartition(".")[2] in ("work", "dissipated", "friction_loss")


def _make_motion(curve: EquilibriumCurve, points: list[EquilibriumPoint], works: Array | None = None) -> StateHistory:
    """The points as a motion without speed."""
    s, memory = curve.rest.s, curve.rest.w.memory
    q, lam, t = (np.array(x) for x in zip(*(curve.split(point.x) for point in points), strict=True))
    still, works = np.zeros_like(q), np.zeros((t.size, power_count(s))) if works is None else works
    return StateHistory(t, q, still, still.copy(), lam, works, np.tile(memory, (t.size, 1)))


def _make_result(path: EquilibriumPath, evidence: RunEvidence, document: dict[str, Any] | None) -> Result:
    motion, counts = _make_shown_motion(path)
    return Result(path.curve.rest.mechanism, motion, evidence, document, **counts)


def _make_shown_motion(path: EquilibriumPath) -> tuple[StateHistory, dict[str, Any]]:
    """The shown points as a motion without speed; numbers of iterations and of unstable motions."""
    curve, shown = path.curve, [path.points[k] for k in path.shown]
    states = _make_motion(curve, shown, _integrate_works(path)[path.shown])
    counts = {name: [getattr(point, name) for point in shown] for name in ("iterations", "unstable")}
    return minimise_reaction_norm(curve.rest.mechanism, states), {
        "newton": counts["iterations"],
        "unstable": counts["unstable"],
    }


def _integrate_works(path: EquilibriumPath) -> Array:
    """Work of drives and loads up to every point, and dissipation: columns as in StateHistory."""
    curve, s = path.curve, path.curve.rest.s
    works = np.zeros((len(path.points), power_count(s)))
    for k, (a, b) in enumerate(itertools.pairwise(path.points)):
        x, slope = zip(*(curve.interpolated(a, b, part) for part in (0.0, 0.5, 1.0)), strict=True)
        begin, middle, end = (_compute_powers(curve, *at) for at in zip(x, slope, strict=True))
        works[k + 1] = works[k] + (begin + 4.0 * middle + end) / 6.0
    return works


def _compute_powers(curve: EquilibriumCurve, x: Array, slope: Array) -> Array:
    """Powers at the point x of a curve that is traversed at the rate `slope`."""
    rest, s, w = curve.rest, curve.rest.s, curve.rest.w
    q, lam, t = curve.split(x)
    v, _, rate = curve.split(slope)
    rest.hold(t)
    motion_at(s, w, q, QUASI_STATIC_SPEED * v)
    evaluate_powers(s, w, q, QUASI_STATIC_SPEED * v, lam)
    power, drives = w.power.copy(), s.drive_rows.size
    power[:drives] *= rate
    power[drives:] /= QUASI_STATIC_SPEED
    return power


def _find_warnings(path: EquilibriumPath, outputs: Mapping[str, Callable[[EquilibriumPoint], float]]) -> list[str]:
    """Warnings for the user: limit and bifurcation points, and poor balance of forces."""
    texts, rest = [], path.curve.rest
    for kind, point, unstable in path.events:
        values = [f"{name} = {value(point):.6g}" for name, value in itertools.islice(outputs.items(), 4)]
        place = int(np.argmax(np.abs(point.way[: path.curve.n])))
        where = f"{kind} point at t = {path.p_of(point):.6g} s" + (f", {', '.join(values)}" if values else "")
        what = f"{rest.body_of(place)} moves most" if kind == "limit" else "the path keeps to the branch that it was on"
        beyond = "stable" if unstable == 0 else f"unstable in {unstable} way{'s' if unstable > 1 else ''}"
        texts.append(f"{where}: {what}; beyond it {beyond}")
    largest = max(point.size for point in path.points)  # at the start there may be no forces but rounding
    rough = max(point.history[-1] * point.size for point in path.points if point.history) / max(largest, 1e-300)
    if rough > IMBALANCE_WARNING_RATIO:
        texts.append(f"the forces balance only to {rough:.1e} of the largest one")
    return texts


def static_path(mechanism: Mechanism, until: float | None = None, **options: Any) -> Result:
    """The path as a Result over t; see Model.static_path."""
    if (has_deformable_contacts(mechanism) or parts_with_history(mechanism)) and options.get(
        "control", "time"
    ) == "time":
        return _find_contact_path(mechanism, until, **options)
    return find_path(mechanism, until, **options)[1]
