"""Spatial player in a real browser: drawing, playback, rotation, link to the charts, and the message without WebGL."""

import io

import numpy as np
import pytest
from PIL import Image

from gaitwright.report.animations.spatial_animation import save_spatial_html
from gaitwright.report.blocks import Animation, Chart, ChartLine
from gaitwright.report.page import Report
from gaitwright.report.scenes.spatial_scene import JointMark, MovingBody, SceneSolid, SpatialScene
from pages import CHROMIUM, DRAWN_BY_SOFTWARE, FLAT, OPTIONS, clock, need_browser, number, opened, seek, wait_until

pytestmark = pytest.mark.slow

playwright = need_browser()
SMALL = {"width": 560, "height": 600}


@pytest.fixture(scope="module")
def driver():
    with playwright.sync_playwright() as started:
        yield started


@pytest.fixture(scope="module")
def browser(driver):
    started = driver.chromium.launch(executable_path=CHROMIUM, args=[*OPTIONS, *DRAWN_BY_SOFTWARE])
    yield started
    started.close()


def ball(n=50):
    """A blue ball that moves along x from -0.3 to 0.3 m in a second, with every other kind of symbol around it."""
    time = np.linspace(0, 1, n)
    path = np.stack([0.6 * time - 0.3, 0 * time, 0 * time], axis=1)
    far = np.tile([0.0, 0.3, 0.0], (n, 1))
    body = MovingBody("ball", path, np.tile([1.0, 0, 0, 0], (n, 1)), [SceneSolid("s", "sphere", (0.08,))])
    block = MovingBody("block", far, np.tile([1.0, 0, 0, 0], (n, 1)), [SceneSolid("b", "box", (0.1, 0.1, 0.1))])
    force = np.where(time[:, None] < 0.5, [0.0, 0.0, 10.0], np.nan)
    return SpatialScene(
        "Ball", time, [body, block], ground=[SceneSolid("plate", "box", (0.9, 0.9, 0.02), at=(0, 0, -0.12))],
        springs={"k": np.stack([far, path], axis=1)}, lines={"rope": np.stack([far, path + np.array([0, 0, 0.1])], axis=1)},
        joints=[JointMark("A", "pin", far, np.tile([0.0, 0, 1], (n, 1))), JointMark("B", "ball", far)],
        traces={"c": path}, forces={"push": (path, force)}, signals={"x": (time, path[:, 0], "m")}, held=True,
    )  # fmt: skip


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    return save_spatial_html(ball(), tmp_path_factory.mktemp("space") / "ball.html")


def picture(page):
    page.wait_for_timeout(60)
    return np.asarray(Image.open(io.BytesIO(page.locator(".picture").screenshot())).convert("RGB")).astype(int)


def place(page):
    """Centre of the blue ball in the picture, (x, y) as fractions of its width and height, and the number of its pixels."""
    pixels = picture(page)
    height, width, _ = pixels.shape
    solid = (pixels[..., 2] - pixels[..., 0] > 80) & (np.abs(pixels[..., 1] - pixels[..., 0]) > 25)
    # The buttons at the top and the controls are excluded.
    rows, columns = np.nonzero(solid[: int(0.9 * height)])
    return np.median(columns) / width, np.median(rows) / height, rows.size


def test_time_moves_the_picture(browser, page_file):
    with opened(browser, page_file, viewport=SMALL) as page:
        page.locator(".traces").click()  # it is blue, too
        page.get_by_label("Look along y").click()
        seen = {}
        for t in (0.0, 0.5, 1.0):
            seek(page, t)
            seen[t] = place(page)
            assert clock(page) == pytest.approx(t)
            assert number(page.locator(".value").inner_text()) == pytest.approx(0.6 * t - 0.3, abs=1e-3)
        assert all(count > 300 for _, _, count in seen.values())
        assert seen[0.5][0] == pytest.approx(0.5, abs=0.02), "x = 0 is in the middle"
        assert 0.5 - seen[0.0][0] == pytest.approx(seen[1.0][0] - 0.5, abs=0.02) and seen[1.0][0] > 0.65
        page.keyboard.press("x")
        assert place(page)[0] == pytest.approx(0.45, abs=0.15), "along x it comes nearer and stays about where it is"
        page.keyboard.press("Home")
        assert clock(page) == 0.0
        page.keyboard.press("Space")
        wait_until(page, lambda: clock(page) > 0.05)


def test_dragging_rotates_the_view_and_a_double_click_resets_it(browser, page_file):
    with opened(browser, page_file, viewport=SMALL) as page:
        before, box = picture(page), page.locator(".picture").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 120, y + 30, steps=4)
        page.mouse.up()
        turned = picture(page)
        page.mouse.wheel(0, -400)
        closer = picture(page)
        page.mouse.dblclick(x, y)
        back = picture(page)
        assert all((np.abs(a - b).max(axis=2) > 30).mean() > 0.02 for a, b in ((before, turned), (turned, closer)))
        assert (np.abs(before - back).max(axis=2) > 30).mean() < 0.002


def test_buttons_toggle_parts(browser, page_file):
    with opened(browser, page_file, viewport=SMALL) as page:
        seek(page, 0.25)
        last = picture(page)
        for button in ("Forces", "Traces", "Names", "Frames", "ball"):
            page.get_by_role("button", name=button, exact=True).click()
            now = picture(page)
            assert (np.abs(now - last).max(axis=2) > 20).sum() > 40, button
            last = now


def test_phone_and_dark(browser, page_file):
    with opened(browser, page_file, viewport={"width": 360, "height": 740}, color_scheme="dark") as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        pixels = picture(page)
        assert np.median(pixels) < 60 and place(page)[2] > 100


def test_charts_follow_the_animation_and_print_shows_a_still_picture(browser, tmp_path):
    scene = ball()
    chart = Chart("Way", [ChartLine("x", scene.time, 0.6 * scene.time - 0.3)], ylabel="x (m)")
    path = Report("Ball", blocks=[Animation(scene), chart]).save(tmp_path / "r.html")["report"]
    with opened(browser, path, viewport=SMALL) as page:
        seek(page, 0.75)
        assert number(page.locator(".legend output").inner_text()) == pytest.approx(0.15, abs=1e-3)
        page.mouse.move(300, 300)
        page.mouse.wheel(0, 200)
        wait_until(page, lambda: page.evaluate("scrollY") > 0)
        page.emulate_media(media="print")
        assert page.locator(".still").is_visible() and not page.locator(".picture").is_visible()
        assert page.locator(".still").evaluate("image => image.naturalWidth") > 500


@pytest.mark.slow
def test_without_webgl_a_message_and_a_still_picture_are_shown(driver, page_file):
    flat = driver.chromium.launch(executable_path=CHROMIUM, args=[*OPTIONS, *FLAT, "--disable-3d-apis"])
    with opened(flat, page_file, viewport=SMALL) as page:
        assert "cannot draw in space" in page.locator(".unseen").inner_text()
        assert page.locator(".still").is_visible() and not page.locator(".zoom").is_visible()
        seek(page, 0.5)
        assert number(page.locator(".value").inner_text()) == pytest.approx(0.0, abs=1e-3)
    flat.close()
