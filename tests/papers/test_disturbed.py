"""Results say something about our models: change a model behind an experiment's back, and every result changes with it.

The other way round, what is called arithmetic or a definition depends on no model, and a verification holds for any model. A
row that fails here has the wrong kind."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from gaitwright import papers
from gaitwright.mechanisms import pendulum
from gaitwright.papers import impact, integrators
from gaitwright.papers.check import ARITHMETIC, DEFINITION, RESULT, VERIFICATION, Check
from gaitwright.papers.disturb import FACTORS, LONGER, built, disturbed
from papers.experiments import LONG, ran

QUICK = ("solid-ball", "condensation")
"""With coarser meshes; seconds each, as those that are LONG. The others take less than one."""
CHANGED = 1e-6
"""Part of a value by which it must move; models are changed by ten thousand times as much."""
SAME = 0.05
"""Part of a value by which a verification may move: observed orders depend a little on the model."""


def judged(found: Any) -> dict[str, Check]:
    return {check.id: check for check in found.judged()}


def run(name: str) -> Any:
    how = LONG.get(name, {"quick": True} if name in QUICK else {})
    return importlib.import_module(papers.EXPERIMENTS[name]).run(**how)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow) if name in (*LONG, *QUICK) else name for name in papers.EXPERIMENTS],
)
def test_results_change_with_the_model(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impact, "REPEATS", 1)
    monkeypatch.setattr(integrators, "REPEATS", 1)
    before = judged(ran(name) if name in LONG else run(name))
    with disturbed():
        after = judged(run(name))
    moved = {id for id, c in before.items() if abs(after[id].computed - c.computed) > CHANGED * abs(c.computed)}
    results, constants = (
        {id for id, check in before.items() if check.kind in kinds} for kinds in ((RESULT,), (ARITHMETIC, DEFINITION))
    )
    assert not results - moved, "these are no results: no model changes them"
    assert not constants & moved, "these depend on a model"
    universal = {id: check for id, check in after.items() if check.kind == VERIFICATION}
    failed = {
        id for id, c in universal.items() if abs(c.computed - c.published) > max(c.tolerance, SAME * abs(c.published))
    }
    assert not failed, "these are no verifications: another model does not pass them"


def test_a_disturbed_model() -> None:
    """Only inside; numbers and expressions, gravity and the first length."""
    model = pendulum((0.3,), length=2.0, mass=3.0, gravity=9.81)
    assert built(model) is model
    with disturbed():
        other = built(model).to_dict()
    raw = model.to_dict()
    assert other["gravity"][1] == pytest.approx(raw["gravity"][1] * FACTORS["gravity"])
    ours, theirs = (built(m).simulate(0.5, step=0.01) for m in (model, type(model).from_dict(other)))
    assert theirs.mechanism.body_names["rod1"].mass == pytest.approx(3.0 * FACTORS["mass"])
    assert abs(theirs.values("rod1.P1.y")[0] / ours.values("rod1.P1.y")[0] - LONGER) < 1e-9
    assert theirs.values("rod1.angle")[-1] != ours.values("rod1.angle")[-1]
