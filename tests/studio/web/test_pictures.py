"""Appearance of the page: desktop, tablet, dark, sixty links, an error. GAITWRIGHT_PICTURES=docs/images writes the pictures of
the documentation."""

from __future__ import annotations

import io

import numpy as np
import pytest

from gaitwright.mechanisms import four_bar_chain
from gaitwright.mechanisms.catalogue import CATALOGUE
from pages import need_browser
from studio_page import Hands, keep

pytestmark = pytest.mark.slow
need_browser()
pytest.importorskip("uvicorn", reason="needs uvicorn, of the studio extra")

DESK, TABLET = {"width": 1400, "height": 860}, {"width": 820, "height": 1180}


def wrong_length(hands):
    assert hands.page.evaluate(
        "async () => Boolean(await studio.model.edit({do: 'set-length', name: 'L4', length: 0.2}))"
    )
    hands.until(lambda: hands.page.locator(".gap").count() > 0)


def wrong_point(hands):
    hands.page.locator("#text").fill(hands.state("text").replace("to: C", "to: Q", 1))
    hands.until(lambda: hands.page.locator("#gutter .bad").count() > 0)


def half_a_turn(hands):
    hands.page.locator("#time").evaluate("bar => { bar.value = 0.62; bar.dispatchEvent(new Event('input')); }")
    hands.until(lambda: hands.page.evaluate("studio.model.frame") > 20)


def double_click(hands):
    middle = hands.page.evaluate("() => studio.drawing.middle('links/5')")
    box = hands.page.locator("#canvas").bounding_box()
    hands.page.mouse.dblclick(box["x"] + middle[0], box["y"] + middle[1])
    hands.page.locator("#editor input").first.wait_for()


SCREENS = {
    "studio": (DESK, "light", half_a_turn),
    "studio_edit": (DESK, "light", double_click),
    "studio_open": (DESK, "dark", wrong_length),
    "studio_mistake": (DESK, "light", wrong_point),
    "studio_tablet": (TABLET, "light", half_a_turn),
}


@pytest.mark.parametrize("name", SCREENS)
def test_screens(visit, served, pictures, name):
    size, scheme, act = SCREENS[name]
    CATALOGUE["jansen-leg"].write(served.folder / f"{name}.yaml")
    hands = Hands(visit(f"{name}.yaml", viewport=size, color_scheme=scheme))
    hands.page.locator("#fit").click()
    act(hands)
    hands.settled()
    seen = pixels(hands.page.locator("#canvas").screenshot())
    ground = seen[2, 2]
    drawn = np.abs(seen.astype(int) - ground).sum(axis=2) > 60
    rows, columns = drawn.any(axis=1).mean(), drawn.any(axis=0).mean()
    assert 0.01 < drawn.mean() < 0.3 and min(rows, columns) > 0.3, "a leg fills the paper"
    assert (int(ground.sum()) > 600) == (scheme == "light")
    if pictures:
        keep(hands.page.screenshot(), pictures / f"{name}.png")


def test_sixty_links_are_fine_lines_and_names_do_not_overlap(visit, served):
    four_bar_chain(30).save(served.folder / "sixty.yaml")
    page = visit("sixty.yaml")
    assert page.locator(".part").count() == 62
    assert page.evaluate("Number(getComputedStyle(studio.view.root).getPropertyValue('--fine'))") < 0.6
    boxes = page.evaluate("""() => [...document.querySelectorAll("#layer-names text")].map((t) => {
        const { left, right, top, bottom } = t.getBoundingClientRect(); return [left, right, top, bottom]; })""")
    assert 5 < len(boxes) < 62
    inner = [(left + 4, right - 4, top + 4, bottom - 4) for left, right, top, bottom in boxes]
    over = [
        (a, b)
        for k, a in enumerate(inner)
        for b in inner[:k]
        if a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]
    ]
    assert not over


def pixels(png):
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))
