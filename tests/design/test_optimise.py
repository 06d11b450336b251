"""Optimisation of a model: known optima, limits, failures, flat and infeasible problems, Ctrl-C, wrong input, a real leg."""

import json
import math

import numpy as np
import pytest
from typer.testing import CliRunner

import gaitwright as gw
from gaitwright.cli.main import app
from gaitwright.design.minimisers import MINIMISERS
from gaitwright.design.number_limits import NumberLimit
from gaitwright.design.parameter_ranges import ParameterAxis
from gaitwright.mechanisms import jansen_leg

# Results that are the parameters themselves, so that the search can be tested without mechanics -----------------------


def bob(**parameters: float) -> gw.Model:
    return gw.Model("bob", parameters=parameters or {"x": 3.0, "y": 2.0}).body("ball", mass=1, inertia=1)


def search(function, bounds=None, model=None, **options):
    """Minimise function(parameters)."""
    options = {"analysis": lambda m: m.document.parameters, "workers": 1, "budget": 600, **options}
    return gw.optimise(model or bob(), bounds or {"x": (-5, 5), "y": (-5, 5)}, **objective(function, **options))


def objective(function, maximise=False, measures=None, **options):
    """Options with a goal: a function of the result, or the name of a number."""
    name = function if isinstance(function, str) else getattr(function, "__name__", "f").replace("<lambda>", "f")
    functions = [] if isinstance(function, str) else [{name: function}]
    given = [] if measures is None else [measures]
    return {"maximise" if maximise else "minimise": [name], "measures": [*given, *functions], **options}


def bowl(p):
    return 1.0 + (p["x"] - 1.0) ** 2 + 10.0 * (p["y"] - p["x"]) ** 2


@pytest.mark.parametrize("method", MINIMISERS)
def test_every_method_finds_the_bottom_of_a_bowl(method):
    found = search(bowl, method=method)
    assert found.values == pytest.approx({"x": 1.0, "y": 1.0}, abs=1e-3)
    assert found.numbers["bowl"] == pytest.approx(1.0, abs=1e-6)
    assert found.improvement == pytest.approx(1.0 - 1.0 / bowl({"x": 3.0, "y": 2.0}), abs=1e-6)
    assert found.start == {"x": 3.0, "y": 2.0} and found.before == {"x": 3.0, "y": 2.0} and found.after == found.values
    assert found.model.document.parameters == found.values


def test_differential_evolution_leaves_a_local_minimum():
    def two_valleys(p):  # at -2 (shallow, where it starts) and near 3 (deep)
        return (p["x"] + 2.0) ** 2 * (p["x"] - 3.0) ** 2 - p["x"]

    model, bounds = bob(x=-2.0), {"x": (-4, 4)}
    found = search(two_valleys, bounds, model)
    exact = min(np.linspace(-4, 4, 200_001), key=lambda x: two_valleys({"x": x}))
    assert found.values["x"] == pytest.approx(exact, abs=1e-3)
    near = search(two_valleys, bounds, model, method="nelder-mead")
    assert near.values["x"] < 0.0  # local methods stay there


def test_maximise_and_an_optimum_on_a_bound():
    found = search(lambda p: p["x"] - p["y"] ** 2, maximise=True)
    assert found.values["x"] == 5.0 and found.values["y"] == pytest.approx(0.0, abs=1e-3)
    assert found.improvement > 0 and "largest" in found.lines()[0]
    assert any("x = 5, before 3 (now at its bound)" in line for line in found.lines())


@pytest.mark.parametrize("method", MINIMISERS)
def test_limits_hold_and_become_active(method):
    """x + y with x y >= 1 is smallest at x = y = 1."""
    found = search(
        lambda p: p["x"] + p["y"], {"x": (0.1, 5), "y": (0.1, 5)}, limits={"area": (1.0, None)},
        measures={"area": lambda p: p["x"] * p["y"]}, method=method,
    )  # fmt: skip
    assert 2.0 <= next(iter(found.numbers.values())) < 2.002
    assert found.numbers["area"] >= 1.0
    table = found.table
    assert (table["feasible"] == (table["area"] >= 1.0)).all() and not table["feasible"].all()
    assert any("break limits" in line for line in found.lines())


