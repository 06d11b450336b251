"""Charts defined by a model: their lines, the page, the pictures."""

import numpy as np
import pytest
from PIL import Image

import gaitwright as gw
from gaitwright.report.views.cross_plot_charts import cross_plot_blocks, draw_picture_and_chart, save_cross_plots
from gaitwright.result.cross_plots import read_cross_plots


def run(damping):
    model = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0).point("A", 1, 0)
    model.link("arm", "O", "A", length=1, mass=1e-6)
    model.force.torsion_spring("ground", "arm", stiffness=5.0, damping=damping, name="spring")
    model.drive.rotation("arm", "1 - cos(pi*t)", name="motor").chart("arm.angle", "motor.torque")
    return model.chart("A.x", "A.y").chart("time", "arm.angle").inverse(2.0, step=0.02)


@pytest.fixture(scope="module")
def looped():
    return run(damping=0.5)


def test_a_loop_has_a_line_for_each_way(looped):
    loop, path, angle = cross_plot_blocks(looped)
    assert [line.look for line in loop.lines] == ["line", "dashed"] and loop.title == "motor.torque over arm.angle"
    forth, back = (np.isfinite(line.y) for line in loop.lines)
    assert forth.sum() == back.sum() and (forth & back).sum() == 1, "one instant belongs to both"
    assert loop.xlabel == "arm.angle (rad)" and loop.ylabel == "motor.torque (N m)" and "J while" in loop.note
    assert path.equal and not loop.equal and angle.over_time and not loop.over_time


def test_curve_without_loop_is_one_line():
    chart = next(iter(cross_plot_blocks(run(damping=0.0))))
    assert len(chart.lines) == 1 and np.isfinite(chart.lines[0].y).all()


def test_charts_are_on_the_page_and_saved(looped, tmp_path):
    page = looped.report(tmp_path / "page.html")["report"].read_text()
    assert "motor.torque over arm.angle" in page and "largest motor.torque" in page
    assert [path.name for path in save_cross_plots(looped, tmp_path).values()] == [
        "chart-1.png",
        "chart-2.png",
        "chart-3.png",
    ]
    assert all(path.stat().st_size > 5000 for path in tmp_path.glob("chart-*.png"))


def test_chart_beside_a_picture_of_the_mechanism(looped, tmp_path):
    drawn = looped.draw(tmp_path / "arm.png")
    both = draw_picture_and_chart(looped, read_cross_plots(looped.document)[0], drawn, tmp_path / "both.png")
    with Image.open(both) as picture:
        assert picture.width > 1.3 * picture.height and len(picture.convert("RGB").getcolors(10**6) or []) > 10
