"""Workspace: the files below one open folder, and no other files of the machine; and the gallery of ready models."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import GaitwrightError
from gaitwright._core.output_files import save_text
from gaitwright.mechanisms.catalogue import CATALOGUE, find_entry
from gaitwright.model.io.files import MAX_MODEL_FILE_BYTES, model_text, read_model_text
from gaitwright.studio.live_preview import draw_picture
from gaitwright.studio.model_editor import ModelEditor

MODEL_SUFFIXES = (".yaml", ".yml", ".json")
MAX_LISTED_FILES, MAX_FOLDER_DEPTH = 1000, 8
"""Limits of a file list: number of files, and depth below the folder."""
MAX_PATH_CHARACTERS = 400
MAX_NAME_BYTES = 240
"""Maximum length of a file or folder name; file systems allow 255, and journals add a few bytes."""
MAX_OPEN_FILES = 50
BLANK_MODEL = "gaitwright: 1\nname: {name}\ngravity: [0, -9.81]\n"


class StudioWorkspace:
    """folder: the open folder. first: the requested file, if a file was given."""

    def __init__(self, folder: str | Path, first: str | None = None):
        self.folder = Path(folder).resolve()
        if not self.folder.is_dir():
            ErrorContext("studio").fail(f"there is no folder '{folder}'", expected="a folder, or a model file")
        self.first, self.lock = first, threading.RLock()
        self.sheets: dict[Path, ModelEditor] = {}
        self.users: dict[Path, int] = {}
        self.thumbnails: dict[str, dict[str, Any]] = {}

    @classmethod
    def of(cls, path: str | Path) -> StudioWorkspace:
        """Workspace of a folder, or of the folder of a file."""
        path = Path(path)
        if path.is_dir():
            return cls(path)
        if not path.is_file():
            ErrorContext("studio").fail(f"there is no file or folder '{path}'", expected="a model file or a folder")
        return cls(path.parent, path.name)

    def path(self, name: str) -> Path:
        """Path of a model file, given relative to the folder. Raises ModelError if it is not below the folder, links
        followed."""
        path = self.data_path(name)
        if path.suffix.lower() not in MODEL_SUFFIXES or path.name.startswith("."):
            ErrorContext(f"file '{name[:80]}'").fail(
                "is no model file", expected=f"a name that ends in {', '.join(MODEL_SUFFIXES)}"
            )
        return path

    def data_path(self, name: str) -> Path:
        """Path of any file below the folder, such as a trial of a laboratory; see `path`."""
        context = ErrorContext(f"file '{str(name)[:80]}'")
        if not isinstance(name, str) or not name or len(name) > MAX_PATH_CHARACTERS or "\0" in name or "\\" in name:
            context.fail("is no name of a file here", expected="a path such as legs/jansen.yaml")
        parts = name.split("/")
        if name.startswith("/") or any(part in ("", ".", "..") or ":" in part for part in parts):
            context.fail("is not below the folder that is open", expected="a path such as legs/jansen.yaml")
        if any(len(part.encode("utf-8", "surrogatepass")) > MAX_NAME_BYTES for part in parts):
            context.fail("is too long", expected=f"names of at most {MAX_NAME_BYTES} bytes")
        path = self.folder.joinpath(*parts)
        try:
            real = path.resolve()
        except (OSError, RuntimeError):
            context.fail("is a link that leads nowhere", expected="a file")
        if self.folder not in real.parents:
            context.fail("leads out of the folder that is open", expected="a file below it")
        return real

    def files(self) -> list[dict[str, Any]]:
        """Model files below the folder, sorted."""
        entries = []
        for path in self._walk():
            try:
                about = path.stat()
            except OSError:
                continue
            if about.st_size <= MAX_MODEL_FILE_BYTES:
                name = path.relative_to(self.folder).as_posix()
                entries.append({"path": name, "name": path.name, "size": about.st_size, "changed": about.st_mtime})
            if len(entries) >= MAX_LISTED_FILES:
                break
        return sorted(entries, key=lambda file: file["path"])

    def _walk(self) -> Iterator[Path]:
        for folder, folders, names in os.walk(self.folder):
            here = Path(folder)
            deep = len(here.relative_to(self.folder).parts)
            folders[:] = sorted(
                f
                for f in folders
                if not f.startswith((".", "__")) and deep < MAX_FOLDER_DEPTH and f not in SKIPPED_FOLDERS
            )
            for name in sorted(names):
                with suppress(GaitwrightError):  # no model file, or a link to outside of the folder
                    self.path((here / name).relative_to(self.folder).as_posix())
                    yield here / name

    def text(self, name: str) -> str:
        """Text of a model file."""
        return read_model_text(self.path(name))

    def open(self, name: str) -> ModelEditor:
        """Editor of a file, shared by all windows of the file."""
        with self.lock:
            path = self.path(name)
            if path not in self.sheets:
                if len(self.sheets) >= MAX_OPEN_FILES:
                    ErrorContext("studio").fail(
                        f"has {MAX_OPEN_FILES} files open", expected="some of them closed first"
                    )
                self.sheets[path] = ModelEditor(path, path.relative_to(self.folder).as_posix())
            self.users[path] = self.users.get(path, 0) + 1
            return self.sheets[path]

    def close(self, name: str) -> None:
        """Unregister a window of a file; the last one closes its editor. Unsaved changes stay in its journal."""
        with self.lock:
            path = self.path(name)
            self.users[path] = self.users.get(path, 1) - 1
            if self.users[path] <= 0 and path in self.sheets:
                self.sheets.pop(path).close()
                del self.users[path]

    def shutdown(self) -> None:
        """Close all editors."""
        with self.lock:
            for sheet in self.sheets.values():
                sheet.close()
            self.sheets.clear()
            self.users.clear()

    def create(self, name: str, like: str | None = None, text: str | None = None) -> ModelEditor:
        """Create a file: blank, from a ready model, or with a text. An existing file is not overwritten."""
        with self.lock:
            path = self.path(name)
            if path.exists():
                ErrorContext(f"file '{name}'").fail("exists already", expected="another name, or to open it")
            if text is None:
                title = "".join(letter for letter in path.stem if letter.isalnum() or letter in " .-_") or "mechanism"
                text = BLANK_MODEL.format(name=title) if like in (None, "blank") else self.gallery_text(str(like))
            if len(text) > MAX_MODEL_FILE_BYTES:
                ErrorContext(f"file '{name}'").fail(
                    "is too large", expected=f"a model of at most {MAX_MODEL_FILE_BYTES / 1e6:g} MB"
                )
            save_text(path, text)
            return self.open(name)

    # gallery ---------------------------------------------------------------------------------------------------------

    def gallery(self) -> list[dict[str, Any]]:
        """Ready models, with the question that each answers."""
        return [
            {"name": name, "title": name.replace("-", " "), "question": entry.question, "group": entry.group,
             "dimension": 3 if entry.group in SPATIAL_GROUPS or name in SPATIAL_EXAMPLES else 2}
            for name, entry in CATALOGUE.items()
        ]  # fmt: skip

    def gallery_text(self, name: str) -> str:
        """Model file of a ready model."""
        entry = find_entry(name)
        return f"# {entry.question}\n{model_text(entry.model())}"

    def thumbnail(self, name: str, frames: int = 24) -> dict[str, Any]:
        """Preview of a ready model, with poses of its turn."""
        with self.lock:
            if name not in self.thumbnails:
                entry = find_entry(name)
                model = entry.model()
                trace = [*entry.feet, *entry.trace] or None
                self.thumbnails[name] = draw_picture(model, model.to_dict(), frames=frames, trace=trace)
            return self.thumbnails[name]


SKIPPED_FOLDERS = ("node_modules", "site-packages", "gaitwright-output")
"""Folders without models of the user."""
SPATIAL_GROUPS = ("in space",)
SPATIAL_EXAMPLES = ("ankle-foot-orthosis",)
"""Three-dimensional ready models, listed here to avoid creating all models."""
