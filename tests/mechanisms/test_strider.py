"""Legs of a Strider compared with intersections of circles and with the energies of its bars."""

import numpy as np
import pytest

import gaitwright as gw
from documents import EXAMPLES
from gaitwright.mechanisms import strider_legs
from mechanisms.linkages import TURN, crank_torque, meet, place, turned

HOLE = 0.025


def side(crank_pin, forward):
    """Knee, toe on the other leg's bar, and end of the bar: of the right leg (forward 1) or the left one (-1), in
    holes."""
    knee = meet(forward * 11 + 8j, 5, crank_pin, 14, forward)
    along = (crank_pin - knee) / 14
    return knee, knee + along * (20 - 1j * forward), knee + 20 * along


def pins():
    """Pins over a turn, m."""
    a = 4 * np.exp(1j * TURN)
    (k_left, t_right, e_left), (k_right, t_left, e_right) = side(a, -1), side(a, 1)
    named = {"A": a, "K_left": k_left, "K_right": k_right, "T_left": t_left, "T_right": t_right}
    named |= {"E_left": e_left, "E_right": e_right}
    named |= {"F_left": meet(k_left, 13, t_left, 10, -1), "F_right": meet(k_right, 13, t_right, 10, 1)}
    return {name: HOLE * point for name, point in named.items()}


@pytest.fixture(scope="module", params=[True, False], ids=["clockwise", "counter-clockwise"])
def legs(request):
    return turned(strider_legs(clockwise=request.param), request.param)


def test_pins_match_intersections_of_circles(legs):
    run, order = legs
    for name, exact in pins().items():
        assert place(run, name)[order] == pytest.approx(exact, abs=1e-12), name


def test_the_torque_matches_the_energies_of_the_bars(legs):
    run, order = legs
    at = pins()
    bars = [(0j, at["A"])]
    for name, forward in (("left", -1), ("right", 1)):
        pivot, knee, end, toe, foot = HOLE * (forward * 11 + 8j), *(at[f"{p}_{name}"] for p in "KETF")
        bars += [(pivot, knee), (knee, end), (knee, foot), (toe, foot)]
    speed = run.array("crank.spin")[0]
    exact = crank_torque(bars, 0.25, speed)
    assert run.array("crank.torque")[order] == pytest.approx(exact, abs=1e-8 * np.abs(exact).max())


def test_the_pose_is_regular_over_the_turn(legs):
    run, _ = legs
    assert run.evidence.smallest_singular_value > 0.01 and not run.evidence.warnings and not run.evidence.redundant


def test_the_feet_are_mirror_images_half_a_turn_apart(legs):
    """The left foot at the crank angle pi - x is the mirror image of the right one at x."""
    run, order = legs
    left, right = (place(run, f"F_{name}")[order] for name in ("left", "right"))
    mirrored = -np.conj(np.roll(left[::-1], 1 + TURN.size // 2))
    assert right == pytest.approx(mirrored, abs=1e-12)


def test_the_foot_has_a_flat_stance_and_a_high_return(legs):
    """Flat within a tenth of the crank for a third of the turn and 2.3 cranks; the return stays high."""
    run, order = legs
    foot = place(run, "F_left")[order]
    stance = foot.imag < foot.imag.min() + 0.01
    assert stance.mean() == pytest.approx(0.34, abs=0.01) and np.count_nonzero(np.diff(stance.astype(int))) == 2
    assert np.ptp(foot.real[stance]) == pytest.approx(0.23, abs=0.005)
    assert (foot.imag > foot.imag.max() - 0.02).mean() > 0.2 and np.ptp(foot.imag) == pytest.approx(0.126, abs=1e-3)


def test_shin_length_is_a_parameter():
    model = strider_legs(shin=0.3, clockwise=False)
    run = model.kinematics(times=TURN / (2 * np.pi))
    at = pins()
    assert place(run, "F_left") == pytest.approx(meet(at["K_left"], 0.3, at["T_left"], 10 * HOLE, -1), abs=1e-12)
    masses = {link.name: link.mass for link in model.document.links}
    assert masses["left_shin"] == masses["right_shin"] == "mass_per_length*shin"


def test_an_unknown_length_is_refused():
    with pytest.raises(gw.ModelError, match=r"thigh.*shin"):
        strider_legs(thigh=0.3)


def test_the_example_is_this_pair():
    ours, theirs = strider_legs().inverse(1.0), gw.load(EXAMPLES / "strider.yaml").analyse()
    for name in ("F_left.x", "F_left.y", "F_right.y", "crank.torque"):
        assert theirs.array(name) == pytest.approx(ours.array(name), abs=1e-9)
    assert np.abs(theirs.array("crank.torque")).max() == pytest.approx(0.6489, abs=1e-4)
