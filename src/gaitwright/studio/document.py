"""Document: the text of a model file, edited by commands or by hand, with undo, redo and problems located by line. The last
valid model is kept while the text is invalid."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import GaitwrightError, ModelError
from gaitwright.model.model import Model
from gaitwright.studio.commands import perform
from gaitwright.studio.draft import ELEMENT_SECTIONS, PART_SECTIONS, DocumentDraft, PositionsAtTime
from gaitwright.studio.history import UndoHistory, text_difference
from gaitwright.studio.problems import locate_problem
from gaitwright.studio.unexpected_errors import report_unexpected
from gaitwright.studio.yaml_tree import MAX_VALUES, YamlTree

MAX_ELEMENTS = 2000
"""Maximum number of drawn elements (links, joints, ...); larger models are for `gaitwright run`."""


class StaleVersionError(GaitwrightError):
    """Raised for an edit of an outdated version of the text. version, text: present state."""

    def __init__(self, document: StudioDocument):
        super().__init__("the text was changed in another window meanwhile; look at it and do this again")
        self.version, self.text = document.version, document.text


class StudioDocument:
    """text: present text. version: number of changes. tree: parsed YAML; None if the text is invalid YAML. model:
    last valid model; `valid` is its version. problem: of the present text, as data; None if it is valid."""

    def __init__(self, text: str, folder: Path = Path()):
        self.folder, self.version, self.history = folder, 0, UndoHistory()
        self.text, self.tree = "", None
        self.note: Callable[[list[Any]], None] = lambda entry: None
        """Callback for each change of the history: add, undo or redo (studio/history_file.py)."""
        self.model: Model | None = None
        self.valid, self.drawn = -1, frozenset[str]()
        self.problem: dict[str, Any] | None = None
        self._take(text)

    # reading ---------------------------------------------------------------------------------------------------------

    def _take(self, text: str, tree: YamlTree | None = None) -> None:
        """Replace the text and parse it."""
        self.text, self.tree, self.problem = text, None, None
        try:
            parsed = YamlTree(text, self.folder) if tree is None else tree
            require_drawable_size(parsed.data)
            self.tree = parsed
            model = Model.from_dict(self.tree.data)
            model.mechanism()  # reports errors of lowering, outputs and charts
            self.model, self.valid, self.drawn = model, self.version, point_and_part_names(self.tree.data)
        except GaitwrightError as error:
            self.problem = self._located(error)
            if self.tree is not None and not any(self.tree.data.get(section) for section in PART_SECTIONS):
                self.problem["kind"] = "unfinished"  # a drawing without parts is unfinished, not wrong
        except Exception:  # a defect of the reader must not lose the text
            self.problem = self._located(GaitwrightError(report_unexpected("reading of this text")))

    def _located(self, error: GaitwrightError) -> dict[str, Any]:
        """Locate a problem. A tree with replaced values reads its text again here; if that fails, the new problem is
        returned."""
        try:
            return locate_problem(error, self.tree)
        except GaitwrightError as unreadable:
            self.tree = None
            return locate_problem(unreadable, None)

    @property
    def shows_model(self) -> bool:
        """True if the text draws the last valid model: it may have a problem, but no point or part was added or
        removed."""
        if self.model is None:
            return False
        return self.tree is None or self.valid == self.version or self.drawn == point_and_part_names(self.tree.data)

    # changing --------------------------------------------------------------------------------------------------------

    def require(self, version: int | None) -> None:
        """Raise StaleVersionError if the text has changed since this version."""
        if version is not None and version != self.version:
            raise StaleVersionError(self)

    def edit(self, command: Any, version: int | None = None, shown: PositionsAtTime | None = None) -> dict[str, Any]:
        """Carry out a command (studio/commands.py). shown: displayed point positions, for moves."""
        self.require(version)
        if self.tree is None:
            problem = self.problem or {}
            ErrorContext(f"line {problem.get('line')}").fail(
                "the text is not valid YAML, so nothing can be drawn into it", expected="the text put right, or undo"
            )
        draft = DocumentDraft(self.tree, shown)
        try:
            perform(draft, command)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            if self.problem is None:
                raise
            # Commands rely on guarantees of validation, such as names at the ends of a link.
            ErrorContext("command").fail(
                f"cannot be carried out while the model is invalid: {self.problem.get('message')}"
            )
        drag = command.get("drag")
        return self._changed(draft.tree.text, drag if isinstance(drag, str) else None, draft.tree) | {
            "made": draft.made, "notes": draft.notes,
        }  # fmt: skip

    def type(self, text: str, version: int | None = None, drag: str | None = None) -> dict[str, Any]:
        """Replace the text with one typed by hand. drag: texts with the same value are undone together."""
        self.require(version)
        return self._changed(text, drag)

    def undo(self) -> dict[str, Any]:
        return self._changed(self.history.undo(self.text), remembered="undo")

    def redo(self) -> dict[str, Any]:
        return self._changed(self.history.redo(self.text), remembered="redo")

    def _changed(
        self, text: str, drag: str | None = None, tree: YamlTree | None = None, remembered: str = ""
    ) -> dict[str, Any]:
        before = self.text
        if text != before:
            if not remembered:
                self.history.add(before, text, drag)
            self.version += 1
            self._take(text, tree)
            self.note([remembered] if remembered else ["add", *text_difference(before, text)[:3], drag])
        return self.reply(before)

    def reply(self, before: str) -> dict[str, Any]:
        """Data about a change since the text `before`."""
        step = text_difference(before, self.text)
        return {
            "version": self.version,
            "patches": [[step.start, len(step.before), step.after]] if step.before or step.after else [],
            "problem": self.problem,
            "can_undo": bool(self.history.past),
            "can_redo": bool(self.history.future),
            "made": [],
            "notes": [],
        }


def require_drawable_size(data: dict[str, Any]) -> None:
    """Raise ModelError if a model is too large to draw: too many elements, or too many values with aliases expanded."""
    count = sum(len(entries) for s in ELEMENT_SECTIONS if isinstance(entries := data.get(s), list))
    if count > MAX_ELEMENTS:
        raise ModelError(f"the model has {count} elements", expected=f"at most {MAX_ELEMENTS} in the studio")
    remaining, pending = MAX_VALUES, [data]
    while pending:
        value: Any = pending.pop()
        pending += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        remaining -= 1
        if remaining < 0:
            raise ModelError(f"the model has more than {MAX_VALUES} values", expected="a smaller one in the studio")


def point_and_part_names(data: dict[str, Any]) -> frozenset[str]:
    """Names of points and parts in a document."""
    ground = data.get("ground")
    points = [data.get("points"), ground.get("points") if isinstance(ground, dict) else None]
    names = [name for mapping in points if isinstance(mapping, dict) for name in mapping]
    for section in PART_SECTIONS:
        listed = data.get(section)
        names += [entry.get("name") for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
    return frozenset(map(str, names))
