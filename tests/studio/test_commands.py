"""Every command: its effect on a model, undo, redo, and preserved comments."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from gaitwright._core.errors import ModelError
from gaitwright.analysis.start_state import find_start
from gaitwright.model.io.files import load
from gaitwright.model.model import Model
from gaitwright.studio.commands import COMMANDS, describe_commands
from gaitwright.studio.document import StudioDocument

JANSEN = (Path(__file__).parents[2] / "examples" / "jansen.yaml").read_text()
FOUR_BAR = (Path(__file__).parents[2] / "examples" / "four_bar.yaml").read_text()
SLIDER = (Path(__file__).parents[2] / "examples" / "slider_crank.yaml").read_text()
LEG = [["links", k] for k in range(11)]


def near(value):
    """Tolerance of a millionth of the drawing, the precision of written values."""
    return pytest.approx(value, abs=1e-6)


# text, command, expected condition on the data afterwards
DONE = {
    "add-point": (JANSEN, {"at": [1, 2]}, lambda d: d["points"]["G"] == [1, 2]),
    "add-point on the ground": (
        JANSEN,
        {"do": "add-point", "at": [1, 2], "ground": True},
        lambda d: d["ground"]["points"]["O3"] == [1, 2],
    ),
    "move-point": (
        JANSEN,
        {"name": "B", "to": [-0.12, 0.21]},
        lambda d: d["points"]["B"] == [-0.12, 0.21] and d["links"][1]["length"] == near(math.hypot(0.22, 0.21)),
    ),
    "move-point: lengths stay": (
        JANSEN,
        {"do": "move-point", "name": "B", "to": [-0.12, 0.21], "lengths": "keep"},
        lambda d: d["points"]["B"] == [-0.12, 0.21] and d["links"][1]["length"] == 0.333,
    ),
    "move-point: through the parameter": (
        FOUR_BAR,
        {"do": "move-point", "name": "B", "to": [0.2, 0.3]},
        lambda d: d["parameters"]["rocker"] == pytest.approx(math.hypot(0.1, 0.3), abs=1e-6)
        and d["links"][2]["length"] == "rocker",
    ),
    "move-point: of the ground": (
        JANSEN,
        {"do": "move-point", "name": "O1", "to": [0.01, 0]},
        lambda d: d["ground"]["points"]["O1"] == [0.01, 0] and d["links"][0]["length"] == pytest.approx(0.09),
    ),
    "move-point: a driven crank keeps its direction": (
        JANSEN,
        {"do": "move-point", "name": "A", "to": [0.08, 0.05]},
        lambda d: d["points"]["A"] == [0.08, 0] and d["links"][0]["length"] == pytest.approx(0.08),
    ),
    "set-foot": (SLIDER, {"point": "B"}, lambda d: d["gait"]["feet"] == ["B"]),
    "add-link": (JANSEN, {"from": "A", "to": "F"}, lambda d: d["links"][-1]["length"] == near(math.hypot(0.4, 0.6))),
    "add-body": (
        JANSEN,
        {"points": ["C", "E", "F"]},
        lambda d: list(d["links"][-1]["points"]) == ["F"] and d["links"][-1]["from"] == "C",
    ),
    "add-beam": (JANSEN, {"from": "A", "to": "F", "fields": {"height": 0.004}}, lambda d: d["beams"][0]["height"] == 0.004),
    "add-slider": (
        FOUR_BAR,
        {"point": "B", "axis": [0, 1]},
        lambda d: d["joints"][0] == {"type": "slot", "name": "slider1", "a": "ground.O1", "b": "B", "axis": [0, 1]},
    ),
    "add-slider: a block": (
        FOUR_BAR,
        {"do": "add-slider", "point": "B", "type": "prismatic"},
        lambda d: [j["type"] for j in d["joints"]] == ["revolute", "prismatic"] and d["bodies"][0]["at"] == [0.25, 0.25],
    ),
    "add-slider: in a link": (
        FOUR_BAR,
        {"do": "add-slider", "point": "B", "on": "crank", "axis": [0, 1]},
        lambda d: d["joints"][0]["a"] == "crank.S1" and d["joints"][0]["axis"] == [0, 1],
    ),
    "add-spring": (JANSEN, {"a": "A", "b": "ground.O2", "stiffness": 500}, lambda d: d["forces"][0]["stiffness"] == 500),
    "add-drive": (
        FOUR_BAR,
        {"body": "rocker", "turns_per_second": -2},
        lambda d: d["drives"][0]["angle"] == "1.76819 - 4*pi*t",
    ),
    "add-drive: at a pivot": (
        FOUR_BAR,
        {"do": "add-drive", "point": "O"},
        lambda d: d["drives"][0]["body"] == "crank" and d["drives"][0]["angle"] == "2*pi*t",
    ),
    "add-slider: along a link": (
        FOUR_BAR,
        {"do": "add-slider", "point": "A", "on": "rocker"},
        lambda d: d["joints"][0]["a"] == "rocker.S1" and d["joints"][0]["axis"] == [1, 0],
    ),
    "add-guide": (
        FOUR_BAR,
        {"body": "coupler", "axis": [0, 2]},
        lambda d: d["joints"][0] == {"type": "prismatic", "name": "guide1", "a": "ground.O1", "b": "coupler.A", "axis": [0, 2]},
    ),
    "add-gear": (
        FOUR_BAR,
        {"a": "crank", "b": "rocker", "ratio": -2},
        lambda d: d["joints"][0] == {"type": "gear", "name": "gear1", "a": "crank", "b": "rocker", "ratio": -2},
    ),
    "add-rack": (
        FOUR_BAR,
        {"rack": "coupler", "pinion": "rocker"},
        lambda d: [j["type"] for j in d["joints"]] == ["prismatic", "rack"] and d["joints"][1]["pinion"] == "rocker",
    ),
    "add-weld": (
        FOUR_BAR,
        {"a": "crank", "b": "coupler"},
        lambda d: (d["joints"][0]["type"], d["joints"][0]["a"], d["joints"][0]["b"]) == ("fixed", "crank.A", "coupler.A"),
    ),
    "add-contact": (JANSEN, {"point": "F", "level": -0.6}, lambda d: d["contacts"][0]["surface"]["line"] == [0, 1, 0.6]),
    "add-contact: a slope": (
        JANSEN,
        {"do": "add-contact", "point": "F", "line": [[0, 0], [1, 1]], "friction": None},
        lambda d: d["contacts"][0]["surface"]["line"] == pytest.approx([-math.sqrt(0.5), math.sqrt(0.5), 0], abs=1e-6),
    ),
    "add-force": (JANSEN, {"at": "F", "value": [0, "-5*t"]}, lambda d: d["forces"][0]["value"] == [0, "-5*t"]),
    "add-joint": (
        JANSEN,
        {"type": "distance", "a": "A", "b": "F", "fields": {"length": 0.7}},
        lambda d: d["joints"][0]["length"] == 0.7,
    ),
    "add": (
        JANSEN,
        {"section": "forces", "fields": {"type": "torque", "body": "crank", "value": 1}},
        lambda d: d["forces"][0]["value"] == 1,
    ),
    "set": (JANSEN, {"path": ["links", 0, "mass"], "value": "0.25*0.1"}, lambda d: d["links"][0]["mass"] == "0.25*0.1"),
    "set: without": (
        JANSEN,
        {"do": "set", "path": ["links", 0, "length"], "value": None},
        lambda d: "length" not in d["links"][0],
    ),
    "set-parameter": (JANSEN, {"name": "turns_per_second", "value": 2}, lambda d: d["parameters"]["turns_per_second"] == 2),
    "set-length": (FOUR_BAR, {"name": "crank", "length": 0.09}, lambda d: d["parameters"]["crank"] == 0.09),
    "rename": (
        JANSEN,
        {"kind": "point", "name": "F", "to": "toe"},
        lambda d: d["gait"]["feet"] == ["toe"] and "toe.x" in d["outputs"] and d["links"][9]["to"] == "toe",
    ),
    "rename: a link": (
        JANSEN,
        {"do": "rename", "kind": "element", "name": "crank", "to": "arm"},
        lambda d: d["drives"][0]["body"] == "arm" and d["outputs"][0] == "arm.torque",
    ),
    "rename: a parameter": (
        FOUR_BAR,
        {"do": "rename", "kind": "parameter", "name": "crank", "to": "r"},
        lambda d: d["links"][0]["length"] == "r" and d["links"][0]["mass"] == "density*r" and d["links"][0]["name"] == "crank",
    ),
    "delete": (
        JANSEN,
        {"points": ["F"]},
        lambda d: len(d["links"]) == 9 and "gait" not in d and d["outputs"] == ["crank.torque", "crank.power", "crank.work"],
    ),
    "delete: a link": (
        JANSEN,
        {"do": "delete", "elements": [["links", 0]]},
        lambda d: "drives" not in d and len(d["links"]) == 10,
    ),
    "delete: a body": (
        SLIDER,
        {"do": "delete", "elements": [["bodies", 0]]},
        lambda d: "joints" not in d and "bodies" not in d,
    ),
    "copy": (
        JANSEN,
        {"by": [0.5, 0], "points": ["O1", "A"], "elements": [["links", 0], ["drives", 0]]},
        lambda d: d["drives"][1]["body"] == "crank-1" and d["ground"]["points"]["O3"] == [0.5, 0],
    ),
    "mirror": (
        JANSEN,
        {"points": ["O2", "B", "C", "D", "E", "F"], "elements": LEG[1:], "x": 0},
        lambda d: len(d["links"]) == 21 and d["points"]["F1"] == [0.3, -0.6] and d["links"][11]["from"] == "A",
    ),
}  # fmt: skip


def comments(text):
    return [line.partition("#")[2] for line in text.splitlines() if "#" in line]


@pytest.mark.parametrize("case", DONE)
def test_every_command_can_be_undone_and_redone(case):
    text, given, seen = DONE[case]
    document = StudioDocument(text)
    reply = document.edit({"do": case, **given})
    assert seen(document.tree.data)
    assert document.text != text
    start, removed, inserted = reply["patches"][0]
    assert text[:start] + inserted + text[start + removed :] == document.text
    after = document.text
    if "delete" not in case:
        assert comments(after) == comments(text)
    Model.from_dict(document.tree.data)  # still a valid document; it need not close
    assert document.undo()["can_redo"]
    assert document.text == text
    assert document.problem is None
    document.redo()
    assert document.text == after
    json.dumps(reply)


def test_every_command_is_tested():
    tried = {given.get("do", case) for case, (_, given, _) in DONE.items()}
    assert tried == set(COMMANDS)
    assert {entry["do"] for entry in json.loads(json.dumps(describe_commands()))} == set(COMMANDS)
    assert all(entry["help"] for entry in describe_commands())


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ({"do": "jump"}, "is not known"),
        ("jump", "is not a mapping"),
        ({"do": "add-point"}, "is missing"),
        ({"do": "add-point", "at": [0, 0], "color": "red"}, "there is no such field"),
        ({"do": "add-point", "at": [0, 0], "name": "A"}, "used already"),
        ({"do": "move-point", "name": "Z", "to": [0, 0]}, "point 'Z'"),
        ({"do": "add-link", "from": "A", "to": "A"}, "the same point twice"),
        ({"do": "rename", "kind": "point", "name": "A", "to": "B"}, "used already"),
        ({"do": "rename", "kind": "point", "name": "A", "to": "no good"}, "cannot be a name"),
        ({"do": "delete", "elements": [["links", 99]]}, "no entry 99"),
        ({"do": "set", "path": ["links", 99, "mass"], "value": 1}, "is not there"),
        ({"do": "set-length", "name": "crank", "length": -1}, "greater than zero"),
        ({"do": "add-drive", "body": "crank"}, "link 'crank' is turned by drive"),
        ({"do": "add-drive", "point": "A"}, "'A' moves, .* the link to turn: crank"),
        ({"do": "add-drive", "point": "O2"}, "3 links turn about ground point 'O2'"),
        ({"do": "add-gear", "a": "crank", "b": "crank"}, "two links are the same"),
        ({"do": "add-gear", "a": "L4", "b": "L10"}, "no common carrier"),
        ({"do": "add-weld", "a": "crank", "b": "L9"}, "share no point"),
        ({"do": "add-slider", "point": "A", "on": "crank"}, "a point of link 'crank' itself"),
        ({"do": "add-rack", "rack": "crank", "pinion": "crank"}, "the same link"),
        ({"do": "mirror", "points": ["A"]}, "not one line"),
        ({"do": "add", "section": "gait", "fields": {}}, "is not known"),
        ({"do": "all", "commands": [{"do": "all", "commands": []}]}, "contains another"),
    ],
)
def test_invalid_commands_are_refused_without_changes(command, said):
    document = StudioDocument(JANSEN)
    with pytest.raises(ModelError, match=said):
        document.edit(command)
    assert (document.text, document.version) == (JANSEN, 0)


def test_a_length_expression_is_kept_with_a_note():
    document = StudioDocument(JANSEN.replace("length: 0.333", "length: 3*0.111"))
    reply = document.edit({"do": "move-point", "name": "B", "to": [-0.12, 0.21]})
    assert document.tree.data["links"][1]["length"] == "3*0.111"
    assert document.tree.data["links"][2]["length"] != 0.277
    assert "link 'L2'" in reply["notes"][0]
    with pytest.raises(ModelError, match="several values"):
        document.edit({"do": "set-length", "name": "L2", "length": 0.3})


def test_a_length_keeps_its_unit():
    document = StudioDocument(JANSEN.replace("length: 0.333", "length: 333 mm"))
    document.edit({"do": "set-length", "name": "L2", "length": 0.34})
    assert document.tree.data["links"][1]["length"] == "340 mm"


def test_the_phase_of_a_drive_follows_the_drag():
    document = StudioDocument(JANSEN.replace('"-2*pi*turns_per_second*t"', "0.0 - 2*pi*turns_per_second*t"))
    document.edit({"do": "move-point", "name": "A", "to": [0.06, 0.08]})
    data = document.tree.data
    assert data["drives"][0]["angle"].startswith("0.927295 -")
    assert data["links"][0]["length"] == pytest.approx(0.1)


def test_plate_points_keep_their_position_when_an_end_is_moved():
    document = StudioDocument(JANSEN)
    document.edit({"do": "add-body", "points": ["D", "E", "F"]})
    before = document.tree.data["links"][-1]["points"]["F"]
    document.edit({"do": "move-point", "name": "E", "to": [-0.5, -0.2]})
    document.edit({"do": "move-point", "name": "E", "to": [-0.46, -0.22]})
    assert document.tree.data["links"][-1]["points"]["F"] == pytest.approx(before, abs=2e-6)


def test_a_point_of_a_body_is_moved_in_its_own_frame():
    text = (
        "gaitwright: 1\nbodies:\n  - {name: k, mass: 1, inertia: 1, at: [1, 1], angle: pi/2, points: {P: [0.5, 0]}}\n"
    )
    document = StudioDocument(text)
    document.edit({"do": "move-point", "name": "k.P", "to": [0.75, 2]})
    assert document.tree.data["bodies"][0]["points"]["P"] == pytest.approx([1, 0.25])
    with pytest.raises(ModelError, match="has no point 'Q'"):
        document.edit({"do": "move-point", "name": "k.Q", "to": [0, 0]})
    plate = StudioDocument(JANSEN)
    plate.edit({"do": "add-body", "points": ["D", "E", "F"], "name": "plate"})
    plate.edit({"do": "move-point", "name": "plate.F", "to": list(plate.tree.data["points"]["F"])})
    assert plate.text.count("plate") == 1


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_line_endings_are_preserved(ending):
    document = StudioDocument(JANSEN.replace("\n", ending))
    document.edit({"do": "add-point", "at": [0, 1]})
    document.edit({"do": "add-force", "at": "F", "value": [0, -1]})
    assert document.text.count("\n") == JANSEN.count("\n") + 3
    assert document.text.count("\r\n") == (document.text.count("\n") if ending == "\r\n" else 0)


def test_a_drawn_four_bar_equals_the_python_model():
    document = StudioDocument("gaitwright: 1\nname: drawn\ngravity: [0, -9.81]\n")
    assert document.problem["kind"] == "unfinished"
    for command in (
        {"do": "add-point", "at": [0, 0], "ground": True},
        {"do": "add-point", "at": [0.3, 0], "ground": True},
        {"do": "add-point", "at": [0.1, 0]},
        {"do": "add-point", "at": [0.25, 0.25]},
        {"do": "add-link", "from": "O1", "to": "A", "name": "crank"},
        {"do": "add-link", "from": "A", "to": "B", "name": "coupler"},
        {"do": "add-link", "from": "O2", "to": "B", "name": "rocker"},
        {"do": "add-drive", "body": "crank"},
    ):
        document.edit(command)
    assert document.problem is None
    drawn = document.model.inverse(1.0, step=0.01)
    same = Model(gravity=(0, -9.81)).ground_point("O1", 0, 0).ground_point("O2", 0.3, 0)
    same.point("A", 0.1, 0).point("B", 0.25, 0.25)
    for entry in document.tree.data["links"]:
        same.link(entry["name"], entry["from"], entry["to"], length=entry["length"], mass=entry["mass"])
    same.drive.rotation("crank", angle="2*pi*t")
    torque = same.inverse(1.0, step=0.01).array("crank.torque")
    assert drawn.array("crank.torque") == pytest.approx(torque, rel=1e-9, abs=1e-12)


def test_a_mirrored_leg_walks_backwards():
    document = StudioDocument(JANSEN)
    document.edit({"do": "mirror", "points": ["O2", "B", "C", "D", "E", "F"], "elements": LEG[1:], "x": 0})
    assert document.problem is None
    run = document.model.kinematics(1.0, step=0.25)
    assert run.array("F1.y")[2] == pytest.approx(run.array("F.y")[0], abs=1e-6)  # half a turn of the crank later
    assert run.array("F1.x")[2] == pytest.approx(-run.array("F.x")[0], abs=1e-6)


def test_a_model_remains_valid_after_a_deletion(tmp_path):
    document = StudioDocument(JANSEN)
    document.edit({"do": "delete", "points": ["F", "E"]})
    path = tmp_path / "left.yaml"
    path.write_text(document.text)
    assert load(path).check().degrees_of_freedom == 0


def drawn(*commands):
    document = StudioDocument("gaitwright: 1\nname: drawn\n")
    for command in commands:
        document.edit(command)
    return document


def test_a_pivot_without_a_rotatable_link_is_rejected():
    blank = drawn({"do": "add-point", "at": [0, 0], "ground": True, "name": "O1"})
    with pytest.raises(ModelError, match="no link turns about ground point 'O1' yet"):
        blank.edit({"do": "add-drive", "point": "O1"})
    blank.edit({"do": "add-point", "at": [1, 0], "ground": True, "name": "O2"})
    blank.edit({"do": "add-link", "from": "O1", "to": "O2"})
    with pytest.raises(ModelError, match="held at two ground points and cannot turn"):
        blank.edit({"do": "add-drive", "point": "O1"})


def test_a_drawn_rack_slides_as_far_as_its_pinion_turns():
    """Rack along x below the pinion, at distance r: v = -r * spin, to the side of the contact point."""
    document = drawn(
        {"do": "add-point", "at": [0, 0], "ground": True, "name": "O"},
        {"do": "add-point", "at": [0.03, 0.04], "name": "P"},
        {"do": "add-point", "at": [-0.1, -0.05], "name": "A"},
        {"do": "add-point", "at": [0.1, -0.05], "name": "B"},
        {"do": "add-link", "from": "O", "to": "P", "name": "pinion"},
        {"do": "add-link", "from": "A", "to": "B", "name": "rack"},
        {"do": "add-rack", "rack": "rack", "pinion": "pinion"},
        {"do": "add-drive", "point": "O", "turns_per_second": 0.25},
    )
    run = document.model.inverse(1.0, step=0.25)
    x = run.array("rack.A.x")
    assert x[-1] - x[0] == pytest.approx(0.05 * math.pi / 2, rel=1e-9)
    assert document.tree.data["joints"][1]["radius"] == pytest.approx(0.05)


def test_a_weld_at_a_point_of_three_links_adds_no_redundant_row():
    places = {"O": [0, 0], "A": [0.1, 0], "B": [0.2, 0.1], "C": [0.2, -0.1]}
    points = [{"do": "add-point", "at": at, "name": name, "ground": name == "O"} for name, at in places.items()]
    links = {"first": ("O", "A"), "second": ("A", "B"), "third": ("A", "C")}
    document = drawn(
        *points,
        *({"do": "add-link", "name": name, "from": a, "to": b} for name, (a, b) in links.items()),
        {"do": "add-weld", "a": "second", "b": "third"},
    )
    assert document.tree.data["joints"][0]["type"] == "gear"
    start_state = find_start(document.model.mechanism())
    assert start_state.redundant == [] and document.model.mechanism().degrees_of_freedom == 2


def test_drawn_gears_turn_on_the_ground_and_on_a_link():
    """Planet on the arm: with ratio -2 to a fixed wheel, it turns 3 times as far as the arm."""
    places = {"S": [0, 0.02], "C": [0.09, 0], "Q": [0.09, 0.03], "O": [0, 0]}
    points = [{"do": "add-point", "at": at, "name": name, "ground": name == "O"} for name, at in places.items()]
    links = {"sun": ("O", "S"), "arm": ("O", "C"), "planet": ("C", "Q")}
    document = drawn(
        *points,
        *({"do": "add-link", "name": name, "from": a, "to": b} for name, (a, b) in links.items()),
        {"do": "add-gear", "a": "sun", "b": "planet", "ratio": -2},
        {"do": "add-drive", "fields": {"type": "rotation", "body": "sun", "angle": "pi/2"}},
        {"do": "add-drive", "body": "arm", "turns_per_second": 0.1},
    )
    assert document.tree.data["joints"][0]["carrier"] == "arm"
    run = document.model.inverse(1.0, step=0.5)
    turned = [run.array(f"{name}.angle")[-1] - run.array(f"{name}.angle")[0] for name in ("arm", "planet")]
    assert turned[1] == pytest.approx(3 * turned[0], rel=1e-9)
