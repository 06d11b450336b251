"""Drawing of contacts and beams: ground, wheels, contact sides of bodies, forces, paths, clamps; each drawn once."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.report.scenes.planar_scene import PlanarScene

LAW = gw.laws.HuntCrossley(stiffness=1e5, restitution=0.5)


def ball(surface, at=(0.0, 0.3), radius=0.1, **body):
    model = gw.Model("ball").body("ball", mass=1.0, inertia=0.004, at=at, **body)
    return model.contact(gw.surfaces.Circle("ball", radius), surface, law=LAW, name="floor")


def shapes(scene: PlanarScene, kind: str):
    return [shape for shape in scene.shapes if shape.kind == kind]


@pytest.fixture(scope="module")
def drop():
    return ball(gw.surfaces.LineGround(), spin=-3.0, velocity=(0.5, 0.0)).simulate(0.5)


def test_ball_is_a_rotating_circle(drop):
    scene = drop.scene()
    (wheel,) = [shape for shape in scene.shapes if shape.kind != "ground"]
    assert (wheel.name, wheel.kind) == ("ball", "round")
    centre, rim = wheel.outline[:, 0], wheel.outline[:, 1]
    np.testing.assert_allclose(np.hypot(*(rim - centre).T), 0.1)
    where = np.searchsorted(drop.time, scene.time)
    np.testing.assert_allclose(centre[:, 1], drop.array("ball.y")[where])
    angle = np.unwrap(np.arctan2(*(rim - centre).T[::-1]))
    np.testing.assert_allclose(angle, drop.array("ball.angle")[where], atol=1e-9)


def test_infinite_floor_leaves_the_picture_and_does_not_shrink_the_ball(drop):
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
def test_body_is_drawn_besides_its_circle_only_if_it_is_larger(points, drawn):
    scene = ball(gw.surfaces.LineGround(), points=points).simulate(0.01).scene()
    assert [shape.kind for shape in scene.shapes if shape.name == "ball"] == drawn


def test_a_link_with_a_round_end_keeps_its_bar():
    model = gw.Model("leg").ground_point("O", 0, 1).point("F", 0.4, 0.4).link("leg", "O", "F", mass=1.0)
    model.contact(gw.surfaces.Circle("leg.F", 0.05), gw.surfaces.LineGround(), law=LAW)
    scene = model.simulate(0.02).scene()
    assert [(shape.name, shape.kind) for shape in scene.shapes[:2]] == [("leg", "link"), ("leg", "round")]
    np.testing.assert_allclose(scene.shapes[0].at(0)[1], scene.shapes[1].at(0)[0], atol=1e-12)


def block():
    corners = {"A": (-0.1, -0.1), "B": (0.1, -0.1), "C": (0.1, 0.1), "D": (-0.1, 0.1)}
    model = gw.Model("block").body("block", mass=1.0, inertia=0.01, at=(0.0, 0.1), points=corners)
    for name in "AB":
        model.contact(f"block.{name}", gw.surfaces.LineGround(), law=LAW, name=f"foot{name}")
    return model


def test_several_contacts_on_one_ground_draw_it_once():
    model = block().body("ball", mass=1.0, inertia=0.004, at=(0.5, 0.2))
    model.contact(gw.surfaces.Circle("ball", 0.1), gw.surfaces.LineGround(), law=LAW)
    model.contact(gw.surfaces.Circle("ball", 0.1), gw.surfaces.Face("block.B", "block.C"), law=LAW)
    scene = model.simulate(0.02).scene()
    assert len(shapes(scene, "ground")) == 1 and len(shapes(scene, "round")) == 1
    model.contact("block.A", gw.surfaces.LineGround(level=-0.2), law=LAW)
    assert len(shapes(model.simulate(0.02).scene(), "ground")) == 2


def test_contact_side_of_a_body_moves_with_it():
    model = block().body("ball", mass=1.0, inertia=0.004, at=(0.0, 0.4))
    for radius in (0.1, 0.05):
        model.contact(gw.surfaces.Circle("ball", radius), gw.surfaces.Face("block.D", "block.C"), law=LAW)
    run = model.simulate(0.1)
    (side,) = shapes(run.scene(), "surface")
    assert side.name == "block"
    np.testing.assert_allclose(side.at(-1)[0], [run.array("block.D.x")[-1], run.array("block.D.y")[-1]])


def test_circle_in_contact_is_drawn_round():
    model = ball(gw.surfaces.Circle("drum", 0.3), at=(0.01, 0.5))
    model.body("drum", mass=5.0, inertia=0.1, at=(0, 0)).ground_point("O", 0, 0).joint.revolute("ground.O", "drum")
    scene = model.simulate(0.02).scene()
    assert {(shape.name, shape.kind) for shape in scene.shapes} == {("ball", "round"), ("drum", "round")}
    drum = next(shape for shape in scene.shapes if shape.name == "drum")
    assert np.hypot(*np.diff(drum.at(0), axis=0)[0]) == pytest.approx(0.3)


def test_a_belt_moves_by_its_displacement():
    run = ball(gw.surfaces.LineGround(displacement=("0.3*t", "0.02*sin(9*t)"))).simulate(0.1)
    scene = run.scene()
    (belt,) = shapes(scene, "ground")
    moved = belt.outline[:, 0] - belt.outline[0, 0]
    np.testing.assert_allclose(moved[:, 0], 0.3 * scene.time, atol=1e-9)
    np.testing.assert_allclose(moved[:, 1], 0.02 * np.sin(9 * scene.time), atol=1e-9)


@pytest.mark.parametrize(("turn", "closed"), [(1, False), (-1, True)], ids=["room", "obstacle"])
def test_closed_terrains_are_solid_on_the_right(turn, closed):
    square = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0), (0.0, 0.0)][::turn]
    (wall,) = shapes(
        ball(gw.surfaces.Polyline(square), at=(1.0, 1.0) if turn > 0 else (1.0, 3.0)).simulate(0.01).scene(), "ground"
    )
    assert wall.closed is closed and wall.outline.shape == (1, 4 if closed else 5, 2)


def test_forces_act_at_the_point_of_contact_and_only_there(drop):
    assert drop.scene().forces == {}
    scene = drop.scene(forces=True)
    points, vectors = scene.forces["floor"]
    pressed = np.isfinite(points[:, 0])
    assert 0 < pressed.sum() < scene.n_frames and not vectors[~pressed].any()
    assert vectors[:, 1].max() == pytest.approx(drop.array("floor.fy").max()), "the peak is among the frames"
    np.testing.assert_allclose(points[pressed, 1], 0.0, atol=drop.array("floor.penetration").max() + 1e-9)


def test_long_steps_of_an_adaptive_method_are_interpolated():
    run = ball(gw.surfaces.LineGround()).simulate(0.5, output_step=0)
    assert np.diff(run.time).max() > 0.02
    scene = run.scene()
    assert np.diff(scene.time).max() < 0.002
    before = scene.time < 0.2
    height = 0.3 - 9.81 * scene.time[before] ** 2 / 2
    np.testing.assert_allclose(scene.shapes[0].outline[before, 0, 1], height, atol=1e-9)


def test_the_pose_of_a_model_is_drawn_with_its_ground(tmp_path):
    from PIL import Image

    path = ball(gw.surfaces.Polyline([(-1, 0), (0.2, 0), (0.2, 0.3), (1, 0.3)])).draw(tmp_path / "pose.png")
    assert np.asarray(Image.open(path).convert("RGB")).std() > 10


# beams


def strip(elements=4, **fields):
    model = gw.Model("strip", gravity=(0, 0)).ground_point("O", 0, 0).point("T", 0.5, 0)
    section = {"youngs_modulus": 2e9, "density": 1200, "width": 0.02, "height": 0.003}
    model.beam("rod", "O", "T", elements=elements, **section, **fields)
    return model


@pytest.fixture(scope="module")
def bent():
    return (
        strip()
        .joint.fixed("ground.O", "rod.start", name="clamp")
        .force.moment("rod.end", "t")
        .static_path(0.3, steps=3)
    )


def test_a_beam_is_a_smooth_curve_through_its_nodes(bent):
    scene = bent.scene()
    (rod,) = shapes(scene, "beam")
    assert rod.outline.shape == (4, 33, 2)
    nodes = bent.mechanism.beams["rod"].nodes
    np.testing.assert_allclose(rod.outline[:, ::8], bent.motion.q[:, nodes[:, :2]], atol=1e-15)
    # An arc: its curvature, from three points, is constant.
    a, b = np.diff(rod.at(-1), axis=0)[:-1], np.diff(rod.at(-1), axis=0)[1:]
    turn = np.arcsin((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]) / np.hypot(*a.T) / np.hypot(*b.T))
    assert turn.min() > 0 and turn.max() < 1.2 * turn.min()
    assert scene.size() > 0.4 and scene.bounds()[1] > 0.5


@pytest.mark.parametrize(("elements", "points"), [(1, 9), (30, 241), (100, 201), (1000, 241)])
def test_a_fine_mesh_is_drawn_with_few_points(elements, points):
    run = strip(elements).joint.fixed("ground.O", "rod.start").static()
    (rod,) = shapes(run.scene(), "beam")
    assert rod.outline.shape == (1, points, 2)
    np.testing.assert_allclose(rod.at(0)[[0, -1]], [[0, 0], [0.5, 0]], atol=1e-12)


def test_clamp_is_drawn_as_a_wall_without_pin(bent):
    scene = bent.scene()
    (wall,) = shapes(scene, "ground")
    (x0, y0), (x1, y1) = wall.at(0)
    assert x0 == x1 == 0 and y0 == -y1 and scene.joints == {}
    assert y1 < y0, "walked downwards: solid on the left of the picture, away from the beam"
    other = (
        strip()
        .ground_point("M", 0.25, 0)
        .joint.fixed("rod.start", "ground.O")
        .joint.fixed("ground.M", "rod.node3")
        .static()
    )
    assert len(shapes(other.scene(), "ground")) == 1, "in the middle of a beam there is no wall to be seen"


def test_pins_springs_and_traces_use_nodes_of_beams():
    model = strip().ground_point("S", 0.4, 0.3).link("arm", "T", "S", mass=0.1)
    model.force.spring_damper("ground.S", "rod.node3", stiffness=100, rest_length=0.2, name="spring")
    run = model.simulate(0.01, step=1e-3)
    scene = run.scene(trace=["rod.node3", "T"])
    where = np.searchsorted(run.time, scene.time)
    node = np.stack([run.array("rod.node3.x"), run.array("rod.node3.y")], axis=1)[where]
    np.testing.assert_allclose(scene.traces["rod.node3"], node)
    np.testing.assert_allclose(shapes(scene, "spring")[0].outline[:, 1], node)
    np.testing.assert_allclose(scene.joints["T"][0], [0.5, 0], atol=1e-12)
    assert scene.ground_joints == {"O", "S"}
    with pytest.raises(gw.ModelError, match=r"no point 'rod\.node9' to trace"):
        run.scene(trace=["rod.node9"])


def test_beams_are_coloured_on_request(bent):
    (rod,) = shapes(bent.scene(), "beam")
    assert rod.values is None
    scene = bent.scene(colour="bending_moment")
    np.testing.assert_allclose(shapes(scene, "beam")[0].values[-1], 0.3, rtol=1e-6)
    assert (scene.colouring.name, scene.colouring.unit) == ("bending moment", "N m")
    stress = bent.scene(colour="stress_right")
    np.testing.assert_allclose(shapes(stress, "beam")[0].values[-1], 0.3 / (0.02 * 0.003**2 / 6) * 1e-6, rtol=1e-6)
    assert stress.colouring.unit == "MPa"


@pytest.mark.slow
def test_beams_in_all_kinds_of_pictures(bent, tmp_path):
    files = [bent.draw(tmp_path / "a.png", time=0.2, colour="bending_moment", ghosts=2)]
    files += [bent.animate(tmp_path / f"a.{kind}", colour="stress_left") for kind in ("html", "gif")]
    bent.plot_shapes("rod", times=[0.1, 0.3], path=tmp_path / "b.png")
    bent.plot_along("rod", "stress_left", path=tmp_path / "c.png")
    files += [strip().draw(tmp_path / "d.png"), tmp_path / "b.png", tmp_path / "c.png"]
    assert all(path.stat().st_size > 3000 for path in files)
    with pytest.raises(gw.ModelError, match="the model has no beam"):
        ball(gw.surfaces.LineGround()).simulate(0.01).plot_shapes()


def test_check_describes_beams():
    model = strip(6).body("box", mass=1.0, inertia=0.01, at=(0, 1))
    found = model.check()
    assert found.lines()[0].startswith("strip: 1 body, 1 beam, 31 coordinates")
    assert (
        "beam rod: 6 elements (continuum-reduced), 500 mm, 0.036 kg, EI 0.09 N m^2, EA 1.2e+05 N; unstressed at the start"
        in (found.lines())
    )
    assert "warning: body 'box' is not connected to anything" in found.lines()
    free = gw.Model("free").point("A", 0, 1).point("B", 1, 1)
    free.beam("rope", "A", "B", elements=3, diameter="0.01 - 0.004*s", youngs_modulus=1e8, density=1000)
    lines = free.check().lines()
    assert lines[0].startswith("free: 1 beam, 16 coordinates")
    assert "warning: beam 'rope' is not connected to anything" in lines
    assert any("EI 0.006362 to 0.04909 N m^2" in line for line in lines)


def test_check_lists_a_contact_along_a_beam_once():
    model = strip(3).contact(gw.surfaces.Along("rod"), gw.surfaces.LineGround(level=-0.1), law=LAW, name="floor")
    (contact,) = model.check().contacts
    assert contact.touching == "circles of radius 1.5 mm about the 4 nodes of rod"
    assert contact.start == "98.5 mm apart at the start"
    one = strip(3).contact("rod.node2", gw.surfaces.LineGround(level=-0.1), law=LAW).check().contacts[0]
    assert one.touching == "point node2 of rod"
