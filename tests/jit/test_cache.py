"""Machine code cache: shared by processes, repaired when damaged, bypassed if it is not writable."""

import hashlib
import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gaitwright.jit import cache
from gaitwright.jit import cache_folder as jit_cache_folder

MODULE = """
from gaitwright.jit import jit_compile
from there import RATE

@jit_compile
def scaled(x):
    return RATE * x
"""
SCRIPT = """
import os, sys, time
from gaitwright.jit import COMPILATION_NOTICE

def expect(seconds):
    print("compiles", flush=True)
    while not os.path.exists(sys.argv[1]):  # until it may go on
        time.sleep(0.05)

COMPILATION_NOTICE.expect = expect
from here import scaled
print(scaled(3.0), flush=True)
"""


@pytest.fixture
def place(tmp_path):
    """Folder with two modules, one of which compiles a constant of the other into its code."""
    (tmp_path / "here.py").write_text(MODULE)
    (tmp_path / "there.py").write_text("RATE = 2.0\n")
    return tmp_path


def begin(place, until=__file__, **environment):
    paths = os.pathsep.join([str(place), *(path for path in sys.path if path)])
    settings = {"GAITWRIGHT_CACHE": str(place / "cache"), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": paths}
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(until)], env={**os.environ, **settings, **environment}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def run(place, **environment):
    process = begin(place, **environment)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out.split("\n")[:-1], err


def entries(place):
    return sorted((place / "cache" / "gaitwright" / cache.CODE_FOLDER_NAME).glob("*.bin"))


@pytest.mark.slow
def test_code_is_stored_and_never_out_of_date(place):
    assert run(place)[0] == ["compiles", "6.0"]
    assert run(place)[0] == ["6.0"]
    (place / "there.py").write_text("RATE = 5.0\n")
    assert run(place)[0] == ["compiles", "15.0"]
    (place / "there.py").write_text("RATE = 2.0\n")
    assert run(place)[0] == ["6.0"]
    assert len(entries(place)) == 2
    # Different code for bounds checks and for another processor.
    checked = "0" if os.environ.get("NUMBA_BOUNDSCHECK") == "1" else "1"
    assert run(place, NUMBA_BOUNDSCHECK=checked)[0] == ["compiles", "6.0"]
    other = "core2" if os.environ.get("NUMBA_CPU_NAME") == "generic" else "generic"
    assert run(place, NUMBA_CPU_NAME=other)[0] == ["compiles", "6.0"]


@pytest.mark.slow
@pytest.mark.parametrize("damage", [lambda data: data[:200], lambda data: data[:-1] + b"?", lambda data: b""])
def test_damaged_file_is_compiled_again(place, damage):
    assert run(place)[0] == ["compiles", "6.0"]
    (entry,) = entries(place)
    entry.write_bytes(damage(entry.read_bytes()))
    out, err = run(place)
    assert out == ["compiles", "6.0"] and "Traceback" not in err
    assert run(place)[0] == ["6.0"]


@pytest.mark.slow
def test_unusable_cache_folder_is_replaced_by_a_temporary_one(place):
    (place / "cache").write_text("a file where a folder should be")
    (place / "temporary").mkdir()
    out, err = run(place, TMPDIR=str(place / "temporary"))
    assert out == ["compiles", "6.0"]
    assert err.count("cannot be written") == 1 and err.count("\n") == 1 and "GAITWRIGHT_CACHE" in err
    assert run(place, TMPDIR=str(place / "temporary"))[0] == ["6.0"], "kept where temporary files are"


@pytest.mark.slow
def test_one_process_compiles_and_the_others_wait(place):
    first = begin(place, until=place / "go")
    assert first.stdout.readline() == "compiles\n"
    others = [begin(place) for _ in range(2)]
    for process in others:
        assert process.stderr.readline() == "another process is compiling the same, first run only: waiting for it\n"
    (place / "go").touch()
    for process in (first, *others):
        assert process.communicate(timeout=120) == ("6.0\n", "")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="processes are killed otherwise there")
def test_killed_process_releases_its_lock(place):
    first = begin(place, until=place / "never")
    assert first.stdout.readline() == "compiles\n"
    second = begin(place)
    assert "waiting" in second.stderr.readline()
    first.kill()
    assert second.communicate(timeout=120)[0] == "compiles\n6.0\n"
    first.communicate()


