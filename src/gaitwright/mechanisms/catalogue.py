"""Catalogue of ready mechanisms, each with the question it answers: for `gaitwright example`, the gallery of the
docs and tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from gaitwright import mechanisms
from gaitwright._core.errors import ModelError
from gaitwright._core.output_files import save_text
from gaitwright.model.io.files import model_text
from gaitwright.model.model import Model
from gaitwright.physics.contact_laws.lankarani_nikravesh import LankaraniNikravesh
from gaitwright.result.cross_plots import read_cross_plots

LEG_TURN_ANALYSIS = {"type": "inverse", "until": "1/turns_per_second", "step": "2e-3/turns_per_second"}
"""Analysis of a leg: one crank turn."""
FREE_MOTION_ANALYSIS = {"type": "forward", "until": 3, "step": 2e-3, "method": "gauss2"}
SHORT_MOTION_ANALYSIS = {"type": "forward", "until": 1, "step": 1e-3, "method": "generalized-alpha"}
KNEE_BENDING_ANALYSIS = {"type": "inverse", "until": "duration", "step": "duration/500"}
"""Analysis of a knee: flexion and extension."""
SPINNING_ANALYSIS = {"type": "forward", "until": 2, "step": 1e-3, "method": "gauss2"}


@dataclass(frozen=True)
class CatalogueEntry:
    """A ready mechanism. make: function that returns its model with default parameters. question: answered by the
    model. group: of the gallery. analysis: section of the model file, unless the model has one. trace: points with
    curves in the picture, besides the feet. outputs: of the model file; default: all. ghosts: number of other poses
    in the picture. at: fraction of the run shown. labels: show names in the picture. forces: show forces as arrows.
    chart: number of the model chart beside the mechanism, from 1; 0 for none."""

    make: Callable[[], Model]
    question: str
    group: str
    analysis: Mapping[str, Any] = field(default_factory=lambda: dict(FREE_MOTION_ANALYSIS))
    trace: Sequence[str] = ()
    outputs: Sequence[str] = ()
    ghosts: int = 6
    at: float = 0.0
    labels: bool = True
    forces: bool = False
    chart: int = 0

    def model(self) -> Model:
        """The model, ready to be analysed."""
        raw = self.make().to_dict()
        raw.setdefault("analysis", dict(self.analysis))
        return Model.from_dict({**raw, "outputs": [*raw.get("outputs", []), *self.outputs]})

    @property
    def feet(self) -> tuple[str, ...]:
        """Foot points of a leg."""
        gait = self.make().document.gait
        return tuple(gait.feet) if gait is not None else ()

    def write(self, path: str | Path) -> Path:
        """Write the model file, with the question in its first line. JSON files have no comments and omit the
        question."""
        path = Path(path)
        if path.suffix == ".json":
            return self.model().save(path)
        return save_text(path, f"# {self.question}\n{model_text(self.model())}")

    def picture(self, path: str | Path) -> Path:
        """Run the analysis and draw the mechanism (PNG)."""
        run = self.model().analyse()
        time = run.time[0] + self.at * (run.time[-1] - run.time[0])
        trace = [*self.feet, *self.trace] or None
        options = {"ghosts": self.ghosts, "labels": self.labels, "forces": self.forces}
        picture_path = run.draw(path, time, trace=trace, colour=run.mechanism.colour, **options)
        if not self.chart:
            return picture_path
        from gaitwright.report.views.cross_plot_charts import draw_picture_and_chart

        return draw_picture_and_chart(run, read_cross_plots(run.document)[self.chart - 1], picture_path, picture_path)


def find_entry(name: str) -> CatalogueEntry:
    """Find an entry by name."""
    if name not in CATALOGUE:
        similar = get_close_matches(name, CATALOGUE, 1)
        hint = f"; did you mean '{similar[0]}'?" if similar else ""
        raise ModelError(f"there is no example '{name}'", expected=f"one of {', '.join(CATALOGUE)}{hint}")
    return CATALOGUE[name]


def _horse_leg_model() -> Model:
    from gaitwright.mechanisms.horse_leg import horse_leg

    return horse_leg()


def _walking_machine_model() -> Model:
    from gaitwright.mechanisms.walking_machine import walking_machine

    return walking_machine()


def _falling_ball_model() -> Model:
    return mechanisms.falling_ball(LankaraniNikravesh(stiffness=1e6, restitution=0.8))


CATALOGUE = {
    "pendulum": CatalogueEntry(
        mechanisms.pendulum, "How does a rod swing that is let go level?", "pendulums", trace=["P1"]
    ),
    "double-pendulum": CatalogueEntry(
        lambda: mechanisms.pendulum(n=2),
        "How do two rods swing, one hanging from the other?",
        "pendulums",
        trace=["P2"],
    ),
    "pendulum-chain": CatalogueEntry(
        lambda: mechanisms.pendulum(n=6, length=0.2), "How does a chain of six rods fall?", "pendulums", trace=["P6"]
    ),
    "four-bar": CatalogueEntry(
        mechanisms.four_bar,
        "Which torque does the crank of a four-bar linkage need at constant speed?",
        "linkages",
        {**LEG_TURN_ANALYSIS, "until": 1, "step": 2e-3},
        trace=["B"],
    ),
    "four-bar-chain": CatalogueEntry(
        lambda: mechanisms.four_bar_chain(4),
        "Which torque swings a row of parallelograms?",
        "linkages",
        {**LEG_TURN_ANALYSIS, "until": 1, "step": 2e-3},
    ),
    "slider-crank": CatalogueEntry(
        lambda: mechanisms.slider_crank(speed=6.283185307179586),
        "Which torque does the crank of a slider-crank need at constant speed?",
        "linkages",
        {**LEG_TURN_ANALYSIS, "until": 1, "step": 2e-3},
        at=0.15,
    ),
    "rigid-slider-crank": CatalogueEntry(
        mechanisms.rigid_slider_crank,
        "How hard does a rigid slider-crank hit a wall?",
        "linkages",
        SHORT_MOTION_ANALYSIS,
        ghosts=2,
        at=0.8,
    ),
    "flexible-slider-crank": CatalogueEntry(
        mechanisms.flexible_slider_crank,
        "How does a flexible rod soften the impact of a slider-crank on a wall?",
        "linkages",
        SHORT_MOTION_ANALYSIS,
        ghosts=2,
        at=0.8,
    ),
    "sprung-slider-crank": CatalogueEntry(
        mechanisms.sprung_slider_crank,
        "How does a spring soften the impact of a slider-crank on a wall?",
        "linkages",
        SHORT_MOTION_ANALYSIS,
        ghosts=2,
        at=0.8,
    ),
    "integrated-slider-crank": CatalogueEntry(
        mechanisms.integrated_slider_crank,
        "How do a flexible rod and a spring together soften the impact on a wall?",
        "linkages",
        SHORT_MOTION_ANALYSIS,
        ghosts=2,
        at=0.8,
    ),
    "chebyshev-leg": CatalogueEntry(
        mechanisms.chebyshev_leg,
        "Which step does Chebyshev's leg make, and what does its crank have to do?",
        "legs",
        LEG_TURN_ANALYSIS,
    ),
    "jansen-leg": CatalogueEntry(
        mechanisms.jansen_leg,
        "Which step does Theo Jansen's leg make, and what does its crank have to do?",
        "legs",
        LEG_TURN_ANALYSIS,
    ),
    "klann-leg": CatalogueEntry(
        mechanisms.klann_leg,
        "Which step does Klann's leg make, and what does its crank have to do?",
        "legs",
        LEG_TURN_ANALYSIS,
    ),
    "strider-legs": CatalogueEntry(
        mechanisms.strider_legs,
        "Which steps do the two legs of a Strider make on one crank?",
        "legs",
        LEG_TURN_ANALYSIS,
    ),
    "horse-leg": CatalogueEntry(
        _horse_leg_model,
        "How does a horse's hind leg of links set down its hoof, and what drives it?",
        "legs",
        LEG_TURN_ANALYSIS,
    ),
    "walking-machine": CatalogueEntry(
        _walking_machine_model,
        "How fast and how steadily does a machine on six of Jansen's legs walk?",
        "legs",
        trace=["body.O1"],
        ghosts=0,
        at=0.5,
        labels=False,
    ),
    "knee-exoskeleton": CatalogueEntry(
        lambda: mechanisms.knee_exoskeleton(spring_stiffness=8000),
        "How much does a spring in front of the knee help to extend it, and how far does the axis of the knee move?",
        "worn on the body",
        KNEE_BENDING_ANALYSIS,
        trace=["shank.ankle"],
        ghosts=4,
        at=0.25,
        labels=False,
        chart=1,
    ),
    "knee-lock": CatalogueEntry(
        lambda: mechanisms.knee_exoskeleton(locked=True, thigh_swing=15),
        "Which moment does a lock at the straight knee carry while the load goes from heel to toe?",
        "worn on the body",
        KNEE_BENDING_ANALYSIS,
        ghosts=2,
        at=0.0,
        labels=False,
        forces=True,
        chart=1,
    ),
    "knee-brace": CatalogueEntry(
        lambda: mechanisms.knee_brace(brace_stiffness=10),
        "How wrong is the angle of a plain hinge beside a knee with a moving axis, and how far does its cuff slide?",
        "worn on the body",
        KNEE_BENDING_ANALYSIS,
        ghosts=3,
        at=0.5,
        labels=False,
        chart=1,
    ),
    "back-support": CatalogueEntry(
        lambda: mechanisms.back_support(rise=True, damping=3e-3),
        "How much does a blade of carbon fibre help a trunk that bends forward, and what does it return as the trunk rises?",
        "worn on the body",
        ghosts=4,
        at=0.5,
        labels=False,
        chart=1,
    ),
    "cantilever": CatalogueEntry(
        lambda: mechanisms.cantilever(moment="4*t"),
        "How does a strip bend under a moment at its end?",
        "beams and contact",
        {"type": "static", "until": 1, "steps": 10},
        ghosts=4,
        at=1.0,
    ),
    "cfrp-beam": CatalogueEntry(
        mechanisms.cfrp_beam,
        "How does a beam of carbon fibre swing that was bent and is let go?",
        "beams and contact",
        {"type": "forward", "until": 5, "step": 1e-3, "method": "generalized-alpha"},
        at=0.85,
        ghosts=4,
    ),
    "falling-ball": CatalogueEntry(
        _falling_ball_model,
        "How high does a ball come back, bounce after bounce?",
        "beams and contact",
        {"type": "forward", "until": 3, "method": "dopri5"},
    ),
    "ankle-foot-orthosis": CatalogueEntry(
        mechanisms.ankle_foot_orthosis,
        "What does the spring of an ankle-foot orthosis give, and how hard do its straps pull?",
        "worn on the body",
        {"type": "forward", "until": "stride", "method": "dopri5", "output_step": "stride/500"},
        ghosts=0,
        at=0.65,
        labels=False,
    ),
    "lower-body": CatalogueEntry(
        mechanisms.lower_body,
        "Which torques do hips, knees and ankles of a walking person have to give?",
        "in space",
        {"type": "inverse", "until": "stride", "step": "stride/200"},
        trace=["right_foot.heel", "left_foot.heel"],
        ghosts=0,
        at=0.1,
        labels=False,
        forces=True,
    ),
    "gyroscope": CatalogueEntry(
        lambda: mechanisms.gyroscope(precession=0.0),
        "How does a spinning top go round when its axle is let go?",
        "in space",
        SPINNING_ANALYSIS,
        trace=["top.tip"],
        ghosts=0,
        at=0.25,
        labels=False,
    ),
    "gimbal-gyroscope": CatalogueEntry(
        mechanisms.gimbal_gyroscope,
        "Where does a spinning wheel in gimbals go when a weight pulls at it?",
        "in space",
        SPINNING_ANALYSIS,
        trace=["inner.weight"],
        ghosts=0,
        at=0.15,
    ),
    "spatial-slider-crank": CatalogueEntry(
        mechanisms.spatial_slider_crank,
        "Which torque does a crank need whose slider runs along its own axis?",
        "in space",
        LEG_TURN_ANALYSIS,
        ghosts=3,
        at=0.15,
    ),
    "spatial-four-bar": CatalogueEntry(
        mechanisms.spatial_four_bar,
        "How does a crank swing a rocker about an axis that is not parallel to its own?",
        "in space",
        LEG_TURN_ANALYSIS,
        trace=["coupler.B"],
        ghosts=3,
        at=0.2,
    ),
    "bricard": CatalogueEntry(
        mechanisms.bricard,
        "How does Bricard's mechanism move, which counts as rigid?",
        "in space",
        {"type": "forward", "until": 10, "step": 5e-3, "method": "gauss2"},
        trace=["rod3.P3"],
        ghosts=3,
        at=0.05,
    ),
}
"""Ready mechanisms, by the names of `gaitwright example`."""
