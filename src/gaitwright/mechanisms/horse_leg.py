"""The hind leg of a horse as closed linkages: fourteen links, one crank, and a linear actuator in place of link 3.

Paper 003 chapter 6 prints no length, no mass, no law of the actuator and no hoof. Links 1 to 11 are those of its Table 4.2,
Theo Jansen's leg, out of which chapter 6 makes its own. The rest is REFERENCE G, found by a search for the few numbers
that are printed: a tendon (12) from the point of the hock P, behind E on link 8, to G at the back of the pastern (13), to which
the hoof (14) is welded. The sole is ours.

Link 3 is a bar that turns about O2. Its end B of Jansen's leg slides along it, at a driven distance from O2; the mass of the
bar stays where it is. Fourteen bodies have 42 coordinates; there are as many equations:

    18 pins 36, slot of B in link 3 1, weld of pastern and hoof 3, crank 1, distance of B from O2 1
"""

from __future__ import annotations

from gaitwright.checks import At
from gaitwright.mechanisms.bars import check_lengths
from gaitwright.mechanisms.jansen import LAW, O2_X, O2_Y
from gaitwright.mechanisms.jansen import LINKS as JANSEN
from gaitwright.model.model import Model, Pair
from gaitwright.physics.friction.coulomb import Coulomb

DENSITY = 0.25
"""kg/m, of the links of Table 4.2; those that chapter 6 adds are given the same."""
ADDED = {
    # name: from, to, length (m); the toe is H
    "L12": ("P", "G", 0.4503),
    "L13": ("F", "G", 0.0711),
    "L14": ("hoof", "H", 0.0911),
}
LINKS = {
    **JANSEN,
    "L3": ("O2", "slide", *JANSEN["L3"][2:]),
    **{name: (start, end, length, DENSITY * length) for name, (start, end, length) in ADDED.items()},
}
"""Name to from, to, length (m), mass (kg). Link 3 ends at `slide`, where B is when the actuator is at its mean."""
SOLE = {"sole": 0.03, "sole_angle": 1.0927}
"""m from heel to toe; rad, of the sole against F-H. With this angle the sole is level in the middle of walking stance, as the
thesis describes; length and penetration were picked among 29 pairs for its duty factor and rotation (0.31 and 25 degrees,
printed 0.302 and 26): a fit."""
LENGTHS = {
    **{name: length for name, (_, _, length, _) in LINKS.items()},
    "O2_x": O2_X, "O2_y": O2_Y, "spur": 0.0573, "weld": 0.521, **SOLE,
}  # fmt: skip
"""Parameters of the model: m and, for weld (from L13 to L14) and sole_angle, rad. spur: from E to P."""
GAITS = {
    "walk": {"L3_swing": 0.0, "L3_phase": 0.0},
    "run": {"L3_swing": 0.025, "L3_phase": 5.759586531581287},
}
"""Of the actuator, L3 + L3_swing cos(crank angle - L3_phase): m and rad (330 degrees). REFERENCE G."""
DRAWN = {
    # a drawing in the middle of swing, crank angle pi
    "A": (-0.10, 0.00), "B": (-0.37, 0.20), "slide": (-0.37, 0.20), "C": (-0.50, -0.15), "D": (-0.44, -0.23),
    "E": (-0.65, -0.37), "F": (-0.22, -0.48), "P": (-0.68, -0.41), "G": (-0.25, -0.545), "hoof": (-0.22, -0.48),
    "H": (-0.21, -0.57),
}  # fmt: skip
POINTS: dict[str, dict[str, Pair]] = {
    "L8": {"P": ("L8/2 + spur", "0")},
    "L14": {
        "K": ("L14/2 - sole*cos(sole_angle)", "-sole*sin(sole_angle)"),
        "S": ("L14/2 - sole/2*cos(sole_angle)", "-sole/2*sin(sole_angle)"),
    },
}
"""More points of links, in their frames: P behind the hock, heel and middle of the sole, which ends at the toe H."""
DEPTH = 0.004
"""Penetration of the lowest point of the sole into the ground, m. Not printed; see SOLE."""
CONTACTS = {"heel": "L14.K", "sole": "L14.S", "toe": "L14.H"}
"""Points of the hoof that touch the ground, from heel to toe."""
LOOPS = {
    # name: frame at the input, end of the input link, end of the output link, frame at the output
    "crank and L3": ("O1", "A", "B", "O2"),
    "crank and L7": ("O1", "A", "D", "O2"),
    "thigh": ("O2", "D", "E", "C"),
    "tendon": ("E", "P", "G", "F"),
}
"""The four-bars of the leg, for legs/linkages.py. O2 B C and D E F are triangles."""


def horse_leg(
    gait: str = "walk",
    *,
    l3: str | None = None,
    turns_per_second: float = 1.0,
    clockwise: bool = True,
    gravity: float = 9.81,
    **lengths: float,
) -> Model:
    """The leg with its crank driven at constant speed from the middle of swing; it walks towards +x if it turns clockwise.

    gait: of GAITS. l3: instead of the gait's, the distance of B from O2, m, an expression of t and the parameters, such as
    "L3 + 0.01*sin(2*pi*t)". lengths: of LENGTHS, L3_swing or L3_phase; masses of links go with their lengths. The hoof
    touches the ground with its heel K, the middle of its sole S and its toe H."""
    if gait not in GAITS:
        At(field="gait").fail("is not a gait of this leg", gait, f"one of {', '.join(GAITS)}")
    parameters = {"turns_per_second": turns_per_second, **check_lengths({**LENGTHS, **GAITS[gait]}, lengths)}
    angle = f"pi {'-' if clockwise else '+'} 2*pi*turns_per_second*t"
    law = l3 if l3 is not None else f"L3 + L3_swing*cos({angle} - L3_phase)"
    model = Model(f"horse leg, {gait}", gravity=(0.0, -gravity), parameters=dict(parameters))
    model.ground_point("O1", 0.0, 0.0).ground_point("O2", "O2_x", "O2_y")
    for name, (x, y) in DRAWN.items():
        model.point(name, x, y)
    for name, (start, end, length, mass) in LINKS.items():
        points = POINTS.get(name)
        model.link(name, start, end, length=name, mass=f"{mass}*{name}/{length}", points=points)
    model.fixed("L13.F", "L14.hoof", angle="weld", name="fetlock")
    model.slot("L3.O2", "L4.B", (1, 0), name="slide")
    model.drive_rotation("crank", angle)
    model.drive_distance("ground.O2", "L4.B", law, name="actuator")
    return model.gait(*CONTACTS.values(), drive="crank", hip="O2", penetration=DEPTH, law=LAW, friction=Coulomb(0.4))
