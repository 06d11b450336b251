"""Model files and result files are read back as written, and --set reaches every value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
import yaml

import gaitwright as gw
from documents import EXAMPLES, full, small
from gaitwright._core import input_files
from gaitwright.mechanisms import four_bar, jansen_leg, pendulum
from gaitwright.model.io.files import apply_override, load, load_result, read_raw_document
from gaitwright.model.model import Model
from gaitwright.model.spec.document import ELEMENT_REGISTRIES
from gaitwright.physics import load_all

FILES = sorted(EXAMPLES.glob("*.yaml"))


def test_examples_exist():
    assert {path.stem for path in FILES} >= {"jansen", "four_bar", "pendulum", "slider_crank", "sprung_arm"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("ending", [".yaml", ".json"])
def test_model_file_is_read_back(path: Path, ending: str, tmp_path: Path):
    model = load(path)
    again = load(model.save(tmp_path / f"copy{ending}"))
    assert again.to_dict() == model.to_dict()
    first, second = model.mechanism(), again.mechanism()
    assert np.array_equal(first.drawn, second.drawn)
    assert list(first.body_names) == list(second.body_names)


def test_every_element_type_is_read_back(tmp_path: Path):
    model = Model.from_dict(full())
    load_all()
    for section, registry in ELEMENT_REGISTRIES.items():
        used = {entry["type"] for entry in full().get(section, [])}
        # gravity is a field of the model; half a position drive is a position drive with one coordinate, and a follower
        # force is a force in the frame of its body; loads of beams are in test_beams.py, of solids in test_solids.py,
        # their drives in test_solid_drives.py; springs and curves by an expression are in test_nonlinear_springs.py and
        # test_point_on_curve.py
        library = {n for n, d in registry[2].items() if d.__module__.startswith("gaitwright.") and "nonlinear" not in n}
        made = {"gravity", "position-x", "position-y", "follower-force", "point-on-curve"}
        assert used >= library - made - {"moment", "distributed-force", "pressure", "traction", "displacement"}, section
    again = load(model.save(tmp_path / "full.yaml"))
    assert again.to_dict() == model.to_dict()
    first, second = model.mechanism(), again.mechanism()
    for a, b in zip([*first.constraints, *first.forces], [*second.constraints, *second.forces], strict=True):
        assert a.declaration is b.declaration and list(a.parameters) == list(b.parameters)


def test_written_file_is_minimal(tmp_path: Path):
    """It contains no omitted fields, and numbers stay numbers."""
    raw = yaml.safe_load(pendulum().save(tmp_path / "p.yaml").read_text())
    assert raw["gaitwright"] == 1
    assert raw["links"] == [{"name": "rod1", "from": "P0", "to": "P1", "length": 1.0, "mass": 1.0}]
    assert not {"beams", "contacts", "joints", "drives", "velocities", "analysis"} & set(raw)


@pytest.mark.parametrize(
    "model", [four_bar(), jansen_leg(), pendulum((0.0, 0.1))], ids=lambda model: model.document.name
)
def test_library_models_are_read_back(model: Model, tmp_path: Path):
    again = load(model.save(tmp_path / "model.yaml"))
    assert again.to_dict() == model.to_dict()


def test_example_equals_the_library_leg():
    a, b = load(EXAMPLES / "jansen.yaml").mechanism(), jansen_leg().mechanism()
    assert a.drawn == pytest.approx(b.drawn, abs=1e-15)
    assert a.mass[2] == pytest.approx(b.mass[2], rel=1e-14)  # masses in the library are proportional to the lengths


def test_sections_may_be_empty(tmp_path: Path):
    file = tmp_path / "model.yaml"
    text = (
        "gaitwright: 1\njoints:\nforces:\ncontacts:\nparameters:\nground: {points: {O: [0, 0]}}\npoints: {P: [1, 0]}\n"
    )
    file.write_text(text + "links:\n  - {name: rod, from: O, to: P, mass: 1}\n")
    assert load(file).mechanism().n == 3


def test_load_with_parameters():
    assert load(EXAMPLES / "pendulum.yaml", L=2.0).document.parameters["L"] == 2.0
    with pytest.raises(gw.ModelError, match=r"'LL': is not a parameter .*one of: L, m"):
        load(EXAMPLES / "pendulum.yaml", LL=2.0)


# --set --------------------------------------------------------------------------------------------------------------

SETTINGS: dict[str, tuple[tuple[Any, ...], Any]] = {
    "parameters.L=0.2": (("parameters", "L"), 0.2),
    "parameters.L=2*omega": (("parameters", "L"), "2*omega"),
    "analysis.step=1e-3": (("analysis", "step"), 1e-3),
    "analysis.method=gauss2": (("analysis", "method"), "gauss2"),
    "links.crank.mass=0.3": (("links", 0, "mass"), 0.3),
    "links.1.mass=0.3": (("links", 1, "mass"), 0.3),
    "points.A=[0, 1]": (("points", "A"), [0, 1]),
    "points.A.0=0.5": (("points", "A", 0), 0.5),
    "ground.points.O=[1, 1]": (("ground", "points", "O"), [1, 1]),
    "velocities.A=[1, 0]": (("velocities", "A"), [1, 0]),
    "gravity=[0, 0]": (("gravity",), [0, 0]),
    "gravity.1=-1.62": (("gravity", 1), -1.62),
    "name=moon": (("name",), "moon"),
    "drives.motor.angle=a = b": (("drives", 0, "angle"), "a = b"),
    "outputs=[crank.x]": (("outputs",), ["crank.x"]),
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_set(setting: str):
    raw = {**small(), "gravity": [0, -9.81]}
    apply_override(raw, setting)
    path, value = SETTINGS[setting]
    place: Any = raw
    for key in path:
        place = place[key]
    assert place == value


def test_set_creates_a_missing_section():
    raw = small()
    del raw["analysis"]
    apply_override(raw, "analysis.until=3")
    assert raw["analysis"] == {"until": 3}


WRONG_SETTINGS = {
    "parameters.L": "--set takes path=value",
    "parameters.L=": "--set takes path=value",
    "=3": "--set takes path=value",
    "parameters.LL=1": r"no 'LL' in 'parameters'; expected one of L, omega; did you mean 'L'\?",
    "paramters.L=1": r"no 'paramters' in the model; .*did you mean 'parameters'\?",
    "L=1": "no 'L' in the model",
    "links.crnk.mass=2": r"no 'crnk' in 'links'; .*did you mean 'crank'\?",
    "links.9.mass=2": "no '9' in 'links'",
    "points.Z=[0, 0]": "no 'Z' in 'points'",
    "name.x=3": "'name' is a single value",
    "parameters.L=[1,": "not valid YAML",
    "parameters.L=!!python/name:os.system": "not valid YAML",
}


@pytest.mark.parametrize("setting", WRONG_SETTINGS)
def test_invalid_set_is_rejected(setting: str):
    with pytest.raises(gw.ModelError, match=WRONG_SETTINGS[setting]) as caught:
        apply_override(small(), setting)
    assert "\n" not in str(caught.value)


# results ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_result_is_read_back(path: Path, tmp_path: Path):
    """All outputs, not only those in the file, are equal after reading; so are evidence and summary."""
    result = load(path).analyse()
    again = load_result(result.save(tmp_path / "result.nc"))
    assert again.names == result.names
    for name in result.names:
        assert np.array_equal(again.array(name), result.array(name), equal_nan=True), name
    assert again.evidence == result.evidence
    assert again.summary() == result.summary()


def test_result_file_is_plain_netcdf(tmp_path: Path):
    """xarray reads it without Gaitwright: outputs over time with units, coordinates, attributes."""
    result = load(EXAMPLES / "four_bar.yaml").analyse()
    path = result.save(tmp_path / "new" / "result.nc")
    with xr.open_dataset(path, engine="h5netcdf") as data:
        assert list(data["crank.spin"].coords) == ["time"]
        assert data["crank.spin"].attrs["units"] == "rad/s"
        assert data["time"].attrs["units"] == "s"
        assert np.array_equal(data["crank.spin"], result.array("crank.spin"))
        assert data.attrs["title"] == "four-bar"
        assert json.loads(data.attrs["evidence"])["method"] == "generalized-alpha"
        for name in result.default_names():
            assert data[name].attrs == result[name].attrs
    assert [entry.name for entry in path.parent.iterdir()] == ["result.nc"]


def test_result_without_drives_and_joints(tmp_path: Path):
    model = gw.Model("free").body("K", mass=1, inertia=1, velocity=(1, 2))
    result = model.simulate(1.0, method="rk4", step=0.1)
    again = load_result(result.save(tmp_path / "free.nc"))
    assert again.array("K.x")[-1] == result.array("K.x")[-1] == pytest.approx(1.0)


def test_old_file_with_the_work_of_every_element_is_read(tmp_path: Path):
    """Format from before element blocks: in the order of the table of energies."""
    model = gw.Model("bent").ground_point("O", 0, 0).point("E", 1, 0)
    section = {"youngs_modulus": 2e9, "density": 1200.0, "width": 0.02, "height": 0.003, "damping": 1e-3}
    model.beam("rod", "O", "E", elements=3, **section).force.spring_damper(
        "rod.end", "ground.O", stiffness=1.0, damping=2.0
    )
    model.force.along_beam("rod", [0, -1], name="wind")
    run = model.simulate(until=0.01, step=1e-3)
    s, work = run.mechanism.system, run.motion.work
    share = np.array([0.5, 0.25, 0.25])
    parts = {int(e): work[:, p] * share[k % 3] for p in (0, 2) for k, e in enumerate(s.power_entry[s.power_of == p])}
    parts |= {int(e): work[:, 1] for e in s.power_entry[s.power_of == 1]}
    each = np.stack([parts[entry] for entry in sorted(parts)], axis=1)
    assert each.shape[1] == 7 and work.shape[1] == 3
    with xr.open_dataset(run.save(tmp_path / "new.nc"), engine="h5netcdf") as data:
        old = data.load().drop_vars("state.work")
        old["state.work"] = (("time", "element"), each)
        old.to_netcdf(tmp_path / "old.nc", engine="h5netcdf")
    again = load_result(tmp_path / "old.nc")
    for name in ("rod.dissipated", "wind.work", "energy.residual"):
        assert again.array(name) == pytest.approx(run.array(name), rel=1e-12, abs=1e-15)


def test_bad_result_file(tmp_path: Path):
    with pytest.raises(gw.ModelError, match="there is no file"):
        load_result(tmp_path / "nothing.nc")
    (tmp_path / "text.nc").write_text("hello")
    with pytest.raises(gw.ModelError, match="not a complete Gaitwright result") as caught:
        load_result(tmp_path / "text.nc")
    assert "\n" not in str(caught.value)
    xr.Dataset({"a": ("t", [1.0])}).to_netcdf(tmp_path / "other.nc", engine="h5netcdf")
    with pytest.raises(gw.ModelError, match="not a complete Gaitwright result"):
        load_result(tmp_path / "other.nc")
    good = load(EXAMPLES / "pendulum.yaml").analyse().save(tmp_path / "good.nc").read_bytes()
    (tmp_path / "half.nc").write_bytes(good[: len(good) // 2])
    with pytest.raises(gw.ModelError, match="not a complete Gaitwright result"):
        load_result(tmp_path / "half.nc")


def test_yaml_merge_key_may_be_overridden(tmp_path: Path):
    """YAML's merge: fields merged by `<<` may be overridden; a field given twice is an error."""
    text = "gaitwright: 1\nbodies:\n  - &one {name: a, mass: 1, inertia: 1}\n  - {<<: *one, name: b, mass: 2}\n"
    path = tmp_path / "model.yaml"
    path.write_text(text)
    assert read_raw_document(path)["bodies"][1] == {"name": "b", "mass": 2, "inertia": 1}
    path.write_text(text.replace("name: b,", "name: b, name: c,"))
    with pytest.raises(gw.ModelError, match="'name' is given twice"):
        read_raw_document(path)


