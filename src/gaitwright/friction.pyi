from .physics.friction.bristle import Bristle as Bristle
from .physics.friction.brown_mcphee import BrownMcPhee as BrownMcPhee
from .physics.friction.coulomb import Coulomb as Coulomb
from .physics.friction.no_slip import NoSlip as NoSlip
from .physics.friction.smooth_coulomb import SmoothCoulomb as SmoothCoulomb
from .physics.friction.stribeck import Stribeck as Stribeck
