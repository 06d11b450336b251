"""A soft layer on a rigid body, against closed forms: weights, tilted punches, a round body, slopes, belts and work."""

from typing import Any

import numpy as np
import pytest

import gaitwright as gw

E, NU, THICK, G = 1e5, 0.3, 0.01, 9.81
K = E * (1.0 - NU) / ((1.0 + NU) * (1.0 - 2.0 * NU))
LENGTH, WIDTH, HEIGHT, MASS = 0.1, 0.08, 0.04, 1.0
AREA = LENGTH * WIDTH
LEVEL = HEIGHT / 2
BRISTLES = {"type": "bristle", "coefficient": 0.5, "damping": 1e4}
INERTIA = tuple(MASS / 12 * (a**2 + b**2) for a, b in ((WIDTH, HEIGHT), (LENGTH, HEIGHT), (LENGTH, WIDTH)))


def layer(d: int, cuts: int = 8, **more: Any) -> gw.surfaces.Foundation:
    """On the bottom of a block."""
    given: dict[str, Any] = {"thickness": THICK, "modulus": E, "poisson": NU} | more
    if d == 2:
        return gw.surfaces.Foundation(
            "block", gw.mesh.rectangle((LENGTH, HEIGHT), (cuts, 1)), "bottom", width=WIDTH, **given
        )
    return gw.surfaces.Foundation("block", gw.mesh.box((LENGTH, WIDTH, HEIGHT), (cuts, cuts, 1)), "bottom", **given)


def block(d: int, at: Any = None, gravity: Any = None, surface: Any = None, cuts: int = 8, **more: Any) -> gw.Model:
    """A block with a soft bottom, and its drawn place."""
    model = gw.Model("block", dimension=d, gravity=gravity or (*[0.0] * (d - 1), -G))
    at = at or (*[0.0] * (d - 1), LEVEL)
    body = {"inertia": INERTIA[1] if d == 2 else INERTIA, "at": at}
    model.body("block", mass=MASS, **body | {k: more.pop(k) for k in ("velocity", "spin") if k in more})
    ground = gw.surfaces.LineGround() if d == 2 else gw.surfaces.PlaneGround()
    foundation = more.pop("foundation", None) or layer(d, cuts)
    return model.contact(foundation, surface or ground, name="sole", **more)


def driven(d: int, at: Any, angle: Any = 0.0, **more: Any) -> gw.Model:
    """Its middle and its angle about y (in the plane: clockwise) are functions of time."""
    model = block(d, **more)
    if d == 2:
        model.drive("position", point="block", x=at[0], y=at[-1])
        return model.drive("rotation", body="block", angle=f"-({angle})")
    model.drive("position", point="block", x=at[0], y=0.0, z=at[-1])
    return model.drive("orientation", body="block", angles=[0.0, angle, 0.0], sequence="xyz")


both = pytest.mark.parametrize("d", [2, 3])


@both
@pytest.mark.parametrize("height", [0.0, 0.01, -3e-4])
def test_a_block_stands_with_a_uniform_pressure(d: int, height: float):
    """Wherever it is drawn: the layer is pressed by m g t / (K A)."""
    run = block(d, (*[0.0] * (d - 1), LEVEL + height), friction=BRISTLES).static()
    values = {name: run.array(f"sole.{name}")[0] for name in ("normal_force", "penetration", "area", "x")}
    assert values["normal_force"] == pytest.approx(MASS * G, rel=1e-9)
    assert values["penetration"] == pytest.approx(MASS * G * THICK / (K * AREA), rel=1e-7)
    assert values["area"] == pytest.approx(AREA, rel=1e-12) and abs(values["x"]) < 1e-9
    assert run.array("sole.strain")[0] == pytest.approx(MASS * G / (K * AREA), rel=1e-7)
    points = run.touching_points("sole")
    assert points.pressure.values == pytest.approx(MASS * G / AREA, rel=1e-6)
    assert float(points.area.sum()) == pytest.approx(AREA)
    cells = run.pressure("sole", cell=0.01)
    assert float(cells.sum()) * 0.01 ** (d - 1) * (WIDTH if d == 2 else 1.0) == pytest.approx(MASS * G, rel=1e-9)


