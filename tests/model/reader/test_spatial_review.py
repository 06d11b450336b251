"""Spatial documents with easily misread content."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.geometry.rotation import matrix_of


def arm(**fields) -> gw.Model:
    model = gw.Model("arm", dimension=3)
    model.ground_point("O", 0, 0, 0)
    model.body("b", mass=1.0, inertia=[0.1, 0.2, 0.25], points={"A": [0, 0, 0]}, **fields)
    return model


ABOUT_THE_JOINT = {
    "drive": lambda model: model.drive.rotation("cross", "0"),
    "spring": lambda model: model.force.joint_spring("cross", stiffness=3.0),
}


@pytest.mark.parametrize("add", ABOUT_THE_JOINT)
def test_universal_joint_has_no_single_angle(add: str) -> None:
    """With axis_b equal to the axis, the drawn pose counted as a quarter turn."""
    model = arm()
    model.joint.universal("ground.O", "b.A", axis=[0, 0, 1], axis_b=[1, 0, 0], name="cross")
    ABOUT_THE_JOINT[add](model)
    with pytest.raises(gw.ModelError, match="the joint 'cross' has two axes"):
        model.assemble()


@pytest.mark.parametrize("orientation", [{"sequence": "zyx"}, {"sequence": "zyx", "quaternion": [1, 0, 0, 0]}])
def test_sequence_without_angles_is_rejected(orientation) -> None:
    with pytest.raises(gw.ModelError, match=r"'orientation.sequence': belongs to angles"):
        arm(orientation=orientation).assemble()


def test_quaternion_is_normalised() -> None:
    found = matrix_of(arm(orientation={"quaternion": [1e-9, 0, 0, 1e-9]}).assemble().q[:12])
    assert np.allclose(found, [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-15)
