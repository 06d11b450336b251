"""Undo and redo without limit. Each step stores only the replaced piece of text, so its size is that of the change."""

from __future__ import annotations

from typing import NamedTuple


class UndoStep(NamedTuple):
    """Replacement of a piece of text. start: character index. drag: steps with the same drag are undone together."""

    start: int
    before: str
    after: str
    drag: str | None = None


class UndoHistory:
    def __init__(self) -> None:
        self.past: list[UndoStep] = []
        self.future: list[UndoStep] = []

    def add(self, before: str, after: str, drag: str | None = None) -> None:
        """Add a change of the text."""
        self.future.clear()
        if drag is not None and self.past and self.past[-1].drag == drag:
            before = _apply_step(before, self.past.pop(), back=True)
        if before != after:
            self.past.append(text_difference(before, after)._replace(drag=drag))

    def end_drag(self) -> None:
        """End the present drag: the next change is a separate step, even with the same drag name."""
        if self.past and self.past[-1].drag is not None:
            self.past[-1] = self.past[-1]._replace(drag=None)

    def undo(self, text: str) -> str:
        if self.past:
            self.future.append(self.past.pop())
            text = _apply_step(text, self.future[-1], back=True)
        return text

    def redo(self, text: str) -> str:
        if self.future:
            self.past.append(self.future.pop()._replace(drag=None))
            text = _apply_step(text, self.past[-1])
        return text


def text_difference(before: str, after: str) -> UndoStep:
    """Smallest single replacement that turns one text into the other."""
    shorter = min(len(before), len(after))
    start = _common_prefix_length(before, after, shorter)
    end = _common_prefix_length(before[::-1], after[::-1], shorter - start)
    return UndoStep(start, before[start : len(before) - end], after[start : len(after) - end])


def _common_prefix_length(first: str, second: str, maximum: int) -> int:
    """Length of the common prefix of two texts, up to a maximum, by bisection, because comparing slices is fast."""
    low, high = 0, maximum
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if first[low:middle] == second[low:middle] else (low, middle - 1)
    return low


def _apply_step(text: str, step: UndoStep, back: bool = False) -> str:
    removed, inserted = (step.after, step.before) if back else (step.before, step.after)
    return text[: step.start] + inserted + text[step.start + len(removed) :]
