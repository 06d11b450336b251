"""Twist and two curvatures of a spatial beam at a place along it; its stretch is |r_x| - 1.

The centre line has r_x and r_xx (bodies/spatial_beam.py). Between the nodes, the section's axes are interpolated to w2 and w3,
which are neither perpendicular nor of unit length. The section there has the axis t = r_x / |r_x| and the axes d2 and d3,
perpendicular to t, that are closest to w2 and w3:

    d2 = p / |p|        p = w2 - (w2 . t) t + w3 x t        d3 = t x d2        (d2 . w2 + d3 . w3 is largest)

If the beam bends in any plane, at any orientation of the section in it, these axes do not twist: there is no spurious torsion
energy.

Rotation of the section for small changes of r_x, w2 and w3, with x, y, z for components along t, d2, d3 and l = |r_x|:

    turn_y = -dr_x.z / l        turn_z = dr_x.y / l
    turn_x = (dw2.z - dw3.y + (w3.x dr_x.y - w2.x dr_x.z) / l) / (w2.y + w3.z)

With the derivatives along the beam, r_xx, w2' and w3', instead of small changes, it gives the twist and the curvatures.
"""

from __future__ import annotations

from typing import ClassVar

from gaitwright.physics.declarations import UnattachedDeclaration
from gaitwright.physics.symbolic import Vector

STRAIN_VECTORS = ("r_x", "r_xx", "w2", "w3", "w2_x", "w3_x")
"""Arguments of the strains; components are along t, d2 and d3, so that r_x = (l, 0, 0) and w2.z = w3.y."""
CURVATURE_NAMES = ("twist", "curvature_2", "curvature_3")


class BeamSectionCurvature(UnattachedDeclaration):
    """(twist, curvature_2, curvature_3) about t, d2 and d3, 1/m."""

    registry: ClassVar[dict[str, type[UnattachedDeclaration]]] = {}
    name = "section"

    @staticmethod
    def turn(r_x: Vector, w2: Vector, w3: Vector, by_r_x: Vector, by_w2: Vector, by_w3: Vector) -> Vector:
        """Rotation of the section for changes of r_x, w2 and w3."""
        l = r_x[0]
        about_t = by_w2[2] - by_w3[1] + (w3[0] * by_r_x[1] - w2[0] * by_r_x[2]) / l
        return about_t / (w2[1] + w3[2]), -by_r_x[2] / l, by_r_x[1] / l

    @classmethod
    def turning(cls, r_x: Vector, r_xx: Vector, w2: Vector, w3: Vector, w2_x: Vector, w3_x: Vector) -> Vector:
        """Twist and curvatures: rotation per length along the beam."""
        return cls.turn(r_x, w2, w3, r_xx, w2_x, w3_x)
