"""The pictures of an experiment, as its sheet says: {name: [panel, ...]}, see Panel and Curve in report/panels.py."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gaitwright.papers.facts import fill, look_up
from gaitwright.papers.sheet import expanded
from gaitwright.report.panels import Curve, Panel, save_panels


def draw_pictures(pictures: Mapping[str, list[dict[str, Any]]], known: Any, folder: Path, name: str) -> dict[str, Path]:
    """Write the pictures of a sheet. known: what the experiment knows."""
    return {
        what: save_panels([_panel(each, known) for each in expanded(panels, known)], folder / f"{name}-{what}.png")
        for what, panels in pictures.items()
    }


def _panel(entry: dict[str, Any], known: Any) -> Panel:
    """A panel of a sheet: sentences are filled in, paths become values."""
    words = {key: fill(entry[key], known) for key in ("ylabel", "xlabel", "title") if key in entry}
    curves = [
        Curve(
            fill(str(curve["label"]), known),
            _values(curve["x"], known),
            _values(curve["y"], known),
            **{key: curve[key] for key in ("look", "steps", "stems", "bars") if key in curve},
        )
        for curve in expanded(entry["curves"], known)
    ]
    xlim = tuple(_values(entry["xlim"], known)) if "xlim" in entry else None
    return Panel(
        curves=curves, xlim=xlim, **words, **{key: entry[key] for key in ("log", "equal", "ticks") if key in entry}
    )


def _values(given: Any, known: Any) -> Any:
    """Numbers as they are, what a path leads to, or several of both."""
    if isinstance(given, str):
        return look_up(known, given)
    return [_values(each, known) for each in given] if isinstance(given, list) else given
