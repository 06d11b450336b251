"""Measure functions with units, rules and a source for generated programs."""

import pickle

import gaitwright as gw
from gaitwright.design.measure_set import MeasureSet
from gaitwright.legs.rules import LEG_RULES


def test_a_measure_set_is_pickled_by_reference():
    assert isinstance(gw.measure_leg, MeasureSet)
    assert pickle.loads(pickle.dumps(gw.measure_leg)) is gw.measure_leg


def test_a_measure_set_has_units_rules_and_documentation():
    assert gw.measure_leg.units["energy"] == "J" and gw.measure_leg.rules is LEG_RULES
    assert "one turn of a leg" in (gw.measure_leg.__doc__ or "") and "energy_swing" in repr(gw.measure_leg)
