"""Table of a long computation: a journal beside it while the computation runs (journal.py), one netCDF file at the end."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitwright._core.errors import GaitwrightError, NotSaved
from gaitwright._core.input_files import parse_json, read_netcdf
from gaitwright.design.stores.journal import JOURNAL_FORMAT, JournalStore, require_same_question

if TYPE_CHECKING:
    from typing import Self

    import xarray as xr


class TableStore:
    """Table with its journal. path: netCDF file. kind: kind of the computation, in a word. question: its identity. Use as a
    context manager, which locks the journal."""

    def __init__(self, path: str | Path, kind: str, question: Mapping[str, Any]):
        self.path, self.kind = Path(path), kind
        self.attribute = f"gaitwright_{kind.replace(' ', '_')}"
        self.store = JournalStore(self.path.with_name(f"{self.path.name}.log"), kind, question)

    def whole(self) -> xr.Dataset | None:
        """Result of a finished computation, else None. Raises StoreMismatch if the file belongs to another question."""
        if not self.path.exists():
            return None
        try:
            data = read_netcdf(self.path)
            head = parse_json(data.attrs.pop(self.attribute, ""), f"the head of '{self.path}'", finite=False)
        except GaitwrightError:  # not a file of this kind
            head, data = {}, None
        require_same_question(
            f"the file '{self.path}'", self.kind, self.store.question, head if isinstance(head, dict) else {}
        )
        return data if head.get("finished") else None

    def __enter__(self) -> Self:
        self.store.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.store.__exit__()

    def close(self, data: xr.Dataset, finished: bool) -> None:
        """Write the netCDF file; remove the journal if `finished`. If the file cannot be written, warn and keep the journal."""
        from gaitwright.result.files.netcdf import write_dataset

        head = {
            "gaitwright": self.kind,
            "format": JOURNAL_FORMAT,
            "question": self.store.question,
            "finished": finished,
        }
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
