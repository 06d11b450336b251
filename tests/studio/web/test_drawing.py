"""Drawing in a real browser: a driven four-bar by mouse from a blank file, drags, undo, open loops."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.mechanisms import four_bar
from gaitwright.mechanisms.catalogue import CATALOGUE
from gaitwright.physics.declarations import Joint
from gaitwright.studio.live_preview import draw_picture
from pages import need_browser
from studio_page import Hands

pytestmark = pytest.mark.slow
need_browser()
pytest.importorskip("uvicorn", reason="needs uvicorn, of the studio extra")


def model_of(served, file):
    return gw.load(served.folder / file)


def test_a_driven_four_bar_is_drawn_by_mouse(visit, served):
    page = visit()
    page.locator("#blank").click()
    page.locator("#naming-name").fill("drawn.yaml")
    page.locator("#naming-go").click()
    page.locator("html[data-ready]").wait_for(state="attached")
    hands = Hands(page)
    hands.tool("ground")
    hands.click(0.0, 0.0)
    hands.click(0.3, 0.0)
    hands.tool("link")
    for ends in ([(0.0, 0.0), (0.1, 0.0)], [(0.1, 0.0), (0.26, 0.24)], [(0.3, 0.0), (0.26, 0.24)]):
        for place in ends:
            hands.click(*place)
    hands.tool("drive")
    hands.click(0.06, 0.0)
    assert hands.state("problem") is None
    assert [element["section"] for element in hands.state("elements")] == ["links"] * 3 + ["drives"]
    assert hands.picture("closed") and hands.picture("freedom") == 0
    hands.until(lambda: hands.state("saved"))
    run = model_of(served, "drawn.yaml").inverse(1.0, step=1 / 360)
    drive = run.document["links"][0]["name"]
    assert hands.number(f"{drive}.torque") == pytest.approx(np.abs(run.array(f"{drive}.torque")).max(), rel=1e-3)
    assert hands.number(f"{drive}.energy") == pytest.approx(run.drive_work(drive)["absolute"], rel=1e-3)


def test_drag_undo_fifty_steps_and_redo(visit, served):
    CATALOGUE["jansen-leg"].write(served.folder / "undone.yaml")
    hands = Hands(visit("undone.yaml"))
    before, curve = hands.state("text"), hands.picture("traces")[0]["points"]
    hands.drag("C", 0.02, 0.01)
    assert hands.picture("traces")[0]["points"] != curve, "the foot curve follows"
    for k in range(49):
        way = 0.002 if k % 2 else -0.002
        assert hands.page.evaluate(
            "async ([x, y]) => Boolean(await studio.model.edit({do: 'move-point', name: 'C', to: [x, y], lengths: 'follow'}))",
            [hands.place("C")[0] + way, hands.place("C")[1]],
        )
    after = hands.state("text")
    assert after != before
    for _ in range(50):
        hands.page.keyboard.press("Control+z")
    hands.settled()
    assert hands.state("text") == before and not hands.state("can_undo")
    assert hands.page.locator("#undo").is_disabled()
    for _ in range(50):
        hands.page.keyboard.press("Control+y")
    hands.settled()
    assert hands.state("text") == after and not hands.state("can_redo")


@pytest.mark.parametrize("driven", [True, False])
def test_locked_lengths_follow_the_hand(visit, served, driven):
    """A drive turns with the hand, so that only the time changes; without a drive, the new pose is drawn."""
    file = f"locked-{driven}.yaml"
    four_bar(speed=6.283185307179586 if driven else None).save(served.folder / file)
    hands = Hands(visit(file))
    lengths = [link["fields"]["length"] for link in hands.state("elements") if link["section"] == "links"]
    hands.page.locator("#lock").check()
    hands.drag("A", -0.03, 0.07)
    x, y = hands.place("A")
    assert np.hypot(x, y) == pytest.approx(0.1, abs=1e-4), "on its circle"
    assert np.degrees(np.arctan2(y, x)) == pytest.approx(45.0, abs=2.0)
    assert [e["fields"]["length"] for e in hands.state("elements") if e["section"] == "links"] == lengths
    assert hands.state("can_undo") is not driven
    if driven:
        assert hands.page.evaluate("studio.model.time") == pytest.approx(1 / 8, abs=0.01)
    else:
        hands.page.keyboard.press("Control+z")
        hands.settled()
        assert not hands.state("can_undo"), "the whole pull is one step"
        assert hands.place("A") == pytest.approx([0.1, 0.0], abs=1e-6)


def test_a_wrong_length_is_red_with_millimetres(visit, served):
    four_bar().save(served.folder / "open.yaml")
    hands = Hands(visit("open.yaml"))
    assert hands.page.locator("#layer-faults .gap").count() == 0
    done = hands.page.evaluate(
        "async () => Boolean(await studio.model.edit({do: 'set-length', name: 'coupler', length: 0.03}))"
    )
    assert done
    hands.until(lambda: hands.page.locator("#layer-faults .gap").count() > 0)
    said = hands.page.locator(".gap-text").first.text_content()
    gap = hands.picture("gaps")[0]
    assert said.endswith("mm") and float(said.removesuffix(" mm")) == pytest.approx(gap["mm"], rel=0.01)
    assert gap["mm"] > 10.0 and hands.page.locator(".part.wrong").count() >= 1
    shown = [
        hands.page.evaluate(f"getComputedStyle(document.querySelector('{s}')).stroke")
        for s in (".gap", ".part.wrong .seen")
    ]
    assert set(shown) == {"rgb(200, 16, 46)"}
    hands.page.locator("#undo").click()
    hands.settled()
    assert hands.page.locator("#layer-faults .gap").count() == 0


TOOLS = {
    # tool: clicks in metres, section and type of the new element
    "spring": ([(0.1, 0.0), (0.3, 0.0)], "forces", "spring-damper"),
    "beam": ([(0.3, 0.0), (0.36, 0.12)], "beams", None),
    "body": ([(0.1, 0.0), (0.06, 0.12), (0.14, 0.16)], "links", None),
    "slider": ([(0.4, 0.1), (0.46, 0.1)], "joints", "slot"),
    "force": ([(0.1, 0.0), (0.1, -0.1)], "forces", "force"),
    "contact": ([(0.1, 0.0), (0.2, -0.16)], "contacts", None),
}


@pytest.mark.parametrize("tool", TOOLS)
def test_every_tool_creates_its_element(visit, served, tool):
    clicks, section, kind = TOOLS[tool]
    four_bar().save(served.folder / f"tool-{tool}.yaml")
    hands = Hands(visit(f"tool-{tool}.yaml"))
    before = [e for e in hands.state("elements") if e["section"] == section]
    hands.page.locator("#farther").click(click_count=3)
    hands.tool(tool)
    for place in clicks:
        hands.click(*place)
    if tool == "body":
        hands.page.locator("#canvas").focus()
        hands.page.keyboard.press("Enter")
        hands.settled()
    made = [e for e in hands.state("elements") if e["section"] == section]
    assert len(made) == len(before) + 1 and (kind is None or made[-1]["type"] == kind)
    hands.page.keyboard.press("Control+z")
    hands.settled()
    assert not hands.state("can_undo"), "new points and the part are one step"


def test_drawing_by_keyboard(visit, served):
    (served.folder / "keys.yaml").write_text("gaitwright: 1\nname: keys\n")
    hands = Hands(visit("keys.yaml"))
    press = hands.page.keyboard.press
    press("g")
    press("ArrowRight"), press("Enter")
    hands.settled()
    press("l")
    press("Enter")
    for _ in range(4):
        press("ArrowUp")
    press("Enter")
    hands.settled()
    points, elements = hands.state("points"), hands.state("elements")
    assert [point["ground"] for point in points].count(True) == 1 and len(points) == 2
    assert [element["section"] for element in elements] == ["links"]
    press("Escape")
    hands.page.locator("#canvas").focus()
    press("Tab"), press("Enter")
    assert hands.page.locator("#canvas .chosen").count() == 1
    press("Delete")
    hands.settled()
    assert len(hands.state("points")) + len(hands.state("elements")) < 3


def test_a_finger_drags_and_two_zoom(visit, served):
    four_bar().save(served.folder / "touch.yaml")
    page = visit("touch.yaml", has_touch=True, viewport={"width": 900, "height": 1100})
    hands = Hands(page)
    x, y = hands.spot(*hands.place("B"))
    scale = page.evaluate("studio.view.scale")
    script = """([kind, id, x, y]) => document.getElementById("canvas").dispatchEvent(new PointerEvent(kind, {
        pointerId: id, pointerType: "touch", clientX: x, clientY: y, bubbles: true, isPrimary: id === 1}))"""
    page.evaluate("document.getElementById('canvas').setPointerCapture = () => {}")
    start = hands.place("B")
    for what in (
        ["pointerdown", 1, x, y],
        ["pointermove", 1, x + 20, y - 10],
        ["pointermove", 1, x + 30, y - 20],
        ["pointerup", 1, x + 30, y - 20],
    ):
        page.evaluate(script, what)
    hands.settled()
    assert np.hypot(*np.subtract(hands.place("B"), start)) > 0.005
    for what in (
        ["pointerdown", 1, 300, 500],
        ["pointerdown", 2, 400, 500],
        ["pointermove", 2, 500, 500],
        ["pointerup", 2, 500, 500],
        ["pointerup", 1, 300, 500],
    ):
        page.evaluate(script, what)
    assert page.evaluate("studio.view.scale") > 1.5 * scale


MIDDLE = """name => {
    const element = studio.model.state.elements.find((e) => e.section === "links" && e.name === name);
    const [a, b] = element.points.slice(0, 2).map((point) => studio.model.place(point));
    return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
}"""
CHOSEN = """() => {
    const { points, parts } = studio.model.chosen;
    return [...points, ...[...parts].map((key) => studio.model.element(key).name)];
}"""


def chosen(hands):
    return hands.page.evaluate(CHOSEN)


@pytest.mark.parametrize("leg", ["klann-leg", "jansen-leg"])
def test_a_click_selects_the_nearest_link(visit, served, leg):
    """Each link is clicked at its middle and, if close to others, in the first tenth of its length."""
    CATALOGUE[leg].write(served.folder / f"near-{leg}.yaml")
    hands = Hands(visit(f"near-{leg}.yaml"))
    hands.page.locator("#fit").click()
    for element in hands.state("elements"):
        if element["section"] == "links":
            hands.click(*hands.page.evaluate(MIDDLE, element["name"]))
            assert chosen(hands) == [element["name"]]


def test_points_come_before_links_and_clicks_at_one_place_cycle(visit, served):
    four_bar().save(served.folder / "cycle.yaml")
    hands = Hands(visit("cycle.yaml"))
    x, y = hands.spot(*hands.place("B"))
    seen = []
    for _ in range(4):
        hands.page.mouse.click(x, y)
        hands.settled()
        seen += chosen(hands)
        hands.page.wait_for_timeout(450)  # longer than a double click
    assert seen[0] == seen[3] == "B" and {*seen[1:3]} == {"coupler", "rocker"}
    assert "1 of 3 here" in hands.page.locator("#hint").inner_text()


def test_a_drive_on_a_pivot_drives_its_link_or_is_rejected(visit, served):
    four_bar(speed=None).save(served.folder / "pivot.yaml")
    hands = Hands(visit("pivot.yaml"))
    hands.tool("drive")
    hands.click(*hands.place("B"))
    hands.page.get_by_text("'B' moves").wait_for()
    assert not [e for e in hands.state("elements") if e["section"] == "drives"]
    hands.click(*hands.place("O"))
    assert [e["fields"]["body"] for e in hands.state("elements") if e["section"] == "drives"] == ["crank"]


def test_the_context_menu_is_navigated_by_arrow_keys(visit, served):
    four_bar(speed=None).save(served.folder / "menu.yaml")
    hands = Hands(visit("menu.yaml"))
    page = hands.page
    page.mouse.click(*hands.spot(*page.evaluate(MIDDLE, "rocker")), button="right")
    assert chosen(hands) == ["rocker"] and page.locator("#menu").is_visible()
    assert page.evaluate("document.activeElement.textContent").startswith("Edit")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    hands.settled()
    assert [e["fields"]["body"] for e in hands.state("elements") if e["section"] == "drives"] == ["rocker"]
    page.mouse.click(*hands.spot(0.15, 0.05), button="right")
    page.get_by_role("menuitem", name="Add a ground point here").click()
    hands.settled()
    assert len([p for p in hands.state("points") if p["ground"]]) == 3
    page.locator("#canvas").focus()
    page.keyboard.press("Shift+F10")
    page.keyboard.press("Escape")
    assert not page.locator("#menu").is_visible()


def test_a_double_click_edits_and_so_does_f2(visit, served):
    four_bar().save(served.folder / "edited.yaml")
    hands = Hands(visit("edited.yaml"))
    page = hands.page
    page.mouse.dblclick(*hands.spot(*page.evaluate(MIDDLE, "coupler")))
    field = page.locator('#editor [data-field="length"]')
    assert field.evaluate("field => field === document.activeElement")
    field.fill("0.31")
    field.press("Enter")
    hands.settled()
    assert next(e for e in hands.state("elements") if e["name"] == "coupler")["fields"]["length"] == 0.31
    page.keyboard.press("Escape")
    assert not page.locator("#editor").is_visible()
    hands.click(*hands.place("B"))
    page.keyboard.press("F2")
    name = page.locator('#editor [data-field="name"]')
    name.fill("knee")
    name.press("Enter")
    hands.until(lambda: any(p["name"] == "knee" for p in hands.state("points")))


def test_the_step_of_snapping_follows_the_size_of_a_leg(visit, served):
    CATALOGUE["jansen-leg"].write(served.folder / "snap.yaml")
    hands = Hands(visit("snap.yaml"))
    page = hands.page
    assert "1 mm" in page.locator("#snap-step option:checked").inner_text()
    before = hands.number("step_length")
    hands.drag("C", 0.0004, -0.0004)
    assert hands.number("step_length") == pytest.approx(before, rel=0.02), (
        "the point stays where it was, to a millimetre"
    )
    page.locator("#snap-step").select_option("20")
    hands.drag("C", 0.0, 0.021)
    assert np.allclose(np.remainder(np.array(hands.place("C")) + 1e-9, 0.02), 0.0, atol=1e-6)
    page.locator("#canvas").focus()
    page.keyboard.press("n")
    assert not page.locator("#snap").is_checked()
    hands.drag("C", 0.0133, 0.0)
    assert np.remainder(hands.place("C")[0], 0.02) > 1e-4
    page.locator("#snap-step").select_option("")


JOINTS = {
    # tool: clicks in the middle of links or at points, the type of the joint
    "gear": (["crank", "rocker"], "gear"),
    "rack": (["coupler", "rocker"], "rack"),
    "slot": (["crank", "B"], "slot"),
    "weld": (["crank", "coupler"], "fixed"),
    "rod": (["O", "B"], "distance"),
    "pin": (["A", "B"], "revolute"),
    "guide": (["coupler", (0.3, 0.28)], "prismatic"),
}

WITHOUT_TOOL = {
    "point-on-curve": "its curve is two expressions of s, which clicks cannot give: it is written in the model file",
}


@pytest.mark.parametrize("tool", JOINTS)
def test_every_planar_joint_can_be_drawn(visit, served, tool):
    clicks, kind = JOINTS[tool]
    four_bar(speed=None).save(served.folder / f"joint-{tool}.yaml")
    hands = Hands(visit(f"joint-{tool}.yaml"))
    hands.tool(tool)
    for at in clicks:
        if isinstance(at, str):
            at = hands.place(at) if len(at) < 3 else hands.page.evaluate(MIDDLE, at)
        hands.click(*at)
    joints = [e["type"] for e in hands.state("elements") if e["section"] == "joints"]
    assert kind in joints and hands.state("problem") is None
    assert hands.page.locator("#editor").is_visible() == (tool in ("gear", "rack"))


def test_every_joint_of_the_model_file_has_a_tool(visit, served):
    four_bar(speed=None).save(served.folder / "all-joints.yaml")
    hands = Hands(visit("all-joints.yaml"))
    hands.until(lambda: hands.page.evaluate("Boolean(studio.model.forms)"))
    offered = hands.page.evaluate("Object.keys(studio.model.forms.joints)")
    library = {kind for kind in offered if Joint.registry[2][kind].__module__.startswith("gaitwright.physics.")}
    assert library == {*WITHOUT_TOOL, *(kind for _, kind in JOINTS.values())}


BARS = ["O1-A", "A-B", "B-C", "O2-B", "O3-D", "D-C", "C-F"]
WELDS = [("A-B", "B-C"), ("D-C", "C-F")]


def test_klanns_leg_is_drawn_by_mouse_and_keys(visit, served):
    """From a blank file, to a millimetre: three ground points, seven links, two welds, the drive at its pivot and
    the foot."""
    klann = CATALOGUE["klann-leg"].model()
    seen = draw_picture(klann, {})
    at = {name: rows[0] for name, rows in seen["places"].items()}
    middle = {bar: np.mean([at[end] for end in bar.split("-")], axis=0) for bar in BARS}
    (served.folder / "klann.yaml").write_text("gaitwright: 1\nname: klann\ngravity: [0, -9.81]\n")
    hands = Hands(visit("klann.yaml"))
    mouse, press = hands.page.mouse, hands.page.keyboard.press
    hands.page.locator("#snap-step").select_option("1")
    x, y = hands.spot(0.0, 0.0)
    mouse.move(x, y)
    mouse.down(button="middle")  # shift the paper: the leg is on the left of its crank
    mouse.move(x + 150, y, steps=3)
    mouse.up(button="middle")
    press("g")
    for point in ("O1", "O2", "O3"):
        mouse.click(*hands.spot(*at[point]))
    hands.settled()
    press("l")
    for bar in BARS:
        a, b = bar.split("-")
        mouse.move(*hands.spot(*at[a]))
        mouse.down()
        mouse.move(*hands.spot(*at[b]), steps=4)
        mouse.up()
        hands.settled()
    press("x")
    for pair in WELDS:
        for bar in pair:
            hands.click(*middle[bar])
    press("d")
    hands.click(*at["O1"])
    press("t")
    hands.click(*at["F"])
    hands.until(lambda: hands.picture("traces"))
    assert hands.state("problem") is None and not hands.picture("faults") and hands.picture("freedom") == 0
    drawn, true = (np.array(curve) for curve in (hands.picture("traces")[0]["points"], seen["traces"][0]["points"]))
    for extreme in (np.min, np.max):
        assert extreme(drawn, axis=0) == pytest.approx(extreme(true, axis=0), abs=4e-3)
    assert np.mean(drawn, axis=0) == pytest.approx(np.mean(true, axis=0), abs=4e-3)
