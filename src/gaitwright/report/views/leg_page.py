"""The pages about a leg and about several of them side by side: what is shown, as blocks; report/ makes the page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.legs.leg import BACKWARDS, LegAnalysis, Turn
from gaitwright.legs.loads import Loads
from gaitwright.legs.numbers import leg_numbers
from gaitwright.legs.phases import PHASES, STANCE
from gaitwright.model.files import model_text
from gaitwright.report.blocks import Animation, Block, Chart, Code, Fact, Figures, Heading, Line, Table
from gaitwright.report.page import Report
from gaitwright.report.scene import Scene, one_scale
from gaitwright.report.views.extremes import extremes_table
from gaitwright.report.views.motor_blocks import motor_blocks
from gaitwright.report.views.run_page import bearing_table, warnings
from gaitwright.result.outputs import Motion

STANDS = "stance"
ROUNDING = 1e-9
"""Part of the largest torque below which a mean is nothing: without ground and friction it vanishes over a turn."""
KEYS = (
    "step_length", "step_height", "curve_length", "leg_length", "lifting", "straightness", "duty", "flatness", "scuffing",
    "body_speed", "touchdown_speed", "acceleration_turn_greatest", "air_torque_turn_greatest", "air_torque_turn_least",
    "air_energy_turn", "air_cost_of_transport",
)  # fmt: skip
"""Numbers that people ask for first; those on the ground follow, for every restitution."""
ON_GROUND = (
    "normal_greatest", "normal_mean", "torque_turn_greatest", "torque_turn_least", "energy_turn", "dissipated", "belt_work",
    "cost_of_transport",
)  # fmt: skip


BETTER = {
    "step_length": 1, "step_height": 1, "lifting": 1, "straightness": 1, "flatness": -1, "touchdown_speed": -1,
    "acceleration_turn_greatest": -1, "torque_turn_greatest": -1, "torque_turn_least": -1, "energy_turn": -1,
    "cost_of_transport": -1, "normal_greatest": -1, "dissipated": -1, "scuffing": -1,
}  # fmt: skip
"""Endings of the names of quantities of which a larger (1) or smaller (-1) size is better."""


def save_leg(leg: LegAnalysis, path: Path) -> dict[str, Path]:
    """Write the page about a leg, with its pictures and tables beside it."""
    return leg_report(leg).save(path)


def leg_report(leg: LegAnalysis, differences: dict[str, float] | None = None) -> Report:
    """The page about a leg. differences: of forward and inverse dynamics, as `check_forward` gives them; computed unless
    given."""
    turn = leg.turn
    shown = ground_of(turn) or turn.air
    where = "on the ground" if turn.ground else "in the air"
    said = f"One turn of the crank in {leg.settings.period:.4g} s, {where}, the hip at rest"
    drawn = charts(turn, leg.settings.drive)
    blocks: list[Block] = [
        *warnings(leg.warnings()),
        Figures(facts(turn)),
        Animation(scene_of(turn, shown)),
        *drawn,
        extremes_table(drawn),
        energy_table(leg),
        *bearing_table(shown.run, shown.phases.begin, shown.phases.end),
        *motor_blocks(leg.on_motor() if leg.settings.motor else None),
        Heading("Numbers"),
        number_table(leg),
        Table(
            "All numbers", ("quantity", *leg.turns, "unit", "meaning"),
            [(name, *(row[d] for d in leg.turns), row["unit"], row["text"]) for name, row in _rows(leg)], folded=True,
        ),
        Heading("How far to trust them"),
        *evidence(leg, differences or ({} if leg.is_flexible else leg.check_forward())),
        Code("The model", model_text(leg.model), "model.yaml"),
    ]  # fmt: skip
    return Report(leg.name, said, blocks)


def facts(turn: Turn) -> list[Fact]:
    foot, air = turn.foot, turn.air
    found = [
        Fact("step length", foot.step_length, "m", f"{100 * foot.straightness:.3g} % of the curve"),
        Fact("step height", foot.step_height, "m", f"{100 * foot.lifting:.3g} % of the leg"),
        Fact("stance", 100 * turn.phases.duty, "%", "of the turn"),
        Fact("energy in the air", air.energy["turn"].absolute, "J", "per turn"),
    ]
    for restitution, loads in turn.ground.items():
        what = "energy on the ground" if np.isnan(restitution) else f"energy, restitution {restitution:g}"
        note = f"force up to {loads.normal['turn'].greatest:.4g} N"
        found.append(Fact(what, loads.energy["turn"].absolute, "J", note))
    return found


def ground_of(turn: Turn) -> Loads | None:
    """The last of the runs on the ground: the least elastic, as they are usually asked for."""
    return list(turn.ground.values())[-1] if turn.ground else None


def scene_of(turn: Turn, loads: Loads) -> Scene:
    """The turn that is measured, from time 0."""
    run, begin = loads.run, loads.phases.begin
    inside = (run.time >= begin - 1e-12) & (run.time <= loads.phases.end + 1e-12)
    from gaitwright.report.views.planar_picture import scene

    motion = Motion(*(values[inside] for values in run.motion))
    seen = scene(run.mechanism, motion, trace=list(turn.feet), forces=bool(turn.ground))
    seen.time = seen.time - begin
    return seen


def charts(turn: Turn, drive: str) -> list[Block]:
    """Curve of the feet, heights and speeds, forces, torque, energy; stance shaded."""
    bands: dict[str, Any] = {"bands": turn.phases.parts(STANCE), "band_label": STANDS}
    lines = [line for k, foot in enumerate(turn.feet.values()) for line in foot_lines(foot, foot.name, k)]
    level = turn.foot.level
    x = np.concatenate([foot.track[1] for foot in turn.feet.values()])
    lines.append(Line("ground", [x.min(), x.max()], [level, level], look="dashed"))
    found: list[Block] = [
        Chart("Curve of the foot", lines, xlabel="x (m)", ylabel="y (m)", equal=True, over_time=False),
        Chart("Height of the foot", [Line(n, f.track[0], f.track[2] - level) for n, f in turn.feet.items()],
              ylabel="height above the ground (m)", **bands),
        Chart("Speed of the foot over the ground",
              [Line(n, turn.run.time, turn.run.values(f"{n}.vx") + f.body_speed) for n, f in turn.feet.items()],
              ylabel="x velocity (m/s)", **bands),
    ]  # fmt: skip
    found.append(Heading("Forces, torque and energy"))
    if turn.ground:
        for what, label in (("normal", "Normal force"), ("tangential", "Tangential force")):
            curves = [Line(named(cr), *force_of(on, what)) for cr, on in turn.ground.items()]
            found.append(Chart(f"{label} of the ground", curves, ylabel="force (N)", **bands))
    ways = {"in the air": turn.air, **{named(cr): on for cr, on in turn.ground.items()}}
    torques = [Line(label, *turn_of(on, on.run.values(f"{drive}.torque"))) for label, on in ways.items()]
    found.append(Chart("Drive torque", torques, ylabel="torque (N m)", **bands))
    used = [Line(label, *consumed(on)) for label, on in ways.items()]
    found.append(Chart("Energy of the drives", used, ylabel="integral of |P| (J)", **bands))
    return found


def foot_lines(foot: Any, label: str, colour: int) -> list[Line]:
    """The curve of a foot, with its stance drawn thick."""
    t, x, y = foot.track
    stands = foot.phases.is_stance(t)
    return [
        Line(label, x, y, time=t, colour=2 * colour),
        Line(f"{label}, {STANDS}", *(np.where(stands, c, np.nan) for c in (x, y)), look="thick", colour=2 * colour + 3),
    ]


def named(restitution: float) -> str:
    return "on the ground" if np.isnan(restitution) else f"restitution {restitution:g}"


def turn_of(loads: Loads, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Times from the begin of the turn, s, and values within it."""
    t = loads.run.time
    inside = (t >= loads.phases.begin - 1e-12) & (t <= loads.phases.end + 1e-12)
    return t[inside] - loads.phases.begin, values[inside]


