"""Numbers that a result tells by name, where it is no run with outputs over time: modes, or whatever has `measures()`, such as
a device on a person (`gw.wear.on`)."""

from __future__ import annotations

from typing import Any

from gaitwright.analyse.modes import Modes
from gaitwright.result.result import Result


def told(result: Any) -> dict[str, float] | None:
    """By name; None of a run, which has outputs instead."""
    if isinstance(result, Modes):
        return mode_numbers(result, None)
    if not callable(getattr(result, "measures", None)):
        return None
    return {str(name): float(value) for name, value in result.measures().items()}


def unit_told(result: Any, name: str) -> str:
    """Of such a number; 1 where nobody says."""
    if isinstance(result, Modes):
        return "Hz" if name.startswith("frequency") else "1"
    unit = getattr(result, "unit_of", None)
    return str(unit(name)) if callable(unit) else "1"


def why_not(result: Any, name: str) -> str:
    """Why a result has no such number, though others may have it; empty where nobody knows the name."""
    asked = getattr(result, "why_not", None)
    return str(asked(name)) if callable(asked) else ""


def mode_numbers(modes: Modes, measure: Any) -> dict[str, float]:
    """Frequencies (Hz) and damping ratios, counted from 1, and what is measured."""
    numbers = {f"frequency_{k}": float(f) for k, f in enumerate(modes.frequencies, start=1)}
    numbers |= {f"damping_ratio_{k}": float(d) for k, d in enumerate(modes.damping_ratios, start=1)}
    return {**numbers, **({name: float(value) for name, value in measure(modes).items()} if measure else {})}


def motion_of(result: Any) -> Result | None:
    """The Result in what an analysis returned: itself, or that of a leg's turn or of a walk."""
    for found in (result, getattr(result, "run", None), getattr(getattr(result, "turn", None), "run", None)):
        if isinstance(found, Result):
            return found
    return None
