"""Device evaluation: measures by name, a stiffness by closed form, and the effect of a device on the lower back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.wear.people import SIZES, SUBJECT, ankle_spring

import gaitwright as gw
from gaitwright._core.errors import GaitwrightError, ModelError
from gaitwright.design.evaluation import output_over_time
from gaitwright.gait.schematic_gait import SchematicWalk
from gaitwright.wear.comfort.device_comfort import pressures_of
from gaitwright.wear.device_evaluation import most_assisted_joint


@pytest.fixture(scope="module")
def walk() -> SchematicWalk:
    return gw.gait.schematic_walk(SUBJECT, 1.4)


@pytest.fixture(scope="module")
def knee_spring() -> gw.Model:
    """Massless and aligned: its moment about the knee is exactly stiffness times (angle - rest)."""
    model = gw.Model("knee spring", dimension=3, parameters={**SIZES, "stiffness": 40.0, "rest": 0.2})
    for name, up in (("upper", 0.2), ("lower", -0.2)):
        model.body(
            name, mass=1e-9, inertia=[1e-11] * 3, at=[0.0, "-hip_width/2", "knee_height"], centre=[0.0, 0.0, up],
            points={"cuff": [0.0, 0.0, up]},
        )  # fmt: skip
    model.force(
        "torsion-spring", "spring", a="upper", b="lower", axis=[0, 1, 0], stiffness="stiffness", rest_angle="rest"
    )
    model.cuff("thigh", "upper.cuff", "thigh").cuff("shank", "lower.cuff", "shank")
    return model.worn("right")


@pytest.mark.slow
def test_a_stiffness_by_closed_form(walk: SchematicWalk, knee_spring: gw.Model) -> None:
    """The largest spring moment is 12 N m for k = 12 / max |angle - rest|; its energy is k/2 times the square."""
    chosen = gw.choose(
        knee_spring, {"stiffness": (10.0, 90.0)}, analysis=gw.wear.device_analysis(walk), target={"peak": 12.0}, samples=3,
        measures={"peak": lambda tried: float(np.abs(gw.wear.moment_angle(tried.worn, "right_knee")[1]).max())},
    )  # fmt: skip
    angle = gw.gait.joint_angles(walk.motion)["right_knee_flexion"].to_numpy()
    assert chosen.value == pytest.approx(12.0 / np.abs(angle - 0.2).max(), rel=1e-6)
    found, moment = gw.wear.moment_angle(chosen.run.worn, "right_knee")
    assert moment == pytest.approx(chosen.value * (found - 0.2), abs=1e-6)
    assert most_assisted_joint(chosen.run.worn) == "right_knee"


def test_measures_have_names_and_units(walk: SchematicWalk, knee_spring: gw.Model) -> None:
    tried = gw.wear.device_analysis(walk)(knee_spring)
    numbers = tried.measures()
    assert numbers["right_knee.peak_with"] == pytest.approx(tried.worn.assistance()["right_knee"].peak_with)
    units = {
        "right_knee.share": "1", "right_knee.peak_without": "N m", "right_shank.force": "N", "mass": "kg",
        "spine.shear_without": "N",
    }  # fmt: skip
    assert {name: tried.unit_of(name) for name in units} == units
    assert not [name for name in numbers if name.startswith("spine")], "nothing is on the trunk"


def test_device_on_the_trunk_reduces_compression() -> None:
    """A massless spring between pelvis and trunk, 20 N m/rad: the moment at L5/S1 falls by the spring's moment, and the
    compression by that moment over 5 cm."""
    box = gw.gait.lift(SUBJECT, "stoop", 10.0, rate=50.0)
    model = gw.Model("back spring", dimension=3, parameters={"navel_height": 1.0, "stiffness": 20.0})
    for name in ("belt", "vest"):
        model.body(name, mass=1e-9, inertia=[1e-11] * 3, at=[0.0, 0.0, "navel_height"], points={"cuff": [0, 0, 0]})
    model.force("torsion-spring", "spring", a="belt", b="vest", axis=[0, 1, 0], stiffness="stiffness")
    model.cuff("belt", "belt.cuff", "pelvis").cuff("vest", "vest.cuff", "trunk")
    tried = gw.wear.device_analysis(box)(model.worn())
    numbers = tried.measures()
    bend = gw.gait.joint_angles(box.motion)["trunk_flexion"].to_numpy()
    without, worn = (
        gw.gait.spine_load(box.motion, {"trunk": load})
        for load in (box.loads["trunk"], box.loads["trunk"] + tried.worn.loads["trunk"])
    )
    assert without.moment - worn.moment == pytest.approx(20.0 * bend, abs=1e-6)
    assert numbers["spine.compression_without"] == pytest.approx(without.compression.max())
    assert numbers["spine.compression"] == pytest.approx(worn.compression.max())
    taken = without.compression - worn.compression  # only the muscle's part: a couple has no resultant force
    held = worn.moment > 0  # held by extensors
    assert taken[held] == pytest.approx(20.0 * bend[held] / 0.05, abs=1e-3)
    assert numbers["spine.share"] == pytest.approx(1 - worn.compression.max() / without.compression.max())


@pytest.mark.slow
def test_pressure_below_cuffs(walk: SchematicWalk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below a shell on the calf: the pressure equals that of gw.wear.press, and gives the share of people that feels it."""
    worn = gw.wear.put_on(ankle_spring(), walk)
    numbers = gw.wear.device_analysis(walk)(ankle_spring()).measures()
    pressures, _ = pressures_of(worn, "foundation")
    assert numbers["right_calf.pressure"] == pytest.approx(pressures["right_calf"].peak.max())
    assert 0.0 < numbers["comfort.discomfort"] <= 1.0
    without = gw.wear.device_analysis(walk, pressure="")(ankle_spring())
    assert "right_calf.pressure" not in without.measures()
    assert without.why_not("right_calf.pressure") == "it was not asked for" and without.why_not("calf.pressure") == ""
    with pytest.raises(ModelError, match=r"pressure.*uniform"):
        gw.wear.device_analysis(walk, pressure="hertz")
    said = "right_calf: its pressure is not known: it pulls the pad off the limb"
    monkeypatch.setattr("gaitwright.wear.device_evaluation.pressures_of", lambda worn, method: ({}, [said]))
    loose = gw.wear.device_analysis(walk)(ankle_spring())
    with pytest.raises(GaitwrightError, match=r"^there is no right_calf.pressure: its pressure is not known: it pulls"):
        output_over_time(loose, "right_calf.pressure")
    with pytest.raises(GaitwrightError, match=r"^there is no comfort.pain: no threshold is known"):
        output_over_time(loose, "comfort.pain")


