"""Spatial mechanisms with published geometry or closed forms: universal joint, RSSR four-bar, spatial slider-crank, Bennett's
and Bricard's overconstrained linkages, the governor. Truth: `spatial_solutions.py`."""

from __future__ import annotations

import functools
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gaitwright as gw
from gaitwright import mechanisms
from gaitwright.result.result import Result
from verification import spatial_solutions as sol

TIGHT = {"method": "dopri5", "tolerance": 1e-12}


def vector(run: Result, name: str, *parts: str) -> np.ndarray:
    return np.stack([run.array(f"{name}.{part}") for part in parts], axis=1)


# Universal joint -----------------------------------------------------------------------------------------------------

BEND, SPEED, SHAFT = 0.6, 5.0, 0.02


def shafts(load: float) -> gw.Model:
    """Two shafts in bearings, 0.6 rad apart, with a cross between them; the fork of the first lies in their plane."""
    along = np.array([np.cos(BEND), 0.0, np.sin(BEND)])
    model = gw.Model("universal joint", dimension=3, gravity=(0, 0, 0))
    model.ground_point("O", 0, 0, 0).ground_point("A", -1, 0, 0).ground_point("B", *along)
    model.body(
        "first", mass=1.0, inertia=[SHAFT, 0.05, 0.05], at=[-0.5, 0, 0], points={"O": [0.5, 0, 0], "A": [-0.5, 0, 0]}
    )
    model.body("second", mass=1.0, inertia=[SHAFT, 0.05, 0.05], at=along / 2, points={"O": [-0.5, 0, 0], "B": [0.5, 0, 0]},
               orientation={"angles": [0, -np.degrees(BEND), 0]})  # fmt: skip
    model.joint.revolute("ground.A", "first.A", axis=[1, 0, 0], name="input")
    model.joint.revolute("ground.B", "second.B", axis=along, name="output")
    model.joint.universal("first.O", "second.O", axis=[0, 0, 1], axis_b=[0, 1, 0], name="cross")
    return model.force.joint_torque("output", load, name="load").drive.rotation("input", f"{SPEED}*t", name="motor")


def test_universal_joint_over_three_turns() -> None:
    """tan(out) = tan(in) / cos(bend); the motor feels the load and the inertia times the ratio of the speeds."""
    model, load = shafts(-3.0), -3.0
    times = np.linspace(0.0, 3 * 2 * np.pi / SPEED, 61)
    run = model.inverse(times=times)
    angle, c = SPEED * times, np.cos(BEND)
    found = np.unwrap(run.array("output.angle"))
    np.testing.assert_allclose(found, sol.cardan_output(angle, BEND), rtol=0, atol=1e-11)
    below = 1 - (np.sin(BEND) * np.cos(angle)) ** 2
    ratio, bent = c / below, -c * np.sin(BEND) ** 2 * np.sin(2 * angle) / below**2  # d(out)/d(in) and its derivative
    np.testing.assert_allclose(run.array("output.rate"), ratio * SPEED, rtol=1e-11)
    np.testing.assert_allclose(run.array("motor.torque"), ratio * (SHAFT * bent * SPEED**2 - load), rtol=0, atol=1e-10)
    # The bearings already hold both shafts at O: the position constraints of the cross are redundant, its torque is not.
    assert len(model.check().redundant) == 3 and all("'cross'" in said for said in model.check().redundant)


# RSSR four-bar -------------------------------------------------------------------------------------------------------

RSSR = sol.Rssr(
    input_axis=np.array([0.0, 0.0, 1.0]), input_point=np.zeros(3), input_arm=np.array([0.1, 0.0, 0.02]),
    output_axis=sol.unit(np.array([1.0, 0.3, 0.2])), output_point=np.array([0.3, 0.4, 0.0]),
    output_arm=sol.about(sol.unit(np.array([1.0, 0.3, 0.2])), 0.4) @ np.array([0.02, 0.0, 0.35]),
    coupler=0.6,
)  # fmt: skip


