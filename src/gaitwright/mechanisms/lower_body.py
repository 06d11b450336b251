"""Lower body of a walking person: pelvis, thighs, shanks and feet, driven by joint angles.

Segment parameters: body_segments.py (de Leva 1996). Angles: gait_curves.py, published means (Schwartz et al. 2008), changed by
at most 1.4 of their standard deviations so that the feet rest on the ground. Hip angles follow the ISB convention (G. Wu et
al., Journal of Biomechanics 35 (2002) 543): flexion about the sideways axis z of the pelvis, adduction about a floating forward
axis, internal rotation about the long axis y of the thigh; that is the Cardan sequence zxy. Knees and ankles are hinges.

The pelvis moves so that the foot of a standing leg rests on the ground, at y = 0, within 1.5 mm, and moves along x and z by at
most 3 mm. The left leg repeats the right one half a stride later. With other curves the feet do not rest on the ground: drive
the pelvis by data as well.

Ground force: schematic. Its vertical component follows R. McN. Alexander and A. S. Jayes (Journal of Biomechanics 13 (1980)
383),

    F = a (sin(pi s) + q sin(3 pi s))         s: fraction of the stance, from 0 to 1

with q = 0.35 and a such that both feet carry the body weight on average. Its components along x and z make it point from the
foot to a pivot above the hips (H.-M. Maus et al., Nature Communications 1 (2010) 70). Its point of application moves from the
heel to the ball of the foot, and on to the toes when the heel rises, so that it acts where the foot rests: the ground does 4 J
of work per step. Its outputs are right_heel_force.fx, .fy, .fz, and likewise for ball, toe and the left foot; pictures show it
as arrows.

Limitations: the force does not follow from the motion, and the trunk must supply the difference, which no real trunk
does; the foot has no joint at the toes. Moments are therefore only of the right magnitude, at the ankle too large. Of
the positive work of a stride the hip contributes 45 %, the knee 14 and the ankle 41; people 42, 16 and 42 (J. R.
Montgomery, A. M. Grabowski, Royal Society Open Science 5 (2018) 180550). For results about a person use measured motion
and forces.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from gaitwright.mechanisms.body_segments import (
    BALL_FORWARD_RATIO,
    add_segment,
    foot_points,
    foot_shapes,
    limb_shapes,
    segment_length_parameters,
)
from gaitwright.mechanisms.gait_curves import (
    HIP_HEIGHT_RATIO,
    PELVIS_FORWARD_HARMONICS,
    PELVIS_HEIGHT_HARMONICS,
    PELVIS_LATERAL_HARMONICS,
    PELVIS_OBLIQUITY_HARMONICS_DEG,
    PELVIS_ROTATION_HARMONICS_DEG,
    STRIDE_LENGTH_RATIO,
    add_gait_curves,
)
from gaitwright.model.model import Model, NumberLike

SIDE_SIGNS = {"right": 1, "left": -1}
"""Sign of z, and of adduction and rotation about x and y."""
STRIDE_OFFSETS = {"right": "", "left": " + 0.5"}
"""Phase offset of each side, in strides."""
JOINT_ANGLE_NAMES = ("hip_flexion", "hip_adduction", "hip_rotation", "knee_flexion", "ankle_dorsiflexion")
STANCE_RATIO, DOUBLE_PEAK_RATIO = 0.62, 0.35
"""Stance as a fraction of a stride, and q of the ground force."""
HEEL_FORWARD_RATIO, FOOT_LATERAL_RATIO, PIVOT_HEIGHT_RATIO = 0.1251, 0.0464, 0.05
"""Relative to body height: distance of the heel in front of the hips at heel strike, lateral distance of a foot from
the line of walking, and height of the pivot above the hips."""
HEEL_UNLOADING_PHASE, HEEL_RISE_PHASE, TOE_SUPPORT_PHASE = 0.03, 0.38, 0.50
"""Fractions of a stride at which the force leaves the heel, the heel rises, and the toes alone carry the load."""


def harmonic_expression(parts: Sequence[float], orders: Sequence[int] = (2, 4, 6)) -> str:
    """Expression of the harmonics of the stride: cosine and sine of each order."""
    terms = zip(parts, ((f, k) for k in orders for f in ("cos", "sin")), strict=True)
    return " + ".join(f"({part})*{f}({2 * k}*pi*t/stride)" for part, (f, k) in terms)


PELVIS_LATERAL_POSITION = f"height*({harmonic_expression(PELVIS_LATERAL_HARMONICS, (1, 3))})"
PELVIS_POSE = {
    # of the pelvis over a stride: to the right over the right foot, right side forward at its heel strike
    "x": f"speed*t + height*({harmonic_expression(PELVIS_FORWARD_HARMONICS)})",
    "y": f"height*({HIP_HEIGHT_RATIO} + {harmonic_expression(PELVIS_HEIGHT_HARMONICS)})",
    "z": PELVIS_LATERAL_POSITION,
    "angles": [
        "0",
        f"pi/180*({harmonic_expression(PELVIS_OBLIQUITY_HARMONICS_DEG, (1,))})",
        f"pi/180*({harmonic_expression(PELVIS_ROTATION_HARMONICS_DEG, (1,))})",
    ],
}


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

    height: m and body_mass: kg, of the whole person. stride: s, from heel strike to heel strike of the right foot, at
    t = 0. speed: m/s, of the pelvis; default: that of the feet on the ground, 0.76 body heights per stride; at other speeds
    the feet slide. on_ground: True for ground forces on the feet; otherwise the legs move in the air, suspended from the
    pelvis. curves: angles in degrees replacing the default ones, by the names hip_flexion, hip_adduction, hip_rotation,
    knee_flexion, ankle_dorsiflexion: evenly over a stride, from heel strike.

    Inverse dynamics give right_hip.torque_x, .torque_y, .torque_z (on the thigh, frame of the pelvis; z: flexion),
    right_knee.torque (positive if it bends the knee) and right_ankle.torque (positive if it lifts the toes), in N m, and
    likewise for the left; joint forces right_hip_joint.fx and so on. pelvis_drive.force_x .. .torque_z are the loads of the
    trunk, which is not modelled, on the pelvis: the loads that all segments need besides gravity and the ground."""
    strongest = math.pi / (4 * STANCE_RATIO * (1 + DOUBLE_PEAK_RATIO / 3))
    parameters: dict[str, NumberLike] = {
        "height": height, "body_mass": body_mass, "stride": stride, "g": gravity, **segment_length_parameters(),
        "speed": f"{STRIDE_LENGTH_RATIO}*height/stride" if speed is None else speed,
        "hip_width": "0.1*height", "hip_height": f"{HIP_HEIGHT_RATIO}*height",
    }  # fmt: skip
    if on_ground:
        parameters |= {
            "stance": STANCE_RATIO,
            "upwards": f"{strongest:.6f}*body_mass*g",
            "heel_ahead": f"{HEEL_FORWARD_RATIO}*height",
            "standing": f"{FOOT_LATERAL_RATIO}*height",
            "pivot": f"{PIVOT_HEIGHT_RATIO}*height",
        }
    model = Model("lower body", dimension=3, gravity=(0, "-g", 0), parameters=parameters)
    add_gait_curves(model, JOINT_ANGLE_NAMES, curves)
    hips = {f"{side}_hip": [0, 0, f"{sign / 2}*hip_width"] for side, sign in SIDE_SIGNS.items()}
    hip_line = [{"capsule": ["0.035*height", "hip_width"]}]
    hip_line += [{"capsule": ["0.045*height", "0.09*height"], "at": [0, "0.03*height", 0]}]
    add_segment(model, "pelvis", "pelvis", [0, "hip_height", 0], {"middle": [0, 0, 0], **hips}, shapes=hip_line)
    model.drive("frame", "pelvis_drive", point="pelvis.middle", sequence="zxy", **PELVIS_POSE)
    for side in SIDE_SIGNS:
        _add_leg(model, side)
        if on_ground:
            _add_ground_force(model, side)
    return model


