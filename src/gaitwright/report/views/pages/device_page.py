"""Page about a device on a person: loads with and without it, higher loads elsewhere, forces and migration at the cuffs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from gaitwright.gait.spine import COMPRESSION_LIMIT_N
from gaitwright.report.blocks import (
    Animation,
    Chart,
    ChartLine,
    Fact,
    Figures,
    Heading,
    Remark,
    Remarks,
    ReportBlock,
    Table,
    Text,
)
from gaitwright.report.page import Report
from gaitwright.report.views.comfort_blocks import comfort_blocks
from gaitwright.report.views.scenes.device_scene import device_scene
from gaitwright.wear.assistance import sagittal_angle_name
from gaitwright.wear.device_result import UNCHANGED_MOTION_CAVEAT
from gaitwright.wear.device_structure import effective_stiffness, flexible_parts
from gaitwright.wear.motion_cycles import mean_curves

if TYPE_CHECKING:
    from gaitwright.wear.assistance import Assistance
    from gaitwright.wear.comfort.assessment import Comfort
    from gaitwright.wear.device_result import DeviceResult

CYCLE_LABEL, MOTION_LABEL = "gait cycle (%)", "of the motion (%)"
DEGREES_PER_RADIAN = 180.0 / np.pi
MIN_CHANGE_RATIO = 0.02
"""Minimum change relative to a joint's peak, or its mean: joints with smaller changes have no charts."""
MIN_ADDED_RATIO = 0.1
"""Additional demand at some instant, relative to the peak, from which it is reported."""
WITHOUT_COLOUR, WITH_COLOUR, DEVICE_COLOUR = 0, 3, 2
"""Colours of the palette."""
CONVENTIONS = (
    (
        "with and without",
        "the motion is the same: moments of which the muscles are relieved, or which they add, to keep the motion",
    ),
    (
        "moments",
        "internal, of the whole person's joint in the sagittal plane; plus extends, and plantar flexes the ankle",
    ),
    ("taken off", "1 - with / without, of the largest magnitude, or of the mean magnitude; less than 0: it gets worse"),
    (
        "stored, returned",
        "what the device's moment about all axes of the joint does in the known part of a cycle, where it brakes and where it "
        "drives; at joints that it does not span, what its weight and inertia do",
    ),
    (
        "cuffs",
        "force and moment of the device on the limb, in the axes of the segment; migration: how far it moves on it",
    ),
    ("ground", "carries what the device weighs and needs besides, shared by the standing feet as before"),
)


def device_report(worn: DeviceResult, comfort: Comfort | None = None) -> Report:
    """Create the page about a worn device."""
    subject = worn.motion.skeleton.subject
    parts = [f"on {worn.where}", f"{subject.mass:g} kg, {subject.height:.2f} m"]
    parts.append(f"{worn.motion.times[-1] - worn.motion.times[0]:.1f} s at {worn.motion.rate:g} Hz")
    changed = affected_joints(worn)
    blocks: list[ReportBlock] = [
        Remarks("", _remarks(worn)),
        Figures(_facts(worn)),
        Animation(device_scene(worn), "The person with the device"),
        *_time_charts(worn),
        Heading("With and without"),
        *(chart for joint in changed for chart in _joint_charts(worn, joint)),
        *_tables(worn),
        *_spine_blocks(worn),
        Heading("Stiffness and strength"),
        *structure_tables(worn),
        Heading("At the cuffs"),
        *_cuff_charts(worn),
        _cuff_table(worn),
        *([] if comfort is None else comfort_blocks(comfort, _cuff_sides(worn))),
        Heading("How it was done"),
        Table("Conventions", ("what", "is meant"), CONVENTIONS),
    ]
    return Report(f"{_capitalise(worn.name)} on a person", ", ".join(parts), blocks, time_bar=True)


