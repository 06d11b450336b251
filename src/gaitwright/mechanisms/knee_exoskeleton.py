"""A knee exoskeleton: two crossed links carry the shank instead of a hinge, so that the axis of flexion moves backwards, as
that of a human knee does. In the spirit of paper 001, Fig 1, and of its reference [6] (Kasai, Dachkinov, Tanaka and
Wagatsuma, Journal of Robotics, Networking and Artificial Life 9 (2022) 128); paper 001 prints no lengths.

Four-bars in knee prostheses: Radcliffe, Prosthetics and Orthotics International 18 (1994) 159; a crossed one in a knee
orthosis: the same journal, doi 10.1080/03093640601095842. The pins below are OUR choice, of the size of a knee. Masses,
centres of mass and radii of gyration of thigh and of shank with foot are Dempster's, as in Winter, Biomechanics and Motor
Control of Human Movement.
"""

from __future__ import annotations

import cmath
import math
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.checks import At
from gaitwright.mechanisms.bars import check_lengths
from gaitwright.model.model import Model, Number

if TYPE_CHECKING:
    from gaitwright.result.result import Result

PINS = {
    # forward and up from the middle of the straight knee, m: A and B in the thigh, C and D in the shank
    "A_forward": -0.010, "A_up": 0.010, "B_forward": 0.004, "B_up": 0.0,
    "C_forward": 0.010, "C_up": -0.014, "D_forward": -0.016, "D_up": -0.017,
}  # fmt: skip
LINKS = {"front_link": ("A", "C"), "rear_link": ("B", "D")}
SPRING = {"spring_ahead": 0.06, "spring_away": 0.03}
"""Where the ends of the linear spring are, m: ahead of the limb, and above and below the knee. It grows longer up to 120
degrees of flexion and more; ends farther from the knee would pass a dead centre before."""
SEGMENTS = {
    # share of the body's mass; centre of mass above the knee and radius of gyration about it, in lengths of the segment;
    # points, forward and up from the middle of the straight knee
    "thigh": (0.100, 0.567, 0.323, {"hip": ("0", "thigh_length"), "K": ("0", "0")}),
    "shank": (0.061, -0.606, 0.416, {"ankle": ("0", "-shank_length"), "T": ("0", "0")}),
}
HOOKS = {"thigh": ("spring_ahead", "spring_away"), "shank": ("spring_ahead", "-spring_away")}
"""The ends S of the linear spring, likewise."""


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

          hip      x forwards, y upwards. Angles of thigh and shank are 0 where the leg hangs straight down; flexion turns the
           |       shank clockwise. The drive `knee` bends it from `start` to `flexion` (degrees) and back in `duration` (s);
         A | B     its torque is positive where it extends the knee. Not `driven`, the shank swings freely from `start`.
           X       The drive `hip_drive` holds the thigh at `thigh` (degrees forwards), or lets it swing about there by
         D | C     `thigh_swing` (degrees), once in `duration`.
           |       torsion_stiffness: N m/rad, of a spring between thigh and shank, at rest at `rest_flexion` (degrees).
         ankle     spring_stiffness: N/m, of a spring in front of the knee, at rest in the straight leg: helps to extend.
                   stop_stiffness: N m/rad, of stops at the straight knee and at 140 degrees, for a free shank.

    locked: a lock holds the knee at `start` instead of the drive, and the foot is loaded from below by `load` (N) at a place
    that goes from `heel` to `toe` (m ahead of the ankle) in `duration`, as in the stance of a step, while the leg swings from
    `thigh_swing` ahead to as far behind. `lock.moment` is what the lock carries: positive where the knee would bend without
    it, negative where a stop at the straight knee is enough.

    More outputs: `knee.flexion` (deg) unless locked; `axis.forward` and `axis.up`, the instant centre from the middle of the
    straight knee as the thigh sees it (mm); with springs `assist.moment`, what they do about that axis, positive where they
    extend. Charts show it over the flexion, and the way of the axis.

    body_mass: kg, of the person. Lengths in m. link_mass: kg, each. pins: m, A_forward to D_up, from the middle of the
    straight knee; with A in front of B the links do not cross. All numbers but gravity are parameters of the model, and so
    are the lengths of the links. T is the point of the shank in the middle of the straight knee, K that of the thigh: how
    far they part is by how much a plain hinge in their place would be wrong."""
    places = check_lengths(PINS, pins)
    if locked:
        driven = False
    parted = _parted(places, math.radians(start))
    stiffnesses = {"torsion": torsion_stiffness, "spring": spring_stiffness, "stop": stop_stiffness}
    parameters: dict[str, Number] = {
        "flexion": flexion, "start": start, "duration": duration, "thigh": thigh, "thigh_swing": thigh_swing,
        **{f"{name}_stiffness": value for name, value in stiffnesses.items() if value is not None},
        "rest_flexion": rest_flexion, "body_mass": body_mass, "thigh_length": thigh_length, "shank_length": shank_length,
        "link_mass": link_mass, **places, **{link: _distance(*ends) for link, ends in LINKS.items()},
        **({} if spring_stiffness is None else SPRING), **({"load": load, "heel": heel, "toe": toe} if locked else {}),
        "thigh_angle": "thigh*pi/180", "shank_angle": "(thigh - start)*pi/180",
        "T_forward": parted.real, "T_up": parted.imag,
    }  # fmt: skip
    model = Model("knee lock" if locked else "knee exoskeleton", gravity=(0.0, -gravity), parameters=parameters)
    model.ground_point("hip", 0, 0)
    for segment, ends in zip(SEGMENTS, zip(*LINKS.values(), strict=True), strict=True):
        hook = {} if spring_stiffness is None else {"S": HOOKS[segment]}
        _add_segment(model, segment, ends, hook)
    for link, (upper, lower) in LINKS.items():
        model.link(link, upper, lower, length=link, mass="link_mass")
        model.revolute(f"thigh.{upper}", f"{link}.{upper}", name=f"pin_{upper}")
        model.revolute(f"shank.{lower}", f"{link}.{lower}", name=f"pin_{lower}")
    model.revolute("ground.hip", "thigh.hip", name="hip_joint")
    swing = "cos(pi*t/duration)" if locked else "sin(2*pi*t/duration)"
    model.drive_rotation("thigh", f"(thigh + thigh_swing*{swing})*pi/180", name="hip_drive")
    if driven:
        bent = "start + (flexion - start)*(1 - cos(2*pi*t/duration))/2"
        model.drive_relative_rotation("thigh", "shank", f"-({bent})*pi/180", name="knee")
    if torsion_stiffness is not None:
        rest = "-rest_flexion*pi/180"
        model.torsion_spring("thigh", "shank", stiffness="torsion_stiffness", rest_angle=rest, name="torsion")
    if spring_stiffness is not None:
        rest = "2*spring_away"
        model.spring_damper("thigh.S", "shank.S", stiffness="spring_stiffness", rest_length=rest, name="spring")
    if stop_stiffness is not None:
        model.bumper("thigh", "shank", lower="-140*pi/180", upper=0, stiffness="stop_stiffness", name="stop")
    if locked:
        model.drive_relative_rotation("thigh", "shank", "-start*pi/180", name="lock")
        model.apply_force("shank.ankle", (0, "load"), name="from_below")
        model.apply_torque("shank", f"load*({REACH})", name="from_the_place")
    _add_quantities(model, torsion_stiffness is not None, spring_stiffness is not None, driven, locked)
    return model


REACH = "heel + (toe - heel)*t/duration"
"""Of the load ahead of the ankle, m."""


def _add_quantities(model: Model, torsion: bool, spring: bool, driven: bool, locked: bool) -> None:
    """What a designer asks for. The axis is where the lines of the links meet: A + along (C - A), see `instant_centre`."""
    front, rear, apart = ("shank.C", "thigh.A"), ("shank.D", "thigh.B"), ("thigh.B", "thigh.A")
    if not locked:
        model.quantity(
            "knee.flexion", "thigh.angle - shank.angle", unit="deg", description="of the knee, 0 where straight"
        )
    along = f"({_crossed(apart, rear)})/({_crossed(front, rear)})"
    for x in "xy":
        meeting = f"thigh.A.{x} + {along}*(shank.C.{x} - thigh.A.{x})"
        model.quantity(f"axis.{x}", meeting, description="of the instant centre, over the ground")
    forward, up = _seen("thigh.angle", "axis.x - thigh.K.x", "axis.y - thigh.K.y")
    about = "of the instant centre, from the middle of the straight knee, seen from the thigh"
    model.quantity("axis.forward", forward, unit="mm", description=about).quantity(
        "axis.up", up, unit="mm", description=about
    )
    if torsion or spring:
        pull = "(shank.S.x - axis.x)*(thigh.S.y - shank.S.y) - (shank.S.y - axis.y)*(thigh.S.x - shank.S.x)"
        parts = ["torsion.torque"] * torsion + [f"(-spring.force/spring.length*({pull}))"] * spring
        about = "of the springs about the axis of the knee, positive where they extend it"
        model.quantity("assist.moment", " + ".join(parts), unit="N m", description=about)
        model.chart("knee.flexion", "assist.moment", title="Assist moment over flexion")
    if locked:
        model.quantity("load.reach", REACH, unit="mm", description="of the load ahead of the ankle")
        lever = f"shank.ankle.x + ({REACH}) - axis.x"
        model.quantity("load.lever", lever, unit="mm", description="of the load ahead of the axis of the knee")
        model.quantity(
            "lock.moment", "lock.torque", unit="N m", description="that the lock carries, positive where it extends"
        )
        model.chart("load.reach", "lock.moment", title="Lock moment over load position")
    elif driven:
        model.chart("knee.flexion", "knee.torque", title="Torque of the drive over flexion")
    if not locked:
        model.chart("axis.forward", "axis.up", title="Where the axis goes")


def _crossed(u: tuple[str, str], v: tuple[str, str]) -> str:
    """u x v of two vectors, each from its second point to its first."""
    (ux, uy), (vx, vy) = ([f"({end}.{axis} - {start}.{axis})" for axis in "xy"] for end, start in (u, v))
    return f"{ux}*{vy} - {uy}*{vx}"


def _seen(angle: str, x: str, y: str) -> tuple[str, str]:
    """A vector in the axes of a body that is turned by an angle."""
    return f"({x})*cos({angle}) + ({y})*sin({angle})", f"({y})*cos({angle}) - ({x})*sin({angle})"


def instant_centre(run: Result, frame: str = "thigh") -> np.ndarray:
    """The point about which the shank turns relative to the thigh: where the lines of the two links meet.

    (n_times, 2), m, forward and up from the middle of the straight knee, as seen from the thigh (K) or the shank (T).
    It needs no motion, so it exists at rest too; NaN where the links are parallel."""
    middle = {"thigh": "thigh.K", "shank": "shank.T"}
    if frame not in middle:
        At(field="frame").fail("is no segment", frame, "thigh or shank")

    def place(point: str) -> np.ndarray:
        return run.values(f"{point}.x") + 1j * run.values(f"{point}.y")

    a, b, c, d = (place(pin) for pin in ("thigh.A", "thigh.B", "shank.C", "shank.D"))
    front, rear = c - a, d - b

    def cross(u: np.ndarray, v: np.ndarray) -> np.ndarray:
        return np.imag(np.conj(u) * v)

    with np.errstate(divide="ignore", invalid="ignore"):
        meeting = a + front * cross(b - a, rear) / cross(front, rear)
    seen = (meeting - place(middle[frame])) * np.exp(-1j * run.values(f"{frame}.angle"))
    seen[~np.isfinite(seen)] = np.nan
    return np.column_stack([seen.real, seen.imag])


def _distance(upper: str, lower: str) -> str:
    """Of two pins in the straight leg, m."""
    return f"sqrt(({upper}_forward - {lower}_forward)^2 + ({upper}_up - {lower}_up)^2)"


def _add_segment(model: Model, segment: str, pins: tuple[str, ...], hook: dict[str, tuple[str, str]]) -> None:
    """Thigh or shank with its pins and the hook of the spring, and where the pins are drawn."""
    share, _, gyration, points = SEGMENTS[segment]
    mass, up = f"{share}*body_mass", centre_up(segment)
    points = points | hook | {pin: (f"{pin}_forward", f"{pin}_up") for pin in pins}
    model.body(
        segment, mass=mass, inertia=f"{mass}*({gyration}*{segment}_length)^2", at=_drawn(segment, "0", up),
        angle=f"{segment}_angle", points={name: (x, f"{y} - ({up})") for name, (x, y) in points.items()},
    )  # fmt: skip
    for pin in pins:
        model.point(pin, *_drawn(segment, *points[pin]))


def centre_up(segment: str) -> str:
    """The centre of mass of a segment above the middle of the straight knee, m; points of the body count from it."""
    return f"{SEGMENTS[segment][1]}*{segment}_length"


def _drawn(segment: str, forward: str, up: str) -> tuple[str, str]:
    """Where a point of a segment is at the start."""
    middle = {"thigh": ("0", "-thigh_length"), "shank": ("T_forward", "T_up - thigh_length")}
    (x, y), (dx, dy) = _turned("thigh_angle", *middle[segment]), _turned(f"{segment}_angle", forward, up)
    return f"{x} + {dx}", f"{y} + {dy}"


def _turned(angle: str, x: str, y: str) -> tuple[str, str]:
    return f"({x})*cos({angle}) - ({y})*sin({angle})", f"({x})*sin({angle}) + ({y})*cos({angle})"


def _parted(pins: dict[str, float], flexion: float) -> complex:
    """Where T is, forward and up from K, seen from the thigh, m: on a circle for each link. Of the two places where the
    circles meet, the one on the side of the straight leg, where T is in K."""
    a, b, c, d = (complex(pins[f"{pin}_forward"], pins[f"{pin}_up"]) for pin in "ABCD")
    turn, front, rear = cmath.exp(-1j * flexion), abs(c - a), abs(d - b)
    centre, span, straight = a - turn * c, b - turn * d - (a - turn * c), b - d - (a - c)
    along = (front**2 - rear**2 + abs(span) ** 2) / (2 * abs(span))
    if abs(along) > front:
        At("knee exoskeleton", "start").fail(
            "is out of reach of the links", math.degrees(flexion), "a flexion that the links allow"
        )
    side = math.copysign(math.sqrt(front**2 - along**2), (straight.conjugate() * (c - a)).imag)
    return centre + span / abs(span) * complex(along, side)
