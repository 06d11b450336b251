"""Says on stderr that machine code is being made, and how long that takes at least: a run would look stuck otherwise.

The time goes with the number of instructions that Python has for a function and for all that it calls: within a third of
it for everything between 0.1 and 5 s.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

from numba.core.dispatcher import Dispatcher

from gaitwright.compiled.cache import CODE
from gaitwright.compiled.folder import user_cache
from gaitwright.compiled.key import described

PER_BYTE = 2e-4
"""Seconds per byte of instructions; on the two cores that the limits of `bench startup` are meant for."""
KEPT = 0.3
"""Part of the time that code takes which was made for another function before: it is optimised once more with its caller."""
SILENT, LEAST = 1.0, 3.0
"""Seconds of compilation that need no notice, and that are said at least: the first function seldom comes alone."""


class Notice:
    """One line in a process, before the first compilation that takes longer than a second, or the first of several short ones
    that do together. What follows is not known then: the line says the least."""

    def __init__(self) -> None:
        self.silent, self.said = 0.0, False

    def expect(self, seconds: float) -> None:
        """Compilation begins that takes so long on a machine as it was meant for."""
        self.silent += seconds
        if self.silent > SILENT and not self.said:
            self.said = True
            self.say(max(seconds, LEAST))

    def say(self, seconds: float) -> None:
        print(f"compiling, first run only ({seconds:.0f} s or more)", file=sys.stderr, flush=True)


NOTICE = Notice()


def seconds_for(*functions: Callable[..., Any]) -> float:
    """How long compiling functions with all that they call takes, less for what was compiled before."""
    made = _made_before()
    total, seen, waiting = 0.0, set(), [(function, 1.0) for function in functions]
    while waiting:
        thing, part = waiting.pop()
        if isinstance(thing, Dispatcher):
            if thing.overloads or thing.py_func.__name__ in made:
                part = KEPT
            thing = thing.py_func
        if id(thing) in seen or not isinstance(thing, types.FunctionType):
            continue
        seen.add(id(thing))
        _, named = described(thing)
        if named:  # nothing is told of functions of other packages
            total += part * len(thing.__code__.co_code)
            waiting += [(other, part) for _, other in named]
    return PER_BYTE * total


def _made_before() -> set[str]:
    """Names of functions of which there is code that others can take over."""
    try:
        return {path.name.split("-part-")[0] for path in (user_cache() / CODE).glob("*-part-*.bin")}
    except OSError:
        return set()
