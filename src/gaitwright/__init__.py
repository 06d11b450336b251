"""Gaitwright: rigid multibody dynamics of walking mechanisms, orthoses and exoskeletons.

import gaitwright as gw

model = gw.Model()            # describe a mechanism, or gw.load("model.yaml")
run = model.simulate(until=1) # kinematics(), inverse(), static(), modes() likewise
run["crank.torque"].plot()
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

import lazy_loader

__version__ = "0.3.0"

_public_name, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
_EXCEPTIONS = "gaitwright._core.errors"


def __getattr__(name: str) -> Any:
    """Import a public name (declared in `__init__.pyi`) or a subpackage on first access."""
    if name in __all__:
        value = _public_name(name)
        if not isinstance(value, ModuleType) and getattr(value, "__module__", None) != _EXCEPTIONS:
            # A declaration of a user must find the names of the library's declarations registered.
            import_module("gaitwright.physics").load_all()
        globals()[name] = value
        return value
    try:
        if not name.startswith("_"):
            return import_module(f"gaitwright.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"gaitwright.{name}":
            raise
    return _public_name(name)  # raises AttributeError
