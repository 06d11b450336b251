"""Contacts in space against closed forms, recomputed values, conservation laws and the plane."""

from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.geometry.rotation import matrix_of

G = 9.81
BALL = 0.4  # m R^2 of a solid sphere
TABLE_C = {  # recomputation of 004, law of Flores: restitution, then dmax (um), t_c (us), F_max (N), v_out (m/s)
    1.0: (1984.89191, 1318.3634, 12380.3616, 4.4294469),
    0.8: (1809.84936, 1357.2400, 11324.6410, 3.4906880),
    0.6: (1616.60835, 1432.3427, 11280.0393, 2.5530887),
    0.4: (1386.91405, 1603.2896, 12294.1965, 1.6016975),
    0.2: (1072.39255, 2170.4268, 15441.1823, 0.6815008),
}  # fmt: skip


def turned(seed):
    """A random rotation matrix."""
    q, r = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q * np.linalg.det(q)


def add_ball(model, name, centre, rotation=None, radius=0.1, mass=1.0, off=(0.0, 0.0, 0.0), **motion):
    """A solid sphere about `centre`; off: where that is in the body frame."""
    rotation = np.eye(3) if rotation is None else rotation
    at = np.asarray(centre, dtype=float) - rotation @ np.asarray(off, dtype=float)
    motion = {key: np.asarray(value, dtype=float).tolist() for key, value in motion.items()}
    inertia = BALL * mass * radius**2
    return model.body(
        name,
        mass=mass,
        inertia=[inertia] * 3,
        centre=list(off),
        at=at.tolist(),
        orientation={"axes": rotation.T.tolist()},
        **motion,
    )


def vectors(run, name, what):
    """An output with three components, (n_times, 3)."""
    return np.stack([run.array(f"{name}.{what}{axis}") for axis in "xyz"], axis=1)


def weight_depth(stiffness, mass=1.0, share=1.0):
    """Penetration under the weight by Hertz's law, m."""
    return (mass * G * share / stiffness) ** (2 / 3)


# Impacts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("restitution", TABLE_C)
def test_the_ball_of_flores_with_reference_points_elsewhere(restitution):
    """Paper 004 Eq 5.1 to 5.12: both bodies have tilted frames and reference points away from centre and surface."""
    ball, block = turned(1), turned(2)
    model = gw.Model("ball", dimension=3)
    model.ground_point("O", 0.4, -0.3, -0.2)
    model.body(
        "block",
        mass=1.0,
        inertia=[1.0, 1.0, 1.0],
        at=[0.4, -0.3, -0.2],
        orientation={"axes": block.T.tolist()},
        points={"top": (block.T @ [0.7, 0.1, 0.2]).tolist(), "O": [0.0, 0.0, 0.0]},
    )
    model.joint("fixed", a="ground.O", b="block.O")
    add_ball(model, "ball", [0.1, 0.2, 1.1], ball, off=(0.3, -0.2, 0.5))
    normal = (block.T @ [0.0, 0.0, 1.0]).tolist()
    law = gw.laws.Flores(stiffness=1.4e8, restitution=restitution)
    model.contact(gw.surfaces.Sphere("ball", 0.1), gw.surfaces.PlaneOfBody("block.top", normal), name="floor", law=law)
    run = model.simulate(until=0.455, tolerance=1e-10)
    first = run.episodes[0]
    found = (1e6 * first.max_penetration, 1e6 * first.duration, first.max_force, first.separation_speed)
    assert found == pytest.approx(TABLE_C[restitution], rel=5e-7)
    assert first.approach_speed == pytest.approx(np.sqrt(2 * G), rel=1e-8)
    assert run.evidence.max_energy_residual < 1e-6


def spinning_ball(dimension, **options):
    """A ball with spin that bounces, slips and rolls, in the plane x, y or in space with gravity along -y."""
    model = gw.Model("ball", dimension=dimension, gravity=(0, -G) if dimension == 2 else (0, -G, 0))
    law, friction = (
        gw.laws.HuntCrossley(stiffness=1e6, restitution=0.6),
        gw.friction.SmoothCoulomb(0.3, transition_speed=0.05),
    )
    if dimension == 2:
        model.body("ball", mass=1.0, inertia=0.004, at=(0, 0.3), velocity=(1.5, 0), spin=20.0)
        model.contact(
            gw.surfaces.Circle("ball", 0.1), gw.surfaces.LineGround(), name="floor", law=law, friction=friction
        )
    else:
        add_ball(model, "ball", (0, 0.3, 0), turned(3), velocity=(1.5, 0, 0), spin=(0, 0, 20.0))
        model.contact(
            gw.surfaces.Sphere("ball", 0.1), gw.surfaces.Plane(0, 1, 0, 0), name="floor", law=law, friction=friction
        )
    return model.simulate(until=0.5, method="radau5", tolerance=1e-12, output_step=0.05, **options)


