"""Ahead-of-time compilation: another process compiles the functions that an analysis needs last, once their list is known."""

from __future__ import annotations

from gaitwright.integrate import contact_callbacks
from gaitwright.integrate.base import IntegrationMethod, IntegrationOptions, IntegrationState
from gaitwright.jit.numba_names import typeof, types
from gaitwright.jit.precompilation import PrecompileTask, compile_ahead
from gaitwright.mechanism.coupled_stages import CoupledStages
from gaitwright.mechanism.evaluation import EvaluationWorkspace
from gaitwright.mechanism.kkt import KktSystem
from gaitwright.mechanism.tables import MechanismTables
from gaitwright.result.energy_balance import balance_precompilation


def precompile_forward(method: IntegrationMethod, contacts: bool, crowds: bool) -> None:
    """Compile the functions of forward dynamics ahead. contacts: True if the model has contacts; crowds: True if it has many
    (contact/simultaneous_events.py)."""
    compile_ahead((method.name, contacts, crowds), lambda: forward_pieces(method, contacts, crowds))


def forward_pieces(method: IntegrationMethod, contacts: bool, crowds: bool = False) -> list[PrecompileTask]:
    """Tasks for the loop of the method, then for contacts and energies."""
    real, integer = types.float64, types.int64
    times = (real, real, real, integer) if method.adaptive else (real, real, real, integer, integer)
    kkt_type = KktSystem.packed_type
    kkts = types.UniTuple(kkt_type, 2) if method.tangent else kkt_type
    staged = CoupledStages.packed_type if method.coupled_stages else integer
    if method.adaptive and method.coupled_stages:
        staged = types.UniTuple(CoupledStages.packed_type, 2)
    options = typeof(IntegrationOptions(0.0, 0.0, False, 0.0, 0.0, 0.0, False, False))
    pieces = []
    if method.workspace is None:
        common = (
            MechanismTables.packed_type,
            EvaluationWorkspace.packed_type,
            kkts,
            staged,
            IntegrationState.packed_type,
            options,
        )
        pieces.append(PrecompileTask(method.advance, (*common, *times)))
        if contacts:
            pieces += contact_callbacks.callback_pieces(crowds=crowds)[::-1]
    return [*pieces, balance_precompilation()]


def precompile_kinematics(contacts: bool) -> None:
    """Compile the functions of kinematics ahead. contacts: True if the model has contacts."""
    compile_ahead(("kinematics", contacts), lambda: kinematic_pieces(contacts))


def kinematic_pieces(contacts: bool) -> list[PrecompileTask]:
    """Tasks for kinematics. With contacts, their function takes longest; the motion is then compiled by the first process."""
    from gaitwright.analysis.kinematics import _follow_samples
    from gaitwright.analysis.prescribed_contacts import advance_prescribed_contacts

    line, rows, integer = types.Array(types.float64, 1, "C"), types.Array(types.float64, 2, "C"), types.int64
    common = MechanismTables.packed_type, EvaluationWorkspace.packed_type, KktSystem.packed_type
    if contacts:
        longest = PrecompileTask(
            advance_prescribed_contacts,
            (*common, IntegrationState.packed_type, line, *7 * (rows,), integer, integer, integer),
        )
    else:
        longest = PrecompileTask(
            _follow_samples, (*common, line, line, line, *5 * (rows,), line, integer, integer, line)
        )
    return [longest, balance_precompilation()]
