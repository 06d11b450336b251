"""Contact geometry: circle on circle, moving segments and faces, terrain with corners, many contacts at once.

Exact if the model itself has a closed solution (constant penetration, central impact, statics); otherwise against an
independent integration of the printed geometry, or against rigid mechanics with an error of the order of the
penetration."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gaitwright as gw
from verification import analytical as an
from verification import contact_solutions as cs

G = cs.G
TIGHT: dict[str, Any] = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-13}


# Circle on circle -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_planet_spins_up_until_it_rolls(way: float) -> None:
    """An arm turns with W and carries a planet that is pressed on a fixed sun by 1 mm. Friction spins it up: slip
    R_p w - a W falls with mu N R_p^2 / J, until w = W a/R_p as in an epicyclic gear, a being the distance of the centres;
    meanwhile the drive turns against mu N a."""
    sun, planet, depth, K, mu, W, mass, inertia = 0.3, 0.1, 1e-3, 1e6, 0.3, 2.0 * way, 0.5, 0.004
    arm = sun + planet - depth
    model = gw.Model("epicyclic", gravity=(0.0, 0.0)).ground_point("O", 0, 0).point("P", arm, 0)
    model.link("arm", "O", "P", mass=0.2).body("planet", mass=mass, inertia=inertia, at=(arm, 0.0))
    model.joint.revolute("arm.P", "planet", name="pin").drive.rotation("arm", f"{W}*t", name="drive")
    model.contact(
        gw.surfaces.Circle("planet", planet),
        gw.surfaces.Circle("ground.O", sun),
        law=gw.laws.Hertz(K),
        friction=gw.friction.Coulomb(mu),
        name="mesh",
    )
    run = model.simulate(1.0, method="radau5", tolerance=1e-10)
    load, first = K * depth**1.5, -arm * W
    exact = cs.coulomb_slip(run.time, first, 0.0, mu * load * planet**2 / inertia, 1e-3, 1e-2)
    np.testing.assert_allclose(run.array("mesh.normal_force"), load, rtol=1e-9)
    np.testing.assert_allclose(run.array("mesh.slip_velocity"), exact.slip, rtol=0, atol=1e-8)
    spin = (exact.slip + arm * W) / planet
    np.testing.assert_allclose(run.array("planet.spin"), spin, rtol=0, atol=1e-7)
    assert run.array("planet.spin")[-1] == pytest.approx(W * arm / planet, abs=1e-3 / planet + 1e-6)
    sliding = np.abs(exact.slip) > 1.1e-2
    torque = way * mu * load * arm
    np.testing.assert_allclose(run.array("drive.torque")[sliding], torque, rtol=1e-9)
    # drive work = heat + energy of the spin
    heat, work = run.array("mesh.friction_loss")[-1], run.array("drive.work")[-1]
    assert work == pytest.approx(heat + inertia * run.array("planet.spin")[-1] ** 2 / 2, rel=1e-8)


def on_a_hill(K: float, friction: Any = None) -> tuple[gw.Model, tuple[float, float]]:
    """A disc of 0.1 m at rest on a fixed circle of 0.3 m, 0.1 rad from its top, at the static penetration; its place."""
    arm = HILL + DISC - cs.static_depth(G * math.cos(START), K, 1.5)
    at = (arm * math.sin(START), arm * math.cos(START))
    model = gw.Model("hill").ground_point("O", 0.0, 0.0).body("disc", mass=1.0, inertia=DISC**2 / 2, at=at)
    model.contact(
        gw.surfaces.Circle("disc", DISC),
        gw.surfaces.Circle("ground.O", HILL),
        law=gw.laws.Hertz(K),
        friction=friction,
        name="hill",
    )
    return model, at


HILL, DISC, START = 0.3, 0.1, 0.1


def test_body_slides_off_a_round_hill() -> None:
    """Point of separation: independent integration of the same elastic contact; and cos = 2/3 cos(start) of rigid
    mechanics, which is approached slowly (3e-3 rad at 1e9 N/m^1.5, 4e-4 at 1e12), as Hertz' contact gets soft when the
    force vanishes."""
    K = 1e9
    model, at = on_a_hill(K)
    run = model.simulate(1.0, method="radau5", tolerance=1e-10)

    def motion(_: float, y: Any) -> Any:
        distance = math.hypot(y[0], y[1])
        push = K * max(HILL + DISC - distance, 0.0) ** 1.5 / distance
        return [y[2], y[3], push * y[0], push * y[1] - G]

    def off(_: float, y: Any) -> float:
        return math.hypot(y[0], y[1]) - HILL - DISC

    off.terminal, off.direction = True, 1  # type: ignore
    path = solve_ivp(motion, (0, 1), [*at, 0.0, 0.0], events=off, **TIGHT)
    state = run.at(run.episodes[0].end)
    angle = math.atan2(state.q[0, 0], state.q[0, 1])
    assert run.episodes[0].end == pytest.approx(
        path.t[-1], abs=5e-7
    )  # the force vanishes like a power: a flat crossing
    assert angle == pytest.approx(math.atan2(path.y[0, -1], path.y[1, -1]), abs=2e-6)
    assert angle == pytest.approx(math.acos(math.cos(cs.leaving_angle(0.0)) * math.cos(START)), abs=4e-3)
    assert run.array("disc.spin")[-1] == 0.0


def test_disc_rolls_off_a_round_hill() -> None:
    """Rolling it leaves at cos = 4/7 cos(start); mu = 20 slips only on the last 1/20 of the force. Rigid, as above."""
    model, _ = on_a_hill(1e9, gw.friction.Bristle(20.0, stiffness=1e7, damping=300.0))
    run = model.simulate(1.0, method="radau5", tolerance=1e-9)
    leaves = run.episodes[0].end
    state = run.at(leaves)
    exact = math.acos(math.cos(cs.leaving_angle(0.5)) * math.cos(START))
    assert math.atan2(state.q[0, 0], state.q[0, 1]) == pytest.approx(exact, abs=5e-3)
    # until shortly before it leaves: spin of a disc that rolls on a circle, (R + r)/r times the rate of the arm
    k = int(np.searchsorted(run.time, 0.8 * leaves))
    x, y, vx, vy = (run.array(f"disc.{name}")[k] for name in ("x", "y", "vx", "vy"))
    assert run.array("disc.spin")[k] == pytest.approx(
        (x * vy - y * vx) / (x * x + y * y) * (HILL + DISC) / DISC, rel=1e-4
    )


# Segments and faces of moving bodies ------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [1.0, -1.0], ids=["from above", "from below"])
@pytest.mark.parametrize("e", [0.4, 1.0])
def test_ball_hits_a_driven_bar(e: float, side: float) -> None:
    """A bar is driven with 0.7 m/s towards the ball: infinite mass, v' = u + e_out (u - v)."""
    u, v, mass, K = 0.7, -1.5, 0.8, 2e6
    model = gw.Model("racket", gravity=(0.0, 0.0)).ground_point("O", 0.0, 0.0)
    model.body("bar", mass=1.0, inertia=0.1, at=(0.0, 0.0), points={"A": (-0.5, 0.0), "B": (0.5, 0.0)})
    model.joint.prismatic("ground.O", "bar", (0, 1), name="guide").drive.position(
        "bar", y=f"{side * u}*t", name="drive"
    )
    model.body("ball", mass=mass, inertia=0.01, at=(0.2, side * 0.15), velocity=(0.3, side * v))
    law = gw.laws.HuntCrossley(K, restitution=e)
    model.contact(gw.surfaces.Circle("ball", 0.1), gw.surfaces.Segment("bar.A", "bar.B"), law=law, name="hit")
    run = model.simulate(0.1, method="radau5", tolerance=1e-10)
    exact = cs.free_impact(cs.FACTORS["hunt-crossley"](e), stiffness=K, exponent=1.5, mass=mass, approach=u - v)
    (episode,) = run.episodes
    found = (episode.max_penetration, episode.duration, episode.max_force, episode.separation_speed, episode.dissipated)
    assert found == pytest.approx((*exact[:4], exact.loss), rel=1e-8, abs=1e-9)
    assert run.array("ball.vy")[-1] == pytest.approx(side * (u + exact.separation), rel=1e-9)
    assert run.array("ball.vx")[-1] == pytest.approx(0.3, abs=1e-12)
    # the drive pays: its work is impulse times speed
    assert run.array("drive.work")[-1] == pytest.approx(u * mass * (u - v) * (1 + exact.restitution), rel=1e-8)


