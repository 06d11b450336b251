"""Input files: allowed locations, sizes, depths and encodings; finite numbers, arrays and results."""

from __future__ import annotations

import io
import json
import os
import shutil
import socket
import warnings
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from typer.testing import CliRunner

import gaitwright as gw
from documents import EXAMPLES, put, small
from gaitwright._core import input_files
from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.cli.main import app
from gaitwright.model.io.files import read_raw_document

TABLE = "t,knee\n" + "".join(f"{k / 10},{k}\n" for k in range(6))
SECRET = "root:secret words\nand,more:secret\n"


def model_with(folder: Path, file: str) -> Path:
    """Model file in `folder` with a series that refers to `file`."""
    folder.mkdir(exist_ok=True)
    raw = {**small(), "series": {"knee": {"file": file}}}
    (folder / "model.yaml").write_text(yaml.safe_dump(raw))
    return folder / "model.yaml"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "knee.csv").write_text(TABLE)
    (tmp_path / "outside" / "passwd").write_text(SECRET)
    return tmp_path / "outside"


def test_file_below_the_folder_of_the_model_is_read(tmp_path: Path):
    path = model_with(tmp_path / "home", "data/knee.csv")
    (path.parent / "data").mkdir()
    (path.parent / "data" / "knee.csv").write_text(TABLE)
    assert gw.load(path).document.series["knee"].values == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("how", ["relative", "absolute", "a link", "a linked folder"])
def test_file_outside_the_folder_is_read_only_if_allowed(how: str, tmp_path: Path, outside: Path):
    home = tmp_path / "home"
    names = {"relative": "../outside/knee.csv", "absolute": str(outside / "knee.csv"), "a link": "link.csv"}
    path = model_with(home, names.get(how, "folder/knee.csv"))
    if how == "a link":
        (home / "link.csv").symlink_to(outside / "knee.csv")
    if how == "a linked folder":
        (home / "folder").symlink_to(outside)
    with pytest.raises(ModelError, match=r"series 'knee' field 'file': is outside the folder .*--allow-files"):
        gw.load(path)
    for allowed in (outside, outside / "knee.csv", tmp_path):
        assert gw.load(path, allow_files=[allowed], L=0.1).document.series["knee"].values[-1] == 5
    ran = CliRunner().invoke(app, ["check", str(path), "--out", str(tmp_path / "out")])
    assert ran.exit_code == 2 and "--allow-files" in ran.output
    ran = CliRunner().invoke(app, ["check", str(path), "--out", str(tmp_path / "out"), "--allow-files", str(outside)])
    assert ran.exit_code == 0, ran.output


def test_symbolic_link_within_the_folder_is_followed(tmp_path: Path):
    path = model_with(tmp_path / "home", "link.csv")
    (path.parent / "knee.csv").write_text(TABLE)
    (path.parent / "link.csv").symlink_to("knee.csv")
    assert gw.load(path).document.series["knee"].values[-1] == 5


def test_cycle_of_symbolic_links_is_refused(tmp_path: Path):
    path = model_with(tmp_path / "home", "a")
    (path.parent / "a").symlink_to("b")
    (path.parent / "b").symlink_to("a")
    with pytest.raises(ModelError, match="series 'knee' field 'file'"):
        gw.load(path)


