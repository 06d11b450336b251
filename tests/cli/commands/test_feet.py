"""Command `foot`: outputs for a generated foot and for a scan, and errors."""

from __future__ import annotations

import json
from functools import partialmethod
from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from calling import call
from gaitwright.design import least_squares
from gaitwright.foot.calibration import set_parameter_values
from gaitwright.foot.pressure_files import to_platform_picture
from gaitwright.formats.apd_file import write_apd

CELLS = Path(__file__).parents[2] / "foot" / "data" / "coarse_foot.npz"
"""Tetrahedra of the scan below, cut at 70 mm, with an element size of 40 mm."""
WRITTEN = {"foot.html", "foot.yaml", "summary.json", "surface.png", "sole.png", "mesh.png", "pressure.png"}


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    """A left foot in millimetres that lies on its side, without information about the unit."""
    surface = gw.foot.from_measures(length=0.25, side="left", size=0.012).surface
    turned = gw.mesh.Mesh(1e3 * surface.nodes[:, [2, 0, 1]] + np.array([40.0, -70.0, 900.0]), surface.cells)
    path = turned.save(tmp_path / "scan.stl")
    path.write_bytes(b"a scan".ljust(80) + path.read_bytes()[80:])
    return path


@pytest.mark.slow
def test_generated_foot_stands_and_its_model_runs(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = call("foot", "--length", "24cm", "--ball-width", "9cm", "--side", "left", "--element-size", "20mm", "--load", 300,
                "--json", "--out", out)  # fmt: skip
    answer = json.loads(done.stdout)
    assert {path.name for path in out.iterdir()} >= WRITTEN
    assert answer["side"] == "left" and answer["measures"]["length"] == pytest.approx(0.24)
    assert answer["measures"]["ball_width"] == pytest.approx(0.09) and answer["mesh"]["size"] == 0.02
    standing = answer["standing"]
    assert standing["force"] == pytest.approx(300.0, rel=1e-6)
    assert 0.002 < standing["area"] < 0.02 and 3e4 < standing["peak_pressure"] < 1e6
    assert 0.0 < standing["centre_of_pressure"][0] < 0.24
    assert json.loads((out / "summary.json").read_text())["standing"] == standing
    assert "24" in (out / "foot.html").read_text()
    ran = json.loads(call("run", out / "foot.yaml", "--json", "--out", tmp_path / "run").stdout)
    assert ran


@pytest.mark.slow
def test_foot_is_calibrated_by_a_push_and_by_a_pressure_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Uses the fastest tissue model: a calibration computes about ten standing or pressing cases."""
    monkeypatch.setattr(gw.foot.Foot, "calibrate", partialmethod(gw.foot.Foot.calibrate, speed="foundation"))
    drawn = ["foot", "--length", "24cm", "--element-size", "25mm", "--load", 300, "--json"]
    push = json.loads(call(*drawn, "--calibrate", "250@4mm", "--out", tmp_path / "push").stdout)["calibration"]
    (force,) = push["data"]
    assert force["computed"] == pytest.approx(250.0, rel=0.01) and force["measured"] == 250.0
    low, high = push["intervals"]["tissue"]
    assert low < push["values"]["tissue"] < high and not push["notes"]
    page = (tmp_path / "push" / "foot.html").read_text()
    assert "Calibration" in page and "95 % interval" in page
    shape = gw.foot.from_measures(length=0.24)
    stiff = set_parameter_values(gw.foot.Foot(shape, shape.fill(0.025)), {"tissue": 1.6})
    picture = stiff.stand(300.0, speed="foundation").pressure
    write_apd(to_platform_picture(picture), tmp_path / "plate.apd")
    # midtarsal is hardly determined by the data, so its search would take very long
    monkeypatch.setattr(least_squares, "STEP_RTOL", 0.03)
    told = [*drawn, "--calibrate", tmp_path / "plate.apd", "--calibrated", "tissue,midtarsal"]
    found = json.loads(call(*told, "--out", tmp_path / "picture").stdout)["calibration"]
    assert set(found["values"]) == {"tissue", "midtarsal"} and len(found["data"]) == 9
    assert found["values"]["tissue"] == pytest.approx(1.6, abs=0.25)
    assert any("midtarsal" in note for note in found["notes"])  # the load shares do not determine it


@pytest.mark.slow
def test_scan(scan: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Uses cells from one run of fTetWild: its result varies, and standing with one in fifty takes hours."""
    pytest.importorskip("pytetwild")
    with np.load(CELLS) as stored:
        cells = stored["nodes"], stored["cells"].astype(np.int64)
    monkeypatch.setattr("gaitwright.mesh.filling._run_mesher", lambda *_: cells)
    out = tmp_path / "out"
    answer = json.loads(
        call(
            "foot", scan, "--element-size", "40mm", "--cut-height", "70mm", "--load", 100, "--json", "--out", out
        ).stdout
    )
    assert answer["side"] == "left" and answer["found"]["unit"] == "mm"
    assert answer["measures"]["height"] == pytest.approx(0.07, abs=2e-3)
    assert answer["measures"]["length"] == pytest.approx(0.25, rel=0.01)
    assert any("left foot" in note for note in answer["notes"])
    assert {path.name for path in out.iterdir()} >= WRITTEN


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--unit", "mm"], "--unit.*applies to scans only"),
        (["--length", "26"], "is not the length of a foot"),
        (["--length", "long"], "--length.*is not a length"),
        (["--side", "both"], "is not a side of the body"),
        (["--load", "-5"], "--load.*not positive"),
        (["--calibrate", "8.8mm"], "--calibrate.*neither a push nor a file.*622@8.8mm"),
        (["--calibrate", "much@8.8mm"], "--calibrate.*has no force"),
        (["--calibrate", "622@deep"], "--calibrate.*is not a length"),
        (["SCAN", "--length", "26cm"], "--length.*applies to generated feet only"),
        (["SCAN", "--side", "right"], "told to be right, but arch and big toe are on the right"),
        (["SCAN", "--up", "+x", "--forward", "sideways"], "'forward' is not a direction"),
        (["nothing.stl"], "nothing.stl"),
    ],
)
def test_bad_input_is_one_sentence(options: list[str], said: str, scan: Path, tmp_path: Path) -> None:
    import re

    done = call("foot", *(scan if word == "SCAN" else word for word in options), "--out", tmp_path / "out", code=2)
    assert re.search(said, done.stderr)
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_clamp_insole_mass_and_tissue_are_options(tmp_path: Path) -> None:
    """A clamped foot stands in seconds; an insole lowers the pressure; half of the body weight is the load."""
    drawn = ["foot", "--length", "26cm", "--element-size", "20mm", "--mass", 70, "--json"]
    clamped = json.loads(call(*drawn, "--clamp", "cut", "--out", tmp_path / "clamped").stdout)
    assert clamped["standing"]["force"] == pytest.approx(0.5 * 70.0 * 9.81, rel=1e-6)
    assert "clamped above the cut" in " ".join(clamped["notes"])
    fast = [*drawn, "--tissue", "foundation"]
    bare = json.loads(call(*fast, "--out", tmp_path / "bare").stdout)
    worn = json.loads(call(*fast, "--insole", "6mm:300kPa", "--out", tmp_path / "worn").stdout)
    assert worn["standing"]["peak_pressure"] < bare["standing"]["peak_pressure"]
    assert any("wears 6 mm of 300 kPa" in note for note in worn["notes"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--insole", "5mm"), "has no modulus with its unit"),
        (("--tissue", "soft"), "is no tissue model"),
        (("--mass", -3), "--mass"),
        (("--bones", "bones.stl"), "belong to a scan"),
        (("--bones", "bones.stl", "--clamp", "cut"), "excludes --bones"),
    ],
)
def test_invalid_rigid_parts_and_layers_are_refused(tmp_path: Path, options: tuple[object, ...], said: str) -> None:
    done = call("foot", "--element-size", "25mm", *options, "--out", tmp_path / "out", code=2)
    assert said in done.stderr
