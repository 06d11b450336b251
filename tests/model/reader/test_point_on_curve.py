"""Points on curves: contact as a constraint with a surface parameter (paper 003 Eq 5.16 to 5.18)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import gaitwright as gw

G, MASS = 9.81, 0.1
CIRCLE = {"x": "cos(s)", "y": "sin(s)"}
# A curve is derived at its first use, which takes far longer than all tests here: they share a circle and a parabola.
METHODS = {
    "dopri5": {},
    "rk4": {"step": 2e-3},
    "gauss2": {"step": 1e-2},
    "generalized-alpha": {"step": 1e-3},
    "rk4 partitioned": {"step": 2e-3, "stabilisation": "partitioning"},
    "rk4 embedded": {"step": 5e-3, "formulation": "embedding"},
}


def bead(curve: dict[str, Any], at: tuple[float, float], **how: Any) -> gw.Model:
    model = gw.Model("bead").ground_point("O", 0, 0)
    model.body("bead", mass=MASS, inertia=1e-5, at=at, points={"P": (0, 0)})
    return model.joint("point-on-curve", "wire", a="ground.O", b="bead.P", **curve, **how)


def cam(eccentric: float) -> gw.Model:
    """A round eccentric cam of 1 m, balanced about its axis, under the point of a follower that slides upwards."""
    model = gw.Model("cam").ground_point("O", 0, 0)
    model.body("cam", mass=0.5, inertia=1e-3, at=(0, 0), points={"O": (0, 0), "centre": (eccentric, 0)})
    model.joint.revolute("ground.O", "cam.O")
    model.body("follower", mass=0.2, inertia=1e-4, at=(0, 1), points={"tip": (0, 0)})
    model.joint.prismatic("ground.O", "follower", axis=(0, 1), name="guide").drive.rotation("cam", "2*pi*t")
    return model.joint("point-on-curve", "touch", a="cam.centre", b="follower.tip", **CIRCLE, start=math.pi / 2)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_bead_on_a_circle_equals_a_pendulum(method: str) -> None:
    """N = m v^2 / R - m g y / R towards the centre, energy, and no drift; the curve parameter has no mass."""
    model = bead(CIRCLE, (math.cos(0.5), -math.sin(0.5)), start=-0.5)
    run = model.simulate(0.5, method=method.split()[0], **METHODS[method])
    x, y, vx, vy = (run.array(f"bead.{name}") for name in ("x", "y", "vx", "vy"))
    np.testing.assert_allclose(np.hypot(x, y), 1.0, rtol=0, atol=1e-14)
    np.testing.assert_allclose(run.array("wire.normal"), MASS * (vx**2 + vy**2) - MASS * G * y, rtol=0, atol=2e-5)
    assert run.evidence.max_energy_residual < 1e-5


@pytest.mark.slow
def test_bead_on_a_parabola_with_and_without_a_parameter() -> None:
    """The curve as y - k x^2 = 0 needs no parameter: its multiplier is the vertical part of the normal force."""

    class Parabola(gw.extend.Joint):
        name = "parabola-without-parameter"
        attachments = {"b": gw.extend.Point("the bead")}
        parameters = {"k": gw.extend.Number("1/m", "curvature at the bottom")}
        rows = {"normal": ("N", "m")}

        @staticmethod
        def residual(b, k):
            return (b.position[1] - k * b.position[0] ** 2,)

    implicit = gw.Model("bead").body("bead", mass=MASS, inertia=1e-5, at=(0.3, 0.09), points={"P": (0, 0)})
    implicit.joint(Parabola, "wire", b="bead.P", k=1.0)
    first, second = (
        model.simulate(1.0, tolerance=1e-11)
        for model in (implicit, bead({"x": "s", "y": "s^2"}, (0.3, 0.09), start=0.3))
    )
    assert second.array("bead.x")[-1] == pytest.approx(first.array("bead.x")[-1], abs=1e-8)
    across = np.hypot(1.0, 2 * first.array("bead.x"))
    np.testing.assert_allclose(second.array("wire.normal"), first.array("wire.normal") * across, rtol=0, atol=1e-7)


@pytest.mark.slow
def test_follower_of_an_eccentric_cam() -> None:
    """y = e sin + sqrt(1 - (e cos)^2) at every angle; force and torque by virtual work: T omega = m (y'' + g) y'."""
    eccentric, omega = 0.4, 2 * math.pi
    run = cam(eccentric).inverse(1.0, step=0.01)
    angle = omega * run.time
    height = eccentric * np.sin(angle) + np.sqrt(1.0 - (eccentric * np.cos(angle)) ** 2)
    np.testing.assert_allclose(run.array("follower.tip.y"), height, rtol=0, atol=1e-15)
    lift = 0.2 * (run.array("follower.ay") + G) * run.array("follower.vy")
    np.testing.assert_allclose(run.array("cam.torque") * omega, lift, rtol=0, atol=1e-12)


@pytest.mark.slow
def test_start_chooses_the_side_of_the_curve() -> None:
    upper, lower = (
        bead(CIRCLE, (0.0, 0.1), start=start).simulate(2e-3, method="rk4", step=2e-3) for start in (1.6, -1.6)
    )
    assert upper.array("bead.y")[0] > 0.9 and lower.array("bead.y")[0] < -0.9


@pytest.mark.slow
def test_parameters_of_the_model_and_files() -> None:
    """An inclined wire, of slope k: x'' = -g k / (1 + k^2), N = m g / sqrt(1 + k^2)."""
    raw = bead({"x": "s", "y": "k*s"}, (1.0, 0.75), start=1.0).to_dict() | {"parameters": {"k": 0.75}}
    run = gw.Model.from_dict(raw).simulate(0.2)
    x = 1.0 - 0.5 * G * 0.75 / (1 + 0.75**2) * run.time**2
    np.testing.assert_allclose(run.array("bead.x"), x, rtol=0, atol=1e-9)
    np.testing.assert_allclose(run.array("wire.normal"), MASS * G / math.hypot(1.0, 0.75), rtol=1e-12)


REFUSED = {
    "time": ({"x": "s + t", "y": "s"}, {}, "depends on time"),
    "no tangent": ({"x": "s^3", "y": "s^3"}, {}, "has no tangent of the curve"),
    "a cusp": ({"x": "s^2", "y": "s^3"}, {}, "is a kink of the curve"),
    "a start outside": ({"x": "s", "y": "sqrt(1 - s^2)", "start": 2.0}, {}, "'y': has no value at s = 2"),
    "a start at the end": ({"x": "s", "y": "s^1.5"}, {}, "'y': has no value at s = -1e-06"),
    "a kink": ({"x": "s", "y": "abs(s)"}, {}, "is a kink of the curve"),
    "a jump": ({"x": "s", "y": "s % 1", "start": 0.5}, {}, "is discontinuous because of its %"),
    "a start that is no number": ({"x": "s", "y": "s", "start": "beginning"}, {}, "start"),
    "unknown name": ({"x": "radius*s", "y": "s"}, {}, "radius"),
    "the ground itself": ({"x": "s", "y": "0"}, {"b": "ground.O"}, "connects 'ground' with itself"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_invalid_curve_has_a_message(what: str) -> None:
    curve, ends, sentence = REFUSED[what]
    model = gw.Model("bead").ground_point("O", 0, 0)
    model.body("bead", mass=MASS, inertia=1e-5, at=(0.1, 0), points={"P": (0, 0)})
    with pytest.raises(gw.ModelError) as error:
        model.joint("point-on-curve", "wire", **{"a": "ground.O", "b": "bead.P", **ends}, **curve).simulate(0.1)
    assert sentence in str(error.value)
