"""Values with units: SI values, compatible fields, and messages for incompatible ones."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import yaml

import gaitwright as gw
from documents import full, put, small
from gaitwright._core.errors import ModelError
from gaitwright.model.expressions import evaluate, parse
from gaitwright.model.io.files import apply_override, load
from gaitwright.model.model import Model
from gaitwright.model.units import UNIT_SYMBOLS, dimension_of, is_compatible, parse_number_with_unit, read_unit
from gaitwright.physics import load_all
from gaitwright.physics.declarations import ContactLaw, Drive, Force, Friction, Joint

IN_SI = {
    "240 mm": 0.24, "240mm": 0.24, "24 cm": 0.24, "0.24 m": 0.24, "24e1 mm": 0.24, "10 in": 0.254, "1 µm": 1e-6, "2 km": 2e3,
    "25 g": 0.025, "1 tonne": 1e3, "20 ms": 0.02, "2 min": 120.0, "30 deg": math.pi / 6, "30°": math.pi / 6,
    "1 turn": 2 * math.pi, "120 rpm": 4 * math.pi, "70 GPa": 70e9, "210 MPa": 210e6, "1.6 g/cm^3": 1600.0, "1.6 g/cm³": 1600.0,
    "7.85 kg/dm^3": 7850.0, "4 N/mm": 4000.0, "30 N mm": 0.03, "30 N*mm": 0.03, "30 N·mm": 0.03, "30 Nmm": 0.03, "2 kN": 2000.0,
    "5 kg cm^2": 5e-4, "36 km/h": 10.0, "5 N m/deg": 5 * 180 / math.pi, "9810 mm/s^2": 9.81, "9.81 m s^-2": 9.81,
    "2 N s/mm": 2000.0, "2 Ns/m": 2.0, "1 kPa": 1e3, "12 mm^4": 1.2e-11, "2e4 N/m^1.5": 2e4, "1 N/mm^1.5": 1000**1.5,
    "6 Hz": 6.0, "1 lbf/in": 175.12683524647636, "1 bar": 1e5,
    "-240 mm": -0.24, "2*120 mm": 0.24, "0.2 + 40 mm": 0.24, "480 mm/2": 0.24, "min(240 mm, 1)": 0.24, "sin(30 deg)": 0.5,
    "if(1 s < 2 s, 240 mm, 3)": 0.24, "12 N*20 mm": 0.24, "(2 mm)*m": 1e-3, "2 mm*m": 1e-3,
}  # fmt: skip


@pytest.mark.parametrize("text", IN_SI)
def test_value_in_si(text: str):
    if text == "2 mm*m":  # as far as units go: an area
        assert evaluate(parse(text), {}) == pytest.approx(2e-3, rel=1e-15)
        return
    assert evaluate(parse(text, ["m"] if "*m" in text and "(" in text else None), {"m": 0.5}) == pytest.approx(
        IN_SI[text], rel=1e-14
    )


def test_decimal_units_are_exact():
    for number, unit, same in (
        (240, "mm", 0.24),
        (7, "mm", 0.007),
        (25, "g", 0.025),
        (70, "GPa", 70e9),
        (1.6, "g/cm^3", 1600),
    ):
        assert evaluate(parse(f"{number} {unit}"), {}) == same


def test_numbers_without_units_are_unchanged():
    for text in ("2*pi*t", "h*(1 - 0.5*s/L)", "m*g", "5*N", "min(t, 4)", "a-2", "2e3", "3.e-2*h"):
        assert parse(text).units == ()


@pytest.mark.parametrize("unit", sorted(UNIT_SYMBOLS))
def test_every_unit_has_a_dimension(unit: str):
    found = read_unit(unit)
    assert found is not None and found.si(1.0) > 0.0 and any(found.dimension)


def test_every_declared_unit_is_known():
    """Units of joints, drives, forces and laws: only N/m^n has a variable dimension."""
    load_all()
    declarations = [d for base in (Joint, Drive, Force) for k in (2, 3) for d in base.registry[k].values()]
    declarations += [*ContactLaw.registry.values(), *Friction.registry.values()]
    units = {p.unit for d in declarations for p in {**d.parameters, **d.short_forms}.values()}
    assert {unit for unit in units if dimension_of(unit) is None} == {"N/m^n"}


def test_compatible_units_are_accepted():
    assert is_compatible(dimension_of("N m") or (0, 0, 0, 0), dimension_of("N m/rad") or (0, 0, 0, 0))
    assert not is_compatible(dimension_of("Hz") or (0, 0, 0, 0), dimension_of("rad/s") or (0, 0, 0, 0))
    assert not is_compatible(dimension_of("m") or (0, 0, 0, 0), dimension_of("rad") or (0, 0, 0, 0))


# the same model with and without units
WITH_UNITS = {
    ("parameters", "L"): "10 cm", ("links", 0, "mass"): "25 g", ("links", 1, "length"): "300 mm",
    ("bodies", 0, "mass"): "500 g",
    ("bodies", 0, "inertia"): "10 kg cm^2", ("bodies", 0, "at"): ["50 cm", "0 mm"], ("points", "B"): ["250 mm", "L + 15 cm"],
    ("gravity",): ["0 m/s^2", "-981 cm/s^2"], ("drives", 0, "angle"): "6280 mrad*t", ("forces", 0, "stiffness"): "0.1 N/mm",
    ("forces", 0, "damping"): "1 N s/m", ("forces", 0, "rest_length"): "100 mm", ("forces", 1, "value"): "30 N mm*t",
    ("forces", 2, "value"): ["0 N", "-5 N*t"], ("analysis", "until"): "50 ms", ("analysis", "step"): "1 ms",
}  # fmt: skip


def test_model_with_units_equals_the_model_without(tmp_path: Path):
    document = small()
    for path, value in WITH_UNITS.items():
        document = put(document, path, value)
    file = tmp_path / "model.yaml"
    file.write_text(yaml.safe_dump(document))
    plain, model = Model.from_dict(small()), load(file)
    run, same = plain.analyse(), model.analyse()
    for name in ("crank.angle", "spring.force", "B.y"):
        np.testing.assert_allclose(same.array(name), run.array(name), rtol=1e-9, atol=1e-12)
    again = load(model.save(tmp_path / "saved.yaml"))
    assert again.to_dict() == model.to_dict() and again.to_dict()["links"][0]["mass"] == "25 g"
    back = gw.load_result(same.save(tmp_path / "run.nc"))
    np.testing.assert_array_equal(back.array("spring.force"), same.array("spring.force"))


def test_python_and_set_accept_units():
    m = gw.Model(parameters={"L": "240 mm"})
    m.ground_point("O", 0, 0).point("A", "24 cm", 0).link("rod", "O", "A", length="L", mass="25 g")
    m.drive.rotation("rod", angle="60 rpm*t").contact(
        "A", gw.surfaces.LineGround(level="-300 mm", slope="2 deg"), law=gw.laws.Hertz(stiffness="1 N/mm^1.5")
    )
    body = m.mechanism().body_names["rod"]
    assert body.points["A"][0] == 0.12 and body.mass == 0.025
    assert m.copy(L="120 mm").mechanism().body_names["rod"].points["A"][0] == 0.06
    raw = m.to_dict()
    apply_override(raw, "parameters.L=0.3m")
    apply_override(raw, "links.rod.mass=30 g")
    body = Model.from_dict(raw).mechanism().body_names["rod"]
    assert body.points["A"][0] == 0.15 and body.mass == 0.03


def test_beams_sections_and_materials():
    m = gw.Model("blade").ground_point("O", 0, 0).point("A", 0.5, 0)
    m.beam(
        "b", "O", "A", youngs_modulus="79 GPa", density="1.6 g/cm^3", width="40 mm", height="1.73 mm*(1 - 0.1*s/0.5)"
    )
    beam = m.mechanism().beams["b"]
    ei = 79e9 * 0.04 * 0.00173**3 / 12
    assert float(beam.section.bending(np.array([0.0]))[0]) == pytest.approx(ei, rel=1e-12)


def test_degrees_where_plain_numbers_are_degrees():
    """The orientation of a spatial body: 30, 30 deg and pi/6 rad are equal."""
    poses = []
    for angle in (30, "30 deg", "523.5987755982988 mrad", "30"):
        m = gw.Model(dimension=3)
        m.body("b", mass=1, inertia=[1, 1, 1], orientation={"angles": [angle, 0, 0]})
        poses.append(Model.from_dict(m.to_dict()).mechanism().drawn)
    for pose in poses[1:]:
        np.testing.assert_allclose(pose, poses[0], atol=1e-12)
    with pytest.raises(ModelError, match="has units beside plain degrees"):
        gw.Model(dimension=3).body("b", mass=1, inertia=[1, 1, 1], orientation={"angles": ["a + 30 deg", 0, 0]})


WRONG = [
    (("links", 0, "length"), "3 kg", "link 'crank' field 'length': is a mass (got '3 kg'); expected a length in m"),
    (("links", 0, "mass"), "240 mm", "link 'crank' field 'mass': is a length (got '240 mm'); expected a mass in kg"),
    (("drives", 0, "angle"), "60 rpm", "drive 'motor' field 'angle': is an angular velocity"),
    (("bodies", 0, "spin"), "2 Hz", "body 'slider' field 'spin': is a frequency (got '2 Hz'); expected an angular velocity"),
    (("forces", 0, "stiffness"), "5 N m", "force 'spring' field 'stiffness': is a torque or energy"),
    (("points", "B"), ["25 kg", 0], "point 'B'"),
    (("links", 0, "length"), "100 mm + 2 kg", "a length and a mass cannot be added"),
    (("links", 0, "length"), "max(1 m, 2 s)", "a length and a time cannot be compared"),
    (("links", 0, "length"), "2^(3 mm)", "an exponent has no unit"),
    (("drives", 0, "angle"), "sin(3 mm)", "sin takes an angle, not a length"),
    (("links", 0, "length"), "100 MM", "or a unit such as mm, deg or GPa; did you mean 'mm'?"),
    (("links", 0, "length"), "100 Gpa", "did you mean 'GPa'?"),
    (("analysis", "until"), "3 mm", "analysis field 'until': is a length"),
]  # fmt: skip


@pytest.mark.parametrize("path, value, said", WRONG)
def test_incompatible_unit_has_a_message(path: tuple, value: object, said: str):
    with pytest.raises(ModelError) as caught:
        Model.from_dict(put(small(), path, value))
    assert said in str(caught.value)


def test_unit_that_is_also_a_parameter_is_rejected():
    """A number followed by a name was never a product, and the meaning is ambiguous."""
    with pytest.raises(ModelError, match=r"'m' is a unit, and a parameter of this model .*2\*m for the product"):
        Model.from_dict({**small(), "parameters": {"m": 1, "L": "2 m", "omega": 1}}).mechanism()
    in_a_unit = {**put(small(), ("forces", 0, "stiffness"), "100 N/m"), "parameters": {"m": 1, "L": 0.1, "omega": 1}}
    assert Model.from_dict(in_a_unit).mechanism().forces


@pytest.mark.slow
def test_every_field_with_a_dimension_rejects_another():
    """Given in dyn cm s, a unit of no field: every number with a unit in a document is checked."""
    odd = "1 mg cm^3 s^5"
    free = {("parameters",), ("series",), ("gaitwright",), ("dimension",)}
    from documents import leaves

    unchecked = []
    for path in leaves(full()):
        value: object = full()
        for key in path:
            value = value[key]  # type: ignore[index]
        if isinstance(value, (int, float)) and not isinstance(value, bool) and path[:1] not in free:
            try:
                Model.from_dict(put(full(), path, odd))
                unchecked.append(path)
            except ModelError as error:
                assert "expected" in str(error)
    assert unchecked == []


@pytest.mark.parametrize(
    ("text", "value"),
    [("3.2 mm", 0.0032), ("5", 5.0), ("-1e-3", -1e-3), ("4 N/mm", 4000.0), (" 2mm ", 0.002), (".5 kN", 500.0)],
)
def test_numbers_of_the_command_line_may_have_units(text: str, value: float) -> None:
    assert parse_number_with_unit(text) == value


@pytest.mark.parametrize("text", ["", "mm", "3 mmm", "3 4", "1,5 mm"])
def test_invalid_number_with_a_unit_is_rejected(text: str) -> None:
    with pytest.raises(ValueError):
        parse_number_with_unit(text)
