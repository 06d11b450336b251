"""What looks like a slip in a device: springs in N m per degree, angles in degrees, neutral angles that the person never has,
cuffs that hardly hold. Never an error: notes of what is worn."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from gaitwright.gait.skeleton import Skeleton
from gaitwright.model.model import Model
from gaitwright.model.scope import Scope
from gaitwright.result.result import Result
from gaitwright.wear.wearing import Put, element_of

STIFF = 2000.0
"""N m/rad: beyond, one radian of a joint would take ten times what people's joints bear; ankle orthoses have 5 to 700."""
STRONG = 200.0
"""N m: more than an ankle or a knee gives in walking."""
LARGEST = math.radians(170.0)
"""rad: angles of joints of people are smaller."""
LOOSE, TURNED = 0.05, 30.0
"""m and degrees, by which a cuff may move on a limb."""
HEAVY = 0.4
"""Of the body's mass: heavier exoskeletons stand by themselves."""
NEAR = 2.0
"""Degrees, by which a spring's rest may lie outside of what a joint does."""
SPRINGS = {"torsion-spring": ("rest_angle",), "bumper": ("lower", "upper"), "nonlinear-torsion-spring": ("rest_angle",)}


def slips(device: Model) -> list[str]:
    """What looks like a slip in the springs of a device, before it moves."""
    found = []
    for label, _, angles, stiffness in _springs(device):
        if stiffness is not None and stiffness > STIFF:
            found.append(
                f"{label} has {stiffness:.4g} N m/rad, {math.radians(stiffness):.3g} N m per degree, stiffer than orthoses: "
                f"is it {math.radians(stiffness):.3g} N m/rad?"
            )
        for field, value in angles.items():
            if field != "lower" and abs(value) > LARGEST:
                found.append(
                    f"{label} has a {field.replace('_', ' ')} of {value:.4g} rad, {math.degrees(value):.0f} degrees: no joint "
                    f"turns as far; angles are in rad, or have a unit, as in {value:.4g} deg"
                )
        standing = _at_zero(angles) * (stiffness or 0.0)
        if standing > STRONG and all(abs(value) <= LARGEST for field, value in angles.items() if field != "lower"):
            found.append(
                f"{label} already gives {standing:.3g} N m to who stands upright, where angles are 0, for its neutral angle is "
                f"{math.degrees(_at_zero(angles)):.0f} degrees off; no muscle holds that: nearer to 0, or softer"
            )
    return found


def _at_zero(angles: dict[str, float]) -> float:
    """rad, by which a spring is bent where the joint is at zero; within the play of a bumper, none."""
    if "rest_angle" in angles:
        return abs(angles["rest_angle"])
    return max(0.0, angles.get("lower", 0.0), -angles.get("upper", 0.0))


def doubts(what: Put, run: Result, skeleton: Skeleton) -> list[str]:
    """The same, and what its motion shows."""
    found = slips(what.device)
    body = sum(segment.mass for segment in skeleton.segments.values())
    if what.mass > HEAVY * body:
        found.append(
            f"the device has {what.mass:.3g} kg, and who wears it {body:.3g} kg; masses are in kg, or have a unit"
        )
    for label, entry, angles, _ in _springs(what.device):
        if entry["type"] == "torsion-spring" and entry.get("name"):
            angle = run.values(f"{entry['name']}.angle")[what.driven.first :]
            found += _never(label, angle, angles.get("rest_angle", 0.0))
        if entry["type"] == "bumper" and entry.get("name"):
            angle = run.values(f"{entry['name']}.angle")[what.driven.first :]
            found += _never_free(label, angle, angles.get("lower", -math.inf), angles.get("upper", math.inf))
    if what.stiff:
        found.append(
            f"rigid cuffs on several segments leave the joints of the device no room: {', '.join(what.stiff)} "
            f"{'is' if len(what.stiff) == 1 else 'are'} taken as stiff, 1 kN per mm"
        )
    return found + _loose(what, run)


def _springs(device: Model) -> Iterator[tuple[str, dict[str, Any], dict[str, float], float | None]]:
    """Label, entry, angles, rad, and stiffness, N m/rad, of what bends against a joint."""
    scope = Scope(device.document)
    for k, entry in enumerate(device.document.forces):
        if entry["type"] in SPRINGS:
            label = f"{entry['type']} '{entry.get('name') or k + 1}'"
            fields = {
                field: scope.number(entry[field], label, field)
                for field in (*SPRINGS[entry["type"]], "stiffness")
                if entry.get(field) is not None
            }
            yield label, entry, fields, fields.pop("stiffness", None)


def spring_stiffness(device: Model) -> list[float]:
    """N m/rad of every spring that acts about a joint."""
    return [stiffness for *_, stiffness in _springs(device) if stiffness]


def _never(label: str, angle: np.ndarray, rest: float) -> list[str]:
    low, high = np.degrees([angle.min(), angle.max()])
    if low - NEAR <= math.degrees(rest) <= high + NEAR or abs(rest) > LARGEST:
        return []
    return [
        f"{label} is at rest at {math.degrees(rest):.1f} degrees, and the joint goes from {low:.1f} to {high:.1f}: it pulls "
        "all the time"
    ]


def _never_free(label: str, angle: np.ndarray, lower: float, upper: float) -> list[str]:
    low, high = np.degrees([angle.min(), angle.max()])
    if low <= math.degrees(upper) + NEAR and high >= math.degrees(lower) - NEAR:
        return []
    return [
        f"{label} is free from {math.degrees(lower):.1f} to {math.degrees(upper):.1f} degrees, and the joint goes from "
        f"{low:.1f} to {high:.1f}: it pushes all the time; a neutral angle lies within what the joint does"
    ]


def _loose(what: Put, run: Result) -> list[str]:
    found = []
    for one in what.bound:
        if one.cuff.type == "rigid":
            continue
        name = element_of(one.cuff.name)
        shift = np.sqrt(sum(run.values(f"{name}.d{axis}")[what.driven.first :] ** 2 for axis in "xyz")).max()
        turn = np.sqrt(sum(run.values(f"{name}.e{axis}")[what.driven.first :] ** 2 for axis in "xyz")).max()
        angle = math.degrees(math.asin(min(1.0, turn)))
        if shift > LOOSE or angle > TURNED:
            found.append(
                f"cuff '{one.cuff.name}' moves {1e3 * shift:.0f} mm and turns {angle:.0f} degrees on "
                "the limb: it hardly holds; stiffer, or another cuff beside it"
            )
    return found