def test_the_plane_in_space_is_the_plane():
    flat, space = spinning_ball(2), spinning_ball(3)
    for name, other, within in (
        ("x", "x", 1e-10), ("y", "y", 1e-10), ("vx", "vx", 1e-10), ("vy", "vy", 1e-9), ("spin", "wz", 1e-10),
    ):  # fmt: skip
        assert space.array(f"ball.{other}") == pytest.approx(flat.array(f"ball.{name}"), abs=within), name
    assert np.abs(space.array("ball.z")).max() < 1e-12
    for name, within in (
        ("slip", 1e-6),
        ("dissipated", 1e-8),
        ("friction_loss", 1e-8),
    ):  # the slip by the trapezoidal rule
        assert space.array(f"floor.{name}")[-1] == pytest.approx(flat.array(f"floor.{name}")[-1], rel=within), name
    assert [e.begin for e in space.episodes] == pytest.approx([e.begin for e in flat.episodes], abs=1e-10)
    assert len(space.episodes) >= 2


def test_two_balls_exchange_their_velocities():
    model = gw.Model("balls", dimension=3, gravity=(0, 0, 0))
    along = turned(4)[0]
    add_ball(model, "one", -0.15 * along, turned(5), velocity=2.0 * along)
    add_ball(model, "two", 0.1 * along, turned(6), off=(0.1, 0.2, 0.3))
    model.contact(
        gw.surfaces.Sphere("two", 0.1), gw.surfaces.Sphere("one", 0.1), name="hit", law=gw.laws.Hertz(stiffness=1e7)
    )
    run = model.simulate(until=0.1, tolerance=1e-10)
    assert vectors(run, "one", "v")[-1] == pytest.approx(np.zeros(3), abs=1e-7)
    assert vectors(run, "two", "v")[-1] == pytest.approx(2.0 * along, abs=1e-7)


def test_a_glancing_impact_keeps_momentum_and_angular_momentum():
    model = gw.Model("balls", dimension=3, gravity=(0, 0, 0))
    add_ball(model, "one", (-0.3, 0.02, 0.05), turned(5), velocity=(3.0, 0.1, -0.2), spin=(5.0, -20.0, 30.0), mass=2.0)
    add_ball(model, "two", (0.0, 0.0, 0.0), turned(6), radius=0.12, off=(0.1, 0.2, 0.3))
    law, friction = (
        gw.laws.HuntCrossley(stiffness=1e6, restitution=0.7),
        gw.friction.SmoothCoulomb(0.3, transition_speed=0.05),
    )
    model.contact(
        gw.surfaces.Sphere("two", 0.12), gw.surfaces.Sphere("one", 0.1), name="hit", law=law, friction=friction
    )
    run = model.simulate(until=0.15, tolerance=1e-10)
    momentum, angular = np.zeros(3), np.zeros(3)
    for name, mass, radius in (("one", 2.0, 0.1), ("two", 1.0, 0.12)):
        r, v, spin = (vectors(run, name, what) for what in ("", "v", "w"))
        momentum = momentum + mass * v
        angular = angular + mass * np.cross(r, v) + BALL * mass * radius**2 * spin
    assert np.ptp(momentum, axis=0).max() < 1e-8 and np.ptp(angular, axis=0).max() < 1e-8
    assert len(run.episodes) == 1 and np.isfinite(run.episodes[0].end)
    assert np.abs(vectors(run, "two", "w")[-1]).max() > 1.0  # friction has turned it
    assert run.evidence.max_energy_residual < 1e-6


# Sliding and rolling ------------------------------------------------------------------------------------------------

CASES = {
    "straight": ((1.0, 0.0), (0.0, 0.0, 0.0)),
    "diagonal": ((0.6, 0.8), (0.0, 0.0, 0.0)),
    "with spin": ((0.5, -0.7), (15.0, 5.0, 12.0)),
}


