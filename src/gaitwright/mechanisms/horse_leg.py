"""The hind leg of a horse as closed linkages: fourteen links, one crank, and a linear actuator in place of link 3.

Paper 003 chapter 6 prints no length, no mass, no law of the actuator and no hoof. Links 1 to 11 are those of its Table 4.2,
Theo Jansen's leg, from which chapter 6 derives its own. The rest is not printed but identified by a search from the few printed
numbers: a tendon (12) from the point of the hock P, behind E on link 8, to G at the back of the pastern (13), to which the hoof
(14) is welded. The sole is ours.

Link 3 is a bar that rotates about O2. Point B of Jansen's leg slides along it, at a driven distance from O2; the mass
of the bar does not move along it. Fourteen bodies have 42 coordinates; there are as many equations:

    18 pins 36, slot of B in link 3 1, weld of pastern and hoof 3, crank 1, distance of B from O2 1
"""

from __future__ import annotations

from gaitwright._core.error_context import ErrorContext
from gaitwright.mechanisms.bar_tables import check_lengths
from gaitwright.mechanisms.jansen import CONTACT_LAW, O2_X, O2_Y
from gaitwright.mechanisms.jansen import LINKS as JANSEN
from gaitwright.model.model import Model, VectorLike
from gaitwright.physics.friction.coulomb import Coulomb

LINK_DENSITY_KG_PER_M = 0.25
"""Mass per length of the links of Table 4.2, kg/m; also assumed for those that chapter 6 adds."""
ADDED_LINKS = {
    # name: from, to, length (m); H is the toe
    "L12": ("P", "G", 0.4503),
    "L13": ("F", "G", 0.0711),
    "L14": ("hoof", "H", 0.0911),
}
LINKS = {
    **JANSEN,
    "L3": ("O2", "slide", *JANSEN["L3"][2:]),
    **{
        name: (start, end, length, LINK_DENSITY_KG_PER_M * length) for name, (start, end, length) in ADDED_LINKS.items()
    },
}
"""Name to from, to, length (m), mass (kg). Link 3 ends at `slide`, the mean position of B."""
SOLE_PARAMETERS = {"sole": 0.03, "sole_angle": 1.0927}
"""sole: length from heel to toe, m; sole_angle: of the sole from F-H, rad. With this angle the sole is level in the middle of
walking stance, as the thesis describes. Length and penetration are a fit: selected among 29 pairs for duty factor and rotation
(0.31 and 25 degrees, printed 0.302 and 26)."""
GEOMETRY_PARAMETERS = {
    **{name: length for name, (_, _, length, _) in LINKS.items()},
    "O2_x": O2_X, "O2_y": O2_Y, "spur": 0.0573, "weld": 0.521, **SOLE_PARAMETERS,
}  # fmt: skip
"""Parameters of the model, m; weld (from L13 to L14) and sole_angle, rad. spur: from E to P."""
GAIT_PARAMETERS = {
    "walk": {"L3_swing": 0.0, "L3_phase": 0.0},
    "run": {"L3_swing": 0.025, "L3_phase": 5.759586531581287},
}
"""Parameters of the actuator law, L3 + L3_swing cos(crank angle - L3_phase): m and rad (330 degrees), from the same search."""
DRAWN_POINTS = {
    # a drawing in the middle of swing, crank angle pi
    "A": (-0.10, 0.00), "B": (-0.37, 0.20), "slide": (-0.37, 0.20), "C": (-0.50, -0.15), "D": (-0.44, -0.23),
    "E": (-0.65, -0.37), "F": (-0.22, -0.48), "P": (-0.68, -0.41), "G": (-0.25, -0.545), "hoof": (-0.22, -0.48),
    "H": (-0.21, -0.57),
}  # fmt: skip
LINK_POINTS: dict[str, dict[str, VectorLike]] = {
    "L8": {"P": ("L8/2 + spur", "0")},
    "L14": {
        "K": ("L14/2 - sole*cos(sole_angle)", "-sole*sin(sole_angle)"),
        "S": ("L14/2 - sole/2*cos(sole_angle)", "-sole/2*sin(sole_angle)"),
    },
}
"""Further points of links, in link frames: P behind the hock, heel and middle of the sole, which ends at the toe H."""
SOLE_PENETRATION_M = 0.004
"""Penetration of the lowest point of the sole into the ground, m. Not printed; see SOLE_PARAMETERS."""
CONTACT_POINTS = {"heel": "L14.K", "sole": "L14.S", "toe": "L14.H"}
"""Contact points of the hoof, from heel to toe."""
FOUR_BAR_LOOPS = {
    # name: frame at the input, end of the input link, end of the output link, frame at the output
    "crank and L3": ("O1", "A", "B", "O2"),
    "crank and L7": ("O1", "A", "D", "O2"),
    "thigh": ("O2", "D", "E", "C"),
    "tendon": ("E", "P", "G", "F"),
}
"""Four-bars of the leg, for legs/linkages.py. O2 B C and D E F are triangles."""


def horse_leg(
    gait: str = "walk",
    *,
    l3: str | None = None,
    turns_per_second: float = 1.0,
    clockwise: bool = True,
    gravity: float = 9.81,
    **lengths: float,
) -> Model:
    """The leg with its crank driven at constant speed from the middle of swing; it walks towards +x with a clockwise crank.

    gait: a key of GAIT_PARAMETERS. l3: replaces the gait's law for the distance of B from O2, m, an expression of t and the
    parameters, such as "L3 + 0.01*sin(2*pi*t)". lengths: names in GEOMETRY_PARAMETERS, L3_swing or L3_phase; link masses are
    proportional to lengths. The hoof has three contact points: heel K, middle of the sole S and toe H."""
    if gait not in GAIT_PARAMETERS:
        ErrorContext(field="gait").fail("is not a gait of this leg", gait, f"one of {', '.join(GAIT_PARAMETERS)}")
    parameters = {
        "turns_per_second": turns_per_second,
        **check_lengths({**GEOMETRY_PARAMETERS, **GAIT_PARAMETERS[gait]}, lengths),
    }
    angle = f"pi {'-' if clockwise else '+'} 2*pi*turns_per_second*t"
    law = l3 if l3 is not None else f"L3 + L3_swing*cos({angle} - L3_phase)"
    model = Model(f"horse leg, {gait}", gravity=(0.0, -gravity), parameters=dict(parameters))
    model.ground_point("O1", 0.0, 0.0).ground_point("O2", "O2_x", "O2_y")
    for name, (x, y) in DRAWN_POINTS.items():
        model.point(name, x, y)
    for name, (start, end, length, mass) in LINKS.items():
        points = LINK_POINTS.get(name)
        model.link(name, start, end, length=name, mass=f"{mass}*{name}/{length}", points=points)
    model.joint.fixed("L13.F", "L14.hoof", angle="weld", name="fetlock")
    model.joint.slot("L3.O2", "L4.B", (1, 0), name="slide")
    model.drive.rotation("crank", angle)
    model.drive.distance("ground.O2", "L4.B", law, name="actuator")
    return model.gait(
        *CONTACT_POINTS.values(),
        drive="crank",
        hip="O2",
        penetration=SOLE_PENETRATION_M,
        law=CONTACT_LAW,
        friction=Coulomb(0.4),
    )
