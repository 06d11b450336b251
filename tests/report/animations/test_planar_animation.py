"""The page contains the whole scene and no external content; the GIF has the requested frames."""

import json
import re
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

from gaitwright.report.animations.planar_animation import (
    MAX_FRAMES,
    MAX_SIGNAL_POINTS,
    save_planar_gif,
    save_planar_html,
    signal_charts_data,
)
from gaitwright.report.scenes.planar_scene import PlanarScene, SceneShape

HOSTILE = "</script><b>&\u2028<!--"


def crank(n=50, until=2.0, name="crank", **rest):
    time = np.linspace(0, until, n)
    tip = 0.1 * np.column_stack([np.cos(3 * time), np.sin(3 * time)])
    shapes = [
        SceneShape(name, "link", np.stack([np.zeros((n, 2)), tip], axis=1)),
        SceneShape("floor", "ground", [[[-1, -0.2], [1, -0.2]]]),
    ]
    return PlanarScene(f"Turning {name}", time, shapes, {"O": np.zeros((n, 2)), "A": tip}, {"O"}, {"A": tip}, **rest)


def page(scene, tmp_path, **options):
    return save_planar_html(scene, tmp_path / "new folder" / "a.html", **options).read_text(encoding="utf-8")


def data(html):
    """Scene as a browser finds it: the script element ends at the first end tag."""
    return json.loads(re.search(r'<script type="application/json" id="scene">(.*?)</script', html, re.S)[1])


def test_page_contains_the_scene(tmp_path):
    signals = {"crank.torque": ([0, 1, 2], [1.23456789, 2, 3], "N m")}
    scene = crank(signals=signals, table=[("quantity", "value"), ("stride", "0.7")])
    found = data(page(scene, tmp_path, fps=24))
    assert found["title"] == "Turning crank" and found["fps"] == 24
    np.testing.assert_allclose(found["time"], scene.time, atol=1e-5)
    np.testing.assert_allclose(np.reshape(found["shapes"][0]["points"], (-1, 2, 2)), scene.shapes[0].outline, atol=1e-6)
    assert len(found["shapes"][1]["points"]) == 1, "ground that stands still is stored once"
    assert [(joint["name"], joint["fixed"]) for joint in found["joints"]] == [("O", True), ("A", False)]
    assert found["signals"][0]["values"] == [1.23457, 2, 3] and found["signals"][0]["unit"] == "N m"
    assert found["table"] == [["quantity", "value"], ["stride", "0.7"]]


def test_page_needs_no_network(tmp_path):
    html = page(crank(), tmp_path)
    assert not re.search(r"https?:|//cdn|@import|url\(|<link|<iframe|\bsrc=|\bfetch\(", html)
    assert "default-src 'none'" in html


def test_page_has_labelled_controls(tmp_path):
    html = page(crank(), tmp_path)
    for control in re.findall(r"<(?:button|input|select)[^>]*>[^<]*", html):
        assert "aria-label=" in control or control.split(">")[1].strip(), control


def test_names_are_escaped(tmp_path):
    signals = {HOSTILE: ([0, 1], [0, 1], HOSTILE)}
    hostile = crank(name=HOSTILE, signals=signals, table=[(HOSTILE,), ("1",)])
    html, plain = page(hostile, tmp_path), page(crank(), tmp_path)
    assert HOSTILE not in html
    assert html.lower().count("<script") == plain.lower().count("<script")
    assert html.lower().count("</script") == plain.lower().count("</script")
    found = data(html)
    assert found["shapes"][0]["name"] == found["table"][0][0] == found["signals"][0]["name"] == HOSTILE
    assert "innerHTML" not in html and "document.write" not in html


def test_long_runs_are_thinned_evenly_and_stay_small(tmp_path):
    html = page(crank(n=20001, until=20.0), tmp_path)
    found = data(html)
    assert len(found["time"]) == MAX_FRAMES == len(found["shapes"][0]["points"]) == len(found["joints"][0]["points"])
    assert np.ptp(np.diff(found["time"])) <= 0.0021
    assert found["time"][-1] == 20
    assert len(found["traces"][0]["points"]) == len(found["traces"][0]["time"]) <= 3000
    assert len(html) < 400_000


def test_thinned_signals_keep_their_peaks(tmp_path):
    time, force = np.linspace(0, 1, 100_000), np.zeros(100_000)
    force[54_321] = 800.0
    signal = data(page(crank(signals={"toe.force": (time, force, "N")}), tmp_path))["signals"][0]
    assert max(signal["values"]) == 800 and len(signal["values"]) <= MAX_SIGNAL_POINTS + 2