def test_a_limit_may_be_a_percentage_of_the_start():
    numbers = lambda p: {"cost": p["x"], "gain": 2.0 * p["x"]}  # noqa: E731
    found = search("cost", {"x": (0.0, 5)}, bob(x=2.0), measures=numbers, limits={"gain": ("75%", None)})
    assert found.values["x"] == pytest.approx(1.5, rel=1e-4) and found.values["x"] >= 1.5
    assert found.search.limits["gain"] == NumberLimit(3.0, math.inf, 4.0)


def test_failures_and_nan_are_counted_and_never_the_answer():
    def half(p):
        if p["x"] < 0.5:
            raise ZeroDivisionError(f"no x = {p['x']}")
        return math.nan if p["x"] > 4.0 else p["x"]

    found = search(half, {"x": (-1, 5)}, bob(x=3.0))
    assert 0.5 <= found.values["x"] < 0.501
    failed = found.table.query("failure != ''")
    assert ((failed["x"] < 0.5) | (failed["x"] > 4.0)).all() and not failed["feasible"].any()
    assert set(found.failures) == {
        "half is not a finite number",
        f"ZeroDivisionError: no x = {failed['x'][failed['x'] < 0.5].iloc[0]}",
    }
    assert sum(found.failures.values()) == len(failed)


def test_a_failed_start_is_reported():
    found = search(lambda p: math.log(p["x"]), {"x": (-1, 5)}, bob(x=-1.0), method="differential-evolution")
    assert found.before is None and math.isnan(found.improvement) and found.values["x"] > 0
    assert "the start could not be analysed: ValueError" in found.lines()[1]


def test_a_flat_objective_keeps_the_start():
    found = search(lambda p: 7.0)
    assert found.values == {"x": 3.0, "y": 2.0} and found.improvement == 0.0
    assert "not improved" in found.lines()[0]


def test_an_error_is_raised_if_no_variant_keeps_the_limits():
    with pytest.raises(
        gw.NothingFeasible, match=r"keeps the limits; the closest has x = .*, allowed at least 9"
    ) as caught:
        search("y", measures=dict, limits={"x": (9.0, None)})
    assert caught.value.closest is not None and caught.value.closest.values["x"] == pytest.approx(5.0, abs=1e-3)
    assert len(caught.value.table) <= 600


def test_an_error_is_raised_if_no_variant_can_be_analysed():
    def broken(p):
        raise OSError("gone")

    with pytest.raises(
        gw.NothingFeasible, match=r"none of \d+ variants can be analysed; \d+ of them: OSError: gone"
    ) as caught:
        search(broken, budget=40)
    assert caught.value.closest is None and (caught.value.table["failure"] == "OSError: gone").all()


def test_the_budget_is_kept_and_nothing_is_analysed_twice():
    seen = []

    def watched(p):
        seen.append((p["x"], p["y"]))
        return bowl(p)

    for method in MINIMISERS:
        seen.clear()
        found = search(watched, method=method, budget=50)
        assert len(found.table) <= 50
        assert len(set(seen)) == len(seen) <= 50
        assert found.ended.startswith("ended after 50 variants") or method == "cobyqa"  # which needs fewer


def test_the_progress_listener_receives_the_best_trial_so_far():
    class Follower:
        def __init__(self):
            self.heard = []

        def __call__(self, fraction):
            pass

        def found(self, values, numbers):
            self.heard.append((values, numbers["bowl"]))

    for maximise in (False, True):
        follower = Follower()
        found = search(bowl, method="nelder-mead", budget=60, progress=follower, maximise=maximise)
        told = [number for _, number in follower.heard]
        assert len(told) > 2
        assert told == sorted(told, reverse=not maximise)
        assert follower.heard[-1] == (found.values, found.numbers["bowl"])


def test_the_same_seed_gives_the_same_answer_for_any_number_of_workers():
    one, two, other = (search(bowl, workers=w, seed=s, budget=120) for w, s in ((1, 5), (2, 5), (1, 6)))
    assert one.table.equals(two.table) and one.values == two.values
    assert not one.table.equals(other.table)


