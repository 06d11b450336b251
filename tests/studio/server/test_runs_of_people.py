"""Runs of feet and devices through the server, from the page request to the displayed files."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="needs starlette, of the studio extra")
pytest.importorskip("httpx2", reason="needs httpx2, of the test extra")

from starlette.testclient import TestClient

from gaitwright.cli.command_schema import describe_analyses
from gaitwright.studio.runs import FINAL_STATES
from gaitwright.studio.server.app import create_application
from gaitwright.studio.server.auth import AccessGuard
from gaitwright.studio.server.sessions import Studio

pytestmark = pytest.mark.slow
PORT = 4322
PATIENCE_S = 600.0
DEVICE = Path(__file__).parents[3] / "examples" / "worn_knee_brace.yaml"
ASKED = {
    # command: options, files
    "device": ({"motion": "sit-to-stand", "pad_model": "none"}, ("device.html", "cuffs.csv", "moments.csv")),
    "foot": ({"size": "16mm"}, ("foot.yaml", "foot.html")),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("people")
    (folder / "worn.yaml").write_text(DEVICE.read_text())
    return folder


@pytest.fixture(scope="module")
def client(folder):
    guard = AccessGuard(PORT)
    here = f"http://127.0.0.1:{PORT}"
    app = create_application(Studio.of(folder, describe_analyses()), guard)
    with TestClient(app, base_url=here, cookies={guard.cookie: guard.token}, headers={"Origin": here}) as client:
        yield client


class Page:
    """Studio window: sends requests and waits for the replies, skipping news."""

    def __init__(self, socket):
        self.socket, self.count = socket, 0

    def ask(self, what, **values):
        answer = self.answer(what, **values)
        assert "error" not in answer, answer
        return answer["answer"]

    def answer(self, what, **values):
        self.count += 1
        self.socket.send_text(json.dumps({"id": self.count, "do": what, **values}))
        while (answer := json.loads(self.socket.receive_text())).get("id") != self.count:
            pass
        return answer


@pytest.mark.parametrize("command", ASKED)
def test_a_run_is_started_followed_and_shown(client, folder, command):
    options, files = ASKED[command]
    with client.websocket_connect(f"ws://127.0.0.1:{PORT}/socket?file=worn.yaml") as socket:
        page = Page(socket)
        started = page.ask("start_run", command=command, options=options)
        end = time.monotonic() + PATIENCE_S
        while (run := next(r for r in page.ask("runs") if r["id"] == started["id"]))["state"] not in FINAL_STATES:
            assert time.monotonic() < end, run
            time.sleep(0.2)
        summary = page.ask("summary", run=run["id"])
        assert run["state"] == "done", summary["log"]
        assert summary["summary"]
        names = {file["name"] for file in run["files"]}
        assert set(files) <= names, names
        assert "has no " in page.answer("outputs", run=run["id"])["error"], "its report has the curves"
    for name in sorted(names):
        answer = client.get(f"/run/{run['id']}/{name}")
        assert answer.status_code == 200 and answer.content
    assert client.get(f"/view/{run['id']}").status_code == 200
