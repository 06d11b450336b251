"""A model is read, checked and turned into tables once for all analyses that use it."""

import sys
from collections import Counter

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.codegen.c_library import find_compiler
from gaitwright.foot.parametric_shape import from_measures
from gaitwright.mechanism import mechanism as mechanism_module
from gaitwright.mechanisms.catalogue import CATALOGUE
from gaitwright.mechanisms.jansen import jansen_leg
from gaitwright.model import builder as builder_module
from gaitwright.model import compiled_model as compiled_module
from gaitwright.model.model import compile_model, make_variant, model_of_compiled
from gaitwright.model.reader.mechanism_builder import MechanismBuilder
from gaitwright.model.reader.name_resolver import NameResolver
from gaitwright.model.reader.number_reader import NumberReader
from gaitwright.studio.model_editor import ModelEditor


@pytest.fixture
def counts(monkeypatch):
    """Number of calls that read a model, check it or build its tables."""
    counted = Counter()

    def count(owner, attribute, name):
        function = getattr(owner, attribute)

        def counting(*arguments, **options):
            counted[name] += 1
            return function(*arguments, **options)

        monkeypatch.setattr(owner, attribute, counting)

    count(MechanismBuilder, "read", "readings")
    count(NumberReader, "__init__", "number readers")
    count(NameResolver, "__init__", "name resolvers")
    count(mechanism_module, "build_tables", "tables")
    count(compiled_module, "plausibility_warnings", "checks")
    count(builder_module, "validate_document", "validations")
    return counted


ONCE = {"readings": 1, "number readers": 1, "name resolvers": 1, "checks": 1}


def test_run_reads_a_model_once(counts, tmp_path, monkeypatch):
    from gaitwright.cli.main import main

    CATALOGUE["four-bar"].write(tmp_path / "model.yaml")
    counts.clear()
    arguments = ["gaitwright", "run", str(tmp_path / "model.yaml"), "--out", str(tmp_path / "out"), "--json"]
    monkeypatch.setattr(sys, "argv", arguments)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    assert counts == {**ONCE, "tables": 1, "validations": 1}


def test_a_leg_is_read_once_and_has_tables_for_each_ground_and_direction(counts):
    leg = jansen_leg()
    counts.clear()
    found = gw.analyse_leg(leg, samples=40)
    assert [len(turn.ground) for turn in found.turns.values()] == [2, 2]
    # in the air and on two kinds of ground, in both directions
    assert counts == {**ONCE, "tables": 6}


def test_analyses_of_one_model_share_its_tables(counts):
    leg = jansen_leg()
    counts.clear()
    leg.check()
    leg.assemble()
    leg.kinematics(0.1, step=0.01)
    leg.inverse(0.1, step=0.01)
    gw.measure_leg(leg.inverse(1.0, step=0.01))
    assert counts == {**ONCE, "tables": 2}  # and those without drives, for the mobility


@pytest.mark.skipif(find_compiler() is None, reason="generates a C program")
def test_a_thousand_designs_read_a_model_once(counts):
    leg, lengths = jansen_leg(), np.linspace(0.095, 0.105, 1000)
    counts.clear()
    gw.designs(leg, {"crank": lengths}, measures=["crank.torque.max_abs"], analysis={"type": "inverse", "until": 1})
    # once for the model, once with traced numbers, and for the three designs with which these are compared; tables of the
    # model, for its outputs and redundant joints, and of the traced one, for its equations and, with terms, its outputs
    fives = {"readings": 5, "number readers": 5, "name resolvers": 5}
    assert counts == {**fives, "checks": 1, "tables": 3}


def test_a_drag_of_the_studio_reads_the_changed_model_once(counts, tmp_path):
    CATALOGUE["jansen-leg"].write(tmp_path / "leg.yaml")
    editor = ModelEditor(tmp_path / "leg.yaml")
    version = editor.state()["version"]
    editor.show()
    command = {"do": "move-point", "name": "C", "lengths": "follow", "drag": "hand"}
    x, y = next(point["at"] for point in editor.state()["points"] if point["name"] == "C")
    counts.clear()
    editor.edit({**command, "to": [x + 0.003, y]}, version)
    editor.show(samples=40)
    assert counts == {**ONCE, "tables": 1, "validations": 1}
    editor.close()


