"""Properties of every registered normal law: elastic part, signs, dissipation, clear refusals."""

import inspect
import math
from typing import Any

import numpy as np
import pytest
import sympy as sp

import gaitwright.physics as physics
from gaitwright._core.errors import ModelError
from gaitwright.physics.contact_laws.base import HysteresisLaw
from gaitwright.physics.declarations import ContactLaw

physics.load_all()
LAWS: dict[str, Any] = {
    name: law for name, law in ContactLaw.registry.items() if law.__module__.startswith(physics.__name__)
}
LOSSLESS = ("hertz", "quadratic-penalty", "augmented-lagrange")
FAMILY: dict[str, Any] = {name: law for name, law in LAWS.items() if issubclass(law, HysteresisLaw)}
table = pytest.mark.parametrize("name", LAWS)
family = pytest.mark.parametrize("name", FAMILY)
SAMPLE = {
    "stiffness": 2e4,
    "restitution": 0.6,
    "damping": 30.0,
    "depth": 2e-3,
    "relaxation_time": 1e-3,
    "dissipation": 0.4,
    "thickness": 0.02,
}
DEPTHS, RATES, APPROACH = (1e-5, 1e-3, 3e-3, 0.1), (-0.7, -0.2, 0.0, 0.3, 1.0), 0.8
d, v, v0 = sp.symbols("d v v0", real=True)


def sample(law, **changes):
    """Values of a law: its defaults, else those above, else one half."""
    values = {
        name: parameter.default if parameter.default is not None else SAMPLE.get(name, 0.5)
        for name, parameter in law.parameters.items()
    }
    return {**values, **changes}


def numeric(expression):
    return sp.lambdify((d, v, v0), expression, "math")


def test_all_specified_laws_exist():
    promised = "hertz kelvin-voigt hunt-crossley lankarani-nikravesh flores herbert-mcwhannell lee-wang gonthier hu-guo"
    assert set(promised.split()) <= set(LAWS)
    assert len(LAWS) >= 18


@table
def test_declaration_is_complete(name):
    law = LAWS[name]
    assert law.valid.endswith(".") and len(inspect.getdoc(law) or "") > 100
    assert not law.attachments and "stiffness" in law.parameters
    for parameter in law.parameters.values():
        assert parameter.unit and parameter.doc and parameter.minimum == 0.0
    law.check(**sample(law))


@table
def test_law_entry_equals_model_file_entry(name):
    law = LAWS[name]
    assert law(2e4).entry() == {"type": name, "stiffness": 2e4}


@table
def test_memory_is_declared(name):
    law = LAWS[name]
    assert (v0 in sp.sympify(law.force(d, v, v0, **sample(law))).free_symbols) == law.remembers


@table
def test_elastic_force_is_the_derivative_of_the_energy(name):
    law = LAWS[name]
    values = sample(law)
    at_rest, slope = numeric(law.force(d, 0, v0, **values)), numeric(law.energy(d, **values).diff(d))
    for depth in DEPTHS:
        assert at_rest(depth, 0.0, APPROACH) == pytest.approx(slope(depth, 0.0, APPROACH), rel=1e-12)
        assert at_rest(depth, 0.0, APPROACH) > 0
    assert numeric(law.energy(d, **values))(0.0, 0.0, APPROACH) == 0


@table
def test_force_starts_at_zero_unless_the_law_says_that_it_jumps(name):
    law = LAWS[name]
    force = numeric(law.force(d, v, v0, **sample(law)))
    for rate in RATES:
        assert (abs(force(1e-30, rate, APPROACH)) < 1e-5) == (rate == 0 or not law.jumps)


@table
def test_force_resists_the_motion(name):
    """Above the elastic force on the way in, below it on the way out; more with more speed and, at rest, with depth."""
    law = LAWS[name]
    values = sample(law)
    raw = law.force(d, v, v0, **values)
    force, by_rate, by_depth = numeric(raw), numeric(raw.diff(v)), numeric(raw.diff(d))
    for depth in DEPTHS:
        elastic = force(depth, 0.0, APPROACH)
        assert by_depth(depth, 0.0, APPROACH) > 0
        for rate in RATES:
            assert (force(depth, rate, APPROACH) - elastic) * rate >= 0
            assert by_rate(depth, rate, APPROACH) >= 0
            if raw.has(v) and rate:
                assert (force(depth, rate, APPROACH) - elastic) * rate > 0


@table
@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf])
def test_stiffness_must_be_positive(name, value):
    with pytest.raises(ModelError, match=r"'stiffness'.*above 0"):
        LAWS[name].check(**sample(LAWS[name], stiffness=value))


@pytest.mark.parametrize("name", [name for name, law in LAWS.items() if "exponent" in law.parameters])
@pytest.mark.parametrize("value", [2 / 3, 0.0, math.nan])
def test_exponent_below_one_names_the_misprint(name, value):
    with pytest.raises(ModelError, match=r"'exponent'.*infinitely stiff.*3/2.*paper 000 is a misprint"):
        LAWS[name].check(**sample(LAWS[name], exponent=value))


