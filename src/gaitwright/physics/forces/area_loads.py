"""Loads on the surface of a solid: pressure and traction. Their form on one element is in fem/side_loads.py."""

from gaitwright.physics.attachments import SolidRegion
from gaitwright.physics.declarations import Attachment, Force
from gaitwright.physics.parameters import Signal

REGION_ATTACHMENT: dict[str, Attachment] = {"on": SolidRegion("region of a solid, such as ball.top")}


class Pressure(Force):
    """Pressure p(t), positive if it pushes, normal to the deformed surface: a follower load. Counted as a load."""

    name = "pressure"
    dimensions = (2, 3)
    stands_for_others = True
    attachments = REGION_ATTACHMENT
    parameters = {"value": Signal("Pa", "pressure")}


class Traction(Force):
    """Force per undeformed area, components in the ground frame: a dead load."""

    name = "traction"
    dimensions = (2, 3)
    stands_for_others = True
    attachments = REGION_ATTACHMENT
    parameters = {"value": Signal("Pa", "components", vector=True)}
