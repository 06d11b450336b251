"""Outputs over another output: extremes of the curve, and the work given by its area."""

import math

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.result.cross_plots import cross_plot_numbers, describe_numbers, find_turning_point

STIFFNESS, DAMPING, SWING, DURATION = 5.0, 0.2, 1.2, 2.0


@pytest.fixture(scope="module")
def run():
    """A joint with a spring and a damper, bent and stretched again: M = k a + c a'."""
    model = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0).point("A", 1, 0)
    model.link("arm", "O", "A", length=1, mass=1e-6)
    model.force.torsion_spring("ground", "arm", stiffness=STIFFNESS, damping=DAMPING, name="spring")
    model.drive.rotation("arm", f"{SWING}*(1 - cos(2*pi*t/{DURATION}))/2", name="motor")
    model.quantity("bend", "arm.angle", unit="deg").chart("bend", "motor.torque", title="Moment over angle")
    return model.chart("time", "arm.angle").inverse(DURATION, step=DURATION / 400)


def test_area_of_a_loop_is_the_dissipated_work(run):
    """k a^2 / 2 is stored and returned; c times the integral of a'^2 is dissipated, half in each direction."""
    (moment, _) = cross_plot_numbers(run)
    stored = STIFFNESS * SWING**2 / 2
    lost = DAMPING * (SWING * math.pi / DURATION) ** 2 * DURATION / 2
    assert moment["work_rising"] == pytest.approx(stored + lost / 2, rel=1e-4)
    assert moment["work_falling"] == pytest.approx(-stored + lost / 2, rel=1e-4)
    assert moment["work_rising"] + moment["work_falling"] == pytest.approx(run.array("spring.dissipated")[-1], rel=1e-3)


def test_positions_of_extremes(run):
    moment, angle = cross_plot_numbers(run)
    k = int(np.argmax(run.array("motor.torque")))
    assert moment["greatest"] == pytest.approx({"x": run.array("bend")[k], "y": run.array("motor.torque")[k]})
    assert moment["unit"] == "N m" and moment["x_unit"] == "deg" and moment["title"] == "Moment over angle"
    assert angle["greatest"] == pytest.approx({"x": DURATION / 2, "y": SWING}) and "work_rising" not in angle
    assert (
        "deg; " in describe_numbers(moment)
        and "while it falls" in describe_numbers(moment)
        and "least 0 rad at " in describe_numbers(angle)
    )


def test_summary_has_the_numbers_of_charts(run):
    assert run.summary()["charts"][0]["x"] == "bend"


@pytest.mark.parametrize(
    ("x", "turn"),
    [([0, 1, 2, 3, 2, 1, 0], 3), ([3, 2, 1, 0, 1, 2, 3], 3), ([0, 1, 2, 3, 4], None), ([0, 1, 0, 1, 0, 1], None),
     ([0, 1, 2, 2, 1, 0], 2), ([0, math.nan, 2, 1, 0], None), ([1, 1, 1, 1, 1], None)],
)  # fmt: skip
def test_turning_point_of_a_curve(x, turn):
    assert find_turning_point(np.array(x, dtype=float)) == turn


def test_run_with_few_outputs_stores_those_of_its_charts(tmp_path):
    model = gw.Model(gravity=(0, -9.81)).ground_point("O", 0, 0).point("A", 1, 0)
    model.link("arm", "O", "A", length=1, mass=1).quantity("height", "A.y", unit="mm").chart("arm.angle", "height")
    full, little = (model.simulate(0.5, step=0.01, method="gauss2", store=store) for store in ("all", ["arm.spin"]))
    assert little.summary()["charts"] == full.summary()["charts"]
    assert little.report(tmp_path / "page.html")["report"].is_file()
