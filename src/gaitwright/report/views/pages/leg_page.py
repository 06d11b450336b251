"""Pages about a leg and about several legs side by side, as blocks; report/ writes the pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.legs.leg import BACKWARDS, LegAnalysis, LegTurn
from gaitwright.legs.loads import TurnLoads
from gaitwright.legs.phases import PHASES, STANCE
from gaitwright.legs.turn_numbers import (
    GROUND_NUMBERS,
    TURN_NUMBERS,
    better_direction,
    compute_leg_numbers,
    ground_prefix,
)
from gaitwright.model.io.files import model_text
from gaitwright.report.blocks import Animation, Chart, ChartLine, Code, Fact, Figures, Heading, ReportBlock, Table
from gaitwright.report.page import Report
from gaitwright.report.scenes.planar_scene import PlanarScene, equalise_frames
from gaitwright.report.views.extremes_table import extremes_table
from gaitwright.report.views.motor_blocks import motor_blocks
from gaitwright.report.views.pages.run_page import bearing_table, warning_blocks
from gaitwright.result.outputs import StateHistory

STANCE_LABEL = "stance"
ZERO_TORQUE_RTOL = 1e-9
"""Ratio to the largest torque below which a mean counts as zero: without ground and friction it vanishes over a turn."""


def save_leg_page(leg: LegAnalysis, path: Path) -> dict[str, Path]:
    """Write the page about a leg, with its pictures and tables in a folder beside it."""
    return leg_report(leg).save(path)


def leg_report(leg: LegAnalysis, differences: dict[str, float] | None = None) -> Report:
    """Create the page about a leg. differences: between forward and inverse dynamics, from `check_forward`; default:
    computed."""
    turn = leg.turn
    loads = last_ground_run(turn) or turn.air
    where = "on the ground" if turn.ground else "in the air"
    subtitle = f"One turn of the crank in {leg.settings.period:.4g} s, {where}, the hip at rest"
    drawn = turn_charts(turn, leg.settings.drive)
    blocks: list[ReportBlock] = [
        *warning_blocks(leg.warnings()),
        Figures(leg_facts(turn)),
        Animation(turn_scene(turn, loads)),
        *drawn,
        extremes_table(drawn),
        energy_table(leg),
        *bearing_table(loads.run, loads.phases.begin, loads.phases.end),
        *motor_blocks(leg.on_motor() if leg.settings.motor else None),
        Heading("Numbers"),
        number_table(leg),
        Table(
            "All numbers", ("quantity", *leg.turns, "unit", "meaning"),
            [(name, *(row[d] for d in leg.turns), row["unit"], row["text"]) for name, row in _number_rows(leg)], folded=True,
        ),
        Heading("How far to trust them"),
        *leg_evidence_blocks(leg, differences or ({} if leg.is_flexible else leg.check_forward())),
        Code("The model", model_text(leg.model), "model.yaml"),
    ]  # fmt: skip
    return Report(leg.name, subtitle, blocks)


def leg_facts(turn: LegTurn) -> list[Fact]:
    foot, air = turn.foot, turn.air
    facts = [
        Fact("step length", foot.step_length, "m", f"{100 * foot.straightness:.3g} % of the curve"),
        Fact("step height", foot.step_height, "m", f"{100 * foot.lifting:.3g} % of the leg"),
        Fact("stance", 100 * turn.phases.duty, "%", "of the turn"),
        Fact("energy in the air", air.energy["turn"].absolute, "J", "per turn"),
    ]
    for restitution, loads in turn.ground.items():
        label = "energy on the ground" if np.isnan(restitution) else f"energy, restitution {restitution:g}"
        note = f"force up to {loads.normal['turn'].greatest:.4g} N"
        facts.append(Fact(label, loads.energy["turn"].absolute, "J", note))
    return facts


def last_ground_run(turn: LegTurn) -> TurnLoads | None:
    """The last of the runs on the ground: usually the least elastic one."""
    return list(turn.ground.values())[-1] if turn.ground else None


def turn_scene(turn: LegTurn, loads: TurnLoads) -> PlanarScene:
    """Scene of the measured turn, from time 0."""
    run, begin = loads.run, loads.phases.begin
    inside = (run.time >= begin - 1e-12) & (run.time <= loads.phases.end + 1e-12)
    from gaitwright.report.views.scenes.planar_mechanism import build_planar_scene

    motion = StateHistory(*(values[inside] for values in run.motion))
    scene = build_planar_scene(run.mechanism, motion, trace=list(turn.feet), forces=bool(turn.ground))
    scene.time = scene.time - begin
    return scene


def turn_charts(turn: LegTurn, drive: str) -> list[ReportBlock]:
    """Charts of the foot paths, heights and speeds, forces, torque, energy; stance shaded."""
    bands: dict[str, Any] = {"bands": turn.phases.parts(STANCE), "band_label": STANCE_LABEL}
    lines = [line for k, foot in enumerate(turn.feet.values()) for line in foot_lines(foot, foot.name, k)]
    level = turn.foot.level
    x = np.concatenate([foot.track[1] for foot in turn.feet.values()])
    lines.append(ChartLine("ground", [x.min(), x.max()], [level, level], look="dashed"))
    charts: list[ReportBlock] = [
        Chart("Curve of the foot", lines, xlabel="x (m)", ylabel="y (m)", equal=True, over_time=False),
        Chart("Height of the foot", [ChartLine(n, f.track[0], f.track[2] - level) for n, f in turn.feet.items()],
              ylabel="height above the ground (m)", **bands),
        Chart("Speed of the foot over the ground",
              [ChartLine(n, turn.run.time, turn.run.array(f"{n}.vx") + f.body_speed) for n, f in turn.feet.items()],
              ylabel="x velocity (m/s)", **bands),
    ]  # fmt: skip
    charts.append(Heading("Forces, torque and energy"))
    if turn.ground:
        for direction, label in (("normal", "Normal force"), ("tangential", "Tangential force")):
            curves = [
                ChartLine(restitution_label(cr), *total_foot_force(on, direction)) for cr, on in turn.ground.items()
            ]
            charts.append(Chart(f"{label} of the ground", curves, ylabel="force (N)", **bands))
    ways = {"in the air": turn.air, **{restitution_label(cr): on for cr, on in turn.ground.items()}}
    torques = [ChartLine(label, *cut_to_turn(on, on.run.array(f"{drive}.torque"))) for label, on in ways.items()]
    charts.append(Chart("Drive torque", torques, ylabel="torque (N m)", **bands))
    used = [ChartLine(label, *consumed_energy(on)) for label, on in ways.items()]
    charts.append(Chart("Energy of the drives", used, ylabel="integral of |P| (J)", **bands))
    return charts


def foot_lines(foot: Any, label: str, colour: int) -> list[ChartLine]:
    """The path of a foot, with its stance as a thick line."""
    t, x, y = foot.track
    stands = foot.phases.is_stance(t)
    return [
        ChartLine(label, x, y, time=t, colour=2 * colour),
        ChartLine(
            f"{label}, {STANCE_LABEL}",
            *(np.where(stands, c, np.nan) for c in (x, y)),
            look="thick",
            colour=2 * colour + 3,
        ),
    ]


def restitution_label(restitution: float) -> str:
    return "on the ground" if np.isnan(restitution) else f"restitution {restitution:g}"


def cut_to_turn(loads: TurnLoads, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Times from the start of the turn, s, and values within it."""
    t = loads.run.time
    inside = (t >= loads.phases.begin - 1e-12) & (t <= loads.phases.end + 1e-12)
    return t[inside] - loads.phases.begin, values[inside]


