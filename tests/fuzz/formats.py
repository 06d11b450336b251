"""Formats of input files that are fuzzed: for each one valid, small seeds, and the function that reads a mutated file.

A new format is one entry in `FORMATS`. Seeds are made once for each process; a case follows from its format and its number."""

from __future__ import annotations

import functools
import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import yaml

import gaitwright as gw
from documents import EXAMPLES, full, small
from fuzz.mutation import mutated, mutated_bytes, mutated_text
from fuzz.trial import require_numbers
from gaitwright._core.errors import OutOfBudget

Seeds = Callable[[], list[bytes]]


class Format(NamedTuple):
    """ending: of the file. seeds: valid contents. read: called with the path of a mutated file. text: whether pieces of text
    are mutated in half of the cases. document: whether the seeds are YAML documents whose values are mutated as well.
    share: of all cases. folder: whether a seed is a folder, packed by `packed`, of which one file is mutated."""

    ending: str
    seeds: Seeds
    read: Callable[[Path], Any]
    text: bool = True
    document: bool = False
    share: float = 1.0
    beside: Callable[[], dict[str, bytes]] = dict


class Case(NamedTuple):
    """A mutated file."""

    name: str
    number: int
    content: bytes


def case_of(name: str, number: int, seed: int) -> Case:
    """Always the same for a format, a number and a seed."""
    form, random = FORMATS[name], Random(f"{seed}/{name}/{number}")
    content = random.choice(_seeds(name))
    kind, most = random.randint(0, 3), random.choice([1, 1, 2, 3])
    if form.document and kind <= 1:
        document = mutated(yaml.safe_load(content), random, most)
        content = json.dumps(document).encode("utf-8", "surrogatepass")
    elif form.text and kind <= 2:
        content = mutated_text(content.decode("utf-8", "replace"), random, most).encode("utf-8", "surrogatepass")
    else:
        content = mutated_bytes(content, random, most)
    return Case(name, number, content)


@functools.cache
def _seeds(name: str) -> list[bytes]:
    return FORMATS[name].seeds()


@functools.cache
def _beside(name: str) -> dict[str, bytes]:
    return FORMATS[name].beside()


def written(case: Case, folder: Path) -> Path:
    """The file of a case, and what lies beside it, in an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, content in _beside(case.name).items():
        (folder / name).write_bytes(content)
    ending = FORMATS[case.name].ending
    path = folder / (f"case{ending}" if ending.startswith(".") else ending)
    path.write_bytes(case.content)
    return path


def _made(write: Callable[[Path], Any], *names: str) -> list[bytes]:
    """The contents of files that a function writes into a folder."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder))
        return [(Path(folder) / name).read_bytes() for name in names]


# models ---------------------------------------------------------------------------------------------------------------

QUICK = ["small", "full", "four_bar", "slider_crank", "pendulum", "bouncing_ball", "sprung_arm", "jansen"]


def _models() -> list[bytes]:
    models = {path.stem: path.read_bytes() for path in sorted(EXAMPLES.glob("*.yaml"))}
    models |= {name: json.dumps(one).encode() for name, one in (("small", small()), ("full", full()))}
    return [models[name] for name in QUICK]


def _read_model(path: Path) -> None:
    gw.load(path).mechanism()


def _run_model(path: Path) -> None:
    from gaitwright.model.spec.document import AnalysisSpec

    model = gw.load(path)
    asked = model.document.analysis or AnalysisSpec()
    model.document.analysis = asked.model_copy(update={"max_steps": 60.0, "max_seconds": 2.0})
    try:
        require_numbers(model.analyse())
    except OutOfBudget as ended:
        if ended.partial is not None:
            require_numbers(ended.partial)


# expressions ----------------------------------------------------------------------------------------------------------

EXPRESSIONS = [
    "-2*pi*t", "1.125*min(t, 4)", "if(t < a and not b > 1, 0, a*sin(b*t)^2)", "atan2(sin(t), cos(t)) % (2*pi)",
    "240 mm + 3 deg*t", "sqrt(abs(a - b))*exp(-t/0.2 s)", "tan(t)/(1 + t^2)", "max(a, b, L3)*log(1 + t)",
]  # fmt: skip


