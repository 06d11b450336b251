"""press: methods, results, and validation of its arguments."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gaitwright._core.errors import ModelError
from gaitwright.foot.soft_layers import SoftLayer
from gaitwright.wear.pads import CuffPad, press


def test_uniform_is_the_force_over_the_projected_area():
    half = CuffPad("thigh", 0.1, 180.0)
    found = press(half, [-100.0, 0.0, 0.0], method="uniform")
    assert found.peak[0] == pytest.approx(100.0 / (2.0 * half.mean_radius * 0.1))
    narrow = CuffPad("thigh", 0.1, 60.0, facing="back")
    assert press(narrow, [100.0, 0, 0], method="uniform").peak[0] == pytest.approx(100.0 / (narrow.mean_radius * 0.1))
    around = press(CuffPad("thigh", 0.1, 360.0), [0.0, 0.0, 50.0], method="uniform")
    assert around.peak[0] == pytest.approx(50.0 / (2.0 * half.mean_radius * 0.1))
    side = np.asarray(around.pressure)[0, 0]
    assert side[np.abs(around.cells.around + 90.0) < 80.0].min() > 0.0
    assert side[np.abs(around.cells.around - 90.0) < 80.0].max() == 0.0
    # pressures add up to the force
    total = -(found.values * found.cells.area) @ found.cells.normal[:, :3]
    np.testing.assert_allclose(total[0], [-100.0, 0.0, 0.0], atol=1e-9)


def test_result_has_units_and_the_worst_position():
    time = np.linspace(0.0, 1.0, 11)
    force = np.zeros((11, 3))
    force[:, 0] = -80.0 * np.sin(math.pi * time) ** 2
    found = press(CuffPad("calf", 0.08, 120.0, facing="front"), force, time=time)
    data = found.to_dataset()
    assert data["pressure"].dims == ("time", "along", "around")
    assert data["pressure"].attrs["units"] == "Pa"
    assert found.worst["time"] == pytest.approx(0.5)
    assert abs(found.worst["around"]) < 5.0
    assert found.peak[5] == data["pressure"].max()
    assert found.mean[5] * found.area[5] == pytest.approx((found.values[5] * found.cells.area).sum())
    assert np.isnan(found.centre[0]).all()


@pytest.mark.parametrize(("region", "around", "cushion", "low", "high"), [
    ("knee", 180.0, None, 0.98, 1.0),
    ("knee", 120.0, SoftLayer(0.01, 2e5, 0.3), 1.0, 1.03),
    ("shin", 90.0, SoftLayer(0.01, 2e5, 0.3), 1.0, 1.05),
    ("calf", 120.0, SoftLayer(0.01, 2e5, 0.3), 1.0, 1.10),
    ("thigh", 180.0, None, 0.9, 0.97),
    ("thigh", 90.0, None, 1.3, 1.6),
])  # fmt: skip
def test_finite_elements_agree_with_the_foundation_where_tissue_is_thin(region, around, cushion, low, high):
    """Within 3 % for thin tissue; for tissue as thick as the pad is long, a stiff pad presses more at its edges."""
    pad = CuffPad(region, 0.1, around, cushion=cushion, friction=0.0)
    bed, fine = (press(pad, [-100.0, 0.0, 0.0], method=method) for method in ("foundation", "solid"))
    assert low < fine.peak[0] / bed.peak[0] < high
    assert fine.pressing[0] == pytest.approx(bed.pressing[0])
    assert fine.section is not None
    assert fine.section.pressure.min() >= 0.0
    assert fine.section.edges is not None
    assert fine.section.mean_between(fine.section.edges).max() == pytest.approx(
        fine.peak[0], rel=1e-4
    )  # creep carries 1e-5
    np.testing.assert_allclose(fine.section.force, [-bed.pressing[0] / 0.1, 0.0], atol=1e-6)
    np.testing.assert_allclose(fine.section.pressure, fine.section.pressure[::-1], rtol=1e-6)


def test_means_of_a_section_do_not_depend_on_the_mesh():
    from gaitwright.wear.pads.limb_section import solve_limb_section

    pad = CuffPad("calf", 0.1, 120.0, cushion=SoftLayer(0.01, 2e5, 0.3))
    edges = np.linspace(-60.0, 60.0, 13)
    coarse, fine = (solve_limb_section(pad, 1000.0, elements_per_radius=n).mean_between(edges) for n in (20, 60))
    np.testing.assert_allclose(coarse, fine, rtol=0.03)


def test_thin_ring_agrees_with_the_foundation_in_closed_form():
    """A thin layer on a rigid core cannot bulge: p = K d cos a / t with the oedometric modulus K, 1 % for t = R/60."""
    from gaitwright.wear.pads.limb_section import solve_limb_section

    pad = CuffPad("knee", 0.1, 180.0, tissue=SoftLayer(0.001, 8e4, 0.3, density=1000.0))
    found = solve_limb_section(pad, 1000.0, elements_per_radius=60)
    top = 2.0 * 1000.0 / (math.pi * pad.mean_radius)
    middle = np.abs(found.angle) < 70.0
    np.testing.assert_allclose(found.pressure[middle], top * np.cos(np.radians(found.angle[middle])), rtol=0.02)
    assert found.displacement[0] == pytest.approx(top / pad.stiffness[0], rel=0.02)


REFUSED = [
    (lambda: CuffPad("tigh", 0.1), "did you mean 'thigh'"),
    (lambda: CuffPad("thigh", 0.1, 400.0), "circumference"),
    (lambda: CuffPad.of_length("thigh", 0.1, 0.6), "circumference"),
    (lambda: CuffPad("thigh", 100.0), "reads like mm"),
    (lambda: CuffPad("thigh", 0.1, facing="up"), "is no side"),
    (lambda: CuffPad("thigh", 0.1, facing=None), "is no side"),  # type: ignore[arg-type]
    (lambda: CuffPad("thigh", 0.1, radius=85), "reads like mm"),
    (lambda: CuffPad("thigh", 0.1, shape="flat"), "is no radius"),  # type: ignore[arg-type]
    (lambda: CuffPad("thigh", 0.1, cushion=0.01), "is no layer"),  # type: ignore[arg-type]
    (lambda: CuffPad("thigh", 0.1, cells=5), "two: (along, around)"),  # type: ignore[arg-type]
    (lambda: press("thigh", [1.0, 2.0, 3.0]), "is no pad"),  # type: ignore[arg-type]
    (lambda: CuffPad("thigh", 0.1, radius=-0.1), "no radius of a limb"),
    (lambda: CuffPad("thigh", 0.1, strap=-5.0), "is negative"),
    (lambda: CuffPad("thigh", 0.1, 300.0, shape=0.1), "goes further around"),
    (lambda: press(CuffPad("thigh", 0.1), [math.nan, 0, 0]), "not finite at 1 of 1 instants"),
    (lambda: press(CuffPad("thigh", 0.1), [[1, 0, 0]], [[0, 0]]), "another shape"),
    (lambda: press(CuffPad("thigh", 0.1), [-1.0, 0, 0], method="fem"), "uniform, foundation, solid"),
    (lambda: press(CuffPad("thigh", 0.1), [30.0, 0, 0]), "without a strap can only press (got '30 N')"),
    (lambda: press(CuffPad("thigh", 0.1), [30.0, 0, 0], method="uniform"), "without a strap can only press"),
    (lambda: press(CuffPad("thigh", 0.1), [-40.0, 0, 0], [0, 0, 12.0]), "can carry at 0 s: 100 mm wide, pressed by 40 N"),
    (lambda: press(CuffPad("thigh", 0.1), [-40.0, 60.0, 0]), "more than friction holds, 20 N"),
    (lambda: press(CuffPad("thigh", 0.1, 40.0), [-5.0, 0.0, 90.0]), "from beside the pad"),
    (lambda: press(CuffPad("thigh", 0.1, bone=0.2), [-5.0, 0.0, 0.0], method="solid"), "not inside the limb"),
]  # fmt: skip


@pytest.mark.parametrize(("wrong", "said"), REFUSED, ids=[said[:24] for _, said in REFUSED])
def test_bad_input_is_refused(wrong, said):
    with pytest.raises(ModelError) as caught:
        wrong()
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
