"""What is seen while something is dragged: equal to what the engine says of the same model."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from gaitwright.legs.measure import measure_leg, one_turn
from gaitwright.model.lowered import Lowered
from gaitwright.model.model import Model
from gaitwright.studio.alive import EXACT, picture, seen_places
from gaitwright.studio.document import Document
from gaitwright.studio.sketch import sketch

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(FOLDER.glob("*.yaml"))
JANSEN = (FOLDER / "jansen.yaml").read_text()


def shown(text, **options):
    document = Document(text, FOLDER)
    assert document.problem is None, document.problem
    return picture(document.model, document.tree.data, **options)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_seen(path):
    if path.stem == "soft_cantilever":
        pytest.importorskip("meshio")
    found = shown(path.read_text(), frames=3)
    json.dumps(found, allow_nan=False)
    assert found["closed"]
    assert found["shapes"] or found["scene"]
    assert not found["gaps"]
    lengths = {len(shape["points"]) for shape in found["shapes"]} | {len(joint["points"]) for joint in found["joints"]}
    assert lengths <= {1, len(found["time"])}


def test_headline_numbers_are_those_of_the_engine():
    model = Document(JANSEN).model
    run = Model.from_dict({**model.to_dict(), "analysis": one_turn(EXACT)}).analyse()
    expected = measure_leg(run)
    found = {entry["name"]: entry["value"] for entry in shown(JANSEN, samples=EXACT)["numbers"]}
    assert found == pytest.approx({name: expected[name] for name in found}, rel=1e-9)
    quick = {entry["name"]: entry["value"] for entry in shown(JANSEN)["numbers"]}
    assert quick == pytest.approx(found, rel=5e-3)


def test_poses_and_curve_are_those_of_kinematics():
    run = Document(JANSEN).model.kinematics(times=np.linspace(0.0, 1.0, 73))
    found = shown(JANSEN, frames=72)
    assert found["time"] == pytest.approx(run.time)
    assert np.array(found["places"]["F"]) == pytest.approx(
        np.stack([run.values("F.x"), run.values("F.y")], axis=1), abs=2e-6
    )
    assert found["traces"][0]["points"] == found["places"]["F"]
    at = shown(JANSEN, time=0.3)
    exact = Document(JANSEN).model.kinematics(times=np.linspace(0.0, 0.3, 31))
    assert at["time"] == [0.3]
    assert at["places"]["F"][0] == pytest.approx([exact.values("F.x")[-1], exact.values("F.y")[-1]], abs=2e-6)


def test_a_wrong_length_is_open_by_the_millimetres_that_are_missing():
    document = Document(JANSEN)
    document.edit({"do": "set-length", "name": "L2", "length": 0.9})
    found = picture(document.model, document.tree.data, suspects=["L2"])
    missing = 0.9 - 0.277 - math.hypot(0.1 + math.sqrt(0.257**2 - 0.052**2), 0.052)
    (gap,) = found["gaps"]
    assert gap["mm"] == pytest.approx(1e3 * missing, abs=1e-3)
    assert 1e3 * math.dist(*gap["at"]) == pytest.approx(gap["mm"], abs=1e-3)
    assert "L2" in gap["bodies"]
    assert f"{1e3 * missing:.3g} mm" in gap["text"]
    assert not found["closed"]
    fault = next(fault for fault in found["faults"] if fault["what"] == "open")
    assert fault["element"]["name"] in ("A", "B")


def test_two_loops_that_do_not_close_are_both_told():
    text = JANSEN.replace("length: 0.333", "length: 0.9").replace("length: 0.263", "length: 1.9")
    found = shown(text)
    assert not found["closed"]
    assert len(found["gaps"]) > 1


REDUNDANT = """
gaitwright: 1
gravity: [0, 0]
ground: {points: {O1: [0, 0], O2: [0.2, 0], O3: [0.4, 0]}}
points: {A: [0, 0.1], B: [0.2, 0.1], C: [0.4, 0.1]}
links:
  - {name: bar, from: A, to: C, mass: 1, points: {B: [0, 0]}}
  - {name: one, from: O1, to: A, mass: 1}
  - {name: two, from: O2, to: B, mass: 1}
  - {name: three, from: O3, to: C, mass: 1}
drives:
  - {type: rotation, body: one, angle: 1.5707963267948966 + 0.3*t}
"""


def test_redundant_joints_are_marked_on_their_point():
    found = shown(REDUNDANT)
    (fault,) = [fault for fault in found["faults"] if fault["what"] == "redundant"]
    assert "follows from" in fault["text"]
    assert fault["element"]["section"] in ("points", "ground")
    assert found["freedom"] == 0
    assert found["closed"]


def test_a_dead_point_is_told_with_its_time_and_the_curve_ends_there():
    text = JANSEN.replace("length: 0.100", "length: 0.12")
    found = shown(text, frames=10)
    (fault,) = [fault for fault in found["faults"] if fault["what"] == "dead"]
    assert 0 < fault["time"] < 1
    assert found["time"][-1] < fault["time"]
    assert not found["numbers"]
    assert found["closed"]


def test_a_free_mechanism_has_its_pose_and_its_freedom():
    found = shown((FOLDER / "four_bar.yaml").read_text())
    assert (found["freedom"], found["period"], found["time"]) == (1, None, [0.0])


def test_places_for_moves_are_those_that_are_seen():
    document = Document(JANSEN)
    for time in (0.0, 0.25):
        seen = seen_places(document.model, time)
        found = picture(document.model, {}, time=time)["places"]
        for name, at in found.items():
            assert seen[name] == pytest.approx(tuple(at[0]), abs=2e-6)
    slider = Document((FOLDER / "slider_crank.yaml").read_text())
    assert seen_places(slider.model, 0.0)["slider.pose"] == pytest.approx((0.5, 0, 0))


def test_a_drawing_that_is_no_mechanism_yet_is_sketched():
    document = Document("gaitwright: 1\nground: {points: {O: [0, 0]}}\npoints: {A: [L, 1]}\nparameters: {L: 2}\n")
    document.edit({"do": "add-link", "from": "O", "to": "A"})
    document.edit({"do": "set", "path": ["links", 0, "mass"], "value": -1})
    found = sketch(document.tree)
    assert found["places"] == {"O": [[0, 0]], "A": [[2, 1]]}
    assert found["shapes"][0]["points"] == [[0, 0, 2, 1]]
    assert set(found) <= set(shown(JANSEN))


def test_warm_starts_are_the_same_as_cold_ones():
    model = Lowered(Document(JANSEN).model)
    first, second = (picture(model, {}) for _ in range(2))
    assert {**first, "milliseconds": 0} == {**second, "milliseconds": 0}
