"""Tests mirror the source: tests/X/ tests src/gaitwright/X/ and tests/apps/X/ tests src/gaitwright_apps/X/."""

from __future__ import annotations

import re
from pathlib import Path

import gaitwright
import gaitwright_apps

TESTS = Path(__file__).parent
PACKAGE = Path(gaitwright.__file__).parent
APPLICATIONS = Path(gaitwright_apps.__file__).parent
CROSS_CUTTING = {"verification", "peers", "fuzz"}
"""Folders of tests that cover the whole package."""


def test_folders_of_tests_are_packages() -> None:
    folders = {path.parent.relative_to(TESTS).as_posix() for path in TESTS.rglob("test_*.py")} - {".", "apps"}
    homeless = {
        folder
        for folder in folders
        if not (
            APPLICATIONS / folder.removeprefix("apps/") if folder.startswith("apps/") else PACKAGE / folder
        ).is_dir()
    }
    assert homeless == CROSS_CUTTING


def test_every_package_has_tests() -> None:
    """Generated kernels are tested with derive."""
    packages = {path.parent.relative_to(PACKAGE).parts[0] for path in PACKAGE.glob("*/*.py")} - {"kernels"}
    assert {package for package in packages if not any((TESTS / package).rglob("test_*.py"))} == set()


def test_the_contributing_page_names_the_exceptions() -> None:
    text = (TESTS.parent / "CONTRIBUTING.md").read_text()
    tests = text[text.index("## Tests") :].partition("\n## ")[0]
    assert set(re.findall(r"`tests/(\w+)/`", tests)) >= CROSS_CUTTING
