"""How Gaitwright compiles: one decorator, one set of flags, one cache on disk (cache.py) whose files are named after all that
machine code depends on (key.py)."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numba
from numba.core import config, types
from numba.core.ccallback import CFunc
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature

from gaitwright.compiled import cache as cache_module
from gaitwright.compiled.cache import CodeCache
from gaitwright.compiled.folder import user_cache, writable_cache
from gaitwright.compiled.key import PACKAGE
from gaitwright.compiled.notice import NOTICE, seconds_for
from gaitwright.compiled.parts import Inside, PartCompiler, compiling, is_part, ready
from gaitwright.compiled.shortcuts import taking_shortcuts

__all__ = [
    "FLAGS",
    "NOTICE",
    "PACKAGE",
    "Stopwatch",
    "compiled",
    "compiled_pointer",
    "inlined",
    "put_inside",
    "user_cache",
    "writable_cache",
]

# nnan and ninf are left out on purpose: with them the compiler may delete the checks for NaN that stop a run.
FASTMATH = {"contract", "arcp", "nsz", "reassoc", "afn"}
FLAGS: dict[str, Any] = {"error_model": "numpy", "fastmath": FASTMATH, "boundscheck": False}
POINTER: dict[str, Any] = {**FLAGS, "pointer": True}
NO_WRAPPER: dict[str, Any] = {"no_cfunc_wrapper": True}  # never called from C: a tenth of the compile time


@functools.cache
def _tuple_type(parts: tuple[Any, ...]) -> Any:
    """The type of a tuple of records; None if not all are."""
    return None if None in parts else types.BaseTuple.from_types(parts)


class Function(CPUDispatcher):
    """A function that is compiled for the types of its arguments when it is first called: as a whole when Python calls it,
    as a part (parts.py) when another compiled function does."""

    def __init__(self, py_func: Any, locals: Any = None, targetoptions: Any = None, pipeline_class: Any = PartCompiler):
        super().__init__(py_func, locals, targetoptions, pipeline_class)
        _keep(self, py_func, self.targetoptions)

    def typeof_pyval(self, val: Any) -> Any:
        """Records (system/packed.py) know their type, and tuples of records theirs; Numba's own search takes longer than most
        calls."""
        known = getattr(val, "packed_type", None)
        if known is None and type(val) is tuple:
            known = _tuple_type(tuple([getattr(part, "packed_type", None) for part in val]))
        return super().typeof_pyval(val) if known is None else known

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """A number that is written in a call has no type of its own: Numba would compile the function for each such number."""
        plain = {name: types.unliteral(kind) for name, kind in kws.items()}
        return super().get_call_template(tuple(types.unliteral(kind) for kind in args), plain)

    def compile(self, sig: Any) -> Any:
        found = super().compile(sig)
        if is_part() or not isinstance(found, Inside):
            return found
        # Python calls what was a part until now.
        part = self.overloads
        self.overloads = type(part)()
        try:
            return super().compile(sig)
        finally:
            self.overloads.update(part)  # who compiles against it goes on as before

    def add_overload(self, cres: Any) -> None:
        if isinstance(cres.entry_point, Inside):
            self.overloads[tuple(cres.signature.args)] = cres  # not to be called from Python
        else:
            super().add_overload(cres)


class Step(Function):
    """A step of an inner loop: compiled for the numbers that are written in a call, which are the lengths of its own loops."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return CPUDispatcher.get_call_template(self, args, kws)


class Stopwatch:
    """Seconds of work since it was made, without those in which functions were compiled."""

    def __init__(self) -> None:
        self.began, self.before = time.perf_counter(), cache_module.SPENT

    def seconds(self) -> float:
        return time.perf_counter() - self.began - (cache_module.SPENT - self.before)


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function on its first call and keep the machine code on disk."""
    if config.DISABLE_JIT:  # pyright: ignore
        return function
    return Function(function, targetoptions={"nopython": True, **FLAGS, **NO_WRAPPER})


def inlined(function: Callable[..., Any]) -> Any:
    """Put into the caller before types are inferred: for functions that take a function as argument (a call with one
    could not be cached) and for tiny ones."""
    return numba.njit(inline="always", **FLAGS)(function)


def put_inside(function: Callable[..., Any]) -> Any:
    """Compiled as a part of its caller and put into the code of that one before it is optimised: for steps of inner loops."""
    if config.DISABLE_JIT:  # pyright: ignore
        return function
    return Step(function, targetoptions={"nopython": True, "forceinline": True, **FLAGS, **NO_WRAPPER})


def compiled_pointer(function: Callable[..., Any], signature: Any) -> Any:
    """Compile with C calling convention now, so that its `.address` can be called through a table of kernels."""
    pointer = CFunc(function, normalize_signature(signature), {}, dict(FLAGS), pipeline_class=PartCompiler)
    _keep(pointer, function, POINTER)
    pointer.compile()
    return pointer


def code_cache(function: Any, pointer: bool) -> CodeCache | None:
    """The cache of a function; None if it is not compiled here."""
    return CodeCache(function, POINTER) if pointer else getattr(function, "_cache", None)


def _keep(maker: Any, function: Callable[..., Any], options: dict[str, Any]) -> None:
    """Give a function of Numba our cache."""
    cache = maker._cache = CodeCache(function, options)
    compile_ = maker._compiler.compile

    def announced(arguments: Any, returned: Any) -> Any:
        outermost = not is_part()
        try:
            with cache_module.spending(), _as_whole(function) if outermost else nullcontext(), compiling(function):
                result = ready(compile_(arguments, returned))
        except BaseException:
            cache.unlock()  # nothing will be saved: others need not wait for it
            raise
        cache.kept.append(result)
        return result

    maker._compiler.compile = announced


@contextmanager
def _as_whole(function: Callable[..., Any]) -> Iterator[None]:
    if not NOTICE.said:
        NOTICE.expect(seconds_for(function))
    with taking_shortcuts():
        yield