def _read_expression(path: Path) -> None:
    from gaitwright.mechanism.signals import evaluate_program
    from gaitwright.model.expressions import compile_program, evaluate, parse

    values = {"a": 1.5, "b": -2.0, "L3": 1e-3}
    parsed = parse(path.read_bytes().decode("utf-8", "replace"), values)
    if parsed.is_constant:
        assert np.isfinite(evaluate(parsed, values)), "a constant is not finite"
    values_over_time = evaluate_program(compile_program(parsed, values), np.array([0.0, 0.3, 1e3]))
    assert all(part.shape == (3,) for part in values_over_time)


# robots, drawings, meshes ---------------------------------------------------------------------------------------------


def _robots() -> list[bytes]:
    from robots import HINGE, SLIDER, tree

    parents = {"upper": ("world", HINGE), "lower": ("upper", HINGE), "foot": ("lower", SLIDER)}
    return [tree(parents, seed=3, damping=0.1).encode()]


def _exchanged(name: str) -> Seeds:
    def seeds() -> list[bytes]:
        from fuzz import test_exchange

        return [test_exchange.TEXTS[name].encode()]

    return seeds


def _dxf() -> list[bytes]:
    from fuzz.test_exchange import LINES
    from gaitwright.formats.dxf_file import dxf_bytes

    return [dxf_bytes(LINES)]


def _read_foreign(path: Path) -> None:
    from gaitwright.model.io.importers import import_document

    gw.Model.from_dict(import_document(path).document).mechanism()


def _ball() -> Any:
    return gw.mesh.ball(0.1, 0.06).with_region("low", gw.mesh.HalfSpaceSelector((0, 0, 0), (0, 0, -1)))


def _mesh(ending: str) -> Seeds:
    return lambda: _made(lambda folder: _ball().save(folder / f"ball{ending}"), f"ball{ending}")


def _read_mesh(path: Path) -> None:
    mesh = gw.mesh.read(path, unit="m")
    assert np.isfinite(mesh.volume), "the volume is not finite"


def _read_picture(path: Path) -> None:
    from gaitwright._core.errors import ModelError
    from gaitwright.formats.mesh_file import MeshFileError, read_mesh

    try:
        vertices, faces = read_mesh(path)
    except MeshFileError as error:
        raise ModelError(str(error)) from None
    assert np.isfinite(vertices).all() and faces.max() < len(vertices), "a picture of what is not there"


# feet and people ------------------------------------------------------------------------------------------------------


@functools.cache
def _foot() -> dict[str, bytes]:
    from gaitwright.foot.files import save

    names = ("foot.json", "foot.yaml", "skin.npz", "cells.npz")

    def write(folder: Path) -> None:
        shape = gw.foot.from_measures(length=0.26)
        save(gw.foot.Foot(shape, shape.fill(0.03)), folder, 350.0, None, {})

    contents = dict(zip(names, _made(write, *names), strict=True))
    return contents | {path.name: content for path, content in _meshes_of(write) if path.name not in contents}


def _meshes_of(write: Callable[[Path], Any]) -> list[tuple[Path, bytes]]:
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder))
        return [(path, path.read_bytes()) for path in sorted(Path(folder).glob("*.npz"))]


def _read_foot(path: Path) -> None:
    gw.foot.load(path.parent)


def _read_foot_model(path: Path) -> None:
    gw.load(path)


SUBJECTS = [
    b"mass: 72.2\nheight: 175 cm\nsex: male\ntable: de_leva\n", b"mass: 65 kg\nheight: 1.7\n",
    b'{"mass": 80, "height": "1.8 m"}',
]  # fmt: skip
MARKER_MAPS = [b"right_heel: my heel\nleft_heel: LHEE\n"]
TRIALS = [
    b"trial,forces,static,mass,height,sex\np1/walk1.c3d,,p1/standing.c3d,72.2,1.75,male\np1/walk2.trc,p1/walk2.forces,,72.2,1.75,\n"
]


def _read_subject(path: Path) -> None:
    gw.gait.Subject.read(path)


def _read_trials(path: Path) -> None:
    from gaitwright.gait.trial_table import read_trials

    read_trials(path)


