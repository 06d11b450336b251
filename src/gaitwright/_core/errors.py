"""Exceptions of Gaitwright: each message is one sentence that names the cause and the remedy."""

from __future__ import annotations

import itertools
import reprlib
from pathlib import Path
from typing import Any

MAX_MESSAGE_CHARACTERS = 600
"""Maximum length of a message: four lines of a wide terminal. Names and values come from files and may have any length."""
MESSAGE_TAIL_CHARACTERS = 200
"""Characters kept of the end of a shortened message, which contains the remedy."""


class GaitwrightError(Exception):
    """Base class of all errors that a user can cause or meet. The message is one line of limited length; the command line
    prints it without a traceback."""

    def __init__(self, *message: Any):
        super().__init__(*(single_line(part) if isinstance(part, str) else part for part in message))


def single_line(text: str) -> str:
    """The text in one line; a text longer than MAX_MESSAGE_CHARACTERS is shortened in its middle."""
    if len(text) > MAX_MESSAGE_CHARACTERS:
        text = f"{text[: MAX_MESSAGE_CHARACTERS - MESSAGE_TAIL_CHARACTERS - 5]} ... {text[-MESSAGE_TAIL_CHARACTERS:]}"
    return " ".join(text.split()) if any(ord(c) < 32 for c in text) else text


class ModelError(GaitwrightError):
    """Invalid model: the message names the element, the field, the value and the expectation."""

    element: str
    field: str
    value: Any
    expected: str

    def __init__(self, problem: str, *, element: str = "", field: str = "", value: Any = None, expected: str = ""):
        self.element, self.field, self.value, self.expected = element, field, value, expected
        where = " ".join(part for part in (element, f"field '{field}'" if field else "") if part)
        text = f"{where}: {problem}" if where else problem
        if value is not None and (value_text := abbreviate(value)) not in problem:
            text += f" (got {value_text})"
        if expected:
            text += f"; expected {expected}"
        super().__init__(text)


class _AbbreviatingRepr(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxstring, self.maxother = 6, 1000, 1000
        self.maxlist = self.maxtuple = self.maxset = 50

    def repr_int(self, x: int, level: int) -> str:
        return repr(x) if x.bit_length() < 1000 else f"a whole number of {x.bit_length()} bits"

    def repr_dict(self, x: dict[Any, Any], level: int) -> str:  # in the order of the mapping
        if level <= 0 and x:
            return "{...}"
        pairs = [f"{self.repr1(k, level - 1)}: {self.repr1(v, level - 1)}" for k, v in itertools.islice(x.items(), 20)]
        return "{" + ", ".join(pairs + ["..."] * (len(x) > 20)) + "}"


_ABBREVIATING_REPR = _AbbreviatingRepr()


def abbreviate(value: Any, width: int = 100) -> str:
    """Representation of a value for a message. Only its start is converted: lists may have millions of entries, or contain
    themselves."""
    text = _ABBREVIATING_REPR.repr(value)
    return text if len(text) <= width else text[: width - 3] + "..."


class AnalysisError(GaitwrightError):
    """An analysis that failed. Carries the time (s), the cause, a suggestion and the partial result.

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
    """Ctrl-C in one of the runs of an analysis. `partial` is the result of that run until the interrupt."""

    def __init__(self, partial: Any = None):
        self.partial = partial
        super().__init__()


class NotSaved(GaitwrightError, OSError):
    """A file could not be written, and no part of it was created. path: the file. why: reason, as text. data: its content."""

    def __init__(self, path: Path, why: str, number: int = 0, data: bytes | memoryview = b""):
        super().__init__(number, why, str(path))
        self.path, self.why, self.data = path, why, data

    def __str__(self) -> str:
        return f"'{self.path}' was not written: {self.why}"
