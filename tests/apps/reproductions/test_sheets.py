"""Sheets of printed numbers: repeated rows, lookup of paths, and wrong rows refused in one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gaitwright._core.errors import ModelError
from gaitwright.mechanisms import pendulum
from gaitwright_apps import reproductions
from gaitwright_apps.reproductions.experiments import FAIL, NOT_REPRODUCIBLE, PASS, WITHIN_ROUNDING, check_row
from gaitwright_apps.reproductions.facts import LazyFacts, evaluate_fact, fill_sentence, look_up_fact, render_sentence
from gaitwright_apps.reproductions.sheets import SheetRow, expand_entries, fill_tables, parse_sheet, read_sheet

HEAD = "name: made\npaper: '000'\ntitle: a title\n"


def rows(checks: str) -> list[SheetRow]:
    return parse_sheet(HEAD + checks).rows()


@pytest.mark.parametrize("name", reproductions.EXPERIMENTS)
def test_every_sheet_is_sound(name: str) -> None:
    sheet = read_sheet(name)
    assert sheet.name == name and len(sheet.rows()) >= 5 and sheet.choices


def test_repeated_rows() -> None:
    sheet_rows = rows("""
checks:
  - for: {e: [1, 0.5]}
    with: {kind: input, unit: m}
    group:
      - {id: a-$e, quantity: c_r = $e, printed: "$e", computed: values/$e}
      - {id: b-$e-$k, for: [{k: x, p: "0.10"}, {k: y, p: "0.2"}], quantity: q, printed: $p, computed: $k, kind: result}
