"""Access control: token, host and origin, for pages and the socket."""

from __future__ import annotations

import pytest

pytest.importorskip("starlette", reason="needs starlette, of the studio extra")

from gaitwright.studio.server.auth import AccessGuard, RequestRefusedError

PORT = 4321
OURS = f"127.0.0.1:{PORT}"


def scope(kind="http", path="/api/start", query="", **headers):
    named = [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items()]
    return {"type": kind, "path": path, "query_string": query.encode(), "headers": named}


@pytest.fixture
def guard():
    return AccessGuard(PORT)


def cookie(guard):
    return f"other=1; {guard.cookie}={guard.token}"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": f"http://{OURS}"},
        {"sec_fetch_site": "same-origin"},
        {"host": f"localhost:{PORT}", "origin": f"http://localhost:{PORT}"},
        {"host": f"[::1]:{PORT}"},
    ],
)
def test_requests_of_the_user_are_accepted(guard, headers):
    guard.check(scope(**{"host": OURS, "cookie": cookie(guard), **headers}))
    guard.check(scope(query=f"token={guard.token}", **{"host": OURS, **headers}))


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": f"evil.example:{PORT}"}, 421),  # a host name that resolves to this machine
        ({"host": f"127.0.0.1:{PORT + 1}"}, 421),
        ({"host": "127.0.0.1"}, 421),
        ({"host": f"127.0.0.1.evil.example:{PORT}"}, 421),
        ({"host": ""}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": f"http://localhost:{PORT}"}, 403),  # another name of this machine is another origin
        ({"origin": f"http://127.0.0.1:{PORT + 1}"}, 403),
        ({"origin": "null"}, 403),  # a sandboxed report
        ({"sec_fetch_site": "cross-site"}, 403),
        ({"sec_fetch_site": "same-site"}, 403),
        ({"cookie": ""}, 403),
        ({"cookie": "gaitwright-studio-4321=wrong"}, 403),
        ({"cookie": "gaitwright-studio-4321="}, 403),
        ({"cookie": 'a"b\\c;;;=;'}, 403),
    ],
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_foreign_requests_are_refused(guard, headers, status, kind):
    given = {"host": OURS, "cookie": cookie(guard), "origin": f"http://{OURS}", **headers}
    with pytest.raises(RequestRefusedError) as refused:
        guard.check(scope(kind, **given))
    assert refused.value.status == status
    assert guard.token not in refused.value.why


def test_a_token_in_the_address_has_priority_over_the_cookie(guard):
    with pytest.raises(RequestRefusedError):
        guard.check(scope(host=OURS, cookie=cookie(guard), query="token=wrong"))


def test_a_socket_without_an_origin_is_refused(guard):
    with pytest.raises(RequestRefusedError, match="origin"):
        guard.check(scope("websocket", host=OURS, cookie=cookie(guard)))


def test_tokens_differ_and_are_long():
    tokens = {AccessGuard(PORT).token for _ in range(20)}
    assert len(tokens) == 20 and min(map(len, tokens)) >= 32


def test_listening_on_all_addresses_accepts_addresses_but_no_names():
    guard = AccessGuard(PORT, "0.0.0.0")
    guard.check(scope(host=f"192.168.1.7:{PORT}", cookie=cookie(guard)))
    with pytest.raises(RequestRefusedError):
        guard.check(scope(host=f"evil.example:{PORT}", cookie=cookie(guard)))
    assert guard.address.startswith(f"http://127.0.0.1:{PORT}/?token=")


def test_an_ipv6_address_has_brackets():
    assert AccessGuard(PORT, "::1").address.startswith(f"http://[::1]:{PORT}/")
