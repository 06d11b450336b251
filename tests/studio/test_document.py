"""Document: problems located by line, the last valid model, and two windows on one file."""

from __future__ import annotations

from pathlib import Path

import pytest

from gaitwright._core.errors import ModelError
from gaitwright.studio import document as module
from gaitwright.studio.document import StaleVersionError, StudioDocument
from gaitwright.studio.outline import list_contents
from gaitwright.studio.yaml_tree import YamlTree

JANSEN = (Path(__file__).parents[2] / "examples" / "jansen.yaml").read_text()

# typed change, line of the error, element, field, kind
WRONG = {
    "mass": (("mass: 0.069", "mass: -1"), 18, "link 'L3'", "mass", "model"),
    "misspelt": (("mass: 0.069", "masss: 1"), 18, "link 'L3'", "masss", "model"),
    "point": (("from: O2, to: B", "from: O2, to: Q"), 18, "link 'L3'", "to", "model"),
    "place": (("B: [-0.13, 0.20]", "B: [-0.13]"), 10, "point 'B'", "", "model"),
    "coordinate": (("B: [-0.13, 0.20]", "B: [-0.13, x]"), 10, "point 'B'", "y", "model"),
    "ground": (("O1: [0, 0]", "O1: [0, a]"), 7, "ground point 'O1'", "y", "model"),
    "drive": (("body: crank", "body: krank"), 28, "drive 1", "body", "model"),
    "expression": (("turns_per_second*t", "turns*t"), 28, "drive 1", "angle", "model"),
    "parameter": (("turns_per_second: 1}", "turns_per_second: b}"), 5, "parameters", "turns_per_second", "model"),
    "law": (("restitution: 0}", "restitution: 0, n: 1}"), 33, "gait", "law.n", "model"),
    "section": (("outputs:", "outpts:"), 36, None, "outpts", "model"),
    "twice": (("name: L5", "name: L4"), 20, "link 'L4'", "name", "model"),
    "brackets": (("mass: 0.069}", "mass: 0.069"), 19, None, None, "yaml"),
    "tab": (("  feet: [F]", "\tfeet: [F]"), 30, None, None, "yaml"),
}


@pytest.mark.parametrize("case", WRONG)
def test_problems_are_located_at_their_line(case):
    change, line, element, field, kind = WRONG[case]
    document = StudioDocument(JANSEN)
    model = document.model
    problem = document.type(JANSEN.replace(*change))["problem"]
    assert problem["line"] == line
    assert (problem["element"] or {}).get("label") == element
    assert (problem["field"] or "") == (field or "")
    assert problem["kind"] == kind
    assert document.model is model  # the last valid one
    assert document.valid == 0
    document.undo()
    assert document.problem is None
    assert document.valid == document.version


def test_command_on_an_invalid_model_reports_its_problem():
    """Link ends that are no names: mutated requests raised a TypeError here."""
    document = StudioDocument(JANSEN.replace("name: L2, from: A, to: B", "name: L2, from: [A], to: B"))
    assert document.problem is not None
    text = document.text
    with pytest.raises(ModelError, match=r"cannot be carried out while the model is invalid: .*from"):
        document.edit({"do": "add-guide", "body": "L2"})
    assert document.text == text


def test_commands_are_refused_for_invalid_yaml():
    document = StudioDocument(JANSEN.replace("mass: 0.069}", "mass: 0.069"))
    with pytest.raises(ModelError, match="not valid YAML"):
        document.edit({"do": "add-point", "at": [0, 0]})


def test_an_edit_for_an_older_version_is_refused():
    document = StudioDocument(JANSEN)
    document.edit({"do": "add-point", "at": [0, 0]}, version=0)
    with pytest.raises(StaleVersionError) as found:
        document.edit({"do": "add-point", "at": [1, 0]}, version=0)
    assert (found.value.version, found.value.text) == (1, document.text)
    with pytest.raises(StaleVersionError):
        document.type(JANSEN, version=0)


def test_a_drag_is_one_undo_step():
    document = StudioDocument(JANSEN)
    for k in range(8):
        document.edit({"do": "move-point", "name": "B", "to": [-0.13 + 1e-3 * k, 0.2], "drag": "one"})
    for k in range(50):
        document.edit({"do": "set-parameter", "name": "turns_per_second", "value": k + 2})
    for _ in range(50):
        document.undo()
    assert "turns_per_second: 1}" in document.text
    assert "B: [-0.123, 0.2]" in document.text
    reply = document.undo()
    assert document.text == JANSEN
    assert not reply["can_undo"]
    for _ in range(51):
        reply = document.redo()
    assert not reply["can_redo"]
    assert "turns_per_second: 51}" in document.text


def test_an_empty_change_adds_no_undo_step():
    document = StudioDocument(JANSEN)
    reply = document.type(JANSEN)
    assert (reply["version"], reply["patches"], reply["can_undo"]) == (0, [], False)


def test_a_model_of_too_many_elements_is_refused(monkeypatch):
    monkeypatch.setattr(module, "MAX_ELEMENTS", 5)
    assert "12 elements" in StudioDocument(JANSEN).problem["message"]
    monkeypatch.setattr(module, "MAX_ELEMENTS", 50)
    bomb = "gaitwright: 1\na: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
    for one, other in zip("abcd", "bcde", strict=True):
        bomb += f"{other}: &{other} [{', '.join([f'*{one}'] * 10)}]\n"
    document = StudioDocument(bomb)
    assert "more than 100000 values" in document.problem["message"]
    with pytest.raises(ModelError):
        document.edit({"do": "add-point", "at": [0, 0]})


def test_contents_are_listed_for_panels():
    contents = list_contents(YamlTree(JANSEN))
    crank, drive = contents["elements"][0], contents["elements"][11]
    assert (crank["label"], crank["line"], crank["points"]) == ("link 'crank'", 16, ["O1", "A"])
    assert (drive["section"], drive["type"], drive["points"]) == ("drives", "rotation", ["crank"])
    assert [p["name"] for p in contents["points"]] == ["O1", "O2", "A", "B", "C", "D", "E", "F"]
    assert contents["points"][1]["at"][0] == pytest.approx(-0.2516843)
    (parameter,) = contents["parameters"]
    assert (parameter["name"], parameter["value"], parameter["plain"], parameter["low"]) == (
        "turns_per_second",
        1,
        True,
        0.5,
    )


def test_too_many_values_are_refused_before_they_are_read(monkeypatch):
    monkeypatch.setattr("gaitwright.studio.yaml_tree.read_document_nodes", lambda *_: pytest.fail("the text was read"))
    text = "gaitwright: 1\na: [" + "0," * 2_400_000 + "0]"
    document = StudioDocument(text)
    assert document.text == text
    assert document.problem["message"] == "the text has more than 100000 values; expected a smaller one in the studio"


def test_a_defect_of_the_reader_keeps_the_text(monkeypatch):
    def broken(data):
        raise ZeroDivisionError("secret words")

    document = StudioDocument("gaitwright: 1\n")
    monkeypatch.setattr("gaitwright.studio.document.Model.from_dict", broken)
    reply = document.type("gaitwright: 1\nname: kept\n")
    assert document.text == "gaitwright: 1\nname: kept\n" and reply["patches"]
    assert "defect in gaitwright" in reply["problem"]["message"] and "secret" not in reply["problem"]["message"]
