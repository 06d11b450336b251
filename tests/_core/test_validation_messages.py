"""Frequent mistakes of users in files and commands, each with its expected message."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

import gaitwright as gw
from gaitwright.cli.main import app

GOOD = """gaitwright: 1
name: crank
ground:
  points: {O: [0, 0]}
points:
  A: [0.24, 0]
links:
  - name: crank
    from: O
    to: A
    length: 0.24
    mass: 0.025
drives:
  - {type: rotation, name: motor, body: crank, angle: "2*pi*t"}
analysis: {type: inverse, until: 0.1, step: 0.01}
"""
# mistake, and expected message
REFUSED: dict[str, tuple[str, str, str]] = {
    "decimal comma": (
        "length: 0.24",
        "length: 0,24",
        "link 'crank' field 'length': a comma is no decimal point at column 2 (got '0,24'); expected 0.24",
    ),
    "decimal comma, with unit": (
        "length: 0.24",
        "length: 24,5 cm",
        "a comma is no decimal point at column 3 (got '24,5 cm'); expected 24.5 cm",
    ),
    "decimal comma and thousands": (
        "length: 0.24",
        "length: 1.234,5",
        "a comma is no decimal point",
    ),
    "decimal comma within braces": (
        "points: {O: [0, 0]}",
        "points: {O: [0, 0]}\nseries: {f: {cutoff: 0,5}}",
        "line 5, column 24: 0,5 is two entries; write 0.5, with a point",
    ),
    "decimal comma in a place": (
        "A: [0.24, 0]",
        "A: [0,24, 0]",
        "point 'A': has too many entries (got [0, 24, 0]); expected two numbers [x, y], or dimension: 3 "
        "for a model in space (decimals have a point, 0.24, not a comma)",
    ),
    "an empty mass": (
        "mass: 0.025",
        "mass:",
        "link 'crank' field 'mass': is empty; expected a mass in kg, or with its unit, such as 25 g, or an expression",
    ),
    "an empty text": (
        "mass: 0.025",
        "mass: ''",
        "link 'crank' field 'mass': the expression is empty",
    ),
    "an empty name": (
        "name: crank\n    from",
        "name:\n    from",
        "link 1 field 'name': is empty",
    ),
    "an empty place": (
        "A: [0.24, 0]",
        "A:",
        "point 'A': is empty",
    ),
    "an empty angle": (
        'angle: "2*pi*t"',
        "angle: ",
        "drive 'motor' field 'angle': is empty; expected an angle in rad",
    ),
    "a length in kg": (
        "length: 0.24",
        "length: 240 kg",
        "link 'crank' field 'length': is a mass (got '240 kg'); expected a length in m, or with its "
        "unit, such as 240 mm",
    ),
    "a unit in capitals": (
        "length: 0.24",
        "length: 240 MM",
        "did you mean 'mm'?",
    ),
    "a speed as an angle": (
        'angle: "2*pi*t"',
        "angle: 60 rpm",
        "drive 'motor' field 'angle': is an angular velocity",
    ),
    "a table elsewhere": (
        "points:\n  A",
        "series: {f: {file: /etc/hostname}}\npoints:\n  A",
        "series 'f' field 'file': is outside the folder of the file that names it, and files there are read "
        "only if you allow it (got '/etc/hostname')",
    ),
    "a device": (
        "points:\n  A",
        "series: {f: {file: here}}\npoints:\n  A",
        "is a device, pipe or socket; expected a regular file",
    ),
}
# mistakes in runnable models: the expected line printed beside them
SAID: dict[str, tuple[str, str, str]] = {
    "an empty length": (
        "length: 0.24",
        "length:",
        "note: link 'crank': the field 'length' is empty and counts as left out",
    ),
    "a point that nothing uses": (
        "A: [0.24, 0]",
        "A: [0.24, 0]\n  B: [1, 0]",
        "warning: point 'B' is drawn, but no link or beam begins or ends there",
    ),
    "millimetres": (
        "length: 0.24",
        "length: 240",
        "warning: link 'crank' is 240 m long (lengths are in m, or have a unit, as in 240 mm): looks "
        "like millimetres or centimetres",
    ),
    "grams": (
        "mass: 0.025",
        "mass: 250",
        "warning: link 'crank' has 250 kg at 0.24 m",
    ),
    "degrees": (
        '"2*pi*t"',
        '"-360*t"',
        "warning: drive 'motor' turns 57.3 times per second, 360 rad/s",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_mistake_causes_its_message(what: str, tmp_path: Path):
    right, wrong, sentence = REFUSED[what]
    assert right in GOOD
    path = tmp_path / "model.yaml"
    path.write_text(GOOD.replace(right, wrong, 1))
    if what == "a device":
        os.mkfifo(tmp_path / "here")
    ran = CliRunner().invoke(app, ["check", str(path), "--out", str(tmp_path / "out")])
    assert ran.exit_code == 2 and sentence in ran.output, ran.output
    assert ran.output.count("\n") == 1, "one line"


@pytest.mark.parametrize("what", SAID)
def test_doubtful_input_causes_a_note(what: str, tmp_path: Path):
    right, wrong, sentence = SAID[what]
    assert right in GOOD
    path = tmp_path / "model.yaml"
    path.write_text(GOOD.replace(right, wrong, 1))
    ran = CliRunner().invoke(app, ["check", str(path), "--out", str(tmp_path / "out")])
    assert ran.exit_code == 0 and sentence in ran.output, ran.output


def test_valid_model_causes_no_message(tmp_path: Path):
    path = tmp_path / "model.yaml"
    path.write_text(GOOD)
    ran = CliRunner().invoke(app, ["check", str(path), "--out", str(tmp_path / "out")])
    assert ran.exit_code == 0 and "warning" not in ran.output and "note" not in ran.output


@pytest.mark.slow
def test_units_on_the_command_line(tmp_path: Path):
    path = tmp_path / "model.yaml"
    path.write_text(GOOD)
    changes = ["--set", "links.crank.length=120mm", "--set", "analysis.until=50 ms"]
    ran = CliRunner().invoke(app, ["run", str(path), "--out", str(tmp_path / "out"), *changes])
    assert ran.exit_code == 0, ran.output
    run = gw.load_result(tmp_path / "out" / "result.nc")
    assert run.time[-1] == pytest.approx(0.05) and run.mechanism.body_names["crank"].points["A"][0] == 0.06
