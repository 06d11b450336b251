"""Spatial beam in absolute nodal coordinates: a node has the coordinates of a spatial body, with the axes of the section there,
and the slope of the centre line,

    e = (r, v1, v2, v3, r_x)        r_x along v1, |r_x| - 1 the axial strain

15 numbers with 8 conditions: v1, v2, v3 are perpendicular unit vectors (rigidity.py), and r_x . v2 = r_x . v3 = 0. The centre
line is that of a planar beam (beam.py), cubic in r and r_x; the axes of sections between nodes follow from v2 and v3 of
both (beams/section.py). As for spatial bodies, tables hold v_i - e_i.

Elements attach to a node as to a spatial body. Without v1, 12 numbers and 5 conditions would do, but r_x in its place is
no unit vector: moments and joints would be wrong by the axial strain.
"""

from gaitwright.physics.attachments import Orientation, Place
from gaitwright.physics.declarations import Rigidity
from gaitwright.physics.symbolic import dot

NODE_COORDINATES = ("x", "y", "z", *(f"d{i}{axis}" for i in (1, 2, 3) for axis in "xyz"), "u", "v", "w")
NODE_UNITS = ("m", "m", "m", *("1",) * 12)


class SectionOrthogonality(Rigidity):
    """Phi = (r_x . v2, r_x . v3): the section is perpendicular to the centre line."""

    name = "across"
    dimensions = (3,)
    attachments = {"section": Orientation("section"), "slope": Place("slope of the centre line")}
    rows = {"across_2": ("", "1"), "across_3": ("", "1")}

    @staticmethod
    def residual(section, slope):
        return tuple(dot(slope.position, axis) for axis in section.axes[1:])