def affected_joints(worn: DeviceResult) -> list[str]:
    """Joints with a significant change, the largest change first."""
    assistance = worn.assistance()

    def change(joint_assistance: Assistance) -> float:
        return max(
            abs(joint_assistance.peak_with - joint_assistance.peak_without),
            abs(joint_assistance.mean_with - joint_assistance.mean_without),
        )

    largest = max((joint_assistance.peak_without for joint_assistance in assistance.values()), default=1.0)
    names = [
        name
        for name, joint_assistance in assistance.items()
        if change(joint_assistance) > MIN_CHANGE_RATIO * max(joint_assistance.peak_without, 0.3 * largest)
    ]
    return sorted(names, key=lambda name: -change(assistance[name]))[:6]


def _cuff_sides(worn: DeviceResult) -> dict[str, str]:
    """Sides of the cuffs that are on a leg."""
    segments = {name: cuff["segment"].partition("_") for name, cuff in worn.summary()["cuffs"].items()}
    return {name: side for name, (side, _, part) in segments.items() if part}


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


def _spell_out(joint: str) -> str:
    return joint.replace("_", " ")


def _remarks(worn: DeviceResult) -> list[Remark]:
    remarks = [Remark("odd", "assumption", f"{_capitalise(UNCHANGED_MOTION_CAVEAT)}.")]
    if spine := worn.spine():
        before, after = (spine[which].peak for which in ("without", "with"))
        change = 1.0 - after["compression"] / before["compression"]
        text = f"L5/S1: compression {before['compression']:.0f} N without, {after['compression']:.0f} N with it"
        text += f" ({100 * abs(change):.0f} % {'less' if change >= 0 else 'more'}), moment {before['moment']:.0f} and"
        text += f" {after['moment']:.0f} N m; NIOSH's limit of compression is {COMPRESSION_LIMIT_N:.0f} N."
        remarks.append(
            Remark(
                "good" if change > MIN_CHANGE_RATIO else "bad" if change < -MIN_CHANGE_RATIO else "odd",
                "lower back",
                text,
            )
        )
    assistance = worn.assistance()
    for name in affected_joints(worn):
        effect = assistance[name]
        if effect.worse:
            peaks = f"{effect.peak_without:.1f} to {effect.peak_with:.1f} N m"
            text = f"{_capitalise(_spell_out(name))}: the peak grows from {peaks}."
            remarks.append(Remark("bad", "worse", text))
        elif effect.share_of_peak > MIN_CHANGE_RATIO:
            text = f"{_capitalise(_spell_out(name))}: {100 * effect.share_of_peak:.0f} % of the peak is taken off"
            text += f", {effect.peak_without:.1f} to {effect.peak_with:.1f} N m, and {100 * effect.share:.0f} % of the mean."
            remarks.append(Remark("good", "helps", text))
        if effect.added > MIN_ADDED_RATIO * effect.peak_without and not effect.worse:
            added = f"{effect.added:.1f} N m more than without"
            text = f"{_capitalise(_spell_out(name))}: at {effect.added_when:.0f} % it needs {added}."
            remarks.append(Remark("odd", "besides", text))
    for part in flexible_parts(worn):
        if part.fatigue_margin < 0.0:
            text = f"{_capitalise(_spell_out(part.name))}: a strain of {100 * part.strain:.2f} % is more than it bears "
            text += f"{part.cycles:,.0f} times ({100 * part.strain * (1.0 + part.fatigue_margin):.2f} %"
            text += f"{', by an assumed rule' if part.assumed else ''})."
            remarks.append(Remark("bad", "strength", text))
    remarks += [Remark("odd", "doubtful", f"{_capitalise(note)}.") for note in worn.notes]
    if worn.source.startswith("SCHEMATIC"):
        remarks.append(Remark("odd", "schematic", "The motion is schematic: typical curves, scaled to the person."))
    if not any(remark.tone in ("good", "bad") for remark in remarks):
        remarks.append(Remark("good", "nothing", "No joint's peak changes by 2 %."))
    return remarks


