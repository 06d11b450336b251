"""Choice of a parameter: closed forms, several roots, turning points, jumps, failures, limits, unreachable targets, wrong
input."""

import collections
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
import yaml
from typer.testing import CliRunner

import gaitwright as gw
from gaitwright.cli.main import app
from gaitwright.design.root_search import RootSearch

# A result that is a function of the parameter x, so that the search can be tested without mechanics ------------------


class Curve:
    """Substitute for a Result: outputs are functions of x."""

    def __init__(self, outputs, x):
        self.outputs, self.x = outputs, x
        self.catalogue = collections.defaultdict(lambda: collections.namedtuple("Output", "unit")("N m"))

    def array(self, name):
        if name not in self.outputs:
            raise gw.ModelError(f"there is no output '{name}'")
        return np.atleast_1d(np.asarray(self.outputs[name](self.x), dtype=float))


def bob() -> gw.Model:
    model = gw.Model("bob", parameters={"x": 1.0, "y": 2.0})
    return model.body("ball", mass=1, inertia=1)


def pick(function, target, bounds, limits=None, others=None, seen=None, measure="f", **options):
    """Choose x so that function(x) = target."""

    def analysis(model):
        x = model.document.parameters["x"]
        if seen is not None:
            seen.append(x)
        return Curve({"f": function, **(others or {})}, x)

    return gw.choose(bob(), {"x": bounds}, target={measure: target}, analysis=analysis, limits=limits, **options)


def test_a_root_is_found_to_the_tolerance_and_nothing_is_computed_twice():
    seen = []
    chosen = pick(lambda x: x**3, 5.0, (0.1, 10), seen=seen)
    assert chosen.value == pytest.approx(5 ** (1 / 3), rel=1e-8)
    assert chosen.achieved == pytest.approx(5, rel=1e-8) and chosen.model.document.parameters["x"] == chosen.value
    assert chosen.run.x == chosen.value and chosen.others == []
    assert len(seen) == len(set(seen)) == len(chosen.table) <= 9 + 10
    assert list(chosen.table["x"]) == sorted(seen)
    assert list(chosen.table.columns) == ["x", "f", "failure"]


@pytest.mark.parametrize("bounds", [(-3.0, 5.0), (0.0, 9.0), (1.5, 2.5), (2.0, 9.0), (-9.0, 2.0)])
def test_bounds_of_all_kinds_and_a_root_on_a_bound(bounds):
    assert pick(lambda x: x**3 - 8, 0.0, bounds).value == pytest.approx(2.0, rel=1e-8)


def test_the_lowest_root_is_chosen_and_the_others_are_reported():
    chosen = pick(lambda x: math.sin(x), 0.5, (0.0, 10.0), samples=21)
    assert chosen.value == pytest.approx(math.pi / 6, rel=1e-8)
    assert chosen.others == pytest.approx([5 * math.pi / 6, 13 * math.pi / 6, 17 * math.pi / 6], rel=1e-8)
    assert "the same is reached at x = 2.61799, 6.80678, 8.90118" in repr(chosen)
    assert pick(lambda x: math.sin(x), 0.5, (2.0, 3.0)).value == pytest.approx(5 * math.pi / 6, rel=1e-8)


def test_a_pair_of_roots_between_two_samples_is_found_at_the_turning_point():
    chosen = pick(lambda x: (x - 4.33) ** 2, 0.04, (0.0, 10.0), samples=9)
    assert [chosen.value, *chosen.others] == pytest.approx([4.13, 4.53], rel=1e-7)


def test_out_of_reach_reports_the_range_and_its_ends():
    with pytest.raises(gw.OutOfReach) as caught:
        pick(lambda x: 2 * x, 100.0, (1.0, 5.0))
    said = str(caught.value)
    assert said.startswith("no x from 1 to 5 gives f = 100 N m: it reaches from 2 N m at x = 1 to 10 N m at x = 5; ")
    assert "\n" not in said and said.count(". ") == 0
    assert caught.value.lowest.value == 1.0 and caught.value.highest.achieved == 10.0
    assert isinstance(caught.value, gw.AnalysisError) and len(caught.value.table) == 9


