"""Functions that are compiled only when that pays: what is done once per model is done in Python before the compiler would
have read it, as long as models are small and few."""

from __future__ import annotations

import functools
import time
import types
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core import config
from numba.core.dispatcher import Dispatcher

from gaitwright.compiled import compiled

SMALL, PAYS = 3000, 0.2
"""Numbers in the arrays that a function is given, up to which it may run in Python; seconds that this may cost in one
process before it is compiled."""


class Later:
    """A function that Python calls, with arrays of integers: there Python gives the same as compiled code, to the bit."""

    def __init__(self, function: Callable[..., Any]):
        self.function, self.compiled = function, compiled(function)
        self.spent = 0.0

    @functools.cached_property
    def python(self) -> Callable[..., Any]:
        return in_python(self.function)

    def __call__(self, *arguments: Any) -> Any:
        numbers = sum(argument.size for argument in arguments if isinstance(argument, np.ndarray))
        if numbers > SMALL or self.spent > PAYS or config.DISABLE_JIT:  # pyright: ignore
            return self.compiled(*arguments)
        began = time.perf_counter()
        found = self.python(*arguments)
        self.spent += time.perf_counter() - began
        return found


def in_python(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, which calls in Python what it calls."""
    code: types.CodeType = function.__code__
    scope = dict(function.__globals__)
    for name in code.co_names:
        if isinstance(scope.get(name), Dispatcher):
            scope[name] = in_python(scope[name].py_func)
    return types.FunctionType(code, scope, function.__name__, function.__defaults__, function.__closure__)
