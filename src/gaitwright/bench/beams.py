"""P2, P3 and P4: beams against Exudyn, cost against the number of elements, and setting up a large model.

P2: a slider-crank with a flexible rod of 8 elements. P2a: explicit, microseconds per right-hand side; P2b: one turn of
the crank in 5 s. P3: a cable of 10 to 1000 elements, pinned at one end, that falls from level for 0.2 s.

P2b and P3 take steps of 1 ms of generalized-alpha with spectral radius 0.8 on both sides. The error of both is that of
the path of the rod's middle or the cable's tip (root mean square over all steps) against the path extrapolated from our
runs with 1/8 and 1/16 of the step. Exudyn is tried with all its good settings, and with constraints of index 2 (its
trapezoidal rule); the fastest counts whose error is not more than 5 % above ours. Its time is that of SolveDynamic, told
to store nothing; ours is `integration` as in P1 (setting up, start accelerations, all steps; the last is stored). `ratio`
compares these, as in P1; `ratio_per_step` compares the steps alone, both less a run of one step, as in growth: 200 steps of
a short cable take little longer than setting up. `loose` is ours with a tolerance of Newton of 1e-8, which leaves the
error as it is; otherwise it is the one that a user gets. `whole call` is Model.simulate with every step stored: reading the
model, its tables, the start, the steps, the balance of energy. `ratio_whole_call` has Exudyn's SolveDynamic beside it,
`ratio_model_to_result` all that Exudyn needs for the same path: adding its items, Assemble, SolveDynamic with sensors.

P4: a blade that bends and twists in space, see spatial_beams.py.

Growth: the cable with 10 to 4000 elements. Setting up: from an empty model to the result of the first step.
"""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from gaitwright.analyse.forward import simulate
from gaitwright.analyse.start import Start, start
from gaitwright.bench import spatial_beams
from gaitwright.bench.clock import Timed, alternate, exponent, seconds
from gaitwright.bench.exudyn_peer import DEFAULT_TOLERANCE, Peer, Setting, available
from gaitwright.errors import AnalysisError
from gaitwright.model.model import Model
from gaitwright.result.result import Result
from gaitwright.system.kkt import kkt
from gaitwright.system.mechanism import Mechanism

STEP = 1e-3
SPEED = 2 * math.pi / 5
CABLES = (10, 50, 200, 1000)
FASTER = 3.0
"""Least that P2b and P3 must be faster than Exudyn."""
EQUAL = 1.05
"""Exudyn may have this many times our error."""
LOOSE = 1e-8
"""Tolerance of Newton, relative to the size of the mechanism; unless given it is 1e-12."""
FINER = (8, 16)
"""The steps of the reference are this many times shorter."""

EXPLICIT_STEP, EXPLICIT_LIMIT = 1e-5, 5.0
"""s; microseconds per right-hand side that rk4 may take on P2."""
SETUP_ELEMENTS, SETUP_LIMIT = 1000, 0.3
"""Elements, and seconds that setting up may take."""
MESHES = {10: 400, 50: 400, 200: 200, 1000: 100, 4000: 40}
"""Elements, and steps that are timed."""

DENSE = 120
"""Coordinates up to which the dense solver is tried: it is the fastest only below 60 or so."""
TOLERANCES = (DEFAULT_TOLERANCE, 1e-6, 1e-4, 3e-4, 1e-3)


def slider_crank() -> Model:
    """Crank of 0.15 m, round rod of 0.4 m and 6 mm, which starts straight and moves as if it were rigid."""
    model = Model("P2 flexible slider-crank")
    model.ground_point("O", 0.0, 0.0).point("A", 0.15, 0.0).point("B", 0.55, 0.0)
    model.link("crank", "O", "A", length=0.15, mass=0.1)
    model.beam(
        "rod", "A", "B", length=0.4, elements=8, youngs_modulus=2e9, density=7850, diameter=6e-3, integration="full"
    )
    model.body("slider", mass=0.05, inertia=1e-5, at=(0.55, 0.0))
    model.revolute("rod.B", "slider", name="wrist").prismatic("ground.O", "slider", axis=(1, 0), name="guide")
    return model.drive_rotation("crank", "2*pi/5*t")


