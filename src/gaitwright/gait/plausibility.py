"""Plausibility of results: impossible values are withheld and counted, unlikely ones are findings.

Possible joint angles are ranges of passive motion with a wide margin for the definition of axes and for moving skin (a knee
has, for example, at most 10 degrees of hyperextension and 160 of flexion). Moments and powers are limited at about twice the
largest values of sprints and landings per kilogram. All are OUR choice: bounds of what is possible, not norms.

Likely values are those of walks, healthy or not: the band of the quantity (normative_data/curves.yaml, with the source that
a finding names) with a margin of OUR choice, at least 15 degrees, 0.8 N m/kg or 2.5 W/kg. Quantities without a band have
none.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import xarray as xr

from gaitwright.gait.cycles import SIDES, Cycles
from gaitwright.gait.events import GaitEvent, body_path
from gaitwright.gait.filters import low_pass
from gaitwright.gait.marker_sets import FOREFOOT_LANDMARKS
from gaitwright.gait.normative_data import normative_band
from gaitwright.gait.spatiotemporal_table import SPATIOTEMPORAL_MEASURES, SpatiotemporalMeasure, find_footprints
from gaitwright.gait.trial_quality import SEVERITY_DOUBTFUL, SEVERITY_INFO, SEVERITY_WRONG, GaitFinding

if TYPE_CHECKING:
    from gaitwright.gait.motion import SkeletonMotion
    from gaitwright.gait.plate_contacts import PlateContact
    from gaitwright.gait.trial import GaitTrial

MOMENT_JOINTS = ("hip", "knee", "ankle", "lumbar")


class HumanRange(NamedTuple):
    """possible: smallest and largest possible value. likely: of walks, healthy or not; outside it a value is doubtful."""

    possible: tuple[float, float]
    likely: tuple[float, float] = (-math.inf, math.inf)


PLAUSIBLE_ANGLES_DEG = {
    "hip_flexion": HumanRange((-60.0, 150.0), (-40.0, 70.0)),
    "hip_adduction": HumanRange((-80.0, 60.0), (-30.0, 30.0)),
    "hip_rotation": HumanRange((-80.0, 80.0), (-50.0, 50.0)),
    "knee_flexion": HumanRange((-30.0, 165.0), (-25.0, 95.0)),
    "knee_adduction": HumanRange((-45.0, 45.0)),
    "knee_rotation": HumanRange((-70.0, 70.0)),
    "ankle_dorsiflexion": HumanRange((-85.0, 65.0), (-60.0, 40.0)),
    "ankle_inversion": HumanRange((-60.0, 60.0)),
    "ankle_rotation": HumanRange((-80.0, 80.0)),
    "pelvis_tilt": HumanRange((-60.0, 90.0), (-15.0, 40.0)),
    "pelvis_obliquity": HumanRange((-50.0, 50.0), (-25.0, 25.0)),
    "trunk_flexion": HumanRange((-70.0, 130.0)),
    "trunk_bending": HumanRange((-70.0, 70.0)),
    "trunk_rotation": HumanRange((-90.0, 90.0)),
}
"""Joint angles, deg, by name without the side."""
PLAUSIBLE_MOMENTS = {
    "hip_moment": HumanRange((-12.0, 12.0), (-3.0, 3.0)),
    "knee_moment": HumanRange((-12.0, 12.0), (-2.0, 2.5)),
    "ankle_moment": HumanRange((-12.0, 12.0), (-1.5, 3.0)),
    **dict.fromkeys((f"{joint}_moment_frontal" for joint in MOMENT_JOINTS), HumanRange((-8.0, 8.0))),
    **dict.fromkeys((f"{joint}_moment_transverse" for joint in MOMENT_JOINTS), HumanRange((-4.0, 4.0))),
    "hip_power": HumanRange((-80.0, 80.0), (-5.0, 6.0)),
    "knee_power": HumanRange((-80.0, 80.0), (-7.0, 5.0)),
    "ankle_power": HumanRange((-80.0, 80.0), (-5.0, 9.0)),
    "lumbar_moment": HumanRange((-12.0, 12.0)),
    "lumbar_power": HumanRange((-80.0, 80.0)),
}
"""Moments, N m/kg, and powers, W/kg, by name without the side."""
MIN_UNLIKELY_SAMPLES = 3
"""Samples outside the likely range above which a quantity is doubtful: fewer can be noise."""
MAX_FRAME_RESIDUAL_M = 0.1
"""m: RMS distance of the markers of a segment from their places in one frame, above which its pose is wrong."""
MAX_WITHHELD_FRAME_RATIO = 0.2
"""Share of impossible frames above which a quantity is withheld altogether."""
MAX_LIKELY_ASYMMETRY_PERCENT = 30.0
MAX_STRIDE_TO_BODY_RATIO, MAX_STRIDE_TO_BODY_M = 0.25, 0.15
"""Largest difference between the length of a stride and the way of the body during it, relative and in m."""
MIN_STEPPING_RANGE_M = 0.15
"""m: a foot that moves less all the time does not step."""
MAX_HEADING_CHANGE_DEG, MAX_CLIMB_M = 45.0, 0.25
MAX_JUMP_DELAY_S = 0.06
"""s: feet that leave and reach the ground within this time of each other jump."""
MAX_REMOVED_PEAK_RATIO = 0.05
"""Share of a peak force above which its loss by the filter is a finding."""


def mask_impossible_angles(
    angles: xr.Dataset, motion: SkeletonMotion
) -> tuple[xr.Dataset, dict[str, np.ndarray], list[GaitFinding]]:
    """Angles without impossible values, masks (time,) of the withheld frames by joint, and findings. If one angle of a joint
    is impossible, or its segments are far from their markers, all angles of the joint are withheld."""
    masks: dict[str, np.ndarray] = {}
    worst: dict[str, tuple[str, float]] = {}
    far = _far_segments(motion)
    joints = {str(name): str(one.attrs["joint"]) for name, one in angles.items()}
    for name, joint in joints.items():
        values = np.degrees(angles[name].to_numpy())
        low, high = _plausible_range(PLAUSIBLE_ANGLES_DEG, name).possible
        with np.errstate(invalid="ignore"):
            wrong = (values < low) | (values > high)
        masks[joint] = masks.get(joint, np.zeros(len(values), dtype=bool)) | wrong
        if wrong.any():
            extreme = float(values[wrong][np.argmax(np.abs(values[wrong]))])
            if abs(extreme) > abs(worst.get(joint, ("", 0.0))[1]):
                worst[joint] = name, extreme
    for joint in masks:
        if joint in motion.skeleton.joints:
            bones = motion.skeleton.joints[joint].parent, motion.skeleton.joints[joint].child
            masks[joint] |= far[bones[0]] | far[bones[1]]
        elif joint in far:
            masks[joint] |= far[joint]
    rows = []
    for joint, mask in masks.items():
        share = float(mask.mean())
        if not share:
            continue
        if share > MAX_WITHHELD_FRAME_RATIO:
            mask[:] = True
        name, extreme = worst.get(joint, ("", np.nan))
        why = (
            f"{name.replace('_', ' ')} would be {extreme:.0f} degrees"
            if name
            else "its markers are far from the skeleton"
        )
        part = "all" if mask.all() else f"{100 * share:.0f} % of the"
        rows.append(
            GaitFinding(
                "impossible", SEVERITY_WRONG, f"impossible angles of the {joint.replace('_', ' ')} are withheld",
                f"{why}; {part} frames are left out", "look for exchanged, lost or mistaken markers", joint, share,
            )
        )  # fmt: skip
    plausible = {
        name: one.where(~masks[joints[str(name)]]) for name, one in angles.items() if not masks[joints[str(name)]].all()
    }
    return xr.Dataset(plausible, angles.coords, angles.attrs), masks, rows


def mask_impossible_moments(moments: xr.Dataset, masks: dict[str, np.ndarray]) -> tuple[xr.Dataset, list[GaitFinding]]:
    """Moments, powers and forces of joints without impossible values, and without frames whose angles are withheld (masks, by
    joint)."""
    joints = {str(name): _joint_of(str(name)) for name in moments.data_vars}
    own = {joint: masks.get(joint, np.zeros(moments.sizes["time"], dtype=bool)).copy() for joint in joints.values()}
    worst: dict[str, tuple[str, float, str]] = {}
    for name, joint in joints.items():
        if not joint or _name_without_side(name) not in PLAUSIBLE_MOMENTS:
            continue
        values = moments[name].to_numpy()
        low, high = _plausible_range(PLAUSIBLE_MOMENTS, name).possible
        with np.errstate(invalid="ignore"):
            wrong = (values < low) | (values > high)
        own[joint] |= wrong
        if wrong.any() and joint not in worst:
            extreme = float(values[wrong][np.argmax(np.abs(values[wrong]))])
            worst[joint] = name, extreme, str(moments[name].attrs["units"])
    rows, plausible = [], {}
    for joint, (name, extreme, unit) in worst.items():
        share = float(own[joint].mean())
        if share > MAX_WITHHELD_FRAME_RATIO:
            own[joint][:] = True
        part = "all" if own[joint].all() else f"{100 * share:.0f} % of the"
        rows.append(
            GaitFinding(
                "impossible", SEVERITY_WRONG, f"impossible moments of the {joint.replace('_', ' ')} are withheld",
                f"{name.replace('_', ' ')} would be {extreme:.3g} {unit}; {part} frames are left out",
                "check units, axes and clock of the forces, and the mass of the person", joint, share,
            )
        )  # fmt: skip
    for name, one in moments.data_vars.items():
        mask = own.get(joints[str(name)])
        if mask is None or not joints[str(name)]:
            plausible[name] = one
        elif not mask.all():
            plausible[name] = one.where(xr.DataArray(~mask, dims="time"))
    return xr.Dataset(plausible, moments.coords, moments.attrs), rows


def check_walking_ranges(angles: xr.Dataset, moments: xr.Dataset | None) -> Iterator[GaitFinding]:
    """Findings about angles, moments and powers of a walk that are possible, but outside the likely range."""
    for data, ranges, scale in ((angles, PLAUSIBLE_ANGLES_DEG, 180.0 / np.pi), (moments, PLAUSIBLE_MOMENTS, 1.0)):
        for name, one in data.data_vars.items() if data is not None else ():
            low, high = _plausible_range(ranges, str(name)).likely
            values = scale * one.to_numpy()
            outside = values[(values < low) | (values > high)]
            band = normative_band(_name_without_side(str(name)))
            if len(outside) < MIN_UNLIKELY_SAMPLES or band is None:
                continue
            extreme = float(outside[np.argmax(np.abs(outside))])
            yield GaitFinding(
                "unlikely", SEVERITY_DOUBTFUL,
                f"the {str(name).replace('_', ' ')} is unusual even for a pathological walk",
                f"it reaches {extreme:.3g} {band.unit}, where walks have {low:g} to {high:g} (usual: "
                f"{band.low.min():g} to {band.high.max():g}, {band.source})",
                "check the markers of the joint, and units and clock of the forces" if data is moments
                else "check the markers of the joint and the static trial",
                str(name), extreme,
            )  # fmt: skip


def check_table(
    table: dict[str, SpatiotemporalMeasure], running: bool
) -> tuple[dict[str, SpatiotemporalMeasure], list[GaitFinding]]:
    """The table without impossible values, and findings about those and about unlikely ones."""
    rows, plausible = [], {}
    for name, row in table.items():
        values = [one.mean for one in (row.right, row.left) if one.count]
        text = f"{name.replace('_', ' ')} would be {', '.join(f'{value:.3g}' for value in values)} {row.unit}"
        low, high = SPATIOTEMPORAL_MEASURES[name].possible
        if not all(low <= value <= high for value in values):
            advice = "check the unit, the rate and the labels of the feet"
            rows.append(GaitFinding("impossible", SEVERITY_WRONG, f"an impossible {name.replace('_', ' ')} is withheld",
                                    f"{text}, where people have {low:g} to {high:g}", advice, name))  # fmt: skip
            continue
        plausible[name] = row
        if running:
            continue
        low, high = SPATIOTEMPORAL_MEASURES[name].likely
        if not all(low <= value <= high for value in values):
            rows.append(
                GaitFinding(
                    "unlikely", SEVERITY_DOUBTFUL, f"the {name.replace('_', ' ')} is unusual even for a pathological walk",
                    f"it is {', '.join(f'{value:.3g}' for value in values)} {row.unit}, where walks have {low:g} to {high:g}",
                    "check the events", name,
                )
            )  # fmt: skip
        elif name in ("stance", "step_time", "stride_time") and abs(row.asymmetry) > MAX_LIKELY_ASYMMETRY_PERCENT:
            rows.append(
                GaitFinding(
                    "unlikely", SEVERITY_DOUBTFUL, f"the {name.replace('_', ' ')} of both sides differs unusually",
                    f"by {row.asymmetry:.0f} %", "check the events of both feet", name, row.asymmetry,
                )
            )  # fmt: skip
    return plausible, rows


def doubtful_strides(trial: GaitTrial, events: list[GaitEvent]) -> list[tuple[str, float, float, str]]:
    """Strides whose length differs from the way of the body: side, start, end, s, and a sentence."""

    body = body_path(trial)
    has_pelvis = trial.place("sacrum", *(f"{side}_{name}" for side in SIDES for name in ("asis", "psis", "hip_centre")))
    if body is None or has_pelvis is None:
        return []
    rows = []
    prints = find_footprints(trial, [event for event in events if event.kind == "strike"])
    for side in SIDES:
        for one, other in pairwise(p for p in prints if p.side == side):
            length = float(np.linalg.norm(other.place - one.place))
            ends = [np.array([np.interp(t, trial.times, c) for c in body[:, :2].T]) for t in (one.time, other.time)]
            way = ends[1] - ends[0] + [trial.lab.belt * (other.time - one.time), 0.0]
            way = float(np.linalg.norm(way))
            if abs(length - way) > max(MAX_STRIDE_TO_BODY_M, MAX_STRIDE_TO_BODY_RATIO * way):
                when = f"from {one.time:.2f} to {other.time:.2f} s"
                text = f"the {side} stride {when} is {length:.2f} m long, but the body moves {way:.2f} m"
                rows.append((side, one.time, other.time, text))
    return rows


def check_movement(trial: GaitTrial, events: list[GaitEvent], cycles: Cycles) -> Iterator[GaitFinding]:
    """Findings about a trial that is not a straight, level walk."""
    advice = "its numbers are those of this movement, not of a walk"
    feet = [
        foot
        for side in SIDES
        if (foot := trial.place(*(f"{side}_{n}" for n in ("heel", *FOREFOOT_LANDMARKS)))) is not None
    ]
    if not feet:
        yield GaitFinding(
            "movement", SEVERITY_DOUBTFUL, "no feet are known", f"no heel or toe is among {', '.join(trial.labels[:8])} ..",
            "name them by --markers with lines such as `right_heel: label`",
        )  # fmt: skip
        return
    ranges = [float(np.ptp(np.nanquantile(foot, [0.02, 0.98], axis=0), axis=0).max()) for foot in feet]
    if max(ranges) < MIN_STEPPING_RANGE_M:
        yield GaitFinding(
            "movement", SEVERITY_DOUBTFUL, "this is no walk: the person stands",
            f"the feet move by {100 * max(ranges):.0f} cm at most", "use it as the static trial of a walk (--static)",
        )  # fmt: skip
        return
    if len(feet) == 2 and min(ranges) < MIN_STEPPING_RANGE_M:
        yield GaitFinding(
            "movement", SEVERITY_DOUBTFUL, "this is no walk: one foot stays where it is",
            f"it moves by {100 * min(ranges):.0f} cm", advice,
        )  # fmt: skip
        return
    if any(cycle.flight for cycle in cycles.all):
        yield GaitFinding(
            "movement", SEVERITY_INFO, "this is a run", "both feet are in the air between the steps",
            "the usual ranges are those of walks",
        )  # fmt: skip
    elif _jumps(events):
        yield GaitFinding("movement", SEVERITY_DOUBTFUL, "this is no walk: both feet leave the ground together",
                          "their offs and strikes are simultaneous, as in a jump", advice)  # fmt: skip
    elif not cycles.all and not any(event.kind == "strike" for event in events):
        yield GaitFinding(
            "movement", SEVERITY_DOUBTFUL, "no step was recognised", "the feet move, but not as in a walk", advice
        )
    yield from _check_path(trial)


def check_event_order(events: list[GaitEvent]) -> Iterator[GaitFinding]:
    """Findings about feet whose strikes and toe-offs do not alternate, or that have none, though the other foot steps."""
    for side in SIDES if events else ():
        kinds = [event.kind for event in sorted(events, key=lambda event: event.time) if event.side == side]
        if kinds and all(one != other for one, other in pairwise(kinds)):
            continue
        yield GaitFinding(
            "events", SEVERITY_DOUBTFUL, f"steps of the {side} foot are missing",
            f"it has {_count(kinds.count('strike'), 'strike')} and {_count(kinds.count('off'), 'toe-off')}"
            + (", which do not alternate" if kinds else ""),
            "check the markers of this foot; cycles without all events are left out", f"{side} foot",
        )  # fmt: skip


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def is_run(cycles: Cycles) -> bool:
    return any(cycle.flight for cycle in cycles.all)


def check_filter(trial: GaitTrial, steps: list[PlateContact], cutoff: float) -> Iterator[GaitFinding]:
    """Finding if the filter takes away more than a twentieth of a peak of force."""
    removed = []
    for step in steps:
        plate = trial.plates[step.plate]
        if not step.whole or cutoff >= 0.5 * plate.rate:
            continue
        raw = plate.force[:, 2]
        inside = slice(*np.searchsorted(plate.times + float(trial.times[0]), (step.start, step.end)))
        if inside.stop - inside.start > 10 and raw[inside].max() > 200.0:
            removed.append(1.0 - low_pass(raw, plate.rate, cutoff)[inside].max() / raw[inside].max())
    if removed and max(removed) > MAX_REMOVED_PEAK_RATIO:
        yield GaitFinding(
            "filter", SEVERITY_DOUBTFUL, "the filter removes a part of the peaks of force",
            f"{100 * max(removed):.0f} % of the largest peak at {cutoff:g} Hz", "choose a higher --cutoff for fast movements",
            value=float(max(removed)),
        )  # fmt: skip


def _check_path(trial: GaitTrial) -> Iterator[GaitFinding]:
    body = body_path(trial)
    right, left = (trial.place(*(f"{side}_{name}" for name in ("asis", "psis", "hip_centre"))) for side in SIDES)
    if right is not None and left is not None:
        across = left - right
        good = np.isfinite(across).all(axis=1)
        heading = np.degrees(np.unwrap(np.arctan2(-across[good, 0], across[good, 1])))
        if len(heading) > 10 and (turned := float(np.ptp(np.quantile(heading, [0.02, 0.98])))) > MAX_HEADING_CHANGE_DEG:
            yield GaitFinding(
                "movement", SEVERITY_DOUBTFUL, "the person turns", f"the pelvis turns by {turned:.0f} degrees",
                "pelvis and foot angles refer to one direction; use the straight part of the walk", value=turned,
            )  # fmt: skip
    if body is None:
        return
    height = body[np.isfinite(body[:, 2]), 2]
    climbed = (
        float(np.median(height[-len(height) // 5 :]) - np.median(height[: max(1, len(height) // 5)]))
        if len(height)
        else 0.0
    )
    if abs(climbed) > MAX_CLIMB_M:
        way = "up" if climbed > 0 else "down"
        yield GaitFinding(
            "movement", SEVERITY_DOUBTFUL, f"the walk goes {way}, as on stairs or a ramp",
            f"the body ends {100 * abs(climbed):.0f} cm {'higher' if climbed > 0 else 'lower'} than it begins",
            "forces without plates and the usual ranges are those of level walks", value=climbed,
        )  # fmt: skip


def _jumps(events: list[GaitEvent]) -> bool:
    times = {
        kind: {side: [e.time for e in events if (e.kind, e.side) == (kind, side)] for side in SIDES}
        for kind in ("strike", "off")
    }
    return all(
        own["right"] and own["left"]
        and all(min(abs(t - other) for other in own["left"]) < MAX_JUMP_DELAY_S for t in own["right"])
        for own in times.values()
    )  # fmt: skip


def _plausible_range(ranges: Mapping[str, HumanRange], name: str) -> HumanRange:
    return ranges.get(_name_without_side(name), HumanRange((-math.inf, math.inf)))


def _name_without_side(name: str) -> str:
    side, _, rest = name.partition("_")
    return rest if side in SIDES else name


def _far_segments(motion: SkeletonMotion) -> dict[str, np.ndarray]:
    """(time,) by segment: True where its markers are far from their places."""
    names = [str(label) for label in motion.residual["marker"].to_numpy()]
    far = {}
    for name, segment in motion.skeleton.segments.items():
        own = [names.index(label) for label in segment.markers if label in names]
        squares = np.square(motion.residual.to_numpy()[:, own])
        seen = np.isfinite(squares)
        mean = np.where(seen.any(axis=1), np.nansum(squares, axis=1) / np.maximum(1, seen.sum(axis=1)), 0.0)
        far[name] = np.sqrt(mean) > MAX_FRAME_RESIDUAL_M
    return far


def _joint_of(name: str) -> str:
    """Joint of a quantity: right_knee_moment_frontal -> right_knee; '' for residuals."""
    for joint in ("right_hip", "right_knee", "right_ankle", "left_hip", "left_knee", "left_ankle", "lumbar"):
        if name.startswith(f"{joint}_"):
            return joint
    return ""
