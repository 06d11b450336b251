"""The same mechanisms in Exudyn, built there by hand: another code for joints, springs and time integration.

Exudyn integrates with generalized-alpha (order 2) and three steps, each half of the one before; its results must
converge to ours. Mechanisms start at rest, so no start velocities are passed on.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from typing import Any

import pytest

import gaitwright as gw
from gaitwright.mechanisms import pendulum
from gaitwright.mechanisms.jansen import DRAWN_POINTS, LINKS
from peers.convergence import assert_converges

exudyn = pytest.importorskip("exudyn", reason="Exudyn is not installed: pip install 'gaitwright[bench]'")
# Exudyn renames settings from release to release and keeps the old names, which we use so that older releases work too.
pytestmark = [pytest.mark.peer, pytest.mark.filterwarnings("ignore::DeprecationWarning")]

GRAVITY = 9.81
STEPS = (2e-3, 1e-3, 5e-4)


class Plane:
    """A planar mechanism in Exudyn; all points are given in the plane, in the start pose."""

    def __init__(self) -> None:
        self.items: Any = importlib.import_module("exudyn.itemInterface")
        self.mbs: Any = exudyn.SystemContainer().AddSystem()
        self.ground = self.mbs.AddObject(self.items.ObjectGround())
        self.poses: dict[int, tuple[float, float, float]] = {self.ground: (0.0, 0.0, 0.0)}
        self.nodes: dict[int, int] = {}

    def rod(self, p: tuple[float, float], q: tuple[float, float], mass: float) -> int:
        """A uniform rod from p to q at rest; weight acts on it."""
        length = math.dist(p, q)
        angle = math.atan2(q[1] - p[1], q[0] - p[0])
        return self.body(((p[0] + q[0]) / 2, (p[1] + q[1]) / 2, angle), mass, mass * length**2 / 12)

    def body(self, pose: tuple[float, float, float], mass: float, inertia: float) -> int:
        node = self.mbs.AddNode(self.items.NodeRigidBody2D(referenceCoordinates=list(pose)))
        body = self.mbs.AddObject(self.items.ObjectRigidBody2D(mass=mass, inertia=inertia, nodeNumber=node))
        marker = self.mbs.AddMarker(self.items.MarkerBodyMass(bodyNumber=body))
        self.mbs.AddLoad(self.items.LoadMassProportional(markerNumber=marker, loadVector=[0.0, -GRAVITY, 0.0]))
        self.poses[body], self.nodes[body] = pose, node
        return body

    def local(self, body: int, at: tuple[float, float]) -> list[float]:
        """A point of the plane in the frame of a body in its start pose."""
        x, y, angle = self.poses[body]
        c, s, dx, dy = math.cos(angle), math.sin(angle), at[0] - x, at[1] - y
        return [c * dx + s * dy, -s * dx + c * dy, 0.0]

    def marker(self, body: int, at: tuple[float, float]) -> int:
        return self.mbs.AddMarker(self.items.MarkerBodyPosition(bodyNumber=body, localPosition=self.local(body, at)))

    def pin(self, a: int, b: int, at: tuple[float, float]) -> None:
        self.mbs.AddObject(self.items.ObjectJointRevolute2D(markerNumbers=[self.marker(a, at), self.marker(b, at)]))

    def spring(self, a: int, p: tuple[float, float], b: int, q: tuple[float, float], **law: float) -> None:
        markers = [self.marker(a, p), self.marker(b, q)]
        self.mbs.AddObject(self.items.ObjectConnectorSpringDamper(markerNumbers=markers, **law))

    def hold(self, body: int, coordinate: int, law: Callable[[float], float] | None = None) -> int:
        """Keep a coordinate (0: x, 1: y, 2: angle) at its start value, or add a function of time to it."""
        nodes = ((self.mbs.AddNode(self.items.NodePointGround()), 0), (self.nodes[body], coordinate))
        markers = [
            self.mbs.AddMarker(self.items.MarkerNodeCoordinate(nodeNumber=node, coordinate=k)) for node, k in nodes
        ]
        more = {} if law is None else {"offsetUserFunction": lambda mbs, t, number, offset: law(t)}
        return self.mbs.AddObject(self.items.ObjectConnectorCoordinate(markerNumbers=markers, **more))

    def solve(self, until: float, step: float) -> None:
        s = exudyn.SimulationSettings()
        s.timeIntegration.endTime, s.timeIntegration.numberOfSteps = until, round(until / step)
        s.timeIntegration.verboseMode = 0
        s.timeIntegration.generalizedAlpha.spectralRadius = 0.9
        s.timeIntegration.newton.useModifiedNewton = False
        s.solutionSettings.writeSolutionToFile = False
        self.mbs.SolveDynamic(s, updateInitialValues=False)

    def refined(self, until: float, *values: Callable[[], float]) -> list[dict[float, float]]:
        """Each value at the end of a run, by step."""
        self.mbs.Assemble()
        found: list[dict[float, float]] = [{} for _ in values]
        for step in STEPS:
            self.solve(until, step)
            for entry, value in zip(found, values, strict=True):
                entry[step] = value()
        return found

    def position(self, body: int, at: tuple[float, float], axis: int) -> Callable[[], float]:
        """Final position of the point that starts at `at`."""
        local, kind = self.local(body, at), exudyn.OutputVariableType.Position
        return lambda: float(self.mbs.GetObjectOutputBody(body, kind, local)[axis])

    def torque(self, drive: int) -> Callable[[], float]:
        """Force of the drive on the body; Exudyn reports that on the ground."""
        return lambda: -float(self.mbs.GetObjectOutput(drive, exudyn.OutputVariableType.Force))


def test_double_pendulum() -> None:
    plane = Plane()
    first, second = plane.rod((0, 0), (1, 0), 1.0), plane.rod((1, 0), (2, 0), 1.0)
    plane.pin(plane.ground, first, (0, 0))
    plane.pin(first, second, (1, 0))
    x, y = plane.refined(1.0, plane.position(second, (2, 0), 0), plane.position(second, (2, 0), 1))
    ours = pendulum((0.0, 0.0), gravity=GRAVITY).simulate(1.0, tolerance=1e-12)
    assert_converges(x, ours.array("P2.x")[-1], order=2, within=1e-7)
    assert_converges(y, ours.array("P2.y")[-1], order=2, within=1e-7)


def test_four_bar_with_spring() -> None:
    O, A, B, C = (0.0, 0.0), (0.2, 0.0), (0.35, 0.2), (0.4, -0.05)
    plane = Plane()
    crank, coupler, rocker = plane.rod(O, A, 0.3), plane.rod(A, B, 0.2), plane.rod(C, B, 0.4)
    plane.pin(plane.ground, crank, O)
    plane.pin(crank, coupler, A)
    plane.pin(coupler, rocker, B)
    plane.pin(rocker, plane.ground, C)
    plane.spring(plane.ground, (0.0, 0.3), rocker, B, referenceLength=0.25, stiffness=60.0, damping=0.4)
    x, y = plane.refined(0.6, plane.position(coupler, B, 0), plane.position(coupler, A, 1))

    model = gw.Model(gravity=(0, -GRAVITY))
    model.ground_point("O", *O).ground_point("C", *C).ground_point("S", 0.0, 0.3).point("A", *A).point("B", *B)
    model.link("crank", "O", "A", mass=0.3).link("coupler", "A", "B", mass=0.2).link("rocker", "C", "B", mass=0.4)
    model.force.spring_damper("ground.S", "rocker.B", stiffness=60.0, damping=0.4, rest_length=0.25)
    ours = model.simulate(0.6, method="gauss3", step=1e-3)
    assert_converges(x, ours.array("B.x")[-1], order=2, within=1e-8)
    assert_converges(y, ours.array("A.y")[-1], order=2, within=1e-8)


def test_driven_slider_crank() -> None:
    """Crank angle 4 t^2: from rest through more than half a turn. Slider position, and drive torque."""
    r, L = 0.1, 0.35
    A, B = (r, 0.0), (r + L, 0.0)
    plane = Plane()
    crank, rod = plane.rod((0, 0), A, 0.5), plane.rod(A, B, 0.8)
    slider = plane.body((*B, 0.0), 1.5, 1e-3)
    plane.pin(plane.ground, crank, (0, 0))
    plane.pin(crank, rod, A)
    plane.pin(rod, slider, B)
    plane.hold(slider, 1)
    plane.hold(slider, 2)
    drive = plane.hold(crank, 2, lambda t: 4 * t * t)
    x, torque = plane.refined(0.9, plane.position(slider, B, 0), plane.torque(drive))

    model = gw.Model(gravity=(0, -GRAVITY))
    model.ground_point("O", 0, 0).point("A", *A).point("B", *B)
    model.link("crank", "O", "A", length=r, mass=0.5).link("rod", "A", "B", length=L, mass=0.8)
    model.body("slider", mass=1.5, inertia=1e-3, at=B, points={"P": (0, 0)})
    model.joint.revolute("rod.B", "slider.P").joint.prismatic("ground.O", "slider.P", axis=(1, 0))
    model.drive.rotation("crank", "4*t^2")
    ours = model.simulate(0.9, method="generalized-alpha", step=1e-3)
    exact = model.inverse(0.9, step=0.01)
    assert all(abs(value - ours.array("slider.x")[-1]) < 1e-10 for value in x.values())
    assert_converges(torque, exact.array("crank.torque")[-1], order=2, within=1e-4)


def test_jansen_leg() -> None:
    """Eleven links and seven points; crank angle 3 t^2. The foot, and the drive torque, which needs all reactions."""
    model = gw.Model(gravity=(0, -GRAVITY))
    model.ground_point("O1", 0, 0).ground_point("O2", -0.253, -0.052)
    for name, at in DRAWN_POINTS.items():
        model.point(name, *at)
    for name, (start, end, length, mass) in LINKS.items():
        model.link(name, start, end, length=length, mass=mass)
    model.drive.rotation("crank", "3*t^2")
    exact = model.inverse(1.0, step=0.01)

    points = {name: (exact.array(f"{name}.x")[0], exact.array(f"{name}.y")[0]) for name in DRAWN_POINTS}
    points |= {"O1": (0.0, 0.0), "O2": (-0.253, -0.052)}
    plane = Plane()
    bodies = {name: plane.rod(points[a], points[b], mass) for name, (a, b, _, mass) in LINKS.items()}
    for point, at in points.items():
        first, *others = [bodies[name] for name, ends in LINKS.items() if point in ends[:2]]
        if point.startswith("O"):
            first, others = plane.ground, [first, *others]
        for other in others:
            plane.pin(first, other, at)
    drive = plane.hold(bodies["crank"], 2, lambda t: 3 * t * t)
    y, torque = plane.refined(1.0, plane.position(bodies["L11"], points["F"], 1), plane.torque(drive))
    assert all(abs(value - exact.array("F.y")[-1]) < 1e-9 for value in y.values())
    assert_converges(torque, exact.array("crank.torque")[-1], order=2, within=1e-4)
