"""Every number printed by `leg` and `walk` is a valid goal, limit and column of every design command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import gaitwright as gw
from calling import call
from gaitwright.codegen.c_library import find_compiler
from gaitwright.design.question import DesignQuestion
from gaitwright.legs.leg_turns import LegTurns, describe_known_numbers
from gaitwright.legs.machine_walks import MachineWalks
from gaitwright.legs.turn_numbers import LEG_MEASURES, TURN_NUMBERS
from gaitwright.mechanisms import jansen_leg
from gaitwright.mechanisms.leg_walk_analysis import LegWalkAnalysis, LegWalkResult
from gaitwright.mechanisms.walking_machine import walking_machine

MOTOR = {"voltage": 24.0, "stall_torque": 0.9, "no_load_speed": 600.0, "gear_ratio": 40.0}
VARIED = ("--parameter", "L3=0.276:0.278")
WIDE = "-1e12:1e12"
"""Limit that every finite number satisfies."""


def leg() -> gw.Model:
    raw = jansen_leg().to_dict()
    return gw.Model.from_dict({**raw, "gait": {**raw["gait"], "motor": MOTOR}})


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return leg().save(tmp_path_factory.mktemp("leg") / "leg.yaml")


NUMBERS = list(describe_known_numbers(leg()))


def each(option: str, ending: str = "", names: list[str] = NUMBERS) -> list[str]:
    return [word for name in names for word in (option, f"{name}{ending}")]


LIMITS = each("--limit", f"={WIDE}")


def quick(self: LegTurns, model: gw.Model) -> Any:
    """The same analysis with few samples."""
    return analysed(LegTurns(self.ground, 40), model)


analysed = LegTurns.__call__


@pytest.fixture
def few_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LegTurns, "__call__", quick)


@pytest.mark.slow
def test_all_printed_numbers_are_known(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gaitwright.legs.leg.LegAnalysis.report", lambda *_: {})
    said = json.loads(call("leg", file, "--json", "--out", tmp_path).stdout)
    printed = {*said["directions"]["as driven"], *said["motor"]["numbers"]}
    assert printed == set(NUMBERS) and set(LEG_MEASURES) < set(TURN_NUMBERS) < printed
    assert said["units"]["scuffing"] == describe_known_numbers(leg())["scuffing"][0] == "1"


@pytest.mark.slow
def test_every_number_is_a_column_of_a_sweep(file: Path, tmp_path: Path, few_samples: None) -> None:
    call("sweep", file, "--parameter", "L3=0.277", *each("--measure"), "--out", tmp_path)
    row = pd.read_csv(tmp_path / "sweep.csv").iloc[0]
    wanted = LegTurns()(jansen_leg_at(0.277)).measures()
    assert set(NUMBERS) <= set(row.index) and wanted.keys() == set(NUMBERS)
    for name, value in wanted.items():
        assert row[name] == pytest.approx(value, rel=1e-9, abs=1e-12, nan_ok=True), name


def jansen_leg_at(length: float) -> gw.Model:
    return leg().copy(L3=length)


@pytest.mark.slow
def test_every_number_is_goal_limit_and_column_of_designs(file: Path, tmp_path: Path, few_samples: None) -> None:
    goals = [word for name in NUMBERS for word in ("--minimise", name)]
    call("designs", file, *VARIED, "--count", 2, "--workers", 1, *each("--measure"), *LIMITS, *goals, "--out", tmp_path)
    table = pd.read_csv(tmp_path / "designs.csv")
    assert set(NUMBERS) <= set(table.columns) and table["feasible"].all() and table["front"].all()
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert {name for best in summary["best"].values() for name in best} >= set(NUMBERS)


@pytest.mark.slow
def test_every_number_is_a_column_and_a_limit_of_a_trade_off(file: Path, tmp_path: Path, few_samples: None) -> None:
    drawn: list[str] = []
    with pytest.MonkeyPatch.context() as patch:  # figures with 140 panels take a minute
        patch.setattr("gaitwright.design.trade_off.TradeOffResult.plot", lambda curve, path: drawn.extend(curve.names))
        patch.setattr("gaitwright.design.trade_off.TradeOffResult.report", lambda curve, path: {})
        call("trade-off", file, *VARIED, "--samples", 2, *each("--measure"), *LIMITS, "--out", tmp_path)
    assert drawn == NUMBERS and set(NUMBERS) <= set(pd.read_csv(tmp_path / "trade-off.csv").columns)


@pytest.mark.slow
def test_every_number_is_goal_limit_and_column_of_a_study(file: Path, tmp_path: Path, few_samples: None) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gaitwright.design.study_result.StudyResult.report", lambda *_: {})
        call(
            "study", file, *VARIED, "--samples", 2, *each("--minimise"), *each("--measure"), *LIMITS, "--out", tmp_path
        )
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert set(summary["goals"]) == set(summary["limits"]) == set(NUMBERS) <= set(summary["variants"][0])


def remembered() -> Any:
    """Analysis of legs with a cache of results."""
    known: dict[float, Any] = {}

    def analyse(model: gw.Model) -> Any:
        value = float(model.document.parameters["L3"])
        if value not in known:
            known[value] = LegTurns(samples=40)(model)
        return known[value]

    return analyse


@pytest.mark.slow
def test_every_number_is_goal_and_limit_of_a_choice_and_of_a_search() -> None:
    """Calls the functions behind the commands, with one analysis of each leg for all goals."""
    analysis, bounds, model, known = remembered(), (0.276, 0.278), leg(), describe_known_numbers(leg())
    limits = {name: (-1e12, 1e12) for name in NUMBERS}
    ends = [analysis(jansen_leg_at(value)).measures() for value in bounds]
    for name in NUMBERS:
        chosen = gw.choose(
            model, {"L3": bounds}, target={name: ends[0][name]}, samples=2, analysis=analysis, limits=limits
        )
        assert chosen.achieved == pytest.approx(ends[0][name], rel=1e-6) and set(chosen.limits) == set(NUMBERS), name
        found = gw.optimise(
            model, {"L3": bounds}, start={"L3": 0.276}, minimise=[name], analysis=analysis, limits=limits,
            method="nelder-mead", budget=1, workers=1,
        )  # fmt: skip
        assert found.numbers == {**ends[0], name: ends[0][name]} and found.question.units[name] == known[name][0]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["scuffing", "speed_stance_mean", "restitution_0_energy_turn", "motor_current"])
def test_choose_and_optimise_take_every_kind_of_number(
    name: str, file: Path, tmp_path: Path, few_samples: None
) -> None:
    few = ["--limit", f"{name}={WIDE}", "--limit", f"vy_swing_least={WIDE}"]
    target = LegTurns(samples=40)(jansen_leg_at(0.276)).measures()[name]
    call(
        "choose",
        file,
        *VARIED,
        "--samples",
        2,
        "--target",
        f"{name}={target!r}",
        *few,
        "--out",
        tmp_path / "choose",
    )
    found = call(
        "optimise", file, *VARIED, "--minimise", name, *few, "--method", "nelder-mead", "--budget", 2,
        "--out", tmp_path / "optimise", "--json",
    )  # fmt: skip
    assert name in json.loads(found.stdout)["history"][0]


@pytest.mark.slow
@pytest.mark.parametrize("command", ["choose", "optimise"])
def test_every_number_is_a_limit_of_the_commands_that_have_one_goal(
    command: str, file: Path, tmp_path: Path, few_samples: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for page in ("plot", "report"):
        monkeypatch.setattr(f"gaitwright.design.optimise_result.OptimisationResult.{page}", lambda *_: {})
    target = LegTurns(samples=40)(jansen_leg_at(0.276)).measures()["energy"]
    goal = {
        "choose": ["--target", f"energy={target!r}", "--samples", 2],
        "optimise": ["--minimise", "energy", "--method", "nelder-mead", "--budget", 2],
    }[command]
    said = call(command, file, *VARIED, *goal, *LIMITS, "--out", tmp_path, "--json")
    assert all(f'"{name}"' in said.stdout for name in NUMBERS)


@pytest.mark.slow
def test_every_number_is_a_goal_of_the_commands_that_have_one_goal() -> None:
    """The name selects the analysis of the leg and not an output; an unknown name raises ModelError."""
    model, box = leg(), {"L3": (0.276, 0.278)}
    for name in NUMBERS:
        chosen = DesignQuestion("choose", model, box, minimise=[name])
        searched = DesignQuestion("optimise", model, box, minimise=[name], printed=True)
        assert isinstance(chosen.analysis, LegTurns) and not chosen.numbers.functions, name
        assert isinstance(searched.analysis, LegTurns) or searched.numbers.functions == [gw.measure_leg], name
    with pytest.raises(gw.ModelError, match="did you mean 'scuffing'"):
        DesignQuestion("optimise", model, box, minimise=["scufing"], printed=True)


@pytest.mark.parametrize("command", ["sweep", "designs", "choose", "optimise", "trade-off", "study"])
def test_every_command_suggests_the_correct_spelling(command: str, file: Path, tmp_path: Path) -> None:
    wrong = {
        "sweep": ["--parameter", "L3=0.277", "--measure", "scufing"],
        "designs": [*VARIED, "--count", 2, "--measure", "scufing"],
        "choose": [*VARIED, "--target", "scufing=0"],
        "optimise": [*VARIED, "--minimise", "scufing"],
        "trade-off": [*VARIED, "--measure", "energy", "--limit", "scufing=:0.1"],
        "study": [*VARIED, "--minimise", "energy", "--limit", "scufing=:0.1"],
    }[command]
    said = call(command, file, *wrong, "--out", tmp_path, code=2).stderr
    assert "scufing" in said and "did you mean 'scuffing'" in said and said.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("command", ["designs", "choose", "optimise", "trade-off", "study"])
@pytest.mark.parametrize("limit", ["scuffing=:0.1", "scuffing=0.1"])
def test_all_commands_share_the_syntax_of_limits(
    command: str, limit: str, file: Path, tmp_path: Path, few_samples: None
) -> None:
    if command == "designs" and find_compiler() is None:
        pytest.skip("no C compiler")
    few = {
        "designs": ["--count", 2],
        "choose": ["--target", "step_length=0.387", "--samples", 2],
        "optimise": ["--minimise", "vy_swing_least", "--method", "nelder-mead", "--budget", 1],
        "trade-off": ["--samples", 2],
        "study": ["--minimise", "energy", "--samples", 2],
    }[command]
    call(command, file, *VARIED, *few, "--limit", limit, "--out", tmp_path)


# Walks ---------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def walked() -> Any:
    """One walk of a small machine, for all tests."""
    machine = walking_machine(jansen_leg(), pairs=2, soft_start=0.2)
    raw = machine.to_dict()
    section = {**raw["analysis"], "until": "soft_start + 2/turns_per_second"}
    machine = gw.Model.from_dict({**raw, "analysis": section})
    return machine, MachineWalks()(machine)


@pytest.mark.slow
def test_every_number_of_a_walk_is_goal_limit_and_column(
    walked: Any, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few_samples: None
) -> None:
    """Numbers of a machine by their names, of a leg with the prefix `walk_`. All tests use the same walk, since walking
    takes long."""
    machine, walk = walked
    monkeypatch.setattr(MachineWalks, "__call__", lambda self, model: walk)
    monkeypatch.setattr("gaitwright.design.trade_off.TradeOffResult.plot", lambda curve, path: None)
    monkeypatch.setattr("gaitwright.design.trade_off.TradeOffResult.report", lambda curve, path: {})
    monkeypatch.setattr("gaitwright.design.study_result.StudyResult.report", lambda *_: {})
    for page in ("plot", "report"):
        monkeypatch.setattr(f"gaitwright.design.optimise_result.OptimisationResult.{page}", lambda *_: {})
    monkeypatch.setattr("gaitwright.design.batch.table_result.DesignTable.report", lambda *_: {})
    monkeypatch.setattr("gaitwright.cli.commands.sweeps.analyse_extremes", lambda *_: {})
    own = machine.save(tmp_path / "machine.yaml")
    finite = [name for name, value in walk.measures().items() if value == value]
    mass = ("--parameter", "body_mass=3.9:4.1")
    for model, varied, names in ((own, mass, finite), (file, VARIED, [f"walk_{name}" for name in finite])):
        limits, one = each("--limit", f"={WIDE}", names), names[0]
        value = walk[one.removeprefix("walk_")]
        value_of = varied[1].partition("=")[0]
        asked: dict[str, list[Any]] = {
            "sweep": [
                "--parameter",
                f"{value_of}={varied[1].partition('=')[2].partition(':')[0]}",
                *each("--measure", "", names),
            ],
            "designs": [*varied, "--count", 1, *each("--measure", "", names), *each("--minimise", "", names), *limits],
            "trade-off": [*varied, "--samples", 2, *each("--measure", "", names), *limits],
            "study": [*varied, "--samples", 2, *each("--minimise", "", names), *limits],
            "choose": [*varied, "--samples", 2, "--target", f"{one}={value!r}", *limits],
            "optimise": [*varied, "--minimise", one, "--method", "nelder-mead", "--budget", 1, *limits],
        }
        for command, options in asked.items():
            out = tmp_path / f"{model.stem}-{command}"
            call(command, model, *options, "--out", out)
        columns = set(pd.read_csv(tmp_path / f"{model.stem}-sweep" / "sweep.csv").columns)
        assert set(names) <= columns


@pytest.mark.slow
def test_walk_numbers_of_a_leg_are_those_of_its_machine(walked: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The walk of a leg is that of the machine made by `gaitwright walk`; the walk of a smaller machine replaces it here."""
    asked: list[gw.Model] = []
    monkeypatch.setattr(MachineWalks, "__call__", lambda self, model: (asked.append(model), walked[1])[1])
    found = LegWalkAnalysis(ground=False, samples=40)(jansen_leg())
    assert isinstance(found, LegWalkResult) and [model.to_dict() for model in asked] == [
        walking_machine(jansen_leg()).to_dict()
    ]
    assert found.measures()["walk_speed"] == walked[1]["speed"] and found.unit_of("walk_speed") == "m/s"
    assert found.measures()["step_length"] == found.leg.measures()["step_length"]
