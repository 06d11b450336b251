"""The straight pieces of an SVG path: moves, lines, and closing; a path with curves is none of lines."""

from __future__ import annotations

import re

from gaitwright.checks import At
from gaitwright.formats.xml_text import numbers

TOKEN = re.compile(r"([MmLlHhVvZzCcSsQqTtAa])|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|([^\s,])")
TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "Z": 0}
"""How many numbers a command of straight pieces takes, once."""
Piece = tuple[list[tuple[float, float]], bool]


def straight_pieces(text: str, at: At) -> list[Piece] | None:
    """Points of every piece, and whether it is closed; None where the path has a curve."""
    found: list[Piece] = []
    points: list[tuple[float, float]] = []
    here, start, command = (0.0, 0.0), (0.0, 0.0), ""
    waiting: list[str] = []
    for letter, number, wrong in TOKEN.findall(text):
        if wrong:
            at.fail(f"has '{wrong}', which is no command of a path", text, "M, L, H, V, Z and numbers")
        if letter:
            if waiting:
                at.fail(f"'{command}' does not take {len(waiting)} numbers", text)
            command = letter
            if command.upper() not in TAKES:
                return None
            if command in "Zz" and points:
                found.append((points, True))
                points, here = [], start
            continue
        if not command or command in "Zz":
            at.fail("has a number before a command", text, "a path that begins with M")
        waiting.append(number)
        if len(waiting) < TAKES[command.upper()]:
            continue
        values, waiting = numbers(" ".join(waiting), len(waiting), at), []
        base = here if command.islower() else (0.0, 0.0)
        if command.upper() == "H":
            here = (base[0] + values[0], here[1])
        elif command.upper() == "V":
            here = (here[0], base[1] + values[0])
        else:
            here = (base[0] + values[0], base[1] + values[1])
        if command in "Mm":
            if points:
                found.append((points, False))
            points, start = [here], here
            command = "l" if command == "m" else "L"  # further pairs of a move are lines
        else:
            points = points or [start]
            points.append(here)
    if waiting:
        at.fail(f"'{command}' does not take {len(waiting)} numbers", text)
    return [*found, (points, False)] if points else found
