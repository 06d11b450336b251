"""Pictures of paper 003 chapter 6, one per figure; see horse_leg.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.legs.linkages import four_bar_loop
from gaitwright.mechanisms.horse_leg import CONTACTS, GAITS, LOOPS
from gaitwright.papers.figures import Curve, Panel

if TYPE_CHECKING:
    from gaitwright.papers.horse_leg import HorseLeg

DOTTED = {"color": "#6b7685", "linestyle": ":", "linewidth": 1.2}
DOTS = {"marker": "o", "markersize": 4}
LOOKS = {"elastic": {"color": "C0"}, "inelastic": {"color": "C3", "linewidth": 1.2}}


def _rocker(found: HorseLeg) -> list[Panel]:
    """Fig 6-4, with highest and lowest points."""
    curves = []
    for k, (change, turn) in enumerate(found.lengths.items()):
        loop = four_bar_loop(turn, LOOPS["crank and L3"])
        alpha, beta = np.degrees(loop.alpha[0] - loop.alpha), np.degrees(loop.beta)
        curves.append(Curve(f"{1e3 * change:+.0f} mm", alpha, beta, {"color": f"C{k}"}))
        for place, marker in ((int(np.argmax(beta)), "^"), (int(np.argmin(beta)), "o")):
            look = {"color": f"C{k}", "marker": marker, "markersize": 5, "linestyle": "none"}
            curves.append(Curve("_", alpha[[place]], beta[[place]], look))
    return [Panel("rocker (deg)", curves, "crank since the start (deg)", "Angle of L3 by change of its length")]


def _characteristics(found: HorseLeg) -> list[Panel]:
    """Fig 6-5, and the same for other lengths of L3."""
    panels = [_paths("Curve of the toe", {_change(d): turn for d, turn in found.lengths.items()})]
    for label, output in (
        ("speed (m/s)", "H.speed"),
        ("acceleration (m/s2)", "H.acceleration"),
        ("torque (N m)", "crank.torque"),
    ):
        curves = [
            Curve(_change(d), turn.time, turn.values(output), {"linewidth": 2.4 if d == 0 else 1.0})
            for d, turn in found.lengths.items()
        ]
        panels.append(Panel(label, curves))
    return panels


def _factors(found: HorseLeg) -> list[Panel]:
    """Fig 6-6."""
    from gaitwright.papers.horse_leg import measures

    changes = 1e3 * np.array(list(found.lengths))
    rows = [measures(turn) for turn in found.lengths.values()]
    labels = {"rocker_deg": "rocker (deg)", "speed": "speed (m/s)", "acceleration": "acceleration (m/s2)",
              "torque": "torque (N m)", "energy": "energy (J)"}  # fmt: skip
    return [
        Panel(label, [Curve("largest" if name != "energy" else "of a turn", changes, [row[name] for row in rows], DOTS)],
              "change of L3 (mm)")
        for name, label in labels.items()
    ]  # fmt: skip


def _trajectories(found: HorseLeg) -> list[Panel]:
    """Fig 6-7, and the actuator that makes the difference."""
    names = {"H": "toe", "L14.K": "heel", "F": "fetlock"}
    panels = []
    for gait, turn in found.turns.items():
        curves = [
            Curve(label, turn.values(f"{p}.x"), turn.values(f"{p}.y"), {"linewidth": 1.6}) for p, label in names.items()
        ]
        x = turn.values("H.x")
        height = float(min(turn.values(f"{point}.y").min() for point in CONTACTS.values())) + found.setup.penetration
        curves.append(Curve("ground", [x.min(), x.max()], [height, height], DOTTED))
        panels.append(Panel("y (m)", curves, "x (m)", gait, equal=True))
    lengths = [Curve(g, turn.time, 1e3 * np.hypot(*_from_hip(turn))) for g, turn in found.turns.items()]
    return [*panels, Panel("L3 (mm)", lengths, title="Actuator")]


def _hoof_angle(found: HorseLeg) -> list[Panel]:
    """Fig 6-9: over the turn, drawn thick on the ground."""
    panels = []
    for gait in GAITS:
        hoof = found.hoofs[gait, "elastic"]
        curves = [Curve("in the air", hoof.time, np.degrees(hoof.angle), {"color": "#b6bec9", "linewidth": 1.2})]
        for k, part in enumerate(hoof.steps[0]):
            inside = (hoof.time >= part.begin) & (hoof.time <= part.end)
            look = {"color": f"C{k}", "linewidth": 3.0}
            curves.append(Curve(part.name, hoof.time[inside], np.degrees(hoof.angle[inside]), look))
        panels.append(Panel("hoof angle (deg)", curves, title=gait))
    return panels


def _force(found: HorseLeg) -> list[Panel]:
    """Fig 6-10."""
    panels = []
    for gait in GAITS:
        around = _around(found, gait)
        curves = [
            Curve(f"{how}, {what}", hoof.time, values, {**LOOKS[how], "linestyle": dash})
            for how in LOOKS
            for hoof in [found.hoofs[gait, how]]
            for what, values, dash in (("normal", hoof.normal, "-"), ("along", hoof.tangential, "--"))
        ]
        panels.append(Panel("force (N)", curves, title=f"Ground on the hoof, {gait}", xlim=around))
    return panels


def _contact(found: HorseLeg) -> list[Panel]:
    """Fig 6-8 in numbers: what each point of the sole carries, and where the force acts."""
    panels = []
    for gait in GAITS:
        hoof = found.hoofs[gait, "inelastic"]
        curves = [Curve(name, hoof.time, hoof.forces[name]) for name in CONTACTS]
        panels.append(
            Panel("force (N)", curves, title=f"Points of the sole, {gait}, inelastic", xlim=_around(found, gait))
        )
    centres = []
    for gait in GAITS:
        hoof = found.hoofs[gait, "inelastic"]
        step = hoof.steps[0]
        part = (hoof.time - step[0].begin) / (step[-1].end - step[0].begin)
        inside = (part > 0) & (part < 1)
        centres.append(Curve(gait, 100 * part[inside], hoof.along[inside]))
    return [*panels, Panel("heel 0, toe 1", centres, "stance (%)", "Centre of pressure")]


def _transmission(found: HorseLeg) -> list[Panel]:
    """Transmission angles of all loops."""
    panels = []
    for gait, turn in found.turns.items():
        curves = [Curve(name, turn.time, np.degrees(four_bar_loop(turn, points).mu)) for name, points in LOOPS.items()]
        panels.append(Panel("mu (deg)", curves, title=f"Transmission angles, {gait}"))
    thigh = [four_bar_loop(turn, LOOPS["thigh"]) for turn in found.turns.values()]
    curves = [
        Curve(gait, np.degrees(loop.alpha), np.degrees(loop.beta), {"linewidth": width})
        for gait, loop, width in zip(GAITS, thigh, (4.0, 1.6), strict=True)  # they lie upon each other
    ]
    curves.append(Curve("parallelogram", [20, 130], [20, 130], DOTTED))
    return [*panels, Panel("beta_2 (deg)", curves, "alpha_2 (deg)", "Thigh: output over input")]


def _change(d: float) -> str:
    return f"{1e3 * d:+.0f} mm"


def _paths(title: str, turns: dict[str, Any]) -> Panel:
    curves = [Curve(name, turn.values("H.x"), turn.values("H.y"), {"linewidth": 1.4}) for name, turn in turns.items()]
    return Panel("y (m)", curves, "x (m)", title, equal=True)


def _from_hip(turn: Any) -> list[np.ndarray]:
    return [turn.values(f"B.{axis}") - turn.mechanism.ground_points["O2"][k] for k, axis in enumerate("xy")]


def _around(found: HorseLeg, gait: str) -> tuple[float, float]:
    step = found.hoofs[gait, "elastic"].steps[0]
    return step[0].begin - 0.02, step[-1].end + 0.02


PICTURES: dict[str, Callable[[HorseLeg], Sequence[Panel]]] = {
    "rocker": _rocker, "characteristics": _characteristics, "factors": _factors, "trajectories": _trajectories,
    "contact": _contact, "hoof-angle": _hoof_angle, "force": _force, "transmission": _transmission,
}  # fmt: skip
