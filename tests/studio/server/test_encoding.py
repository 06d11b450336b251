"""Every message can be encoded, whatever a model file puts into it."""

from __future__ import annotations

import datetime
import json

import numpy as np
import pytest

pytest.importorskip("starlette", reason="needs starlette, of the studio extra")

from gaitwright.studio.server.encoding import encoded

BAD = {
    "infinity": (float("inf"), None),
    "minus infinity": (-float("inf"), None),
    "not a number": (float("nan"), None),
    "a number of numpy": (np.float64("nan"), None),
    "an array": (np.array([1.0, np.inf]), [1.0, None]),
    "a whole number beyond doubles": (10**400, 10**400),
    "half of a surrogate pair": ("\ud800", "\ud800"),
    "a date": (datetime.date(2020, 1, 2), "2020-01-02"),
    "a set": ({1}, [1]),
    "a mapping with numbers as names": ({1: 2}, {"1": 2}),
    "an object": (object, str(object)),
}


@pytest.mark.parametrize("name", BAD)
def test_whatever_json_does_not_have_is_encoded(name):
    value, expected = BAD[name]
    text = encoded({"id": 1, "answer": {"value": value, "deep": [[value]]}})
    told = json.loads(text, parse_constant=lambda word: pytest.fail(word))
    assert told == {"id": 1, "answer": {"value": expected, "deep": [[expected]]}}


def circular():
    inside: list = []
    inside.append(inside)
    return inside


@pytest.mark.parametrize("value", [circular(), {"a": circular()}])
def test_what_cannot_be_encoded_is_said_to_the_one_who_asked(value):
    told = json.loads(encoded({"id": 5, "answer": value}))
    assert told["id"] == 5 and told["kind"] == "defect" and "defect in gaitwright" in told["error"]
    assert json.loads(encoded({"news": "runs", "runs": value}))["news"] == "defect"
