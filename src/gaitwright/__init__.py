"""Gaitwright: rigid multibody dynamics of walking mechanisms, orthoses and exoskeletons.

import gaitwright as gw

model = gw.Model()            # describe a mechanism, or gw.load("model.yaml")
run = model.simulate(until=1) # kinematics(), inverse(), static(), modes() likewise
run["crank.torque"].plot()
"""

from __future__ import annotations

from gaitwright.errors import (
    AnalysisError,
    AssemblyError,
    DidNotConverge,
    GaitwrightError,
    ModelError,
    SingularPose,
)
from gaitwright.model.files import load, load_result
from gaitwright.model.model import Model
from gaitwright.model.sweep import sweep
from gaitwright.physics.declare import (
    DRAWN,
    Choice,
    Direction,
    Drive,
    Effect,
    Force,
    Joint,
    Number,
    Orientation,
    Point,
    Signal,
)

__version__ = "0.1.0"

__all__ = [
    "DRAWN",
    "AnalysisError",
    "AssemblyError",
    "Choice",
    "DidNotConverge",
    "Direction",
    "Drive",
    "Effect",
    "Force",
    "GaitwrightError",
    "Joint",
    "Model",
    "ModelError",
    "Number",
    "Orientation",
    "Point",
    "Signal",
    "SingularPose",
    "load",
    "load_result",
    "sweep",
]
