"""The same beams in Exudyn: its cables (ObjectANCFCable2D) are our continuum elements, with the same rules of quadrature (5
points for stretching, 3 for bending; its reduced rules are others than ours).

Equilibria must agree to rounding on the same mesh. Motions: Exudyn's generalized-alpha with three steps, each half of the
one before, must converge to ours. Its geometrically exact beams are another element theory, to which ours
must also converge when both meshes are refined.
"""

from __future__ import annotations

import importlib
import math
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.result.result import Result
from peers.convergence import assert_converges

exudyn = pytest.importorskip("exudyn", reason="Exudyn is not installed: pip install 'gaitwright[bench]'")
pytestmark = [pytest.mark.peer, pytest.mark.filterwarnings("ignore::DeprecationWarning")]

GRAVITY = 9.81


class Plane:
    """Cables and bodies in Exudyn, in the plane."""

    def __init__(self) -> None:
        self.items: Any = importlib.import_module("exudyn.itemInterface")
        self.mbs: Any = exudyn.SystemContainer().AddSystem()
        self.ground = self.mbs.AddObject(self.items.ObjectGround())
        zero = self.mbs.AddNode(self.items.NodePointGround())
        self.zero = self.mbs.AddMarker(self.items.MarkerNodeCoordinate(nodeNumber=zero, coordinate=0))

    def cable(self, nodes: np.ndarray, lengths: np.ndarray, speeds: np.ndarray | None = None, weight: float = GRAVITY,
              **physics: Any) -> list[int]:  # fmt: skip
        """A cable through nodes (x, y, u, v); numbers of its nodes."""
        speeds = np.zeros_like(nodes) if speeds is None else speeds
        point = self.items.NodePoint2DSlope1
        made = [
            self.mbs.AddNode(point(referenceCoordinates=list(q), initialVelocities=list(v)))
            for q, v in zip(nodes, speeds, strict=True)
        ]
        for k, length in enumerate(lengths):
            cable = self.items.ObjectANCFCable2D(nodeNumbers=made[k : k + 2], physicsLength=float(length), **physics)
            self.weigh(self.mbs.AddObject(cable), weight)
        return made

    def body(
        self, q: np.ndarray, v: np.ndarray, mass: float, inertia: float, weight: float = GRAVITY
    ) -> tuple[int, int]:
        node = self.items.NodeRigidBody2D(referenceCoordinates=list(q), initialVelocities=list(v))
        made = self.mbs.AddNode(node)
        body = self.mbs.AddObject(self.items.ObjectRigidBody2D(mass=mass, inertia=inertia, nodeNumber=made))
        self.weigh(body, weight)
        return made, body

    def weigh(self, body: int, weight: float) -> None:
        marker = self.mbs.AddMarker(self.items.MarkerBodyMass(bodyNumber=body))
        self.mbs.AddLoad(self.items.LoadMassProportional(markerNumber=marker, loadVector=[0.0, -weight, 0.0]))

    def hold(self, node: int, *coordinates: int, **law: Any) -> None:
        """Keep coordinates of a node at their start values."""
        for coordinate in coordinates:
            marker = self.mbs.AddMarker(self.items.MarkerNodeCoordinate(nodeNumber=node, coordinate=coordinate))
            self.mbs.AddObject(self.items.ObjectConnectorCoordinate(markerNumbers=[self.zero, marker], **law))

    def pin(self, a: int, b: int) -> None:
        self.mbs.AddObject(self.items.ObjectJointRevolute2D(markerNumbers=[a, b]))

    def at_node(self, node: int) -> int:
        return self.mbs.AddMarker(self.items.MarkerNodePosition(nodeNumber=node))

    def at_body(self, body: int, x: float) -> int:
        return self.mbs.AddMarker(self.items.MarkerBodyPosition(bodyNumber=body, localPosition=[x, 0.0, 0.0]))

    def push(self, node: int, force: complex) -> None:
        load = self.items.Force(markerNumber=self.at_node(node), loadVector=[force.real, force.imag, 0.0])
        self.mbs.AddLoad(load)

    def place(self, node: int) -> complex:
        x, y, _ = self.mbs.GetNodeOutput(node, exudyn.OutputVariableType.Position)
        return complex(x, y)

    def settle(self, steps: int = 10) -> None:
        self.mbs.Assemble()
        s = exudyn.SimulationSettings()
        s.staticSolver.verboseMode = 0
        s.staticSolver.numberOfLoadSteps = steps
        s.staticSolver.newton.relativeTolerance, s.staticSolver.newton.absoluteTolerance = 1e-12, 1e-10
        s.solutionSettings.writeSolutionToFile = False
        for _ in range(2):  # the second from the end of the first, to rounding
            self.mbs.SolveStatic(s, updateInitialValues=True)
            s.staticSolver.numberOfLoadSteps, s.staticSolver.loadStepStart = 1, 1.0

    def refined(self, until: float, steps: tuple[float, ...], node: int) -> list[dict[float, float]]:
        """x and y of a node at the end, by step."""
        self.mbs.Assemble()
        found: list[dict[float, float]] = [{}, {}]
        for step in steps:
            s = exudyn.SimulationSettings()
            s.timeIntegration.endTime, s.timeIntegration.numberOfSteps = until, round(until / step)
            s.timeIntegration.verboseMode = 0
            s.timeIntegration.generalizedAlpha.spectralRadius = 0.9
            s.timeIntegration.newton.useModifiedNewton = False
            s.timeIntegration.adaptiveStep = False  # shorter steps would damp more, where Newton ends at rounding
            s.timeIntegration.newton.relativeTolerance, s.timeIntegration.newton.absoluteTolerance = 1e-8, 1e-10
            s.linearSolverType = exudyn.LinearSolverType.EigenSparse
            s.solutionSettings.writeSolutionToFile = False
            self.mbs.SolveDynamic(s, updateInitialValues=False)
            z = self.place(node)
            found[0][step], found[1][step] = z.real, z.imag
        return found


