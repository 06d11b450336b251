"""Space: the same problems in Exudyn and in joint coordinates, with the errors expected from their schemes."""

from __future__ import annotations

import importlib.util

import pytest

from gaitwright_apps.benchmarks import exudyn_peer, space
from gaitwright_apps.benchmarks.exudyn_spatial_peer import ROTATION_NODES, SpatialExudynSetting
from gaitwright_apps.benchmarks.results_page import render_markdown

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def spatial() -> dict:
    return space.measure(quick=True)


def test_space_has_our_times_and_errors(spatial: dict) -> None:
    assert set(spatial["problems"]) == {"balls-1", "balls-10", "hinges-1", "hinges-10", "net-2", "bricard"}
    for case in spatial["problems"].values():
        ours, loose = case["ours"], case["loose"]
        assert 50 * case["reference_unsure"] < ours["error"] < 1e-5
        assert loose["error"] == pytest.approx(ours["error"], rel=1e-2)
        assert loose["newton_per_step"] <= ours["newton_per_step"]
    for trees in (spatial["trees_balls"], spatial["trees_hinges"]):
        for ways in trees.values():
            assert ways["ours, rk4"]["error"] < 1e-3 * ways["ours, generalized-alpha"]["error"]


def test_space_has_a_page(spatial: dict) -> None:
    result = {"machine": {}, "notes": [], "quick": True, "ratios": spatial["ratios"], "details": {"space": spatial}}
    text = render_markdown(result)
    assert (
        "## space" in text and "| bricard, ours, loose |" in text and "Exponent of the time per step of hinges" in text
    )


@pytest.mark.peer
@pytest.mark.skipif(not exudyn_peer.is_available(), reason="Exudyn is not installed")
@pytest.mark.parametrize("name", ["balls-10", "hinges-10", "net-2", "bricard"])
def test_space_is_the_same_problem_in_exudyn(name: str) -> None:
    """With the same scheme and step, its error equals ours for all of its rotation coordinates. Bricard's redundant
    hinge allows two choices of a free rotation; at least one of them closes the mechanism."""
    race = space.SpatialRace(space.list_cases(quick=True)[name])
    ours = race.error(race.ours().motion.q[-1][race.centres])
    setting = exudyn_peer.ExudynSetting("EigenSparse", True, exudyn_peer.DEFAULT_NEWTON_RTOL)
    for rotation in ROTATION_NODES:
        errors = []
        for free in range(2 if race.mechanism.redundant else 1):
            peer, run = race.peer(SpatialExudynSetting(rotation, setting, free), race.steps)
            try:
                run()
            except Exception:  # the peer's own type of error is a plain exception
                continue
            errors.append(race.error(peer.places()))
        assert min(errors) == pytest.approx(ours, rel=0.05)


@pytest.mark.peer
@pytest.mark.skipif(importlib.util.find_spec("mujoco") is None, reason="MuJoCo is not installed")
def test_chains_are_the_same_in_joint_coordinates(spatial: dict) -> None:
    for kind in space.JOINT_TYPES:
        for ways in spatial[f"trees_{kind}"].values():
            assert ways["MuJoCo, RK4"]["error"] < 1e-6
    hinges = spatial["trees_hinges"][10]
    if exudyn_peer.is_available():
        assert hinges["Exudyn tree, RK44"]["error"] < 1e-11 and hinges["MuJoCo, RK4"]["error"] < 1e-11
