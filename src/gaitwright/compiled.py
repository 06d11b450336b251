"""How Gaitwright compiles: one decorator, one set of flags, one cache on disk.

Numba keys its cache on the file of the function alone, so a caller would keep an old copy of a callee that it inlined
from another file. We therefore keep one cache folder per state of the sources that compiled code can see: stale machine
code cannot be loaded, and a read-only installation works too.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core.event import Event, Listener, register

PACKAGE = Path(__file__).parent

# nnan and ninf are left out on purpose: with them the compiler may delete the checks for NaN that stop a run.
FASTMATH = {"contract", "arcp", "nsz", "reassoc", "afn"}
FLAGS: dict[str, Any] = {"error_model": "numpy", "fastmath": FASTMATH, "boundscheck": False}
NO_WRAPPER: dict[str, Any] = {"no_cfunc_wrapper": True}  # never called from C: a tenth of the compile time


def user_cache() -> Path:
    """Folder for machine code and for the printed kernels of a user's own elements."""
    base = os.environ.get("GAITWRIGHT_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "gaitwright"


@functools.cache
def code_cache() -> Path:
    """The cache folder that belongs to exactly these sources, this Python and this Numba."""
    digest = hashlib.sha256(f"{sys.version_info[:2]} {numba.__version__}".encode())
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_bytes()
        if path.parent.name in ("kernels", "system", "integrate") or b"gaitwright.compiled" in source:
            digest.update(source)
    return user_cache() / f"code-{digest.hexdigest()[:16]}"


class Notice(Listener):
    """Says on stderr, once per process, that machine code is being made: the first run would look stuck otherwise.

    Numba announces every function that it has to compile because the cache does not have it."""

    def __init__(self) -> None:
        self.said = False
        self.cold = not any(code_cache().rglob("*.nbi"))

    def say(self) -> None:
        if not self.said:
            self.said = True
            how_long = "about 15 s" if self.cold else "a few seconds"
            print(f"compiling, first run only ({how_long})", file=sys.stderr, flush=True)

    def on_start(self, event: Event) -> None:
        function = getattr((event.data or {}).get("dispatcher"), "py_func", None)
        if getattr(function, "__module__", "").startswith("gaitwright."):
            self.say()

    def on_end(self, event: Event) -> None:
        pass


NOTICE = Notice()
register("numba:compile", NOTICE)


def _with_our_cache(decorate: Callable[[], Any]) -> Any:
    # Numba reads the folder when the decorator runs; other users of Numba in this process keep theirs.
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(code_cache())  # pyright: ignore
    try:
        return decorate()
    finally:
        numba.config.CACHE_DIR = before  # pyright: ignore


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function on its first call and keep the machine code on disk."""
    return _with_our_cache(lambda: numba.njit(cache=True, **FLAGS, **NO_WRAPPER)(function))


def inlined(function: Callable[..., Any]) -> Any:
    """Put into the caller before types are inferred: for functions that take a function as argument (a call with one
    could not be cached) and for tiny ones."""
    return numba.njit(inline="always", **FLAGS)(function)


def compiled_pointer(function: Callable[..., Any], signature: Any) -> Any:
    """Compile with C calling convention now, so that its `.address` can be called through a table of kernels."""
    pointer = _with_our_cache(lambda: numba.cfunc(signature, cache=True, **FLAGS)(function))
    if pointer.cache_hits == 0:  # Numba does not announce these
        NOTICE.say()
    return pointer
