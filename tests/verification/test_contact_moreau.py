"""Moreau's time stepping against rigid impact theory: Newton's restitution, Coulomb's friction on impulses, resting contact.

Impacts are not located: they happen in the step with a closed midpoint. Times are off by up to h, positions by speed times
h, and with weight, speeds by g h; quantities that do not depend on the instant (an impact without weight, sliding with constant
forces) are exact to rounding."""

from __future__ import annotations

import math
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gaitwright as gw
from verification import analytical as an
from verification import contact_solutions as cs
from verification.models import slider_crank

G, RADIUS = cs.G, 0.1
SOLVERS = ["lemke", "pgs"]
both = pytest.mark.parametrize("solver", SOLVERS)


def moreau(model: gw.Model, until: float, step: float = 1e-3, solver: str = "lemke", **options: Any) -> Any:
    return model.simulate(until, method="moreau", step=step, complementarity=solver, **options)


def axes(slope: float) -> tuple[Any, Any]:
    """Tangent and normal of a sloped ground."""
    return np.array([math.cos(slope), math.sin(slope)]), np.array([-math.sin(slope), math.cos(slope)])


def dropped(e: float, height: float = 1.0) -> gw.Model:
    model = gw.Model("ball").body("ball", mass=1.0, inertia=0.004, at=(0.0, RADIUS + height))
    return model.contact(gw.surfaces.Circle("ball", RADIUS), gw.surfaces.LineGround(), restitution=e, name="floor")


def drifts(power: int, violation: str, **options: Any) -> float:
    """Observed order, in the step, of what remains at the end of a swing of a pendulum."""
    model = gw.Model("pendulum").ground_point("O", 0, 0).point("A", 1, 0).link("rod", "O", "A", mass=1)
    coarse, fine = (
        abs(model.simulate(1.0, method="moreau", step=h, **options).array(f"evidence.{violation}_violation")[-1])
        for h in (2e-3, 1e-3)
    )
    return math.log2(coarse / fine) / power  # the output is Phi^T Phi


@pytest.mark.parametrize("violation", ["position", "velocity"])
def test_joint_velocities_at_the_midpoint_lose_an_order(violation: str) -> None:
    """Without projection, joints are violated by O(h^2) if velocities satisfy them at the end of a step, by O(h) if they
    satisfy them at its midpoint."""
    assert drifts(2, violation, stabilisation="none") == pytest.approx(2.0, abs=0.1)
    assert drifts(2, violation, joint_velocities="midpoint") == pytest.approx(1.0, abs=0.1)


def test_reactions_with_joint_velocities_at_the_midpoint() -> None:
    """A disc on a rod turns with constant speed: the pin carries m r w^2, all of it, from the second step on: the start
    velocity satisfies the joints at the beginning of the first one."""
    model = gw.Model("rotor", gravity=(0, 0)).ground_point("O", 0, 0)
    model.body("disc", mass=2.0, inertia=0.1, at=(0.5, 0), points={"O": (-0.5, 0)}, velocity=(0, 1.0), spin=2.0)
    model.joint.revolute("ground.O", "disc.O", name="pin")
    run = moreau(model, 0.5, 1e-4, joint_velocities="midpoint")
    force = np.hypot(run.array("pin.fx"), run.array("pin.fy"))[2:]
    np.testing.assert_allclose(force, 2.0 * 0.5 * 2.0**2, rtol=1e-3)


# Bouncing ---------------------------------------------------------------------------------------------------------------


@both
@pytest.mark.parametrize("e", [0.3, 0.7, 0.9])
def test_heights_fall_with_e_to_the_2n(e: float, solver: str) -> None:
    """Each impact is late by up to h and falls with up to g h more: heights are off by O(h), 2 v h at most here."""
    h, bounces = 5e-4, 6 if e > 0.5 else 3
    times = cs.bounce_times(1.0, e, bounces + 1)
    run = moreau(dropped(e), times[-1], h, solver)
    y = run.array("ball.y") - RADIUS
    tops = [y[(run.time > a) & (run.time < b)].max() for a, b in pairwise(times)]
    np.testing.assert_allclose(tops, e ** (2.0 * np.arange(1, bounces + 1)), rtol=0, atol=2 * math.sqrt(2 * G) * h)
    table = run.contacts("floor").iloc[:bounces]
    np.testing.assert_allclose(table["begin"], times[:bounces], rtol=0, atol=(bounces + 1) * h)
    # Newton's restitution at every impact; g h of the weight in that step comes on top
    ratio = table["separation_speed"] / table["approach_speed"]
    np.testing.assert_allclose(ratio, e, rtol=1e-12)


