"""Search by exact gradients: known optima, the Jansen leg in a tenth of the variants, limits, failures, Ctrl-C."""

import json
import math
import re

import numpy as np
import pytest
from typer.testing import CliRunner

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.cli.main import app
from gaitwright.codegen.c_library import find_compiler
from gaitwright.design import codegen_objective
from gaitwright.mechanisms import jansen_leg
from gaitwright.mechanisms.jansen import LENGTHS_M
from gaitwright.report.blocks import Chart, Figures, Table, Text
from gaitwright.report.views.pages.optimisation_page import optimisation_report

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")

GROUND = 0.3
TRUE = {"crank": 0.1, "coupler": 0.28, "rocker": 0.24, "along": 0.16, "aside": 0.11}
TURN = {"type": "kinematic", "until": 1.0, "step": 1 / 24}
AT = (0, 3, 6, 9, 13, 17, 20)
"""Samples of the turn at which the coupler point is given."""


def four_bar(**lengths: float) -> gw.Model:
    model = gw.Model("four-bar", parameters={**TRUE, **lengths})
    model.ground_point("O", 0, 0).ground_point("C", GROUND, 0).point("A", "crank", 0).point("B", 0.3, 0.25)
    model.link("crank", "O", "A", length="crank", mass=0.1)
    model.link("coupler", "A", "B", length="coupler", mass=0.1, points={"P": ("along - coupler/2", "aside")})
    model.link("rocker", "C", "B", length="rocker", mass=0.1)
    return model.drive.rotation("crank", "2*pi*t")


def coupler_point(sample: int, **lengths: float) -> tuple[float, float]:
    """Position of P, from the two circles that intersect at B."""
    crank, coupler, rocker, along, aside = {**TRUE, **lengths}.values()
    angle = 2 * math.pi * sample / 24
    ax, ay = crank * math.cos(angle), crank * math.sin(angle)
    apart = math.hypot(GROUND - ax, ay)
    inner = math.acos((coupler**2 + apart**2 - rocker**2) / (2 * coupler * apart))
    to_b = math.atan2(-ay, GROUND - ax) + inner
    c, s = math.cos(to_b), math.sin(to_b)
    return ax + c * along - s * aside, ay + s * along + c * aside


def through_points() -> str:
    """Sum of squares of the distances from given points."""
    return " + ".join(
        f"(P.{axis}.sample_{k} - ({value!r}))**2"
        for k in AT
        for axis, value in zip("xy", coupler_point(k), strict=True)
    )


def test_the_value_at_a_sample_and_its_gradient():
    names = ["P.x.sample_7", "P.y.sample_24"]
    table = gw.designs(
        four_bar(), {n: [x] for n, x in TRUE.items()}, measures=names, gradient=names, analysis=TURN, workers=1
    )
    for name, sample, axis in zip(names, (7, 24), (0, 1), strict=True):
        assert float(table[name][0]) == pytest.approx(coupler_point(sample)[axis], abs=1e-12)
        slopes = [
            (coupler_point(sample, **{n: x + 1e-6})[axis] - coupler_point(sample, **{n: x - 1e-6})[axis]) / 2e-6
            for n, x in TRUE.items()
        ]
        assert table[f"{name}.gradient"].values[0] == pytest.approx(slopes, abs=1e-8)


def test_a_four_bar_through_given_points_is_found_again():
    start = four_bar(crank=0.085, coupler=0.31, rocker=0.27, along=0.12, aside=0.15)
    bounds = {name: (0.7 * length, 1.4 * length) for name, length in TRUE.items()}
    found = gw.optimise(
        start,
        bounds,
        minimise=["error"],
        measures={"error": through_points()},
        analysis=TURN,
        method="gradient",
        workers=1,
    )
    assert found.values == pytest.approx(TRUE, abs=1e-6)
    assert found.kkt < 1e-5 and found.kkt <= found.gradient
    assert found.evaluations["sweep"] == 2048 and found.starts == 6
    assert found.evaluations["search"] == len(found.table) < 400


# The leg of docs/how-to/improve-a-leg.md ----------------------------------------------------------------------------------

PRESENT = (502, 1.3530551510825)
"""Variants that cobyqa needs until it ends by itself (budget=900), and the energy that it finds, J."""


@pytest.fixture(scope="module")
def better_leg():
    lengths = {name: (0.95 * length, 1.05 * length) for name, length in LENGTHS_M.items() if name.startswith("L")}
    return gw.optimise(
        jansen_leg(), lengths, minimise=["energy"], measures=gw.measure_leg, analysis=gw.one_turn(), starts=1, workers=1,
        limits={"step_length": ("95%", None), "step_height": ("90%", None)},
    )  # fmt: skip


