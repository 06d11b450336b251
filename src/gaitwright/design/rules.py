"""Rules that designs of a kind have to keep unless they are allowed to break them, such as those of legs (legs/rules.py).

An analysis or a measure has its rules as an attribute `rules`, by name. A design method treats a rule as a limit of its number;
a limit of the user's own on the same number takes the place of the rule."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gaitwright.checks import At, offer

ALL = "all"
"""What is allowed where no rule holds."""


class Rule(NamedTuple):
    """number: which one is limited, by name. low, high: None for a free side. text: what the rule demands, as a sentence
    without its end."""

    number: str
    low: float | None
    high: float | None
    text: str


def require_allowed(allow: Sequence[str], known: Mapping[str, Rule]) -> None:
    """ModelError names a rule that does not exist."""
    if isinstance(allow, str):
        At(field="allow").fail("is not a list", allow, f"[{allow!r}]")
    for name in allow:
        if name != ALL and name not in known:
            At(field="allow").fail(
                "is no rule", name, offer(name, [*known, ALL]) if known else "nothing: no rules hold"
            )


def active_rules(source: Any, allow: Sequence[str], limited: Sequence[str] = ()) -> dict[str, Rule]:
    """The rules that hold, by name. source: what has them: an analysis or a measure. allow: names of rules that may be broken,
    or "all". limited: numbers that have limits of the user's own."""
    known: Mapping[str, Rule] = getattr(source, "rules", {})
    require_allowed(allow, known)
    if ALL in allow:
        return {}
    return {name: rule for name, rule in known.items() if name not in allow and rule.number not in limited}


def rule_limits(rules: Mapping[str, Rule]) -> dict[str, tuple[float | None, float | None]]:
    """The rules as limits by number."""
    return {rule.number: (rule.low, rule.high) for rule in rules.values()}


def rule_names(rules: Mapping[str, Rule]) -> dict[str, str]:
    """Names of rules by their number."""
    return {rule.number: name for name, rule in rules.items()}


def how_to_allow(names: Sequence[str]) -> str:
    """The end of a message about designs that rules reject."""
    listed = ", ".join(f"'{name}'" for name in names)
    return f"rule{'s' if len(names) > 1 else ''} {listed}; allow={list(names)!r} or --allow {names[0]} switches one off"


def within(value: float, low: float | None, high: float | None) -> bool:
    """Whether a number keeps a limit; NaN does not."""
    return (-math.inf if low is None else low) <= value <= (math.inf if high is None else high)
