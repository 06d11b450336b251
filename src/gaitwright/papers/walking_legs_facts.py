"""What is computed beside the numbers of paper 003 chapter 4, and the arguments about them.

Two arguments settle most of section 4.2, for every v0, v1 and speed of the ground, none of which is printed:

    Eq 3.9 at c_r = 0    F_N <= 1.75 K d^1.5, because the foot never goes in faster than it touched down; and its mean is that
                         of elastic contact, because the integral of d^n d' over a stance is zero
    Eq 3.10              |F_f| <= mu F_N, so that |tau| <= |tau_air| + F_N (|v_y| + mu |v_x|) / omega
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.legs.phases import STANCE, SWING, TURN
from gaitwright.papers.rounding import MILLIMETRE, Band
from gaitwright.papers.sheet import half_digit
from gaitwright.papers.walking_legs_data import (
    CHEBYSHEV,
    COEFFICIENT,
    ELASTIC,
    INELASTIC,
    JANSEN,
    NUMBERS,
    ROWS,
    SAID,
    STIFFNESS,
)
from gaitwright.papers.walking_legs_ground import on_ground, saving
from gaitwright.papers.walking_legs_judging import AGREE, GROUND, farthest_said, lengths_said, printed_energy
from gaitwright.papers.walking_legs_runs import DIRECTION, LegRuns, pinned_depth
from gaitwright.result.result import Result

CRANK = 0.1
"""m, section 4.1: the radius that both legs are normalised to."""
LARGEST_FACTOR = 1.75
"""Of Eq 3.9: 1 + 3 (1 - c_r^2) / 4 at c_r = 0 and a rate of penetration as large as at touchdown."""
HALF_MILLIMETRE = 5e-4 + 1e-9
"""Half a unit of the last digit, and a little, so that the noise of floating point does not decide."""


def facts(legs: dict[str, LegRuns]) -> dict[str, Any]:
    some = legs[CHEBYSHEV]
    euler = next(iter(some.euler.values()))
    of_each = {
        "read": _read_back, "lengths": _lengths, "masses": _masses, "sizes": _sizes, "force": _forces, "ground": _ground,
        "saving": _saving,
    }  # fmt: skip
    steps = {number: [turn[number] for turn in some.thesis.values()] for number in next(iter(some.thesis.values()))}
    return {
        **{what: {name: of(leg) for name, leg in legs.items()} for what, of in of_each.items()},
        "pinned": {name: 1e3 * pinned_depth(name) for name in legs}, "euler": euler, "turn": some.exact.turn.run,
        "fed_back": {beta: _baumgarte(run) for beta, run in some.euler.items()}, "step": float(np.diff(euler.time).mean()),
        "steps": steps, "other_sign": [fast - 0.9 for fast in steps["vx_largest"]],
        "inertia": {name: _inertia(legs, leg) for name, leg in legs.items()}, **_base(legs[JANSEN]),
    }  # fmt: skip


# Tables 4.1 and 4.2 and the sizes of the equations, read back: they confirm no result --------------------------------


def _read_back(leg: LegRuns) -> dict[str, float]:
    """g, K and mu, from the forces of our runs."""
    on = leg.exact.turn.ground[ELASTIC]
    normal = on.normal[TURN].greatest
    return {
        "gravity": _gravity(leg), "stiffness": normal / leg.printed.depth**1.5,
        "friction": on.tangential[TURN].largest / normal,
    }  # fmt: skip


def _baumgarte(run: Result) -> tuple[float, float]:
    """alpha and beta, 1/s, such that x'' + 2 alpha x' + beta^2 x = 0 for the end of the crank that should stay in O1."""
    x, rate, second = (run.values(f"crank.O1.{part}") for part in ("x", "vx", "ax"))
    found, *_ = np.linalg.lstsq(np.stack([2 * rate, x], axis=1), -second, rcond=None)
    return float(found[0]), float(np.sqrt(found[1]))


def _gravity(leg: LegRuns) -> float:
    """Momentum over a turn that repeats: the ground carries the weight on average."""
    run = leg.exact.turn.run
    names = [name for name in run.catalogue.outputs if name.startswith(("O1", "O2")) and name.endswith(".fy")]
    carried = sum(float(np.mean(run.values(name)[:-1])) for name in names)
    return abs(carried) / sum(mass for *_, mass in leg.printed.links.values())


