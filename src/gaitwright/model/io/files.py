"""Model files (YAML or JSON, format version 1; URDF is read as well) and result files (netCDF)."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import yaml

from gaitwright._core import input_files
from gaitwright._core.error_context import ErrorContext, suggest_spelling
from gaitwright._core.errors import ModelError
from gaitwright._core.input_files import (
    MAX_TEXT_BYTES,
    SCIENTIFIC_NUMBER_PATTERN,
    contained_path,
    convert_to_type,
    parse_json,
    parse_yaml,
    parse_yaml_nodes,
    read_netcdf,
    require_finite,
)
from gaitwright._core.isolation import UnreadableFile
from gaitwright._core.output_files import save_text
from gaitwright.mechanism.evaluation import contact_memory_size, power_count
from gaitwright.mechanism.tables import MechanismTables
from gaitwright.model.builder import ModelBuilder
from gaitwright.model.model import Model, model_of_document
from gaitwright.model.spec.document import SECTION_NOUNS, ModelDocument
from gaitwright.result.contact_episodes import ContactEpisode
from gaitwright.result.evidence import RunEvidence
from gaitwright.result.files.legacy_contact_state import upgrade_contact_memory
from gaitwright.result.outputs import StateHistory
from gaitwright.result.result import Result
from gaitwright.result.state_storage import StoredOutputs, read_stored_outputs

MAX_MODEL_FILE_BYTES = MAX_TEXT_BYTES
"""Maximum size of a model file, bytes."""
EXPECTED_MODEL = "a model that starts with 'gaitwright: 1'"
RESULT_ATTRIBUTES = ("model", "redundant", "evidence")
"""JSON attributes of a result file."""
INCOMPLETE_RESULT_MESSAGE = "is not a complete Gaitwright result"
ALLOW_FILES_HINT = "--allow-files {folder} (in Python: gw.load(..., allow_files=[...]))"
"""Hint how to allow files outside the folder of a model file."""


def read_model_text(path: Path) -> str:
    """Content of a text file; another encoding than UTF-8 is reported in a warning."""
    text = input_files.read_text(path, largest=MAX_MODEL_FILE_BYTES, expected="a model file in YAML or JSON")
    if text.note:
        warnings.warn(text.note, stacklevel=3)
    return text.content


def read_raw_document(path: str | Path, allow_files: Sequence[str | Path] = ()) -> dict[str, Any]:
    """Document in a file, not validated. YAML is read by the safe loader: data only. URDF, which is XML, is read as
    by `import_model`; omissions are reported in warnings. allow_files: see `load`."""
    path = Path(path)
    from gaitwright.model.io.importers import import_document, is_importable

    if is_importable(path):
        imported = import_document(path)
        for note in imported.notes:
            warnings.warn(note, stacklevel=3)
        return imported.document
    text = read_model_text(path)
    if path.suffix.lower() == ".urdf" or text.lstrip().startswith("<"):
        from gaitwright.model.io.urdf_import import urdf_document

        raw, notes = urdf_document(text, f"the file '{path}'", folder=path.parent)
        for note in notes:
            warnings.warn(note, stacklevel=3)
        return raw
    return read_document_nodes(text, f"the file '{path}'", path.parent, allow_files)[0]


def read_document_nodes(
    text: str, source: str, folder: Path, allow_files: Sequence[str | Path] = ()
) -> tuple[dict[str, Any], yaml.Node]:
    """Document in a text, not validated, and the YAML nodes it was read from, which store their positions. source: name in
    messages. folder: base folder of the files that it refers to."""
    raw, node = parse_yaml_nodes(text, source, EXPECTED_MODEL)
    if raw is None or node is None:
        raise ModelError(f"{source} is empty", expected=EXPECTED_MODEL)
    if not isinstance(raw, dict):
        raise ModelError(f"{source} does not contain a model", expected="a mapping that starts with 'gaitwright: 1'")
    _resolve_file_paths(raw, folder, allow_files)
    return raw, node


def find_empty_fields(raw: dict[str, Any]) -> list[str]:
    """Messages about fields of elements with a name but no value: optional ones count as omitted, which may be
    unintended."""
    messages = []
    for section, entries in raw.items():
        is_list = isinstance(entries, list)
        for k, entry in enumerate(entries if is_list else [entries]):
            empty = [key for key, value in entry.items() if value is None] if isinstance(entry, dict) else []
            name = entry.get("name") if empty else None
            label = (
                f"{SECTION_NOUNS.get(section, section.rstrip('s'))} {repr(name) if name else k + 1}"
                if is_list
                else section
            )
            messages += [f"{label}: the field '{key}' is empty and counts as left out" for key in empty]
    return messages


def _resolve_file_paths(raw: dict[str, Any], folder: Path, allow_files: Sequence[str | Path]) -> None:
    """Resolve the files of series and meshes relative to the model file; they must be below its folder or allowed."""
    series = raw.get("series")
    for name, entry in series.items() if isinstance(series, dict) else ():
        if isinstance(entry, dict) and isinstance(entry.get("file"), str):
            entry["file"] = str(
                contained_path(folder, entry["file"], allow_files, f"series '{name}'", option=ALLOW_FILES_HINT)
            )
    solids = raw.get("solids")
    for k, entry in enumerate(solids if isinstance(solids, list) else ()):
        if isinstance(entry, dict) and isinstance(entry.get("mesh"), str):
            label = f"solid '{str(entry['name'])[:80]}'" if "name" in entry else f"solid {k + 1}"
            entry["mesh"] = str(contained_path(folder, entry["mesh"], allow_files, label, "mesh", ALLOW_FILES_HINT))
    contacts = raw.get("contacts")
    for k, entry in enumerate(contacts if isinstance(contacts, list) else ()):
        surface = entry.get("surface") if isinstance(entry, dict) else None
        if isinstance(surface, dict) and isinstance(surface.get("mesh"), str):
            label = f"contact '{str(entry['name'])[:80]}'" if "name" in entry else f"contact {k + 1}"
            surface["mesh"] = str(
                contained_path(folder, surface["mesh"], allow_files, label, "surface.mesh", ALLOW_FILES_HINT)
            )
    listed = [raw.get(section) for section in ("bodies", "links")]
    owners = [raw.get("ground"), *(owner for owners in listed if isinstance(owners, list) for owner in owners)]
    for owner in (owner for owner in owners if isinstance(owner, dict)):
        shapes = owner.get("shapes")
        for shape in shapes if isinstance(shapes, list) else ():
            if isinstance(shape, dict) and isinstance(shape.get("mesh"), str):
                label = f"body '{str(owner['name'])[:80]}'" if "name" in owner else "the ground"
                shape["mesh"] = str(
                    contained_path(folder, shape["mesh"], allow_files, label, "shapes.mesh", ALLOW_FILES_HINT)
                )


class ModelYamlDumper(yaml.SafeDumper):
    """YAML dumper for the reader above: a text that looks like a number is quoted."""


ModelYamlDumper.add_implicit_resolver("tag:yaml.org,2002:float", SCIENTIFIC_NUMBER_PATTERN, list("-+.0123456789"))


def load(path: str | Path, *, allow_files: Sequence[str | Path] = (), **parameters: float | str) -> Model:
    """Read a model file, with parameters overridden. Files that it refers to (tables of series, meshes) must be below its
    folder or below the folders in `allow_files`. Raises ModelError if the file is invalid."""
    raw = read_raw_document(path, allow_files)
    model = Model.from_dict(raw)
    for text in find_empty_fields(raw):
        warnings.warn(text, stacklevel=2)
    return model.copy(**parameters) if parameters else model


def apply_override(raw: dict[str, Any], assignment: str) -> None:
    """Apply `path.to.value=new` to a document, for --set; list elements by name or by index from 0.

    Parameters and points must exist: a new one would have no effect, so it can only be a misspelt name."""
    path, equals, text = assignment.partition("=")
    if not equals or not path.strip() or not text.strip():
        raise ModelError("--set takes path=value", value=assignment, expected="for example parameters.L=0.2")
    *parents, last_key = keys = path.strip().split(".")
    value = parse_yaml(text, f"the value of --set {path}")
    container: Any = raw
    for depth, key in enumerate(parents):
        container = _descend(container, key, keys[: depth + 1])
    if isinstance(container, list):
        container[_find_index(container, last_key, keys)] = value
    elif isinstance(container, dict):
        closed = parents[-1:] in (["parameters"], ["points"]) or (
            not parents and last_key not in ModelDocument.model_fields
        )
        if closed and last_key not in container:
            raise _not_found(keys, container if parents else ModelDocument.model_fields)
        container[last_key] = value
    else:
        raise ModelError(f"--set {path}: '{'.'.join(parents)}' is a single value and has no '{last_key}'")


def _find_index(entries: list[Any], key: str, path: list[str]) -> int:
    names = [entry.get("name") if isinstance(entry, dict) else None for entry in entries]
    if key in names:
        return names.index(key)
    if key.isdigit() and int(key) < len(entries):
        return int(key)
    raise _not_found(path, [*(name for name in names if isinstance(name, str)), *map(str, range(len(entries)))])


def _descend(container: Any, key: str, path: list[str]) -> Any:
    if isinstance(container, list):
        return container[_find_index(container, key, path)]
    if not isinstance(container, dict) or (
        key not in container and (len(path) > 1 or key not in ModelDocument.model_fields)
    ):
        raise _not_found(path, container if len(path) > 1 else ModelDocument.model_fields)
    if container.get(key) is None:
        container[key] = {}
    return container[key]


def _not_found(path: list[str], known: Any) -> ModelError:
    names = [str(name) for name in known] if isinstance(known, (dict, list)) else []
    listed = ", ".join(names[:20]) or "nothing to set"
    where = f"in '{'.'.join(path[:-1])}'" if len(path) > 1 else "in the model"
    return ModelError(
        f"--set {'.'.join(path)}: there is no '{path[-1]}' {where}",
        expected=f"one of {listed}{suggest_spelling(path[-1], names)}",
    )


def write_model(model: ModelBuilder, path: str | Path) -> Path:
    """Write a model file; JSON if the path ends in .json, otherwise YAML. Its meshes are written to files beside it."""
    path = Path(path)
    if model.document.solids or any(c["surface"].get("mesh") for c in model.document.contacts):
        from gaitwright.model.io.mesh_files import write_mesh_files  # meshes, which few models have

        model = model_of_document(write_mesh_files(model.document, path))
    as_json = path.suffix == ".json"
    return save_text(path, json.dumps(model.to_dict(), indent=2) + "\n" if as_json else model_text(model))


def model_text(model: ModelBuilder) -> str:
    """Content of the model file as YAML."""
    return yaml.dump(
        model.to_dict(), Dumper=ModelYamlDumper, sort_keys=False, default_flow_style=None, width=120, allow_unicode=True
    )


MAX_STATE_VALUE = 1e100
"""Largest number in a stored state: products of larger ones, such as energies, overflow. Damaged files contain such numbers."""


def load_result(path: str | Path) -> Result:
    """Read a result file: outputs, energies, plots and animation work as after the run. Raises ModelError if it is
    incomplete."""
    at = ErrorContext(f"the file '{path}'")
    stored_result = read_netcdf(path, _read_stored_result, problem=INCOMPLETE_RESULT_MESSAGE)
    document, redundant, evidence_fields = (
        parse_json(
            stored_result.attributes[name], f"{at.element} {INCOMPLETE_RESULT_MESSAGE}: its {name}", finite=False
        )
        for name in RESULT_ATTRIBUTES
    )
    evidence = convert_to_type(
        RunEvidence,
        evidence_fields,
        ErrorContext(f"{at.element} {INCOMPLETE_RESULT_MESSAGE}: its evidence"),
        finite=False,
    )
    motion = stored_result.motion
    for name, values in zip(StateHistory._fields, motion, strict=True):
        state_context = ErrorContext(at.element, "time" if name == "t" else f"state.{name}")
        require_finite(values, state_context)
        if np.abs(values).max(initial=0.0) > MAX_STATE_VALUE:
            state_context.fail("is larger than that of any motion", float(values.flat[np.abs(values).argmax()]))
    if not isinstance(document, dict):
        at.fail(f"{INCOMPLETE_RESULT_MESSAGE}: its model is no mapping")
    mechanism = Model.from_dict(document).mechanism()
    s, redundant_rows = mechanism.system, redundant if isinstance(redundant, list) else []
    rows = [row for row in redundant_rows if isinstance(row, int) and 0 <= row < s.m_all]
    motion = motion._replace(work=_sum_work_by_block(s, motion.work))
    states = list(motion[1:])
    widths = (s.n + 1, s.n + 1, s.n + 1, s.m_all, power_count(s), contact_memory_size(s))
    if all(x.shape == (motion.t.size, width) for x, width in zip(states[:-1], widths[:-1], strict=True)):
        motion = upgrade_contact_memory(mechanism, motion)
    fits = all(x.shape == (motion.t.size, width) for x, width in zip(motion[1:], widths, strict=True))
    if not fits or not motion.t.size or rows != redundant or rows != sorted(set(rows)):
        at.fail(f"{INCOMPLETE_RESULT_MESSAGE}: its states do not fit its model")
    mechanism = mechanism.without_rows(redundant)
    motion = motion._replace(t=np.asarray(motion.t))
    return Result(
        mechanism,
        motion,
        evidence,
        document,
        stored_result.episodes,
        **stored_result.steps,
        stored=stored_result.stored,
    )


class _StoredResult(NamedTuple):
    """Content of a result file, before it is compared with its model."""

    attributes: dict[str, str]
    motion: StateHistory
    steps: dict[str, np.ndarray]
    stored: StoredOutputs | None
    episodes: list[ContactEpisode]


def _read_stored_result(data: Any) -> _StoredResult:
    times = _numeric_values(data["frame" if "frame" in data else "time"])
    no_values = np.zeros((times.size, 0))
    names = [f"state.{name}" for name in StateHistory._fields[1:]]
    motion = StateHistory(times, *(_numeric_values(data[name]) if name in data else no_values for name in names))
    names = ("step_sizes", "newton", "sigma", "unstable")
    steps = {n: _numeric_values(data[f"state.{n}"]) for n in names if f"state.{n}" in data}
    stored = None if "frame" not in data else read_stored_outputs(data)
    columns = [data[f"episode.{n}"].values.tolist() for n in ContactEpisode._fields if f"episode.{n}" in data]
    episodes = [ContactEpisode(str(row[0]), *map(float, row[1:])) for row in zip(*columns, strict=True)]
    return _StoredResult({name: str(data.attrs[name]) for name in RESULT_ATTRIBUTES}, motion, steps, stored, episodes)


def _numeric_values(variable: Any) -> np.ndarray:
    values = variable.values
    if values.dtype.kind not in "fiub":
        raise UnreadableFile(f"'{variable.name}' has no numbers")
    return values


def _sum_work_by_block(s: MechanismTables, work: np.ndarray) -> np.ndarray:
    """Work in the order of the tables: files from before element blocks have one value for each element of a beam."""
    drive_count, element_count = s.drive_rows.size, s.power_entry.size
    if element_count == s.power_kind.size or work.shape[1:] != (power_count(s) - s.power_kind.size + element_count,):
        return work
    drives, elements, contacts = np.split(work, [drive_count, drive_count + element_count], axis=1)
    summed = np.zeros((len(work), s.power_kind.size))
    np.add.at(summed.T, s.power_of[np.argsort(s.power_entry)], elements.T)
    return np.hstack([drives, summed, contacts])