def test_old_code_is_removed(tmp_path):
    now, code = time.time(), tmp_path / cache.CODE_FOLDER_NAME
    code.mkdir()

    def put(name, days):
        path = code / name
        path.write_bytes(b"x")
        os.utime(path, (now - days * cache.SECONDS_PER_DAY,) * 2)

    for name, days in [("new-1.bin", 1), ("old-2.bin", 100), ("left.lock", 2), ("now.lock", 0), ("left.3.part", 2)]:
        put(name, days)
    before = tmp_path / "code-0123456789abcdef"
    before.mkdir()
    os.utime(before, (now - 100 * cache.SECONDS_PER_DAY,) * 2)
    cache.prune_code_folder(code)
    assert {path.name for path in code.iterdir()} == {"new-1.bin", "now.lock", "pruned"}
    assert not before.exists()
    put("old-4.bin", 100)
    cache.prune_code_folder(code)  # at most once a day
    assert (code / "old-4.bin").exists()


def test_too_much_code_is_removed_oldest_first(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "MAX_CACHE_BYTES", 25)
    for days, name in enumerate(("a", "b", "c", "d")):
        path = tmp_path / f"{name}.bin"
        path.write_bytes(b"0123456789")
        os.utime(path, (time.time() - days * cache.SECONDS_PER_DAY,) * 2)
    cache.prune_code_folder(tmp_path)
    assert {path.stem for path in tmp_path.glob("*.bin")} == {"a", "b"}


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners of folders are otherwise there")
def test_temporary_folder_writable_by_others_is_not_trusted(tmp_path, monkeypatch):
    monkeypatch.setattr(jit_cache_folder.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(jit_cache_folder.tempfile, "mkdtemp", lambda prefix: str(tmp_path / "private"))
    trusted = jit_cache_folder.temporary_cache()
    assert trusted.parent == tmp_path and trusted.stat().st_mode & 0o077 == 0
    trusted.chmod(0o777)
    jit_cache_folder._private_folder.cache_clear()
    assert jit_cache_folder.temporary_cache() == Path(tmp_path / "private")
    jit_cache_folder._private_folder.cache_clear()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners of folders are otherwise there")
@pytest.mark.parametrize("place", ["", "machine-code", "elements"])
def test_cache_writable_by_others_is_not_used(place, tmp_path, monkeypatch, capsys):
    """Machine code contains pickles: anyone with write access could run any code."""
    monkeypatch.setenv("GAITWRIGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(jit_cache_folder.tempfile, "gettempdir", lambda: str(tmp_path))
    cache_folder = tmp_path / "gaitwright"
    assert jit_cache_folder.user_cache() == jit_cache_folder.writable_cache() == cache_folder
    (cache_folder / place).chmod(0o777)
    jit_cache_folder._is_trusted.cache_clear()
    assert (
        jit_cache_folder.user_cache()
        == jit_cache_folder.writable_cache()
        == jit_cache_folder.temporary_cache()
        != cache_folder
    )
    said = capsys.readouterr().err
    assert said.count("others can write there") == 1 and str(cache_folder / place) in said
    (cache_folder / place).chmod(0o755)
    jit_cache_folder._is_trusted.cache_clear()
    assert jit_cache_folder.user_cache() == cache_folder


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners of files are otherwise there")
def test_cache_file_writable_by_others_is_not_run(tmp_path, monkeypatch):
    path = tmp_path / "a.bin"
    payload = pickle.dumps(Planted(tmp_path / "run"))
    path.write_bytes(cache.MAGIC_BYTES + hashlib.sha256(payload).digest() + payload)
    path.chmod(0o666)
    assert cache._load_code_file(path, None) is None and not (tmp_path / "run").exists()
    path.chmod(0o644)
    cache._load_code_file(path, None)
    assert (tmp_path / "run").exists(), "the same file of this user alone is unpickled"


class Planted:
    """Creates a folder when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def test_owner_and_permissions_of_a_file():
    def of(mode, uid, gid=12345):
        return os.stat_result((0o100000 | mode, 0, 0, 1, uid, gid, 0, 0, 0, 0))

    if not hasattr(os, "getuid"):
        assert jit_cache_folder.is_owned_privately(of(0o666, 1))
        return
    me = os.getuid()
    assert jit_cache_folder.is_owned_privately(of(0o644, me)) and jit_cache_folder.is_owned_privately(of(0o755, 0))
    assert not jit_cache_folder.is_owned_privately(of(0o644, me + 4321)) and not jit_cache_folder.is_owned_privately(
        of(0o646, me)
    )
    assert not jit_cache_folder.is_owned_privately(of(0o664, me))
