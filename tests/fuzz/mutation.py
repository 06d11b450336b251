"""Mutations of documents, texts and bytes, such as typing errors, other programs or an attacker produce.

Every function takes a source of randomness like random.Random, so that Hypothesis can drive it (st.randoms) and shrink what
it finds."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

NUMBERS = [
    0, -1, 1, 2, 3, 0.5, -0.0, 1e-300, 1e-12, 1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9, 1e12, 1e15, 1e100, 1e300, 1.7e308, -1e300,
    5e-324, float("nan"), float("inf"), -float("inf"), 10**30, 10**400, -(10**400), 2**31, 2**63, 2**64, True, False,
]  # fmt: skip
HTML = [
    "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"><b>", "&lt;", "{{7*7}}", "${1}", "<!--", "]]>",
]  # fmt: skip
TEXTS = [
    "", " ", "a", "t", "s", "ground", "ground.O", "centre", "no", "null", "~", "nan", "inf", "-inf", "1e400", "0x10", "1_0",
    "1,5", "240 mm", "__class__", "__import__('os')", "../../etc/passwd", "/etc/passwd", "/dev/zero", "/dev/stdin", "file\x00",
    "a\nb", "\t", "\u202e", "é" * 50, "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"), "a" * 5000, "%s%n",
    "'; DROP", "\\", "1/0", "0/0", "t^t", "1e308*10", "-t", "sqrt(-1)", "log(0)", "t/0", "1/t", "1e9*t", "1e300*t",
    "exp(1e3*t)", "tan(1e9*t)", "t^400", "t^0.5", "sqrt(t)", "if(t < 0.1, 0, 1e9)",
    "(" * 50 + "t" + ")" * 50, "-" * 90 + "1", "9^9^9^9",
    "t%0", "atan2(0, 0)", "min(" + "t," * 200 + "1)", "+".join(["sin(t)"] * 300), *HTML,
]  # fmt: skip
SIGNS = [*"()[]{}<>:,;#&*!|%@`\"'\\\n\t\r\x00= -+.eE0"]
OTHERS: list[Any] = [
    None,
    [],
    {},
    [[]],
    [None],
    {"": 1},
    {"a": {"b": {}}},
    [1, 2],
    [1, 2, 3],
    [0, 0],
    [0, 0, 0],
    ["a", "b"],
]


def places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Ways to every part of a document, the whole left out."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, part in parts for found in ((*way, key), *places(part, (*way, key)))]


def at(document: Any, way: tuple[Any, ...]) -> Any:
    for key in way:
        document = document[key]
    return document


def mutated(document: dict[str, Any], random: Random, most: int = 3) -> dict[str, Any]:
    """The document with one to `most` mutations. Half of all have other numbers alone: most other mutations are refused
    before anything is computed."""
    document = copy.deepcopy(document)
    only_numbers = random.randint(0, 1)
    for _ in range(random.randint(1, most)):
        paths = places(document)
        numbers = [way for way in paths if _is_number(at(document, way))]
        if only_numbers and numbers:
            way = random.choice(numbers)
            at(document, way[:-1])[way[-1]] = _number(at(document, way), random)
        elif paths:
            _mutate(document, random.choice(paths), random)
    return document


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _mutate(document: dict[str, Any], way: tuple[Any, ...], random: Random) -> None:
    above, key = at(document, way[:-1]), way[-1]
    old = above[key]
    kind = random.randint(0, 9)
    if kind <= 2 or (kind <= 4 and isinstance(old, (int, float))):
        above[key] = _number(old, random)
    elif kind == 3 or (kind == 4 and isinstance(old, str)):
        above[key] = random.choice(TEXTS)
    elif kind == 5:
        above[key] = copy.deepcopy(random.choice(OTHERS))
    elif kind == 6:
        del above[key]
    elif kind == 7:  # something else of the same document
        above[key] = copy.deepcopy(at(document, random.choice(places(document))))
    elif kind == 8 and isinstance(above, list):
        above.insert(random.randint(0, len(above)), copy.deepcopy(old))
    elif kind == 8:
        above[random.choice([*TEXTS, *map(str, above)])] = above.pop(key)
    elif isinstance(old, str) and old:
        above[key] = mutated_text(old, random)
    else:
        above[key] = [old] if random.randint(0, 1) else {str(key): old}


def _number(old: Any, random: Random) -> Any:
    if _is_number(old) and abs(old) < 1e300 and random.randint(0, 2):
        return old * random.choice([-1, 0.0, 0.5, 2, 10, 1e-3, 1e3, 1e-6, 1e6, 1e-9, 1e9, 1.0000001])
    return random.choice(NUMBERS)


def mutated_text(text: str, random: Random, most: int = 3) -> str:
    """The text with pieces cut out, doubled, exchanged or put in."""
    for _ in range(random.randint(1, most)):
        begin = random.randint(0, len(text))
        end = min(len(text), begin + random.choice([0, 1, 2, 5, 20, 200]))
        doubled = text[begin:end] * 2
        piece = random.choice(["", doubled, *TEXTS, *SIGNS, *map(str, NUMBERS[:25])])
        text = text[:begin] + piece + text[end:]
    return text


def mutated_bytes(data: bytes, random: Random, most: int = 4) -> bytes:
    """The bytes with some of them changed, cut off or doubled."""
    result = bytearray(data)
    for _ in range(random.randint(1, most)):
        place, kind = random.randint(0, max(len(result) - 1, 0)), random.randint(0, 5)
        if kind <= 2 and result:
            result[place] = random.randint(0, 255)
        elif kind == 3:
            result[place : place + random.choice([1, 4, 64, 1024])] = b""
        elif kind == 4:
            result[place:place] = result[place : place + 64]
        else:
            del result[place:]
    return bytes(result)
