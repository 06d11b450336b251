"""Fuzz requests of a studio page: each is answered in JSON with a result or a one-sentence error; no drawn element
is lost, and the window continues."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given

pytest.importorskip("starlette", reason="needs starlette, of the studio extra")

from documents import EXAMPLES
from fuzz.mutation import OTHERS, TEXTS, mutated, mutated_text
from fuzz.trial import case, cases, randoms
from gaitwright._core.errors import MAX_MESSAGE_CHARACTERS
from gaitwright.cli.command_schema import describe_analyses
from gaitwright.model.io.files import read_raw_document
from gaitwright.studio.commands import COMMANDS
from gaitwright.studio.journal import replay_journal
from gaitwright.studio.server.encoding import encode_message
from gaitwright.studio.server.handlers import REQUEST_MODELS
from gaitwright.studio.server.sessions import BrowserWindow, Studio
from gaitwright.studio.server.websocket import answer_request

pytestmark = pytest.mark.fuzz

MODELS = ["four_bar", "jansen", "slider_crank", "pendulum", "spatial_slider_crank"]
MESSAGES_PER_SESSION = 20
EDITS: list[dict[str, Any]] = [
    {"do": "add-point", "at": [0.1, 0.2], "ground": True, "name": "N1"},
    {"do": "move-point", "name": "B", "to": [0.27, 0.25], "lengths": "follow", "time": 0.1, "drag": "d1"},
    {"do": "move-point", "name": "A", "to": [0.05, 0.02], "lengths": "keep"},
    {"do": "set-foot", "point": "B", "hip": "A"},
    {"do": "add-link", "from": "A", "to": "B", "points": ["C"], "mass": "0.5 kg", "length": None},
    {"do": "add-body", "points": ["A", "B", "C"], "name": "plate", "mass": 0.2},
    {"do": "add-beam", "from": "A", "to": "B", "fields": {"elements": 4}},
    {"do": "add-slider", "point": "B", "axis": [1.0, 0.0], "type": "slot", "through": [0.1, 0.1], "on": "ground"},
    {"do": "add-slider", "point": "C", "type": "prismatic"},
    {"do": "add-spring", "a": "A", "b": "C", "stiffness": 100, "damping": "2*0.5", "rest_length": 0.1},
    {"do": "add-drive", "body": "crank", "turns_per_second": -0.5},
    {"do": "add-drive", "fields": {"type": "distance", "a": "A", "b": "C", "length": "0.3 + 0.01*t"}, "name": "d"},
    {"do": "add-contact", "point": "B", "line": [[0, -1], [1, -1]]},
    {"do": "add-contact", "point": "B", "level": -0.3, "law": {"type": "hertz", "stiffness": 1e6}, "friction": None},
    {"do": "add-force", "at": "B", "value": [0, "-9.81*sin(t)"], "frame": "ground"},
    {"do": "add-joint", "type": "distance", "a": "A", "b": "C", "fields": {"length": 0.2}},
    {"do": "add-guide", "body": "coupler", "axis": [1, 0.5]},
    {"do": "add-gear", "a": "crank", "b": "rocker", "ratio": "-2"},
    {"do": "add-rack", "rack": "coupler", "pinion": "crank", "radius": 0.05},
    {"do": "add-weld", "a": "crank", "b": "coupler"},
    {"do": "add", "section": "forces", "fields": {"type": "force", "at": "B", "value": [1, 2], "name": "f"}},
    {"do": "set", "path": ["links", 0, "mass"], "value": 0.5},
    {"do": "set", "path": ["points", "B"], "value": [0.2, 0.2]},
    {"do": "set", "path": ["analysis", "until"], "value": None},
    {"do": "set-parameter", "name": "L", "value": "0.24 m", "drag": "slider"},
    {"do": "set-length", "name": "crank", "length": 0.11},
    {"do": "rename", "kind": "point", "name": "B", "to": "B2", "section": None},
    {"do": "rename", "kind": "element", "name": "crank", "to": "k", "section": "links"},
    {"do": "delete", "points": ["C"], "elements": [["links", 0]], "parameters": []},
    {"do": "copy", "by": [0.1, 0], "points": ["B"], "elements": [["links", 1]]},
    {"do": "mirror", "points": ["B"], "elements": [["links", 1]], "line": [[0, 0], [0, 1]]},
    {"do": "mirror", "points": ["B"], "x": 0.1},
    {"do": "all", "commands": [{"do": "add-point", "at": [0, 1]}, {"do": "set-parameter", "name": "p", "value": 1}]},
]
DOCUMENTS: dict[str, Any] = {name: read_raw_document(EXAMPLES / f"{name}.yaml") for name in MODELS}
TEXT = (EXAMPLES / "four_bar.yaml").read_text()
VALID: list[dict[str, Any]] = [
    *({"do": "edit", "command": edit, "version": 0} for edit in EDITS),
    *({"do": "drag", "command": edit, "version": 0, "time": 0.1, "trace": ["B"]} for edit in EDITS[1:3]),
    {"do": "state"},
    {"do": "show", "time": 0.2, "frames": 8, "trace": ["B", "C"], "exact": False},
    {"do": "show", "time": 0, "exact": False, "frames": 0, "trace": None},
    {"do": "pull", "point": "B", "to": [0.3, 0.2], "time": 0.0},
    {"do": "let_go", "keep": True},
    {"do": "type_text", "text": TEXT, "version": 0},
    {"do": "type_text", "text": TEXT.replace("mass", "maas", 1)},
    {"do": "undo"}, {"do": "redo"}, {"do": "take_over"}, {"do": "save", "force": True}, {"do": "autosave", "on": False},
    {"do": "explain", "path": "links.length", "dimension": 3}, {"do": "forms", "dimension": 2}, {"do": "commands"},
    {"do": "start_run", "command": "run", "options": {"until": 0.1}, "others": ["jansen.yaml"], "seconds": 10},
    {"do": "runs"}, {"do": "summary", "run": "0001"}, {"do": "cancel_run", "run": "0001"},
    {"do": "delete_run", "run": "0001"}, {"do": "outputs", "run": "0001"}, {"do": "table", "run": "0001"},
    {"do": "curves", "curves": [{"id": "0001", "name": "crank.angle"}], "against": None}, {"do": "files"},
]  # fmt: skip
EXCEPTION_TEXT = re.compile(
    r"\w(Error|Exception|Warning)\b|Traceback|object at 0x|<class|NoneType|unhashable|not subscriptable|not iterable"
    r"|Input should|pydantic|'(int|float|str|list|dict|tuple|bool)' object|positional argument|unpack|codec|defect in"
    r"|[A-Z][a-z]+[A-Z][a-z]+\("
)
"""Words of Python and of its libraries, which no answer may contain."""


class Session:
    """A studio with one window, as a page has it, without sockets and without processes for runs."""

    def __init__(self, file: str):
        self.home = Path(tempfile.mkdtemp(prefix="gaitwright-fuzz-"))
        for name in MODELS:
            shutil.copy(EXAMPLES / f"{name}.yaml", self.home / f"{name}.yaml")
        self.studio = Studio.of(self.home, describe_analyses())
        self.studio.runs._begin_waiting = lambda: None  # type: ignore[method-assign]
        self.loop = asyncio.new_event_loop()
        self.window: BrowserWindow = self.loop.run_until_complete(self.studio.open(file))
        self.sheet = self.window.desk.sheet

    def ask(self, text: str | None) -> dict[str, Any]:
        """Return the reply that the page gets, after checking the properties common to all replies."""
        before = self.sheet.document.text
        reply = encode_message(self.loop.run_until_complete(answer_request(self.studio, self.window, text)))
        reply_data = json.loads(reply, parse_constant=lambda word: pytest.fail(f"{word} in an answer"))
        assert set(reply_data) in ({"id", "answer"}, {"id", "error", "kind"}), sorted(reply_data)
        if "error" in reply_data:
            sentence = reply_data["error"]
            assert 0 < len(sentence) <= MAX_MESSAGE_CHARACTERS and "\n" not in sentence, (
                f"a message of {len(sentence)} characters"
            )
            assert reply_data["kind"] != "defect", sentence
            match = EXCEPTION_TEXT.search(sentence)
            assert match is None or (text is not None and match.group() in text), sentence
            assert '"drag"' in (text or "") or self.sheet.document.text == before, f"refused, but done: {sentence}"
        kept = self.sheet.saved or replay_journal(self.sheet.journal.path) == self.sheet.document.text
        assert kept, "what is not saved is not in the journal either"
        return reply_data

    def close(self) -> None:
        self.loop.run_until_complete(self.studio.close(self.window))
        self.studio.end()
        self.loop.close()
        shutil.rmtree(self.home, ignore_errors=True)


def message(random: Any, number: int, version: int) -> str:
    """Return a request as a page sends it, mutated or not, or a text that is not a request."""
    request = {"id": number, **random.choice(VALID)}
    if "version" in request and random.randint(0, 5):
        request["version"] = version
    kind = random.randint(0, 9)
    if request["do"] == "type_text" and random.randint(0, 2):
        request["text"] = yaml.safe_dump(mutated(DOCUMENTS[random.choice(MODELS)], random), default_flow_style=None)
    elif kind <= 6:
        request = mutated(request, random, most=2)
        if kind <= 4 and isinstance(request, dict):  # so that most of the mutations get beyond the first check
            request["id"] = number
    text = json.dumps(request)
    if kind == 7:
        text = mutated_text(text, random)
    if kind == 8 and not random.randint(0, 3):
        text = random.choice(
            [*TEXTS, *map(json.dumps, OTHERS), "[" * 5000, '{"id":' * 300, "[" + "0," * 300_000 + "0]"]
        )
    return text


@given(random=randoms)
@cases(20)
def test_a_mutated_request_is_answered(random: Any) -> None:
    session, sent = Session(f"{random.choice(MODELS)}.yaml"), []
    try:
        for number in range(1, MESSAGES_PER_SESSION + 1):
            sent.append(message(random, number, session.sheet.document.version))
            with case("\n".join(sent), ".jsonl"):
                session.ask(sent[-1])
        reply_data = session.ask('{"id": 99, "do": "state"}')
        assert reply_data["id"] == 99 and reply_data["answer"]["text"] == session.sheet.document.text, (
            "the window goes on"
        )
    finally:
        session.close()


def test_the_seeds_are_requests_of_all_verbs_and_commands() -> None:
    """Otherwise every mutation would be refused for the same reason."""
    assert {request["do"] for request in VALID} == set(REQUEST_MODELS)
    assert {edit["do"] for edit in EDITS} == {*COMMANDS, "all"}
    for request in VALID:
        REQUEST_MODELS[request["do"]].model_validate({"id": 1, **request})


def test_most_seeds_are_carried_out() -> None:
    session, done = Session("four_bar.yaml"), 0
    try:
        for number, request in enumerate(VALID):
            if "version" in request:
                request = {**request, "version": session.sheet.document.version}
            done += "answer" in session.ask(json.dumps({"id": number, **request}))
    finally:
        session.close()
    assert done > 0.6 * len(VALID)