def _facts(worn: DeviceResult) -> list[Fact]:
    assistance, cuffs = worn.assistance(), worn.summary()["cuffs"]
    facts = []
    helped = max(assistance, key=lambda name: np.nan_to_num(assistance[name].share_of_peak), default=None)
    if helped is not None and assistance[helped].share_of_peak > MIN_CHANGE_RATIO:
        effect = assistance[helped]
        facts.append(Fact("taken off the peak", round(100 * effect.share_of_peak), "%", _spell_out(helped)))
        facts.append(
            Fact(
                "returned",
                f"{effect.returned:.1f}",
                "J",
                f"of {effect.stored:.1f} J stored, per cycle" if worn.cycles.all else "in the motion",
            )
        )
    worst = max(cuffs, key=lambda name: cuffs[name]["force"])
    facts.append(Fact("largest cuff force", round(cuffs[worst]["force"]), "N", _spell_out(worst)))
    moved = max(cuffs, key=lambda name: cuffs[name]["migration"])
    facts.append(Fact("migration", f"{1e3 * cuffs[moved]['migration']:.1f}", "mm", _spell_out(moved)))
    subject = worn.motion.skeleton.subject
    facts.append(Fact("mass", f"{worn.mass:.2f}", "kg", f"{100 * worn.mass / subject.mass:.1f} % of the body's"))
    return facts


def _time_charts(worn: DeviceResult) -> list[ReportBlock]:
    power = worn.power()
    lines = [ChartLine("on the person", power["time"].to_numpy(), power.to_numpy(), colour=DEVICE_COLOUR)]
    charts: list[ReportBlock] = [Chart("Power of the device", lines, ylabel="on the person (W)")]
    pulls = [
        ChartLine(
            _spell_out(str(name)),
            power["time"].to_numpy(),
            np.linalg.norm(worn.cuffs["force"].sel(cuff=name).to_numpy(), axis=1),
        )
        for name in worn.cuffs["cuff"].to_numpy()
    ]
    return [*charts, Chart("Pull of the cuffs", pulls, ylabel="force (N)")]


def _average_cycles(worn: DeviceResult, data: xr.Dataset) -> xr.Dataset:
    return mean_curves(data, worn.cycles)


def _cycle_spans(worn: DeviceResult, name: str) -> list[tuple[float, float]]:
    side = name.partition("_")[0]
    own = worn.cycles.of(side if side in ("right", "left") else "right")
    times = worn.motion.times
    return [(c.start, c.end) for c in own] or [(float(times[0]), float(times[-1]))]


def _joint_charts(worn: DeviceResult, joint: str) -> list[ReportBlock]:
    """Charts of moment and power, and of the device's moment over the angle."""
    mass = worn.motion.skeleton.subject.mass
    names = [f"{joint}_moment", f"{joint}_power"]
    before, after = (_average_cycles(worn, data[names]) for data in (worn.moments, worn.moments_with))
    percent = before["percent"].to_numpy()
    xlabel = CYCLE_LABEL if worn.cycles.all else MOTION_LABEL
    spans = _cycle_spans(worn, joint)
    title = _capitalise(_spell_out(joint))
    charts: list[ReportBlock] = []
    for quantity, unit in (("moment", "N m"), ("power", "W")):
        curves = [mass * data[f"{joint}_{quantity}"].to_numpy() for data in (before, after)]
        lines = [
            ChartLine("without", percent, curves[0], colour=WITHOUT_COLOUR, spans=spans),
            ChartLine("with", percent, curves[1], colour=WITH_COLOUR, spans=spans),
        ]
        if quantity == "moment":
            lines.append(
                ChartLine("device", percent, curves[0] - curves[1], colour=DEVICE_COLOUR, look="dashed", spans=spans)
            )
        plus = worn.moments[f"{joint}_{quantity}"].attrs.get("plus", "")
        charts.append(Chart(f"{title}, {quantity}", lines, xlabel, f"{plus} ({unit})" if plus else unit))
    angle = sagittal_angle_name(joint)
    if angle in worn.angles:
        turned = DEGREES_PER_RADIAN * _average_cycles(worn, worn.angles[[angle]])[angle].to_numpy()
        device_moment = mass * (before[f"{joint}_moment"] - after[f"{joint}_moment"]).to_numpy()
        lines = [ChartLine("device", turned, device_moment, colour=DEVICE_COLOUR)]
        name = angle.rpartition("_")[2]
        charts.append(Chart(f"{title}, device over angle", lines, f"{name} (deg)", "taken off (N m)"))
    return charts