@both
def test_observed_order_is_one(solver: str) -> None:
    """Mean error of the height over four bounces, for steps from 4 ms to 0.06 ms; the instant of an impact within its step
    is a matter of chance, so only the trend over all of them counts."""
    e = 0.7
    steps = 4e-3 / 2.0 ** np.arange(7)
    errors = []
    for h in steps:
        run = moreau(dropped(e), 2.0, h, solver)
        errors.append(np.mean(np.abs(run.array("ball.y") - RADIUS - cs.bouncing(run.time, 1.0, e))))
    order = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert 0.8 < order < 1.2
    assert errors[-1] < 1e-4


@both
@pytest.mark.parametrize("e", [0.0, 0.5, 0.8])
def test_zeno_comes_to_rest_and_stays(e: float, solver: str) -> None:
    """Infinitely many impacts are over at t0 (1 + e)/(1 - e). From then on nothing moves, the floor carries the weight, and
    all energy is lost. The speed left falls with e per step, to rounding after 20 / (1 - e) of them."""
    h = 1e-3
    end = cs.rest_time(1.0, e)
    run = moreau(dropped(e), end + 0.5, h, solver)
    after = run.time > end + 10 * h + 100 * h / (1 - e) * 0.5
    assert after.sum() > 100
    assert np.abs(run.array("ball.vy")[after]).max() < 1e-9
    np.testing.assert_allclose(run.array("floor.normal_force")[after], G, rtol=1e-8)
    y = run.array("ball.y")[after] - RADIUS
    assert np.ptp(y) < 1e-10 and -1e-2 * (e == 0) - 1e-5 <= y[0] <= 0.0  # e = 0 stays as deep as it met the floor
    assert run.array("floor.dissipated")[-1] == pytest.approx(G * (1.0 - y[-1]), rel=1e-12)
    last = run.episodes[-1]
    assert math.isnan(last.end) and last.begin == pytest.approx(end, abs=20 * h)
    assert 1 <= len(run.episodes) < 40  # passed over, not resolved
    before = run.time < end - 0.05  # not earlier: g tau (1 - e)/(1 + e) is the least of the speeds with tau to go
    assert e == 0.0 or np.abs(run.array("ball.vy")[before][-50:]).max() > 0.05 * G * (1 - e) / (1 + e)


@both
@pytest.mark.parametrize("h", [4e-3, 1e-3, 2.5e-4])
def test_no_penetration_beyond_speed_times_step(h: float, solver: str) -> None:
    for e in (0.0, 0.5, 1.0):
        run = moreau(dropped(e), 1.5, h, solver)
        assert run.array("ball.y").min() - RADIUS > -math.sqrt(2 * G) * h * 1.01


# Oblique impacts --------------------------------------------------------------------------------------------------------

DISC = {
    # slip before (with 2 m/s of approach, e = 0.5): grips below 3 mu (1 + e) 2 = 3.6 m/s for mu = 0.4
    "slides": 5.0, "grips": 2.0, "grips backwards": -3.0, "slides backwards": -9.0, "just grips": 3.599, "just slides": 3.601,
}  # fmt: skip


