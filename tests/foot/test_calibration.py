"""Calibration: recovers known parameters, is linear in a common modulus, and rejects invalid input."""

import dataclasses

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.foot.areas import AREAS
from gaitwright.foot.calibration import set_parameter_values
from gaitwright.foot.calibration_tests import regional_pressure

SHAPE = gw.foot.from_measures()
CLAMPED = gw.foot.Foot(SHAPE, SHAPE.fill(0.02), gw.foot.Clamp(above=0.04), gw.foot.Tissue.uniform(1e6, 0.3))
DEPTH = 2e-3


class Beside:
    """Foot stub: press and stand results follow from its stiffnesses by formulas."""

    def __init__(self, tissue=1.0, midtarsal=250.0):
        self.given, self.shape = {"tissue": tissue, "midtarsal": midtarsal}, SHAPE
        self.tissue, self.inside = self, gw.foot.Cores().stiffer("midtarsal", midtarsal)

    def scaled(self, factor, region=None):
        return Beside(self.given["tissue"] * factor, self.given["midtarsal"])

    def with_tissue(self, tissue):
        return Beside(tissue.given["tissue"], self.given["midtarsal"])

    def with_inside(self, inside):
        return Beside(self.given["tissue"], inside.joints["midtarsal"].stiffness)

    def press(self, depth, **options):
        self.options = options
        return Standing(1e5 * depth * self.given["tissue"])

    def stand(self, load, **options):
        midfoot = 0.1 * (self.given["midtarsal"] / 250.0) ** -0.5
        return Standing(load, {"heel": 0.6 - midfoot, "midfoot": midfoot, "forefoot": 0.36, "toes": 0.04}, 1.2e5, 8e-3)


@dataclasses.dataclass
class Standing:
    force: float
    quarters: dict = dataclasses.field(default_factory=dict)
    peak_pressure: float = 0.0
    area: float = 0.0


@pytest.mark.slow
def test_force_is_linear_in_a_common_modulus():
    """Force is exactly proportional to the modulus with a clamp and one Poisson's ratio. A test at one depth gives
    the modulus without a search, and the search gives the same value."""
    one, two = (CLAMPED.with_tissue(gw.foot.Tissue.uniform(E, 0.3)).press(DEPTH).force for E in (1e6, 2e6))
    assert two == pytest.approx(2.0 * one, rel=1e-9)
    calibration = CLAMPED.calibrate({"modulus": (0.1e6, 10e6)}, pressed=[(DEPTH, 0.7 * one)])
    assert calibration.values["modulus"] == pytest.approx(0.7e6, rel=1e-6)
    assert (
        calibration.foot.tissue["heel"].youngs_modulus == calibration.values["modulus"]
        and calibration.units["modulus"] == "Pa"
    )
    assert calibration.data[0].computed == pytest.approx(0.7 * one, rel=1e-6) and calibration.rms < 1e-4
    low, high = calibration.intervals["modulus"]
    assert (low, high) == pytest.approx((0.7e6 * np.exp(-0.098), 0.7e6 * np.exp(0.098)), rel=1e-3)
    assert calibration.runs <= 5 and not calibration.notes and "modulus = 7e+05 Pa" in str(calibration)


def test_parameters_change_their_part_of_the_foot():
    foot = gw.foot.Foot(SHAPE, CLAMPED.mesh)
    other = set_parameter_values(foot, {"tissue": 2.0, "tissue.heel": 1.5, "toe": 10.0, "friction": 0.3})
    ratio = {
        name: soft.youngs_modulus / foot.tissue[name].youngs_modulus for name, soft in other.tissue.regions.items()
    }
    assert ratio == pytest.approx({"heel": 3.0, "midfoot": 2.0, "ball": 2.0, "toes": 2.0, "rest": 2.0})
    assert isinstance(other.inside, gw.foot.Cores)
    assert other.inside.joints["toe"].stiffness == 10.0 and other.inside.joints["midtarsal"].stiffness == 250.0
    assert {soft.youngs_modulus for soft in set_parameter_values(foot, {"modulus": 2e5}).tissue.regions.values()} == {
        2e5
    }


def test_press_and_plate_data_determine_tissue_and_arch():
    quarters = Beside(midtarsal=125.0).stand(350.0).quarters
    calibration = gw.foot.calibrate(
        Beside(), ["midtarsal", "tissue"], pressed=[(8.8e-3, 622.0)], stood=gw.foot.StandingTest(350.0, shares=quarters)
    )
    assert calibration.values == pytest.approx({"tissue": 622.0 / 880.0, "midtarsal": 125.0}, rel=1e-3)
    assert abs(calibration.correlated("tissue", "midtarsal")) < 1e-3 and len(calibration.data) == 5
    assert list(calibration.to_dict()) == [
        "values",
        "intervals",
        "units",
        "data",
        "rms",
        "correlation",
        "notes",
        "runs",
    ]


def test_press_data_do_not_determine_the_arch():
    calibration = gw.foot.calibrate(Beside(), ["tissue", "midtarsal"], pressed=[(8.8e-3, 622.0), (4e-3, 283.0)])
    assert calibration.undetermined == ("the data do not determine midtarsal: it may be off by any factor",)
    assert calibration.intervals["midtarsal"] == pytest.approx((250.0 / 20.0, 250.0 * 20.0))


