"""The room opens quickly."""

from __future__ import annotations

import subprocess
import sys


def test_nothing_heavy_is_imported_before_it_is_used() -> None:
    script = "import gaitwright as gw, sys; gw.mesh.box((1, 1, 1), 2).volume; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    loaded = set(run.stdout.split())
    heavy = {"meshio", "trimesh", "pytetwild", "shapely", "matplotlib", "pandas", "numba", "scipy", "sympy"}
    assert not loaded & heavy
