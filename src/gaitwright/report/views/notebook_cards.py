"""Notebook cards (`_repr_html_`) of models and results: one function each, which never raises.

No analysis is run for a card. A model is drawn in its assembled pose. If it cannot be closed, the nearest pose is drawn,
with the reason in one sentence; if it is invalid, the card has no picture.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.errors import GaitwrightError, single_line
from gaitwright.report.blocks import Fact
from gaitwright.report.notebook_card import NotebookCard, add_picture, render_png, suppress_errors

if TYPE_CHECKING:
    from gaitwright.analysis.modes import Modes
    from gaitwright.design.choose_result import ChoiceOutcome
    from gaitwright.design.result import DesignResult
    from gaitwright.legs.compare import Comparison
    from gaitwright.legs.leg import LegAnalysis
    from gaitwright.legs.walk import Walk
    from gaitwright.mechanism.mechanism import Mechanism
    from gaitwright.model.model import Model
    from gaitwright.result.result import Result

MAX_ASSEMBLED_COORDINATES = 3000
"""Number of coordinates from which a model is shown in its drawn pose, since its assembly would take too long."""
GHOST_COUNT = 6
MAX_CURVES, MAX_PARAMETERS = 3, 10
HIDDEN_UNITS = ("", "1", "mixed")


@suppress_errors
def model_card(model: Model) -> NotebookCard:
    document = model.document
    counted = {
        "links": document.links, "bodies": document.bodies, "beams": document.beams, "parts": document.parts,
        "joints": document.joints, "drives": document.drives, "forces": document.forces, "contacts": document.contacts,
    }  # fmt: skip
    facts = [Fact(noun, str(len(items))) for noun, items in counted.items() if items]
    parameters = list(document.parameters.items())
    facts += [Fact(name, _format_number(value), "", "parameter") for name, value in parameters[:MAX_PARAMETERS]]
    if len(parameters) > MAX_PARAMETERS:
        facts.append(Fact("parameters", str(len(parameters)), "", "in all"))
    subtitle = f"a model {'in space' if model.dimension == 3 else 'in the plane'}"
    card = NotebookCard(_card_title(document.name, "Model"), subtitle, facts)
    try:
        mechanism = model.mechanism()
    except GaitwrightError as error:
        card.warnings = [single_line(str(error))]
        return card
    card.warnings = [*mechanism.warnings]
    add_picture(card.pictures, lambda: _draw_pose(mechanism, card))
    return card


def _draw_pose(mechanism: Mechanism, card: NotebookCard) -> bytes | None:
    """Picture of the assembled mechanism; if it cannot be closed, of the nearest pose, and the reason as a warning."""
    from gaitwright.analysis.joint_closure import drawn_pose, find_nearest_pose, require_closed
    from gaitwright.report.views.scenes.scene_writers import select_scene_writers
    from gaitwright.result.outputs import StateHistory

    if not mechanism.parts:
        return None
    q = drawn_pose(mechanism, 0.0)
    if q.size < MAX_ASSEMBLED_COORDINATES:
        assembly = find_nearest_pose(mechanism, q, 0.0)
        try:
            require_closed(mechanism, assembly, 0.0)
        except GaitwrightError as error:
            card.warnings = [single_line(str(error)), *card.warnings]
        q = assembly.q if np.isfinite(assembly.q).all() else q
    empty, q = np.zeros((1, 0)), q[None, :]
    show = select_scene_writers(mechanism.dimension)
    scene = show.scene(mechanism, StateHistory(np.zeros(1), q, 0 * q, 0 * q, empty, empty, empty))
    return _picture_bytes(lambda path: show.png(scene, path))


@suppress_errors
def result_card(run: Result) -> NotebookCard:
    e = run.evidence
    card = NotebookCard(
        _card_title(run.mechanism.name, "Result"), f"{e.analysis}, {e.method}" if e.method else e.analysis
    )
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
    curve_names = _default_curves(run)
    range_facts = [_range_fact(run, name) for name in curve_names]
    card.facts = [*first, *card.facts, *range_facts, *evidence]
    ghosts = GHOST_COUNT if run.motion.t.size > 1 else 0
    add_picture(card.pictures, lambda: _picture_bytes(lambda path: run.draw(path, ghosts=ghosts, labels=not ghosts)))
    if curve_names and run.time.size > 1:
        add_picture(card.pictures, lambda: render_png(run.plot(*curve_names)))
    return card


def _range_fact(run: Result, name: str) -> Fact:
    values, unit = run.array(name), _display_unit(run.catalogue[name].unit)
    if values.size < 2 or np.isnan(values).all():
        return Fact(name, float(values[-1]), unit)
    low, high = (f"{value:.4g}".replace("-", "\N{MINUS SIGN}") for value in (np.nanmin(values), np.nanmax(values)))
    return Fact(name, f"{low} to {high}", unit, "least to greatest")


def _default_curves(run: Result) -> list[str]:
    """The most important outputs: those listed by the model, or those of drives and contacts."""
    requested = [name for name in (run.document or {}).get("outputs") or [] if name in run]
    driven = [name for name in run.names if name.endswith((".torque", ".force")) and name.count(".") == 1]
    touching = [f"{name}.normal_force" for name in run.contact_names()]
    return [name for name in (requested or [*driven, *touching]) if name in run][:MAX_CURVES]


@suppress_errors
def modes_card(modes: Modes) -> NotebookCard:
    rows = zip(modes.frequencies, modes.damping_ratios, strict=True)
    facts = [Fact(f"mode {k + 1}", float(f), "Hz", f"damping ratio {ratio:.3g}") for k, (f, ratio) in enumerate(rows)]
    subtitle = "small vibrations about the equilibrium" + ("" if modes.stable else ", which is not stable")
    card = NotebookCard(
        _card_title(modes.equilibrium.mechanism.name, "Modes"), subtitle, facts, warnings=modes.warnings
    )
    add_picture(card.pictures, lambda: _picture_bytes(modes.equilibrium.draw))
    return card


@suppress_errors
def leg_card(leg: LegAnalysis) -> NotebookCard:
    from gaitwright.report.views.pages.leg_page import last_ground_run, leg_facts, turn_scene
    from gaitwright.report.views.scenes.scene_writers import select_scene_writers

    turn = leg.turn
    card = NotebookCard(
        _card_title(leg.name, "LegAnalysis"), "one turn, in the air and on the ground" if turn.ground else "one turn"
    )
    card.facts, card.warnings = leg_facts(turn), leg.warnings()
    card.sentences = ["table() has all numbers, report('leg.html') writes the page with animation and charts"]

    def picture() -> bytes:
        scene = turn_scene(turn, last_ground_run(turn) or turn.air)
        show = select_scene_writers(leg.model.dimension)
        return _picture_bytes(lambda path: show.png(scene, path, 0, ghosts=GHOST_COUNT, labels=False))

    add_picture(card.pictures, picture)
    drive = f"{leg.settings.drive}.torque"
    add_picture(card.pictures, lambda: render_png(turn.run.plot(drive)) if drive in turn.run else None)
    return card


@suppress_errors
def comparison_card(comparison: Comparison) -> NotebookCard:
    from gaitwright.report.figures.style import plot_lines

    def curves() -> bytes:
        lines = {leg.name: (leg.foot.track[1], leg.foot.track[2]) for leg in comparison.legs}
        figure = plot_lines(lines, xlabel="x (m)", ylabel="y (m)", title="curves of the feet")
        figure.axes[0].set_aspect("equal", adjustable="datalim")
        return render_png(figure)

    card = NotebookCard("Comparison", f"{len(comparison.legs)} legs")
    for leg in comparison.legs:
        foot, energy = leg.foot, leg.turn.air.energy["turn"].absolute
        card.facts = [*card.facts, Fact(f"step of {leg.name}", foot.step_length, "m", f"height {foot.step_height:.4g} m"),
                      Fact("energy in the air", energy, "J", "per turn")]  # fmt: skip
    card.warnings = [f"{leg.name}: {text}" for leg in comparison.legs for text in leg.warnings()]
    add_picture(card.pictures, curves)
    return card


@suppress_errors
def walk_card(walk: Walk) -> NotebookCard:
    from gaitwright.report.views.pages.walk_page import walk_facts

    subtitle = f"{walk.turns} turn{'s' if walk.turns > 1 else ''}, {walk.begin:.4g} to {walk.end:.4g} s"
    card = NotebookCard(
        _card_title(walk.run.mechanism.name, "Walk"), subtitle, walk_facts(walk), warnings=walk.warnings()
    )
    add_picture(card.pictures, lambda: render_png(walk.plot()))
    return card


@suppress_errors
def design_card(result: DesignResult | ChoiceOutcome) -> NotebookCard:
    """Card of the result of a design question; also of OutOfReach, with the text of the exception."""
    from gaitwright.design.result import DesignResult

    is_result = isinstance(result, DesignResult)
    kind = "DesignResult" if is_result else type(result).__name__
    card = NotebookCard(
        _card_title(result.question.name, kind),
        f"{result.question.method} over {', '.join(result.question.parameters)}",
    )
    card.sentences = result.lines() if is_result else [single_line(str(result))]
    add_picture(card.pictures, lambda: render_png(result.plot()))
    return card


def _picture_bytes(write: Callable[[Path], Any]) -> bytes:
    """Bytes of a picture by a writer that needs a file."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "picture.png"
        write(path)
        return path.read_bytes()


def _card_title(name: str, kind: str) -> str:
    return f"{name} ({kind})" if name else kind


def _display_unit(unit: str) -> str:
    return "" if unit in HIDDEN_UNITS else unit


def _format_number(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, (int, float)) else str(value)
