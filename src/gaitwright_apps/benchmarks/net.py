"""Net of point masses and springs under its weight: a large system, compared with Exudyn's sparse solver.

    masses on a grid, each connected to its neighbours by slightly too short spring-dampers; the upper edge is attached to the
    ground; gravity. Statics (from the grid to equilibrium) and dynamics (from the grid, generalized-alpha).

Ours are planar bodies (three coordinates, the angle held by a torsion spring), Exudyn's are its mass points (two). Both
take the same steps; the final states are compared. Times are of the static solution and of the integration only.
"""

from __future__ import annotations

import importlib
import time
from typing import Any

import numpy as np

from gaitwright.analysis.forward import simulate
from gaitwright.analysis.start_state import find_start
from gaitwright.analysis.statics.equilibrium import equilibrium_result
from gaitwright.linalg.backends import fastest_backend
from gaitwright.model.model import Model
from gaitwright_apps.benchmarks.exudyn_peer import is_available, load_exudyn
from gaitwright_apps.benchmarks.timing import time_alternately

NET_WIDTH_M, NET_MASS_KG, SPRING_STIFFNESS_N_PER_M, SPRING_DAMPING_N_S_PER_M, REST_LENGTH_RATIO = (
    1.0,
    10.0,
    2e3,
    0.05,
    0.95,
)
"""m; total mass, kg; N/m and N s/m of a spring, and its rest length relative to its length in the grid."""
GRAVITY_M_S2 = 9.81
STEP_S = 1e-3
EXUDYN_SOLVERS = ("EigenSparse", "EigenSparseSymmetric")


def mass_spring_net(rows: int, columns: int) -> Model:
    """Net of rows x columns masses in its stretched grid; its upper edge is attached to the ground."""
    model = Model(gravity=(0, -GRAVITY_M_S2))
    d, mass = NET_WIDTH_M / columns, NET_MASS_KG / (rows * columns)
    spring: dict[str, Any] = {
        "stiffness": SPRING_STIFFNESS_N_PER_M,
        "damping": SPRING_DAMPING_N_S_PER_M,
        "rest_length": REST_LENGTH_RATIO * d,
    }
    for j in range(columns):
        model.ground_point(f"G{j}", j * d, 0.0)
    for i, j in np.ndindex(rows, columns):
        model.body(
            f"m{i}_{j}", mass=mass, inertia=0.1 * mass * d * d, at=(j * d, -(i + 1) * d), points={"C": (0.0, 0.0)}
        )
        model.force.spring_damper(
            f"m{i}_{j}.C", f"m{i - 1}_{j}.C" if i else f"ground.G{j}", **spring, name=f"down{i}_{j}"
        )
        if j:
            model.force.spring_damper(f"m{i}_{j}.C", f"m{i}_{j - 1}.C", **spring, name=f"across{i}_{j}")
        model.force.torsion_spring(
            "ground", f"m{i}_{j}", stiffness=SPRING_STIFFNESS_N_PER_M * d * d, name=f"turn{i}_{j}"
        )
    return model


def measure(quick: bool) -> dict[str, Any]:
    rows, columns, steps, repeats = (5, 10, 10, 1) if quick else (50, 100, 100, 3)
    began = time.perf_counter()
    model = mass_spring_net(rows, columns)
    described = time.perf_counter()
    mechanism = model.mechanism()
    tables = time.perf_counter() - described
    begin = find_start(mechanism)
    # Compiles or loads the machine code, and computes our final states.
    rest, last = (
        equilibrium_result(mechanism),
        simulate(mechanism, steps * STEP_S, step=STEP_S, begin=begin, every=steps),
    )
    positions = np.concatenate([body.index[:2] for body in mechanism.body_names.values()])
    candidates = {
        "static": lambda: equilibrium_result(mechanism).evidence.wall_seconds,
        "steps": lambda: (
            simulate(mechanism, steps * STEP_S, step=STEP_S, begin=begin, every=steps).evidence.wall_seconds
        ),
    }
    peer = ExudynNet(rows, columns) if is_available() else None
    solvers = available_solvers() if peer is not None else []
    if peer is not None:
        for solver in solvers:
            candidates[f"exudyn static {solver}"] = lambda solver=solver: peer.static(solver)
            candidates[f"exudyn steps {solver}"] = lambda solver=solver: peer.dynamic(solver, steps)
    best = time_alternately(candidates, repeats)
    details: dict[str, Any] = {
        "masses": rows * columns,
        "steps": steps,
        "coordinates": mechanism.n,
        "springs": len(model.document.forces),
        "model_seconds": described - began,
        "tables_seconds": tables,
        "static_seconds": best["static"],
        "static_factorisations": rest.evidence.factorisations,
        "ms_per_step": 1e3 * best["steps"] / steps,
        "newton_per_step": last.evidence.newton_iterations / steps,
        "library": fastest_backend(),
        "ratios": {},
    }
    if peer is not None:
        for kind, ours, reached in (("static", "static", rest), ("dynamic", "steps", last)):
            times = {solver: best[f"exudyn {ours} {solver}"] for solver in solvers}
            solver = min(times, key=lambda name: times[name])
            getattr(peer, kind)(solver, *([] if kind == "static" else [steps]))
            difference = float(np.max(np.abs(peer.pose() - reached.motion.q[-1, positions])))
            details |= {
                f"exudyn_{kind}_seconds": times[solver],
                f"exudyn_{kind}_solver": solver,
                f"{kind}_difference": difference,
            }
            details["ratios"][f"net-{kind}"] = times[solver] / best[ours]
    return details


