"""Knee exoskeleton: two crossed links replace the hinge between thigh and shank, so that the axis of flexion moves backwards,
as that of a human knee. In the spirit of paper 001, Fig 1, and of its reference [6] (Kasai, Dachkinov, Tanaka and Wagatsuma,
Journal of Robotics, Networking and Artificial Life 9 (2022) 128); paper 001 prints no lengths.

Four-bars in knee prostheses: Radcliffe, Prosthetics and Orthotics International 18 (1994) 159; a crossed one in a knee
orthosis: the same journal, doi 10.1080/03093640601095842. The pins below are OUR choice, of the size of a knee. Masses,
centres of mass and radii of gyration of thigh and of shank with foot are Dempster's, as in Winter, Biomechanics and Motor
Control of Human Movement.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.mechanisms.bar_tables import check_lengths
from gaitwright.model.model import Model, NumberLike

if TYPE_CHECKING:
    from gaitwright.result.result import Result

PIN_POSITIONS_M = {
    # forward and up from the middle of the straight knee, m: A and B in the thigh, C and D in the shank
    "A_forward": -0.010, "A_up": 0.010, "B_forward": 0.004, "B_up": 0.0,
    "C_forward": 0.010, "C_up": -0.014, "D_forward": -0.016, "D_up": -0.017,
}  # fmt: skip
LINKS = {"front_link": ("A", "C"), "rear_link": ("B", "D")}
SPRING_ENDS_M = {"spring_ahead": 0.06, "spring_away": 0.03}
"""Positions of the ends of the linear spring, m: in front of the limb, and above and below the knee. Its length increases up to
at least 120 degrees of flexion; ends farther from the knee would pass a dead centre earlier."""
SEGMENT_PARAMETERS = {
    # fraction of the body mass; centre of mass above the knee and radius of gyration about it, in lengths of the segment;
    # points, forward and up from the middle of the straight knee
    "thigh": (0.100, 0.567, 0.323, {"hip": ("0", "thigh_length"), "K": ("0", "0")}),
    "shank": (0.061, -0.606, 0.416, {"ankle": ("0", "-shank_length"), "T": ("0", "0")}),
}
SPRING_HOOKS = {"thigh": ("spring_ahead", "spring_away"), "shank": ("spring_ahead", "-spring_away")}
"""Ends S of the linear spring, in the same coordinates."""


def knee_exoskeleton(
    flexion: float = 120.0,
    *,
    start: float = 0.0,
    duration: float = 2.0,
    driven: bool = True,
    thigh: float = 0.0,
    thigh_swing: float = 0.0,
    torsion_stiffness: float | None = None,
    rest_flexion: float = 0.0,
    spring_stiffness: float | None = None,
    stop_stiffness: float | None = None,
    locked: bool = False,
    load: float = 687.0,
    heel: float = -0.05,
    toe: float = 0.15,
    body_mass: float = 70.0,
    thigh_length: float = 0.43,
    shank_length: float = 0.43,
    link_mass: float = 0.05,
    gravity: float = 9.81,
    **pins: float,
) -> Model:
    """A thigh that hangs from the hip (the ground), a shank, and the links between them: `front_link` from A, behind in the
    thigh, to C, in front in the shank, and `rear_link` from B to D.

          hip      x forwards, y upwards. Angles of thigh and shank are 0 if the leg hangs straight down; flexion rotates the
           |       shank clockwise. The drive `knee` bends it from `start` to `flexion` (degrees) and back in `duration` (s);
         A | B     its torque is positive if it extends the knee. Without `driven`, the shank swings freely from `start`.
           X       The drive `hip_drive` holds the thigh at `thigh` (degrees forwards), or swings it about this angle by
         D | C     `thigh_swing` (degrees), once in `duration`.
           |       torsion_stiffness: N m/rad, of a spring between thigh and shank, at rest at `rest_flexion` (degrees).
         ankle     spring_stiffness: N/m, of a spring in front of the knee, at rest in the straight leg: helps to extend.
                   stop_stiffness: N m/rad, of stops at the straight knee and at 140 degrees, for a free shank.

    locked: a lock holds the knee at `start` instead of the drive, and a load of `load` (N) acts on the foot from below, at
    a point that moves from `heel` to `toe` (m in front of the ankle) in `duration`, as in stance, while the thigh swings
    from `thigh_swing` forwards to the same angle backwards. `lock.moment` is the moment carried by the lock: positive if
    the knee would bend without it, negative if a stop at the straight knee is sufficient.

    More outputs: `knee.flexion` (deg) unless locked; `axis.forward` and `axis.up`, position of the instant centre from the
    middle of the straight knee in the thigh frame (mm); with springs `assist.moment`, their moment about this axis,
    positive if it extends the knee. Charts show it over the flexion, and the path of the axis.

    body_mass: kg, of the person. Lengths in m. link_mass: kg, each. pins: m, A_forward to D_up, from the middle of the
    straight knee; with A in front of B the links do not cross. All numbers except gravity are parameters of the model, and
    so are the lengths of the links. T is the shank point in the middle of the straight knee, K that of the thigh: their
    distance is the error of a plain hinge in their place. Raises an error if the links do not allow `start`."""
    positions = check_lengths(PIN_POSITIONS_M, pins)
    if locked:
        driven = False
    shank_knee = _shank_knee_position(positions, math.radians(start))
    stiffnesses = {"torsion": torsion_stiffness, "spring": spring_stiffness, "stop": stop_stiffness}
    parameters: dict[str, NumberLike] = {
        "flexion": flexion, "start": start, "duration": duration, "thigh": thigh, "thigh_swing": thigh_swing,
        **{f"{name}_stiffness": value for name, value in stiffnesses.items() if value is not None},
        "rest_flexion": rest_flexion, "body_mass": body_mass, "thigh_length": thigh_length, "shank_length": shank_length,
        "link_mass": link_mass, **positions, **{link: _pin_distance(*ends) for link, ends in LINKS.items()},
        **({} if spring_stiffness is None else SPRING_ENDS_M), **({"load": load, "heel": heel, "toe": toe} if locked else {}),
        "thigh_angle": "thigh*pi/180", "shank_angle": "(thigh - start)*pi/180",
        "T_forward": shank_knee.real, "T_up": shank_knee.imag,
    }  # fmt: skip
    model = Model("knee lock" if locked else "knee exoskeleton", gravity=(0.0, -gravity), parameters=parameters)
    model.ground_point("hip", 0, 0)
    for segment, ends in zip(SEGMENT_PARAMETERS, zip(*LINKS.values(), strict=True), strict=True):
        spring_hook = {} if spring_stiffness is None else {"S": SPRING_HOOKS[segment]}
        _add_segment(model, segment, ends, spring_hook)
    for link, (upper, lower) in LINKS.items():
        model.link(link, upper, lower, length=link, mass="link_mass")
        model.joint.revolute(f"thigh.{upper}", f"{link}.{upper}", name=f"pin_{upper}")
        model.joint.revolute(f"shank.{lower}", f"{link}.{lower}", name=f"pin_{lower}")
    model.joint.revolute("ground.hip", "thigh.hip", name="hip_joint")
    swing = "cos(pi*t/duration)" if locked else "sin(2*pi*t/duration)"
    model.drive.rotation("thigh", f"(thigh + thigh_swing*{swing})*pi/180", name="hip_drive")
    if driven:
        flexion_expression = "start + (flexion - start)*(1 - cos(2*pi*t/duration))/2"
        model.drive.relative_rotation("thigh", "shank", f"-({flexion_expression})*pi/180", name="knee")
    _add_springs(model, {name for name, value in stiffnesses.items() if value is not None})
    if locked:
        model.drive.relative_rotation("thigh", "shank", "-start*pi/180", name="lock")
        model.force.at_point("shank.ankle", (0, "load"), name="from_below")
        model.force.torque("shank", f"load*({LOAD_ARM})", name="from_the_place")
    _add_quantities(model, torsion_stiffness is not None, spring_stiffness is not None, driven, locked)
    return model


def _add_springs(model: Model, kinds: Collection[str]) -> None:
    """Add the springs with a given stiffness: torsion, spring (in front of the knee) and stop."""
    if "torsion" in kinds:
        rest = "-rest_flexion*pi/180"
        model.force.torsion_spring("thigh", "shank", stiffness="torsion_stiffness", rest_angle=rest, name="torsion")
    if "spring" in kinds:
        rest = "2*spring_away"
        model.force.spring_damper("thigh.S", "shank.S", stiffness="spring_stiffness", rest_length=rest, name="spring")
    if "stop" in kinds:
        model.force.bumper("thigh", "shank", lower="-140*pi/180", upper=0, stiffness="stop_stiffness", name="stop")


LOAD_ARM = "heel + (toe - heel)*t/duration"
"""Position of the load in front of the ankle, m."""


def _add_quantities(model: Model, torsion: bool, spring: bool, driven: bool, locked: bool) -> None:
    """Add the design quantities. The axis is the intersection of the link lines: A + along (C - A), see
    `instant_centre`."""
    front, rear, pins = ("shank.C", "thigh.A"), ("shank.D", "thigh.B"), ("thigh.B", "thigh.A")
    if not locked:
        model.quantity(
            "knee.flexion", "thigh.angle - shank.angle", unit="deg", description="of the knee, 0 where straight"
        )
    fraction = f"({_cross_product(pins, rear)})/({_cross_product(front, rear)})"
    for x in "xy":
        intersection = f"thigh.A.{x} + {fraction}*(shank.C.{x} - thigh.A.{x})"
        model.quantity(f"axis.{x}", intersection, description="of the instant centre, over the ground")
    forward, up = _to_body_axes("thigh.angle", "axis.x - thigh.K.x", "axis.y - thigh.K.y")
    description = "of the instant centre, from the middle of the straight knee, seen from the thigh"
    model.quantity("axis.forward", forward, unit="mm", description=description).quantity(
        "axis.up", up, unit="mm", description=description
    )
    if torsion or spring:
        spring_moment = "(shank.S.x - axis.x)*(thigh.S.y - shank.S.y) - (shank.S.y - axis.y)*(thigh.S.x - shank.S.x)"
        parts = ["torsion.torque"] * torsion + [f"(-spring.force/spring.length*({spring_moment}))"] * spring
        description = "of the springs about the axis of the knee, positive where they extend it"
        model.quantity("assist.moment", " + ".join(parts), unit="N m", description=description)
        model.chart("knee.flexion", "assist.moment", title="Assist moment over flexion")
    if locked:
        model.quantity("load.reach", LOAD_ARM, unit="mm", description="of the load ahead of the ankle")
        lever_arm = f"shank.ankle.x + ({LOAD_ARM}) - axis.x"
        model.quantity("load.lever", lever_arm, unit="mm", description="of the load ahead of the axis of the knee")
        model.quantity(
            "lock.moment", "lock.torque", unit="N m", description="that the lock carries, positive where it extends"
        )
        model.chart("load.reach", "lock.moment", title="Lock moment over load position")
    elif driven:
        model.chart("knee.flexion", "knee.torque", title="Torque of the drive over flexion")
    if not locked:
        model.chart("axis.forward", "axis.up", title="Where the axis goes")


def _cross_product(u: tuple[str, str], v: tuple[str, str]) -> str:
    """u x v of two vectors, each from its second point to its first."""
    (ux, uy), (vx, vy) = ([f"({end}.{axis} - {start}.{axis})" for axis in "xy"] for end, start in (u, v))
    return f"{ux}*{vy} - {uy}*{vx}"


def _to_body_axes(angle: str, x: str, y: str) -> tuple[str, str]:
    """Components of a vector in the axes of a body rotated by an angle."""
    return f"({x})*cos({angle}) + ({y})*sin({angle})", f"({y})*cos({angle}) - ({x})*sin({angle})"


def instant_centre(run: Result, frame: str = "thigh") -> np.ndarray:
    """Instant centre of the shank relative to the thigh: the intersection of the lines of the two links.

    Returns (n_times, 2), m, forward and up from the middle of the straight knee, in the frame of the thigh (K) or the shank
    (T). It depends only on positions, so it exists at rest too; NaN if the links are parallel."""
    middle = {"thigh": "thigh.K", "shank": "shank.T"}
    if frame not in middle:
        ErrorContext(field="frame").fail("is no segment", frame, "thigh or shank")

    def track(point: str) -> np.ndarray:
        return run.array(f"{point}.x") + 1j * run.array(f"{point}.y")

    a, b, c, d = (track(pin) for pin in ("thigh.A", "thigh.B", "shank.C", "shank.D"))
    front, rear = c - a, d - b

    def cross(u: np.ndarray, v: np.ndarray) -> np.ndarray:
        return np.imag(np.conj(u) * v)

    with np.errstate(divide="ignore", invalid="ignore"):
        intersection = a + front * cross(b - a, rear) / cross(front, rear)
    relative = (intersection - track(middle[frame])) * np.exp(-1j * run.array(f"{frame}.angle"))
    relative[~np.isfinite(relative)] = np.nan
    return np.column_stack([relative.real, relative.imag])


def _pin_distance(upper: str, lower: str) -> str:
    """Distance of two pins in the straight leg, m; an expression."""
    return f"sqrt(({upper}_forward - {lower}_forward)^2 + ({upper}_up - {lower}_up)^2)"


def _add_segment(model: Model, segment: str, pins: tuple[str, ...], hook: dict[str, tuple[str, str]]) -> None:
    """Add thigh or shank with its pins and spring hook, and the drawn pin positions."""
    share, _, gyration, points = SEGMENT_PARAMETERS[segment]
    mass, up = f"{share}*body_mass", centre_of_mass_height(segment)
    points = points | hook | {pin: (f"{pin}_forward", f"{pin}_up") for pin in pins}
    model.body(
        segment, mass=mass, inertia=f"{mass}*({gyration}*{segment}_length)^2", at=_drawn_point(segment, "0", up),
        angle=f"{segment}_angle", points={name: (x, f"{y} - ({up})") for name, (x, y) in points.items()},
    )  # fmt: skip
    for pin in pins:
        model.point(pin, *_drawn_point(segment, *points[pin]))


def centre_of_mass_height(segment: str) -> str:
    """Height of the centre of mass of a segment above the middle of the straight knee, m; origin of the body's
    points."""
    return f"{SEGMENT_PARAMETERS[segment][1]}*{segment}_length"


def _drawn_point(segment: str, forward: str, up: str) -> tuple[str, str]:
    """Position of a point of a segment at the start."""
    middle = {"thigh": ("0", "-thigh_length"), "shank": ("T_forward", "T_up - thigh_length")}
    (x, y), (dx, dy) = _rotate_vector("thigh_angle", *middle[segment]), _rotate_vector(f"{segment}_angle", forward, up)
    return f"{x} + {dx}", f"{y} + {dy}"


def _rotate_vector(angle: str, x: str, y: str) -> tuple[str, str]:
    return f"({x})*cos({angle}) - ({y})*sin({angle})", f"({x})*sin({angle}) + ({y})*cos({angle})"


def _shank_knee_position(pins: dict[str, float], flexion: float) -> complex:
    """Position of T, forward and up from K in the thigh frame, m: on a circle for each link. Of the two
    intersections, the one on the side of the straight leg, where T coincides with K."""
    a, b, c, d = (complex(pins[f"{pin}_forward"], pins[f"{pin}_up"]) for pin in "ABCD")
    rotation, front, rear = cmath.exp(-1j * flexion), abs(c - a), abs(d - b)
    centre, span, straight = a - rotation * c, b - rotation * d - (a - rotation * c), b - d - (a - c)
    distance_along = (front**2 - rear**2 + abs(span) ** 2) / (2 * abs(span))
    if abs(distance_along) > front:
        ErrorContext("knee exoskeleton", "start").fail(
            "is out of reach of the links", math.degrees(flexion), "a flexion that the links allow"
        )
    side = math.copysign(math.sqrt(front**2 - distance_along**2), (straight.conjugate() * (c - a)).imag)
    return centre + span / abs(span) * complex(distance_along, side)
