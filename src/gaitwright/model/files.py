"""Model files (YAML or JSON, format version 1; URDF is read too) and result files (netCDF)."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from gaitwright.checks import did_you_mean
from gaitwright.errors import GaitwrightError, ModelError
from gaitwright.formats.reading import allowed_path, decoded
from gaitwright.model.description import Description
from gaitwright.model.model import Model
from gaitwright.model.spec import SINGULAR, Document
from gaitwright.result.evidence import Evidence
from gaitwright.result.older import of_today
from gaitwright.result.outputs import Motion
from gaitwright.result.result import Result
from gaitwright.result.stored import read_stored
from gaitwright.result.touches import Episode
from gaitwright.saving import save_text
from gaitwright.system.evaluate import memory_size, power_count
from gaitwright.system.tables import System

LARGEST_FILE = 5_000_000
"""Bytes of a model file: a leg has three thousand, a chain of a thousand links two hundred thousand, and YAML takes ten seconds
per million."""
MOST_ENTRIES = 1_000_000
"""Values in a model file with every alias (*name) written out. A few lines of aliases of aliases would make billions."""


def read_text(path: Path) -> str:
    """What a file contains; how it was read, if not as UTF-8, is said in a warning."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            size = f"{path.stat().st_size / 1e6:.0f} MB"
            raise ModelError(
                f"the file '{path}' has {size}", expected=f"a model of at most {LARGEST_FILE / 1e6:.0f} MB"
            )
        text = decoded(path.read_bytes(), f"the file '{path}'")
    except FileNotFoundError:
        raise ModelError(f"there is no file '{path}'") from None
    except IsADirectoryError:
        raise ModelError(f"'{path}' is a folder; expected a model file in it") from None
    except OSError as error:
        raise ModelError(f"the file '{path}' cannot be read: {error.strerror or error}") from None
    if text is None:
        raise ModelError(f"the file '{path}' is not a text file", expected="a model file in YAML or JSON")
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
    raw, node = _parse_fast(text, source)
    if raw is None or node is None:
        raise ModelError(f"{source} is empty", expected="a model that starts with 'gaitwright: 1'")
    if not isinstance(raw, dict):
        raise ModelError(f"{source} does not contain a model", expected="a mapping that starts with 'gaitwright: 1'")
    _count_entries(raw, source, {})
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


def _count_entries(value: Any, source: str, counts: dict[int, int]) -> int:
    """How many values a part of a document stands for; what an alias stands for is looked at once. Refuses too many."""
    if not isinstance(value, (dict, list)):
        return 1
    if id(value) not in counts:
        parts = value.values() if isinstance(value, dict) else value
        counts[id(value)] = 1 + sum(_count_entries(part, source, counts) for part in parts)
        if counts[id(value)] > MOST_ENTRIES:
            raise ModelError(
                f"{source} has more than {MOST_ENTRIES} values, those that aliases stand for included",
                expected="a smaller model",
            )
    return counts[id(value)]


def _from_folder(raw: dict[str, Any], folder: Path, allow_files: Sequence[str | Path]) -> None:
    """The files of series and of meshes are beside the model file, wherever it is read from, or where it is allowed."""
    series = raw.get("series")
    for name, entry in series.items() if isinstance(series, dict) else ():
        if isinstance(entry, dict) and isinstance(entry.get("file"), str):
            entry["file"] = str(allowed_path(folder, entry["file"], allow_files, f"series '{name}'"))
    solids = raw.get("solids")
    for k, entry in enumerate(solids if isinstance(solids, list) else ()):
        if isinstance(entry, dict) and isinstance(entry.get("mesh"), str):
            label = f"solid '{str(entry['name'])[:80]}'" if "name" in entry else f"solid {k + 1}"
            entry["mesh"] = str(allowed_path(folder, entry["mesh"], allow_files, label, "mesh"))
    contacts = raw.get("contacts")
    for k, entry in enumerate(contacts if isinstance(contacts, list) else ()):
        surface = entry.get("surface") if isinstance(entry, dict) else None
        if isinstance(surface, dict) and isinstance(surface.get("mesh"), str):
            label = f"contact '{str(entry['name'])[:80]}'" if "name" in entry else f"contact {k + 1}"
            surface["mesh"] = str(allowed_path(folder, surface["mesh"], allow_files, label, "surface.mesh"))
    listed = [raw.get(section) for section in ("bodies", "links")]
    owners = [raw.get("ground"), *(owner for owners in listed if isinstance(owners, list) for owner in owners)]
    for owner in (owner for owner in owners if isinstance(owner, dict)):
        shapes = owner.get("shapes")
        for shape in shapes if isinstance(shapes, list) else ():
            if isinstance(shape, dict) and isinstance(shape.get("mesh"), str):
                label = f"body '{str(owner['name'])[:80]}'" if "name" in owner else "the ground"
                shape["mesh"] = str(allowed_path(folder, shape["mesh"], allow_files, label, "shapes.mesh"))


