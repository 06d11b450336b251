"""Pressure below the pads of a device, from the wrenches of its cuffs.

pad.py          Pad: size, place on the limb, what is soft, strap and friction; cells.py: the skin below it as cells
bed.py          a rigid pad on springs: six displacements; holding.py: what no pad can carry
section.py      a solid pad on a solid section of the limb, by finite elements
pressure.py     press: pressure in time, by one of these or uniform
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitwright.on_demand import on_demand

if TYPE_CHECKING:
    from gaitwright.wear.pads.pad import Pad
    from gaitwright.wear.pads.pressure import PadPressure, press

_WHERE = {"pad": "Pad", "pressure": "PadPressure press"}

__all__ = ["Pad", "PadPressure", "press"]

__getattr__, __dir__ = on_demand(__name__, _WHERE)
