"""How a number of the legs is judged when it is not met at once: what its digits, the lengths, the penetration and the
thesis's own steps leave open, in this order, and what is said then.

exact             our number, within half a unit of the printed digit: only this is a pass
thesis's steps    the nearest of its scheme's numbers (two readings of beta, three turns), within half a unit
lengths           lengths of Table 4.2 off by up to 0.5 mm: the band of nine of ten drawn legs, then the farthest of all
thesis's steps    with the band of the lengths around them
penetration       that which the printed elastic peak pins, and the lengths, for numbers that depend on where stance ends

Nothing but a pass is given to a number of ours that is not confirmed: our run must be the closed kinematics of the printed leg,
the number must come out of these kinematics, too, and forward and inverse dynamics and forces by hand must agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from gaitwright.papers.check import Check, judge
from gaitwright.papers.rounding import Band
from gaitwright.papers.sheet import half_digit
from gaitwright.papers.walking_legs_data import PAPER
from gaitwright.papers.walking_legs_runs import LegRuns, pinned_depth

AGREE = 2e-3
"""Part up to which two computations count as one. Closed numbers come from samples, within 6e-4."""
ANCHORED = 1e-6
"""Difference of our run from closed kinematics: of the foot in m, of acceleration and torque in parts of the largest."""

check = partial(judge, paper=PAPER, confirmed=True)


def confirmed(leg: LegRuns, number: str = "") -> bool:
    """Whether our run is the printed leg, our ways to the same numbers agree, and `number` is that of closed kinematics."""
    sound = max(leg.agree.values()) < AGREE and max(leg.anchors.values()) < ANCHORED
    closed = leg.closed.get(number)
    return sound and (closed is None or abs(leg.numbers[number] - closed) <= AGREE * abs(closed))


def leg_check(
    leg: LegRuns,
    id: str,
    quantity: str,
    printed: str,
    computed: float,
    unit: str,
    *,
    number: str = "",
    tolerance: float | None = None,
    rounding: float = 0.0,
    impossible: str = "",
    void: str = "",
    remark: str = "",
    holds: bool = True,
) -> Check:
    """Judge a number of a leg; anything but a pass needs `confirmed`. holds: whether the argument of `impossible` does."""
    good = confirmed(leg, number)
    return check(
        f"{id}-{leg.name}", f"{leg.printed.name}: {quantity}", float(printed), computed, unit,
        tolerance=half_digit(printed) if tolerance is None else tolerance, rounding=rounding if good else 0.0,
        impossible=impossible, confirmed=good and holds, void=void if good else "", remark=remark,
    )  # fmt: skip


class Opening(NamedTuple):
    """What leaves a number open: our number under it, how far it may be from the published one, and what to say."""

    computed: float
    room: float
    remark: str


class Case(NamedTuple):
    """A published number of a leg. edge: it depends on where stance ends. exact: our number, where it is not `number` at the
    printed penetration. void: why even an equal number would prove nothing."""

    id: str
    quantity: str
    unit: str
    printed: str
    number: str
    edge: bool = False
    exact: float | None = None
    remark: str = ""
    void: str = ""


def leg_case(leg: LegRuns, case: Case, impossible: str) -> Check:
    """Judge a number that follows from lengths and crank alone. impossible: the reason if nothing leaves it open."""
    published, half = float(case.printed), half_digit(case.printed)
    openings = list(_openings(leg, case, published))
    if case.void or not confirmed(leg, case.number):
        openings = openings[:1]
    found = next((o for o in openings if abs(o.computed - published) <= half + o.room), openings[0])
    return leg_check(
        leg, case.id, case.quantity, case.printed, found.computed, case.unit, number=case.number,
        tolerance=half if found is openings[0] else 0.0, rounding=half + found.room, impossible=impossible, void=case.void,
        remark="; ".join(text for text in (case.remark, found.remark) if text),
    )  # fmt: skip


def _openings(leg: LegRuns, case: Case, published: float) -> Iterator[Opening]:
    nominal, band = leg.numbers[case.number], leg.bands[case.number]
    exact = nominal if case.exact is None else case.exact
    steps = {name: found[case.number] for name, found in leg.thesis.items() if case.number in found}
    said = steps_said(leg, case.number)
    tail = f"; {said}" if said else ""

    def room(around: float, all_legs: bool = False) -> float:
        """Of the band, moved from the nominal leg to `around`."""
        return band.room(published - around + nominal, nominal, all_legs=all_legs)

    yield Opening(exact, 0.0, "")
    nearest = min(steps, key=lambda name: abs(steps[name] - published), default=None)
    if nearest is not None:
        yield Opening(
            steps[nearest], 0.0, f"by the thesis's steps (the nearest of {len(steps)}: {nearest}); exact {exact:.5g}"
        )
    yield Opening(exact, room(exact), f"{lengths_said(band, exact - nominal)}{tail}")
    yield Opening(exact, room(exact, all_legs=True), f"{farthest_said(band, exact - nominal)}{tail}")
    if nearest is not None:
        yield Opening(
            steps[nearest], room(steps[nearest]),
            f"by the thesis's steps ({nearest}) and lengths off by up to 0.5 mm; exact {exact:.5g}",
        )  # fmt: skip
    if case.edge:
        at_pinned = leg.pinned[case.number]
        yield Opening(
            at_pinned, room(at_pinned, all_legs=True),
            f"at {1e3 * pinned_depth(leg.name):.4f} mm, the penetration that the printed elastic peak pins; "
            f"{farthest_said(band, at_pinned - nominal)}; exact {exact:.5g} at the printed one{tail}",
        )  # fmt: skip


def farthest_said(band: Band, shift: float = 0.0) -> str:
    ends = f"{band.least + shift:.5g} to {band.most + shift:.5g}"
    return f"{ends} are the farthest of legs whose lengths are off by up to 0.5 mm"


def lengths_said(band: Band, shift: float = 0.0) -> str:
    return f"{band.low + shift:.5g} to {band.high + shift:.5g} for lengths off by up to 0.5 mm"


def steps_said(leg: LegRuns, number: str) -> str:
    """What the thesis's scheme gives, in words; empty if it was not measured."""
    steps = [found[number] for found in leg.thesis.values() if number in found]
    return f"the thesis's steps give {min(steps):.5g} to {max(steps):.5g}" if steps else ""
