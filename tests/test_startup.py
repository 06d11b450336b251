"""Cost of starting, counted in imported modules instead of seconds, because the count is the same on every machine."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    "sympy", "matplotlib", "pandas", "xarray", "h5netcdf", "h5py", "scipy", "numba", "PIL", "jinja2", "pydantic", "rich",
    "yaml", "typer", "numpy", "trimesh", "meshio", "dask", "distributed", "ezc3d", "cupy", "pypardiso", "asyncio",
}  # fmt: skip
COMMAND = """
import sys
sys.argv = ["gaitwright", {word!r}]
from gaitwright.__main__ import main
try:
    main()
except SystemExit:
    pass
"""
MODEL = {"numpy", "scipy", "numba", "pydantic", "yaml"}
"""Packages needed to build a model, including compiling its tables."""
STARTS = {
    "the package": ("import gaitwright", set(), 3),
    "its errors": ("import gaitwright as gw; gw.ModelError", set(), 4),
    "a model": ("import gaitwright as gw; gw.Model", MODEL, 300),
    "a file": ("import gaitwright as gw; gw.load; gw.load_result", MODEL, 300),
    "laws": ("import gaitwright as gw; gw.laws.Hertz; gw.friction.Coulomb; gw.materials.NeoHookean", {"numpy"}, 200),
    "rooms": ("import gaitwright as gw; gw.gait; gw.foot; gw.mesh; gw.wear", set(), 12),
    "design": ("import gaitwright as gw; gw.sweep; gw.choose; gw.optimise; gw.study; gw.trade_off", MODEL, 420),
    "legs": ("import gaitwright as gw; gw.analyse_leg; gw.compare; gw.measure_walk", MODEL, 420),
    "--version": (COMMAND.format(word="--version"), {"numpy", "typer", "pydantic"}, 40),
    "--help": (COMMAND.format(word="--help"), {"numpy", "typer", "rich", "pydantic"}, 40),
}
"""Code, the heavy packages that it may import, and the allowed number of our own modules."""


@pytest.mark.slow
@pytest.mark.parametrize("what", STARTS)
def test_startup_imports_only_used_modules(what: str):
    code, allowed, most = STARTS[what]
    code += "\nimport sys; print('\\nmodules:', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    modules = done.stdout.rpartition("modules:")[2].split()
    assert HEAVY & set(modules) <= allowed
    assert len([name for name in modules if name.partition(".")[0] == "gaitwright"]) <= most
