"""The lower body of a walking person: pelvis, thighs, shanks and feet, driven by joint angles.

Segment parameters: segments.py (de Leva 1996). Angles: gait_curves.py, published means (Schwartz et al. 2008), bent within 1.4
of their standard deviations so that the feet rest on the ground. Hip angles by the convention of the ISB (G. Wu et al., Journal
of Biomechanics 35 (2002) 543): flexion about the sideways axis z of the pelvis, adduction about a floating forward axis,
internal rotation about the long axis y of the thigh; that is the Cardan sequence zxy. Knees and ankles are hinges.

The pelvis moves so that the foot of a standing leg rests on the ground, at y = 0, within 1.5 mm, and goes along x and z by no
more than 3 mm. The left leg does what the right one did half a stride before. With other curves the feet go where these put
them and stand no longer: drive the pelvis by data, too.

Ground force: schematic as well. Upwards as R. McN. Alexander and A. S. Jayes (Journal of Biomechanics 13 (1980) 383) describe
it,

    F = a (sin(pi s) + q sin(3 pi s))         s: fraction of the stance, from 0 to 1

with q = 0.35 and such an a that both feet carry the body's weight on average; along x and z so that it points from the foot to
a pivot above the hips (H.-M. Maus et al., Nature Communications 1 (2010) 70). The point where it acts runs from the heel to
the ball of the foot, and on to the toes when the heel rises, so that it acts where the foot rests: the ground does 4 J per
step. In outputs it is right_heel_force.fx, .fy, .fz, as well of ball and toe, and the left; pictures show it as arrows.

What it is not: the force does not follow from the motion, and the trunk has to give what the two leave over, which no trunk
does; the foot has no joint at the toes. So moments are of the size that people have, at the ankle above it. Of the positive
work of a stride the hip gives 45 %, the knee 14 and the ankle 41; people 42, 16 and 42 (J. R. Montgomery, A. M. Grabowski,
Royal Society Open Science 5 (2018) 180550). For answers about a person take measured motion and forces.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from gaitwright.mechanisms.gait_curves import (
    HIP_HEIGHT,
    OBLIQUITY,
    PELVIS_AHEAD,
    PELVIS_ASIDE,
    PELVIS_HEIGHT,
    ROTATION,
    STRIDE_LENGTH,
    add_curves,
)
from gaitwright.mechanisms.segments import BALL_AHEAD, add_segment, foot_points, lengths, limb, sole
from gaitwright.model.model import Model, Number

SIDES = {"right": 1, "left": -1}
"""Sign of z, and of adduction and rotation about x and y."""
BEHIND = {"right": "", "left": " + 0.5"}
"""Of the left foot, in strides."""
NAMES = ("hip_flexion", "hip_adduction", "hip_rotation", "knee_flexion", "ankle_dorsiflexion")
STANCE, DOUBLE_PEAK = 0.62, 0.35
"""Fraction of a stride that a foot is down and q above."""
HEEL_AHEAD, STANDING, PIVOT = 0.1251, 0.0464, 0.05
"""Of body height: how far the heel is ahead of the hips at heel strike, a foot beside the line of walking, and the pivot above
the hips."""
LOADED, RISING, RISEN = 0.03, 0.38, 0.50
"""Fractions of a stride from which on the force moves away from the heel, the heel rises, and the toes alone carry."""


def wave(parts: Sequence[float], orders: Sequence[int] = (2, 4, 6)) -> str:
    """Harmonics of the stride: cosine and sine of each order."""
    terms = zip(parts, ((f, k) for k in orders for f in ("cos", "sin")), strict=True)
    return " + ".join(f"({part})*{f}({2 * k}*pi*t/stride)" for part, (f, k) in terms)


ASIDE = f"height*({wave(PELVIS_ASIDE, (1, 3))})"
PELVIS = {
    # of the pelvis over a stride: to the right over the right foot, right side ahead at its heel strike
    "x": f"speed*t + height*({wave(PELVIS_AHEAD)})", "y": f"height*({HIP_HEIGHT} + {wave(PELVIS_HEIGHT)})", "z": ASIDE,
    "angles": ["0", f"pi/180*({wave(OBLIQUITY, (1,))})", f"pi/180*({wave(ROTATION, (1,))})"],
}  # fmt: skip


def lower_body(
    *,
    height: float = 1.741,
    body_mass: float = 73.0,
    stride: float = 1.1,
    speed: float | None = None,
    on_ground: bool = True,
    curves: Mapping[str, Sequence[float]] | None = None,
    gravity: float = 9.81,
) -> Model:
    """Seven segments that walk forwards along x; y is up and z to the right.

    height: m and body_mass: kg, of the whole person. stride: s, from heel strike to heel strike of the right foot, at t = 0.
    speed: m/s, of the pelvis; that of the feet on the ground, 0.76 body heights per stride, unless given: with another one they
    slide. on_ground: with the ground's force on the feet; else they walk in the air, hanging from the
    pelvis. curves: angles in degrees in place of these, by the names hip_flexion, hip_adduction, hip_rotation,
    knee_flexion, ankle_dorsiflexion: evenly over a stride, from heel strike.

    Inverse dynamics give right_hip.torque_x, .torque_y, .torque_z (on the thigh, frame of the pelvis; z: flexion),
    right_knee.torque (positive where it bends the knee) and right_ankle.torque (positive where it lifts the toes), in N m, as
    well of the left; joint forces right_hip_joint.fx and so on. pelvis_drive.force_x .. .torque_z are what the trunk, which is
    no part of the model, does to the pelvis: what all segments need besides gravity and the ground."""
    strongest = math.pi / (4 * STANCE * (1 + DOUBLE_PEAK / 3))
    parameters: dict[str, Number] = {
        "height": height, "body_mass": body_mass, "stride": stride, "g": gravity, **lengths(),
        "speed": f"{STRIDE_LENGTH}*height/stride" if speed is None else speed,
        "hip_width": "0.1*height", "hip_height": f"{HIP_HEIGHT}*height",
    }  # fmt: skip
    if on_ground:
        parameters |= {
            "stance": STANCE,
            "upwards": f"{strongest:.6f}*body_mass*g",
            "heel_ahead": f"{HEEL_AHEAD}*height",
            "standing": f"{STANDING}*height",
            "pivot": f"{PIVOT}*height",
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
    """On heel, ball and toe: together one force, at a point between two of them."""
    phase = f"((t/stride{BEHIND[side]}) % 1)"
    s = f"({phase}/stance)"
    up = f"upwards*(sin(pi*{s}) + {DOUBLE_PEAK}*sin(3*pi*{s}))"
    flat, risen = (f"min(max(({phase} - {a})/{b - a:.4g}, 0), 1)" for a, b in ((LOADED, RISING), (RISING, RISEN)))
    ball, toe = (f"(3*({u})^2 - 2*({u})^3)" for u in (flat, risen))
    ahead = f"heel_ahead - speed*stride*{phase} + foot_length*({BALL_AHEAD}*{ball} + {1 - BALL_AHEAD:.4g}*{toe})"
    along = f"-({ahead})/(hip_height + pivot)*{up}"
    across = f"-({SIDES[side]}*standing - {ASIDE})/(hip_height + pivot)*{up}"
    shares = {"heel": f"(1 - {ball})", "ball": f"({ball} - {toe})", "toe": toe}
    for point, share in shares.items():
        value = [f"if({phase} < stance, {share}*({part}), 0)" for part in (along, up, across)]
        model.apply_force(f"{side}_foot.{point}", value, name=f"{side}_{point}_force")
