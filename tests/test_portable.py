"""The short version of `make portable`: small models give the same numbers with machine code and linear algebra for
other processors. Each tolerance states the possible effect of rounding or of the tolerance of the method."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from gaitwright.jit import user_cache
from portable import SETTINGS, environment, numbers

pytestmark = pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="the settings are those of x86")
RUNS = [name for name in ("generic", "native") if name == "generic" or llvm.get_host_cpu_features().get("avx2")]
"""Code without fused operations, and other linear algebra for the code of this processor, which need not be compiled
again."""
TOLERANCES = {
    "torque": 1e-11,  # exact at every instant: rounding in the elimination of a linkage
    "swing": 1e-8,  # integrated to 1e-10: another last bit, another step
    "impulse": 1e-8,
    "rebound": 1e-8,
    "frequency": 1e-8,  # stretching is 1e4 times as fast as bending: rounding of 1e8 in the square
    "damping": 1e-8,
    "snap": 1e-8,  # Newton to 1e-10 of the coordinates
}


@pytest.fixture(scope="module")
def here():
    return numbers()


@pytest.fixture(scope="module")
def others(here):
    """Run all settings at once; their machine code stays in the user's cache, which is separated by processor.
    Shared results were computed by `here` before."""
    command = [sys.executable, str(Path(__file__).parent / "portable.py"), "--numbers"]
    cache = user_cache().parent
    running = {
        name: subprocess.Popen(
            command, env={**environment(name, cache), "OPENBLAS_VERBOSE": "2"},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for name in RUNS
    }  # fmt: skip
    return {name: (process, *process.communicate(timeout=600)) for name, process in running.items()}


@pytest.mark.slow
@pytest.mark.parametrize("setting", RUNS)
def test_numbers_do_not_depend_on_the_processor(setting, here, others):
    process, out, err = others[setting]
    cores = {line for name in RUNS for line in others[name][2].splitlines() if line.startswith("Core: ")}
    assert len(cores) in (0, len(RUNS)), "not the linear algebra that was asked for"  # OpenBLAS prints its choice
    assert process.returncode == 0, err
    data = json.loads(out)
    foreign = SETTINGS[setting].get("NUMBA_CPU_NAME")
    assert data["code"][1] == (foreign or llvm.get_host_cpu_name()), "not the code that was asked for"
    assert not foreign or "avx512" not in data["code"][2], "not the code that was asked for"
    assert set(here) == set(TOLERANCES)
    for name, tolerance in TOLERANCES.items():
        assert data["numbers"][name] == pytest.approx(here[name], rel=tolerance), name
