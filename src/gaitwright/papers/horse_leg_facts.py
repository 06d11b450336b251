"""What is computed beside the numbers of paper 003 chapter 6, and the arguments about them; see horse_leg.py."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.legs.linkages import four_bar_loop
from gaitwright.mechanisms.horse_leg import GAITS, LOOPS
from gaitwright.papers.horse_leg import ELASTIC, INELASTIC, RESTITUTIONS, ROCKER, THIGH

if TYPE_CHECKING:
    from gaitwright.papers.horse_leg import HorseLeg

PHASES = {"walk": ["heel-strike", "flat", "toe-off"], "run": ["toe-strike", "flat", "toe-off"]}
"""Of a step, as the text has them."""


def facts(found: HorseLeg) -> dict[str, Any]:
    steps = {gait: _step(found, gait) for gait in GAITS}
    return {
        **_counts(found), **_linkages(found), **_printed(found.sheet.printed), "steps": steps,
        "rotation_here": steps["run"]["rotation"] / steps["walk"]["rotation"],
        "force": {gait: _forces(found, gait) for gait in GAITS}, "cr": {how: _restitution(found, how) for how in RESTITUTIONS},
        **_remarks(found),
    }  # fmt: skip


def _counts(found: HorseLeg) -> dict[str, Any]:
    """Eq 6.1 to 6.7."""
    turn = found.turns["walk"]
    mechanism = turn.mechanism
    row, col, value = mechanism.mass
    place = mechanism.body_names["L4"].index
    mass, inertia = (float(value[(row == place[k]) & (col == place[k])].sum()) for k in (0, 2))
    length = float(np.hypot(*(turn.values(f"L4.C.{axis}")[0] - turn.values(f"L4.B.{axis}")[0] for axis in "xy")))
    return {
        "counts": {
            "elements": mechanism.system.n, "links": len(mechanism.body_names), "rows": mechanism.system.m_all,
            "mass": len(set(row[value != 0].tolist())), "thirds": mechanism.system.n / 3,
        },
        "fourteen": len(mechanism.body_names) == 14,
        "L4": {"mass": mass, "inertia": inertia, "length": length, "printed": 2 * length / 3},
        "slender": abs(inertia - mass * length**2 / 12) < 1e-9,
    }  # fmt: skip


def _linkages(found: HorseLeg) -> dict[str, Any]:
    """Section 6.2.1, Fig 6-4 and 6-5."""
    thigh = found.loop("walk", THIGH)
    line, turn = thigh.transmission(), found.turns["walk"]
    every = np.concatenate([np.abs(four_bar_loop(each, LOOPS[THIGH]).beta) for each in found.lengths.values()])
    sizes = {d: math.degrees(four_bar_loop(each, LOOPS[ROCKER]).amplitude) for d, each in found.lengths.items()}
    kick = int(np.argmax(turn.values("H.acceleration")))
    touchdown = found.hoofs["walk", ELASTIC].steps[0][0].begin
    before = (touchdown - float(turn.time[kick])) % float(turn.time[-1])
    return {
        "is_parallelogram": float(thigh.code() == "2Plsls"),
        "sides": ", ".join(f"{1e3 * length:.0f}" for length in thigh.mean_lengths),
        "is_linear": float(line.error < 0.1 * thigh.amplitude), "line": line, "amplitude": thigh.amplitude,
        "alpha": np.abs(np.degrees(thigh.alpha)), "beta": np.abs(np.degrees(thigh.beta)), "any_beta": np.degrees(every),
        "rocker": "; ".join(f"{size:.1f} degrees with {1e3 * d:+.0f} mm" for d, size in sizes.items()),
        "rocker_changes": float(np.all(np.diff([sizes[d] for d in sorted(sizes)]) < 0)),
        "kick": {"just_before": float(before < 0.1 * turn.time[-1]), "before": before, "mu": math.degrees(thigh.mu[kick])},
    }  # fmt: skip


def _printed(p: dict[str, float]) -> dict[str, Any]:
    """What the printed numbers say of each other."""
    ends = {gait: [p[f"6-9-{gait}-angle1"], p[f"6-9-{gait}-angle3"]] for gait in GAITS}
    rotation = {gait: p[f"6-9-{gait}-rotation"] for gait in GAITS}
    first, last = ends["walk"]
    most = float(np.ptp([first, last, p["6-9-walk-level"]]))
    peaks = {gait: [p[f"6-10-{gait}-{how}-peak"] for how in (INELASTIC, ELASTIC)] for gait in GAITS}
    means = {gait: [p[f"6-10-{gait}-{how}-mean"] for how in (INELASTIC, ELASTIC)] for gait in GAITS}
    thigh, horses = ([p[f"6.2.1-{what}-{end}"] for end in ("least", "greatest")] for what in ("beta", "horse"))
    return {
        "range_within": float(horses[0] <= thigh[0] and thigh[1] <= horses[1]),
        "printed_stance": {gait: p[f"6-9-{gait}-t3"] - p[f"6-9-{gait}-t1"] for gait in GAITS},
        "from_ends": {gait: abs(b - a) for gait, (a, b) in ends.items()},
        "by_way_of_level": most, "not_enough": most < rotation["walk"] - 0.5, "would_pass": last + rotation["walk"],
        "rotation_ratio": rotation["run"] / rotation["walk"],
        "reduction": {gait: 100 * (1 - elastic / inelastic) for gait, (inelastic, elastic) in peaks.items()},
        "printed_means": {gait: inelastic / elastic for gait, (inelastic, elastic) in means.items()},
    }  # fmt: skip


def _step(found: HorseLeg, gait: str) -> dict[str, Any]:
    """Text about Fig 6-9: the hoof of one gait on the ground, s and degrees."""
    hoof = found.hoofs[gait, ELASTIC]
    step = hoof.steps[0]
    begin, end, names = step[0].begin, step[-1].end, [part.name for part in step]
    return {
        "t1": begin, "t3": end, "stance": end - begin, "rotation": math.degrees(hoof.rotation()),
        "angle1": math.degrees(step[0].angles[0]), "angle3": math.degrees(step[-1].angles[1]),
        "level": math.degrees(float(np.interp(0.5 * (begin + end), hoof.time, hoof.angle))),
        "as_said": float(names == PHASES[gait]), "said": ", ".join(PHASES[gait]), "here": ", ".join(names),
    }  # fmt: skip


def _forces(found: HorseLeg, gait: str) -> dict[str, Any]:
    """Text about Fig 6-10, one gait. The two arguments of horse_leg.py: the bound of the force, and the equal means."""
    p = found.sheet.printed
    printed = p[f"6-10-{gait}-{INELASTIC}-peak"] / p[f"6-10-{gait}-{ELASTIC}-peak"]
    hoofs = {how: found.hoofs[gait, how] for how in RESTITUTIONS}
    here, mean = (getattr(hoofs[INELASTIC], of) / getattr(hoofs[ELASTIC], of) for of in ("peak", "mean"))
    bound = max(1 + 0.75 * fast for fast, _ in speeds(found, gait).values())
    never_pulls = all(out < 4 / 3 for _, out in speeds(found, gait).values())
    void = (
        f"{printed:.2f} times the elastic force is possible under Eq 3.9, but hangs on the speeds of a hoof of which "
    )
    return {
        **hoofs, "reduction": 100 * (1 - 1 / here), "mean_ratio": mean, "bound": bound, "printed": printed,
        "needs": (printed - 1) / 0.75, "beyond": here <= bound < printed, "equal": never_pulls and abs(mean - 1) < 1e-3,
        "void": "" if printed > 1.75 else f"{void}nothing is printed",
    }  # fmt: skip


def speeds(found: HorseLeg, gait: str) -> dict[str, tuple[float, float]]:
    """Of each contact in the inelastic run: fastest penetration, and fastest way out, over the speed at touchdown."""
    run = found.grounded[gait, INELASTIC]
    ratios = {}
    for episode in run.episodes:
        rate = run.values(f"{episode.contact}.penetration_rate")[run.values(f"{episode.contact}.penetration") > 0]
        fast = max(float(rate.max()) / episode.approach_speed, 1.0)
        ratios[episode.contact] = fast, -float(rate.min()) / episode.approach_speed
    return ratios


def _restitution(found: HorseLeg, how: str) -> float:
    """Read back from the force on the toe in walking."""
    run = found.grounded["walk", how]
    force, depth, rate = (run.values(f"toe.{name}") for name in ("normal_force", "penetration", "penetration_rate"))
    k = int(np.argmax(np.where(depth > 0.25 * depth.max(), rate, -np.inf)))
    speed = next(e.approach_speed for e in run.episodes if e.contact == "toe")
    factor = (force[k] / (found.setup.stiffness * depth[k] ** 1.5) - 1) * speed / rate[k]
    return math.sqrt(max(1 - factor / 0.75, 0.0))


def _remarks(found: HorseLeg) -> dict[str, Any]:
    """Stiffness that the printed elastic peaks would need here, and how much deeper the thesis's hoof goes in running."""
    peaks = {gait: found.sheet.printed[f"6-10-{gait}-{ELASTIC}-peak"] for gait in GAITS}
    return {
        "needed": {g: found.setup.stiffness * peaks[g] / found.hoofs[g, ELASTIC].peak for g in GAITS},
        "deeper": (peaks["run"] / peaks["walk"]) ** (2 / 3),
    }