def _format_percent(share: float) -> str:
    return f"{round(100 * share)}".replace("-", "−") if np.isfinite(share) else "–"


def _format_signed(value: float) -> str:
    return f"{value:+.1f}".replace("-", "−") if np.isfinite(value) else "–"


def _tables(worn: DeviceResult) -> list[ReportBlock]:
    assistance = worn.assistance()
    header = ("joint", "peak without (N m)", "with", "taken off (%)", "mean without (N m)", "with", "taken off (%)",
              "stored (J)", "returned (J)", "by its mass (N m)", "")  # fmt: skip
    rows = [
        (
            _spell_out(name),
            f"{effect.peak_without:.1f}",
            f"{effect.peak_with:.1f}",
            _format_percent(effect.share_of_peak),
            f"{effect.mean_without:.1f}",
            f"{effect.mean_with:.1f}",
            _format_percent(effect.share),
            f"{effect.stored:.1f}",
            f"{effect.returned:.1f}",
            _format_signed(worn.mass_penalty.get(name, np.nan)),
            "▲ worse" if effect.worse else "",
        )
        for name, effect in assistance.items()
    ]
    blocks: list[ReportBlock] = [
        Table(
            "All joints",
            header,
            rows,
            "moments in the sagittal plane, of the mean over the cycles; stored, returned: about all axes; by its mass: what "
            "that alone adds to the peak",
        )
    ]
    changed = affected_joints(worn)
    phases = list(dict.fromkeys(phase for name in changed for phase in assistance[name].phases))
    if phases:
        cells = [
            (phase, *(_format_percent(assistance[name].phases.get(phase, np.nan)) for name in changed))
            for phase in phases
        ]
        note = "of the mean magnitude in each phase; – where next to nothing is needed without the device"
        blocks.append(Table("Taken off by phase (%)", ("phase", *map(_spell_out, changed)), cells, note))
    return blocks


def _spring_tables(worn: DeviceResult) -> list[ReportBlock]:
    """Tables of the energy in springs and cuffs: the maximum, and at the start and end of the motion. A spring that is
    preloaded at the start returns more than it stores."""
    kinds = ("energy", "energy_at_start", "energy_at_end")
    rows = [
        (f"{side} {_spell_out(name)}", *(f"{part[kind]:.1f}" for kind in kinds), f"{part.get('dissipated', 0.0):.1f}")
        for side, parts in worn.summary()["parts"].items()
        for name, part in parts.items()
        if "energy" in part
    ]
    header = ("", "at most", "as the motion begins", "as it ends", "lost")
    note = "in the whole motion, not only in its cycles"
    return [Table("Energy in springs and cuffs (J)", header, rows, note)] if rows else []


def structure_tables(worn: DeviceResult) -> list[ReportBlock]:
    """Tables of the effective stiffness about the joints, and of strain, stress, energy and fatigue margin of flexible
    parts."""
    blocks: list[ReportBlock] = []
    rows = []
    for row in effective_stiffness(worn):
        stiffness = (
            "not a function of the angle" if row.stiffness is None else f"{row.stiffness / DEGREES_PER_RADIAN:.2f}"
        )
        spring = f"{row.spring / DEGREES_PER_RADIAN:.2f}" if row.spring is not None else "–"
        rows.append((_spell_out(row.joint), stiffness, spring, f"{row.fit:.3f}", f"{row.peak:.1f}"))
    header = ("joint", "effective (N m/deg)", "spring alone (N m/deg)", "R² of the line", "largest moment (N m)")
    note = "Effective: slope of the device's moment over the joint angle, with spring, frame and cuffs in series."
    if rows:
        blocks.append(Table("Effective joint stiffness", header, rows, note))
    parts = flexible_parts(worn)
    rows = [
        (
            _spell_out(row.name),
            f"{100 * row.strain:.3f}",
            f"{1e-6 * row.stress:.0f}",
            f"{row.energy:.2f}",
            f"{row.fatigue_margin:+.2f}".replace("-", "−"),
            f"{100 * row.strain_limit:.2g}",
            f"{row.cycles:,.0f}",
            ", ".join(name.replace("_", " ") for name in row.assumed) or "–",
        )
        for row in parts
    ]
    header = ("part", "largest strain (%)", "stress (MPa)", "stored energy (J)", "fatigue margin", "strain limit (%)", "cycles",
              "assumed")  # fmt: skip
    note = (
        "Fatigue margin: limit (1 − 0.1 lg cycles) / strain − 1; below zero the part breaks within the cycles. The rule is an "
        "assumption for carbon fibre in epoxy; state your material by the parameters strain_limit and cycles."
    )
    if parts:
        blocks.append(Table("Flexible parts", header, rows, note))
    else:
        text = "The device has no flexible parts: its springs are stiffnesses, without strain, stress and fatigue."
        blocks.append(Text([text]))
    return [*blocks, *_spring_tables(worn)]


