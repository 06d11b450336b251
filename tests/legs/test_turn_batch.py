"""Measures of many legs at once, compared with those of single legs, and their derivatives."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.codegen.c_library import find_compiler
from gaitwright.design.sampling import sample_designs
from gaitwright.legs.designs import DEFAULT_TURN_SAMPLES
from gaitwright.legs.turn_numbers import LEG_MEASURES, TURN_NUMBERS
from gaitwright.measures.array_derivatives import ratio
from gaitwright.measures.measure import Measure
from gaitwright.mechanisms import jansen_leg
from gaitwright.mechanisms.catalogue import CATALOGUE
from gaitwright.model.model import Model, make_variant, require_compilable

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


@needs_compiler
@pytest.mark.parametrize("name", ["jansen-leg", pytest.param("klann-leg", marks=pytest.mark.slow)])
def test_many_legs_agree_with_single_legs(name):
    raw = CATALOGUE[name].model().to_dict()
    model = Model.from_dict({**raw, "outputs": []})
    numbers = {k: v for k, v in model.document.parameters.items() if isinstance(v, float)}
    given = sample_designs(model, {k: tuple(sorted((0.99 * v, 1.01 * v))) for k, v in numbers.items()}, 6)
    turn = gw.one_turn(90, model=model)
    table = gw.designs(model, given, measures=list(LEG_MEASURES), analysis=turn)
    one = require_compilable(Model.from_dict({**model.to_dict(), "analysis": turn}))
    good = np.flatnonzero(table["failure"].values == 0)
    assert good.size >= 3
    for k in good:
        wanted = gw.measure_leg(make_variant(one, {name: values[k] for name, values in given.items()}).analyse())
        assert set(wanted) == set(LEG_MEASURES)
        for what, value in wanted.items():
            assert float(table[what][k]) == pytest.approx(value, rel=1e-9), what


@needs_compiler
def test_a_ground_that_no_foot_reaches_is_reported():
    leg = jansen_leg()
    raw = leg.to_dict()
    raw["gait"] = {**raw["gait"], "penetration": None, "level": "height"}
    model = Model.from_dict({**raw, "parameters": {**raw["parameters"], "height": -0.6}})
    table = gw.designs(
        model, {"height": [-0.6, -2.0, 2.0]}, measures=["step_length"], analysis=gw.one_turn(60, model=model)
    )
    said = dict(zip(table["code"].values.tolist(), table["reason"].values.tolist(), strict=True))
    reasons = [said[code] for code in table["failure"].values.tolist()]
    assert reasons[0] == "" and "reaches" in reasons[1] and "leaves" in reasons[2]


def test_designs_of_several_feet_are_analysed_one_after_another():
    """No program is generated for them: each design has the numbers of a separate analysis."""
    model = CATALOGUE["strider-legs"].make()
    cranks = [model.document.parameters["crank"] * factor for factor in (1.0, 1.02)]
    with pytest.warns(UserWarning, match="designs are analysed one after another"):
        table = gw.designs(model, {"crank": cranks}, measures=["step_length", "torque"])
    assert table["failure"].values.tolist() == [0, 0]
    one = require_compilable(model)
    for k, crank in enumerate(cranks):
        alone = gw.analyse_leg(
            make_variant(one, {"crank": crank}),
            directions=("as driven",),
            restitutions=(),
            samples=DEFAULT_TURN_SAMPLES,
        )
        assert len(alone.turn.feet) == 2
        for what in ("step_length", "torque"):
            assert float(table[what][k]) == pytest.approx(alone.numbers[what].value, rel=1e-9), what


def test_programs_for_several_feet_are_refused():
    """With a given analysis, which uses a program, the numbers of several feet are not supported."""
    model = CATALOGUE["strider-legs"].make()
    crank = {"crank": [model.document.parameters["crank"]]}
    with pytest.raises(gw.ModelError, match="a leg with 2 feet cannot be printed yet"):
        gw.designs(model, crank, measures=["step_length"], analysis=gw.one_turn(60, model=model))


@pytest.fixture
def registered(request):
    """Measure that is registered during the test."""
    measure = TURN_NUMBERS.add(request.param)
    yield measure.name
    TURN_NUMBERS.remove(measure.name)


def steepness(turn):
    return ratio(turn.step_height, abs(turn.hip_height)) * turn.torque.mean**2


@needs_compiler
@pytest.mark.parametrize("registered", [Measure("steepness", "1", "a test", steepness, array=steepness)], indirect=True)
def test_a_new_measure_needs_one_entry(registered):
    """Its numbers for many designs, their derivatives, and those of single runs follow from its entry."""
    leg, step = jansen_leg(), 1e-5
    values = {"L6": [0.40, 0.40 - step, 0.40 + step]}
    table = gw.designs(leg, values, measures=[registered], gradient=[registered], workers=1)
    found = table[registered].values
    assert table[f"{registered}.gradient"].values[0, 0] == pytest.approx((found[2] - found[1]) / (2 * step), rel=1e-5)
    period = 1.0 / float(leg.document.parameters["turns_per_second"])
    run = leg.copy(L6=0.40).inverse(times=np.linspace(0.0, period, DEFAULT_TURN_SAMPLES + 1))
    assert found[0] == pytest.approx(gw.measure_leg(run)[registered], rel=1e-8)
