"""Validators return valid values; invalid values raise an exception that names their field."""

import math
import traceback

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.error_context import ErrorContext, format_choices, is_number, suggest_spelling
from gaitwright._core.errors import ModelError
from gaitwright.mechanisms.cantilever import cantilever
from gaitwright.mechanisms.four_bar import four_bar
from gaitwright.mechanisms.pendulum import pendulum
from gaitwright.mechanisms.slider_crank import slider_crank
from gaitwright.mechanisms.walking_machine import walking_machine

AT = ErrorContext("link 'crank'")["length"]

GOOD = [
    (AT.given(0.0, "a number"), 0.0),
    (AT.finite(-1, "a number"), -1),
    (AT.finite(np.float64(2.5), "a number"), 2.5),
    (AT.positive(1e-300), 1e-300),
    (AT.above_zero(math.inf, "a number"), math.inf),
    (AT.above_zero([1.0, 2.0], "numbers"), [1.0, 2.0]),
    (AT.not_negative(0.0, "0 or more"), 0.0),
    (AT.whole(3, "is no count", "1, 2, 3, ..."), 3),
    (AT.whole(3.0, "is no count", "1, 2, 3, ..."), 3),
    (AT.whole(np.int64(0), "is no count", "0, 1, 2, ...", least=0, most=5), 0),
    (AT.one_of("b", {"a": 1, "b": 2}), "b"),
    (AT.unused("c", ["a", "b"]), None),
    (AT.radians(-7.5), -7.5),  # beyond one turn, as at the end of a sweep
    (AT.radians([0.1, 6.0]), [0.1, 6.0]),
    (AT.radians(np.float64(3.0), below=math.pi), 3.0),
    (AT.slope(-1.57), -1.57),
]

BAD = {
    "plain": (lambda at: at.fail("is wrong"), "is wrong"),
    "all": (lambda at: at.fail("is wrong", -1, "1 or 2"), "is wrong (got -1); expected 1 or 2"),
    "given": (lambda at: at.given(None, "a number of m"), "is missing; expected a number of m"),
    "text": (lambda at: at.finite("1", "a time in s"), "is not a finite number (got '1'); expected a time in s"),
    "nan": (lambda at: at.finite(math.nan, "a time"), "is not a finite number (got nan); expected a time"),
    "zero": (lambda at: at.positive(0), "is not positive and finite (got 0); expected a positive number"),
    "none": (lambda at: at.positive(None, "s"), "is not positive and finite; expected a positive number of s"),
    "words": (
        lambda at: at.positive("1 ms", "s"),
        "is not positive and finite (got '1 ms'); expected a positive number of s",
    ),
    "a list": (lambda at: at.positive([1]), "is not positive and finite (got [1]); expected a positive number"),
    "letters": (lambda at: at.numbers("ab", "times, s"), "is not a list of numbers (got 'ab'); expected times, s"),
    "infinite": (lambda at: at.positive(math.inf), "is not positive and finite (got inf); expected a positive number"),
    "size": (lambda at: at.above_zero(0.0, "a mass"), "must be greater than zero (got 0.0); expected a mass"),
    "nan size": (lambda at: at.above_zero(math.nan, "a mass"), "must be greater than zero (got nan); expected a mass"),
    "sides": (lambda at: at.above_zero([1, 0], "sides"), "must be greater than zero (got [1, 0]); expected sides"),
    "negative": (lambda at: at.not_negative(-2, "0 or more"), "is negative (got -2); expected 0 or more"),
    "half": (lambda at: at.whole(1.5, "is no count", "1, 2, ..."), "is no count (got 1.5); expected 1, 2, ..."),
    "few": (lambda at: at.whole(0, "is no count", "1, 2, ..."), "is no count (got 0); expected 1, 2, ..."),
    "many": (lambda at: at.whole(9, "is no count", "up to 8", most=8), "is no count (got 9); expected up to 8"),
    "endless": (lambda at: at.whole(math.inf, "is no count", "1, 2"), "is no count (got inf); expected 1, 2"),
    "true": (lambda at: at.whole(True, "is no count", "1, 2"), "is no count (got True); expected 1, 2"),
    "unknown": (lambda at: at.one_of("zz", ("rk4", "bdf")), "is not known (got 'zz'); expected one of rk4, bdf"),
    "nearly": (
        lambda at: at.one_of("rk5", ("rk4", "bdf"), "is no method"),
        "is no method (got 'rk5'); expected one of rk4, bdf; did you mean 'rk4'?",
    ),
    "degrees": (
        lambda at: at.radians(90),
        "is in rad, and would be 5157 degrees (got 90.0); expected an angle in rad; 90 degrees are 1.571 rad",
    ),
    "degrees among others": (
        lambda at: at.radians([0.5, -45.0, 1.0]),
        "is in rad, and would be -2578 degrees (got -45.0); expected an angle in rad; -45 degrees are -0.7854 rad",
    ),
    "steep": (
        lambda at: at.slope(10),
        "is in rad, and would be 573 degrees (got 10.0); expected less than 1.571 rad (90 degrees) either way; 10 degrees are "
        "0.1745 rad",
    ),
    "no angle": (lambda at: at.slope("10 deg"), "is not a finite number (got '10 deg'); expected an angle in rad"),
    "nan among angles": (
        lambda at: at.radians([9.0, math.nan]),
        "is not a finite number (got nan); expected an angle in rad",
    ),
    "twice": (lambda at: at.unused("a", ["a"]), "the name 'a' is used twice; expected different names"),
}