def test_ball_is_struck_by_a_turning_bar() -> None:
    """A bar on a pin is driven with 3 rad/s, and strikes a resting ball: the line turns while it pushes. Own integration of
    m r'' = F n with gap = n . r - R, n = (-sin wt, cos wt); the drive's torque is F times the place along the bar."""
    w, R, K, mass, start = 3.0, 0.1, 1e5, 0.8, (0.6, 0.25)
    model = gw.Model("bat", gravity=(0.0, 0.0)).ground_point("O", 0.0, 0.0).point("P", 1.0, 0.0)
    model.link("bat", "O", "P", mass=0.5).drive.rotation("bat", f"{w}*t", name="drive")
    model.body("ball", mass=mass, inertia=0.01, at=start)
    model.contact(
        gw.surfaces.Circle("ball", R), gw.surfaces.Segment("bat.O", "bat.P"), law=gw.laws.Hertz(K), name="hit"
    )
    run = model.simulate(0.2, method="radau5", tolerance=1e-11)

    def motion(t: float, y: Any) -> Any:
        n = (-math.sin(w * t), math.cos(w * t))
        push = K * max(R - n[0] * y[0] - n[1] * y[1], 0.0) ** 1.5
        return [y[2], y[3], push * n[0] / mass, push * n[1] / mass, push]

    touch = (math.asin(start[1] / math.hypot(*start)) - math.asin(R / math.hypot(*start))) / w
    path = solve_ivp(motion, (touch, 0.2), [*start, 0.0, 0.0, 0.0], **TIGHT, dense_output=True, max_step=2e-4)
    assert run.episodes[0].begin == pytest.approx(touch, abs=1e-9)
    assert run.episodes[0].impulse == pytest.approx(path.y[4, -1], rel=1e-6)
    late = run.time > touch
    exact = path.sol(run.time[late])
    ours = np.array([run.array(f"ball.{k}")[late] for k in ("x", "y", "vx", "vy")])
    np.testing.assert_allclose(ours, exact[:4], rtol=0, atol=1e-7)
    t = run.time[late]
    along = np.cos(w * t) * exact[0] + np.sin(w * t) * exact[1]
    push = K * np.maximum(R - (-np.sin(w * t) * exact[0] + np.cos(w * t) * exact[1]), 0.0) ** 1.5
    np.testing.assert_allclose(run.array("drive.torque")[late], along * push, rtol=0, atol=1e-4 * push.max())


