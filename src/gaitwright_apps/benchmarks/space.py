"""Spatial mechanisms: chains and nets of pendulums and Bricard's mechanism, compared with Exudyn at equal error.

    balls-n    n bars in a row, connected by ball joints, initially horizontal and rotating about the vertical
    hinges-n   the same with hinges, alternating between the vertical and a transverse axis
    net-k      a net of k x k meshes of bars, suspended along one side; ball joints in all knots: closed loops
    bricard    five bars and six hinges, one of which has a redundant row

The error is the root mean square over all bodies of the final centre positions, relative to generalized-alpha with short steps,
extrapolated. Ours is generalized-alpha with spectral radius 0.8 at STEP_S. Exudyn runs with each of its good settings (rotation
coordinates, solvers, Newton, index 3 by generalized-alpha or index 2 by the trapezoidal rule), each with the number of steps
that gives our error; the fastest counts. Times as in P1: SolveDynamic without storing, and our integration.

Chains are also run in MuJoCo and with Exudyn's ObjectKinematicTree, which use joint coordinates. These need no
constraints, so a short tree costs them less than any formulation with constraint joints; same step, with their errors.
"""

from __future__ import annotations

import importlib.util
import math
from typing import Any, NamedTuple

import numpy as np

from gaitwright.analysis.forward import simulate
from gaitwright.analysis.start_state import find_start
from gaitwright.mechanism.kkt import build_kkt
from gaitwright.mechanisms.bricard import bricard
from gaitwright.model.model import Model
from gaitwright.result.result import Result
from gaitwright_apps.benchmarks.exudyn_peer import DEFAULT_NEWTON_RTOL, ExudynSetting, is_available
from gaitwright_apps.benchmarks.exudyn_spatial_peer import (
    ExudynTree,
    SpatialExudynPeer,
    SpatialExudynSetting,
    spatial_settings,
)
from gaitwright_apps.benchmarks.timing import TimedCall, cost_exponent, time_alternately

STEP_S = 1e-3
BAR_LENGTH_M, BAR_MASS_KG, BAR_RADIUS_M = 0.1, 1.0, 0.01
MAX_CHAIN_SPEED = 2.0
"""Maximum angular velocity of chains about the vertical, rad/s, and of their free ends, m/s. Exudyn fails with 1000
bars at 2 rad/s."""
GRAVITY_M_S2 = (0.0, 3.0, -9.0)
"""Gravity, not perpendicular to the drawn bars; otherwise all columns of a net would fall alike and a hinge about z
would not swing."""
BAR_INERTIA_KG_M2 = [
    BAR_MASS_KG * BAR_RADIUS_M**2 / 2,
    *[BAR_MASS_KG * (3 * BAR_RADIUS_M**2 + BAR_LENGTH_M**2) / 12] * 2,
]
MAX_ERROR_RATIO = 1.05
"""Maximum error of Exudyn relative to ours."""
LOOSE_NEWTON_RTOL = 1e-8
"""Loose Newton tolerance, relative to the size of the mechanism, which does not change the error; the default is
1e-12."""
MAX_SLOWDOWN = 1.5
"""Settings slower than the best so far by this factor are not examined further."""
REFERENCE_STEP_DIVISORS = (8, 16)
"""Divisors of the step in the reference runs."""
STEPS_BY_BARS = {1: 2000, 10: 500, 100: 100, 1000: 20}
"""Number of steps by number of bars of a chain."""
JOINT_TYPES = {"balls": "spherical", "hinges": "revolute"}
MAX_TREE_BARS = 100
"""Maximum number of bars in joint coordinates. The cost of a step of ObjectKinematicTree grows with the cube, and MuJoCo
takes 8 s for a step of 1000 ball joints."""


def chain_speed(bars: int) -> float:
    """Initial angular velocity of a chain, rad/s."""
    return MAX_CHAIN_SPEED / max(1.0, bars * BAR_LENGTH_M)