def test_the_range_includes_a_turning_point_between_samples():
    with pytest.raises(gw.OutOfReach) as caught:
        pick(lambda x: -((x - 3.21) ** 2), 0.5, (0.0, 10.0), samples=6)
    assert caught.value.highest.value == pytest.approx(3.21, abs=0.01)
    assert caught.value.highest.achieved == pytest.approx(0.0, abs=1e-4)


def test_an_output_that_does_not_depend_on_the_parameter():
    """The scan is enough to detect it: no further analyses, which would take hours for walks."""
    seen = []
    with pytest.raises(
        gw.OutOfReach, match="does not depend on x and is 3 N m at every value; change another parameter"
    ):
        pick(lambda x: 3.0 + 1e-15 * math.sin(1e3 * x), 4.0, (0.0, 1.0), seen=seen)
    assert len(seen) == 9
    with pytest.raises(gw.OutOfReach, match=r"gives f = 3\.000001 N m: it does not depend on x and is 3 N m"):
        pick(lambda x: 3.0, 3.000001, (0.0, 1.0))


def test_a_constant_output_at_its_target_is_reported():
    chosen = pick(lambda x: 3.0, 3.0 + 1e-9, (0.0, 1.0))
    assert chosen.value == 0.0 and chosen.others == [] and len(chosen.table) == 9
    assert "f does not depend on x: it is the same at every value" in repr(chosen)


def test_a_jump_is_not_a_root():
    with pytest.raises(
        gw.OutOfReach, match=r"passes over this value from 1 N m at x = 3\.\d+ to 9 N m .* where it jumps"
    ):
        pick(lambda x: 1.0 if x < 3.3 else 9.0, 5.0, (0.0, 10.0))
    with pytest.raises(gw.OutOfReach, match="where it jumps"):
        pick(lambda x: 1 / (x - 3.3), 0.0, (0.0, 10.0))
    chosen = pick(lambda x: x if x < 3.3 else x - 3, 1.0, (0.0, 10.0))
    assert [chosen.value, *chosen.others] == pytest.approx([1.0, 4.0])
    both = pick(lambda x: x if x < 3.3 else x - 3, 2.0, (0.0, 10.0))
    assert [both.value, *both.others] == pytest.approx([2.0, 5.0])
    assert re.search(r"between x = 3\.\d+ and 3\.\d+ f passes over 2: it jumps there", repr(both))


def analysis_failing(where):
    """Analysis that fails at some values, like a mechanism that cannot be closed there."""

    def analysis(model):
        x = model.document.parameters["x"]
        if where(x):
            raise gw.DidNotConverge("no equilibrium was found", time=0.0)
        return Curve({"f": lambda x: x**2}, x)

    return analysis


def test_failed_values_are_skipped_with_a_note():
    chosen = gw.choose(bob(), {"x": (0, 10)}, target={"f": 20.0}, analysis=analysis_failing(lambda x: x > 7))
    assert chosen.value == pytest.approx(20**0.5, rel=1e-8)
    failed = chosen.table[chosen.table["failure"] != ""]
    assert len(failed) == 3 and failed["f"].isna().all()
    assert "3 of them failed; x = 7.5: at t = 0 s: no equilibrium was found" in repr(chosen)


def test_the_search_avoids_a_failure_between_samples():
    bad = analysis_failing(lambda x: 4.05 < x < 4.45)
    chosen = gw.choose(bob(), {"x": (0, 10)}, target={"f": 20.0}, analysis=bad, samples=3)
    assert chosen.value == pytest.approx(20**0.5, rel=1e-8)


def test_a_root_among_failures_is_reported():
    bad = analysis_failing(lambda x: 4.0 < x < 5.0)
    with pytest.raises(
        gw.OutOfReach, match=r"from 1[0-6].* to 2[5-9].*, where the analyses between fail .* because at t = 0 s"
    ):
        gw.choose(bob(), {"x": (0, 10)}, target={"f": 20.0}, analysis=bad)