@pytest.mark.parametrize("case", CASES)
def test_a_ball_slides_then_rolls(case):
    """It rolls from t = 2 u / (7 mu g) on, with v = v0 - 2/7 u, u the slip at the start: 5/7 v0 without spin."""
    (vx, vy), spin = CASES[case]
    mu, stiffness, R = 0.3, 1e7, 0.1
    model = gw.Model("ball", dimension=3)
    depth = weight_depth(stiffness)
    add_ball(model, "ball", (0, 0, R - depth), turned(7), velocity=(vx, vy, 0), spin=spin, off=(0.02, 0.01, -0.03))
    friction = gw.friction.Coulomb(mu, v0=0.0, v1=1e-5)
    model.contact(
        gw.surfaces.Sphere("ball", R),
        gw.surfaces.PlaneGround(),
        name="floor",
        law=gw.laws.Hertz(stiffness=stiffness),
        friction=friction,
    )
    slip = np.array([vx, vy, 0.0]) + np.cross(spin, [0.0, 0.0, -R])
    rolls = float(2 * np.linalg.norm(slip) / (7 * mu * G))
    run = model.simulate(until=1.5 * rolls, method="radau5", tolerance=1e-9, output_step=rolls / 20)
    v, w, t = vectors(run, "ball", "v"), vectors(run, "ball", "w"), run.time
    final = np.array([vx, vy, 0.0]) - 2 / 7 * slip
    assert v[-1] == pytest.approx(final, abs=2e-6)
    assert w[-1] == pytest.approx(np.r_[np.cross([0, 0, 1 / R], final)[:2], spin[2]], abs=2e-5)
    sliding = t < 0.999 * rolls
    exact = np.array([vx, vy, 0.0]) - mu * G * t[sliding, None] * slip / np.linalg.norm(slip)
    assert v[sliding] == pytest.approx(exact, abs=1e-6)
    assert run.array("floor.slip_velocity")[np.searchsorted(t, 1.05 * rolls)] < 1e-5
    angular = BALL * R**2 * w + np.cross([0.0, 0.0, R], v)  # about any line of the ground
    assert np.ptp(angular[:, :2], axis=0).max() < 1e-8
    assert run.array("floor.friction_loss")[-1] == pytest.approx(slip @ slip / 7, rel=1e-4)
    assert run.array("floor.slip")[-1] == pytest.approx(np.linalg.norm(slip) ** 2 / (7 * mu * G), rel=1e-3)
    assert run.array("ground_reaction.fz") == pytest.approx(np.full(t.size, G), rel=1e-6)


def test_a_rolling_ball_circles_on_a_turntable():
    """With 2/7 of the speed of the table, whatever its place and velocity (e.g. E. J. Routh, 1905)."""
    omega, R, stiffness = 4.0, 0.05, 1e6
    model = gw.Model("turntable", dimension=3)
    model.ground_point("O", 0, 0, 0)
    model.body("table", mass=1.0, inertia=[1.0, 1.0, 1.0], points={"O": [0, 0, 0]})
    model.joint("revolute", a="ground.O", b="table.O", axis=[0, 0, 1], name="bearing")
    model.drive("rotation", joint="bearing", angle=f"{omega}*t")
    place, velocity = np.array([0.3, 0.0]), np.array([0.1, -0.2])
    # rolling at the start: v - R spin x e_z = omega e_z x r
    slip = velocity - omega * np.array([-place[1], place[0]])
    spin = np.array([-slip[1], slip[0], 0.0]) / R
    add_ball(model, "ball", (*place, R - weight_depth(stiffness)), radius=R, velocity=(*velocity, 0), spin=spin)
    model.contact(
        gw.surfaces.Sphere("ball", R),
        gw.surfaces.PlaneOfBody("table.O", (0, 0, 1)),
        name="rolling",
        law=gw.laws.Hertz(stiffness=stiffness),
        friction=gw.friction.Bristle(0.5, stiffness=1e6, damping=500.0),
    )
    run = model.simulate(until=2.0, method="radau5", tolerance=1e-7, output_step=0.1)
    slow, t = 2 / 7 * omega, run.time
    centre = place + np.array([-velocity[1], velocity[0]]) / slow
    arm, c, s = place - centre, np.cos(slow * t), np.sin(slow * t)
    exact = centre + np.stack([c * arm[0] - s * arm[1], s * arm[0] + c * arm[1]], axis=1)
    assert vectors(run, "ball", "")[:, :2] == pytest.approx(exact, abs=2e-6)