def rssr(speed: float) -> tuple[gw.Model, float]:
    """The coupler has a ball joint at one end and a cross at the other, so that it does not turn about itself."""
    start = RSSR.output(0.0, 0.0)
    a = RSSR.input_point + RSSR.input_arm
    b = RSSR.output_point + sol.about(RSSR.output_axis, start) @ RSSR.output_arm
    along = sol.unit(b - a)
    side = sol.unit(RSSR.input_axis - np.dot(RSSR.input_axis, along) * along)  # never along the coupler
    model = gw.Model("RSSR", dimension=3).ground_point("O", *RSSR.input_point).ground_point("C", *RSSR.output_point)
    model.body("crank", mass=0.3, inertia=[1e-3, 2e-3, 2e-3], at=RSSR.input_point, points={"A": RSSR.input_arm})
    turned = sol.about(RSSR.output_axis, start)
    model.body("rocker", mass=0.5, inertia=[5e-3, 6e-3, 4e-3], at=RSSR.output_point, orientation={"axes": turned.T},
               points={"B": RSSR.output_arm})  # fmt: skip
    model.body("coupler", mass=0.4, inertia=[1e-4, 7e-3, 7e-3], at=(a + b) / 2,
               orientation={"axes": [along, np.cross(side, along), side]},
               points={"A": [-0.3, 0, 0], "B": [0.3, 0, 0]})  # fmt: skip
    model.joint.revolute("ground.O", "crank", axis=RSSR.input_axis, name="input")
    model.joint.revolute("ground.C", "rocker", axis=RSSR.output_axis, name="output")
    model.joint.spherical("rocker.B", "coupler.B", name="ball")
    model.joint.universal("crank.A", "coupler.A", axis=side, axis_b=[0, 1, 0], name="cross")
    return model.drive.rotation("input", f"{speed}*t", name="motor"), start


def test_rssr_follows_its_closed_form() -> None:
    model, start = rssr(4.0)
    times = np.linspace(0.0, 2 * np.pi / 4.0, 201)
    run = model.inverse(times=times)
    exact, near = [], start
    for t in times:
        near = RSSR.output(4.0 * t, near)
        exact.append(near)
    np.testing.assert_allclose(run.array("output.angle"), np.array(exact) - start, rtol=0, atol=1e-11)
    h = 1e-4
    ahead, behind = (
        np.array([RSSR.output(4.0 * (t + d), near) for t, near in zip(times, exact, strict=True)]) for d in (h, -h)
    )
    np.testing.assert_allclose(run.array("output.rate"), (ahead - behind) / (2 * h), rtol=0, atol=1e-6)
    # the work of the motor equals the change of the energies
    assert run.evidence.max_energy_residual < 1e-6 and not model.check().redundant
    power = run.array("motor.torque") * 4.0
    np.testing.assert_allclose(run.array("motor.power"), power, rtol=1e-12)


# Spatial slider-crank ------------------------------------------------------------------------------------------------

CRANK, ROD, PIVOT = 0.08, 0.3, np.array([0.0, 0.1, 0.12])


def crank_pin(angle):
    """The crank turns about x; from z towards -y."""
    zero = np.zeros_like(angle)
    return PIVOT[:, None] + CRANK * np.array([zero, -np.sin(angle), np.cos(angle)])


def slider_at(angle) -> np.ndarray:
    """The slider moves along x through the origin: the rod closes the distance."""
    a = crank_pin(np.atleast_1d(angle))
    return a[0] + np.sqrt(ROD**2 - a[1] ** 2 - a[2] ** 2)


