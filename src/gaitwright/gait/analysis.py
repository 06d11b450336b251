"""Analysis of a trial in one call: quality, events, cycles, table, skeleton, motion, angles, forces, moments.

walk = gw.gait.load("walk.trc", forces="walk.forces")
analysis = gw.gait.analyse(walk, gw.gait.Subject(mass=72.2, height=1.75, sex="male"))
analysis.summary(); analysis.save("out"); analysis.report("out")

Without a subject the result has only quality, events, cycles and the table, which need no masses and no bone lengths.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.gait.axes import crossed_side_offset, mirror_trial, swap_sides
from gaitwright.gait.cycles import SIDES, Cycles, find_cycles, mean_and_spread, split_into_cycles
from gaitwright.gait.events import GaitEvent, events_from_markers, find_events
from gaitwright.gait.ground_reaction import FOOT_SIDES, GroundForces, ground_forces_from_plates
from gaitwright.gait.inverse_kinematics import POSE_CUTOFF_HZ
from gaitwright.gait.model_quality import check_skeleton_model
from gaitwright.gait.normative_data import NormativeRange, normative_ranges
from gaitwright.gait.plate_contacts import PlateContact, contacts
from gaitwright.gait.plausibility import (
    check_event_order,
    check_filter,
    check_movement,
    check_table,
    check_walking_ranges,
    doubtful_strides,
    is_run,
    mask_impossible_angles,
    mask_impossible_moments,
)
from gaitwright.gait.spatiotemporal_table import SpatiotemporalMeasure, spatio_temporal
from gaitwright.gait.trial_quality import (
    GRAVITY_M_PER_S2,
    SEVERITY_DOUBTFUL,
    SEVERITY_WRONG,
    GaitFinding,
    estimate_weight,
    findings,
)

if TYPE_CHECKING:
    from gaitwright.foot.foot import Foot
    from gaitwright.gait.motion import SkeletonMotion
    from gaitwright.gait.pressure_comparison import PressureComparison
    from gaitwright.gait.skeleton import HumanSkeleton
    from gaitwright.gait.sole_pressure import WalkingStep
    from gaitwright.gait.subject import Subject
    from gaitwright.gait.trial import GaitTrial

TISSUE_METHODS = {
    "foundation": "elastic foundation", "condensed": "linear tissue, condensed to the sole",
    "full": "finite elements, large strains",
}  # fmt: skip
LOADING_TEXTS = {
    "kinematic": "pose of the foot from markers alone",
    "balanced": "pose from markers, corrected so that the vertical force and its point of application are those of the plate",
    "predicted": "pose from markers, corrected so that the vertical force and its point of application are those of the "
    "dynamics of the body",
}
"""Loading modes of a foot (sole_pressure.py)."""
LOADING_MODES = tuple(LOADING_TEXTS)
RUN_CUTOFF_HZ = 12.0
"""Hz: default cut-off for a run; 6 Hz take a sixth of the peak force of a sprint."""
CROSSED_SIDE_METHODS = ("mirrored", "swapped", "as they are")
WHOLE_BODY_ANGLES = ("pelvis_rotation", "pelvis_obliquity", "trunk_bending", "trunk_rotation")
"""Angles of the whole body, positive to the right; in cycles of the left foot their sign is reversed, so that both sides of a
symmetric walk coincide."""
FAULTLESS_VERDICT = "no fault was found"
GaitProgressCallback = Callable[[str, float], None]


@dataclass(frozen=True)
class GaitAnalysis:
    """Result of `analyse`. contacts: of feet on plates. forces: by source, 'measured' and 'predicted', if available.
    moments: from the measured forces, or from the predicted ones if there are none. notes: remarks on the methods used.
    steps: for a given foot, one simulated step per side with the pressure below the foot. plate: comparison with measured
    pressure."""

    trial: GaitTrial
    subject: Subject | None
    findings: list[GaitFinding]
    events: list[GaitEvent]
    contacts: list[PlateContact]
    cycles: Cycles
    table: dict[str, SpatiotemporalMeasure]
    skeleton: HumanSkeleton | None = None
    motion: SkeletonMotion | None = None
    angles: xr.Dataset | None = None
    forces: dict[str, GroundForces] = field(default_factory=dict)
    moments: xr.Dataset | None = None
    notes: list[str] = field(default_factory=list)
    methods: dict[str, str] = field(default_factory=dict)
    steps: dict[str, WalkingStep] = field(default_factory=dict)
    plate: PressureComparison | None = None

    @property
    def name(self) -> str:
        return self.trial.name

    @cached_property
    def weight(self) -> float | None:
        """Weight of the subject, N, or else the weight measured by the plates; None if unknown."""
        return self.subject.mass * GRAVITY_M_PER_S2 if self.subject else estimate_weight(self.contacts)

    def loads(self, source: str) -> xr.Dataset | None:
        """Forces over time by name, `right_force_up`, `.._forward`, `.._inward` and so on, in body weights; NaN while
        unknown. None without forces or weight."""
        forces, weight = self.forces.get(source), self.weight
        if forces is None or not weight:
            return None
        loads = {}
        for k, side in enumerate(FOOT_SIDES):
            known = np.where(forces.known[:, k, None], forces.force[:, k] / weight, np.nan)
            inward = 1.0 if side == "right" else -1.0
            parts = (("up", known[:, 2]), ("forward", known[:, 0]), ("inward", inward * known[:, 1]))
            loads |= {f"{side}_force_{name}": ("time", values, {"units": "body weights"}) for name, values in parts}
        return xr.Dataset(loads, {"time": forces.time})

    @cached_property
    def series(self) -> xr.Dataset:
        """Angles, rad, moments, N m/kg, powers, W/kg, and measured forces, body weights, over time, by name."""
        loads = self.loads("measured")
        if loads is None:
            loads = self.loads("predicted")
        some = [one for one in (self.angles, self.moments, loads) if one is not None]
        series = xr.Dataset({}, {"time": self.trial.times})
        for one in some:  # all have the instants of the markers
            series = series.assign({str(name): values for name, values in one.data_vars.items()})
        return series

    @cached_property
    def curves(self) -> xr.Dataset:
        """The series split into cycles: (cycle, percent)."""
        return _sign_whole_body_angles(split_into_cycles(self.series, self.cycles))

    @cached_property
    def mean(self) -> xr.Dataset:
        """Mean curves: (side, percent)."""
        return mean_and_spread(self.curves)[0]

    @cached_property
    def spread(self) -> xr.Dataset:
        """Standard deviation between cycles: (side, percent); NaN for a single cycle."""
        return mean_and_spread(self.curves)[1]

    @property
    def running(self) -> bool:
        """True for a run: the usual ranges of walks do not apply."""
        return is_run(self.cycles)

    @property
    def usual_ranges(self) -> dict[str, NormativeRange]:
        """Usual ranges for the rows of the table; none for a run."""
        return {} if self.running else normative_ranges(self.subject.sex if self.subject else None)

    @property
    def verdict(self) -> str:
        """Short verdict on the data quality."""
        for severity, verdict in ((SEVERITY_WRONG, "faults"), (SEVERITY_DOUBTFUL, "doubtful")):
            if count := sum(finding.how_bad == severity for finding in self.findings):
                return f"{count} of {len(self.findings)} findings {'is' if count == 1 else 'are'} {verdict}"
        return FAULTLESS_VERDICT if self.cycles.all else "no complete cycle was found"

    def summary(self) -> dict[str, Any]:
        """Complete result as JSON-compatible numbers: quality, events, cycles, moments, forces, subject, methods,
        versions."""
        from gaitwright.gait.analysis_summary import summary_of

        return summary_of(self)

    def _repr_html_(self) -> str | None:
        """HTML for notebooks; None if it cannot be shown."""
        from gaitwright.report.views.gait_cards import gait_card

        return gait_card(self)

    def __repr__(self) -> str:
        cycles = ", ".join(f"{len(self.cycles.of(side))} {side}" for side in ("right", "left"))
        seconds = len(self.trial.times) / self.trial.rate
        return f"<GaitAnalysis of '{self.name}': {seconds:.1f} s, cycles: {cycles}; {self.verdict}>"

    def save(self, folder: str | Path) -> dict[str, Path]:
        """Save tables and curves as CSV, MOT, STO, TRC and netCDF, and summary.json. Return paths by content."""
        from gaitwright.gait.analysis_files import save_analysis

        return save_analysis(self, Path(folder))

    def report(self, folder: str | Path) -> dict[str, Path]:
        """Write gait.html, a page with the complete result."""
        from gaitwright.report.views.pages.gait_page import gait_report

        return gait_report(self, Path(folder)).save(Path(folder) / "gait.html")


def analyse(
    trial: GaitTrial,
    subject: Subject | None = None,
    static: GaitTrial | None = None,
    foot: Foot | None = None,
    *,
    pressure: str | Path | xr.DataArray | None = None,
    pressure_side: str | None = None,
    tissue: str = "foundation",
    loading: str | None = None,
    sides: str | None = None,
    method: str = "joints",
    cutoff: float | None = None,
    leave_out: tuple[str, ...] = (),
    progress: GaitProgressCallback | None = None,
) -> GaitAnalysis:
    """Run every step of the analysis that the trial and the subject allow.

    static: a trial of the same person standing. foot: of the person, for the pressure below its sole. pressure: of one step,
    measured by a platform or an insole, for comparison: an .apd file or maps with x, y and optionally time; pressure_side:
    its foot; default: detected from the print. tissue: method for the foot's tissue: 'foundation', 'condensed' or 'full'.
    loading: of the foot: 'kinematic', 'balanced' or 'predicted'; default: balanced with plates, otherwise predicted.
    sides: treatment of crossed left and right sides: 'mirrored' reflects the frame (default, with a note), 'swapped'
    exchanges the labels, 'as they are' changes nothing. method: of inverse kinematics, 'joints' or 'segments'. cutoff: Hz,
    for markers and forces; default: 6 for a walk, 12 for a run.
    leave_out: names of plates to ignore. progress: callback with stage and fraction. Raises ModelError for invalid
    arguments."""
    say = progress or (lambda what, part: None)
    _check_pressure_arguments(foot, pressure, pressure_side)
    ErrorContext("analyse", "tissue").one_of(tissue, TISSUE_METHODS, "is no method for the tissue")
    if loading is not None:
        ErrorContext("analyse", "loading").one_of(loading, LOADING_MODES, "is no loading mode of a foot")
    say("quality", 0.0)
    trial_findings = findings(trial, subject.mass if subject else None)
    if subject:
        advice = "check mass and height"
        trial_findings += [
            GaitFinding("person", SEVERITY_DOUBTFUL, "mass or height may be wrong", text, advice)
            for text in subject.warnings
        ]
    notes = list(trial.notes)
    trial, static, side_notes = _fix_crossed_sides(trial, static, sides)
    notes += side_notes
    say("events", 0.1)
    steps, events = contacts(trial), trial.events
    if not find_cycles(events).all:  # a file without events, or with too few of them
        events = find_events(trial)
    cycles = find_cycles(events)
    strides = doubtful_strides(trial, events)
    left_out = {(side, start) for side, start, _, _ in strides}
    cycles = Cycles(
        tuple(cycle for cycle in cycles.all if (cycle.side, cycle.start) not in left_out),
        cycles.incomplete,
    )
    running = is_run(cycles)
    table, table_findings = check_table(spatio_temporal(trial, events, cycles, left_out), running)
    trial_findings += [*check_movement(trial, events, cycles), *check_event_order(events), *table_findings]
    trial_findings += [
        GaitFinding("stride", SEVERITY_DOUBTFUL, "a stride is left out", text, "check the events of this foot", side)
        for side, _, _, text in strides
    ]
    if cutoff is None:
        cutoff = RUN_CUTOFF_HZ if running else POSE_CUTOFF_HZ
        cutoff = min(cutoff, 0.45 * trial.rate)
    trial_findings += check_filter(trial, steps, cutoff)
    methods = {
        "events": ", ".join(sorted({event.source for event in events})) or "none were found",
        "filter": f"zero-lag Butterworth, order 4, {cutoff:g} Hz, of markers and forces alike",
        "cycles": "from strike to strike; phases after Perry and Burnfield; 101 points by cubic splines",
    }
    known: dict[str, Any] = {}
    forces: dict[str, GroundForces] = {}
    if trial.plates:
        measured = ground_forces_from_plates(trial, steps, cutoff=cutoff, leave_out=leave_out)
        notes += measured.notes
        if measured.force.any():
            forces["measured"] = measured
        else:
            notes.append("no step is on the plates: their forces are not used")
    if subject is not None:
        known = _analyse_subject(
            trial, subject, static, forces, method, cutoff, _reason_against_prediction(events, running), say
        )
        methods |= known.pop("methods")
        notes += known.pop("notes")
        trial_findings += known.pop("findings")
        if not running and known.get("angles") is not None:
            trial_findings += check_walking_ranges(known["angles"], known["moments"])
    trial_findings.sort(key=lambda one: SEVERITY_ORDER.index(one.how_bad))
    if foot is not None:
        say("pressure", 0.8)
        known["steps"] = _compute_sole_pressure(
            foot, tissue, loading, trial, known.get("motion"), forces, events, subject, trial_findings, leave_out, notes
        )
        used = dict.fromkeys(f"{step.mode}: {LOADING_TEXTS[step.mode]}" for step in known["steps"].values())
        methods["pressure"] = "; ".join([TISSUE_METHODS[tissue], *used])
        if pressure is not None:
            from gaitwright.gait.pressure_comparison import compare_pressure

            known["plate"] = compare_pressure(
                {side: step.pressure for side, step in known["steps"].items()}, pressure, pressure_side
            )
            notes += known["plate"].notes
    say("done", 1.0)
    return GaitAnalysis(
        trial,
        subject,
        trial_findings,
        events,
        steps,
        cycles,
        table,
        forces=forces,
        notes=notes,
        methods=methods,
        **known,
    )


FORCE_SOURCE_TEXTS = {"plates": "with forces of plates", "predicted": "with predicted forces"}
SEVERITY_ORDER = ("wrong", "doubtful", "good to know")


def _analyse_subject(
    trial: GaitTrial, subject: Subject, static: GaitTrial | None, forces: dict[str, GroundForces], method: str, cutoff: float,
    unpredictable: str | None, say: GaitProgressCallback,
) -> dict[str, Any]:  # fmt: skip
    """Results that need a skeleton: motion, angles, forces, moments, findings, methods and notes. unpredictable: reason why
    forces without plates are not predicted."""
    from gaitwright.gait.angles import joint_angles
    from gaitwright.gait.inverse_dynamics import joint_moments
    from gaitwright.gait.inverse_kinematics import follow
    from gaitwright.gait.skeleton import MissingMarkerError, skeleton_of

    say("skeleton", 0.15)
    try:
        skeleton = skeleton_of(trial, subject, static)
        say("inverse kinematics", 0.2)
        motion = follow(trial, skeleton, method, cutoff=cutoff)
    except MissingMarkerError as error:
        advice = "events, times and lengths of the steps need only markers of the feet"
        what = "there are no joint angles and moments"
        return {
            "methods": {},
            "notes": [],
            "findings": [GaitFinding("markers", SEVERITY_DOUBTFUL, what, str(error), advice)],
        }
    angles = _drop_unknown(joint_angles(motion))
    angles = angles.drop_vars([name for name in angles if str(name).endswith(skeleton.unmeasured or "\0")])
    angles, masks, impossible = mask_impossible_angles(angles, motion)
    say("forces without plates", 0.5)
    notes = _predict_forces(trial, subject, motion, forces) if unpredictable is None else [unpredictable]
    say("inverse dynamics", 0.7)
    source = forces.get("measured") or forces.get("predicted")
    moments = _drop_unknown(joint_moments(motion, source)) if source is not None else None
    if moments is not None:
        moments, more = mask_impossible_moments(moments, masks)
        impossible += more
    methods = {
        "inverse kinematics": f"{method}, weighted least squares over all markers of each frame",
        "angles": "ISB, Grood and Suntay; pelvis by rotation, obliquity, tilt (Baker 2001)",
        "segments": subject.source,
        "predicted forces": "dynamics of the whole body, shares of the feet, roll-over and pivot; events from markers alone"
        if "predicted" in forces
        else "none",
        "moments": (
            f"internal, by mass of the whole person, {FORCE_SOURCE_TEXTS[source.source]}; plus extends, "
            f"plantar flexes, abducts"
        )
        if source is not None
        else "none: there are no forces",
    }
    model_findings = [
        *impossible,
        *_skeleton_findings(skeleton, motion),
        *check_skeleton_model(motion, moments, source),
    ]
    return {
        "skeleton": skeleton, "motion": motion, "angles": angles, "moments": moments, "methods": methods,
        "notes": [*skeleton.notes, *notes], "findings": model_findings,
    }  # fmt: skip


def _reason_against_prediction(events: list[GaitEvent], running: bool) -> str | None:
    """Reason why the prediction of forces does not apply; None for a walk."""
    if running:
        return "forces are not predicted: the prediction is one of walks, not of runs"
    strikes = {event.side for event in events if event.kind == "strike"}
    if strikes != set(SIDES):
        return "forces are not predicted: this takes steps of both feet"
    return None


def _drop_unknown(series: xr.Dataset) -> xr.Dataset:
    """The series without the quantities that are unknown all the time, such as those of a leg without markers."""
    residuals = ("residual_force", "residual_moment")
    return series.drop_vars([name for name, one in series.items() if not one.notnull().any() and name not in residuals])


def _skeleton_findings(skeleton: HumanSkeleton, motion: SkeletonMotion) -> list[GaitFinding]:
    """Findings about segments without poses, and about corrected labels."""
    rows = [
        GaitFinding(
            "labels", SEVERITY_WRONG, "labels are exchanged", fault, "they were put right; check the other trials"
        )
        for fault in skeleton.faults
    ]
    lost = [name for name in motion.segments if not np.isfinite(motion.origin(name)).any()]
    for name in lost:
        needed = skeleton.missing.get(name, ", ".join(skeleton.segments[name].markers) or "markers")
        what = f"there are no angles of the {name.replace('_', ' ')}"
        advice = "give a static trial (--static) or a map of the labels (--markers), if the markers exist"
        rows.append(GaitFinding("markers", SEVERITY_DOUBTFUL, what, f"the walk has no {needed}", advice, name))
    return rows


def _predict_forces(
    trial: GaitTrial, subject: Subject, motion: SkeletonMotion, forces: dict[str, GroundForces]
) -> list[str]:
    """Add predicted forces, from events of markers alone, so that measured forces are an independent test. Return notes."""
    from gaitwright.gait.ground_reaction_prediction import predict_ground_forces

    try:
        forces["predicted"] = predict_ground_forces(motion, subject, events_from_markers(trial))
    except ModelError as error:
        return [f"forces are not predicted: {error}"]
    return forces["predicted"].notes


def _check_pressure_arguments(foot: Foot | None, pressure: Any, side: str | None) -> None:
    """Check the pressure arguments before any computation."""
    from gaitwright.gait.pressure_comparison import read_pressure_maps

    if pressure is None and side is not None:
        ErrorContext("analyse", "pressure_side").fail("needs a measured pressure", side, "pressure (--pressure)")
    if side is not None:
        ErrorContext("analyse", "pressure_side").one_of(side, SIDES, "is not a side of the body")
    if pressure is not None and foot is None:
        ErrorContext("analyse", "pressure").fail(
            "has no computed pressure for comparison", expected="foot, too (--foot foot.yaml)"
        )
    if pressure is not None:
        read_pressure_maps(pressure)


def _compute_sole_pressure(
    foot: Foot, tissue: str, loading: str | None, trial: GaitTrial, motion: SkeletonMotion | None,
    forces: dict[str, GroundForces], events: list[GaitEvent], subject: Subject | None, trial_findings: list[GaitFinding],
    leave_out: tuple[str, ...], notes: list[str],
) -> dict[str, WalkingStep]:  # fmt: skip
    """Simulate one step per side. Plates with faults are left out; a foot without a valid plate is loaded by the dynamics of
    the body."""
    from gaitwright.gait.inverse_kinematics import follow
    from gaitwright.gait.sole_pressure import (
        FOOT_FORCE_CUTOFF_HZ,
        FOOT_POSE_CUTOFF_HZ,
        find_whole_stance,
        simulate_step,
    )

    if motion is None or subject is None:
        ErrorContext("analyse", "foot").fail(
            "needs the person's mass and height", expected="a subject with mass and height"
        )
    steps, weight = {}, subject.mass * GRAVITY_M_PER_S2
    followed = follow(trial, motion.skeleton, "segments", cutoff=FOOT_POSE_CUTOFF_HZ)
    sources: dict[str, GroundForces] = {}
    if trial.plates:
        faulty = {
            one.where for one in trial_findings if one.how_bad == SEVERITY_WRONG and one.where.startswith("plate")
        }
        sources["balanced"] = ground_forces_from_plates(
            trial, cutoff=min(FOOT_FORCE_CUTOFF_HZ, 0.45 * trial.rate), leave_out=tuple({*leave_out, *faulty})
        )
        if faulty:
            notes.append(f"the foot model does not use {', '.join(sorted(faulty))}, see the findings")
    plates = sources.get("balanced")
    if loading == "predicted":
        sources.pop("balanced", None)
    if "predicted" in forces and loading != "balanced":
        sources["predicted"] = forces["predicted"]
    for side in SIDES:
        for mode, one in sources.items():
            stance = find_whole_stance(events, one, side, weight)
            if stance is not None:
                chosen = "kinematic" if loading == "kinematic" else mode
                steps[side] = simulate_step(
                    foot, followed, one, side, stance, weight, tissue, chosen, plates, trial.lab.belt
                )
                mirror = (
                    "" if side == foot.shape.side else f", in a mirror, with the {foot.shape.side} foot that was given"
                )
                when = f"from {stance[0]:.2f} to {stance[1]:.2f} s"
                notes.append(f"pressure of the {side} foot: the step {when}, {chosen}{mirror}")
                notes += steps[side].registration.notes
                break
        else:
            notes.append(f"no pressure of the {side} foot: no whole stance has a force that is known")
    return steps


def _fix_crossed_sides(
    trial: GaitTrial, static: GaitTrial | None, sides: str | None
) -> tuple[GaitTrial, GaitTrial | None, list[str]]:
    """Correct crossed sides of the trial and its static trial, and return them with notes."""
    if sides is not None:
        ErrorContext("analyse", "sides").one_of(sides, CROSSED_SIDE_METHODS, "is no treatment of crossed sides")
    crossed = (crossed_side_offset(trial) or 0.0) > 0.02
    if not crossed or sides == "as they are":
        return trial, static, []
    way = {"mirrored": mirror_trial, "swapped": swap_sides}[sides or "mirrored"]
    if static is not None and (crossed_side_offset(static) or 0.0) > 0.02:
        static = way(static)
    did = "the labels were swapped" if sides == "swapped" else "the frame was mirrored, every label kept its side"
    return way(trial), static, [f"left and right were crossed: {did}"]


def _sign_whole_body_angles(cut: xr.Dataset) -> xr.Dataset:
    """Whole-body angles relative to the side of each cycle: reverse their sign in cycles of the left foot."""
    sign = xr.where(cut["side"] == "left", -1.0, 1.0)
    for name in WHOLE_BODY_ANGLES:
        if name in cut:
            attrs = {**cut[name].attrs, "plus": OWN_SIDE_DIRECTIONS[name]}
            cut[name] = (cut[name] * sign).assign_attrs(attrs)
    return cut


OWN_SIDE_DIRECTIONS = {
    "pelvis_rotation": "own side forward", "pelvis_obliquity": "own side up", "trunk_bending": "to the own side on the pelvis",
    "trunk_rotation": "away from the own side on the pelvis",
}  # fmt: skip
assert set(OWN_SIDE_DIRECTIONS) == set(WHOLE_BODY_ANGLES) and set(SIDES) == set(FOOT_SIDES)
