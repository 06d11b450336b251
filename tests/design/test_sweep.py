"""Sweeps: dimensions, agreement with single runs, failed variants, workers."""

import os

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.model.model import make_variant, require_compilable


def four_bar_with_parameters() -> gw.Model:
    model = gw.Model("four-bar", parameters={"crank": 0.1, "speed": 6.0})
    model.ground_point("O", 0, 0).ground_point("C", 0.3, 0).point("A", "crank", 0).point("B", 0.3, 0.25)
    model.link("crank", "O", "A", length="crank", mass=0.1)
    model.link("coupler", "A", "B", length=0.3, mass=0.1)
    model.link("rocker", "C", "B", length=0.25, mass=0.1)
    return model.drive.rotation("crank", "speed*t").output("crank.torque", "rocker.angle")


INVERSE = {"type": "inverse", "until": 0.5, "step": 0.01}


def largest_torque(result):
    return {"peak": float(np.abs(result.array("crank.torque")).max())}


@pytest.mark.parametrize("workers", [1, 2])
def test_a_sweep_has_the_parameters_as_dimensions_and_equals_single_runs(workers):
    model = four_bar_with_parameters()
    values = {"crank": [0.08, 0.1], "speed": [3.0, 6.0, 9.0]}
    data = gw.sweep(model, values, analysis=INVERSE, measures=largest_torque, workers=workers)
    assert data["crank.torque"].dims == ("crank", "speed", "time")
    assert data["peak"].shape == (2, 3)
    assert (data["failure"] == "").all()
    single = model.copy(crank=0.08, speed=9.0).inverse(0.5, step=0.01)
    np.testing.assert_array_equal(data["crank.torque"].sel(crank=0.08, speed=9.0), single.array("crank.torque"))
    assert float(data["peak"].sel(crank=0.08, speed=9.0)) == np.abs(single.array("crank.torque")).max()


def test_a_variant_that_fails_is_a_nan_row_with_its_reason():
    data = gw.sweep(four_bar_with_parameters(), {"crank": [0.1, 5.0, 0.09]}, analysis=INVERSE, workers=2)
    assert "cannot be closed" in str(data["failure"].sel(crank=5.0).item())
    assert np.isnan(data["crank.torque"].sel(crank=5.0)).all()
    assert np.isfinite(data["crank.torque"].sel(crank=0.09)).all()


def test_an_exception_of_a_measure_is_a_failure_reason():
    def broken(result):
        raise ZeroDivisionError("no")

    with pytest.warns(UserWarning, match="none of 1 variants"):
        data = gw.sweep(four_bar_with_parameters(), {"crank": [0.1]}, analysis=INVERSE, measures=broken, workers=1)
    assert data["failure"].item() == "ZeroDivisionError: no"


def test_an_unknown_parameter_is_named():
    with pytest.raises(gw.ModelError, match=r"'cranck' is not a parameter of this model.*some of: crank, speed"):
        gw.sweep(four_bar_with_parameters(), {"cranck": [1.0]})


def test_a_sweep_of_modes_gives_frequencies():
    model = gw.Model("pendulum", parameters={"L": 1.0})
    model.ground_point("O", 0, 0).point("P", 0, "-L").link("rod", "O", "P", length="L", mass=1.0)
    data = gw.sweep(model, {"L": [0.5, 1.0]}, analysis={"type": "modes"}, workers=1)
    exact = np.sqrt(1.5 * 9.81 / np.array([0.5, 1.0])) / (2 * np.pi)
    np.testing.assert_allclose(data["frequency_1"], exact, rtol=1e-9)


def test_an_unknown_output_is_reported_before_the_sweep():
    with pytest.raises(gw.ModelError, match=r"crank\.torque"):
        gw.sweep(four_bar_with_parameters(), {"crank": [0.1]}, analysis=INVERSE, series=["crank.torqe"])


def test_a_measure_may_be_a_local_function():
    model, values = four_bar_with_parameters(), {"crank": [0.08, 0.09, 0.1, 0.11]}
    data = gw.sweep(model, values, analysis=INVERSE, measures=lambda run: {"last": run.time[-1]}, workers=2)
    assert (data["failure"] == "").all() and (data["last"] == 0.5).all()


def test_a_measure_does_not_replace_a_parameter():
    with pytest.raises(gw.ModelError, match="'crank' is a parameter of the model"):
        gw.sweep(four_bar_with_parameters(), {"crank": [0.1]}, analysis=INVERSE, measures={"crank": "crank.torque.max"})


