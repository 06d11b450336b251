"""Stance and swing of a foot that repeats its motion: when it is below the ground (paper 003 Eq 4.1), over one turn.

A phase may go over the end of the turn: it is then one phase, not two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

STANCE, SWING, TURN = PHASES = ("stance", "swing", "turn")


@dataclass(frozen=True)
class Phases:
    """When a foot is on the ground. begin, end: s, of the turn. steps: (touchdown, lift-off), s, in order; the touchdown
    lies within the turn, the lift-off comes after it and may lie in the next turn. One step as long as the turn: always on
    the ground."""

    begin: float
    end: float
    steps: tuple[tuple[float, float], ...]

    @property
    def period(self) -> float:
        return self.end - self.begin

    @property
    def duty(self) -> float:
        """Part of the turn in stance, 0 to 1."""
        return sum(off - down for down, off in self.steps) / self.period

    def is_stance(self, times: np.ndarray) -> np.ndarray:
        """Whether the foot is on the ground at these times of the turn."""
        found = np.zeros(np.shape(times), dtype=bool)
        for first, last in self.parts(STANCE):
            found |= (times >= first) & (times <= last)
        return found

    def parts(self, phase: str) -> list[tuple[float, float]]:
        """A phase as stretches within the turn, s, in order: one that goes over its end is two."""
        if phase == TURN:
            return [(self.begin, self.end)]
        stance = sorted(self._wrapped())
        if phase == STANCE:
            return stance
        edges = [self.begin, *(t for part in stance for t in part), self.end]
        return [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if b > a]

    def _wrapped(self) -> Iterator[tuple[float, float]]:
        for down, off in self.steps:
            yield down, min(off, self.end)
            if off > self.end:
                yield self.begin, off - self.period

    def shifted(self, by: float) -> Phases:
        """The same phases in a turn that begins later, s."""
        return Phases(self.begin + by, self.end + by, tuple((down + by, off + by) for down, off in self.steps))


def from_height(height: Any, begin: float, end: float) -> Phases:
    """Phases of a foot from its height above the ground, a piecewise polynomial of time that repeats after the turn."""
    roots = np.unique(height.roots(discontinuity=False, extrapolate=False))
    edges = np.unique(np.concatenate([[begin], roots[(roots > begin) & (roots < end)], [end]]))
    low = height(0.5 * (edges[1:] + edges[:-1])) < 0
    parts = [(float(a), float(b)) for a, b, below in zip(edges[:-1], edges[1:], low, strict=True) if below]
    return joined(parts, begin, end)


def joined(parts: Sequence[tuple[float, float]], begin: float, end: float) -> Phases:
    """Phases from stretches of stance within the turn; those that touch or overlap become one, also over its end."""
    steps: list[tuple[float, float]] = []
    for first, last in sorted(parts):
        if steps and first <= steps[-1][1]:
            steps[-1] = steps[-1][0], max(last, steps[-1][1])
        else:
            steps.append((first, last))
    if len(steps) > 1 and steps[0][0] <= begin and steps[-1][1] >= end:
        _, off = steps.pop(0)
        steps[-1] = steps[-1][0], off + end - begin
    return Phases(begin, end, tuple(steps))


def any_of(feet: Sequence[Phases]) -> Phases:
    """When at least one of several feet is on the ground."""

    def both(a: Phases, b: Phases) -> Phases:
        return joined([*a.parts(STANCE), *b.parts(STANCE)], a.begin, a.end)

    return reduce(both, feet)