def _parse_fast(text: str, source: str) -> tuple[Any, yaml.Node | None]:
    """What a text contains, and its nodes, by libyaml where PyYAML has it, which takes a tenth of the time. What is wrong is
    said by the parser in Python, whose words are the same everywhere."""
    try:
        return _with_nodes(text, _FastUniqueKeys)
    except (yaml.YAMLError, ValueError, RecursionError):
        _parse_yaml(text, source, _UniqueKeys)
        return _with_nodes(text, _UniqueKeys)


def _with_nodes(text: str, kind: Any) -> tuple[Any, yaml.Node | None]:
    loader = kind(text)
    try:
        node = loader.get_single_node()
        return (None if node is None else loader.construct_document(node)), node
    finally:
        loader.dispose()


def _parse_yaml(text: str, source: str, loader: Any) -> Any:
    try:
        return yaml.load(text, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be parsed"
        ends = "<stream end>" in problem or "end of stream" in problem
        hint = "; is it complete?" if ends else ""
        problem = problem.replace("'<stream end>'", "the end")
        if "recursive" in problem:
            problem = "it contains itself, by an alias of something around it"
        if "'\\t'" in problem:
            problem = "there is a tab, but YAML is indented with spaces"
        raise ModelError(f"{source} is not valid YAML{where}: {problem}{hint}") from None
    except ValueError as error:  # of a date that does not exist, for example
        raise ModelError(f"{source} contains a value that cannot be read: {error}") from None
    except RecursionError:
        raise ModelError(
            f"{source} is nested too deeply", expected="a model that starts with 'gaitwright: 1'"
        ) from None


class _FewMerged(yaml.constructor.SafeConstructor):
    def flatten_mapping(self, node: Any) -> None:
        super().flatten_mapping(node)
        if len(node.value) > MOST_ENTRIES:  # merged from merged mappings, it doubles in every line
            raise yaml.constructor.ConstructorError(None, None, "too many fields are merged", node.start_mark)


class _UniqueKeys(_FewMerged, yaml.SafeLoader):
    """Safe YAML in which a key given twice is an error, not a silent overwrite; 1e-3 is a number."""


_Quick: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _FastUniqueKeys(_FewMerged, _Quick):
    """The same, parsed by libyaml."""


def _mapping(loader: Any, node: Any) -> dict[Any, Any]:
    given: set[Any] = set()
    before: Any = None
    for key_node, value_node in node.value:
        if key_node.tag == "tag:yaml.org,2002:merge":
            continue  # what `<<` brings along may be given again, to change it
        key = _key(loader, key_node)
        if not isinstance(key, (str, int, float)):
            raise yaml.constructor.ConstructorError(None, None, "a field has no plain name", key_node.start_mark)
        if key in given:
            raise yaml.constructor.ConstructorError(None, None, f"'{key}' is given twice", key_node.start_mark)
        if _decimal_comma(before, key_node, value_node):
            meant = (
                f"{before.value},{key_node.value} is two entries; write {before.value}.{key_node.value}, with a point"
            )
            raise yaml.constructor.ConstructorError(None, None, meant, key_node.start_mark)
        before = value_node
        given.add(key)
    loader.flatten_mapping(node)
    return {_key(loader, key): loader.construct_object(value, deep=True) for key, value in node.value}


def _key(loader: Any, node: Any) -> Any:
    """The name of a field, which is never a truth value: YAML 1.1 would read `on:` of a pressure as true."""
    return node.value if node.tag == "tag:yaml.org,2002:bool" else loader.construct_object(node, deep=True)


def _decimal_comma(before: Any, key: Any, value: Any) -> bool:
    """Whether {length: 0,24, mass: 1} was meant as one number: YAML reads length: 0 and an empty field called 24."""
    digits = [node.value for node in (before, key) if isinstance(node, yaml.ScalarNode)]
    return len(digits) == 2 and all(re.fullmatch(r"[-+]?\d+", text) for text in digits) and value.value == ""


for _loader in (_UniqueKeys, _FastUniqueKeys):
    _loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)
