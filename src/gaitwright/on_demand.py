"""Names of a room that are imported when they are first asked for, so that importing the room costs nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def on_demand(room: str, where: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a room, its package. where: of each module in it the names that are the room's; a module
    without names is offered itself."""
    home = {name: module for module, names in where.items() for name in names.split()}

    def find(name: str) -> Any:
        if where.get(name) == "":
            return import_module(f"{room}.{name}")
        if name not in home:
            raise AttributeError(f"module '{room}' has no attribute {name!r}", name=name, obj=sys.modules[room])
        value = getattr(import_module(f"{room}.{home[name]}"), name)
        setattr(sys.modules[room], name, value)
        return value

    def known() -> list[str]:
        return sorted({*vars(sys.modules[room]), *home, *(module for module, names in where.items() if not names)})

    return find, known
