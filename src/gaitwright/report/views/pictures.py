"""Pictures of a motion by dimension: the scene, and how it is drawn and played."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple


class Pictures(NamedTuple):
    """scene: from a mechanism and a motion. png, html, gif: write a scene to a path."""

    scene: Callable[..., Any]
    png: Callable[..., Path]
    html: Callable[..., Path]
    gif: Callable[..., Path]


def _plane() -> Pictures:
    from gaitwright.report.animation import save_gif, save_html
    from gaitwright.report.draw import save_png
    from gaitwright.report.views.planar_picture import scene

    return Pictures(scene, save_png, save_html, save_gif)


def _space() -> Pictures:
    from gaitwright.report.spatial_draw import save_space_gif, save_space_png
    from gaitwright.report.spatial_page import save_space_html
    from gaitwright.report.views.spatial_picture import space_scene

    return Pictures(space_scene, save_space_png, save_space_html, save_space_gif)


_BY_DIMENSION: dict[int, Callable[[], Pictures]] = {2: _plane, 3: _space}


def pictures(dimension: int) -> Pictures:
    """How motions of the plane (2) or of space (3) are shown; what they need is imported now and not before."""
    return _BY_DIMENSION[dimension]()