def spatial_slider_crank() -> gw.Model:
    """E. J. Haug, Computer-Aided Kinematics and Dynamics of Mechanical Systems (1989): crank 0.08 m at (0, 0.1,
    0.12), rod 0.3 m with a ball joint at the crank and a cross at the slider. Masses of our own."""
    a, x = crank_pin(np.zeros(1))[:, 0], float(slider_at(0.0)[0])
    b = np.array([x, 0.0, 0.0])
    along = sol.unit(b - a)
    side = sol.unit(np.cross(along, [1.0, 0.0, 0.0]))
    model = gw.Model("spatial slider-crank", dimension=3).ground_point("O", *PIVOT).ground_point("G", 0, 0, 0)
    model.body("crank", mass=0.12, inertia=[1e-4, 1e-4, 1e-5], at=(PIVOT + a) / 2, points={"O": PIVOT - (PIVOT + a) / 2,
               "A": a - (PIVOT + a) / 2})  # fmt: skip
    model.body("rod", mass=0.5, inertia=[4e-4, 4e-3, 4e-3], at=(a + b) / 2, points={"A": [-0.15, 0, 0], "B": [0.15, 0, 0]},
               orientation={"axes": [along, np.cross(side, along), side]})  # fmt: skip
    model.body("slider", mass=2.0, inertia=[1e-4, 1e-4, 1e-4], at=b)
    model.joint.revolute("ground.O", "crank.O", axis=[1, 0, 0], name="hinge").joint.prismatic(
        "ground.G", "slider", [1, 0, 0], name="guide"
    )
    model.joint.spherical("crank.A", "rod.A", name="ball")
    return model.joint.universal("slider", "rod.B", axis=side, axis_b=np.eye(3)[1], name="cross")


def test_spatial_slider_crank_kinematics() -> None:
    model = spatial_slider_crank().drive.rotation("hinge", "6*t", name="motor")
    times = np.linspace(0.0, 2 * np.pi / 6, 41)
    run = model.kinematics(times=times)
    np.testing.assert_allclose(run.array("slider.x"), slider_at(6 * times), rtol=0, atol=1e-12)
    h = 1e-4
    rate = (slider_at(6 * (times + h)) - slider_at(6 * (times - h))) / (2 * h)
    second = (slider_at(6 * (times + h)) - 2 * slider_at(6 * times) + slider_at(6 * (times - h))) / h**2
    np.testing.assert_allclose(run.array("slider.vx"), rate, rtol=0, atol=1e-7)
    np.testing.assert_allclose(run.array("slider.ax"), second, rtol=0, atol=1e-6)


def test_spatial_slider_crank_runs_free() -> None:
    """Thrown at 6 rad/s: stays on the closed-form path and keeps its energy, which together fix the motion."""
    model = spatial_slider_crank()
    model.document.bodies[0].spin = [6.0, 0.0, 0.0]
    run = model.simulate(2.0, **TIGHT, output_step=0.02)
    np.testing.assert_allclose(run.array("slider.x"), slider_at(run.array("hinge.angle")), rtol=0, atol=1e-11)
    total = run.array("energy.kinetic") + run.array("energy.potential")
    np.testing.assert_allclose(total, total[0], rtol=1e-9)
    kinetic = {
        body: m * (vector(run, body, "vx", "vy", "vz") ** 2).sum(axis=1) / 2
        + (np.array(i) * vector(run, body, "wx_body", "wy_body", "wz_body") ** 2).sum(axis=1) / 2
        for body, m, i in (
            ("crank", 0.12, [1e-4, 1e-4, 1e-5]),
            ("rod", 0.5, [4e-4, 4e-3, 4e-3]),
            ("slider", 2.0, [1e-4] * 3),
        )
    }
    np.testing.assert_allclose(run.array("energy.kinetic"), sum(kinetic.values()), rtol=1e-10)


# Overconstrained loops -----------------------------------------------------------------------------------------------


