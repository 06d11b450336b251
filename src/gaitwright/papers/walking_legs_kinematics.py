"""Verdicts on paper 003 section 4.1: Tables 4.1 to 4.3, the sizes of its equations, the velocities and accelerations."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from gaitwright.papers.check import Check
from gaitwright.papers.rounding import MILLIMETRE, half_digit
from gaitwright.papers.walking_legs_data import (
    COEFFICIENT,
    ELASTIC,
    GRAVITY,
    JANSEN,
    PEAK,
    STEP,
    STIFFNESS,
    TABLE_4_3,
    TANGENTIAL,
    TEXT_4_1,
    TEXT_STEP_LENGTH,
    UNTIL,
    Row,
    of,
)
from gaitwright.papers.walking_legs_judging import Case, check, leg_case, lengths_said, steps_said
from gaitwright.papers.walking_legs_runs import OMEGA, LegRuns

CRANK = 0.1
"""m, section 4.1: the radius that both legs are normalised to."""
HALF_GRAM = 5e-4


def parameters(legs: dict[str, LegRuns]) -> Iterator[Check]:
    """Table 4.1, from what the runs did and from what the thesis prints elsewhere."""
    some = next(iter(legs.values()))
    euler = next(iter(some.euler.values()))
    rate = float(np.mean(some.exact.turn.run.values("crank.spin")))
    yield check("4.1-omega", "speed of the crank", OMEGA, abs(rate), "rad/s", tolerance=1e-9)
    yield check("4.1-time", "simulated time", UNTIL, float(euler.time[-1]), "s", tolerance=1e-9)
    yield check("4.1-step", "step", STEP, float(np.diff(euler.time).mean()), "s", tolerance=1e-9)
    for leg in legs.values():
        name, title = leg.name, leg.printed.name
        weight = "from the weight that the pins O1 and O2 carry on average, over the mass of Table 4.2"
        yield check(f"4.1-gravity-{name}", f"{title}: g", GRAVITY, _gravity(leg), "m/s2", tolerance=1e-6, remark=weight)
        peak, depth = float(of(name, PEAK[ELASTIC])), leg.printed.depth
        ends = [peak / (depth + by) ** 1.5 for by in (-0.5 * MILLIMETRE, 0.5 * MILLIMETRE)]
        stiffness = peak / depth**1.5
        remark = (
            f"from the printed peak {peak:g} N at {1e3 * depth:g} mm, with n = 3/2; {ends[1]:.0f} to {ends[0]:.0f} for the "
            "penetrations that its one digit leaves open. The unit is N/m^1.5, not N/m"
        )
        yield check(
            f"4.1-stiffness-{name}", f"{title}: K", STIFFNESS, stiffness, "N/m^1.5", tolerance=1.0,
            rounding=max(abs(end - stiffness) for end in ends), remark=remark,
        )  # fmt: skip
        friction = float(of(name, TANGENTIAL[ELASTIC])) / peak
        yield check(
            f"4.1-friction-{name}", f"{title}: mu, from the printed elastic forces", COEFFICIENT, friction, "1",
            tolerance=half_digit("0.4") / 100,
            impossible=f"the printed tangential peak is {friction / COEFFICIENT:.3f} times mu times the printed normal "
            "peak; Eq 3.10 "
            "with a direction for c_f never exceeds mu F_N",
        )  # fmt: skip


def _gravity(leg: LegRuns) -> float:
    """Momentum over a turn that repeats: the ground carries the weight on average."""
    run = leg.exact.turn.run
    names = [name for name in run.catalogue.outputs if name.startswith(("O1", "O2")) and name.endswith(".fy")]
    carried = sum(float(np.mean(run.values(name)[:-1])) for name in names)
    return abs(carried) / sum(mass for *_, mass in leg.printed.links.values())


def lengths(legs: dict[str, LegRuns]) -> Iterator[Check]:
    """Table 4.2: lengths from the designers' proportions, masses from one mass per length."""
    for leg in legs.values():
        name, title, printed = leg.name, leg.printed.name, leg.printed
        first = printed.links["crank"]
        yield check(f"4.2-crank-{name}", f"{title}: radius of the crank", CRANK, _distance(leg), "m", tolerance=1e-12)
        for link, proportion in printed.proportions.items():
            length = printed.base if link == "base" else printed.links[link][2]
            what = "|O1 O2|" if link == "base" else f"length of {link}"
            ours = CRANK * proportion / printed.unit
            yield check(
                f"4.2-length-{link}-{name}", f"{title}: {what}", length, ours, "m", tolerance=0.5 * MILLIMETRE,
                remark="from the designer's proportions, for a crank of 0.1 m",
                impossible=f"the designer's proportions put O2 {CRANK * 38 / 15:.4f} m beside and "
                f"{CRANK * 7.8 / 15:.3f} m below "
                f"O1, {ours:.4f} m away: 0.257 m is neither, so that the normalisation does not hold here",
            )  # fmt: skip
        density = first[3] / first[2]
        for link, (_, _, length, mass) in printed.links.items():
            if link != "crank":
                yield check(
                    f"4.2-mass-{link}-{name}", f"{title}: mass of {link}", mass, density * length, "kg",
                    tolerance=HALF_GRAM, rounding=HALF_GRAM + density * 0.5 * MILLIMETRE,
                    remark=f"{density:g} kg/m, as the crank",
                )  # fmt: skip


