"""Public names are declared once, in `__init__.pyi`, and imported on first use."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

PACKAGES = (
    "gaitwright", "gaitwright.foot", "gaitwright.gait", "gaitwright.mesh", "gaitwright.wear", "gaitwright.wear.comfort",
    "gaitwright.wear.pads", "gaitwright.laws", "gaitwright.friction", "gaitwright.materials", "gaitwright.surfaces",
    "gaitwright_apps.reproductions",
)  # fmt: skip


@pytest.mark.parametrize("name", PACKAGES)
def test_every_public_name_exists(name: str) -> None:
    package = importlib.import_module(name)
    assert package.__all__
    for public in package.__all__:
        assert getattr(package, public) is not None
    assert set(package.__all__) <= set(dir(package))


@pytest.mark.parametrize("name", PACKAGES)
def test_unknown_name_raises_attribute_error(name: str) -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = importlib.import_module(name).no_such_name


def test_importing_the_package_imports_no_public_name() -> None:
    script = "import sys, gaitwright; print('numpy' in sys.modules, 'gaitwright.model.model' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert run.stdout.split() == ["False", "False"], run.stderr


def test_at_most_60_names_are_at_top_level() -> None:
    assert len(importlib.import_module("gaitwright").__all__) <= 60