def test_an_error_is_raised_if_no_value_can_be_analysed():
    with pytest.raises(
        gw.DidNotConverge, match=r"none of the 9 values of x from 0 to 1 could be analysed; x = 0: .*found"
    ):
        gw.choose(bob(), {"x": (0, 1)}, target={"f": 1.0}, analysis=analysis_failing(lambda x: True))


def test_an_exception_or_invalid_number_is_a_failed_value():
    def risky(run):
        return math.sqrt(run.x - 2.0) if run.x < 8 else math.inf

    chosen = gw.choose(
        bob(),
        {"x": (0, 10)},
        target={"risky": 1.0},
        measures={"risky": risky},
        analysis=lambda m: Curve({}, m.document.parameters["x"]),
    )
    assert chosen.value == pytest.approx(3.0, rel=1e-8) and chosen.output == "risky"
    notes = list(chosen.table["failure"])
    assert notes[0].startswith("ValueError: ") and notes[-1] == "risky is not a finite number"


def test_limits_pick_among_several_roots():
    """x and 6 - x give the same output, but only the larger one keeps the limit."""
    chosen = pick(lambda x: (x - 3) ** 2, 4.0, (0.0, 6.0), {"g": 2.5}, {"g": lambda x: [0.0, x - 6.0]})
    assert chosen.value == pytest.approx(5.0) and chosen.others == pytest.approx([1.0]) and chosen.within_limits
    assert chosen.limits == {"g": pytest.approx(1.0)} and chosen.closest is None
    assert "g = 1 N m within its limit 2.5" in repr(chosen)


def test_a_limit_that_is_exceeded_is_reported_with_the_closest_that_keeps_it():
    chosen = pick(lambda x: x**2, 20.0, (0.1, 10.0), {"g": 3.0}, {"g": lambda x: -x})
    assert chosen.value == pytest.approx(20**0.5) and not chosen.within_limits
    assert 3.0 * (1 - 1e-4) <= chosen.closest.value <= 3.0 and chosen.closest.achieved == chosen.closest.value**2
    assert "g = 4.47214 N m EXCEEDS its limit 3" in repr(chosen)
    assert re.search(r"within the limits the closest is (9|8.99\d*) N m at x = (3|2.99\d*)", repr(chosen))
    nowhere = pick(lambda x: x**2, 20.0, (0.1, 10.0), {"g": 3.0}, {"g": lambda x: x + 50})
    assert nowhere.closest is None and "no value within the bounds keeps the limits" in repr(nowhere)


@pytest.mark.parametrize(
    ("measure", "factor"),
    [("f", 1.5), ("f.final", 1.5), ("f.max", 4.0), ("f.min", -5.0), ("f.max_abs", 5.0), ("f.range", 9.0)],
)
def test_reductions_of_an_output_over_time(measure, factor):
    over = [1.0, -1.0, 4.0, math.nan, -5.0, 1.0, 1.5]  # like an output of a contact, NaN in the air
    chosen = pick(lambda x: [x * part for part in over], 3.0 * factor, (0.1, 9.0), measure=measure)
    assert chosen.value == pytest.approx(3.0, rel=1e-7)


