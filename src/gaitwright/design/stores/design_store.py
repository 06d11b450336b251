"""Store of very many designs: one line of the file per block of designs, in columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gaitwright.codegen.measures import DesignMeasures
from gaitwright.design.stores.journal import pack_array, unpack_array
from gaitwright.design.stores.table_store import TableStore

STORE_KIND = "set of designs"


class DesignBlock(NamedTuple):
    """Results of some designs. place: their indices. codes: failure codes. ends: time of failure, s. good: positions within
    `place` of the measured designs. measured: their measures."""

    place: np.ndarray
    codes: np.ndarray
    ends: np.ndarray
    good: np.ndarray
    measured: DesignMeasures


class DesignStore(TableStore):
    """Store of designs. path: netCDF file. question: identity of model, parameters, analysis and measures."""

    def __init__(self, path: str | Path, question: Mapping[str, Any]):
        super().__init__(path, STORE_KIND, question)

    def blocks(self) -> Iterator[DesignBlock]:
        """Yield the stored blocks and remove them from memory."""
        entries = self.store.found
        while entries:
            _, entry = entries.popitem()
            place, codes, ends, good = (unpack_array(entry[name]) for name in ("place", "codes", "ends", "good"))
            numbers = {_measure_key(name): unpack_array(values) for name, values in entry["numbers"]}
            wrong = {said: unpack_array(mask) for said, mask in entry["wrong"].items()}
            yield DesignBlock(place, codes, ends, good, DesignMeasures(numbers, wrong))

    def add(self, block: DesignBlock) -> None:
        """Append a block. Its key is its first design, which belongs to no other block."""
        entry = {
            "place": pack_array(block.place.astype(np.uint32)),
            "codes": pack_array(block.codes.astype(np.uint8)),
            "ends": pack_array(block.ends),
            "good": pack_array(block.good.astype(np.uint32)),
            "numbers": [
                [list(name) if isinstance(name, tuple) else name, pack_array(values)]
                for name, values in block.measured.numbers.items()
            ],
            "wrong": {said: pack_array(mask) for said, mask in block.measured.wrong.items() if mask.any()},
        }
        self.store.add((float(block.place[0]),), entry)


def _measure_key(name: Any) -> Any:
    """Name of a measure, or (measure, parameter) for a derivative, from its JSON form."""
    return tuple(name) if isinstance(name, list) else name
