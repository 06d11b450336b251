"""Encoding of messages for a page as JSON. It never raises: numbers that are not finite become null, and a message that cannot
be encoded is replaced by an error message."""

from __future__ import annotations

import json
from typing import Any

from pydantic_core import to_json

from gaitwright._core.json_types import to_json_types
from gaitwright.studio.unexpected_errors import report_unexpected


def encode_message(message: dict[str, Any]) -> str:
    """Encode a message as JSON. Numbers that are not finite become null, which the page shows as a dash."""
    try:
        return to_json(message, inf_nan_mode="null", fallback=to_json_types).decode()
    except ValueError:  # a text with half of a surrogate pair, bytes
        pass
    try:
        return json.dumps(to_json_types(message), separators=(",", ":"), allow_nan=False)
    except Exception:
        sentence = report_unexpected("encoding of a message")
    if "news" in message:
        return json.dumps({"news": "defect", "message": sentence})
    number = message.get("id")
    return json.dumps({"id": number if isinstance(number, int) else None, "error": sentence, "kind": "defect"})
