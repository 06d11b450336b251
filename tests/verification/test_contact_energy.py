"""Energy through contacts: the balance of every law and every friction, and returned and dissipated energy.

Adaptive runs use dopri5 with tolerance 1e-12; the issue requires a balance to 1e-9 of the transferred energy. The works of
a run are integrated with the weights of the method, but no error estimate controls them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright import physics
from verification import contact_solutions as cs

physics.load_all()
LAWS: dict[str, Any] = {
    n: law for n, law in gw.extend.ContactLaw.registry.items() if law.__module__.startswith("gaitwright")
}
VALUES: dict[str, dict[str, float]] = {
    "kelvin-voigt": {"stiffness": 1e5, "damping": 80.0},
    "ristow": {"stiffness": 1e6, "damping": 50.0},
    "tsuji": {"stiffness": 1e6, "damping": 300.0},
    "kuwabara-kono": {"stiffness": 1e6, "relaxation_time": 6e-4},
    "marhefka-orin": {"stiffness": 1e6, "dissipation": 0.2},
    "adams-impact": {"stiffness": 1e6, "damping": 80.0, "depth": 5e-3},
    "hertz": {"stiffness": 1e6},
    "penalty": {"stiffness": 1e5, "damping": 0.2},
    "quadratic-penalty": {"stiffness": 1e7},
    "augmented-lagrange": {"stiffness": 1e5},
    "winkler": {"stiffness": 1e3, "thickness": 0.01, "damping": 0.2, "exponent": 1.3},
}
LOSSLESS = ("hertz", "quadratic-penalty", "augmented-lagrange")
FRICTIONS: dict[str, Any] = {
    "none": None,
    "coulomb": gw.friction.Coulomb(0.3),
    "smooth-coulomb": gw.friction.SmoothCoulomb(0.3),
    "stribeck": gw.friction.Stribeck(0.5, 0.3, viscous=0.01),
    "brown-mcphee": gw.friction.BrownMcPhee(0.5, 0.3),
    "bristle": gw.friction.Bristle(0.3, stiffness=2e5, damping=50.0),
    "no-slip": gw.friction.NoSlip(stiffness=2e3, damping=50.0),
}
MASS, INERTIA, RADIUS = 1.0, 0.004, 0.1
GRAVITY, SLOPE, BELT = (0.5, -9.81), 0.2, (0.3, 0.2)
TIGHT = {"method": "dopri5", "tolerance": 1e-12}


def law_of(name: str, **more: float) -> gw.extend.ContactLaw:
    return LAWS[name](**VALUES.get(name, {"stiffness": 1e6, "restitution": 0.6}) | more)


def thrown(law: gw.extend.ContactLaw, friction: Any = None, *, moving: bool = True) -> gw.Model:
    """A spinning ball thrown at a sloped ground that moves along and towards it; some bounces in 0.8 s."""
    model = gw.Model("thrown ball", gravity=GRAVITY)
    model.body("ball", mass=MASS, inertia=INERTIA, at=(0.0, 0.3), velocity=(1.0, 0.0), spin=30.0)
    ground = gw.surfaces.LineGround(slope=SLOPE, velocity=BELT if moving else None)
    return model.contact(gw.surfaces.Circle("ball", RADIUS), ground, law=law, friction=friction, name="floor")


def mechanical(run: Any) -> np.ndarray:
    """Kinetic energy and that of the weight, from the motion alone, J."""
    x, y, vx, vy, w = (run.array(f"ball.{name}") for name in ("x", "y", "vx", "vy", "spin"))
    return MASS * (vx**2 + vy**2) / 2 + INERTIA * w**2 / 2 - MASS * (GRAVITY[0] * x + GRAVITY[1] * y)


def known_to_be_coarse(name: str, *values: Any) -> Any:
    reason = "the loss while the force is cut off, or nearly zero, is integrated with an error that nothing watches"
    return pytest.param(name, *values, marks=pytest.mark.xfail(reason=reason, strict=True))


COARSE = ("ristow", "tsuji", "kuwabara-kono")
EVERY_LAW = [known_to_be_coarse(name) if name in COARSE else name for name in sorted(LAWS)]


@pytest.mark.parametrize("name", EVERY_LAW)
def test_balance_of_every_law(name: str) -> None:
    run = thrown(law_of(name), gw.friction.Coulomb(0.3)).simulate(0.8, **TIGHT)
    assert_balanced(run, 1e-9)


@pytest.mark.parametrize("friction", FRICTIONS)
@pytest.mark.parametrize("name", ["hertz", "flores"])
def test_balance_of_every_friction(name: str, friction: str) -> None:
    run = thrown(law_of(name), FRICTIONS[friction]).simulate(0.8, **TIGHT)
    assert_balanced(run, 1e-9)


def test_every_friction_is_in_the_table() -> None:
    assert set(FRICTIONS) - {"none"} == {
        n for n, f in gw.extend.Friction.registry.items() if f.__module__.startswith("gaitwright")
    }


def assert_balanced(run: Any, part: float) -> None:
    """E(t) - E(0) = work of the moving ground - losses, wherever the ball is in the air; everywhere with the energy stored
    in the contact, which the result adds."""
    energy, lost, given = mechanical(run), run.array("floor.dissipated"), run.array("floor.work")
    air = run.array("floor.penetration") == 0.0
    turned = np.max(np.abs(energy - energy[0]) + lost + np.abs(given)) + MASS * 1.0**2 / 2
    missing = (energy - energy[0] - (given - lost))[air]
    assert len(run.episodes) >= 2 and air[0] and (lost[-1] > 1.0 or run.mechanism.contact_names[0].law in LOSSLESS)
    assert np.max(np.abs(missing)) < part * turned
    assert run.evidence.max_energy_residual < part * turned
    np.testing.assert_allclose(lost[-1], sum(e.dissipated for e in run.episodes), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "e"),
    [("flores", 0.5), ("flores", 0.2), known_to_be_coarse("flores", 0.05), known_to_be_coarse("carvalho-martins", 0.0)],
)
def test_balance_with_strong_damping(name: str, e: float) -> None:
    """In the end of a strongly damped impact elastic force and damping cancel: hardly any force, but a loss."""
    model = gw.Model("ball", gravity=(0.0, 0.0)).body(
        "ball", mass=1.0, inertia=0.004, at=(0.0, 0.101), velocity=(0.0, -4.43)
    )
    model.contact(
        gw.surfaces.Circle("ball", RADIUS),
        gw.surfaces.LineGround(),
        law=LAWS[name](cs.C_STIFFNESS, restitution=e),
        name="floor",
    )
    run = model.simulate(0.02, **TIGHT)
    assert run.evidence.max_energy_residual < 1e-9 * 4.43**2 / 2
    assert run.episodes[0].restitution == pytest.approx(cs.rebound(cs.FACTORS[name](e)), rel=1e-9)


@pytest.mark.parametrize("method", ["radau5", "rosenbrock23"])
def test_balance_of_the_other_adaptive_methods(method: str) -> None:
    run = thrown(law_of("hunt-crossley"), gw.friction.SmoothCoulomb(0.3)).simulate(
        0.8, method=method, tolerance=1e-12 if method == "radau5" else 1e-9
    )
    assert_balanced(run, 1e-9 if method == "radau5" else 2e-6)  # order 2: tolerance^(2/3) of the forces at best


@pytest.mark.parametrize("name", sorted(LAWS))
def test_losses_never_decrease(name: str) -> None:
    """Losses grow from output to output, in normal direction and by friction alone, to rounding of the transferred energy."""
    run = thrown(law_of(name), gw.friction.Coulomb(0.3)).simulate(0.8, method="dopri5", tolerance=1e-8, output_step=0)
    total, friction = run.array("floor.dissipated"), run.array("floor.friction_loss")
    for lost in (total, friction, total - friction):
        assert np.min(np.diff(lost)) > -1e-14 * (1 + lost[-1])
    assert friction[-1] > 0.1 and (total[-1] - friction[-1] > 0.1) == (name not in LOSSLESS)


@pytest.mark.parametrize(
    "friction",
    [
        pytest.param(
            name,
            marks=pytest.mark.xfail(
                reason="energy stored in bristles is counted as lost until they give it back", strict=True
            )
            if name in ("bristle", "no-slip")
            else (),
        )
        for name in FRICTIONS
    ],
)
def test_friction_never_returns_energy(friction: str) -> None:
    run = thrown(law_of("flores"), FRICTIONS[friction]).simulate(0.8, **TIGHT, output_step=0)
    assert np.min(np.diff(run.array("floor.friction_loss"))) > -1e-14


HERTZ = {
    # method: error of the height after 20 bounces: 21 impacts of some 300 steps, each within its tolerance
    "dopri5": ({"tolerance": 1e-12}, 1e-8),
    "radau5": ({"tolerance": 1e-10}, 1e-8),
    "rk4": ({"step": 1e-3, "tolerance": 1e-10}, 1e-6),
    "gauss2": ({"step": 1e-3, "tolerance": 1e-10}, 1e-6),
}


@pytest.mark.parametrize("method", HERTZ)
def test_hertz_ball_returns_to_its_height_twenty_times(method: str) -> None:
    """v^2 / 2g at each of 21 releases, and the tops between them (the spacing of the touchdowns)."""
    options, within = HERTZ[method]
    model = gw.Model("ball").body("ball", mass=1.0, inertia=0.004, at=(0.0, 1.1))
    model.contact(
        gw.surfaces.Circle("ball", RADIUS),
        gw.surfaces.LineGround(),
        law=gw.laws.Hertz(stiffness=cs.C_STIFFNESS),
        name="floor",
    )
    contact = cs.pressed_impact(lambda d, _: cs.C_STIFFNESS * max(d, 0.0) ** 1.5, mass=1.0, approach=cs.C_APPROACH)
    period = 2 * math.sqrt(2 / cs.G) + contact.duration
    run = model.simulate(20.7 * period, method=method, **options)
    table = run.contacts("floor")
    assert len(table) == 21
    heights = table["separation_speed"].to_numpy() ** 2 / (2 * cs.G)
    np.testing.assert_allclose(heights, 1.0, rtol=0, atol=within)
    np.testing.assert_allclose(np.diff(table["begin"]), period, rtol=within)
    assert np.all(table["dissipated"].abs() < 1e-12)
    # the top itself: between its neighbours in time the ball flies freely
    top = run.array("ball.y") + run.array("ball.vy") ** 2 / (2 * cs.G)
    air = run.array("floor.normal_force") == 0
    np.testing.assert_allclose(top[air], 1.1, rtol=0, atol=within)


@pytest.mark.parametrize("friction", ["none", "coulomb", "smooth-coulomb", "bristle"])
@pytest.mark.parametrize("name", ["flores", "hunt-crossley", "lankarani-nikravesh"])
def test_loss_follows_from_speeds(name: str, friction: str) -> None:
    """Without weight and on ground at rest: dissipated = (m (v_in^2 - v_out^2) + J (w_in^2 - w_out^2)) / 2, and each part of
    it by its own impulse: the normal loss is m (v_n,in^2 - v_n,out^2) / 2 as if there were no friction."""
    model = gw.Model("thrown ball", gravity=(0.0, 0.0))
    model.body("ball", mass=MASS, inertia=INERTIA, at=(0.0, 0.12), velocity=(1.0, -2.0), spin=-30.0)
    model.contact(
        gw.surfaces.Circle("ball", RADIUS),
        gw.surfaces.LineGround(),
        law=law_of(name),
        friction=FRICTIONS[friction],
        name="floor",
    )
    run = model.simulate(0.1, **TIGHT)
    vx, vy, w = (run.array(f"ball.{name}")[-1] for name in ("vx", "vy", "spin"))
    normal = MASS * (4.0 - vy**2) / 2
    sliding = MASS * (1.0 - vx**2) / 2 + INERTIA * (900.0 - w**2) / 2
    by_friction, total = run.array("floor.friction_loss")[-1], run.array("floor.dissipated")[-1]
    assert (total - by_friction, by_friction) == pytest.approx((normal, sliding), rel=1e-9, abs=1e-9)
    assert sliding > 0.01 or friction == "none"
    # v_out as if there were no friction
    assert vy == pytest.approx(2.0 * cs.rebound(cs.FACTORS[name](0.6)), rel=1e-9)
    # friction acts at the rim: m R (v - 1) = J (w + 30) whatever it was
    assert MASS * RADIUS * (vx - 1.0) == pytest.approx(INERTIA * (w + 30.0), abs=1e-12)


def test_two_bodies_share_the_loss() -> None:
    """Circle on circle with friction, both free: the loss is that of the kinetic energy, momenta are kept."""
    model = gw.Model("collision", gravity=(0.0, 0.0))
    model.body("a", mass=0.7, inertia=0.002, at=(0.0, 0.0), velocity=(2.0, 0.0), spin=20.0)
    model.body("b", mass=2.3, inertia=0.01, at=(0.3, 0.1))
    model.contact(
        gw.surfaces.Circle("a", 0.1), gw.surfaces.Circle("b", 0.12), law=gw.laws.Flores(stiffness=3e6, restitution=0.5),
        friction=gw.friction.Coulomb(0.4), name="hit",
    )  # fmt: skip
    run = model.simulate(0.2, **TIGHT, output_step=0)
    lost, kinetic = run.array("hit.dissipated"), run.array("energy.kinetic")
    assert lost[-1] > 0.3 and len(run.episodes) == 1
    assert kinetic[0] - kinetic[-1] == pytest.approx(lost[-1], rel=1e-9)
    turning = 0.002 * run.array("a.spin") + 0.01 * run.array("b.spin")
    for mass, n in ((0.7, "a"), (2.3, "b")):
        turning = turning + mass * (
            run.array(f"{n}.x") * run.array(f"{n}.vy") - run.array(f"{n}.y") * run.array(f"{n}.vx")
        )
    assert np.ptp(turning) < 1e-13  # 1000 steps of rounding of 0.04 kg m^2/s and of arms of 0.3 m
    assert np.ptp(0.7 * run.array("a.vx") + 2.3 * run.array("b.vx")) < 2e-14
