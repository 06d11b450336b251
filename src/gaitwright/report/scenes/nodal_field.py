"""Quantities on deforming bodies, and their colour scales: one scale per quantity over all bodies and times."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.report.array_checks import check_finite

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

SEQUENTIAL_COLOURS = (
    "#472a7a", "#443b84", "#3e4c8a", "#375b8d", "#306a8e", "#2a778e", "#25848e", "#20928c", "#1f9f88",
    "#25ac82", "#37b878", "#50c46a", "#6ece58", "#90d743", "#b5de2b", "#dae319", "#fde725",
)  # fmt: skip
"""Colours of a quantity of one sign: viridis, perceptually uniform, without its darkest end, which is invisible on a dark
page."""
DIVERGING_COLOURS = (
    "#055ca2", "#2d6ead", "#477fb8", "#6090c3", "#79a1cd", "#92b3d6", "#abc4df", "#c6d5e6", "#e4e6e8",
    "#e5cdc7", "#dfb6ab", "#d7a090", "#ce8a75", "#c4745c", "#b85e42", "#ac4726", "#9f2d00",
)  # fmt: skip
"""Colours of a quantity of both signs, with grey for zero: equal steps of lightness (OKLab) to both sides."""
MIN_OPPOSITE_SIGN_RATIO = 0.02
"""Ratio of the smaller to the larger side above which the smaller one counts as a second sign, and not as an overshoot."""
MAX_ZERO_START_RATIO = 0.5
"""Ratio of the least to the greatest value of a quantity of one sign below which its colours start at zero."""
PREFIXED_UNITS = ("Pa", "m", "N", "J", "W", "J/m^3", "N/m", "N/m^2", "m/s")
"""Units that get an SI prefix if numbers would be long; others get a power of ten."""
SI_PREFIXES = {9: "G", 6: "M", 3: "k", 0: "", -3: "m", -6: "µ", -9: "n"}
SUPERSCRIPT_DIGITS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass
class NodalField:
    """A quantity at the nodes of a deforming body. values: (n_times, n), in `unit`.

    limits: values at both ends of the colour scale; default: the least and greatest of all bodies and times. on_surface:
    True if it is defined on the surface only, such as a contact pressure; the section of a cut body then has no colours."""

    name: str
    unit: str
    values: Any
    limits: tuple[float, float] | None = None
    on_surface: bool = False

    def __post_init__(self) -> None:
        label = f"field '{self.name}'"
        self.values = check_finite(self.values, label)
        if self.values.ndim != 2 or not self.values.size:
            raise ValueError(f"{label} has values of shape {self.values.shape}; expected (n_times, n), one per node")
        if self.limits is not None:
            low, high = (float(x) for x in self.limits)
            if not (np.isfinite(low + high) and low < high):
                raise ValueError(f"{label} has limits {low:g} and {high:g}; expected two numbers that increase")
            self.limits = low, high


@dataclass(frozen=True)
class FieldScale:
    """Colour scale of a field: from `low` to `high`, in `unit`. exponent: power of ten of the displayed numbers."""

    name: str
    unit: str
    low: float
    high: float
    colours: tuple[str, ...]
    exponent: int
    beyond: tuple[bool, bool] = (False, False)
    """True if values lie below or above the colour range."""

    @property
    def caption(self) -> str:
        """Name with the unit of the ticks."""
        if not self.exponent:
            return f"{self.name} ({self.unit})" if self.unit else self.name
        if self.unit in PREFIXED_UNITS:
            return f"{self.name} ({SI_PREFIXES[self.exponent]}{self.unit})"
        power = f"10{str(self.exponent).translate(SUPERSCRIPT_DIGITS)}"
        return f"{self.name} ({power} {self.unit})" if self.unit else f"{self.name} ({power})"

    def share(self, values: np.ndarray) -> np.ndarray:
        """Relative positions of values between the ends, 0 to 1."""
        return np.clip((values - self.low) / (self.high - self.low), 0.0, 1.0)

    def rgb(self, values: np.ndarray) -> np.ndarray:
        """Colours (..., 3), 0 to 1."""
        stops = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in self.colours]) / 255.0
        at = self.share(values) * (len(stops) - 1)
        return np.stack([np.interp(at, np.arange(len(stops)), column) for column in stops.T], axis=-1)

    def ticks(self, count: int = 5) -> list[tuple[float, str]]:
        """Round numbers between the ends: values in `unit`, and texts in the unit of the caption."""
        shrink = 10.0**-self.exponent
        low, high = self.low * shrink, self.high * shrink
        rough = (high - low) / count
        unit = 10.0 ** np.floor(np.log10(rough))
        step = float(next(unit * m for m in (1, 2, 5, 10) if unit * m >= 0.999 * rough))
        decimals = max(0, -int(np.floor(np.log10(step) + 1e-9)))
        numbers = step * np.arange(np.ceil(low / step - 1e-6), np.floor(high / step + 1e-6) + 1)
        return [(float(x / shrink), f"{x + 0.0:.{decimals}f}".replace("-", "−")) for x in np.round(numbers, decimals)]

    def draw(self, ax: Axes) -> None:
        """Draw the colour bar into narrow axes, from bottom to top."""
        from matplotlib.cm import ScalarMappable
        from matplotlib.colors import Normalize

        ticks = self.ticks(6)
        extend = {(False, False): "neither", (True, False): "min", (False, True): "max", (True, True): "both"}
        figure: Any = ax.figure
        paint = ScalarMappable(Normalize(self.low, self.high), self.colour_map())
        bar = figure.colorbar(paint, cax=ax, extend=extend[self.beyond], extendfrac=0.03)
        bar.set_ticks([value for value, _ in ticks], labels=[text for _, text in ticks])
        bar.outline.set_visible(False)
        ax.set_ylabel(self.caption, parse_math=False)
        ax.tick_params(length=0)

    def colour_map(self) -> Colormap:
        from matplotlib.colors import LinearSegmentedColormap

        return LinearSegmentedColormap.from_list(self.name, self.colours)


def shared_field_scale(fields: Iterable[NodalField]) -> FieldScale:
    """Common scale of fields with the same name."""
    fields = list(fields)
    name, units = fields[0].name, sorted({field.unit for field in fields})
    if len(units) > 1:
        raise ValueError(f"field '{name}' has the units {' and '.join(units)}; expected one for all bodies")
    smallest = min(float(field.values.min()) for field in fields)
    largest = max(float(field.values.max()) for field in fields)
    limits_given = [field.limits for field in fields if field.limits is not None]
    colours = SEQUENTIAL_COLOURS
    if limits_given:
        low, high = min(limits[0] for limits in limits_given), max(limits[1] for limits in limits_given)
        if abs(low + high) < 1e-9 * high:
            colours = DIVERGING_COLOURS
    elif min(-smallest, largest) > MIN_OPPOSITE_SIGN_RATIO * max(-smallest, largest):
        low, high = -max(-smallest, largest), max(-smallest, largest)
        colours = DIVERGING_COLOURS
    else:
        low, high = smallest, largest
        if high > 0 and low < MAX_ZERO_START_RATIO * high:
            low = min(low, 0.0) if low < -1e-9 * high else 0.0
        elif low < 0 and high > MAX_ZERO_START_RATIO * low:
            high = max(high, 0.0) if high > -1e-9 * low else 0.0
        if not high - low > 1e-12 * max(abs(low), abs(high)):  # the same value everywhere
            low, high = low - 0.5 * (abs(low) or 1.0), high + 0.5 * (abs(high) or 1.0)
    beyond = smallest < low - 1e-9 * (high - low), largest > high + 1e-9 * (high - low)
    return FieldScale(name, units[0], low, high, colours, _display_exponent(units[0], max(abs(low), abs(high))), beyond)


def _display_exponent(unit: str, largest: float) -> int:
    """Multiple of three as the power of ten that leaves one to three digits; 0 for numbers that are short anyway."""
    if unit not in PREFIXED_UNITS and 0.01 <= largest < 1e4:
        return 0
    return int(np.clip(3 * np.floor(np.log10(largest) / 3 + 1e-9), -9, 9))
