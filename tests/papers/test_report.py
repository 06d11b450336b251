"""The page about an experiment: every check is on it, pictures are those that were drawn, reasons stand beside choices."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from gaitwright.mechanisms import pendulum
from gaitwright.papers.check import VERDICTS, Experiment, judge
from gaitwright.papers.report import chosen, experiment_report, first_moving, said
from gaitwright.report.blocks import Animation, Code, Figures, Picture, Table, Verdicts
from gaitwright.report.scene import Scene


class Made(Experiment):
    """An experiment with one check of each verdict."""

    def judged(self):
        about = {"unit": "m", "paper": "003", "tolerance": 1e-3, "rounding": 0.1}
        return [
            judge("a", "equal", 1.0, 1.0, **about),
            judge("b", "rounded", 1.0, 1.05, **about),
            judge("c", "misprint", 1.0, 2.0, impossible="twice as much < all", confirmed=True, **about),
            judge("d", "wrong", 1.0, 3.0, **about),
        ]

    def numbers(self):
        return {"run": {"steps": 3}}

    def draw(self, folder: Path):
        Image.new("RGB", (4, 3), "red").save(folder / "made-curve.png")
        return {"curve": folder / "made-curve.png"}

    def scenes(self):
        return {"falls": Scene("ball", np.arange(3.0), joints={"P": np.zeros((3, 2))})}

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


def test_what_is_on_the_page(made, tmp_path):
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
    (table,) = chosen(
        {"mass": 1.0, "soft_law": {"K": 2e4, "n": (1, 2)}, "reasons": {"mass": "none given", "until": "3 s"}}
    )
    assert isinstance(table, Table)
    assert table.rows == [("mass", "1", "none given"), ("soft law", "K: 20000; n: 1, 2", ""), ("until", "", "3 s")]
    assert chosen({}) == [] and said("text") == "text"
    assert chosen({"reasons": "one sentence"})[0].rows == [("reasons", "one sentence", "")]


def test_the_first_run_that_moves_is_shown():
    still, moving = pendulum((0.3,)).static(), pendulum((0.3,)).simulate(0.1, step=0.01)
    (title,) = found = first_moving({"note": 1, "still": still, "swings": moving, "again": moving})
    assert title == "swings" and found[title].n_frames == moving.time.size
    assert first_moving(None) == first_moving({"note": 1}) == {}
