"""Deferred compilation: work done once per model runs in Python as long as models are small and few, since compiling would
take longer than the work."""

from __future__ import annotations

import functools
import time
import types
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core import config
from numba.core.dispatcher import Dispatcher

from gaitwright.jit import jit_compile

MAX_PYTHON_ARRAY_SIZE, MAX_PYTHON_SECONDS = 3000, 0.2
"""Maximum total size of the array arguments for execution in Python, and maximum time (s) that one process spends in Python
before it compiles the function."""


class LazyCompiled:
    """Function called from Python with integer arrays: there Python gives the same result as compiled code, bit for bit."""

    def __init__(self, function: Callable[..., Any]):
        self.function, self.compiled = function, jit_compile(function)
        self.spent = 0.0

    @functools.cached_property
    def python(self) -> Callable[..., Any]:
        return as_python_function(self.function)

    def __call__(self, *arguments: Any) -> Any:
        numbers = sum(argument.size for argument in arguments if isinstance(argument, np.ndarray))
        if numbers > MAX_PYTHON_ARRAY_SIZE or self.spent > MAX_PYTHON_SECONDS or config.DISABLE_JIT:  # pyright: ignore
            return self.compiled(*arguments)
        began = time.perf_counter()
        result = self.python(*arguments)
        self.spent += time.perf_counter() - began
        return result


def as_python_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the same function with its compiled callees replaced by their Python versions."""
    code: types.CodeType = function.__code__
    scope = dict(function.__globals__)
    for name in code.co_names:
        if isinstance(scope.get(name), Dispatcher):
            scope[name] = as_python_function(scope[name].py_func)
    return types.FunctionType(code, scope, function.__name__, function.__defaults__, function.__closure__)
