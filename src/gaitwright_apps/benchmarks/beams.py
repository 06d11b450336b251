"""P2, P3 and P4: beams against Exudyn, cost against the number of elements, and setting up a large model.

P2: a slider-crank with a flexible rod of 8 elements. P2a: explicit, microseconds per right-hand side; P2b: one turn of
the crank in 5 s. P3: a cable of 10 to 1000 elements, pinned at one end, that falls from level for 0.2 s.

P2b and P3 take steps of 1 ms of generalized-alpha with spectral radius 0.8 on both sides. The error of both is that of
the path of the rod's middle or the cable's tip (root mean square over all steps), relative to the path extrapolated
from our runs with 1/8 and 1/16 of the step. Exudyn runs with all its good settings, and with constraints of index 2
(its trapezoidal rule); the fastest one with an error of at most 5 % above ours counts. Its time is that of SolveDynamic,
without storing; ours is `integration` as in P1 (setup, initial accelerations, all steps; the last is stored). `ratio`
compares these, as in P1; `ratio_per_step` compares the steps alone, both minus a run of one step, as in growth: 200
steps of a short cable take little longer than the setup. `loose` is ours with a Newton tolerance of 1e-8, which does
not change the error; otherwise the default is used. `whole call` is Model.simulate with every step stored: reading the
model, its tables, the start, the steps, the energy balance. `ratio_whole_call` compares it with Exudyn's SolveDynamic,
`ratio_model_to_result` with everything that Exudyn needs for the same path: adding its items, Assemble, SolveDynamic
with sensors.

P4: a blade that bends and twists in space, see spatial_beams.py.

Growth: the cable with 10 to 4000 elements. Setup: from an empty model to the result of the first step.
"""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.errors import AnalysisError
from gaitwright.analysis.forward import simulate
from gaitwright.analysis.start_state import StartState, find_start
from gaitwright.mechanism.kkt import build_kkt
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.model.model import Model
from gaitwright.result.result import Result
from gaitwright_apps.benchmarks import spatial_beams
from gaitwright_apps.benchmarks.exudyn_peer import DEFAULT_NEWTON_RTOL, ExudynPeer, ExudynSetting, is_available
from gaitwright_apps.benchmarks.timing import TimedCall, cost_exponent, time_alternately, time_call

STEP_S = 1e-3
CRANK_SPEED_RAD_S = 2 * math.pi / 5
CABLE_ELEMENTS = (10, 50, 200, 1000)
MIN_SPEEDUP = 3.0
"""Required minimum speedup of P2b and P3 relative to Exudyn."""
MAX_ERROR_RATIO = 1.05
"""Maximum error of Exudyn relative to ours."""
LOOSE_NEWTON_RTOL = 1e-8
"""Loose Newton tolerance, relative to the size of the mechanism; the default is 1e-12."""
REFERENCE_STEP_DIVISORS = (8, 16)
"""Divisors of the step in the reference runs."""

EXPLICIT_STEP_S, MAX_RHS_MICROSECONDS = 1e-5, 5.0
"""Step of rk4 on P2, s; time limit per right-hand side, microseconds."""
SETUP_ELEMENTS, MAX_SETUP_SECONDS = 1000, 0.3
"""Number of elements, and time limit of the setup, s."""
STEPS_BY_ELEMENTS = {10: 400, 50: 400, 200: 200, 1000: 100, 4000: 40}
"""Number of timed steps by number of elements."""

MAX_DENSE_COORDINATES = 120
"""Maximum number of coordinates for which the dense solver is tried: it is the fastest only below about 60."""
NEWTON_TOLERANCES = (DEFAULT_NEWTON_RTOL, 1e-6, 1e-4, 3e-4, 1e-3)