@pytest.mark.parametrize(("found", "expected"), GOOD)
def test_valid_value_is_returned(found, expected):
    assert found == expected


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize(
    ("at", "where"),
    [
        (ErrorContext("link 'crank'", "length"), "link 'crank' field 'length': "),
        (ErrorContext("link 'crank'"), "link 'crank': "),
        (ErrorContext(field="length"), "field 'length': "),
        (ErrorContext(), ""),
    ],
)
def test_invalid_value_reports_its_field(case, at, where):
    check, sentence = BAD[case]
    with pytest.raises(ModelError) as error:
        check(at)
    assert str(error.value) == where + sentence
    assert (error.value.element, error.value.field) == (at.element, at.field)


IN_RADIANS = {
    "walking machine field 'slope'": lambda: walking_machine(slope=10),
    "walking machine field 'phase'": lambda: walking_machine(phase=90),
    "LineGround field 'slope'": lambda: gw.surfaces.LineGround(slope=5).entry(),
    "four-bar field 'angle'": lambda: four_bar(angle=45),
    "slider-crank field 'angle'": lambda: slider_crank(angle=-60),
    "pendulum field 'angles'": lambda: pendulum([0.1, -90]),
    "cantilever field 'angle'": lambda: cantilever(angle=90),
    "mesh field 'angle'": lambda: gw.mesh.rectangle((1.0, 1.0), 1).turned(90),
    "motion field 'pitch'": lambda: gw.foot.AnkleMotion([0.0, 1.0], [20.0, -60.0]),
    "motion field 'roll'": lambda: gw.foot.AnkleMotion([0.0, 1.0], [0.2, -1.0], roll=5.0),
    "motion field 'yaw'": lambda: gw.foot.AnkleMotion([0.0, 1.0], [0.2, -1.0], yaw=10.0),
}


@pytest.mark.parametrize("place", IN_RADIANS)
def test_degrees_are_refused_for_angles_in_rad(place):
    with pytest.raises(ModelError, match=r"is in rad, and would be .* degrees are .* rad$") as error:
        IN_RADIANS[place]()
    assert str(error.value).startswith(place)


def test_failure_suppresses_the_original_exception():
    with pytest.raises(ModelError) as error:
        try:
            float("one")
        except ValueError:
            AT.fail("is not a number", "one")
    assert "ValueError" not in "".join(traceback.format_exception(error.value))


def test_is_number():
    numbers = (1, 1.0, 10**300, np.float32(1), np.int8(1))
    others = (10**400, True, np.True_, None, "1", math.nan, -math.inf, 1j, np.complex128(1), [1.0])
    assert all(is_number(value) for value in numbers)
    assert not any(is_number(value) for value in others)


def test_format_choices_suggests_similar_names():
    assert format_choices("x", []) == "one of "
    assert format_choices("x", [], "(none)") == "one of (none)"
    assert format_choices("crnk", ["crank", "rod"]) == "one of crank, rod; did you mean 'crank'?"
    assert suggest_spelling("x", ["crank"]) == ""


@pytest.mark.parametrize("value", [[1], {"a": 1}, {1}])
def test_unhashable_value_is_refused(value):
    with pytest.raises(ModelError, match="is not known"):
        ErrorContext("subject", "sex").one_of(value, {"male": 1})


def test_integer_beyond_the_float_range_is_not_a_number():
    assert is_number(10**300) and not is_number(10**400) and not is_number(-(10**400))
