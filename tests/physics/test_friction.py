"""Properties of every registered friction law: it opposes slip, is bounded by Coulomb's limit, and refuses nonsense."""

import inspect
import math
from typing import Any

import numpy as np
import pytest
import sympy as sp

import gaitwright.physics as physics
from gaitwright._core.errors import ModelError
from gaitwright.physics.declarations import Friction

physics.load_all()
LAWS: dict[str, Any] = {
    name: law for name, law in Friction.registry.items() if law.__module__.startswith(physics.__name__)
}
SAMPLE = {"coefficient": 0.4, "static_coefficient": 0.6, "kinetic_coefficient": 0.4, "stiffness": 1e4}
SPEEDS = np.array([0.0, 1e-7, 5e-4, 1e-3, 4e-3, 9e-3, 2e-2, 0.1, 1.0, 30.0])
NORMAL = 50.0
s, z, n = sp.symbols("s z n", real=True)


def sample(law, **changes):
    values = {
        name: parameter.default if parameter.default is not None else SAMPLE.get(name, 0.5)
        for name, parameter in law.parameters.items()
    }
    return {**values, **changes}


def has_history(law):
    return law.limit(n, **sample(law)) is not None


def largest(law):
    """The largest coefficient, which bounds the force."""
    return max(sample(law)[name] for name, parameter in law.parameters.items() if parameter.unit == "1")


def numeric(law, **changes):
    return sp.lambdify((s, z, n), law.force(s, z, n, **sample(law, **changes)), ["math", {"sign": np.sign}])


table = pytest.mark.parametrize("name", LAWS)
with_limit = pytest.mark.parametrize("name", [name for name in LAWS if name != "no-slip"])
without_history = pytest.mark.parametrize("name", [name for name, law in LAWS.items() if not has_history(law)])


def test_all_specified_friction_laws_exist():
    assert {"coulomb", "smooth-coulomb", "stribeck", "bristle"} <= set(LAWS)


@table
def test_declaration_is_complete(name):
    law = LAWS[name]
    assert len(inspect.getdoc(law) or "") > 100 and not law.attachments
    for parameter in law.parameters.values():
        assert parameter.unit and parameter.doc and parameter.minimum == 0.0
    law.check(**sample(law))


@table
def test_force_is_odd(name):
    """The same to the left and to the right."""
    force = numeric(LAWS[name])
    for speed in SPEEDS:
        for stretch in (0.0, 1e-4, 1e-2):
            assert force(-speed, -stretch, NORMAL) == -force(speed, stretch, NORMAL)


@with_limit
def test_force_is_within_coulombs_limit(name):
    force = numeric(LAWS[name])
    for speed in (*SPEEDS, *-SPEEDS):
        for stretch in (-1.0, 0.0, 2e-3):
            assert abs(force(speed, stretch, NORMAL)) <= largest(LAWS[name]) * NORMAL * (1 + 1e-14)


@with_limit
def test_nothing_without_normal_force(name):
    force = numeric(LAWS[name])
    for speed in SPEEDS:
        assert force(speed, 1e-3, 0.0) == 0


@with_limit
def test_force_grows_with_the_normal_force(name):
    raw = sp.sympify(LAWS[name].force(s, z, n, **sample(LAWS[name])))
    by_normal = sp.lambdify((s, z, n), raw.diff(n), ["math", {"sign": np.sign, "Heaviside": np.heaviside}])
    assert by_normal(0.5, 1.0, NORMAL) == pytest.approx(-SAMPLE["kinetic_coefficient"], rel=1e-2)


@without_history
def test_no_slip_no_force_and_no_use_of_the_stretch(name):
    law = LAWS[name]
    assert numeric(law)(0.0, 1.0, NORMAL) == 0
    assert z not in sp.sympify(law.force(s, z, n, **sample(law))).free_symbols


@without_history
def test_friction_dissipates_energy(name):
    force = numeric(LAWS[name])
    for speed in (*SPEEDS, *-SPEEDS):
        assert force(speed, 0.0, NORMAL) * speed <= 0
    assert force(0.5, 0.0, NORMAL) < 0  # on b, against its slip


@without_history
def test_sliding_friction_is_reached(name):
    assert numeric(LAWS[name])(1.0, 0.0, NORMAL) == pytest.approx(-0.4 * NORMAL, rel=2e-2)


def test_no_slip_is_a_bristle_that_holds():
    held, slipping = numeric(LAWS["no-slip"]), numeric(LAWS["bristle"])
    assert (
        held(0.1, 1e-4, NORMAL) == slipping(0.1, 1e-4, NORMAL) and held(0.1, 1.0, NORMAL) == held(0.1, 1.0, 0.0) == -1e4
    )


# coulomb -------------------------------------------------------------------------------------------------------------


def test_coulomb_is_the_ramp_of_the_thesis():
    """Paper 003 Eq 3.11, with the defaults of DESIGN section 4."""
    force = numeric(LAWS["coulomb"])
    for speed, part in ((0.0, 0), (1e-3, 0), (5.5e-3, 0.5), (1e-2, 1), (5.0, 1)):
        assert force(speed, 0.0, NORMAL) == pytest.approx(-0.4 * NORMAL * part, abs=1e-12)
    assert numeric(LAWS["coulomb"], v0=0.0, v1=0.2)(0.05, 0.0, NORMAL) == pytest.approx(-0.1 * NORMAL)


