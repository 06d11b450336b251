"""Gaitwright: rigid multibody dynamics of walking mechanisms, orthoses and exoskeletons.

import gaitwright as gw

model = gw.Model()            # describe a mechanism, or gw.load("model.yaml")
run = model.simulate(until=1) # kinematics(), inverse(), static(), modes() likewise
run["crank.torque"].plot()
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from gaitwright.moved import current, forward_old_names

if TYPE_CHECKING:  # for editors and checkers; at run time each name is imported when it is first used
    from gaitwright.contact.compliance import CompliantSolid
    from gaitwright.contact.lcp import LcpResult, solve_lcp
    from gaitwright.contact.material import fastest_approach, hertz_stiffness
    from gaitwright.design.choose import choose
    from gaitwright.design.chosen import Chosen, OutOfReach
    from gaitwright.design.many.spread import sample_designs
    from gaitwright.design.optimise import optimise
    from gaitwright.design.optimised import NothingFeasible, Optimised
    from gaitwright.design.studied import Study
    from gaitwright.design.study import study
    from gaitwright.design.sweep import sweep
    from gaitwright.design.trade_off import TradeOff, trade_off
    from gaitwright.errors import (
        AnalysisError,
        AssemblyError,
        DidNotConverge,
        GaitwrightError,
        ModelError,
        OutOfBudget,
        SingularPose,
    )
    from gaitwright.legs.compare import Comparison, compare
    from gaitwright.legs.designs import designs
    from gaitwright.legs.leg import LegAnalysis, analyse_leg
    from gaitwright.legs.leg_turns import LegTurns
    from gaitwright.legs.machine_walks import MachineWalks
    from gaitwright.legs.measure import measure_leg, one_turn
    from gaitwright.legs.motor import Motor
    from gaitwright.legs.motor_use import MotorUse
    from gaitwright.legs.walk import Walk, measure_walk
    from gaitwright.model.files import load, load_result
    from gaitwright.model.foreign import import_model
    from gaitwright.model.model import Model
    from gaitwright.model.part_types import PartType
    from gaitwright.model.planar_to_spatial import in_space
    from gaitwright.model.robots import load_urdf, robot_table
    from gaitwright.model.shaped_bodies import give_look
    from gaitwright.model.surfaces import (
        Along,
        Circle,
        Face,
        Foundation,
        HeightField,
        Line,
        LineGround,
        MeshSurface,
        Plane,
        PlaneGround,
        PlaneOfBody,
        Polyline,
        Segment,
        Skin,
        SolidSurface,
        Sphere,
    )
    from gaitwright.physics.bodies.marker import Marker
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
    from gaitwright.physics.declare import (
        DRAWN,
        Centre,
        Choice,
        Components,
        Computed,
        ContactLaw,
        Direction,
        Drive,
        Effect,
        Family,
        Force,
        Friction,
        Joint,
        Linear,
        MarkerKind,
        Number,
        Orientation,
        Place,
        Point,
        Signal,
    )
    from gaitwright.physics.friction.bristle import Bristle
    from gaitwright.physics.friction.brown_mcphee import BrownMcPhee
    from gaitwright.physics.friction.coulomb import Coulomb
    from gaitwright.physics.friction.no_slip import NoSlip
    from gaitwright.physics.friction.smooth_coulomb import SmoothCoulomb
    from gaitwright.physics.friction.stribeck import Stribeck
    from gaitwright.physics.materials.base import Material
    from gaitwright.physics.materials.fung import Fung
    from gaitwright.physics.materials.linear_elastic import LinearElastic
    from gaitwright.physics.materials.mooney_rivlin import MooneyRivlin
    from gaitwright.physics.materials.neo_hookean import NeoHookean
    from gaitwright.physics.materials.neo_hookean_split import NeoHookeanSplit
    from gaitwright.physics.materials.ogden import Ogden
    from gaitwright.physics.materials.own import OwnMaterial
    from gaitwright.physics.materials.st_venant_kirchhoff import StVenantKirchhoff
    from gaitwright.report.maps import plot_map
    from gaitwright.report.views.exporting import export
    from gaitwright.system.blocks import Block
    from gaitwright.system.parts.base import Part

__version__ = "0.2.0"

forward_old_names()

_WHERE = {
    "contact.compliance": "CompliantSolid",
    "contact.lcp": "LcpResult solve_lcp",
    "contact.material": "fastest_approach hertz_stiffness",
    "errors": "AnalysisError AssemblyError DidNotConverge GaitwrightError ModelError OutOfBudget SingularPose",
    "legs.compare": "Comparison compare",
    "legs.designs": "designs",
    "legs.leg": "LegAnalysis analyse_leg",
    "legs.leg_turns": "LegTurns",
    "legs.machine_walks": "MachineWalks",
    "legs.measure": "measure_leg one_turn",
    "legs.motor": "Motor",
    "legs.motor_use": "MotorUse",
    "legs.walk": "Walk measure_walk",
    "design.many.spread": "sample_designs",
    "design.choose": "choose",
    "design.chosen": "Chosen OutOfReach",
    "model.files": "load load_result",
    "model.planar_to_spatial": "in_space",
    "model.model": "Model",
    "model.part_types": "PartType",
    "design.optimise": "optimise",
    "design.optimised": "NothingFeasible Optimised",
    "model.surfaces": (
        "Along Circle Face Foundation HeightField Line LineGround MeshSurface Plane PlaneGround PlaneOfBody Polyline "
        "Segment Skin SolidSurface Sphere"
    ),
    "design.sweep": "sweep",
    "design.studied": "Study",
    "design.study": "study",
    "design.trade_off": "TradeOff trade_off",
    "model.robots": "load_urdf robot_table",
    "model.foreign": "import_model",
    "model.shaped_bodies": "give_look",
    "report.views.exporting": "export",
    "physics.bodies.marker": "Marker",
    "physics.contact_laws.adams_impact": "AdamsImpact",
    "physics.contact_laws.augmented_lagrange": "AugmentedLagrange",
    "physics.contact_laws.carvalho_martins": "CarvalhoMartins",
    "physics.contact_laws.flores": "Flores",
    "physics.contact_laws.gharib_hurmuzlu": "GharibHurmuzlu",
    "physics.contact_laws.gonthier": "Gonthier",
    "physics.contact_laws.herbert_mcwhannell": "HerbertMcWhannell",
    "physics.contact_laws.hertz": "Hertz",
    "physics.contact_laws.hu_guo": "HuGuo",
    "physics.contact_laws.hunt_crossley": "HuntCrossley",
    "physics.contact_laws.kelvin_voigt": "KelvinVoigt",
    "physics.contact_laws.kuwabara_kono": "KuwabaraKono",
    "physics.contact_laws.lankarani_nikravesh": "LankaraniNikravesh",
    "physics.contact_laws.lee_wang": "LeeWang",
    "physics.contact_laws.marhefka_orin": "MarhefkaOrin",
    "physics.contact_laws.penalty": "Penalty",
    "physics.contact_laws.quadratic_penalty": "QuadraticPenalty",
    "physics.contact_laws.ristow": "Ristow",
    "physics.contact_laws.tsuji": "Tsuji",
    "physics.contact_laws.winkler": "Winkler",
    "physics.contact_laws.zhang_sharf": "ZhangSharf",
    "physics.contact_laws.zhiying_qishao": "ZhiyingQishao",
    "physics.declare": "DRAWN Centre Choice Components Computed ContactLaw Direction Drive Effect Family Force Friction "
    "Joint Linear MarkerKind Number Orientation Place Point Signal",
    "physics.materials.base": "Material",
    "physics.materials.fung": "Fung",
    "physics.materials.linear_elastic": "LinearElastic",
    "physics.materials.mooney_rivlin": "MooneyRivlin",
    "physics.materials.neo_hookean": "NeoHookean",
    "physics.materials.neo_hookean_split": "NeoHookeanSplit",
    "physics.materials.ogden": "Ogden",
    "physics.materials.own": "OwnMaterial",
    "physics.materials.st_venant_kirchhoff": "StVenantKirchhoff",
    "physics.friction.bristle": "Bristle",
    "physics.friction.brown_mcphee": "BrownMcPhee",
    "physics.friction.coulomb": "Coulomb",
    "physics.friction.no_slip": "NoSlip",
    "physics.friction.smooth_coulomb": "SmoothCoulomb",
    "physics.friction.stribeck": "Stribeck",
    "report.maps": "plot_map",
    "system.blocks": "Block",
    "system.parts.base": "Part",
}
"""What is offered here, by the module that has it. Only what is used is imported: the version is there at once."""
_HOME = {name: f"gaitwright.{module}" for module, names in _WHERE.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    name = current(name)
    if name in _HOME:
        if _HOME[name] != "gaitwright.errors":
            # A user's own declaration must find the names of the library taken.
            import_module("gaitwright.physics").load_all()
        value = globals()[name] = getattr(import_module(_HOME[name]), name)
        return value
    try:
        if not name.startswith("_"):
            return import_module(f"gaitwright.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"gaitwright.{name}":
            raise
    raise AttributeError(f"module 'gaitwright' has no attribute {name!r}", name=name, obj=sys.modules[__name__])


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "DRAWN",
    "AdamsImpact",
    "Along",
    "AnalysisError",
    "AssemblyError",
    "AugmentedLagrange",
    "Block",
    "Bristle",
    "BrownMcPhee",
    "CarvalhoMartins",
    "Centre",
    "Choice",
    "Chosen",
    "Circle",
    "Comparison",
    "CompliantSolid",
    "Components",
    "Computed",
    "ContactLaw",
    "Coulomb",
    "DidNotConverge",
    "Direction",
    "Drive",
    "Effect",
    "Face",
    "Family",
    "Flores",
    "Force",
    "Foundation",
    "Friction",
    "Fung",
    "GaitwrightError",
    "GharibHurmuzlu",
    "Gonthier",
    "HeightField",
    "HerbertMcWhannell",
    "Hertz",
    "HuGuo",
    "HuntCrossley",
    "Joint",
    "KelvinVoigt",
    "KuwabaraKono",
    "LankaraniNikravesh",
    "LcpResult",
    "LeeWang",
    "LegAnalysis",
    "LegTurns",
    "Line",
    "LineGround",
    "Linear",
    "LinearElastic",
    "MachineWalks",
    "MarhefkaOrin",
    "Marker",
    "MarkerKind",
    "Material",
    "MeshSurface",
    "Model",
    "ModelError",
    "MooneyRivlin",
    "Motor",
    "MotorUse",
    "NeoHookean",
    "NeoHookeanSplit",
    "NoSlip",
    "NothingFeasible",
    "Number",
    "Ogden",
    "Optimised",
    "Orientation",
    "OutOfBudget",
    "OutOfReach",
    "OwnMaterial",
    "Part",
    "PartType",
    "Penalty",
    "Place",
    "Plane",
    "PlaneGround",
    "PlaneOfBody",
    "Point",
    "Polyline",
    "QuadraticPenalty",
    "Ristow",
    "Segment",
    "Signal",
    "SingularPose",
    "Skin",
    "SmoothCoulomb",
    "SolidSurface",
    "Sphere",
    "StVenantKirchhoff",
    "Stribeck",
    "Study",
    "TradeOff",
    "Tsuji",
    "Walk",
    "Winkler",
    "ZhangSharf",
    "ZhiyingQishao",
    "analyse_leg",
    "choose",
    "compare",
    "designs",
    "export",
    "fastest_approach",
    "give_look",
    "hertz_stiffness",
    "import_model",
    "in_space",
    "load",
    "load_result",
    "load_urdf",
    "measure_leg",
    "measure_walk",
    "one_turn",
    "optimise",
    "plot_map",
    "robot_table",
    "sample_designs",
    "solve_lcp",
    "study",
    "sweep",
    "trade_off",
]
