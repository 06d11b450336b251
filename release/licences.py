"""The page of licences: what is installed with Gaitwright and with each of its extras, and under which terms.

    python -m release.licences docs/licences.md

The names come from pyproject.toml and, below it, from the metadata of what is installed; so do the licences. Packages that only
run on other machines are looked up in ELSEWHERE.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageMetadata, PackageNotFoundError, distribution, metadata, requires
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

TOP = Path(__file__).parents[1]
TOOLS = ("bench", "test", "dev", "docs", "release")
"""Extras that nobody needs at run time."""
ELSEWHERE = {
    "cupy-cuda12x": "MIT",
    "cuda-pathfinder": "Apache-2.0",
    "pypardiso": "BSD-3-Clause",
    "mkl": "Intel Simplified Software License",
    "tbb": "Intel Simplified Software License",
    "tcmlib": "Intel Simplified Software License",
    "intel-openmp": "Intel End User License Agreement for Developer Tools",
    "intel-cmplr-lib-ur": "Intel End User License Agreement for Developer Tools",
    "umf": "Apache-2.0 WITH LLVM-exception",
}
"""Of the extras `gpu` and `fast`, which need an NVIDIA GPU or an Intel processor: as their metadata say, or their texts."""
BELOW = {
    "cupy-cuda12x": ("numpy", "cuda-pathfinder"),
    "pypardiso": ("mkl", "numpy", "scipy"),
    "mkl": ("intel-openmp", "tbb"),
    "tbb": ("tcmlib",),
    "intel-openmp": ("intel-cmplr-lib-ur",),
    "intel-cmplr-lib-ur": ("umf",),
}
"""What these need, where they are not installed."""
SHORT = (
    (r"mit license|^mit$|expat", "MIT"),
    (r"bsd.?3|3.clause|new bsd", "BSD-3-Clause"),
    (r"bsd.?2|2.clause|simplified bsd", "BSD-2-Clause"),
    (r"bsd", "BSD"),
    (r"apache", "Apache-2.0"),
    (r"mozilla|mpl", "MPL-2.0"),
    (r"python software foundation|^psf", "PSF-2.0"),
    (r"\bisc\b", "ISC"),
)
"""Words of older metadata, and what they are called today (SPDX)."""
SENTENCES = (
    ("permission is hereby granted, free of charge", "MIT"),
    ("neither the name of", "BSD-3-Clause"),
    ("redistributions in binary form must reproduce", "BSD-2-Clause"),
)
"""What only one of them says, in this order, for packages that carry a text and no name."""
PERMISSIVE = {
    "MIT", "MIT-0", "MIT-CMU", "BSD", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "Apache-2.0", "PSF-2.0", "Python-2.0", "ISC",
    "Zlib", "CC0-1.0", "HPND", "Unlicense", "Apache-2.0 WITH LLVM-exception", "CNRI-Python", "BSL-1.0",
}  # fmt: skip
NOTED = {
    "MPL-2.0": "its source files stay under the MPL; a library beside ours",
    "Intel Simplified Software License": "free of charge, may be passed on, source not open; only with the extra `fast`",
    "Intel End User License Agreement for Developer Tools": "the same; read it before you pass it on",
}
"""Licences that are not merely permissive, and why they are here all the same. No other one may come in."""


class Row(NamedTuple):
    """A package, its licence, and who asks for it: `core` or the name of an extra."""

    name: str
    licence: str
    needed: list[str]


def declared() -> dict[str, list[str]]:
    """Direct dependencies: of the core, and of each extra for users."""
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {"core": project["dependencies"]}
    wanted |= {extra: names for extra, names in project["optional-dependencies"].items() if extra not in TOOLS}
    return {who: [canonicalize_name(Requirement(one).name) for one in names] for who, names in wanted.items()}


def below(name: str, extras: frozenset[str] = frozenset()) -> Iterator[str]:
    """What a package needs on a machine such as this one."""
    try:
        found = requires(name) or []
    except PackageNotFoundError:
        yield from BELOW.get(name, ())
        return
    for text in found:
        one = Requirement(text)
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield canonicalize_name(one.name)


def all_below(names: list[str]) -> list[str]:
    """These, what they need, what that needs, and so on."""
    found: dict[str, None] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop(0)
        if name not in found:
            found[name] = None
            waiting += below(name)
    return list(found)


def licence_of(name: str) -> str:
    """SPDX where the metadata say so, otherwise what their words mean; '' if nobody knows."""
    try:
        about = metadata(name)
    except PackageNotFoundError:
        return ELSEWHERE.get(name, "")
    if "License-Expression" in about:
        return about["License-Expression"]
    return shortened(about)


def shortened(about: PackageMetadata) -> str:
    """From a name, from what the package is filed under, or from the text that it carries."""
    marks = [mark.rpartition("::")[2].strip() for mark in about.get_all("Classifier") or [] if "License" in mark]
    text = about["License"].strip() if "License" in about else ""
    said = [*([] if "\n" in text else [text]), *marks]
    known = [short for words in said for pattern, short in SHORT if re.search(pattern, words.lower())]
    if exact := [short for short in known if short != "BSD"]:
        return exact[0]
    files = [
        file for file in distribution(about["Name"]).files or [] if re.search("licen[cs]e|copying", file.name.lower())
    ]
    texts = " ".join([text, *(file.read_text() or "" for file in files if file.suffix in ("", ".txt", ".md"))])
    words = " ".join(texts.lower().split())
    of_text = [short for sentence, short in SENTENCES if sentence in words and short.startswith((*known, "")[0])]
    return (of_text or known or [""])[0]


def parts(licence: str) -> set[str]:
    """The licences in an expression."""
    return {part.strip(" ()") for part in re.split(r"\bAND\b|\bOR\b|,|;", licence)}


def rows() -> list[Row]:
    wanted = {who: all_below(names) for who, names in declared().items()}
    names = sorted({name for found in wanted.values() for name in found})
    core = set(wanted["core"])
    return [
        Row(
            name,
            licence_of(name),
            ["core"] if name in core else [who for who, found in wanted.items() if name in found],
        )
        for name in names
    ]


def refused(found: list[Row]) -> list[str]:
    """Packages whose licence is unknown or may not come in."""
    allowed = PERMISSIVE | set(NOTED)
    return [
        f"{row.name}: {row.licence or 'no licence in its metadata'}"
        for row in found
        if not any(part in allowed for part in parts(row.licence))
        or ("OR" not in row.licence and not parts(row.licence) <= allowed)
    ]


def page(found: list[Row]) -> str:
    named = {name for names in declared().values() for name in names}
    lines = []
    for row in found:
        name = f"**{row.name}**" if row.name in named else row.name
        who = ", ".join("Gaitwright" if one == "core" else f"`gaitwright[{one}]`" for one in row.needed)
        lines.append(f"| {name} | {row.licence} | {who} |")
    noted = []
    for licence, why in NOTED.items():
        with_it = ", ".join(row.name for row in found if licence in parts(row.licence))
        noted += [f"- {licence} ({with_it}): {why}."] if with_it else []
    return HEAD + "\n".join(lines) + "\n\nNot merely permissive are:\n\n" + "\n".join(noted) + FOOT


HEAD = """# Licences

