"""Maps of sweeps: marked optimum, hatched failures, axes and panels, invalid input."""

import numpy as np
import pytest
import xarray as xr

import gaitwright as gw
from gaitwright.report.figures.sweep_maps import _cell_edges, _is_log_axis, colour_range


def swept(n=21, failed=True):
    """f = (a - 0.3)^2 + (b + 1)^2 has its minimum at a = 0.3, b = -1; g = a + b. Variants with a > 0.8 failed."""
    a, b = np.linspace(0.0, 1.0, n), np.linspace(-2.0, 0.0, n)
    x, y = np.meshgrid(a, b, indexing="ij")
    gone = (x > 0.8) if failed else np.zeros_like(x, dtype=bool)
    f, g = (np.where(gone, np.nan, values) for values in ((x - 0.3) ** 2 + (y + 1.0) ** 2, x + y))
    data = xr.Dataset({"f": (("a", "b"), f), "g": (("a", "b"), g)}, coords={"a": a, "b": b})
    data["f"].attrs["units"] = "J"
    data["failure"] = (("a", "b"), np.where(gone, "did not close", "").astype(object))
    return data


def maps_of(figure):
    return [ax for ax in figure.axes if ax.get_label() != "<colorbar>"]


def star(ax):
    """Position of the mark."""
    found = [line for line in ax.get_lines() if line.get_marker() == "*"]
    return tuple(float(values[0]) for values in found[0].get_data()) if found else None


def test_best_is_marked_at_its_position(tmp_path):
    figure = gw.plot_map(swept(), ["f", "g"], x="a", y="b", best="min", path=tmp_path / "map.png")
    first, second = maps_of(figure)
    assert star(first) == pytest.approx((0.3, -1.0)) and star(second) == pytest.approx((0.0, -2.0))
    assert second.get_title(loc="left") == "g = -2 at ★" and first.get_title(loc="left").startswith("f (J) = ")
    assert (first.get_xlabel(), first.get_ylabel()) == ("a", "b")
    assert (tmp_path / "map.png").stat().st_size > 10_000


def test_axes_can_be_exchanged():
    (ax,) = maps_of(gw.plot_map(swept(), "f", x="b", y="a", best="min", labels={"b": "b (m)"}))
    assert star(ax) == pytest.approx((-1.0, 0.3)) and (ax.get_xlabel(), ax.get_ylabel()) == ("b (m)", "a")


def test_optimum_of_one_quantity_is_marked_in_all_panels():
    first, second = maps_of(gw.plot_map(swept(), ["f", "g"], best={"f": "min"}))
    assert star(first) == star(second) == pytest.approx((0.3, -1.0))


def test_limits_restrict_the_optimum():
    """With a + b >= 0, the minimum of f is at the limit: a = 0.65, b = -0.65."""
    (ax,) = maps_of(gw.plot_map(swept(n=41), "f", best="min", limits={"g": (0.0, None)}))
    assert star(ax) == pytest.approx((0.65, -0.65))
    (ax,) = maps_of(gw.plot_map(swept(), "f", best="min", limits={"g": (9.0, None)}))
    assert star(ax) is None


@pytest.mark.parametrize("n", [5, 21])
def test_failed_variants_are_hatched_and_not_coloured(n):
    figure = gw.plot_map(swept(n), "f")
    (ax,) = maps_of(figure)
    assert ax.patch.get_hatch() == "////"
    figure.canvas.draw()
    picture = np.asarray(figure.canvas.buffer_rgba())[:, :, :3].astype(int)

    def colourful(a, b):
        x, y = (round(v) for v in ax.transData.transform((a, b)))
        patch = picture[picture.shape[0] - 1 - y - 4 : picture.shape[0] - y + 4, x - 4 : x + 4]
        return float(np.ptp(patch, axis=2).max())

    assert colourful(0.4, -0.9) > 60 and colourful(0.97, -0.9) < 30


def test_map_without_values_is_drawn():
    data = swept()
    data["f"][:] = np.nan
    (ax,) = maps_of(gw.plot_map(data, "f", best="min"))
    assert star(ax) is None


def test_one_parameter_gives_curves():
    figure = gw.plot_map(swept(), {"f": "energy (J)", "g": "sum"}, x="a", at={"b": -1.02}, best="min")
    first, second = figure.axes
    assert star(first) == pytest.approx((0.3, 0.0), abs=1e-12) and star(second) == pytest.approx((0.0, -1.0))
    assert (first.get_ylabel(), first.get_xlabel(), second.get_xlabel()) == ("energy (J)", "", "a")
    crosses = [line for line in first.get_lines() if line.get_marker() == "x"]
    np.testing.assert_allclose(crosses[0].get_xdata(), [0.85, 0.9, 0.95, 1.0])


def test_parameters_with_one_value_need_no_axis():
    data = swept().expand_dims(c=[4.0])
    (ax,) = maps_of(gw.plot_map(data, "f", best="min"))
    assert star(ax) == pytest.approx((0.3, -1.0))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"quantities": "h"}, r"'quantities': is not a number of this sweep \(got 'h'\); expected some of: f, g"),
        ({"x": "c"}, r"field 'x': is not a parameter of this sweep"),
        ({"at": {"c": 1.0}}, r"field 'at': is not a parameter of this sweep"),
        ({"x": "a"}, r"a map has one or two parameters; expected values of b"),
        ({"best": "least"}, r"field 'best': is not known"),
    ],
)
def test_wrong_input_is_one_clear_sentence(change, message):
    options = {"quantities": "f", **change}
    with pytest.raises(gw.ModelError, match=message):
        gw.plot_map(swept(), options.pop("quantities"), **options)


def test_axes_with_equal_ratios_are_logarithmic():
    assert _is_log_axis(np.geomspace(1e3, 1e6, 7)) and not _is_log_axis(np.linspace(1.0, 100.0, 7))
    assert not _is_log_axis(np.array([-1.0, 1.0, 100.0])) and not _is_log_axis(np.geomspace(1.0, 2.0, 5))
    np.testing.assert_allclose(_cell_edges(np.array([1.0, 2.0, 4.0])), [0.5, 1.5, 3.0, 5.0])
    np.testing.assert_allclose(_cell_edges(np.array([1.0, 10.0, 100.0])), [10**-0.5, 10**0.5, 10**1.5, 10**2.5])


def test_outliers_do_not_determine_the_colour_range():
    values = np.r_[np.linspace(1.0, 2.0, 99), 500.0]
    low, high = colour_range(values)
    assert low == 1.0 and 1.9 < high < 2.1
    assert colour_range(np.linspace(0.0, 1.0, 50)) == (0.0, 1.0) and colour_range(np.full(9, 3.0)) == (3.0, 3.0)
