"""Model files (YAML or JSON, format version 1; URDF is read too) and result files (netCDF)."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import yaml

from gaitwright import input_files
from gaitwright.checks import At, did_you_mean
from gaitwright.errors import ModelError
from gaitwright.input_files import (
    MAX_TEXT_BYTES,
    SCIENTIFIC,
    contained_path,
    parse_json,
    parse_yaml,
    parse_yaml_nodes,
    read_netcdf,
    require_finite,
    typed,
)
from gaitwright.isolation import Unreadable
from gaitwright.model.description import Description
from gaitwright.model.model import Model
from gaitwright.model.spec import SINGULAR, Document
from gaitwright.result.evidence import Evidence
from gaitwright.result.older import of_today
from gaitwright.result.outputs import Motion
from gaitwright.result.result import Result
from gaitwright.result.stored import Stored, read_stored
from gaitwright.result.touches import Episode
from gaitwright.saving import save_text
from gaitwright.system.evaluate import memory_size, power_count
from gaitwright.system.tables import System

LARGEST_FILE = MAX_TEXT_BYTES
"""Bytes of a model file."""
EXPECTED = "a model that starts with 'gaitwright: 1'"
ATTRIBUTES = ("model", "redundant", "evidence")
"""Of a result file, in JSON."""
INCOMPLETE = "is not a complete Gaitwright result"
ALLOW = "--allow-files {folder} (in Python: gw.load(..., allow_files=[...]))"
"""How the user allows files outside of the folder of a model file."""


def read_text(path: Path) -> str:
    """What a file contains; how it was read, if not as UTF-8, is said in a warning."""
    text = input_files.read_text(path, largest=LARGEST_FILE, expected="a model file in YAML or JSON")
    if text.note:
        warnings.warn(text.note, stacklevel=3)
    return text.content


def read_raw(path: str | Path, allow_files: Sequence[str | Path] = ()) -> dict[str, Any]:
    """The document in a file, not yet validated. YAML is read by the safe loader: data only. URDF, which is XML, is read as
    `load_urdf` does it; what it leaves out is said in warnings. allow_files: see `load`."""
    path = Path(path)
    from gaitwright.model.foreign import is_foreign, read_foreign

    if is_foreign(path):
        found = read_foreign(path)
        for note in found.notes:
            warnings.warn(note, stacklevel=3)
        return found.document
    text = read_text(path)
    if path.suffix.lower() == ".urdf" or text.lstrip().startswith("<"):
        from gaitwright.model.robots import urdf_document

        raw, notes = urdf_document(text, f"the file '{path}'", folder=path.parent)
        for note in notes:
            warnings.warn(note, stacklevel=3)
        return raw
    return read_nodes(text, f"the file '{path}'", path.parent, allow_files)[0]


def read_nodes(
    text: str, source: str, folder: Path, allow_files: Sequence[str | Path] = ()
) -> tuple[dict[str, Any], yaml.Node]:
    """The document in a text, not yet validated, and the nodes of YAML it was read from, which know their places. source: what
    messages call it. folder: below which the files lie that it names."""
    raw, node = parse_yaml_nodes(text, source, EXPECTED)
    if raw is None or node is None:
        raise ModelError(f"{source} is empty", expected=EXPECTED)
    if not isinstance(raw, dict):
        raise ModelError(f"{source} does not contain a model", expected="a mapping that starts with 'gaitwright: 1'")
    _from_folder(raw, folder, allow_files)
    return raw, node


def left_empty(raw: dict[str, Any]) -> list[str]:
    """Fields of elements that have a name but no value: where the model does without, they count as left out, which may not
    be what was meant."""
    found = []
    for section, entries in raw.items():
        many = isinstance(entries, list)
        for k, entry in enumerate(entries if many else [entries]):
            empty = [key for key, value in entry.items() if value is None] if isinstance(entry, dict) else []
            named = entry.get("name") if empty else None
            place = (
                f"{SINGULAR.get(section, section.rstrip('s'))} {repr(named) if named else k + 1}" if many else section
            )
            found += [f"{place}: the field '{key}' is empty and counts as left out" for key in empty]
    return found


def _from_folder(raw: dict[str, Any], folder: Path, allow_files: Sequence[str | Path]) -> None:
    """The files of series and of meshes are beside the model file, wherever it is read from, or where it is allowed."""
    series = raw.get("series")
    for name, entry in series.items() if isinstance(series, dict) else ():
        if isinstance(entry, dict) and isinstance(entry.get("file"), str):
            entry["file"] = str(contained_path(folder, entry["file"], allow_files, f"series '{name}'", option=ALLOW))
    solids = raw.get("solids")
    for k, entry in enumerate(solids if isinstance(solids, list) else ()):
        if isinstance(entry, dict) and isinstance(entry.get("mesh"), str):
            label = f"solid '{str(entry['name'])[:80]}'" if "name" in entry else f"solid {k + 1}"
            entry["mesh"] = str(contained_path(folder, entry["mesh"], allow_files, label, "mesh", ALLOW))
    contacts = raw.get("contacts")
    for k, entry in enumerate(contacts if isinstance(contacts, list) else ()):
        surface = entry.get("surface") if isinstance(entry, dict) else None
        if isinstance(surface, dict) and isinstance(surface.get("mesh"), str):
            label = f"contact '{str(entry['name'])[:80]}'" if "name" in entry else f"contact {k + 1}"
            surface["mesh"] = str(contained_path(folder, surface["mesh"], allow_files, label, "surface.mesh", ALLOW))
    listed = [raw.get(section) for section in ("bodies", "links")]
    owners = [raw.get("ground"), *(owner for owners in listed if isinstance(owners, list) for owner in owners)]
    for owner in (owner for owner in owners if isinstance(owner, dict)):
        shapes = owner.get("shapes")
        for shape in shapes if isinstance(shapes, list) else ():
            if isinstance(shape, dict) and isinstance(shape.get("mesh"), str):
                label = f"body '{str(owner['name'])[:80]}'" if "name" in owner else "the ground"
                shape["mesh"] = str(contained_path(folder, shape["mesh"], allow_files, label, "shapes.mesh", ALLOW))


class Writer(yaml.SafeDumper):
    """Writes what the reader above reads back as it was: a text that looks like a number is put in quotes."""


Writer.add_implicit_resolver("tag:yaml.org,2002:float", SCIENTIFIC, list("-+.0123456789"))


def load(path: str | Path, *, allow_files: Sequence[str | Path] = (), **parameters: float | str) -> Model:
    """Read a model file, with parameters overridden. Files that it names (tables of series) are read from below its own
    folder, and from the folders in `allow_files`."""
    raw = read_raw(path, allow_files)
    model = Model.from_dict(raw)
    for text in left_empty(raw):
        warnings.warn(text, stacklevel=2)
    return model.copy(**parameters) if parameters else model


def override(raw: dict[str, Any], assignment: str) -> None:
    """Apply `path.to.value=new` to a document, as --set does; lists by name of the element or by index from 0.

    Parameters and points must exist: a new one would change nothing, so it can only be a misspelt name."""
    path, equals, text = assignment.partition("=")
    if not equals or not path.strip() or not text.strip():
        raise ModelError("--set takes path=value", value=assignment, expected="for example parameters.L=0.2")
    *above, last = keys = path.strip().split(".")
    value = parse_yaml(text, f"the value of --set {path}")
    place: Any = raw
    for depth, key in enumerate(above):
        place = _descend(place, key, keys[: depth + 1])
    if isinstance(place, list):
        place[_index(place, last, keys)] = value
    elif isinstance(place, dict):
        closed = above[-1:] in (["parameters"], ["points"]) or (not above and last not in Document.model_fields)
        if closed and last not in place:
            raise _not_found(keys, place if above else Document.model_fields)
        place[last] = value
    else:
        raise ModelError(f"--set {path}: '{'.'.join(above)}' is a single value and has no '{last}'")


def _index(place: list[Any], key: str, path: list[str]) -> int:
    names = [entry.get("name") if isinstance(entry, dict) else None for entry in place]
    if key in names:
        return names.index(key)
    if key.isdigit() and int(key) < len(place):
        return int(key)
    raise _not_found(path, [*(name for name in names if isinstance(name, str)), *map(str, range(len(place)))])


def _descend(place: Any, key: str, path: list[str]) -> Any:
    if isinstance(place, list):
        return place[_index(place, key, path)]
    if not isinstance(place, dict) or (key not in place and (len(path) > 1 or key not in Document.model_fields)):
        raise _not_found(path, place if len(path) > 1 else Document.model_fields)
    if place.get(key) is None:
        place[key] = {}
    return place[key]


def _not_found(path: list[str], known: Any) -> ModelError:
    names = [str(name) for name in known] if isinstance(known, (dict, list)) else []
    listed = ", ".join(names[:20]) or "nothing to set"
    where = f"in '{'.'.join(path[:-1])}'" if len(path) > 1 else "in the model"
    return ModelError(
        f"--set {'.'.join(path)}: there is no '{path[-1]}' {where}",
        expected=f"one of {listed}{did_you_mean(path[-1], names)}",
    )


def write_model(model: Description, path: str | Path) -> Path:
    """Write a model file; JSON if the path ends so, otherwise YAML. Its meshes are written as files beside it."""
    path = Path(path)
    if model.document.solids or any(c["surface"].get("mesh") for c in model.document.contacts):
        from gaitwright.model.mesh_files import with_files  # meshes, which few models have

        model = Description.of(with_files(model.document, path))
    as_json = path.suffix == ".json"
    return save_text(path, json.dumps(model.to_dict(), indent=2) + "\n" if as_json else model_text(model))


def model_text(model: Description) -> str:
    """The model file as YAML."""
    return yaml.dump(
        model.to_dict(), Dumper=Writer, sort_keys=False, default_flow_style=None, width=120, allow_unicode=True
    )


MAX_STATE_VALUE = 1e100
"""Largest number in a stored state: products of larger ones, such as energies, overflow. Damaged files contain such numbers."""


def load_result(path: str | Path) -> Result:
    """Read a result file back: outputs, energies, plots and animation work as after the run."""
    at = At(f"the file '{path}'")
    found = read_netcdf(path, _stored_parts, problem=INCOMPLETE)
    document, redundant, told = (
        parse_json(found.attributes[name], f"{at.element} {INCOMPLETE}: its {name}", finite=False)
        for name in ATTRIBUTES
    )
    evidence = typed(Evidence, told, At(f"{at.element} {INCOMPLETE}: its evidence"), finite=False)
    motion = found.motion
    for name, values in zip(Motion._fields, motion, strict=True):
        here = At(at.element, "time" if name == "t" else f"state.{name}")
        require_finite(values, here)
        if np.abs(values).max(initial=0.0) > MAX_STATE_VALUE:
            here.fail("is larger than that of any motion", float(values.flat[np.abs(values).argmax()]))
    if not isinstance(document, dict):
        at.fail(f"{INCOMPLETE}: its model is no mapping")
    mechanism = Model.from_dict(document).mechanism()
    s, given = mechanism.system, redundant if isinstance(redundant, list) else []
    rows = [row for row in given if isinstance(row, int) and 0 <= row < s.m_all]
    motion = motion._replace(work=_by_block(s, motion.work))
    states = list(motion[1:])
    widths = (s.n + 1, s.n + 1, s.n + 1, s.m_all, power_count(s), memory_size(s))
    if all(x.shape == (motion.t.size, width) for x, width in zip(states[:-1], widths[:-1], strict=True)):
        motion = of_today(mechanism, motion)
    fits = all(x.shape == (motion.t.size, width) for x, width in zip(motion[1:], widths, strict=True))
    if not fits or not motion.t.size or rows != redundant or rows != sorted(set(rows)):
        at.fail(f"{INCOMPLETE}: its states do not fit its model")
    mechanism.rebuild(redundant)
    motion = motion._replace(t=np.asarray(motion.t))
    return Result(mechanism, motion, evidence, document, found.episodes, **found.steps, stored=found.stored)


class _Parts(NamedTuple):
    """What a result file holds, before it is compared with its model."""

    attributes: dict[str, str]
    motion: Motion
    steps: dict[str, np.ndarray]
    stored: Stored | None
    episodes: list[Episode]


def _stored_parts(data: Any) -> _Parts:
    times = _numbers(data["frame" if "frame" in data else "time"])
    none = np.zeros((times.size, 0))
    names = [f"state.{name}" for name in Motion._fields[1:]]
    motion = Motion(times, *(_numbers(data[name]) if name in data else none for name in names))
    names = ("step_sizes", "newton", "sigma", "unstable")
    steps = {n: _numbers(data[f"state.{n}"]) for n in names if f"state.{n}" in data}
    stored = None if "frame" not in data else read_stored(data)
    columns = [data[f"episode.{n}"].values.tolist() for n in Episode._fields if f"episode.{n}" in data]
    episodes = [Episode(str(row[0]), *map(float, row[1:])) for row in zip(*columns, strict=True)]
    return _Parts({name: str(data.attrs[name]) for name in ATTRIBUTES}, motion, steps, stored, episodes)


def _numbers(variable: Any) -> np.ndarray:
    values = variable.values
    if values.dtype.kind not in "fiub":
        raise Unreadable(f"'{variable.name}' has no numbers")
    return values


def _by_block(s: System, work: np.ndarray) -> np.ndarray:
    """Works as the tables have them: files that were written before blocks have one for each element of a beam."""
    first, each = s.drive_rows.size, s.power_entry.size
    if each == s.power_kind.size or work.shape[1:] != (power_count(s) - s.power_kind.size + each,):
        return work
    drives, elements, contacts = np.split(work, [first, first + each], axis=1)
    summed = np.zeros((len(work), s.power_kind.size))
    np.add.at(summed.T, s.power_of[np.argsort(s.power_entry)], elements.T)
    return np.hstack([drives, summed, contacts])
