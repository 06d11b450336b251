"""Whether everything that `gaitwright` offers has types: what `pyright --verifytypes` says about these names and their members.

The whole package is looked at, since a class is known only if all that it has and all that it comes from is. What counts are
the names in `gaitwright.__all__` and in those of its rooms (`gaitwright.gait`, ...) with their members; the rest is inside.

    python -m release.public_types .venv/bin
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

PACKAGES = (
    "gaitwright", "gaitwright.laws", "gaitwright.friction", "gaitwright.materials", "gaitwright.surfaces", "gaitwright.extend",
    "gaitwright.foot", "gaitwright.gait", "gaitwright.mechanisms", "gaitwright.mesh", "gaitwright.wear",
)  # fmt: skip
"""Modules from which users import names."""


def public_names() -> set[str]:
    """Public names of these packages, each with the module that defines it."""
    names = set()
    for package in map(import_module, PACKAGES):
        objects = {name: getattr(package, name) for name in package.__all__}
        names |= {f"{value.__module__}.{name}" for name, value in objects.items() if hasattr(value, "__module__")}
    return names


def complaints(found: dict[str, Any], public: set[str]) -> list[str]:
    """Of public names those that are not known, with why, from the answer of pyright."""
    lines = []
    for symbol in found["typeCompleteness"]["symbols"]:
        name = symbol["name"]
        ours = any(name == one or name.startswith(f"{one}.") for one in public)
        if ours and (not symbol["isTypeKnown"] or symbol["isTypeAmbiguous"]):
            said = [about["message"] for about in symbol["diagnostics"] if "docstring" not in about["message"]]
            why = " ".join((said or ["a member of it is not known"])[0].split())
            lines.append(f"{name}: {why}")
    return lines


def ask(folder_of_python: Path, where: Path) -> dict[str, Any]:
    """The answer of pyright about the gaitwright of an environment. It finds it by the first `python` of the path."""
    path = os.pathsep.join([str(folder_of_python), os.environ.get("PATH", "")])
    command = [sys.executable, "-m", "pyright", "--verifytypes", "gaitwright", "--ignoreexternal", "--outputjson"]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=where, env={**os.environ, "PATH": path}, check=False
    )
    return json.loads(done.stdout)


def check(folder_of_python: Path, where: Path) -> None:
    found = ask(folder_of_python, where)
    counts = found["typeCompleteness"]["exportedSymbolCounts"]
    if not sum(counts.values()):
        sys.exit(f"error: pyright found no gaitwright with types beside {folder_of_python}")
    if wrong := complaints(found, names := public_names()):
        sys.exit(f"error: {len(wrong)} public names without a type:\n  " + "\n  ".join(wrong))
    score = 100 * found["typeCompleteness"]["completenessScore"]
    print(f"  {len(names)} public names, all known; of all symbols {score:.0f} %")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as elsewhere:
        check(Path(sys.argv[1]).resolve(), Path(elsewhere))
