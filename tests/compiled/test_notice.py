"""A compilation is announced with its size, and again when another one follows."""

from types import SimpleNamespace

import pytest

from gaitwright.compiled import compiled, notice
from gaitwright.compiled.notice import KEPT, LEAST, PER_BYTE, Notice, seconds_for


@pytest.fixture
def said(monkeypatch):
    """A notice with a clock that is set by hand; what it says is kept with the time."""
    now = [100.0]
    monkeypatch.setattr(notice, "time", SimpleNamespace(monotonic=lambda: now[0]))
    heard, it = [], Notice()
    it.say = lambda seconds: heard.append((now[0], round(seconds, 3)))
    return it, now, heard


def test_a_short_one_is_silent_and_several_are_not(said):
    it, now, heard = said
    for _ in range(3):
        it.expect(0.375)
        now[0] += 0.375
    assert heard == [(100.75, LEAST)]


def test_each_long_one_is_said_unless_it_is_done_within_what_was_said(said):
    it, now, heard = said
    it.expect(5.0)
    now[0] += 1.0
    it.expect(4.0)  # meanwhile, in another process
    now[0] += 30.0
    it.expect(3.5)
    assert heard == [(100.0, 5.0), (131.0, 3.5)]


def test_what_takes_longer_than_was_said_is_said(said):
    it, _, heard = said
    it.expect(4.0)
    it.expect(9.0)
    assert [seconds for _, seconds in heard] == [4.0, 9.0]


def test_a_slow_machine_is_noticed(said, monkeypatch):
    it, now, heard = said
    monkeypatch.setattr(notice, "seconds_for", lambda function: 4.0)
    with it.about(None):
        now[0] += 8.0
    with it.about(None):
        now[0] += 8.0
    assert heard == [(100.0, 4.0), (108.0, 8.0)]


def test_line(capsys):
    Notice().say(3.0)
    Notice().say(7.6)
    out, err = capsys.readouterr()
    assert (out, err) == ("", "compiling, first run only (about 3 s)\ncompiling, first run only (about 8 s)\n")


@compiled
def inner(x):
    return x * x + 1.0


def outer(x):
    return inner(x) + inner(x + 1.0)


def test_size_is_that_of_all_instructions_and_less_for_what_is_there(tmp_path, monkeypatch):
    monkeypatch.setenv("GAITWRIGHT_CACHE", str(tmp_path))
    own, below = len(outer.__code__.co_code), len(inner.py_func.__code__.co_code)
    assert seconds_for(outer) == pytest.approx(PER_BYTE * (own + below))
    assert seconds_for(outer, outer) == seconds_for(outer), "once"
    assert compiled(outer)(1.0) == 7.0
    assert seconds_for(outer) == pytest.approx(PER_BYTE * (own + KEPT * below))
