"""What is computed beside the numbers of paper 003 chapter 6; see horse_leg.py."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.legs.linkages import FourBar, four_bar_loop
from gaitwright.mechanisms.horse_leg import CONTACTS, GAITS, LOOPS
from gaitwright.papers.horse_leg import ELASTIC, INELASTIC, RESTITUTIONS, ROCKER, THIGH, measures, of_loop

if TYPE_CHECKING:
    from gaitwright.papers.horse_leg import HorseLeg

ANGLES = ("mu", "alpha", "beta")
PHASES = {"walk": ["heel-strike", "flat", "toe-off"], "run": ["toe-strike", "flat", "toe-off"]}
"""Of a step, as the text has them."""


def facts(found: HorseLeg) -> dict[str, Any]:
    turn, thigh = found.turns["walk"], found.loop("walk", THIGH)
    row, col, value = turn.mechanism.mass
    place = turn.mechanism.body_names["L4"].index
    every = np.concatenate([np.abs(four_bar_loop(each, LOOPS[THIGH]).beta) for each in found.lengths.values()])
    sizes = {d: math.degrees(four_bar_loop(each, LOOPS[ROCKER]).amplitude) for d, each in found.lengths.items()}
    kick = int(np.argmax(turn.values("H.acceleration")))
    return {
        "system": turn.mechanism.system, "links": turn.mechanism.body_names, "mass_rows": set(row[value != 0].tolist()),
        "L4": {name: float(value[(row == place[k]) & (col == place[k])].sum()) for k, name in ((0, "mass"), (2, "inertia"))},
        "length": float(np.hypot(*(turn.values(f"L4.C.{axis}")[0] - turn.values(f"L4.B.{axis}")[0] for axis in "xy"))),
        "is_parallelogram": float(thigh.code() == "2Plsls"), "line": thigh.transmission(), "amplitude": thigh.amplitude,
        "sides": ", ".join(f"{1e3 * length:.0f}" for length in thigh.mean_lengths),
        "alpha": np.abs(np.degrees(thigh.alpha)), "beta": np.abs(np.degrees(thigh.beta)), "any_beta": np.degrees(every),
        "rocker": "; ".join(f"{size:.1f} degrees with {1e3 * d:+.0f} mm" for d, size in sizes.items()),
        "rocker_steps": np.diff([sizes[d] for d in sorted(sizes)]),
        "kick": {"time": float(turn.time[kick]), "mu": math.degrees(thigh.mu[kick])}, "period": float(turn.time[-1]),
        "steps": {gait: _step(found, gait) for gait in GAITS}, "force": {gait: _forces(found, gait) for gait in GAITS},
        "cr": {how: _restitution(found, how) for how in RESTITUTIONS},
    }  # fmt: skip


def _step(found: HorseLeg, gait: str) -> dict[str, Any]:
    """Text about Fig 6-9: the hoof of one gait on the ground, s and degrees."""
    hoof = found.hoofs[gait, ELASTIC]
    step = hoof.steps[0]
    begin, end, names = step[0].begin, step[-1].end, [part.name for part in step]
    return {
        "t1": begin, "t3": end, "rotation": math.degrees(hoof.rotation()),
        "angle1": math.degrees(step[0].angles[0]), "angle3": math.degrees(step[-1].angles[1]),
        "level": math.degrees(float(np.interp(0.5 * (begin + end), hoof.time, hoof.angle))),
        "as_said": float(names == PHASES[gait]), "said": ", ".join(PHASES[gait]), "here": ", ".join(names),
    }  # fmt: skip


def _forces(found: HorseLeg, gait: str) -> dict[str, Any]:
    """Text about Fig 6-10, one gait. What the two arguments of horse_leg.py need: how fast the hoof goes in and out."""
    p, ratios = found.sheet.printed, speeds(found, gait).values()
    printed = p[f"6-10-{gait}-{INELASTIC}-peak"] / p[f"6-10-{gait}-{ELASTIC}-peak"]
    return {
        **{how: found.hoofs[gait, how] for how in RESTITUTIONS}, "printed": printed,
        "bound": max(1 + 0.75 * fast for fast, _ in ratios), "out": max(out for _, out in ratios),
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


# tables and pictures -----------------------------------------------------------------------------------------------


def shown(found: HorseLeg) -> dict[str, Any]:
    by_change = {f"{1e3 * d:+.0f} mm": turn for d, turn in found.lengths.items()}
    rows = {name: measures(turn) for name, turn in by_change.items()}
    return {
        "changed": by_change, "measures": rows, "changes": 1e3 * np.array(list(found.lengths)),
        "columns": {name: [row[name] for row in rows.values()] for name in next(iter(rows.values()))},
        "loops": {gait: {name: of_loop(turn, name) for name in LOOPS} for gait, turn in found.turns.items()},
        "rockers": {name: _rocker(four_bar_loop(turn, LOOPS[ROCKER])) for name, turn in by_change.items()},
        "level": {gait: _level(found, gait) for gait in GAITS},
        "actuator": {g: 1e3 * np.hypot(*_from_hip(turn)) for g, turn in found.turns.items()},
        "around": {gait: _around(found, gait) for gait in GAITS},
        "parts": {gait: _parts(found, gait) for gait in GAITS},
        "on_ground": {gait: [part.name for part in found.hoofs[gait, "elastic"].steps[0]] for gait in GAITS},
        "centre": {gait: _centre(found, gait) for gait in GAITS},
        "transmission": {
            gait: {name: {of: np.degrees(getattr(found.loop(gait, name), of)) for of in ANGLES} for name in LOOPS}
            for gait in GAITS
        },
    }  # fmt: skip


def _rocker(loop: FourBar) -> dict[str, Any]:
    """Angle of L3 over that of the crank, degrees, with highest and lowest points."""
    alpha, beta = np.degrees(loop.alpha[0] - loop.alpha), np.degrees(loop.beta)
    ends = {name: slice(int(k), int(k) + 1) for name, k in (("high", np.argmax(beta)), ("low", np.argmin(beta)))}
    return {"alpha": alpha, "beta": beta} | {name: {"alpha": alpha[k], "beta": beta[k]} for name, k in ends.items()}


def _level(found: HorseLeg, gait: str) -> dict[str, list[float]]:
    """The ground under the curve of the toe, m."""
    turn = found.turns[gait]
    x = turn.values("H.x")
    height = float(min(turn.values(f"{point}.y").min() for point in CONTACTS.values())) + found.setup.penetration
    return {"x": [x.min(), x.max()], "y": [height, height]}


def _from_hip(turn: Any) -> list[np.ndarray]:
    return [turn.values(f"B.{axis}") - turn.mechanism.ground_points["O2"][k] for k, axis in enumerate("xy")]


def _around(found: HorseLeg, gait: str) -> list[float]:
    step = found.hoofs[gait, "elastic"].steps[0]
    return [step[0].begin - 0.02, step[-1].end + 0.02]


def _parts(found: HorseLeg, gait: str) -> dict[str, Any]:
    """Angle of the hoof over the turn, degrees, and in each part of the stance."""
    hoof = found.hoofs[gait, "elastic"]
    parts = {"in the air": np.ones_like(hoof.time, dtype=bool)}
    parts |= {part.name: (hoof.time >= part.begin) & (hoof.time <= part.end) for part in hoof.steps[0]}
    return {
        name: {"time": hoof.time[inside], "angle": np.degrees(hoof.angle[inside])} for name, inside in parts.items()
    }


def _centre(found: HorseLeg, gait: str) -> dict[str, Any]:
    """Centre of pressure over the stance, %."""
    hoof = found.hoofs[gait, "inelastic"]
    step = hoof.steps[0]
    part = (hoof.time - step[0].begin) / (step[-1].end - step[0].begin)
    inside = (part > 0) & (part < 1)
    return {"stance": 100 * part[inside], "along": hoof.along[inside]}
