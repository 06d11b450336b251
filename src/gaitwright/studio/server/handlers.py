"""Request handlers of the socket: a table of functions with the window's file and the fields of a request. Handlers of a
file run under its lock; each returns plain data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le, MaxLen
from pydantic import BaseModel

from gaitwright._core.errors import GaitwrightError
from gaitwright.studio import results
from gaitwright.studio.draft import as_mapping
from gaitwright.studio.message_models import STRICT_CONFIG, make_message_model
from gaitwright.studio.runs import MAX_RUN_SECONDS
from gaitwright.studio.server.sessions import FileSession, Studio

DRAG_SAMPLES = 72
"""Samples per turn during a drag."""
MAX_PLAYED_FRAMES = 120
"""Maximum number of played poses of a turn."""
MAX_REQUEST_ID = 2**53
"""Maximum id of a request: integers up to this are exact in JavaScript."""

Handler = Callable[..., Any]
HANDLERS: dict[str, Handler] = {}
REQUEST_MODELS: dict[str, type[BaseModel]] = {}
"""Request models by verb, from the signatures of the handlers: a union with `do` as discriminator."""
CHANGING_REQUESTS: set[str] = set()
"""Verbs after which the other windows of the file are notified."""

BoundedName = Annotated[str, MaxLen(1000)]
EditCommand = Annotated[dict[str, Any], "a command of the drawing, checked by studio/commands.py"]
TextVersion = Annotated[int, Ge(0), "of the text that the page knows"]
Seconds = Annotated[float, "time of the pose that is seen, s"]
TracePoints = Annotated[list[BoundedName], MaxLen(200), "points whose curves are shown; the feet unless given"]
Dimension = Literal[2, 3]


class CurveRequest(BaseModel):
    """An output of a run."""

    model_config = STRICT_CONFIG
    id: BoundedName
    name: BoundedName


def request_handler(changes: bool = False) -> Callable[[Handler], Handler]:
    def register(function: Handler) -> Handler:
        name = function.__name__
        HANDLERS[name] = function
        REQUEST_MODELS[name] = make_message_model(
            function, name, skip=2, id=(Annotated[int, Ge(0), Le(MAX_REQUEST_ID)], ...), do=(Literal[name], ...)
        )
        if changes:
            CHANGING_REQUESTS.add(name)
        return function

    return register


def _with_state(desk: FileSession, reply: Any) -> dict[str, Any]:
    """Reply with the resulting state, which saves the page another request."""
    desk.edited = True
    return {"reply": reply, "state": _file_state(desk)}


def _file_state(desk: FileSession) -> dict[str, Any]:
    """State of the file for the page; feet: points whose curves are shown."""
    tree = desk.sheet.document.tree
    feet = as_mapping(tree.data.get("gait")).get("feet") if tree is not None else None
    foot_names = [name for name in feet if isinstance(name, str)] if isinstance(feet, list) else []
    return {**desk.sheet.state(), "autosave": desk.autosave, "feet": foot_names}


@request_handler()
def state(studio: Studio, desk: FileSession) -> Any:
    return _file_state(desk)


@request_handler()
def show(
    studio: Studio,
    desk: FileSession,
    time: Seconds = 0.0,
    frames: Annotated[int, Ge(0), Le(MAX_PLAYED_FRAMES), "poses of a turn to play; 0: one pose"] = 0,
    trace: TracePoints | None = None,
    exact: bool = True,
) -> Any:
    """Preview: pose, foot curve and numbers; frames of a turn to play."""
    return desk.sheet.show(time=time, frames=frames, trace=trace, exact=exact)


@request_handler(changes=True)
def edit(studio: Studio, desk: FileSession, command: EditCommand, version: TextVersion | None = None) -> Any:
    return _with_state(desk, desk.sheet.edit(command, version=version))


@request_handler(changes=True)
def drag(
    studio: Studio,
    desk: FileSession,
    command: EditCommand,
    version: TextVersion | None = None,
    time: Seconds = 0.0,
    trace: TracePoints | None = None,
) -> Any:
    """Edit during a drag, with its preview: few samples, without the full state."""
    desk.edited = True
    reply = desk.sheet.edit(command, version=version)
    picture = desk.sheet.show(time=time, samples=DRAG_SAMPLES, trace=trace, measured=desk.measures())
    return {"reply": reply, "picture": picture}


@request_handler()
def pull(
    studio: Studio,
    desk: FileSession,
    point: BoundedName,
    to: Annotated[list[float], MaxLen(3), "place of the hand, m"],
    time: Seconds = 0.0,
) -> Any:
    """Pull a point with locked lengths: the mechanism follows the hand."""
    return desk.sheet.pull(point, to, time=time)


@request_handler(changes=True)
def let_go(studio: Studio, desk: FileSession, keep: bool = True) -> Any:
    return _with_state(desk, desk.sheet.let_go(keep=keep))


@request_handler(changes=True)
def type_text(studio: Studio, desk: FileSession, text: str, version: TextVersion | None = None) -> Any:
    return _with_state(desk, desk.sheet.type(text, version=version))


@request_handler(changes=True)
def undo(studio: Studio, desk: FileSession) -> Any:
    return _with_state(desk, desk.sheet.undo())


@request_handler(changes=True)
def redo(studio: Studio, desk: FileSession) -> Any:
    return _with_state(desk, desk.sheet.redo())


@request_handler(changes=True)
def take_over(studio: Studio, desk: FileSession) -> Any:
    """Resolve a conflict with the version of the file on disk."""
    return _with_state(desk, desk.sheet.take_over())


@request_handler()
def save(studio: Studio, desk: FileSession, force: bool = False) -> Any:
    return desk.sheet.save(force=force)


@request_handler()
def autosave(studio: Studio, desk: FileSession, on: bool) -> Any:
    desk.autosave = on
    return {"autosave": desk.autosave}


@request_handler()
def explain(studio: Studio, desk: FileSession, path: BoundedName, dimension: Dimension = 2) -> Any:
    """Help for a field: `links.length`, `joints.slot.axis`."""
    from gaitwright.studio.element_fields import field_help

    return field_help(path, dimension)


@request_handler()
def forms(studio: Studio, desk: FileSession, dimension: Dimension = 2) -> Any:
    """Fields of all elements, for the properties panel."""
    from gaitwright.studio.element_fields import element_forms

    return element_forms(dimension)


@request_handler()
def commands(studio: Studio, desk: FileSession) -> Any:
    """Available analyses."""
    return studio.runs.commands()


@request_handler()
def start_run(
    studio: Studio,
    desk: FileSession,
    command: BoundedName,
    options: dict[BoundedName, Any],
    others: Annotated[list[BoundedName], MaxLen(100), "files of the folder to compare with"] = [],  # noqa: B006
    seconds: Annotated[float, Le(MAX_RUN_SECONDS), "time limit, s"] | None = None,
) -> Any:
    """Run an analysis of the present model."""
    sheet = desk.sheet.state()
    if sheet["problem"]:
        raise GaitwrightError(f"the model has a problem that must be mended first: {sheet['problem']['message']}")
    run_request = {"command": command, "text": sheet["text"], "name": sheet["name"], "options": options}
    run_request["folder"] = str(studio.workspace.path(desk.path).parent)
    run_request["texts"] = [
        (sheet["name"], sheet["text"]),
        *((other, studio.workspace.text(other)) for other in others),
    ]
    if seconds:
        run_request["seconds"] = seconds
    return studio.runs.start(run_request)


@request_handler()
def runs(studio: Studio, desk: FileSession) -> Any:
    return studio.list_runs()


@request_handler()
def summary(studio: Studio, desk: FileSession, run: BoundedName) -> Any:
    """Summary of a run, and the last lines of its log."""
    stored_run = studio.runs.get(run)
    return {"summary": stored_run["summary"], "log": stored_run["log"]}


@request_handler()
def cancel_run(studio: Studio, desk: FileSession, run: BoundedName) -> Any:
    return studio.runs.cancel(run)["state"]


@request_handler()
def delete_run(studio: Studio, desk: FileSession, run: BoundedName) -> Any:
    studio.runs.delete(run)
    return studio.list_runs()


@request_handler()
def outputs(studio: Studio, desk: FileSession, run: BoundedName) -> Any:
    return results.list_outputs(studio.runs, run)


@request_handler()
def curves(
    studio: Studio,
    desk: FileSession,
    curves: Annotated[list[CurveRequest], MaxLen(results.MAX_CURVES)],
    against: BoundedName | None = None,
) -> Any:
    """Outputs of one or several runs in one plot."""
    return results.sample_curves(studio.runs, [curve.model_dump() for curve in curves], against=against)


@request_handler()
def table(studio: Studio, desk: FileSession, run: BoundedName) -> Any:
    return results.read_table(studio.runs, run)


@request_handler()
def files(studio: Studio, desk: FileSession) -> Any:
    return studio.workspace.files()


UNLOCKED_REQUESTS = {
    "commands", "start_run", "runs", "summary", "cancel_run", "delete_run", "outputs", "curves", "table", "files", "forms",
    "explain",
}  # fmt: skip
"""Verbs that take long or use no editor: they do not wait for its lock."""
