"""The variants of a sweep in a file, as they come."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.design.filed import Filed
from gaitwright.design.store import packed, plain_numbers, real_numbers, unpacked
from gaitwright.design.variant import Variant

if TYPE_CHECKING:
    from typing import Self

KIND = "sweep"
SAME = "as before"
"""Instead of times that are those of the line before, as those of nearly all variants are."""


class Kept(Filed):
    """path: of the netCDF file. question: what the sweep is about."""

    def __init__(self, path: str | Path, question: Mapping[str, Any]):
        super().__init__(path, KIND, question)
        self.variants: dict[tuple[float, ...], Variant] = {}
        self.time: np.ndarray | None = None

    def __enter__(self) -> Self:
        super().__enter__()
        time = None
        for at, entry in self.store.found.items():
            if entry["time"] not in (None, SAME):
                time = unpacked(entry["time"])
            series = {name: unpacked(values) for name, values in entry["series"].items()}
            own = time if entry["time"] is not None else None
            self.variants[at] = Variant(own, series, real_numbers(entry["numbers"]), entry["failure"])
        self.time = time
        return self

    def variant(self, at: tuple[float, ...]) -> Variant | None:
        return self.variants.get(at)

    def add(self, at: tuple[float, ...], variant: Variant) -> None:
        """Keep a variant that was computed."""
        if at in self.variants:  # the same values stand in the sweep twice
            return
        self.variants[at] = variant
        same = variant.time is not None and self.time is not None and np.array_equal(variant.time, self.time)
        time: Any = SAME if same else packed(variant.time) if variant.time is not None else None
        series = {name: packed(values) for name, values in variant.series.items()}
        numbers = plain_numbers(variant.numbers)
        if self.store.add(at, {"failure": variant.failure, "numbers": numbers, "time": time, "series": series}):
            self.time = variant.time if variant.time is not None else self.time
