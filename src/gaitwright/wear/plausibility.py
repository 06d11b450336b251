"""Warnings about implausible devices: springs in N m per degree, angles in degrees, neutral angles that the person never
reaches, loose cuffs. They become notes of the result, never errors."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from gaitwright.gait.skeleton import HumanSkeleton
from gaitwright.model.model import Model, compile_model
from gaitwright.result.result import Result
from gaitwright.wear.device_assembly import DeviceAssembly, cuff_element_name

MAX_SPRING_STIFFNESS_N_M_PER_RAD = 2000.0
"""N m/rad: above it, one radian would need ten times the moment of human joints; ankle orthoses have 5 to 700."""
MAX_STANDING_MOMENT_N_M = 200.0
"""N m: more than the moment of an ankle or a knee in walking."""
MAX_JOINT_ANGLE_RAD = math.radians(170.0)
"""rad: upper bound of human joint angles."""
MAX_CUFF_SHIFT_M, MAX_CUFF_ROTATION_DEG = 0.05, 30.0
"""m and degrees: largest plausible motion of a cuff on a limb."""
MAX_DEVICE_MASS_RATIO = 0.4
"""Device mass over body mass: heavier exoskeletons carry their own weight."""
REST_ANGLE_MARGIN_DEG = 2.0
"""Degrees: tolerance by which a spring's rest angle may lie outside the range of the joint."""
SPRING_ANGLE_FIELDS = {
    "torsion-spring": ("rest_angle",),
    "bumper": ("lower", "upper"),
    "nonlinear-torsion-spring": ("rest_angle",),
}


def spring_warnings(device: Model) -> list[str]:
    """Warnings about the springs of a device that need no simulation."""
    warnings = []
    for label, _, angles, stiffness in _joint_springs(device):
        if stiffness is not None and stiffness > MAX_SPRING_STIFFNESS_N_M_PER_RAD:
            warnings.append(
                f"{label} has {stiffness:.4g} N m/rad, {math.radians(stiffness):.3g} N m per degree, stiffer than orthoses: "
                f"is it {math.radians(stiffness):.3g} N m/rad?"
            )
        for field, value in angles.items():
            if field != "lower" and abs(value) > MAX_JOINT_ANGLE_RAD:
                warnings.append(
                    f"{label} has a {field.replace('_', ' ')} of {value:.4g} rad, {math.degrees(value):.0f} degrees: no joint "
                    f"turns as far; angles are in rad, or have a unit, as in {value:.4g} deg"
                )
        standing = _spring_angle_at_zero(angles) * (stiffness or 0.0)
        if standing > MAX_STANDING_MOMENT_N_M and all(
            abs(value) <= MAX_JOINT_ANGLE_RAD for field, value in angles.items() if field != "lower"
        ):
            warnings.append(
                f"{label} already gives {standing:.3g} N m in upright standing, where angles are 0, as its neutral angle is "
                f"{math.degrees(_spring_angle_at_zero(angles)):.0f} degrees off; no muscle holds that: nearer to 0, or softer"
            )
    return warnings


def _spring_angle_at_zero(angles: dict[str, float]) -> float:
    """Deflection of a spring with the joint at zero, rad; zero within the play of a bumper."""
    if "rest_angle" in angles:
        return abs(angles["rest_angle"])
    return max(0.0, angles.get("lower", 0.0), -angles.get("upper", 0.0))