def test_ball_hits_the_end_of_a_bar() -> None:
    """Coming along the bar: the end is a point, the impact central."""
    model = gw.Model("end", gravity=(0.0, 0.0)).ground_point("A", 0.0, 0.0).ground_point("B", 0.5, 0.0)
    model.body("ball", mass=0.8, inertia=0.01, at=(0.7, 0.0), velocity=(-2.0, 0.0))
    law = gw.laws.Flores(2e6, restitution=0.5)
    model.contact(gw.surfaces.Circle("ball", 0.1), gw.surfaces.Segment("ground.A", "ground.B"), law=law, name="end")
    run = model.simulate(0.2, method="radau5", tolerance=1e-10)
    exact = cs.free_impact(cs.FACTORS["flores"](0.5), stiffness=2e6, exponent=1.5, mass=0.8, approach=2.0)
    (episode,) = run.episodes
    assert (episode.max_penetration, episode.separation_speed) == pytest.approx(
        (exact.depth, exact.separation), rel=1e-9
    )


@pytest.mark.parametrize("turn", [0.0, 0.4, 2.0])
def test_point_hits_the_face_of_a_free_block(turn: float) -> None:
    """The slider and the block of paper 003 section 5.2, both free and central, in any direction: reduced mass."""
    m, M, v, K = 0.6, 2.5, 3.0, 1e6
    n = complex(math.cos(turn), math.sin(turn))
    model = gw.Model("block", gravity=(0.0, 0.0))
    model.body("tip", mass=m, inertia=0.01, at=(0.0, 0.0), velocity=(v * n.real, v * n.imag), spin=4.0)
    model.body("block", mass=M, inertia=0.05, at=(0.15 * n.real, 0.15 * n.imag), angle=turn,
               points={"top": (-0.1, 0.1), "bottom": (-0.1, -0.1)})  # fmt: skip
    law = gw.laws.LankaraniNikravesh(K, restitution=0.3)
    model.contact("tip", gw.surfaces.Face("block.bottom", "block.top"), law=law, name="hit")
    run = model.simulate(0.1, method="dopri5", tolerance=1e-11, output_step=0)
    reduced = m * M / (m + M)
    exact = cs.free_impact(cs.FACTORS["lankarani-nikravesh"](0.3), stiffness=K, exponent=1.5, mass=reduced, approach=v)
    (episode,) = run.episodes
    assert (episode.max_penetration, episode.max_force) == pytest.approx((exact.depth, exact.force), rel=1e-8)
    assert (episode.separation_speed, episode.dissipated) == pytest.approx((exact.separation, exact.loss), rel=1e-8)
    for axis, share in (("vx", n.real), ("vy", n.imag)):
        assert np.ptp(m * run.array(f"tip.{axis}") + M * run.array(f"block.{axis}")) < 1e-14
        after = reduced * v * (1 + exact.restitution) / M
        assert run.array(f"block.{axis}")[-1] == pytest.approx(after * share, abs=1e-8)
    assert run.array("block.spin")[-1] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("friction", [None, gw.friction.Coulomb(0.4)], ids=["smooth", "rough"])
