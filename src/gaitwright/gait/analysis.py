"""A whole trial in one call: quality, events, cycles, table, skeleton, motion, angles, forces, moments.

walk = gw.gait.load("walk.trc", forces="walk.forces")
found = gw.gait.analyse(walk, gw.gait.Subject(mass=72.2, height=1.75, sex="male"))
found.summary(); found.save("out"); found.report("out")

Without a subject there are quality, events, cycles and the table: whatever needs no masses and no lengths of bones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from gaitwright.checks import At
from gaitwright.errors import ModelError
from gaitwright.gait.axes import crossed_sides, mirrored, swapped
from gaitwright.gait.cycles import SIDES, Cycles, find_cycles, mean_and_spread, per_cycle
from gaitwright.gait.events import Event, find_events, from_markers
from gaitwright.gait.forces import FEET, GroundForces, measured
from gaitwright.gait.model_quality import model_findings
from gaitwright.gait.poses import CUTOFF
from gaitwright.gait.quality import DOUBTFUL, GRAVITY, WRONG, Finding, findings, weight_of
from gaitwright.gait.steps import Contact, contacts
from gaitwright.gait.walk_table import Measure, spatio_temporal

if TYPE_CHECKING:
    from gaitwright.foot.foot import Foot
    from gaitwright.foot.rolling import Rolling
    from gaitwright.gait.motion import Motion
    from gaitwright.gait.pressure_compared import PressureCompared
    from gaitwright.gait.skeleton import Skeleton
    from gaitwright.gait.subject import Subject
    from gaitwright.gait.trial import Trial

TISSUES = {
    "foundation": "elastic foundation", "condensed": "linear tissue, condensed to the sole",
    "full": "finite elements, large strains",
}  # fmt: skip
SIDES_MENDED = ("mirrored", "swapped", "as they are")
TURNED = ("pelvis_rotation", "pelvis_obliquity", "trunk_bending", "trunk_rotation")
"""Angles of the whole body, plus to the right: in cycles of the left foot they are counted the other way, so that both sides of
an even walk lie on each other."""
Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class GaitAnalysis:
    """What was found of a trial. contacts: of feet on plates. forces: by source, 'measured' and 'predicted', where there
    are some. moments: of the measured forces, or of the predicted ones where there are none. notes: how it was done. steps:
    one of each side as the foot took it that was given, with the pressure under it. plate: measured pressure beside it."""

    trial: Trial
    subject: Subject | None
    findings: list[Finding]
    events: list[Event]
    contacts: list[Contact]
    cycles: Cycles
    table: dict[str, Measure]
    skeleton: Skeleton | None = None
    motion: Motion | None = None
    angles: xr.Dataset | None = None
    forces: dict[str, GroundForces] = field(default_factory=dict)
    moments: xr.Dataset | None = None
    notes: list[str] = field(default_factory=list)
    methods: dict[str, str] = field(default_factory=dict)
    steps: dict[str, Rolling] = field(default_factory=dict)
    plate: PressureCompared | None = None

    @property
    def name(self) -> str:
        return self.trial.name

    @cached_property
    def weight(self) -> float | None:
        """N, of the subject, or as the plates carry it."""
        return self.subject.mass * GRAVITY if self.subject else weight_of(self.contacts)

    def loads(self, source: str) -> xr.Dataset | None:
        """`right_force_up`, `.._forward`, `.._inward` and so on over time, in body weights; NaN while nobody knows them."""
        forces, weight = self.forces.get(source), self.weight
        if forces is None or not weight:
            return None
        found = {}
        for k, side in enumerate(FEET):
            known = np.where(forces.known[:, k, None], forces.force[:, k] / weight, np.nan)
            inward = 1.0 if side == "right" else -1.0
            parts = (("up", known[:, 2]), ("forward", known[:, 0]), ("inward", inward * known[:, 1]))
            found |= {f"{side}_force_{name}": ("time", values, {"units": "body weights"}) for name, values in parts}
        return xr.Dataset(found, {"time": forces.time})

    @cached_property
    def series(self) -> xr.Dataset:
        """Angles, rad, moments, N m/kg, powers, W/kg, and measured forces, body weights, over time, by name."""
        loads = self.loads("measured")
        if loads is None:
            loads = self.loads("predicted")
        some = [one for one in (self.angles, self.moments, loads) if one is not None]
        found = xr.Dataset({}, {"time": self.trial.times})
        for one in some:  # all at the instants of the markers
            found = found.assign({str(name): values for name, values in one.data_vars.items()})
        return found

    @cached_property
    def curves(self) -> xr.Dataset:
        """The series in cycles: (cycle, percent)."""
        return _turned(per_cycle(self.series, self.cycles))

    @cached_property
    def mean(self) -> xr.Dataset:
        """(side, percent)."""
        return mean_and_spread(self.curves)[0]

    @cached_property
    def spread(self) -> xr.Dataset:
        """Standard deviation between cycles: (side, percent); NaN where there is one."""
        return mean_and_spread(self.curves)[1]

    @property
    def verdict(self) -> str:
        """In a few words: may one go on and read?"""
        wrong = [finding for finding in self.findings if finding.how_bad == WRONG]
        return f"{len(wrong)} of {len(self.findings)} findings are faults" if wrong else "no fault was found"

    def summary(self) -> dict[str, Any]:
        """Everything in plain numbers: quality, events, cycles, moments, forces, subject, methods, versions."""
        from gaitwright.gait.analysis_summary import summary_of

        return summary_of(self)

    def _repr_html_(self) -> str | None:
        """For notebooks; None if it cannot be shown."""
        from gaitwright.report.views.people_cards import gait_card

        return gait_card(self)

    def __repr__(self) -> str:
        cycles = ", ".join(f"{len(self.cycles.of(side))} {side}" for side in ("right", "left"))
        seconds = len(self.trial.times) / self.trial.rate
        return f"<GaitAnalysis of '{self.name}': {seconds:.1f} s, cycles: {cycles}; {self.verdict}>"

    def save(self, folder: str | Path) -> dict[str, Path]:
        """Tables and curves as CSV, MOT, STO, TRC and netCDF, and summary.json; paths by what they are."""
        from gaitwright.gait.analysis_files import save_all

        return save_all(self, Path(folder))

    def report(self, folder: str | Path) -> dict[str, Path]:
        """gait.html: all of it on one page."""
        from gaitwright.report.views.gait_page import gait_report

        return gait_report(self, Path(folder)).save(Path(folder) / "gait.html")


def analyse(
    trial: Trial,
    subject: Subject | None = None,
    static: Trial | None = None,
    foot: Foot | None = None,
    *,
    pressure: str | Path | xr.DataArray | None = None,
    pressure_side: str | None = None,
    tissue: str = "foundation",
    sides: str | None = None,
    method: str = "joints",
    cutoff: float = CUTOFF,
    leave_out: tuple[str, ...] = (),
    progress: Progress | None = None,
) -> GaitAnalysis:
    """Every step that the trial and the subject allow.

    static: a trial in which the same person stands. foot: of the person, for the pressure under its sole. pressure: of one
    step as a platform or an insole measured it, an .apd file or maps with x, y and perhaps time, to be laid beside it;
    pressure_side: of which foot, found from the print without it. tissue: how the foot's is computed: 'foundation', 'condensed'
    or 'full'. sides: what to do where left and right are crossed: 'mirrored' turns the frame (and is done, and told, unless
    something else is asked for), 'swapped' the labels, 'as they are' nothing. method: of inverse kinematics, 'joints' or
    'segments'. cutoff: Hz, of markers and forces alike. leave_out: plates not to be trusted."""
    say = progress or (lambda what, part: None)
    _check_pressure(foot, pressure, pressure_side)
    At("analyse", "tissue").one_of(tissue, TISSUES, "is no way to compute tissue")
    say("quality", 0.0)
    found = findings(trial, subject.mass if subject else None)
    if subject:
        advice = "check mass and height"
        found += [Finding("person", DOUBTFUL, "mass or height may be wrong", text, advice) for text in subject.warnings]
    notes = list(trial.notes)
    trial, static, mended = _mended(trial, static, sides)
    notes += mended
    say("events", 0.1)
    steps, events = contacts(trial), trial.events
    if not find_cycles(events).all:  # a file without events, or with too few of them
        events = find_events(trial)
    cycles = find_cycles(events)
    table = spatio_temporal(trial, events, cycles)
    methods = {
        "events": ", ".join(sorted({event.source for event in events})) or "none were found",
        "filter": f"zero-lag Butterworth, order 4, {cutoff:g} Hz, of markers and forces alike",
        "cycles": "from strike to strike; phases after Perry and Burnfield; 101 points by cubic splines",
    }
    known: dict[str, Any] = {}
    forces: dict[str, GroundForces] = {}
    if trial.plates:
        forces["measured"] = measured(trial, steps, cutoff=cutoff, leave_out=leave_out)
        notes += forces["measured"].notes
    if subject is not None:
        known = _of_subject(trial, subject, static, forces, method, cutoff, say)
        methods |= known.pop("methods")
        notes += known.pop("notes")
        found = sorted([*found, *known.pop("findings")], key=lambda one: HOW_BAD.index(one.how_bad))
    if foot is not None:
        say("pressure", 0.8)
        known["steps"] = _pressed(foot, tissue, known.get("motion"), forces, events, subject, notes)
        methods["pressure"] = f"{TISSUES[tissue]}; pose of the foot from the skeleton, height from the force"
        if pressure is not None:
            from gaitwright.gait.pressure_compared import compare_pressure

            known["plate"] = compare_pressure(
                {side: step.pressure for side, step in known["steps"].items()}, pressure, pressure_side
            )
            notes += known["plate"].notes
    say("done", 1.0)
    return GaitAnalysis(
        trial, subject, found, events, steps, cycles, table, forces=forces, notes=notes, methods=methods, **known
    )


WITH = {"plates": "with forces of plates", "predicted": "with predicted forces"}
HOW_BAD = ("wrong", "doubtful", "good to know")


def _of_subject(
    trial: Trial, subject: Subject, static: Trial | None, forces: dict[str, GroundForces], method: str, cutoff: float,
    say: Progress,
) -> dict[str, Any]:  # fmt: skip
    """What needs a skeleton."""
    from gaitwright.gait.angles import joint_angles
    from gaitwright.gait.moments import joint_moments
    from gaitwright.gait.poses import follow
    from gaitwright.gait.skeleton import skeleton_of

    say("skeleton", 0.15)
    skeleton = skeleton_of(trial, subject, static)
    say("inverse kinematics", 0.2)
    motion = follow(trial, skeleton, method, cutoff=cutoff)
    angles = joint_angles(motion)
    say("forces without plates", 0.5)
    notes = _predict(trial, subject, motion, forces)
    say("inverse dynamics", 0.7)
    source = forces.get("measured") or forces.get("predicted")
    moments = joint_moments(motion, source) if source is not None else None
    methods = {
        "inverse kinematics": f"{method}, weighted least squares over all markers of each frame",
        "angles": "ISB, Grood and Suntay; pelvis by rotation, obliquity, tilt (Baker 2001)",
        "segments": subject.source,
        "predicted forces": "dynamics of the whole body, shares of the feet, roll-over and pivot; events from markers alone"
        if "predicted" in forces
        else "none",
        "moments": f"internal, by mass of the whole person, {WITH[source.source]}; plus extends, plantar flexes, abducts"
        if source is not None
        else "none: there are no forces",
    }
    return {
        "skeleton": skeleton, "motion": motion, "angles": angles, "moments": moments, "methods": methods,
        "notes": [*skeleton.notes, *notes], "findings": list(model_findings(motion, moments, source)),
    }  # fmt: skip


def _predict(trial: Trial, subject: Subject, motion: Motion, forces: dict[str, GroundForces]) -> list[str]:
    """Forces as if there were no plates: with events from markers alone, so that what is measured beside it is a test."""
    from gaitwright.gait.ground_forces import predicted

    try:
        forces["predicted"] = predicted(motion, subject, from_markers(trial))
    except ModelError as error:
        return [f"forces are not predicted: {error}"]
    return forces["predicted"].notes


def _check_pressure(foot: Foot | None, pressure: Any, side: str | None) -> None:
    """Before anything is computed."""
    from gaitwright.gait.pressure_compared import measured_maps

    if pressure is None and side is not None:
        At("analyse", "pressure_side").fail(
            "is of a measured pressure, and there is none", side, "pressure (--pressure)"
        )
    if side is not None:
        At("analyse", "pressure_side").one_of(side, SIDES, "is not a side of the body")
    if pressure is not None and foot is None:
        At("analyse", "pressure").fail(
            "has no computed pressure to lie beside", expected="foot, too (--foot foot.yaml)"
        )
    if pressure is not None:
        measured_maps(pressure)


def _pressed(
    foot: Foot, tissue: str, motion: Motion | None, forces: dict[str, GroundForces], events: list[Event],
    subject: Subject | None, notes: list[str],
) -> dict[str, Rolling]:  # fmt: skip
    """One step of each side, with measured forces where the foot was on a plate, otherwise with predicted ones."""
    from gaitwright.gait.sole_pressure import step_of, whole_stance

    if motion is None or subject is None:
        At("analyse", "foot").fail("needs to know who walks", expected="a subject with mass and height")
    steps, weight = {}, subject.mass * GRAVITY
    for side in SIDES:
        for source, one in forces.items():
            stance = whole_stance(events, one, side, weight)
            if stance is not None:
                steps[side] = step_of(foot, motion, one, side, stance, weight, tissue)
                mirror = (
                    "" if side == foot.shape.side else f", in a mirror, with the {foot.shape.side} foot that was given"
                )
                when = f"from {stance[0]:.2f} to {stance[1]:.2f} s"
                notes.append(f"pressure of the {side} foot: the step {when} with {source} forces{mirror}")
                break
        else:
            notes.append(f"no pressure of the {side} foot: no whole stance has a force that is known")
    return steps


def _mended(trial: Trial, static: Trial | None, sides: str | None) -> tuple[Trial, Trial | None, list[str]]:
    """Trials whose right is on the right, and a word about it."""
    if sides is not None:
        At("analyse", "sides").one_of(sides, SIDES_MENDED, "is no way to mend crossed sides")
    crossed = (crossed_sides(trial) or 0.0) > 0.02
    if not crossed or sides == "as they are":
        return trial, static, []
    way = {"mirrored": mirrored, "swapped": swapped}[sides or "mirrored"]
    if static is not None and (crossed_sides(static) or 0.0) > 0.02:
        static = way(static)
    did = "the labels were swapped" if sides == "swapped" else "the frame was mirrored, every label kept its side"
    return way(trial), static, [f"left and right were crossed: {did}"]


def _turned(cut: xr.Dataset) -> xr.Dataset:
    """Angles of the whole body as seen from the side of each cycle."""
    sign = xr.where(cut["side"] == "left", -1.0, 1.0)
    for name in TURNED:
        if name in cut:
            attrs = {**cut[name].attrs, "plus": OWN_SIDE[name]}
            cut[name] = (cut[name] * sign).assign_attrs(attrs)
    return cut


OWN_SIDE = {
    "pelvis_rotation": "own side forward", "pelvis_obliquity": "own side up", "trunk_bending": "to the own side on the pelvis",
    "trunk_rotation": "away from the own side on the pelvis",
}  # fmt: skip
assert set(OWN_SIDE) == set(TURNED) and set(SIDES) == set(FEET)
