"""Sweeps by a generated program: the same table as by the classic analyses, fallback to these, and automatic choice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr

import gaitwright as gw
from gaitwright.codegen.c_library import find_compiler
from gaitwright.design import codegen_sweep
from gaitwright.design.codegen_sweep import ACCURACY_NAMES, CodegenSweep, CodegenSweepTask, describe_disagreement
from gaitwright.design.result import DesignResult
from gaitwright.design.variant_result import VariantResult
from gaitwright.model.model import require_compilable

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")

INVERSE = {"type": "inverse", "until": 0.5, "step": 0.01}
VALUES = {"crank": [0.08, 5.0, 0.1, -0.1, 0.36, 0.12], "speed": [3.0, 9.0]}
"""One cannot be closed, one is no length, one comes to a dead point where it turns far enough."""
TURN = {"type": "kinematic", "until": "6/speed", "step": "6/speed/40"}
SPAN = {"span": "A.x.max - A.x.min", "work": "crank.power.mean*6/speed"}


def four_bar() -> gw.Model:
    model = gw.Model("four-bar", parameters={"crank": 0.1, "speed": 6.0})
    model.ground_point("O", 0, 0).ground_point("C", 0.3, 0).point("A", "crank", 0).point("B", 0.3, 0.25)
    model.link("crank", "O", "A", length="crank", mass=0.1)
    model.link("coupler", "A", "B", length=0.3, mass=0.1)
    model.link("rocker", "C", "B", length=0.25, mass=0.1)
    model.force.spring_damper("O", "B", stiffness=50, damping=0.3, rest_length=0.2)
    return model.drive.rotation("crank", "speed*t").output("crank.torque", "rocker.angle")


def same(first: DesignResult | xr.Dataset, second: DesignResult | xr.Dataset) -> None:
    """The same table: names, order, coordinates, attributes, failures; and numbers to rounding."""
    printed, classic = (one.data if isinstance(one, DesignResult) else one for one in (first, second))
    assert list(printed.variables) == list(classic.variables) and printed.sizes == classic.sizes
    np.testing.assert_array_equal(printed["failure"], classic["failure"])
    assert printed.attrs == classic.attrs
    for name, there in classic.variables.items():
        here = printed[name]
        assert (here.dims, here.dtype, here.attrs) == (there.dims, there.dtype, there.attrs)
        if name == "max_constraint_violation":
            assert np.nanmax(here) < 1e-12
        elif name == "max_energy_residual":  # residuals of energies of some J
            np.testing.assert_allclose(here, there, rtol=1e-9, atol=1e-12)
        elif name != "failure":
            np.testing.assert_allclose(here, there, rtol=1e-9, atol=1e-11 * np.nanmax(np.abs(there.values)))


CASES: dict[str, dict[str, Any]] = {
    "outputs of the model": {"analysis": INVERSE},
    "an expression": {"analysis": TURN, "measures": SPAN},
    "a number of outputs": {
        "analysis": INVERSE,
        "measures": ["A.x.max_abs", "crank.torque.max_abs"],
        "series": [],
    },
    "few samples": {"analysis": {**INVERSE, "step": 0.25}, "series": ["rocker.angle"]},
}


@pytest.mark.parametrize("case", CASES)
def test_the_table_equals_that_of_the_classic_analyses(case: str):
    tables = [gw.sweep(four_bar(), VALUES, **CASES[case], printed=printed, workers=1) for printed in (True, False)]
    failures = set(tables[1]["failure"].values.ravel())
    assert "" in failures and any("cannot be closed" in text for text in failures)
    assert any("greater than zero" in text for text in failures)
    assert any("dead point" in text for text in failures)
    same(*tables)


def test_all_numbers_of_a_leg():
    """Also for a run that is not one turn of the crank: its variants are failures."""
    values = {"L6": [0.39, 0.40, 0.41], "turns_per_second": [0.5, 1.0]}
    asked: dict[str, Any] = {"measures": gw.measure_leg, "workers": 1}
    for analysis in (gw.one_turn(60), {"type": "inverse", "until": 2.0, "step": 1 / 60}):
        tables = [
            gw.sweep(gw.mechanisms.jansen_leg(), values, analysis=analysis, **asked, printed=printed)
            for printed in (True, False)
        ]
        same(*tables)
    (wrong,) = {str(text) for text in tables[0]["failure"].sel(turns_per_second=1.0).values}
    assert "is not one turn" in wrong


def test_forward_dynamics_on_request(used):
    """It is not used automatically, since its energy residual is unknown."""
    model = gw.Model("arm", parameters={"damping": 2.0})
    model.ground_point("O", 0, 0).ground_point("S", 0.2, 0.3).point("P", 0.3, 0.0)
    model.link("arm", "O", "P", length=0.3, mass=0.3)
    model.force.spring_damper("S", "P", stiffness=20, damping="damping", rest_length=0.3)
    asked: dict[str, Any] = {
        "analysis": {"type": "forward", "until": 0.1, "step": 2e-3, "method": "rk4"},
        "measures": {"low": "P.y.min"}, "series": ["arm.angle"], "workers": 1,
    }  # fmt: skip
    values = {"damping": np.linspace(0.5, 4.0, 60)}
    classic = gw.sweep(model, values, **asked)
    assert not used and np.isfinite(classic["max_energy_residual"]).all()
    printed = gw.sweep(model, values, **asked, printed=True)
    assert sum(used) == 60 and np.isnan(printed["max_energy_residual"]).all()
    same(printed.data.drop_vars("max_energy_residual"), classic.data.drop_vars("max_energy_residual"))


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "function": ({"analysis": lambda model: model.inverse(0.1)}, "an analysis that is a function cannot be printed"),
    "measure": (
        {"measures": lambda run: {"one": 1.0}},
        "'<lambda>' is a function of a result, which cannot be printed",
    ),
    "forward": ({"analysis": {"type": "static"}}, "an analysis of type static cannot be printed yet"),
    "budget": ({"analysis": {**INVERSE, "max_steps": 10}}, "an analysis with max_steps cannot be printed yet"),
    "work": ({"series": ["crank.work"]}, "'crank.work' is an output that cannot be printed yet|crank.work.*cannot be"),
    "samples": ({"analysis": {**INVERSE, "until": "1/speed"}}, "gives from 11 to 33 samples"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_unsupported_requests_report_their_reason(what: str):
    options, sentence = REFUSED[what]
    with pytest.raises(gw.ModelError, match=sentence):
        gw.sweep(four_bar(), VALUES, **{"analysis": INVERSE, **options}, printed=True)


@pytest.fixture
def used(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Number of variants in each call of the generated program."""
    counts: list[int] = []
    variants = CodegenSweepTask.variants

    def counted(self: CodegenSweepTask, plan: Any, made: Any, place: np.ndarray) -> Any:
        counts.append(place.size)
        return variants(self, plan, made, place)

    monkeypatch.setattr(CodegenSweepTask, "variants", counted)
    return counts


