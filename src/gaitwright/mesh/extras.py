"""Packages that only some meshes need: imported when used, and asked for in one sentence where they are missing."""

from __future__ import annotations

import importlib.util
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from gaitwright.errors import GaitwrightError

INSTALL = "pip install 'gaitwright[solids]'"


def needed(package: str, what: str) -> Any:
    """A package; what: for which it is needed, as in 'reading .msh files'."""
    try:
        return importlib.import_module(package)
    except ImportError:
        raise GaitwrightError(f"{what} needs the package {package}: {INSTALL}") from None


def require_installed(package: str, what: str) -> None:
    """The same without importing it: the helper process does, which reads the file."""
    if importlib.util.find_spec(package) is None:
        raise GaitwrightError(f"{what} needs the package {package}: {INSTALL}")


def own_version() -> str:
    try:
        return f"gaitwright {version('gaitwright')}"
    except PackageNotFoundError:  # run from its sources
        return "gaitwright"


def version_of(package: Any) -> str:
    return f"{package.__name__} {getattr(package, '__version__', '')}".strip()
