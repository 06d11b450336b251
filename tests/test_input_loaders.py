"""Test that only _core/input_files.py opens input files or parses their text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import gaitwright

PACKAGE = Path(gaitwright.__file__).parent
FORBIDDEN = {
    "json": {"load", "loads"},
    "yaml": {"load", "load_all", "safe_load", "safe_load_all", "full_load", "unsafe_load", "compose", "parse", "scan"},
    "np": {"load", "loadtxt", "genfromtxt", "fromfile", "memmap"},
    "pickle": {"load", "loads", "Unpickler"},
    "csv": {"reader", "DictReader"},
    "ElementTree": {"parse", "fromstring", "iterparse", "XML", "XMLParser"},
    "zipfile": {"ZipFile"},
    "h5py": {"File"},
    "xr": {"open_dataset", "open_dataarray", "open_mfdataset", "load_dataset", "load_dataarray", "open_zarr"},
    "pd": {"read_csv", "read_parquet", "read_table", "read_excel", "read_json", "read_pickle"},
    "trimesh": {"load", "load_mesh", "load_scene"},
    "meshio": {"read"},
    "ezdxf": {"read", "readfile"},
    "recover": {"read", "readfile"},
    "ezc3d": {"c3d"},
    "library": {"c3d"},
    "tomllib": {"load", "loads"},
    "os": {"fdopen"},
}
"""Loaders by the name of their module as the package imports it."""
METHODS = {"read_text", "read_bytes"}
"""Methods of paths, forbidden on any object."""
ISOLATED = "called in the helper process: _core/isolation.py"
ALLOWED = {
    "_core/input_files.py": "the module that reads all input",
    "_core/isolation.py": "requests and answers between the package and its own helper process; sizes from /proc",
    "mesh/trimesh_files.py": ISOLATED,
    "mesh/meshio_files.py": f"{ISOLATED}; and what meshio has just written",
    "formats/mesh_file.py": ISOLATED,
    "model/io/cad_bodies.py": ISOLATED,
    "formats/dxf_file.py": ISOLATED,
    "formats/c3d_file.py": ISOLATED,
    "mesh/filling.py": "what the process that fills a mesh has just written for this one",
    "result/files/netcdf.py": "writes, into memory",
    "jit/cache_folder.py": "files of the cache that no other user can have written",
    "jit/cache.py": "machine code of this user: what folder.py has read",
    "jit/cache_key.py": "sources of the package",
    "jit/precompilation.py": "what the process that has started this one asks for",
    "derive/kernel_library.py": "sources of the package",
    "design/result_store.py": "the log that it has written: lines with their own check",
    "codegen/c_library.py": "the processor's name, from /proc",
    "report/page.py": "pictures that this process has drawn",
    "report/views/notebook_cards.py": "pictures that this process has drawn",
    "report/views/gait_cards.py": "pictures that this process has drawn",
    "studio/processes.py": "the name of a process, from /proc",
    "studio/server": "messages of the studio's own pages, checked there",
}
"""Files and folders of the package in which a loader is called, and why that is safe."""


def loaders(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Lines and names of calls and uses of forbidden loaders."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            owner = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
            if (node.attr in METHODS and owner != "input_files") or node.attr in FORBIDDEN.get(owner, ()):
                yield node.lineno, f"{owner}.{node.attr}"
            if node.attr == "open" and owner not in ("os", "Image", "webbrowser", "workspace", "studio", "self"):
                yield node.lineno, f"{owner}.open"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open":
            yield node.lineno, "open"
        elif isinstance(node, ast.ImportFrom) and set(FORBIDDEN.get(node.module or "", ())) & {
            a.name for a in node.names
        }:
            yield node.lineno, f"from {node.module}"


def writes(source: str) -> bool:
    return any(f'"{mode}"' in source for mode in ("a", "ab", "a+b", "w", "wb", "xb"))


WORDS = re.compile(
    r"open|read|load|parse|fromstring|XML|reader|Reader|Zip|File|c3d|memmap|fromfile|genfromtxt|compose|scan"
)
"""Texts without any of these need not be parsed."""


def found_in(path: Path) -> list[str]:
    text = path.read_text()
    if path.parent.name == "kernels" or not WORDS.search(text):
        return []
    lines = text.splitlines()
    return [
        f"{path.relative_to(PACKAGE).as_posix()}:{line}: {name}"
        for line, name in loaders(ast.parse(text))
        if not (name.endswith("open") and writes(lines[line - 1]))
    ]


def test_input_goes_through_one_module() -> None:
    uses = [use for path in sorted(PACKAGE.rglob("*.py")) for use in found_in(path)]
    assert [use for use in uses if not any(use.startswith((f"{place}:", f"{place}/")) for place in ALLOWED)] == []


@pytest.mark.parametrize("place", ALLOWED)
def test_exceptions_are_needed(place: str) -> None:
    path = PACKAGE / place
    files = [path] if path.is_file() else sorted(path.rglob("*.py"))
    assert any(found_in(file) for file in files)


@pytest.mark.parametrize(
    "source",
    ["yaml.safe_load(t)", "json.loads(t)", "open(p)", "p.open('rb')", "Path(p).read_text()", "np.load(p)",
     "h5py.File(p)", "xr.open_dataset(p)", "ElementTree.parse(p)", "xml.etree.ElementTree.parse(p)", "pickle.loads(b)",
     "from json import loads"],
)  # fmt: skip
def test_loaders_are_detected(source: str) -> None:
    assert list(loaders(ast.parse(source)))
