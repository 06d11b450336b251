"""Equilibria and small vibrations in space: suspended platforms, a body on springs and on a bushing, a hanging chain."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import eigh

import gaitwright as gw
from verification import spatial_solutions as sol


def hertz(square: np.ndarray | float) -> np.ndarray:
    return np.sqrt(np.maximum(square, 0.0)) / (2 * np.pi)


# Suspended platforms -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [3, 4], ids=["trifilar", "quadrifilar"])
def test_torsion_pendulum_on_wires(count: int) -> None:
    """A disc on wires of length l at radius R: swings at g / l, twists at m g R^2 / (I l). The fourth wire is redundant."""
    mass, axial, radius, length = 3.0, 0.06, 0.2, 1.5
    model = gw.Model("platform", dimension=3)
    angles = 2 * np.pi * np.arange(count) / count
    points = {f"P{k}": [radius * np.cos(angle), radius * np.sin(angle), 0] for k, angle in enumerate(angles)}
    model.body("disc", mass=mass, inertia=[0.03, 0.035, axial], points=points)
    for k, angle in enumerate(angles):
        model.ground_point(f"G{k}", radius * np.cos(angle), radius * np.sin(angle), length)
        model.joint.distance(f"ground.G{k}", f"disc.P{k}", name=f"wire{k}")
    found = model.modes()
    swing, twist = sol.G / length, mass * sol.G * radius**2 / (axial * length)
    if count == 3:
        np.testing.assert_allclose(found.frequencies, np.sort(hertz(np.array([swing, swing, twist]))), rtol=1e-9)
        forces = [found.equilibrium.array(f"wire{k}.force")[0] for k in range(3)]
        np.testing.assert_allclose(forces, -mass * sol.G / 3, rtol=1e-9)  # pulls
    else:
        forces = [found.equilibrium.array(f"wire{k}.force")[0] for k in range(4)]
        assert sum(forces) == pytest.approx(-mass * sol.G, rel=1e-9)
        assert len(found) == 3


def test_bifilar_pendulum() -> None:
    """Two wires at +-R, the centre h below their line: along it g / l, twist m g R^2 / (I l), and across it a double pendulum
    of the wires and the bar."""
    mass, radius, length, drop = 2.0, 0.3, 0.8, 0.1
    about_x, about_y, about_z = 0.02, 0.05, 0.06
    model = gw.Model("bifilar", dimension=3)
    model.body("bar", mass=mass, inertia=[about_x, about_y, about_z], at=[0, 0, -drop],
               points={"L": [-radius, 0, drop], "R": [radius, 0, drop]})  # fmt: skip
    for side, x in (("L", -radius), ("R", radius)):
        model.ground_point(f"G{side}", x, 0, length).joint.distance(f"ground.G{side}", f"bar.{side}", length)
    # across: y = l a + h b, T = m (l a' + h b')^2 / 2 + Ix b'^2 / 2, V = m g (l a^2 + h b^2) / 2
    inertia = np.array([[mass * length**2, mass * length * drop], [mass * length * drop, mass * drop**2 + about_x]])
    across = eigh(np.diag([mass * sol.G * length, mass * sol.G * drop]), inertia, eigvals_only=True)
    squares = [sol.G / length, mass * sol.G * radius**2 / (about_z * length), *across]
    np.testing.assert_allclose(model.modes().frequencies, np.sort(hertz(np.array(squares))), rtol=1e-9)


# A body on springs ---------------------------------------------------------------------------------------------------


def rigid_modes(stiffness: np.ndarray, mass: float, inertia: np.ndarray) -> np.ndarray:
    """Frequencies, Hz, of a 6 x 6 stiffness against displacement of the centre of mass and rotation about it."""
    matrix = np.zeros((6, 6))
    matrix[:3, :3], matrix[3:, 3:] = mass * np.eye(3), inertia
    return hertz(eigh(stiffness, matrix, eigvals_only=True))


TENSOR = np.array([[0.05, 0.004, -0.002], [0.004, 0.06, 0.003], [-0.002, 0.003, 0.04]])
SIX = [0.05, 0.06, 0.04, 0.004, -0.002, 0.003]


@pytest.mark.parametrize("centre", [(0.0, 0.0, 0.0), (0.05, -0.1, 0.2)], ids=["origin", "elsewhere"])
def test_body_on_six_unstressed_springs(centre) -> None:
    """K = sum k w w^T with w = (n, arm x n), the line of each spring about the centre of mass: all six modes are coupled."""
    rng = np.random.default_rng(5)
    model = gw.Model("hexapod", dimension=3, gravity=(0, 0, 0))
    ends, feet, stiffness = rng.normal(size=(6, 3)) * 0.3, rng.normal(size=(6, 3)), rng.uniform(200, 900, 6)
    points = {f"P{k}": end for k, end in enumerate(ends)}
    model.body("body", mass=2.5, inertia=SIX, centre=centre, points=points)
    total = np.zeros((6, 6))
    for k in range(6):
        model.ground_point(f"G{k}", *feet[k]).force.spring_damper(f"ground.G{k}", f"body.P{k}", stiffness=stiffness[k])
        along = sol.unit(ends[k] - feet[k])
        line = np.concatenate([along, np.cross(ends[k] - centre, along)])
        total += stiffness[k] * np.outer(line, line)
    np.testing.assert_allclose(model.modes().frequencies, rigid_modes(total, 2.5, TENSOR), rtol=1e-8)


def test_body_on_three_springs_that_carry_it() -> None:
    """A round plate that hangs on three vertical springs: bounce 3 k / m; and sideways each resists with F / l, its pull over
    its length, which couples swinging with tilting."""
    mass, radius, across, axial, k, rest = 4.0, 0.25, 0.08, 0.12, 2000.0, 0.5
    hang = rest + mass * sol.G / (3 * k)
    model = gw.Model("hung plate", dimension=3)
    angles = 2 * np.pi * np.arange(3) / 3
    model.body("plate", mass=mass, inertia=[across, across, axial], at=[0, 0, -hang], points={
        f"P{i}": [radius * np.cos(a), radius * np.sin(a), 0] for i, a in enumerate(angles)})  # fmt: skip
    for i, a in enumerate(angles):
        model.ground_point(f"G{i}", radius * np.cos(a), radius * np.sin(a), 0)
        model.force.spring_damper(f"ground.G{i}", f"plate.P{i}", stiffness=k, rest_length=rest, name=f"spring{i}")
    pull = mass * sol.G / 3
    stiffness = np.zeros((6, 6))
    for a in angles:
        arm, along = radius * np.array([np.cos(a), np.sin(a), 0.0]), np.array([0.0, 0.0, 1.0])
        jacobian = np.hstack([np.eye(3), -np.array([[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]])])
        point = k * np.outer(along, along) + pull / hang * (np.eye(3) - np.outer(along, along))
        stiffness += jacobian.T @ point @ jacobian
    # The pulls work on the second-order displacement of their arms, too: these add up to nothing.
    found = model.modes()
    np.testing.assert_allclose(
        found.frequencies, rigid_modes(stiffness, mass, np.diag([across, across, axial])), rtol=1e-8
    )
    assert np.abs(found.frequencies - hertz(3 * k / mass)).min() < 1e-8  # the bounce
    assert found.equilibrium.array("spring0.force")[0] == pytest.approx(-pull, rel=1e-10)


def test_bushing_off_the_centre() -> None:
    """Displacement of the bushing is u + w x arm: sideways motion and rotation are coupled by the arm."""
    arm, k, kappa = np.array([0.1, -0.05, 0.3]), np.array([900.0, 700.0, 1500.0]), np.array([20.0, 30.0, 10.0])
    model = gw.Model("on rubber", dimension=3, gravity=(0, 0, 0)).ground_point("O", *arm)
    model.body("body", mass=2.0, inertia=SIX, points={"P": arm})
    model.force("bushing", "rubber", a="ground.O", b="body.P", stiffness=k, torsional_stiffness=kappa)
    x, y, z = arm
    lever = np.hstack([np.eye(3), np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])])
    stiffness = lever.T @ np.diag(k) @ lever
    stiffness[3:, 3:] += np.diag(kappa)
    np.testing.assert_allclose(model.modes().frequencies, rigid_modes(stiffness, 2.0, TENSOR), rtol=1e-9)


def test_bushing_gives_way_to_a_load() -> None:
    """Force and moment at the bushing: d = F / k exactly, sine of the angle = M / (kappa cos), small angles aside."""
    k, kappa = np.array([900.0, 700.0, 1500.0]), np.array([200.0, 300.0, 100.0])
    model = gw.Model("on rubber", dimension=3, gravity=(0, 0, 0)).ground_point("O", 0, 0, 0)
    model.body("body", mass=2.0, inertia=SIX, points={"P": [0, 0, 0]})
    model.force("bushing", "rubber", a="ground.O", b="body.P", stiffness=k, torsional_stiffness=kappa)
    model.force.at_point("body", [3.0, -2.0, 6.0]).force.torque("body", [0, 0, 10.0])
    run = model.static()
    moved = [run.array(f"rubber.d{axis}")[0] for axis in "xyz"]
    np.testing.assert_allclose(moved, np.array([3.0, -2.0, 6.0]) / k, rtol=1e-9)
    angle = np.arcsin(run.array("rubber.ez")[0])
    assert 100.0 * np.sin(angle) * np.cos(angle) == pytest.approx(10.0, rel=1e-9)  # V = kappa sin^2 / 2
    np.testing.assert_allclose([run.array("rubber.ex")[0], run.array("rubber.ey")[0]], 0.0, atol=1e-10)


# A hanging chain -----------------------------------------------------------------------------------------------------


def test_hanging_chain_swings_alike_in_all_directions() -> None:
    """Three rods on ball joints: each planar frequency twice, and each rod may turn about itself."""
    count, length, mass, radius = 3, 0.4, 0.5, 0.01
    model = gw.Model("chain", dimension=3).ground_point("P0", 0, 0, 0)
    for k in range(count):
        model.point(f"P{k + 1}", 0, 0, -length * (k + 1)).link(
            f"rod{k}", f"P{k}", f"P{k + 1}", mass=mass, radius=radius
        )
    inertia, weight = np.zeros((count, count)), np.zeros(count)
    for i in range(count):
        for j in range(count):
            below = count - 1 - max(i, j)
            inertia[i, j] = mass * length**2 * (below + (1 / 3 if i == j else 1 / 2))
        inertia[i, i] += mass * radius**2 / 4
        weight[i] = mass * sol.G * length * (count - 1 - i + 1 / 2)
    planar = hertz(eigh(np.diag(weight), inertia, eigvals_only=True))
    found = model.modes()
    assert len(found) == 3 * count
    np.testing.assert_allclose(found.frequencies[:count], 0.0, atol=1e-5)
    np.testing.assert_allclose(found.frequencies[count:], np.repeat(planar, 2), rtol=1e-8)


def test_static_chain_under_a_side_load() -> None:
    """A constant force at the end: rod k hangs at tan(angle) = F / (weight below its middle)."""
    count, length, mass, side = 3, 0.4, 0.5, 2.0
    model = gw.Model("chain", dimension=3).ground_point("P0", 0, 0, 0)
    for k in range(count):
        model.point(f"P{k + 1}", 0, 0, -length * (k + 1)).link(f"rod{k}", f"P{k}", f"P{k + 1}", mass=mass, radius=0.01)
    pull = side * np.array([0.6, 0.8])
    run = model.force.at_point("P3", [*pull, 0.0], name="wind").static()
    for k in range(count):
        along = np.array([run.array(f"rod{k}.r{i}1")[0] for i in (1, 2, 3)])  # x from start to end
        wanted = np.array([*pull, -mass * sol.G * (count - k - 0.5)])
        np.testing.assert_allclose(along, sol.unit(wanted), rtol=0, atol=1e-9)
    hold = [run.array(f"P0.f{axis}")[0] for axis in "xyz"]
    np.testing.assert_allclose(hold, [-pull[0], -pull[1], count * mass * sol.G], rtol=1e-9)
