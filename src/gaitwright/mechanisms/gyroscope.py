"""Gyroscopes: a heavy symmetric top on a pivot, and a wheel in gimbals loaded by a weight.

The top is Lagrange's (Mecanique analytique, 1788). I1 is the inertia about any transverse axis through the pivot, I3 that about
its own axis, l the distance from the pivot to the centre of mass, and w3 the angular velocity about its own axis, which no
torque changes. It precesses steadily at a tilt theta if (Goldstein, Classical Mechanics, section 5.7)

    I1 cos(theta) W^2 - I3 w3 W + m g l = 0

W: precession, rad/s. The smaller solution is the slow precession usually observed. There is none if
w3^2 < 4 I1 m g l cos(theta) / I3^2.
"""

from __future__ import annotations

import math
from typing import Any

from gaitwright._core.error_context import ErrorContext
from gaitwright.model.model import Model, NumberLike

TILT_RAD = "tilt*pi/180"
DIAMETER_INERTIA = "mass*(3*radius^2 + thickness^2)/12"
"""Moment of inertia of a disc about a diameter, kg m^2."""
AXIAL_INERTIA = "mass*radius^2/2"
STEADY_PRECESSION = "2*mass*g*arm/(I3*spin + sqrt((I3*spin)^2 - 4*I1*mass*g*arm*cos(tilt*pi/180)))"
"""The slow solution, in a form that is also valid for a horizontal axle."""


def gyroscope(
    spin: float = 250.0,
    tilt: float = 60.0,
    *,
    precession: float | None = None,
    mass: float = 0.2,
    radius: float = 0.04,
    thickness: float = 0.01,
    arm: float = 0.06,
    gravity: float = 9.81,
) -> Model:
    """A disc on a massless axle, the lower end O of which rests in a ball joint; z is up.

    spin: rad/s, of the disc about its own axis. tilt: degrees of the axle from the vertical, towards x. precession: rad/s,
    initial precession of the axle; default: the steady one. With 0 it is released at rest, and nutates. mass: kg, of the
    disc, with radius and thickness in m. arm: m, from O to its centre. All of them are parameters of the model. The angles
    are top.zyz_1 (precession), top.zyz_2 (tilt) and top.zyz_3 (spin). Raises an error if the spin is too low for a steady
    precession."""
    parameters: dict[str, NumberLike] = {
        "spin": spin,
        "tilt": tilt,
        "mass": mass,
        "radius": radius,
        "thickness": thickness,
        "arm": arm,
        "g": gravity,
        "I1": f"{DIAMETER_INERTIA} + mass*arm^2",
        "I3": AXIAL_INERTIA,
        "precession": STEADY_PRECESSION if precession is None else precession,
    }
    if precession is None:
        _check_fast_enough(spin, tilt, mass, radius, thickness, arm, gravity)
    model = Model("gyroscope", dimension=3, gravity=(0, 0, "-g"), parameters=parameters)
    model.ground_point("O", 0, 0, 0)
    # angular velocity: spin along the axle plus the component of the vertical precession perpendicular to it
    transverse_rate = f"precession*sin({TILT_RAD})"
    angular_velocity = [
        f"spin*sin({TILT_RAD}) - {transverse_rate}*cos({TILT_RAD})",
        0,
        f"spin*cos({TILT_RAD}) + {transverse_rate}*sin({TILT_RAD})",
    ]
    # the initial velocity is that of the centre of mass: w x r
    centre_velocity = [0, f"{transverse_rate}*arm", 0]
    model.body(
        "top",
        mass="mass",
        inertia=[DIAMETER_INERTIA, DIAMETER_INERTIA, AXIAL_INERTIA],
        centre=[0, 0, "arm"],
        orientation={"angles": [0, "tilt", 0]},
        spin=angular_velocity,
        velocity=centre_velocity,
        points={"O": [0, 0, 0], "tip": [0, 0, "1.4*arm"], "rim": ["radius", 0, "arm"]},
        shapes=[
            {"cylinder": ["radius", "thickness"], "at": [0, 0, "arm"]},
            {"cylinder": ["radius/12", "1.4*arm"], "at": [0, 0, "0.7*arm"]},
            {"sphere": "radius/8", "at": ["0.8*radius", 0, "arm + thickness/2"]},  # makes the rotation visible
        ],
    )
    return model.joint.spherical("ground.O", "top.O", name="pivot")


def _check_fast_enough(
    spin: float, tilt: float, mass: float, radius: float, thickness: float, arm: float, g: float
) -> None:
    i1, i3 = mass * (3 * radius**2 + thickness**2) / 12 + mass * arm**2, mass * radius**2 / 2
    slowest = 2 * math.sqrt(max(i1 * mass * g * arm * math.cos(math.radians(tilt)), 0.0)) / i3
    if abs(spin) < slowest or spin == 0:
        ErrorContext("gyroscope", "spin").fail(
            "is too slow for a steady precession", spin, f"at least {slowest:.4g} rad/s, or a given precession"
        )