def test_eccentric_hit_keeps_all_momenta(friction: Any) -> None:
    """Off centre by 6 cm: 1/m = 1/m1 + 1/m2 + b^2/J2 meets; the block turns. Momenta to rounding in any case; speeds against
    rigid mechanics with an error of the order of the turn during contact (1e-3 rad)."""
    m, M, J, v, b, K = 0.6, 2.5, 0.02, 3.0, 0.06, 1e8
    model = gw.Model("block", gravity=(0.0, 0.0))
    model.body("tip", mass=m, inertia=0.01, at=(0.0, b), velocity=(v, 0.5))
    model.body("block", mass=M, inertia=J, at=(0.15, 0.0), points={"top": (-0.1, 0.1), "bottom": (-0.1, -0.1)})
    law = gw.laws.HuntCrossley(K, restitution=0.5)
    model.contact("tip", gw.surfaces.Face("block.bottom", "block.top"), law=law, friction=friction, name="hit")
    run = model.simulate(0.05, method="dopri5", tolerance=1e-11, output_step=0)
    of = run.array
    for axis in ("vx", "vy"):
        assert np.ptp(m * of(f"tip.{axis}") + M * of(f"block.{axis}")) < 1e-14
    turning = J * of("block.spin") + 0.01 * of("tip.spin")
    for mass, n in ((m, "tip"), (M, "block")):
        turning = turning + mass * (of(f"{n}.x") * of(f"{n}.vy") - of(f"{n}.y") * of(f"{n}.vx"))
    assert np.ptp(turning) < 1e-14
    if friction is None:
        where = b + 0.5 * 0.05 / v  # the tip rises until it meets the face
        e = cs.rebound(cs.FACTORS["hunt-crossley"](0.5))
        impulse = (1 + e) * v / (1 / m + 1 / M + where**2 / J)
        assert run.episodes[0].impulse == pytest.approx(impulse, rel=1e-3)
        assert of("block.spin")[-1] == pytest.approx(-where * impulse / J, rel=2e-3)
        assert run.episodes[0].restitution == pytest.approx(e, rel=1e-3)


