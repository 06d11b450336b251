"""Gyroscopes: a heavy symmetric top on a pivot, and a wheel in gimbals that a weight pulls at.

The top is Lagrange's (Mecanique analytique, 1788). With I1 about any axis across it through the pivot, I3 about its own axis,
l from the pivot to the centre of mass and w3 the angular velocity about its own axis, which no torque changes, it precesses
steadily at a tilt theta where (Goldstein, Classical Mechanics, section 5.7)

    I1 cos(theta) W^2 - I3 w3 W + m g l = 0

W: precession, rad/s. The smaller of the two solutions is the slow one that one sees; below w3^2 = 4 I1 m g l cos(theta) / I3^2
there is none.
"""

from __future__ import annotations

import math
from typing import Any

from gaitwright.checks import At
from gaitwright.model.model import Model, Number

TILT = "tilt*pi/180"
ACROSS = "mass*(3*radius^2 + thickness^2)/12"
"""Moment of inertia of a disc about a diameter, kg m^2."""
ALONG = "mass*radius^2/2"
STEADY = "2*mass*g*arm/(I3*spin + sqrt((I3*spin)^2 - 4*I1*mass*g*arm*cos(tilt*pi/180)))"
"""The slow solution, written so that it also holds for a top that lies level."""


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
    """A disc on a massless axle whose lower end O rests in a ball joint; z is up.

    spin: rad/s, of the disc about its own axis. tilt: degrees of the axle from the vertical, towards x.
    precession: rad/s, with which the axle begins to go round; that of a steady precession unless given. With 0 it is let go
    at rest, and nutates. mass: kg, of the disc, with radius and thickness in m. arm: m, from O to its centre. All of them are
    parameters of the model. The angles are top.zyz_1 (precession), top.zyz_2 (tilt) and top.zyz_3 (spin)."""
    parameters: dict[str, Number] = {
        "spin": spin, "tilt": tilt, "mass": mass, "radius": radius, "thickness": thickness, "arm": arm, "g": gravity,
        "I1": f"{ACROSS} + mass*arm^2", "I3": ALONG, "precession": STEADY if precession is None else precession,
    }  # fmt: skip
    if precession is None:
        _check_fast_enough(spin, tilt, mass, radius, thickness, arm, gravity)
    model = Model("gyroscope", dimension=3, gravity=(0, 0, "-g"), parameters=parameters)
    model.ground_point("O", 0, 0, 0)
    # angular velocity: spin along the axle and, across it, what precession about the vertical leaves there
    across = f"precession*sin({TILT})"
    turning = [f"spin*sin({TILT}) - {across}*cos({TILT})", 0, f"spin*cos({TILT}) + {across}*sin({TILT})"]
    # the wanted velocity is that of the centre of mass: w x r
    moving = [0, f"{across}*arm", 0]
    model.body(
        "top", mass="mass", inertia=[ACROSS, ACROSS, ALONG], centre=[0, 0, "arm"], orientation={"angles": [0, "tilt", 0]},
        spin=turning, velocity=moving, points={"O": [0, 0, 0], "tip": [0, 0, "1.4*arm"], "rim": ["radius", 0, "arm"]},
        shapes=[
            {"cylinder": ["radius", "thickness"], "at": [0, 0, "arm"]},
            {"cylinder": ["radius/12", "1.4*arm"], "at": [0, 0, "0.7*arm"]},
            {"sphere": "radius/8", "at": ["0.8*radius", 0, "arm + thickness/2"]},  # shows how fast it turns
        ],
    )  # fmt: skip
    return model.spherical("ground.O", "top.O", name="pivot")


