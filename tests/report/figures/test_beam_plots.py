"""Plots of beams: shapes over time, quantities along them, and curves coloured by a quantity."""

import json
import re

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from PIL import Image

from gaitwright.report.animations.planar_animation import save_planar_gif, save_planar_html
from gaitwright.report.figures.beam_plots import (
    MAX_LEGEND_CURVES,
    pick_instants,
    plot_along_arc_length,
    plot_shapes_over_time,
)
from gaitwright.report.renderers.planar_renderer import draw_planar_scene, new_scene_figure, save_planar_png
from gaitwright.report.scenes.planar_scene import BeamColouring, PlanarScene, SceneShape

TIME = np.linspace(0, 2, 41)
S = np.linspace(0, 1, 30)


def bending(time=TIME):
    """A line that is bent to an arc: x and y, (n_times, n_points)."""
    curvature = 0.01 + time[:, None]
    return np.sin(curvature * S) / curvature, (1 - np.cos(curvature * S)) / curvature


def scene(values=True, **rest):
    x, y = bending()
    moment = np.outer(TIME - 1, np.cos(3 * S))
    shape = SceneShape("rod", "beam", np.stack([x, y], axis=2), values=moment if values else None)
    return PlanarScene(
        "bent", TIME, [shape], colouring=BeamColouring("bending moment", "N m") if values else None, **rest
    )


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [(None, 9), (3, 3), (100, 41), ([0.0, 1.0], 2), (1.0, 1), ([0.5, 0.501, 2.0], 2)],
)
def test_instants_are_picked_evenly_or_by_given_times(wanted, expected):
    picked = pick_instants(TIME, wanted)
    assert len(picked) == len(set(picked)) == expected
    if isinstance(wanted, list):
        assert TIME[picked].tolist() == pytest.approx([0.0, 1.0] if len(wanted) == 2 else [0.5, 2.0])


def test_instants_of_a_path_back_in_time_are_spread_over_its_points():
    back = np.concatenate([np.linspace(0, 1, 6), np.linspace(0.9, 0.2, 6)])
    assert pick_instants(back, 4).tolist() == [0, 4, 7, 11]
    assert pick_instants(np.zeros(1), 9).tolist() == [0]


