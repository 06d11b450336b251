"""The lower body of a walking person: pelvis, thighs, shanks and feet, driven by joint angles.

Segment parameters: segments.py (de Leva 1996). Angles: gait_curves.py, a schematic gait. Hip angles by the convention of the
ISB (G. Wu et al., Journal of Biomechanics 35 (2002) 543): flexion about the sideways axis z of the pelvis, adduction about a
floating forward axis, internal rotation about the long axis y of the thigh; that is the Cardan sequence zxy. Knees and ankles
are hinges.

Ground force: schematic as well. Upwards as R. McN. Alexander and A. S. Jayes (Journal of Biomechanics 13 (1980) 383) describe
it,

    F = a (sin(pi s) + q sin(3 pi s))         s: fraction of the stance, from 0 to 1

with q = 0.35 and such an a that both feet carry the body's weight on average; along x it brakes first and then pushes; the
point where it acts runs from heel to toe.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from gaitwright.mechanisms.gait_curves import add_curves
from gaitwright.mechanisms.segments import add_segment, foot_points, lengths, limb, sole
from gaitwright.model.model import Model, Number

SIDES = {"right": 1, "left": -1}
"""Sign of z, and of adduction and rotation about x and y."""
BEHIND = {"right": "", "left": " + 0.5"}
"""Of the left foot, in strides."""
NAMES = ("hip_flexion", "hip_adduction", "hip_rotation", "knee_flexion", "ankle_dorsiflexion")
STANCE, DOUBLE_PEAK, BRAKING = 0.62, 0.35, 0.13
"""Fraction of a stride that a foot is down, q above, and 0.77 of the largest force along x, in body weights."""
PELVIS = {
    # of the pelvis over a stride: highest and to the right over the right foot, right side ahead at its heel strike
    "x": "speed*t", "y": "hip_height + 0.02*cos(4*pi*(t/stride - 0.3))", "z": "0.02*cos(2*pi*(t/stride - 0.3))",
    "angles": ["0", "-4*pi/180*cos(2*pi*(t/stride - 0.12))", "5*pi/180*cos(2*pi*t/stride)"],
}  # fmt: skip


def lower_body(
    *,
    height: float = 1.741,
    body_mass: float = 73.0,
    stride: float = 1.1,
    speed: float = 1.1,
    on_ground: bool = True,
    curves: Mapping[str, Sequence[float]] | None = None,
    gravity: float = 9.81,
) -> Model:
    """Seven segments that walk forwards along x; y is up and z to the right.

    height: m and body_mass: kg, of the whole person. stride: s, from heel strike to heel strike of the right foot, at t = 0.
    speed: m/s, of the pelvis. on_ground: with the ground's force on the feet; else they walk in the air, hanging from the
    pelvis. curves: angles in degrees in place of the schematic ones, by the names hip_flexion, hip_adduction, hip_rotation,
    knee_flexion, ankle_dorsiflexion: evenly over a stride, from heel strike.

    Inverse dynamics give right_hip.torque_x, .torque_y, .torque_z (on the thigh, frame of the pelvis; z: flexion),
    right_knee.torque (positive where it bends the knee) and right_ankle.torque (positive where it lifts the toes), in N m, as
    well of the left; joint forces right_hip_joint.fx and so on. pelvis_drive.force_x .. .torque_z are what the trunk, which is
    no part of the model, does to the pelvis: what all segments need besides gravity and the ground."""
    strongest = math.pi / (4 * STANCE * (1 + DOUBLE_PEAK / 3))
    parameters: dict[str, Number] = {
        "height": height, "body_mass": body_mass, "stride": stride, "speed": speed, "g": gravity, **lengths(),
        "hip_width": "0.1*height", "hip_height": "thigh_length + shank_length + ankle_height - 0.012*height",
    }  # fmt: skip
    if on_ground:
        parameters |= {
            "stance": STANCE,
            "upwards": f"{strongest:.6f}*body_mass*g",
            "forwards": f"{BRAKING}*body_mass*g",
        }
    model = Model("lower body", dimension=3, gravity=(0, "-g", 0), parameters=parameters)
    add_curves(model, NAMES, curves)
    hips = {f"{side}_hip": [0, 0, f"{sign / 2}*hip_width"] for side, sign in SIDES.items()}
    hip_line = [{"capsule": ["0.035*height", "hip_width"]}]
    hip_line += [{"capsule": ["0.045*height", "0.09*height"], "at": [0, "0.03*height", 0]}]
    add_segment(model, "pelvis", "pelvis", [0, "hip_height", 0], {"middle": [0, 0, 0], **hips}, shapes=hip_line)
    model.drive("frame", "pelvis_drive", point="pelvis.middle", sequence="zxy", **PELVIS)
    for side in SIDES:
        _leg(model, side)
        if on_ground:
            _ground_force(model, side)
    return model


def _leg(model: Model, side: str) -> None:
    """Thigh, shank and foot with their joints and drives."""
    sign, z, phase = SIDES[side], f"{SIDES[side] / 2}*hip_width", f"(t/stride{BEHIND[side]})"
    thigh, shank, foot = (f"{side}_{kind}" for kind in ("thigh", "shank", "foot"))
    add_segment(
        model, thigh, "thigh", [0, "hip_height", z], {"hip": [0, 0, 0], "knee": [0, "-thigh_length", 0]},
        shapes=limb("thigh_length", 0.16),
    )  # fmt: skip
    add_segment(
        model, shank, "shank", [0, "hip_height - thigh_length", z],
        {"knee": [0, 0, 0], "ankle": [0, "-shank_length", 0]}, shapes=limb("shank_length", 0.12),
    )  # fmt: skip
    add_segment(model, foot, "foot", [0, "hip_height - thigh_length - shank_length", z], foot_points(), shapes=sole())
    model.spherical(f"pelvis.{side}_hip", f"{thigh}.hip", name=f"{side}_hip_joint")
    model.revolute(f"{thigh}.knee", f"{shank}.knee", axis=[0, 0, -1], name=f"{side}_knee_joint")
    model.revolute(f"{shank}.ankle", f"{foot}.ankle", axis=[0, 0, 1], name=f"{side}_ankle_joint")
    hip = [f"hip_flexion{phase}", f"{sign}*hip_adduction{phase}", f"{sign}*hip_rotation{phase}"]
    angles = [f"{angle}*pi/180" for angle in hip]
    model.drive_orientation(thigh, angles, "zxy", relative_to="pelvis", name=f"{side}_hip")
    model.drive_rotation(f"{side}_knee_joint", f"knee_flexion{phase}*pi/180", name=f"{side}_knee")
    model.drive_rotation(f"{side}_ankle_joint", f"ankle_dorsiflexion{phase}*pi/180", name=f"{side}_ankle")


def _ground_force(model: Model, side: str) -> None:
    """On heel and toe: together one force, at a point between them."""
    phase = f"((t/stride{BEHIND[side]}) % 1)"
    s = f"({phase}/stance)"
    up = f"upwards*(sin(pi*{s}) + {DOUBLE_PEAK}*sin(3*pi*{s}))"
    along = f"-forwards*(sin(2*pi*{s}) + sin(4*pi*{s})/2)"
    toe = f"(0.15 + 0.7*(3*{s}^2 - 2*{s}^3))"  # of the way from the end of the heel to the end of the toes
    for point, share in (("heel", f"(1 - {toe})"), ("toe", toe)):
        value = [f"if({phase} < stance, {share}*({part}), 0)" for part in (along, up)]
        model.apply_force(f"{side}_foot.{point}", [*value, 0], name=f"{side}_{point}_force")
