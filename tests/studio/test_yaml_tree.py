"""Edits of a text that leave all other text unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest

from gaitwright._core.errors import ModelError
from gaitwright.studio.history import UndoHistory
from gaitwright.studio.value_formatting import format_value, round_length
from gaitwright.studio.yaml_tree import YamlTree

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.yaml"))
FLOW = (
    "gaitwright: 1\nlinks:\n  - {name: a, mass: 1.50}   # first\n  - {name: b, mass: 2}\n# end\npoints: {A: [0, 1]}\n"
)
BLOCK = "gaitwright: 1\nlinks:\n  - name: a   # first\n    mass: 1\n  - name: b\n    mass: 2   # two\n\npoints:\n"
JSON = '{"gaitwright": 1, "links": [{"name": "a"}, {"name": "b"}]}'
WINDOWS = "gaitwright: 1\r\nname: größe 𝄞\r\npoints:\r\n  A: [0, 1]\r\n"

BELOW = "gaitwright: 1\npoints:\n  A:\n  - 0\n  - 1\n  B: [0, 1]\n"

CASES = {
    "a number": (FLOW, ("set", ["links", 0, "mass"], 2), FLOW.replace("1.50", "2")),
    "a list below its name": (BELOW, ("set", ["points", "A"], [2, 3]), BELOW.replace("  - 0\n  - 1", "    [2, 3]")),
    "a field more": (FLOW, ("set", ["links", 1, "to"], "B"), FLOW.replace("mass: 2}", "mass: 2, to: B}")),
    "an entry more": (
        FLOW,
        ("append", ["links"], {"name": "c"}),
        FLOW.replace("2}\n", "2}\n  - {name: c}\n"),
    ),
    "a point more": (FLOW, ("set", ["points", "B"], [1, 2]), FLOW.replace("1]}", "1], B: [1, 2]}")),
    "a section": (
        FLOW,
        ("append", ["bodies"], {"name": "k"}),
        FLOW.replace("1\nlinks", "1\nbodies:\n  - {name: k}\nlinks"),
    ),
    "a mapping": (FLOW, ("set", ["parameters", "L"], 1), FLOW.replace("1\nlinks", "1\nparameters:\n  L: 1\nlinks")),
    "the first goes": (FLOW, ("remove", ["links", 0]), FLOW.replace("  - {name: a, mass: 1.50}   # first\n", "")),
    "a field goes": (FLOW, ("remove", ["links", 0, "name"]), FLOW.replace("name: a, ", "")),
    "the last field goes": (FLOW, ("remove", ["links", 0, "mass"]), FLOW.replace(", mass: 1.50", "")),
    "the only entry goes": (FLOW, ("remove", ["points", "A"]), FLOW.replace("points: {A: [0, 1]}\n", "")),
    "another name": (FLOW, ("rename", ["points", "A"], "B"), FLOW.replace("{A:", "{B:")),
    "block: a number": (BLOCK, ("set", ["links", 1, "mass"], 3), BLOCK.replace("mass: 2 ", "mass: 3 ")),
    "block: a field more": (BLOCK, ("set", ["links", 0, "to"], "B"), BLOCK.replace("1\n  -", "1\n    to: B\n  -")),
    "block: an entry more": (
        BLOCK,
        ("append", ["links"], {"name": "c"}),
        BLOCK.replace("# two\n", "# two\n  - {name: c}\n"),
    ),
    "block: behind the dash": (BLOCK, ("remove", ["links", 1, "name"]), BLOCK.replace("name: b\n    ", "")),
    "block: an entry goes": (
        BLOCK,
        ("remove", ["links", 0]),
        BLOCK.replace("  - name: a   # first\n    mass: 1\n", ""),
    ),
    "an empty section": (BLOCK, ("set", ["points", "A"], [0, 0]), BLOCK + "  A: [0, 0]\n"),
    "JSON: an entry more": (JSON, ("append", ["links"], {"name": "c"}), JSON.replace('"b"}', '"b"}, {"name": "c"}')),
    "JSON: an entry goes": (JSON, ("remove", ["links", 0]), '{"gaitwright": 1, "links": [{"name": "b"}]}'),
    "JSON: a section": (JSON, ("set", ["points", "A"], [0, 1]), JSON[:-1] + ', "points": {"A": [0, 1]}}'),
    "Windows": (WINDOWS, ("set", ["points", "B"], [1, 2]), WINDOWS + "  B: [1, 2]\r\n"),
    "Windows: a number": (WINDOWS, ("set", ["points", "A", 1], 2), WINDOWS.replace("[0, 1]", "[0, 2]")),
    "no last line end": ("gaitwright: 1", ("set", ["name"], "x"), "gaitwright: 1\nname: x\n"),
}


@pytest.mark.parametrize("case", CASES)
def test_only_the_edited_piece_changes(case):
    before, (verb, *given), after = CASES[case]
    tree = getattr(YamlTree(before), verb)(*given)
    assert tree.text.rstrip("\n") == after.rstrip("\n")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_value_of_every_example_can_be_set_and_set_back(path):
    text = path.read_text()
    tree = YamlTree(text, path.parent)
    for k, _ in enumerate(tree.data.get("links", ())):
        place = ["links", k, "mass"]
        shown = tree.written(place)
        changed = tree.set(place, 123.25)
        assert changed.data["links"][k]["mass"] == 123.25
        assert changed.text.replace("123.25", str(shown), 1) == text


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("gaitwright: 1\na: &x {L: 1}\nb: *x\n", ["b"]),
        ("gaitwright: 1\na: &x {L: 1}\nb: {<<: *x, M: 2}\n", ["b", "L"]),
    ],
)
def test_aliased_values_are_not_changed(text, path):
    with pytest.raises(ModelError, match="alias"):
        YamlTree(text).set(path, 3)
    with pytest.raises(ModelError, match="alias"):
        YamlTree(text).remove(path)


@pytest.mark.parametrize(
    "path", [["joints", 0, "type"], ["links", 5], ["links", 5, "mass"], ["links", "a"], ["gaitwright", "x"]]
)
def test_invalid_paths_are_not_created(path):
    with pytest.raises(ModelError, match="is not there"):
        YamlTree(FLOW).set(path, 1)


def test_an_anchor_is_preserved():
    assert YamlTree("gaitwright: 1\na: &x 1\nb: *x\n").set(["a"], 2).data == {"gaitwright": 1, "a": 2, "b": 2}


@pytest.mark.parametrize(
    "value", [1, 0.25, 1e-5, -3.0, "L", "yes", "2*pi*t", "a: b", "1e5", "", [1, "x"], {"a": [1, {"b": "c"}]}, True]
)
def test_written_values_read_back(value):
    tree = YamlTree("gaitwright: 1\n").set(["x"], value)
    assert tree.data["x"] == value
    assert type(tree.data["x"]) is type(value) or value == -3.0


def test_line_numbers_match_the_text():
    tree = YamlTree(BLOCK)
    assert tree.line(["links", 1, "mass"]) == (6, 5)
    assert tree.line(["links", 1, "nothing"]) == (5, 5)
    assert tree.line(["nothing"]) is None


def test_rounding_follows_the_size_of_the_drawing():
    assert [round_length(1 / 3, size) for size in (1.0, 100.0, 0.01)] == [0.333333, 0.3333, 0.33333333]
    assert format_value(-0.0) == "0"


def test_history_undoes_and_redoes_and_stores_only_changes():
    history, texts = UndoHistory(), ["x" * 10_000]
    for k in range(50):
        texts.append(texts[-1][:k] + f"<{k}>" + texts[-1][k:])
        history.add(texts[-2], texts[-1])
    text = texts[-1]
    for before in reversed(texts[:-1]):
        text = history.undo(text)
        assert text == before
    assert history.undo(text) == text
    for after in texts[1:]:
        text = history.redo(text)
        assert text == after
    assert sum(len(step.before) + len(step.after) for step in history.past) < 1000


def test_steps_of_one_drag_are_merged():
    history = UndoHistory()
    for before, after in (("a", "ab"), ("ab", "ac"), ("ac", "ad")):
        history.add(before, after, "hand")
    assert history.undo("ad") == "a"
    assert history.redo("a") == "ad"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_replaced_values_read_back_from_the_text(example):
    """A drag writes numbers without parsing the text again: data and text must stay consistent."""
    tree = YamlTree(example.read_text(encoding="utf-8"), example.parent)
    places = [path for path in _numbers(tree.data) if tree.can_replace(path)]
    assert places or tree.has_anchors
    for k, value in enumerate((0.125, 2.0, -1e-7, "0.5 + 2*pi*t")):
        tree = tree.with_values({path: value for path in places[k::3]})
        again = YamlTree(tree.text, example.parent)
        assert tree.data == again.data and repr(tree.data) == repr(again.data)
    assert all(tree.line(path) == YamlTree(tree.text, example.parent).line(path) for path in places[:1])


def test_a_replaced_list_below_its_name_reads_back():
    tree = YamlTree(BELOW).with_values({("points", "A"): [2.5, 3]})
    assert YamlTree(tree.text).data == tree.data


def test_aliased_and_overlapping_paths_cannot_be_replaced():
    links = "links:\n  - {name: a, mass: &m 1, points: &p {P: [0, 1]}}\n  - {name: b, mass: *m, points: *p}\n"
    tree = YamlTree(f"gaitwright: 1\n{links}points: {{A: [0, 1], 1: [2, 3]}}\n")
    for place in ("mass",), ("points",), ("points", "P"), ("points", "P", 0):
        assert not any(tree.can_replace(("links", k, *place)) for k in (0, 1))
    tree = YamlTree("gaitwright: 1\npoints: {A: [0, 1], 1: [2, 3]}\n")
    assert not tree.can_replace(("points", "B"))
    assert not tree.can_replace(("points", "1")), "the name is read as a number"
    moved = tree.with_values({("points", "A"): [4, 5]})
    assert moved.can_replace(("points", "A")) and not moved.can_replace(("points", "A", 0))
    assert moved.set(["points", "A", 0], 6).data["points"]["A"] == [6, 5]


def _numbers(data, path=()):
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _numbers(value, (*path, key))
    elif isinstance(data, float):
        yield path
