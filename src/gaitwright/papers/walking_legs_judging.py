"""How a number of the legs is judged when it is not met at once: what its digits, the lengths, the penetration and the
thesis's own steps leave open, in this order, and what is said then.

exact             our number, within half a unit of the printed digit: only this is a pass
thesis's scheme   the nearest of its scheme's numbers (two readings of beta, three turns), within half a unit
digits            all lengths and masses that round to Table 4.2: the least and the greatest value, see rounding.py
thesis's scheme   with the same room around them
penetration       that which the printed elastic peak pins, and the digits, for numbers that depend on where stance ends

Nothing but a pass is given to a number of ours that is not confirmed: our run must be the closed kinematics of the printed leg,
the number must come out of these kinematics, too, and forward and inverse dynamics and forces by hand must agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from gaitwright.legs.phases import TURN
from gaitwright.papers.rounding import Band
from gaitwright.papers.sheet import Row, half_digit, value_of
from gaitwright.papers.walking_legs_data import ELASTIC, NUMBERS, number_of, pinned_depth
from gaitwright.papers.walking_legs_runs import LegRuns

if TYPE_CHECKING:
    from gaitwright.papers.walking_legs import WalkingLegs

AGREE = 2e-3
"""Part up to which two computations count as one. Closed numbers come from samples, within 6e-4."""
ANCHORED = 1e-6
"""Difference of our run from closed kinematics: of the foot in m, of acceleration and torque in parts of the largest."""
UNSOUND: dict[str, Any] = {"rounding": 0.0, "void": "", "confirmed": False}
"""What is left of the excuses of a row if our own number is not confirmed: none."""


def confirmed(leg: LegRuns, number: str = "") -> bool:
    """Whether our run is the printed leg, our ways to the same numbers agree, and `number` is that of closed kinematics."""
    sound = max(leg.agree.values()) < AGREE and max(leg.anchors.values()) < ANCHORED
    closed = leg.closed.get(number)
    return sound and (closed is None or abs(leg.numbers[number] - closed) <= AGREE * abs(closed))


def of_leg(found: WalkingLegs, row: Row) -> dict[str, Any]:
    """As the row says, if our legs are sound."""
    return {} if confirmed(found.legs[row.of]) else UNSOUND


# what follows from lengths and crank alone ---------------------------------------------------------------------------


def geometry(found: WalkingLegs, row: Row, edge: bool = False, trusted: bool | None = None) -> dict[str, Any]:
    """The crank turns as driven, so that the motion of the foot is geometry. edge: the number depends on where stance ends.
    trusted: whether the number is confirmed, where the caller knows."""
    leg, number, half, published = found.legs[row.of], number_of(row), half_digit(row.text), value_of(row.text)
    good, exact = confirmed(leg, number) if trusted is None else trusted, leg.numbers[number]
    openings = list(_openings(leg, number, published, edge)) if good else [Opening(exact, 0.0, "")]
    opening = next((o for o in openings if abs(o.computed - published) <= half + o.room), openings[0])
    about = {
        "computed": opening.computed, "tolerance": half if opening is openings[0] else 0.0, "rounding": half + opening.room,
        "confirmed": good, "void": "",
    }  # fmt: skip
    if opening.remark:
        about["remark"] = opening.remark
    if not row.impossible:
        about["impossible"] = _geometry_said(leg, row, number, edge)
    return about | ({} if good else UNSOUND)


def _geometry_said(leg: LegRuns, row: Row, number: str, edge: bool) -> str:
    why = (
        f"the crank turns at 2 pi rad/s by constraint, so this is geometry: {digits_said(leg.bands[number])}, "
        f"{steps_said(leg, number)}, and {row.text} lies outside both"
    )
    if edge:
        why += f"; {leg.pinned[number]:.5g} at the penetration that the printed elastic peak pins"
    if number != "acceleration_stance_max":
        return why
    # where over the ground the foot has a number that belongs to another phase
    run, foot = leg.exact.turn.run, leg.exact.foot
    values, height = run.values(f"{foot.name}.acceleration"), run.values(f"{foot.name}.y") - foot.level
    reached = 1e3 * height[values >= value_of(row.text)]
    return f"{why}; the foot has it only {reached.min():.0f} mm and more above the ground" if reached.size else why


def mean_force(found: WalkingLegs, row: Row) -> dict[str, Any]:
    """At the penetration that the printed peak pins."""
    leg = found.legs[row.of]
    exact = leg.ground.turn.ground[ELASTIC].normal[TURN].mean
    pinned = (
        replace(leg, numbers={**leg.numbers, number_of(row): exact}, bands=leg.pinned_bands) if confirmed(leg) else leg
    )
    about = geometry(replace(found, legs={**found.legs, row.of: pinned}), row, trusted=confirmed(leg, number_of(row)))
    said = "over the whole turn, at the penetration that the printed peak pins"
    return about | {"remark": "; ".join(filter(None, (said, about.get("remark"))))}


def over_the_middle(found: WalkingLegs, row: Row) -> dict[str, Any]:
    """A velocity of the Chebyshev leg: Eq 4.17 in the middle of stance gives V_VT, and Eq 4.16 with sizes V_FT."""
    about = geometry(found, row)
    said = found.known["texts"]["over the middle"]
    for name in ("remark", "impossible"):
        about[name] = "; ".join(filter(None, (said, about.get(name, ""))))
    return about


class Opening(NamedTuple):
    """What leaves a number open: our number under it, how far it may be from the published one, and what to say."""

    computed: float
    room: float
    remark: str


def _openings(leg: LegRuns, number: str, published: float, edge: bool) -> Iterator[Opening]:
    exact, band = leg.numbers[number], leg.bands[number]
    steps = {name: found[number] for name, found in leg.thesis.items() if number in found}
    tail = f"; {steps_said(leg, number)}" if steps else ""
    yield Opening(exact, 0.0, "")
    name = min(steps, key=lambda name: abs(steps[name] - published), default="")
    nearest, beside = steps.get(name, exact), f"exact {exact:.5g}"
    if steps:
        yield Opening(nearest, 0.0, f"by the thesis's scheme (the nearest of {len(steps)}: {name}); {beside}")
    yield Opening(exact, band.room(published, exact), f"{digits_said(band)}{tail}")
    if steps:
        said = f"by the thesis's scheme ({name}), with lengths as their digits allow; {beside}"
        yield Opening(nearest, band.room(published - nearest + exact, exact), said)
    if edge:
        pinned, at_pinned = leg.pinned_bands[number], leg.pinned[number]
        said = f"at {1e3 * pinned_depth(leg.name):.4f} mm, the penetration that the printed elastic peak pins"
        yield Opening(
            at_pinned,
            pinned.room(published, at_pinned),
            f"{said}; {digits_said(pinned)}; {beside} at the printed one{tail}",
        )


def digits_said(band: Band) -> str:
    return f"{band.least:.5g} to {band.most:.5g} over all lengths and masses that round to Table 4.2"


def steps_said(leg: LegRuns, number: str) -> str:
    """What the thesis's scheme gives, in words; empty if it was not measured."""
    steps = [found[number] for found in leg.thesis.values() if number in found]
    return f"the thesis's scheme gives {min(steps):.5g} to {max(steps):.5g}" if steps else ""