def plausibility_warnings(assembly: DeviceAssembly, run: Result, skeleton: HumanSkeleton) -> list[str]:
    """Warnings about the springs of a device, and about its simulated motion."""
    warnings = spring_warnings(assembly.device)
    body = sum(segment.mass for segment in skeleton.segments.values())
    if assembly.mass > MAX_DEVICE_MASS_RATIO * body:
        warnings.append(
            f"the device has {assembly.mass:.3g} kg, and the wearer {body:.3g} kg; masses are in kg, or have a unit"
        )
    for label, entry, angles, _ in _joint_springs(assembly.device):
        if entry["type"] == "torsion-spring" and entry.get("name"):
            angle = run.array(f"{entry['name']}.angle")[assembly.driven.first :]
            warnings += _rest_angle_warnings(label, angle, angles.get("rest_angle", 0.0))
        if entry["type"] == "bumper" and entry.get("name"):
            angle = run.array(f"{entry['name']}.angle")[assembly.driven.first :]
            warnings += _play_warnings(label, angle, angles.get("lower", -math.inf), angles.get("upper", math.inf))
    if assembly.stiff:
        warnings.append(
            f"rigid cuffs on several segments leave the joints of the device no room: {', '.join(assembly.stiff)} "
            f"{'is' if len(assembly.stiff) == 1 else 'are'} taken as stiff, 1 kN per mm"
        )
    return warnings + _loose_cuff_warnings(assembly, run)


def _joint_springs(device: Model) -> Iterator[tuple[str, dict[str, Any], dict[str, float], float | None]]:
    """Label, entry, angles, rad, and stiffness, N m/rad, of each force element that acts as a spring about a joint."""
    scope = compile_model(device)
    for k, entry in enumerate(device.document.forces):
        if entry["type"] in SPRING_ANGLE_FIELDS:
            label = f"{entry['type']} '{entry.get('name') or k + 1}'"
            fields = {
                field: scope.number(entry[field], label, field)
                for field in (*SPRING_ANGLE_FIELDS[entry["type"]], "stiffness")
                if entry.get(field) is not None
            }
            yield label, entry, fields, fields.pop("stiffness", None)


def joint_spring_stiffnesses(device: Model) -> list[float]:
    """Stiffness, N m/rad, of every spring that acts about a joint."""
    return [stiffness for *_, stiffness in _joint_springs(device) if stiffness]


def _rest_angle_warnings(label: str, angle: np.ndarray, rest: float) -> list[str]:
    low, high = np.degrees([angle.min(), angle.max()])
    if (
        low - REST_ANGLE_MARGIN_DEG <= math.degrees(rest) <= high + REST_ANGLE_MARGIN_DEG
        or abs(rest) > MAX_JOINT_ANGLE_RAD
    ):
        return []
    return [
        f"{label} is at rest at {math.degrees(rest):.1f} degrees, and the joint goes from {low:.1f} to {high:.1f}: it pulls "
        "all the time"
    ]


def _play_warnings(label: str, angle: np.ndarray, lower: float, upper: float) -> list[str]:
    low, high = np.degrees([angle.min(), angle.max()])
    if low <= math.degrees(upper) + REST_ANGLE_MARGIN_DEG and high >= math.degrees(lower) - REST_ANGLE_MARGIN_DEG:
        return []
    return [
        f"{label} is free from {math.degrees(lower):.1f} to {math.degrees(upper):.1f} degrees, and the joint goes from "
        f"{low:.1f} to {high:.1f}: it pushes all the time; a neutral angle lies within what the joint does"
    ]


def _loose_cuff_warnings(what: DeviceAssembly, run: Result) -> list[str]:
    warnings = []
    for one in what.bound:
        if one.cuff.type == "rigid":
            continue
        name = cuff_element_name(one.cuff.name)
        shift = np.sqrt(sum(run.array(f"{name}.d{axis}")[what.driven.first :] ** 2 for axis in "xyz")).max()
        turn = np.sqrt(sum(run.array(f"{name}.e{axis}")[what.driven.first :] ** 2 for axis in "xyz")).max()
        angle = math.degrees(math.asin(min(1.0, turn)))
        if shift > MAX_CUFF_SHIFT_M or angle > MAX_CUFF_ROTATION_DEG:
            warnings.append(
                f"cuff '{one.cuff.name}' moves {1e3 * shift:.0f} mm and turns {angle:.0f} degrees on "
                "the limb: it hardly holds; stiffer, or another cuff beside it"
            )
    return warnings
