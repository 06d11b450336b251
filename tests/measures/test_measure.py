"""Registries of measures: every measure is in one of them, and every consumer takes its measures from them."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.codegen.c_library import find_compiler
from gaitwright.design.question import DesignQuestion
from gaitwright.foot.measures import FOOT_MEASURES
from gaitwright.legs.designs import default_measures
from gaitwright.legs.leg_turns import describe_known_numbers
from gaitwright.legs.turn_batch import make_leg_source
from gaitwright.legs.turn_measures import measure_leg
from gaitwright.legs.turn_numbers import GROUND_NUMBERS, LEG_MEASURES, TURN_NUMBERS
from gaitwright.legs.walk_numbers import WALK_NUMBERS, WalkMeasure
from gaitwright.measures.measure import MEASURE_MODULES, Measure, MeasureRegistry, measure_registries
from gaitwright.mechanisms import jansen_leg, walking_machine
from gaitwright.report.views.pages.foot_page import measure_table
from gaitwright.report.views.pages.leg_page import leg_report
from gaitwright.studio.live_preview import HEADLINE_MEASURES
from gaitwright.wear.device_measures import JOINT_MEASURES, PART_REGISTRIES, measure_unit
from gaitwright_apps.measures_page import measures_page

PACKAGE = Path(gw.__file__).parent
PROBE = "probe_of_a_test"
NAME_PATTERN = re.compile(r"[a-z][a-z0-9_]*")
MAX_SELECTED_NAMES = 3
"""Number of names of one registry that a list outside of it may have."""


def all_measures() -> Iterator[tuple[MeasureRegistry, Measure]]:
    for registry in measure_registries().values():
        for measure in registry.values():
            yield registry, measure


ALL_MODULES = """
import gc, importlib, pkgutil
import gaitwright
from gaitwright.measures.measure import Measure, MeasureRegistry, measure_registries
for module in pkgutil.walk_packages(gaitwright.__path__, "gaitwright."):
    if "kernels" not in module.name and not module.name.endswith("__main__"):
        importlib.import_module(module.name)
