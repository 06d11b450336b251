"""What is wrong with a trial, said before any result: findings, each in a sentence with its evidence and advice.

Every check is a function of the trial alone; a new one is a further function in CHECKS. What they look for, and the limits, are
in docs/theory/gait.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gaitwright.checks import At
from gaitwright.gait.axes import crossed_sides
from gaitwright.gait.gaps import twins
from gaitwright.gait.marker_sets import FOREFOOT
from gaitwright.gait.steps import Contact, contacts
from gaitwright.gait.trial import Trial

GRAVITY = 9.81
WRONG, DOUBTFUL, KNOW = "wrong", "doubtful", "good to know"
BESIDE = 0.045
"""m, beside the line from heel to ball that a force of a foot can act: half its width and the error of markers."""
BEHIND, BEFORE = 0.03, 0.10
"""m, behind the heel marker, and before the ball, where toes are."""
PUSH_OFF = 0.020
"""m, by which the force may act behind the ball when the heel is up."""
FREE_MOMENT = 12.0
"""N m; in walking it stays below 8."""


@dataclass(frozen=True)
class Finding:
    """about: 'sides', 'registration', ... how_bad: wrong, doubtful or good to know. where: a plate, a marker. value: in SI."""

    about: str
    how_bad: str
    what: str
    evidence: str
    advice: str
    where: str = ""
    value: float = float("nan")

    def __str__(self) -> str:
        return f"{self.what}: {self.evidence}; {self.advice}."


def findings(trial: Trial, mass: float | None = None) -> list[Finding]:
    """All findings, the worst first. mass: of the person, kg, if known."""
    if mass is not None:
        At("subject", "mass").positive(mass, "kg")
        if not 2.0 < mass < 400.0:
            At("subject", "mass").fail("is not that of a person", mass, "2 to 400 kg")
    steps = contacts(trial)
    found = [finding for check in CHECKS for finding in check(trial)]
    found += [finding for check in STEP_CHECKS for step in steps for finding in check(trial, step)]
    found += list(_weight(steps, mass))
    order = (WRONG, DOUBTFUL, KNOW)
    return sorted(found, key=lambda finding: order.index(finding.how_bad))


def _sides(trial: Trial) -> Iterator[Finding]:
    by = crossed_sides(trial)
    if by is not None and by > 0.02:
        yield Finding(
            "sides", WRONG, "left and right are swapped, or the frame is mirrored",
            f"what is called right lies {1e3 * by:.0f} mm to the left of what is called left, for the person who walks",
            "check in the video which leg is which: then gait.swapped(trial) if the labels are wrong, or "
            "gait.mirrored(trial) if the laboratory's axes are left-handed",
            value=by,
        )  # fmt: skip
    for side in ("right", "left"):
        inner, outer, heel = (trial.place(f"{side}_{name}") for name in ("mt1", "mt5", "heel"))
        if inner is None or outer is None:
            continue
        inward = float(np.nanmedian((inner - outer)[:, 1])) * (1 if side == "right" else -1)
        if inward * (-1 if by and by > 0 else 1) < -0.02:
            yield Finding(
                "labels", WRONG, f"the markers of the first and fifth metatarsal of the {side} foot are exchanged",
                f"the inner one lies {abs(1e3 * inward):.0f} mm outside the other", "exchange their labels",
                f"{side} foot", inward,
            )  # fmt: skip
        ahead = float(np.nanmedian((inner - heel)[:, 0])) if heel is not None else 1.0
        if ahead < 0:
            yield Finding(
                "labels", WRONG, f"the {side} foot points against the direction of walking",
                f"its ball lies {abs(1e3 * ahead):.0f} mm behind its heel",
                "check the labels of heel and ball, or whether the walk goes backwards", f"{side} foot", ahead,
            )  # fmt: skip


def _files(trial: Trial) -> Iterator[Finding]:
    for fault in trial.faults:
        yield Finding("file", DOUBTFUL, "the file is not as it should be", fault, "compare it with its original")
    if trial.lab.belt:
        yield Finding(
            "belt", KNOW, "the walk is on a treadmill", f"its belt runs at {trial.lab.belt:.2f} m/s",
            "speeds are against the belt", value=trial.lab.belt,
        )  # fmt: skip


def _gaps(trial: Trial) -> Iterator[Finding]:
    points = trial.markers.to_numpy()
    lost = np.isnan(points[..., 0]).mean(axis=0)
    made = trial.filled.mean(axis=0) if trial.filled.size else 0 * lost
    used = set(trial.landmarks.values())
    for label, open_, filled in zip(trial.labels, lost, made, strict=True):
        if open_ == 1.0 and label not in used:
            continue
        if open_ > 0.0 or filled > 0.1:
            yield Finding(
                "gaps", WRONG if open_ > 0.5 and label in used else DOUBTFUL, f"marker {label} was lost for a while",
                f"{100 * filled:.0f} % of its frames are filled in and {100 * open_:.0f} % are left open",
                "take what depends on it with care, or fill it in the program of the cameras", label, float(open_ + filled),
            )  # fmt: skip
    for one, other in twins(points, trial.labels):
        yield Finding(
            "labels", DOUBTFUL, f"the markers {one} and {other} are one", "they are at the same place all the time",
            "take one of them away", one,
        )  # fmt: skip


PAIRS = (
    ("trochanter", "knee", 0.05), ("knee", "ankle", 0.03), ("ankle", "heel", 0.025), ("heel", "mt5", 0.025),
    ("knee", "tibia", 0.03),
)  # fmt: skip
"""Landmarks of one segment, and how much their distance may vary, m, from the 5th to the 95th percentile: skin moves most
at the thigh."""


def _segments(trial: Trial) -> Iterator[Finding]:
    for one, other, allowed in PAIRS:
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
                yield Finding(
                    "lengths", DOUBTFUL, f"the distance from {one} to {other} of the {side} leg changes",
                    f"by {1e3 * spread:.0f} mm around {1e3 * lengths[side]:.0f} mm, where up to {1e3 * allowed:.0f} mm is skin",
                    "look for a marker that was knocked, mistaken for another, or badly filled in", f"{side} {one}", spread,
                )  # fmt: skip
        if len(lengths) == 2:
            apart = lengths["right"] - lengths["left"]
            if abs(apart) > 0.03 + 0.05 * lengths["left"]:
                yield Finding(
                    "lengths", DOUBTFUL, f"right and left differ between {one} and {other}",
                    f"{1e3 * lengths['right']:.0f} mm right, {1e3 * lengths['left']:.0f} mm left",
                    "compare where the markers sit on both legs", one, apart,
                )  # fmt: skip


def _registration(trial: Trial, step: Contact) -> Iterator[Finding]:
    """Is the force where the foot is?"""
    if not step.side or not len(step.force):
        return
    foot = f"the {step.side} foot on {step.name}"
    behind, before = -step.along, step.along - step.length
    sideways = _worst(np.abs(step.beside))
    advice = "do not use moments of this step; check the position of the plate in the program of the cameras"
    if _worst(behind) > BEHIND:
        yield Finding(
            "registration", WRONG, f"the force of {foot} does not act under it",
            f"its centre of pressure lies {1e3 * behind.min():.0f} to {1e3 * behind.max():.0f} mm behind the heel",
            advice, step.name, float(behind.max()),
        )  # fmt: skip
    if _worst(before) > BEFORE:
        yield Finding(
            "registration", WRONG, f"the force of {foot} does not act under it",
            f"its centre of pressure is up to {1e3 * before.max():.0f} mm before the ball of the foot", advice, step.name,
            float(before.max()),
        )  # fmt: skip
    if sideways > BESIDE:
        light = step.force < 150.0
        only = bool(light.any() and _worst(np.abs(step.beside[~light])) <= BESIDE)
        yield Finding(
            "registration", DOUBTFUL if only else WRONG, f"the force of {foot} acts beside it",
            f"its centre of pressure is up to {1e3 * sideways:.0f} mm beside the line from heel to ball"
            + (", at light loads only: the moments of the plate have an offset" if only else ""),
            "set the plate to zero before the trial; leave out the first and the last instants" if only else advice,
            step.name, sideways,
        )  # fmt: skip
    up = (step.lifted > 0.03) & (step.force > 200.0)
    if up.sum() > 5 and _worst(behind) <= BEHIND:
        short = -float(np.median(before[up]))
        if short > PUSH_OFF:
            yield Finding(
                "registration", WRONG, f"the force of {foot} acts too far back at push-off",
                f"its centre of pressure lies {1e3 * short:.0f} mm behind the ball of the foot when the heel is up",
                "look whether the toes were on the plate: if so, its position or its zero is wrong; if not, leave the step out",
                step.name, short,
            )  # fmt: skip


def _free_moment(trial: Trial, step: Contact) -> Iterator[Finding]:
    largest = _worst(np.abs(step.free_moment))
    if largest > FREE_MOMENT:
        usual = float(np.median(step.free_moment))
        yield Finding(
            "free moment", WRONG, f"{step.name} shows a free moment that no foot makes",
            f"{largest:.1f} N m, {usual:+.1f} N m in the middle, where walking has less than 8",
            "set the plate to zero, and check its channel Mz; rotations of the leg are wrong with it", step.name, largest,
        )  # fmt: skip


def _strike(trial: Trial, step: Contact) -> Iterator[Finding]:
    """Did the whole foot meet the plate?"""
    corners = trial.plates[step.plate].corners
    if corners is not None and step.side and len(step.times):
        heel, ball = (
            trial.place(*names) for names in ((f"{step.side}_heel",), tuple(f"{step.side}_{n}" for n in FOREFOOT))
        )
        assert heel is not None and ball is not None
        middle = int(np.argmin(np.abs(trial.times - np.median(step.times))))
        toe = ball[middle] + 0.35 * (ball[middle] - heel[middle])
        out = max(_outside(corners, place) for place in (heel[middle], toe))
        if out > 0.01:
            yield Finding(
                "partial strike", WRONG, f"the {step.side} foot is only partly on {step.name}",
                f"heel or toes are {1e3 * out:.0f} mm over its edge", "leave the step out", step.name, out,
            )  # fmt: skip
    if not step.whole and len(step.force) and step.force.max() > 100:
        which = "begins" if step.cut_start else "ends"
        yield Finding(
            "cut step", KNOW, f"the trial {which} while the {step.side} foot is on {step.name}".replace("  ", " "),
            f"from {step.start:.2f} to {step.end:.2f} s are there", "the step has no complete cycle", step.name,
        )  # fmt: skip


def weight_of(steps: list[Contact]) -> float | None:
    """N: over a stride of a steady walk, the impulses of both feet carry the weight: (I_left + I_right) / T. The median of all
    strides with two whole contacts, one of each foot; None if there is none."""
    good = [step for step in steps if step.near and step.side and not step.cut_start]
    found = []
    for one, other, third in zip(good, good[1:], good[2:], strict=False):
        if one.side == third.side != other.side and one.whole and other.whole:
            impulse = sum(float(np.trapezoid(step.force, step.times)) for step in (one, other))
            found.append(impulse / (third.start - one.start))
    return float(np.median(found)) if found else None


def _weight(steps: list[Contact], mass: float | None) -> Iterator[Finding]:
    carried = weight_of(steps)
    weight = mass * GRAVITY if mass else carried
    if carried and mass and abs(carried / (mass * GRAVITY) - 1) > 0.05:
        yield Finding(
            "weight", WRONG, "the plates do not carry the weight of the person",
            f"over a stride they carry {carried:.0f} N, but {mass:g} kg weigh {mass * GRAVITY:.0f} N",
            "check the mass, and whether the plates were calibrated and zeroed", value=carried,
        )  # fmt: skip
    elif carried and not mass:
        yield Finding(
            "weight", KNOW, "the plates carry a person", f"of {carried / GRAVITY:.1f} kg, by the mean force over a stride",
            "compare it with the scales", value=carried,
        )  # fmt: skip
    for step in steps:
        up = step.lifted > 0.005
        late = step.force[up]
        # Only where push-off has come to its peak; a step that ends before says nothing.
        if not weight or not step.near or up.sum() < 20 or int(np.argmax(late)) >= len(late) - 5:
            continue
        if late.max() < 0.9 * weight:
            yield Finding(
                "partial strike", WRONG, f"a part of the push-off of the {step.side} foot is not on {step.name}",
                f"it peaks at {100 * late.max() / weight:.0f} % of the weight, where walking has 100 to 125 %",
                "look whether the foot reached over the edge, and leave the step out", step.name, float(late.max() / weight),
            )  # fmt: skip


def _worst(values: np.ndarray) -> float:
    """The third largest: two samples are noise."""
    values = np.sort(values[np.isfinite(values)])
    return float(values[-min(3, len(values))]) if len(values) else 0.0


def _outside(corners: np.ndarray, place: np.ndarray) -> float:
    """How far a place lies outside a plate, seen from above, m; 0 inside."""
    middle = corners[:, :2].mean(axis=0)
    out = 0.0
    for a, b in zip(corners[:, :2], np.roll(corners[:, :2], -1, axis=0), strict=True):
        normal = np.array([b[1] - a[1], a[0] - b[0]]) / np.linalg.norm(b - a)
        normal = normal if normal @ (a - middle) > 0 else -normal
        out = max(out, float(normal @ (place[:2] - a)))
    return out


CHECKS = (_sides, _files, _gaps, _segments)
STEP_CHECKS = (_registration, _free_moment, _strike)