@both
@pytest.mark.parametrize("what", DISC)
@pytest.mark.parametrize("slope", [0.0, 0.5])
def test_oblique_impact_of_a_disc(what: str, slope: float, solver: str) -> None:
    """No weight: Newton's closed form to rounding, on the level, on a slope, and on ground that moves."""
    mass, e, mu = 2.0, 0.5, 0.4
    inertia = mass * RADIUS**2 / 2
    t, n = axes(slope)
    ground = np.array([0.3, -0.2])
    spin = 10.0
    velocity = ground + (DISC[what] - RADIUS * spin) * t - 2.0 * n
    model = gw.Model("disc", gravity=(0.0, 0.0))
    model.body("disc", mass=mass, inertia=inertia, at=(RADIUS + 0.03) * n, velocity=velocity, spin=spin)
    surface = gw.surfaces.LineGround(slope=slope, velocity=tuple(ground))
    model.contact(
        gw.surfaces.Circle("disc", RADIUS), surface, restitution=e, friction=gw.friction.Coulomb(mu), name="floor"
    )
    run = moreau(model, 0.05, 1e-3, solver)
    exact = cs.newton_impact(cs.point_delassus(mass, inertia, (0.0, -RADIUS)), (-2.0, DISC[what]), e, mu)
    assert ("stick" if "grips" in what else "slide") in exact.how
    after = np.array([run.array("disc.vx")[-1], run.array("disc.vy")[-1]])
    normal, tangential = exact.impulse
    np.testing.assert_allclose(after, velocity + (normal * n + tangential * t) / mass, rtol=0, atol=1e-12)
    assert run.array("disc.spin")[-1] == pytest.approx(spin + RADIUS * tangential / inertia, abs=1e-11)
    (episode,) = run.episodes
    assert (episode.impulse, episode.approach_speed, episode.separation_speed) == pytest.approx(
        (normal, 2.0, 1.0), rel=1e-12
    )
    assert run.array("floor.slip_velocity")[-1] == pytest.approx(exact.after[1], abs=1e-11)
    # losses: (1 - e^2) m v^2 / 2 in the normal direction, impulse times mean slip by friction
    by_friction = -tangential * (DISC[what] + exact.after[1]) / 2
    assert run.array("floor.friction_loss")[-1] == pytest.approx(by_friction, rel=1e-12)
    lost = run.array("floor.dissipated")[-1] - run.array("floor.friction_loss")[-1]
    assert lost == pytest.approx((1 - e**2) * mass * 2.0**2 / 2, rel=1e-12)
    assert run.array("floor.work")[-1] == pytest.approx(float((normal * n + tangential * t) @ ground), rel=1e-12)
    assert run.evidence.max_energy_residual < 1e-12


@both
@pytest.mark.parametrize("mu", [0.0, 0.1, 0.5, 2.0])
@pytest.mark.parametrize("tilt", [0.3, 1.2, -0.6])
@pytest.mark.parametrize("slip", [1.0, -1.0])
def test_corner_of_a_block_hits_the_ground(slip: float, tilt: float, mu: float, solver: str) -> None:
    """Normal and tangential direction are coupled by the arm of the corner: Newton's closed form with its full 2x2 matrix."""
    mass, inertia, e = 3.0, 0.05, 0.4
    arm = complex(0.2, -0.1) * np.exp(1j * tilt)  # from the centre to the corner, in the ground frame
    delassus = cs.point_delassus(mass, inertia, (arm.real, arm.imag))
    exact = cs.newton_impact(delassus, (-2.0, slip), e, mu)
    model = gw.Model("block", gravity=(0.0, 0.0))
    model.body(
        "block", mass=mass, inertia=inertia, at=(0.0, 0.0207 - arm.imag), angle=tilt, velocity=(slip, -2.0),
        points={"corner": (0.2, -0.1)},
    )  # fmt: skip
    model.contact(
        "block.corner", gw.surfaces.LineGround(), restitution=e, friction=gw.friction.Coulomb(mu), name="floor"
    )
    run = moreau(model, 0.0115, 1e-3, solver)  # one step after the impact: then it may turn into the ground again
    (normal, tangential) = exact.impulse
    assert run.array("block.vx")[-1] == pytest.approx(slip + tangential / mass, abs=1e-12)
    assert run.array("block.vy")[-1] == pytest.approx(-2.0 + normal / mass, abs=1e-12)
    turn = (arm.real * normal - arm.imag * tangential) / inertia
    assert run.array("block.spin")[-1] == pytest.approx(turn, abs=1e-11)


# Sliding and standing ---------------------------------------------------------------------------------------------------


