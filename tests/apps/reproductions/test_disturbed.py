"""Every result of an experiment depends on our models: if a model is perturbed, every result changes.

Conversely, arithmetic and definitions depend on no model, and a verification holds for any model. A row that fails here is
assigned to the wrong kind."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from apps.reproductions.experiments import LONG, ran
from gaitwright.mechanisms import pendulum
from gaitwright_apps import reproductions
from gaitwright_apps.reproductions import impact_runs, integrators
from gaitwright_apps.reproductions.experiments import ARITHMETIC, DEFINITION, RESULT, VERIFICATION, ReproductionCheck
from gaitwright_apps.reproductions.perturbation import (
    FIRST_LINK_FACTOR,
    PERTURBATION_FACTORS,
    perturb_if_active,
    perturb_models,
)

QUICK = ("solid-ball", "condensation")
"""Experiments with coarser meshes that take seconds each, like those in LONG. The others take less than one second."""
CHANGED = 1e-6
"""Least relative change of a value; the models are changed by ten thousand times as much."""
SAME = 0.05
"""Largest relative change of a verification, since observed orders depend slightly on the model."""


def judged(found: Any) -> dict[str, ReproductionCheck]:
    return {check.id: check for check in found.judged()}


def run(name: str) -> Any:
    how = LONG.get(name, {"quick": True} if name in QUICK else {})
    return importlib.import_module(reproductions.EXPERIMENTS[name]).run(**how)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow) if name in (*LONG, *QUICK) else name
        for name in reproductions.EXPERIMENTS
    ],
)
def test_results_change_with_the_model(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impact_runs, "TIMING_REPEATS", 1)
    monkeypatch.setattr(integrators, "TIMING_REPEATS", 1)
    before = judged(ran(name) if name in LONG else run(name))
    with perturb_models():
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
    """Active only inside the context; numbers and expressions, gravity and the first length."""
    model = pendulum((0.3,), length=2.0, mass=3.0, gravity=9.81)
    assert perturb_if_active(model) is model
    with perturb_models():
        other = perturb_if_active(model).to_dict()
    raw = model.to_dict()
    assert other["gravity"][1] == pytest.approx(raw["gravity"][1] * PERTURBATION_FACTORS["gravity"])
    ours, theirs = (perturb_if_active(m).simulate(0.5, step=0.01) for m in (model, type(model).from_dict(other)))
    assert theirs.mechanism.body_names["rod1"].mass == pytest.approx(3.0 * PERTURBATION_FACTORS["mass"])
    assert abs(theirs.array("rod1.P1.y")[0] / ours.array("rod1.P1.y")[0] - FIRST_LINK_FACTOR) < 1e-9
    assert theirs.array("rod1.angle")[-1] != ours.array("rod1.angle")[-1]
