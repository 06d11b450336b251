"""What an experiment knows, by path, as the sheets of printed numbers name it.

    runs/rigid gill/wall.normal_force/max        an output of a run, and what to take of it
    moments/0.8/deepest/*1e6                      an attribute of an entry, times a million

A step of a path is a key of a mapping, a place in a list, an output of a run, one of TAKES, a factor or an attribute.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from gaitwright.errors import ModelError

TAKES: dict[str, Callable[[Any], Any]] = {
    "first": lambda values: values[0], "last": lambda values: values[-1], "max": np.max, "min": np.min, "mean": np.mean,
    "sum": np.sum, "span": np.ptp, "largest": lambda values: np.max(np.abs(values)), "count": len,
    "degrees": np.degrees, "abs": np.abs, "listed": lambda values: ", ".join(map(said, values)),
}  # fmt: skip
"""What a path may take of several values."""


Sentence = str | dict[str, Any] | list[Any]
IN_BRACES = re.compile("{([^{}]+)}")
SLASH = re.compile("(?<! )/(?! )")
"""Between two steps; one with spaces around it belongs to a name, `m L^2 / 12`."""


class Asked(dict[str, Any]):
    """Entries that are computed when they are first asked for."""

    def __init__(self, compute: Callable[[str], Any]):
        super().__init__()
        self.compute = compute

    def __contains__(self, key: object) -> bool:
        return True

    def __missing__(self, key: str) -> Any:
        self[key] = self.compute(key)
        return self[key]


def said(key: Any) -> str:
    """A key as a path names it: 0.8, or 0.1,5 for a pair."""
    if isinstance(key, tuple):
        return ",".join(map(said, key))
    return f"{key:g}" if isinstance(key, float) else str(key)


def look_up(known: Any, path: str) -> Any:
    """What a path leads to. known: a mapping, or an object with attributes."""
    found = known
    for name in SLASH.split(path):
        try:
            found = _step(found, name)
        except (KeyError, IndexError, AttributeError, ValueError, ModelError):
            has = (
                f"one of {', '.join(map(said, found))}" if isinstance(found, Mapping) else "a name that is known there"
            )
            raise ModelError("is not known", element=f"path '{path}'", value=name, expected=has) from None
    return found


def _step(found: Any, name: str) -> Any:
    if hasattr(found, "catalogue") and not hasattr(found, name):  # a run
        return found.values(name)
    if name in getattr(found, "_fields", ()):  # a named tuple
        return getattr(found, name)
    if name.startswith("*"):
        return float(name[1:]) * np.asarray(found, dtype=float)
    if isinstance(found, Mapping) and (name in found or name != "count"):
        return found[name] if name in found else {said(key): value for key, value in found.items()}[name]
    if name in TAKES and (isinstance(found, (np.ndarray, Collection)) or name in ("degrees", "abs")):
        return TAKES[name](found)
    if isinstance(found, (np.ndarray, Sequence)) and not hasattr(found, name):
        return found[int(name)]
    return getattr(found, name)


def work_out(known: Any, given: Any) -> Any:
    """A number as it is, what a path leads to, or an expression with paths in braces, in the language of model files:
    `abs({ours/max}/{theirs/max} - 1) < 0.01`, which is 1 if it holds."""
    if not isinstance(given, str):
        return given
    if "{" not in given:
        try:
            return float(given)
        except ValueError:
            return look_up(known, given)
    from gaitwright.model.expressions import resolve_parameters

    values: dict[str, float | str] = {}

    def name(found: re.Match[str]) -> str:
        values[f"path{len(values)}"] = float(look_up(known, found[1]))
        return f"path{len(values) - 1}"

    return resolve_parameters({"value": IN_BRACES.sub(name, given), **values})["value"]


class _Filler(string.Formatter):
    def get_field(self, field_name: str, args: Any, kwargs: Any) -> tuple[Any, str]:
        return look_up(args[0], field_name), field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        return format(value.item() if isinstance(value, np.ndarray) else value, format_spec)


def fill(text: str, known: Any) -> str:
    """A sentence with what its paths in braces lead to: `at {runs/rigid/time/last:.3g} s`."""
    return _Filler().vformat(text, (known,), {}) if "{" in text else text


def say(given: Sentence, known: Any) -> str:
    """A sentence, filled in; of {if: expression, say: ..., else: ...} what holds; of a list its parts, one after another."""
    if isinstance(given, dict):
        return say(given["say"] if work_out(known, given["if"]) else given.get("else", ""), known)
    return "".join(say(part, known) for part in given) if isinstance(given, list) else fill(given, known)