def block(slope: float, mu: float, e: float = 0.0, speed: float = 0.0) -> tuple[gw.Model, np.ndarray]:
    """A block of 0.4 x 0.2 m on two corners, 1 nm inside the ground; and the direction of the slope."""
    t, n = axes(slope)
    model = gw.Model("block").body(
        "block", mass=2.0, inertia=0.03, at=(0.1 - 1e-9) * n, angle=slope, velocity=speed * t,
        points={"L": (-0.2, -0.1), "R": (0.2, -0.1)},
    )  # fmt: skip
    for foot in "LR":
        friction = gw.friction.Coulomb(mu)
        model.contact(f"block.{foot}", gw.surfaces.LineGround(slope=slope), restitution=e, friction=friction, name=foot)
    return model, t


@both
@pytest.mark.parametrize("e", [0.0, 0.5])
@pytest.mark.parametrize("speed", [-0.5, 0.5])
def test_block_slides_with_constant_acceleration(speed: float, e: float, solver: str) -> None:
    """g (sin - mu cos) down, g (sin + mu cos) up; both feet keep contact and share the weight by the moment of friction."""
    slope, mu = 0.5, 0.3
    model, t = block(slope, mu, e, speed)
    way = math.copysign(1.0, speed)
    acceleration = -G * (math.sin(slope) + way * mu * math.cos(slope))
    run = moreau(model, 1.0 if speed < 0 else -0.9 * speed / acceleration, 1e-3, solver)
    along = (run.array("block.x") - run.array("block.x")[0]) * t[0] + (
        run.array("block.y") - run.array("block.y")[0]
    ) * t[1]
    np.testing.assert_allclose(along, speed * run.time + acceleration * run.time**2 / 2, rtol=0, atol=1e-10)
    load = 2.0 * G * math.cos(slope)
    for foot, side in (("L", -1.0), ("R", 1.0)):
        share = load / 2 * (1 + side * way * mu * 0.1 / 0.2)
        np.testing.assert_allclose(run.array(f"{foot}.normal_force")[1:], share, rtol=1e-9)
        np.testing.assert_allclose(run.array(f"{foot}.tangential_force")[1:], -way * mu * share, rtol=1e-9)


@both
@pytest.mark.parametrize("part", [0.5, 0.99, -0.9])
def test_block_sticks_below_arctan_mu(part: float, solver: str) -> None:
    """Set-valued friction holds exactly: no creep in 100 s at 10 ms."""
    mu = 0.6
    slope = part * math.atan(mu)
    model, _ = block(slope, mu)
    run = moreau(model, 100.0, 1e-2, solver)
    assert (
        np.hypot(run.array("block.x") - run.array("block.x")[0], run.array("block.y") - run.array("block.y")[0]).max()
        < 1e-9
    )
    # the load is shared by two feet in an undetermined way; together they carry it
    assert run.array("ground_reaction.fx")[-1] == pytest.approx(0.0, abs=1e-9)
    assert run.array("ground_reaction.fy")[-1] == pytest.approx(2.0 * G, rel=1e-9)


@pytest.mark.parametrize(
    ("e", "solver"),
    [
        (0.0, "lemke"),
        (0.6, "lemke"),
        (0.6, "pgs"),
        (0.0, "pgs"),
    ],
)  # fmt: skip
def test_block_lands_flat_on_two_points(e: float, solver: str) -> None:
    """Both contacts close in the same step: each has Newton's restitution, so the block rebounds without turning."""
    model = gw.Model("block", gravity=(0.0, 0.0)).body(
        "block",
        mass=2.0,
        inertia=0.03,
        at=(0.0, 0.12),
        velocity=(0.0, -1.0),
        points={"L": (-0.2, -0.1), "R": (0.2, -0.1)},
    )
    for foot in "LR":
        model.contact(f"block.{foot}", gw.surfaces.LineGround(), restitution=e, name=foot)
    run = moreau(model, 0.06, 1e-3, solver)
    assert run.array("block.vy")[-1] == pytest.approx(e, abs=1e-13)
    assert run.array("block.spin")[-1] == pytest.approx(0.0, abs=1e-12)
    assert [episode.impulse for episode in run.episodes] == pytest.approx([1.0 + e, 1.0 + e], rel=1e-12)


# Tipping ----------------------------------------------------------------------------------------------------------------

