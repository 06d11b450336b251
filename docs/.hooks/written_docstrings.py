"""Docstrings are prose with units, written for `help()`; here they become Markdown: what describes parameters becomes a
list, and letters that mean something in Markdown are shown as they are."""

from __future__ import annotations

import re
from typing import Any

from griffe import Docstring, Extension, Object

SPECIAL = re.compile(r"([*_<\[\]$])")


class WrittenDocstrings(Extension):
    """Every docstring of the package, rewritten when its object has been read."""

    def on_instance(self, *, obj: Object, **_: Any) -> None:
        if obj.docstring and not obj.is_alias:
            obj.docstring = Docstring(as_markdown(obj.docstring.value, names_of(obj)), parent=obj)


def names_of(obj: Object) -> set[str]:
    """What a line of the docstring may describe: parameters of a function, fields of a class."""
    return {each.name for each in getattr(obj, "parameters", ())} | set(getattr(obj, "members", ()))


def as_markdown(text: str, names: set[str]) -> str:
    """Paragraph by paragraph; what is indented after an empty line is code."""
    paragraphs = re.split(r"\n\s*\n", text)
    return "\n\n".join(each if each.startswith("    ") else listed(each, names) for each in paragraphs)


def listed(paragraph: str, names: set[str]) -> str:
    """`one: what it is. other: what that is` as a list, if they are names of the object."""
    known = "|".join(sorted(map(re.escape, names), key=len, reverse=True)) or "(?!)"
    pieces = re.split(rf"(?:^|(?<=[.;])\s+|\n\s*)((?:{known})(?:, (?:{known}))*): ", paragraph)
    lead, *rest = (" ".join(piece.split()) for piece in pieces)
    items = [f"- `{name}`: {plain(said)}" for name, said in zip(rest[::2], rest[1::2], strict=True)]
    return "\n".join([plain(lead), "", *items] if lead and items else items or [plain(lead)])


def plain(line: str) -> str:
    """As it stands, but for what is between backticks."""
    pieces = re.split(r"(`[^`]*`)", line)
    return "".join(piece if k % 2 else SPECIAL.sub(r"\\\1", piece) for k, piece in enumerate(pieces))
