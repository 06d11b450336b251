"""The same program text on an NVIDIA GPU: compiled if there is nvcc, run if there is a GPU."""

import shutil
import subprocess

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.codegen.cuda_library import unavailable_reason
from gaitwright.codegen.forward_dynamics import read_integration_settings
from gaitwright.codegen.program import generate_program
from gaitwright.design.sampling import sample_designs
from gaitwright.mechanisms import jansen_leg
from gaitwright.model.model import compile_model
from gaitwright.model.spec.document import AnalysisSpec
from gaitwright_apps.benchmarks.designs import FORWARD_ANALYSIS, FORWARD_MEASURES, leg_on_ground

BOUNDS = {"L3": (0.27, 0.285), "L6": (0.40, 0.42)}


def dropped_ball():
    """Ball with bristle friction on a terrain of several pieces, so that the program contains all functions."""
    floor = {
        "name": "floor", "circle": {"body": "ball", "radius": 0.1}, "surface": {"polyline": [[-2, 0], [0, 0.1], [2, 0]]},
        "law": {"type": "hunt-crossley", "stiffness": "k", "restitution": 0.5},
        "friction": {"type": "bristle", "coefficient": 0.4, "stiffness": 1e4, "damping": 5.0},
    }  # fmt: skip
    ball = {"name": "ball", "mass": 1.0, "inertia": 0.004, "at": [0.1, 0.4], "spin": 3.0}
    return gw.Model.from_dict({"gaitwright": 1, "parameters": {"k": 2e4}, "bodies": [ball], "contacts": [floor]})


def forward(method, gradient):
    """Program text of a run, with a plain floor if derivatives are requested."""
    raw = dropped_ball().to_dict()
    if gradient:
        del raw["contacts"][0]["friction"]
        raw["contacts"][0]["surface"] = {"line": [0, 1, 0]}
    compiled = compile_model(gw.Model.from_dict(raw))
    march = read_integration_settings(AnalysisSpec(type="forward", until=1, step=1e-3, method=method), compiled)
    return generate_program(compiled, ["k"], ["ball.x", "floor.normal_force"], gradient, march).text


TEXTS = {
    "follow_all": lambda: (
        generate_program(compile_model(jansen_leg()), list(BOUNDS), ["crank.torque", "F.x", "F.acceleration"]).text
    ),
    "differentiate_all": lambda: (
        generate_program(compile_model(jansen_leg()), list(BOUNDS), ["crank.torque"], gradient=True).text
    ),
    "march_all rk4": lambda: forward("rk4", False),
    "march_all rk4 gradient": lambda: forward("rk4", True),
    "march_all generalized-alpha": lambda: forward("generalized-alpha", False),
}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc")
@pytest.mark.parametrize("what", TEXTS)
def test_the_text_is_cuda(tmp_path, what):
    source = tmp_path / "program.cu"
    source.write_text(TEXTS[what]())
    command = ["nvcc", "-arch=sm_90", "--ptx", "-o", str(tmp_path / "program.ptx"), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "program.ptx").read_text()
    assert ".entry close_all" in text and f".entry {what.split()[0]}" in text


@pytest.mark.skipif(not unavailable_reason(), reason="there is a GPU")
def test_a_missing_gpu_is_reported():
    leg = jansen_leg()
    with pytest.raises(ModelError, match=r"'cuda' cannot be used: .*expected device='cpu'"):
        gw.designs(leg, sample_designs(leg, BOUNDS, 4), measures=["step_length"], device="cuda")


@pytest.mark.gpu
@pytest.mark.skipif(bool(unavailable_reason()), reason=unavailable_reason() or "-")
def test_a_gpu_gives_the_results_of_a_cpu():
    leg = jansen_leg()
    given = sample_designs(leg, BOUNDS, 1000)
    asked = {"measures": ["step_length", "energy", "duty", "crank.torque.max_abs"]}
    one, other = (gw.designs(leg, given, device=device, **asked) for device in ("cpu", "cuda"))
    assert np.array_equal(one["failure"], other["failure"])
    for name in asked["measures"]:
        np.testing.assert_allclose(one[name], other[name], rtol=1e-9)


@pytest.mark.gpu
@pytest.mark.skipif(bool(unavailable_reason()), reason=unavailable_reason() or "-")
@pytest.mark.parametrize("method", ["rk4", "generalized-alpha"])
def test_a_gpu_integrates_as_a_cpu_does(method):
    """Bristles on a terrain, with steps that are subdivided by an error estimate: on one processor, with and without
    contraction of products, the difference is already 3e-6."""
    model, stiffness = dropped_ball(), np.linspace(1e4, 4e4, 300)
    section = {"type": "forward", "until": 0.5, "step": 1e-3, "method": method, "tolerance": 1e-12}
    asked = {"measures": ["ball.x.final", "ball.y.min"], "analysis": section}
    one, other = (gw.designs(model, {"k": stiffness}, device=device, **asked) for device in ("cpu", "cuda"))
    assert np.array_equal(one["failure"], other["failure"])
    for name in asked["measures"]:
        np.testing.assert_allclose(one[name], other[name], rtol=1e-5)


@pytest.mark.gpu
@pytest.mark.skipif(bool(unavailable_reason()), reason=unavailable_reason() or "-")
def test_a_gpu_gives_the_derivatives_of_a_leg_on_the_ground():
    """Driven motion, in reverse mode; including touchdowns and stored approach speeds."""
    leg, asked = (
        leg_on_ground(),
        {"measures": FORWARD_MEASURES, "gradient": FORWARD_MEASURES, "analysis": FORWARD_ANALYSIS},
    )
    given = sample_designs(leg, BOUNDS, 300)
    one, other = (gw.designs(leg, given, device=device, **asked) for device in ("cpu", "cuda"))
    assert np.array_equal(one["failure"] == 0, other["failure"] == 0)
    for name in FORWARD_MEASURES:
        np.testing.assert_allclose(one[name], other[name], rtol=1e-9)
        slopes, same = one[f"{name}.gradient"], other[f"{name}.gradient"]
        np.testing.assert_allclose(slopes, same, rtol=0.0, atol=1e-8 * float(abs(slopes).max()))
