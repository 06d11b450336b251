"""Two processes compile what one needs."""

import importlib
import os
import subprocess
import sys
import time

import pytest
from numba import types

from gaitwright.compiled import ahead, cache, compiled
from gaitwright.compiled.ahead import Piece, compile_ahead

MODULE = """
from gaitwright.compiled import compiled

@compiled
def first(x):
    return x + 1.0

@compiled
def second(x):
    return x + 2.0

def third(x, out):
    out[0] = x + 3.0
"""
POINTER = types.void(types.float64, types.CPointer(types.float64))


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Functions in a module that another process can import, and an empty cache."""
    (tmp_path / "pieces_of_work.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("GAITWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv(ahead.HELPER, raising=False)
    monkeypatch.setattr(ahead, "cores", lambda: 2)
    monkeypatch.setattr(ahead.multiprocessing, "parent_process", lambda: None)
    for name in ("_asked", "_given"):
        monkeypatch.setattr(ahead, name, type(getattr(ahead, name))())
    monkeypatch.setattr(cache, "MEANWHILE", [])
    monkeypatch.setattr(cache, "WAITING_SAID", False)
    sys.modules.pop("pieces_of_work", None)
    yield importlib.import_module("pieces_of_work")
    sys.modules.pop("pieces_of_work", None)


def pieces_of(module):
    real = (types.float64,)
    return [Piece(module.first, real), Piece(module.second, real), Piece(module.third, POINTER, pointer=True)]


def test_the_second_process_makes_the_pieces(module, monkeypatch):
    pieces = pieces_of(module)
    compile_ahead("work", lambda: pieces)
    until = time.monotonic() + 60.0
    while not all(map(ahead._there, pieces)):
        assert time.monotonic() < until
        time.sleep(0.05)
    assert not module.first.overloads and not module.second.overloads
    assert module.first(1.0) == 2.0
    monkeypatch.setattr(ahead, "_start", lambda pieces: pytest.fail("nothing is missing"))
    compile_ahead("work of another kind", lambda: pieces)


def test_what_is_asked_for_is_asked_for_once(module, monkeypatch):
    monkeypatch.setattr(ahead, "_start", lambda pieces: None)
    asked = []
    for _ in range(2):
        compile_ahead("work", lambda: asked.append(1) or pieces_of(module))
    assert asked == [1]


def test_who_waits_makes_the_last_piece_that_nobody_has_begun(module, monkeypatch):
    monkeypatch.setattr(ahead, "_start", lambda pieces: None)
    pieces = pieces_of(module)
    compile_ahead("work", lambda: pieces)
    (meanwhile,) = cache.MEANWHILE
    held = ahead._held(pieces[2])
    taken = cache.Lock(held.name(POINTER, cache.cpu_target.target_context.codegen()))
    assert not taken.wait()
    try:
        assert meanwhile(), "not the last, which somebody is making"
        assert [ahead._there(piece) for piece in pieces] == [False, True, False]
    finally:
        taken.release()
    assert meanwhile() and ahead._there(pieces[0])
    assert not meanwhile()


@pytest.mark.slow
def test_a_process_that_waits_for_a_lock_does_something_else(module, monkeypatch, tmp_path):
    """Another process has the lock and gives it back when it is told to."""
    name, script = (
        "wanted",
        (
            "import sys; from gaitwright.compiled.cache import Lock\n"
            "lock = Lock('wanted'); lock.wait(); print('has it', flush=True); sys.stdin.read(1); lock.release()"
        ),
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    other = subprocess.Popen(
        [sys.executable, "-c", script], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdin and other.stdout and other.stdout.readline() == "has it\n"
    done = []

    def let_go():
        done.append(1)
        if len(done) == 3:
            other.stdin.write("x")
            other.stdin.close()
        return len(done) <= 3

    monkeypatch.setattr(cache, "MEANWHILE", [let_go])
    lock = cache.Lock(name)
    assert lock.wait()
    lock.release()
    assert len(done) >= 3
    assert other.wait(60) == 0


def test_time_is_counted_once_where_one_compilation_waits_inside_another(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(cache.time, "perf_counter", lambda: now[0])
    before = cache.SPENT
    with cache.spending():
        now[0] += 1.0
        with cache.spending():
            now[0] += 2.0
    assert cache.SPENT - before == 3.0


def test_compiled_functions_have_a_cache_and_others_none():
    assert ahead._held(Piece(compiled(lambda x: x), (types.float64,))) is not None
    assert ahead._held(Piece(len, (types.float64,))) is None
