"""The mechanisms of the verification tests as models, built from the data in `analytical.py` and `benchmarks.py`.

Drawn positions are deliberately rough where a mechanism has two ways to close: the drawing picks the way, the lengths
count.
"""

from __future__ import annotations

import cmath
from collections.abc import Sequence

import numpy as np

import gaitwright as gw
from gaitwright.result.result import Result
from verification import analytical as an
from verification import benchmarks as bm

#: Crank-rocker used by several files, m: crank, coupler, rocker, ground. Grashof: 0.2 + 0.4 < 0.35 + 0.3.
CRANK_ROCKER = (0.2, 0.35, 0.3, 0.4)


def hanging_rod(
    angle: float, rate: float = 0.0, *, length: float = 1.0, mass: float = 1.0, gravity: float = an.G
) -> gw.Model:
    """A uniform rod on a pin at the origin; `angle` from the hanging position, as in `analytical.pendulum_motion`."""
    z = -1j * length * cmath.exp(1j * angle)
    v = 1j * rate * z
    model = gw.Model("rod", gravity=(0.0, -gravity))
    model.ground_point("O", 0.0, 0.0).point("P", z.real, z.imag).velocity("P", v.real, v.imag)
    return model.link("rod", "O", "P", length=length, mass=mass)


def point_pendulum(side: int) -> gw.Model:
    """IFToMM A01: a point mass on a massless bar. The body's own rotation is free and stays at rest."""
    model = gw.Model("A01").ground_point("O", 0.0, 0.0)
    model.body("P1", mass=1.0, inertia=1.0, at=(float(side), 0.0))
    return model.joint.distance("ground.O", "P1", length=1.0, name="bar")


def four_bar(
    lengths: Sequence[float],
    angle: float,
    *,
    branch: int = 1,
    drive: str | None = None,
    density: float = 1.0,
    gravity: float = an.G,
    rough: complex = 0j,
) -> gw.Model:
    """O=(0,0), A, B, C=(ground,0) with bars of `density` kg/m; B drawn on the side `branch` of A -> C, off by `rough`."""
    crank, coupler, rocker, ground = lengths
    a, c = an.crank_point(crank, angle), an.fixed_point(ground, angle)
    a0, b0 = complex(a[0]), complex(an.dyad(a, c, coupler, rocker, branch)[0]) + rough
    model = gw.Model("four-bar", gravity=(0.0, -gravity))
    model.ground_point("O", 0.0, 0.0).ground_point("C", ground, 0.0)
    model.point("A", a0.real, a0.imag).point("B", b0.real, b0.imag)
    model.link("crank", "O", "A", length=crank, mass=density * crank)
    model.link("coupler", "A", "B", length=coupler, mass=density * coupler)
    model.link("rocker", "C", "B", length=rocker, mass=density * rocker)
    return model.drive.rotation("crank", drive) if drive is not None else model


def slider_crank(
    s: an.SliderCrank, angle: float, *, side: int = 1, drive: str | None = None, gravity: float = an.G
) -> gw.Model:
    """Crank at the origin, slider on y = offset, drawn on the side +x or -x of the crank pin.

    Roughly with a drive: the rod too short, its end off the guide. Exactly without one, where the drawn angle counts."""
    a = complex(an.crank_point(s.crank, angle)[0])
    reach, miss = (0.8, 0.05) if drive is not None else (np.sqrt(1 - ((s.offset - a.imag) / s.rod) ** 2), 0.0)
    x = a.real + side * reach * s.rod
    model = gw.Model("slider-crank", gravity=(0.0, -gravity))
    model.ground_point("O", 0.0, 0.0).ground_point("G", 0.0, s.offset)
    model.point("A", a.real, a.imag).point("B", x, s.offset + miss * s.rod)
    model.link("crank", "O", "A", length=s.crank, mass=s.crank_mass, inertia=s.crank_inertia)
    model.link("rod", "A", "B", length=s.rod, mass=s.rod_mass, inertia=s.rod_inertia)
    model.body("slider", mass=s.slider_mass, inertia=1e-3, at=(x, s.offset))
    model.joint.revolute("rod.B", "slider", name="pin").joint.prismatic("ground.G", "slider", (1, 0), name="guide")
    return model.drive.rotation("crank", drive) if drive is not None else model


def andrews() -> gw.Model:
    """Andrews' squeezing mechanism in its published start pose: seven bodies, ten pins, a spring and a torque."""
    model = gw.Model("Andrews squeezing mechanism", gravity=(0.0, 0.0))
    for name, (x, y) in bm.ANDREWS_GROUND.items():
        model.ground_point(name, x, y)
    poses = bm.andrews_poses(bm.ANDREWS_ANGLES_0)
    for name, body in bm.ANDREWS_BODIES.items():
        x, y, angle = poses[name]
        model.body(name, mass=body.mass, inertia=body.inertia, at=(x, y), angle=angle, points=body.points)
    for a, b in bm.ANDREWS_JOINTS:
        model.joint.revolute(a, b, name=f"{a}-{b}".replace(".", "-"))
    model.force.spring_damper(
        "ground.C", "K3.D", stiffness=bm.ANDREWS_SPRING_STIFFNESS, rest_length=bm.ANDREWS_SPRING_LENGTH, name="spring"
    )
    return model.force.torque("K1", bm.ANDREWS_TORQUE, name="motor")


def n_four_bar(windows: int, speed: float = 1.0) -> gw.Model:
    """IFToMM A02: `windows` four-bars of 1 m, 1 kg rods in a row, upright, moving with `speed` in +x."""
    ground, moving, rods = bm.n_four_bar_rods(windows)
    model = gw.Model(f"{windows}-four-bar")
    for name, (x, y) in ground.items():
        model.ground_point(name, x, y)
    for name, (x, y) in moving.items():
        model.point(name, x, y)
    for name, start, end in rods:
        model.link(name, start, end, length=1.0, mass=1.0)
    return model.velocity("B0", speed, 0.0)


def complex_of(run: Result, name: str, order: int = 0) -> np.ndarray:
    """Position (order 0), velocity (1) or acceleration (2) of a point or body of a result as x + i y."""
    x, y = (("x", "y"), ("vx", "vy"), ("ax", "ay"))[order]
    return run.array(f"{name}.{x}") + 1j * run.array(f"{name}.{y}")
