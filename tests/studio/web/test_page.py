"""Page around the drawing in a real browser: gallery, playback, panels, runs, spatial models, colours, tablet,
keyboard access."""

from __future__ import annotations

import re

import numpy as np
import pytest

from gaitwright.mechanisms import four_bar, four_bar_chain
from gaitwright.mechanisms.catalogue import CATALOGUE
from pages import need_browser
from studio_page import Hands, keep

pytestmark = pytest.mark.slow
need_browser()
pytest.importorskip("uvicorn", reason="needs uvicorn, of the studio extra")


def test_the_gallery_moves_and_opens(visit, served, pictures):
    page = visit(reduced_motion="no-preference", complain=False)  # of the refused name
    card = page.locator('[data-name="four-bar"]')
    card.scroll_into_view_if_needed()
    link = card.locator(".thumb-link").first
    link.wait_for(state="attached")
    seen = set()
    for _ in range(6):
        page.wait_for_timeout(200)
        seen.add(link.get_attribute("d"))
    assert len(seen) > 2, "it moves"
    if pictures:
        page.locator('section[aria-label="Legs"]').evaluate("section => section.scrollIntoView()")
        page.locator('[data-name="walking-machine"] .thumb-link').first.wait_for(state="attached")
        page.wait_for_timeout(1500)
        keep(page.screenshot(), pictures / "studio_gallery.png")
    card.click()
    page.locator("#naming-name").fill("../out")
    page.locator("#naming-go").click()
    page.locator("#naming-problem:not(:empty)").wait_for()
    page.locator("#naming-name").fill("from-gallery")
    page.locator("#naming-go").click()
    page.locator("html[data-ready]").wait_for(state="attached")
    assert (served.folder / "from-gallery.yaml").exists() and not (served.folder.parent / "out.yaml").exists()


def test_play_and_scrub(visit, served):
    four_bar().save(served.folder / "played.yaml")
    hands = Hands(visit("played.yaml"))
    hands.page.locator("#time").evaluate("bar => { bar.value = 0.25; bar.dispatchEvent(new Event('input')); }")
    hands.until(lambda: np.allclose(hands.place("A"), [0.0, 0.1], atol=4e-3))
    hands.page.locator("#play").click()
    hands.until(lambda: hands.page.evaluate("studio.model.time") > 0.3)
    hands.page.locator("#play").click()
    stopped = hands.page.evaluate("studio.model.time")
    hands.page.wait_for_timeout(150)
    assert hands.page.evaluate("studio.model.time") == stopped
    assert np.hypot(*hands.place("A")) == pytest.approx(0.1, rel=1e-3)


def test_fields_parameters_and_help(visit, served):
    CATALOGUE["jansen-leg"].write(served.folder / "fields.yaml")
    hands = Hands(visit("fields.yaml"))
    hands.tab("Parts")
    hands.page.get_by_role("button", name="link 'crank'").last.click()
    field = hands.page.locator('[data-field="mass"]')
    field.fill("0.05")
    field.press("Enter")
    hands.until(lambda: hands.state("elements")[0]["fields"]["mass"] == 0.05)
    hands.page.get_by_role("button", name="What is mass?").click()
    assert "kg" in hands.page.locator(".help-text").inner_text()
    hands.tab("Parameters")
    before = hands.number("step_length")
    hands.page.locator('[aria-label="crank, slider"]').evaluate(
        "bar => { bar.value = 0.09; for (const kind of ['input', 'change']) bar.dispatchEvent(new Event(kind)); }"
    )
    hands.settled()
    assert hands.number("step_length") < 0.95 * before
    hands.page.locator("#undo").click()
    hands.settled()
    assert hands.number("step_length") == pytest.approx(before)


def test_copy_mirror_delete_and_rename(visit, served):
    four_bar().save(served.folder / "copied.yaml")
    hands = Hands(visit("copied.yaml"))
    hands.page.locator("#canvas").focus()
    hands.page.keyboard.press("Control+a")
    hands.page.locator("#mirror").click()
    hands.settled()
    links = [e for e in hands.state("elements") if e["section"] == "links"]
    assert len(links) == 6 and hands.state("problem") is None
    hands.page.locator("#delete").click()
    hands.settled()
    assert len([e for e in hands.state("elements") if e["section"] == "links"]) == 3
    hands.tab("Parts")
    hands.page.get_by_role("button", name=re.compile("^B:")).click()
    hands.page.locator('[data-field="name"]').fill("knee")
    hands.page.locator('[data-field="name"]').press("Enter")
    hands.until(lambda: any(p["name"] == "knee" for p in hands.state("points")))
    assert hands.state("problem") is None and "knee" in hands.page.locator("#layer-names").inner_html()


