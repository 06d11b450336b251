"""What people bear: thresholds by region of the body, and the share of people who would feel a device.

import gaitwright as gw

pad = gw.wear.Pad("thigh", width=0.1, around=180, facing="front")
pressure = gw.wear.press(pad, force, moment, time)            # on the limb, in the frame of its segment
comfort = gw.wear.comfort.judge(pressure, sex="women")
comfort.share_discomfort, comfort.share_pain, comfort.worst
comfort.table()

thresholds.py   tables (thresholds.yaml, or your own): read
population.py   a threshold as a distribution over people
judging.py      judge: shares, doses, the worst place and instant
of_device.py    pads and pressures of a device that is worn
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitwright.on_demand import on_demand

if TYPE_CHECKING:
    from gaitwright.wear.comfort.judging import Comfort, judge
    from gaitwright.wear.comfort.of_device import comfort_of, pads_of, pressures_of
    from gaitwright.wear.comfort.population import Population, Share
    from gaitwright.wear.comfort.thresholds import Table, literature, read

_WHERE = {
    "judging": "Comfort judge",
    "of_device": "comfort_of pads_of pressures_of",
    "population": "Population Share",
    "thresholds": "Table literature read",
}

__all__ = [
    "Comfort",
    "Population",
    "Share",
    "Table",
    "comfort_of",
    "judge",
    "literature",
    "pads_of",
    "pressures_of",
    "read",
]

__getattr__, __dir__ = on_demand(__name__, _WHERE)
