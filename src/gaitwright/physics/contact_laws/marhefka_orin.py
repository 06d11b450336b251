"""Marhefka and Orin: Hunt and Crossley's damping as a property of the material, without memory of the impact."""

from typing import Any, ClassVar

from gaitwright.physics.contact_laws.base import EXPONENT_PARAMETER, STIFFNESS_PARAMETER, PowerLaw
from gaitwright.physics.declarations import Number, Parameter


class MarhefkaOrin(PowerLaw):
    """F = K d^n (1 + 3/2 a d'), cut off at zero.

    The rebound follows from the speed: e = 1 - a v0 for slow impacts, and never faster than 2 / (3 a). It is Hunt and
    Crossley's law with e = 1 - a v0, their own observation on metals, and the form that OpenSim, Simbody and Drake use
    (their dissipation is a, or 3 a / 2). Safe in lasting contact and with many small impacts, because nothing is divided
    by the approach speed. Source: D. W. Marhefka, D. E. Orin, IEEE Trans. Syst. Man Cybern. A 29 (1999) 566-572, Eq 2
    and 12."""

    name = "marhefka-orin"
    valid = "Materials whose loss grows with the speed (metals, rubber), for a v0 well below 1."
    remembers = False
    parameters: ClassVar[dict[str, Parameter]] = {
        "stiffness": STIFFNESS_PARAMETER,
        "dissipation": Number("s/m", "a", minimum=0.0),
        "exponent": EXPONENT_PARAMETER,
    }

    @staticmethod
    def force(penetration: Any, rate: Any, approach: Any, stiffness: Any, dissipation: Any, exponent: Any) -> Any:
        return stiffness * penetration**exponent * (1 + 3 * dissipation * rate / 2)
