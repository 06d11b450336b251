"""Docstrings are prose with units, written for `help()`; here they become Markdown: what describes parameters becomes a
list, and letters that mean something in Markdown are shown as they are."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from typing import Any

from griffe import Docstring, Extension, Object

DECLARED = re.compile(r"gaitwright\.physics\.(contact_laws|friction|materials)\.")
SPECIAL = re.compile(r"([*_<\[\]$])")


class WrittenDocstrings(Extension):
    """Every docstring of the package, rewritten when all of it has been read."""

    def on_package(self, *, pkg: Object, **_: Any) -> None:
        for obj in below(pkg):
            if obj.docstring:
                text = as_markdown(obj.docstring.value, names_of(obj))
                if obj.is_class and DECLARED.match(obj.path):
                    text += declared(obj)
                obj.docstring = Docstring(text, parent=obj)


def below(obj: Object) -> Iterator[Object]:
    """An object and all that it defines itself."""
    yield obj
    for member in list(obj.members.values()):
        if not member.is_alias:
            yield from below(member)


def names_of(obj: Object) -> set[str]:
    """What a line of the docstring may describe: parameters of a function, fields of a class."""
    return {each.name for each in getattr(obj, "parameters", ())} | set(getattr(obj, "members", ()))


def declared(obj: Object) -> str:
    """What a law or a material is given: it declares its numbers, so that no signature shows them."""
    kind = getattr(importlib.import_module(obj.module.path), obj.name)
    numbers = {**getattr(kind, "short_forms", {}), **getattr(kind, "parameters", {})}
    lines = [
        f"- `{name}`: {plain(', '.join(filter(None, (one.unit, one.doc))))}{usual(one)}"
        for name, one in numbers.items()
    ]
    valid = getattr(kind, "valid", "")
    return "\n\n" + "\n".join(lines) + (f"\n\nWhere it holds: {plain(valid[:1].lower() + valid[1:])}" if valid else "")


def usual(parameter: Any) -> str:
    """Its value unless given."""
    default = getattr(parameter, "default", None)
    return f"; {default:g} unless given" if isinstance(default, (int, float)) else ""


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