@family
@pytest.mark.parametrize("value", [-0.1, 1.1, math.nan])
def test_restitution_is_between_zero_and_one(name, value):
    with pytest.raises(ModelError, match=r"'restitution'.*from 0 to 1"):
        LAWS[name].check(**sample(LAWS[name], restitution=value))


@family
def test_restitution_zero(name):
    """Either k(0) is finite, or the message reports this and names laws that accept 0, with their true rebound."""
    law = FAMILY[name]
    law.check(**sample(law, restitution=1.0))
    if law.finite_at_zero:
        law.check(**sample(law, restitution=0.0))
        assert 0 < float(law.factor(0.0)) < 100
    else:
        with pytest.raises(ZeroDivisionError):
            law.factor(0.0)
        with pytest.raises(ModelError, match=rf"'restitution'.*{name} is infinite.*hunt-crossley.*0.488 and 0.663"):
            law.check(**sample(law, restitution=0.0))


@pytest.mark.parametrize("name", [name for name in LAWS if name not in FAMILY and name not in LOSSLESS])
@pytest.mark.parametrize("value", [-1.0, math.nan, math.inf])
def test_damping_must_not_add_energy(name, value):
    law = LAWS[name]
    damping = [p for p in law.parameters if p not in ("stiffness", "exponent", "depth", "thickness")]
    assert len(damping) == 1
    with pytest.raises(ModelError, match=f"field '{damping[0]}': {name} would add energy.*not negative"):
        law.check(**sample(law, **{damping[0]: value}))


def test_the_dashpot_of_adams_needs_a_depth():
    with pytest.raises(ModelError, match=r"'depth'.*above 0, or the law ristow"):
        LAWS["adams-impact"].check(**sample(LAWS["adams-impact"], depth=0.0))


@family
def test_factor_falls_with_the_restitution_to_zero(name):
    grid = np.linspace(0.01, 1.0, 100)
    k = np.array([float(FAMILY[name].factor(e)) for e in grid])
    assert np.all(np.diff(k) < 0)
    assert k[-1] == (1.0 if name == "gharib-hurmuzlu" else 0.0)


PUBLISHED = {  # chi v0 / K at e = 1/2, by hand
    "hunt-crossley": 3 / 4, "lankarani-nikravesh": 9 / 16, "flores": 8 / 5, "herbert-mcwhannell": 1.0, "lee-wang": 3 / 8,
    "gonthier": 3 / 2, "hu-guo": 3 / 2, "gharib-hurmuzlu": 2.0, "zhiying-qishao": 9 / 16 * math.e,
    "carvalho-martins": 3 / 2 * 0.5 * 10.5 / 5.5, "zhang-sharf": 1.4327505332713752,
}  # fmt: skip


@pytest.mark.parametrize("name", PUBLISHED)
def test_factor_at_one_half(name):
    accuracy = 6e-5 if name == "zhang-sharf" else 1e-14
    assert float(FAMILY[name].factor(0.5)) == pytest.approx(PUBLISHED[name], rel=accuracy)


def test_laws_agree_at_known_restitutions():
    """Flores equals Gonthier at e = 3/5, Carvalho and Martins equals Gonthier at 1/3, Kelvin-Voigt is Ristow with n = 1."""
    flores, gonthier, carvalho = (FAMILY[name].factor for name in ("flores", "gonthier", "carvalho-martins"))
    assert flores(0.6) == pytest.approx(gonthier(0.6), rel=1e-14)
    assert carvalho(1 / 3) == pytest.approx(gonthier(1 / 3), rel=1e-14)
    values = {"stiffness": 3.0, "damping": 2.0}
    linear = LAWS["ristow"].force(d, v, v0, **values, exponent=1)
    assert sp.simplify(LAWS["kelvin-voigt"].force(d, v, v0, **values) - linear) == 0


def test_dashpot_of_adams_comes_in_smoothly():
    law = LAWS["adams-impact"]
    values = sample(law)
    dashpot = law.force(d, v, v0, **values).diff(v)
    at, slope = numeric(dashpot), numeric(dashpot.diff(d))
    depth = values["depth"]
    assert [at(x * depth, 0, 0) / values["damping"] for x in (0.25, 0.5, 1, 3)] == pytest.approx([0.15625, 0.5, 1, 1])
    assert slope(0.0, 0, 0) == 0 and slope(depth * (1 - 1e-9), 0, 0) == pytest.approx(0, abs=1e-3)


def test_a_law_of_the_family_is_one_line():
    """A user's law: a name, a sentence and k(e)."""

    class Half(HysteresisLaw):
        name = "half-of-hunt-crossley"
        valid = "A test."

        @staticmethod
        def factor(restitution):
            return 3 * (1 - restitution) / 4

    try:
        values = {"stiffness": 5.0, "restitution": 0.2, "exponent": 1.5}
        assert sp.simplify(Half.force(d, v, v0, **values) - LAWS["lee-wang"].force(d, v, v0, **values)) == 0
    finally:
        ContactLaw.registry.pop("half-of-hunt-crossley")