WIDE, HIGH, WEIGHT = 0.4, 1.0, 10.0 * G
"""m, m and N, of a box; pushed at its upper corner it tips when F HIGH > WEIGHT WIDE / 2, and slides when F > mu WEIGHT."""
TIPS = WEIGHT * WIDE / 2 / HIGH


def pushed(force: float, mu: float = 0.8, height: float = HIGH, inside: float = 0.0) -> gw.Model:
    """A box on two corners, by a force at its left side. inside: m, in the ground."""
    inertia = 10.0 * (WIDE**2 + HIGH**2) / 12
    points: dict[str, Any] = {
        "L": (-WIDE / 2, -HIGH / 2),
        "R": (WIDE / 2, -HIGH / 2),
        "side": (-WIDE / 2, height - HIGH / 2),
    }
    model = gw.Model("box").body("box", mass=10.0, inertia=inertia, at=(0.0, HIGH / 2 - inside), points=points)
    for foot in "LR":
        model.contact(
            f"box.{foot}", gw.surfaces.LineGround(), restitution=0.0, friction=gw.friction.Coulomb(mu), name=foot
        )
    return model.force("force", "push", at="box.side", value=[force, 0.0])


def tipped(force: float, until: float) -> float:
    """rad, by which the box has turned about its right corner: the moment of force and weight about it, (m/3)(b^2 + h^2)."""
    inertia = 10.0 * (WIDE**2 + HIGH**2) / 3

    def slope(_: float, y: Any) -> list[float]:
        c, s = math.cos(y[0]), math.sin(y[0])
        return [y[1], (force * (HIGH * c + WIDE * s) - WEIGHT * (WIDE * c - HIGH * s) / 2) / inertia]

    return float(solve_ivp(slope, (0.0, until), [0.0, 0.0], rtol=1e-10, atol=1e-12).y[0, -1])


@both
@pytest.mark.parametrize("part", [0.5, 0.99, 1.02, 1.27, 2.0])
def test_a_pushed_box_stands_or_tips_as_its_moments_say(part: float, solver: str) -> None:
    """Below the threshold it stands, above it turns about its corner, from the first step on and without sliding: order 1."""
    errors = []
    for h in (2e-3, 1e-3, 5e-4):
        # 1 nm where it stands, or the rounding of Gauss-Seidel lifts a foot, which then slaps
        run = moreau(pushed(part * TIPS, inside=1e-9 if part < 1.0 else 0.0), 0.4, h, solver)
        errors.append(-run.array("box.angle")[-1] - (tipped(part * TIPS, 0.4) if part > 1.0 else 0.0))
        # the corner lifts by O(h^2) in a step, falls back, and creeps that way
        assert abs(run.array("box.R.x")[-1] - WIDE / 2) < (h if part > 1.0 else 1e-5)
    if part < 1.0:
        assert max(np.abs(errors)) < 1e-4 * (1.0 if solver == "pgs" else 1e-10)
    else:
        assert abs(errors[1]) < 0.6 * abs(errors[0]) and abs(errors[2]) < 0.6 * abs(errors[1]) < 5e-4


def test_pivoting_tips_a_box_at_any_step_and_force() -> None:
    """Thirteen of these 176 found no impulses: as long as the box leans by some 1e-6, the tangents of its feet are nearly
    parallel, and pivots of that size made noise of those that followed."""
    for h in (5e-4, 1e-3, 2e-3, 5e-3):
        for force in np.linspace(18.0, 60.0, 22):
            for mu in (0.5, 0.8):
                angle = -moreau(pushed(float(force), mu), 0.2, h).array("box.angle")[-1]
                assert (angle > 1e-4) == (force > TIPS), (h, force, mu)