def test_the_jansen_leg_in_a_tenth_of_the_variants(better_leg):
    variants, energy = PRESENT
    assert better_leg.numbers["energy"] <= energy
    assert better_leg.evaluations == {"sweep": 0, "search": len(better_leg.table)}
    assert sum(better_leg.evaluations.values()) <= variants / 10
    before = better_leg.numbers_before
    assert 0.95 <= better_leg.numbers["step_length"] / before["step_length"] < 0.95 * (1 + 1e-6)
    assert 0.90 <= better_leg.numbers["step_height"] / before["step_height"] < 0.90 * (1 + 1e-6)
    assert better_leg.kkt < 1e-5 < 1.0 < better_leg.gradient  # held by limits and bounds
    again = gw.measure_leg(better_leg.model.inverse(1.0, step=1 / 150))
    assert {name: again[name] for name in better_leg.numbers} == pytest.approx(better_leg.numbers, rel=1e-9)


def test_the_method_and_the_counts_are_reported(better_leg):
    said = json.loads(json.dumps(better_leg.summary(), allow_nan=False))
    assert said["starts"] == 1 and said["evaluations"]["sweep"] == 0 and said["kkt"] == better_leg.kkt
    assert "method: gradient" in said["notes"][0] and "method: gradient" in repr(better_leg)


# A crank and its rocker, in closed form --------------------------------------------------------------------------------------


def swing_of(**options):
    """Widest swing of a rocker; one parameter, so that few designs are enough."""
    model = gw.Model("four-bar", parameters={"crank": 0.1})
    model.ground_point("O", 0, 0).ground_point("C", GROUND, 0).point("A", "crank", 0).point("B", 0.3, 0.25)
    model.link("crank", "O", "A", length="crank", mass=0.1).link("coupler", "A", "B", length=0.3, mass=0.1)
    model.link("rocker", "C", "B", length=0.25, mass=0.1).drive.rotation("crank", "2*pi*t")
    measures = {"swing": "rocker.angle.max - rocker.angle.min", "size": "crank/0.1"}
    section = {"type": "kinematic", "until": 1.0, "step": 0.02}
    given = {"measures": measures, "maximise": ["swing"], "analysis": section, "workers": 1, **options}
    return gw.optimise(model, {"crank": (0.05, 0.29)}, **given)


def test_the_search_recovers_from_designs_that_cannot_turn():
    """Grashof: a crank of more than 0.25 m cannot make a full turn; the swing grows up to that length."""
    found = swing_of(starts=1, budget=40)
    assert 0.24 < found.values["crank"] <= 0.25
    failed = found.table[found.table["failure"] != ""]
    assert len(failed) > 0 and float(np.min(failed["crank"])) > 0.2498
    assert "the mechanism cannot be closed from the drawn pose" in found.failures


def test_limits_of_expressions_and_of_outputs_become_active():
    found = swing_of(limits={"size": (None, 1.5)}, starts=1)
    assert found.values["crank"] == pytest.approx(0.15, rel=1e-6) and found.numbers["size"] <= 1.5
    spins = [
        swing_of(limits={"rocker.spin": limit}, starts=1) for limit in ((-4.0, 3.0), (None, 3.0), (-4.0, None), 4.0)
    ]
    for found, (low, high) in zip(spins, ((-4.0, 3.0), (-math.inf, 3.0), (-4.0, math.inf), (-4.0, 4.0)), strict=True):
        spin = found.after.array("rocker.spin")
        assert spin.min() >= low and spin.max() <= high
        assert min(spin.min() - low, high - spin.max()) < 1e-6  # one of them is active


def test_the_budget_is_kept():
    found = swing_of(limits={"size": (None, 1.5)}, budget=1, starts=1)
    assert len(found.table) == 1 and found.ended.startswith("ended after 1 variants")


def test_stored_designs_are_not_computed_again(tmp_path, monkeypatch):
    options = {"limits": {"size": (None, 1.5)}, "starts": 1, "store": tmp_path / "trials.jsonl"}
    first = swing_of(**options)
    computed = []
    plain = codegen_objective.CodegenObjective.designs

    def counted(self, values, slopes=True):
        computed.extend(values)
        return plain(self, values, slopes)

    monkeypatch.setattr(codegen_objective.CodegenObjective, "designs", counted)
    again = swing_of(**options)
    assert again.table.equals(first.table) and again.values == first.values
    assert len(computed) == 1  # the start, to check the program


def test_interruption_returns_the_best_so_far(monkeypatch):
    plain, calls = codegen_objective.analyse_designs, []

    def interrupted(*args, **options):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return plain(*args, **options)

    monkeypatch.setattr(codegen_objective, "analyse_designs", interrupted)
    found = swing_of(limits={"size": (None, 1.5)}, starts=1)
    assert found.interrupted and found.improvement >= 0.0 and "interrupted" in found.lines()[-1]


