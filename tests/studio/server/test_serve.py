"""Server: port, address, clean shutdown, and error sentences for missing packages."""

from __future__ import annotations

import socket
import sys
import threading
import urllib.error
import urllib.request
import webbrowser

import pytest

from gaitwright._core.errors import GaitwrightError
from gaitwright.studio.server.serve import listen, open_browser, require_server


def test_a_used_port_is_reported():
    with listen("127.0.0.1", 0) as one:
        port = one.getsockname()[1]
        assert port > 0
        with pytest.raises(GaitwrightError, match=f"another program listens at 127.0.0.1, port {port}"):
            listen("127.0.0.1", port)


def test_a_port_is_free_again_when_its_studio_has_ended():
    """Also while the operating system keeps earlier connections."""
    with listen("127.0.0.1", 0) as one:
        port = one.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            served, _ = one.accept()
            served.close()  # the server closes first, so that its side waits
    with listen("127.0.0.1", port) as again:
        assert again.getsockname() == ("127.0.0.1", port)


@pytest.mark.parametrize("port", [70000, -1])
def test_invalid_ports_are_rejected(port):
    with pytest.raises(GaitwrightError, match="port"):
        listen("127.0.0.1", port)


def test_a_foreign_host_is_rejected():
    with pytest.raises(GaitwrightError, match="cannot listen"):
        listen("192.0.2.1", 0)  # reserved for documentation


@pytest.mark.parametrize("package", ["uvicorn", "starlette", "websockets"])
def test_a_missing_package_names_the_extra(monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(GaitwrightError, match=r"gaitwright\[studio\]"):
        require_server()


def test_a_missing_browser_is_tolerated(monkeypatch):
    def none(address):
        raise webbrowser.Error("no browser")

    monkeypatch.setattr(webbrowser, "open", none)
    assert not open_browser("http://127.0.0.1:1/")


def test_server_starts_and_stops(tmp_path):
    pytest.importorskip("uvicorn", reason="needs uvicorn, of the studio extra")
    from gaitwright.studio.server.serve import StudioServer

    served, ready = StudioServer(tmp_path, [], first="new.yaml"), threading.Event()
    addresses = []
    thread = threading.Thread(target=served.run, args=(lambda address: (addresses.append(address), ready.set()),))
    thread.start()
    try:
        assert ready.wait(60) and addresses == [served.guard.address]
        with urllib.request.urlopen(served.guard.address, timeout=30) as page:
            assert page.status == 200 and b"Gaitwright studio" in page.read()
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(served.guard.address.replace("token=", "token=x"), timeout=30)
        assert refused.value.code == 403
        refused.value.close()
        assert (tmp_path / "new.yaml").read_text().startswith("gaitwright: 1")
    finally:
        served.stop()
        thread.join(30)
    assert not thread.is_alive()
    with socket.socket() as again:
        assert again.connect_ex(("127.0.0.1", served.guard.port)) != 0
