"""Verdicts on numbers of the legs that do not match at once: uncertainties of digits, lengths, penetration and the thesis's own
steps are applied in this order, with explanations.

exact             our number, within half a unit of the printed digit: only this is a pass
thesis's scheme   the closest of its scheme's numbers (two interpretations of beta, three turns), within half a unit
digits            all lengths and masses that round to Table 4.2: smallest and largest value, see rounding_bands.py
thesis's scheme   with the same tolerance around them
penetration       that determined by the printed elastic peak, with the digits, for numbers that depend on the end of stance

A number of ours that is not confirmed gets no verdict but a pass: our run must match the closed-form kinematics of the
printed leg, the number must follow from these kinematics as well, and forward and inverse dynamics and forces computed
by hand must agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from gaitwright.legs.phases import TURN
from gaitwright_apps.reproductions.rounding_bands import RoundingBand
from gaitwright_apps.reproductions.sheets import SheetRow, half_digit, parse_printed
from gaitwright_apps.reproductions.walking_legs_data import (
    ELASTIC_RESTITUTION,
    PRINTED_NUMBERS,
    measure_name,
    pinned_depth,
)
from gaitwright_apps.reproductions.walking_legs_runs import LegRuns

if TYPE_CHECKING:
    from gaitwright_apps.reproductions.walking_legs import WalkingLegsExperiment

AGREEMENT_RTOL = 2e-3
"""Relative difference up to which two computations agree. Closed-form numbers come from samples, within 6e-4."""
CLOSED_FORM_TOL = 1e-6
"""Tolerance of our run relative to closed-form kinematics: of the foot in m, of acceleration and torque relative to
the largest."""
UNCONFIRMED_ARGUMENTS: dict[str, Any] = {"rounding": 0.0, "void": "", "confirmed": False}
"""Arguments of a row if our own number is not confirmed: without tolerance for rounding and without explanations."""


def is_confirmed(leg: LegRuns, number: str = "") -> bool:
    """True if our run matches the printed leg, our computations of the same numbers agree, and `number` matches
    closed-form kinematics."""
    is_consistent = max(leg.agree.values()) < AGREEMENT_RTOL and max(leg.anchors.values()) < CLOSED_FORM_TOL
    closed_form_number = leg.closed.get(number)
    return is_consistent and (
        closed_form_number is None
        or abs(leg.numbers[number] - closed_form_number) <= AGREEMENT_RTOL * abs(closed_form_number)
    )


def judge_leg(experiment: WalkingLegsExperiment, row: SheetRow) -> dict[str, Any]:
    """Arguments of the row if our legs are confirmed."""
    return {} if is_confirmed(experiment.legs[row.of]) else UNCONFIRMED_ARGUMENTS


# consequences of lengths and crank alone ------------------------------------------------------------------------------


def judge_geometry(
    experiment: WalkingLegsExperiment, row: SheetRow, edge: bool = False, trusted: bool | None = None
) -> dict[str, Any]:
    """Judge a number of pure geometry: the crank is driven, so it determines the motion of the foot. edge: True if
    the number depends on the end of stance. trusted: overrides the confirmation of the number."""
    leg, number, half, published = (
        experiment.legs[row.of],
        measure_name(row),
        half_digit(row.text),
        parse_printed(row.text),
    )
    confirmed, exact = is_confirmed(leg, number) if trusted is None else trusted, leg.numbers[number]
    openings = list(_allowances(leg, number, published, edge)) if confirmed else [Allowance(exact, 0.0, "")]
    opening = next((o for o in openings if abs(o.computed - published) <= half + o.room), openings[0])
    arguments = {
        "computed": opening.computed, "tolerance": half if opening is openings[0] else 0.0, "rounding": half + opening.room,
        "confirmed": confirmed, "void": "",
    }  # fmt: skip
    if opening.remark:
        arguments["remark"] = opening.remark
    if not row.impossible:
        arguments["impossible"] = _explain_geometry(leg, row, number, edge)
    return arguments | ({} if confirmed else UNCONFIRMED_ARGUMENTS)


def _explain_geometry(leg: LegRuns, row: SheetRow, number: str, edge: bool) -> str:
    why = (
        f"the crank turns at 2 pi rad/s by constraint, so this is geometry: {describe_band(leg.bands[number])}, "
        f"{describe_scheme_numbers(leg, number)}, and {row.text} lies outside both"
    )
    if edge:
        why += f"; {leg.pinned[number]:.5g} at the penetration that the printed elastic peak pins"
    if number != "acceleration_stance_max":
        return why
    # height over the ground at which the foot has a number that belongs to another phase
    run, foot = leg.exact.turn.run, leg.exact.foot
    values, height = run.array(f"{foot.name}.acceleration"), run.array(f"{foot.name}.y") - foot.level
    reached = 1e3 * height[values >= parse_printed(row.text)]
    return f"{why}; the foot has it only {reached.min():.0f} mm and more above the ground" if reached.size else why


def judge_mean_force(experiment: WalkingLegsExperiment, row: SheetRow) -> dict[str, Any]:
    """Judge the mean force at the penetration determined by the printed peak."""
    leg = experiment.legs[row.of]
    exact = leg.ground.turn.ground[ELASTIC_RESTITUTION].normal[TURN].mean
    pinned = (
        replace(leg, numbers={**leg.numbers, measure_name(row): exact}, bands=leg.pinned_bands)
        if is_confirmed(leg)
        else leg
    )
    arguments = judge_geometry(
        replace(experiment, legs={**experiment.legs, row.of: pinned}), row, trusted=is_confirmed(leg, measure_name(row))
    )
    remark = "over the whole turn, at the penetration that the printed peak pins"
    return arguments | {"remark": "; ".join(filter(None, (remark, arguments.get("remark"))))}


def judge_middle_speed(experiment: WalkingLegsExperiment, row: SheetRow) -> dict[str, Any]:
    """Judge a velocity of the Chebyshev leg: Eq 4.17 in the middle of stance gives V_VT, and Eq 4.16 with magnitudes
    V_FT."""
    arguments = judge_geometry(experiment, row)
    note = experiment.known["texts"]["over the middle"]
    for name in ("remark", "impossible"):
        arguments[name] = "; ".join(filter(None, (note, arguments.get(name, ""))))
    return arguments


class Allowance(NamedTuple):
    """Possible explanation of a difference: our number under it, the allowed difference from the published one, and
    its text."""

    computed: float
    room: float
    remark: str


def _allowances(leg: LegRuns, number: str, published: float, edge: bool) -> Iterator[Allowance]:
    exact, band = leg.numbers[number], leg.bands[number]
    steps = {name: scheme_numbers[number] for name, scheme_numbers in leg.thesis.items() if number in scheme_numbers}
    tail = f"; {describe_scheme_numbers(leg, number)}" if steps else ""
    yield Allowance(exact, 0.0, "")
    name = min(steps, key=lambda name: abs(steps[name] - published), default="")
    nearest, beside = steps.get(name, exact), f"exact {exact:.5g}"
    if steps:
        yield Allowance(nearest, 0.0, f"by the thesis's scheme (the nearest of {len(steps)}: {name}); {beside}")
    yield Allowance(exact, band.room(published, exact), f"{describe_band(band)}{tail}")
    if steps:
        remark = f"by the thesis's scheme ({name}), with lengths as their digits allow; {beside}"
        yield Allowance(nearest, band.room(published - nearest + exact, exact), remark)
    if edge:
        pinned, at_pinned = leg.pinned_bands[number], leg.pinned[number]
        remark = f"at {1e3 * pinned_depth(leg.name):.4f} mm, the penetration that the printed elastic peak pins"
        yield Allowance(
            at_pinned,
            pinned.room(published, at_pinned),
            f"{remark}; {describe_band(pinned)}; {beside} at the printed one{tail}",
        )


def describe_band(band: RoundingBand) -> str:
    return f"{band.least:.5g} to {band.most:.5g} over all lengths and masses that round to Table 4.2"


def describe_scheme_numbers(leg: LegRuns, number: str) -> str:
    """Range of the numbers of the thesis's scheme, as text; empty if not computed."""
    steps = [scheme_numbers[number] for scheme_numbers in leg.thesis.values() if number in scheme_numbers]
    return f"the thesis's scheme gives {min(steps):.5g} to {max(steps):.5g}" if steps else ""