def test_the_figure_is_written(tmp_path):
    chosen = pick(lambda x: x**2, 20.0, (0.1, 10.0), {"g": 3.0}, {"g": lambda x: x})
    figure = chosen.plot(tmp_path / "new" / "choice.png", label="x (m)")
    assert (tmp_path / "new" / "choice.png").stat().st_size > 10_000
    assert len(figure.axes) == 2 and figure.axes[1].get_xlabel() == "x (m)"
    with pytest.raises(gw.OutOfReach) as caught:
        pick(lambda x: x**2, 2000.0, (0.1, 10.0))
    assert len(caught.value.plot().axes) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"parameters": {"z": (0, 1)}}, "'z' is not a parameter of this model; expected some of: x, y"),
        (
            {"parameters": {"x": (0, 1), "y": (0, 1)}},
            "'parameters': has several parameters (got ['x', 'y']); expected one;",
        ),
        ({"target": {"ball.z": 1.0}}, "there is no output 'ball.z'; did you mean ball."),
        ({"limits": {"ball.w": 1}}, "there is no output 'ball.w'"),
        ({"limits": {"ball.x": -1}}, "field 'limits['ball.x']': is not a limit (got -1); expected a positive number"),
        ({"limits": {"ball.x": math.nan}}, "is not a limit (got nan)"),
        (
            {"parameters": {"x": (2, 1)}},
            "is not a range (got (2, 1)); expected two finite numbers, the lower one first",
        ),
        ({"parameters": {"x": (1, 1)}}, "the lower one first"),
        ({"parameters": {"x": (0, math.inf)}}, "two finite numbers"),
        ({"parameters": {"x": 3}}, "two finite numbers"),
        ({"parameters": {"x": (0, 1, 2)}}, "two finite numbers"),
        ({"target": {"ball.x": math.nan}}, "field 'target': is not a finite number (got nan)"),
        ({"target": {"ball.x": "much"}}, "field 'target': is not a finite number (got 'much')"),
        ({"target": 3.0}, "field 'target': is not one number with its value (got 3.0)"),
        ({"target": {"ball.x.peak": 1.0}}, "'ball.x.peak' does not name the reduction of an output"),
        ({"samples": 1}, "field 'samples': is no number of samples (got 1)"),
        ({"samples": math.inf}, "field 'samples': is no number of samples (got inf)"),
        ({"tolerance": 0}, "field 'tolerance'"),
        ({"analysis": "dynamic"}, "analysis"),
        ({"analysis": {"type": "forward", "untill": 2}}, "untill"),
    ],
)
def test_wrong_input_is_reported_in_one_sentence(change, message):
    asked = {"parameters": {"x": (0, 1)}, "target": {"ball.x": 1.0}, "analysis": "forward", **change}
    with pytest.raises(gw.ModelError) as caught:
        gw.choose(bob(), asked.pop("parameters"), **asked)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_an_unknown_output_is_reported_before_the_search():
    with pytest.raises(gw.ModelError, match="there is no output 'h'"):
        gw.choose(bob(), {"x": (0, 1)}, target={"h": 1}, analysis=lambda m: Curve({}, 1.0))
    with pytest.raises(gw.ModelError, match="there is no output 'frequency_9'"):
        gw.choose(pendulum(), {"L": (0.1, 1)}, target={"frequency_9": 1}, analysis="modes")


def test_roots_close_to_a_failure_take_few_evaluations():
    roots = RootSearch(lambda x: math.nan if 0.4 < x < 0.6 else x - 0.7, 0.0, 1e-9, (0.0, 0.0))
    roots.search([0.0, 1.0])
    assert roots.found == pytest.approx([0.7]) and len(roots.known) < 25


# Mechanics ----------------------------------------------------------------------------------------------------------


def pendulum() -> gw.Model:
    model = gw.Model("pendulum", parameters={"L": 1.0})
    return model.ground_point("O", 0, 0).point("P", 0, "-L").link("rod", "O", "P", length="L", mass=1.0)


def test_the_length_of_a_pendulum_for_a_frequency():
    chosen = gw.choose(pendulum(), {"L": (0.1, 2)}, target={"frequency_1": 1.0}, analysis="modes")
    assert chosen.value == pytest.approx(1.5 * 9.81 / (2 * math.pi) ** 2, rel=1e-8)
    assert "frequency_1 = 1 Hz, as asked" in repr(chosen)