registries = measure_registries()
registered = {id(measure) for registry in registries.values() for measure in registry.values()}
assert len(registries) == 15 and len(registered) > 200
living = gc.get_objects()
print([one for one in living if isinstance(one, Measure) and id(one) not in registered])
print([one for one in living if isinstance(one, MeasureRegistry) and registries.get(one.kind) is not one])
"""


@pytest.mark.slow
def test_every_measure_is_in_a_registry() -> None:
    """After the import of all modules, no measure is outside of the registries, and no registry outside of MEASURE_MODULES."""
    run = subprocess.run([sys.executable, "-c", ALL_MODULES], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    outside_of_registries, outside_of_modules = run.stdout.splitlines()[-2:]
    assert outside_of_registries == "[]" and outside_of_modules == "[]"


def test_every_measure_has_a_name_a_unit_a_description_and_a_function() -> None:
    units = {
        "1", "m", "s", "N", "N m", "J", "m/s", "m/s2", "m/s^2", "rad", "rad/s", "V", "A", "kg", "Pa", "m^2", "deg", "%",
        "1/min", "N m/rad",
    }  # fmt: skip
    for registry, measure in all_measures():
        assert NAME_PATTERN.fullmatch(measure.name) and registry[measure.name] is measure
        assert measure.unit in units and measure.description and measure.scalar, measure
        assert measure.better in (-1, 0, 1)


def test_default_columns_are_ordered() -> None:
    assert LEG_MEASURES.default_columns == ["energy", "step_length", "step_height"]
    assert WALK_NUMBERS.default_columns == ["speed", "cost_of_transport", "slip"]


def test_no_list_outside_of_the_registries_repeats_their_names() -> None:
    """A list, tuple, set or dict of the source with several names of one registry is a second list of measures."""
    inputs = {PACKAGE / "cli" / "commands" / "feet.py", PACKAGE / "foot" / "parametric_shape.py"}  # foot sizes
    names = {
        registry.kind: set(registry) for registry in measure_registries().values() if len(registry) > MAX_SELECTED_NAMES
    }
    homes = {PACKAGE.parent / f"{module.replace('.', '/')}.py" for module in MEASURE_MODULES}
    repeated = []
    for path in sorted(PACKAGE.rglob("*.py")):
        if path in homes | inputs or "kernels" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            elements = getattr(node, "elts", None) or getattr(node, "keys", None) or []
            texts = {one.value for one in elements if isinstance(one, ast.Constant) and isinstance(one.value, str)}
            for kind, own in names.items():
                if len(texts & own) > MAX_SELECTED_NAMES and len(texts & own) == len(elements):
                    repeated.append(f"{path.relative_to(PACKAGE)}:{node.lineno} {kind}: {sorted(texts)}")
    assert repeated == []


def test_a_name_is_registered_once() -> None:
    registry = MeasureRegistry("test", [Measure("a", "m", "first", float)])
    with pytest.raises(ModelError, match="'a' is the name of two measures"):
        registry.add(Measure("a", "m", "second", float))
    assert registry.compute(3, ["a"]) == {"a": 3.0} and registry.units == {"a": "m"}
    registry.remove("a")
    assert not registry and "a" not in registry


def test_the_page_of_measures_is_up_to_date() -> None:
    page = Path(__file__).parents[2] / "docs" / "measures.md"
    assert page.read_text() == measures_page(), "make measures"


@pytest.fixture
def leg_probe() -> Iterator[Measure]:
    def function(turn):
        return turn.torque.greatest / turn.step_length

    measure = Measure(
        PROBE, "N", "a probe", function, array=function, better=-1, key=True, preview="probe", default_column=4
    )
    TURN_NUMBERS.add(measure)
    yield measure
    TURN_NUMBERS.remove(PROBE)


@pytest.mark.usefixtures("leg_probe")
def test_a_new_leg_measure_is_in_every_table() -> None:
    leg = jansen_leg()
    assert describe_known_numbers(leg)[PROBE] == make_leg_source(leg).gives[PROBE] == ("N", "a probe")
    assert PROBE in make_leg_source(leg).derivable and PROBE in default_measures(leg)
    assert measure_leg.units[PROBE] == "N" and LEG_MEASURES.default_columns[-1] == PROBE
    assert HEADLINE_MEASURES[PROBE].preview == "probe"
    assert f"| `{PROBE}` | N | a probe | smaller | yes |" in measures_page()
    analysis = gw.analyse_leg(leg, samples=60, restitutions=(), directions=("as driven",))
    value = analysis.numbers["air_torque_turn_greatest"].value / analysis.numbers["step_length"].value
    assert analysis.numbers[PROBE].value == pytest.approx(value, rel=1e-12)
    tables = {block.title: block for block in leg_report(analysis, {"air": 0.0}).blocks if getattr(block, "rows", None)}
    assert PROBE.replace("_", " ") in [row[0] for row in tables["Key numbers"].rows]  # type: ignore[attr-defined]
    assert PROBE in [row[0] for row in tables["All numbers"].rows]  # type: ignore[attr-defined]


@pytest.mark.usefixtures("leg_probe")
@pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
def test_a_new_leg_measure_is_available_to_every_design_method() -> None:
    leg, values = jansen_leg(), {"L6": np.array([0.39, 0.40, 0.41])}
    swept = gw.sweep(leg, values, measures=[PROBE], workers=1)
    printed = gw.designs(leg, values, measures=[PROBE], analysis=gw.one_turn(model=leg), gradient=[PROBE], workers=1)
    np.testing.assert_allclose(swept[PROBE], printed[PROBE], rtol=1e-7)
    assert swept[PROBE].attrs["units"] == "N"
    assert np.isfinite(printed[f"{PROBE}.gradient"].values).all()
    traded = gw.trade_off(leg, {"L6": (0.39, 0.41)}, measures=[PROBE], analysis=gw.LegTurns(ground=False))
    assert np.isfinite(traded[PROBE].values).all()
    options = {"analysis": gw.LegTurns(ground=False), "budget": 12}
    searched = gw.optimise(leg, {"L6": (0.39, 0.41)}, minimise=[PROBE], limits={PROBE: (0.0, None)}, **options)
    assert np.isfinite(searched.numbers[PROBE]) and searched.question.units[PROBE] == "N"
    studied = gw.study(leg, {"L6": (0.39, 0.41)}, minimise=[PROBE], samples=4, analysis=gw.LegTurns(ground=False))
    assert studied[PROBE].attrs["units"] == "N"


def test_a_new_measure_of_a_walk_is_in_every_table() -> None:
    WALK_NUMBERS.add(WalkMeasure(PROBE, "m", "a probe", lambda walk: 2.0 * walk.distance))
    try:
        machine = walking_machine(jansen_leg())
        assert gw.MachineWalks().known_numbers(machine)[PROBE] == ("m", "a probe")
        question = DesignQuestion("sweep", machine, {"body_mass": [4.0]}, measures=[PROBE])
        assert question.units == {PROBE: "m"} and question.analysis == gw.MachineWalks()
        assert f"| `{PROBE}` | m | a probe |" in measures_page()
    finally:
        WALK_NUMBERS.remove(PROBE)


def test_a_new_measure_of_a_foot_is_in_every_table() -> None:
    FOOT_MEASURES.add(Measure(PROBE, "m", "a probe", lambda foot: foot.ball_width - foot.heel_width))
    try:
        measures = gw.foot.from_measures(size=0.01).measures
        value = measures.ball_width - measures.heel_width
        assert measures.to_dict()[PROBE] == pytest.approx(value)
        assert measure_table(measures).rows[-1][::3] == (PROBE.replace("_", " "), "a probe")
        assert f"| `{PROBE}` | m | a probe |" in measures_page()
    finally:
        FOOT_MEASURES.remove(PROBE)


def test_measures_of_devices_have_units() -> None:
    JOINT_MEASURES.add(Measure(PROBE, "N m", "a probe", lambda joint: joint.peak_with - joint.peak_without))
    try:
        assert measure_unit(f"right_knee.{PROBE}") == "N m"
        assert f"`right_ankle.{PROBE}`" in measures_page()
    finally:
        JOINT_MEASURES.remove(PROBE)
    assert all(measure_unit(f"part.{name}") for registry in PART_REGISTRIES for name in registry)
    assert measure_unit("part.unknown") == "1"


def test_ground_measures_have_the_prefix_of_the_page() -> None:
    known = describe_known_numbers(jansen_leg())
    assert {f"{GROUND_NUMBERS.prefix}{name}" for name in GROUND_NUMBERS} <= set(known)
