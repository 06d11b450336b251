"""Requests from untrusted text: each gives a validated model, or one sentence with problem, value and expectation."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("starlette", reason="needs starlette, of the studio extra")

from gaitwright.studio.server import requests
from gaitwright.studio.server.handlers import REQUEST_MODELS
from gaitwright.studio.server.requests import MAX_STRUCTURE_CHARACTERS, InvalidRequestError, read_request

REFUSED = {
    "": "is not valid JSON from character 0 on (got ''); expected one JSON object",
    "no json": "is not valid JSON from character 2 on (got 'no json')",
    '{"id": 1, "do": "state"': "is not valid JSON from character 23 on",
    '{"id": 1, "do": "show", "time": NaN}': "is not valid JSON",
    '{"id": 1, "do": "type_text", "text": "\\ud800"}': "is not valid JSON",
    "[1, 2]": "is not an object (got [1, 2])",
    '{"id": 1}': "field 'do': is missing; expected one of autosave,",
    '{"id": 1, "do": "undoo"}': "field 'do': is not known (got 'undoo'); expected one of autosave, ",
    '{"id": 1, "do": ["state"]}': "field 'do': is not known (got ['state'])",
    '{"do": "state"}': "'state' field 'id': is missing",
    '{"id": 1.5, "do": "state"}': "'state' field 'id': is not a whole number (got 1.5); expected a whole number",
    '{"id": true, "do": "state"}': "'state' field 'id': is not a whole number (got True)",
    '{"id": -1, "do": "state"}': "'state' field 'id': is too small (got -1); expected at least 0",
    '{"id": 1, "do": "state", "tiem": 1}': "'state' field 'tiem': there is no such field (got 1); expected one of id, do",
    '{"id": 1, "do": "show", "time": "soon"}': "'show' field 'time': is not a number (got 'soon')",
    '{"id": 1, "do": "show", "time": 1e400}': "field 'time': is not a finite number (got inf)",
    '{"id": 1, "do": "show", "frames": 1000000}': "'show' field 'frames': is too large (got 1000000); expected at most 120",
    '{"id": 1, "do": "show", "exact": 1}': "'show' field 'exact': is neither yes nor no (got 1); expected true or false",
    '{"id": 1, "do": "pull", "point": "A"}': "'pull' field 'to': is missing; expected place of the hand, m",
    '{"id": 1, "do": "pull", "point": "A", "to": [1, 2, 3, 4]}': "'pull' field 'to': has too many entries",
    '{"id": 1, "do": "edit", "command": [1]}': "'edit' field 'command': is not a mapping",
    '{"id": 1, "do": "explain", "path": "links", "dimension": 4}': "'explain' field 'dimension': is not known (got 4)",
    '{"id": 1, "do": "curves", "curves": [{"id": "1"}]}': "'curves' field 'curves[0].name': is missing",
    '{"id": 1, "do": "edit", "command": ' + "[" * 100 + "]" * 100 + "}": "has more than 20 lists inside each other",
    '{"id": 1, "do": "edit", "command": ' + "[" * 5000: "is nested too deeply; expected at most 20 lists",
    json.dumps(
        {"id": 1, "do": "edit", "command": {"value": [0] * 30_000}}
    ): "has more than 20000 values; expected fewer",
    json.dumps(
        {"id": 1, "do": "edit", "command": {"do": "x" * 30_000}}
    ): "field 'do': has 30000 characters; expected at most 20000",
    json.dumps(
        {"id": 1, "do": "type_text", "text": "x" * 5_000_001}
    ): "has 5000001 characters; expected at most 5000000",
}


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_an_invalid_request_is_refused_with_a_sentence(text):
    with pytest.raises(InvalidRequestError) as refused:
        read_request(text, REQUEST_MODELS)
    assert REFUSED[text] in str(refused.value)


def test_the_id_of_an_invalid_request_is_reported():
    for text in ('{"id": 7, "do": 3}', '{"do": "undoo", "id": 7}', '{"id":7,"do":"type_text","text":"\\ud800"}'):
        with pytest.raises(InvalidRequestError) as refused:
            read_request(text, REQUEST_MODELS)
        assert refused.value.number == 7


def test_a_request_becomes_its_typed_model():
    asked = read_request('{"id": 3, "do": "show", "time": 1, "trace": ["A"]}', REQUEST_MODELS)
    assert asked.model_dump() == {"id": 3, "do": "show", "time": 1.0, "frames": 0, "trace": ["A"], "exact": True}


def test_a_long_list_is_refused_before_it_is_parsed(monkeypatch):
    monkeypatch.setattr(requests, "from_json", lambda *_, **__: pytest.fail("it was parsed"))
    for long in ("[" + "0," * 2_500_000 + "0]", "[" * 5_000_000, '["a","' * 800_000, '{"a":' * 1_000_000):
        with pytest.raises(
            InvalidRequestError, match="characters, most of them outside of texts; expected at most 200000"
        ):
            read_request(f'{{"id": 1, "do": "edit", "command": {long}}}', REQUEST_MODELS)


def test_a_long_text_is_accepted():
    text = 'a: "b"\n' * (MAX_STRUCTURE_CHARACTERS // 2)
    assert read_request(json.dumps({"id": 1, "do": "type_text", "text": text}), REQUEST_MODELS).text == text