# Terrain ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("a", [0.2, math.pi / 4, 1.0])
@pytest.mark.parametrize("start", [0.0, 0.03])
def test_ball_comes_to_rest_in_a_valley(a: float, start: float) -> None:
    """Symmetric position, both faces carry m g / (2 cos a): depth (m g / (2 K cos a))^(2/3) on each, so that the centre is
    (R - d) / cos a above the bottom."""
    mass, R, K = 1.5, 0.1, 1e5
    up = math.tan(a)
    valley = gw.surfaces.Polyline([(-1.0, up), (0.0, 0.0), (1.0, up)])
    depth = cs.static_depth(mass * G / (2 * math.cos(a)), K, 1.5)
    rest = (R - depth) / math.cos(a)
    model = gw.Model("valley").body("ball", mass=mass, inertia=0.006, at=(start, rest + 0.01 + abs(start) * up))
    law = gw.laws.MarhefkaOrin(K, dissipation=3.0)
    model.contact(
        gw.surfaces.Circle("ball", R), valley, law=law, friction=gw.friction.SmoothCoulomb(0.3), name="valley"
    )
    run = model.simulate(20.0, method="radau5", tolerance=1e-9)
    assert (run.array("ball.x")[-1], run.array("ball.y")[-1]) == pytest.approx((0.0, rest), abs=1e-7)
    assert run.array("valley.normal_force")[-1] == pytest.approx(mass * G / math.cos(a), rel=1e-6)  # of both faces
    assert run.array("valley.fy")[-1] == pytest.approx(mass * G, rel=1e-6)
    assert run.array("valley.fx")[-1] == pytest.approx(0.0, abs=1e-4)  # 1e-8 m times the stiffness
    assert run.array("valley.penetration")[-1] == pytest.approx(depth, rel=1e-5)
    equilibrium = model.static()
    assert equilibrium.array("ball.y")[0] == pytest.approx(rest, abs=1e-9)


def test_corner_is_a_pivot() -> None:
    """A disc stands on a convex corner and tips over it: an inverted pendulum about the corner, w0^2 = m g R / (J + m R^2).

    Bristles hold; the penetration (2e-6 m of 0.1 m) and their deflection change the arm by that order. Until it has turned 40
    degrees it is on the corner, which has a wedge of that width to either side."""
    R, mass, K = 0.1, 1.0, 1e10
    inertia = mass * R**2 / 2
    edge = gw.surfaces.Polyline([(-1.0, -1.0), (0.0, 0.0), (1.0, -1.0)])
    start, rate = 0.05, 0.5
    arm = R - cs.static_depth(mass * G, K, 1.5)
    at = (arm * math.sin(start), arm * math.cos(start))
    model = gw.Model("edge").body(
        "disc", mass=mass, inertia=inertia, at=at, velocity=(rate * at[1], -rate * at[0]), spin=-rate
    )
    friction = gw.friction.Bristle(5.0, stiffness=1e8, damping=1e3)
    model.contact(gw.surfaces.Circle("disc", R), edge, law=gw.laws.Hertz(K), friction=friction, name="edge")
    w0 = math.sqrt(mass * G * R / (inertia + mass * R**2))
    run = model.simulate(0.35, method="radau5", tolerance=1e-8)
    angle = np.arctan2(run.array("disc.x"), run.array("disc.y"))
    exact, speed, _ = an.pendulum_motion(run.time, math.pi + start, rate, w0)
    on = exact - math.pi < math.radians(40)
    assert on.sum() > 500 and angle[on].max() > 0.5
    np.testing.assert_allclose(angle[on], exact[on] - math.pi, rtol=0, atol=2e-4)
    np.testing.assert_allclose(-run.array("disc.spin")[on], speed[on], rtol=0, atol=5e-2)  # bristles ring
    assert np.mean((-run.array("disc.spin") - speed)[on]) == pytest.approx(0.0, abs=2e-3)


TERRAINS = {
    "convex corners": [(-3.0, 0.0), (0.0, 0.0), (0.5, -0.1), (1.0, -0.3), (4.0, -2.5)],
    "concave corners": [(-3.0, 1.2), (0.0, 0.0), (0.5, -0.1), (1.0, -0.15), (1.5, -0.1), (4.0, 1.0)],
    "steps up and down": [
        (-3.0, 0.3),
        (0.0, 0.0),
        (0.3, 0.02),
        (0.6, -0.02),
        (0.9, 0.03),
        (1.2, 0.0),
        (1.5, 0.05),
        (4.0, 2.0),
    ],
}


