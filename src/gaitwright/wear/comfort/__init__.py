"""Comfort: thresholds by body region, and the share of people that feels a device.

import gaitwright as gw

pad = gw.wear.CuffPad("thigh", width=0.1, around=180, facing="front")
pressure = gw.wear.press(pad, force, moment, time)            # on the limb, in the frame of its segment
comfort = gw.wear.comfort.judge(pressure, sex="women")
comfort.share_discomfort, comfort.share_pain, comfort.worst
comfort.table()

thresholds.py      read: threshold tables (thresholds.yaml, or your own)
population.py      distribution of a threshold over people
assessment.py      judge: shares, doses, the worst position and instant
device_comfort.py  pads and pressures of a worn device
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
