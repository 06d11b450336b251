"""Notebook cards: self-contained escaped HTML with a picture, fast, and without exceptions."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright import analysis
from gaitwright.mechanisms import four_bar, jansen_leg, pendulum
from gaitwright.report import notebook_card
from gaitwright.report.views import notebook_cards

PNG = b"\x89PNG\r\n"
OPEN = ("img", "br", "meta")


class Checked(HTMLParser):
    """Check that every element is closed correctly; collects the text."""

    def __init__(self, text: str):
        super().__init__()
        self.inside: list[str] = []
        self.words: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)
        assert not self.inside

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert not [name for name, _ in attrs if name.startswith("on")]
        if tag not in OPEN:
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.inside.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def pictures(html: str) -> list[bytes]:
    return [base64.b64decode(data) for data in re.findall(r'src="data:image/png;base64,([^"]*)"', html)]


def spring() -> gw.Model:
    """A mass on a spring with a parameter as stiffness."""
    return gw.Model.from_dict({
        "gaitwright": 1, "name": "spring", "gravity": [0, -9.81], "parameters": {"k": 100.0},
        "ground": {"points": {"O": [0, 0.5]}}, "bodies": [{"name": "mass", "mass": 1, "inertia": 0.01, "at": [0, 0]}],
        "joints": [{"type": "prismatic", "a": "ground.O", "b": "mass", "axis": [0, 1]}],
        "forces": [{"type": "spring-damper", "a": "ground.O", "b": "mass", "stiffness": "k", "rest_length": 0.4}],
        "analysis": {"type": "static"},
    })  # fmt: skip


def open_loop() -> gw.Model:
    """A mechanism that cannot be closed: its ground pins are too far apart."""
    model = (
        gw.Model("open loop")
        .ground_point("O", 0, 0)
        .ground_point("C", 0.9, 0)
        .point("A", 0.1, 0)
        .point("B", 0.25, 0.25)
    )
    for name, a, b, length in (("crank", "O", "A", 0.1), ("coupler", "A", "B", 0.3), ("rocker", "C", "B", 0.25)):
        model.link(name, a, b, length=length, mass=0.1)
    return model


def sledge() -> gw.Walk:
    """A block that is pulled over the ground while a crank on it rotates."""
    model = gw.Model("sledge")
    model.body("body", mass=2.0, inertia=0.02, at=(0, 0.1), points={"heel": (-0.2, -0.1), "toe": (0.2, -0.1)})
    model.body("wheel", mass=0.5, inertia=1e-3, at=(0, 0.1)).joint.revolute("body", "wheel")
    model.drive.relative_rotation("body", "wheel", "8*pi*t", name="motor").drive.position(
        "body", x="0.2*t", name="rope"
    )
    for foot in ("heel", "toe"):
        model.contact(
            f"body.{foot}", gw.surfaces.LineGround(), law=gw.laws.KelvinVoigt(stiffness=2e4, damping=200), name=foot
        )
    return gw.measure_walk(model.simulate(0.6, method="radau5", output_step=2e-3), drives=["motor"])


STIFFNESSES = {"k": (50.0, 400.0)}


def question() -> dict[str, Any]:
    return {"target": {"mass.y": -0.05}, "analysis": "static"}


SHOWN: dict[str, tuple[Callable[[], Any], int, list[str]]] = {
    "model": (jansen_leg, 1, ["Theo Jansen leg (Model)", "in the plane", "links", "11", "L6", "0.413"]),
    "model in space": (lambda: gw.in_space(four_bar()), 1, ["in space", "bodies"]),
    "model that cannot be closed": (open_loop, 1, ["cannot be closed from the drawn pose; open: joint", "check the lengths"]),
    "model of nothing": (lambda: gw.Model("nothing"), 0, ["nothing (Model)", "no moving body"]),
    "model with a mistake": (
        lambda: gw.Model("m").ground_point("O", 0, 0).point("A", 1, 0).link("a", "O", "A", length="nowhere", mass=1),
        0,
        ["link 'a' field 'length'", "nowhere"],
    ),
    "result": (lambda: four_bar().simulate(0.1), 2, ["four-bar (Result)", "crank.torque", "0 to 0.1 s", "energy residual"]),
    "result of an instant": (lambda: pendulum((0.1, 0.2)).static(), 1, ["static", "1 instant"]),
    "result in space": (lambda: gw.in_space(pendulum((0.1,))).simulate(0.05), 1, ["(Result)"]),
    "modes": (lambda: pendulum((0.1, 0.2)).modes(), 1, ["(Modes)", "mode 2", "Hz", "damping ratio"]),
    "leg": (lambda: gw.analyse_leg(jansen_leg(), samples=60), 2, ["(LegAnalysis)", "step length", "0.388"]),
    "comparison": (
        lambda: gw.compare([jansen_leg(), jansen_leg()], samples=60, directions=["as driven"]),
        1,
        ["2 legs", "step of Theo Jansen leg 1"],
    ),
    "walk": (sledge, 1, ["sledge (Walk)", "speed", "0.2 m/s", "cost of transport"]),
    "choose": (lambda: gw.choose(spring(), STIFFNESSES, **question()), 1, ["(DesignResult)", "choose over k", "as asked"]),
    "trade-off": (
        lambda: gw.trade_off(spring(), STIFFNESSES, measures=["mass.y"], analysis="static", samples=4, workers=1),
        1,
        ["(DesignResult)", "over k: 4 values"],
    ),
    "optimise": (
        lambda: gw.optimise(spring(), STIFFNESSES, maximise=["mass.y"], analysis="static", budget=8),
        1,
        ["(DesignResult)", "largest mass.y", "k = "],
    ),
    "study": (
        lambda: gw.study(spring(), STIFFNESSES, maximise=["mass.y"], analysis="static", samples=3, workers=1),
        1,
        ["(DesignResult)", "best: k = 400", "3 variants"],
    ),
    "sweep": (
        lambda: gw.sweep(spring(), STIFFNESSES, measures=["mass.y"], analysis="static", samples=3, workers=1),
        1,
        ["(DesignResult)", "sweep over k", "3 variants over k 50 to 400", "mass.y: "],
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", SHOWN)
def test_content_of_a_card(what: str):
    make, count, words = SHOWN[what]
    html = make()._repr_html_()
    assert html is not None
    seen = Checked(html)
    text = " ".join(seen.words)
    assert [word for word in words if word not in text] == []
    assert len(found := pictures(html)) == count and all(picture.startswith(PNG) for picture in found)
    assert not seen.tags & {"script", "link", "iframe", "b"} and len(html) < 1e6


def test_card_of_an_unreachable_target():
    with pytest.raises(gw.OutOfReach) as refused:
        gw.choose(spring(), STIFFNESSES, **{**question(), "target": {"mass.y": -5.0}})
    html = refused.value._repr_html_()
    assert html is not None and "(OutOfReach)" in html and len(pictures(html)) == 1


def test_no_analysis_is_run_for_a_model(monkeypatch):
    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("an analysis")

    for name in ("kinematics", "inverse", "simulate", "static", "modes", "analyse", "check"):
        monkeypatch.setattr(gw.Model, name, never)
    assert pictures(four_bar()._repr_html_() or "")


def test_a_large_model_is_shown_as_drawn(monkeypatch):
    monkeypatch.setattr(notebook_cards, "MAX_ASSEMBLED_COORDINATES", 1)
    monkeypatch.setattr(analysis.joint_closure, "find_nearest_pose", lambda *_: 1 / 0)
    assert pictures(four_bar()._repr_html_() or "")


def test_failed_picture_is_left_out(monkeypatch):
    monkeypatch.setattr(notebook_cards, "_picture_bytes", lambda write: 1 / 0)
    html = four_bar()._repr_html_()
    assert html is not None and not pictures(html) and "links" in html


def test_card_never_raises(monkeypatch):
    monkeypatch.setattr(notebook_card.NotebookCard, "html", lambda self: 1 / 0)
    assert four_bar()._repr_html_() is None


def test_texts_are_escaped_and_truncated():
    many = [f"<i>{k}</i>" for k in range(40)]
    facts = [notebook_cards.Fact(f"<{k}>", np.float64("nan"), "<u>", "&") for k in range(40)]
    html = notebook_card.NotebookCard("<script>", "a < b", facts, [], many, many).html()
    seen = Checked(html)
    assert seen.tags == {"div", "table", "tr", "td"}
    assert "<script>" in seen.words and html.count("and 28 more") == 2 and "and 16 more" in html


def test_figures_are_shown_in_notebooks_without_pyplot():
    figure = four_bar().kinematics(0.1, step=0.01).plot("crank.torque")
    assert figure._repr_png_().startswith(PNG)