def test_a_stiffness_for_a_motion():
    """A mass on a spring, released 0.1 m from rest: its speed reaches 0.1 sqrt(k / m)."""
    model = gw.Model("oscillator", gravity=(0, 0), parameters={"k": 100.0})
    model.ground_point("O", 0, 0).body("mass", mass=2.0, inertia=1.0, at=(0.6, 0))
    model.joint.prismatic("ground.O", "mass", axis=(1, 0)).force.spring_damper(
        "ground.O", "mass", stiffness="k", rest_length=0.5
    )
    motion = {"until": 2.0, "tolerance": 1e-10}
    chosen = gw.choose(model, {"k": (10, 1000)}, target={"mass.vx.max_abs": 0.7}, analysis=motion, tolerance=1e-6)
    assert chosen.value == pytest.approx(2.0 * 7.0**2, rel=1e-4)
    assert chosen.run.evidence.analysis == "forward" and chosen.run.time[-1] == 2.0


LENGTH = 0.5
BEND = {"type": "static", "until": 1, "steps": 4}
"""From straight to bent."""


def cantilever(**parameters) -> gw.Model:
    """Beam along y, clamped at its base."""
    model = gw.Model("cantilever", gravity=(0, 0), parameters={"EI": 1.4, "E": 79e9, "thickness": 0.0017, **parameters})
    model.ground_point("hip", 0, 0).point("neck", 0, LENGTH)
    section = {"youngs_modulus": "E", "density": 1600, "width": 0.04, "height": "thickness"}
    if "section" not in parameters:
        section = {"axial_stiffness": 5e6, "bending_stiffness": "EI", "mass_per_length": 0.1}
    model.document.parameters.pop("section", None)
    model.beam("blade", "hip", "neck", elements=8, **section)
    return model.joint.fixed("ground.hip", "blade.start", name="clamp")


@pytest.mark.slow
def test_the_stiffness_for_an_end_moment_at_an_angle():
    """Pure bending is a circle: M = EI phi / L."""
    phi = math.radians(60)
    model = cantilever().drive("rotation", "bend", body="blade.end", angle=f"pi/2 - {phi}*t")
    chosen = gw.choose(model, {"EI": (0.5, 50)}, target={"clamp.moment": 20.0}, analysis=BEND)
    assert chosen.value == pytest.approx(20.0 * LENGTH / phi, rel=1e-5)  # the mesh gives the moment to 1.2e-6


@pytest.mark.slow
def test_the_thickness_for_an_end_moment_at_an_angle():
    """The same for a blade 40 mm wide: h^3 = 12 M L / (phi E b)."""
    phi = math.radians(30)
    model = cantilever(section=1).drive("rotation", "bend", body="blade.end", angle=f"pi/2 - {phi}*t")
    limits = {"blade.max_strain": 0.001}
    asked = {"target": {"clamp.moment": 3.0}, "limits": limits, "analysis": BEND}
    chosen = gw.choose(model, {"thickness": (0.001, 0.005)}, **asked)
    exact = (12 * 3.0 * LENGTH / (phi * 79e9 * 0.04)) ** (1 / 3)
    assert chosen.value == pytest.approx(exact, rel=1e-5)
    assert chosen.limits["blade.max_strain"] == pytest.approx(phi / LENGTH * exact / 2, rel=1e-3)
    thickest = 0.001 * 2 * LENGTH / phi
    assert not chosen.within_limits and chosen.closest.value == pytest.approx(thickest, rel=1e-3)
    assert chosen.closest.achieved == pytest.approx(3.0 * (thickest / exact) ** 3, rel=3e-3)


@pytest.mark.slow
def test_the_stiffness_for_a_small_tip_deflection():
    """delta = P L^3 / (3 EI) for small ones: here 0.1 % of the length."""
    load, delta = 1.0, 0.0005
    model = cantilever().force.at_point("blade.end", (load, 0), name="pull")
    chosen = gw.choose(model, {"EI": (1, 1000)}, target={"blade.end.x": delta})
    assert chosen.value == pytest.approx(load * LENGTH**3 / (3 * delta), rel=1e-4)


