"""Small mechanisms for several tests, and their evaluation with dense NumPy matrices."""

from __future__ import annotations

import math

import numpy as np

import gaitwright as gw
from mechanism.systems import Dense


def drawn_four_bar(a, b, lengths=(0.1, 0.3, 0.25), ground=0.3, masses=(0.3, 0.5, 0.4)):
    """A four-bar with its moving points drawn anywhere; no drive."""
    model = gw.Model("four-bar").ground_point("O", 0, 0).ground_point("C", ground, 0).point("A", *a).point("B", *b)
    for (name, start, end), length, mass in zip(
        (("crank", "O", "A"), ("coupler", "A", "B"), ("rocker", "C", "B")), lengths, masses, strict=True
    ):
        model.link(name, start, end, length=length, mass=mass)
    return model


def parallelogram(angle=1.0, third="pinned", drive=None):
    """Two cranks of 0.3 m, a coupler of 1 m, and a third crank: `pinned` (one constraint too many), `geared` to the first
    (the same motion without redundancy) or None."""
    c, s = 0.3 * math.cos(angle), 0.3 * math.sin(angle)
    model = gw.Model("parallelogram").ground_point("O1", 0, 0).ground_point("O2", 1, 0).ground_point("O3", 0.4, 0)
    model.point("A1", c, s).point("A2", 1 + c, s)
    model.link("crank1", "O1", "A1", mass=0.7, length=0.3).link("crank2", "O2", "A2", mass=0.9, length=0.3)
    model.link("coupler", "A1", "A2", mass=2.0, length=1.0, points={"A3": (-0.1, 0.0)} if third == "pinned" else None)
    if third:
        end = "A3" if third == "pinned" else "B3"
        model.point(end, 0.4 + c, s).link("crank3", "O3", end, mass=1.1, length=0.3)
    if third == "geared":
        model.joint.gear("crank1", "crank3", 1.0, name="gear")
    if drive:
        model.drive.rotation("crank1", drive, name="motor")
    return model


def slider_crank(angle=0.7, drive="crank"):
    """Crank 0.1 m, rod 0.3 m, a block on the x axis. drive: the crank turns at 5 rad/s, the block is pushed, or None."""
    x = 0.1 * math.cos(angle) + math.sqrt(0.09 - (0.1 * math.sin(angle)) ** 2)
    model = gw.Model("slider-crank").ground_point("O", 0, 0)
    model.point("A", 0.1 * math.cos(angle), 0.1 * math.sin(angle)).point("B", x, 0)
    model.link("crank", "O", "A", length=0.1, mass=0.2).link("rod", "A", "B", length=0.3, mass=0.4)
    model.body("block", mass=0.5, inertia=1e-3, at=(x, 0), points={"P": (0.0, 0.0)})
    model.joint.revolute("rod.B", "block.P", name="wrist").joint.prismatic("O", "block.P", (1, 0), name="guide")
    if drive == "crank":
        model.drive.rotation("crank", f"{angle!r} + 5*t")
    elif drive == "block":
        model.drive.position("block.P", x=f"{x!r} - 0.1*t", name="push")
    return model


def five_bar():
    """Two degrees of freedom, a drive on each of the two ground cranks."""
    model = gw.Model("five-bar").ground_point("O", 0, 0).ground_point("C", 0.4, 0)
    model.point("A", -0.1, 0.17).point("B", 0.2, 0.45).point("D", 0.5, 0.17)
    model.link("left", "O", "A", length=0.2, mass=0.3).link("upper-left", "A", "B", length=0.4, mass=0.5)
    model.link("upper-right", "D", "B", length=0.4, mass=0.6).link("right", "C", "D", length=0.2, mass=0.4)
    model.drive.rotation("left", "2.1 + 0.5*sin(3*t)", name="m1").drive.rotation(
        "right", "1.0 - 0.4*sin(5*t)", name="m2"
    )
    return model


def minimum_norm_multipliers(mechanism, run, k):
    """Multipliers of all rows at sample k by the pseudo-inverse: J^T lambda = Q - M a, smallest |lambda|."""
    dense = Dense(mechanism.system, run.time[k])
    q, v, a = run.motion.q[k], run.motion.v[k], run.motion.a[k]
    right = dense.force(q, v) - dense.M @ a[:-1]
    jacobian = dense.jacobian(q)
    return np.linalg.pinv(jacobian.T, rcond=1e-9) @ right, np.abs(right).max()
