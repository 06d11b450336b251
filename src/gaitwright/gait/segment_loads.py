"""Loads on a segment besides its weight, its joints and the ground: a pack, a seat, a box in the hands, a cuff.

pack = gw.gait.Wrench.at(motion.place("trunk", [-0.15, 0.3, 0.0]), [0, 0, -10 * 9.81])      # 10 kg, held still
gw.gait.joint_moments(motion, forces, loads={"trunk": pack})
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from gaitwright._core.error_context import ErrorContext

Array = np.ndarray


@dataclass(frozen=True)
class Wrench:
    """Force and moment on a segment. force: (time, 3), N. moment: (time, 3), N m, about the ORIGIN OF THE TRIAL. Axes of
    the trial: x forward, y left, z up."""

    force: Array
    moment: Array

    @staticmethod
    def at(place: ArrayLike, force: ArrayLike, moment: ArrayLike = (0.0, 0.0, 0.0)) -> Wrench:
        """Build a wrench from a force, N, at a point, m, and a moment about that point, N m; each (time, 3), or (3,) for
        all instants.
        Raises ModelError for other shapes."""
        at = ErrorContext("wrench")
        given = {"place": place, "force": force, "moment": moment}
        parts = {name: np.atleast_2d(at[name].numbers(one, "(time, 3) or (3,)")) for name, one in given.items()}
        count = max(len(one) for one in parts.values())
        for name, one in parts.items():
            if one.ndim != 2 or one.shape[1] != 3 or len(one) not in (1, count):
                at[name].fail(f"has the shape {np.shape(given[name])}", expected=f"({count}, 3) or (3,)")
        where, pull, turn = (np.broadcast_to(one, (count, 3)).copy() for one in parts.values())
        return Wrench(pull, turn + np.cross(where, pull))

    def __add__(self, other: Wrench) -> Wrench:
        return Wrench(self.force + other.force, self.moment + other.moment)

    def __neg__(self) -> Wrench:
        return Wrench(-self.force, -self.moment)

    def about(self, place: ArrayLike) -> Array:
        """Moment about another point, (time, 3), N m; place: (time, 3) or (3,), m."""
        return self.moment - np.cross(np.asarray(place, dtype=float), self.force)


def validate_loads(loads: Mapping[str, Wrench] | None, segments: Collection[str], instants: int) -> dict[str, Wrench]:
    """Return the loads as a dictionary. Raises ModelError for an unknown segment, a wrong number of instants, or non-finite
    values."""
    for name, load in (loads or {}).items():
        ErrorContext("loads").one_of(name, segments, "there is no such segment")
        at = ErrorContext(f"load on '{name}'")
        if not isinstance(load, Wrench):
            at.fail(
                "is not a wrench",
                type(load).__name__,
                "gw.gait.Wrench(force, moment), or gw.gait.Wrench.at(place, force)",
            )
        for part in ("force", "moment"):
            values = at[part].numbers(getattr(load, part), "(time, 3)")
            if values.shape != (instants, 3):
                at[part].fail(
                    f"has the shape {values.shape}", expected=f"({instants}, 3): a row per instant of the motion"
                )
            if not np.isfinite(values).all():
                first = int(np.flatnonzero(~np.isfinite(values).all(axis=1))[0])
                at[part].fail(f"is not a number at instant {first}", expected="finite numbers, 0 where nothing acts")
    return dict(loads or {})