def force_of(loads: Loads, what: str) -> tuple[np.ndarray, np.ndarray]:
    """Of all feet together, N."""
    run = loads.run
    return turn_of(loads, np.sum([run.values(f"{name}.{what}_force") for name in run.contact_names()], axis=0))


def consumed(loads: Loads) -> tuple[np.ndarray, np.ndarray]:
    """The integral of |P| of all drives since the begin of the turn, J."""
    power = np.sum([np.abs(p) for p in loads.run.balance.drive_power.values()], axis=0)
    t, power = turn_of(loads, power)
    return t, np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(t))])


def energy_table(leg: LegAnalysis) -> Table:
    rows = []
    for direction, turn in leg.turns.items():
        for label, loads in {"in the air": turn.air, **{named(cr): on for cr, on in turn.ground.items()}}.items():
            for phase in PHASES:
                torque, energy = loads.torque[phase], loads.energy[phase]
                cost = loads.cost_of_transport if phase == "turn" else ""
                mean = 0.0 if abs(torque.mean) < ROUNDING * torque.largest else torque.mean
                work = energy.absolute, energy.positive, energy.negative
                rows.append((direction, label, phase, torque.least, torque.greatest, mean, *work, cost))
    header = ("crank", "where", "phase", "least torque (N m)", "greatest (N m)", "mean (N m)", "energy |P| (J)",
              "positive work (J)", "negative work (J)", "cost of transport")  # fmt: skip
    note = (
        "On the ground the drives also move the belt; under a body that walks, it is the body. The weight is the leg's."
    )
    return Table("Torque and energy by phase", header, rows, note=note)


