"""WebSocket of a window: sequential requests of the page, and news for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from anyio import CancelScope, create_task_group, to_thread
from starlette.websockets import WebSocket, WebSocketDisconnect

from gaitwright._core.errors import GaitwrightError
from gaitwright.studio.document import StaleVersionError
from gaitwright.studio.message_models import message_arguments
from gaitwright.studio.model_editor import FileChangedError
from gaitwright.studio.server.encoding import encode_message
from gaitwright.studio.server.handlers import CHANGING_REQUESTS, HANDLERS, REQUEST_MODELS, UNLOCKED_REQUESTS
from gaitwright.studio.server.requests import EXPECTED_REQUEST, InvalidRequestError, read_request
from gaitwright.studio.server.sessions import BrowserWindow, Studio
from gaitwright.studio.unexpected_errors import report_unexpected

REFUSED_CLOSE_CODE, FAILED_CLOSE_CODE = 4404, 4500
"""Close codes: the file cannot be opened; or the window cannot be served any more, for the given reason."""
ERROR_KINDS: dict[type[Exception], str] = {
    StaleVersionError: "stale",
    FileChangedError: "changed-outside",
    InvalidRequestError: "bad-request",
}
"""Error kinds that a page distinguishes; all other errors are "refused", and "defect" is an internal error."""


async def serve_window(socket: WebSocket) -> None:
    """Serve a page until it disconnects. Requests are answered in order."""
    studio: Studio = socket.app.state.studio
    await socket.accept()
    try:
        window = await studio.open(socket.query_params.get("file", ""))
    except Exception as error:
        message = str(error) if isinstance(error, GaitwrightError) else report_unexpected("opening of the file")
        with suppress(WebSocketDisconnect, RuntimeError):
            await socket.send_text(encode_message({"news": "refused", "message": message}))
            await socket.close(REFUSED_CLOSE_CODE)
        return
    try:
        why = await _run_until_first_ends(
            lambda: _receive_requests(socket, studio, window), lambda: _send_messages(socket, window), window.failed
        )
        if why is not None:
            with suppress(WebSocketDisconnect, RuntimeError):
                await socket.close(FAILED_CLOSE_CODE, why)
    finally:
        with CancelScope(shield=True):
            await studio.close(window)


async def _run_until_first_ends(*works: Callable[[], Awaitable[str | None]]) -> str | None:
    """Run all coroutines until one ends, and return its result."""
    reasons: list[str | None] = []

    async def until_one_ends(work: Callable[[], Awaitable[str | None]]) -> None:
        reasons.append(await work())
        group.cancel_scope.cancel()

    async with create_task_group() as group:
        for work in works:
            group.start_soon(until_one_ends, work)
    return next((why for why in reasons if why is not None), None)


async def _receive_requests(socket: WebSocket, studio: Studio, window: BrowserWindow) -> str | None:
    """Answer requests until the page disconnects. Return the reason if the window must be closed."""
    try:
        while True:
            message = await socket.receive()
            if message["type"] != "websocket.receive":
                return None
            await window.out.put(await answer_request(studio, window, message.get("text")))
    except (WebSocketDisconnect, RuntimeError):  # disconnected
        return None
    except Exception:
        return report_unexpected("hearing a window")


async def _send_messages(socket: WebSocket, window: BrowserWindow) -> str | None:
    """Send queued messages until the page disconnects. Return the reason if the window must be closed."""
    try:
        while True:
            await socket.send_text(encode_message(await window.out.get()))
    except (WebSocketDisconnect, RuntimeError):
        return None
    except Exception:
        report_unexpected("sending to a window")
        return "a message could not be sent to this window; what was drawn is kept"


async def answer_request(studio: Studio, window: BrowserWindow, text: str | None) -> dict[str, Any]:
    """Reply to a request: the result, or one sentence with the error."""
    number, name = None, ""
    try:
        if text is None:
            raise InvalidRequestError("the request is not a text", expected=EXPECTED_REQUEST)
        request: Any = read_request(text, REQUEST_MODELS)
        number, name, desk = request.id, request.do, window.desk
        values = message_arguments(request, skip=("id", "do"))
        if name in UNLOCKED_REQUESTS:
            answer = await to_thread.run_sync(lambda: HANDLERS[name](studio, desk, **values))
        else:
            answer = await desk.work(lambda: HANDLERS[name](studio, desk, **values))
    except GaitwrightError as error:
        number = error.number if isinstance(error, InvalidRequestError) else number
        return {"id": number, "error": str(error), "kind": ERROR_KINDS.get(type(error), "refused")}
    except OSError as error:
        why = (error.strerror or "it does not say why").lower()
        return {"id": number, "error": f"the disk refuses what '{name}' needs: {why}", "kind": "refused"}
    except Exception:
        return {"id": number, "error": report_unexpected(f"'{name}'"), "kind": "defect"}
    if name in CHANGING_REQUESTS:
        desk.tell_others(window, {"news": "changed"})
    return {"id": number, "answer": answer}
