"""The door: which files a model may read, how much of them, in which encoding, and what messages show of them: nothing."""

from __future__ import annotations

import os
import socket
import warnings
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

import gaitwright as gw
from documents import small
from gaitwright.cli import app
from gaitwright.errors import ModelError
from gaitwright.formats import reading
from gaitwright.model.files import read_raw

TABLE = "t,knee\n" + "".join(f"{k / 10},{k}\n" for k in range(6))
SECRET = "root:secret words\nand,more:secret\n"


def model_with(folder: Path, file: str) -> Path:
    """A model file in `folder` with a series that names `file`."""
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


def test_below_its_folder(tmp_path: Path):
    path = model_with(tmp_path / "home", "data/knee.csv")
    (path.parent / "data").mkdir()
    (path.parent / "data" / "knee.csv").write_text(TABLE)
    assert gw.load(path).document.series["knee"].values == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("how", ["relative", "absolute", "a link", "a linked folder"])
def test_outside_its_folder_only_where_it_is_allowed(how: str, tmp_path: Path, outside: Path):
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


def test_a_link_within_its_folder(tmp_path: Path):
    path = model_with(tmp_path / "home", "link.csv")
    (path.parent / "knee.csv").write_text(TABLE)
    (path.parent / "link.csv").symlink_to("knee.csv")
    assert gw.load(path).document.series["knee"].values[-1] == 5


def test_links_in_a_circle(tmp_path: Path):
    path = model_with(tmp_path / "home", "a")
    (path.parent / "a").symlink_to("b")
    (path.parent / "b").symlink_to("a")
    with pytest.raises(ModelError, match="series 'knee' field 'file'"):
        gw.load(path)


def test_python_reads_what_the_programmer_names(outside: Path):
    assert gw.Model().series("knee", file=outside / "knee.csv").document.series["knee"].values[-1] == 5


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
@pytest.mark.parametrize("what", ["pipe", "socket", "folder", "/dev/zero", "/dev/stdin", "/dev/tty"])
def test_regular_files_only(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Nothing is opened that may wait or never end."""
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


def test_a_size_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "f.csv").write_text(TABLE)
    with pytest.raises(ModelError, match=r"is larger than 1e-05 MB; expected a table with the columns"):
        reading.read_regular(tmp_path / "f.csv", "series 'f'", largest=10)
    assert reading.read_regular(tmp_path / "f.csv", largest=len(TABLE)) == TABLE.encode()


@pytest.mark.parametrize("fields", [{}, {"value": "knee"}, {"time": "t"}, {"cutoff": 3.0}])
def test_messages_show_nothing_of_a_file(fields: dict[str, Any], outside: Path):
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
        assert read_raw(path)["name"] == "Bügel"
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


def test_the_command_says_how_it_read_a_file(tmp_path: Path):
    path = tmp_path / "model.yaml"
    path.write_bytes(MODEL.encode("latin-1"))
    ran = CliRunner().invoke(app, ["check", str(path), "--out", str(tmp_path)])
    assert ran.exit_code == 0 and "note: the file" in ran.output and "Windows-1252" in ran.output
