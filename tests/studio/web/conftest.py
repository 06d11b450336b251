"""A running studio server and a browser, shared by all tests of the page."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from pages import CHROMIUM, DRAWN_BY_SOFTWARE, OPTIONS

PATIENCE = 60_000
"""Timeout on a busy machine, ms."""


@pytest.fixture(scope="module")  # not longer: while it is open, no other file of this process can have a browser
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=[*OPTIONS, *DRAWN_BY_SOFTWARE])
        yield started
        started.close()


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """Studio in a thread of this process; its folder is `served.folder`."""
    from gaitwright.cli.command_schema import describe_analyses
    from gaitwright.studio.server.serve import StudioServer

    folder = tmp_path_factory.mktemp("models")
    studio, ready = StudioServer(folder, describe_analyses()), threading.Event()
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
    """Open windows: visit("leg.yaml") shows a file, visit() the start page. Windows must not log errors."""
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
    """Output folder for documentation pictures, if requested: GAITWRIGHT_PICTURES=docs/images."""
    asked = os.environ.get("GAITWRIGHT_PICTURES")
    return Path(asked) if asked else None
