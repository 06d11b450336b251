"""Server start and stop: a free port, the address with its token, the browser, and a clean shutdown."""

from __future__ import annotations

import errno
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import GaitwrightError
from gaitwright.studio.server.auth import AccessGuard

MAX_MESSAGE_BYTES = 31_000_000
"""Maximum size of one message of the page, bytes: a model file of the largest size, each letter as \\u0000. A larger
message closes the socket (code 1009); the limits of requests are smaller, so that nearly all are refused with a
sentence."""
PING_TIMEOUT_S = 300.0
"""Ping timeout, s: a browser on a machine that computes runs may not respond for a minute, and must keep its window."""
SHUTDOWN_SECONDS = 2
"""Time, s, for open connections to end at shutdown."""
MISSING_PACKAGES_MESSAGE = "the studio needs starlette, uvicorn and websockets: pip install 'gaitwright[studio]'"


def require_server() -> Any:
    """Return uvicorn. Raises GaitwrightError with the install command if a package is missing."""
    try:
        import starlette
        import uvicorn
        import websockets
    except ImportError:
        raise GaitwrightError(MISSING_PACKAGES_MESSAGE) from None
    assert starlette and websockets
    return uvicorn


def listen(host: str, port: int) -> socket.socket:
    """Listening socket; on a free port if port is 0."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    if sys.platform != "win32":  # also for a free port, which may be requested explicitly at the next start
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
        reason = (error.strerror or str(error)).lower()
        address, advice = (
            (f"{host}, port {port}", "leave out --port") if port else (host, "give an address of this machine")
        )
        raise GaitwrightError(f"the studio cannot listen at {address}: {reason}; {advice}") from None
    except OverflowError:
        bound.close()
        ErrorContext(field="--port").fail("is not a port", port, "a number from 1 to 65535, or none for a free one")
    return bound


class StudioServer:
    """A running studio server: its guard (address, token) and its stop method."""

    def __init__(
        self,
        folder: Path,
        commands: list[dict[str, Any]],
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        first: str | None = None,
    ):
        uvicorn = require_server()
        from gaitwright.studio.server.app import create_application
        from gaitwright.studio.server.sessions import Studio

        self.socket = listen(host, port)
        self.guard = AccessGuard(self.socket.getsockname()[1], host)
        self.studio = Studio.of(folder, commands, first)
        app = create_application(self.studio, self.guard)
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, lifespan="on", ws="websockets-sansio", ws_max_size=MAX_MESSAGE_BYTES,
            ws_per_message_deflate=False, timeout_graceful_shutdown=SHUTDOWN_SECONDS, server_header=False,
            ws_ping_timeout=PING_TIMEOUT_S,
        )  # fmt: skip
        self.server = uvicorn.Server(config)

    def run(self, ready: Callable[[str], None] = lambda address: None) -> None:
        """Serve until `stop` or a signal. ready: called with the address when pages can be opened."""
        watcher = threading.Thread(target=self._notify_when_started, args=(ready,), daemon=True)
        watcher.start()
        try:
            self.server.run(sockets=[self.socket])
        except KeyboardInterrupt:  # uvicorn has shut down and re-raises the signal
            pass
        finally:
            self.socket.close()

    def _notify_when_started(self, ready: Callable[[str], None]) -> None:
        from time import sleep

        while not self.server.started and not self.server.should_exit:
            sleep(0.02)
        if self.server.started:
            ready(self.guard.address)

    def stop(self) -> None:
        self.server.should_exit = True


def open_browser(address: str) -> bool:
    """Open the address in the default browser. Return True on success."""
    try:
        return webbrowser.open(address)
    except webbrowser.Error:
        return False