@pytest.mark.slow
def test_an_unreachable_target_of_a_blade():
    model = cantilever().drive("rotation", "bend", body="blade.end", angle="pi/2 - t")
    with pytest.raises(
        gw.OutOfReach, match=r"no EI from 0.5 to 5 gives clamp.moment = 20 N m: it reaches from 1 N m at EI = 0.5"
    ):
        gw.choose(model, {"EI": (0.5, 5)}, target={"clamp.moment": 20}, samples=3, analysis=BEND)


# Trade-offs ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_trade_off_has_all_outputs_over_the_parameter(tmp_path):
    phi = 1.0
    model = cantilever().drive("rotation", "bend", body="blade.end", angle="pi/2 - t")
    asked = {"measures": ["clamp.moment", "blade.strain_energy"], "limits": {"bend.torque": 30.0}}
    curve = gw.trade_off(model, {"EI": (1, 40)}, **asked, analysis=BEND, chosen=7.0, samples=5, workers=1)
    x = curve.data["EI"].values
    assert x.size == 6 and 7.0 in x and x[0] == 1 and x[-1] == 40
    assert curve.data["clamp.moment"].values == pytest.approx(x * phi / LENGTH, rel=1e-5)
    assert curve.data["blade.strain_energy"].values == pytest.approx(x * phi**2 / (2 * LENGTH), rel=1e-5)
    assert curve.data["bend.torque"].values == pytest.approx(x * phi / LENGTH, rel=1e-5)  # its size
    assert curve.data["clamp.moment"].attrs["units"] == "N m"
    figure = curve.plot(tmp_path / "trade-off.png", label="EI (N m^2)")
    assert len(figure.axes) == 3 and (tmp_path / "trade-off.png").stat().st_size > 10_000
    assert "over EI: 6 values from 1 to 40" in repr(curve)


def test_a_trade_off_of_a_function_keeps_failures(tmp_path):
    def analysis(model):
        x = model.document.parameters["x"]
        if x > 7:
            raise gw.DidNotConverge("no equilibrium was found")
        return Curve({"f": lambda x: 2 * x, "g": lambda x: -x}, x)

    chosen = gw.choose(bob(), {"x": (0, 10)}, target={"f": 5}, analysis=analysis)
    labels = {"twice": "f", "thrice": lambda run: 3 * run.x}
    curve = gw.trade_off(bob(), {"x": (0, 10)}, measures=labels, analysis=analysis, limits={"g": 4}, chosen=chosen)
    good = curve.data["x"].values <= 7
    assert (curve.data["failure"].values[~good] == "no equilibrium was found").all()
    assert curve.data["thrice"].values[good] == pytest.approx(3 * curve.data["x"].values[good])
    assert np.isnan(curve.data["twice"].values[~good]).all() and "failed" in repr(curve)
    curve.plot(tmp_path / "trade-off.png")
    assert (tmp_path / "trade-off.png").stat().st_size > 10_000


def test_a_trade_off_summary_has_the_limits_as_given():
    limits = {"f": (None, 16), "g": 4}
    curve = gw.trade_off(
        bob(), {"x": (0, 10)}, measures=["f"], samples=3, limits=limits,
        analysis=lambda model: Curve({"f": lambda x: 2 * x, "g": lambda x: -x}, model.document.parameters["x"]),
    )  # fmt: skip
    summary = json.loads(json.dumps(curve.summary(), allow_nan=False))
    assert summary["limits"] == {"f": [None, 16.0], "g": 4.0}


def test_a_trade_off_reports_the_same_errors_as_choose():
    with pytest.raises(gw.ModelError, match=r"there is no output 'blade.max_strian'; did you mean"):
        gw.trade_off(cantilever(section=1), {"EI": (1, 40)}, measures=["blade.max_strian"])
    with pytest.raises(gw.ModelError, match="the lower one first"):
        gw.trade_off(cantilever(), {"EI": (40, 1)}, measures=["clamp.moment"])


# The command line ---------------------------------------------------------------------------------------------------


