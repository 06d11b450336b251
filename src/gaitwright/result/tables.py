"""Outputs as tables of other programs: MATLAB (.mat), Parquet (.parquet) and CSV, with names, units and what they are.

netCDF holds more: states, evidence and the model, so that `load_result` gives the same result again. These hold outputs."""

from __future__ import annotations

import importlib
import io
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At
from gaitwright.saving import save_bytes, save_text

if TYPE_CHECKING:
    from gaitwright.result.result import Result

LONGEST_NAME = 63
"""Letters of a name in MATLAB."""
INSTALL = "pip install 'gaitwright[tables]'"


def write_table(result: Result, path: str | Path, names: list[str] | None = None) -> Path:
    """Write outputs (those of `default_names` unless named) in the format of the ending."""
    path = Path(path)
    wanted = result.default_names() if names is None else list(names)
    columns = {name: result.values(name) for name in wanted}
    return TABLES[path.suffix.lower()](result, path, columns)


def _units(result: Result, columns: dict[str, Any]) -> dict[str, str]:
    return {"time": "s", **{name: result.catalogue[name].unit for name in columns}}


def _descriptions(result: Result, columns: dict[str, Any]) -> dict[str, str]:
    return {"time": result.time_name, **{name: result.catalogue[name].description for name in columns}}


def _matlab(result: Result, path: Path, columns: dict[str, np.ndarray]) -> Path:
    """Structs as the dots of the names say: outputs.crank.torque (n, 1), units.crank.torque, descriptions.crank.torque. What
    MATLAB does not take as a name has _ instead; `names` lists all as they are here, `fields` where each is."""
    from scipy.io import savemat

    fields = matlab_fields(list(columns))
    units, texts = _units(result, columns), _descriptions(result, columns)
    trees: dict[str, dict[str, Any]] = {"outputs": {}, "units": {}, "descriptions": {}}
    for name, values in columns.items():
        for tree, value in zip(trees.values(), (values[:, None], units[name], texts[name]), strict=True):
            _put(tree, fields[name].split("."), value)
    listed = {"names": _cells(columns), "fields": _cells(fields.values())}
    kept = {"time": result.time[:, None], **trees, **listed, **result.attributes()}
    memory = io.BytesIO()
    savemat(memory, kept, long_field_names=True, do_compression=True)
    return save_bytes(path, memory.getbuffer())


def matlab_fields(names: list[str]) -> dict[str, str]:
    """Where each output is in a struct: its name with letters that MATLAB does not know changed, and no name at once that of a
    number and of a struct."""
    found: dict[str, str] = {}
    leaves: set[str] = set()
    inner = {".".join(_parts(name)[:k]) for name in names for k in range(1, name.count(".") + 1)}
    for name in names:
        field = ".".join(_parts(name))
        while field in leaves or field in inner:
            head, dot, last = field.rpartition(".")
            field = f"{head}{dot}{last[: LONGEST_NAME - 1]}_"
        leaves.add(field)
        found[name] = field
    return found


def _parts(name: str) -> list[str]:
    parts = [re.sub(r"[^A-Za-z0-9_]", "_", part) for part in name.split(".")]
    return [(part if re.match(r"[A-Za-z]", part) else f"x{part}")[:LONGEST_NAME] for part in parts]


def _put(tree: dict[str, Any], way: list[str], value: Any) -> None:
    for part in way[:-1]:
        tree = tree.setdefault(part, {})
    tree[way[-1]] = value


def _cells(texts: Any) -> np.ndarray:
    texts = list(texts)
    cells = np.empty((len(texts), 1), dtype=object)
    cells[:, 0] = texts
    return cells


def _parquet(result: Result, path: Path, columns: dict[str, np.ndarray]) -> Path:
    """A column per output, and one for the time. Units and descriptions are metadata of the columns, and `attrs` of the table
    that pandas reads."""
    try:
        arrow: Any = importlib.import_module("pyarrow")
        parquet: Any = importlib.import_module("pyarrow.parquet")
    except ImportError:
        At(field="path").fail("Parquet is written by the package pyarrow", str(path), f"{INSTALL}, or .nc, .mat, .csv")
    units, texts = _units(result, columns), _descriptions(result, columns)
    attributes = {**result.attributes(), "units": units, "descriptions": texts}
    whole = {**result.attributes(), "PANDAS_ATTRS": json.dumps(attributes)}
    every = {"time": result.time, **columns}
    fields = [arrow.field(n, arrow.float64(), metadata={"units": units[n], "description": texts[n]}) for n in every]
    table = arrow.table(list(map(arrow.array, every.values())), schema=arrow.schema(fields, metadata=whole))
    memory = io.BytesIO()
    parquet.write_table(table, memory)
    return save_bytes(path, memory.getbuffer())


def _csv(result: Result, path: Path, columns: dict[str, np.ndarray]) -> Path:
    """First line: names with units in brackets; numbers with all their digits."""
    units = _units(result, columns)
    every = {"time": result.time, **columns}
    lines = [",".join(f"{name} [{units[name]}]" for name in every)]
    lines += [",".join(map(repr, row)) for row in np.column_stack(list(every.values())).tolist()]
    return save_text(path, "\n".join(lines) + "\n")


TABLES = {".mat": _matlab, ".parquet": _parquet, ".csv": _csv}
"""Who writes what, by the ending."""
NETCDF = ("", ".nc", ".nc4", ".cdf", ".netcdf", ".h5", ".hdf5")
