"""Convert docstrings, which are prose with units for `help()`, to Markdown: descriptions of parameters become a list, and
characters with a meaning in Markdown are escaped."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from typing import Any

from griffe import Docstring, Extension, Object

DECLARED = re.compile(r"gaitwright\.physics\.(contact_laws|friction|materials)\.")
SPECIAL = re.compile(r"([*_<\[\]$])")


class WrittenDocstrings(Extension):
    """Griffe extension that rewrites every docstring of a package after it is loaded."""

    def on_package(self, *, pkg: Object, **_: Any) -> None:
        for obj in below(pkg):
            if obj.docstring:
                text = as_markdown(obj.docstring.value, names_of(obj))
                if obj.is_class and DECLARED.match(obj.path):
                    text += declared(obj)
                obj.docstring = Docstring(text, parent=obj)


def below(obj: Object) -> Iterator[Object]:
    """Yield an object and all its own members, recursively."""
    yield obj
    for member in list(obj.members.values()):
        if not member.is_alias:
            yield from below(member)


def names_of(obj: Object) -> set[str]:
    """Names that a line of the docstring may describe: parameters of a function, fields of a class."""
    return {each.name for each in getattr(obj, "parameters", ())} | set(getattr(obj, "members", ()))


def declared(obj: Object) -> str:
    """List of the numbers that a law or a material declares; they are not part of a signature."""
    kind = getattr(importlib.import_module(obj.module.path), obj.name)
    numbers = {**getattr(kind, "short_forms", {}), **getattr(kind, "parameters", {})}
    lines = [
        f"- `{name}`: {plain(', '.join(filter(None, (one.unit, one.doc))))}{usual(one)}"
        for name, one in numbers.items()
    ]
    valid = getattr(kind, "valid", "")
    return "\n\n" + "\n".join(lines) + (f"\n\nWhere it holds: {plain(valid[:1].lower() + valid[1:])}" if valid else "")


def usual(parameter: Any) -> str:
    """Text of the default value of a parameter."""
    default = getattr(parameter, "default", None)
    return f"; {default:g} unless given" if isinstance(default, (int, float)) else ""


def as_markdown(text: str, names: set[str]) -> str:
    """Convert a docstring by paragraphs; indented paragraphs are code."""
    paragraphs = re.split(r"\n\s*\n", text)
    return "\n\n".join(each if each.startswith("    ") else listed(each, names) for each in paragraphs)


def listed(paragraph: str, names: set[str]) -> str:
    """Convert `one: description. other: description` to a list if these are names of the object."""
    known = "|".join(sorted(map(re.escape, names), key=len, reverse=True)) or "(?!)"
    pieces = re.split(rf"(?:^|(?<=[.;])\s+|\n\s*)((?:{known})(?:, (?:{known}))*): ", paragraph)
    lead, *rest = (" ".join(piece.split()) for piece in pieces)
    items = [f"- `{name}`: {plain(description)}" for name, description in zip(rest[::2], rest[1::2], strict=True)]
    return "\n".join([plain(lead), "", *items] if lead and items else items or [plain(lead)])


def plain(line: str) -> str:
    """Escape Markdown characters outside backticks."""
    pieces = re.split(r"(`[^`]*`)", line)
    return "".join(piece if k % 2 else SPECIAL.sub(r"\\\1", piece) for k, piece in enumerate(pieces))
