"""The same spatial mechanism in Exudyn: rigid bodies, ball joints, hinges, gravity; and its good settings.

Exudyn gets our assembled start pose and velocities. Its bodies use Euler parameters, Cardan angles or a rotation vector (a Lie
group): all three are tried. A hinge is ObjectJointRevoluteZ; a hinge with redundant rows is ObjectJointGeneric without one of
its rotations, since its solvers fail on redundant constraints. `ExudynTree` is a chain of hinges in joint coordinates,
ObjectKinematicTree.
"""

from __future__ import annotations

import importlib
from typing import Any, NamedTuple

import numpy as np

from gaitwright.analysis.start_state import StartState
from gaitwright.mechanism.blocks import MechanismElement
from gaitwright.mechanism.mechanism import ConstraintNames, Mechanism
from gaitwright.mechanism.tables import GROUND
from gaitwright_apps.benchmarks.exudyn_peer import DEFAULT_NEWTON_RTOL, ExudynPeer, ExudynSetting, load_exudyn

ROTATION_NODES = {
    "Euler parameters": "RotationEulerParameters",
    "Cardan angles": "RotationRxyz",
    "rotation vector": "RotationRotationVector",
}


class SpatialExudynSetting(NamedTuple):
    """Rotation coordinates, solver setting, and the unconstrained rotation of a redundant hinge."""

    rotation: str
    way: ExudynSetting
    free: int = 0

    def __str__(self) -> str:
        return f"{self.rotation}, {self.way}"


def spatial_settings(bodies: int, redundant: bool, quick: bool) -> list[SpatialExudynSetting]:
    """Settings that were among the fastest in trials; the dense solver only for few bodies."""
    if quick:
        return [
            SpatialExudynSetting("Euler parameters", ExudynSetting("EigenSparse", True, 1e-6), free)
            for free in range(2)
        ]
    solvers = ["EXUdense"] * (bodies <= 2) + ["EigenSparse"]
    newton = [(True, 1e-4), (True, 1e-6), (True, DEFAULT_NEWTON_RTOL), (False, 1e-4)]
    rotations = list(ROTATION_NODES)[: 3 if bodies <= 10 else 1]  # for many bodies the sparse solver dominates
    solver_settings = [ExudynSetting(solver, *how, index) for solver in solvers for how in newton for index in (3, 2)]
    return [
        SpatialExudynSetting(name, way, k)
        for name in rotations
        for way in solver_settings
        for k in range(1 + redundant)
    ]