def slider_crank() -> Model:
    """Crank of 0.15 m, round rod of 0.4 m and 6 mm, initially straight with rigid-body velocities."""
    model = Model("P2 flexible slider-crank")
    model.ground_point("O", 0.0, 0.0).point("A", 0.15, 0.0).point("B", 0.55, 0.0)
    model.link("crank", "O", "A", length=0.15, mass=0.1)
    model.beam(
        "rod", "A", "B", length=0.4, elements=8, youngs_modulus=2e9, density=7850, diameter=6e-3, integration="full"
    )
    model.body("slider", mass=0.05, inertia=1e-5, at=(0.55, 0.0))
    model.joint.revolute("rod.B", "slider", name="wrist").joint.prismatic(
        "ground.O", "slider", axis=(1, 0), name="guide"
    )
    return model.drive.rotation("crank", "2*pi/5*t")


def cable(elements: int) -> Model:
    """Cable, 2 m long, 20 mm square, as soft as rubber."""
    model = Model(f"P3 cable of {elements} elements")
    model.ground_point("O", 0.0, 0.0).point("E", 2.0, 0.0)
    section: dict[str, Any] = {
        "youngs_modulus": 5e7,
        "density": 1000,
        "width": 0.02,
        "height": 0.02,
        "integration": "full",
    }
    return model.beam("cable", "O", "E", length=2.0, elements=elements, **section)


def measure(quick: bool) -> dict[str, Any]:
    cases = {"P2b": BeamCase(slider_crank(), 0.05 if quick else 5.0, "rod", 4, CRANK_SPEED_RAD_S)}
    cases |= {
        f"P3-{n}": BeamCase(cable(n), 0.02 if quick else 0.2, "cable", n)
        for n in (CABLE_ELEMENTS[:1] if quick else CABLE_ELEMENTS)
    }
    details: dict[str, Any] = {"step": STEP_S, "faster": MIN_SPEEDUP, "equal": MAX_ERROR_RATIO, "ratios": {}}
    details["P2a"] = measure_right_hand_side(quick)
    details["problems"] = {name: compare_case(case, quick) for name, case in cases.items()}
    for name, comparison in details["problems"].items():
        if "ratio" in comparison:
            details["ratios"] |= {name: comparison["ratio"], f"{name} per step": comparison["ratio_per_step"]}
    details["P4"] = spatial_beams.measure(quick)
    if "ratio" in details["P4"]:
        details["ratios"]["P4"] = details["P4"]["ratio"]
    return details | {"growth": measure_growth(quick), "setup": measure_setup(quick)}


# Against Exudyn -----------------------------------------------------------------------------------------------------


class BeamCase(NamedTuple):
    """A problem; errors are those of the path of one beam node. speed: of its drive, rad/s."""

    model: Model
    until: float
    beam: str
    node: int
    speed: float = 0.0