@pytest.mark.parametrize("count", [1, MAX_LEGEND_CURVES, MAX_LEGEND_CURVES + 4])
def test_shapes_over_time_have_equal_scales_and_time_labels(count, tmp_path):
    time = TIME[:: 41 // count][:count]
    figure = plot_shapes_over_time("bent", time, [bending(time)], paths=[np.zeros((5, 2))], path=tmp_path / "a.png")
    ax = figure.axes[0]
    assert ax.get_aspect() == 1.0 and ax.get_title(loc="left") == "bent"
    curves = [line for line in ax.lines if len(line.get_xdata()) == S.size]
    assert len(curves) == count and len({line.get_color() for line in curves}) == count
    assert len(figure.legends) == (1 < count <= MAX_LEGEND_CURVES) and len(figure.axes) == 1 + (
        count > MAX_LEGEND_CURVES
    )
    assert Image.open(tmp_path / "a.png").size[0] > 800


def test_several_beams_share_the_colour_of_their_time():
    x, y = bending(TIME[:3])
    figure = plot_shapes_over_time("two", TIME[:3], [(x, y), (x + 2, y)])
    colours = [line.get_color() for line in figure.axes[0].lines if len(line.get_xdata()) == S.size]
    assert colours[0::2] == colours[1::2]
    assert len(figure.legends[0].get_texts()) == 3


def test_a_quantity_along_a_beam_has_its_unit(tmp_path):
    values = np.outer([1.0, 2.0], 1 - S)
    figure = plot_along_arc_length("rod", TIME[:2], S, values, label="bending moment (N m)", path=tmp_path / "m.svg")
    ax = figure.axes[0]
    assert ax.get_ylabel() == "bending moment (N m)" and "s (m)" in ax.get_xlabel()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["t = 0 s", "t = 0.05 s"]
    assert (tmp_path / "m.svg").stat().st_size > 1000


def test_constant_quantity_does_not_show_rounding_errors():
    low, high = plot_along_arc_length("rod", TIME[:1], S, 4.5 + 1e-12 * S[None], label="M (N m)").axes[0].get_ylim()
    assert low <= 0 and high > 4.5


@pytest.mark.parametrize(
    ("values", "message"), [(np.zeros((41, 29)), "one per point"), (np.full((41, 30), np.nan), "NaN or infinity")]
)
def test_values_that_do_not_fit_are_refused(values, message):
    x, y = bending()
    with pytest.raises(ValueError, match=message):
        SceneShape("rod", "beam", np.stack([x, y], axis=2), values=values)


def test_values_colour_the_curve_with_a_colour_bar(tmp_path):
    ax = draw_planar_scene(scene(), 40)
    (pieces,) = [c for c in ax.collections if isinstance(c, LineCollection)]
    assert len(pieces.get_segments()) == S.size - 1
    (bar,) = ax.child_axes
    assert bar.get_ylabel() == "bending moment (N m)"
    draw_planar_scene(scene(), 3, ax)
    assert len(ax.child_axes) == 1, "drawn once, however many frames"
    assert not draw_planar_scene(scene(values=False), 40).child_axes
    picture = np.asarray(Image.open(save_planar_png(scene(), tmp_path / "a.png", 40)).convert("RGB")).astype(int)
    red, blue = picture[..., 0] - picture[..., 2], picture[..., 2] - picture[..., 0]
    assert (red > 100).sum() > 100 and (blue > 100).sum() > 100, "both signs are seen"


def test_few_large_values_do_not_turn_the_others_grey():
    calm = scene()
    assert calm.colour_limit() == pytest.approx(0.95, abs=0.05)
    values = calm.shapes[0].values.copy()
    values[7] *= 100
    calm.shapes[0].values = values
    assert calm.colour_limit() == pytest.approx(1.0, abs=0.1)
    calm.colouring.limit = 5.0
    assert calm.colour_limit() == 5.0
    calm.colouring, calm.shapes[0].values = None, 0 * values
    assert calm.colour_limit() == 1.0


def test_the_page_has_values_and_their_scale(tmp_path):
    html = save_planar_html(scene(), tmp_path / "a.html").read_text(encoding="utf-8")
    found = json.loads(re.search(r'id="scene">(.*?)</script', html, re.S)[1])
    assert np.shape(found["shapes"][0]["values"]) == (41, 30) and np.abs(found["shapes"][0]["values"]).max() < 1.2
    assert found["colouring"]["name"] == "bending moment" and found["colouring"]["unit"] == "N m"
    assert found["colouring"]["stops"][0] == [0, 0x72, 0xB2]
    plain = json.loads(
        re.search(r'id="scene">(.*?)</script', save_planar_html(scene(False), tmp_path / "b.html").read_text(), re.S)[1]
    )
    assert plain["colouring"] is None and "values" not in plain["shapes"][0]


def test_coloured_gif_redraws_every_frame(tmp_path):
    gif = Image.open(save_planar_gif(scene(), tmp_path / "a.gif", max_frames=3, width=240))
    counts = []
    for i in range(gif.n_frames):
        gif.seek(i)
        picture = np.asarray(gif.convert("RGB")).astype(int)
        counts.append(int((picture.min(axis=2) < 200).sum()))
    assert gif.n_frames == 3 and max(counts) < 1.5 * min(counts), "nothing of the frames before is left"


@pytest.mark.parametrize("limit", [15.0, 0.0865, 1.3e-3, 4.2e5])
def test_labels_of_the_colour_bar_are_inside_the_picture(limit):
    """For numbers of any length, and the title behind them."""
    bent = scene()
    bent.colouring.limit = limit
    figure = new_scene_figure(bent)
    ax = draw_planar_scene(bent, ax=figure.axes[0])
    figure.canvas.draw()
    beside = ax.child_axes[0].get_tightbbox()
    assert beside is not None and beside.x1 < figure.bbox.x1