def _check_fast_enough(
    spin: float, tilt: float, mass: float, radius: float, thickness: float, arm: float, g: float
) -> None:
    i1, i3 = mass * (3 * radius**2 + thickness**2) / 12 + mass * arm**2, mass * radius**2 / 2
    slowest = 2 * math.sqrt(max(i1 * mass * g * arm * math.cos(math.radians(tilt)), 0.0)) / i3
    if abs(spin) < slowest or spin == 0:
        At("gyroscope", "spin").fail(
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
    """A wheel in two rings: `outer` turns about the vertical z, `inner` in it about a level axis, `wheel` in that about its
    axle. A weight on the axle, fixed to the inner ring, pulls it down; the wheel answers by going round.

    spin: rad/s, of the wheel in the inner ring. tilt: degrees of the axle from the vertical. weight: kg, of the point mass at
    `reach` m from the middle; 0 for a balanced gyroscope, which keeps its direction. ring_mass: kg, of each ring. The rings
    start at rest, so the axle nutates a little. With a level axle it goes round at about weight*g*reach/(I3*spin), in rad/s."""
    parameters: dict[str, Number] = {
        "spin": spin, "tilt": tilt, "weight": weight, "reach": reach, "mass": mass, "radius": radius,
        "thickness": thickness, "ring_mass": ring_mass, "g": gravity, "inside": "1.25*radius", "outside": "1.6*radius",
    }  # fmt: skip
    model = Model("gyroscope in gimbals", dimension=3, gravity=(0, 0, "-g"), parameters=parameters)
    model.ground_point("O", 0, 0, 0)
    tilted = {"angles": [0, "tilt", 0]}
    ring = "ring_mass*{0}^2"
    # the rings are thin hoops: m r^2 about their own normal, half of it about a diameter
    outer, inner = ring.format("outside"), ring.format("inside")
    model.body(
        "outer", mass="ring_mass", inertia=[f"{outer}", f"{outer}/2", f"{outer}/2"], points={"O": [0, 0, 0]},
        shapes=_hoop("outside", "x", "radius/14"),
    )  # fmt: skip
    total, shift = "(ring_mass + weight)", "weight*reach/(ring_mass + weight)"
    more = f"weight*reach^2*ring_mass/{total}"  # of two masses apart, about their common centre
    model.body(
        "inner", mass=total, inertia=[f"{inner}/2 + {more}", f"{inner} + {more}", f"{inner}/2"], centre=[0, 0, shift],
        orientation=tilted, points={"O": [0, 0, 0], "weight": [0, 0, "reach"]},
        shapes=[*_hoop("inside", "y", "radius/14"), {"cylinder": ["radius/14", "reach"], "at": [0, 0, "reach/2"]},
                {"sphere": "radius/4", "at": [0, 0, "reach"]}],
    )  # fmt: skip
    model.body(
        "wheel", mass="mass", inertia=[ACROSS, ACROSS, ALONG], orientation=tilted, points={"O": [0, 0, 0]},
        spin=[f"spin*sin({TILT})", 0, f"spin*cos({TILT})"],
        shapes=[{"cylinder": ["radius", "thickness"]}, {"cylinder": ["radius/14", "2*inside"]},
                {"sphere": "radius/8", "at": ["0.8*radius", 0, "thickness/2"]}],
    )  # fmt: skip
    model.revolute("ground.O", "outer.O", axis=[0, 0, 1], name="upright")
    model.revolute("outer.O", "inner.O", axis=[0, 1, 0], name="level")
    return model.revolute("inner.O", "wheel.O", axis=[0, 0, 1], name="axle")


def _hoop(radius: str, normal: str, thick: str, pieces: int = 18) -> list[dict[str, Any]]:
    """A ring of short capsules for pictures, across x or y."""
    half = math.pi / pieces
    shapes: list[dict[str, Any]] = []
    for k in range(pieces):
        angle = 2 * half * k
        c, s = round(math.cos(angle), 6), round(math.sin(angle), 6)
        # a piece lies along the tangent; angles turn z, its long axis, there
        place = {"x": [0, f"{c}*{radius}", f"{s}*{radius}"], "y": [f"{c}*{radius}", 0, f"{s}*{radius}"]}[normal]
        degrees = round(math.degrees(angle), 3)
        turned = {"angles": {"x": [degrees, 0, 0], "y": [0, -degrees, 0]}[normal]}
        shapes.append({"capsule": [thick, f"{2 * math.sin(half):.6f}*{radius}"], "at": place, "orientation": turned})
    return shapes
