"""Deforming bodies in a real browser: positions and cuts as in Python, colours, legends and controls."""

import io

import numpy as np
import pytest
from PIL import Image

from gaitwright.report.animations.deformable_data import select_stored_nodes
from gaitwright.report.animations.planar_animation import save_planar_html
from gaitwright.report.animations.spatial_animation import save_spatial_html
from gaitwright.report.blocks import Animation
from gaitwright.report.page import Report
from gaitwright.report.renderers.spatial_deformable import cut_tetrahedra
from gaitwright.report.scenes.deformable_body import CutPlane, DeformationDisplay
from made_up_solids import bent, disc, press
from pages import CHROMIUM, DRAWN_BY_SOFTWARE, OPTIONS, clock, need_browser, opened, seek

pytestmark = pytest.mark.slow

playwright = need_browser()
SMALL = {"width": 560, "height": 700}


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=[*OPTIONS, *DRAWN_BY_SOFTWARE])
        yield started
        started.close()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder, ball = tmp_path_factory.mktemp("deforming"), press(6, 9)
    ball.showing = DeformationDisplay(cut=CutPlane("y", 0.004))
    return {
        "ball": save_spatial_html(ball, folder / "ball.html"),
        "bar": save_spatial_html(bent(2, 9), folder / "bar.html"),
        "disc": save_planar_html(disc(5, 9), folder / "disc.html"),
        "report": Report("Solids", blocks=[Animation(bent(2, 9), "bar"), Animation(disc(5, 9), "disc")]).save(
            folder / "r.html"
        )["report"],
    }  # fmt: skip


def ready(page):
    page.wait_for_selector(".unpacked")


def picture(page):
    page.wait_for_timeout(80)
    return np.asarray(Image.open(io.BytesIO(page.locator(".view").first.screenshot())).convert("RGB")).astype(int)


def changed(before, after):
    """Number of pixels that differ."""
    return (np.abs(before - after).max(axis=2) > 25).sum()


def slide(page, what, value):
    page.locator(what).first.evaluate(f"bar => {{ bar.value = {value}; bar.dispatchEvent(new Event('input')); }}")


@pytest.mark.parametrize(
    ("name", "scene", "gain"), [("bar", bent(2, 9), 7.0), ("disc", disc(5, 9), 2.0), ("ball", press(6, 9), 1.0)]
)
def test_nodes_and_values_match_python(browser, files, name, scene, gain):
    """At a stored frame, and between two frames with the same cubic interpolation."""
    body = scene.deforming[0]
    script = f"""async () => {{
      const [body] = await openDeforming(scene.deforming);
      return [[...body.place(0.25, {gain})], [...body.share(0.25, {body.fields[0].name!r})], [...body.place(0.28125, 1)]];
    }}"""
    with opened(browser, files[name], viewport=SMALL) as page:
        ready(page)
        places, shares, between = (np.array(part) for part in page.evaluate(script))
    size, nodes = np.ptp(body.box[0], axis=0).max(), select_stored_nodes(body)
    np.testing.assert_allclose(places.reshape(body.points[0].shape), body.at(2, gain)[nodes], atol=2e-5 * gain * size)
    # A quarter of the way from one frame to the next; these are Catmull-Rom's weights for even frames.
    before, one, two, after = body.points[1:5, nodes]
    wanted = -0.0703125 * before + 0.8671875 * one + 0.2265625 * two - 0.0234375 * after
    np.testing.assert_allclose(between.reshape(wanted.shape), wanted, atol=2e-5 * size)
    assert np.corrcoef(body.fields[0].values[2, nodes], shares)[0, 1] > 0.999


def test_cut_of_the_page_matches_the_picture(browser, files):
    """Area of the section and length of its lines, by marching tetrahedra in both languages."""
    script = """async () => {
      const [body] = await openDeforming(scene.deforming);
      const {points, values, lines} = createCutter(body.cells, body.sides).at(body.place(0.5, 1), null, 1, 0.004, 1);
      return [[...points.array.subarray(0, points.length)], [...lines.array.subarray(0, lines.length)], values.length];
    }"""
    with opened(browser, files["ball"], viewport=SMALL) as page:
        ready(page)
        points, lines, count = page.evaluate(script)
    triangles, ends = np.reshape(points, (-1, 3, 3)), np.reshape(lines, (-1, 2, 3))
    np.testing.assert_allclose(triangles[..., 1], 0.004, atol=1e-8)
    assert count == 3 * len(triangles)
    body = press(6, 9).deforming[0]
    cut = cut_tetrahedra(body.cells, body.points[4][:, 1] - 0.004, body.cell_sides)
    shape = cut.interpolate(body.points[4])
    area = np.linalg.norm(np.cross(shape[:, 2] - shape[:, 0], shape[:, 3] - shape[:, 1]), axis=1).sum() / 2
    sides = (shape - np.roll(shape, -1, axis=1))[cut.drawn]
    one, other = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    assert np.linalg.norm(np.cross(one, other), axis=1).sum() / 2 == pytest.approx(area, rel=1e-4)
    assert np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1).sum() == pytest.approx(
        np.linalg.norm(sides, axis=1).sum(), rel=1e-4
    )


