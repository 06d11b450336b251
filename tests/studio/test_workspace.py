"""Workspace: files below one folder, and no other files of the machine."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from gaitwright._core.errors import ModelError
from gaitwright.mechanisms.catalogue import CATALOGUE
from gaitwright.studio import workspace as module
from gaitwright.studio.workspace import StudioWorkspace

JANSEN = (Path(__file__).parents[2] / "examples" / "jansen.yaml").read_text()


@pytest.fixture
def space(tmp_path):
    folder = tmp_path / "work"
    (folder / "sub").mkdir(parents=True)
    (folder / "leg.yaml").write_text(JANSEN)
    (folder / "sub" / "other.json").write_text('{"gaitwright": 1}')
    (folder / "notes.txt").write_text("no model")
    (tmp_path / "secret.yaml").write_text("gaitwright: 1\n")
    return StudioWorkspace(folder)


TRICKS = [
    "../secret.yaml", "sub/../../secret.yaml", "/etc/passwd.yaml", "./leg.yaml", "sub//other.json", "leg.yaml/", "..", "",
    "sub\\..\\..\\secret.yaml", "leg.yaml\0.txt", "C:/secret.yaml", "notes.txt", ".hidden.yaml", "x" * 500 + ".yaml", None, 7,
    "%2e%2e/secret.txt",
]  # fmt: skip


@pytest.mark.parametrize("name", TRICKS)
def test_paths_outside_the_folder_are_refused(space, name):
    for ask in (space.path, space.open, lambda given: space.create(given, text="gaitwright: 1\n")):
        with pytest.raises(ModelError):
            ask(name)


@pytest.mark.skipif(not hasattr(os, "symlink") or os.name == "nt", reason="links")
def test_links_to_outside_are_refused_and_not_listed(space, tmp_path):
    (space.folder / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (space.folder / "out").symlink_to(tmp_path)
    (space.folder / "round.yaml").symlink_to(space.folder / "round.yaml")
    (space.folder / "inside.yaml").symlink_to(space.folder / "leg.yaml")
    for name in ("link.yaml", "out/secret.yaml", "out/new.yaml"):
        with pytest.raises(ModelError, match="leads out"):
            space.path(name)
    with pytest.raises(ModelError):
        space.open("round.yaml")
    assert space.open("inside.yaml") is space.open("leg.yaml")
    assert "link.yaml" not in [file["path"] for file in space.files()]


def test_files_are_listed_opened_and_created(space, monkeypatch):
    assert [file["path"] for file in space.files()] == ["leg.yaml", "sub/other.json"]
    sheet = space.create("sub/new leg.yaml", like="klann-leg")
    assert sheet.state()["problem"] is None
    assert space.open("sub/new leg.yaml") is sheet
    with pytest.raises(ModelError, match="exists already"):
        space.create("leg.yaml")
    blank = space.create("blank.yaml")
    assert blank.state()["problem"]["kind"] == "unfinished"
    assert blank.state()["name"] == "blank"
    monkeypatch.setattr(module, "MAX_OPEN_FILES", 3)
    space.open("leg.yaml")
    with pytest.raises(ModelError, match="3 files open"):
        space.open("sub/other.json")


def test_the_last_window_closes_the_editor_and_keeps_its_journal(space):
    sheet = space.open("leg.yaml")
    assert space.open("leg.yaml") is sheet
    sheet.edit({"do": "add-point", "at": [0, 1]})
    space.close("leg.yaml")
    assert space.open("leg.yaml") is sheet
    space.close("leg.yaml")
    space.close("leg.yaml")
    assert len(list(space.folder.glob(".leg.yaml.*"))) == 1
    again = space.open("leg.yaml")
    assert again is not sheet
    assert "G: [0, 1]" in again.document.text
    space.shutdown()


def test_a_file_or_a_folder_opens_a_workspace(space):
    assert StudioWorkspace.of(space.folder).first is None
    assert StudioWorkspace.of(space.folder / "leg.yaml").first == "leg.yaml"
    with pytest.raises(ModelError, match="no file or folder"):
        StudioWorkspace.of(space.folder / "nothing")


def test_the_gallery_has_every_ready_model(space):
    cards = space.gallery()
    assert [card["name"] for card in cards] == list(CATALOGUE)
    assert all(card["question"] and card["group"] for card in cards)
    thumbnail = space.thumbnail("four-bar", frames=4)
    assert space.thumbnail("four-bar") is thumbnail
    assert len(thumbnail["time"]) == 5
    with pytest.raises(ModelError, match="no example"):
        space.gallery_text("nothing")


@pytest.mark.slow
@pytest.mark.parametrize("name", CATALOGUE)
def test_every_ready_model_has_a_preview_of_its_dimension(space, name):
    thumbnail = space.thumbnail(name, frames=3)
    json.dumps(thumbnail, allow_nan=False)
    card = next(card for card in space.gallery() if card["name"] == name)
    assert thumbnail["dimension"] == card["dimension"]
    assert thumbnail["closed"]
    assert space.create(f"{name}.yaml", like=name).state()["problem"] is None