def test_interruption_returns_the_best_so_far():
    seen = []

    def analysis(model):
        seen.append(1)
        if len(seen) == 40:
            raise KeyboardInterrupt
        return model.document.parameters

    found = search(bowl, analysis=analysis)
    assert found.interrupted and len(found.table) == 39 and "interrupted" in found.lines()[-1]
    assert found.numbers["bowl"] == found.table["bowl"].min() < bowl(found.start)


def test_wide_bounds_are_searched_in_equal_ratios():
    found = search(lambda p: (math.log10(p["K"]) - 4.0) ** 2, {"K": (1.0, 1e8)}, bob(K=10.0), budget=200)
    assert found.values["K"] == pytest.approx(1e4, rel=1e-3)
    axis = ParameterAxis(1.0, 1e8)
    assert axis.value(0.5) == pytest.approx(1e4) and axis.unit(1e2) == pytest.approx(0.25)
    assert (axis.value(-1.0), axis.value(2.0)) == (1.0, 1e8)


def test_a_start_outside_the_bounds_is_reported_but_never_the_answer():
    found = search(lambda p: p["x"], {"x": (1.0, 2.0)}, bob(x=0.0))
    assert found.values["x"] == pytest.approx(1.0) and found.start == {"x": 0.0}
    assert found.table["x"].min() >= 1.0 and "not improved" in found.lines()[0]
    assert "x begins outside its bounds, at 0: that is 'before'; the search begins at the nearest bound" in found.notes


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bounds": {}}, r"field 'parameters': is empty; expected some of: x, y"),
        ({"bounds": {"z": (0, 1)}}, r"'z' is not a parameter of this model; expected some of: x, y"),
        ({"bounds": {"x": (1, 0)}}, r"parameters\['x'\]'.*lower one first"),
        ({"bounds": {"x": (0, math.inf)}}, r"parameters\['x'\]'.*finite"),
        ({"bounds": {"x": 3.0}}, r"parameters\['x'\]'.*two finite numbers"),
        ({"bounds": {"x": [1.0, 2.0]}}, r"parameters\['x'\]'.*is a list of values, and a search needs a range"),
        ({"maximise": True, "minimise": ["area"]}, r"needs exactly one goal \(got \['bowl', 'area'\]\)"),
        ({"method": "newton"}, r"field 'method': is not known \(got 'newton'\); expected one of nelder-mead"),
        ({"budget": 0}, r"field 'budget'.*at least 1"),
        ({"start": {"x": 1.0}}, r"field 'start'.*expected x, y"),
        ({"function": "ball.x.peak", "analysis": "static"}, r"'ball.x.peak'"),
        ({"measures": dict, "function": "z"}, r"there is no output 'z'"),
        ({"measures": dict, "function": "x", "limits": {"y": (3, 2)}}, r"has a lower bound above its upper.*\(2.0, 3.0\)"),
        ({"measures": dict, "function": "x", "limits": {"y": (None, None)}}, r"is not a limit"),
        ({"measures": dict, "function": "x", "limits": {"y": (1, 2, 3)}}, r"is not a limit.*\(low, high\)"),
        ({"measures": dict, "function": "x", "limits": {"y": ("some%", None)}}, r"is not a limit.*such as '95%'"),
        ({"function": lambda p: 1 / 0, "limits": {"y": ("95%", None)}}, r"part of what the start has"),
    ],
)  # fmt: skip
def test_wrong_input_is_reported_in_one_sentence(change, message):
    change = dict(change)
    bounds = change.pop("bounds", {"x": (-5, 5), "y": (-5, 5)})
    options = {"analysis": lambda m: m.document.parameters, "workers": 1, **change}
    with pytest.raises(gw.ModelError, match=message):
        gw.optimise(bob(), bounds, **objective(options.pop("function", bowl), **options))


# Mechanics ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_pivot_for_the_fastest_swing_of_a_body():
    """omega^2 = m g d / (I + m d^2) is largest at d = sqrt(I / m): the radius of gyration."""
    mass, inertia = 2.0, 0.08
    model = gw.Model("body on a pivot", parameters={"d": 0.5})
    model.ground_point("O", 0, 0).body("plate", mass=mass, inertia=inertia, at=(0, "-d"), points={"P": (0, "d")})
    model.joint("revolute", a="ground.O", b="plate.P")
    found = gw.optimise(model, {"d": (0.01, 1.0)}, maximise=["frequency_1"], analysis="modes", budget=80, workers=1)
    gyration = math.sqrt(inertia / mass)
    assert found.values["d"] == pytest.approx(gyration, rel=1e-3)
    assert found.numbers["frequency_1"] == pytest.approx(math.sqrt(9.81 / (2 * gyration)) / (2 * math.pi), rel=1e-6)