@functools.cache
def _trial_files() -> dict[str, bytes]:
    from gaitwright.gait.schematic_gait import schematic_walk
    from gaitwright.gait.subject import Subject

    trial = schematic_walk(Subject(73.0, 1.741, "male"), 1.2).trial("walk", noise=5e-4)
    endings = (".trc", ".c3d", ".csv", ".mot", ".sto", ".forces")
    files = {}
    for ending in endings:
        try:
            (content,) = _made(lambda folder, end=ending: trial.save(folder / f"walk{end}"), f"walk{ending}")
        except gw.GaitwrightError:
            continue
        files[ending] = content
    return files


def _trial(ending: str) -> Seeds:
    return lambda: [_shortened(ending, _trial_files()[ending])]


def _table_of_markers() -> list[bytes]:
    """The columns of the TRC file as a table in metres."""
    from gaitwright.formats.trc_file import read_trc

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "walk.trc"
        path.write_bytes(_trial(".trc")()[0])
        markers = read_trc(path)
    head = ["time", *(f"{label}_{axis}" for label in markers.labels for axis in "xyz")]
    scale = {"mm": 1e-3}.get(markers.unit, 1.0)
    rows = [[t, *(scale * x).ravel()] for t, x in zip(markers.times, markers.points, strict=True)]
    return ["\n".join([",".join(head), *(",".join(f"{x:.5f}" for x in row) for row in rows), ""]).encode()]


def _shortened(ending: str, content: bytes) -> bytes:
    """The first rows of a table of a second: most mutations would change numbers only."""
    return content if ending == ".c3d" else b"\n".join(content.split(b"\n")[:45]) + b"\n"


def _read_markers(path: Path) -> None:
    trial = gw.gait.load(path)
    assert len(trial.markers.time) > 0


def _read_forces(path: Path) -> None:
    from gaitwright.gait.trial_readers import read_plates

    for plate in read_plates(path).plates:
        assert plate.force.shape[1] == 3


def _tables(name: str) -> Seeds:
    def seeds() -> list[bytes]:
        from fuzz import test_tables

        return [text.encode() for text, ending, _ in test_tables.TABLES if ending == name]

    return seeds


def _read_series(path: Path) -> None:
    from gaitwright.model.series import read_series

    named = b"hip" in path.read_bytes()
    series = read_series("knee", {"file": str(path), "cutoff": 6.0, **({"value": "hip"} if named else {})})
    assert np.all(np.isfinite(series.times)) and np.all(np.isfinite(series.values)), "a series is not finite"


APD = (
    "[General]\nDescription=pedcad Importfile\nSource=x\nUnitDistance=mm\nUnitPressure=N/cm2\n\n[Technical]\nMaxSensorsX=5\n"
    "MaxSensorsY=4\nStartSensX=0\nStartSensY=0\nSensCountX=5\nSensCountY=4\nLDistX=8.5\nLDistY=8.5\n\n[Data]\n"
    + "\n".join("\t".join(f"{(3 * k + j) % 7 - 1:.3f}" for j in range(4)) for k in range(5))
    + "\n"
)


def _read_apd(path: Path) -> None:
    from gaitwright.gait.pressure_comparison import read_pressure_maps

    _, maps = read_pressure_maps(path)
    assert np.isfinite(maps.values).all() and np.isfinite(maps.x.values).all(), "a map is not finite"


# results and stores ---------------------------------------------------------------------------------------------------


def _results() -> list[bytes]:
    def write(folder: Path) -> None:
        document = yaml.safe_load((EXAMPLES / "bouncing_ball.yaml").read_text())
        document["analysis"] |= {"until": 0.02}
        gw.Model.from_dict(document).analyse().save(folder / "result.nc")

    return _made(write, "result.nc")


def _attributes() -> list[bytes]:
    """Return the metadata of a result as a document; `_read_attributes` writes it into a file."""
    import h5py

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.nc"
        path.write_bytes(_seeds("result .nc")[0])
        with h5py.File(path) as file:
            metadata = {name: json.loads(str(file.attrs[name])) for name in ("model", "evidence", "redundant")}
    metadata["evidence"]["wall_seconds"] = 0.002  # otherwise the seed, and all its mutations, differ from run to run
    return [json.dumps(metadata).encode()]


def _read_result(path: Path) -> None:
    require_numbers(gw.load_result(path))


