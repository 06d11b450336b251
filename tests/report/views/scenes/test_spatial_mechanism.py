"""Scenes of spatial motions: positions of bodies, solids with the inertia of their bodies, axes that move with them."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.geometry.rotation import rotate_vectors
from gaitwright.mechanism.mechanism import ContactNames
from gaitwright.report.views.scenes.spatial_mechanism import build_spatial_scene
from gaitwright.result.outputs import StateHistory

AXIS = np.array([1.0, 2.0, 2.0]) / 3.0


def top(**fields):
    """A body on a ball joint at the origin."""
    model = gw.Model("top", dimension=3)
    model.ground_point("G", 0, 0, 0)
    usual = {
        "mass": 2.0,
        "inertia": [0.01, 0.01, 0.008],
        "centre": [0, 0, 0.08],
        "points": {"O": [0, 0, 0], "T": [0, 0, 0.6]},
    }
    return model.body("top", **(usual | fields)).joint("spherical", a="ground.G", b="top.O", name="ball")


def turning(mechanism, time, speed, axis=AXIS, body="top"):
    """Motion in which a body rotates about an axis through the origin with an angular speed, rad/s; all others are at rest."""
    q = np.tile(mechanism.drawn_at(0.0), (len(time), 1))
    v, index = 0 * q, mechanism.body_names[body].index
    turned = Rotation.from_rotvec(np.outer(speed * time, axis)).as_matrix()
    q[:, index[3:]] = np.swapaxes(turned - np.eye(3), 1, 2).reshape(-1, 9)
    v[:, index[3:]] = np.swapaxes(np.cross(speed * axis, turned, axisb=1, axisc=1), 1, 2).reshape(-1, 9)
    nothing = np.zeros((len(time), 0))
    return StateHistory(time, q, v, 0 * q, nothing, nothing, nothing)


def inertia_of(solid, mass):
    """Inertia about the centre, in the frame of the body: closed forms of a uniform box, cylinder and sphere."""
    a, b, c = (*solid.size, 0.0, 0.0)[:3]
    own = {
        "box": [b * b + c * c, a * a + c * c, a * a + b * b],
        "cylinder": [3 * a * a + b * b, 3 * a * a + b * b, 6 * a * a],
        "sphere": [4.8 * a * a] * 3,
    }[solid.kind]
    axes = rotate_vectors(solid.rotation, np.eye(3)).T
    return mass / 12 * axes @ np.diag(own) @ axes.T


@pytest.mark.parametrize(
    ("inertia", "kind"),
    [
        ([0.05, 0.05, 0.05], "sphere"),
        ([0.02, 0.02, 0.03], "cylinder"),
        ([0.02, 0.03, 0.02], "cylinder"),
        ([0.02, 0.03, 0.04], "box"),
        ([0.02, 0.03, 0.04, 0.004, -0.003, 0.002], "box"),
    ],
)
def test_a_body_without_a_shape_is_the_solid_of_its_inertia(inertia, kind):
    model = gw.Model("free", dimension=3).body("top", mass=2.0, inertia=inertia, centre=[0.1, 0.2, 0.3])
    mechanism = model.mechanism()
    (solid,) = build_spatial_scene(mechanism, turning(mechanism, np.array([0.0, 1.0]), 0.5)).bodies[0].solids
    assert solid.kind == kind
    np.testing.assert_allclose(solid.at, [0.1, 0.2, 0.3])
    np.testing.assert_allclose(inertia_of(solid, 2.0), mechanism.body_names["top"].inertia, atol=1e-12)


def test_positions_of_bodies_points_and_joints():
    mechanism, time = top().mechanism(), np.linspace(0.0, 2.0, 41)
    scene = build_spatial_scene(mechanism, turning(mechanism, time, 3.0), trace=["top.T"])
    tip = Rotation.from_rotvec(np.outer(3.0 * time, AXIS)).apply([0.0, 0.0, 0.6])
    np.testing.assert_allclose(scene.traces["top.T"], tip, atol=1e-14)
    body = scene.bodies[0]
    np.testing.assert_allclose(body.position + rotate_vectors(body.rotation, [0.0, 0.0, 0.6]), tip, atol=1e-14)
    kinds = [solid.kind for solid in body.solids]
    assert kinds == ["cylinder", "capsule"], "O lies in the drum, a bar leads to T"
    bar = body.solids[1]
    ends = bar.at + rotate_vectors(bar.rotation, np.array([[0, 0, -1], [0, 0, 1]])) * bar.size[1] / 2
    np.testing.assert_allclose(ends, [[0, 0, 0.08], [0, 0, 0.6]], atol=1e-14)
    (joint,) = scene.joints
    assert (joint.name, joint.kind, joint.axis, scene.held) == ("ball", "ball", None, True)
    np.testing.assert_allclose(scene.up, [0, 0, 1])
    (support,) = scene.ground
    np.testing.assert_allclose(
        support.at + rotate_vectors(support.rotation, [0, 0, support.size[1] / 2]), 0.0, atol=1e-14
    )
    assert support.at[2] < 0, "below the joint: the body is above"


def test_axis_of_a_joint_moves_with_its_body():
    """Body arm is attached to body top by a hinge about the y axis of top, which rotates."""
    model = top().body(
        "arm", mass=1.0, inertia=[0.1, 0.1, 0.1], at=[0, 0, 0.6], points={"T": [0, 0, 0], "E": [1, 0, 0]}
    )
    model.joint("revolute", a="top.T", b="arm.T", axis=[0, 1, 0], name="hinge")
    model.joint("distance", a="top.O", b="arm.E", name="rope")
    model.force("spring-damper", a="ground.G", b="arm.E", stiffness=1.0, name="spring")
    mechanism, time = model.mechanism(), np.array([0.0, 0.5, 1.0])
    scene = build_spatial_scene(mechanism, turning(mechanism, time, 1.3))
    hinge = next(joint for joint in scene.joints if joint.name == "hinge")
    expected = Rotation.from_rotvec(np.outer(1.3 * time, AXIS)).apply([0.0, 1.0, 0.0])
    assert hinge.kind == "pin"
    np.testing.assert_allclose(hinge.axis, expected, atol=1e-14)
    for shown in (scene.lines["rope"], scene.springs["spring"]):
        np.testing.assert_allclose(shown, np.tile([[0, 0, 0], [1, 0, 0.6]], (3, 1, 1)), atol=1e-14)


def test_shapes_of_the_model_are_shown():
    shapes = [{"box": [0.1, 0.2, 0.3], "at": [0, 0, 0.5]}, {"cone": [0.1, 0.4], "orientation": {"angles": [90, 0, 0]}}]
    mechanism = top(shapes=shapes).mechanism()
    box, cone = build_spatial_scene(mechanism, turning(mechanism, np.array([0.0, 1.0]), 1.0)).bodies[0].solids
    assert (box.kind, box.size, cone.kind, cone.size) == ("box", (0.1, 0.2, 0.3), "cone", (0.1, 0.4))
    np.testing.assert_allclose(box.at, [0, 0, 0.5])
    np.testing.assert_allclose(rotate_vectors(cone.rotation, [0.0, 0.0, 1.0]), [0, -1, 0], atol=1e-15)


def touching(model, outline, radius=0.05):
    """Mechanism with a contact of sphere T of body top on a surface of the ground, with the data needed for pictures."""
    place = (0.0, 0.0, 0.6)
    names = ContactNames("toe", "", (0,), ("ground", "top"), np.array(outline), radius, place)
    return replace(model.mechanism(), contact_names=[names])


def test_surfaces_and_spheres_of_contacts():
    times = np.array([0.0, 1.0])
    level = touching(top(), [[3.0, 4.0, -0.2], [0.0, 0.0, 1.0]])
    scene = build_spatial_scene(level, turning(level, times, 0.0))
    assert scene.floor == -0.2 and [solid.kind for solid in scene.ground] == ["cone"]
    ball = next(solid for solid in scene.bodies[0].solids if solid.kind == "sphere")
    assert ball.size == (0.05,) and ball.at.tolist() == [0, 0, 0.6]

    normal = np.array([0.6, 0.0, 0.8])
    slope = touching(top(), [-0.2 * normal, normal])
    plate = build_spatial_scene(slope, turning(slope, times, 0.0)).ground[-1]
    upper = plate.at + rotate_vectors(plate.rotation, [[x, y, plate.size[2] / 2] for x in (-1, 1) for y in (-1, 1)])
    np.testing.assert_allclose(upper @ normal, -0.2, atol=1e-14)

    grid = np.stack(np.meshgrid([0.0, 1.0, 2.0], [0.0, 1.0], [0.5], indexing="ij"), axis=-1)[:, :, 0]
    hills = touching(top(), grid)
    mesh = build_spatial_scene(hills, turning(hills, times, 0.0)).ground[-1]
    corners = mesh.vertices[mesh.faces]
    area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]).sum(axis=0) / 2
    np.testing.assert_allclose(area, [0, 0, 2.0], atol=1e-14, err_msg="two squares that look up")


def test_fast_rotation_keeps_more_states():
    mechanism, time = top().mechanism(), np.linspace(0.0, 10.0, 20001)
    slow, fast = (build_spatial_scene(mechanism, turning(mechanism, time, speed)).n_frames for speed in (1.0, 120.0))
    assert (slow, fast) == (600, 2400)


def test_unknown_names_are_refused():
    mechanism = top().mechanism()
    motion = turning(mechanism, np.array([0.0, 1.0]), 1.0)
    with pytest.raises(ModelError, match=r"there is no point 'top\.X' to trace"):
        build_spatial_scene(mechanism, motion, trace=["top.X"])
    with pytest.raises(ModelError, match="this model has none"):
        build_spatial_scene(mechanism, motion, colour="bending_moment")


@pytest.mark.slow
def test_spatial_run_is_drawn_animated_and_reported(tmp_path):
    run = top(spin=[0, 0, 30]).simulate(until=0.05, step=0.005, method="rk4")
    assert run.draw(tmp_path / "a.png", time=0.02, ghosts=2, trace=["top.T"]).stat().st_size > 5000
    assert run.animate(tmp_path / "a.gif").read_bytes().startswith(b"GIF")
    assert '"kind":"space"' in run.animate(tmp_path / "a.html", trace=["T"]).read_text(encoding="utf-8")
    page = run.report(tmp_path / "r.html", trace=["top.T"])["report"].read_text(encoding="utf-8")
    assert "Curve of top.T, from the side" in page and "Curve of top.T, from above" in page
