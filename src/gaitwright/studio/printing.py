"""Values as they are written into a model file: in one line, numbers with as many digits as a person would give them."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import yaml

from gaitwright.errors import ModelError
from gaitwright.model.files import Writer

PLAIN = re.compile(r"[A-Za-z][\w.-]*")
"""Texts that YAML reads as they are, but for a few words."""
WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "none"})
ROUNDED = 6
"""Digits behind the first of the size of a mechanism that places drawn by hand have: micrometres of a metre."""


def written(value: Any, as_json: bool = False) -> str:
    """A value in one line of YAML, or of JSON."""
    if as_json:
        try:
            return json.dumps(value, ensure_ascii=False, allow_nan=False)
        except ValueError:
            raise ModelError("is not a finite number", value=value, expected="finite numbers") from None
    if isinstance(value, str):
        return value if PLAIN.fullmatch(value) and value.lower() not in WORDS else _dumped(value)
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{written(key)}: {written(entry)}" for key, entry in value.items()) + "}"
    return "[" + ", ".join(written(entry) for entry in value) + "]"


def number(value: float) -> str:
    """A number that reads back as it is: 0.25, 2, 1e-05."""
    if not math.isfinite(value):
        raise ModelError("is not a finite number", value=value, expected="a finite number")
    return str(int(value)) if isinstance(value, int) or (value == int(value) and abs(value) < 1e15) else repr(value)


def rounded(value: float, size: float = 1.0) -> float:
    """A length or coordinate as it is written after a drag: to a millionth of the size (m) of what is drawn."""
    digits = ROUNDED - math.floor(math.log10(size)) if size > 0 else ROUNDED
    return round(float(value), digits) + 0.0


def _dumped(text: str) -> str:
    """A text in quotes, where it needs some."""
    shown = yaml.dump([text], Dumper=Writer, default_flow_style=True, width=math.inf, allow_unicode=True)
    return shown.strip()[1:-1].strip()
