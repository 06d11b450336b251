"""Space: chains and nets of spatial pendulums and Bricard's mechanism, against Exudyn at equal error.

    balls-n    n bars in a row, joined by ball joints, level at the start and turning about the vertical
    hinges-n   the same with hinges, in turn about the vertical and across
    net-k      a net of k x k meshes of bars, hung up along one side; ball joints in all knots: closed loops
    bricard    five bars and six hinges, of which one has a row too many

Error is the root mean square over all bodies of where their centres are at the end, against generalized-alpha with short
steps, extrapolated. Ours is generalized-alpha with spectral radius 0.8 at STEP. Exudyn runs with each of its good settings
(coordinates of rotations, solvers, Newton, index 3 by generalized-alpha or index 2 by the trapezoidal rule), each with the
number of steps that gives our error; the fastest counts. Times as in P1: SolveDynamic that stores nothing, and our
integration.

Beside it, for chains: MuJoCo and Exudyn's ObjectKinematicTree, which work in joint coordinates. These need no constraints,
so that a short tree costs them less than any formulation with joints as constraints; same step, with their errors.
"""

from __future__ import annotations

import importlib.util
import math
from typing import Any, NamedTuple

import numpy as np

from gaitwright.analyse.forward import simulate
from gaitwright.analyse.start import start
from gaitwright.bench.clock import Timed, alternate, exponent
from gaitwright.bench.exudyn_peer import DEFAULT_TOLERANCE, Setting, available
from gaitwright.bench.exudyn_space import SpaceSetting, SpatialPeer, Tree, settings_for
from gaitwright.mechanisms.bricard import bricard
from gaitwright.model.model import Model
from gaitwright.result.result import Result
from gaitwright.system.kkt import kkt

STEP = 1e-3
LENGTH, MASS, RADIUS = 0.1, 1.0, 0.01
FASTEST = 2.0
"""rad/s about the vertical, of chains; and m/s of their free ends. Exudyn stops at 1000 bars that turn at 2 rad/s."""
GRAVITY = (0.0, 3.0, -9.0)
"""Not square to how the bars are drawn, or all columns of a net would fall alike and a hinge about z would not swing."""
INERTIA = [MASS * RADIUS**2 / 2, *[MASS * (3 * RADIUS**2 + LENGTH**2) / 12] * 2]
EQUAL = 1.05
"""Exudyn may have this many times our error."""
LOOSE = 1e-8
"""Tolerance of Newton, relative to the size of the mechanism, that leaves the error as it is; unless given it is 1e-12."""
SLOWER = 1.5
"""Settings that take this many times the seconds of the best so far are not looked at further."""
FINER = (8, 16)
"""The steps of the reference are this many times shorter."""
STEPS = {1: 2000, 10: 500, 100: 100, 1000: 20}
"""Bars of a chain, and steps."""
JOINTS = {"balls": "spherical", "hinges": "revolute"}
JOINTS_OF_TREES = 100
"""Bars up to which ObjectKinematicTree is timed: it costs the cube of them."""


def speed_of(bars: int) -> float:
    """How fast a chain turns at the start, rad/s."""
    return FASTEST / max(1.0, bars * LENGTH)


def chain(bars: int, joint: str) -> Model:
    """Bars along x; the first joint is at the origin."""
    model = Model(f"chain of {bars}", dimension=3, gravity=GRAVITY).ground_point("P0", 0.0, 0.0, 0.0)
    for k in range(bars):
        at = (k + 0.5) * LENGTH
        ends: dict[str, Any] = {f"P{k}": [-LENGTH / 2, 0, 0], f"P{k + 1}": [LENGTH / 2, 0, 0]}
        model.body(f"bar{k}", mass=MASS, inertia=INERTIA, at=[at, 0, 0], points=ends,
                   spin=[0, 0, speed_of(bars)], velocity=[0, speed_of(bars) * at, 0])  # fmt: skip
        axis = {"axis": [0, 1, 0] if k % 2 else [0, 0, 1]} if joint == "revolute" else {}
        model.joint(joint, f"joint{k}", a=f"bar{k - 1}.P{k}" if k else "ground.P0", b=f"bar{k}.P{k}", **axis)
    return model


def net(meshes: int) -> Model:
    """Knots along x from a row on the ground."""
    model = Model(f"net of {meshes} x {meshes}", dimension=3, gravity=GRAVITY)
    for i in range(meshes + 1):
        for j in range(meshes + 1):
            place = f"K{i}_{j}", LENGTH * i, LENGTH * j, 0.0
            model.point(*place) if i else model.ground_point(*place)
    bar: dict[str, Any] = {"length": LENGTH, "mass": MASS, "radius": RADIUS}
    for i in range(1, meshes + 1):
        for j in range(meshes + 1):
            model.link(f"down{i}_{j}", f"K{i - 1}_{j}", f"K{i}_{j}", **bar)
            if j:
                model.link(f"across{i}_{j}", f"K{i}_{j - 1}", f"K{i}_{j}", **bar)
    return model