@pytest.fixture
def model_file(tmp_path) -> Path:
    model = gw.Model("sprung bar", gravity=(0, 0), parameters={"k": 2.0})
    model.ground_point("O", 0, 0).point("P", 1, 0).link("bar", "O", "P", length=1, mass=1)
    model.force.torsion_spring("ground", "bar", stiffness="k", name="spring").force.torque("bar", 1.0, name="load")
    raw = {**model.to_dict(), "analysis": {"type": "static"}}
    path = tmp_path / "model.yaml"
    path.write_text(yaml.safe_dump(raw))
    return path


def call(*arguments, code=0):
    done = CliRunner().invoke(app, ["choose", *map(str, arguments)])
    assert done.exit_code == code, f"{done.exit_code}: {done.stdout} {done.stderr} {done.exception!r}"
    return done


ASKED = ("--target", "bar.angle=0.2", "--parameter")


@pytest.mark.slow
def test_the_command_writes_the_model_the_result_and_the_answer(model_file, tmp_path):
    out = tmp_path / "out"
    done = call(model_file, *ASKED, "k=0.5:50", "--limit", "spring.energy=1", "--plot", "--out", out)
    assert "k = 5 gives bar.angle = 0.2 rad, as asked" in done.stdout
    assert "spring.energy = 0.1 J within its limit 1" in done.stdout and "<-" in done.stdout
    assert sorted(path.name for path in out.iterdir()) == ["chosen.yaml", "plot.png", "result.nc", "summary.json"]
    assert gw.load(out / "chosen.yaml").document.parameters["k"] == pytest.approx(5.0)
    assert gw.load_result(out / "result.nc").array("bar.angle")[-1] == pytest.approx(0.2)


def test_the_command_answers_in_json(model_file, tmp_path):
    done = call(model_file, *ASKED, "k=0.5:50", "--limit", "spring.energy=0.05", "--json", "--out", tmp_path)
    said = json.loads(done.stdout)
    assert said["value"] == pytest.approx(5.0) and said["achieved"] == pytest.approx(0.2) and said["unit"] == "rad"
    assert not said["within_limits"] and said["limits"]["spring.energy"]["kept"] is False
    assert said["closest"]["value"] == pytest.approx(10.0, rel=1e-3)  # 1 / (2 k) = 0.05
    assert len(said["evaluations"]) >= 9 and said["files"]["model"].endswith("chosen.yaml")


def test_the_command_reports_the_reachable_range(model_file, tmp_path):
    done = call(model_file, *ASKED, "k=10:50", "--json", "--plot", "--out", tmp_path, code=1)
    said = json.loads(done.stdout)
    assert said["kind"] == "OutOfReach" and len(said["evaluations"]) == 9
    assert said["error"].startswith(
        "no k from 10 to 50 gives bar.angle = 0.2 rad: it reaches from 0.02 rad at k = 50 to 0.1"
    )
    assert (tmp_path / "plot.png").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("k=50:0.5",), "the lower one first"),
        (("k=0.5:50", "--limit", "spring.energy"), "--limit takes NAME=LOW:HIGH or NAME=VALUE (got 'spring.energy')"),
        (("k=0.5:50", "--limit", "spring.enrgy=1"), "did you mean spring.energy"),
        (("k=0.5:50", "--target", "bar.angle.peak=1"), "does not name the reduction of an output"),
        (("k=0.5:50", "--target", "bar.angle"), "--target takes NAME=VALUE (got 'bar.angle')"),
        (("k=0.5:50", "--target", "bar.angle=nan"), "--target takes NAME=VALUE"),
        (("K=0.5:50",), "'K' is not a parameter of this model; expected some of: k"),
        (("k=0.5:50", "--target", "bar.angel=0.2"), "did you mean bar.angle"),
    ],
)
def test_the_command_answers_wrong_input_with_one_sentence(model_file, tmp_path, arguments, message):
    done = call(model_file, *ASKED, *arguments, "--out", tmp_path / "none", code=2)
    lines = done.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("error: ") and message in lines[0]
    assert not (tmp_path / "none").exists()
