"""A window that cannot be served is closed with the reason; every request gets a reply."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("starlette", reason="needs starlette, of the studio extra")
pytest.importorskip("httpx2", reason="needs httpx2, of the test extra")

from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from gaitwright.mechanisms import four_bar
from gaitwright.studio.server import sessions, websocket
from gaitwright.studio.server.app import create_application
from gaitwright.studio.server.auth import AccessGuard
from gaitwright.studio.server.sessions import Studio

PORT = 4322
HERE, WIRE = f"http://127.0.0.1:{PORT}", f"ws://127.0.0.1:{PORT}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("talk")
    four_bar().save(folder / "leg.yaml")
    return folder


@pytest.fixture(scope="module")
def client(folder):
    guard = AccessGuard(PORT)
    with TestClient(
        create_application(Studio.of(folder, []), guard), base_url=HERE, cookies={guard.cookie: guard.token}
    ) as client:
        yield client


def window(client, file="leg.yaml"):
    return client.websocket_connect(f"{WIRE}/socket?file={file}", headers={"Origin": HERE})


def reply(socket, request):
    socket.send_text(json.dumps(request))
    while "news" in (message := socket.receive_json()):
        pass
    return message


def test_a_failed_sender_closes_its_window_with_the_reason(client, monkeypatch):
    def fail(message):
        raise ZeroDivisionError("raised by the test")

    monkeypatch.setattr(websocket, "encode_message", fail)
    with window(client) as socket:
        socket.send_text('{"id": 1, "do": "state"}')
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
    assert closed.value.code == websocket.FAILED_CLOSE_CODE
    assert closed.value.reason == "a message could not be sent to this window; what was drawn is kept"
    monkeypatch.undo()
    with window(client) as socket:
        assert reply(socket, {"id": 1, "do": "state"})["answer"]["path"] == "leg.yaml"


def test_a_page_that_does_not_read_is_disconnected(client, monkeypatch):
    monkeypatch.setattr(sessions, "MAX_WAITING_MESSAGES", 1)
    with window(client) as socket:
        assert "answer" in reply(socket, {"id": 1, "do": "state"})
        (held,) = client.app.app.state.studio.windows()
        client.portal.call(
            lambda: [held.tell({"news": "changed"}) for _ in range(3)]
        )  # at once: nothing is sent meanwhile
        with pytest.raises(WebSocketDisconnect) as closed:
            while True:
                socket.receive_json()
    assert closed.value.code == websocket.FAILED_CLOSE_CODE and "did not fetch" in closed.value.reason


@pytest.mark.parametrize("value", [".inf", "-.inf", ".nan", "1" + "0" * 400, "0x" + "f" * 20_000])
def test_numbers_outside_json_do_not_close_the_window(client, folder, value):
    text = (folder / "leg.yaml").read_text()
    for wrong in (text.replace("mass: 0.1", f"mass: {value}", 1), f"{text}\nparameters: {{p: {value}}}\n"):
        with window(client) as socket:
            told = reply(socket, {"id": 1, "do": "type_text", "text": wrong})["answer"]["state"]
            assert told["text"] == wrong
            reply(socket, {"id": 2, "do": "show"})
            assert reply(socket, {"id": 3, "do": "state"})["answer"]["text"] == wrong
            assert reply(socket, {"id": 4, "do": "undo"})["answer"]["state"]["text"] == text


def test_binary_messages_get_an_error(client):
    with window(client) as socket:
        socket.send_bytes(b"\xff\x00")
        assert socket.receive_json() == {
            "id": None,
            "error": 'the request is not a text; expected one JSON object such as {"id": 1, "do": "state"}',
            "kind": "bad-request",
        }
        assert "answer" in reply(socket, {"id": 1, "do": "state"})


def test_a_defect_is_reported_without_its_message(client, monkeypatch, caplog):
    def broken(studio, desk):
        raise ZeroDivisionError("secret words")

    monkeypatch.setitem(websocket.HANDLERS, "state", broken)
    with window(client) as socket:
        told = reply(socket, {"id": 1, "do": "state"})
    assert told["kind"] == "defect" and "'state' failed because of a defect in gaitwright" in told["error"]
    assert "secret" not in told["error"] and "ZeroDivision" not in told["error"]
    assert "secret words" in caplog.text, "the terminal has the traceback"


def test_an_unreadable_file_is_refused_with_a_sentence(client, monkeypatch):
    def broken(path):
        raise ZeroDivisionError("secret words")

    monkeypatch.setattr(client.app.app.state.studio.workspace, "open", broken)
    with window(client) as socket:
        told = socket.receive_json()
    assert told["news"] == "refused" and "defect in gaitwright" in told["message"] and "secret" not in told["message"]


NEW_FILES = {
    b"[" * 50_000: "is not valid JSON",
    b'{"path": "\\ud800.yaml"}': "is not valid JSON",
    b'{"path": "a.yaml", "like": 3}': "field 'like': is not a text (got 3)",
    b'{"path": "a.yaml", "lik": "blank"}': "field 'lik': there is no such field (got 'blank'); expected one of path, like",
    b'{"like": "blank"}': "field 'path': is missing; expected a name such as leg.yaml",
    b"\xff\xfe": "is not valid JSON",
    b'"leg.yaml"': "is not a mapping",
    b'{"path": "' + "é".encode() * 390 + b'.yaml"}': "is too long; expected names of at most 240 bytes",
}


@pytest.mark.parametrize("content", NEW_FILES, ids=range(len(NEW_FILES)))
def test_an_invalid_new_file_is_refused_with_a_sentence(client, folder, content):
    before = sorted(folder.iterdir())
    answer = client.post("/api/create", content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400, answer.text
    said = answer.json()["error"]
    assert NEW_FILES[content] in said and "\n" not in said and "Error" not in said
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("length", ["²", "-1", "1e3", "", "9" * 5000])
def test_an_invalid_content_length_is_refused(client, length):
    headers = [(b"content-type", b"application/json"), (b"content-length", length.encode("latin-1"))]
    assert client.post("/api/create", content=b"", headers=headers).status_code == 400


def test_a_defect_of_a_page_is_one_sentence(client, monkeypatch):
    def broken(*given, **options):
        raise ZeroDivisionError("secret words")

    monkeypatch.setattr(client.app.app.state.studio.workspace, "files", broken)
    answer = client.get("/api/start")
    assert answer.status_code == 500 and "defect in gaitwright" in answer.json()["error"]
    assert "secret" not in answer.text