GROUND, COUPLER, ROCKER = 0.3, 0.3, 0.25


def four_bar() -> gw.Model:
    model = gw.Model("four-bar", parameters={"crank": 0.1})
    model.ground_point("O", 0, 0).ground_point("C", GROUND, 0).point("A", "crank", 0).point("B", 0.3, 0.25)
    model.link("crank", "O", "A", length="crank", mass=0.1)
    model.link("coupler", "A", "B", length=COUPLER, mass=0.1).link("rocker", "C", "B", length=ROCKER, mass=0.1)
    return model.drive.rotation("crank", "2*pi*t")


def swing(crank: float) -> float:
    """Swing of the rocker between the dead points, at which coupler and crank are collinear."""
    ends = [(GROUND**2 + ROCKER**2 - reach**2) / (2 * GROUND * ROCKER) for reach in (COUPLER - crank, COUPLER + crank)]
    return math.acos(ends[1]) - math.acos(ends[0])


@pytest.mark.slow
def test_the_crank_for_the_widest_swing_makes_full_turns():
    """Grashof: crank + ground <= coupler + rocker, so a crank of more than 0.25 m cannot turn; up to that the swing grows."""
    found = gw.optimise(
        four_bar(), {"crank": (0.05, 0.29)}, maximise=["swing"],
        measures={"swing": lambda run: np.ptp(run.array("rocker.angle"))},
        analysis={"type": "kinematic", "until": 1.0, "step": 0.005}, budget=120, workers=1,
    )  # fmt: skip
    best = found.values["crank"]
    assert 0.245 < best <= 0.25
    assert next(iter(found.numbers.values())) == pytest.approx(swing(best), rel=5e-3)  # in samples
    table = found.table
    failed = table["failure"] != ""
    assert failed[table["crank"] > 0.2501].all() and not failed[table["crank"] < 0.249].any()
    assert sum(found.failures.values()) == failed.sum() > 0
    assert any("cannot be analysed" in line for line in found.lines())


@pytest.mark.slow
def test_outputs_are_limited_at_all_times():
    """The torque over a turn grows with the speed squared; the lowest peak of the rocker's spin within limits."""
    model = four_bar()
    raw = model.to_dict()
    raw["parameters"]["speed"] = 1.0
    raw["drives"][0]["angle"] = "2*pi*speed*t"
    model, analysis = gw.Model.from_dict(raw), {"type": "inverse", "until": "1/speed", "step": "0.01/speed"}

    def spins(speed):
        return model.copy(speed=speed).inverse(1 / speed, step=0.01 / speed).array("rocker.spin")

    fast = spins(1.0)  # the spin is proportional to the speed
    for limits, exact in (
        ({"rocker.spin": 20.0}, 20.0 / np.abs(fast).max()),
        ({"rocker.spin": (-15.0, None)}, -15.0 / fast.min()),
        ({"rocker.spin": (-30.0, 12.0)}, min(-30.0 / fast.min(), 12.0 / fast.max())),
    ):
        found = gw.optimise(
            model, {"speed": (0.5, 9.0)}, maximise=["crank.spin.max"], limits=limits,
            analysis=analysis, method="nelder-mead", budget=60,
        )  # fmt: skip
        assert found.values["speed"] == pytest.approx(exact, rel=1e-3) and found.values["speed"] <= exact * (1 + 1e-9)
        assert found.question.units["crank.spin.max"] == "rad/s"
    with pytest.raises(gw.ModelError, match="parts of two different numbers"):
        gw.optimise(model, {"speed": (0.5, 9.0)}, minimise=["crank.spin"], limits={"rocker.spin": ("50%", "90%")},
                    analysis=analysis)  # fmt: skip


def energy(model: gw.Model) -> float:
    return model.inverse(1.0, step=1e-3).drive_work("crank")["absolute"]