def test_gaps_in_a_signal_and_adjacent_peaks_are_kept(tmp_path):
    time, where = np.linspace(0, 1, 100_000), np.full(100_000, np.nan)
    where[40_000:40_050] = 3.0
    where[40_020] = 7.0
    gaps = crank(signals={"toe.x": (time, where, "m"), "never.x": (time, where * np.nan, "m")})
    signal, never = data(page(gaps, tmp_path))["signals"]
    assert None in signal["values"] and max(v for v in signal["values"] if v is not None) == 7
    assert set(never["values"]) == {None}


def test_forces_are_on_the_page_if_there_are_any(tmp_path):
    points, vectors = np.zeros((50, 2)), np.tile([0.0, 30.0], (50, 1))
    points[:10] = vectors[:10] = np.nan
    found = data(page(crank(forces={"toe": (points, vectors)}), tmp_path))
    (force,) = found["forces"]
    assert force["frames"][:10] == [None] * 10 and force["frames"][10] == [0, 0, 0, 30]
    assert 30 * found["forceScale"] == pytest.approx(0.25 * found["size"])
    assert data(page(crank(), tmp_path))["forces"] == []


def test_trace_of_another_length_is_drawn_completely(tmp_path):
    scene = crank()
    scene.traces["wanted"] = np.zeros((7, 2))
    assert [trace["time"] is None for trace in data(page(scene, tmp_path))["traces"]] == [False, True]


def test_times_on_the_page_increase_strictly_and_tiny_values_are_kept(tmp_path):
    time = [0, 1, 1 + 1e-13, 1 + 2e-13, 2]
    scene = PlanarScene("event", time, joints={"P": np.zeros((5, 2))}, signals={"s": ([0, 1], [0, 1e-310], "N")})
    assert data(page(scene, tmp_path))["time"] == [0, 1, 2]


@pytest.mark.parametrize("n", [1, 2])
def test_the_shortest_scenes_can_be_shown(n, tmp_path):
    scene = PlanarScene("pose", np.arange(n), joints={"P": np.column_stack([np.arange(n), np.arange(n)])})
    assert len(data(page(scene, tmp_path))["time"]) == n
    assert Image.open(save_planar_gif(scene, tmp_path / "a.gif", width=200)).n_frames == n


@pytest.mark.slow
@pytest.mark.parametrize(
    ("until", "frames"),
    [(0.2, 40), (5.0, 50), (100.0, 60)],
    ids=["short: slow motion", "real time", "long: time lapse"],
)
def test_gif_has_the_requested_frames(until, frames, tmp_path):
    gif = Image.open(save_planar_gif(crank(n=400, until=until), tmp_path / "a.gif", fps=10, max_frames=60, width=200))
    assert gif.n_frames == frames
    assert gif.size[0] == 200
    assert gif.info["duration"] == 100 and gif.info["loop"] == 0


def test_gif_moves_on_a_white_background(tmp_path):
    gif = Image.open(save_planar_gif(crank(), tmp_path / "a.gif", max_frames=4, width=240))
    pictures = []
    for i in range(gif.n_frames):
        gif.seek(i)
        pictures.append(np.asarray(gif.convert("RGB")))
    assert all((a != b).any() for a, b in pairwise(pictures))
    assert (pictures[0][0, 0] == 255).all()


@pytest.mark.parametrize("options", [{"fps": 0}, {"max_frames": 0}, {"width": 20}])
def test_invalid_gif_options_are_refused(options, tmp_path):
    with pytest.raises(ValueError, match="expected fps above 0"):
        save_planar_gif(crank(), tmp_path / "a.gif", **options)


def test_invalid_frame_rate_is_refused(tmp_path):
    with pytest.raises(ValueError, match="fps is -1"):
        page(crank(), tmp_path, fps=-1)


def test_rounding_noise_in_a_signal_is_zero():
    time = np.linspace(0.0, 1.0, 5)
    signals = {
        "force": (time, 3.0 + time, "N"),
        "nothing": (time, 1e-14 * time, "N"),
        "small": (time, 1e-14 * time, "m"),
    }
    found = {one["name"]: one["values"] for one in signal_charts_data(signals)}
    assert found["nothing"] == [0.0] * 5 and found["small"][-1] == 1e-14 and found["force"][-1] == 4.0
