"""Bristles through an impact, against their sweeping process (`contact_solutions.bristle_impact`).

The deflection is a state: the force within a step uses the deflection at its beginning plus the slip since then, and the
limit is applied at the end of the step. The error of that is proportional to the step, and no estimate controls it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from verification import contact_solutions as cs

MASS, INERTIA, RADIUS, K = 1.0, 0.004, 0.1, 2e5
HELD = 1 / (1 / MASS + RADIUS**2 / INERTIA)
CASES = {
    # slip, approach, mu, bristles k and c, restitution of Flores
    "sticks, gives way on the way out": (0.3, 2.0, 0.3, 1e4, 20.0, 1.0),
    "stiff bristles": (0.3, 2.0, 0.3, 1e5, 20.0, 1.0),
    "never gives way": (0.5, 2.0, 0.6, 3e4, 0.0, 1.0),
    "backwards": (-0.1, 2.0, 0.6, 1e4, 50.0, 1.0),
    "slides long, damped": (3.3, 2.7, 0.3, 1e4, 20.0, 1.0),
    "slides long, damped, dissipative": (3.3, 2.7, 0.3, 1e4, 20.0, 0.6),
    "slides long, undamped": (3.3, 2.7, 0.3, 1e4, 0.0, 0.6),
    "soft landing": (0.3, 2.7, 0.3, 1e5, 20.0, 0.3),
}
SHRINKING = ("slides long, damped", "slides long, damped, dissipative")


def impact(what: str, **options: Any) -> tuple[float, cs.Grip]:
    """Slip after the impact, and the exact one."""
    slip, approach, mu, k, c, e = CASES[what]
    model = gw.Model("bristles", gravity=(0.0, 0.0))
    model.body("ball", mass=MASS, inertia=INERTIA, at=(0.0, RADIUS + 0.01), velocity=(slip, -approach))
    law = gw.laws.Flores(K, restitution=e)
    model.contact(
        gw.surfaces.Circle("ball", RADIUS),
        gw.surfaces.LineGround(),
        law=law,
        friction=gw.friction.Bristle(mu, stiffness=k, damping=c),
        name="floor",
    )
    run = model.simulate(0.05, **options)
    exact = cs.bristle_impact(
        slip, mass=MASS, tangential_mass=HELD, stiffness=K, approach=approach, mu=mu, k=k, c=c, factor=1.6 * (1 - e) / e
    )
    assert run.episodes[0].duration == pytest.approx(exact.duration, rel=1e-5)
    vx, spin = run.array("ball.vx")[-1], run.array("ball.spin")[-1]
    assert MASS * (vx - slip) == pytest.approx(INERTIA * spin / RADIUS, abs=1e-9)  # of the same impulse
    return float(vx + RADIUS * spin), exact


@pytest.mark.parametrize(
    "what",
    CASES,
)
def test_impact_on_bristles(what: str) -> None:
    """Of slips of 0.1 to 3 m/s: the end of one step of 1e-5 s, in which they change by up to 100 m/s^2 times that at a kink."""
    found, exact = impact(what, method="radau5", tolerance=1e-10)
    assert found == pytest.approx(exact.slip, abs=2e-5)


@pytest.mark.parametrize("what", CASES)
@pytest.mark.parametrize("method", ["dopri5", "rk4", "generalized-alpha"])
def test_every_method_agrees(method: str, what: str) -> None:
    """To 1.5 % of the speeds at default settings and steps of 1 ms."""
    found, exact = impact(what, method=method, **({} if method == "dopri5" else {"step": 1e-3}))
    assert found == pytest.approx(exact.slip, abs=0.015 * max(abs(CASES[what][0]), CASES[what][1]))


@pytest.mark.parametrize("what", SHRINKING)
def test_error_goes_at_least_with_the_step(what: str) -> None:
    errors = []
    for step in (1e-4, 1e-5):
        found, exact = impact(what, method="rk4", step=step)
        errors.append(abs(found - exact.slip))
    assert errors[1] < 0.2 * errors[0] < 2e-3


def test_bristles_ring_like_a_spring() -> None:
    """Under constant load a stretched foot swings with sqrt(k/m) and, undamped, keeps its amplitude: no creep, no ratchet."""
    k, mass = 1e5, 2.0
    depth = cs.static_depth(mass * cs.G, K, 1.5)
    model = gw.Model("foot").body("foot", mass=mass, inertia=1.0, at=(0.0, -depth), velocity=(0.02, 0.0))
    model.contact(
        "foot",
        gw.surfaces.LineGround(),
        law=gw.laws.Hertz(K),
        friction=gw.friction.Bristle(0.9, stiffness=k),
        name="floor",
    )
    run = model.simulate(2.0, method="gauss3", step=1e-3, tolerance=1e-10)
    w = math.sqrt(k / mass)
    # 70 swings: the phase error of Gauss3, h^6 w^7 t, is 1e-6 rad
    np.testing.assert_allclose(run.array("foot.x"), 0.02 / w * np.sin(w * run.time), rtol=0, atol=1e-9)
