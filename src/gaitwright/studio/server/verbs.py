"""What a page may ask for over its socket: a table of functions of the window and the message. Those of a file run under its
lock; each answers with plain data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gaitwright.checks import At
from gaitwright.errors import GaitwrightError
from gaitwright.studio import results
from gaitwright.studio.server.desk import Desk, Studio

DRAG_SAMPLES = 72
"""Poses of a turn while something is dragged."""
PLAYED = 120
"""Poses of a turn that is played."""
LARGEST_TEXT = 5_000_000
"""Characters of a model file."""

Message = dict[str, Any]
Verb = Callable[[Studio, Desk, Message], Any]
VERBS: dict[str, Verb] = {}
CHANGING: set[str] = set()
"""Verbs after which the other windows of the file are told."""


def verb(changes: bool = False) -> Callable[[Verb], Verb]:
    def put(function: Verb) -> Verb:
        name = function.__name__
        VERBS[name] = function
        if changes:
            CHANGING.add(name)
        return function

    return put


def _whole(desk: Desk, reply: Any) -> dict[str, Any]:
    """A reply with the state after it, so that the page need not ask again."""
    desk.edited = True
    return {"reply": reply, "state": _state(desk)}


def _state(desk: Desk) -> dict[str, Any]:
    """What the page knows of the file; feet: points whose curves are shown."""
    tree = desk.sheet.document.tree
    gait = tree.data.get("gait") if tree is not None and isinstance(tree.data, dict) else None
    feet = gait.get("feet") if isinstance(gait, dict) else None
    named = [name for name in feet if isinstance(name, str)] if isinstance(feet, list) else []
    return {**desk.sheet.state(), "autosave": desk.autosave, "feet": named}


@verb()
def state(studio: Studio, desk: Desk, message: Message) -> Any:
    return _state(desk)


@verb()
def show(studio: Studio, desk: Desk, message: Message) -> Any:
    """The picture: pose, foot curve and numbers; frames of a turn to play."""
    frames = min(int(message.get("frames", 0)), PLAYED)
    return desk.sheet.show(
        time=float(message.get("time", 0.0)), frames=frames, trace=message.get("trace"), exact=bool(message.get("exact", True)),
    )  # fmt: skip


@verb(changes=True)
def edit(studio: Studio, desk: Desk, message: Message) -> Any:
    return _whole(desk, desk.sheet.edit(message["command"], version=message.get("version")))


@verb(changes=True)
def drag(studio: Studio, desk: Desk, message: Message) -> Any:
    """An edit while the hand moves, with the picture of it: few samples, no whole state."""
    desk.edited = True
    reply = desk.sheet.edit(message["command"], version=message.get("version"))
    picture = desk.sheet.show(time=float(message.get("time", 0.0)), samples=DRAG_SAMPLES, trace=message.get("trace"))
    return {"reply": reply, "picture": picture}


@verb()
def pull(studio: Studio, desk: Desk, message: Message) -> Any:
    """Lengths are locked: the mechanism follows the hand."""
    return desk.sheet.pull(message["point"], message["to"], time=float(message.get("time", 0.0)))


@verb(changes=True)
def let_go(studio: Studio, desk: Desk, message: Message) -> Any:
    return _whole(desk, desk.sheet.let_go(keep=bool(message.get("keep", True))))


@verb(changes=True)
def type_text(studio: Studio, desk: Desk, message: Message) -> Any:
    text = message["text"]
    if not isinstance(text, str) or len(text) > LARGEST_TEXT:
        At(field="text").fail("is too long", expected=f"at most {LARGEST_TEXT} characters")
    return _whole(desk, desk.sheet.type(text, version=message.get("version")))


@verb(changes=True)
def undo(studio: Studio, desk: Desk, message: Message) -> Any:
    return _whole(desk, desk.sheet.undo())


@verb(changes=True)
def redo(studio: Studio, desk: Desk, message: Message) -> Any:
    return _whole(desk, desk.sheet.redo())


@verb(changes=True)
def take_over(studio: Studio, desk: Desk, message: Message) -> Any:
    """Of two versions, that of the file on disk."""
    return _whole(desk, desk.sheet.take_over())


@verb()
def save(studio: Studio, desk: Desk, message: Message) -> Any:
    return desk.sheet.save(force=bool(message.get("force", False)))


@verb()
def autosave(studio: Studio, desk: Desk, message: Message) -> Any:
    desk.autosave = bool(message["on"])
    return {"autosave": desk.autosave}


@verb()
def explain(studio: Studio, desk: Desk, message: Message) -> Any:
    """Help on a field: `links.length`, `joints.slot.axis`."""
    from gaitwright.studio.fields import help_on

    return help_on(str(message["path"]), int(message.get("dimension", 2)))


@verb()
def forms(studio: Studio, desk: Desk, message: Message) -> Any:
    """Fields of all elements, for the panel of properties."""
    from gaitwright.studio.fields import forms

    return forms(int(message.get("dimension", 2)))


@verb()
def commands(studio: Studio, desk: Desk, message: Message) -> Any:
    """Analyses that can be run."""
    return studio.runs.commands()


@verb()
def start_run(studio: Studio, desk: Desk, message: Message) -> Any:
    """Run an analysis of what is on the sheet; `others`: files of the folder to compare with."""
    sheet = desk.sheet.state()
    if sheet["problem"]:
        raise GaitwrightError(f"the model has a problem that must be mended first: {sheet['problem']['message']}")
    wish = {"command": message["command"], "text": sheet["text"], "name": sheet["name"], "options": message["options"]}
    wish["folder"] = str(studio.workspace.path(desk.path).parent)
    if others := message.get("others"):
        texts = [(other, studio.workspace.path(other).read_text(encoding="utf-8")) for other in others]
        wish["texts"] = [(sheet["name"], sheet["text"]), *texts]
    else:
        wish["texts"] = [(sheet["name"], sheet["text"])]
    if message.get("seconds"):
        wish["seconds"] = float(message["seconds"])
    return studio.runs.start(wish)


@verb()
def runs(studio: Studio, desk: Desk, message: Message) -> Any:
    return studio.list_runs()


@verb()
def summary(studio: Studio, desk: Desk, message: Message) -> Any:
    """What a run answered, and the last lines it said."""
    whole = studio.runs.get(message["run"])
    return {"summary": whole["summary"], "log": whole["log"]}


@verb()
def cancel_run(studio: Studio, desk: Desk, message: Message) -> Any:
    return studio.runs.cancel(message["run"])["state"]


@verb()
def delete_run(studio: Studio, desk: Desk, message: Message) -> Any:
    studio.runs.delete(message["run"])
    return studio.list_runs()


@verb()
def outputs(studio: Studio, desk: Desk, message: Message) -> Any:
    return results.outputs(studio.runs, message["run"])


@verb()
def curves(studio: Studio, desk: Desk, message: Message) -> Any:
    """Outputs of one or several runs, to be laid over each other."""
    return results.curves(studio.runs, message["curves"], against=message.get("against"))


@verb()
def table(studio: Studio, desk: Desk, message: Message) -> Any:
    return results.table(studio.runs, message["run"])


@verb()
def files(studio: Studio, desk: Desk, message: Message) -> Any:
    return studio.workspace.files()


FREE = {
    "commands", "start_run", "runs", "summary", "cancel_run", "delete_run", "outputs", "curves", "table", "files", "forms",
    "explain",
}  # fmt: skip
"""Verbs that take long or touch no sheet: they need not wait for its lock."""
