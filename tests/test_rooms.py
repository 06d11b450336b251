"""Tests are found where their subject is: tests/X/ tests src/gaitwright/X/, but for the folders that CONTRIBUTING.md names."""

from __future__ import annotations

import re
from pathlib import Path

import gaitwright

TESTS = Path(__file__).parent
PACKAGE = Path(gaitwright.__file__).parent
WITHOUT_ROOM = {"verification", "peers", "fuzz"}
"""Folders of tests that go through the whole house."""


def test_every_folder_of_tests_is_a_room() -> None:
    folders = {path.parent.relative_to(TESTS).as_posix() for path in TESTS.rglob("test_*.py")} - {"."}
    assert {folder for folder in folders if not (PACKAGE / folder).is_dir()} == WITHOUT_ROOM


def test_every_room_has_tests() -> None:
    """Printed kernels are tested where they are derived."""
    rooms = {path.parent.relative_to(PACKAGE).parts[0] for path in PACKAGE.glob("*/*.py")} - {"kernels"}
    assert {room for room in rooms if not any((TESTS / room).rglob("test_*.py"))} == set()


def test_the_exceptions_are_named() -> None:
    text = (TESTS.parent / "CONTRIBUTING.md").read_text()
    tests = text[text.index("## Tests") :].partition("\n## ")[0]
    assert set(re.findall(r"`tests/(\w+)/`", tests)) >= WITHOUT_ROOM
