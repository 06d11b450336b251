"""How a number of the legs is judged when it is not met at once: what its digits, the lengths, the penetration and the
thesis's own steps leave open, in this order, and what is said then.

exact             our number, within half a unit of the printed digit: only this is a pass
thesis's steps    the nearest of its scheme's numbers (two readings of beta, three turns), within half a unit
lengths           lengths of Table 4.2 off by up to 0.5 mm: the band of nine of ten drawn legs, then the farthest of all
thesis's steps    with the band of the lengths around them
penetration       off by up to 0.5 mm, and the lengths, for numbers that depend on where stance ends
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from gaitwright.papers.check import Check, judge
from gaitwright.papers.rounding import Band, half_digit
from gaitwright.papers.walking_legs_data import LEGS, PAPER
from gaitwright.papers.walking_legs_runs import LegRuns

AGREE = 2e-3
"""Part up to which our two computations count as one."""

check = partial(judge, paper=PAPER)


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
    found = next((o for o in openings if abs(o.computed - published) <= half + o.room), openings[0])
    return check(
        f"{case.id}-{leg.name}", f"{LEGS[leg.name].name}: {case.quantity}", published, found.computed, case.unit,
        tolerance=half if found is openings[0] else 0.0, rounding=half + found.room, impossible=impossible, void=case.void,
        confirmed=max(leg.agree.values()) < AGREE,
        remark="; ".join(text for text in (case.remark, found.remark) if text),
    )  # fmt: skip


def _openings(leg: LegRuns, case: Case, published: float) -> Iterator[Opening]:
    nominal, band = leg.numbers[case.number], leg.bands[case.number]
    exact = nominal if case.exact is None else case.exact
    steps = {name: found[case.number] for name, found in leg.thesis.items() if case.number in found}
    said = steps_said(leg, case.number)
    tail = f"; {said}" if said else ""
    yield Opening(exact, 0.0, "")
    nearest = min(steps, key=lambda name: abs(steps[name] - published), default=None)
    if nearest is not None:
        yield Opening(
            steps[nearest], 0.0, f"by the thesis's steps (the nearest of {len(steps)}: {nearest}); exact {exact:.5g}"
        )
    yield Opening(exact, band.room(published, nominal), f"{lengths_said(band, exact - nominal)}{tail}")
    yield Opening(
        exact, band.room(published, nominal, all_legs=True),
        f"{band.least + exact - nominal:.5g} to {band.most + exact - nominal:.5g} are the farthest of legs whose "
        "lengths are off "
        f"by up to 0.5 mm{tail}",
    )  # fmt: skip
    if nearest is not None:
        yield Opening(
            steps[nearest], band.room(published, nominal),
            f"by the thesis's steps ({nearest}) and lengths off by up to 0.5 mm; exact {exact:.5g}",
        )  # fmt: skip
    if case.edge:
        ends = [shifted[case.number] for shifted in leg.shifted]
        open_to = max(ends) if published > exact else min(ends)
        yield Opening(
            exact, abs(open_to - nominal) + band.room(published, nominal),
            f"{min(ends):.5g} to {max(ends):.5g} for the penetrations that its one digit leaves open, and lengths off by up to "
            f"0.5 mm{tail}",
        )  # fmt: skip


def lengths_said(band: Band, shift: float = 0.0) -> str:
    return f"{band.low + shift:.5g} to {band.high + shift:.5g} for lengths off by up to 0.5 mm"


def steps_said(leg: LegRuns, number: str) -> str:
    """What the thesis's scheme gives, in words; empty if it was not measured."""
    steps = [found[number] for found in leg.thesis.values() if number in found]
    return f"the thesis's steps give {min(steps):.5g} to {max(steps):.5g}" if steps else ""