def test_bennett_linkage() -> None:
    """Four hinges, opposite links alike, lengths as the sines of the twists: moves although Gruebler's count gives -2."""
    twist_a, twist_b = 0.9, 1.7
    length_a, length_b = 0.2 * np.sin(twist_a), 0.2 * np.sin(twist_b)
    x = np.pi / 2  # angle between the common normals at the first hinge; the next one follows
    y = float(sol.bennett_output(np.array(x), twist_a, twist_b))
    frame, points, axes = (np.eye(3), np.zeros(3)), [], []
    links = ((length_a, twist_a, x), (length_b, twist_b, y), (length_a, twist_a, -x), (length_b, twist_b, -y))
    for length, twist, angle in links:
        matrix, at = frame
        points.append(at)
        axes.append(matrix[:, 2])
        matrix = matrix @ sol.about(np.array([0.0, 0.0, 1.0]), angle)
        frame = matrix @ sol.about(np.array([1.0, 0.0, 0.0]), twist), at + length * matrix[:, 0]
    np.testing.assert_allclose(
        frame[1], 0.0, atol=1e-14
    )  # the closed form closes: Bennett's condition in this convention
    model = gw.Model("Bennett", dimension=3, gravity=(0, 0, 0))
    model.ground_point("P0", *points[0]).ground_point("P3", *points[3])
    for k in range(3):
        start, end = points[k], points[k + 1]
        model.body(f"link{k}", mass=0.2, inertia=[1e-3, 1e-3, 1e-3], at=(start + end) / 2,
                   points={f"P{k}": (start - end) / 2, f"P{k + 1}": (end - start) / 2})  # fmt: skip
    bodies = ["ground", "link0", "link1", "link2", "ground"]
    for k in range(4):
        model.joint.revolute(f"{bodies[k]}.P{k}", f"{bodies[k + 1]}.P{k}", axis=axes[k], name=f"h{k}")
    check = model.check()
    assert check.degrees_of_freedom == 1 and len(check.redundant) == 3
    run = model.drive.rotation("h0", "2*t", name="motor").kinematics(until=0.8, step=0.05)
    first = x + run.array("h0.angle")
    np.testing.assert_allclose(
        y + run.array("h1.angle"), sol.bennett_output(first, twist_a, twist_b), rtol=0, atol=1e-10
    )
    np.testing.assert_allclose(run.array("h2.angle"), -run.array("h0.angle"), rtol=0, atol=1e-10)


CUBE = np.array([(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)], dtype=float)


@functools.cache
def bricard_loop() -> sol.HingeLoop:
    """Five thin rods of 1 m and 1 kg along edges of a cube; each hinge is square to both of its rods."""
    rods = np.diff(CUBE, axis=0)
    around = np.vstack([CUBE[-1] - CUBE[0], rods, CUBE[0] - CUBE[-1]])
    axes = [np.abs(np.cross(before, after)) for before, after in pairwise(around)]
    inertias = [(np.eye(3) - np.outer(rod, rod)) / 12 for rod in rods]
    return sol.HingeLoop(CUBE, np.array(axes), np.ones(5), (CUBE[:-1] + CUBE[1:]) / 2, np.array(inertias))


@pytest.mark.slow
def test_bricard_moves_as_its_hinges_allow() -> None:
    """IFToMM A04, 10 s from rest. One coordinate: the path from the products of six rotations, the time from the energy."""
    loop, model = bricard_loop(), mechanisms.bricard()
    check = model.check()
    assert check.degrees_of_freedom == 1 and len(check.redundant) == 1

    def height(s: float) -> float:
        return float(loop.places(s)[:, 1].sum())

    # The first hinge turns by pi and back: the cube again, hanging on the other side.
    assert height(np.pi) == pytest.approx(height(0.0), abs=1e-9)
    half = sol.swing(loop.inertia, height, sol.G, 0.0, np.pi)
    run = model.simulate(10.0, **TIGHT)
    angle = np.unwrap(run.array("h0.angle"))
    places = np.array([loop.places(float(s)) for s in angle[::40]])
    for k in range(5):
        np.testing.assert_allclose(vector(run, f"rod{k + 1}", "x", "y", "z")[::40], places[:, k], rtol=0, atol=1e-9)
    total = run.array("energy.kinetic") + run.array("energy.potential")
    np.testing.assert_allclose(total, total[0], rtol=0, atol=1e-8)  # J, of falls of 4.5
    middle = run.crossings("h0.angle", np.pi / 2)
    np.testing.assert_allclose(np.diff(middle), half, rtol=1e-7)
    assert middle.size >= 4