def test_python_calls_read_files_from_any_folder(outside: Path):
    assert gw.Model().series("knee", file=outside / "knee.csv").document.series["knee"].values[-1] == 5


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
@pytest.mark.parametrize("what", ["pipe", "socket", "folder", "/dev/zero", "/dev/stdin", "/dev/tty"])
def test_only_regular_files_are_read(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Files that may block or never end are not opened."""
    monkeypatch.chdir(tmp_path)
    if what == "pipe":
        os.mkfifo("pipe")
    if what == "socket":
        socket.socket(socket.AF_UNIX).bind("socket")
    if what == "folder":
        Path("folder").mkdir()
    if what.startswith("/dev") and (not Path(what).exists() or Path(what).is_file()):
        pytest.skip(f"{what} is a file here")
    with pytest.raises(ModelError, match=r"is a (folder|device, pipe or socket)"):
        gw.Model().series("f", file=what)


def test_size_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "f.csv").write_text(TABLE)
    with pytest.raises(ModelError, match=r"is larger than 1e-05 MB; expected a file of at most"):
        input_files.read_bytes(tmp_path / "f.csv", "series 'f'", largest=10)
    assert input_files.read_bytes(tmp_path / "f.csv", largest=len(TABLE)) == TABLE.encode()


@pytest.mark.parametrize("fields", [{}, {"value": "knee"}, {"time": "t"}, {"cutoff": 3.0}])
def test_messages_contain_no_content_of_a_file(fields: dict[str, Any], outside: Path):
    with pytest.raises(ModelError) as caught:
        gw.Model().series("f", file=outside / "passwd", **fields)
    assert "secret" not in str(caught.value)


# encodings -----------------------------------------------------------------------------------------------------------

MODEL = yaml.safe_dump({**small(), "name": "Bügel"}, allow_unicode=True)
QUIET = ["utf-8", "utf-8-sig", "utf-16"]


@pytest.mark.parametrize("encoding", [*QUIET, "utf-16-le", "utf-16-be", "latin-1", "cp1252"])
def test_encodings_of_a_model_file(encoding: str, tmp_path: Path):
    path = tmp_path / "model.yaml"
    path.write_bytes(MODEL.encode(encoding))
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        assert read_raw_document(path)["name"] == "Bügel"
    assert bool(notes) is (encoding not in QUIET)
    if notes:
        assert ("UTF-16" if "16" in encoding else "save it as UTF-8") in str(notes[0].message)


@pytest.mark.parametrize("encoding", [*QUIET, "utf-16-le", "latin-1"])
def test_encodings_of_a_table(encoding: str, tmp_path: Path):
    path = tmp_path / "knee.csv"
    path.write_bytes(TABLE.replace("knee", "Knie (°)").encode(encoding))
    series = gw.Model().series("knee", file=path, value="Knie (°)").document.series["knee"]
    assert series.values == [0, 1, 2, 3, 4, 5]
    assert bool(series.notes) is (encoding not in QUIET)


def test_command_reports_a_guessed_encoding(tmp_path: Path):
    path = tmp_path / "model.yaml"
    path.write_bytes(MODEL.encode("latin-1"))
    ran = CliRunner().invoke(app, ["check", str(path), "--out", str(tmp_path)])
    assert ran.exit_code == 0 and "note: the file" in ran.output and "Windows-1252" in ran.output


# depth, size and aliases ----------------------------------------------------------------------------------------------

DEEP = {
    "brackets": "[" * 25_000,
    "braces": "{a: " * 25_000,
    "closed brackets": "[" * 25_000 + "]" * 25_000,
    "dashes": "- " * 5_000,
    "indentation": "".join("  " * k + "a:\n" for k in range(1_000)),
}


@pytest.mark.parametrize("what", DEEP)
def test_deep_yaml_is_refused_before_nodes_are_built(what: str):
    """Nodes built by libyaml with 25,000 levels crash the process."""
    with pytest.raises(ModelError, match=r"the text is nested too deeply, at line \d+, column \d+.*at most 100"):
        input_files.parse_yaml(DEEP[what], "the text")


@pytest.mark.parametrize("depth", [99, 100, 101])
def test_depth_of_yaml(depth: int):
    text = "[" * depth + "]" * depth
    if depth > input_files.MAX_DOCUMENT_DEPTH:
        with pytest.raises(ModelError, match="nested too deeply"):
            input_files.parse_yaml(text, "the text")
    else:
        value = input_files.parse_yaml(text, "the text")
        for _ in range(depth - 1):
            (value,) = value
        assert value == []


def test_deep_json_and_xml_are_refused():
    with pytest.raises(ModelError, match="the text is nested too deeply"):
        input_files.parse_json("[" * 100_000, "the text")
    with pytest.raises(ModelError, match="the text is nested too deeply"):
        input_files.parse_xml("<a>" * 2000 + "</a>" * 2000, "the text")
    assert input_files.parse_xml("<a>" * 900 + "</a>" * 900, "the text").tag == "a"


@pytest.mark.parametrize("read", [gw.foot.load, gw.gait.Subject.read], ids=["foot.json", "subject.yaml"])
@pytest.mark.parametrize(
    "content",
    ["", "[", "{", "[" * 25_000, "null", "3", "[]", "{}", '{"mass": NaN}', "mass: .nan\nheight: 1.7", "a: &a [*a]", "\x00\x01",
     '{"shape": 1, "inside": 2, "tissue": 3}', '{"shape": {}, "inside": {}, "tissue": {}}', "mass: 1e999 kg\nheight: 1.7"],
)  # fmt: skip
def test_readers_report_invalid_files_in_one_sentence(read: Any, content: str, tmp_path: Path):
    (tmp_path / "foot.json").write_text(content)
    with pytest.raises(ModelError) as refused:
        read(tmp_path if read is gw.foot.load else tmp_path / "foot.json")
    assert "\n" not in str(refused.value) and "foot" in str(refused.value)


# finiteness and types -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ({"a": {"b": [1, float("nan")]}}, r"field 'a.b\[1\]'"),
        ([1, {"c": float("inf")}], r"field '\[1\].c'"),
        ({"a": 10**400}, "field 'a'"),
        (np.array([[1.0, 2.0], [3.0, np.nan]]), r"field '\[1, 1\]'"),
    ],
)
def test_message_names_the_number_that_is_not_finite(values: Any, place: str):
    with pytest.raises(ModelError, match=f"file 'a' {place}.*is not a finite number"):
        input_files.require_finite(values, ErrorContext("file 'a'"))
    assert input_files.require_finite({"a": [1, "x", None, 2.0]}, ErrorContext()) == {"a": [1, "x", None, 2.0]}


@pytest.mark.parametrize("text", ["1e308 km", "-1e308 km", "1.7e308 GPa", "1e306 deg/us"])
def test_number_that_overflows_in_si_units_is_refused(text: str):
    from gaitwright.model.units import parse_number_with_unit, read_unit

    number, unit = text.split()
    with pytest.raises(ModelError, match="is too large for SI units"):
        read_unit(unit).si(float(number))  # type: ignore[union-attr]
    with pytest.raises(ModelError, match="is too large for SI units"):
        parse_number_with_unit(text)
    with pytest.raises(ModelError, match="link 'crank' field 'length'"):
        gw.Model.from_dict(put(small(), ("links", 0, "length"), text))


def test_large_number_in_a_small_unit_stays_finite():
    from gaitwright.model.units import parse_number_with_unit

    assert parse_number_with_unit("1e308 mm") == pytest.approx(1e305, rel=1e-15)


@dataclass
class _Spring:
    stiffness: float
    name: str = ""


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"stiffness": "x"}, "field 'spring.stiffness': is not valid .got 'x'.; expected a valid number"),
        ({}, "field 'spring.stiffness': is missing"),
        ({"stiffness": 1, "nam": "a"}, "field 'spring.nam': there is no such field .*did you mean 'name'"),
        ({"stiffness": float("inf")}, "field 'spring.stiffness': is not a finite number"),
        ([1], "field 'spring': is not a mapping"),
    ],
)
def test_type_conversion_names_the_invalid_field(value: Any, problem: str):
    with pytest.raises(ModelError, match=f"file 'a' {problem}"):
        input_files.convert_to_type(_Spring, value, ErrorContext("file 'a'", "spring"))
    assert input_files.convert_to_type(_Spring, {"stiffness": 2}, ErrorContext("file 'a'")) == _Spring(2.0)


# files that name files ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def foot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("foot") / "home"
    from gaitwright.foot.files import save

    shape = gw.foot.from_measures(length=0.26)
    save(gw.foot.Foot(shape, shape.fill(0.02)), folder, 350.0, None, {})
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("how", ["relative", "absolute", "a link"])
def test_foot_reads_only_files_of_its_folder(how: str, foot: Path, tmp_path: Path):
    home = tmp_path / "home"
    shutil.copytree(foot, home)
    shutil.copy(home / "skin.npz", tmp_path / "outside.npz")
    told = json.loads((home / "foot.json").read_text())
    name = {"relative": "../outside.npz", "absolute": str(tmp_path / "outside.npz"), "a link": "link.npz"}[how]
    if how == "a link":
        (home / name).symlink_to(tmp_path / "outside.npz")
    told["inside"]["bones"] = name
    (home / "foot.json").write_text(json.dumps(told))
    with pytest.raises(ModelError, match=r"field 'inside\.bones': is outside the folder of the file that names it"):
        gw.foot.load(home)


@pytest.mark.slow
def test_saved_foot_is_restored(foot: Path):
    found = gw.foot.load(foot)
    assert found.shape.side == "right" and found.shape.drawing is not None
    assert found.inside.joints["toe"].stiffness == 25.0  # type: ignore[union-attr]


def test_table_of_trials_may_name_only_files_of_its_folder(tmp_path: Path):
    from gaitwright.gait.trial_table import read_trials

    (tmp_path / "home").mkdir()
    table = tmp_path / "home" / "study.csv"
    table.write_text("trial\n../walk.c3d\n")
    with pytest.raises(ModelError, match=r"line 2 field 'trial': is outside the folder .*--allow-files"):
        read_trials(table)
    assert read_trials(table, [tmp_path])[0]["trial"].name == "walk.c3d"


@pytest.mark.parametrize("named", ["../outside.h5:/data0", "/etc/outside.h5:/data0"])
def test_mesh_may_name_only_arrays_of_its_folder(named: str, tmp_path: Path):
    (tmp_path / "a.xdmf").write_text(f"<Xdmf><DataItem Format='HDF'>{named}</DataItem></Xdmf>")
    with pytest.raises(ModelError, match="is outside the folder of the file that names it"):
        gw.mesh.read(tmp_path / "a.xdmf")


# arrays ---------------------------------------------------------------------------------------------------------------


def arrays_of(files: dict[str, bytes]) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return memory.getvalue()


def npy(values: Any, **options: Any) -> bytes:
    memory = io.BytesIO()
    np.save(memory, values, **options)
    return memory.getvalue()


@pytest.mark.parametrize("values", [np.arange(6.0).reshape(2, 3), np.array("text"), np.zeros((0, 3)), np.array(3)])
def test_saved_arrays_are_restored(values: np.ndarray):
    read = input_files.read_arrays(
        arrays_of({"a.npy": npy(values), "b.npy": npy(np.array(values, order="F"))}), ErrorContext(), ""
    )
    assert all(
        (one == values).all() and one.dtype == values.dtype and one.shape == values.shape for one in read.values()
    )


@pytest.mark.parametrize(
    "data",
    [npy(np.array([{}], dtype=object), allow_pickle=True), npy(np.arange(5.0))[:-8],
     npy(np.arange(5.0)).replace(b"(5,)", b"(99999999999,)"[:4]) + b"x", b"", b"\x93NUMPY\x01\x00\xff\xff", b"rubbish"],
    ids=["pickle", "short", "long", "empty", "head", "rubbish"],
)  # fmt: skip
def test_inconsistent_arrays_are_refused(data: bytes):
    with pytest.raises(ModelError, match="file 'a': is not a file of arrays, or it is cut off"):
        input_files.read_arrays(arrays_of({"a.npy": data}), ErrorContext("file 'a'"), "")


def test_arrays_that_expand_to_gigabytes_are_refused():
    content = bytearray(arrays_of({"a.npy": npy(np.zeros(3_000_000))}))
    announced = content.replace(np.uint32(24_000_128).tobytes(), np.uint32(4_200_000_000).tobytes())
    with pytest.raises(
        ModelError, match=r"has arrays of 4\.2e\+03 MB, more than a file of this size is expected to have"
    ):
        input_files.read_arrays(bytes(announced), ErrorContext("file 'a'"), "")


# results --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = gw.load(EXAMPLES / "pendulum.yaml").simulate(0.1, step=1e-2)
    return run.save(tmp_path_factory.mktemp("result") / "result.nc")


def test_result_is_sealed(result: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A complete sealed file is read in this process; any other file in the helper process."""
    assert input_files.is_sealed(result)
    content = bytearray(result.read_bytes())
    content[3000] ^= 1
    (tmp_path / "damaged.nc").write_bytes(content)
    (tmp_path / "cut.nc").write_bytes(content[:-50])
    assert not input_files.is_sealed(tmp_path / "damaged.nc") and not input_files.is_sealed(tmp_path / "cut.nc")
    monkeypatch.setattr(input_files, "run_isolated", lambda *_, **__: pytest.fail("not needed"))
    assert gw.load_result(result).time[-1] == 0.1


def test_result_of_an_earlier_version_is_read_without_its_seal(result: Path, tmp_path: Path):
    content = result.read_bytes()
    (tmp_path / "old.nc").write_bytes(content[: content.rindex(input_files.SEAL_PREFIX)])
    assert gw.load_result(tmp_path / "old.nc").time[-1] == 0.1


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("state.q", np.nan, "is not a finite number"),
        ("state.qd", np.inf, "is not a finite number"),
        ("time", np.nan, "is not a finite number"),
        ("state.qd", 1e292, "is larger than that of any motion"),
    ],
)
def test_result_with_invalid_states_is_refused(name: str, value: float, problem: str, result: Path, tmp_path: Path):
    import h5py

    path = tmp_path / "result.nc"
    shutil.copy(result, path)
    with h5py.File(path, "r+") as file:
        names = list(file)
        chosen = name if name in names else next(one for one in names if one.startswith("state."))
        file[chosen][...] = value
    with pytest.raises(ModelError, match=f"field '{chosen}.*{problem}"):
        gw.load_result(path)
