"""Page data of deforming bodies: positions and values are restored with sufficient accuracy and small size; no data without
such bodies."""

import base64
import json
import re
import zlib

import numpy as np
import pytest

from gaitwright.report.animations.deformable_data import (
    MAX_FRAMES,
    compress_table,
    deforming_data,
    select_stored_nodes,
)
from gaitwright.report.animations.planar_animation import planar_page_data, save_planar_html
from gaitwright.report.animations.spatial_animation import save_spatial_html, spatial_page_data
from gaitwright.report.blocks import Animation
from gaitwright.report.page import Report
from gaitwright.report.scenes.deformable_body import CutPlane, DeformationDisplay, DeformingBody
from gaitwright.report.scenes.nodal_field import NodalField
from gaitwright.report.scenes.planar_scene import PlanarScene, SceneShape
from gaitwright.report.scenes.spatial_scene import SpatialScene
from made_up_solids import bent, disc, press

HOSTILE = "</script><b>&\u2028<!--"
FLAT = PlanarScene("flat", [0.0, 1.0], [SceneShape("bar", "link", np.array([[[0.0, 0.0], [1.0, 0.0]]] * 2))])


def table(packed):
    """Decode a table as the page does; see unsqueeze in deforming_data.js."""
    kind = np.dtype(f"<u{packed['bytes']}")
    planes = np.frombuffer(zlib.decompress(base64.b64decode(packed["text"])), dtype=np.uint8)
    numbers = (
        np.ascontiguousarray(planes.reshape(kind.itemsize, -1).T).view(kind).reshape(packed["rows"], packed["columns"])
    )
    for _ in range(packed["order"]):
        numbers = np.cumsum(numbers, axis=0, dtype=kind)
    return numbers


def floats(text):
    return np.frombuffer(base64.b64decode(text), dtype="<f4").astype(float)


def places(body, gain=1.0):
    """Positions (frames, count, d), m."""
    d, n = body["dimension"], body["count"]
    offsets = table(body["offsets"]).reshape(-1, n, d) * np.array(body["offsets"]["step"]) + body["offsets"]["low"]
    motion = floats(body["motion"]).reshape(len(offsets), -1)
    turn, shift = motion[:, : d * d].reshape(-1, d, d), motion[:, d * d :]
    return np.einsum("tij,nj->tni", turn, floats(body["rest"]).reshape(n, d)) + shift[:, None] + gain * offsets


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32])
@pytest.mark.parametrize("rows", [0, 1, 2, 40])
def test_tables_are_restored(kind, rows):
    rng = np.random.default_rng(3)
    rough = rng.integers(0, np.iinfo(kind).max, (rows, 7), dtype=kind, endpoint=True)
    smooth = (100 + 20 * np.sin(np.arange(rows)[:, None] / 9 + np.arange(7))).astype(kind)
    for numbers in (rough, smooth):
        np.testing.assert_array_equal(table(compress_table(numbers)), numbers)


@pytest.mark.parametrize(
    ("scene", "gain"), [(press(4, 9), 1.0), (bent(2, 9), 12.0), (bent(2, 9, travel=50.0), 12.0), (disc(4, 9), 3.0)]
)
def test_positions_have_a_relative_error_of_1e_5_of_the_displacements(scene, gain):
    """Also far from the start, and with exaggeration."""
    body = scene.deforming[0]
    (found,) = deforming_data(scene, {body.name: "#000000"})["deforming"]["bodies"]
    true = np.stack([body.at(k, gain) for k in range(9)])[:, select_stored_nodes(body)]
    single = 2e-7 * np.abs(true).max()  # rest positions and rigid motion have single precision
    largest = max(np.ptp(body.offsets(k), axis=0).max() for k in range(9))
    assert np.abs(places(found, gain) - true).max() < gain * 2e-5 * largest + single
    assert found["exaggerated"]


def test_faces_edges_and_values_are_those_of_the_body():
    scene = bent(2, 5)
    body = scene.deforming[0]
    (found,) = spatial_page_data(scene)["deforming"]["bodies"]
    corners, faces = table(found["corners"])[:, 0], table(found["faces"])
    nodes = select_stored_nodes(body)
    assert sorted(nodes) == list(range(body.points.shape[1]))
    np.testing.assert_array_equal(nodes[corners[faces]], body.faces)
    np.testing.assert_array_equal(nodes[table(found["edges"])], body.edges)
    np.testing.assert_array_equal(nodes[table(found["cells"])], body.cells)
    np.testing.assert_array_equal(table(found["sides"])[:, 0] & 1, body.cell_sides[:, 0])
    share = table(found["values"]["axial strain"]) / 255
    np.testing.assert_allclose(share, body.fields[0].values[:, nodes] / 8e-4 + 0.5, atol=0.002)


