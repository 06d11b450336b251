"""Import time of gaitwright.mesh."""

from __future__ import annotations

import subprocess
import sys


def test_heavy_packages_are_imported_on_use() -> None:
    script = "import gaitwright as gw, sys; gw.mesh.box((1, 1, 1), 2).volume; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    loaded = set(run.stdout.split())
    heavy = {"meshio", "trimesh", "pytetwild", "shapely", "matplotlib", "pandas", "numba", "scipy", "sympy"}
    assert not loaded & heavy
