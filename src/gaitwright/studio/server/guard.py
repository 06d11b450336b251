"""Who may speak to the studio: only the person who was given its address.

A page of another site can send requests to this machine, and with a name that it makes point here (DNS rebinding) even read
the answers. Three checks stop it, each before anything else is looked at: the host that the request names must be ours, the
origin, where a browser tells one, must be ours, and the token of the address must be there: in the query, or in the cookie
that the first page set."""

from __future__ import annotations

import hmac
import secrets
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

TOKEN_BYTES = 24
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "frame-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Of our own pages: nothing from elsewhere, and nothing that stands in a model file runs."""
REPORT_POLICY = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:; frame-ancestors 'self'"
)
"""Of reports, which carry their script with them: they run in a world of their own and reach nothing, also not us."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Refused(Exception):
    """A request that does not get in: status and the sentence it is told."""

    def __init__(self, status: int, why: str):
        super().__init__(why)
        self.status, self.why = status, why


class Guard:
    """Token, hosts and cookie of one server. host: where it listens, as given; port: of the address."""

    def __init__(self, port: int, host: str = "127.0.0.1", token: str | None = None):
        self.token = token or secrets.token_urlsafe(TOKEN_BYTES)
        self.port, self.host = port, host
        self.cookie = f"gaitwright-studio-{port}"  # cookies know no ports; two studios must not take each other's

    @property
    def address(self) -> str:
        """What the person opens."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::", "") else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/?token={self.token}"

    def check(self, scope: dict[str, Any]) -> None:
        """Raise Refused unless the request comes from the person's own page."""
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "")
        if not self._ours(host):
            raise Refused(421, "this address is not the studio's; open the address that gaitwright studio printed")
        origin = headers.get(b"origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            # A sandboxed report has the origin "null"; it may not speak to us either.
            raise Refused(403, "requests from other pages are refused")
        if scope["type"] == "websocket" and origin is None:
            raise Refused(403, "a socket without an origin is refused")
        if headers.get(b"sec-fetch-site", "none") not in ("none", "same-origin") and scope["path"] != "/":
            raise Refused(403, "requests from other pages are refused")
        if not self._knows(self.given(scope, headers)):
            raise Refused(403, "the token is missing or wrong; open the address that gaitwright studio printed")

    def given(self, scope: dict[str, Any], headers: dict[bytes, str]) -> str:
        """The token of a request: in the query where it begins, later in the cookie."""
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
        """Whether a Host header names this server; where it listens for all, any literal address: rebinding needs a name."""
        name, _, port = host.rpartition(":")
        if not name:
            name, port = host, "80"
        if port != str(self.port):
            return False
        if name in LOOPBACK or name.strip("[]") == self.host:
            return True
        return self.host in ("0.0.0.0", "::", "") and _is_literal(name.strip("[]"))


def _is_literal(name: str) -> bool:
    import ipaddress

    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Guarded:
    """The application behind its guard: refuses, sets the cookie at the first page, and adds the headers of all answers."""

    def __init__(self, app: Any, guard: Guard):
        self.app, self.guard = app, guard

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        try:
            self.guard.check(scope)
        except Refused as refused:
            await _refuse(scope, receive, send, refused)
            return
        await self.app(scope, receive, self._signed(scope, send))

    def _signed(self, scope: Any, send: Any) -> Any:
        first = scope["type"] == "http" and b"token=" in scope.get("query_string", b"")

        async def signed(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = message.setdefault("headers", [])
                known = {name.lower() for name, _ in headers}
                more = {**HEADERS, "Content-Security-Policy": POLICY}
                if first:
                    more["Set-Cookie"] = f"{self.guard.cookie}={self.guard.token}; HttpOnly; SameSite=Strict; Path=/"
                headers += [
                    (name.lower().encode(), value.encode())
                    for name, value in more.items()
                    if name.lower().encode() not in known
                ]
            await send(message)

        return signed


async def _refuse(scope: Any, receive: Any, send: Any, refused: Refused) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4403, "reason": refused.why})
        return
    body = f"{refused.why}\n".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
