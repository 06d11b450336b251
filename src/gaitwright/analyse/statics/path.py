"""Quasi-static path: the equilibria that a mechanism passes while drives and loads, functions of t, change slowly.

    Phi_q^T lambda - Q(q, 0, t) = 0,   Phi(q, t) = 0        t is a pseudo-time: nothing has a speed

control "time" steps in t: load control, or displacement control where a drive prescribes the motion. It ends at a limit
point, beyond which there is no equilibrium nearby. control "arc-length" follows the curve of equilibria itself, through
limit points and back in t. See continuation.py.

The works of loads and drives are integrated along the path (cubic Hermite curve through the points, Simpson's rule), so
the work-energy residual tells whether the points are close enough together.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gaitwright.analyse.budget import Budget
from gaitwright.analyse.contact_memory import resting_memory
from gaitwright.analyse.reactions import minimum_norm
from gaitwright.analyse.statics.continuation import Curve, Point, Time, span_of
from gaitwright.analyse.statics.equilibrium import Equilibrium, find_equilibrium
from gaitwright.analyse.statics.follow import MOST_STEPS, AtLimit, Path, Walk
from gaitwright.analyse.statics.linearise import AtRest
from gaitwright.analyse.statics.pressed_path import press_along
from gaitwright.analyse.statics.pressing import has_skins
from gaitwright.analyse.statics.softest import softest
from gaitwright.checks import At, is_number
from gaitwright.compiled import Stopwatch
from gaitwright.errors import AnalysisError, DidNotConverge
from gaitwright.result.catalogue import Catalogue
from gaitwright.result.evidence import Evidence
from gaitwright.result.outputs import Motion, Output
from gaitwright.result.result import Result
from gaitwright.result.snapshots import Snapshot, offer_snapshot
from gaitwright.system.evaluate import motion as motion_at
from gaitwright.system.evaluate import power_count, powers
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.remembering import remembering
from gaitwright.system.tables import Array

ANALYSIS = At("analysis")
CONTROLS = {"time": "load stepping", "arc-length": "arc-length"}
SLOWLY = 1e-9
"""Speed along the path at which powers are taken: forces that depend on speed must see rest."""
ROUGH = 1e-6
"""Unbalanced force, relative to the largest one, that earns a warning."""

STEPS = {"time": 20, "arc-length": 50}
"""Equilibria on a path unless given; along the arc more, so that a snap does not pass unseen between two."""


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
) -> tuple[Path, Result]:
    """The path and the same as a Result; see Model.static_path. Failures carry the path so far as a Result."""
    steps = STEPS.get(control, 1) if steps is None else steps
    times, stop = _times(until, steps, control, start, times), stop or {}
    most = MOST_STEPS if max_steps is None else max_steps
    ANALYSIS["max_steps"].whole(most, "is no number of steps", "1, 2, 3, ...")
    for name in filter(_is_work, stop):
        ANALYSIS["stop"].fail(
            f"cannot stop at '{name}': works are summed up when the path is known",
            expected="a position, angle, force or the like",
        )
    stopwatch, budget = Stopwatch(), budget or Budget()
    found, begin = _begin(mechanism, start, float(times[0]), document, budget)
    q, t, way = begin.motion.q[-1], float(times[0]), float(times[-1] - times[0])
    rest = AtRest(mechanism, t, begin.motion.memory[-1], budget) if found is None else found.rest
    lam = rest.forces(q).lam
    neutral = softest(rest, q, lam).neutral if found is None or found.stable is None else found.neutral
    curve = Curve(rest, Time(rest, span_of(way)), soft=neutral > 0)
    stable = found is not None and found.stable is True and neutral == 0
    first = curve.first(q, lam, t, np.sign(way), stable)
    if first is None:
        raise DidNotConverge(
            "the first equilibrium does not tell how the path goes on: some motion has no stiffness there", time=t,
            suggestion="hold it by a spring, a joint or a drive, or draw it a little to one side", partial=begin,
        )  # fmt: skip
    path, outputs = Path(curve, [first]), Catalogue(mechanism)
    told = [name for name in (document or {}).get("outputs") or [] if name in outputs.outputs and not _is_work(name)]
    named = {name: _as_function(curve, outputs[name]) for name in [*stop, *told]}
    stops = [lambda point, name=name, value=value: named[name](point) - float(value) for name, value in stop.items()]

    def evidence(complete: bool, findings: list[str]) -> Evidence:
        return Evidence(
            analysis="static",
            method=CONTROLS[control],
            stabilisation="exact",
            steps=curve.steps,
            rejected=curve.rejected,
            newton_iterations=curve.iterations + begin.evidence.newton_iterations,
            factorisations=rest.factorisations + (begin.evidence.factorisations if found is None else 0),
            evaluations=rest.evaluations + (begin.evidence.evaluations if found is None else 0),
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
        motion, counts = _shown(path)
        rest.hold(held)  # the works are those of other times
        return Snapshot(mechanism, motion, evidence(False, []), document, float(times[-1]), steps=counts)

    def tell(part: float) -> None:
        offer_snapshot(snapshot)
        if progress is not None:
            progress(part)

    walk = Walk(path, stops, tell)
    failure: AnalysisError | None = None
    try:
        if control == "time":
            walk.by_p(times)
        else:
            walk.by_arc(float(times[-1]), steps, int(most))
    except (AnalysisError, AtLimit) as error:
        failure = error if isinstance(error, AnalysisError) else _at_limit(path)
        path.shown = sorted({*path.shown, len(path.points) - 1})
    result = _as_result(path, evidence(not walk.cut, [*_findings(path, named), *walk.remarks]), document)
    if failure is not None:
        failure.partial = result
        raise failure
    return path, result


def _pressed(
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
    """The same where surfaces of solids touch."""
    times = _times(until, STEPS["time"] if steps is None else steps, "time", start, times)
    budget = budget or Budget()
    begin = _begin(mechanism, start, float(times[0]), document, budget)[1]
    return press_along(begin, times, stop or {}, progress, document, budget)


def _at_limit(path: Path) -> DidNotConverge:
    return DidNotConverge(
        "limit point: on this branch there is no equilibrium beyond this time, the mechanism would snap to another one",
        time=path.p_of(path.points[-1]),
        suggestion='follow the branch with control="arc-length", prescribe the motion by a drive, or stop before',
    )


def _times(until: float | None, steps: int, control: str, start: float | Result, times: Any) -> Array:
    """The times of the result, checked; of a path along the arc only the ends count."""
    if control not in CONTROLS:
        ANALYSIS["control"].fail("is not known", control, " or ".join(CONTROLS))
    if times is not None:
        given = ANALYSIS["times"].numbers(times, "at least two times, in order, s")
        ways = np.diff(given)
        if control != "time" or given.ndim != 1 or given.size < 2 or not (np.all(ways > 0) or np.all(ways < 0)):
            ANALYSIS["times"].fail("cannot be followed", times, 'at least two times, in order, and control="time"')
        return given
    first = (
        float(start.time[-1]) if isinstance(start, Result) else float(ANALYSIS["start"].finite(start, "a number of s"))
    )
    if not is_number(until) or until == first:
        ANALYSIS["until"].fail(
            "is no time to go to", until, f"a number of s, other than {first:g} where the path starts"
        )
    ANALYSIS["steps"].whole(steps, "is no number of steps", "1, 2, 3, ...")
    return np.linspace(first, float(until), int(steps) + 1)


def _begin(
    mechanism: Mechanism, start: float | Result, t: float, document: dict[str, Any] | None, budget: Budget
) -> tuple[Equilibrium | None, Result]:
    """The equilibrium at which the path starts, if it was looked for, and as the last time of a Result."""
    if not isinstance(start, Result):
        return find_equilibrium(mechanism, t, document, budget)
    mechanism.rebuild(start.mechanism.redundant)
    sizes = (mechanism.n + 1, mechanism.system.m_all, power_count(mechanism.system))
    if sizes != (start.motion.q.shape[1], start.motion.lam.shape[1], start.motion.work.shape[1]):
        ANALYSIS["start"].fail("is a result of another model", expected="one of this model")
    if start.evidence.analysis != "static":
        memory = resting_memory(mechanism, t, start.motion.q[-1])[None, :]
        start = Result(mechanism, start.motion._replace(memory=np.repeat(memory, start.time.size, 0)), start.evidence)
    return None, start


def _as_function(curve: Curve, output: Output) -> Callable[[Point], float]:
    """An output as a function of a point."""
    return lambda point: float(output.values(_states(curve, [point]))[0])


def _is_work(name: str) -> bool:
    return name.rpartition(".")[2] in ("work", "dissipated", "friction_loss")


def _states(curve: Curve, points: list[Point], works: Array | None = None) -> Motion:
    """The points as a motion without speed."""
    s, memory = curve.rest.s, curve.rest.w.memory
    q, lam, t = (np.array(x) for x in zip(*(curve.split(point.x) for point in points), strict=True))
    still, works = np.zeros_like(q), np.zeros((t.size, power_count(s))) if works is None else works
    return Motion(t, q, still, still.copy(), lam, works, np.tile(memory, (t.size, 1)))


def _as_result(path: Path, evidence: Evidence, document: dict[str, Any] | None) -> Result:
    motion, counts = _shown(path)
    return Result(path.curve.rest.mechanism, motion, evidence, document, **counts)


def _shown(path: Path) -> tuple[Motion, dict[str, Any]]:
    """The points that a result shows, as a motion without speed; numbers of iterations and of unstable motions."""
    curve, shown = path.curve, [path.points[k] for k in path.shown]
    states = _states(curve, shown, _works(path)[path.shown])
    counts = {name: [getattr(point, name) for point in shown] for name in ("iterations", "unstable")}
    return minimum_norm(curve.rest.mechanism, states), {"newton": counts["iterations"], "unstable": counts["unstable"]}


def _works(path: Path) -> Array:
    """Work of drives and loads up to every point, and what was dissipated: columns as in Motion."""
    curve, s = path.curve, path.curve.rest.s
    works = np.zeros((len(path.points), power_count(s)))
    for k, (a, b) in enumerate(itertools.pairwise(path.points)):
        x, slope = zip(*(curve.interpolated(a, b, part) for part in (0.0, 0.5, 1.0)), strict=True)
        begin, middle, end = (_power(curve, *at) for at in zip(x, slope, strict=True))
        works[k + 1] = works[k] + (begin + 4.0 * middle + end) / 6.0
    return works


def _power(curve: Curve, x: Array, slope: Array) -> Array:
    """Powers at the point x of a curve that is passed at the rate `slope`."""
    rest, s, w = curve.rest, curve.rest.s, curve.rest.w
    q, lam, t = curve.split(x)
    v, _, rate = curve.split(slope)
    rest.hold(t)
    motion_at(s, w, q, SLOWLY * v)
    powers(s, w, q, SLOWLY * v, lam)
    power, drives = w.power.copy(), s.drive_rows.size
    power[:drives] *= rate
    power[drives:] /= SLOWLY
    return power


def _findings(path: Path, outputs: Mapping[str, Callable[[Point], float]]) -> list[str]:
    """What a user must know: limit and bifurcation points, and forces that do not balance well."""
    said, rest = [], path.curve.rest
    for kind, point, unstable in path.events:
        values = [f"{name} = {value(point):.6g}" for name, value in itertools.islice(outputs.items(), 4)]
        place = int(np.argmax(np.abs(point.way[: path.curve.n])))
        where = f"{kind} point at t = {path.p_of(point):.6g} s" + (f", {', '.join(values)}" if values else "")
        what = f"{rest.body_of(place)} moves most" if kind == "limit" else "the path keeps to the branch that it was on"
        beyond = "stable" if unstable == 0 else f"unstable in {unstable} way{'s' if unstable > 1 else ''}"
        said.append(f"{where}: {what}; beyond it {beyond}")
    largest = max(point.size for point in path.points)  # at the start there may be no forces but rounding
    rough = max(point.history[-1] * point.size for point in path.points if point.history) / max(largest, 1e-300)
    if rough > ROUGH:
        said.append(f"the forces balance only to {rough:.1e} of the largest one")
    return said


def static_path(mechanism: Mechanism, until: float | None = None, **options: Any) -> Result:
    """The path as a Result over t; see Model.static_path."""
    if (has_skins(mechanism) or remembering(mechanism)) and options.get("control", "time") == "time":
        return _pressed(mechanism, until, **options)
    return find_path(mechanism, until, **options)[1]