def _read_attributes(path: Path) -> None:
    import h5py

    content, result = path.read_bytes(), path.with_name("result.nc")
    not_finite = len(content) % 3 == 0 and content not in _seeds("result attributes")
    result.write_bytes(_seeds("result .nc")[0])
    try:
        metadata = yaml.safe_load(content)
    except (yaml.YAMLError, ValueError, RecursionError):
        metadata = None
    with h5py.File(result, "r+") as file:
        for name in ("model", "evidence", "redundant"):
            file.attrs[name] = (
                json.dumps(metadata.get(name), default=str) if isinstance(metadata, dict) else repr(metadata)[:1000]
            )
        for name in list(file):
            if name.startswith("state.") and not_finite:
                file[name][...] = float("nan")
    _read_result(result)


QUESTION = {"parameters": ["L", "k"], "goal": "energy"}


def _log(kind: str) -> Seeds:
    def seeds() -> list[bytes]:
        from gaitwright.design.result_store import ResultStore

        def write(folder: Path) -> None:
            with ResultStore(folder / "a.jsonl", kind, QUESTION) as store:
                for k in range(8):
                    store.add((0.1 * k, 1.0), {"numbers": {"energy": 2.0 * k}, "failed": None})

        return _made(write, "a.jsonl")

    return seeds


def _read_log(path: Path) -> None:
    """Opened to go on: entries that are there as they were written count as found, and the file can be added to."""
    from gaitwright.design.result_store import ResultStore

    content = path.read_bytes()
    before = {line for line in content[: content.rfind(b"\n") + 1].split(b"\n")[1:] if line in _lines("search")}
    with ResultStore(path, "search", QUESTION) as store:
        points = {tuple(at) for at in store.entries}
        store.add((99.0, 99.0), {"numbers": {}})
    lost = [line for line in before if tuple(json.loads(line)["at"]) not in points]
    assert not lost, f"{len(lost)} of {len(before)} whole entries are lost"
    with ResultStore(path, "search", QUESTION) as store:
        assert (99.0, 99.0) in store.entries, "what was added is lost"


@functools.cache
def _lines(kind: str) -> frozenset[bytes]:
    return frozenset(line for line in _log(kind)()[0].split(b"\n")[1:] if line)


def _designs() -> list[bytes]:
    def write(folder: Path) -> None:
        import xarray as xr

        from gaitwright.design.result_store import ResultStore

        with ResultStore.of_table(folder / "designs.nc", "set of designs", QUESTION) as store:
            store.write_table(xr.Dataset({"a": ("design", np.arange(4.0))}), True)

    return _made(write, "designs.nc")


def _read_designs(path: Path) -> None:
    from gaitwright.design.result_store import ResultStore

    designs = ResultStore.of_table(path, "set of designs", QUESTION).finished_table()
    assert designs is None or designs["a"].sizes


def _blocks() -> list[bytes]:
    from gaitwright.codegen.measures import DesignMeasures
    from gaitwright.design.batch.results import DesignBlock
    from gaitwright.design.result_store import ResultStore

    def write(folder: Path) -> None:
        with ResultStore.of_table(folder / "a.nc", "set of designs", QUESTION) as store:
            for k in range(4):
                place = np.arange(4 * k, 4 * k + 4)
                numbers: Any = {("crank.angle", "max"): np.arange(4.0), "energy": np.ones(4)}
                block = DesignBlock(place, np.zeros(4), np.ones(4), place, DesignMeasures(numbers, {}))
                store.add((float(place[0]),), block.entry())

    return _made(write, "a.nc.log")


def _read_blocks(path: Path) -> None:
    from gaitwright.design.batch.results import DesignBlock
    from gaitwright.design.result_store import ResultStore

    with ResultStore.of_table(path.with_name("case.nc"), "set of designs", QUESTION) as store:
        for block in map(DesignBlock.from_entry, store.take_entries()):
            assert block.place is not None


JOURNALS = [b'{"text": "gaitwright: 1\\nname: a\\n"}\n[0, 0, "# x\\n"]\n[3, 2, "yy"]\n']


def _read_journal(path: Path) -> None:
    from gaitwright.studio.journal import replay_journal

    text = replay_journal(path)
    assert text is None or isinstance(text, str)


def _read_marker_map(path: Path) -> None:
    from gaitwright.cli.commands.gait import _load_marker_map

    _load_marker_map(path)


def _thresholds() -> list[bytes]:
    from gaitwright.wear.comfort import thresholds

    text = Path(thresholds.__file__).with_name("thresholds.yaml").read_text()
    table = yaml.safe_load(text)
    table["thresholds"] = table["thresholds"][:6]
    return [json.dumps(table).encode()]


