"""Spatial scenes: validation, facets and pictures, and the data of the page."""

import base64
import json
import re
from importlib.resources import files

import numpy as np
import pytest
from PIL import Image
from scipy.spatial.transform import Rotation

from gaitwright.geometry.rotation import quaternion_from_direction, rotate_vectors
from gaitwright.report.animations.planar_animation import save_planar_html
from gaitwright.report.animations.spatial_animation import QUATERNION_SCALE, save_spatial_html, spatial_page_data
from gaitwright.report.blocks import Animation
from gaitwright.report.page import Report
from gaitwright.report.renderers.software_renderer import Camera
from gaitwright.report.renderers.solid_facets import compute_facets
from gaitwright.report.renderers.spatial_renderer import draw_still_figure, save_spatial_gif, save_spatial_png
from gaitwright.report.scenes.planar_scene import PlanarScene, SceneShape
from gaitwright.report.scenes.spatial_scene import JointMark, MovingBody, SceneSolid, SpatialScene

HOSTILE = "</script><b>&\u2028<!--"
WEB = files("gaitwright.report").joinpath("web")


def about(axis, angle):
    """Quaternions of rotations about a unit axis."""
    angle = np.atleast_1d(angle)[:, None] / 2
    return np.hstack([np.cos(angle), np.sin(angle) * np.asarray(axis, dtype=float)])


def swing(n=40, until=2.0, name="bar", turns=0.4, **rest):
    """A bar that rotates about y, pinned at the origin."""
    time = np.linspace(0, until, n)
    rotation = about([0, 1, 0], 2 * np.pi * turns * time)
    bar = MovingBody(name, np.zeros((n, 3)), rotation, [SceneSolid("rod", "box", (0.05, 0.05, 0.4), at=(0, 0, -0.2))])
    pin = JointMark("O", "pin", np.zeros((n, 3)), np.tile([0.0, 2.0, 0.0], (n, 1)))
    return SpatialScene(f"Swinging {name}", time, [bar], joints=[pin], held=True, **rest)


# Rotations and solids -----------------------------------------------------------------------------------------------


def test_vectors_are_rotated_as_by_scipy():
    rng = np.random.default_rng(3)
    axes, angles = rng.normal(size=(50, 3)), rng.uniform(-3.1, 3.1, 50)
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    quaternions = np.concatenate([about(axis, angle) for axis, angle in zip(axes, angles, strict=True)])
    vectors = rng.normal(size=(50, 3))
    expected = Rotation.from_rotvec(axes * angles[:, None]).apply(vectors)
    np.testing.assert_allclose(rotate_vectors(quaternions, vectors), expected, atol=1e-13)


@pytest.mark.parametrize("direction", [(0, 0, 1), (0, 0, -1), (1, 2, -3), (0, -1, 0)])
def test_quaternion_rotates_z_to_a_direction(direction):
    wanted = np.array(direction) / np.linalg.norm(direction)
    np.testing.assert_allclose(
        rotate_vectors(quaternion_from_direction(direction), [0.0, 0.0, 1.0]), wanted, atol=1e-14
    )


SIDES = 28
POLYGON = 0.5 * SIDES * np.sin(2 * np.pi / SIDES)  # area of a regular polygon in a circle of radius one
TETRAHEDRON = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])


@pytest.mark.parametrize(
    ("solid", "volume", "accuracy"),
    [
        (SceneSolid("a", "box", (2, 3, 4)), 24.0, 1e-12),
        (SceneSolid("a", "cylinder", (2, 5)), POLYGON * 4 * 5, 1e-12),
        (SceneSolid("a", "cone", (2, 6)), POLYGON * 4 * 2, 1e-12),
        (SceneSolid("a", "sphere", (3,)), 4 / 3 * np.pi * 27, 0.03),
        (SceneSolid("a", "capsule", (3, 4)), np.pi * (4 / 3 * 27 + 36), 0.03),
        (
            SceneSolid("a", "mesh", vertices=TETRAHEDRON, faces=[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]),
            1 / 6,
            1e-12,
        ),
    ],
    ids=lambda value: value.kind if isinstance(value, SceneSolid) else "",
)
@pytest.mark.parametrize("piece", [0.7, np.inf])
def test_facets_are_closed_with_outward_normals(solid, volume, accuracy, piece):
    """Divergence theorem: a third of the flux of the position vector through the facets is the enclosed volume."""
    a, b, c, d = np.moveaxis(compute_facets(solid, piece, SIDES), 1, 0)
    flux = sum((p * np.cross(q, r)).sum() for p, q, r in ((a, b, c), (a, c, d)))
    assert flux / 6 == pytest.approx(volume, rel=accuracy)
    assert (solid.extent().max(axis=0) >= compute_facets(solid, piece, SIDES).max(axis=(0, 1)) - 1e-12).all()