def cable(elements: int) -> Model:
    """2 m long, 20 mm square, as soft as rubber."""
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
    cases = {"P2b": Case(slider_crank(), 0.05 if quick else 5.0, "rod", 4, SPEED)}
    cases |= {f"P3-{n}": Case(cable(n), 0.02 if quick else 0.2, "cable", n) for n in (CABLES[:1] if quick else CABLES)}
    details: dict[str, Any] = {"step": STEP, "faster": FASTER, "equal": EQUAL, "ratios": {}}
    details["P2a"] = right_hand_side(quick)
    details["problems"] = {name: compared(case, quick) for name, case in cases.items()}
    for name, found in details["problems"].items():
        if "ratio" in found:
            details["ratios"] |= {name: found["ratio"], f"{name} per step": found["ratio_per_step"]}
    details["P4"] = spatial_beams.measure(quick)
    if "ratio" in details["P4"]:
        details["ratios"]["P4"] = details["P4"]["ratio"]
    return details | {"growth": growth(quick), "setup": setting_up(quick)}


# Against Exudyn -----------------------------------------------------------------------------------------------------


class Case(NamedTuple):
    """A problem; the path of a node of a beam is what errors are taken of. speed: of its drive, rad/s."""

    model: Model
    until: float
    beam: str
    node: int
    speed: float = 0.0


class Race:
    """One case, ready to be run by both."""

    def __init__(self, case: Case):
        self.case, self.steps = case, round(case.until / STEP)
        self.mechanism: Mechanism = case.model.mechanism()
        self.begin: Start = start(self.mechanism)
        self.watched = self.mechanism.beams[case.beam].nodes[case.node, :2]
        self.exact = self.reference()

    def ours(self, steps: int, finer: int = 1, every: int = 1, tolerance: float | None = None) -> Result:
        return simulate(
            self.mechanism, steps * STEP, step=STEP / finer, every=every * finer, begin=self.begin,
            method="generalized-alpha", spectral_radius=0.8, tolerance=tolerance,
        )  # fmt: skip

    def accuracy_of_ours(self, tolerance: float | None) -> dict[str, float]:
        run = self.ours(self.steps, tolerance=tolerance)
        newton, factored = run.evidence.newton_iterations, run.evidence.factorisations
        per_step = {"newton_per_step": newton / self.steps, "factorisations_per_step": factored / self.steps}
        return {**self.errors(run.motion.q), **per_step}

    def reference(self) -> np.ndarray:
        """The path that generalized-alpha tends to for short steps: its error goes with the square of the step."""
        coarse, fine = (self.ours(self.steps, finer).motion.q[:, self.watched] for finer in FINER)
        self.unsure = rms(fine - coarse) / ((FINER[1] / FINER[0]) ** 2 - 1)
        return fine + (fine - coarse) / ((FINER[1] / FINER[0]) ** 2 - 1)

    def errors(self, q: np.ndarray) -> dict[str, float]:
        missed = q[:, self.watched] - self.exact
        return {"error": rms(missed), "end_error": float(np.linalg.norm(missed[-1]))}

    def peer(self, setting: Setting, steps: int, record: bool = False) -> tuple[Peer, Timed]:
        peer = Peer(self.mechanism, self.begin, self.case.speed, record=record)
        chosen = peer.settings(steps * STEP, steps, setting)
        return peer, lambda: peer.solve(chosen, setting.solver)

    def accuracy(self, setting: Setting) -> dict[str, float]:
        """Errors of Exudyn with a setting, from a run of its own that stores every step."""
        peer, run = self.peer(setting, self.steps, record=True)
        run()
        return {**self.errors(peer.recorded()[1]), "newton_per_step": peer.newton_iterations() / self.steps}

    def path_of_peer(self, setting: Setting) -> None:
        """The path by Exudyn, from an empty system."""
        peer, run = self.peer(setting, self.steps, record=True)
        run()
        peer.recorded()

    def screened(self, settings: list[Setting], limit: float, count: int) -> tuple[dict[Setting, Any], list[Setting]]:
        """What Exudyn does with the settings that are faster than the last of the `count` fastest whose error is within
        the limit; and these."""
        times: dict[Setting, float] = {}
        for setting in settings:
            try:
                _, run = self.peer(setting, self.steps)
                times[setting] = min(run() for _ in range(2))
            except Exception:  # Exudyn raises plain exceptions when a solver fails; such a setting is not a good one
                continue
        tried: dict[Setting, Any] = {}
        good: list[Setting] = []
        for setting in sorted(times, key=lambda one: times[one]):
            tried[setting] = {"seconds": times[setting], **self.accuracy(setting)}
            if tried[setting]["error"] <= limit:
                good.append(setting)
            if len(good) == count:
                break
        return tried, good


