"""Classical mechanisms drawn several percent off, in random directions, against their closed forms: lengths count, and the
drawing only picks the branch. Tolerances are what rounding does to positions of the order of 1 m: some 1e-13."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gaitwright as gw
from mechanisms.linkages import place
from mechanisms.straight_lines import INVERSOR, SWING, hoeken_leg, hoeken_point, inversor, inversor_points

SEEDS = range(6)
ROUNDING = 1e-12


@pytest.mark.parametrize("seed", SEEDS)
def test_hoeken_draws_its_curve(seed: int) -> None:
    run = hoeken_leg(rough=0.05, seed=seed).kinematics(times=np.linspace(0.0, 1.0, 41))
    assert np.abs(place(run, "P") - hoeken_point(1.0 + 2 * math.pi * run.time)).max() < ROUNDING


@pytest.mark.parametrize("seed", SEEDS)
def test_peaucellier_and_lipkin_draw_a_straight_line(seed: int) -> None:
    run = inversor(rough=0.05, seed=seed).kinematics(times=np.linspace(0.0, 1.0, 41))
    line = (INVERSOR["arm"] ** 2 - INVERSOR["side"] ** 2) / (2 * INVERSOR["crank"])
    assert np.abs(run.array("P.x") - line).max() < ROUNDING and np.ptp(run.array("P.y")) > 0.3
    known = inversor_points(SWING * np.sin(2 * math.pi * run.time))
    for point in "DABP":
        assert np.abs(place(run, point) - known[point]).max() < ROUNDING, point


@pytest.mark.parametrize("seed", SEEDS)
def test_a_geared_press(seed: int) -> None:
    """A pinion turns a wheel four times slower, and the wheel a press: x = r cos(phi) + sqrt(l^2 - r^2 sin(phi)^2), and the
    torque of the pinion is force times dx/d(pinion)."""
    r, rod, ratio, load, turned = 0.06, 0.25, -0.25, 800.0, 2.2
    shaken = np.random.default_rng(seed).uniform(-1, 1, (3, 2)) * 0.05 * rod
    phi = 0.7
    pin, slider = r * np.exp(1j * phi), r * math.cos(phi) + math.sqrt(rod**2 - (r * math.sin(phi)) ** 2)
    m = gw.Model("press", gravity=(0, 0)).ground_point("O", 0, 0).ground_point("M", -0.1, 0).ground_point("rail", 0, 0)
    m.point("A", pin.real + shaken[0, 0], pin.imag + shaken[0, 1]).point("B", slider + shaken[1, 0], shaken[1, 1])
    m.point("T", -0.1 + 0.02 * math.cos(turned) + 0.1 * shaken[2, 0], 0.02 * math.sin(turned) + 0.1 * shaken[2, 1])
    m.link("pinion", "M", "T", length=0.02, mass=1e-3).link("wheel", "O", "A", length=r, mass=1e-3)
    m.link("rod", "A", "B", length=rod, mass=1e-3)
    m.body("ram", mass=1e-3, inertia=1e-6, at=(slider + shaken[1, 0], shaken[1, 1]), points={"B": (0, 0)})
    m.joint.revolute("rod.B", "ram.B").joint.prismatic("rail", "ram.B", (1, 0))
    m.joint("gear", "teeth", a="pinion", b="wheel", ratio=ratio, offset=phi - ratio * turned)
    m.drive.rotation("pinion", f"{turned} + 4*t", name="motor").force.at_point("ram.B", [-load, 0])
    run = m.inverse(times=np.linspace(0.0, 1.5, 31))
    angle = phi + 4 * ratio * run.time
    root = np.sqrt(rod**2 - (r * np.sin(angle)) ** 2)
    assert run.array("ram.x") == pytest.approx(r * np.cos(angle) + root, abs=ROUNDING)
    slope = -r * np.sin(angle) - r**2 * np.sin(angle) * np.cos(angle) / root
    # the parts weigh grams: their inertia is 1e-5 of the load
    assert run.array("motor.torque") == pytest.approx(load * slope * ratio, abs=1e-4 * load * r * abs(ratio))


def turned(axis: int, angle: float) -> dict[str, list[float]]:
    return {"angles": [math.degrees(angle) if k == axis else 0.0 for k in range(3)]}


@pytest.mark.parametrize("seed", SEEDS)
def test_rssr_is_freudensteins_equation(seed: int) -> None:
    """|A - B| = coupler with A on a circle about z and B = base + c (cos psi, 0, -sin psi) on one about y:
    P cos(psi) + Q sin(psi) = R, solved by the half that the drawing picks."""
    a, coupler, c, base = 0.05, 0.25, 0.12, np.array([0.20, 0.10, 0.0])
    shaken = np.random.default_rng(seed).uniform(-1, 1, 2) * 0.08

    def rocker_angle(theta: np.ndarray) -> np.ndarray:
        pin = a * np.stack([np.cos(theta), np.sin(theta), 0 * theta], axis=-1)
        way = base - pin
        p, q = 2 * c * way[..., 0], -2 * c * way[..., 2]
        rest = coupler**2 - c**2 - (way**2).sum(axis=-1)
        return np.arctan2(q, p) - np.arccos(rest / np.hypot(p, q))

    first = float(rocker_angle(np.array(0.0)))
    m = gw.Model("rssr", dimension=3, gravity=(0, 0, 0)).ground_point("O", 0, 0, 0).ground_point("C", *base)
    inertia, points = [1e-5, 1e-4, 1e-4], {"start": [0, 0, 0]}
    m.body("crank", mass=0.1, inertia=inertia, at=[0, 0, 0], orientation=turned(2, shaken[0]),
           points={**points, "A": [a, 0, 0]})  # fmt: skip
    m.body("rocker", mass=0.1, inertia=inertia, at=base.tolist(), orientation=turned(1, first + shaken[1]),
           points={**points, "B": [c, 0, 0]})  # fmt: skip
    m.joint.revolute("ground.O", "crank.start", axis=[0, 0, 1], name="bearing", drawn_angle=shaken[0])
    m.joint.revolute("ground.C", "rocker.start", axis=[0, 1, 0], name="pivot")
    m.joint("distance", "coupler", a="crank.A", b="rocker.B", length=coupler)
    run = m.drive.rotation("bearing", "2*pi*t", name="motor").kinematics(times=np.linspace(0.0, 1.0, 41))
    psi = rocker_angle(2 * math.pi * run.time)
    known = base + c * np.stack([np.cos(psi), 0 * psi, -np.sin(psi)], axis=1)
    found = np.stack([run.array(f"rocker.B.{axis}") for axis in "xyz"], axis=1)
    assert np.abs(found - known).max() < ROUNDING


@pytest.mark.parametrize("seed", SEEDS)
def test_a_stewart_platform(seed: int) -> None:
    """Six driven lengths |p + R a - b| give the pose back, and their forces are those of the Jacobian: sum f u = m (p'' + g),
    sum (R a) x f u = I R's turning about z."""
    mass, spin_inertia, g = 3.0, 0.05, 9.81
    angles = np.radians([10, 110, 130, 230, 250, 350])
    lower = np.stack([0.3 * np.cos(angles), 0.3 * np.sin(angles), 0 * angles], axis=1)
    upper = 0.18 * np.stack(
        [np.cos(angles - 0.35 * (-1.0) ** np.arange(6)), np.sin(angles - 0.35 * (-1.0) ** np.arange(6)), 0 * angles],
        axis=1,
    )
    pose = {"x": "0.04*sin(3*t)", "y": "0.05*t", "z": "0.35 + 0.03*sin(2*t)", "turn": "0.2*sin(2*t)"}
    rng = np.random.default_rng(seed)
    m = gw.Model("stewart", dimension=3, gravity=(0, 0, -g))
    off = rng.uniform(-1, 1, 6)
    m.body(
        "platform", mass=mass, inertia=[0.03, 0.03, spin_inertia], at=(np.array([0, 0, 0.35]) + 0.02 * off[:3]).tolist(),
        orientation={"angles": (4 * off[3:]).tolist()}, points={f"P{k}": at.tolist() for k, at in enumerate(upper)},
    )  # fmt: skip
    for k, ((bx, by, _), (ax, ay, _)) in enumerate(zip(lower, upper, strict=True)):
        m.ground_point(f"B{k}", bx, by, 0)
        c, s = f"cos({pose['turn']})", f"sin({pose['turn']})"
        x = f"({pose['x']} + {ax}*{c} - ({ay})*{s} - ({bx}))"
        y = f"({pose['y']} + {ax}*{s} + ({ay})*{c} - ({by}))"
        m.drive.distance(f"ground.B{k}", f"platform.P{k}", f"sqrt({x}^2 + {y}^2 + ({pose['z']})^2)", name=f"leg{k}")
    run = m.inverse(times=np.linspace(0.0, 1.0, 21))
    t = run.time
    known = {"x": 0.04 * np.sin(3 * t), "y": 0.05 * t, "z": 0.35 + 0.03 * np.sin(2 * t)}
    for axis, values in known.items():
        assert run.array(f"platform.{axis}") == pytest.approx(values, abs=1e-11), axis
    p = np.stack(list(known.values()), axis=1)
    acceleration = np.stack([-0.36 * np.sin(3 * t), 0 * t, -0.12 * np.sin(2 * t) + g], axis=1)
    turn, turning = 0.2 * np.sin(2 * t), -0.8 * np.sin(2 * t)
    for i in range(t.size):
        rotation = np.array(
            [[math.cos(turn[i]), -math.sin(turn[i]), 0], [math.sin(turn[i]), math.cos(turn[i]), 0], [0, 0, 1]]
        )
        arms = upper @ rotation.T
        legs = p[i] + arms - lower
        units = legs / np.linalg.norm(legs, axis=1)[:, None]
        jacobian = np.vstack([units.T, np.cross(arms, units).T])
        wrench = np.array([*(mass * acceleration[i]), 0, 0, spin_inertia * turning[i]])
        forces = np.linalg.solve(jacobian, wrench)
        assert [run.array(f"leg{k}.force")[i] for k in range(6)] == pytest.approx(forces, abs=1e-8)


def test_inaccurate_drawing_gives_warning() -> None:
    """A four-bar with a joint drawn on the other side, far from both poses; an error of several percent gives no message."""
    assert inversor(rough=0.05, seed=1).check().moved == ""
    m = gw.Model("four-bar").ground_point("O", 0, 0).ground_point("C", 0.3, 0).point("A", 0.1, 0).point("B", 0.6, -0.4)
    m.link("crank", "O", "A", length=0.1, mass=0.1).link("coupler", "A", "B", length=0.3, mass=0.1)
    m.link("rocker", "C", "B", length=0.25, mass=0.1).drive.rotation("crank", "2*pi*t")
    found = m.check()
    assert "closing the joints moved" in found.moved and ".B by " in found.moved and found.moved in found.lines()
