"""All outputs of a mechanism by name, and what to say about a name that is none. What the names are: result/outputs.py."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gaitwright.checks import At, offer
from gaitwright.derive.library import kernel_module
from gaitwright.errors import ModelError
from gaitwright.result.beam_loads import Loads
from gaitwright.result.given_forces import components, given_forces
from gaitwright.result.outputs import (
    MAKERS,
    BeamOutputs,
    MoreOutputs,
    Motion,
    NodeContacts,
    Output,
    PartOutputs,
    PointOutputs,
    sum_of_works,
)
from gaitwright.result.quantities import Quantities
from gaitwright.result.spatial_reactions import spatial_reactions
from gaitwright.result.touches import along, contact_outputs
from gaitwright.system.alone import Alone
from gaitwright.system.blocks import Block, Element
from gaitwright.system.build import build
from gaitwright.system.evaluate import energies, power_count, signals_at, workspace
from gaitwright.system.mechanism import ContactNames, ForceNames, Mechanism
from gaitwright.system.remembering import walk
from gaitwright.system.tables import DISSIPATED, LOADED, Array
from gaitwright.system.touch import POWERS

Section = Callable[[], Mapping[str, Output]]


class Outputs(MutableMapping[str, Output]):
    """Outputs by name: those of sections, each made when one of its kind is asked for, those that were added, and those that
    beams and their contacts make one by one. A later section goes before an earlier one."""

    sections: list[Section]
    made: list[Any]
    late: list[Any]

    def __init__(self, sections: Sequence[Section], made: list[Any], *late: Any):
        self.sections = [functools.cache(section) for section in sections]
        self.added: dict[str, Output] = {}
        self.made, self.late = made, [*made, *late]

    @property
    def ready(self) -> dict[str, Output]:
        """All but those of the nodes of beams."""
        return {name: output for section in self.sections for name, output in section().items()} | self.added

    def __getitem__(self, name: str) -> Output:
        if name in self.added:
            return self.added[name]
        for section in reversed(self.sections):
            if name in section():
                return section()[name]
        for maker in self.late:
            found = maker.find(name)
            if found is not None:
                return found
        raise KeyError(name)

    def __setitem__(self, name: str, output: Output) -> None:
        self.added[name] = output

    def __delitem__(self, name: str) -> None:
        del self.added[name]

    def __iter__(self) -> Iterator[str]:
        yield from self.ready
        for maker in self.late:
            yield from maker

    def __len__(self) -> int:
        return len(self.ready) + sum(len(maker) for maker in self.late)


class Catalogue:
    """All outputs of a mechanism by name, computed when asked for."""

    history: History
    outputs: Outputs
    quantities: Quantities

    def __init__(self, mechanism: Mechanism):
        self.mechanism = mechanism
        self.history = History(mechanism)
        nodes = NodeContacts([names for names in mechanism.contact_names if names.whole], self._contact)
        plain = [part for part in mechanism.parts.values() if type(part) not in MAKERS]
        sections: list[Section] = [
            lambda: PartOutputs(plain),
            lambda: PointOutputs(mechanism, plain),
            lambda: dict(self._constraints()),
            lambda: dict(self._forces()),
            lambda: dict(self._contacts()),
            lambda: self.quantities.section(),
        ]
        self.outputs = Outputs(sections, list(self._made()), nodes, MoreOutputs(plain))
        self.quantities = Quantities(mechanism.quantities, self.outputs)

    def __getitem__(self, name: str) -> Output:
        if not isinstance(name, str):
            At().fail("an output is asked for by its name", name, f"such as '{next(iter(self.outputs))}'")
        try:
            return self.outputs[name]
        except KeyError:
            raise self.complaint(name) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.outputs)

    def __contains__(self, name: str) -> bool:
        return name in self.outputs

    def complaint(self, name: str, more: Sequence[str] = ()) -> ModelError:
        """What to say about a name that is none. more: names that are known elsewhere."""
        for made in self.outputs.made:
            try:
                made.complain(name)
            except ModelError as error:
                return error
        return unknown_output(name, [*self.outputs, *more])

    def beam(self, name: str) -> Loads:
        """What is known about a beam along its length."""
        for made in self.outputs.made:
            if isinstance(made, BeamOutputs) and made.beam.name == name:
                return made.loads
        return At().fail(
            f"there is no beam '{name}'", expected=offer(name, self.mechanism.beams, "(the model has none)")
        )

    def _made(self) -> Iterator[Any]:
        """Outputs of the parts that have makers of their own."""
        parts = self.mechanism.parts
        taken = {*self.mechanism.ground_points, *(name for name, part in parts.items() if type(part) not in MAKERS)}
        taken |= {point for part in parts.values() if type(part) not in MAKERS for point in part.points}
        for part in parts.values():
            if type(part) in MAKERS:
                yield MAKERS[type(part)](self.mechanism, part, taken)
                taken = taken | set(part.points)

    def _constraints(self) -> Iterator[tuple[str, Output]]:
        mechanism = self.mechanism
        drive_column = {int(row): k for k, row in enumerate(mechanism.system.drive_rows)}
        works: dict[str, list[int]] = {}
        if mechanism.dimension == 3:
            yield from spatial_reactions(mechanism)
        for names, element in mechanism.attached():
            observed = names.declaration.observed
            for place, (what, (unit, text)) in enumerate(observed.items()):
                values = _called(mechanism, element, "observe", len(observed), place)
                yield f"{names.name}.{what}", Output(unit, f"{names.kind} {names.name}: {text}", values)
            attached = dict(zip(names.declaration.attachments, names.bodies, strict=True))
            on = f"{names.kind} {names.name}: on {attached.get('b', names.bodies[0])}"
            for given, (what, (unit, _)) in zip(names.rows, names.declaration.rows.items(), strict=True):
                column = int(mechanism.row_position[given])
                if unit:
                    yield f"{names.name}.{what}", Output(unit, f"{on}, {what}", _reaction(column))
                if column in drive_column:
                    works.setdefault(names.name, []).append(drive_column[column])
        for name, columns in works.items():
            yield f"{name}.work", Output("J", f"drive {name}: work done on the mechanism", sum_of_works(columns))

    def _forces(self) -> Iterator[tuple[str, Output]]:
        column = self.mechanism.power_column
        parts: dict[str, list[ForceNames]] = {}  # one force may be several elements
        for names in self.mechanism.force_names:
            if not names.declaration.implied:
                parts.setdefault(names.name, []).append(names)
        for names, *others in parts.values():
            for kind, what, text in (
                (DISSIPATED, "dissipated", "energy dissipated"),
                (LOADED, "work", "work done on the mechanism"),
            ):
                columns = [column[part.place, kind] for part in (names, *others) if (part.place, kind) in column]
                if columns:
                    yield (
                        f"{names.name}.{what}",
                        Output("J", f"{names.type} {names.name}: {text}", sum_of_works(columns)),
                    )
            module = kernel_module(names.element.declaration, names.element.families)
            for has, place, unit, what, text in (
                (module.POTENTIAL, 0, "J", "energy", "potential energy"),
                (module.LOADS, 2, "W", "power", "power into the mechanism"),
            ):
                if has:
                    elements = [part.element for part in (names, *others)]
                    values = _energy(self.mechanism, elements, place)
                    yield f"{names.name}.{what}", Output(unit, f"{names.type} {names.name}: {text}", values)
            element, observed = names.element, names.declaration.observed
            if isinstance(element, Element):
                for place, (what, (unit, text)) in enumerate(observed.items()):
                    values = _called(self.mechanism, element, "observe", len(observed), place)
                    yield f"{names.name}.{what}", Output(unit, f"{names.type} {names.name}: {text}", values)
        for name, element in given_forces(self.mechanism):
            for k, axis in enumerate("xyz"[: self.mechanism.dimension]):
                values = functools.partial(_component, self.mechanism, element, k)
                yield f"{name}.f{axis}", Output("N", f"force {name}: component along {axis}", values)

    def _contacts(self) -> Iterator[tuple[str, Output]]:
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
            yield from ((f"{names.name}.{what}", output) for what, output in self._contact(names).items())
        grounded = [names for names in mechanism.contact_names if names.bodies[0] == "ground"]
        if grounded:
            every = replace(
                grounded[0], name="ground_reaction", skin=None, pieces=tuple(k for n in grounded for k in n.pieces)
            )
            outputs = contact_outputs(every)
            for what in (w for w in ("fx", "fy", "fz", "x", "y", "z", "mx", "my", "mz") if w in outputs):
                unit, _, values = outputs[what]
                text = {"f": "of the force", "m": "of the free moment"}.get(what[:-1], "of its point of application")
                yield (
                    f"ground_reaction.{what}",
                    Output(unit, f"{what[-1]} {text} of the ground", self.history.output(values)),
                )

    def _contact(self, names: ContactNames) -> dict[str, Output]:
        """Outputs of one contact by what they are."""
        system, place = self.mechanism.system, self.mechanism.contact_place
        first = power_count(system) - POWERS * system.contacts.count
        made = {
            what: Output(unit, text, self.history.output(values))
            for what, (unit, text, values) in contact_outputs(names).items()
        }
        columns = [first + POWERS * int(place[k]) for k in names.pieces]
        for what, offsets, text in (
            ("dissipated", (0, 1), "energy dissipated"), ("friction_loss", (1,), "energy dissipated by friction"),
            ("work", (2,), "work done by the moving surface"),
        ):  # fmt: skip
            of = [c + offset for c in columns for offset in offsets]
            made[what] = Output("J", f"contact {names.name}: {text}", sum_of_works(of))
        return made


class History:
    """What contacts did along a motion, computed once for all outputs of the same motion."""

    def __init__(self, mechanism: Mechanism):
        self.mechanism = mechanism
        self.motion: Motion | None = None
        self.data: Any = None

    def output(self, values: Any) -> Callable[[Motion], Array]:
        return lambda motion: values(self.along(motion))

    def along(self, motion: Motion) -> Array:
        if motion is not self.motion:
            self.motion, self.data = motion, along(self.mechanism, motion)
        return self.data


def _reaction(column: int) -> Callable[[Motion], Array]:
    return lambda motion: -motion.lam[:, column]


def _called(mechanism: Mechanism, element: Element, kernel: str, size: int, place: int) -> Callable[[Motion], Array]:
    return lambda motion: call_kernel(mechanism, element, kernel, size, motion)[:, place]


def _energy(mechanism: Mechanism, parts: Sequence[Element | Block], place: int) -> Callable[[Motion], Array]:
    """An energy or power, summed over the parts of a force."""
    return lambda motion: sum(
        (
            call_kernel(mechanism, part, "energy", 3, motion)[:, place]
            if isinstance(part, Element)
            else energies_of_block(mechanism, part, motion)[:, place]
            for part in parts
        ),
        np.zeros(motion.t.size),
    )


def energies_of_block(mechanism: Mechanism, block: Block, motion: Motion) -> Array:
    """Potential energy, dissipated power and power of a block as a whole at all times, (n_times, 3): from a system with nothing
    else in it, as there may be too many elements for Python."""
    none = np.zeros(0, dtype=np.int64)
    s = build(mechanism.n, (none, none, np.zeros(0)), [], [block], mechanism.signals)
    w, found = workspace(s), np.zeros((motion.t.size, 3))
    for k in walk(mechanism, motion.t, motion.q):
        signals_at(s, w, motion.t[k])
        energies(s, w, motion.q[k], motion.v[k])
        found[k] = w.energy.reshape(-1, 3).sum(axis=0)
    return found


def _component(mechanism: Mechanism, element: Element, k: int, motion: Motion) -> Array:
    return components(mechanism, element, motion.t)[:, k]


def call_kernel(mechanism: Mechanism, element: Element, kernel: str, size: int, motion: Motion) -> Array:
    """What a kernel of one element (`energy` or `observe`) gives at all times, (n_times, size). It runs as plain Python:
    it is not hot."""
    from gaitwright.system.signals import evaluate_program

    alone = Alone(element, mechanism.n)
    function = getattr(alone.module, kernel)
    x, weight = alone.states(motion.q)
    x_v = alone.rates(weight, motion.v)
    signals = [np.stack(evaluate_program(mechanism.signals[k], motion.t), axis=1) for k in element.signals]
    values = np.zeros((motion.t.size, size))
    for k in range(motion.t.size):
        u = np.concatenate([s[k] for s in signals]) if signals else np.zeros(0)
        function(1, alone.dof, alone.par, range(len(signals)), x[k], x_v[k], u, values[k])
    return values


DERIVED = (
    "energy.kinetic", "energy.potential", "energy.dissipated", "energy.work", "energy.residual",
    "evidence.position_violation", "evidence.velocity_violation", "evidence.step_sizes", "evidence.newton", "evidence.sigma",
    "evidence.unstable",
)  # fmt: skip
"""Outputs that a Result adds from its energy balance and its steps."""


def check_outputs(mechanism: Mechanism, names: list[str]) -> None:
    """Complain about names that no result of this mechanism will have, before anything is computed."""
    catalogue = Catalogue(mechanism)
    more = [*DERIVED, *(f"{c.name}.power" for c in mechanism.constraint_names if c.kind == "drive")]
    for name in names:
        if name not in catalogue.outputs and name not in more:
            raise catalogue.complaint(name, more)


def unknown_output(name: str, known: list[str]) -> ModelError:
    import difflib

    close = difflib.get_close_matches(name, known, n=3)
    hint = (
        f"did you mean {', '.join(close)}?"
        if close
        else f"there are {len(known)} outputs, such as {', '.join(known[:4])}"
    )
    return ModelError(f"there is no output '{name}'; {hint}")
