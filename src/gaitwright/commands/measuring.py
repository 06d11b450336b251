"""What design commands ask of a model by name: its outputs, the numbers of a leg or of a walk, and expressions of these.

crank.torque                    an output, of which --measure takes one number over time
crank.torque.max                an output, and what to take of it
energy, restitution_0_dissipated    of a leg: what `gaitwright leg` prints
walk_slip                       of a leg: what `gaitwright walk` prints of the machine on pairs of it
slip, cost_of_transport         of a walking machine: what `gaitwright walk` prints
ratio=energy/step_length        an expression with a name
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gaitwright.checks import At, did_you_mean
from gaitwright.errors import ModelError

if TYPE_CHECKING:
    from gaitwright.model.model import Model

LEG = ("energy", "step_length", "step_height")
"""Numbers of a leg that are shown unless others are asked for."""
WALK = ("speed", "cost_of_transport", "slip")
"""The same of a walking machine."""
REDUCED = (".max", ".min", ".max_abs", ".mean", ".final", ".range")
"""Endings that say what to take of an output over time."""
WORD = re.compile(r"(?<![\w.])[A-Za-z_][\w.]*")
MANY = 8
"""Names that a message lists."""


class Question(NamedTuple):
    """What is asked of a model. analysis: a section, a function whose result tells numbers, or None for the model's own.
    measure: function of a result that gives the numbers by name."""

    analysis: Any
    measure: Measured


def question(
    model: Model, wanted: Sequence[str], measure: str, *, told: bool = False, more: Sequence[str] = ()
) -> Question:
    """How to get numbers of a model. told: by an analysis that tells them, also where a program could be printed. more: names
    that are asked for besides, in a way of their own."""
    from gaitwright.legs.machine_walks import MachineWalks, is_machine

    if model.document.gait is not None and model.dimension == 2:
        return _of_leg(model, wanted, measure, told, more)
    asked = numbers_in([*wanted, *more], model)
    if asked and is_machine(model):
        known = MachineWalks().known_numbers(model)
        require_known(asked, known, "walk")
        return Question(MachineWalks(), Measured(model, wanted, measure, asked, known))
    return Question(None, Measured(model, wanted, measure, set()))


def _of_leg(model: Model, wanted: Sequence[str], measure: str, told: bool, more: Sequence[str]) -> Question:
    from gaitwright.legs.leg_turns import LegTurns, known_numbers, needs_ground
    from gaitwright.legs.measure import UNITS, WITH_CONTACTS, one_turn
    from gaitwright.mechanisms.leg_walks import WALK as OF_WALK
    from gaitwright.mechanisms.leg_walks import LegWalks

    asked = numbers_in([*wanted, *more], model)
    if wanted and not asked:
        return Question(None, Measured(model, wanted, measure, set()))
    quick = set(UNITS) - (set() if model.document.contacts else set(WITH_CONTACTS))
    if asked <= quick and not told:
        return Question(one_turn(model=model), Measured(model, wanted, measure, asked, leg=True))
    if any(name.startswith(OF_WALK) for name in asked):
        ground = needs_ground(name for name in asked if not name.startswith(OF_WALK))
        known = LegWalks().known_numbers(model)
        require_known(asked, known, "leg")
        return Question(LegWalks(ground), Measured(model, wanted, measure, asked, known))
    known = known_numbers(model)
    require_known(asked, known, "leg")
    return Question(LegTurns(needs_ground(asked)), Measured(model, wanted, measure, asked, known))


def require_known(asked: Collection[str], known: Collection[str], command: str) -> None:
    """ModelError if a leg or a walk has no such number. command: that prints them."""
    for name in sorted(set(asked) - set(known)):
        few = f"a number that `gaitwright {command}` prints, such as {', '.join(list(known)[:MANY])}"
        few += ", or walk_ and a number that `walk` prints" if command == "leg" else ""
        At().fail(f"there is no output and no number of a {command} '{name}'{did_you_mean(name, known)}", expected=few)


def numbers_in(texts: Sequence[str], model: Model) -> set[str]:
    """Names without a dot that are neither outputs nor parameters of the model, nor functions of expressions: numbers of a leg
    or of a walk. Names of expressions do not count."""
    from gaitwright.model.grammar import RESERVED
    from gaitwright.result.catalogue import Catalogue

    outputs = Catalogue(model.mechanism()).outputs
    found: set[str] = set()
    for text in texts:
        expression = named(text)[1]
        if expression in outputs or expression.rpartition(".")[0] in outputs:
            continue
        found |= {word for word in WORD.findall(expression) if "." not in word}
    return found - set(model.document.parameters) - set(outputs) - RESERVED


def isnamed(text: str) -> bool:
    return "=" in text or text.endswith(REDUCED)


def named(text: str) -> tuple[str, str]:
    """What a number is called, and the expression that it is: `ratio=energy/step_length`, or itself."""
    name, equals, expression = (part.strip() for part in text.partition("="))
    return (name, expression) if equals else (text, text)


def function_of(text: str) -> Any:
    """A name as it is; of `ratio=energy/step_length`, a function of a result."""
    if not isnamed(text):
        return text
    from gaitwright.design.expressed import Expressed

    name, expression = named(text)
    of = Expressed({name: expression})
    return lambda result: of(result)[name]


def usual_numbers(model: Model) -> list[str]:
    """What is shown where nothing is asked for: outputs that the model names, or numbers of a leg or a walk."""
    from gaitwright.legs.machine_walks import is_machine

    if model.document.gait is not None:
        return list(LEG)
    if model.document.outputs and not is_machine(model):
        return list(model.document.outputs)
    return list(WALK) if is_machine(model) else []


class Measured:
    """A function of a result: one number of each output, numbers of a leg or of a walk, and expressions. Of modes, whose
    numbers are measured anyway, none. measures, source, rules: the same for printed programs and searches."""

    def __init__(
        self, model: Model, wanted: Sequence[str], measure: str, told: set[str],
        known: Mapping[str, tuple[str, str]] | None = None, leg: bool = False,
    ):  # fmt: skip
        """told: numbers of a leg or of a walk, among those wanted. leg: they are those of `measure_leg`, all of which are
        given."""
        from gaitwright.legs.measure import UNITS, measure_leg

        self.leg, self.measure = leg, measure
        self.expressions = dict(named(name) for name in wanted if isnamed(name))
        plain = [name for name in wanted if not isnamed(name)]
        self.told = [name for name in plain if name in told]
        self.names = [name for name in plain if name not in told]
        self.source = measure_leg if leg else None
        self.rules = measure_leg.rules if leg else {}  # type: ignore[attr-defined]
        self.measures = {name: f"{name}.{measure}" for name in self.names} | self.expressions
        self.units = {name: unit for name, (unit, _) in (known or {}).items() if name in self.told}
        self.units |= {**(UNITS if leg else {}), **_units(model, self.names)}

    def __call__(self, result: Any) -> dict[str, float]:
        from gaitwright.analyse.modes import Modes
        from gaitwright.design.expressed import Expressed
        from gaitwright.design.question import MEASURES, output_over_time
        from gaitwright.legs.measure import measure_leg

        if isinstance(result, Modes):
            return {}
        of_leg = measure_leg(result) if self.leg else {}
        found = dict(of_leg)
        for name in [name for name in self.told if name not in found] + self.names:
            found[name] = float(MEASURES[self.measure](output_over_time(result, name)[0]))
        return {**found, **(Expressed(self.expressions)(result, of_leg) if self.expressions else {})}

    def require_something(self, model: Model) -> None:
        """ModelError if nothing is measured."""
        section = model.document.analysis
        if not (self.leg or self.told or self.names or self.expressions) and (
            section is None or section.type != "modes"
        ):
            raise ModelError("nothing is measured", expected="--output NAME, or outputs in the model")


def _units(model: Model, names: Sequence[str]) -> dict[str, str]:
    """Of outputs, where the model can say it."""
    from gaitwright.result.catalogue import Catalogue

    if not names:
        return {}
    outputs = Catalogue(model.mechanism()).outputs
    known = {name: outputs[name].unit for name in names if name in outputs}
    return {name: "J" for name in names if name.startswith("energy.")} | known
