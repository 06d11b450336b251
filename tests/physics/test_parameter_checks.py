"""Every kind of declaration may check its parameters when a model is read."""

from __future__ import annotations

import pytest

import gaitwright as gw
from gaitwright._core.error_context import ErrorContext


class GearedSlope(gw.extend.Joint):
    """A joint that divides by a parameter."""

    name = "test-geared-slope"
    attachments = {"a": gw.extend.Place(), "b": gw.extend.Place()}
    parameters = {"pitch": gw.extend.Number("m")}
    rows = {"force": ("N", "m")}

    @staticmethod
    def residual(a, b, pitch):
        x, y = (of_b - of_a for of_b, of_a in zip(b.position, a.position, strict=True))
        return [y / pitch - x]

    @classmethod
    def check(cls, *, pitch):
        if pitch == 0.0:
            ErrorContext(field="pitch").fail(
                "a slope without pitch has no direction", pitch, "a number of m that is not 0"
            )


def model(pitch: float) -> gw.Model:
    model = gw.Model("slope").ground_point("O", 0, 0).body("block", mass=1, inertia=1, at=(0.0, 0.0))
    return model.joint("test-geared-slope", "slope", a="ground.O", b="block", pitch=pitch)


def test_a_joint_may_divide_by_a_parameter() -> None:
    assert model(2.0).check().degrees_of_freedom == 2


def test_a_rejected_parameter_names_element_and_field() -> None:
    with pytest.raises(gw.ModelError, match=r"slope.*'pitch'.*no direction.*got 0"):
        model(0.0).check()
