"""The files below one folder that is open, and nothing else of the machine; and the gallery of ready models."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from gaitwright.checks import At
from gaitwright.errors import GaitwrightError
from gaitwright.mechanisms.catalogue import CATALOGUE, find
from gaitwright.model.files import LARGEST_FILE, model_text, read_text
from gaitwright.model.lowered import Lowered
from gaitwright.saving import save_text
from gaitwright.studio.alive import picture
from gaitwright.studio.sheet import Sheet

SUFFIXES = (".yaml", ".yml", ".json")
MOST_FILES, DEEPEST = 1000, 8
"""Of a list of files: how many, and how deep below the folder."""
LONGEST_PATH = 400
MAX_NAME_BYTES = 240
"""Of a file or folder; file systems allow 255, and journals add a few."""
MOST_OPEN = 50
BLANK = "gaitwright: 1\nname: {name}\ngravity: [0, -9.81]\n"


class Workspace:
    """folder: what is open. first: the file that was asked for, if it was one."""

    def __init__(self, folder: str | Path, first: str | None = None):
        self.folder = Path(folder).resolve()
        if not self.folder.is_dir():
            At("studio").fail(f"there is no folder '{folder}'", expected="a folder, or a model file")
        self.first, self.lock = first, threading.RLock()
        self.sheets: dict[Path, Sheet] = {}
        self.users: dict[Path, int] = {}
        self.thumbnails: dict[str, dict[str, Any]] = {}

    @classmethod
    def of(cls, path: str | Path) -> Workspace:
        """Of a folder, or of the folder of a file."""
        path = Path(path)
        if path.is_dir():
            return cls(path)
        if not path.is_file():
            At("studio").fail(f"there is no file or folder '{path}'", expected="a model file or a folder")
        return cls(path.parent, path.name)

    def path(self, name: str) -> Path:
        """Where a model file is, by its path below the folder; ModelError for whatever is not below it, links followed."""
        path = self.data_path(name)
        if path.suffix.lower() not in SUFFIXES or path.name.startswith("."):
            At(f"file '{name[:80]}'").fail("is no model file", expected=f"a name that ends in {', '.join(SUFFIXES)}")
        return path

    def data_path(self, name: str) -> Path:
        """The same of any file, such as a trial of a laboratory."""
        at = At(f"file '{str(name)[:80]}'")
        if not isinstance(name, str) or not name or len(name) > LONGEST_PATH or "\0" in name or "\\" in name:
            at.fail("is no name of a file here", expected="a path such as legs/jansen.yaml")
        parts = name.split("/")
        if name.startswith("/") or any(part in ("", ".", "..") or ":" in part for part in parts):
            at.fail("is not below the folder that is open", expected="a path such as legs/jansen.yaml")
        if any(len(part.encode("utf-8", "surrogatepass")) > MAX_NAME_BYTES for part in parts):
            at.fail("is too long", expected=f"names of at most {MAX_NAME_BYTES} bytes")
        path = self.folder.joinpath(*parts)
        try:
            real = path.resolve()
        except (OSError, RuntimeError):
            at.fail("is a link that leads nowhere", expected="a file")
        if self.folder not in real.parents:
            at.fail("leads out of the folder that is open", expected="a file below it")
        return real

    def files(self) -> list[dict[str, Any]]:
        """The model files below the folder, sorted."""
        found = []
        for path in self._walk():
            try:
                about = path.stat()
            except OSError:
                continue
            if about.st_size <= LARGEST_FILE:
                name = path.relative_to(self.folder).as_posix()
                found.append({"path": name, "name": path.name, "size": about.st_size, "changed": about.st_mtime})
            if len(found) >= MOST_FILES:
                break
        return sorted(found, key=lambda file: file["path"])

    def _walk(self) -> Iterator[Path]:
        for folder, folders, names in os.walk(self.folder):
            here = Path(folder)
            deep = len(here.relative_to(self.folder).parts)
            folders[:] = sorted(
                f for f in folders if not f.startswith((".", "__")) and deep < DEEPEST and f not in OTHERS
            )
            for name in sorted(names):
                with suppress(GaitwrightError):  # no model, or a link that leads out
                    self.path((here / name).relative_to(self.folder).as_posix())
                    yield here / name

    def text(self, name: str) -> str:
        """What stands in a model file."""
        return read_text(self.path(name))

    def open(self, name: str) -> Sheet:
        """The sheet of a file: the same for everybody who has it open."""
        with self.lock:
            path = self.path(name)
            if path not in self.sheets:
                if len(self.sheets) >= MOST_OPEN:
                    At("studio").fail(f"has {MOST_OPEN} files open", expected="some of them closed first")
                self.sheets[path] = Sheet(path, path.relative_to(self.folder).as_posix())
            self.users[path] = self.users.get(path, 0) + 1
            return self.sheets[path]

    def close(self, name: str) -> None:
        """One window less looks at a file; with the last, its sheet goes. What is unsaved stays in its journal."""
        with self.lock:
            path = self.path(name)
            self.users[path] = self.users.get(path, 1) - 1
            if self.users[path] <= 0 and path in self.sheets:
                self.sheets.pop(path).close()
                del self.users[path]

    def shutdown(self) -> None:
        """Close all."""
        with self.lock:
            for sheet in self.sheets.values():
                sheet.close()
            self.sheets.clear()
            self.users.clear()

    def create(self, name: str, like: str | None = None, text: str | None = None) -> Sheet:
        """A new file: blank, like a ready model, or with a text; one that exists is not written over."""
        with self.lock:
            path = self.path(name)
            if path.exists():
                At(f"file '{name}'").fail("exists already", expected="another name, or to open it")
            if text is None:
                title = "".join(letter for letter in path.stem if letter.isalnum() or letter in " .-_") or "mechanism"
                text = BLANK.format(name=title) if like in (None, "blank") else self.gallery_text(str(like))
            if len(text) > LARGEST_FILE:
                At(f"file '{name}'").fail("is too large", expected=f"a model of at most {LARGEST_FILE / 1e6:g} MB")
            save_text(path, text)
            return self.open(name)

    # gallery ---------------------------------------------------------------------------------------------------------

    def gallery(self) -> list[dict[str, Any]]:
        """The ready models, with the question that each answers."""
        return [
            {"name": name, "title": name.replace("-", " "), "question": entry.question, "group": entry.group,
             "dimension": 3 if entry.group in SPACE or name in SPATIAL else 2}
            for name, entry in CATALOGUE.items()
        ]  # fmt: skip

    def gallery_text(self, name: str) -> str:
        """The model file of a ready model."""
        entry = find(name)
        return f"# {entry.question}\n{model_text(entry.model())}"

    def thumbnail(self, name: str, frames: int = 24) -> dict[str, Any]:
        """The picture of a ready model, with poses of its turn."""
        with self.lock:
            if name not in self.thumbnails:
                entry = find(name)
                model = entry.model()
                trace = [*entry.feet, *entry.trace] or None
                self.thumbnails[name] = picture(Lowered(model), model.to_dict(), frames=frames, trace=trace)
            return self.thumbnails[name]


OTHERS = ("node_modules", "site-packages", "gaitwright-output")
"""Folders that have no models that a person wrote."""
SPACE = ("in space",)
SPATIAL = ("ankle-foot-orthosis",)
"""Ready models of three dimensions, known without making them all."""
