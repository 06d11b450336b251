"""Rounding errors are replaced by 0, relative to the largest number of their unit or column."""

from gaitwright.report.rounding import NOISE_RTOL, zero_noise, zero_table_noise


def test_rounding_error_is_zero_relative_to_its_unit() -> None:
    header = ("output", "least", "greatest", "unit", "text")
    rows = [("a.x", -1.96e-14, 0.3, "m", "1e-20"), ("b.x", 2e-15, 2e-15, "m", "")]
    rows += [("f", 3e-15, 4e-15, "N", ""), ("n", 3, None, "m", "")]
    found = zero_table_noise(header, rows)
    assert [row[1:3] for row in found] == [[0.0, 0.3], [0.0, 0.0], [3e-15, 4e-15], [3, None]]
    assert found[0][4] == "1e-20" and found[0][0] == "a.x"


def test_numbers_are_compared_by_column_without_units() -> None:
    found = zero_table_noise(("speed", "error"), [(1.0, 1e-14), (-1e-12, 2e-14), (float("nan"), float("inf"))])
    assert found[:2] == [[1.0, 1e-14], [0.0, 2e-14]] and found[2][0] != found[2][0]


def test_small_significant_number_is_kept() -> None:
    assert (
        zero_noise(1.01 * NOISE_RTOL, 1.0) == 1.01 * NOISE_RTOL
        and zero_noise(0.99 * NOISE_RTOL, 1.0) == 0.0
        and zero_noise("1e-30", 1.0) == "1e-30"
    )