def total_foot_force(loads: TurnLoads, direction: str) -> tuple[np.ndarray, np.ndarray]:
    """Sum of a force over all feet, N."""
    run = loads.run
    return cut_to_turn(loads, np.sum([run.array(f"{name}.{direction}_force") for name in run.contact_names()], axis=0))


def consumed_energy(loads: TurnLoads) -> tuple[np.ndarray, np.ndarray]:
    """Integral of |P| of all drives since the start of the turn, J."""
    power = np.sum([np.abs(p) for p in loads.run.balance.drive_power.values()], axis=0)
    t, power = cut_to_turn(loads, power)
    return t, np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(t))])


def energy_table(leg: LegAnalysis) -> Table:
    """Table of torque and energy by direction, surface and phase."""
    rows = []
    for direction, turn in leg.turns.items():
        for label, loads in {
            "in the air": turn.air,
            **{restitution_label(cr): on for cr, on in turn.ground.items()},
        }.items():
            for phase in PHASES:
                torque, energy = loads.torque[phase], loads.energy[phase]
                cost = loads.cost_of_transport if phase == "turn" else ""
                mean = 0.0 if abs(torque.mean) < ZERO_TORQUE_RTOL * torque.largest else torque.mean
                work = energy.absolute, energy.positive, energy.negative
                rows.append((direction, label, phase, torque.least, torque.greatest, mean, *work, cost))
    header = ("crank", "where", "phase", "least torque (N m)", "greatest (N m)", "mean (N m)", "energy |P| (J)",
              "positive work (J)", "negative work (J)", "cost of transport")  # fmt: skip
    note = (
        "On the ground the drives also move the belt; under a body that walks, it is the body. The weight is the leg's."
    )
    return Table("Torque and energy by phase", header, rows, note=note)


