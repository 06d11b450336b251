"""Compilation with Numba: one decorator, one set of flags, and one cache on disk (cache.py); its file names contain a hash
of everything that the machine code depends on (cache_key.py).

Only this package imports Numba and llvmlite; each technique that relies on Numba's internals is one module, named after it."""

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

from gaitwright.jit import cache as cache_module
from gaitwright.jit.cache import CodeCache
from gaitwright.jit.cache_folder import user_cache, writable_cache
from gaitwright.jit.cache_key import PACKAGE_FOLDER
from gaitwright.jit.callee_compilation import CalleeCompiler, InlinedCode, callee_scope, finish_result, is_callee
from gaitwright.jit.compilation_notice import COMPILATION_NOTICE, estimate_compile_seconds
from gaitwright.jit.numba_patches import apply_numba_patches

__all__ = [
    "COMPILATION_NOTICE",
    "COMPILE_FLAGS",
    "PACKAGE_FOLDER",
    "Stopwatch",
    "compile_cfunc",
    "force_inline",
    "inline_always",
    "jit_compile",
    "user_cache",
    "writable_cache",
]

# nnan and ninf are omitted on purpose: with them the compiler may delete the NaN checks that stop a run.
FASTMATH_FLAGS = {"contract", "arcp", "nsz", "reassoc", "afn"}
COMPILE_FLAGS: dict[str, Any] = {"error_model": "numpy", "fastmath": FASTMATH_FLAGS, "boundscheck": False}
CFUNC_FLAGS: dict[str, Any] = {**COMPILE_FLAGS, "pointer": True}
NO_WRAPPER_FLAGS: dict[str, Any] = {"no_cfunc_wrapper": True}  # never called from C: a tenth of the compile time


@functools.cache
def _record_tuple_type(parts: tuple[Any, ...]) -> Any:
    """Numba type of a tuple of records, or None if some elements are no records."""
    return None if None in parts else types.BaseTuple.from_types(parts)


class CompiledFunction(CPUDispatcher):
    """Function compiled on its first call for the types of its arguments: as stand-alone code for calls from Python, as
    intermediate code (callee_compilation.py) for calls from another compiled function."""

    def __init__(
        self, py_func: Any, locals: Any = None, targetoptions: Any = None, pipeline_class: Any = CalleeCompiler
    ):
        super().__init__(py_func, locals, targetoptions, pipeline_class)
        _attach_cache(self, py_func, self.targetoptions)

    def typeof_pyval(self, val: Any) -> Any:
        """Numba type of an argument. Records (jit/pointer_records.py) store their type, and types of tuples of records are
        cached, because Numba's own lookup takes longer than most calls."""
        record_type = getattr(val, "packed_type", None)
        if record_type is None and type(val) is tuple:
            record_type = _record_tuple_type(tuple([getattr(part, "packed_type", None) for part in val]))
        return super().typeof_pyval(val) if record_type is None else record_type

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Treat literal numbers as plain ones; otherwise Numba would compile the function for each literal value."""
        plain = {name: types.unliteral(kind) for name, kind in kws.items()}
        return super().get_call_template(tuple(types.unliteral(kind) for kind in args), plain)

    def compile(self, sig: Any) -> Any:
        result = super().compile(sig)
        if is_callee() or not isinstance(result, InlinedCode):
            return result
        # Compile a stand-alone version: so far this function was only compiled for inlining into callers.
        part = self.overloads
        self.overloads = type(part)()
        try:
            return super().compile(sig)
        finally:
            self.overloads.update(part)  # callers compiled against it still find their version

    def add_overload(self, cres: Any) -> None:
        if isinstance(cres.entry_point, InlinedCode):
            self.overloads[tuple(cres.signature.args)] = cres  # not to be called from Python
        else:
            super().add_overload(cres)


class InlinedFunction(CompiledFunction):
    """Step of an inner loop. Compiled separately for literal numbers in a call, which are the lengths of its loops."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return CPUDispatcher.get_call_template(self, args, kws)


class Stopwatch:
    """Elapsed seconds since construction, excluding compilation time."""

    def __init__(self) -> None:
        self.began, self.before = time.perf_counter(), cache_module.COMPILE_SECONDS

    def seconds(self) -> float:
        return time.perf_counter() - self.began - (cache_module.COMPILE_SECONDS - self.before)


def jit_compile(function: Callable[..., Any]) -> Any:
    """Compile a function on its first call and store the machine code on disk."""
    if config.DISABLE_JIT:  # pyright: ignore
        return function
    return CompiledFunction(function, targetoptions={"nopython": True, **COMPILE_FLAGS, **NO_WRAPPER_FLAGS})


def inline_always(function: Callable[..., Any]) -> Any:
    """Inline the function into its caller before type inference: for functions that take a function as argument (such a call
    could not be cached) and for tiny functions."""
    return numba.njit(inline="always", **COMPILE_FLAGS)(function)


def force_inline(function: Callable[..., Any]) -> Any:
    """Compile as part of the caller and inline before optimisation: for steps of inner loops."""
    if config.DISABLE_JIT:  # pyright: ignore
        return function
    return InlinedFunction(
        function, targetoptions={"nopython": True, "forceinline": True, **COMPILE_FLAGS, **NO_WRAPPER_FLAGS}
    )


def compile_cfunc(function: Callable[..., Any], signature: Any) -> Any:
    """Compile immediately with C calling convention, so that its `.address` can be called through a table of kernels."""
    pointer = CFunc(function, normalize_signature(signature), {}, dict(COMPILE_FLAGS), pipeline_class=CalleeCompiler)
    _attach_cache(pointer, function, CFUNC_FLAGS)
    pointer.compile()
    return pointer


def code_cache(function: Any, pointer: bool) -> CodeCache | None:
    """Cache of a function, or None if Gaitwright does not compile it."""
    return CodeCache(function, CFUNC_FLAGS) if pointer else getattr(function, "_cache", None)


def _attach_cache(maker: Any, function: Callable[..., Any], options: dict[str, Any]) -> None:
    """Replace the cache of a Numba dispatcher or C callback by a CodeCache."""
    cache = maker._cache = CodeCache(function, options)
    compile_ = maker._compiler.compile

    def announced(arguments: Any, returned: Any) -> Any:
        outermost = not is_callee()
        try:
            with (
                cache_module.measure_compile_time(),
                _outermost_compilation(function) if outermost else nullcontext(),
                callee_scope(function),
            ):
                result = finish_result(compile_(arguments, returned))
        except BaseException:
            cache.unlock()  # nothing will be saved: release processes that wait for it
            raise
        cache.kept.append(result)
        return result

    maker._compiler.compile = announced


@contextmanager
def _outermost_compilation(function: Callable[..., Any]) -> Iterator[None]:
    if not COMPILATION_NOTICE.said:
        COMPILATION_NOTICE.expect(estimate_compile_seconds(function))
    with apply_numba_patches():
        yield
