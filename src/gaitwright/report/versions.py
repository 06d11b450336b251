"""With what a run was made: versions and kind of machine, without names of machines or people."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib import metadata

PACKAGES = ("gaitwright", "numpy", "scipy", "numba", "matplotlib")


def versions(now: datetime | None = None) -> list[tuple[str, str]]:
    """What and which, in rows. now: the time that is shown, of the call unless given."""
    rows = [(name, _version(name)) for name in PACKAGES]
    rows.append(("Python", platform.python_version()))
    rows.append(("machine", f"{platform.system()}, {platform.machine()}"))
    rows.append(("date", (now or datetime.now(UTC)).astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")))
    return rows


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"
