"""The studio: frames a second while a joint of Jansen's leg is dragged, and the time from a click to the first picture.

A server as `gaitwright studio` starts it, asked over its socket as the page asks: a drag is one message with the new place of a
joint, answered with the changed text, the pose, the foot curve and the numbers. Where Playwright and a chromium are installed,
also the same in a browser: from the click on a file until its picture stands there, and pictures drawn while the mouse moves.
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

LIMIT = 50.0
"""ms of a frame: 20 in a second."""
DRAGS = {"quick": 5, "full": 200}
LEG, POINT = "jansen-leg.yaml", "C"
LINKS = "sixty-links.yaml"


def measure(quick: bool) -> dict[str, Any]:
    drags = DRAGS["quick" if quick else "full"]
    with tempfile.TemporaryDirectory(prefix="gaitwright-bench-") as name:
        folder = Path(name)
        CATALOGUE["jansen-leg"].write(folder / LEG)
        four_bar_chain(30).save(folder / LINKS)
        with serving(folder) as served:
            found: dict[str, Any] = {"limit_ms": LIMIT, "drags": drags}
            found["leg"] = _dragged(served, LEG, POINT, drags)
            found["sixty_links"] = _dragged(served, LINKS, "A15", max(drags // 4, 2))
            found["browser"] = _in_browser(served, drags)
    return found


class Served(NamedTuple):
    """Where a studio listens, and the token that it asks for."""

    port: int
    token: str

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/?token={self.token}"


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    """A studio for a folder, in a process of its own."""
    command = [sys.executable, "-m", "gaitwright", "studio", str(folder), "--no-browser"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert child.stdout is not None
    try:
        said = []
        for line in child.stdout:
            if found := re.search(r":(\d+)/\?token=(\S+)", line):
                yield Served(int(found[1]), found[2])
                return
            said.append(line)
        raise RuntimeError(" ".join(said).strip() or "the studio did not start")
    finally:
        child.terminate()
        child.wait(30)


class Asking:
    """A page without a browser: asks over the socket and waits for the answer."""

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
def asking(served: Served, file: str) -> Iterator[Asking]:
    from websockets.sync.client import connect

    address = f"ws://127.0.0.1:{served.port}/socket?file={file}&token={served.token}"
    headers = {"Origin": f"http://127.0.0.1:{served.port}"}
    with connect(address, additional_headers=headers, max_size=None, compression=None) as socket:
        yield Asking(socket)


def _dragged(served: Served, file: str, point: str, drags: int) -> dict[str, Any]:
    """Times of dragging a point along a small circle. ms."""
    times, sizes = [], []
    began = time.perf_counter()
    with asking(served, file) as page:
        state = page.ask("state")
        page.ask("show")
        first = time.perf_counter() - began
        x, y = next(one["at"] for one in state["points"] if one["name"] == point)
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
    middle, most = (float(np.percentile(times, part)) for part in (50, 95))
    return {
        "first_picture_ms": 1e3 * first,
        "frame_ms": middle,
        "frame_ms_95": most,
        "frames_per_second": 1e3 / middle,
        "bytes": int(np.median(sizes)),
        "within_limit": most <= LIMIT,
    }


def _in_browser(served: Served, drags: int) -> dict[str, Any]:
    """The same in a headless chromium, if there is one: what a person sees."""
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
        link = page.get_by_role("link", name=LEG)
        link.wait_for()
        began = time.perf_counter()
        link.click()
        page.locator("html[data-ready]").wait_for(state="attached")
        first = time.perf_counter() - began
        box = page.locator(f'[data-point="{POINT}"] .seen').bounding_box()
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
        seen = np.array(page.evaluate("() => seen"))
        page.mouse.up()
        browser.close()
    apart = np.diff(seen) if seen.size > 2 else np.zeros(1)
    return {"first_picture_ms": 1e3 * first, "pictures": int(seen.size), "frame_ms": float(np.median(apart))}
