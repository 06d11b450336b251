"""Names that the documentation once had go on working, and tell the new one where they are used."""

import importlib
import sys
import warnings

import pytest

import gaitwright as gw
from gaitwright import moved
from gaitwright.moved import GONE_WITH, MOVED, Renamed


@pytest.mark.parametrize("old", MOVED)
def test_an_old_name_is_the_new_module(old, monkeypatch):
    monkeypatch.delitem(sys.modules, old, raising=False)
    new = importlib.import_module(MOVED[old])
    with pytest.warns(
        DeprecationWarning, match=f"{old} is now {MOVED[old]}; the old name goes with version {GONE_WITH}"
    ):
        assert importlib.import_module(old) is new
    assert new.__spec__.name == new.__name__ == MOVED[old]


def test_the_line_that_imports_is_told(monkeypatch):
    monkeypatch.delitem(sys.modules, "gaitwright.analyse.rotation", raising=False)
    with pytest.warns(DeprecationWarning) as told:
        import gaitwright.analyse.rotation  # noqa: F401
    assert told[0].filename == __file__


def test_an_old_name_of_gaitwright_is_the_new_one(monkeypatch):
    monkeypatch.setitem(moved.RENAMED, "Mechanism_", Renamed("Model", "9.9"))
    with pytest.warns(
        DeprecationWarning, match=r"gaitwright.Mechanism_ is now gaitwright.Model; .* version 9.9"
    ) as told:
        assert gw.Mechanism_ is gw.Model
    assert told[0].filename == __file__ and "Mechanism_" not in vars(gw), "it is told each time"


def test_old_names_have_not_outlived_their_version():
    """A release that says they are gone must not have them."""
    now = tuple(int(part) for part in gw.__version__.split(".")[:2])
    ends = [GONE_WITH, *(one.gone_with for one in moved.RENAMED.values())]
    assert not [end for end in ends if tuple(map(int, end.split("."))) <= now]


def test_names_of_today_are_not_told():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [getattr(gw, name) for name in gw.__all__]


def test_names_that_never_were_are_not_found():
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("gaitwright.gait.imagined")
