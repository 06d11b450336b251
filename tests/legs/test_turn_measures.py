"""Numbers of a turn for sweeps: equal to those of the full analysis, and an error for a run that is not a turn."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.mechanisms import chebyshev_leg, jansen_leg
from legs.bending import ALUMINIUM, with_beam


def analysed(model: gw.Model, samples: int) -> dict[str, float]:
    return gw.measure_leg(gw.Model.from_dict({**model.to_dict(), "analysis": gw.one_turn(samples)}).analyse())


@pytest.mark.parametrize("make", [jansen_leg, chebyshev_leg])
def test_few_samples_are_enough(make) -> None:
    full = gw.analyse_leg(make(), samples=2000, restitutions=(), directions=("as driven",)).numbers
    found = analysed(make(), 150)
    names = {
        "step_length": "step_length", "step_height": "step_height", "duty": "duty", "leg_length": "leg_length",
        "energy": "air_energy_turn", "energy_swing": "air_energy_swing", "cost_of_transport": "air_cost_of_transport",
    }  # fmt: skip
    for name, of_all in names.items():
        assert found[name] == pytest.approx(full[of_all].value, rel=2e-4), name


def test_a_sweep_measures_every_variant() -> None:
    data = gw.sweep(
        jansen_leg(), {"L3": [0.27, 0.277, 0.6]}, analysis=gw.one_turn(), measures=gw.measure_leg, workers=1
    )
    exact = analysed(jansen_leg(), 150)
    assert float(data["energy"][1]) == pytest.approx(exact["energy"], rel=1e-12)
    assert np.isnan(data["energy"][2]) and str(data["failure"][2].values)


def test_half_a_turn_is_refused() -> None:
    model = gw.Model.from_dict({**jansen_leg().to_dict(), "analysis": {"type": "inverse", "until": 0.5}})
    with pytest.raises(ModelError, match="not one turn"):
        gw.measure_leg(model.analyse())


def test_contacts_belong_to_the_ground_of_the_gait() -> None:
    """A contact 20 mm above the ground of the section `gait` would combine forces of one ground with phases of another."""
    law = gw.laws.LankaraniNikravesh(stiffness=2e4, restitution=1.0)
    for level, fits in ((-0.61355 + 0.008, True), (-0.61355 + 0.028, False)):
        model = jansen_leg().contact("F", gw.surfaces.LineGround(level=level), law=law, approach_speed=0.1, name="toe")
        run = gw.Model.from_dict({**model.to_dict(), "analysis": gw.one_turn()}).analyse()
        if fits:
            assert gw.measure_leg(run)["normal_force"] == pytest.approx(2e4 * 0.008**1.5, rel=1e-3)
        else:
            with pytest.raises(ModelError, match="contact 'toe' field 'surface': is closed at"):
                gw.measure_leg(run)


def test_a_turn_needs_samples() -> None:
    with pytest.raises(ModelError, match="a whole number of at least 20"):
        gw.one_turn(0)


def test_a_leg_without_turns_per_second_is_swept_too() -> None:
    raw = jansen_leg().to_dict()
    raw["drives"][0]["angle"] = "-2*pi*0.8*t"
    raw["parameters"].pop("turns_per_second")
    leg = gw.Model.from_dict(raw)
    data = gw.sweep(leg, {"L3": [0.277]}, analysis=gw.one_turn(model=leg), measures=gw.measure_leg, workers=1)
    assert float(data["step_height"][0]) == pytest.approx(0.170484, abs=1e-5)
    with pytest.warns(UserWarning, match=r"none of 1 variants can be analysed.*turns_per_second"):
        gw.sweep(leg, {"L3": [0.277]}, analysis=gw.one_turn(), measures=gw.measure_leg, workers=1)


def test_the_period_follows_the_parameters_of_a_leg_of_your_own() -> None:
    """Sweep of a speed with another name than turns_per_second; at twice the speed energies in the air are larger."""
    raw = jansen_leg().to_dict()
    raw["parameters"]["w"], raw["drives"][0]["angle"] = 6.0, "-w*t"
    leg = gw.Model.from_dict(raw)
    found = gw.sweep(leg, {"w": [3.0, 6.0]}, analysis=gw.one_turn(60, model=leg), measures=gw.measure_leg, workers=1)
    assert found["body_speed"].values[1] == pytest.approx(2 * found["body_speed"].values[0], rel=1e-9)
    said = gw.Model.from_dict({**raw, "gait": {**raw["gait"], "period": "2*pi/w"}})
    assert gw.one_turn(60, model=said)["until"] == "2*pi/w"


def test_a_leg_with_beams_is_settled_before_it_is_measured() -> None:
    """The first turn has a sudden start: 8 % less energy than the settled one, which equals that of the full analysis."""
    leg = with_beam(jansen_leg(), "L11", ALUMINIUM / 20, damping=3e-4)
    full = gw.analyse_leg(leg, samples=150, restitutions=(), directions=("as driven",)).numbers
    found = gw.sweep(leg, {"L3": [0.277]}, analysis=gw.one_turn(), measures=gw.measure_leg, workers=1)
    for name, of_all in {
        "energy": "air_energy_turn",
        "step_length": "step_length",
        "step_height": "step_height",
    }.items():
        assert float(found[name][0]) == pytest.approx(full[of_all].value, rel=1e-9), name
