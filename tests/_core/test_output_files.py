"""Files are written completely or not at all, on a full disk and in other failures; commands report the saved files.

A full disk is simulated by the limit on the size of files, which needs no administrator rights and which the system enforces
like a full disk: one write succeeds partially, and the next one fails. Only the error number differs; the tests set it
explicitly where it matters."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

import gaitwright as gw
from documents import EXAMPLES, put, small
from gaitwright._core import isolation, output_files
from gaitwright._core.errors import NotSaved
from gaitwright._core.input_files import SEAL_PREFIX
from gaitwright._core.json_types import write_json
from gaitwright._core.output_files import record_written_files, save_bytes, save_text
from gaitwright.cli.main import app
from gaitwright.contact import restitution

FOUR_BAR = EXAMPLES / "four_bar.yaml"


@contextlib.contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Limit the size of files to this number of bytes."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    writes_bytecode, sys.dont_write_bytecode = (
        sys.dont_write_bytecode,
        True,
    )  # else Python leaves cut bytecode of imports
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        sys.dont_write_bytecode = writes_bytecode
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        isolation.end_helper()  # a helper started in the meantime has inherited the limit


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.fixture(scope="module")
def run() -> Any:
    return gw.load(EXAMPLES / "pendulum.yaml").simulate(0.1, step=1e-3)


@pytest.fixture(scope="module")
def modes() -> Any:
    model = gw.Model("rod").ground_point("O", 0, 0).point("P", 0, -1).link("rod", "O", "P", length=1, mass=1)
    return model.modes()


def own_element(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernel of a user-defined element, which is generated into the cache on first use."""
    from gaitwright.derive import kernel_library

    declaration, basis = next(iter(kernel_library.library_kernels()))
    monkeypatch.setattr(kernel_library, "user_cache", lambda: path.parent)
    monkeypatch.setattr(kernel_library, "writable_cache", lambda: path.parent)
    monkeypatch.setattr(kernel_library, "LIBRARY_PREFIX", "nobody's")
    kernel_library.load_kernel_module.__wrapped__(declaration, basis)


