"""What contacts look like: ground, wheels, touched sides of bodies, forces; each drawn once."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.report.scene import Scene

LAW = gw.HuntCrossley(stiffness=1e5, restitution=0.5)


def ball(surface, at=(0.0, 0.3), radius=0.1, **body):
    model = gw.Model("ball").body("ball", mass=1.0, inertia=0.004, at=at, **body)
    return model.contact(gw.Circle("ball", radius), surface, law=LAW, name="floor")


def shapes(scene: Scene, kind: str):
    return [shape for shape in scene.shapes if shape.kind == kind]


@pytest.fixture(scope="module")
def drop():
    return ball(gw.LineGround(), spin=-3.0, velocity=(0.5, 0.0)).simulate(0.5)


def test_a_ball_is_round_turns_and_is_no_block(drop):
    scene = drop.scene()
    (wheel,) = [shape for shape in scene.shapes if shape.kind != "ground"]
    assert (wheel.name, wheel.kind) == ("ball", "round")
    centre, rim = wheel.outline[:, 0], wheel.outline[:, 1]
    np.testing.assert_allclose(np.hypot(*(rim - centre).T), 0.1)
    where = np.searchsorted(drop.time, scene.time)
    np.testing.assert_allclose(centre[:, 1], drop.values("ball.y")[where])
    angle = np.unwrap(np.arctan2(*(rim - centre).T[::-1]))
    np.testing.assert_allclose(angle, drop.values("ball.angle")[where], atol=1e-9)


def test_a_floor_without_ends_runs_out_of_the_picture_and_does_not_shrink_the_ball(drop):
    scene = drop.scene()
    (floor,) = shapes(scene, "ground")
    left, right, bottom, top = scene.bounds()
    (x0, y0), (x1, y1) = floor.at(0)
    assert x0 < left - (right - left) and x1 > right + (right - left) and y0 == y1 == 0.0
    assert x0 < x1, "walked to the right: solid below"
    assert bottom < 0.0 and top - bottom < 0.6 and right - left < 0.7


@pytest.mark.parametrize(
    ("points", "drawn"),
    [({}, ["round"]), ({"P": (0.05, 0.0)}, ["round"]), ({"P": (0.3, 0.0)}, ["body", "round"])],
    ids=["no points", "points inside", "an arm"],
)
def test_a_body_is_drawn_besides_its_circle_only_where_it_sticks_out(points, drawn):
    scene = ball(gw.LineGround(), points=points).simulate(0.01).scene()
    assert [shape.kind for shape in scene.shapes if shape.name == "ball"] == drawn


def test_a_link_with_a_round_end_keeps_its_bar():
    model = gw.Model("leg").ground_point("O", 0, 1).point("F", 0.4, 0.4).link("leg", "O", "F", mass=1.0)
    model.contact(gw.Circle("leg.F", 0.05), gw.LineGround(), law=LAW)
    scene = model.simulate(0.02).scene()
    assert [(shape.name, shape.kind) for shape in scene.shapes[:2]] == [("leg", "link"), ("leg", "round")]
    np.testing.assert_allclose(scene.shapes[0].at(0)[1], scene.shapes[1].at(0)[0], atol=1e-12)


def block():
    corners = {"A": (-0.1, -0.1), "B": (0.1, -0.1), "C": (0.1, 0.1), "D": (-0.1, 0.1)}
    model = gw.Model("block").body("block", mass=1.0, inertia=0.01, at=(0.0, 0.1), points=corners)
    for name in "AB":
        model.contact(f"block.{name}", gw.LineGround(), law=LAW, name=f"foot{name}")
    return model


def test_several_contacts_on_one_ground_draw_it_once():
    model = block().body("ball", mass=1.0, inertia=0.004, at=(0.5, 0.2))
    model.contact(gw.Circle("ball", 0.1), gw.LineGround(), law=LAW)
    model.contact(gw.Circle("ball", 0.1), gw.Face("block.B", "block.C"), law=LAW)
    scene = model.simulate(0.02).scene()
    assert len(shapes(scene, "ground")) == 1 and len(shapes(scene, "round")) == 1
    model.contact("block.A", gw.LineGround(level=-0.2), law=LAW)
    assert len(shapes(model.simulate(0.02).scene(), "ground")) == 2


def test_a_touched_side_of_a_body_moves_with_it():
    model = block().body("ball", mass=1.0, inertia=0.004, at=(0.0, 0.4))
    for radius in (0.1, 0.05):
        model.contact(gw.Circle("ball", radius), gw.Face("block.D", "block.C"), law=LAW)
    run = model.simulate(0.1)
    (side,) = shapes(run.scene(), "surface")
    assert side.name == "block"
    np.testing.assert_allclose(side.at(-1)[0], [run.values("block.D.x")[-1], run.values("block.D.y")[-1]])


def test_a_circle_that_is_touched_is_round_too():
    model = ball(gw.Circle("drum", 0.3), at=(0.01, 0.5))
    model.body("drum", mass=5.0, inertia=0.1, at=(0, 0)).ground_point("O", 0, 0).revolute("ground.O", "drum")
    scene = model.simulate(0.02).scene()
    assert {(shape.name, shape.kind) for shape in scene.shapes} == {("ball", "round"), ("drum", "round")}
    drum = next(shape for shape in scene.shapes if shape.name == "drum")
    assert np.hypot(*np.diff(drum.at(0), axis=0)[0]) == pytest.approx(0.3)


def test_a_belt_moves_by_its_displacement():
    run = ball(gw.LineGround(displacement=("0.3*t", "0.02*sin(9*t)"))).simulate(0.1)
    scene = run.scene()
    (belt,) = shapes(scene, "ground")
    moved = belt.outline[:, 0] - belt.outline[0, 0]
    np.testing.assert_allclose(moved[:, 0], 0.3 * scene.time, atol=1e-9)
    np.testing.assert_allclose(moved[:, 1], 0.02 * np.sin(9 * scene.time), atol=1e-9)


@pytest.mark.parametrize(("turn", "closed"), [(1, False), (-1, True)], ids=["room", "obstacle"])
def test_closed_terrains_are_solid_on_the_right(turn, closed):
    square = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0), (0.0, 0.0)][::turn]
    (wall,) = shapes(
        ball(gw.Polyline(square), at=(1.0, 1.0) if turn > 0 else (1.0, 3.0)).simulate(0.01).scene(), "ground"
    )
    assert wall.closed is closed and wall.outline.shape == (1, 4 if closed else 5, 2)


def test_forces_act_at_the_point_of_contact_and_only_there(drop):
    assert drop.scene().forces == {}
    scene = drop.scene(forces=True)
    points, vectors = scene.forces["floor"]
    pressed = np.isfinite(points[:, 0])
    assert 0 < pressed.sum() < scene.n_frames and not vectors[~pressed].any()
    assert vectors[:, 1].max() == pytest.approx(drop.values("floor.fy").max()), "the peak is among the frames"
    np.testing.assert_allclose(points[pressed, 1], 0.0, atol=drop.values("floor.penetration").max() + 1e-9)


def test_long_steps_of_an_adaptive_method_are_filled_in():
    run = ball(gw.LineGround()).simulate(0.5, output_step=0)
    assert np.diff(run.time).max() > 0.02
    scene = run.scene()
    assert np.diff(scene.time).max() < 0.002
    before = scene.time < 0.2
    height = 0.3 - 9.81 * scene.time[before] ** 2 / 2
    np.testing.assert_allclose(scene.shapes[0].outline[before, 0, 1], height, atol=1e-9)


def test_the_pose_of_a_model_is_drawn_with_its_ground(tmp_path):
    from PIL import Image

    path = ball(gw.Polyline([(-1, 0), (0.2, 0), (0.2, 0.3), (1, 0.3)])).draw(tmp_path / "pose.png")
    assert np.asarray(Image.open(path).convert("RGB")).std() > 10