MANY = {"crank": np.linspace(0.08, 0.12, 60)}


@pytest.mark.parametrize(
    ("limits", "options", "expected"),
    [
        (
            {"MIN_SWEEP_SECONDS": 0.0, "COMPILE_SECONDS_PER_CHARACTER": 0.0},
            {},
            58,
        ),  # two are timed
        ({"MIN_SWEEP_SECONDS": 0.0, "COMPILE_SECONDS_PER_CHARACTER": 0.0}, {"printed": False}, 0),
        (
            {"MIN_SWEEP_SECONDS": 0.0, "COMPILE_SECONDS_PER_CHARACTER": 0.0},
            {"measures": lambda run: {"last": run.time[-1]}},
            0,
        ),
        (
            {"MIN_SWEEP_SECONDS": 0.0, "COMPILE_SECONDS_PER_CHARACTER": 0.0},
            {"analysis": {**INVERSE, "until": "1/crank"}},
            0,
        ),
        ({"MIN_SWEEP_SECONDS": 0.0, "COMPILE_SECONDS_PER_CHARACTER": 1e9}, {}, 0),
        ({"MIN_SWEEP_SECONDS": 1e9, "COMPILE_SECONDS_PER_CHARACTER": 0.0}, {}, 0),
        ({"MIN_SWEEP_SECONDS": 0.0, "COMPILE_SECONDS_PER_CHARACTER": 0.0, "MIN_SWEEP_VARIANTS": 61}, {}, 0),
    ],
)
def test_a_program_is_used_if_possible_and_faster(limits, options, expected, used, monkeypatch):
    for name, value in limits.items():
        monkeypatch.setattr(codegen_sweep, name, value)
    monkeypatch.setattr(codegen_sweep, "is_compiled", lambda text: False)
    asked = {"analysis": {**INVERSE, "step": 0.1}, "workers": 1, **options}
    found = gw.sweep(four_bar(), MANY, **asked)
    assert sum(used) == expected
    same(found, gw.sweep(four_bar(), MANY, **{**asked, "printed": False}))


