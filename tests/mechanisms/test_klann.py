"""Klann's leg compared with intersections of circles and with the energies of its bars."""

import math

import numpy as np
import pytest

import gaitwright as gw
from documents import EXAMPLES
from gaitwright.mechanisms import klann_leg
from mechanisms.linkages import TURN, crank_torque, meet, place, turned

UNIT = 0.1 / 0.268
"""Length unit of the patent's drawing, m."""


def pins(lower_leg=0.8966):
    """A to F over a turn, constructed by circles from the patent's drawing, m."""
    crank_shaft, upper, lower = 1.599 + 0.750j, 1.366 + 1.366j, 1.009 + 0.574j
    a = crank_shaft + 0.268 * np.exp(1j * TURN)
    b = meet(a, 0.590, lower, 0.3206, -1)
    c = b + 0.5221 * (b - a) / 0.590 * np.exp(-1j * math.radians(12.83))
    d = meet(upper, 0.5177, c, 0.8966, -1)
    f = c + lower_leg * (c - d) / 0.8966 * np.exp(1j * math.radians(30))
    named = {"O1": crank_shaft, "O2": lower, "O3": upper, "A": a, "B": b, "C": c, "D": d, "F": f}
    return {name: UNIT * (point - crank_shaft) for name, point in named.items()}


@pytest.fixture(scope="module", params=[True, False], ids=["clockwise", "counter-clockwise"])
def leg(request):
    return turned(klann_leg(clockwise=request.param), request.param)


def test_pins_match_intersections_of_circles(leg):
    run, order = leg
    for name, exact in pins().items():
        if name in "ABCDF":
            assert place(run, name)[order] == pytest.approx(exact, abs=3e-6), name  # lengths are rounded to micrometres


def test_the_bends_match_the_drawing(leg):
    """The drawing also has the distances across the bends: 1.1051 from crank pin to knee, 1.732 from hip to foot."""
    run, _ = leg
    for first, second, drawn in (("A", "C", 1.1051), ("D", "F", 1.732)):
        across = np.abs(place(run, first) - place(run, second))
        assert np.ptp(across) < 1e-12 and across[0] / UNIT == pytest.approx(drawn, abs=3e-4)


def test_the_torque_matches_the_energies_of_the_bars(leg):
    run, order = leg
    at = pins()
    bars = [(at[a], at[b]) for a, b in (("O1", "A"), "AB", "BC", ("O2", "B"), ("O3", "D"), "DC", "CF")]
    speed = run.array("crank.spin")[0]
    assert run.array("crank.torque")[order] == pytest.approx(crank_torque(bars, 0.25, speed), abs=2e-4)


def test_the_pose_is_regular_over_the_turn(leg):
    run, _ = leg
    assert run.evidence.smallest_singular_value > 0.01 and not run.evidence.warnings and not run.evidence.redundant


def test_the_foot_path_is_straight_for_half_a_turn(leg):
    """The path is 3.75 cranks long and 1.96 high (another transcription of the patent: 90 x 47 mm for a crank of 24)."""
    run, order = leg
    foot = place(run, "F")[order]
    assert np.ptp(foot.real) / 0.1 == pytest.approx(90 / 24, rel=0.01)
    assert np.ptp(foot.imag) / 0.1 == pytest.approx(47 / 24, rel=0.01)
    stance = foot.imag < foot.imag.min() + 0.022
    assert stance.mean() == pytest.approx(0.5, abs=0.03) and np.count_nonzero(np.diff(stance.astype(int))) == 2
    middle = stance & np.roll(stance, 15) & np.roll(stance, -15)  # without the reversal points at its ends
    assert (np.diff(foot.real)[middle[:-1]] < 0).all() and np.ptp(foot.real[middle]) > 0.9 * np.ptp(foot.real)


def test_path_and_torque_scale_with_the_size():
    """Without gravity the torque is proportional to mass x length^2 / time^2, the third power of the size."""
    small, large = (klann_leg(size=size, gravity=0.0).kinematics(1.0, step=0.05) for size in (0.1, 0.25))
    assert place(large, "F") == pytest.approx(2.5 * place(small, "F"), abs=1e-5)
    assert large.array("crank.torque") == pytest.approx(2.5**3 * small.array("crank.torque"), abs=1e-3)


def test_lengths_can_be_swept():
    longer = 1.1 * 0.8966 * UNIT
    sweep = gw.sweep(
        klann_leg(clockwise=False), {"lower_leg": [0.8966 * UNIT, longer]}, series=["F.y"], workers=1,
        analysis={"type": "kinematic", "until": 1, "step": 1 / TURN.size},
    )  # fmt: skip
    for k, length in enumerate((0.8966, 1.1 * 0.8966)):
        assert sweep["F.y"].values[k, :-1] == pytest.approx(pins(length)["F"].imag, abs=3e-6)


def test_an_unknown_length_is_refused():
    with pytest.raises(gw.ModelError, match=r"lowerleg.*lower_leg"):
        klann_leg(lowerleg=0.3)


def test_the_example_is_this_leg():
    ours, theirs = klann_leg().inverse(1.0), gw.load(EXAMPLES / "klann.yaml").analyse()
    for name, close in (("F.x", 3e-6), ("F.y", 3e-6), ("crank.torque", 2e-4), ("knee.torque", 2e-4)):
        assert theirs.array(name) == pytest.approx(ours.array(name), abs=close)
    assert theirs.array("F.y").min() == pytest.approx(pins()["F"].imag.min(), abs=1e-5)
