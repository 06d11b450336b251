"""Pictures like Figs 4-3 to 4-10 of paper 003."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.legs.leg import Turn
from gaitwright.legs.loads import Loads
from gaitwright.legs.phases import STANCE, SWING, TURN, Phases
from gaitwright.papers.figures import WIDTH, Curve, Panel, save_panels
from gaitwright.papers.walking_legs_data import ELASTIC, INELASTIC
from gaitwright.papers.walking_legs_runs import LegRuns
from gaitwright.report.plots import new_figure, save, style

AIR, BLACK, RED, GROUND = "#8a94a3", "#222222", "#D55E00", "#7a6a58"
CONDITIONS = {
    # the two often lie upon each other: told apart by their width
    ELASTIC: ("elastic, $c_r$ = 1", {"color": "C0", "linewidth": 3.2}),
    INELASTIC: ("inelastic, $c_r$ = 0", {"color": RED, "linewidth": 1.4}),
}
POSES = 12
LABELS = {"as driven": "CW", "backwards": "CCW"}

Legs = dict[str, LegRuns]


def draw(legs: Legs, folder: Path, name: str) -> dict[str, Path]:
    """Write all pictures; by what they show."""
    found = {"legs": _legs(legs, folder / f"{name}-legs.png")}
    for what, panels in PICTURES.items():
        found[what] = save_panels(list(panels(legs)), folder / f"{name}-{what}.png")
    found["totals"] = _totals(legs, folder / f"{name}-totals.png")
    return found


def by_phase(t: Any, values: Any, phases: Phases, swing: str = BLACK) -> list[Curve]:
    """A quantity over time, swing and stance in two colours, as in the thesis."""
    inside = phases.is_stance(t)
    kinds = ((SWING, ~inside, {"color": swing}), (STANCE, inside, {"color": RED, "linewidth": 2.2}))
    return [Curve(label, t, np.where(mask, values, np.nan), look) for label, mask, look in kinds]


def _one_turn(loads: Loads, name: str) -> tuple[Any, Any]:
    """An output over the measured turn, from its begin, s."""
    t, values = loads.run.time, loads.run.values(name)
    inside = (t >= loads.phases.begin) & (t <= loads.phases.end)
    return t[inside] - loads.phases.begin, values[inside]


# Fig 4-3 -------------------------------------------------------------------------------------------------------------


def _legs(legs: Legs, path: Path) -> Path:
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
    for curve in by_phase(t, y, foot.phases):
        ax.plot(x, curve.y, label=f"foot, {curve.label}", **curve.look)
    ax.axhline(foot.level, color=GROUND, linewidth=1.0, linestyle="--", label="ground")
    ax.set(xlabel="x (m)", ylabel="y (m)", title=leg.printed.name, aspect="equal")


# Figs 4-4 to 4-8 and 4-10 --------------------------------------------------------------------------------------------


def _velocity(legs: Legs) -> Iterator[Panel]:
    for leg in legs.values():
        run, foot = leg.exact.turn.run, leg.exact.foot
        along = run.values(f"{foot.name}.vx") + foot.body_speed
        speed = run.values(f"{foot.name}.speed")
        curves = [
            *by_phase(run.time, along, foot.phases),
            Curve("$|V_{FV}|$", run.time, speed, {"color": AIR, "linestyle": ":"}),
        ]
        title = (
            f"{leg.printed.name}: $V_{{FT}}$ of the foot over the ground, with $V_{{VT}}$ = {foot.body_speed:.3f} m/s"
        )
        yield Panel("velocity (m/s)", curves, title=title)
    for leg in legs.values():
        run, foot = leg.exact.turn.run, leg.exact.foot
        curves = by_phase(run.time, run.values(f"{foot.name}.acceleration"), foot.phases)
        yield Panel("acceleration (m/s$^2$)", curves, title=f"{leg.printed.name}: acceleration of the foot")


def _on_ground(output: str, scale: float = 1.0) -> Callable[[LegRuns], list[Curve]]:
    def curves(leg: LegRuns) -> list[Curve]:
        found = []
        for restitution, (label, look) in CONDITIONS.items():
            t, values = _one_turn(leg.ground.turn.ground[restitution], output)
            found.append(Curve(label, t, scale * values, look))
        return found

    return curves


def _normal(legs: Legs) -> Iterator[Panel]:
    for leg in legs.values():
        yield Panel(
            "force (N)", _on_ground("foot.normal_force")(leg), title=f"{leg.printed.name}: normal force on the foot"
        )


def _tangential(legs: Legs) -> Iterator[Panel]:
    for leg in legs.values():
        curves = _on_ground("foot.tangential_force")(leg)
        yield Panel("force (N)", curves, title=f"{leg.printed.name}: tangential force on the foot")


def _torque(legs: Legs) -> Iterator[Panel]:
    for leg in legs.values():
        air = leg.ground.turn.run
        curves = [
            Curve("in the air", air.time, air.values("crank.torque"), {"color": AIR, "linewidth": 3.0}),
            *_on_ground("crank.torque")(leg),
        ]
        yield Panel("torque (N m)", curves, title=f"{leg.printed.name}: torque of the drive, clockwise")


def _energy(legs: Legs) -> Iterator[Panel]:
    for leg in legs.values():
        curves = []
        for restitution, (label, look) in CONDITIONS.items():
            t, power = _one_turn(leg.ground.turn.ground[restitution], "crank.power")
            steps = 0.5 * np.abs(power[1:] + power[:-1]) * np.diff(t)
            curves.append(Curve(label, t, np.r_[0.0, np.cumsum(steps)], look))
        yield Panel("energy (J)", curves, title=rf"{leg.printed.name}: energy, $\int|\tau\omega|\,dt$, clockwise")


def _detail(legs: Legs) -> Iterator[Panel]:
    """Near the ground: where the foot is and what the drive does there."""
    for leg in legs.values():
        foot = leg.ground.foot
        t, x, y = foot.track
        near = np.where(y < foot.level + 1.5 * (foot.level - foot.lowest), 1e3 * (y - foot.level), np.nan)
        curves = [
            *(Curve(c.label, x, c.y, c.look) for c in by_phase(t, near, foot.phases)),
            Curve("ground", x[[np.argmin(x), np.argmax(x)]], [0.0, 0.0], {"color": GROUND, "linestyle": "--"}),
        ]
        yield Panel("height (mm)", curves, "x (m)", f"{leg.printed.name}: the foot near the ground")
        extra = [
            Curve(
                label,
                t,
                values - np.interp(t, leg.ground.turn.run.time, leg.ground.turn.run.values("crank.torque")),
                look,
            )
            for restitution, (label, look) in CONDITIONS.items()
            for t, values in [_one_turn(leg.ground.turn.ground[restitution], "crank.torque")]
        ]
        yield Panel("torque (N m)", extra, title=f"{leg.printed.name}: torque that the ground adds")


PICTURES: dict[str, Callable[[Legs], Iterator[Panel]]] = {
    "velocity": _velocity, "normal-force": _normal, "tangential-force": _tangential, "torque": _torque, "energy": _energy,
    "contact": _detail,
}  # fmt: skip
"""What a picture shows, and its panels."""


# Fig 4-9 -------------------------------------------------------------------------------------------------------------


def _totals(legs: Legs, path: Path) -> Path:
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
        **{label: (look["color"], lambda turn, e=e: turn.ground[e]) for e, (label, look) in CONDITIONS.items()},
    }
    for k, (label, (colour, loads)) in enumerate(series.items()):
        heights = [value(loads(leg.ground.turns[direction])) for leg, direction in groups]
        ax.bar(np.arange(len(groups)) + 0.27 * (k - 1), heights, 0.25, color=colour, label=label)
    ax.set_xticks(range(len(groups)), [f"{leg.name.capitalize()}\n{LABELS[way]}" for leg, way in groups], fontsize=9)
    ax.grid(visible=False, axis="x")
