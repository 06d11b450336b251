"""Invalid models: each is rejected with one sentence that names the element and field.

A table of changes to a valid document, and the required content of the message.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

import gaitwright as gw
from documents import drop, full, leaves, put, small
from gaitwright.model.io.files import load, read_raw_document
from gaitwright.model.model import Model

FOUR_BAR = Path(__file__).parents[2] / "examples/four_bar.yaml"
ATTACK = "__import__('os').system('touch attacked')"


def refuse(document: Any, error: type[gw.GaitwrightError] = gw.ModelError) -> gw.GaitwrightError:
    """Read and run a document that must be rejected; return the error."""
    with pytest.raises(error) as caught:
        Model.from_dict(document).analyse()
    return caught.value


def assert_sentence(text: str) -> None:
    assert text == text.strip() and "\n" not in text and not text.endswith("."), text
    assert not re.search(r"[.!?] +[A-Z]", text), text
    assert "Traceback" not in text and len(text) < 600


def driven() -> dict[str, Any]:
    """The crank-rocker with a fully prescribed motion."""
    document = drop(drop(drop(drop(small(), ("bodies",)), ("joints",)), ("forces",)), ("outputs",))
    return put(document, ("analysis",), {"type": "kinematic", "until": 1})


# Path of the change, new value, and the required content of the message.
WRONG: dict[str, tuple[tuple[Any, ...], Any, list[str]]] = {
    "zero mass": (("links", 0, "mass"), 0, ["link 'crank'", "mass", "greater than zero", "0.0", "kg"]),
    "negative mass": (("bodies", 0, "mass"), -1, ["body 'slider'", "mass", "-1.0", "kg"]),
    "zero inertia": (("bodies", 0, "inertia"), 0, ["body 'slider'", "inertia", "kg m^2"]),
    "negative length": (("links", 0, "length"), "-L", ["link 'crank'", "length", "-0.1"]),
    "negative stiffness": (("forces", 0, "stiffness"), -1, ["force 'spring'", "stiffness", "negative", "-1.0"]),
    "missing point": (("links", 0, "to"), "Z", ["link 'crank'", "'to'", "no point 'Z'", "O, C, A, B"]),
    "point a body lacks": (("joints", 0, "b"), "slider.Z", ["joint 'rail'", "'b'", "'slider' has no point 'Z'"]),
    "missing body": (("joints", 0, "b"), "K9.Z", ["joint 'rail'", "no body or link 'K9'", "crank"]),
    "two links, one name": (("links", 1, "name"), "crank", ["link 'crank'", "used twice"]),
    "link and body, one name": (("bodies", 0, "name"), "crank", ["'crank' is used twice", "body"]),
    "joint and drive, one name": (("joints", 0, "name"), "motor", ["drive 'motor'", "used twice", "a joint"]),
    "joint and pin, one name": (("joints", 0, "name"), "B", ["joint 'B'", "used twice", "pin at point 'B'"]),
    "force and drive, one name": (("forces", 0, "name"), "motor", ["force 'motor'", "used twice", "a drive"]),
    "two forces, one name": (("forces", 0, "name"), "load", ["force 'load'", "used twice"]),
    "force and body, one name": (("forces", 0, "name"), "slider", ["force 'slider'", "used twice", "a body"]),
    "a body called ground": (("bodies", 0, "name"), "ground", ["body 'ground'", "that of the ground"]),
    "ground point that moves": (("points", "O"), [0, 0], ["point 'O'", "ground point and as a moving point"]),
    "drive of the ground": (("drives", 0, "body"), "ground", ["drive 'motor'", "'body'", "ground", "cannot turn"]),
    "torque on the ground": (("forces", 1, "body"), "ground", ["force 'load'", "'body'", "ground", "cannot move"]),
    "joint of a body with itself": (("joints", 0, "a"), "slider", ["joint 'rail'", "'slider' with itself"]),
    "link of no length": (("links", 0, "to"), "O", ["link 'crank'", "same point"]),
    "link drawn as a point": (("points", "A"), [0, 0], ["link 'crank'", "'O' and 'A'", "same place"]),
    "NaN parameter": (("parameters", "L"), math.nan, ["parameters", "'L'", "nan", "finite"]),
    "infinite parameter": (("parameters", "L"), math.inf, ["parameters", "'L'", "inf", "finite"]),
    "huge integer": (("parameters", "L"), 10**400, ["parameters", "'L'", "finite"]),
    "parameter by 0": (("parameters", "L"), "1/(omega - omega)", ["parameters", "'L'", "division by zero"]),
    "parameter yes": (("parameters", "L"), True, ["parameters", "'L'", "not a number", "True"]),
    "parameter left empty": (("parameters", "L"), None, ["parameters", "'L'", "is empty"]),
    "parameter in a circle": (("parameters", "L"), "2*L", ["parameters", "circle", "L"]),
    "parameter called t": (("parameters", "t"), 1, ["parameters", "'t'", "meaning of its own"]),
    "NaN mass": (("links", 0, "mass"), math.nan, ["link 'crank'", "'mass'", "nan"]),
    "NaN coordinate": (("points", "A"), [math.nan, 0], ["point 'A'", "nan"]),
    "unknown field": (("links", 0, "lenght"), 0.1, ["link 'crank'", "'lenght'", "did you mean 'length'?"]),
    "unknown field of a joint": (("joints", 0, "axsi"), [1, 0], ["joint 'rail'", "'axsi'", "did you mean 'axis'?"]),
    "unknown section": (("link",), [], ["'link'", "did you mean 'links'?"]),
    "unknown option": (("analysis", "untill"), 3, ["analysis", "'untill'", "did you mean 'until'?"]),
    "unknown method": (("analysis", "method"), "rk5", ["analysis", "'method'", "rk5", "did you mean 'rk4'?"]),
    "unknown analysis": (("analysis", "type"), "dynamic", ["analysis", "'type'", "dynamic", "kinematic"]),
    "unknown joint": (("joints", 0, "type"), "slott", ["joint 'rail'", "'type'", "did you mean 'slot'?"]),
    "unknown name": (("links", 0, "length"), "LL", ["link 'crank'", "'length'", "'LL'", "did you mean 'L'?"]),
    "unknown function": (("drives", 0, "angle"), "sine(t)", ["drive 'motor'", "'angle'", "sine", "did you mean 'sin'?"]),
    "unknown output": (("outputs", 0), "crank.angel", ["'crank.angel'", "crank.angle"]),
    "unknown point of a velocity": (("velocities",), {"Z": [0, 0]}, ["velocity of 'Z'", "no point 'Z'"]),
    "velocity of the ground": (("velocities",), {"O": [0, 1]}, ["velocity of 'O'", "ground"]),
    "length that changes": (("links", 0, "length"), "L*t", ["link 'crank'", "'length'", "does not change with time"]),
    "wrong version": (("gaitwright",), 2, ["'gaitwright'", "version", "2", "1"]),
    "version in words": (("gaitwright",), "one", ["'gaitwright'", "version", "'one'"]),
    "four dimensions": (("dimension",), 4, ["'dimension'", "not known", "4", "3 for space"]),
    "a beam of nothing": (("beams",), [{"name": "rod"}], ["beam 'rod'", "'from'", "missing"]),
    "a contact of nothing": (("contacts",), [{"name": "toe"}], ["contact 'toe'", "'surface'", "missing"]),
    "a contact that is a word": (("contacts",), ["toe"], ["contact 1", "not a mapping", "'toe'"]),
    "gravity in space": (("gravity",), [0, 0, -9.81], ["'gravity'", "too many", "[x, y]"]),
    "gravity as a number": (("gravity",), 9.81, ["'gravity'", "9.81", "[x, y]"]),
    "a point in space": (("points", "A"), [0, 0, 0], ["point 'A'", "too many", "[x, y]"]),
    "links not a list": (("links",), {"crank": {}}, ["'links'", "not a list"]),
    "a link that is a word": (("links", 0), "crank", ["link 1", "not a mapping", "'crank'"]),
    "a joint that is a word": (("joints", 0), "rail", ["joint 1", "not a mapping", "'rail'"]),
    "parameters not a mapping": (("parameters",), [1], ["'parameters'", "not a mapping"]),
    "a name with a space": (("links", 0, "name"), "crank 1", ["link 'crank 1'", "'name'", "letters"]),
    "a name that is a number": (("links", 0, "name"), 1, ["link 1", "'name'"]),
    "a name that YAML takes for yes": (("links", 0, "name"), True, ["link 1", "'name'", "quotes"]),
    "a point name that is a number": (("points", 1), [0, 0], ["point '1'", "letter"]),
    "axis of no direction": (("joints", 0, "axis"), [0, 0], ["joint 'rail'", "'axis'", "no direction"]),
    "frame that is not there": (("forces", 2, "frame"), "world", ["force 'push'", "'frame'", "world", "ground, body"]),
    "force without direction": (("forces", 2, "value"), 5, ["force 'push'", "'value'", "[x, y]"]),
    "drive of nothing": (("drives", 0), {"type": "position", "point": "A"}, ["drive 1 (position)", "neither x nor y"]),
    "until 0": (("analysis", "until"), 0, ["analysis", "'until'", "0.0", "positive"]),
    "until soon": (("analysis", "until"), "soon", ["analysis", "'until'", "'soon'"]),
    "step 0": (("analysis", "step"), 0, ["analysis", "'step'", "0.0", "positive"]),
    "negative step": (("analysis", "step"), -1e-3, ["analysis", "'step'", "-0.001"]),
    "outputs as a word": (("outputs",), "crank.angle", ["'outputs'", "not a list"]),
    "an output with spaces": (("outputs", 0), "crank angle", ["outputs", "'crank angle'"]),
}  # fmt: skip

MISSING: dict[str, tuple[tuple[Any, ...], list[str]]] = {
    "mass of a link": (("links", 0, "mass"), ["link 'crank'", "'mass'", "missing", "kg"]),
    "name of a link": (("links", 0, "name"), ["link 1", "'name'", "missing"]),
    "start of a link": (("links", 0, "from"), ["link 'crank'", "'from'", "missing"]),
    "inertia of a body": (("bodies", 0, "inertia"), ["body 'slider'", "'inertia'", "missing", "kg m^2"]),
    "angle of a drive": (("drives", 0, "angle"), ["drive 'motor'", "'angle'", "missing", "rad"]),
    "end of a spring": (("forces", 0, "b"), ["force 'spring'", "'b'", "missing", "point"]),
    "type of a joint": (("joints", 0, "type"), ["joint 'rail'", "'type'", "missing", "revolute"]),
    "version": (("gaitwright",), ["'gaitwright: 1'", "missing"]),
    "position of a point": (("points", "B"), ["link 'coupler'", "no point 'B'", "drawn"]),
    "all bodies": (("links",), ["crank"]),
}  # fmt: skip


def test_unchanged_documents_are_valid():
    assert Model.from_dict(small()).analyse().time[-1] == pytest.approx(0.05)
    assert Model.from_dict(driven()).analyse().time[-1] == pytest.approx(1.0)
    assert Model.from_dict(full()).mechanism().n == 21


@pytest.mark.parametrize("what", WRONG)
def test_invalid_value_has_a_message(what: str):
    path, value, named = WRONG[what]
    text = str(refuse(put(small(), path, value)))
    assert_sentence(text)
    for part in named:
        assert part in text, f"{part} is not in: {text}"


@pytest.mark.parametrize("what", MISSING)
def test_missing_value_has_a_message(what: str):
    path, named = MISSING[what]
    text = str(refuse(drop(small(), path)))
    assert_sentence(text)
    for part in named:
        assert part in text, f"{part} is not in: {text}"


def test_error_has_parts():
    error = refuse(put(small(), ("links", 0, "mass"), -1))
    assert isinstance(error, gw.ModelError)
    assert (error.element, error.field, error.value) == ("link 'crank'", "mass", -1.0)
    assert error.expected


def test_nothing_moves():
    assert "no moving body" in str(refuse({"gaitwright": 1, "ground": {"points": {"O": [0, 0]}}}))


@pytest.mark.parametrize("document", [None, 3, "gaitwright: 1", [small()]])
def test_not_a_document(document: Any):
    assert_sentence(str(refuse(document)))


# nothing is executed ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("path", leaves(full()), ids=lambda path: ".".join(map(str, path)))
def test_code_is_rejected_in_every_field(path: tuple[Any, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "model.yaml"
    file.write_text(yaml.safe_dump(put(full(), path, ATTACK)))
    with pytest.raises(gw.ModelError) as caught:
        load(file).mechanism()
    assert_sentence(str(caught.value))
    assert not (tmp_path / "attacked").exists()


MAPPINGS = sorted({path[:k] for path in leaves(full()) for k in range(len(path)) if isinstance(path[k], str)}, key=str)


@pytest.mark.parametrize("path", MAPPINGS, ids=lambda path: ".".join(map(str, path)) or "document")
def test_code_is_rejected_as_a_key(path: tuple[Any, ...]):
    with pytest.raises(gw.ModelError) as caught:
        Model.from_dict(put(full(), (*path, ATTACK), [0, 0])).mechanism()
    assert_sentence(str(caught.value))


# files --------------------------------------------------------------------------------------------------------------

BAD_FILES = {
    "empty": (b"", ["is empty", "gaitwright: 1"]),
    "only a comment": (b"# nothing\n", ["is empty"]),
    "binary": (bytes(range(256)), ["not a text file"]),
    "control characters": (b"name: \x01", ["not valid YAML"]),
    "a list": (b"[1, 2]", ["does not contain a model"]),
    "a word": (b"hello", ["does not contain a model"]),
    "a key twice": (b"gaitwright: 1\nname: a\nname: b\n", ["'name' is given twice", "line 3"]),
    "a parameter twice": (b"gaitwright: 1\nparameters: {L: 1, L: 2}\n", ["'L' is given twice", "line 2"]),
    "a tab": (b"gaitwright: 1\n\tname: x", ["line 2", "tab", "spaces"]),
    "an open bracket": (b"gaitwright: 1\nlinks:\n - {name: a, from: O", ["line 3", "complete?"]),
    "two documents": (b"gaitwright: 1\n---\ngaitwright: 1\n", ["line 2"]),
    "a python object": (b"!!python/object/apply:os.system [ls]", ["not valid YAML", "python"]),
    "a python value": (b"gaitwright: 1\nname: !!python/name:os.system x", ["not valid YAML", "python"]),
    "itself": (b"gaitwright: 1\nparameters: &a {L: *a}", ["not valid YAML"]),
    "deep nesting": (b"[" * 5000, ["nested too deeply"]),
    "a list as key": (b"gaitwright: 1\n[1, 2]: 3\n", ["line 2", "no plain name"]),
    "a date": (b"gaitwright: 1\nparameters: {L: 2020-01-01}", ["parameters", "'L'", "not a number"]),
    "no such date": (
        b"gaitwright: 1\nparameters: {L: 2020-13-45}",
        ["line 2", "'2020-13-45' is not a date that can be read"],
    ),
    "no model": (b"name: x\n", ["'gaitwright: 1' is missing"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", BAD_FILES)
def test_invalid_file_has_a_message(what: str, tmp_path: Path):
    content, named = BAD_FILES[what]
    file = tmp_path / "model.yaml"
    file.write_bytes(content)
    with pytest.raises(gw.ModelError) as caught:
        load(file)
    text = str(caught.value)
    assert_sentence(text)
    for part in named:
        assert part in text, f"{part} is not in: {text}"


def test_no_such_file(tmp_path: Path):
    with pytest.raises(gw.ModelError, match=r"there is no file '.*nothing\.yaml'"):
        load(tmp_path / "nothing.yaml")
    with pytest.raises(gw.ModelError, match="is a folder"):
        load(tmp_path)


def test_file_cut_anywhere(tmp_path: Path):
    """A truncated file is either a valid model or rejected in one sentence; truncated in the middle, it is rejected."""
    text = yaml.safe_dump(small(), sort_keys=False)
    file = tmp_path / "model.yaml"
    refused = []
    for end in range(0, len(text), 7):
        file.write_text(text[:end])
        try:
            load(file).mechanism()
        except gw.ModelError as error:
            assert_sentence(str(error))
            refused.append(end)
    assert any(abs(end - len(text) // 2) < 7 for end in refused)


def test_reading_executes_nothing(tmp_path: Path):
    file = tmp_path / "model.yaml"
    file.write_text("gaitwright: 1\nname: plain\nlinks: []\n")
    assert read_raw_document(file) == {"gaitwright": 1, "name": "plain", "links": []}


# failing analyses ---------------------------------------------------------------------------------------------------


def test_linkage_that_cannot_close():
    error = refuse(put(small(), ("links", 2, "length"), 0.05), gw.AssemblyError)
    assert isinstance(error, gw.AssemblyError)
    text = str(error)
    assert_sentence(text)
    assert "cannot be closed" in text and "mm" in text and "joint 'B'" in text and error.suggestion in text
    # Links of 0.05 and 0.3 m cannot span from A (0.1, 0) to C (0.3, 0): they miss by 0.05 m, shared among four pins.
    assert sum(gap for name, gap in error.open_joints.items() if name in "OABC") == pytest.approx(0.05, rel=0.05)


def test_drive_without_value_at_the_start():
    text = str(refuse(put(driven(), ("drives", 0, "angle"), "log(t)"), gw.AssemblyError))
    assert_sentence(text)
    assert "drive 'motor'" in text and "not a finite number" in text


# Document of a run, and the required content of the message.
EXPLOSIONS: dict[str, tuple[Callable[[], dict[str, Any]], str]] = {
    "a step that explodes": (lambda: put(small(), ("forces", 0, "stiffness"), 1e9), "exploded"),
    "a step that explodes at once": (lambda: put(small(), ("forces", 0, "stiffness"), 1e14), "exploded"),
    "a step that loses the joints": (lambda: put(small(), ("drives", 0, "angle"), "1e9*t"), "step"),
    "a drive that ends, forward": (lambda: put(small(), ("drives", 0, "angle"), "sqrt(0.03 - t)"), "drive 'motor'"),
    "a drive that ends, kinematic": (lambda: put(driven(), ("drives", 0, "angle"), "sqrt(0.5 - t)"), "drive 'motor'"),
    "a load that ends": (lambda: put(small(), ("forces", 1, "value"), "log(0.03 - t)"), "force 'load'"),
}


@pytest.mark.parametrize("what", EXPLOSIONS)
def test_diverging_run_has_a_message(what: str):
    document, named = EXPLOSIONS[what]
    error = refuse(document(), gw.DidNotConverge)
    assert isinstance(error, gw.DidNotConverge)
    assert_sentence(str(error))
    assert error.time is not None and f"at t = {error.time:.6g} s" in str(error)
    assert error.suggestion and named in str(error)
    values = error.partial.dataset().to_array().values
    assert values.size and math.isfinite(values.sum()), "the partial result is finite"


def test_drive_beyond_the_range():
    """Half a turn moves A to 0.4 m from C; links of 0.26 and 0.12 m do not reach that far."""
    short = put(put(driven(), ("links", 1, "length"), 0.26), ("links", 2, "length"), 0.12)
    error = refuse(short, gw.SingularPose)
    assert_sentence(str(error))
    assert isinstance(error, gw.SingularPose) and error.time is not None
    assert 0 < error.partial.time[-1] < error.time


def test_open_joints_are_a_warning():
    """A run with a step far too large for its method has a warning in its result."""
    document = put(small(), ("analysis",), {"type": "forward", "until": 5, "step": 0.05, "method": "euler"})
    try:
        warnings = Model.from_dict(put(document, ("analysis", "stabilisation"), "none")).analyse().evidence.warnings
    except gw.DidNotConverge as error:
        warnings = error.partial.evidence.warnings
    assert any("joints opened" in text for text in warnings)
    assert any("not accounted for" in text for text in warnings)


@pytest.mark.parametrize(
    "change, hint",
    [
        (("body: crank", "body: crnk"), "did you mean 'crank'?"),
        (("b: crank", "b: crnk"), "did you mean 'crank'?"),
        (("from: A, to: B", "from: A, to: BB"), "did you mean 'B'?"),
        (("density*crank", "densty*crank"), "did you mean 'density'?"),
        (("crank.spin", "crank.spn"), "did you mean crank.spin"),
        (("type: torsion-spring", "type: torsion-sprng"), "did you mean 'torsion-spring'?"),
        (("until: 3", "untill: 3"), "did you mean 'until'?"),
        (("method: generalized-alpha", "method: generalised-alpha"), "did you mean 'generalized-alpha'?"),
    ],
)
def test_misspelt_name_gets_a_suggestion(change: tuple[str, str], hint: str, tmp_path: Path):
    text = FOUR_BAR.read_text()
    assert change[0] in text
    path = tmp_path / "misspelt.yaml"
    path.write_text(text.replace(*change, 1))
    with pytest.raises(gw.GaitwrightError, match=re.escape(hint)):
        load(path).analyse()
