"""Build wheel and sdist into dist/ and check them as a stranger would find them: `make release`.

What is in them; the wheel in an empty environment, where the demonstration runs without a network and nothing of the tests is
there; every module imported with warnings of old ways as errors; each extra installed by itself, at work; types of the public
interface; licences; a bill of materials (CycloneDX) beside the wheel. Ends at the first thing that is wrong, with one sentence.

    python -m release.check [--dist DIR] [--python python3.12 --python python3.13] [--no-extras]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from email.parser import BytesParser
from pathlib import Path

from release import licences, public_types
from release.extras import USES

TOP = licences.TOP
MOST_WHEEL, MOST_SDIST = 12e6, 30e6
"""Bytes; more means that something came in that should not."""
IN_SDIST = ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff", "SECURITY.md", "mkdocs.yml", "Makefile",
            "tests/conftest.py", "docs/index.md", "release/check.py")  # fmt: skip
FETCHES = re.compile(
    r"""<(?:script|img|iframe)[^>]+src=["'](?:https?:)?//|<link[^>]+href=["'](?:https?:)?//|url\(\s*["']?https?:"""
)
"""What a page that stands by itself must not have."""
IMPORT_ALL = """
import importlib, pkgutil, sys
import gaitwright
import gaitwright_apps
names = [m.name for p in (gaitwright, gaitwright_apps) for m in pkgutil.walk_packages(p.__path__, p.__name__ + ".")]
needs_extra = "gaitwright.studio.server."  # imported only where the extra `studio` is installed, which release.extras checks
names = [name for name in names if not name.endswith("__main__") and not name.startswith(needs_extra)]
for name in names:
    importlib.import_module(name)
