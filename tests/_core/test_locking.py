"""Locks of output folders: one process at a time, released by the system; file systems without locks are usable."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from at_work import begin
from calling import call
from documents import EXAMPLES
from gaitwright._core import locking
from gaitwright._core.locking import LOCK_FILE, FolderInUse, FolderLock

PENDULUM = str(EXAMPLES / "pendulum.yaml")
LONG = "analysis={type: forward, until: 1e4, step: 1e-3, method: gauss2}"
HOLDER = """
import sys
from pathlib import Path
from gaitwright._core.locking import FolderLock
lock = FolderLock(Path(sys.argv[1]))
print("locked", flush=True)
sys.stdin.readline()
lock.release()
"""


def hold(folder: Path) -> subprocess.Popen[str]:
    """Process that holds the lock of a folder until it reads a line."""
    command = [sys.executable, "-c", HOLDER, str(folder)]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None and holder.stdout.readline() == "locked\n"
    return holder


def test_folder_is_locked_until_its_process_releases_it(tmp_path: Path):
    holder = hold(tmp_path)
    sentence = rf"is in use by another run \(process {holder.pid}\); expected another --out, or that run to end"
    with pytest.raises(FolderInUse, match=sentence):
        FolderLock(tmp_path)
    holder.communicate("\n", timeout=60)
    assert list(tmp_path.iterdir()) == []
    FolderLock(tmp_path).release()
    assert list(tmp_path.iterdir()) == []


def test_killed_process_leaves_no_lock(tmp_path: Path):
    holder = hold(tmp_path)
    holder.kill()
    holder.wait(timeout=60)
    assert (tmp_path / LOCK_FILE).exists()
    lock = FolderLock(tmp_path)
    assert (tmp_path / LOCK_FILE).read_text().split()[0] == str(os.getpid())
    lock.release()
    assert list(tmp_path.iterdir()) == []


def test_nested_locks_of_one_process_share_the_folder(tmp_path: Path):
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    outer, inner = FolderLock(tmp_path), FolderLock(tmp_path / "link")
    inner.release()
    inner.release()
    assert (tmp_path / LOCK_FILE).exists()
    outer.release()
    assert not (tmp_path / LOCK_FILE).exists()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes of POSIX")
def test_forked_process_does_not_release_the_folder(tmp_path: Path):
    lock = FolderLock(tmp_path)
    child = os.fork()
    if child == 0:
        lock.release()
        os._exit(0)
    os.waitpid(child, 0)
    with pytest.raises(subprocess.CalledProcessError) as refused:
        subprocess.run([sys.executable, "-c", HOLDER, tmp_path], check=True, capture_output=True, text=True)
    assert f"(process {os.getpid()})" in refused.value.stderr
    lock.release()


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_file_system_without_locks_is_used_unlocked(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    fcntl = pytest.importorskip("fcntl")

    def unsupported(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "lockf", unsupported)
    FolderLock(tmp_path).release()
    assert list(tmp_path.iterdir()) == []


def test_folder_without_possible_lock_file_is_used_unlocked(tmp_path: Path):
    (tmp_path / LOCK_FILE).mkdir()
    FolderLock(tmp_path).release()
    assert FolderLock._count_by_folder == {}


def test_lock_file_removed_by_another_process_is_created_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Between opening and locking, the previous owner may end and remove the file: a lock on the removed file would have no
    effect."""
    removed = []

    def lock_after_removal(file: object) -> bool:
        if not removed:
            removed.append(True)
            (tmp_path / LOCK_FILE).unlink()
        return lock_file(file)  # type: ignore[arg-type]

    lock_file = locking.lock_file
    monkeypatch.setattr(locking, "lock_file", lock_after_removal)
    lock = FolderLock(tmp_path)
    assert removed == [True] and (tmp_path / LOCK_FILE).exists()
    lock.release()
    assert not (tmp_path / LOCK_FILE).exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_command_refuses_the_folder_of_a_running_command(tmp_path: Path):
    """The folder is refused to every command until the first one ends, also by SIGKILL; single files may be written
    meanwhile."""
    out = tmp_path / "out"
    running = begin("run", PENDULUM, "--set", LONG, "--json", "--out", out)
    for command in ("run", "check"):
        refused = call(command, PENDULUM, "--json", "--out", out, code=2)
        assert f"is in use by another run (process {running.pid}); expected another --out" in refused.stderr
        assert json.loads(refused.stdout)["kind"] == "FolderInUse"
    assert not (out / "mechanism.png").exists()
    call("check", PENDULUM, "--out", tmp_path / "another")
    call("export", PENDULUM, "--to", out / "pendulum.svg")
    running.send_signal(signal.SIGKILL)
    running.communicate(timeout=60)
    call("check", PENDULUM, "--out", out)
    call("check", PENDULUM, "--out", out)
    names = {path.name for path in out.iterdir()}
    assert names >= {"mechanism.png", "pendulum.svg"} and LOCK_FILE not in names


def test_refused_command_removes_no_lock(tmp_path: Path):
    holder = hold(tmp_path)
    for _ in range(2):
        call("check", PENDULUM, "--out", tmp_path, code=2)
    holder.communicate("\n", timeout=60)
    call("check", PENDULUM, "--out", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mechanism.png"]
