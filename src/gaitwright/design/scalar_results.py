"""Scalar results by name, for results that are not time series: modes, or any object with `measures()`, such as a device on a
person (`gw.wear.device_analysis`)."""

from __future__ import annotations

from typing import Any

from gaitwright.analysis.modes import Modes
from gaitwright.result.result import Result


def read_scalars(result: Any) -> dict[str, float] | None:
    """Scalar results by name; None for a run, which has outputs instead."""
    if isinstance(result, Modes):
        return mode_scalars(result, None)
    if not callable(getattr(result, "measures", None)):
        return None
    return {str(name): float(value) for name, value in result.measures().items()}


def scalar_unit(result: Any, name: str) -> str:
    """Unit of a scalar result; "1" if it is not specified."""
    if isinstance(result, Modes):
        return "Hz" if name.startswith("frequency") else "1"
    unit = getattr(result, "unit_of", None)
    return str(unit(name)) if callable(unit) else "1"


def explain_missing_scalar(result: Any, name: str) -> str:
    """Reason why a result lacks a number that other results of its kind may have; empty if the name is unknown."""
    explain = getattr(result, "why_not", None)
    return str(explain(name)) if callable(explain) else ""


def mode_scalars(modes: Modes, measure: Any) -> dict[str, float]:
    """Frequencies (Hz) and damping ratios, numbered from 1, and the numbers of measure(modes)."""
    numbers = {f"frequency_{k}": float(f) for k, f in enumerate(modes.frequencies, start=1)}
    numbers |= {f"damping_ratio_{k}": float(d) for k, d in enumerate(modes.damping_ratios, start=1)}
    return {**numbers, **({name: float(value) for name, value in measure(modes).items()} if measure else {})}


def find_motion(result: Any) -> Result | None:
    """Result contained in the return value of an analysis: the value itself, or the run of a leg's turn or of a walk."""
    for candidate in (result, getattr(result, "run", None), getattr(getattr(result, "turn", None), "run", None)):
        if isinstance(candidate, Result):
            return candidate
    return None
