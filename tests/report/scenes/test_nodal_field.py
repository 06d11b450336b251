"""Colour scales of fields: ends, signs, units, round numbers."""

import numpy as np
import pytest

from gaitwright.report.scenes.nodal_field import DIVERGING_COLOURS, SEQUENTIAL_COLOURS, NodalField, shared_field_scale


def scale(values, unit="Pa", **options):
    return shared_field_scale([NodalField("stress", unit, np.atleast_2d(values), **options)])


@pytest.mark.parametrize(
    ("values", "options", "ends", "colours"),
    [
        ([0.2, 3.0], {}, (0.0, 3.0), SEQUENTIAL_COLOURS),
        ([2.0, 3.0], {}, (2.0, 3.0), SEQUENTIAL_COLOURS),
        ([-3.0, -0.1], {}, (-3.0, 0.0), SEQUENTIAL_COLOURS),
        ([-1.0, 3.0], {}, (-3.0, 3.0), DIVERGING_COLOURS),
        ([-0.01, 3.0], {}, (-0.01, 3.0), SEQUENTIAL_COLOURS),  # an overshoot does not count as a second sign
        ([-1.0, 3.0], {"limits": (0, 2)}, (0.0, 2.0), SEQUENTIAL_COLOURS),
        ([-1.0, 3.0], {"limits": (-2, 2)}, (-2.0, 2.0), DIVERGING_COLOURS),
        ([0.0, 0.0], {}, (-0.5, 0.5), SEQUENTIAL_COLOURS),
        ([4.0, 4.0], {}, (2.0, 6.0), SEQUENTIAL_COLOURS),
    ],
)
def test_ends_and_signs(values, options, ends, colours):
    found = scale(values, **options)
    assert (found.low, found.high, found.colours) == (*ends, colours)


@pytest.mark.parametrize(
    ("largest", "unit", "caption", "ticks"),
    [
        (2.4e6, "Pa", "stress (MPa)", ["0.0", "0.5", "1.0", "1.5", "2.0"]),
        (2.4e4, "Pa", "stress (kPa)", ["0", "5", "10", "15", "20"]),
        (3e-3, "m", "stress (mm)", ["0", "1", "2", "3"]),
        (3.0, "K", "stress (K)", ["0", "1", "2", "3"]),
        (4e-4, "", "stress (10⁻⁶)", ["0", "100", "200", "300", "400"]),
        (4e6, "1/s", "stress (10⁶ 1/s)", ["0", "1", "2", "3", "4"]),
    ],
)
def test_ticks_are_round_numbers_of_few_digits(largest, unit, caption, ticks):
    found = scale([0.0, largest], unit)
    assert found.caption == caption and [text for _, text in found.ticks()] == ticks
    for value, text in found.ticks():
        assert value == pytest.approx(float(text) * 10.0**found.exponent)


def test_all_bodies_and_times_share_one_scale():
    found = shared_field_scale([NodalField("u", "m", [[0.0, 1.0], [0.0, 2.0]]), NodalField("u", "m", [[0.0, 5.0]])])
    assert (found.low, found.high) == (0.0, 5.0)


def test_colours_are_clipped_at_both_ends():
    found = scale([0.0, 4.0])
    ends = found.rgb(np.array([-1.0, 0.0, 4.0, 9.0]))
    np.testing.assert_array_equal(ends[0], ends[1])
    np.testing.assert_array_equal(ends[2], ends[3])
    np.testing.assert_allclose(ends[1], np.array([0x48, 0x28, 0x78]) / 255, atol=0.05)
    np.testing.assert_allclose(
        found.rgb(np.array(0.25)), np.array([int(SEQUENTIAL_COLOURS[1][i : i + 2], 16) for i in (1, 3, 5)]) / 255
    )


@pytest.mark.parametrize("colours", [SEQUENTIAL_COLOURS, DIVERGING_COLOURS[:9], DIVERGING_COLOURS[8:]])
def test_lightness_changes_evenly(colours):
    """CIE L* is computed here: no step is much larger than the mean, and all have the same sign."""
    rgb = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in colours]) / 255
    luminance = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]
    steps = np.diff(116 * np.cbrt(luminance) - 16)
    steps *= np.sign(steps.sum())
    assert steps.min() > 0.5 * steps.mean() and steps.max() < 1.6 * steps.mean()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: NodalField("s", "Pa", [[1.0, np.nan]]), "field 's' contains NaN"),
        (lambda: NodalField("s", "Pa", [1.0, 2.0]), r"shape \(2,\); expected \(n_times, n\)"),
        (lambda: NodalField("s", "Pa", [[1.0]], limits=(2, 2)), "limits 2 and 2; expected two numbers that increase"),
        (
            lambda: shared_field_scale([NodalField("s", "Pa", [[1.0]]), NodalField("s", "m", [[1.0]])]),
            "'s' has the units Pa and m",
        ),
    ],
)
def test_wrong_fields_are_refused(wrong, words):
    with pytest.raises(ValueError, match=words):
        wrong()