@pytest.mark.parametrize("radius", [0.0, 0.08])
@pytest.mark.parametrize("what", TERRAINS)
def test_energy_is_kept_across_corners(what: str, radius: float) -> None:
    """Elastic, without friction: transfers between faces at corners neither add nor dissipate energy."""
    model = gw.Model("terrain").body("ball", mass=1.0, inertia=0.004, at=(-0.4, radius + 0.35), velocity=(1.0, 0.0))
    touching = gw.surfaces.Circle("ball", radius) if radius else "ball"
    model.contact(touching, gw.surfaces.Polyline(TERRAINS[what]), law=gw.laws.Hertz(1e5), name="terrain")
    run = model.simulate(1.5, method="radau5", tolerance=1e-11)
    assert len(run.episodes) >= 2
    energy = (run.array("ball.vx") ** 2 + run.array("ball.vy") ** 2) / 2 + G * run.array("ball.y")
    air = run.array("terrain.penetration") == 0
    np.testing.assert_allclose(energy[air], energy[0], rtol=0, atol=1e-8)
    assert run.evidence.max_energy_residual < 1e-8


@pytest.mark.slow
def test_fine_polyline_tends_to_a_round_hill() -> None:
    """A disc slides down a hill of chords instead of a circle, passing many of them: they are below it by length^2 / (8 radius)
    in the middle. The slope of the chord it starts on counts once, with the first power of its length. The circle itself is
    checked above."""
    _, at = on_a_hill(1e5)
    law, velocity = gw.laws.MarhefkaOrin(1e5, dissipation=1.0), (0.4 * math.cos(START), -0.4 * math.sin(START))

    def slide(surface: Any) -> Any:
        model = (
            gw.Model("hill").ground_point("O", 0.0, 0.0).body("disc", mass=1.0, inertia=0.005, at=at, velocity=velocity)
        )
        return model.contact(gw.surfaces.Circle("disc", DISC), surface, law=law, name="hill").simulate(
            0.25, method="radau5", tolerance=1e-10
        )

    exact, errors, counts = slide(gw.surfaces.Circle("ground.O", HILL)), [], (32, 64, 128, 256)
    for pieces in counts:
        run = slide(
            gw.surfaces.Polyline([(HILL * math.sin(a), HILL * math.cos(a)) for a in np.linspace(-1.4, 1.4, pieces + 1)])
        )
        assert len(run.episodes) == 1 and np.isnan(run.episodes[0].end)  # the contact is transferred at corners
        off = np.hypot(run.array("disc.x") - exact.array("disc.x"), run.array("disc.y") - exact.array("disc.y"))
        errors.append(off.max())
    assert exact.array("disc.x")[-1] > 0.15
    order = np.polyfit(np.log(counts), -np.log(errors), 1)[0]
    assert order > 1.2 and errors[-1] < 5e-5, (order, errors)


def test_fine_polyline_tends_to_a_round_trough() -> None:
    """A ball at rest in a trough of 0.8 m radius sinks in by (m g / K)^(2/3), however fine the chords are."""
    exact = cs.static_depth(G, 1e5, 1.5)
    for pieces, within in ((41, 0.05), (161, 0.01)):  # odd: a face is lowest, not a corner
        angles = np.linspace(-1.0, 1.0, pieces + 1)
        trough = gw.surfaces.Polyline([(0.8 * math.sin(a), 0.8 - 0.8 * math.cos(a)) for a in angles])
        model = gw.Model("trough").body("ball", mass=1.0, inertia=0.004, at=(0.0, 0.1 - exact))
        model.contact(
            gw.surfaces.Circle("ball", 0.1), trough, law=gw.laws.MarhefkaOrin(1e5, dissipation=2.0), name="trough"
        )
        run = model.simulate(3.0, method="radau5", tolerance=1e-7)
        lowest = 0.8 * (1 - math.cos(1.0 / pieces))
        assert 0.1 - (run.array("ball.y")[-1] - lowest) == pytest.approx(exact, rel=within), pieces