def rms(missed: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.sum(missed**2, axis=-1))))


def settings_for(coordinates: int, quick: bool) -> list[Setting]:
    if quick:
        return [Setting("EigenSparse", True, tolerance) for tolerance in TOLERANCES[:2]]
    solvers = ["EXUdense"] * (coordinates <= DENSE) + ["EigenSparse", "EigenSparseSymmetric"]
    found = [Setting(solver, True, tolerance, k) for solver in solvers for tolerance in TOLERANCES for k in (3, 2)]
    return found + [Setting(solver, False, tolerance) for solver in solvers for tolerance in (DEFAULT_TOLERANCE, 1e-4)]


def compared(case: Case, quick: bool) -> dict[str, Any]:
    """Times and errors of one case."""
    race = Race(case)
    steps = race.steps
    ours, loose = race.accuracy_of_ours(None), race.accuracy_of_ours(LOOSE)
    found: dict[str, Any] = {"until": case.until, "steps": steps, "coordinates": race.mechanism.n, "ours": ours}
    found["loose"] = loose
    found["reference_unsure"] = race.unsure
    options: dict[str, Any] = {"step": STEP, "method": "generalized-alpha", "spectral_radius": 0.8}
    candidates: dict[str, Timed] = {
        "integration": lambda: race.ours(steps, every=steps).evidence.wall_seconds,
        "one step": lambda: race.ours(1).evidence.wall_seconds,
        "loose": lambda: race.ours(steps, every=steps, tolerance=LOOSE).evidence.wall_seconds,
        "whole call": seconds(lambda: case.model.simulate(case.until, **options)),
    }
    tried: dict[Setting, Any] = {}
    good: list[Setting] = []
    if available():
        settings = settings_for(race.mechanism.n, quick)
        tried, good = race.screened(settings, EQUAL * ours["error"], 1 if quick else 3)
        for setting in good:
            candidates[str(setting)] = race.peer(setting, steps)[1]
            candidates[f"{setting}, one step"] = race.peer(setting, 1)[1]
            candidates[f"{setting}, whole call"] = seconds(functools.partial(race.path_of_peer, setting))
    best = alternate(candidates, 2 if quick else repeats_for(race))
    ours |= {f"{name.replace(' ', '_')}_seconds": best[name] for name in ("integration", "one step", "whole call")}
    ours["us_per_step"] = per_step(best["integration"], best["one step"], steps)
    loose |= {"integration_seconds": best["loose"], "us_per_step": per_step(best["loose"], best["one step"], steps)}
    if good:
        setting = min(good, key=lambda one: best[str(one)])
        theirs = {"setting": str(setting), **tried[setting], "seconds": best[str(setting)]}
        theirs["whole_call_seconds"] = best[f"{setting}, whole call"]
        theirs["us_per_step"] = per_step(best[str(setting)], best[f"{setting}, one step"], steps)
        theirs["settings"] = {str(k): {**numbers, "seconds": best.get(str(k), numbers["seconds"])}
                              for k, numbers in tried.items()}  # fmt: skip
        found["exudyn"] = theirs
        found["ratio"] = best[str(setting)] / best["integration"]
        found["ratio_loose"] = best[str(setting)] / best["loose"]
        found["ratio_per_step"] = theirs["us_per_step"] / ours["us_per_step"]
        found["ratio_loose_per_step"] = theirs["us_per_step"] / loose["us_per_step"]
        found["ratio_whole_call"] = best[str(setting)] / best["whole call"]
        found["ratio_model_to_result"] = theirs["whole_call_seconds"] / best["whole call"]
    return found


def per_step(all_steps: float, one_step: float, steps: int) -> float:
    """Microseconds of each step after the first."""
    return 1e6 * (all_steps - one_step) / (steps - 1)


def repeats_for(race: Race) -> int:
    """Many for short runs, few for long ones."""
    return int(np.clip(2e6 / (race.steps * race.mechanism.n), 5, 40))


# Explicit -----------------------------------------------------------------------------------------------------------


