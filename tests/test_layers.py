"""Data flows one way: a lower folder never imports a higher one; and heavy libraries are imported only when needed."""

import ast
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import gaitwright

PACKAGE = Path(gaitwright.__file__).parent
LAYERS = [
    "errors", "checks", "isolation", "input_files",
    "locking", "saving", "plain", "messages", "moved", "on_demand", "compiled", "physics", "geometry", "formats",
    "mesh", "kernels", "derive", "system", "contact", "integrate", "result", "analyse", "model", "design", "legs", "foot",
    "gait", "wear", "report", "mechanisms", "papers", "demo", "foot_demo", "gait_demo", "examples_page", "gallery",
    "bench", "terminal", "studio", "commands", "cli",
]  # fmt: skip
"""From low to high. A folder that is not here yet has no place: add it."""
ROOT = "model"
"""What `import gaitwright` stands for: it offers the model."""
FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


class Import(NamedTuple):
    layer: str
    line: int
    late: bool
    """Inside a function, when it is called."""


def layer(path):
    """The folder (or top-level file) a module belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


SHOWS = "report"
"""Objects of all layers can show themselves (`run.plot()`, `leg.report()`): the method that does so opens this door, nobody
else does."""


def imported(path):
    """Layers that a file imports, with the line: at the top, in functions and under TYPE_CHECKING alike."""
    package = ("gaitwright", *path.relative_to(PACKAGE).parts[:-1])
    tree = ast.parse(path.read_text())
    late = {
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
            # `from gaitwright import x`: x is a layer or something that the root offers
            modules = [f"{module}.{alias.name}" for alias in node.names] if module == "gaitwright" else [module]
        else:
            continue
        for module in modules:
            first, *rest = module.split(".")
            if first == "gaitwright":
                yield Import(rest[0] if rest and rest[0] in LAYERS else ROOT, node.lineno, node in late)


def test_every_folder_has_a_place():
    found = {layer(path) for path in FILES} - {"__main__"}
    assert found <= set(LAYERS)
    assert {
        "physics",
        "kernels",
        "derive",
        "system",
        "integrate",
        "result",
        "analyse",
        "model",
        "design",
        "legs",
        "report",
    } <= found


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_imports_no_higher_one(name):
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line} imports {other}"
        for path in FILES
        if layer(path) == name
        for other, line, late in imported(path)
        if LAYERS.index(other) > LAYERS.index(name) and not (late and other == SHOWS)
    ]
    assert not wrong


def test_drawing_and_pages_know_nothing_of_mechanics():
    plain = [path for path in FILES if layer(path) == "report" and "views" not in path.parts]
    assert plain
    assert {found.layer for path in plain for found in imported(path)} <= {
        "report", "errors", "checks", "isolation", "input_files", "saving", "plain", "geometry", "formats",
    }  # fmt: skip


@pytest.mark.slow
def test_errors_and_kernels_import_nothing_of_ours():
    for name in ("errors", "kernels"):
        assert not [other for path in FILES if layer(path) == name for other, *_ in imported(path)]


def test_the_parser_sees_all_kinds_of_imports(tmp_path, monkeypatch):
    """This test would be blind if it overlooked one."""
    source = """
import gaitwright as gw
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from gaitwright.result.result import Result
def late():
    import gaitwright.bench.run
    from gaitwright import cli
    from gaitwright.errors import ModelError
    from ..model import files
    from . import kkt
"""
    path = PACKAGE / "system" / "imagined.py"
    monkeypatch.setattr(Path, "read_text", lambda self: source)
    assert [other for other, *_ in imported(path)] == [
        "model", "result", "bench", "cli", "errors", "model", "system",
    ]  # fmt: skip


def modules_after(script):
    run = subprocess.run(
        [sys.executable, "-c", f"{script}\nimport sys; print('modules:', *sys.modules)"],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return set(run.stdout.split("modules:")[1].split())


HEAVY = {"sympy", "matplotlib"}


def test_import_is_light():
    loaded = modules_after("import gaitwright")
    assert not loaded & HEAVY


@pytest.mark.slow
def test_a_library_model_needs_no_sympy_and_no_plots():
    """Kinematics, forward dynamics, energies and outputs of models from the library."""
    loaded = modules_after(
        "from gaitwright.mechanisms import four_bar, pendulum\n"
        "four_bar().kinematics(0.1, step=0.01).values('crank.torque')\n"
        "model = pendulum((0.1, 0.2)).spring_damper('ground.P0', 'rod2.P2', stiffness=10, name='s')\n"
        "run = model.simulate(0.1)\n"
        "run.values('s.force'), run.summary(), run.energy()"
    )
    assert not loaded & HEAVY
