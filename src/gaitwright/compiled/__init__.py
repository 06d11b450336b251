"""How Gaitwright compiles: one decorator, one set of flags, one cache on disk (cache.py) whose files are named after all that
machine code depends on (key.py)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numba
from numba.core.ccallback import CFunc
from numba.core.dispatcher import Dispatcher
from numba.core.sigutils import normalize_signature

from gaitwright.compiled.cache import CODE, CodeCache
from gaitwright.compiled.folder import user_cache, writable_cache
from gaitwright.compiled.key import PACKAGE

__all__ = ["FLAGS", "NOTICE", "PACKAGE", "compiled", "compiled_pointer", "inlined", "user_cache", "writable_cache"]

# nnan and ninf are left out on purpose: with them the compiler may delete the checks for NaN that stop a run.
FASTMATH = {"contract", "arcp", "nsz", "reassoc", "afn"}
FLAGS: dict[str, Any] = {"error_model": "numpy", "fastmath": FASTMATH, "boundscheck": False}
NO_WRAPPER: dict[str, Any] = {"no_cfunc_wrapper": True}  # never called from C: a tenth of the compile time


class Notice:
    """Says on stderr, once per process, that machine code is being made: the first run would look stuck otherwise."""

    def __init__(self) -> None:
        self.said = False
        try:
            self.cold = not any((user_cache() / CODE).glob("*.bin"))
        except OSError:
            self.cold = True

    def say(self) -> None:
        if not self.said:
            self.said = True
            how_long = "about 15 s" if self.cold else "a few seconds"
            print(f"compiling, first run only ({how_long})", file=sys.stderr, flush=True)


NOTICE = Notice()


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function on its first call and keep the machine code on disk."""
    options = {**FLAGS, **NO_WRAPPER}
    dispatcher = numba.njit(**options)(function)
    if isinstance(dispatcher, Dispatcher):  # not with NUMBA_DISABLE_JIT
        _keep(dispatcher, CodeCache(function, options))
    return dispatcher


def inlined(function: Callable[..., Any]) -> Any:
    """Put into the caller before types are inferred: for functions that take a function as argument (a call with one
    could not be cached) and for tiny ones."""
    return numba.njit(inline="always", **FLAGS)(function)


def compiled_pointer(function: Callable[..., Any], signature: Any) -> Any:
    """Compile with C calling convention now, so that its `.address` can be called through a table of kernels."""
    pointer = CFunc(function, normalize_signature(signature), {}, dict(FLAGS))
    _keep(pointer, CodeCache(function, {**FLAGS, "pointer": True}))
    pointer.compile()
    return pointer


def _keep(maker: Any, cache: CodeCache) -> None:
    """Give a function of Numba our cache."""
    maker._cache = cache
    compile_ = maker._compiler.compile

    def announced(*arguments: Any) -> Any:
        NOTICE.say()
        try:
            return compile_(*arguments)
        except BaseException:
            cache.unlock()  # nothing will be saved: others need not wait for it
            raise

    maker._compiler.compile = announced
