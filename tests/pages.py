"""Helpers for tests of pages in a real browser: open a page, read its clock, set its time."""

import re
import shutil
import time
from contextlib import contextmanager

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
OPTIONS = [
    "--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
]  # fmt: skip
FLAT = ["--disable-gpu"]
DRAWN_BY_SOFTWARE = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
"""WebGL without a graphics card."""


def need_browser():
    """Return Playwright's entry point, or skip the module if it or chromium is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright, of the test extra")
    if CHROMIUM is None:
        pytest.skip(
            "there is no chromium on this machine; Debian's package is called chromium", allow_module_level=True
        )
    return playwright


@contextmanager
def opened(browser, path, **options):
    """Open the page, which must neither log an error nor request any other address."""
    context = browser.new_context(**{"viewport": {"width": 1200, "height": 900}, "reduced_motion": "reduce", **options})
    page = context.new_page()
    problems, asked = [], []
    page.on("console", lambda message: problems.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    yield page
    context.close()
    assert not problems
    assert {url for url in asked if not url.startswith("data:")} == {path.as_uri()}


def number(text):
    return float(re.search(r"−?[\d.]+(e[−+]?\d+)?", text)[0].replace("−", "-"))


def clock(page):
    return number(page.locator(".clock").first.inner_text())


PATIENCE_S = 60.0
"""Time allowed on a busy machine until an element is shown."""


def wait_until(page, true):
    """Wait for a condition. Playwright's own function evaluates text as script, which the page forbids."""
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end, f"waited for {PATIENCE_S:g} s in vain"
        page.wait_for_timeout(30)


def seek(page, t):
    page.locator(".time").first.evaluate(f"bar => {{ bar.value = {t}; bar.dispatchEvent(new Event('input')); }}")