# Standing still -----------------------------------------------------------------------------------------------------


STIFF = 1e5


def stool(slope, friction, **fields):
    """Three feet on a plane that rises towards x + y; the drawn pose is that of the weight on all feet alike."""
    n = np.array([-np.sin(slope) * 0.6, -np.sin(slope) * 0.8, np.cos(slope)])
    up = np.array([0.6 * np.cos(slope), 0.8 * np.cos(slope), np.sin(slope)])
    rotation = np.stack([up, np.cross(n, up), n], axis=1)
    angles = 2 * np.pi * np.arange(3) / 3
    feet: dict[str, Any] = {f"f{k}": [0.2 * np.cos(x), 0.2 * np.sin(x), -0.01] for k, x in enumerate(angles)}
    model = gw.Model("stool", dimension=3)
    at = (0.01 - G * np.cos(slope) / 3 / STIFF) * n
    model.body("seat", mass=1.0, inertia=[0.02, 0.02, 0.03], at=at.tolist(), orientation={"axes": rotation.T.tolist()},
               points=feet)  # fmt: skip
    law = gw.laws.KelvinVoigt(stiffness=STIFF, damping=100.0)
    plane = gw.surfaces.Plane(n[0], n[1], n[2], 0.0)
    model.contact([f"seat.{foot}" for foot in feet], plane, name="feet", law=law, friction=friction, **fields)
    return model, n, up


def test_bristles_hold_a_stool_below_the_angle_of_friction():
    slope, k, c = 0.3, 1e5, 200.0
    model, _, up = stool(slope, gw.friction.Bristle(0.4, stiffness=k, damping=c))
    run = model.simulate(until=2.0, method="radau5", tolerance=1e-8, output_step=0.1)
    r = vectors(run, "seat", "")
    assert np.abs(r[-1] - r[-5]).max() < 1e-8  # no creep
    # the bristles carry g sin(slope): about that much over three k below where they stood straight
    assert (r[-1] - r[0]) @ up == pytest.approx(-G * np.sin(slope) / (3 * k), rel=0.2)
    force = vectors(run, "feet", "f")[-1]
    assert force == pytest.approx([0, 0, G], abs=1e-5)
    assert vectors(run, "feet", "tangential_")[-1] == pytest.approx(G * np.sin(slope) * up, abs=1e-5)
    assert run.array("ground_reaction.mz")[-1] == pytest.approx(0.0, abs=1e-6)


def test_statics_of_a_stool_on_bristles():
    slope, k = 0.3, 1e5
    model, _, up = stool(slope, gw.friction.Bristle(0.4, stiffness=k))
    run = model.static()
    assert vectors(run, "feet", "f")[-1] == pytest.approx([0, 0, G], abs=1e-6)
    moved = vectors(run, "seat", "")[-1] - np.array(model.document.bodies[0].at)
    # down the slope by the load over three bristles, and by the tilt of the seat about its feet
    assert moved @ up == pytest.approx(-G * np.sin(slope) / (3 * k), rel=0.25)
    upper = run.array("feet:1.normal_force")[-1], run.array("feet:2.normal_force")[-1]
    assert upper[0] < upper[1]  # the weight leans on the lower feet
    lever = 0.01  # of the centre of mass above the feet: 3/2 * 0.2 m between the first foot and the line of the others
    assert upper[0] == pytest.approx(G * np.cos(slope) / 3 - G * np.sin(slope) * lever / 0.3, rel=2e-3)


def test_a_stool_slides_above_the_angle_of_friction():
    slope, mu = 0.3, 0.2
    model, _, up = stool(slope, gw.friction.Bristle(mu, stiffness=1e6, damping=100.0))
    run = model.simulate(until=0.5, tolerance=1e-8, output_step=0.05)
    v = vectors(run, "seat", "v") @ up
    gain = (v[-1] - v[4]) / (run.time[-1] - run.time[4])
    assert gain == pytest.approx(-G * (np.sin(slope) - mu * np.cos(slope)), rel=2e-3)