def chain_model(bars: int, joint: str) -> Model:
    """Chain of bars along x; the first joint is at the origin."""
    model = Model(f"chain of {bars}", dimension=3, gravity=GRAVITY_M_S2).ground_point("P0", 0.0, 0.0, 0.0)
    for k in range(bars):
        position = (k + 0.5) * BAR_LENGTH_M
        ends: dict[str, Any] = {f"P{k}": [-BAR_LENGTH_M / 2, 0, 0], f"P{k + 1}": [BAR_LENGTH_M / 2, 0, 0]}
        model.body(f"bar{k}", mass=BAR_MASS_KG, inertia=BAR_INERTIA_KG_M2, at=[position, 0, 0], points=ends,
                   spin=[0, 0, chain_speed(bars)], velocity=[0, chain_speed(bars) * position, 0])  # fmt: skip
        axis = {"axis": [0, 1, 0] if k % 2 else [0, 0, 1]} if joint == "revolute" else {}
        model.joint(joint, f"joint{k}", a=f"bar{k - 1}.P{k}" if k else "ground.P0", b=f"bar{k}.P{k}", **axis)
    return model


def net_model(meshes: int) -> Model:
    """Net with knots along x from a row on the ground."""
    model = Model(f"net of {meshes} x {meshes}", dimension=3, gravity=GRAVITY_M_S2)
    for i in range(meshes + 1):
        for j in range(meshes + 1):
            place = f"K{i}_{j}", BAR_LENGTH_M * i, BAR_LENGTH_M * j, 0.0
            model.point(*place) if i else model.ground_point(*place)
    bar: dict[str, Any] = {"length": BAR_LENGTH_M, "mass": BAR_MASS_KG, "radius": BAR_RADIUS_M}
    for i in range(1, meshes + 1):
        for j in range(meshes + 1):
            model.link(f"down{i}_{j}", f"K{i - 1}_{j}", f"K{i}_{j}", **bar)
            if j:
                model.link(f"across{i}_{j}", f"K{i}_{j - 1}", f"K{i}_{j}", **bar)
    return model


class SpatialCase(NamedTuple):
    model: Model
    steps: int