def right_hand_side(quick: bool) -> dict[str, Any]:
    """Microseconds per evaluation of the accelerations of P2, in rk4 and in gill with the steps that the stretching of
    the rod asks for; and what Exudyn's explicit method says to it."""
    mechanism = slider_crank().mechanism()
    begin, steps = start(mechanism), 100 if quick else 5000
    until = steps * EXPLICIT_STEP

    def per_evaluation(method: str, stabilisation: str) -> Timed:
        options: dict[str, Any] = {"method": method, "stabilisation": stabilisation, "begin": begin}

        def timed() -> float:
            evidence = simulate(mechanism, until, step=EXPLICIT_STEP, every=steps, **options).evidence
            return evidence.wall_seconds / evidence.evaluations

        return timed

    ways = [("rk4", "none"), ("rk4", "baumgarte"), ("rk4", "projection"), ("gill", "none")]
    best = alternate({f"{way} {how}": per_evaluation(way, how) for way, how in ways}, 2 if quick else 15)
    found: dict[str, Any] = {"step": EXPLICIT_STEP, "until": until, "limit": EXPLICIT_LIMIT}
    found["us_per_evaluation"] = {name: 1e6 * value for name, value in best.items()}
    found["within_limit"] = 1e6 * best["rk4 none"] <= EXPLICIT_LIMIT
    if available():
        found["exudyn"] = explicit_in_exudyn(mechanism, begin, steps)
    return found


def explicit_in_exudyn(mechanism: Mechanism, begin: Start, steps: int) -> str:
    """Microseconds per evaluation of Exudyn's RK44, or why there are none."""
    peer = Peer(mechanism, begin, SPEED)
    chosen = peer.settings(steps * EXPLICIT_STEP, steps, Setting("EXUdense", True, DEFAULT_TOLERANCE))
    try:
        return f"{1e6 * peer.solve(chosen, 'RK44') / (4 * steps):.1f} us"
    except Exception as error:  # the peer's own type of error is a plain exception
        return str(error).partition("[Python")[0].strip().splitlines()[0]


# Growth and setting up ----------------------------------------------------------------------------------------------

PARTS = ("tables", "start", "symbolic", "whole call")


def growth(quick: bool) -> dict[str, Any]:
    """Cost of a step against the number of elements."""
    sizes = [10, 50] if quick else list(MESHES)
    found: dict[str, Any] = {"elements": sizes, "meshes": {}, "failed": {}}
    for elements in sizes:
        try:
            found["meshes"][elements] = mesh(elements, 2 if quick else 5 if elements > 500 else 10)
        except AnalysisError as error:  # the others still tell how the cost grows
            found["failed"][elements] = str(error)
    for name in ("us_per_step", *(f"{part.replace(' ', '_')}_seconds" for part in PARTS)):
        costs = [numbers[name] for numbers in found["meshes"].values()]
        found[f"exponent_{name.removesuffix('_seconds')}"] = exponent(list(found["meshes"]), costs)
    return found


def mesh(elements: int, repeats: int) -> dict[str, Any]:
    model = cable(elements)
    mechanism, count = model.mechanism(), MESHES[elements]
    begin = start(mechanism)

    def integration(steps: int) -> Timed:
        return lambda: simulate(mechanism, steps * STEP, step=STEP, begin=begin, every=steps,
                                method="generalized-alpha").evidence.wall_seconds  # fmt: skip

    best = alternate(
        {
            "all steps": integration(count),
            "one step": integration(1),
            "tables": seconds(model.mechanism),
            "start": seconds(lambda: start(mechanism)),
            "symbolic": symbolic(model),
            "whole call": seconds(lambda: model.simulate(STEP, step=STEP)),
        },
        repeats,
    )
    found = {f"{part.replace(' ', '_')}_seconds": best[part] for part in PARTS}
    return found | {"steps": count, "us_per_step": per_step(best["all steps"], best["one step"], count)}


def symbolic(model: Model) -> Timed:
    """The analysis of the sparsity, which is kept with a mechanism: so each time of a new one."""

    def timed() -> float:
        system = model.mechanism().system
        return seconds(lambda: (kkt(system, tangent=True), kkt(system)))()

    return timed


def setting_up(quick: bool) -> dict[str, Any]:
    """Seconds from nothing to the result of the first step of a long cable."""
    elements = 50 if quick else SETUP_ELEMENTS

    def first_step() -> Result:
        return cable(elements).simulate(STEP, step=STEP)

    first_step()  # compiles or loads the machine code
    timed = {"first step": seconds(first_step), "model": seconds(lambda: cable(elements))}
    best = alternate(timed, 2 if quick else 10)
    found = {"elements": elements, "seconds": best["first step"], "model_seconds": best["model"], "limit": SETUP_LIMIT}
    return found | {"within_limit": best["first step"] <= SETUP_LIMIT}