class Case(NamedTuple):
    model: Model
    steps: int


def cases(quick: bool) -> dict[str, Case]:
    sizes = list(STEPS)[: 2 if quick else None]
    found = {
        f"{name}-{n}": Case(chain(n, JOINTS[name]), STEPS[n] // (10 if quick else 1)) for name in JOINTS for n in sizes
    }
    found |= {f"net-{k}": Case(net(k), 20 if quick else 100) for k in ((2,) if quick else (3, 10))}
    return found | {"bricard": Case(bricard(radius=0.05), 50 if quick else 1000)}


def measure(quick: bool) -> dict[str, Any]:
    details: dict[str, Any] = {"step": STEP, "equal": EQUAL, "ratios": {}, "problems": {}}
    for name, case in cases(quick).items():
        found = details["problems"][name] = compared(Race(case), quick)
        if "ratio" in found:
            details["ratios"][name] = found["ratio"]
    for kind in JOINTS:
        chains = {n: details["problems"][f"{kind}-{n}"] for n in STEPS if f"{kind}-{n}" in details["problems"]}
        long = [n for n in chains if n >= 10] if not quick else list(chains)
        details[f"exponent_{kind}"] = exponent(long, [chains[n]["ours"]["us_per_step"] for n in long])
        if all("exudyn" in chains[n] for n in long):
            theirs = [chains[n]["exudyn"]["us_per_step"] for n in long]
            details[f"exponent_{kind}_exudyn"] = exponent(long, theirs)
        details[f"trees_{kind}"] = {n: beside(kind, n, quick) for n in chains}
    return details


class Race:
    """One case, ready to be run by both."""

    def __init__(self, case: Case):
        self.steps, self.model = case.steps, case.model
        self.mechanism = case.model.mechanism()
        self.begin = start(self.mechanism)
        self.centres = np.array([names.index[:3] for names in self.mechanism.body_names.values()])
        coarse, fine = (self.ours(finer).motion.q[-1][self.centres] for finer in FINER)
        gain = (FINER[1] / FINER[0]) ** 2 - 1
        self.unsure, self.exact = rms((fine - coarse) / gain), fine + (fine - coarse) / gain

    def ours(self, finer: int = 1, steps: int | None = None, **options: Any) -> Result:
        count = steps or self.steps
        options = {"method": "generalized-alpha", "spectral_radius": 0.8} | options
        return simulate(
            self.mechanism, count * STEP, step=STEP / finer, begin=self.begin, every=count * finer, **options
        )

    def error(self, places: np.ndarray) -> float:
        return rms(places - self.exact)

    def peer(self, setting: SpaceSetting, steps: int) -> tuple[SpatialPeer, Timed]:
        peer = SpatialPeer(self.mechanism, self.begin, setting.rotation, setting.free)
        chosen = peer.settings(self.steps * STEP, steps, setting.way)
        return peer, lambda: peer.solve(chosen, setting.way.solver)

    def tried(self, setting: SpaceSetting, target: float, limit: float) -> dict[str, Any] | None:
        """Seconds, steps and error of Exudyn with as many steps as give the wanted error; None if there are none, or if
        they would take longer than the limit. Both schemes are of order 2, so the error of one run tells the steps of
        the next."""
        steps = self.steps
        for _ in range(3):
            try:
                peer, run = self.peer(setting, steps)
                took = run()
            except Exception:  # Exudyn raises plain exceptions when a solver fails; such a setting is not a good one
                return None
            error = self.error(peer.places())
            if not math.isfinite(error) or error > 100 * target:
                return None
            found = {
                "seconds": took,
                "steps": steps,
                "error": error,
                "newton_per_step": peer.newton_iterations() / steps,
            }
            wanted = max(2, math.ceil(steps * math.sqrt(error / target)))
            if took * wanted / steps > limit:
                return None
            if target / EQUAL <= error <= EQUAL * target or wanted == steps:
                break
            steps = wanted
        return found if found["error"] <= EQUAL * target else None

    def per_step(self, all_steps: float, one: float, steps: int) -> float:
        """Microseconds of each step after the first; with it where a busy machine made the first the longer one."""
        return 1e6 * ((all_steps - one) / (steps - 1) if all_steps > one else all_steps / steps)


def rms(missed: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.sum(missed**2, axis=-1))))