def _distance(leg: LegRuns) -> float:
    run = leg.exact.turn.run
    return float(np.hypot(run.values("A.x"), run.values("A.y")).mean())


def sizes(legs: dict[str, LegRuns]) -> Iterator[Check]:
    """How many coordinates and equations the thesis counts, and how many there are."""
    for leg in legs.values():
        mechanism, title, name = leg.exact.turn.run.mechanism, leg.printed.name, leg.name
        rows = {
            kind: sum(n.rows.size for n in mechanism.constraint_names if n.kind == kind) for kind in ("joint", "drive")
        }
        for id, what, published, computed in (
            ("4.2-elements", "elements of q, rows and columns of M", leg.printed.elements, mechanism.n),
            ("4.3-joint-rows", "rows of Phi^K", leg.printed.kinematic_rows, rows["joint"]),
            ("4.4-rows", "rows of Phi_q", leg.printed.elements, sum(rows.values())),
        ):
            yield check(f"eq-{id}-{name}", f"{title}: {what}", published, computed, "1")
    cheb, jansen = (leg.exact.turn.run.mechanism for leg in legs.values())
    bodies = "Table 4.2, Eq 4.2 and the 18 coordinates count six: five is wrong, unless foot and shank count as one"
    yield check(
        "text-links-chebyshev", "Chebyshev leg: links, in the text", 5, len(cheb.body_names), "1", impossible=bodies
    )
    yield check("text-links-jansen", "Theo Jansen leg: links, in the text", 11, len(jansen.body_names), "1")
    lost = '"18(= 63)" has lost its sign of multiplication: 6 x 3 = 18'
    yield check("text-63", "Chebyshev leg: elements of q, in brackets", 63, cheb.n, "1", impossible=lost)
    copied = "taken over from the section before: eleven links have 33 coordinates, as the sentence after it says"
    yield check("text-18-jansen", "Theo Jansen leg: elements of q, in the text", 18, jansen.n, "1", impossible=copied)


# Table 4.3 -----------------------------------------------------------------------------------------------------------


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
        f"the crank turns at 2 pi rad/s by constraint, so this is geometry: {lengths_said(band)}, "
        f"{steps_said(leg, row.number)}, "
        f"and {case.printed} lies outside both"
    )
    where = _where(leg, float(case.printed)) if row.number == "acceleration_stance_max" else ""
    return leg_case(leg, case, why + where)


def _where(leg: LegRuns, acceleration: float) -> str:
    """Where over the ground the foot has an acceleration, m/s2: of a number that belongs to another phase."""
    run, foot = leg.exact.turn.run, leg.exact.foot
    values, height = run.values(f"{foot.name}.acceleration"), run.values(f"{foot.name}.y") - foot.level
    reached = height[values >= acceleration]
    return f"; the foot has it only {1e3 * reached.min():.0f} mm and more above the ground" if reached.size else ""


