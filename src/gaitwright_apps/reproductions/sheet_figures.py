"""Pictures of an experiment, as defined in its sheet: {name: [panel, ...]}, see Panel and Curve in
report/figures/stacked_panels.py."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gaitwright.report.figures.stacked_panels import FigurePanel, PanelCurve, save_panels
from gaitwright_apps.reproductions.facts import fill_sentence, look_up_fact
from gaitwright_apps.reproductions.sheets import expand_entries


def draw_pictures(pictures: Mapping[str, list[dict[str, Any]]], facts: Any, folder: Path, name: str) -> dict[str, Path]:
    """Write the pictures of a sheet. known: facts of the experiment."""
    return {
        title: save_panels(
            [_make_panel(panel, facts) for panel in expand_entries(panels, facts)], folder / f"{name}-{title}.png"
        )
        for title, panels in pictures.items()
    }


def _make_panel(entry: dict[str, Any], facts: Any) -> FigurePanel:
    """Make a panel of a sheet: fill sentences, and replace paths by values."""
    words = {key: fill_sentence(entry[key], facts) for key in ("ylabel", "xlabel", "title") if key in entry}
    curves = [
        PanelCurve(
            fill_sentence(str(curve["label"]), facts),
            _resolve_values(curve["x"], facts),
            _resolve_values(curve["y"], facts),
            **{key: curve[key] for key in ("look", "steps", "stems", "bars") if key in curve},
        )
        for curve in expand_entries(entry["curves"], facts)
    ]
    xlim = tuple(_resolve_values(entry["xlim"], facts)) if "xlim" in entry else None
    return FigurePanel(
        curves=curves, xlim=xlim, **words, **{key: entry[key] for key in ("log", "equal", "ticks") if key in entry}
    )


def _resolve_values(value: Any, facts: Any) -> Any:
    """Resolve a number, a path, or a list of both."""
    if isinstance(value, str):
        return look_up_fact(facts, value)
    return [_resolve_values(entry, facts) for entry in value] if isinstance(value, list) else value
