"""Every message can be encoded, with any content of a model file."""

from __future__ import annotations

import datetime
import json

import numpy as np
import pytest

pytest.importorskip("starlette", reason="needs starlette, of the studio extra")

from gaitwright.studio.server.encoding import encode_message

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
def test_values_outside_json_are_encoded(name):
    value, expected = BAD[name]
    text = encode_message({"id": 1, "answer": {"value": value, "deep": [[value]]}})
    reply = json.loads(text, parse_constant=lambda word: pytest.fail(word))
    assert reply == {"id": 1, "answer": {"value": expected, "deep": [[expected]]}}


def circular():
    inside: list = []
    inside.append(inside)
    return inside


@pytest.mark.parametrize("value", [circular(), {"a": circular()}])
def test_encoding_failure_is_reported_to_the_requester(value):
    reply = json.loads(encode_message({"id": 5, "answer": value}))
    assert reply["id"] == 5 and reply["kind"] == "defect" and "defect in gaitwright" in reply["error"]
    assert json.loads(encode_message({"news": "runs", "runs": value}))["news"] == "defect"