@pytest.mark.slow
def test_every_number_belongs_to_its_parameters():
    """Many fast variants, sent in growing chunks."""
    values = {"crank": np.linspace(0.05, 0.12, 30), "speed": np.linspace(3.0, 9.0, 10)}
    data = gw.sweep(
        four_bar_with_parameters(), values, analysis={"type": "kinematic", "until": 0.02, "step": 0.01}, series=[],
        measures=lambda run: {"spin": run.array("crank.spin")[-1], "reach": run.array("A.x")[0]}, workers=2,
    )  # fmt: skip
    assert (data["failure"] == "").all()
    np.testing.assert_allclose(data["spin"], np.tile(values["speed"], (30, 1)), rtol=1e-9)
    np.testing.assert_allclose(data["reach"], np.tile(values["crank"][:, None], (1, 10)), rtol=1e-9)


def test_without_outputs_of_its_own_a_model_keeps_all_series_or_what_is_measured():
    raw = four_bar_with_parameters().to_dict()
    del raw["outputs"]
    model = gw.Model.from_dict(raw)
    everything = gw.sweep(model, {"crank": [0.1]}, analysis=INVERSE, workers=1)
    assert {"crank.torque", "rocker.angle", "A.x"} <= set(everything.data.data_vars)
    measured = gw.sweep(model, {"crank": [0.1]}, analysis=INVERSE, measures=largest_torque, workers=1)
    assert set(measured.data.data_vars) == {"failure", "peak", "max_constraint_violation", "max_energy_residual"}
    some = gw.sweep(model, {"crank": [0.1]}, analysis=INVERSE, measures=largest_torque, series=["A.x"], workers=1)
    assert "A.x" in some and "rocker.angle" not in some


@pytest.mark.parametrize("workers", [1, 2])
def test_an_analysis_may_be_a_function(workers):
    """A function of the model; any return value can be measured."""
    values = {"crank": [0.08, 0.09, 0.1], "speed": [3.0]}
    data = gw.sweep(
        four_bar_with_parameters(), values, analysis=lambda model: model.document.parameters["crank"],
        measures=lambda crank: {"double": 2 * crank}, workers=workers,
    )  # fmt: skip
    np.testing.assert_array_equal(data["double"][:, 0], [0.16, 0.18, 0.2])
    runs = gw.sweep(
        four_bar_with_parameters(), values, analysis=lambda model: model.inverse(0.1, step=0.01), workers=workers
    )
    assert runs["crank.torque"].shape == (3, 1, 11)


def test_interruption_keeps_finished_variants():
    def stop(fraction):
        if fraction >= 0.5:
            raise KeyboardInterrupt

    for workers in (1, 2):
        values = {"crank": np.linspace(0.08, 0.1, 8)}
        data = gw.sweep(four_bar_with_parameters(), values, analysis=INVERSE, progress=stop, workers=workers)
        missing = data["failure"] == "not computed: interrupted"
        assert 1 <= int(missing.sum()) <= 4
        assert np.isfinite(data["crank.torque"].values[~missing.values]).all()


def test_a_crashed_process_is_a_failure_reason():
    parent = os.getpid()

    def deadly(run):
        if os.getpid() != parent and abs(run.array("A.x")[0] - 0.1) < 1e-9:
            os._exit(3)
        return {"last": run.time[-1]}

    values = {"crank": [0.08, 0.085, 0.09, 0.095, 0.1, 0.105]}
    data = gw.sweep(four_bar_with_parameters(), values, analysis=INVERSE, measures=deadly, workers=2)
    assert "process died" in str(data["failure"].sel(crank=0.1).item())
    assert float(data["last"].sel(crank=0.08)) == 0.5


def test_variants_of_a_validated_model_equal_copies_and_do_not_change_it():
    model = four_bar_with_parameters()
    before = model.to_dict()
    prepared = require_compilable(model)
    variant, copy = make_variant(prepared, {"crank": 0.08}), model.copy(crank=0.08)
    assert variant.to_dict() == copy.to_dict() and variant.copy(speed=2.0).to_dict() == copy.copy(speed=2.0).to_dict()
    np.testing.assert_array_equal(variant.inverse(0.2).motion.q, copy.inverse(0.2).motion.q)
    assert model.to_dict() == prepared.to_dict() == before


@pytest.mark.parametrize("name", ["sweep.nc", "table.csv"])
def test_results_are_saved_in_a_folder(name, tmp_path):
    result = gw.sweep(four_bar_with_parameters(), {"crank": [0.08]}, analysis=INVERSE, measures=["A.x.max"], workers=1)
    with pytest.raises(gw.ModelError, match=r"is the name of a file \(got .*\); expected a folder"):
        result.save(tmp_path / name)
    assert not list(tmp_path.iterdir())
    assert result.save(tmp_path / "out")["data"].exists()
