"""Text panel in a real browser: typed text is drawn, errors are marked at their line, windows do not overwrite each other, and
edits survive a killed studio."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import pytest

from gaitwright.mechanisms import four_bar
from pages import need_browser
from studio_page import Hands

pytestmark = pytest.mark.slow
need_browser()
pytest.importorskip("uvicorn", reason="needs uvicorn, of the studio extra")


def put(served, name):
    path = served.folder / name
    four_bar().save(path)
    path.write_text("# a comment that stays\n" + path.read_text())
    return path


def type_over(hands, old, new):
    """Change the text like a user."""
    area = hands.page.locator("#text")
    area.fill(area.input_value().replace(old, new, 1))


def test_typed_text_is_drawn_and_saved_with_its_comment(visit, served):
    path = put(served, "typed.yaml")
    hands = Hands(visit("typed.yaml"))
    type_over(hands, "C: [0.3, 0.0]", "C: [0.32, 0.01]  # moved")
    hands.until(lambda: hands.place("C") == [0.32, 0.01])
    hands.until(lambda: "[0.32, 0.01]  # moved" in path.read_text())
    assert path.read_text().startswith("# a comment that stays\n")
    hands.drag("B", 0.01, 0.0)
    text = hands.page.locator("#text").input_value()
    assert text == hands.state("text") and "# moved" in text and "# a comment that stays" in text


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("to: A", "to: nowhere", "nowhere"),
        ("length: 0.1,", "length: -0.1,", "length"),
        ("links:", "links: [", "line"),
    ],
)
def test_an_error_is_marked_at_its_line_and_on_the_canvas(visit, served, old, new, said):
    put(served, "mistake.yaml")
    hands = Hands(visit("mistake.yaml"))
    type_over(hands, old, new)
    hands.until(lambda: hands.page.locator("#problem").is_visible())
    problem = hands.state("problem")
    lines = hands.page.locator("#text").input_value().split("\n")
    assert said in hands.page.locator("#problem").inner_text()
    assert hands.page.locator("#gutter .bad").inner_text() == f"● {problem['line']}"
    assert new in lines[problem["line"] - 1] or problem["kind"] == "yaml"
    assert hands.page.locator("#faults").inner_text().strip()
    if problem["element"]:
        assert hands.page.locator(".part.wrong").count() >= 1
    type_over(hands, new, old)
    hands.until(lambda: not hands.page.locator("#problem").is_visible())
    assert hands.page.locator("#gutter .bad").count() == 0
    (served.folder / "mistake.yaml").unlink()


def test_two_windows_are_synchronised_and_conflicts_are_reported(visit, served):
    put(served, "twice.yaml")
    first = visit("twice.yaml")
    one, two = Hands(first), Hands(visit("twice.yaml", context=first.context))
    one.drag("B", 0.02, 0.0)
    two.until(lambda: two.state("text") == one.state("text"))
    assert "another window" in two.page.locator("#notices").inner_text()
    # One window types while the other draws: the first is asked, and neither text is lost silently.
    hold = "() => { studio.model.inOrder(() => new Promise((done) => { window.release = done; })); }"
    two.page.evaluate(hold)
    two.page.locator("#text").fill(two.state("text") + "# mine\n")
    one.page.locator("#undo").click()
    two.until(lambda: two.page.get_by_role("button", name="Take the other").is_visible())
    two.page.get_by_role("button", name="Take the other").click()
    two.page.evaluate("release()")
    two.settled()
    two.until(lambda: two.page.locator("#text").input_value() == one.state("text"))
    assert "# mine" not in one.state("text")


def test_text_for_an_older_version_is_refused(visit, served):
    """If the page has not been notified of the change yet, the server refuses, and the user is asked."""
    put(served, "stale.yaml")
    first = visit("stale.yaml")
    one, two = Hands(first), Hands(visit("stale.yaml", context=first.context))
    two.page.evaluate("() => { studio.model.changedElsewhere = () => {}; }")
    two.page.evaluate("() => { studio.model.inOrder(() => new Promise((done) => { window.release = done; })); }")
    two.page.locator("#text").fill("# mine\n" + two.state("text"))
    one.drag("B", 0.02, 0.0)
    two.page.evaluate("release()")
    two.until(lambda: two.page.get_by_role("button", name="Keep my text").is_visible())
    assert "# mine" not in one.state("text")
    two.page.get_by_role("button", name="Keep my text").click()
    one.until(lambda: "# mine" in one.state("text"))


def test_an_external_change_is_loaded(visit, served):
    path = put(served, "outside.yaml")
    hands = Hands(visit("outside.yaml"))
    path.write_text(path.read_text().replace("C: [0.3, 0.0]", "C: [0.31, 0.02]"))
    hands.until(lambda: hands.place("C") == [0.31, 0.02])
    assert "another program" in hands.page.locator("#notices").inner_text()


def start(folder):
    """Start a separate studio process. Return the process and its address."""
    command = [sys.executable, "-m", "gaitwright", "studio", str(folder), "--no-browser"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in child.stdout:
        if found := re.search(r"http\S+token=\S+", line):
            return child, found[0]
    raise AssertionError(child.stderr.read())


def test_edits_survive_a_studio_killed_during_a_drag(visit, tmp_path):
    path = tmp_path / "kept.yaml"
    four_bar().save(path)
    before = path.read_text()
    child, address = start(tmp_path)
    try:
        hands = Hands(visit("kept.yaml", address=address, complain=False))
        hands.page.locator("#autosave").uncheck()
        hands.drag("B", 0.02, 0.01)
        hands.drag("B", 0.01, 0.01)
        x, y = hands.place("B")
        hands.page.mouse.move(*hands.spot(x, y))
        hands.page.mouse.down()
        hands.page.mouse.move(*hands.spot(x + 0.02, y), steps=4)  # in mid-drag
        hands.settled()
        drawn = hands.state("text")
    finally:
        os.kill(child.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        child.wait(30)
    assert drawn != before and path.read_text() == before
    hands.until(lambda: "does not answer" in hands.page.locator("#notices").inner_text())
    child, address = start(tmp_path)
    try:
        hands = Hands(visit("kept.yaml", address=address, complain=False))
        hands.until(lambda: "ended before this file was saved" in hands.page.locator("#notices").inner_text())
        assert hands.state("text") == drawn
        hands.page.get_by_role("button", name="Keep it").click()
        hands.until(lambda: path.read_text() == drawn)
    finally:
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=30)
    assert child.returncode == 0 and "has ended" in out and "Traceback" not in err