def test_custom_test_receives_friction():
    """Friction is passed to the custom model and to the press test."""
    phase = np.linspace(0.0, np.pi, 20)
    force = lambda foot, v: foot.given["tissue"] * np.sin(phase) * 700.0 * v["friction"]  # noqa: E731
    seen = []
    step = gw.foot.CustomTest("fore-aft", lambda foot, v: seen.append(v) or force(foot, v), 210.0 * np.sin(phase), 10.0)
    calibration = gw.foot.calibrate(Beside(), ["tissue", "friction"], measured=step, pressed=[(8.8e-3, 880.0)])
    assert calibration.values == pytest.approx({"tissue": 1.0, "friction": 0.3}, rel=1e-3)
    assert set(seen[0]) == {"tissue", "friction"} and len(calibration.data) == 21


@pytest.mark.slow
def test_calibration_with_the_foundation_speed():
    """A foot calibrated against its own standing on an elastic foundation is recovered."""
    foot = gw.foot.Foot(SHAPE, CLAMPED.mesh)
    goal = set_parameter_values(foot, {"tissue": 1.5}).stand(350.0, speed="foundation")
    stood = gw.foot.StandingTest(350.0, shares=goal.quarters, peak_pressure=goal.peak_pressure, area=goal.area)
    calibration = foot.calibrate(["tissue"], stood=stood, speed="foundation")
    assert calibration.values["tissue"] == pytest.approx(1.5, rel=1e-3) and calibration.rms < 1e-2


def test_missed_data_are_reported():
    calibration = gw.foot.calibrate(Beside(), ["tissue"], pressed=[(8.8e-3, 622.0), (8.8e-3, 1200.0)])
    assert len(calibration.missed) == 2 and "is missed by" in calibration.missed[0] and calibration.rms > 3.0


@pytest.mark.slow
def test_a_pressure_map_is_compared_by_regions():
    """The plate pressure of a foot gives its own shares, peak and area."""
    pressed = CLAMPED.press(DEPTH)
    shares, peak, area = regional_pressure(pressed.pressure, CLAMPED)
    assert shares == pytest.approx(pressed.shares, abs=1e-9) and peak == pressed.peak_pressure
    assert area == pytest.approx(pressed.area, rel=0.35) and list(shares) == list(AREAS)
    stood = gw.foot.StandingTest(pressed.force, pressure=pressed.pressure)
    assert len(stood.data(CLAMPED)) == 9 and stood.independent == 8
    with pytest.raises(ModelError, match=r"pressure.*reads like kPa"):
        gw.foot.StandingTest(pressed.force, pressure=1e-3 * pressed.pressure).data(CLAMPED)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: CLAMPED.calibrate(["modulus"], pressed=[(8.8, 622.0)]), "depth.*half of the foot.*reads like mm: 0.0088 m"),
        (lambda: CLAMPED.calibrate(["modulus"], pressed=[(np.nan, 622.0)]), "depth.*not positive"),
        (lambda: CLAMPED.calibrate(["modulus"], pressed=[(8.8e-3, np.nan)]), "force.*not positive"),
        (lambda: CLAMPED.calibrate(["modulus"], pressed=[8.8e-3]), "pressed.*no pair"),
        (lambda: CLAMPED.calibrate(["modulus"]), "nothing to be calibrated by"),
        (lambda: CLAMPED.calibrate(["moduls"], pressed=[(8.8e-3, 622.0)]), "not a parameter.*did you mean 'modulus'"),
        (lambda: CLAMPED.calibrate("modulus", pressed=[(8.8e-3, 622.0)]), "is one name"),
        (lambda: CLAMPED.calibrate(["toe"], pressed=[(8.8e-3, 622.0)]), "clamped and has no joint 'toe'"),
        (lambda: CLAMPED.calibrate({"modulus": 1e6}, pressed=[(8.8e-3, 622.0)]), "bounds.*no pair"),
        (lambda: CLAMPED.calibrate({"modulus": (0, 1e6)}, pressed=[(8.8e-3, 622.0)]), "bounds.*not positive"),
        (
            lambda: CLAMPED.calibrate(["modulus", "tissue.heel"], pressed=[(8.8e-3, 622.0)]),
            r"2 parameters \(modulus, tissue.heel\) for 1 data",
        ),
        (
            lambda: gw.foot.calibrate(Beside(), ["tissue"], pressed=[(8.8e-3, 622e3)]),
            "force at 8.8 mm.*out of reach: at best 2.64e.04 N, where tissue is at its upper bound",
        ),
        (lambda: gw.foot.StandingTest(350.0).data(CLAMPED), "nothing that was measured"),
        (lambda: gw.foot.StandingTest(350.0, shares={"heel": 60.0, "toes": 4.0}).data(CLAMPED), "reads like per cent"),
        (lambda: gw.foot.StandingTest(350.0, shares={"heels": 0.6}).data(CLAMPED), "no area.*did you mean 'heel'"),
        (lambda: gw.foot.StandingTest(350.0, peak_pressure=139.0).data(CLAMPED), "reads like kPa"),
        (lambda: gw.foot.StandingTest(350.0, area=80.0).data(CLAMPED), "reads like cm"),
        (lambda: gw.foot.StandingTest(350.0, pressure=np.ones((3, 3))).data(CLAMPED), "is no picture"),
        (lambda: gw.foot.CustomTest("step", len, [1.0, np.nan], 5.0).data(CLAMPED), "step.*without a number"),
        (
            lambda: gw.foot.calibrate(
                Beside(), ["tissue"], measured=gw.foot.CustomTest("step", lambda f, v: [1.0], [1, 2], 5.0)
            ),
            "step.*gives 1 numbers.*expected 2",
        ),
    ],
)  # fmt: skip
def test_bad_input(wrong, said):
    with pytest.raises(ModelError, match=said):
        wrong()