# Scenes -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: SceneSolid("a", "blob", (1,)), "'blob'; expected one of box, sphere"),
        (lambda: SceneSolid("a", "box", (1, 2)), "expected length along x, along y, along z of a box"),
        (lambda: SceneSolid("a", "sphere", (-1,)), "expected radius of a sphere"),
        (lambda: SceneSolid("a", "sphere", (1,), rotation=(0, 0, 0, 0)), "a quaternion of zeros"),
        (lambda: SceneSolid("a", "mesh"), "vertices of solid 'a' have shape"),
        (lambda: SceneSolid("a", "mesh", vertices=TETRAHEDRON, faces=[[0, 1, 4]]), "a vertex that does not exist"),
        (lambda: MovingBody("b", np.zeros((3, 2)), np.ones((3, 4))), r"position of body 'b' has shape \(3, 2\)"),
        (lambda: MovingBody("b", np.zeros((3, 3)), np.ones((2, 4))), r"rotation of body 'b' has shape \(2, 4\)"),
        (lambda: MovingBody("b", np.full((3, 3), np.nan), np.ones((3, 4))), "NaN or infinity"),
        (lambda: JointMark("j", "hinge", np.zeros((3, 3))), "'hinge'; expected one of pin, ball, guide"),
        (lambda: JointMark("j", "pin", np.zeros((3, 3)), np.zeros((3, 3))), "the axis of joint 'j' is zero"),
        (lambda: SpatialScene("s", [0.0, 1.0]), "the scene is empty"),
        (lambda: SpatialScene("s", [0.0, 1.0], [MovingBody("b", [[0, 0, 0]], [[1, 0, 0, 0]])]), "'b' has 1 frame"),
        (
            lambda: swing(3, springs={"k": np.zeros((3, 3, 3))}),
            r"spring 'k' has shape \(3, 3, 3\); expected \(3, 2, 3\)",
        ),
        (lambda: swing(3, forces={"f": (np.zeros((3, 3)), np.zeros((3, 2)))}), "expected .3, 3. each"),
        (lambda: save_spatial_html(swing(), "x.html", fps=0), "fps is 0"),
        (lambda: save_spatial_png(swing(3), "x.png", 3), "frame 3 does not exist"),
    ],
)
def test_wrong_scenes_are_refused(wrong, words):
    with pytest.raises(ValueError, match=words):
        wrong()


def test_box_contains_the_bar_and_not_a_wide_floor():
    scene = swing(turns=0.125, until=1.0, ground=[SceneSolid("plate", "box", (50, 50, 0.1), at=(0, 0, -0.5))])
    low, high = scene.bounds()
    # From hanging to 45 degrees about y: its end moves to (-0.283, 0, -0.283).
    assert low[0] == pytest.approx(-0.4 * np.sin(np.pi / 4) - 0.025 * np.cos(np.pi / 4) - scene.size() / 3)
    assert high[0] < 0.2 and 0.38 < scene.size() < 0.40
    assert scene.floor_level() < -0.55


def test_opposite_quaternions_are_the_same_pose():
    rotation = about([0, 0, 1], np.linspace(0, 9, 30))
    flipped = rotation * np.where(np.arange(30) % 2, -1, 1)[:, None]
    body = MovingBody("b", np.zeros((30, 3)), flipped)
    np.testing.assert_allclose(body.rotation, rotation, atol=1e-15)
    assert body.turned() == pytest.approx(9.0)


def test_fast_rotation_needs_more_frames():
    slow, fast = swing(6000, turns=1.0), swing(6000, turns=100.0)
    assert (slow.frames_wanted(), fast.frames_wanted()) == (600, int(2 * np.pi * 200 / 0.7))
    assert not slow.travels(), "it is held"


# Pages --------------------------------------------------------------------------------------------------------------


def data(html):
    return json.loads(re.search(r'<script type="application/json" id="scene">(.*?)</script', html, re.S)[1])


def numbers(text, kind="<f4"):
    return np.frombuffer(base64.b64decode(text), dtype=kind)


