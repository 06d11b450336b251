"""Beam of space in absolute nodal coordinates: a node has the coordinates of a spatial body, whose axes are those of the
section there, and the slope of the centre line,

    e = (r, v1, v2, v3, r_x)        r_x along v1, |r_x| - 1 the axial strain

15 numbers with 8 conditions: v1, v2, v3 are perpendicular unit vectors (rigidity.py), and r_x . v2 = r_x . v3 = 0. The centre
line is that of a beam of the plane (beam.py), cubic in r and r_x; the axes of sections between nodes are made of v2 and v3 of
both (beams/section.py). As for spatial bodies, tables hold v_i - e_i.

Whoever attaches to a node finds a spatial body there. Without v1, 12 numbers and 5 conditions would do, but r_x in its place is
no unit vector: moments and joints would be wrong by the axial strain.
"""

from gaitwright.physics.declare import Orientation, Place, Rigidity
from gaitwright.physics.symbolic import dot

COORDINATES = ("x", "y", "z", *(f"d{i}{axis}" for i in (1, 2, 3) for axis in "xyz"), "u", "v", "w")
UNITS = ("m", "m", "m", *("1",) * 12)


class Across(Rigidity):
    """Phi = (r_x . v2, r_x . v3): the section stands across the centre line."""

    name = "across"
    dimensions = (3,)
    attachments = {"section": Orientation("section"), "slope": Place("slope of the centre line")}
    rows = {"across_2": ("", "1"), "across_3": ("", "1")}

    @staticmethod
    def residual(section, slope):
        return tuple(dot(slope.position, axis) for axis in section.axes[1:])