@pytest.mark.slow
def test_a_foot_is_saved_without_a_second_model(counts, tmp_path):
    shape = from_measures()
    foot = gw.foot.Foot(shape, shape.fill(0.015))
    counts.clear()
    standing = foot.stand(622.0)
    foot.save(tmp_path, standing=standing)
    assert counts == {**ONCE, "tables": 1, "validations": counts["validations"]}
    assert gw.load(tmp_path / "foot.yaml").document.analysis.type == "static"


def test_contacts_and_outputs_change_without_reading_again(counts):
    leg = jansen_leg()
    leg.mechanism()
    counts.clear()
    leg.contact("F", gw.surfaces.LineGround(level=-0.3), law=gw.laws.Hertz(stiffness=1e5), name="floor")
    leg.output("F.x")
    assert [names.name for names in leg.mechanism().contact_names] == ["floor"]
    assert counts["readings"] == 0


@pytest.mark.parametrize(
    "change",
    [
        lambda model: model.document.parameters.update(crank=0.12),
        lambda model: model.document.links[0].points.update(Q=[0.01, 0.0]),
        lambda model: model.document.drives[0].update(angle="3*t"),
        lambda model: model.force.at_point("F", [1.0, 0.0]),
    ],
    ids=["parameter", "point in place", "entry in place", "force"],
)
def test_a_changed_document_is_compiled_again(change):
    leg = jansen_leg()
    before = leg.mechanism()
    change(leg)
    after, new = leg.mechanism(), gw.Model.from_dict(leg.to_dict()).mechanism()
    assert after is not before
    run, expected = (gw.Model.from_dict(leg.to_dict()).kinematics(0.3, step=0.1) for _ in range(2))
    assert len(after.forces) == len(new.forces) and after.parts.keys() == new.parts.keys()
    np.testing.assert_array_equal(leg.kinematics(0.3, step=0.1).motion.q, expected.motion.q)
    np.testing.assert_array_equal(run.motion.q, expected.motion.q)


def test_a_compiled_model_keeps_its_document():
    leg = jansen_leg()
    compiled = compile_model(leg)
    leg.document.drives[0]["angle"] = "3*t"
    leg.document.parameters["crank"] = 0.2
    variant = model_of_compiled(compiled)
    variant.document.links[0].points["Q"] = [0.0, 0.0]
    assert compiled.document.drives[0]["angle"] == jansen_leg().document.drives[0]["angle"]
    assert compiled.document.parameters == jansen_leg().document.parameters
    assert not compiled.document.links[0].points


def test_parameters_contacts_and_directions_are_inputs():
    leg = jansen_leg()
    leg.contact("F", gw.surfaces.LineGround(level=-0.3), law=gw.laws.Hertz(stiffness=1e5), name="floor")
    compiled = compile_model(leg)
    assert compiled.mechanism() is compiled.mechanism()
    assert not compiled.mechanism(contacts=[]).contacts
    longer, copied = compiled.mechanism({"crank": 0.11}), leg.copy(crank=0.11).mechanism()
    assert [list(e.parameters) for e in longer.constraints] == [list(e.parameters) for e in copied.constraints]
    forward, backward = (one.signals[one.constraints[-1].signals[0]] for one in
                         (compiled.mechanism(), compiled.mechanism(reverse=True)))  # fmt: skip
    assert forward.identity != backward.identity
    with pytest.raises(gw.ModelError, match="is not a parameter"):
        make_variant(leg, {"crnk": 0.1})


def test_a_compiled_model_can_be_sent_to_another_process():
    import pickle

    leg = jansen_leg()
    leg.mechanism()
    again = pickle.loads(pickle.dumps(leg))
    compiled = pickle.loads(pickle.dumps(compile_model(leg).variant({"crank": 0.11})))
    np.testing.assert_array_equal(again.kinematics(0.1).motion.q, leg.kinematics(0.1).motion.q)
    assert not compiled.is_checked and compiled.document.parameters["crank"] == 0.11