# YAML 1.1 wants a point and a sign in 1.0e-6; JSON and people write 1e-6.
_SCIENTIFIC = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)[eE][-+]?\d+$")


class Writer(yaml.SafeDumper):
    """Writes what the reader above reads back as it was: a text that looks like a number is put in quotes."""


for _side in (_UniqueKeys, _FastUniqueKeys, Writer):
    _side.add_implicit_resolver("tag:yaml.org,2002:float", _SCIENTIFIC, list("-+.0123456789"))


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
    value = _parse_yaml(text, f"the value of --set {path}", _UniqueKeys)
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


def load_result(path: str | Path) -> Result:
    """Read a result file back: outputs, energies, plots and animation work as after the run."""
    import xarray as xr

    path = Path(path)
    if not path.is_file():
        raise ModelError(f"there is no file '{path}'")
    try:
        with xr.open_dataset(path, engine="h5netcdf") as data:
            document, redundant = json.loads(data.attrs["model"]), json.loads(data.attrs["redundant"])
            times = data["frame" if "frame" in data else "time"].values
            none = np.zeros((times.size, 0))
            names = [f"state.{name}" for name in Motion._fields[1:]]
            states = [data[name].values if name in data else none for name in names]
            motion = Motion(times, *states)
            evidence = Evidence(**json.loads(data.attrs["evidence"]))
            names = ("step_sizes", "newton", "sigma", "unstable")
            steps = {n: data[f"state.{n}"].values for n in names if f"state.{n}" in data}
            stored = None if "frame" not in data else read_stored(data)
            columns = [data[f"episode.{n}"].values.tolist() for n in Episode._fields if f"episode.{n}" in data]
            episodes = [Episode(str(row[0]), *map(float, row[1:])) for row in zip(*columns, strict=True)]
    except GaitwrightError:
        raise
    except Exception as error:
        cause = str(error).partition("\n")[0]
        raise ModelError(f"the file '{path}' is not a complete Gaitwright result: {cause}") from None
    mechanism = Model.from_dict(document).mechanism()
    s, given = mechanism.system, redundant if isinstance(redundant, list) else []
    rows = [row for row in given if isinstance(row, int) and 0 <= row < s.m_all]
    motion = motion._replace(work=_by_block(s, motion.work))
    states = list(motion[1:])
    widths = (s.n + 1, s.n + 1, s.n + 1, s.m_all, power_count(s), memory_size(s))
    if all(x.shape == (motion.t.size, width) for x, width in zip(states[:-1], widths[:-1], strict=True)):
        motion = of_today(mechanism, motion)
    fits = all(x.shape == (motion.t.size, width) for x, width in zip(motion[1:], widths, strict=True))
    if not fits or rows != redundant or rows != sorted(set(rows)):
        raise ModelError(f"the file '{path}' is not a complete Gaitwright result: its states do not fit its model")
    mechanism.rebuild(redundant)
    motion = motion._replace(t=np.asarray(motion.t))
    return Result(mechanism, motion, evidence, document, episodes, **steps, stored=stored)


def _by_block(s: System, work: np.ndarray) -> np.ndarray:
    """Works as the tables have them: files that were written before blocks have one for each element of a beam."""
    first, each = s.drive_rows.size, s.power_entry.size
    if each == s.power_kind.size or work.shape[1:] != (power_count(s) - s.power_kind.size + each,):
        return work
    drives, elements, contacts = np.split(work, [first, first + each], axis=1)
    summed = np.zeros((len(work), s.power_kind.size))
    np.add.at(summed.T, s.power_of[np.argsort(s.power_entry)], elements.T)
    return np.hstack([drives, summed, contacts])
