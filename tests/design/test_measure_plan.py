"""Analyses that provide numbers by name, without an analysis in the call."""

import pickle

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.design.measure_plan import MeasureSet, find_number_names, plan_analysis, plan_numbers
from gaitwright.design.question import DesignQuestion
from gaitwright.legs.rules import LEG_RULES
from gaitwright.mechanisms import jansen_leg, pendulum, walking_machine
from gaitwright.mechanisms.leg_walk_analysis import LegWalkAnalysis


@pytest.fixture(scope="module")
def leg():
    return jansen_leg()


def test_the_plan_depends_on_the_numbers(leg):
    quick = plan_numbers(leg, {"energy", "torque_range"})
    assert quick.measure is gw.measure_leg and quick.analysis["type"] == "inverse"
    assert plan_numbers(leg, {"energy"}, measured=False).analysis == gw.LegTurns(ground=False)
    assert plan_numbers(leg, {"air_energy_turn"}).analysis == gw.LegTurns(ground=False)
    assert plan_numbers(leg, {"restitution_0_dissipated"}).analysis == gw.LegTurns(ground=True)
    plan = plan_numbers(leg, {"walk_slip", "energy"})
    assert plan.analysis == LegWalkAnalysis(ground=False) and {"walk_slip", "energy"} <= set(plan.known)
    assert plan_numbers(walking_machine(leg), {"slip"}).analysis == gw.MachineWalks()
    assert plan_numbers(pendulum((0.1,)), {"slip"}).analysis is None


def test_outputs_parameters_and_given_analyses_need_no_plan(leg):
    assert find_number_names(["x=energy/L6 + sqrt(crank.torque.max)", "crank.torque.mean"], leg) == {"energy"}
    assert plan_analysis(leg, None, ["crank.torque.max", "L6"]).analysis is None
    assert plan_analysis(leg, "static", ["energy"]).analysis == "static"
    assert plan_analysis(leg, None, ["ratio=energy/step_length"]).analysis == gw.LegTurns(ground=False)
    assert plan_analysis(leg, None, ["ratio=energy/step_length"], measured=True).measure is gw.measure_leg


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (jansen_leg, "no number of a leg 'enrgy'"),
        (lambda: walking_machine(jansen_leg()), "no number of a walk 'enrgy'"),
    ],
)
def test_unknown_numbers_are_refused(model, message):
    with pytest.raises(gw.ModelError, match=message):
        plan_numbers(model(), {"enrgy"})


def test_a_goal_may_be_the_name_of_a_measure(leg):
    """The name of an expression is no number of the leg."""
    for printed in (False, True):
        question = DesignQuestion(
            "study",
            leg,
            {"L6": (0.39, 0.41)},
            minimise=["ratio"],
            measures=["ratio=energy/step_length"],
            printed=printed,
        )
        assert (question.analysis is None) == printed and list(question.goals) == ["ratio"]
        assert ("step" in question.rules.values()) and question.numbers.functions == [gw.measure_leg] * printed


def test_functions_of_a_result_keep_the_analysis_of_the_model(leg):
    question = DesignQuestion(
        "optimise", leg, {"L6": (0.39, 0.41)}, minimise=["load"], measures=lambda run: {"load": 1.0}
    )
    assert question.analysis is None and question.model is leg


def test_planned_numbers_have_units_before_an_analysis(leg):
    measures = ["air_energy_turn", "crank.torque.max"]
    assert DesignQuestion("sweep", leg, {"L6": [0.39]}, measures=measures).units["air_energy_turn"] == "J"


def test_design_methods_mix_numbers_of_a_leg_without_an_analysis(leg):
    """Ratios are those of separate analyses."""
    values = {"L6": [0.39, 0.41]}
    runs = [gw.LegTurns(ground=False)(leg.copy(L6=value)) for value in values["L6"]]
    ratios = [run.numbers["energy"].value / run.numbers["step_length"].value for run in runs]
    energies = [run.numbers["energy"].value for run in runs]
    swept = gw.sweep(leg, values, measures={"ratio": "energy/step_length"}, workers=1)
    np.testing.assert_allclose(swept["ratio"], ratios, rtol=1e-12)
    traded = gw.trade_off(leg, {"L6": (0.39, 0.41)}, measures=["energy"], samples=2)
    np.testing.assert_allclose(traded.data["energy"], energies, rtol=1e-12)
    target = 0.5 * sum(energies)
    chosen = gw.choose(leg, {"L6": (0.39, 0.41)}, target={"energy": target}, samples=3)
    assert gw.LegTurns(ground=False)(leg.copy(**chosen.values)).numbers["energy"].value == pytest.approx(
        target, rel=1e-6
    )


@pytest.mark.slow
def test_searches_mix_numbers_of_a_leg_without_an_analysis(leg):
    best = gw.optimise(leg, {"L6": (0.39, 0.41)}, minimise=["ratio=energy/step_length"], budget=8)
    run = gw.LegTurns(ground=False)(leg.copy(**best.values))
    ratio = run.numbers["energy"].value / run.numbers["step_length"].value
    assert best.numbers["ratio"] == pytest.approx(ratio, rel=1e-9)
    studied = gw.study(leg, {"L6": (0.39, 0.41)}, minimise=["energy"], samples=3)
    assert studied["energy"].attrs["units"] == "J"


def test_a_measure_set_is_pickled_by_reference():
    assert isinstance(gw.measure_leg, MeasureSet)
    assert pickle.loads(pickle.dumps(gw.measure_leg)) is gw.measure_leg


def test_a_measure_set_has_units_rules_and_documentation():
    assert gw.measure_leg.units["energy"] == "J" and gw.measure_leg.rules is LEG_RULES
    assert "one turn of a leg" in (gw.measure_leg.__doc__ or "") and "energy_swing" in repr(gw.measure_leg)
