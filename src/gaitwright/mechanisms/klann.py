"""Klann's leg: a crank, a connecting rod guided by two rockers, and a bent leg. J. C. Klann, US patent 6,260,862 (2001).

The patent draws an example with pins given by coordinates, without a unit: crank shaft (1.599, 0.750), axles of the rockers
(1.009, 0.574) and (1.366, 1.366), crank 0.268. The table below has these relative to the crank shaft, and the distances of the
other pins in the drawing. The rod is bent by 12.83 degrees at the elbow B, the leg by 30 degrees at the knee C. The plans of
diywalkers.com ("Klann's Linkage Plans") have the same lengths, to four digits.
"""

from __future__ import annotations

from gaitwright.mechanisms.bar_tables import check_lengths
from gaitwright.mechanisms.jansen import CONTACT_LAW, FRICTION_LAW
from gaitwright.model.model import Model

LINKS = {
    # name: from, to, length in the patent's unit
    "crank": ("O1", "A", 0.268),
    "inner_rod": ("A", "B", 0.590),
    "outer_rod": ("B", "C", 0.5221),
    "lower_rocker": ("O2", "B", 0.3206),
    "upper_rocker": ("O3", "D", 0.5177),
    "upper_leg": ("D", "C", 0.8966),
    "lower_leg": ("C", "F", 0.8966),
}
ROCKER_AXLES = {"O2_x": -0.590, "O2_y": -0.176, "O3_x": -0.233, "O3_y": 0.616}
"""Axles of the rockers relative to the crank shaft, in the patent's unit."""
BEND_ANGLES_DEG = {"rod_bend": 12.83, "leg_bend": 30.0}
"""Bends, degrees: the rod bends clockwise at the elbow, going away from the crank; the leg counter-clockwise at the
knee."""
DRAWN_POINTS = {
    # a rough drawing at crank angle 0, in the patent's unit; the assembly solver corrects it
    "A": (0.27, 0.00),
    "B": (-0.32, 0.00),
    "C": (-0.83, 0.12),
    "D": (-0.60, 0.98),
    "F": (-0.60, -0.75),
}
FOOT_PENETRATION_RATIO = 0.22
"""Penetration of the foot into the ground, in crank lengths: the lower part of the foot curve is concave by 0.21 of
them."""
PATENT_LENGTHS = {name: length for name, (_, _, length) in LINKS.items()} | ROCKER_AXLES


def klann_leg(
    *,
    turns_per_second: float = 1.0,
    clockwise: bool = True,
    size: float = 0.1,
    mass_per_length: float = 0.25,
    gravity: float = 9.81,
    **lengths: float,
) -> Model:
    """The patent's example with its crank driven at constant speed; the foot is point F. With a clockwise crank it walks
    towards -x, because the leg is behind the crank.

    size: m, length of the crank to which the whole leg is scaled. lengths: m, of links by their name, O2_x, O2_y, O3_x and
    O3_y, and the bends rod_bend and leg_bend, degrees. All of them are parameters of the model. mass_per_length: of all
    bars, kg/m; as in paper 003. Rod and leg are two bars each; the moments in their bends are those of the joints `elbow`
    and `knee`."""
    scale = size / LINKS["crank"][2]
    scaled = {name: round(scale * length, 6) for name, length in PATENT_LENGTHS.items()} | BEND_ANGLES_DEG
    parameters = {"turns_per_second": turns_per_second, "mass_per_length": mass_per_length}
    model = Model("Klann leg", gravity=(0.0, -gravity), parameters={**parameters, **check_lengths(scaled, lengths)})
    model.ground_point("O1", 0.0, 0.0).ground_point("O2", "O2_x", "O2_y").ground_point("O3", "O3_x", "O3_y")
    for name, (x, y) in DRAWN_POINTS.items():
        model.point(name, round(scale * x, 3), round(scale * y, 3))
    for name, (start, end, _) in LINKS.items():
        model.link(name, start, end, length=name, mass=f"mass_per_length*{name}")
    # A gear with the ratio 1 constrains only the relative angle; the pins exist already.
    model.joint("gear", "elbow", a="inner_rod", b="outer_rod", ratio=1, offset="-rod_bend*pi/180")
    model.joint("gear", "knee", a="upper_leg", b="lower_leg", ratio=1, offset="leg_bend*pi/180")
    model.drive.rotation("crank", f"{'-' if clockwise else ''}2*pi*turns_per_second*t")
    return model.gait(
        "F", hip="O1", penetration=f"{FOOT_PENETRATION_RATIO}*crank", law=CONTACT_LAW, friction=FRICTION_LAW
    )
