"""Rolling foot: skin that follows its cores, pressure on the sole, and the page."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.report.blocks import Animation, Chart, Picture, Table
from gaitwright.report.views.pages.rolling_page import append_swing, rolling_report
from gaitwright.report.views.scenes.rolling_foot import core_weights, rolling_scene, skin_positions, skin_pressure

SHAPE = gw.foot.from_measures()
FOOT = gw.foot.Foot(SHAPE, SHAPE.fill(0.016))


@pytest.fixture(scope="module")
def rolled():
    return FOOT.roll(frames=12, speed="foundation")


def test_skin_follows_its_cores():
    found = core_weights(FOOT, SHAPE.surface.nodes)
    assert sum(found.values()) == pytest.approx(np.ones(len(SHAPE.surface.nodes)))
    heel, toe = SHAPE.surface.nodes[:, 0].argmin(), SHAPE.surface.nodes[:, 0].argmax()
    assert found["rearfoot"][heel] == 1.0 and found["toes"][toe] == 1.0


def test_heel_moves_with_the_rearfoot(rolled):
    places = skin_positions(rolled, np.arange(12))
    nodes, heel = SHAPE.surface.nodes, SHAPE.surface.nodes[:, 2].argmax()
    away = np.linalg.norm(places[:, heel] - rolled.ankle, axis=1)
    assert away == pytest.approx(np.full(12, np.linalg.norm(nodes[heel] - FOOT.ankle)), abs=1e-9)
    assert places[..., 2].min() == 0.0


def test_only_the_sole_is_coloured(rolled):
    values = skin_pressure(rolled, np.arange(12))
    assert values[6].max() == pytest.approx(float(rolled.pressure.maps[6].max()), rel=0.3)
    assert np.all(values[:, SHAPE.surface.node_normals[:, 2] > 0.0] == 0.0)
    scene = rolling_scene(rolled, 5)
    assert [body.name for body in scene.deforming] == ["foot", "sole", "its sole, beside it"]
    assert scene.n_frames == 5 and scene.forces["ground"][1][:, 2].max() > 300.0


def test_strip_includes_the_swing(rolled):
    found = append_swing(rolled.pressure)
    assert float(found.at(found.instants["swing"]).max()) == 0.0
    assert found.instants["toe-off"] <= rolled.time[-1] + 0.01 < found.time[-1]


def test_the_page(rolled, tmp_path):
    page, files = rolling_report(FOOT.stand(350.0, speed="foundation"), rolled, tmp_path)
    assert all(path.exists() for path in files.values())
    kinds = [type(block) for block in page.blocks]
    assert [kinds.count(kind) for kind in (Animation, Chart, Picture, Table)] == [1, 4, 3, 1]
    assert "heel-off" not in page.title and page.save(tmp_path / "report.html")["report"].stat().st_size > 1e5