WRITERS: dict[str, Callable[..., Any]] = {
    "result.nc": lambda path, run, modes, patch: run.save(path),
    "modes.nc": lambda path, run, modes, patch: modes.save(path),
    "numbers.json": lambda path, run, modes, patch: write_json({"x": list(range(100))}, path),
    "model.yaml": lambda path, run, modes, patch: gw.load(FOUR_BAR).save(path),
    "model.json": lambda path, run, modes, patch: gw.load(FOUR_BAR).save(path),
    "plot.png": lambda path, run, modes, patch: run.plot("rod.angle", path=path),
    "picture.png": lambda path, run, modes, patch: run.draw(path),
    "page.html": lambda path, run, modes, patch: run.animate(path),
    "film.gif": lambda path, run, modes, patch: run.animate(path),
    "report.html": lambda path, run, modes, patch: run.report(path),
    "laws.png": lambda path, run, modes, patch: restitution.plot_rebounds(path),
    "element.py": lambda path, run, modes, patch: own_element(path, patch),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
def test_failed_writer_leaves_no_incomplete_file(
    name: str, run: Any, modes: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "out" / name
    with largest_file(100), pytest.raises(NotSaved) as caught:
        WRITERS[name](path, run, modes, monkeypatch)
    assert files_in(tmp_path) == []
    assert "was not written: no file may be that large here (" in str(caught.value)
    assert "needed, " in str(caught.value) and " free); make room or choose another folder" in str(caught.value)
    assert str(tmp_path) in str(caught.value)
    if name not in ("report.html", "element.py"):  # for a report, a picture beside it is written first
        assert str(path) in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
def test_failed_writer_keeps_the_existing_file(
    name: str, run: Any, modes: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / name
    path.write_text("before")
    with largest_file(100), pytest.raises(NotSaved):
        WRITERS[name](path, run, modes, monkeypatch)
    assert files_in(tmp_path) == [path] and path.read_text() == "before"


def test_full_disk_is_reported_with_sizes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(output_files.os, "replace", full)
    with pytest.raises(NotSaved) as caught:
        save_bytes(tmp_path / "a.bin", bytes(123456))
    said = str(caught.value)
    assert said.startswith(
        f"'{tmp_path / 'a.bin'}' was not written: there is no space left on the disk (123 kB needed, "
    )
    assert isinstance(caught.value, OSError) and caught.value.errno == errno.ENOSPC  # for callers that catch OSError
    assert isinstance(caught.value, gw.GaitwrightError)
    assert files_in(tmp_path) == []


def test_interrupt_leaves_no_incomplete_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def stopped(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(output_files.os, "replace", stopped)
    with pytest.raises(KeyboardInterrupt):
        save_text(tmp_path / "a.txt", "text")
    assert files_in(tmp_path) == []


@pytest.mark.parametrize(
    ("place", "why"),
    [("file/a.txt", "a part of this path is a file, not a folder"), ("folder", "there is a folder of this name"),
     ("x" * 300, "the name is too long")],
)  # fmt: skip
def test_unwritable_path_is_reported_with_its_reason(place: str, why: str, tmp_path: Path):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    with pytest.raises(NotSaved) as caught:
        save_text(tmp_path / place, "text")
    assert caught.value.why == why


@pytest.mark.skipif(sys.platform == "win32", reason="permissions, links and pipes of POSIX")
def test_permissions_links_and_devices_are_preserved(tmp_path: Path):
    path, link = tmp_path / "a.txt", tmp_path / "link.txt"
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(save_text(path, "one").stat().st_mode) == 0o666 & ~umask  # as for files of other programs
    path.chmod(0o640)
    link.symlink_to(path)
    save_text(link, "two")
    assert link.is_symlink() and path.read_text() == "two" and stat.S_IMODE(path.stat().st_mode) == 0o640
    save_text("/dev/null", "text")
    assert not Path("/dev/null").is_file()
    with pytest.raises(NotSaved, match="'/dev/full' was not written: there is no space left on the disk"):
        save_text("/dev/full", "text")
    path.chmod(0o440)
    if os.access(path, os.W_OK):
        return  # an administrator may write
    with pytest.raises(NotSaved, match="you may not write there"):
        save_text(path, "three")


def test_text_is_written_in_utf8(tmp_path: Path):
    assert save_text(tmp_path / "a.txt", "Stütze\r\n").read_bytes() == "Stütze\r\n".encode()
    assert save_text(tmp_path / "b.txt", "Fu\udcdf").read_bytes() == b"Fu\\udcdf"  # from a file name that is not UTF-8


def test_written_files_are_recorded(tmp_path: Path):
    with record_written_files() as outer:
        with record_written_files() as inner:
            save_text(tmp_path / "a", "")
        save_text(tmp_path / "b", "")
    save_text(tmp_path / "c", "")
    assert ([path.name for path in inner], [path.name for path in outer]) == (["a"], ["b"])


# commands -----------------------------------------------------------------------------------------------------------


def call(*arguments: Any) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder for temporary files."""
    import tempfile

    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_command_reports_saved_and_unsaved_files(tmp_path: Path, temporary: Path):
    out = tmp_path / "out"
    with largest_file(100_000):  # the result needs more, and the temporary folder has no more either
        done = call("run", FOUR_BAR, "--set", "outputs=[]", "--out", out, "--json")
    assert done.exit_code == 2, done.output
    found = json.loads(done.stdout)
    assert found["kind"] == "NotSaved" and found["file"] == str(out / "result.nc") and found["rescued"] is None
    assert found["error"].startswith(f"'{out / 'result.nc'}' was not written: no file may be that large here (")
    assert found["error"] in done.stderr
    assert files_in(tmp_path) == [] and not out.exists()


def fill(monkeypatch: pytest.MonkeyPatch, folder: Path, number: int, name: str = "") -> None:
    """Make writing into a folder fail, or only writing a file of that name."""
    put = output_files._replace_file

    def full(path: Path, data: Any) -> None:
        if folder in path.parents and name in ("", path.name):
            raise OSError(number, os.strerror(number))
        put(path, data)

    monkeypatch.setattr(output_files, "_replace_file", full)


def test_message_lists_the_files_written_before_a_failure(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
):
    out = tmp_path / "out"
    fill(monkeypatch, out, errno.ENOSPC, "animation.html")
    done = call("run", FOUR_BAR, "--set", "analysis.until=0.01", "--animate", "--out", out)
    assert done.exit_code == 2, done.output
    assert f"'{out / 'animation.html'}' was not written" in done.stderr
    assert f"written before: {out / 'result.nc'}, {out / 'summary.json'}\n" in done.stderr
    assert sorted(path.name for path in files_in(out)) == ["result.nc", "summary.json"]
    gw.load_result(out / "result.nc")


def test_unwritable_file_is_saved_in_the_temporary_folder(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
):
    fill(monkeypatch, tmp_path / "out", errno.ENOSPC)
    done = call("run", FOUR_BAR, "--out", tmp_path / "out", "--json")
    found = json.loads(done.stdout)
    assert done.exit_code == 2 and found["written"] == []
    assert Path(found["rescued"]).parent.parent == temporary and found["rescued"] in found["error"]
    assert gw.load_result(found["rescued"]).time[-1] == yaml.safe_load(FOUR_BAR.read_text())["analysis"]["until"]


def test_partial_result_is_saved_in_the_temporary_folder(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
):
    out, model = tmp_path / "out", tmp_path / "model.yaml"
    model.write_text(yaml.safe_dump(put(small(), ("drives", 0, "angle"), "sqrt(0.03 - t)")))
    fill(monkeypatch, out, errno.EROFS)
    done = call("run", model, "--out", out, "--json")
    assert done.exit_code == 1, done.output
    partial = Path(json.loads(done.stdout)["partial"])
    assert partial.parent.parent == temporary and 0 < gw.load_result(partial).time[-1] <= 0.03
    assert f"warning: '{out / 'partial.nc'}' was not written: the disk is read-only" in done.stderr


def test_full_disk_is_detected_before_the_analysis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from gaitwright.model.model import Model

    monkeypatch.setattr(Model, "analyse", lambda *_, **__: pytest.fail("not worth beginning"))
    with largest_file(1000):
        done = call("run", FOUR_BAR, "--out", tmp_path / "out")
    assert done.exit_code == 2
    assert f"error: nothing can be written into the folder '{tmp_path / 'out'}': file too large\n" in done.stderr
    assert not (tmp_path / "out").exists()


# reading of written files ---------------------------------------------------------------------------------------------


def test_saved_modes_are_restored_by_xarray(modes: Any, tmp_path: Path):
    import xarray as xr

    with xr.open_dataset(modes.save(tmp_path / "modes.nc"), engine="h5netcdf") as data:
        xr.testing.assert_identical(data.load(), modes.dataset())


@pytest.mark.parametrize("part", [0.0, 0.02, 0.3, 0.5, 0.9, 0.999])
def test_truncated_result_is_reported_in_one_sentence(part: float, run: Any, tmp_path: Path):
    path = run.save(tmp_path / "result.nc")
    content, _, _ = path.read_bytes().rpartition(SEAL_PREFIX)  # without the seal only, the result is complete
    path.write_bytes(content[: int(part * len(content))])
    with pytest.raises(gw.ModelError, match=r"result\.nc' is not a complete Gaitwright result: \S") as caught:
        gw.load_result(path)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 500
