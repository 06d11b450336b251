"""Four-bars: the law of cosines, parallelograms, Grashof's classes by turning them, linear transmission."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.legs.linkages import CHANGE_POINT, TRIPLE_ROCKER, four_bar_loop, grashof_class, parallelogram_code
from gaitwright.mechanisms import four_bar, horse_leg
from gaitwright.mechanisms.horse_leg import FOUR_BAR_LOOPS
from gaitwright.result.result import Result

LOOP = ("O", "A", "B", "C")


def swinging(crank: float, coupler: float, rocker: float, ground: float) -> Result:
    """A four-bar with an input that swings between 60 and 120 degrees."""
    model = four_bar(crank, coupler, rocker, ground, angle=math.pi / 2, speed=None)
    return model.drive.rotation("crank", "pi/2 + pi/6*sin(2*pi*t)").kinematics(1.0, step=0.005)


def test_angles_by_the_law_of_cosines() -> None:
    a, b, c, d = 0.1, 0.3, 0.25, 0.3
    loop = four_bar_loop(four_bar(a, b, c, d).kinematics(1.0, step=0.005), LOOP)
    assert loop.lengths == pytest.approx(np.tile([a, b, c, d], (loop.time.size, 1)), abs=1e-12)
    assert loop.alpha == pytest.approx(2 * math.pi * loop.time, abs=1e-9)
    cosine = (b**2 + c**2 - a**2 - d**2 + 2 * a * d * np.cos(loop.alpha)) / (2 * b * c)
    assert np.cos(loop.mu) == pytest.approx(cosine, abs=1e-9)
    extremes = [math.acos((b**2 + c**2 - (d + s * a) ** 2) / (2 * b * c)) for s in (-1, 1)]
    assert [loop.mu.min(), loop.mu.max()] == pytest.approx(extremes, abs=1e-9)
    assert loop.worst_transmission == pytest.approx(min(*extremes, *(math.pi - e for e in extremes)), abs=1e-9)
    # the loop closes: a e^(i alpha) + b ... = d + c e^(i beta)
    gap = np.abs(d + c * np.exp(1j * loop.beta) - a * np.exp(1j * loop.alpha))
    assert gap == pytest.approx(b, abs=1e-9)
    assert loop.classes == ("crank-rocker",)
    assert loop.code() == ""


def test_parallelogram_transmits_linearly() -> None:
    loop = four_bar_loop(swinging(0.3, 0.1, 0.3, 0.1), LOOP)
    line = loop.transmission()
    assert (line.slope, line.error) == pytest.approx((1.0, 0.0), abs=1e-9)
    assert loop.beta == pytest.approx(loop.alpha, abs=1e-9)
    assert loop.mu == pytest.approx(loop.alpha, abs=1e-9)
    assert loop.code() == "2Plsls" and loop.classes == (CHANGE_POINT,)
    assert four_bar_loop(swinging(0.1, 0.3, 0.1, 0.3), LOOP).code() == "2Pslsl"


def test_crossed_parallelogram_has_no_code() -> None:
    """The same lengths, assembled on the other branch: the output turns against the input."""
    model = gw.Model("crossed")
    model.ground_point("O", 0, 0).ground_point("C", 0.3, 0).point("A", 0, 0.1).point("B", 0.25, -0.08)
    for name, start, end, length in (("crank", "O", "A", 0.1), ("bar", "A", "B", 0.3), ("rocker", "C", "B", 0.1)):
        model.link(name, start, end, length=length, mass=0.1)
    run = model.drive.rotation("crank", "pi/2 + pi/6*sin(2*pi*t)").kinematics(1.0, step=0.01)
    loop = four_bar_loop(run, LOOP)
    assert np.all(np.diff(loop.beta) * np.diff(loop.alpha) < 0)
    assert loop.code() == "" and parallelogram_code(loop.mean_lengths) == "2Pslsl"


@pytest.mark.parametrize(
    ("lengths", "name"),
    [
        ((0.1, 0.3, 0.25, 0.3), "crank-rocker"),
        ((0.25, 0.3, 0.1, 0.3), "rocker-crank"),
        ((0.3, 0.25, 0.3, 0.1), "double-crank"),
        ((0.3, 0.1, 0.25, 0.3), "double-rocker with a turning coupler"),
        ((0.3, 0.1, 0.3, 0.1), CHANGE_POINT),
        ((0.2, 0.2, 0.25, 0.4), TRIPLE_ROCKER),
    ],
)
def test_grashof_classes_by_full_turns(lengths: tuple[float, ...], name: str) -> None:
    """The input can make full turns if the distance of A from C is always between |b - c| and b + c."""
    assert grashof_class(lengths) == name
    a, b, c, d = lengths

    def turns(a: float, b: float, c: float, d: float) -> bool:
        return abs(a - d) >= abs(b - c) - 1e-12 and a + d <= b + c + 1e-12

    wanted = {"crank-rocker": (1, 0), "rocker-crank": (0, 1), "double-crank": (1, 1), CHANGE_POINT: (1, 1)}
    assert (turns(a, b, c, d), turns(c, b, a, d)) == wanted.get(name, (0, 0))


def test_all_loops_of_the_horse_leg() -> None:
    """Lengths are those of the links; only L3 is driven; the thigh is the parallelogram of the thesis."""
    turn = horse_leg("run").kinematics(1.0, step=0.005)
    loops = {name: four_bar_loop(turn, points) for name, points in FOUR_BAR_LOOPS.items()}
    driven = {name: np.ptp(loop.lengths, axis=0) > 1e-9 for name, loop in loops.items()}
    assert driven["crank and L3"].tolist() == [False, False, True, False]
    assert not any(np.any(changes) for name, changes in driven.items() if name != "crank and L3")
    assert loops["crank and L3"].lengths[:, 2].min() == pytest.approx(0.252, abs=1e-4)
    assert loops["thigh"].mean_lengths == pytest.approx([0.262, 0.245, 0.263, 0.267])
    assert loops["tendon"].mean_lengths == pytest.approx([0.0573, 0.4503, 0.0711, 0.438])
    assert loops["thigh"].code() == "2Plsls" and loops["tendon"].code(0.25) == "2Pslsl"
    assert all(loop.worst_transmission > 0.05 for loop in loops.values())


def test_invalid_loops_are_reported() -> None:
    run = four_bar().kinematics(0.01)
    with pytest.raises(gw.ModelError, match="four points"):
        four_bar_loop(run, ("O", "A", "B"))
    with pytest.raises(gw.ModelError, match="side without length"):
        four_bar_loop(run, ("O", "A", "A", "C"))
    with pytest.raises(gw.ModelError, match="four lengths"):
        grashof_class((0.1, 0.2, 0.3))