def physics(model: gw.Model, **more: Any) -> dict[str, Any]:
    """Section of the first beam of a model in the words of Exudyn."""
    beam = model.document.beams[0]
    axial, bending, mass = (float(x) for x in (beam.axial_stiffness, beam.bending_stiffness, beam.mass_per_length))
    eta = float(beam.damping)
    return {
        "physicsAxialStiffness": axial, "physicsBendingStiffness": bending, "physicsMassPerLength": mass,
        "physicsAxialDamping": eta * axial, "physicsBendingDamping": eta * bending,
        "useReducedOrderIntegration": 0, **more,
    }  # fmt: skip


def rod(
    elements: int, *, axial: float, bending: float, mass: float = 1.0, gravity: float = GRAVITY, **fields: Any
) -> gw.Model:
    """A beam of 1 m along x on a ground point."""
    model = gw.Model("rod", gravity=(0, -gravity)).ground_point("O", 0, 0).point("E", 1, 0)
    section = {"axial_stiffness": axial, "bending_stiffness": bending, "mass_per_length": mass}
    return model.beam("rod", "O", "E", elements=elements, integration="full", **section, **fields)


def start_of(model: gw.Model, name: str = "rod") -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes, their speeds and the lengths of the elements at the start."""
    mechanism, begin = model.mechanism(), model.assemble()
    beam = mechanism.beams[name]
    return begin.q[beam.nodes], begin.v[beam.nodes], beam.lengths


def place(run: Result, point: str) -> complex:
    return complex(run.array(f"{point}.x")[-1], run.array(f"{point}.y")[-1])


# Equilibria --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("elements", [1, 4, 12])
def test_bent_cantilever(elements: int) -> None:
    """Weight and a tip load bend it by 60 degrees. [2e-13 m]"""
    model = rod(elements, axial=2e3, bending=1.5, mass=0.1)
    nodes, _, lengths = start_of(model)
    plane = Plane()
    made = plane.cable(nodes, lengths, **physics(model))
    plane.hold(made[0], 0, 1, 3)
    plane.push(made[-1], 0.5 - 3j)
    plane.settle()
    run = model.joint.fixed("ground.O", "rod.start").force.at_point("rod.end", [0.5, -3.0]).static()
    for k, node in enumerate(made):
        assert abs(plane.place(node) - place(run, f"rod.node{k + 1}")) < 1e-11


def test_curved_cantilever() -> None:
    """A quarter circle without stress, then bent. [6e-16 m]"""
    radius = 2 / math.pi
    model = gw.Model("arc", gravity=(0, -GRAVITY)).ground_point("O", 0, 0).point("E", radius, radius)
    model.beam("rod", "O", "E", elements=6, length=1.0, curvature=1 / radius, axial_stiffness=2e3, bending_stiffness=1.5,
               mass_per_length=0.1, integration="full")  # fmt: skip
    nodes, _, lengths = start_of(model)
    plane = Plane()
    made = plane.cable(nodes, lengths, **physics(model, strainIsRelativeToReference=1.0))
    plane.hold(made[0], 0, 1, 3)
    plane.push(made[-1], 2 - 3j)
    plane.settle()
    run = model.joint.fixed("ground.O", "rod.start").force.at_point("rod.end", [2.0, -3.0]).static()
    for k, node in enumerate(made):
        assert abs(plane.place(node) - place(run, f"rod.node{k + 1}")) < 1e-12


# Motions -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("damping", [0.0, 2e-3])
def test_flexible_pendulum(damping: float) -> None:
    """From the horizontal through the vertical in 0.5 s; also with Kelvin-Voigt damping. With the same method and step [6e-10]
    m apart, extrapolated to step 0 [2e-7, damped 1e-9]."""
    model = rod(6, axial=500.0, bending=0.05, damping=damping)
    nodes, _, lengths = start_of(model)
    plane = Plane()
    made = plane.cable(nodes, lengths, **physics(model))
    plane.hold(made[0], 0, 1)
    x, y = plane.refined(0.5, (1e-3, 5e-4, 2.5e-4), made[-1])
    same = model.simulate(0.5, method="generalized-alpha", step=5e-4, spectral_radius=0.9, every=1000)
    assert abs(complex(x[5e-4], y[5e-4]) - place(same, "rod.end")) < 1e-8
    ours = place(model.simulate(0.5, method="radau5", tolerance=1e-9, output_step=0.1), "rod.end")
    assert_converges(x, ours.real, order=2, within=1e-6)
    assert_converges(y, ours.imag, order=2, within=1e-6)


def test_flexible_slider_crank() -> None:
    """Benchmark P2: a crank at constant speed, a flexible rod of 8 elements, a slider; start pose and speeds are ours.
    With the same method and step [1e-12] m apart after 2500 steps."""
    r, length, speed = 0.15, 0.4, 2 * math.pi / 5
    diameter, young, density = 6e-3, 2e9, 7850.0
    area, second = math.pi * diameter**2 / 4, math.pi * diameter**4 / 64
    model = gw.Model("P2", gravity=(0, -GRAVITY)).ground_point("O", 0, 0).point("A", r, 0).point("B", r + length, 0)
    model.link("crank", "O", "A", length=r, mass=0.1)
    model.beam("rod", "A", "B", elements=8, axial_stiffness=young * area, bending_stiffness=young * second,
               mass_per_length=density * area, integration="full")  # fmt: skip
    model.body("slider", mass=0.05, inertia=1e-5, at=(r + length, 0), points={"P": (0, 0)})
    model.joint.revolute("rod.end", "slider.P").joint.prismatic("ground.O", "slider.P", axis=(1, 0))
    model.drive.rotation("crank", f"{speed!r}*t")
    nodes, speeds, lengths = start_of(model)
    mechanism, begin = model.mechanism(), model.assemble()
    plane = Plane()
    poses = {name: (begin.q[body.index], begin.v[body.index]) for name, body in mechanism.body_names.items()}
    crank = plane.body(*poses["crank"], 0.1, 0.1 * r**2 / 12)
    made = plane.cable(nodes, lengths, speeds, **physics(model))
    slider = plane.body(*poses["slider"], 0.05, 1e-5)
    plane.pin(plane.at_body(plane.ground, 0.0), plane.at_body(crank[1], -r / 2))
    plane.pin(plane.at_body(crank[1], r / 2), plane.at_node(made[0]))
    plane.pin(plane.at_node(made[-1]), plane.at_body(slider[1], 0.0))
    plane.hold(slider[0], 1, 2)
    plane.hold(crank[0], 2, offsetUserFunction=lambda mbs, t, number, offset: speed * t)
    x, y = plane.refined(0.25, (1e-4, 5e-5), made[4])
    exact = place(model.simulate(0.25, method="gauss2", step=5e-5, every=1000), "rod.node5")
    for step in x:
        same = model.simulate(0.25, method="generalized-alpha", step=step, spectral_radius=0.9, every=1000)
        theirs = complex(x[step], y[step])
        assert abs(theirs - place(same, "rod.node5")) < 1e-10
        assert abs(theirs - exact) < 1e-6  # [5e-7, 2.5e-7]


def test_geometrically_exact_beam() -> None:
    """The pendulum of Exudyn's geometrically exact beams, nearly rigid in shear: another theory and other elements."""
    model = rod(24, axial=500.0, bending=0.5)
    ours = place(model.simulate(0.4, method="generalized-alpha", step=2.5e-4, spectral_radius=0.9), "rod.end")
    away = []
    for elements in (16, 32, 64):
        plane = Plane()
        nodes = [
            plane.mbs.AddNode(plane.items.NodeRigidBody2D(referenceCoordinates=[k / elements, 0.0, 0.0]))
            for k in range(elements + 1)
        ]
        for k in range(elements):
            beam = plane.items.ObjectBeamGeometricallyExact2D(
                nodeNumbers=nodes[k : k + 2], physicsLength=1 / elements, physicsMassPerLength=1.0,
                physicsCrossSectionInertia=1e-7, physicsBendingStiffness=0.5, physicsAxialStiffness=500.0,
                physicsShearStiffness=5e5,
            )  # fmt: skip
            plane.weigh(plane.mbs.AddObject(beam), GRAVITY)
        plane.hold(nodes[0], 0, 1)
        x, y = plane.refined(0.4, (2.5e-4,), nodes[-1])
        away.append(abs(complex(x[2.5e-4], y[2.5e-4]) - ours))
    assert away[2] < 2e-4 and away[0] > 2 * away[1] > 4 * away[2]  # [9.6e-4, 4.1e-4, 9e-5] m
