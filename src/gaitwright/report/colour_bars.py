"""Colour bars beside pictures of the plane: of the fields of deforming bodies, and of a quantity along beams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaitwright.report.deforming import shown_scale
from gaitwright.report.scene import Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

SCALE = ("#0072B2", "#6fa8cc", "#b9c0c9", "#e59a63", "#D55E00")
"""Colours of a quantity along beams, from negative over zero to positive."""
BAR_NUMBERS = 7
"""Of a colour bar, at most."""


def draw_colour_bars(ax: Axes, scene: Scene) -> None:
    """What the colours of deforming bodies and of beams mean, on the right of the picture."""
    scale, beams = shown_scale(scene.deforming, scene.showing), scene.colouring
    each = 0.84 if scale is None or beams is None else 0.4
    if scale is not None:
        scale.draw(ax.inset_axes((1.03, 0.92 - each, 0.022, each)))
    if beams is not None:
        _of_beams(ax.inset_axes((1.03, 0.08, 0.022, each)), scene.colour_limit(), f"{beams.name} ({beams.unit})")


def _of_beams(bar: Axes, limit: float, title: str) -> None:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    figure: Any = bar.figure
    figure.colorbar(ScalarMappable(Normalize(-limit, limit), beam_colours()), cax=bar)
    bar.set_ylabel(title)
    bar.locator_params(nbins=BAR_NUMBERS)
    bar.tick_params(length=0)
    for spine in bar.spines.values():
        spine.set_visible(False)


def colour_bars_width(scene: Scene) -> float:
    """Inches for the bars and what is written beside them: their longest number, and their titles."""
    from matplotlib.ticker import MaxNLocator

    scale = shown_scale(scene.deforming, scene.showing)
    numbers = [text for _, text in scale.ticks()] if scale is not None else []
    if scene.colouring is not None:
        limit = scene.colour_limit()
        inside = [tick for tick in MaxNLocator(BAR_NUMBERS).tick_values(-limit, limit) if abs(tick) <= limit]
        numbers += [f"{tick:.6g}" for tick in inside]
    return 0.5 + 0.085 * max(len(text) for text in numbers) if numbers else 0.0


def beam_colours() -> Colormap:
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("along beams", SCALE)
