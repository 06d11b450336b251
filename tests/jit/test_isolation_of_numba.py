"""Only the package jit imports Numba and llvmlite, so that a new version of Numba concerns one package."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import numba
import pytest

import gaitwright
import gaitwright_apps
from gaitwright.jit.numba_patches import TESTED_NUMBA_VERSIONS

PACKAGE = Path(gaitwright.__file__).parent
APPLICATIONS = Path(gaitwright_apps.__file__).parent
COMPILER_PACKAGES = {"numba", "llvmlite"}
IMPORT_FUNCTIONS = {"import_module", "importlib.import_module", "__import__"}
SOURCES = [path for folder in (PACKAGE, APPLICATIONS) for path in sorted(folder.rglob("*.py"))]


def compiler_imports(source: str) -> Iterator[str]:
    """Modules of Numba and llvmlite that a source imports, by statement or by name."""
    if not any(package in source for package in COMPILER_PACKAGES):
        return  # most sources: parsing all of them takes seconds
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            modules = [node.module or ""]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in IMPORT_FUNCTIONS:
            modules = [
                part.value for part in node.args if isinstance(part, ast.Constant) and isinstance(part.value, str)
            ]
        else:
            continue
        yield from (module for module in modules if module.split(".")[0] in COMPILER_PACKAGES)


@pytest.mark.parametrize("source, expected", [
    ("import numba", ["numba"]),
    ("import numpy, llvmlite.binding as llvm", ["llvmlite.binding"]),
    ("def late():\n    from numba.core import types", ["numba.core"]),
    ("import importlib\nimportlib.import_module('numba.np')", ["numba.np"]),
    ("from gaitwright.jit.numba_names import types\nfrom .numba import x\nimport numbafish", []),
])  # fmt: skip
def test_all_kinds_of_imports_are_recognised(source: str, expected: list[str]) -> None:
    assert list(compiler_imports(source)) == expected


def test_only_jit_imports_numba() -> None:
    importing = {path: list(compiler_imports(path.read_text(encoding="utf-8"))) for path in SOURCES}
    inside = {path for path in importing if path.is_relative_to(PACKAGE / "jit")}
    assert any(importing[path] for path in inside)
    assert not {path.name: modules for path, modules in importing.items() if modules and path not in inside}


def test_allowed_numba_versions_end_at_the_newest_tested() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    (requirement,) = [line for line in project["project"]["dependencies"] if line.startswith("numba")]
    upper = requirement.partition("<")[2]
    newest = max(tuple(map(int, version.split("."))) for version in TESTED_NUMBA_VERSIONS)
    assert upper == f"{newest[0]}.{newest[1] + 1}"
    assert tuple(map(int, numba.__version__.split(".")[:2])) <= newest
