"""Charts that a model asks for: their lines, the page, the pictures."""

import numpy as np
import pytest
from PIL import Image

import gaitwright as gw
from gaitwright.report.views.output_charts import asked_charts, draw_beside, save_charts
from gaitwright.result.charted import charts_of


def run(damping):
    model = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0).point("A", 1, 0)
    model.link("arm", "O", "A", length=1, mass=1e-6)
    model.torsion_spring("ground", "arm", stiffness=5.0, damping=damping, name="spring")
    model.drive_rotation("arm", "1 - cos(pi*t)", name="motor").chart("arm.angle", "motor.torque")
    return model.chart("A.x", "A.y").chart("time", "arm.angle").inverse(2.0, step=0.02)


@pytest.fixture(scope="module")
def looped():
    return run(damping=0.5)


def test_a_loop_has_a_line_for_each_way(looped):
    loop, path, angle = asked_charts(looped)
    assert [line.look for line in loop.lines] == ["line", "dashed"] and loop.title == "motor.torque over arm.angle"
    forth, back = (np.isfinite(line.y) for line in loop.lines)
    assert forth.sum() == back.sum() and (forth & back).sum() == 1, "one instant belongs to both"
    assert loop.xlabel == "arm.angle (rad)" and loop.ylabel == "motor.torque (N m)" and "J while" in loop.note
    assert path.equal and not loop.equal and angle.over_time and not loop.over_time


def test_a_curve_that_comes_back_the_same_way_is_one_line():
    chart = next(iter(asked_charts(run(damping=0.0))))
    assert len(chart.lines) == 1 and np.isfinite(chart.lines[0].y).all()


def test_they_are_on_the_page_and_drawn(looped, tmp_path):
    page = looped.report(tmp_path / "page.html")["report"].read_text()
    assert "motor.torque over arm.angle" in page and "largest motor.torque" in page
    assert [path.name for path in save_charts(looped, tmp_path).values()] == [
        "chart-1.png",
        "chart-2.png",
        "chart-3.png",
    ]
    assert all(path.stat().st_size > 5000 for path in tmp_path.glob("chart-*.png"))


def test_a_chart_stands_beside_the_mechanism(looped, tmp_path):
    drawn = looped.draw(tmp_path / "arm.png")
    both = draw_beside(looped, charts_of(looped.document)[0], drawn, tmp_path / "both.png")
    with Image.open(both) as picture:
        assert picture.width > 1.3 * picture.height and len(picture.convert("RGB").getcolors(10**6) or []) > 10
