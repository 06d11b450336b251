"""Invalid options of a simulation raise ModelError with a clear message before anything is computed."""

import math

import pytest

import gaitwright as gw


@pytest.fixture(scope="module")
def pendulum():
    return gw.Model("pendulum").ground_point("O", 0, 0).point("A", 1, 0).link("rod", "O", "A", mass=1)


ASKED = {
    "no end": ({"until": None}, "analysis field 'until': is not positive and finite; expected a positive number of s"),
    "end without number": ({"until": math.nan}, "field 'until': is not positive and finite (got nan)"),
    "end in words": ({"until": "long"}, "field 'until': is not positive and finite (got 'long')"),
    "step with its unit": ({"step": "1 ms"}, "(got '1 ms'); expected a positive number of s"),
    "every in words": ({"step": 0.1, "every": "2"}, "field 'every': is not positive and finite (got '2')"),
    "tolerance in words": ({"tolerance": "small"}, "field 'tolerance': is not positive and finite (got 'small')"),
    "step and no step": ({"step": 2.0}, "field 'step': is longer than the run"),
    "radius in words": ({"spectral_radius": "0.8"}, "field 'spectral_radius': is outside [0, 1] (got '0.8')"),
    "method": ({"method": "rk5"}, "field 'method': is not a known method (got 'rk5'); expected one of dopri5, "),
    "stabilisation": ({"stabilisation": "projektion"}, "did you mean 'projection'?"),
    "complementarity": ({"complementarity": "lemkes"}, "did you mean 'lemke'?"),
    "joint velocities": (
        {"method": "moreau", "step": 0.1, "joint_velocities": "middle"},
        "field 'joint_velocities': is unknown (got 'middle'); expected",
    ),
    "joint velocities of another method": (
        {"step": 0.1, "joint_velocities": "midpoint"},
        "has no meaning for generalized-alpha (got 'midpoint'); expected the method moreau",
    ),
    "joint velocities with projection": (
        {"method": "moreau", "step": 0.1, "joint_velocities": "midpoint", "stabilisation": "projection"},
        "cannot be combined with the stabilisation projection",
    ),
    "no such option": (
        {"stores": ["rod.x"]},
        "simulate: there is no such option (got 'stores'); expected one of until, step, method, ",
    ),
    "what is not for users": ({"document": {}}, "simulate: there is no such option"),
    "one output to keep": ({"store": "rod.x"}, "field 'store': is neither a list of outputs nor 'all' (got 'rod.x')"),
    "a number to keep": ({"store": 3}, "field 'store': is neither a list of outputs nor 'all' (got 3)"),
    "numbers to keep": ({"store": [3]}, "field 'store': is neither a list of outputs nor 'all' (got [3])"),
    "an output that there is not": ({"store": ["rod.xx"]}, "there is no output 'rod.xx'; did you mean rod.x"),
    "a start that is no result": ({"start": "drawn"}, "simulate field 'start': is not a result (got 'drawn')"),
}


@pytest.mark.parametrize("what", ASKED)
def test_invalid_option_raises(pendulum, what):
    options, sentence = ASKED[what]
    with pytest.raises(gw.ModelError) as error:
        pendulum.simulate(**{"until": 1.0, **options})
    assert sentence in str(error.value)


@pytest.mark.parametrize("analysis", ["kinematics", "inverse", "static_path"])
def test_invalid_times_raise(pendulum, analysis):
    with pytest.raises(gw.ModelError, match=r"field 'times': is not a list of numbers \(got 'abc'\)"):
        getattr(pendulum, analysis)(times="abc")


def test_unknown_inverse_option_raises(pendulum):
    with pytest.raises(gw.ModelError, match=r"inverse: there is no such option .*did you mean 'tolerance'"):
        pendulum.inverse(1.0, tolerence=1e-9)


@pytest.mark.parametrize("analysis", ["static", "modes", "assemble"])
def test_non_numeric_time_raises(pendulum, analysis):
    with pytest.raises(gw.ModelError, match=rf"{analysis} field 'time': is not a finite number \(got 'now'\)"):
        getattr(pendulum, analysis)(time="now")


WRONG = {
    "a sweep of a file": (lambda m: gw.sweep("leg.yaml", {"L": [1]}), "sweep: is not given a model (got 'leg.yaml')"),
    "a leg in a file": (
        lambda m: gw.analyse_leg("leg.yaml"),
        "is not given a model (got 'leg.yaml'); expected a gw.Model",
    ),
    "a sweep of a list": (lambda m: gw.sweep(m, ["L"]), "sweep field 'parameters': is not a mapping"),
    "a sweep over letters": (
        lambda m: gw.sweep(m, {"L": "abc"}),
        "sweep field 'parameters': 'L' is not a parameter of this model",
    ),
    "a state in words": (lambda m: m.simulate(0.1).at("end"), "field 't': is not a list of numbers (got 'end')"),
    "a level in words": (lambda m: m.simulate(0.1).crossings("rod.x", "top"), "field 'level': is not a finite number"),
    "no kind of picture": (
        lambda m: m.simulate(0.1).plot("rod.x", path="x.zip"),
        "is not a picture format (got 'zip')",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_invalid_argument_raises(pendulum, what):
    call, sentence = WRONG[what]
    with pytest.raises(gw.ModelError) as error:
        call(pendulum)
    assert sentence in str(error.value)
