"""Report of a run: outputs of the model, contacts, accuracy, and the model itself."""

import csv
from pathlib import Path

import numpy as np
import pytest
import yaml

import gaitwright as gw
from gaitwright.mechanisms import falling_ball, four_bar, pendulum
from gaitwright.report.blocks import Animation, Chart, Code, Figures, Table, Text
from gaitwright.report.views.pages.run_page import UNIT_TITLES, modes_report, run_report


def blocks(report, kind):
    return [block for block in report.blocks if isinstance(block, kind)]


def chart(report, title):
    return next(c for c in blocks(report, Chart) if c.title == title)


def table(report, title):
    """Rows of a table by their first cell."""
    found = next(t for t in blocks(report, Table) if t.title == title)
    return {row[0]: dict(zip(found.header, row, strict=True)) for row in found.rows}


@pytest.fixture(scope="module")
def bounce():
    """A ball that falls from 1 m for 1.2 s."""
    law = gw.laws.LankaraniNikravesh(stiffness=1e6, restitution=0.9)
    return falling_ball(law).simulate(1.2, method="dopri5")


@pytest.fixture(scope="module")
def turning():
    model = four_bar()
    model.output("crank.torque", "coupler.angle", "rocker.angle", "rocker.B.x")
    return model.inverse(1.0, step=0.005)


def test_outputs_of_the_model_are_grouped_by_unit(turning):
    report = run_report(turning)
    assert [c.title for c in blocks(report, Chart)][:3] == ["crank.torque", UNIT_TITLES["rad"], "rocker.B.x"]
    angles = chart(report, UNIT_TITLES["rad"])
    assert [line.label for line in angles.lines] == ["coupler.angle", "rocker.angle"] and angles.ylabel == "rad"
    np.testing.assert_array_equal(angles.lines[1].y, turning.array("rocker.angle"))
    assert table(report, "Outputs")["crank.torque"]["greatest"] == turning.array("crank.torque").max()


def test_other_outputs_and_points_can_be_asked_for(turning):
    report = run_report(turning, names=["crank.power"], trace=["B"])
    assert list(table(report, "Outputs")) == ["crank.power"]
    (path,) = chart(report, "Curve of the foot").lines
    centre = np.hypot(np.asarray(path.x) - 0.3, path.y)
    np.testing.assert_allclose(centre, 0.25, atol=1e-9)  # the rocker's pin moves on its circle
    np.testing.assert_array_equal(path.time, turning.time)
    assert "B" in blocks(report, Animation)[0].scene.traces


def test_energies_balance_in_the_chart(turning):
    lines = {line.label: np.asarray(line.y) for line in chart(run_report(turning), "Energy").lines}
    gained = lines["kinetic"] - lines["kinetic"][0] + lines["potential, from the start"]
    np.testing.assert_allclose(gained, lines["work of drives and loads"], atol=1e-7)
    assert "dissipated" not in lines, "nothing is"


def test_the_work_of_a_drive_is_in_a_table(turning):
    row = table(run_report(turning), "Drives")["crank"]
    assert row["positive work (J)"] + row["negative work (J)"] == pytest.approx(0.0, abs=1e-7), "after a whole turn"
    assert row["integral of |P| (J)"] == pytest.approx(row["positive work (J)"] - row["negative work (J)"])


def test_times_in_contact_are_shaded(bounce):
    report = run_report(bounce)
    (contact,) = bounce.contact_names()
    force = chart(report, f"Force at {contact}")
    begin, end = force.bands[0]
    assert begin == pytest.approx(np.sqrt(2 * 1.0 / 9.81), abs=1e-4) and begin < end < begin + 0.1
    assert len(force.bands) == len(bounce.episodes)
    row = table(report, "Contacts")[contact]
    assert row["touches"] == len(bounce.episodes)
    assert row["hardest (N)"] == max(e.max_force for e in bounce.episodes)
    assert blocks(report, Animation)[0].scene.forces


@pytest.mark.slow
def test_the_model_on_the_page_can_be_run_again(turning, tmp_path):
    files = turning.report(tmp_path / "report.html")
    (code,) = blocks(run_report(turning), Code)
    again = gw.Model.from_dict(yaml.safe_load(code.text))
    assert again.to_dict() == turning.document
    beside = files["pictures and tables"] / "model.yaml"
    run = gw.load(beside).inverse(1.0, step=0.005)
    np.testing.assert_array_equal(run.array("crank.torque"), turning.array("crank.torque"))


def test_evidence_is_that_of_the_run(turning):
    rows = table(run_report(turning), "Evidence")
    assert rows["joints opened by at most"]["value"] == turning.evidence.max_position_violation
    assert rows["energy not accounted for"]["value"] == turning.evidence.max_energy_residual
    assert "rejected steps" not in rows


def test_warnings_are_the_first_block():
    rough = pendulum((0.5,)).simulate(3.0, step=0.05, method="euler", stabilisation="none")
    first, second, *_ = run_report(rough).blocks
    assert isinstance(first, Text) and first.tone == "warning" and isinstance(second, Figures)
    assert any("joints opened" in text for text in first.paragraphs)


def test_a_single_equilibrium_has_no_charts_but_a_picture(tmp_path):
    model = pendulum((0.3,)).force.torsion_spring("ground", "rod1", stiffness=1.0, name="s")
    report = run_report(model.static())
    assert not blocks(report, Chart) and len(blocks(report, Animation)) == 1
    assert report.save(tmp_path / "r.html")["report"].stat().st_size > 10_000


def test_modes_have_a_report(tmp_path):
    modes = pendulum((0.3, 0.2)).modes()
    report = modes_report(modes)
    assert [float(row["frequency (Hz)"]) for row in table(report, "Modes").values()] == list(modes.frequencies)
    assert len(blocks(report, Animation)) == len(modes)
    assert modes.report(tmp_path / "m.html")["report"].exists()


@pytest.mark.slow
def test_a_jansen_leg_on_the_ground_stays_small(tmp_path):
    model = gw.load(Path(__file__).parents[4] / "examples" / "jansen_on_ground.yaml")
    files = model.simulate(0.6, step=2e-3, method="generalized-alpha").report(tmp_path / "r.html")
    assert files["report"].stat().st_size < 2_000_000
    names = {path.stem for path in files["pictures and tables"].glob("*.png")}
    assert {"curve-of-the-foot", "force-at-toe", "crank-torque", "energy"} <= names
    with (files["pictures and tables"] / "contacts.csv").open() as file:
        assert [row["contact"] for row in csv.DictReader(file)] == ["toe"]


def test_scuffing_leg_causes_a_warning_on_the_run_page():
    from gaitwright.mechanisms import jansen_leg, klann_leg

    for leg, scuffs in ((klann_leg(), True), (jansen_leg(), False)):
        raw = {**leg.to_dict(), "analysis": gw.one_turn(100, model=leg), "outputs": ["crank.torque"]}
        first = run_report(gw.Model.from_dict(raw).analyse()).blocks[0]
        assert ("scuffs" in getattr(first, "paragraphs", [""])[0]) == scuffs
