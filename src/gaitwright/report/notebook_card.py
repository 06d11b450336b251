"""Notebook card of an object: title, numbers, pictures, sentences; a self-contained piece of HTML.

Pictures are embedded as PNG, so that they are visible in every notebook viewer (some remove SVG and scripts). All other text
is escaped: names come from files.
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
from gaitwright.report.figures.style import plot_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CARD_DPI = 110
MAX_PICTURE_WIDTH_EM, MAX_PICTURE_HEIGHT_EM, GRID_PICTURE_WIDTH_EM = 34.0, 36.0, 23.0
"""Maximum size of a picture, in em of the notebook, and the width if there are more than two pictures."""
MAX_SENTENCES, MAX_FACTS = 12, 24
MUTED_CSS, WARNING_CSS = "opacity:.7", "color:#c62828"
CELL_CSS = "padding:.1em .5em;text-align:left"
NUMBER_CELL_CSS = "padding:.1em .5em;text-align:right;white-space:nowrap"


@dataclass
class NotebookCard:
    """A card. title; said: a line below it. facts: rows of a table. pictures: PNG. sentences: below; warnings: highlighted."""

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
            parts.append(Markup('<div style="{}">{}</div>').format(MUTED_CSS, self.said))
        parts += [_sentence_html(text, WARNING_CSS) for text in _truncate(self.warnings, MAX_SENTENCES)]
        parts.append(Markup('<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start;margin:.5em 0">'))
        several = len(self.pictures) > 2
        first = len(self.pictures) if several else 1
        parts += [
            _image_html(picture, GRID_PICTURE_WIDTH_EM if several else MAX_PICTURE_WIDTH_EM)
            for picture in self.pictures[:first]
        ]
        beside = [
            *(_image_html(picture) for picture in self.pictures[first:]),
            *([_table_html(self.facts)] if self.facts else []),
        ]
        parts.append(Markup('<div style="flex:1 1 24em;min-width:0">{}</div></div>').format(Markup("").join(beside)))
        parts += [_sentence_html(text) for text in _truncate(self.sentences, MAX_SENTENCES)]
        parts.append(Markup("</div>"))
        return str(Markup("").join(parts))


def _truncate(texts: Sequence[str], maximum: int) -> list[str]:
    omitted = len(texts) - maximum
    return [*texts[:maximum], *([f"and {omitted} more"] if omitted > 0 else [])]


def _sentence_html(text: str, look: str = "") -> Markup:
    return Markup('<div style="{}">{}</div>').format(look, text)


def _image_html(picture: bytes, width: float = MAX_PICTURE_WIDTH_EM) -> Markup:
    look = f"max-width:min(100%,{width:g}em);max-height:{MAX_PICTURE_HEIGHT_EM:g}em;background:#fff;border-radius:4px"
    data = base64.b64encode(picture).decode("ascii")
    return Markup('<img alt="" style="display:block;{}" src="data:image/png;base64,{}">').format(look, data)


def _table_html(facts: Sequence[Fact]) -> Markup:
    row = Markup('<tr><td style="{}">{}</td><td style="{}">{}</td><td style="{};{}">{}</td></tr>')
    rows = [
        row.format(CELL_CSS, f.label, NUMBER_CELL_CSS, _value_text(f), CELL_CSS, MUTED_CSS, f.note)
        for f in facts[:MAX_FACTS]
    ]
    if len(facts) > MAX_FACTS:
        rows.append(
            row.format(CELL_CSS, f"and {len(facts) - MAX_FACTS} more", NUMBER_CELL_CSS, "", CELL_CSS, MUTED_CSS, "")
        )
    return Markup('<table style="margin:.3em 0;border-collapse:collapse;font-size:inherit">{}</table>').format(
        Markup("").join(rows)
    )


def _value_text(fact: Fact) -> str:
    value = fact.value
    if isinstance(value, (float, np.floating)):
        value = f"{value:.4g}".replace("-", "\N{MINUS SIGN}") if np.isfinite(value) else "\N{EN DASH}"
    return f"{value} {fact.unit}".strip()


def render_png(figure: Figure) -> bytes:
    """Render a matplotlib figure as PNG."""
    picture = io.BytesIO()
    with plot_style():
        figure.savefig(picture, format="png", dpi=CARD_DPI)
    return picture.getvalue()


def suppress_errors(card: Callable[[Any], NotebookCard]) -> Callable[[Any], str | None]:
    """Decorator of cards, which must not raise: without a card, the `repr` of the object is shown instead."""

    @functools.wraps(card)
    def html(subject: Any) -> str | None:
        try:
            return card(subject).html()
        except Exception:
            return None

    return html


def add_picture(pictures: list[bytes], draw: Callable[[], bytes | None]) -> None:
    """Add a picture if it can be drawn: numbers without a picture are better than no card."""
    try:
        picture = draw()
    except Exception:
        return
    if picture:
        pictures.append(picture)