# velocities ----------------------------------------------------------------------------------------------------------


def speed(found: WalkingLegs, row: Row) -> dict[str, Any]:
    """These velocities are void: the thesis adds a V_VT that it does not print, and mixes components. What may have
    happened, as far as the digits tell, stands among the texts of the sheet under the id of the row: inferences."""
    leg, texts = found.legs[row.of], found.known["texts"]
    said = (
        texts["V_VT"].format(leg.numbers["body_speed"]),
        _coincidence(leg, row),
        _range(leg, row),
        texts.get(row.id, ""),
    )
    about = {"tolerance": half_digit(row.text), "rounding": 0.0, "void": "; ".join(filter(None, said))}
    return about if confirmed(leg, number_of(row)) else about | UNSOUND


def _coincidence(leg: LegRuns, row: Row) -> str:
    number, published = number_of(row), value_of(row.text)
    band, proves = leg.bands[number], "but a single velocity that agrees confirms nothing"
    if abs(leg.numbers[number] - published) <= half_digit(row.text):
        return f"ours has the printed digits, {proves}"
    return f"ours lies near ({digits_said(band)}), {proves}" if band.least <= published <= band.most else ""


def _range(leg: LegRuns, row: Row) -> str:
    """V_VT shifts all of V_FT, so that largest minus smallest does not depend on it."""
    words = {"speed-swing": "swing", "speed-stance": "stance", "text-speed-max": "swing"}
    phase = next((phase for word, phase in words.items() if word in row.id), "")
    if not phase:
        return ""
    most, least = (NUMBERS[f"4.3-speed-{phase}-{end}-{leg.name}"] for end in ("max", "min"))
    band = leg.bands[f"relative_{phase}_range"]
    fits = band.least - 1e-3 <= most - least <= band.most + 1e-3
    return (
        f"whatever it is, V_FT varies by {band.least:.3f} to {band.most:.3f} m/s in {phase} for all "
        f"lengths that round to Table 4.2, and the printed largest and smallest differ by {most - least:.3f}"
        + (", so that they belong to another V_VT" if fits else "")
    )


ARGUMENTS: dict[str, Callable[[Any, Row], dict[str, Any]]] = {
    "leg": of_leg, "geometry": geometry, "edge": partial(geometry, edge=True), "mean force": mean_force, "speed": speed,
    "middle": over_the_middle,
}  # fmt: skip
