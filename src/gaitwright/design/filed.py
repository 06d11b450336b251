"""A table that long work fills: a store beside it while the work goes on (store.py), one netCDF file in the end."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitwright.design.store import FORMAT, Store, refuse
from gaitwright.errors import GaitwrightError, NotSaved
from gaitwright.input_files import parse_json, read_netcdf

if TYPE_CHECKING:
    from typing import Self

    import xarray as xr


class Filed:
    """path: of the netCDF file. kind: of the work, in a word. question: what it is about. Use as a context: it locks the
    store."""

    def __init__(self, path: str | Path, kind: str, question: Mapping[str, Any]):
        self.path, self.kind = Path(path), kind
        self.attribute = f"gaitwright_{kind.replace(' ', '_')}"
        self.store = Store(self.path.with_name(f"{self.path.name}.log"), kind, question)

    def whole(self) -> xr.Dataset | None:
        """What the work gave, if it has ended; a file of something else is refused."""
        if not self.path.exists():
            return None
        try:
            data = read_netcdf(self.path)
            head = parse_json(data.attrs.pop(self.attribute, ""), f"the head of '{self.path}'", finite=False)
        except GaitwrightError:  # whatever else it may be
            head, data = {}, None
        refuse(f"the file '{self.path}'", self.kind, self.store.question, head if isinstance(head, dict) else {})
        return data if head.get("finished") else None

    def __enter__(self) -> Self:
        self.store.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.store.__exit__()

    def close(self, data: xr.Dataset, finished: bool) -> None:
        """Write what there is; the store goes when nothing is missing any more."""
        from gaitwright.result.netcdf import write_dataset

        head = {"gaitwright": self.kind, "format": FORMAT, "question": self.store.question, "finished": finished}
        try:
            write_dataset(self.path, data.assign_attrs({self.attribute: json.dumps(head)}))
        except NotSaved as error:
            part = "a part of " if self.store.warned else ""
            there = (
                f"{part}what was computed is in '{self.store.path}'" if self.store.lines else "nothing of it is kept"
            )
            warnings.warn(f"{error}; {there}", stacklevel=3)
            return
        self.store.__exit__()
        if finished:
            self.store.path.unlink(missing_ok=True)
