"""Settings of a leg: the section `gait`, replaced values, missing values, and reversed motion."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.legs.centre_of_mass import total_mass
from gaitwright.legs.settings import hip_height, read_settings, settings_of_run
from gaitwright.mechanisms import chebyshev_leg, jansen_leg
from gaitwright.model.model import compile_model, model_of_compiled
from legs.turning import HIP, MASS, RADIUS, RATE, G, crank


def test_read_from_the_model() -> None:
    found = read_settings(crank(penetration="0.1*rate", law=gw.laws.Hertz(1e4), body_speed=0.5))
    assert found.feet == ("F",) and found.drive == "crank" and found.hip == "O"
    assert found.penetration == pytest.approx(0.1 * RATE) and found.level is None
    assert found.period == pytest.approx(2 * math.pi / RATE) and found.rate == pytest.approx(RATE)
    assert found.weight == pytest.approx(MASS * G) and found.body_speed == 0.5
    assert found.law is not None and found.law["type"] == "hertz" and found.friction is None


def test_given_values_replace_those_of_the_model() -> None:
    found = read_settings(crank(penetration=0.02), level=0.3, period=2.0, law=gw.laws.Hertz(1e4))
    assert (found.penetration, found.level, found.period) == (None, 0.3, 2.0)
    assert read_settings(crank(level=0.3), penetration=0.01).level is None


def test_restitution_may_be_an_expression() -> None:
    law = {"type": "flores", "stiffness": "1e3*rate", "restitution": "rate/10"}
    found = read_settings(crank(penetration=0.02, law=law)).law
    assert found is not None and found["restitution"] == pytest.approx(RATE / 10)


def test_settings_of_a_run_are_those_of_its_model() -> None:
    model = jansen_leg()
    assert settings_of_run(model.inverse(times=[0.0, 0.1])) == read_settings(model)


@pytest.mark.parametrize(("make", "mass"), [(chebyshev_leg, 0.449), (jansen_leg, 0.825)])
def test_mass_of_the_legs(make, mass: float) -> None:
    """Sums of Table 4.2."""
    assert total_mass(make().mechanism()) == pytest.approx(mass, rel=1e-12)
    assert read_settings(make()).weight == pytest.approx(9.81 * mass, rel=1e-12)


def test_the_mass_includes_beams() -> None:
    model = gw.Model("beam")
    model.ground_point("O", 0, 0)
    model.point("A", 1.0, 0.0)
    section: dict[str, Any] = {"youngs_modulus": 2e9, "density": 1200.0, "width": 0.02, "height": 0.003}
    model.beam("rod", "O", "A", length=1.0, elements=3, **section)
    assert total_mass(model.mechanism()) == pytest.approx(1200 * 0.02 * 0.003, rel=1e-9)


def test_hip_is_a_point_of_the_ground_or_one_that_moves() -> None:
    model = crank(penetration=0.05)
    run = model.inverse(times=np.linspace(0.0, 2 * math.pi / RATE, 401))
    heights = [hip_height(run.mechanism, run, hip) for hip in ("O", None, "F")]
    assert heights == pytest.approx([HIP, 0.0, HIP + RADIUS * 0.0], abs=2e-3)
    assert read_settings(model, hip="ground.O").hip == "O"


def two_cranks() -> gw.Model:
    model = crank()
    model.ground_point("P", 2.0, 0.0)
    model.point("H", 2.3, 0.0)
    model.link("other", "P", "H", length=0.3, mass=0.1)
    return model.drive.rotation("other", "t")


MISTAKES: dict[str, tuple[Any, dict[str, Any], str, str]] = {
    "no foot": (crank, {}, "feet", "which point is its foot"),
    "unknown foot": (crank, {"feet": "Q"}, "feet", "F"),
    "a foot in the ground": (crank, {"feet": "O"}, "feet", "one of F"),
    "unknown hip": (crank, {"feet": "F", "hip": "Q"}, "hip", "moving point"),
    "unknown drive": (crank, {"feet": "F", "drive": "motor"}, "drive", "crank"),
    "which drive": (two_cranks, {"feet": "F"}, "drive", "crank, other"),
    "both": (crank, {"feet": "F", "penetration": 0.1, "level": 0.2}, "penetration", "one of the two"),
    "no time": (crank, {"feet": "F", "period": 0.0}, "period", "greater than zero"),
    "stands still": (lambda: crank("0*t"), {"feet": "F"}, "period", "does not turn"),
    "unknown parameter": (crank, {"feet": "F", "penetration": "depth/2"}, "penetration", "depth"),
    "no law": (crank, {"feet": "F", "law": {"type": "glue"}}, "law", "glue"),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_mistakes_name_the_field(what: str) -> None:
    make, given, field, words = MISTAKES[what]
    with pytest.raises(ModelError) as raised:
        read_settings(make(), **given)
    text = str(raised.value)
    assert field in text and words in text, text


@pytest.mark.parametrize(
    "angle", ["rate*t", "rate*t+0.3*sin(rate*t)", "1-rate*(t)", "at*t", "if(t<0.5, rate*t, rate*t)"]
)
def test_backwards_is_the_same_motion_in_reverse(angle: str) -> None:
    model = gw.Model.from_dict({**crank(angle).to_dict(), "parameters": {"rate": RATE, "at": 2.0}})
    times = np.linspace(0.0, 1.0, 21)
    reverse = compile_model(model).variant(reverse=True)
    back = model_of_compiled(reverse).kinematics(times=times).array("crank.angle")
    names = {"rate": RATE, "at": 2.0, "sin": math.sin}
    formula = angle.replace("if(t<0.5, rate*t, rate*t)", "rate*t")
    exact = [eval(formula, {}, {**names, "t": -t}) for t in times]
    np.testing.assert_allclose(back, exact, atol=1e-12)
    written = gw.Model.from_dict(model_of_compiled(reverse).to_dict()).kinematics(times=times)
    np.testing.assert_array_equal(back, written.array("crank.angle"))
    twice = model_of_compiled(reverse.variant(reverse=True))
    assert twice.kinematics(times=times).array("crank.angle") == pytest.approx(
        model.kinematics(times=times).array("crank.angle"), abs=1e-12
    )
