"""What is computed beside the numbers of paper 003 chapter 4, and the arguments about them.

Two arguments settle most of section 4.2, for every v0, v1 and speed of the ground, none of which is printed:

    Eq 3.9 at c_r = 0    F_N <= 1.75 K d^1.5, because the foot never goes in faster than it touched down; and its mean is that
                         of elastic contact, because the integral of d^n d' over a stance is zero
    Eq 3.10              |F_f| <= mu F_N, so that |tau| <= |tau_air| + F_N (|v_y| + mu |v_x|) / omega
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.legs.phases import STANCE
from gaitwright.papers.rounding import MILLIMETRE, Band
from gaitwright.papers.walking_legs_data import CHEBYSHEV, ELASTIC, INELASTIC, JANSEN, NUMBERS, SAID, STIFFNESS
from gaitwright.papers.walking_legs_ground import FRICTION, on_ground, saving
from gaitwright.papers.walking_legs_judging import GROUND, farthest_said, lengths_said, printed_energy
from gaitwright.papers.walking_legs_runs import DIRECTION, LegRuns, pinned_depth
from gaitwright.result.result import Result

CRANK = 0.1
"""m, section 4.1: the radius that both legs are normalised to."""
HALF_MILLIMETRE = 5e-4 + 1e-9
"""Half a unit of the last digit, and a little, so that the noise of floating point does not decide."""
THIN, THICK, COARSE = "m L^2 / 12", "m L^2 / 3", "m L^2 / 3, thesis's steps"


def facts(legs: dict[str, LegRuns]) -> dict[str, Any]:
    some = legs[CHEBYSHEV]
    steps = {number: [turn[number] for turn in some.thesis.values()] for number in next(iter(some.thesis.values()))}
    return {
        "at": {name: _of(leg) for name, leg in legs.items()}, "pinned": {name: 1e3 * pinned_depth(name) for name in legs},
        "euler": next(iter(some.euler.values())), "fed_back": {beta: _baumgarte(run) for beta, run in some.euler.items()},
        "turn": {name: leg.exact.turn.run for name, leg in legs.items()},
        "steps": steps, "other_sign": [fast - 0.9 for fast in steps["vx_largest"]],
        "inertia": {name: _inertia(legs, leg) for name, leg in legs.items()}, "only_the_base": _only_the_base(legs[JANSEN]),
    }  # fmt: skip


def _of(leg: LegRuns) -> dict[str, Any]:
    """What the rows of one leg name. on: its loads, by restitution. guess: the normal force with the speed of the foot as rate
    of penetration, N. added: the energy that a stance can cost with any friction, J."""
    foot, band, turn = leg.feet[DIRECTION], leg.bands["normal_mean"], leg.ground.turn
    constraints = leg.exact.turn.run.mechanism.constraint_names
    least, most = (STIFFNESS * (leg.printed.depth + by) ** 1.5 for by in (-0.5 * MILLIMETRE, 0.5 * MILLIMETRE))
    exact, shift = leg.exact.turn.ground[ELASTIC], turn.ground[ELASTIC].normal["turn"].mean - leg.numbers["normal_mean"]
    peak = exact.normal["turn"].greatest
    by_hand = {e: [on_ground(foot, e, rule) for rule in FRICTION] for e in SAID}  # the first without friction
    energy = {how: printed_energy(leg.name, e) for e, how in SAID.items()}
    quoted = 100 * (1 - energy["elastic"] / energy["inelastic"])
    return {
        "gravity": _gravity(leg),
        "lengths": {link: _distance(leg, link, *ends) for link, (*ends, _, _) in leg.printed.links.items()},
        "rows": {kind: sum(n.rows.size for n in constraints if n.kind == kind) for kind in ("joint", "drive")},
        "exact": exact, "on": {SAID[e]: loads for e, loads in turn.ground.items()}, "least": least, "most": most,
        "room": Band(least, most, least, most).room(NUMBERS[f"4.2-normal-peak-elastic-{leg.name}"], peak),
        "fastest": float(foot.rate[foot.parts[STANCE]].max() / foot.touchdown_speed),
        "thesis_peak": leg.euler_ground[INELASTIC],
        "guess": on_ground(foot, INELASTIC, "none", "speed of the foot").normal,
        "mean_said": lengths_said(band, shift), "mean_farthest": farthest_said(band, shift),
        "ground": {what: {e: of_run(turn.ground[e]) for e in SAID} for what, (of_run, _, _) in GROUND.items()},
        "tried": {what: {e: [of_hand(by) for by in by_hand[e]] for e in SAID} for what, (_, of_hand, _) in GROUND.items()},
        "most_of": {what: {e: most_of(by_hand[e][0]) for e in SAID} for what, (*_, most_of) in GROUND.items()},
        "free": turn.air.energy["swing"].absolute, "added": on_ground(foot, INELASTIC, "none").bound()[0],
        "guessed": [
            saving(*(on_ground(foot, e, rule, "speed of the foot") for e in (ELASTIC, INELASTIC)))
            for rule in ("standing ground", "fitted")
        ],
        "energy": energy, "cut": "" if abs(quoted - NUMBERS[f"7-saving-{leg.name}"]) <= 0.05 else "; cut, not rounded",
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


def _distance(leg: LegRuns, link: str, a: str, b: str) -> float:
    """Between the ends of a link in our run, m."""
    run = leg.exact.turn.run
    along = (run.values(f"{link}.{b}.{part}") - run.values(f"{link}.{a}.{part}") for part in "xy")
    return float(np.hypot(*along).mean())


def _only_the_base(leg: LegRuns) -> bool:
    """|O1 O2| of the Jansen leg is none of the designer's, while all of his other lengths are met."""
    apart = {
        link: abs(
            CRANK * part / leg.printed.unit - (leg.printed.base if link == "base" else leg.printed.links[link][2])
        )
        for link, part in leg.printed.proportions.items()
    }
    return [link for link, by in apart.items() if by > HALF_MILLIMETRE] == ["base"]


def _inertia(legs: dict[str, LegRuns], leg: LegRuns) -> dict[str, str]:
    """What the readings of J give for a number of the swing; none meets both legs."""
    nearest = max(off(each, THIN) for each in legs.values())
    apart = ", ".join(f"{off(each, COARSE):.1f} % ({each.printed.name})" for each in legs.values())
    said = {}
    for number in ("torque_swing_mean", "torque_swing_max", "torque_swing_min", "energy_swing"):
        why = (
            f"J = 2 l / 3 as printed is no moment of inertia, so that one has to be chosen; {THIN} is within {nearest:.1f} % "
            f"of the printed extremes and energies of both legs, and gives here {lengths_said(leg.bands[number])}"
        )
        if number in leg.readings[THICK]:
            by = {rule: found[number] for rule, found in leg.readings.items()}
            why += (
                f"; {THICK} would be {by[THICK]:.4g}, {by[COARSE]:.4g} by the thesis's steps, and 2 L / 3 "
                f"{by['2 L / 3, as printed']:.4g}"
            )
        said[number] = f"{why}. {THICK} by the thesis's steps is within {apart}"
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
