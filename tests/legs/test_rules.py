"""Rules for legs: designs with the foot above the hip, and designs that scuff during 24 % of the stance."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.codegen.c_library import find_compiler
from gaitwright.design.optimise_result import NothingFeasible
from gaitwright.legs.rules import MAX_SCUFFING
from legs.turning import HIP, MASS, RADIUS, RATE, Circle, G

SCUFFING = 0.24
HALF = 0.5 * math.pi / (1.0 - SCUFFING)
"""Half of the stance, rad: beyond a quarter turn from its lowest point the foot moves forward."""
DEPTH = RADIUS * (1.0 - math.cos(HALF))
SOUND = Circle(0.1)
HIGH = HIP + 0.4
"""Of the hip: above the ground also where the circle is deep in it."""
BAD: dict[str, tuple[str, float, float]] = {
    "foot-below-hip": ("hip", HIP - RADIUS - 0.2, HIGH),
    "scuffing": ("depth", DEPTH, SOUND.depth),
}
"""By rule: the parameter that breaks it, a value that does, and one that does not."""


def circling() -> gw.Model:
    """Foot on a circle, with parameters for the height of the hip and the depth of the circle in the ground."""
    model = gw.Model("turning", gravity=(0, -G), parameters={"rate": RATE, "hip": HIGH, "depth": SOUND.depth})
    model.ground_point("O", 0.0, HIP).ground_point("H", 0.0, "hip").point("F", RADIUS, HIP)
    model.link("crank", "O", "F", length=RADIUS, mass=MASS).drive.rotation("crank", "rate*t")
    return model.gait("F", hip="H", penetration="depth")


def optimise(rule: str, **options: Any) -> Any:
    """Search near the value that breaks a rule."""
    name, bad, _ = BAD[rule]
    return gw.optimise(
        circling().copy(**{name: bad}), {name: (bad - 0.001, bad + 0.001)}, minimise=["energy"],
        analysis=gw.LegTurns(ground=False, samples=60), method="nelder-mead", budget=3, workers=1, **options,
    )  # fmt: skip


def designs(rule: str, **options: Any) -> Any:
    """Designs that break and keep a rule, by generated programs or by the analysis of legs."""
    name, bad, good = BAD[rule]
    return gw.designs(circling(), {name: [bad, good]}, measures=["energy"], minimise=["energy"], **options)


@pytest.mark.parametrize("rule", BAD)
def test_the_designs_break_the_rules_as_intended(rule: str) -> None:
    name, bad, _ = BAD[rule]
    numbers = gw.LegTurns(ground=False, samples=200)(circling().copy(**{name: bad})).measures()
    assert numbers["scuffing"] == pytest.approx(SCUFFING if rule == "scuffing" else 0.0, abs=1e-4)
    level = HIP - RADIUS + (DEPTH if rule == "scuffing" else SOUND.depth)
    assert numbers["hip_height"] == pytest.approx((bad if rule == "foot-below-hip" else HIGH) - level, abs=1e-6)
    assert (numbers["hip_height"] < 0.0) == (rule == "foot-below-hip") and MAX_SCUFFING < SCUFFING


@pytest.mark.parametrize("rule", BAD)
def test_a_search_rejects_them_by_the_name_of_the_rule(rule: str) -> None:
    with pytest.raises(NothingFeasible, match=f"rule '{rule}'.*--allow {rule} switches one off") as caught:
        optimise(rule)
    assert "\n" not in str(caught.value) and not caught.value.table["feasible"].any()
    for allow in ([rule], ["all"]):
        found = optimise(rule, allow=allow)
        assert found.table["feasible"].all() and not found.rejections


@pytest.mark.parametrize("printed", [pytest.param(True, marks=pytest.mark.slow), False])
@pytest.mark.parametrize("rule", BAD)
def test_designs_reject_them_by_the_name_of_the_rule(rule: str, printed: bool) -> None:
    if printed and find_compiler() is None:
        pytest.skip("no C compiler")
    analysis = {} if printed else {"analysis": gw.LegTurns(ground=False, samples=60)}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data, allowed = designs(rule, **analysis), designs(rule, **analysis, allow=[rule])
    assert data["feasible"].values.tolist() == data["front"].values.tolist() == [False, True]
    broken = data["broken"].values[0]
    assert data["limit"].values[broken].tolist() == [f"rule {rule}"] and not data["broken"].values[1].any()
    assert allowed["feasible"].all() and np.isfinite(allowed["energy"].values).all()
    assert f"rule {rule}" not in allowed["limit"].values


def test_the_analysis_of_a_leg_warns_of_a_foot_above_the_hip() -> None:
    bad, good = (
        gw.LegTurns(ground=False, samples=60)(circling().copy(hip=height)) for height in BAD["foot-below-hip"][1:]
    )
    (said,) = [text for text in bad.warnings() if "above the hip" in text]
    assert f"is {-1e3 * bad.measures()['hip_height']:.3g} mm above the hip" in said and "'F'" in said
    assert not any("above the hip" in text for text in good.warnings())
