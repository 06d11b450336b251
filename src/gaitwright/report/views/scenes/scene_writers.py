"""Functions that draw a motion, by dimension: the scene, and its pictures and animations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple


class SceneWriters(NamedTuple):
    """Functions of one dimension. scene: from a mechanism and a motion. png, html, gif: write a scene to a path."""

    scene: Callable[..., Any]
    png: Callable[..., Path]
    html: Callable[..., Path]
    gif: Callable[..., Path]


def _planar_writers() -> SceneWriters:
    from gaitwright.report.animations.planar_animation import save_planar_gif, save_planar_html
    from gaitwright.report.renderers.planar_renderer import save_planar_png
    from gaitwright.report.views.scenes.planar_mechanism import build_planar_scene

    return SceneWriters(build_planar_scene, save_planar_png, save_planar_html, save_planar_gif)


def _spatial_writers() -> SceneWriters:
    from gaitwright.report.animations.spatial_animation import save_spatial_html
    from gaitwright.report.renderers.spatial_renderer import save_spatial_gif, save_spatial_png
    from gaitwright.report.views.scenes.spatial_mechanism import build_spatial_scene

    return SceneWriters(build_spatial_scene, save_spatial_png, save_spatial_html, save_spatial_gif)


_WRITERS_BY_DIMENSION: dict[int, Callable[[], SceneWriters]] = {2: _planar_writers, 3: _spatial_writers}


def select_scene_writers(dimension: int) -> SceneWriters:
    """Functions for planar (2) or spatial (3) motions; their modules are imported only now."""
    return _WRITERS_BY_DIMENSION[dimension]()