def list_cases(quick: bool) -> dict[str, SpatialCase]:
    sizes = list(STEPS_BY_BARS)[: 2 if quick else None]
    cases = {
        f"{name}-{n}": SpatialCase(chain_model(n, JOINT_TYPES[name]), STEPS_BY_BARS[n] // (10 if quick else 1))
        for name in JOINT_TYPES
        for n in sizes
    }
    cases |= {f"net-{k}": SpatialCase(net_model(k), 20 if quick else 100) for k in ((2,) if quick else (3, 10))}
    return cases | {"bricard": SpatialCase(bricard(radius=0.05), 50 if quick else 1000)}


def measure(quick: bool) -> dict[str, Any]:
    details: dict[str, Any] = {"step": STEP_S, "equal": MAX_ERROR_RATIO, "ratios": {}, "problems": {}}
    for name, case in list_cases(quick).items():
        comparison = details["problems"][name] = compare_race(SpatialRace(case), quick)
        if "ratio" in comparison:
            details["ratios"][name] = comparison["ratio"]
    for kind in JOINT_TYPES:
        chains = {n: details["problems"][f"{kind}-{n}"] for n in STEPS_BY_BARS if f"{kind}-{n}" in details["problems"]}
        long = [n for n in chains if n >= 10] if not quick else list(chains)
        details[f"exponent_{kind}"] = cost_exponent(long, [chains[n]["ours"]["us_per_step"] for n in long])
        if all("exudyn" in chains[n] for n in long):
            theirs = [chains[n]["exudyn"]["us_per_step"] for n in long]
            details[f"exponent_{kind}_exudyn"] = cost_exponent(long, theirs)
        details[f"trees_{kind}"] = {n: measure_joint_coordinates(kind, n, quick) for n in chains}
    return details


class SpatialRace:
    """Case that both programs run."""

    def __init__(self, case: SpatialCase):
        self.steps, self.model = case.steps, case.model
        self.begin = find_start(case.model.mechanism())
        self.mechanism = self.begin.mechanism
        self.centres = np.array([names.index[:3] for names in self.mechanism.body_names.values()])
        coarse, fine = (self.ours(finer).motion.q[-1][self.centres] for finer in REFERENCE_STEP_DIVISORS)
        gain = (REFERENCE_STEP_DIVISORS[1] / REFERENCE_STEP_DIVISORS[0]) ** 2 - 1
        self.unsure, self.exact = rms((fine - coarse) / gain), fine + (fine - coarse) / gain

    def ours(self, finer: int = 1, steps: int | None = None, **options: Any) -> Result:
        count = steps or self.steps
        options = {"method": "generalized-alpha", "spectral_radius": 0.8} | options
        return simulate(
            self.mechanism, count * STEP_S, step=STEP_S / finer, begin=self.begin, every=count * finer, **options
        )

    def error(self, places: np.ndarray) -> float:
        return rms(places - self.exact)

    def peer(self, setting: SpatialExudynSetting, steps: int) -> tuple[SpatialExudynPeer, TimedCall]:
        peer = SpatialExudynPeer(self.mechanism, self.begin, setting.rotation, setting.free)
        chosen = peer.settings(self.steps * STEP_S, steps, setting.way)
        return peer, lambda: peer.solve(chosen, setting.way.solver)

    def tried(self, setting: SpatialExudynSetting, target: float, limit: float) -> dict[str, Any] | None:
        """Seconds, steps and error of Exudyn with the number of steps that gives the target error; None if there is
        none, or if it would take longer than the limit. Both schemes are of order 2, so the error of one run determines
        the steps of the next."""
        steps = self.steps
        for _ in range(3):
            try:
                peer, run = self.peer(setting, steps)
                took = run()
            except Exception:  # Exudyn raises plain exceptions when a solver fails; such a setting is skipped
                return None
            error = self.error(peer.places())
            if not math.isfinite(error) or error > 100 * target:
                return None
            trial = {
                "seconds": took,
                "steps": steps,
                "error": error,
                "newton_per_step": peer.newton_iterations() / steps,
            }
            required_steps = max(2, math.ceil(steps * math.sqrt(error / target)))
            if took * required_steps / steps > limit:
                return None
            if target / MAX_ERROR_RATIO <= error <= MAX_ERROR_RATIO * target or required_steps == steps:
                break
            steps = required_steps
        return trial if trial["error"] <= MAX_ERROR_RATIO * target else None

    def per_step(self, all_steps: float, one: float, steps: int) -> float:
        """Microseconds of each step after the first; of all steps if a busy machine made the first run longer."""
        return 1e6 * ((all_steps - one) / (steps - 1) if all_steps > one else all_steps / steps)


def rms(missed: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.sum(missed**2, axis=-1))))


def compare_race(race: SpatialRace, quick: bool) -> dict[str, Any]:
    """Times and errors of one case."""
    steps, mechanism = race.steps, race.mechanism
    run = race.ours()
    program = build_kkt(mechanism.system, tangent=True).elimination
    bodies = len(mechanism.body_names)
    ours: dict[str, Any] = {
        "error": race.error(run.motion.q[-1][race.centres]),
        "newton_per_step": run.evidence.newton_iterations / steps,
        "multiply_subtracts_per_body": program.target.size / bodies,
    }
    run = race.ours(tolerance=LOOSE_NEWTON_RTOL)
    loose = {
        "error": race.error(run.motion.q[-1][race.centres]),
        "newton_per_step": run.evidence.newton_iterations / steps,
    }
    comparison: dict[str, Any] = {"bodies": bodies, "steps": steps, "reference_unsure": race.unsure, "ours": ours}
    comparison["loose"] = loose
    candidates: dict[str, TimedCall] = {
        "ours": lambda: race.ours().evidence.wall_seconds,
        "loose": lambda: race.ours(tolerance=LOOSE_NEWTON_RTOL).evidence.wall_seconds,
        "one step": lambda: race.ours(steps=1).evidence.wall_seconds,
    }
    accurate: dict[SpatialExudynSetting, Any] = {}
    if is_available():
        settings = spatial_settings(bodies, bool(mechanism.redundant), quick)
        for setting in settings:
            limit = MAX_SLOWDOWN * min((numbers["seconds"] for numbers in accurate.values()), default=math.inf)
            numbers = race.tried(setting, ours["error"], limit)
            accurate |= {setting: numbers} if numbers else {}
        accurate = {s: accurate[s] for s in sorted(accurate, key=lambda s: accurate[s]["seconds"])[: 1 if quick else 3]}
        for setting, numbers in accurate.items():
            candidates[str(setting)] = race.peer(setting, numbers["steps"])[1]
            candidates[f"{setting}, one step"] = time_one_step(race, setting, numbers["steps"])
    best = time_alternately(candidates, 2 if quick else int(np.clip(2000 / bodies, 3, 15)))
    ours |= {"seconds": best["ours"], "us_per_step": race.per_step(best["ours"], best["one step"], steps)}
    loose |= {"seconds": best["loose"], "us_per_step": race.per_step(best["loose"], best["one step"], steps)}
    if accurate:
        setting = min(accurate, key=lambda candidate: best[str(candidate)])
        theirs = {**accurate[setting], "setting": str(setting), "seconds": best[str(setting)]}
        theirs["us_per_step"] = race.per_step(best[str(setting)], best[f"{setting}, one step"], theirs["steps"])
        comparison |= {"exudyn": theirs, "ratio": best[str(setting)] / best["ours"]}
        comparison["ratio_loose"] = best[str(setting)] / best["loose"]
    return comparison


