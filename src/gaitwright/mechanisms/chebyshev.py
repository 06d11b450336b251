"""Chebyshev's leg (plantigrade machine): six links, one crank. Paper 003 section 4.1.1, Eq 4.3 and Table 4.2.

Eq 4.3 has its coordinates at the middle of the links, so its l_i are half of the lengths of Table 4.2. A, B, C are collinear:
the coupler A B and its extension B C are separate links with the same angle. The shank C D stays upright and the foot D E
level, so E follows the curve of C. The thesis prints "theta_6 - theta_6" for the last of these conditions, which can only mean
that theta_6 is constant; it is 0 here, as drawn in the thesis's Fig 4-2.
"""

from __future__ import annotations

from gaitwright.mechanisms.bar_tables import add_bars, check_lengths
from gaitwright.mechanisms.jansen import CONTACT_LAW, FRICTION_LAW
from gaitwright.model.model import Model

LINKS = {
    # name: from, to, length (m), mass (kg): Table 4.2; ends in the order of Eq 4.3, so that the angles agree
    "crank": ("O1", "A", 0.100, 0.025),
    "L2": ("A", "B", 0.282, 0.071),
    "L3": ("O2", "B", 0.282, 0.071),
    "L4": ("B", "C", 0.282, 0.071),
    "L5": ("D", "C", 0.793, 0.198),
    "L6": ("D", "E", 0.050, 0.013),
}
DRAWN_POINTS = {
    # a rough drawing at crank angle 0, the middle of stance; the assembly solver corrects it
    "A": (0.10, 0.00),
    "B": (-0.06, 0.23),
    "C": (-0.22, 0.46),
    "D": (-0.22, -0.33),
    "E": (-0.17, -0.33),
}
O2_X = -0.222


FOOT_PENETRATION_M = 0.002
"""Penetration of the foot into the ground, m: Table 4.3."""
LENGTHS_M = {name: length for name, (_, _, length, _) in LINKS.items()} | {"O2_x": O2_X}
"""Lengths, m, by the names of the model's parameters."""


def chebyshev_leg(
    *, turns_per_second: float = 1.0, clockwise: bool = True, gravity: float = 9.81, **lengths: float
) -> Model:
    """The leg of paper 003 with its crank driven at constant speed; the foot is point E.

    turns_per_second: speed of the crank. clockwise: direction, as in the thesis. lengths: m, of links by their name, and
    O2_x; link masses are proportional to their lengths. All of them are parameters of the model. The constraints that keep
    shank and foot from rotating (in the machine: the other legs) appear as the torques of the joints `upright` and `level`."""
    parameters = {"turns_per_second": turns_per_second, **check_lengths(LENGTHS_M, lengths)}
    model = Model("Chebyshev leg", gravity=(0.0, -gravity), parameters=dict(parameters))
    model.ground_point("O1", 0.0, 0.0).ground_point("O2", "O2_x", 0.0)
    add_bars(model, LINKS, DRAWN_POINTS)
    # A gear with the ratio 1 constrains only the relative angle; the pins exist already.
    model.joint("gear", "straight", a="L2", b="L4", ratio=1, offset=0)
    model.joint("gear", "upright", a="ground", b="L5", ratio=1, offset="pi/2")
    model.joint("gear", "level", a="ground", b="L6", ratio=1, offset=0)
    model.drive.rotation("crank", f"{'-' if clockwise else ''}2*pi*turns_per_second*t")
    return model.gait("E", hip="O1", penetration=FOOT_PENETRATION_M, law=CONTACT_LAW, friction=FRICTION_LAW)
