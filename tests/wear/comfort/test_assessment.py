"""Shares of people that feel a load, doses and notes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError

KNEE = gw.wear.CuffPad("knee", 0.1, 360.0, strap=0.0)
TIME = np.linspace(0.0, 1.0, 101)


def all_around(pascal: float, duty: float = 1.0):
    """A uniform pressure on a closed cuff for a fraction of the time."""
    found = gw.wear.press(KNEE, np.zeros((len(TIME), 3)), time=TIME)
    on = (duty >= TIME)[:, None, None]
    return replace(found, pressure=found.pressure + pascal * on)


def test_thresholds_of_the_knee_are_reproduced_by_loading():
    """At the mean, the share is Phi(sigma/2) = 59.3 %; at the median, it is half."""
    law = gw.wear.comfort.literature().find("knee", "discomfort", "pressure")[0].law
    at_mean = gw.wear.comfort.judge(all_around(13.7e3))
    assert at_mean.worst.loading == "continuous"
    assert at_mean.share_discomfort == pytest.approx(law.share(13.7e3).value)
    assert gw.wear.comfort.judge(all_around(law.median)).share_discomfort == pytest.approx(0.5)
    pulses = gw.wear.comfort.judge(all_around(30.4e3, duty=0.4))
    assert pulses.worst.loading == "intermittent"
    assert pulses.share_discomfort == pytest.approx(at_mean.share_discomfort)
    # 30.4 of a median of 60.6/sqrt(1.25) kPa
    z = math.log(30.4 * math.sqrt(1.25) / 60.6) / math.sqrt(math.log(1.25))
    assert pulses.share_pain == pytest.approx(0.5 * math.erfc(-z / math.sqrt(2.0)))
    assert gw.wear.comfort.judge(all_around(60.6e3, duty=0.4)).share_pain == pytest.approx(at_mean.share_discomfort)


def test_continuous_pressure_is_felt_by_more_people():
    stays, comes = (gw.wear.comfort.judge(all_around(15e3, duty)) for duty in (1.0, 0.4))
    assert stays.share_discomfort > 4.0 * comes.share_discomfort


def test_dose_is_the_integral():
    comfort = gw.wear.comfort.judge(all_around(10e3, duty=0.4), cycles_per_hour=3000.0)
    cuff = comfort.worst
    assert cuff.dose == pytest.approx(10e3 * 0.405, rel=1e-6)  # trapezoids end half a step later
    assert cuff.dose_per_hour == pytest.approx(3000.0 * cuff.dose)
    assert gw.wear.comfort.judge(all_around(10e3)).worst.dose_per_hour == pytest.approx(10e3 * 3600.0)


def test_men_women_and_both():
    force = np.zeros((len(TIME), 3))
    force[:, 0] = -60.0 * np.sin(math.pi * TIME) ** 2
    found = gw.wear.press(gw.wear.CuffPad("thigh", 0.06, 60.0), force, time=TIME)
    men, women, both = (gw.wear.comfort.judge(found, sex=sex) for sex in ("men", "women", "all"))
    assert both.share_pain == pytest.approx(0.5 * (men.share_pain + women.share_pain))
    assert women.share_pain > men.share_pain
    assert both.worst.time == pytest.approx(0.5)
    assert abs(both.worst.around) < 4.0
    row = both.table().iloc[0]
    assert row["pain (%)"] == pytest.approx(100.0 * both.share_pain)
    assert row["pain, low (%)"] < row["pain (%)"] < row["pain, high (%)"]
    # pain also counts as discomfort
    assert both.share_discomfort >= both.share_pain
    assert any("the share is at least that of pain" in note for note in both.notes)
    # only few people feel a quarter of the median discomfort force of a rigid cuff
    assert both.worst.worst("discomfort").feels in ("discomfort", "pain")


def test_larger_areas_lower_thresholds_only_with_an_area_exponent():
    found = gw.wear.press(gw.wear.CuffPad("lower back", 0.1, 60.0, facing="back"), [100.0, 0.0, 0.0])
    plain, summed = (gw.wear.comfort.judge(found, area_exponent=e) for e in (0.0, 0.49))
    assert summed.share_pain > plain.share_pain
    assert any("2 cm2, the pad touches" in note for note in plain.notes)
    assert any("power of -0.49" in note for note in summed.notes)


def test_missing_thresholds_give_none_and_nan():
    found = gw.wear.press(gw.wear.CuffPad("sole", 0.1, 60.0), [-100.0, 0.0, 0.0])
    comfort = gw.wear.comfort.judge({"insole": found})
    assert comfort.share_discomfort is None
    assert comfort.share_pain is None
    assert comfort.by_region() == {"sole": None}
    assert comfort.notes[0].startswith("insole: of the sole, only an order is known")
    assert np.isnan(comfort.table()["pain (%)"].iloc[0])


def test_strap_pressing_more_than_its_pad_is_the_worst_position():
    found = gw.wear.press(gw.wear.CuffPad("calf", 0.05, 120.0, strap=10.0), [80.0, 0.0, 0.0])
    worst = gw.wear.comfort.judge(found).worst
    assert worst.peak == pytest.approx(found.strap_pressure[0])
    assert worst.around > 90.0


def test_bad_input_is_refused():
    found = all_around(1e3)
    for wrong, said in (
        ({"sex": "man"}, "did you mean 'men'"),
        ({"thresholds": 13.7}, "is no table"),
        ({"area_exponent": 2.0}, "no exponent of an area"),
        ({"cycles_per_hour": -1.0}, "is not positive"),
    ):
        with pytest.raises(ModelError) as caught:
            gw.wear.comfort.judge(found, **wrong)
        assert said in str(caught.value)
    with pytest.raises(ModelError, match="no pressure for 'calf'"):
        gw.wear.comfort.judge({"calf": 3.0})  # type: ignore[dict-item]
    with pytest.raises(ModelError, match="are none"):
        gw.wear.comfort.judge({})
