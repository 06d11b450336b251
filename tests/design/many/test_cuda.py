"""The same text on an NVIDIA GPU: compiled where there is nvcc, run where there is a GPU."""

import shutil
import subprocess

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.design.many.cuda import available
from gaitwright.design.many.program import printed
from gaitwright.errors import ModelError
from gaitwright.mechanisms import jansen_leg

BOUNDS = {"L3": (0.27, 0.285), "L6": (0.40, 0.42)}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc")
def test_the_text_is_cuda(tmp_path):
    source = tmp_path / "program.cu"
    source.write_text(printed(jansen_leg().document, list(BOUNDS), ["crank.torque", "F.x", "F.acceleration"]).text)
    command = ["nvcc", "-arch=sm_90", "--ptx", "-o", str(tmp_path / "program.ptx"), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "program.ptx").read_text()
    assert ".entry close_all" in text and ".entry follow_all" in text


@pytest.mark.skipif(not available(), reason="there is a GPU")
def test_without_a_gpu_that_is_said():
    leg = jansen_leg()
    with pytest.raises(ModelError, match=r"'cuda' cannot be used: .*expected device='cpu'"):
        gw.designs(leg, gw.sample_designs(leg, BOUNDS, 4), measures=["step_length"], device="cuda")


@pytest.mark.gpu
@pytest.mark.skipif(bool(available()), reason=available() or "-")
def test_a_gpu_gives_what_a_cpu_gives():
    leg = jansen_leg()
    given = gw.sample_designs(leg, BOUNDS, 1000)
    asked = {"measures": ["step_length", "energy", "duty", "crank.torque.max_abs"]}
    one, other = (gw.designs(leg, given, device=device, **asked) for device in ("cpu", "cuda"))
    assert np.array_equal(one["failure"], other["failure"])
    for name in asked["measures"]:
        np.testing.assert_allclose(one[name], other[name], rtol=1e-9)