def _read_thresholds(path: Path) -> None:
    from gaitwright.wear.comfort.thresholds import read

    read(path)


FORMATS: dict[str, Format] = {
    "model .yaml": Format(".yaml", _models, _read_model, document=True, share=2.0),
    "model .json": Format(".json", lambda: [json.dumps(one).encode() for one in (small(), full())], _read_model, document=True),
    "model run": Format(".yaml", lambda: _models()[:1] + _models()[2:6], _run_model, document=True, share=0.3),
    "expression": Format(".txt", lambda: [text.encode() for text in EXPRESSIONS], _read_expression, share=2.0),
    "URDF": Format(".urdf", _robots, _read_model),
    "MJCF": Format(".xml", _exchanged(".xml"), _read_foreign),
    "SDF": Format(".sdf", _exchanged(".sdf"), _read_foreign),
    "OpenSim": Format(".osim", _exchanged(".osim"), _read_foreign),
    "DXF": Format(".dxf", _dxf, _read_foreign, share=0.5),
    "SVG": Format(".svg", _exchanged(".svg"), _read_foreign),
    "mesh .npz": Format(".npz", _mesh(".npz"), _read_mesh, text=False),
    "mesh .stl": Format(".stl", _mesh(".stl"), _read_mesh, text=False),
    "mesh .obj": Format(".obj", _mesh(".obj"), _read_mesh),
    "mesh .ply": Format(".ply", _mesh(".ply"), _read_mesh),
    "mesh .vtu": Format(".vtu", _mesh(".vtu"), _read_mesh),
    "mesh .vtk": Format(".vtk", _mesh(".vtk"), _read_mesh),
    "mesh .msh": Format(".msh", _mesh(".msh"), _read_mesh),
    "mesh .inp": Format(".inp", _mesh(".inp"), _read_mesh),
    "picture .stl": Format(".stl", _mesh(".stl"), _read_picture, text=False),
    "picture .obj": Format(".obj", _mesh(".obj"), _read_picture),
    "shape .stl": Format(".stl", _mesh(".stl"), _read_foreign, text=False, share=0.5),
    "foot.json": Format("foot.json", lambda: [_foot()["foot.json"]], _read_foot, document=True, share=0.5,
                        beside=lambda: {n: c for n, c in _foot().items() if n.endswith(".npz")}),
    "foot.yaml": Format("foot.yaml", lambda: [_foot()["foot.yaml"]], _read_foot_model, document=True, share=0.5,
                        beside=lambda: {n: c for n, c in _foot().items() if n.endswith(".npz")}),
    "subject.yaml": Format("subject.yaml", lambda: SUBJECTS, _read_subject, document=True),
    "markers.yaml": Format("markers.yaml", lambda: MARKER_MAPS, _read_marker_map, document=True),
    "thresholds.yaml": Format("thresholds.yaml", _thresholds, _read_thresholds, document=True),
    "trials .csv": Format(".csv", lambda: TRIALS, _read_trials),
    "gait .trc": Format(".trc", _trial(".trc"), _read_markers, share=0.5),
    "gait .c3d": Format(".c3d", _trial(".c3d"), _read_markers, text=False),
    "gait .csv": Format(".csv", _table_of_markers, _read_markers, share=0.5),
    "forces .mot": Format(".mot", _trial(".mot"), _read_forces),
    "forces .sto": Format(".sto", _trial(".mot"), _read_forces),
    "series .csv": Format(".csv", _tables(".csv"), _read_series),
    "series .mot": Format(".mot", _tables(".mot"), _read_series),
    "pressure .apd": Format(".apd", lambda: [APD.encode()], _read_apd, share=2.0),
    "result .nc": Format(".nc", _results, _read_result, text=False, share=0.5),
    "result attributes": Format(".json", _attributes, _read_attributes, document=True, share=0.5),
    "store log": Format(".jsonl", _log("search"), _read_log, share=2.0),
    "designs .nc": Format(".nc", _designs, _read_designs, text=False),
    "designs log": Format("case.nc.log", _blocks, _read_blocks),
    "studio journal": Format(".studio", lambda: JOURNALS, _read_journal),
}  # fmt: skip
