"""Tables of outputs for other programs: MATLAB (.mat), Parquet (.parquet) and CSV, with names, units and descriptions.

netCDF holds more: states, evidence and the model, so that `load_result` restores the result. Tables hold outputs only."""

from __future__ import annotations

import importlib
import io
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.output_files import save_bytes, save_text

if TYPE_CHECKING:
    from gaitwright.result.result import Result

MAX_MATLAB_NAME_LENGTH = 63
"""Maximum number of characters of a name in MATLAB."""
INSTALL_HINT = "pip install 'gaitwright[tables]'"


def write_table(result: Result, path: str | Path, names: list[str] | None = None) -> Path:
    """Write outputs (default: those of `default_names`) in the format of the file suffix."""
    path = Path(path)
    selected = result.default_names() if names is None else list(names)
    columns = {name: result.array(name) for name in selected}
    return TABLE_WRITERS[path.suffix.lower()](result, path, columns)


def _units(result: Result, columns: dict[str, Any]) -> dict[str, str]:
    return {"time": "s", **{name: result.catalogue[name].unit for name in columns}}


def _descriptions(result: Result, columns: dict[str, Any]) -> dict[str, str]:
    return {"time": result.time_name, **{name: result.catalogue[name].description for name in columns}}


def _write_matlab(result: Result, path: Path, columns: dict[str, np.ndarray]) -> Path:
    """Write nested structs that follow the dots of the names: outputs.crank.torque (n, 1), units.crank.torque,
    descriptions.crank.torque. Characters that MATLAB does not allow in names become _; `names` lists the original names,
    `fields` the paths in the structs."""
    from scipy.io import savemat

    fields = matlab_field_paths(list(columns))
    units, texts = _units(result, columns), _descriptions(result, columns)
    trees: dict[str, dict[str, Any]] = {"outputs": {}, "units": {}, "descriptions": {}}
    for name, values in columns.items():
        for tree, value in zip(trees.values(), (values[:, None], units[name], texts[name]), strict=True):
            _insert_nested(tree, fields[name].split("."), value)
    listed = {"names": _cell_array(columns), "fields": _cell_array(fields.values())}
    content = {"time": result.time[:, None], **trees, **listed, **result.attributes()}
    memory = io.BytesIO()
    savemat(memory, content, long_field_names=True, do_compression=True)
    return save_bytes(path, memory.getbuffer())


def matlab_field_paths(names: list[str]) -> dict[str, str]:
    """Path of each output in a struct: its name with invalid characters replaced, such that no path is both a value and a
    struct."""
    paths: dict[str, str] = {}
    leaves: set[str] = set()
    inner = {".".join(_name_parts(name)[:k]) for name in names for k in range(1, name.count(".") + 1)}
    for name in names:
        field = ".".join(_name_parts(name))
        while field in leaves or field in inner:
            head, dot, last = field.rpartition(".")
            field = f"{head}{dot}{last[: MAX_MATLAB_NAME_LENGTH - 1]}_"
        leaves.add(field)
        paths[name] = field
    return paths


def _name_parts(name: str) -> list[str]:
    parts = [re.sub(r"[^A-Za-z0-9_]", "_", part) for part in name.split(".")]
    return [(part if re.match(r"[A-Za-z]", part) else f"x{part}")[:MAX_MATLAB_NAME_LENGTH] for part in parts]


def _insert_nested(tree: dict[str, Any], path: list[str], value: Any) -> None:
    for part in path[:-1]:
        tree = tree.setdefault(part, {})
    tree[path[-1]] = value


def _cell_array(texts: Any) -> np.ndarray:
    texts = list(texts)
    cells = np.empty((len(texts), 1), dtype=object)
    cells[:, 0] = texts
    return cells


def _write_parquet(result: Result, path: Path, columns: dict[str, np.ndarray]) -> Path:
    """Write a column per output, and one for the time. Units and descriptions are stored as metadata of the columns, and as
    `attrs` of the table for pandas."""
    try:
        arrow: Any = importlib.import_module("pyarrow")
        parquet: Any = importlib.import_module("pyarrow.parquet")
    except ImportError:
        ErrorContext(field="path").fail(
            "Parquet is written by the package pyarrow", str(path), f"{INSTALL_HINT}, or .nc, .mat, .csv"
        )
    units, texts = _units(result, columns), _descriptions(result, columns)
    attributes = {**result.attributes(), "units": units, "descriptions": texts}
    metadata = {**result.attributes(), "PANDAS_ATTRS": json.dumps(attributes)}
    every = {"time": result.time, **columns}
    fields = [arrow.field(n, arrow.float64(), metadata={"units": units[n], "description": texts[n]}) for n in every]
    table = arrow.table(list(map(arrow.array, every.values())), schema=arrow.schema(fields, metadata=metadata))
    memory = io.BytesIO()
    parquet.write_table(table, memory)
    return save_bytes(path, memory.getbuffer())


def _write_csv(result: Result, path: Path, columns: dict[str, np.ndarray]) -> Path:
    """Write a header line with names and units in brackets, and numbers with all their digits."""
    units = _units(result, columns)
    every = {"time": result.time, **columns}
    lines = [",".join(f"{name} [{units[name]}]" for name in every)]
    lines += [",".join(map(repr, row)) for row in np.column_stack(list(every.values())).tolist()]
    return save_text(path, "\n".join(lines) + "\n")


TABLE_WRITERS = {".mat": _write_matlab, ".parquet": _write_parquet, ".csv": _write_csv}
"""Writer function by file suffix."""
NETCDF_SUFFIXES = ("", ".nc", ".nc4", ".cdf", ".netcdf", ".h5", ".hdf5")