def test_field_names_are_strings(tmp_path: Path):
    """YAML 1.1 reads on, off, yes and no as booleans: also as the field `on` of a pressure, or as the name of a point."""
    path = tmp_path / "model.yaml"
    path.write_text("gaitwright: 1\nforces: [{type: pressure, on: bar.top}]\npoints: {no: [0, 1]}\n")
    raw = read_raw_document(path)
    assert raw["forces"][0]["on"] == "bar.top" and raw["points"] == {"no": [0, 1]}
    apply_override(raw, "forces.0={type: pressure, on: bar.left, value: 1e3}")
    assert raw["forces"][0] == {"type": "pressure", "on": "bar.left", "value": 1000.0}


def test_byte_order_mark_is_accepted(tmp_path: Path):
    file = tmp_path / "windows.yaml"
    file.write_bytes(b"\xef\xbb\xbfgaitwright: 1\r\nname: x\r\n")
    assert read_raw_document(file) == {"gaitwright": 1, "name": "x"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_both_yaml_parsers_agree(path: Path):
    """libyaml, which is fast, and PyYAML's own parser, which gives the messages."""
    text = path.read_text()
    (quick, node), (slow, other) = (
        input_files._construct_with_nodes(text, kind)
        for kind in (input_files._CUniqueKeyLoader, input_files._UniqueKeyLoader)
    )
    assert quick == slow
    assert node is not None
    assert other is not None
    places = [[(key.value, value.start_mark.index) for key, value in root.value] for root in (node, other)]
    assert places[0] == places[1]
