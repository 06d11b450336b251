"""Comparison of legs: names, order, the numbers of the separate analyses, and errors for models that are not legs."""

from __future__ import annotations

from pathlib import Path

import pytest

import gaitwright as gw
from gaitwright._core.errors import GaitwrightError, ModelError
from gaitwright.mechanisms import chebyshev_leg, jansen_leg, pendulum

QUICK = {"samples": 200, "restitutions": (0.0,), "directions": ("as driven",)}


@pytest.fixture(scope="module")
def both() -> gw.Comparison:
    return gw.compare([jansen_leg(), chebyshev_leg()], **QUICK)


def test_numbers_equal_those_of_separate_analyses(both: gw.Comparison) -> None:
    table = both.table()
    assert list(table.columns) == ["Theo Jansen leg", "Chebyshev leg", "unit", "meaning"]
    for make in (jansen_leg, chebyshev_leg):
        alone = gw.analyse_leg(make(), **QUICK)
        for name in ("step_length", "duty", "air_energy_turn", "restitution_0_normal_greatest"):
            assert table.loc[name.replace("_", " "), alone.name] == alone.numbers[name].value
    # The recomputation of 003: the Chebyshev leg has the longer and flatter step, the Jansen leg lifts its foot higher
    assert table.loc["step length", "Chebyshev leg"] > table.loc["step length", "Theo Jansen leg"]
    assert table.loc["flatness", "Chebyshev leg"] < 0.2 * table.loc["flatness", "Theo Jansen leg"]


def test_legs_with_the_same_name_get_distinct_labels() -> None:
    found = gw.compare([jansen_leg(), jansen_leg(L3=0.28)], **QUICK)
    assert [leg.name for leg in found.legs] == ["Theo Jansen leg 1", "Theo Jansen leg 2"]
    named = gw.compare([jansen_leg(), jansen_leg(L3=0.28)], names=["thesis", "longer"], **QUICK)
    assert list(named.summary()["legs"]) == ["thesis", "longer"]


def test_page_shows_all_legs(both: gw.Comparison, tmp_path: Path) -> None:
    page = both.report(tmp_path / "legs.html")["report"].read_text()
    assert page.count("Theo Jansen leg") > 1 and page.count("Chebyshev leg") > 1
    assert {path.suffix for path in (tmp_path / "legs-files").iterdir()} >= {".png", ".csv", ".yaml"}


def test_a_model_that_is_not_a_leg_is_reported() -> None:
    with pytest.raises(ModelError, match=r"leg 'pendulum'.*which point is its foot"):
        gw.compare([jansen_leg(), pendulum()], **QUICK)
    with pytest.raises(GaitwrightError, match="nothing to compare"):
        gw.compare([])


def test_models_are_validated_before_any_leg_is_analysed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command reports one sentence, without progress of an analysis before it."""
    monkeypatch.setattr("gaitwright.legs.compare.analyse_leg", lambda *_, **__: pytest.fail("a leg was analysed"))
    with pytest.raises(GaitwrightError, match="leg 'b': gait field 'feet'"):
        gw.compare([jansen_leg(), pendulum()], names=["a", "b"])
    with pytest.raises(GaitwrightError, match="leg 'b': gait field 'drive': the model has no drive"):
        gw.compare([jansen_leg(), pendulum()], names=["a", "b"], feet="F", samples=40)
