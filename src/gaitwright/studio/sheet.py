"""One open file: its document, its picture, what is saved of it, and the hand that pulls at it. What a page talks to."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from gaitwright.checks import At
from gaitwright.errors import AnalysisError, GaitwrightError
from gaitwright.model.files import read_text
from gaitwright.saving import save_text
from gaitwright.studio import journal
from gaitwright.studio.alive import DRAGGED, EXACT, FEWEST_SAMPLES, MOST_SAMPLES, picture, places, seen_places
from gaitwright.studio.document import Document
from gaitwright.studio.history import difference
from gaitwright.studio.history_file import HistoryFile
from gaitwright.studio.listed import listed
from gaitwright.studio.problems import element_at
from gaitwright.studio.pull import Puller
from gaitwright.studio.sketch import sketch
from gaitwright.studio.turn import Turn, still, turn

Method = TypeVar("Method", bound=Callable[..., Any])


class ChangedOutside(GaitwrightError):
    """The file on disk is not what was read or saved here last."""


def _alone(method: Method) -> Method:
    """One caller at a time: several windows share a sheet."""

    @functools.wraps(method)
    def locked(self: Sheet, *given: Any, **options: Any) -> Any:
        with self.lock:
            return method(self, *given, **options)

    return cast(Method, locked)


class Sheet:
    """path: of the file. shown_as: its path below the folder that is open."""

    def __init__(self, path: Path, shown_as: str = ""):
        self.path, self.shown_as, self.lock = path, shown_as or path.name, threading.RLock()
        self.on_disk = read_text(path)
        self.signature = _signature(path)
        self.journal = journal.Journal(path)
        self.history_file = HistoryFile(path)
        self.puller: Puller | None = None
        self.suspects: list[str] = []
        self._listed: tuple[int, dict[str, Any]] = (-1, {})
        self._last_turn: tuple[Any, Turn] | None = None
        self._numbers: tuple[dict[str, float], str] = {}, ""
        self.recovered = False
        self.document = self._opened()
        journal.clean(path)

    def _opened(self) -> Document:
        """The document as a process that ended left it: with its unsaved changes, from the journal, and its undo history."""
        left = journal.left_behind(self.path)
        text = self.on_disk if left is None else left
        self.recovered = text != self.on_disk
        document = Document(text, self.path.parent)
        document.history = self.history_file.restored(text) or document.history
        document.note = lambda entry: self.history_file.append(entry, document.history, document.text)
        if self.recovered:
            if not document.history.past:  # no history was kept: at least back to what is saved
                document.history.add(self.on_disk, text)
            self._journal(self.on_disk, document.text)
        return document

    # text ------------------------------------------------------------------------------------------------------------

    @_alone
    def state(self) -> dict[str, Any]:
        """All about the text and what stands in it."""
        document = self.document
        if document.tree is not None and self._listed[0] != document.version:
            self._listed = (document.version, listed(document.tree))
        nothing: dict[str, Any] = {"elements": [], "points": [], "parameters": []}
        data = document.tree.data if document.tree is not None else {}
        return {
            "path": self.shown_as, "name": str(data.get("name", self.path.stem)), "dimension": data.get("dimension", 2),
            "text": document.text, "version": document.version, "saved": self.saved, "problem": document.problem,
            "can_undo": bool(document.history.past), "can_redo": bool(document.history.future),
            "recovered": self.recovered, "elsewhere": journal.elsewhere(self.path), **(self._listed[1] or nothing),
        }  # fmt: skip

    @property
    def saved(self) -> bool:
        return self.document.text == self.on_disk

    @_alone
    def edit(self, command: Any, version: int | None = None) -> dict[str, Any]:
        """Do what a command says; see studio/commands.py."""
        reply = self._noted(lambda: self.document.edit(command, version, self._shown))
        self.suspects = _names(command, self.document.tree.data if self.document.tree else {})
        return reply

    @_alone
    def type(self, text: str, version: int | None = None, drag: str | None = None) -> dict[str, Any]:
        """Take a text that was typed by hand."""
        if not isinstance(text, str):
            At("text").fail("is not a text", expected="the model file as text")
        return self._noted(lambda: self.document.type(text, version, drag))

    @_alone
    def undo(self) -> dict[str, Any]:
        return self._noted(self.document.undo)

    @_alone
    def redo(self) -> dict[str, Any]:
        return self._noted(self.document.redo)

    def _noted(self, change: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Make a change, and write it into the journal before anybody hears of it."""
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
        """Write a change into the journal; a note where that cannot be, as in a folder that is read-only."""
        step = difference(before, after)
        try:
            self.journal.note(before, [[step.start, len(step.before), step.after]], after)
        except OSError as error:
            why = getattr(error, "why", None) or (error.strerror or str(error)).lower()
            return [f"what is drawn would be lost in a crash: the journal beside the file cannot be written, {why}"]
        return []

    def _shown(self, time: float) -> dict[str, tuple[float, ...]]:
        """Where points are seen, for moves by hand; nothing where the model is not one."""
        document = self.document
        if document.model is None or document.valid != document.version:
            return {}
        known = self._last_turn[1] if self._last_turn is not None and self._last_turn[0][0] is document.model else None
        if known is not None and not (known.closed and np.any(known.motion.t == time)):
            known = None
        with suppress(GaitwrightError):
            return seen_places(document.model, time, known)
        return {}

    def _turn(self, samples: int, time: float, measured: bool = True) -> Turn:
        """The turn of the valid model; computed once for pictures, moves and pulls that follow each other. measured: with its
        own numbers; otherwise with those that were measured last."""
        model = self.document.model
        assert model is not None
        key = (model, samples, time, tuple(self.suspects))
        last = self._last_turn
        if last is None or last[0] != key or (measured and not last[1].measured):
            found = turn(model, samples, time, self.suspects, measured)
            if found.measured:
                self._numbers = found.numbers, found.unmeasured
            elif found.stopped is None:
                found.numbers, found.unmeasured = self._numbers
            self._last_turn = last = key, found
        return last[1]

    # file ------------------------------------------------------------------------------------------------------------

    @_alone
    def save(self, force: bool = False) -> dict[str, Any]:
        """Write the file, whole. ChangedOutside if somebody else has written it since, unless forced."""
        changed = _signature(self.path) not in (None, self.signature) and self._read() != self.on_disk
        if changed and not force:
            raise ChangedOutside(
                f"the file '{self.shown_as}' was changed by another program meanwhile; take that over, or save over it"
            )
        save_text(self.path, self.document.text)
        self.on_disk, self.signature = self.document.text, _signature(self.path)
        self.journal.forget()
        self.recovered = False
        return {"saved": True, "version": self.document.version}

    @_alone
    def look(self) -> dict[str, Any] | None:
        """Whether the file was changed by another program: it is taken over if nothing is unsaved here."""
        now = _signature(self.path)
        if now == self.signature:
            return None
        text = self._read()
        if text is None:
            return None  # it is being replaced, or gone: what is here stays
        if text in (self.on_disk, self.document.text):
            self.on_disk, self.signature = text, now
            if self.saved:
                self.journal.forget()
            return None
        if not self.saved:
            return {"changed": "conflict", "version": self.document.version}
        return {"changed": "outside", **self._take(text, now)}

    @_alone
    def take_over(self) -> dict[str, Any]:
        """Take the file as it is on disk; it can be undone."""
        text = self._read()
        if text is None:
            At(f"the file '{self.shown_as}'").fail("cannot be read", expected="a file that is there")
        return self._take(text, _signature(self.path))

    def _take(self, text: str, signature: Any) -> dict[str, Any]:
        self.on_disk, self.signature = text, signature
        return self._noted(lambda: self.document.type(text))

    def _read(self) -> str | None:
        try:
            return read_text(self.path)
        except GaitwrightError:
            return None

    @_alone
    def close(self) -> None:
        """Nobody looks at it any more; what is unsaved stays in the journal."""
        self.journal.close()
        self.history_file.close()

    # picture ---------------------------------------------------------------------------------------------------------

    @_alone
    def show(
        self,
        time: float = 0.0,
        samples: int | None = None,
        frames: int = 0,
        trace: list[str] | None = None,
        exact: bool = False,
        measured: bool = True,
    ) -> dict[str, Any]:
        """The mechanism as it is seen; see studio/alive.py. measured: with its own numbers, not those measured last."""
        document = self.document
        if not document.shows_model:
            if document.tree is None:
                At(self.shown_as).fail("has never been a model", expected="a text that starts with 'gaitwright: 1'")
            return {**sketch(document.tree), **self._of(), "faults": self._problem_as_fault()}
        assert document.model is not None
        data = document.tree.data if document.tree is not None else {}
        count = min(max(samples or (EXACT if exact else DRAGGED), FEWEST_SAMPLES), MOST_SAMPLES)
        seen = self._turn(count, time, measured)
        found = picture(document.model, data, time=time, frames=frames, trace=trace, found=seen)
        return {**found, **self._of(), "faults": [*self._problem_as_fault(), *found["faults"]]}

    def _problem_as_fault(self) -> list[dict[str, Any]]:
        problem = self.document.problem
        if problem is None:
            return []
        return [{"what": "model", "text": problem["message"], "element": problem["element"], "time": None}]

    def _of(self) -> dict[str, Any]:
        return {"version": self.document.version, "of_valid": self.document.valid == self.document.version}

    @_alone
    def pull(self, point: str, to: list[float], time: float = 0.0) -> dict[str, Any]:
        """Pull a point to a place with lengths locked; the pose is remembered until `let_go`."""
        document = self.document
        if document.model is None or document.valid != document.version:
            At("pull").fail("there is no mechanism to pull at", expected="a model without problems")
        if self.puller is None:
            found = self._turn(DRAGGED, time)
            if not found.closed:
                At("pull").fail("the mechanism cannot be closed", expected="lengths that fit together")
            k = int(abs(found.motion.t - time).argmin())
            self.puller = Puller(found.mechanism, found.motion.q[k], time)
            self.period = found.period
        miss = self.puller.pull(point, tuple(map(float, to)))
        data = document.tree.data if document.tree is not None else {}
        shown = picture(document.model, data, time=time, pose=self.puller.q, found=self._turn(DRAGGED, time))
        at = shown["places"].get(point, [None])[0]
        pulled = {"point": point, "at": at, "miss": miss, "time": self.puller.time_of(self.period)}
        return {**shown, **self._of(), "pulled": pulled}

    @_alone
    def let_go(self, keep: bool = True) -> dict[str, Any] | None:
        """End a pull. keep: points are drawn, and bodies placed, where they were pulled to; not where drives say where they
        start: there, the pose is one of another time (`pulled.time`), and the drawing would be a worse guess."""
        puller, self.puller = self.puller, None
        driven = puller is not None and any(names.kind == "drive" for names in puller.mechanism.constraint_names)
        if puller is None or driven or not keep:
            return None
        shown = places(puller.mechanism, still(0.0, puller.q))
        draft: list[dict[str, Any]] = []
        for name in (self.document.tree.data.get("points") or {}) if self.document.tree else ():
            if name in shown:
                draft.append({"do": "move-point", "name": name, "to": shown[name][0], "lengths": "keep"})
        bodies = [entry for entry in self.state()["elements"] if entry["section"] == "bodies"]
        for entry in bodies if puller.mechanism.dimension == 2 else ():
            x, y, angle = (round(float(value), 9) for value in puller.q[puller.mechanism.parts[entry["name"]].index])
            draft.append({"do": "set", "path": [*entry["path"], "at"], "value": [x, y]})
            draft.append({"do": "set", "path": [*entry["path"], "angle"], "value": angle})
        with suppress(AnalysisError):
            return self.edit({"do": "all", "commands": draft})
        return None


def _names(command: Any, data: dict[str, Any]) -> list[str]:
    """Parts and points that a command is about."""
    if not isinstance(command, dict):
        return []
    found = [str(command[key]) for key in ("name", "point", "body") if isinstance(command.get(key), str)]
    path = command.get("path")
    if isinstance(path, list) and len(path) > 1:
        element = element_at(path, data)
        found += [str(element["name"])] if element and element["name"] else []
    return [*found, *(name for one in command.get("commands") or () for name in _names(one, data))]


def _signature(path: Path) -> Any:
    """Tells whether a file was written again; None if it is not there."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
