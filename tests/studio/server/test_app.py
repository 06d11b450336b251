"""Web application with a test client: access, files, size limits, and replies to a window."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("starlette", reason="needs starlette, of the studio extra")
pytest.importorskip("httpx2", reason="needs httpx2, of the test extra")

from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from gaitwright.mechanisms import four_bar
from gaitwright.studio.server.app import MAX_REQUEST_BYTES, create_application
from gaitwright.studio.server.auth import AccessGuard
from gaitwright.studio.server.handlers import CHANGING_REQUESTS, HANDLERS, UNLOCKED_REQUESTS
from gaitwright.studio.server.sessions import Studio

PORT = 4321
HERE, WIRE = f"http://127.0.0.1:{PORT}", f"ws://127.0.0.1:{PORT}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("workspace") / "models"
    folder.mkdir()
    four_bar().save(folder / "leg.yaml")
    four_bar().save(folder.parent / "secret.yaml")
    (folder / "notes.txt").write_text("not a model")
    (folder / "link.yaml").symlink_to(folder.parent / "secret.yaml")
    return folder


@pytest.fixture(scope="module")
def guard():
    return AccessGuard(PORT)


@pytest.fixture(scope="module")
def client(folder, guard):
    app = create_application(Studio.of(folder, []), guard)
    with (
        pytest.MonkeyPatch.context() as patch,
        TestClient(app, base_url=HERE, cookies={guard.cookie: guard.token}) as client,
    ):
        patch.setattr("gaitwright.studio.server.sessions.RUN_POLL_SECONDS", 0.01)
        patch.setattr("gaitwright.studio.server.sessions.FILE_POLL_SECONDS", 0.05)
        yield client


@pytest.fixture(scope="module")
def stranger(client):
    return TestClient(client.app, base_url=HERE)


PAGES = [
    "/",
    "/edit?file=leg.yaml",
    "/static/studio.js",
    "/api/start",
    "/api/thumbnail/four-bar",
    "/run/0001/report.html",
    "/nothing",
]


@pytest.mark.parametrize("page", PAGES)
def test_requests_without_the_token_are_refused(stranger, page):
    for headers in ({}, {"Cookie": "gaitwright-studio-4321=guess"}):
        answer = stranger.get(page, headers=headers)
        assert answer.status_code == 403 and "token" in answer.text


@pytest.mark.parametrize("page", PAGES)
def test_other_pages_are_refused_even_with_the_cookie(client, page):
    assert client.get(page, headers={"Origin": "http://evil.example"}).status_code == 403
    assert client.get(page, headers={"Host": f"evil.example:{PORT}"}).status_code == 421


def test_the_address_sets_the_cookie_once(stranger, guard):
    answer = stranger.get(f"/?token={guard.token}")
    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"]
    assert guard.token in cookie and "HttpOnly" in cookie and "SameSite=Strict" in cookie
    stranger.cookies.clear()


def test_every_reply_forbids_foreign_scripts(client):
    for page in ("/", "/static/studio.css", "/api/start", "/nothing"):
        headers = client.get(page).headers
        assert (
            "script-src 'self'" in headers["content-security-policy"]
            and "unsafe" not in headers["content-security-policy"]
        )
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "name",
    [
        "..%2Fserver%2Fauth.py",
        "%2e%2e%2fauth.py",
        "auth.py",
        "%2e%2e",
        "",
        "three.js",
        "%00studio.js",
        "studio.js%00",
    ],
)
def test_only_files_of_the_page_are_static(client, name):
    assert client.get(f"/static/{name}").status_code == 404


def test_the_start_page_lists_models_and_gallery(client, folder):
    start = client.get("/api/start").json()
    assert [file["path"] for file in start["files"]] == ["leg.yaml"]
    assert start["folder"] == str(folder) and {"jansen-leg", "four-bar"} <= {
        entry["name"] for entry in start["gallery"]
    }
    seen = client.get("/api/thumbnail/four-bar").json()
    assert len(seen["time"]) > 10 and seen["shapes"]
    assert client.get("/api/thumbnail/nothing").status_code == 400


TRICKS = [
    "../secret.yaml", "/etc/passwd", "..", "", "a/../../secret.yaml", "link.yaml", "leg.yaml\0", "notes.txt", "..\\secret.yaml",
    "C:\\x.yaml", ".leg.yaml", "x" * 5000 + ".yaml",
]  # fmt: skip


@pytest.mark.parametrize("name", TRICKS)
def test_paths_outside_the_folder_are_refused(client, name):
    made = client.post("/api/create", json={"path": name})
    assert made.status_code == 400 and made.json()["error"]
    with client.websocket_connect(f"{WIRE}/socket", headers={"Origin": HERE}) as empty:
        assert empty.receive_json()["news"] == "refused"
    from urllib.parse import quote

    with client.websocket_connect(f"{WIRE}/socket?file={quote(name)}", headers={"Origin": HERE}) as socket:
        refused = socket.receive_json()
        assert refused["news"] == "refused" and "secret" not in refused["message"].replace(name, "")


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"{}", "application/json"),
        (b"[]", "application/json"),
        (b"no json", "application/json"),
        (b'{"path": 3}', "application/json"),
        (b'{"path": "a.yaml", "like": 3}', "application/json"),
        (b'{"path": "a.yaml", "like": "no-such-model"}', "application/json"),
        (b'{"path": "a.yaml"}', "text/plain"),  # as a form of another page could send
        (b'{"path": "leg.yaml"}', "application/json"),  # it exists
        (b'{"path": "' + b"x" * MAX_REQUEST_BYTES + b'"}', "application/json"),
    ],
)
def test_invalid_requests_for_new_files_are_refused(client, folder, content, kind):
    before = sorted(folder.iterdir())
    answer = client.post("/api/create", content=content, headers={"Content-Type": kind})
    assert answer.status_code == 400 and answer.json()["error"]
    assert sorted(folder.iterdir()) == before


def test_missing_runs_are_reported(client):
    for page in (
        "/run/0001/report.html",
        "/run/../x",
        "/run/0001/..%2F..%2Fleg.yaml",
        "/export/0001/html",
        "/view/0001",
        "/export/x/nc",
    ):
        assert client.get(page).status_code in (400, 404)
    assert client.get("/space?file=leg.yaml").status_code == 400


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {},
        {"Origin": HERE, "Cookie": "gaitwright-studio-4321=guess"},
    ],
)
def test_foreign_sockets_are_refused(stranger, guard, headers):
    given = {"Cookie": f"{guard.cookie}={guard.token}", **headers}
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        stranger.websocket_connect(f"{WIRE}/socket?file=leg.yaml", headers=given),
    ):
        pass
    assert refused.value.code == 4403


class Talk:
    """Window: sends requests and waits for the replies."""

    def __init__(self, socket):
        self.socket, self.count, self.news = socket, 0, []

    def ask(self, what, **values):
        self.count += 1
        self.socket.send_text(json.dumps({"id": self.count, "do": what, **values}))
        return self.answer(self.count)

    def answer(self, number):
        while (message := self.socket.receive_json()).get("id", "news") != number:
            self.news.append(message)
        return message

    def heard(self, what):
        while not any(message["news"] == what for message in self.news):
            self.news.append(self.socket.receive_json())
        return next(message for message in self.news if message["news"] == what)


@pytest.fixture
def window(client, folder, request):
    """Window with its own file: unsaved changes of another test would be a conflict."""
    file = f"{abs(hash(request.node.name))}.yaml"
    four_bar().save(folder / file)
    with client.websocket_connect(f"{WIRE}/socket?file={file}", headers={"Origin": HERE}) as socket:
        talk = Talk(socket)
        talk.file = file
        yield talk
    (folder / file).unlink()


MOVE = {"do": "move-point", "name": "B", "to": [0.27, 0.25], "lengths": "follow"}


def test_state_preview_edit_and_undo(window):
    state = window.ask("state")["answer"]
    assert state["path"] == window.file and state["problem"] is None
    picture = window.ask("show")["answer"]
    assert picture["closed"] and picture["version"] == state["version"]
    after = window.ask("edit", command=MOVE, version=state["version"])["answer"]
    assert after["state"]["version"] > state["version"] and after["state"]["text"] != state["text"]
    assert window.ask("undo")["answer"]["state"]["text"] == state["text"]


def test_a_drag_returns_patches_and_a_preview(window):
    state = window.ask("state")["answer"]
    text, version = state["text"], state["version"]
    for k in range(3):
        answer = window.ask("drag", command={**MOVE, "to": [0.27 + 0.001 * k, 0.25], "drag": "d"}, version=version)[
            "answer"
        ]
        version = answer["reply"]["version"]
        for start, removed, inserted in answer["reply"]["patches"]:
            text = text[:start] + inserted + text[start + removed :]
        assert answer["picture"]["places"]["B"][0] == pytest.approx([0.27 + 0.001 * k, 0.25], abs=1e-5)
    assert window.ask("state")["answer"]["text"] == text
    assert window.ask("undo")["answer"]["state"]["text"] == state["text"], "one drag is one step"


def test_an_old_version_is_refused_and_other_windows_are_notified(window, client):
    version = window.ask("state")["answer"]["version"]
    with client.websocket_connect(f"{WIRE}/socket?file={window.file}", headers={"Origin": HERE}) as socket:
        other = Talk(socket)
        assert "answer" in other.ask("edit", command=MOVE, version=version)
        refused = window.ask("edit", command=MOVE, version=version)
        assert refused["kind"] == "stale" and "changed" in refused["error"]
        assert window.heard("changed")
        assert "answer" in other.ask("undo")


@pytest.mark.parametrize(
    "message",
    [
        "no json", "[]", "3", "null", '{"id": 1}', '{"do": "state"}', '{"id": 1, "do": "__class__"}',
        '{"id": 1, "do": ["state"]}',
        '{"id": 1, "do": "edit"}', '{"id": 1, "do": "edit", "command": 3}',
        '{"id": 1, "do": "edit", "command": {"do": "nothing"}}',
        '{"id": 1, "do": "edit", "command": {"do": "move-point", "name": "B", "to": ["a", null]}}',
        '{"id": 1, "do": "show", "time": "soon"}', '{"id": 1, "do": "pull"}',
        '{"id": 1, "do": "type_text", "text": 3}', '{"id": 1, "do": "start_run", "command": "rm", "options": {}}',
        '{"id": 1, "do": "outputs", "run": "../.."}', '{"id": 1, "do": "curves", "curves": [{"id": "x", "name": "y"}]}',
        '{"id": 1, "do": "explain", "path": "links.nothing"}', '{"id": 1, "do": "cancel_run", "run": {}}',
    ],
)  # fmt: skip
def test_invalid_messages_get_an_error_sentence(window, message):
    window.socket.send_text(message)
    while "news" in (answer := window.socket.receive_json()):
        pass
    assert answer["error"] and "Traceback" not in answer["error"]
    assert window.ask("state")["answer"]["problem"] is None, "and the window goes on"


def test_a_text_that_is_too_long_is_refused(window, monkeypatch):
    monkeypatch.setattr("gaitwright.studio.server.requests.MAX_TEXT_CHARACTERS", 1000)
    refused = window.ask("type_text", text="#" * 1001)
    assert "has 1001 characters; expected at most 1000" in refused["error"]


def test_an_invalid_text_is_kept_and_its_line_reported(window):
    text = window.ask("state")["answer"]["text"]
    answer = window.ask("type_text", text=text.replace("to: A", "to: nowhere", 1))["answer"]
    assert answer["state"]["problem"]["line"] == 1 + answer["state"]["text"].split("nowhere")[0].count("\n")
    assert "must be mended" in window.ask("start_run", command="run", options={})["error"]
    assert window.ask("undo")["answer"]["state"]["problem"] is None


def test_edits_are_autosaved_unless_disabled(window, folder):
    version = window.ask("state")["answer"]["version"]
    after = window.ask("edit", command=MOVE, version=version)["answer"]["state"]["text"]
    window.heard("saved")
    assert (folder / window.file).read_text() == after
    window.ask("autosave", on=False)
    window.ask("undo")
    assert window.ask("state")["answer"]["autosave"] is False
    assert (folder / window.file).read_text() == after
    assert "answer" in window.ask("save") and (folder / window.file).read_text() != after


def test_an_external_change_of_the_file_is_loaded(window, folder):
    window.ask("state")
    path = folder / window.file
    path.write_text(path.read_text().replace("C: [0.3, 0.0]", "C: [0.31, 0.0]"))
    assert window.heard("outside")["changed"] == "outside"
    assert "0.31" in window.ask("state")["answer"]["text"]


def test_help_forms_and_commands_are_returned(window):
    assert window.ask("explain", path="links.length")["answer"]["unit"] == "m"
    assert window.ask("forms")["answer"]["links"]
    assert window.ask("commands")["answer"] == []
    assert {"leg.yaml", window.file} <= {file["path"] for file in window.ask("files")["answer"]}
    assert window.ask("runs")["answer"] == []


def test_the_table_of_verbs_is_consistent():
    assert set(HANDLERS) >= UNLOCKED_REQUESTS | CHANGING_REQUESTS and not UNLOCKED_REQUESTS & CHANGING_REQUESTS
    assert all(verb.__name__ == name for name, verb in HANDLERS.items())


def test_a_spatial_model_is_a_sandboxed_page(client, folder):
    from gaitwright.mechanisms.catalogue import CATALOGUE

    CATALOGUE["spatial-four-bar"].write(folder / "space.yaml")
    with client.websocket_connect(f"{WIRE}/socket?file=space.yaml", headers={"Origin": HERE}) as socket:
        assert Talk(socket).ask("state")["answer"]["dimension"] == 3
        answer = client.get("/space?file=space.yaml")
    assert answer.status_code == 200 and "sandbox allow-scripts" in answer.headers["content-security-policy"]
    assert "allow-same-origin" not in answer.headers["content-security-policy"]
    (folder / "space.yaml").unlink()


def test_an_unfinished_file_is_saved(client, folder):
    """Points alone are no valid model, but the usual start of a drawing."""
    assert client.post("/api/create", json={"path": "begun.yaml", "like": "blank"}).status_code == 200
    with client.websocket_connect(f"{WIRE}/socket?file=begun.yaml", headers={"Origin": HERE}) as socket:
        talk = Talk(socket)
        after = talk.ask("edit", command={"do": "add-point", "at": [0, 0], "ground": True})["answer"]["state"]
        assert after["problem"]["kind"] == "unfinished"
        talk.heard("saved")
        assert (folder / "begun.yaml").read_text() == after["text"]
    (folder / "begun.yaml").unlink()
