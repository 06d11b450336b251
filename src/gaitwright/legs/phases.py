"""Stance and swing of a periodic foot motion over one turn: a foot is in stance while it is below the ground (paper 003
Eq 4.1).

A phase may extend over the end of the turn: it is then one phase, not two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

STANCE, SWING, TURN = PHASES = ("stance", "swing", "turn")


@dataclass(frozen=True)
class FootPhases:
    """Phases of a foot. begin, end: of the turn, s. steps: (touchdown, lift-off), s, in order; the touchdown is within the
    turn, the lift-off after it may be in the next turn. One step as long as the turn: always on the ground."""

    begin: float
    end: float
    steps: tuple[tuple[float, float], ...]

    @property
    def period(self) -> float:
        return self.end - self.begin

    @property
    def duty(self) -> float:
        """Fraction of the turn in stance, 0 to 1."""
        return sum(liftoff - touchdown for touchdown, liftoff in self.steps) / self.period

    def is_stance(self, times: np.ndarray) -> np.ndarray:
        """Mask of the times of the turn at which the foot is on the ground."""
        mask = np.zeros(np.shape(times), dtype=bool)
        for first, last in self.parts(STANCE):
            mask |= (times >= first) & (times <= last)
        return mask

    def parts(self, phase: str) -> list[tuple[float, float]]:
        """Intervals of a phase within the turn, s, in order; a phase that extends over the end gives two intervals."""
        if phase == TURN:
            return [(self.begin, self.end)]
        stance = sorted(self._wrapped())
        if phase == STANCE:
            return stance
        edges = [self.begin, *(t for part in stance for t in part), self.end]
        return [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if b > a]

    def _wrapped(self) -> Iterator[tuple[float, float]]:
        for touchdown, liftoff in self.steps:
            yield touchdown, min(liftoff, self.end)
            if liftoff > self.end:
                yield self.begin, liftoff - self.period

    def shifted(self, delay: float) -> FootPhases:
        """The same phases in a turn that begins `by` seconds later."""
        return FootPhases(
            self.begin + delay, self.end + delay, tuple((down + delay, off + delay) for down, off in self.steps)
        )


def phases_from_height(height: Any, begin: float, end: float) -> FootPhases:
    """Phases of a foot from its height above the ground, a piecewise polynomial of time that is periodic over the turn."""
    roots = np.unique(height.roots(discontinuity=False, extrapolate=False))
    edges = np.unique(np.concatenate([[begin], roots[(roots > begin) & (roots < end)], [end]]))
    low = height(0.5 * (edges[1:] + edges[:-1])) < 0
    parts = [(float(a), float(b)) for a, b, below in zip(edges[:-1], edges[1:], low, strict=True) if below]
    return join_stances(parts, begin, end)


def join_stances(parts: Sequence[tuple[float, float]], begin: float, end: float) -> FootPhases:
    """Phases from stance intervals within the turn; adjacent and overlapping intervals are merged, also over its end."""
    steps: list[tuple[float, float]] = []
    for first, last in sorted(parts):
        if steps and first <= steps[-1][1]:
            steps[-1] = steps[-1][0], max(last, steps[-1][1])
        else:
            steps.append((first, last))
    if len(steps) > 1 and steps[0][0] <= begin and steps[-1][1] >= end:
        _, liftoff = steps.pop(0)
        steps[-1] = steps[-1][0], liftoff + end - begin
    return FootPhases(begin, end, tuple(steps))


def combine_phases(feet: Sequence[FootPhases]) -> FootPhases:
    """Phases of several feet together: stance if at least one foot is on the ground."""

    def join(a: FootPhases, b: FootPhases) -> FootPhases:
        return join_stances([*a.parts(STANCE), *b.parts(STANCE)], a.begin, a.end)

    return reduce(join, feet)
