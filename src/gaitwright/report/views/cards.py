"""What models, results and answers show of themselves in a notebook (`_repr_html_`): one function each, which never raises.

No analysis is run for it. A model is drawn as assembled; one that cannot be closed in the nearest pose, with the reason in one
sentence; one that cannot even be read into tables without a picture.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.errors import GaitwrightError, one_sentence
from gaitwright.report.blocks import Fact
from gaitwright.report.card import Card, drawn, never_raising, png

if TYPE_CHECKING:
    from gaitwright.analyse.modes import Modes
    from gaitwright.design.chosen import Answer
    from gaitwright.design.optimised import Optimised
    from gaitwright.design.studied import Study
    from gaitwright.design.trade_off import TradeOff
    from gaitwright.legs.compare import Comparison
    from gaitwright.legs.leg import LegAnalysis
    from gaitwright.legs.walk import Walk
    from gaitwright.model.model import Model
    from gaitwright.result.result import Result
    from gaitwright.system.mechanism import Mechanism

LARGE = 3000
"""Coordinates from which on a model is shown as drawn: to close it takes longer than a look."""
GHOSTS = 6
MOST_CURVES, MOST_PARAMETERS = 3, 10
NO_UNIT = ("", "1", "mixed")


@never_raising
def model_card(model: Model) -> Card:
    document = model.document
    counted = {
        "links": document.links, "bodies": document.bodies, "beams": document.beams, "parts": document.parts,
        "joints": document.joints, "drives": document.drives, "forces": document.forces, "contacts": document.contacts,
    }  # fmt: skip
    facts = [Fact(what, str(len(some))) for what, some in counted.items() if some]
    parameters = list(document.parameters.items())
    facts += [Fact(name, _number(value), "", "parameter") for name, value in parameters[:MOST_PARAMETERS]]
    if len(parameters) > MOST_PARAMETERS:
        facts.append(Fact("parameters", str(len(parameters)), "", "in all"))
    said = f"a model {'in space' if model.dimension == 3 else 'in the plane'}"
    card = Card(_titled(document.name, "Model"), said, facts)
    try:
        mechanism = model.mechanism()
    except GaitwrightError as error:
        card.warnings = [one_sentence(str(error))]
        return card
    card.warnings = [*mechanism.warnings]
    drawn(card.pictures, lambda: _pose(mechanism, card))
    return card


def _pose(mechanism: Mechanism, card: Card) -> bytes | None:
    """The assembled mechanism; of one that cannot be closed the nearest pose, and why."""
    from gaitwright.analyse.closing import drawn_pose, nearest_pose, require_closed
    from gaitwright.report.views.pictures import pictures
    from gaitwright.result.outputs import Motion

    if not mechanism.parts:
        return None
    q = drawn_pose(mechanism, 0.0)
    if q.size < LARGE:
        assembly = nearest_pose(mechanism, q, 0.0)
        try:
            require_closed(mechanism, assembly, 0.0)
        except GaitwrightError as error:
            card.warnings = [one_sentence(str(error)), *card.warnings]
        q = assembly.q if np.isfinite(assembly.q).all() else q
    nothing, q = np.zeros((1, 0)), q[None, :]
    show = pictures(mechanism.dimension)
    scene = show.scene(mechanism, Motion(np.zeros(1), q, 0 * q, 0 * q, nothing, nothing, nothing))
    return _as_file(lambda path: show.png(scene, path))


@never_raising
def result_card(run: Result) -> Card:
    e = run.evidence
    card = Card(_titled(run.mechanism.name, "Result"), f"{e.analysis}, {e.method}" if e.method else e.analysis)
    card.facts = [Fact("outputs", str(len(run.names)), "", "run.names")]
    card.warnings = [*([] if e.complete and not e.interrupted else ["cut short"]), *e.warnings]
    if not run.time.size:
        return card
    first = [
        Fact(
            "time",
            f"{run.time[0]:g} to {run.time[-1]:g}",
            "s",
            f"{run.time.size} instant{'s' if run.time.size > 1 else ''}",
        )
    ]
    evidence = [
        Fact("constraints", f"{e.max_position_violation:.1e}", "", "largest violation, m or rad"),
        Fact("energy residual", f"{e.max_energy_residual:.1e}", "J", "largest"),
    ]
    shown = _usual(run)
    told = [_extremes(run, name) for name in shown]
    card.facts = [*first, *card.facts, *told, *evidence]
    ghosts = GHOSTS if run.motion.t.size > 1 else 0
    drawn(card.pictures, lambda: _as_file(lambda path: run.draw(path, ghosts=ghosts, labels=not ghosts)))
    if shown and run.time.size > 1:
        drawn(card.pictures, lambda: png(run.plot(*shown)))
    return card


def _extremes(run: Result, name: str) -> Fact:
    values, unit = run.values(name), _unit(run.catalogue[name].unit)
    if values.size < 2 or np.isnan(values).all():
        return Fact(name, float(values[-1]), unit)
    low, high = (f"{value:.4g}".replace("-", "\N{MINUS SIGN}") for value in (np.nanmin(values), np.nanmax(values)))
    return Fact(name, f"{low} to {high}", unit, "least to greatest")


def _usual(run: Result) -> list[str]:
    """Outputs that tell most: those that the model asks for, or of drives and contacts."""
    asked = [name for name in (run.document or {}).get("outputs") or [] if name in run]
    driven = [name for name in run.names if name.endswith((".torque", ".force")) and name.count(".") == 1]
    touching = [f"{name}.normal_force" for name in run.contact_names()]
    return [name for name in (asked or [*driven, *touching]) if name in run][:MOST_CURVES]


@never_raising
def modes_card(modes: Modes) -> Card:
    rows = zip(modes.frequencies, modes.damping_ratios, strict=True)
    facts = [Fact(f"mode {k + 1}", float(f), "Hz", f"damping ratio {ratio:.3g}") for k, (f, ratio) in enumerate(rows)]
    said = "small vibrations about the equilibrium" + ("" if modes.stable else ", which is not stable")
    card = Card(_titled(modes.equilibrium.mechanism.name, "Modes"), said, facts, warnings=modes.warnings)
    drawn(card.pictures, lambda: _as_file(modes.equilibrium.draw))
    return card


@never_raising
def leg_card(leg: LegAnalysis) -> Card:
    from gaitwright.report.views.leg_page import facts, ground_of, scene_of
    from gaitwright.report.views.pictures import pictures

    turn = leg.turn
    card = Card(
        _titled(leg.name, "LegAnalysis"), "one turn, in the air and on the ground" if turn.ground else "one turn"
    )
    card.facts, card.warnings = facts(turn), leg.warnings()
    card.sentences = ["table() has all numbers, report('leg.html') writes the page with animation and charts"]

    def picture() -> bytes:
        scene = scene_of(turn, ground_of(turn) or turn.air)
        show = pictures(leg.model.dimension)
        return _as_file(lambda path: show.png(scene, path, 0, ghosts=GHOSTS, labels=False))

    drawn(card.pictures, picture)
    drive = f"{leg.settings.drive}.torque"
    drawn(card.pictures, lambda: png(turn.run.plot(drive)) if drive in turn.run else None)
    return card


@never_raising
def comparison_card(found: Comparison) -> Card:
    from gaitwright.report.plots import plot_lines

    def curves() -> bytes:
        lines = {leg.name: (leg.foot.track[1], leg.foot.track[2]) for leg in found.legs}
        figure = plot_lines(lines, xlabel="x (m)", ylabel="y (m)", title="curves of the feet")
        figure.axes[0].set_aspect("equal", adjustable="datalim")
        return png(figure)

    card = Card("Comparison", f"{len(found.legs)} legs")
    for leg in found.legs:
        foot, energy = leg.foot, leg.turn.air.energy["turn"].absolute
        card.facts = [*card.facts, Fact(f"step of {leg.name}", foot.step_length, "m", f"height {foot.step_height:.4g} m"),
                      Fact("energy in the air", energy, "J", "per turn")]  # fmt: skip
    card.warnings = [f"{leg.name}: {text}" for leg in found.legs for text in leg.warnings()]
    drawn(card.pictures, curves)
    return card


@never_raising
def walk_card(walk: Walk) -> Card:
    from gaitwright.report.views.walk_page import facts

    said = f"{walk.turns} turn{'s' if walk.turns > 1 else ''}, {walk.begin:.4g} to {walk.end:.4g} s"
    card = Card(_titled(walk.run.mechanism.name, "Walk"), said, facts(walk), warnings=walk.warnings())
    drawn(card.pictures, lambda: png(walk.plot()))
    return card


@never_raising
def chosen_card(answer: Answer) -> Card:
    """Of `choose`; also of OutOfReach, whose sentence is that of the error."""
    lines: Callable[[], Sequence[str]] | None = getattr(answer, "lines", None)
    card = Card(_titled(answer.question.model.document.name, type(answer).__name__), f"choice of {answer.parameter}")
    card.sentences = lines() if lines else [one_sentence(str(answer))]
    drawn(card.pictures, lambda: png(answer.plot()))
    return card


@never_raising
def optimised_card(answer: Optimised) -> Card:
    card = Card(_titled(answer.model.document.name, "Optimised"), sentences=answer.lines())
    drawn(card.pictures, lambda: png(answer.plot()))
    return card


@never_raising
def trade_off_card(curve: TradeOff) -> Card:
    card = Card(_titled(curve.question.model.document.name, "TradeOff"), repr(curve).strip("<>"))
    drawn(card.pictures, lambda: png(curve.plot()))
    return card


@never_raising
def study_card(study: Study) -> Card:
    card = Card(_titled(study.model.document.name, "Study"), f"choice of {', '.join(study.parameters)}")
    card.sentences = study.lines()
    drawn(card.pictures, lambda: png(_map(study)))
    return card


def _map(study: Study) -> Any:
    """The goals over the first two parameters, the best marked; the other parameters as in the best."""
    from gaitwright.report.maps import plot_map

    best = study.best or {}
    varied = [name for name in study.parameters if study.data.sizes[name] > 1]
    goals = {name: "max" if large else "min" for name, large in study.goals.items()}
    limits = {
        name: (limit.low if np.isfinite(limit.low) else None, limit.high if np.isfinite(limit.high) else None)
        for name, limit in study.limits.items()
        if name in study.names
    }
    others = {name: float(best[name]) for name in varied[2:] if name in best}
    first = next(iter(goals))
    return plot_map(
        study.data, list(goals)[:MOST_CURVES], at=others, best={first: goals[first]} if best else None, limits=limits
    )


def _as_file(write: Callable[[Path], Any]) -> bytes:
    """The bytes of a picture whose writer knows only files."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "picture.png"
        write(path)
        return path.read_bytes()


def _titled(name: str, kind: str) -> str:
    return f"{name} ({kind})" if name else kind


def _unit(unit: str) -> str:
    return "" if unit in NO_UNIT else unit


def _number(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, (int, float)) else str(value)