def test_a_run_with_plots_laid_over_each_other(visit, served, pictures):
    four_bar().save(served.folder / "run.yaml")
    hands = Hands(visit("run.yaml"))
    hands.tab("Runs")
    page = hands.page
    shorter = "async () => Boolean(await studio.model.edit({do: 'set-length', name: 'rocker', length: 0.22}))"
    for count in (1, 2):
        page.locator("#start-run").click()
        hands.until(lambda count=count: page.locator(".run.done").count() == count)
        assert page.evaluate(shorter), page.locator("#notices").inner_text()
    for box in page.locator("section[aria-label=Plots] > .row input[type=checkbox]").all():
        box.check()
    page.get_by_label("Find an output").fill("crank.torque")
    hands.until(lambda: page.locator(".plot .curve").count() == 2)
    shown = [curve.get_attribute("d") for curve in page.locator(".plot .curve").all()]
    assert shown[0] != shown[1], "two models, two curves"
    if pictures:
        page.locator(".plot").last.scroll_into_view_if_needed()
        page.locator(".reading").last.scroll_into_view_if_needed()
        keep(page.screenshot(), pictures / "studio_runs.png")
    with page.expect_download() as loaded:
        page.locator(".run.done").first.get_by_role("button", name="CSV").click()
    assert "crank" in loaded.value.path().read_text()[:4000]
    page.locator(".run.done").first.get_by_role("button", name="Look").click()
    report = page.frame_locator("#report iframe")
    report.locator(".play").first.wait_for()


def test_a_run_is_cancelled(visit, served):
    model = four_bar_chain(20)
    model.save(served.folder / "long.yaml")
    path = served.folder / "long.yaml"
    path.write_text(path.read_text() + "analysis: {type: forward, until: 2000, step: 1.0e-4}\n")
    hands = Hands(visit("long.yaml"))
    hands.tab("Runs")
    hands.page.locator("#start-run").click()
    run = hands.page.locator(".run").first
    hands.until(lambda: run.get_by_role("button", name="Cancel").is_visible())
    run.get_by_role("button", name="Cancel").click()
    hands.until(lambda: "cancelled" in (run.get_attribute("class") or ""))


def test_a_model_in_space_is_shown(visit, served, pictures):
    CATALOGUE["spatial-four-bar"].write(served.folder / "space.yaml")
    page = visit("space.yaml")
    frame = page.frame_locator("#space")
    frame.locator("canvas.picture").wait_for()
    assert not page.locator("#canvas").is_visible()
    if pictures:
        page.wait_for_timeout(1500)
        keep(page.screenshot(), pictures / "studio_space.png")


def test_the_camera_is_kept_after_an_edit(visit, served):
    CATALOGUE["spatial-four-bar"].write(served.folder / "camera.yaml")
    hands = Hands(visit("camera.yaml"))

    def seen():
        frame = next((f for f in hands.page.frames if "/space" in f.url), None)
        try:
            return frame and frame.url, frame and frame.evaluate("player.seenFrom()")
        except Exception:  # the page of the view is being replaced
            return None, None

    hands.page.frame_locator("#space").locator("canvas.picture").wait_for()
    hands.until(lambda: seen()[1])
    box = hands.page.locator("#space").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    hands.page.mouse.move(x, y)
    hands.page.mouse.down()
    hands.page.mouse.move(x + 90, y - 40, steps=4)
    hands.page.mouse.up()
    hands.until(lambda: seen()[1] and not seen()[1]["fitted"])
    before, view = seen()
    assert hands.page.evaluate(
        "async () => Boolean(await studio.model.edit({do: 'set', path: ['gravity'], value: [0, 0, -5]}))"
    )
    hands.until(lambda: seen()[0] not in (None, before) and seen()[1])
    after = seen()[1]
    assert after["at"] == pytest.approx(view["at"], rel=1e-6) and after["to"] == pytest.approx(
        view["to"], rel=1e-6, abs=1e-9
    )


