"""Feet: from a scan or a few measures to a finite-element foot that carries a load on the ground.

import gaitwright as gw

shape = gw.foot.from_measures(length=0.26, ball_width=0.1)
shape = gw.foot.from_scan("scan.stl")         # detects unit, axes and side; shape.notes explains the result
mesh = shape.fill(size=0.0075)                # tetrahedra, with the regions sole and cut

shape.py              FootShape: a closed surface in the frame of a foot, and its side
measures.py           length, widths, arch and area, measured on the surface
areas.py              heel, midfoot, metatarsals, hallux and toes as areas of the sole
scans.py              a foot from a scan; orientation.py detects up, forward and side
parametric_shape.py   a parametric foot shape: parametric_outline.py in plan view, parametric_heights.py in side view
tissue.py             soft tissue, region by region, with sources (tissue.yaml)
rigid_parts.py        rigid parts: a clamp, or cores with hinges; anatomy.py and mesh_snapping.py divide a mesh into both
foot.py               Foot: shape, rigid parts and tissue; placement.py adds it to a model at one of its speeds:
                      finite_element_model.py, condensed_model.py, foundation_model.py; planar_model.py for plane models
soft_layers.py        soft layers below the foot: worn_layers.py insole or shoe; mat.py a mat on the ground
standing.py           equilibrium under a load or at a prescribed depth; plate_pressure.py pressure on a plate;
                      files.py a foot in a folder
calibration.py        calibration of a foot against measurements (calibration_tests.py)
pressure.py           pressure per cell of the sole along a run; rollover.py instants of a step; pressure_files.py files;
                      footprints.py alignment of a measured print with the frame of a foot
sole_springs.py       sole as springs with exact derivatives; step_balance.py poses of a step that carry a given force
reference_pressure.py published ranges of the pressure under people
rolling.py            roll-over from heel strike to toe-off; ankle_motion.py motion of the ankle and load on the ground
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
