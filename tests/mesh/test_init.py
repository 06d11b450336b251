"""The room opens quickly, and offers what it says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import gaitwright as gw


def test_all_names_are_there() -> None:
    assert sorted(gw.mesh.__all__) == sorted(gw.mesh._HOME)
    for name in gw.mesh.__all__:
        assert getattr(gw.mesh, name).__module__.startswith("gaitwright.mesh.")
        assert name in dir(gw.mesh)


def test_nothing_heavy_is_imported_before_it_is_used() -> None:
    script = "import gaitwright as gw, sys; gw.mesh.box((1, 1, 1), 2).volume; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    loaded = set(run.stdout.split())
    heavy = {"meshio", "trimesh", "pytetwild", "shapely", "matplotlib", "pandas", "numba", "scipy", "sympy"}
    assert not loaded & heavy


def test_no_module_hides_a_name() -> None:
    """`import gaitwright.mesh.fill` would put the module where the function is looked for."""
    assert not set(gw.mesh.__all__) & {path.stem for path in Path(gw.mesh.__path__[0]).glob("*.py")}
