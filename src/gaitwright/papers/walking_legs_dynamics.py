"""Verdicts on paper 003 section 4.2: forces of the ground, Table 4.4, energies, and what elastic contact saves.

Two arguments settle most of it, for every v0, v1 and speed of the ground, none of which is printed:

    Eq 3.9 at c_r = 0    F_N <= 1.75 K d^1.5, because the foot never goes in faster than it touched down; and its mean is that
                         of elastic contact, because the integral of d^n d' over a stance is zero
    Eq 3.10              |F_f| <= mu F_N, so that |tau| <= |tau_air| + F_N (|v_y| + mu |v_x|) / omega
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gaitwright.legs.loads import Loads
from gaitwright.legs.phases import STANCE, SWING, TURN
from gaitwright.papers.check import INPUT, Check
from gaitwright.papers.rounding import MILLIMETRE, Band
from gaitwright.papers.sheet import half_digit
from gaitwright.papers.walking_legs_data import (
    COEFFICIENT,
    ELASTIC,
    INELASTIC,
    MEAN,
    PEAK,
    SAVING,
    STIFFNESS,
    SWING_4_4,
    TABLE_4_4,
    TANGENTIAL,
    TEXT_STANCE,
    TEXT_SWING,
    Contact,
    of,
)
from gaitwright.papers.walking_legs_ground import FRICTION, Ground, on_ground, saving
from gaitwright.papers.walking_legs_judging import AGREE, Case, check, farthest_said, leg_case, leg_check, lengths_said
from gaitwright.papers.walking_legs_runs import OMEGA, LegRuns, pinned_depth

LARGEST_FACTOR = 1.75
"""Of Eq 3.9: 1 + 3 (1 - c_r^2) / 4 at c_r = 0 and a rate of penetration as large as at touchdown."""
SAVED = "energy that elastic contact saves"
SAID = {ELASTIC: "elastic", INELASTIC: "inelastic"}
DIRECTION = "as driven"
"""Clockwise, as all of the thesis's numbers."""


def forces(legs: dict[str, LegRuns]) -> Iterator[Check]:
    """The text of section 4.2: twelve forces."""
    for leg in legs.values():
        yield _elastic_peak(leg)
        yield _inelastic_peak(leg)
        yield _elastic_mean(leg)
        yield _inelastic_mean(leg)
        for restitution in (ELASTIC, INELASTIC):
            yield _tangential(leg, restitution)


def _elastic_peak(leg: LegRuns) -> Check:
    """K, penetration and elastic peak are one relation: judged here and nowhere else."""
    printed = of(leg.name, PEAK[ELASTIC])
    published, depth = float(printed), leg.printed.depth
    computed = leg.exact.turn.ground[ELASTIC].normal[TURN].greatest
    least, most = (STIFFNESS * (depth + by) ** 1.5 for by in (-0.5 * MILLIMETRE, 0.5 * MILLIMETRE))
    right = abs(computed / (STIFFNESS * depth**1.5) - 1) < AGREE
    remark = (
        f"K d^1.5 at the printed {1e3 * depth:g} mm; {least:.4g} to {most:.4g} for the penetrations that its one digit leaves "
        f"open. {published:g} N belong to {1e3 * pinned_depth(leg.name):.4f} mm, which is the penetration for forces, torque "
        "and energy below, and the only other one for where stance ends"
    )
    return leg_check(
        leg, "4.2-normal-peak-elastic", "largest normal force, elastic", printed, computed, "N",
        rounding=Band(least, most, least, most).room(published, computed) if right else 0.0, remark=remark,
    )  # fmt: skip


def fastest(leg: LegRuns) -> float:
    """Largest rate of penetration in a stance over that at touchdown."""
    foot = leg.feet[DIRECTION]
    return float(foot.rate[foot.parts[STANCE]].max() / foot.touchdown_speed)


def _inelastic_peak(leg: LegRuns) -> Check:
    printed = of(leg.name, PEAK[INELASTIC])
    elastic = float(of(leg.name, PEAK[ELASTIC]))
    most, ratio = LARGEST_FACTOR * elastic, fastest(leg)
    foot = leg.feet[DIRECTION]
    guess = on_ground(foot, INELASTIC, "none", "speed of the foot").normal.max()
    why = (
        f"Eq 3.9 with c_r = 0 gives at most 1.75 times the elastic peak, {most:.4g} N, because the foot never goes in "
        "faster than it "
        f"touched down (at most {ratio:.3f} times). The thesis's steps give {leg.euler_ground[INELASTIC]:.4g} N. With "
        "the speed of "
        f"the foot in place of the rate of penetration it would be {guess:.4g} N: an inference of what was done"
    )
    return leg_check(
        leg, "4.2-normal-peak-inelastic", "largest normal force, inelastic", printed,
        leg.ground.turn.ground[INELASTIC].normal[TURN].greatest, "N", impossible=why,
        holds=float(printed) > most and ratio <= 1.0,
    )  # fmt: skip


