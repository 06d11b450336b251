"""Says on stderr that machine code is being made, and about how long that takes: a run would look stuck otherwise.

The time goes with the number of instructions that Python has for a function and for all that it calls: within a third of
it for everything between 0.1 and 5 s. How fast this machine is, the first compilations show.
"""

from __future__ import annotations

import sys
import time
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
    """One line for each compilation that takes longer than a second, or for several short ones that do together; none
    for what is done within the time that was said before."""

    def __init__(self) -> None:
        self.until = self.silent = 0.0
        self.slowness = 1.0  # of this machine

    @contextmanager
    def about(self, function: Any) -> Iterator[None]:
        """While the body of the `with` compiles a function that Python calls."""
        began, expected = time.monotonic(), seconds_for(function)
        self.expect(expected)
        yield
        if expected > 0.5 * SILENT:
            self.slowness = min(max((time.monotonic() - began) / expected, 0.2), 5.0)

    def expect(self, seconds: float) -> None:
        """Compilation begins that takes so long on a machine as it was meant for."""
        now, seconds = time.monotonic(), self.slowness * seconds
        if now + seconds <= self.until + SILENT:
            return
        self.silent += seconds
        if self.silent > SILENT:
            seconds = max(seconds, LEAST)
            self.until, self.silent = now + 1.5 * seconds, 0.0
            self.say(seconds)

    def say(self, seconds: float) -> None:
        print(f"compiling, first run only (about {seconds:.0f} s)", file=sys.stderr, flush=True)


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