def test_page_contains_the_scene(tmp_path):
    force = np.tile([0.0, 0.0, 5.0], (40, 1))
    force[:10] = np.nan
    scene = swing(
        traces={"end": np.random.default_rng(0).normal(size=(40, 3))},
        forces={"f": (np.zeros((40, 3)), force)},
        signals={"torque": ([0, 1, 2], [1.0, np.nan, 3.0], "N m")},
    )
    found = data(save_spatial_html(scene, tmp_path / "new" / "a.html").read_text(encoding="utf-8"))
    (body,), (joint,) = found["bodies"], found["joints"]
    np.testing.assert_allclose(found["time"], scene.time, atol=1e-5)
    np.testing.assert_allclose(numbers(body["position"]).reshape(-1, 3), 0.0)
    turned = numbers(body["rotation"], "<i2").reshape(-1, 4) / QUATERNION_SCALE
    np.testing.assert_allclose(turned, scene.bodies[0].rotation, atol=1.6e-5)
    np.testing.assert_allclose(numbers(joint["axis"]).reshape(-1, 3), np.tile([0, 1, 0], (40, 1)))
    np.testing.assert_allclose(numbers(found["traces"][0]["points"]).reshape(-1, 3), scene.traces["end"], atol=1e-6)
    np.testing.assert_array_equal(numbers(found["forces"][0]["vectors"]).reshape(-1, 3), force)
    assert found["shapes"] == [{"kind": "box", "size": [0.05, 0.05, 0.4]}]
    assert found["signals"][0]["values"] == [1.0, None, 3.0]


@pytest.mark.slow
def test_equal_solids_share_one_shape():
    n, time = 600, np.linspace(0, 1, 600)
    still, straight = np.zeros((n, 3)), np.tile([1.0, 0, 0, 0], (n, 1))
    solids = [SceneSolid("a", "box", (1, 2, 3)), SceneSolid("b", "sphere", (1,))]
    bodies = [MovingBody(f"b{k}", still + k, straight, [solids[k % 2]]) for k in range(1000)]
    found = spatial_page_data(SpatialScene("many", time, bodies))
    assert [shape["kind"] for shape in found["shapes"]] == ["box", "sphere"]
    assert [body["solids"][0]["shape"] for body in found["bodies"][:4]] == [0, 1, 0, 1]
    assert sum(len(body["position"]) + len(body["rotation"]) for body in found["bodies"]) == 1000 * 600 * 20 * 4 // 3


def test_names_are_escaped(tmp_path):
    force = {HOSTILE: (np.zeros((40, 3)), np.ones((40, 3)))}
    hostile = swing(name=HOSTILE, signals={HOSTILE: ([0, 1], [0, 1], HOSTILE)}, forces=force, table=[(HOSTILE,)])
    html = save_spatial_html(hostile, tmp_path / "a.html").read_text(encoding="utf-8")
    plain = save_spatial_html(swing(), tmp_path / "b.html").read_text(encoding="utf-8")
    assert HOSTILE not in html
    for tag in ("<script", "</script"):
        assert html.lower().count(tag) == plain.lower().count(tag) == 3
    assert data(html)["bodies"][0]["name"] == HOSTILE


def test_three_js_cannot_end_its_script_and_carries_its_licence(tmp_path):
    script = WEB.joinpath("vendor", "three.js").read_text(encoding="utf-8")
    licence = WEB.joinpath("vendor", "three-LICENSE.txt").read_text(encoding="utf-8")
    assert not re.search(r"</script|<!--", script, re.I) and len(script) < 700_000
    assert "Permission is hereby granted" in licence and licence.strip() in script


def test_three_js_is_included_only_if_needed(tmp_path):
    time, line = np.array([0.0, 1.0]), np.array([[[0.0, 0.0], [1.0, 0.0]]] * 2)
    flat = PlanarScene("flat", time, [SceneShape("bar", "link", line)])
    alone = save_planar_html(flat, tmp_path / "flat.html").read_text(encoding="utf-8")
    both = Report("r", blocks=[Animation(flat), Animation(swing())]).save(tmp_path / "both.html")["report"]
    one = Report("r", blocks=[Animation(flat)]).save(tmp_path / "one.html")["report"]
    there = [text.count("WebGLRenderer") > 0 for text in (alone, both.read_text("utf-8"), one.read_text("utf-8"))]
    assert there == [False, True, False]


