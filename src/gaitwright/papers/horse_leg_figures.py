"""What tables and pictures of paper 003 chapter 6 show; see horse_leg.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.legs.linkages import FourBar, four_bar_loop
from gaitwright.mechanisms.horse_leg import CONTACTS, GAITS, LOOPS
from gaitwright.papers.horse_leg import ROCKER, measures, of_loop

if TYPE_CHECKING:
    from gaitwright.papers.horse_leg import HorseLeg

ANGLES = ("mu", "alpha", "beta")


def facts(found: HorseLeg) -> dict[str, Any]:
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