def test_the_centre_of_pressure_is_below_the_weight():
    """Also on layers that differ from facet to facet, where the block leans."""
    mesh = gw.mesh.box((LENGTH, WIDTH, HEIGHT), (8, 6, 1))
    middles = mesh.nodes[mesh.boundary[mesh.sides_in("bottom")]].mean(axis=1)
    soft = 0.01 + 0.1 * np.abs(middles[:, 0] + 0.05)
    foundation = gw.surfaces.Foundation(
        "block", mesh, "bottom", thickness=soft, modulus=E * (1.0 + 4.0 * (middles[:, 1] > 0))
    )
    run = block(3, foundation=foundation, friction=BRISTLES).static()
    centre, mass = ([run.array(f"{of}.{x}")[0] for x in "xy"] for of in ("sole", "block"))
    assert run.array("sole.normal_force")[0] == pytest.approx(MASS * G, rel=1e-9)
    assert centre == pytest.approx(mass, abs=1e-6)
    pressure = run.touching_points("sole").pressure.values[0]
    assert pressure.max() > 2.0 * pressure.mean()


@both
@pytest.mark.parametrize(("depth", "angle"), [(1e-3, 0.0), (1e-3, 0.01), (4e-4, 0.02)])
def test_a_tilted_punch(d: int, depth: float, angle: float):
    """Force and moment about the middle of the bottom of a rigid punch, wholly or partly in contact; the last along x from
    where its layer lifts off. Middles of facets: 64 along it, of second order."""
    model = driven(d, ("0", f"{LEVEL * np.cos(angle) - depth}"), angle, cuts=64 if d == 2 else 32)
    run = model.kinematics(times=[0.0, 1.0])
    half, slope = LENGTH / 2 * np.cos(angle), np.tan(angle)
    low = -half if slope == 0 else max(-half, -depth / slope)  # where it lifts off
    wide = WIDTH * K / THICK / np.cos(angle)
    force = wide * (depth * (half - low) + slope * (half**2 - low**2) / 2)
    moment = wide * (depth * (half**2 - low**2) / 2 + slope * (half**3 - low**3) / 3)
    shift = LEVEL * np.sin(angle)  # the middle of the bottom lies behind that of the block
    assert run.array("sole.normal_force")[0] == pytest.approx(force, rel=1e-3)
    assert run.array("sole.x")[0] + shift == pytest.approx(moment / force, rel=4e-3, abs=1e-12)


def test_the_law_stiffens_and_damps():
    """p = K (d/t)^n (1 + c d') while it is pressed, and never less than nothing."""
    law = gw.laws.Winkler(damping=20.0, exponent=1.5)
    run = driven(3, ("0", f"{LEVEL} - 2e-3*sin(pi*t)"), law=law).kinematics(times=np.linspace(0.0, 1.0, 21))
    t = run.time
    eps, rate = 2e-3 * np.sin(np.pi * t) / THICK, 2e-3 * np.pi * np.cos(np.pi * t)
    expected = AREA * K * np.maximum(eps, 0.0) ** 1.5 * np.maximum(1.0 + 20.0 * rate, 0.0)
    assert run.array("sole.normal_force") == pytest.approx(expected, rel=1e-9, abs=1e-9)
    energy = run.energy()
    assert abs(float(energy["energy.residual"][-1])) < 1e-4 * float(energy["energy.dissipated"][-1])