def test_gentle_corner_is_not_felt_from_afar() -> None:
    """A ball lands on level ground, 0.3 m from where it begins to rise by 4 degrees: it rebounds straight up."""
    model = gw.Model("corner").body("ball", mass=1.0, inertia=0.01, at=(0.3, 0.9), velocity=(0.0, -4.0))
    ground = gw.surfaces.Polyline([(-2.0, 0.15), (0.0, 0.0), (3.0, 0.0)])
    model.contact(gw.surfaces.Circle("ball", 0.1), ground, law=gw.laws.Hertz(1e5), name="terrain")
    run = model.simulate(0.35, method="radau5", tolerance=1e-9)
    assert run.array("ball.vx")[-1] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("radius", [0.0, 0.05, 0.2])
@pytest.mark.parametrize("seed", range(8))
def test_random_terrain_keeps_energy(seed: int, radius: float) -> None:
    """Elastic and without friction, on ground so soft that a body sinks in deeper than corners are high: nothing is lost,
    nothing is gained, nothing falls through."""
    rng = np.random.default_rng([seed, 5])
    count = int(rng.integers(4, 40))
    x = np.linspace(-2.0, 4.0, count) + rng.uniform(-0.1, 0.1, count) / count
    y = rng.uniform(0.0, 1.0, count) * rng.choice([0.01, 0.05, 0.3]) * min(1.0, 20.0 / count)
    y[[0, -1]] = 3.0
    model = gw.Model("terrain").body(
        "b", mass=1.0, inertia=0.004, at=(0.0, radius + 0.6), velocity=(float(rng.uniform(-2, 2)), 0.0)
    )
    terrain = gw.surfaces.Polyline(list(zip(x.tolist(), y.tolist(), strict=True)))
    law = gw.laws.Hertz(float(rng.choice([1e4, 1e5])))
    model.contact(gw.surfaces.Circle("b", radius) if radius else "b", terrain, law=law, name="c")
    run = model.simulate(2.0, method="radau5", tolerance=1e-9)
    assert len(run.episodes) >= 2 and run.array("b.y").min() > -0.2
    assert run.evidence.max_energy_residual < 1e-6
    assert np.abs(run.array("c.dissipated")).max() < 1e-6


@pytest.mark.parametrize("radius", [0.0, 0.1])
def test_sliding_across_a_gentle_concave_corner_is_one_touch(radius: float) -> None:
    """A sledge slides from a ramp of 2 degrees onto the level: one episode, with the slip of the way that it went, and the
    force does not jump: the body, which turns by 2 degrees at 1 m/s, swings on the ground with w = 83 1/s, so that its force
    changes by no more than m w^2 v sin(2 deg) = 240 N/s."""
    slope = math.radians(2.0)
    ramp = gw.surfaces.Polyline([(-2.0, 2.0 * math.tan(slope)), (0.0, 0.0), (3.0, 0.0)])
    depth, law = (G / 1e5) ** (2 / 3), gw.laws.Hertz(1e5)
    at = (-0.3, 0.3 * math.tan(slope) + (radius - depth) / math.cos(slope))
    model = gw.Model("sledge").body(
        "b", mass=1.0, inertia=1e6, at=at, velocity=(math.cos(slope), -math.sin(slope)), points={"P": (0.0, 0.0)}
    )
    touching = gw.surfaces.Circle("b", radius) if radius else "b.P"
    model.contact(touching, ramp, law=law, friction=gw.friction.SmoothCoulomb(0.01), name="c")
    run = model.simulate(0.6, method="radau5", tolerance=1e-9)
    (episode,) = run.episodes
    assert run.array("b.x")[-1] > 0.2
    way = np.hypot(np.diff(run.array("b.x")), np.diff(run.array("b.y"))).sum()
    assert episode.slip == pytest.approx(way, rel=2e-3)
    frequency = math.sqrt(1.5 * 1e5 * math.sqrt(depth))
    fastest = frequency**2 * math.sin(slope) * np.diff(run.time).max()
    assert np.abs(np.diff(run.array("c.normal_force"))).max() < 1.2 * fastest < 0.2
    assert run.evidence.max_energy_residual < 1e-7


