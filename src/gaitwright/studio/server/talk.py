"""The socket of a window: questions of the page, one after the other, and news for it."""

from __future__ import annotations

import asyncio
import json
import os
import traceback
from contextlib import suppress
from typing import Any

from anyio import to_thread
from starlette.websockets import WebSocket, WebSocketDisconnect

from gaitwright.checks import offer
from gaitwright.errors import GaitwrightError, one_sentence
from gaitwright.plain import plain
from gaitwright.studio.server.desk import Studio, Window
from gaitwright.studio.server.verbs import CHANGING, FREE, VERBS


async def talk(socket: WebSocket) -> None:
    """Speak with a page until it leaves. What it asks is answered in the order of asking."""
    studio: Studio = socket.app.state.studio
    await socket.accept()
    try:
        window = await studio.open(socket.query_params.get("file", ""))
    except GaitwrightError as error:
        await socket.send_text(said({"news": "refused", "message": str(error)}))
        await socket.close(4404)
        return
    sender = asyncio.create_task(_send(socket, window))
    try:
        while True:
            window.tell(await answer(studio, window, await socket.receive_text()))
    except (WebSocketDisconnect, RuntimeError, KeyError):  # it has left, or sent bytes
        pass
    finally:
        sender.cancel()
        await asyncio.shield(studio.close(window))


async def _send(socket: WebSocket, window: Window) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        while True:
            await socket.send_text(said(await window.out.get()))


def said(message: dict[str, Any]) -> str:
    return json.dumps(message, separators=(",", ":"), allow_nan=False, default=plain)


async def answer(studio: Studio, window: Window, text: str) -> dict[str, Any]:
    """What a message of a page is answered: the result, or one sentence that says why not."""
    try:
        message = json.loads(text)
        number, name = message["id"], message["do"]
    except (ValueError, TypeError, KeyError):
        return {"id": None, "error": "a message must be JSON with 'id' and 'do'"}
    if not isinstance(name, str) or name not in VERBS:
        return {"id": number, "error": f"'{str(name)[:40]}' is not known; expected {offer(name, sorted(VERBS))}"}
    desk, verb = window.desk, VERBS[name]
    try:
        if name in FREE:
            found = await to_thread.run_sync(lambda: verb(studio, desk, message))
        else:
            found = await desk.work(lambda: verb(studio, desk, message))
    except GaitwrightError as error:
        return {"id": number, "error": str(error), "kind": type(error).__name__}
    except Exception as error:  # a field that is missing or of another type; the window must live on in any case
        if os.environ.get("GAITWRIGHT_DEBUG", "") not in ("", "0"):
            traceback.print_exc()
        what = f"'{name}' cannot be done with these values: {type(error).__name__} {one_sentence(str(error))}"
        return {"id": number, "error": what, "kind": "wrong"}
    if name in CHANGING:
        desk.tell_others(window, {"news": "changed"})
    return {"id": number, "answer": found}
