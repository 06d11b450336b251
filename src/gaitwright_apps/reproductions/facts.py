"""Facts of an experiment, looked up by path, for the sheets of printed numbers.

    runs/rigid gill/wall.normal_force/max        an output of a run, reduced to its maximum
    moments/0.8/deepest/*1e6                      an attribute of an entry, times a million

A step of a path is a key of a mapping, an index of a list, an output of a run, one of VALUE_REDUCTIONS, a factor or an
attribute.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from gaitwright._core.errors import ModelError

VALUE_REDUCTIONS: dict[str, Callable[[Any], Any]] = {
    "first": lambda values: values[0], "last": lambda values: values[-1], "max": np.max, "min": np.min, "mean": np.mean,
    "sum": np.sum, "span": np.ptp, "largest": lambda values: np.max(np.abs(values)), "count": len,
    "degrees": np.degrees, "abs": np.abs, "listed": lambda values: ", ".join(map(path_key, values)),
}  # fmt: skip
"""Reductions of several values in a path."""


SentenceTemplate = str | dict[str, Any] | list[Any]
BRACED_PATH_PATTERN = re.compile("{([^{}]+)}")
PATH_SEPARATOR_PATTERN = re.compile("(?<! )/(?! )")
"""Separator of path steps; a slash with spaces around it belongs to a name, `m L^2 / 12`."""


class LazyFacts(dict[str, Any]):
    """Mapping that computes its entries on first access."""

    def __init__(self, compute: Callable[[str], Any]):
        super().__init__()
        self.compute = compute

    def __contains__(self, key: object) -> bool:
        return True

    def __missing__(self, key: str) -> Any:
        self[key] = self.compute(key)
        return self[key]


def path_key(key: Any) -> str:
    """Key as written in a path: 0.8, or 0.1,5 for a pair."""
    if isinstance(key, tuple):
        return ",".join(map(path_key, key))
    return f"{key:g}" if isinstance(key, float) else str(key)


def look_up_fact(facts: Any, path: str) -> Any:
    """Look up a path. facts: a mapping, or an object with attributes. Raises ModelError for an unknown step."""
    fact = facts
    for name in PATH_SEPARATOR_PATTERN.split(path):
        try:
            fact = _follow_step(fact, name)
        except (KeyError, IndexError, AttributeError, ValueError, ModelError):
            expected = (
                f"one of {', '.join(map(path_key, fact))}"
                if isinstance(fact, Mapping)
                else "a name that is known there"
            )
            raise ModelError("is not known", element=f"path '{path}'", value=name, expected=expected) from None
    return fact


def _follow_step(value: Any, name: str) -> Any:
    if hasattr(value, "catalogue"):  # a run
        return getattr(value, name) if hasattr(value, name) else value.array(name)
    if name in getattr(value, "_fields", ()):  # a named tuple
        return getattr(value, name)
    if name.startswith("*"):
        return float(name[1:]) * np.asarray(value, dtype=float)
    if isinstance(value, Mapping) and (name in value or name != "count"):
        return value[name] if name in value else {path_key(key): entry for key, entry in value.items()}[name]
    if name in VALUE_REDUCTIONS and (isinstance(value, (np.ndarray, Collection)) or name in ("degrees", "abs")):
        return VALUE_REDUCTIONS[name](value)
    if isinstance(value, (np.ndarray, Sequence)) and not hasattr(value, name):
        return value[int(name)]
    return getattr(value, name)


def evaluate_fact(facts: Any, entry: Any) -> Any:
    """Evaluate a number, a path, or an expression with paths in braces, in the language of model files:
    `abs({ours/max}/{theirs/max} - 1) < 0.01` is 1 if it holds."""
    if not isinstance(entry, str):
        return entry
    if "{" not in entry:
        try:
            return float(entry)
        except ValueError:
            return look_up_fact(facts, entry)
    from gaitwright.model.expressions import resolve_parameters

    values: dict[str, float | str] = {}

    def name(match: re.Match[str]) -> str:
        values[f"path{len(values)}"] = float(look_up_fact(facts, match[1]))
        return f"path{len(values) - 1}"

    return resolve_parameters({"value": BRACED_PATH_PATTERN.sub(name, entry), **values})["value"]


class _FactFormatter(string.Formatter):
    def get_field(self, field_name: str, args: Any, kwargs: Any) -> tuple[Any, str]:
        return look_up_fact(args[0], field_name), field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        return format(value.item() if isinstance(value, np.ndarray) else value, format_spec)


def fill_sentence(text: str, facts: Any) -> str:
    """Fill the paths in braces of a sentence: `at {runs/rigid/time/last:.3g} s`."""
    return _FactFormatter().vformat(text, (facts,), {}) if "{" in text else text


def render_sentence(template: SentenceTemplate, facts: Any) -> str:
    """Render a sentence; for {if: expression, say: ..., else: ...} the selected branch; for a list its parts,
    concatenated."""
    if isinstance(template, dict):
        return render_sentence(
            template["say"] if evaluate_fact(facts, template["if"]) else template.get("else", ""), facts
        )
    return (
        "".join(render_sentence(part, facts) for part in template)
        if isinstance(template, list)
        else fill_sentence(template, facts)
    )