def test_the_world_may_be_turned():
    """The same experiment, turned as a whole, gives the turned result."""
    found = []
    for rotation in (np.eye(3), turned(8)):
        model = gw.Model("ball", dimension=3, gravity=(rotation @ [0, 0, -G]).tolist())
        velocity, spin = rotation @ [1.0, 0.4, -0.5], rotation @ [3.0, -20.0, 7.0]
        add_ball(model, "ball", rotation @ [0, 0, 0.15], rotation @ turned(9), velocity=velocity, spin=spin)
        law, friction = (
            gw.laws.HuntCrossley(stiffness=1e5, restitution=0.6),
            gw.friction.Bristle(0.3, stiffness=1e4, damping=5.0),
        )
        plane = gw.surfaces.Plane(rotation[0, 2], rotation[1, 2], rotation[2, 2], 0.0)
        model.contact(gw.surfaces.Sphere("ball", 0.1), plane, name="floor", law=law, friction=friction)
        run = model.simulate(until=0.3, step=1e-4, method="rk4", every=500)
        states = [vectors(run, "ball", what) @ rotation for what in ("", "v", "w")]
        states.append(vectors(run, "floor", "f") @ rotation)
        found.append(np.hstack(states))
    assert found[1] == pytest.approx(found[0], abs=1e-8)
    assert np.abs(found[0][:, 9:]).max() > 1.0


# Surfaces -----------------------------------------------------------------------------------------------------------


def test_a_belt_carries_a_block():
    """Friction brings a sliding point mass to the velocity of the belt; the belt does the work."""
    mu, speed, stiffness = 0.3, np.array([0.6, -0.8, 0.0]), 1e6
    model = gw.Model("belt", dimension=3)
    model.body("block", mass=1.0, inertia=[1.0, 1.0, 1.0], at=(0, 0, -weight_depth(stiffness)))
    surface = gw.surfaces.PlaneGround(velocity=speed.tolist())
    friction = gw.friction.Coulomb(mu, v0=0.0, v1=1e-4)
    model.contact("block", surface, name="belt", law=gw.laws.Hertz(stiffness=stiffness), friction=friction)
    run = model.simulate(until=0.6, method="radau5", tolerance=1e-9, output_step=0.05)
    v, t = vectors(run, "block", "v"), run.time
    exact = np.minimum(mu * G * t, 1.0)[:, None] * speed
    assert v == pytest.approx(exact, abs=1e-4)
    assert run.array("belt.work")[-1] == pytest.approx(1.0, rel=1e-3)  # half of it is lost, half is kinetic
    assert run.array("belt.friction_loss")[-1] == pytest.approx(0.5, rel=1e-3)
    assert run.evidence.max_energy_residual < 1e-6


def bowl(radius, curvature=0.8, spacing=0.1, half=10):
    """Heights of a paraboloid, which a bicubic spline meets exactly."""
    x = spacing * np.arange(-half, half + 1)
    z = curvature / 2 * (x[:, None] ** 2 + x[None, :] ** 2)
    return gw.surfaces.HeightField(z.tolist(), (spacing, spacing), (float(x[0]), float(x[0])))


def test_a_point_glides_in_a_bowl():
    """Without friction the energy stays, the angular momentum about the axis too, and small circles have sqrt(g curvature)."""
    curvature, r, stiffness = 0.8, 0.05, 1e6
    speed = r * np.sqrt(G * curvature)
    model = gw.Model("bowl", dimension=3)
    z = curvature * r**2 / 2 - weight_depth(stiffness)
    model.body("mass", mass=1.0, inertia=[1.0, 1.0, 1.0], at=(r, 0, z), velocity=(0, speed, 0))
    model.contact("mass", bowl(0.0, curvature), name="bowl", law=gw.laws.Hertz(stiffness=stiffness))
    run = model.simulate(until=3.0, tolerance=1e-9, output_step=0.05)
    p, v, t = vectors(run, "mass", ""), vectors(run, "mass", "v"), run.time
    assert np.hypot(p[:, 0], p[:, 1]) == pytest.approx(np.full(t.size, r), abs=2e-5)
    angle = np.unwrap(np.arctan2(p[:, 1], p[:, 0]))
    assert angle[-1] / t[-1] == pytest.approx(np.sqrt(G * curvature), rel=1e-3)
    assert np.ptp(np.cross(p, v)[:, 2]) < 1e-8
    assert run.evidence.max_energy_residual < 1e-7


