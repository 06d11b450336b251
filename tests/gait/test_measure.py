"""Numbers of a turn for sweeps: those of the full analysis, and a sentence for a run that is no turn."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.errors import ModelError
from gaitwright.mechanisms import chebyshev_leg, jansen_leg


def analysed(model: gw.Model, samples: int) -> dict[str, float]:
    return gw.measure_leg(gw.Model.from_dict({**model.to_dict(), "analysis": gw.one_turn(samples)}).analyse())


@pytest.mark.parametrize("make", [jansen_leg, chebyshev_leg])
def test_few_samples_are_enough(make) -> None:
    full = gw.analyse_leg(make(), samples=2000, restitutions=(), directions=("as driven",)).numbers
    found = analysed(make(), 200)
    names = {
        "step_length": "step_length", "step_height": "step_height", "duty": "duty", "leg_length": "leg_length",
        "energy": "air_energy_turn", "energy_swing": "air_energy_swing", "cost_of_transport": "air_cost_of_transport",
    }  # fmt: skip
    for name, of_all in names.items():
        assert found[name] == pytest.approx(full[of_all].value, rel=2e-4), name


def test_a_sweep_measures_every_variant() -> None:
    data = gw.sweep(jansen_leg(), {"L3": [0.27, 0.277, 0.6]}, analysis=gw.one_turn(), measure=gw.measure_leg, workers=1)
    exact = analysed(jansen_leg(), 200)
    assert float(data["energy"][1]) == pytest.approx(exact["energy"], rel=1e-12)
    assert np.isnan(data["energy"][2]) and str(data["failure"][2].values)


def test_half_a_turn_is_refused() -> None:
    model = gw.Model.from_dict({**jansen_leg().to_dict(), "analysis": {"type": "inverse", "until": 0.5}})
    with pytest.raises(ModelError, match="not one turn"):
        gw.measure_leg(model.analyse())