def test_inner_nodes_are_kept_only_for_cuts():
    inside, outside = (
        deforming_data(press(6, 3, inside=cut), {"ball": ""})["deforming"]["bodies"][0] for cut in (True, False)
    )
    assert (inside["count"], outside["count"]) == (7**3, 7**3 - 5**3) and outside["cells"]["rows"] == 0
    body = press(6, 3, inside=False).deforming[0]
    assert set(select_stored_nodes(body)) == set(body.surface)
    np.testing.assert_allclose(places(outside), body.points[:, select_stored_nodes(body)], atol=1e-6)


@pytest.mark.slow
def test_foot_of_20000_nodes_fits_into_a_page(tmp_path):
    """With inner nodes and three fields, over more times than are stored; nodes have random numbers, as in typical meshes."""
    scene = press(26, 120)
    body = scene.deforming[0]
    mixed = np.random.default_rng(0).permutation(body.points.shape[1])
    new = np.argsort(mixed)
    fields = [NodalField(f.name, f.unit, f.values[:, mixed]) for f in body.fields]
    mixed_body = DeformingBody("foot", body.points[:, mixed], new[body.faces], fields, new[body.cells])
    foot = SpatialScene("foot", scene.time, deforming=[mixed_body])
    path = save_spatial_html(foot, tmp_path / "foot.html")
    assert path.stat().st_size < 12e6
    data = json.loads(re.search(r'id="scene">(.*?)</script', path.read_text("utf-8"), re.S)[1])
    assert len(data["deforming"]["time"]) == MAX_FRAMES < len(data["time"])


def test_initial_display():
    scene = press(4, 3)
    scene.showing = DeformationDisplay("contact pressure", 5.0, False, CutPlane("y", 0.01))
    found = spatial_page_data(scene)["deforming"]
    assert (found["field"], found["gain"], found["edges"]) == ("contact pressure", 5.0, False)
    assert found["cut"] == {"axis": "y", "at": 0.01} and found["mostGain"] >= 5.0
    stress = found["fields"][0]
    assert stress["caption"] == "von Mises stress (MPa)" and len(stress["stops"]) == 17
    assert all(0 <= share <= 1 for share, _ in stress["ticks"])
    assert [body["values"]["contact pressure"]["onSurface"] for body in found["bodies"]] == [True]


@pytest.mark.slow
def test_pages_without_deforming_bodies_have_no_such_data(tmp_path):
    body = disc(3, 3)
    alone = save_planar_html(FLAT, tmp_path / "a.html").read_text("utf-8")
    soft = save_planar_html(body, tmp_path / "b.html").read_text("utf-8")
    report, both = (
        Report("r", blocks=[Animation(one) for one in scenes]).save(tmp_path / "c.html")["report"].read_text("utf-8")
        for scenes in ([FLAT], [FLAT, body, press(3, 3)])
    )
    for text, there in ((alone, False), (soft, True), (report, False), (both, True)):
        assert ("function openDeforming" in text) == ("colourscale {" in text) == there
    assert (
        "deforming" not in planar_page_data(FLAT)
        and "withDeforming(stage" in both
        and "withDeforming(stage" not in soft
    )


def test_names_are_escaped(tmp_path):
    base = disc(3, 3).deforming[0]
    hostile = DeformingBody(HOSTILE, base.points, base.faces, [NodalField(HOSTILE, HOSTILE, base.fields[0].values)])
    html = save_planar_html(PlanarScene(HOSTILE, [0, 1, 2], deforming=[hostile]), tmp_path / "a.html").read_text(
        "utf-8"
    )
    assert HOSTILE not in html and html.lower().count("</script") == 2
    data = json.loads(re.search(r'<script type="application/json" id="scene">(.*?)</script', html, re.S)[1])
    assert data["deforming"]["bodies"][0]["name"] == data["deforming"]["fields"][0]["name"] == HOSTILE