@pytest.mark.parametrize("v0, v1", [(1e-2, 1e-2), (1e-2, 1e-3), (0.0, 0.0), (1e-3, math.nan)])
def test_coulomb_ramp_must_rise(v0, v1):
    with pytest.raises(ModelError, match=r"'v1'.*must end faster than it begins.*above v0 ="):
        LAWS["coulomb"].check(coefficient=0.4, v0=v0, v1=v1)


def test_coulomb_v0_is_not_negative():
    with pytest.raises(ModelError, match=r"'v0'.*zero or more"):
        LAWS["coulomb"].check(coefficient=0.4, v0=-1e-3)


# smooth-coulomb, stribeck, brown-mcphee ------------------------------------------------------------------------------


def test_smooth_coulomb_holds_a_load_by_creeping():
    load = 0.3 * NORMAL
    speed = 5e-3 * math.atanh(load / (0.4 * NORMAL))
    assert numeric(LAWS["smooth-coulomb"])(speed, 0.0, NORMAL) == pytest.approx(-load, rel=1e-12)


def test_stribeck_limits():
    """Static between the transition and the Stribeck speed, kinetic far above, plus the viscous part."""
    values = {"stribeck_speed": 1.0, "transition_speed": 1e-6}
    force = numeric(LAWS["stribeck"], **values)
    assert force(1e-4, 0.0, NORMAL) == pytest.approx(-0.6 * NORMAL, rel=1e-7)
    assert force(1.0, 0.0, NORMAL) == pytest.approx(-(0.4 + 0.2 / math.e) * NORMAL, rel=1e-12)
    assert force(10.0, 0.0, NORMAL) == pytest.approx(-0.4 * NORMAL, rel=1e-12)
    assert numeric(LAWS["stribeck"], **values, viscous=0.05)(10.0, 0.0, NORMAL) == pytest.approx(-0.9 * NORMAL)


def test_stribeck_with_one_coefficient_is_smooth_coulomb():
    changes = {"static_coefficient": 0.4, "transition_speed": 5e-3}
    one, other = numeric(LAWS["stribeck"], **changes), numeric(LAWS["smooth-coulomb"])
    for speed in SPEEDS:
        assert one(speed, 0.0, NORMAL) == pytest.approx(other(speed, 0.0, NORMAL), rel=1e-14, abs=1e-14)


def test_brown_mcphee_peaks_at_the_transition_speed():
    law = LAWS["brown-mcphee"]
    force = numeric(law)
    assert force(1e-2, 0.0, NORMAL) == pytest.approx(-0.6 * NORMAL, rel=5e-4)  # tanh(4) is 0.9993
    grid = np.linspace(1e-4, 0.1, 2000)
    assert grid[np.argmin([force(v, 0.0, NORMAL) for v in grid])] == pytest.approx(1e-2, rel=0.02)


@pytest.mark.parametrize("name", ["stribeck", "brown-mcphee"])
def test_static_friction_is_not_below_kinetic(name):
    law = LAWS[name]
    law.check(**sample(law, static_coefficient=0.4))
    with pytest.raises(
        ModelError, match=r"'static_coefficient'.*less than sliding.*at least the kinetic_coefficient, 0.4"
    ):
        law.check(**sample(law, static_coefficient=0.3))


def test_transition_is_below_the_stribeck_speed():
    with pytest.raises(ModelError, match=r"'transition_speed'.*before it has risen.*0.001 m/s"):
        LAWS["stribeck"].check(**sample(LAWS["stribeck"], transition_speed=0.1))


# bristle -------------------------------------------------------------------------------------------------------------


def test_bristles_hold_at_rest_and_give_way_at_the_limit():
    law = LAWS["bristle"]
    force, most = numeric(law), law.limit(NORMAL, **sample(law))
    assert most == pytest.approx(0.4 * NORMAL / 1e4)
    assert force(0.0, most / 2, NORMAL) == pytest.approx(-0.2 * NORMAL)
    assert force(0.0, most, NORMAL) == pytest.approx(-0.4 * NORMAL)
    assert force(0.0, 3 * most, NORMAL) == -0.4 * NORMAL
    assert force(1.0, most, NORMAL) == pytest.approx(-0.4 * NORMAL)


def test_bristles_are_damped_within_the_limit():
    force = numeric(LAWS["bristle"], damping=100.0)
    assert force(0.01, 1e-3, NORMAL) == pytest.approx(-11.0)
    assert force(1.0, 0.0, NORMAL) == -0.4 * NORMAL


# refusals ------------------------------------------------------------------------------------------------------------


def positive(law):
    """Values by which the law divides."""
    return [name for name in law.parameters if name == "stiffness" or name.endswith("_speed")]


@pytest.mark.parametrize("name, field", [(name, field) for name, law in LAWS.items() for field in positive(law)])
@pytest.mark.parametrize("value", [0.0, -1.0, math.nan])
def test_divisors_must_be_positive(name, field, value):
    with pytest.raises(ModelError, match=f"'{field}'.*above 0"):
        LAWS[name].check(**sample(LAWS[name], **{field: value}))


@pytest.mark.parametrize(
    "name, field",
    [
        (name, field)
        for name, law in LAWS.items()
        for field in law.parameters
        if field not in positive(law) and field not in ("v0", "v1")
    ],
)
@pytest.mark.parametrize("value", [-0.1, math.nan, math.inf])
def test_other_values_must_not_be_negative(name, field, value):
    with pytest.raises(ModelError, match=f"'{field}'.*zero or more"):
        LAWS[name].check(**sample(LAWS[name], **{field: value}))
