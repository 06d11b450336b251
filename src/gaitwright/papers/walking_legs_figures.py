"""Pictures like Figs 4-3 to 4-10 of paper 003: what the panels of the sheet show, and the two that are drawn here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.legs.leg import Turn
from gaitwright.legs.loads import Loads
from gaitwright.legs.phases import TURN, Phases
from gaitwright.papers.figures import WIDTH
from gaitwright.papers.walking_legs_data import SAID
from gaitwright.papers.walking_legs_runs import LegRuns
from gaitwright.report.plots import new_figure, save, style

AIR, BLACK, RED, GROUND = "#8a94a3", "#222222", "#D55E00", "#7a6a58"
CONDITIONS = {"elastic": ("elastic, $c_r$ = 1", "C0"), "inelastic": ("inelastic, $c_r$ = 0", RED)}
POSES = 12
LABELS = {"as driven": "CW", "backwards": "CCW"}

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


# Fig 4-3 -------------------------------------------------------------------------------------------------------------


def draw_legs(legs: Legs, path: Path) -> Path:
    """Poses over a turn, and the curve of the foot."""
    with style():
        figure = new_figure(WIDTH, 5.0)
        figure.set_layout_engine("constrained", w_pad=0.1, h_pad=0.06)
        for ax, leg in zip(figure.subplots(1, len(legs), squeeze=False)[0], legs.values(), strict=True):
            _poses(ax, leg)
        handles, labels = figure.axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
        return save(figure, path)


def _poses(ax: Any, leg: LegRuns) -> None:
    turn: Turn = leg.exact.turn
    run, foot = turn.run, turn.foot
    ground = run.mechanism.ground_points
    samples = np.linspace(0, run.time.size - 1, POSES + 1).astype(int)[:-1]

    def at(point: str, k: int) -> tuple[float, ...]:
        return ground[point] if point in ground else (run.values(f"{point}.x")[k], run.values(f"{point}.y")[k])

    for k in samples:
        now = k == 0
        for n, (start, end, *_) in enumerate(leg.printed.links.values()):
            (xa, ya), (xb, yb) = at(start, k), at(end, k)
            ax.plot([xa, xb], [ya, yb], color=f"C{n % 8}", alpha=1.0 if now else 0.3, linewidth=2.6 if now else 0.8)
    for name, (x, y) in ground.items():
        ax.plot(x, y, "^", color=BLACK, markersize=7)
        ax.annotate(name, (x, y), xytext=(5, 6), textcoords="offset points")
    t, x, y = foot.track
    looks = {"swing": {"color": BLACK}, "stance": {"color": RED, "linewidth": 2.2}}
    for phase, values in by_phase(t, y, foot.phases).items():
        ax.plot(x, values, label=f"foot, {phase}", **looks[phase])
    ax.axhline(foot.level, color=GROUND, linewidth=1.0, linestyle="--", label="ground")
    ax.set(xlabel="x (m)", ylabel="y (m)", title=leg.printed.name, aspect="equal")


# Fig 4-9 -------------------------------------------------------------------------------------------------------------


def draw_bars(legs: Legs, path: Path) -> Path:
    """Mean torque and energy per turn, for both directions and restitutions, beside the air."""
    with style():
        figure = new_figure(WIDTH, 3.8)
        figure.set_layout_engine("constrained", w_pad=0.1, h_pad=0.06)
        axes = figure.subplots(1, 2)
        of: Sequence[tuple[str, Callable[[Loads], float]]] = (
            ("|mean torque| (N m)", lambda loads: abs(loads.torque[TURN].mean)),
            ("energy per turn (J)", lambda loads: loads.energy[TURN].absolute),
        )
        for ax, (label, value) in zip(axes, of, strict=True):
            _bars(ax, legs, value)
            ax.set(ylabel=label)
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
        return save(figure, path)


def _bars(ax: Any, legs: Legs, value: Callable[[Loads], float]) -> None:
    groups = [(leg, direction) for leg in legs.values() for direction in leg.ground.turns]
    series = {
        "in the air": (AIR, lambda turn: turn.air),
        **{
            label: (color, lambda turn, e=e: turn.ground[e])
            for e, how in SAID.items()
            for label, color in [CONDITIONS[how]]
        },
    }
    for k, (label, (colour, loads)) in enumerate(series.items()):
        heights = [value(loads(leg.ground.turns[direction])) for leg, direction in groups]
        ax.bar(np.arange(len(groups)) + 0.27 * (k - 1), heights, 0.25, color=colour, label=label)
    ax.set_xticks(range(len(groups)), [f"{leg.name.capitalize()}\n{LABELS[way]}" for leg, way in groups], fontsize=9)
    ax.grid(visible=False, axis="x")