@pytest.mark.parametrize("layered", ["plate", "ball"])
def test_a_ball_and_a_layer(layered: str):
    """F = pi K R d^2 / t, to a part d/R of it, with the layer on either body."""
    radius, depth = 0.05, 5e-4
    model = gw.Model("ball", dimension=3, gravity=(0, 0, 0))
    model.body("ball", mass=1.0, inertia=(1e-3,) * 3, at=(0, 0, radius))
    soft: dict[str, Any] = {"thickness": THICK, "modulus": E, "poisson": NU}
    a = np.sqrt(2 * radius * depth)
    if layered == "plate":
        x = np.linspace(-1.2 * a, 1.2 * a, 81)
        points = np.array([(u, v, 0.0) for u in x for v in x])
        found = gw.surfaces.Foundation("ground", points=points, areas=(x[1] - x[0]) ** 2, **soft)
        model.contact(found, gw.surfaces.Sphere("ball", radius), name="sole")
        sign = -1.0
    else:
        r, phi = np.meshgrid((np.arange(60) + 0.5) / 60 * 1.2 * a, 2 * np.pi * np.arange(48) / 48)
        points = np.stack([r * np.cos(phi), r * np.sin(phi), -np.sqrt(radius**2 - r**2)], axis=2).reshape(-1, 3)
        areas = (r * 0.02 * a * 2 * np.pi / 48).ravel()
        model.contact(
            gw.surfaces.Foundation("ball", points=points, areas=areas, **soft), gw.surfaces.PlaneGround(), name="sole"
        )
        sign = 1.0
    model.drive("position", point="ball", x=0, y=0, z=radius - depth)
    model.drive("orientation", body="ball", angles=[0, 0, 0], sequence="xyz")
    run = model.kinematics(times=[0.0, 1.0])
    assert sign * run.array("sole.fz")[0] == pytest.approx(
        np.pi * K * radius * depth**2 / THICK, rel=2 * depth / radius
    )


SLOPES = {"sticks": (0.3, 0.0), "slides": (0.6, G * (np.sin(0.6) - 0.5 * np.cos(0.6)))}


@both
@pytest.mark.parametrize(("slope", "acceleration"), SLOPES.values(), ids=SLOPES)
@pytest.mark.parametrize(
    "method", [{"method": "generalized-alpha", "step": 1e-3}, {"method": "radau5", "tolerance": 1e-7}]
)
def test_a_block_on_a_slope(d: int, slope: float, acceleration: float, method: dict[str, Any]):
    """Below the coefficient it stays, and its bristles carry the weight; above it slides by Coulomb's law."""
    down = (G * np.sin(slope), *([0.0] if d == 3 else []), -G * np.cos(slope))
    sunk = (*[0.0] * (d - 1), LEVEL - MASS * G * np.cos(slope) * THICK / (K * AREA))
    law = gw.laws.Winkler(damping=50.0)
    run = block(d, sunk, down, law=law, friction=BRISTLES, cuts=3).simulate(0.3, **method)
    speed, later = run.array("block.vx"), run.time > 0.1
    rate = np.polyfit(run.time[later], speed[later], 1)[0]
    assert rate == pytest.approx(acceleration, rel=2e-3, abs=0.02)
    tangential = run.array("sole.fx")[-1]
    assert tangential == pytest.approx(-MASS * min(G * np.sin(slope), 0.5 * G * np.cos(slope)), rel=0.02)
    energy = run.energy()
    assert float(np.abs(energy["energy.residual"]).max()) < 2e-3
    assert float(energy["sole.friction_loss"][-1]) >= -1e-9


def test_friction_takes_work_along_every_way():
    """On a belt, to and fro and on closed paths: sticking bristles return at most the energy that they received."""
    ways = {"belt": ("0", 0.2), "to and fro": ("0.01*sin(20*t)", 0.0), "both": ("0.003*sin(20*t)", 0.05)}
    for x, speed in ways.values():
        belt = gw.surfaces.PlaneGround(velocity=(speed, 0.0, 0.0))
        run = driven(3, (x, f"{LEVEL - 1e-3}"), surface=belt, friction=BRISTLES).kinematics(
            times=np.linspace(0, 1, 201)
        )
        loss = run.energy()["sole.friction_loss"].values
        normal = run.array("sole.normal_force")
        assert np.abs(run.array("sole.fx")).max() <= 0.5 * normal.max() * (1 + 1e-9)
        stored = (0.5 * normal.max()) ** 2 / (2 * E / (2 * (1 + NU)) / THICK * AREA)
        assert loss[-1] > 0.0 and np.diff(loss).min() > -stored


