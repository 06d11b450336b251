"""Every way in which Gaitwright says no: one clear sentence that names the culprit and the way out."""

from __future__ import annotations

import itertools
import reprlib
from pathlib import Path
from typing import Any

LONGEST = 600
"""Characters of a message: four lines of a wide terminal. Names and values come from files, and may be of any length."""
TAIL = 200
"""Of these, what is kept of the end, where the way out is."""


class GaitwrightError(Exception):
    """Base of all errors a user can cause or meet: one line of bounded length. The command line prints these without a
    traceback."""

    def __init__(self, *said: Any):
        super().__init__(*(one_sentence(part) if isinstance(part, str) else part for part in said))


def one_sentence(text: str) -> str:
    """The text in one line; what is too long loses its middle."""
    if len(text) > LONGEST:
        text = f"{text[: LONGEST - TAIL - 5]} ... {text[-TAIL:]}"
    return " ".join(text.split()) if any(ord(c) < 32 for c in text) else text


class ModelError(GaitwrightError):
    """The model as written cannot be right: names the element, the field, the value and what was expected."""

    element: str
    field: str
    value: Any
    expected: str

    def __init__(self, problem: str, *, element: str = "", field: str = "", value: Any = None, expected: str = ""):
        self.element, self.field, self.value, self.expected = element, field, value, expected
        where = " ".join(part for part in (element, f"field '{field}'" if field else "") if part)
        text = f"{where}: {problem}" if where else problem
        if value is not None and (shown := brief(value)) not in problem:
            text += f" (got {shown})"
        if expected:
            text += f"; expected {expected}"
        super().__init__(text)


class _Brief(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxstring, self.maxother = 6, 1000, 1000
        self.maxlist = self.maxtuple = self.maxset = 50

    def repr_int(self, x: int, level: int) -> str:
        return repr(x) if x.bit_length() < 1000 else f"a whole number of {x.bit_length()} bits"

    def repr_dict(self, x: dict[Any, Any], level: int) -> str:  # in the order in which it was written
        if level <= 0 and x:
            return "{...}"
        pairs = [f"{self.repr1(k, level - 1)}: {self.repr1(v, level - 1)}" for k, v in itertools.islice(x.items(), 20)]
        return "{" + ", ".join(pairs + ["..."] * (len(x) > 20)) + "}"


_BRIEF = _Brief()


def brief(value: Any, width: int = 100) -> str:
    """A value as it is shown in a message. Only its begin is looked at: lists may have millions of entries, or themselves."""
    text = _BRIEF.repr(value)
    return text if len(text) <= width else text[: width - 3] + "..."


class AnalysisError(GaitwrightError):
    """An analysis had to stop. Carries the time (s), the cause, a suggestion and what was computed until then.

    `partial` is a Result with everything up to the failure, or None when nothing was computed."""

    cause: str
    time: float | None
    suggestion: str
    partial: Any

    def __init__(self, cause: str, *, time: float | None = None, suggestion: str = "", partial: Any = None):
        self.cause, self.time, self.suggestion, self.partial = cause, time, suggestion, partial
        text = cause if time is None else f"at t = {time:.6g} s: {cause}"
        super().__init__(f"{text}; {suggestion}" if suggestion else text)


class AssemblyError(AnalysisError):
    """The joints cannot be closed from the drawn pose. `open_joints` maps joint name to its gap in metres (or rad)."""

    open_joints: dict[str, float]

    def __init__(self, cause: str, *, open_joints: dict[str, float] | None = None, **rest: Any):
        self.open_joints = open_joints or {}
        super().__init__(cause, **rest)


class SingularPose(AnalysisError):
    """The mechanism reached a pose in which its joints no longer determine the motion. `joints` names the ones involved."""

    def __init__(self, cause: str, *, joints: tuple[str, ...] = (), **rest: Any):
        self.joints = joints
        super().__init__(cause, **rest)


class OutOfBudget(AnalysisError):
    """An analysis has taken all the steps or the wall time that it may (max_steps, max_seconds)."""


class DidNotConverge(AnalysisError):
    """A Newton iteration, a step-size control or a search did not reach its tolerance, or a number became NaN."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in one of the runs that an analysis is made of. `partial` is that run, as far as it came."""

    def __init__(self, partial: Any = None):
        self.partial = partial
        super().__init__()


class NotSaved(GaitwrightError, OSError):
    """A file could not be written, and nothing of it is there. path: which. why: in words. data: what it would hold."""

    def __init__(self, path: Path, why: str, number: int = 0, data: bytes | memoryview = b""):
        super().__init__(number, why, str(path))
        self.path, self.why, self.data = path, why, data

    def __str__(self) -> str:
        return f"'{self.path}' was not written: {self.why}"