@pytest.mark.parametrize("force", [22.0, 25.0, 30.0])
def test_a_box_of_space_tips_as_one_of_the_plane(force: float) -> None:
    """On four corners, by a force at the middle of an upper edge: its centre moves on a circle about the edge below."""
    half = np.array([WIDE, 0.6, HIGH]) / 2
    corners = {f"c{k}": (x * half[0], y * half[1], -half[2]) for k, (x, y) in enumerate(product((-1, 1), repeat=2))}
    model = gw.Model("box", dimension=3).body(
        "box", mass=10.0, inertia=(40.0 / 12 * (half**2).sum() - 40.0 / 12 * half**2).tolist(),
        at=(0.0, 0.0, half[2]), points={**corners, "edge": (-half[0], 0.0, half[2])},
    )  # fmt: skip
    for name in corners:
        model.contact(
            f"box.{name}", gw.surfaces.PlaneGround(), restitution=0.0, friction=gw.friction.Coulomb(0.8), name=name
        )
    run = moreau(model.force("force", "push", at="box.edge", value=[force, 0.0, 0.0]), 0.4, 5e-4)
    turned = math.atan2(WIDE, HIGH) - tipped(force, 0.4)
    radius = math.hypot(WIDE, HIGH) / 2
    at = [run.array(f"box.{axis}")[-1] for axis in "xyz"]
    assert at == pytest.approx([half[0] - radius * math.sin(turned), 0.0, radius * math.cos(turned)], abs=3e-4)


def test_a_box_that_is_pushed_low_slides() -> None:
    """(F - mu m g) / m, on both feet."""
    run = moreau(pushed(1.5 * 0.3 * WEIGHT, 0.3, height=0.2), 0.5, 1e-3)
    assert run.array("box.vx")[-1] == pytest.approx(0.5 * 0.5 * 0.3 * G, rel=1e-9)
    assert run.array("box.angle")[-1] == pytest.approx(0.0, abs=1e-9)


@both
@pytest.mark.parametrize("gap", [0.0, 0.02])
def test_newtons_cradle(gap: float, solver: str) -> None:
    """A limitation of Newton's law for impacts at once, known from the literature (C. Glocker, ch. 9): with touching balls the
    first bounces back with 1/3 and the other two go on together with 2/3, momentum and energy kept. With gaps that a step
    resolves, one after the other collides and only the last one leaves, as in the toy."""
    model = gw.Model("cradle", gravity=(0.0, 0.0))
    for k in range(3):
        x = (0.2 + gap) * k - (0.05 if k == 0 else 0.0) - (1e-12 * k if gap == 0 else 0.0)
        model.body(f"b{k}", mass=1.0, inertia=0.004, at=(x, 0.0), velocity=(1.0 if k == 0 else 0.0, 0.0))
    for k in range(2):
        model.contact(
            gw.surfaces.Circle(f"b{k + 1}", RADIUS), gw.surfaces.Circle(f"b{k}", RADIUS), restitution=1.0, name=f"c{k}"
        )
    run = moreau(model, 0.3, 1e-3, solver)
    after = [run.array(f"b{k}.vx")[-1] for k in range(3)]
    np.testing.assert_allclose(after, (-1 / 3, 2 / 3, 2 / 3) if gap == 0 else (0.0, 0.0, 1.0), rtol=0, atol=1e-11)


def heap(e: float, mu: float) -> gw.Model:
    """Three discs of 1, 2 and 3 kg fall into a V-shaped groove."""
    model = gw.Model("heap")
    groove = gw.surfaces.Polyline([(-1.0, 0.6), (0.0, 0.0), (1.0, 0.6)])
    rigid: dict[str, Any] = {"restitution": e, "friction": gw.friction.Coulomb(mu)}
    for k, at in enumerate([(-0.12, 0.4), (0.13, 0.5), (0.02, 0.85)]):
        model.body(f"d{k}", mass=1.0 + k, inertia=0.004 * (1 + k), at=at, spin=3.0 * k)
        model.contact(gw.surfaces.Circle(f"d{k}", 0.1), groove, name=f"g{k}", **rigid)
    for a, b in ((0, 1), (0, 2), (1, 2)):
        model.contact(gw.surfaces.Circle(f"d{b}", 0.1), gw.surfaces.Circle(f"d{a}", 0.1), name=f"c{a}{b}", **rigid)
    return model


STACKS = [
    # restitution, friction, whether the heap comes to rest in 2 s
    (0.0, 0.1, True),
    (0.0, 0.3, False),
    (0.3, 0.0, False),
    (0.3, 0.3, True),
]


