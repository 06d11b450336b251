"""Straight segments of an SVG path: moves, lines and closing; a path with curves has none."""

from __future__ import annotations

import re

from gaitwright._core.error_context import ErrorContext
from gaitwright.formats.xml_text import parse_numbers

PATH_TOKEN_PATTERN = re.compile(r"([MmLlHhVvZzCcSsQqTtAa])|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|([^\s,])")
COMMAND_NUMBER_COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "Z": 0}
"""Number of arguments of each command for straight segments."""
Subpath = tuple[list[tuple[float, float]], bool]


def parse_straight_subpaths(text: str, at: ErrorContext) -> list[Subpath] | None:
    """Points of every subpath, and whether it is closed; None if the path has a curve."""
    subpaths: list[Subpath] = []
    points: list[tuple[float, float]] = []
    current, start, command = (0.0, 0.0), (0.0, 0.0), ""
    waiting: list[str] = []
    for letter, number, wrong in PATH_TOKEN_PATTERN.findall(text):
        if wrong:
            at.fail(f"has '{wrong}', which is no command of a path", text, "M, L, H, V, Z and numbers")
        if letter:
            if waiting:
                at.fail(f"'{command}' does not take {len(waiting)} numbers", text)
            command = letter
            if command.upper() not in COMMAND_NUMBER_COUNTS:
                return None
            if command in "Zz" and points:
                subpaths.append((points, True))
                points, current = [], start
            continue
        if not command or command in "Zz":
            at.fail("has a number before a command", text, "a path that begins with M")
        waiting.append(number)
        if len(waiting) < COMMAND_NUMBER_COUNTS[command.upper()]:
            continue
        values, waiting = parse_numbers(" ".join(waiting), len(waiting), at), []
        base = current if command.islower() else (0.0, 0.0)
        if command.upper() == "H":
            current = (base[0] + values[0], current[1])
        elif command.upper() == "V":
            current = (current[0], base[1] + values[0])
        else:
            current = (base[0] + values[0], base[1] + values[1])
        if command in "Mm":
            if points:
                subpaths.append((points, False))
            points, start = [current], current
            command = "l" if command == "m" else "L"  # further pairs after a move are lines
        else:
            points = points or [start]
            points.append(current)
    if waiting:
        at.fail(f"'{command}' does not take {len(waiting)} numbers", text)
    return [*subpaths, (points, False)] if points else subpaths
