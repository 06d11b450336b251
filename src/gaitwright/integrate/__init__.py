"""Time integration, one method per file.

base.py       Method, the record of a run, and the contract of a step
march.py      the two loops: fixed steps, and steps chosen by an error estimate
explicit.py   the step of any explicit Runge-Kutta tableau
implicit.py   the step of any implicit Runge-Kutta tableau (Newton over all stages)
impulses.py   impulses of rigid contacts in a step of moreau.py
the rest      one method each: a tableau or a step, and its registration
"""

from __future__ import annotations

import functools
import importlib
import pkgutil

from gaitwright.integrate.base import METHODS, Method

__all__ = ["METHODS", "Method", "load_all"]


@functools.cache
def load_all() -> dict[str, Method]:
    """Import every method of this folder, which registers it."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return METHODS