class BeamRace:
    """Case that both programs run."""

    def __init__(self, case: BeamCase):
        self.case, self.steps = case, round(case.until / STEP_S)
        self.mechanism: Mechanism = case.model.mechanism()
        self.begin: StartState = find_start(self.mechanism)
        self.watched = self.mechanism.beams[case.beam].nodes[case.node, :2]
        self.exact = self.reference()

    def ours(self, steps: int, finer: int = 1, every: int = 1, tolerance: float | None = None) -> Result:
        return simulate(
            self.mechanism, steps * STEP_S, step=STEP_S / finer, every=every * finer, begin=self.begin,
            method="generalized-alpha", spectral_radius=0.8, tolerance=tolerance,
        )  # fmt: skip

    def accuracy_of_ours(self, tolerance: float | None) -> dict[str, float]:
        run = self.ours(self.steps, tolerance=tolerance)
        newton, factored = run.evidence.newton_iterations, run.evidence.factorisations
        per_step = {"newton_per_step": newton / self.steps, "factorisations_per_step": factored / self.steps}
        return {**self.errors(run.motion.q), **per_step}

    def reference(self) -> np.ndarray:
        """Limit path of generalized-alpha for short steps: its error is proportional to the square of the step."""
        coarse, fine = (self.ours(self.steps, finer).motion.q[:, self.watched] for finer in REFERENCE_STEP_DIVISORS)
        self.unsure = rms(fine - coarse) / ((REFERENCE_STEP_DIVISORS[1] / REFERENCE_STEP_DIVISORS[0]) ** 2 - 1)
        return fine + (fine - coarse) / ((REFERENCE_STEP_DIVISORS[1] / REFERENCE_STEP_DIVISORS[0]) ** 2 - 1)

    def errors(self, q: np.ndarray) -> dict[str, float]:
        missed = q[:, self.watched] - self.exact
        return {"error": rms(missed), "end_error": float(np.linalg.norm(missed[-1]))}

    def peer(self, setting: ExudynSetting, steps: int, record: bool = False) -> tuple[ExudynPeer, TimedCall]:
        peer = ExudynPeer(self.mechanism, self.begin, self.case.speed, record=record)
        chosen = peer.settings(steps * STEP_S, steps, setting)
        return peer, lambda: peer.solve(chosen, setting.solver)

    def accuracy(self, setting: ExudynSetting) -> dict[str, float]:
        """Errors of Exudyn with a setting, from a separate run that stores every step."""
        peer, run = self.peer(setting, self.steps, record=True)
        run()
        return {**self.errors(peer.recorded()[1]), "newton_per_step": peer.newton_iterations() / self.steps}

    def path_of_peer(self, setting: ExudynSetting) -> None:
        """Compute the path by Exudyn, from an empty system."""
        peer, run = self.peer(setting, self.steps, record=True)
        run()
        peer.recorded()

    def screened(
        self, settings: list[ExudynSetting], limit: float, count: int
    ) -> tuple[dict[ExudynSetting, Any], list[ExudynSetting]]:
        """Results of Exudyn for all settings that are faster than the last of the `count` fastest ones within the
        error limit; and these settings."""
        times: dict[ExudynSetting, float] = {}
        for setting in settings:
            try:
                _, run = self.peer(setting, self.steps)
                times[setting] = min(run() for _ in range(2))
            except Exception:  # Exudyn raises plain exceptions when a solver fails; such a setting is skipped
                continue
        tried: dict[ExudynSetting, Any] = {}
        accurate: list[ExudynSetting] = []
        for setting in sorted(times, key=lambda candidate: times[candidate]):
            tried[setting] = {"seconds": times[setting], **self.accuracy(setting)}
            if tried[setting]["error"] <= limit:
                accurate.append(setting)
            if len(accurate) == count:
                break
        return tried, accurate


def rms(missed: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.sum(missed**2, axis=-1))))


def exudyn_settings(coordinates: int, quick: bool) -> list[ExudynSetting]:
    if quick:
        return [ExudynSetting("EigenSparse", True, tolerance) for tolerance in NEWTON_TOLERANCES[:2]]
    solvers = ["EXUdense"] * (coordinates <= MAX_DENSE_COORDINATES) + ["EigenSparse", "EigenSparseSymmetric"]
    settings = [
        ExudynSetting(solver, True, tolerance, k)
        for solver in solvers
        for tolerance in NEWTON_TOLERANCES
        for k in (3, 2)
    ]
    return settings + [
        ExudynSetting(solver, False, tolerance) for solver in solvers for tolerance in (DEFAULT_NEWTON_RTOL, 1e-4)
    ]