@pytest.fixture(scope="module")
def better_leg():
    return gw.optimise(
        jansen_leg(), {"L6": (0.40, 0.42), "L9": (0.235, 0.255)}, minimise=["energy"], measures=gw.measure_leg,
        analysis=gw.one_turn(), limits={"step_length": ("95%", None), "step_height": ("90%", None)},
        method="nelder-mead", budget=50,
    )  # fmt: skip


@pytest.mark.slow
def test_the_leg_of_the_thesis_needs_less_energy(better_leg):
    """Checked by a separate run with five times the samples."""
    before, after = jansen_leg(), better_leg.model
    assert energy(after) < 0.85 * energy(before)
    assert energy(after) == pytest.approx(better_leg.numbers["energy"], rel=1e-3)
    for name, part in (("step_length", 0.95), ("step_height", 0.90)):
        numbers = [gw.measure_leg(m.inverse(1.0, step=1e-3))[name] for m in (before, after)]
        assert numbers[1] >= part * numbers[0] * (1 - 1e-4)


def test_the_figure_shows_the_feet_before_and_after(better_leg, tmp_path):
    figure = better_leg.plot(tmp_path / "better.png")
    assert (tmp_path / "better.png").stat().st_size > 20_000
    curves = {line.get_label(): line for line in figure.axes[0].get_lines()}
    assert list(curves) == ["F before", "F after"]
    x, y = (np.asarray(curves["F after"].get_data()[k]) for k in (0, 1))
    assert np.ptp(y) == pytest.approx(better_leg.numbers["step_height"], rel=1e-4)
    assert np.ptp(x) > better_leg.numbers["step_length"]
    assert len(search(bowl, budget=20).plot().axes) == 2  # no curves without a motion


def test_the_summary_is_ready_for_json(better_leg):
    said = json.loads(json.dumps(better_leg.summary(), allow_nan=False))
    assert said["goal"] == "minimise" and said["trials"] == len(said["history"]) == 50
    assert (
        said["improvement"] == pytest.approx(better_leg.improvement) and said["limits"]["step_length"]["high"] is None
    )
    assert repr(better_leg).startswith("<DesignResult of optimise: smallest energy: 1.5")


# Command line ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def model_file(tmp_path):
    raw = four_bar().to_dict() | {"analysis": {"type": "kinematic", "until": 1, "step": 0.01}}
    return gw.Model.from_dict(raw).save(tmp_path / "four-bar.yaml")


@pytest.mark.slow
def test_the_command_writes_the_improved_model(model_file, tmp_path):
    given = "--parameter crank=0.05:0.2 --maximise rocker.spin.max --limit rocker.spin=:4 --method cobyqa --budget 40"
    run = CliRunner().invoke(app, ["optimise", str(model_file), *given.split(), "--out", str(tmp_path / "out")])
    assert run.exit_code == 0, run.output
    assert "largest rocker.spin.max" in run.output
    said = json.loads((tmp_path / "out" / "summary.json").read_text())
    improved = gw.load(tmp_path / "out" / "improved.yaml")
    assert improved.document.parameters["crank"] == said["values"]["crank"]
    assert 3.9 < improved.analyse().array("rocker.spin").max() <= 4.0
    assert (tmp_path / "out" / "plot.png").exists()
    page = (tmp_path / "out" / "optimise.html").read_text()
    assert page.count('class="player"') == 2 and "high bound" in page and "at most" in page


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        (["--parameter", "crank=0.05", "--minimise", "crank.torque"], "is a list of values, and a search needs a range", 2),
        (["--parameter", "crank=0.05:0.2"], "optimise: needs exactly one goal", 2),
        (["--parameter", "crank=0.05:0.2", "--minimise", "crank.torqe"], "did you mean crank.torque", 2),
        (["--parameter", "crank=0.05:0.2", "--minimise", "rocker.spin", "--limit", "rocker.spin=:-90", "--budget", "9"],
         "keeps the limits", 1),
    ],
)  # fmt: skip
def test_the_command_answers_wrong_input_with_one_sentence(model_file, tmp_path, arguments, message, code):
    run = CliRunner().invoke(app, ["optimise", str(model_file), *arguments, "--out", str(tmp_path / "out")])
    assert run.exit_code == code and message in run.output
