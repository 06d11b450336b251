"""Live preview: equal to the results of the engine for the same model."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from gaitwright.legs.turn_measures import measure_leg, one_turn
from gaitwright.model.model import Model
from gaitwright.studio.document import StudioDocument
from gaitwright.studio.live_preview import EXACT_SAMPLES, assembled_positions, draw_picture
from gaitwright.studio.sketch import sketch_document

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(FOLDER.glob("*.yaml"))
JANSEN = (FOLDER / "jansen.yaml").read_text()


def shown(text, **options):
    document = StudioDocument(text, FOLDER)
    assert document.problem is None, document.problem
    return draw_picture(document.model, document.tree.data, **options)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_has_a_preview(path):
    if path.stem == "soft_cantilever":
        pytest.importorskip("meshio")
    preview = shown(path.read_text(), frames=3)
    json.dumps(preview, allow_nan=False)
    assert preview["closed"]
    assert preview["shapes"] or preview["scene"]
    assert not preview["gaps"]
    lengths = {len(shape["points"]) for shape in preview["shapes"]} | {
        len(joint["points"]) for joint in preview["joints"]
    }
    assert lengths <= {1, len(preview["time"])}


def test_headline_numbers_match_the_engine():
    model = StudioDocument(JANSEN).model
    run = Model.from_dict({**model.to_dict(), "analysis": one_turn(EXACT_SAMPLES)}).analyse()
    expected = measure_leg(run)
    headline_numbers = {entry["name"]: entry["value"] for entry in shown(JANSEN, samples=EXACT_SAMPLES)["numbers"]}
    assert headline_numbers == pytest.approx({name: expected[name] for name in headline_numbers}, rel=1e-9)
    quick = {entry["name"]: entry["value"] for entry in shown(JANSEN)["numbers"]}
    assert quick == pytest.approx(headline_numbers, rel=5e-3)


def test_poses_and_curves_match_kinematics():
    run = StudioDocument(JANSEN).model.kinematics(times=np.linspace(0.0, 1.0, 73))
    preview = shown(JANSEN, frames=72)
    assert preview["time"] == pytest.approx(run.time)
    assert np.array(preview["places"]["F"]) == pytest.approx(
        np.stack([run.array("F.x"), run.array("F.y")], axis=1), abs=2e-6
    )
    assert preview["traces"][0]["points"] == preview["places"]["F"]
    at = shown(JANSEN, time=0.3)
    exact = StudioDocument(JANSEN).model.kinematics(times=np.linspace(0.0, 0.3, 31))
    assert at["time"] == [0.3]
    assert at["places"]["F"][0] == pytest.approx([exact.array("F.x")[-1], exact.array("F.y")[-1]], abs=2e-6)


def test_a_wrong_length_opens_a_gap_of_the_missing_length():
    document = StudioDocument(JANSEN)
    document.edit({"do": "set-length", "name": "L2", "length": 0.9})
    picture = draw_picture(document.model, document.tree.data, suspects=["L2"])
    missing = 0.9 - 0.277 - math.hypot(0.1 + math.sqrt(0.257**2 - 0.052**2), 0.052)
    (gap,) = picture["gaps"]
    assert gap["mm"] == pytest.approx(1e3 * missing, abs=1e-3)
    assert 1e3 * math.dist(*gap["at"]) == pytest.approx(gap["mm"], abs=1e-3)
    assert "L2" in gap["bodies"]
    assert f"{1e3 * missing:.3g} mm" in gap["text"]
    assert not picture["closed"]
    fault = next(fault for fault in picture["faults"] if fault["what"] == "open")
    assert fault["element"]["name"] in ("A", "B")


def test_two_open_loops_are_both_reported():
    text = JANSEN.replace("length: 0.333", "length: 0.9").replace("length: 0.263", "length: 1.9")
    preview = shown(text)
    assert not preview["closed"]
    assert len(preview["gaps"]) > 1


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
    preview = shown(REDUNDANT)
    (fault,) = [fault for fault in preview["faults"] if fault["what"] == "redundant"]
    assert "follows from" in fault["text"]
    assert fault["element"]["section"] in ("points", "ground")
    assert preview["freedom"] == 0
    assert preview["closed"]


def test_a_dead_point_is_reported_with_its_time():
    text = JANSEN.replace("length: 0.100", "length: 0.12")
    preview = shown(text, frames=10)
    (fault,) = [fault for fault in preview["faults"] if fault["what"] == "dead"]
    assert 0 < fault["time"] < 1
    assert preview["time"][-1] < fault["time"]
    assert not preview["numbers"]
    assert preview["closed"]


def test_an_undriven_mechanism_has_a_pose_and_its_degrees_of_freedom():
    preview = shown((FOLDER / "four_bar.yaml").read_text())
    assert (preview["freedom"], preview["period"], preview["time"]) == (1, None, [0.0])


def test_positions_for_moves_match_the_preview():
    document = StudioDocument(JANSEN)
    for time in (0.0, 0.25):
        seen = assembled_positions(document.model, time)
        picture = draw_picture(document.model, {}, time=time)["places"]
        for name, at in picture.items():
            assert seen[name] == pytest.approx(tuple(at[0]), abs=2e-6)
    slider = StudioDocument((FOLDER / "slider_crank.yaml").read_text())
    assert assembled_positions(slider.model, 0.0)["slider.pose"] == pytest.approx((0.5, 0, 0))


def test_an_unfinished_drawing_is_sketched():
    document = StudioDocument("gaitwright: 1\nground: {points: {O: [0, 0]}}\npoints: {A: [L, 1]}\nparameters: {L: 2}\n")
    document.edit({"do": "add-link", "from": "O", "to": "A"})
    document.edit({"do": "set", "path": ["links", 0, "mass"], "value": -1})
    sketch = sketch_document(document.tree)
    assert sketch["places"] == {"O": [[0, 0]], "A": [[2, 1]]}
    assert sketch["shapes"][0]["points"] == [[0, 0, 2, 1]]
    assert set(sketch) <= set(shown(JANSEN))


def test_repeated_previews_are_equal():
    model = StudioDocument(JANSEN).model
    first, second = (draw_picture(model, {}) for _ in range(2))
    assert {**first, "milliseconds": 0} == {**second, "milliseconds": 0}
