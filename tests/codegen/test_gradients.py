"""Exact derivatives of measures, against central differences of the measures."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.codegen.c_library import find_compiler
from gaitwright.derive.term_graph import DESIGN_LEVEL, MOTION_LEVEL, TermGraph
from gaitwright.design.batch.analysis import analyse_designs
from gaitwright.design.question import DesignQuestion
from gaitwright.legs.turn_batch import make_leg_source
from gaitwright.legs.turn_numbers import LEG_MEASURES
from gaitwright.mechanisms import jansen_leg
from gaitwright.mechanisms.catalogue import CATALOGUE
from gaitwright.result.reductions import REDUCTIONS

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


def test_reverse_mode_equals_forward_mode():
    """The adjoint of terms equals their forward derivatives."""
    graph = TermGraph()
    x, y = graph.input("x", MOTION_LEVEL), graph.input("y", MOTION_LEVEL)
    f = (x * y).sin() + graph.call("exp", x / (y + 2.0)) * (x - y) ** 3 + graph.call("max", x, y) / x
    found = graph.adjoint({f: graph.number(1.0)})
    values = graph.values([found[x], found[y], graph.slope(f, x), graph.slope(f, y)], {"x": 0.7, "y": 1.3})
    assert [float(v) for v in values[:2]] == pytest.approx([float(v) for v in values[2:]], rel=1e-14)


def test_reverse_mode_stops_at_terms_of_the_design():
    graph = TermGraph()
    x, p = graph.input("x", MOTION_LEVEL), graph.input("p", DESIGN_LEVEL)
    found = graph.adjoint({x / (p * p): graph.number(1.0)}, DESIGN_LEVEL)
    assert set(found) == {x, 1.0 / (p * p)}


def test_all_numbers_of_legs_have_derivatives():
    assert LEG_MEASURES and set(LEG_MEASURES) == set(make_leg_source(jansen_leg()).derivable)


def differences(model, names, asked, step):
    """Central differences at the model's own values."""
    at = np.array([model.document.parameters[name] for name in names], dtype=float)
    h = step * np.maximum(np.abs(at), 0.1)
    many = np.repeat(at[:, None], 2 * at.size, axis=1)
    for j in range(at.size):
        many[j, 2 * j] += h[j]
        many[j, 2 * j + 1] -= h[j]
    data = gw.designs(model, dict(zip(names, many, strict=True)), **asked)
    assert not data["failure"].any()
    return {
        name: (data[name].values[::2] - data[name].values[1::2]) / (2 * h)
        for name in data
        if data[name].attrs.get("role") == "measure"
    }


def compared(model, names, measures, analysis, step=1e-5):
    asked = {"measures": measures, "analysis": analysis}
    own = [text.partition("=")[0] for text in measures]
    at = {name: [float(model.document.parameters[name])] for name in names}
    exact = gw.designs(model, at, gradient=own, **asked)
    wanted = differences(model, names, asked, step)
    for name in own:
        found = exact[f"{name}.gradient"]
        assert found.dims == ("design", "parameter") and found["parameter"].values.tolist() == list(names)
        size = max(np.abs(wanted[name]).max(), 1e-6 * abs(float(exact[name][0])))
        np.testing.assert_allclose(found.values[0], wanted[name], rtol=0.0, atol=2e-6 * size, err_msg=name)