def available_solvers() -> list[str]:
    """Exudyn solvers available in the present build: that with range checks, if imported first, lacks one."""
    solvers = []
    for solver in EXUDYN_SOLVERS:
        try:
            ExudynNet(2, 2).static(solver)
        except Exception:
            continue
        solvers.append(solver)
    return solvers


class ExudynNet:
    """The same net in Exudyn, of mass points."""

    def __init__(self, rows: int, columns: int):
        self.exudyn = load_exudyn()
        items = importlib.import_module("exudyn.itemInterface")
        self.mbs = self.exudyn.SystemContainer().AddSystem()
        mbs, d, mass = self.mbs, NET_WIDTH_M / columns, NET_MASS_KG / (rows * columns)
        ground = mbs.AddObject(items.ObjectGround())
        top = [
            mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=ground, localPosition=[j * d, 0.0, 0.0]))
            for j in range(columns)
        ]
        self.grid, markers = [], {}
        for i, j in np.ndindex(rows, columns):
            self.grid += [j * d, -(i + 1) * d]
            node = mbs.AddNode(items.NodePoint2D(referenceCoordinates=self.grid[-2:]))
            point = mbs.AddObject(items.ObjectMassPoint2D(physicsMass=mass, nodeNumber=node))
            mark = markers[i, j] = mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=point))
            mbs.AddLoad(items.Force(markerNumber=mark, loadVector=[0.0, -GRAVITY_M_S2 * mass, 0.0]))
            for neighbour in (markers[i - 1, j] if i else top[j], markers.get((i, j - 1))):
                if neighbour is not None:
                    spring = items.ObjectConnectorSpringDamper(
                        markerNumbers=[mark, neighbour],
                        referenceLength=REST_LENGTH_RATIO * d,
                        stiffness=SPRING_STIFFNESS_N_PER_M,
                        damping=SPRING_DAMPING_N_S_PER_M,
                    )
                    mbs.AddObject(spring)
        mbs.Assemble()

    def _settings(self, solver: str) -> Any:
        s = self.exudyn.SimulationSettings()
        for part in (s.timeIntegration, s.staticSolver):
            part.verboseMode = part.verboseModeFile = part.stepInformation = 0
            part.adaptiveStep = False
            part.newton.relativeTolerance, part.newton.absoluteTolerance = 1e-8, 1e-10
        s.timeIntegration.generalizedAlpha.spectralRadius = 0.8
        s.solutionSettings.writeSolutionToFile = False
        s.solutionSettings.sensorsWritePeriod = 1e9
        s.displayComputationTime = s.displayStatistics = s.displayGlobalTimers = False
        s.linearSolver.solverType = getattr(self.exudyn.LinearSolverType, solver)
        s.linearSolver.reuseAnalyzedPattern = True
        s.parallel.numberOfThreads = 1
        return s

    def static(self, solver: str) -> float:
        """Solve from the grid to equilibrium. Return the seconds."""
        settings, begin = self._settings(solver), time.perf_counter()
        settings.staticSolver.numberOfLoadSteps = 1
        self.mbs.SolveStatic(settings, updateInitialValues=False, showHints=False)
        return time.perf_counter() - begin

    def dynamic(self, solver: str, steps: int) -> float:
        settings, begin = self._settings(solver), time.perf_counter()
        settings.timeIntegration.endTime, settings.timeIntegration.numberOfSteps = steps * STEP_S, steps
        self.mbs.SolveDynamic(
            settings,
            solverType=self.exudyn.DynamicSolverType.GeneralizedAlpha,
            updateInitialValues=False,
            showHints=False,
        )
        return time.perf_counter() - begin

    def pose(self) -> np.ndarray:
        """x and y of all masses at the end of the last run."""
        return np.array(self.grid) + self.mbs.systemData.GetODE2Coordinates()
