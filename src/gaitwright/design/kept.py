"""The variants of a sweep in a file, as they come."""

from __future__ import annotations

import hashlib
import warnings
from collections import Counter
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


class Kept(Filed):
    """path: of the netCDF file. question: what the sweep is about.

    Nearly all variants have the same times. Each line names its vector of times by a digest; the vector itself is in the
    lines of its 1st, 2nd, 4th, 8th... variant, so that the loss of one line makes no other one unreadable."""

    def __init__(self, path: str | Path, question: Mapping[str, Any]):
        super().__init__(path, KIND, question)
        self.variants: dict[tuple[float, ...], Variant] = {}
        self.uses: Counter[str] = Counter()
        """Lines that name a vector of times, by its digest."""

    def __enter__(self) -> Self:
        super().__enter__()
        found = self.store.found
        times = {entry["time"]: unpacked(entry["times"]) for entry in found.values() if "times" in entry}
        lost = 0
        for at, entry in found.items():
            digest = entry["time"]
            if digest is not None and digest not in times:
                lost += 1
                continue
            if digest is not None:
                self.uses[digest] += 1
            series = {name: unpacked(values) for name, values in entry["series"].items()}
            self.variants[at] = Variant(times.get(digest), series, real_numbers(entry["numbers"]), entry["failure"])
        if lost:
            variants = "1 variant has" if lost == 1 else f"{lost} variants have"
            warnings.warn(
                f"in the store '{self.store.path}' {variants} no times, which were in damaged lines: computed again",
                stacklevel=3,
            )
        return self

    def variant(self, at: tuple[float, ...]) -> Variant | None:
        return self.variants.get(at)

    def add(self, at: tuple[float, ...], variant: Variant) -> None:
        """Keep a variant that was computed."""
        if at in self.variants:  # the same values stand in the sweep twice
            return
        self.variants[at] = variant
        series = {name: packed(values) for name, values in variant.series.items()}
        entry: dict[str, Any] = {
            "failure": variant.failure,
            "numbers": plain_numbers(variant.numbers),
            "series": series,
        }
        entry["time"] = digest = None if variant.time is None else _digest(variant.time)
        uses = self.uses[digest] + 1 if digest else 0
        if variant.time is not None and uses & (uses - 1) == 0:  # a power of two
            entry["times"] = packed(variant.time)
        if self.store.add(at, entry) and digest:
            self.uses[digest] = uses


def _digest(time: np.ndarray) -> str:
    return hashlib.sha256(f"{time.dtype.str} {time.shape}".encode() + np.ascontiguousarray(time).tobytes()).hexdigest()[
        :16
    ]
