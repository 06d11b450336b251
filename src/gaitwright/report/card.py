"""What an object shows of itself in a notebook: title, numbers, pictures, sentences; a piece of HTML that needs nothing else.

Pictures are PNG inside the text, so that they are seen wherever a notebook is (pages that show notebooks drop SVG and scripts).
Everything else is escaped: names come from files.
"""

from __future__ import annotations

import base64
import functools
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from markupsafe import Markup

from gaitwright.report.blocks import Fact
from gaitwright.report.plots import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 110
WIDTH, HEIGHT, SEVERAL = 34.0, 36.0, 23.0
"""Of a picture, at most, in letters of the notebook; and the width where there are more than two."""
MOST_SENTENCES, MOST_FACTS = 12, 24
QUIET, BAD = "opacity:.7", "color:#c62828"
CELL = "padding:.1em .5em;text-align:left"
NUMBER = "padding:.1em .5em;text-align:right;white-space:nowrap"


@dataclass
class Card:
    """title; said: a line below it. facts: rows of a table. pictures: PNG. sentences: below; warnings: set apart."""

    title: str
    said: str = ""
    facts: Sequence[Fact] = ()
    pictures: list[bytes] = field(default_factory=list)
    sentences: Sequence[str] = ()
    warnings: Sequence[str] = ()

    def html(self) -> str:
        parts = [
            Markup('<div style="font-family:system-ui,sans-serif;line-height:1.35;max-width:72em">'),
            Markup('<div style="font-weight:600;font-size:1.1em">{}</div>').format(self.title),
        ]
        if self.said:
            parts.append(Markup('<div style="{}">{}</div>').format(QUIET, self.said))
        parts += [_sentence(text, BAD) for text in _some(self.warnings, MOST_SENTENCES)]
        parts.append(Markup('<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start;margin:.5em 0">'))
        several = len(self.pictures) > 2
        first = len(self.pictures) if several else 1
        parts += [_image(picture, SEVERAL if several else WIDTH) for picture in self.pictures[:first]]
        beside = [
            *(_image(picture) for picture in self.pictures[first:]),
            *([_table(self.facts)] if self.facts else []),
        ]
        parts.append(Markup('<div style="flex:1 1 24em;min-width:0">{}</div></div>').format(Markup("").join(beside)))
        parts += [_sentence(text) for text in _some(self.sentences, MOST_SENTENCES)]
        parts.append(Markup("</div>"))
        return str(Markup("").join(parts))


def _some(texts: Sequence[str], most: int) -> list[str]:
    left = len(texts) - most
    return [*texts[:most], *([f"and {left} more"] if left > 0 else [])]


def _sentence(text: str, look: str = "") -> Markup:
    return Markup('<div style="{}">{}</div>').format(look, text)


def _image(picture: bytes, width: float = WIDTH) -> Markup:
    look = f"max-width:min(100%,{width:g}em);max-height:{HEIGHT:g}em;background:#fff;border-radius:4px"
    data = base64.b64encode(picture).decode("ascii")
    return Markup('<img alt="" style="display:block;{}" src="data:image/png;base64,{}">').format(look, data)


def _table(facts: Sequence[Fact]) -> Markup:
    row = Markup('<tr><td style="{}">{}</td><td style="{}">{}</td><td style="{};{}">{}</td></tr>')
    rows = [row.format(CELL, f.label, NUMBER, _value(f), CELL, QUIET, f.note) for f in facts[:MOST_FACTS]]
    if len(facts) > MOST_FACTS:
        rows.append(row.format(CELL, f"and {len(facts) - MOST_FACTS} more", NUMBER, "", CELL, QUIET, ""))
    return Markup('<table style="margin:.3em 0;border-collapse:collapse;font-size:inherit">{}</table>').format(
        Markup("").join(rows)
    )


def _value(fact: Fact) -> str:
    value = fact.value
    if isinstance(value, (float, np.floating)):
        value = f"{value:.4g}".replace("-", "\N{MINUS SIGN}") if np.isfinite(value) else "\N{EN DASH}"
    return f"{value} {fact.unit}".strip()


def png(figure: Figure) -> bytes:
    """A figure of matplotlib as a picture."""
    picture = io.BytesIO()
    with style():
        figure.savefig(picture, format="png", dpi=DPI)
    return picture.getvalue()


def never_raising(card: Callable[[Any], Card]) -> Callable[[Any], str | None]:
    """What shows an object must not fail: without a card its words (`repr`) are shown instead."""

    @functools.wraps(card)
    def html(of: Any) -> str | None:
        try:
            return card(of).html()
        except Exception:
            return None

    return html


def drawn(pictures: list[bytes], draw: Callable[[], bytes | None]) -> None:
    """Add a picture, if it can be drawn: numbers without one are better than nothing."""
    try:
        found = draw()
    except Exception:
        return
    if found:
        pictures.append(found)