class SpatialExudynPeer(ExudynPeer):
    """A spatial mechanism in Exudyn; bodies in our order."""

    def __init__(self, mechanism: Mechanism, begin: StartState, rotation: str, free: int = 0):
        self.exudyn, self.items = load_exudyn(), importlib.import_module("exudyn.itemInterface")
        self.mbs = self.exudyn.SystemContainer().AddSystem()
        self.begin, self.sensors, self.free = begin, [], free
        self.kind = getattr(self.exudyn.NodeType, ROTATION_NODES[rotation])
        self.centres: list[int] = []
        self.bodies = {GROUND: self.mbs.AddObject(self.items.ObjectGround())}
        for names in mechanism.body_names.values():
            self._rigid(names, mechanism.gravity)
        assert all(force.type == "gravity" for force in mechanism.force_names)
        for names, element in mechanism.attached():
            if names.kind == "joint":
                self._joint(names, element, any(row in mechanism.redundant for row in names.rows))
        self.mbs.Assemble()

    def _rigid(self, names: Any, gravity: tuple[float, ...]) -> None:
        utilities = importlib.import_module("exudyn.rigidBodyUtilities")
        assert not any(names.centre), "its reference point is the centre of mass"
        pose, speed = self.begin.q[names.index], self.begin.v[names.index]
        rotation, rotation_rate = np.eye(3) + pose[3:].reshape(3, 3).T, speed[3:].reshape(3, 3).T
        spin = rotation_rate @ rotation.T
        created = self.mbs.CreateRigidBody(
            referencePosition=pose[:3], referenceRotationMatrix=rotation, initialVelocity=speed[:3],
            initialAngularVelocity=[spin[2, 1], spin[0, 2], spin[1, 0]], gravity=list(gravity), nodeType=self.kind,
            inertia=utilities.RigidBodyInertia(mass=names.mass, inertiaTensor=np.array(names.inertia)), returnDict=True,
        )  # fmt: skip
        self.bodies[int(names.index[0])] = created["bodyNumber"]
        self.centres.append(created["nodeNumber"])

    def _joint(self, names: ConstraintNames, element: MechanismElement, redundant: bool) -> None:
        numbers = np.array(element.parameters)
        markers = [
            self.mbs.AddMarker(
                self.items.MarkerBodyRigid(bodyNumber=self.bodies[int(coordinates[0])], localPosition=position)
            )
            for coordinates, position in zip(element.coordinates, numbers[:6].reshape(2, 3), strict=True)
        ]
        if names.type == "spherical":
            self.mbs.AddObject(self.items.ObjectJointSpherical(markerNumbers=markers))
            return
        assert names.type == "revolute", f"no translation of {names.type}"
        axis_b, across_b = numbers[9:12], numbers[19:22]
        hinge: dict[str, Any] = {
            "markerNumbers": markers,
            "rotationMarker0": np.column_stack([numbers[13:16], numbers[16:19], numbers[6:9]]),
            "rotationMarker1": np.column_stack([across_b, np.cross(axis_b, across_b), axis_b]),
        }
        if not redundant:
            self.mbs.AddObject(self.items.ObjectJointRevoluteZ(**hinge))
            return
        axes = [1, 1, 1, 1, 1, 0]
        axes[3 + self.free] = 0
        self.mbs.AddObject(self.items.ObjectJointGeneric(constrainedAxes=axes, **hinge))

    def places(self) -> np.ndarray:
        """Centres of mass at the end of the last run, (n_bodies, 3)."""
        kind = self.exudyn.OutputVariableType.Position
        return np.array([self.mbs.GetNodeOutput(node, kind) for node in self.centres])


class ExudynTree(ExudynPeer):
    """A chain of hinges about z, y, z, ... in joint coordinates; bars along x, the first on the ground."""

    def __init__(self, bars: int, length: float, mass: float, inertia: list[float], speed: float, gravity: Any):
        self.exudyn, self.items = load_exudyn(), importlib.import_module("exudyn.itemInterface")
        self.mbs, self.sensors, self.length = self.exudyn.SystemContainer().AddSystem(), [], length
        node = self.items.NodeGenericODE2(
            numberOfODE2Coordinates=bars, referenceCoordinates=[0.0] * bars, initialCoordinates=[0.0] * bars,
            initialCoordinates_t=[speed, *[0.0] * (bars - 1)],
        )  # fmt: skip
        types = self.exudyn.JointType
        turns, inertias = self.exudyn.Matrix3DList(), self.exudyn.Matrix3DList()
        offsets, centres = self.exudyn.Vector3DList(), self.exudyn.Vector3DList()
        for k in range(bars):
            turns.Append(np.eye(3))
            inertias.Append(np.diag(inertia))
            offsets.Append([length if k else 0.0, 0.0, 0.0])
            centres.Append([length / 2, 0.0, 0.0])
        self.mbs.AddObject(
            self.items.ObjectKinematicTree(
                nodeNumber=self.mbs.AddNode(node), linkParents=list(range(-1, bars - 1)), linkMasses=[mass] * bars,
                jointTypes=[types.RevoluteY if k % 2 else types.RevoluteZ for k in range(bars)],
                jointTransformations=turns, jointOffsets=offsets, linkInertiasCOM=inertias, linkCOMs=centres,
                gravity=list(gravity),
            )
        )  # fmt: skip
        self.mbs.Assemble()

    def places(self) -> np.ndarray:
        """Centres of mass at the end of the last run, from the joint angles."""
        turned, at, centres = np.eye(3), np.zeros(3), []
        for k, angle in enumerate(self.mbs.systemData.GetODE2Coordinates()):
            c, s = np.cos(angle), np.sin(angle)
            turned = turned @ ([[c, 0, s], [0, 1, 0], [-s, 0, c]] if k % 2 else [[c, -s, 0], [s, c, 0], [0, 0, 1]])
            arm = self.length / 2 * turned[:, 0]
            centres.append(at + arm)
            at = at + 2 * arm
        return np.array(centres)
