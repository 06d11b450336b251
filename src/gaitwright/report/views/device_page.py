"""The page about a device on a person: with and without it, what gets worse elsewhere, where it pulls and how far it moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from gaitwright.gait.spine import LIMIT
from gaitwright.report.blocks import Animation, Block, Chart, Fact, Figures, Heading, Line, Remark, Remarks, Table, Text
from gaitwright.report.page import Report
from gaitwright.report.views.comfort_panel import comfort_blocks
from gaitwright.report.views.device_scene import device_scene
from gaitwright.wear.assistance import angle_of
from gaitwright.wear.cycle import over_cycles
from gaitwright.wear.structure import effective_stiffness, flexible_parts
from gaitwright.wear.worn import UNCHANGED_MOTION

if TYPE_CHECKING:
    from gaitwright.wear.assistance import Assistance
    from gaitwright.wear.comfort.judging import Comfort
    from gaitwright.wear.worn import Worn

CYCLE, WHOLE = "gait cycle (%)", "of the motion (%)"
DEGREES = 180.0 / np.pi
CHANGED = 0.02
"""Of a joint's peak, or of its mean: a joint that a device changes by less has no charts."""
ADDED = 0.1
"""Of the peak: what is needed more than without, at some instant, is told from there on."""
WITHOUT, WITH, DEVICE = 0, 3, 2
"""Colours of the palette."""
CONVENTIONS = (
    (
        "with and without",
        "the motion is the same: what muscles need not do, or do besides, for the person to move as before",
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


def device_report(worn: Worn, comfort: Comfort | None = None) -> Report:
    subject = worn.motion.skeleton.subject
    parts = [f"on {worn.where}", f"{subject.mass:g} kg, {subject.height:.2f} m"]
    parts.append(f"{worn.motion.times[-1] - worn.motion.times[0]:.1f} s at {worn.motion.rate:g} Hz")
    changed = changed_joints(worn)
    blocks: list[Block] = [
        Remarks("", _remarks(worn)),
        Figures(_facts(worn)),
        Animation(device_scene(worn), "The person with the device"),
        *_over_time(worn),
        Heading("With and without"),
        *(chart for joint in changed for chart in _joint_charts(worn, joint)),
        *_tables(worn),
        *_spine(worn),
        Heading("Stiffness and strength"),
        *structure_tables(worn),
        Heading("At the cuffs"),
        *_cuff_charts(worn),
        _cuff_table(worn),
        *([] if comfort is None else comfort_blocks(comfort, _sides(worn))),
        Heading("How it was done"),
        Table("Conventions", ("what", "is meant"), CONVENTIONS),
    ]
    return Report(f"{_sentence(worn.name)} on a person", ", ".join(parts), blocks, time_bar=True)


def changed_joints(worn: Worn) -> list[str]:
    """Those that the device changes, the most helped first."""
    found = worn.assistance()

    def change(one: Assistance) -> float:
        return max(abs(one.peak_with - one.peak_without), abs(one.mean_with - one.mean_without))

    largest = max((one.peak_without for one in found.values()), default=1.0)
    names = [name for name, one in found.items() if change(one) > CHANGED * max(one.peak_without, 0.3 * largest)]
    return sorted(names, key=lambda name: -change(found[name]))[:6]


def _sides(worn: Worn) -> dict[str, str]:
    """By cuff, the leg that it is on."""
    found = {name: one["segment"].partition("_") for name, one in worn.summary()["cuffs"].items()}
    return {name: side for name, (side, _, part) in found.items() if part}


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _words(joint: str) -> str:
    return joint.replace("_", " ")


def _remarks(worn: Worn) -> list[Remark]:
    said = [Remark("odd", "assumption", f"{_sentence(UNCHANGED_MOTION)}.")]
    if spine := worn.spine():
        before, after = (spine[which].peak for which in ("without", "with"))
        change = 1.0 - after["compression"] / before["compression"]
        text = f"L5/S1: compression {before['compression']:.0f} N without, {after['compression']:.0f} N with it"
        text += f" ({100 * abs(change):.0f} % {'less' if change >= 0 else 'more'}), moment {before['moment']:.0f} and"
        text += f" {after['moment']:.0f} N m; NIOSH's limit of compression is {LIMIT:.0f} N."
        said.append(Remark("good" if change > CHANGED else "bad" if change < -CHANGED else "odd", "lower back", text))
    found = worn.assistance()
    for name in changed_joints(worn):
        one = found[name]
        if one.worse:
            text = f"{_sentence(_words(name))}: the peak grows from {one.peak_without:.1f} to {one.peak_with:.1f} N m."
            said.append(Remark("bad", "worse", text))
        elif one.share_of_peak > CHANGED:
            text = f"{_sentence(_words(name))}: {100 * one.share_of_peak:.0f} % of the peak is taken off"
            text += f", {one.peak_without:.1f} to {one.peak_with:.1f} N m, and {100 * one.share:.0f} % of the mean."
            said.append(Remark("good", "helps", text))
        if one.added > ADDED * one.peak_without and not one.worse:
            text = (
                f"{_sentence(_words(name))}: at {one.added_when:.0f} % it needs {one.added:.1f} N m more than without."
            )
            said.append(Remark("odd", "besides", text))
    for part in flexible_parts(worn):
        if part.fatigue_margin < 0.0:
            text = f"{_sentence(_words(part.name))}: a strain of {100 * part.strain:.2f} % is more than it bears "
            text += f"{part.cycles:,.0f} times ({100 * part.strain * (1.0 + part.fatigue_margin):.2f} %"
            text += f"{', by an assumed rule' if part.assumed else ''})."
            said.append(Remark("bad", "strength", text))
    said += [Remark("odd", "doubtful", f"{_sentence(note)}.") for note in worn.notes]
    if worn.source.startswith("SCHEMATIC"):
        said.append(Remark("odd", "schematic", "The motion is nobody's: curves that are usual, sized to the person."))
    if not any(remark.tone in ("good", "bad") for remark in said):
        said.append(Remark("good", "nothing", "No joint's peak changes by 2 %."))
    return said


def _facts(worn: Worn) -> list[Fact]:
    found, cuffs = worn.assistance(), worn.summary()["cuffs"]
    facts = []
    helped = max(found, key=lambda name: np.nan_to_num(found[name].share_of_peak), default=None)
    if helped is not None and found[helped].share_of_peak > CHANGED:
        one = found[helped]
        facts.append(Fact("taken off the peak", round(100 * one.share_of_peak), "%", _words(helped)))
        facts.append(
            Fact(
                "returned",
                f"{one.returned:.1f}",
                "J",
                f"of {one.stored:.1f} J stored, per cycle" if worn.cycles.all else "in the motion",
            )
        )
    worst = max(cuffs, key=lambda name: cuffs[name]["force"])
    facts.append(Fact("largest cuff force", round(cuffs[worst]["force"]), "N", _words(worst)))
    moved = max(cuffs, key=lambda name: cuffs[name]["migration"])
    facts.append(Fact("migration", f"{1e3 * cuffs[moved]['migration']:.1f}", "mm", _words(moved)))
    subject = worn.motion.skeleton.subject
    facts.append(Fact("mass", f"{worn.mass:.2f}", "kg", f"{100 * worn.mass / subject.mass:.1f} % of the body's"))
    return facts


def _over_time(worn: Worn) -> list[Block]:
    power = worn.power()
    lines = [Line("on the person", power["time"].to_numpy(), power.to_numpy(), colour=DEVICE)]
    charts: list[Block] = [Chart("Power of the device", lines, ylabel="on the person (W)")]
    pulls = [
        Line(_words(str(name)), power["time"].to_numpy(), np.linalg.norm(worn.cuffs["force"].sel(cuff=name).to_numpy(), axis=1))
        for name in worn.cuffs["cuff"].to_numpy()
    ]  # fmt: skip
    return [*charts, Chart("Pull of the cuffs", pulls, ylabel="force (N)")]


def _cut(worn: Worn, data: xr.Dataset) -> xr.Dataset:
    return over_cycles(data, worn.cycles)


def _spans(worn: Worn, name: str) -> list[tuple[float, float]]:
    side = name.partition("_")[0]
    own = worn.cycles.of(side if side in ("right", "left") else "right")
    times = worn.motion.times
    return [(c.start, c.end) for c in own] or [(float(times[0]), float(times[-1]))]


def _joint_charts(worn: Worn, joint: str) -> list[Block]:
    """Moment, power, and the device's moment over the angle."""
    mass = worn.motion.skeleton.subject.mass
    names = [f"{joint}_moment", f"{joint}_power"]
    before, after = (_cut(worn, data[names]) for data in (worn.moments, worn.moments_with))
    percent = before["percent"].to_numpy()
    xlabel, spans, title = CYCLE if worn.cycles.all else WHOLE, _spans(worn, joint), _sentence(_words(joint))
    charts: list[Block] = []
    for what, unit in (("moment", "N m"), ("power", "W")):
        curves = [mass * one[f"{joint}_{what}"].to_numpy() for one in (before, after)]
        lines = [
            Line("without", percent, curves[0], colour=WITHOUT, spans=spans),
            Line("with", percent, curves[1], colour=WITH, spans=spans),
        ]
        if what == "moment":
            lines.append(Line("device", percent, curves[0] - curves[1], colour=DEVICE, look="dashed", spans=spans))
        plus = worn.moments[f"{joint}_{what}"].attrs.get("plus", "")
        charts.append(Chart(f"{title}, {what}", lines, xlabel, f"{plus} ({unit})" if plus else unit))
    angle = angle_of(joint)
    if angle in worn.angles:
        turned = DEGREES * _cut(worn, worn.angles[[angle]])[angle].to_numpy()
        taken = mass * (before[f"{joint}_moment"] - after[f"{joint}_moment"]).to_numpy()
        lines = [Line("device", turned, taken, colour=DEVICE)]
        name = angle.rpartition("_")[2]
        charts.append(Chart(f"{title}, device over angle", lines, f"{name} (deg)", "taken off (N m)"))
    return charts


def _percent(share: float) -> str:
    return f"{round(100 * share)}".replace("-", "−") if np.isfinite(share) else "–"


def _signed(value: float) -> str:
    return f"{value:+.1f}".replace("-", "−") if np.isfinite(value) else "–"


def _tables(worn: Worn) -> list[Block]:
    found = worn.assistance()
    header = ("joint", "peak without (N m)", "with", "taken off (%)", "mean without (N m)", "with", "taken off (%)",
              "stored (J)", "returned (J)", "by its mass (N m)", "")  # fmt: skip
    rows = [
        (_words(name), f"{one.peak_without:.1f}", f"{one.peak_with:.1f}", _percent(one.share_of_peak),
         f"{one.mean_without:.1f}", f"{one.mean_with:.1f}", _percent(one.share), f"{one.stored:.1f}", f"{one.returned:.1f}",
         _signed(worn.mass_penalty.get(name, np.nan)), "▲ worse" if one.worse else "")
        for name, one in found.items()
    ]  # fmt: skip
    blocks: list[Block] = [
        Table(
            "All joints",
            header,
            rows,
            "moments in the sagittal plane, of the mean over the cycles; stored, returned: about all axes; by its mass: what "
            "that alone adds to the peak",
        )
    ]
    changed = changed_joints(worn)
    phases = list(dict.fromkeys(phase for name in changed for phase in found[name].phases))
    if phases:
        cells = [(phase, *(_percent(found[name].phases.get(phase, np.nan)) for name in changed)) for phase in phases]
        note = "of the mean magnitude in each phase; – where next to nothing is needed without the device"
        blocks.append(Table("Taken off by phase (%)", ("phase", *map(_words, changed)), cells, note))
    return blocks


def _springs(worn: Worn) -> list[Block]:
    """What is in them at most, and as the motion begins and ends: one that is bent at first returns more than it stores."""
    kinds = ("energy", "energy_at_start", "energy_at_end")
    rows = [
        (f"{side} {_words(name)}", *(f"{one[kind]:.1f}" for kind in kinds), f"{one.get('dissipated', 0.0):.1f}")
        for side, parts in worn.summary()["parts"].items()
        for name, one in parts.items()
        if "energy" in one
    ]
    header = ("", "at most", "as the motion begins", "as it ends", "lost")
    note = "in the whole motion, not only in its cycles"
    return [Table("Energy in springs and cuffs (J)", header, rows, note)] if rows else []


def structure_tables(worn: Worn) -> list[Block]:
    """Effective stiffness about the joints; strain, stress, energy and fatigue margin of flexible parts."""
    blocks: list[Block] = []
    rows = []
    for one in effective_stiffness(worn):
        stiffness = "not a function of the angle" if one.stiffness is None else f"{one.stiffness / DEGREES:.2f}"
        spring = f"{one.spring / DEGREES:.2f}" if one.spring is not None else "–"
        rows.append((_words(one.joint), stiffness, spring, f"{one.fit:.3f}", f"{one.peak:.1f}"))
    header = ("joint", "effective (N m/deg)", "spring alone (N m/deg)", "R² of the line", "largest moment (N m)")
    note = "Effective: slope of the device's moment over the joint angle, with spring, frame and cuffs in series."
    if rows:
        blocks.append(Table("Effective joint stiffness", header, rows, note))
    parts = flexible_parts(worn)
    rows = [
        (_words(one.name), f"{100 * one.strain:.3f}", f"{1e-6 * one.stress:.0f}", f"{one.energy:.2f}",
         f"{one.fatigue_margin:+.2f}".replace("-", "−"), f"{100 * one.strain_limit:.2g}", f"{one.cycles:,.0f}",
         ", ".join(name.replace("_", " ") for name in one.assumed) or "–")
        for one in parts
    ]  # fmt: skip
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
    return [*blocks, *_springs(worn)]


def _spine(worn: Worn) -> list[Block]:
    """Of motions in which the back bends."""
    found = worn.spine()
    if not found:
        return []
    charts: list[Block] = []
    for what, unit in (("moment", "N m"), ("compression", "N")):
        lines = [
            Line(which, found[which].time, getattr(found[which], what), colour=colour)
            for which, colour in (("without", WITHOUT), ("with", WITH))
        ]
        charts.append(Chart(f"L5/S1, {what}", lines, ylabel=f"{what} ({unit})"))
    return [Heading("Lower back"), *charts]


def _cuff_charts(worn: Worn) -> list[Block]:
    sizes = {}
    for name in (str(one) for one in worn.cuffs["cuff"].to_numpy()):
        own = worn.cuffs.sel(cuff=name)
        for kind in ("force", "migration"):
            sizes[f"{name}_{kind}"] = ("time", np.linalg.norm(own[kind].to_numpy(), axis=1))
    cut = _cut(worn, xr.Dataset(sizes, {"time": worn.motion.times}))
    percent, charts = cut["percent"].to_numpy(), []
    xlabel = CYCLE if worn.cycles.all else WHOLE
    for kind, scale, unit in (("force", 1.0, "N"), ("migration", 1e3, "mm")):
        names = [str(name) for name in cut.data_vars if str(name).endswith(f"_{kind}")]
        lines = [
            Line(_words(name.removesuffix(f"_{kind}")), percent, scale * cut[name].to_numpy(), spans=_spans(worn, name))
            for name in names
            if np.nanmax(cut[name].to_numpy()) > 0.0
        ]
        if lines:
            charts.append(Chart(f"{_sentence(kind)} at the cuffs", lines, xlabel, f"{kind} ({unit})"))
    return charts


def _cuff_table(worn: Worn) -> Table:
    header = ("cuff", "on", "type", "largest force (N)", "forward", "up", "right", "mean (N)", "moment (N m)", "migration (mm)",
              "turn (deg)")  # fmt: skip
    rows: list[tuple[Any, ...]] = []
    types = {name: one.cuff.type for side in worn.sides.values() for name, one in side.bound.items()}
    for name, one in worn.summary()["cuffs"].items():
        at = [f"{value:.0f}".replace("-", "−") for value in one["at_that_time"].values()]
        rows.append((_words(name), _words(one["segment"]), types[name], f"{one['force']:.0f}", *at, f"{one['mean_force']:.0f}",
                     f"{one['moment']:.1f}", f"{1e3 * one['migration']:.1f}", f"{DEGREES * one['turn']:.1f}"))  # fmt: skip
    return Table(
        "Cuffs", header, rows, "components are those at the time of the largest force, in the axes of the segment"
    )