def _elastic_mean(leg: LegRuns) -> Check:
    computed = leg.ground.turn.ground[ELASTIC].normal[TURN].mean
    case = Case(
        "4.2-normal-mean-elastic", "average normal force, elastic", "N", of(leg.name, MEAN[ELASTIC]), "normal_mean",
        exact=computed, remark="over the whole turn, at the penetration that the printed peak pins",
    )  # fmt: skip
    peak, mean = float(of(leg.name, PEAK[ELASTIC])), float(of(leg.name, MEAN[ELASTIC]))
    shift = computed - leg.numbers["normal_mean"]
    why = (
        "at the penetration that the printed peak pins, the average over the turn is "
        f"{lengths_said(leg.bands['normal_mean'], shift)}, {farthest_said(leg.bands['normal_mean'], shift)}; "
        f"the printed average is {mean / peak:.3f} of the printed peak, the curve makes it "
        f"{computed / leg.ground.turn.ground[ELASTIC].normal[TURN].greatest:.3f}"
    )
    return leg_case(leg, case, why)


def _inelastic_mean(leg: LegRuns) -> Check:
    printed = of(leg.name, MEAN[INELASTIC])
    turn = leg.ground.turn.ground
    elastic, inelastic = (turn[e].normal[TURN].mean for e in (ELASTIC, INELASTIC))
    guess = on_ground(leg.feet[DIRECTION], INELASTIC, "none", "speed of the foot").normal.mean()
    why = (
        "the integral of d^n d' over a stance is zero, so that under Eq 3.9 the average force does not depend on c_r "
        "while the force "
        f"never vanishes: {inelastic:.5g} N beside {elastic:.5g} N elastic; the thesis prints "
        f"{float(of(leg.name, MEAN[ELASTIC])):g} N "
        f"for that. With the speed of the foot as rate of penetration: {guess:.4g} N, an inference"
    )
    return leg_check(
        leg, "4.2-normal-mean-inelastic", "average normal force, inelastic", printed, inelastic, "N", impossible=why,
        holds=abs(inelastic / elastic - 1) < AGREE,
    )  # fmt: skip


def _tangential(leg: LegRuns, restitution: float) -> Check:
    printed = of(leg.name, TANGENTIAL[restitution])
    elastic = float(of(leg.name, PEAK[ELASTIC]))
    most = COEFFICIENT * (elastic if restitution == ELASTIC else LARGEST_FACTOR * elastic)
    own = COEFFICIENT * float(of(leg.name, PEAK[restitution]))
    why = f"Eq 3.10 gives at most mu F_N, {most:.4g} N"
    if restitution == INELASTIC:
        why += f" with the most that Eq 3.9 allows; mu times the printed peak would be {own:.4g} N"
    else:
        why += f" with the printed peak: {float(printed) / most:.3f} times as much is printed"
    return leg_check(
        leg, f"4.2-tangential-{SAID[restitution]}", f"largest tangential force, {SAID[restitution]}", printed,
        leg.ground.turn.ground[restitution].tangential[TURN].largest, "N", impossible=why, holds=float(printed) > most,
    )  # fmt: skip


# torque and energy ---------------------------------------------------------------------------------------------------


def swing(legs: dict[str, LegRuns]) -> Iterator[Check]:
    """Torque and energy of the swing: no contact, but inertia."""
    for leg in legs.values():
        for row in (*SWING_4_4, *TEXT_SWING):
            case = Case(f"4.4-{row.id}", row.quantity, row.unit, of(leg.name, row.printed), row.number)
            yield leg_case(leg, case, _inertia_said(legs, leg, row.number))


def _inertia_said(legs: dict[str, LegRuns], leg: LegRuns, number: str) -> str:
    """What the readings of J give; none meets both legs."""
    thin, thick, coarse = "m L^2 / 12", "m L^2 / 3", "m L^2 / 3, thesis's steps"
    why = (
        f"J = 2 l / 3 as printed is no moment of inertia, so that one has to be chosen; {thin} is within "
        f"{max(off(each, thin) for each in legs.values()):.1f} % of the printed extremes and energies of both legs, and gives "
        f"here {lengths_said(leg.bands[number])}"
    )
    if number in leg.readings[thick]:
        found = leg.readings
        why += (
            f"; {thick} would be {found[thick][number]:.4g}, {found[coarse][number]:.4g} by the thesis's steps, and 2 L / 3 "
            f"{found['2 L / 3, as printed'][number]:.4g}"
        )
    apart = ", ".join(f"{off(each, coarse):.1f} % ({each.printed.name})" for each in legs.values())
    return f"{why}. {thick} by the thesis's steps is within {apart}"


def off(leg: LegRuns, rule: str) -> float:
    """How far a reading of the inertia is from the printed torques (largest, smallest) and energy of the swing at most, %."""
    rows = {row.number: float(of(leg.name, row.printed)) for row in (*TEXT_SWING[::-1], *SWING_4_4)}
    return max(abs(100 * (value / rows[number] - 1)) for number, value in leg.readings[rule].items())


