"""A model file as text, which is the truth: edited by commands or by hand, with undo and redo, its problems at their lines. The
last model that was valid stays alive while the text is not one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gaitwright.checks import At
from gaitwright.errors import GaitwrightError, ModelError
from gaitwright.model.lowered import Lowered
from gaitwright.model.model import Model
from gaitwright.studio.commands import perform
from gaitwright.studio.draft import ELEMENTS, PARTS, Draft, Shown
from gaitwright.studio.history import History, difference
from gaitwright.studio.problems import problem_of
from gaitwright.studio.tree import MAX_VALUES, Tree
from gaitwright.studio.unexpected import report_unexpected

MOST_ELEMENTS = 2000
"""Links, joints and other elements that are drawn; larger models are for `gaitwright run`."""


class Stale(GaitwrightError):
    """An edit that was made for an older version of the text. version, text: what is there now."""

    def __init__(self, document: Document):
        super().__init__("the text was changed in another window meanwhile; look at it and do this again")
        self.version, self.text = document.version, document.text


class Document:
    """text: as it is. version: how often it was changed. tree: what it is as YAML; None if it is none. model: the last valid
    one, of the version `valid`. problem: of the text as it is, as data; None if there is none."""

    def __init__(self, text: str, folder: Path = Path()):
        self.folder, self.version, self.history = folder, 0, History()
        self.text, self.tree = "", None
        self.note: Callable[[list[Any]], None] = lambda entry: None
        """Called with each change of the history: add, undo or redo (studio/history_file.py)."""
        self.model: Lowered | None = None
        self.valid, self.drawn = -1, frozenset[str]()
        self.problem: dict[str, Any] | None = None
        self._take(text)

    # reading ---------------------------------------------------------------------------------------------------------

    def _take(self, text: str, tree: Tree | None = None) -> None:
        """Make a text the present one, and read it."""
        self.text, self.tree, self.problem = text, None, None
        try:
            read = Tree(text, self.folder) if tree is None else tree
            require_few(read.data)
            self.tree = read
            model = Lowered(Model.from_dict(self.tree.data))
            model.mechanism()  # what lowering, outputs and charts find wrong
            self.model, self.valid, self.drawn = model, self.version, names_in(self.tree.data)
        except GaitwrightError as error:
            self.problem = self._located(error)
            if self.tree is not None and not any(self.tree.data.get(section) for section in PARTS):
                self.problem["kind"] = "unfinished"  # nothing is wrong with a drawing that was just begun
        except Exception:  # the text is kept, whatever is wrong with the program that reads it
            self.problem = self._located(GaitwrightError(report_unexpected("reading of this text")))

    def _located(self, error: GaitwrightError) -> dict[str, Any]:
        """A problem at its line. A tree with replaced values reads its text again here; if that fails, this is the problem."""
        try:
            return problem_of(error, self.tree)
        except GaitwrightError as unreadable:
            self.tree = None
            return problem_of(unreadable, None)

    @property
    def shows_model(self) -> bool:
        """Whether the last valid model is what the text draws: it may have a problem, but nothing was added or removed."""
        if self.model is None:
            return False
        return self.tree is None or self.valid == self.version or self.drawn == names_in(self.tree.data)

    # changing --------------------------------------------------------------------------------------------------------

    def require(self, version: int | None) -> None:
        """Stale if somebody else has changed the text since."""
        if version is not None and version != self.version:
            raise Stale(self)

    def edit(self, command: Any, version: int | None = None, shown: Shown | None = None) -> dict[str, Any]:
        """Do what a command says (studio/commands.py). shown: where points are seen, for moves."""
        self.require(version)
        if self.tree is None:
            problem = self.problem or {}
            At(f"line {problem.get('line')}").fail(
                "the text is not valid YAML, so nothing can be drawn into it", expected="the text put right, or undo"
            )
        draft = Draft(self.tree, shown)
        try:
            perform(draft, command)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            if self.problem is None:
                raise
            # Commands take for granted what validation guarantees, such as that the ends of a link are names.
            At("command").fail(f"cannot be carried out while the model is invalid: {self.problem.get('message')}")
        drag = command.get("drag")
        return self._changed(draft.tree.text, drag if isinstance(drag, str) else None, draft.tree) | {
            "made": draft.made, "notes": draft.notes,
        }  # fmt: skip

    def type(self, text: str, version: int | None = None, drag: str | None = None) -> dict[str, Any]:
        """Take a text that was typed by hand. drag: keystrokes of the same one are undone together."""
        self.require(version)
        return self._changed(text, drag)

    def undo(self) -> dict[str, Any]:
        return self._changed(self.history.undo(self.text), remembered="undo")

    def redo(self) -> dict[str, Any]:
        return self._changed(self.history.redo(self.text), remembered="redo")

    def _changed(
        self, text: str, drag: str | None = None, tree: Tree | None = None, remembered: str = ""
    ) -> dict[str, Any]:
        before = self.text
        if text != before:
            if not remembered:
                self.history.add(before, text, drag)
            self.version += 1
            self._take(text, tree)
            self.note([remembered] if remembered else ["add", *difference(before, text)[:3], drag])
        return self.reply(before)

    def reply(self, before: str) -> dict[str, Any]:
        """What a change did, as data."""
        step = difference(before, self.text)
        return {
            "version": self.version,
            "patches": [[step.start, len(step.before), step.after]] if step.before or step.after else [],
            "problem": self.problem,
            "can_undo": bool(self.history.past),
            "can_redo": bool(self.history.future),
            "made": [],
            "notes": [],
        }


def require_few(data: dict[str, Any]) -> None:
    """ModelError for a model that is too large to be drawn: elements, and values with what aliases stand for written out."""
    count = sum(len(entries) for s in ELEMENTS if isinstance(entries := data.get(s), list))
    if count > MOST_ELEMENTS:
        raise ModelError(f"the model has {count} elements", expected=f"at most {MOST_ELEMENTS} in the studio")
    left, pile = MAX_VALUES, [data]
    while pile:
        held: Any = pile.pop()
        pile += held.values() if isinstance(held, dict) else held if isinstance(held, list) else ()
        left -= 1
        if left < 0:
            raise ModelError(f"the model has more than {MAX_VALUES} values", expected="a smaller one in the studio")


def names_in(data: dict[str, Any]) -> frozenset[str]:
    """Names of points and parts that stand in a document."""
    ground = data.get("ground")
    points = [data.get("points"), ground.get("points") if isinstance(ground, dict) else None]
    names = [name for given in points if isinstance(given, dict) for name in given]
    for section in PARTS:
        listed = data.get(section)
        names += [entry.get("name") for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
    return frozenset(map(str, names))
