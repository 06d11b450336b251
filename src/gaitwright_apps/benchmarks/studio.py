"""Studio: frame rate while a joint of Jansen's leg is dragged, and time from a click to the first preview.

The server runs as with `gaitwright studio` and receives the requests of a page over its socket: a drag is one message with the
new position of a joint; the reply has the changed text, the pose, the foot curve and the numbers. If Playwright and a chromium
are installed, the same is measured in a browser: from the click on a file until its preview is drawn, and previews drawn while
the mouse moves.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gaitwright.mechanisms.catalogue import CATALOGUE
from gaitwright.mechanisms.four_bar import four_bar_chain

MAX_FRAME_MS = 50.0
"""Maximum time of a frame, ms: 20 frames per second."""
DRAG_COUNTS = {"quick": 5, "full": 200}
LEG_FILE, DRAGGED_POINT = "jansen-leg.yaml", "C"
LINKS_FILE = "sixty-links.yaml"


def measure(quick: bool) -> dict[str, Any]:
    drags = DRAG_COUNTS["quick" if quick else "full"]
    with tempfile.TemporaryDirectory(prefix="gaitwright-bench-") as name:
        folder = Path(name)
        CATALOGUE["jansen-leg"].write(folder / LEG_FILE)
        four_bar_chain(30).save(folder / LINKS_FILE)
        with serve_studio(folder) as served:
            details: dict[str, Any] = {"limit_ms": MAX_FRAME_MS, "drags": drags}
            details["leg"] = _measure_drag(served, LEG_FILE, DRAGGED_POINT, drags)
            details["sixty_links"] = _measure_drag(served, LINKS_FILE, "A15", max(drags // 4, 2))
            details["browser"] = _measure_in_browser(served, drags)
    return details


class StudioAddress(NamedTuple):
    """Port and token of a studio server."""

    port: int
    token: str

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/?token={self.token}"


@contextmanager
def serve_studio(folder: Path) -> Iterator[StudioAddress]:
    """Run a studio for a folder in a separate process."""
    command = [sys.executable, "-m", "gaitwright", "studio", str(folder), "--no-browser"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert child.stdout is not None
    try:
        output = []
        for line in child.stdout:
            if match := re.search(r":(\d+)/\?token=(\S+)", line):
                yield StudioAddress(int(match[1]), match[2])
                return
            output.append(line)
        raise RuntimeError(" ".join(output).strip() or "the studio did not start")
    finally:
        child.terminate()
        child.wait(30)


class StudioClient:
    """Client without a browser: sends requests over the socket and waits for the replies."""

    def __init__(self, socket: Any):
        self.socket, self.count = socket, 0

    def ask(self, what: str, **values: Any) -> Any:
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "do": what, **values}))
        while (answer := json.loads(self.socket.recv())).get("id") != self.count:
            pass  # news
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["answer"]


@contextmanager
def connect_client(served: StudioAddress, file: str) -> Iterator[StudioClient]:
    from websockets.sync.client import connect

    address = f"ws://127.0.0.1:{served.port}/socket?file={file}&token={served.token}"
    headers = {"Origin": f"http://127.0.0.1:{served.port}"}
    with connect(address, additional_headers=headers, max_size=None, compression=None) as socket:
        yield StudioClient(socket)


def _measure_drag(served: StudioAddress, file: str, point: str, drags: int) -> dict[str, Any]:
    """Times of dragging a point along a small circle, ms."""
    times, sizes = [], []
    began = time.perf_counter()
    with connect_client(served, file) as page:
        state = page.ask("state")
        page.ask("show")
        first = time.perf_counter() - began
        x, y = next(entry["at"] for entry in state["points"] if entry["name"] == point)
        version = state["version"]
        for k in range(drags):
            angle = 2 * np.pi * k / drags
            to = [x + 0.005 * float(np.cos(angle)), y + 0.005 * float(np.sin(angle))]
            command = {"do": "move-point", "name": point, "to": to, "lengths": "follow", "drag": "bench"}
            began = time.perf_counter()
            answer = page.ask("drag", command=command, version=version)
            times.append(1e3 * (time.perf_counter() - began))
            version = answer["reply"]["version"]
            sizes.append(len(json.dumps(answer)))
    middle, percentile_95 = (float(np.percentile(times, part)) for part in (50, 95))
    return {
        "first_picture_ms": 1e3 * first,
        "frame_ms": middle,
        "frame_ms_95": percentile_95,
        "frames_per_second": 1e3 / middle,
        "bytes": int(np.median(sizes)),
        "within_limit": percentile_95 <= MAX_FRAME_MS,
    }


def _measure_in_browser(served: StudioAddress, drags: int) -> dict[str, Any]:
    """The same in a headless chromium, if available: the times that a user experiences."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return {"skipped": "Playwright is not installed"}
    if chromium is None:
        return {"skipped": "there is no chromium on this machine"}
    with sync_playwright() as driver:
        options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
        browser = driver.chromium.launch(executable_path=chromium, args=options)
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.goto(served.address)
        link = page.get_by_role("link", name=LEG_FILE)
        link.wait_for()
        began = time.perf_counter()
        link.click()
        page.locator("html[data-ready]").wait_for(state="attached")
        first = time.perf_counter() - began
        box = page.locator(f'[data-point="{DRAGGED_POINT}"] .seen').bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        listen = "studio.model.addEventListener('picture', () => seen.push(performance.now()))"
        page.evaluate(f"() => {{ window.seen = []; {listen}; }}")
        for k in range(drags):
            angle = 2 * np.pi * k / drags
            page.mouse.move(x + 15 * float(np.cos(angle)), y + 15 * float(np.sin(angle)))
        page.wait_for_timeout(200)
        frame_times = np.array(page.evaluate("() => seen"))
        page.mouse.up()
        browser.close()
    intervals = np.diff(frame_times) if frame_times.size > 2 else np.zeros(1)
    return {"first_picture_ms": 1e3 * first, "pictures": int(frame_times.size), "frame_ms": float(np.median(intervals))}
