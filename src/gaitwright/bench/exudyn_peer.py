"""The same mechanism in Exudyn: rigid bodies, revolute joints, one driven angle, gravity; and its good settings.

Exudyn gets our assembled start pose and velocities. A drive of constant speed is a velocity constraint there (its
fastest form, no call of Python per iteration); any other drive is a position constraint with a function of time.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gaitwright.analyse.start import Start
from gaitwright.system.mechanism import Mechanism

Angle = float | Callable[[float], float]
"""Speed of the driven body (rad/s), or its angle (rad) as a function of time."""


def available() -> bool:
    return importlib.util.find_spec("exudyn") is not None


def load() -> Any:
    """Exudyn in its fast build, without range checks, if this machine can run it."""
    sys.exudynFast = True  # pyright: ignore[reportAttributeAccessIssue]
    exudyn = importlib.import_module("exudyn")
    exudyn.config.printToConsole = False
    return exudyn


class Setting(NamedTuple):
    """How Exudyn solves: its linear solver, Newton with or without renewed Jacobians, relative tolerance of Newton."""

    linear_solver: str
    modified_newton: bool
    tolerance: float

    def __str__(self) -> str:
        return f"{self.linear_solver}, {'modified' if self.modified_newton else 'full'} Newton, {self.tolerance:g}"


DEFAULT_TOLERANCE = 1e-8
SETTINGS = [
    Setting(solver, modified, tolerance)
    for solver in ("EXUdense", "EigenSparse", "EigenSparseSymmetric", "EigenDense")
    for modified in (False, True)
    for tolerance in (DEFAULT_TOLERANCE, 1e-4)
]
"""With a tolerance of 1e-4 full Newton mostly takes one iteration per step, which is its fastest way and leaves errors
below 1e-9 m on P1. Constraints of index 2 (useIndex2Constraints) are left out: Exudyn fails on P1 with them."""


class Peer:
    """A mechanism in Exudyn. Bodies are in the order of ours, so coordinates compare one to one."""

    def __init__(self, mechanism: Mechanism, begin: Start, angle: Angle, *, record: bool = False):
        self.exudyn = load()
        self.items = importlib.import_module("exudyn.itemInterface")
        self.mbs = self.exudyn.SystemContainer().AddSystem()
        self.reference = begin.q[: mechanism.n].copy()
        self.ground = self.mbs.AddObject(self.items.ObjectGround())
        self.nodes: dict[str, int] = {}
        self.bodies: dict[str, int] = {"ground": self.ground}
        for names in mechanism.body_names.values():
            self._body(names.name, names.mass, names.inertia, begin.q[names.index], begin.v[names.index])
        for force in mechanism.force_names:
            assert force.type == "gravity", f"no translation of {force.type}"
            self._gravity(force.bodies[0], force.element.parameters[1:3])
        for names, element in zip(mechanism.constraint_names, mechanism.constraints, strict=True):
            if names.kind == "drive":
                self.drive = self._drive(
                    names.bodies[0], float(begin.q[mechanism.body_names[names.bodies[0]].index[2]]), angle
                )
                continue
            assert names.type == "revolute", f"no translation of {names.type}"
            self._revolute(names.bodies, element.parameters)
        self.sensors = self._sensors() if record else []
        self.mbs.Assemble()

    def _body(self, name: str, mass: float, inertia: float, pose: Any, speed: Any) -> None:
        node = self.items.NodeRigidBody2D(referenceCoordinates=list(pose), initialVelocities=list(speed))
        self.nodes[name] = self.mbs.AddNode(node)
        body = self.items.ObjectRigidBody2D(mass=mass, inertia=inertia, nodeNumber=self.nodes[name])
        self.bodies[name] = self.mbs.AddObject(body)

    def _gravity(self, body: str, vector: Any) -> None:
        marker = self.mbs.AddMarker(self.items.MarkerBodyMass(bodyNumber=self.bodies[body]))
        self.mbs.AddLoad(self.items.LoadMassProportional(markerNumber=marker, loadVector=[*vector, 0.0]))

    def _revolute(self, bodies: Any, local: Any) -> None:
        markers = [
            self.mbs.AddMarker(
                self.items.MarkerBodyPosition(
                    bodyNumber=self.bodies[body], localPosition=[local[2 * k], local[2 * k + 1], 0.0]
                )
            )
            for k, body in enumerate(bodies)
        ]
        self.mbs.AddObject(self.items.ObjectJointRevolute2D(markerNumbers=markers))

    def _drive(self, body: str, start: float, angle: Angle) -> int:
        point = self.mbs.AddNode(self.items.NodePointGround())
        markers = [
            self.mbs.AddMarker(self.items.MarkerNodeCoordinate(nodeNumber=node, coordinate=coordinate))
            for node, coordinate in ((point, 0), (self.nodes[body], 2))
        ]
        if not callable(angle):
            law: dict[str, Any] = {"velocityLevel": True, "offset": angle}
        else:
            law = {"offsetUserFunction": lambda mbs, t, number, offset: angle(t) - start}
        return self.mbs.AddObject(self.items.ObjectConnectorCoordinate(markerNumbers=markers, **law))

    def _sensors(self) -> list[int]:
        """Sensors that store all coordinates and the torque of the drive."""
        kind = self.exudyn.OutputVariableType
        common = {"storeInternal": True, "writeToFile": False}
        sensors = [
            self.items.SensorNode(nodeNumber=node, outputVariableType=kind.Coordinates, **common)
            for node in self.nodes.values()
        ]
        sensors.append(self.items.SensorObject(objectNumber=self.drive, outputVariableType=kind.Force, **common))
        return [self.mbs.AddSensor(sensor) for sensor in sensors]

    def settings(self, until: float, steps: int, setting: Setting, spectral_radius: float = 0.8) -> Any:
        exudyn, s = self.exudyn, self.exudyn.SimulationSettings()
        march = s.timeIntegration
        march.endTime, march.numberOfSteps = until, steps
        march.verboseMode = march.verboseModeFile = march.stepInformation = 0
        march.adaptiveStep = False
        march.newton.useModifiedNewton = setting.modified_newton
        march.newton.relativeTolerance = setting.tolerance
        march.newton.absoluteTolerance = 1e-2 * setting.tolerance
        march.generalizedAlpha.spectralRadius = spectral_radius
        s.solutionSettings.writeSolutionToFile = False
        s.solutionSettings.sensorsWritePeriod = until / steps if self.sensors else 1e9
        s.displayComputationTime = s.displayStatistics = s.displayGlobalTimers = False
        s.linearSolver.solverType = getattr(exudyn.LinearSolverType, setting.linear_solver)
        s.linearSolver.reuseAnalyzedPattern = True
        s.parallel.numberOfThreads = 1
        return s

    def solve(self, settings: Any, solver: str = "GeneralizedAlpha") -> float:
        """Integrate from the start; seconds of SolveDynamic."""
        begin = time.perf_counter()
        self.mbs.SolveDynamic(
            settings, solverType=getattr(self.exudyn.DynamicSolverType, solver), storeSolver=True,
            updateInitialValues=False, showHints=False, showCausingItems=False,
        )  # fmt: skip
        return time.perf_counter() - begin

    def newton_iterations(self) -> int:
        return int(self.mbs.sys["dynamicSolver"].it.newtonStepsCount)

    def recorded(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Times, coordinates (n_times, n) and torque of the drive on its body (Exudyn gives that on the ground)."""
        tables = [np.array(self.mbs.GetSensorStoredData(sensor)) for sensor in self.sensors]
        q = np.concatenate([table[:, 1:4] for table in tables[:-1]], axis=1) + self.reference
        return tables[0][:, 0], q, -tables[-1][:, 1]
