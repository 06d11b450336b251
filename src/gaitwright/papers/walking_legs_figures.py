"""What the pictures like Figs 4-4 to 4-10 of paper 003 show."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitwright.legs.loads import Loads
from gaitwright.legs.phases import Phases
from gaitwright.papers.walking_legs_data import SAID
from gaitwright.papers.walking_legs_runs import LegRuns

Legs = dict[str, LegRuns]


def facts(legs: Legs) -> dict[str, Any]:
    return {"shown": {name: {**_in_air(leg), **_on_ground(leg)} for name, leg in legs.items()}}


def by_phase(t: Any, values: Any, phases: Phases) -> dict[str, np.ndarray]:
    """A quantity over time, swing and stance as two curves."""
    inside = phases.is_stance(t)
    return {"swing": np.where(inside, np.nan, values), "stance": np.where(inside, values, np.nan)}


def _in_air(leg: LegRuns) -> dict[str, Any]:
    run, foot, near = leg.exact.turn.run, leg.exact.foot, leg.ground.foot
    along, size = run.values(f"{foot.name}.vx") + foot.body_speed, run.values(f"{foot.name}.acceleration")
    t, x, y = near.track
    height = np.where(y < near.level + 1.5 * (near.level - near.lowest), 1e3 * (y - near.level), np.nan)
    return {
        "time": run.time, "along": by_phase(run.time, along, foot.phases), "speed": run.values(f"{foot.name}.speed"),
        "acceleration": by_phase(run.time, size, foot.phases),
        "x": x, "height": by_phase(t, height, near.phases), "ends": x[[np.argmin(x), np.argmax(x)]],
    }  # fmt: skip


def _on_ground(leg: LegRuns) -> dict[str, Any]:
    """Forces, torque, energy and the torque that the ground adds, each with its time, by restitution."""
    air, found = leg.ground.turn.run, {}
    for e, how in SAID.items():
        loads = leg.ground.turn.ground[e]
        t, torque = _one_turn(loads, "crank.torque")
        _, power = _one_turn(loads, "crank.power")
        steps = 0.5 * np.abs(power[1:] + power[:-1]) * np.diff(t)
        found[how] = {
            "time": t, "torque": torque, "normal": _one_turn(loads, "foot.normal_force")[1],
            "tangential": _one_turn(loads, "foot.tangential_force")[1], "energy": np.r_[0.0, np.cumsum(steps)],
            "added": torque - np.interp(t, air.time, air.values("crank.torque")),
        }  # fmt: skip
    return found


def _one_turn(loads: Loads, name: str) -> tuple[Any, Any]:
    """An output over the measured turn, from its begin, s."""
    t, values = loads.run.time, loads.run.values(name)
    inside = (t >= loads.phases.begin) & (t <= loads.phases.end)
    return t[inside] - loads.phases.begin, values[inside]
