"""Compilation on two cores: a helper process compiles the later tasks while this process compiles the first ones.

The compiler handles one function at a time, so threads would not help. The processes share the cache: each waits for code
that the other one is compiling (cache.py), and while this process waits it compiles the last task of the helper.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from numba.core.serialize import dumps

from gaitwright.jit import cache
from gaitwright.jit.compilation_notice import COMPILATION_NOTICE, estimate_compile_seconds

HELPER_ENVIRONMENT_VARIABLE = "GAITWRIGHT_COMPILES_AHEAD"
"""Set in the environment of the helper process, so that it starts no helper of its own."""
HELPER_START_SECONDS = 1.0
"""Start-up time of the helper process, s."""


class PrecompileTask(NamedTuple):
    """Function and the argument types of its calls. pointer: with C calling convention."""

    function: Any
    signature: Any
    pointer: bool = False


_requested_keys: set[Any] = set()
_helper_tasks: list[PrecompileTask] = []
"""Tasks given to the helper process."""
_helper_lock = threading.Lock()


def compile_ahead(key: Any, pieces: Callable[[], Sequence[PrecompileTask]]) -> None:
    """Compile missing tasks in a helper process. key: identifies the set of tasks, which each process requests only once."""
    if key in _requested_keys:
        return
    _requested_keys.add(key)
    if (
        HELPER_ENVIRONMENT_VARIABLE in os.environ
        or multiprocessing.parent_process()
        or not sys.executable
        or count_available_cores() < 2
    ):
        return
    missing = [piece for piece in pieces() if not _is_compiled(piece)]
    if missing:
        cache.WAIT_ANNOUNCED = True
        cache.WAIT_CALLBACKS[:] = [_compile_last_task]
        _helper_tasks.extend(missing)
        COMPILATION_NOTICE.expect(
            HELPER_START_SECONDS + estimate_compile_seconds(*(piece.function for piece in missing))
        )
        # The main process does not wait for the helper; the thread only collects its exit status.
        threading.Thread(target=_start_helper, args=(missing,), daemon=True).start()


def count_available_cores() -> int:
    """Number of cores available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _find_code_cache(piece: PrecompileTask) -> cache.CodeCache | None:
    from gaitwright.jit import code_cache

    return code_cache(piece.function, piece.pointer)


def _is_compiled(piece: PrecompileTask) -> bool:
    cache = _find_code_cache(piece)
    return cache is None or cache.exists(piece.signature)


def _compile_last_task() -> bool:
    """Compile the last task that the helper process has not begun; True if there was one."""
    while _helper_tasks:
        piece = _helper_tasks.pop()
        cache = _find_code_cache(piece)
        if cache is not None and cache.is_free(piece.signature):
            _compile_task(piece)
            return True
    return False


def _compile_task(piece: PrecompileTask) -> None:
    from gaitwright.jit import compile_cfunc

    if piece.pointer:
        compile_cfunc(piece.function, piece.signature)
    else:
        piece.function.compile(piece.signature)


def _start_helper(pieces: Sequence[PrecompileTask]) -> None:
    """Run a helper process; one at a time, so that it reuses code compiled by earlier helpers and by this process."""
    with _helper_lock:
        missing = [piece for piece in pieces if not _is_compiled(piece)]
        if not missing:
            return
        paths = os.pathsep.join(path for path in sys.path if path)
        work = dumps(
            [(getattr(p.function, "py_func", p.function).__module__, p.function.__name__, *p[1:]) for p in missing]
        )
        subprocess.run(
            [sys.executable, "-c", f"from {__name__} import work; work()"], input=work, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": paths, HELPER_ENVIRONMENT_VARIABLE: "1"}, check=False,
        )  # fmt: skip


def work() -> None:
    """Main function of the helper process. After a failure here, the main process compiles the function and reports the
    error."""
    for module, name, signature, pointer in pickle.load(sys.stdin.buffer):
        _compile_task(PrecompileTask(getattr(importlib.import_module(module), name), signature, pointer))
