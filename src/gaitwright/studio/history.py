"""Undo and redo without limit: what was replaced by what, so that a step costs as many bytes as it changed."""

from __future__ import annotations

from typing import NamedTuple


class Step(NamedTuple):
    """A piece of text that was replaced. start: character. drag: steps of the same one are undone together."""

    start: int
    before: str
    after: str
    drag: str | None = None


class History:
    def __init__(self) -> None:
        self.past: list[Step] = []
        self.future: list[Step] = []

    def add(self, before: str, after: str, drag: str | None = None) -> None:
        """Note that a text became another one."""
        self.future.clear()
        if drag is not None and self.past and self.past[-1].drag == drag:
            before = _replaced(before, self.past.pop(), back=True)
        if before != after:
            self.past.append(difference(before, after)._replace(drag=drag))

    def end_drag(self) -> None:
        """What comes next is a step of its own, even if it has the same name."""
        if self.past and self.past[-1].drag is not None:
            self.past[-1] = self.past[-1]._replace(drag=None)

    def undo(self, text: str) -> str:
        if self.past:
            self.future.append(self.past.pop())
            text = _replaced(text, self.future[-1], back=True)
        return text

    def redo(self, text: str) -> str:
        if self.future:
            self.past.append(self.future.pop()._replace(drag=None))
            text = _replaced(text, self.past[-1])
        return text


def difference(before: str, after: str) -> Step:
    """The one piece in which two texts differ."""
    shorter = min(len(before), len(after))
    start = _common(before, after, shorter)
    end = _common(before[::-1], after[::-1], shorter - start)
    return Step(start, before[start : len(before) - end], after[start : len(after) - end])


def _common(one: str, other: str, most: int) -> int:
    """How many letters two texts begin with alike, at most some: by halves, as comparing slices is quick."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _replaced(text: str, step: Step, back: bool = False) -> str:
    out, put = (step.after, step.before) if back else (step.before, step.after)
    return text[: step.start] + put + text[step.start + len(out) :]