def _lengths(leg: LegRuns) -> dict[str, dict[str, Any]]:
    """From the designer's proportions, or else as in our run, m."""
    found = {}
    for link, (a, b, *_) in leg.printed.links.items():
        ours, remark = _distance(leg, link, a, b), "in our run; no designer's proportion is known"
        if link == "crank":
            remark = "in our run, which all other lengths are scaled to"
        found[link] = {"value": ours, "remark": remark}
    designed = {
        link: {"value": CRANK * part / leg.printed.unit, "remark": "from the designer's proportions"}
        for link, part in leg.printed.proportions.items()
    }
    return found | designed


def _masses(leg: LegRuns) -> dict[str, float]:
    """From one mass per length, that of the crank, which is as in our run, kg."""
    _, _, length, mass = leg.printed.links["crank"]
    found = {link: mass / length * links[2] for link, links in leg.printed.links.items()}
    return found | {"crank": leg.exact.turn.run.mechanism.body_names["crank"].mass, "density": mass / length}


def _distance(leg: LegRuns, link: str, a: str, b: str) -> float:
    """Between the ends of a link in our run, m."""
    run = leg.exact.turn.run
    along = (run.values(f"{link}.{b}.{part}") - run.values(f"{link}.{a}.{part}") for part in "xy")
    return float(np.hypot(*along).mean())


def _base(leg: LegRuns) -> dict[str, Any]:
    """|O1 O2| of the Jansen leg is none of the designer's, while all of his other lengths are met."""
    apart = {
        link: abs(
            CRANK * part / leg.printed.unit - (leg.printed.base if link == "base" else leg.printed.links[link][2])
        )
        for link, part in leg.printed.proportions.items()
    }
    return {
        "beside": CRANK * 38 / 15, "below": CRANK * 7.8 / 15,
        "only_the_base": [link for link, by in apart.items() if by > HALF_MILLIMETRE] == ["base"],
    }  # fmt: skip


def _sizes(leg: LegRuns) -> dict[str, Any]:
    """How many coordinates and equations there are."""
    mechanism = leg.exact.turn.run.mechanism
    rows = {k: sum(n.rows.size for n in mechanism.constraint_names if n.kind == k) for k in ("joint", "drive")}
    links = len(leg.printed.links)
    return {
        "elements": mechanism.n, "joint": rows["joint"], "rows": sum(rows.values()), "links": len(mechanism.body_names),
        "as_table": len(mechanism.body_names) == links and mechanism.n == 3 * links,
    }  # fmt: skip


# section 4.2 ---------------------------------------------------------------------------------------------------------


def fastest(leg: LegRuns) -> float:
    """Largest rate of penetration in a stance over that at touchdown."""
    foot = leg.feet[DIRECTION]
    return float(foot.rate[foot.parts[STANCE]].max() / foot.touchdown_speed)


def _forces(leg: LegRuns) -> dict[str, Any]:
    """Normal and tangential forces, N, and the most that Eq 3.9 and 3.10 allow."""
    printed = {how: NUMBERS[f"4.2-normal-peak-{how}-{leg.name}"] for how in SAID.values()}
    depth, turn, band = leg.printed.depth, leg.ground.turn.ground, leg.bands["normal_mean"]
    exact = leg.exact.turn.ground[ELASTIC].normal[TURN].greatest
    least, most = (STIFFNESS * (depth + by) ** 1.5 for by in (-0.5 * MILLIMETRE, 0.5 * MILLIMETRE))
    is_hertz = abs(exact / (STIFFNESS * depth**1.5) - 1) < AGREE
    bound, ratio = LARGEST_FACTOR * printed["elastic"], fastest(leg)
    guess = on_ground(leg.feet[DIRECTION], INELASTIC, "none", "speed of the foot").normal
    peak = {SAID[e]: loads.normal[TURN].greatest for e, loads in turn.items()}
    mean = {SAID[e]: loads.normal[TURN].mean for e, loads in turn.items()}
    along = {"elastic": COEFFICIENT * printed["elastic"], "inelastic": COEFFICIENT * bound}
    given = {how: NUMBERS[f"4.2-tangential-{how}-{leg.name}"] for how in along}
    shift = mean["elastic"] - leg.numbers["normal_mean"]
    return {
        "exact": exact, "least": least, "most": most,
        "room": Band(least, most, least, most).room(printed["elastic"], exact) if is_hertz else 0.0,
        "peak": peak, "mean": mean, "bound": bound, "fastest": ratio, "guess": guess, "steps": leg.euler_ground[INELASTIC],
        "beyond": printed["inelastic"] > bound and ratio <= 1.0,
        "same_mean": abs(mean["inelastic"] / mean["elastic"] - 1) < AGREE,
        "mean_said": lengths_said(band, shift), "mean_farthest": farthest_said(band, shift),
        "shares": {
            "printed": NUMBERS[f"4.2-normal-mean-elastic-{leg.name}"] / printed["elastic"],
            "ours": mean["elastic"] / peak["elastic"],
        },
        "tangential": {SAID[e]: loads.tangential[TURN].largest for e, loads in turn.items()}, "along": along,
        "along_printed": COEFFICIENT * printed["inelastic"], "along_ratio": given["elastic"] / along["elastic"],
        "slips_more": {how: given[how] > along[how] for how in along},
    }  # fmt: skip