def number_table(leg: LegAnalysis) -> Table:
    table = dict(_rows(leg))
    rows = [
        (spoken(n), *(table[n][d] for d in leg.turns), table[n]["unit"], table[n]["text"])
        for n in key_names(leg.turn, table)
    ]
    return Table("Key numbers", ("quantity", *leg.turns, "unit", "meaning"), rows)


def spoken(name: str) -> str:
    """The name of a quantity for people."""
    return name.replace("_", " ")


def key_names(turn: Turn, known: Any) -> list[str]:
    ground = ["ground" if np.isnan(cr) else f"restitution_{cr:g}" for cr in turn.ground]
    names = [*KEYS, *(f"{prefix}_{what}" for prefix in ground for what in ON_GROUND)]
    return [name for name in names if name in known]


def _rows(leg: LegAnalysis) -> list[tuple[str, Any]]:
    table = leg.table()
    return [(str(name), row) for name, row in table.iterrows()]


def evidence(leg: LegAnalysis, apart: dict[str, float]) -> list[Block]:
    """Constraints, energy, and forward dynamics beside inverse dynamics."""
    turn = leg.turn
    runs = {"air": ("in the air", turn.air), **{f"{cr:g}": (named(cr), on) for cr, on in turn.ground.items()}}
    rows = []
    for what, (label, loads) in runs.items():
        e = loads.run.evidence
        rows.append((label, e.max_position_violation, e.max_energy_residual, apart.get(what, "not compared")))
    said = "Forward dynamics with the same drive (generalized-alpha, 1/1000 of a turn per step) needs this torque, too."
    said = said if apart else "Its beams bend, so that this is forward dynamics: there is nothing to compare it with."
    table = Table("Evidence", ("run", "joints open by (m)", "energy not accounted for (J)",
                               "torque, forward less inverse (N m)"), rows, note=said, exact=True)  # fmt: skip
    return [table]


# several legs --------------------------------------------------------------------------------------------------------