GROUND: dict[str, tuple[Callable[[Loads], float], Callable[[Ground], float], Callable[[Ground], float]]] = {
    # what: of a run, of forces by hand, and the most that friction can make of it
    "mean torque": (lambda on: abs(on.torque[STANCE].mean), lambda by: abs(by.torques(STANCE).mean), lambda by: by.bound()[2]),
    "largest torque": (lambda on: on.torque[STANCE].greatest, lambda by: by.torques(STANCE).greatest, lambda by: by.bound()[1]),
    "smallest torque": (lambda on: on.torque[STANCE].least, lambda by: by.torques(STANCE).least, lambda by: by.bound()[1]),
    "turn torque": (lambda on: abs(on.torque[TURN].mean), lambda by: abs(by.torques().mean), lambda by: by.bound(TURN)[2]),
    "energy": (lambda on: on.energy[STANCE].absolute, lambda by: by.energy(STANCE), lambda by: by.bound()[0]),
}  # fmt: skip
MISSING = "v0 and v1 of Eq 3.11 and the speed of the ground are not printed"


def stance(legs: dict[str, LegRuns]) -> Iterator[Check]:
    """Torque and energy on the ground."""
    for leg in legs.values():
        for row in (*TABLE_4_4, *TEXT_STANCE):
            yield _on_ground(leg, row)


def _on_ground(leg: LegRuns, row: Contact) -> Check:
    """Void, because friction is not told; impossible where no friction would do."""
    printed = of(leg.name, row.printed)
    run_of, hand_of, most_of = GROUND[row.of]
    by_hand = {rule: on_ground(leg.feet[DIRECTION], row.restitution, rule) for rule in FRICTION}
    most = most_of(by_hand["none"])
    values = [hand_of(ground) for ground in by_hand.values()]
    beyond = abs(float(printed)) > most
    bound = (
        f"at most {most:.4g} {row.unit} under Eq 3.9 and 3.10, whatever v0, v1 and the speed of the ground: "
        "|tau| <= |tau_air| + F_N (|v_y| + mu |v_x|) / omega"
    )
    void = (
        f"{MISSING}; {min(values):.4g} to {max(values):.4g} {row.unit} by the rules that we tried, at most {most:.4g}"
    )
    return leg_check(
        leg, f"4.4-{row.id}", row.quantity, printed, run_of(leg.ground.turn.ground[row.restitution]), row.unit,
        impossible=bound + _mean_said(leg, row), void="" if beyond else void + _mean_said(leg, row),
    )  # fmt: skip


def _mean_said(leg: LegRuns, row: Contact) -> str:
    """An average absolute torque is the energy over omega and the time."""
    if row.of != "turn torque":
        return ""
    return (
        ". It is |mean tau|, not the mean of |tau|, which the printed energies make "
        f"{energy(leg.name, row.restitution) / OMEGA:.3f} "
        "N m"
    )


def energy(leg: str, restitution: float) -> float:
    """Printed energy of a turn, J."""
    k = (ELASTIC, INELASTIC).index(restitution)
    return float(of(leg, TEXT_SWING[k].printed)) + float(of(leg, TEXT_STANCE[k].printed))


def headline(legs: dict[str, LegRuns]) -> Iterator[Check]:
    """Chapter 7: what elastic contact saves."""
    for leg in legs.values():
        printed = of(leg.name, SAVING)
        quoted = 100 * (1 - energy(leg.name, ELASTIC) / energy(leg.name, INELASTIC))
        cut = 2 * half_digit(printed)
        ending = "" if abs(quoted - float(printed)) <= cut / 2 else "; cut, not rounded"
        yield check(
            f"7-saving-arithmetic-{leg.name}", f"{leg.printed.name}: {SAVED}, from the printed energies",
            float(printed), quoted, "%",
            tolerance=half_digit(printed), rounding=cut, remark="the thesis's own arithmetic is right" + ending,
            kind=INPUT,
        )  # fmt: skip
        yield _saving(leg, printed)


def _saving(leg: LegRuns, printed: str) -> Check:
    turn, foot = leg.ground.turn, leg.feet[DIRECTION]
    elastic, inelastic = (turn.ground[e].energy[TURN].absolute for e in (ELASTIC, INELASTIC))
    free = turn.air.energy[SWING].absolute
    added = on_ground(foot, INELASTIC, "none").bound()[0]
    most = 100 * added / (free + added)
    guess = [
        saving(*(on_ground(foot, e, rule, "speed of the foot") for e in (ELASTIC, INELASTIC)))
        for rule in ("standing ground", "fitted")
    ]
    why = (
        f"the swing alone costs {free:.4g} J, elastic or not, and a stance under Eq 3.9 and 3.10 at most {added:.4g} J "
        "for any friction, "
        f"so that at most {most:.1f} % can be saved. With the speed of the foot as rate of penetration: {min(guess):.1f} to "
        f"{max(guess):.1f} %, an inference"
    )
    return leg_check(
        leg, "7-saving", SAVED, printed, 100 * (1 - elastic / inelastic), "%", impossible=why, holds=float(printed) > most
    )  # fmt: skip
