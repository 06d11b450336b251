"""The embedding technique against closed forms and the augmented formulation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gaitwright as gw
from gaitwright.mechanisms.pendulum import pendulum
from gaitwright.mechanisms.slider_crank import slider_crank


def embedded(model: gw.Model, until: float, step: float, **how: Any) -> gw.Result:
    return model.simulate(until, step=step, formulation="embedding", **how)


def test_pendulum_against_its_equation_in_one_angle() -> None:
    """theta'' = -3 g cos(theta) / (2 L), with the reaction m (a - g) at the pin."""
    run = embedded(pendulum((0.3,), length=2.0, mass=3.0), 1.0, 2e-3)
    exact = solve_ivp(
        lambda t, y: [y[1], -1.5 * 9.81 / 2.0 * math.cos(y[0])], (0, 1.0), [0.3, 0.0], rtol=1e-12, atol=1e-13
    )
    assert run.array("rod1.angle")[-1] == pytest.approx(exact.y[0, -1], abs=1e-8)
    pull = 3.0 * (run.array("rod1.ay") + 9.81)
    pin = next(name.removesuffix(".fy") for name in run.catalogue if name.endswith(".fy"))
    np.testing.assert_allclose(np.abs(run.array(f"{pin}.fy")), np.abs(pull), atol=1e-9)


@pytest.mark.parametrize(("method", "order"), [("euler", 1), ("gill", 4), ("rk4", 4)])
def test_order_of_the_method_on_a_closed_loop(method: str, order: int) -> None:
    model = slider_crank(angle=0.5, spin=9.0)
    best = model.simulate(0.2, method="gauss3", step=1e-3).array("crank.angle")[-1]
    coarse, fine = (abs(embedded(model, 0.2, h, method=method).array("crank.angle")[-1] - best) for h in (8e-3, 4e-3))
    assert math.log2(coarse / fine) == pytest.approx(order, abs=0.35)


def test_driven_mechanism_and_redundant_joints() -> None:
    """A drive leaves nothing to integrate; reactions and works of drives are those of inverse dynamics."""
    model = slider_crank(speed=3.0)
    run, exact = embedded(model, 0.5, 5e-3), model.inverse(0.5, step=5e-3)
    np.testing.assert_allclose(run.array("crank.torque"), exact.array("crank.torque"), rtol=0, atol=1e-10)
    assert run.evidence.max_energy_residual < 1e-9


def test_full_turns_change_the_partition() -> None:
    model = gw.Model("whirl").ground_point("O", 0, 0)
    model.body("mass", mass=1.0, inertia=1e-3, at=(1.0, 0.0), velocity=(0.0, 8.0))
    model.joint("distance", "rod", a="ground.O", b="mass", length=1.0)
    run = embedded(model, 1.5, 5e-3)
    assert run.evidence.factorisations > 3
    assert run.evidence.max_position_violation < 1e-14
    assert run.evidence.max_energy_residual < 1e-3


REFUSED = {
    "adaptive method": (
        {"method": "dopri5"},
        "cannot take the method dopri5 (got 'embedding'); expected one of the methods",
    ),
    "stabilisation": ({"stabilisation": "baumgarte"}, "needs no stabilisation (got 'baumgarte')"),
    "name": ({"formulation": "embeded"}, "did you mean 'embedding'?"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_unsupported_options_raise(what: str) -> None:
    options, sentence = REFUSED[what]
    with pytest.raises(gw.ModelError) as error:
        pendulum().simulate(1.0, **{"formulation": "embedding", **options})
    assert sentence in str(error.value)


def test_contacts_raise() -> None:
    model = gw.Model("ball").body("ball", mass=1.0, inertia=0.004, at=(0, 1.1))
    model.contact(gw.surfaces.Circle("ball", radius=0.1), gw.surfaces.LineGround(), law=gw.laws.Hertz(stiffness=1e5))
    with pytest.raises(gw.ModelError, match="cannot take contacts"):
        embedded(model, 1.0, 1e-3)


def test_a_budget_ends_the_run() -> None:
    with pytest.raises(gw.OutOfBudget) as error:
        pendulum().simulate(10.0, step=1e-3, formulation="embedding", max_steps=400)
    assert error.value.partial.time[-1] == pytest.approx(0.4)