def test_a_ball_on_a_slope_of_heights_rolls_as_on_a_plane():
    """z = a x + b y: heights, moved outwards by the radius, are the same plane."""
    a, b, R, found = 0.2, -0.1, 0.1, []
    x = 0.25 * np.arange(-4, 13)
    heights = gw.surfaces.HeightField((a * x[:, None] + b * x[None, :]).tolist(), (0.25, 0.25), (-1.0, -1.0))
    n = np.array([-a, -b, 1.0]) / np.sqrt(1 + a * a + b * b)
    for surface in (heights, gw.surfaces.Plane(-a, -b, 1.0, 0.0)):
        model = gw.Model("ball", dimension=3)
        add_ball(model, "ball", (R + 0.001) * n, velocity=(0.2, 0.3, 0.0))
        law, friction = (
            gw.laws.HuntCrossley(stiffness=1e5, restitution=0.5),
            gw.friction.SmoothCoulomb(0.5, transition_speed=0.05),
        )
        model.contact(gw.surfaces.Sphere("ball", R), surface, name="slope", law=law, friction=friction)
        run = model.simulate(until=0.5, tolerance=1e-9, output_step=0.1)
        found.append(np.hstack([vectors(run, "ball", what) for what in ("", "v", "w")]))
    assert found[0] == pytest.approx(found[1], abs=1e-6)
    assert np.abs(found[0][-1, 6:]).max() > 1.0


# Rigid contact ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["pgs", "lemke"])
def test_the_method_moreau_slides_then_rolls(solver, tolerance=2e-3):
    mu, velocity = 0.3, np.array([0.6, 0.8, 0.0])
    model = gw.Model("ball", dimension=3)
    add_ball(model, "ball", (0, 0, 0.1), turned(7), velocity=velocity)
    model.contact(
        gw.surfaces.Sphere("ball", 0.1),
        gw.surfaces.PlaneGround(),
        name="floor",
        restitution=0.0,
        friction=gw.friction.Coulomb(mu),
    )
    rolls = 2 / (7 * mu * G)
    run = model.simulate(until=2 * rolls, method="moreau", step=rolls / 400, complementarity=solver)
    v = vectors(run, "ball", "v")
    assert v[-1] == pytest.approx(5 / 7 * velocity, abs=tolerance)
    half = np.searchsorted(run.time, rolls / 2)
    assert v[half] == pytest.approx((1 - 1 / 7) * velocity, abs=tolerance)
    assert v[-1] == pytest.approx(v[-50], abs=1e-9)  # rolls on
    assert run.array("floor.fz")[-1] == pytest.approx(G, rel=1e-6)
    assert vectors(run, "floor", "f")[half, :2] == pytest.approx(-mu * G * velocity[:2], rel=1e-6)


def test_the_method_moreau_rests_and_slides_on_a_slope():
    for mu, slope in ((0.4, 0.3), (0.2, 0.3)):
        model, n, up = stool(slope, gw.friction.Coulomb(mu), restitution=0.0)
        run = model.simulate(until=0.4, method="moreau", step=1e-3, complementarity="pgs")
        v = vectors(run, "seat", "v")[-1]
        gain = max(np.sin(slope) - mu * np.cos(slope), 0.0)
        assert v == pytest.approx(-0.4 * G * gain * up, abs=5e-3)
        assert vectors(run, "feet", "f")[-1] @ n == pytest.approx(G * np.cos(slope), rel=1e-3)


# Methods ------------------------------------------------------------------------------------------------------------


def test_generalized_alpha_follows_the_bounce():
    """Implicit, with the exact tangents: the ball with spin as by radau5."""
    exact = spinning_ball(3)
    model = gw.Model("ball", dimension=3, gravity=(0, -G, 0))
    add_ball(model, "ball", (0, 0.3, 0), turned(3), velocity=(1.5, 0, 0), spin=(0, 0, 20.0))
    law, friction = (
        gw.laws.HuntCrossley(stiffness=1e6, restitution=0.6),
        gw.friction.SmoothCoulomb(0.3, transition_speed=0.05),
    )
    model.contact(
        gw.surfaces.Sphere("ball", 0.1), gw.surfaces.Plane(0, 1, 0, 0), name="floor", law=law, friction=friction
    )
    run = model.simulate(until=0.5, method="generalized-alpha", step=1e-3, tolerance=1e-7, every=50)
    assert vectors(run, "ball", "v")[-1] == pytest.approx(vectors(exact, "ball", "v")[-1], abs=2e-3)
    assert matrix_of(run.motion.q[-1:, :12])[0] == pytest.approx(matrix_of(exact.motion.q[-1:, :12])[0], abs=2e-2)


