"""Probable unit mistakes give warnings in `check` and in results; usual models give none."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

import gaitwright as gw
from documents import EXAMPLES, put, small
from gaitwright.cli.main import app
from gaitwright.mechanisms.catalogue import CATALOGUE
from gaitwright.mechanisms.jansen import jansen_leg
from gaitwright.mechanisms.lower_body import lower_body
from gaitwright.model.model import Model, make_variant, require_compilable
from gaitwright.model.unit_checks import PLAUSIBLE_RANGES, describe_implausible_value


def warned(model: Model) -> list[str]:
    return list(model.mechanism().warnings)


def in_millimetres() -> Model:
    """Jansen's leg with all lengths multiplied by a thousand, as in drawings."""
    raw = jansen_leg().to_dict()
    lengths = {
        name: 1000 * value for name, value in raw["parameters"].items() if name not in ("turns_per_second", "drawn")
    }
    raw["parameters"] |= lengths
    return Model.from_dict(raw)


def strip(**changes: Any) -> Model:
    fields = {"youngs_modulus": 70e9, "density": 2700, "width": 0.02, "height": 0.002, **changes}
    return gw.Model().ground_point("O", 0, 0).point("A", 0.4, 0).beam("rod", "O", "A", **fields)


def pad(**changes: Any) -> Model:
    material = {"type": "neo-hookean", "poissons_ratio": 0.3, **changes}
    return gw.Model().solid("pad", gw.mesh.rectangle((0.1, 0.02), (2, 1)), material=material, fixed="bottom")


SLIPS: dict[str, tuple[Any, list[str]]] = {
    "a leg 400 m tall": (in_millimetres, ["m long (lengths are in m", "looks like millimetres"]),
    "a subject 190 m tall": (lambda: lower_body(height=190.0), ["m long", "centimetres"]),
    "masses in grams": (lambda: changed(("links", 0, "mass"), 25), ["link 'crank' has 25 kg at 0.1 m", "looks like grams"]),
    "a turn in degrees": (lambda: changed(("drives", 0, "angle"), "-360*t"), ["drive 'motor' turns 57.3 times", "degrees"]),
    "a swing in degrees": (lambda: changed(("drives", 0, "angle"), "30*sin(6*t)"), ["rad to and fro", "degrees"]),
    "fast": (lambda: changed(("drives", 0, "angle"), "12345*t"), ["turns 1965 times per second", "rad/s?"]),
    "an angle in degrees": (lambda: changed(("bodies", 0, "angle"), 90), ["body 'slider'", "90 rad", "90 deg", "degrees"]),
    "E in GPa": (lambda: strip(youngs_modulus=70), ["beam 'rod' has a Young's modulus of 70 Pa", "looks like GPa"]),
    "E in MPa": (lambda: strip(youngs_modulus=70e3), ["7e+04 Pa", "looks like MPa"]),
    "density in g/cm^3": (lambda: strip(density=2.7), ["density of 2.7 kg/m^3", "looks like g/cm^3"]),
    "a solid in N, mm, t": (lambda: pad(youngs_modulus=2e6, density=1.1e-9), ["'pad' has a density", "looks like t/mm^3"]),
    "a solid in MPa": (lambda: pad(youngs_modulus=2.0, density=1100), ["solid 'pad' has a Young's modulus of 2 Pa", "MPa"]),
    "gravity in mm/s^2": (lambda: changed(("gravity",), [0, -9810]), ["gravity is 9810", "looks like mm/s^2"]),
    "speed in mm/s": (lambda: changed(("bodies", 0, "velocity"), [1000, 0]), ["starts at 1000 m/s", "millimetres"]),
    "a spring of another world": (lambda: changed(("forces", 0, "stiffness"), 1e14), ["'spring' lets 0.5 kg vibrate", "N/m?"]),
    "a point that nothing uses": (lambda: changed(("points", "Z"), [0, 1]), ["point 'Z' is drawn, but no link or beam"]),
    "a ground point": (lambda: changed(("ground", "points", "Z"), [0, 1]), ["ground point 'Z' is used by nothing"]),
}  # fmt: skip


def changed(path: tuple[Any, ...], value: Any) -> Model:
    return Model.from_dict(put(small(), path, value))


@pytest.mark.parametrize("what", SLIPS)
def test_unit_mistakes_give_warnings(what: str):
    make, parts = SLIPS[what]
    texts = warned(make())
    assert any(all(part in text for part in parts) for text in texts), texts


@pytest.mark.parametrize("name", CATALOGUE)
def test_library_mechanisms_give_no_warnings(name: str):
    assert warned(CATALOGUE[name].model()) == []


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.stem)
def test_examples_give_no_warnings(path: Path):
    assert warned(gw.load(path)) == []


def test_models_of_the_papers_give_no_warnings():
    from gaitwright_apps.reproductions import bouncing_ball, cfrp_beam, slider_crank_impact

    ball = bouncing_ball.BouncingBallSetup()
    models = [ball.ball_and_floor(0.6), ball.moving_bodies(1e-4)]
    models += [setup.model(1.0) for setup in (cfrp_beam.UPRIGHT_SETUP, cfrp_beam.LYING_SETUP)]
    models += [slider_crank_impact.SliderCrankImpactSetup().model(block=False)]
    assert [text for model in models for text in warned(model)] == []


def test_explicit_units_remove_the_warnings():
    assert warned(changed(("drives", 0, "angle"), "-360 deg*t")) == []
    assert warned(changed(("links", 0, "mass"), "25 g")) == []
    assert warned(strip(youngs_modulus="70 GPa", density="2.7 g/cm^3")) == []


@pytest.mark.parametrize("quantity", PLAUSIBLE_RANGES)
def test_plausible_ranges_are_consistent(quantity: str):
    """The likely range is plausible, and in mistaken units it is at least partly implausible."""
    usual = PLAUSIBLE_RANGES[quantity]
    low, high = usual.likely
    middle = math.sqrt(low * high)
    assert usual.least <= low < high <= usual.most and describe_implausible_value(quantity, middle) is None
    for unit, factor in usual.slips.items():
        slipped = [describe_implausible_value(quantity, x / factor) or "" for x in (low, middle, high)]
        assert any(unit in text for text in slipped)


def test_sweeps_are_not_checked():
    """Variants are not checked: thousands of them would give the same warning."""

    model = require_compilable(in_millimetres())
    assert make_variant(model, {"crank": 101.0}).mechanism().warnings == ()


@pytest.mark.slow
def test_check_and_run_print_it(tmp_path: Path):
    raw = put(small(), ("drives", 0, "angle"), "-360*t")
    (tmp_path / "m.yaml").write_text(yaml.safe_dump(raw))
    for command in ("check", "run"):
        ran = CliRunner().invoke(app, [command, str(tmp_path / "m.yaml"), "--out", str(tmp_path / command)])
        assert ran.exit_code == 0 and "warning: drive 'motor' turns 57.3 times per second" in ran.output, ran.output
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert any("looks like degrees" in text for text in summary["evidence"]["warnings"])
    back = gw.load_result(tmp_path / "run" / "result.nc")
    assert sum("looks like degrees" in text for text in back.evidence.warnings) == 1