print(len(names), "modules")
"""


class Wrong(Exception):
    """One sentence."""


def say(text: str) -> None:
    print(text, flush=True)


def run(*command: str | Path, **options: object) -> str:
    """What a command prints; Wrong if it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)  # pyright: ignore
    if done.returncode:
        raise Wrong(f"{' '.join(str(part) for part in command)[:300]} failed:\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


def build(dist: Path) -> tuple[Path, Path]:
    """The sdist, and from it the wheel."""
    shutil.rmtree(dist, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", dist, TOP)
    (wheel,), (sdist,) = dist.glob("*.whl"), dist.glob("*.tar.gz")
    return wheel, sdist


def sources() -> set[str]:
    """Files of the package, as they are in the wheel."""
    folder = TOP / "src"
    if (TOP / ".git").exists():
        listed = run("git", "ls-files", "src", cwd=TOP).split("\n")
        return {Path(name).relative_to("src").as_posix() for name in listed if name and (TOP / name).exists()}
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def check_wheel(wheel: Path) -> str:
    """Every source is there and nothing else; the version of its metadata."""
    with zipfile.ZipFile(wheel) as content:
        names = {name for name in content.namelist() if not name.endswith("/")}
        meta = next(name for name in names if name.endswith(".dist-info/METADATA"))
        about = BytesParser().parsebytes(content.read(meta))
    packed = {name for name in names if ".dist-info/" not in name}
    if missing := sources() - packed:
        raise Wrong(f"not in the wheel: {', '.join(sorted(missing)[:5])}")
    if others := packed - sources():
        raise Wrong(f"in the wheel, but no source of the package: {', '.join(sorted(others)[:5])}")
    if "gaitwright/py.typed" not in packed:
        raise Wrong("gaitwright/py.typed is not in the wheel: checkers would not look at its types")
    if not [name for name in names if name.endswith("licenses/LICENSE")]:
        raise Wrong("the licence is not in the wheel")
    if wheel.stat().st_size > MOST_WHEEL:
        raise Wrong(f"the wheel has {wheel.stat().st_size / 1e6:.1f} MB, more than {MOST_WHEEL / 1e6:g}")
    for field in ("Summary", "License-Expression", "Requires-Python", "Author", "Description-Content-Type"):
        if not about.get(field):
            raise Wrong(f"the metadata have no {field}")
    return str(about["Version"])


def check_sdist(sdist: Path) -> None:
    with tarfile.open(sdist) as content:
        names = {name.partition("/")[2] for name in content.getnames()}
    if missing := set(IN_SDIST) - names:
        raise Wrong(f"not in the sdist: {', '.join(sorted(missing))}")
    if strange := [name for name in names if re.search(r"(^|/)(\.venv|__pycache__|dist|site|\.git)(/|$)", name)]:
        raise Wrong(f"in the sdist, but no source: {', '.join(sorted(strange)[:5])}")
    if sdist.stat().st_size > MOST_SDIST:
        raise Wrong(f"the sdist has {sdist.stat().st_size / 1e6:.1f} MB, more than {MOST_SDIST / 1e6:g}")


class Environment:
    """An empty virtual environment, with a home of its own, so that nothing is found compiled."""

    def __init__(self, folder: Path, python: str):
        self.folder = folder
        run(python, "-m", "venv", folder / "venv")
        self.bin = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        self.python = self.bin / "python"
        (folder / "home").mkdir()
        keep = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PYTHON", "GAITWRIGHT", "VIRTUAL"))
        }
        self.environ = {**keep, "HOME": str(folder / "home"), "XDG_CACHE_HOME": str(folder / "home" / "cache")}

    def do(self, *command: str | Path) -> str:
        return run(*command, cwd=self.folder, env=self.environ)

    def install(self, *what: str) -> None:
        # the settings of pip (an index of one's own) are the user's
        run(self.python, "-m", "pip", "--disable-pip-version-check", "install", "-q", *what, cwd=self.folder)

    def installed(self) -> dict[str, str]:
        listed = self.do(self.python, "-m", "pip", "--disable-pip-version-check", "list", "--format", "json")
        return {licences.canonicalize_name(one["name"]): one["version"] for one in json.loads(listed)}

    def beside(self, folder: Path) -> Environment:
        """Another one that sees all that is in here, for an extra."""
        other = Environment(folder, str(self.python))
        where = "import sysconfig; print(sysconfig.get_path('purelib'))"
        ours, theirs = (one.do(one.python, "-c", where).strip() for one in (self, other))
        (Path(theirs) / "beside.pth").write_text(ours + "\n", encoding="utf-8")
        return other


def cut_off() -> tuple[list[str], dict[str, str]]:
    """What stands before a command that shall have no network, and what is put into its environment."""
    try:
        run("unshare", "-rn", "true")
        return ["unshare", "-rn"], {}
    except (OSError, Wrong):  # not Linux, or not allowed
        nowhere = "http://127.0.0.1:9"
        return [], {name: nowhere for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy")}


def check_installed(place: Environment, wheel: Path, version: str) -> None:
    """The wheel alone: what came with it, its version, the demonstration without a network, every module."""
    place.install(str(wheel))
    place.do(place.python, "-m", "pip", "check")
    there = set(place.installed()) - {"pip", "setuptools", "wheel", "gaitwright"}
    core = licences.declared()["core"]
    told = {row.name for row in licences.rows() if row.needed == ["core"]}
    if missing := set(core) - there:
        raise Wrong(f"not installed with the wheel: {', '.join(sorted(missing))}")
    if unknown := there - told:
        say(f"    not on the page of licences, needed by this Python alone: {', '.join(sorted(unknown))}")
    said = place.do(place.bin / "gaitwright", "--version").strip()
    if said != version:
        raise Wrong(f"gaitwright --version says {said}, the metadata {version}")
    before, environ = cut_off()
    place.environ |= environ
    say(f"    demo without a network ({'in a namespace without one' if before else 'proxies that nobody answers'})")
    place.do(*before, place.bin / "gaitwright", "demo", "--out", "demo")
    pages = list((place.folder / "demo").glob("*.html"))
    if not pages:
        raise Wrong("the demonstration wrote no page")
    if others := [page.name for page in pages if FETCHES.search(page.read_text(encoding="utf-8"))]:
        raise Wrong(f"{', '.join(others)} of the demonstration loads something from the network")
    old_ways = [
        word
        for kind in ("Deprecation", "PendingDeprecation", "Future", "Syntax")
        for word in ("-W", f"error::{kind}Warning")
    ]
    say("    " + place.do(*before, place.python, *old_ways, "-c", IMPORT_ALL).strip() + " without a word of old ways")


def check_extras(place: Environment, folder: Path) -> None:
    """Each by itself, on top of the wheel."""
    project = licences.TOP / "pyproject.toml"
    wanted = licences.tomllib.loads(project.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for extra in (name for name in wanted if name not in licences.TOOLS):
        say(f"  extra {extra}")
        other = place.beside(folder / extra)
        if extra not in USES:
            other.install("--dry-run", *wanted[extra])
            say("    can be installed; nothing is run")
            continue
        other.install(*wanted[extra])
        say(other.do(other.python, "-I", TOP / "release" / "extras.py", extra).rstrip())


def main() -> None:
    parser = argparse.ArgumentParser(description="build and check wheel and sdist")
    parser.add_argument("--dist", type=Path, default=TOP / "dist")
    parser.add_argument("--python", action="append", default=[], help="interpreters beside this one")
    parser.add_argument("--no-extras", action="store_true")
    given = parser.parse_args()
    try:
        check(given.dist.resolve(), [sys.executable, *given.python], not given.no_extras)
    except Wrong as error:
        sys.exit(f"error: {error}")


def check(dist: Path, pythons: list[str], extras: bool) -> None:
    say("build")
    wheel, sdist = build(dist)
    version = check_wheel(wheel)
    check_sdist(sdist)
    say(f"  {wheel.name} {wheel.stat().st_size / 1e6:.1f} MB, {sdist.name} {sdist.stat().st_size / 1e6:.1f} MB")
    say("oldest Python whose language is used")
    run(Path(sys.executable).with_name("vermin"), "-q", "--no-tips", "-t=3.11-", TOP / "src" / "gaitwright")
    say("licences")
    found = licences.rows()
    if wrong := licences.refused(found):
        raise Wrong("licences that may not come in: " + "; ".join(wrong))
    if (TOP / "docs" / "licences.md").read_text(encoding="utf-8") != licences.page(found):
        raise Wrong("docs/licences.md is not what the metadata say: make licences")
    with tempfile.TemporaryDirectory(prefix="gaitwright-release-", ignore_cleanup_errors=True) as temporary:
        for k, python in enumerate(pythons):
            named = run(python, "--version").strip()
            say(f"an empty environment of {named}")
            place = Environment(Path(temporary) / str(k), python)
            check_installed(place, wheel, version)
            if k == 0:
                say("types of the public interface")
                public_types.check(place.bin, place.folder)
                bill = dist / f"gaitwright-{version}.cdx.json"
                run(sys.executable, "-m", "cyclonedx_py", "environment", place.python, "--pyproject", TOP / "pyproject.toml",
                    "--output-format", "JSON", "--output-file", bill)  # fmt: skip
                listed = {licences.canonicalize_name(one["name"]) for one in json.loads(bill.read_text())["components"]}
                if missing := set(licences.declared()["core"]) - listed:
                    raise Wrong(f"not in the bill of materials: {', '.join(sorted(missing))}")
                say(f"bill of materials: {bill.name}, {len(listed)} packages")
                if extras:
                    check_extras(place, Path(temporary))
    say(f"ready: {dist}")


if __name__ == "__main__":
    main()
