"""Devices on people: orthoses and exoskeletons that are worn, what they take off the joints, and where they press.

sizes.py        sizes of a person, by the names that a device's lengths may be written with
comfort/        what people bear
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitwright.on_demand import on_demand

if TYPE_CHECKING:
    from gaitwright.wear.sizes import sizes

_WHERE = {
    "sizes": "sizes",
}

__all__ = ["sizes"]

__getattr__, __dir__ = on_demand(__name__, _WHERE)