# velocities ----------------------------------------------------------------------------------------------------------


def judge_speed(experiment: WalkingLegsExperiment, row: SheetRow) -> dict[str, Any]:
    """Judge a velocity as void: the thesis adds a V_VT that it does not print, and mixes components. Possible
    explanations, as far as the digits allow, are texts of the sheet under the id of the row: inferences."""
    leg, texts = experiment.legs[row.of], experiment.known["texts"]
    sentences = (
        texts["V_VT"].format(leg.numbers["body_speed"]),
        _explain_coincidence(leg, row),
        _explain_range(leg, row),
        texts.get(row.id, ""),
    )
    arguments = {"tolerance": half_digit(row.text), "rounding": 0.0, "void": "; ".join(filter(None, sentences))}
    return arguments if is_confirmed(leg, measure_name(row)) else arguments | UNCONFIRMED_ARGUMENTS


def _explain_coincidence(leg: LegRuns, row: SheetRow) -> str:
    number, published = measure_name(row), parse_printed(row.text)
    band, proves = leg.bands[number], "but a single velocity that agrees confirms nothing"
    if abs(leg.numbers[number] - published) <= half_digit(row.text):
        return f"ours has the printed digits, {proves}"
    return f"ours lies near ({describe_band(band)}), {proves}" if band.least <= published <= band.most else ""


def _explain_range(leg: LegRuns, row: SheetRow) -> str:
    """V_VT shifts all of V_FT, so that largest minus smallest does not depend on it."""
    words = {"speed-swing": "swing", "speed-stance": "stance", "text-speed-max": "swing"}
    phase = next((phase for word, phase in words.items() if word in row.id), "")
    if not phase:
        return ""
    largest, smallest = (PRINTED_NUMBERS[f"4.3-speed-{phase}-{end}-{leg.name}"] for end in ("max", "min"))
    band = leg.bands[f"relative_{phase}_range"]
    fits = band.least - 1e-3 <= largest - smallest <= band.most + 1e-3
    return (
        f"whatever it is, V_FT varies by {band.least:.3f} to {band.most:.3f} m/s in {phase} for all "
        f"lengths that round to Table 4.2, and the printed largest and smallest differ by {largest - smallest:.3f}"
        + (", so that they belong to another V_VT" if fits else "")
    )


JUDGES: dict[str, Callable[[Any, SheetRow], dict[str, Any]]] = {
    "leg": judge_leg,
    "geometry": judge_geometry,
    "edge": partial(judge_geometry, edge=True),
    "mean force": judge_mean_force,
    "speed": judge_speed,
    "middle": judge_middle_speed,
}
