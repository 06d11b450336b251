"""Numbers of legs for many designs at once, compared with those of single legs; and the underlying cubics."""

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from scipy.interpolate import CubicSpline

import gaitwright as gw
from gaitwright.codegen.c_library import find_compiler
from gaitwright.codegen.cuda_library import unavailable_reason
from gaitwright.design.sampling import sample_designs
from gaitwright.design.validated_model import ValidatedModel
from gaitwright.legs import turn_numbers
from gaitwright.legs.designs import DEFAULT_TURN_SAMPLES
from gaitwright.legs.turn_numbers import LEG_MEASURE_UNITS
from gaitwright.legs.vectorised import gradients
from gaitwright.legs.vectorised.cubics import (
    CubicSegments,
    find_extremes,
    find_turning_points,
    find_zeros,
    integrate_absolute,
    maximum_at,
    minimum_at,
    spline_cubics,
    spline_slopes,
)  # fmt: skip
from gaitwright.mechanisms import jansen_leg
from gaitwright.mechanisms.catalogue import CATALOGUE
from gaitwright.model.model import Model

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


@pytest.fixture(scope="module")
def wave():
    t = np.arange(25.0)
    return np.stack([np.sin(t / 3 + k) * (1 + k) for k in range(4)], axis=1)


def test_splines_are_those_of_scipy(wave):
    of, exact = spline_cubics(np, wave), CubicSpline(np.arange(25.0), wave)
    u = np.array([[0.37]])
    np.testing.assert_allclose(of.value(u), exact(np.arange(24) + 0.37), rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(of.integral(1.0).sum(axis=0), exact.integrate(0, 24), rtol=1e-12)
    np.testing.assert_allclose(spline_slopes(25) @ wave, exact(np.arange(25), 1), atol=1e-12)


def test_extremes_between_samples(wave):
    of, exact = spline_cubics(np, wave), CubicSpline(np.arange(25.0), wave)
    found = find_extremes(np, wave, of)
    fine = exact(np.linspace(0, 24, 200001))
    np.testing.assert_allclose(found.least, fine.min(axis=0), atol=1e-8)
    np.testing.assert_allclose(found.greatest, fine.max(axis=0), atol=1e-8)
    place, u = find_turning_points(np, of)
    np.testing.assert_allclose(of.at(place).slope(u), 0.0, atol=1e-13)
    assert u.size == sum(
        np.sum(np.isfinite(r)) for r in exact.derivative().roots(extrapolate=False, discontinuity=False)
    )


def test_integrals_of_absolute_values():
    generator = np.random.default_rng(0)
    of = CubicSegments(*generator.uniform(-1, 1, (4, 60)) * np.array([[0.3], [1], [2], [2]]))
    low, high = np.zeros(60), generator.uniform(0.3, 1, 60)
    found = integrate_absolute(np, of, low, high)
    for k in range(60):
        one = Polynomial([c[k] for c in of])
        roots = [r.real for r in one.roots() if abs(r.imag) < 1e-12 and 0 < r.real < high[k]]
        wanted = np.abs(np.diff(one.integ()(np.array([0.0, *sorted(roots), high[k]])))).sum()
        assert found[k] == pytest.approx(wanted, abs=1e-13)


def test_zeros():
    of = CubicSegments(np.array([-0.2, 0.5]), np.array([1.0, -1.0]), np.array([0.3, 0.0]), np.array([0.1, -0.4]))
    u = find_zeros(np, of, np.zeros(2), np.ones(2))
    np.testing.assert_allclose(of.value(u), 0.0, atol=1e-15)


@needs_compiler
@pytest.mark.parametrize("name", ["jansen-leg", pytest.param("klann-leg", marks=pytest.mark.slow)])
def test_many_legs_agree_with_single_legs(name):
    raw = CATALOGUE[name].model().to_dict()
    model = Model.from_dict({**raw, "outputs": []})
    numbers = {k: v for k, v in model.document.parameters.items() if isinstance(v, float)}
    given = sample_designs(model, {k: tuple(sorted((0.99 * v, 1.01 * v))) for k, v in numbers.items()}, 6)
    turn = gw.one_turn(90, model=model)
    table = gw.designs(model, given, measures=list(LEG_MEASURE_UNITS), analysis=turn)
    one = ValidatedModel(Model.from_dict({**model.to_dict(), "analysis": turn}))
    good = np.flatnonzero(table["failure"].values == 0)
    assert good.size >= 3
    for k in good:
        wanted = gw.measure_leg(one.variant({name: values[k] for name, values in given.items()}).analyse())
        assert set(wanted) == set(LEG_MEASURE_UNITS)
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
    one = ValidatedModel(model)
    for k, crank in enumerate(cranks):
        alone = gw.analyse_leg(
            one.variant({"crank": crank}), directions=("as driven",), restitutions=(), samples=DEFAULT_TURN_SAMPLES
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


def greatest_and_least(xp):
    """Compare exactly; a design may have several values, or none."""
    rng = np.random.default_rng(3)
    i, values = rng.integers(0, 40, 300), rng.normal(size=300)
    found, low = xp.zeros(50), xp.zeros(50)
    maximum_at(xp, found, xp.asarray(i), xp.asarray(values))
    minimum_at(xp, low, xp.asarray(i), xp.asarray(values))
    for design in range(50):
        own = values[i == design]
        assert float(found[design]) == max([0.0, *own]) and float(low[design]) == min([0.0, *own])


def test_greatest_and_least_values_of_designs():
    greatest_and_least(np)


@pytest.mark.gpu
@pytest.mark.skipif(bool(unavailable_reason()), reason=unavailable_reason() or "-")
def test_greatest_and_least_values_of_designs_on_a_gpu():
    greatest_and_least(pytest.importorskip("cupy"))


@pytest.mark.gpu
@pytest.mark.skipif(bool(unavailable_reason()), reason=unavailable_reason() or "-")
def test_zeros_of_cubics_on_a_gpu():
    cupy, rng = pytest.importorskip("cupy"), np.random.default_rng(5)
    a, b = -rng.uniform(0.1, 1.0, 500), rng.uniform(1.1, 3.0, 500)
    of = CubicSegments(a, b, rng.uniform(0.0, 1.0, 500), rng.uniform(0.0, 1.0, 500))
    low, high = np.zeros(500), np.ones(500)
    found = find_zeros(cupy, CubicSegments(*map(cupy.asarray, of)), cupy.asarray(low), cupy.asarray(high)).get()
    np.testing.assert_allclose(found, find_zeros(np, of, low, high), rtol=0.0, atol=1e-14)
    np.testing.assert_allclose(of.value(found), 0.0, atol=1e-14)


@needs_compiler
def test_a_ratio_of_numbers_needs_one_entry(monkeypatch):
    """Its numbers for many designs and their derivatives follow from its entry, and equal those of single runs."""
    entry = turn_numbers._ratio_number("step height / size of the hip height", "step_height", "hip_height", size=True)
    assert entry.ratio is not None
    for table, value in (
        (turn_numbers.LEG_MEASURES, entry), (turn_numbers.TURN_NUMBERS, entry), (turn_numbers.LEG_RATIOS, entry.ratio),
        (turn_numbers.LEG_MEASURE_UNITS, (entry.unit, entry.text)),
        (gradients.MEASURE_DERIVATIVES, gradients._differentiate_ratio(entry.ratio)),
    ):  # fmt: skip
        monkeypatch.setitem(table, "steepness", value)
    leg, step = jansen_leg(), 1e-5
    values = {"L6": [0.40, 0.40 - step, 0.40 + step]}
    table = gw.designs(leg, values, measures=["steepness"], gradient=["steepness"], workers=1)
    found = table["steepness"].values
    assert table["steepness.gradient"].values[0, 0] == pytest.approx((found[2] - found[1]) / (2 * step), rel=1e-5)
    period = 1.0 / float(leg.document.parameters["turns_per_second"])
    run = leg.copy(L6=0.40).inverse(times=np.linspace(0.0, period, DEFAULT_TURN_SAMPLES + 1))
    assert found[0] == pytest.approx(gw.measure_leg(run)["steepness"], rel=1e-8)