@pytest.mark.parametrize(("e", "mu", "rests"), STACKS)
def test_lemke_and_pgs_agree(e: float, mu: float, rests: bool) -> None:
    """Friction, impacts and sliding; many contacts at once."""

    one = moreau(heap(e, mu), 2.0, 1e-3, "lemke")
    other = moreau(heap(e, mu), 2.0, 1e-3, "pgs")
    assert len(one.episodes) > 5
    for k in range(3):
        for what in ("x", "y", "angle"):
            np.testing.assert_allclose(one.array(f"d{k}.{what}"), other.array(f"d{k}.{what}"), rtol=0, atol=1e-7)
    if rests:
        assert one.array("energy.kinetic")[-1] < 1e-20
        assert one.array("ground_reaction.fy")[-1] == pytest.approx(6.0 * G, rel=1e-9)


@pytest.mark.parametrize(
    ("mu", "h"),
    [
        (0.6, 1e-3),
        (0.6, 0.0010721010593110283),
    ],
)  # fmt: skip
def test_lemke_finds_the_impulses_of_a_heap(mu: float, h: float) -> None:
    """With three unknowns per contact, pivoting ended on rays here; with four (L_N, L_T+, L_T-, slip; D. E. Stewart, J. C.
    Trinkle, Int. J. Numer. Methods Eng. 39 (1996) 2673-2691) the matrix is copositive."""
    run = moreau(heap(0.6, mu), 2.0, h)
    assert run.array("energy.kinetic")[-1] < 1e-3


# With joints ------------------------------------------------------------------------------------------------------------


@both
@pytest.mark.parametrize("r", [0.5, 2 / 3, 1.0])
def test_pendulum_hits_a_wall(r: float, solver: str) -> None:
    """A uniform rod of 1 m on a pin, without weight, hits a vertical wall with its point at the distance r from the pin.

    J_O w' = -e J_O w, impulse (1 + e) J_O w / (r cos), and the pin carries m a (1 + e) w - impulse: nothing at the centre of
    percussion, r = J_O / (m a) = 2/3 m. Angle at the impact: that of the midpoint of the step."""
    mass, e, w, h = 1.5, 0.6, 2.0, 1e-3
    at = r - 0.5
    model = gw.Model("pendulum", gravity=(0.0, 0.0)).ground_point("O", 0.0, 0.0)
    down = math.sqrt(1 - 0.1**2)
    model.body(
        "rod", mass=mass, inertia=mass / 12, at=(-0.1 / 2, -down / 2), angle=math.atan2(-down, -0.1), spin=w,
        points={"pin": (-0.5, 0.0), "hit": (at, 0.0)},
    )  # fmt: skip
    model.joint.revolute("ground.O", "rod.pin", name="pin")
    model.contact("rod.hit", gw.surfaces.Line(-1.0, 0.0, 0.0), restitution=e, name="wall")
    run = moreau(model, 0.1, h, solver)
    (episode,) = run.episodes
    J = mass / 3
    # exact at the pose of the midpoint; the projection to the pose at the end of the step changes it by (w h)^2
    assert run.array("rod.spin")[-1] == pytest.approx(-e * w, rel=(w * h) ** 2)
    k = int(np.argmax(run.array("wall.normal_force")))
    middle = run.array("rod.angle")[k - 1] + h / 2 * run.array("rod.spin")[k - 1] + math.pi / 2  # from the vertical
    assert 0 <= middle < w * h
    impulse = (1 + e) * J * w / (r * math.cos(middle))
    assert episode.impulse == pytest.approx(impulse, rel=1e-6)
    assert episode.dissipated == pytest.approx((1 - e**2) * J * w**2 / 2, rel=1e-5)
    pin = run.array("pin.fx")[k] * h
    # the mean of the centripetal force over the step, and the turn of the rod in it: O(h)
    assert pin == pytest.approx(impulse - mass * 0.5 * (1 + e) * w, abs=mass * w**2 * h)
    if r == 2 / 3:
        assert abs(pin) < 2 * mass * w**2 * h < 0.01 * impulse


