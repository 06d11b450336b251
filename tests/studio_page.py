"""Helper that operates the studio page in tests: positions in metres, tools, drags, displayed values."""

from __future__ import annotations

import io

from pages import wait_until


def keep(png, path):
    """Save a screenshot for the documentation as a small file with few colours."""
    from PIL import Image

    Image.open(io.BytesIO(png)).convert("RGB").quantize(
        256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
    ).save(path, optimize=True)


class Hands:
    """Operates the page of one model, with positions in metres."""

    def __init__(self, page):
        self.page = page

    def spot(self, x, y):
        """Return the screen position of a point of the drawing, pixels."""
        script = """([x, y]) => {
            const box = studio.view.root.getBoundingClientRect(), [u, v] = studio.view.toScreen([x, y]);
            return [box.left + u, box.top + v];
        }"""
        u, v = self.page.evaluate(script, [x, y])
        box = self.page.locator("#canvas").bounding_box()
        assert 0 < u - box["x"] < box["width"] and 0 < v - box["y"] < box["height"], f"({x}, {y}) is not in sight"
        return u, v

    def tool(self, name):
        self.page.locator(f'[data-tool="{name}"]').click()

    def click(self, x, y):
        self.page.mouse.click(*self.spot(x, y))
        self.settled()

    def place(self, name):
        """Return the position of a point in the displayed pose, m."""
        return self.page.evaluate("name => studio.model.place(name)", name)

    def drag(self, name, dx, dy, steps=8, locked=False):
        """Drag a point with the mouse by the given distances, m."""
        x, y = self.place(name)
        self.page.mouse.move(*self.spot(x, y))
        self.page.mouse.down()
        self.page.mouse.move(*self.spot(x + dx, y + dy), steps=steps)
        self.page.mouse.up()
        self.settled()

    def state(self, what):
        return self.page.evaluate("what => studio.model.state[what]", what)

    def picture(self, what):
        return self.page.evaluate("what => studio.model.picture[what]", what)

    def settled(self):
        """Wait until all requests between the page and its server are answered."""
        self.page.evaluate("""async () => {
            const { model } = studio;
            for (let k = 0; k < 6; k++) {
                await model.queue; await model.moves.settled(); await model.sliders?.settled();
                await new Promise((done) => setTimeout(done, 15));
                await model.pictures.settled();
            }
        }""")

    def until(self, true):
        wait_until(self.page, true)

    def number(self, name):
        """Return a headline number as displayed on the page, SI."""
        return float(self.page.locator(f'[data-number="{name}"] dd').get_attribute("data-value"))

    def tab(self, name):
        self.page.get_by_role("tab", name=name).click()
