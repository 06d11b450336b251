"""Pressure below the pads of a device, from the wrenches of its cuffs.

pad.py           CuffPad: size, position on the limb, soft layers, strap and friction; cells.py: cells of the skin below it
foundation.py    a rigid pad on an elastic foundation: six displacements; load_limits.py: loads that a pad cannot carry
limb_section.py  a solid pad on a solid section of the limb, by finite elements
pressure.py      press: pressure over time, by one of these methods or uniform
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
