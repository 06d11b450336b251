"""Store of the variants of a sweep."""

from __future__ import annotations

import hashlib
import warnings
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.design.stores.journal import decode_numbers, encode_numbers, pack_array, unpack_array
from gaitwright.design.stores.table_store import TableStore
from gaitwright.design.variant_result import VariantResult

if TYPE_CHECKING:
    from typing import Self

STORE_KIND = "sweep"


class SweepStore(TableStore):
    """Store of variants. path: netCDF file. question: identity of the sweep.

    Nearly all variants have the same times. Each line identifies its vector of times by a digest; the vector itself is stored
    in the lines of its 1st, 2nd, 4th, 8th... variant, so that the loss of one line makes no other one unreadable."""

    def __init__(self, path: str | Path, question: Mapping[str, Any]):
        super().__init__(path, STORE_KIND, question)
        self.variants: dict[tuple[float, ...], VariantResult] = {}
        self.uses: Counter[str] = Counter()
        """Number of lines that use a vector of times, by its digest."""

    def __enter__(self) -> Self:
        super().__enter__()
        entries = self.store.found
        times = {entry["time"]: unpack_array(entry["times"]) for entry in entries.values() if "times" in entry}
        lost = 0
        for at, entry in entries.items():
            digest = entry["time"]
            if digest is not None and digest not in times:
                lost += 1
                continue
            if digest is not None:
                self.uses[digest] += 1
            series = {name: unpack_array(values) for name, values in entry["series"].items()}
            self.variants[at] = VariantResult(
                times.get(digest), series, decode_numbers(entry["numbers"]), entry["failure"]
            )
        if lost:
            variants = "1 variant has" if lost == 1 else f"{lost} variants have"
            warnings.warn(
                f"in the store '{self.store.path}' {variants} no times, which were in damaged lines: computed again",
                stacklevel=3,
            )
        return self

    def variant(self, at: tuple[float, ...]) -> VariantResult | None:
        return self.variants.get(at)

    def add(self, at: tuple[float, ...], variant: VariantResult) -> None:
        """Store a computed variant."""
        if at in self.variants:  # the sweep contains the same values twice
            return
        self.variants[at] = variant
        series = {name: pack_array(values) for name, values in variant.series.items()}
        entry: dict[str, Any] = {
            "failure": variant.failure,
            "numbers": encode_numbers(variant.numbers),
            "series": series,
        }
        entry["time"] = digest = None if variant.time is None else _time_digest(variant.time)
        uses = self.uses[digest] + 1 if digest else 0
        if variant.time is not None and uses & (uses - 1) == 0:  # a power of two
            entry["times"] = pack_array(variant.time)
        if self.store.add(at, entry) and digest:
            self.uses[digest] = uses


def _time_digest(time: np.ndarray) -> str:
    return hashlib.sha256(f"{time.dtype.str} {time.shape}".encode() + np.ascontiguousarray(time).tobytes()).hexdigest()[
        :16
    ]
