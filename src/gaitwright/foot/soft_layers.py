"""Layers of soft material between a foot and a hard surface: worn below the sole, or lying on the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.foot.tissue import MAX_POISSONS_RATIO, oedometric_modulus
from gaitwright.mesh.cell_kinds import Array

FOAM_POISSONS_RATIO = 0.3
"""Poisson's ratio of a foam at moderate compression (order of magnitude: L. J. Gibson, M. F. Ashby, Cellular Solids,
Cambridge 1997, ch. 5)."""


@dataclass(frozen=True)
class SoftLayer:
    """Soft layer. thickness: m. youngs_modulus: Pa. poissons_ratio; damping: s, proportional to the stiffness;
    density: kg/m^3, default: of a foam."""

    thickness: float
    youngs_modulus: float
    poissons_ratio: float = FOAM_POISSONS_RATIO
    damping: float = 0.0
    density: float = 200.0

    def __post_init__(self) -> None:
        at = ErrorContext(type(self).__name__.lower())
        for name, unit in (("thickness", "m"), ("youngs_modulus", "Pa"), ("density", "kg/m^3")):
            at[name].positive(getattr(self, name), unit)
        at["damping"].not_negative(at["damping"].finite(self.damping, "a number of s"), "a number of s, or 0")
        at["poissons_ratio"].finite(self.poissons_ratio, "a number")
        if not 0.0 <= self.poissons_ratio <= MAX_POISSONS_RATIO:
            at["poissons_ratio"].fail("is not that of a layer", self.poissons_ratio, f"0 to {MAX_POISSONS_RATIO}")
        if self.thickness > 0.2:
            reads = f"reads like mm: {1e-3 * self.thickness:g} m" if self.thickness <= 200.0 else "in m"
            at["thickness"].fail("is more than a layer below a foot has", self.thickness, f"up to 0.2 m; {reads}")
        if self.youngs_modulus < 1e3:
            at["youngs_modulus"].fail("is less than any foam has, reads like kPa or MPa", self.youngs_modulus, "Pa")

    def material(self) -> dict[str, Any]:
        """Material entry of a model file."""
        names = ("youngs_modulus", "poissons_ratio", "density", *(("damping",) if self.damping else ()))
        return {"type": "neo-hookean", **{name: getattr(self, name) for name in names}}

    def to_dict(self) -> dict[str, Any]:
        """Fields as a dictionary, for files."""
        return asdict(self)


@dataclass(frozen=True)
class Insole(SoftLayer):
    """Layer of uniform thickness, glued below the sole: an insole, or the sole of a shoe; see Foot.wearing. Results
    report the pressure below it."""


def combine_in_series(
    thickness: Array, modulus: Array, poisson: Array, layers: Sequence[SoftLayer]
) -> tuple[Array, Array, Array]:
    """Thickness, m, Young's modulus, Pa, and Poisson's ratio of one layer equivalent to several in series, in
    compression and shear: t = sum t_i, t/K = sum t_i/K_i, t/G = sum t_i/G_i with the oedometric modulus K and the
    shear modulus G."""
    pressed, sheared = (thickness / moduli for moduli in _layer_moduli(modulus, poisson))
    for layer in layers:
        k, g = _layer_moduli(layer.youngs_modulus, layer.poissons_ratio)
        thickness, pressed, sheared = (
            thickness + layer.thickness,
            pressed + layer.thickness / k,
            sheared + layer.thickness / g,
        )
    k, g = thickness / pressed, thickness / sheared
    # K/G = 2 (1 - nu) / (1 - 2 nu) is at least 2 for every layer and therefore for the combination.
    nu = np.maximum((k - 2.0 * g) / (2.0 * (k - g)), 0.0)
    return thickness, 2.0 * g * (1.0 + nu), nu


def _layer_moduli(youngs: Any, nu: Any) -> tuple[Any, Any]:
    """Oedometric modulus and shear modulus, Pa."""
    return oedometric_modulus(youngs, nu), youngs / (2.0 * (1.0 + nu))
