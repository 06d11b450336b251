"""Model files (YAML or JSON, format version 1) and result files (netCDF)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from gaitwright.analyse.outputs import Motion
from gaitwright.analyse.result import Evidence, Result
from gaitwright.errors import GaitwrightError, ModelError
from gaitwright.model.model import Model


def read_raw(path: str | Path) -> dict[str, Any]:
    """The document in a file, not yet validated. YAML is read by the safe loader: data only."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ModelError(f"there is no file '{path}'") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"the file '{path}' cannot be read: {error}") from None
    try:
        raw = yaml.load(text, Loader=_UniqueKeys)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise ModelError(f"the file '{path}' is not valid YAML{where}: {getattr(error, 'problem', error)}") from None
    if not isinstance(raw, dict):
        raise ModelError(
            f"the file '{path}' does not contain a model", expected="a mapping that starts with 'gaitwright: 1'"
        )
    return raw


class _UniqueKeys(yaml.SafeLoader):
    """Safe YAML in which a key given twice is an error, not a silent overwrite; 1e-3 is a number."""


def _mapping(loader: Any, node: Any) -> dict[Any, Any]:
    loader.flatten_mapping(node)
    seen: dict[Any, Any] = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        if key in seen:
            raise yaml.constructor.ConstructorError(None, None, f"'{key}' is given twice", key_node.start_mark)
        seen[key] = loader.construct_object(value_node, deep=True)
    return seen


_UniqueKeys.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def load(path: str | Path, **parameters: float | str) -> Model:
    """Read a model file, with parameters overridden."""
    model = Model.from_dict(read_raw(path))
    return model.copy(**parameters) if parameters else model


def override(raw: dict[str, Any], assignment: str) -> None:
    """Apply `path.to.value=new` to a document, as --set does; lists by index or by the name of an element."""
    path, equals, text = assignment.partition("=")
    if not equals or not path:
        raise ModelError("--set takes path=value", value=assignment, expected="for example parameters.L=0.2")
    place: Any = raw
    *above, last = path.split(".")
    for depth, key in enumerate(above):
        place = _descend(place, key, ".".join(above[: depth + 1]), create=depth == 0 or isinstance(place, dict))
    value = yaml.safe_load(text)
    if isinstance(place, list):
        place[_index(place, last, path)] = value
    elif isinstance(place, dict):
        place[last] = value
    else:
        raise ModelError(f"--set cannot reach '{path}'", value=assignment)


def _index(place: list[Any], key: str, path: str) -> int:
    for k, entry in enumerate(place):
        if isinstance(entry, dict) and entry.get("name") == key:
            return k
    if key.isdigit() and int(key) < len(place):
        return int(key)
    raise ModelError(f"--set cannot find '{path}': no element '{key}'")


def _descend(place: Any, key: str, path: str, create: bool) -> Any:
    if isinstance(place, list):
        return place[_index(place, key, path)]
    if isinstance(place, dict):
        if key not in place and create:
            place[key] = {}
        if key in place:
            return place[key]
    raise ModelError(f"--set cannot find '{path}'")


def write_model(model: Model, path: str | Path) -> Path:
    """Write a model file; JSON if the path ends so, otherwise YAML."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = model.to_dict()
    if path.suffix == ".json":
        path.write_text(json.dumps(raw, indent=2) + "\n")
    else:
        path.write_text(yaml.safe_dump(raw, sort_keys=False, default_flow_style=None, width=120))
    return path


def load_result(path: str | Path) -> Result:
    """Read a result file back: outputs, energies, plots and animation work as after the run."""
    import xarray as xr

    path = Path(path)
    if not path.exists():
        raise ModelError(f"there is no file '{path}'")
    try:
        with xr.open_dataset(path, engine="h5netcdf") as data:
            document, redundant = json.loads(data.attrs["model"]), json.loads(data.attrs["redundant"])
            states = [data[f"state.{name}"].values for name in ("q", "v", "a", "lam", "work")]
            motion = Motion(data["time"].values, *states)
            evidence = Evidence(**json.loads(data.attrs["evidence"]))
            names = ("step_sizes", "newton", "sigma")
            steps = {n: data[f"state.{n}"].values for n in names if f"state.{n}" in data}
    except GaitwrightError:
        raise
    except Exception as error:
        raise ModelError(f"the file '{path}' is not a complete Gaitwright result: {error}") from None
    mechanism = Model.from_dict(document).mechanism()
    mechanism.rebuild(redundant)
    return Result(mechanism, motion._replace(t=np.asarray(motion.t)), evidence, document, **steps)
