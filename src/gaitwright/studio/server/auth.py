"""Access control: only the person who received the address may use the studio.

A page of another site can send requests to this machine and, with a host name that resolves to it (DNS rebinding), even read
the replies. Three checks prevent this, each before anything else is processed: the host of the request must be ours; the
origin, if the browser sends one, must be ours; and the token of the address must be present: in the query, or in the cookie
that the first page set."""

from __future__ import annotations

import hmac
import secrets
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

TOKEN_BYTES = 24
LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "[::1]")
PAGE_CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "frame-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content policy of our own pages: no external resources, and no content of a model file is executed."""
REPORT_CONTENT_POLICY = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:; frame-ancestors 'self'"
)
"""Content policy of reports, which contain their own script: a sandbox without any network access, not even to the
studio."""
SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class RequestRefusedError(Exception):
    """A rejected request: HTTP status and the sentence sent as a reply."""

    def __init__(self, status: int, why: str):
        super().__init__(why)
        self.status, self.why = status, why


class AccessGuard:
    """Token, hosts and cookie of one server. host: listening address, as given; port: of the address."""

    def __init__(self, port: int, host: str = "127.0.0.1", token: str | None = None):
        self.token = token or secrets.token_urlsafe(TOKEN_BYTES)
        self.port, self.host = port, host
        self.cookie = f"gaitwright-studio-{port}"  # cookies are not port-specific; the names of two studios must differ

    @property
    def address(self) -> str:
        """Address that the person opens."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::", "") else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/?token={self.token}"

    def check(self, scope: dict[str, Any]) -> None:
        """Raise RequestRefusedError unless the request comes from the person's own page."""
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "")
        if not self._ours(host):
            raise RequestRefusedError(
                421, "this address is not the studio's; open the address that gaitwright studio printed"
            )
        origin = headers.get(b"origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            # A sandboxed report has the origin "null"; it is refused as well.
            raise RequestRefusedError(403, "requests from other pages are refused")
        if scope["type"] == "websocket" and origin is None:
            raise RequestRefusedError(403, "a socket without an origin is refused")
        if headers.get(b"sec-fetch-site", "none") not in ("none", "same-origin") and scope["path"] != "/":
            raise RequestRefusedError(403, "requests from other pages are refused")
        if not self._knows(self.given(scope, headers)):
            raise RequestRefusedError(
                403, "the token is missing or wrong; open the address that gaitwright studio printed"
            )

    def given(self, scope: dict[str, Any], headers: dict[bytes, str]) -> str:
        """Token of a request: in the query of the first request, later in the cookie."""
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        if "token" in query:
            return query["token"][0]
        try:
            jar = SimpleCookie(headers.get(b"cookie", ""))
        except CookieError:
            return ""
        return jar[self.cookie].value if self.cookie in jar else ""

    def _knows(self, token: str) -> bool:
        return hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode())

    def _ours(self, host: str) -> bool:
        """True if a Host header names this server. If it listens on all addresses, any literal address is accepted:
        rebinding needs a name."""
        name, _, port = host.rpartition(":")
        if not name:
            name, port = host, "80"
        if port != str(self.port):
            return False
        if name in LOOPBACK_HOSTS or name.strip("[]") == self.host:
            return True
        return self.host in ("0.0.0.0", "::", "") and _is_ip_literal(name.strip("[]"))


def _is_ip_literal(name: str) -> bool:
    import ipaddress

    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class GuardedApplication:
    """Application with access control: refuses requests, sets the cookie on the first page, and adds headers to all
    replies."""

    def __init__(self, app: Any, guard: AccessGuard):
        self.app, self.guard = app, guard

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        try:
            self.guard.check(scope)
        except RequestRefusedError as refused:
            await _refuse(scope, receive, send, refused)
            return
        await self.app(scope, receive, self._signed(scope, send))

    def _signed(self, scope: Any, send: Any) -> Any:
        first = scope["type"] == "http" and b"token=" in scope.get("query_string", b"")

        async def signed(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = message.setdefault("headers", [])
                present_names = {name.lower() for name, _ in headers}
                added_headers = {**SECURITY_HEADERS, "Content-Security-Policy": PAGE_CONTENT_POLICY}
                if first:
                    added_headers["Set-Cookie"] = (
                        f"{self.guard.cookie}={self.guard.token}; HttpOnly; SameSite=Strict; Path=/"
                    )
                headers += [
                    (name.lower().encode(), value.encode())
                    for name, value in added_headers.items()
                    if name.lower().encode() not in present_names
                ]
            await send(message)

        return signed


async def _refuse(scope: Any, receive: Any, send: Any, refused: RequestRefusedError) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4403, "reason": refused.why})
        return
    body = f"{refused.why}\n".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
