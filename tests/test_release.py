"""Requirements of a release that can be checked without a build: metadata, licences, extras, types. The rest is
tested by `make release`, release/check.py."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from release import check, extras, licences, public_types

import gaitwright as gw
from gaitwright.formats.mesh_file import MeshFileError

TOP = Path(__file__).parents[1]
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
PACKAGES = {
    "robots": ["trimesh", "xacro"],
    "solids": ["meshio", "trimesh", "pytetwild"],
    "gait": ["ezc3d"],
    "cluster": ["distributed"],
    "fast": ["pypardiso"],
    "cad": ["ezdxf", "shapely"],
    "tables": ["pyarrow"],
    "studio": ["starlette", "uvicorn", "websockets"],
}
"""Modules that each extra provides."""


# metadata -----------------------------------------------------------------------------------------------------------


def test_the_version_is_written_once():
    assert PROJECT["project"]["dynamic"] == ["version"] and "version" not in PROJECT["project"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "src/gaitwright/__init__.py"
    assert re.fullmatch(r"\d+\.\d+\.\d+", gw.__version__)


def test_the_citation_names_this_version():
    cited = yaml.safe_load((TOP / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["cff-version"] == "1.2.0" and cited["version"] == gw.__version__
    assert cited["license"] == PROJECT["project"]["license"]
    assert [one["name"] for one in cited["authors"]] == [one["name"] for one in PROJECT["project"]["authors"]]


def test_security_names_this_version():
    minor = ".".join(gw.__version__.split(".")[:2])
    assert re.search(rf"^\| {re.escape(minor)} \| yes \|", (TOP / "SECURITY.md").read_text(encoding="utf-8"), re.M)


def test_python_versions_are_consistent():
    oldest, newest = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", PROJECT["project"]["requires-python"]).groups()
    listed = {c.rpartition("3.")[2] for c in PROJECT["project"]["classifiers"] if "Python :: 3." in c}
    assert listed == {str(k) for k in range(int(oldest), int(newest))}
    assert PROJECT["tool"]["pyright"]["pythonVersion"] == f"3.{oldest}"
    assert PROJECT["tool"]["ruff"]["target-version"] == f"py3{oldest}"


def test_files_of_the_sdist_exist():
    included = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"]
    assert [name for name in included if not (TOP / name).exists()] == []
    wanted = {name.partition("/")[0] for name in check.IN_SDIST} - {"pyproject.toml"}  # which is always included
    assert wanted <= set(included)


def test_types_are_shipped():
    assert (Path(gw.__file__).parent / "py.typed").exists()


# built files --------------------------------------------------------------------------------------------------------

METADATA = "\n".join([
    "Metadata-Version: 2.4", "Name: gaitwright", "Version: 9.9", "Summary: s", "License-Expression: MIT", "Author: a",
    "Requires-Python: >=3.11", "Description-Content-Type: text/markdown", "", "",
])  # fmt: skip
WHEEL = {
    "gaitwright/py.typed": "",
    "gaitwright/a.py": "",
    "g.dist-info/METADATA": METADATA,
    "g.dist-info/licenses/LICENSE": "",
}
WHEELS = {
    "a source is missing": ({"gaitwright/a.py": None}, "not in the wheel: gaitwright/a.py"),
    "a test is in it": ({"tests/test_a.py": ""}, "no source of the package: tests/test_a.py"),
    "no types": ({"gaitwright/py.typed": None}, "py.typed"),
    "no licence": ({"g.dist-info/licenses/LICENSE": None}, "the licence is not in the wheel"),
    "no author": ({"g.dist-info/METADATA": METADATA.replace("Author: a\n", "")}, "the metadata have no Author"),
}


def wheel(folder: Path, changes: dict[str, str | None]) -> Path:
    path = folder / "g.whl"
    with zipfile.ZipFile(path, "w") as content:
        for name, text in {**WHEEL, **changes}.items():
            if text is not None:
                content.writestr(name, text)
    return path


@pytest.mark.parametrize("case", WHEELS)
def test_wrong_wheel_is_refused(case: str, tmp_path: Path, monkeypatch):
    changes, message = WHEELS[case]
    expected = {"gaitwright/a.py"} | ({"gaitwright/py.typed"} if "gaitwright/py.typed" not in changes else set())
    monkeypatch.setattr(check, "sources", lambda: expected)
    with pytest.raises(check.Wrong, match=re.escape(message)):
        check.check_wheel(wheel(tmp_path, changes))


def test_correct_wheel_has_a_version(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(check, "sources", lambda: {"gaitwright/a.py", "gaitwright/py.typed"})
    assert check.check_wheel(wheel(tmp_path, {})) == "9.9"


def test_wrong_sdist_is_refused(tmp_path: Path):
    def sdist(*names: str) -> Path:
        path = tmp_path / "g.tar.gz"
        with tarfile.open(path, "w:gz") as content:
            for name in names:
                content.addfile(tarfile.TarInfo(f"gaitwright-9.9/{name}"))
        return path

    check.check_sdist(sdist(*check.IN_SDIST))
    with pytest.raises(check.Wrong, match=r"not in the sdist: SECURITY\.md"):
        check.check_sdist(sdist(*(name for name in check.IN_SDIST if name != "SECURITY.md")))
    with pytest.raises(check.Wrong, match=r"no source: src/gaitwright/__pycache__/a\.pyc"):
        check.check_sdist(sdist(*check.IN_SDIST, "src/gaitwright/__pycache__/a.pyc"))


FETCHED = {
    '<script src="https://x/y.js">': True, "<img src='//x/y.png'>": True, '<link rel="s" href="https://x/y.css">': True,
    "src: url(https://x/y.woff)": True, '<img src="data:image/png;base64,AA">': False, '<a href="https://x">': False,
    "// see https://threejs.org": False,
}  # fmt: skip


@pytest.mark.parametrize("text", FETCHED)
def test_addresses_fetched_by_a_page_are_detected(text: str):
    assert bool(check.FETCHES.search(text)) is FETCHED[text]


# licences -----------------------------------------------------------------------------------------------------------


def test_the_page_of_licences_names_every_dependency():
    text = (TOP / "docs" / "licences.md").read_text(encoding="utf-8")
    for group, names in licences.declared().items():
        assert [name for name in names if f"| **{name}** |" not in text] == [], group
    assert not [row for row in re.findall(r"^\| \S+ \| (.*?) \|", text, re.M)[2:] if not row.strip()]


def test_licences_of_installed_packages_are_allowed():
    assert licences.refused(licences.rows()) == []


WRONG = {
    "GPL-3.0-only": True, "AGPL-3.0": True, "": True, "MIT AND LGPL-2.1-only": True, "Proprietary": True,
    "MIT": False, "Apache-2.0 OR GPL-2.0": False, "BSD-3-Clause AND 0BSD AND MIT": False, "MPL-2.0": False,
}  # fmt: skip


@pytest.mark.parametrize("licence", WRONG)
def test_forbidden_licences(licence: str):
    assert bool(licences.refused([licences.Row("package", licence, ["core"])])) is WRONG[licence]


# extras -------------------------------------------------------------------------------------------------------------


def test_every_extra_for_users_is_tried():
    assert set(extras.USES) == set(EXTRAS) - set(licences.TOOLS) - {"gpu"} == set(PACKAGES)


def test_test_tools_are_not_needed_at_run_time():
    core = set(licences.declared()["core"])
    tools = {
        licences.canonicalize_name(licences.Requirement(one).name) for extra in ("dev", "test") for one in EXTRAS[extra]
    }
    assert core & tools <= {"sympy"}  # the tests need one of its minor versions


@pytest.mark.parametrize("extra", sorted(set(PACKAGES) - extras.NEVER_NEEDED))
def test_a_missing_extra_is_named(extra: str, monkeypatch, tmp_path: Path):
    """Every use of the extra is refused in one sentence with the command that installs it."""
    for package in PACKAGES[extra]:
        for module in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
            monkeypatch.delitem(sys.modules, module)
        monkeypatch.setitem(sys.modules, package, None)  # an import of it fails
    for use in extras.USES[extra]:
        with pytest.raises((gw.GaitwrightError, MeshFileError)) as refused:
            use(tmp_path)
        assert f"pip install 'gaitwright[{extra}]'" in str(refused.value), use.__name__
        assert "\n" not in str(refused.value)


def test_without_the_extra_fast_another_solver_is_used(monkeypatch):
    from gaitwright.linalg import backends

    monkeypatch.setitem(sys.modules, "pypardiso", None)
    backends._has_pardiso.cache_clear()
    try:
        assert backends.fastest_pivoting_backend() == "superlu"
    finally:
        backends._has_pardiso.cache_clear()


# types --------------------------------------------------------------------------------------------------------------


def untyped(owner: str, function: Any) -> list[str]:
    """Return the parameters and results without annotation."""
    missing = []
    signature = inspect.signature(function)
    for name, parameter in signature.parameters.items():
        if parameter.annotation is parameter.empty and name not in ("self", "cls"):
            missing.append(f"{owner}({name})")
    if signature.return_annotation is signature.empty and not owner.endswith("__init__"):
        missing.append(f"{owner} ->")
    return missing


def functions_of(name: str, thing: Any) -> dict[str, Any]:
    """Return a function itself, or the public methods and properties defined in a class."""
    if not inspect.isclass(thing):
        return {name: thing} if inspect.isfunction(thing) else {}
    functions = {}
    for attribute, value in vars(thing).items():
        if attribute.startswith("_") and attribute not in ("__init__", "__call__", "__getitem__"):
            continue
        value = value.fget if isinstance(value, property) else getattr(value, "func", getattr(value, "__func__", value))
        if inspect.isfunction(value) and value.__module__.startswith("gaitwright."):
            functions[f"{name}.{attribute}"] = value
    return functions


@pytest.mark.slow
def test_every_public_function_and_method_has_types():
    """The short version of `make types`, which also checks attributes and the parts of types."""
    offered: dict[str, Any] = {}
    for name in public_types.PACKAGES:
        package = importlib.import_module(name)
        offered |= {f"{name}.{public}": getattr(package, public) for public in package.__all__}
    functions = {name: one for key, thing in offered.items() for name, one in functions_of(key, thing).items()}
    assert len(functions) > 400
    assert [text for name, one in functions.items() for text in untyped(name, one)] == []


def test_complaints_about_types():
    def symbol(name: str, known: bool, *texts: str) -> dict[str, Any]:
        diagnostics = [{"message": text} for text in texts]
        return {"name": name, "isTypeKnown": known, "isTypeAmbiguous": False, "diagnostics": diagnostics}

    answer = {"typeCompleteness": {"symbols": [
        symbol("a.f", True), symbol("a.C", False), symbol("a.C.x", False, "no docstring", "Type\n is missing"),
        symbol("a.Cx", False, "not public"),
    ]}}  # fmt: skip
    assert public_types.complaints(answer, {"a.f", "a.C"}) == [
        "a.C: a member of it is not known", "a.C.x: Type is missing",
    ]  # fmt: skip
