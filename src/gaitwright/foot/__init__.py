"""Feet: from a scan or a few measures to what carries a load on the ground.

import gaitwright as gw

shape = gw.foot.from_measures(length=0.26, ball_width=0.1)
shape = gw.foot.from_scan("scan.stl")         # unit, axes and side are found; shape.notes say how
mesh = shape.fill(size=0.0075)                # tetrahedra, with the regions sole and cut

shape.py        FootShape: a closed surface in the frame of a foot, and its side
measures.py     length, widths, arch and area, measured on it
areas.py        heel, midfoot, metatarsals, hallux and toes as parts of the sole
scans.py        a foot from a scan: orientation.py finds up, forward and side
drawn.py        a foot of our own drawing: outline.py from above, heights.py from the side
tissue.py       what is soft, region by region, with sources (tissue.yaml)
inside.py       what is rigid: a clamp, or cores with hinges; anatomy.py, fitting.py how a mesh is divided into both
foot.py         Foot: shape, inside and tissue, put into a model (attaching.py) in one of its speeds: full.py, condensed.py,
                foundation.py; planar.py: seen from its side
layer.py        soft layers below it: worn.py what is worn, an insole or a shoe; mat.py a mat on the ground
standing.py     at rest under a load, or pressed; cells.py what a plate sees; files.py: a foot in a folder
calibration.py  a foot made to behave as one that was measured (measured.py)
pressure.py     pressure per cell of the sole along a run; rollover.py: instants of a step; pressure_files.py: files of it;
                footprints.py: a measured print laid in the frame of a foot
rolling.py      from heel strike to toe-off; motion.py: how an ankle moves, and what the ground carries
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitwright.on_demand import on_demand

if TYPE_CHECKING:
    from gaitwright.foot.areas import AREAS, area_of
    from gaitwright.foot.calibration import Calibrated, calibrate
    from gaitwright.foot.drawn import from_measures
    from gaitwright.foot.files import load
    from gaitwright.foot.foot import Foot
    from gaitwright.foot.inside import Clamp, Cores, Joint
    from gaitwright.foot.layer import Insole
    from gaitwright.foot.mat import Mat
    from gaitwright.foot.measured import Measured, Pressed, Stood
    from gaitwright.foot.measures import Measures
    from gaitwright.foot.motion import Motion, step
    from gaitwright.foot.pressure import FootPressure, pressure_of
    from gaitwright.foot.pressure_files import read_picture
    from gaitwright.foot.rolling import Rolling
    from gaitwright.foot.scans import from_scan
    from gaitwright.foot.shape import FootShape
    from gaitwright.foot.standing import Standing
    from gaitwright.foot.tissue import Soft, Tissue

_WHERE = {
    "areas": "AREAS area_of",
    "calibration": "Calibrated calibrate",
    "drawn": "from_measures",
    "files": "load",
    "foot": "Foot",
    "inside": "Clamp Cores Joint",
    "layer": "Insole",
    "mat": "Mat",
    "measured": "Measured Pressed Stood",
    "measures": "Measures",
    "pressure": "FootPressure pressure_of",
    "pressure_files": "read_picture",
    "motion": "Motion step",
    "rolling": "Rolling",
    "scans": "from_scan",
    "shape": "FootShape",
    "standing": "Standing",
    "tissue": "Soft Tissue",
}

__all__ = [
    "AREAS", "Calibrated", "Clamp", "Cores", "Foot", "FootPressure", "FootShape", "Insole", "Joint", "Mat", "Measured",
    "Measures", "Motion", "Pressed", "Rolling", "Soft", "Standing", "Stood", "Tissue", "area_of", "calibrate", "from_measures",
    "from_scan", "load", "pressure_of", "read_picture", "step",
]  # fmt: skip

__getattr__, __dir__ = on_demand(__name__, _WHERE)