# Pictures -----------------------------------------------------------------------------------------------------------


def blue(path):
    """Mask of the pixels in the first colour of the palette, shaded: (rows, columns)."""
    pixels = np.asarray(Image.open(path).convert("RGB")).astype(int)
    return np.nonzero((pixels[..., 2] > 90) & (pixels[..., 0] < 40)), pixels.shape


@pytest.mark.parametrize("up", [(0, 0, 1), (0, 1, 0)])
def test_picture_shows_the_ball_at_its_position(tmp_path, up):
    """Centre of its pixels in two frames against the projection, computed here: right and above span the picture."""
    way = np.array([[0.0, 0.0, 0.0], [0.6, 0.5, 0.3]])
    ball = MovingBody("ball", way, np.tile([1.0, 0, 0, 0], (2, 1)), [SceneSolid("s", "sphere", (0.1,))])
    scene = SpatialScene("ball", [0.0, 1.0], [ball], up=up)
    seen = []
    for frame in (0, 1):
        (rows, columns), (height, _, _) = blue(save_spatial_png(scene, tmp_path / "p.png", frame, labels=False))
        seen.append((columns.mean(), height - rows.mean(), np.ptp(columns)))
    camera = Camera(scene)
    assert abs(camera.right @ scene.up) < 1e-12 and camera.above @ scene.up > 0.5, "up is up"
    np.testing.assert_allclose(np.cross(camera.right, camera.above), camera.back, atol=1e-12)
    pixels_per_metre = seen[0][2] / 0.2
    moved = np.array([way[1] @ camera.right, way[1] @ camera.above])
    found = (np.array(seen[1][:2]) - seen[0][:2]) / pixels_per_metre
    np.testing.assert_allclose(found, moved, atol=0.03 * np.linalg.norm(moved))


def test_front_body_hides_the_body_behind(tmp_path):
    still = np.zeros((1, 3)), [[1.0, 0, 0, 0]]
    toward = Camera(SpatialScene("s", [0.0], [MovingBody("a", *still, [SceneSolid("s", "sphere", (1,))])])).back
    counts = []
    for side in (1.0, -1.0):  # the second body nearer to the camera, and farther from it
        near = MovingBody("b", [side * toward], [[1.0, 0, 0, 0]], [SceneSolid("s", "sphere", (0.5,))])
        first = MovingBody("a", *still, [SceneSolid("s", "sphere", (0.5,))])
        path = save_spatial_png(SpatialScene("s", [0.0], [first, near]), tmp_path / "p.png", labels=False)
        counts.append(len(blue(path)[0][0]))
    assert counts[0] < 0.02 * counts[1], "the first body is blue"


def test_names_of_bodies_at_one_position_do_not_overlap():
    """A wheel in its rings: three names, one below the other."""
    names = ("outer", "inner", "wheel")
    bodies = [
        MovingBody(name, np.zeros((1, 3)), [[1.0, 0, 0, 0]], [SceneSolid("s", "sphere", (0.5,))]) for name in names
    ]
    figure = draw_still_figure(SpatialScene("rings", [0.0], bodies), labels=True)
    boxes = [text.get_window_extent() for text in figure.axes[0].texts if text.get_text() in names]
    assert len(boxes) == 3 and not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_ghosts_and_forces_are_painted(tmp_path):
    force = np.tile([0.0, 0.0, 5.0], (40, 1))
    scene = swing(forces={"f": (np.tile([0.0, 0, -0.2], (40, 1)), force)})
    pixels = np.asarray(Image.open(save_spatial_png(scene, tmp_path / "a.png", ghosts=3)).convert("RGB")).astype(int)
    red = (pixels[..., 0] > 120) & (pixels[..., 1] < 60) & (pixels[..., 2] < 90)
    pale = (pixels[..., 0] > 180) & (pixels[..., 2] > pixels[..., 0] + 20)
    assert red.sum() > 500 and pale.sum() > 3000


def test_gif_has_the_requested_frames(tmp_path):
    spring = np.tile([[[0.2, 0, 0.1], [0, 0, 0.0]]], (40, 1, 1))
    scene = swing(springs={"k": spring}, lines={"rope": spring[:, ::-1] - 0.1})
    with Image.open(save_spatial_gif(scene, tmp_path / "a.gif", max_frames=5, width=240)) as gif:
        assert (gif.n_frames, gif.size[0]) == (5, 240)
