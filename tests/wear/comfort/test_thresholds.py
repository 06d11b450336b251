"""Threshold table: published values, completeness, and validation of user tables."""

from __future__ import annotations

from pathlib import Path

import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.wear.body_regions import body_regions


def test_published_values_are_reproduced():
    """Kermavnar 2020: knee, kPa; Kozinc 2021: 20 cm2, N; Yandell 2020: along the limb, N."""
    table = gw.wear.comfort.literature()
    knee = {
        (row.feels, row.loading): row.law.mean
        for feels in ("discomfort", "pain")
        for row in table.find("knee", feels, "pressure")
    }
    assert knee == pytest.approx({
        ("discomfort", "continuous"): 13.7e3, ("discomfort", "intermittent"): 30.4e3,
        ("pain", "continuous"): 52.9e3, ("pain", "intermittent"): 60.6e3,
    })  # fmt: skip
    for region, sex, newton in (
        ("thigh", "men", 89.3),
        ("thigh", "women", 34.6),
        ("pelvis", "men", 97.6),
        ("pelvis", "women", 56.1),
    ):
        (row,) = table.find(region, "pain", "pressure", sex)
        assert row.law.mean * row.area == pytest.approx(newton)
        assert row.area == pytest.approx(20e-4)
    axial = {region: table.find(region, "discomfort", "axial")[0].law.mean for region in ("shoulder", "thigh", "calf")}
    assert axial == pytest.approx({"shoulder": 621.0, "thigh": 867.0, "calf": 702.0})


def test_every_row_has_a_source_a_population_and_how_it_was_checked():
    table = gw.wear.comfort.literature()
    for row in table.rows:
        source = table.sources[row.source]
        assert source.text
        assert source.population
        assert row.checked in ("abstract", "memory")
        assert row.region in body_regions()
    assert "only an order is known" in table.unknown["sole"]
    assert not [row for row in table.rows if row.region in table.unknown]


HEAD = "gaitwright thresholds: 1\nsources: {me: {text: own measurement}}\nthresholds:\n"
GOOD = "  - {region: knee, feels: pain, mean: 50, spread: 20, unit: kPa, source: me}\n"


def written(tmp_path, text: str):
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    return path


def test_user_table_is_read(tmp_path):
    table = gw.wear.comfort.read(written(tmp_path, HEAD + GOOD))
    assert table.rows[0].law.mean == pytest.approx(50e3)
    assert table.name == "mine"
    pound = GOOD.replace("mean: 50, spread: 20, unit: kPa", "mean: 375, spread: 150, unit: mmHg")
    assert gw.wear.comfort.read(written(tmp_path, HEAD + pound)).rows[0].law.mean == pytest.approx(50e3, rel=1e-4)


WRONG = [
    ("mean: 50, spread: 20, unit: kPa", "mean: 13.7, unit: Pa", "reads like kPa, not Pa"),
    ("mean: 50, spread: 20, unit: kPa", "mean: 13700, unit: kPa", "reads like Pa, not kPa"),
    ("unit: kPa", "unit: psi", "is no unit of a threshold"),
    ("unit: kPa", "unit: N", "is missing for a force"),
    ("unit: kPa", "unit: N, area: 20 m2", "no area of a probe"),
    ("region: knee", "region: kneee", "did you mean 'knee'"),
    ("feels: pain", "feels: hurt", "discomfort, pain"),
    ("source: me", "source: you", "is not among the sources"),
    ("mean: 50", "mean: 50, median: 40", "no unique middle value"),
    ("mean: 50", "mean: -50", "is not positive"),
    ("mean: 50, spread: 20", "range: [20, 90]", "is missing for a range"),
    ("source: me", "source: me, colour: red", "is no field of a threshold"),
]


@pytest.mark.parametrize(("old", "new", "said"), WRONG, ids=[said[:28] for *_, said in WRONG])
def test_invalid_row_reports_its_field(tmp_path, old, new, said):
    with pytest.raises(ModelError) as caught:
        gw.wear.comfort.read(written(tmp_path, HEAD + GOOD.replace(old, new)))
    assert said in str(caught.value)
    assert "mine.yaml" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text", ["[1, 2", "a: 1", "gaitwright thresholds: 1", "gaitwright thresholds: 1\nthresholds: [1]"]
)
def test_file_that_is_no_table_is_refused(tmp_path, text):
    with pytest.raises(ModelError) as caught:
        gw.wear.comfort.read(written(tmp_path, text))
    assert "\n" not in str(caught.value)
    with pytest.raises(ModelError, match="there is no file"):
        gw.wear.comfort.read(tmp_path / "nowhere.yaml")


def test_the_table_of_the_page_is_read(tmp_path):
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "comfort.md").read_text("utf-8")
    block = page[page.index("```text\ngaitwright thresholds") + 8 :].partition("```")[0]
    table = gw.wear.comfort.read(written(tmp_path, block))
    assert table.name == "our clinic"
    assert [row.cited for row in table.rows] == ["clinic 2025"] * 2
    found = gw.wear.press(gw.wear.CuffPad("sole", 0.1, 60.0), [-300.0, 0.0, 0.0])
    assert gw.wear.comfort.judge(found, thresholds=table).share_pain is not None