# Many at once -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["dopri5", "rk4"])
def test_many_balls_land_at_once(method: str) -> None:
    """Ten balls, five of them from the same height, so that five touchdowns coincide: each moves as it does alone."""
    how: dict[str, Any] = {"tolerance": 1e-11} if method == "dopri5" else {"step": 1e-3}
    law = gw.laws.Flores(cs.C_STIFFNESS, restitution=0.6)
    model = gw.Model("hail")
    for k in range(10):
        model.body(f"b{k}", mass=1.0, inertia=0.004, at=(0.5 * k, 0.1 + (0.2 if k < 5 else 0.2 + 0.01 * k)))
        model.contact(gw.surfaces.Circle(f"b{k}", 0.1), gw.surfaces.LineGround(), law=law, name=f"f{k}")
    run = model.simulate(0.45, method=method, **how)
    for k in range(10):
        approach = math.sqrt(2 * G * (0.2 if k < 5 else 0.2 + 0.01 * k))
        push = cs.hysteresis(cs.FACTORS["flores"](0.6), cs.C_STIFFNESS, 1.5, approach)
        exact = cs.pressed_impact(push, mass=1.0, approach=approach)
        first = next(e for e in run.episodes if e.contact == f"f{k}")
        found = (first.max_penetration, first.duration, first.max_force, first.separation_speed, first.dissipated)
        expected = (exact.depth, exact.duration, exact.force, exact.separation, exact.loss)
        assert found == pytest.approx(expected, rel=5e-8 if method == "dopri5" else 2e-5)
    assert np.ptp([run.array(f"b{k}.y")[-1] for k in range(5)]) < 1e-12


@pytest.mark.parametrize("method", ["dopri5", "radau5", "rk4", "generalized-alpha"])
def test_block_lands_flat_on_two_feet(method: str) -> None:
    """Both feet touch down at the same instant, and the block rebounds without turning: each foot carries half the mass."""
    model = gw.Model("block", gravity=(0.0, 0.0)).body(
        "block",
        mass=2.0,
        inertia=0.03,
        at=(0.0, 0.12),
        velocity=(0.0, -1.0),
        points={"L": (-0.2, -0.1), "R": (0.2, -0.1)},
    )
    for foot in "LR":
        model.contact(
            f"block.{foot}", gw.surfaces.LineGround(), law=gw.laws.HuntCrossley(1e6, restitution=0.5), name=foot
        )
    run = model.simulate(
        0.1, method=method, **({"tolerance": 1e-11} if method in ("dopri5", "radau5") else {"step": 1e-3})
    )
    exact = cs.free_impact(0.75, stiffness=1e6, exponent=1.5, mass=1.0, approach=1.0)
    assert len(run.episodes) == 2
    for episode in run.episodes:
        found = (episode.max_penetration, episode.duration, episode.separation_speed)
        tight = method in ("dopri5", "radau5")
        assert found == pytest.approx((exact.depth, exact.duration, exact.separation), rel=1e-8 if tight else 2e-5)
    assert run.array("block.spin")[-1] == pytest.approx(0.0, abs=1e-10)


def test_ball_rattles_to_rest() -> None:
    """A ball in a corner of a room: impacts on floor and wall, then rest on the floor; the run ends in sensible time."""
    room = gw.surfaces.Polyline([(0.0, 2.0), (0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)])
    model = gw.Model("room").body("ball", mass=1.0, inertia=0.004, at=(1.0, 1.0), velocity=(-3.0, 1.0))
    law = gw.laws.HuntCrossley(1e6, restitution=0.2)
    model.contact(gw.surfaces.Circle("ball", 0.1), room, law=law, friction=gw.friction.Coulomb(0.3), name="room")
    run = model.simulate(20.0, method="radau5", tolerance=1e-7)
    assert run.evidence.steps < 50_000
    assert run.array("room.normal_force")[-1] == pytest.approx(G, rel=1e-4)
    assert run.array("ball.y")[-1] == pytest.approx(0.1 - cs.static_depth(G, 1e6, 1.5), abs=1e-7)
    assert 0.09 < run.array("ball.x")[-1] < 1.91
