"""The bench runs and says what it promises. Its times are not asserted: they belong to a quiet machine."""

from __future__ import annotations

import importlib.util
import json
import math
from pathlib import Path

import numpy as np
import pytest

from gaitwright import bench
from gaitwright.analyse.start import start
from gaitwright.bench import beams, clock, contact, exudyn_peer, legs, p1, space
from gaitwright.bench.exudyn_space import ROTATIONS, SpaceSetting
from gaitwright.bench.page import markdown
from gaitwright.errors import ModelError


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict, Path, list[float]]:
    out, seen = tmp_path_factory.mktemp("bench") / "new", []
    return bench.run(["p1"], out, quick=True, progress=lambda text, done: seen.append(done)), out, seen


def test_p1_has_our_times_and_errors(result: tuple[dict, Path, list[float]]) -> None:
    found, _, seen = result
    details = found["details"]["P1"]
    assert "error" not in details, details
    ours = details["ours"]
    assert min(ours["integration_seconds"], ours["whole_call_seconds"]) > 0
    assert ours["max_foot_error"] < 1e-12 and ours["position_violation"] < 1e-12
    assert details["rk4"]["us_per_evaluation_none"] > 0
    assert seen[0] == 0.0 and seen[-1] == 1.0


@pytest.mark.peer
@pytest.mark.skipif(not exudyn_peer.available(), reason="Exudyn is not installed")
def test_p1_is_the_same_problem_in_exudyn(result: tuple[dict, Path, list[float]]) -> None:
    found, _, _ = result
    assert found["ratios"]["P1"] > 0
    theirs = found["details"]["P1"]["exudyn"]
    assert theirs["max_foot_error"] < 1e-8 and theirs["torque_error"] < 1e-3
    assert all(found["details"]["P1"]["error_not_larger"].values())


def test_results_are_written(result: tuple[dict, Path, list[float]]) -> None:
    found, out, _ = result
    assert json.loads((out / "bench.json").read_text()) == json.loads(json.dumps(found))
    assert "## P1" in (out / "bench.md").read_text()


def test_without_exudyn_our_times_remain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(p1, "available", lambda: False)
    monkeypatch.setattr(exudyn_peer, "available", lambda: False)
    details = p1.measure(quick=True)
    assert details["ratios"] == {} and details["ours"]["integration_seconds"] > 0
    assert "pip install 'gaitwright[bench]'" in bench.notes()[0]


def test_unknown_name() -> None:
    with pytest.raises(ModelError, match=r"P9.*one of P1, growth"):
        bench.run(["P9"])


def test_failure_of_one_problem_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(bench.PROBLEMS, "nothing", "a problem without a module")
    found = bench.run(["nothing"], tmp_path)
    assert "No module named" in found["details"]["nothing"]["error"]
    assert "failed" in (tmp_path / "bench.md").read_text()


def test_closed_form_of_the_leg() -> None:
    run = p1.model().kinematics(1.0, step=0.01)
    assert np.abs(p1.exact_foot(run.time) - p1.foot_of(run.mechanism, run.motion.q)).max() < 1e-12


def test_alternate_takes_the_smallest() -> None:
    times, order = iter([3.0, 1.0, 2.0]), []

    def timed() -> float:
        order.append("a")
        return next(times)

    def other() -> float:
        order.append("b")
        return 5.0

    assert clock.alternate({"a": timed, "b": other}, 3) == {"a": 1.0, "b": 5.0}
    assert order == ["a", "b"] * 3


def test_exponent() -> None:
    assert math.isclose(clock.exponent([1, 10, 100], [2.0, 2.0 * 10**1.5, 2.0 * 10**3]), 1.5)


@pytest.fixture(scope="module")
def touching() -> dict:
    return contact.measure(quick=True)


def test_leg_on_the_ground(touching: dict) -> None:
    leg = touching["leg"]
    assert leg["max_penetration"] == pytest.approx(contact.DEPTH, rel=1e-4)
    air, ground, watched = (leg["events"][name] for name in ("without contact", "with contact", "never reached"))
    assert air["events"] == watched["events"] == 0 < ground["events"]
    assert watched["steps"] == air["steps"] and watched["newton_iterations"] == air["newton_iterations"]
    assert leg["share_of_events"] > 0
    assert touching["ratios"]["contact-leg"] == pytest.approx(1 / leg["ratio"])


def test_ball_is_the_same_drop_in_scipy(touching: dict) -> None:
    """v_out of REFERENCE C, flores 0.8, by the exact run, by both ladders and by the fixed steps that resolve it."""
    ball = touching["ball"]
    assert ball["exact"] == pytest.approx(3.4906880, abs=5e-8)
    for name in ("dopri5", "Radau"):
        errors = [row["error"] for row in ball["ladders"][name]]
        assert errors[-1] < 1e-6 and errors[-1] < errors[0]
    assert ball["fixed"]["rk4"]["error"] < 1e-5
    assert ball["ratio"] is None or ball["ratio"] > 0


def test_contact_has_a_page(touching: dict) -> None:
    result = {"machine": {}, "notes": [], "quick": True, "ratios": touching["ratios"], "details": {"contact": touching}}
    text = markdown(result)
    assert "## contact" in text and "moreau, step 0.001 s" in text


