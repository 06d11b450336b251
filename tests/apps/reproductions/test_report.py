"""The page of an experiment contains every check, the drawn pictures, and a reason for each choice."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from gaitwright.mechanisms import pendulum
from gaitwright.report.blocks import Animation, Code, Figures, Picture, Table, Verdicts
from gaitwright.report.scenes.planar_scene import PlanarScene
from gaitwright_apps.reproductions.experiments import VERDICTS, Experiment, judge_number
from gaitwright_apps.reproductions.report import choice_tables, describe_choice, experiment_report, first_moving_scene


class Made(Experiment):
    """An experiment with one check of each verdict."""

    def judged(self):
        about = {"unit": "m", "paper": "003", "tolerance": 1e-3, "rounding": 0.1}
        return [
            judge_number("a", "equal", 1.0, 1.0, **about),
            judge_number("b", "rounded", 1.0, 1.05, **about),
            judge_number("c", "misprint", 1.0, 2.0, impossible="twice as much < all", confirmed=True, **about),
            judge_number("d", "wrong", 1.0, 3.0, **about),
        ]

    def numbers(self):
        return {"run": {"steps": 3}}

    def draw(self, folder: Path):
        Image.new("RGB", (4, 3), "red").save(folder / "made-curve.png")
        return {"curve": folder / "made-curve.png"}

    def scenes(self):
        return {"falls": PlanarScene("ball", np.arange(3.0), joints={"P": np.zeros((3, 2))})}

    def tables(self):
        return [(("run", "steps"), [("one", "3")])]

    def remarks(self):
        return ["a remark"]


@pytest.fixture
def made():
    return Made("made", "003", "a made experiment", {"mass": 1.0, "reasons": {"mass": "not printed"}})


def test_writing_makes_the_page_beside_the_numbers(made, tmp_path):
    files = made.write(tmp_path)
    html = (tmp_path / "made.html").read_text("utf-8")
    assert files["report"] == tmp_path / "made.html"
    listed = json.loads((tmp_path / "made.json").read_text())["files"]
    assert listed["report"] == str(tmp_path / "made.html")
    assert re.findall(r'<tr data-verdict="([^"]*)">', html) == list(VERDICTS)
    assert "twice as much &lt; all" in html and "a remark" in html and "data:image/png;base64," in html
    header, *rows = (tmp_path / "made-files" / "published-and-computed.csv").read_text().splitlines()
    assert header.startswith("id,paper,quantity,published,computed") and len(rows) == 4


def test_contents_of_the_page(made, tmp_path):
    made.files = made.draw(tmp_path)
    report = experiment_report(made.findings(), made.scenes())
    kinds = [type(block) for block in report.blocks]
    assert kinds.count(Animation) == kinds.count(Picture) == kinds.count(Verdicts) == kinds.count(Code) == 1
    (figures,) = (block for block in report.blocks if isinstance(block, Figures))
    assert {fact.label: fact.value for fact in figures.facts} == {
        "published results": 4,
        **dict.fromkeys(VERDICTS, 1),
        "other checks": 0,
    }
    assert report.title == "A made experiment"


def test_reasons_stand_beside_choices():
    (table,) = choice_tables(
        {"mass": 1.0, "soft_law": {"K": 2e4, "n": (1, 2)}, "reasons": {"mass": "none given", "until": "3 s"}}
    )
    assert isinstance(table, Table)
    assert table.rows == [("mass", "1", "none given"), ("soft law", "K: 20000; n: 1, 2", ""), ("until", "", "3 s")]
    assert choice_tables({}) == [] and describe_choice("text") == "text"
    assert choice_tables({"reasons": "one sentence"})[0].rows == [("reasons", "one sentence", "")]


def test_the_first_moving_run_is_shown():
    still, moving = pendulum((0.3,)).static(), pendulum((0.3,)).simulate(0.1, step=0.01)
    (title,) = result = first_moving_scene({"note": 1, "still": still, "swings": moving, "again": moving})
    assert title == "swings" and result[title].n_frames == moving.time.size
    assert first_moving_scene(None) == first_moving_scene({"note": 1}) == {}
