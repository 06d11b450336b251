"""What was found of very many designs, in a file as it comes: one line for each block of them, in columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gaitwright.design.filed import Filed
from gaitwright.design.many.measures import Measured
from gaitwright.design.store import packed, unpacked

KIND = "set of designs"


class Block(NamedTuple):
    """What came of some designs. place: which. codes: of failures. ends: s. good: those of them that were measured."""

    place: np.ndarray
    codes: np.ndarray
    ends: np.ndarray
    good: np.ndarray
    measured: Measured


class KeptDesigns(Filed):
    """path: of the netCDF file. question: what the designs are asked."""

    def __init__(self, path: str | Path, question: Mapping[str, Any]):
        super().__init__(path, KIND, question)

    def blocks(self) -> Iterator[Block]:
        """What was there, once."""
        found = self.store.found
        while found:
            _, entry = found.popitem()
            place, codes, ends, good = (unpacked(entry[name]) for name in ("place", "codes", "ends", "good"))
            numbers = {_key(name): unpacked(values) for name, values in entry["numbers"]}
            wrong = {said: unpacked(mask) for said, mask in entry["wrong"].items()}
            yield Block(place, codes, ends, good, Measured(numbers, wrong))

    def add(self, block: Block) -> None:
        """A block is known by its first design, which no other has."""
        entry = {
            "place": packed(block.place.astype(np.uint32)),
            "codes": packed(block.codes.astype(np.uint8)),
            "ends": packed(block.ends),
            "good": packed(block.good.astype(np.uint32)),
            "numbers": [
                [list(name) if isinstance(name, tuple) else name, packed(values)]
                for name, values in block.measured.numbers.items()
            ],
            "wrong": {said: packed(mask) for said, mask in block.measured.wrong.items() if mask.any()},
        }
        self.store.add((float(block.place[0]),), entry)


def _key(name: Any) -> Any:
    """A measure, or (measure, parameter) of a derivative."""
    return tuple(name) if isinstance(name, list) else name