def gimbal_gyroscope(
    spin: float = 250.0,
    tilt: float = 90.0,
    *,
    weight: float = 0.05,
    reach: float = 0.08,
    mass: float = 0.2,
    radius: float = 0.04,
    thickness: float = 0.01,
    ring_mass: float = 0.03,
    gravity: float = 9.81,
) -> Model:
    """A wheel in two rings: `outer` turns about the vertical z, `inner` in it about a horizontal axis, `wheel` in that about
    its axle. A weight on the axle, fixed to the inner ring, pulls it down; the wheel responds with a precession.

    spin: rad/s, of the wheel in the inner ring. tilt: degrees of the axle from the vertical. weight: kg, of the point mass
    at `reach` m from the middle; 0 for a balanced gyroscope, which keeps its direction. ring_mass: kg, of each ring. The
    rings start at rest, so the axle nutates slightly. With a horizontal axle the precession is about
    weight*g*reach/(I3*spin), in rad/s."""
    parameters: dict[str, NumberLike] = {
        "spin": spin,
        "tilt": tilt,
        "weight": weight,
        "reach": reach,
        "mass": mass,
        "radius": radius,
        "thickness": thickness,
        "ring_mass": ring_mass,
        "g": gravity,
        "inside": "1.25*radius",
        "outside": "1.6*radius",
    }
    model = Model("gyroscope in gimbals", dimension=3, gravity=(0, 0, "-g"), parameters=parameters)
    model.ground_point("O", 0, 0, 0)
    orientation = {"angles": [0, "tilt", 0]}
    ring = "ring_mass*{0}^2"
    # the rings are thin hoops: m r^2 about their own normal, half of it about a diameter
    outer, inner = ring.format("outside"), ring.format("inside")
    model.body(
        "outer",
        mass="ring_mass",
        inertia=[f"{outer}", f"{outer}/2", f"{outer}/2"],
        points={"O": [0, 0, 0]},
        shapes=_ring_shapes("outside", "x", "radius/14"),
    )
    total, shift = "(ring_mass + weight)", "weight*reach/(ring_mass + weight)"
    transverse_part = f"weight*reach^2*ring_mass/{total}"  # of two separate masses, about their common centre
    model.body(
        "inner",
        mass=total,
        inertia=[f"{inner}/2 + {transverse_part}", f"{inner} + {transverse_part}", f"{inner}/2"],
        centre=[0, 0, shift],
        orientation=orientation,
        points={"O": [0, 0, 0], "weight": [0, 0, "reach"]},
        shapes=[
            *_ring_shapes("inside", "y", "radius/14"),
            {"cylinder": ["radius/14", "reach"], "at": [0, 0, "reach/2"]},
            {"sphere": "radius/4", "at": [0, 0, "reach"]},
        ],
    )
    model.body(
        "wheel",
        mass="mass",
        inertia=[DIAMETER_INERTIA, DIAMETER_INERTIA, AXIAL_INERTIA],
        orientation=orientation,
        points={"O": [0, 0, 0]},
        spin=[f"spin*sin({TILT_RAD})", 0, f"spin*cos({TILT_RAD})"],
        shapes=[
            {"cylinder": ["radius", "thickness"]},
            {"cylinder": ["radius/14", "2*inside"]},
            {"sphere": "radius/8", "at": ["0.8*radius", 0, "thickness/2"]},
        ],
    )
    model.joint.revolute("ground.O", "outer.O", axis=[0, 0, 1], name="upright")
    model.joint.revolute("outer.O", "inner.O", axis=[0, 1, 0], name="level")
    return model.joint.revolute("inner.O", "wheel.O", axis=[0, 0, 1], name="axle")


def _ring_shapes(radius: str, normal: str, thickness: str, pieces: int = 18) -> list[dict[str, Any]]:
    """Ring of short capsules for pictures, perpendicular to x or y."""
    half = math.pi / pieces
    shapes: list[dict[str, Any]] = []
    for k in range(pieces):
        angle = 2 * half * k
        c, s = round(math.cos(angle), 6), round(math.sin(angle), 6)
        # a piece lies along the tangent; the angles rotate z, its long axis, to it
        centre = {"x": [0, f"{c}*{radius}", f"{s}*{radius}"], "y": [f"{c}*{radius}", 0, f"{s}*{radius}"]}[normal]
        degrees = round(math.degrees(angle), 3)
        orientation = {"angles": {"x": [degrees, 0, 0], "y": [0, -degrees, 0]}[normal]}
        shapes.append(
            {"capsule": [thickness, f"{2 * math.sin(half):.6f}*{radius}"], "at": centre, "orientation": orientation}
        )
    return shapes