def test_controls(browser, files):
    with opened(browser, files["ball"], viewport=SMALL) as page:
        ready(page)
        seek(page, 0.5)
        last = picture(page)
        legend = page.locator(".colourscale")
        assert "von Mises stress (MPa)" in legend.inner_text() and page.locator(".where").inner_text() == "y = 4 mm"
        for do in (
            lambda: slide(page, ".depth", -0.02),
            lambda: page.locator("select.cut").select_option("x"),
            lambda: page.locator("select.cut").select_option(""),
            lambda: page.locator("select.field").select_option("displacement up"),
            lambda: page.get_by_role("button", name="Mesh").click(),
            lambda: slide(page, ".gain", 0.3),
            lambda: page.get_by_role("button", name="punch", exact=True).click(),
        ):
            do()
            now = picture(page)
            assert changed(last, now) > 400
            last = now
        assert "displacement up (mm)" in legend.inner_text() and page.locator(".times").inner_text() == "×2"
        assert not page.locator(".depth").is_visible()
        page.locator("select.field").select_option("")
        assert not legend.is_visible()


def test_part_before_the_cut_is_removed_from_both_views(browser, files):
    """The section remains visible when the camera moves to the other side."""
    with opened(browser, files["ball"], viewport=SMALL) as page:
        ready(page)
        seek(page, 0.5)
        page.get_by_role("button", name="Mesh").click()
        yellow = []
        for view in ("y", "corner"):
            page.locator(f"[data-view={view}]").click()
            pixels = picture(page)[140:]  # below the legend
            yellow.append(((pixels[..., 0] > 150) & (pixels[..., 1] > 170) & (pixels[..., 2] < 110)).sum())
        box = page.locator(".picture").bounding_box()
        page.mouse.move(box["x"] + 30, box["y"] + 300)
        page.mouse.down()
        page.mouse.move(box["x"] + 30 + box["height"] / 2, box["y"] + 300, steps=4)  # half a turn
        page.mouse.up()
        pixels = picture(page)[140:]
        yellow.append(((pixels[..., 0] > 150) & (pixels[..., 1] > 170) & (pixels[..., 2] < 110)).sum())
        assert min(yellow) > 60


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["ball", "disc", "report"])
def test_phones_and_themes(browser, files, name, scheme):
    with opened(browser, files[name], viewport={"width": 360, "height": 740}, color_scheme=scheme) as page:
        ready(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        box, view = page.locator(".colourscale").first.bounding_box(), page.locator(".view").first.bounding_box()
        assert box["x"] >= view["x"] and box["x"] + box["width"] <= view["x"] + view["width"]
        seek(page, 0.5)
        assert len(np.unique(picture(page).reshape(-1, 3) // 32, axis=0)) > 40, "it is drawn in many colours"


def test_a_disc_of_the_plane_moves_and_is_coloured(browser, files):
    with opened(browser, files["disc"], viewport=SMALL) as page:
        ready(page)
        page.get_by_role("button", name="Follow").click()  # the picture is fixed, and the disc moves
        columns = []
        for t in (0.0, 1.0):
            seek(page, t)
            pixels = picture(page)
            blue = (pixels[..., 2] > 130) & (pixels[..., 0] < 60) & (np.arange(len(pixels)) > 150)[:, None]
            columns.append(np.nonzero(blue)[1].mean())
            assert blue.sum() > 100
        assert columns[1] - columns[0] > 150
        before = picture(page)
        page.locator("select.field").select_option("depth")
        assert changed(before, picture(page)) > 1000
        page.get_by_role("button", name="Names").click()
        slide(page, ".gain", 0.3)
        assert page.locator(".times").inner_text() == "×2"


def test_arrow_keys_move_the_focused_slider_or_the_time(browser, files):
    with opened(browser, files["bar"], viewport=SMALL) as page:
        ready(page)
        page.locator(".gain").focus()
        for _ in range(12):
            page.keyboard.press("ArrowRight")
        assert clock(page) == 0 and page.locator(".times").inner_text() != "×1"
        page.locator(".gain").blur()
        page.keyboard.press("ArrowRight")
        assert clock(page) > 0


def test_browser_without_decompression_shows_a_message(browser, files):
    context = browser.new_context(viewport=SMALL, reduced_motion="reduce")
    context.add_init_script("delete window.DecompressionStream")
    page = context.new_page()
    page.goto(files["disc"].as_uri())
    page.wait_for_selector(".packed")
    assert "too old" in page.locator(".packed").inner_text()
    context.close()