def _add_leg(model: Model, side: str) -> None:
    """Add thigh, shank and foot with their joints and drives."""
    sign, z, phase = SIDE_SIGNS[side], f"{SIDE_SIGNS[side] / 2}*hip_width", f"(t/stride{STRIDE_OFFSETS[side]})"
    thigh, shank, foot = (f"{side}_{kind}" for kind in ("thigh", "shank", "foot"))
    add_segment(
        model, thigh, "thigh", [0, "hip_height", z], {"hip": [0, 0, 0], "knee": [0, "-thigh_length", 0]},
        shapes=limb_shapes("thigh_length", 0.16),
    )  # fmt: skip
    add_segment(
        model, shank, "shank", [0, "hip_height - thigh_length", z],
        {"knee": [0, 0, 0], "ankle": [0, "-shank_length", 0]}, shapes=limb_shapes("shank_length", 0.12),
    )  # fmt: skip
    add_segment(
        model, foot, "foot", [0, "hip_height - thigh_length - shank_length", z], foot_points(), shapes=foot_shapes()
    )
    model.joint.spherical(f"pelvis.{side}_hip", f"{thigh}.hip", name=f"{side}_hip_joint")
    model.joint.revolute(f"{thigh}.knee", f"{shank}.knee", axis=[0, 0, -1], name=f"{side}_knee_joint")
    model.joint.revolute(f"{shank}.ankle", f"{foot}.ankle", axis=[0, 0, 1], name=f"{side}_ankle_joint")
    hip = [f"hip_flexion{phase}", f"{sign}*hip_adduction{phase}", f"{sign}*hip_rotation{phase}"]
    angles = [f"{angle}*pi/180" for angle in hip]
    model.drive.orientation(thigh, angles, "zxy", relative_to="pelvis", name=f"{side}_hip")
    model.drive.rotation(f"{side}_knee_joint", f"knee_flexion{phase}*pi/180", name=f"{side}_knee")
    model.drive.rotation(f"{side}_ankle_joint", f"ankle_dorsiflexion{phase}*pi/180", name=f"{side}_ankle")


