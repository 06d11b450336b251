"""Colour bars beside planar pictures: of the fields of deforming bodies, and of a quantity along beams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaitwright.report.scenes.deformable_body import displayed_field_scale
from gaitwright.report.scenes.planar_scene import PlanarScene

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

BEAM_SCALE_COLOURS = ("#0072B2", "#6fa8cc", "#b9c0c9", "#e59a63", "#D55E00")
"""Colours of a quantity along beams, from negative through zero to positive."""
MAX_COLOUR_BAR_TICKS = 7
"""Maximum number of ticks of a colour bar."""


def draw_colour_bars(ax: Axes, scene: PlanarScene) -> None:
    """Draw the colour bars of deforming bodies and of beams on the right of the picture."""
    scale, beams = displayed_field_scale(scene.deforming, scene.showing), scene.colouring
    each = 0.84 if scale is None or beams is None else 0.4
    if scale is not None:
        scale.draw(ax.inset_axes((1.03, 0.92 - each, 0.022, each)))
    if beams is not None:
        _draw_beam_bar(ax.inset_axes((1.03, 0.08, 0.022, each)), scene.colour_limit(), f"{beams.name} ({beams.unit})")


def _draw_beam_bar(bar: Axes, limit: float, title: str) -> None:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    figure: Any = bar.figure
    figure.colorbar(ScalarMappable(Normalize(-limit, limit), beam_colormap()), cax=bar)
    bar.set_ylabel(title)
    bar.locator_params(nbins=MAX_COLOUR_BAR_TICKS)
    bar.tick_params(length=0)
    for spine in bar.spines.values():
        spine.set_visible(False)


def colour_bars_width(scene: PlanarScene) -> float:
    """Width of the bars with their numbers and titles, inches."""
    from matplotlib.ticker import MaxNLocator

    scale = displayed_field_scale(scene.deforming, scene.showing)
    numbers = [text for _, text in scale.ticks()] if scale is not None else []
    if scene.colouring is not None:
        limit = scene.colour_limit()
        inside = [tick for tick in MaxNLocator(MAX_COLOUR_BAR_TICKS).tick_values(-limit, limit) if abs(tick) <= limit]
        numbers += [f"{tick:.6g}" for tick in inside]
    return 0.5 + 0.085 * max(len(text) for text in numbers) if numbers else 0.0


def beam_colormap() -> Colormap:
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("along beams", BEAM_SCALE_COLOURS)
