"""Software versions and kind of machine of a report, without names of machines or people."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib import metadata

REPORTED_PACKAGES = ("gaitwright", "numpy", "scipy", "numba", "matplotlib")


def collect_versions(now: datetime | None = None) -> list[tuple[str, str]]:
    """Rows of name and version. now: displayed time; default: the time of the call."""
    rows = [(name, _package_version(name)) for name in REPORTED_PACKAGES]
    rows.append(("Python", platform.python_version()))
    rows.append(("machine", f"{platform.system()}, {platform.machine()}"))
    rows.append(("date", (now or datetime.now(UTC)).astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")))
    return rows


def _package_version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"
