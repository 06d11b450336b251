"""Loads on the surface of a solid: pressure and traction. What they are on one element is said in system/solids/sides.py."""

from gaitwright.physics.declare import Area, Attachment, Force, Signal

ON: dict[str, Attachment] = {"on": Area("region of a solid, such as ball.top")}


class Pressure(Force):
    """p(t), positive when it pushes, normal to the surface as it is deformed: a follower load. Counted as a load."""

    name = "pressure"
    dimensions = (2, 3)
    stands_for_others = True
    attachments = ON
    parameters = {"value": Signal("Pa", "pressure")}


class Traction(Force):
    """Force by undeformed area, components in the ground frame: a dead load."""

    name = "traction"
    dimensions = (2, 3)
    stands_for_others = True
    attachments = ON
    parameters = {"value": Signal("Pa", "components", vector=True)}