@both
@pytest.mark.parametrize("angle", [0.7, 2.0])
def test_slider_crank_hits_a_free_block(angle: float, solver: str) -> None:
    """Paper 003 section 5.2: the slider meets a block. The mechanism acts with the mass J(theta) / x'^2 of its slider.

    m_eff (v' - v) = -L, M V' = L, V' - v' = e v: momentum of reduced mass, whatever the links are. The pose at the impact is
    that of the midpoint of its step."""
    s = an.uniform_slider_crank(0.1, 0.35, 0.5, 0.8, 1.5)
    M, e, h = 2.0, 0.5, 1e-4
    rate = -6.0  # turning back, so that the slider moves outwards
    model, pin = slider_crank(s, angle, gravity=0.0), an.crank_point(s.crank, angle, rate)
    model.velocity("A", float(pin[1].real), float(pin[1].imag))
    x0 = float(an.slider_crank(s, angle).position)
    model.body(
        "block", mass=M, inertia=0.01, at=(x0 + 0.02 + 0.1, 0.0), points={"top": (-0.1, 0.1), "bottom": (-0.1, -0.1)}
    )
    model.contact("slider", gw.surfaces.Face("block.bottom", "block.top"), restitution=e, name="hit")
    run = moreau(model, 0.2, h, solver)
    (episode,) = run.episodes
    k = int(np.argmax(run.array("hit.normal_force")))
    theta = run.array("crank.angle")[k - 1] + h / 2 * run.array("crank.spin")[k - 1]
    J, _, _, lever = an.slider_crank_reduced(s, theta)
    effective, v = float(J / lever**2), float(lever) * run.array("crank.spin")[k - 1]
    assert v > 0.1
    impulse = (1 + e) * v / (1 / effective + 1 / M)
    assert episode.impulse == pytest.approx(impulse, rel=2e-3)  # J' w^2 h of the step itself
    assert run.array("block.vx")[-1] == pytest.approx(impulse / M, rel=2e-3)
    assert run.array("block.vx")[-1] == pytest.approx(episode.impulse / M, rel=1e-12)
    assert episode.separation_speed == pytest.approx(e * v, rel=2e-3)
    reduced = 1 / (1 / effective + 1 / M)
    assert episode.dissipated == pytest.approx((1 - e**2) * reduced * v**2 / 2, rel=4e-3)
    # before the impact: constant energy of the one-coordinate model
    np.testing.assert_allclose(
        run.array("crank.spin")[:k],
        an.free_slider_crank_rate(s, run.array("crank.angle")[:k], angle, rate),
        rtol=1e-4,
    )


@pytest.mark.parametrize("method", ["dopri5", "moreau"])
def test_two_schools_agree_on_a_stiff_impact(method: str) -> None:
    """The same pendulum against a wall by a law with known rebound and by Moreau: the law tends to it as it gets stiff.

    Contact lasts 0.1 ms at 1e9 N/m^1.5, in which the rod turns by 2e-4 rad."""
    e, w = cs.rebound(cs.FACTORS["hunt-crossley"](0.5)), 2.0
    model = gw.Model("pendulum", gravity=(0.0, 0.0)).ground_point("O", 0.0, 0.0)
    model.body("rod", mass=1.5, inertia=1.5 / 12, at=(-0.02, -0.5 * math.sqrt(1 - 0.04**2)), spin=w,
               angle=math.atan2(-math.sqrt(1 - 0.04**2), -0.04), points={"pin": (-0.5, 0.0), "tip": (0.5, 0.0)})  # fmt: skip
    model.joint.revolute("ground.O", "rod.pin", name="pin")
    law = gw.laws.HuntCrossley(1e9, restitution=0.5)
    model.contact("rod.tip", gw.surfaces.Line(-1.0, 0.0, 0.0), law=law, restitution=e, name="wall")
    how = {"method": "moreau", "step": 1e-4} if method == "moreau" else {"tolerance": 1e-10}
    run = model.simulate(0.1, **how)
    (episode,) = run.episodes
    assert run.array("rod.spin")[-1] == pytest.approx(-e * w, rel=1e-6)
    assert episode.impulse == pytest.approx((1 + e) * 0.5 * w, rel=1e-4)
    assert episode.dissipated == pytest.approx((1 - e**2) * 0.5 * w**2 / 2, rel=1e-6)