def test_designs_not_confirmed_by_the_analysis_are_rejected(monkeypatch):
    plain, from_then = codegen_objective.CodegenObjective.numbers, []

    def wrong(self, design, limits):
        factor = 1.0 + 1e-6 * bool(from_then)
        from_then.append(1)
        return {name: factor * value for name, value in plain(self, design, limits).items()}

    monkeypatch.setattr(codegen_objective.CodegenObjective, "numbers", wrong)  # correct at the start only
    found = swing_of(starts=1, budget=6)
    assert found.values == found.start
    assert any(
        why.startswith("not confirmed by the analysis: the printed program gives swing") for why in found.failures
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"measures": {"swing": lambda run: 1.0}}, "a function of the Result has none"),
        (
            {"analysis": lambda model: model.kinematics(1.0, step=0.02)},
            "an analysis for which a program can be generated, not a function",
        ),
        ({"measures": lambda run: {"swing": 1.0}}, "gradients of '<lambda>' are not known"),
        ({"analysis": {"type": "forward", "until": 0.1}}, "fixed step"),
        ({"analysis": {"type": "forward", "until": 0.1, "step": 0.01}}, "cannot be printed yet for this method"),
        (
            {"measures": [{"swing": "rocker.angle.range"}, {"x": lambda run: 1.0}], "limits": {"x": (0.0, None)}},
            "a function of the Result has none",
        ),
        ({"starts": 0}, "field 'starts'.*at least 1"),
        ({"measures": {"swing": "rocker.angle.sample_51"}}, "sample_51.*expected sample_0 to sample_50"),
        ({"measures": {"swing": "rocker.angel.max"}}, "did you mean rocker.angle"),
    ],
)
def test_missing_gradients_report_their_reason(change, message):
    with pytest.raises(ModelError, match=message):
        swing_of(method="gradient", **change)


def test_the_fallback_method_is_used_and_reported():
    found = swing_of(measures={"swing": lambda run: float(np.ptp(run.array("rocker.angle")))}, budget=12)
    assert "differential-evolution, as there are no exact gradients" in found.notes[0]
    assert found.evaluations == {"sweep": 0, "search": 12} and math.isnan(found.kkt)


def test_the_command_takes_gradients(tmp_path):
    raw = four_bar().to_dict() | {"analysis": {"type": "kinematic", "until": 1, "step": 0.02}}
    file = gw.Model.from_dict(raw).save(tmp_path / "four-bar.yaml")
    given = "--parameter crank=0.05:0.15 --maximise rocker.spin.max --limit rocker.spin=:3.5 --starts 1"
    run = CliRunner().invoke(app, ["optimise", str(file), *given.split(), "--out", str(tmp_path / "out")])
    assert run.exit_code == 0, run.output
    assert "method: gradient" in run.output
    said = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert said["after"] == pytest.approx(3.5, rel=1e-6) and said["after"] <= 3.5


@pytest.mark.slow
def test_counts_of_designs_agree_on_the_page_in_the_answer_and_in_the_summary():
    """Regression: the page once showed two different numbers of designs."""
    found = swing_of(limits={"size": (None, 0.9)})
    said, page = found.summary(), optimisation_report(found)
    swept, searched = said["evaluations"]["sweep"], said["evaluations"]["search"]
    assert swept > 0 and searched == said["trials"] == len(found.table)
    (fact,) = (f for block in page.blocks if isinstance(block, Figures) for f in block.facts if "tried" in f.label)
    assert fact.value == swept + searched and fact.note == f"{swept} in a sweep, {searched} in the search"
    texts = [line for block in page.blocks if isinstance(block, Text) for line in block.paragraphs]
    assert f"{swept + searched} designs tried: {swept} in a sweep, {searched} in the search from its best" in texts
    (told,) = (line for line in texts if line.startswith(f"{searched} variants analysed in the search"))
    table = found.table
    failed, broken = int((table["failure"] != "").sum()), int((~table["feasible"] & (table["failure"] == "")).sum())
    assert broken > 0 and f"of which {broken} break" in told and (f"{failed} cannot" in told) == (failed > 0)
    (rows,) = (block for block in page.blocks if isinstance(block, Table) and block.title.startswith("All variants"))
    assert len(rows.rows) == searched
    (chart,) = (block for block in page.blocks if isinstance(block, Chart) and block.title == "How the search went")
    dots = sum(len(line.x) for line in chart.lines if line.look == "dots")
    left_out = sum(map(int, re.findall(r"(\d+) (?:without|that)", chart.note)))
    assert dots + left_out == searched