def compare_case(case: BeamCase, quick: bool) -> dict[str, Any]:
    """Times and errors of one case."""
    race = BeamRace(case)
    steps = race.steps
    ours, loose = race.accuracy_of_ours(None), race.accuracy_of_ours(LOOSE_NEWTON_RTOL)
    comparison: dict[str, Any] = {"until": case.until, "steps": steps, "coordinates": race.mechanism.n, "ours": ours}
    comparison["loose"] = loose
    comparison["reference_unsure"] = race.unsure
    options: dict[str, Any] = {"step": STEP_S, "method": "generalized-alpha", "spectral_radius": 0.8}
    candidates: dict[str, TimedCall] = {
        "integration": lambda: race.ours(steps, every=steps).evidence.wall_seconds,
        "one step": lambda: race.ours(1).evidence.wall_seconds,
        "loose": lambda: race.ours(steps, every=steps, tolerance=LOOSE_NEWTON_RTOL).evidence.wall_seconds,
        "whole call": time_call(lambda: case.model.simulate(case.until, **options)),
    }
    tried: dict[ExudynSetting, Any] = {}
    accurate: list[ExudynSetting] = []
    if is_available():
        settings = exudyn_settings(race.mechanism.n, quick)
        tried, accurate = race.screened(settings, MAX_ERROR_RATIO * ours["error"], 1 if quick else 3)
        for setting in accurate:
            candidates[str(setting)] = race.peer(setting, steps)[1]
            candidates[f"{setting}, one step"] = race.peer(setting, 1)[1]
            candidates[f"{setting}, whole call"] = time_call(functools.partial(race.path_of_peer, setting))
    best = time_alternately(candidates, 2 if quick else repeat_count(race))
    ours |= {f"{name.replace(' ', '_')}_seconds": best[name] for name in ("integration", "one step", "whole call")}
    ours["us_per_step"] = microseconds_per_step(best["integration"], best["one step"], steps)
    loose |= {
        "integration_seconds": best["loose"],
        "us_per_step": microseconds_per_step(best["loose"], best["one step"], steps),
    }
    if accurate:
        setting = min(accurate, key=lambda candidate: best[str(candidate)])
        theirs = {"setting": str(setting), **tried[setting], "seconds": best[str(setting)]}
        theirs["whole_call_seconds"] = best[f"{setting}, whole call"]
        theirs["us_per_step"] = microseconds_per_step(best[str(setting)], best[f"{setting}, one step"], steps)
        theirs["settings"] = {str(k): {**numbers, "seconds": best.get(str(k), numbers["seconds"])}
                              for k, numbers in tried.items()}  # fmt: skip
        comparison["exudyn"] = theirs
        comparison["ratio"] = best[str(setting)] / best["integration"]
        comparison["ratio_loose"] = best[str(setting)] / best["loose"]
        comparison["ratio_per_step"] = theirs["us_per_step"] / ours["us_per_step"]
        comparison["ratio_loose_per_step"] = theirs["us_per_step"] / loose["us_per_step"]
        comparison["ratio_whole_call"] = best[str(setting)] / best["whole call"]
        comparison["ratio_model_to_result"] = theirs["whole_call_seconds"] / best["whole call"]
    return comparison


def microseconds_per_step(all_steps: float, one_step: float, steps: int) -> float:
    """Time of each step after the first, microseconds."""
    return 1e6 * (all_steps - one_step) / (steps - 1)


def repeat_count(race: BeamRace) -> int:
    """Number of repeats: many for short runs, few for long ones."""
    return int(np.clip(2e6 / (race.steps * race.mechanism.n), 5, 40))


# Explicit -----------------------------------------------------------------------------------------------------------


def measure_right_hand_side(quick: bool) -> dict[str, Any]:
    """Microseconds per evaluation of the accelerations of P2, in rk4 and in gill with the steps required by the
    axial stiffness of the rod; and the result of Exudyn's explicit method."""
    mechanism = slider_crank().mechanism()
    begin, steps = find_start(mechanism), 100 if quick else 5000
    until = steps * EXPLICIT_STEP_S

    def per_evaluation(method: str, stabilisation: str) -> TimedCall:
        options: dict[str, Any] = {"method": method, "stabilisation": stabilisation, "begin": begin}

        def timed() -> float:
            evidence = simulate(mechanism, until, step=EXPLICIT_STEP_S, every=steps, **options).evidence
            return evidence.wall_seconds / evidence.evaluations

        return timed

    variants = [("rk4", "none"), ("rk4", "baumgarte"), ("rk4", "projection"), ("gill", "none")]
    best = time_alternately({f"{way} {how}": per_evaluation(way, how) for way, how in variants}, 2 if quick else 15)
    details: dict[str, Any] = {"step": EXPLICIT_STEP_S, "until": until, "limit": MAX_RHS_MICROSECONDS}
    details["us_per_evaluation"] = {name: 1e6 * value for name, value in best.items()}
    details["within_limit"] = 1e6 * best["rk4 none"] <= MAX_RHS_MICROSECONDS
    if is_available():
        details["exudyn"] = measure_exudyn_explicit(mechanism, begin, steps)
    return details


