"""The socket of a window: requests of the page, one after the other, and news for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from anyio import CancelScope, create_task_group, to_thread
from starlette.websockets import WebSocket, WebSocketDisconnect

from gaitwright.errors import GaitwrightError
from gaitwright.studio.document import Stale
from gaitwright.studio.server.desk import Studio, Window
from gaitwright.studio.server.encoding import encoded
from gaitwright.studio.server.requests import EXPECTED, BadRequest, read_request
from gaitwright.studio.server.verbs import CHANGING, FREE, REQUESTS, VERBS
from gaitwright.studio.sheet import ChangedOutside
from gaitwright.studio.signatures import arguments_of
from gaitwright.studio.unexpected import report_unexpected

REFUSED_CODE, FAILED_CODE = 4404, 4500
"""Why the server closes a window: its file cannot be opened; or the window cannot be served any more, for the reason given."""
KINDS: dict[type[Exception], str] = {Stale: "stale", ChangedOutside: "changed-outside", BadRequest: "bad-request"}
"""What a page may tell apart; all other errors are "refused", and "defect" is an error of ours."""


async def talk(socket: WebSocket) -> None:
    """Speak with a page until it leaves. What it asks is answered in the order of asking."""
    studio: Studio = socket.app.state.studio
    await socket.accept()
    try:
        window = await studio.open(socket.query_params.get("file", ""))
    except Exception as error:
        said = str(error) if isinstance(error, GaitwrightError) else report_unexpected("opening of the file")
        with suppress(WebSocketDisconnect, RuntimeError):
            await socket.send_text(encoded({"news": "refused", "message": said}))
            await socket.close(REFUSED_CODE)
        return
    try:
        why = await _first(lambda: _hear(socket, studio, window), lambda: _send(socket, window), window.failed)
        if why is not None:
            with suppress(WebSocketDisconnect, RuntimeError):
                await socket.close(FAILED_CODE, why)
    finally:
        with CancelScope(shield=True):
            await studio.close(window)


async def _first(*works: Callable[[], Awaitable[str | None]]) -> str | None:
    """Work at all of them until one ends, and return what it gave."""
    found: list[str | None] = []

    async def until_one_ends(work: Callable[[], Awaitable[str | None]]) -> None:
        found.append(await work())
        group.cancel_scope.cancel()

    async with create_task_group() as group:
        for work in works:
            group.start_soon(until_one_ends, work)
    return next((why for why in found if why is not None), None)


async def _hear(socket: WebSocket, studio: Studio, window: Window) -> str | None:
    """Answer requests until the page leaves; the reason, if the window has to be closed."""
    try:
        while True:
            message = await socket.receive()
            if message["type"] != "websocket.receive":
                return None
            await window.out.put(await answer(studio, window, message.get("text")))
    except (WebSocketDisconnect, RuntimeError):  # it has left
        return None
    except Exception:
        return report_unexpected("hearing a window")


async def _send(socket: WebSocket, window: Window) -> str | None:
    """Send what waits for the page until it leaves; the reason, if the window has to be closed."""
    try:
        while True:
            await socket.send_text(encoded(await window.out.get()))
    except (WebSocketDisconnect, RuntimeError):
        return None
    except Exception:
        report_unexpected("sending to a window")
        return "a message could not be sent to this window; what was drawn is kept"


async def answer(studio: Studio, window: Window, text: str | None) -> dict[str, Any]:
    """What a request of a page is answered: the result, or one sentence that says why not."""
    number, name = None, ""
    try:
        if text is None:
            raise BadRequest("the request is not a text", expected=EXPECTED)
        asked: Any = read_request(text, REQUESTS)
        number, name, desk = asked.id, asked.do, window.desk
        values = arguments_of(asked, skip=("id", "do"))
        if name in FREE:
            found = await to_thread.run_sync(lambda: VERBS[name](studio, desk, **values))
        else:
            found = await desk.work(lambda: VERBS[name](studio, desk, **values))
    except GaitwrightError as error:
        number = error.number if isinstance(error, BadRequest) else number
        return {"id": number, "error": str(error), "kind": KINDS.get(type(error), "refused")}
    except OSError as error:
        why = (error.strerror or "it does not say why").lower()
        return {"id": number, "error": f"the disk refuses what '{name}' needs: {why}", "kind": "refused"}
    except Exception:
        return {"id": number, "error": report_unexpected(f"'{name}'"), "kind": "defect"}
    if name in CHANGING:
        desk.tell_others(window, {"news": "changed"})
    return {"id": number, "answer": found}