For those who install or pass on Gaitwright: the terms of everything that is installed with it. Gaitwright itself is
under the MIT licence. This page is written by `make licences` from the metadata of the packages.

In **bold**: what Gaitwright names itself; the rest is needed by these. Inside the package lies three.js (MIT), which
plays the animations of pages; its licence is beside it.

| package | licence | installed with |
| --- | --- | --- |
"""
FOOT = """

No package under the GPL, the AGPL or the LGPL is needed at run time. Libraries that wheels carry inside have terms of
their own, told in these wheels: those of NumPy and SciPy have OpenBLAS (BSD) and GCC's runtime library (GPL with the
exception that lets any program use it), those of shapely have GEOS (LGPL-2.1), those of pytetwild GMP (LGPL-3.0).

What tests, benchmarks and this documentation need besides is in `pyproject.toml`, in the extras `test`, `dev`, `bench`,
`docs` and `release`; none of it is installed with Gaitwright.

`make release` writes a bill of materials with versions beside the wheel: `dist/gaitwright-VERSION.cdx.json`, in the
format [CycloneDX](https://cyclonedx.org/).
"""


def main() -> None:
    found = rows()
    if wrong := refused(found):
        sys.exit("licences that may not come in: " + "; ".join(wrong))
    Path(sys.argv[1]).write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
