"""Devices on people: orthoses and exoskeletons that are worn, what they take off the joints, and where they press.

import gaitwright as gw

device = gw.wear.load("ankle_foot_orthosis.yaml")         # a gw.Model in space with cuffs
walk = gw.gait.schematic_walk(gw.gait.Subject(73, 1.74))
worn = gw.wear.put_on(device, walk)
worn.assistance()["right_ankle"].share_of_peak
worn.cuffs["force"].sel(cuff="right_calf")

putting_on.py   the way of a device onto a person: put_on
body_sizes.py   sizes of a person, by the names that a device's lengths may be written with, and the pose it is drawn in
driven.py       segments driven along a motion, from standing on; wearing.py with device and cuffs as one model
pads_as_springs.py  a pad as a spring in six directions
mirror.py       the left side as the right one of a mirrored person
cuffs.py        force, moment and migration at the cuffs
ground.py       what the ground carries when the device is worn
cycle.py        cycles of a motion, and curves over them
assistance.py   what a device takes off a joint; figures.py one number each; mass_penalty.py what its mass alone costs
choosing.py     on: a device as what sweeps, choices and searches vary; more numbers for them
worn.py         Worn: all of it; summary.py, files.py
plausible.py    what looks like a slip
devices/        ready devices
pads/           pressure below pads: uniform, on springs, by finite elements; body.py: regions of the body
comfort/        what people bear, and how many of them would feel a device
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitwright.on_demand import on_demand

if TYPE_CHECKING:
    from gaitwright.wear import comfort, devices
    from gaitwright.wear.assistance import Assistance
    from gaitwright.wear.body_sizes import sizes, standing
    from gaitwright.wear.choosing import Tried, on
    from gaitwright.wear.figures import measures
    from gaitwright.wear.files import load
    from gaitwright.wear.pads.pad import Pad
    from gaitwright.wear.pads.pressure import PadPressure, press
    from gaitwright.wear.putting_on import put_on
    from gaitwright.wear.structure import effective_stiffness, fatigue_margin, flexible_parts, moment_angle
    from gaitwright.wear.worn import Worn

_WHERE = {
    "assistance": "Assistance",
    "choosing": "Tried on",
    "structure": "effective_stiffness fatigue_margin flexible_parts moment_angle",
    "comfort": "",
    "devices": "",
    "files": "load",
    "figures": "measures",
    "pads.pad": "Pad",
    "pads.pressure": "PadPressure press",
    "putting_on": "put_on",
    "body_sizes": "sizes standing",
    "worn": "Worn",
}

__all__ = [
    "Assistance", "Pad", "PadPressure", "Tried", "Worn", "comfort", "devices", "effective_stiffness", "fatigue_margin",
    "flexible_parts", "load", "measures",
    "moment_angle", "on", "press", "put_on", "sizes", "standing",
]  # fmt: skip

__getattr__, __dir__ = on_demand(__name__, _WHERE)
