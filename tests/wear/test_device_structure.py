"""Effective stiffness of devices against springs in series, and what the page reports about strength."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.gait.schematic_gait import SchematicWalk
from gaitwright.report.views.pages.device_page import device_report, structure_tables
from gaitwright.wear.device_structure import MIN_SAMPLE_RATIO, _fit_slope, effective_stiffness, flexible_parts

from .people import SUBJECT, ankle_spring, two_halves


@pytest.fixture(scope="module")
def walk() -> SchematicWalk:
    return gw.gait.schematic_walk(SUBJECT, 1.4)


def test_spring_on_rigid_cuffs_has_its_own_stiffness(walk: SchematicWalk):
    """60 N m/rad between thigh and shank, on rigid cuffs."""
    (one,) = [
        x for x in effective_stiffness(gw.wear.put_on(two_halves(stiffness=60.0), walk)) if x.joint == "right_knee"
    ]
    assert one.stiffness == pytest.approx(60.0, rel=0.02) and one.spring == 60.0 and one.fit > 0.99


def test_soft_cuff_reduces_the_stiffness_as_springs_in_series(walk: SchematicWalk):
    """The cuff on the thigh is compliant about the axis of the knee: 1/40 = 1/60 + 1/120, N m/rad."""
    model = two_halves(stiffness=60.0, mass=1e-3)
    cuff = next(cuff for cuff in model.to_dict()["worn"]["cuffs"] if cuff["name"] == "thigh")
    soft = {"type": "bushing", "stiffness": [1e6] * 3, "torsional_stiffness": [120.0] * 3}
    document = model.to_dict()
    document["worn"]["cuffs"] = [cuff | soft if one["name"] == "thigh" else one for one in document["worn"]["cuffs"]]
    worn = gw.wear.put_on(gw.Model.from_dict(document), walk)
    (one,) = [x for x in effective_stiffness(worn) if x.joint == "right_knee"]
    assert one.stiffness == pytest.approx(40.0, rel=0.05) and one.spring == 60.0


def test_line_ignores_unloaded_samples():
    angle = np.linspace(-1.0, 1.0, 201)
    moment = 50.0 * np.maximum(angle - 0.2, 0.0)
    slope, fit = _fit_slope(angle, moment, MIN_SAMPLE_RATIO * moment.max())
    assert slope == pytest.approx(50.0) and fit == pytest.approx(1.0)
    assert _fit_slope(angle, 0.0 * angle, 0.1) == (0.0, 0.0)


def test_torque_over_time_has_no_stiffness(walk: SchematicWalk):
    worn = gw.wear.put_on(gw.wear.devices.powered_ankle(), walk)
    one = next(x for x in effective_stiffness(worn) if x.joint == "right_ankle")
    assert one.stiffness is None and one.spring is None
    assert np.isnan(worn.measures()["right_ankle.stiffness"])
    (table, *_) = structure_tables(worn)
    assert "not a function of the angle" in str(table.rows)


@pytest.mark.slow
def test_blade_reports_strain_stress_energy_and_margin(walk: SchematicWalk):
    """Energy by Hooke's law: a beam in bending with sigma = E eps at its surface stores less than E eps^2 / 2 per volume."""
    device = gw.wear.devices.ankle_blade()
    worn = gw.wear.put_on(device, walk)
    (part,) = flexible_parts(worn)
    assert part.name == "right_blade" and part.strain > 0
    volume = device.mechanism().beams["blade"].mass / device.to_dict()["beams"][0]["density"]
    modulus = part.stress / part.strain
    assert modulus == pytest.approx(79e9, rel=1e-6) and 0 < part.energy < 0.5 * modulus * part.strain**2 * volume
    assert part.assumed == ("strain_limit", "cycles")
    assert part.fatigue_margin == pytest.approx(gw.wear.fatigue_margin(part.strain))
    summary = worn.summary()
    assert summary["flexible_parts"]["right_blade"]["stress"] == pytest.approx(part.stress)
    assert summary["stiffness"]["right_ankle"]["stiffness"] == worn.measures()["right_ankle.stiffness"]
    titles = [getattr(block, "title", "") for block in device_report(worn).blocks]
    assert "Flexible parts" in titles and "Effective joint stiffness" in titles


def test_page_begins_with_the_caveat(walk: SchematicWalk):
    remarks = device_report(gw.wear.put_on(ankle_spring(), walk)).blocks[0].remarks
    assert "people adapt to a device" in remarks[0].text.lower()


@pytest.mark.parametrize("mass, unusual", [(161.0, True), (73.0, False), (30.0, True), (110.0, False)])
def test_unusual_body_mass_index_is_reported(mass: float, unusual: bool):
    subject = gw.gait.Subject(mass, 1.74)
    assert bool(subject.warnings) == unusual
    if unusual:
        assert f"{mass:g} kg" in subject.warnings[0] and "36 to 136 kg" in subject.warnings[0]


@pytest.mark.parametrize("text, value", [("73", 73.0), ("73kg", 73.0), ("73.5 kg", 73.5), ("73000 g", 73.0)])
def test_mass_of_the_command_line_may_have_a_unit(text: str, value: float):
    from gaitwright.cli.commands.gait import read_subject
    from gaitwright.cli.options import PersonOptions

    subject = read_subject(PersonOptions(mass=text, height="174cm"))
    assert subject is not None and subject.mass == pytest.approx(value) and subject.height == pytest.approx(1.74)


@pytest.mark.parametrize("text", ["73 m", "heavy", "-73", "nan", "73 kg 2"])
def test_other_masses_are_rejected(text: str):
    from gaitwright.cli.commands.gait import read_subject
    from gaitwright.cli.options import PersonOptions

    with pytest.raises(gw.ModelError, match=r"--mass.*is not a mass"):
        read_subject(PersonOptions(mass=text, height="1.74"))