@needs_compiler
def test_every_measure_of_a_driven_crank():
    """An accelerating crank with parameters in its drive, its length, its mass, a spring and the length of the run."""
    model = gw.Model(
        "crank", parameters={"length": 0.3, "mass": 2.0, "w": 3.0, "end": 0.8, "k": 40.0, "twice": "2*mass"}
    )
    model.ground_point("O", 0, 0).ground_point("S", 0.7, 0.4).point("A", 0.3, 0)
    model.link("crank", "O", "A", length="length", mass="mass")
    model.drive.rotation("crank", "w*t + 2*t^2")
    model.force.spring_damper("A", "S", stiffness="k", rest_length=0.2, damping=3.0)
    measures = [f"crank.torque.{what}" for what in REDUCTIONS if what != "end"]
    measures += ["A.speed.max", "A.y.mean", "crank.power.mean", "own=crank.torque.max_abs*twice/length + A.x.min^2"]
    names = ["length", "mass", "w", "end", "k"]
    compared(model, names, measures, {"type": "inverse", "until": "end", "step": "end/40"})


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("name", ["slider-crank", "klann-leg", "jansen-leg", "horse-leg", "knee-exoskeleton"])
def test_ready_mechanisms(name):
    """Including prismatic joints, gears, slots, welds, driven distances and springs."""
    raw = CATALOGUE[name].model().to_dict()
    parameters = dict(raw.get("parameters", {}))
    for link in raw.get("links", []):
        if not isinstance(link.get("length"), str):
            parameters[f"length_{link['name']}"], link["length"] = link["length"], f"length_{link['name']}"
    model = gw.Model.from_dict({**raw, "parameters": parameters, "outputs": []})
    drive = next(n for n in model.mechanism().constraint_names if n.kind == "drive")
    load = f"{drive.name}.{next(what for what, (unit, _) in drive.declaration.rows.items() if unit)}"
    body = list(model.mechanism().body_names)[-1]
    names = [name for name, value in parameters.items() if isinstance(value, (int, float))]
    compared(
        model,
        names,
        [f"{load}.max_abs", f"{load}.final", f"{body}.y.mean"],
        {"type": "inverse", "until": 0.9, "step": 0.03},
    )


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("name", ["jansen-leg", "klann-leg", "chebyshev-leg"])
def test_numbers_of_legs(name):
    """All numbers, also with respect to the speed, which changes the length of the run. Lengths differ slightly from those of
    the library: Chebyshev's leg is symmetric, and the larger of two equal extremes has no derivative."""
    raw = CATALOGUE[name].model().to_dict()
    names = [name for name, value in raw["parameters"].items() if isinstance(value, float)]
    off = {name: raw["parameters"][name] * (1.0 + 0.004 * (k % 3 - 1)) for k, name in enumerate(names)}
    model = gw.Model.from_dict({**raw, "parameters": {**raw["parameters"], **off}, "outputs": []})
    compared(model, names, [*LEG_MEASURES, "own=energy/step_length"], gw.one_turn(120, model=model), step=2e-6)


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("ground", [{"level": "height"}, {}])
def test_a_given_or_default_ground_level(ground):
    raw = jansen_leg().to_dict()
    raw["gait"] = {**raw["gait"], "penetration": None, **ground}
    model = gw.Model.from_dict({**raw, "parameters": {**raw["parameters"], "height": -0.6}})
    names = ["height", "L3", "O2_y"] if ground else ["L3", "L6", "O2_y"]
    measures = [name for name in LEG_MEASURES if name not in ("curve_length", "torque", "acceleration", "energy")]
    compared(model, names, measures, gw.one_turn(90, model=model))


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("gait", [{"hip": "B", "penetration": None}, {"body_speed": "2*L3*turns_per_second"}])
def test_a_moving_hip_and_a_given_speed(gait):
    raw = jansen_leg().to_dict()
    model = gw.Model.from_dict({**raw, "gait": {**raw["gait"], **gait}})
    measures = ["leg_length", "duty", "flatness", "body_speed", "touchdown_speed", "cost_of_transport"]
    compared(model, ["L3", "L6", "O2_y", "turns_per_second"], measures, gw.one_turn(90, model=model))


def test_measures_without_derivative_are_refused():
    leg = jansen_leg()
    asked = {"measures": ["flatness", "crank.torque.max"], "gradient": ["flatness"]}
    without = make_leg_source(leg)._replace(derivable=("energy",))
    with pytest.raises(
        ModelError, match=r"the derivative of 'flatness', a number of a leg, cannot .* or of legs energy"
    ):
        question = DesignQuestion(
            "designs", leg, {"L3": [0.277]}, measures=asked["measures"], analysis=gw.one_turn(), plan=False
        )
        analyse_designs(question, {"L3": np.array([0.277])}, gradient=["flatness"], sources=[without])
    with pytest.raises(ModelError, match="is not measured"):
        gw.designs(leg, {"L3": [0.277]}, **{**asked, "gradient": ["energy"]})
