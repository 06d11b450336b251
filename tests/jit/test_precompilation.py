"""Precompilation in a helper process."""

import importlib
import os
import subprocess
import sys
import time

import pytest
from numba import types

from gaitwright.jit import cache, jit_compile, precompilation
from gaitwright.jit.precompilation import PrecompileTask, compile_ahead

MODULE = """
from gaitwright.jit import jit_compile

@jit_compile
def first(x):
    return x + 1.0

@jit_compile
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
    monkeypatch.delenv(precompilation.HELPER_ENVIRONMENT_VARIABLE, raising=False)
    monkeypatch.setattr(precompilation, "count_available_cores", lambda: 2)
    monkeypatch.setattr(precompilation.multiprocessing, "parent_process", lambda: None)
    for name in ("_requested_keys", "_helper_tasks"):
        monkeypatch.setattr(precompilation, name, type(getattr(precompilation, name))())
    monkeypatch.setattr(cache, "WAIT_CALLBACKS", [])
    monkeypatch.setattr(cache, "WAIT_ANNOUNCED", False)
    sys.modules.pop("pieces_of_work", None)
    yield importlib.import_module("pieces_of_work")
    sys.modules.pop("pieces_of_work", None)


def pieces_of(module):
    real = (types.float64,)
    return [
        PrecompileTask(module.first, real),
        PrecompileTask(module.second, real),
        PrecompileTask(module.third, POINTER, pointer=True),
    ]


def test_helper_process_compiles_the_tasks(module, monkeypatch):
    pieces = pieces_of(module)
    compile_ahead("work", lambda: pieces)
    until = time.monotonic() + 60.0
    while not all(map(precompilation._is_compiled, pieces)):
        assert time.monotonic() < until
        time.sleep(0.05)
    assert not module.first.overloads and not module.second.overloads
    assert module.first(1.0) == 2.0
    monkeypatch.setattr(precompilation, "_start_helper", lambda pieces: pytest.fail("nothing is missing"))
    compile_ahead("work of another kind", lambda: pieces)


def test_tasks_are_requested_once(module, monkeypatch):
    monkeypatch.setattr(precompilation, "_start_helper", lambda pieces: None)
    asked = []
    for _ in range(2):
        compile_ahead("work", lambda: asked.append(1) or pieces_of(module))
    assert asked == [1]


def test_waiting_process_compiles_the_last_task_not_begun(module, monkeypatch):
    monkeypatch.setattr(precompilation, "_start_helper", lambda pieces: None)
    pieces = pieces_of(module)
    compile_ahead("work", lambda: pieces)
    (meanwhile,) = cache.WAIT_CALLBACKS
    held = precompilation._find_code_cache(pieces[2])
    taken = cache.CodeFileLock(held.name(POINTER, cache.cpu_target.target_context.codegen()))
    assert not taken.wait()
    try:
        assert meanwhile(), "not the last, which somebody is making"
        assert [precompilation._is_compiled(piece) for piece in pieces] == [False, True, False]
    finally:
        taken.release()
    assert meanwhile() and precompilation._is_compiled(pieces[0])
    assert not meanwhile()


@pytest.mark.slow
def test_process_waiting_for_a_lock_runs_its_callbacks(module, monkeypatch, tmp_path):
    """Another process holds the lock and releases it on a signal."""
    name, script = (
        "wanted",
        (
            "import sys; from gaitwright.jit.cache import CodeFileLock\n"
            "lock = CodeFileLock('wanted'); lock.wait(); print('has it', flush=True); sys.stdin.read(1); lock.release()"
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

    monkeypatch.setattr(cache, "WAIT_CALLBACKS", [let_go])
    lock = cache.CodeFileLock(name)
    assert lock.wait()
    lock.release()
    assert len(done) >= 3
    assert other.wait(60) == 0


def test_time_of_nested_compilations_is_counted_once(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(cache.time, "perf_counter", lambda: now[0])
    before = cache.COMPILE_SECONDS
    with cache.measure_compile_time():
        now[0] += 1.0
        with cache.measure_compile_time():
            now[0] += 2.0
    assert cache.COMPILE_SECONDS - before == 3.0


def test_only_compiled_functions_have_a_cache():
    assert precompilation._find_code_cache(PrecompileTask(jit_compile(lambda x: x), (types.float64,))) is not None
    assert precompilation._find_code_cache(PrecompileTask(len, (types.float64,))) is None