def number_table(leg: LegAnalysis) -> Table:
    table = dict(_number_rows(leg))
    rows = [
        (readable_name(n), *(table[n][d] for d in leg.turns), table[n]["unit"], table[n]["text"])
        for n in key_quantity_names(leg.turn, table)
    ]
    return Table("Key numbers", ("quantity", *leg.turns, "unit", "meaning"), rows)


def readable_name(name: str) -> str:
    """Name of a quantity with spaces instead of underscores."""
    return name.replace("_", " ")


def key_quantity_names(turn: LegTurn, available: Any) -> list[str]:
    """Names of the key measures, of the turn in the air and then on the ground for each restitution."""
    in_air, on_ground = (registry.select(lambda measure: measure.key) for registry in (TURN_NUMBERS, GROUND_NUMBERS))
    prefixes = [ground_prefix(restitution) for restitution in turn.ground]
    names = [*in_air, *(f"{prefix}_{name}" for prefix in prefixes for name in on_ground)]
    return [name for name in names if name in available]


def _number_rows(leg: LegAnalysis) -> list[tuple[str, Any]]:
    table = leg.table()
    return [(str(name), row) for name, row in table.iterrows()]


def leg_evidence_blocks(leg: LegAnalysis, differences: dict[str, float]) -> list[ReportBlock]:
    """Table of constraint violations, energy residuals, and differences between forward and inverse dynamics."""
    turn = leg.turn
    runs = {
        "air": ("in the air", turn.air),
        **{f"{cr:g}": (restitution_label(cr), on) for cr, on in turn.ground.items()},
    }
    rows = []
    for run_name, (label, loads) in runs.items():
        e = loads.run.evidence
        rows.append((label, e.max_position_violation, e.max_energy_residual, differences.get(run_name, "not compared")))
    note = "Forward dynamics with the same drive (generalized-alpha, 1/1000 of a turn per step) needs this torque, too."
    note = (
        note
        if differences
        else "Its beams bend, so that this is forward dynamics: there is nothing to compare it with."
    )
    table = Table("Evidence", ("run", "joints open by (m)", "energy not accounted for (J)",
                               "torque, forward less inverse (N m)"), rows, note=note, exact=True)  # fmt: skip
    return [table]


# several legs --------------------------------------------------------------------------------------------------------


