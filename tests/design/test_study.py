"""Studies with several goals: Pareto front, limits and stock sizes, with known numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.design.study_result import StudyResult, find_unbeaten, nearest_sizes


class Told:
    """Scalar results of a parabola: gain = x (10 - x) is largest at 5, cost = x + y."""

    def __init__(self, model: gw.Model):
        self.x, self.y = (float(model.document.parameters[name]) for name in ("x", "y"))  # pyright: ignore[reportArgumentType]
        if self.x == 0.0:
            raise ValueError("nothing there")

    def measures(self) -> dict[str, float]:
        return {"gain": self.x * (10 - self.x), "cost": self.x + self.y, "height": self.y}

    def unit_of(self, name: str) -> str:
        return {"cost": "EUR"}.get(name, "1")


@pytest.fixture(scope="module")
def model() -> gw.Model:
    made = gw.Model("thing", parameters={"x": 1.0, "y": 0.0})
    return made.ground_point("O", 0, 0).point("A", 1, 0).link("bar", "O", "A", length=1.0, mass=1.0)


def study(model: gw.Model, **options: Any) -> StudyResult:
    given: dict[str, Any] = {
        "parameters": {"x": (1.0, 9.0)}, "maximise": ["gain"], "minimise": ["cost"], "analysis": Told, "workers": 1,
    }  # fmt: skip
    given |= options
    return gw.study(model, given.pop("parameters"), **given)


def test_the_best_variant_and_the_front(model: gw.Model) -> None:
    """Up to the maximum of the parabola more gain costs more; beyond it less gain costs more."""
    found = study(model)
    assert found.best is not None and found.best["x"] == 5.0 and found.best["gain"] == 25.0
    assert [row["x"] for row in found.front] == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert found.question.unit("cost") == " EUR" and found.question.unit("gain") == ""
    assert found.model.document.parameters["x"] == 5.0


def test_limits_and_stock(model: gw.Model) -> None:
    """With a cost of at most 4.2 the best is 4; the nearest sizes are 3.5 and 4.5, the latter beyond the limit."""
    found = study(model, limits={"cost": 4.2}, stock={"x": [6.5, 2.5, 3.5, 4.5, 30.0]})
    assert found.best is not None and found.best["x"] == 4.0
    assert [row["x"] for row in found.next_sizes()["x"]] == [3.5, 4.5]
    assert [row["keeps"] for row in found.next_sizes()["x"]] == [True, False]
    assert found.best_in_stock is not None and found.best_in_stock["x"] == 3.5
    text = repr(found)
    assert "cost = 4.5 EUR (EXCEEDS 4.2)" in text and "best in stock: x = 3.5" in text
    assert sorted(row["x"] for row in found.rows if row["in_stock"]) == [2.5, 3.5, 4.5, 6.5]


def test_two_parameters(model: gw.Model) -> None:
    found = study(model, parameters={"x": (1.0, 9.0), "y": (0.0, 2.0)}, samples=3, limits={"height": (1.0, None)})
    assert len(found.rows) == 9
    assert found.best == {**found.best, "x": 5.0, "y": 1.0}  # pyright: ignore[reportGeneralTypeIssues, reportCallIssue]
    assert all(row["y"] == 1.0 for row in found.front)


def test_no_variant_keeps_the_limits(model: gw.Model) -> None:
    found = study(model, limits={"cost": 0.5})
    assert found.best is None and found.front == []
    assert "none of 9 variants keeps the limits; nearest is x = 1" in repr(found)


def test_a_failed_variant_is_not_on_the_front(model: gw.Model) -> None:
    found = study(model, parameters={"x": (0.0, 8.0)})
    assert found.rows[0]["failure"] == "ValueError: nothing there" and not found.rows[0]["keeps"]
    assert found.best is not None and found.best["x"] == 5.0
    assert "9 variants, 1 of which cannot be analysed" in repr(found)
    assert found.question.unit("cost") == " EUR"


def test_units_are_known_for_stored_results(model: gw.Model, tmp_path: Path) -> None:
    first, again = (study(model, store=tmp_path / "kept.nc") for _ in range(2))
    assert first.question.unit("cost") == again.question.unit("cost") == " EUR"
    assert [row["gain"] for row in again.rows] == [row["gain"] for row in first.rows]


@pytest.mark.slow
def test_files_are_written(model: gw.Model, tmp_path: Path) -> None:
    found = study(model, limits={"cost": 4.2}, stock={"x": [3.5, 4.5]})
    files = {**found.save(tmp_path), **found.report(tmp_path / "study.html")}
    assert gw.load(files["model"]).document.parameters["x"] == 3.5
    assert len(files["table"].read_text().splitlines()) == 12
    page = files["report"].read_text()
    assert "Pareto front" in page and "EXCEEDS 4.2" in page
    assert found.summary()["next_in_stock"]["x"][1]["cost"] == 4.5


def test_outputs_of_a_run(model: gw.Model) -> None:
    """Goals may be outputs of a run: a mass on a spring hangs by m g / k."""
    hanging = gw.Model("weight", parameters={"k": 100.0}, gravity=(0.0, -9.81)).ground_point("O", 0, 0)
    hanging.body("block", mass=2.0, inertia=0.01, at=[0, -0.5])
    hanging.joint.slot("ground.O", "block", axis=[0, 1])
    hanging.force("spring-damper", "spring", a="ground.O", b="block", stiffness="k", rest_length=0.3)
    found = gw.study(hanging, {"k": (50.0, 200.0)}, minimise=["spring.length"], analysis="static", samples=3, workers=1)
    lengths = {row["k"]: row["spring.length"] for row in found.rows}
    assert lengths == pytest.approx({k: 0.3 + 2 * 9.81 / k for k in (50.0, 125.0, 200.0)}, rel=1e-6)
    assert found.best is not None and found.best["k"] == 200.0


def test_rows_that_no_other_dominates() -> None:
    numbers = np.array([[1.0, 3.0], [2.0, 2.0], [1.0, 2.0], [2.0, 2.0], [np.nan, 9.0], [3.0, 1.0]])
    assert find_unbeaten(numbers).tolist() == [True, True, False, True, False, True]
    assert nearest_sizes((1.0, 2.0, 3.0), 2.0) == (2.0, 3.0)
    assert nearest_sizes((1.0, 2.0), 0.5) == (None, 1.0) and nearest_sizes((1.0, 2.0), 5.0) == (2.0, None)


def test_scalar_results_are_accepted_by_all_methods(model: gw.Model) -> None:
    """choose, optimise, trade_off and sweep accept scalar results like outputs."""
    chosen = gw.choose(model, {"x": (0.5, 4.5)}, target={"gain": 16.0}, analysis=Told, limits={"cost": 3.0})
    assert chosen.value == pytest.approx(2.0) and chosen.limits["cost"] == pytest.approx(2.0)
    assert "cost = 2 EUR within its limit 3" in repr(chosen)
    best = gw.optimise(
        model, {"x": (1.0, 9.0)}, maximise=["gain"], limits={"cost": (None, 4.0)}, analysis=Told,
        method="cobyqa", budget=30,
    )  # fmt: skip
    assert float(best.model.document.parameters["x"]) == pytest.approx(4.0, abs=1e-3)
    curve = gw.trade_off(model, {"x": (1, 3)}, measures=["gain", "cost"], analysis=Told, samples=3)
    assert curve.data["gain"].values.tolist() == [9.0, 16.0, 21.0] and curve.data["cost"].attrs["units"] == "EUR"
    swept = gw.sweep(model, {"x": [1.0, 2.0]}, analysis=Told, workers=1)
    assert swept["gain"].values.tolist() == [9.0, 16.0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"maximise": (), "minimise": ()}, "has no goal"),
        ({"minimise": ["gain"]}, "minimise.*both to be minimised and maximised"),
        ({"minimise": "cost"}, r"minimise.*is not a list of names.*\['cost'\]"),
        ({"maximise": ["gian"]}, "no output 'gian'.*gain"),
        ({"stock": {"z": [1.0]}}, "stock.*no parameter of the study"),
        ({"stock": {"x": "thick"}}, "no list of sizes"),
        ({"limits": {"cost": (None, None)}}, "cost.*not a limit"),
        ({"parameters": {"x": (9.0, 1.0)}}, "lower one first"),
        ({"measures": "peak"}, "measures.*is not a list, a mapping or a function"),
    ],
)
def test_invalid_input_is_reported(model: gw.Model, options: dict[str, Any], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        study(model, **options)


def test_outputs_that_a_model_defines_itself() -> None:
    """Variants of a model have its quantities, too."""
    lid = gw.Model("lid", parameters={"k": 20.0}).ground_point("O", 0, 0).point("A", 0.4, 0)
    lid.link("lid", "O", "A", mass=1.0).force.torsion_spring("ground", "lid", stiffness="k")
    lid.quantity("sag", "-lid.angle", unit="deg")
    found = gw.study(
        lid,
        {"k": (10.0, 40.0)},
        minimise=["lid.angle"],
        limits={"sag": (None, 10)},
        analysis={"type": "static"},
        workers=1,
    )
    assert found is not None
    swept = gw.sweep(lid, {"k": [20.0]}, analysis={"type": "static"}, series=["sag"], workers=1)
    assert float(swept["sag"].values.ravel()[0]) == pytest.approx(float(lid.static()["sag"].values[0]))