def compare_report(legs: Sequence[LegAnalysis]) -> Report:
    """Legs side by side. Feet are drawn from their hips; torque and force over the part of a turn."""
    names = [leg.name for leg in legs]
    scenes = [scene_of(leg.turn, ground_of(leg.turn) or leg.turn.air) for leg in legs]
    one_scale(scenes)
    blocks: list[Block] = [*warnings([f"{leg.name}: {text}" for leg in legs for text in leg.warnings()])]
    blocks += [Animation(scene, title=leg.name) for leg, scene in zip(legs, scenes, strict=True)]
    feet = []
    for k, leg in enumerate(legs):
        _, x, y = leg.foot.track
        feet.append(Line(leg.name, x, y - leg.foot.level, look="line", colour=k))
    blocks += [
        Heading("Over a turn"),
        Chart("Curves of the feet above the ground", feet, xlabel="x (m)", ylabel="y (m)", equal=True, over_time=False),
    ]
    shares: dict[str, Any] = {"xlabel": "part of the turn", "over_time": False}
    blocks.append(Chart("Drive torque in the air", [_part(leg, leg.turn.air, "torque") for leg in legs],
                        ylabel="torque (N m)", **shares))  # fmt: skip
    grounded = [(leg, ground_of(leg.turn)) for leg in legs]
    lines = [_part(leg, on, "normal") for leg, on in grounded if on is not None]
    if lines:
        blocks.append(Chart("Normal force of the ground", lines, ylabel="force (N)", **shares))
    blocks += [Heading("Numbers"), comparison_table(legs), Heading("Models")]
    for leg in legs:
        blocks.append(Code(f"Model: {leg.name}", model_text(leg.model), f"{_file_name(leg.name)}.yaml"))
    return Report("Legs compared", f"{len(legs)} legs: {', '.join(names)}", blocks)


def _part(leg: LegAnalysis, loads: Loads, what: str) -> Line:
    t, values = (
        force_of(loads, what) if what == "normal" else turn_of(loads, loads.run.values(f"{leg.settings.drive}.torque"))
    )
    return Line(leg.name, t / leg.settings.period, values)


def _file_name(name: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in name).strip("-") or "model"


def comparison_table(legs: Sequence[LegAnalysis], direction: str | None = None) -> Table:
    """Key numbers, one column per leg."""
    found = [leg_numbers(leg.turns.get(direction or "", leg.turn), leg.settings) for leg in legs]
    names = list(
        dict.fromkeys(name for leg, known in zip(legs, found, strict=True) for name in key_names(leg.turn, known))
    )
    rows = []
    for name in names:
        quantity = next(known[name] for known in found if name in known)
        values = (known[name].value if name in known else "" for known in found)
        rows.append((spoken(name), *values, quantity.unit, quantity.text))
    title = "Key numbers" + (f", {direction}" if direction == BACKWARDS else "")
    note = "★ marks the best of a row, where it is clear what is better." if len(legs) > 1 else ""
    header = ("quantity", *(leg.name for leg in legs), "unit", "meaning")
    return Table(title, header, rows, note=note, best=best_cells(names, rows, len(legs)))


def best_cells(names: Sequence[str], rows: Sequence[Sequence[Any]], count: int) -> set[tuple[int, int]]:
    """The best of each row (row, column), where the sizes of its numbers differ as they are shown and one is better."""
    found = set()
    for i, name in enumerate(names):
        sign = next((way for ending, way in BETTER.items() if name.endswith(ending)), 0)
        sizes = {k: sign * abs(rows[i][k]) for k in range(1, 1 + count) if isinstance(rows[i][k], float)}
        if (
            sign
            and len(sizes) > 1
            and len({f"{size:.5g}" for size in sizes.values()})
            > 1  # a star between numbers that read the same says nothing
        ):
            best = max(sizes.values())
            found |= {(i, k) for k, size in sizes.items() if f"{size:.5g}" == f"{best:.5g}"}
    return found
