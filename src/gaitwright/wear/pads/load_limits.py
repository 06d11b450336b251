"""Loads that a pad under pressure only cannot carry, and the strap that would help."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

import numpy as np

from gaitwright.mesh.cell_kinds import Array
from gaitwright.wear.pads.cells import PadCells
from gaitwright.wear.pads.foundation import PadFoundation
from gaitwright.wear.pads.pad import CuffPad

STRAP_TENSIONS_N = (5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0)
"""Tensions, N, of straps that are tried."""


def find_strap_tension(pad: CuffPad, cells: PadCells, wrench: Array) -> float | None:
    """Smallest of STRAP_TENSIONS_N, N, with which the pad carries the wrench, (6,); None if none does."""
    for tension in STRAP_TENSIONS_N:
        tied = replace(pad, strap=tension)
        if not PadFoundation(tied, cells).rest(wrench[None]).lost[0]:
            return tension
    return None


def raise_unsupported_load(pad: CuffPad, cells: PadCells, wrench: Array, time: float) -> NoReturn:
    """Raise the ModelError for a wrench, (6,), that the pad cannot carry, with the reason and a remedy."""
    force, moment = wrench[:3], wrench[3:]
    pull = float(force @ pad.outward)
    tension = find_strap_tension(pad, cells, wrench)
    other = "a wider pad, or one that reaches further around"
    help_ = (
        f"{other}; no strap up to {STRAP_TENSIONS_N[-1]:g} N holds it"
        if tension is None
        else f"strap: {tension:g} N, or {other}"
    )
    when = f"at {time:.4g} s"
    if pull > 0.0 and pad.strap is None and pad.around < 360.0:
        pad.at["force"].fail(
            f"pulls the pad off the limb {when}, and a pad without a strap can only press", f"{pull:.3g} N", help_
        )
    sides = force - pull * pad.outward
    if abs(pull) < np.linalg.norm(sides[[0, 2]]) and pad.around < 180.0:
        pad.at["force"].fail(
            f"comes from beside the pad {when}, where it cannot press", f"{np.linalg.norm(sides):.3g} N", help_
        )
    held = pad.friction * max(-pull, 0.0)
    if abs(force[1]) > held:
        pad.at["force"].fail(
            f"goes along the limb {when} with more than friction holds, {held:.3g} N, and tips the pad",
            f"{abs(force[1]):.3g} N",
            help_,
        )
    across = float(np.hypot(moment[0], moment[2]))
    pad.at["moment"].fail(
        f"is more than a pad that only presses can carry {when}: {1e3 * pad.width:.0f} mm wide, pressed by"
        f" {max(-pull, 0.0):.3g} N",
        f"{across:.3g} N m",
        help_,
    )