@pytest.mark.slow
def test_strains_of_a_blade() -> None:
    """A blade along the back, clamped to the belt and the vest; the joint between pelvis and trunk bends it into an arc of
    the same angle: the strain is t/2 times angle / length, the stress E times that."""
    box = gw.gait.lift(SUBJECT, "stoop", 0.0, rate=25.0)
    parameters: dict[str, float | int | str] = {
        "navel_height": 1.0,
        "E": 79e9,
        "thickness": 1e-3,
        "strain_limit": 0.012,
    }
    model = gw.Model("back blade", dimension=3, parameters={**parameters, "cycles": 1e3})
    for name, up in (("belt", -0.1), ("vest", 0.1)):
        model.body(name, mass=1e-3, inertia=[1e-5] * 3, at=[0, 0, f"navel_height + {up}"], points={"c": [0, 0, 0]})
        model.point(f"{name}_end", 0, 0, f"navel_height + {up}")
    model.beam(
        "blade", "belt_end", "vest_end", elements=4, normal=[1, 0, 0], youngs_modulus="E", density=10.0, width=0.02,
        height="thickness", torsional_stiffness=0.1, damping=2e-3,
    )  # fmt: skip
    model.joint.fixed("belt.c", "blade.start", name="low").joint.fixed("vest.c", "blade.end", name="high")
    model.cuff("belt", "belt.c", "pelvis")
    model.cuff("vest", "vest.c", "trunk", "bushing", stiffness=[1.0, 1.0, 1.0], torsional_stiffness=[2e3] * 3)
    numbers = gw.wear.device_analysis(box, pressure="")(model.worn()).measures()
    bend = float(gw.gait.joint_angles(box.motion)["trunk_flexion"].max())
    assert numbers["blade.max_strain"] == pytest.approx(0.5e-3 * bend / 0.2, rel=0.05)
    assert numbers["blade.max_stress"] == pytest.approx(79e9 * numbers["blade.max_strain"], rel=1e-6)
    assert numbers["blade.fatigue_margin"] == pytest.approx(0.012 * 0.7 / numbers["blade.max_strain"] - 1)


def test_margins_of_fatigue() -> None:
    """A tenth of the strength per decade: 40 % are left after a million cycles."""
    assert gw.wear.fatigue_margin(0.004, 0.012) == pytest.approx(0.012 * 0.4 / 0.004 - 1)
    assert gw.wear.fatigue_margin(0.004, 0.012, cycles=1) == pytest.approx(2.0)
    assert gw.wear.fatigue_margin(0.004, 0.012, cycles=1e12) == -1.0
    assert gw.wear.fatigue_margin(0.0, 0.012) == np.inf
    with pytest.raises(ModelError, match="strain_limit"):
        gw.wear.fatigue_margin(0.004, 0.0)
    with pytest.raises(ModelError, match="cycles"):
        gw.wear.fatigue_margin(0.004, 0.012, cycles=0.5)


def test_unknown_joint_is_refused(walk: SchematicWalk, knee_spring: gw.Model) -> None:
    with pytest.raises(ModelError, match=r"no joint.*did you mean 'right_knee'"):
        gw.wear.moment_angle(gw.wear.put_on(knee_spring, walk), "right_kne")


def test_spine_loads_are_compared_in_frames_with_a_known_device() -> None:
    """The trunk markers are lost before the lift: neither load comes from frames without data."""
    box = gw.gait.lift(SUBJECT, "stoop", 10.0, rate=50.0)
    position = box.motion.position.copy()
    position[60:, box.motion.segments.index("pelvis")] = np.nan
    model = gw.Model("belt", dimension=3, parameters={"navel_height": 1.0})
    model.body("belt", mass=1e-9, inertia=[1e-11] * 3, at=[0.0, 0.0, "navel_height"])
    model.cuff("belt", "belt.origin", "pelvis")
    seen = replace(box, motion=replace(box.motion, position=position))
    both = gw.wear.put_on(model.worn(), seen).spine()
    whole = gw.gait.spine_load(box.motion, box.loads)
    for one in both.values():
        assert len(one.time) == 60
        assert one.peak["compression"] == pytest.approx(whole.compression[:60].max(), rel=1e-3)