def leg_comparison_report(legs: Sequence[LegAnalysis]) -> Report:
    """Page with legs side by side. Heights of foot paths are relative to the ground; torque and force are over the
    fraction of a turn."""
    names = [leg.name for leg in legs]
    scenes = [turn_scene(leg.turn, last_ground_run(leg.turn) or leg.turn.air) for leg in legs]
    equalise_frames(scenes)
    blocks: list[ReportBlock] = [*warning_blocks([f"{leg.name}: {text}" for leg in legs for text in leg.warnings()])]
    blocks += [Animation(scene, title=leg.name) for leg, scene in zip(legs, scenes, strict=True)]
    feet = []
    for k, leg in enumerate(legs):
        _, x, y = leg.foot.track
        feet.append(ChartLine(leg.name, x, y - leg.foot.level, look="line", colour=k))
    blocks += [
        Heading("Over a turn"),
        Chart("Curves of the feet above the ground", feet, xlabel="x (m)", ylabel="y (m)", equal=True, over_time=False),
    ]
    shares: dict[str, Any] = {"xlabel": "part of the turn", "over_time": False}
    blocks.append(Chart("Drive torque in the air", [_comparison_line(leg, leg.turn.air, "torque") for leg in legs],
                        ylabel="torque (N m)", **shares))  # fmt: skip
    grounded = [(leg, last_ground_run(leg.turn)) for leg in legs]
    lines = [_comparison_line(leg, on, "normal") for leg, on in grounded if on is not None]
    if lines:
        blocks.append(Chart("Normal force of the ground", lines, ylabel="force (N)", **shares))
    blocks += [Heading("Numbers"), comparison_table(legs), Heading("Models")]
    for leg in legs:
        blocks.append(Code(f"Model: {leg.name}", model_text(leg.model), f"{_file_name(leg.name)}.yaml"))
    return Report("Legs compared", f"{len(legs)} legs: {', '.join(names)}", blocks)


def _comparison_line(leg: LegAnalysis, loads: TurnLoads, direction: str) -> ChartLine:
    t, values = (
        total_foot_force(loads, direction)
        if direction == "normal"
        else cut_to_turn(loads, loads.run.array(f"{leg.settings.drive}.torque"))
    )
    return ChartLine(leg.name, t / leg.settings.period, values)


def _file_name(name: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in name).strip("-") or "model"


def comparison_table(legs: Sequence[LegAnalysis], direction: str | None = None) -> Table:
    """Table of key numbers, one column per leg."""
    numbers = [compute_leg_numbers(leg.turns.get(direction or "", leg.turn), leg.settings) for leg in legs]
    names = list(
        dict.fromkeys(
            name
            for leg, numbers_of_leg in zip(legs, numbers, strict=True)
            for name in key_quantity_names(leg.turn, numbers_of_leg)
        )
    )
    rows = []
    for name in names:
        quantity = next(numbers_of_leg[name] for numbers_of_leg in numbers if name in numbers_of_leg)
        values = (numbers_of_leg[name].value if name in numbers_of_leg else "" for numbers_of_leg in numbers)
        rows.append((readable_name(name), *values, quantity.unit, quantity.text))
    title = "Key numbers" + (f", {direction}" if direction == BACKWARDS else "")
    note = "★ marks the best of a row, where it is clear what is better." if len(legs) > 1 else ""
    header = ("quantity", *(leg.name for leg in legs), "unit", "meaning")
    return Table(title, header, rows, note=note, best=find_best_cells(names, rows, len(legs)))


def find_best_cells(names: Sequence[str], rows: Sequence[Sequence[Any]], count: int) -> set[tuple[int, int]]:
    """The best cells of each row (row, column), if one direction is better and the displayed magnitudes differ."""
    best_cells = set()
    for i, name in enumerate(names):
        sign = better_direction(name)
        sizes = {k: sign * abs(rows[i][k]) for k in range(1, 1 + count) if isinstance(rows[i][k], float)}
        if (
            sign
            and len(sizes) > 1
            and len({f"{size:.5g}" for size in sizes.values()}) > 1  # no star between equal displayed numbers
        ):
            best = max(sizes.values())
            best_cells |= {(i, k) for k, size in sizes.items() if f"{size:.5g}" == f"{best:.5g}"}
    return best_cells
