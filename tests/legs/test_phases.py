"""Stance and swing: roots of known heights, phases that extend over the end of the turn, several feet."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gaitwright.legs.phase_statistics import fit_spline
from gaitwright.legs.phases import STANCE, SWING, TURN, FootPhases, combine_phases, join_stances, phases_from_height

T = np.linspace(0.0, 1.0, 401)


def near(*pairs: tuple[float, float]) -> list[Any]:
    """Time intervals, to within the error of the spline."""
    return [pytest.approx(pair, abs=1e-7) for pair in pairs]


def of(height: np.ndarray) -> FootPhases:
    return phases_from_height(fit_spline(T, height), 0.0, 1.0)


def test_stance_in_the_middle_of_the_turn() -> None:
    found = of(np.cos(2 * np.pi * T) + 0.5)  # below zero from 1/3 to 2/3
    assert list(found.steps) == near((1 / 3, 2 / 3))
    assert found.duty == pytest.approx(1 / 3, abs=1e-7)
    assert found.parts(SWING) == near((0.0, 1 / 3), (2 / 3, 1.0))


def test_stance_over_the_end_of_the_turn_is_one_step() -> None:
    found = of(-np.cos(2 * np.pi * T) + 0.5)  # below zero within 1/6 of the start and of the end
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
    phases = FootPhases(0.0, 1.0, steps)
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


def test_adjacent_intervals_are_merged() -> None:
    assert join_stances([(0.3, 0.5), (0.1, 0.35), (0.5, 0.6)], 0.0, 1.0).steps == ((0.1, 0.6),)
    assert join_stances([(0.0, 0.2), (0.7, 1.0)], 0.0, 1.0).steps == ((0.7, 1.2),)
    assert join_stances([(0.0, 1.0)], 0.0, 1.0).steps == ((0.0, 1.0),)


def test_at_least_one_of_several_feet() -> None:
    """Feet half a turn apart, each on the ground for 0.6 of it: one is always on the ground, both for 0.2."""
    one, other = FootPhases(0.0, 1.0, ((0.1, 0.7),)), FootPhases(0.0, 1.0, ((0.6, 1.2),))
    assert combine_phases([one, other]).duty == pytest.approx(1.0)
    assert combine_phases([one]).steps == one.steps
    short = [FootPhases(0.0, 1.0, ((down, down + 0.1),)) for down in (0.0, 0.3, 0.95)]
    assert list(combine_phases(short).steps) == near((0.3, 0.4), (0.95, 1.1))
