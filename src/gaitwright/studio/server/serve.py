"""Serving the studio: a free port, the address with its token, the browser, and a clean end."""

from __future__ import annotations

import errno
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gaitwright.checks import At
from gaitwright.errors import GaitwrightError
from gaitwright.studio.server.guard import Guard

LARGEST_MESSAGE = 31_000_000
"""Bytes of one message of the page: a model file of the largest size, each letter as \\u0000. The socket of a page that sends
more is closed (code 1009); the limits of requests are below it, so that nearly everything is refused in a sentence."""
PING_TIMEOUT_S = 300.0
"""A browser on a machine that computes runs may not answer for a minute; its window is not lost for that."""
LAST_WORDS = 2
"""Seconds that open connections have when the server ends."""
MISSING = "the studio needs starlette, uvicorn and websockets: pip install 'gaitwright[studio]'"


def need_server() -> Any:
    """uvicorn, or the sentence that says what to install."""
    try:
        import starlette
        import uvicorn
        import websockets
    except ImportError:
        raise GaitwrightError(MISSING) from None
    assert starlette and websockets
    return uvicorn


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens: at a free port if port is 0."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    if sys.platform != "win32":  # also at a free port, which may be asked for when the studio is started again
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen()  # at once: two sockets may be bound to one port as long as none of them listens
    except OSError as error:
        bound.close()
        if error.errno == errno.EADDRINUSE:
            raise GaitwrightError(
                f"another program listens at {host}, port {port}, perhaps a studio that is still open; end it, or leave out "
                "--port for a free one"
            ) from None
        why = (error.strerror or str(error)).lower()
        where, way_out = (
            (f"{host}, port {port}", "leave out --port") if port else (host, "give an address of this machine")
        )
        raise GaitwrightError(f"the studio cannot listen at {where}: {why}; {way_out}") from None
    except OverflowError:
        bound.close()
        At(field="--port").fail("is not a port", port, "a number from 1 to 65535, or none for a free one")
    return bound


class Served:
    """A studio that is being served: its guard (address, token) and the way to end it."""

    def __init__(
        self,
        folder: Path,
        commands: list[dict[str, Any]],
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        first: str | None = None,
    ):
        uvicorn = need_server()
        from gaitwright.studio.server.app import application
        from gaitwright.studio.server.desk import Studio

        self.socket = listen(host, port)
        self.guard = Guard(self.socket.getsockname()[1], host)
        self.studio = Studio.of(folder, commands, first)
        app = application(self.studio, self.guard)
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, lifespan="on", ws="websockets-sansio", ws_max_size=LARGEST_MESSAGE,
            ws_per_message_deflate=False, timeout_graceful_shutdown=LAST_WORDS, server_header=False,
            ws_ping_timeout=PING_TIMEOUT_S,
        )  # fmt: skip
        self.server = uvicorn.Server(config)

    def run(self, ready: Callable[[str], None] = lambda address: None) -> None:
        """Serve until asked to stop, by `stop` or a signal. ready: called with the address when pages can be opened."""
        watcher = threading.Thread(target=self._tell, args=(ready,), daemon=True)
        watcher.start()
        try:
            self.server.run(sockets=[self.socket])
        except KeyboardInterrupt:  # uvicorn has ended in order and passes the signal on
            pass
        finally:
            self.socket.close()

    def _tell(self, ready: Callable[[str], None]) -> None:
        from time import sleep

        while not self.server.started and not self.server.should_exit:
            sleep(0.02)
        if self.server.started:
            ready(self.guard.address)

    def stop(self) -> None:
        self.server.should_exit = True


def open_browser(address: str) -> bool:
    """Open the address in the person's browser, if there is one."""
    try:
        return webbrowser.open(address)
    except webbrowser.Error:
        return False
