"""A leg on the ground and a ball drop: all programs compute the same problem."""

from __future__ import annotations

import pytest

from gaitwright_apps.benchmarks import contact
from gaitwright_apps.benchmarks.results_page import render_markdown

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def touching() -> dict:
    return contact.measure(quick=True)


def test_leg_on_the_ground(touching: dict) -> None:
    leg = touching["leg"]
    assert leg["max_penetration"] == pytest.approx(contact.TOE_DEPTH_M, rel=1e-4)
    air, ground, watched = (leg["events"][name] for name in ("without contact", "with contact", "never reached"))
    assert air["events"] == watched["events"] == 0 < ground["events"]
    assert watched["steps"] == air["steps"] and watched["newton_iterations"] == air["newton_iterations"]
    assert leg["share_of_events"] > 0
    assert touching["ratios"]["contact-leg"] == pytest.approx(1 / leg["ratio"])


def test_ball_is_the_same_drop_in_scipy(touching: dict) -> None:
    """v_out of the recomputation of 004, flores 0.8, by the exact run, by both ladders and by the fixed steps that resolve
    it."""
    ball = touching["ball"]
    assert ball["exact"] == pytest.approx(3.4906880, abs=5e-8)
    for name in ("dopri5", "Radau"):
        errors = [row["error"] for row in ball["ladders"][name]]
        assert errors[-1] < 1e-6 and errors[-1] < errors[0]
    assert ball["fixed"]["rk4"]["error"] < 1e-5
    assert ball["ratio"] is None or ball["ratio"] > 0


def test_contact_has_a_page(touching: dict) -> None:
    result = {"machine": {}, "notes": [], "quick": True, "ratios": touching["ratios"], "details": {"contact": touching}}
    text = render_markdown(result)
    assert "## contact" in text and "moreau, step 0.001 s" in text


def test_time_at_a_target() -> None:
    """An error that is small by accident at a coarse step does not count."""
    rows = [{"error": e, "seconds": t} for e, t in ((1e-4, 1.0), (1e-7, 2.0), (1e-5, 4.0), (1e-7, 16.0))]
    assert contact.seconds_at_target(rows, 1e-6) == pytest.approx(8.0)
    assert contact.seconds_at_target(rows, 1e-9) is None
