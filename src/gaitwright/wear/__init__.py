"""Worn devices: orthoses and exoskeletons on a person, joint moments with and without them, and cuff loads.

import gaitwright as gw

device = gw.wear.load("ankle_foot_orthosis.yaml")         # a gw.Model in space with cuffs
walk = gw.gait.schematic_walk(gw.gait.Subject(73, 1.74))
worn = gw.wear.put_on(device, walk)
worn.assistance()["right_ankle"].share_of_peak
worn.cuffs["force"].sel(cuff="right_calf")

device_simulation.py    put_on: run a device on a person along a motion
body_sizes.py           body dimensions available in a device's length expressions, and the standing pose
driven_segments.py      segments driven along a motion, starting from standing; device_assembly.py: device, segments and cuffs
                        as one model
pad_springs.py          a pad as a spring in six directions
mirror.py               mirrored person and motion, to simulate the left side as a right one
cuff_loads.py           force, moment and migration at the cuffs
device_ground_forces.py ground forces with the device
motion_cycles.py        cycles of a motion, and curves over them
assistance.py           reduction of joint moments; device_measures.py: scalar measures; mass_penalty.py: effect of its mass
device_evaluation.py    device_analysis: the analysis of a device for sweeps, choices and searches; further measures
device_structure.py     effective stiffness, strain and fatigue margin
device_result.py        DeviceResult; device_summary.py, device_files.py: its summary and files
plausibility.py         warnings about implausible input
devices/                ready devices
pads/                   pressure below pads: uniform, elastic foundation, finite elements; body_regions.py: body regions
comfort/                comfort thresholds, and the share of people that feels a device
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
