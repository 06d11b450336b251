"""Pictures of an experiment, as defined in its sheet: {name: [panel, ...]}, see Panel and Curve in
report/figures/stacked_panels.py."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gaitwright.report.figures.stacked_panels import FigurePanel, PanelCurve, save_panels
from gaitwright_apps.reproductions.facts import fill_sentence, look_up_fact
from gaitwright_apps.reproductions.sheets import expand_entries


def draw_pictures(pictures: Mapping[str, list[dict[str, Any]]], known: Any, folder: Path, name: str) -> dict[str, Path]:
    """Write the pictures of a sheet. known: facts of the experiment."""
    return {
        what: save_panels(
            [_make_panel(each, known) for each in expand_entries(panels, known)], folder / f"{name}-{what}.png"
        )
        for what, panels in pictures.items()
    }


def _make_panel(entry: dict[str, Any], known: Any) -> FigurePanel:
    """Make a panel of a sheet: fill sentences, and replace paths by values."""
    words = {key: fill_sentence(entry[key], known) for key in ("ylabel", "xlabel", "title") if key in entry}
    curves = [
        PanelCurve(
            fill_sentence(str(curve["label"]), known),
            _resolve_values(curve["x"], known),
            _resolve_values(curve["y"], known),
            **{key: curve[key] for key in ("look", "steps", "stems", "bars") if key in curve},
        )
        for curve in expand_entries(entry["curves"], known)
    ]
    xlim = tuple(_resolve_values(entry["xlim"], known)) if "xlim" in entry else None
    return FigurePanel(
        curves=curves, xlim=xlim, **words, **{key: entry[key] for key in ("log", "equal", "ticks") if key in entry}
    )


def _resolve_values(given: Any, known: Any) -> Any:
    """Resolve a number, a path, or a list of both."""
    if isinstance(given, str):
        return look_up_fact(known, given)
    return [_resolve_values(each, known) for each in given] if isinstance(given, list) else given
