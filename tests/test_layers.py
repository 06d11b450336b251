"""Dependencies point downwards: a package imports only packages below it, and heavy libraries are imported when needed."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import gaitwright

PACKAGE = Path(gaitwright.__file__).parent
LAYERS = [
    "_core", "jit", "physics", "geometry", "formats", "mesh", "kernels", "derive", "linalg", "mechanism", "contact", "fem",
    "integrate", "measures", "result", "analysis", "model", "codegen", "design", "legs", "foot", "gait", "wear", "report",
    "mechanisms", "studio", "cli",
]  # fmt: skip
"""Packages from low to high."""
MUTUAL_IMPORTS = {("mechanism", "contact"), ("mechanism", "fem")}
"""Upward imports: the tables of a mechanism include those of its contacts, and a mechanism lists its beams."""
LATE_IMPORTS = "report"
"""Objects of every layer have plot and report methods (`run.plot()`, `leg.report()`), which import this package."""
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if len(path.relative_to(PACKAGE).parts) > 1)
APPLICATIONS = "gaitwright_apps"


class Import(NamedTuple):
    package: str
    line: int
    in_function: bool


def layer_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0]


def imports_of(path: Path) -> Iterator[Import]:
    """Imports of this project in a file: at its top, in functions and under TYPE_CHECKING."""
    package = ("gaitwright", *path.relative_to(PACKAGE).parts[:-1])
    tree = ast.parse(path.read_text())
    in_functions = {
        inner
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for inner in ast.walk(function)
        if inner is not function
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            modules = [f"{module}.{alias.name}" for alias in node.names] if module == "gaitwright" else [module]
        else:
            continue
        for module in modules:
            first, *rest = module.split(".")
            if first == APPLICATIONS:
                yield Import(APPLICATIONS, node.lineno, node in in_functions)
            elif first == "gaitwright" and rest and rest[0] in LAYERS:
                yield Import(rest[0], node.lineno, node in in_functions)
            elif first == "gaitwright" and rest != ["__version__"]:  # the public names, which include the model
                yield Import("model", node.lineno, node in in_functions)


def test_every_package_has_a_layer() -> None:
    assert {layer_of(path) for path in MODULES} == set(LAYERS)


@pytest.mark.parametrize("name", LAYERS)
def test_no_package_imports_a_higher_one(name: str) -> None:
    height = {layer: i for i, layer in enumerate([*LAYERS, APPLICATIONS])}
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line} imports {other}"
        for path in MODULES
        if layer_of(path) == name
        for other, line, in_function in imports_of(path)
        if height[other] > height[name]
        and not (in_function and other == LATE_IMPORTS)
        and (name, other) not in MUTUAL_IMPORTS
    ]
    assert not wrong


def test_drawing_and_pages_are_independent_of_mechanics() -> None:
    drawing = [path for path in MODULES if layer_of(path) == "report" and "views" not in path.parts]
    assert drawing
    assert {imported.package for path in drawing for imported in imports_of(path)} <= {
        "report", "_core", "geometry", "formats",
    }  # fmt: skip


@pytest.mark.slow
def test_foundations_import_no_other_package_and_kernels_only_jit() -> None:
    for name, allowed in (("_core", set()), ("kernels", {"jit"})):
        assert {other for path in MODULES if layer_of(path) == name for other, *_ in imports_of(path)} <= {
            name,
            *allowed,
        }


def test_the_parser_finds_all_kinds_of_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    source = """
import gaitwright as gw
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from gaitwright.result.result import Result
def late():
    import gaitwright_apps.gallery
    from gaitwright import cli
    from gaitwright._core.errors import ModelError
    from ..model import files
    from . import kkt
"""
    path = PACKAGE / "mechanism" / "imagined.py"
    monkeypatch.setattr(Path, "read_text", lambda self: source)
    assert [imported.package for imported in imports_of(path)] == [
        "model", "result", APPLICATIONS, "cli", "_core", "model", "mechanism",
    ]  # fmt: skip


def modules_after(script: str) -> set[str]:
    run = subprocess.run(
        [sys.executable, "-c", f"{script}\nimport sys; print('modules:', *sys.modules)"],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return set(run.stdout.split("modules:")[1].split())


HEAVY = {"sympy", "matplotlib"}


def test_import_is_light() -> None:
    loaded = modules_after("import gaitwright")
    assert not loaded & HEAVY


@pytest.mark.slow
def test_a_library_model_needs_no_sympy_and_no_plots() -> None:
    """Kinematics, forward dynamics, energies and outputs of models from the library."""
    loaded = modules_after(
        "from gaitwright.mechanisms import four_bar, pendulum\n"
        "four_bar().kinematics(0.1, step=0.01).array('crank.torque')\n"
        "model = pendulum((0.1, 0.2)).force.spring_damper('ground.P0', 'rod2.P2', stiffness=10, name='s')\n"
        "run = model.simulate(0.1)\n"
        "run.array('s.force'), run.summary(), run.energy()"
    )
    assert not loaded & HEAVY