""")
    assert [row.id for row in sheet_rows] == ["a-1", "b-1-x", "b-1-y", "a-0.5", "b-0.5-x", "b-0.5-y"]
    assert sheet_rows[3].computed == "values/0.5" and sheet_rows[3].text == "0.5" and sheet_rows[1].text == "0.10"
    assert (sheet_rows[0].kind, sheet_rows[1].kind, sheet_rows[1].unit) == ("input", "result", "m")


@pytest.mark.parametrize(
    ("check", "sentence"),
    {
        "{id: a, quantity: q, computed: c}": "check 'a'.*needs either 'printed' or 'evaluated'",
        "{id: a, quantity: q, computed: c, printed: '1', impossible: never}": "'impossible' needs 'confirmed'",
        "{id: a, quantity: q, computed: c, printed: '1', tolernace: 1}": "tolernace",
        "{id: a, quantity: q, computed: c, printed: '1', kind: guess}": "kind.*'result'",
        "{id: a, quantity: q, computed: c, printed: {x: '1'}, of: y}": "'of' is 'y', expected one of x",
    }.items(),
)
def test_wrong_rows_are_refused(check: str, sentence: str) -> None:
    with pytest.raises(ModelError, match=sentence):
        rows(f"checks: [{check}]")


def test_an_id_is_unique() -> None:
    one = "{id: a, quantity: q, computed: c, printed: '1'}"
    with pytest.raises(ModelError, match=r"is there twice.*'a'"):
        rows(f"checks: [{one}, {one}]")


KNOWN: dict[str, Any] = {
    "ours": 1.02, "yes": True, "no": False, "run": pendulum((0.3,)).simulate(0.1, step=0.01), "by": {0.8: [3.0, 4.0]},
    "asked": LazyFacts(lambda name: name.upper()),
}  # fmt: skip


def test_paths() -> None:
    run = KNOWN["run"]
    assert look_up_fact(KNOWN, "run/rod1.angle/max") == run.array("rod1.angle").max()
    assert look_up_fact(KNOWN, "run/evidence/steps") == run.evidence.steps
    assert look_up_fact(KNOWN, "run/time/last/*1e3") == pytest.approx(100.0)
    assert look_up_fact(KNOWN, "by/0.8/1") == 4.0 and look_up_fact(KNOWN, "by/0.8/mean") == 3.5
    assert look_up_fact(KNOWN, "asked/x") == "X"
    assert np.allclose(look_up_fact(KNOWN, "run/rod1.angle/degrees"), np.degrees(run.array("rod1.angle")))
    assert fill_sentence("{by/0.8/span:.2f} and {ours:g}", KNOWN) == "1.00 and 1.02"
    with pytest.raises(ModelError, match=r"path 'by/0.7'.*got '0.7'.*one of 0.8"):
        look_up_fact(KNOWN, "by/0.7")


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        ({"tolerance": 0.03}, PASS),
        ({"tolerance": "3 %"}, PASS),
        ({"tolerance": "ours"}, PASS),
        ({"tolerance": 0.01}, FAIL),
        ({"printed": "1.0", "rounding": "digits"}, WITHIN_ROUNDING),
        ({"printed": "1.00", "rounding": "digits"}, FAIL),
        ({"impossible": "for {ours:g} reasons", "confirmed": "yes"}, NOT_REPRODUCIBLE),
        ({"impossible": "no", "confirmed": ("yes", "no")}, FAIL),
        ({"void": "nothing is printed"}, NOT_REPRODUCIBLE),
    ],
)
def test_verdict_on_a_row(row: dict[str, Any], verdict: str) -> None:
    given = {"id": "a", "quantity": "q of {ours:g}", "printed": "1", "computed": "ours", **row}
    check = check_row(SheetRow.model_validate(given), KNOWN, "000")
    assert check.verdict == verdict and check.quantity == "q of 1.02" and check.paper == "000"
    if "impossible" in row and verdict == NOT_REPRODUCIBLE:
        assert check.why == "for 1.02 reasons"


def test_tables_are_filled() -> None:
    sheet = parse_sheet(
        HEAD + 'checks: []\ntables: [{columns: [e, value], rows: [{for: {e: "{by}"}, cells: [$e, "{by/$e/0:g}"]}]}]'
    )
    assert fill_tables(sheet, KNOWN) == [(("e", "value"), [("0.8", "3")])]
    assert list(expand_entries([{"for": {"e": "{by}"}, "x": "$e"}], KNOWN)) == [{"x": "0.8"}]


def test_expressions() -> None:
    """Numbers, paths, and expressions of paths in the language of model files."""
    assert evaluate_fact(KNOWN, 0.5) == evaluate_fact(KNOWN, "0.5") == 0.5 and evaluate_fact(KNOWN, "by/0.8/max") == 4.0
    assert evaluate_fact(KNOWN, "100*({by/0.8/1}/{by/0.8/0} - 1)") == pytest.approx(100 / 3)
    assert evaluate_fact(KNOWN, "abs({ours} - 1) < 0.03 and {by/0.8/min} > 2") == 1.0
    row = {
        "id": "a",
        "quantity": "q",
        "evaluated": "2*{ours}",
        "computed": "{by/0.8/span} + {ours}",
        "tolerance": "{ours}/50",
    }
    check = check_row(SheetRow.model_validate(row), KNOWN, "000")
    assert check.published == pytest.approx(2.04) and check.computed == pytest.approx(2.02) and check.verdict == PASS
    with pytest.raises(ModelError, match="path 'mine'"):
        evaluate_fact(KNOWN, "1 + {mine}")


def test_sentences_with_conditions() -> None:
    some = {"if": "{ours} > 1", "say": "more", "else": "less"}
    assert render_sentence(some, KNOWN) == "more" and render_sentence({**some, "if": "{ours} > 2"}, KNOWN) == "less"
    assert render_sentence(["{ours:g}, ", {"if": "no", "say": "nothing"}, some], KNOWN) == "1.02, more"


def test_a_group_shares_with_groups_within() -> None:
    sheet_rows = rows("""
checks:
  - with: {unit: m, printed: "1", remark: of $name}
    group:
      - {for: {name: [x]}, with: {kind: input}, group: [{id: a, quantity: q, computed: c}]}
      - {for: {name: [y]}, id: b, quantity: q, computed: c, unit: kg}
""")
    assert [(row.id, row.unit, row.kind, row.remark) for row in sheet_rows] == [
        ("a", "m", "input", "of x"), ("b", "kg", "result", "of y"),
    ]  # fmt: skip
