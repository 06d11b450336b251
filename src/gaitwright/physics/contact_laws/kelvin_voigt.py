"""Kelvin-Voigt: linear spring and dashpot side by side."""

from typing import Any, ClassVar

from gaitwright.physics.contact_laws.base import PowerLaw
from gaitwright.physics.declarations import Number, Parameter


class KelvinVoigt(PowerLaw):
    """F = K d + c d', set to zero where it would pull.

    The rebound does not depend on the speed: e = exp(-2 z acos(z) / sqrt(1 - z^2)) with z = c / (2 sqrt(K m)) below 1 (T.
    Schwager, T. Poeschel, Granular Matter 9 (2007) 465-469). The usual e = exp(-pi z / sqrt(1 - z^2)), from which S. A.
    Anagnostopoulos (Earthq. Eng. Struct. Dyn. 16 (1988) 443-456) derives c, lets the dashpot pull until d = 0. m is the mass
    of the impacting body; in a mechanism it changes with the pose, so c is specified here.
    Source: W. Goldsmith, *Impact*, Arnold 1960; criticism of its force jump in Hunt and Crossley (1975)."""

    name = "kelvin-voigt"
    valid = "Any restitution, for flat pads that touch all at once; the force jumps by c v0 at touchdown."
    remembers = False
    jumps = True
    parameters: ClassVar[dict[str, Parameter]] = {
        "stiffness": Number("N/m", "K", minimum=0.0),
        "damping": Number("N s/m", "c", minimum=0.0),
    }

    @staticmethod
    def force(penetration: Any, rate: Any, approach: Any, stiffness: Any, damping: Any) -> Any:
        return stiffness * penetration + damping * rate

    @staticmethod
    def energy(penetration: Any, stiffness: Any, damping: Any) -> Any:
        return stiffness * penetration**2 / 2
