"""Winkler: a thin soft layer on a hard body, in which every surface element is compressed independently."""

import math
from typing import Any, ClassVar

from gaitwright._core.error_context import ErrorContext
from gaitwright.physics.contact_laws.base import PowerLaw
from gaitwright.physics.declarations import Number, Parameter


class Winkler(PowerLaw):
    """p = K (d/t)^n (1 + c d'), set to zero where it would pull: pressure of a layer of thickness t that is compressed by d.

    A layer that is bonded to a hard body, and wide compared with its thickness, cannot expand laterally, so K is the
    oedometric modulus E (1 - nu) / ((1 + nu) (1 - 2 nu)) and not E; for nu towards 1/2 it is not valid, since the
    compressed material would have to flow aside. n above 1 is a material that stiffens. c, s/m, is damping in proportion to
    the elastic pressure, as in Hunt and Crossley (1975); pressure begins and ends at zero. On a foundation
    (gw.surfaces.Foundation)
    K and t are those of each facet; on a single point it is a force, K in N. Source: E. Winkler, Die Lehre von der
    Elasticitaet und Festigkeit (1867); K. L. Johnson, Contact Mechanics (1985), ch. 4.3."""

    name = "winkler"
    valid = "Layers of soft material on something hard, thin against the contact, pressed by a part of their thickness."
    remembers = False
    parameters: ClassVar[dict[str, Parameter]] = {
        "stiffness": Number("Pa", "K", minimum=0.0),
        "thickness": Number("m", "t", minimum=0.0),
        "damping": Number("s/m", "c", 0.0, minimum=0.0),
        "exponent": Number("1", "n, at least 1", 1.0, minimum=0.0),
    }

    @staticmethod
    def force(
        penetration: Any, rate: Any, approach: Any, stiffness: Any, thickness: Any, damping: Any, exponent: Any
    ) -> Any:
        return stiffness * (penetration / thickness) ** exponent * (1 + damping * rate)

    @staticmethod
    def energy(penetration: Any, stiffness: Any, thickness: Any, damping: Any, exponent: Any) -> Any:
        return stiffness * thickness * (penetration / thickness) ** (exponent + 1) / (exponent + 1)

    @classmethod
    def check(cls, *, stiffness: float, thickness: float, damping: float = 0.0, exponent: float = 1.0) -> None:
        super().check(stiffness=stiffness, exponent=exponent, damping=damping)
        if not 0 < thickness < math.inf:
            ErrorContext(field="thickness").fail(
                "a layer without thickness cannot be compressed", thickness, "a number of m above 0"
            )
