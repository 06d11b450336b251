"""Quality checks of a trial: findings, each a sentence with the defect, its evidence and advice.

Every check is a function of the trial, or of the trial and one contact; add a new one to TRIAL_CHECKS or STEP_CHECKS. The
checks and their limits are documented in docs/theory/gait.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.gait.axes import crossed_side_offset
from gaitwright.gait.events import clock_shift
from gaitwright.gait.gap_filling import find_duplicate_markers
from gaitwright.gait.marker_sets import FOREFOOT_LANDMARKS, SIDE_LETTERS
from gaitwright.gait.plate_contacts import PlateContact, contacts
from gaitwright.gait.trial import GaitTrial

GRAVITY_M_PER_S2 = 9.81
SEVERITY_WRONG, SEVERITY_DOUBTFUL, SEVERITY_INFO = "wrong", "doubtful", "good to know"
MAX_CENTRE_BESIDE_FOOT_M = 0.045
"""m: largest distance of the centre of pressure from the line from heel to ball: half the foot width and the marker error."""
MAX_CENTRE_BEHIND_HEEL_M, MAX_CENTRE_BEFORE_BALL_M = 0.03, 0.10
"""m: behind the heel marker, and ahead of the ball (the toes)."""
MAX_PUSH_OFF_CENTRE_BEHIND_BALL_M = 0.020
"""m: largest distance of the centre of pressure behind the ball while the heel is up."""
MAX_FREE_MOMENT_N_M = 12.0
"""N m; it stays below 8 in walking."""


@dataclass(frozen=True)
class GaitFinding:
    """One finding. about: 'sides', 'registration', ... how_bad: wrong, doubtful or good to know. where: a plate or marker.
    value: SI."""

    about: str
    how_bad: str
    what: str
    evidence: str
    advice: str
    where: str = ""
    value: float = float("nan")

    def __str__(self) -> str:
        return f"{self.what}: {self.evidence}; {self.advice}."


def findings(trial: GaitTrial, mass: float | None = None) -> list[GaitFinding]:
    """All findings of a trial, most severe first. mass: of the person, kg, if known. Raises ModelError for an implausible
    mass."""
    if mass is not None:
        ErrorContext("subject", "mass").positive(mass, "kg")
        if not 2.0 < mass < 400.0:
            ErrorContext("subject", "mass").fail("is not that of a person", mass, "2 to 400 kg")
    steps = contacts(trial)
    if any(trial.place(f"{side}_heel") is None for side in SIDE_LETTERS):
        steps = [step for step in steps if step.near]  # the others may be those of the foot without markers
    all_findings = [finding for check in TRIAL_CHECKS for finding in check(trial)]
    all_findings += list(_check_shared_plates(steps))
    steps = [step for step in steps if not step.carries_both_feet]
    all_findings += [finding for check in STEP_CHECKS for step in steps for finding in check(trial, step)]
    all_findings += list(_check_weight(steps, mass))
    order = (SEVERITY_WRONG, SEVERITY_DOUBTFUL, SEVERITY_INFO)
    return sorted(all_findings, key=lambda finding: order.index(finding.how_bad))


def _check_sides(trial: GaitTrial) -> Iterator[GaitFinding]:
    by = crossed_side_offset(trial)
    if by is not None and by > 0.02:
        yield GaitFinding(
            "sides",
            SEVERITY_WRONG,
            "left and right are swapped, or the frame is mirrored",
            f"landmarks named right lie {1e3 * by:.0f} mm to the left of those named left, in the walking direction",
            "check in the video which leg is which: then gw.gait.swap_sides(trial) if the labels are wrong, or "
            "gw.gait.mirror_trial(trial) if the laboratory's axes are left-handed",
            value=by,
        )
    for side in ("right", "left"):
        inner, outer, heel = (trial.place(f"{side}_{name}") for name in ("mt1", "mt5", "heel"))
        if inner is None or outer is None:
            continue
        inward = float(np.nanmedian((inner - outer)[:, 1])) * (1 if side == "right" else -1)
        if inward * (-1 if by and by > 0 else 1) < -0.02:
            yield GaitFinding(
                "labels",
                SEVERITY_WRONG,
                f"the markers of the first and fifth metatarsal of the {side} foot are exchanged",
                f"the inner one lies {abs(1e3 * inward):.0f} mm outside the other",
                "exchange their labels",
                f"{side} foot",
                inward,
            )
        ahead = float(np.nanmedian((inner - heel)[:, 0])) if heel is not None else 1.0
        if ahead < 0:
            yield GaitFinding(
                "labels",
                SEVERITY_WRONG,
                f"the {side} foot points against the direction of walking",
                f"its ball lies {abs(1e3 * ahead):.0f} mm behind its heel",
                "check the labels of heel and ball, or whether the walk goes backwards",
                f"{side} foot",
                ahead,
            )


def _check_files(trial: GaitTrial) -> Iterator[GaitFinding]:
    for fault in trial.faults:
        yield GaitFinding(
            "file", SEVERITY_DOUBTFUL, "the file is not as it should be", fault, "compare it with its original"
        )
    if trial.lab.belt:
        yield GaitFinding(
            "belt",
            SEVERITY_INFO,
            "the walk is on a treadmill",
            f"its belt runs at {trial.lab.belt:.2f} m/s",
            "speeds are against the belt",
            value=trial.lab.belt,
        )


def _check_gaps(trial: GaitTrial) -> Iterator[GaitFinding]:
    points = trial.markers.to_numpy()
    lost = np.isnan(points[..., 0]).mean(axis=0)
    made = trial.filled.mean(axis=0) if trial.filled.size else 0 * lost
    used = set(trial.landmarks.values())
    for label, open_, filled in zip(trial.labels, lost, made, strict=True):
        if open_ == 1.0 and label not in used:
            continue
        if open_ > 0.0 or filled > 0.1:
            yield GaitFinding(
                "gaps",
                SEVERITY_WRONG if open_ > 0.5 and label in used else SEVERITY_DOUBTFUL,
                f"marker {label} was lost for a while",
                f"{100 * filled:.0f} % of its frames are filled in and {100 * open_:.0f} % are left open",
                "take what depends on it with care, or fill it in the program of the cameras",
                label,
                float(open_ + filled),
            )
    for one, other in find_duplicate_markers(points, trial.labels):
        yield GaitFinding(
            "labels",
            SEVERITY_DOUBTFUL,
            f"the markers {one} and {other} are one",
            "they are at the same place all the time",
            "take one of them away",
            one,
        )


RIGID_LANDMARK_PAIRS = (
    ("trochanter", "knee", 0.05), ("knee", "ankle", 0.03), ("ankle", "heel", 0.025), ("heel", "mt5", 0.025),
    ("knee", "tibia", 0.03),
)  # fmt: skip
"""Pairs of landmarks of one segment, and the allowed variation of their distance, m, from the 5th to the 95th percentile:
skin motion is largest at the thigh."""


def _check_segment_lengths(trial: GaitTrial) -> Iterator[GaitFinding]:
    for one, other, allowed in RIGID_LANDMARK_PAIRS:
        lengths = {}
        for side in ("right", "left"):
            a, b = trial.place(f"{side}_{one}"), trial.place(f"{side}_{other}")
            if a is None or b is None:
                continue
            distance = np.linalg.norm(a - b, axis=1)
            distance = distance[np.isfinite(distance)]
            if len(distance) < 10:
                continue
            lengths[side] = float(np.median(distance))
            spread = float(np.ptp(np.quantile(distance, [0.05, 0.95])))
            if spread > allowed:
                yield GaitFinding(
                    "lengths", SEVERITY_DOUBTFUL, f"the distance from {one} to {other} of the {side} leg changes",
                    f"by {1e3 * spread:.0f} mm around {1e3 * lengths[side]:.0f} mm, where up to {1e3 * allowed:.0f} mm is skin",
                    "look for a marker that was knocked, mistaken for another, or badly filled in", f"{side} {one}", spread,
                )  # fmt: skip
        if len(lengths) == 2:
            apart = lengths["right"] - lengths["left"]
            if abs(apart) > 0.03 + 0.05 * lengths["left"]:
                yield GaitFinding(
                    "lengths", SEVERITY_DOUBTFUL, f"right and left differ between {one} and {other}",
                    f"{1e3 * lengths['right']:.0f} mm right, {1e3 * lengths['left']:.0f} mm left",
                    "compare where the markers sit on both legs", one, apart,
                )  # fmt: skip


def _check_registration(trial: GaitTrial, step: PlateContact) -> Iterator[GaitFinding]:
    """Check that the force acts below the foot."""
    if not step.side or not len(step.force):
        return
    foot = f"the {step.side} foot on {step.name}"
    behind, before = -step.along, step.along - step.length
    sideways = _third_largest(np.abs(step.beside))
    advice = "do not use moments of this step; check the position of the plate in the program of the cameras"
    if _third_largest(behind) > MAX_CENTRE_BEHIND_HEEL_M:
        yield GaitFinding(
            "registration",
            SEVERITY_WRONG,
            f"the force of {foot} does not act under it",
            f"its centre of pressure lies {1e3 * behind.min():.0f} to {1e3 * behind.max():.0f} mm behind the heel",
            advice,
            step.name,
            float(behind.max()),
        )
    if _third_largest(before) > MAX_CENTRE_BEFORE_BALL_M:
        yield GaitFinding(
            "registration",
            SEVERITY_WRONG,
            f"the force of {foot} does not act under it",
            f"its centre of pressure is up to {1e3 * before.max():.0f} mm before the ball of the foot",
            advice,
            step.name,
            float(before.max()),
        )
    if sideways > MAX_CENTRE_BESIDE_FOOT_M:
        light = step.force < 150.0
        only = bool(light.any() and _third_largest(np.abs(step.beside[~light])) <= MAX_CENTRE_BESIDE_FOOT_M)
        yield GaitFinding(
            "registration",
            SEVERITY_DOUBTFUL if only else SEVERITY_WRONG,
            f"the force of {foot} acts beside it",
            f"its centre of pressure is up to {1e3 * sideways:.0f} mm beside the line from heel to ball"
            + (", at light loads only: the moments of the plate have an offset" if only else ""),
            "set the plate to zero before the trial; leave out the first and the last instants" if only else advice,
            step.name,
            sideways,
        )
    up = (step.lifted > 0.03) & (step.force > 200.0)
    if up.sum() > 5 and _third_largest(behind) <= MAX_CENTRE_BEHIND_HEEL_M:
        short = -float(np.median(before[up]))
        if short > MAX_PUSH_OFF_CENTRE_BEHIND_BALL_M:
            yield GaitFinding(
                "registration",
                SEVERITY_WRONG,
                f"the force of {foot} acts too far back at push-off",
                f"its centre of pressure lies {1e3 * short:.0f} mm behind the ball of the foot when the heel is up",
                "look whether the toes were on the plate: if so, its position or its zero is wrong; if not, leave the step out",
                step.name,
                short,
            )


def _check_free_moment(trial: GaitTrial, step: PlateContact) -> Iterator[GaitFinding]:
    largest = _third_largest(np.abs(step.free_moment))
    if largest > MAX_FREE_MOMENT_N_M:
        usual = float(np.median(step.free_moment))
        yield GaitFinding(
            "free moment",
            SEVERITY_WRONG,
            f"{step.name} shows a free moment that no foot makes",
            f"{largest:.1f} N m, {usual:+.1f} N m in the middle, where walking has less than 8",
            "set the plate to zero, and check its channel Mz; rotations of the leg are wrong with it",
            step.name,
            largest,
        )


def _check_plate_strike(trial: GaitTrial, step: PlateContact) -> Iterator[GaitFinding]:
    """Check that the whole foot is on the plate."""
    corners = trial.plates[step.plate].corners
    if corners is not None and step.side and len(step.times):
        heel, ball = (
            trial.place(*names)
            for names in ((f"{step.side}_heel",), tuple(f"{step.side}_{n}" for n in FOREFOOT_LANDMARKS))
        )
        assert heel is not None and ball is not None
        middle = int(np.argmin(np.abs(trial.times - np.median(step.times))))
        toe = ball[middle] + 0.35 * (ball[middle] - heel[middle])
        out = max(_distance_outside_plate(corners, place) for place in (heel[middle], toe))
        if out > 0.01:
            yield GaitFinding(
                "partial strike",
                SEVERITY_WRONG,
                f"the {step.side} foot is only partly on {step.name}",
                f"heel or toes are {1e3 * out:.0f} mm over its edge",
                "leave the step out",
                step.name,
                out,
            )
    if not step.whole and len(step.force) and step.force.max() > 100:
        which = "begins" if step.cut_start else "ends"
        yield GaitFinding(
            "cut step",
            SEVERITY_INFO,
            f"the trial {which} while the {step.side} foot is on {step.name}".replace("  ", " "),
            f"from {step.start:.2f} to {step.end:.2f} s are there",
            "the step has no complete cycle",
            step.name,
        )


def _check_shared_plates(steps: list[PlateContact]) -> Iterator[GaitFinding]:
    shared: dict[str, list[PlateContact]] = {}
    for step in steps:
        if step.carries_both_feet:
            shared.setdefault(step.name, []).append(step)
    for name, own in shared.items():
        times = ", ".join(f"from {step.start:.2f} to {step.end:.2f} s" for step in own[:3])
        yield GaitFinding(
            "shared plate", SEVERITY_DOUBTFUL, f"{name} carries both feet",
            f"{times}{' ..' if len(own) > 3 else ''} its force acts under one foot and then under the other",
            "its first strike and last off are used, but not its forces: there are no moments in this time", name,
            float(len(own)),
        )  # fmt: skip


def estimate_weight(steps: list[PlateContact]) -> float | None:
    """Weight, N: over a stride of a steady walk, the impulses of both feet carry the weight: (I_left + I_right) / T.
    Median over all strides with two complete contacts, one of each foot; None if there is none."""
    good = [step for step in steps if step.near and step.side and not step.cut_start and not step.carries_both_feet]
    weights = []
    for one, other, third in zip(good, good[1:], good[2:], strict=False):
        if one.side == third.side != other.side and one.whole and other.whole:
            impulse = sum(float(np.trapezoid(step.force, step.times)) for step in (one, other))
            weights.append(impulse / (third.start - one.start))
    return float(np.median(weights)) if weights else None


def _check_weight(steps: list[PlateContact], mass: float | None) -> Iterator[GaitFinding]:
    carried = estimate_weight(steps)
    weight = mass * GRAVITY_M_PER_S2 if mass else carried
    if carried and mass and abs(carried / (mass * GRAVITY_M_PER_S2) - 1) > 0.05:
        yield GaitFinding(
            "weight",
            SEVERITY_WRONG,
            "the plates do not carry the weight of the person",
            f"over a stride they carry {carried:.0f} N, but {mass:g} kg weigh {mass * GRAVITY_M_PER_S2:.0f} N",
            "check the mass, and whether the plates were calibrated and zeroed",
            value=carried,
        )
    elif carried and not mass:
        yield GaitFinding(
            "weight",
            SEVERITY_INFO,
            "the plates carry a person",
            f"of {carried / GRAVITY_M_PER_S2:.1f} kg, by the mean force over a stride",
            "compare it with the scales",
            value=carried,
        )
    for step in steps:
        up = step.lifted > 0.005
        late = step.force[up]
        # only steps that include the push-off peak; a step that ends before gives no evidence
        if not weight or not step.near or up.sum() < 20 or int(np.argmax(late)) >= len(late) - 5:
            continue
        if late.max() < 0.9 * weight:
            yield GaitFinding(
                "partial strike",
                SEVERITY_WRONG,
                f"a part of the push-off of the {step.side} foot is not on {step.name}",
                f"it peaks at {100 * late.max() / weight:.0f} % of the weight, where walking has 100 to 125 %",
                "look whether the foot reached over the edge, and leave the step out",
                step.name,
                float(late.max() / weight),
            )


def _third_largest(values: np.ndarray) -> float:
    """Third largest value, because two samples can be noise; 0 without values."""
    values = np.sort(values[np.isfinite(values)])
    return float(values[-min(3, len(values))]) if len(values) else 0.0


def _distance_outside_plate(corners: np.ndarray, place: np.ndarray) -> float:
    """Horizontal distance of a point outside a plate, m; 0 inside."""
    middle = corners[:, :2].mean(axis=0)
    out = 0.0
    for a, b in zip(corners[:, :2], np.roll(corners[:, :2], -1, axis=0), strict=True):
        normal = np.array([b[1] - a[1], a[0] - b[0]]) / np.linalg.norm(b - a)
        normal = normal if normal @ (a - middle) > 0 else -normal
        out = max(out, float(normal @ (place[:2] - a)))
    return out


def _check_clock(trial: GaitTrial) -> Iterator[GaitFinding]:
    shift = clock_shift(trial)
    if shift is not None:
        yield GaitFinding(
            "clock",
            SEVERITY_WRONG,
            "the forces and the markers have different clocks",
            f"strikes and offs of the forces are {1e3 * abs(shift):.0f} ms {'later' if shift > 0 else 'earlier'} than those of "
            "the markers",
            "shift one of the files; the events here are those of the markers, and moments are wrong",
            value=shift,
        )


TRIAL_CHECKS = (_check_sides, _check_files, _check_gaps, _check_segment_lengths, _check_clock)
STEP_CHECKS = (_check_registration, _check_free_moment, _check_plate_strike)
