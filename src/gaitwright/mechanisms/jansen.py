"""Theo Jansen's leg: eleven links, one crank. Paper 003 Table 4.2, geometry as read in section 4.1.2.

The thesis gives |O1 O2| = 0.257 m; the offset a_y is not printed. a_y = -7.8 * 0.1 / 15 m (Jansen's own proportions 38 and
7.8 for a crank of 15) gives the flattest foot curve and the thesis's step length.
"""

from __future__ import annotations

from gaitwright.mechanisms.bar_tables import add_bars, check_lengths
from gaitwright.model.model import Model
from gaitwright.physics.contact_laws.lankarani_nikravesh import LankaraniNikravesh
from gaitwright.physics.friction.coulomb import Coulomb

LINKS = {
    # name: from, to, length (m), mass (kg): Table 4.2
    "crank": ("O1", "A", 0.100, 0.025),
    "L2": ("A", "B", 0.333, 0.083),
    "L3": ("O2", "B", 0.277, 0.069),
    "L4": ("B", "C", 0.372, 0.093),
    "L5": ("O2", "C", 0.267, 0.067),
    "L6": ("A", "D", 0.413, 0.103),
    "L7": ("O2", "D", 0.262, 0.066),
    "L8": ("C", "E", 0.263, 0.066),
    "L9": ("D", "E", 0.245, 0.061),
    "L10": ("D", "F", 0.327, 0.082),
    "L11": ("E", "F", 0.438, 0.110),
}
DRAWN_POINTS = {
    # a rough drawing at crank angle 0; the assembly solver corrects it
    "A": (0.10, 0.0),
    "B": (-0.13, 0.20),
    "C": (-0.50, 0.03),
    "D": (-0.23, -0.30),
    "E": (-0.46, -0.22),
    "F": (-0.30, -0.60),
}
FOOT_PENETRATION_M = 0.008
"""Penetration of the foot into the ground, m: Table 4.3."""
CONTACT_LAW, FRICTION_LAW = LankaraniNikravesh(stiffness=2e4, restitution=0.0), Coulomb(0.4)
"""Table 4.1; the stiffness is printed in N/m, but belongs to an exponent of 1.5: N/m^1.5."""
O2_Y = -7.8 * 0.1 / 15
O2_X = -((0.257**2 - O2_Y**2) ** 0.5)


LENGTHS_M = {name: length for name, (_, _, length, _) in LINKS.items()} | {"O2_x": O2_X, "O2_y": O2_Y}
"""Lengths, m, by the names of the model's parameters."""


def jansen_leg(
    *, turns_per_second: float = 1.0, clockwise: bool = True, gravity: float = 9.81, **lengths: float
) -> Model:
    """The leg of paper 003 with its crank driven at constant speed; the foot is point F.

    turns_per_second: speed of the crank. clockwise: direction, as in the thesis. lengths: m, of links by their name, O2_x
    and O2_y; link masses are proportional to lengths. All of them are parameters of the model."""
    parameters = {"turns_per_second": turns_per_second, **check_lengths(LENGTHS_M, lengths)}
    model = Model("Theo Jansen leg", gravity=(0.0, -gravity), parameters=dict(parameters))
    model.ground_point("O1", 0.0, 0.0).ground_point("O2", "O2_x", "O2_y")
    add_bars(model, LINKS, DRAWN_POINTS)
    model.drive.rotation("crank", f"{'-' if clockwise else ''}2*pi*turns_per_second*t")
    return model.gait("F", hip="O2", penetration=FOOT_PENETRATION_M, law=CONTACT_LAW, friction=FRICTION_LAW)