def test_light_and_dark_by_screen_and_by_switch(visit, served):
    four_bar().save(served.folder / "dark.yaml")
    for scheme in ("light", "dark"):
        page = visit("dark.yaml", color_scheme=scheme)

        def brightness(page=page):
            colour = page.evaluate("getComputedStyle(document.querySelector('.top')).backgroundColor")
            return sum(map(int, re.findall(r"\d+", colour)[:3]))

        first = brightness()
        assert (first > 600) == (scheme == "light")
        page.locator("#theme").click()
        assert (brightness() > 600) != (scheme == "light")
        page.reload()
        page.locator("html[data-ready]").wait_for(state="attached")
        assert (brightness() > 600) != (scheme == "light"), "the switch is remembered"


@pytest.mark.parametrize(("width", "height"), [(820, 1180), (1180, 820), (390, 840)])
def test_the_page_fits_on_a_tablet(visit, served, width, height):
    CATALOGUE["jansen-leg"].write(served.folder / "tablet.yaml")
    page = visit("tablet.yaml", viewport={"width": width, "height": height}, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.locator("#canvas").bounding_box()
    assert box["width"] > 0.4 * width and box["height"] > 250
    small = page.evaluate("""() => [...document.querySelectorAll('.top button, .tools button, .tabs button, .play button')]
        .filter((b) => b.offsetParent && b.getBoundingClientRect().height < 36).length""")
    assert small == 0, "a finger hits every button"


FOCUSED = """() => {
    const { id, dataset, tagName } = document.activeElement;
    return id || dataset.tool || (dataset.point ? "point" : dataset.part ? "part" : tagName);
}"""
WANTED = {
    "canvas", "point", "part", "select", "link", "drive", "theme", "play", "time", "text", "save", "lock", "snap", "fit",
}  # fmt: skip
UNNAMED = """() => [...document.querySelectorAll("button, input, select, textarea, [role=button]")]
    .filter((e) => !(e.textContent.trim() || e.getAttribute("aria-label") || e.labels?.length || e.title))
    .map((e) => e.outerHTML)"""


def test_the_keyboard_reaches_everything(visit, served):
    four_bar().save(served.folder / "reach.yaml")
    page = visit("reach.yaml")
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.add(page.evaluate(FOCUSED))
    assert not WANTED - seen
    assert not page.evaluate(UNNAMED)


def test_the_tour_has_five_steps(visit, served):
    four_bar().save(served.folder / "tour.yaml")
    page = visit("tour.yaml")
    page.locator("#tour-button").click()
    for k in range(1, 6):
        assert f"{k} of 5" in page.locator("#tour-title").inner_text()
        page.locator("#tour .primary").click()
    assert not page.locator("#tour").is_visible()


def test_a_foreign_page_gets_no_replies(visit, served, browser):
    """Page of another origin in the same browser: neither pages nor the socket reply to it."""
    page = visit()
    other = page.context.new_page()
    other.goto("data:text/html,<title>foreign</title>")
    port, token = served.guard.port, served.guard.token
    script = """async ([port, token]) => {
        const read = await fetch(`http://127.0.0.1:${port}/api/start?token=${token}`).then((a) => a.status, () => "refused");
        const socket = await new Promise((done) => {
            const line = new WebSocket(`ws://127.0.0.1:${port}/socket?file=reach.yaml&token=${token}`);
            line.onopen = () => done("open"); line.onerror = () => done("refused");
        });
        return [read, socket];
    }"""
    assert other.evaluate(script, [port, token]) == ["refused", "refused"]
    stranger = browser.new_context()
    try:
        answer = stranger.request.get(f"http://127.0.0.1:{port}/?token=wrong")
        assert answer.status == 403 and served.guard.token not in answer.text()
    finally:
        stranger.close()


def test_the_drawing_does_not_move_when_messages_appear(visit, served):
    four_bar().save(served.folder / "steady.yaml")
    hands = Hands(visit("steady.yaml"))
    before = hands.spot(0.0, 0.0)
    height = hands.page.locator("#canvas").bounding_box()["height"]
    wrong = "async () => Boolean(await studio.model.edit({do: 'set-length', name: 'coupler', length: 0.03}))"
    assert hands.page.evaluate(wrong)
    hands.until(lambda: hands.page.locator("#canvas").bounding_box()["height"] < height)
    assert hands.spot(0.0, 0.0) == pytest.approx(before, abs=1.0)
    for tool in ("body", "drive", "contact"):
        hands.tool(tool)
        assert hands.spot(0.0, 0.0) == pytest.approx(before, abs=1.0), tool