def test_a_compiled_program_is_used_at_once(monkeypatch):
    task = CodegenSweepTask(require_compilable(with_analysis()), ["crank"], None, None)
    sweep = CodegenSweep(task, [{"crank": 0.1}])
    monkeypatch.setattr(codegen_sweep, "is_compiled", lambda text: False)
    assert not sweep.pays(1e-3, 10)
    monkeypatch.setattr(codegen_sweep, "is_compiled", lambda text: True)
    assert sweep.pays(1e-3, 10)


def with_analysis() -> gw.Model:
    return gw.Model.from_dict({**four_bar().to_dict(), "analysis": INVERSE})


def test_a_program_that_differs_is_not_used(used, monkeypatch):
    """Some variants are analysed both ways for comparison."""
    for name in ("MIN_SWEEP_SECONDS", "COMPILE_SECONDS_PER_CHARACTER"):
        monkeypatch.setattr(codegen_sweep, name, 0.0)
    before = CodegenSweepTask.variants

    def off(self: CodegenSweepTask, plan: Any, made: Any, place: np.ndarray) -> Any:
        rows = before(self, plan, made, place)
        return [row and row._replace(series={n: x + 1e-3 for n, x in row.series.items()}) for row in rows]

    monkeypatch.setattr(CodegenSweepTask, "variants", off)
    classic = gw.sweep(four_bar(), MANY, analysis=INVERSE, workers=1, printed=False)
    assert gw.sweep(four_bar(), MANY, analysis=INVERSE, workers=1).data.identical(classic.data)
    assert used
    with pytest.raises(gw.ModelError, match=r"cannot be printed: 'crank\.torque' differs from that of the analysis"):
        gw.sweep(four_bar(), MANY, analysis=INVERSE, workers=1, printed=True)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, ""),
        ({"failure": "no"}, "the analysis fails: no"),
        ({"numbers": {"other": 1.0}}, "instead of"),
        ({"numbers": {"a": 1.0 + 1e-5, ACCURACY_NAMES[0]: 0.0}}, "'a' differs"),
        ({"numbers": {"a": 1.0 + 1e-9, ACCURACY_NAMES[0]: 9.0}}, ""),
        ({"series": {"y": np.array([0.0, 1e-3])}}, "'y' differs"),
        ({"series": {"y": np.array([1e-12, np.nan])}}, ""),
        ({"time": np.array([0.0, 2.0])}, "'time' differs"),
    ],
)
def test_disagreement_is_described(change, said):
    one = VariantResult(np.array([0.0, 1.0]), {"y": np.array([0.0, np.nan])}, {"a": 1.0, ACCURACY_NAMES[0]: 0.0}, "")
    assert said in describe_disagreement(one, one._replace(**change))
    assert bool(said) == bool(describe_disagreement(one, one._replace(**change)))


def test_an_interrupted_sweep_goes_on_and_computes_nothing_twice(used, tmp_path, monkeypatch):
    monkeypatch.setattr(codegen_sweep, "MIN_CHUNK_DESIGNS", 8)

    def stop(fraction: float) -> None:
        if fraction >= 0.5:
            raise KeyboardInterrupt

    asked: dict[str, Any] = {"analysis": INVERSE, "workers": 1, "printed": True}
    first = gw.sweep(four_bar(), MANY, **asked, store=tmp_path / "sweep.nc", progress=stop)
    assert int((first["failure"] == "").sum()) == 30
    assert set(first["failure"].values) == {"", "not computed: interrupted"}
    used.clear()
    told: list[float] = []
    second = gw.sweep(four_bar(), MANY, **asked, store=tmp_path / "sweep.nc", progress=told.append)
    assert sum(used) == 30 and told[0] > 0.5 and told[-1] == 1.0
    same(second, gw.sweep(four_bar(), MANY, **{**asked, "printed": False}))
    assert gw.sweep(four_bar(), MANY, **asked, store=tmp_path / "sweep.nc").data.identical(second.data)
    assert sum(used) == 30