def test_a_driven_foot_is_pressed_into_the_ground():
    """Kinematic: the drives prescribe the motion, the contact its force."""
    model = gw.Model("foot", dimension=3)
    model.ground_point("O", 0, 0, 0)
    model.body("foot", mass=1.0, inertia=[1.0, 1.0, 1.0], at=(0, 0, 0.05), points={"heel": [0, 0, 0]})
    model.joint("prismatic", a="ground.O", b="foot.heel", axis=[0, 0, 1], name="guide")
    model.drive("translation", joint="guide", displacement="0.05*cos(2*pi*t)")
    model.contact("foot.heel", gw.surfaces.PlaneGround(), name="heel", law=gw.laws.Hertz(stiffness=1e4))
    run = model.kinematics(until=1.0, step=0.01)
    lowest = np.argmin(run.array("foot.z"))
    assert run.array("heel.normal_force")[lowest] == pytest.approx(1e4 * 0.05**1.5, rel=1e-6)
    assert [e.begin for e in run.episodes] == pytest.approx([0.25], abs=1e-6)


def test_bristles_turn_with_a_slip_that_swings_round():
    """Balls that bounce in hollows: their slip swings round their bristles. An event at every passage through a right angle
    once stopped this run at 0.65 s, in ever shorter steps."""
    x = 0.1 * np.arange(-12, 13)
    z = 0.15 * np.sin(3 * x)[:, None] * np.cos(3 * x)[None, :] + 0.1 * x[:, None]
    model = gw.Model("terrain", dimension=3)
    law, friction = (
        gw.laws.HuntCrossley(stiffness=1e5, restitution=0.5),
        gw.friction.Bristle(0.5, stiffness=1e4, damping=20.0),
    )
    for k, (a, b) in enumerate(((0.5, 0.3), (-0.3, 0.6), (0.6, -0.6))):
        add_ball(model, f"b{k}", (a, b, 0.6), velocity=(-0.3, 0, 0))
        terrain = gw.surfaces.HeightField(z.tolist(), (0.1, 0.1), (-1.2, -1.2))
        model.contact(gw.surfaces.Sphere(f"b{k}", 0.1), terrain, name=f"t{k}", law=law, friction=friction)
    run = model.simulate(until=0.8, output_step=0.01)
    assert run.time[-1] == 0.8 and len(run.episodes) >= 6
    assert run.evidence.max_energy_residual < 1e-5


def sliding_box(up):
    """A box that slides and spins on four corners, with z or y up: (x, y, z) becomes (x, z, -y)."""
    drawn = (lambda v: [v[0], v[2], -v[1]]) if up == "y" else list
    model = gw.Model("box", dimension=3, gravity=drawn([0.0, 0.0, -G]))
    corners = {
        f"c{k}": drawn([x, y, -0.1])
        for k, (x, y) in enumerate(((-0.15, -0.1), (0.15, -0.1), (0.15, 0.1), (-0.15, 0.1)))
    }
    inertia = [0.05, 0.08, 0.07] if up == "y" else [0.05, 0.07, 0.08]
    motion = {"velocity": drawn([0.5, 0.2, 0.0]), "spin": drawn([0.0, 0.0, 3.0])}
    model.body("box", mass=5.0, inertia=inertia, at=drawn([0.0, 0.0, 0.101]), points=corners, **motion)
    law, friction = gw.laws.HuntCrossley(stiffness=1e5, restitution=0.3), gw.friction.Coulomb(0.4)
    ground = gw.surfaces.Plane(*drawn([0.0, 0.0, 1.0]), 0.0)
    model.contact([f"box.{corner}" for corner in corners], ground, law=law, friction=friction, name="sole")
    return model.simulate(until=0.06, method="radau5", tolerance=1e-9, output_step=0.01)


def test_the_free_moment_is_that_of_all_forces_about_the_centre_of_pressure():
    vertical = {}
    for up, axis in (("z", 2), ("y", 1)):
        run = sliding_box(up)
        centre = vectors(run, "ground_reaction", "")[-1]
        parts = [(vectors(run, f"sole:{k}", "")[-1], vectors(run, f"sole:{k}", "f")[-1]) for k in (1, 2, 3, 4)]
        moment = sum(np.cross(place - centre, force) for place, force in parts if np.any(force))
        assert vectors(run, "ground_reaction", "m")[-1] == pytest.approx(moment, abs=1e-9)
        vertical[up] = moment[axis]
    assert abs(vertical["z"]) > 0.1 and vertical["y"] == pytest.approx(vertical["z"], abs=1e-6)
