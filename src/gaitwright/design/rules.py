"""Rules for designs of a kind, such as those of legs (legs/rules.py); the user may allow designs to break them.

An analysis or a measure has its rules as an attribute `rules`, by name. A design method treats a rule as a limit of its number;
a user-defined limit on the same number replaces the rule."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from gaitwright._core.error_context import ErrorContext, format_choices

ALL_RULES = "all"
"""Value of `allow` that switches all rules off."""


class DesignRule(NamedTuple):
    """Rule for designs. number: name of the limited number. low, high: None for a free side. text: requirement, as a sentence
    without a full stop."""

    number: str
    low: float | None
    high: float | None
    text: str


def require_allowed(allow: Sequence[str], known: Mapping[str, DesignRule]) -> None:
    """Raise ModelError if `allow` is not a list or contains an unknown rule."""
    if isinstance(allow, str):
        ErrorContext(field="allow").fail("is not a list", allow, f"[{allow!r}]")
    for name in allow:
        if name != ALL_RULES and name not in known:
            ErrorContext(field="allow").fail(
                "is no rule", name, format_choices(name, [*known, ALL_RULES]) if known else "nothing: no rules hold"
            )


def active_rules(
    known: Mapping[str, DesignRule], allow: Sequence[str], limited: Collection[str] = ()
) -> dict[str, DesignRule]:
    """Active rules by name. known: all rules by name. allow: names of rules that may be broken, or "all". limited: numbers with
    user-defined limits, which replace rules."""
    require_allowed(allow, known)
    if ALL_RULES in allow:
        return {}
    return {name: rule for name, rule in known.items() if name not in allow and rule.number not in limited}


def rule_limits(rules: Mapping[str, DesignRule]) -> dict[str, tuple[float | None, float | None]]:
    """Rules as limits {number: (low, high)}."""
    return {rule.number: (rule.low, rule.high) for rule in rules.values()}


def rule_names(rules: Mapping[str, DesignRule]) -> dict[str, str]:
    """Names of rules by the name of their number."""
    return {rule.number: name for name, rule in rules.items()}


def describe_allowing(names: Sequence[str]) -> str:
    """Last part of a message about designs that rules reject."""
    listed = ", ".join(f"'{name}'" for name in names)
    return f"rule{'s' if len(names) > 1 else ''} {listed}; allow={list(names)!r} or --allow {names[0]} switches one off"


def is_within(value: float, low: float | None, high: float | None) -> bool:
    """True if a number keeps a limit; False for NaN."""
    return (-math.inf if low is None else low) <= value <= (math.inf if high is None else high)
