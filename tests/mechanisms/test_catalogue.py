"""Every ready mechanism: its model file gives the same motion, its feet exist, and the command line offers it."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import gaitwright as gw
from gaitwright import mechanisms
from gaitwright.cli.main import app
from gaitwright.mechanisms.catalogue import CATALOGUE, find_entry
from gaitwright.model.io.files import load
from gaitwright.model.model import Model

NOT_MODELS = {"instant_centre"}


def shortened(model: Model) -> Model:
    """Model with only the first part of its analysis."""
    raw = model.to_dict()
    analysis = raw["analysis"]
    part = f"({analysis['until']})*{0.1 if analysis['type'] != 'forward' else 0.02}"
    return Model.from_dict({**raw, "analysis": {**analysis, "until": part}})


@pytest.mark.parametrize("name", CATALOGUE)
def test_the_model_file_gives_the_same_motion(name, tmp_path):
    entry = CATALOGUE[name]
    path = entry.write(tmp_path / "model.yaml")
    assert path.read_text().startswith(f"# {entry.question}\n")
    model, again = entry.model(), load(path)
    assert again.to_dict() == model.to_dict()
    first, second = (shortened(each).analyse() for each in (model, again))
    assert np.array_equal(first.motion.q, second.motion.q) and np.array_equal(first.motion.v, second.motion.v)
    assert first.time.size > 1 and np.ptp(first.motion.q, axis=0).max() > 1e-6, "it moves"
    assert first.evidence.max_position_violation < 1e-6
    for point in (*entry.feet, *entry.trace):
        assert np.isfinite(first.array(f"{point}.y")).all()


def test_the_catalogue_is_complete():
    made = {entry.make().document.name for entry in CATALOGUE.values()}
    functions = {name for name in mechanisms.__all__ if name not in NOT_MODELS}
    sources = {name.replace("-", "_") for name in CATALOGUE}
    assert functions <= sources, "a ready mechanism without an entry"
    assert len(made) >= len(CATALOGUE) - 1  # the carbon fibre beam is a cantilever
    assert all(entry.question.endswith("?") for entry in CATALOGUE.values())


def test_legs_have_feet():
    assert CATALOGUE["jansen-leg"].feet == ("F",) and CATALOGUE["strider-legs"].feet == ("F_left", "F_right")
    assert all(entry.feet for name, entry in CATALOGUE.items() if name.endswith(("-leg", "-legs")))
    assert not CATALOGUE["four-bar"].feet


def test_an_unknown_name_gets_a_suggestion():
    with pytest.raises(gw.ModelError, match=r"no example 'klan-leg'.*did you mean 'klann-leg'"):
        find_entry("klan-leg")


def test_a_picture_can_be_drawn(tmp_path):
    path = CATALOGUE["klann-leg"].picture(tmp_path / "leg.png")
    assert path.read_bytes().startswith(b"\x89PNG")


def call(*arguments, code=0):
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert done.exit_code == code, (done.stdout, done.stderr, done.exception)
    return done


def test_the_command_lists_all_examples():
    assert json.loads(call("example", "--json").stdout)["examples"] == {k: e.question for k, e in CATALOGUE.items()}
    assert "strider-legs" in call("example").stdout


@pytest.mark.parametrize("out", ["mine.yaml", "mine.json", "folder"])
def test_the_command_writes_a_model_that_runs(out, tmp_path):
    done = call("example", "four-bar", "--out", tmp_path / out, "--json")
    path = json.loads(done.stdout)["files"]["model"]
    assert path == str(tmp_path / out if "." in out else tmp_path / out / "four-bar.yaml")
    assert load(path).to_dict() == CATALOGUE["four-bar"].model().to_dict()
    ran = json.loads(call("run", path, "--out", tmp_path / "run", "--json").stdout)
    assert ran["name"] == "four-bar" and ran["max_abs"]["crank.torque"] > 0.01


def test_the_command_refuses_unknown_examples(tmp_path):
    done = call("example", "centipede", "--out", tmp_path / "x.yaml", code=2)
    assert "no example 'centipede'" in done.stderr and not (tmp_path / "x.yaml").exists()
