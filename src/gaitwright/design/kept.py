"""The variants of a sweep in a file, as they come: a store beside it while the sweep runs, one netCDF file in the end."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.design.store import FORMAT, Store, packed, plain_numbers, real_numbers, refuse, unpacked
from gaitwright.design.variant import Variant
from gaitwright.errors import NotSaved

if TYPE_CHECKING:
    import xarray as xr

KIND = "sweep"
SAME = "as before"
"""Instead of times that are those of the line before, as those of nearly all variants are."""
ATTRIBUTE = "gaitwright_sweep"


class Kept:
    """path: of the netCDF file. question: what the sweep is about."""

    def __init__(self, path: str | Path, question: Mapping[str, Any]):
        self.path = Path(path)
        self.store = Store(self.path.with_name(f"{self.path.name}.log"), KIND, question)
        self.variants: dict[tuple[float, ...], Variant] = {}
        self.time: np.ndarray | None = None

    def whole(self) -> xr.Dataset | None:
        """What the sweep gave, if it has ended; a file of something else is refused."""
        if not self.path.exists():
            return None
        import xarray as xr

        try:
            with xr.open_dataset(self.path, engine="h5netcdf") as file:
                data = file.load()
            head = json.loads(data.attrs.pop(ATTRIBUTE))
        except Exception:  # whatever else it may be
            head, data = {}, None
        refuse(f"the file '{self.path}'", KIND, self.store.question, head if isinstance(head, dict) else {})
        return data if head.get("finished") else None

    def __enter__(self) -> Kept:
        self.store.__enter__()
        time = None
        for at, entry in self.store.found.items():
            if entry["time"] not in (None, SAME):
                time = unpacked(entry["time"])
            series = {name: unpacked(values) for name, values in entry["series"].items()}
            own = time if entry["time"] is not None else None
            self.variants[at] = Variant(own, series, real_numbers(entry["numbers"]), entry["failure"])
        self.time = time
        return self

    def __exit__(self, *_: object) -> None:
        self.store.__exit__()

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

    def close(self, data: xr.Dataset, finished: bool) -> None:
        """Write what there is; the store goes when nothing is missing any more."""
        from gaitwright.result.netcdf import write_dataset

        head = {"gaitwright": KIND, "format": FORMAT, "question": self.store.question, "finished": finished}
        try:
            write_dataset(self.path, data.assign_attrs({ATTRIBUTE: json.dumps(head)}))
        except NotSaved as error:
            warnings.warn(f"{error}; what was computed is in '{self.store.path}'", stacklevel=3)
            return
        self.store.__exit__()
        if finished:
            self.store.path.unlink(missing_ok=True)