def test_reactions_of_overconstrained_mechanism_give_its_motion() -> None:
    """They are not unique, but forces and moments on each rod add up to its rate of momentum."""
    run = mechanisms.bricard(radius=0.02).simulate(1.0, **TIGHT, output_step=0.1)
    force = [vector(run, f"h{k}", "fx", "fy", "fz") for k in range(6)]
    moment = [vector(run, f"h{k}", "mx", "my", "mz") for k in range(6)]
    axis = mechanisms.bricard(radius=0.02).document.joints[0]["axis"]
    np.testing.assert_allclose(moment[0] @ np.array(axis, dtype=float), 0.0, atol=1e-10)  # none about a free hinge
    weight = np.array([0.0, -9.81, 0.0])
    for k in range(5):
        near, far = (vector(run, f"rod{k + 1}.P{n}", "x", "y", "z") for n in (k, k + 1))
        centre = vector(run, f"rod{k + 1}", "x", "y", "z")
        np.testing.assert_allclose(
            force[k] - force[k + 1] + weight, vector(run, f"rod{k + 1}", "ax", "ay", "az"), atol=1e-9
        )
        torque = moment[k] - moment[k + 1] + np.cross(near - centre, force[k]) - np.cross(far - centre, force[k + 1])
        matrix = np.stack([[run.array(f"rod{k + 1}.r{i}{j}") for j in (1, 2, 3)] for i in (1, 2, 3)]).transpose(2, 0, 1)
        along = np.abs(CUBE[k + 1] - CUBE[k])
        own = np.diag(np.where(along == 1, 0.02**2 / 2, (3 * 0.02**2 + 1) / 12))
        inertia = np.einsum("tij,jk,tlk->til", matrix, own, matrix)
        w, alpha = (
            vector(run, f"rod{k + 1}", "wx", "wy", "wz"),
            vector(run, f"rod{k + 1}", "alpha_x", "alpha_y", "alpha_z"),
        )
        turning = np.einsum("tij,tj->ti", inertia, alpha) + np.cross(w, np.einsum("tij,tj->ti", inertia, w))
        np.testing.assert_allclose(torque, turning, rtol=0, atol=1e-9)


# Governor ------------------------------------------------------------------------------------------------------------


def test_governor_rises_as_it_spins() -> None:
    """A uniform rod on a hinge across a driven shaft: theta'' = w^2 sin cos - 3 g / (2 L) sin, and the shaft's torque is
    the rate of the angular momentum, J' w with J = m L^2 sin^2 / 3 and a thin rod's ends."""
    length, mass, speed, radius = 0.5, 0.4, 8.0, 0.01
    axial, across = mass * radius**2 / 2, mass * (radius**2 / 4 + length**2 / 12)
    about_pin = across + mass * length**2 / 4
    start = 0.3
    model = gw.Model("governor", dimension=3).ground_point("O", 0, 0, 0)
    model.body("shaft", mass=1.0, inertia=[0.01, 0.01, 0.02])
    pose = np.array([np.sin(start), 0.0, -np.cos(start)]) * length / 2
    model.body("rod", mass=mass, inertia=[across, across, axial], at=pose, points={"O": [0, 0, length / 2]},
               orientation={"angles": [0, -np.degrees(start), 0]})  # fmt: skip
    model.joint.revolute("ground.O", "shaft", axis=[0, 0, 1], name="bearing").drive.rotation(
        "bearing", f"{speed}*t", name="motor"
    )
    model.joint.revolute("shaft", "rod.O", axis=[0, -1, 0], drawn_angle=start, name="hinge")
    run = model.simulate(3.0, **TIGHT, output_step=0.05)

    def gain(angle):
        lift = (about_pin - axial) * speed**2 * np.sin(angle) * np.cos(angle)
        return (lift - mass * sol.G * length / 2 * np.sin(angle)) / about_pin

    exact = solve_ivp(lambda t, y: [y[1], gain(y[0])], (0, 3), [start, 0.0], method="DOP853", rtol=1e-13, atol=1e-14,
                      t_eval=run.time)  # fmt: skip
    np.testing.assert_allclose(run.array("hinge.angle"), exact.y[0], rtol=0, atol=1e-9)
    np.testing.assert_allclose(run.array("hinge.rate"), exact.y[1], rtol=0, atol=1e-8)
    torque = (about_pin - axial) * np.sin(2 * exact.y[0]) * exact.y[1] * speed
    np.testing.assert_allclose(run.array("motor.torque"), torque, rtol=0, atol=1e-7)
    # It swings about the angle at which it could stay.
    rest = np.arccos(mass * sol.G * length / 2 / ((about_pin - axial) * speed**2))
    assert gain(rest) == pytest.approx(0.0, abs=1e-12) and start < rest < exact.y[0].max()
