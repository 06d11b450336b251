"""Formatting of values for a model file: in one line, numbers with as many digits as a person would write."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import yaml

from gaitwright._core.errors import ModelError
from gaitwright.model.io.files import ModelYamlDumper

PLAIN_SCALAR_PATTERN = re.compile(r"[A-Za-z][\w.-]*")
"""Texts that YAML reads without quotes, except for its keywords."""
YAML_KEYWORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "none"})
ROUNDING_DIGITS = 6
"""Decimal digits of drawn positions below the first digit of the mechanism size: micrometres for a metre."""


def format_value(value: Any, as_json: bool = False) -> str:
    """Format a value in one line of YAML, or of JSON."""
    if as_json:
        try:
            return json.dumps(value, ensure_ascii=False, allow_nan=False)
        except ValueError:
            raise ModelError("is not a finite number", value=value, expected="finite numbers") from None
    if isinstance(value, str):
        return (
            value
            if PLAIN_SCALAR_PATTERN.fullmatch(value) and value.lower() not in YAML_KEYWORDS
            else _quote_text(value)
        )
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return format_number(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{format_value(key)}: {format_value(entry)}" for key, entry in value.items()) + "}"
    return "[" + ", ".join(format_value(entry) for entry in value) + "]"


def format_number(value: float) -> str:
    """Format a number so that it reads back unchanged: 0.25, 2, 1e-05."""
    if not math.isfinite(value):
        raise ModelError("is not a finite number", value=value, expected="a finite number")
    return str(int(value)) if isinstance(value, int) or (value == int(value) and abs(value) < 1e15) else repr(value)


def round_length(value: float, size: float = 1.0) -> float:
    """Round a length or coordinate after a drag, to a millionth of the drawing size (m)."""
    digits = ROUNDING_DIGITS - math.floor(math.log10(size)) if size > 0 else ROUNDING_DIGITS
    return round(float(value), digits) + 0.0


def _quote_text(text: str) -> str:
    """Quote a text if necessary."""
    shown = yaml.dump([text], Dumper=ModelYamlDumper, default_flow_style=True, width=math.inf, allow_unicode=True)
    return shown.strip()[1:-1].strip()
