"""Mechanism: immutable; its tables are built on first use."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from gaitwright.analysis.start_state import find_start
from gaitwright.mechanism import mechanism as mechanism_module
from gaitwright.mechanisms.four_bar import four_bar


@pytest.fixture
def built(monkeypatch):
    """List with the redundant rows of every table that is built."""
    built, build_tables = [], mechanism_module.build_tables

    def counted(*arguments):
        built.append(arguments[5] if len(arguments) > 5 else ())
        return build_tables(*arguments)

    monkeypatch.setattr(mechanism_module, "build_tables", counted)
    return built


def hinged_twice():
    return four_bar().joint.revolute("ground.O", "crank.O", name="again")


def test_tables_are_built_on_first_use_and_once(built):
    mechanism = hinged_twice().mechanism()
    assert mechanism.parts and mechanism.constraints and not built
    assert mechanism.system is mechanism.system
    assert built == [()]
    assert mechanism.joint_system is mechanism.joint_system
    assert len(built) == 2


def test_a_mechanism_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        four_bar().mechanism().redundant = (1,)


def test_redundant_rows_make_a_new_mechanism():
    whole = hinged_twice().mechanism()
    start = find_start(whole)
    reduced = start.mechanism
    assert len(start.redundant) == len(reduced.redundant) == 2 and whole.redundant == ()
    assert whole.degrees_of_freedom == reduced.degrees_of_freedom - 2
    assert reduced.system.m_all == whole.system.m_all
    assert np.array_equal(np.sort(reduced.row_position), np.arange(whole.system.m_all))
    assert set(reduced.row_position[list(reduced.redundant)]) == {reduced.system.m, reduced.system.m + 1}
    assert reduced.without_rows(reduced.redundant) is reduced
    assert find_start(reduced).mechanism.redundant == reduced.redundant
