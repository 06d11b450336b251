"""Contact laws, as values of `law=`: `gw.laws.Hertz(stiffness=1e5)`."""

from gaitwright.physics import load_all
from gaitwright.physics.contact_laws.adams_impact import AdamsImpact
from gaitwright.physics.contact_laws.augmented_lagrange import AugmentedLagrange
from gaitwright.physics.contact_laws.carvalho_martins import CarvalhoMartins
from gaitwright.physics.contact_laws.flores import Flores
from gaitwright.physics.contact_laws.gharib_hurmuzlu import GharibHurmuzlu
from gaitwright.physics.contact_laws.gonthier import Gonthier
from gaitwright.physics.contact_laws.herbert_mcwhannell import HerbertMcWhannell
from gaitwright.physics.contact_laws.hertz import Hertz
from gaitwright.physics.contact_laws.hu_guo import HuGuo
from gaitwright.physics.contact_laws.hunt_crossley import HuntCrossley
from gaitwright.physics.contact_laws.kelvin_voigt import KelvinVoigt
from gaitwright.physics.contact_laws.kuwabara_kono import KuwabaraKono
from gaitwright.physics.contact_laws.lankarani_nikravesh import LankaraniNikravesh
from gaitwright.physics.contact_laws.lee_wang import LeeWang
from gaitwright.physics.contact_laws.marhefka_orin import MarhefkaOrin
from gaitwright.physics.contact_laws.penalty import Penalty
from gaitwright.physics.contact_laws.quadratic_penalty import QuadraticPenalty
from gaitwright.physics.contact_laws.ristow import Ristow
from gaitwright.physics.contact_laws.tsuji import Tsuji
from gaitwright.physics.contact_laws.winkler import Winkler
from gaitwright.physics.contact_laws.zhang_sharf import ZhangSharf
from gaitwright.physics.contact_laws.zhiying_qishao import ZhiyingQishao

__all__ = [
    "AdamsImpact",
    "AugmentedLagrange",
    "CarvalhoMartins",
    "Flores",
    "GharibHurmuzlu",
    "Gonthier",
    "HerbertMcWhannell",
    "Hertz",
    "HuGuo",
    "HuntCrossley",
    "KelvinVoigt",
    "KuwabaraKono",
    "LankaraniNikravesh",
    "LeeWang",
    "MarhefkaOrin",
    "Penalty",
    "QuadraticPenalty",
    "Ristow",
    "Tsuji",
    "Winkler",
    "ZhangSharf",
    "ZhiyingQishao",
]

load_all()  # a declaration of a user must find the names of the library registered
