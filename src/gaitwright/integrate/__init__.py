"""Time integration, one method per file.

base.py                   IntegrationMethod, the record of a run, and the contract of a step
step_loops.py             loops with fixed steps, and with steps chosen by an error estimate
contact_callbacks.py      event checks of contacts and forces, called by address from the loops
explicit_runge_kutta.py   step of any explicit Runge-Kutta tableau
implicit_runge_kutta.py   step of any implicit Runge-Kutta tableau (Newton over all stages)
shifted_jacobian.py       solutions with I - g J, for radau5.py and rosenbrock23.py
impulses.py               impulses of rigid contacts in a step of moreau.py
other files               one method each: a tableau or a step, and its registration
"""

from __future__ import annotations

import functools
import importlib
import pkgutil

from gaitwright.integrate.base import METHODS, IntegrationMethod

__all__ = ["METHODS", "IntegrationMethod", "load_all"]


@functools.cache
def load_all() -> dict[str, IntegrationMethod]:
    """Import every module of this folder, so that it registers its method, and return the registry."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return METHODS
