"""All outputs of a mechanism by name, and error messages for unknown names. Meaning of the names: result/outputs.py."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, format_choices
from gaitwright._core.errors import ModelError
from gaitwright.contact.state import POWERS_PER_CONTACT
from gaitwright.derive.kernel_library import kernel_module
from gaitwright.mechanism.blocks import ElementBlock, MechanismElement
from gaitwright.mechanism.evaluation import evaluate_energies, new_workspace, power_count, update_signals
from gaitwright.mechanism.history_parts import iterate_states
from gaitwright.mechanism.mechanism import ContactNames, ForceNames, Mechanism
from gaitwright.mechanism.single_element import SingleElement
from gaitwright.mechanism.table_builder import build_tables
from gaitwright.mechanism.tables import DISSIPATED_POWER, LOAD_POWER, Array
from gaitwright.result.applied_forces import applied_force_components, find_applied_forces
from gaitwright.result.beams.loads import BeamLoads
from gaitwright.result.contact_episodes import contact_outputs, sample_contacts
from gaitwright.result.outputs import (
    BEAM_OUTPUT_CLASSES,
    BeamOutputs,
    LazyPartOutputs,
    NodeContactOutputs,
    PartOutputs,
    PointOutputs,
    ResultOutput,
    StateHistory,
    sum_work_columns,
)
from gaitwright.result.spatial_joint_reactions import spatial_reactions
from gaitwright.result.user_outputs import UserOutputs

OutputSection = Callable[[], Mapping[str, ResultOutput]]


class OutputMapping(MutableMapping[str, ResultOutput]):
    """Outputs by name: those of sections, each created when one of its names is requested; those that were added; and those
    of beams and their contacts, created one by one. A later section has priority over an earlier one."""

    sections: list[OutputSection]
    made: list[Any]
    late: list[Any]

    def __init__(self, sections: Sequence[OutputSection], lazy_sections: list[Any], *late: Any):
        self.sections = [functools.cache(section) for section in sections]
        self.added: dict[str, ResultOutput] = {}
        self.lazy_sections, self.late = lazy_sections, [*lazy_sections, *late]

    @property
    def ready(self) -> dict[str, ResultOutput]:
        """All outputs except those that are created one by one, such as those of beam nodes."""
        return {name: output for section in self.sections for name, output in section().items()} | self.added

    def __getitem__(self, name: str) -> ResultOutput:
        if name in self.added:
            return self.added[name]
        for section in reversed(self.sections):
            if name in section():
                return section()[name]
        for maker in self.late:
            output = maker.find(name)
            if output is not None:
                return output
        raise KeyError(name)

    def __setitem__(self, name: str, output: ResultOutput) -> None:
        self.added[name] = output

    def __delitem__(self, name: str) -> None:
        del self.added[name]

    def __iter__(self) -> Iterator[str]:
        yield from self.ready
        for maker in self.late:
            yield from maker

    def __len__(self) -> int:
        return len(self.ready) + sum(len(maker) for maker in self.late)


class OutputCatalogue:
    """All outputs of a mechanism by name, computed on request."""

    history: ContactHistoryCache
    outputs: OutputMapping
    quantities: UserOutputs

    def __init__(self, mechanism: Mechanism):
        self.mechanism = mechanism
        self.history = ContactHistoryCache(mechanism)
        nodes = NodeContactOutputs([names for names in mechanism.contact_names if names.whole], self._contact)
        plain = [part for part in mechanism.parts.values() if type(part) not in BEAM_OUTPUT_CLASSES]
        sections: list[OutputSection] = [
            lambda: PartOutputs(plain),
            lambda: PointOutputs(mechanism, plain),
            lambda: dict(self._constraints()),
            lambda: dict(self._forces()),
            lambda: dict(self._contacts()),
            lambda: self.quantities.section(),
        ]
        self.outputs = OutputMapping(sections, list(self._lazy_sections()), nodes, LazyPartOutputs(plain))
        self.quantities = UserOutputs(mechanism.quantities, self.outputs)

    def __getitem__(self, name: str) -> ResultOutput:
        if not isinstance(name, str):
            ErrorContext().fail("an output is asked for by its name", name, f"such as '{next(iter(self.outputs))}'")
        try:
            return self.outputs[name]
        except KeyError:
            raise self.complaint(name) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.outputs)

    def __contains__(self, name: str) -> bool:
        return name in self.outputs

    def complaint(self, name: str, further_names: Sequence[str] = ()) -> ModelError:
        """Exception for an unknown name. further_names: also known."""
        for section in self.outputs.lazy_sections:
            try:
                section.complain(name)
            except ModelError as error:
                return error
        return unknown_output_error(name, [*self.outputs, *further_names])

    def beam(self, name: str) -> BeamLoads:
        """Loads of a beam, for quantities along its length."""
        for section in self.outputs.lazy_sections:
            if isinstance(section, BeamOutputs) and section.beam.name == name:
                return section.loads
        return ErrorContext().fail(
            f"there is no beam '{name}'", expected=format_choices(name, self.mechanism.beams, "(the model has none)")
        )

    def _lazy_sections(self) -> Iterator[Any]:
        """Output objects of the parts with their own output classes, such as beams."""
        parts = self.mechanism.parts
        used_names = {
            *self.mechanism.ground_points,
            *(name for name, part in parts.items() if type(part) not in BEAM_OUTPUT_CLASSES),
        }
        used_names |= {
            point for part in parts.values() if type(part) not in BEAM_OUTPUT_CLASSES for point in part.points
        }
        for part in parts.values():
            if type(part) in BEAM_OUTPUT_CLASSES:
                yield BEAM_OUTPUT_CLASSES[type(part)](self.mechanism, part, used_names)
                used_names = used_names | set(part.points)

    def _constraints(self) -> Iterator[tuple[str, ResultOutput]]:
        mechanism = self.mechanism
        drive_column = {int(row): k for k, row in enumerate(mechanism.system.drive_rows)}
        works: dict[str, list[int]] = {}
        if mechanism.dimension == 3:
            yield from spatial_reactions(mechanism)
        for names, element in mechanism.attached():
            observed = names.declaration.observed
            for place, (quantity, (unit, text)) in enumerate(observed.items()):
                values = _kernel_values(mechanism, element, "observe", len(observed), place)
                yield f"{names.name}.{quantity}", ResultOutput(unit, f"{names.kind} {names.name}: {text}", values)
            attached = dict(zip(names.declaration.attachments, names.bodies, strict=True))
            on = f"{names.kind} {names.name}: on {attached.get('b', names.bodies[0])}"
            for row, (quantity, (unit, _)) in zip(names.rows, names.declaration.rows.items(), strict=True):
                column = int(mechanism.row_position[row])
                if unit:
                    yield f"{names.name}.{quantity}", ResultOutput(unit, f"{on}, {quantity}", _reaction_values(column))
                if column in drive_column:
                    works.setdefault(names.name, []).append(drive_column[column])
        for name, columns in works.items():
            yield (
                f"{name}.work",
                ResultOutput("J", f"drive {name}: work done on the mechanism", sum_work_columns(columns)),
            )

    def _forces(self) -> Iterator[tuple[str, ResultOutput]]:
        column = self.mechanism.power_column
        parts: dict[str, list[ForceNames]] = {}  # one force may consist of several elements
        for names in self.mechanism.force_names:
            if not names.declaration.implied:
                parts.setdefault(names.name, []).append(names)
        for names, *others in parts.values():
            for kind, quantity, text in (
                (DISSIPATED_POWER, "dissipated", "energy dissipated"),
                (LOAD_POWER, "work", "work done on the mechanism"),
            ):
                columns = [column[part.place, kind] for part in (names, *others) if (part.place, kind) in column]
                if columns:
                    yield (
                        f"{names.name}.{quantity}",
                        ResultOutput("J", f"{names.type} {names.name}: {text}", sum_work_columns(columns)),
                    )
            module = kernel_module(names.element.declaration, names.element.families)
            for has, place, unit, quantity, text in (
                (module.POTENTIAL, 0, "J", "energy", "potential energy"),
                (module.LOADS, 2, "W", "power", "power into the mechanism"),
            ):
                if has:
                    elements = [part.element for part in (names, *others)]
                    values = _energy_values(self.mechanism, elements, place)
                    yield f"{names.name}.{quantity}", ResultOutput(unit, f"{names.type} {names.name}: {text}", values)
            element, observed = names.element, names.declaration.observed
            if isinstance(element, MechanismElement):
                for place, (quantity, (unit, text)) in enumerate(observed.items()):
                    values = _kernel_values(self.mechanism, element, "observe", len(observed), place)
                    yield f"{names.name}.{quantity}", ResultOutput(unit, f"{names.type} {names.name}: {text}", values)
        for name, element in find_applied_forces(self.mechanism):
            for k, axis in enumerate("xyz"[: self.mechanism.dimension]):
                values = functools.partial(_force_component, self.mechanism, element, k)
                yield f"{name}.f{axis}", ResultOutput("N", f"force {name}: component along {axis}", values)

    def _contacts(self) -> Iterator[tuple[str, ResultOutput]]:
        mechanism = self.mechanism
        wholes: dict[str, list[ContactNames]] = {}
        for names in mechanism.contact_names:
            if names.whole:
                wholes.setdefault(names.whole, []).append(names)
        together = [
            replace(parts[0], name=name, pieces=tuple(k for part in parts for k in part.pieces), whole="")
            for name, parts in wholes.items()
        ]
        for names in [*(names for names in mechanism.contact_names if not names.whole), *together]:
            yield from ((f"{names.name}.{quantity}", output) for quantity, output in self._contact(names).items())
        grounded = [names for names in mechanism.contact_names if names.bodies[0] == "ground"]
        if grounded:
            every = replace(
                grounded[0], name="ground_reaction", skin=None, pieces=tuple(k for n in grounded for k in n.pieces)
            )
            outputs = contact_outputs(every)
            for quantity in (w for w in ("fx", "fy", "fz", "x", "y", "z", "mx", "my", "mz") if w in outputs):
                unit, _, values = outputs[quantity]
                text = {"f": "of the force", "m": "of the free moment"}.get(
                    quantity[:-1], "of its point of application"
                )
                yield (
                    f"ground_reaction.{quantity}",
                    ResultOutput(unit, f"{quantity[-1]} {text} of the ground", self.history.output(values)),
                )

    def _contact(self, names: ContactNames) -> dict[str, ResultOutput]:
        """Outputs of one contact, by quantity."""
        system, place = self.mechanism.system, self.mechanism.contact_place
        first = power_count(system) - POWERS_PER_CONTACT * system.contacts.count
        outputs = {
            quantity: ResultOutput(unit, text, self.history.output(values))
            for quantity, (unit, text, values) in contact_outputs(names).items()
        }
        columns = [first + POWERS_PER_CONTACT * int(place[k]) for k in names.pieces]
        for quantity, offsets, text in (
            ("dissipated", (0, 1), "energy dissipated"), ("friction_loss", (1,), "energy dissipated by friction"),
            ("work", (2,), "work done by the moving surface"),
        ):  # fmt: skip
            selected = [c + offset for c in columns for offset in offsets]
            outputs[quantity] = ResultOutput("J", f"contact {names.name}: {text}", sum_work_columns(selected))
        return outputs


class ContactHistoryCache:
    """Contact data along a motion, computed once for all outputs of the same motion."""

    def __init__(self, mechanism: Mechanism):
        self.mechanism = mechanism
        self.motion: StateHistory | None = None
        self.data: Any = None

    def output(self, values: Any) -> Callable[[StateHistory], Array]:
        return lambda motion: values(self.along(motion))

    def along(self, motion: StateHistory) -> Array:
        if motion is not self.motion:
            self.motion, self.data = motion, sample_contacts(self.mechanism, motion)
        return self.data


def _reaction_values(column: int) -> Callable[[StateHistory], Array]:
    return lambda motion: -motion.lam[:, column]


def _kernel_values(
    mechanism: Mechanism, element: MechanismElement, kernel: str, size: int, place: int
) -> Callable[[StateHistory], Array]:
    return lambda motion: evaluate_kernel(mechanism, element, kernel, size, motion)[:, place]


def _energy_values(
    mechanism: Mechanism, parts: Sequence[MechanismElement | ElementBlock], place: int
) -> Callable[[StateHistory], Array]:
    """An energy or power, summed over the parts of a force."""
    return lambda motion: sum(
        (
            evaluate_kernel(mechanism, part, "energy", 3, motion)[:, place]
            if isinstance(part, MechanismElement)
            else block_energies(mechanism, part, motion)[:, place]
            for part in parts
        ),
        np.zeros(motion.t.size),
    )


def block_energies(mechanism: Mechanism, block: ElementBlock, motion: StateHistory) -> Array:
    """Potential energy, dissipated power and power of a whole block at all times, (n_times, 3). They are computed from
    tables with this block alone, since it may have too many elements for Python."""
    none = np.zeros(0, dtype=np.int64)
    s = build_tables(mechanism.n, (none, none, np.zeros(0)), [], [block], mechanism.signals)
    w, energies = new_workspace(s), np.zeros((motion.t.size, 3))
    for k in iterate_states(mechanism, motion.t, motion.q):
        update_signals(s, w, motion.t[k])
        evaluate_energies(s, w, motion.q[k], motion.v[k])
        energies[k] = w.energy.reshape(-1, 3).sum(axis=0)
    return energies


def _force_component(mechanism: Mechanism, element: MechanismElement, k: int, motion: StateHistory) -> Array:
    return applied_force_components(mechanism, element, motion.t)[:, k]


def evaluate_kernel(
    mechanism: Mechanism, element: MechanismElement, kernel: str, size: int, motion: StateHistory
) -> Array:
    """Values of a kernel of one element (`energy` or `observe`) at all times, (n_times, size). It runs as plain Python,
    since its speed is not critical."""
    from gaitwright.mechanism.signals import evaluate_program

    single = SingleElement(element, mechanism.n)
    function = getattr(single.module, kernel)
    x, weight = single.states(motion.q)
    x_v = single.rates(weight, motion.v)
    signals = [np.stack(evaluate_program(mechanism.signals[k], motion.t), axis=1) for k in element.signals]
    values = np.zeros((motion.t.size, size))
    for k in range(motion.t.size):
        u = np.concatenate([s[k] for s in signals]) if signals else np.zeros(0)
        function(1, single.dof, single.par, range(len(signals)), x[k], x_v[k], u, values[k])
    return values


RUN_OUTPUT_NAMES = (
    "energy.kinetic", "energy.potential", "energy.dissipated", "energy.work", "energy.residual",
    "evidence.position_violation", "evidence.velocity_violation", "evidence.step_sizes", "evidence.newton", "evidence.sigma",
    "evidence.unstable",
)  # fmt: skip
"""Outputs that a Result adds from its energy balance and its steps."""


def check_outputs(mechanism: Mechanism, names: list[str]) -> None:
    """Raise ModelError for a name that no result of this mechanism will have, before any analysis."""
    catalogue = OutputCatalogue(mechanism)
    further_names = [*RUN_OUTPUT_NAMES, *(f"{c.name}.power" for c in mechanism.constraint_names if c.kind == "drive")]
    for name in names:
        if name not in catalogue.outputs and name not in further_names:
            raise catalogue.complaint(name, further_names)


def unknown_output_error(name: str, names: list[str]) -> ModelError:
    """Error for an output that does not exist, with similar names."""
    import difflib

    close = difflib.get_close_matches(name, names, n=3)
    hint = (
        f"did you mean {', '.join(close)}?"
        if close
        else f"there are {len(names)} outputs, such as {', '.join(names[:4])}"
    )
    return ModelError(f"there is no output '{name}'; {hint}")
