"""Regression tests for problems that fuzzing found: raw exceptions, NaN, crashes and endless runs.

Each case runs in a forked process, so that a crash or an endless run is a single failure. To add a case, copy a file
that the runner kept into findings/, into the folder named after its format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

import gaitwright as gw
from documents import EXAMPLES, put, small
from fuzz.formats import APD, Case
from fuzz.runner import Worker
from fuzz.trial import may_be_undefined, require_numbers
from gaitwright._core.errors import MAX_MESSAGE_CHARACTERS, GaitwrightError, ModelError, OutOfBudget
from gaitwright.model.io.files import load, read_raw_document
from gaitwright.model.limits import MAX_VALUE_BY_UNIT, MIN_POSITIVE_BY_UNIT
from gaitwright.model.model import Model

BEAM = {
    "gaitwright": 1,
    "ground": {"points": {"O": [0, 0]}},
    "points": {"A": [1, 0]},
    "beams": [
        {"name": "rod", "from": "O", "to": "A", "youngs_modulus": 2e9, "density": 1200, "width": 0.02, "height": 0.003}
    ],
}
BALL = read_raw_document(EXAMPLES / "bouncing_ball.yaml")
BLOCK = read_raw_document(EXAMPLES / "block_on_slope.yaml")


def contact(field: str, value: Any) -> dict[str, Any]:
    return put(BLOCK, ("contacts", 0, "friction", field), value)


WRONG = {
    "a list as dimension": put(small(), ("dimension",), [3]),
    "a mapping as dimension": put(small(), ("dimension",), {}),
    "a list as method": put(small(), ("analysis",), {"method": ["dopri5"]}),
    "a mapping as method": put(small(), ("analysis",), {"method": {}}),
    "a list as type of an analysis": put(small(), ("analysis",), {"type": []}),
    "a list as type of a joint": put(small(), ("joints", 0, "type"), ["slot"]),
    "a list as type of a law": put(BALL, ("contacts", 0, "law", "type"), ["hertz"]),
    "a link as long as no world": put(small(), ("links", 0, "length"), 1e300),
    "a link of ten nanometres": put(small(), ("links", 0, "length"), 1e-8),
    "a link drawn as long as nothing": put(small(), ("points", "A"), [1e-200, 0]),
    "a section as high as no world": put(BEAM, ("beams", 0, "height"), 1e300),
    "a section that grows to it": put(BEAM, ("beams", 0, "height"), "0.01 + 1e12*s"),
    "a beam without thickness": put(BEAM, ("beams", 0, "height"), 1e-300),
    "faster than light": put(small(), ("bodies", 0, "velocity"), [1e308, 0]),
    "a wanted velocity faster than light": put(small(), ("velocities",), {"slider": [0, 1e308]}),
    "a spin without bounds": put(small(), ("bodies", 0, "spin"), 1e308),
    "gravity without bounds": put(small(), ("gravity",), [0, -1e308]),
    "a mass without bounds": put(small(), ("links", 0, "mass"), 1e300),
    "a mass of nothing": put(small(), ("links", 0, "mass"), 1e-300),
    "friction that no material has": contact("coefficient", 1e12),
    "a ground whose normal is nothing": put(BALL, ("contacts", 0, "surface", "line"), [0, 5e-324, 1]),
    "a ground beyond the sky": put(BALL, ("contacts", 0, "surface", "line"), [0, 1e-11, 1]),
    "more outputs than fit anywhere": put(small(), ("analysis",), {"until": 1e4, "output_step": 1e-8}),
    "more samples than fit anywhere": put(small(), ("analysis",), {"type": "inverse", "until": 1e4, "step": 1e-5}),
    "a field with a bracket": {**small(), "p[arameters": {"L": 1}},
    "a field of pydantic's": {**small(), "float": 1},
    "a long name": put(small(), ("links", 0, "name"), "a" * 100_000),
    "a long reference": put(small(), ("joints", 0, "a"), "a" * 100_000),
    "a long expression": put(small(), ("links", 0, "mass"), "1+" * 50_000 + "1"),
    "a number of a thousand digits": put(small(), ("links", 0, "mass"), 10**1000),
    "a long list as a number": put(small(), ("links", 0, "mass"), list(range(100_000))),
    "a nest of lists as a number": put(small(), ("links", 0, "mass"), [[[[[[[[[[]]]]]]]]]]),
}


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    process = Worker()
    yield process
    process.end()


def refusal_of(what: str) -> tuple[str, str]:
    """Return the error message for a wrong document and the class of the exception."""
    with pytest.raises(GaitwrightError) as refused:
        Model.from_dict(WRONG[what]).analyse()
    return str(refused.value), type(refused.value).__name__


@pytest.mark.parametrize("what", WRONG)
def test_refused_in_one_sentence(what: str, worker: Worker) -> None:
    text, kind = worker.call(refusal_of, what)
    assert len(text) <= MAX_MESSAGE_CHARACTERS and "\n" not in text
    assert kind != OutOfBudget.__name__


FILES: dict[str, tuple[str, bytes]] = {
    "brackets that overflow the stack of libyaml": ("model .yaml", b"[" * 25_000),
    "braces that overflow the stack of libyaml": ("model .json", b'{"a":' * 25_000),
    "a subject of brackets": ("subject.yaml", b"[" * 25_000),
    "a subject that contains itself": ("subject.yaml", b"mass: &a [*a]\nheight: 1.7\n"),
    "a subject whose mass is a date": ("subject.yaml", b"mass: 2001-99-99\nheight: 1.7\n"),
    "a foot that is a list": ("foot.json", b"[1, 2]"),
    "a foot that is no JSON": ("foot.json", b'{"shape": '),
    "a foot without tissue": ("foot.json", b'{"shape": {"side": "left", "notes": [], "origin": {}}, "inside": {"clamp": 0.1}}'),
    "a foot whose clamp is a text": (
        "foot.json", b'{"shape": {"side": "left", "notes": [], "origin": {}}, "inside": {"clamp": "a"}, "tissue": {}}',
    ),
    "a platform of infinite size": ("pressure .apd", APD.replace("LDistX=8.5", "LDistX=1e400").encode()),
    "a platform of overflowing pressure": ("pressure .apd", APD.replace("\t1.000", "\t1e308").encode()),
    "sensors that are no number": ("pressure .apd", APD.replace("SensCountX=5", "SensCountX=nan").encode()),
    "sensors without end": ("pressure .apd", APD.replace("StartSensX=0", "StartSensX=1e999").encode()),
    "a length that overflows": ("model .yaml", yaml.safe_dump(put(small(), ("links", 0, "length"), "1e308 km")).encode()),
    "thresholds whose unknown regions are a text": (
        "thresholds.yaml", b"gaitwright thresholds: 1\nthresholds: [{}]\nunknown: a\nsources: b\n",
    ),
    "a table of trials elsewhere": ("trials .csv", b"trial\n../../etc/passwd\n"),
    "states that are no numbers": ("result attributes", b"{} " * 4),
    "XML without end": ("MJCF", b"<mujoco><worldbody>" + b"<body>" * 100_000),
    "groups without end": ("SVG", b"<svg>" + b"<g>" * 100_000),
}  # fmt: skip
"""Content of files, by format."""
FOLDER = Path(__file__).parent / "findings"
KEPT = sorted(path for path in FOLDER.glob("*/*"))


@pytest.mark.parametrize("what", FILES)
def test_file_is_read_or_refused(what: str, worker: Worker) -> None:
    name, content = FILES[what]
    assert worker.judge(Case(name, 0, content)) == "refused"


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_kept_file_is_read_or_refused(path: Path, worker: Worker) -> None:
    assert worker.judge(Case(path.parent.name, 0, path.read_bytes())) in ("read", "refused")


def test_open_contact_has_no_location() -> None:
    """Test a ball in the air: the check once took its missing point of application for a wrong result."""
    model = Model.from_dict({**BALL, "analysis": {**BALL["analysis"], "until": 0.01}})
    model.document.outputs = ["ball.x", "floor.x", "floor.normal_force"]
    run = model.analyse()
    undefined = [name for name, value in run.summary()["final"].items() if value is None]
    assert undefined
    require_numbers(run)
    assert all(may_be_undefined(run, name) for name in undefined)
    assert not any(may_be_undefined(run, name) for name in run.default_names() if name.endswith("force"))


@pytest.mark.parametrize(
    "what, culprit",
    [
        ("a link of ten nanometres", "link 'crank' field 'length'"),
        ("faster than light", "body 'slider' field 'velocity[0]'"),
        ("a section as high as no world", "beam 'rod' field 'height'"),
        ("friction that no material has", "field 'friction.coefficient'"),
        ("a list as dimension", "2 for the plane or 3 for space"),
        ("a list as method", "dopri5"),
        ("a field with a bracket", "field 'p[arameters': there is no such field"),
        ("a field of pydantic's", "field 'float': there is no such field"),
    ],
)
def test_message_names_the_wrong_field(what: str, culprit: str) -> None:
    with pytest.raises(ModelError) as refused:
        Model.from_dict(WRONG[what]).analyse()
    assert culprit in str(refused.value)


def test_limits_allow_realistic_sizes() -> None:
    """A watch and a bridge stay within the limits of limits.py; products of six quantities do not overflow."""
    assert (
        MIN_POSITIVE_BY_UNIT["m"] <= 1e-6
        and MIN_POSITIVE_BY_UNIT["kg"] <= 1e-9
        and MAX_VALUE_BY_UNIT["m"] >= 1e4
        and MAX_VALUE_BY_UNIT["Pa"] >= 1e13
    )
    assert np.isfinite(MAX_VALUE_BY_UNIT["kg m^2"] * MAX_VALUE_BY_UNIT["rad/s"] ** 2 * MAX_VALUE_BY_UNIT["m"] ** 2)


# Malicious files -----------------------------------------------------------------------------------------------

DOUBLED = "".join(f"a{k + 1}: &a{k + 1} [*a{k}, *a{k}]\n" for k in range(60))
MERGED = "".join(f"a{k + 1}: &a{k + 1} {{<<: [*a{k}, *a{k}]}}\n" for k in range(40))
TEXTS = {
    "aliases of aliases": f"gaitwright: 1\na0: &a0 [1, 1]\n{DOUBLED}",
    "merges of merges": f"gaitwright: 1\na0: &a0 {{x: 1}}\n{MERGED}",
    "itself": "gaitwright: 1\nname: &a {b: *a}\n",
    "deep lists": "gaitwright: 1\nname: " + "[" * 800 + "]" * 800,
    "deep mappings": "gaitwright: 1\nname: " + "{a: " * 1000 + "1" + "}" * 1000,
    "a zero byte": "gaitwright: 1\nname: a\x00b\n",
    "a tab": "gaitwright: 1\nground:\n\tpoints: {}\n",
    "a key twice": "gaitwright: 1\ngaitwright: 1\n",
    "a key that is a list": "gaitwright: 1\n? [a]\n: 1\n",
    "an object of Python": "gaitwright: 1\nname: !!python/object/apply:os.system ['true']\n",
    "a number of many digits": "gaitwright: 1\nname: " + "9" * 5000,
    "a date that is none": "gaitwright: 1\nname: 2001-13-45\n",
}


@pytest.mark.parametrize("what", TEXTS)
def test_malicious_texts_are_refused(what: str, worker: Worker) -> None:
    assert worker.judge(Case("model .yaml", 0, TEXTS[what].encode())) == "refused"


def test_alias_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "model.yaml"
    document = small()
    document["links"][1]["mass"] = document["links"][2]["mass"] = 0.1
    path.write_text(
        yaml.safe_dump(document).replace("mass: 0.1", "mass: &m 0.1", 1).replace("mass: 0.1", "mass: *m", 1)
    )
    assert "*m" in path.read_text()
    assert load(path).mechanism().n


def test_too_large_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gaitwright.model.io.files.MAX_MODEL_FILE_BYTES", 1000)
    path = tmp_path / "model.yaml"
    path.write_text("gaitwright: 1\n" + "# nothing\n" * 200)
    with pytest.raises(ModelError, match="at most"):
        load(path)


# Budgets -----------------------------------------------------------------------------------------------------------------


def budgeted(document: Any, **budget: Any) -> Any:
    return Model.from_dict({**document, "analysis": {**document.get("analysis", {}), **budget}})


@pytest.mark.parametrize(
    "asked",
    [
        {"type": "forward", "until": 3, "step": 1e-3, "max_steps": 100},
        {"type": "forward", "until": 3, "max_steps": 40},
        {"type": "inverse", "until": 3, "step": 1e-3, "max_steps": 100},
        {"type": "forward", "until": 3, "step": 1e-3, "max_seconds": 1e-9},
        {"type": "static", "max_steps": 2},
    ],
    ids=lambda asked: "-".join(map(str, asked.values())),
)
def test_budget_ends_an_analysis_with_a_partial_result(asked: dict[str, Any]) -> None:
    with pytest.raises(OutOfBudget) as ended:
        Model.from_dict({**small(), "analysis": asked}).analyse()
    which = "max_steps" if "max_steps" in asked else "max_seconds"
    assert f"raise {which}" in str(ended.value)
    partial = ended.value.partial
    assert partial is not None and partial.time.size > 0
    assert partial.time[-1] <= ended.value.time + 1e-12
    if asked["type"] != "static":
        assert ended.value.time < 3.0


def test_sufficient_budget_changes_nothing() -> None:
    document = {**small(), "analysis": {"until": 0.05, "step": 1e-3}}
    free, bound = Model.from_dict(document).analyse(), budgeted(document, max_steps=50, max_seconds=1e9).analyse()
    assert free.evidence.steps == 50
    assert np.array_equal(free.motion.q, bound.motion.q)


@pytest.mark.parametrize("field", ["max_steps", "max_seconds"])
@pytest.mark.parametrize("value", [0, -1, "none", [1], True])
def test_invalid_budget_is_refused(field: str, value: Any) -> None:
    with pytest.raises(ModelError, match=field):
        budgeted(small(), **{field: value}).analyse()


def test_budgets_in_python() -> None:
    model = Model.from_dict(small())
    for analyse in (
        lambda **budget: model.simulate(1.0, step=1e-3, **budget),
        lambda **budget: model.inverse(1.0, step=1e-3, **budget),
        lambda **budget: model.static(**budget),
        lambda **budget: model.modes(**budget),
    ):
        with pytest.raises(OutOfBudget):
            analyse(max_steps=1)
    with pytest.raises(OutOfBudget):
        model.static_path(1.0, max_seconds=1e-9)


def test_part_of_a_result_without_samples_is_missing() -> None:
    """Such a part used to be a result without times, on which summaries failed."""
    leg = gw.Model("stuck").ground_point("O", 0, 0).point("A", 1, 0)
    leg.link("bar", "O", "A", mass=1).drive.rotation("bar", angle="sqrt(t - 1)")
    with pytest.raises(GaitwrightError) as refused:
        leg.kinematics(2.0)
    assert getattr(refused.value, "partial", None) is None


def test_a_crank_of_1e100_rad_per_second() -> None:
    """Splines through its powers used to have undefined slopes."""
    crank = gw.Model("fast", gravity=(0, 0)).ground_point("O", 0, 0).point("A", 0.1, 0)
    crank.link("crank", "O", "A", mass=0.2).drive.rotation("crank", angle="1e100*t + sin(1e100*t)/2")
    run = crank.inverse(6e-100, step=6e-102)
    assert np.isfinite(run.array("crank.torque")).all() and np.isfinite(run.balance.work).all()
