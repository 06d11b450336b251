"""Model editor: one open file with its document, preview, saved state and drag; the interface for a page."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import AnalysisError, GaitwrightError
from gaitwright._core.output_files import save_text
from gaitwright.model.io.files import read_model_text
from gaitwright.studio import journal
from gaitwright.studio.document import StudioDocument
from gaitwright.studio.drag_solver import DragSolver
from gaitwright.studio.history import text_difference
from gaitwright.studio.history_file import HistoryFile
from gaitwright.studio.live_preview import (
    DRAG_SAMPLES,
    EXACT_SAMPLES,
    MAX_SAMPLES,
    MIN_SAMPLES,
    assembled_positions,
    draw_picture,
    point_positions,
)
from gaitwright.studio.outline import list_contents
from gaitwright.studio.problems import element_at
from gaitwright.studio.sketch import sketch_document
from gaitwright.studio.turn_preview import TurnPreview, preview_turn, static_motion

Method = TypeVar("Method", bound=Callable[..., Any])


class FileChangedError(GaitwrightError):
    """The file on disk differs from the version that was read or saved here last."""


def _synchronised(method: Method) -> Method:
    """Lock the editor during a call: several windows share it."""

    @functools.wraps(method)
    def locked(self: ModelEditor, *arguments: Any, **options: Any) -> Any:
        with self.lock:
            return method(self, *arguments, **options)

    return cast(Method, locked)


class ModelEditor:
    """path: of the file. shown_as: its path relative to the open folder."""

    def __init__(self, path: Path, shown_as: str = ""):
        self.path, self.shown_as, self.lock = path, shown_as or path.name, threading.RLock()
        self.on_disk = read_model_text(path)
        self.signature = _file_signature(path)
        self.journal = journal.RecoveryJournal(path)
        self.history_file = HistoryFile(path)
        self.puller: DragSolver | None = None
        self.suspects: list[str] = []
        self._listed: tuple[int, dict[str, Any]] = (-1, {})
        self._last_turn: tuple[Any, TurnPreview] | None = None
        self._numbers: tuple[dict[str, float], str] = {}, ""
        self.recovered = False
        self.document = self._opened()
        journal.remove_stale_journals(path)

    def _opened(self) -> StudioDocument:
        """Document with the unsaved changes and the undo history that an ended process left."""
        unsaved_text = journal.recover_unsaved_text(self.path)
        text = self.on_disk if unsaved_text is None else unsaved_text
        self.recovered = text != self.on_disk
        document = StudioDocument(text, self.path.parent)
        document.history = self.history_file.restored(text) or document.history
        document.note = lambda entry: self.history_file.append(entry, document.history, document.text)
        if self.recovered:
            if not document.history.past:  # no stored history: undo returns at least to the saved text
                document.history.add(self.on_disk, text)
            self._journal(self.on_disk, document.text)
        return document

    # text ------------------------------------------------------------------------------------------------------------

    @_synchronised
    def state(self) -> dict[str, Any]:
        """State of the text and its contents."""
        document = self.document
        if document.tree is not None and self._listed[0] != document.version:
            self._listed = (document.version, list_contents(document.tree))
        nothing: dict[str, Any] = {"elements": [], "points": [], "parameters": []}
        data = document.tree.data if document.tree is not None else {}
        return {
            "path": self.shown_as, "name": str(data.get("name", self.path.stem)), "dimension": data.get("dimension", 2),
            "text": document.text, "version": document.version, "saved": self.saved, "problem": document.problem,
            "can_undo": bool(document.history.past), "can_redo": bool(document.history.future),
            "recovered": self.recovered, "elsewhere": journal.is_edited_elsewhere(self.path), **(self._listed[1] or nothing),
        }  # fmt: skip

    @property
    def saved(self) -> bool:
        return self.document.text == self.on_disk

    @_synchronised
    def edit(self, command: Any, version: int | None = None) -> dict[str, Any]:
        """Carry out a command; see studio/commands.py."""
        reply = self._noted(lambda: self.document.edit(command, version, self._shown))
        self.suspects = _names_in_command(command, self.document.tree.data if self.document.tree else {})
        return reply

    @_synchronised
    def type(self, text: str, version: int | None = None, drag: str | None = None) -> dict[str, Any]:
        """Replace the text with one typed by hand."""
        if not isinstance(text, str):
            ErrorContext("text").fail("is not a text", expected="the model file as text")
        return self._noted(lambda: self.document.type(text, version, drag))

    @_synchronised
    def undo(self) -> dict[str, Any]:
        return self._noted(self.document.undo)

    @_synchronised
    def redo(self) -> dict[str, Any]:
        return self._noted(self.document.redo)

    def _noted(self, change: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Make a change and write it to the journal before the reply is sent."""
        before = self.document.text
        reply = change()
        if reply["patches"]:
            self.puller = None
            if self.saved:
                self.journal.forget()
            else:
                reply["notes"] = [*reply["notes"], *self._journal(before, self.document.text)]
        return reply | {"saved": self.saved}

    def _journal(self, before: str, after: str) -> list[str]:
        """Write a change to the journal. Return a note if that fails, as in a read-only folder."""
        step = text_difference(before, after)
        try:
            self.journal.note(before, [[step.start, len(step.before), step.after]], after)
        except OSError as error:
            reason = getattr(error, "why", None) or (error.strerror or str(error)).lower()
            return [f"what is drawn would be lost in a crash: the journal beside the file cannot be written, {reason}"]
        return []

    def _shown(self, time: float) -> dict[str, tuple[float, ...]]:
        """Displayed positions of points, for moves by hand; empty if the text is no valid model."""
        document = self.document
        if document.model is None or document.valid != document.version:
            return {}
        last_turn = (
            self._last_turn[1] if self._last_turn is not None and self._last_turn[0][0] is document.model else None
        )
        if last_turn is not None and not (last_turn.closed and np.any(last_turn.motion.t == time)):
            last_turn = None
        with suppress(GaitwrightError):
            return assembled_positions(document.model, time, last_turn)
        return {}

    def _turn(self, samples: int, time: float, measured: bool = True) -> TurnPreview:
        """Turn of the valid model, cached for successive previews, moves and pulls. measured: measure its numbers;
        otherwise use those measured last."""
        model = self.document.model
        assert model is not None
        key = (model, samples, time, tuple(self.suspects))
        last = self._last_turn
        if last is None or last[0] != key or (measured and not last[1].measured):
            turn = preview_turn(model, samples, time, self.suspects, measured)
            if turn.measured:
                self._numbers = turn.numbers, turn.unmeasured
            elif turn.stopped is None:
                turn.numbers, turn.unmeasured = self._numbers
            self._last_turn = last = key, turn
        return last[1]

    # file ------------------------------------------------------------------------------------------------------------

    @_synchronised
    def save(self, force: bool = False) -> dict[str, Any]:
        """Write the whole file. Raises FileChangedError if another program has written it since, unless forced."""
        changed = _file_signature(self.path) not in (None, self.signature) and self._read() != self.on_disk
        if changed and not force:
            raise FileChangedError(
                f"the file '{self.shown_as}' was changed by another program meanwhile; take that over, or save over it"
            )
        save_text(self.path, self.document.text)
        self.on_disk, self.signature = self.document.text, _file_signature(self.path)
        self.journal.forget()
        self.recovered = False
        return {"saved": True, "version": self.document.version}

    @_synchronised
    def look(self) -> dict[str, Any] | None:
        """Check for changes of the file by another program. They are loaded if nothing is unsaved here."""
        signature = _file_signature(self.path)
        if signature == self.signature:
            return None
        text = self._read()
        if text is None:
            return None  # the file is being replaced or was deleted: keep the present text
        if text in (self.on_disk, self.document.text):
            self.on_disk, self.signature = text, signature
            if self.saved:
                self.journal.forget()
            return None
        if not self.saved:
            return {"changed": "conflict", "version": self.document.version}
        return {"changed": "outside", **self._take(text, signature)}

    @_synchronised
    def take_over(self) -> dict[str, Any]:
        """Load the file from disk; this can be undone."""
        text = self._read()
        if text is None:
            ErrorContext(f"the file '{self.shown_as}'").fail("cannot be read", expected="a file that is there")
        return self._take(text, _file_signature(self.path))

    def _take(self, text: str, signature: Any) -> dict[str, Any]:
        self.on_disk, self.signature = text, signature
        return self._noted(lambda: self.document.type(text))

    def _read(self) -> str | None:
        try:
            return read_model_text(self.path)
        except GaitwrightError:
            return None

    @_synchronised
    def close(self) -> None:
        """Close the editor after its last window; unsaved changes stay in the journal."""
        self.journal.close()
        self.history_file.close()

    # picture ---------------------------------------------------------------------------------------------------------

    @_synchronised
    def show(
        self,
        time: float = 0.0,
        samples: int | None = None,
        frames: int = 0,
        trace: list[str] | None = None,
        exact: bool = False,
        measured: bool = True,
    ) -> dict[str, Any]:
        """Preview data of the mechanism; see studio/live_preview.py. measured: measure its numbers instead of using
        the last ones."""
        document = self.document
        if not document.shows_model:
            if document.tree is None:
                ErrorContext(self.shown_as).fail(
                    "has never been a model", expected="a text that starts with 'gaitwright: 1'"
                )
            return {**sketch_document(document.tree), **self._of(), "faults": self._problem_as_fault()}
        assert document.model is not None
        data = document.tree.data if document.tree is not None else {}
        count = min(max(samples or (EXACT_SAMPLES if exact else DRAG_SAMPLES), MIN_SAMPLES), MAX_SAMPLES)
        turn = self._turn(count, time, measured)
        picture = draw_picture(document.model, data, time=time, frames=frames, trace=trace, found=turn)
        return {**picture, **self._of(), "faults": [*self._problem_as_fault(), *picture["faults"]]}

    def _problem_as_fault(self) -> list[dict[str, Any]]:
        problem = self.document.problem
        if problem is None:
            return []
        return [{"what": "model", "text": problem["message"], "element": problem["element"], "time": None}]

    def _of(self) -> dict[str, Any]:
        return {"version": self.document.version, "of_valid": self.document.valid == self.document.version}

    @_synchronised
    def pull(self, point: str, to: list[float], time: float = 0.0) -> dict[str, Any]:
        """Pull a point to a position with lengths locked; the pose is kept until `let_go`."""
        document = self.document
        if document.model is None or document.valid != document.version:
            ErrorContext("pull").fail("there is no mechanism to pull at", expected="a model without problems")
        if self.puller is None:
            turn = self._turn(DRAG_SAMPLES, time)
            if not turn.closed:
                ErrorContext("pull").fail("the mechanism cannot be closed", expected="lengths that fit together")
            k = int(abs(turn.motion.t - time).argmin())
            self.puller = DragSolver(turn.mechanism, turn.motion.q[k], time)
            self.period = turn.period
        miss = self.puller.pull(point, tuple(map(float, to)))
        data = document.tree.data if document.tree is not None else {}
        picture = draw_picture(
            document.model, data, time=time, pose=self.puller.q, found=self._turn(DRAG_SAMPLES, time)
        )
        position = picture["places"].get(point, [None])[0]
        pulled = {"point": point, "at": position, "miss": miss, "time": self.puller.time_of(self.period)}
        return {**picture, **self._of(), "pulled": pulled}

    @_synchronised
    def let_go(self, keep: bool = True) -> dict[str, Any] | None:
        """End a pull. keep: write the pulled positions of points and bodies to the drawing. Models with drives are
        not changed: the pulled pose belongs to another time (`pulled.time`) and would be a worse start guess."""
        puller, self.puller = self.puller, None
        driven = puller is not None and any(names.kind == "drive" for names in puller.mechanism.constraint_names)
        if puller is None or driven or not keep:
            return None
        positions = point_positions(puller.mechanism, static_motion(0.0, puller.q))
        edits: list[dict[str, Any]] = []
        for name in (self.document.tree.data.get("points") or {}) if self.document.tree else ():
            if name in positions:
                edits.append({"do": "move-point", "name": name, "to": positions[name][0], "lengths": "keep"})
        bodies = [entry for entry in self.state()["elements"] if entry["section"] == "bodies"]
        for entry in bodies if puller.mechanism.dimension == 2 else ():
            x, y, angle = (round(float(value), 9) for value in puller.q[puller.mechanism.parts[entry["name"]].index])
            edits.append({"do": "set", "path": [*entry["path"], "at"], "value": [x, y]})
            edits.append({"do": "set", "path": [*entry["path"], "angle"], "value": angle})
        with suppress(AnalysisError):
            return self.edit({"do": "all", "commands": edits})
        return None


def _names_in_command(command: Any, data: dict[str, Any]) -> list[str]:
    """Names of parts and points in a command."""
    if not isinstance(command, dict):
        return []
    names = [str(command[key]) for key in ("name", "point", "body") if isinstance(command.get(key), str)]
    path = command.get("path")
    if isinstance(path, list) and len(path) > 1:
        element = element_at(path, data)
        names += [str(element["name"])] if element and element["name"] else []
    return [*names, *(name for part in command.get("commands") or () for name in _names_in_command(part, data))]


def _file_signature(path: Path) -> Any:
    """Signature that changes when the file is written; None if the file does not exist."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
