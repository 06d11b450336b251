"""JSON that every reader accepts: plain numbers, and null where a number is not finite."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.saving import save_text


def plain(value: Any) -> Any:
    """The same data in the types of JSON."""
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(entry) for entry in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, complex):
        return {"real": plain(value.real), "imag": plain(value.imag)}
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


def to_json(value: Any, encoding: str = "utf-8") -> str:
    """encoding: of where it goes to. Letters that it does not have are escaped, so that the data stay what they are."""
    text = json.dumps(plain(value), indent=2, ensure_ascii=False, allow_nan=False)
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return json.dumps(plain(value), indent=2, allow_nan=False)
    return text


def write_json(value: Any, path: str | Path) -> Path:
    return save_text(path, to_json(value) + "\n")