def _add_ground_force(model: Model, side: str) -> None:
    """Add the forces on heel, ball and toe: together one force, at a point between two of them."""
    phase = f"((t/stride{STRIDE_OFFSETS[side]}) % 1)"
    s = f"({phase}/stance)"
    up = f"upwards*(sin(pi*{s}) + {DOUBLE_PEAK_RATIO}*sin(3*pi*{s}))"
    ball_progress, toe_progress = (
        f"min(max(({phase} - {a})/{b - a:.4g}, 0), 1)"
        for a, b in ((HEEL_UNLOADING_PHASE, HEEL_RISE_PHASE), (HEEL_RISE_PHASE, TOE_SUPPORT_PHASE))
    )
    ball, toe = (f"(3*({u})^2 - 2*({u})^3)" for u in (ball_progress, toe_progress))
    forward_position = (
        f"heel_ahead - speed*stride*{phase} + foot_length*({BALL_FORWARD_RATIO}*{ball} + "
        f"{1 - BALL_FORWARD_RATIO:.4g}*{toe})"
    )
    forward_force = f"-({forward_position})/(hip_height + pivot)*{up}"
    lateral_force = f"-({SIDE_SIGNS[side]}*standing - {PELVIS_LATERAL_POSITION})/(hip_height + pivot)*{up}"
    shares = {"heel": f"(1 - {ball})", "ball": f"({ball} - {toe})", "toe": toe}
    for point, share in shares.items():
        value = [f"if({phase} < stance, {share}*({part}), 0)" for part in (forward_force, up, lateral_force)]
        model.force.at_point(f"{side}_foot.{point}", value, name=f"{side}_{point}_force")
