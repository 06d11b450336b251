"""A studio that is served, and a browser that looks at it. Shared by all tests of the page."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from pages import CHROMIUM, DRAWN_BY_SOFTWARE, OPTIONS

PATIENCE = 60_000
"""ms that a busy machine may take."""


@pytest.fixture(scope="module")  # not longer: while it is open, no other file of this process can have a browser
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=[*OPTIONS, *DRAWN_BY_SOFTWARE])
        yield started
        started.close()


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """A studio in a thread of this process; its folder is `served.folder`."""
    from gaitwright.commands.offered import offered
    from gaitwright.studio.server.serve import Served

    folder = tmp_path_factory.mktemp("models")
    studio, ready = Served(folder, offered()), threading.Event()
    studio.folder = folder
    thread = threading.Thread(target=studio.run, args=(lambda address: ready.set(),), daemon=True)
    thread.start()
    assert ready.wait(60)
    yield studio
    studio.stop()
    thread.join(30)
    assert not thread.is_alive(), "the studio did not end"


@pytest.fixture
def visit(browser, served, request):
    """Opens windows: visit("leg.yaml") shows a file, visit() the start page. None may complain."""
    contexts, problems = [], []

    def go(file=None, address=served.guard.address, context=None, complain=True, **options):
        if context is None:
            size = {"viewport": {"width": 1400, "height": 900}, "reduced_motion": "reduce"}
            context = browser.new_context(**{**size, **options})
            context.set_default_timeout(PATIENCE)
            contexts.append(context)
        page = context.new_page()
        if complain:
            page.on("pageerror", lambda error: problems.append(str(error)))
            page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        page.goto(address)
        if file is not None:
            page.goto(f"{address.partition('?')[0]}edit?file={file}")
            page.locator("html[data-ready]").wait_for(state="attached")
        return page

    yield go
    for context in contexts:
        context.close()
    assert not problems


@pytest.fixture
def pictures():
    """Where pictures for the documentation go, if they are asked for: GAITWRIGHT_PICTURES=docs/images."""
    asked = os.environ.get("GAITWRIGHT_PICTURES")
    return Path(asked) if asked else None