def measure_exudyn_explicit(mechanism: Mechanism, begin: StartState, steps: int) -> str:
    """Microseconds per evaluation of Exudyn's RK44, or its error message."""
    peer = ExudynPeer(mechanism, begin, CRANK_SPEED_RAD_S)
    chosen = peer.settings(steps * EXPLICIT_STEP_S, steps, ExudynSetting("EXUdense", True, DEFAULT_NEWTON_RTOL))
    try:
        return f"{1e6 * peer.solve(chosen, 'RK44') / (4 * steps):.1f} us"
    except Exception as error:  # the peer's own type of error is a plain exception
        return str(error).partition("[Python")[0].strip().splitlines()[0]


# Growth and setting up ----------------------------------------------------------------------------------------------

COST_PARTS = ("tables", "start", "symbolic", "whole call")


def measure_growth(quick: bool) -> dict[str, Any]:
    """Cost of a step against the number of elements."""
    sizes = [10, 50] if quick else list(STEPS_BY_ELEMENTS)
    growth: dict[str, Any] = {"elements": sizes, "meshes": {}, "failed": {}}
    for elements in sizes:
        try:
            growth["meshes"][elements] = measure_mesh(elements, 2 if quick else 5 if elements > 500 else 10)
        except AnalysisError as error:  # the other sizes still show the growth of the cost
            growth["failed"][elements] = str(error)
    for name in ("us_per_step", *(f"{part.replace(' ', '_')}_seconds" for part in COST_PARTS)):
        costs = [numbers[name] for numbers in growth["meshes"].values()]
        growth[f"exponent_{name.removesuffix('_seconds')}"] = cost_exponent(list(growth["meshes"]), costs)
    return growth


def measure_mesh(elements: int, repeats: int) -> dict[str, Any]:
    model = cable(elements)
    mechanism, count = model.mechanism(), STEPS_BY_ELEMENTS[elements]
    begin = find_start(mechanism)

    def integration(steps: int) -> TimedCall:
        return lambda: simulate(mechanism, steps * STEP_S, step=STEP_S, begin=begin, every=steps,
                                method="generalized-alpha").evidence.wall_seconds  # fmt: skip

    best = time_alternately(
        {
            "all steps": integration(count),
            "one step": integration(1),
            "tables": time_call(model.mechanism),
            "start": time_call(lambda: find_start(mechanism)),
            "symbolic": time_symbolic_analysis(model),
            "whole call": time_call(lambda: model.simulate(STEP_S, step=STEP_S)),
        },
        repeats,
    )
    costs = {f"{part.replace(' ', '_')}_seconds": best[part] for part in COST_PARTS}
    return costs | {"steps": count, "us_per_step": microseconds_per_step(best["all steps"], best["one step"], count)}


def time_symbolic_analysis(model: Model) -> TimedCall:
    """Time of the sparsity analysis. It is cached in a mechanism, so each repetition uses a new one."""

    def timed() -> float:
        system = model.mechanism().system
        return time_call(lambda: (build_kkt(system, tangent=True), build_kkt(system)))()

    return timed


def measure_setup(quick: bool) -> dict[str, Any]:
    """Seconds from an empty model to the result of the first step of a long cable."""
    elements = 50 if quick else SETUP_ELEMENTS

    def first_step() -> Result:
        return cable(elements).simulate(STEP_S, step=STEP_S)

    first_step()  # compiles or loads the machine code
    timed = {"first step": time_call(first_step), "model": time_call(lambda: cable(elements))}
    best = time_alternately(timed, 2 if quick else 10)
    details = {
        "elements": elements,
        "seconds": best["first step"],
        "model_seconds": best["model"],
        "limit": MAX_SETUP_SECONDS,
    }
    return details | {"within_limit": best["first step"] <= MAX_SETUP_SECONDS}
