"""Springs, dampers, torsion springs and bumpers against closed forms: decay, forced response, impact on a stop."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

import gaitwright as gw
from verification import analytical as an

MASS, STIFFNESS = 2.0, 800.0  # w0 = 20 rad/s
CRITICAL = 2 * np.sqrt(STIFFNESS * MASS)
REST = 0.5
DAMPING = {"undamped": 0.0, "weak": 0.05 * CRITICAL, "critical": CRITICAL, "strong": 3 * CRITICAL}
#: Settings and error relative to the amplitude over 1 s (three periods): (h r)^p of the method, where the fastest rate r
#: is 117 1/s of the strong damping; for explicit methods that of order 4 needs h = 2e-4 s.
METHODS = [
    ({"method": "dopri5", "tolerance": 1e-12}, 1e-10),
    ({"method": "radau5", "tolerance": 1e-11}, 1e-10),
    ({"method": "gauss3", "step": 2e-3}, 1e-9),
    ({"method": "gauss2", "step": 1e-3}, 1e-7),
    ({"method": "rk4", "step": 2e-4}, 1e-7),
    ({"method": "gill", "step": 2e-4}, 1e-7),
    ({"method": "gauss1", "step": 1e-4}, 1e-5),
    ({"method": "generalized-alpha", "step": 1e-4}, 1e-4),
    ({"method": "rosenbrock23", "tolerance": 1e-8}, 1e-4),
    ({"method": "euler", "step": 1e-5}, 1e-2),
]


def mass_on_spring(x0: float, v0: float, damping: float, angle: float = 0.0) -> gw.Model:
    """A slider on a guide through the origin, inclined by `angle`, with a spring along the guide; no gravity."""
    c, s = np.cos(angle), np.sin(angle)
    model = gw.Model("mass on a spring", gravity=(0, 0)).ground_point("O", 0, 0)
    at = REST + x0
    model.body("m", mass=MASS, inertia=0.1, at=(at * c, at * s), velocity=(v0 * c, v0 * s))
    model.joint.prismatic("ground.O", "m", (c, s), name="guide")
    return model.force.spring_damper(
        "ground.O", "m", stiffness=STIFFNESS, damping=damping, rest_length=REST, name="spring"
    )


@pytest.mark.slow
@pytest.mark.parametrize("damping", DAMPING)
@pytest.mark.parametrize(("how", "tolerance"), METHODS, ids=[h["method"] for h, _ in METHODS])
def test_decay(how: dict, tolerance: float, damping: str) -> None:
    x0, v0, c = 0.1, -1.5, DAMPING[damping]
    run = mass_on_spring(x0, v0, c).simulate(1.0, **how)
    x, v = an.damped_free(run.time, MASS, c, STIFFNESS, x0, v0)
    np.testing.assert_allclose(run.array("m.x") - REST, x, rtol=0, atol=0.1 * tolerance)
    np.testing.assert_allclose(run.array("m.vx"), v, rtol=0, atol=4 * tolerance)
    # Energies: the damper has dissipated the energy that the mass and the spring have lost.
    energy = 0.5 * MASS * v**2 + 0.5 * STIFFNESS * x**2
    np.testing.assert_allclose(run.array("spring.dissipated"), energy[0] - energy, rtol=0, atol=20 * tolerance)
    np.testing.assert_allclose(run.array("spring.force"), -(STIFFNESS * x + c * v), rtol=0, atol=2000 * tolerance)


def test_inclined_guide_gives_the_same_decay() -> None:
    run = mass_on_spring(0.1, -1.5, 8.0, angle=2.2).simulate(1.0, method="dopri5", tolerance=1e-12)
    x, _ = an.damped_free(run.time, MASS, 8.0, STIFFNESS, 0.1, -1.5)
    np.testing.assert_allclose(run.array("spring.length") - REST, x, rtol=0, atol=1e-11)
    np.testing.assert_allclose(run.array("guide.normal"), 0.0, atol=1e-9)  # the guide has nothing to do


@pytest.mark.parametrize("ratio", [0.3, 0.95, 1.0, 4.0])
@pytest.mark.parametrize(
    "how", [{"method": "dopri5", "tolerance": 1e-12}, {"method": "gauss3", "step": 2e-3}], ids=["dopri5", "gauss3"]
)
def test_forced_response(how: dict, ratio: float) -> None:
    """Started on its steady state, the mass stays there: amplitude and phase below, at and above resonance."""
    force, c, w = 50.0, 8.0, float(ratio * np.sqrt(STIFFNESS / MASS))
    amplitude, lag = an.forced_steady_state(MASS, c, STIFFNESS, force, w)
    model = mass_on_spring(amplitude * np.cos(lag), amplitude * w * np.sin(lag), c)
    model.force.at_point("m", [f"{force!r}*cos({w!r}*t)", 0], name="shaker")
    run = model.simulate(5 * 2 * np.pi / w, **how)
    exact = amplitude * np.cos(w * run.time - lag)
    np.testing.assert_allclose(run.array("m.x") - REST, exact, rtol=0, atol=1e-8 * amplitude)
    # Over whole periods the shaker supplies the dissipation of the damper: pi c w X^2 each.
    assert run.array("shaker.work")[-1] == pytest.approx(5 * np.pi * c * w * amplitude**2, rel=1e-8)
    balance = run.array("shaker.work") - run.array("spring.dissipated")
    stored = run.array("energy.kinetic") + run.array("energy.potential")
    np.testing.assert_allclose(stored - stored[0], balance, rtol=0, atol=1e-8 * stored.max())


@pytest.mark.parametrize("damping", [0.0, 0.02, 0.2])
def test_torsion_spring(damping: float) -> None:
    """A rod on a pin with a torsion spring, no gravity: linear at any angle, J = m L^2 / 3."""
    inertia, stiffness, angle0 = 0.6 * 0.5**2 / 3, 0.7, 2.5
    model = gw.Model("torsion", gravity=(0, 0)).ground_point("O", 0, 0)
    model.point("P", 0.5 * np.cos(angle0), 0.5 * np.sin(angle0)).link("rod", "O", "P", mass=0.6)
    model.force.torsion_spring("ground", "rod", stiffness=stiffness, damping=damping, rest_angle=0.4, name="spring")
    run = model.simulate(3.0, method="dopri5", tolerance=1e-12)
    x, v = an.damped_free(run.time, inertia, damping, stiffness, angle0 - 0.4, 0.0)
    np.testing.assert_allclose(run.array("rod.angle") - 0.4, x, rtol=0, atol=1e-10)
    np.testing.assert_allclose(run.array("rod.spin"), v, rtol=0, atol=1e-9)
    np.testing.assert_allclose(run.array("spring.torque"), -stiffness * x - damping * v, rtol=0, atol=1e-9)
    lost = 0.5 * stiffness * (x[0] ** 2 - x**2) - 0.5 * inertia * v**2
    np.testing.assert_allclose(run.array("spring.dissipated"), lost, rtol=0, atol=1e-9)


BUMPER_INERTIA, BUMPER_STIFFNESS, UPPER = 0.5 * 0.4**2 / 3, 300.0, 0.3


def rod_on_bumper(spin: float, damping: float) -> gw.Model:
    model = gw.Model("bumper", gravity=(0, 0)).ground_point("O", 0, 0).point("P", 0.4, 0).velocity("P", 0, 0.4 * spin)
    model.link("rod", "O", "P", mass=0.5)
    return model.force.bumper(
        "ground", "rod", lower=-0.5, upper=UPPER, stiffness=BUMPER_STIFFNESS, damping=damping, name="stop"
    )


@pytest.mark.parametrize(
    ("how", "tolerance"),
    [
        ({"method": "dopri5", "tolerance": 1e-10}, 1e-7),
        ({"method": "radau5", "tolerance": 1e-9}, 1e-6),
        # the torque has a kink at the stop: a fixed step that hits it in the middle has an error of h^2 once
        ({"method": "gauss3", "step": 1e-4}, 1e-4),
        ({"method": "rk4", "step": 1e-4}, 1e-4),
        ({"method": "generalized-alpha", "step": 1e-4}, 1e-3),
    ],
    ids=lambda value: value["method"] if isinstance(value, dict) else "",
)
def test_undamped_bumper_gives_the_energy_back(how: dict, tolerance: float) -> None:
    """Free flight, half a sine on the stop (pi sqrt(J/k), depth w sqrt(J/k)), back with the same speed."""
    spin = 5.0
    run = rod_on_bumper(spin, 0.0).simulate(0.15, **how)
    root = np.sqrt(BUMPER_INERTIA / BUMPER_STIFFNESS)
    touch, leave = UPPER / spin, UPPER / spin + np.pi * root
    t, angle = run.time, run.array("rod.angle")
    inside = (t > touch) & (t < leave)
    exact = np.where(
        inside,
        UPPER + spin * root * np.sin((t - touch) / root),
        np.where(t < leave, spin * t, UPPER - spin * (t - leave)),
    )
    np.testing.assert_allclose(angle, exact, rtol=0, atol=tolerance)
    assert run.array("rod.spin")[-1] == pytest.approx(-spin, abs=20 * tolerance)
    energy = run.array("energy.kinetic") + run.array("energy.potential")
    np.testing.assert_allclose(energy, 0.5 * BUMPER_INERTIA * spin**2, rtol=10 * tolerance)


@pytest.mark.parametrize("damping", [0.02, 0.1])
def test_damped_bumper_rebounds_as_hunt_and_crossley(damping: float) -> None:
    """tau = -k p (1 + d p'): d (w + w') = ln((1 + d w) / (1 - d w')) for the rebound w'; the recomputation of 004 with n =
    1."""
    spin = 5.0
    rebound = brentq(
        lambda x: damping * (spin + x) - np.log((1 + damping * spin) / (1 - damping * x)),
        1e-3,
        min(spin, 0.999 / damping),
    )
    run = rod_on_bumper(spin, damping).simulate(0.15, method="dopri5", tolerance=1e-11)
    assert run.array("rod.spin")[-1] == pytest.approx(-rebound, rel=1e-8)
    lost = 0.5 * BUMPER_INERTIA * (spin**2 - rebound**2)
    assert run.array("stop.dissipated")[-1] == pytest.approx(lost, rel=1e-7)
    assert run.evidence.max_energy_residual < 1e-8


def test_lower_stop_is_the_mirror_image_of_the_upper_one() -> None:
    up = rod_on_bumper(5.0, 0.05).simulate(0.15, method="dopri5", tolerance=1e-11)
    model = rod_on_bumper(-5.0, 0.05)
    model.document.forces[0]["lower"], model.document.forces[0]["upper"] = -UPPER, 0.5
    down = model.simulate(0.15, method="dopri5", tolerance=1e-11)
    np.testing.assert_allclose(down.array("rod.angle"), -up.array("rod.angle"), rtol=0, atol=1e-13)
    np.testing.assert_allclose(down.array("stop.torque"), -up.array("stop.torque"), rtol=0, atol=1e-10)
