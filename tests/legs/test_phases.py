"""Stance and swing: roots of known heights, phases that go over the end of the turn, several feet."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gaitwright.legs.phases import STANCE, SWING, TURN, Phases, any_of, from_height, joined
from gaitwright.legs.statistics import curve

T = np.linspace(0.0, 1.0, 401)


def near(*pairs: tuple[float, float]) -> list[Any]:
    """Stretches of time, to within the spline's error."""
    return [pytest.approx(pair, abs=1e-7) for pair in pairs]


def of(height: np.ndarray) -> Phases:
    return from_height(curve(T, height), 0.0, 1.0)


def test_stance_in_the_middle_of_the_turn() -> None:
    found = of(np.cos(2 * np.pi * T) + 0.5)  # below zero from 1/3 to 2/3
    assert list(found.steps) == near((1 / 3, 2 / 3))
    assert found.duty == pytest.approx(1 / 3, abs=1e-7)
    assert found.parts(SWING) == near((0.0, 1 / 3), (2 / 3, 1.0))


def test_stance_over_the_end_of_the_turn_is_one_step() -> None:
    found = of(-np.cos(2 * np.pi * T) + 0.5)  # below zero within 1/6 of the begin and of the end
    assert list(found.steps) == near((5 / 6, 7 / 6))
    assert found.parts(STANCE) == near((0.0, 1 / 6), (5 / 6, 1.0))
    assert found.parts(SWING) == near((1 / 6, 5 / 6))
    later = found.shifted(2.0)
    assert (later.begin, later.end, later.duty) == pytest.approx((2.0, 3.0, found.duty))
    assert later.parts(SWING) == near((2 + 1 / 6, 2 + 5 / 6))


def test_two_steps_in_a_turn() -> None:
    found = of(np.cos(4 * np.pi * T) + 0.5)
    assert list(found.steps) == near((1 / 6, 1 / 3), (2 / 3, 5 / 6))


def test_touching_without_going_below_is_no_step() -> None:
    assert of(1 - np.cos(2 * np.pi * T) + 1e-9).steps == ()


@pytest.mark.parametrize(("height", "duty"), [(-1.0, 1.0), (1.0, 0.0)])
def test_always_or_never_on_the_ground(height: float, duty: float) -> None:
    found = of(np.full(T.size, height) + 0.1 * np.sin(2 * np.pi * T))
    assert found.duty == duty
    assert len(found.steps) == int(duty)
    phases = (STANCE, SWING) if duty else (SWING, STANCE)
    assert [found.parts(phase) for phase in phases] == [[(0.0, 1.0)], []]


@pytest.mark.parametrize("steps", [((0.2, 0.7),), ((0.9, 1.4),), ((0.1, 0.2), (0.3, 0.35), (0.8, 1.05)), ()])
def test_stance_and_swing_share_the_turn(steps: tuple[tuple[float, float], ...]) -> None:
    phases = Phases(0.0, 1.0, steps)
    times = np.linspace(0.0005, 0.9995, 1000)
    inside = np.zeros(times.size, dtype=int)
    for phase in (STANCE, SWING):
        for first, last in phases.parts(phase):
            assert 0.0 <= first < last <= 1.0
            inside += (times > first) & (times < last)
    assert inside.tolist() == [1] * times.size
    length = sum(last - first for first, last in phases.parts(STANCE))
    assert length == pytest.approx(phases.duty) and phases.is_stance(times).mean() == pytest.approx(length, abs=2e-3)
    assert phases.parts(TURN) == [(0.0, 1.0)]


def test_stretches_that_touch_become_one() -> None:
    assert joined([(0.3, 0.5), (0.1, 0.35), (0.5, 0.6)], 0.0, 1.0).steps == ((0.1, 0.6),)
    assert joined([(0.0, 0.2), (0.7, 1.0)], 0.0, 1.0).steps == ((0.7, 1.2),)
    assert joined([(0.0, 1.0)], 0.0, 1.0).steps == ((0.0, 1.0),)


def test_at_least_one_of_several_feet() -> None:
    """Feet half a turn apart that are each down for 0.6 of it: one is always down, both for 0.2."""
    one, other = Phases(0.0, 1.0, ((0.1, 0.7),)), Phases(0.0, 1.0, ((0.6, 1.2),))
    assert any_of([one, other]).duty == pytest.approx(1.0)
    assert any_of([one]).steps == one.steps
    short = [Phases(0.0, 1.0, ((down, down + 0.1),)) for down in (0.0, 0.3, 0.95)]
    assert list(any_of(short).steps) == near((0.3, 0.4), (0.95, 1.1))
