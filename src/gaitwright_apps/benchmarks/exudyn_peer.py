"""The same mechanism in Exudyn: rigid bodies, straight beams, revolute joints, sliders on the ground, one driven angle,
gravity; and its good settings.

Exudyn gets our assembled start pose and velocities. A drive of constant speed becomes a velocity constraint (its fastest form,
without Python calls per iteration); any other drive a position constraint with a function of time. Ground supports (a pinned
node, a slider) become constraints of single coordinates, again its fastest form. Beams are ObjectANCFCable2D, with a full
integration equal to that of our formulation continuum.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gaitwright.analysis.start_state import StartState
from gaitwright.fem.beams.planar_beam import PlanarBeamPart
from gaitwright.mechanism.blocks import MechanismElement
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.tables import GROUND
from gaitwright.physics.bodies.beam import BeamNode

DriveMotion = float | Callable[[float], float]
"""Speed of the driven body (rad/s), or its angle (rad) as a function of time."""


def is_available() -> bool:
    return importlib.util.find_spec("exudyn") is not None


def load_exudyn() -> Any:
    """Import Exudyn in its fast build, without range checks, if this machine supports it."""
    sys.exudynFast = True  # pyright: ignore[reportAttributeAccessIssue]
    exudyn = importlib.import_module("exudyn")
    exudyn.config.printToConsole = False
    return exudyn


class ExudynSetting(NamedTuple):
    """Solver setting of Exudyn: linear solver, modified or full Newton, relative Newton tolerance, and constraints
    of positions (index 3, generalized-alpha) or of velocities (index 2, available only for the trapezoidal rule)."""

    linear_solver: str
    modified_newton: bool
    tolerance: float
    index: int = 3

    @property
    def solver(self) -> str:
        return "GeneralizedAlpha" if self.index == 3 else "TrapezoidalIndex2"

    def __str__(self) -> str:
        newton = "modified" if self.modified_newton else "full"
        ending = "" if self.index == 3 else f", index {self.index}"
        return f"{self.linear_solver}, {newton} Newton, {self.tolerance:g}{ending}"


DEFAULT_NEWTON_RTOL = 1e-8
ALL_SETTINGS = [
    ExudynSetting(solver, modified, tolerance)
    for solver in ("EXUdense", "EigenSparse", "EigenSparseSymmetric", "EigenDense")
    for modified in (False, True)
    for tolerance in (DEFAULT_NEWTON_RTOL, 1e-4)
]
"""With a tolerance of 1e-4, full Newton mostly takes one iteration per step, which is its fastest mode, with errors
below 1e-9 m on P1. Constraints of index 2 (useIndex2Constraints) are excluded: Exudyn fails on P1 with them."""


class ExudynPeer:
    """A mechanism in Exudyn. Bodies are in our order, then beams, so that coordinates correspond one to one."""

    def __init__(self, mechanism: Mechanism, begin: StartState, angle: DriveMotion = 0.0, *, record: bool = False):
        self.exudyn = load_exudyn()
        self.items = importlib.import_module("exudyn.itemInterface")
        self.mbs = self.exudyn.SystemContainer().AddSystem()
        self.begin = begin
        self.index: list[Any] = []
        """Our coordinates, in the order of the Exudyn nodes."""
        self.ground = self.mbs.AddObject(self.items.ObjectGround())
        self.nodes: dict[int, int] = {}
        """Exudyn node by our first coordinate of it."""
        self.drive: int | None = None
        self.bodies: dict[int, int] = {GROUND: self.ground}
        for names in mechanism.body_names.values():
            self._body(names.mass, names.inertia, names.index)
        for beam in mechanism.beams.values():
            assert isinstance(beam, PlanarBeamPart), "a beam of space: see spatial_beams.py"
            self._beam(beam)
        for force in mechanism.force_names:
            if force.bodies[0] in mechanism.beams and force.type == mechanism.beams[force.bodies[0]].formulation:
                continue
            assert force.type == "gravity", f"no translation of {force.type}"
            block = force.element.block()
            for coordinates, parameters in zip(block.coordinates, block.parameters, strict=True):
                self._gravity(int(coordinates[0]), parameters[-2:])
        for names, element in mechanism.attached():
            if names.kind == "drive":
                index = mechanism.body_names[names.bodies[0]].index
                self.drive = self._drive(index, angle)
            elif names.type == "prismatic":
                self._guide(element)
            else:
                assert names.type == "revolute", f"no translation of {names.type}"
                self._revolute(element)
        self.sensors = self._sensors() if record else []
        self.mbs.Assemble()

    def _node(self, kind: Any, index: Any) -> int:
        pose, speed = (list(values[index]) for values in (self.begin.q, self.begin.v))
        node = self.mbs.AddNode(kind(referenceCoordinates=pose, initialVelocities=speed))
        self.nodes[int(index[0])] = node
        self.index.append(index)
        return node

    def _body(self, mass: float, inertia: float, index: Any) -> None:
        node = self._node(self.items.NodeRigidBody2D, index)
        body = self.items.ObjectRigidBody2D(mass=mass, inertia=inertia, nodeNumber=node)
        self.bodies[int(index[0])] = self.mbs.AddObject(body)

    def _beam(self, beam: PlanarBeamPart) -> None:
        straight = np.array([1.0, 0.0]) * beam.stations[:, None]
        assert beam.formulation == "continuum" and beam.damping == 0.0 and np.allclose(beam.reference[:, :2], straight)
        nodes = [self._node(self.items.NodePoint2DSlope1, index) for index in beam.nodes]
        middle = beam.stations[:-1] + beam.lengths / 2
        section = beam.section
        for k, index in enumerate(beam.nodes[:-1]):
            axial, bending, mass = (
                float(stiffness(middle[k])) for stiffness in (section.axial, section.bending, section.mass)
            )
            element = self.items.ObjectANCFCable2D(
                length=float(beam.lengths[k]), massPerLength=mass, bendingStiffness=bending, axialStiffness=axial,
                nodeNumbers=nodes[k : k + 2], useReducedOrderIntegration=0,
            )  # fmt: skip
            self.bodies[int(index[0])] = self.mbs.AddObject(element)

    def _gravity(self, first: int, vector: Any) -> None:
        marker = self.mbs.AddMarker(self.items.MarkerBodyMass(bodyNumber=self.bodies[first]))
        self.mbs.AddLoad(self.items.LoadMassProportional(markerNumber=marker, loadVector=[*vector, 0.0]))

    def _revolute(self, element: MechanismElement) -> None:
        markers, rest = [], list(element.parameters)
        for family, index in zip(element.families, element.coordinates, strict=True):
            first = int(index[0])
            if family is BeamNode:
                markers.append(self.mbs.AddMarker(self.items.MarkerNodePosition(nodeNumber=self.nodes[first])))
                continue
            local, rest = [*rest[:2], 0.0], rest[2:]
            marker = self.items.MarkerBodyPosition(bodyNumber=self.bodies[first], localPosition=local)
            markers.append(self.mbs.AddMarker(marker))
        grounded = [int(index[0]) == GROUND for index in element.coordinates]
        if any(grounded) and BeamNode in element.families:
            self._hold(element.coordinates[grounded.index(False)], (0, 1))
            return
        self.mbs.AddObject(self.items.ObjectJointRevolute2D(markerNumbers=markers))

    def _guide(self, element: MechanismElement) -> None:
        """Add a slider on the ground, along x, supported at its centre."""
        assert int(element.coordinates[0][0]) == GROUND and list(element.parameters[2:6]) == [0.0, 0.0, 1.0, 0.0]
        self._hold(element.coordinates[1], (1, 2))

    def _hold(self, index: Any, coordinates: tuple[int, ...]) -> None:
        """Fix coordinates of a node at their initial values."""
        for coordinate in coordinates:
            markers = self._coordinate(self.nodes[int(index[0])], coordinate)
            self.mbs.AddObject(self.items.ObjectConnectorCoordinate(markerNumbers=markers))

    def _coordinate(self, node: int, coordinate: int) -> list[int]:
        """Markers of a constant coordinate and of a node coordinate."""
        point = self.mbs.AddNode(self.items.NodePointGround())
        return [
            self.mbs.AddMarker(self.items.MarkerNodeCoordinate(nodeNumber=owner, coordinate=k))
            for owner, k in ((point, 0), (node, coordinate))
        ]

    def _drive(self, index: Any, angle: DriveMotion) -> int:
        markers, start = self._coordinate(self.nodes[int(index[0])], 2), float(self.begin.q[index[2]])
        if not callable(angle):
            law: dict[str, Any] = {"velocityLevel": True, "offset": angle}
        else:
            law = {"offsetUserFunction": lambda mbs, t, number, offset: angle(t) - start}
        return self.mbs.AddObject(self.items.ObjectConnectorCoordinate(markerNumbers=markers, **law))

    def _sensors(self) -> list[int]:
        """Sensors that store all coordinates and the torque of the drive, if there is one."""
        kind = self.exudyn.OutputVariableType
        common = {"storeInternal": True, "writeToFile": False}
        sensors = [
            self.items.SensorNode(nodeNumber=node, outputVariableType=kind.Coordinates, **common)
            for node in self.nodes.values()
        ]
        if self.drive is not None:
            sensors.append(self.items.SensorObject(objectNumber=self.drive, outputVariableType=kind.Force, **common))
        return [self.mbs.AddSensor(sensor) for sensor in sensors]

    def settings(self, until: float, steps: int, setting: ExudynSetting, spectral_radius: float = 0.8) -> Any:
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
        """Integrate from the start. Return the seconds of SolveDynamic."""
        begin = time.perf_counter()
        self.mbs.SolveDynamic(
            settings, solverType=getattr(self.exudyn.DynamicSolverType, solver), storeSolver=True,
            updateInitialValues=False, showHints=False, showCausingItems=False,
        )  # fmt: skip
        return time.perf_counter() - begin

    def newton_iterations(self) -> int:
        return int(self.mbs.sys["dynamicSolver"].it.newtonStepsCount)

    def recorded(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Times, coordinates (n_times, n) and torque of the drive on its body (Exudyn returns that on the ground)."""
        tables = [np.array(self.mbs.GetSensorStoredData(sensor)) for sensor in self.sensors]
        q = np.tile(self.begin.q[:-1], (len(tables[0]), 1))
        for index, table in zip(self.index, tables, strict=False):
            q[:, index] += table[:, 1:]
        torque = np.zeros(len(q)) if self.drive is None else -tables[-1][:, 1]
        return tables[0][:, 0], q, torque

    def pose(self) -> np.ndarray:
        """Our coordinates at the end of the last run."""
        q = self.begin.q.copy()
        q[np.concatenate(self.index)] += self.mbs.systemData.GetODE2Coordinates()
        return q
