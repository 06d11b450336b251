"""Pictures of a scene: drawn without pyplot, different from frame to frame, and complete."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import gaitwright.report.renderers.planar_renderer as drawing
from gaitwright.report.figures.style import PALETTE, plot_curve, plot_lines
from gaitwright.report.renderers.planar_renderer import (
    draw_planar_scene,
    offset_right,
    save_planar_png,
    shape_colours,
)
from gaitwright.report.renderers.planar_symbols import spring_zigzag
from gaitwright.report.scenes.planar_scene import SHAPE_KINDS, PlanarScene, SceneShape


def swing(n=9, name="bar"):
    """A bar that swings about O, with one shape of every other kind at its tip."""
    angle = np.linspace(-1, 1, n)
    tip = np.column_stack([np.sin(angle), -np.cos(angle)])
    bar = np.stack([np.zeros((n, 2)), tip], axis=1)
    corners = tip[:, None] + 0.1 * np.array([(0, 0), (1, 0), (0, 1)])
    return PlanarScene(
        "swing",
        np.linspace(0, 2, n),
        [
            SceneShape("floor", "ground", [[[-2, -1.1], [2, -1.1]]]),
            SceneShape("block", "ground", [[[1, -1], [1.2, -1], [1.2, -0.8]]], closed=True),
            SceneShape(name, "link", bar),
            SceneShape("plate", "link", corners, closed=True),
            SceneShape("weight", "body", corners, closed=True),
            SceneShape("weight", "surface", corners[:, :2]),
            SceneShape("wheel", "round", corners[:, 1:]),
            SceneShape("stay", "spring", bar),
            SceneShape("rod", "beam", corners),
        ],
        joints={"O": np.zeros((n, 2)), "P": tip},
        ground_joints={"O"},
        traces={"P": tip},
    )


def pixels(path):
    return np.asarray(Image.open(path).convert("RGB"))


def test_every_kind_has_a_drawing_function():
    assert set(drawing._SHAPE_PAINTERS) == set(SHAPE_KINDS)


def test_png_is_a_picture_and_differs_between_frames(tmp_path):
    first = pixels(save_planar_png(swing(), tmp_path / "new folder" / "0.png", 0))
    last = pixels(save_planar_png(swing(), tmp_path / "8.png", -1))
    assert first.shape == last.shape and min(first.shape[:2]) > 300
    assert first.std() > 10
    assert (first != last).any(axis=2).mean() > 0.01


def test_ghosts_show_other_poses(tmp_path):
    plain = pixels(save_planar_png(swing(), tmp_path / "a.png"))
    ghostly = pixels(save_planar_png(swing(), tmp_path / "b.png", ghosts=4))
    assert (plain != ghostly).any(axis=2).mean() > 0.01


def test_axes_have_equal_scales_and_every_name_is_written_once():
    ax = draw_planar_scene(swing())
    assert ax.get_aspect() == 1.0
    names = ["bar", "plate", "weight", "wheel", "stay", "rod", "O", "P"]
    assert sorted(text.get_text() for text in ax.texts) == sorted(names)
    assert not draw_planar_scene(swing(), labels=False).texts


def test_names_do_not_cover_each_other():
    ax = draw_planar_scene(swing())
    boxes = [text.get_window_extent() for text in ax.texts]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_a_name_is_never_read_as_mathematics(tmp_path):
    scene = swing(name=r"$\frac{$ _{")
    label = next(text for text in draw_planar_scene(scene).texts if text.get_text() == scene.shapes[2].name)
    assert not label.get_parse_math()
    assert pixels(save_planar_png(scene, tmp_path / "a.png")).std() > 0.0


@pytest.mark.parametrize("frame", [9, -10])
def test_a_frame_that_does_not_exist_is_refused(frame):
    with pytest.raises(ValueError, match="has 9 frame"):
        draw_planar_scene(swing(), frame)


def test_colours_are_distinct_for_moving_parts():
    colours = shape_colours(swing())
    assert colours[2:5] == list(PALETTE[:3])
    assert colours[5] == colours[4], "parts of one body share its colour"
    assert colours[0] == colours[1] not in PALETTE and colours[7] not in PALETTE


def test_zigzag_connects_the_ends_also_for_zero_length():
    line = spring_zigzag(np.array([1.0, 2.0]), np.array([4.0, 6.0]), 0.1)
    np.testing.assert_allclose(line[[0, -1]], [[1, 2], [4, 6]])
    across = (line - line[0]) @ np.array([-4, 3]) / 5
    assert across.max() == pytest.approx(0.1) and across.min() == pytest.approx(-0.1)
    assert np.isfinite(spring_zigzag(np.zeros(2), np.zeros(2), 0.1)).all()


def test_ground_is_solid_below_a_line_drawn_to_the_right():
    np.testing.assert_allclose(offset_right(np.array([[0.0, 0], [1, 0], [3, 0]]), 0.5)[:, 1], -0.5)


def test_ground_keeps_its_depth_around_corners():
    """At the foot of a step, where the outline turns left, the solid is wide; below its edge the corners move closer
    together."""
    step = np.array([[0.0, 0], [1, 0], [1, 1], [2, 1]])
    under = offset_right(step, 0.1)
    np.testing.assert_allclose(under, [[0, -0.1], [1, -0.1], [1.1, 0], [1.1, 0.9], [2, 0.9]], atol=1e-12)
    room = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1], [0, 0]])
    np.testing.assert_allclose(offset_right(room, 0.1)[[0, 1, -1]], [[-0.1, 0], [0, -0.1], [0, -0.1]], atol=1e-12)


def test_forces_are_drawn_at_their_points_of_application(tmp_path):
    pushed = swing()
    plain = pixels(save_planar_png(pushed, tmp_path / "a.png"))
    force = np.zeros((9, 2)), np.tile([0.0, 5.0], (9, 1))
    force[1][3] = np.nan
    pushed.forces = {"push": force}
    red = (pixels(save_planar_png(pushed, tmp_path / "b.png")) == (0xD6, 0x27, 0x4A)).all(axis=2)
    assert red.any() and not (plain == (0xD6, 0x27, 0x4A)).all(axis=2).any()
    above = np.argwhere(red)[:, 0]
    assert np.ptp(above) > 20, "it points upwards"
    nothing = pixels(save_planar_png(pushed, tmp_path / "c.png", 3))
    assert not (nothing == (0xD6, 0x27, 0x4A)).all(axis=2).any()


def test_fixed_parts_have_no_ghosts():
    still = PlanarScene("still", np.arange(5), [SceneShape("bar", "link", np.tile([[0.0, 0], [1, 0]], (5, 1, 1)))])
    assert len(draw_planar_scene(still, ghosts=4).lines) == len(draw_planar_scene(still).lines)


def test_threads_draw_the_same_picture(tmp_path):
    with ThreadPoolExecutor(3) as pool:
        paths = list(pool.map(lambda i: save_planar_png(swing(), tmp_path / f"{i}.png"), range(3)))
    assert len({path.read_bytes() for path in paths}) == 1


def test_plot_lines_has_names_units_and_a_file(tmp_path):
    t = np.linspace(0, 1, 20)
    figure = plot_lines({"a": (t, t), "b": (t, t**2)}, ylabel="torque (N m)", title="Drive", path=tmp_path / "a.svg")
    ax = figure.axes[0]
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title(loc="left")) == ("time (s)", "torque (N m)", "Drive")
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["a", "b"]
    assert (tmp_path / "a.svg").stat().st_size > 1000


def test_plot_curve_has_equal_scales():
    t = np.linspace(0, 6, 50)
    assert plot_curve(np.cos(t), 3 * np.sin(t), title="Path").axes[0].get_aspect() == 1.0
    loop = plot_curve(1e-3 * np.cos(t), 1e3 * np.sin(t), equal=False).axes[0]
    assert loop.get_aspect() == "auto" and len(loop.lines) == 1


def test_bands_are_shaded_without_changing_the_axis():
    t = np.linspace(0, 1, 20)
    plain, shaded = (plot_lines({"a": (t, t)}, bands=bands).axes[0] for bands in ((), [(0.2, 0.4), (0.7, 0.7), (1, 3)]))
    assert len(shaded.patches) == 3 and not plain.patches
    assert shaded.get_xlim() == plain.get_xlim()
    assert shaded.patches[1].get_width() > 0, "an impact that is too short to be seen still shows"


@pytest.mark.slow
def test_importing_the_report_does_not_import_matplotlib():
    """The import must be fast, and drawing must not change pyplot's global state."""
    source = Path(drawing.__file__).parents[3]
    code = """
import sys, gaitwright.report.animations.planar_animation, gaitwright.report.figures.style
assert not {"matplotlib", "PIL"} & set(sys.modules)
gaitwright.report.figures.style.plot_curve([0, 1], [0, 1])
assert "matplotlib.pyplot" not in sys.modules
"""
    environment = os.environ | {"PYTHONPATH": str(source)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
