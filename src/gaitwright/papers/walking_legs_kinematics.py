"""Verdicts on paper 003 section 4.1: Table 4.3 and its text. Lengths and accelerations of the foot are geometry; velocities
need the speed of the body, which is not printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gaitwright.papers.check import INPUT, Check
from gaitwright.papers.sheet import half_digit
from gaitwright.papers.walking_legs_data import CHEBYSHEV, JANSEN, TABLE_4_3, TEXT_4_1, TEXT_STEP_LENGTH, Row, of
from gaitwright.papers.walking_legs_judging import Case, check, farthest_said, leg_case, lengths_said, steps_said
from gaitwright.papers.walking_legs_runs import LegRuns, pinned_depth


def kinematics(legs: dict[str, LegRuns]) -> Iterator[Check]:
    """Table 4.3 and the text of section 4.1.3."""
    for leg in legs.values():
        for row in (*TABLE_4_3, *TEXT_4_1):
            printed = of(leg.name, row.printed)
            case = Case(f"4.3-{row.id}", row.quantity, row.unit, printed, row.number, edge=row.how == "edge")
            yield HOW[row.how](leg, row, case)
    text = Case("text-step-length", "step length, in the text", "m", TEXT_STEP_LENGTH, "step_length", edge=True)
    yield leg_case(legs[JANSEN], text, "")


def _geometry(leg: LegRuns, row: Row, case: Case) -> Check:
    """The crank turns as driven, so that the motion of the foot is geometry."""
    band = leg.bands[row.number]
    why = (
        f"the crank turns at 2 pi rad/s by constraint, so this is geometry: {farthest_said(band)}, "
        f"{steps_said(leg, row.number)}, and {case.printed} lies outside both"
    )
    if case.edge:
        why += f"; {leg.pinned[row.number]:.5g} at the penetration that the printed elastic peak pins"
    where = _where(leg, float(case.printed)) if row.number == "acceleration_stance_max" else ""
    return leg_case(leg, case, why + where)


def _where(leg: LegRuns, acceleration: float) -> str:
    """Where over the ground the foot has an acceleration, m/s2: of a number that belongs to another phase."""
    run, foot = leg.exact.turn.run, leg.exact.foot
    values, height = run.values(f"{foot.name}.acceleration"), run.values(f"{foot.name}.y") - foot.level
    reached = height[values >= acceleration]
    return f"; the foot has it only {1e3 * reached.min():.0f} mm and more above the ground" if reached.size else ""


def _depth(leg: LegRuns, row: Row, case: Case) -> Check:
    """We put the ground there, so that the row is met whatever the leg."""
    remark = (
        "where our ground is, so that it says nothing about the thesis: its K, penetration and elastic peak are one relation, "
        f"judged in 4.2-normal-peak-elastic-{leg.name}, which pins {1e3 * pinned_depth(leg.name):.4f} mm"
    )
    return check(
        f"{case.id}-{leg.name}", f"{leg.printed.name}: {case.quantity}", float(case.printed), leg.numbers[row.number], "m",
        tolerance=half_digit(case.printed), remark=remark, kind=INPUT,
    )  # fmt: skip


# velocities ----------------------------------------------------------------------------------------------------------

RANGES = {
    "speed-swing-max": "swing", "speed-swing-min": "swing", "text-speed-max": "swing",
    "speed-stance-max": "stance", "speed-stance-min": "stance",
}  # fmt: skip


def _speed(leg: LegRuns, row: Row, case: Case) -> Check:
    """All velocities are void: the thesis adds a V_VT that it does not print, and mixes components."""
    void = (
        f"V_VT is not printed; by Eq 4.17 it is {leg.numbers['body_speed']:.4f} m/s on average over the stance, and ours is "
        "with that"
    )
    parts = [
        void,
        _coincidence(leg, case),
        _range(leg, row),
        *(note(leg) for note in NOTES.get((leg.name, row.id), ())),
    ]
    return leg_case(leg, case._replace(void="; ".join(part for part in parts if part)), "")


def _coincidence(leg: LegRuns, case: Case) -> str:
    ours, published, band = leg.numbers[case.number], float(case.printed), leg.bands[case.number]
    if abs(ours - published) <= half_digit(case.printed):
        return "ours has the printed digits, which proves nothing while the other velocities do not"
    if band.low <= published <= band.high:
        return f"ours lies near ({lengths_said(band)}), which proves nothing while the other velocities do not"
    return ""


def _range(leg: LegRuns, row: Row) -> str:
    """V_VT shifts all of V_FT, so that largest minus smallest does not depend on it."""
    phase = RANGES.get(row.id)
    if phase is None:
        return ""
    most, least = (float(of(leg.name, _row(f"speed-{phase}-{end}").printed)) for end in ("max", "min"))
    band = leg.bands[f"relative_{phase}_range"]
    fits = band.least - 1e-3 <= most - least <= band.most + 1e-3
    return (
        f"whatever it is, V_FT varies by {band.least:.3f} to {band.most:.3f} m/s in {phase} (all drawn legs), and the printed "
        f"largest and smallest differ by {most - least:.3f}" + (", so that they belong to another V_VT" if fits else "")
    )


def _row(id: str) -> Row:
    return next(row for row in TABLE_4_3 if row.id == id)


# what may have happened, as far as the digits tell; inferences


def _mean(leg: LegRuns) -> str:
    n = leg.numbers
    return (
        "the curve of the foot is closed, so that the mean of V_FT is V_VT itself (Eq 4.16); the mean of |V_FV| is "
        f"{n['speed_mean']:.4f} m/s"
    )


def _vertical(leg: LegRuns) -> str:
    steps = min(found["vy_least"] for found in leg.thesis.values())
    return (
        f"the smallest vertical velocity coincides, {leg.numbers['vy_least']:.4f} m/s and {steps:.4f} by the thesis's steps, "
        "but for the Jansen leg the same reading misses what is printed by a factor of 4"
    )


def _deepest(leg: LegRuns) -> str:
    band = leg.bands["relative_lowest"]
    return (
        "the deepest point, where the thesis takes it, moves along the flat bottom of the curve, so that any number of "
        f"{lengths_said(band)} would agree"
    )


def _other_sign(leg: LegRuns) -> str:
    wrong = [found["vx_largest"] - 0.9 for found in leg.thesis.values()]
    return (
        "the digits come out as largest |v_x| minus 0.90 m/s, the Jansen leg's V_VT with the wrong sign: "
        f"{min(wrong):.3f} to {max(wrong):.3f} by the thesis's steps"
    )


def _other_row(leg: LegRuns) -> str:
    n = leg.numbers["acceleration_stance_min"]
    steps = max(found["acceleration_stance_min"] for found in leg.thesis.values())
    return f"the smallest acceleration of the stance has these digits ({n:.4f} m/s2, {steps:.4f} by the thesis's steps)"


NOTES: dict[tuple[str, str], tuple[Callable[[LegRuns], str], ...]] = {
    (CHEBYSHEV, "speed-mean"): (_mean,),
    (JANSEN, "speed-mean"): (_mean,),
    (CHEBYSHEV, "speed-swing-min"): (_vertical,),
    (CHEBYSHEV, "speed-swing-max"): (_other_sign,),
    (CHEBYSHEV, "text-speed-max"): (_other_sign,),
    (CHEBYSHEV, "speed-stance-max"): (_other_row,),
    (CHEBYSHEV, "text-speed-mid"): (_other_row,),
    (JANSEN, "text-speed-mid"): (_deepest,),
}

HOW: dict[str, Callable[[LegRuns, Row, Case], Check]] = {
    "geometry": _geometry, "edge": _geometry, "depth": _depth, "speed": _speed,
}  # fmt: skip