def _mean_speed(leg: LegRuns, row: Row, case: Case) -> Check:
    n = leg.numbers
    why = (
        "the curve of the foot is closed, so the mean of V_FT is V_VT (Eq 4.16), and a foot that rests on the ground (Eq 4.17) "
        f"makes that {n['body_speed']:.4f} m/s; the mean of |V_FV| is {n['speed_mean']:.4f} m/s"
    )
    return leg_case(leg, case, why)


RANGES = {
    "speed-swing-max": "swing", "speed-swing-min": "swing", "text-speed-max": "swing",
    "speed-stance-max": "stance", "speed-stance-min": "stance",
}  # fmt: skip


def _speed(leg: LegRuns, row: Row, case: Case) -> Check:
    """Velocities: the thesis adds a V_VT that it does not print, and mixes components."""
    why = f"V_VT is not printed; by Eq 4.17 it is {leg.numbers['body_speed']:.4f} m/s on average over the stance"
    phase = RANGES.get(row.id)
    if phase is not None:
        most, least = (float(of(leg.name, _row(f"speed-{phase}-{end}").printed)) for end in ("max", "min"))
        band = leg.bands[f"relative_{phase}_range"]
        fits = band.least - 1e-3 <= most - least <= band.most + 1e-3
        why += (
            f"; whatever it is, V_FT varies by {band.least:.3f} to {band.most:.3f} m/s in {phase} (all drawn legs), "
            "and the printed "
            f"largest and smallest differ by {most - least:.3f}"
            + (", so that they belong to another V_VT" if fits else "")
        )
    void = VOID[leg.name, row.id](leg) if (leg.name, row.id) in VOID else ""
    return leg_case(leg, case._replace(void=void), why + _guess(leg, row))


def _row(id: str) -> Row:
    return next(row for row in TABLE_4_3 if row.id == id)


def _vertical(leg: LegRuns) -> str:
    steps = min(found["vy_least"] for found in leg.thesis.values())
    return (
        f"which velocity the row holds is not said; the smallest vertical one is {leg.numbers['vy_least']:.4f} m/s, "
        f"{steps:.4f} by "
        "the thesis's steps, but for the Jansen leg the same reading misses what is printed by a factor of 4"
    )


def _deepest(leg: LegRuns) -> str:
    band = leg.bands["relative_lowest"]
    return (
        "V_VT is not printed, and the deepest point, where the thesis takes it, moves along the flat bottom of the curve: "
        f"{lengths_said(band)}, so that any number up to that would agree"
    )


VOID: dict[tuple[str, str], Callable[[LegRuns], str]] = {
    ("chebyshev", "speed-swing-min"): _vertical,
    (JANSEN, "text-speed-mid"): _deepest,
}
"""Numbers that we can get near, which proves nothing."""


def _guess(leg: LegRuns, row: Row) -> str:
    """What may have happened, as far as the digits tell; an inference."""
    if leg.name == JANSEN:
        return ""
    if row.id in ("speed-swing-max", "text-speed-max"):
        wrong = [found["vx_largest"] - 0.9 for found in leg.thesis.values()]
        return (
            ". The digits come out as largest |v_x| minus 0.90 m/s, the Jansen leg's V_VT with the wrong sign: "
            f"{min(wrong):.3f} to "
            f"{max(wrong):.3f} by the thesis's steps"
        )
    if row.id in ("speed-stance-max", "text-speed-mid"):
        n = leg.numbers["acceleration_stance_min"]
        steps = max(found["acceleration_stance_min"] for found in leg.thesis.values())
        return f". The smallest acceleration of the stance has these digits ({n:.4f} m/s2, {steps:.4f} by the thesis's steps)"
    return ""


HOW: dict[str, Callable[[LegRuns, Row, Case], Check]] = {
    "geometry": _geometry, "edge": _geometry, "mean speed": _mean_speed, "speed": _speed,
}  # fmt: skip
