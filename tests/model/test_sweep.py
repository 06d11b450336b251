"""Sweeps: dimensions, agreement with single runs, failed variants, workers."""

import numpy as np
import pytest

import gaitwright as gw


def four_bar_with_parameters() -> gw.Model:
    model = gw.Model("four-bar", parameters={"crank": 0.1, "speed": 6.0})
    model.ground_point("O", 0, 0).ground_point("C", 0.3, 0).point("A", "crank", 0).point("B", 0.3, 0.25)
    model.link("crank", "O", "A", length="crank", mass=0.1)
    model.link("coupler", "A", "B", length=0.3, mass=0.1)
    model.link("rocker", "C", "B", length=0.25, mass=0.1)
    return model.drive_rotation("crank", "speed*t").output("crank.torque", "rocker.angle")


INVERSE = {"type": "inverse", "until": 0.5, "step": 0.01}


def largest_torque(result):
    return {"peak": float(np.abs(result.values("crank.torque")).max())}


@pytest.mark.parametrize("workers", [1, 2])
def test_a_sweep_has_the_parameters_as_dimensions_and_equals_single_runs(workers):
    model = four_bar_with_parameters()
    values = {"crank": [0.08, 0.1], "speed": [3.0, 6.0, 9.0]}
    data = gw.sweep(model, values, analysis=INVERSE, measure=largest_torque, workers=workers)
    assert data["crank.torque"].dims == ("crank", "speed", "time")
    assert data["peak"].shape == (2, 3)
    assert (data["failure"] == "").all()
    single = model.copy(crank=0.08, speed=9.0).inverse(0.5, step=0.01)
    np.testing.assert_array_equal(data["crank.torque"].sel(crank=0.08, speed=9.0), single.values("crank.torque"))
    assert float(data["peak"].sel(crank=0.08, speed=9.0)) == np.abs(single.values("crank.torque")).max()


def test_a_variant_that_fails_is_a_nan_row_with_its_reason():
    data = gw.sweep(four_bar_with_parameters(), {"crank": [0.1, 5.0, 0.09]}, analysis=INVERSE, workers=2)
    assert "cannot be closed" in str(data["failure"].sel(crank=5.0).item())
    assert np.isnan(data["crank.torque"].sel(crank=5.0)).all()
    assert np.isfinite(data["crank.torque"].sel(crank=0.09)).all()


def test_a_measure_that_raises_is_a_reason_too():
    def broken(result):
        raise ZeroDivisionError("no")

    data = gw.sweep(four_bar_with_parameters(), {"crank": [0.1]}, analysis=INVERSE, measure=broken, workers=1)
    assert data["failure"].item() == "ZeroDivisionError: no"


def test_an_unknown_parameter_is_named():
    with pytest.raises(gw.ModelError, match=r"field 'cranck'.*some of: crank, speed"):
        gw.sweep(four_bar_with_parameters(), {"cranck": [1.0]})


def test_a_sweep_of_modes_gives_frequencies():
    model = gw.Model("pendulum", parameters={"L": 1.0})
    model.ground_point("O", 0, 0).point("P", 0, "-L").link("rod", "O", "P", length="L", mass=1.0)
    data = gw.sweep(model, {"L": [0.5, 1.0]}, analysis={"type": "modes"}, workers=1)
    exact = np.sqrt(1.5 * 9.81 / np.array([0.5, 1.0])) / (2 * np.pi)
    np.testing.assert_allclose(data["frequency_1"], exact, rtol=1e-9)


def test_an_unknown_output_is_said_at_once():
    with pytest.raises(gw.ModelError, match=r"crank\.torque"):
        gw.sweep(four_bar_with_parameters(), {"crank": [0.1]}, analysis=INVERSE, outputs=["crank.torqe"])


def test_a_measure_may_be_written_in_place():
    model, values = four_bar_with_parameters(), {"crank": [0.08, 0.09, 0.1, 0.11]}
    data = gw.sweep(model, values, analysis=INVERSE, measure=lambda run: {"last": run.time[-1]}, workers=2)
    assert (data["failure"] == "").all() and (data["last"] == 0.5).all()