def _spine_blocks(worn: DeviceResult) -> list[ReportBlock]:
    """Blocks about the lower back, for motions in which the back bends."""
    loads = worn.spine()
    if not loads:
        return []
    charts: list[ReportBlock] = []
    for quantity, unit in (("moment", "N m"), ("compression", "N")):
        lines = [
            ChartLine(which, loads[which].time, getattr(loads[which], quantity), colour=colour)
            for which, colour in (("without", WITHOUT_COLOUR), ("with", WITH_COLOUR))
        ]
        charts.append(Chart(f"L5/S1, {quantity}", lines, ylabel=f"{quantity} ({unit})"))
    return [Heading("Lower back"), *charts]


def _cuff_charts(worn: DeviceResult) -> list[ReportBlock]:
    sizes = {}
    for name in (str(cuff) for cuff in worn.cuffs["cuff"].to_numpy()):
        own = worn.cuffs.sel(cuff=name)
        for kind in ("force", "migration"):
            sizes[f"{name}_{kind}"] = ("time", np.linalg.norm(own[kind].to_numpy(), axis=1))
    cut = _average_cycles(worn, xr.Dataset(sizes, {"time": worn.motion.times}))
    percent, charts = cut["percent"].to_numpy(), []
    xlabel = CYCLE_LABEL if worn.cycles.all else MOTION_LABEL
    for kind, scale, unit in (("force", 1.0, "N"), ("migration", 1e3, "mm")):
        names = [str(name) for name in cut.data_vars if str(name).endswith(f"_{kind}")]
        lines = [
            ChartLine(
                _spell_out(name.removesuffix(f"_{kind}")),
                percent,
                scale * cut[name].to_numpy(),
                spans=_cycle_spans(worn, name),
            )
            for name in names
            if np.nanmax(cut[name].to_numpy()) > 0.0
        ]
        if lines:
            charts.append(Chart(f"{_capitalise(kind)} at the cuffs", lines, xlabel, f"{kind} ({unit})"))
    return charts


def _cuff_table(worn: DeviceResult) -> Table:
    header = ("cuff", "on", "type", "largest force (N)", "forward", "up", "right", "mean (N)", "moment (N m)", "migration (mm)",
              "turn (deg)")  # fmt: skip
    rows: list[tuple[Any, ...]] = []
    types = {name: cuff.cuff.type for side in worn.sides.values() for name, cuff in side.bound.items()}
    for name, cuff in worn.summary()["cuffs"].items():
        at = [f"{value:.0f}".replace("-", "−") for value in cuff["at_that_time"].values()]
        rows.append(
            (
                _spell_out(name),
                _spell_out(cuff["segment"]),
                types[name],
                f"{cuff['force']:.0f}",
                *at,
                f"{cuff['mean_force']:.0f}",
                f"{cuff['moment']:.1f}",
                f"{1e3 * cuff['migration']:.1f}",
                f"{DEGREES_PER_RADIAN * cuff['turn']:.1f}",
            )
        )
    return Table(
        "Cuffs", header, rows, "components are those at the time of the largest force, in the axes of the segment"
    )
