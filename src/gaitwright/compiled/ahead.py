"""Two cores compile: what will be needed last is made by a second process while the first one makes what it needs now.

The compiler works on one function at a time, so threads would not help. The processes meet in the cache: what one of them is
making, the other waits for (cache.py), and while the first one waits it makes what the second would come to last.
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

from gaitwright.compiled import cache
from gaitwright.compiled.notice import NOTICE, seconds_for

HELPER = "GAITWRIGHT_COMPILES_AHEAD"
"""Set in the environment of the second process, which starts no third one."""
START = 1.0
"""Seconds until the second process is ready."""


class Piece(NamedTuple):
    """One function with the types that it will be called with. pointer: with C calling convention."""

    function: Any
    signature: Any
    pointer: bool = False


_asked: set[Any] = set()
_given: list[Piece] = []
"""What the second process was given to make."""
_one_at_a_time = threading.Lock()


def compile_ahead(key: Any, pieces: Callable[[], Sequence[Piece]]) -> None:
    """Have pieces made by another process if they are not there yet. key: the same for the same pieces, which this process
    asks for once."""
    if key in _asked:
        return
    _asked.add(key)
    if HELPER in os.environ or multiprocessing.parent_process() or not sys.executable or cores() < 2:
        return
    missing = [piece for piece in pieces() if not _there(piece)]
    if missing:
        cache.WAITING_SAID = True
        cache.MEANWHILE[:] = [_make_last]
        _given.extend(missing)
        NOTICE.expect(START + seconds_for(*(piece.function for piece in missing)))
        # Nobody waits for the process as such; the thread only takes note of its end.
        threading.Thread(target=_start, args=(missing,), daemon=True).start()


def cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _held(piece: Piece) -> cache.CodeCache | None:
    from gaitwright.compiled import code_cache

    return code_cache(piece.function, piece.pointer)


def _there(piece: Piece) -> bool:
    held = _held(piece)
    return held is None or held.exists(piece.signature)


def _make_last() -> bool:
    """Make the last piece that the second process has not begun yet; whether there was one."""
    while _given:
        piece = _given.pop()
        held = _held(piece)
        if held is not None and held.is_free(piece.signature):
            _make(piece)
            return True
    return False


def _make(piece: Piece) -> None:
    from gaitwright.compiled import compiled_pointer

    if piece.pointer:
        compiled_pointer(piece.function, piece.signature)
    else:
        piece.function.compile(piece.signature)


def _start(pieces: Sequence[Piece]) -> None:
    """One such process at a time: it finds made what those before it and this one have made."""
    with _one_at_a_time:
        missing = [piece for piece in pieces if not _there(piece)]
        if not missing:
            return
        paths = os.pathsep.join(path for path in sys.path if path)
        work = dumps(
            [(getattr(p.function, "py_func", p.function).__module__, p.function.__name__, *p[1:]) for p in missing]
        )
        subprocess.run(
            [sys.executable, "-c", f"from {__name__} import work; work()"], input=work, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": paths, HELPER: "1"}, check=False,
        )  # fmt: skip


def work() -> None:
    """The second process. What cannot be made here, the first process makes and says why."""
    for module, name, signature, pointer in pickle.load(sys.stdin.buffer):
        _make(Piece(getattr(importlib.import_module(module), name), signature, pointer))
