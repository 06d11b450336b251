"""Friction laws, as values of `friction=`: `gw.friction.Coulomb(0.6)`."""

from gaitwright.physics import load_all
from gaitwright.physics.friction.bristle import Bristle
from gaitwright.physics.friction.brown_mcphee import BrownMcPhee
from gaitwright.physics.friction.coulomb import Coulomb
from gaitwright.physics.friction.no_slip import NoSlip
from gaitwright.physics.friction.smooth_coulomb import SmoothCoulomb
from gaitwright.physics.friction.stribeck import Stribeck

__all__ = ["Bristle", "BrownMcPhee", "Coulomb", "NoSlip", "SmoothCoulomb", "Stribeck"]

load_all()  # a declaration of a user must find the names of the library registered
