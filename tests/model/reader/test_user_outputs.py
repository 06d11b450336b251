"""User-defined outputs: their values, their units, and invalid input."""

import math

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.mechanisms import four_bar, pendulum

LENGTH, DEGREE = 0.7, math.pi / 180


def rod():
    """A driven rod with a known motion."""
    model = gw.Model(gravity=(0, -9.81), parameters={"L": LENGTH})
    model.ground_point("O", 0, 0).point("A", "L", 0)
    model.link("rod", "O", "A", length="L", mass=2.0)
    return model.drive.rotation("rod", "0.5*t", name="knee-motor")


@pytest.fixture(scope="module")
def run():
    model = rod()
    model.series("wish", [0, 0.5, 1, 1.5, 2], [0, 0.25, 0.5, 0.75, 1.0])
    model.quantity("flexion", "pi/2 - rod.angle", unit="deg", description="from upright")
    model.quantity("twice", "2*flexion").quantity("off", "rod.angle - wish(t)")
    model.quantity("lever", "{knee-motor.torque}/(2*9.81)").quantity("share", "if(t > 1, A.x/L, 0)")
    model.quantity("root", "log(rod.angle - 0.5)").quantity("power", "{knee-motor.power}").quantity("two", 2)
    model.quantity("lag", "t").chart("flexion", "A.x", title="Where the end is")
    return model.kinematics(2.0, step=0.1)


def test_values_equal_the_expression(run):
    angle = 0.5 * run.time
    assert run.array("flexion") == pytest.approx(90 - angle / DEGREE, abs=1e-12)
    assert run.array("twice") == pytest.approx(math.pi - 2 * angle, abs=1e-12), "others find it in SI"
    assert run.array("off") == pytest.approx(0, abs=1e-12)
    assert run.array("lever") == pytest.approx(0.5 * LENGTH * np.cos(angle), abs=1e-9)
    assert run.array("share") == pytest.approx(np.where(run.time > 1, np.cos(angle), 0.0))
    assert np.isnan(run.array("root")[0]) and run.array("root")[-1] == pytest.approx(math.log(0.5))
    assert run.array("power") == pytest.approx(run.array("knee-motor.power")) and (run.array("two") == 2).all()


def test_units_follow_from_the_outputs(run):
    units = {name: run[name].attrs["units"] for name in ("flexion", "twice", "off", "share", "power", "lag", "two")}
    assert units == {"flexion": "deg", "twice": "1", "off": "rad", "share": "1", "power": "W", "lag": "s", "two": "1"}
    assert run["flexion"].attrs["long_name"] == "from upright"


def test_user_outputs_behave_like_other_outputs(run, tmp_path):
    assert "flexion" in run and "flexion" in run.dataset()
    again = gw.load_result(run.save(tmp_path / "run.nc"))
    assert again.array("flexion") == pytest.approx(run.array("flexion"))
    document = gw.load(gw.Model.from_dict(run.document).save(tmp_path / "rod.yaml")).to_dict()
    assert document == run.document and document["charts"] == [
        {"x": "flexion", "y": ["A.x"], "title": "Where the end is"}
    ]


def test_search_can_use_a_user_output():
    model = rod().quantity("height", "A.y", unit="mm")
    chosen = gw.choose(
        model,
        {"L": (0.2, 1.0)},
        target={"height": 300},
        samples=3,
        analysis={"type": "kinematic", "until": 1},
    )
    assert chosen.value == pytest.approx(0.3 / math.sin(0.5), rel=1e-6)


def test_leg_without_contacts_drops_their_user_outputs():
    model = four_bar().quantity("half", "crank.angle/2")
    assert model.kinematics(0.1, step=0.05).array("half") == pytest.approx(
        0.5 * four_bar().kinematics(0.1, step=0.05).array("crank.angle")
    )


@pytest.mark.parametrize(
    ("quantities", "message"),
    [
        ({"x": "rod1.angel"}, r"quantity 'x' field 'value': .*rod1.angel.*did you mean rod1.angle"),
        ({"L": "rod1.angle"}, "quantity 'L'.*name of a parameter"),
        ({"time": "rod1.angle"}, "name of a parameter, a series or the time"),
        ({"rod1.angle": "1"}, "quantity 'rod1.angle'.*results have anyway"),
        ({"a": "2*b", "b": "a + 1"}, "circle: a -> b -> a|circle: b -> a -> b"),
        ({"a": {"value": "rod1.angle", "unit": "mm"}}, "quantity 'a' field 'unit': the value is an angle.*mm"),
        ({"a": {"value": "rod1.angle", "unit": "Deg"}}, "quantity 'a' field 'unit': is no unit.*did you mean 'deg'"),
        (
            {"a": "rod1.angle + rod1.x"},
            "quantity 'a' field 'value': an angle and a length cannot be added|a length and an angle",
        ),
        ({"a": "rod1.angle +"}, "quantity 'a'.*ends too early"),
        ({"a": "wish(t)"}, "quantity 'a'.*unknown function 'wish'"),
        ({"a": {"formula": "t"}}, "quantity 'a'.*formula"),
        ({"a": [1]}, "quantity 'a'.*is not a mapping"),
        ({"a b": "t"}, "not valid"),
    ],
)
def test_invalid_quantity_has_a_message(quantities, message):
    raw = {**pendulum().to_dict(), "parameters": {"L": 1.0}, "quantities": quantities}
    with pytest.raises(gw.ModelError, match=message):
        gw.Model.from_dict(raw).mechanism()


@pytest.mark.parametrize(
    ("chart", "message"),
    [
        ({"x": "rod1.angle", "y": "rod1.angel"}, "chart 1: there is no output 'rod1.angel'"),
        ({"x": "rod1.angel", "y": "rod1.x"}, "chart 1: there is no output 'rod1.angel'"),
        (
            {"x": "rod1.angle", "y": ["rod1.x", "rod1.angle"]},
            "chart 1 field 'y': has rod1.x in m and rod1.angle in rad",
        ),
        ({"x": "rod1.angle", "y": []}, "chart 1 field 'y': has too few"),
        ({"x": "rod1.angle"}, "chart 1 field 'y': is missing"),
        ({"x": "rod1.angle", "y": "time"}, "field 'y': is the time"),
        ({"x": "rod1.angle", "y": "rod1.x", "over": "t"}, "chart 1 field 'over': there is no such field"),
    ],
)
def test_invalid_chart_has_a_message(chart, message):
    with pytest.raises(gw.ModelError, match=message):
        gw.Model.from_dict({**pendulum().to_dict(), "charts": [chart]}).mechanism()
