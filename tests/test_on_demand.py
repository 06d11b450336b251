"""Rooms whose names are imported when asked for: every name is there, is told by dir, and importing the room costs nothing."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOMS = ("foot", "gait", "mesh")


@pytest.mark.parametrize("room", ROOMS)
def test_every_name_of_a_room_is_found_and_told(room: str):
    module = import_module(f"gaitwright.{room}")
    assert sorted(module.__all__) == sorted(name for names in module._WHERE.values() for name in names.split())
    for name in module.__all__:
        assert name in dir(module)
        assert not (Path(module.__path__[0]) / f"{name}.py").exists(), "importing that module would hide the name"
        assert getattr(module, name) is vars(module)[name], "kept after the first time"
    with pytest.raises(AttributeError, match=f"module 'gaitwright.{room}' has no attribute 'nothing'"):
        _ = module.nothing


def test_importing_rooms_imports_none_of_their_modules():
    code = "import sys\n" + "\n".join(f"import gaitwright.{room}" for room in ROOMS) + "\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not [name for name in done.stdout.split() if name.startswith(tuple(f"gaitwright.{room}." for room in ROOMS))]