def test_time_at_a_target() -> None:
    """An error that is small by accident on the way down does not count."""
    rows = [{"error": e, "seconds": t} for e, t in ((1e-4, 1.0), (1e-7, 2.0), (1e-5, 4.0), (1e-7, 16.0))]
    assert contact.at_target(rows, 1e-6) == pytest.approx(8.0)
    assert contact.at_target(rows, 1e-9) is None


@pytest.fixture(scope="module")
def bent() -> dict:
    return beams.measure(quick=True)


def test_beams_have_our_times_and_errors(bent: dict) -> None:
    assert set(bent["problems"]) == {"P2b", "P3-10"}
    for case in bent["problems"].values():
        ours, loose = case["ours"], case["loose"]
        assert 100 * case["reference_unsure"] < 5 * ours["error"] < 1e-4
        assert loose["error"] == pytest.approx(ours["error"], rel=1e-3)
        assert loose["newton_per_step"] <= ours["newton_per_step"]
        assert min(ours["one_step_seconds"], ours["integration_seconds"]) > 0
    assert all(us > 0 for us in bent["P2a"]["us_per_evaluation"].values())
    assert min(bent["setup"]["model_seconds"], bent["setup"]["seconds"]) > 0


def test_beams_have_a_page(bent: dict) -> None:
    result = {"machine": {}, "notes": [], "quick": True, "ratios": bent["ratios"], "details": {"beams": bent}}
    text = markdown(result)
    assert "## beams" in text and "P3-10, ours" in text and "whole call, 1 step" in text


@pytest.mark.peer
@pytest.mark.skipif(not exudyn_peer.available(), reason="Exudyn is not installed")
def test_beams_are_the_same_problems_in_exudyn(bent: dict) -> None:
    """Its error over the run is ours, so that what is compared is the same scheme on the same equations."""
    assert set(bent["ratios"]) == {"P2b", "P2b per step", "P3-10", "P3-10 per step"}
    for case in bent["problems"].values():
        assert case["exudyn"]["error"] == pytest.approx(case["ours"]["error"], rel=1e-3)
        assert case["exudyn"]["whole_call_seconds"] > case["exudyn"]["seconds"] > 0
    assert "constraints" in bent["P2a"]["exudyn"]


def test_rod_starts_as_if_rigid() -> None:
    """REFERENCE P2: crank level, rod in line with it, both turning; the rod about the slider."""
    mechanism = beams.slider_crank().mechanism()
    begin = start(mechanism)
    rod, w = mechanism.beams["rod"], beams.SPEED
    spin = -w * 0.15 / 0.4
    expected = np.zeros((9, 4))
    expected[:, 1], expected[:, 3] = w * 0.15 + spin * rod.stations, spin
    assert np.abs(begin.v[rod.nodes] - expected).max() < 1e-8
    assert begin.q[rod.nodes[:, 0]] == pytest.approx(0.15 + rod.stations, abs=1e-12)
    assert begin.v[mechanism.body_names["crank"].index] == pytest.approx([0.0, w * 0.075, w], abs=1e-12)


def test_legs_have_times_and_a_page() -> None:
    found = legs.measure(quick=True)
    assert found["sweep"]["failed"] == 0 and found["sweep"]["variants"] == 36
    assert found["walk"]["contacts"] == 6 and "error" not in found["demo"]
    result = {"machine": {}, "notes": [], "quick": True, "ratios": {}, "details": {"legs": found}}
    assert "## legs" in markdown(result) and "| demo |" in markdown(result)


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
    text = markdown(result)
    assert (
        "## space" in text and "| bricard, ours, loose |" in text and "Exponent of the time per step of hinges" in text
    )


@pytest.mark.peer
@pytest.mark.skipif(not exudyn_peer.available(), reason="Exudyn is not installed")
@pytest.mark.parametrize("name", ["balls-10", "hinges-10", "net-2", "bricard"])
def test_space_is_the_same_problem_in_exudyn(name: str) -> None:
    """With the same scheme and step its error is ours, whatever its coordinates of rotations are. Of the two rotations of
    Bricard's redundant hinge that may be left free, at least one closes the mechanism."""
    race = space.Race(space.cases(quick=True)[name])
    ours = race.error(race.ours().motion.q[-1][race.centres])
    way = exudyn_peer.Setting("EigenSparse", True, exudyn_peer.DEFAULT_TOLERANCE)
    for rotation in ROTATIONS:
        found = []
        for free in range(2 if race.mechanism.redundant else 1):
            peer, run = race.peer(SpaceSetting(rotation, way, free), race.steps)
            try:
                run()
            except Exception:  # the peer's own type of error is a plain exception
                continue
            found.append(race.error(peer.places()))
        assert min(found) == pytest.approx(ours, rel=0.05)


@pytest.mark.peer
@pytest.mark.skipif(importlib.util.find_spec("mujoco") is None, reason="MuJoCo is not installed")
def test_chains_are_the_same_in_joint_coordinates(spatial: dict) -> None:
    for kind in space.JOINTS:
        for ways in spatial[f"trees_{kind}"].values():
            assert ways["MuJoCo, RK4"]["error"] < 1e-6
    hinges = spatial["trees_hinges"][10]
    if exudyn_peer.available():
        assert hinges["Exudyn tree, RK44"]["error"] < 1e-11 and hinges["MuJoCo, RK4"]["error"] < 1e-11