def compared(race: Race, quick: bool) -> dict[str, Any]:
    """Times and errors of one case."""
    steps, mechanism = race.steps, race.mechanism
    run = race.ours()
    program = kkt(mechanism.system, tangent=True).elimination
    bodies = len(mechanism.body_names)
    ours: dict[str, Any] = {
        "error": race.error(run.motion.q[-1][race.centres]),
        "newton_per_step": run.evidence.newton_iterations / steps,
        "multiply_subtracts_per_body": program.target.size / bodies,
    }
    run = race.ours(tolerance=LOOSE)
    loose = {
        "error": race.error(run.motion.q[-1][race.centres]),
        "newton_per_step": run.evidence.newton_iterations / steps,
    }
    found: dict[str, Any] = {"bodies": bodies, "steps": steps, "reference_unsure": race.unsure, "ours": ours}
    found["loose"] = loose
    candidates: dict[str, Timed] = {
        "ours": lambda: race.ours().evidence.wall_seconds,
        "loose": lambda: race.ours(tolerance=LOOSE).evidence.wall_seconds,
        "one step": lambda: race.ours(steps=1).evidence.wall_seconds,
    }
    good: dict[SpaceSetting, Any] = {}
    if available():
        settings = settings_for(bodies, bool(mechanism.redundant), quick)
        for setting in settings:
            limit = SLOWER * min((numbers["seconds"] for numbers in good.values()), default=math.inf)
            numbers = race.tried(setting, ours["error"], limit)
            good |= {setting: numbers} if numbers else {}
        good = {s: good[s] for s in sorted(good, key=lambda s: good[s]["seconds"])[: 1 if quick else 3]}
        for setting, numbers in good.items():
            candidates[str(setting)] = race.peer(setting, numbers["steps"])[1]
            candidates[f"{setting}, one step"] = one_step(race, setting, numbers["steps"])
    best = alternate(candidates, 2 if quick else int(np.clip(2000 / bodies, 3, 15)))
    ours |= {"seconds": best["ours"], "us_per_step": race.per_step(best["ours"], best["one step"], steps)}
    loose |= {"seconds": best["loose"], "us_per_step": race.per_step(best["loose"], best["one step"], steps)}
    if good:
        setting = min(good, key=lambda one: best[str(one)])
        theirs = {**good[setting], "setting": str(setting), "seconds": best[str(setting)]}
        theirs["us_per_step"] = race.per_step(best[str(setting)], best[f"{setting}, one step"], theirs["steps"])
        found |= {"exudyn": theirs, "ratio": best[str(setting)] / best["ours"]}
        found["ratio_loose"] = best[str(setting)] / best["loose"]
    return found


def one_step(race: Race, setting: SpaceSetting, steps: int) -> Timed:
    peer = SpatialPeer(race.mechanism, race.begin, setting.rotation, setting.free)
    chosen = peer.settings(race.steps * STEP / steps, 1, setting.way)
    return lambda: peer.solve(chosen, setting.way.solver)


# Joint coordinates --------------------------------------------------------------------------------------------------


def beside(kind: str, bars: int, quick: bool) -> dict[str, dict[str, float]]:
    """Microseconds per step and error at STEP of ours and of those that work in joint coordinates."""
    race = Race(Case(chain(bars, JOINTS[kind]), STEPS[bars] // (10 if quick else 1)))
    ways: dict[str, Timed] = {}
    places: dict[str, Any] = {}
    for method in ("generalized-alpha", "rk4"):
        kept: dict[str, Any] = {}

        def ours(method: str = method, kept: dict[str, Any] = kept) -> float:
            kept["run"] = race.ours(method=method)
            return kept["run"].evidence.wall_seconds

        ways[f"ours, {method}"] = ours
        places[f"ours, {method}"] = lambda kept=kept: kept["run"].motion.q[-1][race.centres]
    if importlib.util.find_spec("mujoco"):
        from gaitwright.bench.mujoco_peer import Chain

        for integrator in ("RK4", "implicitfast"):
            peer = Chain(bars, JOINTS[kind], LENGTH, MASS, INERTIA, speed_of(bars), GRAVITY, STEP, integrator)
            ways[f"MuJoCo, {integrator}"] = lambda peer=peer: peer.solve(race.steps)
            places[f"MuJoCo, {integrator}"] = peer.places
    if available() and kind == "hinges" and bars <= JOINTS_OF_TREES:
        for solver in ("RK44", "GeneralizedAlpha"):
            tree = Tree(bars, LENGTH, MASS, INERTIA, speed_of(bars), GRAVITY)
            chosen = tree.settings(race.steps * STEP, race.steps, Setting("EXUdense", True, DEFAULT_TOLERANCE))
            ways[f"Exudyn tree, {solver}"] = lambda tree=tree, chosen=chosen, solver=solver: tree.solve(chosen, solver)
            places[f"Exudyn tree, {solver}"] = tree.places
    best = alternate(ways, 2 if quick else int(np.clip(300 / bars, 1, 10)))
    return {name: {"us_per_step": 1e6 * best[name] / race.steps, "error": race.error(places[name]())} for name in ways}
