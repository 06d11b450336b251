"""Straight-line linkages, as models and in closed form: Hoeken's four-bar, and the inversor of Peaucellier and Lipkin.

They may be drawn roughly: `rough` moves every drawn point by that fraction of the mechanism size, in directions given by the
seed. The lengths determine the assembled pose, so it must not depend on the drawing.
"""

from __future__ import annotations

import math

import numpy as np

import gaitwright as gw
from mechanisms.linkages import meet

HOEKEN = 0.1
"""Crank, m; the frame is 2, coupler and rocker 2.5 cranks long, and the coupler extends 2.5 beyond its pin."""


def drawn(points: dict[str, complex], rough: float, seed: int, size: float) -> dict[str, tuple[float, float]]:
    """Drawn points: displaced by `rough` sizes in random directions."""
    turn = np.random.default_rng(seed).uniform(0.0, 2 * math.pi, len(points))
    return {
        name: (p.real + rough * size * math.cos(a), p.imag + rough * size * math.sin(a))
        for (name, p), a in zip(points.items(), turn, strict=True)
    }


def hoeken_joint(angle: np.ndarray | float) -> np.ndarray | complex:
    """Joint of coupler and rocker, as a complex number, m: upper intersection of the circles about the crank's pin
    and the rocker's axle."""
    return meet(HOEKEN * np.exp(1j * np.asarray(angle)), 2.5 * HOEKEN, 2 * HOEKEN, 2.5 * HOEKEN, 1)


def hoeken_point(angle: np.ndarray | float) -> np.ndarray | complex:
    """Foot: as far beyond the joint as the crank's pin is before it. Its flat side is below, above the crank."""
    return 2 * hoeken_joint(angle) - HOEKEN * np.exp(1j * np.asarray(angle))


def hoeken_leg(rough: float = 0.0, seed: int = 0, angle: float = 1.0) -> gw.Model:
    """The linkage as a leg with its flat side down; the crank turns counter-clockwise once per second, from `angle`, rad."""
    r = HOEKEN
    points = drawn(
        {"A": r * np.exp(1j * angle), "B": complex(hoeken_joint(angle)), "P": complex(hoeken_point(angle))},
        rough, seed, 2.5 * r,
    )  # fmt: skip
    m = gw.Model("Hoeken leg", parameters={"w": 2 * math.pi})
    m.ground_point("O", 0, 0).ground_point("C", 2 * r, 0).ground_point("hip", 2 * r, 8 * r)
    for name, at in points.items():
        m.point(name, *at)
    m.link("crank", "O", "A", length=r, mass=0.05)
    m.link("coupler", "A", "P", length=5 * r, mass=0.25, points={"B": [0, 0]})
    m.link("rocker", "C", "B", length=2.5 * r, mass=0.125)
    m.drive.rotation("crank", f"{angle} + w*t")
    return m.gait("P", hip="hip", penetration=0.01)


INVERSOR = {"crank": 0.25, "arm": 0.5, "side": 0.2}
"""Inversor of Peaucellier and Lipkin, m. The crank is as long as the distance of its axle from O, so its end passes
through O."""
SWING = 0.9
"""Amplitude of the crank, rad."""


def inversor_points(angle: np.ndarray | float) -> dict[str, np.ndarray | complex]:
    """Crank end D, arm ends A and B, and P, as complex numbers: P is the inverse of D in a circle about O, |OD| |OP|
    = arm^2 - side^2, and lies on the line x = (arm^2 - side^2)/(2 crank)."""
    r, long, side = INVERSOR["crank"], INVERSOR["arm"], INVERSOR["side"]
    d = r + r * np.exp(1j * np.asarray(angle))
    middle = 0.5 * (np.abs(d) + (long**2 - side**2) / np.abs(d))
    way = d / np.abs(d)
    across = 1j * way * np.sqrt(long**2 - middle**2)
    return {"D": d, "A": middle * way + across, "B": middle * way - across, "P": (2 * middle - np.abs(d)) * way}


def inversor(rough: float = 0.0, seed: int = 0) -> gw.Model:
    """Eight bars; the crank oscillates by SWING to either side, once per second."""
    r = INVERSOR["crank"]
    points = drawn({name: complex(p) for name, p in inversor_points(0.3).items()}, rough, seed, INVERSOR["side"])
    m = gw.Model("inversor").ground_point("O", 0, 0).ground_point("C", r, 0)
    for name, at in points.items():
        m.point(name, *at)
    m.link("crank", "C", "D", length=r, mass=0.1)
    for name, ends in {"arm_a": "OA", "arm_b": "OB"}.items():
        m.link(name, *ends, length=INVERSOR["arm"], mass=0.2)
    for ends in ("AD", "DB", "BP", "PA"):
        m.link(f"side_{ends}", *ends, length=INVERSOR["side"], mass=0.1)
    return m.drive.rotation("crank", f"{SWING}*sin(2*pi*t)")
