"""Friction against closed solutions. A body that starts at its static penetration, K d^n = weight, and moves with the normal
velocity of the ground keeps a constant normal force. Then every friction law without memory is one equation for the slip,
and Coulomb's with its ramp is solved piece by piece (`contact_solutions.coulomb_slip`)."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from verification import contact_solutions as cs

G, K, RADIUS = cs.G, 1e6, 0.1
MU, V0, V1 = 0.3, 1e-3, 1e-2  # of Coulomb's law; the ramp is the default


class Plane:
    """Axes of a sloped ground: tangent and normal."""

    def __init__(self, slope: float):
        self.slope = slope
        self.tangent: Any = np.array([math.cos(slope), math.sin(slope)])
        self.normal: Any = np.array([-math.sin(slope), math.cos(slope)])

    def along(self, run: Any, body: str, x: str = "x", y: str = "y") -> np.ndarray:
        return run.array(f"{body}.{x}") * self.tangent[0] + run.array(f"{body}.{y}") * self.tangent[1]


def ball(
    slope: float, belt: tuple[float, float], speed: float, spin: float, mass: float, inertia: float, friction: Any
) -> tuple[gw.Model, Plane, float]:
    """A ball pressed by its weight into a sloped ground that moves with `belt`; the model, the plane and the load N."""
    plane, load = Plane(slope), mass * G * math.cos(slope)
    at = (RADIUS - cs.static_depth(load, K, 1.5)) * plane.normal
    velocity = speed * plane.tangent + float(plane.normal @ belt) * plane.normal
    model = gw.Model("ball").body("ball", mass=mass, inertia=inertia, at=at, velocity=velocity, spin=spin)
    ground = gw.surfaces.LineGround(slope=slope, velocity=belt)
    return (
        model.contact(
            gw.surfaces.Circle("ball", RADIUS), ground, law=gw.laws.Hertz(K), friction=friction, name="floor"
        ),
        plane,
        load,
    )


SPINNING = {
    # slope, velocity of the ground, speed along it, spin, mass, inertia: what happens
    "thrown uphill with backspin on a lift that runs along": (0.25, (0.4, 0.1), 2.0, -40.0, 1.3, 0.0065),
    "downhill with topspin, slip turns round": (0.25, (0.4, 0.1), -2.0, 40.0, 1.3, 0.0065),
    "laid on a belt that runs downhill": (-0.1, (-0.4, 0.0), 0.0, 0.0, 1.3, 0.004),
    "laid on a level belt": (0.0, (1.0, 0.0), 0.0, 0.0, 2.0, 0.008),
    "ring, steeper than it can roll": (0.6, (0.0, -0.2), 0.0, 0.0, 1.0, 0.01),
}
METHODS = {
    # error of the slip (m/s) where the ramp has its corners, which no fixed step meets
    "dopri5": ({"tolerance": 1e-11}, 5e-9),
    "radau5": ({"tolerance": 1e-10}, 2e-9),
    "rk4": ({"step": 1e-3}, 1e-4),
    "generalized-alpha": ({"step": 1e-3}, 5e-6),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("what", SPINNING)
def test_spinning_ball_on_sloped_moving_ground(what: str, method: str) -> None:
    """Sliding, the ramp, rolling (creeping in the ramp, as Coulomb's law here does): slip, speed, spin, path, heat, work."""
    slope, belt, speed, spin, mass, inertia = SPINNING[what]
    options, within = METHODS[method]
    model, plane, load = ball(slope, belt, speed, spin, mass, inertia, gw.friction.Coulomb(MU))
    run = model.simulate(1.2, method=method, **options)
    t, along = run.time, float(plane.tangent @ belt)
    pull, grip = -G * math.sin(slope), MU * load / mass
    first = speed + RADIUS * spin - along
    most = grip * (1 + mass * RADIUS**2 / inertia)
    exact = cs.coulomb_slip(t, first, pull, most, V0, V1)
    turned = mass * (speed**2 + along**2) + inertia * spin**2 + 1.0  # J, of the order of all energies here

    assert len(run.episodes) == 1 and np.isnan(run.episodes[0].end)
    np.testing.assert_allclose(run.array("floor.normal_force"), load, rtol=0, atol=2e-7)  # rounding of d times dF/dd
    np.testing.assert_allclose(run.array("floor.slip_velocity"), exact.slip, rtol=0, atol=within)
    np.testing.assert_allclose(plane.along(run, "ball", "vx", "vy"), speed + pull * t - grip * exact.grip, atol=within)
    np.testing.assert_allclose(
        run.array("ball.spin"), spin - MU * load * RADIUS / inertia * exact.grip, atol=within / RADIUS
    )
    pushed = (pull * t**2 / 2 - (exact.path - first * t)) / most
    np.testing.assert_allclose(plane.along(run, "ball"), speed * t + pull * t**2 / 2 - grip * pushed, atol=within)
    heat = MU * load * (pull * exact.path - (exact.slip**2 - first**2) / 2) / most
    np.testing.assert_allclose(run.array("floor.friction_loss"), heat, rtol=0, atol=within * turned)
    work = load * float(plane.normal @ belt) * t - MU * load * along * exact.grip
    np.testing.assert_allclose(run.array("floor.work"), work, rtol=0, atol=within * turned)
    # the rolling ball: acceleration g sin / (1 + J/(m R^2)), creeping with the slip that this takes
    if MU * math.cos(slope) * (1 + mass * RADIUS**2 / inertia) > abs(math.sin(slope)) and slope:
        assert plane.along(run, "ball", "ax", "ay")[-1] == pytest.approx(
            pull / (1 + inertia / (mass * RADIUS**2)), rel=1e-6
        )
        assert abs(exact.slip[-1]) == pytest.approx(V0 + abs(pull) * (V1 - V0) / most, rel=1e-6)
    else:
        assert slope in (0.0, 0.6)


def test_ground_force_acts_where_the_ball_is() -> None:
    """fx, fy, x, y: weight and friction in the ground frame, at the lowest point of the undeformed circle."""
    model, plane, load = ball(0.25, (0.4, 0.1), 2.0, -40.0, 1.3, 0.0065, gw.friction.Coulomb(MU))
    run = model.simulate(0.1, tolerance=1e-10)  # slides with negative slip all the time: friction pushes along +tangent
    force = load * plane.normal + MU * load * plane.tangent
    for k, axis in enumerate("xy"):
        np.testing.assert_allclose(run.array(f"floor.f{axis}"), force[k], rtol=1e-7)
        np.testing.assert_allclose(run.array(f"ground_reaction.f{axis}"), force[k], rtol=1e-7)
        foot = run.array(f"ball.{axis}") - RADIUS * plane.normal[k]
        np.testing.assert_allclose(run.array(f"floor.{axis}"), foot, rtol=0, atol=1e-14)
        np.testing.assert_allclose(run.array(f"ground_reaction.{axis}"), foot, rtol=0, atol=1e-14)
    np.testing.assert_allclose(run.array("floor.tangential_force"), MU * load, rtol=1e-7)


def test_slip_distance_is_the_integral_of_the_slip() -> None:
    model, plane, _ = ball(0.25, (0.4, 0.1), 2.0, -40.0, 1.3, 0.0065, gw.friction.Coulomb(MU))
    run = model.simulate(1.0, method="radau5", tolerance=1e-10)
    most = MU * G * math.cos(0.25) * (1 + 1.3 * RADIUS**2 / 0.0065)
    first = 2.0 - 4.0 - float(plane.tangent @ (0.4, 0.1))
    exact = -cs.coulomb_slip(run.time, first, -G * math.sin(0.25), most, V0, V1).path  # the slip keeps its sign
    np.testing.assert_allclose(run.array("floor.slip"), exact, rtol=0, atol=1e-8)
    assert run.episodes[0].slip == pytest.approx(exact[-1], abs=1e-8)


DISCS = {"disc": 0.5, "ring": 1.0, "sphere": 0.4, "heavy rim": 1.7, "nearly a point": 0.05}
FRICTIONS: dict[str, tuple[Any, float]] = {
    # the law, and the slip with which it leaves a ball rolling on the level
    "coulomb": (gw.friction.Coulomb(MU), V0),
    "smooth-coulomb": (gw.friction.SmoothCoulomb(MU), 0.0),
    "stribeck": (gw.friction.Stribeck(0.4, MU), 0.0),
    "brown-mcphee": (gw.friction.BrownMcPhee(0.4, MU), 0.0),
    "bristle": (gw.friction.Bristle(MU, stiffness=1e4, damping=100.0), 0.0),
}


@pytest.mark.parametrize("friction", FRICTIONS)
@pytest.mark.parametrize("what", DISCS)
def test_sliding_becomes_rolling(what: str, friction: str) -> None:
    """v = v0 / (1 + J/(m R^2)) (2/3 v0 for a disc) for every law: the moment about the ground is kept to rounding."""
    mass, speed, spin = 2.0, 3.0, -5.0
    inertia = DISCS[what] * mass * RADIUS**2
    law, left = FRICTIONS[friction]
    model, *_ = ball(0.0, (0.0, 0.0), speed, spin, mass, inertia, law)
    run = model.simulate(3.0, method="radau5", tolerance=1e-9, output_step=0)
    kept = mass * run.array("ball.vx") - inertia / RADIUS * run.array("ball.spin")
    np.testing.assert_allclose(kept, kept[0], rtol=1e-12)
    rolls = cs.rolling_speed(speed, spin, mass, inertia, RADIUS, slip=left)
    assert run.array("ball.vx")[-1] == pytest.approx(rolls, abs=1e-8)
    assert run.array("floor.slip_velocity")[-1] == pytest.approx(left, abs=1e-8)
    lost = mass * (speed**2 - rolls**2) / 2 + inertia * (spin**2 - ((left - rolls) / RADIUS) ** 2) / 2
    assert run.array("floor.friction_loss")[-1] == pytest.approx(lost, rel=1e-7)


def test_rolling_speed_of_a_disc_is_two_thirds() -> None:
    model, *_ = ball(0.0, (0.0, 0.0), 3.0, 0.0, 2.0, 2.0 * RADIUS**2 / 2, gw.friction.SmoothCoulomb(MU))
    run = model.simulate(2.0, method="radau5", tolerance=1e-10)
    assert run.array("ball.vx")[-1] == pytest.approx(2.0, abs=1e-9)
    exact = cs.smooth_slip(run.time, 3.0, 3 * MU * G, 5e-3)  # closed at all times
    np.testing.assert_allclose(run.array("floor.slip_velocity"), exact, rtol=0, atol=1e-8)


def _smooth(s: float) -> float:
    return 0.3 * math.tanh(s / 5e-3)


def _stribeck(s: float) -> float:
    return (0.3 + 0.2 * math.exp(-((s / 0.1) ** 2))) * math.tanh(s / 1e-3) + 0.05 * s


def _brown_mcphee(s: float) -> float:
    x = s / 1e-2
    return 0.3 * math.tanh(4 * x) + 0.2 * x / (x**2 / 4 + 0.75) ** 2


CURVES: dict[str, tuple[Any, Any]] = {
    # mu(s) as docs/theory/contact-laws.md prints it
    "smooth-coulomb": (gw.friction.SmoothCoulomb(0.3), _smooth),
    "stribeck": (gw.friction.Stribeck(0.5, 0.3, viscous=0.05), _stribeck),
    "brown-mcphee": (gw.friction.BrownMcPhee(0.5, 0.3), _brown_mcphee),
}


@pytest.mark.parametrize("slope", [0.1, -0.1, 0.35])
@pytest.mark.parametrize("name", CURVES)
def test_smooth_laws_on_a_slope(name: str, slope: float) -> None:
    """The equation of the slip alone, integrated separately: through braking, reversal and creeping."""
    law, coefficient = CURVES[name]
    mass, inertia = 1.3, 0.0065
    model, _, load = ball(slope, (0.2, 0.0), 1.0, 0.0, mass, inertia, law)
    run = model.simulate(0.6, method="radau5", tolerance=1e-11)
    scale = load * (1 / mass + RADIUS**2 / inertia)
    first = 1.0 - 0.2 * math.cos(slope)
    exact = cs.slip_motion(run.time, first, -G * math.sin(slope), lambda s: scale * coefficient(s))
    np.testing.assert_allclose(run.array("floor.slip_velocity"), exact, rtol=0, atol=5e-9)
    given = run.array("floor.tangential_force")
    np.testing.assert_allclose(
        given, [-load * coefficient(s) for s in exact], rtol=0, atol=1e-5 * load
    )  # dF/ds: 500 N s/m


def test_terminal_speed_of_stribeck_friction() -> None:
    """A point on a slope with a viscous film ends at the speed where mu(v) = tan(slope): mu_k + mu_v v, far above v_s."""
    slope = math.atan(0.5)
    plane, load = Plane(slope), 2.0 * G * math.cos(slope)
    model = gw.Model("slider").body("body", mass=2.0, inertia=1.0, at=-cs.static_depth(load, K, 1.5) * plane.normal)
    friction = gw.friction.Stribeck(0.45, 0.3, viscous=0.1)
    model.contact("body", gw.surfaces.LineGround(slope=slope), law=gw.laws.Hertz(K), friction=friction, name="floor")
    run = model.simulate(30.0, method="radau5", tolerance=1e-9)
    # e^(-mu_v g cos t) of the difference is left: e^-26
    assert plane.along(run, "body", "vx", "vy")[-1] == pytest.approx(-(0.5 - 0.3) / 0.1, rel=1e-8)


# Blocks -----------------------------------------------------------------------------------------------------------------

MASS, HALF, BELOW = 2.0, 0.2, 0.1


def block(slope: float, friction: Any, *, law: Any = None, sliding: float = 0.0, speed: float = 0.0) -> Any:
    """A block on two points in steady sliding with friction force -sliding N: model, plane and the stand."""
    plane = Plane(slope)
    stand = cs.sliding_block(K, 1.5, MASS * G * math.cos(slope), HALF, BELOW, sliding)
    model = gw.Model("block")
    model.body(
        "block", mass=MASS, inertia=0.03, at=stand.height * plane.normal, angle=slope + stand.tilt,
        velocity=speed * plane.tangent, points={"L": (-HALF, -BELOW), "R": (HALF, -BELOW)},
    )  # fmt: skip
    for foot in "LR":
        ground = gw.surfaces.LineGround(slope=slope)
        model.contact(f"block.{foot}", ground, law=law or gw.laws.Hertz(K), friction=friction, name=foot)
    return model, plane, stand


@pytest.mark.parametrize("speed", [-0.5, 0.5], ids=["down", "up"])
@pytest.mark.parametrize("method", ["dopri5", "rk4", "generalized-alpha"])
def test_block_slides_with_g_sin_minus_mu_cos(method: str, speed: float) -> None:
    """A steep slope. Downwards it accelerates with g (sin - mu cos), upwards it decelerates with g (sin + mu cos); the feet
    share the weight according to the moment of friction about the centre of mass."""
    slope, way = 0.5, math.copysign(1.0, speed)
    model, plane, stand = block(slope, gw.friction.Coulomb(MU), sliding=way * MU, speed=speed)
    acceleration = -G * (math.sin(slope) + way * MU * math.cos(slope))
    until = 1.0 if speed < 0 else 0.9 * speed / -acceleration  # not until it turns round
    how = {"tolerance": 1e-11} if method == "dopri5" else {"step": 1e-3}
    run = model.simulate(until, method=method, **how)
    exact = speed * run.time + acceleration * run.time**2 / 2
    place = plane.along(run, "block")
    np.testing.assert_allclose(place - place[0], exact, rtol=0, atol=1e-12)  # steady: rounding only
    for foot, force in zip("LR", stand.forces, strict=True):
        np.testing.assert_allclose(run.array(f"{foot}.normal_force"), force, rtol=0, atol=1e-6)
    assert (stand.forces[0] > 1.3 * stand.forces[1]) == (speed < 0) and stand.forces != (0.0, 0.0)  # the front foot


@pytest.mark.parametrize("part", [0.3, 0.9, 0.98, -0.9])
def test_block_sticks_below_arctan_mu(part: float) -> None:
    """100 s on bristles: drift below 1 mm while it settles (from feet without friction), and none after that.

    Dissipation lets it come to rest, so that Radau5 takes long steps."""
    mu = 0.6
    law, friction = gw.laws.MarhefkaOrin(K, dissipation=1.0), gw.friction.Bristle(mu, stiffness=1e6, damping=500.0)
    model, plane, _ = block(part * math.atan(mu), friction, law=law)
    run = model.simulate(100.0, method="radau5", tolerance=1e-6)
    place = plane.along(run, "block")
    assert abs(place - place[0]).max() < 1e-3
    late = run.time > 10.0
    assert np.ptp(place[late]) < 1e-9
    pull = run.array("L.tangential_force")[-1] + run.array("R.tangential_force")[-1]
    # required force; at the end both feet together, whatever their individual errors
    assert pull == pytest.approx(MASS * G * math.sin(part * math.atan(mu)), rel=1e-6)
    assert run.evidence.steps < 5000


@pytest.mark.parametrize("method", ["radau5", "rk4", "generalized-alpha"])
def test_bristles_hold_a_point_at_load_over_stiffness(method: str) -> None:
    """One foot below its centre of mass: the load m g sin stretches the bristles by load / k, and the ringing decays like
    that of a damped oscillator, z = load/k (1 - e^(-at) (cos wt + a/w sin wt))."""
    slope, k, c, mass = 0.3, 1e5, 200.0, 2.0
    plane, load = Plane(slope), mass * G * math.cos(slope)
    model = gw.Model("foot").body("foot", mass=mass, inertia=1.0, at=-cs.static_depth(load, K, 1.5) * plane.normal)
    friction = gw.friction.Bristle(0.9, stiffness=k, damping=c)
    model.contact("foot", gw.surfaces.LineGround(slope=slope), law=gw.laws.Hertz(K), friction=friction, name="floor")
    how = {"tolerance": 1e-9} if method == "radau5" else {"step": 1e-3, "tolerance": 1e-9}
    run = model.simulate(0.2, method=method, **how)
    a = c / (2 * mass)
    w = math.sqrt(k / mass - a**2)
    swing = 1 - np.exp(-a * run.time) * (np.cos(w * run.time) + a / w * np.sin(w * run.time))
    exact = -mass * G * math.sin(slope) / k * swing
    assert abs(exact).max() < 0.9 * load / k  # never gives way
    place = plane.along(run, "foot")
    np.testing.assert_allclose(place - place[0], exact, rtol=0, atol=2e-9)  # of 1e-4 m


def test_bristles_give_way_above_arctan_mu() -> None:
    """Above the limit it slides with g (sin - mu cos); the bristles lag by their stretch only."""
    slope, mu, mass = 0.5, 0.3, 2.0
    plane, load = Plane(slope), mass * G * math.cos(slope)
    model = gw.Model("foot").body("foot", mass=mass, inertia=1.0, at=-cs.static_depth(load, K, 1.5) * plane.normal)
    friction = gw.friction.Bristle(mu, stiffness=1e6, damping=100.0)
    model.contact("foot", gw.surfaces.LineGround(slope=slope), law=gw.laws.Hertz(K), friction=friction, name="floor")
    run = model.simulate(1.0, method="radau5", tolerance=1e-9)
    late = run.time > 0.1
    acceleration = plane.along(run, "foot", "ax", "ay")[late]
    np.testing.assert_allclose(acceleration, -G * (math.sin(slope) - mu * math.cos(slope)), rtol=1e-7)


@pytest.mark.parametrize("friction", FRICTIONS)
def test_conveyor_pays_twice(friction: str) -> None:
    """A body laid on a belt of speed u: the belt works m u^2, half of it heat, half kinetic energy, whatever the law.

    Laws that leave the slip s: m u (u - s) of work, (u - s)^2/2 of kinetic energy."""
    law, left = FRICTIONS[friction]
    mass, u = 3.0, 1.5
    model = gw.Model("parcel").body("parcel", mass=mass, inertia=1.0, at=(0.0, -cs.static_depth(mass * G, K, 1.5)))
    model.contact("parcel", gw.surfaces.LineGround(velocity=(u, 0.0)), law=gw.laws.Hertz(K), friction=law, name="belt")
    run = model.simulate(3.0, method="radau5", tolerance=1e-9)
    work, heat, kinetic = (run.array(n)[-1] for n in ("belt.work", "belt.friction_loss", "energy.kinetic"))
    end = u - left
    assert run.array("parcel.vx")[-1] == pytest.approx(end, abs=1e-8)
    assert work == pytest.approx(mass * u * end, rel=1e-7)
    assert kinetic == pytest.approx(mass * end**2 / 2, rel=1e-7)
    assert heat == pytest.approx(mass * (u * end - end**2 / 2), rel=1e-7)
    assert run.evidence.max_energy_residual < 1e-9 * work


def test_statics_is_independent_of_the_origin() -> None:
    """Bristles are straight in the drawn pose: a foot on a slope finds its equilibrium wherever it stands."""
    slope, k, mass = 0.3, 1e5, 2.0
    plane, load = Plane(slope), mass * G * math.cos(slope)
    for place in (0.0, 5.0):
        at = place * plane.tangent - cs.static_depth(load, K, 1.5) * plane.normal
        model = gw.Model("foot").body("foot", mass=mass, inertia=1.0, at=at)
        friction = gw.friction.Bristle(0.6, stiffness=k)
        model.contact(
            "foot", gw.surfaces.LineGround(slope=slope), law=gw.laws.Hertz(K), friction=friction, name="floor"
        )
        rest = model.static()
        assert plane.along(rest, "foot")[0] == pytest.approx(place - mass * G * math.sin(slope) / k, abs=1e-9)
        assert rest.array("floor.tangential_force")[0] == pytest.approx(mass * G * math.sin(slope), rel=1e-6)


HANGS: list[tuple[float, float, float, float, dict[str, Any]]] = [
    # mu, part of arctan(mu), stiffness and damping of the bristles, method: from 144 blocks, 9 of which once never ended
    (0.6, 0.98, 1e6, 500.0, {"method": "rosenbrock23", "tolerance": 1e-4}),
    (0.6, 0.99, 1086181.4106455173, 2000.0, {"method": "dopri5", "tolerance": 1e-4}),
    (0.3, 0.95, 2783492.4688912723, 20.0, {"method": "gauss2", "step": 1e-2}),
]


@pytest.mark.parametrize(("mu", "part", "stiffness", "damping", "how"), HANGS)
def test_run_with_two_feet_on_bristles_ends(mu: float, part: float, stiffness: float, damping: float, how: Any) -> None:
    """Both feet of one block turn round nearly together. A run of 2 s takes some milliseconds; here it is given a minute."""
    started = time.perf_counter()

    def give_up(_: float) -> None:
        if time.perf_counter() - started > 60.0:
            raise KeyboardInterrupt

    friction = gw.friction.Bristle(mu, stiffness=stiffness, damping=damping)
    model, *_ = block(part * math.atan(mu), friction)
    model.simulate(2e-2, **how)  # compiled before the clock runs
    started = time.perf_counter()
    run = model.simulate(2.0, progress=give_up, **how)
    assert not run.evidence.interrupted, f"{run.evidence.rejected} steps rejected, {run.evidence.steps} taken"
