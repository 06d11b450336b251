"""Reports and animations in a real browser: playback, values of the run, phone layout, dark theme and print."""

import re

import numpy as np
import pytest

from gaitwright.mechanisms import four_bar
from gaitwright.report.blocks import Verdicts
from gaitwright.report.page import Report
from pages import CHROMIUM, FLAT, OPTIONS, clock, need_browser, number, opened, seek, wait_until

pytestmark = pytest.mark.slow

playwright = need_browser()


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=[*OPTIONS, *FLAT])
        yield started
        started.close()


@pytest.fixture(scope="module")
def run():
    return four_bar().inverse(1.0, step=0.002)


@pytest.fixture(scope="module")
def report(run, tmp_path_factory):
    return run.report(tmp_path_factory.mktemp("report") / "report.html", names=["crank.torque"], trace=["rocker.B"])[
        "report"
    ]


def torque(page):
    """Value beside the name of the output in its chart."""
    return number(page.locator(".chart", has_text="crank.torque").first.locator("output, .value").first.inner_text())


def test_the_animation_plays_and_stops(browser, report):
    with opened(browser, report) as page:
        assert clock(page) == 0
        page.locator(".play").click()
        wait_until(page, lambda: clock(page) > 0.05)
        page.locator(".play").click()
        stopped = clock(page)
        page.wait_for_timeout(150)
        assert clock(page) == stopped > 0
        assert page.locator(".play").get_attribute("aria-label") == "Play"


def test_animation_starts_unless_reduced_motion_is_set(browser, report):
    with opened(browser, report, reduced_motion="no-preference") as page:
        wait_until(page, lambda: clock(page) > 0.05)


@pytest.mark.parametrize("t", [0.0, 0.25, 0.618, 1.0])
def test_displayed_value_matches_the_run(browser, report, run, t):
    with opened(browser, report) as page:
        seek(page, t)
        assert clock(page) == pytest.approx(t, abs=5e-4)
        assert torque(page) == pytest.approx(float(np.interp(t, run.time, run.array("crank.torque"))), rel=6e-4)


def test_click_on_a_chart_sets_the_time(browser, report, run):
    with opened(browser, report) as page:
        box = page.locator(".timed .plot").first.bounding_box()
        page.mouse.click(box["x"] + 0.6 * box["width"], box["y"] + 0.4 * box["height"])
        went = clock(page)
        assert 0.35 < went < 0.75
        # The clock has three digits, and the torque changes between them.
        slope = np.abs(np.gradient(run.array("crank.torque"), run.time)).max()
        now = float(np.interp(went, run.time, run.array("crank.torque")))
        assert torque(page) == pytest.approx(now, abs=5e-4 * slope + 6e-4 * abs(now))


def test_dot_moves_along_the_path_of_a_point(browser, report, run):
    with opened(browser, report) as page:
        places = []
        for t in (0.1, 0.4, 0.7):
            seek(page, t)
            dot = page.locator(".chart", has_text="Curve of the foot").locator(".here").first
            places.append([float(dot.get_attribute(name)) for name in ("cx", "cy")])
        world = np.array(
            [[np.interp(t, run.time, run.array(f"rocker.B.{axis}")) for axis in "xy"] for t in (0.1, 0.4, 0.7)]
        )
        moved, seen = np.diff(world, axis=0), np.diff(places, axis=0)
        scale = np.hypot(*seen[0]) / np.hypot(*moved[0])  # the same scale in both directions, with y downwards
        np.testing.assert_allclose(seen, moved * scale * (1, -1), atol=0.01 * np.abs(seen).max())


@pytest.mark.parametrize("width", [360, 768, 1200])
def test_no_horizontal_overflow(browser, report, width):
    with opened(browser, report, viewport={"width": width, "height": 780}) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator(".plot").first.bounding_box()["width"] <= width


def test_dark_and_light(browser, report):
    seen = {}
    for scheme in ("light", "dark"):
        with opened(browser, report, color_scheme=scheme) as page:
            script = "[document.body, document.querySelector('.plot text')].map(e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).fill])"  # noqa: E501
            (ground, _), (_, ink) = page.evaluate(script)
            seen[scheme] = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in (ground, ink)]
    assert seen["light"][0] > 600 > 200 > seen["dark"][0], "the page"
    assert seen["light"][1] < seen["dark"][1], "numbers of a chart"


def test_page_can_be_printed(browser, report):
    with opened(browser, report, color_scheme="dark") as page:
        paper = page.pdf(format="A4", print_background=True)
        assert paper.startswith(b"%PDF") and 2 <= len(re.findall(rb"/Type\s*/Page\b", paper)) <= 12
        page.emulate_media(media="print")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert not page.locator(".bar").is_visible() and page.locator(".plot").first.is_visible()


def test_the_model_can_be_unfolded_and_copied(browser, report):
    with opened(browser, report, permissions=["clipboard-read", "clipboard-write"]) as page:
        model = page.locator("details.code")
        assert not model.locator("pre").is_visible()
        model.locator("summary").click()
        model.locator(".copy").click()
        wait_until(page, lambda: model.locator(".copy").inner_text() == "Copied")
        assert page.evaluate("navigator.clipboard.readText()") == model.locator("pre").text_content()
        assert "gaitwright: 1" in model.locator("pre").inner_text()


def test_verdicts_are_filtered(browser, tmp_path):
    names = ["pass"] * 3 + ["fail"] + ["not-reproducible"] * 2
    checks = [
        {
            "id": f"n{k}",
            "quantity": f"thing {k}",
            "published": 1.0,
            "computed": 1.0,
            "unit": "m",
            "verdict": v,
            "why": "so",
        }
        for k, v in enumerate(names)
    ]
    path = Report("verdicts", "", [Verdicts("v", checks)]).save(tmp_path / "v.html")["report"]
    with opened(browser, path) as page:
        rows = page.locator("tbody tr:visible")
        assert rows.count() == 6
        page.get_by_role("button", name="not-reproducible").click()
        assert rows.count() == 2 and "thing 4" in rows.first.inner_text()
        page.get_by_role("button", name="all").click()
        page.get_by_role("searchbox").fill("THING 3")
        assert rows.count() == 1 and "fail" in rows.first.inner_text()
        page.get_by_role("searchbox").fill("nothing like it")
        assert rows.count() == 0 and page.locator(".nothing").is_visible()


@pytest.mark.slow
def test_page_of_a_single_animation(browser, run, tmp_path):
    path = run.animate(tmp_path / "a.html", trace=["rocker.B"], signals=["crank.torque"])
    with opened(browser, path) as page:
        seek(page, 0.5)
        assert torque(page) == pytest.approx(float(np.interp(0.5, run.time, run.array("crank.torque"))), rel=6e-4)
        page.keyboard.press("Space")
        wait_until(page, lambda: clock(page) > 0.55)
