"""Figures 5.2 to 5.5 of paper 004, drawn from our runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gaitwright.papers.bouncing_ball import RESTITUTIONS, through
from gaitwright.papers.figures import Curve, Panel, save_panels

if TYPE_CHECKING:
    from gaitwright.papers.bouncing_ball import BouncingBall

SINCE = "time since touchdown (ms)"
OUTPUTS = {
    # picture: output of the contact, its scale, label, title
    "deformation": ("penetration", 1e3, "deformation (mm)", "Fig 5.2: deformation of the ball"),
    "velocity": ("penetration_rate", 1.0, "velocity (m/s)", "Fig 5.3: velocity of the deformation"),
    "force": ("normal_force", 1e-3, "force (kN)", "Fig 5.4: contact force; dots: the largest, circles: when deepest"),
}
LOOP = "Fig 5.5: contact force against deformation"


def draw(found: BouncingBall, folder: Path) -> dict[str, Path]:
    panels = {what: _over_time(found, *how) for what, how in OUTPUTS.items()}
    panels["loops"] = Panel("force (kN)", _loops(found), "deformation (mm)", LOOP)
    return {what: save_panels([panel], folder / f"{found.name}-{what}.png") for what, panel in panels.items()}


def _over_time(found: BouncingBall, output: str, scale: float, label: str, title: str) -> Panel:
    curves = []
    for k, e in enumerate(RESTITUTIONS):
        t, values = through(found.at(e), output)
        curves.append(Curve(f"$c_r$ = {e:g}", 1e3 * t, scale * values, {"color": f"C{k}"}))
    if output == "normal_force":
        curves += _peaks(found, scale)
    return Panel(label, curves, SINCE, title)


def _peaks(found: BouncingBall, scale: float) -> list[Curve]:
    when = list(found.moments.values())
    dot = {"color": "black", "linestyle": "none", "marker": "."}
    circle = {"color": "black", "linestyle": "none", "marker": "o", "markerfacecolor": "none"}
    return [
        Curve("largest", [1e3 * m.strongest for m in when], [scale * m.largest_force for m in when], dot),
        Curve("deepest", [1e3 * m.deepest for m in when], [scale * m.force_when_deepest for m in when], circle),
    ]


def _loops(found: BouncingBall) -> list[Curve]:
    curves = []
    for k, e in enumerate(RESTITUTIONS):
        (_, depth), (_, force) = (through(found.at(e), output) for output in ("penetration", "normal_force"))
        curves.append(Curve(f"$c_r$ = {e:g}", 1e3 * depth, 1e-3 * force, {"color": f"C{k}"}))
    return curves
