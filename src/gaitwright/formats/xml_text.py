"""XML of other programs: parsed without document types, and its attributes as checked numbers."""

from __future__ import annotations

import math
from typing import Any
from xml.etree import ElementTree

from gaitwright.checks import At
from gaitwright.errors import ModelError


class _NoDoctype(ElementTree.TreeBuilder):
    """A document type may define entities that grow without end or name other files. Nothing that is read here needs one."""

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise ModelError("the file has a DOCTYPE, which is not read", expected="XML that starts with its first element")


class _AnyDoctype(ElementTree.TreeBuilder):
    """Passes over a document type: its entities are not defined then, and what uses one is refused by the parser."""


def parse_xml(text: str, source: str, doctype: bool = False) -> Any:
    """The first element of an XML text. source: how messages call it. doctype: whether it may have one, as SVG often does;
    entities that it defines are refused in any case."""
    if doctype and "<!ENTITY" in text:
        raise ModelError(f"{source} defines entities of XML, which are not read", expected="plain XML")
    try:
        target = _AnyDoctype() if doctype else _NoDoctype()
        return ElementTree.fromstring(text, ElementTree.XMLParser(target=target))
    except ElementTree.ParseError as error:
        line, column = error.position
        problem = str(error).partition(":")[0]
        hint = "; is it complete?" if "no element" in problem or "unclosed" in problem else ""
        raise ModelError(f"{source} is not valid XML at line {line}, column {column + 1}: {problem}{hint}") from None


def tag(element: Any) -> str:
    """The name of an element without its namespace; empty for a comment."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def numbers(text: str | None, counts: int | tuple[int, ...], at: At, expected: str = "") -> list[float]:
    """So many finite numbers, or one of several counts."""
    counts = (counts,) if isinstance(counts, int) else counts
    said = expected or f"{' or '.join(map(str, counts))} finite numbers"
    try:
        found = [float(word) for word in at.given(text, said).replace(",", " ").split()]
    except ValueError:
        found = []
    if len(found) not in counts or not all(map(math.isfinite, found)):
        at.fail(f"is not {said}", text)
    return found
