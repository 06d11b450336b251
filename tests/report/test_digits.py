"""Numbers that are nothing but rounding are shown as 0, beside the largest of their unit or column."""

from gaitwright.report.digits import NOISE, quiet, without_noise


def test_rounding_is_zero_beside_numbers_of_its_unit() -> None:
    header = ("output", "least", "greatest", "unit", "text")
    rows = [("a.x", -1.96e-14, 0.3, "m", "1e-20"), ("b.x", 2e-15, 2e-15, "m", "")]
    rows += [("f", 3e-15, 4e-15, "N", ""), ("n", 3, None, "m", "")]
    found = without_noise(header, rows)
    assert [row[1:3] for row in found] == [[0.0, 0.3], [0.0, 0.0], [3e-15, 4e-15], [3, None]]
    assert found[0][4] == "1e-20" and found[0][0] == "a.x"


def test_without_a_column_of_units_a_number_is_seen_beside_its_column() -> None:
    found = without_noise(("speed", "error"), [(1.0, 1e-14), (-1e-12, 2e-14), (float("nan"), float("inf"))])
    assert found[:2] == [[1.0, 1e-14], [0.0, 2e-14]] and found[2][0] != found[2][0]


def test_what_is_small_but_counts_stays() -> None:
    assert (
        quiet(1.01 * NOISE, 1.0) == 1.01 * NOISE and quiet(0.99 * NOISE, 1.0) == 0.0 and quiet("1e-30", 1.0) == "1e-30"
    )
