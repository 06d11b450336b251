"""Optional packages for some meshes: imported on use, with an error message that names the install command."""

from __future__ import annotations

import importlib.util
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from gaitwright._core.errors import GaitwrightError

INSTALL_COMMAND = "pip install 'gaitwright[solids]'"


def import_package(package: str, purpose: str) -> Any:
    """Import a package. purpose: of the package, as in 'reading .msh files'. Raises GaitwrightError if it is missing."""
    try:
        return importlib.import_module(package)
    except ImportError:
        raise GaitwrightError(f"{purpose} needs the package {package}: {INSTALL_COMMAND}") from None


def require_installed(package: str, purpose: str) -> None:
    """Check that a package is installed, without importing it: the helper process that reads the file imports it."""
    if importlib.util.find_spec(package) is None:
        raise GaitwrightError(f"{purpose} needs the package {package}: {INSTALL_COMMAND}")


def gaitwright_version() -> str:
    try:
        return f"gaitwright {version('gaitwright')}"
    except PackageNotFoundError:  # run from the source tree
        return "gaitwright"


def package_version(package: Any) -> str:
    return f"{package.__name__} {getattr(package, '__version__', '')}".strip()