def time_one_step(race: SpatialRace, setting: SpatialExudynSetting, steps: int) -> TimedCall:
    peer = SpatialExudynPeer(race.mechanism, race.begin, setting.rotation, setting.free)
    chosen = peer.settings(race.steps * STEP_S / steps, 1, setting.way)
    return lambda: peer.solve(chosen, setting.way.solver)


# Joint coordinates --------------------------------------------------------------------------------------------------


def measure_joint_coordinates(kind: str, bars: int, quick: bool) -> dict[str, dict[str, float]]:
    """Microseconds per step and error at STEP_S, of ours and of formulations in joint coordinates."""
    race = SpatialRace(SpatialCase(chain_model(bars, JOINT_TYPES[kind]), STEPS_BY_BARS[bars] // (10 if quick else 1)))
    candidates: dict[str, TimedCall] = {}
    places: dict[str, Any] = {}
    for method in ("generalized-alpha", "rk4"):
        storage: dict[str, Any] = {}

        def ours(method: str = method, storage: dict[str, Any] = storage) -> float:
            storage["run"] = race.ours(method=method)
            return storage["run"].evidence.wall_seconds

        candidates[f"ours, {method}"] = ours
        places[f"ours, {method}"] = lambda storage=storage: storage["run"].motion.q[-1][race.centres]
    if importlib.util.find_spec("mujoco") and bars <= MAX_TREE_BARS:
        from gaitwright_apps.benchmarks.mujoco_peer import MujocoChain

        for integrator in ("RK4", "implicitfast"):
            peer = MujocoChain(
                bars,
                JOINT_TYPES[kind],
                BAR_LENGTH_M,
                BAR_MASS_KG,
                BAR_INERTIA_KG_M2,
                chain_speed(bars),
                GRAVITY_M_S2,
                STEP_S,
                integrator,
            )
            candidates[f"MuJoCo, {integrator}"] = lambda peer=peer: peer.solve(race.steps)
            places[f"MuJoCo, {integrator}"] = peer.places
    if is_available() and kind == "hinges" and bars <= MAX_TREE_BARS:
        for solver in ("RK44", "GeneralizedAlpha"):
            tree = ExudynTree(bars, BAR_LENGTH_M, BAR_MASS_KG, BAR_INERTIA_KG_M2, chain_speed(bars), GRAVITY_M_S2)
            chosen = tree.settings(
                race.steps * STEP_S, race.steps, ExudynSetting("EXUdense", True, DEFAULT_NEWTON_RTOL)
            )
            candidates[f"Exudyn tree, {solver}"] = lambda tree=tree, chosen=chosen, solver=solver: tree.solve(
                chosen, solver
            )
            places[f"Exudyn tree, {solver}"] = tree.places
    best = time_alternately(candidates, 2 if quick else int(np.clip(300 / bars, 1, 10)))
    return {
        name: {"us_per_step": 1e6 * best[name] / race.steps, "error": race.error(places[name]())} for name in candidates
    }
