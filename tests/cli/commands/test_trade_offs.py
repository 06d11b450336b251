"""Command `trade-off`: outputs and messages, with limits and units, and one sentence for every mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import gaitwright as gw
from calling import call


@pytest.fixture
def spring(tmp_path: Path) -> Path:
    """A mass of 2 kg on a spring: its deflection is m g/k."""
    model = gw.Model("sag", parameters={"k": 1000.0, "m": 2.0}).ground_point("O", 0, 1)
    model.body("mass", mass="m", inertia=0.1, at=(0, 0.5), points={"M": (0, 0)}).force.spring_damper(
        "mass.M", "ground.O", stiffness="k", rest_length=0.5, name="spring"
    )
    raw = {**model.to_dict(), "analysis": {"type": "static"}, "outputs": ["mass.y", "spring.force"]}
    return gw.Model.from_dict(raw).save(tmp_path / "sag.yaml")


def test_effect_of_a_stiffness_is_shown(spring: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    options = (
        "--parameter",
        "k=1 N/mm:2 N/mm",
        "--measure",
        "mass.y",
        "--limit",
        "mass.y=0.485",
        "--samples",
        3,
        "--chosen",
        "1.5 N/mm",
    )
    done = call("trade-off", spring, *options, "--out", out, "--json", "--workers", 1)
    answer = json.loads(done.stdout)
    assert answer["values"] == [1000.0, 1500.0, 2000.0] and answer["marked"] == 1500.0
    sagged = [0.5 - 2.0 * 9.81 / k for k in answer["values"]]
    assert answer["outputs"]["mass.y"] == pytest.approx(sagged, abs=1e-9) and answer["units"]["mass.y"] == "m"
    said = call("trade-off", spring, *options, "--out", out, "--workers", 1).stdout
    assert "the limits are kept from 1000 to 1000 of k" in said and "mass.y (m)" in said
    page = (out / "trade-off.html").read_text()
    assert "values that keep the limits" in page and (out / "plot.png").exists()
    assert len((out / "trade-off.csv").read_text().splitlines()) == 4


def test_table_has_evenly_spaced_values_and_reports_failures(spring: Path, tmp_path: Path) -> None:
    """A stiffness of zero has no equilibrium."""
    options = ("--parameter", "k=0:2400", "--measure", "mass.y", "--samples", 25, "--workers", 1)
    said = call("trade-off", spring, *options, "--out", tmp_path / "out").stdout
    rows = [line.split() for line in said.splitlines() if line.startswith(" ") and " x: " not in line]
    shown = [float(row[0]) for row in rows if row and row[0].isdigit()]
    assert shown == [200.0 * k for k in range(13)]
    assert "13 of 25 values; all of them are in trade-off.csv" in said and "1 of 25 values have no numbers:" in said


@pytest.mark.slow
def test_leg_numbers_and_outputs_are_combined(tmp_path: Path) -> None:
    leg = gw.mechanisms.jansen_leg().save(tmp_path / "leg.yaml")
    options = (
        "--parameter",
        "L6=410 mm:414 mm",
        "--measure",
        "energy",
        "--measure",
        "crank.torque.max_abs",
    )
    done = call("trade-off", leg, *options, "--samples", 2, "--out", tmp_path / "out", "--json", "--workers", 1)
    answer, variant = json.loads(done.stdout), gw.load(leg, L6=0.41)
    turn = gw.Model.from_dict({**variant.to_dict(), "analysis": gw.one_turn(model=variant)}).analyse()
    found = gw.measure_leg(turn)
    assert answer["outputs"]["energy"][0] == pytest.approx(found["energy"]) and answer["units"]["energy"] == "J"
    assert answer["outputs"]["crank.torque.max_abs"][0] == pytest.approx(abs(turn.array("crank.torque")).max())


WRONG: dict[str, tuple[tuple[Any, ...], str, int]] = {
    "two": (("--parameter", "k=1:2", "--parameter", "k=1:2"), "parameter 'k': is given twice by --parameter", 2),
    "one bound": (("--parameter", "k=1:"), "--parameter takes NAME=LOW:HIGH", 2),
    "unknown": (("--parameter", "q=1:2"), "'q' is not a parameter of this model", 2),
    "limit": (("--parameter", "k=1000:2000", "--limit", "mass.y"), "--limit takes NAME=LOW:HIGH or NAME=VALUE", 2),
    "chosen": (("--parameter", "k=1000:2000", "--chosen", "much"), "--chosen takes a number", 2),
    "output": (("--parameter", "k=1000:2000", "--measure", "mass.z"), "mass.z", 2),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_is_one_sentence(case: str, spring: Path, tmp_path: Path) -> None:
    options, said, code = WRONG[case]
    done = call("trade-off", spring, *options, "--out", tmp_path / "out", "--workers", 1, code=code)
    assert said in done.stderr and done.stderr.count("\n") == 1
