"""All ready mechanisms with the question that each answers: for `gaitwright example`, the gallery of the docs and tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from gaitwright import mechanisms
from gaitwright.errors import ModelError
from gaitwright.model.files import model_text
from gaitwright.model.model import Model
from gaitwright.physics.contact_laws.lankarani_nikravesh import LankaraniNikravesh
from gaitwright.result.charted import charts_of
from gaitwright.saving import save_text

TURN = {"type": "inverse", "until": "1/turns_per_second", "step": "2e-3/turns_per_second"}
"""Of a leg: once around."""
FREE = {"type": "forward", "until": 3, "step": 2e-3, "method": "gauss2"}
SHORT = {"type": "forward", "until": 1, "step": 1e-3, "method": "generalized-alpha"}
BENT = {"type": "inverse", "until": "duration", "step": "duration/500"}
"""Of a knee: there and back."""
SPUN = {"type": "forward", "until": 2, "step": 1e-3, "method": "gauss2"}


@dataclass(frozen=True)
class Entry:
    """A ready mechanism. make: its model, with the defaults of its function. question: what one learns from it. group: of
    the gallery. analysis: section of the model file, unless the model has one. trace: points whose curves a picture shows,
    besides the feet. outputs: of the model file; all unless given. ghosts: other poses in the picture. at: fraction of the
    run that it shows. labels: write names into the picture. forces: show them as arrows. chart: of the model, 1 for the first,
    beside the mechanism."""

    make: Callable[[], Model]
    question: str
    group: str
    analysis: Mapping[str, Any] = field(default_factory=lambda: dict(FREE))
    trace: Sequence[str] = ()
    outputs: Sequence[str] = ()
    ghosts: int = 6
    at: float = 0.0
    labels: bool = True
    forces: bool = False
    chart: int = 0

    def model(self) -> Model:
        """The mechanism, ready to be analysed."""
        raw = self.make().to_dict()
        raw.setdefault("analysis", dict(self.analysis))
        return Model.from_dict({**raw, "outputs": [*raw.get("outputs", []), *self.outputs]})

    @property
    def feet(self) -> tuple[str, ...]:
        """Points that touch the ground, of a leg."""
        gait = self.make().document.gait
        return tuple(gait.feet) if gait is not None else ()

    def write(self, path: str | Path) -> Path:
        """Write the model file, with the question in its first line; JSON, which has no comments, without."""
        path = Path(path)
        if path.suffix == ".json":
            return self.model().save(path)
        return save_text(path, f"# {self.question}\n{model_text(self.model())}")

    def picture(self, path: str | Path) -> Path:
        """Run the analysis and draw the mechanism (PNG)."""
        run = self.model().analyse()
        time = run.time[0] + self.at * (run.time[-1] - run.time[0])
        trace = [*self.feet, *self.trace] or None
        how = {"ghosts": self.ghosts, "labels": self.labels, "forces": self.forces}
        drawn = run.draw(path, time, trace=trace, colour=run.mechanism.colour, **how)
        if not self.chart:
            return drawn
        from gaitwright.report.views.output_charts import draw_beside

        return draw_beside(run, charts_of(run.document)[self.chart - 1], drawn, drawn)


def find(name: str) -> Entry:
    """The entry of that name."""
    if name not in CATALOGUE:
        near = get_close_matches(name, CATALOGUE, 1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        raise ModelError(f"there is no example '{name}'", expected=f"one of {', '.join(CATALOGUE)}{hint}")
    return CATALOGUE[name]


def _horse_leg() -> Model:
    from gaitwright.mechanisms.horse_leg import horse_leg

    return horse_leg()


def _walking_machine() -> Model:
    from gaitwright.mechanisms.walking_machine import walking_machine

    return walking_machine()


def _ball() -> Model:
    return mechanisms.falling_ball(LankaraniNikravesh(stiffness=1e6, restitution=0.8))


CATALOGUE = {
    "pendulum": Entry(mechanisms.pendulum, "How does a rod swing that is let go level?", "pendulums", trace=["P1"]),
    "double-pendulum": Entry(
        lambda: mechanisms.pendulum(n=2), "How do two rods swing, one hanging from the other?", "pendulums", trace=["P2"]
    ),
    "pendulum-chain": Entry(
        lambda: mechanisms.pendulum(n=6, length=0.2), "How does a chain of six rods fall?", "pendulums", trace=["P6"]
    ),
    "four-bar": Entry(
        mechanisms.four_bar, "Which torque does the crank of a four-bar linkage need at constant speed?", "linkages",
        {**TURN, "until": 1, "step": 2e-3}, trace=["B"],
    ),
    "four-bar-chain": Entry(
        lambda: mechanisms.four_bar_chain(4), "Which torque swings a row of parallelograms?", "linkages",
        {**TURN, "until": 1, "step": 2e-3},
    ),
    "slider-crank": Entry(
        lambda: mechanisms.slider_crank(speed=6.283185307179586),
        "Which torque does the crank of a slider-crank need at constant speed?", "linkages",
        {**TURN, "until": 1, "step": 2e-3}, at=0.15,
    ),
    "rigid-slider-crank": Entry(
        mechanisms.rigid_slider_crank, "How hard does a rigid slider-crank hit a wall?", "linkages", SHORT, ghosts=2, at=0.8
    ),
    "flexible-slider-crank": Entry(
        mechanisms.flexible_slider_crank, "How does a flexible rod soften the impact of a slider-crank on a wall?",
        "linkages", SHORT, ghosts=2, at=0.8,
    ),
    "sprung-slider-crank": Entry(
        mechanisms.sprung_slider_crank, "How does a spring soften the impact of a slider-crank on a wall?", "linkages",
        SHORT, ghosts=2, at=0.8,
    ),
    "integrated-slider-crank": Entry(
        mechanisms.integrated_slider_crank, "How do a flexible rod and a spring together soften the impact on a wall?",
        "linkages", SHORT, ghosts=2, at=0.8,
    ),
    "chebyshev-leg": Entry(
        mechanisms.chebyshev_leg, "Which step does Chebyshev's leg make, and what does its crank have to do?", "legs", TURN
    ),
    "jansen-leg": Entry(
        mechanisms.jansen_leg, "Which step does Theo Jansen's leg make, and what does its crank have to do?", "legs", TURN
    ),
    "klann-leg": Entry(
        mechanisms.klann_leg, "Which step does Klann's leg make, and what does its crank have to do?", "legs", TURN
    ),
    "strider-legs": Entry(
        mechanisms.strider_legs, "Which steps do the two legs of a Strider make on one crank?", "legs", TURN
    ),
    "horse-leg": Entry(
        _horse_leg, "How does a horse's hind leg of links set down its hoof, and what drives it?", "legs", TURN
    ),
    "walking-machine": Entry(
        _walking_machine, "How fast and how steadily does a machine on six of Jansen's legs walk?", "legs",
        trace=["body.O1"], ghosts=0, at=0.5, labels=False,
    ),
    "knee-exoskeleton": Entry(
        lambda: mechanisms.knee_exoskeleton(spring_stiffness=8000),
        "How much does a spring in front of the knee help to extend it, and how far does the axis of the knee move?",
        "worn on the body", BENT, trace=["shank.ankle"], ghosts=4, at=0.25, labels=False, chart=1,
    ),
    "knee-lock": Entry(
        lambda: mechanisms.knee_exoskeleton(locked=True, thigh_swing=15),
        "Which moment does a lock at the straight knee carry while the load goes from heel to toe?",
        "worn on the body", BENT, ghosts=2, at=0.0, labels=False, forces=True, chart=1,
    ),
    "knee-brace": Entry(
        lambda: mechanisms.knee_brace(brace_stiffness=10),
        "How wrong is the angle of a plain hinge beside a knee whose axis moves, and how far does its cuff slide?",
        "worn on the body", BENT, ghosts=3, at=0.5, labels=False, chart=1,
    ),
    "back-support": Entry(
        lambda: mechanisms.back_support(rise=True, damping=3e-3),
        "How much does a blade of carbon fibre help a trunk that bends forward, and what does it return as the trunk rises?",
        "worn on the body", ghosts=4, at=0.5, labels=False, chart=1,
    ),
    "cantilever": Entry(
        lambda: mechanisms.cantilever(moment="4*t"), "How does a strip bend under a moment at its end?", "beams and contact",
        {"type": "static", "until": 1, "steps": 10}, ghosts=4, at=1.0,
    ),
    "cfrp-beam": Entry(
        mechanisms.cfrp_beam, "How does a beam of carbon fibre swing that was bent and is let go?", "beams and contact",
        {"type": "forward", "until": 5, "step": 1e-3, "method": "generalized-alpha"}, at=0.85, ghosts=4,
    ),
    "falling-ball": Entry(
        _ball, "How high does a ball come back, bounce after bounce?", "beams and contact",
        {"type": "forward", "until": 3, "method": "dopri5"},
    ),
    "ankle-foot-orthosis": Entry(
        mechanisms.ankle_foot_orthosis, "What does the spring of an ankle-foot orthosis give, and how hard do its straps pull?",
        "worn on the body", {"type": "forward", "until": "stride", "method": "dopri5", "output_step": "stride/500"},
        ghosts=0, at=0.65, labels=False,
    ),
    "lower-body": Entry(
        mechanisms.lower_body, "Which torques do hips, knees and ankles of a walking person have to give?", "in space",
        {"type": "inverse", "until": "stride", "step": "stride/200"}, trace=["right_foot.heel", "left_foot.heel"], ghosts=0,
        at=0.1, labels=False, forces=True,
    ),
    "gyroscope": Entry(
        lambda: mechanisms.gyroscope(precession=0.0), "How does a spinning top go round when its axle is let go?", "in space",
        SPUN, trace=["top.tip"], ghosts=0, at=0.25, labels=False,
    ),
    "gimbal-gyroscope": Entry(
        mechanisms.gimbal_gyroscope, "Where does a spinning wheel in gimbals go when a weight pulls at it?", "in space",
        SPUN, trace=["inner.weight"], ghosts=0, at=0.15,
    ),
    "spatial-slider-crank": Entry(
        mechanisms.spatial_slider_crank, "Which torque does a crank need whose slider runs along its own axis?", "in space",
        TURN, ghosts=3, at=0.15,
    ),
    "spatial-four-bar": Entry(
        mechanisms.spatial_four_bar, "How does a crank swing a rocker about an axis that is not parallel to its own?",
        "in space", TURN, trace=["coupler.B"], ghosts=3, at=0.2,
    ),
    "bricard": Entry(
        mechanisms.bricard, "How does Bricard's mechanism move, which counts as rigid?", "in space",
        {"type": "forward", "until": 10, "step": 5e-3, "method": "gauss2"}, trace=["rod3.P3"], ghosts=3, at=0.05,
    ),
}  # fmt: skip
"""By the names of `gaitwright example`."""
