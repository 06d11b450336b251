"""Notice on stderr that code is being compiled, with a lower bound of the time; otherwise a run would seem to hang.

The estimate is proportional to the number of bytecode instructions of a function and its callees: accurate within a third
for everything between 0.1 and 5 s.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

from numba.core.dispatcher import Dispatcher

from gaitwright.jit.cache import CODE_FOLDER_NAME
from gaitwright.jit.cache_folder import user_cache
from gaitwright.jit.cache_key import describe_value

SECONDS_PER_CODE_BYTE = 2e-4
"""Compile time per byte of bytecode, s, on the two cores for which the limits of `bench startup` are set."""
CACHED_TIME_FRACTION = 0.3
"""Fraction of the compile time for code already compiled for another function: it is optimised once more with its caller."""
MAX_SILENT_COMPILE_SECONDS, MIN_ANNOUNCED_SECONDS = 1.0, 3.0
"""Compile time without a notice, and smallest announced time, s: the first function is rarely the only one."""


class CompilationNotice:
    """One line per process, before the first compilation that takes longer than a second, or before the first of several short
    ones that exceed a second together. Later compilations are unknown then: the line gives a lower bound."""

    def __init__(self) -> None:
        self.silent, self.said = 0.0, False

    def expect(self, seconds: float) -> None:
        """Register a compilation about to begin, with its estimated time in seconds."""
        self.silent += seconds
        if self.silent > MAX_SILENT_COMPILE_SECONDS and not self.said:
            self.said = True
            self.say(max(seconds, MIN_ANNOUNCED_SECONDS))

    def say(self, seconds: float) -> None:
        print(f"compiling, first run only ({seconds:.0f} s or more)", file=sys.stderr, flush=True)


COMPILATION_NOTICE = CompilationNotice()


def estimate_compile_seconds(*functions: Callable[..., Any]) -> float:
    """Estimated seconds to compile functions with all their callees; less for callees already compiled."""
    cached_names = _cached_callee_names()
    total, visited, waiting = 0.0, set(), [(function, 1.0) for function in functions]
    while waiting:
        function, part = waiting.pop()
        if isinstance(function, Dispatcher):
            if function.overloads or function.py_func.__name__ in cached_names:
                part = CACHED_TIME_FRACTION
            function = function.py_func
        if id(function) in visited or not isinstance(function, types.FunctionType):
            continue
        visited.add(id(function))
        _, named = describe_value(function)
        if named:  # functions of other packages have no description
            total += part * len(function.__code__.co_code)
            waiting += [(referenced, part) for _, referenced in named]
    return SECONDS_PER_CODE_BYTE * total


def _cached_callee_names() -> set[str]:
    """Names of functions with cached intermediate code."""
    try:
        return {path.name.split("-part-")[0] for path in (user_cache() / CODE_FOLDER_NAME).glob("*-part-*.bin")}
    except OSError:
        return set()
