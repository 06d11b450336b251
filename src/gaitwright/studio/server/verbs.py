"""What a page may ask for over its socket: a table of functions of the window and the fields of a request. Those of a file run
under its lock; each answers with plain data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le, MaxLen
from pydantic import BaseModel

from gaitwright.errors import GaitwrightError
from gaitwright.studio import results
from gaitwright.studio.draft import mapping
from gaitwright.studio.runs import LONGEST
from gaitwright.studio.server.desk import Desk, Studio
from gaitwright.studio.signatures import STRICT, model_of

DRAG_SAMPLES = 72
"""Poses of a turn while something is dragged."""
PLAYED = 120
"""Poses of a turn that is played."""
LARGEST_ID = 2**53
"""Of a request: a whole number that a page counts exactly."""

Verb = Callable[..., Any]
VERBS: dict[str, Verb] = {}
REQUESTS: dict[str, type[BaseModel]] = {}
"""The model of the request of every verb, from the signature of its function: a union with `do` as discriminator."""
CHANGING: set[str] = set()
"""Verbs after which the other windows of the file are told."""

Name = Annotated[str, MaxLen(1000)]
Command = Annotated[dict[str, Any], "a command of the drawing, checked by studio/commands.py"]
Version = Annotated[int, Ge(0), "of the text that the page knows"]
Seconds = Annotated[float, "time of the pose that is seen, s"]
Trace = Annotated[list[Name], MaxLen(200), "points whose curves are shown; the feet unless given"]
Dimension = Literal[2, 3]


class Curve(BaseModel):
    """An output of a run."""

    model_config = STRICT
    id: Name
    name: Name


def verb(changes: bool = False) -> Callable[[Verb], Verb]:
    def put(function: Verb) -> Verb:
        name = function.__name__
        VERBS[name] = function
        REQUESTS[name] = model_of(
            function, name, skip=2, id=(Annotated[int, Ge(0), Le(LARGEST_ID)], ...), do=(Literal[name], ...)
        )
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
    feet = mapping(tree.data.get("gait")).get("feet") if tree is not None else None
    named = [name for name in feet if isinstance(name, str)] if isinstance(feet, list) else []
    return {**desk.sheet.state(), "autosave": desk.autosave, "feet": named}


@verb()
def state(studio: Studio, desk: Desk) -> Any:
    return _state(desk)


@verb()
def show(
    studio: Studio,
    desk: Desk,
    time: Seconds = 0.0,
    frames: Annotated[int, Ge(0), Le(PLAYED), "poses of a turn to play; 0: one pose"] = 0,
    trace: Trace | None = None,
    exact: bool = True,
) -> Any:
    """The picture: pose, foot curve and numbers; frames of a turn to play."""
    return desk.sheet.show(time=time, frames=frames, trace=trace, exact=exact)


@verb(changes=True)
def edit(studio: Studio, desk: Desk, command: Command, version: Version | None = None) -> Any:
    return _whole(desk, desk.sheet.edit(command, version=version))


@verb(changes=True)
def drag(
    studio: Studio,
    desk: Desk,
    command: Command,
    version: Version | None = None,
    time: Seconds = 0.0,
    trace: Trace | None = None,
) -> Any:
    """An edit while the hand moves, with the picture of it: few samples, no whole state."""
    desk.edited = True
    reply = desk.sheet.edit(command, version=version)
    picture = desk.sheet.show(time=time, samples=DRAG_SAMPLES, trace=trace, measured=desk.measures())
    return {"reply": reply, "picture": picture}


@verb()
def pull(
    studio: Studio,
    desk: Desk,
    point: Name,
    to: Annotated[list[float], MaxLen(3), "place of the hand, m"],
    time: Seconds = 0.0,
) -> Any:
    """Lengths are locked: the mechanism follows the hand."""
    return desk.sheet.pull(point, to, time=time)


@verb(changes=True)
def let_go(studio: Studio, desk: Desk, keep: bool = True) -> Any:
    return _whole(desk, desk.sheet.let_go(keep=keep))


@verb(changes=True)
def type_text(studio: Studio, desk: Desk, text: str, version: Version | None = None) -> Any:
    return _whole(desk, desk.sheet.type(text, version=version))


@verb(changes=True)
def undo(studio: Studio, desk: Desk) -> Any:
    return _whole(desk, desk.sheet.undo())


@verb(changes=True)
def redo(studio: Studio, desk: Desk) -> Any:
    return _whole(desk, desk.sheet.redo())


@verb(changes=True)
def take_over(studio: Studio, desk: Desk) -> Any:
    """Of two versions, that of the file on disk."""
    return _whole(desk, desk.sheet.take_over())


@verb()
def save(studio: Studio, desk: Desk, force: bool = False) -> Any:
    return desk.sheet.save(force=force)


@verb()
def autosave(studio: Studio, desk: Desk, on: bool) -> Any:
    desk.autosave = on
    return {"autosave": desk.autosave}


@verb()
def explain(studio: Studio, desk: Desk, path: Name, dimension: Dimension = 2) -> Any:
    """Help on a field: `links.length`, `joints.slot.axis`."""
    from gaitwright.studio.fields import help_on

    return help_on(path, dimension)


@verb()
def forms(studio: Studio, desk: Desk, dimension: Dimension = 2) -> Any:
    """Fields of all elements, for the panel of properties."""
    from gaitwright.studio.fields import forms

    return forms(dimension)


@verb()
def commands(studio: Studio, desk: Desk) -> Any:
    """Analyses that can be run."""
    return studio.runs.commands()


@verb()
def start_run(
    studio: Studio,
    desk: Desk,
    command: Name,
    options: dict[Name, Any],
    others: Annotated[list[Name], MaxLen(100), "files of the folder to compare with"] = [],  # noqa: B006
    seconds: Annotated[float, Le(LONGEST), "time limit, s"] | None = None,
) -> Any:
    """Run an analysis of what is on the sheet."""
    sheet = desk.sheet.state()
    if sheet["problem"]:
        raise GaitwrightError(f"the model has a problem that must be mended first: {sheet['problem']['message']}")
    wish = {"command": command, "text": sheet["text"], "name": sheet["name"], "options": options}
    wish["folder"] = str(studio.workspace.path(desk.path).parent)
    wish["texts"] = [(sheet["name"], sheet["text"]), *((other, studio.workspace.text(other)) for other in others)]
    if seconds:
        wish["seconds"] = seconds
    return studio.runs.start(wish)


@verb()
def runs(studio: Studio, desk: Desk) -> Any:
    return studio.list_runs()


@verb()
def summary(studio: Studio, desk: Desk, run: Name) -> Any:
    """What a run answered, and the last lines it said."""
    whole = studio.runs.get(run)
    return {"summary": whole["summary"], "log": whole["log"]}


@verb()
def cancel_run(studio: Studio, desk: Desk, run: Name) -> Any:
    return studio.runs.cancel(run)["state"]


@verb()
def delete_run(studio: Studio, desk: Desk, run: Name) -> Any:
    studio.runs.delete(run)
    return studio.list_runs()


@verb()
def outputs(studio: Studio, desk: Desk, run: Name) -> Any:
    return results.outputs(studio.runs, run)


@verb()
def curves(
    studio: Studio, desk: Desk, curves: Annotated[list[Curve], MaxLen(results.MOST_CURVES)], against: Name | None = None
) -> Any:
    """Outputs of one or several runs, to be laid over each other."""
    return results.curves(studio.runs, [curve.model_dump() for curve in curves], against=against)


@verb()
def table(studio: Studio, desk: Desk, run: Name) -> Any:
    return results.table(studio.runs, run)


@verb()
def files(studio: Studio, desk: Desk) -> Any:
    return studio.workspace.files()


FREE = {
    "commands", "start_run", "runs", "summary", "cancel_run", "delete_run", "outputs", "curves", "table", "files", "forms",
    "explain",
}  # fmt: skip
"""Verbs that take long or touch no sheet: they need not wait for its lock."""
