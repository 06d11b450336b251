"""Matrices, quaternions and angles of every sequence, in both directions, compared with SciPy's Rotation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gaitwright as gw
from gaitwright.geometry.orientation import rotation_from_angles, rotation_from_quaternion
from gaitwright.geometry.rotation import angles_of, angular_rate_of, matrix_of, quaternion_of
from gaitwright.model.reader.bodies import spatial_coordinates
from gaitwright.physics.drives.orientation import AXIS_SEQUENCES

RANDOM = Rotation.random(200, random_state=np.random.RandomState(4))
sequences = pytest.mark.parametrize("sequence", AXIS_SEQUENCES)


def test_all_axis_sequences_exist():
    assert len(set(AXIS_SEQUENCES)) == 12 and all(a != b and b != c for a, b, c in AXIS_SEQUENCES)


@sequences
def test_angles(sequence):
    """SciPy writes rotations about body axes in capitals. Checks both directions, matrix by matrix, so that no unwrapping
    acts."""
    matrices = RANDOM.as_matrix()
    wanted = RANDOM.as_euler(sequence.upper())
    for matrix, angles in zip(matrices, wanted, strict=True):
        np.testing.assert_allclose(angles_of(matrix, sequence), angles, rtol=0, atol=1e-12)
        np.testing.assert_allclose(rotation_from_angles(angles, sequence), matrix, rtol=0, atol=1e-14)


@sequences
def test_angles_follow_many_turns_without_jumps(sequence):
    t = np.linspace(0.0, 3.0, 400)
    middle = 1.5 + 0.4 * np.sin(3 * t) if sequence[0] == sequence[2] else 0.9 * np.sin(3 * t)
    angles = np.stack([0.5 + 9 * t, middle, -0.4 - 7 * t], axis=1)
    found = angles_of(np.array([rotation_from_angles(a, sequence) for a in angles]), sequence)
    np.testing.assert_allclose(found, angles, rtol=0, atol=1e-11)


@sequences
@pytest.mark.parametrize("end", [0, 1])
def test_angles_where_first_and_third_axis_coincide(sequence, end):
    """Only the sum or difference of the two angles is determined: the third is zero, and the matrix is the same."""
    middle = (0.0, np.pi)[end] if sequence[0] == sequence[2] else (-np.pi / 2, np.pi / 2)[end]
    matrix = rotation_from_angles((0.7, middle, 0.4), sequence)
    found = angles_of(matrix, sequence)
    assert found[2] == 0.0
    np.testing.assert_allclose(rotation_from_angles(found, sequence), matrix, rtol=0, atol=1e-9)


def test_quaternions():
    for rotation in RANDOM:
        x, y, z, w = rotation.as_quat(canonical=True)
        np.testing.assert_allclose(quaternion_of(rotation.as_matrix()), [w, x, y, z], rtol=0, atol=1e-13)
        np.testing.assert_allclose(
            rotation_from_quaternion([3 * w, 3 * x, 3 * y, 3 * z]), rotation.as_matrix(), rtol=0, atol=1e-14
        )


def test_quaternions_do_not_jump_along_time():
    t = np.linspace(0.0, 20.0, 2000)
    found = quaternion_of(Rotation.from_rotvec(np.outer(t, [0.6, -0.8, 0.3])).as_matrix())
    assert np.abs(np.diff(found, axis=0)).max() < 0.01
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1.0, rtol=1e-14)


def test_half_turns():
    """If w = 0, the largest of the other components determines the sign."""
    for axis in ([1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 2, -2]):
        n = np.array(axis) / np.linalg.norm(axis)
        found = quaternion_of(2 * np.outer(n, n) - np.eye(3))
        np.testing.assert_allclose(np.outer(found[1:], found[1:]), np.outer(n, n), atol=1e-14)
        assert found[0] == pytest.approx(0.0, abs=1e-15)


def test_spin_and_acceleration_of_a_known_motion():
    """A = R_z(t^2) R_x(sin t): omega = 2 t z + cos t R_z x, differentiated by hand."""
    t = np.array([0.3, 1.1, 2.0])
    h = 1e-4

    def pose(s):
        return spatial_coordinates((0, 0, 0), rotation_from_angles((s**2, np.sin(s)), "zx"))

    for s in t:
        rate = (pose(s + h) - pose(s - h)) / (2 * h)
        second = (pose(s + h) - 2 * pose(s) + pose(s - h)) / h**2
        c, d = np.cos(s**2), np.sin(s**2)
        spin = np.array([np.cos(s) * c, np.cos(s) * d, 2 * s])
        gain = np.array([-np.sin(s) * c - np.cos(s) * d * 2 * s, -np.sin(s) * d + np.cos(s) * c * 2 * s, 2.0])
        np.testing.assert_allclose(angular_rate_of(pose(s), rate), spin, rtol=0, atol=1e-6)
        np.testing.assert_allclose(angular_rate_of(pose(s), second), gain, rtol=0, atol=1e-5)
        np.testing.assert_allclose(
            matrix_of(pose(s)), rotation_from_angles((s**2, np.sin(s)), "zx"), rtol=0, atol=1e-15
        )


def test_outputs_of_a_driven_frame_match_its_drive():
    """A body driven along known angles reports these angles and their rates; its reactions satisfy the Newton-Euler
    equations."""
    model = gw.Model("led", dimension=3)
    model.body("b", mass=2.0, inertia=[0.1, 0.2, 0.25], centre=[0.1, 0, 0], points={"P": [0, 0.2, 0]})
    angles = ["0.3*t", "0.2*sin(t)", "t^2"]
    model.drive("frame", "hand", point="b", x="sin(t)", y="0", z="t", angles=angles, sequence="zxy")
    run = model.inverse(until=1.0, step=0.05)
    t = run.time
    for k, wanted in enumerate((0.3 * t, 0.2 * np.sin(t), t**2)):
        np.testing.assert_allclose(run.array(f"b.zxy_{k + 1}"), wanted, rtol=0, atol=1e-12)
    force = np.stack([run.array(f"hand.force_{axis}") for axis in "xyz"], axis=1)
    a = np.stack([run.array(f"b.a{axis}") for axis in "xyz"], axis=1)
    np.testing.assert_allclose(force, 2.0 * (a + np.array([0, 0, 9.81])), rtol=0, atol=1e-10)
    matrix = np.stack([[run.array(f"b.r{i}{j}") for j in (1, 2, 3)] for i in (1, 2, 3)]).transpose(2, 0, 1)
    inertia = np.einsum("tij,j,tkj->tik", matrix, [0.1, 0.2, 0.25], matrix)
    w, alpha = (np.stack([run.array(f"b.{what}{axis}") for axis in "xyz"], axis=1) for what in ("w", "alpha_"))
    torque = np.stack([run.array(f"hand.torque_{axis}") for axis in "xyz"], axis=1)
    turning = np.einsum("tij,tj->ti", inertia, alpha) + np.cross(w, np.einsum("tij,tj->ti", inertia, w))
    # `point: b` is its centre of mass, so the force has no arm
    np.testing.assert_allclose(torque, turning, rtol=0, atol=1e-10)
