"""Standard JSON: plain numbers, and null for a number that is not finite."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright._core.output_files import save_text


def to_json_types(value: Any) -> Any:
    """Convert a value to the types of JSON."""
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, Mapping):
        return {str(key): to_json_types(entry) for key, entry in value.items()}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple, set, frozenset)):
        return [to_json_types(entry) for entry in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, complex):
        return {"real": to_json_types(value.real), "imag": to_json_types(value.imag)}
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


def to_json(value: Any, encoding: str = "utf-8") -> str:
    """JSON text of a value. encoding: encoding of the destination; characters that it lacks are escaped, so no data are
    lost."""
    text = json.dumps(to_json_types(value), indent=2, ensure_ascii=False, allow_nan=False)
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return json.dumps(to_json_types(value), indent=2, allow_nan=False)
    return text


def write_json(value: Any, path: str | Path) -> Path:
    """Write a value as a JSON file and return its path."""
    return save_text(path, to_json(value) + "\n")
