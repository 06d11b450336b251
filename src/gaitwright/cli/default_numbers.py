"""Numbers that design commands show by default."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gaitwright.model.model import Model


def choose_default_numbers(model: Model) -> list[str]:
    """Numbers shown by default: outputs named by the model, or numbers of a leg or a walk; none for modes, which show all
    their numbers."""
    from gaitwright.legs.machine_walks import is_machine
    from gaitwright.legs.walk_numbers import WALK_NUMBERS

    if model.document.gait is not None:
        return default_leg_numbers()
    if is_modal(model):
        return []
    if is_machine(model):
        return WALK_NUMBERS.default_columns
    return list(model.document.outputs)


def default_leg_numbers() -> list[str]:
    """Numbers of a leg that are shown by default."""
    from gaitwright.legs.turn_numbers import LEG_MEASURES

    return LEG_MEASURES.default_columns


def is_modal(model: Model) -> bool:
    """True if the section `analysis` of a model is an analysis of its modes."""
    section = model.document.analysis
    return section is not None and section.type == "modes"
