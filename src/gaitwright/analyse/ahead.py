"""What analyses compile last, made by another process from the moment on at which it is known what will be needed."""

from __future__ import annotations

from numba import typeof, types

from gaitwright.compiled.ahead import Piece, compile_ahead
from gaitwright.integrate import through_contact
from gaitwright.integrate.base import Method, Options, Run
from gaitwright.result.energy import balance_piece
from gaitwright.system.evaluate import Work
from gaitwright.system.kkt import Kkt
from gaitwright.system.stages import Stages
from gaitwright.system.tables import System


def prepare_forward(method: Method, contacts: bool, crowds: bool) -> None:
    """contacts: whether the model has any; crowds: whether they are many (contact/crowd.py)."""
    compile_ahead((method.name, contacts, crowds), lambda: forward_pieces(method, contacts, crowds))


def forward_pieces(method: Method, contacts: bool, crowds: bool = False) -> list[Piece]:
    """The loop of the method, then what looks at contacts and at energies."""
    real, whole = types.float64, types.int64
    times = (real, real, real, whole) if method.adaptive else (real, real, real, whole, whole)
    one = Kkt.packed_type
    kkts = types.UniTuple(one, 2) if method.tangent else one
    staged = Stages.packed_type if method.coupled_stages else whole
    if method.adaptive and method.coupled_stages:
        staged = types.UniTuple(Stages.packed_type, 2)
    options = typeof(Options(0.0, 0.0, False, 0.0, 0.0, 0.0, False, False))
    pieces = []
    if method.workspace is None:
        common = (System.packed_type, Work.packed_type, kkts, staged, Run.packed_type, options)
        pieces.append(Piece(method.advance, (*common, *times)))
        if contacts:
            pieces += through_contact.pieces(crowds=crowds)[::-1]
    return [*pieces, balance_piece()]


def prepare_kinematics(contacts: bool) -> None:
    """contacts: whether the model has any."""
    compile_ahead(("kinematics", contacts), lambda: kinematic_pieces(contacts))


def kinematic_pieces(contacts: bool) -> list[Piece]:
    """What touches along the motion takes longest; the motion is then left to the first process."""
    from gaitwright.analyse.contacts_along import touch_along
    from gaitwright.analyse.kinematics import _follow

    line, rows, whole = types.Array(types.float64, 1, "C"), types.Array(types.float64, 2, "C"), types.int64
    common = System.packed_type, Work.packed_type, Kkt.packed_type
    if contacts:
        longest = Piece(touch_along, (*common, Run.packed_type, line, *7 * (rows,), whole, whole, whole))
    else:
        longest = Piece(_follow, (*common, line, line, line, *5 * (rows,), line, whole, whole, line))
    return [longest, balance_piece()]
