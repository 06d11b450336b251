"""Materials of solids, as values of `material=`: `gw.materials.NeoHookean(youngs_modulus=1e6, poissons_ratio=0.3)`."""

from gaitwright.physics import load_all
from gaitwright.physics.materials.base import Material
from gaitwright.physics.materials.fung import Fung
from gaitwright.physics.materials.linear_elastic import LinearElastic
from gaitwright.physics.materials.mooney_rivlin import MooneyRivlin
from gaitwright.physics.materials.neo_hookean import NeoHookean
from gaitwright.physics.materials.neo_hookean_split import NeoHookeanSplit
from gaitwright.physics.materials.ogden import Ogden
from gaitwright.physics.materials.own import OwnMaterial
from gaitwright.physics.materials.st_venant_kirchhoff import StVenantKirchhoff

__all__ = [
    "Fung",
    "LinearElastic",
    "Material",
    "MooneyRivlin",
    "NeoHookean",
    "NeoHookeanSplit",
    "Ogden",
    "OwnMaterial",
    "StVenantKirchhoff",
]

load_all()  # a declaration of a user must find the names of the library registered