def _ground(leg: LegRuns) -> dict[str, dict[float, float]]:
    """Torque and energy on the ground, by what and restitution."""
    turn = leg.ground.turn.ground
    return {what: {e: of_run(turn[e]) for e in SAID} for what, (of_run, _, _) in GROUND.items()}


def _inertia(legs: dict[str, LegRuns], leg: LegRuns) -> dict[str, str]:
    """What the readings of J give for a number of the swing; none meets both legs."""
    thin, thick, coarse = "m L^2 / 12", "m L^2 / 3", "m L^2 / 3, thesis's steps"
    nearest = max(off(each, thin) for each in legs.values())
    apart = ", ".join(f"{off(each, coarse):.1f} % ({each.printed.name})" for each in legs.values())
    said = {}
    for number in ("torque_swing_mean", "torque_swing_max", "torque_swing_min", "energy_swing"):
        why = (
            f"J = 2 l / 3 as printed is no moment of inertia, so that one has to be chosen; {thin} is within {nearest:.1f} % "
            f"of the printed extremes and energies of both legs, and gives here {lengths_said(leg.bands[number])}"
        )
        if number in leg.readings[thick]:
            by = {rule: found[number] for rule, found in leg.readings.items()}
            why += (
                f"; {thick} would be {by[thick]:.4g}, {by[coarse]:.4g} by the thesis's steps, and 2 L / 3 "
                f"{by['2 L / 3, as printed']:.4g}"
            )
        said[number] = f"{why}. {thick} by the thesis's steps is within {apart}"
    return said


def off(leg: LegRuns, rule: str) -> float:
    """How far a reading of the inertia is from the printed torques (largest, smallest) and energy of the swing at most, %."""
    ids = {
        "torque_swing_max": "torque-swing-max",
        "torque_swing_min": "torque-swing-min",
        "energy_swing": "energy-swing-elastic",
    }
    printed = {number: NUMBERS[f"4.4-{id}-{leg.name}"] for number, id in ids.items()}
    return max(abs(100 * (value / printed[number] - 1)) for number, value in leg.readings[rule].items())


def _saving(leg: LegRuns) -> dict[str, Any]:
    """Chapter 7: what elastic contact saves, %: by the printed energies, by ours, and at most."""
    turn, foot, printed = leg.ground.turn, leg.feet[DIRECTION], ROWS[f"7-saving-{leg.name}"].text
    elastic, inelastic = (turn.ground[e].energy[TURN].absolute for e in (ELASTIC, INELASTIC))
    free, added = turn.air.energy[SWING].absolute, on_ground(foot, INELASTIC, "none").bound()[0]
    most = 100 * added / (free + added)
    guess = [
        saving(*(on_ground(foot, e, rule, "speed of the foot") for e in (ELASTIC, INELASTIC)))
        for rule in ("standing ground", "fitted")
    ]
    quoted = 100 * (1 - printed_energy(leg.name, ELASTIC) / printed_energy(leg.name, INELASTIC))
    return {
        "value": 100 * (1 - elastic / inelastic), "free": free, "added": added, "most": most, "guess": guess,
        "beyond": float(printed) > most, "quoted": quoted, "cut": 2 * half_digit(printed),
        "ending": "" if abs(quoted - float(printed)) <= half_digit(printed) else "; cut, not rounded",
    }  # fmt: skip
