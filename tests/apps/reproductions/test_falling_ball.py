"""Paper 003 section 5.1: numbers of its recomputation, closed forms, and dependence of the results on the setup."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from apps.reproductions.experiments import by_id, require_sound
from gaitwright._core.errors import ModelError
from gaitwright_apps.reproductions import falling_ball, impact_runs
from gaitwright_apps.reproductions.experiments import KINDS
from gaitwright_apps.reproductions.falling_ball import FallingBallExperiment, FallingBallSetup

# The recomputation of 003, rows `ln`: dmax (um), t_c (us), Fmax (N), v_out (m/s), dE (J)
REFERENCE = {
    "1": (1984.89191, 1318.3634, 12380.3616, 4.4294469, 0.0),
    "0": (1697.78881, 1395.4527, 11181.9213, 2.9333430, 5.507750),
}


@pytest.fixture(scope="module")
def found() -> FallingBallExperiment:
    return falling_ball.run()


@pytest.mark.slow
def test_sound(found: FallingBallExperiment, tmp_path: Path) -> None:
    require_sound(found, tmp_path)
    assert found.findings().verdicts()["pass"] >= 10


@pytest.mark.parametrize("restitution", REFERENCE)
def test_first_impact_is_that_of_the_reference(found: FallingBallExperiment, restitution: str) -> None:
    deepest, duration, force, speed, lost = REFERENCE[restitution]
    hit = impact_runs.first_impact(found.runs[f"viscoelastic cr={restitution}"])
    assert 1e6 * hit.max_penetration == pytest.approx(deepest, rel=1e-7)
    assert 1e6 * hit.duration == pytest.approx(duration, rel=1e-6)
    assert hit.max_force == pytest.approx(force, rel=1e-7)
    assert hit.separation_speed == pytest.approx(speed, rel=1e-7)
    assert hit.dissipated == pytest.approx(lost, abs=1e-6)


def test_verdicts(found: FallingBallExperiment) -> None:
    checks = by_id(found)
    assert checks["5.15-inelastic"]["published"] == pytest.approx(9.81)
    assert checks["5.15-inelastic"]["computed"] == pytest.approx(5.507750, abs=1e-6)
    assert checks["5.15-inelastic"]["verdict"] == "not-reproducible" and "0.6630" in checks["5.15-inelastic"]["why"]
    assert checks["5.15-lagrangian-inelastic"]["verdict"] == "pass"
    assert checks["5-2-inelastic"]["computed"] == pytest.approx(2.9333430**2 / (2 * 9.81), rel=1e-6)
    assert checks["5-2-elastic"]["verdict"] == "pass"
    assert checks["5.1-inertia"]["verdict"] == "not-reproducible"
    # Both against the closed form of the rebound without gravity, the recomputation of 003: e = 0.6629622
    for name, close in (("5.14", 5.507750), ("5-6-loop-inelastic", 5.507750)):
        assert checks[name]["published"] == pytest.approx(9.81 * (1 - 0.6629622**2), rel=1e-6)
        assert checks[name]["computed"] == pytest.approx(close, abs=1e-5) and checks[name]["verdict"] == "pass"


def test_kinds(found: FallingBallExperiment) -> None:
    """The thesis prints no result about its ball, only that the other method takes twice as long on its machine."""
    kinds = {kind: {c.id for c in found.judged() if c.kind == kind} for kind in KINDS}
    assert not kinds["result"] and kinds["machine"] == {"5-7-time"} and kinds["definition"] == {"5.1.1-combinations"}
    assert kinds["input"] == {"5.1-mass", "5.1-radius", "5.1-height", "5.1-inertia"}
    assert {c.id for c in found.judged() if c.id.startswith("5.15")} <= kinds["equation"]


def test_effect_of_the_restitution(found: FallingBallExperiment) -> None:
    """Fig 3-3 and Eq 3.7, between c_r = 1 and 0; the recomputation of 003: 1.6978 against 1.9849 mm, 11.18 against 12.38
    kN, 1.3955 against 1.3184 ms, and rebounds of 0.6622 and less than 0.672."""
    checks = by_id(found)
    for id, words in (
        ("depth", "1.698 against 1.985 mm"),
        ("force", "11.18 against 12.38 kN"),
        ("duration", "1.395 against 1.318 ms"),
    ):
        assert checks[f"3-3-{id}"]["verdict"] == "pass" and checks[f"3-3-{id}"]["why"] == words
    assert checks["3-3-loop"]["verdict"] == checks["3.7-rebound-1"]["verdict"] == "pass"
    assert checks["3.7-rebound-0"]["verdict"] == checks["3.7-rebound-0.1"]["verdict"] == "not-reproducible"
    assert checks["3.7-rebound-0"]["computed"] == pytest.approx(0.6622368, abs=1e-6)


def test_loops_hold_the_energy_lost(found: FallingBallExperiment) -> None:
    """The area of the force-penetration loop equals the energy loss that the contact reports."""
    for e in ("1", "0.1", "0"):
        run = found.runs[f"viscoelastic cr={e}"]
        assert impact_runs.hysteresis_energy(run, "floor") == pytest.approx(
            impact_runs.first_impact(run).dissipated, abs=1e-4
        )


def test_moreau_is_the_scalar_problem_of_the_thesis(found: FallingBallExperiment) -> None:
    """Eq 5.5 to 5.11 with a direct solution of the LCP of Eq 5.9 and 5.10: F = max(0, -b / A) while the ball is in
    contact."""
    setup, h = found.setup, impact_runs.STEP_S
    for e in (0.0, 1.0):
        y, u, motion = setup.height + setup.radius, 0.0, []
        for _ in range(round(impact_runs.DURATION_S / h)):
            middle = y + 0.5 * h * u
            b = u * (1 + e) - setup.gravity * h
            impulse = max(0.0, -b * setup.mass) if middle - setup.radius <= 0 else 0.0
            u += impulse / setup.mass - setup.gravity * h
            y = middle + 0.5 * h * u
            motion.append((y, u))
        exact = np.array(motion)
        for solver in ("lemke", "pgs"):
            run = found.runs[f"moreau e={e:g} {solver}"]
            ours = np.stack([run.array("ball.y"), run.array("ball.vy")], axis=1)[1:]
            assert np.abs(ours - exact).max() < 1e-9


def test_thesis_scheme_gains_energy(found: FallingBallExperiment) -> None:
    """Euler's steps of 1 ms make even the softest elastic ball rebound above its initial height, which explains no
    printed number."""
    assert impact_runs.first_impact(found.runs["thesis cr=1"]).restitution > 1.05
    assert impact_runs.first_impact(found.runs["soft cr=1"]).restitution == pytest.approx(1.0, abs=1e-8)


def test_results_depend_on_the_setup(found: FallingBallExperiment, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another height changes every number that depends on it: none is hard-coded."""
    monkeypatch.setattr(impact_runs, "TIMING_REPEATS", 1)
    lower = falling_ball.run(setup=replace(FallingBallSetup(), height=0.5))
    before, now = by_id(found), by_id(lower)
    assert [check.id for check in lower.findings().failed()] == ["5.1-height"]
    for name in ("5.15-kinetic", "5.15-lagrangian-inelastic", "5-2-elastic"):
        assert now[name]["computed"] == pytest.approx(before[name]["computed"] / 2, rel=1e-3)
    speed = now["5-3-inelastic"]["computed"] / before["5-3-inelastic"]["computed"]
    assert speed == pytest.approx(math.sqrt(0.5), rel=1e-3)


def test_a_new_row_of_a_sheet_adds_a_check(found: FallingBallExperiment, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row can name any result of a run; other names are refused with sheet, row and path."""
    row = {"id": "new", "quantity": "largest force", "printed": "12380", "unit": "N", "tolerance": "digits"}
    sheet = found.sheet
    more = sheet.model_copy(update={"checks": [{**row, "computed": "runs/viscoelastic cr=1/episodes/0/max_force"}]})
    monkeypatch.setattr(FallingBallExperiment, "sheet", more)
    (check,) = found.judged()
    assert (check.id, check.published, check.verdict) == ("new", 12380.0, "pass") and check.tolerance == 0.5
    wrong = sheet.model_copy(update={"checks": [{**row, "computed": "runs/viscoelastic cr=1/floor.normal_forse/max"}]})
    monkeypatch.setattr(FallingBallExperiment, "sheet", wrong)
    with pytest.raises(ModelError, match=r"sheet 'falling-ball', check 'new'.*normal_forse"):
        found.judged()