def test_turned_and_shifted():
    """Ground, gravity and block turned and shifted together: forces and places turn and shift with them."""
    slope, shift = 0.4, np.array([0.3, -0.2, 0.5])
    turn = np.array([[np.cos(slope), 0, np.sin(slope)], [0, 1, 0], [-np.sin(slope), 0, np.cos(slope)]])
    load = np.array([0.5, 0.3, -4.0])
    found = []
    for matrix, origin in ((np.eye(3), np.zeros(3)), (turn, shift)):
        normal = matrix @ (0.0, 0.0, 1.0)
        model = gw.Model("block", dimension=3, gravity=tuple(matrix @ (0.0, 0.0, -G)))
        turned: dict[str, Any] = {"orientation": {"axes": matrix.T.tolist()}}
        at = origin + matrix @ (0.0, 0.0, LEVEL)
        model.body("block", mass=MASS, inertia=INERTIA, at=tuple(at), points={"P": (0.01, 0.005, 0.0)}, **turned)
        a, b, c = normal.tolist()
        ground = gw.surfaces.Plane(a, b, c, -float(normal @ origin))
        model.contact(layer(3), ground, friction=BRISTLES, name="sole")
        run = model.force("force", at="block.P", value=(matrix @ load).tolist()).static()
        force, place, moment = (
            np.array([run.array(f"sole.{name}")[0] for name in names])
            for names in (("fx", "fy", "fz"), ("x", "y", "z"), ("mx", "my", "mz"))
        )
        found.append((force, place, moment, matrix, origin))
    (force, place, moment, _, _), (turned, moved, twisted, _, _) = found
    assert turned == pytest.approx(turn @ force, abs=1e-7) and twisted == pytest.approx(turn @ moment, abs=1e-8)
    assert moved == pytest.approx(turn @ place + shift, abs=1e-9)


GROUNDS = {
    "belt": lambda: gw.surfaces.PlaneGround(velocity=(0.3, 0.0, 0.0)),
    "heights": lambda: gw.surfaces.HeightField([[0.0] * 5] * 5, (0.1, 0.1), (-0.2, -0.2)),
    "mesh": lambda: gw.surfaces.MeshSurface(gw.mesh.box((0.4, 0.4, 0.1), (2, 2, 1)), at=(0.0, 0.0, -0.05)),
    "body": lambda: gw.surfaces.PlaneOfBody("ground.O", (0.0, 0.0, 1.0)),
}


@pytest.mark.parametrize("ground", GROUNDS)
def test_every_ground(ground: str):
    """Flat, they all press alike; a belt takes what stands on it along until it slides."""
    model = driven(3, ("0", f"{LEVEL - 1e-3}"), surface=GROUNDS[ground](), friction=BRISTLES)
    run = model.ground_point("O", 0, 0, 0).kinematics(times=np.linspace(0.0, 0.1, 11))
    force = K * AREA * 1e-3 / THICK
    assert run.array("sole.normal_force") == pytest.approx(force, rel=1e-9)
    assert run.array("sole.fx")[-1] == pytest.approx(0.5 * force if ground == "belt" else 0.0, rel=1e-6, abs=1e-9)


@both
def test_drives_feel_the_ground(d: int):
    """Inverse dynamics: the drive carries weight and pressure, and the friction that the way has built up."""
    model = driven(d, ("0.02*t", f"{LEVEL - 1e-3}"), friction=BRISTLES)
    run = model.inverse(times=np.linspace(0.0, 1.0, 51))
    up, along = (f"block.force_{x}" for x in ("z" if d == 3 else "y", "x"))
    force = K * AREA * 1e-3 / THICK
    assert run.array(up) == pytest.approx(MASS * G - force, rel=1e-9)
    assert run.array(along)[-1] == pytest.approx(0.5 * force, rel=1e-3)
    assert 0.0 < run.array(along)[1] < 0.5 * force  # sticks, creeps, slides
